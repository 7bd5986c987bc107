/* One chunk of a map. What can be proved is proved first. Then frames are solved plane by plane, each from the pose of
 * a neighbour that was reached, or else from the base pose; those that are left are tried from neighbours that were
 * reached since, then by a closed form where there is one, else from the full number of starts. Nothing of another
 * chunk is used, so that the record depends on the chunk alone. */
#include "map/map.h"

#include <limber/collisions.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUICK_EVALUATIONS \
    30 /* of the arm engine, in the first sweep: 99 of 100 frames of a Panda within reach are found */
#define WARM_EVALUATIONS 16
/* The arm engine's starts take 7 evaluations in the mean where they lead nowhere, and 10 at most: with ten times the
 * starts as evaluations it makes no fewer starts than it was told. (Panda, UR5, iiwa; 4,000 frames each.) */
#define START_EVALUATIONS 10
#define MISS_FACTOR 1.75 /* the solver's tolerance is that of each axis: a distance may be sqrt(3) of it */
#define NEARLY 4 /* tolerances that a pose may be off by, and the frame still be taken for one on the boundary */
#define NONE (-1)

struct lbmap_worker {
    const lbmap_plan *plan;
    lbmap_setup setup;
    lbmap_measure *measure;
    lbmap_prover *prover;
    lb_solver *solver; /* of bodies */
    lb_solve_options quick, full;
    lbmap_block block;
    int frame_room;        /* frames that the arrays below have room for */
    lb_frame *goals;       /* [frame][site] */
    unsigned char *states; /* [frame]: LB_MAP_STATE_UNFOUND while it is open */
    double *poses;         /* [frame][variable] */
    float *distances;      /* [frame]: lower bounds of what is outside */
    float *efforts;        /* [frame], of bodies */
    /* Frames that are solved together. */
    int batch_count;
    int *batch;
    lb_frame *batch_goals;
    double *batch_poses;
    lb_answer *answers;
};

/* --- Making a worker --------------------------------------------------------------------------------------- */

/* How hard is tried, in the first sweep and in the last. */
static void choose_options(lbmap_worker *w) {
    const lb_map_options *o = &w->plan->options;
    lb_solve_options_defaults(&w->quick);
    w->quick.seed = o->seed;
    w->full = w->quick;
    w->full.restarts = o->starts - 1;
    if (w->setup.is_arm) {
        w->quick.restarts = w->full.restarts = 1000000;
        w->quick.max_evaluations = QUICK_EVALUATIONS;
        w->full.max_evaluations = START_EVALUATIONS * o->starts;
    }
}

static void *array(size_t count, size_t size) { return calloc(count ? count : 1, size); }

lbmap_worker *lbmap_worker_create(const lbmap_plan *plan, lb_error *error) {
    const lbmap_layout *l = &plan->layout;
    lbmap_worker *w = calloc(1, sizeof *w);
    if (!w || lbmap_setup_create(plan->figure, plan->problem, &plan->options, &w->setup, error)) {
        free(w);
        return NULL;
    }
    const size_t cells = l->is_grid ? (size_t)l->block * (size_t)l->block * (size_t)l->block : (size_t)l->block;
    const size_t frames = cells * (size_t)l->orientation_count, n = (size_t)plan->variable_count;
    const size_t sites = (size_t)plan->site_count;
    w->plan = plan;
    w->frame_room = (int)frames;
    choose_options(w);
    w->measure = lbmap_measure_create(plan, &w->setup, error);
    w->prover = lbmap_prover_create(plan, &w->setup, error);
    w->solver = w->setup.is_body ? lb_solver_create(w->setup.problem, error) : NULL;
    w->goals = array(frames * sites, sizeof *w->goals), w->batch_goals = array(frames * sites, sizeof *w->goals);
    w->poses = array(frames * n, sizeof *w->poses), w->batch_poses = array(frames * n, sizeof *w->poses);
    w->states = array(frames, 1), w->batch = array(frames, sizeof *w->batch);
    w->distances = array(frames, sizeof *w->distances), w->efforts = array(frames, sizeof *w->efforts);
    w->answers = array(frames, sizeof *w->answers);
    if (!w->measure || !w->prover || (w->setup.is_body && !w->solver) || !w->goals || !w->batch_goals || !w->poses ||
        !w->batch_poses || !w->states || !w->batch || !w->distances || !w->efforts || !w->answers) {
        lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "no memory for the map");
        lbmap_worker_destroy(w);
        return NULL;
    }
    return w;
}

void lbmap_worker_destroy(lbmap_worker *w) {
    if (!w) {
        return;
    }
    lb_solver_destroy(w->solver);
    lbmap_prover_destroy(w->prover);
    lbmap_measure_destroy(w->measure);
    lbmap_setup_destroy(&w->setup);
    free(w->goals), free(w->batch_goals), free(w->poses), free(w->batch_poses);
    free(w->states), free(w->batch), free(w->distances), free(w->efforts), free(w->answers);
    free(w);
}

/* --- One frame ------------------------------------------------------------------------------------------------ */

static double *pose_of(const lbmap_worker *w, int frame) {
    return w->poses + (size_t)frame * (size_t)w->setup.variable_count;
}

static const lb_frame *goals_of(const lbmap_worker *w, int frame) {
    return w->goals + (size_t)frame * (size_t)w->setup.site_count;
}

/* Takes a pose over: as the answer where it reaches the goals, else as the nearest so far. */
static void take_pose(lbmap_worker *w, int frame, const double *pose, int is_solved) {
    const lb_map_options *o = &w->plan->options;
    lbmap_worth worth;
    lbmap_measure_miss(w->measure, pose, goals_of(w, frame), &worth);
    memcpy(pose_of(w, frame), pose, (size_t)w->setup.variable_count * sizeof *pose);
    if (is_solved && worth.distance <= MISS_FACTOR * o->tolerance && worth.angle <= MISS_FACTOR * o->tolerance_rad) {
        w->states[frame] = LB_MAP_STATE_REACHED;
    }
}

/* A neighbour of a frame in the chunk that is reached in the same orientation; NONE where there is none. */
static int neighbour(const lbmap_worker *w, int frame) {
    const int orientations = w->plan->layout.orientation_count, *size = w->block.size;
    const int cell = frame / orientations, stride[3] = {1, size[0], size[0] * size[1]};
    const int at[3] = {cell % size[0], cell / size[0] % size[1], cell / size[0] / size[1]};
    for (int i = 2; i >= 0; i--) {
        for (int side = -1; side <= 1; side += 2) {
            const int other = frame + side * stride[i] * orientations;
            if (at[i] + side >= 0 && at[i] + side < size[i] && w->states[other] == LB_MAP_STATE_REACHED) {
                return other;
            }
        }
    }
    return NONE;
}

/* --- Sweeps ------------------------------------------------------------------------------------------------------- */

static lb_status solve_batch(lbmap_worker *w, const lb_solve_options *options, lb_error *error) {
    lb_many many;
    lb_many_defaults(&many);
    many.count = w->batch_count;
    many.goal_count = w->setup.site_count;
    many.ids = w->setup.ids;
    many.goals = w->batch_goals;
    many.starts = w->batch_poses;
    if (w->batch_count == 0) {
        return LB_OK;
    }
    lb_status status = lb_solve_many(w->setup.problem, options, &many, w->batch_poses, w->answers, error);
    for (int i = 0; !status && i < w->batch_count; i++) {
        take_pose(w, w->batch[i], w->batch_poses + (size_t)i * (size_t)w->setup.variable_count,
                  w->answers[i].outcome == LB_OUTCOME_SOLVED);
    }
    w->batch_count = 0;
    return status;
}

static void add_to_batch(lbmap_worker *w, int frame, const double *start) {
    const size_t i = (size_t)w->batch_count++, n = (size_t)w->setup.variable_count, s = (size_t)w->setup.site_count;
    w->batch[i] = frame;
    memcpy(w->batch_goals + i * s, goals_of(w, frame), s * sizeof *w->batch_goals);
    memcpy(w->batch_poses + i * n, start, n * sizeof *start);
}

/* The frames of one plane of the chunk that are open: from a neighbour that is reached, or from the base pose. */
static lb_status sweep_plane(lbmap_worker *w, int plane, const lb_solve_options *options, int needs_neighbour,
                             lb_error *error) {
    const int width = w->block.size[0] * w->block.size[1] * w->plan->layout.orientation_count;
    for (int frame = plane * width; frame < (plane + 1) * width; frame++) {
        const int from = w->states[frame] == LB_MAP_STATE_UNFOUND ? neighbour(w, frame) : NONE;
        if (w->states[frame] == LB_MAP_STATE_UNFOUND && (from != NONE || !needs_neighbour)) {
            add_to_batch(w, frame, from != NONE ? pose_of(w, from) : w->setup.start);
        }
    }
    return solve_batch(w, options, error);
}

static lb_status sweep(lbmap_worker *w, const lb_solve_options *options, int is_back, int needs_neighbour,
                       lb_error *error) {
    lb_status status = LB_OK;
    for (int i = 0; !status && i < w->block.size[2]; i++) {
        status = sweep_plane(w, is_back ? w->block.size[2] - 1 - i : i, options, needs_neighbour, error);
    }
    return status;
}

/* From neighbours alone, there and back. */
static lb_status spread(lbmap_worker *w, lb_error *error) {
    lb_solve_options warm = w->quick;
    if (w->setup.is_arm) {
        warm.max_evaluations = WARM_EVALUATIONS; /* all of them for the arm engine: what it leaves goes to no other */
    }
    lb_status status = sweep(w, &warm, 1, 1, error);
    return status ? status : sweep(w, &warm, 0, 1, error);
}

static int open_count(const lbmap_worker *w, int frames) {
    int count = 0;
    for (int f = 0; f < frames; f++) {
        count += w->states[f] == LB_MAP_STATE_UNFOUND;
    }
    return count;
}

/* Whether the nearest pose that was found so far is so near that what a closed form says, which knows no tolerance, is
 * no proof of what a search counts as reached. */
static int is_on_boundary(lbmap_worker *w, int frame) {
    const lb_map_options *o = &w->plan->options;
    lbmap_worth worth;
    lbmap_measure_miss(w->measure, pose_of(w, frame), goals_of(w, frame), &worth);
    return worth.distance <= NEARLY * o->tolerance && worth.angle <= NEARLY * o->tolerance_rad;
}

/* Whether a pose has to do more than reach: keep clear, or what the problem asks besides. */
static int is_more_asked(const lbmap_setup *setup) {
    return lb_problem_pair_count(setup->problem) > 0 || lb_problem_constraint_count(setup->problem) > setup->site_count;
}

/* What a closed form says of the frames that are open. It knows nothing of what else is asked: then its poses are no
 * answers, while what it proves to be out of reach is. */
static void close_frames(lbmap_worker *w, int frames) {
    double *pose = w->batch_poses;
    const int is_alone = !is_more_asked(&w->setup);
    for (int f = 0; f < frames; f++) {
        if (w->states[f] != LB_MAP_STATE_UNFOUND) {
            continue;
        }
        const int found = lbmap_prove_closed(w->prover, goals_of(w, f), pose);
        if (found > 0 && is_alone) {
            take_pose(w, f, pose, 1);
        } else if (found < 0 && !is_on_boundary(w, f)) {
            w->states[f] = LB_MAP_STATE_OUTSIDE;
        }
    }
}

/* All frames of an arm, or of a figure that is not posed as a body. */
static lb_status solve_frames(lbmap_worker *w, int frames, lb_error *error) {
    lb_status status = sweep(w, &w->quick, 0, 0, error);
    status = status ? status : spread(w, error);
    if (!status && lbmap_prover_is_closed(w->prover)) {
        close_frames(w, frames);
    }
    const int open = open_count(w, frames);
    status = status || !open ? status : sweep(w, &w->full, 0, 0, error);
    return status || open_count(w, frames) == open ? status : spread(w, error);
}

/* All frames of a body, one after the other. */
static lb_status solve_bodies(lbmap_worker *w, int frames, lb_error *error) {
    double *pose = w->batch_poses;
    lb_result result;
    lb_status status = LB_OK;
    lb_result_defaults(&result);
    for (int f = 0; !status && f < frames; f++) {
        if (w->states[f] != LB_MAP_STATE_UNFOUND) {
            continue;
        }
        const int from = neighbour(w, f);
        for (int s = 0; s < w->setup.site_count; s++) {
            lb_problem_move_goal(w->setup.problem, w->setup.ids[s], &goals_of(w, f)[s]);
        }
        memcpy(pose, from != NONE ? pose_of(w, from) : w->setup.start, (size_t)w->setup.variable_count * sizeof *pose);
        status = lb_solver_solve(w->solver, &w->full, pose, &result);
        if (status) {
            return lbio_error(error, status, NULL, 0, "%s", result.explanation);
        }
        const lb_body_result *body = lb_solver_body(w->solver, 0);
        w->efforts[f] = body ? (float)body->terms[LB_BODY_TERM_EFFORT] : NAN;
        take_pose(w, f, pose, result.outcome == LB_OUTCOME_SOLVED);
    }
    return status;
}

/* --- The record ---------------------------------------------------------------------------------------------------- */

/* Goals of all frames; those that are not asked for, and those that are proved to be out of reach. */
static void ask(lbmap_worker *w) {
    const lbmap_layout *l = &w->plan->layout;
    for (int c = 0; c < w->block.count; c++) {
        const int64_t cell = lbmap_block_cell(l, &w->block, c);
        for (int k = 0; k < l->orientation_count; k++) {
            const int f = c * l->orientation_count + k;
            lb_frame *goals = w->goals + (size_t)f * (size_t)w->setup.site_count;
            double distance = 0;
            int is_asked = 1;
            for (int s = 0; s < w->setup.site_count; s++) {
                is_asked &= lbmap_goal(w->plan, cell, k, s, &goals[s]);
            }
            const int is_outside = is_asked && lbmap_prove_outside(w->prover, goals, &distance);
            w->states[f] = !is_asked ? LB_MAP_STATE_NONE : is_outside ? LB_MAP_STATE_OUTSIDE : LB_MAP_STATE_UNFOUND;
            w->distances[f] = (float)distance;
            w->efforts[f] = NAN;
            memcpy(pose_of(w, f), w->setup.start, (size_t)w->setup.variable_count * sizeof(double));
        }
    }
}

/* The frame of a cell whose pose is kept: of those reached the one farthest from its limits. */
static int best_frame(lbmap_worker *w, int first, lbmap_worth *best) {
    int found = NONE;
    for (int f = first; f < first + w->plan->layout.orientation_count; f++) {
        if (w->states[f] == LB_MAP_STATE_REACHED) {
            const double margin = lbmap_measure_margin(w->measure, pose_of(w, f));
            if (found == NONE || margin > best->margin) {
                found = f, best->margin = margin;
            }
        }
    }
    if (found != NONE) {
        lbmap_measure_miss(w->measure, pose_of(w, found), goals_of(w, found), best);
        lbmap_measure_worth(w->measure, best);
        best->effort = w->setup.is_body ? w->efforts[found] : best->effort;
        best->distance = best->angle = 0;
    }
    return found;
}

/* What is missing of a cell that is not reached: the least of its frames. */
static void find_missing(lbmap_worker *w, int first, lbmap_worth *least) {
    *least = (lbmap_worth){INFINITY, 0, NAN, NAN, NAN};
    for (int f = first; f < first + w->plan->layout.orientation_count; f++) {
        lbmap_worth worth = {w->distances[f], 0, NAN, NAN, NAN};
        if (w->states[f] == LB_MAP_STATE_NONE) {
            continue;
        }
        if (w->states[f] == LB_MAP_STATE_UNFOUND) {
            lbmap_measure_miss(w->measure, pose_of(w, f), goals_of(w, f), &worth);
        }
        if (worth.distance < least->distance) {
            least->distance = worth.distance, least->angle = worth.angle;
        }
    }
    least->distance = isfinite(least->distance) ? least->distance : 0;
}

static void record_cell(lbmap_worker *w, int cell, lbmap_record *record) {
    const int count = w->block.count, first = cell * w->plan->layout.orientation_count;
    lbmap_worth worth = {0, 0, NAN, NAN, NAN};
    const int best = best_frame(w, first, &worth);
    if (best == NONE) {
        find_missing(w, first, &worth);
    }
    record->fields[LBMAP_FIELD_MISSING * count + cell] = (float)worth.distance;
    record->fields[LBMAP_FIELD_MISSING_RAD * count + cell] = (float)worth.angle;
    record->fields[LBMAP_FIELD_MARGIN * count + cell] = (float)worth.margin;
    record->fields[LBMAP_FIELD_MANIPULABILITY * count + cell] = (float)worth.manipulability;
    record->fields[LBMAP_FIELD_EFFORT * count + cell] = (float)worth.effort;
    if (record->poses) {
        const size_t n = (size_t)w->setup.variable_count;
        for (size_t v = 0; v < n; v++) {
            record->poses[(size_t)cell * n + v] = best == NONE ? NAN : pose_of(w, best)[v];
        }
    }
}

lb_status lbmap_run_chunk(lbmap_worker *w, int64_t chunk, lbio_text *text, lb_error *error) {
    lbmap_chunk_block(&w->plan->layout, chunk, &w->block);
    const int frames = w->block.count * w->plan->layout.orientation_count;
    const size_t size = lbmap_record_size(w->plan, w->block.count);
    lbmap_record record;
    ask(w);
    lb_status status = w->setup.is_body ? solve_bodies(w, frames, error) : solve_frames(w, frames, error);
    void *memory = status ? NULL : calloc(1, size);
    if (!memory) {
        return status ? status : lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "no memory for the map");
    }
    lbmap_record_at(w->plan, w->block.count, memory, &record);
    memcpy(record.frames, w->states, (size_t)frames);
    for (int c = 0; c < w->block.count; c++) {
        record_cell(w, c, &record);
    }
    lbio_text_bytes(text, memory, size);
    free(memory);
    return text->failed ? lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "no memory for the map") : LB_OK;
}
