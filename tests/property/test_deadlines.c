/* Deadlines, by a clock of the test's own that goes on by a microsecond with each look: a solve ends within a bounded number
 * of looks after its deadline, with `budget` or what it has, and is never worse than its start. Where nothing is late, the
 * clock changes nothing. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "kkt.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"
#include "truth.h"

static property properties[] = {{.name = "a solve ends soon after its deadline"},
                                {.name = "what is late is told as budget, unless it is there"},
                                {.name = "what is late is not worse than the start"},
                                {.name = "a deadline that is far off changes nothing"},
                                {.name = "cancelling ends a solve within one iteration"},
                                {.name = "the clock is looked at between starts and iterations"}};
enum { SOON, TOLD, WORSE, FAR, CANCELLED, LOOKS };

#define LOOKS_AFTER 4 /* looks that the end of a solve may take: in the iteration under way, and for the result */

/* A clock that is also called back, so that iterations after the deadline are counted. */
typedef struct watch {
    stop clock;
    int late_calls, calls, cancel_at, calls_after_cancel;
} watch;

static int call(void *context, const lb_progress *progress) {
    watch *w = context;
    (void)progress;
    w->calls++;
    if (lb_cancel_is_requested(&w->clock.cancel)) {
        w->calls_after_cancel++;
    }
    if (w->cancel_at && w->calls >= w->cancel_at) {
        lb_cancel_request(&w->clock.cancel);
    }
    if (w->clock.kind == STOP_DEADLINE && w->clock.looks > w->clock.at) {
        w->late_calls++;
    }
    return 0;
}

/* Whether a pose may well be a minimum: one level, no wishes, and the limits hold all of the gradient back. */
static int is_flat(const random_problem *p, const double *pose) {
    unsigned char moves[RANDOM_MOST_VARIABLES];
    double gradient[RANDOM_MOST_VARIABLES], value;
    truth t;
    truth_at(p, pose, &t);
    if (t.level_count > 1 || p->wishes) {
        return 1; /* not told by the sum's gradient */
    }
    lb_solver *solver = lb_solver_create(p->problem, NULL);
    REQUIRE(solver && lb_solver_value(solver, pose, &value, gradient) == LB_OK);
    lb_solver_destroy(solver);
    kkt_may_move(p, moves);
    return kkt_left(p, pose, moves, gradient, NULL, 1e-8, NULL) <= 1e-8 * t.unit * (1 + p->scale * p->scale);
}

/* `needed`: looks that it takes without a deadline. */
static void check_deadline(const random_problem *p, const lb_solve_options *usual, uint64_t *seed, int needed,
                           const char *method) {
    static answer a;
    watch w;
    truth before, after;
    double inside[RANDOM_MOST_VARIABLES];
    lb_solve_options o = *usual;
    memset(&w, 0, sizeof w);
    w.clock.kind = STOP_DEADLINE;
    w.clock.at = 1 + random_below(seed, 40);
    stop_set(&w.clock, &o);
    if (random_below(seed, 2)) {
        o.on_iteration = call;
        o.on_iteration_context = &w;
    }
    lb_solver *solver = lb_solver_create(p->problem, NULL);
    answer_solve(solver, &o, p->start, lb_problem_variable_count(p->problem), &a);
    lb_solver_destroy(solver);
    if (a.status) {
        return;
    }
    start_inside(p, p->start, inside);
    truth_at(p, inside, &before);
    truth_at(p, a.pose, &after);
    property_expect(&properties[SOON], w.clock.looks <= w.clock.at + LOOKS_AFTER && w.late_calls <= 2,
                    "%s, deadline after %d looks: %d looks, %d iterations after it", method, w.clock.at, w.clock.looks,
                    w.late_calls);
    if (needed > w.clock.at + LOOKS_AFTER && (o.restarts == 0 || o.tracking)) { /* a start before may be a minimum */
        property_expect(&properties[TOLD],
                        a.result.outcome == LB_OUTCOME_BUDGET || a.result.outcome == LB_OUTCOME_SOLVED ||
                            (a.result.outcome == LB_OUTCOME_MINIMUM && is_flat(p, a.pose)),
                        "%s, deadline after %d looks of %d: %s", method, w.clock.at, needed,
                        lb_outcome_name(a.result.outcome));
    }
    int is_within = p->wishes && after.met; /* within their tolerances goals may make room for wishes */
    property_expect(&properties[WORSE], is_within || !truth_worse(&after, &before, after.level_count),
                    "%s, deadline after %d looks%s: goals %.17g, at the start %.17g", method, w.clock.at,
                    p->wishes ? ", wishes" : "", truth_sum(&after), truth_sum(&before));
}

/* Returns how often the clock was looked at. */
static int check_far(const random_problem *p, const lb_solve_options *usual, const char *method) {
    static answer without, with;
    stop clock;
    lb_solve_options o = *usual;
    int n = lb_problem_variable_count(p->problem);
    memset(&clock, 0, sizeof clock);
    lb_solver *first = lb_solver_create(p->problem, NULL), *second = lb_solver_create(p->problem, NULL);
    answer_solve(first, &o, p->start, n, &without);
    clock.kind = STOP_DEADLINE;
    clock.at = 1 << 30;
    stop_set(&clock, &o);
    answer_solve(second, &o, p->start, n, &with);
    const char *what = answer_differs(&without, &with);
    property_expect(&properties[FAR], !what, "%s: %s differs, G %.17g without a clock, %.17g with", method, what,
                    without.result.value, with.result.value);
    if (with.status == LB_OK) {
        property_expect(&properties[LOOKS],
                        clock.looks > with.result.restarts && clock.looks >= with.result.iterations / 2,
                        "%s: %d looks in %d iterations of %d restarts", method, clock.looks, with.result.iterations,
                        with.result.restarts);
    }
    lb_solver_destroy(first);
    lb_solver_destroy(second);
    return clock.looks;
}

static void check_cancel(const random_problem *p, const lb_solve_options *usual, uint64_t *seed, const char *method) {
    static answer a;
    watch w;
    lb_solve_options o = *usual;
    memset(&w, 0, sizeof w);
    w.cancel_at = 1 + random_below(seed, 6);
    o.on_iteration = call;
    o.on_iteration_context = &w;
    o.cancel = &w.clock.cancel;
    lb_solver *solver = lb_solver_create(p->problem, NULL);
    answer_solve(solver, &o, p->start, lb_problem_variable_count(p->problem), &a);
    lb_solver_destroy(solver);
    if (a.status) {
        return;
    }
    property_expect(&properties[CANCELLED], w.calls_after_cancel <= 1 && a.result.outcome != LB_OUTCOME_INVALID,
                    "%s: cancelled at call %d, %d calls after it, %s", method, w.cancel_at, w.calls_after_cancel,
                    lb_outcome_name(a.result.outcome));
}

static void run(long number, uint64_t seed) {
    trap memory;
    random_problem p;
    lb_solve_options options;
    int which = number % 2 ? 0 : (int)(number / 2 % SOLVING_METHODS);
    trap_init(&memory);
    random_problem_mix(&p, seed, &memory, RANDOM_ALL | (number % 4 == 3 ? RANDOM_ARM : 0));
    solving_options(&seed, which, &options);
    const char *method = solving_method(which, &(lb_solve_options){0});
    check_deadline(&p, &options, &seed, check_far(&p, &options, method), method);
    check_cancel(&p, &options, &seed, method);
    random_problem_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 2000, 20000, run, properties, 6); }
