/* The rotation of a joint as a whole, and back to the dofs that make it. */
#include <string.h>

#include "figure/figure.h"
#include "math/rotation.h"
#include "math/trig.h"

static void about(const double axis[3], double angle, double q[4]) {
    double s, c;
    lbm_sincos(0.5 * angle, &s, &c);
    for (int i = 0; i < 3; i++) {
        q[i] = axis[i] * s;
    }
    q[3] = c;
}

/* The axes A and B that lb_element_kind has beside the axis of a swing-twist. */
static void swing_axes(const double axis[3], double a[3], double b[3]) {
    lbm_transform t;
    lbf_align(axis, &t);
    lbm_copy3(a, t.x);
    lbm_copy3(b, t.y);
}

static void element_rotation(const lb_element *element, const double *dofs, double q[4]) {
    double a[3], b[3], v[3], twist[4];
    switch (element->kind) {
    case LB_ELEMENT_ROTATE:
        about(element->axis, dofs[0], q);
        break;
    case LB_ELEMENT_ROTATION:
        lbm_exponential_quaternion(dofs, q);
        break;
    case LB_ELEMENT_SWING_TWIST:
        swing_axes(element->axis, a, b);
        for (int i = 0; i < 3; i++) {
            v[i] = dofs[0] * a[i] + dofs[1] * b[i];
        }
        lbm_exponential_quaternion(v, q);
        about(element->axis, dofs[2], twist);
        lbm_quaternion_multiply(q, twist, q);
        break;
    default:
        lbm_set3(q, 0, 0, 0);
        q[3] = 1;
    }
}

/* Which elements turn, and at which dof each begins. Returns how many. */
static int turning(const lb_joint_type *type, const lb_element *elements[LB_JOINT_MAX_DOFS],
                   int first[LB_JOINT_MAX_DOFS]) {
    int count = 0, dof = 0;
    for (int i = 0; i < type->element_count && i < LB_JOINT_MAX_DOFS; i++) {
        lb_element_kind kind = type->elements[i].kind;
        if (kind != LB_ELEMENT_TRANSLATE) {
            elements[count] = &type->elements[i];
            first[count++] = dof;
        }
        dof += kind == LB_ELEMENT_SWING_TWIST || kind == LB_ELEMENT_ROTATION ? 3 : 1;
    }
    return count;
}

lb_status lb_joint_type_rotation(const lb_joint_type *type, const double *dofs, double rotation[4]) {
    const lb_element *elements[LB_JOINT_MAX_DOFS];
    int first[LB_JOINT_MAX_DOFS];
    if (!type || !dofs || !rotation || !lbf_type_is_sound(type)) {
        return LB_ERROR_ARGUMENT;
    }
    if (!lbm_all_finite(dofs, lb_joint_type_dof_count(type))) {
        return LB_ERROR_ARGUMENT;
    }
    int count = turning(type, elements, first);
    double q[4] = {0, 0, 0, 1}, part[4];
    for (int i = 0; i < count; i++) {
        element_rotation(elements[i], dofs + first[i], part);
        lbm_quaternion_multiply(q, part, q);
    }
    lbm_quaternion_normalise(q);
    memcpy(rotation, q, sizeof q);
    return LB_OK;
}

/* --- Back ------------------------------------------------------------------------------------------------ */

/* The angle with whole turns added that is nearest to another. */
static double turned_near(double angle, double near) {
    return angle + LBM_TWO_PI * floor((near - angle) / LBM_TWO_PI + 0.5);
}

/* The turn about an axis that comes nearest to a rotation. */
static double twist_about(const double q[4], const double axis[3]) { return 2 * lbm_atan2(lbm_dot3(q, axis), q[3]); }

static void conjugate(const double q[4], double out[4]) {
    for (int i = 0; i < 3; i++) {
        out[i] = -q[i];
    }
    out[3] = q[3];
}

/* A rotation vector v stands for the same as v plus whole turns along itself: the nearest to what is there. A vector of
 * no length may grow along what is there. */
static void vector_near(double *v, const double *near, int count) {
    double length = 0, direction[3] = {0, 0, 0}, along = 0, near_length = 0;
    for (int i = 0; i < count; i++) {
        length += v[i] * v[i];
        near_length += near[i] * near[i];
    }
    length = sqrt(length);
    near_length = sqrt(near_length);
    const double *from = length > 1e-12 ? v : near;
    double unit = length > 1e-12 ? length : near_length;
    if (unit == 0) {
        return;
    }
    for (int i = 0; i < count; i++) {
        direction[i] = from[i] / unit;
        along += near[i] * direction[i];
    }
    double turns = LBM_TWO_PI * floor((along - length) / LBM_TWO_PI + 0.5);
    if (turns == 0) {
        return;
    }
    for (int i = 0; i < count; i++) {
        v[i] += turns * direction[i];
    }
}

static void solve_vector(const double q[4], double *dofs) {
    double v[3];
    lbm_logarithm(q, v);
    vector_near(v, dofs, 3);
    lbm_copy3(dofs, v);
}

static void solve_swing_twist(const lb_element *element, const double q[4], double *dofs) {
    double a[3], b[3], twist[4], swing[4], v[3], parts[2];
    /* a swing of a half turn leaves the twist open: then the present one */
    double size = sqrt(q[3] * q[3] + lbm_dot3(q, element->axis) * lbm_dot3(q, element->axis));
    double angle = size < 1e-9 ? dofs[2] : twist_about(q, element->axis);
    swing_axes(element->axis, a, b);
    about(element->axis, -angle, twist);
    lbm_quaternion_multiply(q, twist, swing);
    lbm_logarithm(swing, v);
    parts[0] = lbm_dot3(v, a);
    parts[1] = lbm_dot3(v, b);
    vector_near(parts, dofs, 2);
    dofs[0] = parts[0];
    dofs[1] = parts[1];
    dofs[2] = turned_near(angle, dofs[2]);
}

/* The nearest R(a, s) R(b, t) to q. Its scalar product with q is u' M v with u = (cos s/2, sin s/2) and v likewise: the
 * largest for the first singular vectors of M. */
static void solve_two(const double a[3], const double b[3], const double q[4], double *s, double *t) {
    double qa[4] = {a[0], a[1], a[2], 0}, qb[4] = {b[0], b[1], b[2], 0}, ab[4];
    lbm_quaternion_multiply(qa, qb, ab);
    double m00 = q[3], m01 = lbm_dot3(q, b), m10 = lbm_dot3(q, a), m11 = lbm_dot3(q, ab) + q[3] * ab[3];
    /* twice that is p cos(x - y) + p' sin(x - y) + r cos(x + y) + r' sin(x + y) with x = s/2, y = t/2 */
    double p = m00 + m11, p2 = m10 - m01, r = m00 - m11, r2 = m10 + m01;
    double difference = lbm_atan2(p2, p), sum = lbm_atan2(r2, r);
    if (p * p + p2 * p2 < 1e-18) {
        difference = sum - *t; /* one of them is open: t stays */
    } else if (r * r + r2 * r2 < 1e-18) {
        sum = difference + *t;
    }
    *s = turned_near(sum + difference, *s);
    *t = turned_near(sum - difference, *t);
}

/*
 * R(a1, s) R(a2, t) R(a3, u) = R. What a1 sees of R a3 is a1 . R(a2, t) a3 = A cos t + B sin t + C, which gives t up to
 * two answers; then s turns R(a2, t) a3 to R a3 about a1, and u is what is left. Where R a3 lies along a1 (gimbal lock)
 * s is open and keeps its value; u makes up for it. Where the axes are not at right angles, some rotations are out of
 * reach: then t goes as far as it can.
 */
typedef struct triple {
    const double *a1, *a2, *a3;
    double q[4];
} triple;

static void middle_angles(const triple *r, double near, double angles[2]) {
    double cross[3], seen[3], off[3];
    lbm_cross3(r->a2, r->a3, cross);
    double c = lbm_dot3(r->a1, r->a2) * lbm_dot3(r->a2, r->a3);
    double a = lbm_dot3(r->a1, r->a3) - c, b = lbm_dot3(r->a1, cross), size = sqrt(a * a + b * b);
    if (size < 1e-12) { /* the middle turn changes nothing that a1 could see */
        angles[0] = angles[1] = near;
        return;
    }
    lbm_quaternion_rotate(r->q, r->a3, seen);
    lbm_cross3(r->a1, seen, off);
    double cosine = (lbm_dot3(r->a1, seen) - c) / size;
    double sine = fabs(size - 1) < 1e-12 && fabs(c) < 1e-12 ? lbm_norm3(off)
                  : fabs(cosine) < 1                        ? sqrt(1 - cosine * cosine)
                                                            : 0;
    double centre = lbm_atan2(b, a), half = lbm_atan2(sine, cosine);
    angles[0] = turned_near(centre + half, near);
    angles[1] = turned_near(centre - half, near);
}

static void outer_angles(const triple *r, double middle, const double near[3], double out[3]) {
    double turn[4], before[3], after[3], side[3], wanted[3], across[3], first[4], left[4];
    about(r->a2, middle, turn);
    lbm_quaternion_rotate(turn, r->a3, before);
    lbm_quaternion_rotate(r->q, r->a3, after);
    lbm_cross3(r->a1, before, side); /* seen along a1, where nothing cancels */
    lbm_cross3(r->a1, after, wanted);
    lbm_cross3(side, wanted, across);
    double s = lbm_dot3(side, side) < 1e-24 ? near[0] : lbm_atan2(lbm_dot3(r->a1, across), lbm_dot3(side, wanted));
    about(r->a1, s, first);
    lbm_quaternion_multiply(first, turn, left);
    conjugate(left, left);
    lbm_quaternion_multiply(left, r->q, left);
    out[0] = turned_near(s, near[0]);
    out[1] = middle;
    out[2] = turned_near(twist_about(left, r->a3), near[2]);
}

static void solve_three(const triple *r, double near[3]) {
    double middle[2], best[3] = {0, 0, 0}, least = INFINITY;
    middle_angles(r, near[1], middle);
    for (int i = 0; i < 2; i++) {
        double angles[3], distance = 0;
        outer_angles(r, middle[i], near, angles);
        for (int k = 0; k < 3; k++) {
            distance += (angles[k] - near[k]) * (angles[k] - near[k]);
        }
        if (distance >= least) {
            continue;
        }
        least = distance;
        lbm_copy3(best, angles);
    }
    lbm_copy3(near, best);
}

lb_status lb_joint_type_dofs(const lb_joint_type *type, const double rotation[4], double *dofs) {
    const lb_element *elements[LB_JOINT_MAX_DOFS];
    int first[LB_JOINT_MAX_DOFS];
    double q[4];
    if (!type || !rotation || !dofs || !lbf_type_is_sound(type)) {
        return LB_ERROR_ARGUMENT;
    }
    if (!lbm_all_finite(dofs, lb_joint_type_dof_count(type))) {
        return LB_ERROR_ARGUMENT;
    }
    memcpy(q, rotation, sizeof q);
    if (!lbm_quaternion_normalise(q)) {
        return LB_ERROR_ARGUMENT;
    }
    int count = turning(type, elements, first), simple = 1;
    for (int i = 0; i < count; i++) {
        simple &= elements[i]->kind == LB_ELEMENT_ROTATE;
    }
    if (count == 0) {
        return LB_OK;
    }
    const lb_element *e = elements[0];
    if (count == 1 && e->kind == LB_ELEMENT_SWING_TWIST) {
        solve_swing_twist(e, q, dofs + first[0]);
    } else if (count == 1 && e->kind == LB_ELEMENT_ROTATION) {
        solve_vector(q, dofs + first[0]);
    } else if (count == 1) {
        dofs[first[0]] = turned_near(twist_about(q, e->axis), dofs[first[0]]);
    } else if (count == 2 && simple) {
        solve_two(e->axis, elements[1]->axis, q, &dofs[first[0]], &dofs[first[1]]);
    } else if (count == 3 && simple) {
        triple r = {e->axis, elements[1]->axis, elements[2]->axis, {q[0], q[1], q[2], q[3]}};
        double near[3] = {dofs[first[0]], dofs[first[1]], dofs[first[2]]};
        solve_three(&r, near);
        for (int i = 0; i < 3; i++) {
            dofs[first[i]] = near[i];
        }
    } else {
        return LB_ERROR_UNSUPPORTED;
    }
    return LB_OK;
}
