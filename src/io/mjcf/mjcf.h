/*
 * What the parts of the MJCF reader share. It goes through a file in this order:
 *
 *   mjcf_files.c     the XML, with what it includes
 *   mjcf_defaults.c  default classes, and an element's attributes seen through its class
 *   mjcf_model.c     the compiler's settings, and the models that others are attached from
 *   mjcf_body.c      the bodies, with their joints, geoms and sites
 *   mjcf_geom.c      what a geom looks like and weighs
 *   mjcf_mesh.c      meshes
 *   mjcf_equality.c  couplings and closures
 *   mjcf_read.c      the figure made of all that
 */
#ifndef LIMBER_IO_MJCF_H
#define LIMBER_IO_MJCF_H

#include "io/mesh/mesh.h"
#include "io/names.h"
#include "io/xml/xml.h"

/* --- Files ---------------------------------------------------------------------------------------- */

typedef struct lbio_mjcf_file {
    lbio_source source;
    int model;  /* that it is part of */
    char *text; /* owned; NULL for the main file */
    char *path; /* owned, resolved; NULL for a file from memory */
    char *name; /* owned: what source.name says; NULL for the main file */
    lbio_xml_document *document;
    lbio_xml *root;
} lbio_mjcf_file;

#define LBIO_MJCF_MAX_FILES 64
#define LBIO_MJCF_MAX_INCLUDE_DEPTH 4
#define LBIO_MJCF_MAX_MODEL_DEPTH 8

/* --- Attributes and classes ------------------------------------------------------------------------ */

typedef enum lbio_mjcf_kind { /* the elements that default classes speak of */
                              LBIO_MJCF_JOINT,
                              LBIO_MJCF_GEOM,
                              LBIO_MJCF_SITE,
                              LBIO_MJCF_EQUALITY,
                              LBIO_MJCF_MATERIAL,
                              LBIO_MJCF_MESH_ASSET,
                              LBIO_MJCF_KINDS
} lbio_mjcf_kind;

typedef enum lbio_mjcf_attribute {
    LBIO_MJCF_QUAT, /* the five ways to give an orientation come first: one of them replaces the others */
    LBIO_MJCF_AXISANGLE,
    LBIO_MJCF_XYAXES,
    LBIO_MJCF_ZAXIS,
    LBIO_MJCF_EULER,
    LBIO_MJCF_POS,
    LBIO_MJCF_TYPE,
    LBIO_MJCF_AXIS,
    LBIO_MJCF_RANGE,
    LBIO_MJCF_LIMITED,
    LBIO_MJCF_REF,
    LBIO_MJCF_SIZE,
    LBIO_MJCF_FROMTO,
    LBIO_MJCF_RGBA,
    LBIO_MJCF_MATERIAL_NAME,
    LBIO_MJCF_MESH,
    LBIO_MJCF_MASS,
    LBIO_MJCF_DENSITY,
    LBIO_MJCF_GROUP,
    LBIO_MJCF_SHELL,
    LBIO_MJCF_ACTIVE,
    LBIO_MJCF_CONTYPE,
    LBIO_MJCF_CONAFFINITY,
    LBIO_MJCF_SCALE,
    LBIO_MJCF_REFPOS,
    LBIO_MJCF_REFQUAT,
    LBIO_MJCF_ATTRIBUTES
} lbio_mjcf_attribute;

#define LBIO_MJCF_ORIENTATIONS 5

/* An element's attributes: its own, else those of its class; NULL where neither has one. */
typedef struct lbio_mjcf_view {
    const lbio_xml *element;
    const char *values[LBIO_MJCF_ATTRIBUTES];
} lbio_mjcf_view;

typedef struct lbio_mjcf_class {
    const char *values[LBIO_MJCF_KINDS][LBIO_MJCF_ATTRIBUTES]; /* with all that is inherited */
} lbio_mjcf_class;

#define LBIO_MJCF_MAX_CLASSES 10000
#define LBIO_MJCF_MAIN 0 /* index of the class that all others inherit from */

/* --- The model -------------------------------------------------------------------------------------- */

typedef enum lbio_mjcf_joint_type {
    LBIO_MJCF_HINGE,
    LBIO_MJCF_SLIDE,
    LBIO_MJCF_BALL,
    LBIO_MJCF_FREE
} lbio_mjcf_joint_type;

typedef struct lbio_mjcf_joint {
    const lbio_xml *element;
    const char *name; /* NULL until named */
    int body;
    lbio_mjcf_joint_type type;
    double anchor[3], axis[3]; /* in the body's frame; axis is a unit vector */
    int is_limited;
    double lower, upper, ref;
    int is_frozen; /* by an equality with no second joint, at frozen_at */
    double frozen_at;
    int is_driven;
    int set;   /* joints coupled with one another: index of the set's representative (union-find) */
    int index; /* of the figure's joint */
} lbio_mjcf_joint;

typedef struct lbio_mjcf_body {
    const lbio_xml *element;
    const char *name;             /* NULL until named */
    int parent;                   /* -1 for the world */
    int first_joint, joint_count; /* a body's joints follow one another */
    lb_frame frame;               /* in its parent, before its joints move it */
    lb_frame frame_w;             /* in the world, all joints at their ref */
    int has_inertial;
    double mass, com[3];           /* from <inertial> */
    double geom_mass, geom_sum[3]; /* from geoms: mass, and mass times position */
    int has_unknown_mass;          /* a mesh without mass */
    int shows_more;                /* than geoms of hidden groups */
    int weighs_geoms;              /* 1: always, 0: never, -1: where there is no <inertial> */
    int segment;
} lbio_mjcf_body;

typedef struct lbio_mjcf_site {
    const lbio_xml *element;
    const char *name;
    int body;
    lb_frame frame;
    int index; /* of the figure's site */
} lbio_mjcf_site;

typedef struct lbio_mjcf_shape {
    const lbio_xml *element;
    lb_shape shape;   /* shape.segment: the body until the figure is made */
    int is_backstage; /* of a group that MuJoCo's viewer does not show: 3 or more */
} lbio_mjcf_shape;

typedef struct lbio_mjcf_coupling { /* y = polynomial in x, both measured from their refs */
    const lbio_xml *element;
    int y, x; /* joints */
    double coefficients[5];
    int as_limit;     /* 1: kept as a linear equality instead of a drive */
    const char *name; /* NULL: none */
} lbio_mjcf_coupling;

typedef struct lbio_mjcf_closure {
    const lbio_xml *element;
    const char *name; /* NULL: none */
    int is_weld;
    int body_a, body_b;
    lb_frame frame_a, frame_b;
} lbio_mjcf_closure;

typedef enum lbio_mjcf_inertia { LBIO_MJCF_NEVER, LBIO_MJCF_ALWAYS, LBIO_MJCF_AUTO } lbio_mjcf_inertia;

/* A file with what it includes: the main one, or one that bodies are attached from. Each has its own settings, classes
 * and assets. */
typedef struct lbio_mjcf_model {
    const char *name; /* by which <attach> knows it; NULL: the main one */
    int owner;        /* the model that has it among its assets; -1: none */
    const lbio_xml *root;
    const char *folder; /* that its files are named from; NULL: it comes from no file */
    int depth;          /* models around it */

    int is_radian, autolimits;
    char eulerseq[4];
    lbio_mjcf_inertia inertia_from_geom;
    int inertia_groups[2];
    lbio_mjcf_class *classes;
    int class_count, class_capacity;
    lbio_names class_names, material_names; /* the latter's values: colours */
    lbio_names mesh_names;                  /* values: places in meshes */
    const lbio_xml **meshes;                /* <mesh> assets */
    int mesh_count, mesh_capacity;
    const char *mesh_folder; /* the compiler's meshdir or assetdir; NULL: the model's own folder */
} lbio_mjcf_model;

/* A time that a model's elements are read: names get something in front (attach) and behind (replicate). */
typedef struct lbio_mjcf_instance {
    int model;
    const char *prefix, *suffix;
} lbio_mjcf_instance;

#define LBIO_MJCF_MAX_INSTANCES 100000
#define LBIO_MJCF_MAX_PARTS 2000000 /* elements of bodies, each as often as it is read */

typedef struct lbio_mjcf {
    const lbio_source *source; /* the main file's */
    const char *folder;        /* NULL: no includes */
    const lb_allocator *allocator;
    lbio_mjcf_file files[LBIO_MJCF_MAX_FILES];
    int file_count;
    size_t byte_count;
    lbio_mjcf_model models[LBIO_MJCF_MAX_FILES]; /* the main one first */
    int model_count;
    lbio_mjcf_instance *instances; /* by <attach> and <replicate> */
    int instance_count, instance_capacity;

    lbio_mjcf_model *model;      /* that is being read, */
    const char *prefix, *suffix; /* and what its names get */
    int part_count;
    double bound_mass, total_mass;
    int lost_count;                          /* meshes that could not be read */
    const lbio_xml *lost;                    /* the geom of the first, */
    char lost_reason[LB_ERROR_MESSAGE_SIZE]; /* and why */

    lbio_mjcf_body *bodies;
    int body_count, body_capacity;
    lbio_mjcf_joint *joints;
    int joint_count, joint_capacity;
    lbio_mjcf_site *sites;
    int site_count, site_capacity;
    lbio_mjcf_shape *shapes;
    int shape_count, shape_capacity;
    lbio_mjcf_coupling *couplings;
    int coupling_count, coupling_capacity;
    lbio_mjcf_closure *closures;
    int closure_count, closure_capacity;
    lbio_names body_names, joint_names, site_names;
} lbio_mjcf;

/* mjcf_files.c. Children are seen as if what is included stood in the place of <include>. */
lb_status lbio_mjcf_open(lbio_mjcf *m);
/* Reads the file of a <model> asset of m->model, with what it includes, as a new model. */
lb_status lbio_mjcf_open_model(lbio_mjcf *m, const lbio_xml *element);
void lbio_mjcf_close(lbio_mjcf *m);
lbio_xml *lbio_mjcf_first(const lbio_xml *owner);
lbio_xml *lbio_mjcf_next(const lbio_xml *owner, const lbio_xml *child);
/* Messages with the file and line of an element. */
lb_status lbio_mjcf_fail(const lbio_mjcf *m, const lbio_xml *element, lb_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void lbio_mjcf_warn(const lbio_mjcf *m, const lbio_xml *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
lb_status lbio_mjcf_no_memory(const lbio_mjcf *m, const lbio_xml *element);
/* The file that an element stands in. */
const lbio_source *lbio_mjcf_source(const lbio_mjcf *m, const lbio_xml *element);

/* mjcf_defaults.c */
lb_status lbio_mjcf_read_classes(lbio_mjcf *m, const lbio_xml *root);
/* The class an element names, else the one given; -1 after an error. */
int lbio_mjcf_class_of(const lbio_mjcf *m, const lbio_xml *element, const char *attribute, int otherwise);
/* kind LBIO_MJCF_KINDS: an element that classes do not speak of. */
lb_status lbio_mjcf_see(const lbio_mjcf *m, const lbio_xml *element, lbio_mjcf_kind kind, int class_index,
                        lbio_mjcf_view *view);
/* From `least` to `most` numbers of an attribute; *count (may be NULL) is 0 where it is missing. */
lb_status lbio_mjcf_numbers(const lbio_mjcf *m, const lbio_mjcf_view *view, lbio_mjcf_attribute attribute, int least,
                            int most, double *values, int *count);
/* The same of an attribute by its name, without classes. */
lb_status lbio_mjcf_own_numbers(const lbio_mjcf *m, const lbio_xml *element, const char *name, int least, int most,
                                double *values, int *count);
/* "true", "false" (or "auto", -1, where allowed); leaves *value where missing. */
lb_status lbio_mjcf_flag(const lbio_mjcf *m, const lbio_xml *element, const char *name, const char *text,
                         int allow_auto, int *value);
/* pos and orientation of a body, frame, geom or site. */
lb_status lbio_mjcf_frame(const lbio_mjcf *m, const lbio_mjcf_view *view, lb_frame *frame);
/* A frame in the middle of two points, z along them; *length is their distance. */
lb_status lbio_mjcf_fromto(const lbio_mjcf *m, const lbio_mjcf_view *view, lb_frame *frame, double *length,
                           int *present);
/* A rotation from the file's angles, by its eulerseq. */
void lbio_mjcf_from_euler(const lbio_mjcf *m, const double angles[3], double rotation[4]);
/* Radians from a file's angle. */
double lbio_mjcf_angle(const lbio_mjcf *m, double angle);

/* mjcf_model.c: all models that can be attached, and the settings, classes and assets of each. */
lb_status lbio_mjcf_read_models(lbio_mjcf *m);
void lbio_mjcf_free_models(lbio_mjcf *m);
/* The model and the <body> (or <worldbody>) that an <attach> names, and the class that holds there. */
lb_status lbio_mjcf_find_attached(lbio_mjcf *m, const lbio_xml *element, int *model, const lbio_xml **body,
                                  int *class_index);
/* Makes a model the one that is read, and its names longer, which is remembered for its equalities. */
lb_status lbio_mjcf_enter(lbio_mjcf *m, const lbio_xml *element, int model, const char *prefix, const char *suffix);
void lbio_mjcf_leave(lbio_mjcf *m, const lbio_mjcf_instance *before);
lbio_mjcf_instance lbio_mjcf_here(const lbio_mjcf *m);
/* A name as the figure has it: with what is in front and behind. NULL: no memory. */
const char *lbio_mjcf_full_name(const lbio_mjcf *m, const char *name);
/* What is made of three texts, which lives as long as the model. NULL: no memory. */
const char *lbio_mjcf_join(const lbio_mjcf *m, const char *a, const char *b, const char *c);

/* mjcf_body.c, mjcf_geom.c */
lb_status lbio_mjcf_read_bodies(lbio_mjcf *m);
lb_status lbio_mjcf_read_geom(lbio_mjcf *m, const lbio_xml *element, int body, const lb_frame *within, int class_index);
lb_status lbio_mjcf_read_materials(lbio_mjcf *m, const lbio_xml *root);

/* mjcf_mesh.c: the <mesh> assets, read where load options want meshes. */
lb_status lbio_mjcf_read_meshes(lbio_mjcf *m, const lbio_xml *root);
/* The mesh of a geom, scaled and moved; *is_known 0: there is none, which is told at the end. */
lb_status lbio_mjcf_mesh_cloud(lbio_mjcf *m, const lbio_mjcf_view *view, lbio_cloud *cloud, int *is_known);
void lbio_mjcf_tell_meshes(const lbio_mjcf *m);

/* mjcf_equality.c */
lb_status lbio_mjcf_read_equalities(lbio_mjcf *m);
lb_status lbio_mjcf_add_couplings(lbio_mjcf *m, lb_builder *builder);

#endif
