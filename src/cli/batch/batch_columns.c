/* What a table's columns are for, and its rows: see batch.h. */
#include "cli/batch/batch.h"

#include "figure/suggest.h"
#include "io/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const places[BATCH_PLACES] = {"x", "y", "z", "qx", "qy", "qz", "qw"};

/* --- Fields ------------------------------------------------------------------------------------------------------- */

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* The next field of a line into text, without blanks and quotes around it; "" in quotes is a quote. *at is behind its
 * comma then, or NULL after the last. 0: a quote is not closed, or the field is longer than size. */
static int next_field(const char **at, const char *end, char *text, size_t size) {
    const char *from = *at;
    size_t length = 0;
    int is_inside = 0, was_quoted = 0;
    while (from < end && is_blank(*from)) {
        from++;
    }
    for (; from < end && (is_inside || *from != ','); from++) {
        if (*from == '"' && is_inside && from + 1 < end && from[1] == '"') {
            from++;
        } else if (*from == '"') {
            is_inside = !is_inside, was_quoted = 1;
            continue;
        }
        if (length + 1 >= size) {
            return 0;
        }
        text[length++] = *from;
    }
    while (length > 0 && is_blank(text[length - 1]) && !(was_quoted && is_inside)) {
        length--;
    }
    text[length] = 0;
    *at = from < end ? from + 1 : NULL;
    return !is_inside;
}

/* --- The first line ----------------------------------------------------------------------------------------------- */

typedef struct naming {
    batch_table *table;
    const batch_base *base;
    unsigned char has[BATCH_COLUMNS_MOST][BATCH_PLACES]; /* by goal */
    lb_error *error;
} naming;

static lb_status wrong(naming *n, lb_status status, const char *format, const char *name, const char *more) {
    return lbio_error(n->error, status, n->table->path, (int)n->table->header_line, format, name, more);
}

/* A constraint by name, or the only one there is for ""; -1: none. */
static int find_constraint(const naming *n, const char *name) {
    if (!*name) {
        return n->base->constraint_count == 1 ? 0 : -1;
    }
    for (int k = 0; k < n->base->constraint_count; k++) {
        const char *own = lb_problem_constraint(n->base->problem, k)->name;
        if (own && strcmp(own, name) == 0) {
            return k;
        }
    }
    return -1;
}

static int find_variable(const naming *n, const char *name) {
    for (int k = 0; k < n->base->variable_count; k++) {
        char own[300];
        lb_problem_variable_name(n->base->problem, k, own, sizeof own);
        if (strcmp(own, name) == 0) {
            return k;
        }
    }
    return -1;
}

static int goal_of(batch_columns *c, int constraint) {
    for (int k = 0; k < c->goal_count; k++) {
        if (c->goals[k] == constraint) {
            return k;
        }
    }
    c->goals[c->goal_count] = constraint;
    return c->goal_count++;
}

/* A number of a goal, or its weight: NAME.x, or x where there is one constraint. 0: the name is none. */
static int name_goal(const naming *n, const char *name, batch_column *column) {
    char constraint[80];
    const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
    snprintf(constraint, sizeof constraint, "%.*s", dot ? (int)(dot - name) : 0, name);
    int which = find_constraint(n, constraint);
    if (which < 0) {
        return 0;
    }
    for (int k = 0; k < BATCH_PLACES; k++) {
        if (strcmp(last, places[k]) == 0) {
            column->kind = BATCH_GOAL, column->place = k;
            column->index = goal_of(&n->table->columns, which);
            return 1;
        }
    }
    column->kind = BATCH_WEIGHT, column->index = which;
    return strcmp(last, "weight") == 0;
}

/* What is said of a name that is none: the nearest that are. */
static lb_status unknown_name(naming *n, const char *name) {
    char near_names[LBF_SUGGESTION_TEXT], own[300];
    static const char *const lasts[] = {"x", "y", "z", "qx", "qy", "qz", "qw", "weight"};
    lbf_suggestions suggestions;
    lbf_suggest_begin(&suggestions, name);
    for (int k = 0; k < n->base->constraint_count; k++) {
        const char *constraint = lb_problem_constraint(n->base->problem, k)->name;
        for (size_t i = 0; i < sizeof lasts / sizeof *lasts && constraint; i++) {
            snprintf(own, sizeof own, "%.200s.%s", constraint, lasts[i]);
            lbf_suggest_offer(&suggestions, own, own);
        }
    }
    for (int k = 0; k < n->base->variable_count; k++) {
        lb_problem_variable_name(n->base->problem, k, own, sizeof own);
        lbf_suggest_offer(&suggestions, own, own);
    }
    lbf_suggest_text(&suggestions, near_names);
    if (strchr(name, ';') || strchr(name, '\t')) {
        return wrong(n, LB_ERROR_SYNTAX,
                     "`%s`: columns have commas between them and numbers decimal points; save the table so%s", name,
                     "");
    }
    if (n->base->constraint_count != 1 && !strchr(name, '.')) {
        return wrong(
            n, LB_ERROR_SYNTAX,
            "`%s` is no column: name goals as in reach.x,reach.y,reach.z, because the problem has several, and "
            "variables as `limber info --variables` does%s",
            name, "");
    }
    return *near_names ? wrong(n, LB_ERROR_NAME, "`%s` is no column: %s", name, near_names)
                       : wrong(n, LB_ERROR_NAME,
                               "`%s` is no column: there are x,y,z,qx,qy,qz,qw and weight of goals, variables, and "
                               "stature; --ignore passes over others%s",
                               name, "");
}

static int is_ignored(const batch_columns *c, const char *name) {
    const char *at = c->ignored;
    size_t length = strlen(name);
    while (at && *at) {
        size_t item = strcspn(at, ",");
        if (item == length && strncmp(at, name, item) == 0) {
            return 1;
        }
        at += item + (at[item] == ',');
    }
    return 0;
}

static lb_status name_column(naming *n, const char *name, batch_column *column) {
    batch_columns *c = &n->table->columns;
    int is_start = strncmp(name, "start:", 6) == 0;
    snprintf(column->name, sizeof column->name, "%.79s", *name ? name : "");
    if (is_ignored(c, name)) {
        column->kind = BATCH_IGNORED;
        return LB_OK;
    }
    if (!*name) {
        return wrong(n, LB_ERROR_SYNTAX, "a column has no name%s%s", "", "");
    }
    if (!is_start && name_goal(n, name, column)) {
        c->has_weights |= column->kind == BATCH_WEIGHT;
        return LB_OK;
    }
    column->index = find_variable(n, is_start ? name + 6 : name);
    if (column->index >= 0) {
        column->kind = BATCH_START, c->has_starts = 1;
        return LB_OK;
    }
    if (strcmp(name, "stature") != 0) {
        return unknown_name(n, name);
    }
    column->kind = BATCH_STATURE, c->has_statures = 1;
    return lb_figure_stature(lb_problem_figure(n->base->problem, 0)) > 0
               ? LB_OK
               : wrong(n, LB_ERROR_NAME, "`%s`: the figure has no stature to scale by%s", name, "");
}

/* Whether a column is there already. */
static int is_twice(const batch_columns *c, const batch_column *column) {
    for (int k = 0; k < c->count && column->kind != BATCH_IGNORED; k++) {
        const batch_column *other = &c->each[k];
        if (other->kind == column->kind && other->index == column->index && other->place == column->place) {
            return 1;
        }
    }
    return 0;
}

/* A rotation is all four of its numbers, or none. */
static lb_status check_rotations(naming *n) {
    const batch_columns *c = &n->table->columns;
    for (int k = 0; k < c->count; k++) {
        if (c->each[k].kind == BATCH_GOAL) {
            n->has[c->each[k].index][c->each[k].place] = 1;
        }
    }
    for (int k = 0; k < c->goal_count; k++) {
        int turns = n->has[k][3] + n->has[k][4] + n->has[k][5] + n->has[k][6];
        if (turns != 0 && turns != 4) {
            return wrong(n, LB_ERROR_SYNTAX, "a rotation needs all four of qx, qy, qz and qw%s%s", "", "");
        }
    }
    return LB_OK;
}

lb_status batch_columns_read(batch_table *table, const batch_base *base, lb_error *error) {
    static const naming none;
    naming n = none;
    batch_columns *c = &table->columns;
    const char *at = table->header.data, *end = at + table->header.size;
    n.table = table, n.base = base, n.error = error;
    while (at) {
        char name[300];
        batch_column column = {BATCH_IGNORED, 0, 0, ""};
        if (!next_field(&at, end, name, sizeof name)) {
            return wrong(&n, LB_ERROR_SYNTAX, "a quote is not closed, or a name is longer than 299 bytes%s%s", "", "");
        }
        if (c->count == BATCH_COLUMNS_MOST) {
            return lbio_error(error, LB_ERROR_TOO_LARGE, table->path, (int)table->header_line, "more than %d columns",
                              BATCH_COLUMNS_MOST);
        }
        lb_status status = name_column(&n, name, &column);
        if (!status && is_twice(c, &column)) {
            status = wrong(&n, LB_ERROR_SYNTAX, "the column `%s` is there twice%s", column.name, "");
        }
        if (status) {
            return status;
        }
        c->each[c->count++] = column;
    }
    return check_rotations(&n);
}

/* --- Rows ----------------------------------------------------------------------------------------------------------- */

/* Says why a row is bad: the text without what would break a line of CSV. */
static void spoil(batch_row *row, const char *format, const char *a, const char *b) {
    char shown[48];
    row->is_bad = 1;
    snprintf(shown, sizeof shown, "%.40s", a);
    snprintf(row->reason, sizeof row->reason, format, shown, b);
    for (char *at = row->reason; *at; at++) {
        *at = (unsigned char)*at < 0x20 || *at == 0x7F || *at == '"' ? '?' : *at;
    }
}

static int read_number(const char *text, lbio_unit unit, double *value) {
    const char *end = text + strlen(text);
    return *text && (lbio_number(text, end, value) == end || lbio_read_quantity(text, unit, value) == 0);
}

/* Why a text is no number. */
static void spoil_number(batch_row *row, const char *text, const char *column) {
    if (!*text) {
        spoil(row, "column %s is empty%s", column, "");
    } else if (strchr(text, ',')) {
        spoil(row, "`%s` in column %s is no number: decimals have a point", text, column);
    } else {
        spoil(row, "`%s` in column %s is no number", text, column);
    }
}

/* A field into the place that its column stands for. */
static void take_field(const batch_column *column, const batch_base *base, const char *text, batch_row *row,
                       lb_frame *goals, double *weights, double *start) {
    static const lbio_unit units[] = {LBIO_LENGTH, LBIO_PLAIN, LBIO_EITHER, LBIO_LENGTH};
    double value = 0;
    if (column->kind == BATCH_IGNORED) {
        return;
    }
    if (!read_number(text, column->kind == BATCH_GOAL && column->place > 2 ? LBIO_PLAIN : units[column->kind],
                     &value)) {
        spoil_number(row, text, column->name);
    } else if (column->kind == BATCH_GOAL) {
        lb_frame *goal = &goals[column->index];
        *(column->place < 3 ? &goal->position[column->place] : &goal->rotation[column->place - 3]) = value;
    } else if (column->kind == BATCH_START) {
        start[column->index] = value;
    } else if (column->kind == BATCH_WEIGHT && value >= 0) {
        weights[column->index] = value;
    } else if (column->kind == BATCH_STATURE && value >= 0.1 && value <= 10 &&
               lbio_can_be_of_stature(lb_figure_stature(lb_problem_figure(base->problem, 0)), value)) {
        row->stature = value;
    } else {
        spoil(row,
              column->kind == BATCH_WEIGHT ? "the weight `%s` is less than 0%s"
                                           : "`%s` is no stature in metres (people are 1.2 to 2.2 m tall)%s",
              text, "");
    }
}

/* The problem's own numbers: what no column says. */
static void take_base(const batch_table *t, const batch_base *base, lb_frame *goals, double *weights, double *start) {
    for (int k = 0; k < t->columns.goal_count; k++) {
        cli_goal_frame(&lb_problem_constraint(base->problem, t->columns.goals[k])->goal, &goals[k]);
    }
    for (int k = 0; weights && k < base->constraint_count; k++) {
        weights[k] = lb_problem_constraint(base->problem, k)->weight;
    }
    memcpy(start, base->start, (size_t)base->variable_count * sizeof *start);
}

void batch_row_read(const batch_table *t, const batch_base *base, const char *from, const char *to, int k,
                    batch_row *row, batch_numbers *numbers) {
    const batch_columns *c = &t->columns;
    lb_frame *goals = numbers->goals + (size_t)k * (size_t)c->goal_count;
    double *start = numbers->starts + (size_t)k * (size_t)base->variable_count;
    double *weights = numbers->weights ? numbers->weights + (size_t)k * (size_t)base->constraint_count : NULL;
    int count = 0;
    row->is_bad = 0, row->stature = 0, row->reason[0] = 0;
    take_base(t, base, goals, weights, start);
    for (const char *at = from; at && !row->is_bad; count++) {
        char text[300];
        if (!next_field(&at, to, text, sizeof text)) {
            spoil(row, "a quote is not closed, or a field is very long%s%s", "", "");
        } else if (count < c->count) {
            take_field(&c->each[count], base, text, row, goals, weights, start);
        }
    }
    if (!row->is_bad && count != c->count) {
        char counts[24];
        snprintf(counts, sizeof counts, "%d", count);
        spoil(row,
              count < c->count ? "%s fields are fewer than the first line names columns%s"
                               : "%s fields are more than the first line names columns%s",
              counts, count == 2 * c->count ? ": decimals have a point" : "");
    }
    for (int g = 0; g < c->goal_count && !row->is_bad; g++) {
        const double *q = goals[g].rotation;
        if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 1e-12)) {
            spoil(row, "a rotation of 0,0,0,0 turns nowhere%s%s", "", "");
        }
    }
}
