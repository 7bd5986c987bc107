/* From a figure to an arm: which joints are on the chain, what its axes are, and which closed form covers it. */
#include <math.h>

#include "closed/closed.h"
#include "figure/error.h"
#include "figure/kinematics/kinematics.h"
#include "math/trig.h"

#define ALWAYS_SINGULAR 1e6 /* a condition number that counts as singular */
#define RANDOM_POSES 9

static const char *name_of(const lb_figure *f, int variable) { return f->variables[variable].name; }

/* The joint that a coordinate belongs to. */
static const char *joint_of(const lb_figure *f, int coordinate) {
    int joint = 0;
    while (joint + 1 < f->draft.joint_count && f->first_coordinate[joint + 1] <= coordinate) {
        joint++;
    }
    return coordinate < f->root_coordinates ? "the root" : lb_figure_joint(f, joint)->name;
}

/* The variable that moves a node; -1 where it stands; -2 where it is not simply moved by one variable, with the reason. */
static int mover_of(const lb_figure *f, const lbf_node *node, lb_error *error) {
    const int count = lbf_node_coordinates(node->kind);
    int mover = -1;
    for (int c = node->coordinate; c < node->coordinate + count; c++) {
        const lbf_influence in = lbf_influence_of(f, c);
        if (in.count == 0) {
            continue;
        }
        if (in.first_term >= 0) {
            lbf_fail(error, LB_ERROR_UNSUPPORTED, "no closed form: joint '", joint_of(f, c),
                     "' is driven by a group or another joint; begin the chain behind it", (char *)0);
            return -2;
        }
        if (f->variables[in.own].rigidity >= 1) {
            continue;
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

/* The nodes of the chain, the last first. Returns how many there are up to the base, or -1 where that is not on the way. */
static int walk_back(const lb_figure *f, int segment, int base_segment, int *nodes) {
    const int stop = base_segment >= 0 ? f->mounts[base_segment].node : -1;
    int count = 0, node = f->mounts[segment].node;
    for (; node >= 0 && node != stop; node = f->nodes[node].parent) {
        nodes[count++] = node;
    }
    return node == stop ? count : -1;
}

static lb_status set_axes(lb_closed *closed, const int *nodes, const lb_effector *effector, lb_error *error) {
    lb_kinematics *k = lb_kinematics_create(closed->figure, error);
    if (!k) {
        return LB_ERROR_MEMORY;
    }
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
    lb_kinematics_destroy(k);
    lbc_arm_finish(&closed->form.arm);
    for (int i = 0; i < closed->form.arm.n; i++) {
        closed->chain.unit[i] = closed->form.arm.slides[i] ? closed->form.arm.length : 1;
    }
    return LB_OK;
}

static lb_status find_chain(lb_closed *closed, const lb_effector *effector, int base_segment, lb_error *error) {
    const lb_figure *f = closed->figure;
    int *nodes = lbf_new(&f->draft.allocator, (size_t)f->node_count, sizeof *nodes), moving[LBC_JOINTS];
    lb_status status = LB_OK;
    if (!nodes) {
        return lbf_refuse(error, LB_ERROR_MEMORY, "out of memory");
    }
    const int root = f->draft.root.segment;
    int count = walk_back(f, effector->segment, base_segment >= 0 ? base_segment : root, nodes);
    if (count < 0) {
        status = lbf_refuse(error, LB_ERROR_ARGUMENT, "the base segment is not between the root and the end-effector");
    }
    while (!status && count-- > 0) {
        const int variable = mover_of(f, &f->nodes[nodes[count]], error);
        if (variable == -2) {
            status = LB_ERROR_UNSUPPORTED;
        } else if (variable >= 0 && closed->form.arm.n == LBC_JOINTS) {
            status = lbf_refuse(
                error, LB_ERROR_UNSUPPORTED,
                "no closed form: more than seven joints move the end-effector; begin the chain nearer to it");
        } else if (variable >= 0) {
            moving[closed->form.arm.n] = nodes[count];
            add_joint(closed, &f->nodes[nodes[count]], variable);
        }
    }
    lbf_delete(&f->draft.allocator, nodes, (size_t)f->node_count, sizeof *nodes);
    if (!status) {
        status = check_drives(closed, error);
    }
    return status ? status : set_axes(closed, moving, effector, error);
}

/* --- Which form ----------------------------------------------------------------------------------------------------------- */

/* Two joints that turn about one axis, or two that slide along one direction: named, they explain an arm that is singular
 * everywhere. Returns 0 where there are none. */
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

static int is_singular_everywhere(const lbc_arm *arm) {
    uint64_t state = 977;
    for (int k = 0; k < RANDOM_POSES; k++) {
        double q[LBC_JOINTS];
        for (int i = 0; i < arm->n; i++) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            q[i] = ((double)(state >> 11) * 0x1p-52 - 1) * (arm->slides[i] ? 1 : LBM_PI);
        }
        if (lbc_arm_condition(arm, q) < ALWAYS_SINGULAR) {
            return 0;
        }
    }
    return 1;
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
        return lbf_refuse(
            error, LB_ERROR_UNSUPPORTED,
            "no closed form: of seven revolute joints the first three axes must meet in a point, and the last three");
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
    if (arm->n != 6) {
        return LBC_LACKS_JOINTS;
    }
    if (is_singular_everywhere(arm)) {
        return LBC_LACKS_RANK;
    }
    if (lbc_pieper_find(arm, &form->by.pieper)) {
        form->kind = form->by.pieper.is_parallel ? LB_CLOSED_PARALLEL : LB_CLOSED_MEETING;
        return LBC_HAS_FORM;
    }
    form->kind = LB_CLOSED_GENERAL;
    return lbc_general_prepare(arm, &form->by.general, &form->work) ? LBC_HAS_FORM : LBC_LACKS_JOINTS;
}

/* The same, with the reason as a sentence. */
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

lb_status lbc_prepare(lb_closed *closed, const lb_effector *effector, int base_segment, lb_error *error) {
    const lb_status status = find_chain(closed, effector, base_segment, error);
    return status ? status : choose_form(closed, error);
}
