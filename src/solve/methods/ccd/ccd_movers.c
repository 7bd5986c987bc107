/* What each variable moves, and which items. */
#include "solve/methods/ccd/ccd.h"

#include <string.h>

#define FIRST_STEP 0.1 /* radians or metres: where a search begins */

static void list_variable(lbs_ccd *c, int figure, int node, int coordinate, int variable, int is_own, int *count) {
    int i = c->s->variables.active_of[c->s->problem->first_variables[figure] + variable];
    if (i < 0) {
        return;
    }
    lbs_ccd_mover *m = &c->movers[i];
    m->coordinates++;
    if (!is_own) {
        m->kind = LBS_MOVE_MANY;
    }
    if (m->listed) {
        return;
    }
    m->listed = 1;
    m->figure = figure;
    m->node = node;
    m->coordinate = coordinate;
    lbf_node_kind kind = c->s->problem->figures[figure]->nodes[node].kind;
    if (is_own) {
        m->kind = kind == LBF_NODE_ROTATE ? LBS_MOVE_TURN : kind == LBF_NODE_TRANSLATE ? LBS_MOVE_SHIFT : LBS_MOVE_BALL;
    }
    c->order[(*count)++] = i;
}

/* Nodes come after their parents, so backwards is from the tips to the root; a variable has the place of the deepest
 * node it moves. */
void lbs_ccd_list_movers(lbs_ccd *c) {
    const lb_problem *p = c->s->problem;
    int count = 0;
    memset(c->movers, 0, (size_t)c->s->n * sizeof *c->movers);
    for (int figure = p->figure_count - 1; figure >= 0; figure--) {
        const lb_figure *f = p->figures[figure];
        for (int node = f->node_count - 1; node >= 0; node--) {
            for (int k = lbf_node_coordinates(f->nodes[node].kind) - 1; k >= 0; k--) {
                int coordinate = f->nodes[node].coordinate + k;
                lbf_influence in = lbf_influence_of(f, coordinate);
                for (int t = 0; t < in.count; t++) {
                    list_variable(c, figure, node, coordinate,
                                  in.first_term < 0 ? in.own : f->terms[in.first_term + t].variable, in.first_term < 0,
                                  &count);
                }
            }
        }
    }
    for (int i = 0; i < c->s->n; i++) {
        c->movers[i].step = FIRST_STEP / c->s->variables.scale[i];
        if (c->movers[i].coordinates > 1) {
            c->movers[i].kind = LBS_MOVE_MANY;
        }
        if (!c->movers[i].listed) {
            c->movers[i].kind = LBS_MOVE_MANY;
            c->order[count++] = i;
        }
    }
}

static void mark_chain(lbs_ccd *c, int figure, int segment, int item, unsigned char what) {
    const lb_figure *f = c->s->problem->figures[figure];
    int first = c->s->problem->first_variables[figure];
    for (int node = f->mounts[segment].node; node >= 0; node = f->nodes[node].parent) {
        for (int k = 0; k < lbf_node_coordinates(f->nodes[node].kind); k++) {
            int own = f->coordinate_variable[f->nodes[node].coordinate + k];
            int i = own < 0 ? -1 : c->s->variables.active_of[first + own];
            if (i >= 0) {
                c->moves[(size_t)i * (size_t)c->s->item_count + (size_t)item] |= what;
            }
        }
    }
}

void lbs_ccd_mark_items(lbs_ccd *c) {
    const lbs_space *s = c->s;
    memset(c->moves, 0, (size_t)s->n * (size_t)s->item_count);
    c->by_figure = 0;
    for (int i = 0; i < s->item_count; i++) {
        const lb_constraint *k = s->items[i].constraint;
        if (!s->items[i].enabled) {
            continue;
        }
        if (k->effector.kind == LB_EFFECTOR_COM) {
            c->by_figure = 1;
        } else {
            mark_chain(c, k->figure, k->effector.segment, i, LBS_MOVES_EFFECTOR);
        }
        if (k->goal.carrier_segment >= 0) {
            mark_chain(c, k->goal.carrier_figure, k->goal.carrier_segment, i, LBS_MOVES_CARRIER);
        }
    }
}
