/* Random figures of every kind, from a seed. */
#ifndef LIMBER_TESTS_RANDOM_FIGURE_H
#define LIMBER_TESTS_RANDOM_FIGURE_H

#include <limber/limber.h>

double random_between(uint64_t *seed, double low, double high);
int random_below(uint64_t *seed, int count);
void random_rotation(uint64_t *seed, double rotation[4]);

#define RANDOM_KINDS 22 /* the sixteen of BAGS, floating, three swing-twists, a free rotation, a random spelling */

typedef struct random_options {
    int segments; /* 2 or more */
    int with_loops, with_groups, with_frozen, with_limits;
    int first_kind; /* the kind of the first joint's type, 0 to RANDOM_KINDS - 1; the others are at random */
    const lb_allocator *allocator; /* NULL: the C library's */
    int with_rows;     /* limits over several dofs, equalities among them, and swing polygons that are not regular */
    int with_rigidity; /* some dofs are rigid in part, or do not move at all */
    double scale;      /* of all lengths; 0: 1 */
} random_options;

void random_joint_type(uint64_t *seed, int kind, lb_joint_type *type);
/* Never NULL: a failure to build is a failed check that ends the test. */
lb_figure *random_figure(uint64_t *seed, const random_options *options);
/* A random pose that keeps off the kinks of polylines, where there is no derivative. */
void random_smooth_pose(const lb_figure *figure, uint64_t *seed, double *pose);

#endif
