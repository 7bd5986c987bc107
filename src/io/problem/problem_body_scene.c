/* What a body meets, in a problem file: surfaces and what rests on them, obstacles; and where elbows and knees
 * point. */
#include "figure/suggest.h"
#include "io/json/json_write.h"
#include "io/problem/problem_body.h"
#include <math.h>
#include <string.h>

/* --- Surfaces and supports ------------------------------------------------------------------------- */

/* Half the size of a surface or box along each of its axes: null is without end. */
static lb_status read_half_size(lbio_reader *r, const json_t *object, int count, double *half_size) {
    const json_t *list = lbio_member(r, object, "half_size");
    lb_status status = LB_OK;
    for (int i = 0; i < count; i++) {
        half_size[i] = INFINITY;
    }
    if (!list) {
        return LB_OK;
    }
    if (!json_is_array(list) || json_array_size(list) != (size_t)count) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "a list of %d lengths was expected, along %s", count,
                                  count == 2 ? "x and along y" : "x, y and z");
    }
    for (int i = 0; i < count && !status; i++) {
        const json_t *item = json_array_get(list, (size_t)i);
        lbio_enter_index(r, i);
        status = json_is_null(item) ? LB_OK : lbio_json_value(r, item, LBIO_LENGTH, &half_size[i]);
        if (!status && !(half_size[i] > 0)) {
            status = lbio_reader_fail(r, LB_ERROR_ARGUMENT, "half a size must be above 0; null is without end");
        }
        lbio_leave(r);
    }
    lbio_leave(r);
    return status;
}

static int surface_called(const lbio_body_file *b, const char *name) {
    for (int k = 0; k < b->options.surface_count; k++) {
        if (strcmp(b->surfaces[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

static lb_status read_surface(lbio_reader *r, const json_t *object, lbio_body_file *b) {
    static const char *const keys[] = {"name", "point", "half_size", "normal", "along", "thickness", NULL};
    lb_surface surface = {.name = NULL};
    int has_point = 0;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_string(r, object, "name", &surface.name);
    status = status ? status : lbio_get_vector(r, object, "point", LBIO_LENGTH, 3, surface.point, &has_point);
    status = status ? status : read_half_size(r, object, 2, surface.half_size);
    status = status ? status : lbio_get_vector(r, object, "normal", LBIO_PLAIN, 3, surface.normal, NULL);
    status = status ? status : lbio_get_vector(r, object, "along", LBIO_PLAIN, 3, surface.along, NULL);
    status = status ? status : lbio_get_value(r, object, "thickness", LBIO_LENGTH, 0, INFINITY, &surface.thickness);
    if (status) {
        return status;
    }
    if (!surface.name || !has_point) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a surface needs a `name`, and the `point` that is its middle");
    }
    if (strcmp(surface.name, "floor") == 0 || surface_called(b, surface.name) >= 0) {
        return lbio_reader_fail(r, LB_ERROR_NAME, "there is a surface `%.60s` already; give this one another name",
                                surface.name);
    }
    b->surfaces[b->options.surface_count++] = surface;
    return LB_OK;
}

lb_status lbio_read_surfaces(lbio_reader *r, const json_t *list, lbio_body_file *b) {
    lb_status status = lbio_check_list(r, list, 0, LB_BODY_PARTS);
    for (size_t k = 0; !status && k < json_array_size(list); k++) {
        lbio_enter_index(r, (int)k);
        status = read_surface(r, json_array_get(list, k), b);
        lbio_leave(r);
    }
    return status;
}

static lb_status no_such_contact(lbio_reader *r, const lbio_body_file *b, const char *name) {
    char text[LBF_SUGGESTION_TEXT];
    lbf_suggestions near_names;
    lbf_suggest_begin(&near_names, name);
    for (int k = 0; k < b->body->contact_count; k++) {
        lbf_suggest_offer(&near_names, b->body->contacts[k].name, b->body->contacts[k].name);
    }
    lbf_suggest_text(&near_names, text);
    return lbio_reader_fail(r, LB_ERROR_NAME, "the body of figure `%.40s` has no contact `%.60s`; %s",
                            r->file->names[b->figure], name,
                            *text ? text : "its file lists them in the statement `body`");
}

static lb_status no_such_surface(lbio_reader *r, const lbio_body_file *b, const char *name) {
    char text[LBF_SUGGESTION_TEXT];
    lbf_suggestions near_names;
    lbf_suggest_begin(&near_names, name);
    lbf_suggest_offer(&near_names, "floor", "floor");
    for (int k = 0; k < b->options.surface_count; k++) {
        lbf_suggest_offer(&near_names, b->surfaces[k].name, b->surfaces[k].name);
    }
    lbf_suggest_text(&near_names, text);
    return lbio_reader_fail(r, LB_ERROR_NAME, "there is no surface `%.60s`; %s", name,
                            *text ? text : "`surfaces` lists them, and there is the `floor`");
}

lb_status lbio_rest_on(lbio_reader *r, lbio_body_file *b, int contact, const char *surface) {
    lb_support support = {contact, -1};
    if (strcmp(surface, "floor") != 0) {
        support.surface = surface_called(b, surface);
        if (support.surface < 0) {
            return no_such_surface(r, b, surface);
        }
    }
    for (int k = 0; k < b->options.support_count; k++) {
        if (b->supports[k].contact == contact) {
            return lbio_reader_fail(r, LB_ERROR_SYNTAX, "it is told twice what `%.60s` rests on",
                                    b->body->contacts[contact].name);
        }
    }
    if (b->options.support_count == LB_BODY_PARTS) {
        return lbio_reader_fail(r, LB_ERROR_TOO_LARGE, "a body may have %d supports at most", LB_BODY_PARTS);
    }
    b->supports[b->options.support_count++] = support;
    return LB_OK;
}

/* The contact that a name means: itself, or the heel of a foot that is called `left_foot`. */
static int contact_meant(const lb_body *body, const char *name) {
    static const char ending[] = "_foot";
    const size_t length = strlen(name), tail = sizeof ending - 1;
    char key[100];
    const int contact = lbio_contact_called(body, name);
    if (contact >= 0 || length <= tail || length >= sizeof key || strcmp(name + length - tail, ending) != 0) {
        return contact;
    }
    memcpy(key, name, length - tail);
    key[length - tail] = 0;
    for (int k = 0; k < body->contact_count; k++) {
        if (lbio_names_foot(body, k, key)) {
            return k;
        }
    }
    return -1;
}

lb_status lbio_read_supports(lbio_reader *r, const json_t *object, lbio_body_file *b) {
    const char *name;
    json_t *value;
    lb_status status = LB_OK;
    if (!json_is_object(object)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "surfaces by contact were expected, as {\"left_palm\": \"table\"}");
    }
    json_object_foreach((json_t *)object, name, value) {
        const char *on = json_string_value(value);
        const int contact = contact_meant(b->body, name);
        lbio_enter(r, name);
        status = contact < 0 ? no_such_contact(r, b, name)
                 : !on       ? lbio_reader_fail(r, LB_ERROR_SYNTAX, "the name of a surface was expected, or \"floor\"")
                             : lbio_rest_on(r, b, contact, on);
        lbio_leave(r);
        if (status) {
            break;
        }
    }
    return status;
}

/* --- Obstacles ------------------------------------------------------------------------------------- */

static const char *const obstacle_kinds[] = {"sphere", "capsule", "box"};

/* The kind of an obstacle, and that it has no keys but those of its kind. */
static lb_status read_obstacle_kind(lbio_reader *r, const json_t *object, int *kind) {
    static const char *const any_key[] = {"name",      "kind", "point",      "to", "radius",
                                          "half_size", "rpy",  "quaternion", NULL};
    static const char *const keys[][7] = {{"name", "kind", "point", "radius", NULL},
                                          {"name", "kind", "point", "to", "radius", NULL},
                                          {"name", "kind", "point", "half_size", "rpy", "quaternion", NULL}};
    *kind = -1;
    lb_status status = lbio_check_keys(r, object, any_key);
    status = status ? status : lbio_get_choice(r, object, "kind", obstacle_kinds, 3, kind);
    if (!status && *kind < 0) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "an obstacle needs its `kind`: sphere, capsule or box");
    }
    return status ? status : lbio_check_keys(r, object, keys[*kind]);
}

/* {"kind": "box", "point": [0.6, 0, 0.35], "half_size": [0.3, 0.5, 0.35]} */
static lb_status read_obstacle(lbio_reader *r, const json_t *object, lbio_body_file *b) {
    static const lb_shape_kind kinds[] = {LB_SHAPE_SPHERE, LB_SHAPE_CAPSULE, LB_SHAPE_BOX};
    static const char *const needs[] = {"its `point` and a `radius` above 0",
                                        "both ends of its axis, `point` and `to`, and a `radius` above 0",
                                        "its middle, `point`, and its `half_size`"};
    lb_obstacle made = {.rotation = {0, 0, 0, 0}};
    int kind = -1, has_point = 0, has_to = 0, has_turn = 0;
    lb_status status = read_obstacle_kind(r, object, &kind);
    status = status ? status : lbio_get_string(r, object, "name", &made.name);
    status = status ? status : lbio_get_vector(r, object, "point", LBIO_LENGTH, 3, made.point, &has_point);
    status = status ? status : lbio_get_vector(r, object, "to", LBIO_LENGTH, 3, made.to, &has_to);
    status = status ? status : lbio_get_value(r, object, "radius", LBIO_LENGTH, 0, INFINITY, &made.radius);
    status = status || kind < 2 ? status : read_half_size(r, object, 3, made.half_size);
    status = status ? status : lbio_get_rotation(r, object, made.rotation, &has_turn);
    if (status) {
        return status;
    }
    const int has_size = kind == 2 ? json_object_get(object, "half_size") != NULL : made.radius > 0;
    if (!has_point || !has_size || (kind == 1 && !has_to)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a %s needs %s", obstacle_kinds[kind], needs[kind]);
    }
    made.kind = kinds[kind];
    b->obstacles[b->options.obstacle_count++] = made;
    return LB_OK;
}

lb_status lbio_read_obstacles(lbio_reader *r, const json_t *list, lbio_body_file *b) {
    lb_status status = lbio_check_list(r, list, 0, LB_BODY_PARTS);
    for (size_t k = 0; !status && k < json_array_size(list); k++) {
        lbio_enter_index(r, (int)k);
        status = read_obstacle(r, json_array_get(list, k), b);
        lbio_leave(r);
    }
    return status;
}

/* --- Swivels --------------------------------------------------------------------------------------- */

#define SIDES 6

/* A side of the body. Returns -1 where there is none of that name. */
static int side_called(const char *name) {
    for (int k = 0; k < SIDES; k++) {
        if (strcmp(lb_side_name((lb_side)k), name) == 0) {
            return k;
        }
    }
    return -1;
}

/* {"direction": [0, -1, 0], "segment": "pelvis"} */
static lb_status read_placed_swivel(lbio_reader *r, const json_t *object, const lbio_body_file *b, double direction[3],
                                    int *segment) {
    static const char *const keys[] = {"direction", "segment", NULL};
    const char *name = NULL;
    int has = 0;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_vector(r, object, "direction", LBIO_PLAIN, 3, direction, &has);
    status = status ? status : lbio_get_string(r, object, "segment", &name);
    if (!status && !has) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "a `direction` was expected");
    }
    if (!status && name) {
        *segment = lb_figure_find_segment(r->file->figures[b->figure], name);
        status = *segment < 0 ? lbio_no_such(r, b->figure, "segment", name) : LB_OK;
    }
    return status;
}

static lb_status read_swivel(lbio_reader *r, const char *joint, const json_t *value, lbio_body_file *b) {
    const lb_figure *figure = r->file->figures[b->figure];
    const char *word = json_string_value(value);
    const int side = word ? side_called(word) : -1;
    double direction[3] = {0, 0, 0};
    lb_swivel made;
    int segment = -1;
    lb_status status = LB_OK;
    if (word && side < 0) {
        return lbio_reader_fail(
            r, LB_ERROR_NAME,
            "there is no side `%.40s`; there are up, down, out, in, forward and back, or a direction "
            "as [0, -1, 0]",
            word);
    }
    if (!word) {
        status = json_is_object(value) ? read_placed_swivel(r, value, b, direction, &segment)
                                       : lbio_json_vector(r, value, LBIO_PLAIN, 3, direction);
    }
    if (status) {
        return status;
    }
    status = word ? lb_swivel_side(figure, joint, (lb_side)side, &made) : lb_swivel_at(figure, joint, direction, &made);
    if (status == LB_ERROR_NAME) {
        return lbio_no_such(r, b->figure, "joint", joint);
    }
    if (status == LB_ERROR_UNSUPPORTED) {
        return lbio_reader_fail(r, status,
                                "joint `%.60s` is not in the middle of an arm or leg, as an elbow or knee is", joint);
    }
    if (status) {
        return lbio_reader_fail(r, status, status == LB_ERROR_MEMORY ? "out of memory" : "this is no direction");
    }
    made.segment = segment >= 0 ? segment : made.segment;
    b->swivels[b->options.swivel_count++] = made;
    return LB_OK;
}

lb_status lbio_read_swivels(lbio_reader *r, const json_t *object, lbio_body_file *b) {
    const char *joint;
    json_t *value;
    lb_status status = LB_OK;
    if (!json_is_object(object)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                "directions by joint were expected, as {\"right_elbow\": \"down\"}");
    }
    if (json_object_size(object) > LB_BODY_PARTS) {
        return lbio_reader_fail(r, LB_ERROR_TOO_LARGE, "a body may have %d swivels at most", LB_BODY_PARTS);
    }
    json_object_foreach((json_t *)object, joint, value) {
        lbio_enter(r, joint);
        status = read_swivel(r, joint, value, b);
        lbio_leave(r);
        if (status) {
            break;
        }
    }
    return status;
}

/* The joint whose swivel is about this limb; NULL: none. */
static const char *joint_of(const lb_figure *figure, const lb_swivel *swivel) {
    for (int k = 0; k < lb_figure_joint_count(figure); k++) {
        const char *name = lb_figure_joint(figure, k)->name;
        lb_swivel made;
        if (!lb_swivel_at(figure, name, swivel->direction, &made) && made.middle == swivel->middle &&
            made.upper == swivel->upper && made.lower == swivel->lower) {
            return name;
        }
    }
    return NULL;
}

/* --- Writing ---------------------------------------------------------------------------------------- */

static int can_write_surfaces(const lb_body_options *options) {
    for (int k = 0; k < options->surface_count; k++) {
        for (int i = 0; i < k; i++) {
            if (strcmp(options->surfaces[i].name, options->surfaces[k].name) == 0) {
                return 0;
            }
        }
        if (strcmp(options->surfaces[k].name, "floor") == 0) {
            return 0;
        }
    }
    return 1;
}

int lbio_can_write_scene(const lb_figure *figure, const lb_body_options *options) {
    const lb_body *body = lb_figure_body(figure);
    for (int k = 0; k < options->support_count; k++) {
        const int contact = options->supports[k].contact;
        for (int i = 0; i < k; i++) {
            if (options->supports[i].contact == contact) {
                return 0;
            }
        }
        if (lbio_contact_called(body, body->contacts[contact].name) != contact) {
            return 0;
        }
    }
    for (int k = 0; k < options->swivel_count; k++) {
        for (int i = 0; i < k; i++) {
            if (options->swivels[i].middle == options->swivels[k].middle) {
                return 0;
            }
        }
        if (!joint_of(figure, &options->swivels[k])) {
            return 0;
        }
    }
    return can_write_surfaces(options);
}

static int is_zero(const double *v, int count) {
    for (int k = 0; k < count; k++) {
        if (v[k] != 0) {
            return 0;
        }
    }
    return 1;
}

static void put_surface(lbio_json *json, const lb_surface *surface) {
    lbio_json_open(json, NULL, '{');
    lbio_json_string(json, "name", surface->name);
    lbio_json_numbers(json, "point", surface->point, 3);
    lbio_json_numbers(json, "half_size", surface->half_size, 2);
    if (!is_zero(surface->normal, 3)) {
        lbio_json_numbers(json, "normal", surface->normal, 3);
    }
    if (!is_zero(surface->along, 3)) {
        lbio_json_numbers(json, "along", surface->along, 3);
    }
    if (surface->thickness > 0) {
        lbio_json_number(json, "thickness", surface->thickness);
    }
    lbio_json_close(json, '}');
}

static void put_obstacle(lbio_json *json, const lb_obstacle *obstacle) {
    const int is_box = obstacle->kind == LB_SHAPE_BOX, is_capsule = obstacle->kind == LB_SHAPE_CAPSULE;
    lbio_json_open(json, NULL, '{');
    if (obstacle->name && *obstacle->name) {
        lbio_json_string(json, "name", obstacle->name);
    }
    lbio_json_string(json, "kind", is_box ? "box" : is_capsule ? "capsule" : "sphere");
    lbio_json_numbers(json, "point", obstacle->point, 3);
    if (is_capsule) {
        lbio_json_numbers(json, "to", obstacle->to, 3);
    }
    if (is_box) {
        lbio_json_numbers(json, "half_size", obstacle->half_size, 3);
        if (!is_zero(obstacle->rotation, 4)) {
            lbio_json_numbers(json, "quaternion", obstacle->rotation, 4);
        }
    } else {
        lbio_json_number(json, "radius", obstacle->radius);
    }
    lbio_json_close(json, '}');
}

static void put_swivels(lbio_json *json, const lb_figure *figure, const lb_body_options *options) {
    lbio_json_open(json, "swivels", '{');
    for (int k = 0; k < options->swivel_count; k++) {
        const lb_swivel *swivel = &options->swivels[k];
        const char *joint = joint_of(figure, swivel);
        if (swivel->segment < 0) {
            lbio_json_numbers(json, joint, swivel->direction, 3);
            continue;
        }
        lbio_json_open(json, joint, '{');
        lbio_json_numbers(json, "direction", swivel->direction, 3);
        lbio_json_string(json, "segment", lb_figure_segment(figure, swivel->segment)->name);
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, '}');
}

void lbio_put_scene(lbio_json *json, const lb_figure *figure, const lb_body_options *options) {
    const lb_body *body = lb_figure_body(figure);
    lbio_json_open(json, "surfaces", '[');
    for (int k = 0; k < options->surface_count; k++) {
        put_surface(json, &options->surfaces[k]);
    }
    lbio_json_close(json, ']');
    lbio_json_open(json, "supports", '{');
    for (int k = 0; k < options->support_count; k++) {
        const lb_support *support = &options->supports[k];
        lbio_json_string(json, body->contacts[support->contact].name,
                         support->surface < 0 ? "floor" : options->surfaces[support->surface].name);
    }
    lbio_json_close(json, '}');
    lbio_json_open(json, "obstacles", '[');
    for (int k = 0; k < options->obstacle_count; k++) {
        put_obstacle(json, &options->obstacles[k]);
    }
    lbio_json_close(json, ']');
    put_swivels(json, figure, options);
}
