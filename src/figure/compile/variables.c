/* The variables, and how driven coordinates follow them (joint groups, mimic joints). */
#include <string.h>

#include "figure/build/builder.h"
#include "figure/figure.h"
#include "math/curve.h"

#define FAIL(error, status, ...) lbf_fail(error, status, __VA_ARGS__, (char *)0)

/* --- Which coordinates and parameters are variables, and their names ------------------------------- */

static const char *const root_names[6] = {"root.x", "root.y", "root.z", "root.rx", "root.ry", "root.rz"};

static lb_status name_variable(lb_figure *f, int variable, const char *a, const char *b, lb_error *error) {
    lbf_draft *d = &f->draft;
    lb_variable *v = &f->variables[variable];
    v->name = lbf_arena_text(&d->arena, &d->allocator, a, b ? "." : NULL, b);
    if (!v->name) {
        return lbf_no_memory(error);
    }
    if (lbf_names_find(&f->names, 0, v->name) >= 0) {
        return FAIL(error, LB_ERROR_NAME, "two variables would be named '", v->name, "'; rename a joint, dof or group");
    }
    return lbf_names_set(&f->names, &d->allocator, 0, v->name, variable) ? LB_OK : lbf_no_memory(error);
}

static lb_status add_root_variables(lb_figure *f, lb_error *error) {
    for (int i = 0; i < f->root_coordinates; i++) {
        lb_variable *v = &f->variables[f->variable_count];
        *v = (lb_variable){NULL, {-1, i, -1}, i >= 3, -INFINITY, INFINITY, 0, 0, INFINITY, INFINITY};
        f->coordinate_variable[i] = f->variable_count;
        lb_status status = name_variable(f, f->variable_count++, root_names[i], NULL, error);
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

static lb_status add_joint_variables(lb_figure *f, int index, lb_error *error) {
    const lb_joint *joint = &f->draft.joints[index];
    int dofs = lb_joint_type_dof_count(&joint->type);
    for (int i = 0; i < dofs; i++) {
        int coordinate = lbf_coordinate(f, index, i);
        if (joint->frozen || f->coordinate_driven[coordinate] >= 0) {
            continue;
        }
        lb_variable *v = &f->variables[f->variable_count];
        *v = (lb_variable){NULL,
                           {index, i, -1},
                           lb_joint_type_is_angle(&joint->type, i),
                           joint->lower[i],
                           joint->upper[i],
                           joint->rest[i],
                           joint->rigidity[i],
                           joint->velocity[i],
                           joint->acceleration[i]};
        f->coordinate_variable[coordinate] = f->variable_count;
        lb_status status =
            name_variable(f, f->variable_count++, joint->name, dofs > 1 ? joint->dof_names[i] : NULL, error);
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

static lb_status add_parameter_variables(lb_figure *f, lb_error *error) {
    for (int i = 0; i < f->draft.parameter_count; i++) {
        const lb_parameter *p = &f->draft.parameters[i];
        lb_variable *v = &f->variables[f->variable_count];
        *v = (lb_variable){NULL, {-1, 0, i}, p->is_angle, p->lower, p->upper, p->rest, p->rigidity, INFINITY, INFINITY};
        lb_status status = name_variable(f, f->variable_count++, f->draft.groups[p->group].name, p->name, error);
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

/* A joint of one dof also answers to "elbow.flexion". */
static lb_status add_aliases(lb_figure *f, lb_error *error) {
    lbf_draft *d = &f->draft;
    for (int i = 0; i < d->joint_count; i++) {
        if (lb_joint_type_dof_count(&d->joints[i].type) != 1) {
            continue;
        }
        int variable = f->coordinate_variable[lbf_coordinate(f, i, 0)];
        if (variable < 0) {
            continue;
        }
        const char *alias = lbf_arena_text(&d->arena, &d->allocator, d->joints[i].name, ".", d->joints[i].dof_names[0]);
        if (!alias) {
            return lbf_no_memory(error);
        }
        if (lbf_names_find(&f->names, 0, alias) >= 0) {
            continue;
        }
        if (!lbf_names_set(&f->names, &d->allocator, 0, alias, variable)) {
            return lbf_no_memory(error);
        }
    }
    return LB_OK;
}

/* Sites by their own name: -2 where several segments have one of that name. */
static lb_status index_sites(lb_figure *f, lb_error *error) {
    const lbf_draft *d = &f->draft;
    for (int i = 0; i < d->site_count; i++) {
        int there = lbf_names_find(&f->names, 1, d->sites[i].name);
        if (!lbf_names_set(&f->names, &d->allocator, 1, d->sites[i].name, there == -1 ? i : -2)) {
            return lbf_no_memory(error);
        }
    }
    return LB_OK;
}

/* --- Drives ---------------------------------------------------------------------------------------- */

/* The drives of each coordinate as a linked list (in order), and how far resolving them has come. */
typedef struct drive_lists {
    int *first, *next;    /* first[coordinate], next[drive]; -1 ends */
    unsigned char *state; /* [coordinate]: 0 not begun, 1 under way, 2 done */
    int term_capacity;
} drive_lists;

static int curve_is_linear(const lb_curve *curve) { return curve->kind == LB_CURVE_LINEAR; }

/* scale * curve, its points in the figure's memory. Returns 0 if there is no memory. */
static int scale_curve(lb_figure *f, lb_curve *curve, double scale) {
    curve->offset *= scale;
    curve->slope *= scale;
    if (curve_is_linear(curve)) {
        return 1;
    }
    double *y = lbf_figure_take(f, (size_t)curve->count, sizeof(double));
    if (!y) {
        return 0;
    }
    for (int i = 0; i < curve->count; i++) {
        y[i] = curve->y[i] * scale;
    }
    curve->y = y;
    return 1;
}

static lb_status add_term(lb_figure *f, drive_lists *lists, lbf_driven *driven, int variable, const lb_curve *curve,
                          lb_error *error) {
    if (f->term_count == lists->term_capacity) {
        int wanted = lists->term_capacity ? 2 * lists->term_capacity : 16;
        lbf_term *grown = lbf_figure_take(f, (size_t)wanted, sizeof *grown);
        if (!grown) {
            return lbf_no_memory(error);
        }
        if (f->term_count) {
            memcpy(grown, f->terms, (size_t)f->term_count * sizeof *grown);
        }
        f->terms = grown;
        lists->term_capacity = wanted;
    }
    lbf_term *term = &f->terms[f->term_count++];
    term->variable = variable;
    term->curve = *curve;
    term->second = NULL;
    driven->term_count++;
    lbm_piece *pieces = lbf_figure_take(f, (size_t)lbm_curve_piece_count(curve) + 1, sizeof *pieces);
    if (!pieces) {
        return lbf_no_memory(error);
    }
    if (curve->kind == LB_CURVE_SPLINE) {
        double *second = lbf_figure_take(f, (size_t)curve->count, 2 * sizeof(double)); /* and scratch */
        if (!second) {
            return lbf_no_memory(error);
        }
        lbm_spline_prepare(curve->count, curve->x, curve->y, second, second + curve->count);
        term->second = second;
    }
    lbm_curve_pieces(curve, term->second, pieces);
    term->piece_count = lbm_curve_piece_count(curve);
    term->pieces = pieces;
    return LB_OK;
}

static double curve_value(lb_figure *f, const lb_curve *curve, double x, int *ok) {
    double value = 0, slope, second;
    double *knots = NULL;
    if (curve->kind == LB_CURVE_SPLINE) {
        knots = lbf_figure_take(f, (size_t)curve->count, 2 * sizeof(double));
        if (!knots) {
            *ok = 0;
            return 0;
        }
        lbm_spline_prepare(curve->count, curve->x, curve->y, knots, knots + curve->count);
    }
    lbm_curve_eval(curve, knots, x, &value, &slope, &second);
    return value;
}

static const char *coordinate_name(const lb_figure *f, int coordinate) {
    for (int i = f->draft.joint_count - 1; i >= 0; i--) {
        if (f->first_coordinate[i] <= coordinate) {
            return f->draft.joints[i].name;
        }
    }
    return "root";
}

/* A drive whose source is driven itself: linear of anything is anything, scaled. */
static lb_status chain_drive(lb_figure *f, drive_lists *lists, lbf_driven *driven, const lb_drive *drive, int source,
                             lb_error *error) {
    if (!curve_is_linear(&drive->curve)) {
        return FAIL(error, LB_ERROR_UNSUPPORTED, "joint '", f->draft.joints[drive->joint].name,
                    "' follows by a curve a joint that is driven itself ('", coordinate_name(f, source),
                    "'); drive it by the first source directly");
    }
    const lbf_driven from = f->driven[f->coordinate_driven[source]];
    driven->constant += drive->curve.offset + drive->curve.slope * from.constant;
    for (int i = 0; i < from.term_count; i++) {
        lb_curve curve = f->terms[from.first_term + i].curve;
        if (!scale_curve(f, &curve, drive->curve.slope)) {
            return lbf_no_memory(error);
        }
        lb_status status = add_term(f, lists, driven, f->terms[from.first_term + i].variable, &curve, error);
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

static lb_status apply_drive(lb_figure *f, drive_lists *lists, lbf_driven *driven, const lb_drive *drive,
                             lb_error *error) {
    const lb_dof_ref *ref = &drive->source;
    if (ref->joint < 0) {
        return add_term(f, lists, driven, f->variable_count + ref->parameter, &drive->curve, error);
    }
    int source = lbf_coordinate(f, ref->joint, ref->dof);
    if (f->draft.joints[ref->joint].frozen) {
        int ok = 1;
        driven->constant += curve_value(f, &drive->curve, f->coordinate_rest[source], &ok);
        return ok ? LB_OK : lbf_no_memory(error);
    }
    if (f->coordinate_driven[source] >= 0) {
        return chain_drive(f, lists, driven, drive, source, error);
    }
    return add_term(f, lists, driven, f->coordinate_variable[source], &drive->curve, error);
}

/* The sources of a coordinate before the coordinate itself; its terms then lie together. The depth of mimics of mimics
 * is bounded, so that a hostile file cannot exhaust the stack. */
static lb_status resolve(lb_figure *f, drive_lists *lists, int coordinate, int depth, lb_error *error) {
    if (lists->state[coordinate] == 2 || f->coordinate_driven[coordinate] < 0) {
        return LB_OK;
    }
    if (lists->state[coordinate] == 1) {
        return FAIL(error, LB_ERROR_FIGURE, "joint '", coordinate_name(f, coordinate),
                    "' is driven by itself, in a circle of mimic joints; break the circle");
    }
    if (depth > 1000) {
        return FAIL(error, LB_ERROR_TOO_LARGE, "joint '", coordinate_name(f, coordinate),
                    "' ends a chain of more than 1000 mimic joints; let them follow the first one directly");
    }
    lists->state[coordinate] = 1;
    const lbf_draft *d = &f->draft;
    lb_status status = LB_OK;
    for (int i = lists->first[coordinate]; i >= 0 && !status; i = lists->next[i]) {
        const lb_dof_ref *ref = &d->drives[i].source;
        if (ref->joint >= 0) {
            status = resolve(f, lists, lbf_coordinate(f, ref->joint, ref->dof), depth + 1, error);
        }
    }
    lbf_driven driven = {0, 0, coordinate, f->term_count, 0};
    for (int i = lists->first[coordinate]; i >= 0 && !status; i = lists->next[i]) {
        status = apply_drive(f, lists, &driven, &d->drives[i], error);
    }
    driven.offset = driven.constant;
    for (int t = driven.first_term; t < f->term_count && !status; t++) {
        if (f->terms[t].piece_count == 1) {
            driven.offset += f->terms[t].curve.offset;
        }
    }
    f->driven[f->coordinate_driven[coordinate]] = driven;
    lists->state[coordinate] = 2;
    return status;
}

static lb_status mark_driven(lb_figure *f, drive_lists *lists, lb_error *error) {
    const lbf_draft *d = &f->draft;
    for (int i = 0; i < f->coordinate_count; i++) {
        f->coordinate_driven[i] = f->coordinate_variable[i] = lists->first[i] = -1;
    }
    for (int i = d->drive_count - 1; i >= 0; i--) { /* backwards, so that the lists run forwards */
        int coordinate = lbf_coordinate(f, d->drives[i].joint, d->drives[i].dof);
        if (d->joints[d->drives[i].joint].frozen) {
            continue;
        }
        lists->next[i] = lists->first[coordinate];
        lists->first[coordinate] = i;
        if (f->coordinate_driven[coordinate] < 0) {
            f->coordinate_driven[coordinate] = f->driven_count++;
        }
    }
    f->driven = lbf_figure_take(f, (size_t)f->driven_count, sizeof *f->driven);
    return f->driven ? LB_OK : lbf_no_memory(error);
}

/* A dof that follows one variable by a line moves `slope` times as fast: its limits of speed are that variable's
 * too. */
static void take_driven_speeds(lb_figure *f) {
    for (int j = 0; j < f->draft.joint_count; j++) {
        const lb_joint *joint = &f->draft.joints[j];
        for (int dof = 0; dof < lb_joint_type_dof_count(&joint->type); dof++) {
            const int number = f->coordinate_driven[lbf_coordinate(f, j, dof)];
            if (joint->frozen || number < 0 || f->driven[number].term_count != 1) {
                continue;
            }
            const lbf_term *term = &f->terms[f->driven[number].first_term];
            const double slope = fabs(term->curve.slope);
            if (!curve_is_linear(&term->curve) || !(slope > 0)) {
                continue;
            }
            lb_variable *v = &f->variables[term->variable];
            const double velocity = joint->velocity[dof] / slope, acceleration = joint->acceleration[dof] / slope;
            v->velocity = velocity < v->velocity ? velocity : v->velocity;
            v->acceleration = acceleration < v->acceleration ? acceleration : v->acceleration;
        }
    }
}

static lb_status make_variables(lb_figure *f, drive_lists *lists, lb_error *error) {
    lb_status status = mark_driven(f, lists, error);
    if (!status) {
        status = add_root_variables(f, error);
    }
    for (int i = 0; !status && i < f->draft.joint_count; i++) {
        status = add_joint_variables(f, i, error);
    }
    for (int i = 0; !status && i < f->coordinate_count; i++) {
        status = resolve(f, lists, i, 0, error);
    }
    if (!status) {
        status = add_parameter_variables(f, error);
    }
    if (!status) {
        take_driven_speeds(f);
        status = add_aliases(f, error);
    }
    if (!status) {
        status = index_sites(f, error);
    }
    f->is_plain = f->driven_count == 0;
    for (int i = 0; i < f->coordinate_count; i++) {
        f->is_plain &= f->coordinate_variable[i] == i;
    }
    for (int i = 0; i < f->node_count; i++) {
        lbf_select(f, i, &f->every_node);
    }
    return status;
}

lb_status lbf_compile_variables(lb_figure *f, lb_error *error) {
    const lb_allocator *a = &f->draft.allocator;
    size_t coordinates = (size_t)f->coordinate_count, drives = (size_t)f->draft.drive_count;
    f->coordinate_variable = lbf_figure_take(f, coordinates, sizeof(int));
    f->coordinate_driven = lbf_figure_take(f, coordinates, sizeof(int));
    f->variables = lbf_figure_take(f, coordinates + (size_t)f->draft.parameter_count, sizeof *f->variables);
    size_t scratch_size = (coordinates + drives) * sizeof(int) + coordinates;
    int *scratch = lbf_new(a, scratch_size, 1);
    lb_status status = LB_OK;
    if (f->coordinate_variable && f->coordinate_driven && f->variables && scratch) {
        drive_lists lists = {scratch, scratch + coordinates, (unsigned char *)(scratch + coordinates + drives), 0};
        status = make_variables(f, &lists, error);
    } else {
        status = lbf_no_memory(error);
    }
    lbf_delete(a, scratch, scratch_size, 1);
    return status;
}
