/* Joints of .fig files, and Denavit-Hartenberg chains. */
#include "io/fig/fig.h"

#include <string.h>

#define MAX_SWING 1000

/* A value, or `none`. */
static int parse_limit_value(fig_reader *reader, const char *what, fig_value *value) {
    if (lbio_fig_is(reader, "none")) {
        *value = (fig_value){0, FIG_NONE, reader->word_line, reader->start, reader->length, reader->start};
        return lbio_fig_next(reader);
    }
    return lbio_fig_read_value(reader, what, value);
}

/* = (a, b, ...); or, for one dof, = a; */
static int parse_values(fig_reader *reader, const char *what, int may_be_none, fig_values *values) {
    if (!lbio_fig_once(reader, &values->line, what) || !lbio_fig_expect(reader, "=")) {
        return 0;
    }
    int in_list = lbio_fig_accept(reader, "(");
    do {
        if (values->count == LB_JOINT_MAX_DOFS) {
            return lbio_fig_fail(reader, reader->word_line, "`%s` has more than %d values; a joint has at most %d dofs",
                                 what, LB_JOINT_MAX_DOFS, LB_JOINT_MAX_DOFS);
        }
        fig_value *value = &values->values[values->count];
        if (!(may_be_none ? parse_limit_value(reader, "a number or `none`", value)
                          : lbio_fig_read_value(reader, "a number", value))) {
            return 0;
        }
        values->count++;
    } while (in_list && lbio_fig_accept(reader, ","));
    return (!in_list || lbio_fig_expect(reader, ")")) && lbio_fig_expect_end(reader, what);
}

/* = anything up to `;`, given to the core without blanks and comments */
static int parse_type(fig_reader *reader, fig_joint *joint) {
    char text[512];
    size_t used = 0;
    if (!lbio_fig_once(reader, &joint->type_line, "type") || !lbio_fig_expect(reader, "=")) {
        return 0;
    }
    while (reader->word != FIG_END && !lbio_fig_is(reader, ";") && !lbio_fig_is(reader, "}")) {
        if (used + (size_t)reader->length + 1 > sizeof text) {
            return lbio_fig_fail(reader, joint->type_line, "this joint type is too long; a joint has at most 6 dofs");
        }
        memcpy(text + used, reader->start, (size_t)reader->length);
        used += (size_t)reader->length;
        if (!lbio_fig_next(reader)) {
            return 0;
        }
    }
    text[used] = 0;
    lb_error error;
    memset(&error, 0, sizeof error);
    if (used == 0) {
        return lbio_fig_unexpected(reader, "a joint type such as pin or R(z)*R(x)");
    }
    if (lb_joint_type_parse(text, &joint->type, &error) != LB_OK) {
        return lbio_fig_fail(reader, joint->type_line, "%s", error.message);
    }
    return lbio_fig_expect_end(reader, "the type");
}

static int parse_names(fig_reader *reader, fig_joint *joint) {
    if (!lbio_fig_once(reader, &joint->names_line, "names") || !lbio_fig_expect(reader, "=")) {
        return 0;
    }
    int in_list = lbio_fig_accept(reader, "(");
    do {
        if (joint->name_count == LB_JOINT_MAX_DOFS) {
            return lbio_fig_fail(reader, reader->word_line,
                                 "`names` has more than %d names; a joint has at most %d dofs", LB_JOINT_MAX_DOFS,
                                 LB_JOINT_MAX_DOFS);
        }
        if (!lbio_fig_name(reader, "the name of a dof", &joint->names[joint->name_count])) {
            return 0;
        }
        joint->name_count++;
    } while (in_list && lbio_fig_accept(reader, ","));
    return (!in_list || lbio_fig_expect(reader, ")")) && lbio_fig_expect_end(reader, "names");
}

static int parse_connect(fig_reader *reader, fig_joint *joint, int *line) {
    return lbio_fig_once(reader, line, "connect") && lbio_fig_parse_ref(reader, "segment.site", &joint->a) &&
           lbio_fig_expect(reader, "to") && lbio_fig_parse_ref(reader, "segment.site", &joint->b) &&
           lbio_fig_expect_end(reader, "connect");
}

/* (angle [, N sides]) */
static int parse_cone(fig_reader *reader, fig_joint *joint) {
    double sides = 32;
    int line = reader->word_line;
    if (!lbio_fig_expect(reader, "(") || !lbio_fig_read_unit(reader, FIG_ANGLE, "cone()", &joint->cone)) {
        return 0;
    }
    if (!(joint->cone > 0)) {
        return lbio_fig_fail(reader, line, "the angle of a cone must be above 0");
    }
    if (lbio_fig_accept(reader, ",")) {
        if (reader->word != FIG_NUMBER) {
            return lbio_fig_unexpected(reader, "a number of sides");
        }
        sides = reader->number;
        if (!lbio_fig_next(reader)) {
            return 0;
        }
        lbio_fig_accept(reader, "sides");
    }
    if (!(sides >= 3 && sides <= MAX_SWING) || sides != (double)(int)sides) {
        return lbio_fig_fail(reader, line, "a cone has 3 to %d sides, a whole number", MAX_SWING);
    }
    joint->cone_sides = (int)sides;
    return lbio_fig_expect(reader, ")");
}

/* ((a, b), (a, b), ...) */
static int parse_polygon(fig_reader *reader, fig_joint *joint) {
    fig_point **next = &joint->swing;
    if (!lbio_fig_expect(reader, "(")) {
        return 0;
    }
    do {
        fig_point *point = lbio_fig_take(reader, sizeof *point);
        if (!point || !lbio_fig_expect(reader, "(") || !lbio_fig_read_value(reader, "an angle", &point->x) ||
            !lbio_fig_check_unit(reader, &point->x, FIG_ANGLE, "polygon()") || !lbio_fig_expect(reader, ",") ||
            !lbio_fig_read_value(reader, "an angle", &point->y) ||
            !lbio_fig_check_unit(reader, &point->y, FIG_ANGLE, "polygon()") || !lbio_fig_expect(reader, ")")) {
            return 0;
        }
        *next = point;
        next = &point->next;
        if (++joint->swing_count > MAX_SWING) {
            return lbio_fig_fail(reader, joint->swing_line, "a swing polygon has at most %d corners", MAX_SWING);
        }
    } while (lbio_fig_accept(reader, ","));
    if (reader->status == LB_OK && joint->swing_count < 3) {
        return lbio_fig_fail(reader, joint->swing_line, "a swing polygon needs at least 3 corners");
    }
    return lbio_fig_expect(reader, ")");
}

static int parse_swing(fig_reader *reader, fig_joint *joint) {
    static const char *const known[] = {"cone", "polygon"};
    if (!lbio_fig_once(reader, &joint->swing_line, "swing") || !lbio_fig_expect(reader, "=")) {
        return 0;
    }
    int well = lbio_fig_accept(reader, "cone")      ? parse_cone(reader, joint)
               : lbio_fig_accept(reader, "polygon") ? parse_polygon(reader, joint)
                                                    : lbio_fig_unknown(reader, "a swing limit", known, 2);
    return well && lbio_fig_expect_end(reader, "swing");
}

static int parse_mimic(fig_reader *reader, fig_file *file, const fig_joint *joint, int *line) {
    fig_drive *drive;
    FIG_ADD(reader, file->drives, drive);
    if (!drive) {
        return 0;
    }
    drive->is_mimic = 1;
    drive->target = (fig_ref){joint->name, NULL, reader->word_line};
    return lbio_fig_once(reader, line, "mimic") && lbio_fig_expect(reader, "=") &&
           lbio_fig_parse_sum(reader, &drive->sum) && lbio_fig_expect_end(reader, "mimic");
}

typedef struct joint_lines {
    int connect, mimic, frozen;
} joint_lines;

/* What a drive can do. *is_drive: whether the statement is about that. */
static int parse_drive(fig_reader *reader, fig_joint *joint, int *is_drive) {
    const struct {
        const char *word;
        fig_values *values;
    } all[] = {{"velocity", &joint->velocity},
               {"acceleration", &joint->acceleration},
               {"effort", &joint->effort},
               {"soft_llimit", &joint->soft_lower},
               {"soft_ulimit", &joint->soft_upper}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        *is_drive = lbio_fig_is(reader, all[i].word);
        if (*is_drive) {
            return parse_values(reader, all[i].word, 1, all[i].values);
        }
    }
    return 0;
}

static int parse_joint_statement(fig_reader *reader, fig_file *file, fig_joint *joint, joint_lines *lines) {
    static const char *const known[] = {"connect",  "type",         "names",  "llimit",      "ulimit",
                                        "rest",     "rigidity",     "swing",  "mimic",       "frozen",
                                        "velocity", "acceleration", "effort", "soft_llimit", "soft_ulimit"};
    if (lbio_fig_is(reader, "connect")) {
        return parse_connect(reader, joint, &lines->connect);
    }
    if (lbio_fig_is(reader, "type")) {
        return parse_type(reader, joint);
    }
    if (lbio_fig_is(reader, "names")) {
        return parse_names(reader, joint);
    }
    if (lbio_fig_is(reader, "llimit")) {
        return parse_values(reader, "llimit", 1, &joint->lower);
    }
    if (lbio_fig_is(reader, "ulimit")) {
        return parse_values(reader, "ulimit", 1, &joint->upper);
    }
    if (lbio_fig_is(reader, "rest") || lbio_fig_is(reader, "displacement")) { /* the second is Jack's word */
        return parse_values(reader, "rest", 0, &joint->rest);
    }
    if (lbio_fig_is(reader, "rigidity")) {
        return parse_values(reader, "rigidity", 0, &joint->rigidity);
    }
    int is_drive;
    const int is_read = parse_drive(reader, joint, &is_drive);
    if (is_drive) {
        return is_read;
    }
    if (lbio_fig_is(reader, "swing")) {
        return parse_swing(reader, joint);
    }
    if (lbio_fig_is(reader, "mimic")) {
        return parse_mimic(reader, file, joint, &lines->mimic);
    }
    if (lbio_fig_is(reader, "frozen")) {
        joint->frozen = 1;
        return lbio_fig_once(reader, &lines->frozen, "frozen") && lbio_fig_expect_end(reader, "frozen");
    }
    return lbio_fig_unknown(reader, "a joint", known, (int)(sizeof known / sizeof known[0]));
}

/* name { ... } with `joint` already past */
int lbio_fig_parse_joint(fig_reader *reader, fig_file *file) {
    joint_lines lines = {0, 0, 0};
    fig_joint *joint;
    FIG_ADD(reader, file->joints, joint);
    if (!joint) {
        return 0;
    }
    joint->line = reader->word_line;
    if (!lbio_fig_name(reader, "the joint's name", &joint->name) || !lbio_fig_expect(reader, "{")) {
        return 0;
    }
    while (!lbio_fig_close(reader, "joint", joint->name, joint->line)) {
        if (reader->status != LB_OK || !parse_joint_statement(reader, file, joint, &lines)) {
            return 0;
        }
    }
    if (lines.connect == 0) {
        return lbio_fig_fail(reader, joint->line, "joint `%s` connects nothing; add `connect a.site to b.site;`",
                             joint->name);
    }
    if (joint->type_line == 0) {
        return lbio_fig_fail(reader, joint->line, "joint `%s` has no type; add `type = pin;`, R(z)*R(x), fixed, ...",
                             joint->name);
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------
 * Denavit-Hartenberg chains
 * ------------------------------------------------------------------------------------------------- */

/* (a = 0cm, alpha = 90deg, d = 67cm, theta = 0deg), any of them left out */
static int parse_link_numbers(fig_reader *reader, fig_link *link) {
    static const char *const words[] = {"a", "alpha", "d", "theta"};
    int lines[4] = {0, 0, 0, 0};
    double *const numbers[4] = {&link->a, &link->alpha, &link->d, &link->theta};
    if (!lbio_fig_expect(reader, "(")) {
        return 0;
    }
    do {
        int i = 0;
        while (i < 4 && !lbio_fig_is(reader, words[i])) {
            i++;
        }
        if (i == 4) {
            return lbio_fig_unknown(reader, "a link", words, 4);
        }
        if (!lbio_fig_once(reader, &lines[i], words[i]) || !lbio_fig_expect(reader, "=") ||
            !lbio_fig_read_unit(reader, i % 2 ? FIG_ANGLE : FIG_LENGTH, words[i], numbers[i])) {
            return 0;
        }
    } while (lbio_fig_accept(reader, ","));
    return lbio_fig_expect(reader, ")");
}

/* [lower, upper] */
static int parse_link_range(fig_reader *reader, fig_link *link) {
    fig_unit unit = link->is_prismatic ? FIG_LENGTH : FIG_ANGLE;
    const char *what = link->is_prismatic ? "the range of a prismatic link" : "the range of a revolute link";
    fig_value *const ends[2] = {&link->lower, &link->upper};
    link->has_range = 1;
    for (int i = 0; i < 2; i++) {
        if ((i > 0 && !lbio_fig_expect(reader, ",")) || !parse_limit_value(reader, "a number or `none`", ends[i])) {
            return 0;
        }
        if (ends[i]->unit != FIG_NONE && !lbio_fig_check_unit(reader, ends[i], unit, what)) {
            return 0;
        }
    }
    return lbio_fig_expect(reader, "]");
}

/* name (...) revolute|prismatic [lower, upper]; with `link` already past */
static int parse_link(fig_reader *reader, fig_chain *chain) {
    static const char *const kinds[] = {"revolute", "prismatic"};
    fig_link *link = lbio_fig_add_check(reader, chain->link_count) ? lbio_fig_take(reader, sizeof *link) : NULL;
    if (!link) {
        return 0;
    }
    *(chain->last_link ? &chain->last_link->next : &chain->links) = link;
    chain->last_link = link;
    chain->link_count++;
    link->line = reader->word_line;
    if (!lbio_fig_name(reader, "the joint's name", &link->name) || !parse_link_numbers(reader, link)) {
        return 0;
    }
    if (lbio_fig_accept(reader, "prismatic")) {
        link->is_prismatic = 1;
    } else if (!lbio_fig_accept(reader, "revolute")) {
        return lbio_fig_unknown(reader, "a link", kinds, 2);
    }
    if (lbio_fig_accept(reader, "[") && !parse_link_range(reader, link)) {
        return 0;
    }
    return lbio_fig_expect_end(reader, "the link");
}

static int parse_convention(fig_reader *reader, fig_chain *chain) {
    static const char *const known[] = {"standard", "modified"};
    if (!lbio_fig_expect(reader, "=")) {
        return 0;
    }
    if (lbio_fig_accept(reader, "modified")) {
        chain->convention = LB_DH_CONVENTION_MODIFIED;
    } else if (!lbio_fig_accept(reader, "standard")) {
        return lbio_fig_unknown(reader, "a convention", known, 2);
    }
    return lbio_fig_expect_end(reader, "the convention");
}

/* name { ... } with `dh` already past */
int lbio_fig_parse_chain(fig_reader *reader, fig_file *file) {
    static const char *const known[] = {"convention", "base", "link"};
    int convention_line = 0, base_line = 0;
    fig_chain *chain;
    FIG_ADD(reader, file->chains, chain);
    if (!chain) {
        return 0;
    }
    chain->line = reader->word_line;
    chain->order = file->order++;
    chain->convention = LB_DH_CONVENTION_STANDARD;
    if (!lbio_fig_name(reader, "the chain's name", &chain->name) || !lbio_fig_expect(reader, "{")) {
        return 0;
    }
    while (!lbio_fig_close(reader, "dh", chain->name, chain->line)) {
        int well = 0;
        if (reader->status != LB_OK) {
            return 0;
        }
        if (lbio_fig_is(reader, "convention")) {
            well = lbio_fig_once(reader, &convention_line, "convention") && parse_convention(reader, chain);
        } else if (lbio_fig_is(reader, "base")) {
            well = lbio_fig_once(reader, &base_line, "base") && lbio_fig_expect(reader, "=") &&
                   lbio_fig_parse_ref(reader, "segment.site", &chain->base) && lbio_fig_expect_end(reader, "base");
        } else if (lbio_fig_accept(reader, "link")) {
            well = parse_link(reader, chain);
        } else {
            well = lbio_fig_unknown(reader, "a dh chain", known, 3);
        }
        if (!well) {
            return 0;
        }
    }
    if (base_line == 0) {
        return lbio_fig_fail(reader, chain->line, "dh `%s` stands nowhere; add `base = segment.site;`", chain->name);
    }
    return chain->link_count > 0 ||
           lbio_fig_fail(reader, chain->line, "dh `%s` has no link; add `link j1 (d = 30cm, alpha = 90deg) revolute;`",
                         chain->name);
}
