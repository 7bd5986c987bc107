/*
 * Hashes (FNV-1a over the bits) what the core computes: trigonometry over a fixed sweep; forward kinematics,
 * derivatives, projections and re-rooting of figures built here. Prints a name and a hash a line. test_determinism.sh
 * builds this with several compilers and options and asks for the same lines from all.
 */
#include "limber/limber.h"
#include "math/curve.h"
#include "math/trig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Hashing, random numbers
 * ------------------------------------------------------------------------------------------------- */

static uint64_t hash;

static void hash_doubles(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, values + i, sizeof bits);
        for (int byte = 0; byte < 8; byte++) {
            hash = (hash ^ (bits >> (8 * byte) & 0xff)) * 0x100000001b3u;
        }
    }
}

static void hash_start(void) { hash = 0xcbf29ce484222325u; }

static void hash_print(const char *name) { printf("%-12s %016llx\n", name, (unsigned long long)hash); }

static uint64_t state = 1;

static double uniform(double low, double high) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(state >> 11) * 0x1p-53);
}

/* One after the other: the order of calls within an initialiser is the compiler's. */
static void fill(double *values, int count, double low, double high) {
    for (int i = 0; i < count; i++) {
        values[i] = uniform(low, high);
    }
}

/* Ends the program if a call failed: a figure that cannot be built has no hash. */
static int require(int result, const lb_builder *builder) {
    if (result < 0) {
        fprintf(stderr, "hash_kinematics: %s\n", builder ? lb_builder_error(builder)->message : "a call failed");
        exit(1);
    }
    return result;
}

/* ---------------------------------------------------------------------------------------------------
 * Mathematics
 * ------------------------------------------------------------------------------------------------- */

static void hash_trigonometry(void) {
    hash_start();
    for (int i = 0; i < 20000; i++) {
        const double angle = uniform(-10.0, 10.0), far = uniform(-2e4, 2e4), ratio = uniform(-1.0, 1.0);
        const double huge = uniform(1.0, 10.0) * (i % 2 ? 1e200 : 1e17);
        double in[5] = {angle, far, huge, ratio, -angle}, s[5], c[5];
        lbm_sincos_many(5, in, s, c);
        hash_doubles(s, 5);
        hash_doubles(c, 5);
        const double arcs[] = {lbm_sin(angle),          lbm_cos(far),        lbm_asin(ratio), lbm_acos(ratio),
                               lbm_atan2(angle, ratio), lbm_atan2(huge, far)};
        hash_doubles(arcs, sizeof arcs / sizeof *arcs);
    }
    hash_print("trig");
}

static void hash_curves(void) {
    double x[9], y[9], second[9], scratch[9];
    hash_start();
    for (int k = 0; k < 300; k++) {
        const int count = 2 + k % 8;
        for (int i = 0; i < count; i++) {
            x[i] = (i ? x[i - 1] : 0.0) + uniform(0.1, 1.0);
            y[i] = uniform(-1.0, 1.0);
        }
        const lb_curve curve = {k % 3 ? LB_CURVE_SPLINE : LB_CURVE_POLYLINE, 0.0, 0.0, count, x, y};
        lbm_spline_prepare(count, x, y, second, scratch);
        for (int i = 0; i < 10; i++) {
            double f[5];
            const double at = uniform(-1.0, 6.0);
            lbm_curve_eval(&curve, second, at, f, f + 1, f + 2);
            lbm_curve_range(&curve, second, at, at + 2.0, f + 3, f + 4);
            hash_doubles(f, 5);
        }
    }
    hash_print("curves");
}

static void hash_rotations(void) {
    hash_start();
    for (int k = 0; k < 2000; k++) {
        double rpy[3], matrix[9], back[3];
        lb_frame a, b;
        fill(rpy, 3, -4.0, 4.0);
        lb_frame_identity(&a);
        lb_frame_identity(&b);
        lb_rotation_from_rpy(rpy, a.rotation);
        lb_rotation_about(rpy, rpy[1], b.rotation);
        b.position[1] = rpy[2];
        lb_frame_multiply(&a, &b, &a);
        lb_frame_invert(&a, &b);
        lb_rotation_to_matrix(a.rotation, matrix);
        lb_rotation_from_matrix(matrix, a.rotation);
        lb_rotation_to_rpy(b.rotation, back);
        hash_doubles(a.rotation, 4);
        hash_doubles(b.rotation, 4);
        hash_doubles(b.position, 3);
        hash_doubles(matrix, 9);
        hash_doubles(back, 3);
    }
    hash_print("rotations");
}

/* ---------------------------------------------------------------------------------------------------
 * Figures
 * ------------------------------------------------------------------------------------------------- */

static int add_segment(lb_builder *builder, int number) {
    char name[32];
    lb_segment segment;
    lb_segment_defaults(&segment);
    snprintf(name, sizeof name, "s%d", number);
    segment.name = name;
    segment.mass = uniform(0.1, 2.0);
    fill(segment.com, 3, -0.2, 0.2);
    return require(lb_builder_add_segment(builder, &segment), builder);
}

static int add_site(lb_builder *builder, int segment, const char *name, double length) {
    double rpy[3];
    lb_site site;
    fill(rpy, 3, -1.0, 1.0);
    lb_site_defaults(&site);
    site.name = name;
    site.segment = segment;
    site.frame.position[2] = length;
    lb_rotation_from_rpy(rpy, site.frame.rotation);
    return require(lb_builder_add_site(builder, &site), builder);
}

static lb_joint joint_between(int number, const char *type, int site_a, int site_b, char name[32]) {
    lb_joint joint;
    lb_joint_defaults(&joint);
    snprintf(name, 32, "j%d", number);
    joint.name = name;
    joint.site_a = site_a;
    joint.site_b = site_b;
    require(lb_joint_type_parse(type, &joint.type, NULL), NULL);
    return joint;
}

static lb_figure *finish(lb_builder *builder) {
    lb_figure *figure;
    require(lb_builder_finish(builder, &figure), builder);
    lb_builder_destroy(builder);
    return figure;
}

/* A chain of every kind of joint. */
static lb_figure *make_chain(void) {
    static const char *const types[] = {"pin",          "universal",      "ball",           "sliding",
                                        "cylindrical",  "cube-on-plane",  "R(x)*T(y)*R(z)", "rotation",
                                        "R(0.6,0,0.8)", "swing_twist(x)", "T(0,0.6,0.8)",   "R(y)*R(x)"};
    lb_builder *builder = lb_builder_create(NULL, NULL);
    int segment = add_segment(builder, 0);
    for (int i = 0; i < (int)(sizeof types / sizeof *types); i++) {
        char name[32];
        const int tip = add_site(builder, segment, "tip", 0.3);
        segment = add_segment(builder, i + 1);
        const lb_joint joint = joint_between(i, types[i], tip, add_site(builder, segment, "base", -0.05), name);
        require(lb_builder_add_joint(builder, &joint), builder);
    }
    add_site(builder, segment, "hand", 0.2);
    return finish(builder);
}

static lb_figure *make_dh_arm(void) {
    const double q = 1.5707963267948966;
    const lb_dh_row rows[] = {{"a1", 0.0, q, 0.672, 0.0, 0, -2.8, 2.8},  {"a2", 0.432, 0.0, 0.0, 0.0, 0, -1.9, 1.9},
                              {"a3", 0.02, -q, 0.15, 0.0, 0, -2.3, 2.3}, {"a4", 0.0, q, 0.432, 0.1, 0, -4.6, 1.9},
                              {"a5", 0.0, -q, 0.0, 0.0, 1, -0.1, 0.4},   {"a6", 0.0, 0.0, 0.056, -0.3, 0, -4.6, 4.6}};
    lb_builder *builder = lb_builder_create(NULL, NULL);
    const int base = add_site(builder, add_segment(builder, 0), "mount", 0.1);
    require(lb_builder_add_dh_chain(builder, base, LB_DH_CONVENTION_STANDARD, 3, rows), builder);
    const int last = lb_builder_segment_count(builder) - 1;
    const int wrist = add_site(builder, last, "wrist", 0.0);
    require(lb_builder_add_dh_chain(builder, wrist, LB_DH_CONVENTION_MODIFIED, 3, rows + 3), builder);
    add_site(builder, lb_builder_segment_count(builder) - 1, "hand", 0.1);
    return finish(builder);
}

static void add_drive(lb_builder *builder, int joint, int dof, int parameter, lb_curve_kind kind, double slope) {
    static const double x[] = {-1.0, -0.3, 0.2, 1.0}, y[] = {-0.5, -0.2, 0.2, 0.4};
    lb_drive drive;
    lb_drive_defaults(&drive);
    drive.joint = joint;
    drive.dof = dof;
    drive.source = (lb_dof_ref){-1, 0, parameter};
    drive.curve = (lb_curve){kind, 0.01, slope, kind == LB_CURVE_LINEAR ? 0 : 4, x, y};
    require(lb_builder_add_drive(builder, &drive), builder);
}

/* A free tree of true balls with cones, half of its joints driven by a group, with limits that couple joints. */
static lb_figure *make_ball_tree(void) {
    lb_builder *builder = lb_builder_create(NULL, NULL);
    int joints[15], driven[3];
    double cone[12][2];
    add_segment(builder, 0);
    lb_swing_cone(0.9, 12, cone);
    for (int i = 1; i < 16; i++) {
        char name[32], site[32];
        snprintf(site, sizeof site, "to%d", i);
        const int tip = add_site(builder, (i - 1) / 2, site, 0.25), segment = add_segment(builder, i);
        lb_joint joint = joint_between(i, "swing_twist(z)", tip, add_site(builder, segment, "base", 0.0), name);
        joint.lower[2] = -0.8;
        joint.upper[2] = 0.6;
        joint.swing_count = 12;
        joint.swing = (const double(*)[2])cone;
        joints[i - 1] = require(lb_builder_add_joint(builder, &joint), builder);
    }
    for (int i = 0; i < 3; i++) {
        char name[32];
        const int tip = add_site(builder, 15 - i, "tip", 0.3), segment = add_segment(builder, 16 + i);
        const lb_joint joint = joint_between(16 + i, "R(z)*R(x)", tip, add_site(builder, segment, "base", 0.0), name);
        driven[i] = require(lb_builder_add_joint(builder, &joint), builder);
    }
    const int group = require(lb_builder_add_group(builder, "bend"), builder);
    lb_parameter parameter;
    lb_parameter_defaults(&parameter);
    parameter.name = "amount";
    parameter.group = group;
    parameter.lower = -1.5;
    parameter.upper = 1.5;
    const int amount = require(lb_builder_add_parameter(builder, &parameter), builder);
    for (int i = 0; i < 3; i++) {
        add_drive(builder, driven[i], 0, amount, (lb_curve_kind)i, 0.4);
        add_drive(builder, driven[i], 1, amount, LB_CURVE_LINEAR, -0.2 * i);
    }
    const lb_dof_ref terms[] = {{joints[0], 0, 0}, {joints[1], 1, 0}, {joints[2], 2, 0}, {-1, 0, amount}};
    const double coefficients[] = {1.0, -0.5, 2.0, 0.3};
    lb_limit limit;
    lb_limit_defaults(&limit);
    limit.name = "coupling";
    limit.kind = LB_LIMIT_AT_MOST;
    limit.count = 4;
    limit.terms = terms;
    limit.coefficients = coefficients;
    limit.bound = 0.2;
    require(lb_builder_add_limit(builder, &limit), builder);
    limit.kind = LB_LIMIT_EQUAL;
    limit.count = 2;
    limit.terms = terms + 1;
    limit.bound = 0.1;
    require(lb_builder_add_limit(builder, &limit), builder);
    lb_root root;
    lb_root_defaults(&root);
    root.is_free = 1;
    require(lb_builder_set_root(builder, &root), builder);
    return finish(builder);
}

/* Four bars: a loop. */
static lb_figure *make_loop(void) {
    lb_builder *builder = lb_builder_create(NULL, NULL);
    int begin[4], end[4];
    for (int i = 0; i < 4; i++) {
        const int segment = add_segment(builder, i);
        begin[i] = add_site(builder, segment, "begin", 0.0);
        end[i] = add_site(builder, segment, "end", 0.4 + 0.1 * i);
    }
    for (int i = 0; i < 4; i++) {
        char name[32];
        const lb_joint joint = joint_between(i, "R(y)", end[i], begin[(i + 1) % 4], name);
        require(lb_builder_add_joint(builder, &joint), builder);
    }
    return finish(builder);
}

static void hash_effector(lb_kinematics *kinematics, const lb_effector *effector, int n, double *space) {
    static const double weights[9] = {1.0, -0.5, 0.25, 0.3, 0.7, -0.2, 0.1, 0.9, -0.4};
    double e[9];
    lb_kinematics_effector(kinematics, effector, e);
    hash_doubles(e, 9);
    require(lb_kinematics_jacobian(kinematics, effector, space), NULL);
    hash_doubles(space, 9 * (size_t)n);
    require(lb_kinematics_hessian(kinematics, effector, weights, space), NULL);
    hash_doubles(space, (size_t)n * (size_t)n);
    if (effector->kind == LB_EFFECTOR_FRAME) {
        require(lb_kinematics_twist(kinematics, effector, space), NULL);
        hash_doubles(space, 6 * (size_t)n);
    }
}

static void hash_pose(lb_kinematics *kinematics, const double *pose, double *space) {
    const lb_figure *figure = lb_kinematics_figure(kinematics);
    const int n = lb_figure_variable_count(figure), segments = lb_figure_segment_count(figure);
    double com[3];
    lb_frame frame, other;
    require(lb_kinematics_update(kinematics, pose), NULL);
    for (int i = 0; i < segments; i++) {
        lb_kinematics_segment(kinematics, i, &frame);
        hash_doubles(frame.position, 3);
        hash_doubles(frame.rotation, 4);
    }
    for (int i = 0; i < lb_figure_loop_count(figure); i++) {
        lb_kinematics_loop(kinematics, i, &frame, &other);
        hash_doubles(frame.position, 3);
        hash_doubles(other.rotation, 4);
    }
    lb_kinematics_com(kinematics, com);
    hash_doubles(com, 3);
    lb_effector effector;
    lb_effector_from_site(figure, lb_figure_site_count(figure) - 1, &effector);
    hash_effector(kinematics, &effector, n, space);
    lb_effector_from_com(&effector);
    hash_effector(kinematics, &effector, n, space);
}

static void hash_figure(const char *name, lb_figure *figure) {
    const size_t n = (size_t)lb_figure_variable_count(figure);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    double *pose = malloc((n + 6) * sizeof *pose), *moved = malloc((n + 6) * sizeof *moved);
    double *space = malloc((n * n + 9 * n) * sizeof *space);
    uint64_t seed = 42;
    printf("%-12s %zu variables, %d rows\n", name, n, lb_figure_row_count(figure));
    hash_start();
    for (int round = 0; round < 60; round++) {
        lb_figure_random_pose(figure, &seed, pose);
        hash_doubles(pose, n);
        hash_pose(kinematics, pose, space);
        for (size_t i = 0; i < n; i++) {
            pose[i] += uniform(-1.5, 1.5);
        }
        require(lb_kinematics_project(kinematics, pose), NULL);
        hash_doubles(pose, n);
        hash_pose(kinematics, pose, space);
    }
    lb_figure *rerooted;
    const lb_root last = {.segment = lb_figure_segment_count(figure) - 1, .site = -1, .is_free = 1};
    require(lb_figure_reroot(figure, pose, &last, &rerooted, moved, NULL), NULL);
    hash_doubles(moved, (size_t)lb_figure_variable_count(rerooted));
    hash_doubles(lb_figure_root(rerooted)->placement.position, 3);
    hash_doubles(lb_figure_root(rerooted)->placement.rotation, 4);
    hash_print(name);
    lb_figure_destroy(rerooted);
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
    free(space);
    free(moved);
    free(pose);
}

int main(void) {
    hash_trigonometry();
    hash_curves();
    hash_rotations();
    hash_figure("chain", make_chain());
    hash_figure("dh_arm", make_dh_arm());
    hash_figure("ball_tree", make_ball_tree());
    hash_figure("loop", make_loop());
    return 0;
}
