/* The wish for manipulability: its gradient against central differences on arms made at random, with joints that slide, mimic
 * others or carry the goal; and of redundant arms at fixed frames, that the answer has nearly the best manipulability that
 * sampling finds, with its goal met. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "property.h"
#include "solve/wish/manipulability.h"
#include <limber/io.h>

#define PI 3.14159265358979323846
#define MOST 16
#define SAMPLES 150
#define SINGULAR 1e2 /* 1 / manipulability from where differences are rounding */

static property properties[] = {{.name = "the gradient is that of central differences"},
                                {.name = "goals are met"},
                                {.name = "limits hold"},
                                {.name = "no less manipulability than without the wish"},
                                {.name = "95% of the best that sampling finds", .share = 0.01},
                                {.name = "the same bits again, and by a batch"}};
enum { GRADIENT, MET, LIMITS, MORE, BEST, AGAIN };

static lb_figure *panda, *iiwa;

/* --- The gradient ---------------------------------------------------------------------------------------------------------- */

static lb_figure *make_arm(check_random *r, int joints, int *tips) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment segment;
    lb_site site;
    lb_dh_row rows[2][8];
    static char names[2][8][12];
    lb_figure *figure = NULL;
    lb_segment_defaults(&segment);
    segment.name = "base";
    lb_site_defaults(&site);
    site.segment = lb_builder_add_segment(b, &segment);
    site.name = "out";
    int base = lb_builder_add_site(b, &site);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < joints; i++) {
            snprintf(names[side][i], sizeof names[side][i], "%c%d", side ? 'r' : 'l', i);
            rows[side][i] = (lb_dh_row){.name = names[side][i],
                                        .a = check_random_range(r, -0.3, 0.3),
                                        .alpha = check_random_range(r, -2, 2),
                                        .d = check_random_range(r, -0.3, 0.3),
                                        .is_prismatic = check_random_index(r, 5) == 0,
                                        .lower = -2,
                                        .upper = 2};
        }
        tips[side] = lb_builder_add_dh_chain(b, base, LB_DH_CONVENTION_STANDARD, joints, rows[side]);
        REQUIRE(tips[side] > 0);
    }
    if (check_random_index(r, 2)) { /* a joint of the right arm follows one of the left */
        lb_drive drive;
        memset(&drive, 0, sizeof drive);
        drive.joint = joints + check_random_index(r, joints);
        drive.source = (lb_dof_ref){check_random_index(r, joints), 0, -1};
        drive.curve.kind = LB_CURVE_LINEAR;
        drive.curve.slope = check_random_range(r, -0.9, 0.9);
        drive.curve.offset = 0.1;
        REQUIRE(lb_builder_add_drive(b, &drive) >= 0);
    }
    REQUIRE(lb_builder_finish(b, &figure) == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

static double stiffness(lb_solver *solver, const double *z, double *gradient) {
    double value;
    lbs_jacobian(solver->space, z);
    CHECK(lbs_stiffness(solver, &value, gradient));
    return value;
}

static void check_gradient(uint64_t seed) {
    static const lb_goal_kind kinds[] = {LB_GOAL_FRAME, LB_GOAL_POSITION, LB_GOAL_ORIENTATION};
    check_random r;
    int tips[2];
    check_random_seed(&r, seed);
    lb_figure *figure = make_arm(&r, 5 + check_random_index(&r, 4), tips);
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_solve_options o;
    lb_error error;
    double pose[2 * MOST], z[2 * MOST], gradient[2 * MOST];
    lb_solve_options_defaults(&o);
    for (int side = 0; side < 2; side++) {
        lb_constraint c;
        lb_constraint_defaults(&c);
        REQUIRE(lb_effector_from_segment(figure, tips[side], &c.effector) == LB_OK);
        c.goal.kind = kinds[check_random_index(&r, 3)];
        c.goal.carrier_segment = side && check_random_index(&r, 2) ? tips[0] : -1;
        REQUIRE(lb_problem_add(p, &c) > 0);
    }
    if (check_random_index(&r, 2)) {
        REQUIRE(lb_problem_set_rigidity(p, 1, 0.4) == LB_OK);
    }
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_figure_random_pose(figure, &seed, pose);
    REQUIRE(solver && lbs_begin(solver->space, &o, pose, &error) == LB_OK);
    lbs_from_pose(solver->space, solver->space->start, z);
    const double value = stiffness(solver, z, gradient);
    for (int i = 0; i < solver->space->n && value < SINGULAR; i++) {
        const double at = z[i], step = 1e-5;
        z[i] = at + step;
        const double more = stiffness(solver, z, NULL);
        z[i] = at - step;
        const double less = stiffness(solver, z, NULL);
        z[i] = at;
        const double difference = (more - less) / (2 * step);
        property_expect(&properties[GRADIENT],
                        fabs(gradient[i] - difference) <= 1e-5 * (fabs(difference) + fabs(gradient[i])) + 1e-6 * value,
                        "variable %d: %g for %g", i, gradient[i], difference);
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* --- Redundant arms ---------------------------------------------------------------------------------------------------------- */

static double manipulability(lb_solver *solver, const double *pose) {
    lb_result result;
    lb_result_defaults(&result);
    REQUIRE(lb_solver_measure(solver, pose, &result) == LB_OK && result.measure_count == 1);
    return result.measures[0].manipulability;
}

static lb_outcome solve(lb_solver *solver, const lb_solve_options *o, double *pose) {
    lb_result result;
    lb_result_defaults(&result);
    REQUIRE(lb_solver_solve(solver, o, pose, &result) == LB_OK);
    return result.outcome;
}

static void check_best(lb_figure *figure, uint64_t seed) {
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    lb_constraint c;
    lb_solve_options o;
    double wanted[MOST], start[MOST], pose[MOST], plain[MOST], again[MOST], e[9], at[9], best = 0, off = 0;
    const int n = lb_figure_variable_count(figure);
    lb_solve_options_defaults(&o);
    o.restarts = 200;
    lb_constraint_defaults(&c);
    REQUIRE(p && k && lb_effector_from_site(figure, lb_figure_find_site(figure, "tool"), &c.effector) == LB_OK);
    lb_figure_random_pose(figure, &seed, wanted);
    lb_figure_random_pose(figure, &seed, start);
    lb_kinematics_update(k, wanted);
    lb_kinematics_effector(k, &c.effector, e);
    c.goal.kind = LB_GOAL_FRAME;
    memcpy(c.goal.point, e, 3 * sizeof *e);
    memcpy(c.goal.x, e + 3, 3 * sizeof *e);
    memcpy(c.goal.y, e + 6, 3 * sizeof *e);
    REQUIRE(lb_problem_add(p, &c) > 0);
    lb_solver *solver = lb_solver_create(p, NULL);
    REQUIRE(solver);
    memcpy(plain, start, sizeof plain);
    CHECK(solve(solver, &o, plain) == LB_OUTCOME_SOLVED);
    best = manipulability(solver, wanted);
    for (int i = 0; i < SAMPLES; i++) {
        lb_figure_random_pose(figure, &seed, pose);
        o.seed = 100 + (uint64_t)i;
        if (solve(solver, &o, pose) == LB_OUTCOME_SOLVED) {
            best = fmax(best, manipulability(solver, pose));
        }
    }
    o.seed = 1;
    REQUIRE(lb_problem_set_manipulability(p, 1) == LB_OK);
    memcpy(pose, start, sizeof pose);
    const lb_outcome outcome = solve(solver, &o, pose);
    lb_kinematics_update(k, pose);
    lb_kinematics_effector(k, &c.effector, at);
    for (int i = 0; i < 9; i++) {
        off = fmax(off, fabs(at[i] - e[i]));
    }
    const double got = manipulability(solver, pose), before = manipulability(solver, plain);
    property_expect(&properties[MET], outcome == LB_OUTCOME_SOLVED && off < 1.1e-5, "off by %g", off);
    property_expect(&properties[LIMITS], lb_figure_violation(figure, pose) <= 1e-9, "%s", "");
    property_expect(&properties[MORE], got >= before * (1 - 1e-4), "%g for %g", got, before);
    property_expect(&properties[BEST], got >= 0.95 * best, "%g of %g", got, best);
    lb_many many;
    lb_many_defaults(&many);
    many.count = 1;
    many.starts = start;
    REQUIRE(lb_solve_many(p, &o, &many, again, NULL, NULL) == LB_OK);
    property_expect(&properties[AGAIN], memcmp(again, pose, (size_t)n * sizeof *pose) == 0, "%s", "");
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_kinematics_destroy(k);
}

static void run(long number, uint64_t seed) {
    check_gradient(seed);
    if (number % 4 == 0) {
        check_best(number % 8 ? panda : iiwa, seed);
    }
}

static lb_figure *load(const char *file) {
    char path[1024];
    lb_figure *figure = NULL;
    REQUIRE(check_source(file, path, sizeof path) && lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    return figure;
}

int main(int argc, char **argv) {
    panda = load("models/panda.fig");
    iiwa = load("models/iiwa14.fig");
    const int failed = property_main(argc, argv, 2000, 40000, run, properties, sizeof properties / sizeof *properties);
    lb_figure_destroy(panda);
    lb_figure_destroy(iiwa);
    return failed;
}
