/* limber solve --batch: one problem, many targets from a CSV file, an answer for each. */
#include "cli/output.h"

#include "figure/suggest.h"
#include <limber/solve.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MOST ((size_t)1 << 30)
#define COLUMNS_MOST 1024
#define PLACES 7

static const char *const places[PLACES] = {"x", "y", "z", "qx", "qy", "qz", "qw"};

/* What the file's columns are for. */
typedef struct columns {
    int count;
    struct {
        int goal, place; /* which of the goals, which of its numbers */
    } each[COLUMNS_MOST];
    int goal_count;
    int ids[COLUMNS_MOST];
    lb_frame own[COLUMNS_MOST]; /* the problem's goals: what no column says */
    unsigned char has[COLUMNS_MOST][PLACES];
} columns;

typedef struct table {
    const char *path;
    lb_problem *problem;
    columns columns;
    lb_frame *goals; /* [count][goal_count] */
    int *lines;      /* [count] */
    int count, capacity;
    lb_error error;
} table;

/* --- Lines and fields ---------------------------------------------------------------------------------- */

typedef struct field {
    const char *text;
    int length;
} field;

static field trim(const char *from, const char *to) {
    while (from < to && (*from == ' ' || *from == '\t' || *from == '"')) {
        from++;
    }
    while (to > from && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '"' || to[-1] == '\r')) {
        to--;
    }
    return (field){from, (int)(to - from)};
}

/* The next comma that is in no quotes, or NULL. */
static const char *find_comma(const char *from, const char *end) {
    int is_inside = 0;
    for (; from < end; from++) {
        is_inside ^= *from == '"';
        if (*from == ',' && !is_inside) {
            return from;
        }
    }
    return NULL;
}

/* The next field of the line up to `end`; *at is behind its comma then, or NULL after the last. */
static field next_field(const char **at, const char *end) {
    const char *comma = find_comma(*at, end);
    field f = trim(*at, comma ? comma : end);
    *at = comma ? comma + 1 : NULL;
    return f;
}

/* --- The first line: what the columns are --------------------------------------------------------------- */

static int find_place(const char *name, int length) {
    for (int k = 0; k < PLACES; k++) {
        if ((int)strlen(places[k]) == length && strncmp(places[k], name, (size_t)length) == 0) {
            return k;
        }
    }
    return -1;
}

/* The constraint that a column speaks of: by name, or the only one there is. */
static int find_constraint(table *t, field name, int line) {
    int count = lb_problem_constraint_count(t->problem);
    char text[200], near_names[LBF_SUGGESTION_TEXT];
    lbf_suggestions suggestions;
    snprintf(text, sizeof text, "%.*s", name.length, name.text);
    lbf_suggest_begin(&suggestions, text);
    if (name.length == 0 && count == 1) {
        return 0;
    }
    if (name.length == 0) {
        lbio_error(&t->error, LB_ERROR_SYNTAX, t->path, line,
                   "the problem has %d constraints: name the columns as in reach.x,reach.y,reach.z", count);
        return -1;
    }
    for (int k = 0; k < count; k++) {
        const char *own = lb_problem_constraint(t->problem, k)->name;
        if (own && (int)strlen(own) == name.length && strncmp(own, name.text, (size_t)name.length) == 0) {
            return k;
        }
        if (own) {
            lbf_suggest_offer(&suggestions, own, own);
        }
    }
    lbf_suggest_text(&suggestions, near_names);
    lbio_error(&t->error, LB_ERROR_NAME, t->path, line, "there is no constraint `%.100s`%s%s", text,
               *near_names ? "; " : "", near_names);
    return -1;
}

static int goal_of(table *t, int constraint) {
    columns *c = &t->columns;
    int id = lb_problem_constraint_id(t->problem, constraint);
    for (int k = 0; k < c->goal_count; k++) {
        if (c->ids[k] == id) {
            return k;
        }
    }
    c->ids[c->goal_count] = id;
    cli_goal_frame(&lb_problem_constraint(t->problem, constraint)->goal, &c->own[c->goal_count]);
    return c->goal_count++;
}

static lb_status add_column(table *t, field f, int line) {
    columns *c = &t->columns;
    int split = f.length;
    while (split > 0 && f.text[split - 1] != '.') {
        split--;
    }
    int place = find_place(f.text + split, f.length - split);
    if (place < 0) {
        return lbio_error(&t->error, LB_ERROR_SYNTAX, t->path, line,
                          "`%.*s` is no column: the first line names them, as in x,y,z or reach.x,reach.y,reach.z, "
                          "with qx,qy,qz,qw for a rotation",
                          f.length > 60 ? 60 : f.length, f.text);
    }
    if (c->count == COLUMNS_MOST) {
        return lbio_error(&t->error, LB_ERROR_TOO_LARGE, t->path, line, "more than %d columns", COLUMNS_MOST);
    }
    int constraint = find_constraint(t, (field){f.text, split > 0 ? split - 1 : 0}, line);
    if (constraint < 0) {
        return t->error.status;
    }
    int goal = goal_of(t, constraint);
    if (c->has[goal][place]++) {
        return lbio_error(&t->error, LB_ERROR_SYNTAX, t->path, line, "the column `%.*s` is there twice",
                          f.length > 60 ? 60 : f.length, f.text);
    }
    c->each[c->count].goal = goal;
    c->each[c->count++].place = place;
    return LB_OK;
}

static lb_status read_columns(table *t, const char *at, const char *end, int line) {
    columns *c = &t->columns;
    while (at) {
        lb_status status = add_column(t, next_field(&at, end), line);
        if (status) {
            return status;
        }
    }
    for (int k = 0; k < c->goal_count; k++) {
        int turns = c->has[k][3] + c->has[k][4] + c->has[k][5] + c->has[k][6];
        if (turns != 0 && turns != 4) {
            return lbio_error(&t->error, LB_ERROR_SYNTAX, t->path, line,
                              "a rotation needs all four of qx, qy, qz and qw");
        }
    }
    return LB_OK;
}

/* --- The others: targets ---------------------------------------------------------------------------------- */

static int make_room(table *t) {
    if (t->count < t->capacity) {
        return 1;
    }
    int wanted = t->capacity ? 2 * t->capacity : 64;
    size_t size = (size_t)wanted * (size_t)t->columns.goal_count;
    lb_frame *goals = realloc(t->goals, size * sizeof *goals);
    t->goals = goals ? goals : t->goals;
    int *lines = realloc(t->lines, (size_t)wanted * sizeof *lines);
    t->lines = lines ? lines : t->lines;
    if (!goals || !lines) {
        return 0;
    }
    t->capacity = wanted;
    return 1;
}

static lb_status read_target(table *t, const char *at, const char *end, int line) {
    const columns *c = &t->columns;
    if (!make_room(t)) {
        return lbio_error(&t->error, LB_ERROR_MEMORY, t->path, line, "out of memory");
    }
    lb_frame *goals = t->goals + (size_t)t->count * (size_t)c->goal_count;
    memcpy(goals, c->own, (size_t)c->goal_count * sizeof *goals);
    int k = 0;
    for (; at && k < c->count; k++) {
        field f = next_field(&at, end);
        double value;
        if (f.length == 0 || lbio_number(f.text, f.text + f.length, &value) != f.text + f.length) {
            return lbio_error(&t->error, LB_ERROR_SYNTAX, t->path, line, "`%.*s` is no number",
                              f.length > 60 ? 60 : f.length, f.text);
        }
        lb_frame *goal = &goals[c->each[k].goal];
        int place = c->each[k].place;
        *(place < 3 ? &goal->position[place] : &goal->rotation[place - 3]) = value;
    }
    if (k != c->count || at) {
        return lbio_error(&t->error, LB_ERROR_SYNTAX, t->path, line, "%s columns than the %d that the first line names",
                          k < c->count ? "fewer" : "more", c->count);
    }
    for (int g = 0; g < c->goal_count; g++) {
        const double *q = goals[g].rotation;
        if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0)) {
            return lbio_error(&t->error, LB_ERROR_SYNTAX, t->path, line, "a rotation of 0,0,0,0 turns nowhere");
        }
    }
    t->lines[t->count++] = line;
    return LB_OK;
}

static lb_status read_table(table *t) {
    char *text = NULL;
    size_t size = 0;
    int line = 0, has_columns = 0;
    lb_status status = lbio_read_file(t->path, FILE_MOST, &text, &size, &t->error);
    for (const char *at = text, *end = text + size; !status && at && at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *last = stop ? stop : end;
        field whole = trim(at, last);
        line++;
        if (whole.length > 0 && *whole.text != '#') {
            status = has_columns ? read_target(t, at, last, line) : read_columns(t, at, last, line);
            has_columns = 1;
        }
        at = stop ? stop + 1 : NULL;
    }
    free(text);
    if (!status && !has_columns) {
        status = lbio_error(&t->error, LB_ERROR_SYNTAX, t->path, 1,
                            "no line names the columns, as in x,y,z or reach.x,reach.y,reach.z");
    }
    return status;
}

/* --- Solving them ------------------------------------------------------------------------------------------ */

static int show_bar(void *context, int done, int count) {
    double *times = context, now = cli_now_us(); /* began, last shown */
    if (now - times[0] > 4e5 && now - times[1] > 1e5) {
        int filled = (int)(30.0 * done / count);
        fprintf(stderr, "\r[%.*s%*s] %d of %d ", filled, "##############################", 30 - filled, "", done,
                count);
        fflush(stderr);
        times[1] = now;
    }
    return 0;
}

/* What came of the table: a pose and an answer for each line. */
typedef struct answers {
    double *poses;      /* [line][variable] */
    lb_answer *answers; /* [line] */
} answers;

static void write_answers(const table *t, const answers *found, lbio_text *csv) {
    int n = lb_problem_variable_count(t->problem);
    lbio_text_add(csv, "line,status,value,iterations,restarts");
    for (int k = 0; k < n; k++) {
        char name[300];
        lb_problem_variable_name(t->problem, k, name, sizeof name);
        lbio_text_add(csv, ",");
        cli_csv_name(csv, name);
    }
    lbio_text_add(csv, "\n");
    for (int i = 0; i < t->count; i++) {
        const lb_answer *a = &found->answers[i];
        lbio_text_format(csv, "%d,%s,", t->lines[i], lb_outcome_name(a->outcome));
        lbio_text_number(csv, a->value);
        lbio_text_format(csv, ",%d,%d", a->iterations, a->restarts);
        for (int k = 0; k < n; k++) {
            lbio_text_add(csv, ",");
            lbio_text_number(csv, found->poses[(size_t)i * (size_t)n + (size_t)k]);
        }
        lbio_text_add(csv, "\n");
    }
}

static int report(const table *t, const answers *found, double us, const char *output, int is_quiet) {
    lbio_text csv = {0};
    int solved = 0, code = CLI_OK;
    for (int i = 0; i < t->count; i++) {
        if (found->answers[i].status) {
            code = cli_fail(CLI_BAD_INPUT, "%s:%d: %s", t->path, t->lines[i], lb_status_text(found->answers[i].status));
            break;
        }
        solved += found->answers[i].outcome == LB_OUTCOME_SOLVED;
    }
    if (!code) {
        write_answers(t, found, &csv);
        code = cli_write_text(output ? output : "-", &csv, "the answers");
    }
    if (!code && !is_quiet && output && strcmp(output, "-") != 0) {
        char time[32];
        cli_print_time(us, time);
        printf("%d of %d solved in %s, %.0f a second.\n", solved, t->count, time, us > 0 ? t->count / us * 1e6 : 0);
    }
    return code ? code : solved == t->count ? CLI_OK : CLI_NOT_SOLVED;
}

static int solve_table(table *t, const double *start, const lb_solve_options *o, const cli_batch *batch) {
    size_t n = (size_t)lb_problem_variable_count(t->problem), count = (size_t)t->count;
    double times[2] = {cli_now_us(), 0};
    lb_many many;
    lb_many_defaults(&many);
    many.count = t->count;
    many.goal_count = t->columns.goal_count, many.ids = t->columns.ids, many.goals = t->goals;
    many.starts = start, many.one_start = 1;
    answers found = {malloc((count * n + 1) * sizeof *found.poses), malloc((count + 1) * sizeof *found.answers)};
    many.threads = batch->threads;
    if (isatty(STDERR_FILENO) && !batch->is_quiet) {
        many.on_progress = show_bar, many.on_progress_context = times;
    }
    lb_error error = {.message = "out of memory"};
    lb_status status = found.poses && found.answers
                           ? lb_solve_many(t->problem, o, &many, found.poses, found.answers, &error)
                           : LB_ERROR_MEMORY;
    double us = cli_now_us() - times[0];
    if (times[1] > 0) {
        fprintf(stderr, "\r%78s\r", "");
    }
    int code =
        status ? cli_fail(CLI_BAD_INPUT, "%s", error.message) : report(t, &found, us, batch->output, batch->is_quiet);
    free(found.poses);
    free(found.answers);
    return code;
}

int cli_solve_batch(lb_problem_file *file, const lb_solve_options *o, const cli_batch *batch) {
    table *t = calloc(1, sizeof *t);
    if (!t) {
        return cli_fail(CLI_BAD_INPUT, "no memory for the targets");
    }
    t->path = batch->path;
    t->problem = lb_problem_file_problem(file);
    int code =
        read_table(t) ? cli_report(CLI_BAD_INPUT, &t->error) : solve_table(t, lb_problem_file_start(file), o, batch);
    free(t->goals);
    free(t->lines);
    free(t);
    return code;
}
