/* The classic methods - ccd, the four Jacobians, fabrik - on problems whose answers are known. */
#include <limber/io.h>
#include <limber/solve.h>

#include <math.h>
#include <string.h>

#include "arm.h"

#define MOST 128
#define DEGREE (3.14159265358979323846 / 180)

typedef struct way {
    const char *name;
    lb_method method;
    lb_jacobian_variant variant;
} way;

enum { CCD, TRANSPOSE, PSEUDO, DAMPED, SVD, FABRIK, WAYS };
static const way ways[WAYS] = {{"ccd", LB_METHOD_CCD, LB_JACOBIAN_VARIANT_DAMPED},
                               {"transpose", LB_METHOD_JACOBIAN, LB_JACOBIAN_VARIANT_TRANSPOSE},
                               {"pseudo-inverse", LB_METHOD_JACOBIAN, LB_JACOBIAN_VARIANT_PSEUDO_INVERSE},
                               {"damped", LB_METHOD_JACOBIAN, LB_JACOBIAN_VARIANT_DAMPED},
                               {"svd-damped", LB_METHOD_JACOBIAN, LB_JACOBIAN_VARIANT_SVD_DAMPED},
                               {"fabrik", LB_METHOD_FABRIK, LB_JACOBIAN_VARIANT_DAMPED}};

/* --- Solving with everything watched ------------------------------------------------------------------------- */

typedef struct watcher {
    const lb_figure *figure;
    double least, violation;
    double last, rise; /* the largest from one iteration to the next, relative */
    int calls, site;
    lb_kinematics *kinematics;
    double path[32][3]; /* of the site */
} watcher;

static int watch(void *context, const lb_progress *progress) {
    watcher *w = context;
    double violation = lb_figure_violation(w->figure, progress->pose);
    if (!(violation <= w->violation)) {
        w->violation = violation;
    }
    if (progress->value < w->least) {
        w->least = progress->value;
    }
    if (w->calls && (progress->value - w->last) / w->last > w->rise) {
        w->rise = (progress->value - w->last) / w->last;
    }
    w->last = progress->value;
    if (w->kinematics && w->calls < 32) {
        lb_frame frame;
        lb_kinematics_update(w->kinematics, progress->pose);
        lb_kinematics_site(w->kinematics, w->site, &frame);
        memcpy(w->path[w->calls], frame.position, sizeof frame.position);
    }
    w->calls++;
    return 0;
}

typedef struct solving {
    lb_solve_options options;
    lb_result result;
    double pose[MOST];
    watcher watcher;
    double distance; /* of the worst constraint */
} solving;

static void solving_by(solving *s, int way_number) {
    memset(s, 0, sizeof *s);
    lb_result_defaults(&s->result);
    lb_solve_options_defaults(&s->options);
    s->options.method = ways[way_number].method;
    s->options.jacobian = ways[way_number].variant;
    check_note("%s", ways[way_number].name);
}

/* Solves from `start`, twice, and checks what every method promises. Returns the first solve's status. */
static lb_status solve(solving *s, const lb_problem *problem, const double *start) {
    const lb_figure *figure = lb_problem_figure(problem, 0);
    size_t size = (size_t)lb_problem_variable_count(problem) * sizeof(double);
    REQUIRE(size <= sizeof s->pose);
    memcpy(s->pose, start, size);
    s->watcher.figure = figure;
    s->watcher.least = INFINITY;
    s->options.on_iteration = watch;
    s->options.on_iteration_context = &s->watcher;
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(solver != NULL);
    lb_status status = lb_solver_solve(solver, &s->options, s->pose, &s->result);
    s->distance = 0;
    for (int i = 0; !status && i < s->result.constraint_count; i++) {
        if (s->result.constraints[i].distance > s->distance) {
            s->distance = s->result.constraints[i].distance;
        }
    }
    if (!status) {
        CHECK(s->result.value <= s->result.value_before);
        CHECK(s->watcher.calls == 0 || s->result.value <= s->watcher.least * (1 + 1e-13) +
                                                              1e-20); /* the best on the way comes back, less turns */
        CHECK(s->watcher.violation <= 1e-9);
        CHECK(s->options.method != LB_METHOD_CCD ||
              s->watcher.rise <= 1e-12); /* each move is the best of its variable */
        CHECK(lb_figure_violation(figure, s->pose) <= 1e-9);
        CHECK(s->result.outcome != LB_OUTCOME_MINIMUM || s->result.gradient_norm <= 1e-9);
        CHECK(s->result.iterations <= s->options.max_iterations);
        CHECK_INT(s->watcher.calls, s->result.iterations ? s->result.iterations : 1);
    }
    lb_solve_options options = s->options;
    lb_result again;
    double pose[MOST];
    lb_result_defaults(&again);
    memcpy(pose, start, size);
    options.on_iteration = NULL;
    CHECK_INT(lb_solve(problem, &options, pose, &again), status);
    CHECK(memcmp(pose, s->pose, size) == 0);
    CHECK(status || again.value == s->result.value);
    lb_solver_destroy(solver);
    return status;
}

static int add_at(lb_problem *problem, const char *site, double x, double y, double z) {
    lb_constraint c;
    REQUIRE(lb_constraint_at(lb_problem_figure(problem, 0), site, (double[]){x, y, z}, &c) == LB_OK);
    int id = lb_problem_add(problem, &c);
    REQUIRE(id >= 0);
    return id;
}

static lb_figure *load(const char *name) {
    char path[1024], relative[128];
    lb_figure *figure = NULL;
    lb_error error;
    snprintf(relative, sizeof relative, "models/%s", name);
    REQUIRE(check_source(relative, path, sizeof path));
    if (lb_figure_load(path, NULL, &figure, &error)) {
        check_note("%s", error.message);
    }
    REQUIRE(figure != NULL);
    return figure;
}

/* --- EN07's chain and tree ----------------------------------------------------------------------------------- */

static void test_chain(void) {
    lb_figure *figure = load("en07-chain.fig");
    double rest[MOST];
    lb_figure_rest_pose(figure, rest);
    for (int w = 0; w < WAYS; w++) {
        solving s;
        lb_problem *problem = lb_problem_create(figure, NULL);
        int id = add_at(problem, "end", 0.12, 0.05, 0.1);
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
        CHECK(s.distance <= 1.8e-5);
        CHECK(s.result.iterations <= (w == TRANSPOSE ? 60 : w == CCD ? 15 : 8));

        /* out of reach: at best the chain points at the goal, sqrt(2) 25 cm away, with its 25 cm */
        lb_problem_remove(problem, id);
        add_at(problem, "end", 0.25, 0, 0.25);
        double optimum = 0.25 * (sqrt(2) - 1);
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        CHECK(s.result.outcome != LB_OUTCOME_SOLVED);
        CHECK(s.distance >= optimum - 1e-12);
        if (w != PSEUDO && w != SVD) {
            CHECK_NEAR(s.distance, optimum, 1e-6);
        } else {
            CHECK(s.distance < 0.15 && s.result.outcome == LB_OUTCOME_BUDGET); /* these oscillate, as in EN07 */
        }
        if (w == DAMPED || w == FABRIK) {
            CHECK_INT(s.result.outcome, LB_OUTCOME_MINIMUM);
        }
        lb_problem_destroy(problem);
    }
    lb_figure_destroy(figure);
}

/* A straight chain, and the goal on its own axis: no first derivative tells where to go. */
static void test_chain_on_its_axis(void) {
    lb_figure *figure = load("en07-chain.fig");
    double rest[MOST];
    lb_figure_rest_pose(figure, rest);
    for (int w = 0; w < WAYS; w++) {
        solving s;
        lb_problem *problem = lb_problem_create(figure, NULL);
        int id = add_at(problem, "end", 0, 0, 0.12);
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
        lb_problem_remove(problem, id);
        id = add_at(problem, "end", 0, 0, 0.32); /* stretched already: there it is true */
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        CHECK_INT(s.result.outcome, LB_OUTCOME_MINIMUM);
        CHECK_NEAR(s.distance, 0.07, 1e-12);
        lb_problem_remove(problem, id);
        add_at(problem, "end", 0, 0, -0.32); /* and here, with the goal behind it, it is as far from true as can be */
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        CHECK(s.result.outcome != LB_OUTCOME_MINIMUM || fabs(s.distance - 0.07) < 1e-6);
        CHECK(s.distance < 0.5);
        lb_problem_destroy(problem);
    }
    lb_figure_destroy(figure);
}

static void test_tree(void) {
    static const char *const ends[5] = {"end2", "end3", "end4", "end5", "end6"};
    lb_figure *figure = load("en07-tree.fig");
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    double rest[MOST], target[MOST];
    uint64_t seed = 7;
    lb_figure_rest_pose(figure, rest);
    lb_figure_random_pose(figure, &seed, target);
    lb_kinematics_update(kinematics, target);
    lb_problem *problem = lb_problem_create(figure, NULL);
    for (int i = 0; i < 5; i++) {
        lb_frame frame;
        lb_kinematics_site(kinematics, lb_figure_find_site(figure, ends[i]), &frame);
        add_at(problem, ends[i], frame.position[0], frame.position[1], frame.position[2]);
    }
    for (int w = 0; w < WAYS; w++) {
        solving s;
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        if (w != TRANSPOSE) {
            CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
        }
        CHECK(s.distance < (w == TRANSPOSE ? 5e-3 : 2e-5));
    }
    lb_problem_destroy(problem);

    problem = lb_problem_create(figure,
                                NULL); /* more than it can: all within a little of the best that the damped one finds */
    add_at(problem, "end2", 0.1, 0.1, 0.1);
    add_at(problem, "end3", -0.1, 0.1, 0.1);
    add_at(problem, "end4", 0.1, -0.1, 0.2);
    add_at(problem, "end5", -0.2, -0.2, 0.1);
    add_at(problem, "end6", 0.1, 0.3, 0.1);
    static const double worse[WAYS] = {1.0001, 1.02, 2, 1.0001, 1.2, 1.1};
    for (int w = 0; w < WAYS; w++) {
        solving s;
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        CHECK(s.result.outcome != LB_OUTCOME_SOLVED);
        CHECK(s.result.value < worse[w] * 0.0270840925);
        CHECK(s.result.value > 0.99999 * 0.0270840925);
    }
    lb_problem_destroy(problem);
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
}

/* --- Planar arms --------------------------------------------------------------------------------------------- */

static void test_planar_arm(void) {
    lb_figure *figure = arm_finish(arm_builder("R(z)", "R(z)"));
    double start[2] = {0.2, 0.4}, x = 0.1, y = 0.35;
    double elbow = acos((x * x + y * y - 0.3 * 0.3 - 0.2 * 0.2) / (2 * 0.3 * 0.2));
    double shoulder = atan2(y, x) - atan2(0.2 * sin(elbow), 0.3 + 0.2 * cos(elbow));
    lb_problem *problem = lb_problem_create(figure, NULL);
    add_at(problem, "hand", x, y, 0);
    for (int w = 0; w < WAYS; w++) {
        solving s;
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, start), LB_OK);
        CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
        CHECK_NEAR(s.pose[0], shoulder, 2e-4);
        CHECK_NEAR(s.pose[1], elbow, 2e-4);
    }
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* An elbow that stops at 30 degrees cannot fold to the goal: the answer is at the stop, with the hand on the line to
 * the goal. */
static void test_limit(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    lb_joint elbow = *lb_builder_joint(b, 1);
    elbow.lower[0] = 0;
    elbow.upper[0] = 30 * DEGREE;
    REQUIRE(lb_builder_change_joint(b, 1, &elbow) == LB_OK);
    lb_figure *figure = arm_finish(b);
    double start[2] = {0.3, 0.1}, length = sqrt(0.3 * 0.3 + 0.2 * 0.2 + 2 * 0.3 * 0.2 * cos(30 * DEGREE));
    lb_problem *problem = lb_problem_create(figure, NULL);
    add_at(problem, "hand", 0.2, 0.2, 0);
    for (int w = 0; w < WAYS; w++) {
        solving s;
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, start), LB_OK);
        CHECK(s.result.outcome != LB_OUTCOME_SOLVED);
        CHECK_NEAR(s.pose[1], 30 * DEGREE, 1e-9);
        CHECK_NEAR(s.distance, length - sqrt(0.08), 1e-6);
        if (w == CCD || w == DAMPED) {
            CHECK_HAS(s.result.explanation, "elbow at its upper limit (30 deg)");
        }
    }
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* True balls and free rotations, forwards and, rooted at the hand, backwards. */
static void test_balls(void) {
    static const char *const types[3] = {"swing_twist(x)", "rotation", "swing_twist(z)*T(x)"};
    for (int i = 0; i < 6; i++) {
        lb_builder *b = arm_builder(types[i % 3], i % 2 ? "rotation" : "R(z)*R(y)");
        lb_root root;
        lb_root_defaults(&root);
        root.segment = i < 3 ? 0 : 2;
        REQUIRE(lb_builder_set_root(b, &root) == LB_OK);
        lb_figure *figure = arm_finish(b);
        double start[8] = {0.3, -0.2, 0.4, 0.1, 0.2, 0.3, 0, 0};
        lb_problem *problem = lb_problem_create(figure, NULL);
        lb_constraint c;
        REQUIRE(lb_constraint_at(figure, i < 3 ? "hand" : "shoulder", (double[]){0.15, -0.2, 0.1}, &c) == LB_OK);
        c.goal.kind = LB_GOAL_FRAME;
        c.goal.x[0] = 0.6, c.goal.x[1] = 0.8, c.goal.x[2] = 0;
        c.goal.y[0] = 0, c.goal.y[1] = 0, c.goal.y[2] = 1;
        REQUIRE(lb_problem_add(problem, &c) >= 0);
        double least = 0;
        for (int w = DAMPED; w >= CCD; w -= DAMPED - CCD) { /* both ways, down to the same */
            solving s;
            solving_by(&s, w);
            check_note("%s, case %d", ways[w].name, i);
            CHECK_INT(solve(&s, problem, start), LB_OK);
            CHECK(s.result.value < 0.5 * s.result.value_before);
            if (w == DAMPED) {
                least = s.result.value;
            } else {
                CHECK(s.result.value < 1.05 * least + 1e-6);
            }
        }
        lb_problem_destroy(problem);
        lb_figure_destroy(figure);
    }
}

/* A limit over two joints, shoulder = elbow: neither can move alone. */
static void test_coupling(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    const lb_dof_ref terms[2] = {{0, 0, -1}, {1, 0, -1}};
    const double coefficients[2] = {1, -1};
    lb_limit limit;
    lb_limit_defaults(&limit);
    limit.name = "together";
    limit.kind = LB_LIMIT_EQUAL;
    limit.count = 2;
    limit.terms = terms;
    limit.coefficients = coefficients;
    REQUIRE(lb_builder_add_limit(b, &limit) >= 0);
    lb_figure *figure = arm_finish(b);
    double start[2] = {0.1, 0.1};
    lb_problem *problem = lb_problem_create(figure, NULL);
    add_at(problem, "hand", 0.3 * cos(0.7) + 0.2 * cos(1.4), 0.3 * sin(0.7) + 0.2 * sin(1.4), 0);
    for (int w = 0; w < FABRIK; w++) { /* fabrik stays: it turns joints one by one */
        solving s;
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, start), LB_OK);
        CHECK_NEAR(s.pose[0], 0.7, 1e-3);
        CHECK_NEAR(s.pose[1], s.pose[0], 1e-9);
        CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
    }
    solving s;
    solving_by(&s, FABRIK);
    CHECK_INT(solve(&s, problem, start), LB_OK);
    CHECK_INT(s.result.outcome, LB_OUTCOME_BUDGET);
    CHECK(s.pose[0] == 0.1 && s.pose[1] == 0.1);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* --- One coordinate, exactly --------------------------------------------------------------------------------- */

static void test_exact_moves(void) {
    lb_figure *figure = arm_finish(arm_builder("R(z)", "fixed"));
    static const struct {
        lb_goal_kind kind;
        double point[3], normal[3], start, answer;
    } cases[] = {
        {LB_GOAL_POSITION,
         {0.3, 0.7, 0.4},
         {0, 0, 1},
         -3,
         -5.11728076666977}, /* atan2(0.7, 0.3) less a turn: the short way */
        {LB_GOAL_PLANE, {0.25, 0, 0}, {1, 0, 0}, 0.2, 1.04719755119660}, /* 0.5 cos = 0.25 */
        {LB_GOAL_PLANE, {0.25, 0, 0}, {1, 0, 0}, -0.2, -1.04719755119660},
        {LB_GOAL_LINE, {0.1, 0.3, 5}, {0, 0, 1}, 0.2, 1.24904577239825},       /* atan2(0.3, 0.1): the nearest to it */
        {LB_GOAL_LINE, {0, 0.25, 0}, {1, 0, 0}, 0.2, 0.52359877559830},        /* 0.5 sin = 0.25 */
        {LB_GOAL_HALF_SPACE, {0.25, 0, 0}, {-1, 0, 0}, 0.2, 1.04719755119660}, /* searched: any angle beyond will do */
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        lb_problem *problem = lb_problem_create(figure, NULL);
        lb_constraint c;
        REQUIRE(lb_constraint_at(figure, "hand", cases[i].point, &c) == LB_OK);
        c.goal.kind = cases[i].kind;
        memcpy(c.goal.normal, cases[i].normal, sizeof c.goal.normal);
        REQUIRE(lb_problem_add(problem, &c) >= 0);
        solving s;
        solving_by(&s, CCD);
        check_note("case %d", i);
        s.options.max_iterations = 1;
        CHECK_INT(solve(&s, problem, &cases[i].start), LB_OK);
        if (cases[i].kind == LB_GOAL_HALF_SPACE) {
            CHECK(s.pose[0] >= cases[i].answer - 1e-4);
        } else {
            CHECK_NEAR(s.pose[0], cases[i].answer, 1e-7);
        }
        if (cases[i].kind == LB_GOAL_POSITION) {
            CHECK_INT(s.result.outcome, LB_OUTCOME_MINIMUM);
        }
        lb_problem_destroy(problem);
    }
    lb_figure_destroy(figure);
}

/* Three slides: G is a sum of squares of the variables, one sweep or one step is enough. */
static void test_translations(void) {
    lb_figure *figure = arm_finish(arm_builder("T(x)*T(y)*T(z)", "R(z)"));
    double start[4] = {0.1, 0.2, 0.3, 0};
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_problem_set_active(problem, 3, 0);
    add_at(problem, "hand", 3, -2, 1);
    for (int w = 0; w < FABRIK; w++) {
        solving s;
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, start), LB_OK);
        CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
        CHECK(s.result.iterations <= (w == DAMPED ? 20 : 1));
        CHECK_NEAR(s.pose[0], 2.5, 2e-5);
        CHECK_NEAR(s.pose[1], -2, 2e-5);
        CHECK_NEAR(s.pose[2], 1, 2e-5);
    }
    solving s; /* fabrik leaves translations as they are, and says that it did not get there */
    solving_by(&s, FABRIK);
    lb_problem_set_active(problem, 3, 1);
    CHECK_INT(solve(&s, problem, start), LB_OK);
    CHECK_INT(s.result.outcome, LB_OUTCOME_BUDGET);
    CHECK(s.pose[0] == start[0] && s.pose[1] == start[1] && s.pose[2] == start[2]);
    CHECK_NEAR(s.pose[3], atan2(-2.2, 2.6), 1e-9);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* --- What jacobian can do besides ---------------------------------------------------------------------------- */

/* With subgoals the hand goes straight; without, its first step goes astray. */
static void test_subgoals(void) {
    lb_figure *figure = arm_finish(arm_builder("R(z)", "R(z)"));
    double start[2] = {-1, 2}, straying[2] = {0, 0};
    lb_problem *problem = lb_problem_create(figure, NULL);
    add_at(problem, "hand", 0.05, 0.4, 0);
    for (int with = 0; with < 2; with++) {
        solving s;
        solving_by(&s, PSEUDO);
        s.options.subgoals = with ? 20 : 1;
        s.watcher.kinematics = lb_kinematics_create(figure, NULL);
        s.watcher.site = lb_figure_find_site(figure, "hand");
        lb_frame from;
        lb_kinematics_update(s.watcher.kinematics, start);
        lb_kinematics_site(s.watcher.kinematics, s.watcher.site, &from);
        CHECK_INT(solve(&s, problem, start), LB_OK);
        CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
        if (with) {
            CHECK(s.result.iterations >= 20);
        }
        double x = 0.05 - from.position[0], y = 0.4 - from.position[1], length = sqrt(x * x + y * y);
        for (int i = 0; i < s.watcher.calls && i < 32; i++) {
            double off =
                fabs((s.watcher.path[i][0] - from.position[0]) * y - (s.watcher.path[i][1] - from.position[1]) * x) /
                length;
            if (off > straying[with]) {
                straying[with] = off;
            }
        }
        lb_kinematics_destroy(s.watcher.kinematics);
    }
    CHECK(straying[1] < 0.01);
    CHECK(straying[0] > 5 * straying[1]);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* A chain with more joints than it needs ends nearer to its preferred angles when it is pulled there. */
static void test_preferred(void) {
    lb_figure *figure = load("chain10.fig");
    int n = lb_figure_variable_count(figure);
    double start[MOST], rest[MOST], goal[3], apart[2];
    uint64_t seed = 5;
    lb_figure_rest_pose(figure, rest);
    lb_figure_random_pose(figure, &seed, start);
    for (int i = 0; i < n; i++) {
        start[i] *= 0.3;
    }
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    lb_effector effector;
    double e[9];
    for (int i = 0; i < n; i++) {
        rest[i] += 0.15;
    }
    lb_effector_from_segment(figure, lb_figure_segment_count(figure) - 1, &effector);
    lb_kinematics_update(kinematics, rest);
    lb_kinematics_effector(kinematics, &effector, e);
    memcpy(goal, e, sizeof goal);
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_constraint c;
    lb_constraint_defaults(&c);
    c.effector = effector;
    memcpy(c.goal.point, goal, sizeof goal);
    REQUIRE(lb_problem_add(problem, &c) >= 0);
    REQUIRE(lb_problem_set_posture(problem, rest, 0) == LB_OK);
    for (int w = TRANSPOSE; w <= SVD; w++) {
        for (int with = 0; with < 2; with++) {
            solving s;
            solving_by(&s, w);
            s.options.preferred = with ? 0.3 : 0;
            CHECK_INT(solve(&s, problem, start), LB_OK);
            CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
            apart[with] = 0;
            for (int i = 0; i < n; i++) {
                apart[with] += (s.pose[i] - rest[i]) * (s.pose[i] - rest[i]);
            }
        }
        CHECK(apart[1] < 0.7 * apart[0]);
    }
    lb_problem_destroy(problem);
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
}

/* --- By axis ------------------------------------------------------------------------------------------------- */

/* EN07 2.2: one joint of three turns, alone, goes straight onto the ray to the goal by the least rotation, whatever its
 * axes; then the link lies along the goal's direction after one sweep. */
static void test_axis_of_one_joint(void) {
    static const char *const types[] = {"R(x)*R(y)*R(z)", "R(z)*R(x)*R(z)", "R(-y)*R(-x)*R(z)", "R(y)*R(z)"};
    check_random random;
    check_random_seed(&random, 8);
    for (int k = 0; k < 200; k++) {
        lb_figure *figure = arm_finish(arm_builder(types[k % 4], "fixed"));
        lb_problem *problem = lb_problem_create(figure, NULL);
        double start[3], goal[3];
        for (int i = 0; i < 3; i++) {
            start[i] = check_random_range(&random, -1, 1);
            goal[i] = check_random_range(&random, -1, 1);
        }
        double size = sqrt(goal[0] * goal[0] + goal[1] * goal[1] + goal[2] * goal[2]);
        add_at(problem, "hand", goal[0], goal[1], goal[2]);
        solving s;
        solving_by(&s, CCD);
        s.options.ccd = LB_CCD_VARIANT_AXIS;
        s.options.max_iterations = 1;
        check_note("by axis, %s, case %d", types[k % 4], k);
        CHECK_INT(solve(&s, problem, start), LB_OK);
        if (size > 0.1 && k % 4 < 3) {
            CHECK_NEAR(sqrt(s.result.value), fabs(size - 0.5), 1e-9);
        }
        lb_problem_destroy(problem);
        lb_figure_destroy(figure);
    }
}

/* EN07's chain, in and out of reach: by axis gets where by dof does. */
static void test_axis_of_a_chain(void) {
    static const double goals[3][3] = {{0.12, 0.05, 0.08}, {-0.1, 0.1, 0.1}, {0.2272, 0, 0.1458}};
    lb_figure *figure = load("en07-chain.fig");
    double start[MOST] = {0};
    for (int g = 0; g < 3; g++) {
        lb_problem *problem = lb_problem_create(figure, NULL);
        int sweeps[2];
        add_at(problem, "end", goals[g][0], goals[g][1], goals[g][2]);
        for (int by = 0; by < 2; by++) {
            solving s;
            solving_by(&s, CCD);
            s.options.ccd = by ? LB_CCD_VARIANT_AXIS : LB_CCD_VARIANT_DOF;
            s.options.max_iterations = 1000;
            check_note("goal %d, %s", g, by ? "by axis" : "by dof");
            CHECK_INT(solve(&s, problem, start), LB_OK);
            if (g < 2) {
                CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
            } else {
                CHECK(sqrt(s.result.value) < 0.0215); /* 0.02 is the least */
            }
            sweeps[by] = s.result.iterations;
        }
        if (g < 2) {
            CHECK(sweeps[0] != sweeps[1]); /* out of reach neither ends before its budget */
        }
        lb_problem_destroy(problem);
    }
    lb_figure_destroy(figure);
}

/* --- The human figure: groups, true balls in polygons, gaze, orientation ------------------------------------- */

static void test_human(void) {
    lb_figure *figure = load("human.fig");
    double rest[MOST];
    lb_constraint c;
    lb_figure_rest_pose(figure, rest);
    lb_problem *problem = lb_problem_create(figure, NULL);
    add_at(problem, "right_palm", 0.4, -0.2, 1.2);
    REQUIRE(lb_constraint_aim(figure, "gaze", (double[]){0.4, -0.2, 1.2}, &c) == LB_OK);
    REQUIRE(lb_problem_add(problem, &c) >= 0);
    REQUIRE(lb_constraint_keep(figure, "left_palm", rest, &c) == LB_OK);
    REQUIRE(lb_problem_add(problem, &c) >= 0);
    for (int w = 0; w < FABRIK; w++) {
        solving s;
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        if (w != TRANSPOSE) {
            CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
        }
        if (w == PSEUDO) {
            CHECK(s.result.iterations <= 12); /* 17 if steps leave the shoulders' polygons and are moved back */
        }
        CHECK(s.distance < 1e-4);
    }
    /* with wishes in the goals' sum there is nothing exact to land on: all that converge agree on the minimum */
    REQUIRE(lb_problem_set_stay(problem, 1e-3) == LB_OK);
    REQUIRE(lb_problem_set_wish_level(problem, LB_WISH_LEVEL_GOALS) == LB_OK);
    double least = INFINITY;
    for (int w = 0; w < FABRIK; w++) {
        solving s;
        solving_by(&s, w);
        if (w == CCD) {
            s.options.max_iterations = 20;
        }
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        CHECK(s.result.value < 0.05 * s.result.value_before);
        if (w == DAMPED) {
            least = s.result.value;
        }
        if (w == SVD) {
            CHECK(s.result.value < 1.5 * least);
        }
    }
    lb_problem_destroy(problem);

    figure = (lb_figure_destroy(figure), load("en07-human.fig"));
    lb_figure_rest_pose(figure, rest);
    problem = lb_problem_create(figure, NULL);
    add_at(problem, "right_palm", 0.4, -0.2, 1.2);
    add_at(problem, "left_palm", 0.3, 0.3, 1);
    for (int w = 0; w < WAYS; w++) { /* hinges in the middle of both arms: fabrik too */
        solving s;
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
        if (w == FABRIK) {
            CHECK(s.result.iterations <= 5); /* upper arms twist to turn the hinges to the hands */
        }
    }
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* The rest of what G can be: alternatives, a goal on another segment, the centre of mass. */
static void test_other_goals(void) {
    lb_figure *figure = load("en07-human.fig");
    double rest[MOST];
    lb_constraint c;
    lb_figure_rest_pose(figure, rest);
    lb_problem *problem = lb_problem_create(figure, NULL);
    for (int i = 0; i < 2; i++) {
        REQUIRE(lb_constraint_at(figure, "right_palm", (double[]){0.4, i ? -0.3 : 3, 1.1}, &c) == LB_OK);
        c.any_of = 1;
        REQUIRE(lb_problem_add(problem, &c) >= 0);
    }
    REQUIRE(lb_constraint_at(figure, "left_palm", (double[]){0.12, 0, -0.1}, &c) == LB_OK);
    c.goal.carrier_segment = lb_figure_find_segment(figure, "right_forearm");
    REQUIRE(lb_problem_add(problem, &c) >= 0);
    for (int w = 0; w < FABRIK; w++) {
        solving s;
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
    }
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);

    figure = arm_finish(
        arm_builder("R(z)", "R(z)")); /* upper 2 kg at its joint, lower 1 kg at its own: the centre at 0.1 m */
    double start[2] = {0.3, 0.1};
    problem = lb_problem_create(figure, NULL);
    lb_constraint_defaults(&c);
    lb_effector_from_com(&c.effector);
    c.goal.point[1] = 0.1;
    REQUIRE(lb_problem_add(problem, &c) >= 0);
    for (int w = 0; w < FABRIK; w++) {
        solving s;
        solving_by(&s, w);
        CHECK_INT(solve(&s, problem, start), LB_OK);
        CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
        CHECK_NEAR(s.pose[0], 90 * DEGREE, 2e-4);
    }
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* --- What they cannot do ------------------------------------------------------------------------------------- */

static void refused(const lb_problem *problem, const double *start, int w, const char *why) {
    solving s;
    solving_by(&s, w);
    CHECK_INT(solve(&s, problem, start), LB_ERROR_UNSUPPORTED);
    CHECK_INT(s.result.outcome, LB_OUTCOME_INVALID);
    CHECK_HAS(s.result.explanation, why);
    CHECK_HAS(s.result.explanation, "lm");
    CHECK(memcmp(s.pose, start, (size_t)lb_problem_variable_count(problem) * sizeof *start) == 0);
}

static void test_refusals(void) {
    lb_figure *figure = arm_finish(arm_builder("R(z)", "R(z)"));
    double start[4] = {0.1, 0.2, 0, 0};
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_constraint c;
    int first = add_at(problem, "hand", 0.1, 0.3, 0);
    REQUIRE(lb_constraint_at(figure, "hand", (double[]){0.2, 0.2, 0}, &c) == LB_OK);
    c.name = "second";
    c.priority = 1;
    int second = lb_problem_add(problem, &c);
    refused(problem, start, CCD, "ccd cannot keep one priority above another");
    refused(problem, start, DAMPED, "jacobian cannot keep one priority above another");
    refused(problem, start, FABRIK, "it knows no priorities");
    c.priority = 0;
    c.goal.kind = LB_GOAL_PLANE;
    c.goal.normal[2] = 0;
    c.goal.normal[0] = 1;
    REQUIRE(lb_problem_change(problem, second, &c) == LB_OK);
    refused(problem, start, FABRIK, "constraint 'second' is no position goal");
    c.goal.kind = LB_GOAL_POSITION;
    c.goal.carrier_segment = 1;
    REQUIRE(lb_problem_change(problem, second, &c) == LB_OK);
    refused(problem, start, FABRIK, "constraint 'second' has a goal that a segment carries");
    c.goal.carrier_segment = -1;
    c.any_of = 3;
    REQUIRE(lb_problem_change(problem, second, &c) == LB_OK);
    refused(problem, start, FABRIK, "constraint 'second' is one of several alternatives");
    c.any_of = 0;
    lb_effector_from_com(&c.effector);
    REQUIRE(lb_problem_change(problem, second, &c) == LB_OK);
    refused(problem, start, FABRIK, "constraint 'second' places the centre of mass");
    lb_problem_enable(problem, second, 0); /* what is disabled is in nobody's way */
    solving s;
    solving_by(&s, FABRIK);
    CHECK_INT(solve(&s, problem, start), LB_OK);
    CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
    REQUIRE(lb_problem_add_figure(problem, figure) == 1); /* one that only stands there is in nobody's way either */
    solving_by(&s, FABRIK);
    CHECK_INT(solve(&s, problem, start), LB_OK);
    CHECK_INT(s.result.outcome, LB_OUTCOME_SOLVED);
    lb_effector_from_segment(figure, 1, &c.effector);
    c.figure = 1;
    c.name = "other";
    REQUIRE(lb_problem_add(problem, &c) > 0);
    refused(problem, start, FABRIK, "it moves one figure only");
    CHECK(first >= 0);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);

    double rest[MOST];
    figure = load("human.fig");
    lb_figure_rest_pose(figure, rest);
    problem = lb_problem_create(figure, NULL);
    add_at(problem, "right_palm", 0.4, -0.2, 1.2);
    refused(problem, rest, FABRIK, "drives joints");
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);

    figure = load("stewart.fig");
    lb_figure_rest_pose(figure, rest);
    problem = lb_problem_create(figure, NULL);
    lb_constraint_defaults(&c);
    lb_effector_from_segment(figure, lb_figure_segment_count(figure) - 1, &c.effector);
    REQUIRE(lb_problem_add(problem, &c) >= 0);
    refused(problem, rest, CCD, "ccd cannot keep loops closed");
    refused(problem, rest, PSEUDO, "jacobian cannot keep loops closed");
    refused(problem, rest, FABRIK, "the figure has loops");
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* --- Budgets ------------------------------------------------------------------------------------------------- */

static void test_budgets(void) {
    lb_figure *figure = load("en07-chain.fig");
    double rest[MOST];
    lb_figure_rest_pose(figure, rest);
    lb_problem *problem = lb_problem_create(figure, NULL);
    add_at(problem, "end", 0.1, 0.02, -0.15);
    for (int w = 0; w < WAYS; w++) {
        solving s;
        double before = INFINITY;
        for (int budget = 0; budget < 4; budget++) { /* a larger budget is never worse */
            solving_by(&s, w);
            s.options.max_iterations = budget;
            CHECK_INT(solve(&s, problem, rest), LB_OK);
            CHECK(s.result.iterations <= budget);
            CHECK(s.result.value <= before);
            before = s.result.value;
        }
        solving_by(&s, w);
        s.options.max_evaluations = 1;
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        CHECK(s.result.iterations <= 1);
        lb_cancel cancel = {0};
        lb_cancel_request(&cancel);
        solving_by(&s, w);
        s.options.cancel = &cancel;
        CHECK_INT(solve(&s, problem, rest), LB_OK);
        CHECK_INT(s.result.iterations, 1);
    }
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

int main(void) {
    test_chain();
    test_chain_on_its_axis();
    test_tree();
    test_planar_arm();
    test_limit();
    test_balls();
    test_coupling();
    test_exact_moves();
    test_translations();
    test_subgoals();
    test_preferred();
    test_axis_of_one_joint();
    test_axis_of_a_chain();
    test_human();
    test_other_goals();
    test_refusals();
    test_budgets();
    return check_done();
}
