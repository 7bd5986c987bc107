/* The words of a goal's sentence: numbers, names, places and directions. */
#include "cli/solve/solve_goal.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_goal_wrong(const cli_sentence *s, const char *format, ...) {
    char message[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return cli_usage(s->command, "--goal '%.120s': %s", s->text, message);
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
char *cli_goal_next(cli_sentence *s) { return s->at < s->count ? s->words[s->at++] : NULL; }

int cli_goal_is_one_of(const char *word, const char *const *words, int count) {
    for (int k = 0; k < count; k++) {
        if (strcmp(word, words[k]) == 0) {
            return 1;
        }
    }
    return 0;
}

void cli_goal_put_key(lbio_text *json, const char *key) {
    lbio_text_add(json, ", ");
    cli_quote(json, key);
    lbio_text_add(json, ": ");
}

void cli_goal_put_text(lbio_text *json, const char *key, const char *value) {
    cli_goal_put_key(json, key);
    cli_quote(json, value);
}

void cli_goal_put_numbers(lbio_text *json, const char *key, const double *values, int count) {
    cli_goal_put_key(json, key);
    lbio_text_add(json, count > 1 ? "[" : "");
    for (int k = 0; k < count; k++) {
        lbio_text_add(json, k ? ", " : "");
        lbio_text_number(json, values[k]);
    }
    lbio_text_add(json, count > 1 ? "]" : "");
}

/* --- Numbers and names ------------------------------------------------------------------------------ */

/* Numbers with commas between them, each with a unit perhaps. */
int cli_goal_read_list(const char *word, lbio_unit unit, int count, double *values) {
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

/* The numbers that come after a word, into a member; `what` says what they are, `example` how they are written. */
int cli_goal_take_numbers(cli_sentence *s, lbio_text *json, const char *key, lbio_unit unit, int count,
                          const char *what, const char *example) {
    double values[4];
    const char *before = s->at > 0 ? s->words[s->at - 1] : "", *word = cli_goal_next(s);
    if (!word) {
        return cli_goal_wrong(s, "after `%.40s` %s is missing, as in %s", before, what, example);
    }
    if (cli_goal_read_list(word, unit, count, values)) {
        return cli_goal_wrong(s, "`%.40s` is no %s; write it as %s", word, what, example);
    }
    cli_goal_put_numbers(json, key, values, count);
    return CLI_OK;
}

int cli_goal_take_point(cli_sentence *s, const char *key) {
    return cli_goal_take_numbers(s, &s->goal, key, LBIO_LENGTH, 3, "point", "0.4,-0.3,1.2 or 40cm,-30cm,120cm");
}

int cli_goal_take_radius(cli_sentence *s) {
    return cli_goal_take_numbers(s, &s->goal, "radius", LBIO_LENGTH, 1, "radius", "0.1 or 10cm");
}

static int read_direction(cli_sentence *s, double direction[3]) {
    const char *before = s->words[s->at - 1], *word = cli_goal_next(s);
    if (!word) {
        return cli_goal_wrong(s, "after `%.40s` a direction is missing, as in 0,0,-1", before);
    }
    if (cli_goal_read_list(word, LBIO_PLAIN, 3, direction) ||
        !(fabs(direction[0]) + fabs(direction[1]) + fabs(direction[2]) > 0)) {
        return cli_goal_wrong(s, "`%.40s` is no direction; write it as 0,0,-1", word);
    }
    return CLI_OK;
}

int cli_goal_take_direction(cli_sentence *s, const char *key) {
    double direction[3];
    int code = read_direction(s, direction);
    if (!code) {
        cli_goal_put_numbers(&s->goal, key, direction, 3);
    }
    return code;
}

int cli_goal_take_carrier(cli_sentence *s, char *word) {
    if (s->is_carried++) {
        return cli_goal_wrong(s, "the goal is carried twice: `%.40s` is one too many", word);
    }
    cli_goal_put_text(&s->goal, "relative_to", cli_unquote(word));
    return CLI_OK;
}

/* A point, or a site or segment that carries the goal. */
int cli_goal_take_place(cli_sentence *s) {
    double point[3];
    char *word = cli_goal_next(s);
    if (!word) {
        return cli_goal_wrong(s, "after `%s`, where? a point, as in 0.4,-0.3,1.2, or the name of a site or segment",
                              s->verb);
    }
    if (cli_is_quoted(word)) {
        return cli_goal_take_carrier(s, word);
    }
    if (cli_goal_read_list(word, LBIO_LENGTH, 3, point) == 0) {
        cli_goal_put_numbers(&s->goal, "point", point, 3);
        return CLI_OK;
    }
    if (strchr(word, ',')) {
        return cli_goal_wrong(s, "`%.40s` is no point; write it as 0.4,-0.3,1.2 or 40cm,-30cm,120cm", word);
    }
    return cli_goal_take_carrier(s, word);
}

/* --- Directions ------------------------------------------------------------------------------------- */

/* The axis that a word such as z-cli_along or -y-aims-at begins with; 0: it is no such word. */
int cli_goal_read_axis(const char *word, const char *ending, double axis[3]) {
    double sign = *word == '-' ? -1 : 1;
    const char *letter = word + (*word == '-' || *word == '+');
    if (*letter < 'x' || *letter > 'z' || letter[1] != '-' || strcmp(letter + 2, ending) != 0) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        axis[i] = *letter == 'x' + i ? sign : 0;
    }
    return 1;
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

int cli_goal_take_along(cli_sentence *s, const char *word) {
    static const char *const kinds[] = {"position", "frame", "orientation"};
    if (s->is_turned || !cli_goal_is_one_of(s->kind, kinds, 3)) {
        return cli_goal_wrong(s,
                              s->is_turned
                                  ? "`%.40s` and a rotation (rpy, quaternion) do not go together"
                                  : "`%.40s` goes with at and like, or stands alone: give it a --goal of its own",
                              word);
    }
    if (s->along_count == 2) {
        return cli_goal_wrong(s, "`%.40s` is too much: two axes say all of a rotation", word);
    }
    cli_along *a = &s->alongs[s->along_count];
    a->word = word;
    cli_goal_read_axis(word, "along", a->axis);
    int code = read_direction(s, a->direction);
    if (!code && s->along_count++ == 1) {
        const cli_along *b = &s->alongs[0];
        if (dot(a->axis, b->axis) != 0) {
            return cli_goal_wrong(s, "`%.40s` and `%.40s` are about the same axis", b->word, word);
        }
        double size = sqrt(dot(a->direction, a->direction) * dot(b->direction, b->direction));
        if (fabs(dot(a->direction, b->direction)) > 1e-3 * size) {
            return cli_goal_wrong(s, "the directions of `%.40s` and `%.40s` are not at right angles", b->word, word);
        }
    }
    return code;
}

int cli_goal_take_turn(cli_sentence *s, const char *word) {
    static const char *const kinds[] = {"position", "frame", "orientation", "box"};
    if (!cli_goal_is_one_of(s->kind, kinds, 4)) {
        return cli_goal_wrong(s, "`%s` goes with at, like, turned and in-box; `%.20s` has no rotation", word, s->verb);
    }
    if (s->along_count || s->is_turned++) {
        return cli_goal_wrong(s, "`%s` is too much: the rotation is given already", word);
    }
    return strcmp(word, "rpy") == 0
               ? cli_goal_take_numbers(s, &s->goal, "rpy", LBIO_ANGLE, 3, "rotation by roll, pitch and yaw",
                                       "0,90deg,0")
               : cli_goal_take_numbers(s, &s->goal, "quaternion", LBIO_PLAIN, 4, "quaternion", "0,0,0,1 (x,y,z,w)");
}
