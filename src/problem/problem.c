/* Problems: figures, constraints that persist, which variables may move. */
#include "problem/problem.h"

#include <string.h>

#include "figure/figure.h"
#include "math/project.h"
#include "math/rotation.h"
#include "math/rounding.h"
#include "problem/apart.h"

static lb_status no_memory(lb_problem *p) { return LBP_FAIL(p, LB_ERROR_MEMORY, "out of memory"); }

lb_problem *lb_problem_create(const lb_figure *figure, lb_error *error) {
    if (!figure) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "a problem needs a figure");
    }
    const lb_allocator *a = &figure->draft.allocator;
    lb_problem *p = lbf_new(a, 1, sizeof *p);
    if (!p) {
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
    }
    p->allocator = *a;
    p->next_id = 1;
    if (lb_problem_add_figure(p, figure) == 0) {
        lbf_clear(error);
        return p;
    }
    lbf_fail(error, p->error.status, p->error.message, (char *)0);
    lb_problem_destroy(p);
    return NULL;
}

static void free_constraint(lb_problem *p, lbp_constraint *c) {
    lbf_delete(&p->allocator, c->name, c->name_size, 1);
    lbf_delete(&p->allocator, c->faces, (size_t)c->face_capacity, sizeof *c->faces);
    lbf_delete(&p->allocator, c->face_rows, (size_t)c->face_capacity, sizeof *c->face_rows);
}

void lb_problem_destroy(lb_problem *p) {
    if (!p) {
        return;
    }
    lb_allocator a = p->allocator;
    for (int i = 0; i < p->constraint_count; i++) {
        free_constraint(p, &p->constraints[i]);
    }
    if (p->constraints) {
        lbf_delete(&a, p->constraints, (size_t)p->constraint_capacity, sizeof *p->constraints);
    }
    if (p->figures) {
        lbf_delete(&a, p->figures, (size_t)p->figure_capacity, sizeof *p->figures);
    }
    if (p->first_variables) {
        lbf_delete(&a, p->first_variables, (size_t)p->first_capacity, sizeof *p->first_variables);
    }
    if (p->active) {
        lbf_delete(&a, p->active, (size_t)p->variable_capacity, sizeof *p->active);
    }
    if (p->rigidity) {
        lbf_delete(&a, p->rigidity, (size_t)p->rigidity_capacity, sizeof *p->rigidity);
    }
    if (p->posture) {
        lbf_delete(&a, p->posture, (size_t)p->posture_capacity, sizeof *p->posture);
    }
    lbp_free_bodies(p);
    lbp_free_apart(p);
    lbf_delete(&a, p, 1, sizeof *p);
}

/* --- Figures -------------------------------------------------------------------------------------------- */

int lb_problem_add_figure(lb_problem *p, const lb_figure *figure) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    if (!figure) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "no figure to add");
    }
    int more = lb_figure_variable_count(figure), total = p->variable_count + more;
    if (!lbf_grow(&p->allocator, (void **)&p->figures, &p->figure_capacity, p->figure_count + 1, sizeof *p->figures) ||
        !lbf_grow(&p->allocator, (void **)&p->first_variables, &p->first_capacity, p->figure_count + 1,
                  sizeof *p->first_variables) ||
        !lbf_grow(&p->allocator, (void **)&p->active, &p->variable_capacity, total, sizeof *p->active) ||
        !lbf_grow(&p->allocator, (void **)&p->rigidity, &p->rigidity_capacity, total, sizeof *p->rigidity) ||
        !lbf_grow(&p->allocator, (void **)&p->posture, &p->posture_capacity, total, sizeof *p->posture)) {
        return no_memory(p);
    }
    int number = p->figure_count++;
    p->figures[number] = figure;
    p->first_variables[number] = p->variable_count;
    for (int i = 0; i < more; i++) {
        p->active[p->variable_count + i] = 1;
        p->rigidity[p->variable_count + i] = figure->variables[i].rigidity;
        p->posture[p->variable_count + i] = figure->rest[i];
    }
    p->variable_count = total;
    p->shape++;
    p->revision++;
    return number;
}

int lb_problem_figure_count(const lb_problem *p) { return p ? p->figure_count : 0; }
int lb_problem_variable_count(const lb_problem *p) { return p ? p->variable_count : 0; }

const lb_figure *lb_problem_figure(const lb_problem *p, int figure) {
    if (!p) {
        return NULL;
    }
    return figure >= 0 && figure < p->figure_count ? p->figures[figure] : NULL;
}

int lb_problem_first_variable(const lb_problem *p, int figure) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    return figure >= 0 && figure < p->figure_count ? p->first_variables[figure] : -1;
}

int lbp_figure_of(const lb_problem *p, int variable) {
    int figure = p->figure_count - 1;
    while (p->first_variables[figure] > variable) {
        figure--;
    }
    return figure;
}

void lb_problem_variable_name(const lb_problem *p, int variable, char *text, size_t size) {
    if (!p || !text) {
        return;
    }
    char number[24];
    if (!size) {
        return;
    }
    text[0] = 0;
    if (variable < 0 || variable >= p->variable_count) {
        return;
    }
    int figure = lbp_figure_of(p, variable);
    const char *name = p->figures[figure]->variables[variable - p->first_variables[figure]].name;
    const char *prefix = p->figure_count > 1 ? lbf_integer_text(figure, number) : "";
    const char *parts[3] = {prefix, *prefix ? ":" : "", name};
    size_t at = 0;
    for (int i = 0; i < 3; i++) {
        for (const char *c = parts[i]; *c && at + 1 < size; c++) {
            text[at++] = *c;
        }
    }
    text[at] = 0;
}

const lb_error *lb_problem_error(const lb_problem *p) { return p ? &p->error : NULL; }

/* --- Taking a constraint ------------------------------------------------------------------------------------ */

/* Faces with unit normals, and as rows over the three coordinates of a point. */
static lb_status take_faces(lb_problem *p, lbp_constraint *c, const lb_goal *from) {
    static const int xyz[3] = {0, 1, 2};
    if (from->kind != LB_GOAL_POLYHEDRON) {
        return LB_OK;
    }
    int count = from->face_count;
    c->faces = lbf_new(&p->allocator, (size_t)count, sizeof *c->faces);
    c->face_rows = lbf_new(&p->allocator, (size_t)count, sizeof *c->face_rows);
    c->face_capacity = count;
    if (!c->faces || !c->face_rows) {
        return no_memory(p);
    }
    for (int i = 0; i < count; i++) {
        double norm = lbm_all_finite(from->faces[i], 4) ? lbm_safe_norm3(from->faces[i]) : 0;
        if (norm == 0 || !lbm_is_finite(from->faces[i][3] / norm)) {
            return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a polyhedron's face has no direction, or is not finite");
        }
        for (int k = 0; k < 4; k++) {
            c->faces[i][k] = from->faces[i][k] / norm;
        }
        c->face_rows[i] = (lb_limit_row){"face", LB_LIMIT_AT_MOST, 3, xyz, c->faces[i], c->faces[i][3]};
    }
    const double low[3] = {-INFINITY, -INFINITY, -INFINITY}, high[3] = {INFINITY, INFINITY, INFINITY};
    size_t size = lbm_project_scratch_size(3, low, high, count, c->face_rows);
    void *scratch = lbf_new(&p->allocator, size, 1);
    if (!scratch) {
        return no_memory(p);
    }
    double point[3] = {0, 0, 0};
    int empty = lbm_project(3, low, high, count, c->face_rows, point, scratch);
    lbf_delete(&p->allocator, scratch, size, 1);
    c->constraint.goal.faces = (const double(*)[4])c->faces;
    return empty ? LBP_FAIL(p, LB_ERROR_ARGUMENT,
                            "a polyhedron's faces contradict each other: nothing is inside all of them")
                 : LB_OK;
}

static lb_status take_constraint(lb_problem *p, const lb_constraint *from, lbp_constraint *c) {
    memset(c, 0, sizeof *c);
    c->constraint = *from;
    lb_status status = lbp_check_constraint(p, &c->constraint);
    if (!status) {
        status = take_faces(p, c, &from->goal);
    }
    if (!status && from->name) {
        c->name_size = strlen(from->name) + 1;
        c->name = lbf_new(&p->allocator, c->name_size, 1);
        if (c->name) {
            memcpy(c->name, from->name, c->name_size);
        } else {
            status = no_memory(p);
        }
    }
    c->constraint.name = c->name;
    c->constraint.disabled = c->constraint.disabled != 0;
    if (status) {
        free_constraint(p, c);
    }
    return status;
}

int lb_problem_add(lb_problem *p, const lb_constraint *constraint) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    lbp_constraint taken;
    if (!constraint) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "no constraint to add");
    }
    lb_status status = take_constraint(p, constraint, &taken);
    if (status) {
        return status;
    }
    if (!lbf_grow(&p->allocator, (void **)&p->constraints, &p->constraint_capacity, p->constraint_count + 1,
                  sizeof *p->constraints)) {
        free_constraint(p, &taken);
        return no_memory(p);
    }
    taken.id = p->next_id++;
    p->constraints[p->constraint_count++] = taken;
    p->shape++;
    p->revision++;
    return taken.id;
}

int lbp_index_of(const lb_problem *p, int id) {
    for (int i = 0; i < p->constraint_count; i++) {
        if (p->constraints[i].id == id) {
            return i;
        }
    }
    return -1;
}

static lb_status find_id(lb_problem *p, int id, int *index) {
    char number[24];
    *index = lbp_index_of(p, id);
    return *index >= 0
               ? LB_OK
               : LBP_FAIL(p, LB_ERROR_ARGUMENT, "there is no constraint with id ", lbf_integer_text(id, number));
}

lb_status lb_problem_change(lb_problem *p, int id, const lb_constraint *constraint) {
    if (!p || !constraint) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    int index;
    lbp_constraint taken;
    lb_status status = find_id(p, id, &index);
    if (status || (status = take_constraint(p, constraint, &taken))) {
        return status;
    }
    taken.id = id;
    free_constraint(p, &p->constraints[index]);
    p->constraints[index] = taken;
    p->shape++;
    p->revision++;
    return LB_OK;
}

lb_status lb_problem_remove(lb_problem *p, int id) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    int index;
    lb_status status = find_id(p, id, &index);
    if (status) {
        return status;
    }
    free_constraint(p, &p->constraints[index]);
    p->constraint_count--;
    memmove(&p->constraints[index], &p->constraints[index + 1],
            (size_t)(p->constraint_count - index) * sizeof *p->constraints);
    p->shape++;
    p->revision++;
    return LB_OK;
}

lb_status lbp_move_goal(lb_goal *goal, const lb_frame *frame) {
    lb_frame unit = *frame;
    lbm_transform t;
    if (!lbm_all_finite(unit.position, 3) || !lbm_quaternion_normalise(unit.rotation)) {
        return LB_ERROR_ARGUMENT;
    }
    lbm_transform_from_frame(&unit, &t);
    lbm_copy3(goal->point, t.p);
    memcpy(goal->rotation, unit.rotation, sizeof goal->rotation);
    lbm_copy3(goal->x, t.x);
    lbm_copy3(goal->y, t.y);
    lbm_copy3(goal->normal, t.z);
    return LB_OK;
}

lb_status lb_problem_move_goal(lb_problem *p, int id, const lb_frame *frame) {
    if (!p || !frame) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    int index;
    lb_status status = find_id(p, id, &index);
    if (status) {
        return status;
    }
    if (lbp_move_goal(&p->constraints[index].constraint.goal, frame)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "the frame to move a goal to is not finite, or its rotation is zero");
    }
    p->moves++;
    return LB_OK;
}

lb_status lb_problem_set_weight(lb_problem *p, int id, double weight) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    int index;
    lb_status status = find_id(p, id, &index);
    if (status) {
        return status;
    }
    if (!(weight >= 0) || !lbm_is_finite(weight)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a weight that is negative or not finite");
    }
    p->constraints[index].constraint.weight = weight;
    p->moves++;
    return LB_OK;
}

lb_status lb_problem_enable(lb_problem *p, int id, int enabled) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    int index;
    lb_status status = find_id(p, id, &index);
    if (status) {
        return status;
    }
    p->constraints[index].constraint.disabled = !enabled;
    p->revision++;
    return LB_OK;
}

int lb_problem_constraint_count(const lb_problem *p) { return p ? p->constraint_count : 0; }

const lb_constraint *lb_problem_constraint(const lb_problem *p, int index) {
    if (!p) {
        return NULL;
    }
    return index >= 0 && index < p->constraint_count ? &p->constraints[index].constraint : NULL;
}

int lb_problem_constraint_id(const lb_problem *p, int index) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    return index >= 0 && index < p->constraint_count ? p->constraints[index].id : -1;
}

int lbp_are_wishes(const lbp_wishes *w) {
    return w->posture_weight > 0 || w->stay_weight > 0 || w->margin_weight > 0 || w->middle_weight > 0;
}

int lbp_has_wishes(const lb_problem *p) { return lbp_are_wishes(&p->wishes); }

int lbp_has_wish_level(const lb_problem *p) { return lbp_has_wishes(p) && p->wishes.level == LB_WISH_LEVEL_OWN; }

int lbp_has_levels(const lb_problem *p) {
    int loops = 0;
    for (int f = 0; f < p->figure_count; f++) {
        loops += p->figures[f]->loop_count;
    }
    if (lbp_has_wish_level(p) || (loops > 0 && p->constraint_count > 0)) {
        return 1;
    }
    for (int i = 1; i < p->constraint_count; i++) {
        if (p->constraints[i].constraint.priority != p->constraints[0].constraint.priority) {
            return 1;
        }
    }
    return 0;
}
