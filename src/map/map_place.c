/* Where the base should stand so that given frames are reached best: every place of a grid on the floor and every
 * heading is tried by looking the frames up in the map, which is that of a base at the origin. */
#include "map/map.h"

#include "figure/sized.h"
#include "math/trig.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PLACES 4000000
#define MOST_HEADINGS 3600

static const lbf_sized options_kind = LBF_SIZED(lb_map_place_options, apart);

void lb_map_place_options_defaults_sized(lb_map_place_options *options, size_t struct_size) {
    static const lb_map_place_options defaults = {.headings = 24, .wanted = 10};
    lbf_default_sized(&options_kind, &defaults, options, struct_size);
}

typedef struct search {
    const lb_map *map;
    const lb_frame *frames;
    int count, has_rotations;
    double height;
} search;

/* A rotation's matrix as the map's orientations have it. */
static double likeness(const double a[4], const double b[4]) {
    return fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
}

/* How well a cell serves a rotation: whether the orientation nearest to it is reached. rotation NULL: any. */
static int serves(const lb_map *map, int64_t cell, const double *rotation) {
    if (!rotation) {
        return map->states[cell] == LB_MAP_STATE_REACHED;
    }
    double best = -1;
    int nearest = 0;
    for (int k = 0; k < map->layout.orientation_count; k++) {
        const double like = likeness(map->rotations[k], rotation);
        if (like > best) {
            best = like, nearest = k;
        }
    }
    return lb_map_frame(map, cell, nearest) == LB_MAP_STATE_REACHED;
}

/* The share of a cell's orientations that are reached; of maps of positions its margin. */
static double quality(const lb_map *map, int64_t cell) {
    if (!map->has_orientations) {
        const double margin = map->fields[(int64_t)LBMAP_FIELD_MARGIN * map->layout.cell_count + cell];
        return isfinite(margin) ? margin : 0;
    }
    int reached = 0;
    for (int k = 0; k < map->layout.orientation_count; k++) {
        reached += lb_map_frame(map, cell, k) == LB_MAP_STATE_REACHED;
    }
    return (double)reached / map->layout.orientation_count;
}

/* What a base at a place with a heading reaches. */
static void try_place(const search *s, lb_map_placement *place) {
    const double sine = lbm_sin(place->heading_rad), cosine = lbm_cos(place->heading_rad);
    const double back[4] = {0, 0, -lbm_sin(place->heading_rad / 2), lbm_cos(place->heading_rad / 2)};
    double sum = 0;
    place->reached = 0;
    for (int i = 0; i < s->count; i++) {
        const double x = s->frames[i].position[0] - place->position[0],
                     y = s->frames[i].position[1] - place->position[1];
        const double point[3] = {cosine * x + sine * y, cosine * y - sine * x,
                                 s->frames[i].position[2] - place->position[2]};
        double rotation[4];
        const int64_t cell = lbmap_find_cell(s->map, point);
        lb_rotation_multiply(back, s->frames[i].rotation, rotation);
        if (cell >= 0 && serves(s->map, cell, s->has_rotations ? rotation : NULL)) {
            place->reached++;
            sum += quality(s->map, cell);
        }
    }
    place->score = place->reached + 0.999 * sum / s->count; /* the number of frames comes first */
}

/* The grid of places: wherever some frame could be in the map. */
static lb_status lay_out(const search *s, double spacing, lb_map_places *places, lb_error *error) {
    const lbmap_layout *l = &s->map->layout;
    double radius = 0;
    for (int i = 0; i < 8; i++) {
        double square = 0;
        for (int k = 0; k < 2; k++) {
            const double side = l->origin[k] + (i >> k & 1 ? (double)(l->shape[k] - 1) * l->spacing : 0);
            square += side * side;
        }
        radius = fmax(radius, sqrt(square));
    }
    places->spacing = spacing;
    for (int k = 0; k < 2; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < s->count; i++) {
            low = fmin(low, s->frames[i].position[k]), high = fmax(high, s->frames[i].position[k]);
        }
        const double cells = floor((high - low + 2 * radius) / spacing) + 1;
        if (!(cells >= 1 && cells <= 100000)) {
            return lbio_error(error, LB_ERROR_TOO_LARGE, NULL, 0, "too many places: choose a larger spacing");
        }
        places->shape[k] = (int)cells;
        places->origin[k] = (low + high) / 2 - (cells - 1) / 2 * spacing;
    }
    return (int64_t)places->shape[0] * places->shape[1] <= MOST_PLACES
               ? LB_OK
               : lbio_error(error, LB_ERROR_TOO_LARGE, NULL, 0, "too many places: choose a larger spacing");
}

static int by_score(const void *a, const void *b) {
    const lb_map_placement *p = a, *q = b;
    if (p->score != q->score) {
        return p->score > q->score ? -1 : 1;
    }
    for (int i = 0; i < 2; i++) { /* a fixed order of equals */
        if (p->position[i] != q->position[i]) {
            return p->position[i] < q->position[i] ? -1 : 1;
        }
    }
    return 0;
}

/* The best places that are apart from each other. */
static void rank(lb_map_places *places, lb_map_placement *sorted, int wanted, double apart) {
    const int count = places->shape[0] * places->shape[1];
    memcpy(sorted, places->placements, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_score);
    places->ranked_count = 0;
    for (int i = 0; i < count && places->ranked_count < wanted && sorted[i].reached > 0; i++) {
        int is_near = 0;
        for (int k = 0; k < places->ranked_count; k++) {
            const double x = sorted[i].position[0] - places->ranked[k].position[0];
            const double y = sorted[i].position[1] - places->ranked[k].position[1];
            is_near |= x * x + y * y < apart * apart * (1 - 1e-9);
        }
        if (!is_near) {
            places->ranked[places->ranked_count++] = sorted[i];
        }
    }
}

static lb_status check(const search *s, const lb_map_place_options *o, lb_error *error) {
    if (!s->map->layout.is_grid) {
        return lbio_error(error, LB_ERROR_UNSUPPORTED, s->map->path, 0, "is a list of points; places need a grid");
    }
    if (s->has_rotations && !s->map->has_orientations) {
        return lbio_error(error, LB_ERROR_UNSUPPORTED, s->map->path, 0,
                          "is a map of positions alone; frames with rotations need one with --orientations");
    }
    if (s->count < 1 || o->headings < 1 || o->headings > MOST_HEADINGS || o->wanted < 1 || !isfinite(o->height) ||
        !(o->spacing >= 0) || !(o->apart >= 0)) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0,
                          "places need frames, 1 to 3600 headings and finite lengths");
    }
    return LB_OK;
}

lb_status lb_map_place(const lb_map *map, const lb_frame *frames, int count, const lb_map_place_options *given,
                       lb_map_places *places, lb_error *error) {
    lb_map_place_options o;
    if (!map || !frames || !places) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0, "places need a map and frames");
    }
    memset(places, 0, sizeof *places);
    lb_map_place_options_defaults(&o);
    lb_status status = lbf_take_sized(&options_kind, given, &o, error);
    const search s = {map, frames, count, o.has_rotations, o.height};
    const double spacing = o.spacing > 0 ? o.spacing : map->layout.spacing;
    status = status ? status : check(&s, &o, error);
    status = status ? status : lay_out(&s, spacing, places, error);
    if (status) {
        return status;
    }
    const size_t cells = (size_t)places->shape[0] * (size_t)places->shape[1];
    places->placements = malloc((2 * cells + (size_t)o.wanted) * sizeof *places->placements);
    if (!places->placements) {
        return lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "no memory for the places");
    }
    places->ranked = places->placements + 2 * cells;
    for (size_t i = 0; i < cells; i++) {
        lb_map_placement best = {.score = -1},
                         place = {.position = {places->origin[0] + (double)(i % (size_t)places->shape[0]) * spacing,
                                               places->origin[1] + (double)(i / (size_t)places->shape[0]) * spacing,
                                               o.height}};
        for (int h = 0; h < o.headings; h++) {
            place.heading_rad = LBM_TWO_PI * h / o.headings;
            try_place(&s, &place);
            best = place.score > best.score ? place : best;
        }
        places->placements[i] = best;
    }
    rank(places, places->placements + cells, o.wanted, o.apart > 0 ? o.apart : 4 * spacing);
    return LB_OK;
}

void lb_map_places_free(lb_map_places *places) {
    if (places) {
        free(places->placements);
        memset(places, 0, sizeof *places);
    }
}
