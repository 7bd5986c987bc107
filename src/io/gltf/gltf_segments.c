/* Which nodes of a glTF file make the figure: joints of skins, bones of humanoids, what is animated or carries
 * something. */
#include "io/gltf/gltf.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Skins and humanoids
 * ------------------------------------------------------------------------------------------------- */

static lb_status mark_skins(lbio_gltf *gltf) {
    lbio_reader *r = &gltf->reader;
    json_t *skins = NULL;
    lb_status status = lbio_gltf_list(gltf, "skins", &skins);
    for (size_t s = 0; status == LB_OK && s < json_array_size(skins); s++) {
        lbio_enter(r, "skins");
        lbio_enter_index(r, (int)s);
        const json_t *joints = lbio_member(r, json_array_get(skins, s), "joints");
        if (!joints) {
            return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a skin needs a list of `joints`");
        }
        status = lbio_check_list(r, joints, 1, LBIO_GLTF_MAX_NODES);
        for (size_t i = 0; status == LB_OK && i < json_array_size(joints); i++) {
            double number = -1;
            lbio_enter_index(r, (int)i);
            status = lbio_json_value(r, json_array_get(joints, i), LBIO_PLAIN, &number);
            if (status == LB_OK && !(number >= 0 && number < gltf->node_count && number == floor(number))) {
                status =
                    lbio_reader_fail(r, LB_ERROR_SYNTAX, "there is no node %g; there are %d", number, gltf->node_count);
            }
            if (status == LB_OK) {
                gltf->nodes[(int)number].is_joint = 1;
                lbio_leave(r);
            }
        }
        r->depth = status == LB_OK ? 0 : r->depth;
    }
    return status;
}

static void mark_human(lbio_gltf *gltf, const char *bone, const json_t *json, int is_vrm0) {
    const json_t *node = json_object_get(json, "node");
    double number = json_is_integer(node) ? json_number_value(node) : -1;
    int part = bone ? lbio_part_of_vrm(bone, is_vrm0) : -1;
    if (!(number >= 0 && number < gltf->node_count)) {
        lbio_warn(gltf->source, 0, "the humanoid's bone %.40s names no node of the file", bone ? bone : "(none)");
        return;
    }
    gltf->nodes[(int)number].is_human = 1;
    if (part >= 0) {
        gltf->nodes[(int)number].part = part;
    }
}

/* VRM 0.x has a list of {bone, node}, VRM 1.0 and VRM animations an object of bones. */
static int mark_humanoid(lbio_gltf *gltf) {
    const json_t *extensions = json_object_get(gltf->json, "extensions");
    static const char *const kinds[] = {"VRM", "VRMC_vrm", "VRMC_vrm_animation"};
    for (int k = 0; k < 3; k++) {
        const json_t *humanoid = json_object_get(json_object_get(extensions, kinds[k]), "humanoid");
        const json_t *bones = json_object_get(humanoid, "humanBones");
        const char *key;
        json_t *bone;
        size_t i;
        if (json_is_array(bones)) {
            json_array_foreach(bones, i, bone) {
                mark_human(gltf, json_string_value(json_object_get(bone, "bone")), bone, k == 0);
            }
        }
        if (json_is_object(bones)) {
            json_object_foreach((json_t *)bones, key, bone) { mark_human(gltf, key, bone, k == 0); }
        }
        if (bones) {
            gltf->faces_back = k == 0;
            return 1;
        }
    }
    return 0;
}

/* ---------------------------------------------------------------------------------------------------
 * Segments
 * ------------------------------------------------------------------------------------------------- */

/* Where no node is a joint, part of a humanoid or animated: all that carry something. */
static int take_all(lbio_gltf *gltf) {
    int taken = 0;
    for (int i = 0; i < gltf->node_count; i++) {
        int parent = gltf->nodes[i].parent;
        gltf->nodes[i].is_segment |= gltf->nodes[i].has_mesh;
        if (parent >= 0) {
            gltf->nodes[parent].is_segment = 1;
        }
    }
    for (int i = 0; i < gltf->node_count; i++) {
        taken += gltf->nodes[i].is_segment;
    }
    return taken;
}

/* Which bones of a spine are which is counted from below, with a name or without. */
static int is_same_part(int a, int b) {
    int is_spine = a >= LBIO_SPINE_1 && a <= LBIO_SPINE_5 && b >= LBIO_SPINE_1 && b <= LBIO_SPINE_5;
    return a == b || is_spine;
}

/* The bones' parts, by their names unless a humanoid says them. */
static lb_status find_parts(lbio_gltf *gltf, int is_humanoid) {
    int count = 0;
    int *numbers = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *numbers);
    int *places = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *places);
    int *parents = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *parents);
    int *parts = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *parts);
    const char **names = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *names);
    if (!numbers || !places || !parents || !parts || !names) {
        return lbio_gltf_no_memory(gltf);
    }
    for (int k = 0; k < gltf->node_count; k++) {
        int node = gltf->order[k];
        if (gltf->nodes[node].is_segment) {
            int above = lbio_gltf_segment_above(gltf, node);
            numbers[count] = node;
            places[node] = count;
            parents[count] = above < 0 ? -1 : places[above];
            names[count++] = gltf->nodes[node].name;
        }
    }
    lbio_map_human(count, names, parents, parts, places);
    for (int i = 0; i < count; i++) {
        lbio_gltf_node *node = &gltf->nodes[numbers[i]];
        if (is_humanoid) { /* what it says counts; are names enough to find it again? */
            gltf->has_own_parts |= node->part >= 0 && !is_same_part(node->part, parts[i]);
        } else {
            node->part = parts[i];
        }
    }
    return LB_OK;
}

/* Whether the figure is a skeleton: it has a skin or a humanoid's bones, or its names are those of a person. */
static int is_skeleton(const lbio_gltf *gltf) {
    int has_pelvis = 0, thighs = 0;
    for (int i = 0; i < gltf->node_count; i++) {
        const lbio_gltf_node *node = &gltf->nodes[i];
        if (node->is_segment && (node->is_joint || node->is_human)) {
            return 1;
        }
        has_pelvis |= node->is_segment && node->part == LBIO_PELVIS;
        thighs += node->is_segment && (node->part == LBIO_THIGH || node->part == LBIO_THIGH + 1);
    }
    return has_pelvis && thighs == 2;
}

static int is_below(const lbio_gltf *gltf, int node, int above) {
    while (node >= 0 && node != above) {
        node = lbio_gltf_segment_above(gltf, node);
    }
    return node >= 0;
}

/* What carries a person: the pelvis, or what is above it where thighs hang on that. -1: there is no pelvis. */
static int find_carrier(const lbio_gltf *gltf) {
    int pelvis = -1, thighs[2] = {-1, -1};
    for (int i = 0; i < gltf->node_count; i++) {
        const lbio_gltf_node *node = &gltf->nodes[i];
        if (node->is_segment && node->part == LBIO_PELVIS) {
            pelvis = i;
        } else if (node->is_segment && (node->part == LBIO_THIGH || node->part == LBIO_THIGH + 1)) {
            thighs[node->part - LBIO_THIGH] = i;
        }
    }
    for (int carrier = pelvis; carrier >= 0; carrier = lbio_gltf_segment_above(gltf, carrier)) {
        if ((thighs[0] < 0 || is_below(gltf, thighs[0], carrier)) &&
            (thighs[1] < 0 || is_below(gltf, thighs[1], carrier))) {
            return carrier;
        }
    }
    return pelvis;
}

/* Bones of a skeleton keep their lengths: animations may shift them, solving leaves them. What carries the whole
 * figure is free, the carrier of a person or else the top of a tree; so is what hangs beside a person on the same
 * ground, as targets and feet that follow them do. */
static void hold_bones(lbio_gltf *gltf, int carrier) {
    int has_bones = is_skeleton(gltf);
    for (int i = 0; i < gltf->node_count && has_bones; i++) {
        lbio_gltf_node *node = &gltf->nodes[i];
        int above = lbio_gltf_segment_above(gltf, i);
        int is_ground = carrier >= 0 && i != carrier && is_below(gltf, carrier, i);
        int is_beside = carrier >= 0 && above >= 0 && above != carrier && is_below(gltf, carrier, above);
        node->is_held =
            node->is_segment && node->is_floating && i != carrier && (is_ground || (above >= 0 && !is_beside));
    }
}

/* What floats: the carrier of a person, and the top of every tree that does not carry one; and what an animation
 * shifts. What is above the carrier stays where it is, unless an animation moves it. */
static void choose_floating(lbio_gltf *gltf, int carrier) {
    for (int i = 0; i < gltf->node_count; i++) {
        lbio_gltf_node *node = &gltf->nodes[i];
        if (node->is_segment) {
            node->is_floating = node->shifts || i == carrier || lbio_gltf_segment_above(gltf, i) < 0;
        }
    }
    for (int above = carrier >= 0 ? lbio_gltf_segment_above(gltf, carrier) : -1; above >= 0;
         above = lbio_gltf_segment_above(gltf, above)) {
        lbio_gltf_node *node = &gltf->nodes[above];
        node->is_floating = node->shifts;
        node->is_fixed = !node->shifts && !node->turns;
    }
}

static int is_uneven(const lbio_gltf_node *node) {
    const double *m = node->stretch;
    double largest = fmax(fabs(m[0]), fmax(fabs(m[4]), fabs(m[8]))), off = 0;
    for (int i = 0; i < 9; i++) {
        off = fmax(off, i % 4 ? fabs(m[i]) : largest - fabs(m[i]));
    }
    return off > 1e-3 * largest;
}

/* Scales that differ by axis bend with the pose, which a figure of rigid segments cannot. */
static void warn_of_scales(const lbio_gltf *gltf) {
    int uneven = -1, count = 0;
    for (int i = 0; i < gltf->node_count; i++) {
        const lbio_gltf_node *node = &gltf->nodes[i];
        if (node->is_segment && is_uneven(node)) {
            uneven = uneven < 0 ? i : uneven;
            count++;
        }
    }
    if (count > 0) {
        lbio_warn(
            gltf->source, 0,
            "%s%s: scaled differently along its axes; what it carries is placed as at rest, other poses may be off",
            gltf->nodes[uneven].name, count > 1 ? " and others" : "");
    }
}

static lb_status choose_segments(lbio_gltf *gltf, int is_humanoid) {
    int taken = 0;
    for (int i = 0; i < gltf->node_count; i++) {
        lbio_gltf_node *node = &gltf->nodes[i];
        node->is_segment = node->is_joint || node->is_human || node->turns || node->shifts;
        taken += node->is_segment;
    }
    if (taken == 0 && take_all(gltf) == 0) {
        return lbio_fail(gltf->source, LB_ERROR_FIGURE, 0,
                         "there is no skeleton in it: no skin, no animation and no nodes that carry something");
    }
    lb_status status = find_parts(gltf, is_humanoid);
    if (status != LB_OK) {
        return status;
    }
    int carrier = find_carrier(gltf);
    choose_floating(gltf, carrier);
    hold_bones(gltf, carrier);
    warn_of_scales(gltf);
    return LB_OK;
}

lb_status lbio_gltf_choose_segments(lbio_gltf *gltf) {
    int is_humanoid = mark_humanoid(gltf);
    lb_status status = mark_skins(gltf);
    status = status ? status : lbio_gltf_mark_animated(gltf);
    return status ? status : choose_segments(gltf, is_humanoid);
}
