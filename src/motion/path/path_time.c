/* Time-optimal timing of a branch.
 *
 * From corner to corner the branch is a curve q(s), a cubic spline through its samples. With x = (ds/dt)^2 and u =
 * d2s/dt2 the limits of the joints are linear in (x, u):
 *
 *     q'_k^2 x <= V_k^2,     -A_k <= q'_k u + q''_k x <= A_k,     x_(i+1) = x_i + 2 (s_(i+1) - s_i) u_i.
 *
 * Backwards from the end, where x = 0, the largest x of every place is found from which the rest can be run through; at
 * x = 0 u = 0 is always possible, so the set of these x is an interval from 0. Forwards from the start, where x = 0,
 * the largest u is taken that stays below (H. Pham and Q.-C. Pham, "A new approach to time-optimal path
 * parameterization based on reachability analysis", IEEE Transactions on Robotics 34, 2018).
 *
 * Between the places, and between the poses that are handed out, the limits are not the curve's but those of
 * differences. So what is handed out is checked as a reader would, differences over the period, from rest to rest;
 * where one exceeds its limit the whole stretch is run through more slowly, by the factor that it takes, and checked
 * again. */
#include <math.h>
#include <string.h>

#include "motion/path/path.h"

#define FINER 2        /* places of the phase plane for each sample */
#define BISECTIONS 120 /* of the largest x, which may be a tiny part of what velocities allow */
#define CHECKS 60      /* of the differences, each after slowing down */
#define RESERVE 1e-9   /* of the limits, for the rounding of differences */
#define MOST_POSES 20000000
#define LARGEST_PULL 0.01 /* radians or metres of a variable by which a pose is brought to its place */

/* What solves for a place from a pose that is near it. */
typedef struct pull {
    lb_problem *problem;
    lb_solver *solver;
    lb_solve_options options;
    lb_result result;
    int id;
} pull;

/* A stretch from corner to corner. */
typedef struct stretch {
    lb_path *path;
    int first, count;           /* samples */
    int n, nodes;               /* nodes: FINER for each sample's distance, and the last one */
    double *slopes;             /* [sample][n]: q' of the spline */
    double *work;               /* [2 sample] */
    double *s, *x, *u, *t;      /* [node]: place, (ds/dt)^2, d2s/dt2 behind it, time */
    double *reachable;          /* [node]: the largest x from which the rest can be run through */
    double *first_d, *second_d; /* [node][n]: q', q'' */
    double *pose, *pose_v;      /* [n] each, of the last pose of a check */
    long *pace;    /* [2 n + 1]: nodes that a limit of velocity, of acceleration, or the effector's speed sets */
    double factor; /* by which it is slowed down */
    pull *exact;   /* what brings poses to their places; NULL: the spline is near enough */
    int rows;      /* poses behind the first one */
} stretch;

static double larger(double a, double b) { return a > b ? a : b; }

static const double *sample(const stretch *h, int i) { return h->path->branch + (size_t)(h->first + i) * (size_t)h->n; }

static double place(const stretch *h, int i) { return h->path->places[h->first + i]; }

/* --- The spline ---------------------------------------------------------------------------------------------------- */

/* The slope at an end, of the cubic through the four samples there. */
static double end_slope(const stretch *h, int k, int is_last) {
    const int step = is_last ? -1 : 1, base = is_last ? h->count - 1 : 0;
    double slope = 0;
    const double x0 = place(h, base);
    for (int i = 0; i < 4; i++) {
        const double xi = place(h, base + step * i);
        double weight = 0;
        for (int j = 0; j < 4; j++) { /* the derivative of Lagrange's polynomial i at x0 */
            if (j == i) {
                continue;
            }
            double product = 1 / (xi - place(h, base + step * j));
            for (int m = 0; m < 4; m++) {
                if (m != i && m != j) {
                    product *= (x0 - place(h, base + step * m)) / (xi - place(h, base + step * m));
                }
            }
            weight += product;
        }
        slope += weight * sample(h, base + step * i)[k];
    }
    return slope;
}

/* Slopes of the C2 spline of one variable: a tridiagonal system. */
static void fit_spline(const stretch *h, int k) {
    const int last = h->count - 1;
    double *upper = h->work, *right = h->work + h->count;
    upper[0] = 0, right[0] = end_slope(h, k, 0);
    for (int i = 1; i < last; i++) {
        const double before = place(h, i) - place(h, i - 1), after = place(h, i + 1) - place(h, i);
        const double rise = (sample(h, i)[k] - sample(h, i - 1)[k]) / before,
                     next = (sample(h, i + 1)[k] - sample(h, i)[k]) / after;
        const double pivot = 2 * (before + after) - after * upper[i - 1];
        upper[i] = before / pivot;
        right[i] = (3 * (after * rise + before * next) - after * right[i - 1]) / pivot;
    }
    h->slopes[(size_t)last * (size_t)h->n + (size_t)k] = end_slope(h, k, 1);
    for (int i = last - 1; i >= 0; i--) {
        h->slopes[(size_t)i * (size_t)h->n + (size_t)k] =
            right[i] - upper[i] * h->slopes[(size_t)(i + 1) * (size_t)h->n + (size_t)k];
    }
}

/* Value, first and second derivative of a variable at a place behind sample i. */
static void spline_at(const stretch *h, int i, int k, double at, double out[3]) {
    const double width = place(h, i + 1) - place(h, i), t = (at - place(h, i)) / width;
    const double a = sample(h, i)[k], b = sample(h, i + 1)[k],
                 va = width * h->slopes[(size_t)i * (size_t)h->n + (size_t)k],
                 vb = width * h->slopes[(size_t)(i + 1) * (size_t)h->n + (size_t)k];
    const double c2 = 3 * (b - a) - 2 * va - vb, c3 = 2 * (a - b) + va + vb;
    out[0] = a + t * (va + t * (c2 + t * c3));
    out[1] = (va + t * (2 * c2 + t * 3 * c3)) / width;
    out[2] = (2 * c2 + t * 6 * c3) / (width * width);
}

/* --- The phase plane ----------------------------------------------------------------------------------------------- */

static void set_nodes(stretch *h) {
    for (int node = 0; node < h->nodes; node++) {
        const int i = node / FINER < h->count - 1 ? node / FINER : h->count - 2;
        const double t = (double)(node - FINER * i) / FINER;
        h->s[node] = place(h, i) + t * (place(h, i + 1) - place(h, i));
        for (int k = 0; k < h->n; k++) {
            double d[3];
            spline_at(h, i, k, h->s[node], d);
            h->first_d[(size_t)node * (size_t)h->n + (size_t)k] = d[1];
            h->second_d[(size_t)node * (size_t)h->n + (size_t)k] = d[2];
        }
    }
}

/* The largest x that velocities and the end-effector's speed allow, and what sets it: a variable, n: the speed, -1:
 * nothing. */
static double fastest(const stretch *h, int node, int *what) {
    const lb_path *path = h->path;
    const lbt_piece *piece = &path->pieces[lbt_path_piece(path, h->s[node])];
    double most = 1e12;
    *what = -1;
    for (int k = 0; k < h->n; k++) {
        const double slope = fabs(h->first_d[(size_t)node * (size_t)h->n + (size_t)k]);
        const double speed = slope > 0 ? path->velocity[k] / slope : INFINITY;
        if (speed * speed < most) {
            most = speed * speed, *what = k;
        }
    }
    const double by_length = piece->length > 0 ? path->options.speed * piece->size / piece->length : INFINITY;
    const double by_turn = piece->length_rad > 0 ? path->options.speed_rad * piece->size / piece->length_rad : INFINITY;
    const double speed = by_length < by_turn ? by_length : by_turn;
    if (speed * speed < most) {
        most = speed * speed, *what = h->n;
    }
    return most;
}

/* The interval of u that the accelerations allow at x. *what: the variable that sets its upper end. Returns 0 where it
 * is empty. */
static int accelerations(const stretch *h, int node, double x, double u[2], int *what) {
    u[0] = -1e12, u[1] = 1e12;
    *what = -1;
    for (int k = 0; k < h->n; k++) {
        const double slope = h->first_d[(size_t)node * (size_t)h->n + (size_t)k];
        const double bend = h->second_d[(size_t)node * (size_t)h->n + (size_t)k] * x, most = h->path->acceleration[k];
        if (fabs(slope) < 1e-12) {
            if (fabs(bend) > most) {
                return 0;
            }
            continue;
        }
        const double a = (-most - bend) / slope, b = (most - bend) / slope, low = a < b ? a : b, high = a < b ? b : a;
        u[0] = low > u[0] ? low : u[0];
        if (high < u[1]) {
            u[1] = high, *what = k;
        }
    }
    return u[0] <= u[1];
}

/* Whether the next node can be reached from x at this one with no more than its largest x. */
static int can_go_on(const stretch *h, int node, double x) {
    const double way = 2 * (h->s[node + 1] - h->s[node]);
    double u[2];
    int what;
    if (!accelerations(h, node, x, u, &what)) {
        return 0;
    }
    const double low = u[0] > -x / way ? u[0] : -x / way;
    const double high = u[1] < (h->reachable[node + 1] - x) / way ? u[1] : (h->reachable[node + 1] - x) / way;
    return low <= high;
}

static void go_back(const stretch *h) {
    h->reachable[h->nodes - 1] = 0;
    for (int node = h->nodes - 2; node >= 0; node--) {
        int what;
        double low = 0, high = fastest(h, node, &what);
        if (can_go_on(h, node, high)) {
            low = high;
        }
        for (int i = 0; i < BISECTIONS && low < high; i++) {
            const double middle = 0.5 * (low + high);
            if (can_go_on(h, node, middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        h->reachable[node] = low;
    }
}

static void go_forth(const stretch *h) {
    h->x[0] = 0, h->t[0] = 0;
    for (int node = 0; node + 1 < h->nodes; node++) {
        const double way = h->s[node + 1] - h->s[node], x = h->x[node];
        double u[2];
        int by_speed, by_acceleration;
        accelerations(h, node, x, u, &by_acceleration);
        const double most = (h->reachable[node + 1] - x) / (2 * way);
        fastest(h, node + 1, &by_speed);
        h->u[node] = u[1] < most ? u[1] : most;
        double next = x + 2 * way * h->u[node];
        next = next > 0 ? next : 0;
        h->x[node + 1] = next;
        const double speeds = sqrt(x) + sqrt(next);
        h->t[node + 1] = h->t[node] + (speeds > 0 ? 2 * way / speeds : 1e-3);
        const int is_fast = next >= fastest(h, node + 1, &by_speed) * (1 - 1e-6);
        const int holder = is_fast ? by_speed : by_acceleration < 0 ? -1 : by_acceleration + h->n + 1;
        if (holder >= 0) {
            h->pace[holder]++;
        }
    }
}

/* --- Poses --------------------------------------------------------------------------------------------------------- */

/* The place at a time, which goes up: *node is where it was found last. */
static double place_at(const stretch *h, double time, int *node) {
    while (*node + 2 < h->nodes && h->t[*node + 1] <= time) {
        (*node)++;
    }
    const double span = h->t[*node + 1] - h->t[*node], way = h->s[*node + 1] - h->s[*node];
    double t = time - h->t[*node];
    t = t < 0 ? 0 : t > span ? span : t;
    const double from = sqrt(h->x[*node]), to = sqrt(h->x[*node + 1]);
    const double at = !(span > 0)     ? 0
                      : from + to > 0 ? from * t + (to - from) / span * t * t / 2
                                      : way * t / span; /* a standstill: checking the differences slows it down */
    return h->s[*node] + (at < way ? at : way);
}

static void pose_at(const stretch *h, double at, double *pose) {
    int low = 0, high = h->count - 2;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (place(h, middle) <= at) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    for (int k = 0; k < h->n; k++) {
        const lb_variable *v = lb_figure_variable(h->path->figure, k);
        double d[3];
        spline_at(h, low, k, at, d);
        pose[k] = d[0] < v->lower ? v->lower : d[0] > v->upper ? v->upper : d[0];
    }
}

/* Brings a pose to its place, where a small step does. */
static void pull_to(const stretch *h, double at, double *pose) {
    double *moved = h->pose; /* which is not in use yet */
    lb_frame frame;
    if (h->path->is_body) { /* between places a spline may pass a limit over several variables by a little */
        lb_kinematics_project(h->path->stance.kinematics, pose);
        return;
    }
    if (!h->exact || lbt_path_is_rounded(h->path, at)) {
        return;
    }
    lbt_path_frame(h->path, at, &frame);
    memcpy(moved, pose, (size_t)h->n * sizeof *pose);
    lb_problem_move_goal(h->exact->problem, h->exact->id, &frame);
    if (lb_solver_solve(h->exact->solver, &h->exact->options, moved, &h->exact->result)) {
        return;
    }
    double step = 0;
    for (int k = 0; k < h->n; k++) {
        step = larger(step, fabs(moved[k] - pose[k]));
    }
    if (step < LARGEST_PULL) {
        memcpy(pose, moved, (size_t)h->n * sizeof *pose);
    }
}

/* The poses of the stretch at its present factor, to `out` [rows][n] (behind the first pose). */
static void hand_out(const stretch *h, double *out, double *fractions) {
    const double whole = h->path->places[h->path->sample_count - 1];
    int node = 0;
    for (int row = 1; row <= h->rows; row++) {
        const double time = h->t[h->nodes - 1] * row / h->rows;
        double *pose = out + (size_t)(row - 1) * (size_t)h->n;
        if (row == h->rows) {
            memcpy(pose, sample(h, h->count - 1), (size_t)h->n * sizeof *pose);
            fractions[row - 1] = place(h, h->count - 1) / whole;
            break;
        }
        const double at = place_at(h, time, &node);
        pose_at(h, at, pose);
        pull_to(h, at, pose);
        fractions[row - 1] = at / whole;
    }
}

/* The factor by which these poses are too fast: differences over the period, from rest to rest. At most 1: they keep
 * the limits. */
static double excess_of(const stretch *h, const double *out) {
    const double period = h->path->options.period;
    double velocity = 0, acceleration = 0;
    memcpy(h->pose, sample(h, 0), (size_t)h->n * sizeof(double));
    memset(h->pose_v, 0, (size_t)h->n * sizeof(double));
    for (int row = 0; row <= h->rows; row++) {
        for (int k = 0; k < h->n; k++) {
            const double q = row < h->rows ? out[(size_t)row * (size_t)h->n + (size_t)k] : h->pose[k];
            const double v = (q - h->pose[k]) / period, a = (v - h->pose_v[k]) / period;
            velocity = larger(velocity, fabs(v) / h->path->velocity[k]);
            acceleration = larger(acceleration, fabs(a) / h->path->acceleration[k]);
            h->pose[k] = q, h->pose_v[k] = v;
        }
    }
    lb_path_result *r = &h->path->result;
    const double excess = larger(velocity, sqrt(acceleration)) * (1 + RESERVE);
    if (excess <= 1) {
        r->load_velocity = larger(r->load_velocity, velocity);
        r->load_acceleration = larger(r->load_acceleration, acceleration);
    }
    return excess;
}

/* Room for more poses behind those that there are. */
static lb_status make_room(lb_path *path, int rows) {
    const size_t n = (size_t)(path->n ? path->n : 1);
    const size_t wanted = (size_t)path->result.pose_count + (size_t)rows;
    if (wanted <= (size_t)path->pose_room) {
        return LB_OK;
    }
    const size_t made = wanted + wanted / 2;
    if (wanted > MOST_POSES) {
        return LB_ERROR_ARGUMENT;
    }
    double *poses = lbf_new(&path->allocator, made * n, sizeof *poses),
           *fractions = lbf_new(&path->allocator, made, sizeof *fractions);
    if (!poses || !fractions) {
        lbf_delete(&path->allocator, poses, made * n, sizeof *poses);
        lbf_delete(&path->allocator, fractions, made, sizeof *fractions);
        return LB_ERROR_MEMORY;
    }
    if (path->result.pose_count > 0) {
        memcpy(poses, path->poses, (size_t)path->result.pose_count * n * sizeof *poses);
        memcpy(fractions, path->fractions, (size_t)path->result.pose_count * sizeof *fractions);
    }
    lbf_delete(&path->allocator, path->poses, (size_t)path->pose_room * n, sizeof *poses);
    lbf_delete(&path->allocator, path->fractions, (size_t)path->pose_room, sizeof *fractions);
    path->poses = poses, path->fractions = fractions;
    path->pose_room = (int)made;
    return LB_OK;
}

static lb_status take_time(stretch *h) {
    lb_path *path = h->path;
    set_nodes(h);
    go_back(h);
    go_forth(h);
    h->factor = 1;
    for (int check = 0; check < CHECKS; check++) {
        const double rows = -floor(1e-9 - h->factor * h->t[h->nodes - 1] / path->options.period);
        h->rows = rows < 1 ? 1 : rows < MOST_POSES ? (int)rows : MOST_POSES;
        const lb_status status = make_room(path, h->rows);
        if (status) {
            return status;
        }
        double *out = path->poses + (size_t)path->result.pose_count * (size_t)h->n;
        hand_out(h, out, path->fractions + path->result.pose_count);
        const double excess = excess_of(h, out);
        if (excess <= 1) {
            path->result.pose_count += h->rows;
            return LB_OK;
        }
        const double now = h->rows * path->options.period / h->t[h->nodes - 1];
        h->factor = now * excess;
    }
    return LB_ERROR_LIMIT;
}

/* --- Memory -------------------------------------------------------------------------------------------------------- */

/* The arrays of a stretch in one block: how many doubles; cut where block is not NULL. */
static size_t cut(stretch *h, double *block) {
    const size_t n = (size_t)(h->n ? h->n : 1), samples = (size_t)h->count, nodes = (size_t)h->nodes;
    double **const arrays[] = {&h->slopes,    &h->work,    &h->s,        &h->x,    &h->u,     &h->t,
                               &h->reachable, &h->first_d, &h->second_d, &h->pose, &h->pose_v};
    const size_t sizes[] = {samples * n, 2 * samples, nodes, nodes, nodes, nodes, nodes, nodes * n, nodes * n, n, n};
    size_t used = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        *arrays[i] = block ? block + used : NULL;
        used += sizes[i];
    }
    return used;
}

static lb_status time_stretch(lb_path *path, int first, int last, long *pace, pull *exact) {
    stretch h = {.path = path, .first = first, .count = last - first + 1, .n = path->n, .pace = pace, .exact = exact};
    h.nodes = FINER * (h.count - 1) + 1;
    const size_t size = cut(&h, NULL);
    double *block = lbf_new(&path->allocator, size, sizeof *block);
    if (!block) {
        return LB_ERROR_MEMORY;
    }
    cut(&h, block);
    for (int k = 0; k < h.n; k++) {
        fit_spline(&h, k);
    }
    const lb_status status = take_time(&h);
    lbf_delete(&path->allocator, block, size, sizeof *block);
    return status;
}

static void note_pace(lb_path *path, const long *pace) {
    int most = -1;
    for (int k = 0; k < 2 * path->n + 1; k++) {
        most = pace[k] > 0 && (most < 0 || pace[k] > pace[most]) ? k : most;
    }
    path->result.is_pace_velocity = most >= 0 && most < path->n;
    path->result.pace_variable = most < 0 || most == path->n ? -1 : most < path->n ? most : most - path->n - 1;
}

static lb_status time_all(lb_path *path, pull *exact, lb_error *error) {
    const size_t paces = 2 * (size_t)path->n + 1;
    long *pace = lbf_new(&path->allocator, paces, sizeof *pace);
    lb_status status = pace ? make_room(path, 1) : LB_ERROR_MEMORY;
    if (!status) {
        memset(pace, 0, paces * sizeof *pace);
        memcpy(path->poses, path->branch, (size_t)path->n * sizeof(double));
        path->fractions[0] = 0;
        path->result.pose_count = 1;
    }
    for (int i = 0; i < path->piece_count && !status;) {
        const int first = path->pieces[i].first;
        do {
            i++;
        } while (i < path->piece_count && !path->pieces[i].is_corner);
        status = time_stretch(path, first, i < path->piece_count ? path->pieces[i].first : path->sample_count - 1, pace,
                              exact);
    }
    if (!status) {
        path->result.duration = (path->result.pose_count - 1) * path->options.period;
        note_pace(path, pace);
    }
    lbf_delete(&path->allocator, pace, paces, sizeof *pace);
    return status ? lbf_refuse(error, status,
                               status == LB_ERROR_ARGUMENT
                                   ? "the path has more than 20 million poses: make the period longer"
                               : status == LB_ERROR_LIMIT ? "the path has places at which no speed keeps the limits"
                                                          : lb_status_text(status))
                  : LB_OK;
}

lb_status lbt_path_time(lb_path *path, lb_error *error) { return time_all(path, NULL, error); }

lb_status lbt_path_time_exactly(lb_path *path, lb_error *error) {
    pull exact = {.id = 0};
    lb_solve_options_defaults(&exact.options);
    lb_result_defaults(&exact.result);
    exact.options.tracking = 1;
    exact.problem = lbt_path_problem(path, &exact.id, 1, error);
    exact.solver = exact.problem ? lb_solver_create(exact.problem, error) : NULL;
    path->result.pose_count = 0;
    path->result.load_velocity = path->result.load_acceleration = 0;
    const lb_status status = exact.solver ? time_all(path, &exact, error) : error->status;
    lb_solver_destroy(exact.solver);
    lb_problem_destroy(exact.problem);
    return status;
}
