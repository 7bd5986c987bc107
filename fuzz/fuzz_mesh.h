/* Any bytes as a mesh, whose name's ending says of what format: what is read is finite, has triangles, and its hull is near to
 * every vertex. */
#ifndef LIMBER_FUZZ_MESH_H
#define LIMBER_FUZZ_MESH_H

#include "figure/hull/hull.h"
#include "figure/memory.h"
#include "io/mesh/mesh.h"

#include <math.h>
#include <stdlib.h>

#define MOST 20000 /* vertices whose hull is made: more would only take time */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int try_mesh(const char *name, const uint8_t *data, size_t size) {
    lb_load_options options;
    lb_error error;
    lbio_cloud cloud = {0};
    lbio_text text = {0}; /* readers are given text with a 0 behind it */
    lb_load_options_defaults(&options);
    lbio_text_bytes(&text, size ? (const char *)data : "", size);
    const lbio_source source = {name, text.data, text.size, &options, &error};
    if (!text.failed && lbio_read_cloud(&source, NULL, &cloud) == LB_OK) {
        const lb_allocator allocator = lbf_allocator(NULL);
        lbf_hull hull;
        double radius, largest = 0;
        if (cloud.triangle_count < 1 || cloud.count < 1) {
            abort();
        }
        for (int i = 0; i < cloud.count; i++) {
            for (int c = 0; c < 3; c++) {
                largest = fmax(largest, fabs(cloud.points[i][c]));
            }
        }
        if (!isfinite(largest)) {
            abort();
        }
        if (cloud.count <= MOST && largest < 1e6 &&
            lbf_hull_limit(&allocator, cloud.count, (const double(*)[3])cloud.points, LBF_HULL_FEWEST, 0, &hull,
                           &radius) == LB_OK) {
            if (hull.vertex_count < 4 || !(radius >= 0)) {
                abort();
            }
            lbf_hull_free(&allocator, &hull);
        }
    }
    lbio_cloud_free(&cloud);
    lbio_text_free(&text);
    return 0;
}

#endif
