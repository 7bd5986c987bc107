/* What a solve promises (docs/contract.md) holds for people who are posed as bodies, too: limits hold, numbers are finite, the
 * answer is no worse than a start that stands, a solver has no memory, watching changes nothing. */
#include <math.h>
#include <string.h>

#include "people/people.h"
#include "property.h"

static property properties[] = {{.name = "limits hold"},
                                {.name = "what comes out is finite"},
                                {.name = "the answer is no worse than a start that stands"},
                                {.name = "a dragged hand leaves nothing worse"},
                                {.name = "the outcome is that of the constraints"},
                                {.name = "a reused solver answers as a fresh one"},
                                {.name = "watching changes nothing"},
                                {.name = "who watches sees finite poses inside the limits"}};
enum { LIMITS, FINITE, WORSE, DRAGGED, OUTCOME, REUSED, WATCHED, INSIDE };

static void check_answer(const people *p, const people_answer *a, const char *what) {
    int is_met = 1;
    for (int i = 0; i < a->constraint_count; i++) {
        is_met &= a->constraints[i].met || !a->constraints[i].counted;
    }
    const int is_solved = a->result.outcome == LB_OUTCOME_SOLVED;
    const double outside = people_outside(p, a->pose);
    property_expect(&properties[LIMITS], outside <= 1e-9, "%s, %s: outside by %g", p->text, what, outside);
    property_expect(&properties[FINITE], people_are_finite(a), "%s, %s", p->text, what);
    property_expect(&properties[OUTCOME], a->status == LB_OK && a->result.explanation[0] && (!is_solved || is_met),
                    "%s, %s: status %d, %s, all met: %d, \"%s\"", p->text, what, a->status,
                    lb_outcome_name(a->result.outcome), is_met, a->result.explanation);
}

/* --- Memory ---------------------------------------------------------------------------------------------------------- */

static double clock_us(void *context) { return (double)(*(int *)context)++; }

/* Something else that a solver is used for. */
static void use_otherwise(people *p, lb_solver *solver) {
    static people_answer unused;
    double pose[2 * PEOPLE_VARIABLES], value, gradient[PEOPLE_VARIABLES];
    lb_solve_options o;
    lb_result result;
    int looks = 0;
    lb_cancel cancel = {0};
    lb_solve_options_defaults(&o);
    lb_result_defaults(&result);
    switch (check_random_index(&p->random, 7)) {
    case 0:
        o.method = LB_METHOD_BFGS; /* refused */
        break;
    case 1:
        o.now_us = clock_us;
        o.now_context = &looks;
        o.deadline_us = 1 + check_random_index(&p->random, 20);
        break;
    case 2:
        lb_cancel_request(&cancel);
        o.cancel = &cancel;
        break;
    case 3:
        o.max_iterations = check_random_index(&p->random, 10);
        break;
    case 4:
        o.tracking = 1;
        break;
    case 5:
        CHECK(lb_solver_value(solver, p->start, &value, gradient) == LB_OK);
        break;
    default:
        lb_solver_solve_all(solver, NULL, p->start, 0.1, 2, pose, &result);
    }
    const double *start = check_random_index(&p->random, 2) ? p->start : p->rest;
    people_solve(p, solver, &o, start, &unused);
    if (unused.status == LB_OK && check_random_index(&p->random, 2)) {
        lb_result_defaults(&result);
        CHECK(lb_solver_explain(solver, &o, unused.pose, &result) == LB_OK);
    }
}

/* The goal is elsewhere for the other solve, and back again. */
static void use_and_move(people *p, lb_solver *solver) {
    const int id = lb_problem_constraint_id(p->problem, 0);
    lb_constraint kept = *lb_problem_constraint(p->problem, 0);
    lb_frame frame = {{0, 0, 0}, {0, 0, 0, 1}};
    people_point(p, frame.position);
    CHECK(lb_problem_move_goal(p->problem, id, &frame) == LB_OK);
    use_otherwise(p, solver);
    frame = (lb_frame){{kept.goal.point[0], kept.goal.point[1], kept.goal.point[2]}, {0, 0, 0, 1}};
    CHECK(lb_problem_move_goal(p->problem, id, &frame) == LB_OK);
}

static void check_memory(people *p, const people_answer *fresh) {
    static people_answer reused;
    lb_solver *solver = lb_solver_create(p->problem, NULL);
    if (check_random_index(&p->random, 2)) {
        use_otherwise(p, solver);
    } else {
        use_and_move(p, solver);
    }
    people_solve(p, solver, NULL, p->start, &reused);
    const char *what = people_differ(&reused, fresh);
    property_expect(&properties[REUSED], !what, "%s: %s differs", p->text, what);
    lb_solver_destroy(solver);
}

/* --- Watching -------------------------------------------------------------------------------------------------------- */

typedef struct watcher {
    const people *p;
    int calls, all_inside;
} watcher;

static int watch(void *context, const lb_progress *progress) {
    watcher *w = context;
    w->calls++;
    w->all_inside &= people_outside(w->p, progress->pose) <= 1e-9 && isfinite(progress->value);
    return 0;
}

static void check_watching(const people *p, const people_answer *alone) {
    static people_answer watched;
    lb_solve_options o;
    watcher w = {p, 0, 1};
    lb_solve_options_defaults(&o);
    o.on_iteration = watch;
    o.on_iteration_context = &w;
    people_solve_afresh(p, &o, p->start, &watched);
    const char *what = people_differ(alone, &watched);
    property_expect(&properties[WATCHED], !what, "%s: %s differs", p->text, what);
    property_expect(&properties[INSIDE], w.all_inside, "%s", p->text);
}

/* --- Dragging -------------------------------------------------------------------------------------------------------- */

/* From the answer, with the goal 1 cm further. */
static void check_drag(people *p, const people_answer *first) {
    static people_answer next;
    const lb_constraint kept = *lb_problem_constraint(p->problem, 0);
    lb_frame frame = {{0, 0, 0}, {0, 0, 0, 1}};
    lb_solve_options o;
    lb_solve_options_defaults(&o);
    o.tracking = 1;
    for (int c = 0; c < 3; c++) {
        frame.position[c] = kept.goal.point[c] + check_random_range(&p->random, -0.006, 0.006);
    }
    REQUIRE(lb_problem_move_goal(p->problem, lb_problem_constraint_id(p->problem, 0), &frame) == LB_OK);
    people_solve_afresh(p, &o, first->pose, &next);
    check_answer(p, &next, "dragged");
    property_expect(&properties[DRAGGED], people_no_worse(&next), "%s: %s, G %g was %g; \"%s\"", p->text,
                    lb_outcome_name(next.result.outcome), next.result.value, next.result.value_before,
                    next.result.explanation);
}

static void run(long number, uint64_t seed) {
    static people_answer a;
    people p;
    (void)number;
    people_make(&p, seed, 0);
    people_solve_afresh(&p, NULL, p.start, &a);
    check_answer(&p, &a, "cold");
    if (p.is_standing) {
        property_expect(&properties[WORSE], people_no_worse(&a), "%s: %s, G %g was %g; \"%s\"", p.text,
                        lb_outcome_name(a.result.outcome), a.result.value, a.result.value_before, a.result.explanation);
    }
    check_memory(&p, &a);
    check_watching(&p, &a);
    if (a.result.outcome == LB_OUTCOME_SOLVED) {
        check_drag(&p, &a);
    }
    people_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 100, 1000, run, properties, 8); }
