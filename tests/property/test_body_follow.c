/* People who follow a hand step by step (options.tracking with max_change): no variable leaves the pose before by more than it may,
 * limits hold, and a hand that goes where the arm reaches is followed. */
#include <math.h>
#include <string.h>

#include "people/people.h"
#include "property.h"

static property properties[] = {{.name = "no variable changes by more than max_change"},
                                {.name = "limits hold"},
                                {.name = "the hand is followed in nineteen of twenty steps"},
                                {.name = "a fresh solver follows as a used one does"}};

#define STEP 0.01   /* metres */
#define STEPS 40    /* of a way */
#define MISSED 1e-4 /* metres */

static double largest_change(const people *p, const double *from, const double *to) {
    double most = 0;
    for (int i = 0; i < p->variables; i++) {
        most = fabs(to[i] - from[i]) > most ? fabs(to[i] - from[i]) : most;
    }
    return most;
}

static void run(long number, uint64_t seed) {
    people_answer first, next, fresh;
    lb_solve_options options;
    double to[3];
    people p;
    (void)number;
    people_stand(&p, seed);
    double at[3] = {check_random_range(&p.random, 0.3, 0.4), check_random_range(&p.random, -0.3, -0.1),
                    check_random_range(&p.random, 1.0, 1.3)};
    const int id = people_reach(&p, "right_palm", at[0], at[1], at[2], 0);
    people_solve_afresh(&p, NULL, p.start, &first);
    lb_solve_options_defaults(&options);
    options.tracking = 1;
    options.max_iterations = 22;
    options.max_change = check_random_range(&p.random, 0.1, 0.2);
    for (int c = 0; c < 3; c++) { /* a way within the arm's reach, in part towards the ground */
        to[c] = at[c] + check_random_range(&p.random, c == 2 ? -0.4 : -0.1, 0.1);
    }
    const double way =
        sqrt((to[0] - at[0]) * (to[0] - at[0]) + (to[1] - at[1]) * (to[1] - at[1]) + (to[2] - at[2]) * (to[2] - at[2]));
    lb_solver *solver = lb_solver_create(p.problem, NULL);
    int followed = 0, steps = 0;
    for (; steps < STEPS && (steps + 1) * STEP / p.size < way; steps++) {
        const double share = (steps + 1) * STEP / p.size / way;
        const lb_frame goal = {{p.size * (at[0] + share * (to[0] - at[0])), p.size * (at[1] + share * (to[1] - at[1])),
                                p.size * (at[2] + share * (to[2] - at[2]))},
                               {0, 0, 0, 1}};
        lb_problem_move_goal(p.problem, id, &goal);
        people_solve(&p, solver, &options, first.pose, &next);
        people_solve_afresh(&p, &options, first.pose, &fresh);
        const double change = largest_change(&p, first.pose, next.pose);
        property_expect(&properties[0], change <= options.max_change + 1e-9, "step %d: %g of %g", steps, change,
                        options.max_change);
        property_expect(&properties[1], people_outside(&p, next.pose) < 1e-9, "step %d: %g", steps,
                        people_outside(&p, next.pose));
        property_expect(&properties[3], !people_differ(&next, &fresh), "step %d: %s", steps,
                        people_differ(&next, &fresh));
        followed += people_missed(&next, id) < MISSED;
        first = next;
    }
    property_expect(&properties[2], followed >= 0.95 * steps - 1, "%d of %d", followed, steps);
    lb_solver_destroy(solver);
    people_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 40, 400, run, properties, 4); }
