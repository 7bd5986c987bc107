/* Drags of random people and robots: the same targets give the same bits, whatever is asked between frames; limits are never
 * left; nothing jumps; who is let go stands; and the problem is as it was. `test_property_drag [CASES [FIRST]]` */
#include <limber/drag.h>
#include <limber/io.h>

#include "people/people.h"

#include <math.h>
#include <string.h>

#define FRAMES 30

typedef struct subject {
    lb_problem *problem;
    const lb_figure *figure;
    double pose[PEOPLE_VARIABLES];
    lb_drag_options options;
    lb_frame targets[FRAMES];
    int is_body;
} subject;

static void draw_options(subject *s, check_random *r, const char *part) {
    lb_error error;
    lb_drag_options_defaults(&s->options);
    REQUIRE(lb_figure_find_effector(s->figure, part, &s->options.effector, &error) == LB_OK);
    s->options.turns = check_random_index(r, 4) == 0;
}

/* A way of the hand: here a few steps, there a jump, now and then a rest. */
static void draw_targets(subject *s, check_random *r, double far) {
    lb_kinematics *k = lb_kinematics_create(s->figure, NULL);
    double e[9], way[3];
    REQUIRE(k && lb_kinematics_update(k, s->pose) == LB_OK);
    REQUIRE(lb_kinematics_effector(k, &s->options.effector, e) == LB_OK);
    lb_kinematics_destroy(k);
    for (int i = 0; i < 3; i++) {
        way[i] = check_random_range(r, -far, far) / 10;
    }
    for (int t = 0; t < FRAMES; t++) {
        lb_frame *frame = &s->targets[t];
        lb_frame_identity(frame);
        const int moves = t < FRAMES - 12 && check_random_index(r, 4) > 0, jumps = check_random_index(r, 8) == 0;
        for (int i = 0; i < 3; i++) {
            const double from = t ? s->targets[t - 1].position[i] : e[i];
            frame->position[i] = from + (moves ? way[i] + (jumps ? check_random_range(r, -far, far) / 3 : 0) : 0);
        }
    }
}

/* Replays the drag; `asks`: what else is asked between frames, as bits. */
static void replay(const subject *s, int asks, double (*poses)[PEOPLE_VARIABLES], lb_drag_state *state, int *jumps) {
    lb_error error;
    lb_result result;
    lb_result_defaults(&result);
    lb_drag *drag = lb_drag_create(s->problem, s->pose, &s->options, &error);
    CHECK(drag != NULL);
    REQUIRE(drag != NULL);
    const int variables = lb_problem_variable_count(s->problem);
    const double *before = s->pose;
    for (int t = 0; t < FRAMES; t++) {
        REQUIRE(lb_drag_move(drag, &s->targets[t], poses[t], state) == LB_OK);
        CHECK(lb_figure_violation(s->figure, poses[t]) <= 1e-9);
        for (int v = 0; v < variables; v++) {
            *jumps += fabs(poses[t][v] - before[v]) > 0.5;
        }
        if (asks & 1) {
            CHECK_INT(lb_drag_think(drag), LB_OK);
        }
        if ((asks & 2) && t % 7 == 0) {
            CHECK_INT(lb_drag_explain(drag, &result), LB_OK);
            CHECK(result.said_count > 0);
        }
        before = poses[t];
    }
    CHECK_INT(lb_drag_end(drag, poses[FRAMES]), LB_OK);
    CHECK(lb_figure_violation(s->figure, poses[FRAMES]) <= 1e-9);
    const lb_body_result *body = lb_drag_body(drag, 0);
    CHECK_INT(body != NULL, s->is_body);
    if (body) {
        CHECK(body->margin > -0.002 && body->overlap < 0.005);
        check_note("margin %g, overlap %g", body->margin, body->overlap);
    }
    lb_drag_destroy(drag);
}

/* What a solve says before a drag and after it. */
static void solve(const subject *s, double *pose) {
    memcpy(pose, s->pose, sizeof s->pose);
    lb_result result;
    lb_result_defaults(&result);
    CHECK_INT(lb_solve(s->problem, NULL, pose, &result), LB_OK);
}

static void check_subject(subject *s, long number) {
    static double first[FRAMES + 1][PEOPLE_VARIABLES], second[FRAMES + 1][PEOPLE_VARIABLES];
    double before[PEOPLE_VARIABLES], after[PEOPLE_VARIABLES];
    lb_drag_state one, two;
    int jumps = 0;
    const size_t size = (size_t)lb_problem_variable_count(s->problem) * sizeof(double);
    const int constraints = lb_problem_constraint_count(s->problem);
    lb_drag_state_defaults(&one);
    lb_drag_state_defaults(&two);
    check_note("case %ld", number);
    solve(s, before);
    replay(s, 0, first, &one, &jumps);
    solve(s, after);
    CHECK(memcmp(before, after, size) == 0);
    CHECK_INT(lb_problem_constraint_count(s->problem), constraints);
    replay(s, 1 + number % 3, second, &two, &jumps);
    for (int t = 0; t <= FRAMES; t++) {
        check_note("case %ld, frame %d", number, t);
        if (!CHECK(memcmp(first[t], second[t], size) == 0)) {
            break;
        }
    }
    CHECK(one.settled == two.settled && one.miss == two.miss && one.glides == two.glides);
    CHECK_INT(jumps, 0);
}

static void person(long number) {
    static const char *const parts[] = {"right_hand", "left_hand", "pelvis", "head", "right_foot", "vertebra_T8"};
    people p;
    subject s = {.is_body = 1};
    people_stand(&p, (uint64_t)number * 17 + 1);
    s.problem = p.problem;
    s.figure = p.figure;
    memcpy(s.pose, p.start, sizeof s.pose);
    if (check_random_index(&p.random, 3) == 0) {
        people_reach(&p, "left_palm", 0.3, 0.3, check_random_range(&p.random, 0.9, 1.2), 0);
    }
    draw_options(&s, &p.random, parts[check_random_index(&p.random, 6)]);
    draw_targets(&s, &p.random, 0.5);
    check_subject(&s, number);
    people_free(&p);
}

static void robot(long number) {
    char path[512];
    lb_figure *figure = NULL;
    lb_constraint keep;
    subject s = {0};
    check_random r;
    check_random_seed(&r, (uint64_t)number * 29 + 11);
    REQUIRE(check_source(number % 2 ? "models/panda.fig" : "models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    s.figure = figure;
    s.problem = lb_problem_create(figure, NULL);
    lb_figure_rest_pose(figure, s.pose);
    if (number % 2 == 0) { /* a person as the bare problem, on pinned feet */
        REQUIRE(lb_constraint_keep(figure, "right_foot", s.pose, &keep) == LB_OK);
        REQUIRE(lb_problem_add(s.problem, &keep) > 0);
        REQUIRE(lb_constraint_keep(figure, "left_foot", s.pose, &keep) == LB_OK);
        REQUIRE(lb_problem_add(s.problem, &keep) > 0);
    }
    draw_options(&s, &r, number % 2 ? "link7" : "right_hand");
    draw_targets(&s, &r, 0.6);
    check_subject(&s, number);
    lb_problem_destroy(s.problem);
    lb_figure_destroy(figure);
}

int main(int argc, char **argv) {
    const long cases = argc > 1 ? atol(argv[1]) : check_count(12, 300), first = argc > 2 ? atol(argv[2]) : 0;
    for (long i = first; i < first + cases; i++) {
        person(i);
        robot(i);
    }
    return check_done();
}
