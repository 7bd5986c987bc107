/* Lengths, angles and sizes: from words and for people. Always in the C locale. */
#include "cli/cli.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_read_length(const char *text, double *metres) {
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"", 1}, {"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"inch", 0.0254}, {"ft", 0.3048}};
    double value;
    const char *rest = lbio_number(text, text + strlen(text), &value);
    if (!rest) {
        return -1;
    }
    rest += strspn(rest, " ");
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        if (strcmp(rest, units[k].name) == 0) {
            *metres = value * units[k].metres;
            return 0;
        }
    }
    return -1;
}

int cli_read_numbers(const char *text, int count, double *values) {
    const char *end = text + strlen(text);
    for (int k = 0; k < count; k++) {
        text = lbio_number(text, end, &values[k]);
        if (!text || (k + 1 < count && *text++ != ',')) {
            return -1;
        }
    }
    return *text ? -1 : 0;
}

int cli_read_size(const char *text, int *width, int *height) {
    char *rest;
    long w = strtol(text, &rest, 10);
    if (rest == text || (*rest != 'x' && *rest != 'X')) {
        return -1;
    }
    const char *second = rest + 1;
    long h = strtol(second, &rest, 10);
    if (rest == second || *rest || w < 1 || h < 1 || w > 1000000 || h > 1000000) {
        return -1;
    }
    *width = (int)w, *height = (int)h;
    return 0;
}

int cli_read_format(const cli_command *command, const char *option, const char *text, lb_format *format) {
    static const char *const names[] = {"fig", "urdf", "mjcf", "bvh", "gltf", "glb"};
    static const lb_format formats[] = {LB_FORMAT_FIG, LB_FORMAT_URDF, LB_FORMAT_MJCF,
                                        LB_FORMAT_BVH, LB_FORMAT_GLTF, LB_FORMAT_GLTF};
    for (int k = 0; k < 6; k++) {
        if (strcmp(text, names[k]) == 0) {
            *format = formats[k];
            return CLI_OK;
        }
    }
    const char *near_name = cli_nearest(text, names, 6);
    return near_name
               ? cli_usage(command, "`--%s %s` is no format; did you mean `%s`", option, text, near_name)
               : cli_usage(command, "`--%s %s` is no format; there are fig, urdf, mjcf, bvh and gltf", option, text);
}

void cli_print_number(double value, char text[32]) {
    if (!isfinite(value)) {
        strcpy(text, value > 0 ? "inf" : value < 0 ? "-inf" : "nan");
        return;
    }
    if (fabs(value) < 1e-12) { /* what rounding left of 0 */
        strcpy(text, "0");
        return;
    }
    /* Six significant digits, four decimals at most: what was 90 deg is 90 again. */
    double magnitude = fabs(value), unit = magnitude > 0 ? pow(10, floor(log10(magnitude)) - 5) : 1;
    unit = fmax(unit, 1e-4);
    if (magnitude < 0.01 && magnitude > 0) {
        unit = pow(10, floor(log10(magnitude)) - 2);
    }
    double rounded = unit < 1 ? floor(value / unit + 0.5) / floor(1 / unit + 0.5) : floor(value / unit + 0.5) * unit;
    lbio_print_number(rounded, text);
}

void cli_print_value(double value, int is_angle, char text[32]) {
    char number[32];
    cli_print_number(is_angle ? value * 180 / 3.14159265358979323846 : value, number);
    snprintf(text, 32, "%.26s %s", number, is_angle ? "deg" : "m");
}

void cli_range_text(double lower, double upper, int is_angle, char *text, size_t size) {
    char low[32], high[32];
    double factor = is_angle ? 180 / 3.14159265358979323846 : 1;
    cli_print_number(lower * factor, low);
    cli_print_number(upper * factor, high);
    const char *unit = is_angle ? "deg" : "m";
    if (isfinite(lower) && isfinite(upper)) {
        snprintf(text, size, "%s .. %s %s", low, high, unit);
    } else if (isfinite(lower)) {
        snprintf(text, size, "from %s %s", low, unit);
    } else if (isfinite(upper)) {
        snprintf(text, size, "up to %s %s", high, unit);
    } else {
        snprintf(text, size, "no limit");
    }
}

int cli_width_of(const char *text) {
    int width = 0;
    for (; *text; text++) {
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}

void cli_print_padded(const char *text, int width) {
    printf("%s%*s", text, width > cli_width_of(text) ? width - cli_width_of(text) : 0, "");
}
