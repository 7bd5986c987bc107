/* Whatever is a person by its names is a body: skeletons that the test makes in other rest poses and with other Euler angles, the
 * model as a character, and all characters of ../shared. They reach, stand and bend as people do. */
#include "check.h"

#include <limber/body.h>
#include <limber/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* --- A skeleton in BVH ----------------------------------------------------------------------------------- */

typedef struct bone {
    const char *name;
    int depth;
    double offset[3]; /* centimetres, y up, z ahead, in a T-pose */
    int is_end;
} bone;

static const bone bones[] = {
    {"Hips", 0, {0, 95, 0}, 0},
    {"Spine", 1, {0, 10, 0}, 0},
    {"Spine1", 2, {0, 18, 0}, 0},
    {"Neck", 3, {0, 24, 0}, 0},
    {"Head", 4, {0, 10, 1}, 0},
    {"", 5, {0, 18, 0}, 1},
    {"LeftArm", 3, {18, 18, 0}, 0},
    {"LeftForeArm", 4, {28, 0, 0}, 0},
    {"LeftHand", 5, {26, 0, 0}, 0},
    {"", 6, {8, 0, 0}, 1},
    {"RightArm", 3, {-18, 18, 0}, 0},
    {"RightForeArm", 4, {-28, 0, 0}, 0},
    {"RightHand", 5, {-26, 0, 0}, 0},
    {"", 6, {-8, 0, 0}, 1},
    {"LeftUpLeg", 1, {9, 0, 0}, 0},
    {"LeftLeg", 2, {0, -43, 0}, 0},
    {"LeftFoot", 3, {0, -44, 0}, 0},
    {"LeftToeBase", 4, {0, -6, 13}, 0},
    {"", 5, {0, 0, 6}, 1},
    {"RightUpLeg", 1, {-9, 0, 0}, 0},
    {"RightLeg", 2, {0, -43, 0}, 0},
    {"RightFoot", 3, {0, -44, 0}, 0},
    {"RightToeBase", 4, {0, -6, 13}, 0},
    {"", 5, {0, 0, 6}, 1},
};
#define BONES ((int)(sizeof bones / sizeof *bones))

/* The arms hang by an angle from a T-pose; the order of the Euler angles is the caller's. */
static void write_skeleton(const char *path, double hang, const char *order) {
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    int is_arm = 0, open = 0, channels = 0;
    fputs("HIERARCHY\n", file);
    for (int i = 0; i < BONES; i++) {
        const bone *b = &bones[i];
        for (; open > b->depth; open--) {
            fputs("}\n", file);
        }
        is_arm = strstr(b->name, "ForeArm") || strstr(b->name, "Hand") ? 1 : b->is_end ? is_arm : 0;
        double x = b->offset[0], y = b->offset[1];
        if (is_arm) {
            y = -fabs(x) * sin(hang);
            x *= cos(hang);
        }
        fprintf(file, "%s %s\n{\nOFFSET %.6f %.6f %.6f\n",
                b->is_end ? "End"
                : i       ? "JOINT"
                          : "ROOT",
                b->is_end ? "Site" : b->name, x, y, b->offset[2]);
        if (!b->is_end) {
            fprintf(file, i ? "CHANNELS 3" : "CHANNELS 6 Xposition Yposition Zposition");
            fprintf(file, " %crotation %crotation %crotation\n", order[0], order[1], order[2]);
            channels += i ? 3 : 6;
        }
        open++;
    }
    for (; open > 0; open--) {
        fputs("}\n", file);
    }
    fputs("MOTION\nFrames: 1\nFrame Time: 0.04\n0 95 0", file);
    for (int i = 3; i < channels; i++) {
        fputs(" 0", file);
    }
    fputs("\n", file);
    fclose(file);
}

/* --- What is asked of a person --------------------------------------------------------------------------- */

typedef struct person {
    lb_figure *figure;
    lb_kinematics *kinematics;
    const lb_body *body;
    const char **names; /* of its segments, in the model's words */
    double scale;
    int is_eased; /* no joint keeps the limits, the rest and the places of the file's */
    double *pose;
} person;

static int part(const person *p, const char *name) {
    for (int i = 0; i < lb_figure_segment_count(p->figure); i++) {
        if (p->names[i] && strcmp(p->names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static int at(const person *p, const char *name, double point[3]) {
    lb_frame frame;
    int segment = part(p, name);
    if (segment >= 0) {
        lb_kinematics_segment(p->kinematics, segment, &frame);
        memcpy(point, frame.position, sizeof frame.position);
    }
    return segment >= 0;
}

static void contact_at(const person *p, int contact, double point[3]) {
    const lb_body_contact *c = &p->body->contacts[contact];
    lb_frame frame, local = {{c->point[0], c->point[1], c->point[2]}, {0, 0, 0, 1}};
    lb_kinematics_segment(p->kinematics, c->segment, &frame);
    lb_frame_multiply(&frame, &local, &frame);
    memcpy(point, frame.position, sizeof frame.position);
}

static double distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* At ease: soles on the floor, hanging arms, straight legs. */
static void check_ease(const person *p, int is_eased) {
    double a[3], b[3];
    for (int i = 0; i < p->body->contact_count; i++) {
        if (p->body->contacts[i].kind <= LB_CONTACT_TOE) {
            contact_at(p, i, a);
            CHECK_NEAR(a[2], 0, 1e-9);
        }
    }
    lb_figure_rest_pose(p->figure, p->pose);
    CHECK_NEAR(lb_figure_violation(p->figure, p->pose), 0, 1e-9);
    for (int side = 0; side < 2 && is_eased; side++) {
        REQUIRE(at(p, side ? "right_upper_arm" : "left_upper_arm", a));
        if (at(p, side ? "right_hand" : "left_hand", b)) {
            CHECK(a[2] - b[2] > 0.99 * distance(a, b));
        }
        REQUIRE(at(p, side ? "right_thigh" : "left_thigh", a) && at(p, side ? "right_foot" : "left_foot", b));
        CHECK(a[2] - b[2] > 0.99 * distance(a, b));
    }
}

/* In the pose of an answer: knees are ahead of the line from hip to ankle, as the hips see it. */
static void check_knees(const person *p) {
    double left[3], right[3], knee[3], foot[3];
    REQUIRE(at(p, "left_thigh", left) && at(p, "right_thigh", right));
    const double across[2] = {left[0] - right[0], left[1] - right[1]}, ahead[2] = {across[1], -across[0]};
    for (int side = 0; side < 2; side++) {
        const double *hip = side ? right : left;
        double line[3], off[3], along = 0, length = 0;
        REQUIRE(at(p, side ? "right_shank" : "left_shank", knee) && at(p, side ? "right_foot" : "left_foot", foot));
        for (int c = 0; c < 3; c++) {
            line[c] = foot[c] - hip[c];
            off[c] = knee[c] - hip[c];
            length += line[c] * line[c];
            along += off[c] * line[c];
        }
        for (int c = 0; c < 3; c++) {
            off[c] -= along / length * line[c];
        }
        CHECK(off[0] * ahead[0] + off[1] * ahead[1] > -0.012 * p->scale * hypot(ahead[0], ahead[1]));
    }
}

/* One palm to a point, in lengths of the model; what is planted stands. */
static void check_reach(person *p, const char *palm, double x, double y, double z) {
    const double target[7] = {x * p->scale, y * p->scale, z * p->scale, 0, 0, 0, 1};
    double before[32][3], now[3], hands[3];
    lb_constraint goal;
    lb_solve_options options;
    lb_result result;
    lb_figure_rest_pose(p->figure, p->pose);
    lb_kinematics_update(p->kinematics, p->pose);
    for (int i = 0; i < p->body->contact_count && i < 32; i++) {
        contact_at(p, i, before[i]);
    }
    lb_problem *problem = lb_problem_create(p->figure, NULL);
    REQUIRE(problem && lb_constraint_at(p->figure, palm, target, &goal) == LB_OK);
    REQUIRE(lb_problem_add(problem, &goal) >= 0 && lb_problem_set_body(problem, 0, NULL) == LB_OK);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(solver);
    lb_solve_options_defaults(&options);
    lb_result_defaults(&result);
    CHECK(lb_solver_solve(solver, &options, p->pose, &result) == LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK_NEAR(lb_figure_violation(p->figure, p->pose), 0, 1e-9);
    lb_kinematics_update(p->kinematics, p->pose);
    const lb_body_result *body = lb_solver_body(solver, 0);
    REQUIRE(body);
    CHECK(body->margin > -1e-6);
    CHECK(body->overlap < 1e-4);
    for (int i = 0; i < p->body->contact_count && i < 32; i++) {
        contact_at(p, i, now);
        CHECK(now[2] > -1e-4 || p->body->contacts[i].kind > LB_CONTACT_TOE);
        if (body->step_count == 0 && p->body->contacts[i].kind == LB_CONTACT_BALL) {
            CHECK(distance(before[i], now) < 1e-4);
        }
    }
    if (p->is_eased) {
        check_knees(p);
    }
    REQUIRE(at(p, palm[0] == 'r' ? "right_hand" : "left_hand", hands));
    CHECK(distance(hands, target) < 0.12 * p->scale);
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
}

/* No knee bends forward and no elbow back, whatever the axes of the file were. */
static void check_bends(person *p) {
    static const struct {
        const char *name;
        double sign;
    } hinges[] = {{"left_forearm", -1}, {"right_forearm", -1}, {"left_shank", 1}, {"right_shank", 1}};
    for (int i = 0; i < 4; i++) {
        char name[128];
        int segment = part(p, hinges[i].name);
        REQUIRE(segment >= 0);
        snprintf(name, sizeof name, "%s.swy",
                 lb_figure_joint(p->figure, lb_figure_parent_joint(p->figure, segment))->name);
        int variable = lb_figure_find_variable(p->figure, name);
        REQUIRE(variable >= 0);
        lb_figure_rest_pose(p->figure, p->pose);
        p->pose[variable] = hinges[i].sign * PI / 2;
        CHECK_NEAR(lb_figure_violation(p->figure, p->pose), 0, 1e-9);
        p->pose[variable] = -hinges[i].sign * PI / 6;
        CHECK(lb_figure_violation(p->figure, p->pose) > 0.2);
    }
}

static int load(const char *path, lb_limits limits, person *p) {
    lb_load_options options;
    lb_error error;
    memset(p, 0, sizeof *p);
    lb_load_options_defaults(&options);
    options.body = 1;
    options.limits = limits;
    REQUIRE(lb_figure_load(path, &options, &p->figure, &error) == LB_OK);
    p->body = lb_figure_body(p->figure);
    if (!p->body) {
        lb_figure_destroy(p->figure);
        return 0;
    }
    p->kinematics = lb_kinematics_create(p->figure, NULL);
    p->pose = calloc((size_t)lb_figure_variable_count(p->figure) + 1, sizeof *p->pose);
    p->names = calloc((size_t)lb_figure_segment_count(p->figure) + 1, sizeof *p->names);
    REQUIRE(p->kinematics && p->pose && p->names && lb_figure_human_names(p->figure, p->names) > 10);
    double knee[3];
    REQUIRE(at(p, "right_shank", knee));
    p->scale = knee[2] / 0.5;
    return 1;
}

static void drop(person *p) {
    lb_kinematics_destroy(p->kinematics);
    lb_figure_destroy(p->figure);
    free(p->pose);
    free(p->names);
}

static void check_person(const char *path, int is_eased) {
    person p;
    check_note("%s", path);
    REQUIRE(load(path, LB_LIMITS_AUTO, &p));
    p.is_eased = is_eased;
    CHECK(lb_figure_mass(p.figure) > 0);
    check_ease(&p, is_eased);
    if (is_eased) {
        check_bends(&p);
    }
    check_reach(&p, "right_palm", 0.3, -0.15, 0.9);
    check_reach(&p, "left_palm", 0.3, 0.2, 0.35);
    check_reach(&p, "right_palm", 0.15, -0.25, 1.35);
    drop(&p);
    check_note("%s", "");
}

/* --- Cases ----------------------------------------------------------------------------------------------- */

static void check_made(void) {
    static const struct {
        double hang;
        const char *order;
    } cases[] = {{0, "ZXY"}, {PI / 4, "YXZ"}, {1.4, "XYZ"}, {0.3, "ZYX"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[512];
        check_scratch("made.bvh", path, sizeof path);
        write_skeleton(path, cases[i].hang, cases[i].order);
        check_person(path, 1);
    }
}

/* The model as a character, which has three hinges of the spine in each vertebra as balls. */
static void check_model(void) {
    char path[512], out[512];
    lb_figure *figure = NULL;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    check_scratch("human.glb", out, sizeof out);
    REQUIRE(lb_figure_save(figure, out, NULL, NULL) == LB_OK);
    lb_figure_destroy(figure);
    check_person(out, 1);
}

static int limited(const lb_figure *figure) {
    int count = lb_figure_row_count(figure);
    for (int i = 0; i < lb_figure_variable_count(figure); i++) {
        count += isfinite(lb_figure_variable(figure, i)->lower) != 0;
    }
    return count;
}

/* Which limits: those of the file (a BVH file has none), a human's, none; and nobody else is touched. */
static void check_limits(void) {
    char path[512];
    lb_load_options options;
    lb_figure *figure = NULL;
    person p;
    check_scratch("limits.bvh", path, sizeof path);
    write_skeleton(path, 0, "ZXY");
    for (int limits = LB_LIMITS_FILE; limits <= LB_LIMITS_NONE; limits++) {
        REQUIRE(load(path, (lb_limits)limits, &p));
        CHECK_INT(limited(p.figure) > 0, limits == LB_LIMITS_AUTO || limits == LB_LIMITS_ANATOMICAL);
        drop(&p);
    }
    /* a body alone has the limits that limber solve gives it, in C as in the shell, unless others are asked for */
    lb_load_options_defaults(&options);
    options.body = 1;
    REQUIRE(lb_figure_load(path, &options, &figure, NULL) == LB_OK);
    const int with_body = limited(figure);
    CHECK(lb_figure_body(figure) && with_body > 0);
    lb_figure_destroy(figure);
    options.limits = LB_LIMITS_AUTO;
    REQUIRE(lb_figure_load(path, &options, &figure, NULL) == LB_OK);
    CHECK_INT(limited(figure), with_body);
    lb_figure_destroy(figure);
    options.limits = LB_LIMITS_FILE;
    REQUIRE(lb_figure_load(path, &options, &figure, NULL) == LB_OK);
    CHECK(lb_figure_body(figure) && limited(figure) == 0);
    lb_figure_destroy(figure);
    /* limits alone: it stays in the pose of the file */
    lb_load_options_defaults(&options);
    options.limits = LB_LIMITS_ANATOMICAL;
    REQUIRE(lb_figure_load(path, &options, &figure, NULL) == LB_OK);
    CHECK(!lb_figure_body(figure) && limited(figure) > 0);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    lb_frame shoulder, hand;
    lb_kinematics_segment(kinematics, lb_figure_find_segment(figure, "LeftArm"), &shoulder);
    lb_kinematics_segment(kinematics, lb_figure_find_segment(figure, "LeftHand"), &hand);
    CHECK_NEAR(hand.position[2], shoulder.position[2], 1e-9);
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
    /* a robot is no person, and the model has a body of its own */
    options.body = 1;
    REQUIRE(check_source("models/panda.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, &options, &figure, NULL) == LB_OK);
    CHECK(!lb_figure_body(figure));
    lb_figure_destroy(figure);
    options.limits = (lb_limits)7;
    CHECK_INT(lb_figure_load(path, &options, &figure, NULL), LB_ERROR_ARGUMENT);
}

/* A human who is rooted at a foot, free or not, keeps the body, and reaches with it. */
static void check_rerooted(void) {
    char path[512];
    lb_figure *human = NULL;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &human, NULL) == LB_OK);
    for (int is_free = 1; is_free >= 0; is_free--) {
        person p = {.scale = 1, .is_eased = 1};
        lb_root root = *lb_figure_root(human);
        double *pose = calloc((size_t)lb_figure_variable_count(human) * 2 + 16, sizeof *pose);
        root.segment = lb_figure_find_segment(human, "right_foot");
        root.site = -1;
        root.is_free = is_free;
        lb_figure_rest_pose(human, pose);
        REQUIRE(lb_figure_reroot(human, pose, &root, &p.figure, pose + lb_figure_variable_count(human), NULL) == LB_OK);
        p.body = lb_figure_body(p.figure);
        REQUIRE(p.body);
        CHECK_INT(p.body->variable_count, lb_figure_variable_count(p.figure));
        CHECK_INT(p.body->contact_count, lb_figure_body(human)->contact_count);
        CHECK_INT(p.body->start_count, lb_figure_body(human)->start_count);
        int elbow = lb_figure_find_variable(p.figure, "left_elbow"), was = lb_figure_find_variable(human, "left_elbow");
        CHECK_NEAR(p.body->variables[elbow].weight, lb_figure_body(human)->variables[was].weight, 0);
        p.kinematics = lb_kinematics_create(p.figure, NULL);
        p.names = calloc((size_t)lb_figure_segment_count(p.figure) + 1, sizeof *p.names);
        p.pose = pose;
        REQUIRE(lb_figure_human_names(p.figure, p.names) > 10);
        check_note("rooted at a foot, free %d", is_free);
        if (is_free) {
            check_reach(&p, "right_palm", 0.4, -0.15, 0.9);
            check_reach(&p, "left_palm", 0.4, 0.2, 0.35);
        }
        check_note("%s", "");
        drop(&p);
    }
    lb_figure_destroy(human);
}

static void check_shared_people(void) {
    static const struct {
        const char *path;
        int is_eased;
    } people[] = {{"data/gltf/CesiumMan.glb", 1},     {"data/gltf/RiggedFigure.glb", 1},
                  {"data/gltf/KayKit_Knight.glb", 1}, {"data/gltf/RobotExpressive.glb", 0},
                  {"data/vrm/Example_vrm1.vrm", 1},   {"data/vrm/Godette_vrm0.vrm", 1},
                  {"data/bvh/cmu/02_01_walk.bvh", 1}, {"data/mjcf/humanoid.xml", 0}};
    char path[512];
    if (!check_shared("data/gltf/Fox.glb", path, sizeof path)) {
        printf("the characters were not checked: ../shared/data is not there\n");
        return;
    }
    person fox;
    CHECK(!load(path, LB_LIMITS_AUTO, &fox));
    for (size_t i = 0; i < sizeof people / sizeof *people; i++) {
        if (check_shared(people[i].path, path, sizeof path)) {
            check_person(path, people[i].is_eased);
        }
    }
}

int main(void) {
    check_limits();
    check_made();
    check_model();
    check_rerooted();
    check_shared_people();
    return check_done();
}
