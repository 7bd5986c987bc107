/* Plays a motion: poses at any time, in any order, always the same. */
#include <string.h>

#include "figure/sized.h"
#include "math/rotation.h"
#include "math/rounding.h"
#include "motion/scene.h"
#include "motion/spline.h"
#include "solve/call.h"

/* A stretch of time under one set of rules: from when a stage begins, or something is taken up or put down, to the next
 * such moment. Poses are solved at its begin and every step after it, each from the one before. */
typedef struct span {
    int stage;
    int64_t begin, end; /* the end is the next one's begin */
    int hold_count;
    lbt_hold *holds; /* [carries of the stage] */
    lbt_scene *scene;
    double *entry; /* the pose that it begins with, before its own goals are asked for */
    int pose_count, pose_capacity;
    double *poses; /* [pose_count][variables] */
} span;

struct lb_player {
    lb_allocator allocator;
    const lb_motion *motion;
    lb_player_options options;
    lb_solve_options solve;
    int64_t step;
    lb_error error;
    int span_count, span_capacity;
    span *spans;
    double *scratch; /* [4][most variables of a stage] */
    size_t width;    /* most variables of a stage */
};

#define FAIL(player, status, ...) lbf_fail(&(player)->error, status, __VA_ARGS__, (char *)0)
#define MAX_NUMBERS ((size_t)1 << 28) /* of cached poses in one span: 2 GB */

static const lbt_stage *stage_of(const lb_player *p, const span *s) { return &p->motion->stages[s->stage]; }
static size_t variables(const lb_player *p, const span *s) { return (size_t)stage_of(p, s)->problem->variable_count; }

static const lbf_sized options_kind = LBF_SIZED(lb_player_options, warn_context);

void lb_player_options_defaults_sized(lb_player_options *options, size_t struct_size) {
    static const lb_player_options defaults = {.step = 1.0 / 120};
    lbf_default_sized(&options_kind, &defaults, options, struct_size);
}

/* --- Spans ------------------------------------------------------------------------------------------------- */

static int add_span(lb_player *p, int stage, int64_t begin) {
    if (!lbf_grow(&p->allocator, (void **)&p->spans, &p->span_capacity, p->span_count + 1, sizeof *p->spans)) {
        return 0;
    }
    span *s = &p->spans[p->span_count++];
    memset(s, 0, sizeof *s);
    s->stage = stage;
    s->begin = begin;
    s->end = LBT_NEVER;
    if (p->span_count > 1) {
        s[-1].end = begin;
    }
    return 1;
}

static int make_spans(lb_player *p) {
    const lb_motion *m = p->motion;
    for (int i = 0; i < m->stage_count; i++) {
        const lbt_stage *stage = &m->stages[i];
        int64_t at = stage->from, end = i + 1 < m->stage_count ? stage[1].from : LBT_NEVER;
        while (at < end) {
            if (!add_span(p, i, at)) {
                return 0;
            }
            int64_t next = end;
            for (int k = 0; k < stage->carry_count; k++) {
                const lbt_carry *c = &stage->carries[k];
                if (c->from > at && c->from < next) {
                    next = c->from;
                }
                if (c->to > at && c->to < next) {
                    next = c->to;
                }
            }
            at = next;
        }
    }
    return 1;
}

static int allocate_spans(lb_player *p) {
    for (int i = 0; i < p->span_count; i++) {
        span *s = &p->spans[i];
        size_t n = variables(p, s);
        if (n > p->width) {
            p->width = n;
        }
        s->entry = lbf_new(&p->allocator, n, sizeof *s->entry);
        s->holds = lbf_new(&p->allocator, (size_t)stage_of(p, s)->carry_count, sizeof *s->holds);
        if (!s->entry || !s->holds) {
            return 0;
        }
    }
    p->scratch = lbf_new(&p->allocator, 4 * p->width, sizeof *p->scratch);
    return p->scratch != NULL;
}

/* Whole options from the caller's, of the player and of its solves. */
static lb_status take_options(const lb_player_options *given, lb_player_options *options, lb_solve_options *solve,
                              lb_error *error) {
    lb_player_options_defaults(options);
    lb_status status = lbf_take_sized(&options_kind, given, options, error);
    status = status ? status : lbs_take_options(options->options, solve, error);
    if (!status && !options->options) {
        solve->tracking = solve->keep_going = 1;
    }
    if (!status && !(options->step >= 1e-6 && options->step <= 1e6)) {
        status = lbf_fail(error, LB_ERROR_ARGUMENT, "a player's step is 1e-6 to 1e6 seconds", (char *)0);
    }
    return status;
}

lb_player *lb_player_create(const lb_motion *motion, const lb_player_options *given, lb_error *error) {
    lb_player_options options;
    lb_solve_options solve;
    if (!motion) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "there is no motion to play");
    }
    if (take_options(given, &options, &solve, error)) {
        return NULL;
    }
    lb_player *p = lbf_new(&motion->allocator, 1, sizeof *p);
    if (!p) {
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
    }
    p->allocator = motion->allocator;
    p->motion = motion;
    p->options = options;
    p->solve = solve;
    p->step = lbt_ticks(options.step);
    p->options.options = &p->solve;
    if (make_spans(p) && allocate_spans(p)) {
        lbf_clear(error);
        return p;
    }
    lbf_fail(error, LB_ERROR_MEMORY, "out of memory", (char *)0);
    lb_player_destroy(p);
    return NULL;
}

void lb_player_destroy(lb_player *p) {
    if (!p) {
        return;
    }
    lb_allocator a = p->allocator;
    for (int i = 0; i < p->span_count; i++) {
        span *s = &p->spans[i];
        size_t n = variables(p, s);
        lbt_scene_destroy(s->scene);
        lbf_delete(&a, s->entry, n, sizeof *s->entry);
        lbf_delete(&a, s->holds, (size_t)stage_of(p, s)->carry_count, sizeof *s->holds);
        if (s->poses) {
            lbf_delete(&a, s->poses, (size_t)s->pose_capacity, n * sizeof *s->poses);
        }
    }
    if (p->spans) {
        lbf_delete(&a, p->spans, (size_t)p->span_capacity, sizeof *p->spans);
    }
    lbf_delete(&a, p->scratch, 4 * p->width, sizeof *p->scratch);
    lbf_delete(&a, p, 1, sizeof *p);
}

const lb_error *lb_player_error(const lb_player *p) { return p ? &p->error : NULL; }

/* --- Marching ------------------------------------------------------------------------------------------------ */

/* The pose at a time, from one that is `since` ticks older; with since 0, which does not count in rates, both may be
 * one. */
static lb_status solve(lb_player *p, span *s, int64_t time, int64_t since, const double *before, double *pose,
                       lb_result *result) {
    const lbt_moment moment = {time, time == s->end, lbt_seconds(since)};
    lb_status status = lbt_scene_solve(s->scene, &moment, &p->solve, before, pose, result);
    if (!status) {
        return LB_OK;
    }
    char text[32];
    return FAIL(p, status, "at ", lbf_decimal_text(lbt_seconds(time), text),
                " s: ", result->explanation[0] ? result->explanation : lb_status_text(status));
}

static lb_status segment_frame(lb_player *p, const lb_problem *problem, const double *pose, int figure, int segment,
                               lb_frame *frame_w) {
    lb_kinematics *k = lb_kinematics_create(problem->figures[figure], NULL);
    if (!k) {
        return FAIL(p, LB_ERROR_MEMORY, "out of memory");
    }
    lb_status status = lb_kinematics_update(k, pose + problem->first_variables[figure]);
    if (!status) {
        status = lb_kinematics_segment(k, segment, frame_w);
    }
    lb_kinematics_destroy(k);
    return status;
}

/* What is carried from now on, and how it lies: as before, or, just taken up, as it is in the entry pose. */
static lb_status take_up(lb_player *p, span *s, const span *before) {
    const lbt_stage *stage = stage_of(p, s);
    s->hold_count = 0;
    for (int i = 0; i < stage->carry_count; i++) {
        const lbt_carry *c = &stage->carries[i];
        if (c->from > s->begin || c->to <= s->begin) {
            continue;
        }
        lbt_hold *hold = &s->holds[s->hold_count++];
        hold->carry = c;
        int found = 0;
        for (int k = 0; before && before->stage == s->stage && k < before->hold_count; k++) {
            if (before->holds[k].carry == c) {
                *hold = before->holds[k];
                found = 1;
            }
        }
        if (found) {
            continue;
        }
        lb_frame carrier, object;
        lb_status status = segment_frame(p, stage->problem, s->entry, c->carrier, c->segment, &carrier);
        if (!status) {
            status = segment_frame(p, stage->problem, s->entry, c->object,
                                   stage->problem->figures[c->object]->draft.root.segment, &object);
        }
        if (status) {
            return status;
        }
        lb_frame_invert(&carrier, &carrier);
        lb_frame_multiply(&carrier, &object, &hold->relative);
    }
    return LB_OK;
}

/* Steps of a span: those that begin before it ends. */
static int64_t step_count(const lb_player *p, const span *s) {
    return s->end == LBT_NEVER ? LBT_NEVER : (s->end - s->begin + p->step - 1) / p->step;
}

static lb_status open_span(lb_player *p, int index) {
    span *s = &p->spans[index], *before = index > 0 ? s - 1 : NULL;
    if (s->scene) {
        return LB_OK;
    }
    const lbt_stage *stage = stage_of(p, s);
    if (!before) {
        memcpy(s->entry, p->motion->start, variables(p, s) * sizeof *s->entry);
    } else {
        size_t n = variables(p, before);
        lb_result result;
        double *last = p->scratch;
        lb_result_defaults(&result);
        int64_t since = s->begin - before->begin - (before->pose_count - 1) * p->step;
        lb_status status =
            solve(p, before, s->begin, since, before->poses + (size_t)(before->pose_count - 1) * n, last, &result);
        if (status) {
            return status;
        }
        if (before->stage == s->stage) {
            memcpy(s->entry, last, n * sizeof *last);
        } else if (!lbt_carry_over(stage_of(p, before)->problem, last, stage->problem, s->entry)) {
            return FAIL(p, LB_ERROR_MEMORY, "out of memory");
        }
    }
    lb_status status = take_up(p, s, before);
    if (status) {
        return status;
    }
    s->scene = lbt_scene_create(stage, s->hold_count, s->holds, &p->allocator, &p->error);
    lbt_scene_begin(s->scene, s->begin, s->entry, before ? before->scene : NULL);
    return s->scene ? LB_OK : p->error.status;
}

/* The first pose of a span. A motion with bodies begins with a pose that is chosen among all, as one alone would be. */
static lb_status begin(lb_player *p, span *s, double *pose, lb_result *result) {
    int tracks = p->solve.tracking;
    p->solve.tracking = tracks && !(s == p->spans && s->scene->has_bodies);
    lb_status status = solve(p, s, s->begin, 0, pose, pose, result);
    p->solve.tracking = tracks;
    return status;
}

/* Poses of a span up to step `last`. */
static lb_status extend(lb_player *p, span *s, int64_t last) {
    size_t n = variables(p, s);
    if (last >= INT32_MAX || ((size_t)last + 1) * n > MAX_NUMBERS) {
        return FAIL(p, LB_ERROR_TOO_LARGE, "a time so late has more steps before it than there is memory for");
    }
    while (s->pose_count <= last) {
        if (!lbf_grow(&p->allocator, (void **)&s->poses, &s->pose_capacity, s->pose_count + 1,
                      (n ? n : 1) * sizeof *s->poses)) {
            return FAIL(p, LB_ERROR_MEMORY, "out of memory");
        }
        double *pose = s->poses + (size_t)s->pose_count * n;
        if (!s->pose_count) {
            memcpy(pose, s->entry, n * sizeof *pose);
        }
        int64_t time = s->begin + s->pose_count * p->step;
        lb_result result;
        lb_result_defaults(&result);
        lb_status status =
            s->pose_count ? solve(p, s, time, p->step, pose - n, pose, &result) : begin(p, s, pose, &result);
        if (status) {
            return status;
        }
        lbt_scene_warn(s->scene, time, &p->options, &result);
        s->pose_count++;
    }
    return LB_OK;
}

static int find_span(const lb_player *p, int64_t time) {
    int index = p->span_count - 1;
    while (index > 0 && p->spans[index].begin > time) {
        index--;
    }
    return index;
}

/* Makes sure that all poses before a time are there. */
static lb_status march(lb_player *p, int index, int64_t time) {
    lb_status status = LB_OK;
    for (int i = 0; i <= index && !status; i++) {
        span *s = &p->spans[i];
        status = open_span(p, i);
        if (!status) {
            status = extend(p, s, i < index ? step_count(p, s) - 1 : (time - s->begin) / p->step);
        }
    }
    return status;
}

/* The pose at a time of a given span; a span's end belongs to it here as well. */
static lb_status pose_in(lb_player *p, int index, int64_t time, double *pose, lb_result *result) {
    span *s = &p->spans[index];
    size_t n = variables(p, s);
    int64_t step = (time - s->begin) / p->step;
    if (s->end != LBT_NEVER && step >= step_count(p, s)) {
        step = step_count(p, s) - 1;
    }
    lb_status status = march(p, index, s->begin + step * p->step);
    if (status) {
        return status;
    }
    lb_result unasked;
    lb_result_defaults(&unasked);
    int there = s->begin + step * p->step == time;
    const double *from = s->poses + (size_t)step * n;
    if (there && !result) {
        memcpy(pose, from, n * sizeof *pose);
        return LB_OK;
    }
    if (there) {
        from = step ? from - n : s->entry; /* once more, to tell what was found */
    }
    if (there && step == 0) {
        memcpy(pose, from, n * sizeof *pose);
        return begin(p, s, pose, result ? result : &unasked);
    }
    return solve(p, s, time, there ? p->step : time - s->begin - step * p->step, from, pose,
                 result ? result : &unasked);
}

static lb_status check_time(lb_player *p, double time, int64_t *ticks) {
    if (!(time <= LBT_MAX_TIME)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "no such time");
    }
    *ticks = time <= 0 ? 0 : lbt_ticks(time);
    return LB_OK;
}

int lb_player_stage(const lb_player *p, double time) {
    if (!p || !(time <= LBT_MAX_TIME)) {
        return LB_ERROR_ARGUMENT;
    }
    return p->spans[find_span(p, time <= 0 ? 0 : lbt_ticks(time))].stage;
}

lb_status lb_player_pose(lb_player *p, double time, double *pose, lb_result *result) {
    int64_t ticks = 0;
    if (!p || !pose) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    lb_status status = result ? lbs_check_result(result, &p->error) : LB_OK;
    status = status ? status : check_time(p, time, &ticks);
    if (!status) {
        status = pose_in(p, find_span(p, ticks), ticks, p->scratch + p->width, result);
    }
    if (status) {
        return status;
    }
    memcpy(pose, p->scratch + p->width, variables(p, &p->spans[find_span(p, ticks)]) * sizeof *pose);
    return LB_OK;
}

/* --- Rates --------------------------------------------------------------------------------------------------- */

/* Three times of one span about a time, and how to weigh what is there: around it, or where the rules change to one
 * side. */
typedef struct stencil {
    int span, centre;
    int64_t times[3];
    double rate[3], acceleration[3];
} stencil;

static void make_stencil(const lb_player *p, int64_t time, stencil *st) {
    static const double rates[3][3] = {{-1.5, 2, -0.5}, {-0.5, 0, 0.5}, {0.5, -2, 1.5}};
    st->span = find_span(p, time);
    const span *s = &p->spans[st->span];
    int64_t step = p->step;
    if (s->end != LBT_NEVER && s->end - s->begin < 2 * step) {
        step = (s->end - s->begin) / 2 > 0 ? (s->end - s->begin) / 2 : 1;
    }
    st->centre = time - step < s->begin ? 0 : s->end != LBT_NEVER && time + step > s->end ? 2 : 1;
    double h = lbt_seconds(step);
    for (int i = 0; i < 3; i++) {
        st->times[i] = time + (i - st->centre) * step;
        st->rate[i] = rates[st->centre][i] / h;
        st->acceleration[i] = (i == 1 ? -2 : 1) / (h * h);
    }
}

lb_status lb_player_rates(lb_player *p, double time, double *rate, double *acceleration) {
    int64_t ticks = 0;
    stencil st;
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    lb_status status = check_time(p, time, &ticks);
    if (status) {
        return status;
    }
    make_stencil(p, ticks, &st);
    size_t n = variables(p, &p->spans[st.span]);
    double *poses = p->scratch + p->width;
    for (int i = 0; i < 3 && !status; i++) {
        status = pose_in(p, st.span, st.times[i], poses + (size_t)i * p->width, NULL);
    }
    if (status) {
        return status;
    }
    for (size_t k = 0; k < n; k++) {
        double first = 0, second = 0;
        for (int i = 0; i < 3; i++) {
            double away = poses[(size_t)i * p->width + k] - poses[(size_t)st.centre * p->width + k];
            first += st.rate[i] * away;
            second += st.acceleration[i] * away;
        }
        if (rate) {
            rate[k] = first;
        }
        if (acceleration) {
            acceleration[k] = second;
        }
    }
    return LB_OK;
}

/* Frames of a site at the stencil's times. */
static lb_status site_frames(lb_player *p, const stencil *st, int figure, int site, lb_frame frames[3]) {
    span *s = &p->spans[st->span];
    const lb_site *on = &stage_of(p, s)->problem->figures[figure]->draft.sites[site];
    lb_status status = LB_OK;
    for (int i = 0; i < 3 && !status; i++) {
        lb_result result; /* asks for a solve, after which the scene stands in that pose */
        lb_result_defaults(&result);
        status = pose_in(p, st->span, st->times[i], p->scratch + p->width, &result);
        if (status) {
            return status;
        }
        lbt_scene_segment(s->scene, figure, on->segment, &frames[i]);
        lb_frame_multiply(&frames[i], &on->frame, &frames[i]);
    }
    return status;
}

lb_status lb_player_site(lb_player *p, double time, int figure, int site, lb_frame *frame_w, double *velocity,
                         double *acceleration) {
    int64_t ticks = 0;
    stencil st;
    lb_frame frames[3];
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    lb_status status = check_time(p, time, &ticks);
    if (status) {
        return status;
    }
    make_stencil(p, ticks, &st);
    const lb_figure *f = lb_problem_figure(stage_of(p, &p->spans[st.span])->problem, figure);
    if (!f || !lb_figure_site(f, site)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "there is no such site");
    }
    status = site_frames(p, &st, figure, site, frames);
    if (status) {
        return status;
    }
    const lb_frame *centre = &frames[st.centre];
    double first[6] = {0}, second[6] = {0};
    for (int i = 0; i < 3; i++) {
        double away[6], turn[3];
        lbm_sub3(frames[i].position, centre->position, away);
        lbt_turn(centre->rotation, frames[i].rotation, turn);
        lbm_quaternion_rotate(centre->rotation, turn, away + 3);
        for (int k = 0; k < 6; k++) {
            first[k] += st.rate[i] * away[k];
            second[k] += st.acceleration[i] * away[k];
        }
    }
    if (frame_w) {
        *frame_w = *centre;
    }
    if (velocity) {
        memcpy(velocity, first, sizeof first);
    }
    if (acceleration) {
        memcpy(acceleration, second, sizeof second);
    }
    return LB_OK;
}

/* --- Clips ---------------------------------------------------------------------------------------------------- */

lb_clip *lb_player_clip(lb_player *p, int stage, int figure, double frame_time) {
    if (!p) {
        return NULL;
    }
    if (stage < 0 || stage >= p->motion->stage_count) {
        FAIL(p, LB_ERROR_ARGUMENT, "there is no such stage");
        return NULL;
    }
    const lbt_stage *s = &p->motion->stages[stage];
    const lb_figure *f = lb_problem_figure(s->problem, figure);
    double begin = lbt_seconds(s->from);
    double end = stage + 1 < p->motion->stage_count ? lbt_seconds(s[1].from) : lb_motion_end(p->motion);
    if (!f || !(frame_time >= 1e-6) || !lbm_is_finite(frame_time)) {
        FAIL(p, LB_ERROR_ARGUMENT, f ? "the time between frames is at least 1e-6 seconds" : "there is no such figure");
        return NULL;
    }
    if ((end - begin) / frame_time > 1e8 || end > LBT_MAX_TIME) {
        FAIL(p, LB_ERROR_TOO_LARGE, "the clip would have more than 100 million frames");
        return NULL;
    }
    int count = (int)floor((end - begin) / frame_time + 1e-9) + 1;
    lb_clip *clip = lb_clip_create(f, count, frame_time, &p->error);
    for (int i = 0; clip && i < count; i++) {
        int64_t time = lbt_ticks(begin + i * frame_time);
        int index = find_span(p, time);
        while (p->spans[index].stage > stage) {
            index--; /* the last frame may fall on the next stage's begin */
        }
        double *pose = p->scratch + p->width;
        if (pose_in(p, index, time, pose, NULL)) {
            lb_clip_destroy(clip);
            return NULL;
        }
        memcpy(lb_clip_pose(clip, i), pose + s->problem->first_variables[figure],
               (size_t)f->variable_count * sizeof *pose);
    }
    return clip;
}
