/* A limit is one thing: whoever is stopped by the cone or polygon of a swing, or by the region of a shoulder, is told so, whatever
 * the direction, and it is true (reasons.h). And how far a variable may move by itself: `test_property_regions [CASES]`. */
#include <limber/io.h>

#include "reasons.h"

#define TAU (2 * 3.14159265358979323846)

/* A cone of any number of sides, a box, or a polygon of any shape around the rest pose. */
static int random_swing(check_random *random, double swing[64][2]) {
    const int kind = (int)check_random_index(random, 3),
              count = kind == 1 ? 4 : 3 + (int)check_random_index(random, 30);
    const double size = check_random_range(random, 0.1, 1.2), other = check_random_range(random, 0.1, 1.2);
    for (int i = 0; i < count && kind != 1; i++) {
        const double angle = TAU * (i + (kind == 2 ? 0.3 * check_random_range(random, 0, 1) : 0)) / count;
        swing[i][0] = size * cos(angle);
        swing[i][1] = (kind == 2 ? other : size) * sin(angle);
    }
    for (int i = 0; i < 4 && kind == 1; i++) { /* its edges become ranges of the two angles */
        swing[i][0] = i == 0 || i == 3 ? -size : size;
        swing[i][1] = i < 2 ? -other : other;
    }
    return count;
}

/* A rod of a metre on a ball joint. */
static lb_figure *make_rod(check_random *random) {
    static const double twist_axis[3] = {0, 0, 1};
    double swing[64][2];
    lb_figure *figure;
    lb_segment segment;
    lb_site site;
    lb_joint joint;
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment_defaults(&segment);
    segment.name = "base";
    REQUIRE(lb_builder_add_segment(b, &segment) == 0);
    segment.name = "rod";
    REQUIRE(lb_builder_add_segment(b, &segment) == 1);
    for (int i = 0; i < 2; i++) {
        lb_site_defaults(&site);
        site.segment = i;
        site.name = "a";
        REQUIRE(lb_builder_add_site(b, &site) == i);
    }
    lb_joint_defaults(&joint);
    joint.name = "shoulder";
    joint.site_a = 0;
    joint.site_b = 1;
    joint.type.element_count = 1;
    joint.type.elements[0].kind = LB_ELEMENT_SWING_TWIST;
    memcpy(joint.type.elements[0].axis, twist_axis, sizeof twist_axis);
    joint.swing_count = random_swing(random, swing);
    joint.swing = (const double(*)[2])swing;
    REQUIRE(lb_builder_add_joint(b, &joint) == 0);
    REQUIRE(lb_builder_finish(b, &figure) == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

/* The largest that a variable may be, or the least, is inside all limits, and what is beyond it is not. */
static void check_room(const lb_figure *figure, check_random *random) {
    double pose[REASONS_MOST_VARIABLES];
    uint64_t seed = 1 + check_random_index(random, 1000000);
    lb_figure_random_pose(figure, &seed, pose);
    for (int i = 0; i < lb_figure_variable_count(figure); i++) {
        const double kept = pose[i];
        lb_room room;
        lb_figure_room(figure, pose, i, &room);
        CHECK(room.lower <= kept + 1e-9 && room.upper >= kept - 1e-9);
        for (int side = 0; side < 2; side++) {
            const double end = side ? room.upper : room.lower, out = side ? 2e-3 : -2e-3;
            if (!isfinite(end)) {
                continue;
            }
            pose[i] = end;
            CHECK(lb_figure_violation(figure, pose) < 1e-9);
            pose[i] = end + out;
            CHECK(lb_figure_violation(figure, pose) > 1e-9);
        }
        pose[i] = kept;
    }
}

/* Whether a limit is among the reasons: one of this name, or, with NULL, any. */
static int is_limit_named(const lb_result *result, const char *name) {
    for (int i = 0; i < result->reason_count; i++) {
        const lb_reason *r = &result->reasons[i];
        const int is_limit = r->kind == LB_REASON_LIMIT || r->kind == LB_REASON_ROW || r->kind == LB_REASON_REGION;
        if (is_limit && (!name || (r->name && strstr(r->name, name)))) {
            return 1;
        }
    }
    return 0;
}

static void random_direction(check_random *random, double way[3]) {
    double length = 0;
    while (length < 0.1 || length > 1) {
        for (int i = 0; i < 3; i++) {
            way[i] = check_random_range(random, -1, 1);
        }
        length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    }
    for (int i = 0; i < 3; i++) {
        way[i] /= length;
    }
}

/* Solves and explains; what is said is checked. Returns whether a limit had to be named. */
static int check_goal(lb_problem *problem, const double *start, const char *limit, double least, reasons_tally *tally,
                      const char *name) {
    double pose[REASONS_MOST_VARIABLES], answer[REASONS_MOST_VARIABLES];
    lb_result result;
    lb_solve_options options;
    int is_stopped = 0;
    lb_result_defaults(&result);
    lb_solve_options_defaults(&options);
    lb_solver *solver = lb_solver_create(problem, NULL), *other = lb_solver_create(problem, NULL);
    REQUIRE(solver && other);
    memcpy(pose, start, (size_t)lb_problem_variable_count(problem) * sizeof *pose);
    REQUIRE(lb_solver_solve(solver, &options, pose, &result) == LB_OK);
    if (result.outcome == LB_OUTCOME_MINIMUM && result.constraints[0].distance > least) {
        REQUIRE(lb_solver_explain(solver, &options, pose, &result) == LB_OK);
        reasons_case c = {problem, other, pose, answer, &result, tally, name};
        reasons_check(&c);
        is_stopped = 1;
        if (!is_limit_named(&result, limit)) {
            printf("%s: %s\n", name, result.explanation);
        }
        CHECK(is_limit_named(&result, limit));
    }
    lb_solver_destroy(other);
    lb_solver_destroy(solver);
    return is_stopped;
}

static void check_rods(long cases, reasons_tally *tally) {
    check_random random;
    long stopped = 0;
    check_random_seed(&random, 26);
    for (long i = 0; i < cases; i++) {
        lb_figure *figure = make_rod(&random);
        lb_problem *problem = lb_problem_create(figure, NULL);
        lb_constraint c;
        char name[32];
        double way[3], pose[3] = {0, 0, 0}, end[3] = {0, 0, 1};
        lb_constraint_defaults(&c);
        c.name = "tip";
        c.effector.segment = 1;
        memcpy(c.effector.point, end, sizeof end);
        do { /* a goal on the sphere of the tip: a swing leads there, and no other limit is there to blame */
            random_direction(&random, way);
        } while (way[2] < -0.9);
        memcpy(c.goal.point, way, sizeof way);
        REQUIRE(lb_problem_add(problem, &c) > 0);
        snprintf(name, sizeof name, "rod %ld", i);
        check_note(name);
        stopped += check_goal(problem, pose, "shoulder", 0.05, tally, name);
        check_room(figure, &random);
        lb_problem_destroy(problem);
        lb_figure_destroy(figure);
    }
    printf("%ld rods, %ld stopped by their swing\n", cases, stopped);
    CHECK(stopped > cases / 3);
}

/* The right arm of a person whose elbow is stretched and held: only the shoulder's region is in the way of points at arm's length. */
static void check_shoulder(long cases, reasons_tally *tally) {
    char path[1024];
    lb_figure *human;
    lb_constraint c;
    lb_frame frame;
    double rest[REASONS_MOST_VARIABLES], shoulder[3], way[3], e[9];
    check_random random;
    long stopped = 0;
    check_random_seed(&random, 3);
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &human, NULL) == LB_OK);
    lb_figure_rest_pose(human, rest);
    lb_kinematics *k = lb_kinematics_create(human, NULL);
    lb_kinematics_update(k, rest);
    const int socket = lb_figure_find_joint(human, "right_glenohumeral");
    REQUIRE(socket >= 0 && lb_kinematics_site(k, lb_figure_joint(human, socket)->site_a, &frame) == LB_OK);
    memcpy(shoulder, frame.position, sizeof shoulder);
    for (long i = 0; i < cases; i++) {
        lb_problem *problem = lb_problem_create(human, NULL);
        char name[32];
        double reach = 0;
        for (int v = 0; v < lb_figure_variable_count(human); v++) {
            const int is_arm = strncmp(lb_figure_variable(human, v)->name, "right_shoulder.", 15) == 0;
            REQUIRE(is_arm || lb_problem_set_active(problem, v, 0) == LB_OK);
        }
        REQUIRE(lb_constraint_at(human, "right_palm", shoulder, &c) == LB_OK);
        lb_kinematics_effector(k, &c.effector, e);
        for (int a = 0; a < 3; a++) {
            reach += (e[a] - shoulder[a]) * (e[a] - shoulder[a]);
        }
        random_direction(&random, way);
        for (int a = 0; a < 3; a++) {
            c.goal.point[a] = shoulder[a] + sqrt(reach) * way[a];
        }
        REQUIRE(lb_problem_add(problem, &c) > 0);
        snprintf(name, sizeof name, "shoulder %ld", i);
        check_note(name);
        stopped += check_goal(problem, rest, NULL, 0.15, tally, name);
        check_room(human, &random);
        lb_problem_destroy(problem);
    }
    lb_kinematics_destroy(k);
    lb_figure_destroy(human);
    printf("%ld points at arm's length, %ld kept away by the shoulder\n", cases, stopped);
    CHECK(stopped > cases / 10);
}

int main(int argc, char **argv) {
    const long cases = argc > 1 ? atol(argv[1]) : check_count(400, 20000);
    reasons_tally tally = {.is_told = 1};
    check_rods(cases, &tally);
    check_shoulder(cases / 4, &tally);
    reasons_print(&tally);
    return check_done();
}
