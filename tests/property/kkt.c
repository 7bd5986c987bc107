#include "kkt.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "goal_formulas.h"

/* --- What may move -------------------------------------------------------------------------------------------------- */

/* A dof's variable, or those that drive it, mimics of mimics included. */
static void mark_dof(const random_problem *p, int figure, lb_dof_ref ref, unsigned char *in_chain) {
    const lb_figure *f = p->figures[figure];
    int variable = lb_figure_variable_of(f, &ref);
    if (variable >= 0) {
        in_chain[lb_problem_first_variable(p->problem, figure) + variable] = 1;
    }
    for (int i = 0; i < lb_figure_drive_count(f); i++) {
        const lb_drive *drive = lb_figure_drive(f, i);
        if (ref.joint >= 0 && drive->joint == ref.joint && drive->dof == ref.dof) {
            mark_dof(p, figure, drive->source, in_chain);
        }
    }
}

static void mark_chain(const random_problem *p, int figure, int segment, int chain_start, unsigned char *in_chain) {
    const lb_figure *f = p->figures[figure];
    int joint;
    while ((joint = lb_figure_parent_joint(f, segment)) >= 0) {
        for (int i = 0; i < lb_joint_type_dof_count(&lb_figure_joint(f, joint)->type); i++) {
            mark_dof(p, figure, (lb_dof_ref){joint, i, -1}, in_chain);
        }
        if (joint == chain_start) {
            return;
        }
        segment = lb_figure_parent_segment(f, segment);
    }
    for (int i = 0; i < 6 && lb_figure_root(f)->is_free; i++) {
        in_chain[lb_problem_first_variable(p->problem, figure) + i] = 1;
    }
}

void kkt_may_move(const random_problem *p, unsigned char *moves) {
    int n = lb_problem_variable_count(p->problem), asked = 0;
    memset(moves, 0, (size_t)n);
    for (int i = 0; i < lb_problem_constraint_count(p->problem); i++) {
        const lb_constraint *c = lb_problem_constraint(p->problem, i);
        if (c->disabled) {
            continue;
        }
        asked = 1;
        if (c->effector.kind == LB_EFFECTOR_COM) {
            memset(moves + lb_problem_first_variable(p->problem, c->figure), 1,
                   (size_t)lb_figure_variable_count(p->figures[c->figure]));
        } else {
            mark_chain(p, c->figure, c->effector.segment, c->chain_start, moves);
        }
        if (c->goal.carrier_segment >= 0) {
            mark_chain(p, c->goal.carrier_figure, c->goal.carrier_segment, -1, moves);
        }
    }
    for (int i = 0; i < n; i++) {
        moves[i] = (moves[i] || !asked) && p->rigidity[i] < 1;
    }
}

/* --- Rows ----------------------------------------------------------------------------------------------------------- */

/* A goal's rows and their derivatives by e = (r, x, y), so that P is the sum of their squares. Returns their count. */
typedef struct goal_rows {
    int count;
    double row[9], by_e[9][9];
} goal_rows;

static void add_direction(goal_rows *g, double factor, const double *e, const double *wanted, int part) {
    for (int i = 0; i < 3; i++, g->count++) {
        g->row[g->count] = factor * (e[3 * part + i] - wanted[i]);
        g->by_e[g->count][3 * part + i] = factor;
    }
}

/* normal . (r - point), or what is left of r - point across the normal. */
static void add_across(goal_rows *g, const double *e, const lb_goal *goal, int is_plane) {
    const double *n = goal->normal;
    double off[3], along = 0;
    for (int i = 0; i < 3; i++) {
        off[i] = e[i] - goal->point[i];
    }
    for (int i = 0; i < 3; i++) {
        along += n[i] * off[i];
    }
    if (is_plane) {
        g->row[g->count] = along;
        memcpy(g->by_e[g->count++], n, 3 * sizeof *n);
        return;
    }
    for (int i = 0; i < 3; i++, g->count++) {
        g->row[g->count] = off[i] - along * n[i];
        for (int k = 0; k < 3; k++) {
            g->by_e[g->count][k] = (i == k) - n[i] * n[k];
        }
    }
}

static int add_aim(goal_rows *g, const double *e, const lb_goal *goal) {
    double to[3], length = 0, factor = formula_scale(goal->degrees_x);
    for (int i = 0; i < 3; i++) {
        to[i] = goal->point[i] - e[i];
    }
    length = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
    if (!(length > 0)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        to[i] /= length;
    }
    for (int i = 0; i < 3; i++, g->count++) {
        g->row[g->count] = factor * (e[3 + i] - to[i]);
        g->by_e[g->count][3 + i] = factor;
        for (int k = 0; k < 3; k++) {
            g->by_e[g->count][k] = factor * ((i == k) - to[i] * to[k]) / length;
        }
    }
    return 1;
}

static int rows_of(const lb_goal *goal, const double *e, goal_rows *g) {
    int is_frame = goal->kind == LB_GOAL_FRAME;
    double position = is_frame ? sqrt(goal->weight_position) : 1,
           direction = is_frame ? sqrt(goal->weight_orientation) : 1;
    memset(g, 0, sizeof *g);
    if (goal->kind == LB_GOAL_POSITION || is_frame) {
        add_direction(g, position, e, goal->point, 0);
    }
    if (goal->kind == LB_GOAL_ORIENTATION || is_frame) {
        if (goal->degrees_x > 0) {
            add_direction(g, direction * formula_scale(goal->degrees_x), e, goal->x, 1);
        }
        if (goal->degrees_y > 0) {
            add_direction(g, direction * formula_scale(goal->degrees_y), e, goal->y, 2);
        }
    }
    if (goal->kind == LB_GOAL_LINE || goal->kind == LB_GOAL_PLANE) {
        add_across(g, e, goal, goal->kind == LB_GOAL_PLANE);
    }
    return goal->kind == LB_GOAL_AIM ? add_aim(g, e, goal) : 1;
}

static void add_constraint(const random_problem *p, const lb_constraint *c, kkt_rows *rows) {
    static double jacobian[9 * RANDOM_MOST_VARIABLES];
    goal_rows g;
    double e[9];
    int count = lb_figure_variable_count(p->figures[c->figure]),
        first = lb_problem_first_variable(p->problem, c->figure);
    REQUIRE(lb_kinematics_effector(p->kinematics[c->figure], &c->effector, e) == LB_OK);
    REQUIRE(lb_kinematics_jacobian(p->kinematics[c->figure], &c->effector, jacobian) == LB_OK);
    REQUIRE(c->goal.kind <= LB_GOAL_PLANE && c->goal.carrier_segment < 0);
    rows->is_smooth &= rows_of(&c->goal, e, &g);
    double far = fabs(e[0]) + fabs(e[1]) + fabs(e[2]) + p->scale;
    for (int r = 0; r < g.count; r++) {
        double *to = rows->jacobian[rows->count], square = 0, by_position = 0;
        memset(to, 0, sizeof rows->jacobian[0]);
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < 9; k++) {
                to[first + i] += g.by_e[r][k] * jacobian[k * count + i];
            }
            square += to[first + i] * to[first + i];
        }
        for (int k = 0; k < 3; k++) {
            by_position += fabs(g.by_e[r][k]);
        }
        rows->noise += c->weight * sqrt(square) * (fabs(g.row[r]) + by_position * far + 1);
        rows->weight[rows->count] = c->weight;
        rows->row[rows->count++] = g.row[r];
    }
}

void kkt_add_rows(const random_problem *p, const double *pose, int priority, kkt_rows *rows) {
    for (int f = 0; f < p->figure_count; f++) {
        REQUIRE(lb_kinematics_update(p->kinematics[f], pose + lb_problem_first_variable(p->problem, f)) == LB_OK);
    }
    for (int i = 0; i < lb_problem_constraint_count(p->problem); i++) {
        const lb_constraint *c = lb_problem_constraint(p->problem, i);
        if (!c->disabled && c->priority == priority) {
            add_constraint(p, c, rows);
        }
    }
}

void kkt_add_gradient(const kkt_rows *rows, int variables, double *gradient) {
    for (int r = 0; r < rows->count; r++) {
        double pull = 2 * rows->weight[r] * rows->row[r];
        for (int i = 0; i < variables; i++) {
            gradient[i] += pull * rows->jacobian[r][i];
        }
    }
}

double kkt_add_wishes(const random_problem *p, const double *pose, const double *inside, const unsigned char *moves,
                      double *gradient) {
    double value = 0;
    for (int f = 0; f < p->figure_count; f++) {
        for (int i = 0; i < lb_figure_variable_count(p->figures[f]); i++) {
            const lb_variable *v = lb_figure_variable(p->figures[f], i);
            int at = lb_problem_first_variable(p->problem, f) + i;
            double q = pose[at], margin = fmin(p->margin, 0.5 * (v->upper - v->lower));
            double off[4] = {q - p->preferred[at], q - inside[at], fmin(0, q - (v->lower + margin)),
                             fmax(0, q - (v->upper - margin))};
            double weight[4] = {p->posture, p->stay, p->margin_weight, p->margin_weight};
            for (int k = 0; k < 4 && moves[at]; k++) {
                if (weight[k] == 0) {
                    continue;
                }
                value += weight[k] * off[k] * off[k];
                gradient[at] += 2 * weight[k] * off[k];
            }
        }
    }
    return value;
}

/* --- Multipliers: least squares, some of them at least 0 (Lawson and Hanson) ------------------------------------------- */

#define MOST_COLUMNS (KKT_MOST_ROWS + 3 * RANDOM_MOST_VARIABLES)

typedef struct multipliers {
    int n, count;
    double column[MOST_COLUMNS][RANDOM_MOST_VARIABLES];
    int is_free[MOST_COLUMNS]; /* any sign */
    int is_in[MOST_COLUMNS];
    double x[MOST_COLUMNS], wanted[MOST_COLUMNS];
    double basis[RANDOM_MOST_VARIABLES][RANDOM_MOST_VARIABLES];
    double triangle[RANDOM_MOST_VARIABLES][RANDOM_MOST_VARIABLES];
    int in[RANDOM_MOST_VARIABLES]; /* the columns of the basis */
} multipliers;

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* A unit column over what moves; columns that are 0 there are left out. */
static void add_column(multipliers *m, const double *column, int is_free) {
    double norm = sqrt(dot(m->n, column, column));
    if (!(norm > 0) || m->count == MOST_COLUMNS) {
        return;
    }
    for (int i = 0; i < m->n; i++) {
        m->column[m->count][i] = column[i] / norm;
    }
    m->is_free[m->count] = is_free;
    m->is_in[m->count] = is_free;
    m->x[m->count++] = 0;
}

/* The least-squares multipliers of the columns that are in, of target: by an orthonormal basis, made twice over. Columns
 * that depend on others are 0. */
static void fit(multipliers *m, const double *target) {
    int k = 0;
    for (int c = 0; c < m->count; c++) {
        m->wanted[c] = 0;
    }
    for (int c = 0; c < m->count && k < m->n; c++) {
        double v[RANDOM_MOST_VARIABLES];
        if (!m->is_in[c]) {
            continue;
        }
        memcpy(v, m->column[c], (size_t)m->n * sizeof *v);
        for (int j = 0; j < k; j++) {
            m->triangle[j][k] = 0;
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < k; j++) {
                double part = dot(m->n, m->basis[j], v);
                m->triangle[j][k] += part;
                for (int i = 0; i < m->n; i++) {
                    v[i] -= part * m->basis[j][i];
                }
            }
        }
        double norm = sqrt(dot(m->n, v, v));
        if (norm < 1e-9) {
            continue;
        }
        m->triangle[k][k] = norm;
        for (int i = 0; i < m->n; i++) {
            m->basis[k][i] = v[i] / norm;
        }
        m->in[k++] = c;
    }
    for (int j = k - 1; j >= 0; j--) {
        double sum = dot(m->n, m->basis[j], target);
        for (int i = j + 1; i < k; i++) {
            sum -= m->triangle[j][i] * m->wanted[m->in[i]];
        }
        m->wanted[m->in[j]] = sum / m->triangle[j][j];
    }
}

static void residual(const multipliers *m, const double *target, const double *x, double *left) {
    memcpy(left, target, (size_t)m->n * sizeof *left);
    for (int c = 0; c < m->count; c++) {
        for (int i = 0; i < m->n && x[c] != 0; i++) {
            left[i] -= x[c] * m->column[c][i];
        }
    }
}

/* Goes from x towards the fit until the first multiplier would be negative, which then is out. Returns 0 at the fit. */
static int step(multipliers *m) {
    double part = 1;
    int first = -1;
    for (int c = 0; c < m->count; c++) {
        if (!m->is_in[c] || m->is_free[c] || m->wanted[c] >= 0) {
            continue;
        }
        double at = m->x[c] / (m->x[c] - m->wanted[c]);
        if (at < part || first < 0) {
            part = at < part ? at : part;
            first = c;
        }
    }
    for (int c = 0; c < m->count; c++) {
        if (m->is_in[c]) {
            m->x[c] += part * (m->wanted[c] - m->x[c]);
        }
    }
    if (first < 0) {
        return 0;
    }
    m->x[first] = 0;
    m->is_in[first] = 0;
    return 1;
}

/* The least norm of target - sum x column. */
static double least_norm(multipliers *m, const double *target, double *left) {
    double best = INFINITY;
    for (int round = 0; round < 4 * m->count + 10; round++) {
        int steps = 0;
        do {
            fit(m, target);
        } while (step(m) && steps++ < m->count + 2);
        residual(m, target, m->x, left);
        double norm = sqrt(dot(m->n, left, left)), most = 1e-13 * norm;
        int next = -1;
        if (!(norm < best)) {
            break;
        }
        best = norm;
        for (int c = 0; c < m->count; c++) {
            double gain = dot(m->n, m->column[c], left);
            if (!m->is_in[c] && gain > most) {
                most = gain;
                next = c;
            }
        }
        if (next < 0) {
            break;
        }
        m->is_in[next] = 1;
    }
    return best;
}

/* --- What is left of a gradient ------------------------------------------------------------------------------------------ */

static void add_bounds(const random_problem *p, int figure, const double *q, const int *number, double near,
                       multipliers *m) {
    const lb_figure *f = p->figures[figure];
    for (int i = 0; i < lb_figure_variable_count(f); i++) {
        const lb_variable *v = lb_figure_variable(f, i);
        double unit[RANDOM_MOST_VARIABLES] = {0}, close = near * fmax(1, fabs(q[i]));
        if (number[i] < 0) {
            continue;
        }
        unit[number[i]] = 1;
        if (v->upper - q[i] <= close) {
            add_column(m, unit, 0);
        }
        unit[number[i]] = -1;
        if (q[i] - v->lower <= close) {
            add_column(m, unit, 0);
        }
    }
}

static void add_limits(const random_problem *p, int figure, const double *q, const int *number, const double *scale,
                       double near, multipliers *m) {
    const lb_figure *f = p->figures[figure];
    for (int r = 0; r < lb_figure_row_count(f); r++) {
        const lb_limit_row *row = lb_figure_row(f, r);
        double column[RANDOM_MOST_VARIABLES] = {0}, room = row->bound, size = 1;
        for (int k = 0; k < row->count; k++) {
            int v = row->variables[k];
            room -= row->coefficients[k] * q[v];
            size = fmax(size, fabs(q[v]));
            if (number[v] >= 0) {
                column[number[v]] = row->coefficients[k] * scale[v];
            }
        }
        if (row->kind == LB_LIMIT_EQUAL || room <= near * size) {
            add_column(m, column, row->kind == LB_LIMIT_EQUAL);
        }
    }
}

double kkt_left(const random_problem *p, const double *pose, const unsigned char *moves, const double *gradient,
                const kkt_rows *held, double near, double *direction) {
    static multipliers m;
    int n = lb_problem_variable_count(p->problem), number[RANDOM_MOST_VARIABLES];
    double scale[RANDOM_MOST_VARIABLES], target[RANDOM_MOST_VARIABLES], column[RANDOM_MOST_VARIABLES];
    double left[RANDOM_MOST_VARIABLES];
    m.n = m.count = 0;
    for (int i = 0; i < n; i++) {
        number[i] = moves[i] ? m.n++ : -1;
        scale[i] = 1 - p->rigidity[i];
        if (moves[i]) {
            target[number[i]] = -gradient[i] * scale[i];
        }
    }
    if (m.n == 0) {
        return 0;
    }
    for (int r = 0; held && r < held->count; r++) {
        for (int i = 0; i < n; i++) {
            if (moves[i]) {
                column[number[i]] = held->jacobian[r][i] * scale[i];
            }
        }
        add_column(&m, column, 1);
    }
    for (int f = 0; f < p->figure_count; f++) {
        int first = lb_problem_first_variable(p->problem, f);
        add_limits(p, f, pose + first, number + first, scale + first, near, &m);
        add_bounds(p, f, pose + first, number + first, near, &m);
    }
    double norm = least_norm(&m, target, left);
    for (int i = 0; direction && i < n; i++) {
        direction[i] = moves[i] ? left[number[i]] * scale[i] : 0;
    }
    return norm;
}

/* --- Walking along what higher levels leave free ---------------------------------------------------------------------- */

static void rows_above(const random_problem *p, const double *pose, int priority, kkt_rows *rows) {
    rows->count = 0;
    rows->noise = 0;
    rows->is_smooth = 1;
    for (int above = 0; above < priority && above < 8; above++) {
        kkt_add_rows(p, pose, above, rows);
    }
}

/* Into the limits; what may not move stays. Returns 0 where the two do not go together. */
static int go_inside(const random_problem *p, const double *pose, const unsigned char *moves, double *there) {
    for (int f = 0; f < p->figure_count; f++) {
        if (lb_kinematics_project(p->kinematics[f], there + lb_problem_first_variable(p->problem, f))) {
            return 0;
        }
    }
    for (int i = 0; i < lb_problem_variable_count(p->problem); i++) {
        if (!moves[i]) {
            there[i] = pose[i];
        }
    }
    for (int f = 0; f < p->figure_count; f++) {
        int first = lb_problem_first_variable(p->problem, f);
        if (!(lb_figure_violation(p->figures[f], there + first) <= 1e-10)) {
            return 0;
        }
    }
    return 1;
}

/* One round over the rows, each brought to its value alone (Kaczmarz 1937). Returns how far off the worst one was. */
static double correct(const kkt_rows *is, const kkt_rows *was, const unsigned char *moves, int n, double *shift) {
    double worst = 0;
    for (int r = 0; r < is->count; r++) {
        double off = was->row[r] - is->row[r], square = 0;
        for (int i = 0; i < n; i++) {
            if (!moves[i]) {
                continue;
            }
            off -= is->jacobian[r][i] * shift[i];
            square += is->jacobian[r][i] * is->jacobian[r][i];
        }
        worst = fmax(worst, fabs(off));
        for (int i = 0; i < n && square > 0; i++) {
            if (moves[i]) {
                shift[i] += off / square * is->jacobian[r][i];
            }
        }
    }
    return worst;
}

int kkt_walk(const random_problem *p, const double *pose, const unsigned char *moves, int priority, const double *step,
             double *there) {
    static kkt_rows was, is;
    int n = lb_problem_variable_count(p->problem);
    rows_above(p, pose, priority, &was);
    for (int i = 0; i < n; i++) {
        there[i] = pose[i] + step[i];
    }
    for (int round = 0; round < 12; round++) {
        double shift[RANDOM_MOST_VARIABLES] = {0}, off = 0;
        if (!go_inside(p, pose, moves, there)) {
            return 0;
        }
        rows_above(p, there, priority, &is);
        for (int r = 0; r < is.count; r++) {
            off = fmax(off, fabs(is.row[r] - was.row[r]));
        }
        if (off <= 1e-14 * (1 + p->scale)) {
            return 1;
        }
        for (int sweep = 0; sweep < 300 && correct(&is, &was, moves, n, shift) > 0.1 * off * off; sweep++) {
            continue;
        }
        for (int i = 0; i < n; i++) {
            there[i] += shift[i];
        }
    }
    return 0;
}
