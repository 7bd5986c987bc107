/* Pairs that the problem keeps apart (limber/collisions.h), where figures are posed as bodies: segments of bodies, and
 * of other figures, and solids of the world. Each pair is one condition of all bodies together, so that its number, by
 * which its multiplier is known, stays the same from iterate to iterate. Its row is how the two nearest points move
 * along the normal between them. */
#include "figure/kinematics/kinematics.h"
#include "solve/apart/apart.h"
#include "solve/body/body.h"

#define NEAR 0.06        /* metres: pairs that are nearer have rows */
#define NEAR_TRIAL 0.005 /* metres: of pairs that are farther apart a trial knows that alone */

static const lbs_body *body_of(const lbs_bodies *all, int figure) {
    for (int i = 0; i < all->count; i++) {
        if (all->bodies[i].number == figure) {
            return &all->bodies[i];
        }
    }
    return NULL;
}

void lbs_mark_pairs(lbs_body *b, const lb_problem *p, void (*mark)(lbs_body *b, int segment)) {
    for (int m = 0; p->apart && m < p->apart->mass_count; m++) {
        if (p->apart->masses[m].figure == b->number) {
            mark(b, p->apart->masses[m].segment);
        }
    }
}

/* Adds how a point of a mass changes the row: `sign` times the part of its motion along the normal. */
static void add_side(lbs_bodies *all, const lbp_mass *mass, double *row, const double at[3], const double normal[3],
                     double sign) {
    if (mass->figure < 0) {
        return;
    }
    const lbs_body *b = body_of(all, mass->figure);
    if (!b) {
        const int node = all->task.space->problem->figures[mass->figure]->mounts[mass->segment].node;
        const lbs_other other = {mass->figure, node, all->apart->kinematics[mass->figure]};
        lbs_add_other(&all->task, &other, row, at, normal, sign);
        return;
    }
    const int node = lbs_body_node(b, mass->segment);
    if (node >= 0) {
        lbs_add_at(b, &all->task, row, b->motion.spot_of_node[node], at, normal, sign);
    }
}

void lbs_bodies_pairs(lbs_bodies *all) {
    lbs_bodies_task *t = &all->task;
    const lbp_apart *list = t->space->problem->apart;
    if (!all->apart || !all->search.keeps_clear) {
        return;
    }
    const double near = t->wants_rows ? NEAR : NEAR_TRIAL;
    lbs_place_masses(all->apart, t->space->problem, t->space->last.pose);
    for (int i = 0; i < list->pair_count; i++) {
        const lbp_pair *pair = &list->pairs[i];
        lbm_gap gap;
        lbs_find_gap(all->apart, list, i, pair->margin + near, &gap);
        double *row = lbs_add_condition(t, pair->margin - gap.distance, gap.is_bound ? 0 : near);
        if (row) {
            add_side(all, pair->a, row, gap.at_a, gap.normal, -1);
            add_side(all, pair->b, row, gap.at_b, gap.normal, 1);
        }
    }
}

int lbs_bodies_are_clear(lbs_bodies *all, const double *pose) {
    return !all->apart || lbs_is_free(all->apart, all->task.space->problem, pose);
}
