/* The parts of a body's plan (body_plan.c), each made by a function of its own. */
#ifndef LIMBER_SOLVE_BODY_BODY_PLAN_H
#define LIMBER_SOLVE_BODY_BODY_PLAN_H

#include "solve/body/body.h"

static const double lbs_origin[3] = {0, 0, 0};

/* The node that a segment is mounted on; -1: the world. */
int lbs_body_node(const lbs_body *b, int segment);
/* A point of a segment, given in the segment's frame. */
lbs_body_point lbs_body_point_of(const lbs_body *b, int segment, const double at[3]);
/* Whether a segment is `limb` or hangs on it. */
int lbs_is_in(const lb_figure *f, int segment, int limb);
/* A vector of the world as the frame t has it. */
static inline void lbs_rotate_back(const lbm_transform *t, const double v[3], double out[3]) {
    const double x = lbm_dot3(t->x, v), y = lbm_dot3(t->y, v), z = lbm_dot3(t->z, v);
    lbm_set3(out, x, y, z);
}

void lbs_plan_contacts(lbs_body *b, const lbs_space *s); /* body_contacts.c */
void lbs_plan_feet(lbs_body *b, const lbs_space *s);
void lbs_plan_solids(lbs_body *b); /* body_solids.c */
void lbs_plan_levers(lbs_body *b);
void lbs_plan_arms(lbs_body *b, const lbs_space *s); /* body_limbs.c */
void lbs_plan_faces(lbs_body *b, const lbs_space *s);
void lbs_plan_looks(lbs_body *b, const lbs_space *s);
void lbs_plan_obstacles(lbs_body *b, const lbs_space *s); /* body_obstacle.c */
/* How deep solids may be in obstacles: as deep as goals and supports ask. Leaves the body in the rest pose. */
void lbs_body_allow(lbs_body *b, const lbs_space *s);
void lbs_plan_swivels(lbs_body *b); /* body_swivel.c */
/* What each foot stands on as the body is placed, and which forces there are. */
void lbs_body_choose_planes(lbs_body *b); /* body_surface.c */

#endif
