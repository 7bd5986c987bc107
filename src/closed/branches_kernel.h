/* The text of lbc_branch and lbc_wind: included by branches2.c and branches4.c, which define LBM_LANES, BRANCH and
 * WIND. */
#include "closed/branches.h"
#include "math/trig.h"

#define FREE 1e-18 /* a product of two lengths across an axis, below which the turn from one to the other is any turn */
#define ONE_ROOT 4e-16 /* relative to r2: what is left under the root, below which both choices are one */
#define BEYOND 1e-8    /* a cosine may be so much above 1: the verification decides */

typedef struct turn_lanes {
    lbm_lanes c, s;
} turn_lanes;

LBM_INLINE lbm_lanes dot(const lbm_lanes a[3], const lbm_lanes b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

LBM_INLINE lbm_lanes dot_with(const lbm_lanes a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out = w cross a. */
LBM_INLINE void cross_of(const double w[3], const lbm_lanes a[3], lbm_lanes out[3]) {
    out[0] = a[2] * w[1] - a[1] * w[2];
    out[1] = a[0] * w[2] - a[2] * w[0];
    out[2] = a[1] * w[0] - a[0] * w[1];
}

LBM_INLINE void on_circle(const lbc_circle *k, turn_lanes x, lbm_lanes out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = x.c * k->e[i] + x.s * k->f[i] + k->o[i];
    }
}

/* Turns v about the unit vector w. */
LBM_INLINE void turn(const double w[3], turn_lanes x, lbm_lanes v[3]) {
    const lbm_lanes along = (1.0 - x.c) * dot_with(v, w);
    lbm_lanes side[3];
    cross_of(w, v, side);
    for (int i = 0; i < 3; i++) {
        v[i] = x.c * v[i] + along * w[i] + x.s * side[i];
    }
}

/* Moves the origin to p, or back. */
LBM_INLINE void shift(const double p[3], double sign, lbm_lanes v[3]) {
    for (int i = 0; i < 3; i++) {
        v[i] += sign * p[i];
    }
}

/* The angle of (c, s); where their length is below FREE, 0 and true. */
LBM_INLINE turn_lanes normalise(lbm_lanes c, lbm_lanes s, lbm_truths *is_free) {
    const lbm_lanes r = lbm_sqrt_lanes(c * c + s * s);
    *is_free = lbm_less(r, lbm_all_lanes(FREE));
    const lbm_lanes inverse = 1.0 / lbm_choose(*is_free, lbm_all_lanes(1), r);
    return (turn_lanes){lbm_choose(*is_free, lbm_all_lanes(1), c * inverse),
                        lbm_choose(*is_free, lbm_all_lanes(0), s * inverse)};
}

/* The turn about w from u to v. */
LBM_INLINE turn_lanes turn_between(const double w[3], const lbm_lanes u[3], const lbm_lanes v[3], lbm_truths *is_free) {
    lbm_lanes across[3];
    cross_of(w, u, across);
    return normalise(dot(u, v) - dot_with(u, w) * dot_with(v, w), dot(across, v), is_free);
}

/* The turn by a less that by b: in this form no compiler makes a fused instruction of a difference beside a sum. */
LBM_INLINE turn_lanes less(turn_lanes a, turn_lanes b) {
    const lbm_lanes across = -b.s;
    return (turn_lanes){a.c * b.c - a.s * across, a.s * b.c + a.c * across};
}

/* What the three must do: where the target and the side are after F_1 F_2 F_3 G. */
typedef struct carried {
    lbm_lanes target[3], side[3];
} carried;

/* The turns of F_1, F_2 and F_3, and what they carry. */
LBM_INLINE lbm_truths carry(const lbc_asked *a, const lbc_branches *b, int at, turn_lanes x[3], carried *out) {
    lbm_lanes u[3], v[3];
    lbm_truths is_free;
    x[0] = (turn_lanes){lbm_load_lanes(b->x1[0] + at), lbm_load_lanes(b->x1[1] + at)};
    x[2] = (turn_lanes){lbm_load_lanes(b->x3[0] + at), lbm_load_lanes(b->x3[1] + at)};
    on_circle(&a->u, x[2], u);
    on_circle(&a->v, x[0], v);
    if (!a->three->is_parallel) {
        shift(a->r[1], -1, u);
        shift(a->r[1], -1, v);
    }
    x[1] = turn_between(a->w[1], u, v, &is_free);
    on_circle(&a->target, x[2], out->target);
    on_circle(&a->side, x[2], out->side);
    for (int k = 1; k >= 0; k--) {
        if (a->three->is_parallel) {
            shift(a->r[k], -1, out->target);
        }
        turn(a->w[k], x[k], out->target);
        if (a->three->is_parallel) {
            shift(a->r[k], 1, out->target);
        }
        turn(a->w[k], x[k], out->side);
    }
    return is_free;
}

/* One choice for the three axes that meet: R_a R_b R_c turns the axis of c, then everything, to where it is carried. */
LBM_INLINE lbm_truths finish_wrist(const lbc_asked *a, const carried *to, turn_lanes y, turn_lanes x[3]) {
    const lbc_three *t = a->three;
    const double *wa = a->arm->axis[t->first], *wb = a->arm->axis[t->first + 1];
    lbm_lanes tip[3], across[3], side[3] = {to->side[0], to->side[1], to->side[2]};
    lbm_truths is_free, any;
    on_circle(&t->tip, y, tip);
    cross_of(wa, to->target, across);
    x[0] = normalise(dot(tip, to->target) - dot_with(tip, wa) * dot_with(to->target, wa), -dot(tip, across), &is_free);
    is_free |= lbm_less(dot(across, across), lbm_all_lanes(FREE));
    x[0].c = lbm_choose(is_free, lbm_all_lanes(1), x[0].c);
    x[0].s = lbm_choose(is_free, lbm_all_lanes(0), x[0].s);
    x[1] = y;
    turn(wa, (turn_lanes){x[0].c, -x[0].s}, side);
    turn(wb, (turn_lanes){y.c, -y.s}, side);
    x[2] = normalise(dot_with(side, t->side), dot_with(side, t->other), &any);
    return is_free | any;
}

/* One choice for three parallel axes: an arm of two links in the plane, and the whole turn. */
LBM_INLINE lbm_truths finish_planar(const lbc_asked *a, const carried *to, turn_lanes y, turn_lanes x[3]) {
    const lbc_three *t = a->three;
    lbm_lanes tip[3];
    lbm_truths is_free, any;
    on_circle(&t->tip, y, tip);
    const turn_lanes whole = normalise(dot_with(to->side, t->side), dot_with(to->side, t->other), &any);
    x[0] = turn_between(a->arm->axis[t->first], tip, to->target, &is_free);
    is_free |= lbm_less(dot(to->target, to->target), lbm_all_lanes(FREE));
    x[0].c = lbm_choose(is_free, lbm_all_lanes(1), x[0].c);
    x[0].s = lbm_choose(is_free, lbm_all_lanes(0), x[0].s);
    const turn_lanes last = less(less(whole, x[0]), y);
    x[1] = (turn_lanes){y.c, y.s * t->sign[1]};
    x[2] = (turn_lanes){last.c, last.s * t->sign[2]};
    return is_free | any;
}

LBM_INLINE void put_joint(lbc_branches *b, int joint, int at, turn_lanes x, lbm_lanes angle) {
    lbm_store_lanes(b->cosine[joint] + at, x.c);
    lbm_store_lanes(b->sine[joint] + at, x.s);
    lbm_store_lanes(b->q[joint] + at, angle);
}

/* The columns x, y, z and the origin of a frame. */
typedef struct frame_lanes {
    lbm_lanes column[4][3];
} frame_lanes;

/* f = f times a transform. */
LBM_INLINE void follow(frame_lanes *f, const lbm_transform *by) {
    const double *columns[4] = {by->x, by->y, by->z, by->p};
    frame_lanes made;
    for (int c = 0; c < 4; c++) {
        for (int i = 0; i < 3; i++) {
            made.column[c][i] =
                f->column[0][i] * columns[c][0] + f->column[1][i] * columns[c][1] + f->column[2][i] * columns[c][2];
        }
    }
    for (int i = 0; i < 3; i++) {
        made.column[3][i] += f->column[3][i];
    }
    *f = made;
}

/* Forward kinematics, and how far the end is from the goal: where that is little, as lbc_arm_error has it, else
 * more. */
LBM_INLINE lbm_lanes find_error(const lbc_asked *a, const lbc_branches *b, int at) {
    const double *gap[4] = {a->arm->gap[0].x, a->arm->gap[0].y, a->arm->gap[0].z, a->arm->gap[0].p};
    const double *goal[4] = {a->goal->x, a->goal->y, a->goal->z, a->goal->p};
    frame_lanes f;
    for (int c = 0; c < 4; c++) {
        for (int i = 0; i < 3; i++) {
            f.column[c][i] = lbm_all_lanes(gap[c][i]);
        }
    }
    for (int joint = 0; joint < 6; joint++) {
        const lbm_lanes c = lbm_load_lanes(b->cosine[joint] + at), s = lbm_load_lanes(b->sine[joint] + at), r = -s;
        for (int i = 0; i < 3; i++) {
            const lbm_lanes x = f.column[0][i], y = f.column[1][i];
            f.column[0][i] = x * c + y * s;
            f.column[1][i] = y * c + x * r;
        }
        follow(&f, &a->arm->gap[joint + 1]);
    }
    lbm_lanes turned[3] = {lbm_all_lanes(0), lbm_all_lanes(0), lbm_all_lanes(0)}, trace = lbm_all_lanes(-1), way[3];
    for (int c = 0; c < 3; c++) {
        lbm_lanes across[3];
        cross_of(goal[c], f.column[c], across);
        for (int i = 0; i < 3; i++) {
            turned[i] += across[i] * 0.5;
        }
        trace += dot_with(f.column[c], goal[c]);
    }
    for (int i = 0; i < 3; i++) {
        way[i] = f.column[3][i] - goal[3][i];
    }
    const lbm_lanes error = lbm_sqrt_lanes(dot(way, way) + dot(turned, turned));
    return lbm_choose(lbm_less(trace, lbm_all_lanes(0)), lbm_all_lanes(LBM_PI), error);
}

void BRANCH(const lbc_asked *a, int with_errors, lbc_branches *b) {
    const lbc_three *t = a->three;
    const double *wa = a->arm->axis[t->first];
    const lbm_lanes zero = lbm_all_lanes(0), root = lbm_all_lanes(sqrt(t->r2));
    b->are_there = b->are_free = 0;
    for (int at = 0; at < LBC_PAIRS; at += LBM_LANES) {
        turn_lanes x[3];
        carried to;
        const lbm_truths is_free = carry(a, b, at, x, &to);
        lbm_lanes angle[3];
        for (int k = 0; k < 3; k++) {
            x[k].s = -x[k].s;
            angle[k] = lbm_atan2_lanes(x[k].s, x[k].c);
        }
        lbm_lanes d;
        if (t->is_parallel) {
            shift(a->arm->point[t->first], -1, to.target);
            const lbm_lanes along = dot_with(to.target, wa);
            for (int i = 0; i < 3; i++) {
                to.target[i] -= along * wa[i];
            }
            d = dot(to.target, to.target) + t->d;
        } else {
            d = dot_with(to.target, wa) + t->d;
        }
        /* a cos y + b sin y = d: the foot of the chord, and half the chord to either side. */
        const lbm_lanes left = t->r2 - d * d;
        const lbm_truths is_there = lbm_less(lbm_all_lanes(-2 * BEYOND * t->r2), left),
                         are_two = lbm_less(lbm_all_lanes(ONE_ROOT * t->r2), left);
        lbm_store_lanes(b->left + at, left * (1 / t->r2));
        d = lbm_max_lanes(lbm_min_lanes(d, root), -root);
        const lbm_lanes h = lbm_choose(are_two, lbm_sqrt_lanes(lbm_max_lanes(left, zero)), zero);
        const lbm_lanes foot_c = d * (t->a / t->r2), foot_s = d * (t->b / t->r2), chord_c = h * (t->b / t->r2),
                        chord_s = h * (t->a / t->r2);
        for (int choice = 0; choice < 2; choice++) {
            const double sign = choice ? 1 : -1;
            const turn_lanes y = {foot_c + chord_c * sign, foot_s + chord_s * -sign};
            turn_lanes of[3];
            const int place = choice * LBC_PAIRS + at;
            const lbm_truths any = t->is_parallel ? finish_planar(a, &to, y, of) : finish_wrist(a, &to, y, of);
            for (int k = 0; k < 3; k++) {
                put_joint(b, a->others[k], place, x[k], angle[k]);
                put_joint(b, t->first + k, place, of[k], lbm_atan2_lanes(of[k].s, of[k].c));
            }
            b->are_there |= lbm_truth_bits(choice ? are_two : is_there) << place;
            b->are_free |= lbm_truth_bits(is_free | any) << place;
            if (with_errors) {
                lbm_store_lanes(b->error + place, find_error(a, b, place));
            }
        }
    }
}

void WIND(const lbc_wanted *w, lbc_branches *b) {
    const double to_integer = 0x1.8p52; /* adding it rounds to an integer */
    b->are_inside = 0;
    for (int at = 0; at < LBC_BRANCHES; at += LBM_LANES) {
        lbm_lanes sum = lbm_all_lanes(0), outside = sum;
        for (int i = 0; i < 6; i++) {
            const lbm_lanes q = lbm_load_lanes(b->q[i] + at), lower = lbm_all_lanes(w->lower[i]),
                            upper = lbm_all_lanes(w->upper[i]);
            const lbm_lanes turns = ((q - w->near[i]) * (1 / LBM_TWO_PI) + to_integer) - to_integer;
            lbm_lanes value = q - turns * LBM_TWO_PI;
            value -= lbm_choose(lbm_less(upper + LBC_ON_LIMIT, value), lbm_all_lanes(LBM_TWO_PI), lbm_all_lanes(0));
            value += lbm_choose(lbm_less(value, lower - LBC_ON_LIMIT), lbm_all_lanes(LBM_TWO_PI), lbm_all_lanes(0));
            const lbm_lanes inside = lbm_min_lanes(lbm_max_lanes(value, lower), upper);
            const lbm_lanes out = lbm_max_lanes(value - inside, inside - value), way = inside - w->near[i];
            outside = lbm_max_lanes(outside, out);
            sum += way * way;
            lbm_store_lanes(b->value[i] + at, inside);
        }
        lbm_store_lanes(b->distance2 + at, sum);
        b->are_inside |= lbm_truth_bits(lbm_at_most(outside, lbm_all_lanes(LBC_ON_LIMIT))) << at;
    }
}
