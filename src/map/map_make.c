/* All chunks of a map by threads and ranks, and the file. */
#include "map/map.h"

#include "jobs/jobs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Starts after which a frame is unfound, by lbmap_pace: docs/maps.md has what was measured. A body has starts of its
 * own. */
static const int default_starts[] = {80, 16, 1};

/* --- The plan ------------------------------------------------------------------------------------------------ */

static void plan_free(lbmap_plan *plan) {
    for (int s = 0; s < LB_MAP_MOST_SITES; s++) {
        lb_reach_destroy(plan->reaches[s]);
    }
    free(plan->rotations), free(plan->site_text), free(plan->figure_name);
    free(plan->variable_names), free(plan->base_pose);
    lb_text_free(plan->figure_text);
    lbio_text_free(&plan->description);
}

static lb_status no_memory(lb_error *error) {
    return lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "no memory for the map");
}

/* What the map says of the figure: its text and hash, the names of its variables, the base pose, the sites. */
static lb_status copy_setup(lbmap_plan *plan, const lbmap_setup *setup, lb_error *error) {
    lbio_text sites = {0}, names = {0};
    lb_save_options save;
    lb_save_options_defaults(&save);
    save.format = LB_FORMAT_FIG;
    lb_status status = lb_figure_save_memory(setup->figure, &save, &plan->figure_text, &plan->figure_size, error);
    if (status) {
        return status;
    }
    plan->figure_hash = lbj_hash(0, plan->figure_text, plan->figure_size);
    plan->variable_count = setup->variable_count;
    plan->site_count = setup->site_count;
    for (int i = 0; i < setup->site_count; i++) {
        lbio_text_format(&sites, "%s%s", i ? "," : "", setup->sites[i]);
    }
    for (int v = 0; v < setup->variable_count; v++) {
        const char *name = lb_figure_variable(setup->figure, v)->name;
        lbio_text_bytes(&names, name, strlen(name) + 1);
    }
    plan->site_text = sites.data;
    plan->variable_names = names.data, plan->names_size = names.size;
    plan->figure_name = strdup(lb_figure_name(setup->figure));
    plan->base_pose = malloc(((size_t)setup->variable_count + 1) * sizeof *plan->base_pose);
    if (sites.failed || names.failed || !plan->figure_name || !plan->base_pose) {
        return no_memory(error);
    }
    memcpy(plan->base_pose, setup->start, (size_t)setup->variable_count * sizeof *plan->base_pose);
    return LB_OK;
}

/* The part of a foot that stays where it is; -1 where no foot is planted. */
static int planted_segment(const lbmap_setup *setup) {
    const lb_body *body = lb_figure_body(setup->figure);
    const lb_body_options *options = lb_problem_body(setup->problem, 0);
    for (int c = 0; body && options && c < body->contact_count; c++) {
        const lb_body_contact *contact = &body->contacts[c];
        if (contact->kind == LB_CONTACT_BALL && contact->limb >= 0 &&
            options->feet_modes[contact->limb] == LB_FOOT_MODE_PLANTED) {
            return contact->segment;
        }
    }
    return -1;
}

/* The workspace of a body's site, by the length of the chain from a foot that is planted, since the root moves. NULL:
 * none. */
static lb_reach *reach_from_foot(const lbmap_setup *setup, const lb_effector *effector, lb_reach_options *options) {
    lb_root root;
    lb_figure *turned = NULL;
    lb_reach *reach = NULL;
    double *pose = malloc(((size_t)setup->variable_count + 6) * sizeof *pose);
    lb_root_defaults(&root);
    root.segment = planted_segment(setup);
    if (pose && root.segment >= 0 &&
        lb_figure_reroot(setup->figure, setup->start, &root, &turned, pose, NULL) == LB_OK) {
        lb_effector end = *effector;
        end.segment = lb_figure_find_segment(turned, lb_figure_segment(setup->figure, effector->segment)->name);
        options->pose = pose;
        options->moves = NULL;
        options->spacing = -1;
        reach = end.segment >= 0 ? lb_reach_create(turned, &end, options, NULL) : NULL;
    }
    lb_figure_destroy(turned);
    free(pose);
    return reach;
}

/* Workspaces of the sites, which prove what is out of reach. */
static lb_status make_reaches(lbmap_plan *plan, const lbmap_setup *setup, lb_error *error) {
    for (int s = 0; s < setup->site_count; s++) {
        lb_reach_options options;
        lb_reach_options_defaults(&options);
        options.pose = setup->start;
        options.moves = setup->moves;
        options.has_frames = plan->has_orientations && plan->options.axis < 0;
        if (setup->is_body) {
            plan->reaches[s] = reach_from_foot(setup, &setup->effectors[s], &options);
            continue;
        }
        plan->reaches[s] = lb_reach_create(setup->figure, &setup->effectors[s], &options, error);
        if (!plan->reaches[s] && error->status != LB_ERROR_UNSUPPORTED) {
            return error->status;
        }
    }
    return LB_OK;
}

/* The box where none was given: what the sites can reach, or what a person could. */
static lb_status choose_box(lbmap_plan *plan, const lbmap_setup *setup, lb_error *error) {
    lb_map_options *o = &plan->options;
    double low[3], high[3];
    const double stature = lb_figure_stature(setup->figure);
    o->region = LB_MAP_REGION_BOX;
    for (int i = 0; i < 3; i++) {
        o->lower[i] = INFINITY, o->upper[i] = -INFINITY;
    }
    for (int s = 0; s < setup->site_count; s++) {
        if (!setup->is_body && plan->reaches[s] && lb_reach_box(plan->reaches[s], low, high) == LB_OK) {
            const double shift = (s - (setup->site_count - 1) / 2.0) * o->gap;
            for (int i = 0; i < 3; i++) {
                o->lower[i] = fmin(o->lower[i], low[i] - (i == 1 ? shift : 0));
                o->upper[i] = fmax(o->upper[i], high[i] - (i == 1 ? shift : 0));
            }
        }
    }
    if (lbio_are_finite(o->lower, 3) && lbio_are_finite(o->upper, 3)) {
        for (int i = 0; i < 3; i++) { /* a plane or a line of a workspace lies in the middle of cells */
            const double thin = fmax(0, o->spacing - (o->upper[i] - o->lower[i]));
            o->lower[i] -= thin / 2, o->upper[i] += thin / 2;
        }
        return LB_OK;
    }
    if (!(stature > 0)) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0,
                          "nothing bounds what the figure can reach: say where to look with a box or a sphere");
    }
    for (int i = 0; i < 3; i++) {
        const double root = i < 2 && lb_figure_root(setup->figure)->is_free ? setup->start[i] : 0;
        o->lower[i] = i < 2 ? root - 0.8 * stature : 0, o->upper[i] = i < 2 ? root + 0.8 * stature : 1.4 * stature;
    }
    return LB_OK;
}

static void find_identity(lbmap_plan *plan) {
    const lb_map_options *o = &plan->options;
    uint64_t hash = lbj_hash_text(0, "limber map " LB_VERSION_TEXT);
    hash = lbj_hash_count(hash, LB_MAP_VERSION);
    hash = lbj_hash(hash, plan->figure_text, plan->figure_size);
    hash = lbj_hash_text(hash, plan->description.data);
    hash = lbj_hash_count(hash, plan->layout.block);
    for (int64_t i = 0; o->region == LB_MAP_REGION_POINTS && i < o->point_count; i++) {
        for (int k = 0; k < 3; k++) {
            hash = lbj_hash_number(hash, o->points[i].position[k]);
        }
        for (int k = 0; o->has_rotations && k < 4; k++) {
            hash = lbj_hash_number(hash, o->points[i].rotation[k]);
        }
    }
    plan->identity = hash;
}

static lb_status plan_create(const char *figure, const char *problem, const lb_map_options *given, lbmap_plan *plan,
                             lb_error *error) {
    lbmap_setup setup;
    lb_map_options *o = &plan->options;
    memset(plan, 0, sizeof *plan);
    plan->figure = figure, plan->problem = problem;
    lb_status status = lbmap_take_options(given, o, error);
    status = status ? status : lbmap_setup_create(figure, problem, o, &setup, error);
    if (status) {
        return status;
    }
    const lbmap_pace pace = setup.is_body ? LBMAP_PACE_BODY : setup.is_arm ? LBMAP_PACE_ARM : LBMAP_PACE_GENERAL;
    o->starts = o->starts > 0 ? o->starts : default_starts[pace];
    plan->has_orientations = o->orientations > 0 || (o->region == LB_MAP_REGION_POINTS && o->has_rotations);
    status = copy_setup(plan, &setup, error);
    status = status ? status : make_reaches(plan, &setup, error);
    status = status || o->region != LB_MAP_REGION_AUTO ? status : choose_box(plan, &setup, error);
    status = status ? status : lbmap_lay_out(o, pace, &plan->layout, error);
    if (!status && o->orientations > 0) {
        plan->rotations = malloc((size_t)o->orientations * sizeof *plan->rotations);
        if (!plan->rotations) {
            status = no_memory(error);
        } else {
            lbmap_spread(o->orientations, o->axis, plan->rotations);
        }
    }
    if (!status) {
        lbmap_describe_options(plan, &plan->description);
        status = plan->description.failed ? no_memory(error) : LB_OK;
    }
    if (!status) {
        find_identity(plan);
    }
    lbmap_setup_destroy(&setup);
    return status;
}

/* --- Running ------------------------------------------------------------------------------------------------------ */

static void *worker_create(void *context, lb_error *error) { return lbmap_worker_create(context, error); }

static void worker_destroy(void *context, void *worker) {
    (void)context;
    lbmap_worker_destroy(worker);
}

static lb_status run_chunk(void *context, void *worker, int64_t chunk, lbio_text *record, lb_error *error) {
    (void)context;
    return lbmap_run_chunk(worker, chunk, record, error);
}

static void tell(void *context, const lbj_progress *progress) {
    const lbmap_plan *plan = context;
    const lb_map_progress told = {.done = progress->done,
                                  .before = progress->before,
                                  .count = progress->chunk_count,
                                  .seconds = progress->seconds,
                                  .frames = plan->layout.cell_count * plan->layout.orientation_count,
                                  .is_last = progress->is_last};
    plan->options.on_progress(plan->options.progress_context, &told);
}

static lb_status read_chunk(void *context, int64_t chunk, lbio_text *record, lb_error *error) {
    return lbj_results_read(context, chunk, record, error);
}

static lb_map_ending run(lbmap_plan *plan, const char *path, lb_error *error) {
    char description[256];
    snprintf(description, sizeof description, "map of %.64s, site %.64s", plan->figure_name, plan->site_text);
    const lbj_job job = {.output = path,
                         .description = description,
                         .identity = plan->identity,
                         .chunk_count = plan->layout.chunk_count,
                         .threads = plan->options.threads,
                         .is_resumed = plan->options.is_resumed,
                         .is_forced = plan->options.is_forced,
                         .context = plan,
                         .worker_create = worker_create,
                         .worker_destroy = worker_destroy,
                         .run_chunk = run_chunk,
                         .on_progress = plan->options.on_progress ? tell : NULL,
                         .progress_context = plan};
    lbj_results *results = NULL;
    const lbj_outcome outcome = lbj_run(&job, &results, error);
    if (outcome != LBJ_DONE) {
        return outcome == LBJ_HELPED        ? LB_MAP_ENDING_HELPED
               : outcome == LBJ_INTERRUPTED ? LB_MAP_ENDING_INTERRUPTED
                                            : LB_MAP_ENDING_FAILED;
    }
    lb_status status = lbmap_write(plan, lbj_results_path(results), path, read_chunk, results, error);
    status = status ? status : lbj_results_commit(results, error);
    lbj_results_close(results);
    return status ? LB_MAP_ENDING_FAILED : LB_MAP_ENDING_DONE;
}

lb_map_ending lb_map_make(const char *figure, const char *problem, const lb_map_options *options, const char *path,
                          lb_error *error) {
    lb_error own;
    lbmap_plan *plan = calloc(1, sizeof *plan);
    error = error ? error : &own;
    memset(error, 0, sizeof *error);
    if (!figure || !path || !plan) {
        free(plan);
        lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0, "a map needs a figure, and a path for its file");
        return LB_MAP_ENDING_FAILED;
    }
    lb_map_ending ending = LB_MAP_ENDING_FAILED;
    if (plan_create(figure, problem, options, plan, error) == LB_OK) {
        ending = run(plan, path, error);
    }
    plan_free(plan);
    free(plan);
    return ending;
}
