/* MJCF's models: the settings, classes and assets of each, and those that <attach> takes bodies from. */
#include "io/mjcf/mjcf.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * <compiler>
 * ------------------------------------------------------------------------------------------------- */

static lb_status read_eulerseq(lbio_mjcf *m, const lbio_xml *element) {
    const char *sequence = lbio_xml_get(element, "eulerseq");
    if (!sequence) {
        return LB_OK;
    }
    if (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3) {
        return lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX, "eulerseq=\"%.60s\" should be three letters of x y z X Y Z",
                              sequence);
    }
    memcpy(m->model->eulerseq, sequence, 4);
    return LB_OK;
}

static lb_status read_inertia_rules(lbio_mjcf *m, const lbio_xml *element) {
    int from_geom =
        m->model->inertia_from_geom == LBIO_MJCF_AUTO ? -1 : m->model->inertia_from_geom == LBIO_MJCF_ALWAYS;
    double groups[2] = {m->model->inertia_groups[0], m->model->inertia_groups[1]};
    lb_status status =
        lbio_mjcf_flag(m, element, "inertiafromgeom", lbio_xml_get(element, "inertiafromgeom"), 1, &from_geom);
    m->model->inertia_from_geom = from_geom < 0 ? LBIO_MJCF_AUTO : from_geom ? LBIO_MJCF_ALWAYS : LBIO_MJCF_NEVER;
    if (status == LB_OK) {
        status = lbio_mjcf_own_numbers(m, element, "inertiagrouprange", 2, 2, groups, NULL);
    }
    const int is_main = m->model == m->models; /* whose word on masses holds for all */
    if (status == LB_OK && is_main) {
        status = lbio_mjcf_own_numbers(m, element, "boundmass", 1, 1, &m->bound_mass, NULL);
    }
    if (status == LB_OK && is_main) {
        status = lbio_mjcf_own_numbers(m, element, "settotalmass", 1, 1, &m->total_mass, NULL);
    }
    for (int i = 0; i < 2 && status == LB_OK; i++) {
        m->model->inertia_groups[i] = groups[i] < -1e6 ? -1000000 : groups[i] > 1e6 ? 1000000 : (int)groups[i];
    }
    return status;
}

static lb_status read_compiler(lbio_mjcf *m, const lbio_xml *element) {
    const char *coordinate = lbio_xml_get(element, "coordinate"), *angle = lbio_xml_get(element, "angle");
    if (coordinate && strcmp(coordinate, "local") != 0) {
        return lbio_mjcf_fail(m, element, LB_ERROR_UNSUPPORTED,
                              "coordinate=\"%.60s\" is not read (nor by MuJoCo since 2.3.3); "
                              "save the model with an older MuJoCo, which writes local coordinates",
                              coordinate);
    }
    if (angle && strcmp(angle, "radian") != 0 && strcmp(angle, "degree") != 0) {
        return lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX, "angle=\"%.60s\" should be degree or radian", angle);
    }
    m->model->is_radian = angle ? angle[0] == 'r' : m->model->is_radian;
    lb_status status =
        lbio_mjcf_flag(m, element, "autolimits", lbio_xml_get(element, "autolimits"), 0, &m->model->autolimits);
    if (status == LB_OK) {
        status = read_eulerseq(m, element);
    }
    return status == LB_OK ? read_inertia_rules(m, element) : status;
}

/* ---------------------------------------------------------------------------------------------------
 * Models
 * ------------------------------------------------------------------------------------------------- */

static lb_status read_settings(lbio_mjcf *m) {
    const lbio_xml *root = m->model->root;
    memcpy(m->model->eulerseq, "xyz", 4);
    m->model->autolimits = 1;
    m->model->inertia_from_geom = LBIO_MJCF_AUTO;
    m->model->inertia_groups[1] = 5;
    lb_status status = lbio_mjcf_read_classes(m, root);
    for (lbio_xml *child = lbio_mjcf_first(root); child && status == LB_OK; child = lbio_mjcf_next(root, child)) {
        status = strcmp(child->name, "compiler") == 0 ? read_compiler(m, child) : LB_OK;
    }
    status = status ? status : lbio_mjcf_read_meshes(m, root);
    return status ? status : lbio_mjcf_read_materials(m, root);
}

/* The files of the <model> assets of the model that is read. */
static lb_status open_assets(lbio_mjcf *m) {
    const lbio_xml *root = m->model->root;
    lb_status status = LB_OK;
    for (lbio_xml *asset = lbio_mjcf_first(root); asset; asset = lbio_mjcf_next(root, asset)) {
        lbio_xml *child = strcmp(asset->name, "asset") == 0 ? lbio_mjcf_first(asset) : NULL;
        for (; child && status == LB_OK; child = lbio_mjcf_next(asset, child)) {
            status = strcmp(child->name, "model") == 0 ? lbio_mjcf_open_model(m, child) : LB_OK;
        }
    }
    return status;
}

lb_status lbio_mjcf_read_models(lbio_mjcf *m) {
    lb_status status = LB_OK;
    for (int i = 0; i < m->model_count && status == LB_OK; i++) { /* models that are found on the way come behind */
        m->model = &m->models[i];
        status = read_settings(m);
        status = status ? status : open_assets(m);
    }
    m->model = m->models;
    return status;
}

void lbio_mjcf_free_models(lbio_mjcf *m) {
    for (int i = 0; i < m->model_count; i++) {
        lbio_mjcf_model *model = &m->models[i];
        lbio_release(m->allocator, model->classes, model->class_capacity, sizeof *model->classes);
        lbio_release(m->allocator, (void *)model->meshes, model->mesh_capacity, sizeof *model->meshes);
        lbio_names_free(&model->class_names);
        lbio_names_free(&model->material_names);
        lbio_names_free(&model->mesh_names);
    }
    lbio_release(m->allocator, m->instances, m->instance_capacity, sizeof *m->instances);
}

/* ---------------------------------------------------------------------------------------------------
 * Names
 * ------------------------------------------------------------------------------------------------- */

const char *lbio_mjcf_join(const lbio_mjcf *m, const char *a, const char *b, const char *c) {
    lbio_text text = {0};
    lbio_text_add(&text, a);
    lbio_text_add(&text, b);
    lbio_text_add(&text, c);
    const char *copy = text.failed ? NULL : lbio_xml_copy(m->files[0].document, text.data ? text.data : "");
    lbio_text_free(&text);
    return copy;
}

const char *lbio_mjcf_full_name(const lbio_mjcf *m, const char *name) {
    return *m->prefix || *m->suffix ? lbio_mjcf_join(m, m->prefix, name, m->suffix) : name;
}

lbio_mjcf_instance lbio_mjcf_here(const lbio_mjcf *m) {
    return (lbio_mjcf_instance){(int)(m->model - m->models), m->prefix, m->suffix};
}

void lbio_mjcf_leave(lbio_mjcf *m, const lbio_mjcf_instance *before) {
    m->model = &m->models[before->model];
    m->prefix = before->prefix;
    m->suffix = before->suffix;
}

lb_status lbio_mjcf_enter(lbio_mjcf *m, const lbio_xml *element, int model, const char *prefix, const char *suffix) {
    const lbio_mjcf_instance instance = {model, prefix, suffix};
    if (element) { /* to be remembered */
        lbio_mjcf_instance *instances =
            lbio_grow(m->allocator, m->instances, &m->instance_capacity, m->instance_count, sizeof *m->instances);
        if (!instances) {
            return lbio_mjcf_no_memory(m, element);
        }
        m->instances = instances;
        if (m->instance_count == LBIO_MJCF_MAX_INSTANCES) {
            return lbio_mjcf_fail(m, element, LB_ERROR_TOO_LARGE, "more than %d copies by <replicate> and <attach>",
                                  LBIO_MJCF_MAX_INSTANCES);
        }
        instances[m->instance_count++] = instance;
    }
    lbio_mjcf_leave(m, &instance);
    return LB_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * <attach>
 * ------------------------------------------------------------------------------------------------- */

/* What is looked at counts, so that a file cannot make the search long. */
static const lbio_xml *find_body(lbio_mjcf *m, const lbio_xml *owner, const char *name) {
    for (lbio_xml *child = lbio_mjcf_first(owner); child; child = lbio_mjcf_next(owner, child)) {
        m->part_count += m->part_count < LBIO_MJCF_MAX_PARTS;
        const int is_body = strcmp(child->name, "body") == 0;
        if (is_body && lbio_xml_get(child, "name") && strcmp(lbio_xml_get(child, "name"), name) == 0) {
            return child;
        }
        const int is_around = is_body || strcmp(child->name, "worldbody") == 0 || strcmp(child->name, "frame") == 0;
        const lbio_xml *found = is_around ? find_body(m, child, name) : NULL;
        if (found) {
            return found;
        }
    }
    return NULL;
}

static const lbio_xml *find_world(const lbio_xml *root) {
    lbio_xml *child = lbio_mjcf_first(root);
    while (child && strcmp(child->name, "worldbody") != 0) {
        child = lbio_mjcf_next(root, child);
    }
    return child;
}

/* The class that elements in a body have by the bodies and frames around it; -1 after an error. */
static int class_around(lbio_mjcf *m, const lbio_xml *body) {
    for (const lbio_xml *e = body->parent; e; e = e->parent) {
        if (lbio_xml_get(e, "childclass")) {
            return lbio_mjcf_class_of(m, e, "childclass", LBIO_MJCF_MAIN);
        }
    }
    return LBIO_MJCF_MAIN;
}

static int find_model(const lbio_mjcf *m, const char *name) {
    for (int i = 0; i < m->model_count; i++) {
        if (m->models[i].name && &m->models[m->models[i].owner] == m->model && strcmp(m->models[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

lb_status lbio_mjcf_find_attached(lbio_mjcf *m, const lbio_xml *element, int *model, const lbio_xml **body,
                                  int *class_index) {
    const char *name = lbio_xml_get(element, "model"), *wanted = lbio_xml_get(element, "body");
    if (!name || !lbio_xml_get(element, "prefix")) {
        return lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX, "<attach> needs model=\"...\" and prefix=\"...\"");
    }
    *model = find_model(m, name);
    if (*model < 0) {
        return lbio_mjcf_fail(m, element, LB_ERROR_NAME,
                              "attaches from \"%s\", but no <model> among the assets has that name", name);
    }
    const lbio_xml *root = m->models[*model].root;
    *body = wanted && *wanted ? find_body(m, root, wanted) : find_world(root);
    if (!*body) {
        return lbio_mjcf_fail(m, element, LB_ERROR_NAME, "attaches body \"%s\", but model \"%s\" has none of that name",
                              wanted ? wanted : "world", name);
    }
    const lbio_mjcf_instance before = lbio_mjcf_here(m);
    m->model = &m->models[*model];
    *class_index =
        wanted && *wanted ? class_around(m, *body) : lbio_mjcf_class_of(m, *body, "childclass", LBIO_MJCF_MAIN);
    lbio_mjcf_leave(m, &before);
    return *class_index < 0 ? m->source->error->status : LB_OK;
}
