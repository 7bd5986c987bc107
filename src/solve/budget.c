#include "solve/budget.h"

#include <math.h>
#include <string.h>

#include "solve/plan/space.h"

void lbs_budget_start_clock(lbs_budget *b, const lb_solve_options *o) {
    b->began_us = o->now_us(o->now_context);
    b->look_count = 0;
    memset(b->pieces_us, 0, sizeof b->pieces_us);
}

/* The longest of the last few pieces but one, in which the machine may have done something else. */
static double second_longest(const double pieces[LBS_PIECES]) {
    double longest = 0, second = 0;
    for (int i = 0; i < LBS_PIECES; i++) {
        const double piece = pieces[i], lesser = piece < longest ? piece : longest;
        second = lesser > second ? lesser : second;
        longest = piece > longest ? piece : longest;
    }
    return second;
}

int lbs_late(lbs_space *s) {
    const lb_solve_options *o = s->options;
    lbs_budget *b = &s->budget;
    if (lb_cancel_is_requested(o->cancel)) {
        return 1;
    }
    if (!lbs_has_deadline(o)) {
        return 0;
    }
    const double now = o->now_us(o->now_context);
    if (b->look_count > 0) {
        b->pieces_us[b->look_count % LBS_PIECES] = now - b->looked_us;
    }
    b->looked_us = now;
    b->look_count++;
    return now - b->began_us + second_longest(b->pieces_us) >= o->deadline_us;
}

double lbs_half_time(const lbs_space *s) {
    const lb_solve_options *o = s->options;
    return lbs_has_deadline(o) ? 0.5 * (o->now_us(o->now_context) - s->budget.began_us + o->deadline_us) : INFINITY;
}

int lbs_is_past(const lbs_space *s, double us) {
    const lb_solve_options *o = s->options;
    return lb_cancel_is_requested(o->cancel) ||
           (lbs_has_deadline(o) && o->now_us(o->now_context) - s->budget.began_us >= us);
}

int lbs_spent(lbs_space *s) {
    lbs_budget *b = &s->budget;
    b->late |= lbs_late(s);
    b->stopped |= b->late || b->evaluations >= s->options->max_evaluations;
    return b->stopped;
}

void lbs_tell(lbs_space *s, const double *z, double value) {
    const lb_solve_options *o = s->options;
    if (o->on_iteration) {
        lbs_to_pose(s, z, s->last.pose);
        lb_progress progress = {s->budget.iterations, s->budget.evaluations, s->budget.restarts, value, s->last.pose};
        if (o->on_iteration(o->on_iteration_context, &progress)) {
            s->budget.stopped = 1;
        }
    }
}

int lbs_stop(lbs_space *s, const double *z, double value) {
    s->budget.iterations++;
    lbs_tell(s, z, value);
    return lbs_spent(s);
}
