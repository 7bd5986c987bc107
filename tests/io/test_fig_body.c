/* The body of .fig files: every statement, every message; writing and reading back changes no bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "limber/io.h"
#include "same_figure.h"

#define DEG (3.14159265358979323846 / 180)

/* A figure with a variable of every kind, to which a body is added in line 10. */
static char *figure_with(const char *body, char *text, size_t size) {
    snprintf(text, size,
             "figure man {\n"
             "segment trunk { mass = 40kg; site base; site neck = trans(0cm, 0cm, 50cm); }\n"
             "segment head { mass = 4kg; site base; site gaze = trans(8cm, 0cm, 10cm); }\n"
             "segment arm { mass = 3kg; site top; site palm = trans(0cm, 0cm, -60cm); }\n"
             "segment leg { mass = 9kg; site top; site sole = trans(0cm, 0cm, -90cm); }\n"
             "joint neck { connect trunk.neck to head.base; type = R(y)*R(z); names = (nod, turn); llimit = (-1, -1); "
             "ulimit = (1, 1); }\n"
             "joint shoulder { connect trunk.neck to arm.top; type = R(y); names = (flexion); }\n"
             "joint hip { connect trunk.base to leg.top; type = R(y)*T(z); names = (flexion, stretch); }\n"
             "group will { parameter bend { rest = 2deg; } drive neck.nod = 0.5 * bend; }\n"
             "%s\n"
             "root = trunk.base free;\n"
             "}\n",
             body);
    return text;
}

static lb_figure *read_text(const char *text, lb_error *error) {
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_load_options_defaults(&options);
    options.format = LB_FORMAT_FIG;
    lb_figure_load_memory(text, strlen(text), "test.fig", &options, &figure, error);
    return figure;
}

static lb_figure *must_read(const char *text) {
    lb_error error;
    lb_figure *figure = read_text(text, &error);
    if (!figure) {
        check_note("%s:%d: %s", error.file, error.line, error.message);
    }
    REQUIRE(figure != NULL);
    return figure;
}

static const char RICH[] =
    "body {\n"
    "    start crouch { root.z = -20cm; hip.flexion = 30deg; hip.stretch = 1mm; will.bend = 0.25; shoulder = -5deg; }\n"
    "    posture root.x = 0.3;;  posture root.rz = 2 comfort 1;\n"
    "    posture shoulder.flexion = 0.22 huber 20deg comfort 0.8;\n"
    "    posture hip.stretch = 0.5 huber 3cm;  posture hip.flexion = 0 huber 0.25 comfort 0.5;\n"
    "    posture will.bend = 0.75;\n"
    "    solid chest = capsule(trunk, (1cm, -5cm, 30cm), (1cm, 5cm, 30cm), 10cm);\n"
    "    solid \"the leg\" = capsule(leg, (0, 0, 0), (0cm, 0mm, -0.9m), 0.05);\n"
    "    contact sole = heel(leg, (0cm, 0cm, -90cm)) limb 0;\n"
    "    contact back = seat(trunk, (-1cm, 0cm, 0cm));  contact hand = palm(arm, (0cm, 0cm, -60cm)) limb 7;\n"
    "    strength hip = 190.5 of leg;  strength neck = 30 of head;\n"
    "    ease bow: hip.flexion - 0.5 * will.bend <= 40deg weight 1.25;\n"
    "    ease reach: shoulder >= -30deg weight 2;\n"
    "    ease tie: 2 * hip.stretch <= 3cm weight 1;  ease mixed: root.z + shoulder <= 0.5 weight 0;\n"
    "    arm right { limb = 2; shoulder = arm; hand = arm; palm = arm.palm; lap = leg (7cm, 0cm, -20cm); }\n"
    "    arm other { hand = arm; shoulder = arm; }\n"
    "    head = head;  gaze = head.gaze;  eyes = (head, trunk);\n"
    "    start rest { }\n"
    "}";

static void check_variables(const lb_figure *figure, const lb_body *body) {
    const struct {
        const char *name;
        double weight, huber, comfort;
    } wanted[] = {{"root.x", 0.3, 0, 0},         {"root.y", 0, 0, 0},
                  {"root.rz", 2, 0, 1},          {"shoulder", 0.22, 20 * DEG, 0.8},
                  {"hip.stretch", 0.5, 0.03, 0}, {"hip.flexion", 0, 0.25, 0.5},
                  {"will.bend", 0.75, 0, 0},     {"neck.turn", 0, 0, 0}};
    CHECK_INT(body->variable_count, lb_figure_variable_count(figure));
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        int variable = lb_figure_find_variable(figure, wanted[i].name);
        check_note("%s", wanted[i].name);
        REQUIRE(variable >= 0);
        CHECK_NEAR(body->variables[variable].weight, wanted[i].weight, 0);
        CHECK_NEAR(body->variables[variable].huber, wanted[i].huber, 1e-15);
        CHECK_NEAR(body->variables[variable].comfort, wanted[i].comfort, 0);
    }
    check_note("%s", "");
}

static void check_touching(const lb_figure *figure, const lb_body *body) {
    REQUIRE(body->solid_count == 2 && body->contact_count == 3 && body->strength_count == 2);
    const lb_body_solid *solid = &body->solids[0];
    CHECK_TEXT(solid->name, "chest");
    CHECK_INT(solid->segment, lb_figure_find_segment(figure, "trunk"));
    CHECK_NEAR(solid->from[1], -0.05, 0);
    CHECK_NEAR(solid->to[2], 0.3, 0);
    CHECK_NEAR(solid->radius, 0.1, 0);
    CHECK_TEXT(body->solids[1].name, "the leg");
    const lb_body_contact *contact = body->contacts;
    CHECK_INT(contact[0].kind, LB_CONTACT_HEEL);
    CHECK_INT(contact[0].limb, 0);
    CHECK_INT(contact[0].segment, lb_figure_find_segment(figure, "leg"));
    CHECK_NEAR(contact[0].point[2], -0.9, 0);
    CHECK_INT(contact[1].kind, LB_CONTACT_SEAT);
    CHECK_INT(contact[1].limb, -1);
    CHECK_INT(contact[2].kind, LB_CONTACT_PALM);
    CHECK_INT(contact[2].limb, 7);
    CHECK_NEAR(body->strengths[0].moment, 190.5, 0);
    CHECK_INT(body->strengths[1].segment, lb_figure_find_segment(figure, "head"));
}

static void check_sums(const lb_figure *figure, const lb_body *body) {
    REQUIRE(body->ease_count == 4 && body->start_count == 2);
    const lb_body_ease *ease = body->eases;
    CHECK_INT(ease[0].count, 2);
    CHECK_INT(ease[0].variables[1], lb_figure_find_variable(figure, "will.bend"));
    CHECK_NEAR(ease[0].coefficients[1], -0.5, 0);
    CHECK_NEAR(ease[0].bound, 40 * DEG, 1e-15);
    CHECK_NEAR(ease[0].weight, 1.25, 0);
    CHECK_NEAR(ease[1].coefficients[0], -1, 0); /* >= is turned round */
    CHECK_NEAR(ease[1].bound, 30 * DEG, 1e-15);
    CHECK_NEAR(ease[2].bound, 0.03, 0);
    CHECK_NEAR(ease[3].bound, 0.5, 0);
    CHECK_TEXT(body->starts[0].name, "crouch");
    REQUIRE(body->starts[0].count == 5);
    CHECK_INT(body->starts[0].variables[0], lb_figure_find_variable(figure, "root.z"));
    CHECK_NEAR(body->starts[0].values[0], -0.2, 0);
    CHECK_NEAR(body->starts[0].values[3], 0.25, 0);
    CHECK_INT(body->starts[1].count, 0);
}

static void test_rich(void) {
    char text[4000];
    lb_figure *figure = must_read(figure_with(RICH, text, sizeof text));
    const lb_body *body = lb_figure_body(figure);
    REQUIRE(body != NULL);
    check_variables(figure, body);
    check_touching(figure, body);
    check_sums(figure, body);
    REQUIRE(body->arm_count == 2 && body->eye_count == 2);
    CHECK_INT(body->arms[0].limb, 2);
    CHECK_INT(body->arms[0].palm, lb_figure_find_site(figure, "arm.palm"));
    CHECK_INT(body->arms[0].lap, lb_figure_find_segment(figure, "leg"));
    CHECK_NEAR(body->arms[0].lap_point[2], -0.2, 0);
    CHECK_INT(body->arms[1].limb, -1);
    CHECK_INT(body->arms[1].palm, -1);
    CHECK_INT(body->arms[1].lap, -1);
    CHECK_INT(body->head, lb_figure_find_segment(figure, "head"));
    CHECK_INT(body->gaze, lb_figure_find_site(figure, "gaze"));
    CHECK_INT(body->eyes[1], lb_figure_find_segment(figure, "trunk"));
    lb_figure_destroy(figure);
}

static void check_round_trip(const lb_figure *figure) {
    char *text = NULL, *second = NULL;
    lb_error error;
    REQUIRE(lb_figure_save_memory(figure, NULL, &text, NULL, &error) == LB_OK);
    lb_figure *again = must_read(text);
    CHECK(same_figure(figure, again));
    REQUIRE(lb_figure_save_memory(again, NULL, &second, NULL, &error) == LB_OK);
    CHECK_TEXT(second, text);
    lb_text_free(second);
    lb_text_free(text);
    lb_figure_destroy(again);
}

static void test_round_trip(void) {
    char text[4000];
    static const char *const bodies[] = {RICH, "body { }", "", "body { posture root.x = 0.1; eyes = (head); }"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        lb_figure *figure = must_read(figure_with(bodies[i], text, sizeof text));
        CHECK((lb_figure_body(figure) != NULL) == (bodies[i][0] != 0));
        check_round_trip(figure);
        lb_builder *builder = lb_builder_from(figure, NULL); /* numbers that no one writes by hand */
        lb_figure *scaled = NULL;
        REQUIRE(builder && lb_builder_scale(builder, 0.87654321, 1.1) == LB_OK);
        REQUIRE(lb_builder_finish(builder, &scaled) == LB_OK);
        lb_builder_destroy(builder);
        check_round_trip(scaled);
        lb_figure_destroy(scaled);
        lb_figure_destroy(figure);
    }
}

/* What is wrong with each, and in which line. */
static const struct {
    const char *text;
    int line;
    const char *message;
} BAD[] = {
    {"body { } body { }", 10, "`body` is given twice"},
    {"boddy { }", 10, "did you mean `body`?"},
    {"body posture", 10, "expected `{`"},
    {"body {\n postur root.x = 1; }", 11, "unknown `postur` in a body; did you mean `posture`?"},
    {"body {\n 12; }", 11, "expected one of posture solid contact strength ease arm start head gaze eyes in a body"},
    {"body { posture root.x = 1", 11, "expected `;` after the posture, found `root`"},
    /* variables */
    {"body {\n posture = 1; }", 11, "expected the name of a variable"},
    {"body {\n posture shouldr = 1; }", 11, "there is no joint `shouldr`; did you mean `shoulder`?"},
    {"body { posture neck = 1; }", 10, "joint `neck` has 2 dofs; say which, e.g. `neck.nod`"},
    {"body { posture neck.nod = 1; }", 10, "`neck.nod` is driven or frozen, so it is no variable"},
    {"body { posture will.bent = 1; }", 10, "there is no parameter of group `will` named `bent`; did you mean `bend`?"},
    {"body { posture root.w = 1; }", 10, "there is no variable `root.w`; the root has x y z rx ry rz"},
    {"body { posture root.x = -1; }", 10, "the weight of a posture must not be negative"},
    {"body { posture root.x = 1cm; }", 10, "the weight of a posture wants a number without a unit"},
    {"body { posture root.x = 1 hubert 2; }", 10, "expected `;` after the posture, found `hubert`"},
    {"body { posture root.x = 1 huber 2deg; }", 10, "2deg is an angle; this variable wants a length"},
    {"body { posture root.rx = 1 huber 2mm; }", 10, "2mm is a length; this variable wants an angle"},
    {"body { posture root.x = 1 huber 0; }", 10, "the distance after `huber` must be above 0"},
    {"body { posture root.x = 1 comfort -2; }", 10, "the weight of comfort must not be negative"},
    {"body { posture root.x = 1;\n posture root.x = 1; }", 11,
     "the posture of `root.x` is given twice (first in line 10)"},
    {"body { posture shoulder = 1;\n posture shoulder.flexion = 1; }", 11, "the posture of `shoulder` is given twice"},
    /* solids and contacts */
    {"body { solid a = box(trunk, (0, 0, 0), (1, 1, 1), 1); }", 10, "expected one of capsule in a solid"},
    {"body { solid a = capsul(trunk, (0, 0, 0), (1, 1, 1), 1); }", 10, "did you mean `capsule`?"},
    {"body { solid a = capsule(trunc, (0, 0, 0), (1, 1, 1), 1); }", 10,
     "there is no segment `trunc`; did you mean `trunk`?"},
    {"body { solid a = capsule(trunk, (0, 0, 0), (1, 1, 1deg), 1); }", 10, "the end of a capsule wants a length"},
    {"body { solid a = capsule(trunk, (0, 0, 0), (1, 1, 1), -1cm); }", 10, "must not be negative"},
    {"body { solid a = capsule(trunk, (0, 0, 0), (1, 1, 1), 1);\n solid a = capsule(leg, (0, 0, 0), (1, 1, 1), 1); }",
     11, "there are two solids named `a`; rename one"},
    {"body { contact a = hel(leg, (0, 0, 0)); }", 10, "unknown `hel` in a kind of contact; did you mean `heel`?"},
    {"body { contact a = heel(legs, (0, 0, 0)); }", 10, "there is no segment `legs`; did you mean `leg`?"},
    {"body { contact a = heel(leg, (0, 0, 0)) limb 8; }", 10, "limbs have whole numbers from 0 to 7"},
    {"body { contact a = heel(leg, (0, 0, 0)) limb 1.5; }", 10, "limbs have whole numbers from 0 to 7"},
    {"body { contact a = heel(leg, (0, 0, 0)) limb -1; }", 10, "limbs have whole numbers from 0 to 7"},
    {"body { contact a = heel(leg, (0, 0, 0)) limp 1; }", 10, "expected `;` after the contact, found `limp`"},
    {"body { contact a = heel(leg, (0, 0, 0)); contact a = ball(leg, (0, 0, 0)); }", 10, "two contacts named `a`"},
    /* strengths */
    {"body { strength a = 0 of leg; }", 10, "a strength must be above 0"},
    {"body { strength a = -3 of leg; }", 10, "a strength must not be negative"},
    {"body { strength a = 3kg of leg; }", 10, "a strength wants a number without a unit"},
    {"body { strength a = 3 leg; }", 10, "expected `of`"},
    {"body { strength a = 3 of lag; }", 10, "there is no segment `lag`; did you mean `leg`?"},
    {"body { strength a = 3 of leg; strength a = 3 of arm; }", 10, "two strengths named `a`"},
    /* eases */
    {"body { ease: shoulder <= 1 weight 1; }", 10, "expected the ease's name"},
    {"body { ease a: shoulder = 1 weight 1; }", 10, "expected `<=` or `>=`"},
    {"body { ease a: shoulder + 1 <= 1 weight 1; }", 10, "an ease has its number on the right side only"},
    {"body { ease a: spline(shoulder, (0, 0), (1, 1)) <= 1 weight 1; }", 10, "an ease is linear"},
    {"body { ease a: shoulder <= 1cm weight 1; }", 10, "1cm is a length; an ease of angles wants an angle"},
    {"body { ease a: hip.stretch <= 1deg weight 1; }", 10, "1deg is an angle; an ease of lengths wants a length"},
    {"body { ease a: 2cm * shoulder <= 1 weight 1; }", 10, "a factor wants a number"},
    {"body { ease a: shoulder <= 1; }", 10, "expected `weight`"},
    {"body { ease a: shoulder <= 1 weight -1; }", 10, "the weight of an ease must not be negative"},
    {"body { ease a: neck.nod <= 1 weight 1; }", 10, "is driven or frozen"},
    {"body { ease a: shoulder <= 1 weight 1; ease a: shoulder <= 2 weight 1; }", 10, "two eases named `a`"},
    /* arms */
    {"body { arm a { hand = arm; } }", 10, "arm `a` has no shoulder; add `shoulder = segment;`"},
    {"body { arm a { shoulder = arm; } }", 10, "arm `a` has no hand; add `hand = segment;`"},
    {"body { arm a { shoulder = arm; shoulder = arm; } }", 10, "`shoulder` is given twice"},
    {"body { arm a { elbow = arm; } }", 10, "expected one of limb shoulder hand palm lap in an arm"},
    {"body { arm a { limb = 9; } }", 10, "limbs have whole numbers"},
    {"body { arm a { shoulder = arm; hand = arm; palm = arm; } }", 10,
     "`arm` is a segment; a site is wanted here: arm.site"},
    {"body { arm a { shoulder = arm; hand = arm; palm = arm.plam; } }", 10, "did you mean `palm`?"},
    {"body { arm a { shoulder = arm; hand = arm; lap = leg; } }", 10, "expected `(`"},
    {"body { arm a { shoulder = arm; hand = arm; } arm a { shoulder = arm; hand = arm; } }", 10, "two arms named `a`"},
    {"body { arm a { hand = arm;", 11, "expected one of limb shoulder hand palm lap in an arm"},
    /* starts */
    {"body { start a { root.z = 1deg; } }", 10, "1deg is an angle; this variable wants a length"},
    {"body { start a { shoulder = 1mm; } }", 10, "1mm is a length; this variable wants an angle"},
    {"body { start a { shoulder = 1; shoulder.flexion = 2; } }", 10, "start `a` sets `shoulder` twice; keep one"},
    {"body { start a { knee = 1; } }", 10, "there is no joint `knee`"},
    {"body { start a { } start a { } }", 10, "two starts named `a`"},
    {"body { start a { shoulder = 1 }", 10, "expected `;` after the value"},
    /* looking */
    {"body { head = haed; }", 10, "did you mean `head`?"},
    {"body { head = head; head = head; }", 10, "`head` is given twice"},
    {"body { gaze = head; }", 10, "`head` is a segment; a site is wanted here"},
    {"body { gaze = head.gaz; }", 10, "did you mean `gaze`?"},
    {"body { eyes = head; }", 10, "expected `(`"},
    {"body { eyes = (); }", 10, "expected the name of a segment"},
    {"body { eyes = (head, haed); }", 10, "did you mean `head`?"},
    {"body { eyes = (head); eyes = (head); }", 10, "`eyes` is given twice"},
};

static void test_messages(void) {
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        char text[3000];
        lb_error error;
        memset(&error, 0, sizeof error);
        lb_figure *figure = read_text(figure_with(BAD[i].text, text, sizeof text), &error);
        check_note("%s -> %d: %s", BAD[i].text, error.line, error.message);
        CHECK(figure == NULL);
        CHECK(error.status < 0);
        CHECK_INT(error.line, BAD[i].line);
        CHECK_HAS(error.message, BAD[i].message);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

static void test_fixed_root(void) {
    lb_error error;
    lb_figure *figure = read_text("figure f { segment a { } body { posture root.x = 1; } }", &error);
    CHECK(figure == NULL);
    CHECK_HAS(error.message, "there is no variable `root.x`: the root is not `free`");
}

/* More parts than a body may have, of every kind. */
static void test_too_many(void) {
    static const char *const parts[] = {"solid s%d = capsule(a, (0, 0, 0), (0, 0, 1), 1);",
                                        "contact s%d = heel(a, (0, 0, 0));",
                                        "strength s%d = 1 of a;",
                                        "ease s%d: root.x <= 1 weight 1;",
                                        "arm s%d { shoulder = a; hand = a; }",
                                        "start s%d { }"};
    size_t size = 70 * (LB_BODY_PARTS + 2);
    char *text = malloc(size);
    REQUIRE(text != NULL);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        for (int more = 0; more < 2; more++) {
            size_t used = (size_t)sprintf(text, "figure f { segment a { } root = a free; body {\n");
            for (int i = 0; i < LB_BODY_PARTS + more; i++) {
                used += (size_t)sprintf(text + used, parts[k], i);
            }
            sprintf(text + used, "} }");
            lb_error error;
            lb_figure *figure = read_text(text, &error);
            check_note("%s", parts[k]);
            CHECK((figure == NULL) == more);
            if (!figure) {
                CHECK_INT(error.status, LB_ERROR_TOO_LARGE);
            }
            lb_figure_destroy(figure);
        }
    }
    check_note("%s", "");
    free(text);
}

/* Every beginning of a file, and every byte of it replaced: no failure without a reason. */
static void test_broken(void) {
    static const char patches[] = {0,   ' ', '{', '}', '(',  ')',  ';', '-',
                                   '9', '.', '*', '"', '\\', '\n', 'e', (char)0xFF};
    char text[4000], copy[4000];
    figure_with(RICH, text, sizeof text);
    size_t size = strlen(text);
    for (size_t i = 0; i < 2 * size; i++) {
        lb_figure *figure = NULL;
        lb_error error;
        lb_load_options options;
        lb_load_options_defaults(&options);
        options.format = LB_FORMAT_FIG;
        memcpy(copy, text, size);
        copy[i % size] = i < size ? copy[i] : patches[i % sizeof patches];
        size_t length = i < size ? i : size;
        lb_status status = lb_figure_load_memory(copy, length, "x.fig", &options, &figure, &error);
        CHECK((status == LB_OK) == (figure != NULL) && (status == LB_OK || error.message[0] != 0));
        lb_figure_destroy(figure);
    }
}

int main(void) {
    test_rich();
    test_round_trip();
    test_messages();
    test_fixed_root();
    test_too_many();
    test_broken();
    return check_done();
}
