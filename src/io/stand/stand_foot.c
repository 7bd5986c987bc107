/* Where a foot touches the floor. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/rotation.h"
#include "io/stand/stand.h"

#define RIM 24           /* points of a cylinder's edge */
#define SAME_LEVEL 0.01  /* of the leg: what is not higher above the lowest point belongs to the sole */
#define WIDE 0.05        /* of the leg: what is not larger is a point */
#define APART 0.02       /* of the leg: corners that are nearer are one */
#define SOLE_LENGTH 0.26 /* of the leg: of a biped's foot whose shape is not known */
#define SOLE_WIDTH 0.11
#define SOLE_DEPTH 0.05 /* of the leg: below the ankle, at the least */
#define TOES_LEVEL 0.05 /* of the leg: a segment above toes that comes so low has the heel */

/* Called for each point that shapes are made of: the middle of a ball. */
typedef void visit(void *context, int segment, const double at[3], double radius);

static void visit_offset(const lb_shape *shape, const double offset[3], double radius, visit *see, void *context) {
    double at[3];
    lbio_rotation_apply(shape->frame.rotation, offset, at);
    for (int c = 0; c < 3; c++) {
        at[c] += shape->frame.position[c];
    }
    see(context, shape->segment, at, radius);
}

static void visit_round(const lb_shape *shape, visit *see, void *context) {
    for (int i = 0; i < 2 * RIM; i++) {
        static const double axis[3] = {0, 0, 1};
        const double radius[3] = {shape->size[0], 0, 0};
        double turn[4], rim[3];
        lb_rotation_about(axis, 6.28318530717958648 * (i % RIM) / RIM, turn);
        lbio_rotation_apply(turn, radius, rim);
        rim[2] = i < RIM ? -shape->size[1] : shape->size[1];
        visit_offset(shape, rim, 0, see, context);
    }
}

static void visit_ellipsoid(const lb_shape *shape, const double down[3], visit *see, void *context) {
    double back[4], d[3], at[3], length = 0;
    lbio_rotation_conjugate(shape->frame.rotation, back);
    lbio_rotation_apply(back, down, d);
    for (int c = 0; c < 3; c++) {
        at[c] = shape->size[c] * d[c];
        length += at[c] * at[c];
    }
    length = sqrt(length);
    for (int c = 0; c < 3; c++) {
        at[c] = length > 0 ? shape->size[c] * at[c] / length : 0;
    }
    visit_offset(shape, at, 0, see, context);
}

/* `down` is what is down in the frame of the segment. */
static void visit_shape(const lb_shape *shape, const double down[3], visit *see, void *context) {
    const double *size = shape->size, middle[3] = {0, 0, 0};
    switch (shape->kind) {
    case LB_SHAPE_SPHERE:
        visit_offset(shape, middle, size[0], see, context);
        break;
    case LB_SHAPE_CAPSULE:
        visit_offset(shape, (double[]){0, 0, -size[1]}, size[0], see, context);
        visit_offset(shape, (double[]){0, 0, size[1]}, size[2], see, context);
        break;
    case LB_SHAPE_BOX:
        for (int i = 0; i < 8; i++) {
            const double corner[3] = {i & 1 ? size[0] : -size[0], i & 2 ? size[1] : -size[1],
                                      i & 4 ? size[2] : -size[2]};
            visit_offset(shape, corner, 0, see, context);
        }
        break;
    case LB_SHAPE_CYLINDER:
        visit_round(shape, see, context);
        break;
    case LB_SHAPE_ELLIPSOID:
        visit_ellipsoid(shape, down, see, context);
        break;
    case LB_SHAPE_HULL:
    case LB_SHAPE_MESH:
        for (int i = 0; i < shape->vertex_count; i++) {
            visit_offset(shape, shape->vertices[i], size[0], see, context);
        }
        break;
    case LB_SHAPE_HALF_SPACE: /* a floor is no foot */
        break;
    }
}

/* All points of the shapes that move with a head: the solid ones, or where there are none those that are drawn. Returns
 * how many shapes there are. */
static int visit_shapes(const lbio_stander *s, int head, visit *see, void *context) {
    static const double up[3] = {0, 0, -1};
    int count = 0;
    for (int drawn = 0; drawn < 2 && !count; drawn++) {
        for (int i = 0; i < lb_figure_shape_count(s->figure); i++) {
            const lb_shape *shape = lb_figure_shape(s->figure, i);
            if (s->heads[shape->segment] == head && drawn == (shape->use == LB_SHAPE_USE_DRAWN)) {
                double back[4], down[3];
                lbio_rotation_conjugate(s->frames[shape->segment].rotation, back);
                lbio_rotation_apply(back, up, down);
                visit_shape(shape, down, see, context);
                count++;
            }
        }
    }
    return count;
}

/* --- The lowest point -------------------------------------------------------------------------------- */

typedef struct low_search {
    const lbio_stander *s;
    double low;
} low_search;

static void see_low(void *context, int segment, const double at[3], double radius) {
    low_search *search = context;
    double world[3];
    lbio_stand_world(search->s, segment, at, world);
    search->low = fmin(search->low, world[2] - radius);
}

/* Without shapes: where links and masses are. */
static double lowest_origin(const lbio_stander *s, int head) {
    double low = INFINITY;
    for (int i = 0; i < s->count; i++) {
        if (s->heads[i] == head) {
            const lb_segment *segment = lb_figure_segment(s->figure, i);
            double com[3];
            lbio_stand_world(s, i, segment->com, com);
            low = fmin(low, s->frames[i].position[2]);
            low = segment->mass > 0 ? fmin(low, com[2]) : low;
        }
    }
    return low;
}

double lbio_stand_lowest(const lbio_stander *s, int head) {
    low_search search = {s, INFINITY};
    return visit_shapes(s, head, see_low, &search) ? search.low : lowest_origin(s, head);
}

/* --- The sole --------------------------------------------------------------------------------------- */

/* A point that may stand, in the world. */
typedef struct spot {
    int segment;
    double at[3], radius;
} spot;

typedef struct sole_search {
    const lbio_stander *s;
    double most; /* the height that belongs to the sole */
    int count, capacity;
    spot *spots;
    int failed;
} sole_search;

static void see_spot(void *context, int segment, const double at[3], double radius) {
    sole_search *search = context;
    double world[3];
    lbio_stand_world(search->s, segment, at, world);
    if (world[2] - radius > search->most) {
        return;
    }
    if (search->count == search->capacity) {
        const int capacity = search->capacity ? 2 * search->capacity : 64;
        spot *bigger = realloc(search->spots, (size_t)capacity * sizeof *bigger);
        if (!bigger) {
            search->failed = 1;
            return;
        }
        search->spots = bigger;
        search->capacity = capacity;
    }
    search->spots[search->count++] = (spot){segment, {world[0], world[1], world[2]}, radius};
}

/* The point of the world in the frame of a segment. */
static lbio_foot_point point_at(const lbio_stander *s, int segment, const double world[3], double radius) {
    lbio_foot_point point = {.segment = segment, .radius = radius};
    double back[4], off[3];
    for (int c = 0; c < 3; c++) {
        off[c] = world[c] - s->frames[segment].position[c];
    }
    lbio_rotation_conjugate(s->frames[segment].rotation, back);
    lbio_rotation_apply(back, off, point.at);
    return point;
}

/* The corners of the sole: the spots that are farthest along the four diagonals, on the level of the lowest. */
static void choose_corners(const lbio_stander *s, const sole_search *search, double low, double apart, lbio_leg *leg) {
    double chosen[LBIO_MOST_POINTS][3];
    for (int k = 0; k < 4; k++) {
        const double x = k == 0 || k == 1 ? 1 : -1, y = k == 0 || k == 3 ? 1 : -1;
        int best = 0, is_new = 1;
        for (int i = 1; i < search->count; i++) {
            const double *at = search->spots[i].at, *was = search->spots[best].at;
            best = x * (at[0] - was[0]) + y * (at[1] - was[1]) > 1e-9 ? i : best;
        }
        const spot *corner = &search->spots[best];
        for (int i = 0; i < leg->point_count; i++) {
            const double x_off = chosen[i][0] - corner->at[0], y_off = chosen[i][1] - corner->at[1];
            is_new &= x_off * x_off + y_off * y_off > apart * apart;
        }
        if (is_new) {
            memcpy(chosen[leg->point_count], corner->at, sizeof corner->at);
            chosen[leg->point_count][2] = low;
            leg->points[leg->point_count] = point_at(s, corner->segment, chosen[leg->point_count], 0);
            leg->point_count++;
        }
    }
}

/* A foot that is no wider than a point: the lowest spot, as round as it is. */
static void choose_point(const lbio_stander *s, const sole_search *search, lbio_leg *leg) {
    double sum[3] = {0, 0, 0}, low = INFINITY, radius = 0;
    int segment = leg->ends[0], count = 0;
    for (int i = 0; i < search->count; i++) {
        const spot *one = &search->spots[i];
        const double bottom = one->at[2] - one->radius;
        if (bottom < low - 1e-9) {
            low = bottom;
            count = 0;
            memset(sum, 0, sizeof sum);
        }
        if (bottom <= low + 1e-9) {
            radius = one->radius;
            segment = one->segment;
            count++;
            for (int c = 0; c < 3; c++) {
                sum[c] += one->at[c];
            }
        }
    }
    for (int c = 0; c < 3 && count; c++) {
        sum[c] /= count;
    }
    leg->points[leg->point_count++] = point_at(s, segment, sum, radius);
}

/* The spots of an end that are as low as the lowest, or nearly so. */
static int find_spots(const lbio_stander *s, int end, double level, sole_search *search) {
    low_search low = {s, INFINITY};
    *search = (sole_search){.s = s};
    if (!visit_shapes(s, end, see_low, &low)) {
        return 0;
    }
    search->most = low.low + level;
    visit_shapes(s, end, see_spot, search);
    return search->count > 0 && !search->failed;
}

static void find_sole(const lbio_stander *s, lbio_leg *leg, double length) {
    sole_search search;
    double low = lbio_stand_lowest(s, leg->ends[0]), lower[2] = {INFINITY, INFINITY}, upper[2] = {-INFINITY, -INFINITY};
    if (find_spots(s, leg->ends[0], SAME_LEVEL * length, &search)) {
        for (int i = 0; i < search.count; i++) {
            for (int c = 0; c < 2; c++) {
                lower[c] = fmin(lower[c], search.spots[i].at[c]);
                upper[c] = fmax(upper[c], search.spots[i].at[c]);
            }
        }
        if (fmax(upper[0] - lower[0], upper[1] - lower[1]) > WIDE * length) {
            choose_corners(s, &search, low, APART * length, leg);
        } else {
            choose_point(s, &search, leg);
        }
    }
    free(search.spots);
}

/* --- Without shapes ---------------------------------------------------------------------------------- */

/* The lowest of the links that are fixed to a foot, with what is known of it: frames of soles and toes are such. */
static int lowest_link(const lbio_stander *s, int end) {
    int best = end;
    for (int i = 0; i < s->count; i++) {
        if (s->heads[i] == end && s->frames[i].position[2] < s->frames[best].position[2] - 1e-6) {
            best = i;
        }
    }
    return best;
}

/* The middle of the masses of a foot, in the world. Returns 0 where it has none. */
static int middle_of(const lbio_stander *s, int end, double middle[3]) {
    double mass = 0;
    memset(middle, 0, 3 * sizeof *middle);
    for (int i = 0; i < s->count; i++) {
        if (s->heads[i] == end) {
            const lb_segment *segment = lb_figure_segment(s->figure, i);
            double com[3];
            lbio_stand_world(s, i, segment->com, com);
            mass += segment->mass;
            for (int c = 0; c < 3; c++) {
                middle[c] += segment->mass * com[c];
            }
        }
    }
    for (int c = 0; c < 3 && mass > 0; c++) {
        middle[c] /= mass;
    }
    return mass > 0;
}

/* A foot without shapes. One of many legs is a point: its lowest link, or as far below its joint as twice the middle of
 * its mass. A biped's is a sole there, about the middle of its mass: one of average size. */
static void guess_foot(const lbio_stander *s, lbio_leg *leg, double length, int is_biped) {
    const int end = leg->ends[0], link = lowest_link(s, end);
    const double *ankle = s->frames[end].position;
    double at[3], middle[3];
    const int has_mass = middle_of(s, end, middle);
    leg->is_guessed = 1;
    memcpy(at, s->frames[link].position, sizeof at);
    if (link == end && has_mass) {
        for (int c = 0; c < 3; c++) {
            at[c] = ankle[c] + 2 * (middle[c] - ankle[c]);
        }
    }
    if (!is_biped) {
        leg->points[leg->point_count++] = point_at(s, link, at, 0);
        return;
    }
    const double depth = ankle[2] - at[2];
    at[2] = ankle[2] - (link == end ? fmax(depth, SOLE_DEPTH * length) : depth);
    memcpy(at, has_mass ? middle : ankle, 2 * sizeof *at);
    for (int k = 0; k < 4; k++) {
        const double x = k == 0 || k == 1 ? 0.5 : -0.5, y = k == 0 || k == 3 ? 0.5 : -0.5;
        const double corner[3] = {at[0] + x * SOLE_LENGTH * length, at[1] + y * SOLE_WIDTH * length, at[2]};
        leg->points[leg->point_count++] = point_at(s, end, corner, 0);
    }
}

/* --- The whole foot --------------------------------------------------------------------------------- */

/* A heel behind toes that move: the rearmost low spot of the segment above. */
static void find_heel(const lbio_stander *s, lbio_leg *leg, double length) {
    const int above = lbio_stand_above(s, leg->ends[0]);
    sole_search search = {0};
    double low = lbio_stand_lowest(s, leg->ends[0]);
    int best = -1;
    if (above == leg->first || above < 0 || leg->is_guessed || leg->point_count < 2 ||
        !find_spots(s, above, SAME_LEVEL * length, &search)) {
        free(search.spots);
        return;
    }
    for (int i = 0; i < search.count; i++) {
        const spot *one = &search.spots[i];
        if (fabs(one->at[2] - one->radius - low) < TOES_LEVEL * length &&
            (best < 0 || one->at[0] < search.spots[best].at[0])) {
            best = i;
        }
    }
    if (best >= 0) {
        const double at[3] = {search.spots[best].at[0], search.spots[best].at[1], low};
        leg->has_heel = 1;
        leg->heel = point_at(s, search.spots[best].segment, at, 0);
    }
    free(search.spots);
}

static void find_middle(const lbio_stander *s, lbio_leg *leg) {
    memset(leg->sole, 0, sizeof leg->sole);
    for (int i = 0; i < leg->point_count; i++) {
        double at[3];
        lbio_stand_world(s, leg->points[i].segment, leg->points[i].at, at);
        at[2] -= leg->points[i].radius;
        for (int c = 0; c < 3; c++) {
            leg->sole[c] += at[c] / leg->point_count;
        }
    }
}

void lbio_stand_find_foot(lbio_stander *s, lbio_leg *leg, int is_biped) {
    memcpy(leg->hip, s->frames[leg->first].position, sizeof leg->hip);
    const double length = leg->hip[2] - lbio_stand_lowest(s, leg->ends[0]);
    leg->point_count = 0;
    if (leg->end_count == 1) {
        find_sole(s, leg, length);
    } else {
        for (int i = 0; i < leg->end_count; i++) { /* toes: the lowest point of each */
            sole_search search;
            lbio_leg toe = {.ends = {leg->ends[i]}};
            if (find_spots(s, leg->ends[i], 1e-9, &search)) {
                choose_point(s, &search, &toe);
                leg->points[leg->point_count++] = toe.points[0];
            }
            free(search.spots);
        }
    }
    if (!leg->point_count) {
        guess_foot(s, leg, length, is_biped);
    }
    find_heel(s, leg, length);
    find_middle(s, leg);
}
