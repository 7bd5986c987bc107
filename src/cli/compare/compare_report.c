/* The comparison of the methods, told: tables for a terminal, and a report with plots. */
#include "cli/compare/compare.h"
#include "cli/output.h"
#include "io/plot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Both tables and report are written as Markdown: that reads well on a terminal, too. */

static void print_cell(double value, int digits, char text[32]) {
    char number[32];
    if (!isfinite(value)) {
        strcpy(text, "-");
        return;
    }
    snprintf(number, sizeof number, "%.*g", digits, value);
    lbio_to_c_locale(number, text);
}

/* Distances are what people see: G is the sum of their squares. */
static double distance_of(const trial *t) { return sqrt(fmax(t->value, 0)); }

#define AFTER 9

/* What is left after so many iterations, as people who have a fixed number of them per frame want to know. */
static void put_left(const match *m, lbio_text *out) {
    static const int after[AFTER] = {1, 2, 5, 10, 20, 50, 100, 300, 1000};
    lbio_text_format(out, "\nLeft (cm) after, as it is then: a method may have been nearer before\n\n| %-19s |",
                     "iterations");
    for (int k = 0; k < AFTER; k++) {
        lbio_text_format(out, " %7d |", after[k]);
    }
    lbio_text_add(out, "\n| ------------------- |");
    for (int k = 0; k < AFTER; k++) {
        lbio_text_add(out, " ------: |");
    }
    lbio_text_add(out, "\n");
    for (int who = 0; who < CONTESTANTS; who++) {
        const trial *t = &m->trials[who];
        lbio_text_format(out, "| %-19s |", cli_contestants[who].name);
        for (int k = 0; k < AFTER; k++) {
            char cell[32] = "-";
            if (t->can && t->curve_count) {
                print_cell(sqrt(cli_compare_after(t, after[k])) / m->unit, 6, cell);
            }
            lbio_text_format(out, " %7s |", cell);
        }
        lbio_text_add(out, "\n");
    }
}

static void put_match(const match *m, lbio_text *out) {
    lbio_text_format(out, "\n### A goal %s\n\n%s.\n\n", m->name, m->what);
    lbio_text_format(out, "| %-19s | %-8s | %10s | %10s | %5s | %10s | %13s |\n", "method", "status",
                     m->is_unreachable ? "left (cm)" : "G", "iterations", "rises", "time", "per iteration");
    lbio_text_add(
        out, "| ------------------- | -------- | ---------: | ---------: | ----: | ---------: | ------------: |\n");
    for (int k = 0; k < CONTESTANTS; k++) {
        const trial *t = &m->trials[k];
        char left[32], time[32], each[32];
        if (!t->can) {
            lbio_text_format(out, "| %-19s | cannot   | %s |  |  |  |  |\n", cli_contestants[k].name, t->why);
            continue;
        }
        print_cell(m->is_unreachable ? distance_of(t) / m->unit : t->value, m->is_unreachable ? 9 : 3, left);
        cli_print_time(t->us, time);
        cli_print_time(t->us / fmax(t->iterations, 1), each);
        lbio_text_format(out, "| %-19s | %-8s | %10s | %10d | %5d | %10s | %13s |\n", cli_contestants[k].name,
                         lb_outcome_name(t->outcome), left, t->iterations, t->rises, time, each);
    }
    if (m->is_unreachable) {
        char best[32];
        print_cell(m->optimum / m->unit, 9, best);
        lbio_text_format(out,
                         "\nThe best there is: %s cm. EN07 had 5.85 for the Jacobian inverse, 3.37 for CCD and 2.53 "
                         "for BFGS.\n",
                         best);
        put_left(m, out);
    }
}

/* Which number of a cell. */
typedef enum growth_kind { PER_ITERATION, COUNT, TIME, DONE, LEFT } growth_kind;

static double cell_of(const growth *g, int who, int column, growth_kind kind) {
    switch (kind) {
    case PER_ITERATION:
        return g->cells[who][column].us_per_iteration;
    case COUNT:
        return g->cells[who][column].iterations;
    case TIME:
        return g->cells[who][column].us / 1000;
    case LEFT:
        return !g->cells[who][column].can           ? NAN
               : g->cells[who][column].left < 1e-10 ? 0
                                                    : g->cells[who][column].left * 100;
    default:
        return g->cells[who][column].can ? g->cells[who][column].done : NAN;
    }
}

static void put_growth(const growth *g, growth_kind kind, const char *title, lbio_text *out) {
    lbio_text_format(out, "\n### %s\n\n| %-19s |", title, "joints");
    for (int k = 0; k < g->count; k++) {
        lbio_text_format(out, " %8d |", g->joints[k]);
    }
    lbio_text_add(out, "\n| ------------------- |");
    for (int k = 0; k < g->count; k++) {
        lbio_text_add(out, " -------: |");
    }
    lbio_text_add(out, "\n");
    for (int who = 0; who < CONTESTANTS; who++) {
        lbio_text_format(out, "| %-19s |", cli_contestants[who].name);
        for (int k = 0; k < g->count; k++) {
            char cell[32];
            print_cell(cell_of(g, who, k, kind), 3, cell);
            lbio_text_format(out, " %8s |", cell);
        }
        lbio_text_add(out, "\n");
    }
}

static void put_picture(lbio_text *out, int has_pictures, const char *name, const char *alt) {
    if (has_pictures) {
        lbio_text_format(out, "\n![%s](%s.svg)\n", alt, name);
    }
}

/* EN07's tree: figures 8 to 10, in reach and out of it. */
static void put_tree(const comparison *c, int has_pictures, lbio_text *out) {
    const growth *in = &c->growths[GROWTH_TREE_IN], *far = &c->growths[GROWTH_TREE_OUT];
    char title[100];
    lbio_text_format(out,
                     "\n## EN07's tree, chains of 2 to 6 joints\n\nOne chain at a time; means over %d goals for each: "
                     "in reach, and 2 cm farther from the root than the chain is long,\nwhere a method is done when it "
                     "ends. The root's joint is shared, as the paper has it.\n",
                     in->goals);
    put_growth(in, PER_ITERATION, "In reach: time per iteration (microseconds)", out);
    put_growth(in, COUNT, "In reach: iterations until done", out);
    put_picture(out, has_pictures, "tree-iterations", "iterations against joints of the tree's chains, in reach");
    put_growth(in, TIME, "In reach: time until done (milliseconds)", out);
    snprintf(title, sizeof title, "In reach: solved, of %d", in->goals);
    put_growth(in, DONE, title, out);
    put_growth(far, COUNT, "Out of reach: iterations until it ends", out);
    put_picture(out, has_pictures, "tree-far-iterations",
                "iterations against joints of the tree's chains, out of reach");
    put_growth(far, TIME, "Out of reach: time until it ends (milliseconds)", out);
    put_growth(far, LEFT, "Out of reach: left above the best there is (cm)", out);
    snprintf(title, sizeof title, "Out of reach: within 0.1 mm of the best, of %d", far->goals);
    put_growth(far, DONE, title, out);
}

static void put_chains(const growth *g, int has_pictures, lbio_text *out) {
    char title[100];
    lbio_text_format(out,
                     "\n## Longer and longer chains\n\nChains of pins in two directions by turns, each link 10 cm; "
                     "means over %d goals "
                     "in reach. Where a method\nsolved none, there is a dash.\n",
                     g->goals);
    put_growth(g, PER_ITERATION, "Time per iteration (microseconds)", out);
    put_picture(out, has_pictures, "time-per-iteration", "time per iteration against joints");
    put_growth(g, COUNT, "Iterations until solved", out);
    put_picture(out, has_pictures, "iterations", "iterations against joints");
    put_growth(g, TIME, "Time until solved (milliseconds)", out);
    put_picture(out, has_pictures, "time", "time against joints");
    snprintf(title, sizeof title, "Solved, of %d", g->goals);
    put_growth(g, DONE, title, out);
}

static void put_report(const comparison *c, int has_pictures, lbio_text *out) {
    lbio_text_format(
        out,
        "# The methods compared\n\nEvery method on the same problems, after M. Engell-Norregard's \"Inverse "
        "Kinematics: The "
        "state of the art\" (2007).\nEach starts at the same pose, with at most %d iterations; a goal is met within "
        "0.1 "
        "mm. Rises are iterations that left G\nhigher than before: what is returned is the best pose all the same.\n\n"
        "## Objective per iteration, and distance to a goal out of reach\n",
        ITERATIONS);
    for (int k = 0; k < MATCHES; k++) {
        put_match(&c->matches[k], out);
        put_picture(out, has_pictures, c->matches[k].file, c->matches[k].name);
    }
    put_tree(c, has_pictures, out);
    put_chains(&c->growths[GROWTH_CHAINS], has_pictures, out);
    cli_compare_conclude(c, out);
    lbio_text_format(
        out,
        "\nMeasured in %.1f s with limber %s. Iterations are not the same thing everywhere: one of ccd and fabrik is a "
        "sweep\nover all joints.\n",
        c->seconds, lb_version());
}

void cli_compare_print(const comparison *c) {
    lbio_text out = {0};
    put_report(c, 0, &out);
    fputs(out.data ? out.data : "", stdout);
    lbio_text_free(&out);
}

/* --- Plots ------------------------------------------------------------------------------------------------- */

static int write_plot(const lbio_plot *plot, const char *folder, const char *name) {
    static const char *const endings[] = {"svg", "png"};
    lb_error error = {0};
    for (int k = 0; k < 2; k++) {
        char path[4200];
        snprintf(path, sizeof path, "%.4000s/%s.%s", folder, name, endings[k]);
        if (lbio_plot_write(plot, path, &error)) {
            return cli_report(CLI_CANNOT_WRITE, &error);
        }
    }
    return CLI_OK;
}

static int plot_match(const match *m, const char *folder, const char *name) {
    lbio_series series[CONTESTANTS];
    double *all = malloc(CONTESTANTS * CURVE_MOST * sizeof *all);
    char title[100];
    int count = 0;
    if (!all) {
        return cli_fail(CLI_BAD_INPUT, "no memory for the plots");
    }
    for (int k = 0; k < CONTESTANTS; k++) {
        const trial *t = &m->trials[k];
        double *y = all + k * CURVE_MOST;
        /* What is left: of a goal out of reach, what is left above the best there is. */
        for (int i = 0; i < t->curve_count; i++) {
            y[i] = fmax(sqrt(t->y[i]) - fmax(m->optimum, 0), 1e-9) / m->unit;
        }
        if (t->can) {
            series[count++] =
                (lbio_series){cli_contestants[k].name, t->x, y, t->curve_count, cli_contestants[k].is_dashed};
        }
    }
    snprintf(title, sizeof title, "Objective per iteration: a goal %s", m->name);
    lbio_plot plot = {.title = title,
                      .x_label = "iteration",
                      .y_label = m->is_unreachable ? "distance above the least possible (cm)" : "root of G (cm)",
                      .is_log_y = 1,
                      .is_log_x = 0,
                      .series = series,
                      .series_count = count};
    /* A method that needs hundreds must not press the others into the corner. */
    for (int k = 0; k < count; k++) {
        series[k].count = series[k].count > 101 ? 101 : series[k].count;
    }
    int code = write_plot(&plot, folder, name);
    free(all);
    return code;
}

static int plot_growth(const growth *g, growth_kind kind, const char *title, const char *label, const char *folder,
                       const char *name) {
    lbio_series series[CONTESTANTS];
    double x[SIZES_MOST], y[CONTESTANTS][SIZES_MOST];
    for (int k = 0; k < g->count; k++) {
        x[k] = g->joints[k];
    }
    for (int who = 0; who < CONTESTANTS; who++) {
        for (int k = 0; k < g->count; k++) {
            y[who][k] = cell_of(g, who, k, kind);
        }
        series[who] = (lbio_series){cli_contestants[who].name, x, y[who], g->count, cli_contestants[who].is_dashed};
    }
    lbio_plot plot = {.title = title,
                      .x_label = "joints",
                      .y_label = label,
                      .is_log_x = 1,
                      .is_log_y = 1,
                      .series = series,
                      .series_count = CONTESTANTS};
    return write_plot(&plot, folder, name);
}

/* All plots; the first that cannot be written ends it. */
static int write_plots(const comparison *c, const char *folder) {
    const struct {
        int set;
        growth_kind kind;
        const char *title, *label, *name;
    } plots[] = {
        {GROWTH_TREE_IN, COUNT, "Iterations, chains of EN07's tree, in reach", "iterations", "tree-iterations"},
        {GROWTH_TREE_OUT, COUNT, "Iterations, chains of EN07's tree, out of reach", "iterations",
         "tree-far-iterations"},
        {GROWTH_CHAINS, PER_ITERATION, "Time per iteration against joints", "microseconds", "time-per-iteration"},
        {GROWTH_CHAINS, COUNT, "Iterations against the length of the chain", "iterations", "iterations"},
        {GROWTH_CHAINS, TIME, "Time until solved", "milliseconds", "time"},
    };
    int code = CLI_OK;
    for (int k = 0; k < MATCHES && !code; k++) {
        code = plot_match(&c->matches[k], folder, c->matches[k].file);
    }
    for (size_t k = 0; k < sizeof plots / sizeof plots[0] && !code; k++) {
        code = plot_growth(&c->growths[plots[k].set], plots[k].kind, plots[k].title, plots[k].label, folder,
                           plots[k].name);
    }
    return code;
}

int cli_compare_make_folder(const char *folder) {
    struct stat info;
    if (stat(folder, &info) != 0 && mkdir(folder, 0777) != 0) {
        return cli_fail(CLI_CANNOT_WRITE, "the folder `%s` cannot be made", folder);
    }
    return CLI_OK;
}

int cli_compare_write(const comparison *c, const char *folder) {
    lbio_text out = {0};
    char path[4200];
    int code = write_plots(c, folder);
    code = code ? code : cli_compare_write_csv(c, folder);
    put_report(c, 1, &out);
    snprintf(path, sizeof path, "%.4000s/report.md", folder);
    if (code) {
        lbio_text_free(&out);
        return code;
    }
    code = cli_write_text(path, &out, "the report");
    if (!code) {
        printf("\nThe report is in %s, its plots and CSV files beside it.\n", path);
    }
    return code;
}
