#include "reach/zone.h"

#include <math.h>

#include "math/outward.h"
#include "math/trig.h"

#define COAXIAL 0x1p-49 /* of a distance along a line: how far off it rounding may have a point that lies on it */

static double clamp(double x, double low, double high) { return lbr_min(lbr_max(x, low), high); }

/* The angle in [-pi, pi] that differs from x by whole turns. */
static double wrapped(double x) { return x - LBM_TWO_PI * floor(x / LBM_TWO_PI + 0.5); }

/* The range of cos(turn - at) over the zone. */
static void cosines(const lbr_zone *zone, double at, double range[2]) {
    const double off = fabs(wrapped(zone->turn - at));
    const double near = lbr_max(0, off - zone->half), far = lbr_min(LBM_PI, off + zone->half);
    range[0] = zone->half >= LBM_PI ? -1 : lbm_cos(far);
    range[1] = zone->half >= LBM_PI ? 1 : lbm_cos(lbr_min(near, LBM_PI));
}

/* The least and the greatest 1 - cos(turn - at) over the zone. */
static void versines(const lbr_zone *zone, double at, double *least, double *most) {
    const double off = fabs(wrapped(zone->turn - at));
    const double near = lbm_sin(0.5 * lbr_min(lbr_max(0, off - zone->half), LBM_PI));
    const double far = lbm_sin(0.5 * lbr_min(LBM_PI, off + zone->half));
    *least = zone->half >= LBM_PI ? 0 : 2 * near * near;
    *most = zone->half >= LBM_PI ? 2 : 2 * far * far;
}

static void set_turn(lbr_zone *zone, double turn, double half) {
    zone->turn = half < LBM_PI ? turn : 0;
    zone->half = half < LBM_PI ? half : LBM_PI;
}

/* Moves the bounds of a zone that is known exactly outwards, so that they have all points. */
static void open_up(lbr_zone *zone) {
    if (zone->shape != LBR_SHAPE_OTHER) {
        set_turn(zone, zone->turn, zone->half + lbm_angle_within(zone->slack, zone->r[0]));
        zone->shape = LBR_SHAPE_OTHER;
    }
    lbm_widen_length(zone->r, zone->slack);
    lbm_widen(zone->z, zone->slack);
    lbm_widen_length(zone->d, zone->slack);
    zone->half += LBM_ANGLE_SLACK * (LBM_TWO_PI + fabs(zone->turn));
}

void lbr_zone_point(lbr_zone *zone, const double point[3], double slack) {
    const double off = sqrt(point[0] * point[0] + point[1] * point[1]), r = off <= slack ? 0 : off;
    *zone = (lbr_zone){.r = {r, r}, .z = {point[2], point[2]}, .slack = slack};
    zone->d[0] = zone->d[1] = sqrt(r * r + point[2] * point[2]);
    zone->turn = lbm_atan2(point[1], point[0]);
    zone->shape = LBR_SHAPE_POINT;
}

/* --- Motion ------------------------------------------------------------------------------------------------ */

static void turn_about_z(lbr_zone *zone, const lbr_link *link) {
    const int is_full = lbr_turns_fully(link);
    if (zone->shape == LBR_SHAPE_POINT && zone->r[1] == 0) {
        return; /* it is on the axis */
    }
    if (zone->shape == LBR_SHAPE_POINT) {
        zone->shape = LBR_SHAPE_ARC;
    } else if (zone->shape == LBR_SHAPE_ASIDE && is_full && zone->is_flat && zone->z[0] == zone->z[1]) {
        zone->shape = LBR_SHAPE_RING;
    } else if (zone->shape >= LBR_SHAPE_ASIDE) {
        open_up(zone);
    }
    if (is_full) {
        set_turn(zone, 0, LBM_PI);
    } else {
        const double rounding = LBM_ANGLE_SLACK * (LBM_TWO_PI + fabs(link->low[0]) + fabs(link->high[0]));
        set_turn(zone, zone->turn + 0.5 * (link->low[0] + link->high[0]),
                 zone->half + 0.5 * (link->high[0] - link->low[0]) + rounding);
    }
}

/* The range of the distance from the origin over the ranges of r and z. */
static void distances(const lbr_zone *zone, double d[2]) {
    const double z = zone->z[0] > 0 ? zone->z[0] : zone->z[1] < 0 ? -zone->z[1] : 0;
    const double far = lbr_max(fabs(zone->z[0]), fabs(zone->z[1]));
    d[0] = sqrt(zone->r[0] * zone->r[0] + z * z);
    d[1] = sqrt(zone->r[1] * zone->r[1] + far * far);
}

static void slide_along_z(lbr_zone *zone, const lbr_link *link) {
    if (!lbm_is_finite(link->low[0]) || !lbm_is_finite(link->high[0])) {
        zone->is_all = 1;
        return;
    }
    open_up(zone);
    zone->z[0] += link->low[0];
    zone->z[1] += link->high[0];
    lbm_widen(zone->z, zone->slack);
    distances(zone, zone->d);
    lbm_widen_length(zone->d, zone->slack);
}

/* A rotation about any axis, by this angle at most: the polar angle changes by no more than that. */
static void swing(lbr_zone *zone, double angle) {
    if (angle >= LBM_PI) {
        zone->r[0] = 0;
        zone->r[1] = zone->d[1];
        zone->z[0] = -zone->d[1];
        zone->z[1] = zone->d[1];
    } else {
        double least = LBM_PI, most = 0;
        for (int i = 0; i < 4; i++) {
            const double polar = lbm_atan2(zone->r[i & 1], zone->z[i >> 1]);
            least = lbr_min(least, polar);
            most = lbr_max(most, polar);
        }
        const int has_origin = zone->r[0] <= 0 && zone->z[0] <= 0 && zone->z[1] >= 0;
        least = has_origin ? 0 : lbr_max(0, least - angle);
        most = has_origin ? LBM_PI : lbr_min(LBM_PI, most + angle);
        const double low = lbm_cos(most), high = lbm_cos(least);
        const double sine[2] = {lbm_sin(least), lbm_sin(most)};
        zone->z[0] = low * zone->d[low < 0];
        zone->z[1] = high * zone->d[high > 0];
        zone->r[0] = zone->d[0] * lbr_max(0, lbr_min(sine[0], sine[1]));
        zone->r[1] = zone->d[1] * (least <= LBM_HALF_PI && most >= LBM_HALF_PI ? 1 : lbr_max(sine[0], sine[1]));
    }
    set_turn(zone, 0, LBM_PI);
}

/* Whether a rotation vector may be any rotation. */
static int turns_any_way(const lbr_link *link) {
    int is_any = link->kind == LBF_NODE_ROTATION;
    for (int i = 0; i < 3; i++) {
        is_any = is_any && link->low[i] <= -LBM_PI && link->high[i] >= LBM_PI;
    }
    return is_any;
}

void lbr_zone_sweep(lbr_zone *zone, const lbr_link *link) {
    if (zone->is_all) {
        return;
    }
    switch (link->kind) {
    case LBF_NODE_ROTATE:
        turn_about_z(zone, link);
        break;
    case LBF_NODE_TRANSLATE:
        slide_along_z(zone, link);
        break;
    default:
        if (zone->shape != LBR_SHAPE_OTHER && turns_any_way(link)) {
            zone->shape = LBR_SHAPE_SHELL;
            swing(zone, LBM_PI);
        } else {
            open_up(zone);
            swing(zone, lbr_swing_of(link) * (1 + LBM_ANGLE_SLACK) + LBM_ANGLE_SLACK);
            open_up(zone);
        }
        break;
    }
}

/* --- To the next axis -------------------------------------------------------------------------------------- */

/* What the new frame is, as the old one has it. */
typedef struct view {
    double r, z, turn; /* its origin */
    double tilt;       /* the sine of the angle between the axes, and */
    double tilt_turn;  /* in which direction the new axis leans */
} view;

static view view_of(const lbm_transform *t) {
    const double x = -lbm_dot3(t->x, t->p), y = -lbm_dot3(t->y, t->p), tilt2 = t->x[2] * t->x[2] + t->y[2] * t->y[2];
    view v = {sqrt(x * x + y * y), -lbm_dot3(t->z, t->p), lbm_atan2(y, x), sqrt(tilt2), lbm_atan2(t->y[2], t->x[2])};
    v.r = v.r < COAXIAL * lbm_norm3(t->p) ? 0 : v.r;
    return v;
}

/* The range of r r + v.r v.r - 2 r v.r cos over the zone: the squared distance from the parallel line through the
 * origin. Written with 1 - cos, so that nothing cancels. */
static void across(const lbr_zone *zone, const view *v, double squared[2]) {
    double far, near;
    versines(zone, v->turn, &near, &far);
    const double at = clamp(v->r * (1 - near), zone->r[0], zone->r[1]);
    squared[0] = (at - v->r) * (at - v->r) + 2 * at * v->r * near;
    squared[1] = 0;
    for (int i = 0; i < 2; i++) {
        const double r = zone->r[i];
        squared[1] = lbr_max(squared[1], (r - v->r) * (r - v->r) + 2 * r * v->r * far);
    }
}

static void new_distance(const lbr_zone *zone, const view *v, const double squared[2], double d[2]) {
    const double low = zone->z[0] - v->z, high = zone->z[1] - v->z, way = sqrt(v->r * v->r + v->z * v->z);
    const double near = low > 0 ? low : high < 0 ? -high : 0, far = lbr_max(fabs(low), fabs(high));
    d[0] = lbr_max(sqrt(squared[0] + near * near), lbr_max(zone->d[0] - way, way - zone->d[1]));
    d[1] = lbr_min(sqrt(squared[1] + far * far), way + zone->d[1]);
}

static void new_height(const lbr_zone *zone, const view *v, const lbm_transform *t, double z[2]) {
    double c[2];
    cosines(zone, v->tilt_turn, c);
    const double rise = t->z[2];
    for (int i = 0; i < 2; i++) {
        const double side = v->tilt * c[i], r = (side < 0) == (i == 0) ? zone->r[1] : zone->r[0];
        z[i] = t->p[2] + rise * zone->z[rise < 0 ? 1 - i : i] + side * r;
    }
    z[0] = lbr_max(z[0], t->p[2] - zone->d[1]);
    z[1] = lbr_min(z[1], t->p[2] + zone->d[1]);
}

/* From distances and heights, which may be off by the slack: a small r is off by much more. */
static void new_radius(lbr_zone *zone) {
    double d[2] = {zone->d[0], zone->d[1]}, z[2] = {zone->z[0], zone->z[1]};
    lbm_widen_length(d, zone->slack);
    lbm_widen(z, zone->slack);
    const double near = z[0] > 0 ? z[0] : z[1] < 0 ? -z[1] : 0, far = lbr_max(fabs(z[0]), fabs(z[1]));
    zone->r[0] = lbm_leg_below(d[0], far);
    zone->r[1] = lbm_leg_above(d[1], near);
}

/* The turn about the new axis: that of the middle of the zone, and what the zone's size adds to it. */
static void new_turn(const lbr_zone *old, const lbm_transform *t, lbr_zone *zone) {
    const double r = 0.5 * (old->r[0] + old->r[1]), z = 0.5 * (old->z[0] + old->z[1]);
    double point[3], s, c;
    lbm_sincos(old->turn, &s, &c);
    lbm_apply(t, (const double[3]){r * c, r * s, z}, point);
    const double dr = 0.5 * (old->r[1] - old->r[0]), dz = 0.5 * (old->z[1] - old->z[0]);
    const double side = old->half < LBM_PI ? 2 * old->r[1] * lbm_sin(0.5 * old->half) : 2 * old->r[1];
    const double size = (sqrt(dr * dr + dz * dz) + side) * (1 + LBM_ANGLE_SLACK) + old->slack;
    const double off = sqrt(point[0] * point[0] + point[1] * point[1]);
    set_turn(zone, lbm_atan2(point[1], point[0]), size < off ? lbm_asin(size / off) + LBM_ANGLE_SLACK * 8 : LBM_PI);
}

/* The shape of a zone that was carried to an axis. */
static lbr_shape shape_after(const lbr_zone *old, const view *v) {
    switch (old->shape) {
    case LBR_SHAPE_SHELL:
        return v->r == 0 && v->z == 0 ? LBR_SHAPE_SHELL : LBR_SHAPE_OTHER;
    case LBR_SHAPE_ARC:
    case LBR_SHAPE_RING:
        return v->tilt == 0 && v->r == 0 ? old->shape : LBR_SHAPE_ASIDE;
    default:
        return LBR_SHAPE_OTHER;
    }
}

static void carry_point(lbr_zone *zone, const lbm_transform *t) {
    double s, c, point[3];
    lbm_sincos(zone->turn, &s, &c);
    lbm_apply(t, (const double[3]){zone->r[0] * c, zone->r[0] * s, zone->z[0]}, point);
    lbr_zone_point(zone, point, zone->slack);
}

void lbr_zone_carry(lbr_zone *zone, const lbm_transform *t) {
    const lbr_zone old = *zone;
    if (old.is_all) {
        return;
    }
    if (old.shape == LBR_SHAPE_POINT) {
        carry_point(zone, t);
        return;
    }
    const view v = view_of(t);
    double squared[2];
    zone->shape = shape_after(&old, &v);
    across(&old, &v, squared);
    new_distance(&old, &v, squared, zone->d);
    new_height(&old, &v, t, zone->z);
    zone->is_flat = v.tilt == 0;
    if (v.tilt == 0) {
        zone->r[0] = sqrt(squared[0]);
        zone->r[1] = sqrt(squared[1]);
    } else {
        new_radius(zone);
    }
    if (v.tilt == 0 && v.r == 0) {
        double s, c, point[3];
        lbm_sincos(old.turn, &s, &c);
        lbm_rotate(t, (const double[3]){c, s, 0}, point);
        set_turn(zone, lbm_atan2(point[1], point[0]), old.half);
    } else {
        new_turn(&old, t, zone);
    }
    if (zone->shape == LBR_SHAPE_OTHER) {
        open_up(zone);
    }
}

void lbr_zones_of(const lbr_chain *chain, const double point[3], lbr_zone *zones) {
    lbr_zone zone;
    lbr_zone_point(&zone, point, chain->slack);
    zones[0] = zone;
    for (int i = chain->count - 1; i >= 0; i--) {
        lbr_zone_sweep(&zone, &chain->links[i]);
        zones[i] = zone;
        lbr_zone_carry(&zone, &chain->links[i].constant);
    }
}

/* --- Questions --------------------------------------------------------------------------------------------- */

static double beyond(double x, const double range[2]) { return lbr_max(0, lbr_max(range[0] - x, x - range[1])); }

/* The distance from a point to an arc whose turn it is not in: to the nearer end. */
static double to_end(const lbr_zone *zone, const double point[3], double off) {
    const double r = sqrt(point[0] * point[0] + point[1] * point[1]), dz = point[2] - zone->z[0];
    const double dr = r - zone->r[0], sine = lbm_sin(0.5 * (off - zone->half));
    return sqrt(dr * dr + 4 * r * zone->r[0] * sine * sine + dz * dz);
}

double lbr_zone_missing(const lbr_zone *zone, const double point[3]) {
    if (zone->is_all) {
        return 0;
    }
    const double r = sqrt(point[0] * point[0] + point[1] * point[1]);
    const double dr = beyond(r, zone->r), dz = beyond(point[2], zone->z);
    double missing = lbr_max(sqrt(dr * dr + dz * dz), beyond(lbm_norm3(point), zone->d));
    if (zone->half < LBM_PI && r > 0) {
        const double off = fabs(wrapped(lbm_atan2(point[1], point[0]) - zone->turn)), out = off - zone->half;
        if (out > 0 && zone->shape <= LBR_SHAPE_ARC) {
            return to_end(zone, point, off);
        }
        if (out > 0) {
            const double side = out < LBM_HALF_PI ? r * lbm_sin(out) : r;
            missing = lbr_max(missing, sqrt(side * side + dz * dz));
        }
    }
    return missing;
}

double lbr_zone_depth(const lbr_zone *zone, const double point[3]) {
    const int is_ring = zone->shape == LBR_SHAPE_RING, is_shell = zone->shape == LBR_SHAPE_SHELL;
    if (!is_ring && !is_shell) {
        return 0;
    }
    const double *range = is_ring ? zone->r : zone->d;
    const double at = is_ring ? sqrt(point[0] * point[0] + point[1] * point[1]) : lbm_norm3(point);
    return lbr_max(0, lbr_min(range[1] - at, range[0] > 0 ? at - range[0] : INFINITY));
}

void lbr_zone_box(const lbr_zone *zone, const lbm_transform *t, double low[3], double high[3]) {
    for (int i = 0; i < 3; i++) {
        double c[2];
        const double tilt = sqrt(t->x[i] * t->x[i] + t->y[i] * t->y[i]), rise = t->z[i];
        cosines(zone, lbm_atan2(t->y[i], t->x[i]), c);
        low[i] = t->p[i] + rise * zone->z[rise < 0] + tilt * (c[0] < 0 ? zone->r[1] : zone->r[0]) * c[0];
        high[i] = t->p[i] + rise * zone->z[rise >= 0] + tilt * (c[1] > 0 ? zone->r[1] : zone->r[0]) * c[1];
        low[i] = zone->is_all ? -INFINITY : lbr_max(low[i], t->p[i] - zone->d[1]);
        high[i] = zone->is_all ? INFINITY : lbr_min(high[i], t->p[i] + zone->d[1]);
    }
}
