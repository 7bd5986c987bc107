/*
 * The extension module limber._limber: the C library for Python.
 *
 * api.c (generated) has a wrapper for each public function and a table for each struct and enum. call.c converts arguments
 * and results, handle.c and structs.c have the two types that arguments are made of, solving.c has what must be fast or be
 * interrupted: solves; extras.c what is left. The package limber, in Python, is written on top of it.
 *
 * The module uses the stable ABI of CPython 3.11 and no more than the buffer protocol of NumPy.
 */
#ifndef LBPY_H
#define LBPY_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

#include <limber/body.h>
#include <limber/collisions.h>
#include <limber/drag.h>
#include <limber/io.h>
#include <limber/limber.h>
#include <limber/motion.h>
#include <limber/path.h>
#include <limber/servo.h>
#include <limber/solve.h>

/* --- Tables of the generated layer ------------------------------------------------------------------------------ */

typedef struct lbpy_word {
    const char *name; /* NULL ends a list */
    int value;
} lbpy_word;

typedef struct lbpy_enum {
    const char *name;
    const lbpy_word *words;
} lbpy_enum;

typedef enum lbpy_field_kind {
    LBPY_INT,
    LBPY_DOUBLE,
    LBPY_SIZE,
    LBPY_U64,
    LBPY_ENUM,
    LBPY_STRUCT,
    LBPY_TEXT,    /* an array of char inside the struct */
    LBPY_STRING,  /* const char * */
    LBPY_POINTER, /* to numbers or structs */
    LBPY_HANDLE,  /* to an object of the library */
    LBPY_CALLBACK
} lbpy_field_kind;

typedef struct lbpy_field {
    const char *name; /* NULL ends a list */
    lbpy_field_kind kind;
    size_t offset, size; /* bytes */
    int count;           /* > 0: it is an array of so many */
    int about;           /* index of the enum, struct or handle kind; -1: none */
} lbpy_field;

typedef struct lbpy_struct_kind {
    const char *name;
    size_t size;
    const lbpy_field *fields;
    void (*fill)(void *at); /* writes the defaults; NULL: zeros are the defaults */
} lbpy_struct_kind;

typedef struct lbpy_handle_kind {
    const char *name;
    void (*destroy)(void *at);
} lbpy_handle_kind;

extern const lbpy_enum lbpy_enums[];
extern const lbpy_struct_kind lbpy_structs[];
extern const lbpy_handle_kind lbpy_handles[];
extern PyMethodDef lbpy_api[];

/* --- Handles: objects of the library ---------------------------------------------------------------------------- */

typedef struct lbpy_handle {
    PyObject_HEAD void *pointer;
    int kind;        /* index into lbpy_handles */
    int is_owned;    /* 1: destroyed with the handle */
    int use;         /* > 0: so many calls without the interpreter's lock read it; -1: one changes it */
    PyObject *keeps; /* list of what must outlive it */
} lbpy_handle;

/* A new handle that keeps the objects of `keeps` (a list, whose reference is taken over; NULL: none) alive. On failure the
 * object is destroyed if it is owned. */
PyObject *lbpy_handle_make(int kind, void *pointer, int is_owned, PyObject *keeps);
/* The pointer of a handle that can be read (is_changed 0) or changed; NULL with an exception where it cannot. */
void *lbpy_handle_pointer(PyObject *object, int kind, int is_changed);
int lbpy_handle_is(PyObject *object); /* whether it is a handle */

/* --- Structs ---------------------------------------------------------------------------------------------------- */

typedef struct lbpy_struct {
    PyObject_HEAD const lbpy_struct_kind *kind;
    char *memory;
    PyObject *owner; /* of the memory; NULL: it is the struct's own */
    PyObject *keeps; /* dict: what fields point to, by the field's place */
} lbpy_struct;

/* A copy of a struct of the library, whose pointers stay valid as long as `owner`, which may be NULL. */
PyObject *lbpy_struct_copy(int kind, const void *at, PyObject *owner);
void *lbpy_struct_memory(PyObject *object, int kind); /* NULL with an exception where it is none of the kind */

/* --- Enums and errors ------------------------------------------------------------------------------------------- */

PyObject *lbpy_enum_word(int which, int value);               /* its short name, or the number where it has none */
int lbpy_enum_value(int which, PyObject *object, int *value); /* 0: failed, with an exception */

/* Raises what limber.errors.make makes of it. error may be NULL. Always returns NULL. */
PyObject *lbpy_raise(lb_status status, const lb_error *error);
PyObject *lbpy_raise_text(lb_status status, const char *message);

/* --- Calls ------------------------------------------------------------------------------------------------------ */

#define LBPY_MOST 12

typedef struct lbpy_call {
    const char *name;
    PyObject *const *arguments;
    int count, next;
    int is_failed; /* an exception is set */
    int buffer_count;
    Py_buffer buffers[LBPY_MOST];
    int handle_count;
    lbpy_handle *handles[LBPY_MOST];
    int changes[LBPY_MOST];
    size_t size;           /* bytes of the last buffer */
    PyThreadState *thread; /* not NULL: the interpreter's lock was given back */
    lb_error error;
} lbpy_call;

void lbpy_begin(lbpy_call *c, const char *name, PyObject *const *arguments, Py_ssize_t count, int wanted);
int lbpy_take_int(lbpy_call *c);
double lbpy_take_double(lbpy_call *c);
size_t lbpy_take_size(lbpy_call *c);
uint64_t lbpy_take_u64(lbpy_call *c);
int lbpy_take_enum(lbpy_call *c, int which);
const char *lbpy_take_string(lbpy_call *c);
void *lbpy_take_handle(lbpy_call *c, int kind, int is_changed);
void *lbpy_take_struct(lbpy_call *c, int kind, int is_changed);
void *lbpy_take_buffer(lbpy_call *c, int is_changed);
/* Whether all arguments could be read. A long call gives the interpreter's lock back until lbpy_done. */
int lbpy_ready(lbpy_call *c, int is_long);
void lbpy_done(lbpy_call *c);
PyObject *lbpy_give_nothing(void);
PyObject *lbpy_give_status(lbpy_call *c, lb_status status, const lb_error *error);
PyObject *lbpy_give_index(lbpy_call *c, int index, const lb_error *error);
PyObject *lbpy_give_enum(int which, int value);
PyObject *lbpy_give_string(const char *text);
PyObject *lbpy_give_struct(lbpy_call *c, int kind, const void *at);
PyObject *lbpy_give_handle(lbpy_call *c, int kind, void *pointer, int is_owned, const lb_error *error);
PyObject *lbpy_add_handle(lbpy_call *c, PyObject *value, int kind, void *pointer);
PyObject *lbpy_add_text(PyObject *value, char *text, size_t size, int is_bytes);
PyObject *lbpy_end(lbpy_call *c, PyObject *value);

/* --- Callbacks: Python functions where the library takes functions -------------------------------------------------- */

/* Whether a Python function that the library called in this thread failed: its exception is set, and what runs should stop. */
extern _Thread_local int lbpy_callback_failed;
/* The function that a struct's field of this name is given; NULL: Python functions cannot be given there. */
void *lbpy_callback_of(const char *struct_name, const char *field);

/* --- The parts of the module ------------------------------------------------------------------------------------ */

int lbpy_handle_ready(PyObject *module);
int lbpy_struct_ready(PyObject *module);
int lbpy_engine_ready(PyObject *module);
extern PyMethodDef lbpy_solving[], lbpy_extras[];
int lbpy_kind_of_handle(const char *name);
int lbpy_kind_of_struct(const char *name);
/* Whether an array has so many bytes; 0 with an exception that names it. */
int lbpy_has_room(const Py_buffer *b, Py_ssize_t bytes, const char *what);

#endif
