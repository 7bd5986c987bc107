/* Finds the parts of a humanoid robot in the tree of its hinges, by where they are and what they turn about.
 *
 * A limb is a chain of hinges that hangs on a body without branching. Two limbs of one body that have as many hinges,
 * are as long and end as high are a pair. The pair that ends lowest are the legs, the longest that begins above them
 * the arms; a second pair on the ground is that of an animal. The knee and the elbow are the hinges in the middle, the
 * robot looks to where knees do not bend the shanks, and left is to the left of that. */
#include "motion/humanoid/humanoid.h"

#include "figure/error.h"
#include "figure/kinematics/kinematics.h"
#include "math/vec.h"

#define MOST_HINGES 16 /* of a limb */
#define LEAST_ARM 2    /* hinges */
#define MOST_WRIST 3   /* hinges behind the elbow that are the arm's; more are fingers */
#define ALIKE 0.05     /* of their length: what the two limbs of a pair differ by */
#define ABOVE 0.1      /* of a leg's length: shoulders are so much above the hips */
#define AS_LOW 0.25    /* of a leg's length: another pair that ends so near the feet stands, too */
#define ACROSS 0.6     /* cosine: an axis that is so much along another counts as such */
#define STEEP 0.5      /* of a leg's length that it goes down, at least */
#define BEND_SHARE 0.2 /* of a knee's range: it bends to one side where its ends are so different */
#define TOE_AHEAD 0.08 /* of a leg's length: a hinge so far ahead of the ankle bends toes */

typedef struct limb {
    int body; /* the node that it hangs on */
    int count, nodes[MOST_HINGES];
    double length; /* along its hinges, to its tip */
    double tip[3];
} limb;

typedef struct search {
    const lb_figure *figure;
    const lb_kinematics *rest;
    double ahead[3], left[3];
} search;

/* --- The tree of nodes
 * ---------------------------------------------------------------------------------------------- */

static int is_turn(const lb_figure *f, int node) { return f->nodes[node].kind == LBF_NODE_ROTATE; }

/* The only child of a node where that is a hinge; -1 where there is none, or several. */
static int only_child(const lb_figure *f, int node) {
    int found = -1;
    for (int n = 0; n < f->node_count; n++) {
        if (f->nodes[n].parent == node) {
            if (found >= 0) {
                return -1;
            }
            found = n;
        }
    }
    return found >= 0 && is_turn(f, found) ? found : -1;
}

static const double *axis_of(const search *s, int node) { return s->rest->frames[node].z; }
static const double *point_of(const search *s, int node) { return s->rest->frames[node].p; }

static double distance(const double a[3], const double b[3]) {
    double way[3];
    lbm_sub3(a, b, way);
    return lbm_norm3(way);
}

static int find_limb(const search *s, int body, int first, limb *l) {
    memset(l, 0, sizeof *l);
    l->body = body;
    for (int n = first; n >= 0 && l->count < MOST_HINGES; n = only_child(s->figure, n)) {
        l->nodes[l->count++] = n;
    }
    lbt_node_middle(s->rest, l->nodes[l->count - 1], l->tip);
    for (int i = 1; i < l->count; i++) {
        l->length += distance(point_of(s, l->nodes[i]), point_of(s, l->nodes[i - 1]));
    }
    l->length += distance(l->tip, point_of(s, l->nodes[l->count - 1]));
    return l->count > 0;
}

static int are_pair(const search *s, const limb *a, const limb *b) {
    const double size = 0.5 * (a->length + b->length), *p = point_of(s, a->nodes[0]), *q = point_of(s, b->nodes[0]);
    const double aside =
        sqrt((a->tip[0] - b->tip[0]) * (a->tip[0] - b->tip[0]) + (a->tip[1] - b->tip[1]) * (a->tip[1] - b->tip[1]));
    return a->count == b->count && size > 0 && fabs(a->length - b->length) < ALIKE * size &&
           fabs(a->tip[2] - b->tip[2]) < ALIKE * size && fabs(p[2] - q[2]) < ALIKE * size && aside > ALIKE * size;
}

/* Calls `take` with every pair of limbs of the robot. */
static void each_pair(const search *s, void (*take)(void *context, const limb *a, const limb *b), void *context) {
    const lb_figure *f = s->figure;
    for (int body = -1; body < f->node_count; body++) {
        for (int a = 0; a < f->node_count; a++) {
            limb left, right;
            if (f->nodes[a].parent != body || !is_turn(f, a) || !find_limb(s, body, a, &left)) {
                continue;
            }
            for (int b = a + 1; b < f->node_count; b++) {
                if (f->nodes[b].parent == body && is_turn(f, b) && find_limb(s, body, b, &right) &&
                    are_pair(s, &left, &right)) {
                    take(context, &left, &right);
                }
            }
        }
    }
}

typedef struct choice {
    const search *s;
    limb legs[2], arms[2];
    int has_legs, has_arms, stands_on_four;
} choice;

static void take_legs(void *context, const limb *a, const limb *b) {
    choice *c = context;
    const double down = point_of(c->s, a->nodes[0])[2] - a->tip[2];
    if (a->count >= LBT_LEAST_LEG && down > STEEP * a->length && (!c->has_legs || a->tip[2] < c->legs[0].tip[2])) {
        c->legs[0] = *a, c->legs[1] = *b;
        c->has_legs = 1;
    }
}

static void take_arms(void *context, const limb *a, const limb *b) {
    choice *c = context;
    const double leg = c->legs[0].length, hips = point_of(c->s, c->legs[0].nodes[0])[2];
    if (a->nodes[0] == c->legs[0].nodes[0] || a->length < 0.2 * leg) {
        return;
    }
    if (a->count >= LBT_LEAST_LEG && a->tip[2] < c->legs[0].tip[2] + AS_LOW * leg) {
        c->stands_on_four = 1;
    } else if (a->count >= LEAST_ARM && point_of(c->s, a->nodes[0])[2] > hips + ABOVE * leg &&
               (!c->has_arms || a->length > c->arms[0].length)) {
        c->arms[0] = *a, c->arms[1] = *b;
        c->has_arms = 1;
    }
}

/* --- Hinges of a limb ------------------------------------------------------------------------------------------------ */

/* The hinge in the middle: behind at least one other, across what comes after it, and as far as can be from both ends.
 * across: the axis that it should be along; NULL: any. */
static int middle_of(const search *s, const limb *l, const double *across) {
    int best = -1;
    double most = 0;
    for (int i = 1; i < l->count; i++) {
        const double *p = point_of(s, l->nodes[i]), *axis = axis_of(s, l->nodes[i]);
        double after[3];
        lbm_sub3(l->tip, p, after);
        const double before = distance(p, point_of(s, l->nodes[0])), length = lbm_norm3(after);
        const double least = before < length ? before : length;
        const int fits = across ? fabs(lbm_dot3(axis, across)) > ACROSS : fabs(lbm_dot3(axis, after)) < 0.8 * length;
        if (fits && least > most) {
            most = least;
            best = i;
        }
    }
    return best;
}

/* How far the middle of its range turns a hinge from rest; 0 where its range does not say to which side it bends. */
static double bend_of(const lb_figure *f, int node) {
    const int variable = f->coordinate_variable[f->nodes[node].coordinate];
    if (variable < 0) {
        return 0;
    }
    const lb_variable *v = &f->variables[variable];
    const double range = v->upper - v->lower;
    if (!(range > 0 && lbm_is_finite(range))) {
        return 0;
    }
    const double off = 0.5 * (v->lower + v->upper) - v->rest;
    /* a knee that rests bent may have as much range on either side: what counts then is the side of straight legs, 0 */
    const double of_zero = 0.5 * (v->lower + v->upper);
    const double bend = fabs(off) > BEND_SHARE * range ? off : of_zero;
    return fabs(bend) > 0.5 * BEND_SHARE * range ? f->nodes[node].sign * bend : 0;
}

static int has_word(const char *name, const char *word) {
    for (; *name; name++) {
        int i = 0;
        while (word[i] && (name[i] | 32) == word[i]) {
            i++;
        }
        if (!word[i]) {
            return 1;
        }
    }
    return 0;
}

/* 1 where the names of a limb say that it is the left one, -1 the right, 0 nothing. */
static int side_by_names(const search *s, const limb *l) {
    for (int j = 0; j < lb_figure_joint_count(s->figure); j++) {
        if (s->figure->first_coordinate[j] == s->figure->nodes[l->nodes[0]].coordinate &&
            lb_joint_type_dof_count(&lb_figure_joint(s->figure, j)->type) == 1) {
            const char *name = lb_figure_joint(s->figure, j)->name;
            return has_word(name, "left") - has_word(name, "right");
        }
    }
    return 0;
}

/* Where the robot looks, from the knees, else the names of its legs, else its feet, else x. Legs are put in order, left
 * first. */
static void find_ahead(search *s, choice *c, const int knees[2]) {
    double lateral[3], ahead[3], votes = 0;
    lbm_sub3(point_of(s, c->legs[0].nodes[0]), point_of(s, c->legs[1].nodes[0]), lateral);
    lateral[2] = 0;
    if (!(lbm_norm3(lateral) > 1e-9)) {
        lbm_sub3(c->legs[0].tip, c->legs[1].tip, lateral);
        lateral[2] = 0;
    }
    const double length = lbm_norm3(lateral);
    lbm_set3(lateral, lateral[0] / length, lateral[1] / length, 0);
    lbm_set3(ahead, lateral[1], -lateral[0], 0); /* where the first leg is the left one */
    for (int k = 0; k < 2; k++) {
        const limb *l = &c->legs[k];
        const int knee = l->nodes[knees[k]];
        double shank[3], way[3];
        lbm_sub3(l->tip, point_of(s, knee), shank);
        lbm_cross3(axis_of(s, knee), shank, way); /* how the shank goes where the hinge turns on */
        votes -= bend_of(s->figure, knee) * lbm_dot3(way, ahead);
    }
    if (fabs(votes) < 1e-9) {
        votes = side_by_names(s, &c->legs[0]) - side_by_names(s, &c->legs[1]);
    }
    for (int k = 0; k < 2 && fabs(votes) < 1e-9; k++) {
        const int foot = c->legs[k].nodes[c->legs[k].count - 1];
        const double back[3] = {-ahead[0], -ahead[1], 0}, *ankle = point_of(s, foot);
        const double toes = lbt_node_shapes_reach(s->rest, foot, ahead) - lbm_dot3(ankle, ahead),
                     heel = lbt_node_shapes_reach(s->rest, foot, back) - lbm_dot3(ankle, back);
        votes = lbm_is_finite(toes) && lbm_is_finite(heel) && fabs(toes - heel) > 1e-6 ? toes - heel : 0;
    }
    votes = fabs(votes) < 1e-9 ? ahead[0] : votes;
    if (votes < 0) {
        const limb first = c->legs[0];
        c->legs[0] = c->legs[1], c->legs[1] = first;
        lbm_set3(ahead, -ahead[0], -ahead[1], 0);
    }
    lbm_copy3(s->ahead, ahead);
    lbm_set3(s->left, -ahead[1], ahead[0], 0);
}

/* --- Segments ----------------------------------------------------------------------------------------------------------- */

/* The segment that the joint of a node moves. */
static int segment_of(const lb_figure *f, int node) {
    for (int s = 0; s < lb_figure_segment_count(f); s++) {
        const int joint = f->parent_joint[s];
        if (joint >= 0 && f->mounts[s].node == node && f->first_coordinate[joint] == f->nodes[node].coordinate &&
            lb_joint_type_dof_count(&f->draft.joints[joint].type) > 0) {
            return s;
        }
    }
    return -1;
}

/* The segment that a limb hangs on. */
static int holder_of(const lb_figure *f, const limb *l) {
    return lb_figure_parent_segment(f, segment_of(f, l->nodes[0]));
}

/* The nearest segment that both limbs hang on. */
static int common_holder(const lb_figure *f, const limb pair[2]) {
    for (int a = holder_of(f, &pair[0]); a >= 0; a = lb_figure_parent_segment(f, a)) {
        for (int b = holder_of(f, &pair[1]); b >= 0; b = lb_figure_parent_segment(f, b)) {
            if (a == b && f->mounts[a].node == pair[0].body) {
                return a;
            }
        }
    }
    return holder_of(f, &pair[0]);
}

/* A segment that is fixed to the body of a node and hangs below it: a foot without ankle. The body's own where there is
 * none. */
static int fixed_below(const search *s, int node) {
    const lb_figure *f = s->figure;
    int best = segment_of(f, node);
    double low = INFINITY;
    for (int i = 0; i < lb_figure_segment_count(f); i++) {
        if (f->mounts[i].node == node && i != best) {
            lbm_transform t;
            lbf_segment_transform(s->rest, i, &t);
            if (t.p[2] < low - 1e-9 && t.p[2] < point_of(s, node)[2] - 1e-9) {
                low = t.p[2];
                best = i;
            }
        }
    }
    return best;
}

static void name_leg(const search *s, const limb *l, int knee, int side, int *segments) {
    const lb_figure *f = s->figure;
    int last = l->count - 1;
    /* toes: a hinge behind the ankle that is far ahead of it */
    for (int i = knee + 2; i < l->count; i++) {
        double way[3];
        lbm_sub3(point_of(s, l->nodes[i]), point_of(s, l->nodes[knee + 1]), way);
        if (fabs(lbm_dot3(way, s->ahead)) > TOE_AHEAD * l->length) {
            segments[LB_BODY_PART_TOES + side] = segment_of(f, l->nodes[i]);
            last = i - 1;
            break;
        }
    }
    segments[LB_BODY_PART_THIGH + side] = segment_of(f, l->nodes[knee - 1]);
    segments[LB_BODY_PART_SHANK + side] = segment_of(f, l->nodes[knee]);
    segments[LB_BODY_PART_FOOT + side] = last > knee ? segment_of(f, l->nodes[last]) : fixed_below(s, l->nodes[knee]);
}

static void name_arm(const search *s, const limb *l, int side, int *segments) {
    const lb_figure *f = s->figure;
    const int elbow = middle_of(s, l, NULL);
    if (elbow < 1) {
        return;
    }
    const int last = l->count - 1 - elbow > MOST_WRIST ? elbow + MOST_WRIST : l->count - 1;
    segments[LB_BODY_PART_UPPER_ARM + side] = segment_of(f, l->nodes[elbow - 1]);
    segments[LB_BODY_PART_FOREARM + side] = segment_of(f, l->nodes[elbow]);
    segments[LB_BODY_PART_HAND + side] = last > elbow ? segment_of(f, l->nodes[last]) : -1;
}

/* The head: of what hangs on the chest besides the arms, what reaches highest, where that is above the shoulders. */
static void name_head(const search *s, const choice *c, int *segments) {
    static const double up[3] = {0, 0, 1};
    const lb_figure *f = s->figure;
    const double shoulders = point_of(s, c->arms[0].nodes[0])[2];
    double most = shoulders;
    for (int n = 0; n < f->node_count; n++) {
        limb l;
        if (f->nodes[n].parent != c->arms[0].body || !is_turn(f, n) || n == c->arms[0].nodes[0] ||
            n == c->arms[1].nodes[0] || !find_limb(s, c->arms[0].body, n, &l) || l.count > 4) {
            continue;
        }
        const int last = l.nodes[l.count - 1];
        const double high = lbt_node_reach(s->rest, last, up);
        if (high > most && point_of(s, l.nodes[0])[2] > shoulders - ABOVE * c->legs[0].length) {
            most = high;
            segments[LB_BODY_PART_HEAD] = segment_of(f, last);
            segments[LB_BODY_PART_NECK] = l.count > 1 ? segment_of(f, l.nodes[0]) : -1;
        }
    }
}

static lb_status find_parts(search *s, int *segments, lb_error *error) {
    static const char *const not_one =
        "no humanoid is seen in the figure: two legs of at least three hinges each, alike, "
        "below all else, and no other pair that stands; say which segments are which";
    choice c;
    memset(&c, 0, sizeof c);
    c.s = s;
    each_pair(s, take_legs, &c);
    if (!c.has_legs) {
        return lbf_fail(error, LB_ERROR_FIGURE, not_one, NULL);
    }
    each_pair(s, take_arms, &c);
    double lateral[3];
    lbm_sub3(c.legs[0].tip, c.legs[1].tip, lateral);
    lateral[2] = 0;
    const double length = lbm_norm3(lateral);
    lbm_set3(lateral, lateral[0] / length, lateral[1] / length, 0);
    int knees[2];
    for (int k = 0; k < 2; k++) {
        knees[k] = middle_of(s, &c.legs[k], lateral);
        knees[k] = knees[k] < 0 ? middle_of(s, &c.legs[k], NULL) : knees[k];
    }
    if (c.stands_on_four || knees[0] < 1 || knees[1] != knees[0]) {
        return lbf_fail(error, LB_ERROR_FIGURE, not_one, NULL);
    }
    find_ahead(s, &c, knees);
    segments[LB_BODY_PART_PELVIS] = common_holder(s->figure, c.legs);
    for (int side = 0; side < 2; side++) {
        name_leg(s, &c.legs[side], knees[0], side, segments);
    }
    if (c.has_arms) {
        double way[3];
        lbm_sub3(point_of(s, c.arms[0].nodes[0]), point_of(s, c.arms[1].nodes[0]), way);
        if (!(fabs(lbm_dot3(way, s->left)) > 1e-9)) {
            lbm_sub3(c.arms[0].tip, c.arms[1].tip, way);
        }
        const int first = lbm_dot3(way, s->left) < 0;
        for (int side = 0; side < 2; side++) {
            name_arm(s, &c.arms[side ^ first], side, segments);
        }
        segments[LB_BODY_PART_CHEST] = common_holder(s->figure, c.arms);
        name_head(s, &c, segments);
        if (segments[LB_BODY_PART_CHEST] == segments[LB_BODY_PART_PELVIS]) {
            segments[LB_BODY_PART_CHEST] = -1; /* one body: it turns as the pelvis does */
        }
    }
    return LB_OK;
}

lb_status lb_humanoid_find(const lb_figure *figure, int *segments, lb_error *error) {
    if (!figure || !segments) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "no figure, or no room for its segments", NULL);
    }
    if (!lbt_is_hinged(figure)) {
        return lbf_fail(error, LB_ERROR_FIGURE, "the figure is no robot of hinges", NULL);
    }
    int found[LB_BODY_PART_COUNT];
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        found[p] = -1;
    }
    search s = {.figure = figure};
    lb_kinematics *kinematics = lb_kinematics_create(figure, error);
    if (!kinematics) {
        return LB_ERROR_MEMORY;
    }
    s.rest = kinematics; /* at first in the rest pose */
    lb_status status = find_parts(&s, found, error);
    lb_kinematics_destroy(kinematics);
    if (!status) {
        memcpy(segments, found, sizeof found);
        lbf_clear(error);
    }
    return status;
}

lb_figure *lb_humanoid_free_root(const lb_figure *figure, lb_error *error) {
    lb_figure *made = NULL;
    if (!figure) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "no figure");
    }
    if (!lbt_is_hinged(figure)) {
        return lbf_none(error, LB_ERROR_FIGURE, "the figure is no robot of hinges");
    }
    lb_builder *builder = lb_builder_from(figure, error);
    if (!builder) {
        return NULL;
    }
    lb_root root = *lb_figure_root(figure);
    root.is_free = lbt_base_node(figure) < 0 || root.is_free;
    lb_status status = lb_builder_set_root(builder, &root);
    status = status ? status : lb_builder_finish(builder, &made);
    if (status && error) {
        *error = *lb_builder_error(builder);
    } else {
        lbf_clear(error);
    }
    lb_builder_destroy(builder);
    return made;
}
