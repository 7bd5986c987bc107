#include "world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)64 << 20) /* of one block: larger ones are refused, as on a small machine */

static const char walker_text[] =
    "figure walker {\n"
    "  stature = 1.2m;\n"
    "  segment pelvis { mass = 5kg; site left->location = trans(0cm, 8cm, 0cm); site right->location = trans(0cm, "
    "-8cm, 0cm);\n"
    "    site top->location = trans(0cm, 0cm, 10cm); shape = sphere(top, 10cm); }\n"
    "  segment chest { mass = 5kg; site low->location = trans(0cm, 0cm, 0cm); site a->location = trans(0cm, 0cm, "
    "30cm);\n"
    "    site b->location = trans(20cm, 0cm, 30cm); shape = box(low, (5cm, 10cm, 15cm)); }\n"
    "  segment left_thigh { mass = 2kg; site up->location = trans(0cm, 0cm, 0cm); site low->location = trans(0cm, 0cm, "
    "-30cm);\n"
    "    shape = capsule(up, low, 4cm); }\n"
    "  segment right_thigh { mass = 2kg; site up->location = trans(0cm, 0cm, 0cm); site low->location = trans(0cm, "
    "0cm, -30cm); }\n"
    "  segment left_shank { mass = 1kg; site up->location = trans(0cm, 0cm, 0cm); site low->location = trans(0cm, 0cm, "
    "-30cm); }\n"
    "  segment right_shank { mass = 1kg; site up->location = trans(0cm, 0cm, 0cm); site low->location = trans(0cm, "
    "0cm, -30cm); }\n"
    "  segment left_foot { mass = 1kg; site up->location = trans(0cm, 0cm, 0cm); site tip->location = trans(15cm, 0cm, "
    "-5cm); }\n"
    "  segment right_foot { mass = 1kg; site up->location = trans(0cm, 0cm, 0cm); site tip->location = trans(15cm, "
    "0cm, -5cm); }\n"
    "  segment bar1 { site up->location = trans(0cm, 0cm, 0cm); site low->location = trans(0cm, 0cm, 20cm); }\n"
    "  segment bar2 { site up->location = trans(0cm, 0cm, 0cm); site low->location = trans(20cm, 0cm, 0cm); }\n"
    "  segment bar3 { site up->location = trans(0cm, 0cm, 0cm); site low->location = trans(0cm, 0cm, 20cm); }\n"
    "  joint spine { connect pelvis.top to chest.low; type = R(y)*R(x); llimit = (-30deg, -30deg); ulimit = (60deg, "
    "30deg); }\n"
    "  joint left_hip { connect pelvis.left to left_thigh.up; type = swing_twist(z); swing = polygon((1, 0), (0, 1), "
    "(-1, 0), (0, -1));\n"
    "    llimit = (none, none, -1); ulimit = (none, none, 1); }\n"
    "  joint right_hip { connect pelvis.right to right_thigh.up; type = R(y)*R(x)*R(z); }\n"
    "  joint left_knee { connect left_thigh.low to left_shank.up; type = R(y); llimit = (0deg); ulimit = (150deg); "
    "rest = (10deg); }\n"
    "  joint right_knee { connect right_thigh.low to right_shank.up; type = R(y); llimit = (0deg); ulimit = (150deg); "
    "rest = (10deg); }\n"
    "  joint left_ankle { connect left_shank.low to left_foot.up; type = R(y); llimit = (-40deg); ulimit = (40deg); }\n"
    "  joint right_ankle { connect right_shank.low to right_foot.up; type = R(y); llimit = (-40deg); ulimit = (40deg); "
    "}\n"
    "  joint l1 { connect chest.a to bar1.up; type = R(y); }\n"
    "  joint l2 { connect bar1.low to bar2.up; type = R(y); }\n"
    "  joint l3 { connect chest.b to bar3.up; type = R(y); }\n"
    "  joint l4 { connect bar2.low to bar3.low; type = R(y); }\n"
    "  group bend { parameter forward { llimit = -20deg; ulimit = 40deg; } drive spine.ry = 0.5 * forward; }\n"
    "  limit knees: left_knee + right_knee <= 4;\n"
    "  body { posture left_knee = 0.3; contact left_heel = heel(left_foot, (0cm, 0cm, -5cm)) limb 0; }\n"
    "  root = pelvis free at trans(0cm, 0cm, 65cm);\n"
    "}\n";

static const char collisions_text[] =
    "{\"samples\": 5, \"solids\": [{\"kind\": \"sphere\", \"point\": [0, 0, 1], \"radius\": 0.1}]}";
static const char habit_text[] = "habit 1 features 1 height 0.6 factor 2 starts 1 0.5\n";

static const char problem_text[] =
    "{\"figure\": \"chain:3\", \"constraints\": [{\"name\": \"tip\", \"effector\": "
    "\"link3.tip\", \"goal\": {\"kind\": \"position\",\n"
    " \"point\": [0.1, 0.05, 0.2]}}], \"motion\": {\"tracks\": [{\"goal\": \"tip\", "
    "\"keys\": [{\"time\": 0, \"point\": [0.1, 0.05, 0.2]},\n"
    " {\"time\": 0.1, \"point\": [0.1, 0, 0.2]}]}]},\n \"expect\": {\"status\": \"solved\"}}";

static const char bvh_text[] =
    "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
    "MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n10 0 0\n";

static const char script_text[] =
    "read (\"cube\") cube;\ntemplate (a) cube;\nchange (a) translate <0, {0, 0, 0}> <0.1, {1, 0, 0}>;\n";

world_arrays world_lists;

static struct {
    lb_closed *closed;
    lb_reach *reach;
    lb_servo *servo, *arm_servo, *body_servo;
    lb_problem *body_servo_problem;
    lb_drag *drag;
    lb_problem *drag_problem;
    lb_path *path;
    lb_problem *apart;       /* of chain */
    lb_solver *apart_solver; /* of apart */
    lb_figure *chain;
    lb_figure *walker, *arm, *limb, *biped; /* kept from call to call */
    char *glb;                              /* likewise */
    size_t glb_size;
    lb_figure *own_figure;
    lb_builder *builder;
    lb_kinematics *kinematics;
    lb_problem *problem, *arm_problem;
    int id;
    lb_solver *solver;
    lb_habit *habit;
    lb_problem *body_problem;
    lb_solver *body_solver;
    lb_track *track, *weight;
    lb_clip *clip;
    lb_motion *motion;
    lb_player *player;
    lb_problem_file *file;
    lb_script *script;
    char *text;
    int iterations;
} w;

static void need(int holds, const char *what) {
    if (!holds) {
        printf("the test's own %s cannot be made\n", what);
        fflush(stdout);
        _Exit(3);
    }
}

static void *resize(void *context, void *block, size_t old_size, size_t new_size) {
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return new_size > MOST_BYTES ? NULL : realloc(block, new_size);
}

static const lb_allocator allocator = {resize, NULL};

/* --- Objects --------------------------------------------------------------------------------------------------------- */

static lb_figure *load(const char *text, const char *path) {
    lb_figure *figure = NULL;
    lb_load_options options;
    lb_error error = {0};
    lb_load_options_defaults(&options);
    options.allocator = &allocator;
    lb_status status = text ? lb_figure_load_memory(text, strlen(text), "walker.fig", &options, &figure, &error)
                            : lb_figure_load(path, &options, &figure, &error);
    need(status == LB_OK, error.message);
    return figure;
}

const lb_figure *world_figure(void) {
    w.walker = w.walker ? w.walker : load(walker_text, NULL);
    return w.walker;
}

const lb_figure *world_arm(void) {
    w.arm = w.arm ? w.arm : load(NULL, "chain:7");
    return w.arm;
}

/* Kept for good: it is asked to stand, and never changes. */
const lb_figure *world_dog(void) {
    static lb_figure *dog;
    static char text[6000];
    if (!dog) {
        int used = snprintf(text, sizeof text,
                            "<robot name=\"dog\"><link name=\"trunk\"><inertial><mass value=\"5\"/></inertial></link>");
        for (int i = 0; i < 4; i++) {
            used += snprintf(
                text + used, sizeof text - (size_t)used,
                "<link name=\"a%d\"/><link name=\"b%d\"><collision><origin xyz=\"0 0 -0.2\"/><geometry><sphere "
                "radius=\"0.02\"/></geometry></collision></link><joint name=\"h%d\" type=\"continuous\"><parent "
                "link=\"trunk\"/><child link=\"a%d\"/><origin xyz=\"%s0.2 %s0.1 0\"/><axis xyz=\"0 1 0\"/></joint>"
                "<joint name=\"k%d\" type=\"continuous\"><parent link=\"a%d\"/><child link=\"b%d\"/><origin "
                "xyz=\"0 0 -0.2\"/><axis xyz=\"0 1 0\"/></joint>",
                i, i, i, i, i < 2 ? "" : "-", i % 2 ? "" : "-", i, i, i);
        }
        snprintf(text + used, sizeof text - (size_t)used, "</robot>");
        need(lb_figure_load_memory(text, strlen(text), "dog.urdf", NULL, &dog, NULL) == LB_OK, "dog");
    }
    return dog;
}

const lb_figure *world_limb(void) {
    if (!w.limb) {
        static const double lengths[7] = {0.36, 0, 0.42, 0, 0.4, 0, 0.1};
        lb_dh_row rows[7];
        lb_builder *b = lb_builder_create(&allocator, NULL);
        lb_segment base;
        lb_site site;
        lb_segment_defaults(&base);
        base.name = "base";
        lb_site_defaults(&site);
        site.name = "out";
        for (int i = 0; i < 7; i++) {
            rows[i] = (lb_dh_row){NULL, 0, i == 6 ? 0 : i % 2 ? 1.2 : -1.1, lengths[i], 0.2, 0, -3, 3};
        }
        need(b && lb_builder_add_segment(b, &base) == 0 && lb_builder_add_site(b, &site) == 0, "base of a limb");
        need(lb_builder_add_dh_chain(b, 0, LB_DH_CONVENTION_STANDARD, 7, rows) == 7, "seven joints");
        need(lb_builder_finish(b, &w.limb) == LB_OK, "limb");
        lb_builder_destroy(b);
    }
    return w.limb;
}

/* Hangs a link on another by a hinge about y. */
static int add_hinge(lb_builder *b, int parent, double y, double z, double low, double high) {
    char name[16] = "link00";
    lb_segment segment;
    lb_site site;
    lb_joint joint;
    lb_segment_defaults(&segment);
    lb_site_defaults(&site);
    lb_joint_defaults(&joint);
    const int count = lb_builder_segment_count(b);
    name[4] = (char)('0' + count / 10), name[5] = (char)('0' + count % 10);
    segment.name = joint.name = site.name = name;
    segment.mass = 1;
    site.segment = lb_builder_add_segment(b, &segment);
    joint.site_b = lb_builder_add_site(b, &site);
    site.segment = parent;
    site.frame.position[1] = y, site.frame.position[2] = z;
    joint.site_a = lb_builder_add_site(b, &site);
    joint.lower[0] = low, joint.upper[0] = high;
    need(lb_joint_type_parse("R(y)", &joint.type, NULL) == LB_OK && lb_builder_add_joint(b, &joint) >= 0, "hinge");
    return count;
}

/* Two legs of a hip, a knee and an ankle. */
const lb_figure *world_biped(void) {
    if (!w.biped) {
        lb_builder *b = lb_builder_create(&allocator, NULL);
        lb_segment pelvis;
        lb_segment_defaults(&pelvis);
        pelvis.name = "pelvis";
        pelvis.mass = 1;
        need(b && lb_builder_add_segment(b, &pelvis) == 0, "pelvis");
        for (int side = 0; side < 2; side++) {
            lb_shape sole;
            const int hip = add_hinge(b, 0, side ? -0.1 : 0.1, -0.1, -2, 1), knee = add_hinge(b, hip, 0, -0.4, 0, 2),
                      foot = add_hinge(b, knee, 0, -0.4, -1, 1);
            lb_shape_defaults(&sole);
            sole.kind = LB_SHAPE_BOX;
            sole.segment = foot;
            sole.size[0] = 0.1, sole.size[1] = 0.04, sole.size[2] = 0.02;
            sole.frame.position[0] = 0.03, sole.frame.position[2] = -0.04;
            need(lb_builder_add_shape(b, &sole) >= 0, "sole");
        }
        need(lb_builder_finish(b, &w.biped) == LB_OK, "biped");
        lb_builder_destroy(b);
    }
    return w.biped;
}

/* With the solutions of one goal. */
lb_closed *world_closed(void) {
    if (!w.closed) {
        lb_effector effector;
        lb_closed_result result;
        lb_frame goal;
        const double pose[7] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7};
        need(lb_effector_from_segment(world_limb(), 7, &effector) == LB_OK, "effector of a limb");
        w.closed = lb_closed_create(world_limb(), &effector, NULL, NULL);
        lb_kinematics *k = lb_kinematics_create(world_limb(), NULL);
        need(w.closed && k && lb_kinematics_update(k, pose) == LB_OK, "closed form");
        lb_kinematics_segment(k, 7, &goal);
        lb_kinematics_destroy(k);
        lb_closed_result_defaults(&result);
        need(lb_closed_solve(w.closed, &goal, pose, &result) == LB_OK && result.count > 0, "solutions");
    }
    return w.closed;
}

lb_reach *world_reach(void) {
    if (!w.reach) {
        lb_effector effector;
        world_fill_effector(&effector);
        w.reach = lb_reach_create(world_figure(), &effector, NULL, NULL);
        need(w.reach != NULL, "workspace");
    }
    return w.reach;
}

lb_servo *world_servo(void) {
    if (!w.servo) {
        double pose[64];
        w.servo = lb_servo_create(world_problem(), NULL, NULL);
        lb_figure_rest_pose(world_figure(), pose); /* the problem has two figures, one after the other */
        lb_figure_rest_pose(world_arm(), pose + lb_figure_variable_count(world_figure()));
        need(w.servo != NULL && lb_servo_start(w.servo, pose, NULL, NULL) == LB_OK, "servo");
    }
    return w.servo;
}

/* A hand that is dragged, of a problem of its own, which a drag changes. */
lb_drag *world_drag(void) {
    if (!w.drag) {
        double pose[WORLD_ROOM];
        lb_frame frame;
        w.drag_problem = lb_problem_create(world_figure(), NULL);
        need(lb_problem_set_body(w.drag_problem, 0, NULL) == LB_OK, "dragged body");
        lb_figure_rest_pose(world_figure(), pose);
        lb_frame_identity(&frame);
        w.drag = lb_drag_create(w.drag_problem, pose, NULL, NULL);
        need(w.drag != NULL && lb_drag_move(w.drag, &frame, pose, NULL) == LB_OK, "drag");
    }
    return w.drag;
}

/* A chain whose links are kept apart. */
lb_solver *world_apart_solver(void) {
    if (!w.apart_solver) {
        lb_collisions apart;
        lb_collisions_defaults(&apart);
        apart.samples = 0;
        need(lb_figure_load("chain:29", NULL, &w.chain, NULL) == LB_OK, "chain");
        w.apart = lb_problem_create(w.chain, NULL);
        need(w.apart && lb_problem_set_collisions(w.apart, &apart) == LB_OK, "collisions");
        w.apart_solver = lb_solver_create(w.apart, NULL);
        need(w.apart_solver != NULL, "solver of a chain");
    }
    return w.apart_solver;
}

lb_problem *world_apart(void) {
    world_apart_solver();
    return w.apart;
}

double world_swivel(void) {
    lb_closed_solution solution;
    lb_closed_solution_defaults(&solution);
    need(lb_closed_get(world_closed(), 0, &solution) == LB_OK, "swivel angle");
    return solution.swivel_rad;
}

lb_figure *world_own_figure(void) {
    w.own_figure = w.own_figure ? w.own_figure : load(NULL, "chain:2");
    return w.own_figure;
}

lb_builder *world_builder(void) {
    w.builder = w.builder ? w.builder : lb_builder_from(world_figure(), NULL);
    need(w.builder != NULL, "builder");
    return w.builder;
}

lb_kinematics *world_kinematics(void) {
    w.kinematics = w.kinematics ? w.kinematics : lb_kinematics_create(world_figure(), NULL);
    need(w.kinematics != NULL, "kinematics");
    return w.kinematics;
}

lb_problem *world_problem(void) {
    if (!w.problem) {
        lb_constraint c;
        w.problem = lb_problem_create(world_figure(), NULL);
        need(w.problem && lb_problem_add_figure(w.problem, world_arm()) == 1, "problem");
        world_fill_constraint(&c);
        w.id = lb_problem_add(w.problem, &c);
        need(lb_constraint_at(world_arm(), "link7.tip", (double[]){0.3, 0.1, 0.4}, &c) == LB_OK, "constraint");
        c.figure = 1;
        need(w.id > 0 && lb_problem_add(w.problem, &c) > 0, "constraints");
    }
    return w.problem;
}

int world_id(void) {
    world_problem();
    return w.id;
}

lb_problem *world_arm_problem(void) {
    if (!w.arm_problem) {
        lb_constraint c;
        lb_frame frame;
        w.arm_problem = lb_problem_create(world_arm(), NULL);
        lb_frame_identity(&frame);
        frame.position[0] = 0.3;
        need(w.arm_problem && lb_constraint_frame(world_arm(), "link7.tip", &frame, &c) == LB_OK, "arm's constraint");
        need(lb_problem_add(w.arm_problem, &c) == 1, "arm's problem");
    }
    return w.arm_problem;
}

lb_servo *world_arm_servo(void) {
    w.arm_servo = w.arm_servo ? w.arm_servo : lb_servo_create(world_arm_problem(), NULL, NULL);
    need(w.arm_servo != NULL, "arm's servo");
    return w.arm_servo;
}

const lb_frame *world_path_frames(void) {
    static const lb_frame frames[2] = {{{0.3, 0.1, 0.2}, {0, 0, 0, 1}}, {{0.3, 0.15, 0.2}, {0, 0, 0, 1}}};
    return frames;
}

lb_path *world_path(void) {
    if (!w.path) {
        lb_path_options options;
        lb_effector effector;
        lb_path_options_defaults(&options);
        options.is_position = 1;
        lb_effector_from_segment(world_arm(), 7, &effector);
        w.path = lb_path_create(world_arm(), &effector, 2, world_path_frames(), &options, NULL);
        need(w.path != NULL, "path");
    }
    return w.path;
}

lb_solver *world_solver(void) {
    w.solver = w.solver ? w.solver : lb_solver_create(world_problem(), NULL);
    need(w.solver != NULL, "solver");
    return w.solver;
}

lb_habit *world_habit(void) {
    if (!w.habit) {
        need(lb_habit_load_memory(habit_text, strlen(habit_text), "some.habit", NULL, NULL, &w.habit, NULL) == LB_OK,
             "habit");
    }
    return w.habit;
}

lb_problem *world_body_problem(void) {
    if (!w.body_problem) {
        lb_constraint c;
        const double point[3] = {0.1, 0.1, 0.1};
        w.body_problem = lb_problem_create(world_figure(), NULL);
        need(w.body_problem && lb_constraint_at(world_figure(), "left_foot.tip", point, &c) == LB_OK, "foot");
        need(lb_problem_add(w.body_problem, &c) == 1, "body's problem");
        need(lb_problem_set_body(w.body_problem, 0, NULL) == LB_OK, "body");
        need(lb_problem_set_habit(w.body_problem, 0, world_habit()) == LB_OK, "body's habit");
    }
    return w.body_problem;
}

lb_solver *world_body_solver(void) {
    if (!w.body_solver) {
        double pose[WORLD_ROOM];
        lb_result result;
        lb_result_defaults(&result);
        lb_figure_rest_pose(world_figure(), pose);
        w.body_solver = lb_solver_create(world_body_problem(), NULL);
        need(w.body_solver && lb_solver_solve(w.body_solver, NULL, pose, &result) == LB_OK, "body's solver");
    }
    return w.body_solver;
}

lb_servo *world_body_servo(void) {
    if (!w.body_servo) {
        double pose[WORLD_ROOM];
        lb_body_options options; /* it could not stand: it has one contact */
        lb_body_options_defaults(&options);
        options.balance = 0;
        lb_figure_rest_pose(world_figure(), pose);
        w.body_servo_problem = lb_problem_create(world_figure(), NULL);
        need(w.body_servo_problem && lb_problem_set_body(w.body_servo_problem, 0, &options) == LB_OK, "servo's body");
        w.body_servo = lb_servo_create(w.body_servo_problem, NULL, NULL);
        need(w.body_servo && lb_servo_start(w.body_servo, pose, NULL, NULL) == LB_OK &&
                 lb_servo_tick(w.body_servo, pose, NULL) == LB_OK,
             "body's servo");
    }
    return w.body_servo;
}

lb_track *world_track(void) {
    if (!w.track) {
        static const double keys[3][7] = {{0, 0, 1, 0, 0, 0, 1}, {0.1, 0, 1, 0, 0, 0, 1}, {0.1, 0.1, 1, 0, 0, 1, 0}};
        w.track = lb_track_create(LB_TRACK_FRAME, 0, &allocator, NULL);
        for (int i = 0; i < 3; i++) {
            need(lb_track_set(w.track, 0.05 * i, keys[i], LB_INTERPOLATION_CUBIC) == LB_OK, "track");
        }
    }
    return w.track;
}

lb_track *world_weight(void) {
    if (!w.weight) {
        double one = 1;
        w.weight = lb_track_create(LB_TRACK_VALUES, 1, &allocator, NULL);
        need(lb_track_set(w.weight, 0, &one, LB_INTERPOLATION_LINEAR) == LB_OK, "track of weights");
    }
    return w.weight;
}

lb_clip *world_clip(void) {
    w.clip = w.clip ? w.clip : lb_clip_create(world_figure(), 4, 0.05, NULL);
    need(w.clip != NULL, "clip");
    return w.clip;
}

lb_motion *world_motion(void) {
    if (!w.motion) {
        w.motion = lb_motion_create(world_problem(), world_lists.starts, NULL);
        need(w.motion && lb_motion_drive(w.motion, LB_DRIVE_TARGET_GOAL, w.id, world_track()) == LB_OK, "motion");
    }
    return w.motion;
}

lb_player *world_player(void) {
    if (!w.player) {
        lb_player_options options;
        world_fill_player_options(&options);
        w.player = lb_player_create(world_motion(), &options, NULL);
        need(w.player != NULL, "player");
    }
    return w.player;
}

lb_problem_file *world_file(void) {
    if (!w.file) {
        lb_error error = {0};
        lb_load_options options;
        world_fill_load_options(&options);
        need(lb_problem_load_memory(problem_text, strlen(problem_text), "p", &options, &w.file, &error) == LB_OK,
             error.message);
    }
    return w.file;
}

lb_script *world_script(void) {
    if (!w.script) {
        lb_error error = {0};
        lb_load_options options;
        world_fill_load_options(&options);
        need(lb_script_load_memory(script_text, strlen(script_text), "s", &options, &w.script, &error) == LB_OK,
             error.message);
    }
    return w.script;
}

char *world_text(void) {
    if (!w.text) {
        size_t size = 0;
        lb_save_options options;
        lb_error error = {0};
        lb_save_options_defaults(&options);
        need(lb_figure_save_memory(world_figure(), &options, &w.text, &size, &error) == LB_OK, error.message);
    }
    return w.text;
}

static void make_glb(void) {
    if (!w.glb) {
        lb_error error = {0};
        lb_save_options options;
        lb_save_options_defaults(&options);
        options.format = LB_FORMAT_GLTF;
        need(lb_figure_save_memory(world_figure(), &options, &w.glb, &w.glb_size, &error) == LB_OK, error.message);
        FILE *file = fopen("walker.glb", "wb");
        need(file && fwrite(w.glb, 1, w.glb_size, file) == w.glb_size, "file walker.glb");
        fclose(file);
    }
}

const char *world_gltf(void) {
    make_glb();
    return "walker.glb";
}

const void *world_data(const char *kind, size_t *size) {
    const char *text = strcmp(kind, "fig") == 0          ? walker_text
                       : strcmp(kind, "bvh") == 0        ? bvh_text
                       : strcmp(kind, "problem") == 0    ? problem_text
                       : strcmp(kind, "habit") == 0      ? habit_text
                       : strcmp(kind, "collisions") == 0 ? collisions_text
                                                         : script_text;
    if (strcmp(kind, "glb") == 0) {
        make_glb();
        *size = w.glb_size;
        return w.glb;
    }
    *size = strlen(text);
    return text;
}

void world_begin(void) {
    world_arrays *a = &world_lists;
    static const double swing[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    static const double faces[6][4] = {{1, 0, 0, 1},  {-1, 0, 0, 1}, {0, 1, 0, 1},
                                       {0, -1, 0, 1}, {0, 0, 1, 1},  {0, 0, -1, 1}};
    memset(a, 0, sizeof *a);
    memcpy(a->swing, swing, sizeof swing);
    memcpy(a->faces, faces, sizeof faces);
    for (int i = 0; i < 3; i++) {
        a->curve_x[i] = a->curve_y[i] = i;
    }
    a->coefficients[0] = a->coefficients[1] = 1;
    a->terms[0] = (lb_dof_ref){3, 0, -1};
    a->terms[1] = (lb_dof_ref){4, 0, -1};
    for (int i = 0; i < 2; i++) {
        world_fill_frame(&a->goals[i]);
    }
    lb_figure_rest_pose(world_figure(), a->starts);
}

/* Last made, first destroyed. */
void world_end(void) {
    lb_player_destroy(w.player);
    lb_motion_destroy(w.motion);
    lb_clip_destroy(w.clip);
    lb_track_destroy(w.weight);
    lb_track_destroy(w.track);
    lb_solver_destroy(w.solver);
    lb_habit_destroy(w.habit);
    lb_solver_destroy(w.body_solver);
    lb_problem_destroy(w.body_problem);
    lb_closed_destroy(w.closed);
    lb_reach_destroy(w.reach);
    lb_solver_destroy(w.apart_solver);
    lb_problem_destroy(w.apart);
    lb_figure_destroy(w.chain);
    lb_figure_destroy(w.biped);
    w.biped = NULL;
    w.chain = NULL;
    lb_drag_destroy(w.drag);
    lb_problem_destroy(w.drag_problem);
    lb_servo_destroy(w.servo);
    lb_servo_destroy(w.arm_servo);
    lb_servo_destroy(w.body_servo);
    lb_problem_destroy(w.body_servo_problem);
    lb_path_destroy(w.path);
    lb_problem_destroy(w.problem);
    lb_problem_destroy(w.arm_problem);
    lb_kinematics_destroy(w.kinematics);
    lb_builder_destroy(w.builder);
    lb_figure_destroy(w.own_figure);
    lb_problem_file_destroy(w.file);
    lb_script_destroy(w.script);
    lb_text_free(w.text);
    lb_figure *walker = w.walker, *arm = w.arm, *limb = w.limb, *biped;
    char *glb = w.glb;
    size_t glb_size = w.glb_size;
    memset(&w, 0, sizeof w);
    w.walker = walker;
    w.arm = arm;
    w.limb = limb;
    w.glb = glb;
    w.glb_size = glb_size;
}

void world_destroyed(const void *object) {
#define FORGET(slot) w.slot = object && (const void *)w.slot == object ? NULL : w.slot
    FORGET(own_figure);
    FORGET(closed);
    FORGET(reach);
    FORGET(drag);
    FORGET(servo);
    FORGET(arm_servo);
    FORGET(body_servo);
    FORGET(body_servo_problem);
    FORGET(path);
    FORGET(builder);
    FORGET(kinematics);
    FORGET(problem);
    FORGET(solver);
    FORGET(habit);
    FORGET(track);
    FORGET(clip);
    FORGET(motion);
    FORGET(player);
    FORGET(file);
    FORGET(script);
    FORGET(text);
#undef FORGET
}

/* --- Structs ----------------------------------------------------------------------------------------------------------- */

void world_fill_allocator(lb_allocator *a) { *a = allocator; }

void world_fill_frame(lb_frame *frame) {
    lb_frame_identity(frame);
    frame->position[0] = 0.1;
    frame->position[2] = 0.9;
}

void world_fill_segment(lb_segment *segment) {
    lb_segment_defaults(segment);
    segment->name = "new";
    segment->mass = 1;
}

void world_fill_site(lb_site *site) {
    lb_site_defaults(site);
    site->name = "new";
    site->segment = 1;
}

void world_fill_shape(lb_shape *shape) {
    lb_shape_defaults(shape);
    shape->kind = LB_SHAPE_BOX;
    shape->segment = 1;
    shape->size[0] = shape->size[1] = shape->size[2] = 0.1;
}

void world_fill_joint_type(lb_joint_type *type) {
    need(lb_joint_type_parse("R(z)*R(x)*T(y)", type, NULL) == LB_OK, "joint type");
}

void world_fill_joint(lb_joint *joint) {
    lb_joint_defaults(joint);
    joint->name = "new";
    joint->site_a = lb_figure_find_site(world_figure(), "left_foot.tip");
    joint->site_b = lb_figure_find_site(world_figure(), "right_foot.tip");
    need(lb_joint_type_parse("swing_twist(z)*T(x)", &joint->type, NULL) == LB_OK, "joint type");
    joint->swing_count = 4;
    joint->swing = (const double(*)[2])world_lists.swing;
}

void world_fill_parameter(lb_parameter *parameter) {
    lb_parameter_defaults(parameter);
    parameter->name = "new";
    parameter->group = 0;
    parameter->lower = -1;
    parameter->upper = 1;
}

void world_fill_dof_ref(lb_dof_ref *ref) { *ref = (lb_dof_ref){3, 0, -1}; }

void world_fill_drive(lb_drive *drive) {
    lb_drive_defaults(drive);
    drive->joint = 5;
    drive->source = (lb_dof_ref){3, 0, -1};
    drive->curve = (lb_curve){LB_CURVE_SPLINE, 0, 1, 3, world_lists.curve_x, world_lists.curve_y};
}

void world_fill_limit(lb_limit *limit) {
    lb_limit_defaults(limit);
    limit->name = "new";
    limit->count = 2;
    limit->terms = world_lists.terms;
    limit->coefficients = world_lists.coefficients;
    limit->bound = 5;
}

void world_fill_root(lb_root *root) {
    lb_root_defaults(root);
    root->segment = 1;
    root->site = lb_figure_find_site(world_figure(), "chest.low");
}

void world_fill_effector(lb_effector *effector) {
    need(lb_effector_from_segment(world_figure(), lb_figure_find_segment(world_figure(), "left_foot"), effector) ==
             LB_OK,
         "effector");
}

void world_fill_closed_options(lb_closed_options *options) {
    lb_closed_options_defaults(options);
    options->pose = world_lists.starts;
}

void world_fill_collisions(lb_collisions *collisions) {
    lb_collisions_defaults(collisions);
    collisions->samples = 10;
}

void world_fill_contact_pair(lb_contact_pair *pair) { memset(pair, 0, sizeof *pair); }

void world_fill_servo_options(lb_servo_options *options) { lb_servo_options_defaults(options); }

void world_fill_drag_options(lb_drag_options *options) { lb_drag_options_defaults(options); }

void world_fill_drag_state(lb_drag_state *state) { lb_drag_state_defaults(state); }

void world_fill_servo_state(lb_servo_state *state) { lb_servo_state_defaults(state); }

void world_fill_path_options(lb_path_options *options) {
    lb_path_options_defaults(options);
    options->is_position = 1;
    options->ways = 2;
}

void world_fill_path_result(lb_path_result *result) { lb_path_result_defaults(result); }

void world_fill_reach_options(lb_reach_options *options) {
    lb_reach_options_defaults(options);
    options->pose = world_lists.starts;
}

void world_fill_dh_row(lb_dh_row *row) { *row = (lb_dh_row){NULL, 0.1, 0.5, 0.1, 0.2, 0, -1, 1}; }

/* A polyhedron, so that its faces are looked at too. */
void world_fill_constraint(lb_constraint *c) {
    need(lb_constraint_at(world_figure(), "left_foot.tip", (double[]){0.2, 0.1, 0.2}, c) == LB_OK, "constraint");
    c->goal.kind = LB_GOAL_POLYHEDRON;
    c->goal.face_count = 6;
    c->goal.faces = (const double(*)[4])world_lists.faces;
    c->chain_start = lb_figure_find_joint(world_figure(), "left_hip");
}

void world_fill_cancel(lb_cancel *cancel) { lb_cancel_request(cancel); }

/* Whatever the budgets are, it ends. */
static int stop_at_last(void *context, const lb_progress *progress) {
    (void)context;
    (void)progress;
    return ++w.iterations > 200;
}

void world_fill_solve_options(lb_solve_options *options) {
    lb_solve_options_defaults(options);
    options->restarts = 1;
    options->max_iterations = 20;
    options->on_iteration = stop_at_last;
}

static int go_on(void *context, int done, int count) {
    (void)context;
    return done > count;
}

void world_fill_many(lb_many *many) {
    lb_many_defaults(many);
    world_lists.ids[0] = world_id();
    many->count = 2;
    many->goal_count = 1;
    many->ids = world_lists.ids;
    many->goals = world_lists.goals;
    many->starts = world_lists.starts;
    many->one_start = 1;
    many->on_progress = go_on;
}

static void hear(void *context, double time, const char *message) {
    (void)context;
    (void)time;
    (void)message;
}

void world_fill_player_options(lb_player_options *options) {
    lb_player_options_defaults(options);
    options->step = 0.05;
    options->warn = hear;
}

void world_fill_contact_options(lb_contact_options *options) { lb_contact_options_defaults(options); }

void world_fill_contact(lb_contact *contact) { *contact = (lb_contact){0, 1, 2, {0.1, 0.1, 0}}; }

void world_fill_body(lb_body *body) {
    static const lb_body_contact contact = {"sole", LB_CONTACT_HEEL, 0, 1, {0, 0, 0}};
    lb_body_defaults(body);
    body->contact_count = 1;
    body->contacts = &contact;
}

void world_fill_body_options(lb_body_options *options) { lb_body_options_defaults(options); }

void world_fill_habit_data(lb_habit_data *data) {
    /* as many as there may be: those after the first are of no kind */
    static lb_habit_feature features[LB_HABIT_FEATURES];
    static const double starts[LB_HABIT_FEATURES];
    for (int i = 0; i < LB_HABIT_FEATURES; i++) {
        features[i] = (lb_habit_feature){i == 0 ? LB_HABIT_HEIGHT : (lb_habit_kind)-1, NULL, 0.6};
    }
    lb_habit_data_defaults(data);
    data->feature_count = 1;
    data->features = features;
    data->factor = world_lists.coefficients;
    data->start_count = 1;
    data->starts = starts;
    data->source = data->credit = "some";
}

void world_fill_body_map(lb_body_map *map) {
    need(lb_body_map_human(world_figure(), world_figure(), map) == LB_OK, "body map");
}

static int next_frame(void *context, int frame) {
    (void)context;
    return frame > 1000;
}

void world_fill_retarget_options(lb_retarget_options *options) {
    lb_retarget_options_defaults(options);
    options->on_frame = next_frame;
}

void world_fill_retarget_report(lb_retarget_report *report) {
    lb_retarget_report_defaults(report);
    report->size = 1;
    report->is_target_upright = 1;
}

void world_fill_retarget_bounds(lb_retarget_bounds *bounds) { lb_retarget_bounds_defaults(bounds); }

static void hear_error(void *context, const lb_error *warning) {
    (void)context;
    (void)warning;
}

void world_fill_load_options(lb_load_options *options) {
    lb_load_options_defaults(options);
    options->allocator = &allocator;
    options->warn = hear_error;
}

void world_fill_save_options(lb_save_options *options) {
    lb_save_options_defaults(options);
    options->warn = hear_error;
    options->pose = world_lists.starts;
}

void world_fill_render_options(lb_render_options *options) {
    lb_render_options_defaults(options);
    options->width = options->height = 64;
    options->format = LB_PICTURE_FORMAT_SVG;
    options->title = "title";
    options->has_camera = options->show_joints = options->show_sites = options->show_limits = options->show_com = 1;
    options->has_bounds = 1;
    for (int i = 0; i < 3; i++) {
        options->lower[i] = -1;
        options->upper[i] = 1;
    }
}

void world_fill_marker(lb_marker *marker) {
    memset(marker, 0, sizeof *marker);
    marker->kind = LB_MARKER_SHAPE;
    world_fill_frame(&marker->frame);
    world_fill_shape(&marker->shape);
    marker->name = "mark";
}

void world_fill_scene(lb_scene *scene) {
    world_lists.figures[0] = world_figure();
    world_lists.figures[1] = world_arm();
    world_fill_marker(&world_lists.markers[0]);
    *scene = (lb_scene){2, world_lists.figures, world_lists.rest, 1, world_lists.markers};
}

void world_fill_result(lb_result *result) {
    lb_result_defaults(result);
    result->unmet = 0;
    result->outcome = LB_OUTCOME_BUDGET;
}

/* --- Afterwards ----------------------------------------------------------------------------------------------------------- */

static int all_finite(const double *values, int count) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return 0;
        }
    }
    return 1;
}

static const char *check_figure(const lb_figure *figure) {
    const char *wrong = NULL;
    static double pose[WORLD_ROOM];
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    if (!kinematics || lb_figure_variable_count(figure) > WORLD_ROOM) {
        lb_kinematics_destroy(kinematics);
        return NULL;
    }
    lb_figure_rest_pose(figure, pose);
    if (!all_finite(pose, lb_figure_variable_count(figure))) {
        wrong = "a figure's rest pose is not finite";
    }
    for (int i = 0; i < lb_figure_segment_count(figure) && !wrong; i++) {
        double matrix[12];
        if (lb_kinematics_matrix(kinematics, i, matrix) != LB_OK || !all_finite(matrix, 12)) {
            wrong = "a segment's place is not finite";
        }
    }
    lb_kinematics_destroy(kinematics);
    return wrong;
}

static const char *check_builder(void) {
    lb_figure *figure = NULL;
    lb_status status = lb_builder_finish(w.builder, &figure);
    const char *wrong =
        (status == LB_OK) != (figure != NULL) ? "a figure without success, or the other way round" : NULL;
    if (figure && !wrong) {
        wrong = check_figure(figure);
    }
    lb_figure_destroy(figure);
    return wrong;
}

static const char *check_problem(void) {
    static double pose[WORLD_ROOM];
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    w.iterations = 0;
    world_fill_solve_options(&options);
    options.max_iterations = 3;
    options.restarts = 0;
    memset(pose, 0, sizeof pose);
    lb_status status = lb_solve(w.problem, &options, pose, &result);
    int n = lb_problem_variable_count(w.problem);
    return status == LB_OK && !(all_finite(pose, n) && isfinite(result.value)) ? "an answer is not finite" : NULL;
}

const char *world_aftermath(void) {
    static double room[3][WORLD_ROOM];
    const char *wrong = w.builder ? check_builder() : NULL;
    if (!wrong && w.problem && lb_problem_variable_count(w.problem) < WORLD_ROOM) {
        wrong = check_problem();
    }
    if (!wrong && w.track && lb_track_width(w.track) <= 7 &&
        lb_track_sample(w.track, 0.03, room[0], room[1], room[2]) == LB_OK &&
        !(all_finite(room[0], lb_track_width(w.track)) && all_finite(room[1], lb_track_rate_width(w.track)))) {
        wrong = "a track's sample is not finite";
    }
    if (!wrong && w.motion) {
        lb_player_options options;
        world_fill_player_options(&options);
        lb_player *player = lb_player_create(w.motion, &options, NULL);
        if (player && lb_player_pose(player, 0.04, room[0], NULL) == LB_OK &&
            !all_finite(room[0], lb_problem_variable_count(lb_motion_problem(w.motion, 0)))) {
            wrong = "a player's pose is not finite";
        }
        lb_player_destroy(player);
    }
    return wrong;
}
