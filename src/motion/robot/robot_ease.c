/* What arms are pushed by comes before it is needed and goes after it, slowly.
 *
 * A frame knows nothing of the next one, so that an arm which swings into a thigh is pushed out from one frame to the
 * next. The
 * push c of each hinge becomes max(0, max over g of c(g) - s |f - g|) + min(0, min over g of c(g) + s |f - g|): what is in the way
 * is met at most at the speed s, and where nothing is, the arm does what it did. Two passes find both. Frames that this
 * moved may overlap again where pushes of two hinges belong together, and are pushed once more. */
#include "motion/robot/robot.h"

#define EASE_SPEED 4.0 /* rad/s, of a push */
#define MOST_ROUNDS 3

static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

/* A hinge over all frames; curves: 2 * count. Marks the frames that change. */
static void ease(lbt_robot *r, int side, int i, double *curves, unsigned char *is_changed) {
    const lbt_chain *c = &r->chains[LBT_ARMS + side];
    const int count = r->w->count;
    const double most = EASE_SPEED * r->frame_time;
    double *up = curves, *down = curves + count;
    for (int f = 0; f < count; f++) {
        const double push = r->states[f].values[LBT_ARMS + side][i] - r->pairs.free_arms[f][side][i];
        up[f] = larger(larger(push, 0), f ? up[f - 1] - most : 0);
        down[f] = smaller(smaller(push, 0), f ? down[f - 1] + most : 0);
    }
    for (int f = count - 1; f >= 0; f--) {
        double *value = &r->states[f].values[LBT_ARMS + side][i];
        if (f < count - 1) {
            up[f] = larger(up[f], up[f + 1] - most);
            down[f] = smaller(down[f], down[f + 1] + most);
        }
        const double push = *value - r->pairs.free_arms[f][side][i];
        if (up[f] + down[f] != push) {
            *value = smaller(c->high[i], larger(c->low[i], r->pairs.free_arms[f][side][i] + up[f] + down[f]));
            is_changed[f] = 1;
        }
    }
}

lb_status lbt_robot_ease(lbt_robot *r) {
    lbt_retarget *w = r->w;
    const size_t count = (size_t)w->count;
    double *curves = lbf_new(&w->allocator, 2 * count, sizeof *curves);
    unsigned char *is_changed = lbf_new(&w->allocator, count, sizeof *is_changed);
    const lb_status status = curves && is_changed ? LB_OK : LB_ERROR_MEMORY;
    int is_pushed = 1;
    for (int round = 0; !status && is_pushed && round < MOST_ROUNDS; round++) {
        memset(is_changed, 0, count);
        for (int side = 0; side < LBT_SIDES; side++) {
            for (int i = 0; i < r->chains[LBT_ARMS + side].count; i++) {
                if (r->chains[LBT_ARMS + side].variables[i] >= 0) {
                    ease(r, side, i, curves, is_changed);
                }
            }
        }
        is_pushed = 0;
        for (int f = 0; f < w->count; f++) {
            if (is_changed[f]) {
                is_pushed |= lbt_robot_part_arms(r, &r->goals[w->first + f], &r->states[f]);
            }
        }
    }
    lbf_delete(&w->allocator, is_changed, count, sizeof *is_changed);
    lbf_delete(&w->allocator, curves, 2 * count, sizeof *curves);
    return status;
}
