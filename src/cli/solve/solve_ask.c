/* The problem that limber solve is asked: from a file, or from a figure and options, which become the text of such a
 * file. */
#include "cli/output.h"
#include <limber/body.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASKED_HERE "command line" /* what stands for a file in messages about the problem that is asked there */

/* A copy that may be cut, to be freed; NULL where there is no memory. */
static char *copy_of(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

/* "a,b,c" as ["a", "b", "c"]. */
static void put_names(lbio_text *json, const char *list, int *count) {
    char *copy = copy_of(list), *at = copy;
    json->failed |= !copy;
    for (char *item; (item = cli_next_item(&at));) {
        lbio_text_add(json, (*count)++ ? ", " : "");
        cli_quote(json, cli_unquote(item));
    }
    free(copy);
}

/* All values of an option as one list. */
static void put_name_lists(const cli_command *command, const cli_arguments *arguments, const char *option,
                           lbio_text *json) {
    int at = 0, count = 0;
    if (!cli_has(command, arguments, option)) {
        return;
    }
    lbio_text_format(json, ",\n  \"%s\": [", option);
    for (const char *list; (list = cli_next(command, arguments, option, &at));) {
        put_names(json, list, &count);
    }
    lbio_text_add(json, "]");
}

/* One NAME=VALUE as a member; a value with a unit is a string. */
static int put_pair(const cli_command *command, const char *option, char *pair, lbio_text *json) {
    char *equals = strrchr(pair, '=');
    double value;
    if (!equals) {
        return cli_usage(command, "--%s: `%s` is not NAME=VALUE; write it as elbow=90deg,hip.rx=20deg", option, pair);
    }
    *equals = 0;
    for (char *end = equals; end > pair && end[-1] == ' ';) {
        *--end = 0;
    }
    cli_quote(json, cli_unquote(pair));
    lbio_text_add(json, ": ");
    const char *said = equals + 1 + strspn(equals + 1, " ");
    if (lbio_read_quantity(said, LBIO_PLAIN, &value) == 0) {
        lbio_text_number(json, value);
    } else {
        cli_quote(json, said);
    }
    return CLI_OK;
}

int cli_put_values(const cli_command *command, const cli_arguments *arguments, const char *option, lbio_text *json) {
    int at = 0, count = 0, code = CLI_OK;
    if (!cli_has(command, arguments, option)) {
        return CLI_OK;
    }
    lbio_text_format(json, ",\n  \"%s\": {", option);
    for (const char *list; !code && (list = cli_next(command, arguments, option, &at));) {
        char *copy = copy_of(list), *rest = copy;
        json->failed |= !copy;
        for (char *item; !code && (item = cli_next_item(&rest));) {
            lbio_text_add(json, count++ ? ", " : "");
            code = put_pair(command, option, item, json);
        }
        free(copy);
    }
    lbio_text_add(json, "}");
    return code;
}

static int put_goals(const cli_command *command, const cli_arguments *arguments, lbio_text *json) {
    lbio_text goals = {0}, balances = {0};
    int at = 0, code = CLI_OK, goal_count = 0, balance_count = 0;
    for (const char *text; !code && (text = cli_next(command, arguments, "goal", &at));) {
        lbio_text one = {0};
        int is_balance = 0;
        code = cli_read_goal(command, text, &one, &is_balance);
        lbio_text *to = is_balance ? &balances : &goals;
        int *count = is_balance ? &balance_count : &goal_count;
        lbio_text_add(to, (*count)++ ? ",\n    " : "\n    ");
        lbio_text_add(to, one.data ? one.data : "");
        lbio_text_free(&one);
    }
    lbio_text_format(json, ",\n  \"constraints\": [%s%s]", goals.data ? goals.data : "", goal_count ? "\n  " : "");
    if (balance_count) {
        lbio_text_format(json, ",\n  \"balance\": [%s\n  ]", balances.data ? balances.data : "");
    }
    lbio_text_free(&goals);
    lbio_text_free(&balances);
    return code;
}

static int put_wishes(const cli_command *command, const cli_arguments *arguments, lbio_text *json) {
    static const char *const names[] = {"posture", "stay", "middle", "manipulability"};
    int count = 0;
    for (int k = 0; k < 4; k++) {
        const char *text = cli_value(command, arguments, names[k]);
        double weight;
        if (!text) {
            continue;
        }
        if (lbio_read_quantity(text, LBIO_PLAIN, &weight) || !(weight >= 0)) {
            return cli_usage(command, "`--%s %s` is no weight; write it as 0.01", names[k], text);
        }
        lbio_text_add(json, count++ ? ", " : ",\n  \"wishes\": {");
        lbio_text_format(json, "\"%s\": ", names[k]);
        lbio_text_number(json, weight);
    }
    const char *level = cli_value(command, arguments, "wish-level");
    if (level && strcmp(level, "own") != 0 && strcmp(level, "goals") != 0) {
        return cli_usage(command, "`--wish-level %s` is none; write own or goals", level);
    }
    if (level && !count) {
        return cli_usage(command, "`--wish-level` needs a wish: --posture, --stay or --middle");
    }
    if (level) {
        lbio_text_format(json, ", \"level\": \"%s\"", level);
    }
    lbio_text_add(json, count ? "}" : "");
    return CLI_OK;
}

/* On its feet, or on a base that drives. */
static int put_base(const cli_command *command, const cli_arguments *arguments, lbio_text *json) {
    cli_source source = {0};
    const int code = cli_read_base(command, arguments, &source);
    if (source.stand) {
        lbio_text_add(json, ", \"stand\": true");
    }
    if (source.base == LB_BASE_PLANAR) {
        lbio_text_add(json, ", \"base\": [");
        for (int i = 0; i < 3; i++) {
            lbio_text_add(json, i ? ", " : "");
            lbio_text_number(json, source.base_half[i]);
        }
        lbio_text_add(json, "]");
    }
    return code;
}

/* The problem as a file has it; natural: with `body`. */
static int write_problem(const cli_command *command, const cli_arguments *arguments, int natural, int has_collisions,
                         lbio_text *json) {
    const char *stature = cli_value(command, arguments, "stature");
    double metres;
    lbio_text_add(json, "{\n  \"figures\": [{\"file\": ");
    cli_quote(json, arguments->operands[0]);
    if (stature) {
        if (cli_read_length(stature, &metres) || !(metres > 0)) {
            return cli_usage(command, "`--stature %s` is no height; write it as 1.55m or 155cm", stature);
        }
        lbio_text_add(json, ", \"stature\": ");
        lbio_text_number(json, metres);
    }
    cli_source unit = {0};
    if (cli_read_unit(command, arguments, &unit)) {
        return CLI_BAD_USAGE;
    }
    if (unit.unit > 0) {
        lbio_text_add(json, ", \"unit\": ");
        lbio_text_number(json, unit.unit);
    }
    if (cli_value(command, arguments, "limits")) {
        lbio_text_add(json, ", \"limits\": ");
        cli_quote(json, cli_value(command, arguments, "limits"));
    }
    int code = put_base(command, arguments, json);
    lbio_text_add(json, "}]");
    code = code ? code : cli_put_values(command, arguments, "start", json);
    code = code ? code : put_goals(command, arguments, json);
    put_name_lists(command, arguments, "keep", json);
    put_name_lists(command, arguments, "active", json);
    put_name_lists(command, arguments, "inactive", json);
    code = code ? code : cli_put_values(command, arguments, "rigidity", json);
    code = code ? code : put_wishes(command, arguments, json);
    code = code || !natural ? code : cli_put_body(command, arguments, json);
    code = code || !has_collisions ? code : cli_put_collisions(command, arguments, ",\n  \"collisions\": ", json);
    lbio_text_add(json, "\n}\n");
    return code ? code : json->failed ? cli_fail(CLI_BAD_INPUT, "no memory for the problem") : CLI_OK;
}

static int is_problem(const char *path) {
    size_t length = strlen(path);
    return strcmp(path, "-") == 0 || (length > 5 && strcmp(path + length - 5, ".json") == 0);
}

/* What only makes sense without a file. */
static int refuse_asking(const cli_command *command, const cli_arguments *arguments) {
    static const char *const names[] = {
        "middle", "manipulability", "goal",    "keep",  "start", "rigidity", "active",  "inactive", "posture",
        "stay",   "wish-level",     "stature", "save",  "load",  "foot",     "surface", "support",  "body",
        "floor",  "habit",          "limits",  "avoid", "srdf",  "stand",    "base",    "unit"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (cli_has(command, arguments, names[k])) {
            return cli_usage(command, "`--%s` goes with a figure; `%s` is a problem file: write it there", names[k],
                             arguments->operands[0]);
        }
    }
    return CLI_OK;
}

/* The goal that became constraint (or balance) number `index`; NULL: none. */
static const char *goal_number(const cli_command *command, const cli_arguments *arguments, int of_balance, int index) {
    int at = 0;
    for (const char *text; (text = cli_next(command, arguments, "goal", &at));) {
        lbio_text unused = {0};
        int is_balance = 0;
        cli_read_goal(command, text, &unused, &is_balance);
        lbio_text_free(&unused);
        if (is_balance == of_balance && index-- == 0) {
            return text;
        }
    }
    return NULL;
}

/* An option's own word for a member of `body`. */
static const char *option_of_member(const char *member) {
    static const char *const names[][2] = {{"foot", "foot"},  {"surfaces", "surface"}, {"supports", "support"},
                                           {"loads", "load"}, {"floor", "floor"},      {"habit", "habit"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strncmp(member, names[k][0], strlen(names[k][0])) == 0) {
            return names[k][1];
        }
    }
    return "body";
}

/* What is wrong with the problem that the command line makes, in the command line's own words: nobody wrote
 * `constraints[0].effector`. */
static int report_asked(const cli_command *command, const cli_arguments *arguments, lb_error *error) {
    const char *message = error->message, *goal = NULL, *colon = strstr(message, ": ");
    int index = -1, of_balance = strncmp(message, "balance[", 8) == 0;
    if (strcmp(error->file, ASKED_HERE) != 0 || !colon) {
        return cli_report(CLI_BAD_INPUT, error);
    }
    if (of_balance || strncmp(message, "constraints[", 12) == 0) {
        index = atoi(strchr(message, '[') + 1);
        goal = goal_number(command, arguments, of_balance, index);
    }
    if (goal) {
        const char *member = strchr(message, '.');
        int has_member = member && member < colon && !of_balance && strncmp(member, ".effector:", 10) != 0 &&
                         strncmp(member, ".goal.relative_to:", 18) != 0;
        return cli_fail(CLI_BAD_INPUT, "--goal '%.120s':%s%.*s %s", goal, has_member ? " " : "",
                        has_member ? (int)(colon - member) : 0, has_member ? member + 1 : "", colon + 2);
    }
    if (strncmp(message, "body.", 5) == 0) {
        return cli_fail(CLI_BAD_INPUT, "--%s: %s", option_of_member(message + 5), colon + 2);
    }
    int option = (int)strcspn(message, "[.:");
    return strncmp(message, "figures", 7) == 0 ? cli_fail(CLI_BAD_INPUT, "%s", colon + 2)
                                               : cli_fail(CLI_BAD_INPUT, "--%.*s: %s", option, message, colon + 2);
}

/* Poses the first figure as a body, where it has one and nothing speaks against it. */
static int make_natural(lb_problem_file *file, cli_manner *manner, int *is_natural) {
    lb_problem *problem = lb_problem_file_problem(file);
    *is_natural = manner->has_body_options;
    if (*is_natural || !lb_figure_body(lb_problem_figure(problem, 0))) {
        return CLI_OK;
    }
    manner->is_plain_body = manner->plain_option != NULL;
    *is_natural = !manner->is_plain_body;
    return *is_natural && lb_problem_set_body(problem, 0, NULL) ? cli_report(CLI_BAD_INPUT, lb_problem_error(problem))
                                                                : CLI_OK;
}

static int save_problem(const cli_command *command, const cli_arguments *arguments, int is_natural, const char *path) {
    lbio_text json = {0};
    int code = write_problem(command, arguments, is_natural, 1, &json);
    if (code) {
        lbio_text_free(&json);
        return code;
    }
    return cli_write_text(path, &json, "the problem");
}

/* The problem of a file; --plain takes its bodies away. */
static int load_file(const cli_command *command, const cli_arguments *arguments, const lb_load_options *how,
                     lb_problem_file **file) {
    lb_error error = {0};
    if (lb_problem_load(arguments->operands[0], how, file, &error)) {
        return cli_report(CLI_BAD_INPUT, &error);
    }
    lb_problem *problem = lb_problem_file_problem(*file);
    for (int f = 0; cli_has(command, arguments, "plain") && f < lb_problem_figure_count(problem); f++) {
        lb_problem_clear_body(problem, f);
    }
    return CLI_OK;
}

/* What --avoid asks for, once it is known who is posed as a body: pairs of their own limbs are not looked for. */
static int keep_apart(const cli_command *command, const cli_arguments *arguments, const lb_load_options *how,
                      lb_problem_file *file) {
    lbio_text json = {0};
    lb_error error = {0};
    int code = cli_put_collisions(command, arguments, "", &json);
    if (!code && json.failed) {
        code = cli_fail(CLI_BAD_INPUT, "no memory for the problem");
    }
    if (!code && json.size &&
        lb_problem_read_collisions(lb_problem_file_problem(file), json.data, json.size, ".", how, &error)) {
        code = cli_report(CLI_BAD_INPUT, &error);
    }
    lbio_text_free(&json);
    return code;
}

/* The problem that the options ask of a figure. */
static int load_asked(const cli_command *command, const cli_arguments *arguments, const lb_load_options *how,
                      cli_manner *manner, lb_problem_file **file) {
    lb_error error = {0};
    lbio_text json = {0};
    int is_natural = 0;
    const char *save = cli_value(command, arguments, "save");
    const int is_asked = cli_has(command, arguments, "goal") || cli_has(command, arguments, "support") ||
                         cli_has(command, arguments, "foot") || cli_has(command, arguments, "swivel") ||
                         cli_has(command, arguments, "obstacle");
    int code = is_asked
                   ? write_problem(command, arguments, manner->has_body_options, 0, &json)
                   : cli_usage(command, "nothing is asked of `%s`; give a problem file (.json), or goals with --goal",
                               arguments->operands[0]);
    lbio_source source = {ASKED_HERE, json.data, json.size, how, &error};
    if (!code && lbio_read_problem(&source, ".", file)) {
        code = report_asked(command, arguments, &error);
    }
    code = code ? code : make_natural(*file, manner, &is_natural);
    code = code ? code : keep_apart(command, arguments, how, *file);
    if (!code && save) {
        code = save_problem(command, arguments, is_natural, save);
    }
    lbio_text_free(&json);
    return code;
}

/* Which meshes are read: hulls where something is kept apart, and what is to be seen where it is drawn. A robot that
 * stands does so on what its feet show, if nothing of them is solid, so that a picture does not change the answer. */
static int meshes_for(const cli_command *command, const cli_arguments *arguments) {
    const char *output = cli_value(command, arguments, "output");
    if (cli_has(command, arguments, "png") ||
        (output && strcmp(output, "-") != 0 && lb_picture_format_from_path(output)) ||
        cli_has(command, arguments, "stand")) {
        return 2;
    }
    return cli_has(command, arguments, "packages") || cli_has(command, arguments, "avoid");
}

int cli_solve_load(const cli_command *command, const cli_arguments *arguments, cli_manner *manner,
                   lb_problem_file **file) {
    char models[4096], packages[4096];
    cli_warnings warnings = {.is_loud = 1};
    lb_load_options how;
    int code = CLI_OK;
    lb_load_options_defaults(&how);
    how.models = cli_models_folder(models, sizeof models) ? models : NULL;
    how.warn = cli_warn, how.warn_context = &warnings;
    how.stature = manner->stature;
    how.root = cli_value(command, arguments, "root");
    how.meshes = meshes_for(command, arguments);
    how.packages = how.meshes || is_problem(arguments->operands[0]) ? packages : NULL;
    warnings.is_loud = !manner->is_quiet;
    code = cli_read_limits(command, arguments, &how.limits);
    code = code ? code : cli_read_packages(command, arguments, packages, sizeof packages);
    if (code) {
        return code;
    }
    if (is_problem(arguments->operands[0])) {
        code = refuse_asking(command, arguments);
        code = code ? code : load_file(command, arguments, &how, file);
    } else {
        how.body = !cli_has(command, arguments, "plain"); /* whoever is a person is posed as one */
        how.limits = how.body && !cli_has(command, arguments, "limits") ? LB_LIMITS_AUTO : how.limits;
        code = load_asked(command, arguments, &how, manner, file);
    }
    cli_warnings_free(&warnings);
    return code;
}
