/* The reader of all meshes, and the hull that a shape is made of. */
#include "io/mesh/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/hull/hull.h"
#include "figure/memory.h"

#define MOST_VERTICES \
    96              /* of a hull. More made no difference to how often arms in a box touch it (docs/collisions.md) */
#define ENOUGH 1e-4 /* metres: a hull that is nearer to all points needs no more vertices */
#define MOST_EXTENT 1e6 /* metres: beyond it, sizes are no robot's */

/* --- Points ------------------------------------------------------------------------------------------------------------- */

int lbio_cloud_add(lbio_cloud *cloud, const double point[3]) {
    if (cloud->count == cloud->capacity) {
        const int capacity = cloud->capacity ? 2 * cloud->capacity : 1024;
        double(*bigger)[3] =
            cloud->count < LBIO_MESH_MAX_POINTS ? realloc(cloud->points, (size_t)capacity * sizeof *bigger) : NULL;
        if (!bigger) {
            return 0;
        }
        cloud->points = bigger;
        cloud->capacity = capacity;
    }
    memcpy(cloud->points[cloud->count++], point, sizeof *cloud->points);
    return 1;
}

void lbio_cloud_free(lbio_cloud *cloud) {
    free(cloud->points);
    memset(cloud, 0, sizeof *cloud);
}

lb_status lbio_cloud_full(const lbio_source *source, const lbio_cloud *cloud, int line) {
    if (cloud->count >= LBIO_MESH_MAX_POINTS) {
        return lbio_fail(source, LB_ERROR_TOO_LARGE, line, "has more than %d vertices", LBIO_MESH_MAX_POINTS);
    }
    return lbio_fail(source, LB_ERROR_MEMORY, line, "out of memory");
}

/* --- Formats ------------------------------------------------------------------------------------------------------------ */

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
    return lbio_fail(source, LB_ERROR_UNSUPPORTED, 0,
                     "is not a mesh that Limber reads; it reads STL, OBJ and glTF: convert it to one of them");
}

/* --- Hulls -------------------------------------------------------------------------------------------------------------- */

static lb_status make_hull(const lbio_source *source, lbio_cloud *cloud, const double scale[3], lb_shape *shape) {
    for (int i = 0; i < cloud->count; i++) {
        for (int c = 0; c < 3; c++) {
            cloud->points[i][c] *= scale[c];
            if (!(fabs(cloud->points[i][c]) <= MOST_EXTENT)) {
                return lbio_fail(source, LB_ERROR_TOO_LARGE, 0,
                                 "has a vertex more than 1000 km away; is its scale right?");
            }
        }
    }
    const lb_allocator allocator = lbf_allocator(NULL);
    lbf_hull hull;
    double radius;
    const lb_status status = lbf_hull_limit(&allocator, cloud->count, (const double(*)[3])cloud->points, MOST_VERTICES,
                                            ENOUGH, &hull, &radius);
    double(*vertices)[3] = status ? NULL : malloc((size_t)hull.vertex_count * sizeof *vertices);
    if (!vertices) {
        lbf_hull_free(&allocator, &hull);
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    memcpy(vertices, hull.vertices, (size_t)hull.vertex_count * sizeof *vertices);
    shape->kind = LB_SHAPE_HULL;
    shape->size[0] = radius;
    shape->vertex_count = hull.vertex_count;
    shape->vertices = (const double(*)[3])vertices;
    lbf_hull_free(&allocator, &hull);
    return LB_OK;
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

static lb_status read_hull(const char *path, const double scale[3], const lb_load_options *options, lb_shape *shape,
                           lb_error *error) {
    char *data = NULL, *folder = folder_of(path);
    size_t size = 0;
    lb_status status = folder ? lbio_read_reference(path, LBIO_MESH_MAX_BYTES, &data, &size, error)
                              : lbio_error(error, LB_ERROR_MEMORY, path, 0, "out of memory");
    if (!status) {
        const lbio_source source = {path, data, size, options, error};
        lbio_cloud cloud = {0};
        status = lbio_read_cloud(&source, folder, &cloud);
        if (!status) {
            status = make_hull(&source, &cloud, scale, shape);
        }
        lbio_cloud_free(&cloud);
    }
    free(data);
    free(folder);
    return status;
}

lb_status lbio_mesh_hull(const lbio_mesh_name *name, const double scale[3], const lb_load_options *options,
                         lb_shape *shape, lb_error *error) {
    char reason[LB_ERROR_MESSAGE_SIZE];
    char *path = lbio_mesh_find(name, reason);
    if (!path) {
        return lbio_error(error, LB_ERROR_FILE, NULL, 0, "%s", reason);
    }
    const lb_status status = read_hull(path, scale, options, shape, error);
    free(path);
    return status;
}

void lbio_mesh_release(lb_shape *shape) {
    free((void *)shape->vertices);
    shape->vertices = NULL;
    shape->vertex_count = 0;
}
