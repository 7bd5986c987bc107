/* People keep clear of what the problem keeps apart, and stay people: beside a post and a wedge, of each other, of a robot, and of what they
 * carry. "Solved" is said only where a judge - a solver of a problem of its own, without bodies - sees no overlap. */
#include <limber/body.h>
#include <limber/collisions.h>
#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

#define MOST 256
#define OVERLAP 1e-4 /* metres: what a solved answer may overlap by */

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static lb_figure *load(const char *file) {
    char path[600];
    lb_error error = {0};
    lb_figure *figure = NULL;
    REQUIRE(check_source(file, path, sizeof path) && lb_figure_load(path, NULL, &figure, &error) == LB_OK);
    return figure;
}

/* --- Beside a post and a wedge --------------------------------------------------------------------------------------------------- */

/* A post before the right shoulder, and a wedge like a desk. */
static void make_world(lb_solid solids[2], lb_collisions *all) {
    static const double wedge[6][3] = {{0.45, -0.1, 0.7}, {0.45, 0.4, 0.7},   {0.9, -0.1, 0.7},
                                       {0.9, 0.4, 0.7},   {0.45, -0.1, 0.95}, {0.45, 0.4, 0.95}};
    for (int i = 0; i < 2; i++) {
        lb_shape_defaults(&solids[i].shape);
    }
    solids[0].name = "post";
    solids[0].shape.kind = LB_SHAPE_CYLINDER;
    solids[0].shape.size[0] = 0.06;
    solids[0].shape.size[1] = 0.7;
    lb_frame_identity(&solids[0].shape.frame);
    memcpy(solids[0].shape.frame.position, (const double[3]){0.38, -0.22, 0.7}, sizeof solids[0].shape.frame.position);
    solids[1].name = "wedge";
    solids[1].shape.kind = LB_SHAPE_HULL;
    solids[1].shape.vertex_count = 6;
    solids[1].shape.vertices = wedge;
    lb_collisions_defaults(all);
    all->solid_count = 2;
    all->solids = solids;
}

/* How far a point is from the post and the wedge; less than 0 inside. */
static double room_at(const double at[3]) {
    const double off[2] = {at[0] - 0.38, at[1] + 0.22}, slope = hypot(0.25, 0.45);
    const double post = hypot(off[0], off[1]) - 0.06;
    const double wedge = fmax(fmax(0.45 - at[0], 0.7 - at[2]),
                              fmax(-0.1 - at[1], ((at[0] - 0.45) * 0.25 + (at[2] - 0.95) * 0.45) / slope));
    return fmin(post, wedge);
}

typedef struct rig {
    lb_figure *human;
    lb_problem *problem, *judged;
    lb_solver *solver, *judge;
    int id;
} rig;

static void open_rig(rig *r, int body_first) {
    lb_solid solids[2];
    lb_collisions all;
    lb_constraint c;
    lb_error error;
    const double at[3] = {0.5, -0.25, 1.1};
    make_world(solids, &all);
    r->human = load("models/human.fig");
    r->problem = lb_problem_create(r->human, NULL);
    r->judged = lb_problem_create(r->human, NULL);
    REQUIRE(lb_constraint_at(r->human, "right_palm", at, &c) == LB_OK);
    r->id = lb_problem_add(r->problem, &c);
    if (body_first) {
        REQUIRE(lb_problem_set_body(r->problem, 0, NULL) == LB_OK);
    }
    REQUIRE(lb_problem_set_collisions(r->problem, &all) == LB_OK);
    if (!body_first) {
        REQUIRE(lb_problem_set_body(r->problem, 0, NULL) == LB_OK);
    }
    all.self = 0;
    REQUIRE(lb_problem_set_collisions(r->judged, &all) == LB_OK);
    r->solver = lb_solver_create(r->problem, &error);
    r->judge = lb_solver_create(r->judged, &error);
    REQUIRE(r->solver && r->judge);
}

static void close_rig(rig *r) {
    lb_solver_destroy(r->solver);
    lb_solver_destroy(r->judge);
    lb_problem_destroy(r->problem);
    lb_problem_destroy(r->judged);
    lb_figure_destroy(r->human);
}

static double overlap_of(lb_solver *judge, const double *pose) {
    lb_contact_pair near;
    return lb_solver_near_pairs(judge, pose, 0.01, 1, &near) > 0 ? -near.distance : -0.01;
}

static void reach_beside(rig *r) {
    const int count = check_count(40, 200);
    int solved = 0, touching_alone = 0;
    uint64_t seed = 7;
    double rest[MOST], pose[MOST];
    lb_result result;
    lb_result_defaults(&result);
    lb_figure_rest_pose(r->human, rest);
    for (int i = 0; i < count; i++) {
        lb_frame goal = {{0, 0, 0}, {0, 0, 0, 1}};
        do { /* the hand is 3 cm thick */
            goal.position[0] = 0.42 + 0.25 * uniform(&seed);
            goal.position[1] = -0.45 + 0.6 * uniform(&seed);
            goal.position[2] = 0.55 + 0.9 * uniform(&seed);
        } while (room_at(goal.position) < 0.03);
        REQUIRE(lb_problem_move_goal(r->problem, r->id, &goal) == LB_OK);
        memcpy(pose, rest, sizeof pose);
        REQUIRE(lb_solver_solve(r->solver, NULL, pose, &result) == LB_OK);
        const double overlap = overlap_of(r->judge, pose);
        check_note("reach %d at %.3f, %.3f, %.3f: %s", i, goal.position[0], goal.position[1], goal.position[2],
                   result.explanation);
        CHECK(result.outcome != LB_OUTCOME_SOLVED || overlap <= OVERLAP);
        CHECK(result.outcome == LB_OUTCOME_SOLVED || strstr(result.explanation, "In the way: ") != NULL);
        solved += result.outcome == LB_OUTCOME_SOLVED;
        const lb_body_result *body = lb_solver_body(r->solver, 0);
        CHECK(body && (result.outcome != LB_OUTCOME_SOLVED || body->margin > -1e-6)); /* it stands */
        touching_alone += overlap > -0.01;
    }
    check_note("%s", "");
    CHECK(solved >= 0.95 * count);
    CHECK(touching_alone > 0); /* there was something in the way */
    printf("beside: %d of %d solved\n", solved, count);
}

/* A goal inside of the wedge: the answer is not solved, and the sentence names the wedge. */
static void reach_inside(rig *r) {
    double pose[MOST];
    lb_result result;
    const lb_frame goal = {{0.6, 0.1, 0.78}, {0, 0, 0, 1}};
    lb_result_defaults(&result);
    lb_figure_rest_pose(r->human, pose);
    REQUIRE(lb_problem_move_goal(r->problem, r->id, &goal) == LB_OK);
    REQUIRE(lb_solver_solve(r->solver, NULL, pose, &result) == LB_OK);
    check_note("inside: %s", result.explanation);
    CHECK(result.outcome != LB_OUTCOME_SOLVED);
    CHECK(strstr(result.explanation, "In the way: ") && strstr(result.explanation, " and wedge"));
}

/* Whether a figure becomes a body before or after things are kept apart makes no difference, nor does a second solve. */
static void order_does_not_count(rig *r) {
    rig other;
    double first[MOST], second[MOST], again[MOST];
    const lb_frame goal = {{0.47, -0.3, 0.9}, {0, 0, 0, 1}};
    lb_result result;
    lb_result_defaults(&result);
    open_rig(&other, 1);
    CHECK_INT(lb_problem_pair_count(other.problem), lb_problem_pair_count(r->problem));
    REQUIRE(lb_problem_move_goal(r->problem, r->id, &goal) == LB_OK);
    REQUIRE(lb_problem_move_goal(other.problem, other.id, &goal) == LB_OK);
    lb_figure_rest_pose(r->human, first);
    lb_figure_rest_pose(r->human, second);
    lb_figure_rest_pose(r->human, again);
    REQUIRE(lb_solver_solve(r->solver, NULL, first, &result) == LB_OK);
    REQUIRE(lb_solver_solve(other.solver, NULL, second, &result) == LB_OK);
    REQUIRE(lb_solver_solve(r->solver, NULL, again, &result) == LB_OK);
    const size_t size = (size_t)lb_figure_variable_count(r->human) * sizeof *first;
    CHECK(memcmp(first, second, size) == 0);
    CHECK(memcmp(first, again, size) == 0);
    /* without its body it has pairs of its own limbs; with it again, none */
    const int pairs = lb_problem_pair_count(other.problem);
    CHECK_INT(lb_problem_clear_body(other.problem, 0), LB_OK);
    CHECK(lb_problem_pair_count(other.problem) > pairs);
    CHECK_INT(lb_problem_set_body(other.problem, 0, NULL), LB_OK);
    CHECK_INT(lb_problem_pair_count(other.problem), pairs);
    close_rig(&other);
}

/* --- A person keeps clear of themselves as ever ----------------------------------------------------------------------------------- */

static void self_alone(void) {
    lb_figure *human = load("models/human.fig");
    lb_problem *p = lb_problem_create(human, NULL);
    lb_collisions all;
    lb_constraint c;
    lb_result result;
    double pose[MOST];
    const double at[3] = {0.4, -0.2, 1.2};
    lb_collisions_defaults(&all);
    all.samples = 0;
    lb_result_defaults(&result);
    REQUIRE(lb_problem_set_body(p, 0, NULL) == LB_OK);
    REQUIRE(lb_problem_set_collisions(p, &all) == LB_OK);
    CHECK_INT(lb_problem_pair_count(p), 0);
    REQUIRE(lb_constraint_at(human, "right_palm", at, &c) == LB_OK);
    lb_problem_add(p, &c);
    lb_figure_rest_pose(human, pose);
    REQUIRE(lb_solve(p, NULL, pose, &result) == LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    lb_problem_destroy(p);
    lb_figure_destroy(human);
}

/* --- Two people and a robot -------------------------------------------------------------------------------------------------------- */

/* Two people face each other, 1.1 m apart; each reaches past the other's hand; an arm stands between them and reaches up. */
static void in_company(void) {
    static const double goals[3][3] = {{0.55, -0.05, 1.15}, {0.55, 0.12, 1.1}, {0.5, 0.55, 0.55}};
    static const char *const ends[3] = {"right_palm", "right_palm", "tool"};
    lb_figure *human = load("models/human.fig"), *arm = load("models/panda.fig");
    const lb_figure *figures[3] = {human, human, arm};
    lb_problem *p = lb_problem_create(human, NULL), *judged = lb_problem_create(human, NULL);
    lb_collisions all;
    lb_error error;
    lb_result result;
    double pose[MOST];
    const int n = lb_figure_variable_count(human);
    for (int i = 1; i < 3; i++) {
        REQUIRE(lb_problem_add_figure(p, figures[i]) >= 0 && lb_problem_add_figure(judged, figures[i]) >= 0);
    }
    for (int i = 0; i < 3; i++) {
        lb_constraint c;
        REQUIRE(lb_constraint_at(figures[i], ends[i], goals[i], &c) == LB_OK);
        c.figure = i;
        REQUIRE(lb_problem_add(p, &c) > 0);
    }
    lb_collisions_defaults(&all);
    all.samples = 100;
    REQUIRE(lb_problem_set_body(p, 0, NULL) == LB_OK && lb_problem_set_body(p, 1, NULL) == LB_OK);
    REQUIRE(lb_problem_set_collisions(p, &all) == LB_OK);
    lb_figure_rest_pose(human, pose);
    lb_figure_rest_pose(human, pose + n);
    lb_figure_rest_pose(arm, pose + 2 * n);
    pose[n] = 1.1;
    pose[n + 5] = 3.1;
    lb_solver *solver = lb_solver_create(p, &error);
    REQUIRE(solver != NULL);
    lb_result_defaults(&result);
    REQUIRE(lb_solver_solve(solver, NULL, pose, &result) == LB_OK);
    lb_contact_pair near[4];
    const int touching = lb_solver_near_pairs(solver, pose, -OVERLAP, 4, near);
    check_note("two people and an arm, %d pairs: %s", lb_problem_pair_count(p), result.explanation);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK_INT(touching, 0);
    for (int f = 0; f < 2; f++) {
        CHECK(lb_solver_body(solver, f)->margin > -1e-6);
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_problem_destroy(judged);
    lb_figure_destroy(human);
    lb_figure_destroy(arm);
}

/* --- A table is carried past a robot ---------------------------------------------------------------------------------------------- */

static lb_figure *make_table(void) {
    lb_figure *table = NULL;
    lb_segment segment;
    lb_shape top;
    lb_root root;
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment_defaults(&segment);
    segment.name = "top";
    segment.mass = 8;
    lb_shape_defaults(&top);
    top.kind = LB_SHAPE_BOX;
    top.segment = lb_builder_add_segment(b, &segment);
    memcpy(top.size, (const double[3]){0.35, 0.4, 0.02}, 3 * sizeof *top.size);
    REQUIRE(lb_builder_add_shape(b, &top) >= 0);
    lb_root_defaults(&root);
    root.is_free = 1;
    REQUIRE(lb_builder_set_root(b, &root) == LB_OK && lb_builder_finish(b, &table) == LB_OK);
    lb_builder_destroy(b);
    return table;
}

/* Hands and their fingers may touch the table: segments that hang on one of these. */
static int add_hands(const lb_figure *human, int figure, lb_touching *list) {
    const int hands[2] = {lb_figure_find_segment(human, "right_hand"), lb_figure_find_segment(human, "left_hand")};
    int count = 0;
    REQUIRE(hands[0] >= 0 && hands[1] >= 0);
    for (int s = 0; s < lb_figure_segment_count(human); s++) {
        int at = s;
        while (at >= 0 && at != hands[0] && at != hands[1]) {
            at = lb_figure_parent_segment(human, at);
        }
        int is_solid = 0;
        for (int i = 0; i < lb_figure_shape_count(human); i++) {
            is_solid |= lb_figure_shape(human, i)->segment == s;
        }
        if (at >= 0 && is_solid) {
            list[count++] = (lb_touching){figure, s, 2, 0};
        }
    }
    return count;
}

/* Two people hold a table by its short edges, 8 kg of it, and bring it along to where a robot works: each of three places is one problem
 * of four figures, whose goals the table carries. */
static void carry_past(void) {
    static const char *const palms[2] = {"right_palm", "left_palm"};
    static const double way[3] = {1.0, 0.85, 0.72};
    lb_figure *human = load("models/human.fig"), *arm = load("models/panda.fig"), *table = make_table();
    lb_problem *p = lb_problem_create(human, NULL);
    lb_touching touching[2 * MOST];
    lb_collisions all;
    lb_constraint c;
    lb_error error;
    lb_result result;
    double pose[2 * MOST];
    const int n = lb_figure_variable_count(human);
    int id = -1, touching_count = 0;
    REQUIRE(lb_problem_add_figure(p, human) == 1 && lb_problem_add_figure(p, table) == 2 &&
            lb_problem_add_figure(p, arm) == 3);
    for (int k = 0; k < 4; k++) {
        const int person = k / 2;
        const double side = person ? 1 : -1, at[3] = {side * 0.36, (k % 2 ? -side : side) * 0.25, 0};
        REQUIRE(lb_constraint_at(human, palms[k % 2], at, &c) == LB_OK);
        c.figure = person;
        c.goal.carrier_figure = 2;
        c.goal.carrier_segment = 0;
        REQUIRE(lb_problem_add(p, &c) > 0);
    }
    REQUIRE(lb_constraint_at(arm, "tool", (const double[3]){0.35, 0.1, 0.6}, &c) == LB_OK);
    c.figure = 3;
    REQUIRE(lb_problem_add(p, &c) > 0);
    lb_frame at = {{0, way[0], 0.95}, {0, 0, 0, 1}};
    REQUIRE(lb_constraint_frame(table, "top", &at, &c) == LB_OK);
    c.figure = 2;
    id = lb_problem_add(p, &c);
    lb_collisions_defaults(&all);
    all.samples = 100;
    touching_count = add_hands(human, 0, touching);
    touching_count += add_hands(human, 1, touching + touching_count);
    all.touching = touching;
    all.touching_count = touching_count;
    REQUIRE(lb_problem_set_body(p, 0, NULL) == LB_OK && lb_problem_set_body(p, 1, NULL) == LB_OK);
    lb_problem_set_collisions(p, &all);
    check_note("%s", lb_problem_error(p)->message);
    REQUIRE(lb_problem_pair_count(p) > 0);
    lb_solver *solver = lb_solver_create(p, &error);
    REQUIRE(solver != NULL);
    for (int k = 0; k < 3; k++) {
        lb_figure_rest_pose(human, pose);
        lb_figure_rest_pose(human, pose + n);
        lb_figure_rest_pose(table, pose + 2 * n);
        lb_figure_rest_pose(arm, pose + 2 * n + 6);
        pose[0] = -0.75, pose[n] = 0.75, pose[n + 5] = 3.14159265358979;
        pose[1] = pose[n + 1] = pose[2 * n + 1] = way[k];
        pose[2 * n + 2] = 0.95;
        at.position[1] = way[k];
        REQUIRE(lb_problem_move_goal(p, id, &at) == LB_OK);
        lb_result_defaults(&result);
        REQUIRE(lb_solver_solve(solver, NULL, pose, &result) == LB_OK);
        lb_contact_pair near[4];
        const int pairs = lb_solver_near_pairs(solver, pose, -OVERLAP, 4, near);
        check_note("a table at y = %.2f, %d pairs: %s", way[k], lb_problem_pair_count(p), result.explanation);
        printf("a table at y = %.2f: %s\n", way[k], result.explanation);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        CHECK_INT(pairs, 0);
        for (int f = 0; f < 2; f++) {
            CHECK(lb_solver_body(solver, f)->margin > -1e-6);
        }
    }
    check_note("%s", "");
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(human);
    lb_figure_destroy(arm);
    lb_figure_destroy(table);
}

int main(void) {
    rig r;
    open_rig(&r, 0);
    reach_beside(&r);
    reach_inside(&r);
    order_does_not_count(&r);
    close_rig(&r);
    self_alone();
    in_company();
    carry_past();
    return check_done();
}
