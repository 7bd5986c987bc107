/* Solving: what must be fast, and what Ctrl-C must be able to stop. */
#include "lbpy.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#define LOOK_US 10e3 /* signals are looked at so often; well below the 50 ms in which Ctrl-C has to act */

static double now_us(void *unused) {
    (void)unused;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int kind_of_handle(const char *name) {
    int i = 0;
    while (strcmp(lbpy_handles[i].name, name)) {
        i++;
    }
    return i;
}

static int kind_of_struct(const char *name) {
    int i = 0;
    while (strcmp(lbpy_structs[i].name, name)) {
        i++;
    }
    return i;
}

static int kind_of_enum(const char *name) {
    int i = 0;
    while (strcmp(lbpy_enums[i].name, name)) {
        i++;
    }
    return i;
}

static int problem_kind, solver_kind, options_kind, result_kind;
static PyObject *outcome_words[8], *engine_words[16];

/* --- Watching --------------------------------------------------------------------------------------------------- */

#define NO_DEADLINE_US 1e15 /* far enough that no solve meets it; with a deadline the library looks at the clock */
#define STOP_US 1e300       /* a time after all deadlines */

typedef struct watch {
    PyThreadState *thread; /* that gave the interpreter's lock back */
    double look_us;        /* when signals are looked at next */
    PyObject *told;        /* a Python function that is told of iterations; NULL: none */
} watch;

/* The clock of a solve, which the library looks at often. Signals are looked at in passing: the time after a handler has
 * raised an exception, or a goal's function has, is after the deadline. (on_iteration would cost as much as a solve.) */
static double watching_us(void *context) {
    watch *w = context;
    const double now = now_us(NULL);
    if (!lbpy_callback_failed && now >= w->look_us) {
        PyEval_RestoreThread(w->thread);
        lbpy_callback_failed = PyErr_CheckSignals() != 0;
        w->look_us = now + LOOK_US;
        w->thread = PyEval_SaveThread();
    }
    return lbpy_callback_failed ? STOP_US : now;
}

/* Tells the caller's function. */
static int on_iteration(void *context, const lb_progress *progress) {
    watch *w = context;
    if (lbpy_callback_failed) {
        return 1;
    }
    PyEval_RestoreThread(w->thread);
    PyObject *value = PyObject_CallFunction(w->told, "iiid", progress->iteration, progress->evaluations,
                                            progress->restart, progress->value);
    int stops = !value || PyObject_IsTrue(value) != 0;
    Py_XDECREF(value);
    lbpy_callback_failed = PyErr_Occurred() != NULL;
    w->thread = PyEval_SaveThread();
    return stops;
}

/* --- Engines: a problem with its solver, kept ---------------------------------------------------------------------- */

typedef struct engine {
    PyObject_HEAD lbpy_handle *problem, *solver;
    PyObject *options_struct; /* an lb_solve_options, whose memory `options` shares */
    PyObject *told;           /* None, or a function that is told of iterations */
    lb_result result;
    int id_count, ids[64]; /* constraints whose goals move_solve moves */
    int variables;
} engine;

static PyTypeObject *engine_type;

static void engine_dealloc(PyObject *object) {
    engine *e = (engine *)object;
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF((PyObject *)e->solver);
    Py_XDECREF((PyObject *)e->problem);
    Py_XDECREF(e->options_struct);
    Py_XDECREF(e->told);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static int read_ids(engine *e, PyObject *ids) {
    Py_ssize_t count = PySequence_Size(ids);
    if (count < 0 || count > 64) {
        PyErr_SetString(PyExc_ValueError, "at most 64 goals can be moved at a time");
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *id = PySequence_GetItem(ids, i);
        long number = id ? PyLong_AsLong(id) : -1;
        Py_XDECREF(id);
        if (PyErr_Occurred()) {
            return -1;
        }
        e->ids[i] = (int)number;
    }
    e->id_count = (int)count;
    return 0;
}

/* Engine(problem, options, ids, on_iteration) */
static PyObject *engine_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *problem, *options, *ids, *told;
    if ((kwargs && PyDict_Size(kwargs)) || !PyArg_ParseTuple(args, "OOOO", &problem, &options, &ids, &told)) {
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "Engine takes no keywords");
    }
    lb_problem *p = lbpy_handle_pointer(problem, problem_kind, 0);
    if (!p || !lbpy_struct_memory(options, options_kind)) {
        return NULL;
    }
    lb_error error;
    lb_solver *solver = lb_solver_create(p, &error);
    if (!solver) {
        return lbpy_raise(error.status, &error);
    }
    PyObject *keeps = PyList_New(1);
    if (!keeps) {
        lb_solver_destroy(solver);
        return NULL;
    }
    Py_INCREF(problem);
    PyList_SetItem(keeps, 0, problem);
    PyObject *handle = lbpy_handle_make(solver_kind, solver, 1, keeps);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    engine *e = handle ? (engine *)allocate(type, 0) : NULL;
    if (!e) {
        Py_XDECREF(handle);
        return NULL;
    }
    Py_INCREF(problem);
    Py_INCREF(options);
    Py_INCREF(told);
    e->problem = (lbpy_handle *)problem;
    e->solver = (lbpy_handle *)handle;
    e->options_struct = options;
    e->told = told;
    e->variables = lb_problem_variable_count(p);
    lb_result_defaults(&e->result);
    if (read_ids(e, ids)) {
        Py_DECREF(e);
        return NULL;
    }
    return (PyObject *)e;
}

static PyObject *bytes_of(const void *list, size_t size, int count) {
    return PyBytes_FromStringAndSize(list, list ? (Py_ssize_t)size * count : 0);
}

/* The numbers of a result as a tuple: the fields of limber.Solution behind the pose and the problem. The lists come as bytes,
 * to be read when somebody asks. */
static PyObject *tell_result(engine *e) {
    const lb_result *r = &e->result;
    PyObject *outcome = outcome_words[r->outcome & 7], *name = engine_words[r->engine & 15];
    Py_INCREF(outcome);
    Py_INCREF(name);
    PyObject *items[] = {outcome,
                         lbpy_give_string(r->explanation),
                         PyFloat_FromDouble(r->value),
                         PyFloat_FromDouble(r->value_before),
                         PyFloat_FromDouble(r->wish_value),
                         PyFloat_FromDouble(r->gradient_norm),
                         PyLong_FromLong(r->iterations),
                         PyLong_FromLong(r->evaluations),
                         PyLong_FromLong(r->restarts),
                         name,
                         bytes_of(r->constraints, sizeof *r->constraints, r->constraint_count),
                         bytes_of(r->limits, sizeof *r->limits, r->limit_count),
                         bytes_of(r->levels, sizeof *r->levels, r->level_count)};
    const int count = (int)(sizeof items / sizeof *items);
    PyObject *tuple = PyTuple_New(count);
    int is_whole = tuple != NULL;
    for (int i = 0; i < count; i++) {
        is_whole = is_whole && items[i];
        if (tuple) {
            PyTuple_SetItem(tuple, i, items[i]);
        } else {
            Py_XDECREF(items[i]);
        }
    }
    if (!is_whole) {
        Py_CLEAR(tuple);
    }
    return tuple;
}

/* What a solve runs with: a pose, and marks that nobody else changes the problem or uses the solver. */
typedef struct run {
    Py_buffer pose;
    watch watch;
    lb_solve_options options;
} run;

static int is_pose(const Py_buffer *b, int count) {
    return b->ndim == 1 && b->itemsize == (Py_ssize_t)sizeof(double) && b->len == (Py_ssize_t)sizeof(double) * count &&
           b->format && b->format[0] == 'd' && !b->format[1];
}

static int begin(engine *e, PyObject *pose, run *r) {
    if (!lbpy_handle_pointer((PyObject *)e->solver, solver_kind, 1) ||
        !lbpy_handle_pointer((PyObject *)e->problem, problem_kind, 0)) {
        return -1;
    }
    if (lb_problem_variable_count(e->problem->pointer) != e->variables) {
        e->variables = lb_problem_variable_count(e->problem->pointer);
    }
    if (PyObject_GetBuffer(pose, &r->pose, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE | PyBUF_FORMAT)) {
        return -1;
    }
    if (!is_pose(&r->pose, e->variables)) {
        PyBuffer_Release(&r->pose);
        PyErr_Format(PyExc_ValueError, "a pose of this problem is an array of %d doubles", e->variables);
        return -1;
    }
    r->options = *(lb_solve_options *)((lbpy_struct *)e->options_struct)->memory;
    r->options.now_us = watching_us;
    r->options.now_context = &r->watch;
    if (r->options.deadline_us == 0) {
        r->options.deadline_us = NO_DEADLINE_US;
    }
    e->solver->use = -1;
    e->problem->use++;
    lbpy_callback_failed = 0;
    r->watch.told = e->told == Py_None ? NULL : e->told;
    r->options.on_iteration = r->watch.told ? on_iteration : NULL;
    r->options.on_iteration_context = &r->watch;
    r->watch.look_us = now_us(NULL) + LOOK_US;
    r->watch.thread = PyEval_SaveThread();
    return 0;
}

static int end(engine *e, run *r, lb_status status) {
    PyEval_RestoreThread(r->watch.thread);
    e->solver->use = 0;
    e->problem->use--;
    PyBuffer_Release(&r->pose);
    if (PyErr_Occurred()) {
        return -1;
    }
    if (status < 0) {
        lbpy_raise_text(status, e->result.explanation[0] ? e->result.explanation : lb_status_text(status));
        return -1;
    }
    return 0;
}

/* solve(pose): from the pose to the answer, in place. */
static PyObject *engine_solve(PyObject *object, PyObject *pose) {
    engine *e = (engine *)object;
    run r;
    e->result.explanation[0] = 0;
    if (begin(e, pose, &r)) {
        return NULL;
    }
    lb_status status = lb_solver_solve(e->solver->pointer, &r.options, r.pose.buf, &e->result);
    return end(e, &r, status) ? NULL : tell_result(e);
}

/* move(frames): moves the engine's goals to frames[ids][7]. */
static PyObject *engine_move(PyObject *object, PyObject *frames) {
    engine *e = (engine *)object;
    lb_problem *problem = lbpy_handle_pointer((PyObject *)e->problem, problem_kind, 1);
    Py_buffer b;
    if (!problem || PyObject_GetBuffer(frames, &b, PyBUF_C_CONTIGUOUS)) {
        return NULL;
    }
    lb_status status = LB_OK;
    if (b.len < (Py_ssize_t)sizeof(lb_frame) * e->id_count) {
        PyErr_SetString(PyExc_ValueError, "a frame for each goal is needed");
    }
    for (int i = 0; i < e->id_count && !status && !PyErr_Occurred(); i++) {
        status = lb_problem_move_goal(problem, e->ids[i], (const lb_frame *)b.buf + i);
    }
    PyBuffer_Release(&b);
    if (status) {
        lbpy_raise(status, lb_problem_error(problem));
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* move_solve(frames, pose): both. */
static PyObject *engine_move_solve(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
    if (count != 2) {
        return PyErr_Format(PyExc_TypeError, "move_solve takes frames and a pose");
    }
    PyObject *moved = engine_move(object, arguments[0]);
    if (!moved) {
        return NULL;
    }
    Py_DECREF(moved);
    return engine_solve(object, arguments[1]);
}

/* explain(pose): the result again, with the reasons and the freedom. */
static PyObject *engine_explain(PyObject *object, PyObject *pose) {
    engine *e = (engine *)object;
    run r;
    if (begin(e, pose, &r)) {
        return NULL;
    }
    lb_status status = lb_solver_explain(e->solver->pointer, &r.options, r.pose.buf, &e->result);
    return end(e, &r, status) ? NULL : tell_result(e);
}

/* solve_all(start, apart, wanted, poses): the number of answers, and the result. */
static PyObject *engine_solve_all(PyObject *object, PyObject *args) {
    engine *e = (engine *)object;
    PyObject *start, *poses;
    double apart;
    int wanted;
    Py_buffer out;
    run r;
    if (!PyArg_ParseTuple(args, "OdiO", &start, &apart, &wanted, &poses) ||
        PyObject_GetBuffer(poses, &out, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE | PyBUF_FORMAT)) {
        return NULL;
    }
    e->result.explanation[0] = 0;
    int is_bad = wanted < 0 || out.len != (Py_ssize_t)sizeof(double) * wanted * e->variables;
    if (is_bad) {
        PyErr_SetString(PyExc_ValueError, "there is no room for so many answers");
    }
    if (is_bad || begin(e, start, &r)) {
        PyBuffer_Release(&out);
        return NULL;
    }
    lb_status status =
        lb_solver_solve_all(e->solver->pointer, &r.options, r.pose.buf, apart, wanted, out.buf, &e->result);
    PyBuffer_Release(&out);
    return end(e, &r, status) ? NULL : Py_BuildValue("(iN)", e->result.answer_count, tell_result(e));
}

/* result(): the whole lb_result; its lists are valid until the next solve. */
static PyObject *engine_result(PyObject *object, PyObject *unused) {
    (void)unused;
    engine *e = (engine *)object;
    return lbpy_struct_copy(result_kind, &e->result, (PyObject *)e->solver);
}

/* solver(): the handle of the solver. */
static PyObject *engine_solver(PyObject *object, PyObject *unused) {
    (void)unused;
    PyObject *solver = (PyObject *)((engine *)object)->solver;
    Py_INCREF(solver);
    return solver;
}

static PyMethodDef engine_methods[] = {
    {"solve", engine_solve, METH_O, NULL},
    {"move", engine_move, METH_O, NULL},
    {"move_solve", (PyCFunction)(void (*)(void))engine_move_solve, METH_FASTCALL, NULL},
    {"explain", engine_explain, METH_O, NULL},
    {"solve_all", engine_solve_all, METH_VARARGS, NULL},
    {"result", engine_result, METH_NOARGS, NULL},
    {"solver", engine_solver, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyType_Slot engine_slots[] = {
    {Py_tp_dealloc, engine_dealloc}, {Py_tp_methods, engine_methods}, {Py_tp_new, engine_new}, {0, NULL}};

static PyType_Spec engine_spec = {"limber._limber.Engine", sizeof(engine), 0, Py_TPFLAGS_DEFAULT, engine_slots};

/* --- Many problems ---------------------------------------------------------------------------------------------- */

/* A batch, which a thread of its own solves while the caller's waits for it and for signals. */
typedef struct batch {
    const lb_problem *problem;
    lb_solve_options options;
    lb_many many;
    double *poses;
    lb_answer *answers;
    lb_error error;
    lb_status status;
    lb_cancel cancel;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int is_done;
} batch;

static void *run_batch(void *context) {
    batch *b = context;
    b->status = lb_solve_many(b->problem, &b->options, &b->many, b->poses, b->answers, &b->error);
    pthread_mutex_lock(&b->lock);
    b->is_done = 1;
    pthread_cond_signal(&b->ended);
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* Waits for the end of a batch, at most LOOK_US; whether it came. */
static int wait_for(batch *b) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(LOOK_US * 1e3);
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&b->lock);
    int code = 0;
    while (!b->is_done && !code) {
        code = pthread_cond_timedwait(&b->ended, &b->lock, &until);
    }
    int is_done = b->is_done;
    pthread_mutex_unlock(&b->lock);
    return is_done;
}

/* Solves a batch without the interpreter's lock; -1 with an exception where a signal's handler raised one. */
static int solve_batch(batch *b) {
    pthread_t thread;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->ended, NULL);
    lb_cancel_clear(&b->cancel);
    b->options.cancel = &b->cancel;
    b->options.now_us = now_us;
    PyThreadState *state = PyEval_SaveThread();
    int is_apart = !pthread_create(&thread, NULL, run_batch, b);
    if (!is_apart) {
        run_batch(b);
    }
    int is_interrupted = 0;
    while (is_apart && !wait_for(b)) {
        PyEval_RestoreThread(state);
        if (!is_interrupted && PyErr_CheckSignals()) {
            is_interrupted = 1;
            lb_cancel_request(&b->cancel);
        }
        state = PyEval_SaveThread();
    }
    if (is_apart) {
        pthread_join(thread, NULL);
    }
    PyEval_RestoreThread(state);
    pthread_cond_destroy(&b->ended);
    pthread_mutex_destroy(&b->lock);
    return is_interrupted || PyErr_Occurred() ? -1 : 0;
}

static int has_room(const Py_buffer *b, Py_ssize_t bytes, const char *what) {
    if (b->len != bytes) {
        PyErr_Format(PyExc_ValueError, "%s has %zd bytes, not %zd", what, b->len, bytes);
    }
    return b->len == bytes;
}

/* solve_many(problem, options, count, ids, goals, starts, one_start, threads, poses, answers) */
static PyObject *solve_many(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *problem, *options, *arrays[5];
    int count, one_start, threads;
    Py_buffer buffers[5] = {{0}};
    if (!PyArg_ParseTuple(args, "OOiOOOiiOO", &problem, &options, &count, &arrays[0], &arrays[1], &arrays[2],
                          &one_start, &threads, &arrays[3], &arrays[4])) {
        return NULL;
    }
    batch b;
    b.problem = lbpy_handle_pointer(problem, problem_kind, 0);
    const lb_solve_options *given = b.problem ? lbpy_struct_memory(options, options_kind) : NULL;
    int is_ready = given != NULL, opened = 0;
    for (; is_ready && opened < 5; opened++) {
        is_ready = !PyObject_GetBuffer(arrays[opened], &buffers[opened],
                                       PyBUF_C_CONTIGUOUS | (opened > 2 ? PyBUF_WRITABLE : 0));
        if (!is_ready) {
            break;
        }
    }
    if (is_ready) {
        const Py_ssize_t n = lb_problem_variable_count(b.problem), goals = buffers[0].len / (Py_ssize_t)sizeof(int);
        is_ready = count >= 0 && has_room(&buffers[1], (Py_ssize_t)sizeof(lb_frame) * count * goals, "goals") &&
                   has_room(&buffers[2], (Py_ssize_t)sizeof(double) * n * (one_start ? 1 : count), "starts") &&
                   has_room(&buffers[3], (Py_ssize_t)sizeof(double) * n * count, "poses") &&
                   has_room(&buffers[4], (Py_ssize_t)sizeof(lb_answer) * count, "answers");
        lb_many_defaults(&b.many);
        b.many.count = count;
        b.many.goal_count = (int)goals;
        b.many.ids = buffers[0].buf;
        b.many.goals = buffers[1].buf;
        b.many.starts = buffers[2].buf;
        b.many.one_start = one_start;
        b.many.threads = threads;
    }
    if (is_ready) {
        b.options = *given;
        b.poses = buffers[3].buf;
        b.answers = buffers[4].buf;
        b.is_done = 0;
        ((lbpy_handle *)problem)->use++;
        is_ready = !solve_batch(&b);
        ((lbpy_handle *)problem)->use--;
        if (is_ready && b.status < 0) {
            lbpy_raise(b.status, &b.error);
            is_ready = 0;
        }
    }
    for (int i = 0; i < opened; i++) {
        PyBuffer_Release(&buffers[i]);
    }
    if (!is_ready) {
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "solve_many: the arrays do not fit");
    }
    Py_RETURN_NONE;
}

/* --- Frames ----------------------------------------------------------------------------------------------------- */

static double at(const Py_buffer *b, Py_ssize_t i, Py_ssize_t k) {
    double value;
    memcpy(&value, (const char *)b->buf + i * b->strides[0] + (b->ndim > 1 ? k * b->strides[1] : 0), sizeof value);
    return value;
}

/* Whether the upper left of a matrix is a rotation, nearly, and its last row that of a rigid motion. */
static int is_rigid(const double m[16]) {
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double dot = m[i] * m[k] + m[4 + i] * m[4 + k] + m[8 + i] * m[8 + k] - (i == k);
            if (!(fabs(dot) < 1e-3)) {
                return 0;
            }
        }
    }
    double det =
        m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
    return det > 0 && fabs(m[12]) < 1e-9 && fabs(m[13]) < 1e-9 && fabs(m[14]) < 1e-9 && fabs(m[15] - 1) < 1e-9;
}

static int frame_from_matrix(const double m[16], double frame[7]) {
    if (!is_rigid(m)) {
        PyErr_SetString(PyExc_ValueError,
                        "this 4x4 matrix is no rigid motion: a rotation, a position, and below them 0, 0, 0, 1");
        return -1;
    }
    const double rotation[9] = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]};
    frame[0] = m[3];
    frame[1] = m[7];
    frame[2] = m[11];
    lb_rotation_from_matrix(rotation, frame + 3);
    return 0;
}

static int frame_from_seven(const double v[7], double frame[7]) {
    double length = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
    if (!(fabs(length - 1) < 1e-3)) {
        PyErr_SetString(PyExc_ValueError, "a quaternion x, y, z, w has to have length 1");
        return -1;
    }
    memcpy(frame, v, 7 * sizeof *v); /* the bits that a batch would have, which the library normalises */
    return 0;
}

/* read_goal(object, frames, index): what an array says is written to frames[index]. 1: a position, 2: a frame, 0: something
 * else. */
static PyObject *read_goal(PyObject *module, PyObject *const *a, Py_ssize_t count) {
    (void)module;
    Py_buffer b, out;
    if (count != 3) {
        return PyErr_Format(PyExc_TypeError, "read_goal takes an object, frames and an index");
    }
    Py_ssize_t index = PyLong_AsSsize_t(a[2]);
    if (PyErr_Occurred() || !PyObject_CheckBuffer(a[0])) {
        return PyErr_Occurred() ? NULL : PyLong_FromLong(0);
    }
    if (PyObject_GetBuffer(a[0], &b, PyBUF_STRIDES | PyBUF_FORMAT)) {
        PyErr_Clear();
        return PyLong_FromLong(0);
    }
    int is_double = b.itemsize == (Py_ssize_t)sizeof(double) && b.format && b.format[0] == 'd' && !b.format[1];
    int found = 0;
    double m[16], frame[7] = {0, 0, 0, 0, 0, 0, 1};
    if (is_double && b.ndim == 1 && (b.shape[0] == 3 || b.shape[0] == 7)) {
        for (Py_ssize_t i = 0; i < b.shape[0]; i++) {
            m[i] = at(&b, i, 0);
        }
        found = b.shape[0] == 3 ? 1 : 2;
        if (found == 1) {
            memcpy(frame, m, 3 * sizeof *m);
        } else {
            frame_from_seven(m, frame);
        }
    } else if (is_double && b.ndim == 2 && b.shape[0] == 4 && b.shape[1] == 4) {
        for (int i = 0; i < 16; i++) {
            m[i] = at(&b, i / 4, i % 4);
        }
        found = 2;
        frame_from_matrix(m, frame);
    }
    PyBuffer_Release(&b);
    if (found && !PyErr_Occurred() && !PyObject_GetBuffer(a[1], &out, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)) {
        if (index < 0 || (index + 1) * (Py_ssize_t)sizeof frame > out.len) {
            PyErr_SetString(PyExc_IndexError, "there is no room for this frame");
        } else {
            memcpy((char *)out.buf + index * (Py_ssize_t)sizeof frame, frame, sizeof frame);
        }
        PyBuffer_Release(&out);
    }
    return PyErr_Occurred() ? NULL : PyLong_FromLong(found);
}

/* frames_from_matrices(matrices, frames): [N][4][4] to [N][7]. */
static PyObject *frames_from_matrices(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer from, to;
    if (!PyArg_ParseTuple(args, "y*w*", &from, &to)) {
        return NULL;
    }
    Py_ssize_t count = from.len / (Py_ssize_t)(16 * sizeof(double));
    if (to.len != count * (Py_ssize_t)(7 * sizeof(double)) || from.len % (Py_ssize_t)(16 * sizeof(double))) {
        PyErr_SetString(PyExc_ValueError, "there must be room for a frame for each matrix");
    }
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++) {
        double *frame = (double *)to.buf + 7 * i;
        const double *m = (const double *)from.buf + 16 * i;
        int is_finite = 1;
        for (int k = 0; k < 16; k++) {
            is_finite = is_finite && isfinite(m[k]);
        }
        if (!is_finite) { /* the answer will say so */
            for (int k = 0; k < 7; k++) {
                frame[k] = NAN;
            }
        } else if (frame_from_matrix(m, frame)) {
            PyErr_Format(PyExc_ValueError,
                         "matrix %zd is no rigid motion: a rotation, a position, and below 0, 0, 0, 1", i);
        }
    }
    PyBuffer_Release(&from);
    PyBuffer_Release(&to);
    if (PyErr_Occurred()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* --- What has no place elsewhere -------------------------------------------------------------------------------- */

/* clip_poses(clip, poses, is_written): copies all poses of a clip to an array, or an array to them. */
static PyObject *clip_poses(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *clip, *poses;
    int is_written;
    Py_buffer b;
    if (!PyArg_ParseTuple(args, "OOp", &clip, &poses, &is_written)) {
        return NULL;
    }
    lb_clip *c = lbpy_handle_pointer(clip, kind_of_handle("lb_clip"), is_written);
    if (!c || PyObject_GetBuffer(poses, &b, PyBUF_C_CONTIGUOUS | (is_written ? 0 : PyBUF_WRITABLE))) {
        return NULL;
    }
    const size_t n = (size_t)lb_figure_variable_count(lb_clip_figure(c));
    const int frames = lb_clip_frame_count(c);
    if (has_room(&b, (Py_ssize_t)(sizeof(double) * n) * frames, "poses")) {
        for (int i = 0; i < frames && n > 0; i++) {
            double *mine = (double *)b.buf + (size_t)i * n;
            memcpy(is_written ? lb_clip_pose(c, i) : mine, is_written ? mine : lb_clip_pose(c, i), n * sizeof *mine);
        }
    }
    PyBuffer_Release(&b);
    if (PyErr_Occurred()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* The pointers of handles and buffers for lb_scene; freed by close_scene. */
typedef struct scene {
    lb_scene told;
    int opened;
    Py_buffer *poses;
} scene;

static void close_scene(scene *s) {
    for (int i = 0; i < s->opened; i++) {
        PyBuffer_Release(&s->poses[i]);
    }
    PyMem_Free(s->poses);
    PyMem_Free((void *)(uintptr_t)s->told.figures);
    PyMem_Free((void *)(uintptr_t)s->told.poses);
}

static int open_scene(scene *s, PyObject *figures, PyObject *poses) {
    memset(s, 0, sizeof *s);
    Py_ssize_t count = PySequence_Size(figures);
    if (count < 0 || PySequence_Size(poses) != count) {
        PyErr_SetString(PyExc_ValueError, "each figure has to have a pose");
        return -1;
    }
    const lb_figure **list = PyMem_Calloc((size_t)count + 1, sizeof *list);
    const double **at_poses = PyMem_Calloc((size_t)count + 1, sizeof *at_poses);
    s->poses = PyMem_Calloc((size_t)count + 1, sizeof *s->poses);
    s->told.figure_count = (int)count;
    s->told.figures = list;
    s->told.poses = at_poses;
    int is_bad = !list || !at_poses || !s->poses;
    for (Py_ssize_t i = 0; i < count && !is_bad; i++) {
        PyObject *figure = PySequence_GetItem(figures, i), *pose = PySequence_GetItem(poses, i);
        list[i] = figure ? lbpy_handle_pointer(figure, kind_of_handle("lb_figure"), 0) : NULL;
        is_bad = !list[i] || !pose || PyObject_GetBuffer(pose, &s->poses[i], PyBUF_C_CONTIGUOUS);
        if (!is_bad) {
            at_poses[i] = s->poses[i].buf;
            s->opened++;
            is_bad = !has_room(&s->poses[i], (Py_ssize_t)sizeof(double) * lb_figure_variable_count(list[i]), "a pose");
        }
        Py_XDECREF(figure);
        Py_XDECREF(pose);
    }
    return is_bad ? -1 : 0;
}

/* scene_render(figures, poses, markers, marker_count, path, options) */
static PyObject *scene_render(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *figures, *poses, *options;
    Py_buffer markers;
    int marker_count;
    const char *path;
    if (!PyArg_ParseTuple(args, "OOy*isO", &figures, &poses, &markers, &marker_count, &path, &options)) {
        return NULL;
    }
    scene s;
    lb_error error;
    lb_status status = LB_OK;
    const lb_render_options *given = lbpy_struct_memory(options, kind_of_struct("lb_render_options"));
    int is_ready = !open_scene(&s, figures, poses) && given &&
                   has_room(&markers, (Py_ssize_t)sizeof(lb_marker) * marker_count, "markers");
    if (is_ready) {
        s.told.marker_count = marker_count;
        s.told.markers = markers.buf;
        PyThreadState *state = PyEval_SaveThread();
        status = lb_scene_render(&s.told, path, given, &error);
        PyEval_RestoreThread(state);
    }
    close_scene(&s);
    PyBuffer_Release(&markers);
    if (status) {
        lbpy_raise(status, &error);
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* file_start(problem_file): the start pose as bytes. */
static PyObject *file_start(PyObject *module, PyObject *file) {
    (void)module;
    lb_problem_file *f = lbpy_handle_pointer(file, kind_of_handle("lb_problem_file"), 0);
    if (!f) {
        return NULL;
    }
    int count = lb_problem_variable_count(lb_problem_file_problem(f));
    return PyBytes_FromStringAndSize((const char *)lb_problem_file_start(f), (Py_ssize_t)sizeof(double) * count);
}

/* human_names(figure): a name or None for each segment. */
static PyObject *human_names(PyObject *module, PyObject *figure) {
    (void)module;
    lb_figure *f = lbpy_handle_pointer(figure, kind_of_handle("lb_figure"), 0);
    if (!f) {
        return NULL;
    }
    int count = lb_figure_segment_count(f);
    const char **names = PyMem_Calloc((size_t)count + 1, sizeof *names);
    if (!names) {
        return PyErr_NoMemory();
    }
    int status = lb_figure_human_names(f, names);
    PyObject *list = status < 0 ? lbpy_raise((lb_status)status, NULL) : PyList_New(count);
    for (int i = 0; list && i < count; i++) {
        PyList_SetItem(list, i, lbpy_give_string(names[i]));
    }
    PyMem_Free(names);
    return list;
}

/* layout(struct): its size, and (name, 'i' | 'd' | other, offset, count) of each field. */
static PyObject *layout(PyObject *module, PyObject *name) {
    (void)module;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    for (const lbpy_struct_kind *kind = lbpy_structs; text && kind->name; kind++) {
        if (strcmp(kind->name, text)) {
            continue;
        }
        PyObject *list = PyList_New(0);
        for (const lbpy_field *f = kind->fields; list && f->name; f++) {
            const char *letter = f->kind == LBPY_DOUBLE ? "d" : f->kind == LBPY_INT || f->kind == LBPY_ENUM ? "i" : "-";
            PyObject *item = Py_BuildValue("(ssni)", f->name, letter, (Py_ssize_t)f->offset, f->count);
            if (!item || PyList_Append(list, item)) {
                Py_CLEAR(list);
            }
            Py_XDECREF(item);
        }
        return list ? Py_BuildValue("(nN)", (Py_ssize_t)kind->size, list) : NULL;
    }
    return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "there is no struct %U", name);
}

/* words(enum): the words of an enum, by value. */
static PyObject *words(PyObject *module, PyObject *name) {
    (void)module;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    for (const lbpy_enum *e = lbpy_enums; text && e->name; e++) {
        if (strcmp(e->name, text)) {
            continue;
        }
        PyObject *found = PyDict_New();
        for (const lbpy_word *w = e->words; found && w->name; w++) {
            PyObject *key = PyLong_FromLong(w->value), *word = PyUnicode_FromString(w->name);
            if (!key || !word || PyDict_SetItem(found, key, word)) {
                Py_CLEAR(found);
            }
            Py_XDECREF(key);
            Py_XDECREF(word);
        }
        return found;
    }
    return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "there is no enum %U", name);
}

PyMethodDef lbpy_solving[] = {{"solve_many", solve_many, METH_VARARGS, NULL},
                              {"read_goal", (PyCFunction)(void (*)(void))read_goal, METH_FASTCALL, NULL},
                              {"frames_from_matrices", frames_from_matrices, METH_VARARGS, NULL},
                              {"clip_poses", clip_poses, METH_VARARGS, NULL},
                              {"scene_render", scene_render, METH_VARARGS, NULL},
                              {"file_start", file_start, METH_O, NULL},
                              {"human_names", human_names, METH_O, NULL},
                              {"layout", layout, METH_O, NULL},
                              {"words", words, METH_O, NULL},
                              {NULL, NULL, 0, NULL}};

int lbpy_engine_ready(PyObject *module) {
    problem_kind = kind_of_handle("lb_problem");
    solver_kind = kind_of_handle("lb_solver");
    options_kind = kind_of_struct("lb_solve_options");
    result_kind = kind_of_struct("lb_result");
    int outcomes = kind_of_enum("lb_outcome"), engines = kind_of_enum("lb_engine");
    for (int i = 0; i < 8; i++) {
        outcome_words[i] = lbpy_enum_word(outcomes, i);
    }
    for (int i = 0; i < 16; i++) {
        engine_words[i] = lbpy_enum_word(engines, i);
    }
    PyObject *type = PyType_FromSpec(&engine_spec);
    engine_type = (PyTypeObject *)type;
    (void)engine_type;
    return !type || PyModule_AddObjectRef(module, "Engine", type);
}
