/* Calls: arguments from Python to C and results back, for the wrappers of api.c. */
#include "lbpy.h"

#include <limits.h>
#include <string.h>

/* --- Enums and errors ------------------------------------------------------------------------------------------- */

PyObject *lbpy_enum_word(int which, int value) {
    for (const lbpy_word *w = lbpy_enums[which].words; w->name; w++) {
        if (w->value == value) {
            return PyUnicode_FromString(w->name);
        }
    }
    return PyLong_FromLong(value);
}

/* Whether two words are the same when _ and - are. */
static int is_same_word(const char *a, const char *b) {
    for (; *a && (*a == *b || (*a == '-' && *b == '_')); a++, b++) {
    }
    return !*a && !*b;
}

int lbpy_enum_value(int which, PyObject *object, int *value) {
    if (PyLong_Check(object)) {
        long number = PyLong_AsLong(object);
        *value = (int)number;
        if (number != *value && !PyErr_Occurred()) {
            PyErr_SetString(PyExc_OverflowError, "the number is too large");
        }
        return !PyErr_Occurred();
    }
    const char *text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, NULL) : NULL;
    for (const lbpy_word *w = lbpy_enums[which].words; text && w->name; w++) {
        if (is_same_word(w->name, text)) {
            *value = w->value;
            return 1;
        }
    }
    if (!PyErr_Occurred()) {
        PyObject *words = PyUnicode_FromString("");
        for (const lbpy_word *w = lbpy_enums[which].words; words && w->name; w++) {
            PyObject *more = PyUnicode_FromFormat("%U%s'%s'", words, w == lbpy_enums[which].words ? "" : ", ", w->name);
            Py_DECREF(words);
            words = more;
        }
        if (words) {
            PyErr_Format(PyExc_ValueError, "%R is none of %U", object, words);
            Py_DECREF(words);
        }
    }
    return 0;
}

static PyObject *raise_parts(lb_status status, const char *message, const char *file, int line) {
    PyObject *errors = PyImport_ImportModule("limber.errors");
    PyObject *make = errors ? PyObject_GetAttrString(errors, "make") : NULL;
    PyObject *text = make ? PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace") : NULL;
    PyObject *path = text ? PyUnicode_DecodeUTF8(file, (Py_ssize_t)strlen(file), "replace") : NULL;
    PyObject *error = path ? PyObject_CallFunction(make, "iOOi", (int)status, text, path, line) : NULL;
    if (error) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    }
    Py_XDECREF(error);
    Py_XDECREF(path);
    Py_XDECREF(text);
    Py_XDECREF(make);
    Py_XDECREF(errors);
    return NULL;
}

PyObject *lbpy_raise(lb_status status, const lb_error *error) {
    int has_text = error && error->status == status && error->message[0];
    return has_text ? raise_parts(status, error->message, error->file, error->line)
                    : raise_parts(status, lb_status_text(status), "", 0);
}

PyObject *lbpy_raise_text(lb_status status, const char *message) { return raise_parts(status, message, "", 0); }

/* --- Arguments -------------------------------------------------------------------------------------------------- */

void lbpy_begin(lbpy_call *c, const char *name, PyObject *const *arguments, Py_ssize_t count, int wanted) {
    c->name = name;
    c->arguments = arguments;
    c->count = (int)count;
    c->next = 0;
    c->is_failed = 0;
    c->buffer_count = 0;
    c->handle_count = 0;
    c->size = 0;
    c->thread = NULL;
    c->error.status = LB_OK;
    c->error.message[0] = 0;
    c->error.file[0] = 0;
    c->error.line = 0;
    if (count != wanted) {
        PyErr_Format(PyExc_TypeError, "%s takes %d arguments, not %zd", name, wanted, count);
        c->is_failed = 1;
    }
}

/* The next argument; NULL once something failed. */
static PyObject *take(lbpy_call *c) { return c->is_failed ? NULL : c->arguments[c->next++]; }

/* Notes whether the last conversion failed. */
static void note(lbpy_call *c) { c->is_failed = c->is_failed || PyErr_Occurred() != NULL; }

int lbpy_take_int(lbpy_call *c) {
    PyObject *object = take(c);
    long number = object ? PyLong_AsLong(object) : 0;
    if (object && !PyErr_Occurred() && (number > INT_MAX || number < INT_MIN)) {
        PyErr_Format(PyExc_OverflowError, "%ld is too large", number);
    }
    note(c);
    return (int)number;
}

double lbpy_take_double(lbpy_call *c) {
    PyObject *object = take(c);
    double number = object ? PyFloat_AsDouble(object) : 0;
    note(c);
    return number;
}

size_t lbpy_take_size(lbpy_call *c) {
    PyObject *object = take(c);
    size_t number = object ? PyLong_AsSize_t(object) : 0;
    note(c);
    return number;
}

uint64_t lbpy_take_u64(lbpy_call *c) {
    PyObject *object = take(c);
    uint64_t number = object ? PyLong_AsUnsignedLongLong(object) : 0;
    note(c);
    return number;
}

int lbpy_take_enum(lbpy_call *c, int which) {
    PyObject *object = take(c);
    int value = 0;
    if (object) {
        lbpy_enum_value(which, object, &value);
    }
    note(c);
    return value;
}

const char *lbpy_take_string(lbpy_call *c) {
    PyObject *object = take(c);
    if (!object || object == Py_None) {
        return NULL;
    }
    Py_ssize_t size = 0;
    const char *text = NULL;
    if (PyUnicode_Check(object)) {
        text = PyUnicode_AsUTF8AndSize(object, &size);
    } else {
        PyErr_Format(PyExc_TypeError, "%s: this must be a str, not %R", c->name, object);
    }
    if (text && strlen(text) != (size_t)size) {
        PyErr_Format(PyExc_ValueError, "%s: there is a null character in %R", c->name, object);
    }
    note(c);
    return text;
}

void *lbpy_take_handle(lbpy_call *c, int kind, int is_changed) {
    PyObject *object = take(c);
    if (!object || object == Py_None) {
        return NULL;
    }
    void *pointer = lbpy_handle_pointer(object, kind, is_changed);
    note(c);
    if (pointer) {
        c->handles[c->handle_count] = (lbpy_handle *)object;
        c->changes[c->handle_count++] = is_changed;
    }
    return pointer;
}

void *lbpy_take_struct(lbpy_call *c, int kind, int is_changed) {
    (void)is_changed;
    PyObject *object = take(c);
    if (!object || object == Py_None) {
        return NULL;
    }
    /* Numbers that are as long as the struct will do: seven for an lb_frame. */
    if (PyObject_CheckBuffer(object)) {
        c->next--;
        void *at = lbpy_take_buffer(c, is_changed);
        if (!c->is_failed && (c->size == 0 || c->size % lbpy_structs[kind].size != 0)) {
            PyErr_Format(PyExc_ValueError, "%s: this is no %s", c->name, lbpy_structs[kind].name);
        }
        note(c);
        return at;
    }
    void *at = lbpy_struct_memory(object, kind);
    note(c);
    return at;
}

void *lbpy_take_buffer(lbpy_call *c, int is_changed) {
    PyObject *object = take(c);
    if (!object || object == Py_None) {
        return NULL;
    }
    Py_buffer *b = &c->buffers[c->buffer_count];
    if (PyObject_GetBuffer(object, b, PyBUF_C_CONTIGUOUS | (is_changed ? PyBUF_WRITABLE : 0))) {
        c->is_failed = 1;
        return NULL;
    }
    c->buffer_count++;
    c->size = (size_t)b->len;
    return b->buf;
}

/* --- The call itself -------------------------------------------------------------------------------------------- */

static void release_buffers(lbpy_call *c) {
    while (c->buffer_count > 0) {
        PyBuffer_Release(&c->buffers[--c->buffer_count]);
    }
}

int lbpy_ready(lbpy_call *c, int is_long) {
    if (c->is_failed) {
        release_buffers(c);
        return 0;
    }
    lbpy_callback_failed = 0;
    if (is_long) {
        for (int i = 0; i < c->handle_count; i++) {
            c->handles[i]->use += c->changes[i] ? -1 : 1;
        }
        c->thread = PyEval_SaveThread();
    }
    return 1;
}

void lbpy_done(lbpy_call *c) {
    if (c->thread) {
        PyEval_RestoreThread(c->thread);
        for (int i = 0; i < c->handle_count; i++) {
            c->handles[i]->use -= c->changes[i] ? -1 : 1;
        }
    }
}

/* --- Results ---------------------------------------------------------------------------------------------------- */

PyObject *lbpy_give_nothing(void) { Py_RETURN_NONE; }

PyObject *lbpy_give_status(lbpy_call *c, lb_status status, const lb_error *error) {
    if (PyErr_Occurred()) { /* a Python function that the library called */
        return NULL;
    }
    if (status < 0) {
        return lbpy_raise(status, error ? error : &c->error);
    }
    Py_RETURN_NONE;
}

PyObject *lbpy_give_index(lbpy_call *c, int index, const lb_error *error) {
    return index < 0 ? lbpy_give_status(c, (lb_status)index, error) : PyLong_FromLong(index);
}

PyObject *lbpy_give_enum(int which, int value) { return lbpy_enum_word(which, value); }

PyObject *lbpy_give_string(const char *text) {
    if (!text) {
        Py_RETURN_NONE;
    }
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* A list of the call's handles, and of what was made before; NULL with an exception. */
static PyObject *keeps_of(lbpy_call *c, PyObject *made) {
    PyObject *keeps = PyList_New(0);
    for (int i = 0; keeps && i < c->handle_count; i++) {
        if (PyList_Append(keeps, (PyObject *)c->handles[i])) {
            Py_CLEAR(keeps);
        }
    }
    if (keeps && made && made != Py_None && PyList_Append(keeps, made)) {
        Py_CLEAR(keeps);
    }
    return keeps;
}

PyObject *lbpy_give_struct(lbpy_call *c, int kind, const void *at) {
    if (!at) {
        Py_RETURN_NONE;
    }
    return lbpy_struct_copy(kind, at, c->handle_count ? (PyObject *)c->handles[0] : NULL);
}

PyObject *lbpy_give_handle(lbpy_call *c, int kind, void *pointer, int is_owned, const lb_error *error) {
    if (!pointer) {
        if (!is_owned) {
            Py_RETURN_NONE;
        }
        const lb_error *told = error ? error : &c->error;
        return PyErr_Occurred() ? NULL : lbpy_raise(told->status ? told->status : LB_ERROR_MEMORY, told);
    }
    PyObject *keeps = keeps_of(c, NULL);
    if (!keeps) {
        if (is_owned) {
            lbpy_handles[kind].destroy(pointer);
        }
        return NULL;
    }
    return lbpy_handle_make(kind, pointer, is_owned, keeps);
}

/* Two results as a tuple, three as a longer one; None is no result. Takes over both references. */
static PyObject *join(PyObject *value, PyObject *more) {
    if (!more || value == Py_None) {
        Py_DECREF(value);
        return more;
    }
    PyObject *pair = PyTuple_Pack(2, value, more);
    Py_DECREF(value);
    Py_DECREF(more);
    return pair;
}

PyObject *lbpy_add_handle(lbpy_call *c, PyObject *value, int kind, void *pointer) {
    if (!value) {
        if (pointer) {
            lbpy_handles[kind].destroy(pointer);
        }
        return NULL;
    }
    if (!pointer) {
        return join(value, lbpy_give_nothing());
    }
    PyObject *keeps = keeps_of(c, value);
    return join(value, keeps ? lbpy_handle_make(kind, pointer, 1, keeps) : NULL);
}

PyObject *lbpy_add_text(PyObject *value, char *text, size_t size, int is_bytes) {
    PyObject *more = NULL;
    if (value) {
        more = is_bytes ? PyBytes_FromStringAndSize(text, text ? (Py_ssize_t)size : 0) : lbpy_give_string(text);
    }
    lb_text_free(text);
    return value ? join(value, more) : NULL;
}

PyObject *lbpy_end(lbpy_call *c, PyObject *value) {
    release_buffers(c);
    if (value && PyErr_Occurred()) { /* of a Python function that the library called */
        Py_DECREF(value);
        return NULL;
    }
    return value;
}
