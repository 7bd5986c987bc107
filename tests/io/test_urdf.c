/* URDF in: every point that the specification or files in use are particular about, and what is said of broken ones. */
#include "check.h"
#include "io/text.h"
#include "urdf_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static heard said;

/* Loads <robot>BODY</robot>; lines of the body count from 1. */
static lb_figure *load_body(const char *body) {
    lbio_text text = {0};
    lbio_text_add(&text, "<robot name=\"r\">");
    lbio_text_add(&text, body);
    lbio_text_add(&text, "</robot>");
    lb_figure *figure = urdf_load_text(text.data, &said);
    lbio_text_free(&text);
    return figure;
}

static lb_frame frame_of(const lb_figure *figure, const double *pose, const char *segment) {
    lb_frame frame;
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    REQUIRE(kinematics);
    CHECK_INT(lb_kinematics_update(kinematics, pose), LB_OK);
    CHECK_INT(lb_kinematics_segment(kinematics, lb_figure_find_segment(figure, segment), &frame), LB_OK);
    lb_kinematics_destroy(kinematics);
    return frame;
}

static void check_position(const lb_figure *figure, const double *pose, const char *segment, double x, double y,
                           double z) {
    lb_frame frame = frame_of(figure, pose, segment);
    CHECK_NEAR(frame.position[0], x, 1e-12);
    CHECK_NEAR(frame.position[1], y, 1e-12);
    CHECK_NEAR(frame.position[2], z, 1e-12);
}

#define LINKS "<link name='a'/><link name='b'/>"
#define ENDS "<parent link='a'/><child link='b'/>"
#define MORE \
    "<link name='c'/><joint name='k' type='fixed'><parent link='b'/><child link='c'/><origin xyz='0 1 0'/></joint>"

static void test_joint_kinds(void) {
    /* No <axis> is +x; no <origin> is none. */
    lb_figure *f =
        load_body(LINKS MORE "<joint name='j' type='revolute'>" ENDS "<limit lower='-1' upper='2'/></joint>");
    REQUIRE(f);
    CHECK_TEXT(said.text, "");
    CHECK_INT(lb_figure_variable_count(f), 1);
    CHECK_TEXT(lb_figure_variable(f, 0)->name, "j");
    CHECK_NEAR(lb_figure_variable(f, 0)->lower, -1.0, 0.0);
    CHECK_NEAR(lb_figure_variable(f, 0)->upper, 2.0, 0.0);
    CHECK_TEXT(lb_figure_name(f), "r");
    CHECK_TEXT(lb_figure_segment(f, lb_figure_root(f)->segment)->name, "a");
    CHECK_INT(lb_figure_root(f)->is_free, 0);
    CHECK(lb_figure_find_site(f, "a.j") >= 0 && lb_figure_find_site(f, "b.origin") >= 0);
    double q[6] = {0.5};
    check_position(f, q, "c", 0.0, cos(0.5), sin(0.5));
    lb_figure_destroy(f);

    /* Roll, pitch, yaw about fixed axes; a prismatic joint moves along its axis in the joint's frame. */
    f = load_body(LINKS "<joint name='j' type='prismatic'>" ENDS "<origin xyz='1 2 3' rpy='0.3 0 1.5707963267948966'/>"
                        "<axis xyz='1 0 0'/><limit lower='0' upper='1'/></joint>");
    REQUIRE(f);
    q[0] = 0.25;
    check_position(f, q, "b", 1.0, 2.25, 3.0);
    lb_figure_destroy(f);

    /* Continuous: no bounds, and such as there are do not count. */
    f = load_body(LINKS "<joint name='j' type='continuous'>" ENDS
                        "<axis xyz='0 0 1'/><limit lower='-1' upper='1'/></joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "continuous");
    CHECK_NEAR(lb_figure_variable(f, 0)->lower, -INFINITY, 0.0);
    lb_figure_destroy(f);
    f = load_body(LINKS "<joint name='j' type='continuous'>" ENDS "<limit effort='1' velocity='1'/></joint>");
    REQUIRE(f);
    CHECK_TEXT(said.text, "");
    CHECK_NEAR(lb_figure_variable(f, 0)->velocity, 1.0, 0.0);
    CHECK_NEAR(lb_figure_variable(f, 0)->acceleration, INFINITY, 0.0);
    lb_figure_destroy(f);

    /* A velocity that is none limits nothing. */
    static const char *const none[] = {"0", "inf", "", "1e9", "fast", "1e400"};
    for (int i = 0; i < 6; ++i) {
        char text[400];
        snprintf(text, sizeof text, LINKS "<joint name='j' type='continuous'>" ENDS "<limit velocity='%s'/></joint>",
                 none[i]);
        f = load_body(text);
        REQUIRE(f);
        CHECK_NEAR(lb_figure_variable(f, 0)->velocity, INFINITY, 0.0);
        lb_figure_destroy(f);
    }

    /* Planar: two shifts in the plane normal to the axis, then a turn about it. */
    f = load_body(LINKS MORE "<joint name='j' type='planar'>" ENDS "<axis xyz='0 0 1'/></joint>");
    REQUIRE(f);
    CHECK_INT(lb_figure_variable_count(f), 3);
    CHECK(lb_figure_find_variable(f, "j.tx") == 0 && lb_figure_find_variable(f, "j.ty") == 1);
    CHECK(lb_figure_find_variable(f, "j.rz") == 2);
    q[0] = 2.0, q[1] = 3.0, q[2] = 0.5;
    check_position(f, q, "c", 2.0 - sin(0.5), 3.0 + cos(0.5), 0.0);
    lb_figure_destroy(f);
    f = load_body(LINKS "<joint name='j' type='planar'>" ENDS
                        "<axis xyz='1 2 2'/><limit lower='1' upper='2'/></joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "not of length 1");
    CHECK_HAS(said.text, "planar");
    lb_frame moved = frame_of(f, q, "b");
    CHECK_NEAR(moved.position[0] + 2.0 * moved.position[1] + 2.0 * moved.position[2], 0.0, 1e-12);
    CHECK_NEAR(hypot(moved.position[0], hypot(moved.position[1], moved.position[2])), sqrt(13.0), 1e-12);
    lb_figure_destroy(f);

    f = load_body(LINKS "<joint name='j' type='floating'>" ENDS "</joint>");
    REQUIRE(f);
    CHECK_INT(lb_figure_variable_count(f), 6);
    q[0] = 1.0, q[1] = 2.0, q[2] = 3.0;
    check_position(f, q, "b", 1.0, 2.0, 3.0);
    lb_figure_destroy(f);
}

static void test_axes_and_limits(void) {
    lb_figure *f = load_body(LINKS MORE "<joint name='j' type='revolute'>" ENDS "<axis xyz='0 0 -2e200'/></joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "joint \"j\" has an axis that is not of length 1");
    CHECK_HAS(said.text, "joint \"j\" has no <limit> and is taken as unlimited");
    CHECK_INT(said.count, 2);
    CHECK_NEAR(lb_figure_variable(f, 0)->upper, INFINITY, 0.0);
    double q[1] = {0.5};
    check_position(f, q, "c", sin(0.5), cos(0.5), 0.0);
    lb_figure_destroy(f);

    f = load_body(LINKS "<joint name='j' type='prismatic'>" ENDS "<limit effort='3'/></joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "both are 0 by default, so it cannot move");
    CHECK_NEAR(lb_figure_variable(f, 0)->lower, 0.0, 0.0);
    CHECK_NEAR(lb_figure_variable(f, 0)->upper, 0.0, 0.0);
    lb_figure_destroy(f);

    f = load_body(LINKS "<joint name='j' type='prismatic'>" ENDS
                        "<limit lower='-3'/><limit lower='-1' upper='1'/></joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "lacks one of lower and upper");
    CHECK_HAS(said.text, "several <limit>s");
    CHECK_NEAR(lb_figure_variable(f, 0)->lower, -3.0, 0.0);
    CHECK_NEAR(lb_figure_variable(f, 0)->upper, 0.0, 0.0);
    lb_figure_destroy(f);
}

static void test_mimics(void) {
    /* c mimics b mimics a, written before what they follow. */
    lb_figure *f = load_body("<link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
                             "<joint name='3' type='continuous'><parent link='c'/><child link='d'/><mimic joint='2' "
                             "multiplier='-2' offset='0.25'/></joint>"
                             "<joint name='2' type='continuous'><parent link='b'/><child link='c'/><mimic joint='1' "
                             "multiplier='0.5' offset='1'/></joint>"
                             "<joint name='1' type='revolute'><parent link='a'/><child link='b'/><limit lower='-1' "
                             "upper='1'/></joint>");
    REQUIRE(f);
    CHECK_TEXT(said.text, "");
    CHECK_INT(lb_figure_variable_count(f), 1);
    CHECK_TEXT(lb_figure_variable(f, 0)->name, "1");
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    double q = 0.3;
    lb_kinematics_update(k, &q);
    CHECK_NEAR(lb_kinematics_dof(k, lb_figure_find_joint(f, "2"), 0), 1.15, 1e-15);
    CHECK_NEAR(lb_kinematics_dof(k, lb_figure_find_joint(f, "3"), 0), -2.05, 1e-15);
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);

    /* Limits of what mimics hold back what it follows... */
    static const char pair[] = LINKS "<link name='c'/><joint name='j' type='revolute'>" ENDS
                                     "<limit lower='-1' upper='1'/></joint><joint name='k' type='revolute'><parent "
                                     "link='b'/><child link='c'/><mimic joint='j' multiplier='2'/>%s</joint>";
    char body[1000];
    snprintf(body, sizeof body, pair, "<limit lower='-1' upper='10'/>");
    f = load_body(body);
    REQUIRE(f);
    CHECK_NEAR(lb_figure_variable(f, 0)->lower, -0.5, 1e-15);
    CHECK_NEAR(lb_figure_variable(f, 0)->upper, 1.0, 0.0);
    lb_figure_destroy(f);
    /* ...also through others: l = 2 k + 3 = 4 j + 3, so that 6.5 for l is 0.875 for j... */
    f = load_body(
        LINKS "<link name='c'/><link name='d'/><joint name='j' type='revolute'>" ENDS
              "<limit lower='-1' upper='1'/></joint><joint name='k' type='continuous'><parent link='b'/><child "
              "link='c'/><mimic joint='j' multiplier='2'/></joint><joint name='l' type='revolute'><parent link='c'/>"
              "<child link='d'/><mimic joint='k' multiplier='2' offset='3'/><limit lower='0' upper='6.5'/></joint>");
    REQUIRE(f);
    CHECK_TEXT(said.text, "");
    CHECK_NEAR(lb_figure_variable(f, 0)->lower, -0.75, 1e-15);
    CHECK_NEAR(lb_figure_variable(f, 0)->upper, 0.875, 1e-15);
    lb_figure_destroy(f);
    /* ...but those that our own sum over the chain finds too narrow are ignored: here l is 4 j + 7, 3 at least... */
    f = load_body(
        LINKS "<link name='c'/><link name='d'/><joint name='j' type='revolute'>" ENDS
              "<limit lower='-1' upper='1'/></joint><joint name='k' type='continuous'><parent link='b'/><child "
              "link='c'/><mimic joint='j' multiplier='2' offset='2'/></joint><joint name='l' type='revolute'><parent "
              "link='c'/><child link='d'/><mimic joint='k' multiplier='2' offset='3'/><limit lower='-4' upper='2'/>"
              "</joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "joint \"l\" mimics, and its own limits");
    CHECK_NEAR(lb_figure_variable(f, 0)->upper, 1.0, 0.0);
    lb_figure_destroy(f);
    /* ...but not to where nothing could move, and not by default. */
    static const char *const ignored[] = {"<limit lower='5' upper='6'/>", "<limit lower='2' upper='3'/>", "<limit/>"};
    for (int i = 0; i < 3; ++i) {
        snprintf(body, sizeof body, pair, ignored[i]);
        f = load_body(body);
        REQUIRE(f);
        CHECK_HAS(said.text, "joint \"k\" mimics, and its own limits");
        CHECK_NEAR(lb_figure_variable(f, 0)->lower, -1.0, 0.0);
        CHECK_NEAR(lb_figure_variable(f, 0)->upper, 1.0, 0.0);
        lb_figure_destroy(f);
    }

    f = load_body(LINKS "<joint name='j' type='continuous'>" ENDS "<mimic joint='gone'/></joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "joint \"j\" mimics \"gone\", which does not exist");
    CHECK_INT(lb_figure_variable_count(f), 1);
    lb_figure_destroy(f);

    f = load_body(LINKS MORE "<joint name='j' type='continuous'>" ENDS "<mimic joint='k' offset='0.5'/></joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "which is fixed");
    CHECK_INT(lb_figure_variable_count(f), 0);
    double none = 0.0;
    check_position(f, &none, "c", 0.0, cos(0.5), sin(0.5));
    lb_figure_destroy(f);

    f = load_body(LINKS
                  "<link name='c'/><joint name='j' type='planar'>" ENDS "<mimic joint='k'/></joint>"
                  "<joint name='k' type='continuous'><parent link='b'/><child link='c'/><mimic joint='j'/></joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "joint \"j\" does not have one dof");
    CHECK_HAS(said.text, "joint \"k\" mimics \"j\", which has more than one dof");
    CHECK_INT(lb_figure_variable_count(f), 4);
    lb_figure_destroy(f);
}

static void test_roots(void) {
    /* A world that no link describes. */
    lb_figure *f = load_body("<link name='a'/><joint name='j' type='fixed'><parent link='world'/><child link='a'/>"
                             "<origin xyz='1 2 3'/></joint>");
    REQUIRE(f);
    double none = 0.0;
    CHECK_TEXT(said.text, "");
    CHECK_TEXT(lb_figure_segment(f, lb_figure_root(f)->segment)->name, "world");
    check_position(f, &none, "a", 1.0, 2.0, 3.0);
    lb_figure_destroy(f);

    /* Several roots, one of them alone, and a joint that has the name the added one would have. */
    f = load_body("<link name='a'/><link name='b'/><link name='c'/><joint name='world_a' type='fixed'>"
                  "<parent link='b'/><child link='c'/></joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "there are 2 root links; \"a\", \"b\" are fixed to the segment \"world\"");
    CHECK_INT(lb_figure_segment_count(f), 4);
    CHECK_INT(lb_figure_joint_count(f), 3);
    lb_figure_destroy(f);

    /* `world` is among the roots, or taken. */
    f = load_body("<link name='a'/><link name='world'/>");
    REQUIRE(f);
    CHECK_HAS(said.text, "\"a\" is fixed to the segment \"world\"");
    CHECK_INT(lb_figure_segment_count(f), 2);
    lb_figure_destroy(f);
    f = load_body("<link name='a'/><link name='b'/><link name='world'/><joint name='j' type='fixed'><parent link='a'/>"
                  "<child link='world'/></joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "the segment \"world_2\"");
    lb_figure_destroy(f);
    f = load_body(
        "<link name='a'/><link name='b'/><joint name='i' type='fixed'><parent link='world'/><child link='b'/></joint>"
        "<joint name='j' type='fixed'><parent link='a'/><child link='world'/></joint><link name='e'/>");
    REQUIRE(f);
    CHECK_HAS(said.text, "the segment \"world_2\"");
    lb_figure_destroy(f);

    f = load_body("<link name='only'/>");
    REQUIRE(f);
    CHECK_TEXT(said.text, "");
    CHECK_INT(lb_figure_variable_count(f), 0);
    lb_figure_destroy(f);
}

static void test_names(void) {
    /* Links and joints have a name space each; a joint may be called as the site that every link has. */
    lb_figure *f =
        load_body("<link name='x'/><link name='y'/><link name='z'/><link name='&lt;&quot;&#228;'/>"
                  "<joint name='x' type='fixed'><parent link='x'/><child link='y'/></joint>"
                  "<joint name='origin' type='fixed'><parent link='y'/><child link='z'/></joint>"
                  "<joint name='origin_' type='fixed'><parent link='y'/><child link='&lt;&quot;&#228;'/></joint>");
    REQUIRE(f);
    CHECK_TEXT(said.text, "");
    CHECK(lb_figure_find_segment(f, "<\"\xc3\xa4") >= 0);
    CHECK_INT(lb_figure_joint_count(f), 3);
    lb_figure_destroy(f);
}

static void test_bodies(void) {
    lb_figure *f = load_body(
        "<material name='red'><color rgba='1 0 0 1'/></material>"
        "<link name='a'><inertial><origin xyz='1 2 3' rpy='1 1 1'/><mass value='2.5'/><inertia ixx='1'/></inertial>"
        "<visual><origin xyz='0 0 1'/><geometry><sphere radius='0.5'/></geometry><material name='red'/></visual>"
        "<visual><geometry><box size='1 2 3'/></geometry><material name='own'><color rgba='0 0.5 2 "
        "1'/></material></visual>"
        "<visual><geometry><mesh filename='m.stl'/></geometry></visual>"
        "<collision><geometry><sphere radius='9'/></geometry></collision></link>"
        "<link name='b'><inertial/><visual><geometry><mesh filename='m.stl'/></geometry></visual>"
        "<collision><geometry><cylinder radius='0.1' length='3'/></geometry></collision>"
        "<collision><geometry><capsule radius='0.1' length='3'/></geometry></collision></link>"
        "<link name='c'><visual><geometry><sphere radius='0'/></geometry><material name='blue'/></visual>"
        "<visual><geometry><sphere radius='1'/></geometry><material name='own'/></visual></link>"
        "<joint name='j' type='fixed'>" ENDS
        "</joint><joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "link \"b\" has an <inertial> without mass");
    CHECK_HAS(said.text, "link \"c\" has a shape of no extent");
    CHECK_INT(said.count, 2);
    const lb_segment *a = lb_figure_segment(f, 0);
    CHECK_NEAR(a->mass, 2.5, 0.0);
    CHECK_NEAR(a->com[2], 3.0, 0.0);
    REQUIRE(lb_figure_shape_count(f) == 6); /* the third is what a collides by */
    const lb_shape *shape = lb_figure_shape(f, 0);
    CHECK_INT(shape->kind, LB_SHAPE_SPHERE);
    CHECK_INT(shape->color, 0xff0000);
    CHECK_NEAR(shape->frame.position[2], 1.0, 0.0);
    shape = lb_figure_shape(f, 1);
    CHECK_INT(shape->kind, LB_SHAPE_BOX);
    CHECK_INT(shape->color, 0x0080ff);
    CHECK_NEAR(shape->size[2], 1.5, 0.0);
    CHECK_INT(lb_figure_shape(f, 2)->use, LB_SHAPE_USE_SOLID);
    shape = lb_figure_shape(f, 3);
    CHECK_INT(shape->kind, LB_SHAPE_CYLINDER);
    CHECK_INT(shape->use, LB_SHAPE_USE_BOTH); /* nothing else of b is drawn */
    CHECK_NEAR(shape->size[1], 1.5, 0.0);
    CHECK_INT(shape->color, -1);
    CHECK_INT(lb_figure_shape(f, 4)->kind, LB_SHAPE_CAPSULE);
    CHECK_INT(lb_figure_shape(f, 5)->color, 0x0080ff);
    lb_figure_destroy(f);
}

/* What other programs put into URDF. */
static void test_extras(void) {
    lb_figure *f = load_body(LINKS "<drake:joint name='d' type='ball'>" ENDS "</drake:joint>"
                                   "<frame name='hand' link='b' xyz='1 2 3' rpy='0 0 1'/><frame name='gone' link='z'/>"
                                   "<gazebo><joint name='x'/></gazebo><transmission><joint name='y'/></transmission>");
    REQUIRE(f);
    CHECK_HAS(said.text, "<drake:joint> \"d\" of type \"ball\" is an extension of Drake");
    CHECK_HAS(said.text, "2 root links");
    CHECK(lb_figure_find_site(f, "b.hand") >= 0);
    CHECK_INT(lb_figure_joint_count(f), 2);
    lb_figure_destroy(f);

    f = urdf_load_text(
        "<robot xmlns='http://example.org' xmlns:xacro='x'><xacro:macro name='paint'><gazebo/>"
        "<transmission><joint name='q'/></transmission></xacro:macro><link name='a'/><xacro:paint/></robot>",
        &said);
    REQUIRE(f);
    CHECK_HAS(said.text, "2 elements of xacro");
    CHECK_TEXT(lb_figure_name(f), "robot");
    lb_figure_destroy(f);

    /* A call that xacro forgot in a file that is whole without it, and a colour left blank. */
    f = load_body("<link name='a'><visual><geometry><sphere radius='1'/></geometry><material name='m'>"
                  "<color rgba=' '/></material></visual></link><link name='b'/>\n<xacro:sensor name='left'/>"
                  "<joint name='j' type='fixed'>" ENDS "</joint>");
    REQUIRE(f);
    CHECK_HAS(said.text, "1 element of xacro (first <xacro:sensor>) was left over by xacro and is ignored");
    CHECK_INT(lb_figure_joint_count(f), 1);
    CHECK_INT(lb_figure_shape(f, 0)->color, -1);
    lb_figure_destroy(f);
}

static void test_refused(void) {
    static const struct {
        const char *body;
        int line;
        const char *says;
    } cases[] = {
        {"", 1, "no <link>"},
        {"<link/>", 1, "a <link> has no name"},
        {"\n<link name=''/>", 2, "a <link> has no name"},
        {"<link name='a'/>\n<link name='b'/>\n<link name='a'/>", 3, "link \"a\" is there twice: lines 1 and 3"},
        {LINKS "\n<joint type='fixed'>" ENDS "</joint>", 2, "a <joint> has no name"},
        {LINKS "\n<joint name='j'>" ENDS "</joint>", 2, "joint \"j\" has no type"},
        {LINKS "\n<joint name='j' type='revolut'>" ENDS "</joint>", 2,
         "\"revolut\", which URDF does not have; it has fixed, revolute"},
        {LINKS "\n<joint name='j' type='spherical'>" ENDS "</joint>", 2, "three revolute joints"},
        {LINKS "<joint name='j' type='fixed'>" ENDS "</joint>\n<joint name='j' type='fixed'>" ENDS "</joint>", 2,
         "joint \"j\" is there twice: lines 1 and 2"},
        {LINKS "<joint name='j' type='fixed'><parent link='a'/></joint>", 1, "does not say its child"},
        {LINKS "<joint name='j' type='fixed'><parent/><child link='b'/></joint>", 1, "does not say its parent"},
        {LINKS "\n<joint name='j' type='fixed'>\n<parent link='zz'/><child link='b'/></joint>", 3,
         "the parent link \"zz\" of joint \"j\" is not defined"},
        {LINKS "\n<joint name='j' type='fixed'>\n<parent link='a'/><child link='world'/></joint>", 3,
         "the child link \"world\" of joint \"j\" is not defined"},
        {LINKS "<joint name='j' type='fixed'><parent link='a'/><child link='a'/></joint>", 1,
         "connects link \"a\" to itself"},
        {LINKS "<joint name='j' type='fixed'>" ENDS "</joint>\n<joint name='k' type='fixed'>" ENDS "</joint>", 2,
         "link \"b\" is the child of two joints, \"j\" (line 1) and \"k\" (line 2)"},
        {LINKS "<joint name='j' type='fixed'>" ENDS
               "</joint><joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>",
         1, "in a circle"},
        {LINKS "<joint name='j' type='continuous'>\n" ENDS "<axis xyz='0 0 0'/></joint>", 2,
         "the axis of joint \"j\" is 0 0 0"},
        {LINKS "<joint name='j' type='continuous'>\n" ENDS "<axis xyz='0 nan 0'/></joint>", 2,
         "must be 3 finite numbers"},
        {LINKS "<joint name='j' type='fixed'>\n" ENDS "<origin xyz='0 0 1e999'/></joint>", 2,
         "<origin xyz> of <joint name=\"j\">"},
        {LINKS "<joint name='j' type='fixed'>\n" ENDS "<origin rpy='0 0'/></joint>", 2,
         "<origin rpy> of <joint name=\"j\">"},
        {LINKS "<joint name='j' type='revolute'>" ENDS "\n<limit lower='1' upper='-1'/></joint>", 2,
         "joint \"j\" has its lower limit 1 above its upper limit -1"},
        {LINKS "<joint name='j' type='revolute'>" ENDS "\n<limit lower='1'/></joint>", 2, "(the missing one is 0)"},
        {LINKS "<joint name='j' type='revolute'>" ENDS "\n<limit lower='inf'/></joint>", 2,
         "must be one finite number"},
        {LINKS "<joint name='j' type='continuous'>" ENDS "<mimic/></joint>", 1, "does not say which joint"},
        {LINKS "<joint name='j' type='continuous'>" ENDS "<mimic joint='j'/></joint>", 1,
         "joint \"j\" mimics \"j\" and, in the end, itself"},
        {LINKS "<joint name='j' type='continuous'>" ENDS "<mimic joint='j' multiplier='x'/></joint>", 1,
         "must be one finite number"},
        {"<link name='a'><inertial><mass value='-1'/></inertial></link>", 1, "the mass of link \"a\" is negative"},
        {"<link name='a'><visual><geometry><box/></geometry></visual></link>", 1, "<box> has no size"},
        {"<link name='a'><visual><geometry><cylinder radius='1'/></geometry></visual></link>", 1,
         "<cylinder> has no length"},
        {"<link name='a'><visual><geometry><sphere radius='1'/></geometry><material name='m'><color rgba='1 "
         "1'/></material></visual></link>",
         1, "must be 4 finite numbers"},
        {"<xacro:include filename='x'/>", 1, "xacro file that was not expanded"},
        {"<link name='a'/>\n<xacro:arm prefix='left'/>", 2, "xacro file that was not expanded (xacro:arm)"},
        {LINKS "<xacro:include filename='arm.xacro'/><joint name='j' type='fixed'>" ENDS "</joint>\n<xacro:arm/>", 2,
         "xacro file that was not expanded (xacro:arm)"},
        {"<xacro:macro name='m'>\n<link name='b'/></xacro:macro><link name='a'/>", 1,
         "xacro file that was not expanded"},
        {"<xacro:if value='1'><link name='b'/></xacro:if><link name='a'/>", 1, "xacro file that was not expanded"},
        {"<link name='${prefix}_a'/>", 1, "xacro file that was not expanded"},
        {LINKS "<joint name='j' type='fixed'><parent link='$(arg p)'/><child link='b'/></joint>", 1,
         "unexpanded xacro"},
        {LINKS "<joint name='j' type='fixed'>" ENDS "<origin xyz='0 ${x} 0'/></joint>", 1, "unexpanded xacro"},
        {"<xi:include href='legs.urdf'/><link name='a'/>", 1, "XInclude (\"legs.urdf\")"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_note("%s", cases[i].body);
        lb_figure *f = load_body(cases[i].body);
        CHECK(f == NULL);
        CHECK_HAS(said.error.message, cases[i].says);
        CHECK_INT(said.error.line, cases[i].line);
        CHECK_TEXT(said.error.file, "t.urdf");
        lb_figure_destroy(f);
    }
    static const char *const others[][2] = {
        {"<mujoco/>", "this is MJCF"},
        {"<sdf/>", "this is SDF"},
        {"<html/>", "begins with <robot>"},
        {"<!DOCTYPE robot><robot name='r'><link name='a'/></robot>", "DOCTYPE"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        check_note("%s", others[i][0]);
        lb_figure *f = urdf_load_text(others[i][0], &said);
        CHECK(f == NULL);
        CHECK_HAS(said.error.message, others[i][1]);
        lb_figure_destroy(f);
    }
    check_note("%s", "");
}

/* Long chains, wide stars, chains of mimics: no more than a moment, and no deep recursion. */
static void test_large(void) {
    const int count = 20000;
    for (int is_star = 0; is_star < 2; ++is_star) {
        lbio_text text = {0};
        lbio_text_add(&text, "<robot name='long'><link name='l0'/>");
        for (int i = 1; i <= count; ++i) {
            lbio_text_format(
                &text, "<link name='l%d'/><joint name='j%d' type='continuous'><parent link='l%d'/><child link='l%d'/>",
                i, i, is_star ? 0 : i - 1, i);
            if (i % 500 != 0) {
                lbio_text_format(&text, "<mimic joint='j%d'/>", i + 1);
            }
            lbio_text_add(&text, "</joint>");
        }
        lbio_text_add(&text, "</robot>");
        lb_figure *f = urdf_load_text(text.data, &said);
        lbio_text_free(&text);
        REQUIRE(f);
        CHECK_INT(lb_figure_variable_count(f), count / 500);
        CHECK_INT(lb_figure_segment_count(f), count + 1);
        lb_figure_destroy(f);
    }
}

int main(void) {
    test_joint_kinds();
    test_axes_and_limits();
    test_mimics();
    test_roots();
    test_names();
    test_bodies();
    test_extras();
    test_refused();
    test_large();
    return check_done();
}
