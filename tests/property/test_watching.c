/* Watching changes nothing: with a callback that does nothing the answer, its bits and its counts are those without one.
 * The callback sees every start. */
#include <string.h>

#include "check.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"

static property properties[] = {{.name = "an arm that is watched moves alike"},
                                {.name = "what is watched is solved alike"},
                                {.name = "the callback sees every start"},
                                {.name = "the callback sees finite poses inside the limits"}};
enum { ARM, OTHER, SEES, INSIDE };

typedef struct watcher {
    const random_problem *p;
    int calls;
    unsigned starts; /* a bit for each that was seen */
    int all_inside;
} watcher;

/* Relative to the size of the variables. */
static int is_inside(const random_problem *p, const double *pose) {
    double most = 1;
    for (int i = 0; i < lb_problem_variable_count(p->problem); i++) {
        if (!(pose[i] - pose[i] == 0)) {
            return 0;
        }
        most = pose[i] > most ? pose[i] : -pose[i] > most ? -pose[i] : most;
    }
    for (int f = 0; f < p->figure_count; f++) {
        double off = lb_figure_violation(p->figures[f], pose + lb_problem_first_variable(p->problem, f));
        if (!(off <= 1e-9 * most)) {
            return 0;
        }
    }
    return 1;
}

static int watch(void *context, const lb_progress *progress) {
    watcher *w = context;
    w->calls++;
    if (progress->restart >= 0 && progress->restart < 32) {
        w->starts |= 1u << progress->restart;
    }
    w->all_inside &= is_inside(w->p, progress->pose) && progress->value - progress->value == 0;
    return 0;
}

static int count_bits(unsigned bits) {
    int count = 0;
    for (; bits; bits &= bits - 1) {
        count++;
    }
    return count;
}

static void run(long number, uint64_t seed) {
    static answer alone, watched;
    trap memory;
    random_problem p;
    lb_solve_options options;
    int is_arm = number % 2 == 0, which = is_arm ? 0 : (int)(number / 2 % SOLVING_METHODS);
    trap_init(&memory);
    random_problem_mix(&p, seed, &memory, RANDOM_ALL | (is_arm ? RANDOM_ARM | RANDOM_NO_WISHES : 0));
    const char *method = solving_method(which, &options);
    solving_options(&seed, which, &options);
    if (is_arm) {
        options.keep_going = 0;
    }
    int n = lb_problem_variable_count(p.problem);
    watcher w = {&p, 0, 0, 1};
    lb_solver *first = lb_solver_create(p.problem, NULL), *second = lb_solver_create(p.problem, NULL);
    answer_solve(first, &options, p.start, n, &alone);
    options.on_iteration = watch;
    options.on_iteration_context = &w;
    answer_solve(second, &options, p.start, n, &watched);
    const char *what = answer_differs(&alone, &watched);
    property_expect(&properties[is_arm ? ARM : OTHER], !what, "%s, %d restarts: %s differs, G %.17g and %.17g", method,
                    options.restarts, what, alone.result.value, watched.result.value);
    if (watched.status == LB_OK) {
        int starts = watched.result.restarts + 1;
        property_expect(&properties[SEES], count_bits(w.starts) >= starts,
                        "%s: %d starts, %d calls that saw %d of them; %d iterations, %s", method, starts, w.calls,
                        count_bits(w.starts), watched.result.iterations, lb_outcome_name(watched.result.outcome));
        property_expect(&properties[INSIDE], w.all_inside, "%s", method);
    }
    lb_solver_destroy(first);
    lb_solver_destroy(second);
    random_problem_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 3000, 30000, run, properties, 4); }
