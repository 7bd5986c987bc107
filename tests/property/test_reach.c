/* Workspaces: nothing that forward kinematics reaches is ever proved to be out of reach, neither as a point nor as a frame, of
 * random figures of every kind, of all shipped figures and of robots in ../shared; and all of it lies in the box. */
#include <limber/io.h>
#include <limber/reach.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "random_figure.h"

#define MOST_VARIABLES 512

static check_random source;

/* A figure, what of it is placed, and its workspace. */
typedef struct reach_case {
    const lb_figure *figure;
    lb_kinematics *kinematics;
    lb_effector effector;
    lb_reach *reach;
    double base[MOST_VARIABLES]; /* the pose that the workspace was made with */
} reach_case;

typedef struct tally {
    long poses, inside, unknown, outside;
} tally;

/* Draws a pose; what stands above the base stays as it was. */
static void draw(const reach_case *c, double *pose) {
    uint64_t seed = check_random_bits(&source);
    lb_figure_random_pose(c->figure, &seed, pose);
    for (int i = 0; i < lb_figure_variable_count(c->figure); i++) {
        const lb_variable *v = lb_figure_variable(c->figure, i);
        if ((v->ref.joint < 0 && v->ref.parameter < 0) || v->rigidity >= 1) {
            pose[i] = c->base[i];
        }
    }
}

static void ask_of_pose(const reach_case *c, const double *pose, tally *t) {
    double e[9], z[3], matrix[9], low[3], high[3];
    lb_frame frame;
    lb_reach_answer answer;
    lb_reach_answer_defaults(&answer);
    REQUIRE(lb_kinematics_update(c->kinematics, pose) == LB_OK);
    REQUIRE(lb_kinematics_effector(c->kinematics, &c->effector, e) == LB_OK);
    z[0] = e[4] * e[8] - e[5] * e[7];
    z[1] = e[5] * e[6] - e[3] * e[8];
    z[2] = e[3] * e[7] - e[4] * e[6];
    for (int i = 0; i < 3; i++) {
        matrix[3 * i] = e[3 + i];
        matrix[3 * i + 1] = e[6 + i];
        matrix[3 * i + 2] = z[i];
        frame.position[i] = e[i];
    }
    lb_rotation_from_matrix(matrix, frame.rotation);
    REQUIRE(lb_reach_point(c->reach, e, &answer) == LB_OK);
    CHECK(answer.verdict != LB_REACH_OUTSIDE);
    t->poses++;
    t->inside += answer.verdict == LB_REACH_INSIDE;
    t->unknown += answer.verdict == LB_REACH_UNKNOWN;
    REQUIRE(lb_reach_frame(c->reach, &frame, &answer) == LB_OK);
    CHECK(answer.verdict != LB_REACH_OUTSIDE);
    REQUIRE(lb_reach_box(c->reach, low, high) == LB_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(e[i] >= low[i] && e[i] <= high[i]);
    }
}

static void run(const lb_figure *figure, const lb_effector *effector, int poses, tally *t) {
    reach_case c = {figure, lb_kinematics_create(figure, NULL), *effector, NULL, {0}};
    lb_reach_options options;
    lb_error error;
    double pose[MOST_VARIABLES];
    REQUIRE(lb_figure_variable_count(figure) <= MOST_VARIABLES && c.kinematics);
    lb_figure_rest_pose(figure, c.base);
    lb_reach_options_defaults(&options);
    options.pose = c.base;
    c.reach = lb_reach_create(figure, effector, &options, &error);
    if (!c.reach) {
        check_note("%s", error.message);
    }
    REQUIRE(c.reach != NULL);
    for (int i = 0; i < poses; i++) {
        draw(&c, pose);
        ask_of_pose(&c, pose, t);
    }
    /* Points about the figure at random: the verdicts are told apart. */
    for (int i = 0; i < poses / 10; i++) {
        double low[3], high[3], point[3];
        lb_reach_answer answer;
        lb_reach_answer_defaults(&answer);
        lb_reach_box(c.reach, low, high);
        for (int k = 0; k < 3; k++) {
            point[k] = low[k] > -INFINITY && high[k] < INFINITY ? check_random_range(&source, low[k], high[k]) : 0;
        }
        REQUIRE(lb_reach_point(c.reach, point, &answer) == LB_OK);
        t->outside += answer.verdict == LB_REACH_OUTSIDE;
        CHECK(answer.distance >= 0 && (answer.verdict != LB_REACH_OUTSIDE || answer.distance > 0));
        CHECK(answer.verdict != LB_REACH_UNKNOWN || answer.distance == 0);
    }
    lb_reach_destroy(c.reach);
    lb_kinematics_destroy(c.kinematics);
}

/* What is proved to be within reach is found by starts of lm; points of the box, so that many are near the edge. */
static void inside_is_reached(const char *name, const char *effector_name, int wanted) {
    char path[4096];
    lb_figure *figure;
    lb_error error;
    lb_constraint constraint;
    lb_solve_options options;
    lb_result result;
    lb_reach_answer answer;
    double low[3], high[3], pose[MOST_VARIABLES];
    int found = 0;
    REQUIRE(check_source(name, path, sizeof path) && lb_figure_load(path, NULL, &figure, &error) == LB_OK);
    lb_constraint_defaults(&constraint);
    REQUIRE(lb_figure_find_effector(figure, effector_name, &constraint.effector, &error) == LB_OK);
    lb_reach *reach = lb_reach_create(figure, &constraint.effector, NULL, &error);
    lb_problem *problem = lb_problem_create(figure, NULL);
    REQUIRE(reach && problem && lb_reach_box(reach, low, high) == LB_OK);
    const int id = lb_problem_add(problem, &constraint);
    lb_solver *solver = lb_solver_create(problem, NULL);
    lb_solve_options_defaults(&options);
    options.restarts = 1000;
    lb_result_defaults(&result);
    lb_reach_answer_defaults(&answer);
    check_note("%s", name);
    for (int i = 0; i < 100000 && found < wanted; i++) {
        lb_frame goal = {{0, 0, 0}, {0, 0, 0, 1}};
        for (int k = 0; k < 3; k++) {
            goal.position[k] = check_random_range(&source, low[k], high[k]);
        }
        REQUIRE(lb_reach_point(reach, goal.position, &answer) == LB_OK);
        if (answer.verdict != LB_REACH_INSIDE || answer.distance > 0.02) {
            continue;
        }
        found++;
        lb_figure_rest_pose(figure, pose);
        REQUIRE(lb_problem_move_goal(problem, id, &goal) == LB_OK);
        REQUIRE(lb_solver_solve(solver, &options, pose, &result) == LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    }
    CHECK_INT(found, wanted);
    printf("%s: %d points that are proved to be within reach, near the edge of what is: all found\n", name, found);
    check_note("%s", "");
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    lb_reach_destroy(reach);
    lb_figure_destroy(figure);
}

static void random_figures(int count) {
    tally t = {0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        uint64_t seed = check_random_bits(&source);
        random_options options;
        memset(&options, 0, sizeof options);
        options.segments = 2 + random_below(&seed, 6);
        options.with_groups = i % 3 == 0;
        options.with_frozen = i % 4 == 0;
        options.with_limits = i % 5 != 0;
        options.with_rows = i % 7 == 0;
        options.with_rigidity = i % 6 == 0;
        options.first_kind = i % RANDOM_KINDS;
        lb_figure *figure = random_figure(&seed, &options);
        lb_effector effector;
        REQUIRE(lb_effector_from_segment(figure, lb_figure_segment_count(figure) - 1, &effector) == LB_OK);
        for (int k = 0; k < 3; k++) {
            effector.point[k] = random_between(&seed, -0.3, 0.3);
        }
        check_note("random figure %d", i);
        run(figure, &effector, 50, &t);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
    printf("random figures: %ld poses, %ld inside, %ld unknown, %ld points outside\n", t.poses, t.inside, t.unknown,
           t.outside);
    CHECK(t.outside > 0);
}

static void shipped(const char *name, const char *effector_name, int poses) {
    char path[4096];
    lb_figure *figure;
    lb_effector effector;
    lb_error error;
    tally t = {0, 0, 0, 0};
    const int is_shared = strncmp(name, "shared/", 7) == 0;
    if (is_shared ? !check_shared(name + 7, path, sizeof path) : !check_source(name, path, sizeof path)) {
        CHECK(is_shared);
        printf("skipped: %s is not there\n", name);
        return;
    }
    REQUIRE(lb_figure_load(path, NULL, &figure, &error) == LB_OK);
    REQUIRE(lb_figure_find_effector(figure, effector_name, &effector, &error) == LB_OK);
    check_note("%s", name);
    run(figure, &effector, poses, &t);
    check_note("%s", "");
    printf("%s %s: %ld poses, %ld inside, %ld unknown, %ld of %d points of the box outside\n", name, effector_name,
           t.poses, t.inside, t.unknown, t.outside, poses / 10);
    lb_figure_destroy(figure);
}

int main(void) {
    check_random_seed(&source, 1982);
    const int poses = check_is_sanitized() ? 100 : check_count(3000, 100000);
    static const char *const figures[][2] = {
        {"models/ur5.fig", "tool"},
        {"models/puma560.fig", "tool"},
        {"models/irb120.fig", "tool"},
        {"models/iiwa14.fig", "tool"},
        {"models/panda.fig", "tool"},
        {"models/fetch7.fig", "tool"},
        {"models/fetch8.fig", "tool"},
        {"models/pr2_arm.fig", "tool"},
        {"models/baxter_arm.fig", "tool"},
        {"models/stewart.fig", "tool"},
        {"models/chain10.fig", "link10.tip"},
        {"models/kb82-arm.fig", "c4"},
        {"models/en07-chain.fig", "end"},
        {"models/en07-tree.fig", "end6"},
        {"models/en07-human.fig", "right_palm"},
        {"models/human.fig", "right_palm"},
        {"models/human.fig", "left_heel"},
        {"models/human-spine-free.fig", "right_palm"},
        {"models/human-torso5.fig", "right_palm"},
        {"models/peabody-table.fig", "leg4.top"},
        {"shared/data/urdf/arms/ur10e.urdf", "tool0"},
        {"shared/data/urdf/arms/xarm6.urdf", "link6"},
        {"shared/data/urdf/arms/unitree_z1.urdf", "link06"},
        {"shared/data/urdf/arms/jaco_j2n6s300.urdf", "j2n6s300_link_6"},
    };
    random_figures(check_is_sanitized() ? 11 : check_count(66, 2200));
    inside_is_reached("models/ur5.fig", "tool", check_count(100, 1000));
    inside_is_reached("models/puma560.fig", "tool", check_count(100, 1000));
    inside_is_reached("models/panda.fig", "tool", check_count(50, 1000));
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        shipped(figures[i][0], figures[i][1], poses);
    }
    return check_done();
}
