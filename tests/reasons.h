/* Whether the reasons that lb_solver_explain gives are true: what was named is loosened, or left out, in the problem itself, and
 * solved again from the answer by the ordinary solver; and so is every limit that was not named.
 *
 * Loosening changes the figure in place, behind the library's back: the only way that serves every kind of joint, group and
 * row alike. */
#ifndef LIMBER_TESTS_REASONS_H
#define LIMBER_TESTS_REASONS_H

#include <math.h>
#include <string.h>

#include "check.h"
#include "figure/figure.h"
#include "problem/problem.h"
#include "solve/solver.h"

#define REASONS_MOST_VARIABLES 256
#define REASONS_MOST_ROWS 512
#define REASONS_FAR 1e6     /* a row's bound that no pose comes to */
#define REASONS_FACTOR 2.0  /* between what was said and what comes of it; most are the same to rounding */
#define REASONS_UNNAMED 0.1 /* of the miss: what loosening a limit that was not named gains at most */

typedef struct reasons_tally {
    long explained, moving; /* moving: solved again, the answer gets better; nothing can be said of those */
    long said[LB_REASON_REGION + 1], false_said[LB_REASON_REGION + 1]; /* [kind] */
    long unnamed, false_unnamed, starts;
    double worst_unnamed;
    int is_told; /* failures are printed */
} reasons_tally;

/* A problem with a solver of its own, and its answer. */
typedef struct reasons_case {
    lb_problem *problem;
    lb_solver *solver;
    const double *pose;
    double *answer;          /* of the last solve */
    const lb_result *result; /* explained */
    reasons_tally *tally;
    const char *name;
} reasons_case;

typedef struct reasons_miss {
    double root, distance, angle_rad;
    int met;
} reasons_miss;

/* The miss of the unmet constraint, or of what counts in its stead. */
static reasons_miss reasons_miss_of(const reasons_case *c, const lb_result *result) {
    int k = c->result->unmet;
    const lb_constraint *asked = lb_problem_constraint(c->problem, k);
    for (int i = 0; i < result->constraint_count && !result->constraints[k].counted; i++) {
        const lb_constraint *other = lb_problem_constraint(c->problem, i);
        if (result->constraints[i].counted && other->any_of == asked->any_of && other->priority == asked->priority) {
            k = i;
        }
    }
    const lb_constraint_result *r = &result->constraints[k];
    return (reasons_miss){sqrt(r->value), r->distance, r->angle_rad, r->met};
}

static reasons_miss reasons_solve(const reasons_case *c) {
    lb_result result;
    lb_solve_options options;
    lb_result_defaults(&result);
    lb_solve_options_defaults(&options);
    options.tracking = 1;
    memcpy(c->answer, c->pose, (size_t)lb_problem_variable_count(c->problem) * sizeof *c->answer);
    c->problem->revision++;
    REQUIRE(lb_solver_solve(c->solver, &options, c->answer, &result) == LB_OK);
    return reasons_miss_of(c, &result);
}

/* Whether a gain that was said came true, within the factor; a tolerance's worth is not told apart. */
static int reasons_agree(double said, double got, double least) {
    return fabs(said - got) <= least || (got <= REASONS_FACTOR * said && said <= REASONS_FACTOR * got);
}

static void reasons_judge(const reasons_case *c, const lb_reason *r, const reasons_miss *after) {
    reasons_miss before = reasons_miss_of(c, c->result);
    const lb_constraint *asked = lb_problem_constraint(c->problem, c->result->unmet);
    double gain = before.distance - after->distance, gain_rad = before.angle_rad - after->angle_rad;
    double share = after->met ? 1 : 1 - after->root / before.root;
    double part = before.distance > 0 ? gain / before.distance : 0,
           turned = before.angle_rad > 0 ? gain_rad / before.angle_rad : 0;
    int is_true = reasons_agree(r->share, share, 1e-6) || reasons_agree(r->share, part, 1e-6) ||
                  reasons_agree(r->share, turned, 1e-6);
    is_true = r->reached ? after->met : is_true;
    is_true &= r->reached || r->gain <= 0.1 * before.distance || reasons_agree(r->gain, gain, asked->tolerance[0]);
    is_true &= r->reached || r->gain_rad <= 0.1 * before.angle_rad ||
               reasons_agree(r->gain_rad, gain_rad, asked->tolerance_rad);
    c->tally->said[r->kind]++;
    c->tally->false_said[r->kind] += !is_true;
    if (!is_true && c->tally->is_told) {
        printf("%s: %s %s by %g: share %g said, %g found; %g m said, %g found; %s\n", c->name, lb_reason_name(r->kind),
               r->name ? r->name : "?", r->give, r->share, share, r->gain, gain, c->result->explanation);
    }
}

/* --- Limits --------------------------------------------------------------------------------------------------------- */

static void reasons_check_limit(const reasons_case *c, const lb_reason *r) {
    lb_figure *f = (lb_figure *)lb_problem_figure(c->problem, r->figure);
    int at = r->variable - lb_problem_first_variable(c->problem, r->figure);
    double *bound = r->row >= 0 ? &f->rows[r->row].bound : r->is_upper ? &f->upper[at] : &f->lower[at];
    const double kept = *bound;
    lb_limit_kind kind = r->row >= 0 ? f->rows[r->row].kind : LB_LIMIT_AT_MOST;
    *bound += r->row >= 0 || r->is_upper ? r->give : -r->give;
    if (r->row >= 0 && !isfinite(r->give)) {
        *bound = REASONS_FAR;
        f->rows[r->row].kind = LB_LIMIT_AT_MOST;
    }
    reasons_miss after = reasons_solve(c);
    *bound = kept;
    if (r->row >= 0) {
        f->rows[r->row].kind = kind;
    }
    reasons_judge(c, r, &after);
}

/* All limits of what a region's variable belongs to, moved outwards. */
static void reasons_loosen_region(lb_figure *f, int owner, double give) {
    for (int i = 0; i < f->variable_count; i++) {
        if (lbf_limit_owner(f, i) == owner) {
            f->lower[i] -= give;
            f->upper[i] += give;
        }
    }
    for (int k = 0; k < f->row_count; k++) {
        f->rows[k].bound += lbf_row_owner(f, &f->rows[k]) == owner ? give : 0;
    }
}

static void reasons_check_region(const reasons_case *c, const lb_reason *r) {
    lb_figure *f = (lb_figure *)lb_problem_figure(c->problem, r->figure);
    const int owner = lbf_limit_owner(f, r->variable - lb_problem_first_variable(c->problem, r->figure));
    double kept[2 * REASONS_MOST_VARIABLES + REASONS_MOST_ROWS];
    REQUIRE(owner >= 0 && f->row_count <= REASONS_MOST_ROWS && f->variable_count <= REASONS_MOST_VARIABLES);
    memcpy(kept, f->lower, (size_t)f->variable_count * sizeof *kept);
    memcpy(kept + REASONS_MOST_VARIABLES, f->upper, (size_t)f->variable_count * sizeof *kept);
    for (int k = 0; k < f->row_count; k++) {
        kept[2 * REASONS_MOST_VARIABLES + k] = f->rows[k].bound;
    }
    reasons_loosen_region(f, owner, isfinite(r->give) ? r->give : REASONS_FAR);
    reasons_miss after = reasons_solve(c);
    memcpy(f->lower, kept, (size_t)f->variable_count * sizeof *kept);
    memcpy(f->upper, kept + REASONS_MOST_VARIABLES, (size_t)f->variable_count * sizeof *kept);
    for (int k = 0; k < f->row_count; k++) {
        f->rows[k].bound = kept[2 * REASONS_MOST_VARIABLES + k];
    }
    reasons_judge(c, r, &after);
}

/* Whether a limit was named with all of its joint or group. */
static int reasons_is_in_region(const reasons_case *c, int figure, int owner) {
    for (int i = 0; i < c->result->reason_count && owner >= 0; i++) {
        const lb_reason *r = &c->result->reasons[i];
        const int first = lb_problem_first_variable(c->problem, figure);
        if (r->kind == LB_REASON_REGION && r->figure == figure &&
            lbf_limit_owner(lb_problem_figure(c->problem, figure), r->variable - first) == owner) {
            return 1;
        }
    }
    return 0;
}

static int reasons_is_named(const lb_result *result, int figure, int row, int variable, int is_upper) {
    for (int i = 0; i < result->reason_count; i++) {
        const lb_reason *r = &result->reasons[i];
        if (r->kind == LB_REASON_ROW && row >= 0 && r->figure == figure && r->row == row) {
            return 1;
        }
        if (r->kind == LB_REASON_LIMIT && row < 0 && r->variable == variable && r->is_upper == is_upper) {
            return 1;
        }
    }
    return 0;
}

static int reasons_has_start(const lb_result *result, double gain) {
    for (int i = 0; i < result->reason_count; i++) {
        if (result->reasons[i].kind == LB_REASON_START && result->reasons[i].share >= gain - 1e-6) {
            return 1;
        }
    }
    return 0;
}

/* Whether the last answer keeps the limits as they are. */
static int reasons_is_inside(const reasons_case *c) {
    double violation = 0;
    for (int f = 0; f < lb_problem_figure_count(c->problem); f++) {
        const double *pose = c->answer + lb_problem_first_variable(c->problem, f);
        violation = fmax(violation, lb_figure_violation(lb_problem_figure(c->problem, f), pose));
    }
    return violation <= 1e-9;
}

static void reasons_check_unnamed(const reasons_case *c, double *bound, double loosened, const char *what) {
    const double kept = *bound;
    reasons_miss before = reasons_miss_of(c, c->result);
    if (kept == loosened || before.root == 0) { /* with P = 0 nothing was asked, whatever the tolerance */
        return;
    }
    *bound = loosened;
    reasons_miss after = reasons_solve(c);
    *bound = kept;
    double gain = after.met ? 1 : 1 - after.root / before.root;
    if (gain >= REASONS_UNNAMED && reasons_has_start(c->result, gain) && reasons_is_inside(c)) {
        c->tally->starts++; /* the pose keeps the limit: it was another start that was missing, and that was said */
        return;
    }
    c->tally->unnamed++;
    c->tally->worst_unnamed = fmax(c->tally->worst_unnamed, gain);
    c->tally->false_unnamed += !(gain < REASONS_UNNAMED);
    if (!(gain < REASONS_UNNAMED) && c->tally->is_told) {
        printf("%s: %s gives way and gains %g, not named: %s\n", c->name, what, gain, c->result->explanation);
    }
}

/* Every limit of every figure that was not named, taken away by itself. */
static void reasons_check_all_unnamed(const reasons_case *c) {
    for (int f = 0; f < lb_problem_figure_count(c->problem); f++) {
        lb_figure *figure = (lb_figure *)lb_problem_figure(c->problem, f);
        for (int i = 0; i < figure->variable_count; i++) {
            int variable = lb_problem_first_variable(c->problem, f) + i;
            if (reasons_is_in_region(c, f, lbf_limit_owner(figure, i))) {
                continue;
            }
            if (!reasons_is_named(c->result, f, -1, variable, 0)) {
                reasons_check_unnamed(c, &figure->lower[i], -INFINITY, figure->variables[i].name);
            }
            if (!reasons_is_named(c->result, f, -1, variable, 1)) {
                reasons_check_unnamed(c, &figure->upper[i], INFINITY, figure->variables[i].name);
            }
        }
        for (int r = 0; r < figure->row_count; r++) {
            if (figure->rows[r].kind != LB_LIMIT_EQUAL &&
                !reasons_is_in_region(c, f, lbf_row_owner(figure, &figure->rows[r])) &&
                !reasons_is_named(c->result, f, r, -1, 1)) {
                reasons_check_unnamed(c, &figure->rows[r].bound, REASONS_FAR, figure->rows[r].name);
            }
        }
    }
}

/* --- Other goals ---------------------------------------------------------------------------------------------------- */

/* Whether two constraints keep out of one thing. */
static int reasons_same_obstacle(const lb_goal *a, const lb_goal *b) {
    return a->outside && b->outside && a->kind == b->kind && memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(a->size, b->size, sizeof a->size) == 0;
}

static void reasons_check_other(const reasons_case *c, const lb_reason *r) {
    int enabled[64], count = lb_problem_constraint_count(c->problem);
    const lb_constraint *gone = lb_problem_constraint(c->problem, r->constraint);
    REQUIRE(count <= 64);
    for (int i = 0; i < count; i++) {
        const lb_constraint *other = lb_problem_constraint(c->problem, i);
        int goes = i == r->constraint || reasons_same_obstacle(&gone->goal, &other->goal) ||
                   (gone->any_of > 0 && gone->any_of == other->any_of && gone->priority == other->priority);
        enabled[i] = goes && !other->disabled;
        if (enabled[i]) {
            REQUIRE(lb_problem_enable(c->problem, lb_problem_constraint_id(c->problem, i), 0) == LB_OK);
        }
    }
    reasons_miss after = reasons_solve(c);
    for (int i = 0; i < count; i++) {
        if (enabled[i]) {
            REQUIRE(lb_problem_enable(c->problem, lb_problem_constraint_id(c->problem, i), 1) == LB_OK);
        }
    }
    reasons_judge(c, r, &after);
}

/* --- Distance ------------------------------------------------------------------------------------------------------- */

/* Whether the goal, nearer by as much as it was said to be too far, on the way to the effector, is missed by that much less;
 * and reached where that was said. */
static int reasons_nearer_goal(const reasons_case *c, const lb_reason *r, const double at[3]) {
    int k = c->result->unmet, id = lb_problem_constraint_id(c->problem, k);
    lb_constraint kept = *lb_problem_constraint(c->problem, k), nearer = kept;
    reasons_miss before = reasons_miss_of(c, c->result);
    char name[256];
    snprintf(name, sizeof name, "%s", kept.name ? kept.name : ""); /* the problem's own goes with the change */
    kept.name = kept.name ? name : NULL;
    nearer.name = kept.name;
    for (int i = 0; i < 3; i++) {
        nearer.goal.point[i] += r->give / before.distance * (at[i] - kept.goal.point[i]);
    }
    REQUIRE(lb_problem_change(c->problem, id, &nearer) == LB_OK);
    reasons_miss after = reasons_solve(c);
    REQUIRE(lb_problem_change(c->problem, id, &kept) == LB_OK);
    double gain = before.distance - after.distance;
    return r->reached ? after.met : gain >= r->give / REASONS_FACTOR && gain <= REASONS_FACTOR * r->give;
}

/* The least distance of an effector from a point, over poses at random: angles of all sizes, limits or not, all else as it
 * was. */
static double reasons_nearest(const reasons_case *c, const lb_constraint *asked, lb_kinematics *k) {
    const lb_figure *figure = lb_kinematics_figure(k);
    double nearest = INFINITY, pose[REASONS_MOST_VARIABLES], e[9];
    uint64_t seed = 1;
    int first = lb_problem_first_variable(c->problem, asked->figure);
    for (int i = 0; i < 300; i++) {
        static const double sizes[3] = {4, 0.3, 0.01};
        lb_figure_random_pose(figure, &seed, pose);
        for (int j = 0; j < lb_figure_variable_count(figure); j++) {
            int moves =
                lb_figure_variable(figure, j)->is_angle && c->solver->space->variables.active_of[first + j] >= 0;
            pose[j] = c->pose[first + j] + (moves ? sizes[i % 3] * (pose[j] - c->pose[first + j]) : 0);
        }
        lb_kinematics_update(k, pose);
        lb_kinematics_effector(k, &asked->effector, e);
        double way[3] = {e[0] - asked->goal.point[0], e[1] - asked->goal.point[1], e[2] - asked->goal.point[2]};
        nearest = fmin(nearest, sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));
    }
    return nearest;
}

/* No pose is nearer than said, whatever its limits; a goal that is nearer by as much is missed by as much less. */
static void reasons_check_distance(const reasons_case *c, const lb_reason *r) {
    const lb_constraint *asked = lb_problem_constraint(c->problem, c->result->unmet);
    reasons_miss before = reasons_miss_of(c, c->result);
    int is_point = asked->goal.kind == LB_GOAL_POSITION || asked->goal.kind == LB_GOAL_FRAME;
    int is_true = r->give > 0 && r->give <= before.distance * (1 + 1e-9);
    double nearest = INFINITY, e[9];
    if (is_point && asked->goal.carrier_segment < 0) {
        lb_kinematics *k = lb_kinematics_create(lb_problem_figure(c->problem, asked->figure), NULL);
        REQUIRE(k != NULL);
        nearest = reasons_nearest(c, asked, k);
        lb_kinematics_update(k, c->pose + lb_problem_first_variable(c->problem, asked->figure));
        lb_kinematics_effector(k, &asked->effector, e);
        lb_kinematics_destroy(k);
        is_true &= nearest >= r->give - 1e-9;
        if (r->reached ||
            lb_problem_constraint_count(c->problem) == 1) { /* else others have their share of what is gained */
            is_true &= reasons_nearer_goal(c, r, e);
        }
    }
    c->tally->said[r->kind]++;
    c->tally->false_said[r->kind] += !is_true;
    if (!is_true && c->tally->is_told) {
        printf("%s: said %g m beyond, a pose is %g m away: %s\n", c->name, r->give, nearest, c->result->explanation);
    }
}

/* All that was said of an answer that is no more than a minimum. */
static void reasons_check(const reasons_case *c) {
    reasons_miss before = reasons_miss_of(c, c->result), again = reasons_solve(c);
    if (before.root == 0 || !(again.root > 0.999 * before.root)) {
        c->tally->moving++;
        return;
    }
    c->tally->explained++;
    for (int i = 0; i < c->result->reason_count; i++) {
        const lb_reason *r = &c->result->reasons[i];
        if (r->kind == LB_REASON_LIMIT || r->kind == LB_REASON_ROW) {
            reasons_check_limit(c, r);
        } else if (r->kind == LB_REASON_REGION) {
            reasons_check_region(c, r);
        } else if (r->kind == LB_REASON_GOAL || r->kind == LB_REASON_OBSTACLE) {
            reasons_check_other(c, r);
        } else if (r->kind == LB_REASON_DISTANCE) {
            reasons_check_distance(c, r);
        } else {
            c->tally->said[r->kind]++;
        }
    }
    reasons_check_all_unnamed(c);
    c->problem->revision++;
}

/* What was found, and the checks. */
static void reasons_print(const reasons_tally *tally) {
    for (int k = 0; k <= LB_REASON_REGION; k++) {
        printf("%-8s %6ld said, %ld false\n", lb_reason_name((lb_reason_kind)k), tally->said[k], tally->false_said[k]);
        CHECK_INT(tally->false_said[k], 0);
    }
    printf("%ld answers explained, %ld passed over; %ld limits not named, %ld of them falsely, %ld for want of another "
           "start; "
           "the others gain at most %.3g of the miss\n",
           tally->explained, tally->moving, tally->unnamed, tally->false_unnamed, tally->starts, tally->worst_unnamed);
    /* a limit that is not in force may have a part in another minimum, which solving anew comes to by chance */
    CHECK(tally->false_unnamed * 2000 <= tally->unnamed);
}

#endif
