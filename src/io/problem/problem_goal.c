/* Constraints of problem files: which end-effector, which goal, and how much it matters. */
#include "io/problem/problem.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"position", "orientation", "frame",   "aim",    "line", "plane",     "half-space",
                                    "box",      "sphere",      "capsule", "circle", "disc", "polyhedron"};

#define KINDS 13
#define KEYS_MOST 12

/* What each kind may have; those marked with ! it must have. */
static const char *const goal_keys[KINDS][KEYS_MOST] = {
    {"!point"},
    {"rpy", "quaternion", "x", "y", "degrees_per_metre"},
    {"!point", "rpy", "quaternion", "x", "y", "degrees_per_metre", "position_weight"},
    {"!point", "degrees_per_metre"},
    {"!point", "!direction"},
    {"!point", "!normal"},
    {"!point", "!normal"},
    {"!point", "!half_size", "rpy", "quaternion", "outside"},
    {"!point", "!radius", "outside"},
    {"!point", "!to", "!radius", "outside"},
    {"!point", "!radius", "normal", "rpy", "quaternion"},
    {"!point", "!radius", "normal", "rpy", "quaternion", "outside"},
    {"!faces", "outside"},
};

static lb_status check_goal_keys(lbio_reader *r, const json_t *object, int kind) {
    const char *keys[KEYS_MOST + 3] = {"kind", "relative_to"};
    int count = 2;
    for (int k = 0; k < KEYS_MOST && goal_keys[kind][k]; k++) {
        keys[count++] = goal_keys[kind][k] + (goal_keys[kind][k][0] == '!');
    }
    lb_status status = lbio_check_keys(r, object, keys);
    for (int k = 2; k < count && !status; k++) {
        int is_carried = json_object_get(object, "relative_to") && strcmp(keys[k], "point") == 0;
        if (goal_keys[kind][k - 2][0] == '!' && !is_carried && !json_object_get(object, keys[k])) {
            status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "a goal of kind `%s` needs `%s`", kinds[kind], keys[k]);
        }
    }
    return status;
}

/* --- Directions ----------------------------------------------------------------------------------- */

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* A unit vector at right angles to the unit vector v, as near to `wish` as it can be, or any. */
static void at_right_angles(const double v[3], const double wish[3], double out[3]) {
    double length = 0;
    for (int attempt = 0; attempt < 4 && !(length > 1e-6); attempt++) {
        double axis[3] = {attempt == 1, attempt == 2, attempt == 3};
        const double *from = attempt ? axis : wish;
        double along = dot(v, from);
        for (int i = 0; i < 3; i++) {
            out[i] = from[i] - along * v[i];
        }
        length = sqrt(dot(out, out));
        for (int i = 0; i < 3 && length > 0; i++) {
            out[i] /= length;
        }
    }
}

/* The rotation whose z is this unit vector. */
static void turn_z_to(const double z[3], double rotation[4]) {
    const double wish[3] = {1, 0, 0};
    double x[3], y[3];
    at_right_angles(z, wish, x);
    cross(z, x, y);
    const double matrix[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
    lb_rotation_from_matrix(matrix, rotation);
}

/* x and y of an effector or goal: one of them alone has the other at right angles, both must be so. */
static lb_status read_axes(lbio_reader *r, const json_t *object, double x[3], double y[3], int *has_x, int *has_y) {
    lb_status status = lbio_get_direction(r, object, "x", x, has_x);
    status = status ? status : lbio_get_direction(r, object, "y", y, has_y);
    if (status) {
        return status;
    }
    if (*has_x && *has_y && fabs(dot(x, y)) > 1e-3) {
        return lbio_reader_fail(r, LB_ERROR_ARGUMENT, "`x` and `y` are not at right angles");
    }
    double other[3];
    if (*has_x) {
        at_right_angles(x, y, other);
        memcpy(y, other, sizeof other);
    } else if (*has_y) {
        at_right_angles(y, x, other);
        memcpy(x, other, sizeof other);
    }
    return LB_OK;
}

/* --- Goals ---------------------------------------------------------------------------------------- */

static lb_status read_degrees(lbio_reader *r, const json_t *object, lb_goal *goal) {
    double both[2] = {goal->degrees_x, goal->degrees_y};
    const json_t *member = lbio_member(r, object, "degrees_per_metre");
    if (!member) {
        return LB_OK;
    }
    lb_status status = json_is_array(member) ? lbio_json_vector(r, member, LBIO_PLAIN, 2, both)
                                             : lbio_json_value(r, member, LBIO_PLAIN, &both[0]);
    both[1] = json_is_array(member) ? both[1] : both[0];
    if (!status && !(both[0] >= 0 && both[1] >= 0)) {
        status =
            lbio_reader_fail(r, LB_ERROR_ARGUMENT, "degrees per metre cannot be negative; 0 leaves a direction free");
    }
    lbio_leave(r);
    goal->degrees_x = goal->degrees_x > 0 ? both[0] : 0; /* a direction that is not given stays free */
    goal->degrees_y = goal->degrees_y > 0 ? both[1] : 0;
    return status;
}

static lb_status read_directions(lbio_reader *r, const json_t *object, lb_goal *goal) {
    double rotation[4] = {0, 0, 0, 1}, m[9];
    int has_rotation = 0, has_x = 0, has_y = 0;
    lb_status status = lbio_get_rotation(r, object, rotation, &has_rotation);
    status = status ? status : read_axes(r, object, goal->x, goal->y, &has_x, &has_y);
    if (status) {
        return status;
    }
    if (has_rotation && (has_x || has_y)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "give `x` and `y`, or `rpy` or `quaternion`, not both");
    }
    if (has_x != has_y) {
        goal->degrees_x = has_x ? goal->degrees_x : 0;
        goal->degrees_y = has_y ? goal->degrees_y : 0;
    } else if (!has_x) {
        lb_rotation_to_matrix(rotation, m);
        for (int i = 0; i < 3; i++) {
            goal->x[i] = m[3 * i], goal->y[i] = m[3 * i + 1];
        }
    }
    if (!has_rotation && !has_x && !has_y && !json_object_get(object, "relative_to")) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "which way? give `rpy`, `quaternion`, or `x` and `y`");
    }
    return LB_OK;
}

static lb_status read_capsule(lbio_reader *r, const json_t *object, lb_goal *goal) {
    double to[3], way[3], length = 0;
    const double up[3] = {0, 0, 1};
    int has_to = 0;
    lb_status status = lbio_get_vector(r, object, "to", LBIO_LENGTH, 3, to, &has_to);
    if (status || !has_to) {
        return status;
    }
    for (int i = 0; i < 3; i++) {
        way[i] = to[i] - goal->point[i];
        goal->point[i] = (to[i] + goal->point[i]) / 2;
        length += way[i] * way[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++) {
        way[i] = length > 0 ? way[i] / length : up[i];
    }
    goal->size[1] = length / 2;
    turn_z_to(way, goal->rotation);
    return LB_OK;
}

static lb_status read_faces(lbio_reader *r, const json_t *object, lb_goal *goal, double (**faces)[4]) {
    const json_t *list = lbio_member(r, object, "faces");
    if (!list) {
        return LB_OK;
    }
    lb_status status = lbio_check_list(r, list, 1, 10000);
    size_t count = status ? 0 : json_array_size(list);
    double(*read)[4] = status ? NULL : malloc(count * sizeof *read);
    if (!status && !read) {
        status = lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
    }
    for (size_t k = 0; k < count && !status; k++) {
        lbio_enter_index(r, (int)k);
        status = lbio_json_vector(r, json_array_get(list, k), LBIO_PLAIN, 4, read[k]);
        lbio_leave(r);
    }
    lbio_leave(r);
    if (status) {
        free(read);
        return status;
    }
    *faces = read;
    goal->face_count = (int)count;
    goal->faces = (const double(*)[4])read;
    return LB_OK;
}

/* From the site's frame into that of its segment. */
static void carry_goal(const lb_frame *site, lb_goal *goal, double (*faces)[4]) {
    lb_frame frame, moved;
    double m[9];
    lb_rotation_to_matrix(site->rotation, m);
    memcpy(frame.position, goal->point, sizeof frame.position);
    memcpy(frame.rotation, goal->rotation, sizeof frame.rotation);
    lb_frame_multiply(site, &frame, &moved);
    memcpy(goal->point, moved.position, sizeof goal->point);
    memcpy(goal->rotation, moved.rotation, sizeof goal->rotation);
    double *vectors[3] = {goal->x, goal->y, goal->normal};
    for (int k = 0; k < 3 + goal->face_count; k++) {
        double *v = k < 3 ? vectors[k] : faces[k - 3];
        double turned[3] = {dot(m, v), dot(m + 3, v), dot(m + 6, v)};
        memcpy(v, turned, sizeof turned);
        if (k >= 3) {
            v[3] += dot(turned, site->position);
        }
    }
}

static lb_status read_carrier(lbio_reader *r, const json_t *object, lb_goal *goal, double (*faces)[4]) {
    static const char *const keys[] = {"segment", NULL};
    const char *name = NULL, *rest;
    const json_t *member = json_object_get(object, "relative_to");
    int figure;
    lbio_place place;
    lb_status status = LB_OK;
    if (json_is_object(member)) { /* a segment's own frame */
        lbio_enter(r, "relative_to");
        status = lbio_check_keys(r, member, keys);
        status = status ? status : lbio_get_string(r, member, "segment", &name);
        figure = status || !name ? 0 : lbio_split_name(r, name, &rest);
        goal->carrier_figure = figure;
        goal->carrier_segment = status || !name ? -1 : lb_figure_find_segment(r->file->figures[figure], rest);
        if (!status && goal->carrier_segment < 0) {
            status = name ? lbio_no_such(r, figure, "segment", rest)
                          : lbio_reader_fail(r, LB_ERROR_SYNTAX, "`segment` is missing");
        }
        lbio_leave(r);
        return status;
    }
    status = lbio_get_string(r, object, "relative_to", &name);
    if (status || !name) {
        return status;
    }
    lbio_enter(r, "relative_to");
    status = lbio_find_place(r, name, &place);
    lbio_leave(r);
    if (status) {
        return status;
    }
    goal->carrier_figure = place.figure;
    goal->carrier_segment = place.segment;
    if (place.site >= 0) {
        carry_goal(&place.frame, goal, faces);
    }
    return LB_OK;
}

/* The goal's kind, and whether it has all its keys. */
static lb_status read_kind(lbio_reader *r, const json_t *object, int *kind) {
    if (!json_is_object(object)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                "a goal is an object, as in {\"kind\": \"position\", \"point\": [0, 0, 1]}");
    }
    lb_status status = lbio_get_choice(r, object, "kind", kinds, KINDS, kind);
    if (!status && *kind < 0) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "the goal has no `kind`, as in {\"kind\": \"position\", ...}");
    }
    return status ? status : check_goal_keys(r, object, *kind);
}

lb_status lbio_read_goal(lbio_reader *r, const json_t *object, lb_goal *goal, double (**faces)[4]) {
    int kind = -1, unused = 0, has_turn = 0;
    double share = 0.5;
    lb_goal_defaults(goal);
    lb_status status = read_kind(r, object, &kind);
    if (status) {
        return status;
    }
    goal->kind = (lb_goal_kind)kind;
    status = lbio_get_vector(r, object, "point", LBIO_LENGTH, 3, goal->point, &unused);
    if (kind == LB_GOAL_ORIENTATION || kind == LB_GOAL_FRAME) {
        status = status ? status : read_directions(r, object, goal);
    } else {
        status = status ? status : lbio_get_rotation(r, object, goal->rotation, &has_turn);
    }
    status = status ? status : read_degrees(r, object, goal);
    status = status ? status : lbio_get_value(r, object, "position_weight", LBIO_PLAIN, 0, 1, &share);
    goal->weight_position = share, goal->weight_orientation = 1 - share;
    status = status ? status
                    : lbio_get_direction(r, object, kind == LB_GOAL_LINE ? "direction" : "normal", goal->normal, NULL);
    status = status ? status : lbio_get_vector(r, object, "half_size", LBIO_LENGTH, 3, goal->size, &unused);
    status = status ? status : lbio_get_value(r, object, "radius", LBIO_LENGTH, 0, 1e9, &goal->size[0]);
    status = status ? status : lbio_get_truth(r, object, "outside", &goal->outside);
    status = status ? status : read_capsule(r, object, goal);
    if (!status && !has_turn && (kind == LB_GOAL_CIRCLE || kind == LB_GOAL_DISC)) {
        turn_z_to(goal->normal, goal->rotation);
    }
    status = status ? status : read_faces(r, object, goal, faces);
    return status ? status : read_carrier(r, object, goal, *faces);
}

/* --- End-effectors -------------------------------------------------------------------------------- */

static int is_com(lbio_reader *r, const char *name, int *figure) {
    const char *rest;
    int segment = -1, site = -1;
    *figure = lbio_split_name(r, name, &rest);
    return strcmp(rest, "com") == 0 && lb_figure_find_place(r->file->figures[*figure], rest, &segment, &site, NULL);
}

static lb_status effector_by_name(lbio_reader *r, const char *name, lb_constraint *c) {
    lbio_place place;
    if (is_com(r, name, &c->figure)) {
        lb_effector_from_com(&c->effector);
        return LB_OK;
    }
    lb_status status = lbio_find_place(r, name, &place);
    if (status) {
        return status;
    }
    c->figure = place.figure;
    const lb_figure *figure = r->file->figures[place.figure];
    return place.site >= 0 ? lb_effector_from_site(figure, place.site, &c->effector)
                           : lb_effector_from_segment(figure, place.segment, &c->effector);
}

/* The frame that the effector is a part of: a segment's own, or that of a site (or again of a segment). */
static lb_status effector_base(lbio_reader *r, const char *segment, const char *site, lbio_place *place) {
    const char *rest;
    if (site && is_com(r, site, &place->figure)) {
        return lbio_reader_fail(r, LB_ERROR_NAME,
                                "the centre of mass has no directions, and no points beside it; write \"com\" alone");
    }
    if (site) {
        return lbio_find_place(r, site, place);
    }
    place->figure = lbio_split_name(r, segment, &rest);
    place->segment = lb_figure_find_segment(r->file->figures[place->figure], rest);
    lb_frame_identity(&place->frame);
    return place->segment < 0 ? lbio_no_such(r, place->figure, "segment", rest) : LB_OK;
}

/* A point, and perhaps axes, on a segment or at a site. */
static lb_status effector_by_part(lbio_reader *r, const json_t *object, lb_constraint *c) {
    static const char *const keys[] = {"segment", "site", "point", "x", "y", NULL};
    const char *segment = NULL, *site = NULL;
    lbio_place place;
    double point[3] = {0, 0, 0}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, m[9];
    int has_x = 0, has_y = 0, unused = 0;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_string(r, object, "segment", &segment);
    status = status ? status : lbio_get_string(r, object, "site", &site);
    status = status ? status : lbio_get_vector(r, object, "point", LBIO_LENGTH, 3, point, &unused);
    status = status ? status : read_axes(r, object, x, y, &has_x, &has_y);
    if (status) {
        return status;
    }
    if (!segment == !site) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "give a `segment` or a `site`%s", segment ? ", not both" : "");
    }
    status = effector_base(r, segment, site, &place);
    if (status) {
        return status;
    }
    c->figure = place.figure;
    c->effector.kind = LB_EFFECTOR_FRAME;
    c->effector.segment = place.segment;
    lb_rotation_to_matrix(place.frame.rotation, m);
    for (int i = 0; i < 3; i++) {
        c->effector.point[i] = place.frame.position[i] + dot(m + 3 * i, point);
        c->effector.x[i] = dot(m + 3 * i, x);
        c->effector.y[i] = dot(m + 3 * i, y);
    }
    return LB_OK;
}

static lb_status read_effector(lbio_reader *r, const json_t *object, lb_constraint *c) {
    const json_t *member = lbio_member(r, object, "effector");
    if (!member) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                "what of the figure? `effector` is missing, as in \"effector\": \"right_palm\"");
    }
    lb_status status =
        json_is_string(member) ? effector_by_name(r, json_string_value(member), c) : effector_by_part(r, member, c);
    lbio_leave(r);
    if (!c->name) {
        const json_t *part = json_is_string(member) ? member : json_object_get(member, "site");
        part = part ? part : json_object_get(member, "segment");
        c->name = json_string_value(part);
    }
    return status;
}

/* --- The rest of a constraint ---------------------------------------------------------------------- */

static lb_status read_group(lbio_reader *r, const json_t *object, int *number) {
    const json_t *member = lbio_member(r, object, "any_of");
    char name[64];
    if (!member) {
        return LB_OK;
    }
    lb_status status = LB_OK;
    if (json_is_string(member) && strlen(json_string_value(member)) < sizeof name) {
        snprintf(name, sizeof name, "%s", json_string_value(member));
    } else if (json_is_integer(member)) {
        snprintf(name, sizeof name, "%lld", (long long)json_integer_value(member));
    } else {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "a short name, or a number, was expected: alternatives share it");
    }
    for (int k = 0; k < r->group_count && !status && !*number; k++) {
        *number = strcmp(r->groups[k], name) == 0 ? k + 1 : 0;
    }
    if (!status && !*number && r->group_count == r->group_capacity) {
        int capacity = r->group_capacity ? 2 * r->group_capacity : 16;
        void *bigger = realloc(r->groups, (size_t)capacity * sizeof *r->groups);
        if (bigger) {
            r->groups = bigger, r->group_capacity = capacity;
        } else {
            status = lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
        }
    }
    if (!status && !*number) {
        memcpy(r->groups[r->group_count], name, sizeof name);
        *number = ++r->group_count;
    }
    lbio_leave(r);
    return status;
}

static lb_status read_tolerance(lbio_reader *r, const json_t *object, lb_constraint *c) {
    const json_t *member = lbio_member(r, object, "tolerance");
    if (!member) {
        return LB_OK;
    }
    lb_status status = json_is_array(member) ? lbio_json_vector(r, member, LBIO_LENGTH, 3, c->tolerance)
                                             : lbio_json_value(r, member, LBIO_LENGTH, &c->tolerance[0]);
    if (!json_is_array(member)) {
        c->tolerance[1] = c->tolerance[2] = c->tolerance[0];
    }
    if (!status && !(c->tolerance[0] >= 0 && c->tolerance[1] >= 0 && c->tolerance[2] >= 0)) {
        status = lbio_reader_fail(r, LB_ERROR_ARGUMENT, "a tolerance cannot be negative");
    }
    lbio_leave(r);
    return status;
}

/* The first joint behind a segment on the way from the root to the end-effector: what a chain from a link begins
 * with. */
static lb_status chain_from_segment(lbio_reader *r, const char *name, lb_constraint *c) {
    lbio_place place;
    const lb_figure *figure = r->file->figures[c->figure];
    lb_status status = lbio_find_place(r, name, &place);
    if (status) {
        return status;
    }
    if (place.figure != c->figure) {
        return lbio_reader_fail(r, LB_ERROR_NAME, "the chain starts in another figure than the end-effector's");
    }
    int below = c->effector.kind == LB_EFFECTOR_COM ? -1 : c->effector.segment;
    while (below >= 0 && lb_figure_parent_segment(figure, below) != place.segment) {
        below = lb_figure_parent_segment(figure, below);
    }
    if (below < 0) {
        return lbio_reader_fail(
            r, LB_ERROR_NAME,
            "`%.60s` does not lie between the root and the end-effector; a chain starts at a joint, "
            "or a segment, that does",
            name);
    }
    c->chain_start = lb_figure_parent_joint(figure, below);
    return LB_OK;
}

/* A joint, or what stands before it: a segment (or one of its sites). */
static lb_status read_chain(lbio_reader *r, const json_t *object, lb_constraint *c) {
    const char *name = NULL, *rest;
    lb_status status = lbio_get_string(r, object, "from", &name);
    if (status || !name) {
        return status;
    }
    lbio_enter(r, "from");
    int figure = lbio_split_name(r, name, &rest), segment = -1, site = -1;
    figure = rest == name ? c->figure : figure;
    c->chain_start = lb_figure_find_joint(r->file->figures[figure], rest);
    if (c->chain_start < 0 && lb_figure_find_place(r->file->figures[figure], rest, &segment, &site, NULL) == LB_OK) {
        status = chain_from_segment(r, name, c);
    } else if (c->chain_start < 0) {
        status = lbio_no_such(r, figure, "joint", rest);
    } else if (figure != c->figure) {
        status = lbio_reader_fail(r, LB_ERROR_NAME, "the chain starts in another figure than the end-effector's");
    }
    lbio_leave(r);
    return status;
}

lb_status lbio_read_manner(lbio_reader *r, const json_t *object, lb_constraint *c) {
    lb_status status = lbio_get_value(r, object, "weight", LBIO_PLAIN, 0, 1e300, &c->weight);
    status = status ? status : lbio_get_integer(r, object, "priority", 0, 1000, &c->priority);
    status = status ? status : read_tolerance(r, object, c);
    status = status ? status : lbio_get_value(r, object, "tolerance_angle", LBIO_ANGLE, 0, 1e9, &c->tolerance_rad);
    status = status ? status : lbio_get_truth(r, object, "disabled", &c->disabled);
    status = status ? status : read_chain(r, object, c);
    return status ? status : read_group(r, object, &c->any_of);
}

lb_status lbio_add(lbio_reader *r, const lb_constraint *constraint) {
    lb_problem *problem = r->file->problem;
    if (lb_problem_constraint_count(problem) >= LBIO_CONSTRAINTS_MOST) {
        return lbio_reader_fail(r, LB_ERROR_TOO_LARGE, "more than %d constraints; name fewer segments",
                                LBIO_CONSTRAINTS_MOST);
    }
    int id = lb_problem_add(problem, constraint);
    return id > 0 ? LB_OK : lbio_reader_fail(r, (lb_status)id, "%s", lb_problem_error(problem)->message);
}

static lb_status read_constraint(lbio_reader *r, const json_t *object) {
    static const char *const keys[] = {"name",        "effector", "goal",      "weight",          "priority",
                                       "any_of",      "from",     "tolerance", "tolerance_angle", "radius",
                                       "half_length", "disabled", NULL};
    lb_constraint c;
    double(*faces)[4] = NULL;
    lb_constraint_defaults(&c);
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_string(r, object, "name", &c.name);
    status = status ? status : read_effector(r, object, &c);
    status = status ? status : lbio_read_manner(r, object, &c);
    status = status ? status : lbio_get_value(r, object, "radius", LBIO_LENGTH, 0, 1e9, &c.radius);
    status = status ? status : lbio_get_value(r, object, "half_length", LBIO_LENGTH, 0, 1e9, &c.half_length);
    const json_t *goal = status ? NULL : lbio_member(r, object, "goal");
    if (goal) {
        status = lbio_read_goal(r, goal, &c.goal, &faces);
        lbio_leave(r);
    } else if (!status) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "where should it be? `goal` is missing");
    }
    status = status ? status : lbio_add(r, &c);
    free(faces);
    return status;
}

lb_status lbio_read_constraints(lbio_reader *r, const json_t *list) {
    lb_status status = lbio_check_list(r, list, 0, LBIO_CONSTRAINTS_MOST);
    for (size_t k = 0; !status && k < json_array_size(list); k++) {
        lbio_enter_index(r, (int)k);
        status = read_constraint(r, json_array_get(list, k));
        lbio_leave(r);
    }
    return status;
}
