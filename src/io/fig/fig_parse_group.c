/* Joint groups, drives and limits of .fig files: everything with sums of terms. */
#include "io/fig/fig.h"

#include <string.h>

#define MAX_POINTS 100000

/* ---------------------------------------------------------------------------------------------------
 * Sums: 0.5 * hip.rx - flexion + spline(lateral, (x, y), ...) + 10deg
 * ------------------------------------------------------------------------------------------------- */

/* (source, (x, y), (x, y), ...) */
static int parse_curve(fig_reader *reader, fig_term *term) {
    fig_point **next = &term->points;
    if (!lbio_fig_expect(reader, "(") || !lbio_fig_parse_ref(reader, "what the curve depends on", &term->ref)) {
        return 0;
    }
    while (lbio_fig_accept(reader, ",")) {
        fig_point *point = lbio_fig_take(reader, sizeof *point);
        if (!point || !lbio_fig_expect(reader, "(") || !lbio_fig_read_value(reader, "a number", &point->x) ||
            !lbio_fig_expect(reader, ",") || !lbio_fig_read_value(reader, "a number", &point->y) ||
            !lbio_fig_expect(reader, ")")) {
            return 0;
        }
        *next = point;
        next = &point->next;
        if (++term->point_count > MAX_POINTS) {
            return lbio_fig_fail(reader, reader->word_line, "a curve has at most %d points", MAX_POINTS);
        }
    }
    if (reader->status == LB_OK && term->point_count < 2) {
        return lbio_fig_fail(reader, term->ref.line, "a curve needs at least two points: (x, y), (x, y)");
    }
    return lbio_fig_expect(reader, ")");
}

/* What follows a coefficient: a name, or a curve. */
static int parse_source(fig_reader *reader, fig_term *term) {
    fig_word word = reader->word;
    if (word == FIG_NAME && (lbio_fig_is(reader, "spline") || lbio_fig_is(reader, "polyline"))) {
        lb_curve_kind curve = lbio_fig_is(reader, "spline") ? LB_CURVE_SPLINE : LB_CURVE_POLYLINE;
        fig_reader before = *reader; /* a joint may have that name too: then no parenthesis follows */
        if (!lbio_fig_next(reader)) {
            return 0;
        }
        if (lbio_fig_is(reader, "(")) {
            term->curve = curve;
            return parse_curve(reader, term);
        }
        before.blocks = reader->blocks;
        *reader = before;
    }
    return lbio_fig_parse_ref(reader, "a number, or the name of a dof or parameter", &term->ref);
}

static int add_constant(fig_reader *reader, fig_sum *sum, fig_term *last, const fig_value *value) {
    int belongs = last && last->curve == LB_CURVE_LINEAR;
    int *has = belongs ? &last->has_offset : &sum->has_constant;
    fig_value *constant = belongs ? &last->offset : &sum->constant;
    if (*has) {
        return lbio_fig_fail(reader, value->line, "two numbers stand beside each other in this sum; add them up");
    }
    *has = 1;
    *constant = *value;
    return 1;
}

/* One term behind its sign: number, number * source, source, source * number. */
static int parse_term(fig_reader *reader, fig_sum *sum, fig_term ***next, fig_term **last, int negative) {
    fig_value number = {1, FIG_PLAIN, reader->word_line, reader->start, 0, reader->start};
    int has_number = reader->word == FIG_NUMBER || lbio_fig_is(reader, "-") || lbio_fig_is(reader, "+");
    if (has_number && !lbio_fig_read_value(reader, "a number", &number)) {
        return 0;
    }
    number.number = negative ? -number.number : number.number;
    if (has_number && !lbio_fig_is(reader, "*")) {
        return add_constant(reader, sum, *last, &number);
    }
    fig_term *term = lbio_fig_add_check(reader, sum->term_count) ? lbio_fig_take(reader, sizeof *term) : NULL;
    if (!term || (has_number && !lbio_fig_next(reader)) || !parse_source(reader, term)) {
        return 0;
    }
    if (!has_number && lbio_fig_accept(reader, "*")) {
        if (!lbio_fig_read_value(reader, "a number", &number)) {
            return 0;
        }
        number.number = negative ? -number.number : number.number;
    }
    term->coefficient = number;
    **next = term;
    *next = &term->next;
    *last = term;
    sum->term_count++;
    return reader->status == LB_OK;
}

/* A leading constant belongs to the first linear term, if that has none of its own. */
static int settle_constant(fig_reader *reader, fig_sum *sum) {
    if (!sum->has_constant) {
        return 1;
    }
    for (fig_term *term = sum->terms; term; term = term->next) {
        if (term->curve == LB_CURVE_LINEAR && !term->has_offset) {
            term->has_offset = 1;
            term->offset = sum->constant;
            sum->has_constant = 0;
            return 1;
        }
    }
    return reader->status == LB_OK;
}

int lbio_fig_parse_sum(fig_reader *reader, fig_sum *sum) {
    fig_term **next = &sum->terms, *last = NULL;
    int line = reader->word_line;
    int negative = 0;
    if (lbio_fig_accept(reader, "-")) {
        negative = 1;
    } else {
        lbio_fig_accept(reader, "+");
    }
    do {
        if (!parse_term(reader, sum, &next, &last, negative)) {
            return 0;
        }
        negative = lbio_fig_is(reader, "-");
    } while (lbio_fig_accept(reader, "+") || lbio_fig_accept(reader, "-"));
    if (reader->status == LB_OK && !sum->terms) {
        return lbio_fig_fail(reader, line,
                             "this sum names no dof or parameter; a fixed value is set by `rest` and `frozen`");
    }
    return reader->status == LB_OK && settle_constant(reader, sum);
}

/* ---------------------------------------------------------------------------------------------------
 * Groups
 * ------------------------------------------------------------------------------------------------- */

static int parse_kind(fig_reader *reader, fig_parameter *parameter) {
    static const char *const known[] = {"angle", "length", "number"};
    if (!lbio_fig_once(reader, &parameter->kind_line, "kind") || !lbio_fig_expect(reader, "=")) {
        return 0;
    }
    if (lbio_fig_accept(reader, "angle")) {
        parameter->kind = FIG_ANGLE;
    } else if (lbio_fig_accept(reader, "length") || lbio_fig_accept(reader, "number")) {
        parameter->kind = FIG_LENGTH;
    } else {
        return lbio_fig_unknown(reader, "a kind of parameter", known, 3);
    }
    return lbio_fig_expect_end(reader, "the kind");
}

/* = value; `none` leaves the limit away */
static int parse_setting(fig_reader *reader, const char *what, int *line, int *has, fig_value *value) {
    if (!lbio_fig_once(reader, line, what) || !lbio_fig_expect(reader, "=")) {
        return 0;
    }
    int is_limit = what[1] == 'l'; /* llimit, ulimit */
    int in_list = lbio_fig_accept(reader, "(");
    if (is_limit && lbio_fig_accept(reader, "none")) {
        *has = 0;
    } else {
        *has = 1;
        if (!lbio_fig_read_value(reader, "a number", value)) {
            return 0;
        }
    }
    return (!in_list || lbio_fig_expect(reader, ")")) && lbio_fig_expect_end(reader, what);
}

static int parse_rigidity(fig_reader *reader, fig_parameter *parameter, int *line) {
    return lbio_fig_once(reader, line, "rigidity") && lbio_fig_expect(reader, "=") &&
           lbio_fig_read_plain(reader, "the rigidity", &parameter->rigidity) && lbio_fig_expect_end(reader, "rigidity");
}

static int parse_parameter_block(fig_reader *reader, fig_parameter *parameter) {
    static const char *const known[] = {"llimit", "ulimit", "rest", "rigidity", "kind"};
    int lines[4] = {0, 0, 0, 0};
    while (!lbio_fig_close(reader, "parameter", parameter->name, parameter->line)) {
        int well = 0;
        if (reader->status != LB_OK) {
            return 0;
        }
        if (lbio_fig_is(reader, "llimit")) {
            well = parse_setting(reader, "llimit", &lines[0], &parameter->has_lower, &parameter->lower);
        } else if (lbio_fig_is(reader, "ulimit")) {
            well = parse_setting(reader, "ulimit", &lines[1], &parameter->has_upper, &parameter->upper);
        } else if (lbio_fig_is(reader, "rest")) {
            well = parse_setting(reader, "rest", &lines[2], &parameter->has_rest, &parameter->rest);
        } else if (lbio_fig_is(reader, "rigidity")) {
            well = parse_rigidity(reader, parameter, &lines[3]);
        } else if (lbio_fig_is(reader, "kind")) {
            well = parse_kind(reader, parameter);
        } else {
            well = lbio_fig_unknown(reader, "a parameter", known, 5);
        }
        if (!well) {
            return 0;
        }
    }
    return 1;
}

/* Without a kind, the units tell it. */
static int settle_kind(fig_reader *reader, fig_parameter *parameter) {
    const fig_value *const values[3] = {&parameter->lower, &parameter->upper, &parameter->rest};
    const int given[3] = {parameter->has_lower, parameter->has_upper, parameter->has_rest};
    for (int i = 0; i < 3 && parameter->kind == FIG_PLAIN; i++) {
        parameter->kind = given[i] && values[i]->unit == FIG_LENGTH ? FIG_LENGTH : FIG_PLAIN;
    }
    parameter->kind = parameter->kind == FIG_PLAIN ? FIG_ANGLE : parameter->kind;
    for (int i = 0; i < 3; i++) {
        if (given[i] && !lbio_fig_check_unit(reader, values[i], parameter->kind, "this parameter")) {
            return 0;
        }
    }
    return 1;
}

/* [group.]name { ... } or [group.]name; with `parameter` already past */
int lbio_fig_parse_parameter(fig_reader *reader, fig_file *file, const char *group) {
    fig_parameter *parameter;
    FIG_ADD(reader, file->parameters, parameter);
    if (!parameter) {
        return 0;
    }
    parameter->line = reader->word_line;
    parameter->kind = FIG_PLAIN;
    parameter->group = group;
    if (group) {
        if (!lbio_fig_name(reader, "the parameter's name", &parameter->name)) {
            return 0;
        }
    } else {
        fig_ref ref;
        if (!lbio_fig_parse_ref(reader, "group.parameter", &ref)) {
            return 0;
        }
        if (!ref.second) {
            return lbio_fig_fail(reader, ref.line, "outside its group a parameter is written group.%s, not `%s`",
                                 ref.first, ref.first);
        }
        parameter->group = ref.first;
        parameter->name = ref.second;
    }
    if (!lbio_fig_accept(reader, ";") && (!lbio_fig_expect(reader, "{") || !parse_parameter_block(reader, parameter))) {
        return 0;
    }
    return settle_kind(reader, parameter);
}

/* joint.dof = sum; or += sum; with `drive` already past */
int lbio_fig_parse_drive(fig_reader *reader, fig_file *file, const char *group) {
    fig_drive *drive;
    FIG_ADD(reader, file->drives, drive);
    if (!drive || !lbio_fig_parse_ref(reader, "the dof to drive: joint.dof", &drive->target)) {
        return 0;
    }
    drive->group = group;
    if (lbio_fig_is(reader, "+=")) {
        drive->adds = 1;
        if (!lbio_fig_next(reader)) {
            return 0;
        }
    } else if (!lbio_fig_expect(reader, "=")) {
        return 0;
    }
    return lbio_fig_parse_sum(reader, &drive->sum) && lbio_fig_expect_end(reader, "the drive");
}

/* name { ... } with `group` already past */
int lbio_fig_parse_group(fig_reader *reader, fig_file *file) {
    static const char *const known[] = {"parameter", "drive"};
    fig_group *group;
    FIG_ADD(reader, file->groups, group);
    if (!group) {
        return 0;
    }
    group->line = reader->word_line;
    if (!lbio_fig_name(reader, "the group's name", &group->name) || !lbio_fig_expect(reader, "{")) {
        return 0;
    }
    while (!lbio_fig_close(reader, "group", group->name, group->line)) {
        if (reader->status != LB_OK) {
            return 0;
        }
        int well = lbio_fig_accept(reader, "parameter") ? lbio_fig_parse_parameter(reader, file, group->name)
                   : lbio_fig_accept(reader, "drive")   ? lbio_fig_parse_drive(reader, file, group->name)
                                                        : lbio_fig_unknown(reader, "a group", known, 2);
        if (!well) {
            return 0;
        }
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------
 * Limits
 * ------------------------------------------------------------------------------------------------- */

int lbio_fig_check_linear(fig_reader *reader, const fig_sum *sum, const char *what) {
    for (const fig_term *term = sum->terms; term; term = term->next) {
        if (term->has_offset) {
            return lbio_fig_fail(reader, term->offset.line, "%s has its number on the right side only", what);
        }
        if (term->curve != LB_CURVE_LINEAR) {
            return lbio_fig_fail(reader, term->ref.line, "%s is linear; curves belong into drives", what);
        }
    }
    return 1;
}

/* [name]: sum <= value; with `limit` already past */
int lbio_fig_parse_limit(fig_reader *reader, fig_file *file) {
    fig_limit *limit;
    FIG_ADD(reader, file->limits, limit);
    if (!limit) {
        return 0;
    }
    limit->line = reader->word_line;
    if (!lbio_fig_is(reader, ":") && !lbio_fig_name(reader, "the limit's name, or `:`", &limit->name)) {
        return 0;
    }
    if (!lbio_fig_expect(reader, ":") || !lbio_fig_parse_sum(reader, &limit->sum)) {
        return 0;
    }
    if (!lbio_fig_check_linear(reader, &limit->sum, "a limit")) {
        return 0;
    }
    limit->relation = lbio_fig_is(reader, "<=")   ? '<'
                      : lbio_fig_is(reader, ">=") ? '>'
                      : lbio_fig_is(reader, "=")  ? '='
                                                  : 0;
    if (!limit->relation) {
        return lbio_fig_unexpected(reader, "`<=`, `>=` or `=`");
    }
    return lbio_fig_next(reader) && lbio_fig_read_value(reader, "a number", &limit->bound) &&
           lbio_fig_expect_end(reader, "the limit");
}
