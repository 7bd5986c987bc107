/* What is asked of a map: checked, as text, and laid out as cells and chunks. */
#include "map/map.h"

#include "figure/sized.h"
#include <math.h>
#include <string.h>

#define DEFAULT_SPACING 0.05
#define DEFAULT_GAP 0.2
/* Frames of a chunk, at most, by lbmap_pace: a chunk takes some 0.01 to 1 s. */
static const int chunk_frames[] = {8192, 128, 8};

static const lbf_sized options_kind = LBF_SIZED(lb_map_options, progress_context);

void lb_map_options_defaults_sized(lb_map_options *options, size_t struct_size) {
    static const lb_map_options defaults = {.gap = DEFAULT_GAP,
                                            .spacing = DEFAULT_SPACING,
                                            .axis = -1,
                                            .seed = 1,
                                            .tolerance = 1e-5,
                                            .tolerance_rad = 1e-5,
                                            .threads = 1};
    lbf_default_sized(&options_kind, &defaults, options, struct_size);
}

const char *lb_map_state_name(lb_map_state state) {
    static const char *const names[] = {"none", "reached", "outside", "unfound"};
    return state >= LB_MAP_STATE_NONE && state <= LB_MAP_STATE_UNFOUND ? names[state] : "unknown";
}

static int is_positive(double value) { return isfinite(value) && value > 0; }

static lb_status refuse(lb_error *error, const char *message) {
    return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0, "%s", message);
}

static lb_status check_region(const lb_map_options *o, lb_error *error) {
    if (o->region == LB_MAP_REGION_BOX) {
        if (!lbio_are_finite(o->lower, 3) || !lbio_are_finite(o->upper, 3)) {
            return refuse(error, "the box is not finite");
        }
        for (int i = 0; i < 3; i++) {
            if (!(o->upper[i] > o->lower[i])) {
                return lbio_error(
                    error, LB_ERROR_ARGUMENT, NULL, 0,
                    "the box has no volume: its %c goes from %g to %g; a slice is as thick as the spacing", 'x' + i,
                    o->lower[i], o->upper[i]);
            }
        }
    } else if (o->region == LB_MAP_REGION_SPHERE) {
        if (!lbio_are_finite(o->center, 3) || !is_positive(o->radius)) {
            return refuse(error, "the sphere needs a finite middle and a radius above 0");
        }
    } else if (o->region == LB_MAP_REGION_POINTS) {
        if (o->point_count < 1 || !o->points) {
            return refuse(error, "the list of points is empty");
        }
    } else if (o->region != LB_MAP_REGION_AUTO) {
        return refuse(error, "there is no such region");
    }
    return LB_OK;
}

static lb_status check_numbers(const lb_map_options *o, lb_error *error) {
    if (!is_positive(o->spacing) || !isfinite(o->gap)) {
        return refuse(error, "the spacing must be a length above 0, the gap a length");
    }
    if (!is_positive(o->tolerance) || !is_positive(o->tolerance_rad)) {
        return refuse(error, "tolerances must be above 0");
    }
    if (o->orientations < 0 || o->orientations > LB_MAP_MOST_ORIENTATIONS || o->axis < -1 || o->axis > 2) {
        return refuse(error, "a cell has 0 to 4096 orientations; the axis is 0, 1, 2, or -1");
    }
    if (o->starts < 0 || o->starts > 1000000) {
        return refuse(error, "the number of starts must be between 1 and 1000000");
    }
    return isfinite(o->stature) && o->stature >= 0 ? LB_OK : refuse(error, "the stature must be a length above 0");
}

lb_status lbmap_take_options(const lb_map_options *given, lb_map_options *o, lb_error *error) {
    lb_map_options_defaults_sized(o, sizeof *o);
    lb_status status = lbf_take_sized(&options_kind, given, o, error);
    status = status ? status : check_numbers(o, error);
    if (status) {
        return status;
    }
    if (o->site_count < 0 || o->site_count > LB_MAP_MOST_SITES || (o->site_count && !o->sites)) {
        return refuse(error, "a map has at most 4 sites");
    }
    if (o->axis >= 0 && !o->orientations) {
        o->orientations = 50;
    }
    if (o->region == LB_MAP_REGION_POINTS && o->has_rotations && o->orientations) {
        return refuse(error, "the points have rotations of their own: leave the number of orientations out");
    }
    return check_region(o, error);
}

/* --- Cells and chunks ------------------------------------------------------------------------------------ */

static void cut_chunks(lbmap_layout *l, lbmap_pace pace) {
    const int most = chunk_frames[pace], frames = l->orientation_count;
    l->block = 16;
    while (l->block > 1 && (int64_t)l->block * l->block * l->block * frames > most) {
        l->block /= 2;
    }
    if (!l->is_grid) {
        const int points = most / frames;
        l->block = points > 1 ? points : 1;
    }
    l->chunk_count = 1;
    for (int i = 0; i < 3; i++) {
        l->blocks[i] = (l->shape[i] + l->block - 1) / l->block;
        l->chunk_count *= l->blocks[i];
    }
}

lb_status lbmap_lay_out(const lb_map_options *o, lbmap_pace pace, lbmap_layout *l, lb_error *error) {
    memset(l, 0, sizeof *l);
    l->orientation_count = o->orientations > 0 ? o->orientations : 1;
    l->spacing = o->spacing;
    if (o->region == LB_MAP_REGION_POINTS) {
        l->shape[0] = o->point_count, l->shape[1] = l->shape[2] = 1;
    } else {
        const int is_ball = o->region == LB_MAP_REGION_SPHERE;
        l->is_grid = 1;
        for (int i = 0; i < 3; i++) {
            const double low = is_ball ? o->center[i] - o->radius : o->lower[i];
            const double high = is_ball ? o->center[i] + o->radius : o->upper[i];
            const double cells = ceil((high - low) / o->spacing - 1e-9);
            if (!(cells <= LBMAP_MOST_SIDE)) {
                return lbio_error(error, LB_ERROR_TOO_LARGE, NULL, 0,
                                  "a side of %g m has more than %d cells of %g m: choose a larger spacing", high - low,
                                  LBMAP_MOST_SIDE, o->spacing);
            }
            l->shape[i] = cells < 1 ? 1 : (int64_t)cells;
            l->origin[i] = (low + high) / 2 - (double)(l->shape[i] - 1) / 2 * o->spacing;
        }
    }
    l->cell_count = l->shape[0] * l->shape[1] * l->shape[2];
    if (l->cell_count > LBMAP_MOST_CELLS / l->orientation_count) {
        return lbio_error(error, LB_ERROR_TOO_LARGE, NULL, 0, "the map has too many cells: choose a larger spacing");
    }
    cut_chunks(l, pace);
    return LB_OK;
}

void lbmap_chunk_block(const lbmap_layout *l, int64_t chunk, lbmap_block *block) {
    const int64_t at[3] = {chunk % l->blocks[0], chunk / l->blocks[0] % l->blocks[1],
                           chunk / l->blocks[0] / l->blocks[1]};
    block->count = 1;
    for (int i = 0; i < 3; i++) {
        const int64_t left = l->shape[i] - at[i] * l->block;
        block->first[i] = at[i] * l->block;
        block->size[i] = left < l->block ? (int)left : l->block;
        block->count *= block->size[i];
    }
}

int64_t lbmap_block_cell(const lbmap_layout *l, const lbmap_block *block, int cell) {
    const int x = cell % block->size[0], y = cell / block->size[0] % block->size[1];
    const int z = cell / block->size[0] / block->size[1];
    return block->first[0] + x + l->shape[0] * (block->first[1] + y + l->shape[1] * (block->first[2] + z));
}

void lbmap_cell_middle(const lbmap_plan *plan, int64_t cell, double middle[3]) {
    const lbmap_layout *l = &plan->layout;
    if (!l->is_grid) {
        memcpy(middle, plan->options.points[cell].position, 3 * sizeof *middle);
        return;
    }
    const int64_t at[3] = {cell % l->shape[0], cell / l->shape[0] % l->shape[1], cell / l->shape[0] / l->shape[1]};
    for (int i = 0; i < 3; i++) {
        middle[i] = l->origin[i] + (double)at[i] * l->spacing;
    }
}

int lbmap_goal(const lbmap_plan *plan, int64_t cell, int orientation, int site, lb_frame *goal) {
    const lb_map_options *o = &plan->options;
    lb_frame_identity(goal);
    lbmap_cell_middle(plan, cell, goal->position);
    if (o->region == LB_MAP_REGION_SPHERE) {
        double square = 0;
        for (int i = 0; i < 3; i++) {
            square += (goal->position[i] - o->center[i]) * (goal->position[i] - o->center[i]);
        }
        if (square > o->radius * o->radius) {
            return 0;
        }
    }
    if (plan->rotations) {
        memcpy(goal->rotation, plan->rotations[orientation], sizeof goal->rotation);
    } else if (plan->has_orientations) {
        memcpy(goal->rotation, o->points[cell].rotation, sizeof goal->rotation);
    }
    goal->position[1] += (site - (plan->site_count - 1) / 2.0) * o->gap;
    return 1;
}

/* --- As text ------------------------------------------------------------------------------------------------ */

static void put_numbers(lbio_text *text, const char *key, const double *values, int count) {
    lbio_text_format(text, ", \"%s\": %s", key, count > 1 ? "[" : "");
    for (int i = 0; i < count; i++) {
        lbio_text_add(text, i ? ", " : "");
        lbio_text_number(text, values[i]);
    }
    lbio_text_add(text, count > 1 ? "]" : "");
}

static void put_text(lbio_text *text, const char *key, const char *value) {
    lbio_text_format(text, ", \"%s\": \"", key);
    for (const char *s = value; *s; s++) {
        if (*s == '"' || *s == '\\') {
            lbio_text_add(text, "\\");
        }
        if ((unsigned char)*s >= ' ') {
            lbio_text_bytes(text, s, 1);
        }
    }
    lbio_text_add(text, "\"");
}

void lbmap_describe_options(const lbmap_plan *plan, lbio_text *text) {
    const lb_map_options *o = &plan->options;
    static const char *const regions[] = {"auto", "box", "sphere", "points"};
    lbio_text_format(text, "{\"region\": \"%s\"", regions[o->region]);
    put_text(text, "sites", plan->site_text);
    if (o->region == LB_MAP_REGION_BOX) {
        put_numbers(text, "lower", o->lower, 3);
        put_numbers(text, "upper", o->upper, 3);
    } else if (o->region == LB_MAP_REGION_SPHERE) {
        put_numbers(text, "center", o->center, 3);
        put_numbers(text, "radius", &o->radius, 1);
    }
    if (plan->layout.is_grid) {
        put_numbers(text, "spacing", &o->spacing, 1);
    }
    if (plan->site_count > 1) {
        put_numbers(text, "gap", &o->gap, 1);
    }
    if (o->with) {
        put_text(text, "with", o->with);
    }
    lbio_text_format(text, ", \"orientations\": %d, \"axis\": %d, \"starts\": %d, \"seed\": %llu", o->orientations,
                     o->axis, o->starts, (unsigned long long)o->seed);
    put_numbers(text, "tolerance", &o->tolerance, 1);
    put_numbers(text, "tolerance_rad", &o->tolerance_rad, 1);
    lbio_text_format(text, ", \"poses\": %s, \"effort\": %s", o->has_poses ? "true" : "false",
                     o->has_effort ? "true" : "false");
    if (o->has_no_proofs) {
        lbio_text_add(text, ", \"proofs\": false");
    }
    if (o->stature > 0) {
        put_numbers(text, "stature", &o->stature, 1);
    }
    if (plan->problem && *plan->problem) {
        put_text(text, "problem", plan->problem);
    }
    lbio_text_add(text, "}");
}

/* --- Records -------------------------------------------------------------------------------------------------- */

const char *const lbmap_field_names[LBMAP_FIELDS] = {"missing", "missing_angle", "margin", "manipulability", "effort"};

static size_t frame_bytes(const lbmap_plan *plan, int count) {
    return ((size_t)count * (size_t)plan->layout.orientation_count + 7) / 8 * 8;
}

static size_t field_bytes(int count) { return ((size_t)count * LBMAP_FIELDS * sizeof(float) + 7) / 8 * 8; }

size_t lbmap_record_size(const lbmap_plan *plan, int count) {
    const size_t poses = plan->options.has_poses ? (size_t)count * (size_t)plan->variable_count * sizeof(double) : 0;
    return frame_bytes(plan, count) + field_bytes(count) + poses;
}

void lbmap_record_at(const lbmap_plan *plan, int count, void *memory, lbmap_record *record) {
    unsigned char *bytes = memory;
    record->frames = bytes;
    record->fields = (float *)(void *)(bytes + frame_bytes(plan, count));
    record->poses =
        plan->options.has_poses ? (double *)(void *)(bytes + frame_bytes(plan, count) + field_bytes(count)) : NULL;
}

lb_map_state lbmap_cell_state(const unsigned char *frames, int count, int counts[4]) {
    memset(counts, 0, 4 * sizeof *counts);
    for (int i = 0; i < count; i++) {
        counts[frames[i] & 3]++;
    }
    return counts[LB_MAP_STATE_REACHED]   ? LB_MAP_STATE_REACHED
           : counts[LB_MAP_STATE_UNFOUND] ? LB_MAP_STATE_UNFOUND
           : counts[LB_MAP_STATE_OUTSIDE] ? LB_MAP_STATE_OUTSIDE
                                          : LB_MAP_STATE_NONE;
}
