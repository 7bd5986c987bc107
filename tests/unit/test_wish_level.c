/* Wishes on a level of their own: goals exact, wishes minimal (Korein and Badler's Lagrangian), and what moving a goal would
 * save. */
#include <math.h>
#include <string.h>

#include "check.h"
#include <limber/solve.h>
#include <stdio.h>

#define LINKS 5

/* A planar chain of links of 0.3 m, with a wish for the rest pose. */
static lb_figure *chain(void) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment segment;
    lb_site site;
    lb_joint joint;
    lb_figure *figure = NULL;
    char names[LINKS + 1][16];
    int tips[LINKS + 1], bases[LINKS + 1];
    for (int i = 0; i <= LINKS; i++) {
        lb_segment_defaults(&segment);
        snprintf(names[i], sizeof names[i], "s%d", i);
        segment.name = names[i];
        int number = lb_builder_add_segment(b, &segment);
        lb_site_defaults(&site);
        site.segment = number;
        site.name = "base";
        bases[i] = lb_builder_add_site(b, &site);
        site.name = "tip";
        site.frame.position[0] = i ? 0.3 : 0;
        tips[i] = lb_builder_add_site(b, &site);
    }
    for (int i = 1; i <= LINKS; i++) {
        char name[16];
        snprintf(name, sizeof name, "j%d", i);
        lb_joint_defaults(&joint);
        joint.name = name;
        joint.site_a = tips[i - 1];
        joint.site_b = bases[i];
        REQUIRE(lb_joint_type_parse("R(z)", &joint.type, NULL) == LB_OK);
        joint.lower[0] = -2;
        joint.upper[0] = 2;
        REQUIRE(lb_builder_add_joint(b, &joint) >= 0);
    }
    REQUIRE(lb_builder_finish(b, &figure) == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

static lb_problem *reaching(const lb_figure *figure, double x, double y) {
    lb_constraint c;
    lb_problem *problem = lb_problem_create(figure, NULL);
    REQUIRE(lb_constraint_at(figure, "s5.tip", (double[]){x, y, 0}, &c) == LB_OK);
    for (int i = 0; i < 3; i++) {
        c.tolerance[i] = 1e-9;
    }
    REQUIRE(lb_problem_add(problem, &c) == 1);
    REQUIRE(lb_problem_set_posture(problem, NULL, 0.5) == LB_OK);
    return problem;
}

static lb_result solve(const lb_problem *problem, lb_method method, double *pose) {
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    lb_solver *solver = lb_solver_create(problem, NULL);
    lb_solve_options_defaults(&options);
    options.method = method;
    static lb_constraint_result constraints[4];
    static lb_level_result levels[4];
    REQUIRE(solver && lb_solver_solve(solver, &options, pose, &result) == LB_OK);
    memcpy(constraints, result.constraints, (size_t)result.constraint_count * sizeof *constraints);
    memcpy(levels, result.levels, (size_t)result.level_count * sizeof *levels);
    result.constraints = constraints;
    result.levels = levels;
    lb_solver_destroy(solver);
    return result;
}

/* Whatever method meets the goal, the wishes come to the same least value, and cost it nothing. */
static void check_methods(const lb_figure *figure) {
    const double start[LINKS] = {0.4, 0.3, -0.2, 0.5, 0.1};
    double least = INFINITY;
    for (int method = LB_METHOD_LM; method <= LB_METHOD_JACOBIAN; method++) { /* fabrik does not come that near */
        lb_problem *problem = reaching(figure, 0.7, 0.6);
        double pose[LINKS], wished = 0;
        check_note("%s", lb_method_name((lb_method)method));
        memcpy(pose, start, sizeof pose);
        lb_result r = solve(problem, (lb_method)method, pose);
        CHECK_INT(r.outcome, LB_OUTCOME_SOLVED);
        CHECK(r.constraints[0].distance <= 1e-9);
        for (int i = 0; i < LINKS; i++) {
            wished += 0.5 * pose[i] * pose[i];
        }
        CHECK_NEAR(r.wish_value, wished, 1e-12);
        CHECK_INT(r.level_count, 2);
        CHECK(r.levels[1].is_wishes && r.levels[1].gradient_norm <= 1e-9);
        if (method == LB_METHOD_LM) {
            least = r.wish_value;
        }
        CHECK_NEAR(r.wish_value, least, 1e-7);
        lb_problem_destroy(problem);
    }
    check_note("%s", "");
}

/* Of all poses that meet the goal nearby none is liked better: along the chain's own motions that keep its tip. */
static void check_least(const lb_figure *figure) {
    double pose[LINKS] = {0.4, 0.3, -0.2, 0.5, 0.1};
    lb_problem *problem = reaching(figure, 0.7, 0.6);
    lb_result r = solve(problem, LB_METHOD_LM, pose);
    lb_problem_destroy(problem);
    for (int k = 0; k < 20; k++) {
        double other[LINKS];
        for (int i = 0; i < LINKS; i++) {
            other[i] = pose[i] + 0.05 * sin(3.0 * k + 1.7 * i);
        }
        problem = reaching(figure, 0.7, 0.6);
        lb_problem_set_posture(problem, NULL, 0);
        lb_result there = solve(problem, LB_METHOD_LM, other);
        lb_problem_destroy(problem);
        double wished = 0;
        for (int i = 0; i < LINKS; i++) {
            wished += 0.5 * other[i] * other[i];
        }
        CHECK_INT(there.outcome, LB_OUTCOME_SOLVED);
        CHECK(wished >= r.wish_value - 1e-9);
    }
}

/* What moving the goal costs the wishes is what the result says. */
static void check_force(const lb_figure *figure) {
    const double h = 1e-4, start[LINKS] = {0.4, 0.3, -0.2, 0.5, 0.1};
    double pose[LINKS];
    memcpy(pose, start, sizeof pose);
    lb_problem *problem = reaching(figure, 0.7, 0.6);
    lb_result r = solve(problem, LB_METHOD_LM, pose);
    lb_problem_destroy(problem);
    for (int axis = 0; axis < 2; axis++) {
        double value[2];
        for (int side = 0; side < 2; side++) {
            double at[2] = {0.7, 0.6}, moved[LINKS];
            at[axis] += side ? h : -h;
            memcpy(moved, pose, sizeof moved);
            problem = reaching(figure, at[0], at[1]);
            value[side] = solve(problem, LB_METHOD_LM, moved).wish_value;
            lb_problem_destroy(problem);
        }
        double slope = (value[1] - value[0]) / (2 * h);
        CHECK(fabs(slope) > 0.01);
        CHECK_NEAR(r.constraints[0].force[axis], slope, 1e-4 * fabs(slope) + 1e-6);
    }
}

/* In the goals' sum each costs the other something. */
static void check_goals_level(const lb_figure *figure) {
    double pose[LINKS] = {0.4, 0.3, -0.2, 0.5, 0.1};
    lb_problem *problem = reaching(figure, 0.7, 0.6);
    CHECK_INT(lb_problem_set_wish_level(problem, LB_WISH_LEVEL_GOALS), LB_OK);
    CHECK_INT(lb_problem_set_wish_level(problem, (lb_wish_level)7), LB_ERROR_ARGUMENT);
    lb_result r = solve(problem, LB_METHOD_LM, pose);
    CHECK_INT(r.outcome, LB_OUTCOME_MINIMUM);
    CHECK(r.constraints[0].distance > 0.01);
    CHECK(r.wish_value == 0);
    CHECK_INT(r.level_count, 1);
    lb_problem_destroy(problem);
}

int main(void) {
    lb_figure *figure = chain();
    check_methods(figure);
    check_least(figure);
    check_force(figure);
    check_goals_level(figure);
    lb_figure_destroy(figure);
    return check_done();
}
