#include "solve/plan/variables.h"

#include <string.h>

#include "math/trig.h"
#include "solve/plan/space.h"
#include "solve/turns.h"

/* --- Which variables may move ------------------------------------------------------------------------------------- */

/* Marks the variables that move a joint's coordinates: marks[variable of the pose] becomes 0. */
static void mark_joint(const lbs_space *s, int figure, int joint, int *marks) {
    const lb_figure *f = s->problem->figures[figure];
    int first = s->problem->first_variables[figure], dofs = lb_joint_type_dof_count(&f->draft.joints[joint].type);
    for (int i = 0; i < dofs; i++) {
        lbf_influence in = lbf_influence_of(f, lbf_coordinate(f, joint, i));
        for (int k = 0; k < in.count; k++) {
            marks[first + (in.first_term < 0 ? in.own : f->terms[in.first_term + k].variable)] = 0;
        }
    }
}

/* From a segment towards the root, as far as the joint that starts the chain. Returns 0 if that is not on the way. */
static int mark_chain(const lbs_space *s, int figure, int segment, int chain_start, int *marks) {
    const lb_figure *f = s->problem->figures[figure];
    if (segment >= f->draft.segment_count) { /* what a loop's closing joint carries */
        int joint = f->loop_joints[segment - f->draft.segment_count];
        mark_joint(s, figure, joint, marks);
        segment = f->draft.sites[f->draft.joints[joint].site_a].segment;
    }
    for (; f->parent_joint[segment] >= 0; segment = lb_figure_parent_segment(f, segment)) {
        mark_joint(s, figure, f->parent_joint[segment], marks);
        if (f->parent_joint[segment] == chain_start) {
            return 1;
        }
    }
    for (int i = 0; i < f->root_coordinates; i++) {
        marks[s->problem->first_variables[figure] + i] = 0;
    }
    return chain_start < 0;
}

static int mark_item(const lbs_space *s, const lbs_item *item, int *marks) {
    const lb_constraint *c = item->constraint;
    const lb_figure *f = s->problem->figures[c->figure];
    int ok = 1;
    if (c->effector.kind == LB_EFFECTOR_FRAME) {
        ok = mark_chain(s, c->figure, c->effector.segment, c->chain_start, marks);
    } else {
        for (int i = 0; i < f->variable_count; i++) {
            marks[s->problem->first_variables[c->figure] + i] = 0;
        }
    }
    if (c->goal.carrier_segment >= 0) {
        mark_chain(s, c->goal.carrier_figure, c->goal.carrier_segment, -1, marks);
    }
    return ok;
}

void lbs_find_used(const lbs_space *s, int *used) {
    memset(used, -1, (size_t)s->problem->variable_count * sizeof *used);
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled) {
            mark_item(s, &s->items[i], used);
        }
    }
    for (int i = 0; i < s->problem->variable_count; i++) {
        used[i] = used[i] == 0;
    }
}

static void number_variable(lbs_space *s, int variable) {
    if (s->variables.active_of[variable] >= -1) {
        return;
    }
    s->variables.active_of[variable] = s->n;
    s->variables.index[s->n] = variable;
    s->variables.scale[s->n++] = 1 - s->problem->rigidity[variable];
    s->variables.is_scaled |= s->problem->rigidity[variable] != 0;
}

/* Numbers for the variables that may move (those marked by -2), in the order of the nodes that they move: those of a
 * limb come together, so that the rows of other limbs have blocks of zeros. */
static void number_variables(lbs_space *s) {
    const lb_problem *p = s->problem;
    s->n = s->variables.is_scaled = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        for (int i = 0; i < figure->node_count; i++) {
            const lbf_node *node = &figure->nodes[i];
            for (int c = node->coordinate; c < node->coordinate + lbf_node_coordinates(node->kind); c++) {
                lbf_influence in = lbf_influence_of(figure, c);
                for (int t = 0; t < in.count; t++) {
                    number_variable(s, p->first_variables[f] +
                                           (in.first_term < 0 ? in.own : figure->terms[in.first_term + t].variable));
                }
            }
        }
    }
    for (int i = 0; i < p->variable_count; i++) {
        number_variable(s, i);
    }
    s->stride = lbm_stride(s->n);
}

/* A body moves as a whole, unless every goal of it says where its chain starts: then only the chains do. */
static int moves_as_a_whole(const lbs_space *s, int figure) {
    int has_chains = 0;
    for (int i = 0; i < s->item_count; i++) {
        const lb_constraint *c = s->items[i].constraint;
        if (s->items[i].enabled && c->figure == figure) {
            if (c->chain_start < 0) {
                return 1;
            }
            has_chains = 1;
        }
    }
    return !has_chains;
}

lb_status lbs_choose_variables(lbs_space *s, lb_error *error) {
    const lb_problem *p = s->problem;
    int asked = 0; /* where nothing is, wishes alone may move everything */
    for (int i = 0; i < s->item_count; i++) {
        asked |= s->items[i].enabled;
    }
    for (int i = 0; i < p->variable_count; i++) {
        s->variables.active_of[i] = asked ? -1 : 0;
    }
    for (int i = 0; i < s->item_count; i++) {
        if (!s->items[i].enabled || mark_item(s, &s->items[i], s->variables.active_of)) {
            continue;
        }
        const char *name = s->items[i].constraint->name;
        return lbf_fail(error, LB_ERROR_ARGUMENT, "the chain of constraint '", name ? name : "",
                        "' starts at a joint that is not between its end-effector and the root", (char *)0);
    }
    for (int f = 0; p->body_count > 0 && f < p->figure_count; f++) {
        for (int i = 0; lb_problem_body(p, f) && moves_as_a_whole(s, f) && i < p->figures[f]->variable_count; i++) {
            s->variables.active_of[p->first_variables[f] + i] = 0;
        }
    }
    for (int i = 0; i < p->variable_count; i++) {
        s->variables.active_of[i] = s->variables.active_of[i] == 0 && p->active[i] && p->rigidity[i] < 1 ? -2 : -1;
    }
    number_variables(s);
    return LB_OK;
}

void lbs_bound_variables(lbs_space *s) {
    const lb_problem *p = s->problem;
    lbs_variables *v = &s->variables;
    v->turning_count = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        for (int i = 0; i < figure->variable_count; i++) {
            const int a = v->active_of[p->first_variables[f] + i];
            if (a < 0) {
                continue;
            }
            v->pose_lower[a] = figure->lower[i];
            v->pose_upper[a] = figure->upper[i];
            v->lower[a] = v->pose_lower[a] / v->scale[a];
            v->upper[a] = v->pose_upper[a] / v->scale[a];
            if (v->pose_upper[a] - v->pose_lower[a] >= LBM_TWO_PI && lbs_turns(figure, i)) {
                v->turning[v->turning_count++] = a;
            }
        }
    }
}
