/* What a problem file says in a word and the problem has as constraints or settings: keep, balance, avoid, wishes,
 * rigidity. */
#include "io/problem/problem.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An item, or a list of them, of a member that may be missing. */
static lb_status each(lbio_reader *r, const json_t *root, const char *key, int takes_one,
                      lb_status (*read)(lbio_reader *, const json_t *)) {
    const json_t *member = lbio_member(r, root, key);
    if (!member) {
        return LB_OK;
    }
    lb_status status =
        takes_one && !json_is_array(member) ? read(r, member) : lbio_check_list(r, member, 0, LBIO_LIST_MOST);
    for (size_t k = 0; !status && json_is_array(member) && k < json_array_size(member); k++) {
        lbio_enter_index(r, (int)k);
        status = read(r, json_array_get(member, k));
        lbio_leave(r);
    }
    lbio_leave(r);
    return status;
}

/* --- Keep ------------------------------------------------------------------------------------------ */

static lb_status read_keep(lbio_reader *r, const json_t *value) {
    static const char *const keys[] = {"site", "what",      "weight",          "priority", "any_of",
                                       "from", "tolerance", "tolerance_angle", "disabled", NULL};
    static const char *const whats[] = {"frame", "position", "orientation"};
    static const lb_goal_kind kinds[] = {LB_GOAL_FRAME, LB_GOAL_POSITION, LB_GOAL_ORIENTATION};
    const char *name = json_string_value(value), *rest;
    int what = 0;
    lbio_place place;
    lb_constraint c;
    lb_status status = LB_OK;
    if (!name) {
        status = lbio_check_keys(r, value, keys);
        status = status ? status : lbio_get_string(r, value, "site", &name);
        status = status ? status : lbio_get_choice(r, value, "what", whats, 3, &what);
        if (!status && !name) {
            status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "which site is kept? `site` is missing");
        }
    }
    if (status) {
        return status;
    }
    status = lbio_find_place(r, name, &place);
    if (status) {
        return status;
    }
    int first = lb_problem_first_variable(r->file->problem, place.figure);
    lbio_split_name(r, name, &rest);
    status = lb_constraint_keep(r->file->figures[place.figure], rest, r->file->start + first, &c);
    if (status) {
        return lbio_reader_fail(r, status, "`%.60s` cannot be kept: %s", name, lb_status_text(status));
    }
    c.figure = place.figure;
    c.name = name;
    c.goal.kind = kinds[what];
    status = json_is_object(value) ? lbio_read_manner(r, value, &c) : LB_OK;
    return status ? status : lbio_add(r, &c);
}

/* --- Balance ---------------------------------------------------------------------------------------- */

static lb_status read_points(lbio_reader *r, const json_t *object, int *figure, double (*points)[3], int *count) {
    const json_t *list = lbio_member(r, object, "support");
    if (!list) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "over what? `support` is missing: a list of at least three sites");
    }
    lb_status status = lbio_check_list(r, list, 3, 64);
    *count = status ? 0 : (int)json_array_size(list);
    for (int k = 0; k < *count && !status; k++) {
        const json_t *item = json_array_get(list, (size_t)k);
        lbio_enter_index(r, k);
        if (json_is_string(item)) {
            lb_frame frame;
            lbio_place place;
            status = lbio_find_place(r, json_string_value(item), &place);
            if (!status) {
                const lb_kinematics *kinematics = r->kinematics[place.figure];
                status = place.site >= 0 ? lb_kinematics_site(kinematics, place.site, &frame)
                                         : lb_kinematics_segment(kinematics, place.segment, &frame);
            }
            if (!status) {
                memcpy(points[k], frame.position, sizeof frame.position);
                *figure = k == 0 ? place.figure : *figure;
            }
        } else {
            status = lbio_json_vector(r, item, LBIO_LENGTH, 3, points[k]);
        }
        lbio_leave(r);
    }
    lbio_leave(r);
    return status;
}

static lb_status read_balance(lbio_reader *r, const json_t *object) {
    static const char *const keys[] = {"support",  "margin",    "figure",   "weight",
                                       "priority", "tolerance", "disabled", NULL};
    double points[64][3], faces[64][4], margin = 0;
    const char *name = NULL;
    int count = 0, figure = 0;
    lb_constraint c;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : read_points(r, object, &figure, points, &count);
    status = status ? status : lbio_get_value(r, object, "margin", LBIO_LENGTH, 0, 1e6, &margin);
    status = status ? status : lbio_get_string(r, object, "figure", &name);
    for (int k = 0; name && !status; k++) {
        if (k == r->file->figure_count) {
            status = lbio_reader_fail(r, LB_ERROR_NAME, "there is no figure `%.60s`", name);
        } else if (strcmp(r->file->names[k], name) == 0) {
            figure = k;
            break;
        }
    }
    if (!status && lb_constraint_balance(count, (const double(*)[3])points, margin, faces, &c)) {
        status =
            lbio_reader_fail(r, LB_ERROR_ARGUMENT, "the support's points lie on a line, seen from above; give an area");
    }
    if (status) {
        return status;
    }
    c.figure = figure;
    status = lbio_read_manner(r, object, &c);
    return status ? status : lbio_add(r, &c);
}

/* --- Avoid ------------------------------------------------------------------------------------------ */

/* A capsule around a shape, in its segment's frame: along x of (frame), with half the length of its axis. */
typedef struct ball {
    int figure, segment;
    double center[3], axis[3], radius, half_length;
} ball;

static void surround(const lb_shape *shape, ball *b) {
    static const int around[3][2] = {{1, 2}, {0, 2}, {0, 1}};
    const double *size = shape->size;
    double m[9];
    int axis = 2;
    b->half_length = 0;
    b->radius = size[0];
    if (shape->kind >= LB_SHAPE_HULL) { /* a ball about the frame's origin */
        for (int i = 0; i < shape->vertex_count; i++) {
            const double *v = shape->vertices[i];
            b->radius = fmax(b->radius, size[0] + sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        }
    } else if (shape->kind == LB_SHAPE_CAPSULE) {
        b->radius = fmax(size[0], size[2]);
        b->half_length = size[1];
    } else if (shape->kind == LB_SHAPE_CYLINDER) {
        b->half_length = size[1];
    } else if (shape->kind != LB_SHAPE_SPHERE) {
        axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
        double first = size[around[axis][0]], second = size[around[axis][1]];
        int is_box = shape->kind == LB_SHAPE_BOX;
        /* An ellipsoid lies inside the capsule whose balls touch its tips: its tips are sharper than they. */
        b->radius = is_box ? sqrt(first * first + second * second) : fmax(first, second);
        b->half_length = is_box ? size[axis] : size[axis] - b->radius;
    }
    lb_rotation_to_matrix(shape->frame.rotation, m);
    memcpy(b->center, shape->frame.position, sizeof b->center);
    for (int i = 0; i < 3; i++) {
        b->axis[i] = m[3 * i + axis];
    }
    b->segment = shape->segment;
}

typedef struct balls {
    ball *items;
    int count, capacity;
} balls;

static lb_status add_balls(lbio_reader *r, const char *pattern, balls *all) {
    const char *rest;
    int figure = lbio_split_name(r, pattern, &rest), matched = 0;
    const lb_figure *f = r->file->figures[figure];
    for (int k = 0; k < lb_figure_shape_count(f); k++) {
        const lb_shape *shape = lb_figure_shape(f, k);
        if (!lbio_matches(rest, lb_figure_segment(f, shape->segment)->name)) {
            continue;
        }
        matched = 1;
        if (all->count == all->capacity) {
            int capacity = all->capacity ? 2 * all->capacity : 32;
            ball *bigger = realloc(all->items, (size_t)capacity * sizeof *bigger);
            if (!bigger || capacity > LBIO_CONSTRAINTS_MOST * 2) {
                all->items = bigger ? bigger : all->items;
                return lbio_reader_fail(r, LB_ERROR_TOO_LARGE, "too many shapes; name fewer segments");
            }
            all->items = bigger, all->capacity = capacity;
        }
        ball *b = &all->items[all->count++];
        b->figure = figure;
        surround(shape, b);
    }
    if (matched) {
        return LB_OK;
    }
    for (int k = 0; k < lb_figure_segment_count(f); k++) {
        if (lbio_matches(rest, lb_figure_segment(f, k)->name)) {
            return lbio_reader_fail(r, LB_ERROR_FIGURE, "segment `%.60s` has no shape that could keep out of the way",
                                    lb_figure_segment(f, k)->name);
        }
    }
    return lbio_no_such(r, figure, "segment", rest);
}

static lb_status read_balls(lbio_reader *r, const json_t *object, const char *key, balls *all) {
    const json_t *list = lbio_member(r, object, key);
    if (!list) {
        return LB_OK;
    }
    lb_status status =
        json_is_string(list) ? add_balls(r, json_string_value(list), all) : lbio_check_list(r, list, 1, 10000);
    for (size_t k = 0; !status && json_is_array(list) && k < json_array_size(list); k++) {
        const json_t *item = json_array_get(list, k);
        lbio_enter_index(r, (int)k);
        status = json_is_string(item) ? add_balls(r, json_string_value(item), all)
                                      : lbio_reader_fail(r, LB_ERROR_SYNTAX, "the name of a segment was expected");
        lbio_leave(r);
    }
    lbio_leave(r);
    return status;
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* A constraint that keeps a ball or capsule away; the effector's x is the capsule's axis. */
static void effector_of(const ball *b, double margin, lb_constraint *c) {
    int least = fabs(b->axis[0]) < 0.6 ? 0 : 1;
    double helper[3] = {least == 0, least == 1, 0}, side[3];
    cross(b->axis, helper, side);
    double norm = sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2]);
    c->figure = b->figure;
    c->effector.kind = LB_EFFECTOR_FRAME;
    c->effector.segment = b->segment;
    for (int i = 0; i < 3; i++) {
        c->effector.point[i] = b->center[i];
        c->effector.x[i] = b->axis[i];
        c->effector.y[i] = side[i] / norm;
    }
    c->radius = b->radius + margin;
    c->half_length = b->half_length;
}

/* The other segment's capsule as a goal to keep out of, carried by that segment. */
static void goal_of(const ball *b, lb_goal *goal) {
    int least = fabs(b->axis[0]) < 0.6 ? 0 : 1;
    double helper[3] = {least == 0, least == 1, 0}, x[3], y[3];
    cross(helper, b->axis, x);
    double norm = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int i = 0; i < 3; i++) {
        x[i] /= norm;
    }
    cross(b->axis, x, y);
    const double m[9] = {x[0], y[0], b->axis[0], x[1], y[1], b->axis[1], x[2], y[2], b->axis[2]};
    lb_goal_defaults(goal);
    goal->kind = b->half_length > 0 ? LB_GOAL_CAPSULE : LB_GOAL_SPHERE;
    goal->outside = 1;
    goal->carrier_figure = b->figure;
    goal->carrier_segment = b->segment;
    memcpy(goal->point, b->center, sizeof goal->point);
    lb_rotation_from_matrix(m, goal->rotation);
    goal->size[0] = b->radius;
    goal->size[1] = b->half_length;
}

static lb_status add_avoidance(lbio_reader *r, const balls *mine, const balls *others, double margin,
                               lb_constraint *c) {
    char name[160];
    lb_status status = LB_OK;
    for (int i = 0; i < mine->count && !status; i++) {
        const ball *b = &mine->items[i];
        const char *segment = lb_figure_segment(r->file->figures[b->figure], b->segment)->name;
        effector_of(b, margin, c);
        c->name = name;
        snprintf(name, sizeof name, "%.70s clear", segment);
        if (!others->count) {
            status = lbio_add(r, c);
        }
        for (int k = 0; k < others->count && !status; k++) {
            const ball *o = &others->items[k];
            if (o->figure == b->figure && o->segment == b->segment) {
                continue; /* a segment is not in its own way */
            }
            goal_of(o, &c->goal);
            snprintf(name, sizeof name, "%.70s clear of %.70s", segment,
                     lb_figure_segment(r->file->figures[o->figure], o->segment)->name);
            status = lbio_add(r, c);
        }
    }
    return status;
}

static lb_status read_obstacle(lbio_reader *r, const json_t *object, lb_goal *goal, double (**faces)[4]) {
    lb_status status = lbio_read_goal(r, object, goal, faces);
    if (status || goal->kind == LB_GOAL_HALF_SPACE) {
        return status;
    }
    if (goal->kind != LB_GOAL_BOX && goal->kind != LB_GOAL_SPHERE && goal->kind != LB_GOAL_CAPSULE &&
        goal->kind != LB_GOAL_POLYHEDRON) {
        return lbio_reader_fail(r, LB_ERROR_UNSUPPORTED,
                                "an obstacle is a half-space, box, sphere, capsule or polyhedron");
    }
    goal->outside = 1;
    return LB_OK;
}

static lb_status read_avoid(lbio_reader *r, const json_t *object) {
    static const char *const keys[] = {"segments", "obstacle",  "others",   "margin", "weight",
                                       "priority", "tolerance", "disabled", NULL};
    balls mine = {0}, others = {0};
    double margin = 0, (*faces)[4] = NULL;
    lb_constraint c;
    lb_constraint_defaults(&c);
    lb_status status = lbio_check_keys(r, object, keys);
    if (!status && !json_object_get(object, "obstacle") == !json_object_get(object, "others")) {
        status =
            lbio_reader_fail(r, LB_ERROR_SYNTAX, "what is to be avoided? give an `obstacle`, or `others` (segments)");
    }
    status = status ? status : lbio_read_manner(r, object, &c);
    status = status ? status : lbio_get_value(r, object, "margin", LBIO_LENGTH, 0, 1e6, &margin);
    status = status ? status : read_balls(r, object, "segments", &mine);
    status = status ? status : read_balls(r, object, "others", &others);
    if (!status && !mine.count) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "which parts keep clear? `segments` is missing");
    }
    const json_t *obstacle = status ? NULL : lbio_member(r, object, "obstacle");
    if (obstacle) {
        status = read_obstacle(r, obstacle, &c.goal, &faces);
        lbio_leave(r);
    }
    status = status ? status : add_avoidance(r, &mine, &others, margin, &c);
    free(mine.items);
    free(others.items);
    free(faces);
    return status;
}

/* --- Which variables: by name, pattern, joint or group ---------------------------------------------- */

typedef lb_status (*setter)(lb_problem *problem, int variable, double value);

static lb_status set_rigidity(lb_problem *problem, int variable, double value) {
    return lb_problem_set_rigidity(problem, variable, value);
}

static lb_status set_active(lb_problem *problem, int variable, double value) {
    return lb_problem_set_active(problem, variable, value != 0);
}

/* A variable that the figure holds, as the length of a skeleton's bone, moves where its own name asks for it: a
 * pattern, or a joint's name, means what may turn. */
static void free_held(lbio_reader *r, const char *name) {
    const char *rest;
    int figure = lbio_split_name(r, name, &rest);
    const lb_figure *f = r->file->figures[figure];
    for (int k = 0; k < lb_figure_variable_count(f); k++) {
        const lb_variable *variable = lb_figure_variable(f, k);
        if (variable->rigidity == 1 && strcmp(variable->name, rest) == 0) {
            lb_problem_set_rigidity(r->file->problem, lb_problem_first_variable(r->file->problem, figure) + k, 0);
        }
    }
}

/* "spine" stands for spine.flexion, spine.lateral, ...: the pattern may end where a variable's name has its point. */
static int names_variable(const char *pattern, const char *variable) {
    char head[256];
    const char *point = strrchr(variable, '.');
    if (lbio_matches(pattern, variable)) {
        return 1;
    }
    if (!point || (size_t)(point - variable) >= sizeof head) {
        return 0;
    }
    memcpy(head, variable, (size_t)(point - variable));
    head[point - variable] = 0;
    return lbio_matches(pattern, head);
}

static lb_status set_matching(lbio_reader *r, const char *pattern, double value, setter set) {
    const char *rest;
    int figure = lbio_split_name(r, pattern, &rest), matched = 0;
    const lb_figure *f = r->file->figures[figure];
    int first = lb_problem_first_variable(r->file->problem, figure);
    for (int k = 0; k < lb_figure_variable_count(f); k++) {
        if (names_variable(rest, lb_figure_variable(f, k)->name)) {
            lb_status status = set(r->file->problem, first + k, value);
            if (status) {
                return lbio_reader_fail(r, status, "%s", lb_problem_error(r->file->problem)->message);
            }
            matched = 1;
        }
    }
    int joint = matched ? -1 : lb_figure_find_joint(f, rest);
    if (joint >= 0 && set == set_active) { /* a joint that a group drives */
        lb_problem_set_joint_active(r->file->problem, figure, joint, value != 0);
        return LB_OK;
    }
    return matched ? LB_OK : lbio_no_such(r, figure, "variable", rest);
}

static lb_status read_inactive(lbio_reader *r, const json_t *item) {
    return json_is_string(item) ? set_matching(r, json_string_value(item), 0, set_active)
                                : lbio_reader_fail(r, LB_ERROR_SYNTAX, "the name of a variable or joint was expected");
}

static lb_status read_active(lbio_reader *r, const json_t *item) {
    if (!json_is_string(item)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "the name of a variable or joint was expected");
    }
    lb_status status = set_matching(r, json_string_value(item), 1, set_active);
    if (!status) {
        free_held(r, json_string_value(item));
    }
    return status;
}

static lb_status read_rigidity(lbio_reader *r, const json_t *root) {
    const json_t *object = lbio_member(r, root, "rigidity");
    const char *pattern;
    json_t *value;
    lb_status status = LB_OK;
    if (!object) {
        return LB_OK;
    }
    if (!json_is_object(object)) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "values by variable were expected, as {\"spine.*\": 0.5}");
    }
    json_object_foreach((json_t *)object, pattern, value) {
        double rigidity;
        lbio_enter(r, pattern);
        status = lbio_json_value(r, value, LBIO_PLAIN, &rigidity);
        if (!status && !(rigidity >= 0 && rigidity <= 1)) {
            status = lbio_reader_fail(r, LB_ERROR_ARGUMENT, "a rigidity lies between 0 (free) and 1 (fixed)");
        }
        status = status ? status : set_matching(r, pattern, rigidity, set_rigidity);
        lbio_leave(r);
        if (status) {
            break;
        }
    }
    lbio_leave(r);
    return status;
}

/* --- Wishes ------------------------------------------------------------------------------------------ */

static lb_status read_posture(lbio_reader *r, const json_t *value) {
    static const char *const keys[] = {"weight", "pose", NULL};
    lb_problem *problem = r->file->problem;
    double weight = 0.01;
    if (!json_is_object(value)) {
        lb_status status = lbio_json_value(r, value, LBIO_PLAIN, &weight);
        if (!status && lb_problem_set_posture(problem, NULL, weight)) {
            status = lbio_reader_fail(r, LB_ERROR_ARGUMENT, "%s", lb_problem_error(problem)->message);
        }
        return status;
    }
    lb_status status = lbio_check_keys(r, value, keys);
    status = status ? status : lbio_get_value(r, value, "weight", LBIO_PLAIN, 0, 1e300, &weight);
    if (status) {
        return status;
    }
    double *pose = malloc(((size_t)lb_problem_variable_count(problem) + 1) * sizeof *pose);
    if (!pose) {
        return lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
    }
    for (int k = 0; k < r->file->figure_count; k++) {
        lb_figure_rest_pose(r->file->figures[k], pose + lb_problem_first_variable(problem, k));
    }
    const json_t *values = lbio_member(r, value, "pose");
    if (values) {
        status = lbio_read_values(r, values, pose);
        lbio_leave(r);
    }
    status = status ? status : lb_problem_set_posture(problem, pose, weight);
    free(pose);
    return status;
}

static lb_status read_margin(lbio_reader *r, const json_t *value) {
    static const char *const keys[] = {"distance", "weight", NULL};
    double distance = 0.05, weight = 0.01;
    lb_status status = lbio_check_keys(r, value, keys);
    status = status ? status : lbio_get_value(r, value, "distance", LBIO_EITHER, 0, 1e6, &distance);
    status = status ? status : lbio_get_value(r, value, "weight", LBIO_PLAIN, 0, 1e300, &weight);
    return status ? status : lb_problem_set_margin(r->file->problem, distance, weight);
}

static lb_status read_wishes(lbio_reader *r, const json_t *root) {
    static const char *const keys[] = {"posture", "stay", "margin", "middle", "manipulability", "level", NULL};
    const json_t *object = lbio_member(r, root, "wishes");
    static const char *const levels[] = {"own", "goals"};
    double stay = 0, middle = 0, manipulability = 0;
    int level = LB_WISH_LEVEL_OWN;
    if (!object) {
        return LB_OK;
    }
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_choice(r, object, "level", levels, 2, &level);
    status = status ? status : lb_problem_set_wish_level(r->file->problem, (lb_wish_level)level);
    status = status ? status : lbio_get_value(r, object, "stay", LBIO_PLAIN, 0, 1e300, &stay);
    status = status ? status : lb_problem_set_stay(r->file->problem, stay);
    status = status ? status : lbio_get_value(r, object, "middle", LBIO_PLAIN, 0, 1e300, &middle);
    status = status ? status : lb_problem_set_middle(r->file->problem, middle);
    status = status ? status : lbio_get_value(r, object, "manipulability", LBIO_PLAIN, 0, 1e300, &manipulability);
    status = status ? status : lb_problem_set_manipulability(r->file->problem, manipulability);
    status = status ? status : each(r, object, "posture", 1, read_posture);
    status = status ? status : each(r, object, "margin", 1, read_margin);
    lbio_leave(r);
    return status;
}

lb_status lbio_read_support(lbio_reader *r, const json_t *root) {
    lb_problem *problem = r->file->problem;
    if (json_object_get(root, "active")) { /* only what is named */
        for (int k = 0; k < lb_problem_variable_count(problem); k++) {
            lb_problem_set_active(problem, k, 0);
        }
    }
    lb_status status = each(r, root, "active", 0, read_active);
    status = status ? status : each(r, root, "inactive", 0, read_inactive);
    status = status ? status : read_rigidity(r, root);
    status = status ? status : each(r, root, "keep", 0, read_keep);
    status = status ? status : each(r, root, "balance", 1, read_balance);
    status = status ? status : each(r, root, "avoid", 0, read_avoid);
    return status ? status : read_wishes(r, root);
}
