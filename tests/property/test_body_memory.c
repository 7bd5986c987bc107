/* A solver that poses people has no memory: what it solved before, and how that ended, changes no bit of an answer. Each problem
 * is solved by a fresh solver, by the same one again, by one that was used for something else, and by one that is watched. */
#include <math.h>
#include <string.h>

#include "people/people.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"

static property properties[] = {{.name = "the same again gives the same bits"},
                                {.name = "a reused solver answers as a fresh one"},
                                {.name = "watching changes nothing"},
                                {.name = "limits hold, and what comes out is finite"}};
enum { AGAIN, REUSED, WATCHED, SOUND };

/* --- Ways of solving --------------------------------------------------------------------------------------------------- */

/* How a problem is solved: the same each time. */
typedef struct way {
    lb_solve_options options;
    stop ending;
} way;

static void draw_way(people *p, way *w) {
    uint64_t seed = check_random_bits(&p->random);
    lb_solve_options_defaults(&w->options);
    stop_random(&seed, &w->ending);
    if (check_random_index(&p->random, 2)) {
        w->ending.kind = STOP_NOT;
    }
    w->options.tracking = check_random_index(&p->random, 4) == 0;
    if (w->options.tracking && check_random_index(&p->random, 2)) {
        w->options.max_change = 0.2;
    }
    if (check_random_index(&p->random, 8)) { /* most: what a solver remembers shows from the first iteration on */
        w->options.max_iterations = check_random_index(&p->random, 12);
    }
}

static void solve(const people *p, lb_solver *solver, way *w, const double *start, people_answer *a) {
    stop_set(&w->ending, &w->options);
    people_solve(p, solver, &w->options, start, a);
}

/* --- What a solver is used for meanwhile ---------------------------------------------------------------------------------- */

/* The problem is changed, and changed back after the other solve; each change is one that plans anew or does not. */
static void use_changed(people *p, lb_solver *solver, way *other, const double *start) {
    static people_answer unused;
    const int id = lb_problem_constraint_id(p->problem, 0), what = check_random_index(&p->random, 4);
    const lb_constraint kept = *lb_problem_constraint(p->problem, 0);
    lb_frame frame = {{0, 0, 0}, {0, 0, 0, 1}};
    people_point(p, frame.position);
    const int moves = what == 0 && (kept.goal.kind == LB_GOAL_POSITION || kept.goal.kind == LB_GOAL_AIM);
    if (moves) {
        CHECK(lb_problem_move_goal(p->problem, id, &frame) == LB_OK);
    }
    if (what == 1) {
        CHECK(lb_problem_enable(p->problem, id, 0) == LB_OK);
    }
    if (what == 2) {
        CHECK(lb_problem_set_weight(p->problem, id, 3) == LB_OK);
    }
    solve(p, solver, other, start, &unused);
    if (moves) {
        memcpy(frame.position, kept.goal.point, sizeof frame.position);
        CHECK(lb_problem_move_goal(p->problem, id, &frame) == LB_OK);
    }
    CHECK(lb_problem_enable(p->problem, id, 1) == LB_OK);
    CHECK(lb_problem_set_weight(p->problem, id, kept.weight) == LB_OK);
}

static void use_otherwise(people *p, lb_solver *solver) {
    static people_answer unused;
    double value, gradient[PEOPLE_VARIABLES];
    way other;
    lb_result result;
    draw_way(p, &other);
    const double *start = check_random_index(&p->random, 2) ? p->start : p->rest;
    if (check_random_index(&p->random, 2)) {
        use_changed(p, solver, &other, start);
    } else {
        solve(p, solver, &other, start, &unused);
        if (unused.status == LB_OK && check_random_index(&p->random, 4) == 0) {
            lb_result_defaults(&result);
            stop_set(&other.ending, &other.options);
            CHECK(lb_solver_explain(solver, &other.options, unused.pose, &result) == LB_OK);
        }
    }
    if (check_random_index(&p->random, 4) == 0) {
        CHECK(lb_solver_value(solver, p->start, &value, gradient) == LB_OK);
    }
}

/* --- Each three ways ------------------------------------------------------------------------------------------------------- */

static int ignore(void *context, const lb_progress *progress) {
    *(int *)context += progress->value - progress->value == 0;
    return 0;
}

static void expect_same(const people *p, int which, const people_answer *a, const people_answer *fresh) {
    const char *what = people_differ(a, fresh);
    property_expect(&properties[which], !what, "%s: %s differs, %s and %s", p->text, what,
                    lb_outcome_name(a->result.outcome), lb_outcome_name(fresh->result.outcome));
}

static void run(long number, uint64_t seed) {
    static people_answer fresh, again, reused, watched;
    people p;
    way w;
    int calls = 0;
    (void)number;
    people_make(&p, seed, 0);
    people_widen(&p);
    draw_way(&p, &w);
    lb_solver *first = lb_solver_create(p.problem, NULL), *second = lb_solver_create(p.problem, NULL);
    solve(&p, first, &w, p.start, &fresh);
    solve(&p, first, &w, p.start, &again);
    use_otherwise(&p, second);
    solve(&p, second, &w, p.start, &reused);
    expect_same(&p, AGAIN, &again, &fresh);
    expect_same(&p, REUSED, &reused, &fresh);
    if (w.ending.kind != STOP_CANCEL_BY_CALL && w.ending.kind != STOP_BY_CALL) {
        stop_set(&w.ending, &w.options);
        w.options.on_iteration = ignore;
        w.options.on_iteration_context = &calls;
        people_solve_afresh(&p, &w.options, p.start, &watched);
        expect_same(&p, WATCHED, &watched, &fresh);
    }
    property_expect(&properties[SOUND], people_outside(&p, fresh.pose) <= 1e-9 && people_are_finite(&fresh),
                    "%s: outside by %g, finite: %d, overlap %g", p.text, people_outside(&p, fresh.pose),
                    people_are_finite(&fresh), fresh.body.overlap);
    lb_solver_destroy(first);
    lb_solver_destroy(second);
    people_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 100, 20000, run, properties, 4); }
