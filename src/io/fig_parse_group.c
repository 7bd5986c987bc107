/* Joint groups, drives and limits of .fig files: everything with sums of terms. */
#include "io/fig.h"

#include <string.h>

#define MAX_POINTS 100000

/* ---------------------------------------------------------------------------------------------------
 * Sums: 0.5 * hip.rx - flexion + spline(lateral, (x, y), ...) + 10deg
 * ------------------------------------------------------------------------------------------------- */

/* (source, (x, y), (x, y), ...) */
static int parse_curve(fig_reader *reader, fig_term *term) {
    fig_point **next = &term->points;
    if (!fig_expect(reader, "(") || !fig_parse_ref(reader, "what the curve depends on", &term->ref)) {
        return 0;
    }
    while (fig_accept(reader, ",")) {
        fig_point *point = fig_take(reader, sizeof *point);
        if (!point || !fig_expect(reader, "(") || !fig_read_value(reader, "a number", &point->x) ||
            !fig_expect(reader, ",") || !fig_read_value(reader, "a number", &point->y) || !fig_expect(reader, ")")) {
            return 0;
        }
        *next = point;
        next = &point->next;
        if (++term->point_count > MAX_POINTS) {
            return fig_fail(reader, reader->word_line, "a curve has at most %d points", MAX_POINTS);
        }
    }
    if (reader->status == LB_OK && term->point_count < 2) {
        return fig_fail(reader, term->ref.line, "a curve needs at least two points: (x, y), (x, y)");
    }
    return fig_expect(reader, ")");
}

/* What follows a coefficient: a name, or a curve. */
static int parse_source(fig_reader *reader, fig_term *term) {
    fig_word word = reader->word;
    if (word == FIG_NAME && (fig_is(reader, "spline") || fig_is(reader, "polyline"))) {
        lb_curve_kind curve = fig_is(reader, "spline") ? LB_CURVE_SPLINE : LB_CURVE_POLYLINE;
        fig_reader before = *reader; /* a joint may have that name too: then no parenthesis follows */
        if (!fig_next(reader)) {
            return 0;
        }
        if (fig_is(reader, "(")) {
            term->curve = curve;
            return parse_curve(reader, term);
        }
        before.blocks = reader->blocks;
        *reader = before;
    }
    return fig_parse_ref(reader, "a number, or the name of a dof or parameter", &term->ref);
}

static int add_constant(fig_reader *reader, fig_sum *sum, fig_term *last, const fig_value *value) {
    int belongs = last && last->curve == LB_CURVE_LINEAR;
    int *has = belongs ? &last->has_offset : &sum->has_constant;
    fig_value *constant = belongs ? &last->offset : &sum->constant;
    if (*has) {
        return fig_fail(reader, value->line, "two numbers stand beside each other in this sum; add them up");
    }
    *has = 1;
    *constant = *value;
    return 1;
}

/* One term behind its sign: number, number * source, source, source * number. */
static int parse_term(fig_reader *reader, fig_sum *sum, fig_term ***next, fig_term **last, int negative) {
    fig_value number = {1, FIG_PLAIN, reader->word_line, reader->start, 0, reader->start};
    int has_number = reader->word == FIG_NUMBER || fig_is(reader, "-") || fig_is(reader, "+");
    if (has_number && !fig_read_value(reader, "a number", &number)) {
        return 0;
    }
    number.number = negative ? -number.number : number.number;
    if (has_number && !fig_is(reader, "*")) {
        return add_constant(reader, sum, *last, &number);
    }
    fig_term *term = fig_add_check(reader, sum->term_count) ? fig_take(reader, sizeof *term) : NULL;
    if (!term || (has_number && !fig_next(reader)) || !parse_source(reader, term)) {
        return 0;
    }
    if (!has_number && fig_accept(reader, "*")) {
        if (!fig_read_value(reader, "a number", &number)) {
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

int fig_parse_sum(fig_reader *reader, fig_sum *sum) {
    fig_term **next = &sum->terms, *last = NULL;
    int line = reader->word_line;
    int negative = 0;
    if (fig_accept(reader, "-")) {
        negative = 1;
    } else {
        fig_accept(reader, "+");
    }
    do {
        if (!parse_term(reader, sum, &next, &last, negative)) {
            return 0;
        }
        negative = fig_is(reader, "-");
    } while (fig_accept(reader, "+") || fig_accept(reader, "-"));
    if (reader->status == LB_OK && !sum->terms) {
        return fig_fail(reader, line,
                        "this sum names no dof or parameter; a fixed value is set by `rest` and `frozen`");
    }
    return reader->status == LB_OK && settle_constant(reader, sum);
}

/* ---------------------------------------------------------------------------------------------------
 * Groups
 * ------------------------------------------------------------------------------------------------- */

static int parse_kind(fig_reader *reader, fig_parameter *parameter) {
    static const char *const known[] = {"angle", "length", "number"};
    if (!fig_once(reader, &parameter->kind_line, "kind") || !fig_expect(reader, "=")) {
        return 0;
    }
    if (fig_accept(reader, "angle")) {
        parameter->kind = FIG_ANGLE;
    } else if (fig_accept(reader, "length") || fig_accept(reader, "number")) {
        parameter->kind = FIG_LENGTH;
    } else {
        return fig_unknown(reader, "a kind of parameter", known, 3);
    }
    return fig_expect_end(reader, "the kind");
}

/* = value; `none` leaves the limit away */
static int parse_setting(fig_reader *reader, const char *what, int *line, int *has, fig_value *value) {
    if (!fig_once(reader, line, what) || !fig_expect(reader, "=")) {
        return 0;
    }
    int is_limit = what[1] == 'l'; /* llimit, ulimit */
    int in_list = fig_accept(reader, "(");
    if (is_limit && fig_accept(reader, "none")) {
        *has = 0;
    } else {
        *has = 1;
        if (!fig_read_value(reader, "a number", value)) {
            return 0;
        }
    }
    return (!in_list || fig_expect(reader, ")")) && fig_expect_end(reader, what);
}

static int parse_rigidity(fig_reader *reader, fig_parameter *parameter, int *line) {
    return fig_once(reader, line, "rigidity") && fig_expect(reader, "=") &&
           fig_read_plain(reader, "the rigidity", &parameter->rigidity) && fig_expect_end(reader, "rigidity");
}

static int parse_parameter_block(fig_reader *reader, fig_parameter *parameter) {
    static const char *const known[] = {"llimit", "ulimit", "rest", "rigidity", "kind"};
    int lines[4] = {0, 0, 0, 0};
    while (!fig_close(reader, "parameter", parameter->name, parameter->line)) {
        int well = 0;
        if (reader->status != LB_OK) {
            return 0;
        }
        if (fig_is(reader, "llimit")) {
            well = parse_setting(reader, "llimit", &lines[0], &parameter->has_lower, &parameter->lower);
        } else if (fig_is(reader, "ulimit")) {
            well = parse_setting(reader, "ulimit", &lines[1], &parameter->has_upper, &parameter->upper);
        } else if (fig_is(reader, "rest")) {
            well = parse_setting(reader, "rest", &lines[2], &parameter->has_rest, &parameter->rest);
        } else if (fig_is(reader, "rigidity")) {
            well = parse_rigidity(reader, parameter, &lines[3]);
        } else if (fig_is(reader, "kind")) {
            well = parse_kind(reader, parameter);
        } else {
            well = fig_unknown(reader, "a parameter", known, 5);
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
        if (given[i] && !fig_check_unit(reader, values[i], parameter->kind, "this parameter")) {
            return 0;
        }
    }
    return 1;
}

/* [group.]name { ... } or [group.]name; with `parameter` already past */
int fig_parse_parameter(fig_reader *reader, fig_file *file, const char *group) {
    fig_parameter *parameter;
    FIG_ADD(reader, file->parameters, parameter);
    if (!parameter) {
        return 0;
    }
    parameter->line = reader->word_line;
    parameter->kind = FIG_PLAIN;
    parameter->group = group;
    if (group) {
        if (!fig_name(reader, "the parameter's name", &parameter->name)) {
            return 0;
        }
    } else {
        fig_ref ref;
        if (!fig_parse_ref(reader, "group.parameter", &ref)) {
            return 0;
        }
        if (!ref.second) {
            return fig_fail(reader, ref.line, "outside its group a parameter is written group.%s, not `%s`", ref.first,
                            ref.first);
        }
        parameter->group = ref.first;
        parameter->name = ref.second;
    }
    if (!fig_accept(reader, ";") && (!fig_expect(reader, "{") || !parse_parameter_block(reader, parameter))) {
        return 0;
    }
    return settle_kind(reader, parameter);
}

/* joint.dof = sum; or += sum; with `drive` already past */
int fig_parse_drive(fig_reader *reader, fig_file *file, const char *group) {
    fig_drive *drive;
    FIG_ADD(reader, file->drives, drive);
    if (!drive || !fig_parse_ref(reader, "the dof to drive: joint.dof", &drive->target)) {
        return 0;
    }
    drive->group = group;
    if (fig_is(reader, "+=")) {
        drive->adds = 1;
        if (!fig_next(reader)) {
            return 0;
        }
    } else if (!fig_expect(reader, "=")) {
        return 0;
    }
    return fig_parse_sum(reader, &drive->sum) && fig_expect_end(reader, "the drive");
}

/* name { ... } with `group` already past */
int fig_parse_group(fig_reader *reader, fig_file *file) {
    static const char *const known[] = {"parameter", "drive"};
    fig_group *group;
    FIG_ADD(reader, file->groups, group);
    if (!group) {
        return 0;
    }
    group->line = reader->word_line;
    if (!fig_name(reader, "the group's name", &group->name) || !fig_expect(reader, "{")) {
        return 0;
    }
    while (!fig_close(reader, "group", group->name, group->line)) {
        if (reader->status != LB_OK) {
            return 0;
        }
        int well = fig_accept(reader, "parameter") ? fig_parse_parameter(reader, file, group->name)
                   : fig_accept(reader, "drive")   ? fig_parse_drive(reader, file, group->name)
                                                   : fig_unknown(reader, "a group", known, 2);
        if (!well) {
            return 0;
        }
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------
 * Limits
 * ------------------------------------------------------------------------------------------------- */

/* [name]: sum <= value; with `limit` already past */
int fig_parse_limit(fig_reader *reader, fig_file *file) {
    fig_limit *limit;
    FIG_ADD(reader, file->limits, limit);
    if (!limit) {
        return 0;
    }
    limit->line = reader->word_line;
    if (!fig_is(reader, ":") && !fig_name(reader, "the limit's name, or `:`", &limit->name)) {
        return 0;
    }
    if (!fig_expect(reader, ":") || !fig_parse_sum(reader, &limit->sum)) {
        return 0;
    }
    for (const fig_term *term = limit->sum.terms; term; term = term->next) {
        if (term->has_offset) {
            return fig_fail(reader, term->offset.line, "a limit has its number on the right side only");
        }
        if (term->curve != LB_CURVE_LINEAR) {
            return fig_fail(reader, term->ref.line, "a limit is linear; curves belong into drives");
        }
    }
    limit->relation = fig_is(reader, "<=") ? '<' : fig_is(reader, ">=") ? '>' : fig_is(reader, "=") ? '=' : 0;
    if (!limit->relation) {
        return fig_unexpected(reader, "`<=`, `>=` or `=`");
    }
    return fig_next(reader) && fig_read_value(reader, "a number", &limit->bound) && fig_expect_end(reader, "the limit");
}
