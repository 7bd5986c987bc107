#include "solve/plan/limits.h"

#include <string.h>

#include "math/project.h"
#include "solve/plan/space.h"

/* A row of a figure over the variables that may move, in their order, as a unit vector; its bound is lbs_bind_limit's.
 * Returns 0 if none of them is in it. */
static int scale_limit(lbs_space *s, int figure, const lb_limit_row *from, int k) {
    lb_limit_row *to = &s->limits.rows[k];
    int *variables = (int *)to->variables, count = 0;
    double *coefficients = (double *)to->coefficients, square = 0;
    for (int t = 0; t < from->count; t++) {
        int a = s->variables.active_of[s->problem->first_variables[figure] + from->variables[t]];
        if (a < 0) {
            continue;
        }
        double c = from->coefficients[t] * s->variables.scale[a];
        int at = count++;
        for (; at > 0 && variables[at - 1] > a; at--) {
            variables[at] = variables[at - 1];
            coefficients[at] = coefficients[at - 1];
        }
        variables[at] = a;
        coefficients[at] = c;
        square += c * c;
    }
    if (count == 0) {
        return 0;
    }
    s->limits.norms[k] = sqrt(square);
    for (int t = 0; t < count; t++) {
        coefficients[t] /= s->limits.norms[k];
    }
    to->name = from->name;
    to->kind = from->kind;
    to->count = count;
    to->bound = from->bound / s->limits.norms[k];
    if (count < from->count) {
        s->limits.partial[s->limits.partial_count++] = k;
    }
    return 1;
}

/* Variables that do not move go to the bound. */
void lbs_bind_limit(lbs_space *s, int k) {
    const lb_problem *p = s->problem;
    int f = s->limits.figures[k];
    const lb_limit_row *from = &p->figures[f]->rows[s->limits.figure_rows[k]];
    double bound = from->bound;
    for (int t = 0; t < from->count; t++) {
        int v = p->first_variables[f] + from->variables[t];
        if (s->variables.active_of[v] < 0) {
            bound -= from->coefficients[t] * s->start[v];
        }
    }
    s->limits.rows[k].bound = bound / s->limits.norms[k];
}

void lbs_bind_limits(lbs_space *s) {
    for (int i = 0; i < s->limits.partial_count; i++) {
        lbs_bind_limit(s, s->limits.partial[i]);
    }
}

void lbs_scale_limits(lbs_space *s) {
    const lb_problem *p = s->problem;
    lbs_limits *l = &s->limits;
    size_t at = 0; /* where a row's terms go: there is room for all of every row */
    l->count = l->partial_count = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        for (int r = 0; r < figure->row_count; at += (size_t)figure->rows[r++].count) {
            const int k = l->count;
            l->rows[k].variables = l->variables + at;
            l->rows[k].coefficients = l->coefficients + at;
            l->figures[k] = f;
            l->figure_rows[k] = r;
            l->count += scale_limit(s, f, &figure->rows[r], k);
        }
    }
}

/* Whether z is clearly inside all limits over several variables. */
static int keeps_limits(const lbs_space *s, const double *z) {
    for (const lb_limit_row *row = s->limits.rows, *end = row + s->limits.count; row < end; row++) {
        if (row->kind == LB_LIMIT_EQUAL || !(lbm_row_sum(row, z) <= row->bound)) {
            return 0;
        }
    }
    return 1;
}

int lbs_project(const lbs_space *s, double *z) {
    double *inside = s->limits.count ? s->limits.project_scratch : z; /* most often bounds are all that is in the way */
    for (int i = 0; i < s->n; i++) {
        inside[i] = lbs_clamp(z[i], s->variables.lower[i], s->variables.upper[i]);
    }
    if (!keeps_limits(s, inside)) {
        return lbm_project(s->n, s->variables.lower, s->variables.upper, s->limits.count, s->limits.rows, z,
                           s->limits.project_scratch);
    }
    if (inside != z) {
        memcpy(z, inside, (size_t)s->n * sizeof *z);
    }
    return 0;
}
