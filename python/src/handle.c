/* Handles: Python objects that hold an object of the library, and keep alive what it needs. */
#include "lbpy.h"

static PyTypeObject *handle_type;

static void handle_dealloc(PyObject *object) {
    lbpy_handle *h = (lbpy_handle *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (h->pointer && h->is_owned) {
        lbpy_handles[h->kind].destroy(h->pointer);
    }
    h->pointer = NULL;
    Py_CLEAR(h->keeps);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *handle_repr(PyObject *object) {
    lbpy_handle *h = (lbpy_handle *)object;
    return PyUnicode_FromFormat("<%s at %p>", lbpy_handles[h->kind].name, h->pointer);
}

/* keep(object): keeps it alive as long as this one. */
static PyObject *handle_keep(PyObject *object, PyObject *other) {
    lbpy_handle *h = (lbpy_handle *)object;
    if (!h->keeps) {
        h->keeps = PyList_New(0);
    }
    if (!h->keeps || PyList_Append(h->keeps, other)) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* same(other): whether both hold the same object of the library. */
static PyObject *handle_same(PyObject *object, PyObject *other) {
    return PyBool_FromLong(lbpy_handle_is(other) &&
                           ((lbpy_handle *)other)->pointer == ((lbpy_handle *)object)->pointer);
}

static PyMethodDef handle_methods[] = {
    {"keep", handle_keep, METH_O, NULL}, {"same", handle_same, METH_O, NULL}, {NULL, NULL, 0, NULL}};

static PyObject *handle_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    (void)type;
    (void)args;
    (void)kwargs;
    PyErr_SetString(PyExc_TypeError, "handles are made by the functions of the library");
    return NULL;
}

static PyType_Slot handle_slots[] = {{Py_tp_dealloc, handle_dealloc},
                                     {Py_tp_repr, handle_repr},
                                     {Py_tp_methods, handle_methods},
                                     {Py_tp_new, handle_new},
                                     {0, NULL}};

static PyType_Spec handle_spec = {"limber._limber.Handle", sizeof(lbpy_handle), 0, Py_TPFLAGS_DEFAULT, handle_slots};

int lbpy_handle_ready(PyObject *module) {
    PyObject *type = PyType_FromSpec(&handle_spec);
    handle_type = (PyTypeObject *)type;
    return !type || PyModule_AddObjectRef(module, "Handle", type);
}

int lbpy_handle_is(PyObject *object) { return Py_IS_TYPE(object, handle_type); }

PyObject *lbpy_handle_make(int kind, void *pointer, int is_owned, PyObject *keeps) {
    allocfunc allocate = (allocfunc)PyType_GetSlot(handle_type, Py_tp_alloc);
    lbpy_handle *h = (lbpy_handle *)allocate(handle_type, 0);
    if (!h) {
        if (is_owned) {
            lbpy_handles[kind].destroy(pointer);
        }
        Py_XDECREF(keeps);
        return NULL;
    }
    h->pointer = pointer;
    h->kind = kind;
    h->is_owned = is_owned;
    h->use = 0;
    h->keeps = keeps;
    return (PyObject *)h;
}

void *lbpy_handle_pointer(PyObject *object, int kind, int is_changed) {
    if (!lbpy_handle_is(object) || ((lbpy_handle *)object)->kind != kind) {
        PyErr_Format(PyExc_TypeError, "this must be an %s, not %R", lbpy_handles[kind].name, object);
        return NULL;
    }
    lbpy_handle *h = (lbpy_handle *)object;
    if (h->use < 0 || (is_changed && h->use > 0)) {
        PyErr_SetString(PyExc_RuntimeError, "another thread uses this object: give each thread its own, or take turns");
        return NULL;
    }
    return h->pointer;
}
