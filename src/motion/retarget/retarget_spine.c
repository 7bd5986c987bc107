/* Bones between two parts that are known: of the spine between pelvis and chest, of the neck between it and the head.
 * The source's turn as they do along its own bones, however many there are; the target's bones take from that what is
 * as far along. */
#include "figure/error.h"
#include "math/rotation.h"
#include "motion/retarget/retarget.h"

/* The spans, each from a part to one above it. */
static const int spans[LBT_SPANS][2] = {{LB_BODY_PART_PELVIS, LB_BODY_PART_CHEST},
                                        {LB_BODY_PART_NECK, LB_BODY_PART_HEAD}};

/* How many bones there are from below `to` down to `from`, that one not counted; -1 where they do not hang together. */
static int count_between(const lb_figure *figure, int from, int to) {
    int count = 0;
    if (from < 0 || to < 0) {
        return -1;
    }
    for (int s = to; s != from; s = lb_figure_parent_segment(figure, s), count++) {
        if (s < 0) {
            return -1;
        }
    }
    return count;
}

lb_status lbt_retarget_measure_spans(lbt_retarget *w, const lb_body_map *map) {
    const lb_figure *figure = lb_clip_figure(w->clip);
    if (w->reference_frame >= 0 && lb_kinematics_update(w->kinematics[0], lbt_source_pose(w, w->reference_frame))) {
        return LB_ERROR_ARGUMENT;
    }
    for (int k = 0; k < LBT_SPANS; k++) {
        lbt_span *span = &w->wishes.spans[k];
        const int from = map->source[spans[k][0]], to = map->source[spans[k][1]];
        span->count = count_between(figure, from, to);
        for (int i = span->count, s = to; i > 0; i--, s = lb_figure_parent_segment(figure, s)) {
            if (i <= LBT_SPAN_BONES) {
                span->segments[i - 1] = s;
            }
        }
        span->count = span->count > LBT_SPAN_BONES ? -1 : span->count;
        for (int i = 0; i < span->count; i++) {
            lb_frame frame;
            lb_status status = lb_kinematics_segment(w->kinematics[0], span->segments[i], &frame);
            if (status) {
                return status;
            }
            lbt_turn_back(frame.rotation, span->back_w[i]);
        }
    }
    return LB_OK;
}

/* The change of the source's bone number i of a span since the reference pose. The first and the last are parts. */
static void read_change(lbt_retarget *w, int k, int i, int count, double change[4]) {
    const int is_part = i == 0 || i == count, part = spans[k][i > 0];
    double back[4], point[3], turn[4];
    if (is_part) {
        lbt_turn_back(w->source.rest_turn_w[part], back);
        lbt_body_part(&w->source, part, point, turn);
        lb_rotation_multiply(turn, back, change);
    } else {
        lb_frame frame;
        lb_kinematics_segment(w->kinematics[0], w->wishes.spans[k].segments[i - 1], &frame);
        lb_rotation_multiply(frame.rotation, w->wishes.spans[k].back_w[i - 1], change);
    }
}

/* How far up a span a segment of the target is, above 0 and below 1; -1 where it is none of its inner bones. */
static double along_span(const lbt_retarget *w, int k, int segment) {
    const int from = w->target.segments[spans[k][0]], to = w->target.segments[spans[k][1]];
    const int count = count_between(w->target.figure, from, to);
    const int above = count > 0 ? count_between(w->target.figure, segment, to) : -1;
    return above > 0 && above < count ? (double)(count - above) / count : -1;
}

int lbt_retarget_turn_between(lbt_retarget *w, int segment, double turn[4]) {
    for (int k = 0; k < LBT_SPANS; k++) {
        const double along = w->has[spans[k][0]] && w->has[spans[k][1]] ? along_span(w, k, segment) : -1;
        const int count = w->wishes.spans[k].count > 1 ? w->wishes.spans[k].count : 1;
        double low[4], high[4], back[4];
        if (along < 0) {
            continue;
        }
        const double at = along * count;
        const int below = at < count - 1 ? (int)at : count - 1;
        read_change(w, k, below, count, low);
        read_change(w, k, below + 1, count, high);
        lbt_turn_between(low, high, at - below, turn);
        lb_rotation_multiply(turn, w->source.facing_w, turn);
        lbt_turn_back(w->target.facing_w, back);
        lb_rotation_multiply(turn, back, turn);
        lb_rotation_multiply(turn, w->wishes.rest_turns[segment], turn);
        return 1;
    }
    return 0;
}
