/* Limbs of a robot as chains of hinges. */
#include "figure/kinematics/kinematics.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "motion/robot/robot.h"

#define MOST_SPEED 25.0 /* rad/s: of hinges whose file has no limit; people stay below it */

/* Whether other dofs follow a variable: mimic joints, or groups. */
static int drives_others(const lb_figure *f, int variable) {
    for (int i = 0; i < f->term_count; i++) {
        if (f->terms[i].variable == variable) {
            return 1;
        }
    }
    return 0;
}

static void add_hinge(lbt_robot *r, lbt_chain *c, int node) {
    const lb_figure *f = r->figure;
    const lbf_node *n = &f->nodes[node];
    const int i = c->count++, variable = f->coordinate_variable[n->coordinate];
    c->nodes[i] = node;
    c->rest[i] = c->low[i] = c->high[i] = r->kinematics->values[n->coordinate];
    c->variables[i] = -1;
    if (variable >= 0 && n->kind == LBF_NODE_ROTATE && f->variables[variable].rigidity < 1 &&
        !drives_others(f, variable)) {
        const lb_variable *v = &f->variables[variable];
        c->variables[i] = variable;
        c->low[i] = v->lower;
        c->high[i] = v->upper;
        c->most[i] = (lbm_is_finite(v->velocity) ? v->velocity : MOST_SPEED) * r->frame_time;
    }
}

int lbt_chain_make(lbt_robot *r, int from, int to, lbt_chain *c) {
    const lb_figure *f = r->figure;
    int count = 0, nodes[LBT_HINGES];
    memset(c, 0, sizeof *c);
    c->base = from;
    c->table = f->nodes;
    for (int n = to; n != from; n = f->nodes[n].parent) {
        if (n < 0 || count == LBT_HINGES ||
            (f->nodes[n].kind != LBF_NODE_ROTATE && f->nodes[n].kind != LBF_NODE_TRANSLATE)) {
            return 0;
        }
        nodes[count++] = n;
    }
    while (count > 0) {
        add_hinge(r, c, nodes[--count]);
    }
    return 1;
}

void lbt_chain_move(const lbt_chain *c, const lbm_transform *base, const double *values, lbm_transform *frames) {
    const lbm_transform *above = base;
    for (int i = 0; i < c->count; i++) {
        const lbf_node *node = &c->table[c->nodes[i]];
        const double value = node->sign * values[i];
        lbm_transform here;
        lbm_transform_multiply(above, &node->constant, &here);
        lbm_transform *frame = &frames[i];
        *frame = here;
        if (node->kind == LBF_NODE_TRANSLATE) {
            lbm_add_scaled3(frame->p, here.z, value);
        } else {
            double sine, cosine;
            lbm_sincos(value, &sine, &cosine);
            for (int k = 0; k < 3; k++) {
                frame->x[k] = cosine * here.x[k] + sine * here.y[k];
                frame->y[k] = cosine * here.y[k] - sine * here.x[k];
            }
        }
        above = frame;
    }
}

void lbt_chain_end(const lbt_chain *c, const lbm_transform *base, const double *values, lbm_transform *end) {
    lbm_transform frames[LBT_HINGES];
    lbt_chain_move(c, base, values, frames);
    *end = c->count > 0 ? frames[c->count - 1] : *base;
}

/* What a frame differs by in its turn from another: axis times sine. */
void lbt_turn_error(const lbm_transform *is, const lbm_transform *should, double error[3]) {
    const double *a[3] = {is->x, is->y, is->z}, *b[3] = {should->x, should->y, should->z};
    lbm_set3(error, 0, 0, 0);
    for (int i = 0; i < 3; i++) {
        double cross[3];
        lbm_cross3(b[i], a[i], cross);
        lbm_add_scaled3(error, cross, 0.5);
    }
}

void lbt_turn_transform(const double turn[4], lbm_transform *t) {
    lb_frame frame;
    lbm_set3(frame.position, 0, 0, 0);
    memcpy(frame.rotation, turn, sizeof frame.rotation);
    lbm_transform_from_frame(&frame, t);
}

/* How a point, or with at NULL a direction, goes with a hinge. */
void lbt_chain_column(const lbt_chain *c, const lbm_transform *frames, int i, const double *at, const double *way,
                      double column[3]) {
    const double sign = c->table[c->nodes[i]].sign;
    double arm[3];
    if (at) {
        lbm_sub3(at, frames[i].p, arm);
    } else {
        lbm_copy3(arm, way);
    }
    lbm_cross3(frames[i].z, arm, column);
    lbm_set3(column, sign * column[0], sign * column[1], sign * column[2]);
}
