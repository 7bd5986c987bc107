/* Limits that could be in the way of a goal: each is loosened by itself, and those that are one thing to people - the
 * edges of a swing's cone, the ranges of a joint, the region of a shoulder - all together, because an effector that is
 * in a corner comes out of it by no edge alone. */
#include <string.h>

#include "math/project.h"
#include "solve/report/explain.h"

#define MOST_HALVINGS 4 /* of how far a limit gives way, while that gains nearly as much */
#define MOST_DOUBLINGS 3
#define TOUCHED 1e-9 /* of the size of a variable: so near to a limit it is touched */
#define NEARLY_AS_MUCH 0.95
#define FAR 1e6        /* radians or metres: a limit over several variables that is loosened by as much is none */
#define WORTH_MORE 0.1 /* of the miss: what a region gains above each of its limits by itself */

/* --- One limit ------------------------------------------------------------------------------------------------------ */

/* How a limit is loosened, by how far it gives way. */
typedef struct loosening {
    void (*loosen)(void *limit, double give);
    void *limit;
} loosening;

/* One end of a variable's range in the space. */
typedef struct bound {
    double *in_z, *in_pose;
    double scale, z, pose; /* in_pose = scale * in_z; what they are by the figure */
    double outwards;       /* 1 or -1 */
} bound;

static void set_bound(const bound *b, double give) {
    *b->in_z = b->z + b->outwards * give / b->scale;
    *b->in_pose = b->pose + b->outwards * give;
}

/* Tries a limit that gives way by so much. Returns whether that is worth saying; then the reason says it. */
static int try_give(lbs_explainer *x, const loosening *way, double give, double least, lb_reason *reason) {
    lb_reason tried = *reason;
    tried.give = give;
    way->loosen(way->limit, give);
    lbs_miss after = lbs_solve_again(x);
    if (!lbs_is_worth_saying(x, &after, &tried) || tried.share < least) {
        return 0;
    }
    *reason = tried;
    return 1;
}

/* A limit that was taken away was given way to by `give`, and what that gained is in the reason. Loosened by as much,
 * and no more, it may gain less: another minimum lies on the way. So what is said is tried: that much, or more, or else
 * the limit taken away altogether, give = INFINITY. There may be many ways to give way, and a short one is what people
 * can do: half as far, while that gains nearly as much. */
static void settle_give(lbs_explainer *x, const loosening *way, lb_reason *reason) {
    const lb_reason without = *reason;
    double give = reason->give;
    int is_found = 0;
    for (int k = 0; k <= MOST_DOUBLINGS && !is_found; k++, give *= 2) {
        is_found = !lbs_spent(x->solver->space) && try_give(x, way, give, NEARLY_AS_MUCH * without.share, reason);
    }
    if (!is_found) {
        *reason = without;
        reason->give = without.give < 0 ? -INFINITY : INFINITY;
    }
    const double enough = NEARLY_AS_MUCH * reason->share;
    for (int k = 0; k < MOST_HALVINGS && is_found && !lbs_spent(x->solver->space); k++) {
        is_found = try_give(x, way, 0.5 * reason->give, enough, reason);
    }
}

static void loosen_bound(void *limit, double give) { set_bound(limit, give); }

/* The i-th variable that may move, at one end of its range. */
static void try_bound(lbs_explainer *x, int i, int is_upper) {
    lb_solver *solver = x->solver;
    lbs_space *s = solver->space;
    bound b = {.scale = s->variables.scale[i], .outwards = is_upper ? 1 : -1};
    b.in_z = is_upper ? &s->variables.upper[i] : &s->variables.lower[i];
    b.in_pose = is_upper ? &s->variables.pose_upper[i] : &s->variables.pose_lower[i];
    b.z = *b.in_z;
    b.pose = *b.in_pose;
    int variable = s->variables.index[i], figure = lbp_figure_of(s->problem, variable);
    int at = variable - s->problem->first_variables[figure];
    lb_reason reason = lbs_new_reason(LB_REASON_LIMIT, figure, s->problem->figures[figure]->variables[at].name);
    reason.variable = variable;
    reason.is_upper = is_upper;
    set_bound(&b, INFINITY);
    lbs_miss after = lbs_solve_again(x);
    reason.give = b.outwards * (solver->z[i] * s->variables.scale[i] - b.pose);
    if (!lbs_is_worth_saying(x, &after, &reason)) {
        /* not named */
    } else if (!(reason.give > 0)) {
        lbs_add_start(x, &reason);
    } else {
        const loosening way = {loosen_bound, &b};
        settle_give(x, &way, &reason);
        lbs_add_reason(x, &reason);
    }
    *b.in_z = b.z;
    *b.in_pose = b.pose;
}

/* A limit over several variables in the space, which has it as a unit vector. */
typedef struct limit_row {
    lb_limit_row *row;
    double norm, bound;
} limit_row;

static void loosen_row(void *limit, double give) {
    const limit_row *l = limit;
    l->row->bound = l->bound + give / l->norm;
}

static void swap_rows(lbs_space *s, int a, int b) {
    lb_limit_row kept = s->limits.rows[a];
    s->limits.rows[a] = s->limits.rows[b];
    s->limits.rows[b] = kept;
}

/* The k-th limit over several variables. */
static void try_row(lbs_explainer *x, int k) {
    lb_solver *solver = x->solver;
    lbs_space *s = solver->space;
    int last = s->limits.count - 1;
    limit_row l = {&s->limits.rows[k], s->limits.norms[k], s->limits.rows[k].bound};
    lb_reason reason = lbs_new_reason(LB_REASON_ROW, s->limits.figures[k], l.row->name);
    reason.row = s->limits.figure_rows[k];
    swap_rows(s, k, last); /* without it */
    s->limits.count--;
    lbs_miss after = lbs_solve_again(x);
    s->limits.count++;
    swap_rows(s, k, last);
    reason.give = l.norm * (lbm_row_sum(l.row, solver->z) - l.bound);
    if (!lbs_is_worth_saying(x, &after, &reason)) {
        /* not named */
    } else if (!(reason.give > 0) && l.row->kind != LB_LIMIT_EQUAL) {
        lbs_add_start(x, &reason);
    } else {
        const loosening way = {loosen_row, &l};
        settle_give(x, &way, &reason);
        lbs_add_reason(x, &reason);
    }
    l.row->bound = l.bound;
}

/* Whether the multiplier of a limit was listed: then it comes first. */
static int is_listed(const lbs_explainer *x, int figure, int row, int variable, int is_upper) {
    for (int i = 0; i < x->result->limit_count; i++) {
        const lb_active_limit *limit = &x->result->limits[i];
        if (row >= 0 ? limit->figure == figure && limit->row == row
                     : limit->variable == variable && limit->is_upper == is_upper) {
            return 1;
        }
    }
    return 0;
}

/* --- Limits that are one thing
 * -------------------------------------------------------------------------------------- */

/* All limits of the variables of one owner (lbf_limit_owner). */
typedef struct region {
    lbs_space *space;
    int figure, owner;
} region;

/* A variable of the space as its figure has it. */
static int own_variable(const lbs_space *s, int i, int *figure) {
    *figure = lbp_figure_of(s->problem, s->variables.index[i]);
    return s->variables.index[i] - s->problem->first_variables[*figure];
}

static int has_variable(const region *r, int i) {
    int figure;
    const int own = own_variable(r->space, i, &figure);
    return figure == r->figure && lbf_limit_owner(r->space->problem->figures[figure], own) == r->owner;
}

static int has_row(const region *r, int k) {
    const lbs_limits *l = &r->space->limits;
    const lb_figure *f = r->space->problem->figures[r->figure];
    return l->figures[k] == r->figure && lbf_row_owner(f, &f->rows[l->figure_rows[k]]) == r->owner;
}

/* Moves all its limits outwards by `give`; by 0 they are what the figure has. */
static void loosen_region(void *limit, double give) {
    const region *r = limit;
    lbs_space *s = r->space;
    for (int i = 0; i < s->n; i++) {
        int figure;
        const int own = own_variable(s, i, &figure);
        if (has_variable(r, i)) {
            const lb_figure *f = s->problem->figures[figure];
            lbs_set_range(s, i, f->lower[own] - give, f->upper[own] + give);
        }
    }
    for (int k = 0; k < s->limits.count; k++) {
        if (has_row(r, k)) {
            lbs_bind_limit(s, k);
            s->limits.rows[k].bound += (give < FAR ? give : FAR) / s->limits.norms[k];
        }
    }
}

/* How far z is outside of the region as the figure has it, at the limit that it breaks most. */
static double outside_of(const region *r, const double *z) {
    const lbs_space *s = r->space;
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        const double value = z[i] * s->variables.scale[i];
        if (has_variable(r, i)) {
            most = s->variables.pose_lower[i] - value > most ? s->variables.pose_lower[i] - value : most;
            most = value - s->variables.pose_upper[i] > most ? value - s->variables.pose_upper[i] : most;
        }
    }
    for (int k = 0; k < s->limits.count; k++) {
        const double off = s->limits.norms[k] * (lbm_row_sum(&s->limits.rows[k], z) - s->limits.rows[k].bound);
        most = has_row(r, k) && off > most ? off : most;
    }
    return most;
}

static int touches_bound(const lbs_space *s, const double *z, int i, int is_upper) {
    const double room = is_upper ? s->variables.upper[i] - z[i] : z[i] - s->variables.lower[i];
    return room <= TOUCHED * (1 + fabs(z[i]));
}

static int touches_row(const lbs_space *s, const double *z, int k) {
    const lb_limit_row *row = &s->limits.rows[k];
    return row->bound - lbm_row_sum(row, z) <= TOUCHED * (1 + fabs(row->bound));
}

/* Whether limits of a swing are all that there is to it: none of them means anything by itself. */
static int is_swing_bound(const lbs_space *s, int i) {
    int figure;
    const int own = own_variable(s, i, &figure);
    return lbf_is_in_swing(s->problem->figures[figure], own);
}

static int is_swing_row(const lbs_space *s, int k) {
    const lb_figure *f = s->problem->figures[s->limits.figures[k]];
    const lb_limit_row *row = &f->rows[s->limits.figure_rows[k]];
    return lbf_row_owner(f, row) >= 0 && lbf_is_in_swing(f, row->variables[0]);
}

/* Whether z is where limits of the region meet: at an edge of a swing's cone, at a row and at something else of
 * others. */
static int is_cornered(const region *r, const double *z, int first) {
    const lbs_space *s = r->space;
    int touched = 0, rows = 0;
    for (int i = 0; i < s->n; i++) {
        const int is_point = s->variables.lower[i] == s->variables.upper[i];
        touched += has_variable(r, i) && !is_point && (touches_bound(s, z, i, 0) || touches_bound(s, z, i, 1));
    }
    for (int k = 0; k < s->limits.count; k++) {
        rows += has_row(r, k) && touches_row(s, z, k);
    }
    return touched + rows > (is_swing_bound(s, first) ? 0 : 1);
}

/* The largest share that a limit of the region gains by itself. */
static double best_alone(const lbs_explainer *x, const region *r) {
    double best = 0;
    for (int i = 0; i < x->result->reason_count; i++) {
        const lb_reason *reason = &x->solver->lists.reasons[i];
        const lb_figure *f = reason->figure == r->figure ? r->space->problem->figures[r->figure] : NULL;
        const int own = f ? reason->variable - r->space->problem->first_variables[r->figure] : -1;
        const int is_of_it = reason->kind == LB_REASON_LIMIT ? f && lbf_limit_owner(f, own) == r->owner
                             : reason->kind == LB_REASON_ROW ? f && lbf_row_owner(f, &f->rows[reason->row]) == r->owner
                                                             : 0;
        best = is_of_it && reason->share > best ? reason->share : best;
    }
    return best;
}

/* `first`: the first of its variables in the space. */
static void try_region(lbs_explainer *x, region *r, int first) {
    lb_solver *solver = x->solver;
    lbs_space *s = r->space;
    const double alone = best_alone(x, r);
    const lb_figure *f = s->problem->figures[r->figure];
    const int own = s->variables.index[first] - s->problem->first_variables[r->figure];
    lb_reason reason = lbs_new_reason(LB_REASON_REGION, r->figure, lbf_owner_name(f, own));
    reason.variable = s->variables.index[first];
    loosen_region(r, INFINITY);
    const lbs_miss after = lbs_solve_again(x);
    loosen_region(r, 0);
    reason.give = outside_of(r, solver->z);
    if (!lbs_is_worth_saying(x, &after, &reason) || reason.share < alone + WORTH_MORE) {
        return;
    }
    if (!(reason.give > 0)) {
        lbs_add_start(x, &reason);
        return;
    }
    const loosening way = {loosen_region, r};
    settle_give(x, &way, &reason);
    loosen_region(r, 0);
    lbs_add_reason(x, &reason);
}

/* Whether an owner's variables in the space are several, the first of them this one, and all of one unit. */
static int is_region(const region *r, int first) {
    const lbs_space *s = r->space;
    const lb_variable *variables = s->problem->figures[r->figure]->variables;
    int count = 0, figure;
    for (int i = 0; i < s->n; i++) {
        if (!has_variable(r, i)) {
            continue;
        }
        const int own = own_variable(s, i, &figure), other = own_variable(s, first, &figure);
        if (i < first || variables[own].is_angle != variables[other].is_angle) {
            return 0;
        }
        count++;
    }
    return count > 1;
}

void lbs_try_regions(lbs_explainer *x) {
    lbs_space *s = x->solver->space;
    for (int i = 0; i < s->n; i++) {
        region r = {.space = s};
        const int own = own_variable(s, i, &r.figure);
        r.owner = lbf_limit_owner(s->problem->figures[r.figure], own);
        if (r.owner >= 0 && is_region(&r, i) && is_cornered(&r, x->solver->best.z, i) && lbs_may_try(x)) {
            try_region(x, &r, i);
        }
    }
}

/* --- Which ones ------------------------------------------------------------------------------------------------------ */

static void try_listed_limit(lbs_explainer *x, const lb_active_limit *limit) {
    const lbs_space *s = x->solver->space;
    int k = 0;
    if (limit->variable >= 0) {
        const int i = s->variables.active_of[limit->variable];
        if (!is_swing_bound(s, i) && lbs_may_try(x)) {
            try_bound(x, i, limit->is_upper);
        }
        return;
    }
    while (k < s->limits.count - 1 &&
           (s->limits.figures[k] != limit->figure || s->limits.figure_rows[k] != limit->row)) {
        k++;
    }
    if (!is_swing_row(s, k) && lbs_may_try(x)) {
        try_row(x, k);
    }
}

void lbs_try_listed_limits(lbs_explainer *x) {
    for (int i = 0; i < x->result->limit_count; i++) {
        try_listed_limit(x, &x->result->limits[i]);
    }
}

void lbs_try_touched_limits(lbs_explainer *x) {
    lbs_space *s = x->solver->space;
    const double *z = x->solver->best.z;
    for (int i = 0; i < s->n; i++) {
        for (int upper = 0; upper < 2 && !is_swing_bound(s, i); upper++) {
            if (touches_bound(s, z, i, upper) && !is_listed(x, -1, -1, s->variables.index[i], upper) &&
                lbs_may_try(x)) {
                try_bound(x, i, upper);
            }
        }
    }
    for (int k = 0; k < s->limits.count; k++) {
        if (touches_row(s, z, k) && !is_swing_row(s, k) &&
            !is_listed(x, s->limits.figures[k], s->limits.figure_rows[k], -1, 1) && lbs_may_try(x)) {
            try_row(x, k);
        }
    }
}
