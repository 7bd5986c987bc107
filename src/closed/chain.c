/* From a figure to an arm: which joints are on the chain, what its axes are, and which closed form covers it. */
#include <math.h>

#include "closed/closed.h"
#include "figure/error.h"
#include "figure/kinematics/kinematics.h"
#include "math/trig.h"

static const char *name_of(const lb_figure *f, int variable) { return f->variables[variable].name; }

/* The joint that a coordinate belongs to. */
static const char *joint_of(const lb_figure *f, int coordinate) {
    int joint = 0;
    while (joint + 1 < f->draft.joint_count && f->first_coordinate[joint + 1] <= coordinate) {
        joint++;
    }
    return lb_figure_joint(f, joint)->name;
}

/* Whether a coordinate moves: where nobody says which variables do, those that are not rigid, and all that is
 * driven. */
static int moves(const lb_figure *f, const lbf_influence *in, const int *active_of) {
    if (!active_of) {
        return in->first_term >= 0 || f->variables[in->own].rigidity < 1;
    }
    for (int k = 0; k < in->count; k++) {
        if (active_of[in->first_term < 0 ? in->own : f->terms[in->first_term + k].variable] >= 0) {
            return 1;
        }
    }
    return 0;
}

/* The variable that moves a node; -1 where it stands; -2 where it is not simply moved by one variable, with the
 * reason. */
static int mover_of(const lb_figure *f, const lbf_node *node, const int *active_of, lb_error *error) {
    const int count = lbf_node_coordinates(node->kind);
    int mover = -1;
    for (int c = node->coordinate; c < node->coordinate + count; c++) {
        const lbf_influence in = lbf_influence_of(f, c);
        if (in.count == 0 || !moves(f, &in, active_of)) {
            continue;
        }
        if (c < f->root_coordinates) {
            lbf_refuse(error, LB_ERROR_UNSUPPORTED,
                       "no closed form: the root may move as well; hold it, or begin the chain at its segment");
            return -2;
        }
        if (in.first_term >= 0) {
            lbf_fail(error, LB_ERROR_UNSUPPORTED, "no closed form: joint '", joint_of(f, c),
                     "' is driven by a group or another joint; begin the chain behind it", (char *)0);
            return -2;
        }
        if (count > 1) {
            lbf_fail(error, LB_ERROR_UNSUPPORTED, "no closed form: joint '", joint_of(f, c),
                     "' turns by a rotation vector; spelled as R(x)*R(y)*R(z) it would be three axes", (char *)0);
            return -2;
        }
        mover = in.own;
    }
    return mover;
}

/* Whether a variable of the chain moves anything else on the way. */
static lb_status check_drives(const lb_closed *closed, lb_error *error) {
    const lb_figure *f = closed->figure;
    for (int i = 0; i < closed->form.arm.n; i++) {
        for (int t = 0; t < f->term_count; t++) {
            if (f->terms[t].variable == closed->chain.variable[i]) {
                return lbf_fail(error, LB_ERROR_UNSUPPORTED, "no closed form: '", name_of(f, f->terms[t].variable),
                                "' drives other joints as well", (char *)0);
            }
        }
    }
    return LB_OK;
}

/* Takes a node into the chain. */
static void add_joint(lb_closed *closed, const lbf_node *node, int variable) {
    const lb_figure *f = closed->figure;
    const int i = closed->form.arm.n++;
    closed->form.arm.slides[i] = node->kind == LBF_NODE_TRANSLATE;
    closed->chain.variable[i] = variable;
    closed->chain.lower[i] = f->lower[variable];
    closed->chain.upper[i] = f->upper[variable];
}

/* Where the end's segment is relative to the effector. */
static void set_home(lb_closed *closed, const lb_kinematics *k, const lb_effector *effector) {
    lbm_transform segment, frame, *e = &frame;
    lbm_transform_identity(e);
    lbm_copy3(e->x, effector->x);
    lbm_copy3(e->y, effector->y);
    lbm_cross3(effector->x, effector->y, e->z);
    lbm_copy3(e->p, effector->point);
    lbf_segment_transform(k, effector->segment, &segment);
    lbm_transform_multiply(&segment, e, &closed->form.arm.home);
}

/* The nodes of the chain, the last first. Returns how many there are up to the base, or -1 where that is not on the
 * way. */
static int walk_back(const lb_figure *f, int segment, int base_segment, int *nodes) {
    const int stop = base_segment >= 0 ? f->mounts[base_segment].node : -1;
    int count = 0, node = f->mounts[segment].node;
    for (; node >= 0 && node != stop; node = f->nodes[node].parent) {
        nodes[count++] = node;
    }
    return node == stop ? count : -1;
}

static void set_axes(lb_closed *closed, const int *nodes, const lb_effector *effector, lb_kinematics *k) {
    for (int i = 0; i < closed->form.arm.n; i++) {
        closed->pose[closed->chain.variable[i]] = 0;
    }
    lb_kinematics_update(k, closed->pose);
    for (int i = 0; i < closed->form.arm.n; i++) {
        const lbm_transform *frame = &k->frames[nodes[i]];
        for (int j = 0; j < 3; j++) {
            closed->form.arm.axis[i][j] = frame->z[j] * closed->figure->nodes[nodes[i]].sign;
            closed->form.arm.point[i][j] = frame->p[j];
        }
    }
    set_home(closed, k, effector);
    lbc_arm_finish(&closed->form.arm);
    for (int i = 0; i < closed->form.arm.n; i++) {
        closed->chain.unit[i] = closed->form.arm.slides[i] ? closed->form.arm.length : 1;
    }
}

/* --- A group before the twist of a limb
 * ---------------------------------------------------------------------------------- */

#define DISTAL 5 /* joints behind the group, each with a variable of its own */

/* The variable that alone turns a node, one to one; -1: there is none such. */
static int turner_of(const lb_figure *f, const lbf_node *node) {
    const lbf_influence in = lbf_influence_of(f, node->coordinate);
    if (node->kind != LBF_NODE_ROTATE || in.count != 1) {
        return -1;
    }
    const lbf_term *term = in.first_term >= 0 ? &f->terms[in.first_term] : NULL;
    return !term ? in.own : term->piece_count == 1 && term->pieces->c[1] == 1 ? term->variable : -1;
}

/* Whether a node is turned by the two variables of a group alone, which are entered as they come. */
static int is_of_group(const lb_figure *f, const lbf_node *node, int variables[2], int *count) {
    const lbf_influence in = lbf_influence_of(f, node->coordinate);
    for (int k = 0; k < in.count; k++) {
        const int variable = in.first_term < 0 ? in.own : f->terms[in.first_term + k].variable;
        int at = 0;
        while (at < *count && variables[at] != variable) {
            at++;
        }
        if (at == 2) {
            return 0;
        }
        variables[at] = variable;
        *count += at == *count;
    }
    return node->kind == LBF_NODE_ROTATE;
}

/* The limits over several variables that the chain has a part in. */
static int take_rows(lb_closed *closed) {
    const lb_figure *f = closed->figure;
    lbc_grouped *g = &closed->form.by.grouped;
    for (int r = 0; r < f->row_count; r++) {
        int is_on = 0;
        for (int k = 0; k < f->rows[r].count; k++) {
            for (int i = 0; i < LBC_JOINTS; i++) {
                is_on |= closed->chain.variable[i] == f->rows[r].variables[k];
            }
        }
        if (is_on && (g->row_count == LBC_GROUP_ROWS || f->rows[r].kind == LB_LIMIT_EQUAL)) {
            return 0;
        }
        if (is_on) {
            g->rows[g->row_count++] = &f->rows[r];
        }
    }
    return 1;
}

/* The variables of the chain, the group's first. Returns 0 where it is no limb behind a group. */
static int take_variables(lb_closed *closed, const int *moving, int count, const int *active_of) {
    const lb_figure *f = closed->figure;
    int *variable = closed->chain.variable, group_count = 0;
    if (count <= DISTAL || count > DISTAL + LBC_GROUP_JOINTS) {
        return 0;
    }
    for (int i = 0; i < count - DISTAL; i++) {
        if (!is_of_group(f, &f->nodes[moving[i]], variable, &group_count)) {
            return 0;
        }
    }
    for (int i = 0; i < DISTAL; i++) {
        variable[2 + i] = turner_of(f, &f->nodes[moving[count - DISTAL + i]]);
    }
    for (int i = 0; i < LBC_JOINTS && group_count == 2; i++) {
        for (int k = 0; k < i; k++) {
            group_count = variable[i] == variable[k] ? 0 : group_count;
        }
        if (variable[i] < 0 || (active_of && active_of[variable[i]] < 0)) {
            return 0;
        }
    }
    return group_count == 2;
}

/* The axes of the group's joints and of those behind it. */
static void set_group(lb_closed *closed, const int *moving, int count, const lb_effector *effector, lb_kinematics *k) {
    const lb_figure *f = closed->figure;
    lbc_arm *arm = &closed->form.arm;
    lbc_grouped *g = &closed->form.by.grouped;
    const int first[2] = {moving[0], moving[count - DISTAL - 1]};
    int nodes[LBC_JOINTS] = {first[0], first[1]};
    memcpy(nodes + 2, moving + count - DISTAL, DISTAL * sizeof *nodes);
    arm->n = LBC_JOINTS;
    g->figure = f;
    g->joint_count = count - DISTAL;
    set_axes(closed, nodes, effector, k);
    for (int i = 0; i < g->joint_count; i++) {
        const lbf_node *node = &f->nodes[moving[i]];
        lbc_group_joint *j = &g->joints[i];
        const double zero[2] = {0, 0};
        double rate[2];
        for (int c = 0; c < 3; c++) {
            j->axis[c] = k->frames[moving[i]].z[c] * node->sign;
            j->point[c] = k->frames[moving[i]].p[c] / arm->length;
        }
        j->own = f->coordinate_variable[node->coordinate];
        j->driven = j->own >= 0 ? NULL : &f->driven[f->coordinate_driven[node->coordinate]];
        j->zero = 0;
        j->zero = lbc_grouped_angle(g, i, zero, rate);
    }
    for (int i = 0; i < 2; i++) { /* a group's variables have no whole turns */
        arm->slides[i] = 1;
        closed->chain.unit[i] = 1;
    }
}

/* Whether a variable of the chain moves anything from this node up to the root as well. */
static int moves_base(const lb_closed *closed, int node) {
    const lb_figure *f = closed->figure;
    for (; node >= 0; node = f->nodes[node].parent) {
        const int from = f->nodes[node].coordinate, count = lbf_node_coordinates(f->nodes[node].kind);
        for (int c = from; c < from + count; c++) {
            const lbf_influence in = lbf_influence_of(f, c);
            for (int k = 0; k < in.count * LBC_JOINTS; k++) {
                const int term = in.first_term + k / LBC_JOINTS;
                const int variable = in.first_term < 0 ? in.own : f->terms[term].variable;
                if (closed->chain.variable[k % LBC_JOINTS] == variable) {
                    return 1;
                }
            }
        }
    }
    return 0;
}

/* Makes the chain a limb behind a group, if it is one. Returns whether it is; else nothing has changed that counts. */
static int find_grouped(lb_closed *closed, const lb_effector *effector, int count, const lbc_making *by) {
    const lb_figure *f = closed->figure;
    lbc_grouped *g = &closed->form.by.grouped;
    const int base = count > 0 ? f->nodes[by->nodes[count - 1]].parent : -1;
    int moving[DISTAL + LBC_GROUP_JOINTS], moving_count = 0, has_group = 0;
    while (count-- > 0) {
        const lbf_node *node = &f->nodes[by->nodes[count]];
        int is_moved = 0;
        for (int c = node->coordinate; c < node->coordinate + lbf_node_coordinates(node->kind); c++) {
            const lbf_influence in = lbf_influence_of(f, c);
            is_moved |= in.count > 0 && moves(f, &in, by->active_of);
            has_group |= in.count > 0 && in.first_term >= 0;
        }
        if (!is_moved) {
            continue;
        }
        if (moving_count == DISTAL + LBC_GROUP_JOINTS || node->kind != LBF_NODE_ROTATE ||
            node->coordinate < f->root_coordinates) {
            return 0;
        }
        moving[moving_count++] = by->nodes[count];
    }
    if (!has_group || !take_variables(closed, moving, moving_count, by->active_of) || moves_base(closed, base)) {
        return 0;
    }
    for (int i = 0; i < LBC_JOINTS; i++) {
        closed->chain.lower[i] = f->lower[closed->chain.variable[i]];
        closed->chain.upper[i] = f->upper[closed->chain.variable[i]];
        g->variables[i] = closed->chain.variable[i];
    }
    g->lower = closed->chain.lower;
    g->upper = closed->chain.upper;
    set_group(closed, moving, moving_count, effector, by->kinematics);
    if (!take_rows(closed) || !lbc_grouped_find(&closed->form.arm, g)) {
        memset(&closed->form.by, 0, sizeof closed->form.by);
        memset(&closed->form.arm, 0, sizeof closed->form.arm);
        return 0;
    }
    closed->form.kind = LB_CLOSED_GROUPED;
    return 1;
}

static lb_status find_chain(lb_closed *closed, const lb_effector *effector, int base_segment, const lbc_making *by,
                            lb_error *error) {
    const lb_figure *f = closed->figure;
    int moving[LBC_JOINTS];
    lb_status status = LB_OK;
    /* A solver's chain begins in the world: a root that is free and may move is in the way of every proof. */
    const int is_from_root = base_segment < 0 && !by->active_of;
    int count = walk_back(f, effector->segment, is_from_root ? f->draft.root.segment : base_segment, by->nodes);
    if (count < 0) {
        status = lbf_refuse(error, LB_ERROR_ARGUMENT, "the base segment is not between the root and the end-effector");
    }
    if (!status && !closed->form.is_position && find_grouped(closed, effector, count, by)) {
        return LB_OK;
    }
    while (!status && count-- > 0) {
        const int variable = mover_of(f, &f->nodes[by->nodes[count]], by->active_of, error);
        if (variable == -2) {
            status = LB_ERROR_UNSUPPORTED;
        } else if (variable >= 0 && closed->form.arm.n == LBC_JOINTS) {
            status = lbf_refuse(
                error, LB_ERROR_UNSUPPORTED,
                "no closed form: more than seven joints move the end-effector; begin the chain nearer to it");
        } else if (variable >= 0) {
            moving[closed->form.arm.n] = by->nodes[count];
            add_joint(closed, &f->nodes[by->nodes[count]], variable);
        }
    }
    if (!status) {
        status = check_drives(closed, error);
    }
    if (!status) {
        set_axes(closed, moving, effector, by->kinematics);
    }
    return status;
}

/* --- Which form ----------------------------------------------------------------------------------------------------------- */

/* Two joints that turn about one axis, or two that slide along one direction: named, they explain an arm that is
 * singular everywhere. Returns 0 where there are none. */
static int coaxial(const lbc_arm *arm, int pair[2]) {
    for (int i = 0; i + 1 < arm->n; i++) {
        double across[3], way[3], off[3];
        lbm_cross3(arm->axis[i], arm->axis[i + 1], across);
        lbm_sub3(arm->point[i + 1], arm->point[i], way);
        lbm_cross3(arm->axis[i], way, off);
        const int is_sliding = arm->slides[i] && arm->slides[i + 1];
        if (lbm_norm3(across) < 1e-9 &&
            (is_sliding || (!arm->slides[i] && !arm->slides[i + 1] && lbm_norm3(off) < 1e-9))) {
            pair[0] = i;
            pair[1] = i + 1;
            return 1;
        }
    }
    return 0;
}

static lb_status refuse_singular(const lb_closed *closed, lb_error *error) {
    int pair[2];
    if (coaxial(&closed->form.arm, pair)) {
        return lbf_fail(error, LB_ERROR_UNSUPPORTED, "no closed form: '",
                        name_of(closed->figure, closed->chain.variable[pair[0]]), "' and '",
                        name_of(closed->figure, closed->chain.variable[pair[1]]),
                        "' move along one axis, so that a goal has no solution or infinitely many", (char *)0);
    }
    return lbf_refuse(
        error, LB_ERROR_UNSUPPORTED,
        "no closed form: the arm is singular in every pose, so that a goal has no solution or infinitely many");
}

static lb_status refuse_count(const lb_closed *closed, lb_error *error) {
    char joints[24];
    int sliding = 0;
    for (int i = 0; i < closed->form.arm.n; i++) {
        sliding += closed->form.arm.slides[i];
    }
    if (closed->form.arm.n == 6 && sliding > 1) {
        return lbf_refuse(error, LB_ERROR_UNSUPPORTED, "no closed form: of six joints at most one may slide");
    }
    if (closed->form.arm.n == 7) {
        return lbf_refuse(error, LB_ERROR_UNSUPPORTED,
                          "no closed form: of seven joints at most one may slide, and neither the first six nor the "
                          "last six may be singular in every pose");
    }
    if (closed->form.arm.n == 2 || closed->form.arm.n == 3) {
        return lbf_refuse(
            error, LB_ERROR_UNSUPPORTED,
            "no closed form: two revolute joints for a position, or three for a frame, must have parallel axes");
    }
    return lbf_fail(error, LB_ERROR_UNSUPPORTED, "no closed form: the chain has ",
                    lbf_integer_text(closed->form.arm.n, joints), closed->form.arm.n == 1 ? " joint" : " joints",
                    "; a frame needs six or seven, a planar arm two or three", (char *)0);
}

int lbc_choose_pieper(lbc_form *form) {
    if (!lbc_pieper_find(&form->arm, form->isa, &form->by.pieper) || lbc_arm_is_singular(&form->arm)) {
        return 0;
    }
    form->kind = form->by.pieper.is_parallel ? LB_CLOSED_PARALLEL : LB_CLOSED_MEETING;
    return 1;
}

lbc_lack lbc_choose(lbc_form *form) {
    const lbc_arm *arm = &form->arm;
    if (lbc_planar_find(arm, form->is_position, &form->by.planar)) {
        form->kind = LB_CLOSED_PLANAR;
        return LBC_HAS_FORM;
    }
    if (form->is_position && arm->n != 2) {
        return LBC_LACKS_ROTATION;
    }
    if (lbc_limb_find(arm, &form->by.limb)) {
        form->kind = LB_CLOSED_LIMB;
        return LBC_HAS_FORM;
    }
    if (lbc_seven_find(arm, form->isa, &form->by.seven, &form->work.seven)) {
        form->kind = LB_CLOSED_SEVEN;
        return LBC_HAS_FORM;
    }
    if (arm->n != 6) {
        return LBC_LACKS_JOINTS;
    }
    if (lbc_arm_is_singular(arm)) {
        return LBC_LACKS_RANK;
    }
    if (lbc_choose_pieper(form)) {
        return LBC_HAS_FORM;
    }
    form->kind = LB_CLOSED_GENERAL;
    return lbc_general_prepare(arm, &form->by.general, &form->work.general) ? LBC_HAS_FORM : LBC_LACKS_JOINTS;
}

int lbc_is_slow(const lbc_form *form) { return form->kind == LB_CLOSED_SEVEN && form->by.seven.is_general; }

/* lbc_choose, with the reason as a sentence. */
static lb_status choose_form(lb_closed *closed, lb_error *error) {
    switch (lbc_choose(&closed->form)) {
    case LBC_HAS_FORM:
        return LB_OK;
    case LBC_LACKS_ROTATION:
        return lbf_refuse(
            error, LB_ERROR_UNSUPPORTED,
            "no closed form: of a position alone only a planar arm of two links has finitely many solutions");
    case LBC_LACKS_RANK:
        return refuse_singular(closed, error);
    default:
        return refuse_count(closed, error);
    }
}

lb_status lbc_prepare(lb_closed *closed, const lb_effector *effector, int base_segment, const lbc_making *by,
                      lb_error *error) {
    const lb_status status = find_chain(closed, effector, base_segment, by, error);
    return status || closed->form.kind == LB_CLOSED_GROUPED ? status : choose_form(closed, error);
}
