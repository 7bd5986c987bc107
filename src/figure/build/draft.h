/* The description of a figure: the parts, as plain arrays. A builder changes one; a figure keeps one. */
#ifndef LIMBER_FIGURE_DRAFT_H
#define LIMBER_FIGURE_DRAFT_H

#include "figure/error.h"
#include "figure/memory.h"
#include "figure/names.h"

#define LBF_MAX_PARTS 10000000 /* of any kind */

typedef struct lbf_draft {
    lb_allocator allocator;
    lbf_arena arena; /* names, swing polygons, curves, terms */
    const char *name;
    double stature;
    lb_root root;
    int has_root;
    int segment_count, segment_capacity;
    int site_count, site_capacity;
    int shape_count, shape_capacity;
    int joint_count, joint_capacity;
    int group_count, group_capacity;
    int parameter_count, parameter_capacity;
    int drive_count, drive_capacity;
    int limit_count, limit_capacity;
    lb_segment *segments;
    lb_site *sites;
    lb_shape *shapes;
    lb_joint *joints;
    lb_group *groups;
    lb_parameter *parameters;
    lb_drive *drives;
    lb_limit *limits;
    struct lb_body *body;        /* in the arena; NULL: none */
    const lb_dof_ref *body_refs; /* [variable]: what the body takes it for */
    int body_root;               /* the segment that was the root, or floated in the world, when the body was set, */
    lb_frame body_axes;          /* and the frame in it that has the body's axes */
    lbf_names names;             /* scopes below */
} lbf_draft;

/* Scopes of names: segments, joints and groups are apart; a site's scope is its segment, a parameter's its group. */
enum { LBF_SCOPE_SEGMENT = -1, LBF_SCOPE_JOINT = -2, LBF_SCOPE_GROUP = -3 };
static inline int lbf_scope_of_site(int segment) { return 2 * segment; }
static inline int lbf_scope_of_parameter(int group) { return 2 * group + 1; }

void lbf_draft_init(lbf_draft *draft, const lb_allocator *allocator);
void lbf_draft_free(lbf_draft *draft);
/* A deep copy into an initialised draft. Returns 0 if there is no memory (then free it). */
int lbf_draft_copy(lbf_draft *to, const lbf_draft *from);
/* All names again, after parts have moved; cannot fail if nothing was added. */
int lbf_draft_index(lbf_draft *draft);

/* Removes what is not kept and all that names it; keep_... have one flag a part. Returns 0 if there is no memory; the
 * draft is then unchanged. */
int lbf_draft_filter(lbf_draft *draft, const unsigned char *keep_segment, const unsigned char *keep_joint);

/* Default names of a joint type's dofs, in the arena where they are not constants. Returns 0 if there is no memory. */
int lbf_name_dofs(lbf_draft *draft, lb_joint *joint);
/* The first dof of the type's first swing_twist, or -1. */
/* Whether a type is one: elements of known kinds, at most six dofs, unit axes. */
int lbf_type_is_sound(const lb_joint_type *type);
int lbf_first_swing_dof(const lb_joint_type *type);

#endif
