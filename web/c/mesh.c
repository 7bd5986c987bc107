/* For limber.wasm, from which the readers of meshes are kept out: meshes that robot files name are left out with a warning, as
 * where a package is not installed. limber-meshes.wasm reads them. */
#include "io/mesh/mesh.h"
#include "io/mjcf/mjcf.h"
#include <stdlib.h>

lb_status lbio_mesh_read(const lbio_mesh_name *name, const double scale[3], const lb_load_options *options,
                         lbio_cloud *cloud, lb_error *error) {
    (void)scale, (void)options, (void)cloud;
    return lbio_error(error, LB_ERROR_FILE, NULL, 0,
                      "%s: this module does not read meshes; load({meshes: true}) has one that does", name->uri);
}

int lbio_mesh_hull(const lbio_cloud *cloud, lb_shape *shape) {
    (void)cloud, (void)shape;
    return 0;
}

int lbio_mesh_shapes(const lbio_cloud *cloud, lb_shape shapes[LBIO_MESH_MAX_COLORS]) {
    (void)cloud, (void)shapes;
    return -1;
}

void lbio_cloud_free(lbio_cloud *cloud) { (void)cloud; }

void lbio_mesh_release(lb_shape *shape) { /* hulls of given points */
    free((void *)shape->vertices);
    shape->vertices = NULL;
    shape->vertex_count = 0;
}

lb_status lbio_mjcf_read_meshes(lbio_mjcf *m, const lbio_xml *root) {
    (void)m, (void)root;
    return LB_OK;
}

lb_status lbio_mjcf_mesh_cloud(lbio_mjcf *m, const lbio_mjcf_view *view, lbio_cloud *cloud, int *is_known) {
    (void)cloud;
    *is_known = 0;
    m->lost = m->lost ? m->lost : view->element;
    m->lost_count++;
    return LB_OK;
}

void lbio_mjcf_tell_meshes(const lbio_mjcf *m) {
    if (m->lost_count) {
        lbio_mjcf_warn(m, m->lost, "%d meshes are left out; load({meshes: true}) has a module that reads them",
                       m->lost_count);
    }
}
