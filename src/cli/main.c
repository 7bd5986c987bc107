/* limber: the first word says what to do. */
#include "cli/cli.h"
#include "cli/output.h"

#include "jobs/jobs.h"
#include <stdio.h>
#include <string.h>

const cli_command *const cli_commands[] = {&cli_info,     &cli_solve,  &cli_batch_command, &cli_render,  &cli_play,
                                           &cli_retarget, &cli_learn,  &cli_convert,       &cli_compare, &cli_path,
                                           &cli_reach,    &cli_studio, &cli_models,        &cli_help,    NULL};

static void print_overview(void) {
    printf("limber poses, animates and draws articulated figures: people, characters, robots, mechanisms.\n\n"
           "Usage: limber COMMAND [ARGUMENTS]\n\nCommands:\n");
    for (int k = 0; cli_commands[k]; k++) {
        printf("  %-10s %s\n", cli_commands[k]->name, cli_commands[k]->summary);
    }
    printf("\nOptions:\n"
           "  -h, --help     this text; after a command: about that command\n"
           "      --version  the version\n\n"
           "FILE may be a figure:\n"
           "  .fig               Peabody, Limber's own\n"
           "  .urdf, .xacro      URDF robots (xacro that is expanded already)\n"
           "  .xml, .mjcf        MuJoCo models (MJCF)\n"
           "  .bvh               skeletons and motion capture (BVH)\n"
           "  .glb, .gltf, .vrm  characters and animations (glTF 2.0, VRM; .vrma)\n"
           "  NAME               a model that comes with Limber (limber models)\n"
           "  chain:N, -         a chain of N joints; standard input\n"
           "or, for solve, play and studio, a problem (.json); for play and studio a script (.scefo).\n"
           "A figure is told by the ending of its name, or else by its content.\n"
           "Exit codes: 0 done, 1 the file or figure is bad, 2 wrong usage, 3 cannot write, 4 not solved,\n"
           "5 carried over, but off by more than it should be.\n");
}

static const cli_command *find_command(const char *name) {
    for (int k = 0; cli_commands[k]; k++) {
        if (strcmp(cli_commands[k]->name, name) == 0) {
            return cli_commands[k];
        }
    }
    return NULL;
}

static int unknown_command(const char *word) {
    const char *names[16];
    int count = 0;
    for (; cli_commands[count]; count++) {
        names[count] = cli_commands[count]->name;
    }
    const char *near_name = cli_nearest(word, names, count);
    if (near_name) {
        return cli_fail(CLI_BAD_USAGE, "there is no command `%s`; did you mean `%s`?", word, near_name);
    }
    return cli_fail(CLI_BAD_USAGE, "there is no command `%s`; `limber help` lists them", word);
}

static int run_help(const cli_command *self, const cli_arguments *arguments) {
    (void)self;
    if (arguments->operand_count == 0) {
        print_overview();
        return CLI_OK;
    }
    const cli_command *command = find_command(arguments->operands[0]);
    if (!command) {
        return unknown_command(arguments->operands[0]);
    }
    cli_print_help(command);
    return CLI_OK;
}

static const cli_option help_options[] = {{NULL, 0, NULL, NULL}};

const cli_command cli_help = {
    .name = "help",
    .synopsis = "[COMMAND]",
    .summary = "explain Limber, or one command",
    .text = "The same as `limber --help` and `limber COMMAND --help`.",
    .options = help_options,
    .least_operands = 0,
    .most_operands = 1,
    .run = run_help,
};

static int unknown_overall_option(const char *word) {
    static const char *const names[] = {"help", "version"};
    const char *near_name = cli_nearest(word + strspn(word, "-"), names, 2);
    if (near_name) {
        return cli_fail(CLI_BAD_USAGE, "there is no option `%s`; did you mean `--%s`?", word, near_name);
    }
    return cli_fail(CLI_BAD_USAGE, "there is no option `%s` before a command; `limber help` lists commands", word);
}

/* A job: alone, or as one of several processes. */
static int run_job(const cli_command *command, const cli_arguments *arguments) {
    lb_error error;
    int is_needed = 1;
    if (lbj_world_begin(&is_needed, &error)) {
        return cli_report(CLI_BAD_INPUT, &error);
    }
    int code = is_needed ? command->run(command, arguments) : CLI_OK;
    fflush(stdout);
    lbj_world_end(code);
    return code;
}

static int run(int count, char **words) {
    if (count < 2) {
        print_overview();
        return CLI_BAD_USAGE;
    }
    if (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0) {
        print_overview();
        return CLI_OK;
    }
    if (strcmp(words[1], "--version") == 0) {
        printf("limber %s\nMPI: %s\n", lb_version(),
               lbj_world_has_mpi() ? "yes" : "no, it was built without (Debian: libopenmpi-dev)");
        return CLI_OK;
    }
    if (words[1][0] == '-') {
        return unknown_overall_option(words[1]);
    }
    const cli_command *command = find_command(words[1]);
    if (!command) {
        return unknown_command(words[1]);
    }
    cli_arguments arguments;
    int wants_help = 0, code = cli_parse(command, count - 2, words + 2, &arguments, &wants_help);
    if (wants_help) {
        cli_print_help(command);
        return CLI_OK;
    }
    if (!code) {
        cli_outputs_begin(command, &arguments);
    }
    if (!code && command->runs_jobs && !cli_value(command, &arguments, "share")) {
        return run_job(command, &arguments);
    }
    return code ? code : command->run(command, &arguments);
}

int main(int count, char **words) {
    int code = run(count, words);
    int written = cli_finish_stdout();
    return code ? code : written;
}
