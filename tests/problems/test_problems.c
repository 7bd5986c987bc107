/* Every problem in problems/: read, with the dofs and constraints that its figure of a paper had, and solved by lm and
 * by bfgs - or ending at a Kuhn-Tucker point, verified here from the gradient and the reported multipliers, where it
 * cannot be. */
#include "shipped.h"

#include "check.h"
#include "solve/solver.h"

#include <dirent.h>
#include <math.h>
#include <string.h>

static const lb_method both[2] = {LB_METHOD_LM, LB_METHOD_BFGS};

/* No file is left out of the table, and none in it is missing. */
static void check_complete(void) {
    char folder[1024];
    int count = 0;
    REQUIRE(check_source("problems", folder, sizeof folder));
    DIR *directory = opendir(folder);
    REQUIRE(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0) {
            count++;
        }
    }
    closedir(directory);
    CHECK_INT(count, shipped_count);
}

static void check_limits_hold(const opened *o) {
    for (int f = 0; f < lb_problem_figure_count(o->problem); f++) {
        const double *pose = o->pose + lb_problem_first_variable(o->problem, f);
        CHECK(lb_figure_violation(lb_problem_figure(o->problem, f), pose) <= 1e-9);
    }
}

/* Where the answer says solved, each constraint is met, or another member of its disjunction is. */
static void check_met(const opened *o) {
    int groups[1001] = {0};
    const lb_result *result = &o->result;
    CHECK_INT(result->constraint_count, lb_problem_constraint_count(o->problem));
    for (int i = 0; i < result->constraint_count; i++) {
        int group = lb_problem_constraint(o->problem, i)->any_of;
        if (group > 0 && group <= 1000 && result->constraints[i].met) {
            groups[group] = 1;
        }
    }
    for (int i = 0; i < result->constraint_count; i++) {
        int group = lb_problem_constraint(o->problem, i)->any_of;
        check_note("%s, constraint %d", lb_problem_file_title(o->file), i);
        CHECK(result->constraints[i].met || (group > 0 && group <= 1000 && groups[group]));
    }
}

/* The Kuhn-Tucker conditions: the pose is at each reported limit, multipliers are not negative, and together with the
 * gradient they cancel in every variable that may move. (Where rigidities scale variables, none of these problems ends
 * at a minimum.) */
static void check_kuhn_tucker(opened *o) {
    double gradient[SHIPPED_MAX_VARIABLES], value;
    const lb_result *result = &o->result;
    int n = lb_problem_variable_count(o->problem);
    CHECK_INT(lb_solver_value(o->solver, o->pose, &value, gradient), LB_OK);
    CHECK_NEAR(value, result->value, 1e-12 * (1 + fabs(value)));
    for (int i = 0; i < result->limit_count; i++) {
        const lb_active_limit *limit = &result->limits[i];
        CHECK(limit->multiplier >= 0);
        if (limit->variable >= 0) {
            CHECK_NEAR(o->pose[limit->variable], limit->value, 1e-9);
            gradient[limit->variable] += limit->is_upper ? limit->multiplier : -limit->multiplier;
            continue;
        }
        const lb_limit_row *row = lb_figure_row(lb_problem_figure(o->problem, limit->figure), limit->row);
        const int first = lb_problem_first_variable(o->problem, limit->figure);
        double sum = 0;
        for (int k = 0; k < row->count; k++) {
            sum += row->coefficients[k] * o->pose[first + row->variables[k]];
        }
        CHECK_NEAR(sum, row->bound, 1e-9);
        for (int k = 0; k < row->count; k++) {
            gradient[first + row->variables[k]] += limit->multiplier * row->coefficients[k];
        }
    }
    double left = 0;
    for (int i = 0; i < n; i++) {
        if (o->solver->space->variables.active_of[i] >= 0) {
            left += gradient[i] * gradient[i];
        }
    }
    CHECK(sqrt(left) <= 1e-7);
    CHECK(result->gradient_norm <= 1e-7);
}

static void check_problem(const shipped *expected) {
    opened o = open_shipped(expected->name);
    double values[2];
    double value, tolerance;
    CHECK_INT(lb_problem_constraint_count(o.problem), expected->constraints);
    CHECK_INT(lb_problem_file_expects(o.file, &value, &tolerance), expected->outcome);
    for (int k = 0; k < 2; k++) {
        solve_shipped(&o, both[k]);
        check_note("%s by %s: %s", expected->name, lb_method_name(both[k]), o.result.explanation);
        CHECK_INT(o.solver->space->n, expected->dofs);
        CHECK_INT(o.result.outcome, expected->outcome);
        CHECK(o.result.value <= o.result.value_before);
        check_limits_hold(&o);
        if (o.result.outcome == LB_OUTCOME_SOLVED) {
            check_met(&o);
        }
        if (o.result.outcome == LB_OUTCOME_MINIMUM) {
            check_kuhn_tucker(&o);
        }
        if (!isnan(value)) {
            CHECK_NEAR(o.result.value, value, tolerance);
        }
        values[k] = o.result.value;
    }
    check_note("%s: lm %.12g, bfgs %.12g", expected->name, values[0], values[1]);
    if (expected->outcome == LB_OUTCOME_MINIMUM) {
        double apart = fabs(values[0] - values[1]) / values[1];
        CHECK(apart <= 1e-6 || (expected->several_minima && apart > 1e-4));
    }
    close_shipped(&o);
}

/* EN07's chain of 25 cm, its goal 27 cm from the root and 25 from the end: the best is straight at it, 2 cm short. */
static void check_en07_optimum(void) {
    opened o = open_shipped("en07-chain");
    const double best = 0.02;
    for (int k = 0; k < 2; k++) {
        solve_shipped(&o, both[k]);
        check_note("en07-chain by %s", lb_method_name(both[k]));
        CHECK_NEAR(o.result.constraints[0].distance, best, 1e-6 * best);
        CHECK_NEAR(o.result.value, best * best, 1e-6 * best * best);
    }
    close_shipped(&o);
}

/* Degrees of one direction over the five joints of the torso: what each turns, whichever way. */
static double bending(const opened *o, const char *direction) {
    static const char *const joints[5] = {"L5", "L2", "T11", "T7", "T3"};
    const lb_figure *figure = lb_problem_figure(o->problem, 0);
    double sum = 0;
    for (int k = 0; k < 5; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s.%s", joints[k], direction);
        int index = lb_figure_find_variable(figure, name);
        REQUIRE(index >= 0);
        sum += fabs(o->pose[index]) * 57.29577951308232;
    }
    return sum;
}

/* ZB94, figures 6 to 8, at the paper's own 22 dofs: out of reach for the arm alone; reached by the torso, awkwardly, bent
 * sideways and twisted; with rigidities of 0.5 in these directions with half as much of them, and more bending forward. */
static void check_rigidity_spares_the_torso(void) {
    for (int k = 0; k < 2; k++) {
        opened arm = open_shipped("zb94-reach-arm"), awkward = open_shipped("zb94-reach-torso"),
               natural = open_shipped("zb94-reach-natural");
        solve_shipped(&arm, both[k]);
        solve_shipped(&awkward, both[k]);
        solve_shipped(&natural, both[k]);
        check_note("reaching by %s", lb_method_name(both[k]));
        CHECK(arm.result.constraints[0].distance > 0.1);
        CHECK_NEAR(awkward.result.constraints[0].distance, 0, 1e-5);
        CHECK_NEAR(natural.result.constraints[0].distance, 0, 1e-5);
        double lateral[2] = {bending(&awkward, "lateral"), bending(&natural, "lateral")},
               axial[2] = {bending(&awkward, "axial"), bending(&natural, "axial")};
        printf("%-4s arm alone %.1f cm short; lateral %.1f and %.1f, axial %.1f and %.1f, flexion %.1f and %.1f deg\n",
               lb_method_name(both[k]), arm.result.constraints[0].distance * 100, lateral[0], lateral[1], axial[0],
               axial[1], bending(&awkward, "flexion"), bending(&natural, "flexion"));
        CHECK(lateral[0] + axial[0] > 70);
        CHECK(lateral[1] + axial[1] < 0.6 * (lateral[0] + axial[0]));
        CHECK(lateral[1] < 0.6 * lateral[0]);
        CHECK(axial[1] < 0.8 * axial[0]);
        CHECK(bending(&natural, "flexion") > bending(&awkward, "flexion"));
        close_shipped(&arm);
        close_shipped(&awkward);
        close_shipped(&natural);
    }
    check_note("%s", "");
}

/* The disjunction is what keeps the elbow out: without it the hand gets there with the elbow inside the crate. */
static void check_disjunction_matters(void) {
    opened o = open_shipped("zb94-polyhedron");
    lb_kinematics *kinematics = lb_kinematics_create(lb_problem_figure(o.problem, 0), NULL);
    int site = lb_figure_find_site(lb_problem_figure(o.problem, 0), "right_elbow");
    lb_frame elbow;
    REQUIRE(kinematics && site >= 0);
    for (int without = 0; without < 2; without++) {
        for (int i = 1; without && i < lb_problem_constraint_count(o.problem); i++) {
            CHECK_INT(lb_problem_enable(o.problem, lb_problem_constraint_id(o.problem, i), 0), LB_OK);
        }
        solve_shipped(&o, LB_METHOD_LM);
        CHECK_INT(o.result.outcome, LB_OUTCOME_SOLVED);
        lb_kinematics_update(kinematics, o.pose);
        lb_kinematics_site(kinematics, site, &elbow);
        int inside = 1;
        for (int i = 1; i < lb_problem_constraint_count(o.problem); i++) {
            const lb_goal *goal = &lb_problem_constraint(o.problem, i)->goal;
            lb_kinematics *crate = lb_kinematics_create(lb_problem_figure(o.problem, goal->carrier_figure), NULL);
            lb_frame carrier, local;
            lb_kinematics_segment(crate, goal->carrier_segment, &carrier);
            lb_frame_invert(&carrier, &carrier);
            lb_frame_multiply(&carrier, &elbow, &local);
            double side = 0;
            for (int c = 0; c < 3; c++) {
                side += (local.position[c] - goal->point[c]) * goal->normal[c];
            }
            inside = inside && side < -1e-5;
            lb_kinematics_destroy(crate);
        }
        check_note("zb94-polyhedron %s its disjunction", without ? "without" : "with");
        CHECK_INT(inside, without);
    }
    lb_kinematics_destroy(kinematics);
    close_shipped(&o);
}

int main(void) {
    check_complete();
    for (int i = 0; i < shipped_count; i++) {
        check_problem(&shipped_problems[i]);
    }
    check_en07_optimum();
    check_rigidity_spares_the_torso();
    check_disjunction_matters();
    return check_done();
}
