/* People who are posed as bodies, judged by tests/body: from the rest pose (cold), the everyday tasks of problems/body, random
 * points that the arm alone reaches, and random points anywhere; and from the answer before (warm), a palm that is dragged in
 * steps of 1 cm.
 *
 * Times are CPU times of the thread, the least of five solves of an instance (--quick: of two), which are a block of instances
 * apart. With --ablate no bars are measured: body_ablation.c switches each term off. */
#include "bench.h"
#include "body_ablation.h"

#include <limber/body.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "points.h"

#define STEP 0.01      /* metres that a dragged palm moves between two frames */
#define FRAMES 200     /* of a path */
#define COLD_P50 3000  /* microseconds */
#define COLD_P99 12000 /* microseconds */
#define WARM_P50 600   /* microseconds */

/* --- A person with one hand to move --------------------------------------------------------------------------------- */

typedef struct reacher {
    lb_problem *problem;
    lb_solver *solver;
    int goal;
} reacher;

static void open_reacher(reacher *r, const lb_figure *figure, const char *name, const double point[3]) {
    task t;
    reach_task(name, point, &t);
    r->problem = task_problem(&t, figure);
    r->solver = lb_solver_create(r->problem, NULL);
    r->goal = lb_problem_constraint_id(r->problem, 0);
    if (!r->solver) {
        bench_stop("no memory");
    }
}

static void close_reacher(reacher *r) {
    lb_solver_destroy(r->solver);
    lb_problem_destroy(r->problem);
}

static void move_hand(const reacher *r, const double point[3]) {
    lb_frame frame = {{point[0], point[1], point[2]}, {0, 0, 0, 1}};
    if (lb_problem_move_goal(r->problem, r->goal, &frame)) {
        bench_stop("a goal could not be moved");
    }
}

/* --- Cold ------------------------------------------------------------------------------------------------------------ */

/* What is solved: a task of problems/body each, or a point each for one person. */
typedef struct set {
    const char *name;
    int count;
    person p;
    task *tasks;             /* [count] */
    lb_problem_file **files; /* [count]; NULL: the reacher's */
    lb_solver **solvers;     /* [count] */
    reacher r;
    unsigned ruled_out; /* flaws that make an answer wrong */
    lb_outcome outcome; /* of the last solve */
    int is_met_or_said; /* a goal may be missed where the outcome says so */
} set;

static lb_figure *human;

static void open_tasks(set *s, int count) {
    s->name = "everyday tasks";
    s->count = count < task_count ? count : task_count;
    s->tasks = bench_alloc((size_t)s->count, sizeof *s->tasks);
    s->files = bench_alloc((size_t)s->count, sizeof *s->files);
    s->solvers = bench_alloc((size_t)s->count, sizeof *s->solvers);
    s->ruled_out = ~0u;
    for (int i = 0; i < s->count; i++) {
        s->files[i] = task_load(i, &s->tasks[i]);
        s->solvers[i] = lb_solver_create(lb_problem_file_problem(s->files[i]), NULL);
        if (!s->solvers[i]) {
            bench_stop("no memory");
        }
    }
}

static void open_points(set *s, const char *name, int count, int is_reach) {
    static const unsigned never = 1u << FLAW_FALL | 1u << FLAW_FLOOR | 1u << FLAW_SELF;
    unsigned long long state = 7;
    s->name = name;
    s->count = count;
    s->tasks = bench_alloc((size_t)s->count, sizeof *s->tasks);
    s->ruled_out = is_reach ? ~0u : never;
    s->is_met_or_said = !is_reach;
    for (int i = 0; i < count; i++) {
        double point[3];
        if (is_reach) {
            draw_reach(&s->p, &state, point);
        } else {
            draw_anywhere((unsigned long long)i, point);
        }
        reach_task(name, point, &s->tasks[i]);
        s->tasks[i].is_reach = is_reach;
    }
    open_reacher(&s->r, human, name, s->tasks[0].goals[0].point);
}

static void close_set(set *s) {
    for (int i = 0; s->files && i < s->count; i++) {
        lb_solver_destroy(s->solvers[i]);
        lb_problem_file_destroy(s->files[i]);
    }
    close_reacher(&s->r);
    free(s->files);
    free(s->solvers);
    free(s->tasks);
    person_free(&s->p);
}

static void solve_cold(void *context, int instance, double *pose, bench_outcome *outcome) {
    set *s = context;
    lb_result result;
    lb_solver *solver = s->files ? s->solvers[instance] : s->r.solver;
    lb_result_defaults(&result);
    if (!s->files) {
        move_hand(&s->r, s->tasks[instance].goals[0].point);
    }
    if (lb_solver_solve(solver, NULL, pose, &result)) {
        bench_stop("%s: %s", s->tasks[instance].name, result.explanation);
    }
    s->outcome = result.outcome;
    outcome->is_solved = result.outcome == LB_OUTCOME_SOLVED;
    outcome->iterations = result.iterations;
}

/* Of the last solve. */
static int verify_cold(void *context, int instance, const double *pose) {
    set *s = context;
    measures m;
    judge(&s->p, &s->tasks[instance], pose, &m);
    const int is_missed = (m.flaws & 1u << FLAW_GOAL) != 0;
    return !(m.flaws & s->ruled_out) && !(s->is_met_or_said && is_missed && s->outcome == LB_OUTCOME_SOLVED);
}

/* Runs a set, and adds its times to those of all. */
static void run_set(set *s, bench_table *table, double *all, int *all_count) {
    const int variables = lb_figure_variable_count(human);
    double *starts = bench_alloc((size_t)s->count * (size_t)variables, sizeof *starts),
           *iterations = bench_alloc((size_t)s->count, sizeof *iterations);
    bench_contestant natural = {.name = "natural", .context = s, .solve = solve_cold};
    for (int i = 0; i < s->count; i++) {
        lb_figure_rest_pose(human, starts + (size_t)i * (size_t)variables);
    }
    const bench_race race = {.instances = s->count,
                             .variables = variables,
                             .repeats = bench.is_quick ? 2 : 5,
                             .has_cpu_times = 1,
                             .starts = starts,
                             .context = s,
                             .verify = verify_cold};
    bench_race_run(&race, 1, &natural);
    for (int i = 0; i < s->count; i++) {
        iterations[i] = natural.iterations[i];
        all[(*all_count)++] = natural.us[i];
    }
    const bench_stats us = bench_statistics(s->count, natural.us), steps = bench_statistics(s->count, iterations);
    bench_table_row(table, "%s|%d|%.2f|%.0f|%.0f|%.0f|%.0f|%.0f|%.0f|%.0f|%.0f", s->name, s->count,
                    bench_right_percent(&race, &natural), us.mean, us.p50, us.p95, us.p99, us.max, steps.p50, steps.p99,
                    steps.max);
    bench_race_free(1, &natural);
    free(starts);
    free(iterations);
}

static void run_cold(bench_table *table) {
    const int count = bench_count(200, 30);
    double *all = bench_alloc((size_t)task_count + 2 * (size_t)count, sizeof *all);
    int all_count = 0;
    for (int k = 0; k < 3; k++) {
        static const char *const names[] = {"everyday tasks", "points that the arm reaches", "points anywhere"};
        set s = {0};
        if (!bench_is_wanted(names[k])) {
            continue;
        }
        person_make(human, &s.p);
        if (k == 0) {
            open_tasks(&s, bench.count > 0 ? bench.count : task_count);
        } else {
            open_points(&s, names[k], count, k == 1);
        }
        run_set(&s, table, all, &all_count);
        close_set(&s);
    }
    const bench_stats us = bench_statistics(all_count, all);
    bench_bar("a natural body, cold: median", us.p50, 0, COLD_P50, "us");
    bench_bar("a natural body, cold: p99", us.p99, 0, COLD_P99, "us");
    free(all);
}

/* --- Warm ------------------------------------------------------------------------------------------------------------ */

/* A path of FRAMES steps of 1 cm, from the first corner towards the others in turn; corners are random points. */
static void make_path(person *p, int number, int is_reach, double (*path)[3]) {
    unsigned long long state = 7 + (unsigned long long)number, corner = 1000 * (unsigned long long)(number + 1);
    double to[3];
    for (int f = 0, is_there = 1; f < FRAMES; f++) {
        if (is_there && is_reach) {
            draw_reach(p, &state, to);
        } else if (is_there) {
            draw_anywhere(corner++, to);
        }
        const double *from = f ? path[f - 1] : to;
        const double way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        is_there = length <= STEP;
        for (int c = 0; c < 3; c++) {
            path[f][c] = is_there ? to[c] : from[c] + way[c] * STEP / length;
        }
    }
}

typedef struct drag {
    double *us, *iterations; /* [path][frame], but for the first frame of each, which is cold */
    double turn;             /* radians: the largest change of a variable between two frames */
    int count, solved, fallen;
} drag;

static void look_at_frame(person *p, const double *point, const double *before, const double *pose, drag *d) {
    measures m;
    task t;
    reach_task("drag", point, &t);
    judge(p, &t, pose, &m);
    d->fallen += (m.flaws & (1u << FLAW_FALL | 1u << FLAW_FLOOR | 1u << FLAW_SELF)) != 0;
    for (int i = 6; i < p->variable_count; i++) {
        d->turn = fmax(d->turn, fabs(pose[i] - before[i]));
    }
}

static void run_path(person *p, const reacher *r, double (*path)[3], int is_first, drag *d) {
    double pose[PERSON_VARIABLES], before[PERSON_VARIABLES];
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    lb_solve_options_defaults(&options);
    memcpy(pose, p->rest, sizeof pose);
    for (int f = 0; f < FRAMES; f++) {
        const double begin = bench_cpu_us();
        move_hand(r, path[f]);
        options.tracking = f > 0;
        memcpy(before, pose, sizeof before);
        if (lb_solver_solve(r->solver, &options, pose, &result)) {
            bench_stop("a frame could not be solved: %s", result.explanation);
        }
        const double us = bench_cpu_us() - begin;
        if (f == 0) {
            continue;
        }
        d->us[f - 1] = is_first ? us : fmin(us, d->us[f - 1]);
        if (is_first) {
            d->iterations[f - 1] = result.iterations;
            d->solved += result.outcome == LB_OUTCOME_SOLVED;
            d->count++;
            look_at_frame(p, path[f], before, pose, d);
        }
    }
}

static bench_stats run_drags(person *p, const char *name, int paths, int is_reach, bench_table *table) {
    const size_t frames = (size_t)paths * (FRAMES - 1);
    double *us = bench_alloc(2 * frames, sizeof *us), (*path)[3] = bench_alloc(FRAMES, sizeof *path);
    drag d = {.us = us, .iterations = us + frames};
    reacher r;
    for (int k = 0; k < paths; k++) {
        make_path(p, k, is_reach, path);
        open_reacher(&r, human, name, path[0]);
        for (int repeat = 0; repeat < (bench.is_quick ? 2 : 5); repeat++) {
            run_path(p, &r, path, repeat == 0, &d);
        }
        close_reacher(&r);
        d.us += FRAMES - 1;
        d.iterations += FRAMES - 1;
    }
    const bench_stats time = bench_statistics((int)frames, us), steps = bench_statistics((int)frames, us + frames);
    bench_table_row(table, "%s|%d|%d|%.2f|%d|%.1f|%.0f|%.0f|%.0f|%.0f|%.0f|%.0f|%.0f", name, paths, d.count,
                    100.0 * d.solved / d.count, d.fallen, d.turn * 180 / 3.14159265358979323846, time.mean, time.p50,
                    time.p95, time.p99, time.max, steps.p50, steps.max);
    free(us);
    free(path);
    return time;
}

static void run_warm(void) {
    static const char *const names[] = {"a palm where the arm reaches", "a palm anywhere"};
    const int paths = bench_count(20, 3);
    double worst = NAN;
    bench_table table;
    person p;
    person_make(human, &p);
    bench_table_begin(
        &table, "body-warm",
        "drag, warm|paths|frames|solved %|fallen|turn deg|mean us|median us|p95 us|p99 us|max us|iterations|"
        "at most");
    for (int k = 0; k < 2; k++) {
        if (bench_is_wanted(names[k])) {
            const bench_stats us = run_drags(&p, names[k], paths, k == 0, &table);
            worst = fmax(isnan(worst) ? 0 : worst, us.p50);
        }
    }
    if (table.rows > 0) {
        printf("\n");
        bench_table_print(&table, 0);
    }
    bench_table_end(&table);
    bench_bar("a natural body, warm: worst median of a frame", worst, 0, WARM_P50, "us");
    person_free(&p);
}

int main(int argc, char **argv) {
    bench_begin("body", argc, argv);
    human = load_human(0);
    if (bench.is_ablation) {
        bench_ablate();
    } else {
        bench_table table;
        bench_table_begin(&table, "body-cold",
                          "cold|instances|right %|mean us|median us|p95 us|p99 us|max us|iterations|p99|at most");
        run_cold(&table);
        bench_table_print(&table, 0);
        bench_table_end(&table);
        run_warm();
    }
    lb_figure_destroy(human);
    return bench_end();
}
