/* Surfaces: what contacts stand on, and by which forces.
 *
 * A contact that stands is pressed by its surface along the surface's normal: N >= 0, an unknown of the solve. Where
 * all surfaces are level this is all there is, and body_rules.c has the balance: the forces are vertical, so that no
 * friction is needed. Where one is not (a wall, a slope) each foot and each other support also has two forces along its
 * surface, by friction, and the balance is that of statics: in shares of the weight
 *
 *     sum of all forces = up,     sum of p x force = com x up,     |each force along the surface| <= mu N / sqrt(2).
 *
 * The last is the largest pyramid in the cone of friction, mu is lb_body_options.friction, N the sum over a foot's
 * points. The friction of a foot acts at its ball. Nothing sticks: a hand on a wall cannot pull. */
#include <math.h>

#include "solve/body/body.h"

#define STEP_UP 0.30   /* metres: what is higher above a foot is not what it stands on */
#define STEP_DOWN 0.05 /* metres above a surface at which a foot still stands on it */
#define STANDS 0.01    /* metres: a foot that is so near to its surface stands on it already */
#define STEEP 0.5      /* cosine of a slope that nobody stands on */
#define LEVEL 1e-9     /* of a normal's sides: a surface that is level */
#define PYRAMID 0.70710678118654752
#define NEAR_EDGE 0.10 /* metres */
#define HAND 0.08      /* metres that the middle of a palm is inside of an edge, so that the hand is */
#define NARROW 0.5     /* of half a surface: it is not more, as on a rail */

/* --- Planes ----------------------------------------------------------------------------------------------------------------- */

lbs_plane lbs_plane_of(const lbs_body *b, int surface) {
    lbs_plane plane = {.surface = -1,
                       .point = {0, 0, b->options->floor},
                       .half_size = {INFINITY, INFINITY},
                       .axes = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
    if (surface >= 0) {
        const lb_surface *given = &b->options->surfaces[surface];
        plane.surface = surface;
        lbm_copy3(plane.point, given->point);
        plane.half_size[0] = given->half_size[0];
        plane.half_size[1] = given->half_size[1];
        lbp_frame_surface(given, &plane.axes);
    }
    return plane;
}

double lbs_contact_height(const lbs_contact *contact) {
    return lbs_plane_height(contact->plane, contact->point.world) - contact->radius;
}

void lbs_contact_place(const lbs_contact *contact, double at[3]) {
    lbm_copy3(at, contact->point.world);
    lbm_add_scaled3(at, contact->plane->axes.normal, -contact->radius);
}

static int is_level(const double normal[3]) {
    return fabs(normal[0]) < LEVEL && fabs(normal[1]) < LEVEL && normal[2] > 0;
}

double lbs_plane_height(const lbs_plane *plane, const double at[3]) {
    double off[3];
    lbm_sub3(at, plane->point, off);
    return lbm_dot3(plane->axes.normal, off);
}

/* The height of a plane in the world over or under a point. */
static double height_at(const lbs_plane *plane, const double at[3]) {
    return at[2] - lbs_plane_height(plane, at) / plane->axes.normal[2];
}

static int is_over(const lbs_plane *plane, const double at[3]) {
    double off[3];
    lbm_sub3(at, plane->point, off);
    return fabs(lbm_dot3(plane->axes.along, off)) <= plane->half_size[0] &&
           fabs(lbm_dot3(plane->axes.across, off)) <= plane->half_size[1];
}

/* Has all points of a foot stand on a plane. */
static void put_foot(const lbs_body *b, const lbs_foot *foot, const lbs_plane *plane) {
    for (int i = 0; i < foot->ball_count; i++) {
        b->stand.contacts[foot->balls[i]].plane[0] = *plane;
    }
    if (foot->heel >= 0) {
        b->stand.contacts[foot->heel].plane[0] = *plane;
    }
    if (foot->toe >= 0) {
        b->stand.contacts[foot->toe].plane[0] = *plane;
    }
}

/* The highest surface that a foot can be said to stand on where it is; else the floor. */
static lbs_plane plane_under(const lbs_body *b, const lbs_foot *foot) {
    lbs_plane best = lbs_plane_of(b, -1);
    const double *middle = lbs_foothold_of(b, foot)->middle;
    double highest = b->options->floor;
    for (int i = 0; i < b->options->surface_count; i++) {
        const lbs_plane plane = lbs_plane_of(b, i);
        if (!(plane.axes.normal[2] > STEEP) || !is_over(&plane, middle)) {
            continue;
        }
        const double radius = foot->ball_count ? b->stand.contacts[foot->balls[0]].radius : 0;
        const double height = height_at(&plane, middle), above = middle[2] - radius - height;
        if (above > -STEP_UP && above < STEP_DOWN && height > highest) {
            highest = height;
            best = plane;
        }
    }
    return best;
}

/* --- Where feet stand ------------------------------------------------------------------------------------------------------- */

/* Whether a foot is on its plane already. */
static int is_there(const lbs_body *b, const lbs_foot *foot, const lbs_plane *plane) {
    for (int i = 0; i < foot->ball_count; i++) {
        const lbs_contact *ball = &b->stand.contacts[foot->balls[i]];
        const double *at = ball->point.world;
        if (!is_over(plane, at) || fabs(lbs_plane_height(plane, at) - ball->radius) > STANDS) {
            return 0;
        }
    }
    return foot->ball_count > 0;
}

void lbs_body_choose_planes(const lbs_body *b) {
    for (int i = 0; i < b->stand.foot_count && b->options->surface_count; i++) {
        const lbs_foot *foot = &b->stand.feet[i];
        const int is_told = foot->told != LBS_NOT_TOLD;
        const lbs_plane plane = is_told ? lbs_plane_of(b, foot->told) : plane_under(b, foot);
        put_foot(b, foot, &plane);
        if (is_told && foot->is_asked) {
            b->state->feet[i].state = is_there(b, foot, &plane) ? LBS_FOOT_PLANTED : LBS_FOOT_STEPS;
        }
    }
    b->state->is_tilted = 0;
    for (int i = 0; i < b->stand.force_count && b->stand.grip_room; i++) {
        const lbs_contact *contact = &b->stand.contacts[b->stand.force_contacts[i]];
        b->state->is_tilted |= !is_level(contact->plane->axes.normal);
    }
    b->state->grip_count = 0;
    for (int i = 0; i < b->stand.contact_count && b->state->is_tilted; i++) {
        const lbs_contact *contact = &b->stand.contacts[i];
        const int is_ball = contact->foot >= 0 && b->stand.feet[contact->foot].ball_count > 0 &&
                            b->stand.feet[contact->foot].balls[0] == i;
        if (contact->force >= 0 && (is_ball || contact->is_support)) {
            b->state->grips[b->state->grip_count++] = i;
        }
    }
}

double lbs_body_lowest(const lbs_body *b) {
    double lowest = INFINITY;
    for (int i = 0; i < b->stand.foot_count; i++) {
        const lbs_foot *foot = &b->stand.feet[i];
        const lbs_foothold *stood = &b->state->feet[i];
        const lbs_plane *plane = foot->ball_count ? b->stand.contacts[foot->balls[0]].plane : NULL;
        if (plane && stood->state != LBS_FOOT_LIFTED && plane->axes.normal[2] > STEEP) {
            const double height = is_level(plane->axes.normal) ? plane->point[2] : height_at(plane, stood->middle);
            lowest = height < lowest ? height : lowest;
        }
    }
    return lowest < INFINITY ? lowest : b->options->floor;
}

/* --- Forces ----------------------------------------------------------------------------------------------------------------- */

int lbs_grip_room(const lb_body *body, const lb_body_options *options) {
    for (int i = 0; i < options->surface_count; i++) {
        lbp_surface_frame axes;
        if (!lbp_frame_surface(&options->surfaces[i], &axes) && !is_level(axes.normal)) {
            return 2 * body->contact_count;
        }
    }
    return 0;
}

int lbs_push_count(const lbs_body *b) {
    return b->stand.force_count ? b->stand.force_count + 2 * b->state->grip_count : 0;
}

lbs_push lbs_push_of(const lbs_body *b, int index) {
    const lbs_body_stand *stand = &b->stand;
    if (index < stand->force_count) {
        const int contact = stand->force_contacts[index];
        return (lbs_push){contact, index, stand->contacts[contact].plane->axes.normal};
    }
    const int grip = index - stand->force_count, contact = b->state->grips[grip / 2];
    const lbp_surface_frame *axes = &stand->contacts[contact].plane->axes;
    return (lbs_push){contact, stand->contact_count + grip, grip & 1 ? axes->across : axes->along};
}

void lbs_add_statics(const lbs_body *b, lbs_bodies_task *t, const double *forces) {
    const double *about = b->state->wished_at, *com = b->state->com;
    const int count = lbs_push_count(b);
    double sum[3] = {0, 0, -1}, moment[3] = {about[1] - com[1], com[0] - about[0], 0};
    for (int i = 0; i < count; i++) {
        const lbs_push push = lbs_push_of(b, i);
        double arm[3], turn[3];
        lbs_contact_place(&b->stand.contacts[push.contact], arm);
        lbm_sub3(arm, about, arm);
        lbm_cross3(arm, push.direction, turn);
        lbm_add_scaled3(sum, push.direction, forces[push.force]);
        lbm_add_scaled3(moment, turn, forces[push.force]);
    }
    b->state->balance_row = t->rules.count;
    for (int c = 0; c < 3; c++) {
        double *row = lbs_add_row(t, &t->rules, sum[c]);
        for (int i = 0; row && i < count; i++) {
            const lbs_push push = lbs_push_of(b, i);
            row[b->stand.first_force + push.force] = push.direction[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        const double axis[3] = {c == 0, c == 1, c == 2};
        double *row = lbs_add_row(t, &t->rules, moment[c]);
        for (int i = 0; row && i < count; i++) {
            const lbs_push push = lbs_push_of(b, i);
            const lbs_body_point *point = &b->stand.contacts[push.contact].point;
            double arm[3], turn[3], force[3];
            lbs_contact_place(&b->stand.contacts[push.contact], arm);
            lbm_sub3(arm, about, arm);
            lbm_cross3(arm, push.direction, turn);
            row[b->stand.first_force + push.force] += turn[c];
            if (forces[push.force] != 0) { /* axis . (dp x f) = dp . (f x axis) */
                lbm_cross3(push.direction, axis, force);
                lbs_add_point(b, t, row, point, force, forces[push.force]);
            }
        }
        if (row && c < 2) {
            lbs_add_com(b, row, 1 - c, c == 0 ? -1 : 1);
        }
    }
}

void lbs_balance_moment(const lbs_body *b, const double *multipliers, double moment[3]) {
    const double *own = multipliers + b->state->balance_row;
    if (b->state->is_tilted) {
        lbm_copy3(moment, own + 3);
    } else {
        lbm_set3(moment, own[2], -own[1], 0);
    }
}

/* What a foot's contacts, or a support, press with. */
static int carries_with(const lbs_body *b, int grip, int contact) {
    const int foot = b->stand.contacts[grip].foot;
    return contact == grip || (foot >= 0 && b->stand.contacts[contact].foot == foot);
}

void lbs_body_cones(const lbs_body *b, lbs_bodies_task *t, const double *forces) {
    const double slope = PYRAMID * b->options->friction;
    for (int i = 0; i < 4 * b->state->grip_count; i++) {
        const int contact = b->state->grips[i / 4], column = b->stand.contact_count + i / 2, sign = i & 1 ? 1 : -1;
        double value = sign * forces[column];
        for (int k = 0; k < b->stand.force_count; k++) {
            value -= carries_with(b, contact, b->stand.force_contacts[k]) ? slope * forces[k] : 0;
        }
        double *row = lbs_add_condition(t, value, INFINITY);
        if (!row) {
            continue;
        }
        row[b->stand.first_force + column] = sign;
        for (int k = 0; k < b->stand.force_count; k++) {
            if (carries_with(b, contact, b->stand.force_contacts[k])) {
                row[b->stand.first_force + k] = -slope;
            }
        }
    }
}

/* --- Edges ------------------------------------------------------------------------------------------------------------------ */

static void add_edges(const lbs_body *b, lbs_bodies_task *t, const lbs_contact *contact, double hand) {
    double off[3];
    lbm_sub3(contact->point.world, contact->plane->point, off);
    for (int c = 0; c < 2; c++) {
        const double *axis = c ? contact->plane->axes.across : contact->plane->axes.along;
        const double size = contact->plane->half_size[c], at = lbm_dot3(axis, off);
        const double half = size - (hand < NARROW * size ? hand : NARROW * size);
        for (int side = -1; side <= 1 && lbm_is_finite(half); side += 2) {
            double *row = lbs_add_condition(t, side * at - half, NEAR_EDGE);
            if (row) {
                lbs_add_point(b, t, row, &contact->point, axis, side);
            }
        }
    }
}

void lbs_body_edges(const lbs_body *b, lbs_bodies_task *t) {
    for (int i = 0; i < b->stand.contact_count; i++) {
        const lbs_contact *contact = &b->stand.contacts[i];
        if (contact->is_support || (contact->foot >= 0 && b->state->feet[contact->foot].state != LBS_FOOT_LIFTED)) {
            add_edges(b, t, contact, b->body->contacts[i].kind == LB_CONTACT_PALM ? HAND : 0);
        }
    }
}
