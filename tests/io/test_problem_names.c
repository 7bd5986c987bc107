/* Names in problem files: a segment wherever a site may be, chains from links, figures by name and number, names with a
 * colon of their own, and what is said of names that are not there. */
#include "check.h"
#include "problem_text.h"

#include <limber/io.h>
#include <math.h>
#include <string.h>

static const lb_constraint *constraint(lb_problem_file *file, int index) {
    return lb_problem_constraint(lb_problem_file_problem(file), index);
}

static void check_same_vectors(const double *a, const double *b) {
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(a[i], b[i], 1e-15);
    }
}

#define AT "\"goal\": {\"kind\": \"position\", \"point\": [0, 0, 0.1]}"

static void test_effectors(void) {
    lb_problem_file *file =
        load_text("{\"figure\": \"chain:3\", \"constraints\": ["
                  "{\"effector\": \"link2\", " AT "}, {\"effector\": {\"segment\": \"link2\"}, " AT "},"
                  "{\"effector\": {\"site\": \"link2\", \"point\": [0, 0, \"5cm\"], \"x\": [0, 0, 1]}, " AT "},"
                  "{\"effector\": \"link2.tip\", " AT "}]}");
    const lb_constraint *named = constraint(file, 0), *spelled = constraint(file, 1), *part = constraint(file, 2);
    CHECK_INT(named->effector.segment, 2);
    CHECK(memcmp(&named->effector, &spelled->effector, sizeof named->effector) == 0);
    CHECK_TEXT(named->name, "link2");
    CHECK_INT(part->effector.segment, 2);
    CHECK(part->effector.point[2] == 0.05 && part->effector.x[2] == 1);
    CHECK(constraint(file, 3)->effector.point[2] > 0.01); /* the site is elsewhere */
    lb_problem_file_destroy(file);
}

static void test_carriers(void) {
    lb_problem_file *file = load_text(
        "{\"figures\": [\"chain:3\", {\"file\": \"chain:2\", \"name\": \"b\"}], \"constraints\": ["
        "{\"effector\": \"link3\", \"goal\": {\"kind\": \"frame\", \"relative_to\": \"b:link1\", \"x\": [0, 1, 0]}},"
        "{\"effector\": \"link3\", \"goal\": {\"kind\": \"frame\", \"relative_to\": {\"segment\": \"b:link1\"}, "
        "\"x\": [0, 1, 0]}}]}");
    const lb_goal *a = &constraint(file, 0)->goal, *b = &constraint(file, 1)->goal;
    CHECK_INT(a->carrier_figure, 1);
    CHECK_INT(a->carrier_segment, 1);
    CHECK_INT(b->carrier_segment, 1);
    CHECK(memcmp(a->point, b->point, sizeof a->point) == 0 && memcmp(a->x, b->x, sizeof a->x) == 0);
    lb_problem_file_destroy(file);
}

static void test_support(void) {
    lb_problem_file *file = load_text(
        "{\"figure\": \"human\", \"keep\": [\"left_foot\", {\"site\": \"right_foot\", \"what\": \"position\"}],"
        " \"balance\": {\"support\": [\"left_foot\", \"right_foot\", \"right_toes\"]}}");
    const lb_figure *human = lb_problem_figure(lb_problem_file_problem(file), 0);
    lb_kinematics *k = lb_kinematics_create(human, NULL);
    lb_frame left, right;
    lb_kinematics_segment(k, lb_figure_find_segment(human, "left_foot"), &left);
    lb_kinematics_segment(k, lb_figure_find_segment(human, "right_foot"), &right);
    CHECK_INT(constraint(file, 0)->goal.kind, LB_GOAL_FRAME);
    CHECK_TEXT(constraint(file, 0)->name, "left_foot");
    check_same_vectors(constraint(file, 0)->goal.point, left.position);
    CHECK_INT(constraint(file, 1)->goal.kind, LB_GOAL_POSITION);
    check_same_vectors(constraint(file, 1)->goal.point, right.position);
    const lb_goal *area = &constraint(file, 2)->goal;
    CHECK_INT(area->face_count, 3);
    for (int i = 0; i < area->face_count; i++) { /* no corner lies outside, one lies on two edges */
        const double *face = area->faces[i];
        CHECK(face[0] * left.position[0] + face[1] * left.position[1] <= face[3] + 1e-12);
    }
    lb_kinematics_destroy(k);
    lb_problem_file_destroy(file);
}

/* A chain from a link begins with the first joint behind it on the way to the end-effector. */
static void test_chains(void) {
    lb_problem_file *file = load_text("{\"figure\": \"chain:4\", \"constraints\": ["
                                      "{\"effector\": \"link4\", \"from\": \"joint2\", " AT "},"
                                      "{\"effector\": \"link4\", \"from\": \"link1\", " AT "},"
                                      "{\"effector\": \"link4\", \"from\": \"link1.tip\", " AT "},"
                                      "{\"effector\": \"link4\", \"from\": \"base\", " AT "}]}");
    for (int k = 0; k < 3; k++) {
        CHECK_INT(constraint(file, k)->chain_start, 1);
    }
    CHECK_INT(constraint(file, 3)->chain_start, 0);
    lb_problem_file_destroy(file);
}

static void test_figures(void) {
    lb_problem_file *file =
        load_text("{\"figures\": [\"chain:3\", {\"file\": \"chain:3\", \"name\": \"b\"}, \"chain:3\"],"
                  " \"start\": {\"1:joint1\": 0.25, \"2:joint2\": 0.5}, \"constraints\": ["
                  "{\"effector\": \"1:link2\", " AT "}, {\"effector\": \"b:link2\", " AT "},"
                  "{\"effector\": \"0:link2\", " AT "}, {\"effector\": \"2:link2.tip\", " AT "}]}");
    static const int expected[] = {1, 1, 0, 2};
    for (int k = 0; k < 4; k++) {
        CHECK_INT(constraint(file, k)->figure, expected[k]);
        CHECK_INT(constraint(file, k)->effector.segment, 2);
    }
    CHECK_NEAR(lb_problem_file_start(file)[3], 0.25, 0);
    CHECK_NEAR(lb_problem_file_start(file)[7], 0.5, 0);
    lb_problem_file_destroy(file);
}

static void write_text(const char *name, const char *text, char path[4096]) {
    check_scratch(name, path, 4096);
    FILE *file = fopen(path, "w");
    REQUIRE(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Names of other programs have colons, blanks and dots, also where a figure has the name before the colon. */
static void test_colons(void) {
    char skeleton[4096], problem[4096];
    write_text("rig.bvh",
               "HIERARCHY\nROOT mixamorig:Hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n"
               " JOINT mixamorig:Left.Arm\n {\n  OFFSET 0 10 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n"
               "  End Site\n  {\n   OFFSET 0 5 0\n  }\n }\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n",
               skeleton);
    write_text("rig.json",
               "{\"figures\": [{\"file\": \"rig.bvh\", \"name\": \"mixamorig\"}], \"constraints\": ["
               "{\"effector\": \"mixamorig:Hips\", " AT "}, {\"effector\": \"mixamorig:Left.Arm\", " AT "},"
               "{\"effector\": \"mixamorig:mixamorig:Left.Arm\", " AT "},"
               "{\"effector\": \"mixamorig:Left.Arm.end\", \"from\": \"mixamorig:Hips\", " AT "}]}",
               problem);
    lb_problem_file *file = NULL;
    lb_error error;
    check_note("%s", "");
    if (!CHECK_INT(lb_problem_load(problem, NULL, &file, &error), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
        return;
    }
    const lb_figure *figure = lb_problem_figure(lb_problem_file_problem(file), 0);
    int arm = lb_figure_find_segment(figure, "mixamorig:Left.Arm");
    CHECK_INT(constraint(file, 0)->effector.segment, lb_figure_find_segment(figure, "mixamorig:Hips"));
    CHECK_INT(constraint(file, 1)->effector.segment, arm);
    CHECK_INT(constraint(file, 2)->effector.segment, arm);
    CHECK_INT(constraint(file, 3)->effector.segment, arm);
    CHECK(fabs(constraint(file, 3)->effector.point[2]) > 0.01 || fabs(constraint(file, 3)->effector.point[1]) > 0.01);
    lb_problem_file_destroy(file);
}

static void test_messages(void) {
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"lnk2\", " AT "}]}",
         "constraints[0].effector: figure `chain` has no site or segment `lnk2`; did you mean `link2`"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"joint2\", " AT "}]}",
         "that is a joint, which carries the segment `link2`"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"tip\", " AT "}]}",
         "several segments of figure `chain` have a site `tip`; name one of them: "},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": {\"site\": \"com\", \"x\": [0, 0, 1]}, " AT "}]}",
         "the centre of mass has no directions"},
        {"{\"figures\": [\"chain:3\", \"chain:3\"], \"constraints\": [{\"effector\": \"anna:link1\", " AT "}]}",
         "there is no figure `anna`; the figures are `chain`, `1`"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"link2\", \"from\": \"link3\", " AT "}]}",
         "`link3` does not lie between the root and the end-effector"},
        {"{\"figure\": \"chain:3\", \"constraints\": [{\"effector\": \"com\", \"from\": \"link1\", " AT "}]}",
         "`link1` does not lie between"},
        {"{\"figure\": \"chain:3\", \"keep\": [\"lnik2\"]}", "keep[0]: figure `chain` has no site or segment `lnik2`"},
        {"{\"figure\": {\"file\": \"chain:3\", \"root\": \"lnik2\"}}",
         "figure.root: figure `chain` has no site or segment `lnik2`; did you mean `link2`"},
        {"{\"figure\": \"human\", \"inactive\": [\"right_elbw\"]}", "did you mean `right_elbow`"},
        {"{\"figure\": \"human\", \"avoid\": [{\"segments\": \"right_hnad\", \"others\": \"head\"}]}",
         "has no segment `right_hnad`; did you mean `right_hand`"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        lb_problem_file *file = NULL;
        lb_error error;
        check_note("%s", cases[k].text);
        CHECK(read_text(cases[k].text, &file, &error) != LB_OK);
        CHECK(!file);
        CHECK_HAS(error.message, cases[k].part);
    }
    check_note("%s", "");
}

int main(void) {
    REQUIRE(check_source("models", problem_models, sizeof problem_models));
    test_effectors();
    test_carriers();
    test_support();
    test_chains();
    test_figures();
    test_colons();
    test_messages();
    return check_done();
}
