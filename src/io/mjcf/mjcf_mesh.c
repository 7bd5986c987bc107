/* Meshes of MJCF: assets with a name or that of their file, in the folder that <compiler meshdir> names, or with
 * vertices of their own. */
#include "io/mjcf/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/hull/hull.h"
#include "figure/memory.h"

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
    if (!name || lbio_names_find(&m->model->mesh_names, name) >= 0) {
        return LB_OK;
    }
    const lbio_xml **meshes = lbio_grow(m->allocator, (void *)m->model->meshes, &m->model->mesh_capacity,
                                        m->model->mesh_count, sizeof *m->model->meshes);
    if (!meshes || !lbio_names_add(&m->model->mesh_names, name, m->model->mesh_count)) {
        m->model->meshes = meshes ? meshes : m->model->meshes;
        return lbio_mjcf_no_memory(m, mesh);
    }
    m->model->meshes = meshes;
    meshes[m->model->mesh_count++] = mesh;
    return LB_OK;
}

lb_status lbio_mjcf_read_meshes(lbio_mjcf *m, const lbio_xml *root) {
    lb_status status = LB_OK;
    for (const lbio_xml *e = lbio_mjcf_first(root); e && m->source->options->meshes; e = lbio_mjcf_next(root, e)) {
        if (strcmp(e->name, "compiler") == 0) {
            const char *folder = lbio_xml_get(e, "meshdir");
            folder = folder ? folder : lbio_xml_get(e, "assetdir");
            m->model->mesh_folder = folder ? folder : m->model->mesh_folder;
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

/* The folder that a mesh's file is named from. */
static lb_status find_base(const lbio_mjcf *m, lbio_text *base) {
    const char *own = m->model->folder, *meshes = m->model->mesh_folder;
    if (meshes && meshes[0] != '/' && own) {
        lbio_text_add(base, own);
        lbio_text_add(base, "/");
    }
    lbio_text_add(base, meshes && meshes[0] ? meshes : own ? own : ".");
    return base->failed ? LB_ERROR_MEMORY : LB_OK;
}

/* --- Vertices in the file itself
 * ------------------------------------------------------------------------------------------ */

/* The next number of a list: *at goes behind it; NULL at the end. */
static lb_status next_number(const lbio_mjcf *m, const lbio_xml *mesh, const char *attribute, const char **at,
                             double *value) {
    const char *begin = *at + strspn(*at, " \t\r\n"), *end = begin + strcspn(begin, " \t\r\n");
    if (begin == end) {
        *at = NULL;
        return LB_OK;
    }
    if (lbio_number(begin, end, value) != end || !(fabs(*value) < 1e15)) {
        return lbio_mjcf_fail(m, mesh, LB_ERROR_SYNTAX, "%s of <mesh> has something that is no number", attribute);
    }
    *at = end;
    return LB_OK;
}

static lb_status fill_points(lbio_mjcf *m, const lbio_xml *mesh, const char *text, lbio_cloud *cloud) {
    double point[3];
    for (int i = 0;; i = (i + 1) % 3) {
        const lb_status status = next_number(m, mesh, "vertex", &text, &point[i]);
        if (status) {
            return status;
        }
        if (!text) {
            return i == 0 && cloud->count >= 4
                       ? LB_OK
                       : lbio_mjcf_fail(m, mesh, LB_ERROR_SYNTAX,
                                        "vertex of <mesh> should be four points or more, three numbers each");
        }
        if (i == 2 && !lbio_cloud_add(cloud, point)) {
            return lbio_cloud_full(lbio_mjcf_source(m, mesh), cloud, mesh->line);
        }
    }
}

static lb_status fill_faces(lbio_mjcf *m, const lbio_xml *mesh, const char *text, lbio_cloud *cloud) {
    int corners[3] = {0, 0, 0};
    for (int i = 0;; i = (i + 1) % 3) {
        double index = 0;
        const lb_status status = next_number(m, mesh, "face", &text, &index);
        if (status || (!text && i == 0)) {
            return status;
        }
        if (!text || !(index >= 0 && index < cloud->count && index == (double)(int)index)) {
            return lbio_mjcf_fail(m, mesh, LB_ERROR_SYNTAX,
                                  "face of <mesh> should be triangles, three indices below %d each", cloud->count);
        }
        corners[i] = (int)index;
        if (i == 2 && !lbio_cloud_add_triangle(cloud, corners[0], corners[1], corners[2])) {
            return lbio_cloud_full(lbio_mjcf_source(m, mesh), cloud, mesh->line);
        }
    }
}

/* Without faces the mesh is the hull of its vertices. */
static lb_status fill_hull(lbio_mjcf *m, const lbio_xml *mesh, lbio_cloud *cloud) {
    const lb_allocator allocator = lbf_allocator(NULL);
    lbf_hull hull;
    lb_status status = lbf_hull_make(&allocator, cloud->count, (const double(*)[3])cloud->points, &hull);
    if (status) {
        return lbio_mjcf_no_memory(m, mesh);
    }
    const int first = cloud->count;
    for (int i = 0; i < hull.vertex_count && !status; i++) {
        status = lbio_cloud_add(cloud, hull.vertices[i]) ? LB_OK : lbio_mjcf_no_memory(m, mesh);
    }
    for (int t = 0; t < hull.triangle_count && !status; t++) {
        const int *at = hull.triangles[t];
        status = lbio_cloud_add_triangle(cloud, first + at[0], first + at[1], first + at[2])
                     ? LB_OK
                     : lbio_mjcf_no_memory(m, mesh);
    }
    lbf_hull_free(&allocator, &hull);
    return status;
}

static lb_status read_inline(lbio_mjcf *m, const lbio_xml *mesh, lbio_cloud *cloud) {
    const char *faces = lbio_xml_get(mesh, "face");
    lb_status status = fill_points(m, mesh, lbio_xml_get(mesh, "vertex"), cloud);
    if (status == LB_OK && faces) {
        status = fill_faces(m, mesh, faces, cloud);
    }
    return status == LB_OK && cloud->triangle_count == 0 ? fill_hull(m, mesh, cloud) : status;
}

/* --- Files ---------------------------------------------------------------------------------------------------------------- */

static lb_status read_file(lbio_mjcf *m, const lbio_xml *mesh, lbio_cloud *cloud, lb_error *why) {
    static const double whole[3] = {1, 1, 1};
    const lb_load_options *options = m->source->options;
    lbio_text base = {0};
    lb_status status = find_base(m, &base);
    if (status == LB_OK) {
        const lbio_mesh_name name = {lbio_xml_get(mesh, "file"), base.data, m->folder, options->packages,
                                     options->root};
        status = lbio_mesh_read(&name, whole, options, cloud, why);
    }
    lbio_text_free(&base);
    return status == LB_ERROR_MEMORY ? lbio_mjcf_no_memory(m, mesh) : LB_OK;
}

/* As MuJoCo has it: refpos is subtracted, then the points are turned by the inverse of refquat, then scaled. */
static lb_status place_points(lbio_mjcf *m, const lbio_mjcf_view *view, lbio_cloud *cloud, lb_error *why) {
    double scale[3] = {1, 1, 1}, from[3] = {0, 0, 0}, quat[4] = {1, 0, 0, 0}, matrix[9], length = 0;
    lb_status status = lbio_mjcf_numbers(m, view, LBIO_MJCF_SCALE, 3, 3, scale, NULL);
    status = status ? status : lbio_mjcf_numbers(m, view, LBIO_MJCF_REFPOS, 3, 3, from, NULL);
    status = status ? status : lbio_mjcf_numbers(m, view, LBIO_MJCF_REFQUAT, 4, 4, quat, NULL);
    for (int i = 0; i < 4; i++) {
        length += quat[i] * quat[i];
    }
    if (status == LB_OK && !(length > 1e-100 && length < 1e100)) {
        status = lbio_mjcf_fail(m, view->element, LB_ERROR_SYNTAX, "refquat of <mesh> is no orientation");
    }
    if (status != LB_OK) {
        return status;
    }
    length = sqrt(length);
    const double turn[4] = {quat[1] / length, quat[2] / length, quat[3] / length, quat[0] / length};
    lb_rotation_to_matrix(turn, matrix);
    for (int i = 0; i < cloud->count; i++) {
        double *p = cloud->points[i], moved[3];
        for (int k = 0; k < 3; k++) {
            p[k] -= from[k];
        }
        for (int k = 0; k < 3; k++) {
            moved[k] = scale[k] * (matrix[k] * p[0] + matrix[3 + k] * p[1] + matrix[6 + k] * p[2]);
        }
        if (!(fmax(fabs(moved[0]), fmax(fabs(moved[1]), fabs(moved[2]))) <= 1e6)) {
            lbio_error(why, LB_ERROR_TOO_LARGE, NULL, 0, "it has a vertex more than 1000 km away; is its scale right?");
            return LB_OK;
        }
        memcpy(p, moved, sizeof moved);
    }
    return LB_OK;
}

lb_status lbio_mjcf_mesh_cloud(lbio_mjcf *m, const lbio_mjcf_view *geom, lbio_cloud *cloud, int *is_known) {
    const char *name = geom->values[LBIO_MJCF_MESH];
    const int index = name ? lbio_names_find(&m->model->mesh_names, name) : -1;
    const lbio_xml *mesh = index >= 0 ? m->model->meshes[index] : NULL;
    lb_error why = {0};
    lbio_mjcf_view view;
    *is_known = 0;
    if (!mesh || !(lbio_xml_get(mesh, "file") || lbio_xml_get(mesh, "vertex"))) {
        lose(m, geom->element, mesh ? "its <mesh> has neither a file nor vertices" : "no <mesh> asset has its name");
        return LB_OK;
    }
    const int class_index = lbio_mjcf_class_of(m, mesh, "class", LBIO_MJCF_MAIN);
    lb_status status =
        class_index < 0 ? m->source->error->status : lbio_mjcf_see(m, mesh, LBIO_MJCF_MESH_ASSET, class_index, &view);
    if (status == LB_OK) {
        status = lbio_xml_get(mesh, "file") ? read_file(m, mesh, cloud, &why) : read_inline(m, mesh, cloud);
    }
    if (status == LB_OK && why.status == LB_OK) {
        status = place_points(m, &view, cloud, &why);
    }
    if (status == LB_OK && why.status != LB_OK) {
        lose(m, geom->element, why.message);
    }
    *is_known = status == LB_OK && why.status == LB_OK;
    return status;
}
