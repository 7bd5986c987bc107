/* More starts are never worse than fewer, solved stays solved, and restarts move only what the goals can use: variables
 * that no goal sees stay as the start has them, to rounding. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"
#include "truth.h"

static property properties[] = {{.name = "more starts are not worse than fewer"},
                                {.name = "what fewer starts solve, more starts solve"},
                                {.name = "what no goal sees stays where it was",
                                 .share = 2e-3 /* a Newton step at a kink drags along what it takes for flat */}};
enum { WORSE, SOLVED, IDLE };

/* --- Which variables any goal sees ------------------------------------------------------------------------------- */

/* Which of r, x and y a goal looks at. */
static void parts_seen(const lb_constraint *c, int seen[3]) {
    lb_goal_kind kind = c->goal.kind;
    int turns = kind == LB_GOAL_ORIENTATION || kind == LB_GOAL_FRAME;
    seen[0] = kind != LB_GOAL_ORIENTATION;
    seen[1] = (turns && c->goal.degrees_x > 0) || kind == LB_GOAL_AIM || kind == LB_GOAL_CUSTOM || c->half_length > 0;
    seen[2] = (turns && c->goal.degrees_y > 0) || kind == LB_GOAL_CUSTOM;
}

/* What all enabled goals see in a pose, 9 numbers each; 0 where they do not look. */
static void all_seen(const random_problem *p, const double *pose, double *e) {
    for (int f = 0; f < p->figure_count; f++) {
        lb_kinematics_update(p->kinematics[f], pose + lb_problem_first_variable(p->problem, f));
    }
    for (int i = 0; i < lb_problem_constraint_count(p->problem); i++, e += 9) {
        const lb_constraint *c = lb_problem_constraint(p->problem, i);
        int seen[3];
        parts_seen(c, seen);
        truth_seen(p, c, e);
        for (int k = 0; k < 9; k++) {
            if (c->disabled || !seen[k / 3]) {
                e[k] = 0;
            }
        }
    }
}

/* Moves one variable by far, from several poses: is anything seen of it? */
static int is_seen(const random_problem *p, int variable, uint64_t *seed) {
    double pose[RANDOM_MOST_VARIABLES], e[RANDOM_MOST_CONSTRAINTS * 9], moved[RANDOM_MOST_CONSTRAINTS * 9];
    int count = 9 * lb_problem_constraint_count(p->problem);
    for (int round = 0; round < 3; round++) {
        for (int f = 0; f < p->figure_count; f++) {
            lb_figure_random_pose(p->figures[f], seed, pose + lb_problem_first_variable(p->problem, f));
        }
        all_seen(p, pose, e);
        pose[variable] += 0.3 + 0.2 * round;
        all_seen(p, pose, moved);
        for (int i = 0; i < count; i++) {
            /* a centre of mass that is on a joint's axis but for rounding moves by rounding, and so may the joint */
            int is_com = lb_problem_constraint(p->problem, i / 9)->effector.kind == LB_EFFECTOR_COM;
            double size = is_com ? 0 : i % 9 < 3 ? p->scale + fabs(e[i]) : 1;
            if (fabs(e[i] - moved[i]) > 1e-12 * size) {
                return 1;
            }
        }
    }
    return 0;
}

/* Limits over several variables tie them together: what is tied to something seen may have to move with it. */
static void mark_seen(const random_problem *p, uint64_t *seed, unsigned char *seen) {
    int n = lb_problem_variable_count(p->problem), grows = 1;
    for (int i = 0; i < n; i++) {
        seen[i] = (unsigned char)is_seen(p, i, seed);
    }
    while (grows) {
        grows = 0;
        for (int f = 0; f < p->figure_count; f++) {
            int first = lb_problem_first_variable(p->problem, f), loops = lb_figure_loop_count(p->figures[f]) > 0;
            for (int i = 0; loops && i < lb_figure_variable_count(p->figures[f]); i++) {
                seen[first + i] = 1;
            }
            for (int r = 0; r < lb_figure_row_count(p->figures[f]); r++) {
                const lb_limit_row *row = lb_figure_row(p->figures[f], r);
                int any = 0, all = 1;
                for (int k = 0; k < row->count; k++) {
                    any |= seen[first + row->variables[k]];
                    all &= seen[first + row->variables[k]];
                }
                if (!any || all) {
                    continue;
                }
                for (int k = 0; k < row->count; k++) {
                    seen[first + row->variables[k]] = 1;
                }
                grows = 1;
            }
        }
    }
}

static void check_idle(const random_problem *p, const answer *a, uint64_t *seed, const char *method) {
    unsigned char seen[RANDOM_MOST_VARIABLES];
    double inside[RANDOM_MOST_VARIABLES];
    mark_seen(p, seed, seen);
    start_inside(p, p->start, inside);
    for (int i = 0; i < a->variables; i++) {
        char name[256];
        if (seen[i]) {
            continue;
        }
        lb_problem_variable_name(p->problem, i, name, sizeof name);
        property_expect(&properties[IDLE], fabs(a->pose[i] - inside[i]) <= 1e-12 * (1 + fabs(inside[i])),
                        "%s, %d restarts: variable %d (%s) %.17g -> %.17g", method, a->result.restarts, i, name,
                        inside[i], a->pose[i]);
    }
}

/* --- Fewer and more ------------------------------------------------------------------------------------------------ */

static void compare(const random_problem *p, const answer *few, const answer *many, int fewer, int more,
                    const char *method) {
    truth with_few, with_many;
    int solved_few = few->result.outcome == LB_OUTCOME_SOLVED, solved_many = many->result.outcome == LB_OUTCOME_SOLVED;
    truth_at(p, few->pose, &with_few);
    truth_at(p, many->pose, &with_many);
    property_expect(&properties[SOLVED], !solved_few || solved_many, "%s: %d restarts solve, %d end in %s", method,
                    fewer, more, lb_outcome_name(many->result.outcome));
    if (solved_many) {
        return; /* within the tolerances the values may differ */
    }
    property_expect(&properties[WORSE], !truth_worse(&with_many, &with_few, with_many.level_count),
                    "%s: %.17g with %d restarts (%s), %.17g with %d (%s); highest level %.17g and %.17g", method,
                    truth_sum(&with_few), fewer, lb_outcome_name(few->result.outcome), truth_sum(&with_many), more,
                    lb_outcome_name(many->result.outcome), with_few.level[0], with_many.level[0]);
}

static void run(long number, uint64_t seed) {
    static answer few, many;
    trap memory;
    random_problem p;
    lb_solve_options options;
    int which = number % 2 ? 0 : (int)(number / 2 % SOLVING_METHODS);
    trap_init(&memory);
    random_problem_mix(&p, seed, &memory, RANDOM_ALL | RANDOM_NO_WISHES | (number % 4 == 3 ? RANDOM_ARM : 0));
    const char *method = solving_method(which, &options);
    options.max_evaluations = 100000;
    options.seed = 1 + (uint64_t)number;
    int fewer = random_below(&seed, 5), more = fewer + 1 + random_below(&seed, 4);
    int n = lb_problem_variable_count(p.problem);
    lb_solver *first = lb_solver_create(p.problem, NULL), *second = lb_solver_create(p.problem, NULL);
    options.restarts = fewer;
    answer_solve(first, &options, p.start, n, &few);
    options.restarts = more;
    answer_solve(second, &options, p.start, n, &many);
    if (few.status == LB_OK && many.status == LB_OK) {
        compare(&p, &few, &many, fewer, more, method);
        check_idle(&p, &many, &seed, method);
    }
    lb_solver_destroy(first);
    lb_solver_destroy(second);
    random_problem_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 2000, 20000, run, properties, 3); }
