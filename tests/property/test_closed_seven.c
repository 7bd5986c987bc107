/* Arms of seven joints that are no limb (Panda): every pose that it is asked for, and every answer that starts of lm find, lies in
 * one of the intervals of the free joint, and the interval leads there. */
#include <limber/io.h>

#include "closed_case.h"

#define MOST_ANSWERS 32

/* Whether values lie on the interval of some solution. */
static int is_covered(const closed_case *c, const double *values, double tolerance) {
    for (int i = 0; i < c->result.all_count; i++) {
        lb_closed_solution s;
        double there[LB_CLOSED_MAX_JOINTS];
        lb_closed_solution_defaults(&s);
        REQUIRE(lb_closed_get(c->closed, i, &s) == LB_OK);
        for (int joint = 0; joint <= 6; joint += 6) { /* the free joint is one of them */
            double most = 0, angle = values[joint];
            angle = angle < s.swivel_low_rad && angle > s.swivel_low_rad - tolerance     ? s.swivel_low_rad
                    : angle > s.swivel_high_rad && angle < s.swivel_high_rad + tolerance ? s.swivel_high_rad
                                                                                         : angle;
            if (lb_closed_swivel(c->closed, i, angle, there) != LB_OK) {
                continue;
            }
            for (int k = 0; k < 7; k++) {
                most = fmax(most, fabs(closed_wrapped(there[k] - values[k])));
            }
            if (most < 50 * tolerance) {
                return 1;
            }
        }
    }
    return 0;
}

/* Answers of lm from so many starts; how many are not covered is returned. */
static int compare_with_lm(closed_case *c, const lb_frame *goal, const double *start, int starts, int *found) {
    lb_constraint constraint;
    lb_solve_options options;
    lb_result result;
    double poses[MOST_ANSWERS * CLOSED_VARIABLES];
    int missed = 0;
    lb_problem *problem = lb_problem_create(c->figure, NULL);
    REQUIRE(problem != NULL);
    lb_constraint_defaults(&constraint);
    constraint.effector = c->effector;
    constraint.goal.kind = LB_GOAL_FRAME;
    for (int k = 0; k < 3; k++) {
        constraint.tolerance[k] = 1e-9;
    }
    constraint.tolerance_rad = 1e-9;
    const int id = lb_problem_add(problem, &constraint);
    REQUIRE(id > 0 && lb_problem_move_goal(problem, id, goal) == LB_OK);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(solver != NULL);
    lb_solve_options_defaults(&options);
    options.keep_going = 1; /* by starts of lm alone */
    options.restarts = starts;
    lb_result_defaults(&result);
    REQUIRE(lb_solver_solve_all(solver, &options, start, 0.2, MOST_ANSWERS, poses, &result) == LB_OK);
    for (int i = 0; i < result.answer_count; i++) {
        double values[7];
        for (int k = 0; k < 7; k++) {
            values[k] = poses[i * c->n + lb_closed_variable(c->closed, k)];
        }
        ++*found;
        missed += !is_covered(c, values, 1e-6);
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    return missed;
}

/* Every solution is one. Returns at how many ends of intervals the way there was lost, and counts the ends. */
static int check_solutions(closed_case *c, const double *start, const lb_frame *goal, int *ends_asked) {
    int lost = 0;
    for (int i = 0; i < c->result.all_count; i++) {
        lb_closed_solution s;
        double ends[LB_CLOSED_MAX_JOINTS];
        lb_closed_solution_defaults(&s);
        REQUIRE(lb_closed_get(c->closed, i, &s) == LB_OK);
        CHECK(s.is_inside);
        CHECK_NEAR(closed_miss(c, i, start, goal), 0, 1e-11);
        CHECK(s.swivel_low_rad <= s.swivel_rad + 1e-9 && s.swivel_rad <= s.swivel_high_rad + 1e-9);
        if (s.swivel_high_rad - s.swivel_low_rad > 1e-3) { /* a little inside its ends there are solutions, too */
            lost += lb_closed_swivel(c->closed, i, s.swivel_low_rad + 1e-6, ends) != LB_OK;
            lost += lb_closed_swivel(c->closed, i, s.swivel_high_rad - 1e-6, ends) != LB_OK;
            *ends_asked += 2;
        }
    }
    return lost;
}

/* How many poses of an arm are asked for, and of how many answers of lm are looked up. */
typedef struct amount {
    int poses, compared;
} amount;

static void one_arm(lb_figure *figure, const char *effector, const char *name, amount n) {
    closed_case c;
    uint64_t seed = 77;
    int missed = 0, found = 0, intervals = 0, missed_by_lm = 0, lost = 0, ends = 0;
    closed_begin(&c, figure, effector, NULL);
    CHECK_INT(lb_closed_kind_of(c.closed), LB_CLOSED_SEVEN);
    CHECK_INT(lb_closed_variable_count(c.closed), 7);
    for (int i = 0; i < n.poses; i++) {
        double pose[CLOSED_VARIABLES], start[CLOSED_VARIABLES], values[7];
        lb_frame goal;
        check_note("%s, pose %d", name, i);
        lb_figure_random_pose(c.figure, &seed, pose);
        lb_figure_rest_pose(c.figure, start);
        for (int k = 0; k < 7; k++) {
            values[k] = pose[lb_closed_variable(c.closed, k)];
        }
        for (int v = 0; v < c.n; v++) { /* fingers stand */
            int is_on = 0;
            for (int k = 0; k < 7; k++) {
                is_on |= lb_closed_variable(c.closed, k) == v;
            }
            pose[v] = is_on ? pose[v] : start[v];
        }
        closed_goal(&c, pose, &goal);
        REQUIRE(lb_closed_solve(c.closed, &goal, start, &c.result) == LB_OK);
        intervals += c.result.count;
        missed += !is_covered(&c, values, 1e-7);
        lost += check_solutions(&c, start, &goal, &ends);
        if (i < n.compared) {
            missed_by_lm += compare_with_lm(&c, &goal, start, check_count(100, 1000), &found);
        }
    }
    check_note("%s", name);
    printf("%s: %d poses, %.2f intervals each; %d of the poses missed; lm found %d answers, %d of them missed; %d of "
           "%d ends were lost on the way there\n",
           name, n.poses, (double)intervals / n.poses, missed, found, missed_by_lm, lost, ends);
    CHECK(lost * 500 <= ends);                                       /* where curves nearly touch */
    CHECK(missed * 1000 <= n.poses && missed_by_lm * 1000 <= found); /* docs/closed.md has what was measured */
    CHECK(found > 0 || n.compared == 0);
    closed_end(&c);
    check_note("%s", "");
}

static void shared_arm(const char *file, const char *effector, amount n) {
    char path[4096], relative[256];
    lb_figure *figure = NULL;
    lb_error error;
    snprintf(relative, sizeof relative, "data/urdf/%s", file);
    if (!check_shared(relative, path, sizeof path)) {
        printf("%s is not there: left out\n", file);
        return;
    }
    REQUIRE(lb_figure_load(path, NULL, &figure, &error) == LB_OK);
    one_arm(figure, effector, file, n);
}

int main(void) {
    const int is_sanitized = check_is_sanitized();
    const amount few = {is_sanitized ? 1 : check_count(4, 200), is_sanitized ? 0 : check_count(2, 30)};
    static const double offsets[7][3] = {{.07, -1.5, .27}, {.05, 1.6, .02}, {.07, -1.5, .36}, {-.04, 1.5, .03},
                                         {.01, -1.6, .37}, {.06, 1.4, .05}, {0, 0, .2}};
    CHECK_TEXT(lb_closed_kind_name(LB_CLOSED_SEVEN), "seven");
    one_arm(closed_load("models/panda.fig"), "tool", "panda",
            (amount){is_sanitized ? 5 : check_count(150, 3000), is_sanitized ? 0 : check_count(20, 100)});
    one_arm(closed_dh(offsets, 7, 2.8, -1), "link7", "seven joints as they come", few);
    shared_arm("dual_mobile/baxter.urdf", "right_gripper", few);
    shared_arm("arms/kinova_gen3_7dof.urdf", "end_effector_link", few);
    shared_arm("arms/jaco_j2s7s300.urdf", "j2s7s300_end_effector", few);
    return check_done();
}
