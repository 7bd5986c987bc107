/* A thread that rounds otherwise than to nearest, flushes small numbers to zero or traps exceptions gets the same bits,
 * and finds its processor as it left it. */
#define _GNU_SOURCE /* feenableexcept */

#include <fenv.h>
#include <limber/solve.h>
#include <math.h>
#include <string.h>

#include "arm.h"
#include "check.h"
#include "math/rounding.h"
#include "math/strict.h"

#define VARIABLES 4
#define METHODS 5
#define BATCH 6

typedef struct answers {
    double poses[METHODS][VARIABLES], values[METHODS], gradient[VARIABLES], many[BATCH][VARIABLES], all[VARIABLES];
    double rest[VARIABLES], value;
    int statuses[METHODS];
} answers;

static void goal(lb_constraint *c) {
    lb_constraint_defaults(c);
    c->effector.segment = 2;
    c->effector.point[0] = 0.2;
    c->goal.point[0] = 0.21;
    c->goal.point[1] = 0.23;
    c->goal.point[2] = 0.07;
    c->goal.rotation[0] = 0.3; /* made a unit quaternion */
}

static void solve_many(const lb_problem *p, int id, answers *a) {
    static lb_frame goals[BATCH];
    lb_many many;
    double start[VARIABLES] = {0.1, 0.2, 0.3, 0.4};
    for (int i = 0; i < BATCH; i++) {
        lb_frame_identity(&goals[i]);
        goals[i].position[0] = 0.125 + 0.03125 * i;
        goals[i].position[1] = 0.25;
    }
    lb_many_defaults(&many);
    many.count = BATCH;
    many.goal_count = 1;
    many.ids = &id;
    many.goals = goals;
    many.starts = start;
    many.one_start = 1;
    many.threads = 2;
    CHECK_INT(lb_solve_many(p, NULL, &many, a->many[0], NULL, NULL), LB_OK);
}

/* All that computes, from the figure on. */
static void work_all(lb_builder *b, answers *a) {
    lb_figure *figure = NULL;
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
    memset(a, 0, sizeof *a);
    REQUIRE(lb_builder_finish(b, &figure) == LB_OK);
    lb_figure_rest_pose(figure, a->rest);
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_solver *solver = lb_solver_create(p, NULL);
    goal(&c);
    int id = lb_problem_add(p, &c);
    REQUIRE(solver && id > 0);
    for (int m = 0; m < METHODS; m++) {
        lb_solve_options options;
        lb_solve_options_defaults(&options);
        options.method = (lb_method)m;
        options.restarts = 2;
        memcpy(a->poses[m], (double[]){0.3, 0.1, -0.2, 0.7}, sizeof a->poses[m]);
        a->statuses[m] = lb_solver_solve(solver, &options, a->poses[m], &result);
        a->values[m] = result.value;
    }
    CHECK_INT(lb_solver_value(solver, (double[]){0.3, 0.1, -0.2, 0.7}, &a->value, a->gradient), LB_OK);
    CHECK_INT(lb_solver_solve_all(solver, NULL, (double[]){0.3, 0.1, -0.2, 0.7}, 0.1, 1, a->all, &result), LB_OK);
    solve_many(p, id, a);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

static lb_builder *make_arm(void) {
    lb_builder *b = arm_builder("ball", "R(0.36,0.48,0.8)");
    lb_joint joint = *lb_builder_joint(b, 0);
    for (int i = 0; i < 3; i++) {
        joint.lower[i] = -2;
        joint.upper[i] = 2;
    }
    REQUIRE(lb_builder_change_joint(b, 0, &joint) == LB_OK);
    return b;
}

static void check_modes(lb_builder *b, const answers *expected) {
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static answers a;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        check_note("rounding mode %d", (int)i);
        fesetround(modes[i]);
        work_all(b, &a);
        int after = fegetround();
        fesetround(FE_TONEAREST);
        CHECK_INT(after, modes[i]);
        CHECK(memcmp(&a, expected, sizeof a) == 0);
    }
    check_note("%s", "");
}

#ifdef __SSE2__
static void check_flushing(lb_builder *b, const answers *expected) {
    static answers a;
    static const unsigned bits[] = {0x8000, 0x0040, 0x8040};
    unsigned usual = __builtin_ia32_stmxcsr();
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        check_note("MXCSR with %#x", bits[i]);
        __builtin_ia32_ldmxcsr(usual | bits[i]);
        work_all(b, &a);
        unsigned after = __builtin_ia32_stmxcsr();
        __builtin_ia32_ldmxcsr(usual);
        CHECK_INT(after & 0xffc0, (usual | bits[i]) & 0xffc0);
        CHECK(memcmp(&a, expected, sizeof a) == 0);
    }
    check_note("%s", "");
}
#endif

#ifdef __GLIBC__
/* Nothing inside traps, though the caller lets exceptions trap. */
static void check_traps(lb_builder *b, const answers *expected) {
    static answers a;
    if (feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW) < 0) {
        return; /* a processor that cannot */
    }
    work_all(b, &a);
    int after = fegetexcept();
    fedisableexcept(FE_ALL_EXCEPT);
    CHECK_INT(after, FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW);
    CHECK(memcmp(&a, expected, sizeof a) == 0);
}
#endif

int main(void) {
    static answers expected;
    CHECK(lbm_strict() == NULL);
    lb_builder *b = make_arm();
    work_all(b, &expected);
    check_modes(b, &expected);
#ifdef __SSE2__
    check_flushing(b, &expected);
#endif
#ifdef __GLIBC__
    check_traps(b, &expected);
#endif
    lb_builder_destroy(b);
    return check_done();
}
