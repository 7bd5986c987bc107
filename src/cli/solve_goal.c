/* The small language of --goal: `right_palm at 0.4,0.3,1.2 weight 2`. A sentence becomes the JSON of a constraint, so
 * that what can be said on the command line and in a file is the same, and a command line can be saved as a file. */
#include "cli/cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MOST 48

typedef struct sentence {
    const cli_command *command;
    const char *text; /* all of it, for messages */
    char *words[WORDS_MOST];
    int count, at;
    lbio_text *json;
} sentence;

static int wrong(const sentence *s, const char *what) {
    return cli_usage(s->command, "--goal '%.120s': %s", s->text, what);
}

void cli_quote(lbio_text *text, const char *value) {
    lbio_text_add(text, "\"");
    for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
        char piece[8] = {(char)*c, 0};
        if (*c == '"' || *c == '\\') {
            snprintf(piece, sizeof piece, "\\%c", *c);
        } else if (*c < 0x20) {
            snprintf(piece, sizeof piece, "\\u%04x", *c);
        }
        lbio_text_add(text, piece);
    }
    lbio_text_add(text, "\"");
}

/* The next word, or NULL. */
static const char *next(sentence *s) { return s->at < s->count ? s->words[s->at++] : NULL; }

static void put_key(sentence *s, const char *key) {
    lbio_text_add(s->json, ", ");
    cli_quote(s->json, key);
    lbio_text_add(s->json, ": ");
}

/* Numbers with commas between them, each with a unit perhaps. */
static int read_list(const char *word, lbio_unit unit, int count, double *values) {
    char copy[256], *at = copy;
    if (!word || strlen(word) >= sizeof copy) {
        return -1;
    }
    strcpy(copy, word);
    for (int k = 0; k < count; k++) {
        char *comma = strchr(at, ',');
        if (!comma != (k == count - 1)) {
            return -1;
        }
        if (comma) {
            *comma = 0;
        }
        if (lbio_read_quantity(at, unit, &values[k])) {
            return -1;
        }
        at = comma ? comma + 1 : at;
    }
    return 0;
}

static void put_numbers(sentence *s, const char *key, const double *values, int count) {
    put_key(s, key);
    lbio_text_add(s->json, count > 1 ? "[" : "");
    for (int k = 0; k < count; k++) {
        lbio_text_add(s->json, k ? ", " : "");
        lbio_text_number(s->json, values[k]);
    }
    lbio_text_add(s->json, count > 1 ? "]" : "");
}

static int take_numbers(sentence *s, const char *key, lbio_unit unit, int count, const char *what) {
    double values[4];
    if (read_list(next(s), unit, count, values)) {
        return wrong(s, what);
    }
    put_numbers(s, key, values, count);
    return CLI_OK;
}

static int take_point(sentence *s) {
    return take_numbers(s, "point", LBIO_LENGTH, 3, "a point was expected, as in 0.4,-0.3,1.2 or 40cm,-30cm,120cm");
}

static int take_direction(sentence *s, const char *key) {
    return take_numbers(s, key, LBIO_EITHER, 3, "a direction was expected, as in 0,0,1");
}

static int take_radius(sentence *s) {
    return take_numbers(s, "radius", LBIO_LENGTH, 1, "a radius was expected, as in 0.1 or 10cm");
}

/* A point, or a site that carries the goal. */
static int take_place(sentence *s) {
    double point[3];
    const char *word = next(s);
    if (!word) {
        return wrong(s, "where? a point, as in 0.4,-0.3,1.2, or the name of a site");
    }
    if (read_list(word, LBIO_LENGTH, 3, point) == 0) {
        put_numbers(s, "point", point, 3);
        return CLI_OK;
    }
    if (strchr(word, ',')) {
        return wrong(s, "that is no point; write it as 0.4,-0.3,1.2 or 40cm,-30cm,120cm");
    }
    put_key(s, "relative_to");
    cli_quote(s->json, word);
    return CLI_OK;
}

/* `rpy r,p,y`, if it is there. */
static int take_turn(sentence *s) {
    if (s->at < s->count && strcmp(s->words[s->at], "rpy") == 0) {
        s->at++;
        return take_numbers(s, "rpy", LBIO_ANGLE, 3, "after `rpy` come roll, pitch and yaw, as in 0,90deg,0");
    }
    return CLI_OK;
}

/* --- The verbs ------------------------------------------------------------------------------------ */

static int take_height(sentence *s, double up) {
    double height, point[3] = {0, 0, 0}, normal[3] = {0, 0, up};
    if (read_list(next(s), LBIO_LENGTH, 1, &height)) {
        return wrong(s, "a height was expected, as in 1.2 or 120cm");
    }
    point[2] = height;
    put_numbers(s, "point", point, 3);
    put_numbers(s, "normal", normal, 3);
    return CLI_OK;
}

static int take_region(sentence *s, const char *kind) {
    int code = take_point(s);
    if (strcmp(kind, "box") == 0) {
        code = code ? code
                    : take_numbers(s, "half_size", LBIO_LENGTH, 3,
                                   "after the box's centre come half its sizes, as in 0.1,0.2,0.1");
        return code ? code : take_turn(s);
    }
    if (strcmp(kind, "capsule") == 0) {
        code = code ? code : take_numbers(s, "to", LBIO_LENGTH, 3, "a capsule has two points and a radius");
    }
    code = code ? code : take_radius(s);
    if (strcmp(kind, "circle") == 0 || strcmp(kind, "disc") == 0) {
        code = code ? code : take_direction(s, "normal");
    }
    return code;
}

typedef struct verb {
    const char *word, *kind;
} verb;

static const verb verbs[] = {
    {"at", "position"},      {"aims-at", "aim"},    {"like", "frame"},         {"turned", "orientation"},
    {"on-line", "line"},     {"on-plane", "plane"}, {"on-side", "half-space"}, {"above", "half-space"},
    {"below", "half-space"}, {"in-box", "box"},     {"in-sphere", "sphere"},   {"in-capsule", "capsule"},
    {"on-circle", "circle"}, {"on-disc", "disc"},   {"outside", NULL},
};

#define VERBS ((int)(sizeof verbs / sizeof verbs[0]))

static int take_goal(sentence *s, const char *word, const char *kind) {
    put_key(s, "goal");
    lbio_text_add(s->json, "{\"kind\": ");
    cli_quote(s->json, kind);
    int code = CLI_OK;
    if (strcmp(word, "at") == 0 || strcmp(word, "aims-at") == 0) {
        code = take_place(s);
    } else if (strcmp(word, "like") == 0) {
        code = take_place(s);
        code = code ? code : take_turn(s);
    } else if (strcmp(word, "turned") == 0) {
        code = take_turn(s);
    } else if (strcmp(word, "on-line") == 0 || strcmp(word, "on-plane") == 0 || strcmp(word, "on-side") == 0) {
        code = take_point(s);
        code = code ? code : take_direction(s, strcmp(word, "on-line") == 0 ? "direction" : "normal");
    } else if (strcmp(word, "above") == 0 || strcmp(word, "below") == 0) {
        code = take_height(s, strcmp(word, "above") == 0 ? 1 : -1);
    } else {
        code = take_region(s, kind);
    }
    if (strcmp(word, "outside") == 0) {
        lbio_text_add(s->json, ", \"outside\": true");
    }
    lbio_text_add(s->json, "}");
    return code;
}

static int take_verb(sentence *s) {
    static const char *const shapes[] = {"box", "sphere", "capsule", "disc"};
    const char *word = next(s), *names[VERBS];
    if (!word) {
        return wrong(s, "it should go on: SITE at x,y,z, SITE aims-at x,y,z, SITE in-box ...");
    }
    for (int k = 0; k < VERBS; k++) {
        names[k] = verbs[k].word;
        if (strcmp(word, verbs[k].word) != 0) {
            continue;
        }
        const char *kind = verbs[k].kind;
        if (!kind) {
            const char *shape = next(s);
            for (int i = 0; i < 4 && shape; i++) {
                kind = strcmp(shape, shapes[i]) == 0 ? shapes[i] : kind;
            }
            if (!kind) {
                return wrong(s, "outside what? box, sphere, capsule or disc");
            }
        }
        return take_goal(s, word, kind);
    }
    char message[160];
    const char *near_name = cli_nearest(word, names, VERBS);
    snprintf(
        message, sizeof message, near_name ? "there is no `%.40s`; did you mean `%s`" : "there is no `%.40s`%s", word,
        near_name ? near_name : "; there are at, aims-at, like, turned, on-line, on-plane, above, below, in-box, ...");
    return wrong(s, message);
}

/* weight w, priority p, from JOINT, any-of NAME, tolerance t, named NAME. */
static int take_manner(sentence *s) {
    static const char *const names[] = {"weight", "priority", "from", "any-of", "tolerance", "named"};
    for (const char *word; (word = next(s));) {
        double value;
        int is_text = strcmp(word, "from") == 0 || strcmp(word, "any-of") == 0 || strcmp(word, "named") == 0;
        int is_number = strcmp(word, "weight") == 0 || strcmp(word, "priority") == 0;
        if (!is_text && !is_number && strcmp(word, "tolerance") != 0) {
            char message[120];
            const char *near_name = cli_nearest(word, names, 6);
            snprintf(message, sizeof message,
                     near_name ? "there is no `%.40s`; did you mean `%s`" : "`%.40s` is too much%s", word,
                     near_name ? near_name : "");
            return wrong(s, message);
        }
        const char *argument = next(s);
        if (!argument) {
            return wrong(s, "something is missing at the end");
        }
        if (!is_text && lbio_read_quantity(argument, is_number ? LBIO_PLAIN : LBIO_LENGTH, &value)) {
            return wrong(s, "a number was expected after weight, priority or tolerance");
        }
        put_key(s, strcmp(word, "any-of") == 0 ? "any_of" : strcmp(word, "named") == 0 ? "name" : word);
        if (is_text) {
            cli_quote(s->json, argument);
        } else {
            lbio_text_number(s->json, value);
        }
    }
    return CLI_OK;
}

/* com over SITE,SITE,SITE margin m */
static int take_balance(sentence *s) {
    const char *list = next(s);
    if (!list) {
        return wrong(s, "over what? three or more sites with commas between them");
    }
    lbio_text_add(s->json, "{\"support\": [");
    for (const char *at = list; at;) {
        const char *comma = strchr(at, ',');
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)(comma ? (size_t)(comma - at) : strlen(at)), at);
        lbio_text_add(s->json, at == list ? "" : ", ");
        cli_quote(s->json, name);
        at = comma ? comma + 1 : NULL;
    }
    lbio_text_add(s->json, "]");
    if (s->at < s->count && strcmp(s->words[s->at], "margin") == 0) {
        s->at++;
        int code = take_numbers(s, "margin", LBIO_LENGTH, 1, "after `margin` comes a length, as in 2cm");
        if (code) {
            return code;
        }
    }
    int code = take_manner(s);
    lbio_text_add(s->json, "}");
    return code;
}

int cli_read_goal(const cli_command *command, const char *text, lbio_text *json, int *is_balance) {
    sentence s = {.command = command, .text = text, .json = json};
    char *copy = malloc(strlen(text) + 1);
    if (!copy) {
        return cli_fail(CLI_BAD_INPUT, "no memory for the goals");
    }
    strcpy(copy, text);
    int code = CLI_OK;
    for (char *at = copy + strspn(copy, " \t\n"); *at;) {
        if (s.count == WORDS_MOST) {
            code = wrong(&s, "that is too long");
            break;
        }
        s.words[s.count++] = at;
        at += strcspn(at, " \t\n");
        if (*at) {
            *at++ = 0;
            at += strspn(at, " \t\n");
        }
    }
    const char *effector = next(&s);
    *is_balance = 0;
    if (!code && !effector) {
        code = wrong(&s, "it is empty; write SITE at x,y,z");
    } else if (!code && s.count > 1 && strcmp(s.words[1], "over") == 0) {
        s.at++;
        *is_balance = 1;
        code = strcmp(effector, "com") == 0 ? take_balance(&s) : wrong(&s, "only `com` can be over sites");
    } else if (!code) {
        lbio_text_add(json, "{\"effector\": ");
        cli_quote(json, effector);
        code = take_verb(&s);
        code = code ? code : take_manner(&s);
        lbio_text_add(json, "}");
    }
    free(copy);
    return code;
}
