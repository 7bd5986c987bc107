/* Callbacks: Python functions where the library takes functions of C. The context that the library hands back is the Python
 * function itself. An exception stays set in its thread, and stops what called. */
#include "lbpy.h"

#include <math.h>
#include <string.h>

_Thread_local int lbpy_callback_failed;

/* Calls a Python function; NULL where it, or one before it, failed. Takes over the reference to the arguments. */
static PyObject *call(void *context, PyObject *arguments) {
    PyObject *value = arguments && !lbpy_callback_failed ? PyObject_CallObject((PyObject *)context, arguments) : NULL;
    Py_XDECREF(arguments);
    if (!value) {
        lbpy_callback_failed = 1;
    }
    return value;
}

/* warn(message, file, line) */
static void warn(void *context, const lb_error *warning) {
    PyGILState_STATE state = PyGILState_Ensure();
    if (!lbpy_callback_failed) {
        Py_XDECREF(call(context, Py_BuildValue("(NNi)", lbpy_give_string(warning->message),
                                               lbpy_give_string(warning->file), warning->line)));
    }
    PyGILState_Release(state);
}

/* warn(time, message) */
static void warn_at(void *context, double time, const char *message) {
    PyGILState_STATE state = PyGILState_Ensure();
    if (!lbpy_callback_failed) {
        Py_XDECREF(call(context, Py_BuildValue("(dN)", time, lbpy_give_string(message))));
    }
    PyGILState_Release(state);
}

/* on_frame(frame): stops where it returns something true. Signals are looked at here, too. */
static int on_frame(void *context, int frame) {
    PyGILState_STATE state = PyGILState_Ensure();
    int stops = 1;
    if (!lbpy_callback_failed) {
        PyObject *value = call(context, Py_BuildValue("(i)", frame));
        stops = !value || PyObject_IsTrue(value) != 0;
        if (value && PyErr_CheckSignals()) {
            stops = lbpy_callback_failed = 1;
        }
        Py_XDECREF(value);
    }
    PyGILState_Release(state);
    return stops;
}

/* potential(e): e has the bytes of 9 doubles, and what is returned those of 10: P and its gradient. */
static double potential(void *context, const double e[9], double gradient[9]) {
    PyGILState_STATE state = PyGILState_Ensure();
    double numbers[10] = {0};
    if (!lbpy_callback_failed) {
        PyObject *value = call(context, Py_BuildValue("(y#)", (const char *)e, (Py_ssize_t)(9 * sizeof *e)));
        char *bytes;
        Py_ssize_t size;
        if (value && !PyBytes_AsStringAndSize(value, &bytes, &size) && size == sizeof numbers) {
            memcpy(numbers, bytes, sizeof numbers);
        } else if (value) {
            PyErr_SetString(PyExc_TypeError, "a potential returns the bytes of ten numbers");
            lbpy_callback_failed = 1;
        }
        Py_XDECREF(value);
    }
    PyGILState_Release(state);
    memcpy(gradient, numbers + 1, 9 * sizeof *gradient);
    return numbers[0];
}

void *lbpy_callback_of(const char *struct_name, const char *field) {
    void *at = NULL;
    if (!strcmp(field, "warn")) {
        if (!strcmp(struct_name, "lb_player_options")) {
            void (*function)(void *, double, const char *) = warn_at;
            memcpy(&at, &function, sizeof at);
        } else {
            void (*function)(void *, const lb_error *) = warn;
            memcpy(&at, &function, sizeof at);
        }
    } else if (!strcmp(field, "on_frame")) {
        int (*function)(void *, int) = on_frame;
        memcpy(&at, &function, sizeof at);
    } else if (!strcmp(field, "potential")) {
        lb_potential function = potential;
        memcpy(&at, &function, sizeof at);
    }
    return at;
}
