/* limber models: what comes with Limber. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

#define LINE 100

static const cli_option options[] = {
    {"folder", 0, NULL, "print the folder they are in, and nothing else"},
    {NULL, 0, NULL, NULL},
};

/* The first comment of the file is what it says of itself. */
static void print_model(const char *folder, const char *name, int width) {
    char path[4400], line[512], clean[512] = "";
    snprintf(path, sizeof path, "%s/%s.fig", folder, name);
    FILE *file = lbio_is_file(path) ? fopen(path, "r") : NULL;
    while (file && !clean[0] && fgets(line, sizeof line, file)) {
        const char *text = line + strspn(line, " \t/*#");
        line[strcspn(line, "\r\n")] = 0;
        if (text != line && *text) {
            cli_clean(text, clean, sizeof clean);
        } else if (*text) {
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    size_t length = strlen(clean); /* the end of a comment of one line */
    if (length >= 2 && strcmp(clean + length - 2, "*/") == 0) {
        clean[length - 2] = 0;
    }
    /* As much as fits a line, in whole words. */
    size_t room = width < LINE - 10 ? (size_t)(LINE - width - 2) : 8;
    if (strlen(clean) > room) {
        size_t cut = room - 3;
        while (cut > 1 && clean[cut] != ' ') {
            cut--;
        }
        strcpy(clean + cut, "...");
    }
    printf("%-*s  %s\n", width, name, clean);
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    char folder[4096];
    int count = 0, width = 0;
    if (!cli_models_folder(folder, sizeof folder)) {
        return cli_fail(CLI_BAD_INPUT,
                        "the models are not beside this program (share/limber/models); is it installed whole?");
    }
    if (cli_has(command, arguments, "folder")) {
        printf("%s\n", folder);
        return CLI_OK;
    }
    char **names = cli_models_list(folder, &count);
    for (int k = 0; k < count; k++) {
        int length = (int)strlen(names[k]);
        width = length > width ? length : width;
    }
    for (int k = 0; k < count; k++) {
        print_model(folder, names[k], width);
    }
    cli_names_free(names, count);
    return CLI_OK;
}

const cli_command cli_models = {
    .name = "models",
    .synopsis = "",
    .summary = "list the figures that come with Limber",
    .text = "Each can be used by its name wherever a FILE is wanted and there is no file of that\n"
            "name: limber info human, limber render panda -o panda.png.",
    .options = options,
    .least_operands = 0,
    .most_operands = 0,
    .run = run,
};
