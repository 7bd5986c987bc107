/* `body` in problem files: what is read into lb_body_options, what is refused and with which words, and that what is
 * written reads back as the same. The body here is a made-up one, put on the human figure, so that nothing depends on the
 * numbers of models/human.fig. */
#include "check.h"
#include "io/problem/problem.h"
#include "problem_text.h"

#include <limber/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONTACTS 8

static lb_body_contact contacts[CONTACTS] = {
    {"right_heel", LB_CONTACT_HEEL, 0, 0, {0, 0, 0}, 0},      {"right_toe", LB_CONTACT_TOE, 0, 0, {0, 0, 0}, 0},
    {"left_heel", LB_CONTACT_HEEL, 1, 0, {0, 0, 0}, 0},       {"left_palm", LB_CONTACT_PALM, 3, 0, {0, 0, 0}, 0},
    {"right_sit_bone", LB_CONTACT_SEAT, -1, 0, {0, 0, 0}, 0}, {"right_knee", LB_CONTACT_KNEE, 0, 0, {0, 0, 0}, 0},
    {"hind_left_heel", LB_CONTACT_HEEL, 4, 0, {0, 0, 0}, 0},  {"hind_right_heel", LB_CONTACT_HEEL, 5, 0, {0, 0, 0}, 0}};

/* A figure of the models with the body above. */
static lb_figure *figure_with_body(void) {
    char path[4200];
    lb_figure *figure = NULL;
    lb_error error;
    lb_body body;
    snprintf(path, sizeof path, "%s/human.fig", problem_models);
    REQUIRE(lb_figure_load(path, NULL, &figure, &error) == LB_OK);
    lb_body_defaults(&body);
    body.contact_count = CONTACTS;
    body.contacts = contacts;
    REQUIRE(lb_figure_set_body(figure, &body, &error) == LB_OK);
    return figure;
}

/* A file of `count` such figures as it is before its bodies are read. */
static lb_problem_file *file_of(int count) {
    lb_problem_file *file = calloc(1, sizeof *file);
    REQUIRE(file);
    for (int k = 0; k < count; k++) {
        file->figures[k] = figure_with_body();
        file->names[k] = lbio_copy_text(k ? "anna" : "human");
        file->specs[k] = lbio_copy_text(k ? "{\"file\": \"human\", \"name\": \"anna\"}" : "{\"name\": \"human\"}");
        file->figure_count++;
        if (k == 0) {
            file->problem = lb_problem_create(file->figures[0], NULL);
        } else {
            REQUIRE(lb_problem_add_figure(file->problem, file->figures[k]) == k);
        }
    }
    file->title = lbio_copy_text("");
    file->start = calloc((size_t)lb_problem_variable_count(file->problem), sizeof *file->start);
    lb_solve_options_defaults(&file->options);
    REQUIRE(file->start && file->title);
    return file;
}

static lb_status read_bodies(lb_problem_file *file, const char *text, lb_error *error) {
    lb_load_options options;
    lb_load_options_defaults(&options);
    check_note("%s", text);
    json_t *root = json_loads(text, 0, NULL);
    REQUIRE(root);
    lbio_source source = {"p.json", text, strlen(text), &options, error};
    lbio_reader r = {.source = &source, .file = file};
    lb_status status = lbio_read_bodies(&r, root);
    CHECK_INT(r.depth, 0);
    json_decref(root);
    return status;
}

/* A file of one figure with this body. */
static lb_problem_file *load_body(const char *body) {
    char text[4000];
    lb_error error;
    lb_problem_file *file = file_of(1);
    snprintf(text, sizeof text, "{\"figure\": \"human\", \"body\": %s}", body);
    if (!CHECK_INT(read_bodies(file, text, &error), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
        exit(check_done());
    }
    return file;
}

static const lb_body_options *body_of(const lb_problem_file *file, int figure) {
    const lb_body_options *options = lb_problem_body(file->problem, figure);
    REQUIRE(options);
    return options;
}

static void test_defaults(void) {
    lb_problem_file *file = load_body("{}");
    const lb_body_options *read = body_of(file, 0);
    lb_body_options plain;
    lb_body_options_defaults(&plain);
    CHECK_NEAR(read->posture, plain.posture, 0);
    CHECK_NEAR(read->habit, plain.habit, 0);
    CHECK_INT(read->balance, 1);
    CHECK_INT(read->eyes, 1);
    CHECK_NEAR(read->floor, 0, 0);
    CHECK_INT(read->feet_modes[0], LB_FOOT_MODE_AUTO);
    CHECK_INT(read->surface_count + read->support_count + read->load_count, 0);
    lb_problem_file_destroy(file);
}

static void test_terms(void) {
    lb_problem_file *file = load_body(
        "{\"posture\": 2, \"comfort\": 0.5, \"effort\": 0, \"hang\": false, \"head\": true, \"look\": 3, \"feet\": 4, "
        "\"habit\": false, \"balance\": false, \"above_floor\": false, \"apart\": false, \"eyes\": false, "
        "\"floor\": \"-5cm\"}");
    const lb_body_options *read = body_of(file, 0);
    CHECK_NEAR(read->posture, 2, 0);
    CHECK_NEAR(read->comfort, 0.5, 0);
    CHECK_NEAR(read->effort, 0, 0);
    CHECK_NEAR(read->hang, 0, 0);
    CHECK_NEAR(read->head, 1, 0);
    CHECK_NEAR(read->look, 3, 0);
    CHECK_NEAR(read->feet, 4, 0);
    CHECK_NEAR(read->habit, 0, 0);
    CHECK_INT(read->balance + read->above_floor + read->apart + read->eyes, 0);
    CHECK(read->floor == -0.05);
    lb_problem_file_destroy(file);
}

static void test_feet(void) {
    lb_problem_file *file =
        load_body("{\"foot\": {\"left\": \"step\", \"right_heel\": \"planted\", \"hind\": \"lifted\"}}");
    const lb_body_options *read = body_of(file, 0);
    CHECK_INT(read->feet_modes[0], LB_FOOT_MODE_PLANTED);
    CHECK_INT(read->feet_modes[1], LB_FOOT_MODE_STEP);
    CHECK_INT(read->feet_modes[4], LB_FOOT_MODE_LIFTED); /* both that begin so */
    CHECK_INT(read->feet_modes[5], LB_FOOT_MODE_LIFTED);
    CHECK_INT(read->feet_modes[3], LB_FOOT_MODE_AUTO);
    lb_problem_file_destroy(file);
}

static void test_supports(void) {
    lb_problem_file *file =
        load_body("{\"supports\": {\"right_sit_bone\": \"seat\", \"left_palm\": \"table\", \"right_knee\": \"floor\"},"
                  " \"surfaces\": [{\"name\": \"table\", \"point\": [0.8, 0, \"77cm\"]},"
                  "  {\"name\": \"seat\", \"point\": [-0.3, 0, 0.45], \"half_size\": [\"20cm\", null]}]}");
    const lb_body_options *read = body_of(file, 0);
    CHECK_INT(read->surface_count, 2);
    CHECK_TEXT(read->surfaces[0].name, "table");
    CHECK(read->surfaces[0].point[2] == 0.77);
    CHECK(isinf(read->surfaces[0].half_size[0]) && isinf(read->surfaces[0].half_size[1]));
    CHECK(read->surfaces[1].half_size[0] == 0.2 && isinf(read->surfaces[1].half_size[1]));
    CHECK_INT(read->support_count, 3);
    CHECK_INT(read->supports[0].contact, 4);
    CHECK_INT(read->supports[0].surface, 1);
    CHECK_INT(read->supports[1].contact, 3);
    CHECK_INT(read->supports[1].surface, 0);
    CHECK_INT(read->supports[2].contact, 5);
    CHECK_INT(read->supports[2].surface, -1);
    lb_problem_file_destroy(file);
}

static void test_loads(void) {
    lb_problem_file *file = load_body("{\"loads\": {\"right_hand\": \"5kg\", \"left_palm\": \"250g\", \"head\": 1.5}}");
    const lb_body_options *read = body_of(file, 0);
    const lb_figure *figure = lb_problem_figure(file->problem, 0);
    int hand = lb_figure_find_segment(figure, "right_hand"), site = lb_figure_find_site(figure, "left_palm");
    CHECK_INT(read->load_count, 3);
    CHECK_INT(read->loads[0].segment, hand);
    CHECK_NEAR(read->loads[0].point[2], lb_figure_segment(figure, hand)->com[2], 0); /* at its centre of mass */
    CHECK(lb_figure_segment(figure, hand)->com[2] < -0.01);
    CHECK_NEAR(read->loads[0].mass, 5, 0);
    CHECK_INT(read->loads[1].segment, lb_figure_site(figure, site)->segment);
    CHECK_NEAR(read->loads[1].point[2], lb_figure_site(figure, site)->frame.position[2], 0);
    CHECK(read->loads[1].mass == 0.25);
    CHECK_NEAR(read->loads[2].mass, 1.5, 0);
    lb_problem_file_destroy(file);
    file = load_body("{\"loads\": [{\"segment\": \"right_hand\", \"point\": [0, \"1cm\", -0.08], \"mass\": \"10lb\"},"
                     " {\"segment\": \"right_hand\", \"mass\": 1}]}");
    read = body_of(file, 0);
    CHECK_INT(read->load_count, 2);
    CHECK(read->loads[0].point[1] == 0.01 && read->loads[0].point[2] == -0.08);
    CHECK_NEAR(read->loads[0].mass, 4.5359237, 1e-12);
    CHECK(read->loads[1].point[2] < -0.01);
    lb_problem_file_destroy(file);
}

/* The first figure's body stands at the top or in its entry, that of another in its entry. */
static void test_figures(void) {
    lb_error error;
    lb_problem_file *file = file_of(2);
    CHECK_INT(read_bodies(file, "{\"figures\": [\"human\", {\"file\": \"human\", \"body\": {\"effort\": 2}}]}", &error),
              LB_OK);
    CHECK(!lb_problem_body(file->problem, 0));
    CHECK_NEAR(body_of(file, 1)->effort, 2, 0);
    lb_problem_clear_body(file->problem, 1);
    CHECK_INT(read_bodies(file, "{\"figures\": [{\"file\": \"human\", \"body\": {\"effort\": 3}}, \"human\"]}", &error),
              LB_OK);
    CHECK_NEAR(body_of(file, 0)->effort, 3, 0);
    lb_problem_clear_body(file->problem, 0);
    CHECK_INT(read_bodies(file,
                          "{\"figures\": [\"human\", {\"file\": \"human\", \"body\": {}}], \"body\": {\"effort\": 4}}",
                          &error),
              LB_OK);
    CHECK_NEAR(body_of(file, 0)->effort, 4, 0);
    CHECK_NEAR(body_of(file, 1)->effort, 1, 0);
    lb_problem_clear_body(file->problem, 0);
    lb_problem_clear_body(file->problem, 1);
    CHECK_INT(
        read_bodies(file, "{\"figures\": [{\"file\": \"human\", \"body\": {}}, \"human\"],\n \"body\": {}}", &error),
        LB_ERROR_SYNTAX);
    CHECK_HAS(error.message, "keep one of them");
    CHECK_INT(error.line, 2);
    lb_problem_file_destroy(file);
    file = file_of(1);
    CHECK_INT(read_bodies(file, "{\"figure\": {\"file\": \"human\", \"body\": {\"look\": 0}}}", &error), LB_OK);
    CHECK_NEAR(body_of(file, 0)->look, 0, 0);
    lb_problem_file_destroy(file);
}

/* What is refused, on the second line, with words that help. */
static void test_refused(void) {
    static const struct {
        const char *body;
        lb_status status;
        const char *says;
    } cases[] = {
        {"[]", LB_ERROR_SYNTAX, "body: an object {...} was expected"},
        {"{\"postur\": 1}", LB_ERROR_NAME, "did you mean `posture`?"},
        {"{\"effort\": -1}", LB_ERROR_ARGUMENT, "body.effort: must be at least 0"},
        {"{\"effort\": \"much\"}", LB_ERROR_SYNTAX, "a number was expected"},
        {"{\"balance\": 1}", LB_ERROR_SYNTAX, "true or false was expected"},
        {"{\"floor\": \"5deg\"}", LB_ERROR_SYNTAX, "a length"},
        {"{\"foot\": \"step\"}", LB_ERROR_SYNTAX, "modes by foot"},
        {"{\"foot\": {\"left\": \"stp\"}}", LB_ERROR_NAME, "body.foot.left: there is no `stp`; did you mean `step`?"},
        {"{\"foot\": {\"lef\": \"step\"}}", LB_ERROR_NAME, "the feet are `right`, `left`, `hind_left`, `hind_right`"},
        {"{\"surfaces\": {}}", LB_ERROR_SYNTAX, "a list [...] was expected"},
        {"{\"surfaces\": [{\"name\": \"a\"}]}", LB_ERROR_SYNTAX, "body.surfaces[0]: a surface needs"},
        {"{\"surfaces\": [{\"point\": [0, 0, 0]}]}", LB_ERROR_SYNTAX, "a surface needs"},
        {"{\"surfaces\": [{\"name\": \"floor\", \"point\": [0, 0, 0]}]}", LB_ERROR_NAME, "another name"},
        {"{\"surfaces\": [{\"name\": \"a\", \"point\": [0, 0, 0]}, {\"name\": \"a\", \"point\": [0, 0, 0]}]}",
         LB_ERROR_NAME, "another name"},
        {"{\"surfaces\": [{\"name\": \"a\", \"point\": [0, 0, 0], \"half_size\": [1, 0]}]}", LB_ERROR_ARGUMENT,
         "body.surfaces[0].half_size[1]: half a size must be above 0"},
        {"{\"surfaces\": [{\"name\": \"a\", \"point\": [0, 0, 0], \"half_size\": 1}]}", LB_ERROR_SYNTAX, "2 lengths"},
        {"{\"surfaces\": [{\"name\": \"a\", \"point\": [0, 0, 0], \"size\": 1}]}", LB_ERROR_NAME, "no key `size`"},
        {"{\"supports\": [\"left_palm\"]}", LB_ERROR_SYNTAX, "surfaces by contact"},
        {"{\"supports\": {\"left_plam\": \"floor\"}}", LB_ERROR_NAME, "did you mean `left_palm`?"},
        {"{\"supports\": {\"wing\": \"floor\"}}", LB_ERROR_NAME, "has no contact `wing`; its file lists them"},
        {"{\"supports\": {\"left_palm\": 1}}", LB_ERROR_SYNTAX, "the name of a surface"},
        {"{\"supports\": {\"left_palm\": \"flor\"}}", LB_ERROR_NAME, "did you mean `floor`?"},
        {"{\"supports\": {\"left_palm\": \"table\"}}", LB_ERROR_NAME, "there is no surface `table`; `surfaces` lists"},
        {"{\"loads\": 5}", LB_ERROR_SYNTAX, "masses by segment or site"},
        {"{\"loads\": {\"right_hnd\": 5}}", LB_ERROR_NAME, "right_hand"},
        {"{\"loads\": {\"right_hand\": \"5cm\"}}", LB_ERROR_SYNTAX, "body.loads.right_hand: a mass, as 5 or \"5kg\""},
        {"{\"loads\": {\"right_hand\": -5}}", LB_ERROR_ARGUMENT, "at least 0"},
        {"{\"loads\": [{\"segment\": \"right_hand\"}]}", LB_ERROR_SYNTAX, "and a `mass`"},
        {"{\"loads\": [{\"mass\": 1}]}", LB_ERROR_SYNTAX, "a load needs"},
        {"{\"loads\": [{\"segment\": \"right_hnd\", \"mass\": 1}]}", LB_ERROR_NAME, "body.loads[0].segment"},
        {"{\"loads\": [{\"site\": \"right_palm\", \"mass\": 1}]}", LB_ERROR_NAME, "no key `site`"},
    };
    char text[2000];
    lb_error error;
    lb_problem_file *file = file_of(1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(text, sizeof text, "{\"figure\": \"human\",\n \"body\": %s}", cases[k].body);
        CHECK_INT(read_bodies(file, text, &error), cases[k].status);
        CHECK_HAS(error.message, cases[k].says);
        CHECK_INT(error.line, 2);
        CHECK(!lb_problem_body(file->problem, 0));
    }
    lb_problem_file_destroy(file);
}

/* By the public call: a figure without a body has none to be posed as, and old files have none. */
static void test_without(void) {
    lb_problem_file *file = NULL;
    lb_error error;
    CHECK_INT(read_text("{\"figure\": \"chain:3\",\n\n \"body\": {}}", &file, &error), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, "has no body");
    CHECK_INT(error.line, 3);
    CHECK_INT(
        read_text("{\"figures\": [\"chain:3\", {\"file\": \"chain:2\",\n \"body\": {\"look\": 0}}]}", &file, &error),
        LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, "figures[1].body");
    CHECK_INT(error.line, 2);
    file = load_text("{\"figure\": \"human\"}");
    CHECK(!lb_problem_body(lb_problem_file_problem(file), 0));
    lb_problem_file_destroy(file);
}

static int are_same(const lb_body_options *a, const lb_body_options *b) {
    int same = a->posture == b->posture && a->comfort == b->comfort && a->effort == b->effort && a->hang == b->hang &&
               a->head == b->head && a->look == b->look && a->feet == b->feet && a->habit == b->habit &&
               a->balance == b->balance && a->above_floor == b->above_floor && a->apart == b->apart &&
               a->eyes == b->eyes && a->floor == b->floor && a->surface_count == b->surface_count &&
               a->support_count == b->support_count && a->load_count == b->load_count &&
               memcmp(a->feet_modes, b->feet_modes, sizeof a->feet_modes) == 0;
    for (int k = 0; same && k < a->surface_count; k++) {
        same = strcmp(a->surfaces[k].name, b->surfaces[k].name) == 0 &&
               memcmp(a->surfaces[k].point, b->surfaces[k].point, sizeof a->surfaces[k].point) == 0 &&
               memcmp(a->surfaces[k].half_size, b->surfaces[k].half_size, sizeof a->surfaces[k].half_size) == 0;
    }
    for (int k = 0; same && k < a->support_count; k++) {
        same = a->supports[k].contact == b->supports[k].contact && a->supports[k].surface == b->supports[k].surface;
    }
    for (int k = 0; same && k < a->load_count; k++) {
        same = a->loads[k].segment == b->loads[k].segment && a->loads[k].mass == b->loads[k].mass &&
               memcmp(a->loads[k].point, b->loads[k].point, sizeof a->loads[k].point) == 0;
    }
    return same;
}

/* Saves a file and reads its bodies again into another. */
static lb_problem_file *again(const lb_problem_file *file) {
    char path[4200];
    lb_error error;
    check_scratch("saved.json", path, sizeof path);
    REQUIRE(lb_problem_save(file, NULL, NULL, path, &error) == LB_OK);
    char *text = check_read_file(path, NULL);
    REQUIRE(text);
    lb_problem_file *second = file_of(file->figure_count);
    if (!CHECK_INT(read_bodies(second, text, &error), LB_OK)) {
        printf("  %s:%d: %s\n%s\n", error.file, error.line, error.message, text);
    }
    free(text);
    return second;
}

static void test_round_trip(void) {
    static const char *const bodies[] = {
        "{}", "{\"posture\": 0.1, \"effort\": 1e-3, \"habit\": 0, \"apart\": false, \"floor\": 0.3}",
        "{\"foot\": {\"left\": \"step\", \"hind_left\": \"lifted\"}}",
        "{\"surfaces\": [{\"name\": \"a \\\"b\\\"\", \"point\": [0.1, 0.2, 0.3], \"half_size\": [null, 2]}, {\"name\": "
        "\"c\", "
        "\"point\": [1, 2, 3]}],"
        " \"supports\": {\"right_knee\": \"floor\", \"left_palm\": \"c\", \"right_sit_bone\": \"a \\\"b\\\"\"},"
        " \"loads\": {\"right_hand\": \"5kg\", \"left_palm\": \"1g\"}}"};
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        lb_problem_file *file = load_body(bodies[k]), *second = again(file);
        CHECK(are_same(body_of(file, 0), body_of(second, 0)));
        lb_problem_file_destroy(file);
        lb_problem_file_destroy(second);
    }
    lb_error error;
    lb_problem_file *file = file_of(2);
    REQUIRE(read_bodies(file, "{\"figures\": [\"human\", {\"file\": \"human\", \"body\": {\"effort\": 2}}]}", &error) ==
            LB_OK);
    lb_problem_file *second = again(file);
    CHECK(!lb_problem_body(second->problem, 0));
    CHECK(are_same(body_of(file, 1), body_of(second, 1)));
    lb_problem_file_destroy(file);
    lb_problem_file_destroy(second);
}

/* A program may say what a file cannot: that is refused rather than written otherwise. */
static void test_unwritable(void) {
    static const lb_surface floor_twice[] = {{.name = "floor", .point = {0, 0, 1}, .half_size = {1, 1}}};
    static const lb_surface twins[] = {{.name = "a", .point = {0, 0, 1}, .half_size = {1, 1}},
                                       {.name = "a", .point = {0, 0, 2}, .half_size = {1, 1}}};
    static const lb_support both[] = {{3, -1}, {3, 0}};
    char path[4200];
    check_scratch("unwritable.json", path, sizeof path);
    for (int k = 0; k < 3; k++) {
        lb_problem_file *file = file_of(1);
        lb_body_options options;
        lb_error error;
        lb_body_options_defaults(&options);
        options.surfaces = k == 0 ? floor_twice : twins;
        options.surface_count = k == 1 ? 2 : 1;
        options.supports = both;
        options.support_count = k == 2 ? 2 : 0;
        check_note("case %d", k);
        REQUIRE(lb_problem_set_body(file->problem, 0, &options) == LB_OK);
        CHECK_INT(lb_problem_save(file, NULL, NULL, path, &error), LB_ERROR_UNSUPPORTED);
        CHECK_HAS(error.message, "human");
        lb_problem_file_destroy(file);
    }
}

int main(void) {
    REQUIRE(check_source("models", problem_models, sizeof problem_models));
    test_defaults();
    test_terms();
    test_feet();
    test_supports();
    test_loads();
    test_figures();
    test_refused();
    test_without();
    test_round_trip();
    test_unwritable();
    return check_done();
}
