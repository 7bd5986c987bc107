/* limber retarget --map, --save-map. */
#include "cli/retarget/retarget_map.h"
#include "cli/output.h"
#include "figure/suggest.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts as files name them, by lb_body_part. */
static const char *const part_names[LB_BODY_PART_COUNT] = {
    "pelvis",         "chest",           "neck",           "head",          "left_clavicle", "right_clavicle",
    "left_upper_arm", "right_upper_arm", "left_forearm",   "right_forearm", "left_hand",     "right_hand",
    "left_thigh",     "right_thigh",     "left_shank",     "right_shank",   "left_foot",     "right_foot",
    "left_toes",      "right_toes",
#define FINGER(name)                                                                                   \
    "left_" name, "right_" name, "left_" name "_middle", "right_" name "_middle", "left_" name "_tip", \
        "right_" name "_tip"
    FINGER("thumb"),  FINGER("index"),   FINGER("middle"), FINGER("ring"),  FINGER("little")};

/* A segment by its name; a misspelt one is an error with a suggestion. */
static int find_bone(const cli_bones *bones, int which, const char *name, int *bone) {
    const lb_figure *figure = bones->figures[which];
    int count = lb_figure_segment_count(figure);
    *bone = lb_figure_find_segment(figure, name);
    if (*bone >= 0) {
        return CLI_OK;
    }
    char text[LBF_SUGGESTION_TEXT];
    lbf_suggestions near_names;
    lbf_suggest_begin(&near_names, name);
    for (int s = 0; s < count; s++) {
        lbf_suggest_offer(&near_names, lb_figure_segment(figure, s)->name, lb_figure_segment(figure, s)->name);
    }
    return *lbf_suggest_text(&near_names, text)
               ? cli_usage(bones->command, "%s has no bone `%s`; %s", bones->paths[which], name, text)
               : cli_usage(bones->command, "%s has no bone `%s`; `limber info` lists them", bones->paths[which], name);
}

static int find_part(const int *segments, int bone) {
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        if (segments[p] == bone) {
            return p;
        }
    }
    return -1;
}

/* Two bones are the same part: the one that either of them is already known as. */
static int join(const cli_bones *bones, int a, int b, const char *text) {
    lb_body_map *map = bones->map;
    int by_source = find_part(map->source, a), by_target = find_part(map->target, b);
    if (by_source >= 0) {
        if (by_target >= 0) {
            map->target[by_target] = -1; /* it is something else now */
        }
        map->target[by_source] = b;
    } else if (by_target >= 0) {
        map->source[by_target] = a;
    } else {
        return cli_usage(bones->command, "`--map %s`: neither is known as a part of a body; a file may name the part",
                         text);
    }
    return CLI_OK;
}

int cli_map_bone(const cli_bones *bones, const char *text) {
    char name[256];
    const char *equals = strchr(text, '=');
    int a, b;
    if (!equals || equals == text || !equals[1] || (size_t)(equals - text) >= sizeof name) {
        return cli_usage(bones->command, "`--map %s` should name a bone of each, as in --map LeftLeg=shin_l", text);
    }
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = 0;
    int code = find_bone(bones, 0, name, &a);
    code = code ? code : find_bone(bones, 1, equals + 1, &b);
    return code ? code : join(bones, a, b, text);
}

static char *trim(char *text) {
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) {
        *--end = 0;
    }
    while (isspace((unsigned char)*text)) {
        text++;
    }
    return text;
}

/* "part = A = B": what names say of the part, and of the bones, gives way. */
static int set_part(const cli_bones *bones, char *fields[3]) {
    int *lists[2] = {bones->map->source, bones->map->target}, part = -1;
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        part = strcmp(part_names[p], fields[0]) == 0 ? p : part;
    }
    if (part < 0) {
        const char *near_name = cli_nearest(fields[0], part_names, LB_BODY_PART_COUNT);
        return cli_usage(bones->command, "there is no part `%s` of a body; did you mean `%s`", fields[0],
                         near_name ? near_name : part_names[0]);
    }
    for (int k = 0; k < 2; k++) {
        int bone = -1, code = strcmp(fields[1 + k], "-") == 0 ? CLI_OK : find_bone(bones, k, fields[1 + k], &bone);
        if (code) {
            return code;
        }
        int before = bone < 0 ? -1 : find_part(lists[k], bone);
        if (before >= 0) {
            lists[k][before] = -1;
        }
        lists[k][part] = bone;
    }
    return CLI_OK;
}

/* A line, without its comment. */
static int map_line(const cli_bones *bones, char *line, const char *path, int number) {
    char *fields[3], *at = trim(line);
    int count = 0, a, b;
    if (!*at) {
        return CLI_OK;
    }
    for (char *equals; at && count < 3; at = equals ? equals + 1 : NULL) {
        equals = strchr(at, '=');
        if (equals) {
            *equals = 0;
        }
        fields[count++] = trim(at);
    }
    if (at || count < 2) {
        return cli_fail(CLI_BAD_INPUT, "%s:%d: a line should be `A = B`, or `part = A = B`", path, number);
    }
    if (count == 3) {
        return set_part(bones, fields);
    }
    int code = find_bone(bones, 0, fields[0], &a);
    code = code ? code : find_bone(bones, 1, fields[1], &b);
    return code ? code : join(bones, a, b, fields[0]);
}

int cli_map_file(const cli_bones *bones, const char *path) {
    char *data = NULL;
    size_t size = 0;
    lb_error error;
    int code = CLI_OK, number = 0;
    if (lbio_read_file(path, 1 << 20, &data, &size, &error)) {
        return cli_usage(bones->command, "`--map %s` is neither A=B nor a file that can be read", path);
    }
    for (char *at = data; at && !code;) {
        char *end = strchr(at, '\n'), *comment;
        if (end) {
            *end = 0;
        }
        comment = strchr(at, '#');
        if (comment) {
            *comment = 0;
        }
        code = map_line(bones, at, path, ++number);
        at = end ? end + 1 : NULL;
    }
    free(data);
    return code;
}

/* Bones that are no part yet, as a comment, so that one need not look them up. */
static void list_others(const cli_bones *bones, int which, const int *segments, lbio_text *text) {
    const lb_figure *figure = bones->figures[which];
    int count = 0;
    for (int s = 0; s < lb_figure_segment_count(figure); s++) {
        if (find_part(segments, s) < 0 && lb_figure_parent_segment(figure, s) >= 0) {
            if (count == 0) {
                lbio_text_format(text, "# other bones of %s:", bones->paths[which]);
            }
            lbio_text_format(text, "%s %s", count > 0 ? "," : "", lb_figure_segment(figure, s)->name);
            count++;
        }
    }
    lbio_text_add(text, count ? "\n" : "");
}

int cli_save_map(const cli_bones *bones, const char *path) {
    lbio_text text = {0};
    const int *lists[2] = {bones->map->source, bones->map->target};
    lbio_text_format(&text, "# part = bone of %s = bone of %s; - for none\n", bones->paths[0], bones->paths[1]);
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        lbio_text_format(&text, "%s", part_names[p]);
        for (int k = 0; k < 2; k++) {
            int bone = lists[k][p];
            lbio_text_format(&text, " = %s", bone < 0 ? "-" : lb_figure_segment(bones->figures[k], bone)->name);
        }
        lbio_text_add(&text, "\n");
    }
    for (int k = 0; k < 2; k++) {
        list_others(bones, k, lists[k], &text);
    }
    return cli_write_text(path, &text, "the map");
}
