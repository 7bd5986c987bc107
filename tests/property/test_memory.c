/* A solver has no memory: whatever it did before - another method, stopped by a clock or by cancelling, several answers,
 * a value, the problem changed meanwhile - it answers as a fresh one does, to the bit. So does the same again. */
#include <string.h>

#include "check.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"

static property properties[] = {{.name = "a reused solver answers as a fresh one"},
                                {.name = "a reused solver has a fresh one's values"},
                                {.name = "the same again gives the same bits"}};
enum { REUSED, VALUES, AGAIN };

/* Something that the problem allows between two solves. */
static void change(const random_problem *p, uint64_t *seed) {
    int count = lb_problem_constraint_count(p->problem), n = lb_problem_variable_count(p->problem);
    int id = lb_problem_constraint_id(p->problem, random_below(seed, count));
    lb_frame frame;
    lb_frame_identity(&frame);
    for (int i = 0; i < 3; i++) {
        frame.position[i] = p->scale * random_between(seed, -0.6, 0.6);
    }
    random_rotation(seed, frame.rotation);
    switch (random_below(seed, 6)) {
    case 0:
        CHECK(lb_problem_move_goal(p->problem, id, &frame) == LB_OK);
        break;
    case 1:
        CHECK(lb_problem_set_weight(p->problem, id, random_between(seed, 0, 4)) == LB_OK);
        break;
    case 2:
        CHECK(lb_problem_enable(p->problem, id, random_below(seed, 2)) == LB_OK);
        break;
    case 3:
        if (n) {
            CHECK(lb_problem_set_active(p->problem, random_below(seed, n), random_below(seed, 2)) == LB_OK);
        }
        break;
    default:
        break;
    }
}

/* Other things that a solver is used for. */
static void use_otherwise(const random_problem *p, lb_solver *solver, uint64_t *seed, const lb_solve_options *options) {
    double poses[3 * RANDOM_MOST_VARIABLES], value;
    lb_result result;
    lb_result_defaults(&result);
    lb_solve_options o = *options;
    o.restarts = 3;
    o.on_iteration = NULL;
    o.deadline_us = 0;
    o.cancel = NULL;
    int what = random_below(seed, 6);
    if (what == 0) {
        lb_solver_solve_all(solver, &o, p->target, 0.1, 2, poses, &result);
    }
    if (what == 1) {
        lb_solver_value(solver, p->target, &value, poses);
    }
    if (what >= 2) { /* from the start's pose, whatever that misses */
        memcpy(poses, p->start, (size_t)lb_problem_variable_count(p->problem) * sizeof *poses);
        o.restarts = 0;
        if (lb_solver_solve(solver, &o, poses, &result) == LB_OK) {
            lb_solver_explain(solver, &o, poses, &result);
        }
    }
}

static void check_values(const random_problem *p, lb_solver *reused, lb_solver *fresh) {
    double a[RANDOM_MOST_VARIABLES], b[RANDOM_MOST_VARIABLES], value[2] = {0, 0};
    int n = lb_problem_variable_count(p->problem);
    lb_status first = lb_solver_value(reused, p->target, &value[0], a);
    lb_status second = lb_solver_value(fresh, p->target, &value[1], b);
    int same = first == second && memcmp(&value[0], &value[1], sizeof *value) == 0 &&
               (first || memcmp(a, b, (size_t)n * sizeof *a) == 0);
    property_expect(&properties[VALUES], same, "status %d and %d, %.17g and %.17g", first, second, value[0], value[1]);
}

/* The solver that did something else before, against two fresh ones. */
static void check_second(const random_problem *p, lb_solver *solver, lb_solve_options *options, stop *s,
                         const char *method, const char *before) {
    static answer reused, fresh, again;
    int n = lb_problem_variable_count(p->problem);
    lb_solver *anew = lb_solver_create(p->problem, NULL), *third = lb_solver_create(p->problem, NULL);
    stop_set(s, options);
    answer_solve(solver, options, p->start, n, &reused);
    stop_set(s, options);
    answer_solve(anew, options, p->start, n, &fresh);
    stop_set(s, options);
    answer_solve(third, options, p->start, n, &again);
    const char *what = answer_differs(&reused, &fresh), *what_again = answer_differs(&fresh, &again);
    property_expect(&properties[REUSED], !what, "%s after %s: %s differs, G %.17g reused, %.17g fresh", method, before,
                    what, reused.result.value, fresh.result.value);
    property_expect(&properties[AGAIN], !what_again, "%s: %s differs", method, what_again);
    check_values(p, solver, third);
    lb_solver_destroy(anew);
    lb_solver_destroy(third);
}

static void run(long number, uint64_t seed) {
    static answer unused;
    trap memory;
    random_problem p;
    lb_solve_options first, second, any;
    stop first_stop, second_stop;
    trap_init(&memory);
    unsigned more = number / 64 % 3 == 2 ? RANDOM_LARGE : number / 64 % 8 == 7 ? RANDOM_ARM : 0;
    random_problem_mix(&p, seed, &memory, RANDOM_ALL | more);
    int one = (int)(number % SOLVING_METHODS), other = (int)(number / SOLVING_METHODS % SOLVING_METHODS);
    solving_options(&seed, one, &first);
    solving_options(&seed, other, &second);
    stop_random(&seed, &first_stop);
    stop_random(&seed, &second_stop);
    lb_solver *solver = lb_solver_create(p.problem, NULL);
    REQUIRE(solver != NULL);
    stop_set(&first_stop, &first);
    const double *start = random_below(&seed, 2) ? p.start : p.target;
    answer_solve(solver, &first, start, lb_problem_variable_count(p.problem), &unused);
    use_otherwise(&p, solver, &seed, &first);
    change(&p, &seed);
    check_second(&p, solver, &second, &second_stop, solving_method(other, &any), solving_method(one, &any));
    lb_solver_destroy(solver);
    random_problem_free(&p);
    CHECK_INT(memory.blocks, 0);
}

int main(int argc, char **argv) { return property_main(argc, argv, 6000, 60000, run, properties, 3); }
