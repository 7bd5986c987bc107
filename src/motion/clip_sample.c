/* Clips at any time: numbers by themselves, rotations of joints that turn about three axes (and of free roots) on the
 * group. */
#include <limber/motion.h>
#include <string.h>

#include "figure/error.h"
#include "figure/figure.h"
#include "math/rotation.h"
#include "motion/spline.h"

/* A variable, or three that make a rotation. */
typedef struct lane {
    int dim, variables[3];
    lb_joint_type type; /* of a rotation: what turns, without the translations */
} lane;

/* A stretch of frames of a lane, ready to be evaluated. */
typedef struct curve {
    int first, count; /* the first frame, and stretches from there */
    double *lengths, *turns, *slopes, *scratch;
} curve;

/* A spline's slopes at a frame depend on those 24 frames away by (2 - sqrt 3)^24 = 2e-14: as good as not at all. */
#define WINDOW 24
#define WINDOW_STRETCHES (2 * WINDOW + 1)
#define WINDOW_ROOM ((WINDOW_STRETCHES + 1) * 39 + WINDOW_STRETCHES * 7 + 3)

static size_t curve_room(int count) { return lbt_spline_room(3, count) + (size_t)count * 7 + 3; }

static curve lay_out(double *room, int first, int count) {
    size_t n = (size_t)count;
    return (curve){first, count, room, room + n, room + 4 * n, room + 7 * n + 3};
}

/* --- Lanes --------------------------------------------------------------------------------------------------- */

static int at_right_angles(const double a[3], const double b[3]) { return fabs(lbm_dot3(a, b)) < 1e-9; }

/* Whether a joint's rotations are any rotation, and each a variable of its own. */
static int rotation_lane(const lb_figure *f, int joint, lane *l) {
    const lb_joint *j = &f->draft.joints[joint];
    int count = 0, dof = 0;
    l->dim = 3;
    l->type.element_count = 0;
    for (int i = 0; i < j->type.element_count; i++) {
        const lb_element *element = &j->type.elements[i];
        int dofs = element->kind == LB_ELEMENT_SWING_TWIST || element->kind == LB_ELEMENT_ROTATION ? 3 : 1;
        if (element->kind != LB_ELEMENT_TRANSLATE) {
            if (count + dofs > 3) {
                return 0;
            }
            for (int k = 0; k < dofs; k++) {
                l->variables[count] = f->coordinate_variable[lbf_coordinate(f, joint, dof + k)];
                if (l->variables[count++] < 0) {
                    return 0;
                }
            }
            l->type.elements[l->type.element_count++] = *element;
        }
        dof += dofs;
    }
    const lb_element *e = l->type.elements;
    return count == 3 && (l->type.element_count == 1 ||
                          (at_right_angles(e[0].axis, e[1].axis) && at_right_angles(e[1].axis, e[2].axis)));
}

/* The lane that begins at a variable; returns 0 where a rotation has it that began before. */
static int lane_of(const lb_figure *f, int variable, lane *l) {
    const lb_dof_ref *ref = &f->variables[variable].ref;
    if (variable < f->root_coordinates && variable >= 3) {
        *l = (lane){3, {3, 4, 5}, {1, {{LB_ELEMENT_ROTATION, {0, 0, 0}}}}};
        return variable == 3;
    }
    if (ref->joint >= 0 && rotation_lane(f, ref->joint, l)) {
        for (int i = 0; i < 3; i++) {
            if (l->variables[i] == variable) {
                return i == 0;
            }
        }
    }
    l->dim = 1;
    l->variables[0] = variable;
    return 1;
}

static void rotation_in(const lane *l, const double *pose, double q[4]) {
    double dofs[3];
    for (int i = 0; i < 3; i++) {
        dofs[i] = pose[l->variables[i]];
    }
    lb_joint_type_rotation(&l->type, dofs, q);
}

/* --- Slopes -------------------------------------------------------------------------------------------------- */

static void fill(const lb_clip *clip, const lane *l, lb_interpolation how, curve *c) {
    int dim = l->dim;
    if (c->count == 0) { /* a clip of one frame stands still */
        memset(c->slopes, 0, (size_t)dim * sizeof *c->slopes);
        return;
    }
    for (int i = 0; i < c->count; i++) {
        const double *a = lb_clip_const_pose(clip, c->first + i), *b = lb_clip_const_pose(clip, c->first + i + 1);
        double *turn = c->turns + (size_t)i * (size_t)dim;
        c->lengths[i] = lb_clip_frame_time(clip);
        if (dim == 1) {
            *turn = b[l->variables[0]] - a[l->variables[0]];
        } else {
            double from[4], to[4];
            rotation_in(l, a, from);
            rotation_in(l, b, to);
            lbt_turn(from, to, turn);
        }
    }
    if (how == LB_INTERPOLATION_CUBIC) {
        lbt_spline_slopes(dim, c->count, c->lengths, c->turns, 0, c->slopes, c->scratch);
        return;
    }
    for (int i = 0; i <= c->count; i++) {
        const double *before = c->turns + (size_t)(i - (i > 0)) * (size_t)dim;
        const double *after = c->turns + (size_t)(i - (i == c->count)) * (size_t)dim;
        lbt_parabola_slope(dim, c->lengths[0], before, c->lengths[0], after, c->slopes + (size_t)i * (size_t)dim);
    }
}

/* --- Rates of dofs from angular velocities ---------------------------------------------------------------------- */

/* The axes that the three dofs turn about, as columns. */
static void axes_of(const lb_joint_type *type, const double dofs[3], double axes[3][3]) {
    double q[4] = {0, 0, 0, 1}, part[4];
    if (type->elements[0].kind == LB_ELEMENT_ROTATE) {
        for (int i = 0; i < 3; i++) {
            lbm_quaternion_rotate(q, type->elements[i].axis, axes[i]);
            lb_rotation_about(type->elements[i].axis, dofs[i], part);
            lb_rotation_multiply(q, part, q);
        }
        return;
    }
    double v[3], rotation[3][3], jacobian[3][3];
    lbm_transform t;
    lbm_transform_identity(&t);
    int swing = type->elements[0].kind == LB_ELEMENT_SWING_TWIST;
    if (swing) {
        lbf_align(type->elements[0].axis, &t);
    }
    for (int i = 0; i < 3; i++) {
        v[i] = dofs[0] * t.x[i] + dofs[1] * t.y[i] + (swing ? 0 : dofs[2]) * t.z[i];
    }
    lbm_exponential e;
    lbm_exponential_at(v, &e);
    lbm_exponential_columns(v, &e, rotation, jacobian);
    for (int i = 0; i < 3; i++) {
        axes[0][i] = jacobian[0][i] * t.x[0] + jacobian[1][i] * t.x[1] + jacobian[2][i] * t.x[2];
        axes[1][i] = jacobian[0][i] * t.y[0] + jacobian[1][i] * t.y[1] + jacobian[2][i] * t.y[2];
        const double(*last)[3] = swing ? rotation : jacobian;
        axes[2][i] = last[0][i] * t.z[0] + last[1][i] * t.z[1] + last[2][i] * t.z[2];
    }
}

static void solve_axes(double axes[3][3], double right[3]) {
    double m[9];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            m[3 * r + c] = axes[c][r];
        }
    }
    lbt_solve_small(3, m, right, 1);
    for (int i = 0; i < 3; i++) {
        if (!lbm_is_finite(right[i])) {
            right[i] = 0; /* in gimbal lock no dof's rate is to be had */
        }
    }
}

/* omega = A(dofs) rate, and its derivative A acceleration + (dA/dt) rate, solved for the dofs'. */
static void rates_of_dofs(const lb_joint_type *type, const double dofs[3], double rate[3], double acceleration[3]) {
    double axes[3][3], before[3][3], after[3][3], left[3], right[3], fastest = 1;
    axes_of(type, dofs, axes);
    solve_axes(axes, rate);
    for (int i = 0; i < 3; i++) {
        fastest = fabs(rate[i]) > fastest ? fabs(rate[i]) : fastest;
    }
    const double h = 6e-6 / fastest;
    for (int i = 0; i < 3; i++) {
        left[i] = dofs[i] - h * rate[i];
        right[i] = dofs[i] + h * rate[i];
    }
    axes_of(type, left, before);
    axes_of(type, right, after);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            acceleration[i] -= (after[k][i] - before[k][i]) / (2 * h) * rate[k];
        }
    }
    solve_axes(axes, acceleration);
}

/* --- Sampling ------------------------------------------------------------------------------------------------ */

typedef struct output {
    double *pose, *rate, *acceleration;
} output;

/* At s in 0..1 after a frame. */
static void evaluate(const lb_clip *clip, const lane *l, const curve *c, lb_interpolation how, int frame, double s,
                     const output *out) {
    const double *pose = lb_clip_const_pose(clip, frame);
    size_t at = (size_t)(frame - c->first) * (size_t)l->dim;
    double h = lb_clip_frame_time(clip), before[3], after[3], key[4], q[4], rate[3], acceleration[3], dofs[3];
    for (int i = 0; i < l->dim; i++) {
        before[i] = how == LB_INTERPOLATION_LINEAR ? c->turns[at + (size_t)i] / h : c->slopes[at + (size_t)i];
        after[i] = how == LB_INTERPOLATION_LINEAR ? before[i] : c->slopes[at + (size_t)(l->dim + i)];
        dofs[i] = pose[l->variables[i]];
    }
    if (l->dim == 1) {
        double parts[3];
        lbt_number_at(dofs[0], c->turns[at], h, s, before[0], after[0], parts);
        dofs[0] = parts[0];
        rate[0] = parts[1];
        acceleration[0] = parts[2];
    } else {
        rotation_in(l, pose, key);
        const lbt_rotation_stretch stretch = {key, c->turns + at, h, before, after};
        lbt_rotation_at(&stretch, s, q, rate, acceleration);
        lb_joint_type_dofs(&l->type, q, dofs);
        if (out->rate || out->acceleration) {
            rates_of_dofs(&l->type, dofs, rate, acceleration);
        }
    }
    for (int i = 0; i < l->dim; i++) {
        if (s > 0) {
            out->pose[l->variables[i]] = dofs[i]; /* frames are what they are, to the bit */
        }
        if (out->rate) {
            out->rate[l->variables[i]] = rate[i];
        }
        if (out->acceleration) {
            out->acceleration[l->variables[i]] = acceleration[i];
        }
    }
}

static void hold(const lb_clip *clip, int frame, const output *out) {
    size_t size = (size_t)lb_clip_figure(clip)->variable_count * sizeof(double);
    memcpy(out->pose, lb_clip_const_pose(clip, frame), size);
    if (out->rate) {
        memset(out->rate, 0, size);
    }
    if (out->acceleration) {
        memset(out->acceleration, 0, size);
    }
}

/* The frame at or before a time and how far it is to the next; 1: the clip stands still there. */
static int find_frame(const lb_clip *clip, double time, lb_interpolation how, int *frame, double *s) {
    int last = lb_clip_frame_count(clip) - 1;
    double at = time / lb_clip_frame_time(clip), near = floor(at + 0.5);
    if (fabs(at - near) < 1e-9) {
        at = near; /* on a frame but for rounding */
    }
    if (at < 0 || at > last || last == 0) {
        *frame = at < 0 ? 0 : last;
        return 1;
    }
    *frame = at >= last ? last - 1 : (int)at;
    *s = at - *frame;
    if (how == LB_INTERPOLATION_STEP) {
        *frame += *s >= 1;
    }
    return how == LB_INTERPOLATION_STEP;
}

lb_status lb_clip_sample(const lb_clip *clip, double time, lb_interpolation how, double *pose, double *rate,
                         double *acceleration) {
    if (!clip || !pose || !lbm_is_finite(time) || (int)how < 0 || how > LB_INTERPOLATION_CUBIC) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_figure *f = lb_clip_figure(clip);
    output out = {pose, rate, acceleration};
    int frame = 0, last = lb_clip_frame_count(clip) - 1, reach = how == LB_INTERPOLATION_CUBIC ? WINDOW : 1;
    double room[WINDOW_ROOM], s = 0;
    if (find_frame(clip, time, how, &frame, &s)) {
        hold(clip, frame, &out);
        return LB_OK;
    }
    memcpy(pose, lb_clip_const_pose(clip, frame + (s == 1)), (size_t)f->variable_count * sizeof *pose);
    int first = frame > reach ? frame - reach : 0, end = last - frame - 1 > reach ? frame + 1 + reach : last;
    for (int i = 0; i < f->variable_count; i++) {
        lane l;
        if (!lane_of(f, i, &l)) {
            continue;
        }
        curve c = lay_out(room, first, end - first);
        fill(clip, &l, how, &c);
        evaluate(clip, &l, &c, how, frame, s, &out);
    }
    if (s == 1) {
        memcpy(pose, lb_clip_const_pose(clip, last), (size_t)f->variable_count * sizeof *pose);
    }
    return LB_OK;
}

static void resample_lane(const lb_clip *clip, const lane *l, lb_interpolation how, double *room, lb_clip *to) {
    curve c = lay_out(room, 0, lb_clip_frame_count(clip) - 1);
    fill(clip, l, how, &c);
    for (int i = 0; i < lb_clip_frame_count(to); i++) {
        int frame = 0;
        double s = 0;
        output out = {lb_clip_pose(to, i), NULL, NULL};
        if (find_frame(clip, i * lb_clip_frame_time(to), how, &frame, &s) || s == 0 || s == 1) {
            const double *from = lb_clip_const_pose(clip, frame + (how != LB_INTERPOLATION_STEP && s == 1));
            for (int k = 0; k < l->dim; k++) {
                out.pose[l->variables[k]] = from[l->variables[k]];
            }
        } else {
            evaluate(clip, l, &c, how, frame, s, &out);
        }
    }
}

lb_clip *lb_clip_resample(const lb_clip *clip, double frame_time, lb_interpolation how, lb_error *error) {
    if (!clip || !(frame_time > 0) || !lbm_is_finite(frame_time) || (int)how < 0 || how > LB_INTERPOLATION_CUBIC) {
        return lbf_none(error, LB_ERROR_ARGUMENT,
                        "resampling needs a clip, a time above 0 between frames and an interpolation that exists");
    }
    const lb_figure *f = lb_clip_figure(clip);
    double frames = floor(lb_clip_duration(clip) / frame_time + 1e-9) + 1;
    if (frames > 1e8) {
        return lbf_none(error, LB_ERROR_TOO_LARGE, "the clip would have more than 100 million frames");
    }
    lb_clip *to = lb_clip_create(f, (int)frames, frame_time, error);
    if (!to) {
        return NULL;
    }
    size_t size = curve_room(lb_clip_frame_count(clip));
    double *room = lbf_new(&f->draft.allocator, size, sizeof *room);
    if (!room) {
        lbf_fail(error, LB_ERROR_MEMORY, "out of memory", (char *)0);
        lb_clip_destroy(to);
        return NULL;
    }
    for (int i = 0; i < f->variable_count; i++) {
        lane l;
        if (lane_of(f, i, &l)) {
            resample_lane(clip, &l, how, room, to);
        }
    }
    lbf_delete(&f->draft.allocator, room, size, sizeof *room);
    return to;
}
