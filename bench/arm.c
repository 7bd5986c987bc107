#include "arm.h"

#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586

/* --- The bare chain --------------------------------------------------------------------------------------- */

/* Frame of an effector where all variables are 0, as a matrix [3][4]. */
static void frame_at_zero(const bench_arm *arm, const double *zero, const lb_effector *effector, long double m[3][4]) {
    long double e[9];
    bench_effector(arm->figure, zero, effector, e);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        m[i][0] = e[3 + i], m[i][1] = e[6 + i];
        m[i][2] = e[3 + j] * e[6 + k] - e[3 + k] * e[6 + j];
        m[i][3] = e[i];
    }
}

/* b seen from a. */
static void relative(long double a[3][4], long double b[3][4], double out[12]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            long double sum = 0;
            for (int k = 0; k < 3; k++) {
                sum += a[k][i] * (b[k][j] - (j == 3 ? a[k][3] : 0));
            }
            out[4 * i + j] = (double)sum;
        }
    }
}

/* Joints of one dof, whose order along the chain is that of the variables; otherwise there is no chain. */
static void find_chain(bench_arm *arm) {
    int path[256], count = 0;
    for (int s = arm->effector.segment; lb_figure_parent_joint(arm->figure, s) >= 0 && count < 256;
         s = lb_figure_parent_segment(arm->figure, s)) {
        path[count++] = s;
    }
    double *zero = bench_alloc((size_t)arm->variables, sizeof *zero);
    long double before[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, now[3][4];
    arm->joint_count = 0;
    while (count-- > 0) {
        int index = lb_figure_parent_joint(arm->figure, path[count]);
        const lb_joint *joint = lb_figure_joint(arm->figure, index);
        if (joint->type.element_count == 0 || joint->frozen) {
            continue;
        }
        int variable = lb_figure_variable_of(arm->figure, &(lb_dof_ref){index, 0, -1});
        if (joint->type.element_count > 1 || variable != arm->joint_count || arm->joint_count == BENCH_ARM_JOINTS) {
            break;
        }
        const lb_element *element = &joint->type.elements[0];
        const lb_variable *v = lb_figure_variable(arm->figure, variable);
        int parent = lb_figure_parent_segment(arm->figure, path[count]);
        int is_forward = lb_figure_site(arm->figure, joint->site_a)->segment == parent;
        bench_joint *out = &arm->joints[arm->joint_count++];
        lb_effector site;
        lb_effector_from_site(arm->figure, is_forward ? joint->site_a : joint->site_b, &site);
        frame_at_zero(arm, zero, &site, now);
        relative(before, now, out->frame);
        memcpy(before, now, sizeof before);
        for (int i = 0; i < 3; i++) {
            out->axis[i] = is_forward ? element->axis[i] : -element->axis[i];
        }
        out->is_angle = element->kind == LB_ELEMENT_ROTATE;
        out->lower = v->lower, out->upper = v->upper;
    }
    frame_at_zero(arm, zero, &arm->effector, now);
    relative(before, now, arm->tool);
    if (arm->joint_count != arm->variables) {
        arm->joint_count = 0;
    }
    free(zero);
}

/* --- Opening ---------------------------------------------------------------------------------------------- */

/* The problem: the effector's frame at a frame. The tolerances are such that whatever is inside them has a distance and
 * an angle under 1e-5: each coordinate counts by itself, and each of two directions. */
static void prepare(bench_arm *arm) {
    lb_constraint constraint;
    lb_constraint_defaults(&constraint);
    constraint.effector = arm->effector;
    constraint.goal.kind = LB_GOAL_FRAME;
    constraint.goal.x[0] = constraint.goal.y[1] = 1;
    for (int i = 0; i < 3; i++) {
        constraint.tolerance[i] = 1e-5 / sqrt(3.0);
    }
    constraint.tolerance_rad = 1e-5 / sqrt(2.0);
    arm->problem = lb_problem_create(arm->figure, NULL);
    if (!arm->problem) {
        bench_stop("no memory");
    }
    arm->constraint = lb_problem_add(arm->problem, &constraint);
    if (arm->constraint < 0) {
        bench_stop("%s: %s", arm->name, lb_problem_error(arm->problem)->message);
    }
    for (int v = 0; v < arm->variables; v++) {
        if (!arm->is_active[v]) {
            lb_problem_set_active(arm->problem, v, 0);
        }
        arm->dofs += arm->is_active[v];
    }
    arm->solver = lb_solver_create(arm->problem, NULL);
    if (!arm->solver) {
        bench_stop("no memory");
    }
    lb_solve_options_defaults(&arm->options);
    arm->options.restarts = 1000;
    arm->limit_us = 5000;
    find_chain(arm);
}

static void set_figure(bench_arm *arm, lb_figure *figure) {
    arm->figure = figure;
    arm->variables = lb_figure_variable_count(figure);
    arm->is_active = bench_alloc((size_t)arm->variables, 1);
    arm->rest = bench_alloc((size_t)arm->variables, sizeof *arm->rest);
    memset(arm->is_active, 1, (size_t)arm->variables);
    lb_figure_rest_pose(figure, arm->rest);
}

void bench_arm_from_model(bench_arm *arm, const char *model) {
    char relative_path[128], path[1024];
    lb_figure *figure;
    lb_error error;
    memset(arm, 0, sizeof *arm);
    snprintf(arm->name, sizeof arm->name, "%s", model);
    snprintf(relative_path, sizeof relative_path, "models/%s.fig", model);
    bench_source_path(relative_path, path);
    if (lb_figure_load(path, NULL, &figure, &error)) {
        bench_stop("%s: %s", path, error.message);
    }
    set_figure(arm, figure);
    if (lb_effector_from_site(figure, lb_figure_find_site(figure, "tool"), &arm->effector)) {
        bench_stop("%s has no site \"tool\"", model);
    }
    prepare(arm);
}

/* Whether each joint lies between the two links; 0 where the tip is not beyond the base. */
static int mark_path(const lb_figure *figure, int base, int tip, char *is_on_path) {
    int segment = tip;
    while (segment != base) {
        int joint = lb_figure_parent_joint(figure, segment);
        if (joint < 0) {
            return 0;
        }
        is_on_path[joint] = 1;
        segment = lb_figure_parent_segment(figure, segment);
    }
    return 1;
}

static int depends_on_others(const lb_figure *figure, const char *is_on_path) {
    for (int d = 0; d < lb_figure_drive_count(figure); d++) {
        if (is_on_path[lb_figure_drive(figure, d)->joint]) {
            return 1;
        }
    }
    for (int r = 0; r < lb_figure_row_count(figure); r++) {
        if (lb_figure_row(figure, r)->count > 1) {
            return 1;
        }
    }
    return lb_figure_loop_count(figure) > 0;
}

/* The same figure with nothing but the links from the root to the tip; joints that are not on the path are frozen. */
static lb_figure *reduce(const lb_figure *figure, int tip, const char *is_on_path) {
    lb_builder *builder = lb_builder_from(figure, NULL);
    lb_figure *reduced = NULL;
    char *is_kept = bench_alloc((size_t)lb_figure_segment_count(figure), 1);
    for (int s = tip; s >= 0; s = lb_figure_parent_segment(figure, s)) {
        is_kept[s] = 1;
    }
    for (int j = 0; builder && j < lb_figure_joint_count(figure); j++) {
        if (!is_on_path[j]) {
            lb_builder_freeze_joint(builder, j, NULL);
        }
    }
    for (int s = lb_figure_segment_count(figure) - 1; builder && s >= 0; s--) {
        if (!is_kept[s]) {
            lb_builder_remove_segment(builder, s);
        }
    }
    if (!builder || lb_builder_finish(builder, &reduced)) {
        reduced = NULL;
    }
    lb_builder_destroy(builder);
    free(is_kept);
    return reduced;
}

int bench_arm_from_urdf(bench_arm *arm, const char *path, const char *base, const char *tip) {
    lb_figure *figure;
    memset(arm, 0, sizeof *arm);
    snprintf(arm->name, sizeof arm->name, "%s", tip);
    if (lb_figure_load(path, NULL, &figure, NULL)) {
        return 0;
    }
    int from = lb_figure_find_segment(figure, base), to = lb_figure_find_segment(figure, tip);
    char *is_on_path = bench_alloc((size_t)lb_figure_joint_count(figure), 1);
    int is_there = from >= 0 && to >= 0 && mark_path(figure, from, to, is_on_path);
    if (is_there && !depends_on_others(figure, is_on_path)) {
        lb_figure *reduced = reduce(figure, to, is_on_path);
        if (!reduced) {
            bench_stop("%s to %s of %s cannot be cut out", base, tip, path);
        }
        lb_figure_destroy(figure);
        figure = reduced;
        set_figure(arm, figure);
    } else if (is_there) {
        /* what drives a joint on the path moves, whether it is on it or not */
        set_figure(arm, figure);
        memset(arm->is_active, 0, (size_t)arm->variables);
        for (int v = 0; v < arm->variables; v++) {
            const lb_variable *variable = lb_figure_variable(figure, v);
            arm->is_active[v] = variable->ref.joint >= 0 && is_on_path[variable->ref.joint];
        }
        for (int d = 0; d < lb_figure_drive_count(figure); d++) {
            const lb_drive *drive = lb_figure_drive(figure, d);
            int source = lb_figure_variable_of(figure, &drive->source);
            if (is_on_path[drive->joint] && source >= 0) {
                arm->is_active[source] = 1;
            }
        }
    }
    free(is_on_path);
    if (!is_there || lb_effector_from_segment(figure, lb_figure_find_segment(figure, tip), &arm->effector)) {
        lb_figure_destroy(figure);
        return 0;
    }
    prepare(arm);
    return 1;
}

void bench_arm_destroy(bench_arm *arm) {
    lb_solver_destroy(arm->solver);
    lb_problem_destroy(arm->problem);
    lb_figure_destroy(arm->figure);
    free(arm->is_active);
    free(arm->rest);
    free(arm->answers);
    free(arm->targets);
    free(arm->frames);
    memset(arm, 0, sizeof *arm);
}

/* --- Poses ------------------------------------------------------------------------------------------------ */

void bench_arm_random_pose(const bench_arm *arm, uint64_t *state, double *pose) {
    for (int v = 0; v < arm->variables; v++) {
        const lb_variable *variable = lb_figure_variable(arm->figure, v);
        double whole = variable->is_angle ? TURN / 2 : 1;
        double lower = isfinite(variable->lower) ? variable->lower : -whole;
        double upper = isfinite(variable->upper) ? variable->upper : whole;
        pose[v] = arm->is_active[v] ? bench_uniform(state, lower, upper) : arm->rest[v];
    }
}

int bench_arm_fit(const bench_arm *arm, double *pose) {
    for (int v = 0; v < arm->variables; v++) {
        const lb_variable *variable = lb_figure_variable(arm->figure, v);
        if (variable->is_angle && pose[v] < variable->lower) {
            pose[v] += TURN * ceil((variable->lower - pose[v]) / TURN);
        } else if (variable->is_angle && pose[v] > variable->upper) {
            pose[v] -= TURN * ceil((pose[v] - variable->upper) / TURN);
        }
        if (!(pose[v] >= variable->lower && pose[v] <= variable->upper)) {
            return 0;
        }
    }
    return 1;
}

void bench_arm_make_room(bench_arm *arm, int count) {
    free(arm->answers);
    free(arm->targets);
    free(arm->frames);
    arm->instances = count;
    arm->answers = bench_alloc((size_t)count * (size_t)arm->variables, sizeof *arm->answers);
    arm->targets = bench_alloc((size_t)count * 9, sizeof *arm->targets);
    arm->frames = bench_alloc((size_t)count, sizeof *arm->frames);
}

void bench_arm_set_target(bench_arm *arm, int instance, const double e[9]) {
    double m[9];
    memcpy(arm->targets + (size_t)instance * 9, e, 9 * sizeof *e);
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        m[3 * k] = e[3 + k], m[3 * k + 1] = e[6 + k];
        m[3 * k + 2] = e[3 + a] * e[6 + b] - e[3 + b] * e[6 + a];
        arm->frames[instance].position[k] = e[k];
    }
    lb_rotation_from_matrix(m, arm->frames[instance].rotation);
}

void bench_arm_make_targets(bench_arm *arm, int count, uint64_t seed) {
    bench_arm_make_room(arm, count);
    for (int i = 0; i < count; i++) {
        double *answer = arm->answers + (size_t)i * (size_t)arm->variables, target[9];
        long double e[9];
        bench_arm_random_pose(arm, &seed, answer);
        bench_effector(arm->figure, answer, &arm->effector, e);
        for (int k = 0; k < 9; k++) {
            target[k] = (double)e[k];
        }
        bench_arm_set_target(arm, i, target);
    }
}

void bench_arm_starts_mid(const bench_arm *arm, double *starts) {
    for (int v = 0; v < arm->variables; v++) {
        const lb_variable *variable = lb_figure_variable(arm->figure, v);
        int is_limited = isfinite(variable->lower) && isfinite(variable->upper);
        double mid = is_limited ? 0.5 * (variable->lower + variable->upper) : arm->rest[v];
        for (int i = 0; i < arm->instances; i++) {
            starts[i * arm->variables + v] = arm->is_active[v] ? mid : arm->rest[v];
        }
    }
}

void bench_arm_starts_random(const bench_arm *arm, uint64_t seed, double *starts) {
    for (int i = 0; i < arm->instances; i++) {
        bench_arm_random_pose(arm, &seed, starts + i * arm->variables);
    }
}

void bench_arm_starts_near(const bench_arm *arm, double distance, uint64_t seed, double *starts) {
    for (int i = 0; i < arm->instances * arm->variables; i++) {
        int v = i % arm->variables;
        const lb_variable *variable = lb_figure_variable(arm->figure, v);
        double near = arm->answers[i] + bench_uniform(&seed, -distance, distance);
        starts[i] = arm->is_active[v] ? fmin(fmax(near, variable->lower), variable->upper) : arm->rest[v];
    }
}

/* --- A contestant and its judge --------------------------------------------------------------------------- */

static void solve_with(bench_arm *arm, const lb_solve_options *options, int instance, double *pose,
                       bench_outcome *outcome) {
    lb_result result;
    lb_result_defaults(&result);
    if (lb_problem_move_goal(arm->problem, arm->constraint, &arm->frames[instance]) ||
        lb_solver_solve(arm->solver, options, pose, &result)) {
        bench_stop("%s cannot be solved", arm->name);
    }
    outcome->is_solved = result.outcome == LB_OUTCOME_SOLVED;
    outcome->iterations = result.iterations;
    outcome->restarts = result.restarts;
}

void bench_arm_solve(void *context, int instance, double *pose, bench_outcome *outcome) {
    bench_arm *arm = context;
    solve_with(arm, &arm->options, instance, pose, outcome);
}

int bench_arm_verify(void *context, int instance, const double *pose) {
    const bench_arm *arm = context;
    for (int v = 0; v < arm->variables; v++) {
        if (!arm->is_active[v] && pose[v] != arm->rest[v]) {
            return 0;
        }
    }
    return bench_is_at(arm->figure, pose, &arm->effector, arm->targets + (size_t)instance * 9);
}
