/* Solids that are kept apart, and levers: joints with what hangs on them. */
#include <math.h>

#include "solve/body/body.h"

#define GRAVITY 9.81
#define TOUCHING 0.003     /* metres: solids that are this close at rest may be as close as there */
#define CLOSE_AT_REST 0.02 /* metres: what is closer, two joints apart, is flesh on flesh */

static int on_spine(const lbs_body *b, int segment) {
    return segment == b->root.segment || (b->body->head >= 0 && lbs_is_in(b->figure, b->body->head, segment));
}

/* How many solids are on the way from one solid to another, counted up to two; 0: none, they are neighbours. */
static int solids_between(const lbs_body *b, int first, int second) {
    const lb_figure *f = b->figure;
    const int a = b->body->solids[first].segment, z = b->body->solids[second].segment;
    int common = a, count = 0;
    while (common >= 0 && !lbs_is_in(f, z, common)) {
        common = lb_figure_parent_segment(f, common);
    }
    for (int i = 0; i < b->body->solid_count && count < 2; i++) {
        const int segment = b->body->solids[i].segment;
        if (i == first || i == second || segment == a || segment == z) {
            continue;
        }
        count += segment == common || ((lbs_is_in(f, a, segment) != lbs_is_in(f, z, segment)));
    }
    return count;
}

void lbs_plan_solids(lbs_body *b) {
    const lb_body *body = b->body;
    b->solid_count = body->solid_count;
    b->pair_count = 0;
    for (int i = 0; i < body->solid_count; i++) {
        lbs_solid *solid = &b->solids[i];
        *solid = (lbs_solid){.from = lbs_body_point_of(b, body->solids[i].segment, body->solids[i].from),
                             .to = lbs_body_point_of(b, body->solids[i].segment, body->solids[i].to),
                             .radius = body->solids[i].radius};
        lbs_body_place_point(b, &solid->from);
        lbs_body_place_point(b, &solid->to);
        double axis[3];
        lbm_sub3(solid->to.world, solid->from.world, axis);
        solid->half_length = 0.5 * lbm_norm3(axis);
        const double below[2] = {solid->radius - solid->from.world[2], solid->radius - solid->to.world[2]};
        for (int k = 0; k < 2; k++) {
            solid->floor_slack[k] = below[k] > 0 ? below[k] : 0;
        }
    }
    for (int i = 0; i < body->solid_count; i++) {
        for (int k = i + 1; k < body->solid_count; k++) {
            double p[3], q[3], normal[3];
            const int first = body->solids[i].segment, second = body->solids[k].segment;
            if (first == second || (on_spine(b, first) && on_spine(b, second))) {
                continue;
            }
            const int between = solids_between(b, i, k);
            const double distance = lbs_solid_distance(&b->solids[i], &b->solids[k], p, q, normal);
            if (between == 0 || (between == 1 && distance < CLOSE_AT_REST)) {
                continue;
            }
            b->pairs[b->pair_count++] = (lbs_pair){i, k, distance - TOUCHING < 0 ? distance - TOUCHING : 0};
        }
    }
}

void lbs_plan_levers(lbs_body *b) {
    const lb_figure *f = b->figure;
    b->weight.lever_count = 0;
    for (int i = 0; i < b->body->strength_count; i++) {
        const lb_body_strength *strength = &b->body->strengths[i];
        lbs_lever *lever = &b->weight.levers[b->weight.lever_count];
        int *below = lever->below;
        *lever = (lbs_lever){.joint = lbs_body_point_of(b, strength->segment, lbs_origin),
                             .node = lbs_body_node(b, strength->segment),
                             .scale = GRAVITY / strength->moment,
                             .below = below,
                             .strength = i,
                             .is_drive = strength->by_axis};
        if (lever->node < 0) {
            continue;
        }
        for (int node = lever->node + 1; node < f->node_count; node++) {
            int above = f->nodes[node].parent;
            while (above > lever->node) {
                above = f->nodes[above].parent;
            }
            if (above == lever->node) {
                below[lever->below_count++] = node;
            }
        }
        b->weight.lever_count++;
    }
}
