/* Servos that keep clear: over jumps, goals inside of obstacles, lost goals and twists, of robots among solids, no limit of velocity,
 * acceleration or range is exceeded, and no pair overlaps by more than 0.1 mm; goals that can be reached are reached, also round
 * obstacles; something that appears in the way is braked for, and named. */
#include <limber/collisions.h>
#include <limber/io.h>
#include <limber/servo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

#define MOST 64
#define TOLERANCE 1e-9 /* relative */
#define SOLIDS 5
#define PERIOD 0.001

static const char *const files[] = {"models/panda.fig", "models/ur5.fig", "models/iiwa14.fig"};

typedef struct rig {
    lb_figure *figure;
    lb_problem *problem;
    lb_servo *servo;
    lb_solver *judge; /* measures pairs, of a problem of its own */
    lb_problem *judged;
    lb_kinematics *kinematics;
    int id, segment, n;
    double velocity[MOST], acceleration[MOST], q[MOST], v[MOST];
    long ticks, violations, held;
    double overlap, moved;
} rig;

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* Solids of every kind about the robot, none of them at its foot. */
static void make_world(uint64_t *seed, lb_solid solids[SOLIDS]) {
    for (int i = 0; i < SOLIDS; i++) {
        static const lb_shape_kind kinds[SOLIDS] = {LB_SHAPE_HALF_SPACE, LB_SHAPE_BOX, LB_SHAPE_SPHERE,
                                                    LB_SHAPE_CAPSULE, LB_SHAPE_CYLINDER};
        const double angle = 6.2831853 * uniform(seed), away = 0.3 + 0.4 * uniform(seed);
        lb_shape *s = &solids[i].shape;
        solids[i].name = NULL;
        lb_shape_defaults(s);
        s->kind = kinds[i];
        s->frame.position[0] = i ? away * cos(angle) : 0;
        s->frame.position[1] = i ? away * sin(angle) : 0;
        s->frame.position[2] = i ? 0.1 + 0.7 * uniform(seed) : -0.12;
        for (int c = 0; c < 4 && i; c++) {
            s->frame.rotation[c] = uniform(seed) - 0.5;
        }
        for (int c = 0; c < 3; c++) {
            s->size[c] = 0.02 + 0.13 * uniform(seed);
        }
        s->size[2] = s->kind == LB_SHAPE_CAPSULE ? s->size[0] : s->size[2];
    }
}

static void rig_open(rig *r, const char *file, uint64_t *seed) {
    char path[600];
    lb_error error;
    lb_constraint c;
    lb_frame frame;
    lb_solid solids[SOLIDS];
    lb_collisions apart;
    memset(r, 0, sizeof *r);
    REQUIRE(check_source(file, path, sizeof path) && lb_figure_load(path, NULL, &r->figure, &error) == LB_OK);
    int order[256];
    lb_figure_tree_order(r->figure, order);
    r->segment = order[lb_figure_segment_count(r->figure) - 1];
    r->n = lb_figure_variable_count(r->figure);
    r->kinematics = lb_kinematics_create(r->figure, NULL);
    r->problem = lb_problem_create(r->figure, NULL);
    r->judged = lb_problem_create(r->figure, NULL);
    make_world(seed, solids);
    lb_collisions_defaults(&apart);
    apart.solid_count = SOLIDS;
    apart.solids = solids;
    apart.samples = 300;
    REQUIRE(lb_problem_set_collisions(r->problem, &apart) == LB_OK);
    REQUIRE(lb_problem_set_collisions(r->judged, &apart) == LB_OK);
    lb_frame_identity(&frame);
    lb_constraint_frame(r->figure, lb_figure_segment(r->figure, r->segment)->name, &frame, &c);
    r->id = lb_problem_add(r->problem, &c);
    r->servo = lb_servo_create(r->problem, NULL, &error);
    r->judge = lb_solver_create(r->judged, &error);
    REQUIRE(r->servo && r->judge);
    lb_servo_limits(r->servo, r->velocity, r->acceleration);
}

static void rig_close(rig *r) {
    lb_servo_destroy(r->servo);
    lb_solver_destroy(r->judge);
    lb_problem_destroy(r->problem);
    lb_problem_destroy(r->judged);
    lb_kinematics_destroy(r->kinematics);
    lb_figure_destroy(r->figure);
}

/* The nearest pair; 1 where none is within 20 cm. */
static double clearance(rig *r, const double *pose) {
    lb_contact_pair pair;
    const int count = lb_solver_near_pairs(r->judge, pose, 0.2, 1, &pair);
    CHECK(count >= 0);
    return count > 0 ? pair.distance : 1;
}

static void free_pose(rig *r, uint64_t *seed, double least, double *pose) {
    do {
        lb_figure_random_pose(r->figure, seed, pose);
    } while (clearance(r, pose) < least);
}

static void begin(rig *r, const double *pose) {
    CHECK_INT(lb_servo_start(r->servo, pose, NULL, NULL), LB_OK);
    memcpy(r->q, pose, (size_t)r->n * sizeof *pose);
    memset(r->v, 0, sizeof r->v);
}

/* A tick, watched by code that shares nothing with the servo but the distances. */
static void tick(rig *r, lb_servo_state *state) {
    double pose[MOST];
    CHECK_INT(lb_servo_tick(r->servo, pose, state), LB_OK);
    for (int i = 0; i < r->n; i++) {
        const lb_variable *variable = lb_figure_variable(r->figure, i);
        const double v = (pose[i] - r->q[i]) / PERIOD, a = (v - r->v[i]) / PERIOD;
        const double share = fmax(fabs(v) / r->velocity[i], fabs(a) / r->acceleration[i]);
        r->violations += !(share <= 1 + TOLERANCE) || !(pose[i] >= variable->lower && pose[i] <= variable->upper);
        r->moved += fabs(pose[i] - r->q[i]);
        r->q[i] = pose[i], r->v[i] = v;
    }
    r->ticks++;
    r->held += state->hold == LB_SERVO_HOLD_COLLISION;
    CHECK((state->hold == LB_SERVO_HOLD_COLLISION) == (state->pair >= 0));
    r->overlap = fmax(r->overlap, -clearance(r, pose));
}

/* kind 0: jumps to poses of any kind, most of them in each other or in a solid; 1: free poses, with goals lost now and then; 2: twists. */
static void run(rig *r, int kind, uint64_t *seed, int ticks) {
    double pose[MOST];
    lb_frame goal;
    lb_servo_state state;
    lb_servo_state_defaults(&state);
    free_pose(r, seed, 0.001, pose);
    begin(r, pose);
    lb_problem_enable(r->problem, r->id, 1);
    lb_servo_set_twist(r->servo, r->id, NULL);
    for (int t = 0; t < ticks; t++) {
        if (t % 199 == 0 && kind == 2) {
            double twist[6];
            for (int c = 0; c < 6; c++) {
                twist[c] = (c < 3 ? 1.5 : 3) * (uniform(seed) - 0.5);
            }
            CHECK_INT(lb_servo_set_twist(r->servo, r->id, twist), LB_OK);
        } else if (t % 199 == 0) {
            if (kind == 0) {
                lb_figure_random_pose(r->figure, seed, pose);
            } else {
                free_pose(r, seed, 0.001, pose);
                lb_problem_enable(r->problem, r->id, uniform(seed) < 0.7);
            }
            lb_kinematics_update(r->kinematics, pose);
            lb_kinematics_segment(r->kinematics, r->segment, &goal);
            CHECK_INT(lb_problem_move_goal(r->problem, r->id, &goal), LB_OK);
        }
        tick(r, &state);
    }
}

static void check_worlds(void) {
    uint64_t seed = 11;
    long ticks = 0, violations = 0, held = 0;
    double overlap = 0, moved = 0;
    for (int world = 0; world < check_count(6, 60); world++) {
        rig r;
        rig_open(&r, files[world % 3], &seed);
        for (int i = 0; i < 3; i++) {
            run(&r, i, &seed, 1200);
        }
        check_note("world %d, %s", world, files[world % 3]);
        CHECK_INT((int)r.violations, 0);
        CHECK(r.overlap <= 1e-4);
        ticks += r.ticks, violations += r.violations, held += r.held, moved += r.moved;
        overlap = fmax(overlap, r.overlap);
        rig_close(&r);
    }
    CHECK(held > ticks / 20 && moved > (double)ticks * 1e-4); /* it was about something, and did not just stand */
    printf("%ld ticks, %ld beyond a limit, largest overlap %.4f mm, held back in %ld, %.2f rad a second\n", ticks,
           violations, 1e3 * overlap, held, moved / ((double)ticks * PERIOD));
}

/* A Panda with one solid, and its tool at a point. */
static void open_panda(rig *r, const lb_solid *solid, const double point[3]) {
    char path[600];
    lb_constraint c;
    lb_collisions apart;
    double pose[MOST];
    lb_result result;
    memset(r, 0, sizeof *r);
    REQUIRE(check_source("models/panda.fig", path, sizeof path) &&
            lb_figure_load(path, NULL, &r->figure, NULL) == LB_OK);
    r->n = lb_figure_variable_count(r->figure);
    r->problem = lb_problem_create(r->figure, NULL);
    r->judged = lb_problem_create(r->figure, NULL);
    lb_collisions_defaults(&apart);
    apart.solid_count = solid != NULL;
    apart.solids = solid;
    REQUIRE(lb_problem_set_collisions(r->problem, &apart) == LB_OK &&
            lb_problem_set_collisions(r->judged, &apart) == LB_OK);
    lb_constraint_at(r->figure, "tool", point, &c);
    r->id = lb_problem_add(r->problem, &c);
    lb_figure_rest_pose(r->figure, pose);
    lb_result_defaults(&result);
    CHECK_INT(lb_solve(r->problem, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    r->servo = lb_servo_create(r->problem, NULL, NULL);
    r->judge = lb_solver_create(r->judged, NULL);
    REQUIRE(r->servo && r->judge);
    lb_servo_limits(r->servo, r->velocity, r->acceleration);
    begin(r, pose);
}

static lb_solid solid_of(lb_shape_kind kind, const char *name, const double point[3], double size) {
    lb_solid solid = {name, {0}};
    lb_shape_defaults(&solid.shape);
    solid.shape.kind = kind;
    memcpy(solid.shape.frame.position, point, 3 * sizeof *point);
    solid.shape.size[0] = solid.shape.size[1] = solid.shape.size[2] = size;
    return solid;
}

/* A goal goes through a ball: the tool glides about it, and is there in the end. A goal within it is come near to. */
static void check_glide(void) {
    const lb_solid ball = solid_of(LB_SHAPE_SPHERE, "ball", (double[]){0.45, 0.02, 0.36}, 0.06);
    lb_frame goal = {{0.45, -0.25, 0.4}, {0, 0, 0, 1}};
    lb_servo_state state;
    lb_servo_state_defaults(&state);
    rig r;
    open_panda(&r, &ball, goal.position);
    for (int t = 0; t < 6000; t++) {
        goal.position[1] = t < 4000 ? -0.25 + 0.5 * t / 4000 : 0.25;
        lb_problem_move_goal(r.problem, r.id, &goal);
        tick(&r, &state);
    }
    CHECK_INT((int)r.violations, 0);
    CHECK(r.overlap <= 1e-4 && r.held > 100 && state.lag < 1e-6);
    printf("through a ball: held back in %ld ticks, %.2g m off at the end\n", r.held, state.lag);
    memcpy(goal.position, ball.shape.frame.position, sizeof goal.position);
    for (int t = 0; t < 3000; t++) {
        lb_problem_move_goal(r.problem, r.id, &goal);
        tick(&r, &state);
    }
    lb_contact_pair pair;
    CHECK(state.hold == LB_SERVO_HOLD_COLLISION && lb_problem_pair(r.problem, state.pair, &pair) == LB_OK);
    CHECK_TEXT(pair.name_b, "ball");
    CHECK(clearance(&r, r.q) < 0.02 && r.overlap <= 1e-4 && state.lag < 0.09); /* the ball is 6 cm */
    CHECK_INT((int)r.violations, 0);
    rig_close(&r);
}

/* A box appears where the robot is going, and then where it is: it brakes within its limits, says why, and gets out. */
static void check_appearing(void) {
    const double start[3] = {0.45, -0.4, 0.4};
    lb_frame goal = {{0.45, 0.4, 0.4}, {0, 0, 0, 1}};
    lb_servo_state state;
    lb_servo_state_defaults(&state);
    lb_collisions apart;
    rig r;
    open_panda(&r, NULL, start);
    lb_problem_move_goal(r.problem, r.id, &goal);
    for (int t = 0; t < 300; t++) {
        tick(&r, &state);
    }
    CHECK(state.hold != LB_SERVO_HOLD_COLLISION && state.load > 0.2);
    const double moved = r.moved;
    lb_solid box = solid_of(LB_SHAPE_BOX, "box", (double[]){0.45, 0.37, 0.4}, 0.05);
    lb_collisions_defaults(&apart);
    apart.solid_count = 1;
    apart.solids = &box;
    CHECK_INT(lb_problem_set_collisions(r.problem, &apart), LB_OK);
    CHECK_INT(lb_problem_set_collisions(r.judged, &apart), LB_OK);
    for (int t = 0; t < 2000; t++) {
        tick(&r, &state);
    }
    lb_contact_pair pair;
    CHECK(state.hold == LB_SERVO_HOLD_COLLISION && lb_problem_pair(r.problem, state.pair, &pair) == LB_OK);
    CHECK_TEXT(pair.name_b, "box");
    CHECK(r.moved > moved && state.lag > 0.02);
    CHECK_INT((int)r.violations, 0);
    /* on top of it */
    double point[3];
    lb_kinematics *kinematics = lb_kinematics_create(r.figure, NULL);
    lb_frame tool;
    lb_kinematics_update(kinematics, r.q);
    lb_kinematics_site(kinematics, lb_figure_find_site(r.figure, "tool"), &tool);
    lb_kinematics_destroy(kinematics);
    memcpy(point, tool.position, sizeof point);
    memcpy(box.shape.frame.position, point, sizeof point);
    CHECK_INT(lb_problem_set_collisions(r.problem, &apart), LB_OK);
    CHECK_INT(lb_problem_set_collisions(r.judged, &apart), LB_OK);
    const double deep = clearance(&r, r.q);
    CHECK(deep < -0.02);
    r.overlap = 0;
    goal.position[1] = -0.4;
    lb_problem_move_goal(r.problem, r.id, &goal);
    for (int t = 0; t < 3000; t++) {
        tick(&r, &state);
    }
    printf("it got out of %.1f mm, %.1f mm at most, to %.1f mm beside it, %.2g m from its goal\n", -1e3 * deep,
           1e3 * r.overlap, 1e3 * clearance(&r, r.q), state.lag);
    CHECK(r.overlap < 5e-4 - deep && clearance(&r, r.q) > 0 && state.lag < 1e-4);
    CHECK_INT((int)r.violations, 0);
    rig_close(&r);
}

int main(void) {
    check_worlds();
    check_glide();
    check_appearing();
    return check_done();
}
