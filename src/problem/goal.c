#include "problem/goal.h"

#include <string.h>

#include "math/project.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "problem/apart.h"

/* How many turns change what the directions x and y count for: a turn about a single direction does not. */
static int turn_count(const lb_goal *goal) {
    if (goal->kind == LB_GOAL_FRAME && !(goal->weight_orientation > 0)) {
        return 0;
    }
    int directions = (goal->degrees_x > 0) + (goal->degrees_y > 0);
    return directions ? directions + 1 : 0;
}

int lbp_goal_is_point(const lb_goal *goal) { return goal->kind == LB_GOAL_POSITION; }

int lbp_goal_plain_count(const lb_goal *goal) {
    return goal->kind == LB_GOAL_FRAME ? 9 : goal->kind == LB_GOAL_ORIENTATION ? 6 : lbp_goal_row_count(goal);
}

int lbp_goal_row_count(const lb_goal *goal) {
    switch (goal->kind) {
    case LB_GOAL_POSITION:
        return 3;
    case LB_GOAL_ORIENTATION:
        return turn_count(goal);
    case LB_GOAL_FRAME:
        return 3 + turn_count(goal);
    case LB_GOAL_AIM:
        return 3;
    case LB_GOAL_LINE:
        return 2;
    case LB_GOAL_BOX:
        return goal->outside ? 1 : 3;
    case LB_GOAL_CIRCLE:
    case LB_GOAL_DISC:
        return 2;
    default:
        return 1;
    }
}

/* Rows under construction. */
typedef struct row_sink {
    double *rows;
    double (*derivatives)[9];
    int count;
    int is_signed; /* what is inside has its distance, too, negative */
} row_sink;

static double *add_row(row_sink *sink, double value) {
    static const double none[9];
    sink->rows[sink->count] = value;
    double *derivative = sink->derivatives ? sink->derivatives[sink->count] : NULL;
    if (derivative) {
        memcpy(derivative, none, sizeof none);
    }
    sink->count++;
    return derivative;
}

/* value, whose derivative by the point is direction * slope. */
static void add_point_row(row_sink *sink, double value, const double direction[3], double slope) {
    double *d = add_row(sink, value);
    for (int i = 0; d && i < 3; i++) {
        d[i] = direction[i] * slope;
    }
}

static void add_position(row_sink *sink, const lb_goal *goal, const double e[9], double scale) {
    for (int i = 0; i < 3; i++) {
        double *d = add_row(sink, scale * (goal->point[i] - e[i]));
        if (d) {
            d[i] = -scale;
        }
    }
}

static void add_direction(row_sink *sink, const double wanted[3], const double e[9], int at, double scale) {
    for (int i = 0; i < 3; i++) {
        double *d = add_row(sink, scale * (wanted[i] - e[at + i]));
        if (d) {
            d[at + i] = -scale;
        }
    }
}

/* c ((p - r)/|p - r| - v): the derivative of the unit vector by r is -(1 - u u')/|p - r|. At r = p any direction will
 * do: as if p lay straight ahead. */
static void add_aim(row_sink *sink, const lb_goal *goal, const double e[9]) {
    double c = lbp_angle_scale(goal->degrees_x), to[3];
    lbm_sub3(goal->point, e, to);
    double length = lbm_norm3(to);
    int here = length < LBP_HERE;
    for (int i = 0; i < 3; i++) {
        to[i] = here ? e[3 + i] : to[i] / length;
    }
    for (int i = 0; i < 3; i++) {
        double *d = add_row(sink, c * (to[i] - e[3 + i]));
        if (!d) {
            continue;
        }
        d[3 + i] = -c;
        for (int k = 0; k < 3 && !here; k++) {
            d[k] = -c * ((i == k) - to[i] * to[k]) / length;
        }
    }
}

/* Two unit vectors normal to n and to each other. */
static void perpendicular(const double n[3], double a[3], double b[3]) {
    int small = fabs(n[0]) <= fabs(n[1]) ? 0 : 1;
    if (fabs(n[2]) < fabs(n[small])) {
        small = 2;
    }
    double helper[3] = {small == 0, small == 1, small == 2};
    lbm_cross3(n, helper, a);
    double norm = lbm_norm3(a);
    for (int i = 0; i < 3; i++) {
        a[i] /= norm;
    }
    lbm_cross3(n, a, b);
}

static void add_line(row_sink *sink, const lb_goal *goal, const double e[9]) {
    double a[3], b[3], to[3];
    perpendicular(goal->normal, a, b);
    lbm_sub3(goal->point, e, to);
    add_point_row(sink, lbm_dot3(to, a), a, -1);
    add_point_row(sink, lbm_dot3(to, b), b, -1);
}

/* A row slope * direction . (a point at `along` times x from r). */
static void add_along_row(row_sink *sink, double value, const double direction[3], double slope, double along) {
    double *d = add_row(sink, value);
    for (int i = 0; d && i < 3; i++) {
        d[i] = direction[i] * slope;
        d[3 + i] = along * direction[i] * slope;
    }
}

/* How deep the effector reaches below the plane normal . r >= bound; the deepest end in *along. */
static double depth_below(const lbp_goal *g, const double e[9], const double normal[3], double bound, double *along) {
    double lean = g->half_length * lbm_dot3(normal, e + 3);
    *along = lean > 0 ? -g->half_length : g->half_length;
    return bound - lbm_dot3(normal, e) + fabs(lean) + g->radius;
}

static void add_half_space(row_sink *sink, const lbp_goal *g, const double e[9]) {
    double along, depth = depth_below(g, e, g->goal.normal, lbm_dot3(g->goal.normal, g->goal.point), &along);
    if (depth <= 0 && !sink->is_signed) {
        add_row(sink, 0);
    } else {
        add_along_row(sink, depth, g->goal.normal, -1, along);
    }
}

/* --- Regions ------------------------------------------------------------------------------------------ */

/* The axes of the region's own frame, as the columns of a transform with the region's centre. */
static void region_frame(const lb_goal *goal, lbm_transform *t) {
    lb_frame frame;
    lbm_copy3(frame.position, goal->point);
    memcpy(frame.rotation, goal->rotation, sizeof frame.rotation);
    lbm_transform_from_frame(&frame, t);
}

static void local_point(const lbm_transform *t, const double point[3], double out[3]) {
    double to[3];
    lbm_sub3(point, t->p, to);
    lbm_set3(out, lbm_dot3(t->x, to), lbm_dot3(t->y, to), lbm_dot3(t->z, to));
}

static void add_in_box(row_sink *sink, const lb_goal *goal, const double e[9]) {
    lbm_transform t;
    double local[3];
    region_frame(goal, &t);
    local_point(&t, e, local);
    const double *axes[3] = {t.x, t.y, t.z};
    for (int i = 0; i < 3; i++) {
        double over = fabs(local[i]) - goal->size[i];
        if (over <= 0 && !sink->is_signed) {
            add_row(sink, 0);
        } else {
            add_point_row(sink, over, axes[i], local[i] > 0 ? 1 : -1);
        }
    }
}

/* Outside a convex body given by faces: the disjunction of the faces' outer half-spaces, so the face of least depth
 * counts. */
typedef struct least_face {
    double depth, normal[3], along;
    int any;
} least_face;

static void try_face(least_face *least, const lbp_goal *g, const double e[9], const double normal[3], double bound) {
    double along, depth = depth_below(g, e, normal, bound, &along);
    if (least->any && depth >= least->depth) {
        return;
    }
    least->any = 1;
    least->depth = depth;
    least->along = along;
    lbm_copy3(least->normal, normal);
}

static void end_faces(row_sink *sink, const least_face *least) {
    if (!least->any || (least->depth <= 0 && !sink->is_signed)) {
        add_row(sink, 0);
    } else {
        add_along_row(sink, least->depth, least->normal, -1, least->along);
    }
}

static void add_out_of_box(row_sink *sink, const lbp_goal *g, const double e[9]) {
    lbm_transform t;
    region_frame(&g->goal, &t);
    const double *axes[3] = {t.x, t.y, t.z};
    least_face least = {0, {0, 0, 0}, 0, 0};
    for (int i = 0; i < 6; i++) {
        double normal[3], sign = i % 2 ? -1 : 1;
        for (int k = 0; k < 3; k++) {
            normal[k] = sign * axes[i / 2][k];
        }
        try_face(&least, g, e, normal, lbm_dot3(normal, t.p) + g->goal.size[i / 2]);
    }
    end_faces(sink, &least);
}

static void add_out_of_polyhedron(row_sink *sink, const lbp_goal *g, const double e[9]) {
    least_face least = {0, {0, 0, 0}, 0, 0};
    for (int i = 0; i < g->goal.face_count; i++) {
        try_face(&least, g, e, g->goal.faces[i], g->goal.faces[i][3]);
    }
    end_faces(sink, &least);
}

/* Distance to the closest point of the polyhedron; its gradient is the unit vector from there. */
static void add_in_polyhedron(row_sink *sink, const lbp_goal *g, const double e[9]) {
    static const double least[3] = {-INFINITY, -INFINITY, -INFINITY}, most[3] = {INFINITY, INFINITY, INFINITY};
    double closest[3], away[3];
    lbm_copy3(closest, e);
    if (lbm_project(3, least, most, g->goal.face_count, g->face_rows, closest, g->scratch)) {
        add_row(sink, 0); /* empty: refused when the goal was added */
        return;
    }
    lbm_sub3(e, closest, away);
    double distance = lbm_safe_norm3(away);
    if (distance == 0) {
        add_row(sink, 0);
        return;
    }
    for (int i = 0; i < 3; i++) {
        away[i] /= distance;
    }
    add_point_row(sink, distance, away, 1);
}

static double clamp(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

/* A line segment: middle + s direction, |s| <= half, the direction unit. */
typedef struct line_segment {
    const double *middle, *direction;
    double half;
} line_segment;

/* The closest points of two line segments, as their s: Ericson, Real-Time Collision Detection 5.1.9, for symmetric
 * parameters. */
static void closest_of_segments(const line_segment *p, const line_segment *q, double *s, double *t) {
    double w[3];
    lbm_sub3(q->middle, p->middle, w);
    double uv = lbm_dot3(p->direction, q->direction), wu = lbm_dot3(w, p->direction), wv = lbm_dot3(w, q->direction);
    double det = 1 - uv * uv, a = p->half, b = q->half;
    *s = det > 1e-12 ? clamp((wu - uv * wv) / det, -a, a) : clamp(wu, -a, a);
    *t = clamp(*s * uv - wv, -b, b);
    *s = clamp(*t * uv + wu, -a, a);
}

/* In or out of what lies within a radius of a point or stretch. */
static void add_round(row_sink *sink, const lbp_goal *g, const double e[9], double half) {
    lbm_transform t;
    region_frame(&g->goal, &t);
    double along, axial, from[3];
    const line_segment effector = {e, e + 3, g->goal.outside ? g->half_length : 0}, region = {t.p, t.z, half};
    closest_of_segments(&effector, &region, &along, &axial);
    for (int i = 0; i < 3; i++) {
        from[i] = e[i] + along * e[3 + i] - t.p[i] - axial * t.z[i];
    }
    double distance = lbm_safe_norm3(from), radius = g->goal.size[0];
    double depth = g->goal.outside ? radius + g->radius - distance : distance - radius;
    if (depth <= 0 && !sink->is_signed) {
        add_row(sink, 0);
        return;
    }
    if (distance == 0) {
        lbm_copy3(from, t.x); /* in the middle every way out is as good */
    } else {
        for (int i = 0; i < 3; i++) {
            from[i] /= distance;
        }
    }
    add_along_row(sink, depth, from, g->goal.outside ? -1 : 1, along);
}

/* Height over the plane, and the distance in it from the circle or disc. Out of a disc: over its plane by the ball's
 * radius, or beyond its edge, whichever is less. */
static void add_circle(row_sink *sink, const lbp_goal *g, const double e[9]) {
    lbm_transform t;
    double local[3], outward[3];
    region_frame(&g->goal, &t);
    local_point(&t, e, local);
    double flat = sqrt(local[0] * local[0] + local[1] * local[1]), over = flat - g->goal.size[0];
    for (int i = 0; i < 3; i++) {
        outward[i] = flat > 0 ? (local[0] * t.x[i] + local[1] * t.y[i]) / flat : t.x[i];
    }
    if (g->goal.outside) {
        double above = g->radius - fabs(local[2]), beside = g->radius - over;
        if (above <= 0 || beside <= 0) {
            add_row(sink, 0);
        } else if (above < beside) {
            add_point_row(sink, above, t.z, local[2] < 0 ? 1 : -1);
        } else {
            add_point_row(sink, beside, outward, -1);
        }
        add_row(sink, 0);
        return;
    }
    add_point_row(sink, local[2], t.z, 1);
    if (g->goal.kind == LB_GOAL_DISC && over <= 0) {
        add_row(sink, 0);
    } else {
        add_point_row(sink, over, outward, 1);
    }
}

/* P as the square of one row. Near P = 0 the row's derivative has no limit; there it is left 0. */
static void add_custom(row_sink *sink, const lb_goal *goal, const double e[9]) {
    double gradient[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    double value = goal->potential(goal->context, e, gradient);
    double root = value > 0 ? sqrt(value) : value == value ? 0 : value;
    double *d = add_row(sink, root);
    for (int i = 0; d && root > 1e-150 && i < 9; i++) {
        d[i] = 0.5 * gradient[i] / root;
    }
}

static void add_rows(row_sink *sink, const lbp_goal *g, const double e[9]) {
    const lb_goal *goal = &g->goal;
    switch (goal->kind) {
    case LB_GOAL_POSITION:
        add_position(sink, goal, e, 1);
        break;
    case LB_GOAL_ORIENTATION:
        add_direction(sink, goal->x, e, 3, lbp_angle_scale(goal->degrees_x));
        add_direction(sink, goal->y, e, 6, lbp_angle_scale(goal->degrees_y));
        break;
    case LB_GOAL_FRAME: {
        double turn = sqrt(goal->weight_orientation);
        add_position(sink, goal, e, sqrt(goal->weight_position));
        add_direction(sink, goal->x, e, 3, turn * lbp_angle_scale(goal->degrees_x));
        add_direction(sink, goal->y, e, 6, turn * lbp_angle_scale(goal->degrees_y));
        break;
    }
    case LB_GOAL_AIM:
        add_aim(sink, goal, e);
        break;
    case LB_GOAL_LINE:
        add_line(sink, goal, e);
        break;
    case LB_GOAL_PLANE: {
        double to[3];
        lbm_sub3(goal->point, e, to);
        add_point_row(sink, lbm_dot3(to, goal->normal), goal->normal, -1);
        break;
    }
    case LB_GOAL_HALF_SPACE:
        add_half_space(sink, g, e);
        break;
    case LB_GOAL_BOX:
        if (goal->outside) {
            add_out_of_box(sink, g, e);
        } else {
            add_in_box(sink, goal, e);
        }
        break;
    case LB_GOAL_SPHERE:
        add_round(sink, g, e, 0);
        break;
    case LB_GOAL_CAPSULE:
        add_round(sink, g, e, goal->size[1]);
        break;
    case LB_GOAL_CIRCLE:
    case LB_GOAL_DISC:
        add_circle(sink, g, e);
        break;
    case LB_GOAL_POLYHEDRON:
        if (goal->outside) {
            add_out_of_polyhedron(sink, g, e);
        } else {
            add_in_polyhedron(sink, g, e);
        }
        break;
    case LB_GOAL_CUSTOM:
        add_custom(sink, goal, e);
        break;
    case LB_GOAL_APART: {
        double derivatives[9];
        double *d = add_row(sink, lbp_apart_row(goal->context, e, sink->is_signed, derivatives));
        if (d) {
            memcpy(d, derivatives, sizeof derivatives);
        }
        break;
    }
    }
}

double lbp_goal_rows(const lbp_goal *g, const double e[9], double *rows, double (*derivatives)[9]) {
    row_sink sink = {rows, derivatives, 0, 0};
    add_rows(&sink, g, e);
    double sum = 0;
    for (int i = 0; i < sink.count; i++) {
        sum += rows[i] * rows[i];
    }
    return sum;
}

/* --- Guards --------------------------------------------------------------------------------------------- */

int lbp_goal_guard_count(const lb_goal *goal) {
    switch (goal->kind) {
    case LB_GOAL_BOX:
        return goal->outside ? 1 : 3;
    case LB_GOAL_HALF_SPACE:
    case LB_GOAL_SPHERE:
    case LB_GOAL_CAPSULE:
    case LB_GOAL_APART:
        return 1;
    case LB_GOAL_POLYHEDRON:
        return goal->outside ? 1 : goal->face_count <= LBP_MAX_GUARDS ? goal->face_count : 0;
    default:
        return 0;
    }
}

int lbp_goal_guards(const lbp_goal *g, const double e[9], double *values, double (*derivatives)[9]) {
    row_sink sink = {values, derivatives, 0, 1};
    const lb_goal *goal = &g->goal;
    if (lbp_goal_guard_count(goal) == 0) {
        return 0;
    }
    if (goal->kind != LB_GOAL_POLYHEDRON || goal->outside) {
        add_rows(&sink, g, e);
        return sink.count;
    }
    for (int i = 0; i < goal->face_count; i++) {
        const double *face = goal->faces[i];
        add_point_row(&sink, lbm_dot3(face, e) - face[3], face, 1);
    }
    return sink.count;
}
