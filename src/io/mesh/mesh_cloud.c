/* Points and triangles of a mesh: growing lists, and points at the same place made one. */
#include "io/mesh/mesh.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

int lbio_cloud_add_triangle(lbio_cloud *cloud, int a, int b, int c) {
    if (cloud->triangle_count >= LBIO_MESH_MAX_TRIANGLES) {
        return 0;
    }
    if (cloud->keeps_triangles && cloud->triangle_count == cloud->triangle_capacity) {
        const int capacity = cloud->triangle_capacity ? 2 * cloud->triangle_capacity : 1024;
        lbio_corners *bigger = realloc(cloud->triangles, (size_t)capacity * sizeof *bigger);
        if (!bigger) {
            return 0;
        }
        cloud->triangles = bigger;
        cloud->triangle_capacity = capacity;
    }
    if (cloud->keeps_triangles) {
        cloud->triangles[cloud->triangle_count] = (lbio_corners){{a, b, c}, cloud->paint};
    }
    cloud->triangle_count++;
    return 1;
}

void lbio_cloud_free(lbio_cloud *cloud) {
    free(cloud->points);
    free(cloud->triangles);
    memset(cloud, 0, sizeof *cloud);
}

lb_status lbio_cloud_full(const lbio_source *source, const lbio_cloud *cloud, int line) {
    if (cloud->triangle_count >= LBIO_MESH_MAX_TRIANGLES) {
        return lbio_fail(source, LB_ERROR_TOO_LARGE, line, "has more than %d triangles", LBIO_MESH_MAX_TRIANGLES);
    }
    if (cloud->count >= LBIO_MESH_MAX_POINTS) {
        return lbio_fail(source, LB_ERROR_TOO_LARGE, line, "has more than %d vertices", LBIO_MESH_MAX_POINTS);
    }
    return lbio_fail(source, LB_ERROR_MEMORY, line, "out of memory");
}

/* --- Welding ------------------------------------------------------------------------------------------------------------ */

static size_t hash(const double point[3]) {
    uint64_t sum = 0;
    for (int i = 0; i < 3; i++) {
        const double value = point[i] + 0.0; /* -0 is 0 */
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    return (size_t)sum;
}

static int is_same_place(const double a[3], const double b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

/* Fills place[i], the new number of point i, and moves the points that stay to the front. Returns how many stay. */
static int find_places(lbio_cloud *cloud, int *table, size_t table_size, int *place) {
    int kept = 0;
    for (int i = 0; i < cloud->count; i++) {
        size_t slot = hash(cloud->points[i]) & (table_size - 1);
        while (table[slot] && !is_same_place(cloud->points[table[slot] - 1], cloud->points[i])) {
            slot = (slot + 1) & (table_size - 1);
        }
        if (!table[slot]) {
            memmove(cloud->points[kept], cloud->points[i], sizeof *cloud->points);
            table[slot] = ++kept;
        }
        place[i] = table[slot] - 1;
    }
    return kept;
}

int lbio_cloud_weld(lbio_cloud *cloud) {
    size_t size = 16;
    while (size < 2 * (size_t)cloud->count) {
        size *= 2;
    }
    int *table = calloc(size, sizeof *table), *place = malloc(((size_t)cloud->count + 1) * sizeof *place);
    if (table && place) {
        int kept = 0;
        cloud->count = find_places(cloud, table, size, place);
        for (int t = 0; cloud->triangles && t < cloud->triangle_count; t++) {
            lbio_corners corners = cloud->triangles[t];
            for (int k = 0; k < 3; k++) {
                corners.at[k] = place[corners.at[k]];
            }
            if (corners.at[0] != corners.at[1] && corners.at[1] != corners.at[2] && corners.at[2] != corners.at[0]) {
                cloud->triangles[kept++] = corners;
            }
        }
        cloud->triangle_count = cloud->triangles ? kept : cloud->triangle_count;
    }
    const int is_done = table && place;
    free(table);
    free(place);
    return is_done;
}
