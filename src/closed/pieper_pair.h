/* Two equations that are linear in cosine and sine of two angles: A (c3, s3) + B (c1, s1) = g. Where A or B is singular
 * they fall apart into two equations of one angle; otherwise they are a trigonometric polynomial of degree 2. */
#ifndef LIMBER_CLOSED_PIEPER_PAIR_H
#define LIMBER_CLOSED_PIEPER_PAIR_H

#include "closed/trig_roots.h"

#define LBC_PAIR_ROOTS 16 /* pairs of angles, at most */
#define LBC_PAIR_DOUBT \
    1e-8 /* of what an equation says: nearer to having a root than this it is in doubt that it has none */

typedef struct lbc_angle {
    double c, s;
    int is_free; /* any angle will do */
} lbc_angle;

typedef struct lbc_pair {
    lbc_angle x1, x3;
    double off; /* where doubts are looked for: radians that they may be off by */
} lbc_pair;

typedef struct lbc_pair_equations {
    double a[2][2], b[2][2], g[2];
    double lack;     /* out: of the roots that are missing, see lbc_pieper_list */
    int is_strict;   /* in: doubts are looked for that cost time, too */
    int is_doubtful; /* out: numbers a little different would have other roots */
} lbc_pair_equations;

/* All pairs of angles that solve the equations, at most LBC_PAIR_ROOTS. Returns how many. */
int lbc_solve_pair(const lbc_trig_basis *basis, lbc_pair_equations *equations, lbc_pair *pairs);

#endif
