/* How the cost grows: chains of 10 to 10,000 joints with one end-effector, and trees of 10 to 1,000 end-effectors.
 *
 * Every figure is 2 m long from root to tip, its joints turn about two directions in turn and are limited, and its goals
 * are what a smoothly bent pose inside the limits does. Sizes take turns; the time of an instance is the least CPU time
 * of its rounds, and the time per iteration that of a whole solve over its iterations, with all that comes around them. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZES 8
#define TWO_PI 6.283185307179586

typedef struct growth_case {
    int size, variables, instances;
    lb_figure *figure;
    lb_kinematics *kinematics;
    lb_problem *problem;
    lb_solver *solver;
    double *start, *pose, *bent; /* bent: [instances][variables], what is to be found */
    double *us, *iterations;     /* [instances] */
    int ran, right;              /* of them */
} growth_case;

static int must(int index) {
    if (index < 0) {
        bench_stop("a figure could not be built");
    }
    return index;
}

/* A segment with a joint to site `parent` that turns about `axis` (0: x, 1: y); returns its tip's site. */
static int add_link(lb_builder *builder, int parent, double length, int axis, double limit) {
    char name[32];
    lb_segment segment;
    lb_site base, tip;
    lb_joint joint;
    snprintf(name, sizeof name, "link%d", lb_builder_segment_count(builder));
    lb_segment_defaults(&segment);
    segment.name = name;
    int index = must(lb_builder_add_segment(builder, &segment));
    lb_site_defaults(&base);
    base.segment = index;
    base.name = "base";
    lb_site_defaults(&tip);
    tip.segment = index;
    tip.name = "tip";
    tip.frame.position[2] = length;
    int site = must(lb_builder_add_site(builder, &base));
    if (parent >= 0) {
        lb_joint_defaults(&joint);
        joint.name = name;
        joint.site_a = parent;
        joint.site_b = site;
        joint.type.element_count = 1;
        joint.type.elements[0] = (lb_element){LB_ELEMENT_ROTATE, {axis == 0, axis == 1, 0}};
        joint.lower[0] = -limit;
        joint.upper[0] = limit;
        must(lb_builder_add_joint(builder, &joint));
    }
    return must(lb_builder_add_site(builder, &tip));
}

static lb_figure *finish(lb_builder *builder) {
    lb_figure *figure = NULL;
    if (lb_builder_finish(builder, &figure)) {
        bench_stop("%s", lb_builder_error(builder)->message);
    }
    lb_builder_destroy(builder);
    return figure;
}

static void add_goal(growth_case *c, int site, lb_goal_kind kind) {
    lb_constraint constraint;
    lb_constraint_defaults(&constraint);
    lb_effector_from_site(c->figure, site, &constraint.effector);
    constraint.goal.kind = kind;
    must(lb_problem_add(c->problem, &constraint));
}

static void make_chain(growth_case *c) {
    lb_builder *builder = lb_builder_create(NULL, NULL);
    if (!builder) {
        bench_stop("no memory");
    }
    int tip = add_link(builder, -1, 0, 0, 0);
    for (int i = 0; i < c->size; i++) {
        tip = add_link(builder, tip, 2.0 / c->size, i % 2, 12.0 / c->size);
    }
    c->figure = finish(builder);
    c->problem = lb_problem_create(c->figure, NULL);
    add_goal(c, tip, LB_GOAL_FRAME);
}

/* Each tip forks in two, breadth first, until there are enough; each branch turns about both directions. */
static void make_tree(growth_case *c) {
    lb_builder *builder = lb_builder_create(NULL, NULL);
    int *tips = bench_alloc(2 * (size_t)c->size, sizeof *tips), first = 0, last = 1;
    if (!builder) {
        bench_stop("no memory");
    }
    tips[0] = add_link(builder, -1, 0, 0, 0);
    double length = 2 / ceil(log2(c->size));
    while (last - first < c->size) {
        for (int side = 0; side < 2; side++) {
            int middle = add_link(builder, tips[first], length / 2, 0, 1);
            tips[last++] = add_link(builder, middle, length / 2, 1, 1);
        }
        first++;
    }
    c->figure = finish(builder);
    c->problem = lb_problem_create(c->figure, NULL);
    for (int i = first; i < last; i++) {
        add_goal(c, tips[i], LB_GOAL_POSITION);
    }
    free(tips);
}

/* Chains: waves along it, the same shape at every length. Trees: a little of everything. */
static void bend(const growth_case *c, int is_tree, uint64_t seed, double *pose) {
    double amplitude[2][4], phase[2][4];
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 4; b++) {
            amplitude[a][b] = bench_uniform(&seed, -4, 4) / (b + 1);
            phase[a][b] = bench_uniform(&seed, 0, TWO_PI);
        }
    }
    for (int i = 0; i < c->variables; i++) {
        double sum = 0, limit = lb_figure_variable(c->figure, i)->upper;
        for (int b = 0; b < 4; b++) {
            sum += amplitude[i % 2][b] * sin(TWO_PI * 0.7 * b * i / c->size + phase[i % 2][b]);
        }
        pose[i] = is_tree ? bench_uniform(&seed, -0.4, 0.4) : fmax(-limit, fmin(sum / c->size, limit));
    }
}

static void aim(growth_case *c, int instance) {
    lb_kinematics_update(c->kinematics, c->bent + (size_t)instance * (size_t)c->variables);
    for (int i = 0; i < lb_problem_constraint_count(c->problem); i++) {
        const lb_constraint *constraint = lb_problem_constraint(c->problem, i);
        double e[9], m[9];
        lb_frame frame;
        lb_kinematics_effector(c->kinematics, &constraint->effector, e);
        for (int k = 0; k < 3; k++) {
            frame.position[k] = e[k];
            m[3 * k] = e[3 + k];
            m[3 * k + 1] = e[6 + k];
            m[3 * k + 2] = e[3 + (k + 1) % 3] * e[6 + (k + 2) % 3] - e[3 + (k + 2) % 3] * e[6 + (k + 1) % 3];
        }
        lb_rotation_from_matrix(m, frame.rotation);
        lb_problem_move_goal(c->problem, lb_problem_constraint_id(c->problem, i), &frame);
    }
}

static void open_case(growth_case *c, int is_tree, int size, int instances) {
    c->size = size;
    c->instances = instances;
    if (is_tree) {
        make_tree(c);
    } else {
        make_chain(c);
    }
    c->variables = lb_figure_variable_count(c->figure);
    size_t n = (size_t)c->variables;
    c->kinematics = lb_kinematics_create(c->figure, NULL);
    c->solver = lb_solver_create(c->problem, NULL);
    if (!c->kinematics || !c->solver) {
        bench_stop("no memory");
    }
    c->start = bench_alloc(2 * n, sizeof(double));
    c->pose = c->start + n;
    c->bent = bench_alloc(n * (size_t)instances, sizeof(double));
    c->us = bench_alloc(2 * (size_t)instances, sizeof(double));
    c->iterations = c->us + instances;
    for (int i = 0; i < c->variables; i++) {
        c->start[i] = is_tree ? 0 : (i % 2 ? 0.3 : 0.5) / size;
    }
    for (int i = 0; i < instances; i++) {
        bend(c, is_tree, (uint64_t)i + 1, c->bent + (size_t)i * n);
        c->us[i] = INFINITY;
    }
}

static void close_case(growth_case *c) {
    lb_solver_destroy(c->solver);
    lb_problem_destroy(c->problem);
    lb_kinematics_destroy(c->kinematics);
    lb_figure_destroy(c->figure);
    free(c->start);
    free(c->bent);
    free(c->us);
}

static void run_instance(growth_case *c, int instance, int is_first, double deadline_us) {
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    lb_solve_options_defaults(&options);
    options.deadline_us = deadline_us;
    options.now_us = bench_clock;
    aim(c, instance);
    memcpy(c->pose, c->start, (size_t)c->variables * sizeof(double));
    double begin = bench_cpu_us();
    if (lb_solver_solve(c->solver, &options, c->pose, &result)) {
        bench_stop("a chain or tree could not be solved");
    }
    c->us[instance] = fmin(c->us[instance], bench_cpu_us() - begin);
    c->iterations[instance] = result.iterations;
    if (is_first) {
        c->right += result.outcome == LB_OUTCOME_SOLVED && lb_figure_violation(c->figure, c->pose) == 0;
    }
}

/* All instances of a size, or as many as can be begun in some seconds. */
static void run_size(growth_case *c, int is_first) {
    double seconds = bench.is_quick ? 2e6 : 20e6, begin = bench_now_us();
    int count = is_first ? c->instances : c->ran;
    for (int i = 0; i < count && bench_now_us() - begin < seconds; i++) {
        run_instance(c, i, is_first, seconds);
        c->ran = i + 1 > c->ran ? i + 1 : c->ran;
    }
}

/* Runs all sizes and returns the median time per iteration of the first and the last in *ends. */
static void run(const char *kind, int is_tree, int size_count, const int *sizes, bench_table *table, double ends[2]) {
    growth_case cases[MAX_SIZES];
    int first = table->rows, instances = bench_count(is_tree ? 5 : 20, is_tree ? 2 : 5);
    memset(cases, 0, sizeof cases);
    for (int s = 0; s < size_count; s++) {
        open_case(&cases[s], is_tree, sizes[s], instances);
    }
    for (int round = 0; round < (bench.is_quick ? 3 : 7); round++) {
        for (int s = 0; s < size_count; s++) {
            if (round == 0 || bench_statistics(cases[s].ran, cases[s].us).max < 1e5) {
                run_size(&cases[s], round == 0);
            }
        }
    }
    for (int s = 0; s < MAX_SIZES && cases[s].figure; s++) {
        growth_case *c = &cases[s];
        bench_stats us = bench_statistics(c->ran, c->us), iterations = bench_statistics(c->ran, c->iterations);
        for (int i = 0; i < c->ran; i++) {
            c->us[i] /= fmax(c->iterations[i], 1);
        }
        double each = bench_statistics(c->ran, c->us).p50;
        bench_table_row(table, "%s|%d|%d|%d|%.1f|%.0f|%.0f|%.1f|%.3f|%.2f", kind, c->size, c->variables, c->ran,
                        100.0 * c->right / c->ran, iterations.p50, iterations.max, us.p50, each,
                        1e3 * each / c->variables);
        if (s == 0) {
            ends[0] = each;
        }
        ends[1] = each;
        close_case(c);
    }
    bench_table_print(table, first);
    printf("\n");
}

int main(int argc, char **argv) {
    static const int chains[] = {10, 32, 100, 320, 1000, 3200, 10000}, trees[] = {10, 32, 100, 320, 1000};
    double ends[2] = {NAN, NAN}, tree_ends[2];
    bench_table table;
    bench_begin("growth", argc, argv);
    bench_table_begin(
        &table, "growth",
        "kind|size|dofs|instances|solved %|iterations|most|median us|us an iteration|ns a dof and iteration");
    if (bench_is_wanted("chains")) {
        run("chain", 0, 7, chains, &table, ends);
    }
    if (bench_is_wanted("trees")) {
        run("tree", 1, bench.is_quick ? 3 : 5, trees, &table, tree_ends);
    }
    bench_bar("an iteration of 10,000 joints over one of 10", ends[1] / ends[0], 0, 1300, "x");
    bench_table_end(&table);
    return bench_end();
}
