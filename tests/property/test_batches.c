/* Batches are the same as one by one, to the bit, for any number of threads: random problems of all kinds, every method,
 * restarts and small budgets, goals and starts of their own, some of them not finite. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"

static property properties[] = {{.name = "a batch is the same as one by one"}};

enum { PROBLEMS = 11 };

typedef struct batch {
    int n, goal_count, ids[RANDOM_MOST_CONSTRAINTS];
    lb_frame goals[PROBLEMS][RANDOM_MOST_CONSTRAINTS];
    double starts[PROBLEMS][RANDOM_MOST_VARIABLES]; /* [PROBLEMS][n], one behind the other */
} batch;

static void random_batch(const random_problem *p, uint64_t *seed, batch *b) {
    b->n = lb_problem_variable_count(p->problem);
    b->goal_count = 1 + random_below(seed, lb_problem_constraint_count(p->problem));
    lb_frame *goals = b->goals[0];
    double *starts = b->starts[0];
    for (int k = 0; k < b->goal_count; k++) {
        b->ids[k] = lb_problem_constraint_id(p->problem, k);
    }
    for (int i = 0; i < PROBLEMS; i++) {
        for (int k = 0; k < b->goal_count; k++) {
            lb_frame *goal = &goals[i * b->goal_count + k];
            for (int d = 0; d < 3; d++) {
                goal->position[d] = p->scale * random_between(seed, -0.7, 0.7);
            }
            random_rotation(seed, goal->rotation);
        }
        for (int f = 0; f < p->figure_count; f++) {
            lb_figure_random_pose(p->figures[f], seed, starts + i * b->n + lb_problem_first_variable(p->problem, f));
        }
    }
    if (random_below(seed, 4) == 0) {
        goals[random_below(seed, PROBLEMS * b->goal_count)].position[1] = NAN;
    }
    if (random_below(seed, 4) == 0 && b->n) {
        starts[random_below(seed, PROBLEMS * b->n)] = INFINITY;
    }
}

/* One by one, each with a fresh solver. */
static void one_by_one(const random_problem *p, const batch *b, const lb_solve_options *o, double *poses,
                       lb_answer *answers) {
    const lb_frame *goals = b->goals[0];
    memcpy(poses, b->starts[0], (size_t)(PROBLEMS * b->n) * sizeof *poses);
    for (int i = 0; i < PROBLEMS; i++) {
        lb_result result;
        lb_result_defaults(&result);
        lb_answer *a = &answers[i];
        lb_status moved = LB_OK;
        memset(a, 0, sizeof *a);
        a->value = NAN;
        for (int k = 0; k < b->goal_count && !moved; k++) {
            moved = lb_problem_move_goal(p->problem, b->ids[k], &goals[i * b->goal_count + k]);
        }
        a->status = moved ? moved : lb_solve(p->problem, o, poses + i * b->n, &result);
        if (a->status) {
            continue;
        }
        a->outcome = result.outcome;
        a->value = result.value;
        a->iterations = result.iterations;
        a->evaluations = result.evaluations;
        a->restarts = result.restarts;
    }
}

static int same_answer(const lb_answer *a, const lb_answer *b) {
    int is_nan = isnan(a->value) && isnan(b->value);
    return a->status == b->status && a->outcome == b->outcome && a->iterations == b->iterations &&
           a->evaluations == b->evaluations && a->restarts == b->restarts &&
           (is_nan || memcmp(&a->value, &b->value, sizeof a->value) == 0);
}

static void check_threads(const random_problem *p, const batch *b, const lb_solve_options *o, int threads,
                          const char *method) {
    static double alone[PROBLEMS * RANDOM_MOST_VARIABLES], together[PROBLEMS * RANDOM_MOST_VARIABLES];
    lb_answer single[PROBLEMS], joint[PROBLEMS];
    lb_many many;
    lb_many_defaults(&many);
    many.count = PROBLEMS;
    many.goal_count = b->goal_count;
    many.ids = b->ids;
    many.goals = b->goals[0];
    many.starts = b->starts[0];
    many.threads = threads;
    lb_status status = lb_solve_many(p->problem, o, &many, together, joint, NULL);
    property_expect(&properties[0], status == LB_OK, "%s, %d threads: status %d", method, threads, status);
    one_by_one(p, b, o, alone, single);
    for (int i = 0; i < PROBLEMS && !status; i++) {
        const double *x = alone + i * b->n, *y = together + i * b->n;
        int same = same_answer(&single[i], &joint[i]) && memcmp(x, y, (size_t)b->n * sizeof *x) == 0;
        property_expect(&properties[0], same,
                        "%s, %d threads, problem %d: status %d and %d, %s and %s, G %.17g alone, %.17g together",
                        method, threads, i, single[i].status, joint[i].status, lb_outcome_name(single[i].outcome),
                        lb_outcome_name(joint[i].outcome), single[i].value, joint[i].value);
    }
}

static void run(long number, uint64_t seed) {
    static batch b;
    trap memory;
    random_problem p;
    lb_solve_options options;
    trap_init(&memory);
    unsigned more = number % 3 == 1 ? RANDOM_ARM : number % 3 == 2 ? RANDOM_LARGE : 0;
    random_problem_mix(&p, seed, &memory, RANDOM_ALL | more);
    int which = number % 3 == 1 ? 0 : (int)(number / 3 % SOLVING_METHODS);
    solving_options(&seed, which, &options);
    if (options.max_iterations > 30) {
        options.max_iterations = 30;
    }
    random_batch(&p, &seed, &b);
    lb_solve_options unused;
    check_threads(&p, &b, &options, 1 + (int)(number % 8), solving_method(which, &unused));
    random_problem_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 600, 6000, run, properties, 1); }
