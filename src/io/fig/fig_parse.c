/* What a .fig file says: the figure itself, and what several statements share. The grammar stands in docs/fig.md;
 * every function below reads one rule of it. */
#include "io/fig/fig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int lbio_fig_add_check(fig_reader *reader, int count) {
    if (count < FIG_MAX_PARTS) {
        return reader->status == LB_OK;
    }
    return lbio_fig_fail_status(reader, LB_ERROR_TOO_LARGE, reader->word_line,
                                "more than %d parts of one kind; is this a figure?", FIG_MAX_PARTS);
}

int lbio_fig_unknown(fig_reader *reader, const char *where, const char *const *known, int count) {
    if (reader->status != LB_OK) {
        return 0;
    }
    if (reader->word == FIG_NAME) {
        char word[64] = "";
        memcpy(word, reader->start, (size_t)(reader->length < 63 ? reader->length : 63));
        const char *near = lbio_nearest(word, known, count);
        if (near) {
            return lbio_fig_fail(reader, reader->word_line, "unknown `%s` in %s; did you mean `%s`?", word, where,
                                 near);
        }
    }
    char expected[400] = "one of";
    for (int i = 0; i < count; i++) {
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, " %s", known[i]);
    }
    size_t used = strlen(expected);
    snprintf(expected + used, sizeof expected - used, " in %s", where);
    return lbio_fig_unexpected(reader, expected);
}

int lbio_fig_once(fig_reader *reader, int *line, const char *word) {
    if (*line > 0) {
        return lbio_fig_fail(reader, reader->word_line, "`%s` is given twice (first in line %d); keep one", word,
                             *line);
    }
    *line = reader->word_line;
    return lbio_fig_next(reader);
}

int lbio_fig_close(fig_reader *reader, const char *what, const char *name, int line) {
    while (lbio_fig_accept(reader, ";")) {
    }
    if (reader->status != LB_OK) {
        return 0;
    }
    if (reader->word == FIG_END) {
        return lbio_fig_fail(reader, reader->word_line, "the file ends inside %s `%s` (begun in line %d); add `}`",
                             what, name, line);
    }
    return lbio_fig_accept(reader, "}");
}

int lbio_fig_parse_ref(fig_reader *reader, const char *what, fig_ref *ref) {
    ref->line = reader->word_line;
    ref->second = NULL;
    if (!lbio_fig_name(reader, what, &ref->first)) {
        return 0;
    }
    return lbio_fig_accept(reader, ".") ? lbio_fig_name(reader, "a name after the point", &ref->second)
                                        : reader->status == LB_OK;
}

/* (a, b, c) with the opening parenthesis already there */
int lbio_fig_parse_triple(fig_reader *reader, fig_unit unit, const char *what, double values[3]) {
    if (!lbio_fig_expect(reader, "(")) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        if ((i > 0 && !lbio_fig_expect(reader, ",")) || !lbio_fig_read_unit(reader, unit, what, &values[i])) {
            return 0;
        }
    }
    return lbio_fig_expect(reader, ")");
}

/* ---------------------------------------------------------------------------------------------------
 * Frames: trans(x, y, z) * rot(axis, angle) * ...
 * ------------------------------------------------------------------------------------------------- */

static const char *const FRAME_WORDS[] = {"trans", "rot", "xyz", "rpy", "quat"};

int lbio_fig_is_frame(const fig_reader *reader) {
    for (int i = 0; i < 5; i++) {
        if (lbio_fig_is(reader, FRAME_WORDS[i])) {
            return 1;
        }
    }
    return 0;
}

static int parse_axis(fig_reader *reader, double axis[3]) {
    if (lbio_fig_is(reader, "(")) {
        int line = reader->word_line;
        if (!lbio_fig_parse_triple(reader, FIG_PLAIN, "the axis of a rotation", axis)) {
            return 0;
        }
        if (axis[0] == 0 && axis[1] == 0 && axis[2] == 0) {
            return lbio_fig_fail(reader, line, "the axis (0, 0, 0) has no direction; write x, y, z or another vector");
        }
        return 1;
    }
    double sign = lbio_fig_accept(reader, "-") ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        const char word[2] = {"xyz"[i], 0};
        axis[i] = 0;
        if (lbio_fig_is(reader, word)) {
            axis[0] = axis[1] = axis[2] = 0;
            axis[i] = sign;
            return lbio_fig_next(reader);
        }
    }
    return lbio_fig_unexpected(reader, "an axis: x, y, z or a vector such as (0.6, 0, 0.8)");
}

static int parse_rot(fig_reader *reader, double rotation[4]) {
    double axis[3], angle;
    int line = reader->word_line;
    if (!lbio_fig_expect(reader, "(") || !parse_axis(reader, axis) || !lbio_fig_expect(reader, ",") ||
        !lbio_fig_read_unit(reader, FIG_ANGLE, "rot()", &angle) || !lbio_fig_expect(reader, ")")) {
        return 0;
    }
    return lb_rotation_about(axis, angle, rotation) == LB_OK ||
           lbio_fig_fail(reader, line, "this rotation has no direction; its axis is too short or too long");
}

/* Rx * Ry * Rz */
static int parse_xyz(fig_reader *reader, double rotation[4]) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double angles[3];
    if (!lbio_fig_parse_triple(reader, FIG_ANGLE, "xyz()", angles)) {
        return 0;
    }
    lb_frame total, turn;
    lb_frame_identity(&total);
    for (int i = 0; i < 3; i++) {
        lb_frame_identity(&turn);
        lb_rotation_about(axes[i], angles[i], turn.rotation);
        lb_frame_multiply(&total, &turn, &total);
    }
    memcpy(rotation, total.rotation, sizeof total.rotation);
    return 1;
}

static int parse_quat(fig_reader *reader, double rotation[4]) {
    int line = reader->word_line;
    double sum = 0, largest = 0;
    if (!lbio_fig_expect(reader, "(")) {
        return 0;
    }
    for (int i = 0; i < 4; i++) {
        if ((i > 0 && !lbio_fig_expect(reader, ",")) ||
            !lbio_fig_read_plain(reader, "quat(x, y, z, w)", &rotation[i])) {
            return 0;
        }
        largest = fmax(largest, fabs(rotation[i]));
    }
    if (!(largest > 1e-100 && largest < 1e100)) {
        return lbio_fig_fail(reader, line, "this quaternion has no direction; quat(0, 0, 0, 1) is no rotation");
    }
    for (int i = 0; i < 4; i++) {
        sum += rotation[i] * rotation[i];
    }
    if (!(fabs(sum - 1) < 4e-15)) { /* what the builder takes as a unit stays as it is, to the bit */
        for (int i = 0; i < 4; i++) {
            rotation[i] /= sqrt(sum);
        }
    }
    return lbio_fig_expect(reader, ")");
}

static int parse_frame_term(fig_reader *reader, lb_frame *frame) {
    lb_frame_identity(frame);
    if (lbio_fig_accept(reader, "trans")) {
        return lbio_fig_parse_triple(reader, FIG_LENGTH, "trans()", frame->position);
    }
    if (lbio_fig_accept(reader, "rot")) {
        return parse_rot(reader, frame->rotation);
    }
    if (lbio_fig_accept(reader, "xyz")) {
        return parse_xyz(reader, frame->rotation);
    }
    if (lbio_fig_accept(reader, "rpy")) {
        double angles[3];
        if (!lbio_fig_parse_triple(reader, FIG_ANGLE, "rpy()", angles)) {
            return 0;
        }
        lb_rotation_from_rpy(angles, frame->rotation);
        return 1;
    }
    if (lbio_fig_accept(reader, "quat")) {
        return parse_quat(reader, frame->rotation);
    }
    return lbio_fig_unknown(reader, "a frame", FRAME_WORDS, 5);
}

/* frame * term; a shift followed by a turn keeps the bits of both, which a product of quaternions would not. */
static void append_frame(lb_frame *frame, const lb_frame *term) {
    const double *p = term->position, *q = frame->rotation;
    if (p[0] == 0 && p[1] == 0 && p[2] == 0 && q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 1) {
        memcpy(frame->rotation, term->rotation, sizeof frame->rotation);
    } else {
        lb_frame_multiply(frame, term, frame);
    }
}

int lbio_fig_parse_frame(fig_reader *reader, lb_frame *frame) {
    int line = reader->word_line;
    if (!parse_frame_term(reader, frame)) {
        return 0;
    }
    while (lbio_fig_accept(reader, "*")) {
        lb_frame term;
        if (!parse_frame_term(reader, &term)) {
            return 0;
        }
        append_frame(frame, &term);
    }
    for (int i = 0; i < 3; i++) {
        if (!(fabs(frame->position[i]) < 1e150)) {
            return lbio_fig_fail(reader, line, "this frame lies too far away to compute with");
        }
    }
    return reader->status == LB_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * The figure
 * ------------------------------------------------------------------------------------------------- */

/* root = segment[.site] [free] [at frame]; */
static int parse_root(fig_reader *reader, fig_file *file) {
    if (!lbio_fig_once(reader, &file->root_line, "root") || !lbio_fig_expect(reader, "=") ||
        !lbio_fig_parse_ref(reader, "the name of the root segment", &file->root)) {
        return 0;
    }
    if (!lbio_fig_is(reader, ";") && !lbio_fig_is(reader, "free") && !lbio_fig_is(reader, "at")) {
        return lbio_fig_unexpected(reader, "`free`, `at` or `;` after the root");
    }
    file->root_is_free = lbio_fig_accept(reader, "free");
    if (lbio_fig_is(reader, "at")) {
        if (!lbio_fig_once(reader, &file->place_line, "at") || !lbio_fig_parse_frame(reader, &file->placement)) {
            return 0;
        }
    }
    return lbio_fig_expect_end(reader, "the root");
}

/* location = frame; Peabody's way to place a figure */
static int parse_location(fig_reader *reader, fig_file *file) {
    return lbio_fig_once(reader, &file->place_line, "location") && lbio_fig_expect(reader, "=") &&
           lbio_fig_parse_frame(reader, &file->placement) && lbio_fig_expect_end(reader, "the location");
}

static int parse_stature(fig_reader *reader, fig_file *file) {
    if (!lbio_fig_once(reader, &file->stature_line, "stature") || !lbio_fig_expect(reader, "=") ||
        !lbio_fig_read_unit(reader, FIG_LENGTH, "the stature", &file->stature)) {
        return 0;
    }
    if (!(file->stature > 0)) {
        return lbio_fig_fail(reader, file->stature_line, "the stature must be above 0; leave it out if there is none");
    }
    return lbio_fig_expect_end(reader, "the stature");
}

static int parse_statement(fig_reader *reader, fig_file *file) {
    static const char *const known[] = {"segment", "joint",     "group",   "limit", "dh",       "site", "shape",
                                        "drive",   "parameter", "stature", "root",  "location", "body", "rest"};
    if (lbio_fig_accept(reader, "segment")) {
        return lbio_fig_parse_segment(reader, file);
    }
    if (lbio_fig_accept(reader, "joint")) {
        return lbio_fig_parse_joint(reader, file);
    }
    if (lbio_fig_accept(reader, "site")) {
        return lbio_fig_parse_site(reader, file, NULL);
    }
    if (lbio_fig_accept(reader, "shape")) {
        return lbio_fig_parse_shape(reader, file, NULL);
    }
    if (lbio_fig_accept(reader, "group")) {
        return lbio_fig_parse_group(reader, file);
    }
    if (lbio_fig_accept(reader, "parameter")) {
        return lbio_fig_parse_parameter(reader, file, NULL);
    }
    if (lbio_fig_accept(reader, "drive")) {
        return lbio_fig_parse_drive(reader, file, NULL);
    }
    if (lbio_fig_accept(reader, "limit")) {
        return lbio_fig_parse_limit(reader, file);
    }
    if (lbio_fig_accept(reader, "dh")) {
        return lbio_fig_parse_chain(reader, file);
    }
    if (lbio_fig_is(reader, "body")) {
        return lbio_fig_parse_body(reader, file);
    }
    if (lbio_fig_is(reader, "rest")) {
        return lbio_fig_parse_rests(reader, file);
    }
    if (lbio_fig_is(reader, "root")) {
        return parse_root(reader, file);
    }
    if (lbio_fig_is(reader, "location")) {
        return parse_location(reader, file);
    }
    if (lbio_fig_is(reader, "stature")) {
        return parse_stature(reader, file);
    }
    if (lbio_fig_is(reader, "attribute")) {
        return lbio_fig_skip_old(reader);
    }
    return lbio_fig_unknown(reader, "a figure", known, (int)(sizeof known / sizeof known[0]));
}

int lbio_fig_parse(fig_reader *reader, fig_file *file) {
    lb_frame_identity(&file->placement);
    if (!lbio_fig_start(reader)) {
        return 0;
    }
    if (reader->word == FIG_END) {
        return lbio_fig_fail(reader, 0, "is empty; a figure was expected, e.g. figure arm { segment upper { } }");
    }
    file->line = reader->word_line;
    if (!lbio_fig_expect(reader, "figure") || !lbio_fig_name(reader, "the figure's name", &file->name) ||
        !lbio_fig_expect(reader, "{")) {
        return 0;
    }
    file->close = reader->start;
    while (!lbio_fig_close(reader, "figure", file->name, file->line)) {
        if (reader->status != LB_OK || !parse_statement(reader, file)) {
            return 0;
        }
        file->close = reader->start;
    }
    while (lbio_fig_accept(reader, ";")) {
    }
    if (reader->status == LB_OK && reader->word != FIG_END) {
        return lbio_fig_unexpected(reader, lbio_fig_is(reader, "figure") ? "the end of the file (one figure a file)"
                                                                         : "the end of the file");
    }
    return reader->status == LB_OK;
}
