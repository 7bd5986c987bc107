/* Problems: figures, constraints that persist, which variables may move. */
#include "problem/problem.h"

#include <string.h>

#include "figure/figure.h"
#include "math/project.h"
#include "math/rotation.h"
#include "math/rounding.h"

#define FAIL(problem, status, ...) lbf_fail(&(problem)->error, status, __VA_ARGS__, (char *)0)

static lb_status no_memory(lb_problem *p) { return FAIL(p, LB_ERROR_MEMORY, "out of memory"); }

lb_problem *lb_problem_create(const lb_figure *figure, lb_error *error) {
    if (!figure) {
        lbf_fail(error, LB_ERROR_ARGUMENT, "a problem needs a figure", (char *)0);
        return NULL;
    }
    const lb_allocator *a = &figure->draft.allocator;
    lb_problem *p = lbf_new(a, 1, sizeof *p);
    if (!p) {
        lbf_fail(error, LB_ERROR_MEMORY, "out of memory", (char *)0);
        return NULL;
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
    lbf_delete(&a, p, 1, sizeof *p);
}

/* --- Figures -------------------------------------------------------------------------------------------- */

int lb_problem_add_figure(lb_problem *p, const lb_figure *figure) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    if (!figure) {
        return FAIL(p, LB_ERROR_ARGUMENT, "no figure to add");
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

/* --- Checking a constraint -------------------------------------------------------------------------------- */

static int is_unit(const double v[3]) { return lbm_all_finite(v, 3) && fabs(lbm_dot3(v, v) - 1) < 1e-6; }

static void make_unit(double v[3]) {
    double norm = lbm_norm3(v);
    if (fabs(norm - 1) > 1e-15) {
        for (int i = 0; i < 3; i++) {
            v[i] /= norm;
        }
    }
}

/* Whether a joint is on the way from a frame effector's segment to the root. The joint that closes a loop is not: an
 * effector that it carries begins at the joint's other side. */
static int is_on_way(const lb_figure *f, int segment, int joint) {
    if (segment >= f->draft.segment_count) {
        int closing = f->loop_joints[segment - f->draft.segment_count];
        segment = f->draft.sites[f->draft.joints[closing].site_a].segment;
    }
    for (; f->parent_joint[segment] >= 0; segment = lb_figure_parent_segment(f, segment)) {
        if (f->parent_joint[segment] == joint) {
            return 1;
        }
    }
    return 0;
}

/* The centre of mass uses all joints, wherever its chain is said to start. */
static lb_status check_chain(lb_problem *p, lb_constraint *c, const lb_figure *f) {
    if (c->chain_start < 0) {
        c->chain_start = -1;
        return LB_OK;
    }
    if (c->chain_start >= lb_figure_joint_count(f)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "the chain starts at a joint that does not exist");
    }
    if (c->effector.kind == LB_EFFECTOR_FRAME && !is_on_way(f, c->effector.segment, c->chain_start)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "the chain starts at the joint ", f->draft.joints[c->chain_start].name,
                    ", which is not on the way from the end-effector to the root");
    }
    return LB_OK;
}

/* A constraint whose name was not found has its segment at -1: the reason is looked up again, for its text. */
static lb_status refuse_effector(lb_problem *p, const lb_figure *f, const lb_constraint *c) {
    lb_error reason;
    int segment = -1, site = -1;
    if (c->effector.segment == -1 && c->name && lb_figure_find_place(f, c->name, &segment, &site, &reason)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "the constraint has no end-effector: ", reason.message);
    }
    return FAIL(p, LB_ERROR_ARGUMENT, "the end-effector's segment does not exist");
}

static lb_status check_effector(lb_problem *p, lb_constraint *c) {
    const lb_figure *f = lb_problem_figure(p, c->figure);
    if (!f) {
        return FAIL(p, LB_ERROR_ARGUMENT, "the constraint's figure is not in the problem");
    }
    lb_effector *e = &c->effector;
    if (e->kind == LB_EFFECTOR_COM) {
        if (c->goal.kind == LB_GOAL_ORIENTATION || c->goal.kind == LB_GOAL_FRAME || c->goal.kind == LB_GOAL_AIM) {
            return FAIL(p, LB_ERROR_UNSUPPORTED, "the centre of mass has a position, but no direction to turn");
        }
        if (lb_figure_mass(f) <= 0) {
            return FAIL(p, LB_ERROR_UNSUPPORTED, "the figure has no mass, so no centre of mass to place");
        }
    } else {
        if (e->kind != LB_EFFECTOR_FRAME || e->segment < 0 ||
            e->segment >= lb_figure_segment_count(f) + lb_figure_loop_count(f)) {
            return refuse_effector(p, f, c);
        }
        if (!lbm_all_finite(e->point, 3) || !is_unit(e->x) || !is_unit(e->y) || fabs(lbm_dot3(e->x, e->y)) > 1e-6) {
            return FAIL(p, LB_ERROR_ARGUMENT,
                        "the end-effector needs a finite point and two unit vectors at right angles");
        }
        make_unit(e->x);
        make_unit(e->y);
    }
    return check_chain(p, c, f);
}

static lb_status check_numbers(lb_problem *p, const lb_constraint *c) {
    if (!(c->weight >= 0) || !lbm_is_finite(c->weight)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a constraint's weight is negative or not finite");
    }
    for (int i = 0; i < 3; i++) {
        if (!(c->tolerance[i] >= 0)) {
            return FAIL(p, LB_ERROR_ARGUMENT, "a constraint's tolerance is negative or not a number");
        }
    }
    if (!(c->tolerance_rad >= 0)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a constraint's tolerance is negative or not a number");
    }
    if (c->priority < 0 || c->priority > 1000) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a constraint's priority is not 0 to 1000");
    }
    if (c->any_of < 0) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a constraint's any_of number is negative");
    }
    if (!(c->radius >= 0) || !(c->half_length >= 0) || !lbm_is_finite(c->radius + c->half_length)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "the end-effector's radius or half length is negative or not finite");
    }
    if ((c->radius > 0 || c->half_length > 0) && !c->goal.outside && c->goal.kind != LB_GOAL_HALF_SPACE) {
        return FAIL(p, LB_ERROR_UNSUPPORTED,
                    "an end-effector with a radius is for half-spaces and goals to keep out of only");
    }
    if (c->half_length > 0 && c->goal.kind == LB_GOAL_DISC) {
        return FAIL(p, LB_ERROR_UNSUPPORTED, "a capsule cannot be kept out of a disc; use a flat box instead");
    }
    return LB_OK;
}

static lb_status check_region(lb_problem *p, lb_goal *g) {
    static const int sizes[] = {3, 1, 2, 1, 1};
    if (g->kind >= LB_GOAL_BOX && g->kind <= LB_GOAL_DISC) {
        for (int i = 0; i < sizes[g->kind - LB_GOAL_BOX]; i++) {
            if (!(g->size[i] >= 0) || !lbm_is_finite(g->size[i])) {
                return FAIL(p, LB_ERROR_ARGUMENT, "the size of a goal's region is negative or not finite");
            }
        }
    }
    if (g->outside && (g->kind < LB_GOAL_BOX || g->kind == LB_GOAL_CIRCLE || g->kind == LB_GOAL_CUSTOM)) {
        return FAIL(p, LB_ERROR_UNSUPPORTED,
                    "only boxes, spheres, capsules, discs and polyhedra have an outside to keep to");
    }
    if (g->kind == LB_GOAL_POLYHEDRON && (g->face_count < 1 || g->face_count > 10000 || !g->faces)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a polyhedron needs 1 to 10000 faces");
    }
    if (!lbm_quaternion_normalise(g->rotation)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a goal's rotation is not finite or zero");
    }
    return LB_OK;
}

/* Numbers that the goal's kind does not use are finite too: they may be used when the kind is changed, or written. */
static lb_status check_finite(lb_problem *p, const lb_effector *e, const lb_goal *g) {
    if (!lbm_all_finite(g->x, 3) || !lbm_all_finite(g->y, 3) || !lbm_all_finite(g->normal, 3) ||
        !lbm_all_finite(g->size, 3) || !lbm_is_finite(g->weight_position) || !lbm_is_finite(g->weight_orientation)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a goal has a number that is not finite, though its kind does not use it");
    }
    if (!lbm_all_finite(e->point, 3) || !lbm_all_finite(e->x, 3) || !lbm_all_finite(e->y, 3)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "an end-effector has a number that is not finite");
    }
    return LB_OK;
}

static lb_status check_goal(lb_problem *p, lb_goal *g) {
    if ((int)g->kind < 0 || g->kind > LB_GOAL_CUSTOM) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a goal of no known kind");
    }
    if (!lbm_all_finite(g->point, 3)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a goal's point is not finite");
    }
    if (g->carrier_segment >= 0) {
        const lb_figure *carrier = lb_problem_figure(p, g->carrier_figure);
        if (!carrier || g->carrier_segment >= lb_figure_segment_count(carrier)) {
            return FAIL(p, LB_ERROR_ARGUMENT, "the segment that carries a goal does not exist");
        }
    } else {
        g->carrier_segment = -1;
        g->carrier_figure = 0; /* not used, but it may be looked at: it has to exist */
    }
    if (g->kind == LB_GOAL_ORIENTATION || g->kind == LB_GOAL_FRAME) {
        if (!is_unit(g->x) || !is_unit(g->y)) {
            return FAIL(p, LB_ERROR_ARGUMENT, "a goal's directions are not unit vectors");
        }
        make_unit(g->x);
        make_unit(g->y);
    }
    if (g->kind == LB_GOAL_LINE || g->kind == LB_GOAL_PLANE || g->kind == LB_GOAL_HALF_SPACE) {
        if (!is_unit(g->normal)) {
            return FAIL(p, LB_ERROR_ARGUMENT, "a goal's normal is not a unit vector");
        }
        make_unit(g->normal);
    }
    if (!(g->degrees_x >= 0) || !(g->degrees_y >= 0) || !lbm_is_finite(g->degrees_x + g->degrees_y)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a goal's degrees per metre are negative or not finite");
    }
    if (g->kind == LB_GOAL_FRAME && !(g->weight_position >= 0 && g->weight_orientation >= 0 &&
                                      lbm_is_finite(g->weight_position + g->weight_orientation))) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a goal's weights of position and orientation are negative or not finite");
    }
    if (g->kind == LB_GOAL_CUSTOM && !g->potential) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a custom goal without its potential");
    }
    return check_region(p, g);
}

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
            return FAIL(p, LB_ERROR_ARGUMENT, "a polyhedron's face has no direction, or is not finite");
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
    return empty
               ? FAIL(p, LB_ERROR_ARGUMENT, "a polyhedron's faces contradict each other: nothing is inside all of them")
               : LB_OK;
}

static lb_status take_constraint(lb_problem *p, const lb_constraint *from, lbp_constraint *c) {
    memset(c, 0, sizeof *c);
    c->constraint = *from;
    lb_status status = check_effector(p, &c->constraint);
    if (!status) {
        status = check_numbers(p, &c->constraint);
    }
    if (!status) {
        status = check_goal(p, &c->constraint.goal);
    }
    if (!status) {
        status = check_finite(p, &c->constraint.effector, &c->constraint.goal);
    }
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
        return FAIL(p, LB_ERROR_ARGUMENT, "no constraint to add");
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
    return *index >= 0 ? LB_OK
                       : FAIL(p, LB_ERROR_ARGUMENT, "there is no constraint with id ", lbf_integer_text(id, number));
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
        return FAIL(p, LB_ERROR_ARGUMENT, "the frame to move a goal to is not finite, or its rotation is zero");
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
        return FAIL(p, LB_ERROR_ARGUMENT, "a weight that is negative or not finite");
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

/* --- Variables and wishes ---------------------------------------------------------------------------------- */

static lb_status check_variable(lb_problem *p, int variable) {
    char number[24];
    if (variable >= 0 && variable < p->variable_count) {
        return LB_OK;
    }
    return FAIL(p, LB_ERROR_ARGUMENT, "there is no variable number ", lbf_integer_text(variable, number));
}

lb_status lb_problem_set_active(lb_problem *p, int variable, int active) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check_variable(p, variable);
    if (status) {
        return status;
    }
    p->active[variable] = active != 0;
    p->revision++;
    return LB_OK;
}

lb_status lb_problem_set_rigidity(lb_problem *p, int variable, double rigidity) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check_variable(p, variable);
    if (status) {
        return status;
    }
    if (!(rigidity >= 0 && rigidity <= 1)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a rigidity that is not between 0 and 1");
    }
    p->rigidity[variable] = rigidity;
    p->revision++;
    return LB_OK;
}

lb_status lb_problem_set_joint_active(lb_problem *p, int figure, int joint, int active) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_figure *f = lb_problem_figure(p, figure);
    const lb_joint *j = f ? lb_figure_joint(f, joint) : NULL;
    if (!j) {
        return FAIL(p, LB_ERROR_ARGUMENT, "there is no such joint to switch");
    }
    int dofs = lb_joint_type_dof_count(&j->type), first = p->first_variables[figure];
    p->revision++;
    for (int i = 0; i < dofs; i++) {
        int coordinate = lbf_coordinate(f, joint, i), own = f->coordinate_variable[coordinate];
        int driven = f->coordinate_driven[coordinate];
        if (own >= 0) {
            p->active[first + own] = active != 0;
        }
        for (int t = 0; driven >= 0 && t < f->driven[driven].term_count; t++) {
            p->active[first + f->terms[f->driven[driven].first_term + t].variable] = active != 0;
        }
    }
    return LB_OK;
}

lb_status lb_problem_set_root_active(lb_problem *p, int figure, int active) {
    const lb_figure *f = p ? lb_problem_figure(p, figure) : NULL;
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    if (!f) {
        return FAIL(p, LB_ERROR_ARGUMENT, "there is no such figure in the problem");
    }
    for (int i = 0; i < f->root_coordinates; i++) {
        p->active[p->first_variables[figure] + i] = active != 0;
    }
    p->revision++;
    return LB_OK;
}

int lbp_has_wishes(const lb_problem *p) {
    const lbp_wishes *w = &p->wishes;
    return w->posture_weight > 0 || w->stay_weight > 0 || w->margin_weight > 0;
}

int lbp_has_wish_level(const lb_problem *p) { return lbp_has_wishes(p) && p->wishes.level == LB_WISH_LEVEL_OWN; }

int lbp_has_levels(const lb_problem *p) {
    int loops = 0;
    for (int f = 0; f < p->figure_count; f++) {
        loops += lb_figure_loop_count(p->figures[f]);
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

/* Whether there are wishes, and on which level, decides about memory; what they weigh does not. */
static void change_wishes(lb_problem *p, const lbp_wishes *wishes) {
    int had = lbp_has_wishes(p), had_level = lbp_has_wish_level(p);
    p->wishes = *wishes;
    p->shape += lbp_has_wishes(p) != had || lbp_has_wish_level(p) != had_level;
    p->revision++;
}

static lb_status check_weight(lb_problem *p, double weight) {
    if (weight >= 0 && lbm_is_finite(weight)) {
        return LB_OK;
    }
    return FAIL(p, LB_ERROR_ARGUMENT, "a wish's weight is negative or not finite");
}

lb_status lb_problem_set_posture(lb_problem *p, const double *pose, double weight) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check_weight(p, weight);
    if (status) {
        return status;
    }
    if (pose && !lbm_all_finite(pose, p->variable_count)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "the preferred posture is not finite");
    }
    for (int f = 0; f < p->figure_count; f++) {
        for (int i = 0; i < p->figures[f]->variable_count; i++) {
            int v = p->first_variables[f] + i;
            p->posture[v] = pose ? pose[v] : p->figures[f]->rest[i];
        }
    }
    lbp_wishes wishes = p->wishes;
    wishes.posture_weight = weight;
    change_wishes(p, &wishes);
    return LB_OK;
}

lb_status lb_problem_set_stay(lb_problem *p, double weight) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check_weight(p, weight);
    if (status) {
        return status;
    }
    lbp_wishes wishes = p->wishes;
    wishes.stay_weight = weight;
    change_wishes(p, &wishes);
    return LB_OK;
}

lb_status lb_problem_set_margin(lb_problem *p, double margin, double weight) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check_weight(p, weight);
    if (status) {
        return status;
    }
    if (!(margin >= 0) || !lbm_is_finite(margin)) {
        return FAIL(p, LB_ERROR_ARGUMENT, "a margin that is negative or not finite");
    }
    lbp_wishes wishes = p->wishes;
    wishes.margin = margin;
    wishes.margin_weight = weight;
    change_wishes(p, &wishes);
    return LB_OK;
}

lb_status lb_problem_set_wish_level(lb_problem *p, lb_wish_level level) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    if (level != LB_WISH_LEVEL_OWN && level != LB_WISH_LEVEL_GOALS) {
        return FAIL(p, LB_ERROR_ARGUMENT, "wishes are on no known level");
    }
    lbp_wishes wishes = p->wishes;
    wishes.level = level;
    change_wishes(p, &wishes);
    return LB_OK;
}
