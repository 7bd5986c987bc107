/* Which segments of a figure are which parts of a person, how they hang together, and how the person stands at ease:
 * upright, with hanging arms, on a floor at height 0. */
#include <math.h>
#include <string.h>

#include "io/person/person.h"
#include "io/rotation.h"
#include "math/trig.h"

#define UPRIGHT 0.7           /* the least cosine between the trunk and up */
#define HUMAN_LEG 0.860       /* metres: thigh and shank of models/human.fig */
#define HUMAN_TRUNK 0.686     /* from the hips to the base of its head */
#define HUMAN_SHOULDERS 0.486 /* from the hips to where its shoulders are */
#define LEAST_LEG 0.01        /* metres: who has shorter legs is no person */
#define SOLE 0.015            /* of what is below the lowest bone of a foot, where the file has no floor, metres */
#define SHOE 0.12             /* the most of it where it has */

static double distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* --- Parts and the tree ---------------------------------------------------------------------------------- */

static lb_status find_parts(lbio_person *p) {
    const char **names = (const char **)(void *)p->ease; /* frames are larger, and found later */
    int found = lb_figure_human_names(p->figure, names);
    for (int part = 0; part < LBIO_PART_COUNT; part++) {
        p->holder[part] = -1;
    }
    for (int i = 0; i < p->count && found >= 0; i++) {
        p->parts[i] = names[i] ? lbio_part_of_name(names[i]) : -1;
        if (p->parts[i] >= 0) {
            p->holder[p->parts[i]] = i;
        }
    }
    return found < 0 ? (lb_status)found : LB_OK;
}

static int is_above(const lb_figure *figure, int above, int segment) {
    while (segment >= 0 && segment != above) {
        segment = lb_figure_parent_segment(figure, segment);
    }
    return segment >= 0;
}

/* What both thighs hang on is the pelvis, whatever is called so. */
static int find_pelvis(lbio_person *p) {
    const int *h = p->holder;
    int thighs[2] = {h[LBIO_THIGH], h[LBIO_THIGH + 1]};
    if (thighs[0] < 0 || thighs[1] < 0) {
        return 0;
    }
    int pelvis = h[LBIO_PELVIS];
    if (pelvis < 0 || !is_above(p->figure, pelvis, thighs[0]) || !is_above(p->figure, pelvis, thighs[1])) {
        for (pelvis = thighs[0]; pelvis >= 0 && !is_above(p->figure, pelvis, thighs[1]);) {
            pelvis = lb_figure_parent_segment(p->figure, pelvis);
        }
    }
    if (pelvis < 0 || pelvis == thighs[0] || pelvis == thighs[1]) {
        return 0;
    }
    if (h[LBIO_PELVIS] >= 0) {
        p->parts[h[LBIO_PELVIS]] = -1;
    }
    if (p->parts[pelvis] >= 0) {
        p->holder[p->parts[pelvis]] = -1;
    }
    p->parts[pelvis] = LBIO_PELVIS;
    p->holder[LBIO_PELVIS] = p->pelvis = pelvis;
    return 1;
}

/* A root that stands still and is no part of the body stands for the world. */
static void find_world(lbio_person *p) {
    const lb_root *root = lb_figure_root(p->figure);
    p->world = !root->is_free && p->parts[root->segment] < 0 ? root->segment : -1;
    p->root_joint = -1;
    for (int at = p->pelvis; at >= 0 && p->world >= 0 && at != p->world; at = lb_figure_parent_segment(p->figure, at)) {
        p->root_joint = lb_figure_parent_joint(p->figure, at);
    }
}

/* Feet that hang on no shank, as of rigs whose legs follow targets, hang on theirs. */
static int foster_parent(const lbio_person *p, int segment) {
    int part = p->parts[segment], left = part - (part - LBIO_EYE) % 2;
    int shank = left == LBIO_FOOT ? p->holder[part - LBIO_FOOT + LBIO_SHANK] : -1;
    return shank >= 0 && !is_above(p->figure, shank, segment) ? shank : -1;
}

/* The tree from the pelvis outwards; the world is no part of it. */
static void grow_tree(lbio_person *p) {
    int *next = p->scratch, count = 0, done = 0;
    unsigned char *seen = (unsigned char *)(p->scratch + p->count);
    memset(seen, 0, (size_t)p->count);
    for (int i = 0; i < p->count; i++) {
        p->parents[i] = p->joints[i] = -1;
    }
    next[count++] = p->pelvis;
    seen[p->pelvis] = 1;
    if (p->world >= 0) {
        seen[p->world] = 1;
    }
    while (done < count) {
        int at = next[done++];
        p->order[p->order_count++] = at;
        for (int i = 0; i < p->count; i++) {
            int up = lb_figure_parent_segment(p->figure, i), foster = foster_parent(p, i);
            int is_child = !seen[i] && (foster >= 0 ? foster == at : up == at);
            int is_parent = !seen[i] && lb_figure_parent_segment(p->figure, at) == i && foster_parent(p, at) < 0;
            if (is_child || is_parent) {
                seen[i] = 1;
                p->parents[i] = at;
                p->joints[i] = lb_figure_parent_joint(p->figure, is_parent ? at : i);
                next[count++] = i;
            }
        }
    }
}

/* Segments between two parts: twist bones, further vertebrae, the links of joints that are made of several hinges. */
static void mark_between(lbio_person *p) {
    for (int i = 0; i < p->count; i++) {
        p->owners[i] = p->parts[i];
    }
    for (int part = 0; part < LBIO_PART_COUNT; part++) {
        int is_trunk = part >= LBIO_SPINE_1 && part <= LBIO_HEAD, top = p->holder[part];
        p->has[part] = p->holder[part] >= 0;
        do {
            top = top < 0 ? -1 : p->parents[top];
        } while (top >= 0 && p->parts[top] < 0);
        for (int at = p->holder[part]; top >= 0 && at != top; at = p->parents[at]) {
            if (p->parts[at] < 0 && !p->between[at]) {
                p->between[at] = is_trunk ? LBIO_BETWEEN_TRUNK : LBIO_BETWEEN_LIMB;
                p->owners[at] = part;
                p->trunk_bones += is_trunk;
            }
        }
        p->trunk_bones += part >= LBIO_SPINE_1 && part <= LBIO_SPINE_5 && p->has[part];
    }
}

/* --- Axes ------------------------------------------------------------------------------------------------ */

static int direction_of(const lbio_person *p, const double from[3], const double to[3], double direction[3]) {
    double length = distance(from, to);
    for (int i = 0; i < 3; i++) {
        direction[i] = length > 0 ? (to[i] - from[i]) / length : 0;
    }
    return length > 1e-9 * (1 + p->scale);
}

static int direction_between(const lbio_person *p, int from, int to, double direction[3]) {
    return direction_of(p, p->rest[from].position, p->rest[to].position, direction);
}

/* The upper end of the trunk: the head's base or, of somebody whose head is a part of the chest, the middle of the
 * shoulders. Returns how far above the hips a human's is; 0 where there is neither. */
static double find_top(const lbio_person *p, double top[3]) {
    const int *h = p->holder, head = h[LBIO_HEAD] >= 0 ? h[LBIO_HEAD] : h[LBIO_NECK];
    const int left = h[LBIO_UPPER_ARM], right = h[LBIO_UPPER_ARM + 1];
    if (head < 0 && (left < 0 || right < 0)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        top[i] = head >= 0 ? p->rest[head].position[i] : (p->rest[left].position[i] + p->rest[right].position[i]) / 2;
    }
    return head >= 0 ? HUMAN_TRUNK : HUMAN_SHOULDERS;
}

/* The body's axes, from the hips; whether there are two legs to stand on, and a trunk that is upright. */
static int find_axes(lbio_person *p) {
    static const double z[3] = {0, 0, 1};
    const int *h = p->holder;
    double top[3], up[3], left[3], leg = 0, trunk = find_top(p, top);
    for (int side = 0; side < 2; side++) {
        if (h[LBIO_SHANK + side] < 0 || h[LBIO_FOOT + side] < 0) {
            return 0;
        }
        leg += distance(p->rest[h[LBIO_THIGH + side]].position, p->rest[h[LBIO_SHANK + side]].position) / 2;
        leg += distance(p->rest[h[LBIO_SHANK + side]].position, p->rest[h[LBIO_FOOT + side]].position) / 2;
    }
    if (trunk == 0 || !(leg > LEAST_LEG) || !direction_of(p, p->rest[p->pelvis].position, top, up) || up[2] < UPRIGHT ||
        !direction_between(p, h[LBIO_THIGH + 1], h[LBIO_THIGH], left) || fabs(left[2]) > UPRIGHT) {
        return 0;
    }
    p->scale = (leg + distance(p->rest[p->pelvis].position, top)) / (HUMAN_LEG + trunk);
    return lb_rotation_about(z, lbm_atan2(-left[0], left[1]), p->axes) == LB_OK;
}

void lbio_person_axes(const lbio_person *p, int segment, double rotation[4]) {
    double wanted[3], is[3], turn[4];
    while (segment >= 0 && p->parts[segment] < 0) { /* between bones: as the one above */
        segment = p->parents[segment];
    }
    memcpy(rotation, p->axes, sizeof p->axes);
    int part = segment < 0 ? -1 : p->parts[segment];
    if (part < 0 || !lbio_part_direction(part, wanted)) {
        return;
    }
    int next = lbio_part_next(part, p->has), from = segment;
    if (next < 0) { /* the last bone of a chain goes on as the one before */
        for (from = p->parents[segment]; from >= 0 && p->parts[from] < 0;) {
            from = p->parents[from];
        }
        next = part;
    }
    if (from >= 0 && direction_between(p, from, p->holder[next], is)) {
        lbio_rotation_apply(p->axes, wanted, wanted);
        lbio_rotation_least(wanted, is, turn);
        lb_rotation_multiply(turn, p->axes, rotation);
    }
}

int lbio_person_find(lbio_person *p) {
    lb_status status = find_parts(p);
    if (status || !find_pelvis(p)) {
        return status;
    }
    find_world(p);
    if (p->world == p->pelvis || !find_axes(p)) {
        return 0;
    }
    grow_tree(p);
    mark_between(p);
    for (int part = 0; part < LBIO_PART_COUNT; part++) { /* what hangs elsewhere is no part of this body */
        if (p->holder[part] >= 0 && part != LBIO_PELVIS && p->parents[p->holder[part]] < 0) {
            return 0;
        }
    }
    return 1;
}

/* --- At ease --------------------------------------------------------------------------------------------- */

/* Whether a part is turned to where it is on a body that stands with hanging arms. */
static int is_eased(const lbio_person *p, int segment) {
    int part = p->parts[segment], left = part < LBIO_EYE ? part : part - (part - LBIO_EYE) % 2;
    return p->is_body && p->joints[segment] >= 0 && p->is_moved[p->joints[segment]] &&
           (left == LBIO_UPPER_ARM || left == LBIO_FOREARM || left == LBIO_HAND || left == LBIO_THIGH ||
            left == LBIO_SHANK || left == LBIO_FOOT);
}

static void ease_segment(lbio_person *p, int segment) {
    int above = p->parents[segment];
    lb_frame inverse;
    if (above < 0) {
        p->ease[segment] = p->rest[segment];
        return;
    }
    lb_frame_invert(&p->rest[above], &inverse);
    lb_frame_multiply(&inverse, &p->rest[segment], &p->ease[segment]);
    lb_frame_multiply(&p->ease[above], &p->ease[segment], &p->ease[segment]);
    if (is_eased(p, segment)) {
        double axes[4], turn[4];
        lbio_person_axes(p, segment, axes);
        lbio_rotation_conjugate(axes, turn);
        lb_rotation_multiply(p->axes, turn, turn);
        lb_rotation_multiply(turn, p->rest[segment].rotation, p->ease[segment].rotation);
    }
}

/* The lowest point of the feet: of bones, sites and shapes. */
static double find_sole(const lbio_person *p, const lb_frame *frames) {
    double lowest = INFINITY;
    for (int i = 0; i < lb_figure_site_count(p->figure); i++) {
        const lb_site *site = lb_figure_site(p->figure, i);
        int part = p->parts[site->segment];
        lb_frame placed;
        lb_frame_multiply(&frames[site->segment], &site->frame, &placed);
        lowest = part >= LBIO_FOOT ? fmin(lowest, placed.position[2]) : lowest;
    }
    for (int i = 0; i < lb_figure_shape_count(p->figure); i++) {
        const lb_shape *shape = lb_figure_shape(p->figure, i);
        lb_frame placed;
        double m[9];
        if (p->parts[shape->segment] < LBIO_FOOT) {
            continue;
        }
        lb_frame_multiply(&frames[shape->segment], &shape->frame, &placed);
        lb_rotation_to_matrix(placed.rotation, m);
        double depth = shape->kind == LB_SHAPE_SPHERE ? shape->size[0]
                       : shape->kind == LB_SHAPE_CAPSULE
                           ? fmax(shape->size[0], shape->size[2]) + fabs(m[8]) * shape->size[1]
                           : fabs(m[6]) * shape->size[0] + fabs(m[7]) * shape->size[1] + fabs(m[8]) * shape->size[2];
        lowest = fmin(lowest, placed.position[2] - depth);
    }
    for (int part = LBIO_FOOT; part < LBIO_PART_COUNT; part++) {
        if (p->holder[part] >= 0) {
            lowest = fmin(lowest, frames[p->holder[part]].position[2]);
        }
    }
    return lowest;
}

void lbio_person_stand(lbio_person *p) {
    memcpy(p->ease, p->rest, (size_t)p->count * sizeof *p->ease);
    for (int k = 0; k < p->order_count; k++) {
        ease_segment(p, p->order[k]);
    }
    if (!p->is_body) {
        return;
    }
    double before = find_sole(p, p->rest), now = find_sole(p, p->ease);
    int has_floor = before > -0.01 * p->scale && before<SHOE * p->scale, is_solid = lb_figure_mass(p->figure)> 0;
    double floor = now - (is_solid    ? 0
                          : has_floor ? before
                                      : SOLE * p->scale); /* what has mass ends where its shapes do */
    for (int i = 0; i < p->count; i++) {
        p->ease[i].position[2] -= i == p->world ? 0 : floor;
    }
}

/* --- Points ---------------------------------------------------------------------------------------------- */

void lbio_person_local(const lbio_person *p, int segment, const double point[3], double local[3]) {
    lb_frame inverse;
    lb_frame_invert(&p->ease[segment], &inverse);
    lbio_rotation_apply(inverse.rotation, point, local);
    for (int i = 0; i < 3; i++) {
        local[i] += inverse.position[i];
    }
}

void lbio_person_offset(const lbio_person *p, const double point[3], const double offset[3], double out[3]) {
    double v[3];
    lbio_rotation_apply(p->axes, offset, v);
    for (int i = 0; i < 3; i++) {
        out[i] = point[i] + p->scale * v[i];
    }
}

/* The farthest point ahead of a segment's origin, of its sites, along a horizontal direction. */
static double reach_ahead(const lbio_person *p, int segment, const double ahead[3]) {
    double farthest = 0;
    for (int i = 0; i < lb_figure_site_count(p->figure); i++) {
        const lb_site *site = lb_figure_site(p->figure, i);
        lb_frame placed;
        if (site->segment == segment) {
            lb_frame_multiply(&p->ease[segment], &site->frame, &placed);
            double along = 0;
            for (int c = 0; c < 2; c++) {
                along += ahead[c] * (placed.position[c] - p->ease[segment].position[c]);
            }
            farthest = fmax(farthest, along);
        }
    }
    return farthest;
}

void lbio_person_foot(const lbio_person *p, int side, double ball[3], double tip[3], int *toes) {
    static const double forward[3] = {1, 0, 0};
    int foot = p->holder[LBIO_FOOT + side], own_toes = p->holder[LBIO_TOES + side];
    const double *ankle = p->ease[foot].position;
    double ahead[3], reach;
    lbio_rotation_apply(p->axes, forward, ahead);
    *toes = own_toes >= 0 ? own_toes : foot;
    if (own_toes >= 0) {
        double along[2] = {p->ease[own_toes].position[0] - ankle[0], p->ease[own_toes].position[1] - ankle[1]};
        double length = sqrt(along[0] * along[0] + along[1] * along[1]);
        if (length > 0.03 * p->scale && along[0] * ahead[0] + along[1] * ahead[1] > 0.5 * length) {
            ahead[0] = along[0] / length;
            ahead[1] = along[1] / length;
        }
        memcpy(ball, p->ease[own_toes].position, 3 * sizeof *ball);
        reach = fmin(fmax(reach_ahead(p, own_toes, ahead), 0.05 * p->scale), 0.09 * p->scale);
    } else {
        double length = fmin(fmax(reach_ahead(p, foot, ahead), 0.15 * p->scale), 0.22 * p->scale);
        for (int c = 0; c < 3; c++) {
            ball[c] = ankle[c] + 0.72 * length * ahead[c];
        }
        reach = 0.28 * length;
    }
    ball[2] = tip[2] = 0;
    for (int c = 0; c < 2; c++) {
        tip[c] = ball[c] + reach * ahead[c];
    }
}

void lbio_person_tip(const lbio_person *p, int part, double tip[3]) {
    static const double up[3] = {0, 0, 0.14}, down[3] = {0, 0, -0.09}, rise[3] = {0, 0, 0.1};
    const double *at = p->ease[p->holder[part]].position;
    int next = lbio_part_next(part, p->has), left = part < LBIO_EYE ? part : part - (part - LBIO_EYE) % 2;
    if (part <= LBIO_NECK_2) {
        for (next = part + 1; next <= LBIO_HEAD && p->holder[next] < 0;) {
            next++;
        }
        next = next <= LBIO_HEAD ? next : -1;
    }
    if (next >= 0 && left != LBIO_HAND) {
        memcpy(tip, p->ease[p->holder[next]].position, 3 * sizeof *tip);
    } else {
        lbio_person_offset(p, at, part == LBIO_HEAD ? up : left == LBIO_HAND ? down : rise, tip);
    }
}
