/* What can be said without a search: workspaces prove that a frame is out of reach, closed forms decide it
 * altogether. */
#include "map/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bound must exceed the tolerance by this factor to be a proof: what counts as reached may be so far outside. */
#define SURE 2
#define SURE_OF_BODIES 0.01 /* metres: feet that are planted are where they are within less */

struct lbmap_prover {
    const lbmap_plan *plan;
    lb_closed *closed; /* NULL: none */
    const double *start;
    int has_frames, is_body;
};

/* Whether all variables of a closed form may move: else its solutions are none of the map's. */
static int moves_all(const lb_closed *closed, const lbmap_setup *setup) {
    for (int i = 0; i < lb_closed_variable_count(closed); i++) {
        if (!setup->moves[lb_closed_variable(closed, i)]) {
            return 0;
        }
    }
    return 1;
}

/* Whether finding none proves that there is none. Kinds that walk along curves in steps may miss a short interval, and
 * take longer than the search that they would spare: of a Panda's frames sixteen times as long, for one frame of 7,000
 * more. */
static int decides(const lb_closed *closed) {
    const lb_closed_kind kind = lb_closed_kind_of(closed);
    return kind != LB_CLOSED_SEVEN && kind != LB_CLOSED_GROUPED;
}

lbmap_prover *lbmap_prover_create(const lbmap_plan *plan, const lbmap_setup *setup, lb_error *error) {
    lbmap_prover *p = calloc(1, sizeof *p);
    if (!p) {
        lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "no memory for the map");
        return NULL;
    }
    *p = (lbmap_prover){
        .plan = plan, .start = setup->start, .has_frames = plan->has_orientations, .is_body = setup->is_body};
    if (setup->site_count == 1 && !setup->is_body && plan->options.axis < 0 && !plan->options.has_no_proofs) {
        lb_closed_options options;
        lb_closed_options_defaults(&options);
        options.pose = setup->start;
        options.is_position = !plan->has_orientations;
        p->closed = lb_closed_create(setup->figure, &setup->effectors[0], &options, NULL);
        if (p->closed && (!decides(p->closed) || !moves_all(p->closed, setup))) {
            lb_closed_destroy(p->closed);
            p->closed = NULL;
        }
    }
    return p;
}

void lbmap_prover_destroy(lbmap_prover *p) {
    if (p) {
        lb_closed_destroy(p->closed);
        free(p);
    }
}

int lbmap_prove_outside(lbmap_prover *p, const lb_frame *goals, double *distance) {
    const lbmap_plan *plan = p->plan;
    const int has_frames = p->has_frames && plan->options.axis < 0;
    *distance = 0;
    for (int s = 0; s < plan->site_count && !plan->options.has_no_proofs; s++) {
        lb_reach_answer answer;
        lb_reach_answer_defaults(&answer);
        if (!plan->reaches[s] || (has_frames ? lb_reach_frame(plan->reaches[s], &goals[s], &answer)
                                             : lb_reach_point(plan->reaches[s], goals[s].position, &answer))) {
            continue;
        }
        if (answer.verdict == LB_REACH_OUTSIDE && answer.distance > *distance) {
            *distance = answer.distance;
        }
    }
    return *distance > (p->is_body ? SURE_OF_BODIES : SURE * plan->options.tolerance);
}

int lbmap_prover_is_closed(const lbmap_prover *p) { return p->closed != NULL; }

int lbmap_prove_closed(lbmap_prover *p, const lb_frame *goal, double *pose) {
    lb_closed_result result;
    lb_closed_result_defaults(&result);
    if (lb_closed_solve(p->closed, goal, p->start, &result)) {
        return 0;
    }
    memcpy(pose, p->start, (size_t)p->plan->variable_count * sizeof *pose);
    if (result.count > 0) {
        return lb_closed_pose(p->closed, 0, pose) ? 0 : 1;
    }
    return result.is_proved ? -1 : 0;
}
