/* With the angle of the plane's own x axis, an arm of two links l1 and l2 reaches a point at the distance d where
 * |l1 + R(q2) l2| = d: one equation a cos q2 + b sin q2 = c for the elbow, both of whose roots are solutions (KB82,
 * equations 4 to 9); the shoulder turns what that makes to the point. A third joint takes the turn that is left over,
 * and the first two reach the point where it must be (equations 10 to 18).
 *
 * Axes that are off each other's direction by a sine t leave the plane: whatever the angles, the end's height, its tilt
 * and the radii of the annulus change by no more than t times the ways together, twice where the end itself is carried
 * along. A goal that is off by more is proved to be out of reach; nearer to the plane the plane's solution is where
 * Newton's method starts, and what that cannot verify is neither found nor ruled out. */
#include "closed/planar.h"

#include <math.h>

#include "math/trig.h"

#define PARALLEL 1e-9
#define IN_PLANE 1e-12  /* arm lengths or radians by which a goal may be off the plane */
#define AT_BORDER 1e-13 /* arm lengths by which a goal may be beyond the border, and still be on it */
#define TILTS 4         /* what a tilt changes, as a share of the ways together: more than it can */
#define ROUNDED 4e-15   /* of the numbers at hand: what rounding makes of a height, more than it can */
#define STEPS 12        /* of Newton's method */

static double sine_between(const double a[3], const double b[3]) {
    double across[3];
    lbm_cross3(a, b, across);
    return lbm_norm3(across);
}

static void project(const lbc_planar *p, const double v[3], double out[2]) {
    out[0] = lbm_dot3(p->x, v);
    out[1] = lbm_dot3(p->y, v);
}

int lbc_planar_find(const lbc_arm *arm, int is_position, lbc_planar *p) {
    if (arm->n != (is_position ? 2 : 3)) {
        return 0;
    }
    for (int i = 0; i < arm->n; i++) {
        if (arm->slides[i] || sine_between(arm->axis[0], arm->axis[i]) > PARALLEL) {
            return 0;
        }
        p->sign[i] = lbm_dot3(arm->axis[0], arm->axis[i]) > 0 ? 1 : -1;
    }
    lbc_across(arm->axis[0], p->x);
    const double norm = lbm_norm3(p->x);
    for (int k = 0; k < 3; k++) {
        p->x[k] /= norm;
    }
    lbm_cross3(arm->axis[0], p->x, p->y);
    for (int i = 0; i < arm->n; i++) {
        double way[3];
        lbm_sub3(i + 1 < arm->n ? arm->point[i + 1] : arm->home.p, arm->point[i], way);
        project(p, way, p->link[i]);
    }
    project(p, arm->point[0], p->base);
    p->height = lbm_dot3(arm->axis[0], arm->home.p);
    const double l1 = sqrt(p->link[0][0] * p->link[0][0] + p->link[0][1] * p->link[0][1]);
    const double l2 = sqrt(p->link[1][0] * p->link[1][0] + p->link[1][1] * p->link[1][1]);
    p->inner = fabs(l1 - l2);
    p->outer = l1 + l2;
    p->size = p->tilt = 0;
    for (int i = 0; i < arm->n; i++) {
        double way[3];
        lbm_sub3(i + 1 < arm->n ? arm->point[i + 1] : arm->home.p, arm->point[i], way);
        p->size += lbm_norm3(way);
        p->tilt += sine_between(arm->axis[0], arm->axis[i]);
    }
    return l1 > 0 && l2 > 0;
}

/* The error of a position, whose rotation does not count. */
static double error_at(const lbc_arm *arm, const lbm_transform *goal, const double *q, double e[3],
                       double jacobian[6 * LBC_JOINTS]) {
    lbc_motion motion;
    lbc_arm_forward(arm, q, &motion);
    lbc_arm_jacobian(arm, &motion, jacobian);
    lbm_sub3(goal->p, motion.end.p, e);
    return lbm_norm3(e);
}

/* Gauss and Newton's method for two joints and a position. Returns the error that is left. */
static double polish_position(const lbc_arm *arm, const lbm_transform *goal, double q[2]) {
    double e[3], j[6 * LBC_JOINTS], error = error_at(arm, goal, q, e, j);
    for (int k = 0; k < STEPS && error > LBC_GOOD; k++) {
        double aa = 0, ab = 0, bb = 0, ra = 0, rb = 0;
        for (int i = 0; i < 3; i++) {
            aa += j[2 * i] * j[2 * i];
            ab += j[2 * i] * j[2 * i + 1];
            bb += j[2 * i + 1] * j[2 * i + 1];
            ra += j[2 * i] * e[i];
            rb += j[2 * i + 1] * e[i];
        }
        const double damping = 1e-14 * (aa + bb), det = (aa + damping) * (bb + damping) - ab * ab;
        const double tried[2] = {q[0] + ((bb + damping) * ra - ab * rb) / det,
                                 q[1] + ((aa + damping) * rb - ab * ra) / det};
        const double now = det > 0 ? error_at(arm, goal, tried, e, j) : INFINITY;
        if (!(now < error)) {
            break;
        }
        error = now;
        q[0] = tried[0];
        q[1] = tried[1];
    }
    return error;
}

static double polish(const lbc_arm *arm, const lbm_transform *goal, double *q) {
    return arm->n == 2 ? polish_position(arm, goal, q) : lbc_arm_polish(arm, goal, q, STEPS);
}

static void insert(lbc_set *set, const lbc_arm *arm, const lbc_planar *p, const lbm_transform *goal, const double *at,
                   int is_free) {
    double q[LBC_JOINTS] = {0};
    for (int i = 0; i < arm->n; i++) {
        q[i] = lbc_wrapped(p->sign[i] * at[i]);
    }
    lbc_solution *s = &set->list[set->count];
    const double error = polish(arm, goal, q);
    if (error > LBC_VERIFIED) {
        set->refused++;
        return;
    }
    for (int i = 0; i < set->count; i++) {
        if (fabs(lbc_wrapped(set->list[i].q[1] - q[1])) < 1e-9) {
            set->list[i].is_free = 1; /* stretched or folded: both elbows are one */
            return;
        }
    }
    for (int i = 0; i < arm->n; i++) {
        s->q[i] = lbc_wrapped(q[i]);
    }
    s->error = error;
    s->is_free = is_free;
    set->count++;
}

void lbc_planar_solve(const lbc_arm *arm, const lbc_planar *p, const lbm_transform *goal, lbc_set *set) {
    double target[2], turn = 0, tc = 1, ts = 0;
    const double rounded = ROUNDED * (lbm_norm3(goal->p) + lbm_norm3(arm->point[0]) + p->size);
    const double tilted_by = IN_PLANE + TILTS * p->tilt + rounded, off = tilted_by * (1 + p->size);
    project(p, goal->p, target);
    if (fabs(lbm_dot3(arm->axis[0], goal->p) - p->height) > off) {
        return;
    }
    target[0] -= p->base[0];
    target[1] -= p->base[1];
    if (arm->n == 3) {
        lbm_transform whole, inverse = arm->home_inverse;
        double moved[3], side[2], tilted[3];
        lbm_transform_multiply(goal, &inverse, &whole);
        lbm_rotate(&whole, arm->axis[0], tilted);
        if (sine_between(tilted, arm->axis[0]) > tilted_by || lbm_dot3(tilted, arm->axis[0]) < 0) {
            return;
        }
        lbm_rotate(&whole, p->x, moved);
        project(p, moved, side);
        turn = lbm_atan2(side[1], side[0]);
        tc = side[0];
        ts = side[1];
        target[0] -= tc * p->link[2][0] - ts * p->link[2][1];
        target[1] -= ts * p->link[2][0] + tc * p->link[2][1];
    }
    const double *l1 = p->link[0], *l2 = p->link[1];
    const double distance2 = target[0] * target[0] + target[1] * target[1], distance = sqrt(distance2);
    if (distance > p->outer + off || distance < p->inner - off) {
        return;
    }
    const double a = 2 * (l1[0] * l2[0] + l1[1] * l2[1]), b = 2 * (l1[1] * l2[0] - l1[0] * l2[1]);
    const double d = distance2 - (l1[0] * l1[0] + l1[1] * l1[1]) - (l2[0] * l2[0] + l2[1] * l2[1]);
    double h2 = a * a + b * b - d * d;
    const double h = h2 > 0 ? sqrt(h2) : 0;
    for (int k = 0; k < 2; k++) {
        const double sign = k ? -1 : 1, c = a * d - sign * b * h, s = b * d + sign * a * h, q2 = lbm_atan2(s, c);
        double sine, cosine;
        lbm_sincos(q2, &sine, &cosine);
        const double x = l1[0] + cosine * l2[0] - sine * l2[1], y = l1[1] + sine * l2[0] + cosine * l2[1];
        const int is_free = distance < AT_BORDER || h == 0;
        const double q1 =
            distance < AT_BORDER ? 0 : lbm_atan2(x * target[1] - y * target[0], x * target[0] + y * target[1]);
        const double q[3] = {q1, q2, turn - q1 - q2};
        insert(set, arm, p, goal, q, is_free);
    }
}

/* The turns of two links are the sides of a triangle: [r1 r2] dq = e with r1 from the shoulder and r2 from the elbow to
 * the wrist, so
 * that |dq| <= (|r1| + |r2|) |e| / |r1 x r2|. The third joint takes up what the other two turn. */
double lbc_planar_condition(const lbc_planar *p, const double *q) {
    double sine, cosine;
    lbm_sincos(p->sign[1] * q[1], &sine, &cosine);
    const double r2[2] = {cosine * p->link[1][0] - sine * p->link[1][1], sine * p->link[1][0] + cosine * p->link[1][1]};
    const double r1[2] = {p->link[0][0] + r2[0], p->link[0][1] + r2[1]};
    const double across = fabs(r1[0] * r2[1] - r1[1] * r2[0]);
    return 2 * (sqrt(r1[0] * r1[0] + r1[1] * r1[1]) + sqrt(r2[0] * r2[0] + r2[1] * r2[1])) / across;
}
