/* Goals out of reach have many minima, some of them poor. With restarts lm ends in the best there is: on the five-joint
 * chain of Engell-Norregard 2007, with and without limits, and with both hands on a bar that is out of reach (Zhao and
 * Badler 1989, 31 dofs): as good as the best that any method finds. */
#include "check.h"
#include "model.h"

#include <math.h>
#include <string.h>

#define RESTARTS 200      /* of lm; some hands on bars have that many minima */
#define OTHER_RESTARTS 20 /* of the other methods, which take longer */
#define NEAR 1e-6         /* metres */

/* The root of G: metres, for goals that are positions. */
static double solve(const lb_problem *problem, lb_method method, int restarts, uint64_t seed, const double *start) {
    double pose[MAX_VARIABLES];
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
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

/* The best that any method finds, with restarts and without. */
static double best_of_all(const lb_problem *problem, const double *start) {
    double best = INFINITY;
    for (int method = LB_METHOD_LM; method <= LB_METHOD_JACOBIAN; method++) {
        best = fmin(best, solve(problem, (lb_method)method, 0, 1, start));
        best = fmin(best, solve(problem, (lb_method)method, OTHER_RESTARTS, 2, start));
    }
    return best;
}

/* The chain's joints: the paper says neither what they are nor what limits they have. */
static const struct {
    const char *type;
    double limit; /* of each dof, radians; 0: none */
    double cone;  /* of the swing, half its angle */
} joints[] = {
    {"R(x)*R(y)*R(z)", 0, 0}, {"R(x)*R(y)*R(z)", 0.8, 0},  {"swing_twist(z)", 0, 0.7},
    {"R(x)*R(y)", 1, 0},      {"R(x)*R(y)*R(z)", 1.57, 0},
};
#define JOINTS ((int)(sizeof joints / sizeof *joints))

static lb_figure *chain_of(const lb_figure *figure, int kind) {
    lb_builder *b = lb_builder_from(figure, NULL);
    lb_figure *changed = NULL;
    double cone[8][2];
    REQUIRE(b != NULL);
    for (int j = 0; j < lb_builder_joint_count(b); j++) {
        lb_joint joint = *lb_builder_joint(b, j);
        REQUIRE(lb_joint_type_parse(joints[kind].type, &joint.type, NULL) == LB_OK);
        for (int d = 0; d < LB_JOINT_MAX_DOFS; d++) {
            joint.dof_names[d] = NULL;
            joint.lower[d] = joints[kind].limit > 0 ? -joints[kind].limit : -INFINITY;
            joint.upper[d] = joints[kind].limit > 0 ? joints[kind].limit : INFINITY;
        }
        if (joints[kind].cone > 0) {
            lb_swing_cone(joints[kind].cone, 8, cone);
            joint.swing = (const double(*)[2])cone;
            joint.swing_count = 8;
        }
        REQUIRE(lb_builder_change_joint(b, j, &joint) == LB_OK);
    }
    REQUIRE(lb_builder_finish(b, &changed) == LB_OK);
    lb_builder_destroy(b);
    return changed;
}

/* A goal in a random direction, 26 to 45 cm from the root of a chain of 25 cm. Returns how far. */
static double random_goal(int instance, double goal[3]) {
    check_random random;
    double square;
    check_random_seed(&random, 100 + (unsigned long long)instance);
    do {
        square = 0;
        for (int k = 0; k < 3; k++) {
            goal[k] = check_random_range(&random, -1, 1);
            square += goal[k] * goal[k];
        }
    } while (square > 1 || square < 0.01);
    double far = check_random_range(&random, 0.26, 0.45);
    for (int k = 0; k < 3; k++) {
        goal[k] *= far / sqrt(square);
    }
    return far;
}

/* Every second one from the rest pose. */
static void chains(void) {
    model m = open_model("en07-chain", NULL);
    tally t = {0, 0, 0, 0, 0};
    for (int i = 0; i < check_count(20, 96) / (check_is_sanitized() ? 2 : 1); i++) {
        double goal[3], start[MAX_VARIABLES], far = random_goal(i, goal);
        uint64_t seed = 2007 + (uint64_t)i;
        lb_constraint c;
        lb_figure *figure = chain_of(m.figure, i % JOINTS);
        lb_figure_random_pose(figure, &seed, start);
        if (i / JOINTS % 2) {
            lb_figure_rest_pose(figure, start);
        }
        REQUIRE(lb_constraint_at(figure, "end", goal, &c) == LB_OK);
        lb_problem *problem = lb_problem_create(figure, NULL);
        REQUIRE(problem && lb_problem_add(problem, &c) > 0);
        double best = i % JOINTS ? best_of_all(problem, start) : far - 0.25; /* without limits: the straight line */
        add(&t, solve(problem, LB_METHOD_LM, RESTARTS, 1, start), solve(problem, LB_METHOD_LM, 0, 1, start), best);
        lb_problem_destroy(problem);
        lb_figure_destroy(figure);
    }
    tell(&t, "five-joint chain");
    close_model(&m);
}

/* A bar somewhere ahead, turned by up to 20 degrees. */
static lb_problem *bar(const model *m, int instance) {
    lb_problem *problem = lb_problem_create(m->figure, NULL);
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
    for (int i = 0; i < check_count(12, 96) / (check_is_sanitized() ? 4 : 1); i++) {
        lb_problem *problem = bar(&m, i);
        add(&t, solve(problem, LB_METHOD_LM, RESTARTS, 1, m.pose), solve(problem, LB_METHOD_LM, 0, 1, m.pose),
            best_of_all(problem, m.pose));
        lb_problem_destroy(problem);
    }
    tell(&t, "bar, 31 dofs");
    close_model(&m);
}

int main(void) {
    chains();
    bars();
    return check_done();
}
