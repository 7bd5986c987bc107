/* The MOTION part of a BVH file, checked in one pass. A skeleton needs its first frame only; a clip, all. */
#include "io/bvh/bvh.h"

#include <math.h>
#include <string.h>

/* "Frames:" and "Frame Time:", with or without blanks around the colon. Leaves the number's word in *number. */
static lb_status expect_label(lbio_bvh_scanner *scanner, const char *first, const char *second, lbio_bvh_word *number) {
    const char *const labels[2] = {first, second};
    const char *shown = second ? "Frame Time: SECONDS" : "Frames: COUNT";
    for (int i = 0; i < 2 && labels[i]; i++) {
        lbio_bvh_word word = lbio_bvh_next(scanner);
        int length = (int)strlen(labels[i]), is_last = i == 1 || !labels[1];
        lbio_bvh_word label = word;
        label.length = word.length < length ? word.length : length;
        int rest = word.length - length;
        if (!lbio_bvh_is(&label, labels[i]) || (rest > 0 && (!is_last || word.text[length] != ':'))) {
            return lbio_fail(scanner->source, LB_ERROR_SYNTAX, word.line ? word.line : scanner->line,
                             "expected \"%s\" here, not \"%.*s\"", shown, word.length < 60 ? word.length : 60,
                             word.text);
        }
        if (!is_last) {
            continue;
        }
        if (rest > 1) { /* "Frames:12" */
            *number = (lbio_bvh_word){word.text + length + 1, rest - 1, word.line};
            return LB_OK;
        }
        *number = lbio_bvh_next(scanner);
        if (rest == 0) { /* the colon comes by itself, or in front of the number */
            if (number->length == 0 || number->text[0] != ':') {
                return lbio_fail(scanner->source, LB_ERROR_SYNTAX, number->line,
                                 "expected \"%s\" here: a colon is missing", shown);
            }
            *number = number->length > 1 ? (lbio_bvh_word){number->text + 1, number->length - 1, number->line}
                                         : lbio_bvh_next(scanner);
        }
    }
    return LB_OK;
}

static int could_be_number(const lbio_bvh_word *word) {
    for (int i = 0; i < word->length; i++) {
        char c = word->text[i];
        if (!((c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E')) {
            return 0;
        }
    }
    return 1;
}

/* nan, inf, -1.#IND and their like: what programs print when a computation went wrong. */
static int is_not_finite(const lbio_bvh_word *word) {
    const char *text = word->text;
    int length = word->length;
    if (length > 0 && (*text == '-' || *text == '+')) {
        text++;
        length--;
    }
    lbio_bvh_word start = {text, length < 3 ? length : 3, word->line};
    return lbio_bvh_is(&start, "nan") || lbio_bvh_is(&start, "inf") || lbio_bvh_is(&start, "1.#");
}

/* Keeps a value of the motion; returns 0 if there is no memory. */
static int keep(lbio_bvh *bvh, double value) {
    if (bvh->kept_count == bvh->kept_capacity) {
        size_t wanted = bvh->kept_capacity ? bvh->kept_capacity * 2 : 4096;
        double *grown =
            lbio_resize(bvh->allocator, bvh->values, bvh->kept_capacity * sizeof *grown, wanted * sizeof *grown);
        if (!grown) {
            return 0;
        }
        bvh->values = grown;
        bvh->kept_capacity = wanted;
    }
    bvh->values[bvh->kept_count++] = value;
    return 1;
}

/* All rows in one pass: counts the numbers, keeps the first frame, or all. A value that is not finite stays as in the
 * frame before. */
static lb_status read_rows(lbio_bvh *bvh, lbio_bvh_scanner *scanner, double *count) {
    int warned = 0;
    *count = 0;
    for (;;) {
        lbio_bvh_word word = lbio_bvh_next(scanner);
        if (word.length == 0) {
            return LB_OK;
        }
        size_t row = (size_t)bvh->value_count;
        double value = row > 0 && bvh->values && bvh->kept_count >= row ? bvh->values[bvh->kept_count - row] : 0;
        int is_first = *count < bvh->value_count;
        if (could_be_number(&word)) {
            if (is_first || bvh->keeps_motion) {
                lb_status status = lbio_bvh_number(scanner, &word, "a number of the motion", &value);
                if (status != LB_OK) {
                    return status;
                }
            }
            if (is_first) {
                bvh->first[(int)*count] = value;
            }
        } else if (!is_not_finite(&word)) {
            return lbio_fail(scanner->source, LB_ERROR_SYNTAX, word.line, "\"%.*s\" in the motion is no number",
                             word.length < 60 ? word.length : 60, word.text);
        } else if (!warned) {
            lbio_warn(scanner->source, word.line, "the motion has a value that is not finite, \"%.*s\"",
                      word.length < 60 ? word.length : 60, word.text);
            warned = 1;
        }
        if (bvh->keeps_motion && !keep(bvh, value)) {
            return lbio_fail(scanner->source, LB_ERROR_MEMORY, word.line, "out of memory");
        }
        *count += 1;
    }
}

static void compare_counts(const lbio_bvh *bvh, const lbio_bvh_scanner *scanner, int line, double frames,
                           double count) {
    if (count == frames * bvh->value_count) {
        return;
    }
    double rows = bvh->value_count ? count / bvh->value_count : 0;
    if (rows == floor(rows) && rows > 0) {
        lbio_warn(scanner->source, line, "\"Frames: %.0f\", but the motion has %.0f rows", frames, rows);
    } else {
        lbio_warn(scanner->source, line, "%.0f frames of %d channels should be %.0f numbers, but the motion has %.0f",
                  frames, bvh->value_count, frames * bvh->value_count, count);
    }
}

lb_status lbio_bvh_read_motion(lbio_bvh *bvh, lbio_bvh_scanner *scanner) {
    lbio_bvh_word word;
    double frames = 0, seconds = 0, count = 0;
    lb_status status = expect_label(scanner, "Frames", NULL, &word);
    int line = word.line;
    if (status == LB_OK) {
        status = lbio_bvh_number(scanner, &word, "a number of frames", &frames);
    }
    if (status == LB_OK && !(frames >= 0 && frames == floor(frames))) {
        status =
            lbio_fail(scanner->source, LB_ERROR_SYNTAX, line, "the number of frames should be whole and not below 0");
    }
    if (status == LB_OK) {
        status = expect_label(scanner, "Frame", "Time", &word);
    }
    if (status == LB_OK) {
        status = lbio_bvh_number(scanner, &word, "a time in seconds", &seconds);
    }
    if (status == LB_OK && !(seconds > 0)) {
        lbio_warn(scanner->source, word.line, "\"Frame Time: %g\" should be above 0", seconds);
    }
    if (status == LB_OK) {
        status = read_rows(bvh, scanner, &count);
    }
    if (status == LB_OK) {
        compare_counts(bvh, scanner, line, frames, count);
        double rows = bvh->value_count ? floor(count / bvh->value_count) : 0;
        bvh->frame_count = (int)fmin(fmin(rows, frames), 1e9);
        bvh->frame_time = seconds > 0 ? seconds : 1.0 / 30;
    }
    return status;
}

/* Which variable a channel moves; -1: none. Translations are a joint's first dofs, then its rotations. */
static int channel_variable(const lb_figure *figure, int joint, const lbio_bvh_joint *from, int channel) {
    int is_rotation = from->channels[channel] >= LBIO_BVH_X_ROTATION;
    lb_dof_ref ref = {joint, 0, -1};
    for (int c = 0; c < from->channel_count; c++) {
        int other = from->channels[c] >= LBIO_BVH_X_ROTATION;
        ref.dof += other == is_rotation ? c < channel : is_rotation;
    }
    return lb_figure_variable_of(figure, &ref);
}

/* Metres or radians that one of a channel's values means. */
static double channel_unit(const lbio_bvh *bvh, const lbio_bvh_joint *from, int channel) {
    return from->channels[channel] >= LBIO_BVH_X_ROTATION ? LBIO_BVH_DEGREE : bvh->unit;
}

void lbio_bvh_first_pose(const lbio_bvh *bvh, const lb_figure *figure, double *pose) {
    for (int j = 0; j < bvh->joint_count; j++) {
        const lbio_bvh_joint *from = &bvh->joints[j];
        for (int c = 0; c < from->channel_count; c++) {
            int variable = channel_variable(figure, j, from, c);
            if (variable >= 0) {
                pose[variable] = bvh->first[from->first_value + c] * channel_unit(bvh, from, c);
            }
        }
    }
}

lb_status lbio_bvh_make_clip(const lbio_source *source, const lbio_bvh *bvh, const lb_figure *figure, lb_clip **clip) {
    int frames = bvh->frame_count;
    *clip = lb_clip_create(figure, frames, bvh->frame_time, NULL);
    if (!*clip) {
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory for %d frames", frames);
    }
    for (int j = 0; j < bvh->joint_count; j++) {
        const lbio_bvh_joint *from = &bvh->joints[j];
        for (int c = 0; c < from->channel_count; c++) {
            int variable = channel_variable(figure, j, from, c);
            double unit = channel_unit(bvh, from, c);
            const double *value = bvh->values + from->first_value + c;
            for (int f = 0; f < frames && variable >= 0; f++, value += bvh->value_count) {
                lb_clip_pose(*clip, f)[variable] = *value * unit;
            }
        }
    }
    return LB_OK;
}
