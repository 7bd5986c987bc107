/* SCEFO scripts: BAGS's own, what the language has, what is wrong with others. */
#include "check.h"

#include <limber/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "appendix_a.h"

#define PI 3.14159265358979323846

static int warnings;
static char last_warning[LB_ERROR_MESSAGE_SIZE], played_warning[512];

static void hear(void *context, const lb_error *warning) {
    (void)context;
    warnings++;
    strcpy(last_warning, warning->message);
}

static void hear_playing(void *context, double time, const char *message) {
    (void)context;
    (void)time;
    snprintf(played_warning, sizeof played_warning, "%s", message);
}

static lb_status read_text(const char *text, lb_script **script, lb_error *error) {
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.warn = hear;
    warnings = 0;
    return lb_script_load_memory(text, strlen(text), "file.scefo", &options, script, error);
}

/* A script being played. */
typedef struct show {
    lb_script *script;
    lb_player *player;
    double pose[256];
} show;

static show play(const char *text) {
    show s = {0};
    lb_error error;
    lb_player_options options;
    lb_player_options_defaults(&options);
    options.warn = hear_playing;
    played_warning[0] = 0;
    if (read_text(text, &s.script, &error) != LB_OK) {
        printf("%s:%d: %s\n", error.file, error.line, error.message);
        REQUIRE(!"the script should be read");
    }
    s.player = lb_player_create(lb_script_motion(s.script), &options, NULL);
    REQUIRE(s.player != NULL);
    return s;
}

static void end(show *s) {
    lb_player_destroy(s->player);
    lb_script_destroy(s->script);
}

/* Where an object's centre is at a time, in the script's axes. */
static void where(show *s, double time, const char *object, double position[3]) {
    int stage = lb_player_stage(s->player, time);
    const lb_problem *problem = lb_motion_problem(lb_script_motion(s->script), stage);
    REQUIRE(lb_problem_variable_count(problem) <= 256);
    REQUIRE(lb_player_pose(s->player, time, s->pose, NULL) == LB_OK);
    for (int f = 0; f < lb_problem_figure_count(problem); f++) {
        const lb_figure *figure = lb_problem_figure(problem, f);
        int segment = lb_figure_find_segment(figure, object);
        if (segment < 0) {
            continue;
        }
        lb_kinematics *k = lb_kinematics_create(figure, NULL);
        lb_frame frame_w;
        REQUIRE(lb_kinematics_update(k, s->pose + lb_problem_first_variable(problem, f)) == LB_OK);
        lb_kinematics_segment(k, segment, &frame_w);
        position[0] = frame_w.position[1], position[1] = frame_w.position[2], position[2] = frame_w.position[0];
        lb_kinematics_destroy(k);
        return;
    }
    REQUIRE(!"the object should be there");
}

static void check_at(show *s, double time, const char *object, double x, double y, double z, double tolerance) {
    double p[3];
    where(s, time, object, p);
    check_note("%s at %g s: %g %g %g", object, time, p[0], p[1], p[2]);
    CHECK_NEAR(p[0], x, tolerance);
    CHECK_NEAR(p[1], y, tolerance);
    CHECK_NEAR(p[2], z, tolerance);
    check_note("%s", "");
}

/* --- BAGS's own script --------------------------------------------------------------------------------- */

static void check_as_printed(void) {
    lb_script *script;
    lb_error error;
    CHECK_INT(read_text(appendix_a, &script, &error), LB_ERROR_SYNTAX);
    CHECK_INT(error.line, 35);
    CHECK_TEXT(error.file, "file.scefo");
    CHECK_HAS(error.message, "there is no object \"leftshoulder\"");
    CHECK_HAS(error.message, "did you mean \"leftupperarm\"");
    CHECK(script == NULL);
}

static void check_corrected(void) {
    char text[8192];
    const char *wrong = strstr(appendix_a, "\"leftshoulder\"");
    REQUIRE(wrong != NULL);
    snprintf(text, sizeof text, "%.*s\"leftupperarm\"%s", (int)(wrong - appendix_a), appendix_a,
             wrong + strlen("\"leftshoulder\""));
    show s = play(text);
    CHECK_INT(warnings, 0);
    check_at(&s, 5, "ball", -2, 1, -0.3, 1e-12);
    check_at(&s, 5, "lefthand", -2, 1, -0.3, 1e-5);
    check_at(&s, 5, "torso", -3, -0.5, 0, 1e-12);
    double hand[3], shoulder[3] = {-3.3, 0, 0}, far = 0;
    where(&s, 0, "lefthand", hand); /* its first goal is too far away: the arm is stretched towards it */
    for (int i = 0; i < 3; i++) {
        far += pow(hand[i] - shoulder[i], 2);
    }
    CHECK_NEAR(sqrt(far), 2, 1e-3);
    end(&s);
}

/* --- What the language has --------------------------------------------------------------------------- */

static void check_objects(void) {
    show s = play("template (box) cube; change (box) scale <0, {1, 2, 3}>, translate <0, {1, 0, 0}> <2, {3, 4, 0}>,\n"
                  "  rotate <3, {{0, 0, 1}, 90}>;\n"
                  "template (other) sphere; change (other) translate <1, {0, 0, 5}>;\n"
                  "template (step) cube; change (step) translate <0, {0, 0, 0}, discrete> <1, {1, 0, 0}>;\n");
    check_at(&s, 0, "box", 1, 0, 0, 1e-12);
    check_at(&s, 1, "box", 2, 2, 0, 1e-9);
    check_at(&s, 2.5, "box", 3, 4, 0, 1e-9);
    check_at(&s, 3, "box", -4, 3, 0, 1e-9);
    check_at(&s, 0.5, "other", 0, 0, 0, 1e-12);
    check_at(&s, 1, "other", 0, 0, 5, 1e-9);
    check_at(&s, 0.9, "step", 0, 0, 0, 1e-9);
    check_at(&s, 1, "step", 1, 0, 0, 1e-9);
    end(&s);
}

/* An arm of two links along x: a at 0 to 2, b at 2 to 4; what its joints do is appended. */
#define ARM                                                                                                            \
    "template (base) cube; change (base) scale <0, {0.1, 0.1, 0.1}>;\n"                                                \
    "template (a) cube; change (a) scale <0, {1, 0.1, 0.1}>, translate <0, {1, 0, 0}>;\n"                              \
    "template (b) cube; change (b) scale <0, {1, 0.1, 0.1}>, translate <0, {3, 0, 0}>;\n"                              \
    "template (shoulder) joint; change (shoulder) set_field <0, {\"link1\", \"base\"}>,\n"                             \
    "  set_field <0, {\"link2\", \"a\"}>, set_field <0, {\"joint_type\", BALL}>, translate <0, {0, 0, 0}>;\n"          \
    "template (elbow) joint; change (elbow) set_field <0, {\"link1\", \"a\"}>, set_field <0, {\"link2\", \"b\"}>,\n"   \
    "  set_field <0, {\"joint_type\", PIN}>, set_field <0, {\"limit_rot_z\", {-10, 60}}>, translate <0, {2, 0, 0}>;\n" \
    "template (arm) linkage; change (arm) set_field <0, {\"add_joint\", \"shoulder\"}>,\n"                             \
    "  set_field <0, {\"add_joint\", \"elbow\"}>, set_field <0, {\"root\", \"base\"}>;\n"

static void check_turns(void) {
    show s = play(ARM "change (shoulder) set_field <0, {\"joint_rotate\", {{0, 0, 1}, 0}}>\n"
                      "  <8, {\"joint_rotate\", {{0, 0, 1}, 90}}>;\n");
    check_at(&s, 0, "b", 3, 0, 0, 1e-9);
    check_at(&s, 4, "b", 3 * sqrt(0.5), 3 * sqrt(0.5), 0, 1e-9);
    check_at(&s, 8, "b", 0, 3, 0, 1e-9);
    end(&s);
    /* turns add up, in the script's order: about z, then about x */
    s = play(ARM "change (shoulder) set_field <0, {\"joint_rotate\", {{0, 0, 1}, 90}}>,\n"
                 "  set_field <1, {\"joint_rotate\", {{1, 0, 0}, 90}}>;\n");
    check_at(&s, 0.5, "b", 0, 3, 0, 1e-9);
    check_at(&s, 1, "b", 0, 0, 3, 1e-9);
    end(&s);
}

/* BAGS 4.3: past its limit a joint is only turned as far as that allows, with a warning; nothing else stops. */
static void check_clipped(void) {
    show s = play(
        ARM
        "change (elbow) set_field <0, {\"joint_rotate\", {{0, 0, 1}, 0}}> <3, {\"joint_rotate\", {{0, 0, 1}, 90}}>;\n"
        "template (ball) sphere; change (ball) translate <0, {0, 0, 0}> <3, {0, 6, 0}>;\n");
    check_at(&s, 1, "b", 2 + cos(PI / 6), sin(PI / 6), 0, 1e-9);
    CHECK_TEXT(played_warning, "");
    check_at(&s, 3, "b", 2 + cos(PI / 3), sin(PI / 3), 0, 1e-9);
    CHECK_HAS(played_warning, "elbow");
    check_at(&s, 3, "ball", 0, 6, 0, 1e-9);
    end(&s);
}

static void check_reaches(void) {
    /* the goal moves in a straight line, and the arm with it */
    show s = play(ARM "change (shoulder) set_field <0, {\"joint_reach\", {{3, 0, 0}, \"b\"}}>\n"
                      "  <2, {\"joint_reach\", {{2.2, 1.2, 1.2}, \"b\"}}>;\n");
    check_at(&s, 2, "b", 2.2, 1.2, 1.2, 1e-4);
    check_at(&s, 1, "b", 2.6, 0.6, 0.6, 1e-4);
    end(&s);
    /* a single reach for something that moves follows it; a site of the link */
    s = play(ARM "template (ball) sphere; change (ball) translate <0, {3.5, 1, 0}> <2, {3, 1.5, 1.2}>;\n"
                 "change (shoulder) set_field <0, {\"joint_reach\", {ball:_position}, \"b\", {1, 0, 0}}>;\n");
    for (int k = 0; k <= 4; k++) {
        double time = 0.5 * k, b[3], ball[3];
        where(&s, time, "b", b);
        where(&s, time, "ball", ball);
        double apart = sqrt(pow(b[0] - ball[0], 2) + pow(b[1] - ball[1], 2) + pow(b[2] - ball[2], 2));
        CHECK_NEAR(apart, 1, 1e-4); /* its end is at the ball: its middle one away */
    }
    end(&s);
    /* only the joints from where the chain starts outwards move */
    s = play(ARM "change (elbow) set_field <1, {\"joint_reach\", {{2, 1, 0}, \"b\"}}>;\n");
    check_at(&s, 0.5, "b", 3, 0, 0, 1e-9);
    check_at(&s, 1.5, "a", 1, 0, 0, 1e-9);
    check_at(&s, 1.5, "b", 2 + cos(PI / 3), sin(PI / 3), 0, 1e-4);
    end(&s);
    /* a turn, then a reach of the same joint */
    s = play(ARM "change (shoulder) set_field <1, {\"joint_rotate\", {{0, 1, 0}, 30}}>,\n"
                 "  set_field <2, {\"joint_reach\", {{0, 3, 0}, \"b\"}}>;\n");
    check_at(&s, 0.5, "b", 3, 0, 0, 1e-9);
    check_at(&s, 1.5, "b", 3 * cos(PI / 6), 0, -3 * sin(PI / 6), 1e-5);
    check_at(&s, 2.5, "b", 0, 3, 0, 1e-3);
    end(&s);
}

/* A joint that is deleted lets go; what it held stays where it is. */
static void check_linkages_change(void) {
    show s = play(ARM "change (shoulder) set_field <0, {\"joint_rotate\", {{0, 0, 1}, 0}}> <4, {\"joint_rotate\", {{0, "
                      "0, 1}, 90}}>;\n"
                      "change (arm) set_field <2, {\"delete_joint\", \"elbow\"}>;\n");
    check_at(&s, 1.99, "b", 3 * cos(1.99 * PI / 8), 3 * sin(1.99 * PI / 8), 0, 1e-6);
    check_at(&s, 4, "a", 0, 1, 0, 1e-9);
    check_at(&s, 4, "b", 3 * sqrt(0.5), 3 * sqrt(0.5), 0, 1e-6);
    end(&s);
    /* limits that close in */
    s = play(ARM "change (elbow) set_field <0, {\"limit_rot_z\", {-10, 60}}> <2, {\"limit_rot_z\", {-10, 30}}>,\n"
                 "  set_field <0, {\"joint_rotate\", {{0, 0, 1}, 60}}>;\n");
    check_at(&s, 0, "b", 2 + cos(PI / 3), sin(PI / 3), 0, 1e-6);
    check_at(&s, 1, "b", 2 + cos(PI / 4), sin(PI / 4), 0, 1e-6);
    check_at(&s, 3, "b", 2 + cos(PI / 6), sin(PI / 6), 0, 1e-6);
    end(&s);
}

static void check_groups_and_templates(void) {
    show s = play("template (one) cube; template (two) cube; change (two) translate <0, {1, 0, 0}>;\n"
                  "group (inner) two; group (outer) one, inner; change (outer) translate <0, {0, 5, 0}>;\n"
                  "template (three) two; change (three) translate <0, {0, 0, 2}>;\n");
    check_at(&s, 0, "one", 0, 5, 0, 1e-12);
    check_at(&s, 0, "three", 1, 5, 2, 1e-12);
    end(&s);
}

/* --- What is wrong -------------------------------------------------------------------------------------- */

static void check_wrong(const char *text, int line, const char *message) {
    lb_script *script = (lb_script *)&warnings;
    lb_error error;
    check_note("%s", text);
    if (CHECK(read_text(text, &script, &error) != LB_OK)) {
        CHECK(script == NULL);
        CHECK_INT(error.line, line);
        CHECK_HAS(error.message, message);
    }
    check_note("%s", "");
}

static void check_mistakes(void) {
    check_wrong("", 0, "nothing to show");
    check_wrong("tempalte (a) cube;", 1, "did you mean template?");
    check_wrong("template (a) cub;", 1, "did you mean \"cube\"?");
    check_wrong("template (a) cube;\ntemplate (a) cube;", 2, "already");
    check_wrong("template (a) cube\nchange (a) scale <0, {1, 1, 1}>;", 2, "expected `;`");
    check_wrong("template (ball) cube;\nchange (bal) scale <0, {1, 1, 1}>;", 2, "did you mean \"ball\"?");
    check_wrong("template (a) cube; change (a)\n rotat <0, {1, 1, 1}>;", 2, "did you mean \"rotate\"?");
    check_wrong("template (a) cube; change (a) scale <0, {1, 1}>;", 1, "three numbers");
    check_wrong("template (a) cube; change (a) scale <0, {1, 0, 1}>;", 1, "above 0");
    check_wrong("template (a) cube; change (a) rotate <0, {{0, 0, 0}, 90}>;", 1, "an axis and degrees");
    check_wrong("template (a) cube; change (a) translate <2, {1, 1, 1}> <1, {1, 1, 1}>;", 1, "in order");
    check_wrong("template (a) cube; change (a) translate <0, {1, 1, 1}, linaer>;", 1, "did you mean \"linear\"?");
    check_wrong("template (a) cube; change (a) translate <0, {1, 1, 1>;", 1, "expected `}`");
    check_wrong("/* never closed\n template (a) cube;", 1, "never closed");
    check_wrong("template (a) joint; change (a) set_field <0, {\"joint_tipe\", PIN}>;", 1,
                "did you mean \"joint_type\"?");
    check_wrong(ARM "change (elbow) set_field <0, {\"joint_type\", PINN}>;", 10, "did you mean PIN?");
    check_wrong(ARM "change (elbow) set_field <0, {\"joint_rotate\", {{1, 0, 0}, 90}}>;", 10, "cannot turn so");
    check_wrong(ARM "change (elbow) set_field <0, {\"joint_reach\", {bal:_position, \"b\"}}>;", 10,
                "no object \"bal\"");
    check_wrong(ARM "change (elbow) set_field <0, {\"joint_reach\", {a:_colour, \"b\"}}>;", 10, "a:_position can");
    check_wrong(ARM "change (elbow) set_field <0, {\"joint_reach\", {{1, 1, 1}, \"base\"}}>;", 10,
                "no way from the joint");
    check_wrong(ARM "change (arm) set_field <0, {\"add_joint\", \"elbwo\"}>;", 10, "did you mean \"elbow\"?");
    check_wrong("#include <nowhere.scefo>\n", 1, "cannot be read");
    check_wrong("#include <../secret.scefo>\n", 1, "below the script's own folder");
    check_wrong("template (a) cube; change (a) translate <0, {1e300, 0, 0}>;", 1, "three numbers");
    check_wrong("template (a) cube; $", 1, "does not belong here");
}

static void check_includes(void) {
    FILE *file = fopen("part.scefo", "w");
    REQUIRE(file != NULL && fputs("template (inside) sphere;\n", file) >= 0 && fclose(file) == 0);
    file = fopen("whole.scefo", "w");
    REQUIRE(file != NULL && fputs("#include \"part.scefo\"\nchange (inside) translate <0, {1, 2, 3}>;\n", file) >= 0 &&
            fclose(file) == 0);
    show s = {0};
    lb_error error;
    REQUIRE(lb_script_load("whole.scefo", NULL, &s.script, &error) == LB_OK);
    s.player = lb_player_create(lb_script_motion(s.script), NULL, NULL);
    check_at(&s, 0, "inside", 1, 2, 3, 1e-12);
    end(&s);
    file = fopen("whole.scefo", "w");
    REQUIRE(file != NULL && fputs("#include \"whole.scefo\"\n", file) >= 0 && fclose(file) == 0);
    CHECK_INT(lb_script_load("whole.scefo", NULL, &s.script, &error), LB_ERROR_SYNTAX);
    CHECK_HAS(error.message, "deep");
    CHECK_INT(lb_script_load("missing.scefo", NULL, &s.script, &error), LB_ERROR_FILE);
}

/* An arm of two links on a base, 1 m each, along y. */
#define LIMB                                                                                        \
    "template (base) cube; change (base) scale <0, {0.1, 0.1, 0.1}>;"                               \
    "template (upper) cube; change (upper) scale <0, {0.1, 0.5, 0.1}>, translate <0, {0, 0.5, 0}>;" \
    "template (lower) cube; change (lower) scale <0, {0.1, 0.5, 0.1}>, translate <0, {0, 1.5, 0}>;" \
    "template (shoulder) joint; change (shoulder) set_field <0, {\"joint_type\", PIN}>,"            \
    " set_field <0, {\"limit_rot_x\", {-170, 170}}>, set_field <0, {\"link1\", \"base\"}>,"         \
    " set_field <0, {\"link2\", \"upper\"}>, translate <0, {0, 0, 0}>;"                             \
    "template (elbow) joint; change (elbow) set_field <0, {\"joint_type\", PIN}>,"                  \
    " set_field <0, {\"limit_rot_x\", {0, 170}}>, set_field <0, {\"link1\", \"upper\"}>,"           \
    " set_field <0, {\"link2\", \"lower\"}>, translate <0, {0, 1, 0}>;"                             \
    "template (arm) linkage; change (arm) set_field <0, {\"add_joint\", \"shoulder\"}>,"            \
    " set_field <0, {\"add_joint\", \"elbow\"}>, set_field <0, {\"root\", \"base\"}>;"

/* What is done to a linkage is done to all of it: at once, and over time. */
static void check_whole_linkages(void) {
    show s = play(LIMB "change (arm) scale <0, {2, 2, 2}>, rotate <0, {{0, 0, 1}, -90}>, translate <0, {0, 0, 3}>;");
    check_at(&s, 0, "base", 0, 0, 3, 1e-9);
    check_at(&s, 0, "upper", 1, 0, 3, 1e-9);
    check_at(&s, 0, "lower", 3, 0, 3, 1e-9);
    end(&s);
    s = play(
        LIMB
        "change (arm) translate <0, {0, 0, 0}> <2, {4, 0, 0}>;"
        "change (elbow) set_field <0, {\"joint_rotate\", {{1, 0, 0}, 0}}> <2, {\"joint_rotate\", {{1, 0, 0}, 90}}>;");
    check_at(&s, 1, "base", 2, 0, 0, 1e-9);
    check_at(&s, 1, "upper", 2, 0.5, 0, 1e-9);
    check_at(&s, 2, "lower", 4, 1, 0.5, 1e-6);
    end(&s);
}

/* A reach goes over from one object that moves to another, and to a point. */
static void check_two_followed(void) {
    show s = play(LIMB "template (a) sphere; change (a) translate <0, {0, 1, 0.8}> <4, {0, 1.2, 0.8}>;"
                       "template (b) sphere; change (b) translate <0, {0, 0.6, -1}> <4, {0, 0.8, -1}>;"
                       "change (elbow) set_field <0, {\"joint_rotate\", {{1, 0, 0}, 60}}>;"
                       "change (shoulder) set_field <0.5, {\"joint_reach\", {a:_position, \"lower\", {0, 0.5, 0}}}>"
                       " <1.5, {\"joint_reach\", {a:_position, \"lower\", {0, 0.5, 0}}}>"
                       " <3, {\"joint_reach\", {b:_position, \"lower\", {0, 0.5, 0}}}>"
                       " <4, {\"joint_reach\", {{0, 1.3, 0.5}, \"lower\", {0, 0.5, 0}}}>;");
    static const double times[] = {1.4, 3, 4}, goals[][3] = {{0, 1.07, 0.8}, {0, 0.75, -1}, {0, 1.3, 0.5}};
    for (int i = 0; i < 3; i++) {
        lb_frame frame_w;
        int stage = lb_player_stage(s.player, times[i]);
        const lb_problem *problem = lb_motion_problem(lb_script_motion(s.script), stage);
        const lb_figure *figure = lb_problem_figure(problem, 0);
        lb_kinematics *k = lb_kinematics_create(figure, NULL);
        const double tip[3] = {0, 0.5, 0};
        double at[3];
        REQUIRE(lb_player_pose(s.player, times[i], s.pose, NULL) == LB_OK);
        REQUIRE(lb_kinematics_update(k, s.pose) == LB_OK);
        lb_kinematics_segment(k, lb_figure_find_segment(figure, "lower"), &frame_w);
        lb_effector effector;
        lb_effector_from_segment(figure, lb_figure_find_segment(figure, "lower"), &effector);
        memcpy(effector.point, tip, sizeof tip);
        double e[9];
        REQUIRE(lb_kinematics_effector(k, &effector, e) == LB_OK);
        at[0] = e[1], at[1] = e[2], at[2] = e[0];
        check_note("%g s: %g %g %g", times[i], at[0], at[1], at[2]);
        for (int c = 0; c < 3; c++) {
            CHECK_NEAR(at[c], goals[i][c], 2e-3);
        }
        check_note("%s", "");
        lb_kinematics_destroy(k);
    }
    end(&s);
}

/* A weight that changes: the shoulder moves at first, and then does not. */
static void check_weights(void) {
    show s = play(
        LIMB "change (elbow) set_field <0, {\"joint_rotate\", {{1, 0, 0}, 60}}>;"
             "change (shoulder) set_field <0, {\"weight\", 1}, discrete> <1, {\"weight\", 0}>,"
             " set_field <0.2, {\"joint_reach\", {{0, 1.2, 0.9}, \"lower\"}}>"
             " <1, {\"joint_reach\", {{0, 1.0, 0.9}, \"lower\"}}> <2, {\"joint_reach\", {{0, 0.6, 0.9}, \"lower\"}}>;");
    double early[3], one[3], two[3];
    where(&s, 0.2, "upper", early);
    where(&s, 1.01, "upper", one);
    where(&s, 2, "upper", two);
    CHECK(fabs(one[2] - early[2]) > 1e-3);
    CHECK_NEAR(two[1], one[1], 1e-9);
    CHECK_NEAR(two[2], one[2], 1e-9);
    end(&s);
}

/* A crane picks up a crate: a FIXED joint that is added in the middle holds it where it is at that time. */
static void check_crane(void) {
    show s = play(
        LIMB
        "template (crate) cube; change (crate) scale <0, {0.1, 0.1, 0.1}>, translate <0, {0, 0.6, 1.2}>;"
        "template (grip) joint; change (grip) set_field <0, {\"joint_type\", FIXED}>,"
        " set_field <0, {\"link1\", \"lower\"}>, set_field <0, {\"link2\", \"crate\"}>;"
        "change (arm) set_field <2, {\"add_joint\", \"grip\"}>;"
        "change (shoulder) set_field <0, {\"joint_rotate\", {{1, 0, 0}, 0}}>"
        " <2, {\"joint_rotate\", {{1, 0, 0}, 60}}> <4, {\"joint_rotate\", {{1, 0, 0}, 20}}>;"
        "change (elbow) set_field <0, {\"joint_rotate\", {{1, 0, 0}, 0}}> <2, {\"joint_rotate\", {{1, 0, 0}, 60}}>;");
    check_at(&s, 1, "crate", 0, 0.6, 1.2, 1e-9);
    check_at(&s, 1.999, "crate", 0, 0.6, 1.2, 1e-9);
    check_at(&s, 2, "crate", 0, 0.6, 1.2, 1e-9);
    /* from then on it turns about the shoulder with the arm: by -40 degrees about x at the end */
    double turn = -40 * 3.14159265358979323846 / 180;
    check_at(&s, 4, "crate", 0, 0.6 * cos(turn) - 1.2 * sin(turn), 0.6 * sin(turn) + 1.2 * cos(turn), 1e-6);
    end(&s);
}

/* Two linkages with a root each clasp hands by a joint that comes at 1 s and goes at 4 s: the first one's root holds, the second
 * is dragged along, which is said, and stays where it was dragged to. */
static void check_clasp(void) {
    show s =
        play("template (base) cube; change (base) scale <0, {0.2, 0.1, 0.2}>;"
             "template (arm) cube; change (arm) scale <0, {0.05, 0.5, 0.05}>, translate <0, {0, 0.5, 0}>;"
             "template (base2) base; change (base2) translate <0, {1.5, 0, 0}>;"
             "template (arm2) arm; change (arm2) translate <0, {1.5, 0, 0}>;"
             "template (shoulder) joint; change (shoulder) set_field <0, {\"joint_type\", PIN}>,"
             " set_field <0, {\"limit_rot_z\", {-170, 170}}>, set_field <0, {\"link1\", \"base\"}>,"
             " set_field <0, {\"link2\", \"arm\"}>, translate <0, {0, 0, 0}>,"
             " set_field <0, {\"joint_rotate\", {{0, 0, 1}, 0}}> <5, {\"joint_rotate\", {{0, 0, 1}, 150}}>;"
             "template (shoulder2) joint; change (shoulder2) set_field <0, {\"joint_type\", PIN}>,"
             " set_field <0, {\"limit_rot_z\", {-170, 170}}>, set_field <0, {\"link1\", \"base2\"}>,"
             " set_field <0, {\"link2\", \"arm2\"}>, translate <0, {1.5, 0, 0}>;"
             "template (grip) joint; change (grip) set_field <0, {\"joint_type\", BALL}>,"
             " set_field <0, {\"link1\", \"arm\"}>, set_field <0, {\"link2\", \"arm2\"}>, translate <0, {0, 1, 0}>;"
             "template (one) linkage; change (one) set_field <0, {\"root\", \"base\"}>,"
             " set_field <0, {\"add_joint\", \"shoulder\"}>, set_field <1, {\"add_joint\", \"grip\"}>,"
             " set_field <4, {\"delete_joint\", \"grip\"}>;"
             "template (two) linkage; change (two) set_field <0, {\"root\", \"base2\"}>,"
             " set_field <0, {\"add_joint\", \"shoulder2\"}>;");
    CHECK_INT(warnings, 1);
    CHECK_HAS(last_warning,
              "from 1 s on \"two\" hangs on \"base\", which is the root of \"one\": its own root \"base2\" does "
              "not hold");
    check_at(&s, 1, "base2", 1.5, 0, 0, 1e-9); /* although the hands did not meet then */
    double before[3], at[3], after[3];
    where(&s, 4 - 700 / 705600000.0, "base2", before);
    where(&s, 4, "base2", at);
    where(&s, 5, "base2", after);
    CHECK(fabs(at[0] - 1.5) + fabs(at[1]) > 0.5);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(at[i], before[i], 1e-5); /* it moved until then */
        CHECK_NEAR(after[i], at[i], 1e-12);
    }
    end(&s);
}

/* What breaks off goes on from where it is: shifted and turned by as much as its own operations say. */
static void check_falling(void) {
    show s = play(LIMB "change (arm) set_field <1, {\"delete_joint\", \"elbow\"}>;"
                       "change (shoulder) set_field <0, {\"joint_rotate\", {{1, 0, 0}, 0}}>"
                       " <1, {\"joint_rotate\", {{1, 0, 0}, 60}}>;"
                       "change (lower) translate <1, {0, 0, 0}> <2, {0, -0.5, 0}>;");
    double at[3];
    where(&s, 1, "lower", at);
    CHECK(at[2] > 0.5); /* not where it was at 0 */
    check_at(&s, 2, "lower", at[0], at[1] - 0.5, at[2], 1e-9);
    end(&s);
}

/* Two reaches that cannot both be met: the one of higher priority is. */
static void check_priorities(void) {
    for (int k = 0; k < 2; k++) {
        char text[4096];
        double lower[3];
        snprintf(text, sizeof text,
                 LIMB "change (elbow) set_field <0, {\"joint_rotate\", {{1, 0, 0}, 60}}>;"
                      "change (shoulder) set_field <0, {\"priority\", %d}>,"
                      " set_field <0.2, {\"joint_reach\", {{0, 0.8, 0.9}, \"lower\"}}>;"
                      "change (elbow) set_field <0, {\"priority\", %d}>,"
                      " set_field <0.2, {\"joint_reach\", {{0, 3, 0}, \"lower\"}}>;",
                 k, 1 - k);
        show s = play(text);
        where(&s, 1, "lower", lower);
        double off = fabs(lower[1] - 0.8) + fabs(lower[2] - 0.9);
        check_note("%d: %g", k, off);
        CHECK(k == 0 ? off < 1e-3 : off > 1e-2);
        check_note("%s", "");
        end(&s);
    }
    lb_script *script;
    lb_error error;
    CHECK_INT(read_text(LIMB "change (shoulder) set_field <0, {\"priority\", -1}>,"
                             " set_field <0, {\"joint_reach\", {{0, 1, 1}, \"lower\"}}>;",
                        &script, &error),
              LB_ERROR_SYNTAX);
    CHECK_HAS(error.message, "priority");
}

/* A reach of three links by the method that its joint names: every one gets there, and the answers differ. */
static void check_methods(void) {
    static const char *const names[] = {"lm", "bfgs", "ccd", "fabrik", "hierarchy"};
    double uppers[5][3];
    for (int k = 0; k < 5; k++) {
        char text[4096];
        snprintf(
            text, sizeof text,
            LIMB
            "template (hand) cube; change (hand) scale <0, {0.1, 0.2, 0.1}>, translate <0, {0, 2.2, 0}>;"
            "template (wrist) joint; change (wrist) set_field <0, {\"joint_type\", BALL}>,"
            " set_field <0, {\"link1\", \"lower\"}>, set_field <0, {\"link2\", \"hand\"}>, translate <0, {0, 2, 0}>;"
            "change (arm) set_field <0, {\"add_joint\", \"wrist\"}>;"
            "change (elbow) set_field <0, {\"joint_rotate\", {{1, 0, 0}, 60}}>;"
            "change (shoulder) set_field <0, {\"method\", \"%s\"}>,"
            " set_field <0.2, {\"joint_reach\", {{0, 0.8, 1.1}, \"hand\"}}>;",
            names[k]);
        show s = play(text);
        check_note("%s", names[k]);
        check_at(&s, 1, "hand", 0, 0.8, 1.1, 2e-3);
        where(&s, 1, "upper", uppers[k]);
        for (int other = 0; other < k; other++) {
            check_note("%s, %s", names[k], names[other]);
            CHECK(fabs(uppers[k][1] - uppers[other][1]) + fabs(uppers[k][2] - uppers[other][2]) > 1e-5);
        }
        check_note("%s", "");
        end(&s);
    }
    check_wrong(LIMB "change (shoulder) set_field <0, {\"method\", \"cdd\"}>,\n"
                     " set_field <0, {\"joint_reach\", {{0, 1, 1}, \"lower\"}}>;",
                1, "there is no method \"cdd\"; did you mean \"ccd\"?");
    check_wrong(LIMB "change (shoulder) set_field <0, {\"method\", \"ccd\"}>,"
                     " set_field <1, {\"joint_reach\", {{0, 1, 1}, \"lower\"}}>;\n"
                     "change (elbow) set_field <1, {\"joint_reach\", {{0, 1, 1}, \"lower\"}}>;",
                2, "two reaches begin at 1 s, and their joints name different methods");
    /* of reaches that begin one after the other the last decides */
    show s = play(LIMB "change (elbow) set_field <0, {\"joint_rotate\", {{1, 0, 0}, 60}}>;"
                       "change (shoulder) set_field <0, {\"method\", \"ccd\"}>,"
                       " set_field <0.2, {\"joint_reach\", {{0, 1.2, 0.9}, \"lower\"}}>;"
                       "change (elbow) set_field <1, {\"joint_reach\", {{0, 1.2, 0.9}, \"lower\"}}>;");
    check_at(&s, 2, "lower", 0, 1.2, 0.9, 2e-3);
    end(&s);
}

int main(void) {
    check_as_printed();
    check_whole_linkages();
    check_two_followed();
    check_weights();
    check_priorities();
    check_methods();
    check_crane();
    check_clasp();
    check_falling();
    check_corrected();
    check_objects();
    check_turns();
    check_clipped();
    check_reaches();
    check_linkages_change();
    check_groups_and_templates();
    check_mistakes();
    check_includes();
    return check_done();
}
