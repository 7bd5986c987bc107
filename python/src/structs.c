/* Structs: a C struct as a Python object with the fields of the headers. Fields that are enums are read as words; pointers
 * are given as objects with a buffer, as structs, or as None. */
#include "lbpy.h"

#include <string.h>

static PyTypeObject *struct_type;

static lbpy_struct *make(const lbpy_struct_kind *kind, char *memory, PyObject *owner) {
    allocfunc allocate = (allocfunc)PyType_GetSlot(struct_type, Py_tp_alloc);
    lbpy_struct *s = (lbpy_struct *)allocate(struct_type, 0);
    if (!s) {
        return NULL;
    }
    s->kind = kind;
    s->keeps = NULL;
    s->owner = NULL;
    s->memory = memory ? memory : PyMem_Calloc(1, kind->size);
    if (!s->memory) {
        Py_DECREF(s);
        PyErr_NoMemory();
        return NULL;
    }
    if (memory) {
        Py_XINCREF(owner);
        s->owner = owner;
    }
    return s;
}

static void struct_dealloc(PyObject *object) {
    lbpy_struct *s = (lbpy_struct *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (s->memory && !s->owner) {
        PyMem_Free(s->memory);
    }
    Py_XDECREF(s->owner);
    Py_XDECREF(s->keeps);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

PyObject *lbpy_struct_copy(int kind, const void *at, PyObject *owner) {
    lbpy_struct *s = make(&lbpy_structs[kind], NULL, NULL);
    if (!s) {
        return NULL;
    }
    memcpy(s->memory, at, s->kind->size);
    if (owner) {
        s->keeps = PyDict_New();
        if (!s->keeps || PyDict_SetItemString(s->keeps, "", owner)) {
            Py_DECREF(s);
            return NULL;
        }
    }
    return (PyObject *)s;
}

void *lbpy_struct_memory(PyObject *object, int kind) {
    if (!Py_IS_TYPE(object, struct_type) || ((lbpy_struct *)object)->kind != &lbpy_structs[kind]) {
        PyErr_Format(PyExc_TypeError, "this must be an %s, not %R", lbpy_structs[kind].name, object);
        return NULL;
    }
    return ((lbpy_struct *)object)->memory;
}

/* --- Reading ---------------------------------------------------------------------------------------------------- */

static PyObject *read_value(lbpy_struct *s, const lbpy_field *f, char *at) {
    switch (f->kind) {
    case LBPY_INT:
        return PyLong_FromLong(*(int *)at);
    case LBPY_DOUBLE:
        return PyFloat_FromDouble(*(double *)at);
    case LBPY_SIZE:
        return PyLong_FromSize_t(*(size_t *)at);
    case LBPY_U64:
        return PyLong_FromUnsignedLongLong(*(uint64_t *)at);
    case LBPY_ENUM:
        return lbpy_enum_word(f->about, *(int *)at);
    case LBPY_STRUCT:
        return (PyObject *)make(&lbpy_structs[f->about], at, (PyObject *)s);
    case LBPY_TEXT:
        return PyUnicode_DecodeUTF8(at, (Py_ssize_t)strnlen(at, f->size), "replace");
    case LBPY_STRING:
        return lbpy_give_string(*(const char **)at);
    default:
        return PyBool_FromLong(*(void **)at != NULL);
    }
}

static size_t item_size(const lbpy_field *f) {
    return f->count && f->kind != LBPY_TEXT ? f->size / (size_t)f->count : f->size;
}

static PyObject *read_field(lbpy_struct *s, const lbpy_field *f) {
    char *at = s->memory + f->offset;
    if (!f->count || f->kind == LBPY_TEXT) {
        return read_value(s, f, at);
    }
    PyObject *list = PyTuple_New(f->count);
    for (int i = 0; list && i < f->count; i++) {
        PyObject *value = read_value(s, f, at + (size_t)i * item_size(f));
        if (!value || PyTuple_SetItem(list, i, value)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static const lbpy_field *find_field(const lbpy_struct_kind *kind, const char *name) {
    for (const lbpy_field *f = kind->fields; f->name; f++) {
        if (!strcmp(f->name, name)) {
            return f;
        }
    }
    return NULL;
}

static PyObject *struct_get(PyObject *object, PyObject *name) {
    lbpy_struct *s = (lbpy_struct *)object;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    if (!text) {
        return NULL;
    }
    const lbpy_field *f = find_field(s->kind, text);
    return f ? read_field(s, f) : PyObject_GenericGetAttr(object, name);
}

/* --- Writing ---------------------------------------------------------------------------------------------------- */

/* Keeps alive what the field at this address points to. A struct inside another one has its keeping done by that one, which
 * owns the memory. */
static int keep(lbpy_struct *s, const char *at, PyObject *object) {
    while (s->owner && Py_IS_TYPE(s->owner, struct_type)) {
        s = (lbpy_struct *)s->owner;
    }
    if (!s->keeps) {
        s->keeps = PyDict_New();
    }
    char key[32];
    PyOS_snprintf(key, sizeof key, "%ld", (long)(at - s->memory));
    return !s->keeps || PyDict_SetItemString(s->keeps, key, object);
}

static int write_string(lbpy_struct *s, const lbpy_field *f, char *at, PyObject *value) {
    if (value == Py_None) {
        *(const char **)at = NULL;
        return 0;
    }
    PyObject *bytes = PyUnicode_Check(value) ? PyUnicode_AsUTF8String(value) : NULL;
    if (!bytes) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError, "%s must be a str or None, not %R", f->name, value);
        }
        return -1;
    }
    char *text = NULL;
    Py_ssize_t length = 0;
    PyBytes_AsStringAndSize(bytes, &text, &length);
    int is_bad = (size_t)length != strlen(text);
    if (is_bad) {
        PyErr_Format(PyExc_ValueError, "%s holds a null character", f->name);
    }
    is_bad = is_bad || keep(s, at, bytes);
    if (!is_bad) {
        *(const char **)at = text;
    }
    Py_DECREF(bytes);
    return is_bad ? -1 : 0;
}

/* A pointer to what has a buffer, to a struct, or to a handle's object. */
static int write_pointer(lbpy_struct *s, const lbpy_field *f, char *at, PyObject *value) {
    void *pointer = NULL;
    if (f->kind == LBPY_HANDLE && value != Py_None) {
        pointer = lbpy_handle_pointer(value, f->about, 0);
        if (!pointer) {
            return -1;
        }
    } else if (Py_IS_TYPE(value, struct_type)) {
        pointer = ((lbpy_struct *)value)->memory;
    } else if (value != Py_None) {
        PyObject *view = PyMemoryView_FromObject(value);
        Py_buffer buffer;
        if (!view || PyObject_GetBuffer(view, &buffer, PyBUF_C_CONTIGUOUS)) {
            Py_XDECREF(view);
            return -1;
        }
        pointer = buffer.buf; /* which the view keeps in place */
        PyBuffer_Release(&buffer);
        int is_bad = keep(s, at, view);
        Py_DECREF(view);
        if (is_bad) {
            return -1;
        }
        *(void **)at = pointer;
        return 0;
    }
    if (keep(s, at, value)) {
        return -1;
    }
    *(void **)at = pointer;
    return 0;
}

/* A Python function: the C function that calls it, and as its context the Python function. */
static int write_callback(lbpy_struct *s, const lbpy_field *f, char *at, PyObject *value) {
    char context[64];
    PyOS_snprintf(context, sizeof context, "%s_context", f->name);
    const lbpy_field *c = find_field(s->kind, context);
    c = c ? c : find_field(s->kind, "context");
    void *function = value == Py_None ? NULL : lbpy_callback_of(s->kind->name, f->name);
    if (!c || (value != Py_None && (!function || !PyCallable_Check(value)))) {
        PyErr_Format(PyExc_TypeError, "%s of %s cannot be %R", f->name, s->kind->name, value);
        return -1;
    }
    if (keep(s, at, value)) {
        return -1;
    }
    memcpy(at, &function, sizeof function);
    *(void **)(s->memory + c->offset) = value == Py_None ? NULL : value;
    return 0;
}

static int write_struct(lbpy_struct *s, const lbpy_field *f, char *at, PyObject *value) {
    void *from = lbpy_struct_memory(value, f->about);
    if (!from || keep(s, at, value)) {
        return -1;
    }
    memmove(at, from, lbpy_structs[f->about].size);
    return 0;
}

static int write_value(lbpy_struct *s, const lbpy_field *f, char *at, PyObject *value) {
    switch (f->kind) {
    case LBPY_INT: {
        long number = PyLong_AsLong(value);
        if (number == -1 && PyErr_Occurred()) {
            return -1;
        }
        if (number > INT32_MAX || number < INT32_MIN) {
            PyErr_Format(PyExc_OverflowError, "%s is too large", f->name);
            return -1;
        }
        *(int *)at = (int)number;
        return 0;
    }
    case LBPY_DOUBLE: {
        double number = PyFloat_AsDouble(value);
        if (number == -1 && PyErr_Occurred()) {
            return -1;
        }
        *(double *)at = number;
        return 0;
    }
    case LBPY_SIZE: {
        size_t number = PyLong_AsSize_t(value);
        *(size_t *)at = PyErr_Occurred() ? *(size_t *)at : number;
        return PyErr_Occurred() ? -1 : 0;
    }
    case LBPY_U64: {
        uint64_t number = PyLong_AsUnsignedLongLong(value);
        *(uint64_t *)at = PyErr_Occurred() ? *(uint64_t *)at : number;
        return PyErr_Occurred() ? -1 : 0;
    }
    case LBPY_ENUM:
        return lbpy_enum_value(f->about, value, (int *)at) ? 0 : -1;
    case LBPY_STRUCT:
        return write_struct(s, f, at, value);
    case LBPY_STRING:
        return write_string(s, f, at, value);
    case LBPY_CALLBACK:
        return write_callback(s, f, at, value);
    case LBPY_POINTER:
    case LBPY_HANDLE:
        return write_pointer(s, f, at, value);
    default:
        PyErr_Format(PyExc_AttributeError, "%s cannot be set", f->name);
        return -1;
    }
}

static int struct_set(PyObject *object, PyObject *name, PyObject *value) {
    lbpy_struct *s = (lbpy_struct *)object;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    const lbpy_field *f = text ? find_field(s->kind, text) : NULL;
    if (!f || !value || !strcmp(text, "struct_size")) {
        if (text) {
            PyErr_Format(PyExc_AttributeError, "%s has no field %s that can be set", s->kind->name, text);
        }
        return -1;
    }
    char *at = s->memory + f->offset;
    if (!f->count || f->kind == LBPY_TEXT) {
        return write_value(s, f, at, value);
    }
    Py_ssize_t count = PySequence_Size(value);
    if (count < 0) {
        return -1;
    }
    if (count > f->count || (f->kind == LBPY_DOUBLE && count != f->count)) {
        PyErr_Format(PyExc_ValueError, "%s takes %d values, not %zd", f->name, f->count, count);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        int is_bad = !item || write_value(s, f, at + (size_t)i * item_size(f), item);
        Py_XDECREF(item);
        if (is_bad) {
            return -1;
        }
    }
    return 0;
}

/* --- Lists ------------------------------------------------------------------------------------------------------ */

/* _list(field, count): copies of what a pointer field points to: structs, numbers (as bytes), or texts. */
static PyObject *struct_list(PyObject *object, PyObject *args) {
    lbpy_struct *s = (lbpy_struct *)object;
    const char *name;
    int count;
    if (!PyArg_ParseTuple(args, "si", &name, &count)) {
        return NULL;
    }
    const lbpy_field *f = find_field(s->kind, name);
    if (!f || f->kind != LBPY_POINTER || f->about < 0 || count < 0) {
        PyErr_Format(PyExc_AttributeError, "%s has no list %s", s->kind->name, name);
        return NULL;
    }
    const char *at = *(const char **)(s->memory + f->offset);
    PyObject *list = PyTuple_New(at ? count : 0);
    for (int i = 0; list && at && i < count; i++) {
        PyObject *item = lbpy_struct_copy(f->about, at + (size_t)i * lbpy_structs[f->about].size, object);
        if (!item || PyTuple_SetItem(list, i, item)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* _bytes(field, size): that many bytes of what a pointer field points to. */
static PyObject *struct_bytes(PyObject *object, PyObject *args) {
    lbpy_struct *s = (lbpy_struct *)object;
    const char *name;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "sn", &name, &size)) {
        return NULL;
    }
    const lbpy_field *f = find_field(s->kind, name);
    if (!f || f->kind != LBPY_POINTER || size < 0) {
        PyErr_Format(PyExc_AttributeError, "%s has no pointer %s", s->kind->name, name);
        return NULL;
    }
    const char *at = *(const char **)(s->memory + f->offset);
    return PyBytes_FromStringAndSize(at, at ? size : 0);
}

/* _fields(): the names of all fields. */
static PyObject *struct_fields(PyObject *object, PyObject *unused) {
    (void)unused;
    PyObject *list = PyList_New(0);
    for (const lbpy_field *f = ((lbpy_struct *)object)->kind->fields; list && f->name; f++) {
        PyObject *name = PyUnicode_FromString(f->name);
        if (!name || PyList_Append(list, name)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(name);
    }
    return list;
}

/* _size(): bytes that the struct takes. */
static PyObject *struct_size(PyObject *object, PyObject *unused) {
    (void)unused;
    return PyLong_FromSize_t(((lbpy_struct *)object)->kind->size);
}

/* _raw(): the struct's bytes. */
static PyObject *struct_raw(PyObject *object, PyObject *unused) {
    (void)unused;
    lbpy_struct *s = (lbpy_struct *)object;
    return PyBytes_FromStringAndSize(s->memory, (Py_ssize_t)s->kind->size);
}

static PyObject *struct_repr(PyObject *object) {
    return PyUnicode_FromFormat("<%s>", ((lbpy_struct *)object)->kind->name);
}

/* Struct(name): filled with its defaults. Struct(name, bytes): from raw(), or one of a list of them. */
static PyObject *struct_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    (void)type;
    const char *name, *bytes = NULL;
    Py_ssize_t size = 0;
    if (kwargs && PyDict_Size(kwargs)) {
        PyErr_SetString(PyExc_TypeError, "Struct takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "s|y#", &name, &bytes, &size)) {
        return NULL;
    }
    for (const lbpy_struct_kind *kind = lbpy_structs; kind->name; kind++) {
        if (!strcmp(kind->name, name)) {
            if (bytes && (size_t)size != kind->size) {
                PyErr_Format(PyExc_ValueError, "%s has %zd bytes, not %zd", name, (Py_ssize_t)kind->size, size);
                return NULL;
            }
            lbpy_struct *s = make(kind, NULL, NULL);
            if (s && bytes) {
                memcpy(s->memory, bytes, kind->size);
            } else if (s && kind->fill) {
                kind->fill(s->memory);
            }
            return (PyObject *)s;
        }
    }
    PyErr_Format(PyExc_ValueError, "there is no struct %s", name);
    return NULL;
}

static PyMethodDef struct_methods[] = {
    {"_list", struct_list, METH_VARARGS, NULL},    {"_bytes", struct_bytes, METH_VARARGS, NULL},
    {"_fields", struct_fields, METH_NOARGS, NULL}, {"_raw", struct_raw, METH_NOARGS, NULL},
    {"_size", struct_size, METH_NOARGS, NULL},     {NULL, NULL, 0, NULL}};

static PyType_Slot struct_slots[] = {{Py_tp_dealloc, struct_dealloc},
                                     {Py_tp_repr, struct_repr},
                                     {Py_tp_methods, struct_methods},
                                     {Py_tp_new, struct_new},
                                     {Py_tp_getattro, struct_get},
                                     {Py_tp_setattro, struct_set},
                                     {0, NULL}};

static PyType_Spec struct_spec = {"limber._limber.Struct", sizeof(lbpy_struct), 0, Py_TPFLAGS_DEFAULT, struct_slots};

int lbpy_struct_ready(PyObject *module) {
    PyObject *type = PyType_FromSpec(&struct_spec);
    struct_type = (PyTypeObject *)type;
    return !type || PyModule_AddObjectRef(module, "Struct", type);
}
