/* Rigidity: the stiffer a dof, the less it moves (ZB94 section 11), and preferred values (BAGS 3.3), over random chains.
 *
 * What holds, and where. Let S be the diagonal of 1 - rigidity, J the goal's Jacobian and b what it asks for. Methods
 * that start from a multiple of the identity in z = q / S, as bfgs does, stay in the span of the gradients. As long as J
 * does not change on the way and no limit is met they end at
 *
 *     dq = S^2 J' (J S^2 J')^-1 b,    dq_i = x u / (1 + x v),   x = (1 - rigidity_i)^2,
 *
 * with u and v > 0 that do not depend on x: |dq_i| falls with the rigidity of dof i, strictly. For moves so large that J
 * changes, and for ccd and fabrik, whose steps are scaled one by one, that is a tendency: it holds for the mean and for
 * most chains, which is what is asked here. A rigidity of 1 is exact everywhere. */
#include <limber/solve.h>

#include <math.h>
#include <string.h>

#include "check.h"

#define MOST 30
#define LEVELS 7

static const double levels[LEVELS] = {0, 0.25, 0.5, 0.75, 0.9, 0.99, 1};

typedef struct task {
    lb_figure *figure;
    lb_problem *problem;
    lb_solver *solver;
    int joints, per_joint;
    double start[MOST];
} task;

/* Pins about random axes, some along their link; pins across their links; balls of three turns. */
typedef enum kind { PINS, ACROSS, BALLS } kind;

/* Links of 0.1 to 0.4 m along x. */
static lb_figure *chain(check_random *random, int joints, kind joint_kind) {
    static const char *const types[] = {"R(x)", "R(y)", "R(z)", "R(0.6,0,0.8)"};
    lb_builder *b = lb_builder_create(NULL, NULL);
    int last = -1;
    REQUIRE(b != NULL);
    for (int i = 0; i <= joints; i++) {
        char name[16];
        lb_segment segment;
        lb_site site;
        lb_joint joint;
        snprintf(name, sizeof name, "s%d", i);
        lb_segment_defaults(&segment);
        lb_site_defaults(&site);
        lb_joint_defaults(&joint);
        segment.name = joint.name = name;
        site.segment = lb_builder_add_segment(b, &segment);
        site.name = "base";
        joint.site_b = lb_builder_add_site(b, &site);
        joint.site_a = last;
        site.name = "tip";
        site.frame.position[0] = check_random_range(random, 0.1, 0.4);
        last = lb_builder_add_site(b, &site);
        int across = joint_kind == ACROSS;
        const char *type =
            joint_kind == BALLS ? "R(x)*R(y)*R(z)" : types[across + check_random_index(random, 4 - across)];
        REQUIRE(lb_joint_type_parse(type, &joint.type, NULL) == LB_OK);
        if (i) {
            REQUIRE(lb_builder_add_joint(b, &joint) >= 0);
        }
    }
    lb_figure *figure = NULL;
    REQUIRE(lb_builder_finish(b, &figure) == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

/* The tip is to go where it would be if every joint moved by at most `move`. */
static task make(check_random *random, int joints, kind joint_kind, double move, double tolerance) {
    task t = {chain(random, joints, joint_kind), NULL, NULL, joints, joint_kind == BALLS ? 3 : 1, {0}};
    double pose[MOST];
    char site[32];
    lb_frame frame;
    lb_constraint c;
    int n = lb_figure_variable_count(t.figure);
    REQUIRE(n <= MOST);
    for (int i = 0; i < n; i++) {
        t.start[i] = check_random_range(random, -0.7, 0.7);
        pose[i] = t.start[i] + check_random_range(random, -move, move);
    }
    lb_kinematics *k = lb_kinematics_create(t.figure, NULL);
    snprintf(site, sizeof site, "s%d.tip", joints);
    REQUIRE(k && lb_kinematics_update(k, pose) == LB_OK);
    REQUIRE(lb_kinematics_site(k, lb_figure_find_site(t.figure, site), &frame) == LB_OK);
    lb_kinematics_destroy(k);
    REQUIRE(lb_constraint_at(t.figure, site, frame.position, &c) == LB_OK);
    for (int i = 0; i < 3; i++) {
        c.tolerance[i] = tolerance;
    }
    t.problem = lb_problem_create(t.figure, NULL);
    REQUIRE(t.problem && lb_problem_add(t.problem, &c) >= 0);
    t.solver = lb_solver_create(t.problem, NULL);
    REQUIRE(t.solver != NULL);
    return t;
}

static void end(task *t) {
    lb_solver_destroy(t->solver);
    lb_problem_destroy(t->problem);
    lb_figure_destroy(t->figure);
}

static void stiffen(task *t, int joint, double rigidity) {
    for (int i = 0; i < t->per_joint; i++) {
        REQUIRE(lb_problem_set_rigidity(t->problem, t->per_joint * joint + i, rigidity) == LB_OK);
    }
}

static lb_outcome solve(task *t, lb_method method, int iterations, double preferred, double *pose) {
    lb_solve_options o;
    lb_result result;
    lb_result_defaults(&result);
    lb_solve_options_defaults(&o);
    o.method = method;
    o.max_iterations = iterations;
    o.preferred = preferred;
    memcpy(pose, t->start, sizeof t->start);
    REQUIRE(lb_solver_solve(t->solver, &o, pose, &result) == LB_OK);
    CHECK(result.value <= result.value_before);
    return result.outcome;
}

static double moved(const task *t, const double *pose, int joint) {
    double sum = 0;
    for (int i = t->per_joint * joint; i < t->per_joint * (joint + 1); i++) {
        sum += (pose[i] - t->start[i]) * (pose[i] - t->start[i]);
    }
    return sqrt(sum);
}

/* --- Small moves: the law ------------------------------------------------------------------------------------------ */

static void small_moves(lb_method method) {
    check_random random;
    check_random_seed(&random, 21);
    for (int k = 0; k < 150; k++) {
        task t = make(&random, 6 + check_random_index(&random, 6), PINS, 1e-3, 1e-8);
        int who = check_random_index(&random, t.joints);
        double pose[MOST], last = INFINITY;
        for (int l = 0; l < LEVELS; l++) {
            check_note("%s, chain %d, rigidity %g", lb_method_name(method), k, levels[l]);
            stiffen(&t, who, levels[l]);
            CHECK(solve(&t, method, 300, 0, pose) != LB_OUTCOME_BUDGET);
            double now = moved(&t, pose, who);
            CHECK(now <= last * (1 + 1e-2) + 1e-7);
            if (levels[l] == 1) {
                CHECK(now == 0);
            }
            last = now;
        }
        end(&t);
    }
    check_note("%s", "");
}

/* --- Large moves: the tendency -------------------------------------------------------------------------------------- */

static void large_moves(lb_method method, kind joint_kind, double allowed) {
    check_random random;
    int cases = 200, rises = 0;
    double mean[LEVELS] = {0};
    check_random_seed(&random, 22);
    for (int k = 0; k < cases; k++) {
        int joints = joint_kind == BALLS ? 4 + check_random_index(&random, 4) : 6 + check_random_index(&random, 6);
        task t = make(&random, joints, joint_kind, 0.6, 1e-5);
        int who = check_random_index(&random, t.joints);
        double pose[MOST], last = INFINITY;
        for (int l = 0; l < LEVELS; l++) {
            stiffen(&t, who, levels[l]);
            solve(&t, method, 300, 0, pose);
            double now = moved(&t, pose, who);
            mean[l] += now / cases;
            rises += now > last + 1e-3;
            if (levels[l] == 1) {
                CHECK(now == 0);
            }
            last = now;
        }
        end(&t);
    }
    printf("%-6s %s: moves", lb_method_name(method), joint_kind == BALLS ? "balls" : "pins ");
    for (int l = 0; l < LEVELS; l++) {
        printf(" %.3f", mean[l]);
    }
    printf("; %d of %d pairs rise\n", rises, cases * (LEVELS - 1));
    check_note("%s", lb_method_name(method));
    for (int l = 1; l < LEVELS; l++) {
        CHECK(mean[l] < mean[l - 1]);
    }
    CHECK(mean[2] < 0.85 * mean[0]);
    CHECK(mean[5] < 0.5 * mean[0]);
    CHECK(rises <= allowed * cases * (LEVELS - 1));
    check_note("%s", "");
}

/* --- Methods that move one variable at a time -------------------------------------------------------------------------- */

/* The variable that moves first - ccd's at the tip, fabrik's at the root - makes 1 - rigidity of the step it would make. */
static void first_step(lb_method method) {
    check_random random;
    int moving = 0;
    check_random_seed(&random, 23);
    for (int k = 0; k < 60; k++) {
        task t = make(&random, 5, ACROSS, 0.6, 1e-5);
        int who = method == LB_METHOD_CCD ? t.joints - 1 : 0;
        double pose[MOST], full = 0;
        check_note("%s, chain %d", lb_method_name(method), k);
        for (int l = 0; l < LEVELS; l++) {
            stiffen(&t, who, levels[l]);
            solve(&t, method, 1, 0, pose);
            double step = pose[who] - t.start[who];
            if (l == 0) {
                full = step;
            }
            if (full != 0 && step != 0) {
                moving += 1; /* where the best so far is the start there is nothing to see */
            }
            if (full != 0 && step != 0) {
                CHECK_NEAR(step, (1 - levels[l]) * full, 1e-12);
            }
        }
        end(&t);
    }
    CHECK(moving > 200);
    check_note("%s", "");
}

/* Only how stiff one is against the others counts: all alike is as none. */
static void all_alike(lb_method method) {
    check_random random;
    check_random_seed(&random, 24);
    for (int k = 0; k < 40; k++) {
        task t = make(&random, 6, PINS, 0.6, 1e-5);
        double pose[MOST], other[MOST];
        check_note("%s, chain %d", lb_method_name(method), k);
        lb_outcome first = solve(&t, method, 20, 0, pose);
        for (int i = 0; i < t.joints; i++) {
            stiffen(&t, i, 0.75); /* a power of two: the scaling rounds nothing */
        }
        CHECK_INT(solve(&t, method, 20, 0, other), first);
        for (int i = 0; i < t.joints; i++) {
            CHECK_NEAR(other[i], pose[i], 1e-6);
        }
        end(&t);
    }
    check_note("%s", "");
}

/* What can only be met by the stiff ones is met: damping gives way. */
static void what_can_be_met(lb_method method) {
    check_random random;
    int met = 0, met_free = 0;
    check_random_seed(&random, 25);
    for (int k = 0; k < 60; k++) {
        task t = make(&random, 4, BALLS, 0.5, 1e-4);
        double pose[MOST];
        met_free += solve(&t, method, 300, 0, pose) == LB_OUTCOME_SOLVED;
        for (int i = 0; i < t.joints - 1; i++) {
            stiffen(&t, i, 0.99);
        }
        met += solve(&t, method, 300, 0, pose) == LB_OUTCOME_SOLVED;
        end(&t);
    }
    printf("%-6s: %d of 60 met, %d with all but the last joint stiff\n", lb_method_name(method), met_free, met);
    CHECK(met >= met_free - 2);
    CHECK(met_free >= 55);
}

/* Preferred values: the more they count the nearer the answer stays to them, and goals are met all the same. */
static void preferred(lb_method method) {
    static const double weights[3] = {0, 1, 10};
    check_random random;
    double mean[3] = {0};
    int met[3] = {0};
    check_random_seed(&random, 26);
    for (int k = 0; k < 100; k++) {
        task t = make(&random, 6, BALLS, 0.4, 1e-4);
        double pose[MOST];
        int n = lb_figure_variable_count(t.figure);
        REQUIRE(lb_problem_set_posture(t.problem, t.start, 0) == LB_OK);
        for (int w = 0; w < 3; w++) {
            double apart = 0;
            met[w] += solve(&t, method, 300, weights[w], pose) == LB_OUTCOME_SOLVED;
            for (int i = 0; i < n; i++) {
                apart = fmax(apart, fabs(pose[i] - t.start[i]));
            }
            mean[w] += apart / 100;
        }
        end(&t);
    }
    printf("%-6s: farthest from preferred %.3f, %.3f, %.3f rad; met %d, %d, %d\n", lb_method_name(method), mean[0],
           mean[1], mean[2], met[0], met[1], met[2]);
    check_note("%s", lb_method_name(method));
    CHECK(mean[1] < 0.95 * mean[0]);
    CHECK(mean[2] < 0.75 * mean[0]);
    CHECK(met[1] >= met[0] - 2 && met[2] >= met[0] - 2);
    check_note("%s", "");
}

/* What is not finite is refused; whatever else is given for it: the pose is finite and no worse. */
static void odd_preferred(lb_method method) {
    static const double odd[4] = {1e-300, 1e300, -1, 1e12};
    check_random random;
    check_random_seed(&random, 27);
    for (int k = 0; k < 8; k++) {
        task t = make(&random, 4, BALLS, 0.4, 1e-4);
        double pose[MOST];
        check_note("%s, preferred %g", lb_method_name(method), odd[k % 4]);
        solve(&t, method, 50, odd[k % 4], pose);
        lb_solve_options o;
        lb_result result;
        lb_result_defaults(&result);
        lb_solve_options_defaults(&o);
        o.method = method;
        o.preferred = k % 2 ? INFINITY : NAN;
        CHECK_INT(lb_solver_solve(t.solver, &o, t.start, &result), LB_ERROR_ARGUMENT);
        for (int i = 0; i < lb_figure_variable_count(t.figure); i++) {
            CHECK(isfinite(pose[i]));
        }
        end(&t);
    }
    check_note("%s", "");
}

int main(void) {
    small_moves(LB_METHOD_BFGS);
    small_moves(LB_METHOD_LM);
    large_moves(LB_METHOD_LM, PINS, 0.03);
    large_moves(LB_METHOD_BFGS, PINS, 0.03);
    large_moves(LB_METHOD_CCD, PINS, 0.1);
    large_moves(LB_METHOD_CCD, BALLS, 0.1);
    large_moves(LB_METHOD_FABRIK, BALLS, 0.1);
    first_step(LB_METHOD_CCD);
    first_step(LB_METHOD_FABRIK);
    all_alike(LB_METHOD_CCD);
    all_alike(LB_METHOD_FABRIK);
    what_can_be_met(LB_METHOD_CCD);
    what_can_be_met(LB_METHOD_FABRIK);
    preferred(LB_METHOD_CCD);
    preferred(LB_METHOD_FABRIK);
    odd_preferred(LB_METHOD_CCD);
    odd_preferred(LB_METHOD_FABRIK);
    return check_done();
}
