/* What names stand for: sites, segments, the centre of mass; which wins; and what is said of a name that is not there. */
#include <limber/solve.h>
#include <string.h>

#include "arm.h"
#include "figure/suggest.h"

static const char *said(const lb_figure *figure, const char *name) {
    static lb_error error;
    int segment = 7, site = 7;
    memset(&error, 0x5a, sizeof error);
    CHECK_INT(lb_figure_find_place(figure, name, &segment, &site, &error), LB_ERROR_NAME);
    CHECK(segment == 7 && site == 7); /* nothing was changed */
    CHECK_INT(error.status, LB_ERROR_NAME);
    CHECK_INT(lb_figure_find_place(figure, name, &segment, &site, NULL), LB_ERROR_NAME);
    return error.message;
}

static void check_place(const lb_figure *figure, const char *name, int segment, int site) {
    int found_segment = -7, found_site = -7;
    check_note("%s", name);
    CHECK_INT(lb_figure_find_place(figure, name, &found_segment, &found_site, NULL), LB_OK);
    CHECK_INT(found_segment, segment);
    CHECK_INT(found_site, site);
    check_note("%s", "");
}

static void test_arm(void) {
    lb_figure *arm = arm_finish(arm_builder("R(z)", "R(z)"));
    check_place(arm, "hand", 2, 4);
    check_place(arm, "lower.hand", 2, 4);
    check_place(arm, "lower", 2, -1);
    check_place(arm, "base", 0, -1); /* two sites have that name, one segment */
    check_place(arm, "upper.base", 1, 1);
    check_place(arm, "shoulder", 0, 0); /* a site at a joint, and no segment of that name */
    CHECK_TEXT(said(arm, "hnad"), "figure `figure` has no site or segment `hnad`; did you mean `hand`?");
    CHECK_TEXT(said(arm, "HANDS"), "figure `figure` has no site or segment `HANDS`; did you mean `hand`?");
    CHECK_TEXT(said(arm, "lower.hnd"),
               "figure `figure` has no site or segment `lower.hnd`; did you mean `lower.hand` or `lower`?");
    CHECK_TEXT(said(arm, "elbow"),
               "figure `figure` has no site or segment `elbow`: that is a joint, which carries the segment `lower`");
    CHECK_TEXT(said(arm, "xyzzy"),
               "figure `figure` has no site or segment `xyzzy`; its segments are `base`, `upper`, `lower`");
    CHECK_TEXT(said(arm, ""), "the name of a site or segment is empty");
    CHECK_HAS(said(arm, "bse"), "did you mean `base`");
    lb_figure_destroy(arm);
}

/* Names as strangers bring them. */
static void test_strange(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    static const char *const names[] = {"Left Arm",       "a.b",    "a/b", "\xc3\x89paule \xf0\x9f\xa6\xbe",
                                        "mixamorig:Hips", "origin", "com", "tip"};
    int segments[8], site = arm_site(b, 0, "seat", 0);
    for (int k = 0; k < 8; k++) {
        char joint[64], own[64];
        segments[k] = arm_segment(b, names[k], 1);
        snprintf(joint, sizeof joint, "j%d", k);
        snprintf(own, sizeof own, "origin%s", k % 2 ? "" : "_");
        REQUIRE(arm_joint(b, joint, site, arm_site(b, segments[k], own, 0), "R(z)") >= 0);
    }
    int a = arm_segment(b, "a", 0), named = arm_site(b, a, "b", 0.1);
    REQUIRE(arm_joint(b, "ja", site, arm_site(b, a, "origin", 0), "R(z)") >= 0);
    int twin = arm_segment(b, "twin", 0), own_twin = arm_site(b, a, "twin", 0.2);
    int seat = arm_site(b, a, "carried", 0), carried = arm_segment(b, "carried", 0);
    REQUIRE(arm_joint(b, "jt", site, arm_site(b, twin, "origin", 0), "R(z)") >= 0);
    REQUIRE(arm_joint(b, "carried", seat, arm_site(b, carried, "origin", 0), "R(z)") >= 0);
    lb_figure *figure = arm_finish(b);
    check_place(figure, "Left Arm", segments[0], -1);
    check_place(figure, "a.b", a, named); /* the site b of a, rather than the segment a.b */
    check_place(figure, "a/b", segments[2], -1);
    check_place(figure, names[3], segments[3], -1);
    check_place(figure, "mixamorig:Hips", segments[4], -1);
    check_place(figure, "origin", segments[5], -1); /* many sites are called so: it cannot be one of them */
    check_place(figure, "com", segments[6], -1);
    check_place(figure, "twin", a, own_twin);    /* a site wins over a segment, */
    check_place(figure, "carried", carried, -1); /* unless a joint sits there */
    check_place(figure, "a.carried", a, seat);   /* which can still be named in full */
    check_place(figure, "tip", segments[7], -1); /* upper.tip is the place of a joint */
    lb_effector effector;
    CHECK_INT(lb_figure_find_effector(figure, "com", &effector, NULL), LB_OK);
    CHECK_INT(effector.kind, LB_EFFECTOR_FRAME); /* a segment is called com here */
    CHECK_HAS(said(figure, "hips"), "`mixamorig:Hips`");
    CHECK_HAS(said(figure, "left_arm"), "did you mean `Left Arm`?");
    lb_figure_destroy(figure);
}

static void test_several(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    arm_site(b, 0, "mark", 0);
    arm_site(b, 1, "mark", 0);
    lb_figure *figure = arm_finish(b);
    CHECK_TEXT(said(figure, "mark"),
               "several segments of figure `figure` have a site `mark`; name one of them: `base.mark`, `upper.mark`");
    CHECK_HAS(said(figure, "marc"), "`base.mark` or `upper.mark`?"); /* a name that can be used, not one of several */
    lb_figure_destroy(figure);
}

/* Long names are cut or left out, and never run over. */
static void test_long(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    char name[250], wrong[300], joint[16];
    for (int k = 0; k < 9; k++) {
        memset(name, 'n', sizeof name - 1);
        name[sizeof name - 1] = 0;
        name[k] = 'm';
        int segment = arm_segment(b, name, 1);
        snprintf(joint, sizeof joint, "j%d", k);
        REQUIRE(segment >= 0 && arm_joint(b, joint, 0, arm_site(b, segment, "s", 0), "R(z)") >= 0);
    }
    lb_figure *figure = arm_finish(b);
    check_place(figure, name, 11, -1);
    memset(wrong, 'n', sizeof wrong - 1);
    wrong[sizeof wrong - 1] = 0;
    CHECK_HAS(said(figure, wrong), "has no site or segment `nnn");
    wrong[120] = 0;
    CHECK(strlen(said(figure, wrong)) < LB_ERROR_MESSAGE_SIZE);
    lb_figure_destroy(figure);
}

static void test_effectors(void) {
    lb_figure *arm = arm_finish(arm_builder("R(z)", "R(z)"));
    lb_effector effector, other;
    lb_error error = {LB_ERROR_FILE, 1, "x", "y"};
    int number = 0;
    CHECK_INT(lb_figure_find_effector(arm, "hand", &effector, &error), LB_OK);
    lb_effector_from_site(arm, 4, &other);
    CHECK(memcmp(&effector, &other, sizeof other) == 0);
    CHECK_INT(lb_figure_find_effector(arm, "lower", &effector, &error), LB_OK);
    lb_effector_from_segment(arm, 2, &other);
    CHECK(memcmp(&effector, &other, sizeof other) == 0);
    CHECK_INT(lb_figure_find_effector(arm, "com", &effector, &error), LB_OK);
    CHECK_INT(effector.kind, LB_EFFECTOR_COM);
    CHECK_INT(error.message[0], 0);
    CHECK_INT(lb_figure_find_effector(arm, "cmo", &effector, &error), LB_ERROR_NAME);
    CHECK_INT(lb_figure_find_effector(NULL, "hand", &effector, &error), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_figure_find_effector(arm, NULL, &effector, &error), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_figure_find_effector(arm, "hand", NULL, &error), LB_ERROR_ARGUMENT);
    CHECK(error.message[0] != 0);
    CHECK_INT(lb_figure_find_place(arm, "hand", NULL, &number, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_figure_find_place(arm, "hand", &number, NULL, NULL), LB_ERROR_ARGUMENT);
    lb_figure_destroy(arm);
}

/* A constraint whose name was not found is refused with the reason, also where its status was not looked at. */
static void test_constraint(void) {
    lb_figure *arm = arm_finish(arm_builder("R(z)", "R(z)"));
    lb_problem *problem = lb_problem_create(arm, NULL);
    lb_constraint c;
    const double point[3] = {0.1, 0.2, 0}, pose[2] = {0.3, 0.4};
    REQUIRE(problem != NULL);
    CHECK_INT(lb_constraint_at(arm, "hadn", point, &c), LB_ERROR_NAME);
    CHECK_INT(lb_problem_add(problem, &c), LB_ERROR_ARGUMENT);
    CHECK_TEXT(
        lb_problem_error(problem)->message,
        "the constraint has no end-effector: figure `figure` has no site or segment `hadn`; did you mean `hand`?");
    CHECK_INT(lb_problem_constraint_count(problem), 0);
    c.effector.segment = 99;
    CHECK_INT(lb_problem_add(problem, &c), LB_ERROR_ARGUMENT);
    CHECK_TEXT(lb_problem_error(problem)->message, "the end-effector's segment does not exist");
    /* A segment is kept where it is as a site is. */
    CHECK_INT(lb_constraint_keep(arm, "lower", pose, &c), LB_OK);
    CHECK_NEAR(c.goal.point[0], 0.3 * 0.95533648912560602, 1e-15); /* cos 0.3 */
    CHECK_NEAR(c.goal.x[0], 0.7648421872844885, 1e-15);            /* cos 0.7 */
    CHECK_INT(lb_constraint_keep(arm, "com", pose, &c), LB_ERROR_NAME);
    lb_problem_destroy(problem);
    lb_figure_destroy(arm);
}

static const char *suggested(const char *wanted, const char *const *names, int count) {
    static char text[LBF_SUGGESTION_TEXT];
    lbf_suggestions s;
    lbf_suggest_begin(&s, wanted);
    for (int k = 0; k < count; k++) {
        lbf_suggest_offer(&s, names[k], names[k]);
    }
    return lbf_suggest_text(&s, text);
}

static void test_suggestions(void) {
    static const char *const links[] = {"base_link", "wrist_1_link", "wrist_2_link", "wrist_3_link",
                                        "tool0",     "flange",       "tool_changer"};
    CHECK_TEXT(suggested("tool", links, 7), "did you mean `tool0` or `tool_changer`?");
    CHECK_TEXT(suggested("wrist3", links, 7), "did you mean `wrist_3_link`?");
    CHECK_TEXT(suggested("Wrist_3_Link", links, 7), "did you mean `wrist_3_link`?");
    CHECK_TEXT(suggested("flnage", links, 7), "did you mean `flange`?");
    CHECK_TEXT(suggested("link", links, 7),
               "did you mean `base_link`, `wrist_1_link`, `wrist_2_link` or `wrist_3_link`?");
    CHECK_TEXT(suggested("gripper", links, 7), "");
    CHECK_TEXT(suggested("", links, 7), "");
    CHECK_TEXT(suggested("...", links, 7), "");
    CHECK_TEXT(suggested("tool0", links, 0), "");
    CHECK_INT(lbf_edit_distance("kitten", "sitting"), 3);
    CHECK_INT(lbf_edit_distance("ab", "BA"), 1);
    CHECK_INT(lbf_edit_distance("", "abc"), 3);
    char long_name[80];
    memset(long_name, 'a', sizeof long_name);
    long_name[79] = 0;
    CHECK_INT(lbf_edit_distance(long_name, "a"), -1);
}

int main(void) {
    test_arm();
    test_strange();
    test_several();
    test_long();
    test_effectors();
    test_constraint();
    test_suggestions();
    return check_done();
}
