/* Questions to a map: what it is of, what is at a point, how two of them differ. */
#include "map/map.h"

#include "figure/sized.h"
#include <math.h>
#include <string.h>

static const lbf_sized info_kind = LBF_SIZED(lb_map_info, frame_states);

void lb_map_info_defaults_sized(lb_map_info *info, size_t struct_size) {
    static const lb_map_info defaults = {0};
    lbf_default_sized(&info_kind, &defaults, info, struct_size);
}

lb_status lb_map_describe(const lb_map *map, lb_map_info *info) {
    if (!map || !info) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = lbf_check_sized(&info_kind, info, NULL);
    if (status) {
        return status;
    }
    const lbmap_layout *l = &map->layout;
    lb_map_info made = {.figure = map->figure_name,
                        .figure_hash = map->figure_hash,
                        .sites = map->site_text,
                        .options = map->options,
                        .is_grid = l->is_grid,
                        .spacing = l->spacing,
                        .orientation_count = l->orientation_count,
                        .has_orientations = map->has_orientations,
                        .starts = map->starts,
                        .variable_count = map->variable_count,
                        .has_poses = map->poses != NULL,
                        .cell_count = l->cell_count};
    for (int i = 0; i < 3; i++) {
        made.shape[i] = l->shape[i];
        made.origin[i] = l->origin[i];
    }
    memcpy(made.states, map->state_counts, sizeof made.states);
    memcpy(made.frame_states, map->frame_counts, sizeof made.frame_states);
    lbf_give_sized(&info_kind, &made, info);
    return LB_OK;
}

const lb_figure *lb_map_figure(const lb_map *map) { return map ? map->figure : NULL; }

const double *lb_map_base_pose(const lb_map *map) { return map ? map->base_pose : NULL; }

/* --- Cells ---------------------------------------------------------------------------------------------------------- */

static const unsigned char *frames_of(const lb_map *map, int64_t index) {
    return map->frames ? map->frames + index * map->layout.orientation_count : map->states + index;
}

static float field_of(const lb_map *map, lbmap_field field, int64_t index) {
    return map->fields[(int64_t)field * map->layout.cell_count + index];
}

static void middle_of(const lb_map *map, int64_t index, double middle[3]) {
    const lbmap_layout *l = &map->layout;
    if (!l->is_grid) {
        memcpy(middle, map->points[index], 3 * sizeof *middle);
        return;
    }
    const int64_t at[3] = {index % l->shape[0], index / l->shape[0] % l->shape[1], index / l->shape[0] / l->shape[1]};
    for (int i = 0; i < 3; i++) {
        middle[i] = l->origin[i] + (double)at[i] * l->spacing;
    }
}

lb_status lb_map_get(const lb_map *map, int64_t index, lb_map_cell *cell) {
    if (!map || !cell || index < 0 || index >= map->layout.cell_count) {
        return LB_ERROR_ARGUMENT;
    }
    int counts[4];
    cell->index = index;
    middle_of(map, index, cell->position);
    cell->state = lbmap_cell_state(frames_of(map, index), map->layout.orientation_count, counts);
    cell->reached = counts[LB_MAP_STATE_REACHED];
    cell->outside = counts[LB_MAP_STATE_OUTSIDE];
    cell->unfound = counts[LB_MAP_STATE_UNFOUND];
    cell->missing = field_of(map, LBMAP_FIELD_MISSING, index);
    cell->missing_rad = field_of(map, LBMAP_FIELD_MISSING_RAD, index);
    cell->margin = field_of(map, LBMAP_FIELD_MARGIN, index);
    cell->manipulability = field_of(map, LBMAP_FIELD_MANIPULABILITY, index);
    cell->effort = field_of(map, LBMAP_FIELD_EFFORT, index);
    return LB_OK;
}

int64_t lbmap_find_cell(const lb_map *map, const double point[3]) {
    const lbmap_layout *l = &map->layout;
    int64_t at[3];
    for (int i = 0; i < 3; i++) {
        const double place = floor((point[i] - l->origin[i]) / l->spacing + 0.5);
        if (!(place >= 0 && place < (double)l->shape[i])) {
            return -1;
        }
        at[i] = (int64_t)place;
    }
    return at[0] + l->shape[0] * (at[1] + l->shape[1] * at[2]);
}

/* The nearest point of a list. */
static int64_t find_nearest(const lb_map *map, const double point[3]) {
    int64_t found = 0;
    double least = INFINITY;
    for (int64_t c = 0; c < map->layout.cell_count; c++) {
        double square = 0;
        for (int i = 0; i < 3; i++) {
            square += (map->points[c][i] - point[i]) * (map->points[c][i] - point[i]);
        }
        if (square < least) {
            least = square, found = c;
        }
    }
    return found;
}

/* A length as people would write it: what is less than a millionth of a cell is none. */
static double rounded(double x, double spacing) { return fabs(x) < 1e-6 * spacing ? 0 : x; }

lb_status lb_map_query(const lb_map *map, const double point[3], lb_map_cell *cell, lb_error *error) {
    if (!map || !point || !cell || !lbio_are_finite(point, 3)) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0, "a query needs a map and a point that is finite");
    }
    const int64_t index = map->layout.is_grid ? lbmap_find_cell(map, point) : find_nearest(map, point);
    if (index < 0) {
        const lbmap_layout *l = &map->layout;
        double low[3], high[3];
        for (int i = 0; i < 3; i++) {
            low[i] = rounded(l->origin[i] - l->spacing / 2, l->spacing);
            high[i] = rounded(l->origin[i] + ((double)l->shape[i] - 0.5) * l->spacing, l->spacing);
        }
        return lbio_error(error, LB_ERROR_ARGUMENT, map->path, 0,
                          "the point (%g, %g, %g) is outside of the map, which goes from (%g, %g, %g) to (%g, %g, %g)",
                          point[0], point[1], point[2], low[0], low[1], low[2], high[0], high[1], high[2]);
    }
    return lb_map_get(map, index, cell);
}

lb_map_state lb_map_frame(const lb_map *map, int64_t index, int orientation) {
    const int is_there = map && index >= 0 && index < map->layout.cell_count && orientation >= 0 &&
                         orientation < map->layout.orientation_count;
    return is_there ? (lb_map_state)frames_of(map, index)[orientation] : LB_MAP_STATE_NONE;
}

lb_status lb_map_orientation(const lb_map *map, int orientation, double rotation[4]) {
    if (!map || orientation < 0 || orientation >= map->layout.orientation_count || !map->rotations) {
        return LB_ERROR_ARGUMENT;
    }
    memcpy(rotation, map->rotations[orientation], 4 * sizeof *rotation);
    return LB_OK;
}

lb_status lb_map_pose(const lb_map *map, int64_t index, double *pose) {
    if (!map || !pose || index < 0 || index >= map->layout.cell_count) {
        return LB_ERROR_ARGUMENT;
    }
    if (!map->poses || map->states[index] != LB_MAP_STATE_REACHED) {
        return LB_ERROR_UNSUPPORTED;
    }
    const size_t n = (size_t)map->variable_count;
    memcpy(pose, map->poses + (size_t)index * n, n * sizeof *pose);
    return LB_OK;
}

/* --- Two maps ----------------------------------------------------------------------------------------------------------- */

/* What keeps two maps from being compared; NULL: nothing. */
static const char *difference_of_cells(const lb_map *a, const lb_map *b) {
    const lbmap_layout *l = &a->layout, *m = &b->layout;
    if (l->is_grid != m->is_grid || memcmp(l->shape, m->shape, sizeof l->shape) != 0) {
        return "the maps have other cells: make both with the same box and spacing";
    }
    for (int i = 0; l->is_grid && i < 3; i++) {
        if (fabs(l->origin[i] - m->origin[i]) > 1e-6 * l->spacing ||
            fabs(l->spacing - m->spacing) > 1e-9 * l->spacing) {
            return "the maps have other cells: make both with the same box and spacing";
        }
    }
    if (!l->is_grid && memcmp(a->points, b->points, (size_t)l->cell_count * sizeof *a->points) != 0) {
        return "the maps are of other points";
    }
    if (a->has_orientations != b->has_orientations || l->orientation_count != m->orientation_count) {
        return "the maps have other orientations: make both with the same number of them";
    }
    return NULL;
}

lb_status lb_map_compare(const lb_map *first, const lb_map *second, lb_map_difference *d, lb_error *error) {
    if (!first || !second || !d) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0, "two maps are compared");
    }
    const char *wrong = difference_of_cells(first, second);
    if (wrong) {
        return lbio_error(error, LB_ERROR_ARGUMENT, second->path, 0, "%s", wrong);
    }
    const int k = first->layout.orientation_count;
    double both = 0;
    memset(d, 0, sizeof *d);
    for (int64_t c = 0; c < first->layout.cell_count; c++) {
        const unsigned char *a = frames_of(first, c), *b = frames_of(second, c);
        d->counts[first->states[c]][second->states[c]]++;
        for (int i = 0; i < k; i++) {
            d->frames[a[i]][b[i]]++;
        }
        if (first->states[c] == LB_MAP_STATE_REACHED && second->states[c] == LB_MAP_STATE_REACHED) {
            both++;
            d->margin += field_of(second, LBMAP_FIELD_MARGIN, c) - field_of(first, LBMAP_FIELD_MARGIN, c);
            d->manipulability +=
                field_of(second, LBMAP_FIELD_MANIPULABILITY, c) - field_of(first, LBMAP_FIELD_MANIPULABILITY, c);
        }
    }
    d->margin = both > 0 ? d->margin / both : 0, d->manipulability = both > 0 ? d->manipulability / both : 0;
    const double cell = first->layout.is_grid ? pow(first->layout.spacing, 3) : 0;
    d->volume[0] = cell * (double)first->state_counts[LB_MAP_STATE_REACHED];
    d->volume[1] = cell * (double)second->state_counts[LB_MAP_STATE_REACHED];
    d->contradictions =
        d->frames[LB_MAP_STATE_REACHED][LB_MAP_STATE_OUTSIDE] + d->frames[LB_MAP_STATE_OUTSIDE][LB_MAP_STATE_REACHED];
    return LB_OK;
}
