/* With one joint at the angle t the others have at most sixteen solutions, which are curves over t: they begin and end
 * in pairs where two become one, and enter and leave their limits. The range of t is walked through in steps, which are
 * halved where a solution comes or goes, nearly exists, or is nearly inside its limits; solutions of neighbouring steps
 * are one curve where each is the other's nearest. Ends of intervals are found by bisection. */
#include "closed/seven/seven.h"

#include <math.h>

#include "closed/seven/seven_sample.h"
#include "math/trig.h"

#define STEPS 96            /* of a whole turn, */
#define HALVINGS 8          /* each of which may be halved so many times */
#define NEARLY_THERE -0.05  /* of 1, the square of a sine: a root that is missing by less */
#define NEARLY_INSIDE -0.12 /* radians */
#define GENERAL_HALVINGS 8  /* of six joints as they come, whose samples cost more: for roots that are missing */
#define MISSING_SLOPE 1.5   /* what they lack may change so many times faster than between two samples, */
#define MISSING_BEND 10.0   /* and by so much for each squared radian */
#define INSIDE_SLOPE -15.0  /* radians of a margin for each radian of a step */
#define FOLLOWED 0.5        /* radians that a curve may go in a step */
#define BISECTIONS 44
#define PASSES 12
#define SECTIONS 30
#define GOLDEN 0.61803398874989484820
#define MOST LBC_LISTED
#define NO_DOUBT 0.25 /* of the way to the second nearest solution: the nearest is the next of a curve */
#define TRACED 24     /* halvings of a step along a curve */
#define SAME 1e-6     /* radians: solutions of a double root, which are one */
#define NEAR_FOLD 0.1 /* radians that a curve may go in a step towards its end */
#define ALONG 0.02    /* radians: steps along a curve */

/* An interval that is being walked through: where it began, and what is nearest to the start so far. */
typedef struct open_interval {
    int is_open;
    double begin, best_t, best_distance;
    double best_q[6];
    double anchor_t, anchor_q[6], separation; /* a place where the curve cannot be taken for another one */
} open_interval;

typedef struct walk {
    const lbc_arm *arm;
    lbc_seven *seven;
    const lbm_transform *goal;
    const double *near;
    lbc_set *set;
    open_interval open[MOST]; /* of the solutions of the last lbc_sample */
    double least_out;         /* the greatest margin of all samples, */
    double least_t, least_q[6];
} walk;

/* --- Samples ----------------------------------------------------------------------------------------------------------------- */

/* Keeps what is farthest inside its limits, or least outside. */
static void keep_margin(walk *w, const lbc_sample *s) {
    for (int i = 0; i < s->count; i++) {
        if (s->margin[i] > w->least_out) {
            w->least_out = s->margin[i];
            w->least_t = s->t;
            memcpy(w->least_q, s->q[i], sizeof w->least_q);
        }
    }
}

/* The solution of a sample that is nearest to q and not too far; -1 where there is none. */
static int nearest_in(const lbc_seven *seven, const lbc_sample *s, const double q[6]) {
    double least = FOLLOWED;
    int at = -1;
    for (int i = 0; i < s->count; i++) {
        const double by = lbc_seven_apart(seven, s->q[i], q);
        if (by < least) {
            least = by;
            at = i;
        }
    }
    return at;
}

/* Which solution of b is on the curve of solution i of a; -1 where none is. */
static int follow(const lbc_seven *seven, const lbc_sample *a, int i, const lbc_sample *b) {
    const int next = nearest_in(seven, b, a->q[i]);
    return next >= 0 && nearest_in(seven, a, b->q[next]) == i ? next : -1;
}

/* Goes along a curve by Newton's method, in steps that are halved until it stays near: trace, where samples cost
 * more. */
static int trace_by_steps(const lbc_arm *arm, const lbc_seven *seven, const lbm_transform *goal, const double angles[2],
                          int halvings, double q[6], double *margin) {
    double next[6];
    memcpy(next, q, sizeof next);
    if (lbc_seven_newton(arm, seven, goal, angles[1], next) && lbc_seven_apart(seven, next, q) < NEAR_FOLD) {
        memcpy(q, next, sizeof next);
        *margin = lbc_seven_margin(seven, q);
        return 1;
    }
    if (halvings == 0 || fabs(angles[1] - angles[0]) < 1e-13) {
        return 0;
    }
    const double middle = (angles[0] + angles[1]) / 2;
    return trace_by_steps(arm, seven, goal, (const double[2]){angles[0], middle}, halvings - 1, q, margin) &&
           trace_by_steps(arm, seven, goal, (const double[2]){middle, angles[1]}, halvings - 1, q, margin);
}

/* Goes along a curve from q at one angle to another, in steps that are halved until there is no doubt which solution is
 * next. q becomes what is there, and *margin how far that is inside the limits. Returns 0 where the curve ends on the
 * way. */
static int trace(const lbc_arm *arm, const lbc_seven *seven, const lbm_transform *goal, const double angles[2],
                 int halvings, double q[6], double *margin) {
    lbc_sample s;
    double first = FOLLOWED, second = FOLLOWED;
    int at = -1;
    if (seven->is_general) {
        return trace_by_steps(arm, seven, goal, angles, halvings, q, margin);
    }
    lbc_seven_sample(arm, seven, goal, angles[1], &s);
    for (int i = 0; i < s.count; i++) {
        const double by = lbc_seven_apart(seven, s.q[i], q);
        if (by < first) {
            first = by;
            at = i;
        }
    }
    for (int i = 0; i < s.count; i++) {
        const double by = lbc_seven_apart(seven, s.q[i], q);
        if (i != at && by < second && lbc_seven_apart(seven, s.q[i], s.q[at]) > SAME) {
            second = by;
        }
    }
    if ((at < 0 || first > NO_DOUBT * second) && halvings > 0 && fabs(angles[1] - angles[0]) > 1e-13) {
        const double middle = (angles[0] + angles[1]) / 2;
        return trace(arm, seven, goal, (const double[2]){angles[0], middle}, halvings - 1, q, margin) &&
               trace(arm, seven, goal, (const double[2]){middle, angles[1]}, halvings - 1, q, margin);
    }
    if (at >= 0) {
        memcpy(q, s.q[at], sizeof s.q[at]);
        *margin = s.margin[at];
    }
    return at >= 0;
}

/* The same, however far. */
static int go_along(const lbc_arm *arm, const lbc_seven *seven, const lbm_transform *goal, const double angles[2],
                    double q[6], double *margin) {
    const int steps = 1 + (int)(fabs(angles[1] - angles[0]) / ALONG);
    const double by = (angles[1] - angles[0]) / steps;
    for (int k = 0; k < steps; k++) {
        const double part[2] = {angles[0] + by * k, k + 1 == steps ? angles[1] : angles[0] + by * (k + 1)};
        if (!trace(arm, seven, goal, part, TRACED, q, margin)) {
            return 0;
        }
    }
    return 1;
}

/* The solution near to q where the free joint is at t: q becomes it, and *margin how far it is inside the limits.
 * Returns 0 where there is none within `by` radians. */
static int move_to(const walk *w, double t, double by, double q[6], double *margin) {
    if (w->seven->is_general) {
        double next[6];
        memcpy(next, q, sizeof next);
        if (!lbc_seven_newton(w->arm, w->seven, w->goal, t, next) || lbc_seven_apart(w->seven, next, q) >= by) {
            return 0;
        }
        memcpy(q, next, sizeof next);
        *margin = lbc_seven_margin(w->seven, q);
        return 1;
    }
    lbc_sample s;
    lbc_seven_sample(w->arm, w->seven, w->goal, t, &s);
    const int at = nearest_in(w->seven, &s, q);
    if (at < 0 || lbc_seven_apart(w->seven, s.q[at], q) >= by) {
        return 0;
    }
    memcpy(q, s.q[at], sizeof s.q[at]);
    *margin = s.margin[at];
    return 1;
}

/* --- Ends of intervals
 * --------------------------------------------------------------------------------------------------------- */

/* The last angle on the way from t, where a curve is at q, to `out` at which it goes on within `by` radians and is
 * inside its limits by `least`. q becomes what is there. A step that Newton's method fails on may be too long: where
 * the end that was found can be passed by a short one, the search goes on from there. */
static double find_last(const walk *w, double t, double q[6], double out, const double by_and_least[2]) {
    const double by = by_and_least[0], least = by_and_least[1], last = out;
    for (int pass = 0; pass < PASSES; pass++) {
        double next[6], margin;
        for (int k = 0; k < BISECTIONS && fabs(out - t) > 1e-12; k++) {
            const double middle = (t + out) / 2;
            memcpy(next, q, sizeof next);
            if (move_to(w, middle, by, next, &margin) && margin >= least) {
                t = middle;
                memcpy(q, next, sizeof next);
            } else {
                out = middle;
            }
        }
        memcpy(next, q, sizeof next);
        if (!w->seven->is_general || out == last || !move_to(w, out, by, next, &margin) || margin < least) {
            break;
        }
        t = out;
        out = last;
        memcpy(q, next, sizeof next);
    }
    return t;
}

/* From where a curve is inside (q at t) to where it is not (at `out`): the last angle inside. q becomes what is
 * there. */
static double find_end(const walk *w, double t, double q[6], double out) {
    return find_last(w, t, q, out, (const double[2]){FOLLOWED, 0});
}

/* The squared distance from the start in radians and metres, each angle by its best winding. */
static double distance_of(const walk *w, double t, const double q[6]) {
    double sum = 0, whole[7];
    lbc_seven_whole(w->seven, t, q, whole);
    for (int i = 0; i < 7; i++) {
        const int turns = w->arm->slides[i] ? 0 : 1;
        double least = INFINITY;
        for (int turn = -turns; turn <= turns; turn++) {
            const double wound = whole[i] + turn * LBM_TWO_PI, by = fabs(wound - w->near[i]) * w->seven->metres[i];
            if (wound >= w->seven->lower[i] - LBC_ON_LIMIT && wound <= w->seven->upper[i] + LBC_ON_LIMIT &&
                by < least) {
                least = by;
            }
        }
        sum += least * least;
    }
    return sum;
}

static void look(const walk *w, open_interval *o, double t, const double q[6]) {
    const double distance = distance_of(w, t, q);
    if (distance < o->best_distance) {
        o->best_distance = distance;
        o->best_t = t;
        memcpy(o->best_q, q, sizeof o->best_q);
    }
}

/* The same of a solution of a sample, which is a better place to follow the curve from the farther others are. */
static void look_at(const walk *w, open_interval *o, const lbc_sample *s, int i) {
    double least = INFINITY;
    for (int k = 0; k < s->count; k++) {
        const double by = k == i ? INFINITY : lbc_seven_apart(w->seven, s->q[i], s->q[k]);
        least = by < least ? by : least;
    }
    if (least > o->separation) {
        o->separation = least;
        o->anchor_t = s->t;
        memcpy(o->anchor_q, s->q[i], sizeof o->anchor_q);
    }
    look(w, o, s->t, s->q[i]);
}

static void open_at(const walk *w, open_interval *o, double t, const double q[6]) {
    o->is_open = 1;
    o->begin = t;
    o->best_distance = INFINITY;
    o->separation = -1;
    look(w, o, t, q);
}

/* Golden section around what is nearest so far, along the curve. */
static void refine(const walk *w, open_interval *o, double low, double high) {
    for (int k = 0; k < SECTIONS && high - low > 1e-9; k++) {
        const double u = high - GOLDEN * (high - low), v = low + GOLDEN * (high - low);
        double value[2] = {INFINITY, INFINITY};
        for (int side = 0; side < 2; side++) {
            const double t = side ? v : u;
            double q[6], margin;
            memcpy(q, o->anchor_q, sizeof q);
            if (go_along(w->arm, w->seven, w->goal, (const double[2]){o->anchor_t, t}, q, &margin) && margin >= 0) {
                value[side] = distance_of(w, t, q);
                look(w, o, t, q);
            }
        }
        if (value[0] <= value[1]) {
            high = v;
        } else {
            low = u;
        }
    }
}

/* Angles without whole turns. */
static void wrap(const lbc_arm *arm, double q[7]) {
    for (int i = 0; i < 7; i++) {
        q[i] = arm->slides[i] ? q[i] : lbc_wrapped(q[i]);
    }
}

/* An interval has ended: its solution goes into the set. Where the budget was spent on the way, it may have ended too
 * early. */
static void close_at(walk *w, open_interval *o, double end) {
    lbc_set *set = w->set;
    const double step = LBM_TWO_PI / STEPS;
    o->is_open = 0;
    refine(w, o, o->best_t - step > o->begin ? o->best_t - step : o->begin,
           o->best_t + step < end ? o->best_t + step : end);
    if (set->count == LBC_SOLUTIONS || w->seven->budget->is_spent) {
        return;
    }
    lbc_solution *s = &set->list[set->count];
    memset(s, 0, sizeof *s);
    lbc_seven_whole(w->seven, o->best_t, o->best_q, s->q);
    for (int i = 0, k = 0; i < 7; i++) {
        s->anchor[i] = i == w->seven->joint ? o->anchor_t : o->anchor_q[k++];
    }
    s->error = lbc_arm_polish(w->arm, w->goal, s->q, 8);
    if (s->error > LBC_VERIFIED) {
        set->refused++;
        return;
    }
    s->swivel[0] = s->q[w->seven->joint];
    wrap(w->arm, s->q);
    s->swivel[1] = o->begin;
    s->swivel[2] = end;
    set->count++;
}

/* --- The walk ------------------------------------------------------------------------------------------------------------------ */

/* Whether roots that are missing at two samples may be there between them. */
static int may_come(const lbc_sample *a, const lbc_sample *b, int is_general, int halvings) {
    const double lack = a->lack > b->lack ? a->lack : b->lack, step = b->t - a->t;
    if (!is_general) {
        return lack > NEARLY_THERE;
    }
    const double change = lbm_is_finite(a->lack) && lbm_is_finite(b->lack) ? fabs(a->lack - b->lack) : step;
    return halvings > HALVINGS - GENERAL_HALVINGS && lack > -(MISSING_SLOPE * change + MISSING_BEND * step * step);
}

/* Whether something happens between two samples that a middle one should be asked about, while so many halvings are
 * left. */
static int is_coarse(const lbc_seven *seven, const lbc_sample *a, const lbc_sample *b, int halvings) {
    const double inside = seven->is_general ? INSIDE_SLOPE * (b->t - a->t) : NEARLY_INSIDE;
    if (a->count != b->count || may_come(a, b, seven->is_general, halvings)) {
        return 1;
    }
    for (int i = 0; i < a->count; i++) {
        const int next = follow(seven, a, i, b);
        if (next < 0 || (a->margin[i] < 0) != (b->margin[next] < 0)) {
            return 1;
        }
        const double margin = a->margin[i] > b->margin[next] ? a->margin[i] : b->margin[next];
        if (margin < 0 && margin > inside) {
            return 1;
        }
    }
    return 0;
}

/* A curve that goes on from solution i of a to solution next of b. */
static void go_on(walk *w, const lbc_sample *a, int i, const lbc_sample *b, int next, open_interval *to) {
    const int is_in = a->margin[i] >= 0, stays = b->margin[next] >= 0;
    double q[6];
    *to = w->open[i];
    if (is_in && stays) {
        look_at(w, to, b, next);
    } else if (is_in) {
        memcpy(q, a->q[i], sizeof q);
        const double end = find_end(w, a->t, q, b->t);
        look(w, to, end, q);
        close_at(w, to, end);
    } else if (stays) {
        memcpy(q, b->q[next], sizeof q);
        const double begin = find_end(w, b->t, q, a->t);
        open_at(w, to, begin, q);
        look_at(w, to, b, next);
    }
}

/* The last angle on the way to `out` at which a curve exists. */
static double find_fold(const walk *w, double t, const double from[6], double out) {
    double q[6];
    memcpy(q, from, sizeof q);
    return find_last(w, t, q, out, (const double[2]){NEAR_FOLD, -INFINITY});
}

/* A curve that is outside its limits at a sample, and ends on the way to `out`, may be inside where it ends. */
static void try_fold(walk *w, const lbc_sample *from, int i, double out) {
    const double fold = find_fold(w, from->t, from->q[i], out);
    double outside = from->t, inside = fold, q[6], q_outside[6], margin = -1;
    open_interval o = {0};
    memcpy(q_outside, from->q[i], sizeof q);
    for (int k = 0; k < BISECTIONS && fabs(inside - outside) > 1e-12; k++) {
        const double t = k == 0 ? fold + 1e-9 * (from->t - fold) : (inside + outside) / 2;
        memcpy(q, q_outside, sizeof q);
        const int is_there = trace(w->arm, w->seven, w->goal, (const double[2]){outside, t}, TRACED, q, &margin);
        if (k == 0 && (!is_there || margin < 0)) {
            return;
        }
        if (!is_there || margin >= 0) {
            inside = t;
        } else {
            outside = t;
            memcpy(q_outside, q, sizeof q);
        }
    }
    const double begin = inside < fold ? inside : fold, end = inside < fold ? fold : inside;
    const double middle = (begin + end) / 2;
    memcpy(q, q_outside, sizeof q);
    if (!trace(w->arm, w->seven, w->goal, (const double[2]){outside, middle}, TRACED, q, &margin)) {
        return;
    }
    open_at(w, &o, middle, q);
    o.begin = begin;
    o.anchor_t = middle;
    memcpy(o.anchor_q, q, sizeof q);
    close_at(w, &o, end);
}

/* From one sample to the next. */
static void step(walk *w, const lbc_sample *a, const lbc_sample *b) {
    open_interval now[MOST];
    unsigned char has_past[MOST] = {0};
    double q[6];
    memset(now, 0, sizeof now);
    for (int i = 0; i < a->count; i++) {
        const int next = follow(w->seven, a, i, b);
        if (next >= 0) {
            has_past[next] = 1;
            go_on(w, a, i, b, next, &now[next]);
        } else if (w->open[i].is_open) { /* the curve ends on the way */
            memcpy(q, a->q[i], sizeof q);
            const double end = find_end(w, a->t, q, b->t);
            look(w, &w->open[i], end, q);
            close_at(w, &w->open[i], end);
        } else {
            try_fold(w, a, i, b->t);
        }
    }
    for (int i = 0; i < b->count; i++) {
        if (!has_past[i] && b->margin[i] >= 0) { /* a curve begins on the way */
            memcpy(q, b->q[i], sizeof q);
            open_at(w, &now[i], find_end(w, b->t, q, a->t), q);
            look_at(w, &now[i], b, i);
        } else if (!has_past[i]) {
            try_fold(w, b, i, a->t);
        }
    }
    memcpy(w->open, now, sizeof now);
}

static void walk_between(walk *w, const lbc_sample *a, const lbc_sample *b, int halvings) {
    if (w->seven->budget->is_spent) {
        return;
    }
    if (halvings > 0 && is_coarse(w->seven, a, b, halvings)) {
        lbc_sample middle;
        lbc_seven_sample(w->arm, w->seven, w->goal, (a->t + b->t) / 2, &middle);
        keep_margin(w, &middle);
        w->seven->sample_count++;
        walk_between(w, a, &middle, halvings - 1);
        walk_between(w, &middle, b, halvings - 1);
    } else {
        step(w, a, b);
    }
}

/* Where nothing is inside its limits: what breaks them least, by ever smaller steps from the best sample. */
static void insert_nearest(walk *w, double low, double high) {
    for (double step = LBM_PI / STEPS; step > 1e-9; step /= 2) {
        for (int side = -1; side <= 1; side += 2) {
            const double t = w->least_t + side * step;
            double q[6], margin;
            memcpy(q, w->least_q, sizeof q);
            if (t >= low && t <= high && move_to(w, t, FOLLOWED, q, &margin) && margin > w->least_out) {
                w->least_out = margin;
                w->least_t = t;
                memcpy(w->least_q, q, sizeof w->least_q);
            }
        }
    }
    lbc_solution *made = &w->set->list[0];
    memset(made, 0, sizeof *made);
    for (int i = 0, k = 0; i < 7; i++) {
        made->anchor[i] = i == w->seven->joint ? w->least_t : w->least_q[k++];
    }
    lbc_seven_whole(w->seven, w->least_t, w->least_q, made->q);
    made->error = lbc_arm_polish(w->arm, w->goal, made->q, 8);
    wrap(w->arm, made->q);
    made->swivel[0] = made->swivel[1] = made->swivel[2] = w->least_t;
    w->set->count = w->set->is_outside = made->error <= LBC_VERIFIED;
}

void lbc_seven_solve(const lbc_arm *arm, lbc_seven *seven, const lbm_transform *goal, const double *near,
                     lbc_set *set) {
    walk w = {arm, seven, goal, near, set, {{0}}, -INFINITY, 0, {0}};
    double low = seven->lower[seven->joint], high = seven->upper[seven->joint];
    if (!(high - low <= LBM_TWO_PI)) {
        low = low > -LBM_PI ? low : -LBM_PI;
        high = low + LBM_TWO_PI;
    }
    const int steps = 1 + (int)((high - low) / (LBM_TWO_PI / STEPS));
    lbc_sample before, now;
    seven->goal = *goal;
    lbc_seven_sample(arm, seven, goal, low, &before);
    keep_margin(&w, &before);
    seven->sample_count = steps + 1;
    for (int i = 0; i < before.count; i++) {
        if (before.margin[i] >= 0) {
            open_at(&w, &w.open[i], low, before.q[i]);
            look_at(&w, &w.open[i], &before, i);
        }
    }
    for (int k = 1; k <= steps && !seven->budget->is_spent; k++) {
        lbc_seven_sample(arm, seven, goal, k == steps ? high : low + (high - low) * k / steps, &now);
        keep_margin(&w, &now);
        walk_between(&w, &before, &now, HALVINGS);
        before = now;
    }
    if (seven->budget->is_spent) {
        return;
    }
    for (int i = 0; i < before.count; i++) {
        if (w.open[i].is_open) {
            close_at(&w, &w.open[i], high);
        }
    }
    if (set->count == 0 && w.least_out > -INFINITY) {
        insert_nearest(&w, low, high);
    }
}

int lbc_seven_at(const lbc_arm *arm, const lbc_seven *seven, double angle, double q[7]) {
    const int skipped = seven->joint == 0;
    double six[6], margin;
    memcpy(six, q + skipped, sizeof six);
    if (!go_along(arm, seven, &seven->goal, (const double[2]){q[seven->joint], angle}, six, &margin)) {
        return 0;
    }
    lbc_seven_whole(seven, angle, six, q);
    return lbc_arm_polish(arm, &seven->goal, q, 8) <= LBC_VERIFIED;
}
