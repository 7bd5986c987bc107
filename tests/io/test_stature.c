/* People are scaled to what people are: from files, from memory and by problem files, and refused in one sentence otherwise. */
#include "check.h"
#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Loads a model in a stature; checks that it has it, or that it is refused. */
static void load(const char *path, double stature, int is_taken) {
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_error error = {0};
    lb_load_options_defaults(&options);
    options.stature = stature;
    check_note("%s at %.17g m", path, stature);
    lb_status status = lb_figure_load(path, &options, &figure, &error);
    CHECK_INT(status, is_taken ? LB_OK : LB_ERROR_ARGUMENT);
    if (is_taken && figure) {
        CHECK_NEAR(lb_figure_stature(figure), stature, 0);
    } else {
        CHECK_HAS(error.message, "people are 1.2 to 2.2 m tall; a stature of");
    }
    lb_figure_destroy(figure);
}

static void load_problem(const char *models, double stature, int is_taken) {
    char json[2000];
    lb_load_options options;
    lb_problem_file *file = NULL;
    lb_load_options_defaults(&options);
    options.models = models;
    lb_error error = {0};
    check_note("a problem file with a stature of %.17g m", stature);
    snprintf(json, sizeof json, "{\"figures\": [{\"file\": \"human\", \"stature\": %.17g}], \"constraints\": []}",
             stature);
    lb_status status = lb_problem_load_memory(json, strlen(json), "people.json", &options, &file, &error);
    CHECK_INT(status, is_taken ? LB_OK : LB_ERROR_ARGUMENT);
    if (!is_taken) {
        CHECK_HAS(error.message, "people are 1.2 to 2.2 m tall; a stature of");
    }
    lb_problem_file_destroy(file);
}

/* Whoever is no person is scaled to anything. */
static void test_others(check_random *random) {
    static const char text[] = "figure toy { stature = 30cm; segment only { } }";
    lb_load_options options;
    lb_load_options_defaults(&options);
    for (int k = 0; k < 20; k++) {
        lb_figure *figure = NULL;
        options.stature = exp(check_random_range(random, log(0.01), log(100)));
        check_note("a toy of %g m", options.stature);
        CHECK_INT(lb_figure_load_memory(text, sizeof text - 1, "toy.fig", &options, &figure, NULL), LB_OK);
        CHECK_NEAR(lb_figure_stature(figure), options.stature, 0);
        lb_figure_destroy(figure);
    }
}

int main(void) {
    char human[1024], models[1024];
    check_random sequence, *random = &sequence;
    check_random_seed(random, 26);
    REQUIRE(check_source("models/human.fig", human, sizeof human));
    REQUIRE(check_source("models", models, sizeof models));
    for (int k = 0; k < check_count(12, 200); k++) {
        const double inside = check_random_range(random, 1.2, 2.2), small = check_random_range(random, 0.01, 1.199),
                     large = exp(check_random_range(random, log(2.201), log(1e4)));
        load(human, inside, 1), load(human, small, 0), load(human, large, 0);
        load_problem(models, inside, 1), load_problem(models, small, 0), load_problem(models, fmin(large, 900), 0);
    }
    load(human, 1.2, 1), load(human, 2.2, 1);
    test_others(random);
    return check_done();
}
