/* Swivels: where elbows and knees point.
 *
 * With a the unit vector from the joint above (shoulder) to the joint below (wrist), b the side of the upper segment
 * that the middle joint bends out to and d the direction that is asked for, the swivel is the angle about a from b to
 * d:
 *
 *     phi = atan2(s, c),   s = a . (b x d),   c = b . d - (a . b) (a . d).
 *
 * The middle joint lies in the plane of a and b, on the side of b, whatever its own angle is. So phi is also the angle
 * by which the elbow is off its side; but it is there for a straight limb, too, where the elbow has no side: b is fixed
 * to the upper segment. Hence an arm that is stretched and bent again keeps its side. Where d is along the limb any
 * swivel is as good: the weight falls with q = 1 - (a . d)^2, as q / (q + FADES).
 *
 * The term is quadratic near 0 and linear from there on (pseudo-Huber): exact to a fraction of a degree where the limb
 * is free to turn, and of a bounded pull where it is not, so that the trunk is not bent for an elbow. */
#include <math.h>

#include "math/trig.h"
#include "solve/body/body.h"

#define WEIGHT 5.0        /* per radian, for small angles */
#define TURNS_LINEAR 0.02 /* radians from where on the term is linear */
#define FADES 0.02        /* see above */
#define BENT 0.6          /* radians: the middle joint is bent so far to see where it goes */
#define LEAST_SQUARE 1e-6 /* of (s, c): below it there is no angle */
#define LEAST_LENGTH 1e-6 /* metres */

/* --- The plan --------------------------------------------------------------------------------------------------------------- */

/* The variable that moves a node first; -1: none. */
static int variable_of(const lb_figure *f, int node) {
    const lbf_node *n = &f->nodes[node];
    for (int c = n->coordinate; c < n->coordinate + lbf_node_coordinates(n->kind); c++) {
        const lbf_influence in = lbf_influence_of(f, c);
        if (in.count > 0) {
            return in.first_term < 0 ? in.own : f->terms[in.first_term].variable;
        }
    }
    return -1;
}

/* The side that the middle joint bends out to, by bending it: from the line between the ends to the joint. */
static int find_pole(const lbs_body *b, const lb_swivel *given, lbs_swivel *made) {
    const lb_figure *f = b->figure;
    double place[3];
    lbs_body_point middle = lbs_body_point_of(b, given->middle, lbs_origin);
    middle.world = place;
    int node = lbs_body_node(b, given->middle), variable = -1;
    double *pose = b->scene.bent_pose, line[3], arm[3], along[3], pole[3];
    while (node >= 0 && node != lbs_body_node(b, given->upper) && variable < 0) {
        variable = variable_of(f, node);
        node = f->nodes[node].parent;
    }
    if (variable < 0) {
        return 0;
    }
    for (int i = 0; i < f->variable_count; i++) {
        pose[i] = f->rest[i];
    }
    pose[variable] += f->upper[variable] - f->rest[variable] >= f->rest[variable] - f->lower[variable] ? BENT : -BENT;
    lbf_update(b->kinematics, pose, &f->every_node);
    lbs_body_place_point(b, &made->upper);
    lbs_body_place_point(b, &made->lower);
    lbs_body_place_point(b, &middle);
    lbm_sub3(made->lower.world, made->upper.world, line);
    lbm_sub3(middle.world, made->upper.world, arm);
    lbm_copy3(along, arm);
    const double square = lbm_dot3(line, line), length = lbm_norm3(arm);
    if (!(square > LEAST_LENGTH) || !(length > LEAST_LENGTH)) {
        return 0;
    }
    lbm_add_scaled3(arm, line, -lbm_dot3(arm, line) / square); /* out of the line */
    lbm_add_scaled3(arm, along, -lbm_dot3(arm, along) / (length * length));
    const double out = lbm_norm3(arm);
    for (int c = 0; c < 3; c++) {
        pole[c] = arm[c] / out;
    }
    lbs_rotate_back(lbs_body_frame(b, made->spot), pole, made->pole);
    return out > LEAST_LENGTH;
}

void lbs_plan_swivels(lbs_body *b) {
    const lb_figure *f = b->figure;
    b->scene.swivel_count = 0;
    for (int i = 0; i < b->options->swivel_count; i++) {
        const lb_swivel *given = &b->options->swivels[i];
        lbs_swivel *made = &b->scene.swivels[b->scene.swivel_count];
        const double length = lbm_norm3(given->direction);
        double direction[3];
        *made = (lbs_swivel){.upper = lbs_plan_point(b, given->upper, lbs_origin),
                             .lower = lbs_plan_point(b, given->lower, lbs_origin)};
        made->spot = made->upper.spot;
        for (int c = 0; c < 3; c++) {
            direction[c] = given->direction[c] / length;
        }
        lbm_copy3(made->direction, direction);
        if (given->segment >= 0) {
            const int node = lbs_body_node(b, given->segment);
            made->frame = node < 0 ? 0 : b->motion.spot_of_node[node];
            lbm_rotate(&f->mounts[given->segment].offset, direction, made->direction);
        }
        b->scene.swivel_count += find_pole(b, given, made);
    }
    lbf_update(b->kinematics, f->rest, &f->every_node);
}

/* --- The term --------------------------------------------------------------------------------------------------------------- */

/* w times the pseudo-Huber residual of an angle: its square is 2 (w delta)^2 (sqrt(1 + (phi / delta)^2) - 1). */
static double huber(double phi, double *slope) {
    const double t = phi / TURNS_LINEAR, root = sqrt(1 + t * t);
    /* sqrt(2 (root - 1)) = |t| sqrt(2 / (root + 1)), without cancellation */
    const double share = sqrt(2 / (root + 1)), residual = WEIGHT * TURNS_LINEAR * t * share;
    /* d(r^2)/dt = 2 (w delta)^2 t / root, so dr/dt = (w delta)^2 t / (root r) */
    *slope = WEIGHT / (root * share);
    return residual;
}

static void add_swivel(const lbs_body *b, lbs_bodies_task *t, const lbs_swivel *swivel) {
    double a[3], pole[3], d[3], cross[3], by_a[3], by_b[3], by_d[3], force[3], slope;
    lbs_body_place_point(b, &swivel->upper);
    lbs_body_place_point(b, &swivel->lower);
    lbm_sub3(swivel->lower.world, swivel->upper.world, a);
    const double length = lbm_norm3(a);
    lbm_rotate(lbs_body_frame(b, swivel->spot), swivel->pole, pole);
    lbm_rotate(lbs_body_frame(b, swivel->frame), swivel->direction, d);
    for (int i = 0; i < 3; i++) {
        a[i] = length > LEAST_LENGTH ? a[i] / length : 0;
    }
    lbm_cross3(pole, d, cross);
    const double ab = lbm_dot3(a, pole), ad = lbm_dot3(a, d), s = lbm_dot3(a, cross), c = lbm_dot3(pole, d) - ab * ad;
    const double square = s * s + c * c, q = 1 - ad * ad;
    if (!(length > LEAST_LENGTH) || !(square > LEAST_SQUARE)) {
        lbs_add_wish(t, 0);
        return;
    }
    const double fade = q / (q + FADES), fading = FADES / ((q + FADES) * (q + FADES));
    const double residual = huber(lbm_atan2(s, c), &slope);
    double *row = lbs_add_wish(t, fade * residual);
    if (!row) {
        return;
    }
    /* ds by a: b x d; by b: d x a; by d: a x b. dc by a: -(a.d) b - (a.b) d; by b: d - (a.d) a; by d: b - (a.b) a. */
    const double of_s = fade * slope * c / square, of_c = -fade * slope * s / square, of_q = residual * fading;
    double db[3], dd[3];
    lbm_cross3(d, a, db);
    lbm_cross3(a, pole, dd);
    for (int i = 0; i < 3; i++) {
        by_a[i] = of_s * cross[i] - of_c * (ad * pole[i] + ab * d[i]) - 2 * of_q * ad * d[i];
        by_b[i] = of_s * db[i] + of_c * (d[i] - ad * a[i]);
        by_d[i] = of_s * dd[i] + of_c * (pole[i] - ab * a[i]) - 2 * of_q * ad * a[i];
    }
    const double along = lbm_dot3(a, by_a);
    for (int i = 0; i < 3; i++) {
        force[i] = (by_a[i] - along * a[i]) / length;
    }
    lbs_add_point(b, t, row, &swivel->lower, force, 1);
    lbs_add_point(b, t, row, &swivel->upper, force, -1);
    lbs_add_direction(b, t, row, swivel->spot, pole, by_b, 1);
    lbs_add_direction(b, t, row, swivel->frame, d, by_d, 1);
}

void lbs_body_swivels(const lbs_body *b, lbs_bodies_task *t) {
    t->term = LB_BODY_TERM_SWIVEL;
    for (int i = 0; i < b->scene.swivel_count; i++) {
        add_swivel(b, t, &b->scene.swivels[i]);
    }
}
