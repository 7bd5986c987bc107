/* Goals of figures that a clip drives, in company: a person with and without a body, a character of a GLB and a robot play a clip
 * while a hand holds on to a place; goals that another figure carries, tracks of `active`, priorities; what is driven and
 * asked at once is said. A servo follows a clip while its hand goes where a goal is. */
#include <limber/body.h>
#include <limber/io.h>
#include <limber/motion.h>
#include <limber/servo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

#define MOST 400
#define STEP (1.0 / 120)

static char heard[4096];
static int heard_count;

static void hear(void *context, double time, const char *message) {
    (void)context;
    const size_t used = strlen(heard);
    snprintf(heard + used, sizeof heard - used, "%.3f %s\n", time, message);
    heard_count++;
}

/* A figure that does something: a clip of two seconds in which every joint swings a little, inside its limits. */
typedef struct show {
    lb_figure *figure;
    lb_kinematics *kinematics;
    lb_clip *clip;
    lb_problem *problem;
    lb_motion *motion;
    lb_player *player;
    int hand; /* segment */
    int id;
    double goal[3];
    double start[MOST];
} show;

static void clip_pose(show *s, double time, double *pose) {
    REQUIRE(lb_clip_sample(s->clip, time, LB_INTERPOLATION_LINEAR, pose, NULL, NULL) == LB_OK);
    REQUIRE(lb_kinematics_project(s->kinematics, pose) == LB_OK);
}

static void hand_at(show *s, const double *pose, double at[3]) {
    lb_frame frame;
    REQUIRE(lb_kinematics_update(s->kinematics, pose) == LB_OK);
    lb_kinematics_segment(s->kinematics, s->hand, &frame);
    memcpy(at, frame.position, sizeof frame.position);
}

static double distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static int first_joint_variable(const lb_figure *f) { return lb_figure_root(f)->is_free ? 6 : 0; }

/* Takes the figure over. The hand's goal is `far` from where the clip has it at 1 s. */
static show begin(lb_figure *figure, const char *hand, int is_body, double far) {
    show s = {.figure = figure};
    const int n = lb_figure_variable_count(figure);
    REQUIRE(n <= MOST);
    s.kinematics = lb_kinematics_create(figure, NULL);
    s.clip = lb_clip_create(figure, 61, 1.0 / 30, NULL);
    for (int f = 0; f < 61; f++) {
        double *pose = lb_clip_pose(s.clip, f);
        for (int v = first_joint_variable(figure); v < n; v++) {
            const lb_variable *own = lb_figure_variable(figure, v);
            const double room = fmin(0.15, 0.2 * (own->upper - own->lower));
            pose[v] += room * sin(0.05 * f + v);
        }
        REQUIRE(lb_kinematics_project(s.kinematics, pose) == LB_OK);
    }
    memcpy(s.start, lb_clip_const_pose(s.clip, 0), (size_t)n * sizeof *s.start);
    s.hand = lb_figure_find_segment(figure, hand);
    REQUIRE(s.hand >= 0);
    s.problem = lb_problem_create(figure, NULL);
    if (is_body) {
        REQUIRE(lb_problem_set_body(s.problem, 0, NULL) == LB_OK);
    }
    double pose[MOST], shoulder[3];
    lb_frame frame;
    clip_pose(&s, 1, pose);
    hand_at(&s, pose, s.goal);
    lb_kinematics_segment(s.kinematics, lb_figure_root(figure)->segment, &frame);
    memcpy(shoulder, frame.position, sizeof shoulder);
    const double length = distance(s.goal, shoulder);
    for (int i = 0; i < 3; i++) { /* towards the root, where there is room */
        s.goal[i] += far * (shoulder[i] - s.goal[i]) / length;
    }
    lb_constraint c;
    REQUIRE(lb_constraint_at(figure, hand, s.goal, &c) == LB_OK);
    s.id = lb_problem_add(s.problem, &c);
    return s;
}

static void make_motion(show *s) {
    s->motion = lb_motion_create(s->problem, s->start, NULL);
    REQUIRE(s->motion && lb_motion_drive_clip(s->motion, 0, s->clip, 0, LB_INTERPOLATION_LINEAR) == LB_OK);
}

static void drive_numbers(show *s, lb_drive_target target, int index, int count, const double (*keys)[2],
                          lb_interpolation way) {
    lb_track *track = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
    for (int i = 0; i < count; i++) {
        lb_track_set(track, keys[i][0], &keys[i][1], way);
    }
    REQUIRE(lb_motion_drive(s->motion, target, index, track) == LB_OK);
    lb_track_destroy(track);
}

static void ease(show *s, int id) {
    static const double keys[4][2] = {{0.5, 0}, {0.8, 1}, {1.2, 1}, {1.5, 0}};
    drive_numbers(s, LB_DRIVE_TARGET_WEIGHT, id, 4, keys, LB_INTERPOLATION_LINEAR);
}

static void start_player(show *s) {
    lb_player_options options;
    lb_error error;
    lb_player_options_defaults(&options);
    options.warn = hear;
    heard[0] = 0, heard_count = 0;
    s->player = lb_player_create(s->motion, &options, &error);
    REQUIRE(s->player != NULL);
}

static void end(show *s) {
    lb_player_destroy(s->player);
    lb_motion_destroy(s->motion);
    lb_problem_destroy(s->problem);
    lb_clip_destroy(s->clip);
    lb_kinematics_destroy(s->kinematics);
    lb_figure_destroy(s->figure);
}

/* Plays it; the hand keeps its promises. Returns the largest change of a variable of the root. */
static double check_play(show *s) {
    double pose[MOST], clip[MOST], last[MOST] = {0}, root = 0, most = 0, step = 0;
    for (int k = 0; k <= 240; k++) {
        const double time = k * STEP;
        double at[3], now = 0;
        lb_result result;
        lb_result_defaults(&result);
        REQUIRE(lb_player_pose(s->player, time, pose, &result) == LB_OK);
        clip_pose(s, time, clip);
        hand_at(s, pose, at);
        for (int v = 0; v < lb_figure_variable_count(s->figure); v++) {
            const double off = pose[v] - clip[v];
            root = fmax(root, v < first_joint_variable(s->figure) ? fabs(off) : 0);
            now = fmax(now, fabs(off));
            step = fmax(step, k ? fabs(off - last[v]) : 0);
            last[v] = off;
        }
        most = fmax(most, now);
        check_note("%s at %.3f s", lb_figure_name(s->figure), time);
        if (time >= 0.8 - 1e-9 && time <= 1.2 + 1e-9) {
            CHECK(distance(at, s->goal) <= 1e-5);
            CHECK_INT(result.constraints[0].met, 1);
        }
        if (time <= 0.5 || time >= 1.5) {
            CHECK(now <= 1e-9);
        }
        CHECK(lb_figure_violation(s->figure, pose) <= 1e-9);
    }
    check_note("%s: %g in all, steps of %g", lb_figure_name(s->figure), most, step);
    CHECK(most > 0.01 && step < 0.12 * most); /* of an ease of 36 steps */
    check_note("%s", "");
    return root;
}

static lb_figure *load(const char *path) {
    lb_figure *figure = NULL;
    lb_error error;
    if (lb_figure_load(path, NULL, &figure, &error) != LB_OK) {
        printf("%s\n", error.message);
        REQUIRE(!"the figure should be read");
    }
    return figure;
}

static lb_figure *load_model(const char *name) {
    char path[1024];
    REQUIRE(check_source(name, path, sizeof path));
    return load(path);
}

static void check_figure(lb_figure *figure, const char *hand, int is_body, double far) {
    show s = begin(figure, hand, is_body, far);
    make_motion(&s);
    ease(&s, s.id);
    start_player(&s);
    CHECK(check_play(&s) == 0);
    CHECK_TEXT(heard, "");
    end(&s);
}

/* --- What tracks say of variables -------------------------------------------------------------------------------- */

static void check_active(void) {
    static const double on[1][2] = {{0, 1}}, off[1][2] = {{0, 0}};
    show s = begin(load_model("models/human.fig"), "right_hand", 0, 0.1);
    double pose[MOST], clip[MOST];
    make_motion(&s);
    ease(&s, s.id);
    for (int i = 0; i < 3; i++) {
        drive_numbers(&s, LB_DRIVE_TARGET_ACTIVE, i, 1, on, LB_INTERPOLATION_STEP); /* the root may go along */
    }
    const int elbow = lb_figure_find_variable(s.figure, "right_elbow.flexion");
    REQUIRE(elbow >= 0);
    drive_numbers(&s, LB_DRIVE_TARGET_ACTIVE, elbow, 1, off, LB_INTERPOLATION_STEP);
    start_player(&s);
    CHECK(check_play(&s) > 0.01);
    REQUIRE(lb_player_pose(s.player, 1, pose, NULL) == LB_OK);
    clip_pose(&s, 1, clip);
    CHECK_NEAR(pose[elbow], clip[elbow], 1e-12);
    end(&s);
}

/* --- What is driven and asked at once ----------------------------------------------------------------------------- */

static void check_said(void) {
    static const double off[1][2] = {{0, 0}};
    show s = begin(load_model("models/panda.fig"), "link7", 0, 3); /* out of reach */
    double pose[MOST];
    make_motion(&s);
    ease(&s, s.id);
    start_player(&s);
    REQUIRE(lb_player_pose(s.player, 2, pose, NULL) == LB_OK);
    CHECK_INT(heard_count, 1);
    CHECK_HAS(heard, "0.800 the goal 'link7' is missed by ");
    CHECK_HAS(heard, "what it may move of the clip gets no nearer");
    lb_player_destroy(s.player);
    for (int v = 0; v < lb_figure_variable_count(s.figure); v++) {
        drive_numbers(&s, LB_DRIVE_TARGET_ACTIVE, v, 1, off, LB_INTERPOLATION_STEP);
    }
    start_player(&s);
    REQUIRE(lb_player_pose(s.player, 2, pose, NULL) == LB_OK);
    CHECK_INT(heard_count, 1);
    CHECK_HAS(heard, "all that could move for it is driven");
    end(&s);
    /* tracks of all variables: no clip */
    s = begin(load_model("models/panda.fig"), "link7", 0, 0.1);
    s.motion = lb_motion_create(s.problem, s.start, NULL);
    for (int v = 0; v < lb_figure_variable_count(s.figure); v++) {
        drive_numbers(&s, LB_DRIVE_TARGET_VARIABLE, v, 1, off, LB_INTERPOLATION_STEP);
    }
    start_player(&s);
    REQUIRE(lb_player_pose(s.player, 1, pose, NULL) == LB_OK);
    CHECK_HAS(heard, "0 the goal 'link7' is missed by ");
    CHECK_HAS(heard, "all that could move for it is driven");
    end(&s);
}

/* --- With others --------------------------------------------------------------------------------------------------- */

/* The hand of a person who walks by a clip holds on to a robot's, which reaches for something by itself. */
static void check_carried(void) {
    show s = begin(load_model("models/human.fig"), "right_hand", 0, 0);
    lb_figure *robot = load_model("models/panda.fig");
    double pose[MOST], rest[MOST], at[3];
    lb_constraint reach, hold;
    REQUIRE(lb_problem_add_figure(s.problem, robot) == 1);
    REQUIRE(lb_problem_remove(s.problem, s.id) == LB_OK);
    const int first = lb_problem_first_variable(s.problem, 1), link7 = lb_figure_find_segment(robot, "link7");
    lb_figure_rest_pose(robot, rest);
    memcpy(s.start + first, rest, (size_t)lb_figure_variable_count(robot) * sizeof *rest);
    REQUIRE(lb_constraint_at(robot, "link7", (const double[3]){0.45, 0.1, 0.5}, &reach) == LB_OK);
    reach.figure = 1;
    REQUIRE(lb_problem_add(s.problem, &reach) > 0);
    /* where the robot's hand will be, seen from it, the person's is at 1 s */
    double clip[MOST];
    clip_pose(&s, 1, clip);
    hand_at(&s, clip, at);
    REQUIRE(lb_constraint_at(s.figure, "right_hand", at, &hold) == LB_OK);
    hold.goal.carrier_figure = 1;
    hold.goal.carrier_segment = link7;
    lb_frame frame, inverse, there;
    lb_kinematics *k = lb_kinematics_create(robot, NULL);
    lb_solver *solver = lb_solver_create(s.problem, NULL);
    lb_result result;
    lb_result_defaults(&result);
    memcpy(pose, s.start, sizeof pose);
    REQUIRE(lb_solver_solve(solver, NULL, pose, &result) == LB_OK);
    REQUIRE(lb_kinematics_update(k, pose + first) == LB_OK);
    lb_kinematics_segment(k, link7, &frame);
    lb_frame_invert(&frame, &inverse);
    lb_frame_identity(&there);
    memcpy(there.position, at, sizeof at);
    there.position[2] += 0.1;
    lb_frame_multiply(&inverse, &there, &there);
    memcpy(hold.goal.point, there.position, sizeof hold.goal.point);
    const int id = lb_problem_add(s.problem, &hold);
    REQUIRE(id > 0);
    make_motion(&s);
    ease(&s, id);
    start_player(&s);
    for (int i = 0; i <= 4; i++) {
        double is[3];
        REQUIRE(lb_player_pose(s.player, 0.8 + 0.1 * i, pose, &result) == LB_OK);
        CHECK(result.constraints[0].met && result.constraints[1].met);
        hand_at(&s, pose, is);
        REQUIRE(lb_kinematics_update(k, pose + first) == LB_OK);
        lb_kinematics_segment(k, link7, &frame);
        lb_frame_multiply(&frame, &there, &frame);
        CHECK(distance(is, frame.position) <= 1e-5);
    }
    lb_solver_destroy(solver);
    lb_kinematics_destroy(k);
    end(&s);
    lb_figure_destroy(robot);
}

/* Two goals that cannot both be met: the one of higher priority is, nearly. */
static void check_priorities(void) {
    for (int first = 0; first < 2; first++) {
        show s = begin(load_model("models/panda.fig"), "link7", 0, 0.1);
        double pose[MOST], at[3];
        lb_constraint other = *lb_problem_constraint(s.problem, 0);
        for (int i = 0; i < 3; i++) {
            other.goal.point[i] += 0.05;
        }
        other.priority = first ? 0 : 1;
        lb_constraint own = *lb_problem_constraint(s.problem, 0);
        own.priority = 1 - other.priority;
        own.name = other.name = "hand";
        REQUIRE(lb_problem_remove(s.problem, s.id) == LB_OK && lb_problem_add(s.problem, &own) > 0);
        REQUIRE(lb_problem_add(s.problem, &other) > 0);
        make_motion(&s);
        start_player(&s);
        REQUIRE(lb_player_pose(s.player, 1, pose, NULL) == LB_OK);
        hand_at(&s, pose, at);
        CHECK(distance(at, first ? other.goal.point : s.goal) < 2e-3);
        end(&s);
    }
}

/* --- A servo ---------------------------------------------------------------------------------------------------------- */

/* Every tick the clip's pose is what the servo wishes for, and the hand goes where its goal is while that is on. */
static void check_servo(void) {
    show s = begin(load_model("models/panda.fig"), "link7", 0, 0.05);
    const int n = lb_figure_variable_count(s.figure);
    double pose[MOST], clip[MOST], at[3], velocity[MOST], acceleration[MOST], before[MOST], speed[MOST] = {0};
    lb_servo_state state;
    lb_error error;
    lb_servo_state_defaults(&state);
    REQUIRE(lb_problem_set_posture(s.problem, s.start, 1) == LB_OK);
    lb_servo *servo = lb_servo_create(s.problem, NULL, &error);
    memcpy(pose, s.start, sizeof pose);
    REQUIRE(servo && lb_servo_start(servo, pose, NULL, &error) == LB_OK);
    REQUIRE(lb_servo_limits(servo, velocity, acceleration) == LB_OK);
    for (int k = 1; k <= 2000; k++) {
        const double time = 0.001 * k;
        clip_pose(&s, time, clip);
        REQUIRE(lb_problem_set_posture(s.problem, clip, 1) == LB_OK);
        REQUIRE(lb_problem_enable(s.problem, s.id, time >= 0.5 && time < 1.2) == LB_OK);
        memcpy(before, pose, sizeof before);
        REQUIRE(lb_servo_tick(servo, pose, &state) == LB_OK);
        for (int v = 0; v < n; v++) {
            const double now = (pose[v] - before[v]) / 0.001;
            CHECK(fabs(now) <= velocity[v] * (1 + 1e-9));
            CHECK(fabs(now - speed[v]) <= 0.001 * acceleration[v] * (1 + 1e-6));
            speed[v] = now;
        }
        if (time >= 0.9 && time < 1.2) {
            hand_at(&s, pose, at);
            CHECK(distance(at, s.goal) <= 1e-5);
        }
        for (int v = 0; v < n && (time > 0.4 && time < 0.5); v++) { /* it follows the clip, a little late */
            CHECK(fabs(pose[v] - clip[v]) < 0.03);
        }
    }
    for (int v = 0; v < n; v++) {
        CHECK(fabs(pose[v] - clip[v]) < 0.03);
    }
    lb_servo_destroy(servo);
    end(&s);
}

int main(void) {
    char path[1024];
    check_figure(load_model("models/human.fig"), "right_hand", 0, 0.1);
    check_figure(load_model("models/human.fig"), "left_hand", 1, 0.15);
    check_figure(load_model("models/panda.fig"), "link7", 0, 0.1);
    check_active();
    check_said();
    check_carried();
    check_priorities();
    check_servo();
    if (!check_shared("data/gltf/CesiumMan.glb", path, sizeof path)) {
        SKIP("no character to play: data/gltf/CesiumMan.glb");
    }
    check_figure(load(path), "Skeleton_arm_joint_R__3_", 0, 0.05);
    return check_done();
}
