/* Zhao and Badler's method on problems whose answers are known, and against lm where they are not. */
#include <limber/solve.h>

#include <math.h>
#include <string.h>

#include "arm.h"
#include "solve/solver.h"

#define MOST 24

/* --- What every solve must keep -------------------------------------------------------------------------------- */

typedef struct watch {
    const lb_figure *figure;
    double last, rise, violation;
    int calls;
} watch;

static int look(void *context, const lb_progress *progress) {
    watch *w = context;
    double violation = lb_figure_violation(w->figure, progress->pose);
    if (progress->value - w->last > w->rise) {
        w->rise = progress->value - w->last;
    }
    if (violation > w->violation) {
        w->violation = violation;
    }
    w->last = progress->value;
    w->calls++;
    return 0;
}

/* Solves, and checks that G never rises, not by its last bit, and that every iterate is inside its limits. */
static lb_status solve_as(lb_solver *solver, const lb_figure *figure, lb_solve_options *options, double *pose,
                          lb_result *result) {
    watch w = {figure, INFINITY, 0, 0, 0};
    options->method = LB_METHOD_BFGS;
    options->on_iteration = look;
    options->on_iteration_context = &w;
    lb_status status = lb_solver_solve(solver, options, pose, result);
    if (status) {
        return status;
    }
    CHECK(w.rise == 0);
    CHECK(w.violation <= 1e-9);
    CHECK(lb_figure_violation(figure, pose) <= 1e-9);
    CHECK(result->value <= result->value_before);
    /* turns are unwrapped at the end, which rounds residuals r by some 1e-16 m, and r^2 by r times that */
    CHECK(w.calls == 0 || result->value <= w.last * (1 + 1e-13) + 1e-15 * sqrt(w.last));
    CHECK_INT(w.calls, result->iterations ? result->iterations : 1);
    return status;
}

static lb_status solve(lb_solver *solver, const lb_figure *figure, double *pose, lb_result *result) {
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    return solve_as(solver, figure, &options, pose, result);
}

static double value_at(lb_solver *solver, const double *pose) {
    double value = NAN;
    CHECK_INT(lb_solver_value(solver, pose, &value, NULL), LB_OK);
    return value;
}

/* dG/dq by differences of second order that stay inside the bounds, since values are of poses inside them. */
static double slope_of(lb_solver *solver, const lb_figure *figure, const double *pose, int variable) {
    const lb_variable *v = lb_figure_variable(figure, variable);
    double moved[MOST], value[3], h = 1e-5;
    int side = pose[variable] + h > v->upper ? -1 : pose[variable] - h < v->lower ? 1 : 0;
    for (int k = 0; k < 3; k++) {
        memcpy(moved, pose, (size_t)lb_figure_variable_count(figure) * sizeof *pose);
        moved[variable] += side ? side * k * h : (k - 1) * h;
        value[k] = value_at(solver, moved);
    }
    return side ? side * (4 * value[1] - 3 * value[0] - value[2]) / (2 * h) : (value[2] - value[0]) / (2 * h);
}

/* The Kuhn-Tucker conditions from the values of G alone: its gradient plus the limits' normals times their
 * multipliers must vanish; multipliers of inequalities are not negative, and their limits in force. */
static void check_kuhn_tucker(lb_solver *solver, const lb_figure *figure, const double *pose, const lb_result *result,
                              double tolerance) {
    double g[MOST];
    int n = lb_figure_variable_count(figure);
    REQUIRE(n <= MOST);
    for (int i = 0; i < n; i++) {
        g[i] = slope_of(solver, figure, pose, i);
    }
    for (int i = 0; i < result->limit_count; i++) {
        const lb_active_limit *limit = &result->limits[i];
        if (limit->variable >= 0) {
            CHECK(limit->multiplier >= 0);
            CHECK_NEAR(pose[limit->variable], limit->value, 1e-9);
            g[limit->variable] += limit->is_upper ? limit->multiplier : -limit->multiplier;
            if (lb_figure_variable(figure, limit->variable)->lower ==
                lb_figure_variable(figure, limit->variable)->upper) {
                g[limit->variable] = 0; /* either sign will do */
            }
            continue;
        }
        const lb_limit_row *row = lb_figure_row(figure, limit->row);
        double sum = -row->bound;
        for (int k = 0; k < row->count; k++) {
            sum += row->coefficients[k] * pose[row->variables[k]];
            g[row->variables[k]] += limit->multiplier * row->coefficients[k];
        }
        CHECK_NEAR(sum, 0, 1e-9);
        if (row->kind == LB_LIMIT_AT_MOST) {
            CHECK(limit->multiplier >= -1e-12);
        }
    }
    for (int i = 0; i < n; i++) { /* of limits of no width either end will do, and values say nothing */
        if (lb_figure_variable(figure, i)->lower < lb_figure_variable(figure, i)->upper) {
            CHECK_NEAR(g[i], 0, tolerance);
        }
    }
}

/* --- The planar arm: 0.3 and 0.2 -------------------------------------------------------------------------------- */

typedef struct task {
    lb_figure *figure;
    lb_problem *problem;
    lb_solver *solver;
} task;

static task hand_at(lb_figure *figure, const char *site, double x, double y, double z) {
    task t = {figure, lb_problem_create(figure, NULL), NULL};
    lb_constraint c;
    REQUIRE(t.problem != NULL);
    REQUIRE(lb_constraint_at(figure, site, (double[]){x, y, z}, &c) == LB_OK);
    REQUIRE(lb_problem_add(t.problem, &c) >= 0);
    t.solver = lb_solver_create(t.problem, NULL);
    REQUIRE(t.solver != NULL);
    return t;
}

static void end(task *t) {
    lb_solver_destroy(t->solver);
    lb_problem_destroy(t->problem);
    lb_figure_destroy(t->figure);
}

/* A joint between segment i's second site and segment i + 1's first, where each has two. */
static void limited_joint(lb_builder *b, const char *name, int i, const char *type, double lower, double upper,
                          double rigidity) {
    lb_joint joint;
    lb_joint_defaults(&joint);
    joint.name = name;
    joint.site_a = 2 * i + 1;
    joint.site_b = 2 * i + 2;
    joint.lower[0] = lower;
    joint.upper[0] = upper;
    joint.rigidity[0] = rigidity;
    REQUIRE(lb_joint_type_parse(type, &joint.type, NULL) == LB_OK);
    REQUIRE(lb_builder_add_joint(b, &joint) == i);
}

/* The arm with limits of shoulder and elbow. */
static lb_figure *limited_arm(double low0, double high0, double low1, double high1) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    REQUIRE(b != NULL);
    for (int i = 0; i < 3; i++) {
        REQUIRE(arm_segment(b, i == 0 ? "base" : i == 1 ? "upper" : "lower", 1) == i);
        REQUIRE(arm_site(b, i, "base", 0) == 2 * i && arm_site(b, i, "hand",
                                                               i == 1   ? 0.3
                                                               : i == 2 ? 0.2
                                                                        : 0) == 2 * i + 1);
    }
    for (int i = 0; i < 2; i++) {
        limited_joint(b, i ? "elbow" : "shoulder", i, "R(z)", i ? low1 : low0, i ? high1 : high0, 0);
    }
    return arm_finish(b);
}

static void check_reach(void) {
    task t = hand_at(arm_finish(arm_builder("R(z)", "R(z)")), "hand", 0.25, 0.2, 0);
    double pose[2] = {0.1, 0.4};
    lb_result result;
    lb_result_defaults(&result);
    CHECK_INT(solve(t.solver, t.figure, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    /* the law of cosines: |p|^2 = a^2 + b^2 + 2 a b cos(elbow) */
    CHECK_NEAR(cos(pose[1]), (0.25 * 0.25 + 0.2 * 0.2 - 0.13) / 0.12, 1e-4);
    CHECK(result.value <= 1e-10);
    end(&t);
}

/* Out of reach: the arm points at the goal, G = (|p| - 0.5)^2; from straight ahead, where the gradient is zero, too. */
static void check_out_of_reach(void) {
    const double starts[4][2] = {{1, 1}, {-2, 0.5}, {0, 0}, {3.14159265358979323846, 0}};
    for (int i = 0; i < 4; i++) {
        task t = hand_at(arm_finish(arm_builder("R(z)", "R(z)")), "hand", 0.8, 0, 0);
        double pose[2] = {starts[i][0], starts[i][1]};
        lb_result result;
        lb_result_defaults(&result);
        check_note("start %d", i);
        CHECK_INT(solve(t.solver, t.figure, pose, &result), LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
        CHECK_NEAR(result.value, 0.09, 1e-15);
        CHECK(result.gradient_norm <= 1e-9);
        CHECK_NEAR(cos(pose[0]), 1, 1e-12);
        CHECK_NEAR(cos(pose[1]), 1, 1e-12);
        end(&t);
    }
    check_note("%s", "");
}

/* A stiff arm stopped by the shoulder's limit: G(q) = p^2 + 0.25 - p cos(phi - q), the multiplier is its slope there.
 * The elbow's limits have no width. */
static void check_one_limit(void) {
    double phi = 1.2, far = 0.7;
    task t = hand_at(limited_arm(-0.5, 0.3, 0, 0), "lower.hand", far * cos(phi), far * sin(phi), 0);
    double pose[2] = {-0.2, 0};
    lb_result result;
    lb_result_defaults(&result);
    CHECK_INT(solve(t.solver, t.figure, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
    CHECK(pose[0] == 0.3);
    CHECK(pose[1] == 0);
    CHECK_NEAR(result.value, far * far + 0.25 - far * cos(phi - 0.3), 1e-14);
    int found = 0;
    for (int i = 0; i < result.limit_count; i++) {
        if (result.limits[i].variable != 0) {
            continue;
        }
        found = 1;
        CHECK_INT(result.limits[i].is_upper, 1);
        CHECK_NEAR(result.limits[i].multiplier, far * sin(phi - 0.3), 1e-12);
    }
    CHECK(found);
    check_kuhn_tucker(t.solver, t.figure, pose, &result, 1e-8);
    end(&t);
}

/* --- Limits over several variables ------------------------------------------------------------------------------- */

static void add_row(lb_builder *b, lb_limit_kind kind, double a, double c, double bound) {
    lb_limit limit = {"coupling", kind, 2, (lb_dof_ref[]){{0, 0, -1}, {1, 0, -1}}, (double[]){a, c}, bound};
    REQUIRE(lb_builder_add_limit(b, &limit) >= 0);
}

/* The least value on a line pose = from + t (to - from), 0 <= t <= 1, by looking everywhere. */
static double least_on_line(lb_solver *solver, const double *from, const double *to) {
    double best = INFINITY, at = 0, width = 1;
    for (int pass = 0; pass < 6; pass++, width /= 100) {
        double middle = at;
        for (int i = 0; i <= 400; i++) {
            double t = pass ? middle + width * (i - 200) / 100 : i / 400.0;
            if (t < 0 || t > 1) {
                continue;
            }
            double pose[2] = {from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])};
            double value = value_at(solver, pose);
            if (value < best) {
                best = value;
                at = t;
            }
        }
    }
    return best;
}

/* The elbow follows the shoulder, elbow = 2 shoulder, as an equality; given twice, and once more upside down. */
static void check_equality(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    add_row(b, LB_LIMIT_EQUAL, 2, -1, 0);
    add_row(b, LB_LIMIT_EQUAL, 4, -2, 0);
    add_row(b, LB_LIMIT_EQUAL, -2, 1, 0);
    task t = hand_at(arm_finish(b), "hand", 0.2, 0.35, 0);
    double pose[2] = {0.1, 0.2};
    lb_result result;
    lb_result_defaults(&result);
    CHECK_INT(solve(t.solver, t.figure, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
    CHECK_NEAR(pose[1], 2 * pose[0], 1e-12);
    CHECK_NEAR(result.value, least_on_line(t.solver, (double[]){0, 0}, (double[]){1.5, 3}), 1e-12);
    check_kuhn_tucker(t.solver, t.figure, pose, &result, 1e-8);
    end(&t);
}

/* shoulder + elbow <= 0.5, ten times over, and rows through the same corner: normals that depend on each other. */
static void check_degenerate(double x, double y) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    for (int i = 0; i < 10; i++) {
        add_row(b, LB_LIMIT_AT_MOST, 1 + i, 1 + i, 0.5 * (1 + i));
    }
    for (int i = 0; i < 10; i++) {
        add_row(b, LB_LIMIT_AT_MOST, 1 + 0.1 * i, 1 - 0.1 * i, 0.5); /* all through (0.25, 0.25) */
    }
    task t = hand_at(arm_finish(b), "hand", x, y, 0);
    const double starts[3][2] = {{0.25, 0.25}, {0, 0.5}, {-0.5, -0.5}};
    double least = INFINITY, most = 0;
    for (int i = 0; i < 3; i++) {
        double pose[2] = {starts[i][0], starts[i][1]};
        lb_result result;
        lb_result_defaults(&result);
        check_note("goal %g %g, start %d", x, y, i);
        CHECK_INT(solve(t.solver, t.figure, pose, &result), LB_OK);
        CHECK(result.outcome == LB_OUTCOME_MINIMUM || result.outcome == LB_OUTCOME_SOLVED);
        if (result.outcome == LB_OUTCOME_MINIMUM) {
            check_kuhn_tucker(t.solver, t.figure, pose, &result, 1e-8);
        }
        least = fmin(least, result.value);
        most = fmax(most, result.value);
    }
    CHECK_NEAR(most, least, 1e-9);
    check_note("%s", "");
    end(&t);
}

/* --- Random chains, against lm ----------------------------------------------------------------------------------- */

/* A chain of `count` joints about random axes, most of them limited, some rows over pairs of neighbours. unit: of
 * length. */
static lb_figure *random_chain(check_random *random, int count, double unit) {
    static const char *const types[] = {"R(x)", "R(y)", "R(z)", "R(0.6,0,0.8)"};
    static char names[MOST + 1][16];
    lb_builder *b = lb_builder_create(NULL, NULL);
    REQUIRE(b != NULL);
    for (int i = 0; i <= count; i++) {
        snprintf(names[i], sizeof names[i], "s%d", i);
        REQUIRE(arm_segment(b, names[i], 1) == i);
        REQUIRE(arm_site(b, i, "base", 0) == 2 * i &&
                arm_site(b, i, "tip", unit * check_random_range(random, 0.1, 0.4)) == 2 * i + 1);
    }
    for (int i = 0; i < count; i++) {
        double lower = check_random_range(random, -2, 0.2), width = check_random_range(random, 0.1, 2.5);
        int kind = check_random_index(random, 20); /* five without limits, two of no width */
        double rigidity = check_random_index(random, 3) ? 0 : check_random_range(random, 0, 0.9);
        const char *type = types[check_random_index(random, 4)];
        limited_joint(b, names[i], i, type, kind < 5 ? -INFINITY : lower,
                      kind < 5   ? INFINITY
                      : kind < 7 ? lower
                                 : lower + width,
                      rigidity);
    }
    for (int i = 0; i + 1 < count; i += 2) {
        double a = check_random_range(random, -1, 1), c = check_random_range(random, -1, 1);
        lb_limit limit = {"row", LB_LIMIT_AT_MOST, 2, (lb_dof_ref[]){{i, 0, -1}, {i + 1, 0, -1}}, (double[]){a, c},
                          1.5};
        REQUIRE(lb_builder_add_limit(b, &limit) >= 0);
    }
    lb_figure *figure = NULL;
    if (lb_builder_finish(b, &figure) != LB_OK) {
        figure = NULL; /* limits that contradict */
    }
    lb_builder_destroy(b);
    return figure;
}

typedef struct tally {
    int same, both, budget, cases;
} tally;

static void compare_with_lm(check_random *random, tally *seen) {
    int count = 3 + check_random_index(random, 10);
    lb_figure *figure = random_chain(random, count, 1);
    if (!figure) {
        return;
    }
    char site[32];
    snprintf(site, sizeof site, "s%d.tip", count);
    double far = 0.3 * count, point[3], start[MOST], pose[2][MOST];
    for (int i = 0; i < 3; i++) {
        point[i] = check_random_range(random, -far, far);
    }
    task t = hand_at(figure, site, point[0], point[1], point[2]);
    uint64_t seed = check_random_bits(random) | 1;
    lb_result result[2];
    lb_result_defaults(&result[0]);
    lb_result_defaults(&result[1]);
    lb_figure_random_pose(figure, &seed, start);
    memcpy(pose[0], start, sizeof start);
    memcpy(pose[1], start, sizeof start);
    CHECK_INT(lb_solver_solve(t.solver, NULL, pose[0], &result[0]), LB_OK);
    CHECK_INT(solve(t.solver, figure, pose[1], &result[1]), LB_OK);
    seen->cases++;
    seen->budget += result[1].outcome == LB_OUTCOME_BUDGET;
    if (result[1].outcome == LB_OUTCOME_MINIMUM) {
        check_kuhn_tucker(t.solver, figure, pose[1], &result[1], 1e-6);
    }
    if (result[0].outcome == LB_OUTCOME_MINIMUM && result[1].outcome == LB_OUTCOME_MINIMUM) {
        double apart = 0;
        seen->both++;
        for (int i = 0; i < count; i++) {
            apart = fmax(apart, fabs(pose[0][i] - pose[1][i]));
        }
        if (apart < 1e-3) {
            seen->same++;
            CHECK_NEAR(result[1].value / result[0].value, 1, 1e-6);
        }
    }
    end(&t);
}

static void check_against_lm(void) {
    check_random random;
    tally seen = {0, 0, 0, 0};
    check_random_seed(&random, 3);
    for (int i = 0; i < 1500; i++) {
        check_note("chain %d", i);
        compare_with_lm(&random, &seen);
    }
    check_note("%s", "");
    printf("%d chains: %d minima of both, %d of them the same; %d out of budget\n", seen.cases, seen.both, seen.same,
           seen.budget);
    CHECK(seen.same >= 200);
    CHECK(seen.budget * 50 <= seen.cases);
}

/* --- The unit of length, and the two updates ----------------------------------------------------------------------- */

/* A random chain of this seed in another unit of length, all tolerances with it. Returns 0 where its limits contradict
 * each other. */
static int solve_in_unit(unsigned long long seed, double unit, lb_bfgs_update update, double *pose, lb_result *result) {
    check_random random;
    check_random_seed(&random, seed);
    int count = 3 + check_random_index(&random, 10);
    lb_figure *figure = random_chain(&random, count, unit);
    if (!figure) {
        return 0;
    }
    char site[32];
    double far = 0.3 * count, point[3];
    lb_constraint c;
    lb_solve_options options;
    snprintf(site, sizeof site, "s%d.tip", count);
    for (int i = 0; i < 3; i++) {
        point[i] = unit * check_random_range(&random, -far, far);
    }
    task t = hand_at(figure, site, point[0], point[1], point[2]);
    c = *lb_problem_constraint(t.problem, 0);
    for (int i = 0; i < 3; i++) {
        c.tolerance[i] = 1e-5 * unit;
    }
    REQUIRE(lb_problem_change(t.problem, lb_problem_constraint_id(t.problem, 0), &c) == LB_OK);
    uint64_t start = check_random_bits(&random) | 1;
    lb_figure_random_pose(figure, &start, pose);
    lb_solve_options_defaults(&options);
    double
        value; /* makes the plan, which knows how long the chain is: tolerances of short ones are finer by that squared */
    REQUIRE(lb_solver_value(t.solver, pose, &value, NULL) == LB_OK);
    double length = t.solver->space->length;
    options.gradient_tolerance = 1e-9 * unit * unit / (length * length);
    options.bfgs_update = update;
    CHECK_INT(solve_as(t.solver, figure, &options, pose, result), LB_OK);
    end(&t);
    return 1;
}

/* Iterations do not depend on the unit of length: to the last one for powers of two, which round nothing, and but for
 * the last digits for others. */
static void check_unit_of_length(void) {
    static const double units[] = {0x1p-10, 0x1p10, 1e-3, 1e-2, 0.1, 10, 100, 1e3};
    int cases = 0, off = 0;
    for (unsigned long long seed = 1; seed <= 150; seed++) {
        double pose[MOST], other[MOST];
        lb_result one, result;
        lb_result_defaults(&one);
        lb_result_defaults(&result);
        if (!solve_in_unit(seed, 1, LB_BFGS_UPDATE_SWITCH, pose, &one)) {
            continue;
        }
        for (int u = 0; u < 8; u++) {
            check_note("chain %d, unit %g", (int)seed, units[u]);
            solve_in_unit(seed, units[u], LB_BFGS_UPDATE_SWITCH, other, &result);
            if (u < 2) {
                CHECK_INT(result.outcome, one.outcome);
            }
            if (u < 2) {
                CHECK_INT(result.iterations, one.iterations);
            }
            cases++;
            off += abs(result.iterations - one.iterations) > 2;
        }
    }
    check_note("%s", "");
    printf("%d chains in other units: %d need more than 2 iterations more or less\n", cases, off);
    CHECK(cases > 600);
    CHECK(off * 50 <= cases);
}

/* Both formulas come down to a Kuhn-Tucker point, monotonically (solve_as sees to that); Zhao and Badler "found that BFGS
 * is really better". */
static void check_updates(void) {
    static const lb_bfgs_update updates[3] = {LB_BFGS_UPDATE_SWITCH, LB_BFGS_UPDATE_BFGS, LB_BFGS_UPDATE_DFP};
    int iterations[3] = {0}, ended[3] = {0}, cases = 0;
    for (unsigned long long seed = 1; seed <= 400; seed++) {
        for (int u = 0; u < 3; u++) {
            double pose[MOST];
            lb_result result;
            lb_result_defaults(&result);
            check_note("chain %d, update %d", (int)seed, u);
            if (!solve_in_unit(seed, 1, updates[u], pose, &result)) {
                break;
            }
            cases += u == 0;
            iterations[u] += result.iterations;
            ended[u] += result.outcome != LB_OUTCOME_BUDGET;
        }
    }
    check_note("%s", "");
    for (int u = 0; u < 3; u++) {
        printf("%s: %d of %d chains to the end, %.1f iterations\n",
               u == 0   ? "switch"
               : u == 1 ? "bfgs"
                        : "dfp",
               ended[u], cases, (double)iterations[u] / cases);
        CHECK(ended[u] * 50 >= cases * 49);
    }
    CHECK(iterations[0] != iterations[1] && iterations[1] != iterations[2]);
    CHECK(iterations[1] < iterations[2]);
}

/* --- What it cannot do ------------------------------------------------------------------------------------------- */

static void check_levels(void) {
    for (int together = 0; together < 2; together++) {
        task t = hand_at(arm_finish(arm_builder("R(z)", "R(z)")), "hand", 0.25, 0.2, 0);
        lb_constraint c;
        double pose[2] = {0.1, 0.4}, elbow[2] = {0.3 * cos(0.1), 0.3 * sin(0.1)};
        if (together) { /* where the elbow is when the hand is there */
            double q[2] = {0.1, 0.4};
            lb_result r;
            lb_result_defaults(&r);
            CHECK_INT(lb_solver_solve(t.solver, NULL, q, &r), LB_OK);
            elbow[0] = 0.3 * cos(q[0]);
            elbow[1] = 0.3 * sin(q[0]);
        }
        REQUIRE(lb_constraint_at(t.figure, "upper.tip", (double[]){elbow[0], elbow[1] + (together ? 0 : 0.1), 0}, &c) ==
                LB_OK);
        c.priority = 1;
        REQUIRE(lb_problem_add(t.problem, &c) >= 0);
        lb_result result;
        lb_result_defaults(&result);
        lb_status status = solve(t.solver, t.figure, pose, &result);
        CHECK_INT(status, together ? LB_OK : LB_ERROR_UNSUPPORTED);
        CHECK_INT(result.outcome, together ? LB_OUTCOME_SOLVED : LB_OUTCOME_INVALID);
        if (!together) {
            CHECK_HAS(result.explanation, "lm");
            CHECK(pose[0] == 0.1 && pose[1] == 0.4);
        }
        end(&t);
    }
}

static void check_too_large(void) {
    static char names[2003][16];
    lb_builder *b = lb_builder_create(NULL, NULL);
    REQUIRE(b != NULL);
    for (int i = 0; i <= 2001; i++) {
        snprintf(names[i], sizeof names[i], "s%d", i);
        REQUIRE(arm_segment(b, names[i], 0) == i);
        arm_site(b, i, "base", 0);
        arm_site(b, i, "tip", 0.01);
    }
    for (int i = 0; i < 2001; i++) {
        arm_joint(b, names[i], 2 * i + 1, 2 * i + 2, "R(z)");
    }
    task t = hand_at(arm_finish(b), "s2001.tip", 1, 1, 0);
    double *pose = calloc(2001, sizeof *pose);
    lb_result result;
    lb_result_defaults(&result);
    CHECK_INT(solve(t.solver, t.figure, pose, &result), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(result.explanation, "2000");
    free(pose);
    end(&t);
}

int main(void) {
    check_reach();
    check_out_of_reach();
    check_one_limit();
    check_equality();
    check_degenerate(0.5, 0.4);
    check_degenerate(0.2, 0.6);
    check_unit_of_length();
    check_updates();
    check_degenerate(0.4, 0.2);
    check_degenerate(0.1, 0.3);
    check_against_lm();
    check_levels();
    check_too_large();
    return check_done();
}
