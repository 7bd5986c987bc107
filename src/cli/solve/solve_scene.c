/* What a body meets, on the command line: surfaces, obstacles, and where elbows and knees point; as members of `body`
 * in the problem. */
#include "cli/solve/solve_scene.h"
#include "cli/cli.h"
#include <limber/body.h>
#include <stdio.h>
#include <string.h>

/* The next word of a text, which is cut there; NULL at its end. */
static char *next_word(char **at) {
    char *word = *at + strspn(*at, " ");
    if (!*word) {
        return NULL;
    }
    char *end = word + strcspn(word, " ");
    *at = *end ? end + 1 : end;
    *end = 0;
    return word;
}

/* Numbers with commas between them, in a unit. Returns how many they are; -1 where one is none. */
static int read_numbers(char *text, lbio_unit unit, double *values, int most) {
    int count = 0;
    for (char *item; (item = cli_next_item(&text)); count++) {
        if (count == most || lbio_read_quantity(item, unit, &values[count])) {
            return -1;
        }
    }
    return count;
}

static void put_numbers(lbio_text *json, const char *key, const double *values, int count) {
    lbio_text_add(json, ", \"");
    lbio_text_add(json, key);
    lbio_text_add(json, "\": [");
    for (int k = 0; k < count; k++) {
        lbio_text_add(json, k ? ", " : "");
        lbio_text_number(json, values[k]);
    }
    lbio_text_add(json, "]");
}

/* What may follow a place: a word, the key that it becomes, and how many numbers it has; 0: one length. */
typedef struct detail {
    const char *word, *key;
    int count;
    lbio_unit unit;
} detail;

/* All that follows a place. Returns the word that is not understood, NULL where there is none. */
static const char *put_details(lbio_text *json, char *at, const detail *known, int known_count) {
    for (char *word; (word = next_word(&at));) {
        char *said = next_word(&at);
        double values[4];
        int k = 0;
        while (k < known_count && strcmp(known[k].word, word) != 0) {
            k++;
        }
        const int count = k < known_count && known[k].count ? known[k].count : 1;
        if (k == known_count || !said || read_numbers(said, known[k].unit, values, count) != count) {
            return word;
        }
        if (known[k].count) {
            put_numbers(json, known[k].key, values, count);
        } else {
            lbio_text_add(json, ", \"");
            lbio_text_add(json, known[k].key);
            lbio_text_add(json, "\": ");
            lbio_text_number(json, values[0]);
        }
    }
    return NULL;
}

/* --- Surfaces ------------------------------------------------------------------------------------------------ */

int cli_put_surface(const cli_command *command, lbio_text *json, const char *name, char *value) {
    static const detail details[] = {{"half", "half_size", 2, LBIO_LENGTH},
                                     {"normal", "normal", 3, LBIO_PLAIN},
                                     {"along", "along", 3, LBIO_PLAIN},
                                     {"thick", "thickness", 0, LBIO_LENGTH}};
    double values[5];
    char *at = value, *place = next_word(&at);
    const int count = place ? read_numbers(place, LBIO_LENGTH, values, 5) : 0;
    if (count < 0 || (count == 5 && !(values[3] > 0 && values[4] > 0))) {
        return cli_usage(command, "`--surface %s`: there is no length that is meant; write it as " CLI_SURFACE_FORM,
                         name);
    }
    if (count != 3 && count != 5) {
        return cli_usage(command,
                         "`--surface %s` has %d numbers; write its middle, and half its size along x and y "
                         "where it ends, as " CLI_SURFACE_FORM,
                         name, count);
    }
    lbio_text_add(json, "{\"name\": ");
    cli_quote(json, name);
    put_numbers(json, "point", values, 3);
    if (count == 5) {
        put_numbers(json, "half_size", values + 3, 2);
    }
    const char *wrong = put_details(json, at, details, 4);
    lbio_text_add(json, "}");
    return wrong ? cli_usage(command,
                             "`--surface %s`: `%s` is not understood; after its middle there may be `half 0.4,0.6`, "
                             "`normal -1,0,0`, `along 0,1,0` and `thick 4cm`",
                             name, wrong)
                 : CLI_OK;
}

/* --- Obstacles ----------------------------------------------------------------------------------------------- */

int cli_put_obstacle(const cli_command *command, lbio_text *json, char *text) {
    static const char *const kinds[] = {"sphere", "capsule", "box"};
    static const detail details[][2] = {{{"radius", "radius", 0, LBIO_LENGTH}, {"radius", "radius", 0, LBIO_LENGTH}},
                                        {{"to", "to", 3, LBIO_LENGTH}, {"radius", "radius", 0, LBIO_LENGTH}},
                                        {{"half", "half_size", 3, LBIO_LENGTH}, {"rpy", "rpy", 3, LBIO_ANGLE}}};
    char *at = text, *word = next_word(&at), *equals = word ? strchr(word, '=') : NULL, *place;
    const char *name = NULL;
    double values[3];
    int kind = 0;
    if (equals) {
        *equals = 0;
        name = word;
        word = equals + 1;
    }
    while (word && kind < 3 && strcmp(kinds[kind], word) != 0) {
        kind++;
    }
    if (!word || kind == 3) {
        return cli_usage(command, "`--obstacle %s` is no sphere, capsule or box; write it as " CLI_OBSTACLE_FORM,
                         word ? word : "");
    }
    place = next_word(&at);
    if (!place || read_numbers(place, LBIO_LENGTH, values, 3) != 3) {
        return cli_usage(command, "`--obstacle %s`: where is it? Write it as " CLI_OBSTACLE_FORM, word);
    }
    lbio_text_add(json, "{\"kind\": ");
    cli_quote(json, word);
    if (name) {
        lbio_text_add(json, ", \"name\": ");
        cli_quote(json, name);
    }
    put_numbers(json, "point", values, 3);
    const char *wrong = put_details(json, at, details[kind], 2);
    lbio_text_add(json, "}");
    return wrong ? cli_usage(command, "`--obstacle %s`: `%s` is not understood; write it as %s", word, wrong,
                             kind == 0   ? "sphere 0.5,0,1 radius 10cm"
                             : kind == 1 ? "capsule 0.5,-1,0.9 to 0.5,1,0.9 radius 3cm"
                                         : "box 0.6,0,0.35 half 0.3,0.5,0.35")
                 : CLI_OK;
}

/* --- Swivels ------------------------------------------------------------------------------------------------- */

int cli_put_swivel(const cli_command *command, lbio_text *json, const char *joint, char *value) {
    double direction[3];
    cli_quote(json, joint);
    lbio_text_add(json, ": ");
    if (!strchr(value, ',')) {
        cli_quote(json, value); /* the reader of problem files knows the sides */
        return CLI_OK;
    }
    if (read_numbers(value, LBIO_PLAIN, direction, 3) != 3) {
        return cli_usage(command, "`--swivel %s`: write a side or a direction, as " CLI_SWIVEL_FORM, joint);
    }
    for (int k = 0; k < 3; k++) {
        lbio_text_add(json, k ? ", " : "[");
        lbio_text_number(json, direction[k]);
    }
    lbio_text_add(json, "]");
    return CLI_OK;
}
