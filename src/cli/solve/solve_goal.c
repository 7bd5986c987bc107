/* The small language of --goal: `tool0 at 0.4,0,0.3 z-along 0,0,-1 within 1mm`. A sentence becomes the JSON of a
 * constraint, so that what can be said on the command line and in a file is the same, and a command line can be saved
 * as a file. */
#include "cli/solve/solve_goal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The verbs ------------------------------------------------------------------------------------ */

static const char *const verbs[][2] = {
    {"at", "position"},        {"aims-at", "aim"},      {"like", "frame"},
    {"turned", "orientation"}, {"on-line", "line"},     {"on-plane", "plane"},
    {"on-side", "half-space"}, {"above", "half-space"}, {"below", "half-space"},
    {"in-box", "box"},         {"in-sphere", "sphere"}, {"in-capsule", "capsule"},
    {"on-circle", "circle"},   {"on-disc", "disc"},     {"in-faces", "polyhedron"},
    {"outside", ""},           {"x-along", ""},         {"y-along", ""},
    {"z-along", ""},           {"z-aims-at", ""},
};

#define VERBS ((int)(sizeof verbs / sizeof verbs[0]))
#define VERBS_TEXT                                                                                                \
    "at, like, turned, x-along, y-along, z-along, aims-at, z-aims-at, on-line, on-plane, on-side, above, below, " \
    "in-box, "                                                                                                    \
    "in-sphere, in-capsule, on-circle, on-disc, in-faces, outside"

/* The kind of goal that a verb makes: "" for those that need a look at what follows; NULL: it is no verb. */
static const char *kind_of(const char *word) {
    double axis[3];
    for (int k = 0; k < VERBS; k++) {
        if (strcmp(word, verbs[k][0]) == 0 && verbs[k][1][0]) {
            return verbs[k][1];
        }
    }
    return cli_goal_read_axis(word, "along", axis)     ? "orientation"
           : cli_goal_read_axis(word, "aims-at", axis) ? "aim"
           : strcmp(word, "outside") == 0              ? ""
                                                       : NULL;
}

static int take_height(cli_sentence *s, double up) {
    double height, point[3] = {0, 0, 0}, normal[3] = {0, 0, up};
    const char *word = cli_goal_next(s);
    if (!word || cli_goal_read_list(word, LBIO_LENGTH, 1, &height)) {
        return cli_goal_wrong(s, "after `%s` a height was expected, as in 1.2 or 120cm", s->verb);
    }
    point[2] = height;
    cli_goal_put_numbers(&s->goal, "point", point, 3);
    cli_goal_put_numbers(&s->goal, "normal", normal, 3);
    return CLI_OK;
}

/* nx,ny,nz,d once for each face. */
static int take_faces(cli_sentence *s) {
    double face[4];
    int count = 0;
    cli_goal_put_key(&s->goal, "faces");
    while (s->at < s->count && cli_goal_read_list(s->words[s->at], LBIO_PLAIN, 4, face) == 0) {
        lbio_text_add(&s->goal, count++ ? ", [" : "[[");
        for (int k = 0; k < 4; k++) {
            lbio_text_add(&s->goal, k ? ", " : "");
            lbio_text_number(&s->goal, face[k]);
        }
        lbio_text_add(&s->goal, "]");
        s->at++;
    }
    lbio_text_add(&s->goal, "]");
    return count ? CLI_OK : cli_goal_wrong(s, "faces were expected: nx,ny,nz,d each, as in 1,0,0,0.5");
}

static int take_region(cli_sentence *s) {
    const char *kind = s->kind;
    if (strcmp(kind, "polyhedron") == 0) {
        return take_faces(s);
    }
    int code = cli_goal_take_point(s, "point");
    if (strcmp(kind, "box") == 0) {
        return code ? code
                    : cli_goal_take_numbers(s, &s->goal, "half_size", LBIO_LENGTH, 3, "size (half of each)",
                                            "0.1,0.2,0.1");
    }
    if (strcmp(kind, "capsule") == 0) {
        code = code ? code : cli_goal_take_point(s, "to");
    }
    code = code ? code : cli_goal_take_radius(s);
    if (strcmp(kind, "circle") == 0 || strcmp(kind, "disc") == 0) {
        code = code ? code : cli_goal_take_direction(s, "normal");
    }
    return code;
}

static int take_goal(cli_sentence *s) {
    static const char *const flat[] = {"on-line", "on-plane", "on-side"};
    const char *word = s->verb;
    double axis[3];
    if (strcmp(s->kind, "position") == 0 || strcmp(s->kind, "aim") == 0 || strcmp(s->kind, "frame") == 0) {
        s->aims_by = cli_goal_read_axis(word, "aims-at", axis) ? word : NULL;
        return cli_goal_take_place(s);
    }
    if (strcmp(word, "turned") == 0) {
        return CLI_OK; /* what follows says how */
    }
    if (strcmp(s->kind, "orientation") == 0) {
        return cli_goal_take_along(s, word);
    }
    if (cli_goal_is_one_of(word, flat, 3)) {
        int code = cli_goal_take_point(s, "point");
        return code ? code : cli_goal_take_direction(s, strcmp(word, "on-line") == 0 ? "direction" : "normal");
    }
    if (strcmp(s->kind, "half-space") == 0) {
        return take_height(s, strcmp(word, "above") == 0 ? 1 : -1);
    }
    return take_region(s);
}

static int unknown_verb(const cli_sentence *s, const char *word) {
    const char *names[VERBS];
    for (int k = 0; k < VERBS; k++) {
        names[k] = verbs[k][0];
    }
    for (int k = s->at; k < s->count; k++) {
        if (kind_of(s->words[k])) {
            return cli_goal_wrong(
                s, "`%.40s` was not understood; a name with blanks stands in quotes, as in \"Left Arm\" at 0,0,1",
                word);
        }
    }
    const char *near_name = cli_nearest(word, names, VERBS);
    return near_name ? cli_goal_wrong(s, "`%.40s` was not understood; did you mean `%s`", word, near_name)
                     : cli_goal_wrong(s, "`%.40s` was not understood; what can be asked of `%.40s` is %s", word,
                                      s->effector, VERBS_TEXT);
}

static int take_verb(cli_sentence *s) {
    static const char *const shapes[] = {"box", "sphere", "capsule", "disc", "polyhedron"};
    const char *word = cli_goal_next(s);
    if (!word) {
        return cli_goal_wrong(s, "what is asked of `%.40s`? it should go on with one of %s", s->effector, VERBS_TEXT);
    }
    s->verb = word;
    s->kind = kind_of(word);
    if (!s->kind) {
        return unknown_verb(s, word);
    }
    if (!*s->kind) {
        const char *shape = cli_goal_next(s);
        if (!shape || !cli_goal_is_one_of(shape, shapes, 5)) {
            return cli_goal_wrong(s, "after `outside` comes box, sphere, capsule, disc or polyhedron, not `%.40s`",
                                  shape ? shape : "");
        }
        s->kind = shape;
        lbio_text_add(&s->goal, ", \"outside\": true");
    }
    return take_goal(s);
}

/* --- What may follow -------------------------------------------------------------------------------- */

/* A length, three of them, or an angle. */
static int take_tolerance(cli_sentence *s, const char *word) {
    double lengths[3], angle;
    const char *argument = cli_goal_next(s);
    if (!argument) {
        return cli_goal_wrong(s, "after `%s` a length or an angle is missing, as in 1mm or 2deg", word);
    }
    if (cli_goal_read_list(argument, LBIO_LENGTH, 1, lengths) == 0) {
        cli_goal_put_numbers(&s->manner, "tolerance", lengths, 1);
    } else if (cli_goal_read_list(argument, LBIO_LENGTH, 3, lengths) == 0) {
        cli_goal_put_numbers(&s->manner, "tolerance", lengths, 3);
    } else if (strcmp(s->kind, "balance") != 0 && cli_goal_read_list(argument, LBIO_ANGLE, 1, &angle) == 0) {
        cli_goal_put_numbers(&s->manner, "tolerance_angle", &angle, 1);
    } else {
        return cli_goal_wrong(
            s, "`%.40s` is no tolerance; write a length as 1mm, three as 1mm,1mm,5mm, or an angle as 2deg", argument);
    }
    return CLI_OK;
}

static int take_degrees(cli_sentence *s) {
    double degrees[2];
    s->has_degrees = 1;
    if (s->at < s->count && cli_goal_read_list(s->words[s->at], LBIO_PLAIN, 2, degrees) == 0) {
        s->at++;
        cli_goal_put_numbers(&s->goal, "degrees_per_metre", degrees, 2);
        return CLI_OK;
    }
    return cli_goal_take_numbers(s, &s->goal, "degrees_per_metre", LBIO_PLAIN, 1, "number of degrees", "90 or 90,0");
}

/* from JOINT, any-of NAME, named NAME, relative-to PLACE. */
static int take_name(cli_sentence *s, const char *word) {
    char *argument = cli_goal_next(s);
    if (!argument) {
        return cli_goal_wrong(s, "after `%s` a name is missing", word);
    }
    if (strcmp(word, "relative-to") == 0) {
        return cli_goal_take_carrier(s, argument);
    }
    cli_goal_put_text(&s->manner,
                      strcmp(word, "any-of") == 0  ? "any_of"
                      : strcmp(word, "named") == 0 ? "name"
                                                   : "from",
                      cli_unquote(argument));
    return CLI_OK;
}

/* weight, priority, radius, half-length, position-weight, offset: numbers. */
static int take_number(cli_sentence *s, const char *word) {
    if (strcmp(word, "offset") == 0) {
        return cli_goal_take_numbers(s, &s->effector_json, "point", LBIO_LENGTH, 3, "point", "0,0,10cm");
    }
    if (strcmp(word, "radius") == 0 || strcmp(word, "half-length") == 0) {
        return cli_goal_take_numbers(s, &s->manner, *word == 'r' ? "radius" : "half_length", LBIO_LENGTH, 1, "length",
                                     "5cm");
    }
    if (strcmp(word, "position-weight") == 0) {
        s->has_share = 1;
        return cli_goal_take_numbers(s, &s->goal, "position_weight", LBIO_PLAIN, 1, "number", "0.5");
    }
    return cli_goal_take_numbers(s, &s->manner, word, LBIO_PLAIN, 1, "number", "2");
}

#define MANNERS_TEXT                                                                                               \
    "within, weight, priority, from, any-of, named, relative-to, offset, radius, half-length, degrees-per-metre, " \
    "position-weight, rpy, quaternion, x-along, y-along, z-along"

static int take_manner(cli_sentence *s) {
    static const char *const texts[] = {"from", "any-of", "named", "relative-to"};
    static const char *const numbers[] = {"weight", "priority", "radius", "half-length", "position-weight", "offset"};
    static const char *const names[] = {"within",          "weight",      "priority", "from",       "any-of",
                                        "named",           "relative-to", "offset",   "radius",     "half-length",
                                        "position-weight", "tolerance",   "rpy",      "quaternion", "degrees-per-metre",
                                        "x-along",         "y-along",     "z-along"};
    static const char *const of_balance[] = {"weight", "priority", "within", "tolerance"};
    double axis[3];
    int code = CLI_OK, is_balance = strcmp(s->kind, "balance") == 0;
    for (const char *word; !code && (word = cli_goal_next(s));) {
        if (is_balance && !cli_goal_is_one_of(word, of_balance, 4)) {
            code = cli_goal_wrong(s, "`%.40s` was not understood; what may follow is margin, weight, priority, within",
                                  word);
        } else if (cli_goal_read_axis(word, "along", axis)) {
            code = cli_goal_take_along(s, word);
        } else if (strcmp(word, "rpy") == 0 || strcmp(word, "quaternion") == 0) {
            code = cli_goal_take_turn(s, word);
        } else if (strcmp(word, "within") == 0 || strcmp(word, "tolerance") == 0) {
            code = take_tolerance(s, word);
        } else if (strcmp(word, "degrees-per-metre") == 0) {
            code = take_degrees(s);
        } else if (cli_goal_is_one_of(word, texts, 4)) {
            code = take_name(s, word);
        } else if (cli_goal_is_one_of(word, numbers, 6)) {
            code = take_number(s, word);
        } else {
            const char *near_name = cli_nearest(word, names, sizeof names / sizeof names[0]);
            code = near_name
                       ? cli_goal_wrong(s, "`%.40s` was not understood; did you mean `%s`", word, near_name)
                       : cli_goal_wrong(s, "`%.40s` was not understood; what may follow is %s", word, MANNERS_TEXT);
        }
    }
    return code;
}

/* com over NAME,NAME,NAME margin m */
static int take_balance(cli_sentence *s) {
    char *list = cli_goal_next(s);
    int count = 0;
    if (!list) {
        return cli_goal_wrong(s, "over what? three or more sites or segments with commas between them");
    }
    lbio_text_add(&s->goal, ", \"support\": [");
    for (char *item; (item = cli_next_item(&list));) {
        lbio_text_add(&s->goal, count++ ? ", " : "");
        cli_quote(&s->goal, cli_unquote(item));
    }
    lbio_text_add(&s->goal, "]");
    if (s->at < s->count && strcmp(s->words[s->at], "margin") == 0) {
        s->at++;
        int code = cli_goal_take_numbers(s, &s->goal, "margin", LBIO_LENGTH, 1, "length", "2cm");
        if (code) {
            return code;
        }
    }
    s->verb = "over";
    s->kind = "balance";
    return take_manner(s);
}

/* --- The whole ---------------------------------------------------------------------------------------- */

/* The axes that are spoken of, as the file has them: x and y of the end-effector, which x and y of the goal are for. */
static void put_axes(cli_sentence *s) {
    static const char *const roles[] = {"x", "y"};
    int is_plain = 1; /* the end-effector's own x and y will do */
    for (int k = 0; k < s->along_count; k++) {
        is_plain &= s->alongs[k].axis[0] == 1 || s->alongs[k].axis[1] == 1;
    }
    for (int k = 0; k < s->along_count; k++) {
        int role = is_plain ? s->alongs[k].axis[1] == 1 : k;
        cli_goal_put_numbers(&s->goal, roles[role], s->alongs[k].direction, 3);
        if (!is_plain) {
            cli_goal_put_numbers(&s->effector_json, roles[role], s->alongs[k].axis, 3);
        }
    }
    if (s->aims_by) {
        double axis[3];
        cli_goal_read_axis(s->aims_by, "aims-at", axis);
        cli_goal_put_numbers(&s->effector_json, "x", axis, 3);
    }
}

static void put_constraint(cli_sentence *s, lbio_text *json) {
    if ((s->along_count || s->is_turned) && strcmp(s->kind, "position") == 0) {
        s->kind = "frame";
    }
    put_axes(s);
    lbio_text_add(json, "{\"effector\": ");
    if (s->is_segment || s->effector_json.size) {
        lbio_text_add(json, s->is_segment ? "{\"segment\": " : "{\"site\": ");
        cli_quote(json, s->effector);
        lbio_text_add(json, s->effector_json.data ? s->effector_json.data : "");
        lbio_text_add(json, "}");
    } else {
        cli_quote(json, s->effector);
    }
    cli_goal_put_key(json, "goal");
    lbio_text_add(json, "{\"kind\": ");
    cli_quote(json, s->kind);
    lbio_text_add(json, s->goal.data ? s->goal.data : "");
    lbio_text_add(json, "}");
    lbio_text_add(json, s->manner.data ? s->manner.data : "");
    lbio_text_add(json, "}");
}

static void put_balance(cli_sentence *s, lbio_text *json) {
    lbio_text_add(json, "{");
    lbio_text_add(json, s->goal.data ? s->goal.data + 2 : ""); /* without its comma */
    lbio_text_add(json, s->manner.data ? s->manner.data : "");
    lbio_text_add(json, "}");
}

/* NAME, `segment NAME` or `site NAME`. */
static int take_effector(cli_sentence *s) {
    char *word = cli_goal_next(s);
    if (!word) {
        return cli_goal_wrong(s, "it is empty; write NAME at x,y,z");
    }
    int is_kind = strcmp(word, "segment") == 0 || strcmp(word, "site") == 0;
    if (is_kind && s->count > 2 && !kind_of(s->words[1])) {
        s->is_segment = strcmp(word, "segment") == 0;
        word = cli_goal_next(s);
    }
    s->effector = cli_unquote(word);
    return *s->effector ? CLI_OK : cli_goal_wrong(s, "the name of the end-effector is empty");
}

/* What can only be told when all was read. */
static int check_whole(const cli_sentence *s) {
    static const char *const directed[] = {"frame", "orientation", "aim"};
    int is_open = strcmp(s->verb, "turned") == 0 || strcmp(s->verb, "like") == 0;
    int is_frame =
        strcmp(s->kind, "frame") == 0 || (strcmp(s->kind, "position") == 0 && (s->along_count || s->is_turned));
    if (is_open && !s->is_turned && !s->along_count && !s->is_carried) {
        return cli_goal_wrong(
            s, "which way? `%s` goes on with rpy r,p,y, quaternion x,y,z,w, z-along x,y,z or relative-to NAME",
            s->verb);
    }
    if (s->has_degrees && !is_frame && !cli_goal_is_one_of(s->kind, directed, 3)) {
        return cli_goal_wrong(s, "`degrees-per-metre` goes with directions; `%s` has none", s->verb);
    }
    return s->has_share && !is_frame
               ? cli_goal_wrong(
                     s, "`position-weight` goes with a position and a direction together, as in at p z-along 0,0,-1")
               : CLI_OK;
}

static int read_goal(cli_sentence *s, lbio_text *json, int *is_balance) {
    int code = take_effector(s);
    if (!code && s->at < s->count && strcmp(s->words[s->at], "over") == 0) {
        s->at++;
        *is_balance = 1;
        code =
            strcmp(s->effector, "com") == 0 ? take_balance(s) : cli_goal_wrong(s, "only `com` can be over something");
        if (!code) {
            put_balance(s, json);
        }
        return code;
    }
    code = code ? code : take_verb(s);
    code = code ? code : take_manner(s);
    code = code ? code : check_whole(s);
    if (!code) {
        put_constraint(s, json);
    }
    return code;
}

int cli_read_goal(const cli_command *command, const char *text, lbio_text *json, int *is_balance) {
    cli_sentence s = {.command = command, .text = text};
    char *copy = malloc(strlen(text) + 1);
    if (!copy) {
        return cli_fail(CLI_BAD_INPUT, "no memory for the goals");
    }
    strcpy(copy, text);
    *is_balance = 0;
    s.count = cli_split_words(copy, s.words, CLI_WORDS_MOST);
    int code = s.count == -1  ? cli_goal_wrong(&s, "that is too long")
               : s.count < -1 ? cli_goal_wrong(&s, "a quote is opened and not closed")
                              : read_goal(&s, json, is_balance);
    if (!code && (s.effector_json.failed || s.goal.failed || s.manner.failed)) {
        code = cli_fail(CLI_BAD_INPUT, "no memory for the goals");
    }
    lbio_text_free(&s.effector_json);
    lbio_text_free(&s.goal);
    lbio_text_free(&s.manner);
    free(copy);
    return code;
}
