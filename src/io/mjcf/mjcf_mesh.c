/* Meshes of MJCF: assets with a name or that of their file, in the folder that <compiler meshdir> names. */
#include "io/mjcf/mjcf.h"

#include <stdio.h>
#include <string.h>

/* The name of a <mesh>: its own, or that of its file without folder and ending. Returns NULL where it has none. */
static const char *name_of(const lbio_mjcf *m, const lbio_xml *mesh) {
    const char *name = lbio_xml_get(mesh, "name"), *file = lbio_xml_get(mesh, "file");
    if (name || !file) {
        return name;
    }
    const char *slash = strrchr(file, '/');
    char *stem = lbio_xml_copy(m->files[0].document, slash ? slash + 1 : file), *dot = stem ? strrchr(stem, '.') : NULL;
    if (dot && dot != stem) {
        *dot = 0;
    }
    return stem;
}

static lb_status take_mesh(lbio_mjcf *m, const lbio_xml *mesh) {
    const char *name = name_of(m, mesh);
    if (!name || lbio_names_find(&m->mesh_names, name) >= 0) {
        return LB_OK;
    }
    const lbio_xml **meshes =
        lbio_grow(m->allocator, (void *)m->meshes, &m->mesh_capacity, m->mesh_count, sizeof *m->meshes);
    if (!meshes || !lbio_names_add(&m->mesh_names, name, m->mesh_count)) {
        m->meshes = meshes ? meshes : m->meshes;
        return lbio_mjcf_no_memory(m, mesh);
    }
    m->meshes = meshes;
    meshes[m->mesh_count++] = mesh;
    return LB_OK;
}

lb_status lbio_mjcf_read_meshes(lbio_mjcf *m, const lbio_xml *root) {
    lb_status status = LB_OK;
    for (const lbio_xml *e = lbio_mjcf_first(root); e && m->source->options->meshes; e = lbio_mjcf_next(root, e)) {
        if (strcmp(e->name, "compiler") == 0) {
            const char *folder = lbio_xml_get(e, "meshdir");
            folder = folder ? folder : lbio_xml_get(e, "assetdir");
            m->mesh_folder = folder ? folder : m->mesh_folder;
        }
        for (const lbio_xml *child = strcmp(e->name, "asset") == 0 ? lbio_mjcf_first(e) : NULL; child && !status;
             child = lbio_mjcf_next(e, child)) {
            status = strcmp(child->name, "mesh") == 0 ? take_mesh(m, child) : LB_OK;
        }
    }
    return status;
}

static void lose(lbio_mjcf *m, const lbio_xml *geom, const char *reason) {
    if (m->lost_count++ == 0) {
        m->lost = geom;
        snprintf(m->lost_reason, sizeof m->lost_reason, "%s", reason);
    }
}

void lbio_mjcf_tell_meshes(const lbio_mjcf *m) {
    if (m->lost_count == 1) {
        lbio_mjcf_warn(m, m->lost, "a mesh is left out: %s", m->lost_reason);
    } else if (m->lost_count > 1) {
        lbio_mjcf_warn(m, m->lost, "%d meshes are left out, the first because: %s", m->lost_count, m->lost_reason);
    }
}

void lbio_mjcf_free_meshes(lbio_mjcf *m) {
    lbio_release(m->allocator, (void *)m->meshes, m->mesh_capacity, sizeof *m->meshes);
    lbio_names_free(&m->mesh_names);
}

/* The folder that a mesh's file is named from. */
static lb_status find_base(const lbio_mjcf *m, lbio_text *base) {
    if (m->mesh_folder && m->mesh_folder[0] != '/' && m->folder) {
        lbio_text_add(base, m->folder);
        lbio_text_add(base, "/");
    }
    lbio_text_add(base, m->mesh_folder && m->mesh_folder[0] ? m->mesh_folder : m->folder ? m->folder : ".");
    return base->failed ? LB_ERROR_MEMORY : LB_OK;
}

static lb_status read_asset(lbio_mjcf *m, const lbio_xml *mesh, const char *file, lb_shape *shape, lb_error *why) {
    const lb_load_options *options = m->source->options;
    double scale[3] = {1, 1, 1};
    lbio_mjcf_view view;
    lbio_text base = {0};
    const int class_index = lbio_mjcf_class_of(m, mesh, "class", LBIO_MJCF_MAIN);
    if (class_index < 0) {
        return m->source->error->status;
    }
    lb_status status = lbio_mjcf_see(m, mesh, LBIO_MJCF_MESH_ASSET, class_index, &view);
    if (status == LB_OK) {
        status = lbio_mjcf_numbers(m, &view, LBIO_MJCF_SCALE, 3, 3, scale, NULL);
    }
    if (status == LB_OK) {
        status = find_base(m, &base) == LB_OK ? LB_OK : lbio_mjcf_no_memory(m, mesh);
    }
    if (status == LB_OK) {
        const lbio_mesh_name name = {file, base.data, m->folder, options->packages, options->root};
        if (lbio_mesh_hull(&name, scale, options, shape, why) == LB_ERROR_MEMORY) {
            status = lbio_mjcf_no_memory(m, mesh);
        }
    }
    lbio_text_free(&base);
    return status;
}

lb_status lbio_mjcf_mesh_shape(lbio_mjcf *m, const lbio_mjcf_view *view, lb_shape *shape, int *is_known) {
    const char *name = view->values[LBIO_MJCF_MESH];
    const int index = name ? lbio_names_find(&m->mesh_names, name) : -1;
    const char *file = index >= 0 ? lbio_xml_get(m->meshes[index], "file") : NULL;
    lb_error why = {0};
    *is_known = 0;
    if (!file) {
        lose(m, view->element, index < 0 ? "no <mesh> asset has its name" : "its vertices are not in a file");
        return LB_OK;
    }
    const lb_status status = read_asset(m, m->meshes[index], file, shape, &why);
    if (status == LB_OK && why.status != LB_OK) {
        lose(m, view->element, why.message);
    }
    *is_known = status == LB_OK && why.status == LB_OK;
    return status;
}
