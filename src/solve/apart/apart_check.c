/* Which pairs touch at a pose. */
#include <string.h>

#include "figure/kinematics/kinematics.h"
#include "math/arena.h"
#include "math/rounding.h"
#include "solve/apart/apart.h"

#define TOUCH 1e-5 /* metres: pairs that overlap by less do not touch */

/* --- Memory ------------------------------------------------------------------------------------------------------------- */

static void cut(lbs_apart *a, const lb_problem *p, lbm_arena *arena) {
    const size_t variables = (size_t)p->variable_count;
    a->kinematics = lbm_cut(arena, (size_t)p->figure_count, sizeof *a->kinematics);
    a->frames = lbm_cut(arena, (size_t)p->apart->mass_count, sizeof *a->frames);
    a->centres = lbm_cut(arena, (size_t)p->apart->mass_count, sizeof *a->centres);
    a->memories = lbm_cut(arena, (size_t)p->apart->pair_count, sizeof *a->memories);
    a->start = lbm_cut_doubles(arena, variables);
    a->pose = lbm_cut_doubles(arena, variables);
    a->answer = lbm_cut_doubles(arena, variables);
}

lb_status lbs_apart_create(const lb_solver *solver, lbs_apart **made) {
    const lb_problem *p = solver->problem;
    lb_error error;
    lbs_apart *a = lbf_new(&solver->allocator, 1, sizeof *a);
    *made = a;
    if (!a) {
        return LB_ERROR_MEMORY;
    }
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    cut(a, p, &arena);
    a->block_size = arena.used + LBM_ARENA_LINE;
    a->block = lbf_new(&solver->allocator, a->block_size, 1);
    if (!a->block) {
        return LB_ERROR_MEMORY;
    }
    arena = lbm_arena_on(lbm_align(a->block), LBM_ARENA_LINE);
    cut(a, p, &arena);
    a->figure_count = p->figure_count;
    for (int f = 0; f < p->figure_count; f++) {
        a->kinematics[f] = lb_kinematics_create(p->figures[f], NULL);
        if (!a->kinematics[f]) {
            return LB_ERROR_MEMORY;
        }
    }
    if (p->body_count > 0) {
        return LB_OK;
    }
    a->keeper = lbs_solver_create(p, 1, &error);
    return a->keeper ? LB_OK : error.status;
}

void lbs_apart_destroy(const lb_solver *solver) {
    lbs_apart *a = solver->apart;
    if (!a) {
        return;
    }
    for (int f = 0; a->block && f < a->figure_count; f++) {
        lb_kinematics_destroy(a->kinematics[f]);
    }
    lb_solver_destroy(a->keeper);
    lbf_delete(&solver->allocator, a->block, a->block_size, 1);
    lbf_delete(&solver->allocator, a, 1, sizeof *a);
}

/* --- At a pose ------------------------------------------------------------------------------------------------------------ */

void lbs_place_masses(lbs_apart *a, const lb_problem *p, const double *pose) {
    for (int f = 0; f < p->figure_count; f++) {
        lb_kinematics_update(a->kinematics[f], pose + p->first_variables[f]);
    }
    for (int m = 0; m < p->apart->mass_count; m++) {
        const lbp_mass *mass = &p->apart->masses[m];
        if (mass->figure < 0) {
            lbm_transform_identity(&a->frames[m]);
        } else {
            lbf_segment_transform(a->kinematics[mass->figure], mass->segment, &a->frames[m]);
        }
        lbm_apply(&a->frames[m], mass->centre, a->centres[m]);
    }
}

static int is_apart(lbs_apart *a, const lbp_apart *all, int pair) {
    const lbp_pair *p = &all->pairs[pair];
    return lbp_pair_is_apart(p, &a->frames[p->a - all->masses], &a->frames[p->b - all->masses], p->margin - TOUCH,
                             &a->memories[pair]);
}

static void be_apart(double enough, lbm_gap *gap) {
    memset(gap, 0, sizeof *gap);
    gap->distance = enough;
    gap->is_bound = 1;
}

void lbs_find_gap(lbs_apart *a, const lbp_apart *all, int pair, double enough, lbm_gap *gap) {
    const lbp_pair *p = &all->pairs[pair];
    const double room = p->a->reach + p->b->reach + enough;
    double off[3];
    lbm_sub3(a->centres[p->a - all->masses], a->centres[p->b - all->masses], off);
    if (lbm_dot3(off, off) > room * room) {
        be_apart(enough, gap);
        return;
    }
    const lbm_transform *at_a = &a->frames[p->a - all->masses], *at_b = &a->frames[p->b - all->masses];
    if (lbp_pair_is_apart(p, at_a, at_b, enough, &a->memories[pair])) {
        be_apart(enough, gap);
        return;
    }
    lbp_pair_gap(p, at_a, at_b, enough, gap);
}

int lbs_is_free(lbs_apart *a, const lb_problem *p, const double *pose) {
    const lbp_apart *all = p->apart;
    lbs_place_masses(a, p, pose);
    if (all->pair_count && !is_apart(a, all, a->last_touching)) {
        return 0;
    }
    for (int i = 0; i < all->pair_count; i++) {
        if (i != a->last_touching && !is_apart(a, all, i)) {
            a->last_touching = i;
            return 0;
        }
    }
    return 1;
}

/* --- Questions ------------------------------------------------------------------------------------------------------------- */

static void find_pair(const lbs_apart *a, const lbp_apart *all, int pair, double enough, lb_contact_pair *found) {
    const lbp_pair *p = &all->pairs[pair];
    lbm_gap gap;
    lbp_pair_gap(p, &a->frames[p->a - all->masses], &a->frames[p->b - all->masses], enough, &gap);
    memset(found, 0, sizeof *found);
    found->figure_a = p->a->figure, found->segment_a = p->a->segment, found->name_a = p->a->name;
    found->figure_b = p->b->figure, found->segment_b = p->b->segment, found->name_b = p->b->name;
    found->distance = gap.distance;
    lbm_copy3(found->point_a, gap.at_a);
    lbm_copy3(found->point_b, gap.at_b);
    lbm_copy3(found->normal, gap.normal);
}

/* The solver's memory for it; NULL, with *status, where the problem has no pairs, or there is no memory. */
static lbs_apart *prepare(lb_solver *solver, const double *pose, lb_status *status) {
    *status = lbs_prepare(solver, LB_METHOD_LM);
    if (*status) {
        return NULL;
    }
    if (!solver->apart || !lbm_all_finite(pose, solver->problem->variable_count)) {
        *status = LB_ERROR_ARGUMENT;
        return NULL;
    }
    lbs_place_masses(solver->apart, solver->problem, pose);
    return solver->apart;
}

lb_status lb_solver_pair(lb_solver *solver, const double *pose, int pair, lb_contact_pair *found) {
    if (!solver || !pose || !found || pair < 0 || pair >= lb_problem_pair_count(solver->problem)) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    lb_status status;
    const lbs_apart *a = prepare(solver, pose, &status);
    if (a) {
        find_pair(a, solver->problem->apart, pair, INFINITY, found);
    }
    return status;
}

int lb_solver_near_pairs(lb_solver *solver, const double *pose, double within, int most, lb_contact_pair *pairs) {
    if (!solver || !pose || most < 0 || (most && !pairs) || !(within > -1e9 && within < 1e9)) {
        return LB_ERROR_ARGUMENT;
    }
    if (solver->problem->apart && !solver->problem->apart->pair_count) {
        return 0;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    lb_status status;
    const lbs_apart *a = prepare(solver, pose, &status);
    if (!a) {
        return status;
    }
    int count = 0;
    for (int i = 0; i < solver->problem->apart->pair_count; i++) {
        lb_contact_pair found;
        find_pair(a, solver->problem->apart, i, within, &found);
        if (!(found.distance < within)) {
            continue;
        }
        int at = count < most ? count : most;
        while (at > 0 && pairs[at - 1].distance > found.distance) {
            if (at < most) {
                pairs[at] = pairs[at - 1];
            }
            at--;
        }
        if (at < most) {
            pairs[at] = found;
        }
        count++;
    }
    return count;
}
