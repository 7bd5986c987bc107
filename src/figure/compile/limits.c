/* Limits: ranges of the variables, and rows over several of them; the rest pose inside both. */
#include <string.h>

#include "figure/build/builder.h"
#include "figure/figure.h"
#include "math/curve.h"
#include "math/project.h"

#define FAIL(error, status, ...) lbf_fail(error, status, __VA_ARGS__, (char *)0)

/* A row under construction: coefficients by variable, with a list of those in use. */
typedef struct row_builder {
    lb_figure *figure;
    lb_error *error;
    double *coefficients;  /* [variable] */
    unsigned char *in_use; /* [variable] */
    int *used;             /* [variable], used_count of them */
    int used_count;
    double bound;
    int row_capacity;
} row_builder;

static void begin_row(row_builder *r, double bound) {
    for (int i = 0; i < r->used_count; i++) {
        r->coefficients[r->used[i]] = 0;
        r->in_use[r->used[i]] = 0;
    }
    r->used_count = 0;
    r->bound = bound;
}

static void add_variable(row_builder *r, int variable, double coefficient) {
    if (!r->in_use[variable]) {
        r->used[r->used_count++] = variable;
    }
    r->in_use[variable] = 1;
    r->coefficients[variable] += coefficient;
}

/* coefficient * coordinate, in terms of variables. Only linear drives can be in a linear limit. */
static lb_status add_coordinate(row_builder *r, const char *name, int coordinate, double coefficient) {
    const lb_figure *f = r->figure;
    if (f->coordinate_variable[coordinate] >= 0) {
        add_variable(r, f->coordinate_variable[coordinate], coefficient);
        return LB_OK;
    }
    if (f->coordinate_driven[coordinate] < 0) { /* frozen */
        r->bound -= coefficient * f->coordinate_rest[coordinate];
        return LB_OK;
    }
    const lbf_driven *driven = &f->driven[f->coordinate_driven[coordinate]];
    r->bound -= coefficient * driven->constant;
    for (int i = 0; i < driven->term_count; i++) {
        const lbf_term *term = &f->terms[driven->first_term + i];
        if (term->curve.kind != LB_CURVE_LINEAR) {
            return FAIL(r->error, LB_ERROR_UNSUPPORTED, "the limit '", name,
                        "' is on a dof that a curve drives, so it is not linear; limit the group's parameter instead");
        }
        r->bound -= coefficient * term->curve.offset;
        add_variable(r, term->variable, coefficient * term->curve.slope);
    }
    return LB_OK;
}

static void sort_used(int *used, int count) { /* heap sort: deterministic, no recursion, no allocation */
    for (int start = count / 2 - 1, end = count; end > 1;) {
        if (start >= 0) {
            start--;
        } else {
            int swap = used[--end];
            used[end] = used[0];
            used[0] = swap;
        }
        for (int root = start + 1, child; (child = 2 * root + 1) < end; root = child) {
            if (child + 1 < end && used[child + 1] > used[child]) {
                child++;
            }
            if (used[root] >= used[child]) {
                break;
            }
            int swap = used[root];
            used[root] = used[child];
            used[child] = swap;
        }
    }
}

static lb_status tighten(row_builder *r, const char *name, lb_limit_kind kind) {
    int variable = r->used[0];
    double coefficient = r->coefficients[variable], value = r->bound / coefficient;
    lb_variable *v = &r->figure->variables[variable];
    if ((kind == LB_LIMIT_EQUAL || coefficient > 0) && value < v->upper) {
        v->upper = value;
    }
    if ((kind == LB_LIMIT_EQUAL || coefficient < 0) && value > v->lower) {
        v->lower = value;
    }
    if (v->lower == INFINITY || v->upper == -INFINITY) {
        return FAIL(r->error, LB_ERROR_LIMIT, "the coefficient of the limit '", name, "' is too small");
    }
    if (v->lower <= v->upper) {
        return LB_OK;
    }
    if (v->lower - v->upper < 1e-12) {
        v->lower = v->upper;
        return LB_OK;
    }
    return FAIL(r->error, LB_ERROR_LIMIT, "the limit '", name, "' leaves no value for '", v->name,
                "'; widen the limits of one of them");
}

/* The row as a limit: nothing, a range, or a row of unit length. */
static lb_status end_row(row_builder *r, const char *name, lb_limit_kind kind) {
    lb_figure *f = r->figure;
    int count = 0;
    double square = 0;
    for (int i = 0; i < r->used_count; i++) {
        double coefficient = r->coefficients[r->used[i]];
        if (coefficient == 0) {
            r->in_use[r->used[i]] = 0;
            continue;
        }
        square += coefficient * coefficient;
        r->used[count++] = r->used[i];
    }
    r->used_count = count;
    if (count == 0) {
        if (r->bound >= -1e-12 && (kind == LB_LIMIT_AT_MOST || r->bound <= 1e-12)) {
            return LB_OK;
        }
        return FAIL(r->error, LB_ERROR_LIMIT, "the limit '", name, "' can never hold, since nothing in it moves");
    }
    if (count == 1) {
        return tighten(r, name, kind);
    }
    double norm = sqrt(square);
    if (norm == 0 || !lbm_is_finite(norm) || !lbm_is_finite(r->bound / norm)) {
        return FAIL(r->error, LB_ERROR_LIMIT, "the coefficients of the limit '", name, "' are too large or too small");
    }
    sort_used(r->used, count);
    if (f->row_count == r->row_capacity) {
        int wanted = r->row_capacity ? 2 * r->row_capacity : 16;
        lb_limit_row *grown = lbf_figure_take(f, (size_t)wanted, sizeof *grown);
        if (!grown) {
            return lbf_no_memory(r->error);
        }
        if (f->row_count) {
            memcpy(grown, f->rows, (size_t)f->row_count * sizeof *grown);
        }
        f->rows = grown;
        r->row_capacity = wanted;
    }
    int *variables = lbf_figure_take(f, (size_t)count, sizeof *variables);
    double *coefficients = lbf_figure_take(f, (size_t)count, sizeof *coefficients);
    if (!variables || !coefficients) {
        return lbf_no_memory(r->error);
    }
    for (int i = 0; i < count; i++) {
        variables[i] = r->used[i];
        coefficients[i] = r->coefficients[r->used[i]] / norm;
    }
    f->rows[f->row_count++] = (lb_limit_row){name, kind, count, variables, coefficients, r->bound / norm};
    return LB_OK;
}

/* --- The three sources of rows ---------------------------------------------------------------------- */

static lb_status add_written_limit(row_builder *r, const lb_limit *limit) {
    const lb_figure *f = r->figure;
    const char *name = limit->name ? limit->name : "limit";
    begin_row(r, limit->bound);
    for (int i = 0; i < limit->count; i++) {
        const lb_dof_ref *ref = &limit->terms[i];
        lb_status status = LB_OK;
        if (ref->joint >= 0) {
            status = add_coordinate(r, name, lbf_coordinate(f, ref->joint, ref->dof), limit->coefficients[i]);
        } else {
            add_variable(r, lb_figure_variable_of(f, ref), limit->coefficients[i]);
        }
        if (status) {
            return status;
        }
    }
    return end_row(r, name, limit->kind);
}

/* The edges of a counter-clockwise polygon: outward normal . vertex is the bound. */
static lb_status add_swing(row_builder *r, int index) {
    lb_figure *f = r->figure;
    const lb_joint *joint = &f->draft.joints[index];
    if (!joint->swing_count || joint->frozen) {
        return LB_OK;
    }
    int dof = lbf_first_swing_dof(&joint->type);
    const char *name = lbf_arena_text(&f->draft.arena, &f->draft.allocator, joint->name, " swing", NULL);
    if (!name) {
        return lbf_no_memory(r->error);
    }
    for (int i = 0; i < joint->swing_count; i++) {
        const double *a = joint->swing[i], *b = joint->swing[(i + 1) % joint->swing_count];
        double normal[2] = {b[1] - a[1], a[0] - b[0]};
        begin_row(r, normal[0] * a[0] + normal[1] * a[1]);
        lb_status status = add_coordinate(r, name, lbf_coordinate(f, index, dof), normal[0]);
        if (!status) {
            status = add_coordinate(r, name, lbf_coordinate(f, index, dof + 1), normal[1]);
        }
        if (!status) {
            status = end_row(r, name, LB_LIMIT_AT_MOST);
        }
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

/* A curve's dof stays in its limits because its parameters' ranges say so, or the figure is refused. */
static lb_status check_curves(row_builder *r, const lbf_driven *driven, const char *name, double lower, double upper) {
    const lb_figure *f = r->figure;
    double least = driven->constant, most = driven->constant;
    for (int i = 0; i < driven->term_count; i++) {
        const lbf_term *term = &f->terms[driven->first_term + i];
        const lb_variable *v = &f->variables[term->variable];
        double low, high;
        lbm_curve_range(&term->curve, term->second, v->lower, v->upper, &low, &high);
        least += low;
        most += high;
    }
    if (least >= lower - 1e-9 && most <= upper + 1e-9) {
        return LB_OK;
    }
    char a[32], b[32];
    return FAIL(r->error, LB_ERROR_LIMIT, "the curves that drive '", name, "' take it to ",
                lbf_decimal_text(least < lower - 1e-9 ? least : most, a), ", beyond its limit of ",
                lbf_decimal_text(least < lower - 1e-9 ? lower : upper, b),
                " (radians or metres); narrow the parameters' ranges or widen the limit");
}

/* The joint's own limits on a dof that is driven. */
static lb_status add_driven_limit(row_builder *r, const lbf_driven *driven, int joint_index, int dof) {
    const lb_figure *f = r->figure;
    const lb_joint *joint = &f->draft.joints[joint_index];
    int linear = 1;
    for (int i = 0; i < driven->term_count; i++) {
        linear &= f->terms[driven->first_term + i].curve.kind == LB_CURVE_LINEAR;
    }
    double lower = joint->lower[dof], upper = joint->upper[dof];
    if (lower == -INFINITY && upper == INFINITY) {
        return LB_OK;
    }
    if (!linear) {
        return check_curves(r, driven, joint->name, lower, upper);
    }
    for (int side = 0; side < 2; side++) {
        double bound = side ? upper : -lower;
        if (bound == INFINITY) {
            continue;
        }
        begin_row(r, bound);
        lb_status status = add_coordinate(r, joint->name, driven->coordinate, side ? 1 : -1);
        if (!status) {
            status = end_row(r, joint->name, LB_LIMIT_AT_MOST);
        }
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

static lb_status add_all_rows(row_builder *r) {
    lb_figure *f = r->figure;
    lb_status status = LB_OK;
    for (int i = 0; i < f->draft.limit_count && !status; i++) {
        status = add_written_limit(r, &f->draft.limits[i]);
    }
    for (int i = 0; i < f->draft.joint_count && !status; i++) {
        status = add_swing(r, i);
        int dofs = lb_joint_type_dof_count(&f->draft.joints[i].type);
        for (int k = 0; k < dofs && !status; k++) {
            int driven = f->coordinate_driven[lbf_coordinate(f, i, k)];
            if (driven >= 0) {
                status = add_driven_limit(r, &f->driven[driven], i, k);
            }
        }
    }
    return status;
}

/* Rest values moved into the limits; also the proof that there is a pose inside them. */
static lb_status find_rest(lb_figure *f, lb_error *error) {
    const lb_allocator *a = &f->draft.allocator;
    f->project_size = lbm_project_scratch_size(f->variable_count, f->lower, f->upper, f->row_count, f->rows);
    void *scratch = lbf_new(a, f->project_size, 1);
    if (!scratch) {
        return lbf_no_memory(error);
    }
    int impossible = lbm_project(f->variable_count, f->lower, f->upper, f->row_count, f->rows, f->rest, scratch);
    lbf_delete(a, scratch, f->project_size, 1);
    if (impossible) {
        return FAIL(error, LB_ERROR_LIMIT,
                    "the figure's limits contradict each other: no pose is inside all of them; look at '",
                    f->row_count ? f->rows[0].name : "", "' and the other limits over several dofs");
    }
    for (int i = 0; i < f->variable_count; i++) {
        f->variables[i].rest = f->rest[i];
    }
    return LB_OK;
}

lb_status lbf_compile_limits(lb_figure *f, lb_error *error) {
    const lb_allocator *a = &f->draft.allocator;
    size_t n = (size_t)f->variable_count, scratch_size = n * (sizeof(double) + sizeof(int) + 1);
    f->lower = lbf_figure_take(f, n, sizeof(double));
    f->upper = lbf_figure_take(f, n, sizeof(double));
    f->rest = lbf_figure_take(f, n, sizeof(double));
    char *scratch = lbf_new(a, scratch_size, 1);
    if (!f->lower || !f->upper || !f->rest || !scratch) {
        lbf_delete(a, scratch, scratch_size, 1);
        return lbf_no_memory(error);
    }
    row_builder rows = {f, error, (double *)scratch, NULL, NULL, 0, 0, 0};
    rows.used = (int *)(rows.coefficients + n);
    rows.in_use = (unsigned char *)(rows.used + n);
    lb_status status = add_all_rows(&rows);
    lbf_delete(a, scratch, scratch_size, 1);
    if (status) {
        return status;
    }
    for (int i = 0; i < f->variable_count; i++) {
        f->lower[i] = f->variables[i].lower;
        f->upper[i] = f->variables[i].upper;
        f->rest[i] = f->variables[i].rest;
    }
    return find_rest(f, error);
}
