/* Clips: a figure's poses at even times. */
#include <limber/motion.h>

#include "figure/error.h"
#include "figure/figure.h"

struct lb_clip {
    const lb_figure *figure;
    lb_allocator allocator;
    int frame_count;
    double frame_time;
    double *poses; /* [frame][variable] */
};

static size_t value_count(const lb_clip *clip) {
    return (size_t)clip->frame_count * (size_t)clip->figure->variable_count;
}

lb_clip *lb_clip_create(const lb_figure *figure, int frame_count, double frame_time, lb_error *error) {
    if (!figure) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "a clip needs a figure");
    }
    if (frame_count < 1 || !(frame_time > 0) || !lbm_is_finite(frame_time)) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "a clip needs at least 1 frame, and a time above 0 between frames");
    }
    lb_allocator allocator = figure->draft.allocator;
    lb_clip *clip = lbf_new(&allocator, 1, sizeof *clip);
    if (!clip) {
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
    }
    *clip = (lb_clip){figure, allocator, frame_count, frame_time, NULL};
    clip->poses = lbf_new(&allocator, value_count(clip), sizeof *clip->poses);
    if (!clip->poses) {
        lb_clip_destroy(clip);
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
    }
    lbf_clear(error);
    for (int i = 0; i < frame_count; i++) {
        lb_figure_rest_pose(figure, lb_clip_pose(clip, i));
    }
    return clip;
}

void lb_clip_destroy(lb_clip *clip) {
    if (!clip) {
        return;
    }
    lb_allocator allocator = clip->allocator;
    lbf_delete(&allocator, clip->poses, value_count(clip), sizeof *clip->poses);
    lbf_delete(&allocator, clip, 1, sizeof *clip);
}

const lb_figure *lb_clip_figure(const lb_clip *clip) { return clip ? clip->figure : NULL; }
int lb_clip_frame_count(const lb_clip *clip) { return clip ? clip->frame_count : 0; }
double lb_clip_frame_time(const lb_clip *clip) { return clip ? clip->frame_time : 0; }
double lb_clip_duration(const lb_clip *clip) { return clip ? (clip->frame_count - 1) * clip->frame_time : 0; }

const double *lb_clip_const_pose(const lb_clip *clip, int frame) {
    if (!clip) {
        return NULL;
    }
    if (frame < 0 || frame >= clip->frame_count) {
        return NULL;
    }
    return clip->poses + (size_t)frame * (size_t)clip->figure->variable_count;
}

double *lb_clip_pose(lb_clip *clip, int frame) { return clip ? (double *)lb_clip_const_pose(clip, frame) : NULL; }
