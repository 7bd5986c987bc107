/* Abilities in company, on a servo: each of a natural body, limbs apart, surroundings, strict priorities, strength limits, contacts and
 * surfaces, several figures with goals carried by each other, moving goals and habit, for a person, a character that is read from a GLB and
 * a robot on legs. In all of them feet stay, the centre of mass is over what stands, and no limit is exceeded. */
#include <limber/collisions.h>
#include <limber/io.h>
#include <limber/servo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "servo_rig.h"

static const char *const names[] = {"human", "character", "robot"};
#define FIGURES 3

/* Where a hand is. */
static void hand_at(servo_rig *r, int hand, double at[9]) {
    lb_effector effector;
    REQUIRE(lb_figure_find_effector(r->figure, r->hand_names[hand], &effector, NULL) == LB_OK);
    lb_kinematics_update(r->kinematics, r->pose);
    lb_kinematics_effector(r->kinematics, &effector, at);
}

static void move_hand(servo_rig *r, int hand, double x, double y, double z) {
    lb_frame goal = r->rest[hand];
    goal.position[0] += x * r->size;
    goal.position[1] += y * r->size;
    goal.position[2] += z * r->size;
    lb_problem_move_goal(r->problem, r->hands[hand], &goal);
}

static void run(servo_rig *r, servo_judge *j, int ticks) {
    for (int t = 0; t < ticks; t++) {
        REQUIRE(lb_servo_tick(r->servo, r->pose, &r->state) == LB_OK);
        servo_judge_tick(j, r);
    }
}

/* What is promised of every tick was kept. */
static void finish(servo_rig *r, const servo_judge *j) {
    CHECK_INT(j->violations, 0);
    CHECK_INT(j->lost, 0);
    CHECK_INT(j->fallen, 0);
    servo_rig_close(r);
}

static void start(servo_rig *r, servo_judge *j) {
    if (!CHECK_INT(lb_servo_start(r->servo, r->pose, NULL, &r->error), LB_OK)) {
        printf("%s: %s\n", r->name, r->error.message);
    }
    servo_judge_begin(j, r);
}

static double sum_of_terms(servo_rig *r) {
    const lb_body_result *body = lb_servo_body(r->servo, 0);
    double sum = 0;
    REQUIRE(body != NULL);
    for (int i = 0; i < LB_BODY_TERM_COUNT; i++) {
        sum += body->terms[i];
    }
    return sum;
}

/* --- Natural body -------------------------------------------------------------------------------------------------------- */

/* A hand goes to its goal; then the whole settles as a body would be, which one whose terms weigh nothing does not. */
static void natural(const char *name) {
    servo_rig r;
    servo_judge j;
    double arrived = 0;
    REQUIRE(servo_rig_open(&r, name));
    start(&r, &j);
    move_hand(&r, 0, 0.1, -0.05, 0.15);
    run(&r, &j, 300);
    arrived = sum_of_terms(&r);
    run(&r, &j, 3000);
    const double settled = sum_of_terms(&r);
    CHECK(r.state.lag < 1e-4);
    lb_solver *solver = lb_solver_create(r.problem, NULL);
    lb_result result;
    double pose[SERVO_MOST], solved = 0;
    lb_solve_options options;
    lb_result_defaults(&result);
    lb_solve_options_defaults(&options);
    options.tracking = 1; /* from here, as the servo does */
    memcpy(pose, r.pose, sizeof pose);
    REQUIRE(lb_solver_solve(solver, &options, pose, &result) == LB_OK);
    for (int i = 0; i < LB_BODY_TERM_COUNT; i++) {
        solved += lb_solver_body(solver, 0)->terms[i];
    }
    printf("%s: terms %.3f on arrival, %.3f settled, %.3f by a solve from there\n", name, arrived, settled, solved);
    CHECK(settled < 1.3 * solved + 0.02);
    lb_solver_destroy(solver);
    finish(&r, &j);
}

/* --- Limbs apart, and surroundings ------------------------------------------------------------------------------------------ */

/* A hand is asked for inside of the trunk, wherever that goes. */
static double deepest(const char *name, int apart) {
    servo_rig r;
    servo_judge j;
    lb_body_options body;
    lb_constraint c;
    double deep = 0;
    lb_body_options_defaults(&body);
    body.apart = apart;
    REQUIRE(servo_rig_open_with(&r, name, &body, NULL));
    const lb_body *own = lb_figure_body(r.figure);
    int trunk = 0; /* the thickest solid */
    for (int i = 1; i < own->solid_count; i++) {
        trunk = own->solids[i].radius > own->solids[trunk].radius ? i : trunk;
    }
    REQUIRE(lb_constraint_at(r.figure, r.hand_names[0], own->solids[trunk].from, &c) == LB_OK);
    c.goal.carrier_segment = own->solids[trunk].segment;
    REQUIRE(lb_problem_change(r.problem, r.hands[0], &c) == LB_OK);
    start(&r, &j);
    run(&r, &j, 2000);
    CHECK(!apart || r.state.hold != LB_SERVO_HOLD_NONE);
    body.apart = 1;
    lb_problem_set_body(r.problem, 0, &body); /* so that the overlap is measured */
    REQUIRE(lb_servo_tick(r.servo, r.pose, NULL) == LB_OK);
    deep = lb_servo_body(r.servo, 0)->overlap;
    finish(&r, &j);
    return deep;
}

static void limbs_apart(const char *name) {
    const double with = deepest(name, 1), without = deepest(name, 0);
    printf("%s: a hand into the trunk, %.2f mm deep, %.0f mm where that is allowed\n", name, 1e3 * with, 1e3 * without);
    CHECK(with < 1e-3 && without > 0.01);
}

/* A box in front, and a hand that is asked for inside of it and behind it. */
static void surroundings(const char *name) {
    servo_rig r;
    servo_judge j;
    lb_solid box;
    lb_collisions all;
    lb_contact_pair near;
    double overlap = -INFINITY;
    int blamed = 0;
    memset(&box, 0, sizeof box);
    REQUIRE(servo_rig_open(&r, name));
    lb_shape_defaults(&box.shape);
    box.name = "box";
    box.shape.kind = LB_SHAPE_BOX;
    lb_frame_identity(&box.shape.frame);
    for (int c = 0; c < 3; c++) {
        box.shape.frame.position[c] = r.rest[0].position[c] + r.size * (const double[3]){0.28, 0, 0.05}[c];
        box.shape.size[c] = 0.08 * r.size;
    }
    lb_collisions_defaults(&all);
    all.solid_count = 1;
    all.solids = &box;
    REQUIRE(lb_problem_set_collisions(r.problem, &all) == LB_OK);
    lb_problem *judged = lb_problem_create(r.figure, NULL);
    all.self = 0;
    REQUIRE(lb_problem_set_collisions(judged, &all) == LB_OK);
    lb_solver *judge = lb_solver_create(judged, NULL);
    start(&r, &j);
    for (int t = 0; t < 3000; t++) {
        const double s = 0.002 * t;
        move_hand(&r, 0, 0.3 * sin(s) * sin(s), 0.1 * sin(0.7 * s), 0.05);
        run(&r, &j, 1);
        blamed += r.state.hold == LB_SERVO_HOLD_COLLISION && r.state.pair >= 0;
        if (t % 10 == 0 && lb_solver_near_pairs(judge, r.pose, 0.2, 1, &near) > 0) {
            overlap = fmax(overlap, -near.distance);
        }
    }
    printf("%s: beside a box overlap %.3f mm, blamed in %d ticks\n", name, 1e3 * overlap, blamed);
    CHECK(overlap <= 1e-4);
    CHECK(overlap > -0.1); /* it was in the way */
    CHECK(blamed > 100);
    lb_solver_destroy(judge);
    lb_problem_destroy(judged);
    finish(&r, &j);
}

/* --- Strict priorities ------------------------------------------------------------------------------------------------------ */

/* The left hand, of a lower priority, pulls to where nobody gets. */
static void priorities(const char *name) {
    servo_rig r;
    servo_judge j;
    lb_constraint c;
    double at[9], off = 0, off_alike = 0;
    for (int strict = 1; strict >= 0; strict--) {
        REQUIRE(servo_rig_open(&r, name));
        REQUIRE(lb_constraint_at(r.figure, r.hand_names[1], r.rest[1].position, &c) == LB_OK);
        c.priority = strict;
        REQUIRE(lb_problem_change(r.problem, r.hands[1], &c) == LB_OK);
        start(&r, &j);
        for (int t = 0; t < 2000; t++) {
            move_hand(&r, 1, 1.5 * fmin(1, 0.001 * t), 0.3, 0.2);
            run(&r, &j, 1);
            hand_at(&r, 0, at);
            const double miss = sqrt(pow(at[0] - r.rest[0].position[0], 2) + pow(at[1] - r.rest[0].position[1], 2) +
                                     pow(at[2] - r.rest[0].position[2], 2));
            *(strict ? &off : &off_alike) = fmax(strict ? off : off_alike, miss);
        }
        finish(&r, &j);
    }
    printf("%s: the right hand moved by %.3f mm, %.0f mm where both are alike\n", name, 1e3 * off, 1e3 * off_alike);
    CHECK(off < 1e-3 && off_alike > 10 * off);
}

/* --- Strength ---------------------------------------------------------------------------------------------------------------- */

/* A load in a hand that goes out: the motors of a robot do not bear more than they may; efforts of people are said. */
static double strongest(const char *name, double mass, int drives) {
    servo_rig r;
    servo_judge j;
    lb_load load;
    lb_body_options body;
    double most = 0;
    const char *hands[2];
    lb_error error;
    lb_figure *figure = servo_figure(name, hands, &error);
    lb_effector effector;
    REQUIRE(figure && lb_figure_find_effector(figure, hands[0], &effector, NULL) == LB_OK);
    memset(&load, 0, sizeof load);
    load.segment = effector.segment;
    load.mass = mass;
    lb_body_options_defaults(&body);
    body.load_count = 1;
    body.loads = &load;
    body.drives = drives;
    lb_figure_destroy(figure);
    REQUIRE(servo_rig_open_with(&r, name, &body, NULL));
    start(&r, &j);
    j.fallen_counts = 0; /* the judge does not know the load */
    for (int t = 0; t < 2500; t++) {
        move_hand(&r, 0, 0.5 * fmin(1, 0.001 * t), -0.1, 0.3 * fmin(1, 0.001 * t));
        run(&r, &j, 1);
        if (t % 20 == 0 && t > 300) { /* the load is there from the first tick on */
            const lb_body_result *told = lb_servo_body(r.servo, 0);
            CHECK(told->margin > 0);
            most = fmax(most, told->effort_count ? told->efforts[0].share : 0);
        }
    }
    finish(&r, &j);
    return most;
}

static void strength(const char *name) {
    const int is_robot = !strcmp(name, "robot");
    const double mass = is_robot ? 10 : 5, with = strongest(name, mass, 1), without = strongest(name, mass, 0);
    printf("%s: a load of %.0f kg, most effort %.3f, %.3f without limits\n", name, mass, with, without);
    CHECK(with > 0.05);
    CHECK(!is_robot || (with < 1.001 && without > 1.05));
}

/* --- Contacts and surfaces ------------------------------------------------------------------------------------------------------ */

/* On a platform, with a hand that rests on a table or leans on a wall: the start is the answer of a solve, the other hand moves. */
static void surfaces(const char *name, int is_wall) {
    servo_rig r;
    servo_judge j;
    lb_surface given[1];
    lb_support support;
    lb_body_options options;
    lb_result result;
    const char *hands[2];
    lb_error error;
    lb_figure *figure = servo_figure(name, hands, &error);
    const lb_body *body = lb_figure_body(figure);
    int palm = -1;
    for (int i = 0; i < body->contact_count; i++) {
        palm = body->contacts[i].kind == LB_CONTACT_PALM && palm < 0 ? i : palm;
    }
    if (palm < 0) { /* robots have no palms: nothing of theirs can rest on a table */
        lb_figure_destroy(figure);
        return;
    }
    memset(given, 0, sizeof given);
    given[0].name = is_wall ? "wall" : "table";
    memcpy(given[0].point, is_wall ? (const double[3]){0.55, -0.2, 1.3} : (const double[3]){0.5, -0.2, 0.95},
           sizeof given[0].point);
    given[0].half_size[0] = given[0].half_size[1] = 0.6;
    given[0].normal[is_wall ? 0 : 2] = is_wall ? -1 : 1;
    support = (lb_support){palm, 0};
    lb_body_options_defaults(&options);
    options.surface_count = options.support_count = 1;
    options.surfaces = given;
    options.supports = &support;
    lb_figure_destroy(figure);
    REQUIRE(servo_rig_open_with(&r, name, &options, NULL));
    const int other = strstr(lb_figure_body(r.figure)->contacts[palm].name, "right") ? 1 : 0;
    lb_problem_enable(r.problem, r.hands[1 - other], 0);
    lb_solver *solver = lb_solver_create(r.problem, NULL);
    lb_result_defaults(&result);
    REQUIRE(lb_solver_solve(solver, NULL, r.pose, &result) == LB_OK);
    lb_solver_destroy(solver);
    start(&r, &j);
    j.fallen_counts = 0; /* the hand carries, too */
    double at[3], first[3], slid = 0, height = 0;
    servo_contact_at(&r, palm, first);
    for (int t = 0; t < 3000; t++) {
        const double s = 0.001 * t;
        move_hand(&r, other, 0.1 * (1 - cos(2 * s)), 0.1 * sin(s), 0.1 * sin(1.5 * s));
        run(&r, &j, 1);
        servo_contact_at(&r, palm, at);
        slid = fmax(slid, sqrt(pow(at[0] - first[0], 2) + pow(at[1] - first[1], 2) + pow(at[2] - first[2], 2)));
        height = fmax(height, fabs(is_wall ? at[0] - 0.55 : at[2] - 0.95));
    }
    printf("%s: a palm on a %s, off by %.3g mm, slid by %.3g mm, lag %.3g mm\n", name, given[0].name, 1e3 * height,
           1e3 * slid, 1e3 * r.state.lag);
    CHECK(height < 1e-4);
    CHECK(slid < 1e-4);
    const lb_body_result *told = lb_servo_body(r.servo, 0);
    int carries = 0;
    for (int i = 0; i < told->contact_count; i++) {
        carries += told->contacts[i].contact == palm && told->contacts[i].stands;
    }
    CHECK_INT(carries, 1);
    finish(&r, &j);
}

/* --- Several figures, goals carried by each other ------------------------------------------------------------------------------- */

/* A hand holds on to the tool of an arm that moves. */
static void carried(const char *name) {
    char path[600];
    const char *hands[2];
    lb_error error;
    lb_figure *figure = servo_figure(name, hands, &error), *arm = NULL;
    lb_constraint c, hold;
    lb_effector tool;
    double pose[SERVO_MOST], at[9], e[9];
    lb_servo_state state;
    const double size = strcmp(name, "robot") ? 1 : 0.6;
    REQUIRE(check_source("models/panda.fig", path, sizeof path) && lb_figure_load(path, NULL, &arm, &error) == LB_OK);
    lb_problem *p = lb_problem_create(figure, NULL);
    const int n = lb_figure_variable_count(figure);
    REQUIRE(lb_problem_set_body(p, 0, NULL) == LB_OK);
    lb_figure_rest_pose(figure, pose);
    lb_figure_rest_pose(arm, pose + n);
    pose[0] -= 0.9; /* behind the arm, which is an obstacle */
    const int number = lb_problem_add_figure(p, arm);
    REQUIRE(number == 1);
    REQUIRE(lb_figure_find_effector(arm, "tool", &tool, &error) == LB_OK);
    lb_kinematics *k = lb_kinematics_create(arm, NULL), *own = lb_kinematics_create(figure, NULL);
    lb_kinematics_update(k, pose + n);
    lb_kinematics_update(own, pose);
    lb_kinematics_effector(k, &tool, at);
    REQUIRE(lb_constraint_at(arm, "tool", at, &c) == LB_OK); /* the arm's own goal */
    c.figure = 1;
    const int leads = lb_problem_add(p, &c);
    /* the hand keeps the place that it has in the frame of the tool at the start */
    lb_effector hand;
    REQUIRE(lb_figure_find_effector(figure, hands[0], &hand, NULL) == LB_OK);
    lb_kinematics_effector(own, &hand, e);
    double m[12], local[3];
    lb_kinematics_matrix(k, tool.segment, m);
    for (int i = 0; i < 3; i++) {
        local[i] = 0;
        for (int r = 0; r < 3; r++) {
            local[i] += m[4 * r + i] * (e[r] - m[4 * r + 3]);
        }
    }
    REQUIRE(lb_constraint_at(figure, hands[0], local, &hold) == LB_OK);
    hold.goal.carrier_figure = 1;
    hold.goal.carrier_segment = tool.segment;
    REQUIRE(lb_problem_add(p, &hold) > 0);
    lb_servo *servo = lb_servo_create(p, NULL, &error);
    lb_servo_state_defaults(&state);
    REQUIRE(servo && lb_servo_start(servo, pose, NULL, &error) == LB_OK);
    double worst = 0, way = 0;
    for (int t = 0; t < 2500; t++) {
        lb_frame goal = {{at[0], at[1], at[2]}, {0, 0, 0, 1}};
        goal.position[2] += 0.08 * size * sin(0.001 * t);
        goal.position[1] += 0.06 * size * (1 - cos(0.001 * t));
        lb_problem_move_goal(p, leads, &goal);
        REQUIRE(lb_servo_tick(servo, pose, &state) == LB_OK);
        lb_kinematics_update(k, pose + n);
        lb_kinematics_update(own, pose);
        lb_kinematics_effector(own, &hand, e);
        lb_kinematics_matrix(k, tool.segment, m);
        double square = 0;
        for (int i = 0; i < 3; i++) {
            double there = m[4 * i + 3];
            for (int c2 = 0; c2 < 3; c2++) {
                there += m[4 * i + c2] * local[c2];
            }
            square += (there - e[i]) * (there - e[i]);
        }
        worst = fmax(worst, sqrt(square));
        way = fmax(way, fabs(goal.position[2] - at[2]));
    }
    printf("%s: holds on to an arm's tool, within %.3g mm over %.0f mm\n", name, 1e3 * worst, 1e3 * way);
    CHECK(worst < 1e-3);
    CHECK(state.lag < 1e-3);
    CHECK(lb_servo_body(servo, 0)->margin > 0 && lb_servo_body(servo, 1) == NULL);
    lb_servo_destroy(servo);
    lb_kinematics_destroy(k);
    lb_kinematics_destroy(own);
    lb_problem_destroy(p);
    lb_figure_destroy(arm);
    lb_figure_destroy(figure);
}

/* --- Habit ------------------------------------------------------------------------------------------------------------------------ */

/* The habit of human.fig: the settled pose is more like those that people were seen in. */
static void habit(const char *name) {
    double value[2];
    char path[600];
    lb_error error;
    if (strcmp(name, "human") != 0) { /* other figures have no habit: theirs would have to be learned */
        return;
    }
    for (int with = 0; with < 2; with++) {
        servo_rig r;
        servo_judge j;
        lb_habit *learned = NULL;
        lb_body_options body;
        lb_body_options_defaults(&body);
        body.habit = with ? 1 : 1e-9; /* it is measured, and asks for nothing */
        REQUIRE(servo_rig_open_with(&r, name, &body, NULL));
        REQUIRE(check_source("models/human.habit", path, sizeof path) &&
                lb_habit_load(path, r.figure, NULL, &learned, &error) == LB_OK);
        REQUIRE(lb_problem_set_habit(r.problem, 0, learned) == LB_OK);
        start(&r, &j);
        move_hand(&r, 0, 0.15, -0.1, 0.1);
        run(&r, &j, 4000);
        value[with] = lb_servo_body(r.servo, 0)->terms[LB_BODY_TERM_HABIT] / body.habit;
        lb_habit_destroy(learned);
        finish(&r, &j);
    }
    printf("human: habit %.6f, %.6f where it weighs nothing\n", value[1], value[0]);
    CHECK(value[1] < 0.95 * value[0]);
}

static void on_a_table(const char *name) { surfaces(name, 0); }
static void on_a_wall(const char *name) { surfaces(name, 1); }

/* The row of servos in the table of docs/together.md; deadlines and cancelling are not of it: a tick has no options, and its work is
 * bounded by the changes of an active set. */
static const struct {
    const char *name;
    void (*run)(const char *figure);
} cells[] = {{"natural body", natural},
             {"self-collision", limbs_apart},
             {"surroundings", surroundings},
             {"strict priorities", priorities},
             {"strength limits", strength},
             {"contacts and surfaces: a table", on_a_table},
             {"contacts and surfaces: a wall", on_a_wall},
             {"goals carried by another figure, moving goals", carried},
             {"habit", habit}};

int main(int argc, char **argv) {
    for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
        for (int i = 0; i < FIGURES; i++) {
            check_note("%s: %s", cells[c].name, names[i]);
            if (argc < 2 || strstr(cells[c].name, argv[1])) {
                cells[c].run(names[i]);
            }
        }
    }
    check_note("%s", "");
    return check_done();
}
