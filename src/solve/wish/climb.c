/* The search for manipulability among the poses that meet the goals.
 *
 * Self-motion first: along the directions that no goal notices the pose is moved step by step, each brought back onto
 * the goals by the method. With one such direction (an arm of seven joints that holds a frame) it is followed both
 * ways, as far as limits let it or until it closes; with more, along directions drawn at random. From the best pose the
 * gradient leads to the nearest best one. With restarts, solutions that other starts of the arm engine find are
 * searched in the same way. Whatever is taken meets the goals. */
#include <string.h>

#include "solve/apart/apart.h"
#include "solve/arm/arm.h"
#include "solve/eval/evaluation.h"
#include "solve/route.h"
#include "solve/wish/manipulability.h"

#define STEP 0.08       /* radians or metres: of self-motion */
#define FEWEST_STEPS 4  /* before a way may close */
#define MOST_STEPS 150  /* each way */
#define WALKS 6         /* at random, where several directions are free; */
#define WALK_STEPS 20   /* of each */
#define OTHERS 40       /* solutions of other starts, at most */
#define ASCENTS 60      /* steps along the gradient, at most */
#define TRACKED 3       /* of these, where the pose is tracked */
#define LEAST_STEP 1e-6 /* radians or metres */
#define DEPENDENT 1e-7  /* of a row's length: less is left of it by those before it */
#define CORRECTIONS 12  /* iterations back onto the goals */
#define AT_BOUND 1e-9

typedef struct search {
    lb_solver *solver;
    lbs_space *s;
    const lb_solve_options *o;
    lb_solver *judge;      /* whose pairs are kept apart */
    lb_solve_options near; /* of what brings a pose back onto its goals */
    double best;
    int nullity;
} search;

static size_t size_of(const search *c) { return (size_t)c->s->n * sizeof(double); }

/* --- Values ------------------------------------------------------------------------------------------------------------------ */

/* What is to be small, at z, the point of the last evaluation; other wishes by their weight. */
static double value_at(search *c, const double *z, double *gradient) {
    lbs_space *s = c->s;
    double stiffness;
    const double weight = s->problem->wishes.manipulability_weight;
    lbs_differentiate(s);
    const int is_exact = lbs_stiffness(c->solver, &stiffness, gradient);
    const lbp_wishes hidden = s->task.wishes;
    s->task.wishes = s->problem->wishes;
    double wishes = 0;
    if (gradient) {
        double *half = c->solver->climb.drift;
        memset(half, 0, (size_t)s->n * sizeof *half);
        wishes = lbs_wishes(s, z, half, NULL);
        for (int i = 0; i < s->n; i++) {
            gradient[i] = weight * (is_exact ? gradient[i] : 0) + 2 * half[i];
        }
    } else {
        wishes = lbs_wishes(s, z, NULL, NULL);
    }
    s->task.wishes = hidden;
    return wishes + weight * stiffness;
}

static int is_free(search *c, const double *z) {
    if (!c->judge->apart) {
        return 1;
    }
    lbs_to_pose(c->s, z, c->solver->climb.pose);
    return lbs_is_free(c->judge->apart, c->judge->problem, c->solver->climb.pose);
}

/* Brings z back onto the goals. Returns whether they are met; the last evaluation is there. */
static int settle(search *c, double *z) {
    lb_error error;
    lbs_space *s = c->s;
    lbs_value(s, z);
    if (!lbs_met(s, s->levels.goal_count - 1)) {
        memcpy(c->solver->z, z, size_of(c));
        s->options = &c->near;
        lbs_run(c->solver, &c->near, &error);
        s->options = c->o;
        memcpy(z, c->solver->z, size_of(c));
        lbs_value(s, z);
    }
    return lbs_met(s, s->levels.goal_count - 1) && !s->budget.stopped;
}

/* Takes z, settled, as the best where it is. */
static double consider(search *c, const double *z) {
    const double value = value_at(c, z, NULL);
    if (value < c->best && is_free(c, z)) {
        c->best = value;
        memcpy(c->solver->climb.best, z, size_of(c));
    }
    return value;
}

/* --- Directions that no goal notices
 * -------------------------------------------------------------------------------------------- */

/* Takes off a vector what moves goals or goes beyond bounds: rows of the Jacobian at the last evaluation, made
 * orthonormal in freedom.goal_rows. Returns how many dimensions are left. */
static int project(search *c, const double *z, const unsigned char *held, double *vector) {
    const lbs_space *s = c->s;
    double *basis = c->solver->freedom.goal_rows;
    int rank = 0, free = 0;
    for (int i = 0; i < s->n; i++) {
        free += !held[i];
        vector[i] = held[i] ? 0 : vector[i];
    }
    (void)z;
    for (int r = 0; r < s->row_count && rank < free; r++) {
        double *row = basis + (size_t)rank * (size_t)s->n, before = 0, after = 0;
        for (int i = 0; i < s->n; i++) {
            row[i] = held[i] ? 0 : lbs_jacobian_row(s, r)[i];
            before += row[i] * row[i];
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < rank; k++) {
                const double *other = basis + (size_t)k * (size_t)s->n;
                double dot = 0;
                for (int i = 0; i < s->n; i++) {
                    dot += row[i] * other[i];
                }
                for (int i = 0; i < s->n; i++) {
                    row[i] -= dot * other[i];
                }
            }
        }
        for (int i = 0; i < s->n; i++) {
            after += row[i] * row[i];
        }
        if (!(after > DEPENDENT * DEPENDENT * before) || before == 0) {
            continue;
        }
        double dot = 0;
        const double over = 1 / sqrt(after);
        for (int i = 0; i < s->n; i++) {
            row[i] *= over;
            dot += row[i] * vector[i];
        }
        for (int i = 0; i < s->n; i++) {
            vector[i] -= dot * row[i];
        }
        rank++;
    }
    return free - rank;
}

static double norm(int n, const double *v) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return sqrt(sum);
}

/* The direction along `drift` that keeps goals and bounds, of length 1; 0 where there is none. Bounds that it would
 * leave are held, one after the other. */
static int find_direction(search *c, const double *z, const double *drift, double *direction) {
    const lbs_space *s = c->s;
    unsigned char *held = c->solver->usable;
    memset(held, 0, (size_t)s->n);
    for (int again = 1; again;) {
        again = 0;
        memcpy(direction, drift, size_of(c));
        c->nullity = project(c, z, held, direction);
        const double length = norm(s->n, direction);
        if (c->nullity <= 0 || !(length > 1e-9 * norm(s->n, drift)) || !(length > 0)) {
            return 0;
        }
        for (int i = 0; i < s->n; i++) {
            direction[i] /= length;
        }
        for (int i = 0; i < s->n; i++) {
            const int is_low = z[i] <= s->variables.lower[i] + AT_BOUND && direction[i] < -AT_BOUND;
            const int is_high = z[i] >= s->variables.upper[i] - AT_BOUND && direction[i] > AT_BOUND;
            if (!held[i] && (is_low || is_high)) {
                held[i] = 1;
                again = 1;
            }
        }
    }
    return 1;
}

/* --- Ways ---------------------------------------------------------------------------------------------------------------------- */

static double distance(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

/* Goes from `from` (settled) along a direction, which is kept as well as goals and bounds let it. Returns 1 where the
 * way closed. is_bent: the direction is that of the last step, else the one that was given. */
static int walk(search *c, const double *from, double *drift, int steps, int is_bent) {
    lbs_space *s = c->s;
    double *here = c->solver->climb.here, *ahead = c->solver->climb.ahead, *direction = c->solver->climb.direction;
    memcpy(here, from, size_of(c));
    for (int step = 0; step < steps; step++) {
        lbs_jacobian(s, here);
        if (!find_direction(c, here, drift, direction)) {
            return 0;
        }
        for (int i = 0; i < s->n; i++) {
            ahead[i] = lbs_clamp(here[i] + STEP * direction[i], s->variables.lower[i], s->variables.upper[i]);
        }
        if (!settle(c, ahead) || distance(s->n, ahead, here) < 0.1 * STEP) {
            return 0;
        }
        consider(c, ahead);
        for (int i = 0; i < s->n && is_bent; i++) {
            drift[i] = ahead[i] - here[i];
        }
        memcpy(here, ahead, size_of(c));
        if (is_bent && step >= FEWEST_STEPS && distance(s->n, here, from) < 0.7 * STEP) {
            return 1;
        }
    }
    return 0;
}

/* A drift that depends on the number alone. */
static void random_drift(const search *c, int number, double *drift) {
    uint64_t state = c->o->seed * 0x9E3779B97F4A7C15ull + (uint64_t)(number + 1) * 0xD1342543DE82EF95ull;
    for (int i = 0; i < c->s->n; i++) {
        state += 0x9E3779B97F4A7C15ull;
        uint64_t z = state;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ z >> 27) * 0x94D049BB133111EBull;
        drift[i] = (double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
    }
}

/* From a pose that meets the goals, all that self-motion leads to, as far as it is looked at. */
static void explore(search *c, const double *from) {
    double *drift = c->solver->climb.drift, *start = c->solver->first;
    memcpy(start, from, size_of(c));
    random_drift(c, 0, drift);
    lbs_jacobian(c->s, start);
    if (!find_direction(c, start, drift, c->solver->climb.direction)) {
        return;
    }
    if (c->nullity == 1) {
        int is_closed = 0;
        for (int side = 0; side < 2 && !is_closed && !c->s->budget.stopped; side++) {
            random_drift(c, 0, drift);
            for (int i = 0; i < c->s->n && side; i++) {
                drift[i] = -drift[i];
            }
            is_closed = walk(c, start, drift, MOST_STEPS, 1);
        }
        return;
    }
    for (int k = 0; k < WALKS && !c->s->budget.stopped; k++) {
        random_drift(c, k, drift);
        walk(c, start, drift, WALK_STEPS, 0);
    }
}

/* Down the gradient from the best pose. */
static void ascend(search *c, int most) {
    lbs_space *s = c->s;
    lbs_climb *climb = &c->solver->climb;
    double step = STEP;
    for (int k = 0; k < most && step > LEAST_STEP && !s->budget.stopped; k++) {
        lbs_value(s, climb->best);
        const double before = value_at(c, climb->best, climb->gradient);
        for (int i = 0; i < s->n; i++) {
            climb->drift[i] = -climb->gradient[i];
        }
        if (!find_direction(c, climb->best, climb->drift, climb->direction)) {
            return;
        }
        for (int i = 0; i < s->n; i++) {
            climb->ahead[i] =
                lbs_clamp(climb->best[i] + step * climb->direction[i], s->variables.lower[i], s->variables.upper[i]);
        }
        const int is_better = settle(c, climb->ahead) && consider(c, climb->ahead) < before && c->best < before;
        step *= is_better ? 1.5 : 0.3;
    }
}

/* Solutions of other starts of the arm engine. */
static void look_elsewhere(search *c) {
    lb_solver *solver = c->solver;
    lbs_space *s = c->s;
    const int last = c->o->restarts < OTHERS ? c->o->restarts : OTHERS;
    if (last < 1 || !lbs_arm_applies(solver, c->o)) {
        return;
    }
    for (int number = 1; number <= last && !s->budget.stopped; number++) {
        lbs_arm_job job;
        lbs_from_pose(s, s->start, solver->z);
        const lbs_arm_job *did = lbs_arm_run(solver, c->o, number, number, &job, solver->arm.answer);
        if (!did) {
            return;
        }
        s->budget.evaluations += did->evaluations;
        if (did->end != LBS_ARM_SOLVED || !settle(c, solver->arm.answer)) {
            continue;
        }
        consider(c, solver->arm.answer);
        explore(c, solver->arm.answer);
    }
}

void lbs_climb_to_manipulability(lb_solver *judge, const lb_solve_options *o, double *pose, lb_result *result) {
    lb_solver *solver = lbs_reporter(judge);
    lbs_space *s = solver->space;
    search c = {.solver = solver, .s = s, .o = o, .judge = judge, .near = *o};
    const lb_engine engine = solver->engine;
    const int iterations = s->budget.iterations;
    c.near.max_iterations = CORRECTIONS;
    c.near.restarts = 0;
    c.near.method = LB_METHOD_LM;
    c.near.on_iteration = NULL;
    if (s->levels.has_wishes) {
        lbs_hide_wishes(s);
    }
    s->last.is_valid = 0;
    lbs_from_pose(s, pose, solver->z);
    lbs_value(s, solver->z);
    memcpy(solver->climb.best, solver->z, size_of(&c));
    c.best = value_at(&c, solver->z, NULL);
    if (s->n > 0 && !o->tracking) {
        explore(&c, solver->climb.best);
        look_elsewhere(&c);
    }
    ascend(&c, o->tracking ? TRACKED : ASCENTS);
    s->budget.iterations = iterations;
    if (s->levels.has_wishes) {
        lbs_show_wishes(s);
    }
    s->last.is_valid = 0;
    lbs_to_pose(s, solver->climb.best, pose);
    solver->kkt.is_known = 0;
    lbs_decide_outcome(solver, pose, result);
    lbs_differentiate(s);
    lbs_stiffness(solver, &solver->climb.value, NULL);
    solver->climb.value *= s->problem->wishes.manipulability_weight;
    solver->engine = engine;
    lbs_finish(solver, result);
}
