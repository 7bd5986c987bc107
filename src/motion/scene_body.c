/* Bodies over time: figures that the stage's problem poses as people are so in the scene's, and what stands, steps, is
 * lifted or holds on changes as tracks say. */
#include <string.h>

#include "figure/body.h"
#include "figure/error.h"
#include "figure/figure.h"
#include "math/rotation.h"
#include "math/vec.h"
#include "motion/scene.h"
#include "motion/track.h"
#include "problem/problem.h"

/* Whether a figure of the scene has the variables of the stage's figure, by the same numbers, before any of its own. */
static int keeps_variables(const lbt_scene *s, int figure) {
    int first = s->stage->problem->first_variables[figure];
    for (int i = 0; i < lbt_stage_figure(s, figure)->variable_count; i++) {
        if (s->variables[first + i] != s->problem->first_variables[s->places[figure].figure] + i) {
            return 0;
        }
    }
    return 1;
}

/* A figure that was made for the scene, because it carries something or its limits change, gets the body of the one
 * that it was made from: segments, sites and variables of that come first in it. */
static lb_status give_body(lbt_scene *s, int figure, lb_error *error) {
    lb_figure *made = s->figures[s->places[figure].figure];
    const lb_figure *from = lbt_stage_figure(s, figure);
    lb_body body = *lb_figure_body(from);
    size_t count = (size_t)made->variable_count;
    if (!keeps_variables(s, figure)) {
        return lbf_fail(error, LB_ERROR_UNSUPPORTED,
                        "a figure that is posed as a body cannot carry one with variables of its own", (char *)0);
    }
    lb_body_variable *variables = lbf_new(&s->allocator, count, sizeof *variables);
    if (!variables) {
        return LB_ERROR_MEMORY;
    }
    memset(variables, 0, count * sizeof *variables);
    if (body.variable_count > 0) {
        memcpy(variables, body.variables, (size_t)body.variable_count * sizeof *variables);
        body.variable_count = made->variable_count;
        body.variables = variables;
    }
    lb_status status = lb_figure_set_body(made, &body, error);
    lbf_delete(&s->allocator, variables, count, sizeof *variables);
    return status;
}

lb_status lbt_scene_make_bodies(lbt_scene *s, lb_error *error) {
    for (int f = 0; f < s->figure_count; f++) {
        const lb_body_options *options = lb_problem_body(s->stage->problem, f);
        int host = s->places[f].figure;
        if (!options || s->places[f].held) {
            continue;
        }
        lb_status status = s->figures[host] && !lb_figure_body(s->figures[host]) ? give_body(s, f, error) : LB_OK;
        if (!status && lb_problem_set_body(s->problem, host, options)) {
            status = lbf_fail(error, s->problem->error.status, s->problem->error.message, (char *)0);
        }
        if (!status && lb_problem_set_habit(s->problem, host, lb_problem_habit(s->stage->problem, f))) {
            status = lbf_fail(error, s->problem->error.status, s->problem->error.message, (char *)0);
        }
        if (status) {
            return status;
        }
        s->has_bodies = 1;
    }
    return LB_OK;
}

/* What tracks say of one body. */
typedef struct told {
    lb_body_options options;
    lb_support supports[LBT_SUPPORTS_MOST];
    int is_told; /* anything */
} told;

/* Takes a support away, or adds one on the floor where there was none. */
static void tell_support(told *t, int contact, int is_on) {
    int kept = 0, has = 0;
    for (int i = 0; i < t->options.support_count; i++) {
        int is_it = t->supports[i].contact == contact;
        has |= is_it;
        if (!is_it || is_on) {
            t->supports[kept++] = t->supports[i];
        }
    }
    if (is_on && !has && kept < LBT_SUPPORTS_MOST) {
        t->supports[kept++] = (lb_support){contact, -1};
    }
    t->options.support_count = kept;
}

static lb_status hear_tracks(const lbt_scene *s, int figure, int64_t time, int closing, told *t) {
    for (int i = 0; i < s->stage->drive_count; i++) {
        const lbt_drive *d = &s->stage->drives[i];
        int is_foot = d->target == LB_DRIVE_TARGET_FOOT, is_support = d->target == LB_DRIVE_TARGET_SUPPORT;
        double value;
        if ((!is_foot && !is_support) || d->figure != figure) {
            continue;
        }
        lb_status status = lbt_track_at(d->track, lbt_seconds(time), LBT_NEAR, closing, &value);
        if (status) {
            return status;
        }
        t->is_told = 1;
        if (is_foot) {
            int mode = value < 0 ? 0 : value > LB_FOOT_MODE_LIFTED ? LB_FOOT_MODE_LIFTED : (int)(value + 0.5);
            t->options.feet_modes[d->joint] = (lb_foot_mode)mode;
        } else {
            tell_support(t, d->joint, value >= 0.5);
        }
    }
    return LB_OK;
}

static int is_same(const lb_body_options *a, const lb_body_options *b) {
    if (a->support_count != b->support_count || memcmp(a->feet_modes, b->feet_modes, sizeof a->feet_modes) != 0) {
        return 0;
    }
    for (int i = 0; i < a->support_count; i++) {
        if (a->supports[i].contact != b->supports[i].contact || a->supports[i].surface != b->supports[i].surface) {
            return 0;
        }
    }
    return 1;
}

lb_status lbt_scene_drive_bodies(lbt_scene *s, int64_t time, int closing) {
    for (int f = 0; f < s->figure_count && s->has_bodies; f++) {
        const lb_body_options *base = lb_problem_body(s->stage->problem, f);
        told t;
        if (!base || s->places[f].held || base->support_count > LBT_SUPPORTS_MOST) {
            continue;
        }
        t.options = *base;
        t.is_told = 0;
        memcpy(t.supports, base->supports, base->support_count ? (size_t)base->support_count * sizeof *t.supports : 0);
        t.options.supports = t.supports;
        lb_status status = hear_tracks(s, f, time, closing, &t);
        int host = s->places[f].figure;
        if (!status && t.is_told && !is_same(&t.options, lb_problem_body(s->problem, host))) {
            status = lb_problem_set_body(s->problem, host, &t.options);
        }
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

/* The share of the way from one pose to another that keeps every variable of a body within its rate. */
static double share_of_way(const lbt_scene *s, const double *from, const double *to, double seconds) {
    const lb_problem *p = s->stage->problem;
    double share = 1;
    for (int f = 0; f < p->figure_count; f++) {
        for (int i = 0; i < p->figures[f]->variable_count && lb_problem_body(p, f); i++) {
            int v = p->first_variables[f] + i;
            double most = (p->figures[f]->variables[i].is_angle ? LBT_BODY_TURN : LBT_BODY_SPEED) * seconds;
            double way = fabs(to[v] - from[v]);
            if (!s->driven[v] && way * share > most) {
                share = most / way;
            }
        }
    }
    return share;
}

/* The mean place of the contacts of a body that stand, in a pose of the stage's problem; 0 where none does. */
static int mean_contact(lbt_scene *s, int figure, const double *pose, double mean[3]) {
    const lb_problem *p = s->stage->problem;
    int host = s->places[figure].figure, first = p->first_variables[figure], count = 0;
    const lb_body_result *found = lb_solver_body(s->solver, host);
    const lb_body *body = lb_figure_body(lbt_stage_figure(s, figure));
    for (int i = 0; i < p->figures[figure]->variable_count; i++) {
        if (s->variables[first + i] >= 0) {
            s->pose[s->variables[first + i]] = pose[first + i];
        }
    }
    if (!found || lb_kinematics_update(s->kinematics[host], s->pose + s->problem->first_variables[host])) {
        return 0;
    }
    lbm_set3(mean, 0, 0, 0);
    for (int i = 0; i < found->contact_count; i++) {
        const lb_body_contact *contact = &body->contacts[found->contacts[i].contact];
        lb_frame frame;
        double at[3];
        if (found->contacts[i].stands) {
            lb_kinematics_segment(s->kinematics[host], contact->segment, &frame);
            lbm_quaternion_rotate(frame.rotation, contact->point, at);
            lbm_add_scaled3(mean, frame.position, 1);
            lbm_add_scaled3(mean, at, 1);
            count++;
        }
    }
    for (int i = 0; i < 3 && count; i++) {
        mean[i] /= count;
    }
    return count;
}

/* On a shortened way the feet would slide a little: the body goes along, so that those that stand stay in the mean. */
static void stand_still(lbt_scene *s, int figure, const double *before, double *pose) {
    int first = s->stage->problem->first_variables[figure];
    double was[3], is[3];
    if (s->driven[first] || !mean_contact(s, figure, before, was) || !mean_contact(s, figure, pose, is)) {
        return;
    }
    const double off[3] = {was[0] - is[0], was[1] - is[1], was[2] - is[2]};
    lbf_move_whole(lbt_stage_figure(s, figure), off, pose + first);
}

void lbt_scene_hold_rates(lbt_scene *s, const double *before, double seconds, double *pose) {
    const lb_problem *p = s->stage->problem;
    double share = s->has_bodies && seconds > 0 ? share_of_way(s, before, pose, seconds) : 1;
    for (int f = 0; f < p->figure_count && share < 1; f++) {
        int is_body = lb_problem_body(p, f) && !s->places[f].held;
        for (int i = 0; i < p->figures[f]->variable_count && is_body; i++) {
            int v = p->first_variables[f] + i;
            pose[v] = s->driven[v] ? pose[v] : before[v] + share * (pose[v] - before[v]);
        }
        if (is_body) {
            stand_still(s, f, before, pose);
        }
    }
    for (int i = 0; i < p->variable_count && share < 1; i++) {
        if (s->variables[i] >= 0) {
            s->pose[s->variables[i]] = pose[i];
        }
    }
}
