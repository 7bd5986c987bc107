/* The derivatives of a body's rows - terms, rules, goals, conditions - against central differences of their residuals, and the
 * gradient of the terms that concern one variable each, at random x around answers of random people. */
#include <math.h>
#include <string.h>

#include "people/people.h"
#include "property.h"
#include "solve/body/body.h"

/* Where the target is straight behind an eye, or above the head, a look has no derivative and is smoothed: about one case in 300. */
static property properties[] = {{.name = "derivatives of terms", .share = 1e-6},
                                {.name = "derivatives of rules"},
                                {.name = "derivatives of goals"},
                                {.name = "derivatives of conditions"},
                                {.name = "derivatives of terms of one variable"},
                                {.name = "values are the same with derivatives and without"}};
enum { TERMS, RULES, GOALS, CONDITIONS, OWN, VALUES };

#define STEP 1e-5
#define CLOSE 2e-6 /* of the larger of 1 and the derivative */
#define KINK \
    1e-3 /* second difference over STEP: a slope that changes within it belongs to a place without a derivative */

/* All residuals at x, one behind the other. */
typedef struct residuals {
    int counts[4];
    double *values; /* [sum of counts] */
    double own;
} residuals;

static void take(const lbs_bodies_task *t, residuals *r) {
    const lbs_body_values *v = t->values;
    const int counts[4] = {t->wishes.count, t->rules.count, t->goals.count, t->conditions.count};
    const double *const from[4] = {v->wishes, v->rules, v->goals, v->conditions};
    double *to = r->values;
    for (int k = 0; k < 4; k++) {
        r->counts[k] = counts[k];
        memcpy(to, from[k], (size_t)counts[k] * sizeof *to);
        to += counts[k];
    }
    r->own = v->own_value;
}

/* The row of derivatives of a residual; NULL where it has none. */
static const double *row_of(const lbs_bodies_task *t, int kind, int index) {
    const size_t stride = (size_t)t->stride;
    if (kind == CONDITIONS) {
        const int row = t->conditions.rows[index];
        return row < 0 ? NULL : t->conditions.near.jacobian + (size_t)row * stride;
    }
    const lbs_rows *rows = kind == TERMS ? &t->wishes : kind == RULES ? &t->rules : &t->goals;
    return rows->jacobian + (size_t)index * stride;
}

static void compare(property *p, double claimed, double low, double middle, double high, const char *text, int index,
                    int variable) {
    const double slope = (high - low) / (2 * STEP), bend = fabs(high + low - 2 * middle) / STEP;
    const int is_curvature = low == 0 && middle == 0 && high == 0; /* a row of no value that brings curvature alone */
    if (bend < KINK && !is_curvature) {
        property_expect(p, fabs(claimed - slope) <= CLOSE * fmax(1, fabs(slope)) + bend,
                        "%s: row %d, variable %d: %.9g, differences have %.9g", text, index, variable, claimed, slope);
    }
}

/* A copy of the derivatives at x; differences are taken meanwhile. */
static void check_at(const people *p, lbs_bodies *all, double *x) {
    const lbs_bodies_task *t = &all->task;
    const size_t most = (size_t)(t->wishes.most + t->rules.most + t->goals.most + t->conditions.most);
    double *memory = calloc(4 * most, sizeof *memory);
    residuals middle = {.values = memory}, low = {.values = memory + most}, high = {.values = memory + 2 * most},
              plain = {.values = memory + 3 * most};
    REQUIRE(memory);
    lbs_bodies_evaluate(all, x, 0);
    take(t, &plain);
    lbs_bodies_evaluate(all, x, 1);
    take(t, &middle);
    property_expect(&properties[VALUES],
                    memcmp(plain.counts, middle.counts, sizeof plain.counts) == 0 && plain.own == middle.own &&
                        memcmp(plain.values, middle.values, most * sizeof *memory) == 0,
                    "%s", p->text);
    for (int v = 0; v < t->size; v++) {
        const double kept = x[v];
        x[v] = kept - STEP;
        lbs_bodies_evaluate(all, x, 0);
        take(t, &low);
        x[v] = kept + STEP;
        lbs_bodies_evaluate(all, x, 0);
        take(t, &high);
        x[v] = kept;
        for (int kind = 0, first = 0; kind < 4; first += middle.counts[kind++]) {
            for (int i = 0; i < middle.counts[kind]; i++) {
                const double *row = row_of(t, kind, i);
                if (row) {
                    compare(&properties[kind], row[v], low.values[first + i], middle.values[first + i],
                            high.values[first + i], p->text, i, v);
                }
            }
        }
        compare(&properties[OWN], 2 * t->iterate.half_gradient[v], low.own, middle.own, high.own, p->text, 0, v);
    }
    free(memory);
}

static void run(long number, uint64_t seed) {
    people_answer a;
    people p;
    (void)number;
    people_make(&p, seed, 0);
    lb_solver *solver = lb_solver_create(p.problem, NULL);
    people_solve(&p, solver, NULL, p.start, &a); /* plans */
    lbs_bodies *all = solver->bodies;
    const lbs_bodies_task *t = &all->task;
    double *x = calloc((size_t)t->stride, sizeof *x);
    REQUIRE(a.status == LB_OK && x);
    lbs_from_pose(t->space, a.pose, x);
    for (int v = 0; v < t->size; v++) {
        x[v] += v < t->n ? check_random_range(&p.random, -0.1, 0.1) : check_random_range(&p.random, 0, 0.3);
        if (v < t->n) { /* well inside: what is outside is moved to the bound */
            const double lower = t->space->variables.lower[v] + 1e-3, upper = t->space->variables.upper[v] - 1e-3;
            x[v] = x[v] < lower ? lower : x[v] > upper ? upper : x[v];
        }
    }
    check_at(&p, all, x);
    free(x);
    lb_solver_destroy(solver);
    people_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 60, 600, run, properties, 6); }
