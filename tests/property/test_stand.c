/* Legged figures stand: the robots of the shared folder, and random ones that are made here, with any number of legs, names, sizes
 * and axes. What is judged is measured here, by code that shares nothing with the solver: feet on the floor, the centre of mass
 * over what stands, limits, the torques of drives by central differences of the energy, goals met. */
#include <limber/io.h>
#include <limber/solve.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "property/random_figure.h"

#define MOST_POINTS 64

/* --- The judge --------------------------------------------------------------------------------------- */

typedef struct judge {
    const lb_figure *figure;
    lb_kinematics *kinematics;
    double *pose;
} judge;

/* Where the ball of a contact touches the floor, and its height above it. */
static double place_contact(const judge *j, int contact, double at[3]) {
    const lb_body_contact *c = &lb_figure_body(j->figure)->contacts[contact];
    double m[12];
    lb_kinematics_matrix(j->kinematics, c->segment, m);
    for (int i = 0; i < 3; i++) {
        at[i] = m[4 * i] * c->point[0] + m[4 * i + 1] * c->point[1] + m[4 * i + 2] * c->point[2] + m[4 * i + 3];
    }
    at[2] -= c->radius;
    return at[2];
}

/* Whether a point is inside the convex hull of others, seen from above: on one side of every line that has them all there. */
static int is_over(int count, double (*points)[3], const double at[3]) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) {
            const double x = points[k][0] - points[i][0], y = points[k][1] - points[i][1];
            int is_edge = x * x + y * y > 1e-12;
            for (int n = 0; n < count && is_edge; n++) {
                is_edge = x * (points[n][1] - points[i][1]) - y * (points[n][0] - points[i][0]) >= -1e-9;
            }
            if (is_edge && x * (at[1] - points[i][1]) - y * (at[0] - points[i][0]) < -1e-9) {
                return 0;
            }
        }
    }
    return 1;
}

/* The energy that a variable has to bear: of all masses, less the work of the forces at contacts. */
static double energy(const judge *j, const lb_body_result *body) {
    double com[3], at[3], sum;
    lb_kinematics_com(j->kinematics, com);
    sum = com[2];
    for (int i = 0; i < body->contact_count; i++) {
        place_contact(j, body->contacts[i].contact, at);
        sum -= body->contacts[i].share * (at[2] + lb_figure_body(j->figure)->contacts[i].radius);
    }
    return 9.81 * lb_figure_mass(j->figure) * sum;
}

/* The efforts that were reported against central differences, and against 1. */
static void judge_efforts(judge *j, const lb_body_result *body) {
    for (int i = 0; i < body->effort_count; i++) {
        const lb_body_strength *strength = &lb_figure_body(j->figure)->strengths[body->efforts[i].strength];
        const lb_dof_ref ref = {lb_figure_parent_joint(j->figure, strength->segment), 0, -1};
        const int variable = lb_figure_variable_of(j->figure, &ref);
        const double kept = j->pose[variable], step = 1e-5;
        int is_source = 0; /* what follows by a drive adds to it, and has strengths of its own */
        for (int d = 0; d < lb_figure_drive_count(j->figure); d++) {
            is_source |= lb_figure_drive(j->figure, d)->source.joint == ref.joint;
        }
        CHECK(body->efforts[i].share <= 1 + 1e-4);
        if (is_source) {
            continue;
        }
        double ends[2];
        for (int k = 0; k < 2; k++) {
            j->pose[variable] = kept + (k ? step : -step);
            lb_kinematics_update(j->kinematics, j->pose);
            ends[k] = energy(j, body);
        }
        j->pose[variable] = kept;
        lb_kinematics_update(j->kinematics, j->pose);
        const double torque = fabs(ends[1] - ends[0]) / (2 * step);
        CHECK_NEAR(body->efforts[i].share, torque / strength->moment, 1e-5 + 1e-5 * torque / strength->moment);
    }
}

/* All that stands by a pose that was found. lifted: the limb that need not; -1: none. */
static void judge_stance(judge *j, const lb_body_result *body, int lifted) {
    const lb_body *b = lb_figure_body(j->figure);
    double points[MOST_POINTS][3], com[3];
    int count = 0;
    lb_kinematics_update(j->kinematics, j->pose);
    for (int i = 0; i < b->contact_count && count < MOST_POINTS; i++) {
        const double height = place_contact(j, i, points[count]);
        CHECK(height > -1e-3);
        if (b->contacts[i].limb != lifted) {
            CHECK_NEAR(height, 0, 1e-3);
            count++;
        }
    }
    lb_kinematics_com(j->kinematics, com);
    CHECK(is_over(count, points, com));
    CHECK(lb_figure_violation(j->figure, j->pose) < 1e-9);
    if (body) {
        judge_efforts(j, body);
    }
}

static int limb_of(const lb_figure *figure, int segment) {
    const lb_body *body = lb_figure_body(figure);
    for (int i = 0; i < body->contact_count; i++) {
        for (int at = body->contacts[i].segment; at >= 0 && at != lb_figure_root(figure)->segment;
             at = lb_figure_parent_segment(figure, at)) {
            if (at == segment) {
                return body->contacts[i].limb;
            }
        }
    }
    return -1;
}

/* --- Goals ------------------------------------------------------------------------------------------- */

/* Where a segment is if joints that are no leg's are moved by a little: a place that it can reach. */
static void reachable(judge *j, int segment, uint64_t *seed, double goal[3]) {
    lb_frame at;
    lb_figure_rest_pose(j->figure, j->pose);
    for (int i = 6; i < lb_figure_variable_count(j->figure); i++) {
        const lb_variable *v = lb_figure_variable(j->figure, i);
        int child = -1;
        for (int k = 0; k < lb_figure_segment_count(j->figure); k++) {
            child = lb_figure_parent_joint(j->figure, k) == v->ref.joint ? k : child;
        }
        const double by = random_between(seed, -0.25, 0.25);
        if (child >= 0 && limb_of(j->figure, child) < 0 && v->is_angle) {
            j->pose[i] = fmin(fmax(j->pose[i] + by, v->lower), v->upper);
        }
    }
    lb_kinematics_update(j->kinematics, j->pose);
    lb_kinematics_segment(j->kinematics, segment, &at);
    memcpy(goal, at.position, sizeof at.position);
}

static void reach(judge *j, int segment, const double goal[3], int lifted) {
    lb_problem *problem = lb_problem_create(j->figure, NULL);
    lb_constraint there;
    lb_result result;
    lb_frame at;
    lb_constraint_defaults(&there);
    lb_result_defaults(&result);
    REQUIRE(problem && lb_effector_from_segment(j->figure, segment, &there.effector) == LB_OK);
    memcpy(there.goal.point, goal, sizeof there.goal.point);
    REQUIRE(lb_problem_set_body(problem, 0, NULL) == LB_OK && lb_problem_add(problem, &there) >= 0);
    lb_solver *solver = lb_solver_create(problem, NULL);
    lb_figure_rest_pose(j->figure, j->pose);
    CHECK(lb_solver_solve(solver, NULL, j->pose, &result) == LB_OK);
    CHECK_TEXT(lb_outcome_name(result.outcome), "solved");
    judge_stance(j, lb_solver_body(solver, 0), lifted);
    lb_kinematics_segment(j->kinematics, segment, &at);
    for (int c = 0; c < 3 && result.outcome == LB_OUTCOME_SOLVED; c++) {
        CHECK_NEAR(at.position[c], goal[c], 1e-4);
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
}

/* Lifts a foot of four or more. */
static void lift(judge *j, double by, uint64_t *seed) {
    const lb_body *body = lb_figure_body(j->figure);
    const lb_body_contact *contact = &body->contacts[random_below(seed, body->contact_count)];
    lb_frame at;
    lb_figure_rest_pose(j->figure, j->pose);
    lb_kinematics_update(j->kinematics, j->pose);
    lb_kinematics_segment(j->kinematics, contact->segment, &at);
    at.position[2] += by;
    reach(j, contact->segment, at.position, contact->limb);
}

/* A figure as it stands, and asked to reach. `away`: metres that its base is moved by ahead and down, and aside. */
static void judge_figure(const lb_figure *standing, int legs, int reaches, const double away[2], uint64_t *seed) {
    judge j = {standing, lb_kinematics_create(standing, NULL),
               malloc((size_t)lb_figure_variable_count(standing) * sizeof(double))};
    const lb_body *body = lb_figure_body(standing);
    int limbs = 0, last = -1;
    REQUIRE(body && j.kinematics && j.pose);
    for (int i = 0; i < body->contact_count; i++) {
        limbs = body->contacts[i].limb >= limbs ? body->contacts[i].limb + 1 : limbs;
    }
    CHECK_INT(limbs, legs);
    lb_figure_rest_pose(standing, j.pose);
    judge_stance(&j, NULL, -1);
    for (int i = 0; i < lb_figure_segment_count(standing); i++) { /* the last link of what is no leg */
        last = limb_of(standing, i) < 0 ? i : last;
    }
    const int base = lb_figure_root(standing)->is_free ? lb_figure_root(standing)->segment : -1;
    for (int i = 0; i < reaches; i++) {
        double goal[3];
        reachable(&j, last, seed, goal);
        reach(&j, last, goal, -1);
        if (base >= 0) {
            lb_frame at;
            lb_kinematics_update(j.kinematics, (lb_figure_rest_pose(standing, j.pose), j.pose));
            lb_kinematics_segment(j.kinematics, base, &at);
            at.position[0] += random_between(seed, -away[0], away[0]);
            at.position[1] += random_between(seed, -away[1], away[1]);
            at.position[2] += random_between(seed, -2 * away[0], 0);
            reach(&j, base, at.position, -1);
        }
        if (legs >= 4 && away[0] > 0) {
            lift(&j, 2 * away[0], seed);
        }
    }
    lb_kinematics_destroy(j.kinematics);
    free(j.pose);
}

/* --- Robots of the shared folder ---------------------------------------------------------------------- */

static int judge_robots(void) {
    static const struct {
        const char *path;
        int legs;       /* 0: it cannot stand */
        double away[2]; /* metres; without a joint that rolls the ankle, nothing goes aside */
    } robots[] = {{"urdf/humanoids/unitree_h1.urdf", 2, {0.04, 0}},
                  {"urdf/humanoids/unitree_g1_29dof.urdf", 2, {0.02, 0.02}},
                  {"urdf/humanoids/atlas_minimal_contact.urdf", 2, {0.02, 0.02}},
                  {"urdf/humanoids/nao_v40.urdf", 2, {0.005, 0.005}},
                  {"urdf/humanoids/romeo.urdf", 2, {0.02, 0.02}},
                  {"urdf/humanoids/robotis_op3.urdf", 2, {0.005, 0.005}},
                  {"urdf/humanoids/simple_humanoid.urdf", 2, {0.02, 0.02}},
                  {"urdf/legged/anymal_b.urdf", 4, {0.04, 0.04}},
                  {"urdf/legged/go2.urdf", 4, {0.03, 0.03}},
                  {"urdf/legged/cassie_v4.urdf", 2, {0.02, 0}},
                  {"mjcf/menagerie/unitree_h1.xml", 2, {0, 0}},
                  {"mjcf/dmc/quadruped.xml", 4, {0, 0}},
                  {"urdf/humanoids/pepper.urdf", 0, {0, 0}},
                  {"urdf/arms/panda.urdf", 0, {0, 0}},
                  {"urdf/arms/ur5_robot.urdf", 0, {0, 0}},
                  {"urdf/dual_mobile/baxter.urdf", 0, {0, 0}},
                  {"urdf/dual_mobile/nextage_open.urdf", 0, {0, 0}},
                  {"urdf/hands/allegro_right.urdf", 0, {0, 0}}};
    int found = 0;
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        char path[4096];
        lb_figure *standing = NULL;
        lb_load_options options;
        lb_error error;
        uint64_t seed = i;
        if (!check_shared(robots[i].path, path, sizeof path) &&
            (snprintf(path, sizeof path, "data/%s", robots[i].path), 1)) {
            char inside[4096];
            if (!check_shared(path, inside, sizeof inside)) {
                continue;
            }
            memcpy(path, inside, sizeof path);
        }
        found++;
        check_note("%s", robots[i].path);
        lb_load_options_defaults(&options);
        options.stand = 1;
        const lb_status status = lb_figure_load(path, &options, &standing, &error);
        if (!robots[i].legs) {
            CHECK_INT(status, LB_ERROR_UNSUPPORTED);
            CHECK_HAS(error.message, "cannot stand");
            continue;
        }
        if (CHECK_INT(status, LB_OK)) {
            judge_figure(standing, robots[i].legs, check_count(3, 20), robots[i].away, &seed);
        }
        lb_figure_destroy(standing);
    }
    check_note("%s", "");
    return found;
}

/* --- Random figures ---------------------------------------------------------------------------------- */

typedef struct maker {
    lb_builder *builder;
    uint64_t seed;
    double size; /* of a leg, metres */
    int joints;  /* so far */
} maker;

/* A name of random letters, with a number so that it is the only one of it. */
static const char *random_name(maker *m, char text[16]) {
    for (int i = 0; i < 5; i++) {
        text[i] = (char)('a' + random_below(&m->seed, 26));
    }
    snprintf(text + 5, 11, "%d", m->joints++);
    return text;
}

static int add_segment(maker *m, double mass, double half_length) {
    char name[16];
    lb_segment segment;
    lb_segment_defaults(&segment);
    segment.name = random_name(m, name);
    segment.mass = mass;
    segment.com[2] = -half_length;
    const int index = lb_builder_add_segment(m->builder, &segment);
    REQUIRE(index >= 0);
    return index;
}

static int add_site(maker *m, int segment, double x, double y, double z) {
    char name[16];
    lb_site site;
    lb_site_defaults(&site);
    site.name = random_name(m, name);
    site.segment = segment;
    site.frame.position[0] = x, site.frame.position[1] = y, site.frame.position[2] = z;
    return lb_builder_add_site(m->builder, &site);
}

/* A segment below another, turning about an axis (0: x, 1: y, 2: z) from lower to upper. */
static int add_link(maker *m, int above, const double at[3], int axis, double lower, double upper, double mass,
                    double half_length) {
    char name[16];
    lb_joint joint;
    const int segment = add_segment(m, mass, half_length);
    lb_joint_defaults(&joint);
    joint.name = random_name(m, name);
    joint.site_a = add_site(m, above, at[0], at[1], at[2]);
    joint.site_b = add_site(m, segment, 0, 0, 0);
    joint.type.element_count = 1;
    joint.type.elements[0] = (lb_element){LB_ELEMENT_ROTATE, {axis == 0, axis == 1, axis == 2}};
    joint.lower[0] = lower;
    joint.upper[0] = upper;
    joint.effort[0] = random_below(&m->seed, 3) ? 60 * m->size * random_between(&m->seed, 5, 10) : INFINITY;
    REQUIRE(lb_builder_add_joint(m->builder, &joint) >= 0);
    return segment;
}

static void add_shape(maker *m, int segment, lb_shape_kind kind, double x, double z, double a, double b, double c) {
    lb_shape shape;
    lb_shape_defaults(&shape);
    shape.kind = kind;
    shape.segment = segment;
    shape.frame.position[0] = x, shape.frame.position[2] = z;
    shape.size[0] = a, shape.size[1] = b, shape.size[2] = c;
    REQUIRE(lb_builder_add_shape(m->builder, &shape) >= 0);
}

/* A leg with a hip of two axes and a knee; a biped's with an ankle and a sole, which may lack its shape. */
static void add_leg(maker *m, int base, const double hip[3], int is_biped, int knee_back) {
    const double s = m->size, none[3] = {0, 0, 0}, down[3] = {0, 0, -s / 2};
    const double slack = random_between(&m->seed, 0, 0.1), bend = knee_back ? -1 : 1;
    int at = add_link(m, base, hip, 0, -0.8, 0.8, 0.3, 0);
    at = add_link(m, at, none, 1, -1.6, 1.6, 1.5, s / 4);
    at = add_link(m, at, down, 1, bend > 0 ? -slack : -2.2, bend > 0 ? 2.2 : slack, 1, s / 4);
    if (is_biped) {
        at = add_link(m, at, down, 1, -1.1, 1.1, 0.3, 0);
        at = add_link(m, at, none, 0, -0.6, 0.6, 0.5, 0.03 * s);
        if (random_below(&m->seed, 4)) {
            add_shape(m, at, LB_SHAPE_BOX, 0.05 * s, -0.04 * s, 0.14 * s, 0.07 * s, 0.02 * s);
        }
    } else if (random_below(&m->seed, 4)) {
        add_shape(m, at, LB_SHAPE_SPHERE, 0, -s / 2, random_between(&m->seed, 0.01, 0.04) * s, 0, 0);
    } else {
        add_shape(m, at, LB_SHAPE_CAPSULE, 0, -s / 4, 0.03 * s, s / 4, 0.03 * s);
    }
}

static void add_arm(maker *m, int base) {
    const double s = m->size, shoulder[3] = {0.1 * s, 0, 0.15 * s}, along[3] = {0, 0, -0.3 * s}, none[3] = {0, 0, 0};
    int at = add_link(m, base, shoulder, 2, -2, 2, 0.1, 0);
    at = add_link(m, at, none, 1, -2.5, 0.5, 0.2, 0.15 * s);
    at = add_link(m, at, along, 1, -2.2, 0, 0.2, 0.15 * s);
    add_link(m, at, along, 0, -1, 1, 0.05, 0);
}

/* A figure with 2 to 8 legs around its base, what is up along z, y or x. */
static lb_figure *make_figure(uint64_t number, int *legs, double *size) {
    static const double ups[3][4] = {{0, 0, 0, 1},
                                     {-0.70710678118654752, 0, 0, 0.70710678118654752},
                                     {0, 0.70710678118654752, 0, 0.70710678118654752}};
    maker m = {lb_builder_create(NULL, NULL), number + 1, 0, 0};
    lb_figure *figure = NULL;
    lb_root root;
    m.size = pow(10, random_between(&m.seed, -0.7, 0.5));
    *size = m.size;
    *legs = 2 + random_below(&m.seed, 7);
    const int base = add_segment(&m, 20, 0), up = random_below(&m.seed, 3), knee_back = random_below(&m.seed, 2);
    for (int i = 0; i < *legs; i++) {
        double hip[3] = {0, i ? 0.15 * m.size : -0.15 * m.size, 0};
        if (*legs > 2) {
            const double angle = 6.28318530717958648 * (i + 0.5) / *legs;
            hip[0] = 0.7 * m.size * cos(angle), hip[1] = 0.5 * m.size * sin(angle);
        }
        add_leg(&m, base, hip, *legs == 2, knee_back && *legs > 2);
    }
    add_arm(&m, base);
    lb_root_defaults(&root);
    root.segment = base;
    memcpy(root.placement.rotation, ups[up], sizeof ups[up]);
    REQUIRE(lb_builder_set_root(m.builder, &root) == LB_OK);
    REQUIRE(lb_builder_finish(m.builder, &figure) == LB_OK);
    lb_builder_destroy(m.builder);
    return figure;
}

static void judge_random(void) {
    for (int i = 0; i < check_count(150, 3000); i++) {
        int legs;
        double size;
        uint64_t seed = (uint64_t)i;
        lb_figure *figure = make_figure((uint64_t)i, &legs, &size), *standing = NULL;
        lb_error error = {0};
        check_note("random figure %d: %d legs of %g m", i, legs, size);
        CHECK_INT(lb_figure_legs(figure), legs);
        CHECK_INT(lb_figure_stand(figure, &standing, &error), LB_OK);
        if (standing) {
            judge_figure(standing, legs, 1, (double[2]){0.03 * size, 0.03 * size}, &seed);
            CHECK_INT(lb_figure_legs(standing), 0); /* it stands already */
        } else {
            check_note("%s", error.message);
        }
        lb_figure_destroy(standing);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

int main(void) {
    judge_random();
    if (!judge_robots()) {
        fprintf(stderr, "the robots of the shared folder are not there: they were left out\n");
    }
    return check_done();
}
