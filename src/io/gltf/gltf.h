/* glTF 2.0 from the inside: docs/gltf.md says what becomes of what.
 *
 *     gltf_file.c     the container: chunks, JSON, buffers
 *     gltf_accessor.c numbers out of buffers
 *     gltf_nodes.c    nodes, their tree and transforms
 *     gltf_segments.c which of the nodes are the figure's segments
 *     gltf_unit.c     what one unit of its lengths is
 *     gltf_read.c     the figure
 *     gltf_clip.c     animations, as clips
 *     gltf_edit.c     changes to the text of the JSON that leave the rest as it is
 *     gltf_save.c     a pose or an animation into the file that the figure came from; gltf_save_clip.c the latter
 *     gltf_form.c     from a GLB to a .gltf and back
 *     gltf_write.c    any figure as a file of its own; gltf_mesh.c makes its meshes
 */
#ifndef LIMBER_IO_GLTF_H
#define LIMBER_IO_GLTF_H

#include "io/human/human.h"
#include "io/names.h"
#include "io/problem/problem.h"
#include "io/rotation.h"
#include "io/text.h"
#include <limber/motion.h>

#define LBIO_GLTF_MAX_NODES 100000
#define LBIO_GLTF_MAX_DEPTH 1000
#define LBIO_GLTF_MAX_VALUES ((size_t)1 << 23) /* numbers of one accessor */
#define LBIO_GLTF_MAX_NUMBERS 32e6             /* of all: twice what a file of 64 MiB can hold */

/* Where a node is in the file's world: a frame without scale, and what is left of the linear part:
 * frame.rotation * shape, row by row. */
typedef struct lbio_gltf_state {
    lb_frame frame;
    double shape[9];
} lbio_gltf_state;

typedef struct lbio_gltf_node {
    const char *name; /* unique */
    int parent;       /* -1: none */
    int depth;        /* from its tree's top */
    int has_name;     /* the file gives it one */
    int has_mesh;
    int is_joint;      /* of a skin */
    int is_human;      /* a bone that a VRM extension names */
    int turns, shifts; /* by an animation */
    int is_segment;    /* of the figure */
    int is_floating;   /* its joint has three translations before its rotations */
    int is_held;       /* the solver leaves these translations where they are: a bone keeps its length */
    int is_fixed;      /* its joint does not move */
    int has_matrix;    /* instead of the three below, which are made from it */
    double matrix[16]; /* column by column, as in the file */
    double translation[3], rotation[4], scale[3];
    double stretch[9]; /* linear part = rotation * stretch, row by row; that of the scale, unless a matrix shears */
    double flip[4];    /* the half turn that the signs of scale make, up to a sign of all three */
    int part;          /* of the human body, -1: none */
    int segment;       /* of the figure, -1: none */
} lbio_gltf_node;

typedef struct lbio_gltf_buffer {
    const unsigned char *data; /* NULL: not read yet */
    size_t size;
} lbio_gltf_buffer;

typedef struct lbio_gltf {
    const lbio_source *source; /* the file as it is */
    const char *folder;        /* where the files beside it are; NULL: none may be read */
    int is_binary;
    lbio_source json_source; /* of the JSON text */
    lbio_reader reader;      /* with json_source: knows where it is */
    json_t *json;
    const unsigned char *bin; /* NULL: no such chunk */
    size_t bin_size;
    size_t json_at, bin_at, end; /* where the chunks' data begin, and the file ends */
    lbio_gltf_buffer *buffers;
    int buffer_count;
    lbio_gltf_node *nodes;
    int node_count;
    lbio_gltf_state *rest;           /* [node_count] where the nodes are as the file has them */
    int *order;                      /* [node_count] parents before children */
    struct lbio_gltf_values *cached; /* [accessors] what was read of them */
    double looked_at;                /* numbers of accessors handed out: has a cap, for they may all be the same */
    lbio_names names;
    lbio_gltf_state top; /* what is above all nodes: no turn, and the scale that makes metres of the file's unit */
    double size;         /* extent of the nodes at rest */
    int has_own_parts;   /* a humanoid says which bones are which, and their names do not */
    int faces_back;      /* its character looks along -z, as VRM 0.x has it */
    struct lbio_gltf_block *blocks;
} lbio_gltf;

/* --- gltf_file.c, gltf_accessor.c ------------------------------------------------------------------- */

/* Opens a file's text; close it in any case. */
lb_status lbio_gltf_open(lbio_gltf *gltf, const lbio_source *source, const char *folder);
void lbio_gltf_close(lbio_gltf *gltf);
/* Zeroed memory that lives until the file is closed; NULL if there is none. */
void *lbio_gltf_new(lbio_gltf *gltf, size_t count, size_t size);
lb_status lbio_gltf_no_memory(lbio_gltf *gltf);
/* A list at the top of the document, or NULL; fails where it is no list. */
lb_status lbio_gltf_list(lbio_gltf *gltf, const char *key, json_t **list);
/* A member that is an index below count; *out is -1 where there is none. */
lb_status lbio_gltf_index(lbio_gltf *gltf, const json_t *object, const char *key, int count, int *out);
/* All values of an accessor, as numbers: *values [*count * width]. */
lb_status lbio_gltf_accessor(lbio_gltf *gltf, int accessor, int width, double **values, int *count);

/* A buffer's bytes, read when they are first needed. Leaves the reader where it was. */
lb_status lbio_gltf_need_buffer(lbio_gltf *gltf, int index, const lbio_gltf_buffer **out);

/* --- gltf_segments.c ------------------------------------------------------------------------------- */

/* Marks what skins, humanoids and animations say of the nodes, and chooses those that become segments. */
lb_status lbio_gltf_choose_segments(lbio_gltf *gltf);

/* --- gltf_nodes.c --------------------------------------------------------------------------------- */

/* Reads the nodes; lengths are metres, as the format has it. */
lb_status lbio_gltf_read_nodes(lbio_gltf *gltf);
/* Places the nodes at rest anew, with so many metres per unit of the file. */
void lbio_gltf_set_unit(lbio_gltf *gltf, double unit);
/* Where a node is, given where its parent is (states[parent]) and its own translation and rotation. */
void lbio_gltf_step(const lbio_gltf *gltf, int node, const lbio_gltf_state *states, const double translation[3],
                    const double rotation[4], lbio_gltf_state *out);
/* The reverse: the node's own translation and rotation that bring its frame to `frame`. The translation stays as the
 * file has it where the parent's scale is 0. */
void lbio_gltf_step_back(const lbio_gltf *gltf, int node, const lbio_gltf_state *states, const lb_frame *frame,
                         double translation[3], double rotation[4]);
/* Turns the file's world into Limber's: y up to z up, and so that the character faces x. */
void lbio_gltf_to_world(const lbio_gltf *gltf, double rotation[4]);

/* --- gltf_unit.c ---------------------------------------------------------------------------------- */

/* The unit that the options say or a person's legs tell, which is warned of. */
void lbio_gltf_find_unit(lbio_gltf *gltf);
/* The unit in which a figure was read from this file, by the lengths of its bones. */
lb_status lbio_gltf_unit_of(lbio_gltf *gltf, const lb_figure *figure);

/* --- gltf_read.c ---------------------------------------------------------------------------------- */

/* The nearest node above that is a segment; -1: none, the world. */
int lbio_gltf_segment_above(const lbio_gltf *gltf, int node);
lb_status lbio_gltf_build(lbio_gltf *gltf, lb_figure **figure);

/* --- gltf_clip.c ---------------------------------------------------------------------------------- */

/* Marks what animations move: nodes' turns and shifts. */
lb_status lbio_gltf_mark_animated(lbio_gltf *gltf);
/* The animation that options name (or the first) as a clip of the figure that was made from this file. */
lb_status lbio_gltf_read_clip(lbio_gltf *gltf, const lb_figure *figure, lb_clip **clip);

/* What the still of a pose is called (gltf_save_clip.c), and whether an animation is that. */
#define LBIO_GLTF_STILL "limber pose"
int lbio_gltf_is_still(const json_t *animations, size_t number);

/* --- gltf_edit.c ---------------------------------------------------------------------------------- */

typedef struct lbio_edit {
    size_t at, removed;
    char *text;
    size_t size;
    int number; /* of two at one place the earlier comes first */
} lbio_edit;

typedef struct lbio_edits {
    const char *text; /* well-formed JSON */
    size_t size;
    lbio_edit *items;
    int count, capacity;
    int failed; /* out of memory */
} lbio_edits;

/* Where a value begins and ends in the text; 0 where there is none. */
typedef struct lbio_span {
    size_t begin, end;
} lbio_span;

int lbio_json_member_span(const char *text, size_t size, lbio_span object, const char *key, lbio_span *value,
                          lbio_span *whole);
int lbio_json_item_span(const char *text, size_t size, lbio_span list, int index, lbio_span *value);
lbio_span lbio_json_root_span(const char *text, size_t size);
void lbio_edits_replace(lbio_edits *edits, lbio_span span, const char *text);
/* Sets a member's value; adds the member where there is none. */
void lbio_edits_set(lbio_edits *edits, lbio_span object, const char *key, const char *value);
/* Adds items (with commas between them) at the end of a list, which is made where there is none. */
void lbio_edits_append(lbio_edits *edits, lbio_span object, const char *key, const char *items);
/* The text with all edits made. */
void lbio_edits_apply(lbio_edits *edits, lbio_text *out);
void lbio_edits_free(lbio_edits *edits);

/* --- gltf_save.c ---------------------------------------------------------------------------------- */

/* What is to be put into a file: a pose of a figure, or a clip under a name. */
typedef struct lbio_gltf_change {
    const lb_figure *figure;
    const double *pose;
    const lb_clip *clip;
    const char *name;
    const char *path;               /* where it will go; NULL: not known */
    const lb_save_options *options; /* may be NULL */
} lbio_gltf_change;

/* The file with the change made; all else in it stays byte for byte. */
lb_status lbio_gltf_rewrite(const lbio_source *source, const char *folder, const lbio_gltf_change *change,
                            lbio_text *out);

/* --- gltf_form.c ---------------------------------------------------------------------------------- */

/* A GLB as a .gltf, or the other way round. */
lb_status lbio_gltf_change_form(const lbio_source *source, const char *folder, lbio_text *out);

/* --- gltf_mesh.c ---------------------------------------------------------------------------------- */

/* Triangles of one colour. */
typedef struct lbio_mesh {
    float *positions, *normals; /* [vertex_count * 3] */
    unsigned *indices;
    int vertex_count, vertex_capacity, index_count, index_capacity;
    int failed;
} lbio_mesh;

void lbio_mesh_add(lbio_mesh *mesh, const lb_shape *shape);
void lbio_mesh_free(lbio_mesh *mesh);

/* --- numbers and chunks, shared by the two writers -------------------------------------------------- */

/* Rounding may have made one of a unit quaternion's numbers larger than 1, which glTF does not allow. */
void lbio_gltf_clamp(double rotation[4]);
void lbio_gltf_put_u32(lbio_text *out, size_t value);
void lbio_gltf_put_float(lbio_text *out, double value);
void lbio_gltf_put_base64(lbio_text *out, const lbio_text *data);
/* A whole GLB: bin may be empty; `rest` are further chunks as they were. */
void lbio_gltf_put_file(lbio_text *out, const lbio_text *json, const lbio_text *bin, const char *rest,
                        size_t rest_size);

/* The values of a joint's dofs that turn site_b's frame from site_a's by `turn` and shift it by `shift`. */
void lbio_gltf_joint_values(const lb_joint *joint, const double shift[3], const double turn[4], double *values);

#endif
