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
                         bytes_of(r->levels, sizeof *r->levels, r->level_count),
                         bytes_of(r->said, sizeof *r->said, r->said_count)};
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
        is_ready = count >= 0 && lbpy_has_room(&buffers[1], (Py_ssize_t)sizeof(lb_frame) * count * goals, "goals") &&
                   lbpy_has_room(&buffers[2], (Py_ssize_t)sizeof(double) * n * (one_start ? 1 : count), "starts") &&
                   lbpy_has_room(&buffers[3], (Py_ssize_t)sizeof(double) * n * count, "poses") &&
                   lbpy_has_room(&buffers[4], (Py_ssize_t)sizeof(lb_answer) * count, "answers");
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

PyMethodDef lbpy_solving[] = {{"solve_many", solve_many, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};

int lbpy_engine_ready(PyObject *module) {
    problem_kind = lbpy_kind_of_handle("lb_problem");
    solver_kind = lbpy_kind_of_handle("lb_solver");
    options_kind = lbpy_kind_of_struct("lb_solve_options");
    result_kind = lbpy_kind_of_struct("lb_result");
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
