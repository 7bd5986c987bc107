/* A COLLADA file on its way to points and triangles: mesh_dae.c walks its scene, mesh_dae_parts.c reads its
 * geometries. */
#ifndef LIMBER_IO_MESH_DAE_H
#define LIMBER_IO_MESH_DAE_H

#include "io/mesh/mesh.h"
#include "io/xml/xml.h"

#define LBIO_DAE_MAX_DEPTH 300              /* nodes in one another, instances included */
#define LBIO_DAE_MAX_WORK ((size_t)1 << 30) /* bytes and elements that are looked at, each as often as it is; */
#define LBIO_DAE_PART 1000                  /* a node or a list of triangles counts as so many */

typedef struct lbio_dae {
    const lbio_source *source;
    lbio_cloud *cloud;
    int id_count;
    const lbio_xml **ids; /* elements with an id, sorted by it */
    size_t work;
} lbio_dae;

/* Fails with the line of an element. */
lb_status lbio_dae_fail(const lbio_dae *dae, const lbio_xml *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The element that an attribute of `from` names as "#id", which must be called `name`. */
lb_status lbio_dae_follow(const lbio_dae *dae, const lbio_xml *from, const char *attribute, const char *name,
                          const lbio_xml **found);
/* The element with an id; NULL: there is none. */
const lbio_xml *lbio_dae_find(const lbio_dae *dae, const char *id);
/* The next number of a text: *at goes behind it; NULL at the end. */
lb_status lbio_dae_number(lbio_dae *dae, const lbio_xml *element, const char **at, double *value);
/* Counts what is done: an error where it is too much. */
lb_status lbio_dae_spend(lbio_dae *dae, const lbio_xml *element, size_t amount);

/* The triangles of a <geometry>, moved by three rows of four; `instance` may say the colours of its materials. */
lb_status lbio_dae_geometry(lbio_dae *dae, const lbio_xml *geometry, const lbio_xml *instance, const double matrix[12]);

#endif
