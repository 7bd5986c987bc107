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
            if (i % 7 == 0 && k == 1) axis[k] *= 1e-12;
            norm += axis[k] * axis[k];
        }
        for (int k = 0; k < 3; k++) axis[k] /= sqrt(norm);
        char text[512];
        lb_joint_type_spell(&type, text, sizeof text);
        check_note("%s", text);
        REQUIRE(lb_joint_type_parse(text, &again, NULL) == LB_OK);
        REQUIRE(memcmp(&type, &again, sizeof type) == 0);
    }
    check_note("%s", "");
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
    lb_joint_type type;
    char cut[5];
    lb_joint_type_parse("R(z)*T(x)", &type, NULL);
    CHECK_INT(lb_joint_type_spell(&type, cut, sizeof cut), 9);
    CHECK_TEXT(cut, "R(z)");
    CHECK_INT(lb_joint_type_is_angle(&type, 0), 1);
    CHECK_INT(lb_joint_type_is_angle(&type, 1), 0);
    return check_done();
}
