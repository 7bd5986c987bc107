#include "solve/turns.h"

#include "math/rotation.h"
#include "math/trig.h"

#define FEW_TURNS 16 /* up to which the rounding of 2 pi is that of the angle */

/* The element of a joint's type that a dof belongs to. */
static const lb_element *element_of(const lb_joint_type *type, int dof) {
    for (int i = 0, at = 0; i < type->element_count; i++) {
        const lb_element_kind kind = type->elements[i].kind;
        at += kind == LB_ELEMENT_ROTATE || kind == LB_ELEMENT_TRANSLATE ? 1 : 3;
        if (dof < at) {
            return &type->elements[i];
        }
    }
    return NULL;
}

/* Whether a dof's own motion repeats after a turn: a turn about an axis, or the twist of a ball. */
static int dof_repeats(const lb_joint_type *type, int dof) {
    const lb_element *element = element_of(type, dof);
    if (!element) {
        return 0;
    }
    if (element->kind == LB_ELEMENT_ROTATE) {
        return 1;
    }
    /* swing a, swing b, twist */
    return element->kind == LB_ELEMENT_SWING_TWIST && element_of(type, dof + 1) != element;
}

static int drives(const lb_figure *f, int variable) {
    for (int i = 0; i < f->term_count; i++) {
        if (f->terms[i].variable == variable) {
            return 1;
        }
    }
    return 0;
}

static int is_in_a_row(const lb_figure *f, int variable) {
    for (int r = 0; r < f->row_count; r++) {
        for (int k = 0; k < f->rows[r].count; k++) {
            if (f->rows[r].variables[k] == variable) {
                return 1;
            }
        }
    }
    return 0;
}

int lbs_turns(const lb_figure *f, int variable) {
    const lb_dof_ref ref = f->variables[variable].ref;
    return ref.joint >= 0 && dof_repeats(&f->draft.joints[ref.joint].type, ref.dof) && !drives(f, variable) &&
           !is_in_a_row(f, variable);
}

/* Where wishes want a variable, else where it was. */
static inline double wanted(const lbs_space *s, int variable) {
    const lbp_wishes *w = &s->problem->wishes;
    if (!(w->posture_weight > 0)) {
        return s->start[variable];
    }
    const double sum = w->posture_weight + w->stay_weight;
    return lbm_is_finite(sum)
               ? (w->posture_weight * s->problem->posture[variable] + w->stay_weight * s->start[variable]) / sum
               : s->start[variable];
}

int lbs_unwrap(const lbs_space *s, double *pose) {
    int unwrapped = 0;
    for (int k = 0; k < s->variables.turning_count; k++) {
        const int i = s->variables.turning[k], at = s->variables.index[i];
        const double way = pose[at] - wanted(s, at);
        if (fabs(way) < 3) {
            continue; /* less than half a turn */
        }
        const double turns = floor(way / LBM_TWO_PI + 0.5), value = pose[at] - turns * LBM_TWO_PI;
        if (turns != 0 && value >= s->variables.pose_lower[i] && value <= s->variables.pose_upper[i]) {
            pose[at] = value;
            unwrapped = unwrapped == 2 || fabs(turns) > FEW_TURNS ? 2 : 1;
        }
    }
    return unwrapped;
}

/* --- How far poses are apart
 * ----------------------------------------------------------------------------------------- */

/* The first of three variables that are one rotation vector, or -1: those of a free root, or of a joint's element. */
static int rotation_vector_at(const lb_figure *f, int variable) {
    const lb_dof_ref ref = f->variables[variable].ref;
    if (ref.joint < 0) {
        const int is_root = ref.parameter < 0 && variable < f->root_coordinates;
        return is_root && variable >= 3 ? 3 : -1;
    }
    const lb_joint_type *type = &f->draft.joints[ref.joint].type;
    const lb_element *element = element_of(type, ref.dof);
    if (!element || element->kind != LB_ELEMENT_ROTATION) {
        return -1;
    }
    int dof = ref.dof, first = variable;
    while (dof > 0 && element_of(type, dof - 1) == element) {
        dof--;
        first--;
    }
    for (int k = 0; k < 3; k++) { /* some of them may be frozen or driven */
        if (first < 0 || first + k >= f->variable_count) {
            return -1;
        }
        const lb_dof_ref other = f->variables[first + k].ref;
        if (other.joint != ref.joint || other.dof != dof + k) {
            return -1;
        }
    }
    return first;
}

static void quaternion_of(const double v[3], double q[4]) {
    const double angle = lbm_safe_norm3(v);
    double sine, cosine;
    lbm_sincos(0.5 * angle, &sine, &cosine);
    for (int i = 0; i < 3; i++) {
        q[i] = angle > 0 ? sine * v[i] / angle : 0;
    }
    q[3] = cosine;
}

/* The angle between the rotations of two rotation vectors. */
static double angle_between(const double a[3], const double b[3]) {
    double p[4], q[4], sum = 0, less = 0;
    quaternion_of(a, p);
    quaternion_of(b, q);
    for (int i = 0; i < 4; i++) {
        sum += (p[i] + q[i]) * (p[i] + q[i]);
        less += (p[i] - q[i]) * (p[i] - q[i]);
    }
    return 4 * lbm_atan2(sqrt(sum < less ? sum : less), sqrt(sum < less ? less : sum));
}

static double variable_difference(const lb_figure *f, int variable, const double *a, const double *b) {
    const int first = rotation_vector_at(f, variable);
    if (first >= 0) {
        return angle_between(a + first, b + first);
    }
    const double off = fabs(a[variable] - b[variable]);
    if (off > LBM_PI && lbs_turns(f, variable)) {
        return fabs(off - LBM_TWO_PI * floor(off / LBM_TWO_PI + 0.5));
    }
    return off;
}

double lbs_pose_difference(const lb_problem *p, const double *a, const double *b) {
    double most = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const int first = p->first_variables[f];
        for (int i = 0; i < p->figures[f]->variable_count; i++) {
            const double off = variable_difference(p->figures[f], i, a + first, b + first);
            most = off > most ? off : most;
        }
    }
    return most;
}
