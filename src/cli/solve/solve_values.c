/* The values that a solve found: a table for people, CSV for programs. */
#include "cli/cli.h"
#include <limber/solve.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEW 20            /* so many variables are all shown; of more, only those that moved */
#define STAYED_RAD 1.7e-4 /* less than 0.01 degrees, */
#define STAYED_M 1e-5     /* or than 0.01 mm, is not worth a line */
#define NAME_MOST 44      /* columns that a name may take */
#define DEGREES (180 / 3.14159265358979323846)

/* One line of it. */
typedef struct row {
    const lb_variable *variable;
    char name[300]; /* with its figure's, where there are several */
    double value, start;
    double margin;    /* to the nearer limit; INFINITY: there is none */
    int is_upper;     /* which one that is */
    int is_at_limit;  /* and whether the value is there */
    const char *over; /* the nearer limit is one over several variables, of this name; NULL: the end of the range */
    const char *only; /* nothing but limits over several variables holds it, the first of this name; else NULL */
} row;

static const char *row_name(const lb_figure *f, int number) {
    const lb_limit_row *limit = lb_figure_row(f, number);
    return !limit ? NULL : limit->name ? limit->name : "a limit";
}

static void make_row(const lb_problem_file *file, const lb_problem *problem, const double *pose, int index, row *r) {
    int figure = lb_problem_figure_count(problem) - 1;
    while (lb_problem_first_variable(problem, figure) > index) {
        figure--;
    }
    const lb_figure *f = lb_problem_figure(problem, figure);
    const int first = lb_problem_first_variable(problem, figure);
    lb_room room;
    r->variable = lb_figure_variable(f, index - first);
    lb_figure_room(f, pose + first, index - first, &room);
    snprintf(r->name, sizeof r->name, "%.120s%s%.160s",
             lb_problem_figure_count(problem) > 1 ? lb_problem_file_figure_name(file, figure) : "",
             lb_problem_figure_count(problem) > 1 ? ":" : "", r->variable->name);
    r->value = pose[index];
    r->start = lb_problem_file_start(file)[index];
    double below = r->value - room.lower, above = room.upper - r->value;
    r->is_upper = above < below;
    r->margin = fmax(0, fmin(above, below));
    r->is_at_limit = r->margin < LBIO_AT_LIMIT;
    r->over = row_name(f, r->is_upper ? room.upper_row : room.lower_row);
    r->only = isfinite(r->variable->lower) || isfinite(r->variable->upper)
                  ? NULL
                  : row_name(f, room.lower_row >= 0 ? room.lower_row : room.upper_row);
}

static int is_moved(const row *r) {
    return fabs(r->value - r->start) > (r->variable->is_angle ? STAYED_RAD : STAYED_M);
}

static const char *limit_of(const row *r) {
    return !r->is_at_limit                            ? ""
           : r->variable->lower == r->variable->upper ? "fixed"
           : r->over                                  ? "row"
           : r->is_upper                              ? "upper"
                                                      : "lower";
}

/* With so many decimals that columns of them can be compared at a glance: 0.01 degrees, 0.1 mm. */
static void print_fixed(double value, int is_angle, char text[32]) {
    char printed[64];
    double shown = is_angle ? value * DEGREES : value;
    if (!isfinite(shown)) {
        strcpy(text, "-");
        return;
    }
    shown = fabs(shown) < (is_angle ? 0.005 : 0.00005) ? 0 : shown; /* no -0.00 */
    if (fabs(shown) >= 1e7) {
        snprintf(printed, sizeof printed, "%.6g", shown);
    } else {
        snprintf(printed, sizeof printed, is_angle ? "%.2f" : "%.4f", shown);
    }
    printed[24] = 0;
    lbio_to_c_locale(printed, text);
    strcat(text, is_angle ? " deg" : " m  ");
}

static void print_row(const row *r, int width) {
    char name[300], value[32], margin[32], range[96], over[96] = "";
    cli_clean(r->name, name, sizeof name);
    print_fixed(r->value, r->variable->is_angle, value);
    print_fixed(r->margin, r->variable->is_angle, margin);
    if (r->only) {
        cli_clean(r->only, range, sizeof range);
    } else {
        cli_range_text(r->variable->lower, r->variable->upper, r->variable->is_angle, range, sizeof range);
    }
    printf("  ");
    cli_print_padded(name, width);
    printf(" %13s   %-24s %13s", value, range, margin);
    const char *limit = limit_of(r);
    if (*limit == 'r') {
        cli_clean(r->over, over, sizeof over);
        printf("  AT THE LIMIT %s\n", over);
    } else {
        printf(*limit == 'f' ? "  fixed\n" : *limit ? "  AT ITS %s LIMIT\n" : "\n", *limit == 'u' ? "UPPER" : "LOWER");
    }
}

/* How many of them are shown, and how wide their names are. */
static int measure(const lb_problem_file *file, const lb_problem *problem, const double *pose, int shows_all,
                   int *width) {
    int variables = lb_problem_variable_count(problem), shown = 0;
    for (int k = 0; k < variables; k++) {
        row r;
        make_row(file, problem, pose, k, &r);
        if (shows_all || is_moved(&r)) {
            char name[300];
            cli_clean(r.name, name, sizeof name);
            int wanted = cli_width_of(name);
            *width = wanted > *width && wanted <= NAME_MOST ? wanted : *width;
            shown++;
        }
    }
    return shown;
}

void cli_solve_values(const lb_problem_file *file, const lb_problem *problem, const double *pose, int shows_all) {
    int variables = lb_problem_variable_count(problem), width = 8;
    shows_all |= variables <= FEW;
    int shown = measure(file, problem, pose, shows_all, &width);
    if (shown) {
        printf("\n  ");
        cli_print_padded("variable", width);
        printf(" %9s       %-24s %9s\n", "value", "range", "margin");
    }
    for (int k = 0; k < variables; k++) {
        row r;
        make_row(file, problem, pose, k, &r);
        if (shows_all || is_moved(&r)) {
            print_row(&r, width);
        }
    }
    if (shown < variables) {
        printf("%s  %d of %d variables stayed where they were; --all lists them too\n", shown ? "" : "\n",
               variables - shown, variables);
    }
}

/* --- CSV ----------------------------------------------------------------------------------------------- */

void cli_csv_name(lbio_text *csv, const char *name) {
    if (!strpbrk(name, ",\"\n\r")) {
        lbio_text_add(csv, name);
        return;
    }
    lbio_text_add(csv, "\"");
    for (; *name; name++) {
        char piece[3] = {*name, *name == '"' ? '"' : 0, 0};
        lbio_text_add(csv, piece);
    }
    lbio_text_add(csv, "\"");
}

/* A number, or nothing where there is none. */
static void csv_number(lbio_text *csv, double value) {
    lbio_text_add(csv, ",");
    if (isfinite(value)) {
        lbio_text_number(csv, value);
    }
}

void cli_solve_csv(const lb_problem_file *file, const lb_problem *problem, int count, const double *poses,
                   lbio_text *csv) {
    int variables = lb_problem_variable_count(problem), is_numbered = count >= 0;
    lbio_text_add(csv, is_numbered ? "answer,name,value,unit,lower,upper,margin,limit\n"
                                   : "name,value,unit,lower,upper,margin,limit\n");
    for (int a = 0; a < (is_numbered ? count : 1); a++) {
        for (int k = 0; k < variables; k++) {
            row r;
            make_row(file, problem, poses + (size_t)a * (size_t)variables, k, &r);
            if (is_numbered) {
                lbio_text_format(csv, "%d,", a + 1);
            }
            cli_csv_name(csv, r.name);
            csv_number(csv, r.value);
            lbio_text_add(csv, r.variable->is_angle ? ",rad" : ",m");
            csv_number(csv, r.variable->lower);
            csv_number(csv, r.variable->upper);
            csv_number(csv, r.margin);
            lbio_text_format(csv, ",%s\n", limit_of(&r));
        }
    }
}
