/* Names, numbers and frames as .fig text that reads back as the same bits. Each candidate is read back as the reader
 * would before it is taken, so exactness does not rest on reasoning about rounding. */
#include "io/fig/fig_print.h"
#include "math/trig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int lbio_fig_same_bits(const void *a, const void *b, size_t size) { return memcmp(a, b, size) == 0; }

/* ---------------------------------------------------------------------------------------------------
 * Names
 * ------------------------------------------------------------------------------------------------- */

/* Whether the reader takes it as one word: letters, digits, _ and inner -. */
static int is_plain_name(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        int digit = c >= '0' && c <= '9';
        if (!letter && !(i > 0 && digit) && !(i > 0 && c == '-' && i + 1 < length)) {
            return 0;
        }
    }
    return length > 0;
}

void lbio_fig_print_name(lbio_text *text, const char *name) {
    if (is_plain_name(name)) {
        lbio_text_add(text, name);
        return;
    }
    const char *end = name + strlen(name);
    lbio_text_add(text, "\"");
    for (const char *at = name; at < end;) {
        int length = lbio_fig_utf8_length(at, end);
        unsigned char c = (unsigned char)*at;
        if (length == 0 || c < 0x20 || c == 0x7F) {
            lbio_text_format(text, "\\x%02x", c);
            at++;
            continue;
        }
        if (c == '"' || c == '\\') {
            lbio_text_add(text, "\\");
        }
        lbio_text_bytes(text, at, (size_t)length);
        at += length;
    }
    lbio_text_add(text, "\"");
}

/* ---------------------------------------------------------------------------------------------------
 * Numbers
 * ------------------------------------------------------------------------------------------------- */

/* The number rounded to `digits` digits, as text in the C locale; returns what that reads as, times 10^power. */
static double rounded(double number, int digits, int power, char text[32]) {
    char printed[64];
    double back = number;
    snprintf(printed, sizeof printed, "%.*g", digits, number);
    lbio_to_c_locale(printed, text);
    lbio_number_scaled(text, text + strlen(text), power, &back);
    return back;
}

/* The shortest text in degrees or centimetres that reads as the value; 0 if there is none. */
static int human_text(fig_unit unit, double value, char text[32]) {
    double guess = unit == FIG_ANGLE ? value * 57.295779513082321 : value * 100;
    for (int digits = 15; digits <= 17 && guess - guess == 0; digits++) {
        double back =
            unit == FIG_ANGLE ? lbio_fig_degrees(rounded(guess, digits, 0, text)) : rounded(guess, digits, -2, text);
        if (back == value) {
            return 1;
        }
    }
    return 0;
}

static void print_plain(lbio_text *text, double value) {
    if (value == 0 && signbit(value)) {
        lbio_text_add(text, "-");
    }
    lbio_text_number(text, value);
}

/* Degrees and centimetres unless that takes more digits. */
static void print_with_unit(lbio_text *text, fig_unit unit, double value) {
    char human[32], si[32];
    int is_angle = unit == FIG_ANGLE;
    lbio_print_number(value, si);
    if (human_text(unit, value, human) && strlen(human) <= strlen(si) + 1) {
        lbio_text_add(text, human);
        lbio_text_add(text, is_angle ? "deg" : "cm");
    } else {
        lbio_text_add(text, si);
        lbio_text_add(text, is_angle ? "rad" : "m");
    }
}

void lbio_fig_print_value(lbio_text *text, fig_unit unit, double value) {
    if (value - value != 0) {
        lbio_text_add(text, "none");
    } else if (unit == FIG_PLAIN || unit == FIG_MASS) {
        print_plain(text, value);
        lbio_text_add(text, unit == FIG_MASS ? "kg" : "");
    } else if (value == 0) {
        print_plain(text, value);
        lbio_text_add(text, unit == FIG_ANGLE ? "deg" : "cm");
    } else {
        print_with_unit(text, unit, value);
    }
}

void lbio_fig_print_triple(lbio_text *text, fig_unit unit, const double values[3]) {
    for (int i = 0; i < 3; i++) {
        lbio_text_add(text, i ? ", " : "(");
        lbio_fig_print_value(text, unit, values[i]);
    }
    lbio_text_add(text, ")");
}

/* ---------------------------------------------------------------------------------------------------
 * Frames
 * ------------------------------------------------------------------------------------------------- */

/* Angles as people write them: degrees of few digits first, then radians as URDF files have them, then all digits. */
typedef struct spelling {
    int digits;
    int is_radian;
} spelling;

static const spelling SPELLINGS[] = {{6, 0},  {10, 0}, {13, 0}, {15, 0}, {6, 1},  {8, 1},  {10, 1},
                                     {12, 1}, {15, 1}, {16, 1}, {17, 1}, {16, 0}, {17, 0}, {5, 1}};
#define SPELLING_COUNT ((int)(sizeof SPELLINGS / sizeof SPELLINGS[0]))

/* Spells an angle, and gives what it reads as. */
static double spell_angle(const spelling *how, double angle, char text[40]) {
    double number = rounded(how->is_radian ? angle : angle * 57.295779513082321, how->digits, 0, text);
    strcat(text, how->is_radian ? "rad" : "deg");
    return how->is_radian ? number : lbio_fig_degrees(number);
}

static int print_rot(lbio_text *text, const double rotation[4]) {
    int axis = rotation[0] != 0 ? 0 : rotation[1] != 0 ? 1 : 2;
    for (int i = 0; i < 3; i++) {
        if (i != axis && rotation[i] != 0) {
            return 0;
        }
    }
    double angle = 2 * lbm_atan2(rotation[axis], rotation[3]);
    for (int i = 0; i < 2 * SPELLING_COUNT; i++) {
        int negative = i % 2; /* about -z by the opposite angle: the same rotation, other signs of zeros */
        double direction[3] = {0, 0, 0}, back[4];
        char spelled[40];
        direction[axis] = negative ? -1 : 1;
        double read = spell_angle(&SPELLINGS[i / 2], negative ? -angle : angle, spelled);
        if (lb_rotation_about(direction, read, back) == LB_OK && lbio_fig_same_bits(back, rotation, sizeof back)) {
            lbio_text_format(text, "rot(%s%c, %s)", negative ? "-" : "", "xyz"[axis], spelled);
            return 1;
        }
    }
    return 0;
}

static int print_rpy(lbio_text *text, const double rotation[4]) {
    double rpy[3];
    lb_rotation_to_rpy(rotation, rpy);
    for (int i = 0; i < 2 * SPELLING_COUNT; i++) {
        double read[3], back[4];
        char spelled[3][40];
        for (int k = 0; k < 3; k++) { /* -0 only where 0 will not do */
            read[k] = spell_angle(&SPELLINGS[i / 2], rpy[k] == 0 && i % 2 == 0 ? 0 : rpy[k], spelled[k]);
        }
        lb_rotation_from_rpy(read, back);
        if (lbio_fig_same_bits(back, rotation, sizeof back)) {
            lbio_text_format(text, "rpy(%s, %s, %s)", spelled[0], spelled[1], spelled[2]);
            return 1;
        }
    }
    return 0;
}

static void print_rotation(lbio_text *text, const double rotation[4]) {
    if (print_rot(text, rotation) || print_rpy(text, rotation)) {
        return;
    }
    lbio_text_add(text, "quat(");
    for (int i = 0; i < 4; i++) {
        lbio_text_add(text, i ? ", " : "");
        print_plain(text, rotation[i]);
    }
    lbio_text_add(text, ")");
}

void lbio_fig_print_frame(lbio_text *text, const lb_frame *frame) {
    lb_frame identity;
    lb_frame_identity(&identity);
    int turned = !lbio_fig_same_bits(frame->rotation, identity.rotation, sizeof frame->rotation);
    int moved = !lbio_fig_same_bits(frame->position, identity.position, sizeof frame->position);
    if (moved || !turned) {
        lbio_text_add(text, "trans");
        lbio_fig_print_triple(text, FIG_LENGTH, frame->position);
        lbio_text_add(text, turned ? " * " : "");
    }
    if (turned) {
        print_rotation(text, frame->rotation);
    }
}
