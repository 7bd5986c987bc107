/* The public calls of a path. */
#include "motion/path/path.h"

#include <string.h>

#include "figure/sized.h"
#include "math/rounding.h"
#include "math/trig.h"
#include "math/vec.h"
#include "problem/problem.h"

#define MOST_FRAMES 100000
#define MOST_WAYS 4096
#define CLOSE 5e-6    /* metres and radians: poses that are farther from the way ask for more places */
#define REFINEMENTS 3 /* times that they may be twice as many */

static const lbf_sized options_kind = LBF_SIZED(lb_path_options, now_context);
static const lbf_sized result_kind = LBF_SIZED(lb_path_result, touching_count);

static lb_path_options default_options(void) {
    return (lb_path_options){.struct_size = sizeof(lb_path_options),
                             .ways = 64,
                             .seed = 1,
                             .spacing = 0.005,
                             .spacing_rad = 0.02,
                             .corner_rad = 0.35,
                             .period = 0.01,
                             .speed = INFINITY,
                             .speed_rad = INFINITY,
                             .usual_velocity_rad = LBM_PI,
                             .usual_velocity_m = 1,
                             .rise_time = 0.25};
}

void lb_path_options_defaults_sized(lb_path_options *options, size_t struct_size) {
    const lb_path_options made = default_options();
    lbf_default_sized(&options_kind, &made, options, struct_size);
}

static lb_path_result default_result(void) {
    return (lb_path_result){.struct_size = sizeof(lb_path_result),
                            .variable = -1,
                            .frame = -1,
                            .margin = INFINITY,
                            .margin_variable = -1,
                            .pace_variable = -1};
}

void lb_path_result_defaults_sized(lb_path_result *result, size_t struct_size) {
    const lb_path_result made = default_result();
    lbf_default_sized(&result_kind, &made, result, struct_size);
}

const char *lb_path_end_name(lb_path_end end) {
    static const char *const names[] = {"none",      "range",   "row",       "reach", "branch",
                                        "collision", "balance", "cancelled", "speed"};
    return (int)end >= 0 && end <= LB_PATH_END_SPEED ? names[end] : "unknown";
}

/* --- Making --------------------------------------------------------------------------------------------------------- */

static lb_status check_options(const lb_path_options *o, lb_error *error) {
    const double positive[] = {o->spacing,          o->spacing_rad, o->period, o->usual_velocity_rad,
                               o->usual_velocity_m, o->rise_time};
    for (size_t i = 0; i < sizeof positive / sizeof positive[0]; i++) {
        if (!(positive[i] > 0) || !lbm_is_finite(positive[i])) {
            return lbf_refuse(error, LB_ERROR_ARGUMENT, "a distance, speed or time of the path is not above 0");
        }
    }
    if (!(o->deadline_us >= 0) || (o->deadline_us > 0 && !o->now_us)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the path's deadline is below 0, or there is no clock for it");
    }
    if (!(o->speed > 0) || !(o->speed_rad > 0)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the end-effector's speed on the path is not above 0");
    }
    if (!(o->corner_rad >= 0 && o->corner_rad <= LBM_PI)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the angle of the path's corners is not between 0 and pi");
    }
    if (o->ways < 1 || o->ways > MOST_WAYS) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the number of ways that the path tries is not between 1 and 4096");
    }
    return LB_OK;
}

/* The limits of speed of a variable. */
static lb_status set_limits(lb_path *path, int k, lb_error *error) {
    const lb_path_options *o = &path->options;
    const lb_variable *variable = lb_figure_variable(path->figure, k);
    double velocity = o->velocity ? o->velocity[k] : variable->velocity;
    double acceleration = o->acceleration ? o->acceleration[k] : variable->acceleration;
    if (!(velocity > 0) || !(acceleration > 0)) {
        return lbf_fail(error, LB_ERROR_LIMIT, "the largest ", velocity > 0 ? "acceleration" : "velocity", " of '",
                        variable->name, "' is not above 0", (char *)0);
    }
    if (velocity == INFINITY) {
        velocity = variable->is_angle ? o->usual_velocity_rad : o->usual_velocity_m;
    }
    path->velocity[k] = velocity;
    path->acceleration[k] = acceleration == INFINITY ? velocity / o->rise_time : acceleration;
    return LB_OK;
}

static lb_status take_start(lb_path *path, lb_error *error) {
    if (path->options.start) {
        if (!lbm_all_finite(path->options.start, path->n)) {
            return lbf_refuse(error, LB_ERROR_ARGUMENT, "a value of the path's start pose is not finite");
        }
        memcpy(path->start, path->options.start, (size_t)path->n * sizeof(double));
    } else {
        lb_figure_rest_pose(path->figure, path->start);
    }
    path->options.start = NULL;
    if (lb_figure_violation(path->figure, path->start) > 1e-9) {
        return lbf_refuse(error, LB_ERROR_LIMIT, "the start pose of the path is outside of its limits");
    }
    return LB_OK;
}

static void forget(lb_path *path) {
    const size_t n = (size_t)(path->n ? path->n : 1), samples = (size_t)path->sample_count,
                 room = (size_t)path->pose_room;
    lbf_delete(&path->allocator, path->pieces, (size_t)path->frame_count, sizeof *path->pieces);
    lbf_delete(&path->allocator, path->places, samples, sizeof(double));
    lbf_delete(&path->allocator, path->branch, samples * n, sizeof(double));
    lbf_delete(&path->allocator, path->poses, room * n, sizeof(double));
    lbf_delete(&path->allocator, path->fractions, room, sizeof(double));
    path->pieces = NULL, path->places = path->branch = path->poses = path->fractions = NULL;
    path->sample_count = path->pose_room = path->piece_count = path->frame_count = 0;
}

/* Follows the way by its places, and times it. */
static lb_status follow_once(lb_path *path, lb_error *error) {
    path->result.pose_count = 0;
    path->result.load_velocity = path->result.load_acceleration = 0;
    path->result.deviation = path->result.deviation_rad = path->result.duration = 0;
    lb_status status = lbt_path_follow(path, error);
    if (!status && path->result.end == LB_PATH_END_NONE) {
        path->stance.is_timed = path->is_body;
        status = path->is_body ? lbt_path_densify(path, error) : LB_OK;
        status = status ? status : lbt_path_time(path, error);
        status = status ? status : lbt_path_deviate(path, error);
    }
    if (!status && path->judge && path->result.end == LB_PATH_END_NONE) {
        lbt_path_check_poses(path);
    }
    return status;
}

/* Follows it as a body, which may fall, or touch something, between places: then from another pose to begin with. */
static lb_status follow(lb_path *path, lb_error *error) {
    lb_status status = follow_once(path, error);
    if (!status && path->is_body && path->result.end == LB_PATH_END_NONE) {
        lbt_path_check_balance(path);
    }
    while (!status && path->stance.is_timed && !lbt_path_is_over(path) && path->result.end != LB_PATH_END_NONE &&
           path->stance.first_way < path->result.way_count) {
        const lb_path_result before = path->result;
        path->stance.is_timed = 0;
        status = follow_once(path, error);
        if (!status && path->result.end == LB_PATH_END_NONE) {
            lbt_path_check_balance(path);
        } else if (!status) {
            path->result = before; /* no other comes through */
        }
    }
    return status;
}

static int is_coarse(const lb_path *path) {
    return path->result.end == LB_PATH_END_NONE && !path->is_body && path->roughness > CLOSE;
}

/* The branch that was found once more, by more places: near singularities it bends much between them. */
static lb_status refine(lb_path *path, lb_error *error) {
    const lb_path_result before = path->result;
    memcpy(path->start, path->branch, (size_t)path->n * sizeof(double));
    path->options.is_from_start = 1;
    lb_status status = lbt_path_divide(path, error);
    if (!status) {
        path->result.through_count = 0;
        status = follow(path, error);
    }
    path->result.way_count = before.way_count;
    path->result.through_count = before.through_count;
    path->result.has_closed = before.has_closed;
    path->result.touching_count = before.touching_count;
    return status;
}

/* Finer, as often as allowed; where that is not enough, poses are solved for their own places instead of read off the
 * spline. */
static lb_status refine_all(lb_path *path, lb_error *error) {
    lb_status status = LB_OK;
    for (int round = 0; round < REFINEMENTS && !status && is_coarse(path) && !lbt_path_is_over(path); round++) {
        status = refine(path, error);
    }
    if (!status && is_coarse(path)) {
        path->result.deviation = path->result.deviation_rad = 0;
        status = lbt_path_time_exactly(path, error);
        status = status ? status : lbt_path_deviate(path, error);
        if (!status && path->judge) {
            lbt_path_check_poses(path);
        }
    }
    return status;
}

int lbt_path_is_over(const lb_path *path) {
    const lb_path_options *o = &path->options;
    return lb_cancel_is_requested(o->cancel) ||
           (o->deadline_us > 0 && o->now_us(o->now_context) - path->began_us >= o->deadline_us);
}

/* What holds on the way besides: the caller's problem, or the body that the figure has. */
static lb_status take_problem(lb_path *path, lb_error *error) {
    const lb_problem *given = path->options.problem;
    if (given && (lb_problem_figure_count(given) != 1 || lb_problem_figure(given, 0) != path->figure)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT,
                          "a path is of one figure: its problem has another one, or more, which nothing moves along");
    }
    path->apart = path->options.collisions ? path->options.collisions : lb_problem_collisions(given);
    path->base = given ? lbp_copy_problem(given, error) : lb_problem_create(path->figure, error);
    if (!path->base) {
        return error->status;
    }
    if (!given && lb_figure_body(path->figure) && lb_problem_set_body(path->base, 0, NULL)) {
        *error = *lb_problem_error(path->base);
        return error->status;
    }
    path->is_body = lb_problem_body(path->base, 0) != NULL;
    return LB_OK;
}

static lb_status make(lb_path *path, int count, const lb_frame *frames, lb_error *error) {
    const size_t n = (size_t)(path->n ? path->n : 1);
    path->start = lbf_new(&path->allocator, n, sizeof(double));
    path->velocity = lbf_new(&path->allocator, n, sizeof(double));
    path->acceleration = lbf_new(&path->allocator, n, sizeof(double));
    path->between = lbf_new(&path->allocator, n, sizeof(double));
    if (!path->start || !path->velocity || !path->acceleration || !path->between) {
        return lbf_refuse(error, LB_ERROR_MEMORY, lb_status_text(LB_ERROR_MEMORY));
    }
    lb_status status = take_start(path, error);
    for (int k = 0; k < path->n && !status; k++) {
        status = set_limits(path, k, error);
    }
    path->options.velocity = path->options.acceleration = NULL;
    path->result.frame = count - 1;
    status = status ? status : take_problem(path, error);
    status = status ? status : lbt_path_lay_out(path, count, frames, error);
    status = status || !path->apart ? status : lbt_path_watch(path, error);
    status = status ? status : follow(path, error);
    status = status ? status : refine_all(path, error);
    path->options.collisions = path->apart = NULL;
    path->options.problem = NULL;
    path->options.cancel = NULL;
    if (!status) {
        lbt_path_explain(path);
    }
    return status;
}

lb_path *lb_path_create(const lb_figure *figure, const lb_effector *effector, int count, const lb_frame *frames,
                        const lb_path_options *options, lb_error *error) {
    lb_error own;
    lb_path_options taken = default_options();
    error = error ? error : &own;
    lbf_clear(error);
    if (!figure || !effector || !frames || count < 2 || count > MOST_FRAMES) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "there is no figure, no end-effector, or not 2 to 100000 frames");
    }
    if (effector->kind != LB_EFFECTOR_FRAME) {
        return lbf_none(error, LB_ERROR_ARGUMENT,
                        "a path is for a point or frame of a segment, not for the centre of mass");
    }
    if (lbf_take_sized(&options_kind, options, &taken, error) || check_options(&taken, error)) {
        return NULL;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return lbf_none(error, LB_ERROR_UNSUPPORTED, lb_status_text(LB_ERROR_UNSUPPORTED));
    }
    lb_path *path = lbf_new(&figure->draft.allocator, 1, sizeof *path);
    if (!path) {
        return lbf_none(error, LB_ERROR_MEMORY, lb_status_text(LB_ERROR_MEMORY));
    }
    path->figure = figure;
    path->allocator = figure->draft.allocator;
    path->options = taken;
    path->effector = *effector;
    path->began_us = taken.deadline_us > 0 ? taken.now_us(taken.now_context) : 0;
    path->result = default_result();
    path->n = lb_figure_variable_count(figure);
    if (make(path, count, frames, error)) {
        lb_path_destroy(path);
        return NULL;
    }
    return path;
}

void lb_path_destroy(lb_path *path) {
    if (!path) {
        return;
    }
    const lb_allocator allocator = path->allocator;
    const size_t n = (size_t)(path->n ? path->n : 1);
    forget(path);
    lb_solver_destroy(path->judge);
    lb_problem_destroy(path->judged);
    lb_problem_destroy(path->base);
    lb_kinematics_destroy(path->stance.kinematics);
    lb_solver_destroy(path->stance.solver);
    lb_problem_destroy(path->stance.problem);
    lbf_delete(&allocator, path->start, n, sizeof(double));
    lbf_delete(&allocator, path->velocity, n, sizeof(double));
    lbf_delete(&allocator, path->acceleration, n, sizeof(double));
    lbf_delete(&allocator, path->between, n, sizeof(double));
    lbf_delete(&allocator, path, 1, sizeof *path);
}

lb_status lb_path_get(const lb_path *path, lb_path_result *result) {
    if (!path || !result) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_status status = lbf_check_sized(&result_kind, result, NULL);
    if (!status) {
        lbf_give_sized(&result_kind, &path->result, result);
    }
    return status;
}

lb_status lb_path_pose(const lb_path *path, int index, double *pose, double *fraction) {
    if (!path || !pose || index < 0 || index >= path->result.pose_count) {
        return LB_ERROR_ARGUMENT;
    }
    memcpy(pose, path->poses + (size_t)index * (size_t)path->n, (size_t)path->n * sizeof *pose);
    if (fraction) {
        *fraction = path->fractions[index];
    }
    return LB_OK;
}
