/* Many problems at once: the same bits as one by one, for any number of threads; what is wrong with one of them is its
 * own affair. */
#include "check.h"
#include "reach.h"

enum { PROBLEMS = 300, VARIABLES = 2 };

typedef struct answers {
    double poses[PROBLEMS][VARIABLES];
    lb_answer answers[PROBLEMS];
} answers;

typedef struct setting {
    lb_figure *figure;
    lb_problem *problem;
    int id;
    lb_frame goals[PROBLEMS];
    double starts[PROBLEMS][VARIABLES];
} setting;

/* Goals on a spiral: the arm reaches 0.5 m, so that the last ones are out of reach. */
static void set_up(setting *s) {
    s->figure = limited_arm();
    s->problem = reach(s->figure, 0.3, 0.1);
    s->id = 1;
    for (int i = 0; i < PROBLEMS; i++) {
        double radius = 0.15 + 0.45 * i / PROBLEMS, angle = 0.3 * i;
        lb_frame_identity(&s->goals[i]);
        s->goals[i].position[0] = radius * cos(angle);
        s->goals[i].position[1] = radius * sin(angle);
        s->starts[i][0] = 0.1 * (i % 50) - 2;
        s->starts[i][1] = 0.01 * (i % 140);
        if (i % 20 != 3) {
            continue;
        }
        /* already there */
        const double *q = s->starts[i];
        s->goals[i].position[0] = 0.3 * cos(q[0]) + 0.2 * cos(q[0] + q[1]);
        s->goals[i].position[1] = 0.3 * sin(q[0]) + 0.2 * sin(q[0] + q[1]);
    }
}

static void clear(setting *s) {
    lb_problem_destroy(s->problem);
    lb_figure_destroy(s->figure);
}

static void fill(const setting *s, lb_many *many) {
    lb_many_defaults(many);
    many->count = PROBLEMS;
    many->goal_count = 1;
    many->ids = &s->id;
    many->goals = s->goals;
    many->starts = s->starts[0];
}

static void one_by_one(setting *s, const lb_solve_options *options, answers *to) {
    lb_problem *p = reach(s->figure, 0.3, 0.1);
    lb_solver *solver = lb_solver_create(p, NULL);
    REQUIRE(solver != NULL);
    for (int i = 0; i < PROBLEMS; i++) {
        lb_result result;
        lb_result_defaults(&result);
        lb_answer *a = &to->answers[i];
        memcpy(to->poses[i], s->starts[i], sizeof to->poses[i]);
        CHECK_INT(lb_problem_move_goal(p, s->id, &s->goals[i]), LB_OK);
        a->status = lb_solver_solve(solver, options, to->poses[i], &result);
        a->outcome = result.outcome;
        a->value = result.value;
        a->iterations = result.iterations;
        a->evaluations = result.evaluations;
        a->restarts = result.restarts;
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
}

static int same_answers(const answers *a, const answers *b) {
    for (int i = 0; i < PROBLEMS; i++) {
        const lb_answer *x = &a->answers[i], *y = &b->answers[i];
        int same = x->status == y->status && x->outcome == y->outcome && x->iterations == y->iterations &&
                   x->evaluations == y->evaluations && x->restarts == y->restarts &&
                   memcmp(&x->value, &y->value, sizeof x->value) == 0;
        if (!same) {
            return 0;
        }
    }
    return memcmp(a->poses, b->poses, sizeof a->poses) == 0;
}

static int count_outcome(const answers *a, lb_outcome outcome) {
    int count = 0;
    for (int i = 0; i < PROBLEMS; i++) {
        count += a->answers[i].outcome == outcome;
    }
    return count;
}

static void same_bits(lb_method method, int restarts) {
    static answers alone, together;
    setting s;
    lb_many many;
    lb_solve_options options;
    set_up(&s);
    lb_solve_options_defaults(&options);
    options.method = method;
    options.restarts = restarts;
    one_by_one(&s, &options, &alone);
    CHECK(count_outcome(&alone, LB_OUTCOME_SOLVED) > 100);
    CHECK(count_outcome(&alone, LB_OUTCOME_SOLVED) < PROBLEMS);
    fill(&s, &many);
    for (int threads = 0; threads <= 5; threads++) {
        memset(&together, 0, sizeof together);
        many.threads = threads;
        check_note("%s, %d restarts, %d threads", lb_method_name(method), restarts, threads);
        CHECK_INT(lb_solve_many(s.problem, &options, &many, together.poses[0], together.answers, NULL), LB_OK);
        CHECK(same_answers(&alone, &together));
    }
    CHECK_NEAR(lb_problem_constraint(s.problem, 0)->goal.point[0], 0.3, 0); /* the problem's own goal is where it was */
    memcpy(together.poses, s.starts, sizeof s.starts);                      /* in place */
    many.starts = together.poses[0];
    CHECK_INT(lb_solve_many(s.problem, &options, &many, together.poses[0], together.answers, NULL), LB_OK);
    CHECK(same_answers(&alone, &together));
    check_note("%s", "");
    clear(&s);
}

/* One start for all, no list of answers, one problem, none. */
static void shapes(void) {
    static answers all, other;
    setting s;
    lb_many many;
    set_up(&s);
    for (int i = 1; i < PROBLEMS; i++) {
        memcpy(s.starts[i], s.starts[0], sizeof s.starts[i]);
    }
    fill(&s, &many);
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, all.poses[0], all.answers, NULL), LB_OK);
    many.one_start = 1;
    many.threads = 2;
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, other.poses[0], NULL, NULL), LB_OK);
    CHECK(memcmp(all.poses, other.poses, sizeof all.poses) == 0);
    memset(&other, 0, sizeof other);
    many.count = 1;
    many.threads = 3;
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, other.poses[0], NULL, NULL), LB_OK);
    CHECK(memcmp(all.poses[0], other.poses[0], sizeof all.poses[0]) == 0);
    CHECK(other.poses[1][0] == 0);
    many.count = 0;
    many.goals = NULL;
    many.starts = NULL;
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, NULL, NULL, NULL), LB_OK);
    /* no goal differs: the problem's own for all */
    fill(&s, &many);
    many.goal_count = 0;
    many.ids = NULL;
    many.goals = NULL;
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, all.poses[0], all.answers, NULL), LB_OK);
    CHECK_INT(count_outcome(&all, LB_OUTCOME_SOLVED), PROBLEMS);
    clear(&s);
}

/* What is wrong with one problem is said in its answer, and the others are as they would be without it. */
static void bad_ones(void) {
    static answers good, mixed;
    setting s;
    lb_many many;
    set_up(&s);
    fill(&s, &many);
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, good.poses[0], good.answers, NULL), LB_OK);
    s.goals[7].position[2] = NAN;
    memset(s.goals[9].rotation, 0, sizeof s.goals[9].rotation);
    s.starts[70][1] = INFINITY;
    fill(&s, &many);
    many.threads = 2;
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, mixed.poses[0], mixed.answers, NULL), LB_OK);
    for (int i = 0; i < PROBLEMS; i++) {
        const lb_answer *a = &mixed.answers[i];
        int bad = i == 7 || i == 9 || i == 70;
        check_note("problem %d", i);
        CHECK_INT(a->status, bad ? LB_ERROR_ARGUMENT : LB_OK);
        CHECK_INT(a->outcome, bad ? LB_OUTCOME_INVALID : good.answers[i].outcome);
        CHECK(memcmp(mixed.poses[i], bad ? s.starts[i] : good.poses[i], sizeof mixed.poses[i]) == 0);
        CHECK(bad ? a->value != a->value : a->value == good.answers[i].value);
    }
    check_note("%s", "");
    clear(&s);
}

static int stop_at_once(void *context, int done, int count) {
    int *calls = context;
    CHECK(done > 0 && done < count);
    ++*calls;
    return 1;
}

static int watch(void *context, int done, int count) {
    int *last = context;
    CHECK(done > *last && done <= count);
    *last = done;
    return 0;
}

static int not_me(void *context, const lb_progress *progress) {
    (void)context;
    (void)progress;
    return 0;
}

/* Stopped before or on the way: every problem has an answer all the same. */
static void stopping(void) {
    static answers a;
    setting s;
    lb_many many;
    lb_solve_options options;
    int calls = 0, last = 0;
    lb_cancel cancel = {0};
    lb_cancel_request(&cancel);
    set_up(&s);
    fill(&s, &many);
    lb_solve_options_defaults(&options);
    options.cancel = &cancel;
    CHECK_INT(lb_solve_many(s.problem, &options, &many, a.poses[0], a.answers, NULL), LB_OK);
    CHECK_INT(count_outcome(&a, LB_OUTCOME_BUDGET), PROBLEMS);
    CHECK(memcmp(a.poses, s.starts, sizeof a.poses) == 0);
    CHECK(a.answers[3].value != a.answers[3].value && a.answers[3].evaluations == 0);
    lb_cancel_clear(&cancel);
    many.on_progress = stop_at_once;
    many.on_progress_context = &calls;
    CHECK_INT(lb_solve_many(s.problem, &options, &many, a.poses[0], a.answers, NULL), LB_OK);
    CHECK_INT(calls, 1);
    CHECK(count_outcome(&a, LB_OUTCOME_SOLVED) > 0 && count_outcome(&a, LB_OUTCOME_BUDGET) > PROBLEMS / 2);
    many.on_progress = watch;
    many.on_progress_context = &last;
    CHECK_INT(lb_solve_many(s.problem, &options, &many, a.poses[0], a.answers, NULL), LB_OK);
    CHECK_INT(last, PROBLEMS);
    clear(&s);
}

static void refused(void) {
    static answers a;
    setting s;
    lb_many many;
    lb_solve_options options;
    int unknown = 99;
    set_up(&s);
    fill(&s, &many);
    memset(&a, 0, sizeof a);
    CHECK_INT(lb_solve_many(NULL, NULL, &many, a.poses[0], a.answers, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solve_many(s.problem, NULL, NULL, a.poses[0], a.answers, NULL), LB_ERROR_ARGUMENT);
    many.ids = &unknown;
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, a.poses[0], a.answers, NULL), LB_ERROR_ARGUMENT);
    fill(&s, &many);
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, NULL, a.answers, NULL), LB_ERROR_ARGUMENT);
    fill(&s, &many);
    many.starts = NULL;
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, a.poses[0], a.answers, NULL), LB_ERROR_ARGUMENT);
    fill(&s, &many);
    many.goals = NULL;
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, a.poses[0], a.answers, NULL), LB_ERROR_ARGUMENT);
    fill(&s, &many);
    many.count = -1;
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, a.poses[0], a.answers, NULL), LB_ERROR_ARGUMENT);
    fill(&s, &many);
    many.threads = -1;
    CHECK_INT(lb_solve_many(s.problem, NULL, &many, a.poses[0], a.answers, NULL), LB_ERROR_ARGUMENT);
    fill(&s, &many);
    lb_solve_options_defaults(&options);
    options.on_iteration = not_me;
    CHECK_INT(lb_solve_many(s.problem, &options, &many, a.poses[0], a.answers, NULL), LB_ERROR_ARGUMENT);
    options.on_iteration = NULL;
    options.method = (lb_method)77;
    CHECK_INT(lb_solve_many(s.problem, &options, &many, a.poses[0], a.answers, NULL), LB_ERROR_ARGUMENT);
    CHECK(a.poses[0][0] == 0 && a.answers[0].evaluations == 0);
    clear(&s);
}

/* A method that cannot do the problem says so in every answer. */
static void cannot(void) {
    static answers a;
    setting s;
    lb_many many;
    lb_solve_options options;
    set_up(&s);
    lb_constraint turned = *lb_problem_constraint(s.problem, 0);
    turned.goal.kind = LB_GOAL_ORIENTATION;
    CHECK_INT(lb_problem_change(s.problem, s.id, &turned), LB_OK);
    fill(&s, &many);
    lb_solve_options_defaults(&options);
    options.method = LB_METHOD_FABRIK;
    CHECK_INT(lb_solve_many(s.problem, &options, &many, a.poses[0], a.answers, NULL), LB_OK);
    CHECK_INT(count_outcome(&a, LB_OUTCOME_INVALID), PROBLEMS);
    CHECK_INT(a.answers[5].status, LB_ERROR_UNSUPPORTED);
    CHECK(memcmp(a.poses, s.starts, sizeof a.poses) == 0);
    clear(&s);
}

int main(void) {
    same_bits(LB_METHOD_LM, 0);
    same_bits(LB_METHOD_LM, 3);
    same_bits(LB_METHOD_BFGS, 0);
    same_bits(LB_METHOD_CCD, 0);
    same_bits(LB_METHOD_JACOBIAN, 0);
    shapes();
    bad_ones();
    stopping();
    refused();
    cannot();
    return check_done();
}
