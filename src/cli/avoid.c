/* What is kept apart, as several commands are asked for it: --avoid self,world.json and --srdf FILE. */
#include "cli/cli.h"

#include <limber/collisions.h>
#include <stdlib.h>
#include <string.h>

int cli_put_collisions(const cli_command *command, const cli_arguments *arguments, const char *key, lbio_text *json) {
    const char *avoid = cli_value(command, arguments, "avoid"), *srdf = cli_value(command, arguments, "srdf");
    int self = 0;
    if (!avoid) {
        return srdf ? cli_usage(command, "`--srdf` says which links may touch; give `--avoid self`, too") : CLI_OK;
    }
    char *list = malloc(strlen(avoid) + 1), *at = list, *world = NULL;
    if (list) {
        strcpy(list, avoid);
    }
    int code = list ? CLI_OK : cli_fail(CLI_BAD_INPUT, "no memory for the problem");
    for (char *item; !code && (item = cli_next_item(&at));) {
        if (strcmp(item, "self") == 0) {
            self = 1;
        } else if (!*item || world) {
            code = cli_usage(command, "`--avoid %s`: write self, the file of a world, or self,world.json", avoid);
        } else {
            world = cli_unquote(item);
        }
    }
    lbio_text_format(json, "%s{\"self\": %s", key, self ? "true" : "false");
    if (!code && world) {
        lbio_text_add(json, ", \"world\": ");
        cli_quote(json, world);
    }
    if (!code && srdf) {
        lbio_text_add(json, ", \"srdf\": ");
        cli_quote(json, srdf);
    }
    lbio_text_add(json, "}");
    free(list);
    return code;
}

int cli_read_collisions(const cli_command *command, const cli_arguments *arguments, const cli_source *source,
                        const lb_figure *figure, lb_problem **problem) {
    lbio_text json = {0};
    lb_error error;
    lb_load_options options;
    cli_warnings warnings = {.is_loud = 1};
    *problem = NULL;
    int code = cli_put_collisions(command, arguments, "", &json);
    if (code || !json.size) {
        lbio_text_free(&json);
        return code;
    }
    lb_load_options_defaults(&options);
    options.root = source->root;
    options.packages = source->packages;
    options.warn = cli_warn, options.warn_context = &warnings;
    *problem = json.failed ? NULL : lb_problem_create(figure, NULL);
    if (!*problem) {
        code = cli_fail(CLI_BAD_INPUT, "no memory");
    } else if (lb_problem_read_collisions(*problem, json.data, json.size, ".", &options, &error)) {
        code = cli_report(CLI_BAD_INPUT, &error);
        lb_problem_destroy(*problem);
        *problem = NULL;
    }
    cli_warnings_free(&warnings);
    lbio_text_free(&json);
    return code;
}
