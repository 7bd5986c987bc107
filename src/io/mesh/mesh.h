/* Meshes that robot files name: the corners of their triangles, for a hull around them. Nothing else of a mesh is kept.
 *
 *     mesh_find.c  from a name in a file to a path that may be read
 *     mesh_stl.c   STL, binary and ASCII
 *     mesh_obj.c   Wavefront OBJ
 *     mesh_gltf.c  glTF, by the reader of figures
 *     mesh_hull.c  the reader of all, and the hull */
#ifndef LIMBER_IO_MESH_H
#define LIMBER_IO_MESH_H

#include "io/text.h"

#define LBIO_MESH_MAX_BYTES ((size_t)256 << 20)
#define LBIO_MESH_MAX_TRIANGLES 10000000
#define LBIO_MESH_MAX_POINTS (3 * LBIO_MESH_MAX_TRIANGLES)

typedef struct lbio_cloud {
    int count, capacity;
    double (*points)[3];
    int triangle_count;
} lbio_cloud;

/* Adds a point. Returns 0 where there are too many, or no memory for it. */
int lbio_cloud_add(lbio_cloud *cloud, const double point[3]);
void lbio_cloud_free(lbio_cloud *cloud);
/* The error of one that was not added. */
lb_status lbio_cloud_full(const lbio_source *source, const lbio_cloud *cloud, int line);

/* Readers. A mesh without triangles is an error. */
lb_status lbio_read_stl(const lbio_source *source, lbio_cloud *cloud);
lb_status lbio_read_obj(const lbio_source *source, lbio_cloud *cloud);
/* y of the file, which is up there, is z of the points. Its buffers may be files in `folder` (NULL: none). */
lb_status lbio_read_gltf_cloud(const lbio_source *source, const char *folder, lbio_cloud *cloud);
/* The reader for the file's name, or for its beginning. */
lb_status lbio_read_cloud(const lbio_source *source, const char *folder, lbio_cloud *cloud);

/* A mesh as a robot file names it. */
typedef struct lbio_mesh_name {
    const char *uri;      /* package://NAME/path, file://path, or a path */
    const char *base;     /* the folder that a path begins in: that of the robot file, or of its meshes */
    const char *folder;   /* of the robot file, where all may be read; NULL: no file may be read at all */
    const char *packages; /* folders, with colons between them, that packages are looked for in; NULL: none */
    const char *root;     /* one more folder in which all may be read; NULL: none */
} lbio_mesh_name;

/* Finds the file: *path, with all links followed, is to be freed with free(). NULL: *reason, of at least
 * LB_ERROR_MESSAGE_SIZE bytes, says why not. */
char *lbio_mesh_find(const lbio_mesh_name *name, char *reason);

/* Finds and reads a mesh, and makes a shape LB_SHAPE_HULL of it, scaled; its vertices are to be freed with
 * lbio_mesh_release. An error is told with the mesh's own file and line. LB_ERROR_FILE: it is not there, or must not be
 * read. */
lb_status lbio_mesh_hull(const lbio_mesh_name *name, const double scale[3], const lb_load_options *options,
                         lb_shape *shape, lb_error *error);
void lbio_mesh_release(lb_shape *shape);

#endif
