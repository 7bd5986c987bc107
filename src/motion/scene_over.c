/* Goals of figures that clips drive: each pose is the clip's, changed as little as the goals of that moment need.
 *
 * What is free is solved by itself, before all else: of hard |goals|^2 + |pose - the clip's|^2 the least, from the clip's
 * pose. Of that change as much is made as the goals' weights say. Where weights s1 >= s2 >= ... differ, it is the sum
 * of (s1 - s2) of the change for the first goal alone, (s2 - s3) of that for the first two, and so on: so it follows
 * each weight without a jump. What that leaves of goals whose weight is nearly full is then solved for in the same way,
 * harder and harder as the weight becomes full. So the pose depends on the moment alone, and is the clip's where no
 * goal has weight. */
#include <string.h>

#include "figure/error.h"
#include "math/rotation.h"
#include "motion/scene.h"
#include "motion/track.h"

#define HARD 1e8     /* k of a goal whose weight is full, in units of the chain's length */
#define HARDEST 1e10 /* the same of the highest of several priorities, each next of which counts a hundredth */
#define STAGES 3     /* harder and harder, so that the change stays the least: at once it may overshoot */
static const double stages[STAGES] = {10, 1e4, HARDEST};
#define SOFT 0.15 /* about how far a pull of 1 moves an end-effector, in these units: so weight and way go together */

struct lbt_over {
    lb_problem *problem; /* the scene's figures, and those goals */
    lb_solver *solver;
    int *indices;            /* [constraint]: in the problem; -1: not one of these */
    unsigned char *may_move; /* [scene's variable]: 1; of a root: 2, where a track of `active` says so */
    double *lengths;         /* [constraint]: of the chain */
    int *ranks;              /* [constraint]: of its priority */
    int has_ranks;
    double least_weight;   /* of these goals' own */
    int *order;            /* [constraint]: those that have weight now, the largest share first */
    double *shares;        /* [constraint]: of its weight, now */
    double *clip, *change; /* [scene's variable] */
    int is_on;             /* some of them have weight, at the time solved last */
    int needs_others;      /* a goal goes with a figure that is solved */
};

static size_t scene_variables(const lbt_scene *s) { return (size_t)s->problem->variable_count; }
static size_t constraints(const lbt_scene *s) { return (size_t)s->problem->constraint_count; }

/* --- Made -------------------------------------------------------------------------------------------------------- */

/* Whether a variable is of what the whole figure moves by: its root, or a joint at it that may go anywhere. */
static int moves_whole(const lb_figure *f, int variable) {
    const lb_dof_ref *ref = &f->variables[variable].ref;
    if (variable < f->root_coordinates) {
        return 1;
    }
    if (ref->joint < 0 || lb_joint_type_dof_count(&f->draft.joints[ref->joint].type) < 6) {
        return 0;
    }
    const lb_joint *j = &f->draft.joints[ref->joint];
    return f->draft.sites[j->site_a].segment == f->draft.root.segment ||
           f->draft.sites[j->site_b].segment == f->draft.root.segment;
}

static int find_movable(const lbt_scene *s, lbt_over *over) {
    const lb_problem *p = s->stage->problem;
    int found = 0;
    for (int f = 0; f < p->figure_count; f++) {
        for (int v = 0; v < p->figures[f]->variable_count; v++) {
            const int i = p->first_variables[f] + v;
            if (s->driven[i] == LBT_DRIVEN_BY_CLIP && s->variables[i] >= 0 && p->active[i]) {
                over->may_move[s->variables[i]] = moves_whole(p->figures[f], v) ? 2 : 1;
                found = 1;
            }
        }
    }
    return found;
}

static int has_movable(const lbt_scene *s, const lbt_over *over, int figure) {
    const lb_problem *p = s->problem;
    for (int v = 0; v < p->figures[figure]->variable_count; v++) {
        if (over->may_move[p->first_variables[figure] + v]) {
            return 1;
        }
    }
    return 0;
}

/* The length of a chain at rest, from the effector's point to the root: what metres are measured by. */
static double chain_length(const lbt_scene *s, const lb_constraint *c) {
    const lb_figure *f = s->problem->figures[c->figure];
    lb_kinematics *k = s->kinematics[c->figure];
    double length = 0, from[3];
    lb_frame frame;
    lb_figure_rest_pose(f, s->pose);
    if (lb_kinematics_update(k, s->pose)) {
        return 1;
    }
    int segment = c->effector.kind == LB_EFFECTOR_FRAME && c->effector.segment < f->draft.segment_count
                      ? c->effector.segment
                      : f->tree_order[f->draft.segment_count - 1];
    lb_kinematics_segment(k, segment, &frame);
    lbm_quaternion_rotate(frame.rotation, c->effector.point, from);
    lbm_add_scaled3(from, frame.position, 1);
    for (; segment >= 0; segment = lb_figure_parent_segment(f, segment)) {
        double step[3];
        lb_kinematics_segment(k, segment, &frame);
        lbm_sub3(from, frame.position, step);
        length += lbm_norm3(step);
        lbm_copy3(from, frame.position);
    }
    return length > 0 ? length : 1;
}

/* A goal's own weight, which counts as full. */
static double full_weight(const lbt_scene *s, int i) {
    const double own = s->stage->problem->constraints[i].constraint.weight;
    return own > 0 ? own : 1;
}

/* How many priorities of these goals are higher than that of one of them. */
static int rank_of(const lbt_scene *s, const lbt_over *over, int i) {
    const lbp_constraint *all = s->problem->constraints;
    int rank = 0;
    for (int k = 0; k < s->problem->constraint_count; k++) {
        int is_new = over->indices[k] >= 0 && all[k].constraint.priority < all[i].constraint.priority;
        for (int m = 0; m < k && is_new; m++) {
            is_new = over->indices[m] < 0 || all[m].constraint.priority != all[k].constraint.priority;
        }
        rank += is_new;
    }
    return rank;
}

static lb_status add_goals(lbt_scene *s, lbt_over *over) {
    for (int i = 0; i < s->problem->constraint_count; i++) {
        lb_constraint c = s->problem->constraints[i].constraint;
        over->indices[i] = -1;
        if (!has_movable(s, over, c.figure)) {
            continue;
        }
        over->lengths[i] = chain_length(s, &c);
        over->needs_others |= c.goal.carrier_segment >= 0 && !has_movable(s, over, c.goal.carrier_figure);
        over->indices[i] = over->problem->constraint_count;
        c.priority = 0;
        if (!(over->least_weight > 0) || full_weight(s, i) < over->least_weight) {
            over->least_weight = full_weight(s, i);
        }
        if (lb_problem_add(over->problem, &c) < 0) {
            return over->problem->error.status;
        }
    }
    for (int i = 0; i < s->problem->constraint_count; i++) {
        over->ranks[i] = over->indices[i] >= 0 ? rank_of(s, over, i) : 0;
        over->has_ranks |= over->ranks[i] > 0;
    }
    return LB_OK;
}

static lb_status make_problem(lbt_scene *s, lbt_over *over) {
    over->problem = lb_problem_create(s->problem->figures[0], NULL);
    for (int f = 1; over->problem && f < s->problem->figure_count; f++) {
        if (lb_problem_add_figure(over->problem, s->problem->figures[f]) < 0) {
            return LB_ERROR_MEMORY;
        }
    }
    lb_status status = over->problem ? add_goals(s, over) : LB_ERROR_MEMORY;
    if (status || !over->problem->constraint_count) {
        return status;
    }
    memcpy(over->problem->rigidity, s->problem->rigidity, scene_variables(s) * sizeof *over->problem->rigidity);
    status = lb_problem_set_wish_level(over->problem, LB_WISH_LEVEL_GOALS);
    status = status ? status : lb_problem_set_posture(over->problem, s->pose, 1);
    over->solver = status ? NULL : lb_solver_create(over->problem, NULL);
    return status || over->solver ? status : LB_ERROR_MEMORY;
}

lb_status lbt_scene_make_over(lbt_scene *s) {
    lbt_over *over = s->stage->clip_count ? lbf_new(&s->allocator, 1, sizeof *over) : NULL;
    if (!over) {
        return s->stage->clip_count ? LB_ERROR_MEMORY : LB_OK;
    }
    s->over = over;
    over->indices = lbf_new(&s->allocator, constraints(s), sizeof *over->indices);
    over->ranks = lbf_new(&s->allocator, constraints(s), sizeof *over->ranks);
    over->lengths = lbf_new(&s->allocator, constraints(s), sizeof *over->lengths);
    over->may_move = lbf_new(&s->allocator, scene_variables(s), 1);
    over->order = lbf_new(&s->allocator, constraints(s), sizeof *over->order);
    over->shares = lbf_new(&s->allocator, constraints(s), sizeof *over->shares);
    over->clip = lbf_new(&s->allocator, scene_variables(s), sizeof *over->clip);
    over->change = lbf_new(&s->allocator, scene_variables(s), sizeof *over->change);
    if (!over->indices || !over->ranks || !over->lengths || !over->may_move || !over->order || !over->shares ||
        !over->clip || !over->change) {
        return LB_ERROR_MEMORY;
    }
    lb_status status = find_movable(s, over) ? make_problem(s, over) : LB_OK;
    if (!status && !over->solver) { /* a clip, and no goal that it leaves anything to */
        lbt_scene_destroy_over(s);
    }
    return status;
}

void lbt_scene_destroy_over(lbt_scene *s) {
    lbt_over *over = s->over;
    s->over = NULL;
    if (!over) {
        return;
    }
    lb_solver_destroy(over->solver);
    lb_problem_destroy(over->problem);
    lbf_delete(&s->allocator, over->indices, constraints(s), sizeof *over->indices);
    lbf_delete(&s->allocator, over->ranks, constraints(s), sizeof *over->ranks);
    lbf_delete(&s->allocator, over->lengths, constraints(s), sizeof *over->lengths);
    lbf_delete(&s->allocator, over->may_move, scene_variables(s), 1);
    lbf_delete(&s->allocator, over->order, constraints(s), sizeof *over->order);
    lbf_delete(&s->allocator, over->shares, constraints(s), sizeof *over->shares);
    lbf_delete(&s->allocator, over->clip, scene_variables(s), sizeof *over->clip);
    lbf_delete(&s->allocator, over->change, scene_variables(s), sizeof *over->change);
    lbf_delete(&s->allocator, over, 1, sizeof *over);
}

/* --- Solved ------------------------------------------------------------------------------------------------------ */

double lbt_scene_share(const lbt_scene *s, int i) {
    const lb_constraint *now = &s->problem->constraints[i].constraint;
    const double part = now->disabled ? 0 : now->weight / full_weight(s, i);
    return part >= 1 ? 1 : part * part * part * (10 - part * (15 - 6 * part));
}

/* How hard a goal pulls: as told, but not harder than its rank lets it; those of larger weight more. */
static double pull(const lbt_scene *s, const lbt_over *over, int i, double wanted) {
    const double more = full_weight(s, i) / over->least_weight;
    double hardest = over->has_ranks ? HARDEST : HARD;
    for (int r = 0; r < over->ranks[i]; r++) {
        hardest /= 100;
    }
    return (more < 1000 ? more : 1000) * (wanted < hardest ? wanted : hardest) / (over->lengths[i] * over->lengths[i]);
}

/* How hard one does whose share is nearly full. */
static double pull_of_share(double share) {
    const double twice = share * share, power = twice * twice;
    return share < 1 ? power * power / (1 - share) / SOFT : HARDEST;
}

/* Which variables are free now: of those that may move, roots only where a track of `active` says so, others unless it
 * says no. The solver moves those of them that are on the way of a goal. */
static lb_status choose_free(lbt_scene *s, lbt_over *over, const lbt_moment *moment) {
    lb_status status = LB_OK;
    for (int v = 0; v < s->problem->variable_count && !status; v++) {
        status = lb_problem_set_active(over->problem, v, over->may_move[v] == 1);
    }
    for (int i = 0; i < s->stage->drive_count && !status; i++) {
        const lbt_drive *d = &s->stage->drives[i];
        const int v = d->target == LB_DRIVE_TARGET_ACTIVE ? s->variables[d->index] : -1;
        double value;
        if (v < 0 || !over->may_move[v]) {
            continue;
        }
        status = lbt_track_at(d->track, lbt_seconds(moment->time), LBT_NEAR, moment->closing, &value);
        status = status ? status : lb_problem_set_active(over->problem, v, value >= 0.5);
    }
    return status;
}

/* The goals' places as they are now, and those that have weight, in order; returns how many these are. */
static int take_goals(const lbt_scene *s, lbt_over *over) {
    int count = 0;
    for (int i = 0; i < s->problem->constraint_count; i++) {
        if (over->indices[i] < 0) {
            continue;
        }
        lb_goal *to = &over->problem->constraints[over->indices[i]].constraint.goal;
        const lb_goal *from = &s->problem->constraints[i].constraint.goal;
        lbm_copy3(to->point, from->point);
        lbm_copy3(to->x, from->x);
        lbm_copy3(to->y, from->y);
        lbm_copy3(to->normal, from->normal);
        memcpy(to->rotation, from->rotation, sizeof to->rotation);
        over->shares[i] = lbt_scene_share(s, i);
        int at = over->shares[i] > 0 ? count++ : 0;
        for (; over->shares[i] > 0 && at > 0 && over->shares[over->order[at - 1]] < over->shares[i]; at--) {
            over->order[at] = over->order[at - 1];
        }
        if (over->shares[i] > 0) {
            over->order[at] = i;
        }
    }
    over->problem->moves++;
    return count;
}

/* The pose nearest to the posture by the first `count` goals, from s->pose: all as hard as told, or, 0, each as its
 * share says. */
static lb_status solve_for(lbt_scene *s, lbt_over *over, int count, double hard, const lb_solve_options *options) {
    lb_result result;
    lb_status status = LB_OK;
    for (int i = 0; i < over->problem->constraint_count; i++) {
        over->problem->constraints[i].constraint.disabled = 1;
    }
    for (int k = 0; k < count && !status; k++) {
        const int i = over->order[k], id = over->problem->constraints[over->indices[i]].id;
        const double wanted = hard > 0 ? hard : pull_of_share(over->shares[i]);
        status = lb_problem_set_weight(over->problem, id, pull(s, over, i, wanted));
        status = status ? status : lb_problem_enable(over->problem, id, 1);
    }
    lb_result_defaults(&result);
    return status ? status : lb_solver_solve(over->solver, options, s->pose, &result);
}

/* Figures that these goals go with are solved first, by goals of their own: they are where they would be without. */
static lb_status solve_others(lbt_scene *s, const lbt_over *over, const lb_solve_options *options, lb_result *result) {
    lb_status status = LB_OK;
    for (int i = 0; i < s->problem->constraint_count && !status; i++) {
        status = over->shares[i] > 0 ? lb_problem_enable(s->problem, s->ids[i], 0) : LB_OK;
    }
    status = status ? status : lb_solver_solve(s->solver, options, s->pose, result);
    for (int i = 0; i < s->problem->constraint_count; i++) {
        if (over->shares[i] > 0 && lb_problem_enable(s->problem, s->ids[i], 1)) {
            return LB_ERROR_ARGUMENT;
        }
    }
    return status;
}

/* The changes that the goals need by their shares: those of each share together, as far as it is above the next one. */
static lb_status change_by_shares(lbt_scene *s, lbt_over *over, int count, lb_solve_options *own) {
    const int n = s->problem->variable_count;
    lb_status status = LB_OK;
    memset(over->change, 0, (size_t)n * sizeof *s->pose);
    for (int k = 0; k < count && !status; k++) {
        const double share = over->shares[over->order[k]], next = k + 1 < count ? over->shares[over->order[k + 1]] : 0;
        if (share == next) {
            continue;
        }
        memcpy(s->pose, over->clip, (size_t)n * sizeof *s->pose);
        for (int stage = 0; stage < STAGES && !status; stage++) {
            status = solve_for(s, over, k + 1, stages[stage], own);
        }
        for (int v = 0; v < n; v++) {
            over->change[v] += (share - next) * (s->pose[v] - over->clip[v]);
        }
    }
    for (int v = 0; v < n && !status; v++) {
        s->pose[v] = over->clip[v] + over->change[v];
    }
    return status;
}

/* What is left of goals of full share, for the pose held as much back as they pulled. */
static lb_status meet_in_full(lbt_scene *s, lbt_over *over, int count, lb_solve_options *own) {
    int full = 0;
    while (full < count && over->shares[over->order[full]] == 1) {
        full++;
    }
    lb_status status = LB_OK;
    if (full < count) {
        status = lb_problem_set_posture(over->problem, s->pose, 1);
        status = status ? status : solve_for(s, over, count, 0, own);
    }
    if (!status && full > 0) {
        status = lb_problem_set_posture(over->problem, s->pose, 1);
        status = status ? status : solve_for(s, over, full, HARDEST, own);
    }
    return status;
}

lb_status lbt_scene_solve_over(lbt_scene *s, const lbt_moment *moment, const lb_solve_options *options,
                               lb_result *result) {
    lbt_over *over = s->over;
    const int count = over ? take_goals(s, over) : 0;
    lb_solve_options own = *options;
    if (over) {
        over->is_on = count > 0;
    }
    lb_status status = count ? choose_free(s, over, moment) : LB_OK;
    if (status || !count) {
        return status;
    }
    if (over->needs_others) {
        status = solve_others(s, over, options, result);
    }
    own.method = LB_METHOD_LM;
    own.restarts = 0;
    own.tracking = own.keep_going = 1;
    own.on_iteration = NULL;
    memcpy(over->clip, s->pose, (size_t)s->problem->variable_count * sizeof *s->pose);
    status = status ? status : lb_problem_set_posture(over->problem, over->clip, 1);
    status = status ? status : change_by_shares(s, over, count, &own);
    return status ? status : meet_in_full(s, over, count, &own);
}

int lbt_scene_is_over(const lbt_scene *s, int i) { return s->over && s->over->indices[i] >= 0; }

int lbt_scene_may_move(const lbt_scene *s, int variable) {
    return s->problem->active[variable] || (s->over && s->over->is_on && s->over->problem->active[variable]);
}
