/* What a body meets, in problem files: surfaces of any direction, feet on them, obstacles, swivels; what is refused, and that
 * what is written reads back as the same. */
#include "check.h"
#include "problem_text.h"

#include <limber/body.h>
#include <limber/io.h>
#include <math.h>
#include <string.h>

/* A file of the human figure with this body. */
static lb_problem_file *load_body(const char *body) {
    char text[4000];
    snprintf(text, sizeof text, "{\"figure\": \"human\", \"body\": %s}", body);
    return load_text(text);
}

static const lb_body_options *options_of(lb_problem_file *file) {
    const lb_body_options *options = lb_problem_body(lb_problem_file_problem(file), 0);
    REQUIRE(options);
    return options;
}

static const char *contact_name(lb_problem_file *file, int contact) {
    return lb_figure_body(lb_problem_figure(lb_problem_file_problem(file), 0))->contacts[contact].name;
}

static void test_surfaces(void) {
    lb_problem_file *file = load_body("{\"surfaces\": [{\"name\": \"wall\", \"point\": [0.7, 0, 1.2], \"half_size\": "
                                      "[1, \"120cm\"], \"normal\": [-2, 0, 0],"
                                      " \"along\": [0, 1, 1], \"thickness\": \"10cm\"}, {\"name\": \"seat\", "
                                      "\"point\": [0, 0, 0.45]}], \"friction\": 0.3,"
                                      " \"props\": false}");
    const lb_body_options *o = options_of(file);
    CHECK_INT(o->surface_count, 2);
    CHECK(o->surfaces[0].normal[0] == -2 && o->surfaces[0].along[1] == 1 && o->surfaces[0].along[2] == 1);
    CHECK(o->surfaces[0].thickness == 0.1 && o->surfaces[0].half_size[1] == 1.2);
    CHECK(o->surfaces[1].normal[2] == 0 && o->surfaces[1].thickness == 0);
    CHECK_NEAR(o->friction, 0.3, 0);
    CHECK_INT(o->props, 0);
    lb_problem_file_destroy(file);
    file = load_body("{}");
    CHECK_INT(options_of(file)->props, 1);
    CHECK_NEAR(options_of(file)->friction, 0.5, 0);
    lb_problem_file_destroy(file);
}

/* A foot stands on a surface by `foot`, or by `supports`; either is a support of its heel. */
static void test_feet(void) {
    static const char *const bodies[] = {
        "{\"foot\": {\"left\": \"step:box\"}, %s}",
        "{\"foot\": {\"left\": \"step\"}, \"supports\": {\"left_foot\": \"box\"}, %s}",
        "{\"foot\": {\"left\": \"step\"}, \"supports\": {\"left_heel\": \"box\"}, %s}"};
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        char text[1000];
        snprintf(text, sizeof text, bodies[k], "\"surfaces\": [{\"name\": \"box\", \"point\": [0.3, 0, 0.2]}]");
        lb_problem_file *file = load_body(text);
        const lb_body_options *o = options_of(file);
        check_note("%s", text);
        CHECK_INT(o->feet_modes[1], LB_FOOT_MODE_STEP);
        CHECK_INT(o->support_count, 1);
        CHECK_TEXT(contact_name(file, o->supports[0].contact), "left_heel");
        CHECK_INT(o->supports[0].surface, 0);
        lb_problem_file_destroy(file);
    }
    check_note("%s", "");
}

static void test_obstacles(void) {
    lb_problem_file *file = load_body(
        "{\"obstacles\": [{\"kind\": \"box\", \"name\": \"crate\", \"point\": [0.6, 0, 0.35], \"half_size\": [0.3, "
        "\"50cm\", null], \"rpy\": [0, 0, \"90deg\"]}, {\"kind\": \"capsule\", \"point\": [0, 0, 1], \"to\": [0, 1, "
        "1], \"radius\": \"3cm\"}, {\"kind\": \"sphere\", \"point\": [1, 2, 3], \"radius\": 0.1}]}");
    const lb_body_options *o = options_of(file);
    CHECK_INT(o->obstacle_count, 3);
    CHECK_TEXT(o->obstacles[0].name, "crate");
    CHECK_INT(o->obstacles[0].kind, LB_SHAPE_BOX);
    CHECK(o->obstacles[0].half_size[1] == 0.5 && isinf(o->obstacles[0].half_size[2]));
    CHECK_NEAR(o->obstacles[0].rotation[2], sqrt(0.5), 1e-12);
    CHECK_INT(o->obstacles[1].kind, LB_SHAPE_CAPSULE);
    CHECK(o->obstacles[1].to[1] == 1 && o->obstacles[1].radius == 0.03);
    CHECK_INT(o->obstacles[2].kind, LB_SHAPE_SPHERE);
    CHECK(o->obstacles[2].point[2] == 3 && o->obstacles[2].radius == 0.1);
    lb_problem_file_destroy(file);
}

static void test_swivels(void) {
    lb_problem_file *file =
        load_body("{\"swivels\": {\"right_elbow\": \"out\", \"left_elbow\": \"out\", \"left_knee\": [0, 2, 0], "
                  "\"right_knee\": {\"direction\": [1, 0, 0], \"segment\": \"pelvis\"}}}");
    const lb_body_options *o = options_of(file);
    const lb_figure *f = lb_problem_figure(lb_problem_file_problem(file), 0);
    const int pelvis = lb_figure_find_segment(f, "pelvis");
    CHECK_INT(o->swivel_count, 4);
    CHECK_INT(o->swivels[0].upper, lb_figure_find_segment(f, "right_upper_arm"));
    CHECK_INT(o->swivels[0].middle, lb_figure_find_segment(f, "right_forearm"));
    CHECK_INT(o->swivels[0].lower, lb_figure_find_segment(f, "right_hand"));
    CHECK_INT(o->swivels[0].segment, pelvis);
    CHECK(o->swivels[0].direction[1] < 0 && o->swivels[1].direction[1] > 0);
    CHECK_INT(o->swivels[2].lower, lb_figure_find_segment(f, "left_foot"));
    CHECK_INT(o->swivels[2].segment, -1);
    CHECK(o->swivels[2].direction[1] == 2);
    CHECK_INT(o->swivels[3].segment, pelvis);
    lb_problem_file_destroy(file);
}

static void test_refused(void) {
    static const struct {
        const char *body;
        lb_status status;
        const char *says;
    } cases[] = {
        {"{\"friction\": -1}", LB_ERROR_ARGUMENT, "body.friction: must be at least 0"},
        {"{\"surfaces\": [{\"name\": \"a\", \"point\": [0, 0, 0], \"thickness\": -1}]}", LB_ERROR_ARGUMENT,
         "at least 0"},
        {"{\"surfaces\": [{\"name\": \"a\", \"point\": [0, 0, 0], \"normal\": [1, 0, 0], \"along\": [2, 0, 0]}]}",
         LB_ERROR_ARGUMENT, "one line"},
        {"{\"foot\": {\"left\": \"step:box\"}}", LB_ERROR_NAME, "there is no surface `box`"},
        {"{\"foot\": {\"left\": \"stp:floor\"}}", LB_ERROR_NAME, "did you mean `step`?"},
        {"{\"foot\": {\"left\": \"lifted:floor\"}}", LB_ERROR_SYNTAX, "stands on nothing"},
        {"{\"foot\": {\"left\": \"step:floor\"}, \"supports\": {\"left_foot\": \"floor\"}}", LB_ERROR_SYNTAX, "twice"},
        {"{\"supports\": {\"hind_foot\": \"floor\"}}", LB_ERROR_NAME, "has no contact `hind_foot`"},
        {"{\"obstacles\": {}}", LB_ERROR_SYNTAX, "a list [...] was expected"},
        {"{\"obstacles\": [{\"point\": [0, 0, 0]}]}", LB_ERROR_SYNTAX,
         "body.obstacles[0]: an obstacle needs its `kind`"},
        {"{\"obstacles\": [{\"kind\": \"bx\"}]}", LB_ERROR_NAME, "did you mean `box`?"},
        {"{\"obstacles\": [{\"kind\": \"sphere\", \"point\": [0, 0, 0]}]}", LB_ERROR_SYNTAX, "a `radius` above 0"},
        {"{\"obstacles\": [{\"kind\": \"capsule\", \"point\": [0, 0, 0], \"radius\": 1}]}", LB_ERROR_SYNTAX, "`to`"},
        {"{\"obstacles\": [{\"kind\": \"box\", \"point\": [0, 0, 0]}]}", LB_ERROR_SYNTAX, "its `half_size`"},
        {"{\"obstacles\": [{\"kind\": \"box\", \"point\": [0, 0, 0], \"half_size\": [1, 1]}]}", LB_ERROR_SYNTAX,
         "3 lengths"},
        {"{\"obstacles\": [{\"kind\": \"box\", \"point\": [0, 0, 0], \"radius\": 1}]}", LB_ERROR_NAME,
         "no key `radius`"},
        {"{\"swivels\": []}", LB_ERROR_SYNTAX, "directions by joint"},
        {"{\"swivels\": {\"right_elbow\": \"dwn\"}}", LB_ERROR_NAME,
         "body.swivels.right_elbow: there is no side `dwn`"},
        {"{\"swivels\": {\"right_elbw\": \"down\"}}", LB_ERROR_NAME, "right_elbow"},
        {"{\"swivels\": {\"right_wrist\": \"down\"}}", LB_ERROR_UNSUPPORTED, "not in the middle"},
        {"{\"swivels\": {\"right_elbow\": [0, 0, 0]}}", LB_ERROR_ARGUMENT, "no direction"},
        {"{\"swivels\": {\"right_elbow\": {\"segment\": \"pelvis\"}}}", LB_ERROR_SYNTAX, "`direction`"},
        {"{\"swivels\": {\"right_elbow\": {\"direction\": [1, 0, 0], \"segment\": \"plvis\"}}}", LB_ERROR_NAME,
         "pelvis"},
    };
    char text[2000];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lb_problem_file *file = NULL;
        lb_error error;
        snprintf(text, sizeof text, "{\"figure\": \"human\",\n \"body\": %s}", cases[k].body);
        check_note("%s", text);
        CHECK_INT(read_text(text, &file, &error), cases[k].status);
        CHECK_HAS(error.message, cases[k].says);
        CHECK_INT(error.line, 2);
        CHECK(!file);
    }
    check_note("%s", "");
}

static int are_same(const lb_body_options *a, const lb_body_options *b) {
    int same = a->friction == b->friction && a->props == b->props && a->surface_count == b->surface_count &&
               a->support_count == b->support_count && a->obstacle_count == b->obstacle_count &&
               a->swivel_count == b->swivel_count;
    for (int k = 0; same && k < a->surface_count; k++) {
        const lb_surface *p = &a->surfaces[k], *q = &b->surfaces[k];
        same = strcmp(p->name, q->name) == 0 && memcmp(p->point, q->point, sizeof p->point) == 0 &&
               memcmp(p->half_size, q->half_size, sizeof p->half_size) == 0 &&
               memcmp(p->normal, q->normal, sizeof p->normal) == 0 &&
               memcmp(p->along, q->along, sizeof p->along) == 0 && p->thickness == q->thickness;
    }
    for (int k = 0; same && k < a->support_count; k++) {
        same = a->supports[k].contact == b->supports[k].contact && a->supports[k].surface == b->supports[k].surface;
    }
    for (int k = 0; same && k < a->obstacle_count; k++) {
        const lb_obstacle *p = &a->obstacles[k], *q = &b->obstacles[k];
        same = strcmp(p->name, q->name) == 0 && p->kind == q->kind && p->radius == q->radius &&
               memcmp(p->point, q->point, sizeof p->point) == 0 && memcmp(p->to, q->to, sizeof p->to) == 0 &&
               memcmp(p->half_size, q->half_size, sizeof p->half_size) == 0;
        for (int c = 0; c < 4; c++) {
            same = same && fabs(p->rotation[c] - q->rotation[c]) < 1e-15;
        }
    }
    for (int k = 0; same && k < a->swivel_count; k++) {
        const lb_swivel *p = &a->swivels[k], *q = &b->swivels[k];
        same = p->upper == q->upper && p->middle == q->middle && p->lower == q->lower && p->segment == q->segment &&
               memcmp(p->direction, q->direction, sizeof p->direction) == 0;
    }
    return same;
}

static void test_round_trip(void) {
    lb_problem_file *file =
        load_body("{\"surfaces\": [{\"name\": \"wall\", \"point\": [0.7, 0, 1.2], \"half_size\": [1, null], "
                  "\"normal\": [-1, 0.3, 0], "
                  "\"along\": [0, 0, 1], \"thickness\": 0.05}, {\"name\": \"box\", \"point\": [0.3, 0.1, 0.2], "
                  "\"thickness\": 0.2}],"
                  " \"foot\": {\"left\": \"step:box\"}, \"supports\": {\"right_palm\": \"wall\"}, \"friction\": 0.7, "
                  "\"props\": false,"
                  " \"obstacles\": [{\"kind\": \"box\", \"name\": \"crate\", \"point\": [0.6, 0, 0.35], \"half_size\": "
                  "[0.3, null, 1], "
                  "\"quaternion\": [0, 0, 0.6, 0.8]}, {\"kind\": \"capsule\", \"point\": [0, 0, 1], \"to\": [0, 1, 1], "
                  "\"radius\": "
                  "0.03}, {\"kind\": \"sphere\", \"point\": [1, 2, 3], \"radius\": 0.1}],"
                  " \"swivels\": {\"right_elbow\": \"out\", \"left_elbow\": \"down\", \"left_knee\": [0.1, 2, 0]}}");
    char path[4200];
    lb_error error;
    lb_problem_file *second = NULL;
    check_scratch("scene.json", path, sizeof path);
    REQUIRE(lb_problem_save(file, NULL, NULL, path, &error) == LB_OK);
    char *text = check_read_file(path, NULL);
    REQUIRE(text);
    if (CHECK_INT(read_text(text, &second, &error), LB_OK)) {
        CHECK(are_same(options_of(file), options_of(second)));
        CHECK_INT(options_of(second)->swivel_count, 3);
        lb_problem_file_destroy(second);
    } else {
        printf("  %s:%d: %s\n%s\n", error.file, error.line, error.message, text);
    }
    free(text);
    lb_problem_file_destroy(file);
}

int main(void) {
    REQUIRE(check_source("models", problem_models, sizeof problem_models));
    test_surfaces();
    test_feet();
    test_obstacles();
    test_swivels();
    test_refused();
    test_round_trip();
    return check_done();
}
