/* The `clips` of a problem's motion: what figures do by recorded frames, from a file or written out. */
#include "io/problem/problem.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of a figure in the order of some columns: which variable each is. */
typedef struct columns {
    int figure, count;
    int *variables;
    double *values; /* [count]: of one frame */
} columns;

static lb_status take_columns(lbio_reader *r, int figure, size_t count, columns *c) {
    *c = (columns){.figure = figure, .count = (int)count};
    c->variables = malloc((count + 1) * sizeof *c->variables);
    c->values = malloc((count + 1) * sizeof *c->values);
    return c->variables && c->values ? LB_OK : lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
}

static void free_columns(columns *c) {
    free(c->variables);
    free(c->values);
}

static lb_status name_column(lbio_reader *r, columns *c, int column, const char *name) {
    c->variables[column] = lb_figure_find_variable(r->file->figures[c->figure], name);
    return c->variables[column] < 0 ? lbio_no_such(r, c->figure, "variable", name) : LB_OK;
}

/* The clip is the file's from now on, and drives its figure. */
static lb_status drive(lbio_reader *r, int figure, lb_clip *clip, double from, int interpolation) {
    struct lb_problem_file *file = r->file;
    lb_clip **grown = clip ? realloc(file->clips, ((size_t)file->clip_count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        lb_clip_destroy(clip);
        return lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
    }
    file->clips = grown;
    file->clips[file->clip_count++] = clip;
    return lb_motion_drive_clip(file->motion, figure, clip, from, (lb_interpolation)interpolation)
               ? lbio_reader_fail(r, LB_ERROR_ARGUMENT, "%s", lb_motion_error(file->motion)->message)
               : LB_OK;
}

static void set_frame(const columns *c, lb_clip *clip, int frame) {
    for (int i = 0; clip && i < c->count; i++) {
        lb_clip_pose(clip, frame)[c->variables[i]] = c->values[i];
    }
}

/* --- Frames that are written out --------------------------------------------------------------------------------- */

static lb_status read_names(lbio_reader *r, const json_t *object, int figure, columns *c) {
    const lb_figure *f = r->file->figures[figure];
    const json_t *names = lbio_member(r, object, "variables");
    lb_status status = names ? lbio_check_list(r, names, 1, LBIO_LIST_MOST) : LB_OK;
    const size_t count = status ? 0 : names ? json_array_size(names) : (size_t)lb_figure_variable_count(f);
    status = status ? status : take_columns(r, figure, count, c);
    for (int i = 0; i < c->count && !status; i++) {
        const char *name = names ? json_string_value(json_array_get(names, (size_t)i)) : lb_figure_variable(f, i)->name;
        status = name ? name_column(r, c, i, name)
                      : lbio_reader_fail(r, LB_ERROR_SYNTAX, "the names of variables were expected");
    }
    if (names) {
        lbio_leave(r);
    }
    return status;
}

static lb_status read_frame(lbio_reader *r, const json_t *frame, columns *c) {
    lb_status status = lbio_check_list(r, frame, c->count, c->count);
    for (int i = 0; i < c->count && !status; i++) {
        const int is_angle = lb_figure_variable(r->file->figures[c->figure], c->variables[i])->is_angle;
        lbio_enter_index(r, i);
        status =
            lbio_json_value(r, json_array_get(frame, (size_t)i), is_angle ? LBIO_ANGLE : LBIO_LENGTH, &c->values[i]);
        lbio_leave(r);
    }
    return status;
}

static lb_status read_frames(lbio_reader *r, const json_t *object, int figure, lb_clip **clip) {
    columns c = {0};
    double step = 1.0 / 30;
    lb_status status = lbio_get_value(r, object, "frame_time", LBIO_PLAIN, 1e-6, 1e6, &step);
    status = status ? status : read_names(r, object, figure, &c);
    const json_t *frames = status ? NULL : lbio_member(r, object, "frames");
    status = !frames ? status : lbio_check_list(r, frames, 1, LBIO_LIST_MOST);
    const int count = frames && !status ? (int)json_array_size(frames) : 0;
    *clip = count ? lb_clip_create(r->file->figures[figure], count, step, NULL) : NULL;
    for (int f = 0; f < count && *clip && !status; f++) {
        lbio_enter_index(r, f);
        status = read_frame(r, json_array_get(frames, (size_t)f), &c);
        lbio_leave(r);
        set_frame(&c, *clip, f);
    }
    if (frames) {
        lbio_leave(r);
    }
    free_columns(&c);
    return status;
}

/* --- Files -------------------------------------------------------------------------------------------------------- */

/* The end of a line, and the next one's begin. */
static const char *line_end(const char *at, const char *end, const char **next) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    *next = stop ? stop + 1 : end;
    stop = stop ? stop : end;
    return stop > at && stop[-1] == '\r' ? stop - 1 : stop;
}

/* "time,name,name": the names' variables. */
static lb_status read_heading(lbio_reader *r, const char *at, const char *stop, int figure, columns *c) {
    size_t count = 0;
    for (const char *k = at; k < stop; k++) {
        count += *k == ',';
    }
    lb_status status = take_columns(r, figure, count, c);
    if (!status && (stop - at < 5 || strncmp(at, "time,", 5) != 0)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                "a table of a motion begins with `time` and the names of variables");
    }
    at += 5;
    for (int i = 0; i < c->count && !status; i++) {
        char name[256];
        const char *comma = memchr(at, ',', (size_t)(stop - at));
        const size_t size = (size_t)((comma ? comma : stop) - at);
        snprintf(name, sizeof name, "%.*s", (int)(size < 255 ? size : 255), at);
        status = name_column(r, c, i, name);
        at += size + 1;
    }
    return status;
}

/* A line of numbers: the time, and the values. */
static int read_row(const char *at, const char *stop, const columns *c, double *time) {
    for (int i = -1; i < c->count; i++) {
        double *value = i < 0 ? time : &c->values[i];
        at = at ? lbio_number(at, stop, value) : NULL;
        if (!at || !(fabs(*value) < 1e9) || (i + 1 < c->count && (at >= stop || *at != ','))) {
            return 0;
        }
        at += i + 1 < c->count;
    }
    return at == stop;
}

static lb_status read_rows(lbio_reader *r, const char *at, const char *end, const columns *c, lb_clip **clip) {
    int count = 0;
    double times[2] = {0, 1.0 / 30}, time;
    for (int fills = 0; fills < 2; fills++) {
        int row = 0;
        for (const char *line = at, *next; line < end; line = next) {
            const char *stop = line_end(line, end, &next);
            if (stop == line) {
                continue;
            }
            if (!read_row(line, stop, c, &time)) {
                return lbio_reader_fail(r, LB_ERROR_SYNTAX, "row %d of the table is not %d numbers", row + 1,
                                        c->count + 1);
            }
            times[0] = row == 0 ? time : times[0];
            times[1] = row == 1 ? time : times[1];
            if (fills) {
                set_frame(c, *clip, row);
            }
            row++;
        }
        count = row;
        if (!fills && (count < 1 || !(times[1] - times[0] >= 1e-6))) {
            return lbio_reader_fail(r, LB_ERROR_SYNTAX, "the table has no rows, or its times do not rise");
        }
        *clip = *clip ? *clip : lb_clip_create(r->file->figures[c->figure], count, times[1] - times[0], NULL);
        if (!*clip) {
            return LB_OK; /* said as want of memory */
        }
    }
    return LB_OK;
}

static lb_status read_table(lbio_reader *r, const char *path, int figure, lb_clip **clip) {
    char *data = NULL;
    size_t size = 0;
    columns c = {0};
    lb_error error;
    if (lbio_read_file(path, r->source->options->max_bytes, &data, &size, &error)) {
        return lbio_reader_fail(r, error.status, "%s", error.message);
    }
    const char *next = data, *stop = line_end(data, data + size, &next);
    lb_status status = read_heading(r, data, stop, figure, &c);
    status = status ? status : read_rows(r, next, data + size, &c, clip);
    free_columns(&c);
    free(data);
    return status;
}

/* A file with a figure of its own: its frames are taken over by the names of the variables, all of which the problem's
 * figure has to have. */
static lb_status read_recording(lbio_reader *r, const char *path, int figure, lb_clip **clip) {
    lb_figure *from = NULL;
    lb_clip *read = NULL;
    lb_error error;
    columns c = {0};
    if (lb_clip_load(path, r->source->options, &from, &read, &error)) {
        return lbio_reader_fail(r, error.status, "%s", error.message);
    }
    lb_status status = read ? take_columns(r, figure, (size_t)lb_figure_variable_count(from), &c)
                            : lbio_reader_fail(r, LB_ERROR_FILE, "the file has no motion");
    for (int i = 0; i < c.count && !status; i++) {
        status = name_column(r, &c, i, lb_figure_variable(from, i)->name);
    }
    const int count = read ? lb_clip_frame_count(read) : 0;
    *clip = status ? NULL : lb_clip_create(r->file->figures[figure], count, lb_clip_frame_time(read), NULL);
    for (int f = 0; f < count && *clip; f++) {
        memcpy(c.values, lb_clip_const_pose(read, f), (size_t)c.count * sizeof *c.values);
        set_frame(&c, *clip, f);
    }
    free_columns(&c);
    lb_clip_destroy(read);
    lb_figure_destroy(from);
    return status;
}

static lb_status read_file(lbio_reader *r, const char *name, int figure, lb_clip **clip) {
    char path[4096];
    const char *dot = strrchr(name, '.');
    lbio_enter(r, "file");
    snprintf(path, sizeof path, "%s%s%s", name[0] == '/' || !r->folder ? "" : r->folder, name[0] == '/' ? "" : "/",
             name);
    lb_status status =
        !r->folder || strlen(name) > 1024 || !lbio_is_file(path)
            ? lbio_reader_fail(r, LB_ERROR_FILE, "there is no file `%.100s`, seen from this one's folder", name)
        : dot && strcmp(dot, ".csv") == 0 ? read_table(r, path, figure, clip)
                                          : read_recording(r, path, figure, clip);
    lbio_leave(r);
    return status;
}

/* {"figure": "human", "file": "walk.csv", "from": 0.5}, or {"frame_time": 0.1, "variables": [...], "frames": [[...],
 * ...]} */
lb_status lbio_read_clip(lbio_reader *r, const json_t *object) {
    static const char *const keys[] = {"figure",     "file",      "from",   "interpolation",
                                       "frame_time", "variables", "frames", NULL};
    static const char *const ways[] = {"step", "linear", "catmull-rom", "cubic"};
    const char *name = NULL, *file = NULL;
    double from = 0;
    int way = LB_INTERPOLATION_CUBIC;
    lb_clip *clip = NULL;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_string(r, object, "figure", &name);
    status = status ? status : lbio_get_string(r, object, "file", &file);
    status = status ? status : lbio_get_value(r, object, "from", LBIO_PLAIN, -1e6, 1e6, &from);
    status = status ? status : lbio_get_choice(r, object, "interpolation", ways, 4, &way);
    if (!status && (file != NULL) == (json_object_get(object, "frames") != NULL)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a clip is a `file` (.csv, .bvh, .glb) or has `frames`");
    }
    const int figure = status ? -1 : name ? lbio_find_figure(r, name) : 0;
    if (status || figure < 0) {
        return status ? status : r->source->error->status;
    }
    status = file ? read_file(r, file, figure, &clip) : read_frames(r, object, figure, &clip);
    if (status) {
        lb_clip_destroy(clip);
        return status;
    }
    return drive(r, figure, clip, from, way);
}
