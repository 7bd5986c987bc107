/* Which segments of two figures are the same parts of a body, by their names. */
#include "io/human/human.h"

#include <limber/io.h>
#include <stdlib.h>
#include <string.h>

/* The segment of a part; -1: none. */
static int find_part(int count, const char *const *names, int part) {
    for (int s = 0; s < count; s++) {
        if (names[s] && strcmp(names[s], lbio_part_name(part)) == 0) {
            return s;
        }
    }
    return -1;
}

static int is_below(const lb_figure *figure, int segment, int above) {
    while (segment >= 0 && segment != above) {
        segment = lb_figure_parent_segment(figure, segment);
    }
    return segment >= 0;
}

/* The pelvis is what both thighs hang on: some rigs call so the first bone of the spine, beside them. */
static int find_pelvis(const lb_figure *figure, const int *segments) {
    int pelvis = segments[LB_BODY_PART_PELVIS], left = segments[LB_BODY_PART_THIGH],
        right = segments[LB_BODY_PART_THIGH + 1];
    for (int at = pelvis; at >= 0 && left >= 0 && right >= 0; at = lb_figure_parent_segment(figure, at)) {
        if (is_below(figure, left, at) && is_below(figure, right, at)) {
            return at == lb_figure_root(figure)->segment ? pelvis : at;
        }
    }
    return pelvis;
}

static lb_status map_figure(const lb_figure *figure, int *segments) {
    static const struct {
        int body, part;
    } sided[] = {{LB_BODY_PART_CLAVICLE, LBIO_CLAVICLE}, {LB_BODY_PART_UPPER_ARM, LBIO_UPPER_ARM},
                 {LB_BODY_PART_FOREARM, LBIO_FOREARM},   {LB_BODY_PART_HAND, LBIO_HAND},
                 {LB_BODY_PART_THIGH, LBIO_THIGH},       {LB_BODY_PART_SHANK, LBIO_SHANK},
                 {LB_BODY_PART_FOOT, LBIO_FOOT},         {LB_BODY_PART_TOES, LBIO_TOES}};
    int count = lb_figure_segment_count(figure);
    const char **names = malloc((size_t)(count + 1) * sizeof *names);
    if (!names) {
        return LB_ERROR_MEMORY;
    }
    int found = lb_figure_human_names(figure, names);
    if (found >= 0) {
        segments[LB_BODY_PART_PELVIS] = find_part(count, names, LBIO_PELVIS);
        segments[LB_BODY_PART_CHEST] = -1;
        for (int part = LBIO_SPINE_5; part >= LBIO_SPINE_1 && segments[LB_BODY_PART_CHEST] < 0; part--) {
            segments[LB_BODY_PART_CHEST] = find_part(count, names, part);
        }
        segments[LB_BODY_PART_NECK] = find_part(count, names, LBIO_NECK);
        segments[LB_BODY_PART_HEAD] = find_part(count, names, LBIO_HEAD);
        for (size_t i = 0; i < sizeof sided / sizeof sided[0]; i++) {
            for (int side = 0; side < 2; side++) {
                segments[sided[i].body + side] = find_part(count, names, sided[i].part + side);
            }
        }
        for (int i = 0; i < LB_BODY_PART_COUNT - LB_BODY_PART_THUMB; i++) { /* in the same order */
            segments[LB_BODY_PART_THUMB + i] = find_part(count, names, LBIO_THUMB + i);
        }
        segments[LB_BODY_PART_PELVIS] = find_pelvis(figure, segments);
    }
    free(names);
    return found < 0 ? (lb_status)found : LB_OK;
}

lb_status lb_body_map_human(const lb_figure *source, const lb_figure *target, lb_body_map *map) {
    if (!source || !target || !map) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = map_figure(source, map->source);
    if (!status && !lb_humanoid_find(target, map->target, NULL)) {
        return LB_OK; /* a robot, whatever its names say */
    }
    return status ? status : map_figure(target, map->target);
}
