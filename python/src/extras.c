/* What api.c cannot be made to have: places in all their shapes, pictures of several figures, arrays of clips, and the tables. */
#include "lbpy.h"

#include <math.h>
#include <string.h>
#include <time.h>

int lbpy_kind_of_handle(const char *name) {
    int i = 0;
    while (strcmp(lbpy_handles[i].name, name)) {
        i++;
    }
    return i;
}

int lbpy_kind_of_struct(const char *name) {
    int i = 0;
    while (strcmp(lbpy_structs[i].name, name)) {
        i++;
    }
    return i;
}

int lbpy_has_room(const Py_buffer *b, Py_ssize_t bytes, const char *what) {
    if (b->len != bytes) {
        PyErr_Format(PyExc_ValueError, "%s has %zd bytes, not %zd", what, b->len, bytes);
    }
    return b->len == bytes;
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
    lb_clip *c = lbpy_handle_pointer(clip, lbpy_kind_of_handle("lb_clip"), is_written);
    if (!c || PyObject_GetBuffer(poses, &b, PyBUF_C_CONTIGUOUS | (is_written ? 0 : PyBUF_WRITABLE))) {
        return NULL;
    }
    const size_t n = (size_t)lb_figure_variable_count(lb_clip_figure(c));
    const int frames = lb_clip_frame_count(c);
    if (lbpy_has_room(&b, (Py_ssize_t)(sizeof(double) * n) * frames, "poses")) {
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
        list[i] = figure ? lbpy_handle_pointer(figure, lbpy_kind_of_handle("lb_figure"), 0) : NULL;
        is_bad = !list[i] || !pose || PyObject_GetBuffer(pose, &s->poses[i], PyBUF_C_CONTIGUOUS);
        if (!is_bad) {
            at_poses[i] = s->poses[i].buf;
            s->opened++;
            is_bad =
                !lbpy_has_room(&s->poses[i], (Py_ssize_t)sizeof(double) * lb_figure_variable_count(list[i]), "a pose");
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
    const lb_render_options *given = lbpy_struct_memory(options, lbpy_kind_of_struct("lb_render_options"));
    int is_ready = !open_scene(&s, figures, poses) && given &&
                   lbpy_has_room(&markers, (Py_ssize_t)sizeof(lb_marker) * marker_count, "markers");
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
    lb_problem_file *f = lbpy_handle_pointer(file, lbpy_kind_of_handle("lb_problem_file"), 0);
    if (!f) {
        return NULL;
    }
    int count = lb_problem_variable_count(lb_problem_file_problem(f));
    return PyBytes_FromStringAndSize((const char *)lb_problem_file_start(f), (Py_ssize_t)sizeof(double) * count);
}

/* near_pairs(solver, pose, within): lb_contact_pair of each pair that is near, the nearest first. */
static PyObject *near_pairs(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *handle;
    Py_buffer pose;
    double within;
    if (!PyArg_ParseTuple(args, "Oy*d", &handle, &pose, &within)) {
        return NULL;
    }
    PyObject *list = NULL;
    lb_contact_pair *pairs = NULL;
    lb_solver *solver = lbpy_handle_pointer(handle, lbpy_kind_of_handle("lb_solver"), 1);
    if (solver) {
        const int count = lb_solver_near_pairs(solver, pose.buf, within, 0, NULL);
        pairs = PyMem_Calloc((size_t)(count > 0 ? count : 0) + 1, sizeof *pairs);
        list = count < 0 ? lbpy_raise((lb_status)count, NULL) : pairs ? PyList_New(count) : PyErr_NoMemory();
        if (list && count) {
            lb_solver_near_pairs(solver, pose.buf, within, count, pairs);
        }
        for (int i = 0; list && i < count; i++) {
            PyObject *pair = lbpy_struct_copy(lbpy_kind_of_struct("lb_contact_pair"), &pairs[i], handle);
            if (!pair || PyList_SetItem(list, i, pair)) {
                Py_CLEAR(list);
            }
        }
    }
    PyMem_Free(pairs);
    PyBuffer_Release(&pose);
    return list;
}

/* human_names(figure): a name or None for each segment. */
static PyObject *human_names(PyObject *module, PyObject *figure) {
    (void)module;
    lb_figure *f = lbpy_handle_pointer(figure, lbpy_kind_of_handle("lb_figure"), 0);
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

/* The clock of a closed form, which the library asks at each evaluation; the interpreter's lock is held. After Ctrl-C it is later than
 * any deadline. */
static double closed_now_us(void *unused) {
    (void)unused;
    struct timespec t;
    if (PyErr_CheckSignals()) {
        return 1e300;
    }
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* watch_closed(lb_closed_options): gives them a clock, by which Ctrl-C ends a call as well. */
static PyObject *watch_closed(PyObject *module, PyObject *object) {
    (void)module;
    lb_closed_options *options = lbpy_struct_memory(object, lbpy_kind_of_struct("lb_closed_options"));
    if (!options) {
        return NULL;
    }
    options->now_us = closed_now_us;
    options->deadline_us = options->deadline_us == 0 ? 1e15 : options->deadline_us;
    Py_RETURN_NONE;
}

PyMethodDef lbpy_extras[] = {{"read_goal", (PyCFunction)(void (*)(void))read_goal, METH_FASTCALL, NULL},
                             {"frames_from_matrices", frames_from_matrices, METH_VARARGS, NULL},
                             {"clip_poses", clip_poses, METH_VARARGS, NULL},
                             {"scene_render", scene_render, METH_VARARGS, NULL},
                             {"file_start", file_start, METH_O, NULL},
                             {"near_pairs", near_pairs, METH_VARARGS, NULL},
                             {"human_names", human_names, METH_O, NULL},
                             {"layout", layout, METH_O, NULL},
                             {"watch_closed", watch_closed, METH_O, NULL},
                             {"words", words, METH_O, NULL},
                             {NULL, NULL, 0, NULL}};
