/* A chain as workspaces see it: what moves between a base and an end-effector, each coordinate in a range of its own.
 *
 * Coordinates that a group or another joint drives have the range that their drives can give them, as if they were free
 * in it: what such a chain reaches has all that the figure reaches. What stands is folded into the constants. */
#ifndef LIMBER_REACH_CHAIN_H
#define LIMBER_REACH_CHAIN_H

#include "figure/figure.h"
#include "figure/kinematics/kinematics.h"

static inline double lbr_min(double a, double b) { return a < b ? a : b; }
static inline double lbr_max(double a, double b) { return a > b ? a : b; }

typedef struct lbr_link {
    lbm_transform constant; /* from the frame of the link before (the world's, of the first) to where this one moves */
    lbf_node_kind kind;
    double low[3], high[3]; /* of its coordinates: radians or metres along z; may be infinite */
    int node;               /* of the figure */
} lbr_link;

typedef struct lbr_chain {
    const lb_allocator *allocator;
    int count, capacity;
    lbr_link *links;   /* those nearer to the base first */
    lbm_transform tip; /* the end-effector in the last link's frame (the world's, without links) */
    int is_free;       /* each link is moved by one variable of its own, and these have no limits in common */
    int has_loops;     /* the figure has loops: not all that the chain reaches keeps them closed */
    double length;     /* metres: of all links together, at most; 1 where it is 0 */
    double turn_slack; /* radians: what rounding may turn the end-effector by */
    double slack;      /* metres: what rounding adds up to, by how much a proof must hold (math/outward.h) */
} lbr_chain;

/* What of a figure may move. */
typedef struct lbr_request {
    const lb_figure *figure;
    const lb_effector *effector;
    int base_segment;           /* -1: the world, before a free root */
    const unsigned char *moves; /* [variable], or NULL */
    const double *pose;         /* [variable], or NULL: the rest pose */
} lbr_request;

/* Fills a chain that has room for the links of all nodes, without allocating: `k` is at `pose`, in which what may move
 * is inside its bounds; way[node] is scratch. Returns 0 where the base is not between root and effector. */
int lbr_chain_fill(lbr_chain *chain, const lbr_request *request, const lb_kinematics *k, const double *pose, int *way);
/* Makes the chain; fails where there is no memory, or the base is not between root and effector. */
lb_status lbr_chain_make(lbr_chain *chain, const lbr_request *request, lb_error *error);
void lbr_chain_free(lbr_chain *chain);

/* Whether a link turns about z by any angle. */
int lbr_turns_fully(const lbr_link *link);
/* What rounding, and what the chain leaves out, may add to where a point is found that lies as far from the origin as
 * this one. */
double lbr_slack_at(const lbr_chain *chain, const double point[3]);
/* The greatest angle that a link with a rotation vector turns by; at most a half turn. */
double lbr_swing_of(const lbr_link *link);

#endif
