/* A finished figure: its description, and what kinematics and limits read.
 *
 * Words: a coordinate is a dof of any joint, driven, frozen or not, in order of joints (a free root's six come first).
 * A variable is what a pose has a value of. A node is one elementary motion: a constant transform, then a turn about,
 * or a shift along, the z axis of where that leads (or a rotation vector). All else - sites, fixed joints, axes - is
 * folded into the constants, so that a joint of one dof is one node, whichever way the tree runs through it. */
#ifndef LIMBER_FIGURE_FIGURE_H
#define LIMBER_FIGURE_FIGURE_H

#include "figure/build/draft.h"
#include "math/curve.h"
#include "math/dense.h"
#include "math/vec.h"

typedef enum lbf_node_kind {
    LBF_NODE_ROTATE,    /* about z */
    LBF_NODE_TRANSLATE, /* along z */
    LBF_NODE_SWING,     /* exp(a x + b y) */
    LBF_NODE_ROTATION   /* exp(a x + b y + c z) */
} lbf_node_kind;

typedef struct lbf_node {
    lbm_transform constant; /* from the parent node's frame (the world's, without parent) to where the motion happens */
    double sign;            /* -1 where the tree runs through the joint backwards */
    int parent;             /* a smaller index, or -1 */
    lbf_node_kind kind;
    int coordinate; /* the first of those that move it */
    /* What makes it quick: axes at right angles need no products, joints at one point no sums. */
    unsigned char is_permutation; /* the constant's axes are the parent's, in another order */
    unsigned char order[3];       /* then: where those that x, y, z are begin in a transform */
    unsigned char offset_count;   /* how many coordinates of the constant's point are not 0; */
    unsigned char offset_axis;    /* where the axis of the last of them begins */
    double offset;                /* that coordinate */
} lbf_node;

/* Nodes to be moved, those nearer to the root first. */
typedef struct lbf_selection {
    int node_count, turn_count, own_count, driven_count;
    int *nodes;
    int *turns;            /* [turn_count]: the coordinates of those that turn about z, in the order of nodes */
    int *owns;             /* those coordinates that are variables, */
    int *driven;           /* and those that are driven: which of the figure's */
    const lbf_node *table; /* [node of the figure]: what stands for its nodes; NULL: they do */
} lbf_selection;

/* Where a segment sits: world(segment) = world(node) * offset. */
typedef struct lbf_mount {
    lbm_transform offset;
    int node; /* -1: the world */
} lbf_mount;

/* A driven coordinate: constant + the sum of its terms, or offset + the sum of its curves and of slopes times
 * variables. */
typedef struct lbf_term {
    int variable;
    int piece_count;         /* 1: a straight line, */
    const lbm_piece *pieces; /* of the curve */
    lb_curve curve;
    const double *second; /* of a spline */
} lbf_term;

typedef struct lbf_driven {
    double constant, offset;
    int coordinate, first_term, term_count;
} lbf_driven;

/* The mass that moves with a node alone, and with all that hangs on it. */
typedef struct lbf_lump {
    double mass, moment[3]; /* moment: mass times centre, in the node's frame */
    double subtree_mass;
} lbf_lump;

/* What re-rooting needs to be undone to the bit. */
typedef struct lbf_origin {
    lb_root root;
    double root_values[6];
    double *values; /* joint and group values at the time */
} lbf_origin;

struct lb_figure {
    lbf_draft draft; /* all arrays below live in its arena */
    const lbm_kernels
        *kernels;      /* the best for this CPU, which is asked once for each figure: that takes microseconds */
    int *parent_joint; /* [segment] */
    int *tree_order;   /* [segment] */
    int loop_count;
    int *loop_joints;
    int node_count, coordinate_count, root_coordinates;
    lbf_node *nodes;
    lbf_selection every_node;
    lbf_mount *mounts;   /* [segment], then [loop]: site_b as the closing joint carries it */
    lbf_lump *lumps;     /* [node] */
    lbf_lump world_lump; /* what hangs on no node */
    double mass;
    int *first_coordinate;    /* [joint] */
    int *coordinate_variable; /* [coordinate]: its own variable, or -1 */
    double *coordinate_rest;  /* [coordinate]: value where it is frozen */
    int is_plain;             /* coordinate i is variable i, for all i */
    int driven_count, term_count;
    lbf_driven *driven;
    lbf_term *terms;
    int *coordinate_driven; /* [coordinate]: index into driven, or -1 */
    int variable_count;
    lb_variable *variables;
    double *lower, *upper, *rest; /* [variable] */
    int row_count;
    lb_limit_row *rows;
    size_t project_size; /* bytes of scratch for projecting */
    lbf_names names;     /* scope 0: variables, 1: sites by their own name (-2 where several have it) */
    lbf_origin *origin;  /* NULL unless re-rooted */
};

/* Connected segments as a forest in set[segment] (lbf_set_of gives a set's representative), and closes[joint]: whether
 * the joint connects two segments that were connected already. */
void lbf_find_loops(const lbf_draft *draft, int *set, unsigned char *closes);
int lbf_set_of(int *set, int segment);

/* The steps of lbf_compile, each on the figure's own draft: compile.c, nodes.c, variables.c, limits.c. */
lb_status lbf_compile_tree(lb_figure *figure, lb_error *error);
lb_status lbf_compile_nodes(lb_figure *figure, lb_error *error);
lb_status lbf_compile_variables(lb_figure *figure, lb_error *error);
lb_status lbf_compile_limits(lb_figure *figure, lb_error *error);

/* Adds a node to a selection that has room for it, once the figure has its variables. */
void lbf_select(const lb_figure *figure, int node, lbf_selection *selection);

/* Which limits are one thing to people: the edges of a swing's cone or polygon; the ranges of the variables of a joint,
 * or of a group, with the rows that are over them alone. room.c: a number for what a variable belongs to; -1: the
 * root. */
int lbf_limit_owner(const lb_figure *figure, int variable);
/* The same of a row; -1: it ties variables of several owners, or is an equality. */
int lbf_row_owner(const lb_figure *figure, const lb_limit_row *row);
/* Whether a variable is one of the two of a swing that a cone or a polygon limits. */
int lbf_is_in_swing(const lb_figure *figure, int variable);
/* What a variable's owner is called: the swing's limit, the joint or the group. */
const char *lbf_owner_name(const lb_figure *figure, int variable);

/* Puts a constant transform into a node's own. */
void lbf_change_constant(lbf_node *node, const lbm_transform *constant);
/* Memory that lives as long as the figure, zeroed; NULL if there is none. */
void *lbf_figure_take(lb_figure *figure, size_t count, size_t size);
/* lb_figure_random_pose with project_size bytes of the caller's, so that nothing is allocated. */
void lbf_random_pose(const lb_figure *figure, uint64_t *seed, double *pose, void *scratch);
/* A rotation whose z axis is `axis`. For the axes x, y, z it is the cyclic permutation, exactly; x and y of the result
 * are the swing axes A and B of lb_element. */
void lbf_align(const double axis[3], lbm_transform *t);
/* First coordinate of a joint's dof. */
static inline int lbf_coordinate(const lb_figure *figure, int joint, int dof) {
    return figure->first_coordinate[joint] + dof;
}

/* Which variables move a coordinate, and how: count, variables via *first_term or one variable of its own. */
typedef struct lbf_influence {
    int count;
    int own;        /* the variable, where count is 1 and first_term is -1 */
    int first_term; /* into figure->terms and kinematics->slopes; -1: own, slope 1 */
} lbf_influence;

static inline lbf_influence lbf_influence_of(const lb_figure *f, int coordinate) {
    int own = f->coordinate_variable[coordinate];
    if (own >= 0) {
        return (lbf_influence){1, own, -1};
    }
    int driven = f->coordinate_driven[coordinate];
    if (driven < 0) {
        return (lbf_influence){0, -1, -1};
    }
    return (lbf_influence){f->driven[driven].term_count, -1, f->driven[driven].first_term};
}

#endif
