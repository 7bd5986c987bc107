/* The reader of all meshes. */
#include "io/mesh/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_EXTENT 1e6 /* metres: beyond it, sizes are no robot's */

static int ends_with(const char *text, const char *ending) {
    const size_t length = strlen(text), tail = strlen(ending);
    for (size_t i = 0; i < tail && length >= tail; i++) {
        const char letter = text[length - tail + i];
        if ((letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter) != ending[i]) {
            return 0;
        }
    }
    return length >= tail;
}

lb_status lbio_read_cloud(const lbio_source *source, const char *folder, lbio_cloud *cloud) {
    if (ends_with(source->name, ".stl")) {
        return lbio_read_stl(source, cloud);
    }
    if (ends_with(source->name, ".obj")) {
        return lbio_read_obj(source, cloud);
    }
    if (ends_with(source->name, ".glb") || ends_with(source->name, ".gltf")) {
        return lbio_read_gltf_cloud(source, folder, cloud);
    }
    if (ends_with(source->name, ".dae")) {
        return lbio_read_dae(source, cloud);
    }
    return lbio_fail(
        source, LB_ERROR_UNSUPPORTED, 0,
        "is not a mesh that Limber reads; it reads STL, OBJ, COLLADA (.dae) and glTF: convert it to one of them");
}

/* --- Files -------------------------------------------------------------------------------------------------------------- */

static lb_status scale_cloud(const lbio_source *source, const double scale[3], lbio_cloud *cloud) {
    for (int i = 0; i < cloud->count; i++) {
        for (int c = 0; c < 3; c++) {
            cloud->points[i][c] *= scale[c];
            if (!(fabs(cloud->points[i][c]) <= MOST_EXTENT)) {
                return lbio_fail(source, LB_ERROR_TOO_LARGE, 0,
                                 "has a vertex more than 1000 km away; is its scale right?");
            }
        }
    }
    return lbio_cloud_weld(cloud) ? LB_OK : lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
}

static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (slash == path ? 1 : (size_t)(slash - path)) : 0;
    char *folder = malloc(length + 2);
    if (folder) {
        memcpy(folder, length ? path : ".", length ? length : 1);
        folder[length ? length : 1] = 0;
    }
    return folder;
}

static lb_status read_path(const char *path, const double scale[3], const lb_load_options *options, lbio_cloud *cloud,
                           lb_error *error) {
    char *data = NULL, *folder = folder_of(path);
    size_t size = 0;
    lb_status status = folder ? lbio_read_reference(path, LBIO_MESH_MAX_BYTES, &data, &size, error)
                              : lbio_error(error, LB_ERROR_MEMORY, path, 0, "out of memory");
    if (!status) {
        const lbio_source source = {path, data, size, options, error};
        status = lbio_read_cloud(&source, folder, cloud);
        status = status ? status : scale_cloud(&source, scale, cloud);
    }
    free(data);
    free(folder);
    return status;
}

lb_status lbio_mesh_read(const lbio_mesh_name *name, const double scale[3], const lb_load_options *options,
                         lbio_cloud *cloud, lb_error *error) {
    char reason[LB_ERROR_MESSAGE_SIZE];
    char *path = lbio_mesh_find(name, reason);
    if (!path) {
        return lbio_error(error, LB_ERROR_FILE, NULL, 0, "%s", reason);
    }
    const lb_status status = read_path(path, scale, options, cloud, error);
    free(path);
    if (status) {
        lbio_cloud_free(cloud);
    }
    return status;
}
