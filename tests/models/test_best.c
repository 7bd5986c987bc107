/* Goals out of reach have many minima, some of them poor. With restarts lm ends in the best there is: on the five-joint
 * chain of Engell-Norregard 2007, where that is the straight line to the goal, and with both hands on a bar that is out
 * of reach (Zhao and Badler 1989, 31 dofs), where it is the best that any method finds. */
#include "check.h"
#include "model.h"

#include <math.h>
#include <string.h>

#define RESTARTS 20
#define NEAR 1e-6 /* metres */

/* The root of G: metres, for goals that are positions. */
static double solve(const lb_problem *problem, lb_method method, int restarts, uint64_t seed, const double *start) {
    double pose[MAX_VARIABLES];
    lb_solve_options options;
    lb_result result;
    lb_solve_options_defaults(&options);
    options.method = method;
    options.restarts = restarts;
    options.seed = seed;
    memcpy(pose, start, (size_t)lb_problem_variable_count(problem) * sizeof *pose);
    if (!CHECK(lb_solve(problem, &options, pose, &result) == LB_OK)) {
        return INFINITY;
    }
    return sqrt(result.value);
}

/* What is left, and by how much; tells how many were off. */
typedef struct tally {
    int count, poor, poor_alone;
    double above, above_alone;
} tally;

static void add(tally *t, double found, double alone, double best) {
    t->count++;
    t->poor += found > best + NEAR;
    t->poor_alone += alone > best + NEAR;
    t->above = fmax(t->above, found - best);
    t->above_alone = fmax(t->above_alone, alone - best);
}

static void tell(const tally *t, const char *name) {
    printf("%s: %d of %d above the best, by at most %.3f mm; without restarts %d, by at most %.3f mm\n", name, t->poor,
           t->count, 1e3 * t->above, t->poor_alone, 1e3 * t->above_alone);
    check_note("%s: these of %d end above the best, by up to %.3f mm", name, t->count, 1e3 * t->above);
    CHECK_INT(t->poor, 0);
    check_note("%s", "");
}

/* Goals all around, 27 to 45 cm from the root of a chain of 25 cm; every second one from the rest pose. */
static void chain(void) {
    model m = open_model("en07-chain", NULL);
    uint64_t seed = 2007;
    tally t = {0, 0, 0, 0, 0};
    for (int i = 0; i < check_count(12, 96); i++) {
        check_random random;
        double goal[3], length = 0;
        lb_constraint c;
        check_random_seed(&random, 100 + (unsigned long long)i);
        do {
            length = 0;
            for (int k = 0; k < 3; k++) {
                goal[k] = check_random_range(&random, -1, 1);
                length += goal[k] * goal[k];
            }
        } while (length > 1 || length < 0.01);
        double far = check_random_range(&random, 0.27, 0.45);
        for (int k = 0; k < 3; k++) {
            goal[k] *= far / sqrt(length);
        }
        lb_figure_random_pose(m.figure, &seed, m.pose);
        if (i % 2) {
            lb_figure_rest_pose(m.figure, m.pose);
        }
        REQUIRE(lb_constraint_at(m.figure, "end", goal, &c) == LB_OK);
        lb_problem *problem = lb_problem_create(m.figure);
        REQUIRE(problem && lb_problem_add(problem, &c) > 0);
        double alone = solve(problem, LB_METHOD_LM, 0, 1, m.pose),
               found = solve(problem, LB_METHOD_LM, RESTARTS, 1, m.pose);
        add(&t, found, alone, far - 0.25);
        lb_problem_destroy(problem);
    }
    tell(&t, "five-joint chain");
    close_model(&m);
}

/* A bar somewhere ahead, turned by up to 20 degrees. */
static lb_problem *bar(const model *m, int instance) {
    lb_problem *problem = lb_problem_create(m->figure);
    int from = lb_figure_find_joint(m->figure, "L5");
    check_random random;
    REQUIRE(problem && from >= 0);
    check_random_seed(&random, 1 + (unsigned long long)instance);
    double yaw = DEG * check_random_range(&random, -20, 20), y = check_random_range(&random, -0.25, 0.25),
           z = check_random_range(&random, 0.5, 1.2), x = check_random_range(&random, 1.0, 1.25);
    for (int v = 0; v < lb_problem_variable_count(problem); v++) {
        if (lb_figure_variable(m->figure, v)->name[0] == 'T') {
            REQUIRE(lb_problem_set_active(problem, v, 0) == LB_OK);
        }
    }
    for (int side = -1; side <= 1; side += 2) {
        lb_constraint c;
        const double at[3] = {x - 0.22 * side * sin(yaw), y + 0.22 * side * cos(yaw), z};
        REQUIRE(lb_constraint_at(m->figure, side < 0 ? "right_fingertip" : "left_fingertip", at, &c) == LB_OK);
        c.chain_start = from;
        REQUIRE(lb_problem_add(problem, &c) >= 0);
    }
    return problem;
}

static void bars(void) {
    model m = open_model("human-spine-free", NULL);
    tally t = {0, 0, 0, 0, 0};
    for (int i = 0; i < check_count(12, 96); i++) {
        lb_problem *problem = bar(&m, i);
        double alone = solve(problem, LB_METHOD_LM, 0, 1, m.pose),
               found = solve(problem, LB_METHOD_LM, RESTARTS, 1, m.pose);
        double best = fmin(alone, found);
        for (int method = 0; method <= LB_METHOD_JACOBIAN; method++) {
            best = fmin(best, solve(problem, (lb_method)method, 0, 1, m.pose));
        }
        best = fmin(best, solve(problem, LB_METHOD_BFGS, RESTARTS, 2, m.pose));
        best = fmin(best, solve(problem, LB_METHOD_LM, 3 * RESTARTS, 3, m.pose));
        add(&t, found, alone, best);
        lb_problem_destroy(problem);
    }
    tell(&t, "bar, 31 dofs");
    close_model(&m);
}

int main(void) {
    chain();
    bars();
    return check_done();
}
