/* limber info: whether a figure is a person, by its own body or by its names, and what holds it in a pose. */
#include "cli/cli.h"
#include <limber/body.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What of a person who could stand a figure has by its names: 1 for the legs, and 2 for the feet. */
static int find_legs(const lb_figure *figure) {
    static const char *const legs[] = {"left_thigh",  "right_thigh", "left_shank",
                                       "right_shank", "left_foot",   "right_foot"};
    int count = lb_figure_segment_count(figure), found = 0;
    const char **names = calloc((size_t)count + 1, sizeof *names);
    if (names && lb_figure_human_names(figure, names) > 0) {
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < 6 && names[i]; k++) {
                found |= strcmp(names[i], legs[k]) == 0 ? 1 << k : 0;
            }
        }
    }
    free(names);
    return ((found & 15) == 15 ? 1 : 0) | ((found & 48) == 48 ? 2 : 0);
}

/* Bones are called as a person's, but there is no body. */
static void say_what_lacks(const lb_figure *figure) {
    int legs = find_legs(figure);
    if (legs & 1) {
        printf("  bones have the names of a person's, but %s: `limber solve` poses it without a body\n",
               legs & 2 ? "it does not stand upright at rest" : "there are no feet");
    }
}

/* Whether it could stand. */
static void say_legs(const cli_report_input *in) {
    const int legs = lb_figure_legs(in->figure);
    if (legs > 0) {
        printf("  it has %d legs: --stand lets it stand on them, with a free root\n", legs);
    }
}

void cli_info_person(const cli_report_input *in) {
    const lb_body *body = lb_figure_body(in->figure);
    cli_source source = *in->source;
    cli_warnings warnings = {0};
    lb_figure *person = NULL;
    if (body) {
        printf("  a body: %d contacts, %d solids, %d arms, %d start poses\n", body->contact_count, body->solid_count,
               body->arm_count, body->start_count);
        return;
    }
    say_legs(in);
    source.body = 1, source.limits = LB_LIMITS_AUTO;
    if (strcmp(source.path, "-") != 0 && cli_load(&source, &warnings, &person, NULL) == CLI_OK) {
        if (lb_figure_body(person)) {
            printf("  a person, by the names of its bones: `limber solve` poses it as a body; --limits auto shows it "
                   "so\n");
        } else {
            say_what_lacks(person);
        }
    }
    cli_warnings_free(&warnings);
    lb_figure_destroy(person);
}

int cli_info_statics(const cli_report_input *in, lb_problem **problem, lb_solver **solver) {
    lb_error error = {0};
    *problem = lb_problem_create(in->figure, &error);
    lb_status status = *problem ? lb_problem_set_body(*problem, 0, NULL) : error.status;
    *solver = status ? NULL : lb_solver_create(*problem, &error);
    status = status ? status : *solver ? lb_statics(*solver, in->pose, &error) : error.status;
    return status ? cli_report(CLI_BAD_INPUT, &error) : CLI_OK;
}
