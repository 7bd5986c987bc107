/* The numbers of the comparison as CSV, for whoever wants to plot or check them. */
#include "cli/compare/compare.h"
#include "cli/output.h"
#include <math.h>
#include <stdio.h>

/* A number in the C locale; nothing where there is none. */
static void put_number(lbio_text *out, double value) {
    lbio_text_add(out, ",");
    if (isfinite(value)) {
        lbio_text_number(out, value);
    }
}

static void put_summary(const comparison *c, lbio_text *out) {
    lbio_text_add(out, "problem,method,status,value,distance_m,best_m,iterations,rises,time_us\n");
    for (int k = 0; k < MATCHES; k++) {
        const match *m = &c->matches[k];
        for (int who = 0; who < CONTESTANTS; who++) {
            const trial *t = &m->trials[who];
            lbio_text_format(out, "%s,\"%s\",%s", m->file, cli_contestants[who].name,
                             t->can ? lb_outcome_name(t->outcome) : "cannot");
            put_number(out, t->can ? t->value : NAN);
            put_number(out, t->can ? sqrt(fmax(t->value, 0)) : NAN);
            put_number(out, m->optimum);
            put_number(out, t->can ? t->iterations : NAN);
            put_number(out, t->can ? t->rises : NAN);
            put_number(out, t->can ? t->us : NAN);
            lbio_text_add(out, "\n");
        }
    }
}

static void put_curves(const comparison *c, lbio_text *out) {
    lbio_text_add(out, "problem,method,iteration,value\n");
    for (int k = 0; k < MATCHES; k++) {
        for (int who = 0; who < CONTESTANTS; who++) {
            const trial *t = &c->matches[k].trials[who];
            for (int i = 0; i < t->curve_count; i++) {
                lbio_text_format(out, "%s,\"%s\",%d", c->matches[k].file, cli_contestants[who].name, (int)t->x[i]);
                put_number(out, t->y[i]);
                lbio_text_add(out, "\n");
            }
        }
    }
}

static void put_growths(const comparison *c, lbio_text *out) {
    lbio_text_add(out, "chains,joints,method,goals,done,iterations,time_us,time_per_iteration_us,left_m\n");
    for (int s = 0; s < GROWTHS; s++) {
        const growth *g = &c->growths[s];
        for (int k = 0; k < g->count; k++) {
            for (int who = 0; who < CONTESTANTS; who++) {
                lbio_text_format(out, "\"%s\",%d,\"%s\",%d,%d", g->name, g->joints[k], cli_contestants[who].name,
                                 g->cells[who][k].can, g->cells[who][k].done);
                put_number(out, g->cells[who][k].iterations);
                put_number(out, g->cells[who][k].us);
                put_number(out, g->cells[who][k].us_per_iteration);
                put_number(out, g->cells[who][k].left);
                lbio_text_add(out, "\n");
            }
        }
    }
}

int cli_compare_write_csv(const comparison *c, const char *folder) {
    static const struct {
        const char *name;
        void (*put)(const comparison *, lbio_text *);
    } files[] = {{"summary.csv", put_summary}, {"curves.csv", put_curves}, {"growth.csv", put_growths}};
    int code = CLI_OK;
    for (size_t k = 0; k < sizeof files / sizeof files[0] && !code; k++) {
        lbio_text out = {0};
        char path[4200];
        files[k].put(c, &out);
        snprintf(path, sizeof path, "%.4000s/%s", folder, files[k].name);
        code = cli_write_text(path, &out, "the numbers");
    }
    return code;
}
