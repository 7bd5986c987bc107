/* Figures that a problem file has posed as bodies: `body` at the top, for the first figure, or in an entry of
 * `figures`. */
#include "io/problem/problem_body.h"
#include "figure/suggest.h"
#include "io/json/json_write.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const lbio_foot_modes[4] = {"auto", "planted", "step", "lifted"};

/* The numbers of the options that are written under their own names. */
typedef struct named_field {
    const char *name;
    size_t offset;
} named_field;

#define FIELD(name) \
    { #name, offsetof(lb_body_options, name) }
static const named_field weights[] = {FIELD(posture), FIELD(comfort), FIELD(effort), FIELD(hang),
                                      FIELD(head),    FIELD(look),    FIELD(feet)};
static const named_field truths[] = {FIELD(balance), FIELD(above_floor), FIELD(apart),
                                     FIELD(eyes),    FIELD(props),       FIELD(drives)};
#define WEIGHT_COUNT (sizeof weights / sizeof *weights)
#define TRUTH_COUNT (sizeof truths / sizeof *truths)

static double *weight_of(lb_body_options *options, size_t k) {
    return (double *)(void *)((char *)options + weights[k].offset);
}

static int *truth_of(lb_body_options *options, size_t k) { return (int *)(void *)((char *)options + truths[k].offset); }

/* --- Terms ----------------------------------------------------------------------------------------- */

/* The weight of a term: a number, or true (1) or false (0). */
static lb_status read_weight(lbio_reader *r, const json_t *object, const char *key, double *out) {
    const json_t *member = json_object_get(object, key);
    if (json_is_boolean(member)) {
        *out = json_is_true(member);
        return LB_OK;
    }
    return lbio_get_value(r, object, key, LBIO_PLAIN, 0, INFINITY, out);
}

static lb_status read_terms(lbio_reader *r, const json_t *object, lb_body_options *options) {
    lb_status status = LB_OK;
    for (size_t k = 0; k < WEIGHT_COUNT && !status; k++) {
        status = read_weight(r, object, weights[k].name, weight_of(options, k));
    }
    for (size_t k = 0; k < TRUTH_COUNT && !status; k++) {
        status = lbio_get_truth(r, object, truths[k].name, truth_of(options, k));
    }
    status = status ? status : lbio_get_value(r, object, "friction", LBIO_PLAIN, 0, INFINITY, &options->friction);
    return status ? status : lbio_get_value(r, object, "floor", LBIO_LENGTH, -INFINITY, INFINITY, &options->floor);
}

int lbio_contact_called(const lb_body *body, const char *name) {
    for (int k = 0; k < body->contact_count; k++) {
        if (strcmp(body->contacts[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/* --- Feet ------------------------------------------------------------------------------------------ */

int lbio_leads_foot(const lb_body *body, int contact) {
    const lb_body_contact *c = &body->contacts[contact];
    if (c->limb < 0 || (c->kind != LB_CONTACT_HEEL && c->kind != LB_CONTACT_BALL)) {
        return 0;
    }
    for (int k = 0; k < body->contact_count && c->kind == LB_CONTACT_BALL; k++) {
        const lb_body_contact *other = &body->contacts[k];
        if (other->limb == c->limb &&
            (other->kind == LB_CONTACT_HEEL || (other->kind == LB_CONTACT_BALL && k < contact))) {
            return 0;
        }
    }
    return 1;
}

int lbio_names_foot(const lb_body *body, int k, const char *key) {
    const lb_body_contact *contact = &body->contacts[k];
    size_t length = strlen(key);
    return lbio_leads_foot(body, k) && strncmp(contact->name, key, length) == 0 &&
           (contact->name[length] == 0 || contact->name[length] == '_');
}

/* A heel of just this name, which is meant alone; -1: none. */
static int heel_called(const lb_body *body, const char *name) {
    for (int k = 0; k < body->contact_count; k++) {
        if (lbio_names_foot(body, k, name) && strcmp(body->contacts[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/* Gives the feet that `key` names a mode. Returns how many they are. */
static int set_feet(lbio_body_file *b, const char *key, lb_foot_mode mode) {
    int heel = heel_called(b->body, key), count = 0;
    for (int k = 0; k < b->body->contact_count; k++) {
        if (heel < 0 ? lbio_names_foot(b->body, k, key) : k == heel) {
            b->options.feet_modes[b->body->contacts[k].limb] = mode;
            count++;
        }
    }
    return count;
}

/* The shortest name of the foot of a heel: "left" of "left_heel", unless that would name another foot, too. */
static void foot_name(const lb_body *body, int heel, char *name, size_t size) {
    const lb_body_contact *contact = &body->contacts[heel];
    const char *end = strrchr(contact->name, '_');
    snprintf(name, size, "%.*s", end ? (int)(end - contact->name) : (int)strlen(contact->name), contact->name);
    for (int k = 0; k < body->contact_count; k++) {
        if (lbio_names_foot(body, k, name) && body->contacts[k].limb != contact->limb) {
            snprintf(name, size, "%s", contact->name);
        }
    }
}

static lb_status no_such_foot(lbio_reader *r, int figure, const char *key) {
    const lb_body *body = lb_figure_body(r->file->figures[figure]);
    char list[300] = "", name[100];
    for (int k = 0; k < body->contact_count && strlen(list) < 180; k++) {
        if (lbio_leads_foot(body, k)) {
            foot_name(body, k, name, sizeof name);
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s`%.60s`", *list ? ", " : "", name);
        }
    }
    return lbio_reader_fail(r, LB_ERROR_NAME, "figure `%.40s` has no foot `%.60s`; %s%s", r->file->names[figure], key,
                            *list ? "the feet are " : "it has none that stands on a heel", list);
}

/* Has the feet that `key` names stand on a surface. */
static lb_status stand_on(lbio_reader *r, lbio_body_file *b, const char *key, const char *surface) {
    const int heel = heel_called(b->body, key);
    lb_status status = LB_OK;
    for (int k = 0; k < b->body->contact_count && !status; k++) {
        if (heel < 0 ? lbio_names_foot(b->body, k, key) : k == heel) {
            status = lbio_rest_on(r, b, k, surface);
        }
    }
    return status;
}

/* "step", or with the surface that the foot stands on: "step:box". */
static lb_status read_foot(lbio_reader *r, const json_t *object, const char *key, lbio_body_file *b) {
    const char *said = json_string_value(json_object_get(object, key)), *colon = said ? strchr(said, ':') : NULL;
    int mode = LB_FOOT_MODE_AUTO;
    lb_status status;
    if (colon) {
        json_t *cut = json_object(); /* the mode alone */
        if (!cut || json_object_set_new(cut, key, json_stringn(said, (size_t)(colon - said)))) {
            json_decref(cut);
            return lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
        }
        status = lbio_get_choice(r, cut, key, lbio_foot_modes, 4, &mode);
        json_decref(cut);
    } else {
        status = lbio_get_choice(r, object, key, lbio_foot_modes, 4, &mode);
    }
    if (status) {
        return status;
    }
    lbio_enter(r, key);
    if (!set_feet(b, key, (lb_foot_mode)mode)) {
        status = no_such_foot(r, b->figure, key);
    } else if (colon && mode == LB_FOOT_MODE_LIFTED) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "a foot that is lifted stands on nothing");
    } else if (colon) {
        status = stand_on(r, b, key, colon + 1);
    }
    lbio_leave(r);
    return status;
}

static lb_status read_feet(lbio_reader *r, const json_t *object, lbio_body_file *b) {
    const char *key;
    json_t *value;
    lb_status status = LB_OK;
    if (!json_is_object(object)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "modes by foot were expected, as {\"left\": \"step\"}");
    }
    json_object_foreach((json_t *)object, key, value) {
        status = read_foot(r, object, key, b);
        if (status) {
            break;
        }
    }
    return status;
}

/* --- Loads ----------------------------------------------------------------------------------------- */

/* Where a load is: at a site, or at the centre of mass of a segment. */
static lb_status load_at(lbio_reader *r, const lbio_body_file *b, const char *name, lb_load *load) {
    const lb_figure *figure = r->file->figures[b->figure];
    lb_error reason;
    int site = -1;
    lb_status status = lb_figure_find_place(figure, name, &load->segment, &site, &reason);
    if (status) {
        return lbio_reader_fail(r, status, "%s", reason.message);
    }
    memcpy(load->point,
           site >= 0 ? lb_figure_site(figure, site)->frame.position : lb_figure_segment(figure, load->segment)->com,
           sizeof load->point);
    return LB_OK;
}

/* {"segment": "right_hand", "point": [0, 0, -0.08], "mass": 5} */
static lb_status read_placed_load(lbio_reader *r, const json_t *object, lbio_body_file *b) {
    static const char *const keys[] = {"segment", "point", "mass", NULL};
    const char *segment = NULL;
    const lb_figure *figure = r->file->figures[b->figure];
    lb_load load = {.mass = -1};
    int has_point = 0;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_string(r, object, "segment", &segment);
    status = status ? status : lbio_get_vector(r, object, "point", LBIO_LENGTH, 3, load.point, &has_point);
    status = status ? status : lbio_get_value(r, object, "mass", LBIO_MASS, 0, INFINITY, &load.mass);
    if (status) {
        return status;
    }
    if (!segment || load.mass < 0) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a load needs the `segment` that carries it, and a `mass`");
    }
    load.segment = lb_figure_find_segment(figure, segment);
    if (load.segment < 0) {
        lbio_enter(r, "segment");
        status = lbio_no_such(r, b->figure, "segment", segment);
        lbio_leave(r);
        return status;
    }
    if (!has_point) {
        memcpy(load.point, lb_figure_segment(figure, load.segment)->com, sizeof load.point);
    }
    b->loads[b->options.load_count++] = load;
    return LB_OK;
}

static lb_status read_load_list(lbio_reader *r, const json_t *list, lbio_body_file *b) {
    lb_status status = lbio_check_list(r, list, 0, LB_BODY_PARTS);
    for (size_t k = 0; !status && k < json_array_size(list); k++) {
        lbio_enter_index(r, (int)k);
        status = read_placed_load(r, json_array_get(list, k), b);
        lbio_leave(r);
    }
    return status;
}

/* Masses by segment or site; or a list of loads with points of their own. */
static lb_status read_loads(lbio_reader *r, const json_t *object, lbio_body_file *b) {
    const char *name;
    json_t *value;
    lb_status status = LB_OK;
    if (json_is_array(object)) {
        return read_load_list(r, object, b);
    }
    if (!json_is_object(object)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                "masses by segment or site were expected, as {\"right_hand\": \"5kg\"}");
    }
    if (json_object_size(object) > LB_BODY_PARTS) {
        return lbio_reader_fail(r, LB_ERROR_TOO_LARGE, "a body may have %d loads at most", LB_BODY_PARTS);
    }
    json_object_foreach((json_t *)object, name, value) {
        lb_load load = {.mass = 0};
        lbio_enter(r, name);
        status = load_at(r, b, name, &load);
        status = status ? status : lbio_json_value(r, value, LBIO_MASS, &load.mass);
        if (!status && !(load.mass >= 0)) {
            status = lbio_reader_fail(r, LB_ERROR_ARGUMENT, "a mass must be at least 0");
        }
        lbio_leave(r);
        if (status) {
            break;
        }
        b->loads[b->options.load_count++] = load;
    }
    return status;
}

/* --- The whole -------------------------------------------------------------------------------------- */

static lb_status read_part(lbio_reader *r, const json_t *object, const char *key, lbio_body_file *b,
                           lb_status (*read)(lbio_reader *, const json_t *, lbio_body_file *)) {
    const json_t *member = lbio_member(r, object, key);
    if (!member) {
        return LB_OK;
    }
    lb_status status = read(r, member, b);
    lbio_leave(r);
    return status;
}

static lb_status read_body(lbio_reader *r, const json_t *object, lbio_body_file *b) {
    static const char *const keys[] = {"posture", "comfort", "effort",   "hang",     "head",        "look",
                                       "feet",    "habit",   "floor",    "balance",  "above_floor", "apart",
                                       "eyes",    "foot",    "loads",    "surfaces", "supports",    "obstacles",
                                       "swivels", "props",   "friction", "drives",   NULL};
    lb_problem *problem = r->file->problem;
    lb_status status = lbio_check_keys(r, object, keys);
    if (status) {
        return status;
    }
    if (!b->body) {
        return lbio_reader_fail(r, LB_ERROR_UNSUPPORTED,
                                "figure `%.40s` has no body; its file needs a statement `body`, as that of `human`",
                                r->file->names[b->figure]);
    }
    status = read_terms(r, object, &b->options);
    status = status ? status : read_part(r, object, "surfaces", b, lbio_read_surfaces);
    status = status ? status : lbio_read_habit(r, object, b->figure, &b->options.habit);
    status = status ? status : read_part(r, object, "foot", b, read_feet);
    status = status ? status : read_part(r, object, "supports", b, lbio_read_supports);
    status = status ? status : read_part(r, object, "obstacles", b, lbio_read_obstacles);
    status = status ? status : read_part(r, object, "swivels", b, lbio_read_swivels);
    status = status ? status : read_part(r, object, "loads", b, read_loads);
    if (!status && lb_problem_set_body(problem, b->figure, &b->options)) {
        status = lbio_reader_fail(r, lb_problem_error(problem)->status, "%s", lb_problem_error(problem)->message);
    }
    return status;
}

lb_status lbio_read_body(lbio_reader *r, int figure, const json_t *object) {
    lbio_body_file *b = calloc(1, sizeof *b);
    if (!b) {
        return lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
    }
    b->figure = figure;
    b->body = lb_figure_body(r->file->figures[figure]);
    lb_body_options_defaults(&b->options);
    b->options.surfaces = b->surfaces;
    b->options.supports = b->supports;
    b->options.loads = b->loads;
    b->options.obstacles = b->obstacles;
    b->options.swivels = b->swivels;
    lb_status status = read_body(r, object, b);
    free(b);
    return status;
}

/* The body in the entry of a figure, if there is one. */
static lb_status read_entry(lbio_reader *r, int figure, const json_t *entry) {
    const json_t *object = json_is_object(entry) ? lbio_member(r, entry, "body") : NULL;
    if (!object) {
        return LB_OK;
    }
    lb_status status = lbio_read_body(r, figure, object);
    lbio_leave(r);
    return status;
}

lb_status lbio_read_bodies(lbio_reader *r, const json_t *root) {
    const json_t *one = json_object_get(root, "figure"), *many = json_object_get(root, "figures");
    lbio_enter(r, one ? "figure" : "figures");
    lb_status status = one ? read_entry(r, 0, one) : LB_OK;
    for (size_t k = 0; many && !status && k < json_array_size(many); k++) {
        lbio_enter_index(r, (int)k);
        status = read_entry(r, (int)k, json_array_get(many, k));
        lbio_leave(r);
    }
    lbio_leave(r);
    const json_t *first = status ? NULL : lbio_member(r, root, "body");
    if (!first) {
        return status;
    }
    status =
        lb_problem_body(r->file->problem, 0)
            ? lbio_reader_fail(r, LB_ERROR_SYNTAX, "the entry of figure `%.40s` has a `body`, too; keep one of them",
                               r->file->names[0])
            : lbio_read_body(r, 0, first);
    lbio_leave(r);
    return status;
}

/* --- Writing ---------------------------------------------------------------------------------------- */

int lbio_can_write_body(const lb_figure *figure, const lb_body_options *options) {
    return lbio_can_write_scene(figure, options);
}

static void put_feet(lbio_json *json, const lb_body *body, const lb_body_options *options) {
    char name[300];
    lbio_json_open(json, "foot", '{');
    for (int limb = 0; limb < LB_BODY_LIMBS; limb++) {
        for (int k = 0; k < body->contact_count; k++) {
            if (lbio_leads_foot(body, k) && body->contacts[k].limb == limb) {
                foot_name(body, k, name, sizeof name);
                lbio_json_string(json, name, lbio_foot_modes[options->feet_modes[limb]]);
                break;
            }
        }
    }
    lbio_json_close(json, '}');
}

void lbio_put_body(lbio_json *json, const lb_figure *figure, const lb_body_options *given, const char *habit) {
    lb_body_options options = *given;
    lbio_json_open(json, "body", '{');
    json->is_inline++;
    for (size_t k = 0; k < WEIGHT_COUNT; k++) {
        lbio_json_number(json, weights[k].name, *weight_of(&options, k));
    }
    lbio_put_habit(json, habit, options.habit);
    for (size_t k = 0; k < TRUTH_COUNT; k++) {
        lbio_json_truth(json, truths[k].name, *truth_of(&options, k));
    }
    lbio_json_number(json, "floor", options.floor);
    lbio_json_number(json, "friction", options.friction);
    put_feet(json, lb_figure_body(figure), &options);
    lbio_put_scene(json, figure, &options);
    lbio_json_open(json, "loads", '[');
    for (int k = 0; k < options.load_count; k++) {
        const lb_load *load = &options.loads[k];
        lbio_json_open(json, NULL, '{');
        lbio_json_string(json, "segment", lb_figure_segment(figure, load->segment)->name);
        lbio_json_numbers(json, "point", load->point, 3);
        lbio_json_number(json, "mass", load->mass);
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, ']');
    lbio_json_close(json, '}');
    json->is_inline--;
}

/* --- What tracks change ------------------------------------------------------------------------------- */

/* The body that a name with a figure's prefix, or none, is about; the rest of the name. NULL: there is none. */
static const lb_body *body_of(lbio_reader *r, const char *name, int *figure, const char **rest) {
    *figure = lbio_split_name(r, name, rest);
    if (!lb_problem_body(r->file->problem, *figure)) {
        lbio_reader_fail(r, LB_ERROR_NAME, "figure `%.40s` is not posed as a body; give it one: \"body\": {}",
                         r->file->names[*figure]);
        return NULL;
    }
    return lb_figure_body(r->file->figures[*figure]);
}

int lbio_find_foot(lbio_reader *r, const char *name) {
    const char *rest;
    int figure;
    const lb_body *body = body_of(r, name, &figure, &rest);
    int heel = body ? heel_called(body, rest) : -1;
    for (int k = 0; body && heel < 0 && k < body->contact_count; k++) {
        heel = lbio_names_foot(body, k, rest) ? k : -1;
    }
    if (body && heel < 0) {
        no_such_foot(r, figure, rest);
    }
    return heel < 0 ? -1 : figure * LB_BODY_LIMBS + body->contacts[heel].limb;
}

int lbio_find_support(lbio_reader *r, const char *name) {
    const char *rest;
    int figure;
    const lb_body *body = body_of(r, name, &figure, &rest);
    int contact = body ? lbio_contact_called(body, rest) : -1;
    if (body && contact < 0) {
        lbio_reader_fail(r, LB_ERROR_NAME, "figure `%.40s` has no contact `%.60s`", r->file->names[figure], rest);
    }
    return contact < 0 ? -1 : figure * LB_BODY_PARTS + contact;
}
