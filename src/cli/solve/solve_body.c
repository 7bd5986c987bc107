/* Figures with a body on the command line: whether they are posed as a body, and the `body` of the problem that the
 * options ask for. */
#include "cli/cli.h"
#include "cli/solve/solve_scene.h"
#include <limber/body.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const terms[] = {"posture", "comfort", "effort", "hang", "head", "look", "feet", "habit"};
static const char *const rules[] = {"balance", "above_floor", "apart", "eyes", "props", "drives"};
#define TERM_COUNT (int)(sizeof terms / sizeof *terms)
#define RULE_COUNT (int)(sizeof rules / sizeof *rules)

/* Options that only make sense where a figure is posed as a body. */
static const char *const body_options[] = {"load",  "foot",     "surface", "support", "body",
                                           "floor", "obstacle", "swivel",  "habit"};
#define BODY_OPTION_COUNT (sizeof body_options / sizeof *body_options)

static const char *body_option(const cli_command *command, const cli_arguments *arguments) {
    for (size_t k = 0; k < BODY_OPTION_COUNT; k++) {
        if (cli_has(command, arguments, body_options[k])) {
            return body_options[k];
        }
    }
    return NULL;
}

/* The option that asks for the bare problem, or NULL. */
static const char *plain_option(const cli_command *command, const cli_arguments *arguments) {
    static const char *const names[] = {"plain",          "posture", "stay",    "middle",
                                        "manipulability", "answers", "compare", "trace"};
    const char *method = cli_value(command, arguments, "method");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (cli_has(command, arguments, names[k])) {
            return names[k];
        }
    }
    return method && strcmp(method, "lm") != 0 ? "method" : NULL;
}

int cli_solve_manner(const cli_command *command, const cli_arguments *arguments, cli_manner *manner) {
    const char *body = body_option(command, arguments), *plain = plain_option(command, arguments);
    *manner = (cli_manner){.plain_option = plain, .has_body_options = body != NULL};
    if (body && plain) {
        return cli_usage(command, "`--%s` is about a body; `--%s` solves the bare problem", body, plain);
    }
    return CLI_OK;
}

/* --- The members of `body` -------------------------------------------------------------------------------- */

typedef struct body_writer {
    const cli_command *command;
    const cli_arguments *arguments;
    lbio_text *json;
    int count; /* members of the object, so far */
} body_writer;

static void put_key(body_writer *w, const char *key) {
    lbio_text_add(w->json, w->count++ ? ", " : "");
    cli_quote(w->json, key);
    lbio_text_add(w->json, ": ");
}

/* Cuts NAME=VALUE; returns the value, or NULL where it is none. */
static char *cut_pair(char *pair) {
    char *equals = strrchr(pair, '=');
    if (!equals || equals == pair) {
        return NULL;
    }
    *equals = 0;
    for (char *end = equals; end > pair && end[-1] == ' ';) {
        *--end = 0;
    }
    return equals + 1 + strspn(equals + 1, " ");
}

/* A quantity: a number where it has no unit. */
static void put_quantity(lbio_text *json, const char *said) {
    double value;
    if (lbio_read_quantity(said, LBIO_PLAIN, &value) == 0) {
        lbio_text_number(json, value);
    } else {
        cli_quote(json, said);
    }
}

/* All NAME=VALUE of an option as the members of an object, or as surfaces. */
typedef int (*put_pair)(body_writer *w, char *name, char *value);

/* `form` is how it is written; is_list: several stand in one argument, with commas. */
static int put_pairs(body_writer *w, const char *option, const char *form, int is_list, put_pair put) {
    int at = 0, code = CLI_OK, count = 0;
    for (const char *text; !code && (text = cli_next(w->command, w->arguments, option, &at));) {
        char *copy = malloc(strlen(text) + 1), *rest = copy, *item;
        if (!copy) {
            w->json->failed = 1;
            return CLI_OK;
        }
        strcpy(copy, text);
        while (!code && (item = is_list ? cli_next_item(&rest) : rest)) {
            char *value = cut_pair(item);
            lbio_text_add(w->json, count++ ? ", " : "");
            code = value ? put(w, cli_unquote(item), value)
                         : cli_usage(w->command, "`--%s %s`: write it as %s", option, text, form);
            rest = is_list ? rest : NULL;
        }
        free(copy);
    }
    return code;
}

static int put_load(body_writer *w, char *name, char *value) {
    double mass;
    if (lbio_read_quantity(value, LBIO_MASS, &mass) || !(mass >= 0)) {
        return cli_usage(w->command, "`--load %s=%s` is no mass; write it as %s=5kg", name, value, name);
    }
    cli_quote(w->json, name);
    lbio_text_add(w->json, ": ");
    put_quantity(w->json, value);
    return CLI_OK;
}

/* A word that the reader of problem files looks up. */
static int put_word(body_writer *w, char *name, char *value) {
    cli_quote(w->json, name);
    lbio_text_add(w->json, ": ");
    cli_quote(w->json, value);
    return CLI_OK;
}

/* left=step, or left=step:box. */
static int put_foot(body_writer *w, char *name, char *value) {
    static const char *const modes[] = {"auto", "planted", "step", "lifted"};
    const size_t length = strcspn(value, ":");
    for (int k = 0; k < 4; k++) {
        if (strlen(modes[k]) == length && strncmp(modes[k], value, length) == 0) {
            return put_word(w, name, value);
        }
    }
    return cli_usage(w->command, "`--foot %s=%s`: a foot may be auto, planted, step or lifted", name, value);
}

static int put_surface(body_writer *w, char *name, char *value) {
    return cli_put_surface(w->command, w->json, name, value);
}

static int put_swivel(body_writer *w, char *name, char *value) {
    return cli_put_swivel(w->command, w->json, name, value);
}

static int put_obstacles(body_writer *w) {
    int at = 0, code = CLI_OK, count = 0;
    if (!cli_has(w->command, w->arguments, "obstacle")) {
        return CLI_OK;
    }
    put_key(w, "obstacles");
    lbio_text_add(w->json, "[");
    for (const char *text; !code && (text = cli_next(w->command, w->arguments, "obstacle", &at));) {
        char *copy = malloc(strlen(text) + 1);
        if (!copy) {
            w->json->failed = 1;
            return CLI_OK;
        }
        strcpy(copy, text);
        lbio_text_add(w->json, count++ ? ", " : "");
        code = cli_put_obstacle(w->command, w->json, copy);
        free(copy);
    }
    lbio_text_add(w->json, "]");
    return code;
}

/* Whether a word is in a list. */
static int is_among(const char *word, const char *const *words, int count) {
    for (int k = 0; k < count; k++) {
        if (strcmp(words[k], word) == 0) {
            return 1;
        }
    }
    return 0;
}

/* effort=0, balance=off: the weight of a term, or a rule switched. */
static int put_term(body_writer *w, char *name, char *value) {
    static const char *const on[] = {"on", "true", "yes", "1"}, *const off[] = {"off", "false", "no", "0"};
    const int is_rule = is_among(name, rules, RULE_COUNT), is_on = is_among(value, on, is_rule ? 4 : 3);
    double weight;
    if (!is_rule && !is_among(name, terms, TERM_COUNT)) {
        const char *known[TERM_COUNT + RULE_COUNT];
        memcpy(known, terms, sizeof terms);
        memcpy(known + TERM_COUNT, rules, sizeof rules);
        const char *near_name = cli_nearest(name, known, TERM_COUNT + RULE_COUNT);
        return near_name ? cli_usage(w->command, "`--body %s=%s`: did you mean `%s`", name, value, near_name)
                         : cli_usage(w->command,
                                     "`--body %s=%s`: there are posture, comfort, effort, hang, head, look, feet and "
                                     "habit, and balance, above_floor, apart, eyes, props and drives",
                                     name, value);
    }
    cli_quote(w->json, name);
    lbio_text_add(w->json, ": ");
    if (is_on || is_among(value, off, is_rule ? 4 : 3)) {
        lbio_text_add(w->json, is_on ? "true" : "false");
        return CLI_OK;
    }
    if (is_rule) {
        return cli_usage(w->command, "`--body %s=%s` is neither on nor off", name, value);
    }
    if (lbio_read_quantity(value, LBIO_PLAIN, &weight) || !(weight >= 0)) {
        return cli_usage(w->command, "`--body %s=%s` is no weight; write it as %s=0.5", name, value, name);
    }
    lbio_text_number(w->json, weight);
    return CLI_OK;
}

/* An option's pairs as a member. */
static int put_member(body_writer *w, const char *option, const char *key, const char *form, put_pair put) {
    const int is_surface = put == put_surface;
    if (!cli_has(w->command, w->arguments, option)) {
        return CLI_OK;
    }
    put_key(w, key);
    lbio_text_add(w->json, is_surface ? "[" : "{");
    int code = put_pairs(w, option, form, !is_surface && put != put_swivel, put);
    lbio_text_add(w->json, is_surface ? "]" : "}");
    return code;
}

/* --habit FILE, FILE=WEIGHT or none. */
static int put_habit(body_writer *w, const char *text) {
    const char *equals = strrchr(text, '=');
    const int length = equals && !lbio_is_file(text) ? (int)(equals - text) : (int)strlen(text);
    double weight = 1;
    int at = 0;
    for (const char *given; (given = cli_next(w->command, w->arguments, "body", &at));) {
        if (strstr(given, "habit")) {
            return cli_usage(w->command, "`--habit` has its own weight, as in --habit human=0.5");
        }
    }
    put_key(w, "habit");
    if (strcmp(text, "none") == 0) {
        lbio_text_add(w->json, "false");
        return CLI_OK;
    }
    if (text[length] && (lbio_read_quantity(text + length + 1, LBIO_PLAIN, &weight) || !(weight >= 0))) {
        return cli_usage(w->command, "`--habit %s` has no weight behind `=`; write it as human=0.5", text);
    }
    char *file = malloc((size_t)length + 1);
    if (!file) {
        w->json->failed = 1;
        return CLI_OK;
    }
    memcpy(file, text, (size_t)length);
    file[length] = 0;
    lbio_text_add(w->json, "{\"file\": ");
    cli_quote(w->json, file);
    lbio_text_add(w->json, ", \"weight\": ");
    lbio_text_number(w->json, weight);
    lbio_text_add(w->json, "}");
    free(file);
    return CLI_OK;
}

int cli_put_body(const cli_command *command, const cli_arguments *arguments, lbio_text *json) {
    body_writer w = {.command = command, .arguments = arguments, .json = json};
    const char *floor = cli_value(command, arguments, "floor"), *habit = cli_value(command, arguments, "habit");
    double height;
    lbio_text_add(json, ",\n  \"body\": {");
    int code = put_pairs(&w, "body", "effort=0 or balance=off", 1, put_term);
    w.count = cli_has(command, arguments, "body");
    if (!code && floor) {
        if (cli_read_length(floor, &height)) {
            return cli_usage(command, "`--floor %s` is no height; write it as 10cm", floor);
        }
        put_key(&w, "floor");
        lbio_text_number(json, height);
    }
    code = code || !habit ? code : put_habit(&w, habit);
    code = code ? code : put_member(&w, "foot", "foot", "left=step", put_foot);
    code = code ? code : put_member(&w, "surface", "surfaces", CLI_SURFACE_FORM, put_surface);
    code = code ? code : put_member(&w, "support", "supports", "left_palm=table", put_word);
    code = code ? code : put_obstacles(&w);
    code = code ? code : put_member(&w, "swivel", "swivels", CLI_SWIVEL_FORM, put_swivel);
    code = code ? code : put_member(&w, "load", "loads", "right_hand=5kg", put_load);
    lbio_text_add(json, "}");
    return code;
}
