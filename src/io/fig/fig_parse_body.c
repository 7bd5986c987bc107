/* The body of a .fig file: what makes the figure stand, reach and look as a person does (limber/body.h). */
#include "io/fig/fig.h"

#include <string.h>

/* A number that is not negative and has no unit; a word may follow it. */
static int parse_weight(fig_reader *reader, const char *what, double *number) {
    fig_value value;
    if (!lbio_fig_read_leading(reader, what, &value) || !lbio_fig_check_unit(reader, &value, FIG_PLAIN, what)) {
        return 0;
    }
    if (value.number < 0) {
        return lbio_fig_fail(reader, value.line, "%s must not be negative", what);
    }
    *number = value.number == 0 ? 0 : value.number; /* no -0 */
    return 1;
}

/* The name of a part, and its place in a list that holds at most LB_BODY_PARTS. */
static int parse_name(fig_reader *reader, const char *what, int count, const char **name, int *line) {
    *line = reader->word_line;
    if (count > LB_BODY_PARTS) {
        return lbio_fig_fail_status(reader, LB_ERROR_TOO_LARGE, *line, "a body has at most %d parts of one kind",
                                    LB_BODY_PARTS);
    }
    return lbio_fig_name(reader, what, name);
}

static int parse_limb(fig_reader *reader, int *limb) {
    fig_value value;
    if (!lbio_fig_read_value(reader, "the number of a limb", &value) ||
        !lbio_fig_check_unit(reader, &value, FIG_PLAIN, "the number of a limb")) {
        return 0;
    }
    if (!(value.number >= 0 && value.number < LB_BODY_LIMBS) || value.number != (double)(int)value.number) {
        return lbio_fig_fail(reader, value.line, "limbs have whole numbers from 0 to %d", LB_BODY_LIMBS - 1);
    }
    *limb = (int)value.number;
    return 1;
}

static int parse_segment_name(fig_reader *reader, fig_ref *ref) {
    ref->line = reader->word_line;
    ref->second = NULL;
    return lbio_fig_name(reader, "the name of a segment", &ref->first);
}

/* --- Variables ---------------------------------------------------------------------------------------------------------- */

/* variable = weight [huber value] [comfort weight]; */
static int parse_posture(fig_reader *reader, fig_body *body) {
    fig_posture *posture;
    FIG_ADD(reader, body->postures, posture);
    if (!posture || !lbio_fig_parse_ref(reader, "the name of a variable", &posture->variable) ||
        !lbio_fig_expect(reader, "=") || !parse_weight(reader, "the weight of a posture", &posture->weight)) {
        return 0;
    }
    if (lbio_fig_accept(reader, "huber")) {
        if (!lbio_fig_read_leading(reader, "the distance from which the cost grows linearly", &posture->huber)) {
            return 0;
        }
        if (!(posture->huber.number > 0)) {
            return lbio_fig_fail(reader, posture->huber.line, "the distance after `huber` must be above 0");
        }
    }
    if (lbio_fig_accept(reader, "comfort") && !parse_weight(reader, "the weight of comfort", &posture->comfort)) {
        return 0;
    }
    return lbio_fig_expect_end(reader, "the posture");
}

/* name: sum <= value weight number; */
static int parse_ease(fig_reader *reader, fig_body *body) {
    fig_ease *ease;
    FIG_ADD(reader, body->eases, ease);
    if (!ease || !parse_name(reader, "the ease's name", body->eases.count, &ease->name, &ease->line) ||
        !lbio_fig_expect(reader, ":") || !lbio_fig_parse_sum(reader, &ease->sum) ||
        !lbio_fig_check_linear(reader, &ease->sum, "an ease")) {
        return 0;
    }
    ease->sign = lbio_fig_is(reader, ">=") ? -1 : 1;
    if (!lbio_fig_is(reader, "<=") && !lbio_fig_is(reader, ">=")) {
        return lbio_fig_unexpected(reader, "`<=` or `>=`");
    }
    return lbio_fig_next(reader) && lbio_fig_read_leading(reader, "a number", &ease->bound) &&
           lbio_fig_expect(reader, "weight") && parse_weight(reader, "the weight of an ease", &ease->weight) &&
           lbio_fig_expect_end(reader, "the ease");
}

/* name { variable = value; ... } */
static int parse_start(fig_reader *reader, fig_body *body) {
    fig_start *start;
    FIG_ADD(reader, body->starts, start);
    if (!start || !parse_name(reader, "the name of a pose", body->starts.count, &start->name, &start->line) ||
        !lbio_fig_expect(reader, "{")) {
        return 0;
    }
    while (!lbio_fig_close(reader, "start", start->name, start->line)) {
        fig_setting *setting;
        FIG_ADD(reader, start->settings, setting);
        if (!setting || !lbio_fig_parse_ref(reader, "the name of a variable", &setting->variable) ||
            !lbio_fig_expect(reader, "=") || !lbio_fig_read_value(reader, "a number", &setting->value) ||
            !lbio_fig_expect_end(reader, "the value")) {
            return 0;
        }
    }
    return 1;
}

/* --- What may touch ----------------------------------------------------------------------------------------------------- */

/* name = capsule(segment, point, point, radius); */
static int parse_solid(fig_reader *reader, fig_body *body) {
    static const char *const known[] = {"capsule"};
    fig_solid *solid;
    FIG_ADD(reader, body->solids, solid);
    if (!solid || !parse_name(reader, "the solid's name", body->solids.count, &solid->name, &solid->line) ||
        !lbio_fig_expect(reader, "=")) {
        return 0;
    }
    if (!lbio_fig_is(reader, "capsule")) {
        return lbio_fig_unknown(reader, "a solid", known, 1);
    }
    int line = reader->word_line;
    if (!lbio_fig_next(reader) || !lbio_fig_expect(reader, "(") || !parse_segment_name(reader, &solid->segment) ||
        !lbio_fig_expect(reader, ",") ||
        !lbio_fig_parse_triple(reader, FIG_LENGTH, "the end of a capsule", solid->from) ||
        !lbio_fig_expect(reader, ",") ||
        !lbio_fig_parse_triple(reader, FIG_LENGTH, "the end of a capsule", solid->to) ||
        !lbio_fig_expect(reader, ",") ||
        !lbio_fig_read_unit(reader, FIG_LENGTH, "the radius of a capsule", &solid->radius) ||
        !lbio_fig_expect(reader, ")")) {
        return 0;
    }
    if (solid->radius < 0) {
        return lbio_fig_fail(reader, line, "the radius of a capsule must not be negative");
    }
    return lbio_fig_expect_end(reader, "the solid");
}

/* [, radius]) [limb number] */
static int parse_contact_end(fig_reader *reader, fig_contact *contact) {
    if (lbio_fig_accept(reader, ",")) {
        int line = reader->word_line;
        if (!lbio_fig_read_unit(reader, FIG_LENGTH, "the radius of a contact", &contact->radius)) {
            return 0;
        }
        if (contact->radius < 0) {
            return lbio_fig_fail(reader, line, "the radius of a contact must not be negative");
        }
    }
    return lbio_fig_expect(reader, ")") && (!lbio_fig_accept(reader, "limb") || parse_limb(reader, &contact->limb)) &&
           lbio_fig_expect_end(reader, "the contact");
}

/* name = kind(segment, point [, radius]) [limb number]; */
static int parse_contact(fig_reader *reader, fig_body *body) {
    fig_contact *contact;
    FIG_ADD(reader, body->contacts, contact);
    if (!contact || !parse_name(reader, "the contact's name", body->contacts.count, &contact->name, &contact->line) ||
        !lbio_fig_expect(reader, "=")) {
        return 0;
    }
    const char *known[16];
    int kinds = 0;
    contact->kind = contact->limb = -1;
    for (; kinds < 16 && lb_contact_kind_name((lb_contact_kind)kinds)[0]; kinds++) {
        known[kinds] = lb_contact_kind_name((lb_contact_kind)kinds);
        if (lbio_fig_is(reader, known[kinds])) {
            contact->kind = kinds;
        }
    }
    if (contact->kind < 0) {
        return lbio_fig_unknown(reader, "a kind of contact", known, kinds);
    }
    return lbio_fig_next(reader) && lbio_fig_expect(reader, "(") && parse_segment_name(reader, &contact->segment) &&
           lbio_fig_expect(reader, ",") &&
           lbio_fig_parse_triple(reader, FIG_LENGTH, "the point of a contact", contact->point) &&
           parse_contact_end(reader, contact);
}

/* name = moment of segment [by axis]; */
static int parse_strength(fig_reader *reader, fig_body *body) {
    fig_strength *strength;
    FIG_ADD(reader, body->strengths, strength);
    if (!strength ||
        !parse_name(reader, "the strength's name", body->strengths.count, &strength->name, &strength->line) ||
        !lbio_fig_expect(reader, "=")) {
        return 0;
    }
    int line = reader->word_line;
    if (!parse_weight(reader, "a strength", &strength->moment)) {
        return 0;
    }
    if (strength->moment == 0) {
        return lbio_fig_fail(reader, line, "a strength must be above 0; leave it out if there is none");
    }
    if (!lbio_fig_expect(reader, "of") || !parse_segment_name(reader, &strength->segment)) {
        return 0;
    }
    strength->by_axis = lbio_fig_accept(reader, "by");
    return (!strength->by_axis || lbio_fig_expect(reader, "axis")) && lbio_fig_expect_end(reader, "the strength");
}

/* --- Arms --------------------------------------------------------------------------------------------------------------- */

/* word = segment */
static int parse_arm_segment(fig_reader *reader, const char *word, int *line, fig_ref *segment) {
    return lbio_fig_once(reader, line, word) && lbio_fig_expect(reader, "=") && parse_segment_name(reader, segment);
}

static int parse_arm_part(fig_reader *reader, fig_arm *arm) {
    static const char *const known[] = {"limb", "shoulder", "hand", "palm", "lap"};
    if (lbio_fig_is(reader, "limb")) {
        return lbio_fig_once(reader, &arm->limb_line, "limb") && lbio_fig_expect(reader, "=") &&
               parse_limb(reader, &arm->limb) && lbio_fig_expect_end(reader, "the limb");
    }
    if (lbio_fig_is(reader, "shoulder")) {
        return parse_arm_segment(reader, "shoulder", &arm->shoulder_line, &arm->shoulder) &&
               lbio_fig_expect_end(reader, "the shoulder");
    }
    if (lbio_fig_is(reader, "hand")) {
        return parse_arm_segment(reader, "hand", &arm->hand_line, &arm->hand) &&
               lbio_fig_expect_end(reader, "the hand");
    }
    if (lbio_fig_is(reader, "palm")) {
        return lbio_fig_once(reader, &arm->palm_line, "palm") && lbio_fig_expect(reader, "=") &&
               lbio_fig_parse_ref(reader, "the palm: segment.site", &arm->palm) &&
               lbio_fig_expect_end(reader, "the palm");
    }
    if (lbio_fig_is(reader, "lap")) {
        return parse_arm_segment(reader, "lap", &arm->lap_line, &arm->lap) &&
               lbio_fig_parse_triple(reader, FIG_LENGTH, "the point of the lap", arm->lap_point) &&
               lbio_fig_expect_end(reader, "the lap");
    }
    return lbio_fig_unknown(reader, "an arm", known, (int)(sizeof known / sizeof known[0]));
}

/* name { limb = number; shoulder = segment; hand = segment; palm = site; lap = segment point; } */
static int parse_arm(fig_reader *reader, fig_body *body) {
    fig_arm *arm;
    FIG_ADD(reader, body->arms, arm);
    if (!arm || !parse_name(reader, "the arm's name", body->arms.count, &arm->name, &arm->line) ||
        !lbio_fig_expect(reader, "{")) {
        return 0;
    }
    arm->limb = -1;
    while (!lbio_fig_close(reader, "arm", arm->name, arm->line)) {
        if (reader->status != LB_OK || !parse_arm_part(reader, arm)) {
            return 0;
        }
    }
    if (!arm->shoulder_line || !arm->hand_line) {
        return lbio_fig_fail(reader, arm->line, "arm `%s` has no %s; add `%s = segment;`", arm->name,
                             arm->shoulder_line ? "hand" : "shoulder", arm->shoulder_line ? "hand" : "shoulder");
    }
    return 1;
}

/* --- Looking ------------------------------------------------------------------------------------------------------------ */

/* (segment, ...) */
static int parse_eyes(fig_reader *reader, fig_body *body) {
    if (!lbio_fig_once(reader, &body->eyes_line, "eyes") || !lbio_fig_expect(reader, "=") ||
        !lbio_fig_expect(reader, "(")) {
        return 0;
    }
    do {
        fig_eye *eye;
        FIG_ADD(reader, body->eyes, eye);
        if (!eye || !parse_segment_name(reader, &eye->segment)) {
            return 0;
        }
        if (body->eyes.count > LB_BODY_PARTS) {
            return lbio_fig_fail_status(reader, LB_ERROR_TOO_LARGE, eye->segment.line, "a body has at most %d eyes",
                                        LB_BODY_PARTS);
        }
    } while (lbio_fig_accept(reader, ","));
    return lbio_fig_expect(reader, ")") && lbio_fig_expect_end(reader, "the eyes");
}

static int parse_head(fig_reader *reader, fig_body *body) {
    return lbio_fig_once(reader, &body->head_line, "head") && lbio_fig_expect(reader, "=") &&
           parse_segment_name(reader, &body->head) && lbio_fig_expect_end(reader, "the head");
}

static int parse_gaze(fig_reader *reader, fig_body *body) {
    return lbio_fig_once(reader, &body->gaze_line, "gaze") && lbio_fig_expect(reader, "=") &&
           lbio_fig_parse_ref(reader, "the gaze: segment.site", &body->gaze) && lbio_fig_expect_end(reader, "the gaze");
}

/* --- All of it ---------------------------------------------------------------------------------------------------------- */

typedef int parse_part(fig_reader *reader, fig_body *body);

int lbio_fig_parse_body(fig_reader *reader, fig_file *file) {
    static const char *const known[] = {"posture", "solid", "contact", "strength", "ease",
                                        "arm",     "start", "head",    "gaze",     "eyes"};
    static parse_part *const parts[] = {parse_posture, parse_solid, parse_contact, parse_strength, parse_ease,
                                        parse_arm,     parse_start, parse_head,    parse_gaze,     parse_eyes};
    enum { COUNT = sizeof known / sizeof known[0], FIRST_SINGLE = 7 }; /* head, gaze and eyes note their own line */
    if (!lbio_fig_once(reader, &file->body.line, "body") || !lbio_fig_expect(reader, "{")) {
        return 0;
    }
    while (!lbio_fig_close(reader, "the", "body", file->body.line)) {
        int part = 0;
        while (part < COUNT && !lbio_fig_is(reader, known[part])) {
            part++;
        }
        if (part == COUNT || reader->status != LB_OK) {
            return lbio_fig_unknown(reader, "a body", known, COUNT);
        }
        if ((part < FIRST_SINGLE && !lbio_fig_next(reader)) || !parts[part](reader, &file->body)) {
            return 0;
        }
    }
    return 1;
}
