/* URDF out: what is written and read back moves as the figure did, for figures of every kind; what cannot be said is
 * told. */
#include "check.h"
#include "io/text.h"
#include "urdf_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static heard said;

/* ---------------------------------------------------------------------------------------------------
 * Random figures of all that URDF can say in some way: any elements of one dof, in any order, any root
 * ------------------------------------------------------------------------------------------------- */

static void random_frame(check_random *random, lb_frame *frame) {
    lb_frame_identity(frame);
    int what = check_random_index(random, 4);
    for (int i = 0; i < 3 && what != 0 && what != 2; ++i) {
        frame->position[i] = check_random_range(random, -1.0, 1.0);
    }
    if (what >= 2) {
        double rpy[3] = {check_random_range(random, -3.0, 3.0), check_random_range(random, -1.5, 1.5),
                         check_random_range(random, -3.0, 3.0)};
        if (check_random_index(random, 3) == 0) { /* straight up, or nearly so */
            rpy[1] = 1.5707963267948966 - (check_random_index(random, 2) ? 0.0 : 1e-9);
        }
        lb_rotation_from_rpy(rpy, frame->rotation);
    }
}

static void random_axis(check_random *random, double axis[3]) {
    memset(axis, 0, 3 * sizeof *axis);
    if (check_random_index(random, 2)) {
        axis[check_random_index(random, 3)] = check_random_index(random, 2) ? 1.0 : -1.0;
        return;
    }
    double length = 0.0;
    for (int i = 0; i < 3; ++i) {
        axis[i] = check_random_range(random, -1.0, 1.0);
        length += axis[i] * axis[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; ++i) {
        axis[i] /= length;
    }
}

static void random_type(check_random *random, lb_joint_type *type) {
    memset(type, 0, sizeof *type);
    if (check_random_index(random, 8) == 0) {
        CHECK_INT(lb_joint_type_parse(check_random_index(random, 2) ? "floating" : "T(x)*T(y)*R(z)", type, NULL),
                  LB_OK);
        return;
    }
    int left[2] = {check_random_index(random, 4), check_random_index(random, 4)};
    while (left[0] + left[1] > 0) {
        int is_shift = check_random_index(random, left[0] + left[1]) >= left[0];
        lb_element *element = &type->elements[type->element_count++];
        element->kind = is_shift ? LB_ELEMENT_TRANSLATE : LB_ELEMENT_ROTATE;
        random_axis(random, element->axis);
        --left[is_shift];
    }
}

static int add_random_site(check_random *random, lb_builder *b, int segment, int number) {
    lb_site site;
    char name[32];
    lb_site_defaults(&site);
    snprintf(name, sizeof name, "s%d", number);
    site.name = name;
    site.segment = segment;
    random_frame(random, &site.frame);
    return lb_builder_add_site(b, &site);
}

/* Follows an earlier dof, a group's parameter, or nothing. */
static void add_random_drive(check_random *random, lb_builder *b, int joint, int dof) {
    lb_drive drive;
    lb_drive_defaults(&drive);
    drive.joint = joint;
    drive.dof = dof;
    drive.curve.kind = LB_CURVE_LINEAR;
    drive.curve.slope = check_random_range(random, -2.0, 2.0);
    drive.curve.offset = check_random_range(random, -1.0, 1.0);
    drive.source.joint = -1;
    drive.source.parameter = check_random_index(random, 2);
    for (int i = 0; i < joint && check_random_index(random, 2); ++i) {
        const lb_joint *source = lb_builder_joint(b, i);
        if (lb_joint_type_dof_count(&source->type) == 1) {
            drive.source.joint = i;
        }
    }
    CHECK(lb_builder_add_drive(b, &drive) >= 0);
}

static lb_figure *random_figure(check_random *random) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    int count = 2 + check_random_index(random, 6), site_number = 0, sites[64], site_count = 0;
    CHECK(lb_builder_add_group(b, "group") >= 0);
    for (int i = 0; i < 2; ++i) {
        lb_parameter parameter;
        lb_parameter_defaults(&parameter);
        parameter.name = i ? "two" : "one";
        CHECK(lb_builder_add_parameter(b, &parameter) >= 0);
    }
    for (int i = 0; i < count; ++i) {
        lb_segment segment;
        char name[32];
        lb_segment_defaults(&segment);
        snprintf(name, sizeof name, "seg%d", i);
        segment.name = name;
        segment.mass = check_random_index(random, 2);
        CHECK(lb_builder_add_segment(b, &segment) >= 0);
        sites[site_count++] = add_random_site(random, b, i, site_number++);
        if (i == 0) {
            continue;
        }
        lb_joint joint;
        lb_joint_defaults(&joint);
        int other = add_random_site(random, b, check_random_index(random, i), site_number++);
        int own = add_random_site(random, b, i, site_number++), is_turned = check_random_index(random, 2);
        joint.site_a = is_turned ? own : other;
        joint.site_b = is_turned ? other : own;
        snprintf(name, sizeof name, "joint%d", i);
        joint.name = name;
        random_type(random, &joint.type);
        joint.frozen = check_random_index(random, 8) == 0;
        for (int k = 0; k < lb_joint_type_dof_count(&joint.type); ++k) {
            joint.rest[k] = check_random_range(random, -1.0, 1.0);
        }
        int index = lb_builder_add_joint(b, &joint);
        REQUIRE(index >= 0);
        for (int k = 0; k < lb_joint_type_dof_count(&joint.type); ++k) {
            if (check_random_index(random, 5) == 0 &&
                joint.type.elements[joint.type.element_count - 1].kind != LB_ELEMENT_ROTATION) {
                add_random_drive(random, b, index, k);
            }
        }
    }
    lb_root root;
    lb_root_defaults(&root);
    root.segment = check_random_index(random, count);
    if (check_random_index(random, 2)) {
        root.site = sites[root.segment];
    }
    root.is_free = check_random_index(random, 2);
    random_frame(random, &root.placement);
    CHECK_INT(lb_builder_set_root(b, &root), LB_OK);
    lb_figure *figure = NULL;
    if (lb_builder_finish(b, &figure) != LB_OK) {
        fprintf(stderr, "%s\n", lb_builder_error(b)->message);
    }
    lb_builder_destroy(b);
    return figure;
}

/* Carries a pose over: hip.rx is written as the joint hip_rx, spine.flexion as spine_flexion, root.rx as root.vx. */
static void carry(const lb_figure *from, const double *pose_from, const lb_figure *to, double *pose_to) {
    for (int i = 0; i < lb_figure_variable_count(from); ++i) {
        const lb_variable *variable = lb_figure_variable(from, i);
        char name[128];
        snprintf(name, sizeof name, "%s", variable->name);
        int found = lb_figure_find_variable(to, name);
        if (variable->ref.joint < 0 && variable->ref.parameter < 0) {
            static const char *const names[6] = {"root.tx", "root.ty", "root.tz", "root.vx", "root.vy", "root.vz"};
            found = lb_figure_find_variable(to, names[variable->ref.dof]);
        } else if (found < 0) {
            *strchr(name, '.') = '_';
            found = lb_figure_find_variable(to, name);
        }
        int is_source = variable->ref.joint >= 0; /* a parameter that drives nothing is not written */
        if (found >= 0) {
            pose_to[found] = pose_from[i];
        } else {
            CHECK(!is_source);
        }
    }
}

static void compare_frames(const lb_figure *one, const double *pose_one, const lb_figure *two, const double *pose_two) {
    lb_kinematics *a = lb_kinematics_create(one, NULL), *b = lb_kinematics_create(two, NULL);
    REQUIRE(a && b);
    CHECK_INT(lb_kinematics_update(a, pose_one), LB_OK);
    CHECK_INT(lb_kinematics_update(b, pose_two), LB_OK);
    for (int i = 0; i < lb_figure_segment_count(one); ++i) {
        double m[12], n[12], worst = 0.0;
        int other = lb_figure_find_segment(two, lb_figure_segment(one, i)->name);
        if (!CHECK(other >= 0)) {
            continue;
        }
        lb_kinematics_matrix(a, i, m);
        lb_kinematics_matrix(b, other, n);
        for (int k = 0; k < 12; ++k) {
            worst = fmax(worst, fabs(m[k] - n[k]));
        }
        CHECK_NEAR(worst, 0.0, 2e-12);
    }
    lb_kinematics_destroy(a);
    lb_kinematics_destroy(b);
}

static void compare_random_poses(const lb_figure *figure, const lb_figure *back, uint64_t *seed) {
    double *pose = calloc((size_t)lb_figure_variable_count(figure) + 1, sizeof *pose);
    double *carried = calloc((size_t)lb_figure_variable_count(back) + 1, sizeof *carried);
    REQUIRE(pose && carried);
    for (int k = 0; k < 3; ++k) {
        lb_figure_random_pose(figure, seed, pose);
        carry(figure, pose, back, carried);
        compare_frames(figure, pose, back, carried);
    }
    free(pose);
    free(carried);
}

static void test_models(void) {
    static const char *const names[] = {"panda",   "iiwa14",     "ur5",        "puma560",   "irb120",  "fetch8",
                                        "pr2_arm", "baxter_arm", "en07-human", "en07-tree", "kb82-arm"};
    uint64_t seed = 3;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char relative[64], path[4096];
        snprintf(relative, sizeof relative, "models/%s.fig", names[i]);
        check_note("%s", relative);
        REQUIRE(check_source(relative, path, sizeof path));
        lb_figure *figure = NULL;
        REQUIRE(lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
        char *text = urdf_save_text(figure, &said);
        REQUIRE(text);
        lb_figure *back = urdf_load_text(text, &said);
        REQUIRE(back);
        compare_random_poses(figure, back, &seed);
        lb_text_free(text);
        lb_figure_destroy(figure);
        lb_figure_destroy(back);
    }
    check_note("%s", "");
}

static void test_random_figures(void) {
    check_random random;
    check_random_seed(&random, 20);
    uint64_t seed = 7;
    int ball_count = 0;
    for (int i = 0; i < 400; ++i) {
        check_note("random figure %d", i);
        lb_figure *figure = random_figure(&random);
        REQUIRE(figure);
        char *text = urdf_save_text(figure, &said);
        REQUIRE(text);
        /* A `floating` that the root is on the other side of: three revolute joints, other angles. */
        int has_ball = strstr(said.text, "three revolute") != NULL;
        ball_count += has_ball;
        lb_figure *back = urdf_load_text(text, &said);
        if (!CHECK(back != NULL)) {
            fprintf(stderr, "%s\n%s", said.error.message, text);
            exit(check_done());
        }
        if (!has_ball) {
            compare_random_poses(figure, back, &seed);
        }
        CHECK_NEAR(lb_figure_mass(back), lb_figure_mass(figure), 1e-12);
        lb_text_free(text);
        lb_figure_destroy(figure);
        lb_figure_destroy(back);
    }
    check_note("%s", "");
    CHECK(ball_count > 0 && ball_count < 80);
}

/* ---------------------------------------------------------------------------------------------------
 * What URDF does not have
 * ------------------------------------------------------------------------------------------------- */

typedef struct parts {
    lb_builder *builder;
    int site[8]; /* one at the origin of each segment, and one at (0, 0, 1) */
} parts;

static void make_segments(parts *p, int count) {
    p->builder = lb_builder_create(NULL, NULL);
    for (int i = 0; i < count; ++i) {
        lb_segment segment;
        lb_site site;
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        lb_segment_defaults(&segment);
        segment.name = name;
        lb_site_defaults(&site);
        site.segment = lb_builder_add_segment(p->builder, &segment);
        site.name = "base";
        p->site[2 * i] = lb_builder_add_site(p->builder, &site);
        site.name = "tip";
        site.frame.position[2] = 1.0;
        p->site[2 * i + 1] = lb_builder_add_site(p->builder, &site);
    }
}

static int add_typed(parts *p, const char *name, int site_a, int site_b, const char *type) {
    lb_joint joint;
    lb_joint_defaults(&joint);
    joint.name = name;
    joint.site_a = site_a;
    joint.site_b = site_b;
    CHECK_INT(lb_joint_type_parse(type, &joint.type, NULL), LB_OK);
    return lb_builder_add_joint(p->builder, &joint);
}

static char *finish_and_save(parts *p, lb_figure **figure) {
    *figure = NULL;
    CHECK_INT(lb_builder_finish(p->builder, figure), LB_OK);
    lb_builder_destroy(p->builder);
    REQUIRE(*figure);
    char *text = urdf_save_text(*figure, &said);
    REQUIRE(text);
    return text;
}

static void test_balls(void) {
    parts p;
    make_segments(&p, 3);
    lb_joint joint;
    lb_joint_defaults(&joint);
    double cone[16][2];
    lb_swing_cone(0.5, 16, cone);
    joint.name = "shoulder";
    joint.site_a = p.site[1];
    joint.site_b = p.site[2];
    joint.swing_count = 16;
    joint.swing = (const double(*)[2])cone;
    joint.lower[2] = -1.0;
    joint.upper[2] = 1.5;
    CHECK_INT(lb_joint_type_parse("swing_twist(z)", &joint.type, NULL), LB_OK);
    CHECK(lb_builder_add_joint(p.builder, &joint) >= 0);
    add_typed(&p, "wrist", p.site[3], p.site[4], "rotation");
    lb_figure *figure;
    char *text = finish_and_save(&p, &figure);
    CHECK_HAS(said.text, "\"shoulder\" and 1 more");
    CHECK_HAS(said.text, "three revolute joints");
    CHECK_HAS(said.text, "swing limit");
    lb_figure *back = urdf_load_text(text, &said);
    REQUIRE(back);
    CHECK_TEXT(said.text, "");
    CHECK_INT(lb_figure_variable_count(back), 6);
    CHECK_NEAR(lb_figure_variable(back, 0)->upper, 0.5, 1e-12);
    CHECK_NEAR(lb_figure_variable(back, 2)->upper, 1.5, 0.0);
    lb_text_free(text);
    lb_figure_destroy(figure);
    lb_figure_destroy(back);
}

static void test_loop_and_limits(void) {
    parts p;
    make_segments(&p, 3);
    int a = add_typed(&p, "a", p.site[1], p.site[2], "R(x)"), b = add_typed(&p, "b", p.site[3], p.site[4], "R(x)");
    add_typed(&p, "closing--joint<", p.site[5], p.site[0], "R(x)");
    lb_dof_ref terms[2] = {{a, 0, -1}, {b, 0, -1}};
    double ones[2] = {1.0, 1.0};
    lb_limit limit;
    lb_limit_defaults(&limit);
    limit.name = "both";
    limit.count = 2;
    limit.terms = terms;
    limit.coefficients = ones;
    limit.bound = 1.0;
    CHECK(lb_builder_add_limit(p.builder, &limit) >= 0);
    lb_figure *figure;
    char *text = finish_and_save(&p, &figure);
    CHECK_HAS(said.text, "\"closing--joint<\"");
    CHECK_HAS(said.text, "no loops");
    CHECK_HAS(said.text, "\"both\"");
    CHECK_HAS(text, "<!-- left out, as it closes a loop: joint closing- -joint<");
    CHECK_HAS(text, "s2_tip"); /* where it would close stays, as a link */
    lb_figure *back = urdf_load_text(text, &said);
    REQUIRE(back);
    CHECK_INT(lb_figure_variable_count(back), 2);
    lb_text_free(text);
    lb_figure_destroy(figure);
    lb_figure_destroy(back);
}

static void test_drives(void) {
    parts p;
    make_segments(&p, 4);
    int a = add_typed(&p, "a", p.site[1], p.site[2], "R(x)"), b = add_typed(&p, "b", p.site[3], p.site[4], "R(x)");
    int c = add_typed(&p, "c", p.site[5], p.site[6], "T(x)");
    double x[3] = {0.0, 1.0, 2.0}, y[3] = {0.0, 1.0, 4.0};
    lb_drive drive;
    lb_drive_defaults(&drive);
    drive.joint = b;
    drive.source = (lb_dof_ref){a, 0, -1};
    drive.curve = (lb_curve){.kind = LB_CURVE_SPLINE, .count = 3, .x = x, .y = y};
    CHECK(lb_builder_add_drive(p.builder, &drive) >= 0);
    drive.joint = c;
    drive.curve = (lb_curve){.kind = LB_CURVE_LINEAR, .slope = 2.0, .offset = 0.5};
    CHECK(lb_builder_add_drive(p.builder, &drive) >= 0);
    lb_figure *figure;
    char *text = finish_and_save(&p, &figure);
    CHECK_HAS(said.text, "\"b\"");
    CHECK_HAS(said.text, "driven by a curve");
    CHECK_HAS(said.text, "both bounds"); /* c, which shifts */
    CHECK_HAS(text, "<mimic joint=\"a\" multiplier=\"2\" offset=\"0.5\"/>");
    lb_figure *back = urdf_load_text(text, &said);
    REQUIRE(back);
    CHECK_INT(lb_figure_variable_count(back), 2);
    lb_text_free(text);
    lb_figure_destroy(figure);
    lb_figure_destroy(back);
}

static void test_shapes(void) {
    parts p;
    make_segments(&p, 1);
    static const struct {
        lb_shape_kind kind;
        double size[3];
    } shapes[] = {{LB_SHAPE_SPHERE, {0.1, 0.0, 0.0}},   {LB_SHAPE_BOX, {0.1, 0.2, 0.3}},
                  {LB_SHAPE_CYLINDER, {0.1, 0.2, 0.0}}, {LB_SHAPE_CAPSULE, {0.1, 0.2, 0.1}},
                  {LB_SHAPE_CAPSULE, {0.1, 0.2, 0.05}}, {LB_SHAPE_ELLIPSOID, {0.1, 0.2, 0.3}}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        lb_shape shape;
        lb_shape_defaults(&shape);
        shape.kind = shapes[i].kind;
        memcpy(shape.size, shapes[i].size, sizeof shape.size);
        shape.color = i ? -1 : 0xff8000;
        shape.frame.position[0] = (double)i;
        CHECK(lb_builder_add_shape(p.builder, &shape) >= 0);
    }
    lb_figure *figure;
    char *text = finish_and_save(&p, &figure);
    CHECK_HAS(said.text, "\"s0\" and 1 more");
    CHECK_HAS(said.text, "tapered capsules and no ellipsoids");
    lb_figure *back = urdf_load_text(text, &said);
    REQUIRE(back);
    REQUIRE(lb_figure_shape_count(back) == 10); /* each capsule is a cylinder and two spheres */
    CHECK_INT(lb_figure_shape(back, 0)->color, 0xff8000);
    CHECK_NEAR(lb_figure_shape(back, 1)->size[1], 0.2, 1e-15);
    CHECK_NEAR(lb_figure_shape(back, 1)->frame.position[0], 1.0, 0.0);
    CHECK_INT(lb_figure_shape(back, 3)->kind, LB_SHAPE_CYLINDER);
    CHECK_INT(lb_figure_shape(back, 4)->kind, LB_SHAPE_SPHERE);
    CHECK_NEAR(lb_figure_shape(back, 4)->frame.position[2], -0.2, 1e-15);
    CHECK_INT(lb_figure_shape(back, 9)->kind, LB_SHAPE_BOX);
    lb_text_free(text);
    lb_figure_destroy(figure);
    lb_figure_destroy(back);
}

/* The inertia of a box of 12 kg and 1 x 2 x 3 m about its centre is m/12 (b^2 + c^2). */
static void test_inertia(void) {
    lb_figure *figure =
        urdf_load_text("<robot name='r'><link name='a'><inertial><origin xyz='5 0 0'/><mass value='12'/></inertial>"
                       "<visual><origin xyz='5 0 0'/><geometry><box size='1 2 3'/></geometry></visual></link></robot>",
                       &said);
    REQUIRE(figure);
    char *text = urdf_save_text(figure, &said);
    REQUIRE(text);
    double moments[3];
    static const char *const names[3] = {"ixx=\"", "iyy=\"", "izz=\""};
    for (int i = 0; i < 3; ++i) {
        const char *at = strstr(text, names[i]);
        REQUIRE(at);
        moments[i] = strtod(at + 5, NULL);
    }
    CHECK_NEAR(moments[0], 13.0, 1e-12);
    CHECK_NEAR(moments[1], 10.0, 1e-12);
    CHECK_NEAR(moments[2], 5.0, 1e-12);
    lb_text_free(text);
    lb_figure_destroy(figure);
}

static void test_names(void) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    /* Escaped; and what is no UTF-8 gives way, to a name that is free. */
    static const char *const names[] = {"a&b", "<\"'\xc3\xa4>", "broken_", "broken\xff",
                                        "\xf0\x9f\xa6\xbe\xed\xa0\x80"};
    CHECK_INT(lb_builder_set_name(b, "<r> & \"q\""), LB_OK);
    for (int i = 0; i < 5; ++i) {
        lb_segment segment;
        lb_site site;
        lb_joint joint;
        lb_segment_defaults(&segment);
        segment.name = names[i];
        lb_site_defaults(&site);
        site.name = "s";
        site.segment = lb_builder_add_segment(b, &segment);
        lb_joint_defaults(&joint);
        joint.name = names[i];
        joint.site_a = 0;
        joint.site_b = lb_builder_add_site(b, &site);
        REQUIRE(joint.site_b == i);
        CHECK(i == 0 || lb_builder_add_joint(b, &joint) >= 0);
    }
    lb_figure *figure = NULL;
    REQUIRE(lb_builder_finish(b, &figure) == LB_OK);
    lb_builder_destroy(b);
    char *text = urdf_save_text(figure, &said);
    REQUIRE(text);
    CHECK_HAS(said.text, "characters that XML cannot hold");
    lb_figure *back = urdf_load_text(text, &said);
    REQUIRE(back);
    CHECK_TEXT(lb_figure_name(back), "<r> & \"q\"");
    CHECK(lb_figure_find_segment(back, names[0]) >= 0);
    CHECK(lb_figure_find_segment(back, names[1]) >= 0);
    CHECK(lb_figure_find_joint(back, names[1]) >= 0);
    CHECK(lb_figure_find_segment(back, "broken_") >= 0);
    CHECK(lb_figure_find_segment(back, "broken__2") >= 0);
    CHECK(lb_figure_find_segment(back, "\xf0\x9f\xa6\xbe___") >= 0);
    CHECK_INT(lb_figure_segment_count(back), 5);
    lb_text_free(text);
    lb_figure_destroy(figure);
    lb_figure_destroy(back);
}

/* The same file again and again: writing what was read changes nothing more. */
static void test_settles(void) {
    lb_figure *figure = urdf_load_text(
        "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><link name='d'/><link name='e'/>"
        "<joint name='1' type='revolute'><parent link='a'/><child link='b'/><origin xyz='0.1 0 0' rpy='0 "
        "0.25 0'/><limit lower='-1' upper='1'/></joint>"
        "<joint name='2' type='planar'><parent link='b'/><child link='c'/><axis xyz='0 1 0'/></joint>"
        "<joint name='3' type='floating'><parent link='c'/><child link='d'/></joint>"
        "<joint name='4' type='continuous'><parent link='d'/><child link='e'/><mimic joint='1' "
        "multiplier='3'/></joint></robot>",
        &said);
    REQUIRE(figure);
    char *first = urdf_save_text(figure, &said);
    REQUIRE(first);
    CHECK_TEXT(said.text, "");
    CHECK_HAS(first, "type=\"planar\"");
    CHECK_HAS(first, "type=\"floating\"");
    lb_figure *back = urdf_load_text(first, &said);
    REQUIRE(back);
    char *second = urdf_save_text(back, &said);
    CHECK_TEXT(second, first);
    lb_text_free(first);
    lb_text_free(second);
    lb_figure_destroy(figure);
    lb_figure_destroy(back);
}

int main(void) {
    test_random_figures();
    test_models();
    test_balls();
    test_loop_and_limits();
    test_drives();
    test_shapes();
    test_inertia();
    test_names();
    test_settles();
    return check_done();
}
