#include "body_ablation.h"

#include <limber/body.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "judge.h"
#include "points.h"

/* --- What is switched off -------------------------------------------------------------------------------------------- */

static void leave(lb_body_options *o) { (void)o; }
static void no_posture(lb_body_options *o) { o->posture = 0; }
static void no_comfort(lb_body_options *o) { o->comfort = 0; }
static void no_effort(lb_body_options *o) { o->effort = 0; }
static void no_hang(lb_body_options *o) { o->hang = 0; }
static void no_head(lb_body_options *o) { o->head = 0; }
static void no_look(lb_body_options *o) { o->look = 0; }
static void no_feet(lb_body_options *o) { o->feet = 0; }
static void no_habit(lb_body_options *o) { o->habit = 0; }
static void no_balance(lb_body_options *o) { o->balance = 0; }
static void no_floor(lb_body_options *o) { o->above_floor = 0; }
static void no_apart(lb_body_options *o) { o->apart = 0; }
static void no_eyes(lb_body_options *o) { o->eyes = 0; }

static const struct variant {
    const char *name;
    void (*change)(lb_body_options *options);
    int most_starts; /* named starts that the figure keeps */
} variants[] = {
    {"all terms", leave, LB_BODY_PARTS},
    {"without posture", no_posture, LB_BODY_PARTS},
    {"without comfort", no_comfort, LB_BODY_PARTS},
    {"without effort", no_effort, LB_BODY_PARTS},
    {"without hang", no_hang, LB_BODY_PARTS},
    {"without head", no_head, LB_BODY_PARTS},
    {"without look", no_look, LB_BODY_PARTS},
    {"without feet", no_feet, LB_BODY_PARTS},
    {"without habit", no_habit, LB_BODY_PARTS},
    {"without balance", no_balance, LB_BODY_PARTS},
    {"without above_floor", no_floor, LB_BODY_PARTS},
    {"without apart", no_apart, LB_BODY_PARTS},
    {"without eyes", no_eyes, LB_BODY_PARTS},
    {"with the first start alone", leave, 1},
    {"without named starts", leave, 0},
};

/* The human with so many of its named starts. */
static lb_figure *figure_with(int most_starts) {
    lb_figure *figure = load_human(0);
    lb_body body = *lb_figure_body(figure);
    lb_error error;
    body.start_count = body.start_count < most_starts ? body.start_count : most_starts;
    if (lb_figure_set_body(figure, &body, &error)) {
        bench_stop("%s", error.message);
    }
    return figure;
}

/* --- What it does ----------------------------------------------------------------------------------------------------- */

/* Sums over the tasks. */
typedef struct sums {
    int tasks, clean, unmet, falls, floor, self, lows, idles, reaches;
    double idle, most_idle, knee, us;
    double spines[64];
} sums;

static int counts(unsigned flaws, flaw f) { return (flaws & 1u << f) != 0; }

static void add_answer(const task *t, const measures *m, sums *s) {
    s->tasks++;
    s->clean += m->flaws == 0;
    s->unmet += counts(m->flaws, FLAW_GOAL);
    s->falls += counts(m->flaws, FLAW_FALL);
    s->floor += counts(m->flaws, FLAW_FLOOR);
    s->self += counts(m->flaws, FLAW_SELF);
    if (t->is_reach && s->reaches < 64) {
        s->spines[s->reaches++] = m->spine;
    }
    if (!t->is_seated && m->idle > 0) {
        s->idles++;
        s->idle += m->idle;
        s->most_idle = fmax(s->most_idle, m->idle);
    }
    if (t->is_low) {
        s->lows++;
        s->knee += m->knee;
    }
}

static void answer_task(person *p, const task *t, void (*change)(lb_body_options *), sums *s) {
    lb_problem *problem = task_problem(t, p->figure);
    lb_body_options options = *lb_problem_body(problem, 0);
    lb_result result;
    double pose[PERSON_VARIABLES];
    measures m;
    change(&options);
    if (lb_problem_set_body(problem, 0, &options)) {
        bench_stop("%s", lb_problem_error(problem)->message);
    }
    lb_solver *solver = lb_solver_create(problem, NULL);
    lb_result_defaults(&result);
    memcpy(pose, p->rest, sizeof pose);
    const double begin = bench_cpu_us();
    if (!solver || lb_solver_solve(solver, NULL, pose, &result)) {
        bench_stop("%s could not be solved: %s", t->name, result.explanation);
    }
    s->us += bench_cpu_us() - begin;
    judge(p, t, pose, &m);
    add_answer(t, &m, s);
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
}

void bench_ablate(void) {
    bench_table table;
    bench_table_begin(&table, "body-ablation",
                      "variant|clean|unmet|spine deg|idle deg (most)|falls/floor/self|knee deg|mean ms");
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        if (!bench_is_wanted(variants[k].name)) {
            continue;
        }
        lb_figure *figure = figure_with(variants[k].most_starts);
        person p;
        sums s = {0};
        person_make(figure, &p);
        for (int i = 0; i < task_count && !(bench.count > 0 && i >= bench.count); i++) {
            task t;
            lb_problem_file_destroy(task_load(i, &t));
            answer_task(&p, &t, variants[k].change, &s);
        }
        bench_table_row(&table, "%s|%d|%d|%.1f|%.0f (%.0f)|%d/%d/%d|%.0f|%.1f", variants[k].name, s.clean, s.unmet,
                        bench_statistics(s.reaches, s.spines).p50, s.idles ? s.idle / s.idles : 0, s.most_idle, s.falls,
                        s.floor, s.self, s.lows ? s.knee / s.lows : 0, 1e-3 * s.us / s.tasks);
        person_free(&p);
        lb_figure_destroy(figure);
    }
    bench_table_print(&table, 0);
    bench_table_end(&table);
}
