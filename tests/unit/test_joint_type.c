/* Joint types by name and by spelling. */
#include <limber/limber.h>
#include <math.h>
#include <string.h>

#include "check.h"

static void check_spelling(const char *name, const char *spelling, int dofs) {
    lb_joint_type type, again;
    lb_error error;
    char text[512];
    check_note("%s", name);
    REQUIRE(lb_joint_type_parse(name, &type, &error) == LB_OK);
    lb_joint_type_spell(&type, text, sizeof text);
    CHECK_TEXT(text, spelling);
    CHECK_INT(lb_joint_type_dof_count(&type), dofs);
    REQUIRE(lb_joint_type_parse(text, &again, &error) == LB_OK);
    CHECK(memcmp(&type, &again, sizeof type) == 0);
    check_note("%s", "");
}

static void check_refused(const char *text, const char *reason) {
    lb_joint_type type = {77, {{LB_ELEMENT_ROTATE, {0, 0, 0}}}};
    lb_error error;
    check_note("%s", text);
    CHECK_INT(lb_joint_type_parse(text, &type, &error), LB_ERROR_SYNTAX);
    CHECK_HAS(error.message, reason);
    CHECK_INT(type.element_count, 77); /* untouched */
    CHECK_INT(lb_joint_type_parse(text, &type, NULL), LB_ERROR_SYNTAX);
    check_note("%s", "");
}

/* Any axis comes back bit for bit. */
static void check_skew_axes(void) {
    uint64_t seed = 5;
    for (int i = 0; i < 20000; i++) {
        lb_joint_type type, again;
        memset(&type, 0, sizeof type);
        type.element_count = 1;
        double norm = 0, *axis = type.elements[0].axis;
        for (int k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            axis[k] = (double)(int64_t)seed * 0x1p-63;
            if (i % 7 == 0 && k == 1) {
                axis[k] *= 1e-12;
            }
            norm += axis[k] * axis[k];
        }
        for (int k = 0; k < 3; k++) {
            axis[k] /= sqrt(norm);
        }
        char text[512];
        lb_joint_type_spell(&type, text, sizeof text);
        check_note("%s", text);
        REQUIRE(lb_joint_type_parse(text, &again, NULL) == LB_OK);
        REQUIRE(memcmp(&type, &again, sizeof type) == 0);
    }
    check_note("%s", "");
}

/* Numbers of an axis as people and programs write them; each spelling is of the same axis. */
static void check_numbers(void) {
    check_spelling("R(+0.6,0.0,8e-1)", "R(0.6,0,0.8)", 1);
    check_spelling("R( 0.6\t,\t0 , 0.8 )\t", "R(0.6,0,0.8)", 1);
    check_spelling("R(6E+10,0,8e+10)", "R(0.6,0,0.8)", 1);
    check_spelling("R(0x3p0,0x0p+0,0x.4p4)", "R(0.6,0,0.8)", 1);
    check_spelling("R(-0x3p1,0x0p0,0x1p3)", "R(-0.6,0,0.8)", 1);
    check_spelling("R(3000000000000000000000,0,4000000000000000000000)", "R(0.6,0,0.8)", 1);
    check_spelling("R(0.000000000000000000000000003,0,0.4e-26)", "R(0.6,0,0.8)", 1);
    check_spelling("R(0,0,1.00000000000000000000)", "R(z)", 1);
    check_spelling("R(0,0,1e30)", "R(z)", 1);
    check_spelling("R(0,1e-30,0)", "R(y)", 1);
    check_refused("R(0x,0,1)", "axis");
    check_refused("R(0x1,0,1)", "axis");
    check_refused("R(0x1.8.p0,0,1)", "axis");
    check_refused("R(0x1Ap0,0,1)", "axis");
    check_refused("R(0x1234567890abcdefp0,0,1)", "axis");
    check_refused("R(0x1g,0,1)", "axis");
    check_refused("R(0x1p,0,1)", "axis");
    check_refused("R(0x1p:,0,1)", "axis");
    check_refused("R(0x1p9999999,0,1)", "axis");
    check_refused("R(0x1p-9999999,0,1)", "axis");
    check_refused("R(0x1p2000,0,1)", "no direction"); /* infinite */
    check_refused("R(1.2.3,0,1)", "axis");
    check_refused("R(.,0,1)", "axis");
    check_refused("R(1e,0,1)", "axis");
    check_refused("R(1e:,0,1)", "axis");
    check_refused("R(1e99999999,0,1)", "axis");
    check_refused("R(0,0,0e-99999999)", "no direction");
    check_refused("R(-w)", "axis");
    check_refused("R(-~)", "axis");
    check_refused("R(1;0;0)", "axis");
    check_refused("R(z", "axis");
    check_refused("R(z)*R(x)*R(y)*T(x)*T(y)*T(z)*T(x)", "more than 6 dofs");
    check_refused("T(x)*rotation*swing_twist(z)", "more than 6 dofs");
}

static void check_unsound(lb_joint_type type, const char *what) {
    char text[64] = "as before";
    check_note("%s", what);
    CHECK_INT(lb_joint_type_spell(&type, text, sizeof text), LB_ERROR_ARGUMENT);
    CHECK_TEXT(text, "as before");
    check_note("%s", "");
}

/* Types that a program filled in wrongly have no spelling. */
static void check_unsound_types(void) {
    lb_joint_type type, bad;
    REQUIRE(lb_joint_type_parse("R(z)*rotation", &type, NULL) == LB_OK);
    bad = type, bad.element_count = -1;
    check_unsound(bad, "fewer than no elements");
    CHECK_INT(lb_joint_type_dof_count(&bad), 0);
    bad = type, bad.element_count = 7;
    check_unsound(bad, "seven elements");
    CHECK_INT(lb_joint_type_is_angle(&bad, 99), 0); /* only the six that there is room for are looked at */
    bad = type, bad.element_count = 3, bad.elements[2].kind = LB_ELEMENT_ROTATION;
    check_unsound(bad, "seven dofs");
    bad = type, bad.elements[0].kind = (lb_element_kind)-1;
    check_unsound(bad, "kind -1");
    bad.elements[0].kind = (lb_element_kind)(LB_ELEMENT_ROTATION + 1);
    check_unsound(bad, "a kind too many");
    bad = type, bad.elements[0].axis[1] = NAN;
    check_unsound(bad, "axis of nan");
    bad = type, bad.elements[0].axis[2] = 2;
    check_unsound(bad, "axis of length 2");
    CHECK_INT(lb_joint_type_is_angle(&type, -1), 0);
    CHECK_INT(lb_joint_type_is_angle(&type, 3), 1);
    CHECK_INT(lb_joint_type_is_angle(&type, 4), 0);
    CHECK_INT(lb_joint_type_spell(&type, NULL, 0), 13); /* how long it would be */
    CHECK_INT(lb_joint_type_spell(&type, NULL, 5), LB_ERROR_ARGUMENT);
}

/* The names that a joint's dofs get, and how one that comes again is told from the first. */
static void check_dof_names(const char *type, int count, const char *const *names) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment segment;
    lb_site site;
    lb_joint joint;
    REQUIRE(b != NULL);
    lb_segment_defaults(&segment);
    lb_site_defaults(&site);
    lb_joint_defaults(&joint);
    for (int i = 0; i < 2; i++) {
        segment.name = i ? "b" : "a", site.name = "at", site.segment = i;
        REQUIRE(lb_builder_add_segment(b, &segment) == i && lb_builder_add_site(b, &site) == i);
    }
    joint.name = "joint", joint.site_a = 0, joint.site_b = 1;
    check_note("%s", type);
    REQUIRE(lb_joint_type_parse(type, &joint.type, NULL) == LB_OK);
    REQUIRE(lb_builder_add_joint(b, &joint) == 0);
    for (int i = 0; i < count; i++) {
        CHECK_TEXT(lb_builder_joint(b, 0)->dof_names[i], names[i]);
    }
    CHECK(count == LB_JOINT_MAX_DOFS || lb_builder_joint(b, 0)->dof_names[count] == NULL);
    check_note("%s", "");
    lb_builder_destroy(b);
}

static void check_all_dof_names(void) {
    check_dof_names("R(z)*R(z)*R(z)", 3, (const char *const[]){"rz", "rz2", "rz3"});
    check_dof_names("T(-x)*rotation*T(x)", 5, (const char *const[]){"tx", "vx", "vy", "vz", "tx2"});
    check_dof_names("R(3,0,4)*T(3,4,0)", 2, (const char *const[]){"r1", "t2"});
    check_dof_names("swing_twist(y)", 3, (const char *const[]){"swz", "swx", "twy"});
    check_dof_names("swing_twist(3,0,4)", 3, (const char *const[]){"sw1", "sw2", "tw3"});
}

int main(void) {
    check_spelling("fixed", "fixed", 0);
    check_spelling("pin", "R(y)", 1);
    check_spelling("universal", "R(y)*R(x)", 2);
    check_spelling("ball", "R(y)*R(x)*R(z)", 3);
    check_spelling("sliding", "T(y)", 1);
    check_spelling("cylindrical", "T(y)*R(y)", 2);
    check_spelling("sliding-universal", "T(y)*R(y)*R(x)", 3);
    check_spelling("sliding-ball", "T(y)*R(y)*R(x)*R(z)", 4);
    check_spelling("planar", "T(x)*T(z)", 2);
    check_spelling("cube-on-plane", "T(x)*T(z)*R(y)", 3);
    check_spelling("cylinder-on-plane", "T(x)*T(z)*R(y)*R(x)", 4);
    check_spelling("ball-on-plane", "T(x)*T(z)*R(y)*R(x)*R(z)", 5);
    check_spelling("cartesian", "T(x)*T(y)*T(z)", 3);
    check_spelling("cartesian-pin", "T(x)*T(y)*T(z)*R(y)", 4);
    check_spelling("cartesian-universal", "T(x)*T(y)*T(z)*R(y)*R(x)", 5);
    check_spelling("flying", "T(x)*T(y)*T(z)*R(y)*R(x)*R(z)", 6);
    check_spelling("P2R1", "T(x)*T(z)*R(y)", 3);
    check_spelling("floating", "T(x)*T(y)*T(z)*rotation", 6);
    check_spelling("  R(z) * R( -x ) * T(y) ", "R(z)*R(-x)*T(y)", 3);
    check_spelling("R(3,0,4)", "R(0.6,0,0.8)", 1);
    check_spelling("swing_twist(z)", "swing_twist(z)", 3);
    check_spelling("T(1,0,0)", "T(x)", 1);
    check_spelling("R(0,-1e0,0)", "R(-y)", 1);
    check_refused("", "is no joint type");
    check_refused("hinge", "is no joint type");
    check_refused("R(q)", "axis");
    check_refused("R(0,0,0)", "no direction");
    check_refused("R(1,0)", "axis");
    check_refused("R(1e999,0,0)", "axis");
    check_refused("R(z)+R(x)", "join elements with *");
    check_refused("R(z)*", "is no joint type");
    check_refused("floating*R(z)", "is no joint type");
    check_refused("rotation*rotation*R(z)", "more than 6 dofs");
    check_skew_axes();
    check_numbers();
    check_unsound_types();
    check_all_dof_names();
    lb_joint_type type;
    char cut[5];
    lb_joint_type_parse("R(z)*T(x)", &type, NULL);
    CHECK_INT(lb_joint_type_spell(&type, cut, sizeof cut), 9);
    CHECK_TEXT(cut, "R(z)");
    CHECK_INT(lb_joint_type_is_angle(&type, 0), 1);
    CHECK_INT(lb_joint_type_is_angle(&type, 1), 0);
    return check_done();
}
