/* Reading the command line by a command's table of options, and saying what is wrong with it. */
#include "cli/cli.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HELP_COLUMN 26
#define HELP_WIDTH 80

static void print_message(const char *kind, const char *format, va_list arguments) {
    char raw[2048], clean[2048];
    vsnprintf(raw, sizeof raw, format, arguments);
    cli_clean(raw, clean, sizeof clean);
    fflush(stdout); /* keeps the order where both go to one place */
    fprintf(stderr, "limber: %s%s\n", kind, clean);
}

int cli_fail(int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message("", format, arguments);
    va_end(arguments);
    return code;
}

int cli_usage(const cli_command *command, const char *format, ...) {
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return cli_fail(CLI_BAD_USAGE, "%s: %s; see `limber %s --help`", command->name, message, command->name);
}

void cli_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message("note: ", format, arguments);
    va_end(arguments);
}

int cli_report(int code, const lb_error *error) {
    if (!error->file[0]) {
        return cli_fail(code, "%s", error->message);
    }
    if (error->line > 0) {
        return cli_fail(code, "%s:%d: %s", error->file, error->line, error->message);
    }
    return cli_fail(code, "%s: %s", error->file, error->message);
}

int cli_is_fancy(void) {
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(refused && *refused) && !(terminal && strcmp(terminal, "dumb") == 0);
}

int cli_finish_stdout(void) {
    if (fflush(stdout) || ferror(stdout)) {
        return cli_fail(CLI_CANNOT_WRITE, "standard output cannot be written; is the disk full?");
    }
    return CLI_OK;
}

const char *cli_nearest(const char *word, const char *const *names, int count) {
    size_t length = strlen(word);
    for (int k = 0; k < count && length >= 2; k++) {
        if (strncmp(names[k], word, length) == 0) {
            return names[k]; /* the beginning of a name means that name */
        }
    }
    return lbio_nearest(word, names, count);
}

/* --- Parsing ------------------------------------------------------------------------------------- */

static int option_count(const cli_command *command) {
    int count = 0;
    while (command->options[count].name) {
        count++;
    }
    return count;
}

static int unknown_option(const cli_command *command, const char *word, size_t length) {
    const char *names[CLI_MAX_OPTIONS + 1];
    char name[64];
    int count = option_count(command);
    for (int k = 0; k < count; k++) {
        names[k] = command->options[k].name;
    }
    names[count++] = "help";
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    const char *near_name = cli_nearest(name, names, count);
    if (near_name) {
        return cli_fail(CLI_BAD_USAGE, "%s: there is no option `--%s`; did you mean `--%s`?", command->name, name,
                        near_name);
    }
    return cli_usage(command, "there is no option `--%s`", name);
}

/* Notes a value: the last one counts, but all can be had. */
static int take(const cli_command *command, cli_arguments *arguments, int option, const char *value) {
    if (arguments->given_count == CLI_MAX_GIVEN) {
        return cli_usage(command, "more than %d options", CLI_MAX_GIVEN);
    }
    arguments->values[option] = value;
    arguments->given[arguments->given_count].option = option;
    arguments->given[arguments->given_count++].value = value;
    return CLI_OK;
}

/* Notes the value of an option, and the one behind it where its argument is two words ("A B"), of which cli_next gives
 * both. */
static int take_words(const cli_command *command, cli_arguments *arguments, int option, const char *value,
                      const char *second, int *used) {
    const int code = take(command, arguments, option, value);
    if (code || !strchr(command->options[option].argument, ' ')) {
        return code;
    }
    if (!second) {
        return cli_usage(command, "`--%s` needs two values: %s", command->options[option].name,
                         command->options[option].argument);
    }
    (*used)++;
    return take(command, arguments, option, second);
}

/* One option word; *used says how many words it took, of which next has the two behind it. */
static int parse_long(const cli_command *command, const char *word, const char *const next[2], cli_arguments *arguments,
                      int *used) {
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    for (int k = 0; command->options[k].name; k++) {
        const cli_option *option = &command->options[k];
        if (strlen(option->name) != length || strncmp(option->name, word, length) != 0) {
            continue;
        }
        if (!option->argument) {
            if (equals) {
                return cli_usage(command, "`--%s` takes no value", option->name);
            }
            return take(command, arguments, k, "");
        }
        if (!equals && !next[0]) {
            return cli_usage(command, "`--%s` needs a value: %s", option->name, option->argument);
        }
        *used = equals ? 1 : 2;
        return take_words(command, arguments, k, equals ? equals + 1 : next[0], equals ? next[0] : next[1], used);
    }
    return unknown_option(command, word, length);
}

static int parse_short(const cli_command *command, const char *word, const char *next, cli_arguments *arguments,
                       int *used) {
    for (int k = 0; command->options[k].name; k++) {
        const cli_option *option = &command->options[k];
        if (option->letter != word[0]) {
            continue;
        }
        if (!option->argument) {
            if (word[1]) {
                return cli_usage(command, "`-%c` takes no value", word[0]);
            }
            return take(command, arguments, k, "");
        }
        if (!word[1] && !next) {
            return cli_usage(command, "`-%c` needs a value: %s", word[0], option->argument);
        }
        *used = word[1] ? 1 : 2;
        return take(command, arguments, k, word[1] ? word + 1 : next);
    }
    return cli_usage(command, "there is no option `-%c`", word[0]);
}

int cli_parse(const cli_command *command, int count, char **words, cli_arguments *arguments, int *wants_help) {
    int only_operands = 0;
    memset(arguments, 0, sizeof *arguments);
    for (int k = 0, used = 1; k < count; k += used) {
        const char *word = words[k], *const next[2] = {k + 1 < count ? words[k + 1] : NULL,
                                                       k + 2 < count ? words[k + 2] : NULL};
        used = 1;
        if (!only_operands && strcmp(word, "--") == 0) {
            only_operands = 1;
        } else if (!only_operands && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            *wants_help = 1;
            return CLI_OK;
        } else if (!only_operands && word[0] == '-' && word[1]) {
            int code = word[1] == '-' ? parse_long(command, word + 2, next, arguments, &used)
                                      : parse_short(command, word + 1, next[0], arguments, &used);
            if (code) {
                return code;
            }
        } else if (arguments->operand_count >= command->most_operands) {
            return cli_usage(command, "`%s` is one word too many", word);
        } else {
            arguments->operands[arguments->operand_count++] = word;
        }
    }
    if (arguments->operand_count < command->least_operands) {
        return cli_usage(command, "needs %s", command->synopsis);
    }
    return CLI_OK;
}

const char *cli_value(const cli_command *command, const cli_arguments *arguments, const char *name) {
    for (int k = 0; command->options[k].name; k++) {
        if (strcmp(command->options[k].name, name) == 0) {
            return arguments->values[k];
        }
    }
    return NULL;
}

const char *cli_next(const cli_command *command, const cli_arguments *arguments, const char *name, int *at) {
    while (*at < arguments->given_count) {
        int k = (*at)++;
        if (strcmp(command->options[arguments->given[k].option].name, name) == 0) {
            return arguments->given[k].value;
        }
    }
    return NULL;
}

int cli_has(const cli_command *command, const cli_arguments *arguments, const char *name) {
    return cli_value(command, arguments, name) != NULL;
}

/* --- Help ---------------------------------------------------------------------------------------- */

/* Breaks text at blanks; lines after the first are set in. */
static void print_wrapped(const char *text, int column) {
    int at = column;
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (at > column && at + 1 + length > HELP_WIDTH) {
            printf("\n%*s", column, "");
            at = column;
        } else if (at > column) {
            putchar(' ');
            at++;
        }
        printf("%.*s", length, text);
        at += length;
        text += length;
        text += *text == ' ';
    }
    putchar('\n');
}

static void print_option(char letter, const char *name, const char *argument, const char *help) {
    char left[64], short_form[8] = "    ";
    if (letter) {
        snprintf(short_form, sizeof short_form, "-%c, ", letter);
    }
    snprintf(left, sizeof left, "  %s--%s%s%s", short_form, name, argument ? " " : "", argument ? argument : "");
    if (strlen(left) + 2 > HELP_COLUMN) {
        printf("%s\n%*s", left, HELP_COLUMN, "");
    } else {
        printf("%-*s", HELP_COLUMN, left);
    }
    print_wrapped(help, HELP_COLUMN);
}

void cli_print_help(const cli_command *command) {
    printf("limber %s: %s\n\nUsage: limber %s %s%s\n\n%s\n\nOptions:\n", command->name, command->summary, command->name,
           command->synopsis, command->options[0].name ? " [OPTIONS]" : "", command->text);
    for (int k = 0; command->options[k].name; k++) {
        const cli_option *option = &command->options[k];
        print_option(option->letter, option->name, option->argument, option->help);
    }
    print_option('h', "help", NULL, "this text");
}
