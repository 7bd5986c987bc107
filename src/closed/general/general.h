/* Any arm of six joints, at most one of which slides: elimination after M. Raghavan and B. Roth (Inverse kinematics of
 * the general 6R manipulator and related linkages, ASME J. Mechanical Design 115, 1993), in terms of lines instead of
 * Denavit-Hartenberg parameters. */
#ifndef LIMBER_CLOSED_GENERAL_H
#define LIMBER_CLOSED_GENERAL_H

#include "closed/set.h"
#include "closed/trig_roots.h"

#define LBC_ROWS 14  /* equations of a line that both sides of the loop carry */
#define LBC_ORDER 12 /* of the matrix whose determinant vanishes */
#define LBC_SAMPLES \
    (2 * LBC_TRIG_DEGREE + 4) /* of the determinant: its coefficients, and two harmonics of pure noise */

/* What the arm needs for every goal. */
typedef struct lbc_general {
    int shift_count;
    int shifts[6]; /* joints that the loop may be begun at, the best first */
    int has_left;  /* the first of them is 0, whose left side does not depend on the goal */
    double left[LBC_ROWS][27];
    double origin[3];
    double cosine[LBC_SAMPLES], sine[LBC_SAMPLES];
    lbc_trig_basis basis; /* of degree 8 */
} lbc_general;

/* The loop, begun at one of its joints: motion 0 ... motion 5 = goal. */
typedef struct lbc_loop {
    int joint[6]; /* of the arm */
    int slides[6];
    double w[6][3], p[6][3]; /* axes, and points relative to the origin */
    double origin[3];
    double line_point[3], line_axis[3]; /* axis 5, moved by the goal */
    lbm_transform goal;
    double left[LBC_ROWS][27]; /* by 1, c, s of motions 2, 3 and 4 */
    double right[LBC_ROWS][9]; /* by 1, c, s of motions 0 and 1 */
    double six[3][6][3][3]; /* six equations by 1, c, s of motion 2 and powers of the half-angle tangents of 3 and 4 */
    double spread;          /* ratio of the diagonal elements of the triangular factor: a bound on digits lost there */
} lbc_loop;

typedef double lbc_square[LBC_ORDER][LBC_ORDER];

/* Angles by eigenvalues. One that is not quite real may be two that are. */
typedef struct lbc_eigen_found {
    int count;
    double roots[LBC_TRIG_ROOTS];
    int weights[LBC_TRIG_ROOTS]; /* solutions that each may stand for */
    double lack;                 /* of those that are not real, as of lbc_general_lack */
} lbc_eigen_found;

/* Memory for one goal. */
typedef struct lbc_general_work {
    lbc_loop loop;
    lbc_square matrix, other;
    double companion[4 * LBC_ORDER * LBC_ORDER];
    lbc_trig f;
    lbc_trig_found found;  /* by the determinant */
    lbc_eigen_found eigen; /* by eigenvalues */
    int is_lossy;          /* the last roots were those of eigen */
} lbc_general_work;

/* Whether the method applies: six joints, at most one slides, and some way round the loop has a determinant that is not
 * always 0. Fills *general then. */
int lbc_general_prepare(const lbc_arm *arm, lbc_general *general, lbc_general_work *work);
/* All solutions for a goal, in arm lengths. Returns how many ways round the loop were tried: 1 where no digits were
 * lost. */
int lbc_general_solve(const lbc_arm *arm, const lbc_general *general, const lbm_transform *goal, lbc_set *set,
                      lbc_general_work *work);

/* After lbc_general_solve: how near further roots of the hidden joint came to being real, as minus the square of an
 * angle;
 * -INFINITY where none did. */
double lbc_general_lack(const lbc_general_work *work);
/* After lbc_general_solve: whether there are no more solutions than those of the set. So it is where no digits were
 * lost, each root of the determinant has one solution, and no further pair of roots is near to being there. */
int lbc_general_is_clear(const lbc_set *set, const lbc_general_work *work);

/* --- Between general.c, general_roots.c and general_back.c
 * --------------------------------------------------------------- */

/* Moves a point and a direction by motion i of the loop: sample 0, 1 or 2 of it, or its inverse. */
void lbc_loop_sample(const lbc_loop *loop, int i, int sample, int is_inverse, double point[3], double axis[3]);
/* The same by a value. */
void lbc_loop_move(const lbc_loop *loop, int i, double value, double point[3], double axis[3]);
/* Turns three samples, `stride` apart, into the coefficients of 1, c, s, or of 1, d, d^2. */
void lbc_loop_fit(int slides, double *samples, int stride);
/* The rows of a line: p, l, p.p, p.l, p x l, (p.p) l - 2 (p.l) p; `stride` apart. */
void lbc_line_rows(const double p[3], const double l[3], double *rows, int stride);

/* The matrix at an angle of motion 2. */
void lbc_loop_matrix(const lbc_loop *loop, double c, double s, lbc_square matrix);
/* Factors it, with pivots; returns the determinant. */
double lbc_factor(lbc_square matrix, int pivots[LBC_ORDER]);
/* x = a^-1 x by the factors. */
void lbc_solve_factored(lbc_square matrix, const int pivots[LBC_ORDER], double x[LBC_ORDER]);
/* The angles of motion 2: by the determinant. Returns whether digits were lost. */
int lbc_loop_roots(const lbc_general *general, const lbc_loop *loop, lbc_general_work *work);
/* And by eigenvalues, to work->eigen. Returns 0 where the iteration fails. */
int lbc_loop_eigen_roots(const lbc_loop *loop, lbc_general_work *work);
/* The other joints, for an angle of motion 2: offers what comes of it. */
void lbc_loop_back(const lbc_arm *arm, const lbc_loop *loop, double angle, const lbm_transform *goal, lbc_set *set,
                   lbc_general_work *work);

#endif
