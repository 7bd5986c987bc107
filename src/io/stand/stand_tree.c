/* The tree of a legged figure: segments that move as one, ends that are low, and the chains that lead there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/rotation.h"
#include "io/stand/stand.h"

#define FOOT_HEIGHT 0.12 /* of the figure's height: ends that are not higher than this may be feet */
#define DOWNWARD 0.3     /* of the way from hip to sole: a leg leads down by so much at least */
#define LEAST_DOFS 2     /* of a leg: a wheel has one */
#define STILL 1e-9       /* a range that is not larger is none */

/* --- What moves as one ------------------------------------------------------------------------------- */

static int dof_moves(const lb_figure *figure, int joint, int dof) {
    const lb_dof_ref ref = {joint, dof, -1};
    const int variable = lb_figure_variable_of(figure, &ref);
    if (variable < 0) { /* frozen joints were asked for before: others are driven */
        const lb_joint *j = lb_figure_joint(figure, joint);
        return !(j->upper[dof] - j->lower[dof] <= STILL);
    }
    const lb_variable *v = lb_figure_variable(figure, variable);
    return v->rigidity < 1 && v->upper - v->lower > STILL;
}

static int moving_dofs(const lb_figure *figure, int joint) {
    const lb_joint *j = lb_figure_joint(figure, joint);
    int count = 0;
    for (int d = 0; d < lb_joint_type_dof_count(&j->type) && !j->frozen; d++) {
        count += dof_moves(figure, joint, d);
    }
    return count;
}

int lbio_stand_above(const lbio_stander *s, int head) {
    const int parent = head == s->base ? -1 : lb_figure_parent_segment(s->figure, head);
    return parent < 0 ? -1 : s->heads[parent];
}

/* Whether a segment is the base or hangs on it. */
static int is_on_base(const lbio_stander *s, int segment) {
    while (segment >= 0 && segment != s->base) {
        segment = lb_figure_parent_segment(s->figure, segment);
    }
    return segment >= 0;
}

static int find_head(const lbio_stander *s, int segment) {
    while (segment != s->base) {
        const int joint = lb_figure_parent_joint(s->figure, segment);
        if (joint < 0 || moving_dofs(s->figure, joint) > 0) {
            break;
        }
        segment = lb_figure_parent_segment(s->figure, segment);
    }
    return segment;
}

static void find_heads(lbio_stander *s) {
    for (int i = 0; i < s->count; i++) {
        s->heads[i] = is_on_base(s, i) ? find_head(s, i) : -1;
        s->is_held_by[i] = 0;
    }
    for (int i = 0; i < s->count; i++) {
        if (s->heads[i] != i || i == s->base) {
            continue;
        }
        s->dofs[i] = moving_dofs(s->figure, lb_figure_parent_joint(s->figure, i));
        const int above = lbio_stand_above(s, i);
        if (above >= 0) {
            s->is_held_by[above] = 1;
        }
    }
}

/* The joint whose six dofs are the first variables and carry a segment through the world; -1: there is none. */
static int floating_joint(const lb_figure *figure) {
    const int count = lb_figure_variable_count(figure);
    const int joint = lb_figure_root(figure)->is_free || count < 6 ? -1 : lb_figure_variable(figure, 0)->ref.joint;
    if (joint < 0) {
        return -1;
    }
    const lb_joint *j = lb_figure_joint(figure, joint);
    int floats = j->type.element_count == 4 && j->type.elements[3].kind == LB_ELEMENT_ROTATION &&
                 lb_figure_site(figure, j->site_a)->segment == lb_figure_root(figure)->segment;
    for (int e = 0; e < 3 && floats; e++) {
        floats = j->type.elements[e].kind == LB_ELEMENT_TRANSLATE && j->type.elements[e].axis[e] == 1;
    }
    for (int i = 0; i < 6 && floats; i++) {
        floats = lb_figure_variable(figure, i)->ref.joint == joint && lb_figure_variable(figure, i)->ref.dof == i;
    }
    return floats ? joint : -1;
}

lb_status lbio_stander_begin(lbio_stander *s, const lb_figure *figure) {
    const size_t count = (size_t)lb_figure_segment_count(figure) + 1;
    *s = (lbio_stander){.figure = figure, .count = (int)count - 1, .turn = {0, 0, 0, 1}};
    s->kinematics = lb_kinematics_create(figure, NULL);
    s->pose = calloc((size_t)lb_figure_variable_count(figure) + 1, sizeof *s->pose);
    s->frames = calloc(count, sizeof *s->frames);
    s->heads = calloc(count, sizeof *s->heads);
    s->dofs = calloc(count, sizeof *s->dofs);
    s->is_held_by = calloc(count, 1);
    if (!s->kinematics || !s->pose || !s->frames || !s->heads || !s->dofs || !s->is_held_by) {
        return LB_ERROR_MEMORY;
    }
    lb_figure_rest_pose(figure, s->pose);
    s->floating = floating_joint(figure);
    s->base = lb_figure_root(figure)->segment;
    for (int i = 0; i < s->count && s->floating >= 0; i++) {
        s->base = lb_figure_parent_joint(figure, i) == s->floating ? i : s->base;
    }
    find_heads(s);
    return LB_OK;
}

void lbio_stander_end(lbio_stander *s) {
    lb_kinematics_destroy(s->kinematics);
    free(s->pose);
    free(s->frames);
    free(s->heads);
    free(s->dofs);
    free(s->is_held_by);
}

void lbio_stander_place(lbio_stander *s) {
    lb_kinematics_update(s->kinematics, s->pose);
    for (int i = 0; i < s->count; i++) {
        lb_frame at;
        lb_kinematics_segment(s->kinematics, i, &at);
        lbio_rotation_apply(s->turn, at.position, s->frames[i].position);
        lb_rotation_multiply(s->turn, at.rotation, s->frames[i].rotation);
    }
}

void lbio_stand_world(const lbio_stander *s, int segment, const double at[3], double world[3]) {
    lbio_rotation_apply(s->frames[segment].rotation, at, world);
    for (int c = 0; c < 3; c++) {
        world[c] += s->frames[segment].position[c];
    }
}

/* --- Legs ------------------------------------------------------------------------------------------- */

/* How many dofs lead from `above` down to `head`; -1 where the one does not hang on the other. */
static int dofs_between(const lbio_stander *s, int above, int head) {
    int sum = 0;
    while (head >= 0 && head != above) {
        sum += s->dofs[head];
        head = lbio_stand_above(s, head);
    }
    return head < 0 ? -1 : sum;
}

/* The last head that all of them hang on. */
static int common_head(const lbio_stander *s, const int *ends, int count) {
    int common = ends[0];
    for (int i = 1; i < count; i++) {
        while (dofs_between(s, common, ends[i]) < 0) {
            common = lbio_stand_above(s, common);
        }
    }
    return common;
}

/* The head below `above` on the way to `end`. */
static int branch_of(const lbio_stander *s, int above, int end) {
    while (lbio_stand_above(s, end) != above) {
        end = lbio_stand_above(s, end);
    }
    return end;
}

static int add_leg(lbio_stander *s, int above, const int *ends, int count) {
    if (s->leg_count == LBIO_MOST_LEGS) {
        return 0;
    }
    lbio_leg *leg = &s->legs[s->leg_count++];
    *leg = (lbio_leg){.first = branch_of(s, above, ends[0]), .knee = -1};
    for (int i = 0; i < count && i < LBIO_MOST_POINTS; i++) {
        leg->ends[leg->end_count++] = ends[i];
    }
    return 1;
}

/* Whether the ends are split at their common head: into groups that two dofs or more lead to. */
static int splits(const lbio_stander *s, int common, const int *ends, int count) {
    for (int i = 0; i < count; i++) {
        const int branch = branch_of(s, common, ends[i]);
        int last = ends[i];
        for (int k = 0; k < count; k++) { /* the common head of those of this branch */
            while (dofs_between(s, branch, ends[k]) >= 0 && dofs_between(s, last, ends[k]) < 0) {
                last = lbio_stand_above(s, last);
            }
        }
        if (dofs_between(s, common, last) < LEAST_DOFS) {
            return 0;
        }
    }
    return 1;
}

/* Adds the legs that lead to these ends, which are in the order of their branches; `above` is what they hang on. */
static int add_legs(lbio_stander *s, int above, int *ends, int count) {
    const int common = count > 1 ? common_head(s, ends, count) : ends[0];
    if (count == 1 || !splits(s, common, ends, count)) {
        return above >= 0 && dofs_between(s, above, ends[0]) >= LEAST_DOFS ? add_leg(s, above, ends, count) : 1;
    }
    for (int first = 0, next; first < count; first = next) {
        const int branch = branch_of(s, common, ends[first]);
        next = first + 1;
        for (int k = next; k < count; k++) {
            if (branch_of(s, common, ends[k]) == branch) {
                const int moved = ends[k];
                memmove(ends + next + 1, ends + next, (size_t)(k - next) * sizeof *ends);
                ends[next++] = moved;
            }
        }
        if (!add_legs(s, common, ends + first, next - first)) {
            return 0;
        }
    }
    return 1;
}

static int leads_down(const lbio_stander *s, const lbio_leg *leg) {
    double way[3], length = 0, low = lbio_stand_lowest(s, leg->ends[0]);
    for (int c = 0; c < 3; c++) {
        way[c] = s->frames[leg->ends[0]].position[c] - s->frames[leg->first].position[c];
    }
    way[2] = low - s->frames[leg->first].position[2];
    length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    return length > 0 && -way[2] >= DOWNWARD * length;
}

static int has_word(const char *name, const char *word) {
    const size_t length = strlen(word);
    for (; *name; name++) {
        size_t i = 0;
        while (i < length && name[i] && (name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]) == word[i]) {
            i++;
        }
        if (i == length) {
            return 1;
        }
    }
    return 0;
}

/* Whether names say that a limb is an arm: a torso without legs lets its hands hang as low as feet. */
static int is_called_arm(const lbio_stander *s, const lbio_leg *leg) {
    static const char *const arms[] = {"arm", "hand", "gripper", "wrist", "finger", "elbow", "shoulder"};
    static const char *const legs[] = {"leg", "foot", "feet", "ankle", "knee", "hip", "toe", "thigh", "shin", "shank"};
    int arm = 0, foot = 0;
    for (int at = leg->ends[0]; at >= 0 && at != lbio_stand_above(s, leg->first);
         at = lb_figure_parent_segment(s->figure, at)) {
        const int joint = lb_figure_parent_joint(s->figure, at);
        const char *names[2] = {lb_figure_segment(s->figure, at)->name,
                                joint >= 0 ? lb_figure_joint(s->figure, joint)->name : ""};
        for (int n = 0; n < 2; n++) {
            for (size_t i = 0; i < sizeof arms / sizeof *arms; i++) {
                arm += has_word(names[n], arms[i]);
            }
            for (size_t i = 0; i < sizeof legs / sizeof *legs; i++) {
                foot += has_word(names[n], legs[i]);
            }
        }
    }
    return arm > 0 && foot == 0;
}

/* Legs in the pose, with this turn. */
static int find_legs(lbio_stander *s, int *ends) {
    int count = 0;
    s->leg_count = 0;
    lbio_stander_place(s);
    double top = -INFINITY;
    s->floor = INFINITY;
    for (int i = 0; i < s->count; i++) {
        s->floor = s->heads[i] == i ? fmin(s->floor, lbio_stand_lowest(s, i)) : s->floor;
        top = s->heads[i] >= 0 ? fmax(top, s->frames[i].position[2]) : top;
    }
    s->height = top - s->floor;
    for (int i = 0; i < s->count; i++) {
        if (s->heads[i] == i && !s->is_held_by[i] && i != s->base &&
            lbio_stand_lowest(s, i) <= s->floor + FOOT_HEIGHT * s->height) {
            ends[count++] = i;
        }
    }
    if (count < 2 || !add_legs(s, -1, ends, count)) {
        return 0;
    }
    for (int i = 0; i < s->leg_count; i++) {
        if (!leads_down(s, &s->legs[i]) || (s->leg_count == 2 && is_called_arm(s, &s->legs[i]))) {
            return 0;
        }
    }
    return s->leg_count >= 2 ? s->leg_count : 0;
}

int lbio_stand_find_legs(lbio_stander *s) {
    /* z up as ROS and MuJoCo have it; else what CAD programs write */
    static const double turns[][4] = {{0, 0, 0, 1},
                                      {0.70710678118654752, 0, 0, 0.70710678118654752},   /* y up */
                                      {0, -0.70710678118654752, 0, 0.70710678118654752}}; /* x up */
    const int most = s->floating >= 0 ? 1 : (int)(sizeof turns / sizeof *turns);
    int *ends = malloc(((size_t)s->count + 1) * sizeof *ends), found = 0;
    if (!ends) {
        return LB_ERROR_MEMORY;
    }
    for (int i = 0; i < most && !found; i++) { /* more than 8 legs are none */
        memcpy(s->turn, turns[i], sizeof s->turn);
        found = find_legs(s, ends);
    }
    free(ends);
    if (!found) {
        s->leg_count = 0;
        s->problem = s->problem
                         ? s->problem
                         : "no two limbs (and no more than eight) with at least two joints that move lead down to "
                           "its lowest ends: it has no legs to stand on";
    }
    for (int i = 0; i < s->leg_count; i++) {
        lbio_stand_find_foot(s, &s->legs[i], s->leg_count == 2);
        lbio_stand_find_knee(s, &s->legs[i]);
    }
    return s->leg_count;
}
