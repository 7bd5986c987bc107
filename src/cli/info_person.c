/* limber info: whether a figure is a person, by its own body or by its names. */
#include "cli/cli.h"
#include <limber/body.h>
#include <stdio.h>
#include <string.h>

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
    source.body = 1, source.limits = LB_LIMITS_AUTO;
    if (strcmp(source.path, "-") != 0 && cli_load(&source, &warnings, &person, NULL) == CLI_OK &&
        lb_figure_body(person)) {
        printf("  a person, by the names of its bones: `limber solve` poses it as a body; --limits auto shows it so\n");
    }
    cli_warnings_free(&warnings);
    lb_figure_destroy(person);
}
