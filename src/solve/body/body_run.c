/* Sequential quadratic programming from one start.
 *
 * An iteration finds a step (body_step.c), tries shares of it until one reduces the merit function enough, with one
 * second-order correction, and accepts that. The merit function is the exact penalty function of the terms with rules,
 * goals and conditions:
 * half the terms + penalty parameter * (HARDER * |rules|_1 + |goals|_2). */
#include <math.h>
#include <string.h>

#include "solve/body/body.h"

#define FIRST_RADIUS 0.5 /* rad or metres */
#define LARGEST_RADIUS 1.0
#define LEAST_PENALTY 2.0 /* per metre that a rule is off */
#define PENALTY_OVER 1.5  /* times the largest multiplier */
#define PENALTY_FALLS 0.3 /* to so much of it the penalty parameter may fall in a step */
#define HARDER 3.0        /* rules over goals */
#define FOR_VALUE 0.7     /* of what the violation falls by, times the penalty parameter: so much the terms may rise */
#define SUFFICIENT 1e-4   /* of the predicted reduction: a trial that gains more is accepted */
#define GOOD_SHARE 0.5    /* of the predicted reduction: a shortened step that gains more doubles the trust radius */
#define SHORTER 0.4       /* times the step, where a trial is refused */
#define MAX_TRIALS 8
#define FIRST_DAMPING 0.02
#define LEAST_DAMPING 1e-3
#define MOST_DAMPING 1e3
#define MORE_DAMPING 4.0
#define LESS_DAMPING 0.25
#define MAX_IDLE 8          /* iterations in a row that bring goals no nearer */
#define MAX_IDLE_BESIDE 2   /* the same where no variable may change by much: the next solve goes on */
#define ENOUGH_PROGRESS 0.9 /* of the least miss so far: a goal that is nearer made progress */
#define NO_MISS 1e-3        /* of the goals' rows: what is less is as good as met */
#define SHORT_STEP 0.15     /* rad or metres */
#define NEARLY_MET 0.02     /* sum of the residuals of rules and goals */
#define KEPT 5e-7           /* of rules and goals: what is off by less is kept, where a motion is followed */
#define STRIDE 0.4          /* metres, or what goals' rows are in, all together: a step asks for no more */

/* --- The merit function
 * ----------------------------------------------------------------------------------------------------- */

typedef struct merit {
    double value; /* half the terms */
    double rules; /* sum of the absolute values, and of conditions above zero */
    double goals; /* norm */
    double worst; /* the largest of rules and conditions */
} merit;

static merit measure(const lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    merit m = {t->values->own_value, 0, 0, 0};
    for (int i = 0; i < t->wishes.count; i++) {
        m.value += t->wishes.residuals[i] * t->wishes.residuals[i];
    }
    for (int i = 0; i < t->rules.count; i++) {
        const double off = fabs(t->rules.residuals[i]);
        m.rules += off;
        m.worst = off > m.worst ? off : m.worst;
    }
    for (int i = 0; i < t->conditions.count; i++) {
        const double off = t->conditions.values[i] > 0 ? t->conditions.values[i] : 0;
        m.rules += off;
        m.worst = off > m.worst ? off : m.worst;
    }
    for (int i = 0; i < t->goals.count; i++) {
        m.goals += t->goals.residuals[i] * t->goals.residuals[i];
    }
    m.value = (m.value + b->elastic * m.goals) / 2;
    m.goals = sqrt(m.goals);
    return m;
}

/* The same after the step, as the model has it. Needs the rows of x. */
static merit predict(const lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    const double *d = b->step.d;
    const size_t stride = (size_t)t->stride;
    merit m = {t->iterate.own_value, 0, 0, 0};
    for (int i = 0; i < t->wishes.count; i++) {
        const double r = t->iterate.wishes[i] + lbs_dot(t->size, t->wishes.jacobian + (size_t)i * stride, d);
        m.value += r * r;
    }
    for (int i = 0; i < t->size; i++) {
        m.value += (2 * t->iterate.half_gradient[i] + t->iterate.half_curvature[i] * d[i]) * d[i];
    }
    for (int i = 0; i < t->rules.count; i++) {
        m.rules += fabs(t->iterate.rules[i] + lbs_dot(t->size, t->rules.jacobian + (size_t)i * stride, d));
    }
    for (int i = 0; i < t->conditions.count; i++) {
        const int row = t->conditions.rows[i];
        const double off = t->iterate.conditions[i] +
                           (row < 0 ? 0 : lbs_dot(t->size, t->conditions.near.jacobian + (size_t)row * stride, d));
        m.rules += off > 0 ? off : 0;
    }
    for (int i = 0; i < t->goals.count; i++) {
        const double r = t->iterate.goals[i] + lbs_dot(t->size, t->goals.jacobian + (size_t)i * stride, d);
        m.goals += r * r;
    }
    m.value = (m.value + b->elastic * m.goals) / 2;
    m.goals = sqrt(m.goals);
    return m;
}

/* What the penalty is for. Goals that are terms are none of it. */
static double violation(const lbs_bodies *b, const merit *m) {
    return HARDER * m->rules + (b->elastic > 0 ? 0 : m->goals);
}

static double total(const lbs_bodies *b, const merit *m, double penalty) {
    return m->value + penalty * violation(b, m);
}

/* The penalty parameter is above the multipliers, which makes the merit function exact, and so large that the step
 * reduces the merit function though the terms may rise by it. */
static double penalty_after(lbs_bodies *b, const merit *here, const merit *then, double penalty) {
    double most_rule, goal_norm;
    lbs_bodies_multipliers(b, &most_rule, &goal_norm);
    const double least = most_rule / HARDER > goal_norm ? most_rule / HARDER : goal_norm;
    const double less = violation(b, here) - violation(b, then);
    penalty *= PENALTY_FALLS;
    penalty = penalty > LEAST_PENALTY ? penalty : LEAST_PENALTY;
    if (PENALTY_OVER * least > penalty) {
        penalty = PENALTY_OVER * least;
    }
    if (less > 0 && then->value - here->value > FOR_VALUE * penalty * less) {
        penalty = (then->value - here->value) / (FOR_VALUE * less);
    }
    return penalty;
}

/* --- Multipliers ------------------------------------------------------------------------------------------------------------ */

void lbs_bodies_forget(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    memset(b->rule_multipliers, 0, (size_t)t->rules.most * sizeof(double));
    memset(b->goal_multipliers, 0, (size_t)t->goals.most * sizeof(double));
    memset(b->condition_multipliers, 0, (size_t)t->conditions.most * sizeof(double));
    b->step.qp.count = 0; /* the guess of the active set */
}

static void keep_multipliers(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    memcpy(b->rule_multipliers, b->next.rules, (size_t)t->rules.count * sizeof(double));
    memcpy(b->goal_multipliers, b->next.goals, (size_t)t->goals.count * sizeof(double));
    memcpy(b->condition_multipliers, b->next.conditions, (size_t)t->conditions.count * sizeof(double));
}

/* --- Steps ------------------------------------------------------------------------------------------------------------------ */

/* One run of the method. */
typedef struct run {
    lbs_bodies *b;
    double accuracy;        /* where steps are shorter the run ends */
    double penalty;         /* of the merit function */
    double radius, damping; /* the trust radius; what is added to the diagonal of the model */
    merit here;             /* at the iterate */
    double predicted;       /* reduction of the merit function by the whole step */
    double value_after;     /* half the terms after the whole step, as the model has it */
    double share;           /* of the step: the trial */
    double least_miss;      /* of the goals, so far */
    int idle;               /* iterations since it was found */
    int converged;
} run;

/* The residuals that the step is to bring to zero. Goals that are far away ask for a part of the way. */
static void aim(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    memcpy(b->step.rule_shift, t->iterate.rules, (size_t)t->rules.count * sizeof(double));
    const double length = sqrt(lbs_dot(t->goals.count, t->iterate.goals, t->iterate.goals));
    for (int i = 0; i < t->goals.count; i++) {
        b->step.goal_shift[i] = t->iterate.goals[i] * (length > STRIDE ? STRIDE / length : 1);
    }
    memcpy(b->step.condition_shift, t->conditions.near.residuals, (size_t)t->conditions.near.count * sizeof(double));
}

/* The largest change of a variable by the step. */
static double length_of(const lbs_bodies *b) {
    double most = 0;
    for (int i = 0; i < b->task.n; i++) {
        most = fabs(b->step.d[i]) > most ? fabs(b->step.d[i]) : most;
    }
    return most;
}

/* Finds the step and what it promises. Returns 0 where there is none. */
static int find_step(run *r) {
    lbs_bodies *b = r->b;
    aim(b);
    if (lbs_bodies_step(b, r->damping, 0)) {
        return 0;
    }
    const merit then = predict(b);
    r->penalty = penalty_after(b, &r->here, &then, r->penalty);
    r->predicted = total(b, &r->here, r->penalty) - total(b, &then, r->penalty);
    r->value_after = then.value;
    const double length = length_of(b);
    r->share = length > r->radius ? r->radius / length : 1;
    return 1;
}

/* --- Trials ----------------------------------------------------------------------------------------------------------------- */

typedef struct attempt {
    merit there;
    double length; /* largest change of a variable */
    double gained; /* reduction of the merit function */
} attempt;

/* Evaluates the iterate plus so much of the step. */
static attempt try_share(const run *r, double share) {
    lbs_bodies *b = r->b;
    attempt made = {.length = 0};
    for (int i = 0; i < b->task.size; i++) {
        const double to = b->x[i] + share * b->step.d[i];
        b->trial[i] = to < b->lower[i] ? b->lower[i] : to > b->upper[i] ? b->upper[i] : to;
        if (i < b->task.n && fabs(b->trial[i] - b->x[i]) > made.length) {
            made.length = fabs(b->trial[i] - b->x[i]);
        }
    }
    lbs_bodies_evaluate(b, b->trial, 0);
    made.there = measure(b);
    made.gained = total(b, &r->here, r->penalty) - total(b, &made.there, r->penalty);
    return made;
}

/* The residuals of the trial, seen from the iterate: what is left of them that the step did not foresee. */
static void aim_from_trial(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    const size_t stride = (size_t)t->stride;
    const double *d = b->step.d;
    for (int i = 0; i < t->rules.count; i++) {
        b->step.rule_shift[i] = t->trial.rules[i] - lbs_dot(t->size, t->rules.jacobian + (size_t)i * stride, d);
    }
    for (int i = 0; i < t->goals.count; i++) {
        b->step.goal_shift[i] = t->trial.goals[i] - lbs_dot(t->size, t->goals.jacobian + (size_t)i * stride, d);
    }
    for (int i = 0; i < t->conditions.near.count; i++) {
        b->step.condition_shift[i] = t->trial.conditions[t->conditions.ids[i]] -
                                     lbs_dot(t->size, t->conditions.near.jacobian + (size_t)i * stride, d);
    }
}

static int is_sufficient(const run *r, const attempt *made) {
    return made->gained > SUFFICIENT * r->share * r->predicted;
}

/* The second-order correction: the same model, for the residuals that the trial really has. It keeps rules and goals
 * that bend from refusing good steps. Returns 1 where the corrected step is accepted. The step itself stays as it
 * is. */
static int correct(const run *r, attempt *made) {
    lbs_bodies *b = r->b;
    const size_t size = (size_t)b->task.size * sizeof(double);
    int accepted = 0;
    memcpy(b->kept, b->step.d, size);
    for (int i = 0; i < b->task.size; i++) {
        b->step.d[i] = b->trial[i] - b->x[i];
    }
    aim_from_trial(b);
    if (!lbs_bodies_step(b, r->damping, 1)) {
        *made = try_share(r, 1);
        accepted = is_sufficient(r, made);
    }
    memcpy(b->step.d, b->kept, size);
    return accepted;
}

static int is_rule_broken(const run *r) { return !(r->here.worst < (r->accuracy > 1e-5 ? 1e-3 : 1e-8)); }

/* Where a motion is followed: whether the terms are as good as at their minimum, though some variables still move, as
 * they do in directions in which the terms are flat. The next pose goes on from there. */
static int is_gain_small(const run *r, const attempt *made) {
    return fabs(made->there.value - r->here.value) < r->b->search.enough_gain && made->there.worst < KEPT &&
           (made->there.goals < KEPT || r->b->elastic > 0);
}

/* Looks for a share of the step that reduces the merit function enough. Returns how many were tried; 0: none is
 * accepted. */
static int search(run *r) {
    for (int trials = 1; trials <= MAX_TRIALS; trials++) {
        attempt made = try_share(r, r->share);
        int accepted = is_sufficient(r, &made) || made.length < r->accuracy;
        if (!accepted && trials == 1 && made.there.rules + made.there.goals > r->here.rules + r->here.goals) {
            accepted = correct(r, &made);
        }
        if (accepted) {
            if (trials == 1 && r->share < 1 && made.gained > GOOD_SHARE * r->share * r->predicted) {
                r->radius = r->radius * 2 < LARGEST_RADIUS ? r->radius * 2 : LARGEST_RADIUS;
            }
            r->converged = (made.length < r->accuracy && !is_rule_broken(r)) || is_gain_small(r, &made);
            return trials;
        }
        r->share *= SHORTER;
    }
    return 0;
}

/* Steps that had to be shortened are damped more, steps that went through less. */
static double next_damping(double damping, int trials) {
    if (trials == 0 || trials > 2) {
        damping *= MORE_DAMPING;
        return damping > FIRST_DAMPING ? damping : FIRST_DAMPING;
    }
    damping *= trials > 1 ? 1 : LESS_DAMPING;
    return damping > LEAST_DAMPING ? damping : 0;
}

/* --- Iterations ------------------------------------------------------------------------------------------------------------- */

/* Counts iterations that bring the goals no nearer. Goals that are met are watched anew once they are given up for
 * something. */
static void watch_goals(run *r) {
    if (r->here.goals < NO_MISS || r->b->elastic > 0) {
        r->least_miss = INFINITY;
        r->idle = 0;
    } else if (r->here.goals < ENOUGH_PROGRESS * r->least_miss) {
        r->least_miss = r->here.goals;
        r->idle = 0;
    } else {
        r->idle++;
    }
}

/* Evaluates the iterate with its derivatives. */
static void arrive(run *r) {
    lbs_bodies_evaluate(r->b, r->b->x, 1);
    r->here = measure(r->b);
}

/* The trial becomes the iterate. */
static void accept(run *r) {
    lbs_bodies *b = r->b;
    keep_multipliers(b);
    watch_goals(r);
    memcpy(b->x, b->trial, (size_t)b->task.size * sizeof *b->x);
    arrive(r);
}

/* The goals are out of reach, or another start is better. */
static int is_hopeless(const run *r) {
    return r->idle > (r->b->search.max_change < INFINITY ? MAX_IDLE_BESIDE : MAX_IDLE);
}

/* Whether the run comes down to no value that is wanted: a short step says well what there is to gain. */
static int is_too_dear(const run *r) {
    return 2 * r->value_after > r->b->search.enough && length_of(r->b) < SHORT_STEP &&
           r->here.rules + r->here.goals < NEARLY_MET;
}

/* Counts an iteration, and shows its pose, inside the limits, to whoever watches. The trial is not in use yet. */
static void tell(lbs_bodies *b) {
    lbs_space *s = b->task.space;
    s->budget.iterations = ++b->search.iterations;
    if (s->options->on_iteration) {
        memcpy(b->trial, b->x, (size_t)b->task.n * sizeof *b->x);
        lbs_project(s, b->trial);
        lbs_tell(s, b->trial, lbs_total(s));
        lbs_to_pose(s, b->x, s->last.pose); /* as the evaluation left it */
    }
}

int lbs_bodies_are_over(lbs_bodies *b) { return b->task.space->budget.stopped || lbs_spent(b->task.space); }

lbs_body_end lbs_bodies_run(lbs_bodies *b, double *x, int max_iterations, double accuracy) {
    run r = {.b = b, .accuracy = accuracy, .penalty = LEAST_PENALTY, .radius = FIRST_RADIUS, .least_miss = INFINITY};
    const size_t size = (size_t)b->task.size * sizeof *x;
    const int left = b->task.space->options->max_iterations - (b->search.iterations - b->search.first_iteration);
    const int most = max_iterations < left ? max_iterations : left;
    memcpy(b->x, x, size);
    b->step.shift = 0;
    arrive(&r);
    for (int i = 0; i < most && !lbs_bodies_are_over(b) && !r.converged && !is_hopeless(&r); i++) {
        tell(b);
        if (!find_step(&r) || is_too_dear(&r)) {
            break;
        }
        const int trials = search(&r);
        r.damping = next_damping(r.damping, trials);
        if (trials > 0) {
            accept(&r);
        } else if (r.damping > MOST_DAMPING) {
            break;
        } else {
            arrive(&r);
        }
    }
    memcpy(x, b->x, size);
    return (lbs_body_end){.value = 2 * r.here.value - b->elastic * r.here.goals * r.here.goals,
                          .violation = r.here.worst,
                          .miss = r.here.goals,
                          .converged = r.converged};
}
