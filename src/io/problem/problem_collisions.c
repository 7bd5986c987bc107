/* `collisions` of a problem file: what is kept apart, the solids of a world, and the pairs that an SRDF lets touch. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh/mesh.h"
#include "io/problem/problem.h"
#include "io/xml/xml.h"
#include <limber/collisions.h>

#define SHAPELESS_TOLD 12 /* segments whose names are told */
#define MOST_SOLIDS 1000
#define MOST_TOUCHING 100000

/* What is being read. */
typedef struct collisions_file {
    lb_collisions options;
    lb_solid *solids;
    int solid_capacity;
    lb_touching *touching;
    int touching_capacity;
    json_t *world; /* of another file; its names are pointed to */
} collisions_file;

static lb_status no_memory(lbio_reader *r) { return lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory"); }

/* Room for one more. Returns NULL where there is no memory. */
static void *make_room(void *list, int *capacity, int count, size_t size) {
    if (count < *capacity) {
        return list;
    }
    const int more = *capacity ? 2 * *capacity : 16;
    void *bigger = realloc(list, (size_t)more * size);
    *capacity = bigger ? more : *capacity;
    return bigger;
}

/* --- Solids -------------------------------------------------------------------------------------------------------------- */

enum { BOX, SPHERE, CAPSULE, CYLINDER, MESH, HULL, HALF_SPACE, KINDS };
static const char *const kind_names[KINDS] = {"box", "sphere", "capsule", "cylinder", "mesh", "hull", "half-space"};

static lb_status check_solid_keys(lbio_reader *r, const json_t *object, int *kind) {
    static const char *const any_key[] = {"name",       "kind", "point", "to",       "radius", "half_size", "rpy",
                                          "quaternion", "file", "scale", "vertices", "normal", NULL};
    static const char *const keys[KINDS][8] = {
        {"name", "kind", "point", "half_size", "rpy", "quaternion", NULL},
        {"name", "kind", "point", "radius", NULL},
        {"name", "kind", "point", "to", "radius", NULL},
        {"name", "kind", "point", "to", "radius", NULL},
        {"name", "kind", "point", "file", "scale", "rpy", "quaternion", NULL},
        {"name", "kind", "point", "vertices", "radius", "rpy", "quaternion", NULL},
        {"name", "kind", "point", "normal", NULL}};
    *kind = -1;
    lb_status status = lbio_check_keys(r, object, any_key);
    status = status ? status : lbio_get_choice(r, object, "kind", kind_names, KINDS, kind);
    if (!status && *kind < 0) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                  "a solid needs its `kind`: box, sphere, capsule, cylinder, mesh, hull or half-space");
    }
    return status ? status : lbio_check_keys(r, object, keys[*kind]);
}

static lb_status read_mesh(lbio_reader *r, const json_t *object, lb_shape *shape) {
    const lb_load_options *options = r->source->options;
    const char *file = NULL;
    double scale = 1;
    lb_error why = {0};
    lb_status status = lbio_get_string(r, object, "file", &file);
    status = status ? status : lbio_get_value(r, object, "scale", LBIO_PLAIN, 1e-9, 1e9, &scale);
    if (status) {
        return status;
    }
    if (!file) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a mesh needs its `file`");
    }
    const lbio_mesh_name name = {file, r->folder, r->folder, options->packages, options->root};
    lbio_cloud cloud = {0};
    status = lbio_mesh_read(&name, (const double[3]){scale, scale, scale}, options, &cloud, &why);
    if (!status && !lbio_mesh_hull(&cloud, shape)) {
        status = lbio_error(&why, LB_ERROR_MEMORY, NULL, 0, "out of memory");
    }
    lbio_cloud_free(&cloud);
    if (!status) {
        return LB_OK;
    }
    return why.file[0] ? lbio_reader_fail(r, status, "%.100s: %.180s", why.file, why.message)
                       : lbio_reader_fail(r, status, "%s", why.message);
}

/* The points of a hull. */
static lb_status read_vertices(lbio_reader *r, const json_t *object, lb_shape *shape) {
    const json_t *list = lbio_member(r, object, "vertices");
    if (!list) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a hull needs its `vertices`");
    }
    lb_status status = lbio_check_list(r, list, 1, LBIO_LIST_MOST);
    const size_t count = status ? 0 : json_array_size(list);
    double(*vertices)[3] = status ? NULL : malloc(count * sizeof *vertices);
    if (!status && !vertices) {
        status = no_memory(r);
    }
    for (size_t i = 0; !status && i < count; i++) {
        lbio_enter_index(r, (int)i);
        status = lbio_json_vector(r, json_array_get(list, i), LBIO_LENGTH, 3, vertices[i]);
        lbio_leave(r);
    }
    lbio_leave(r);
    if (status) {
        free(vertices);
        return status;
    }
    shape->vertices = (const double(*)[3])vertices;
    shape->vertex_count = (int)count;
    return LB_OK;
}

/* The shortest turn that takes z to a unit vector: its axis is z cross way, its quaternion (axis sin, 1 + cos), made
 * unit. */
static void turn_z_to(const double way[3], double rotation[4]) {
    const double half[4] = {-way[1], way[0], 0, 1 + way[2]};
    const double norm = sqrt(half[0] * half[0] + half[1] * half[1] + half[3] * half[3]);
    for (int i = 0; i < 4; i++) {
        rotation[i] = way[2] < -1 + 1e-12 ? i == 0 : half[i] / norm;
    }
}

/* A capsule or cylinder from end to end: its frame in the middle, z along it. */
static lb_status set_ends(lbio_reader *r, const double from[3], const double to[3], double radius, lb_shape *shape) {
    double way[3], length = 0;
    for (int i = 0; i < 3; i++) {
        way[i] = to[i] - from[i];
        length += way[i] * way[i];
        shape->frame.position[i] = 0.5 * (from[i] + to[i]);
    }
    length = sqrt(length);
    if (!(length > 0)) {
        return lbio_reader_fail(r, LB_ERROR_ARGUMENT, "its ends, `point` and `to`, are at the same place");
    }
    turn_z_to((const double[3]){way[0] / length, way[1] / length, way[2] / length}, shape->frame.rotation);
    shape->size[0] = shape->size[2] = radius;
    shape->size[1] = 0.5 * length;
    return LB_OK;
}

static int has_extent(const double size[3]) { return size[0] > 0 && size[1] > 0 && size[2] > 0; }

/* Whether a solid has the members that its kind needs. */
static int has_all(const lb_shape *shape, int kind, const int has[4], double radius) {
    switch (kind) {
    case BOX:
        return has[0] && has[2] && has_extent(shape->size);
    case SPHERE:
        return has[0] && radius > 0;
    case CAPSULE:
    case CYLINDER:
        return has[0] && has[1] && radius > 0;
    case HALF_SPACE:
        return has[0] && has[3];
    default:
        return 1;
    }
}

static lb_status read_shape(lbio_reader *r, const json_t *object, int kind, lb_shape *shape) {
    static const lb_shape_kind kinds[KINDS] = {LB_SHAPE_BOX,  LB_SHAPE_SPHERE, LB_SHAPE_CAPSULE,   LB_SHAPE_CYLINDER,
                                               LB_SHAPE_HULL, LB_SHAPE_HULL,   LB_SHAPE_HALF_SPACE};
    static const char *const needs[KINDS] = {"its middle, `point`, and its `half_size`, three lengths above 0",
                                             "its `point` and a `radius` above 0",
                                             "both ends of its axis, `point` and `to`, and a `radius` above 0",
                                             "both ends of its axis, `point` and `to`, and a `radius` above 0",
                                             "its `file`",
                                             "its `vertices`",
                                             "a `point` of its surface and the `normal`, which points out of it"};
    double to[3] = {0, 0, 0}, normal[3] = {0, 0, 1}, radius = 0;
    int has[4] = {0, 0, 0, 0}, has_turn = 0; /* point, to, half_size, normal */
    shape->kind = kinds[kind];
    lb_status status = lbio_get_vector(r, object, "point", LBIO_LENGTH, 3, shape->frame.position, &has[0]);
    status = status ? status : lbio_get_vector(r, object, "to", LBIO_LENGTH, 3, to, &has[1]);
    status = status ? status : lbio_get_value(r, object, "radius", LBIO_LENGTH, 0, 1e6, &radius);
    status = status ? status : lbio_get_vector(r, object, "half_size", LBIO_LENGTH, 3, shape->size, &has[2]);
    status = status ? status : lbio_get_direction(r, object, "normal", normal, &has[3]);
    status = status ? status : lbio_get_rotation(r, object, shape->frame.rotation, &has_turn);
    if (status) {
        return status;
    }
    if (!has_all(shape, kind, has, radius)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a %s needs %s", kind_names[kind], needs[kind]);
    }
    switch (kind) {
    case CAPSULE:
    case CYLINDER: {
        const double from[3] = {shape->frame.position[0], shape->frame.position[1], shape->frame.position[2]};
        return set_ends(r, from, to, radius, shape);
    }
    case MESH:
        return read_mesh(r, object, shape);
    case HULL:
        shape->size[0] = radius;
        return read_vertices(r, object, shape);
    case HALF_SPACE:
        turn_z_to(normal, shape->frame.rotation);
        return LB_OK;
    case SPHERE:
        shape->size[0] = radius;
        return LB_OK;
    default:
        return LB_OK;
    }
}

static lb_status read_solid(lbio_reader *r, const json_t *object, collisions_file *c) {
    int kind;
    lb_solid *solids = make_room(c->solids, &c->solid_capacity, c->options.solid_count, sizeof *solids);
    if (!solids) {
        return no_memory(r);
    }
    c->solids = solids;
    lb_solid *solid = &solids[c->options.solid_count];
    memset(solid, 0, sizeof *solid);
    lb_shape_defaults(&solid->shape);
    lb_status status = check_solid_keys(r, object, &kind);
    status = status ? status : lbio_get_string(r, object, "name", &solid->name);
    status = status ? status : read_shape(r, object, kind, &solid->shape);
    c->options.solid_count += !status;
    return status;
}

static lb_status read_solids(lbio_reader *r, const json_t *list, collisions_file *c) {
    lb_status status = lbio_check_list(r, list, 0, MOST_SOLIDS);
    for (size_t k = 0; !status && k < json_array_size(list); k++) {
        lbio_enter_index(r, (int)k);
        status = read_solid(r, json_array_get(list, k), c);
        lbio_leave(r);
    }
    return status;
}

/* A path of this file, seen from its folder. To be freed; NULL, with the error, where files may not be read. */
static char *path_of(lbio_reader *r, const char *name) {
    lbio_text path = {0};
    if (!r->folder) {
        lbio_reader_fail(r, LB_ERROR_FILE, "a problem that comes from no file names no others");
        return NULL;
    }
    if (name[0] != '/') {
        lbio_text_add(&path, r->folder);
        lbio_text_add(&path, "/");
    }
    lbio_text_add(&path, name);
    if (path.failed) {
        no_memory(r);
    }
    return path.failed ? NULL : path.data;
}

/* {"solids": [...]} of another file. Its meshes are looked for in its own folder. */
static lb_status read_world(lbio_reader *r, const char *name, collisions_file *c) {
    static const char *const keys[] = {"$schema", "title", "description", "solids", NULL};
    char *path = path_of(r, name), *data = NULL;
    size_t size = 0;
    if (!path) {
        return r->source->error->status;
    }
    lb_status status = lbio_read_reference(path, r->source->options->max_bytes, &data, &size, r->source->error);
    json_error_t where;
    c->world = status ? NULL : json_loadb(data, size, JSON_REJECT_DUPLICATES, &where);
    const lbio_source source = {path, data, size, r->source->options, r->source->error};
    if (!status && !c->world) {
        status = lbio_fail(&source, LB_ERROR_SYNTAX, where.line > 0 ? where.line : 0, "not JSON: %s", where.text);
    }
    if (!status) {
        char *slash = strrchr(path, '/');
        lbio_reader inner = {.source = &source, .file = r->file};
        char *folder = lbio_copy_text(path);
        if (folder) {
            folder[slash ? slash - path : 0] = 0;
            inner.folder = slash == path ? "/" : slash ? folder : ".";
            const json_t *solids = json_object_get(c->world, "solids");
            status = lbio_check_keys(&inner, c->world, keys);
            if (!status && !solids) {
                status = lbio_reader_fail(&inner, LB_ERROR_SYNTAX, "a world has a list of `solids`");
            }
            lbio_enter(&inner, "solids");
            status = status ? status : read_solids(&inner, solids, c);
        } else {
            status = no_memory(r);
        }
        free(folder);
    }
    free(data);
    free(path);
    return status;
}

/* --- Pairs that may touch
 * --------------------------------------------------------------------------------------------------- */

static lb_status add_touching(lbio_reader *r, const lb_touching *pair, collisions_file *c) {
    if (c->options.touching_count >= MOST_TOUCHING) {
        return lbio_reader_fail(r, LB_ERROR_TOO_LARGE, "more than %d pairs that may touch", MOST_TOUCHING);
    }
    lb_touching *list = make_room(c->touching, &c->touching_capacity, c->options.touching_count, sizeof *list);
    if (!list) {
        return no_memory(r);
    }
    c->touching = list;
    list[c->options.touching_count++] = *pair;
    return LB_OK;
}

/* A segment, or a solid of the world, by its name. */
static lb_status find_mass(lbio_reader *r, const json_t *value, const collisions_file *c, int *figure, int *segment) {
    const char *name = json_string_value(value), *rest;
    if (!name) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "the name of a segment was expected");
    }
    *figure = lbio_split_name(r, name, &rest);
    *segment = lb_figure_find_segment(r->file->figures[*figure], rest);
    for (int i = 0; *segment < 0 && i < c->options.solid_count; i++) {
        if (c->solids[i].name && strcmp(c->solids[i].name, name) == 0) {
            *figure = -1, *segment = i;
            return LB_OK;
        }
    }
    return *segment < 0 ? lbio_no_such(r, *figure, "segment", rest) : LB_OK;
}

static lb_status read_touching(lbio_reader *r, const json_t *list, collisions_file *c) {
    lb_status status = lbio_check_list(r, list, 0, MOST_TOUCHING);
    for (size_t k = 0; !status && k < json_array_size(list); k++) {
        const json_t *names = json_array_get(list, k);
        lb_touching pair;
        lbio_enter_index(r, (int)k);
        status = lbio_check_list(r, names, 2, 2);
        status = status ? status : find_mass(r, json_array_get(names, 0), c, &pair.figure_a, &pair.segment_a);
        status = status ? status : find_mass(r, json_array_get(names, 1), c, &pair.figure_b, &pair.segment_b);
        status = status ? status : add_touching(r, &pair, c);
        lbio_leave(r);
    }
    return status;
}

/* <disable_collisions link1="a" link2="b"/>, for the first figure. Links that it lacks are passed over, with a
 * warning. */
static lb_status take_disabled(lbio_reader *r, const lbio_source *source, const lbio_xml *robot, collisions_file *c) {
    lb_status status = LB_OK;
    int unknown = 0, line = 0;
    for (const lbio_xml *e = lbio_xml_child(robot, "disable_collisions"); e && !status;
         e = lbio_xml_next(e, "disable_collisions")) {
        const char *a = lbio_xml_get(e, "link1"), *b = lbio_xml_get(e, "link2");
        if (!a || !b) {
            return lbio_fail(source, LB_ERROR_SYNTAX, e->line, "<disable_collisions> needs link1 and link2");
        }
        const lb_touching pair = {0, lb_figure_find_segment(r->file->figures[0], a), 0,
                                  lb_figure_find_segment(r->file->figures[0], b)};
        if (pair.segment_a < 0 || pair.segment_b < 0) {
            line = unknown++ ? line : e->line;
        } else {
            status = add_touching(r, &pair, c);
        }
    }
    if (unknown) {
        lbio_warn(source, line, "%d <disable_collisions> name%s a link that the robot does not have", unknown,
                  unknown == 1 ? "s" : "");
    }
    return status;
}

static lb_status read_srdf(lbio_reader *r, const char *name, collisions_file *c) {
    char *path = path_of(r, name), *data = NULL;
    size_t size = 0;
    if (!path) {
        return r->source->error->status;
    }
    lb_status status = lbio_read_reference(path, r->source->options->max_bytes, &data, &size, r->source->error);
    const lbio_source source = {path, data, size, r->source->options, r->source->error};
    lbio_xml_document *document = NULL;
    lbio_xml *root = NULL;
    status = status ? status : lbio_xml_parse(&source, &document, &root);
    if (!status && strcmp(root->name, "robot") != 0) {
        status = lbio_fail(&source, LB_ERROR_SYNTAX, root->line, "is no SRDF: its element is <%.40s>, not <robot>",
                           root->name);
    }
    status = status ? status : take_disabled(r, &source, root, c);
    lbio_xml_free(document);
    free(data);
    free(path);
    return status;
}

/* --- All of it ---------------------------------------------------------------------------------------------------------------- */

static lb_status read_file_member(lbio_reader *r, const json_t *object, const char *key, collisions_file *c,
                                  lb_status (*read)(lbio_reader *, const char *, collisions_file *)) {
    const json_t *member = lbio_member(r, object, key);
    if (!member) {
        return LB_OK;
    }
    const lb_status status = json_is_string(member)
                                 ? read(r, json_string_value(member), c)
                                 : lbio_reader_fail(r, LB_ERROR_SYNTAX, "the name of a file was expected");
    lbio_leave(r);
    return status;
}

static lb_status read_list_member(lbio_reader *r, const json_t *object, const char *key, collisions_file *c,
                                  lb_status (*read)(lbio_reader *, const json_t *, collisions_file *)) {
    const json_t *member = lbio_member(r, object, key);
    if (!member) {
        return LB_OK;
    }
    const lb_status status = read(r, member, c);
    lbio_leave(r);
    return status;
}

static lb_status read_all(lbio_reader *r, const json_t *object, collisions_file *c) {
    static const char *const keys[] = {"self",   "world",   "solids", "srdf", "touching",
                                       "margin", "samples", "seed",   NULL};
    double seed = 1;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_truth(r, object, "self", &c->options.self);
    status = status ? status : lbio_get_value(r, object, "margin", LBIO_LENGTH, 0, 1, &c->options.margin);
    status = status ? status : lbio_get_integer(r, object, "samples", 0, 1e6, &c->options.samples);
    status = status ? status : lbio_get_value(r, object, "seed", LBIO_PLAIN, 0, 9e15, &seed);
    status = status ? status : read_file_member(r, object, "world", c, read_world);
    status = status ? status : read_list_member(r, object, "solids", c, read_solids);
    status = status ? status : read_file_member(r, object, "srdf", c, read_srdf);
    status = status ? status : read_list_member(r, object, "touching", c, read_touching);
    c->options.seed = (uint64_t)seed;
    c->options.solids = c->solids;
    c->options.touching = c->touching;
    if (!status && lb_problem_set_collisions(r->file->problem, &c->options)) {
        const lb_error *why = lb_problem_error(r->file->problem);
        status = lbio_reader_fail(r, why->status, "%s", why->message);
    }
    return status;
}

/* Segments without a solid shape: whatever comes near them, nothing is kept apart. */
static void tell_shapeless(const lbio_reader *r, const lb_figure *figure) {
    const int count = lb_figure_segment_count(figure);
    unsigned char *has = calloc((size_t)count + 1, 1); /* 1: a solid shape */
    lbio_text names = {0};
    int told = 0;
    for (int i = 0; has && i < lb_figure_shape_count(figure); i++) {
        const lb_shape *shape = lb_figure_shape(figure, i);
        has[shape->segment] |= shape->use != LB_SHAPE_USE_DRAWN;
    }
    for (int s = 0; has && s < count; s++) {
        if (!has[s] && told++ < SHAPELESS_TOLD) {
            lbio_text_format(&names, "%s%.60s", told > 1 ? ", " : "", lb_figure_segment(figure, s)->name);
        }
    }
    if (told && !names.failed) {
        lbio_warn(r->source, 0,
                  "%d of %d segments of %.60s have no solid shape, so nothing is kept clear of them: %s%s", told, count,
                  lb_figure_name(figure), names.data, told > SHAPELESS_TOLD ? ", ..." : "");
    }
    lbio_text_free(&names);
    free(has);
}

lb_status lbio_read_collisions(lbio_reader *r, const json_t *object) {
    collisions_file c = {.solids = NULL};
    lb_collisions_defaults(&c.options);
    lb_status status = read_all(r, object, &c);
    for (int k = 0; k < r->file->figure_count && !status; k++) {
        tell_shapeless(r, r->file->figures[k]);
    }
    for (int i = 0; i < c.options.solid_count; i++) {
        lbio_mesh_release(&c.solids[i].shape);
    }
    free(c.solids);
    free(c.touching);
    json_decref(c.world);
    return status;
}

lb_status lb_problem_read_collisions(lb_problem *problem, const void *data, size_t size, const char *folder,
                                     const lb_load_options *given, lb_error *error) {
    static const char name[] = "collisions";
    lb_load_options options;
    lb_error unseen;
    error = error ? error : &unseen;
    if (!problem || !data) {
        return lbio_error(error, LB_ERROR_ARGUMENT, name, 0, "there is no problem, or no text");
    }
    lb_status status = lbio_take_load_options(given, &options, name, error);
    if (status) {
        return status;
    }
    if (size > options.max_bytes) {
        return lbio_error(error, LB_ERROR_TOO_LARGE, name, 0, "larger than the allowed %zu bytes", options.max_bytes);
    }
    struct lb_problem_file file = {.problem = problem};
    for (int k = 0; k < lb_problem_figure_count(problem) && k < LBIO_FIGURES_MOST; k++, file.figure_count++) {
        file.figures[k] = (lb_figure *)lb_problem_figure(problem, k);
        file.names[k] = (char *)lb_figure_name(file.figures[k]);
    }
    const lbio_source source = {name, data, size, &options, error};
    lbio_reader reader = {.source = &source, .folder = folder, .file = &file};
    json_error_t where;
    json_t *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &where);
    status = root ? lbio_read_collisions(&reader, root)
                  : lbio_fail(&source, LB_ERROR_SYNTAX, where.line > 0 ? where.line : 0, "not JSON: %s", where.text);
    json_decref(root);
    return status;
}
