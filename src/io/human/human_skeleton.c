/* Parts of a whole skeleton of human bones: what a name means follows from the others and from the tree. A shoulder is
 * the clavicle, or, where there is a collar or an elbow, the upper arm. */
#include <limber/io.h>
#include <stdlib.h>
#include <string.h>

#include "io/human/human_bone.h"

/* What is known while parts are given out: holder[part] is the bone that has it. */
typedef struct skeleton {
    int count;
    const char *const *names;
    const int *parents;
    int *parts;
    int *kinds; /* kind, side << 8 */
    int holder[LBIO_PART_COUNT];
} skeleton;

static int kind_at(const skeleton *s, int i) { return s->kinds[i] & 0xFF; }
static lbio_side side_at(const skeleton *s, int i) { return (lbio_side)(s->kinds[i] >> 8); }

static void give(skeleton *s, int i, int part) {
    if (part >= 0 && s->holder[part] < 0 && s->parts[i] < 0) {
        s->parts[i] = part;
        s->holder[part] = i;
    }
}

static int is_below(const skeleton *s, int i, int above) {
    for (; i >= 0; i = s->parents[i]) {
        if (i == above) {
            return 1;
        }
    }
    return 0;
}

static int has_kind(const skeleton *s, lbio_bone_kind k, lbio_side which) {
    for (int i = 0; i < s->count; i++) {
        if (kind_at(s, i) == (int)k && side_at(s, i) == which) {
            return 1;
        }
    }
    return 0;
}

/* A chain of bones of one kind ("arm_joint_L_1", _2, _3), each below the one before: these parts, in order. */
static void give_chain(skeleton *s, lbio_bone_kind k, lbio_side which, const int *lefts, int count) {
    int last = -1;
    for (int i = 0, given = 0; i < s->count && given < count; i++) {
        if (kind_at(s, i) == (int)k && side_at(s, i) == which && s->parts[i] < 0 &&
            (last < 0 || is_below(s, i, last))) {
            give(s, i, lbio_sided(lefts[given++], which));
            last = i;
        }
    }
}

static int chain_length(const skeleton *s, lbio_bone_kind k, lbio_side which) {
    int last = -1, length = 0;
    for (int i = 0; i < s->count; i++) {
        if (kind_at(s, i) == (int)k && side_at(s, i) == which && (last < 0 || is_below(s, i, last))) {
            last = i;
            length++;
        }
    }
    return length;
}

/* The part that a bone's own name says. */
static void give_by_name(skeleton *s, int i) {
    lbio_bone b = lbio_bone_of(s->names[i]);
    int part = lbio_part_alone(&b);
    /* A finger whose name says what a bone above it is already: the next phalanx. */
    while (kind_at(s, i) == LBIO_KIND_FINGER && part >= 0 && s->holder[part] >= 0 && is_below(s, i, s->holder[part]) &&
           (part - LBIO_THUMB) % 6 < 4) {
        part += 2;
    }
    give(s, i, part);
}

/* Where one foot hangs on another and nothing is called toes, names are of joints: the ankle's and the toes' (SMPL). */
static void give_feet(skeleton *s, lbio_side which) {
    if (has_kind(s, LBIO_KIND_TOES, which)) {
        return;
    }
    for (int i = 0; i < s->count; i++) {
        for (int k = 0; k < s->count && kind_at(s, i) == LBIO_KIND_FOOT && side_at(s, i) == which; k++) {
            if (k != i && kind_at(s, k) == LBIO_KIND_FOOT && side_at(s, k) == which && is_below(s, k, i)) {
                give(s, i, lbio_sided(LBIO_FOOT, which));
                give(s, k, lbio_sided(LBIO_TOES, which));
                return;
            }
        }
    }
}

static void give_limbs(skeleton *s, lbio_side which) {
    static const int arm[] = {LBIO_UPPER_ARM, LBIO_FOREARM, LBIO_HAND};
    static const int leg[] = {LBIO_THIGH, LBIO_SHANK, LBIO_FOOT, LBIO_TOES};
    int has_forearm = has_kind(s, LBIO_KIND_FOREARM, which) || has_kind(s, LBIO_KIND_ELBOW, which);
    int has_thigh = has_kind(s, LBIO_KIND_THIGH, which);
    /* Nothing else is the upper arm: names are of joints instead of bones, as shoulder, elbow, wrist. */
    int by_joints = !has_kind(s, LBIO_KIND_UPPER_ARM, which) && !has_kind(s, LBIO_KIND_ARM, which);
    if (!has_forearm && chain_length(s, LBIO_KIND_ARM, which) > 1) {
        give_chain(s, LBIO_KIND_ARM, which, arm, 3);
    }
    if (!has_thigh && !has_kind(s, LBIO_KIND_HIP, which) && chain_length(s, LBIO_KIND_LEG, which) > 1) {
        give_chain(s, LBIO_KIND_LEG, which, leg, 4);
    }
    for (int i = 0; i < s->count; i++) {
        if (side_at(s, i) != which || s->parts[i] >= 0) {
            continue;
        }
        if (kind_at(s, i) == LBIO_KIND_SHOULDER && by_joints) {
            give(s, i, lbio_sided(LBIO_UPPER_ARM, which));
        } else if (kind_at(s, i) == LBIO_KIND_HIP && has_thigh) {
            continue; /* the bone above the thigh */
        } else if (kind_at(s, i) >= LBIO_KIND_EYE) {
            give_by_name(s, i);
        } else if (kind_at(s, i) == LBIO_KIND_HIP) {
            give(s, i, lbio_sided(LBIO_THIGH, which));
        }
    }
}

/* The nearest bone above both; -1: none. */
static int common(const skeleton *s, int a, int b) {
    for (; a >= 0 && b >= 0; a = s->parents[a]) {
        if (a != b && is_below(s, b, a)) {
            return a;
        }
    }
    return -1;
}

static int arm_root(const skeleton *s, lbio_side which) {
    int clavicle = s->holder[lbio_sided(LBIO_CLAVICLE, which)];
    return clavicle >= 0 ? clavicle : s->holder[lbio_sided(LBIO_UPPER_ARM, which)];
}

/* The pelvis, or what both thighs hang on; the head and the jaw. */
static void give_ends_of_trunk(skeleton *s) {
    for (int i = 0; i < s->count; i++) {
        int k = kind_at(s, i);
        give(s, i,
             k == LBIO_KIND_PELVIS ? LBIO_PELVIS
             : k == LBIO_KIND_HEAD ? LBIO_HEAD
             : k == LBIO_KIND_JAW  ? LBIO_JAW
                                   : -1);
    }
    if (s->holder[LBIO_PELVIS] < 0) {
        int between = common(s, s->holder[LBIO_THIGH], s->holder[LBIO_THIGH + 1]);
        if (between >= 0) {
            give(s, between, LBIO_PELVIS);
        }
    }
}

/* Whether a bone may be between the pelvis and the head: a spine or neck, without a side and without a part. */
static int is_of_trunk(const skeleton *s, int i) {
    int k = kind_at(s, i);
    return s->parts[i] < 0 && side_at(s, i) == LBIO_NO_SIDE && (k == LBIO_KIND_SPINE || k == LBIO_KIND_NECK);
}

/* Pelvis, spine, neck and head: a bone that says spine may be any of them. */
static void give_trunk(skeleton *s) {
    give_ends_of_trunk(s);
    int chest = common(s, arm_root(s, LBIO_LEFT), arm_root(s, LBIO_RIGHT));
    int level = 0, necks = 0, last_neck = -1;
    for (int i = 0; i < s->count; i++) {
        int is_above = chest >= 0 && i != chest && is_below(s, i, chest), head = s->holder[LBIO_HEAD];
        if (!is_of_trunk(s, i)) {
            continue;
        }
        if (kind_at(s, i) == LBIO_KIND_NECK || is_above) {
            if ((head < 0 || is_below(s, head, i)) && necks < 2) {
                give(s, i, LBIO_NECK + necks++);
            } else if (head < 0 && last_neck >= 0 && is_below(s, i, last_neck)) {
                give(s, i, LBIO_HEAD);
            }
            last_neck = s->parts[i] >= 0 ? i : last_neck;
        } else if (level < 5 && (head < 0 || is_below(s, head, i))) {
            give(s, i, LBIO_SPINE_1 + level++);
        }
    }
    /* Without a head by name, the last bone of the neck is it. */
    if (s->holder[LBIO_HEAD] < 0 && necks == 2) {
        int last = s->holder[LBIO_NECK_2];
        s->holder[LBIO_NECK_2] = s->parts[last] = -1;
        give(s, last, LBIO_HEAD);
    }
}

int lbio_map_human(int count, const char *const *names, const int *parents, int *parts, int *scratch) {
    skeleton s = {count, names, parents, parts, scratch, {0}};
    int found = 0;
    for (int part = 0; part < LBIO_PART_COUNT; part++) {
        s.holder[part] = -1;
    }
    for (int i = 0; i < count; i++) {
        lbio_bone b = lbio_bone_of(names[i]);
        parts[i] = -1;
        scratch[i] = (int)b.kind | (int)b.side << 8;
    }
    give_feet(&s, LBIO_LEFT);
    give_feet(&s, LBIO_RIGHT);
    for (int i = 0; i < count; i++) {
        give(&s, i, lbio_part_of_own_name(names[i])); /* models/human.fig and its kin */
    }
    give_limbs(&s, LBIO_LEFT);
    give_limbs(&s, LBIO_RIGHT);
    give_trunk(&s);
    for (int i = 0; i < count; i++) {
        found += parts[i] >= 0;
    }
    return found;
}

/* Parts that sites tell, as the reader of VRM files leaves them: they are all that counts. Returns how many. */
static int names_by_sites(const lb_figure *figure, const char **names) {
    size_t length = strlen(LBIO_PART_SITE);
    int found = 0;
    for (int i = 0; i < lb_figure_site_count(figure); i++) {
        const lb_site *site = lb_figure_site(figure, i);
        int part = strncmp(site->name, LBIO_PART_SITE, length) ? -1 : lbio_part_of_own_name(site->name + length);
        if (part >= 0) {
            if (found++ == 0) {
                memset((void *)names, 0, (size_t)lb_figure_segment_count(figure) * sizeof *names);
            }
            names[site->segment] = lbio_part_name(part);
        }
    }
    return found;
}

int lb_figure_human_names(const lb_figure *figure, const char **names) {
    int count = figure ? lb_figure_segment_count(figure) : 0, found = 0;
    int *numbers = malloc((size_t)(count + 1) * 5 * sizeof *numbers);
    const char **given = malloc((size_t)(count + 1) * sizeof *given);
    if (!figure || !names || !numbers || !given) {
        free(numbers);
        free(given);
        return figure && names ? LB_ERROR_MEMORY : LB_ERROR_ARGUMENT;
    }
    found = names_by_sites(figure, names);
    if (found > 0) {
        free(numbers);
        free(given);
        return found;
    }
    int *order = numbers, *place = order + count, *parents = place + count, *parts = parents + count;
    lb_figure_tree_order(figure, order);
    for (int k = 0; k < count; k++) {
        int above = lb_figure_parent_segment(figure, order[k]);
        place[order[k]] = k;
        given[k] = lb_figure_segment(figure, order[k])->name;
        parents[k] = above < 0 ? -1 : place[above];
    }
    found = lbio_map_human(count, given, parents, parts, parts + count);
    for (int k = 0; k < count; k++) {
        names[order[k]] = lbio_part_name(parts[k]);
    }
    free(numbers);
    free(given);
    return found;
}
