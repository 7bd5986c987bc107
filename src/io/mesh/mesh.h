/* Meshes that robot files name: the corners of their triangles for a hull around them and, where they are to be drawn,
 * the triangles and their colours. Nothing else of a mesh is kept.
 *
 *     mesh_find.c       from a name in a file to a path that may be read
 *     mesh_cloud.c      the points and triangles that readers fill
 *     mesh_stl.c        STL, binary and ASCII
 *     mesh_obj.c        Wavefront OBJ
 *     mesh_gltf.c       glTF, by the reader of figures
 *     mesh_dae.c        COLLADA: the nodes of its scene
 *     mesh_dae_parts.c  COLLADA: one geometry, and its colours
 *     mesh_read.c       the reader of all
 *     mesh_shape.c      shapes: the hull, and the triangles themselves */
#ifndef LIMBER_IO_MESH_H
#define LIMBER_IO_MESH_H

#include "io/text.h"

#define LBIO_MESH_MAX_BYTES ((size_t)256 << 20)
#define LBIO_MESH_MAX_TRIANGLES 10000000
#define LBIO_MESH_MAX_POINTS (3 * LBIO_MESH_MAX_TRIANGLES)

typedef struct lbio_corners {
    int at[3]; /* points */
    int paint; /* 1 + 0xRRGGBB; 0: the file says no colour */
} lbio_corners;

typedef struct lbio_cloud {
    int count, capacity;
    double (*points)[3];
    int keeps_triangles; /* set beforehand: triangles are wanted, too; else they are only counted */
    int triangle_count, triangle_capacity;
    lbio_corners *triangles;
    int paint; /* of the triangles that are added next */
} lbio_cloud;

/* Adds a point, or a triangle between points. Returns 0 where there are too many, or no memory for it. */
int lbio_cloud_add(lbio_cloud *cloud, const double point[3]);
int lbio_cloud_add_triangle(lbio_cloud *cloud, int a, int b, int c);
void lbio_cloud_free(lbio_cloud *cloud);
/* The error of one that was not added. */
lb_status lbio_cloud_full(const lbio_source *source, const lbio_cloud *cloud, int line);
/* Points at the same place become one, and triangles without an area are left out. Returns 0 if there is no memory. */
int lbio_cloud_weld(lbio_cloud *cloud);

/* Readers. A mesh without triangles is an error. */
lb_status lbio_read_stl(const lbio_source *source, lbio_cloud *cloud);
lb_status lbio_read_obj(const lbio_source *source, lbio_cloud *cloud);
/* y of the file, which is up there, is z of the points. Its buffers may be files in `folder` (NULL: none). */
lb_status lbio_read_gltf_cloud(const lbio_source *source, const char *folder, lbio_cloud *cloud);
/* In metres, by the file's <unit>. Its <up_axis> is passed over, as RViz and MoveIt do: z of the file is z. */
lb_status lbio_read_dae(const lbio_source *source, lbio_cloud *cloud);
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

/* Finds and reads a mesh, scaled, and welds it. An error is told with the mesh's own file and line. LB_ERROR_FILE: it
 * is not there, or must not be read. The cloud is empty then. */
lb_status lbio_mesh_read(const lbio_mesh_name *name, const double scale[3], const lb_load_options *options,
                         lbio_cloud *cloud, lb_error *error);
/* The mesh as a shape LB_SHAPE_HULL around it; its vertices are to be freed with lbio_mesh_release. Returns 0 if there
 * is no memory. */
int lbio_mesh_hull(const lbio_cloud *cloud, lb_shape *shape);
/* The mesh as it is: one shape LB_SHAPE_MESH for each of its colours, at most LBIO_MESH_MAX_COLORS, written over
 * `shapes` like the first of them, whose colour stands for what has none. Returns how many there are; -1 if there is no
 * memory. */
#define LBIO_MESH_MAX_COLORS 32
int lbio_mesh_shapes(const lbio_cloud *cloud, lb_shape shapes[LBIO_MESH_MAX_COLORS]);
void lbio_mesh_release(lb_shape *shape);

#endif
