/*
 * Hashes (FNV-1a over the bits) what the verbs beside a solve answer: solves that keep clear of things, servos tick by tick, paths and
 * retargeted motions. Prints a line for each scene, with what can be read of it, so that a difference can be told.
 */
#include <limber/collisions.h>
#include <limber/motion.h>
#include <limber/path.h>
#include <limber/servo.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../puppet.h"

#define LINKS 7
#define MOST 64

static uint64_t hash;

static void hash_bits(const void *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    }
}

static void begin_hash(void) { hash = 0xcbf29ce484222325u; }

static void hash_pose(const double *pose, int count) { hash_bits(pose, (size_t)count * sizeof *pose); }

/* Numbers between 0 and 1 that look like any, without the C library's. */
static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* --- An arm of seven hinges with solid links, and what stands around it ------------------------------------------------------ */

static void add_link(lb_builder *b, int number) {
    static const char *const axes[2] = {"R(z)", "R(y)"};
    char name[16], joint_name[16];
    lb_segment segment;
    lb_shape shape;
    lb_joint joint;
    const double base[3] = {0, 0, 0}, tip[3] = {0, 0, number ? 0.17 : 0.1};
    static int last;
    snprintf(name, sizeof name, "link%d", number);
    snprintf(joint_name, sizeof joint_name, "joint%d", number);
    lb_segment_defaults(&segment);
    segment.name = name;
    const int index = puppet_require(lb_builder_add_segment(b, &segment), name);
    const int foot = puppet_site(b, index, "base", base), end = puppet_site(b, index, "tip", tip);
    lb_shape_defaults(&shape);
    shape.kind = LB_SHAPE_CAPSULE;
    shape.segment = index;
    shape.frame.position[2] = 0.5 * tip[2];
    shape.size[0] = shape.size[2] = 0.03;
    shape.size[1] = 0.5 * tip[2];
    puppet_require(lb_builder_add_shape(b, &shape), "shape");
    if (number) {
        lb_joint_defaults(&joint);
        joint.name = joint_name;
        joint.site_a = last;
        joint.site_b = foot;
        joint.lower[0] = -2.6;
        joint.upper[0] = 2.6;
        puppet_require(lb_joint_type_parse(axes[number % 2], &joint.type, NULL), axes[number % 2]);
        puppet_require(lb_builder_add_joint(b, &joint), joint_name);
    }
    last = end;
}

static lb_figure *make_arm(void) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_figure *figure = NULL;
    for (int i = 0; i <= LINKS; i++) {
        add_link(b, i);
    }
    puppet_require(lb_builder_finish(b, &figure), lb_builder_error(b)->message);
    lb_builder_destroy(b);
    return figure;
}

#define SOLIDS 4

/* A box, a post, a ball and a wedge. */
static const lb_collisions *world(void) {
    static const double wedge[6][3] = {{-0.7, -0.2, 0.3}, {-0.7, 0.2, 0.3},  {-0.4, -0.2, 0.3},
                                       {-0.4, 0.2, 0.3},  {-0.7, -0.2, 0.6}, {-0.7, 0.2, 0.6}};
    static const lb_shape_kind kinds[SOLIDS] = {LB_SHAPE_BOX, LB_SHAPE_CYLINDER, LB_SHAPE_SPHERE, LB_SHAPE_HULL};
    static const char *const names[SOLIDS] = {"box", "post", "ball", "wedge"};
    static const double places[SOLIDS][3] = {{0.45, 0.1, 0.5}, {0.1, -0.45, 0.4}, {0.2, 0.45, 0.7}, {0, 0, 0}};
    static lb_solid solids[SOLIDS];
    static lb_collisions all;
    lb_collisions_defaults(&all);
    for (int i = 0; i < SOLIDS; i++) {
        lb_shape_defaults(&solids[i].shape);
        solids[i].name = names[i];
        solids[i].shape.kind = kinds[i];
        memcpy(solids[i].shape.frame.position, places[i], sizeof places[i]);
        lb_shape *shape = &solids[i].shape;
        shape->size[0] = 0.08;
        shape->size[1] = 0.12;
        shape->size[2] = 0.1;
        if (kinds[i] == LB_SHAPE_HULL) {
            shape->vertex_count = 6;
            shape->vertices = wedge;
        }
    }
    all.solid_count = SOLIDS;
    all.solids = solids;
    all.samples = 200;
    return &all;
}

static lb_problem *reach(const lb_figure *arm, int *id) {
    const double at[3] = {0.5, 0, 0.6};
    lb_constraint c;
    lb_problem *p = lb_problem_create(arm, NULL);
    puppet_require(lb_constraint_at(arm, "link7.tip", at, &c), "link7.tip");
    *id = puppet_require(lb_problem_add(p, &c), "goal");
    return p;
}

static void keep_clear(const lb_figure *arm) {
    int id, solved = 0, iterations = 0;
    lb_problem *p = reach(arm, &id);
    puppet_require(lb_problem_set_collisions(p, world()), "collisions");
    lb_solver *solver = lb_solver_create(p, NULL);
    uint64_t seed = 3;
    for (int part = 0; part < 4; part++) {
        begin_hash();
        solved = iterations = 0;
        for (int i = 0; i < 12; i++) {
            double pose[MOST];
            lb_result result;
            lb_contact_pair near;
            lb_frame goal = {{0.9 * uniform(&seed) - 0.45, 0.9 * uniform(&seed) - 0.45, 0.2 + 0.6 * uniform(&seed)},
                             {0, 0, 0, 1}};
            puppet_require(lb_problem_move_goal(p, id, &goal), "move");
            lb_figure_rest_pose(arm, pose);
            lb_result_defaults(&result);
            puppet_require(lb_solver_solve(solver, NULL, pose, &result), result.explanation);
            solved += result.outcome == LB_OUTCOME_SOLVED;
            iterations += result.iterations;
            hash_pose(pose, lb_figure_variable_count(arm));
            hash_bits(result.explanation, strlen(result.explanation));
            memset(&near, 0, sizeof near);
            lb_solver_near_pairs(solver, pose, 0.2, 1, &near);
            hash_bits(&near.distance, sizeof near.distance);
        }
        printf("clear %d: %d of %d solved, %d iterations, %d pairs %016llx\n", part, solved, 12, iterations,
               lb_problem_pair_count(p), (unsigned long long)hash);
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
}

/* Ticks of a servo whose goal circles, then jumps away. */
static void serve(const char *scene, const lb_problem *p, const int *ids, int id_count, const double places[][3],
                  double *pose) {
    lb_servo_options options;
    lb_servo_state state;
    lb_error error;
    lb_servo_options_defaults(&options);
    options.period = 0.004;
    lb_servo *servo = lb_servo_create(p, &options, &error);
    puppet_require(servo ? 0 : -1, error.message);
    puppet_require(lb_servo_start(servo, pose, NULL, &error), error.message);
    lb_servo_state_defaults(&state);
    int held = 0;
    begin_hash();
    for (int i = 0; i < 600; i++) {
        const double turn = 0.02 * i, jump = i < 400 ? 0 : 0.3;
        for (int k = 0; k < id_count; k++) {
            /* a rational circle: no functions of the C library */
            const double t = (turn - 8 * (int)(turn / 8)) / 4 - 1, of = 0.1 / (1 + t * t);
            lb_frame goal = {{places[k][0] + of * (1 - t * t) - jump, places[k][1] + of * 2 * t, places[k][2] + jump},
                             {0, 0, 0, 1}};
            puppet_require(lb_problem_move_goal((lb_problem *)p, ids[k], &goal), "move");
        }
        puppet_require(lb_servo_tick(servo, pose, &state), "tick");
        held += state.hold != LB_SERVO_HOLD_NONE;
        hash_pose(pose, lb_problem_variable_count(p));
        hash_bits(&state.hold, sizeof state.hold);
    }
    printf("servo %s: %d of 600 ticks held, lag %.3e %016llx\n", scene, held, state.lag, (unsigned long long)hash);
    lb_servo_destroy(servo);
}

static void servo_arm(const lb_figure *arm, int with_world) {
    static const double places[1][3] = {{0.5, 0, 0.6}};
    double pose[MOST] = {0, 0.5, 0, 0.8, 0, 0.5, 0};
    int id;
    lb_problem *p = reach(arm, &id);
    if (with_world) {
        puppet_require(lb_problem_set_collisions(p, world()), "collisions");
    }
    serve(with_world ? "among solids" : "arm", p, &id, 1, places, pose);
    lb_problem_destroy(p);
}

/* Both palms of a person: without a body, in two levels, or of somebody who stands. */
static void servo_person(const lb_figure *person, const double places[2][3], int is_body) {
    static const char *const palms[2] = {"right_palm", "left_palm"};
    double pose[MOST];
    int ids[2];
    lb_problem *p = lb_problem_create(person, NULL);
    for (int i = 0; i < 2; i++) {
        lb_constraint c;
        puppet_require(lb_constraint_at(person, palms[i], places[i], &c), palms[i]);
        c.priority = is_body ? 0 : i;
        ids[i] = puppet_require(lb_problem_add(p, &c), palms[i]);
    }
    if (is_body) {
        puppet_require(lb_problem_set_body(p, 0, NULL), "body");
    }
    lb_figure_rest_pose(person, pose);
    serve(is_body ? "body" : "person", p, ids, 2, places, pose);
    lb_problem_destroy(p);
}

static void follow(const char *scene, const lb_figure *arm, const double from[3], const double to[3],
                   const lb_collisions *apart) {
    lb_path_options options;
    lb_path_result result;
    lb_effector tip;
    lb_error error;
    double pose[MOST];
    lb_frame frames[2] = {{{from[0], from[1], from[2]}, {0, 1, 0, 0}}, {{to[0], to[1], to[2]}, {0, 1, 0, 0}}};
    lb_path_options_defaults(&options);
    options.ways = 6;
    options.collisions = apart;
    puppet_require(lb_figure_find_effector(arm, "link7.tip", &tip, &error), error.message);
    lb_path *path = lb_path_create(arm, &tip, 2, frames, &options, &error);
    puppet_require(path ? 0 : -1, error.message);
    lb_path_result_defaults(&result);
    puppet_require(lb_path_get(path, &result), "path");
    begin_hash();
    for (int i = 0; i < result.pose_count; i++) {
        puppet_require(lb_path_pose(path, i, pose, NULL), "pose");
        hash_pose(pose, lb_figure_variable_count(arm));
    }
    hash_bits(result.explanation, strlen(result.explanation));
    printf("path %s: end %s at %.6f, %d poses, %d ways %016llx\n", scene, lb_path_end_name(result.end), result.fraction,
           result.pose_count, result.way_count, (unsigned long long)hash);
    lb_path_destroy(path);
}

/* --- A motion carried over --------------------------------------------------------------------------------------------------------- */

/* The left one of a pair of parts comes first. */
static void map_puppet(int parts[LB_BODY_PART_COUNT]) {
    static const int pairs[][3] = {{LB_BODY_PART_UPPER_ARM, PUPPET_LEFT_UPPER_ARM, PUPPET_RIGHT_UPPER_ARM},
                                   {LB_BODY_PART_FOREARM, PUPPET_LEFT_FOREARM, PUPPET_RIGHT_FOREARM},
                                   {LB_BODY_PART_THIGH, PUPPET_LEFT_THIGH, PUPPET_RIGHT_THIGH},
                                   {LB_BODY_PART_SHANK, PUPPET_LEFT_SHANK, PUPPET_RIGHT_SHANK},
                                   {LB_BODY_PART_FOOT, PUPPET_LEFT_FOOT, PUPPET_RIGHT_FOOT},
                                   {LB_BODY_PART_TOES, PUPPET_LEFT_TOES, PUPPET_RIGHT_TOES}};
    for (int i = 0; i < LB_BODY_PART_COUNT; i++) {
        parts[i] = -1;
    }
    parts[LB_BODY_PART_PELVIS] = PUPPET_PELVIS;
    parts[LB_BODY_PART_CHEST] = PUPPET_TRUNK;
    parts[LB_BODY_PART_HEAD] = PUPPET_HEAD;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        parts[pairs[i][0]] = pairs[i][1];
        parts[pairs[i][0] + 1] = pairs[i][2];
    }
}

/* A squat with arms that rise, both ways. */
static void carry_over(const char *scene, const lb_figure *source, const lb_figure *target, int smooth) {
    const int frames = 40, count = lb_figure_variable_count(source);
    lb_clip *clip = lb_clip_create(source, frames, 1.0 / 30, NULL);
    lb_retarget_options options;
    lb_retarget_report report;
    lb_body_map map;
    lb_error error;
    map_puppet(map.source);
    map_puppet(map.target);
    for (int f = 0; f < frames; f++) {
        const double t = f / (double)(frames - 1), bend = 4 * t * (1 - t);
        double *pose = lb_clip_pose(clip, f);
        lb_figure_rest_pose(source, pose);
        for (int i = 0; i < 6; i++) {
            pose[puppet_start_variables[i]] = 1.5 * bend * puppet_start_values[i];
        }
        pose[2] = -0.12 * bend;
        pose[15] = -1.2 * bend;
        pose[19] = -0.8 * bend;
    }
    lb_retarget_options_defaults(&options);
    options.smooth = smooth;
    lb_retarget_report_defaults(&report);
    lb_clip *made = lb_retarget(clip, target, &map, &options, &report, &error);
    puppet_require(made ? 0 : -1, error.message);
    begin_hash();
    for (int f = 0; f < lb_clip_frame_count(made); f++) {
        hash_pose(lb_clip_pose(made, f), lb_figure_variable_count(target));
    }
    printf("retarget %s: %d frames of %d variables, %d contacts, slide %.2e, limbs %.4f %016llx\n", scene,
           lb_clip_frame_count(made), count, report.contact_count, report.slide, report.limb_worst,
           (unsigned long long)hash);
    lb_clip_destroy(made);
    lb_clip_destroy(clip);
}

int main(void) {
    static const double palms[2][3] = {{0.3, -0.2, 1.1}, {0.3, 0.25, 1.2}};
    static const double palms_near[2][3] = {{0.25, -0.25, 1.1}, {0.25, 0.25, 1.1}};
    static const double here[3] = {0.35, -0.25, 0.35}, there[3] = {0.35, 0.3, 0.35}, behind[3] = {-0.4, 0.05, 0.7};
    lb_figure *arm = make_arm(), *whole = puppet_make(PUPPET_WHOLE), *bare = puppet_make(PUPPET_ROOT);
    keep_clear(arm);
    servo_arm(arm, 0);
    servo_arm(arm, 1);
    servo_person(bare, palms, 0);
    servo_person(bare, palms_near, 1);
    follow("line", arm, here, there, NULL);
    follow("among solids", arm, here, there, world());
    follow("far", arm, here, behind, NULL);
    carry_over("smooth", whole, bare, 1);
    carry_over("by frames", whole, bare, 0);
    lb_figure_destroy(arm);
    lb_figure_destroy(whole);
    lb_figure_destroy(bare);
    return 0;
}
