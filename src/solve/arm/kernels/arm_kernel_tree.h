/* The arm engine's kernel for trees of joints with several goals (arm_tree.h): starts side by side, one in each lane.
 * Included by arm_kernel_tree1.c and arm_kernel_tree4.c, which define LBM_LANES and KERNEL, the function's name.
 *
 * An iteration is that of one arm (arm_kernel_common.h), but for this: the columns K of the Jacobian have the rows of
 * all goals, a joint that is on the way to a goal's carrier counts with the opposite sign, a variable's column is the
 * sum of those of its joints times their factors, and K K' + damping, whose blocks of goals that share no variable are
 * zero, is solved by L D L'. Each goal has six rows; those of a part that it does not ask for are zero. Lengths are in
 * metres but for the rows of points, which are in the plan's unit. */
#include "solve/arm/arm_tree.h"
#include "solve/arm/kernels/arm_kernel_common.h"

/* Of the evaluation: the errors of each goal, as rows, and its effector's point. */
typedef struct look {
    struct {
        error_sizes size; /* the largest of any goal */
    } e;
    lbm_lanes rows[LBS_TREE_ROWS];
    lbm_lanes points[LBS_ARM_GOALS][3];
} look;

typedef struct state {
    double (*frames)[12][LBM_LANES];             /* [joint]: x, y, z and the point, behind the joint */
    double (*columns)[LBS_TREE_ROWS][LBM_LANES]; /* [variable] */
} state;

/* --- Frames ---------------------------------------------------------------------------------------------------------- */

static inline void load_frame(double from[12][LBM_LANES], frame_lanes *f) {
    for (int k = 0; k < 3; k++) {
        f->x[k] = lbm_load_lanes(from[k]);
        f->y[k] = lbm_load_lanes(from[3 + k]);
        f->n[k] = lbm_load_lanes(from[6 + k]);
        f->p[k] = lbm_load_lanes(from[9 + k]);
    }
}

static inline void store_frame(const frame_lanes *f, double to[12][LBM_LANES]) {
    for (int k = 0; k < 3; k++) {
        lbm_store_lanes(to[k], f->x[k]);
        lbm_store_lanes(to[3 + k], f->y[k]);
        lbm_store_lanes(to[6 + k], f->n[k]);
        lbm_store_lanes(to[9 + k], f->p[k]);
    }
}

static inline void constant_frame(const lbm_transform *t, frame_lanes *f) {
    for (int k = 0; k < 3; k++) {
        f->x[k] = lbm_all_lanes(t->x[k]);
        f->y[k] = lbm_all_lanes(t->y[k]);
        f->n[k] = lbm_all_lanes(t->z[k]);
        f->p[k] = lbm_all_lanes(t->p[k]);
    }
}

/* f = f * t */
LBM_INLINE void append_constant(const lbm_transform *t, frame_lanes *f) {
    for (int k = 0; k < 3; k++) {
        const lbm_lanes x = f->x[k], y = f->y[k], n = f->n[k];
        f->p[k] += x * t->p[0] + y * t->p[1] + n * t->p[2];
        f->x[k] = x * t->x[0] + y * t->x[1] + n * t->x[2];
        f->y[k] = x * t->y[0] + y * t->y[1] + n * t->y[2];
        f->n[k] = x * t->z[0] + y * t->z[1] + n * t->z[2];
    }
}

/* A frame behind a joint, or in the world. */
static void find_mount(int joint, const lbm_transform *frame, const state *s, frame_lanes *f) {
    if (joint < 0) {
        constant_frame(frame, f);
        return;
    }
    load_frame(s->frames[joint], f);
    append_constant(frame, f);
}

/* The same where the gap only puts axes into another order. */
LBM_INLINE void pass_gap(const lbs_tree_joint *j, const state *s, frame_lanes *f) {
    if (j->parent < 0 || !j->is_permuted) {
        find_mount(j->parent, &j->gap, s, f);
        return;
    }
    double(*from)[LBM_LANES] = s->frames[j->parent];
    for (int k = 0; k < 3; k++) {
        f->x[k] = lbm_load_lanes(from[j->from[0] + k]) * j->signs[0];
        f->y[k] = lbm_load_lanes(from[j->from[1] + k]) * j->signs[1];
        f->n[k] = lbm_load_lanes(from[j->from[2] + k]) * j->signs[2];
        f->p[k] = lbm_load_lanes(from[9 + k]);
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3 && j->gap.p[axis] != 0; k++) {
            f->p[k] += lbm_load_lanes(from[3 * axis + k]) * j->gap.p[axis];
        }
    }
}

LBM_INLINE void find_frames(const lbs_tree *t, const lbs_arm_lanes *l, const state *s) {
    lbm_lanes values[LBS_TREE_JOINTS], sines[LBS_TREE_JOINTS];
    for (int i = 0; i < t->joint_count; i++) {
        const lbs_tree_joint *j = &t->joints[i];
        values[i] = lbm_load_lanes(l->q[j->variable]) * j->factor + j->offset;
        if (!j->slides) {
            lbm_sincos_lanes(values[i], &sines[i], &values[i]);
        }
    }
    for (int i = 0; i < t->joint_count; i++) {
        const lbs_tree_joint *j = &t->joints[i];
        frame_lanes f;
        pass_gap(j, s, &f);
        if (j->slides) {
            for (int k = 0; k < 3; k++) {
                f.p[k] += f.n[k] * values[i];
            }
        } else {
            turn(&f, sines[i], values[i], 3);
        }
        store_frame(&f, s->frames[i]);
    }
}

/* --- Errors ---------------------------------------------------------------------------------------------------------- */

/* A goal in the world: its columns x, y, z and its point. */
static void find_goal(const lbs_tree_goal *g, const lbs_arm_lanes *l, int number, const state *s, lbm_lanes goal[12]) {
    for (int k = 0; k < 12; k++) {
        goal[k] = lbm_load_lanes(l->goal[12 * number + k]);
    }
    if (g->carrier.joint < 0) {
        const lbm_transform *c = &g->carrier.frame;
        for (int part = 0; part < 4; part++) {
            const lbm_lanes a = goal[3 * part], b = goal[3 * part + 1], n = goal[3 * part + 2];
            for (int k = 0; k < 3; k++) {
                goal[3 * part + k] = a * c->x[k] + b * c->y[k] + n * c->z[k] + (part == 3 ? c->p[k] : 0);
            }
        }
        return;
    }
    frame_lanes c;
    find_mount(g->carrier.joint, &g->carrier.frame, s, &c);
    for (int part = 0; part < 4; part++) {
        const lbm_lanes a = goal[3 * part], b = goal[3 * part + 1], n = goal[3 * part + 2];
        for (int k = 0; k < 3; k++) {
            goal[3 * part + k] = c.x[k] * a + c.y[k] * b + c.n[k] * n;
            if (part == 3) {
                goal[3 * part + k] += c.p[k];
            }
        }
    }
}

static void find_error(const lbs_arm *c, lbs_arm_lanes *l, int number, const state *s, look *at) {
    const lbs_tree_goal *g = &c->tree->goals[number];
    lbm_lanes goal[12], *row = at->rows + 6 * number, square = lbm_all_lanes(0);
    frame_lanes f;
    error_lanes e;
    find_mount(g->effector.joint, &g->effector.frame, s, &f);
    find_goal(g, l, number, s, goal);
    for (int k = 0; k < 3; k++) {
        at->points[number][k] = f.p[k];
        e.point[k] = (goal[9 + k] - f.p[k]) * c->unit;
        row[k] = row[3 + k] = lbm_all_lanes(0);
    }
    if (g->has_point) {
        e.size.point = e.point[0] * e.point[0] + e.point[1] * e.point[1] + e.point[2] * e.point[2];
        at->e.size.point = lbm_max_lanes(at->e.size.point, e.size.point);
        square = e.size.point;
        for (int k = 0; k < 3; k++) {
            row[k] = e.point[k];
        }
    }
    if (g->has_rotation) {
        rotation_error_to(goal, &f, &e);
        at->e.size.rotation = lbm_max_lanes(at->e.size.rotation, e.size.rotation);
        at->e.size.is_small = at->e.size.is_small & e.size.is_small;
        square += e.size.rotation;
        for (int k = 0; k < 3; k++) {
            row[3 + k] = e.rotation[k];
        }
    }
    lbm_store_lanes(l->goal_error[number], square);
}

/* --- Columns --------------------------------------------------------------------------------------------------------- */

static inline void put_number(double to[LBM_LANES], lbm_lanes value, int is_alone) {
    lbm_store_lanes(to, is_alone ? value : lbm_load_lanes(to) + value);
}

/* The columns of a joint: its variable's or, where that has others, a part of the sum. */
LBM_INLINE void add_joint(const lbs_arm *c, int i, const look *at, const state *s) {
    const lbs_tree *t = c->tree;
    const lbs_tree_joint *j = &t->joints[i];
    const lbm_lanes zero = lbm_all_lanes(0);
    lbm_lanes n[3], p[3];
    for (int k = 0; k < 3; k++) {
        n[k] = lbm_load_lanes(s->frames[i][6 + k]);
        p[k] = lbm_load_lanes(s->frames[i][9 + k]);
    }
    for (int g = 0; g < t->goal_count; g++) {
        const lbs_tree_goal *goal = &t->goals[g];
        if (!goal->side[i]) {
            continue;
        }
        const double factor = goal->side[i] * j->factor * c->joints[j->variable].scale;
        const double length = goal->has_point ? factor * c->unit : 0, angle = goal->has_rotation ? factor : 0;
        double(*column)[LBM_LANES] = s->columns[j->variable] + 6 * g;
        lbm_lanes r[3];
        for (int k = 0; k < 3; k++) {
            r[k] = at->points[g][k] - p[k];
        }
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            const lbm_lanes moved = j->slides ? n[k] : n[a] * r[b] - n[b] * r[a];
            put_number(column[k], moved * length, j->is_alone);
            put_number(column[3 + k], j->slides ? zero : n[k] * angle, j->is_alone);
        }
    }
}

/* The product of a variable's column with rows. */
LBM_INLINE lbm_lanes times_rows(const lbs_tree *t, int v, const state *s, const lbm_lanes *rows) {
    lbm_lanes sum = lbm_all_lanes(0);
    for (int g = 0; g < t->goal_count; g++) {
        for (int r = 6 * g; t->moves[v] >> g & 1 && r < 6 * g + 6; r++) {
            sum += lbm_load_lanes(s->columns[v][r]) * rows[r];
        }
    }
    return sum;
}

/* A variable at an end of its range stays there if the gradient points outward: its column becomes 0. */
static void hold_variable(const lbs_arm *c, const lbs_arm_lanes *l, int v, const look *at, const state *s) {
    const lbm_lanes q = lbm_load_lanes(l->q[v]), zero = lbm_all_lanes(0);
    const lbm_truths low = lbm_at_most(q, lbm_all_lanes(c->joints[v].lower)),
                     high = lbm_at_most(lbm_all_lanes(c->joints[v].upper), q);
    if (!lbm_truth_bits(low | high)) {
        return;
    }
    const lbm_lanes gradient = times_rows(c->tree, v, s, at->rows);
    const lbm_truths stuck = (low & lbm_less(gradient, zero)) | (high & lbm_less(zero, gradient));
    for (int r = 0; r < 6 * c->tree->goal_count; r++) {
        if (c->tree->moves[v] >> r / 6 & 1) {
            lbm_store_lanes(s->columns[v][r], lbm_choose(stuck, zero, lbm_load_lanes(s->columns[v][r])));
        }
    }
}

static void find_columns(const lbs_arm *c, const lbs_arm_lanes *l, const look *at, const state *s) {
    for (int i = 0; i < c->tree->joint_count; i++) {
        const lbs_tree_joint *j = &c->tree->joints[i];
        for (int r = 0; r < 6 * c->tree->goal_count && !j->is_alone; r++) {
            lbm_store_lanes(s->columns[j->variable][r], lbm_all_lanes(0));
        }
    }
    for (int i = 0; i < c->tree->joint_count; i++) {
        add_joint(c, i, at, s);
    }
    for (int v = 0; v < c->n; v++) {
        hold_variable(c, l, v, at, s);
    }
}

/* --- The step -------------------------------------------------------------------------------------------------------- */

typedef lbm_lanes tree_matrix[LBS_TREE_ROWS][LBS_TREE_ROWS]; /* the lower triangle */

/* `count` numbers of a row of the block of two goals: products of the columns of all variables that move both. */
LBM_INLINE void find_row(const state *s, int variables, const unsigned char *list, int r, int first, int count,
                         lbm_lanes *row) {
    lbm_lanes sums[6];
    for (int q = 0; q < count; q++) {
        sums[q] = lbm_all_lanes(0);
    }
    for (int i = 0; i < variables; i++) {
        double(*column)[LBM_LANES] = s->columns[list[i]];
        const lbm_lanes x = lbm_load_lanes(column[r]);
        for (int q = 0; q < count; q++) {
            sums[q] += x * lbm_load_lanes(column[first + q]);
        }
    }
    for (int q = 0; q < count; q++) {
        row[first + q] = sums[q];
    }
}

static void find_matrix(const lbs_arm *c, const state *s, lbm_lanes damping, tree_matrix m) {
    const lbs_tree *t = c->tree;
    for (int a = 0; a < t->goal_count; a++) {
        for (int b = 0; b <= a; b++) {
            const int variables = t->counts[a][b];
            for (int r = 6 * a; r < 6 * a + 6; r++) {
                if (a == b && r < 6 * a + 3) { /* what is right of the diagonal is not looked at */
                    find_row(s, variables, t->lists[a][b], r, 6 * b, 3, m[r]);
                } else {
                    find_row(s, variables, t->lists[a][b], r, 6 * b, 6, m[r]);
                }
            }
        }
    }
    for (int r = 0; r < 6 * t->goal_count; r++) {
        m[r][r] += damping;
    }
}

/* y = m^-1 y by L D L', two columns at a time; n is even. With the damping m is positive definite, so that no pivoting
 * is needed. */
static void solve_matrix(int n, tree_matrix m, lbm_lanes *y) {
    lbm_lanes over[LBS_TREE_ROWS];
    for (int k = 0; k < n; k += 2) {
        over[k] = 1.0 / m[k][k];
        const lbm_lanes next = m[k + 1][k] * over[k];
        m[k + 1][k + 1] -= next * m[k + 1][k];
        y[k + 1] -= next * y[k];
        over[k + 1] = 1.0 / m[k + 1][k + 1];
        for (int r = k + 2; r < n; r++) {
            m[r][k + 1] -= next * m[r][k];
            const lbm_lanes a = m[r][k] * over[k], b = m[r][k + 1] * over[k + 1];
            for (int q = k + 2; q <= r; q++) {
                m[r][q] -= a * m[q][k] + b * m[q][k + 1];
            }
            y[r] -= a * y[k] + b * y[k + 1];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        lbm_lanes sum = y[k];
        for (int r = k + 1; r < n; r++) {
            sum -= m[r][k] * y[r];
        }
        y[k] = sum * over[k];
    }
}

static void step(const lbs_arm *c, lbs_arm_lanes *l, const state *s, const lbm_lanes *y, lbm_truths done) {
    for (int v = 0; v < c->n; v++) {
        const lbs_arm_joint *j = &c->joints[v];
        const lbm_lanes q = lbm_load_lanes(l->q[v]), to = q + times_rows(c->tree, v, s, y) * j->scale;
        const lbm_lanes cut = lbm_max_lanes(lbm_min_lanes(to, lbm_all_lanes(j->upper)), lbm_all_lanes(j->lower));
        lbm_store_lanes(l->q[v], lbm_choose(done, q, cut));
    }
}

/* --- For the loop ---------------------------------------------------------------------------------------------------- */

LBM_INLINE void begin(const lbs_arm *c, lbs_arm_lanes *l, state *s) {
    (void)l;
    s->frames = (double(*)[12][LBM_LANES])c->tree->work;
    s->columns = (double(*)[LBS_TREE_ROWS][LBM_LANES])(c->tree->work + (size_t)12 * LBS_TREE_JOINTS * LBM_LANES);
}

LBM_INLINE void finish(const lbs_arm *c, lbs_arm_lanes *l, const state *s) { (void)c, (void)l, (void)s; }

#if LBM_LANES == 1
static inline void keep_first(const look *at, double to[12]) { (void)at, (void)to; }
#endif

LBM_INLINE void evaluate(const lbs_arm *c, lbs_arm_lanes *l, state *s, goal_parts parts, look *at) {
    const lbm_lanes zero = lbm_all_lanes(0);
    (void)parts;
    at->e.size = (error_sizes){zero, zero, lbm_at_most(zero, lbm_all_lanes(1))};
    find_frames(c->tree, l, s);
    for (int g = 0; g < c->tree->goal_count; g++) {
        find_error(c, l, g, s, at);
    }
}

LBM_INLINE void improve(const lbs_arm *c, lbs_arm_lanes *l, state *s, const look *at, lbm_lanes error, lbm_truths done,
                        goal_parts parts) {
    tree_matrix m;
    lbm_lanes y[LBS_TREE_ROWS];
    (void)parts;
    find_columns(c, l, at, s);
    find_matrix(c, s, error * DAMPING + LEAST_DAMPING, m);
    for (int r = 0; r < 6 * c->tree->goal_count; r++) {
        y[r] = at->rows[r];
    }
    solve_matrix(6 * c->tree->goal_count, m, y);
    step(c, l, s, y, done);
}

#define KERNEL_OF_TREE
#include "solve/arm/kernels/arm_iteration.h"
