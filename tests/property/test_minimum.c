/* An answer called `minimum` is a Kuhn-Tucker point, on every level: of a level's gradient no more is left than
 * gradient_tolerance times the level's unit once the limits in force and the rows of the levels above have had their part.
 * Where a level below has more left, a walk shows whether it is to be had: down that way and back to where the rows above
 * are as they were (where they are singular, it is not).
 * Worked out by tests/property/kkt.c for goals whose residuals are smooth, and by lb_solver_value's gradient for the rest. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "kkt.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"
#include "truth.h"

static property properties[] = {{.name = "a minimum is one: the highest level that is not met"},
                                {.name = "a minimum is one: the levels below it"},
                                {.name = "a minimum is one: the goals, where there are wishes"},
                                {.name = "a minimum is one: the wishes"},
                                {.name = "a minimum is one: regions, groups, loops apart"},
                                {.name = "the gradient told is what is left of it"}};
enum { HIGHEST, BELOW, WISHING, WISHES, REGIONS, NORM };

/* Limits this near to their bounds, in units of their variables' size, may count as being in force. */
#define NEAR 1e-8
#define WISHES_LEVEL 1001 /* below every priority */

typedef struct claim {
    const random_problem *p;
    const answer *a;
    const lb_solve_options *options;
    const char *method;
    unsigned char moves[RANDOM_MOST_VARIABLES];
    double inside[RANDOM_MOST_VARIABLES];
} claim;

static double unit_of(const random_problem *p, int priority) {
    double unit = 1;
    for (int i = 0; i < lb_problem_constraint_count(p->problem); i++) {
        const lb_constraint *c = lb_problem_constraint(p->problem, i);
        if (!c->disabled && c->priority == priority) {
            unit = fmax(unit, c->weight);
        }
    }
    return unit;
}

static int level_is_met(const claim *k, int priority) {
    for (int i = 0; i < k->a->constraint_count; i++) {
        const lb_constraint *c = lb_problem_constraint(k->p->problem, i);
        if (!c->disabled && c->priority == priority && k->a->constraints[i].counted && !k->a->constraints[i].met) {
            return 0;
        }
    }
    return 1;
}

static double value_of(const claim *k, const double *pose, int priority) {
    if (priority == WISHES_LEVEL) {
        double unused[RANDOM_MOST_VARIABLES] = {0};
        return kkt_add_wishes(k->p, pose, k->inside, k->moves, unused);
    }
    truth t;
    truth_at(k->p, pose, &t);
    return t.level[truth_level(&t, priority)];
}

/* Whether walking down `direction` lowers a level by a good part of what its length promises, and costs those above it
 * nothing. */
static int can_gain(const claim *k, int priority, const double *direction, double left) {
    double step[RANDOM_MOST_VARIABLES], there[RANDOM_MOST_VARIABLES], value = value_of(k, k->a->pose, priority);
    truth before, after;
    truth_at(k->p, k->a->pose, &before);
    for (double length = 1e-2; length > 1e-6; length *= 0.1) {
        for (int i = 0; i < k->a->variables; i++) {
            step[i] = length * direction[i] / left;
        }
        if (!kkt_walk(k->p, k->a->pose, k->moves, priority, step, there)) {
            continue;
        }
        truth_at(k->p, there, &after);
        int above = priority == WISHES_LEVEL ? after.level_count : truth_level(&after, priority);
        if (truth_worse(&after, &before, above)) {
            continue;
        }
        double gain = value - value_of(k, there, priority);
        if (gain > 0.2 * left * length && gain > 1e-13 * value) {
            return 1;
        }
    }
    return 0;
}

/* One level's gradient, against the limits and what is held of the levels above. */
static void check_level(const claim *k, int priority, const kkt_rows *held, int is_first) {
    static kkt_rows rows;
    double gradient[RANDOM_MOST_VARIABLES] = {0}, direction[RANDOM_MOST_VARIABLES];
    rows.count = 0;
    rows.noise = 0;
    rows.is_smooth = 1;
    kkt_add_rows(k->p, k->a->pose, priority, &rows);
    kkt_add_gradient(&rows, k->a->variables, gradient);
    double unit = unit_of(k->p, priority);
    double left = kkt_left(k->p, k->a->pose, k->moves, gradient, held, NEAR, direction);
    double bound = 1.05 * k->options->gradient_tolerance * unit + 1e-13 * rows.noise;
    if (!rows.is_smooth) {
        return;
    }
    property_expect(&properties[k->p->wishes ? WISHING
                                : is_first   ? HIGHEST
                                             : BELOW],
                    left <= bound || (held && !can_gain(k, priority, direction, left)),
                    "%s%s, priority %d: %.3g left of the gradient, at most %.3g may be (told: %.3g), scale %.1g",
                    k->method, k->options->keep_going ? ", keep_going" : "", priority, left, bound,
                    k->a->result.gradient_norm, k->p->scale);
}

static void check_wishes(const claim *k, const kkt_rows *held) {
    double gradient[RANDOM_MOST_VARIABLES] = {0}, direction[RANDOM_MOST_VARIABLES], size = 1;
    kkt_add_wishes(k->p, k->a->pose, k->inside, k->moves, gradient);
    for (int i = 0; i < k->a->variables; i++) {
        size = fmax(size, fabs(gradient[i]));
    }
    double left = kkt_left(k->p, k->a->pose, k->moves, gradient, held, NEAR, direction);
    double unit = fmax(fmax(1, k->p->posture), fmax(k->p->stay, k->p->margin_weight));
    int is_small = left <= 1.05 * k->options->gradient_tolerance * unit + 1e-12 * size;
    property_expect(&properties[WISHES], is_small || !can_gain(k, WISHES_LEVEL, direction, left),
                    "%s%s: %.3g left of the wishes' gradient (told: %.3g), scale %.1g", k->method,
                    k->options->keep_going ? ", keep_going" : "", left, k->a->result.gradient_norm, k->p->scale);
}

static void check_smooth(const claim *k) {
    static kkt_rows held;
    truth t;
    int is_first = 1;
    held.count = 0;
    held.noise = 0;
    held.is_smooth = 1;
    truth_at(k->p, k->a->pose, &t);
    for (int l = 0; l < t.level_count; l++) {
        int met = level_is_met(k, t.priority[l]) && !k->options->keep_going;
        if (!met) {
            check_level(k, t.priority[l], l ? &held : NULL, is_first);
        }
        is_first &= met;
        kkt_add_rows(k->p, k->a->pose, t.priority[l], &held);
    }
    if (k->p->wishes && held.is_smooth) {
        check_wishes(k, &held);
    }
}

/* One level, no wishes: the gradient by lb_solver_value. */
static void check_regions(const claim *k, lb_solver *solver) {
    double gradient[RANDOM_MOST_VARIABLES], value;
    truth t;
    truth_at(k->p, k->a->pose, &t);
    if (t.level_count > 1 || k->p->wishes) {
        return;
    }
    REQUIRE(lb_solver_value(solver, k->a->pose, &value, gradient) == LB_OK);
    double left = kkt_left(k->p, k->a->pose, k->moves, gradient, NULL, NEAR, NULL), size = 1 + k->p->scale;
    for (int i = 0; i < k->a->variables; i++) {
        size = fmax(size, fabs(gradient[i]));
    }
    double bound = 1.05 * k->options->gradient_tolerance * t.unit + 1e-12 * (size * size + sqrt(value * t.unit) * size);
    property_expect(&properties[REGIONS], left <= bound,
                    "%s%s: %.3g left of the gradient, at most %.3g may be (told: %.3g), scale %.1g, G %.3g", k->method,
                    k->options->keep_going ? ", keep_going" : "", left, bound, k->a->result.gradient_norm, k->p->scale,
                    value);
    property_expect(&properties[NORM], fabs(left - k->a->result.gradient_norm) <= bound + 1e-3 * left,
                    "%s: %.3g told, %.3g left", k->method, k->a->result.gradient_norm, left);
}

/* Solved, and the gradient that is told is that of wishes at their minimum. */
static int claims_wishes(const random_problem *p, const lb_solve_options *options, const answer *a) {
    return p->wishes && a->result.outcome == LB_OUTCOME_SOLVED && !options->keep_going &&
           a->result.gradient_norm <= options->gradient_tolerance;
}

static void run(long number, uint64_t seed) {
    static answer a;
    trap memory;
    random_problem p;
    lb_solve_options options;
    claim k = {&p, &a, &options, NULL, {0}, {0}};
    int which = number % 2 ? 0 : (int)(number / 2 % SOLVING_METHODS), is_smooth = number % 3 > 0;
    unsigned mix = RANDOM_ALL | RANDOM_NO_LOOPS | RANDOM_NO_ALTERNATIVES;
    if (is_smooth) {
        mix |= RANDOM_SMOOTH | RANDOM_NO_CARRIERS;
    }
    trap_init(&memory);
    random_problem_mix(&p, seed, &memory, mix);
    k.method = solving_method(which, &options);
    if (number % 5 == 4) {
        options.restarts = random_below(&seed, 4);
    }
    options.keep_going = random_below(&seed, 6) == 0;
    options.max_evaluations = 20000;
    start_inside(&p, p.start, k.inside);
    lb_solver *solver = lb_solver_create(p.problem, NULL);
    answer_solve(solver, &options, p.start, lb_problem_variable_count(p.problem), &a);
    if (a.status == LB_OK && (a.result.outcome == LB_OUTCOME_MINIMUM || claims_wishes(&p, &options, &a))) {
        kkt_may_move(&p, k.moves);
        if (is_smooth) {
            check_smooth(&k);
        } else {
            check_regions(&k, solver);
        }
    }
    lb_solver_destroy(solver);
    random_problem_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 4000, 40000, run, properties, 6); }
