/* Budgets of people who are posed as bodies: iterations, evaluations, deadlines by a clock of the test's own, cancelling and the
 * callback end a solve soon, with a finite pose inside its limits that is no worse than a start that stands. */
#include <math.h>
#include <string.h>

#include "people/people.h"
#include "property.h"
#include "solving.h"

static property properties[] = {{.name = "what is stopped is inside its limits, and finite"},
                                {.name = "what is stopped is no worse than a start that stands"},
                                {.name = "what is stopped is told as budget, unless it is there"},
                                {.name = "iterations are counted, and the budget of each start is kept"},
                                {.name = "evaluations are counted, and their budget is kept but for an iteration's"},
                                {.name = "a solve ends within one iteration after cancelling"},
                                {.name = "a solve ends within a few looks after its deadline"},
                                {.name = "the callback is called at every iteration"},
                                {.name = "a budget that is not spent changes nothing"}};
enum { INSIDE, WORSE, TOLD, ITERATIONS, EVALUATIONS, CANCELLED, SOON, CALLED, ENOUGH };

#define MOST_STARTS 40  /* starts, steps and compromises that one solve tries, at most */
#define AN_ITERATION 40 /* evaluations of one iteration, at most */
#define LOOKS_AFTER 6   /* looks at the clock that the end of a solve may take */

static void check_stopped(const people *p, const people_answer *a, const people_answer *whole, const char *what) {
    const double outside = people_outside(p, a->pose);
    property_expect(&properties[INSIDE], a->status == LB_OK && outside <= 1e-9 && people_are_finite(a),
                    "%s, %s: status %d, outside by %g", p->text, what, a->status, outside);
    if (p->is_standing) {
        property_expect(&properties[WORSE], people_no_worse(a), "%s, %s: %s, G %g was %g", p->text, what,
                        lb_outcome_name(a->result.outcome), a->result.value, a->result.value_before);
    }
    /* A start may come to a minimum within a few iterations. */
    const int is_whole = memcmp(a->pose, whole->pose, sizeof a->pose) == 0 || strstr(what, "iterations");
    property_expect(&properties[TOLD],
                    a->result.outcome == LB_OUTCOME_BUDGET || is_whole || a->result.outcome == LB_OUTCOME_SOLVED,
                    "%s, %s: %s", p->text, what, lb_outcome_name(a->result.outcome));
}

static void check_iterations(people *p, const people_answer *whole) {
    static people_answer a;
    char what[64];
    lb_solve_options o;
    lb_solve_options_defaults(&o);
    o.max_iterations = check_random_index(&p->random, 6);
    snprintf(what, sizeof what, "%d iterations", o.max_iterations);
    people_solve_afresh(p, &o, p->start, &a);
    check_stopped(p, &a, whole, what);
    property_expect(&properties[ITERATIONS], a.result.iterations <= MOST_STARTS * o.max_iterations,
                    "%s, %s: it took %d", p->text, what, a.result.iterations);
    lb_solve_options_defaults(&o);
    o.max_iterations = 10 * whole->result.iterations + 10;
    people_solve_afresh(p, &o, p->start, &a);
    property_expect(&properties[ENOUGH], !people_differ(&a, whole), "%s: %s differs", p->text,
                    people_differ(&a, whole));
}

static void check_evaluations(people *p, const people_answer *whole) {
    static people_answer a;
    char what[64];
    lb_solve_options o;
    lb_solve_options_defaults(&o);
    o.max_evaluations = 1 + check_random_index(&p->random, 40);
    snprintf(what, sizeof what, "%d evaluations", o.max_evaluations);
    people_solve_afresh(p, &o, p->start, &a);
    check_stopped(p, &a, whole, what);
    property_expect(&properties[EVALUATIONS],
                    a.result.evaluations > 0 && a.result.evaluations <= o.max_evaluations + AN_ITERATION,
                    "%s, %s: it took %d", p->text, what, a.result.evaluations);
}

/* A callback that counts, and asks for the end when it was called so often. */
typedef struct caller {
    int calls, at, after, returns;
    lb_cancel cancel;
} caller;

static int call(void *context, const lb_progress *progress) {
    caller *c = context;
    (void)progress;
    c->after += c->calls >= c->at;
    c->calls++;
    if (c->calls < c->at) {
        return 0;
    }
    if (!c->returns) {
        lb_cancel_request(&c->cancel);
    }
    return c->returns;
}

static void check_cancel(people *p, const people_answer *whole, int returns) {
    static people_answer a;
    caller c = {.at = 1 + check_random_index(&p->random, 10), .returns = returns};
    lb_solve_options o;
    lb_solve_options_defaults(&o);
    o.on_iteration = call;
    o.on_iteration_context = &c;
    o.cancel = &c.cancel;
    people_solve_afresh(p, &o, p->start, &a);
    check_stopped(p, &a, whole, returns ? "stopped by its callback" : "cancelled");
    property_expect(&properties[CANCELLED], c.after == 0, "%s: %d calls after that, asked at call %d", p->text, c.after,
                    c.at);
    property_expect(&properties[CALLED], c.calls > 0 || whole->result.iterations == 0, "%s: %d calls, %d iterations",
                    p->text, c.calls, whole->result.iterations);
}

static void check_deadline(people *p, const people_answer *whole) {
    static people_answer a;
    char what[64];
    lb_solve_options o;
    stop s = {.kind = STOP_DEADLINE, .at = 1 + check_random_index(&p->random, 40)};
    lb_solve_options_defaults(&o);
    stop_set(&s, &o);
    snprintf(what, sizeof what, "deadline at look %d", s.at);
    people_solve_afresh(p, &o, p->start, &a);
    check_stopped(p, &a, whole, what);
    const int is_whole = memcmp(a.pose, whole->pose, sizeof a.pose) == 0;
    property_expect(&properties[SOON], s.looks <= s.at + LOOKS_AFTER && (s.looks > 1 || is_whole), "%s, %s: %d looks",
                    p->text, what, s.looks);
}

static void run(long number, uint64_t seed) {
    static people_answer whole;
    people p;
    people_make(&p, seed, number % 2 ? PEOPLE_STANDING : 0);
    people_solve_afresh(&p, NULL, p.start, &whole);
    check_iterations(&p, &whole);
    check_evaluations(&p, &whole);
    check_cancel(&p, &whole, 0);
    check_cancel(&p, &whole, 1);
    check_deadline(&p, &whole);
    people_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 100, 1000, run, properties, 9); }
