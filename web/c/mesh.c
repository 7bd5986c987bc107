/* Meshes that robot files name lie in files beside them, which a page does not have: here they are left out with the
 * reader's own warning, as where a package is not installed. It keeps the readers of meshes out of the module. */
#include "io/mesh/mesh.h"
#include <stdlib.h>

lb_status lbio_mesh_hull(const lbio_mesh_name *name, const double scale[3], const lb_load_options *options,
                         lb_shape *shape, lb_error *error) {
    (void)scale, (void)options, (void)shape;
    return lbio_error(error, LB_ERROR_FILE, NULL, 0, "%s: meshes are not read in a browser", name->uri);
}

void lbio_mesh_release(lb_shape *shape) {
    free((void *)shape->vertices);
    shape->vertices = NULL;
    shape->vertex_count = 0;
}
