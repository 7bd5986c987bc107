/* Why a body does not reach its goals: each of its rules is left out, one at a time, and the problem solved again from
 * the answer, as lb_solver_explain does with limits and other goals. */
#include <math.h>
#include <string.h>

#include "solve/body/body.h"
#include "solve/report/explain.h"

/* --- Trials ------------------------------------------------------------------------------------------------------------------- */

int lbs_bodies_begin_trials(lb_solver *solver) {
    lbs_bodies *all = solver->bodies;
    if (all->task.space != solver->space || all->revision != solver->space->revision) {
        return 0;
    }
    memcpy(all->saved.answer, all->best, (size_t)all->task.size * sizeof *all->best);
    memcpy(all->saved.plans, all->plans, (size_t)all->count * sizeof *all->plans);
    memcpy(all->saved.states, all->states, all->state_size);
    all->saved.start = all->start_name;
    return 1;
}

static void restore(lbs_bodies *all) {
    memcpy(all->plans, all->saved.plans, (size_t)all->count * sizeof *all->plans);
    memcpy(all->states, all->saved.states, all->state_size);
}

void lbs_bodies_end_trials(lb_solver *solver) {
    lbs_bodies *all = solver->bodies;
    restore(all);
    memcpy(all->best, all->saved.answer, (size_t)all->task.size * sizeof *all->best);
    memcpy(solver->z, solver->best.z, (size_t)solver->space->n * sizeof *solver->z);
    lbs_bodies_evaluate(all, all->best, 1);
    all->start_name = all->saved.start;
    lbs_bodies_report(all, all->best, LBS_STANDS);
}

void lbs_bodies_solve_again(lb_solver *solver) {
    lb_solve_options o = *solver->space->options;
    lb_result unseen;
    lb_error error;
    o.tracking = 1; /* from the answer alone */
    o.max_change = 0;
    lb_result_defaults(&unseen);
    unseen.value_before = lbs_value(solver->space, solver->best.z);
    lbs_bodies_solve(solver, &o, solver->answer, &unseen, &error);
}

/* The body that an unmet goal is about. */
static lbs_body *body_of(const lbs_explainer *x) {
    const lbs_bodies *all = x->solver->bodies;
    const int figure = x->solver->space->items[x->item].constraint->figure;
    for (int i = 0; i < all->count; i++) {
        if (all->bodies[i].number == figure) {
            return &all->plans[i];
        }
    }
    return &all->plans[0];
}

/* Whether what was changed gains something; then the reason says it. The bodies are to be restored afterwards. */
static int try_it(lbs_explainer *x, lb_reason *reason) {
    lbs_bodies_solve_again(x->solver);
    const lbs_miss after = lbs_measure_miss(x);
    return lbs_is_worth_saying(x, &after, reason);
}

int lbs_try_going_on(lbs_explainer *x) {
    lb_reason reason = lbs_new_reason(LB_REASON_BUDGET, -1, NULL);
    const int is_worth = try_it(x, &reason);
    x->before = is_worth ? lbs_measure_miss(x) : x->before;
    restore(x->solver->bodies);
    if (is_worth) {
        lbs_add_reason(x, &reason);
    }
    return is_worth && reason.reached;
}

/* --- Steps ------------------------------------------------------------------------------------------------------------------- */

static double step_of(const lbs_body *b, int limb) {
    double most = 0;
    for (int i = 0; i < b->report->result.step_count; i++) {
        const lb_step_result *step = &b->report->result.steps[i];
        if ((limb < 0 || step->limb == limb) && step->distance > most) {
            most = step->distance;
        }
    }
    return most;
}

/* A foot steps that may not; foot -1: all feet do, as in walking. */
static int try_step(lbs_explainer *x, int foot, lb_reason *reason) {
    lbs_body *b = body_of(x);
    int count = 0;
    for (int i = 0; i < b->stand.foot_count; i++) {
        lbs_foot *own = &b->stand.feet[i];
        own->planned = b->state->feet[i].state;
        if (own->planned == LBS_FOOT_PLANTED && (foot < 0 || foot == i)) {
            own->planned = LBS_FOOT_STEPS;
            count++;
        }
    }
    *reason = lbs_new_reason(LB_REASON_STEP, b->number, NULL);
    if (foot >= 0 && b->stand.feet[foot].heel >= 0) {
        reason->name = b->body->contacts[b->stand.feet[foot].heel].name;
    }
    int is_worth = count > 0 && lbs_may_try(x) && try_it(x, reason);
    reason->give = step_of(b, foot < 0 ? -1 : b->stand.feet[foot].limb);
    restore(x->solver->bodies);
    return is_worth && reason->give > 0;
}

/* The foot whose step gains most; where none reaches the goal, both. */
static void try_steps(lbs_explainer *x) {
    lb_reason best = {.share = 0}, tried;
    const int count = body_of(x)->stand.foot_count;
    for (int i = 0; i < count; i++) {
        if (try_step(x, i, &tried) && tried.share > best.share) {
            best = tried;
        }
    }
    if (!best.reached && try_step(x, -1, &tried) && tried.share > best.share) {
        best = tried;
    }
    if (best.share > 0) {
        lbs_add_reason(x, &best);
    }
}

/* --- Balance ------------------------------------------------------------------------------------------------------------------ */

/* Where the feet that stand point, all together; where none does, the pelvis. */
static void find_ahead(const lbs_body *b, double ahead[2]) {
    double turned[3];
    ahead[0] = ahead[1] = 0;
    for (int i = 0; i < b->stand.foot_count; i++) {
        const lbs_foot *foot = &b->stand.feet[i];
        const int tip = lbs_foot_tip(foot);
        for (int k = 0; k < foot->ball_count && tip >= 0 && b->state->feet[i].state != LBS_FOOT_LIFTED; k++) {
            const double *ball = b->stand.contacts[foot->balls[k]].point.world;
            ahead[0] += (b->stand.contacts[tip].point.world[0] - ball[0]) / foot->ball_count;
            ahead[1] += (b->stand.contacts[tip].point.world[1] - ball[1]) / foot->ball_count;
        }
    }
    for (int i = 0; i < b->stand.foot_count && ahead[0] == 0 && ahead[1] == 0; i++) {
        lbm_rotate(lbs_body_frame(b, b->root.point.spot), b->stand.feet[i].ahead_in_root, turned);
        ahead[0] += turned[0];
        ahead[1] += turned[1];
    }
}

/* Where the body would fall, as it sees it. */
static const char *falling(const lbs_body *b, const double com[3]) {
    double middle[2] = {0, 0}, ahead[2];
    int count = 0;
    for (int i = 0; i < b->stand.contact_count; i++) {
        const lbs_contact *contact = &b->stand.contacts[i];
        if (contact->is_support || (contact->foot >= 0 && b->state->feet[contact->foot].state != LBS_FOOT_LIFTED)) {
            middle[0] += contact->point.world[0];
            middle[1] += contact->point.world[1];
            count++;
        }
    }
    if (!count) {
        return NULL;
    }
    find_ahead(b, ahead);
    const double off[2] = {com[0] - middle[0] / count, com[1] - middle[1] / count};
    const double on = off[0] * ahead[0] + off[1] * ahead[1], left = off[1] * ahead[0] - off[0] * ahead[1];
    if (fabs(on) >= fabs(left)) {
        return on > 0 ? "forward" : "backward";
    }
    return left > 0 ? "to the left" : "to the right";
}

static void try_balance(lbs_explainer *x) {
    lbs_body *b = body_of(x);
    lb_reason reason = lbs_new_reason(LB_REASON_BALANCE, b->number, NULL);
    if (!b->stand.force_count || !lbs_may_try(x)) {
        return;
    }
    b->stand.force_count = 0;
    const int is_worth = try_it(x, &reason);
    const double margin = b->report->result.margin;
    reason.name = falling(b, b->state->com);
    restore(x->solver->bodies);
    if (is_worth && !(margin >= 0)) {
        reason.give = lbm_is_finite(margin) ? -margin : 0;
        lbs_add_reason(x, &reason);
    }
}

/* --- Limbs and floor --------------------------------------------------------------------------------------------------------- */

static void try_without(lbs_explainer *x, lb_reason_kind kind) {
    lbs_body *b = body_of(x);
    lb_body_options options = *b->options;
    lb_reason reason = lbs_new_reason(kind, b->number, NULL);
    if (!(kind == LB_REASON_APART ? options.apart : options.above_floor) || !lbs_may_try(x)) {
        return;
    }
    options.apart = kind == LB_REASON_APART ? 0 : options.apart;
    options.above_floor = kind == LB_REASON_FLOOR ? 0 : options.above_floor;
    b->options = &options;
    const int is_worth = try_it(x, &reason);
    restore(x->solver->bodies);
    if (is_worth) {
        lbs_add_reason(x, &reason);
    }
}

/* --- Obstacles --------------------------------------------------------------------------------------------------------------- */

#define TOUCHED 0.005 /* metres: what is farther away holds nothing back */

/* Whether an obstacle is the first of those that go together, and one of them is touched. */
static int is_in_touch(lbs_body *b, int obstacle) {
    int touched = 0;
    b->scene.left_out = obstacle + 1;
    for (int i = 0; i < b->scene.obstacle_count; i++) {
        const int goes = lbs_is_left_out(b, i);
        touched |= goes && lbs_obstacle_depth(b, i) > -TOUCHED;
        if (goes && i < obstacle) {
            touched = 0;
            break;
        }
    }
    b->scene.left_out = 0;
    return touched;
}

/* An obstacle keeps nobody out. It gives way by as much as the body is in it then. */
static void try_obstacle(lbs_explainer *x, int obstacle) {
    lbs_body *b = body_of(x);
    lb_reason reason = lbs_new_reason(LB_REASON_OBSTACLE, b->number, lbs_obstacle_name(b, x->solver->space, obstacle));
    b->scene.left_out = obstacle + 1;
    const int is_worth = try_it(x, &reason);
    for (int i = 0; i < b->scene.obstacle_count; i++) {
        const double depth = lbs_is_left_out(b, i) ? lbs_obstacle_depth(b, i) : 0;
        reason.give = depth > reason.give ? depth : reason.give;
    }
    restore(x->solver->bodies);
    if (is_worth && reason.give > 0) {
        lbs_add_reason(x, &reason);
    }
}

static void try_obstacles(lbs_explainer *x) {
    lbs_bodies *all = x->solver->bodies;
    for (int i = 0; i < body_of(x)->scene.obstacle_count; i++) {
        lbs_bodies_evaluate(all, all->saved.answer, 0);
        if (is_in_touch(body_of(x), i) && lbs_may_try(x)) {
            try_obstacle(x, i);
        }
    }
}

void lbs_try_body_rules(lbs_explainer *x) {
    try_steps(x);
    try_obstacles(x);
    try_balance(x);
    try_without(x, LB_REASON_APART);
    try_without(x, LB_REASON_FLOOR);
}
