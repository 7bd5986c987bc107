/* EN07's coordinate descent by axis: a joint of several turns is turned about one axis. */
#include "solve/methods/ccd/ccd.h"
#include "solve/methods/ccd/ccd_axis.h"

/* How many variables, from place k of the order on, turn one joint about one point; the deepest comes first. */
static int joint_turns(const lbs_ccd *c, int k) {
    int count = 1;
    for (; count < LBS_AXIS_MOST && k + count < c->s->n; count++) {
        const lbs_ccd_mover *inner = &c->movers[c->order[k + count - 1]], *outer = &c->movers[c->order[k + count]];
        if (inner->kind != LBS_MOVE_TURN || outer->kind != LBS_MOVE_TURN || inner->figure != outer->figure) {
            break;
        }
        const lbf_node *node = &c->s->problem->figures[inner->figure]->nodes[inner->node];
        if (node->parent != outer->node || lbm_dot3(node->constant.p, node->constant.p) != 0) {
            break;
        }
    }
    return count;
}

/* The only goal that hangs on variable i, if it is a position in the world, or on what the variable does not move; else
 * -1. */
static int lone_position(const lbs_ccd *c, int i) {
    const lbs_space *s = c->s;
    int found = -1;
    for (int k = 0; k < s->item_count; k++) {
        int moves = c->moves[(size_t)i * (size_t)s->item_count + (size_t)k];
        if (!s->items[k].enabled || !moves) {
            continue;
        }
        if (found >= 0 || moves != LBS_MOVES_EFFECTOR || s->items[k].group >= 0) {
            return -1;
        }
        if (s->items[k].constraint->goal.kind != LB_GOAL_POSITION) {
            return -1;
        }
        found = k;
    }
    return found;
}

int lbs_ccd_move_joint(lbs_ccd *c, int k) {
    const lbs_space *s = c->s;
    int count = joint_turns(c, k), item = count > 1 ? lone_position(c, c->order[k]) : -1;
    if (item < 0 || c->by_figure) {
        return 0;
    }
    if (c->stale) {
        lbs_ccd_look(c);
    }
    const lbs_ccd_mover *deepest = &c->movers[c->order[k]];
    const lb_kinematics *at = s->kinematics[deepest->figure];
    double goal[3], axes[LBS_AXIS_MOST][3], turns[LBS_AXIS_MOST];
    lbm_copy3(goal, s->items[item].goal.goal.point);
    if (s->items[item].constraint->goal.carrier_segment >= 0) {
        lbm_apply(&c->items[item].carrier, s->items[item].goal.goal.point, goal);
    }
    for (int j = 0; j < count; j++) { /* the outermost first */
        lbm_copy3(axes[count - 1 - j], at->axes[c->movers[c->order[k + j]].coordinate]);
    }
    lbs_axis_turns(at->frames[deepest->node].p, c->items[item].e_w, goal, count, axes, turns);
    for (int j = 0; j < count; j++) {
        int i = c->order[k + j];
        double down, up, t = lbs_damp(&c->damping, s, c->z, i, turns[count - 1 - j] / s->variables.scale[i]);
        lbs_room(s, c->z, i, &down, &up);
        t = t < down ? down : t > up ? up : t;
        double next = c->z[i] + t;
        if (lbm_is_finite(next)) {
            lbs_ccd_carry(c, i, lbs_clamp(next, s->variables.lower[i], s->variables.upper[i]));
        }
    }
    return count;
}
