/* What is driven and cannot be, and what is driven and asked at once: said when it begins. */
#include "figure/error.h"
#include "math/trig.h"
#include "motion/scene.h"

static void tell(const lb_player_options *options, int64_t time, const lb_error *text) {
    options->warn(options->warn_context, lbt_seconds(time), text->message);
}

static void tell_clipped(const lbt_scene *s, int variable, int64_t time, const lb_player_options *options) {
    const lb_problem *problem = s->stage->problem;
    int f = problem->figure_count - 1;
    while (problem->first_variables[f] > variable) {
        f--;
    }
    int degrees = problem->figures[f]->variables[variable - problem->first_variables[f]].is_angle;
    double unit = degrees ? 180 / LBM_PI : 1;
    char name[256], wanted[32], got[32];
    lb_error text;
    lb_problem_variable_name(problem, variable, name, sizeof name);
    lbf_fail(&text, LB_OK, "a limit clips ", name, ": asked for ", lbf_decimal_text(unit * s->wanted[variable], wanted),
             degrees ? " deg" : "", ", it stays at ", lbf_decimal_text(unit * s->pose[s->variables[variable]], got),
             degrees ? " deg" : "", (char *)0);
    tell(options, time, &text);
}

/* --- Goals ------------------------------------------------------------------------------------------------------- */

/* What may move for a goal, and what is driven on its way. */
typedef struct way {
    int moves, is_driven;
} way;

static void look_at_variable(const lbt_scene *s, int variable, way *w) {
    w->moves |= lbt_scene_may_move(s, variable);
    for (int i = 0; i < s->stage->problem->variable_count; i++) {
        w->is_driven |= s->variables[i] == variable && s->driven[i];
    }
}

static void look_at_joint(const lbt_scene *s, int figure, int joint, way *w) {
    const lb_figure *f = s->problem->figures[figure];
    for (int d = 0; d < lb_joint_type_dof_count(&f->draft.joints[joint].type); d++) {
        lbf_influence in = lbf_influence_of(f, lbf_coordinate(f, joint, d));
        for (int k = 0; k < in.count; k++) {
            const int own = in.first_term < 0 ? in.own : f->terms[in.first_term + k].variable;
            look_at_variable(s, s->problem->first_variables[figure] + own, w);
        }
    }
}

/* From a segment towards the root, as far as the chain goes. */
static void look_at_chain(const lbt_scene *s, int figure, int segment, int chain_start, way *w) {
    const lb_figure *f = s->problem->figures[figure];
    if (segment >= f->draft.segment_count) {
        segment = f->draft.sites[f->draft.joints[f->loop_joints[segment - f->draft.segment_count]].site_a].segment;
    }
    for (; segment >= 0; segment = lb_figure_parent_segment(f, segment)) {
        const int joint = f->parent_joint[segment];
        if (joint >= 0) {
            look_at_joint(s, figure, joint, w);
        }
        if (joint >= 0 && joint == chain_start) {
            return;
        }
    }
    for (int i = 0; i < f->root_coordinates; i++) {
        look_at_variable(s, s->problem->first_variables[figure] + i, w);
    }
}

static way way_of(const lbt_scene *s, const lb_constraint *c) {
    way w = {0, 0};
    if (c->effector.kind == LB_EFFECTOR_FRAME) {
        look_at_chain(s, c->figure, c->effector.segment, c->chain_start, &w);
    }
    for (int v = 0; c->effector.kind != LB_EFFECTOR_FRAME && v < s->problem->figures[c->figure]->variable_count; v++) {
        look_at_variable(s, s->problem->first_variables[c->figure] + v, &w);
    }
    if (c->goal.carrier_segment >= 0) {
        look_at_chain(s, c->goal.carrier_figure, c->goal.carrier_segment, -1, &w);
    }
    return w;
}

static void tell_goal(const lbt_scene *s, int i, const lb_constraint_result *found, int64_t time,
                      const lb_player_options *options, int is_vain) {
    const char *name = s->stage->problem->constraints[i].constraint.name;
    char number[24], far[32], turn[32];
    lb_error text;
    lbf_fail(&text, LB_OK, "the goal '", name ? name : lbf_integer_text(i, number), "' is missed by ",
             lbf_decimal_text(1000 * found->distance, far), " mm", found->angle_rad > 0 ? " and " : "",
             found->angle_rad > 0 ? lbf_decimal_text(found->angle_rad * 180 / LBM_PI, turn) : "",
             found->angle_rad > 0 ? " deg" : "",
             is_vain ? ": all that could move for it is driven" : ": what it may move of the clip gets no nearer",
             (char *)0);
    tell(options, time, &text);
}

void lbt_scene_warn(lbt_scene *s, int64_t time, const lb_player_options *options, const lb_result *result) {
    const lb_problem *problem = s->stage->problem;
    for (int i = 0; i < problem->variable_count && options->warn; i++) {
        const int is_clipped = s->clipped[i] && !lbt_scene_may_move(s, s->variables[i]);
        if (is_clipped && !s->warned[i]) {
            tell_clipped(s, i, time, options);
        }
        s->warned[i] = (unsigned char)is_clipped;
    }
    for (int i = 0; i < result->constraint_count && options->warn; i++) {
        const lb_constraint_result *found = &result->constraints[i];
        const int is_over = lbt_scene_is_over(s, i);
        int is_missed = found->counted && !found->met && lbt_scene_share(s, i) > 0, is_vain = 0;
        if (is_missed && !s->said[i]) {
            const way w = way_of(s, &s->problem->constraints[i].constraint);
            is_vain = !w.moves && w.is_driven;
        }
        is_missed &= s->said[i] || is_vain || (is_over && lbt_scene_share(s, i) == 1);
        if (is_missed && !s->said[i]) {
            tell_goal(s, i, found, time, options, is_vain);
        }
        s->said[i] = (unsigned char)is_missed;
    }
}
