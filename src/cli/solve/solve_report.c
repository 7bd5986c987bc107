/* What a solve found, in words for a person. */
#include "cli/cli.h"
#include <limber/solve.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COLUMNS 4      /* answers side by side */
#define LISTED_MOST 16 /* of them in all: what an arm of six joints may have */
#define ROWS_MOST 60
#define REASONS_MOST 8
#define LIMITS_MOST 12

double cli_now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static void print_scaled(double value, const char *unit, char text[32]) {
    char number[32];
    snprintf(number, sizeof number, "%.3g", value);
    lbio_to_c_locale(number, text);
    snprintf(text + strlen(text), 32 - strlen(text), " %s", unit);
}

void cli_print_distance(double metres, char text[32]) {
    double size = fabs(metres);
    if (size >= 1) {
        print_scaled(metres, "m", text);
    } else if (size >= 0.01) {
        print_scaled(100 * metres, "cm", text);
    } else if (size >= 1e-5) {
        print_scaled(1000 * metres, "mm", text);
    } else {
        snprintf(text, 32, "0 mm");
    }
}

void cli_print_angle(double radians, char text[32]) {
    double degrees = radians * 180 / 3.14159265358979323846;
    print_scaled(fabs(degrees) < 0.001 ? 0 : degrees, "deg", text);
}

void cli_print_time(double us, char text[32]) {
    if (us >= 1e6) {
        print_scaled(us / 1e6, "s", text);
    } else if (us >= 1e3) {
        print_scaled(us / 1e3, "ms", text);
    } else {
        print_scaled(us, "us", text);
    }
}

/* --- Words ----------------------------------------------------------------------------------------- */

static const char *goal_name(const lb_constraint *c) {
    static const char *const names[] = {"position", "orientation", "frame",      "aim",    "line",
                                        "plane",    "half-space",  "box",        "sphere", "capsule",
                                        "circle",   "disc",        "polyhedron", "custom"};
    static const char *const outside[] = {"out of box", "out of sphere", "out of capsule",
                                          "",           "out of disc",   "out of polyhedron"};
    return c->goal.outside ? outside[c->goal.kind - LB_GOAL_BOX] : names[c->goal.kind];
}

static int has_position(const lb_constraint *c) {
    return c->goal.kind != LB_GOAL_ORIENTATION && c->goal.kind != LB_GOAL_AIM;
}

static int has_angle(const lb_constraint *c) {
    return c->goal.kind == LB_GOAL_ORIENTATION || c->goal.kind == LB_GOAL_AIM || c->goal.kind == LB_GOAL_FRAME;
}

static void print_constraint(const lb_constraint *c, const lb_constraint_result *r, int width) {
    char distance[32] = "", angle[32] = "", name[128];
    cli_clean(c->name ? c->name : "(no name)", name, sizeof name);
    if (c->disabled) {
        printf("  -    ");
        cli_print_padded(name, width);
        printf("  %-17s disabled\n", goal_name(c));
        return;
    }
    if (has_position(c)) {
        cli_print_distance(r->distance, distance);
    }
    if (has_angle(c)) {
        cli_print_angle(r->angle_rad, angle);
    }
    printf("  %s  ", !r->counted ? "-  " : r->met ? "met" : "OFF");
    cli_print_padded(name, width);
    printf("  %-17s %9s", goal_name(c), distance);
    int has_more = c->weight != 1 || c->priority > 0 || (!r->counted && c->any_of);
    if (*angle || has_more) {
        printf(" %10s", angle);
    }
    if (c->weight != 1) {
        char weight[32];
        cli_print_number(c->weight, weight);
        printf("  weight %s", weight);
    }
    if (c->priority > 0) {
        printf("  priority %d", c->priority);
    }
    printf("%s\n", !r->counted && c->any_of ? "  (another of its group counts)" : "");
}

/* Rows of one name are the facets of one limit, a swing's cone for one: the first of them stands for all, and if all of
 * them gave way G would fall as fast as their multipliers say together. Returns 0 for another than the first. */
static int gather(const lb_result *result, int k, lb_active_limit *all) {
    const lb_active_limit *limit = &result->limits[k];
    *all = *limit;
    for (int i = 0; i < result->limit_count && limit->row >= 0 && limit->name; i++) {
        const lb_active_limit *other = &result->limits[i];
        if (i != k && other->row >= 0 && other->figure == limit->figure && other->name &&
            strcmp(other->name, limit->name) == 0) {
            if (i < k) {
                return 0;
            }
            all->multiplier += other->multiplier;
        }
    }
    return 1;
}

static void print_limit(const lb_problem_file *file, lb_problem *problem, const lb_active_limit *limit) {
    char name[300], value[32] = "", weight[32];
    const char *prefix = lb_problem_figure_count(problem) > 1 ? lb_problem_file_figure_name(file, limit->figure) : "";
    snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? ":" : "", limit->name ? limit->name : "(no name)");
    if (limit->variable >= 0) {
        int at = limit->variable - lb_problem_first_variable(problem, limit->figure);
        cli_print_value(limit->value, lb_figure_variable(lb_problem_figure(problem, limit->figure), at)->is_angle,
                        value);
    }
    snprintf(weight, sizeof weight, "%.3g", limit->multiplier);
    printf("  %-28s %-6s %-12s multiplier %s\n", name,
           limit->variable < 0 ? "row"
           : limit->is_upper   ? "upper"
                               : "lower",
           value, weight);
}

static void print_limits(const lb_problem_file *file, lb_problem *problem, const lb_result *result) {
    if (!result->limit_count || (result->outcome == LB_OUTCOME_SOLVED && result->limits[0].multiplier < 1e-5)) {
        return; /* where all is met, limits that are touched cost nothing */
    }
    printf("\nLimits in force, those that cost most first:\n");
    int shown = 0, count = 0;
    for (int k = 0; k < result->limit_count; k++) {
        lb_active_limit limit;
        if (!gather(result, k, &limit)) {
            continue;
        }
        count++;
        if (shown < LIMITS_MOST) {
            print_limit(file, problem, &limit);
            shown++;
        }
    }
    if (count > shown) {
        printf("  and %d more\n", count - shown);
    }
}

/* A limit that is the reason, with its end. */
static void limit_text(lb_problem *problem, const lb_reason *r, const char *prefix, const char *name, char *text,
                       size_t size) {
    char value[32] = "";
    const char *colon = *prefix ? ":" : "";
    if (r->kind != LB_REASON_LIMIT) {
        snprintf(text, size,
                 r->kind == LB_REASON_ROW ? "%s%s%s, a limit over several dofs" : "%s%s%s, its limits together", prefix,
                 colon, name);
        return;
    }
    int at = r->variable - lb_problem_first_variable(problem, r->figure);
    const lb_variable *v = lb_figure_variable(lb_problem_figure(problem, r->figure), at);
    cli_print_value(r->is_upper ? v->upper : v->lower, v->is_angle, value);
    snprintf(text, size, "%s%s%s, %s limit %s", prefix, colon, name, r->is_upper ? "upper" : "lower", value);
}

/* What a reason is about: a limit, a constraint, the distance, a rule of the body. */
static void reason_text(const lb_problem_file *file, lb_problem *problem, const lb_reason *r, char *text, size_t size) {
    char name[200];
    cli_clean(r->name ? r->name : "(no name)", name, sizeof name);
    const char *prefix = lb_problem_figure_count(problem) > 1 && r->figure >= 0 && r->constraint < 0
                             ? lb_problem_file_figure_name(file, r->figure)
                             : "";
    switch (r->kind) {
    case LB_REASON_LIMIT:
    case LB_REASON_ROW:
    case LB_REASON_REGION:
        limit_text(problem, r, prefix, name, text, size);
        break;
    case LB_REASON_GOAL:
        snprintf(text, size, "%s, another goal", name);
        break;
    case LB_REASON_OBSTACLE:
        snprintf(text, size, r->name ? "%s, an obstacle" : "an obstacle", name);
        break;
    case LB_REASON_DISTANCE:
        snprintf(text, size, "distance beyond the arm's length");
        break;
    case LB_REASON_BUDGET:
        snprintf(text, size, "the budget");
        break;
    case LB_REASON_START:
        snprintf(text, size, "the start: other minima are better");
        break;
    case LB_REASON_STEP:
        snprintf(text, size, r->name ? "%s stays: a step" : "the feet stay: walking", name);
        break;
    case LB_REASON_BALANCE:
        snprintf(text, size, "balance: would fall %s", r->name ? name : "over");
        break;
    case LB_REASON_APART:
        snprintf(text, size, "limbs that are kept apart");
        break;
    case LB_REASON_FLOOR:
        snprintf(text, size, "the floor");
        break;
    }
}

/* How far it gives way: limits in their own unit, all else in metres. */
static void give_text(lb_problem *problem, const lb_reason *r, char text[32]) {
    snprintf(text, 32, "-");
    if (r->kind == LB_REASON_LIMIT || r->kind == LB_REASON_ROW || r->kind == LB_REASON_REGION) {
        int at = r->kind != LB_REASON_ROW ? r->variable - lb_problem_first_variable(problem, r->figure) : -1;
        int is_angle = at < 0 || lb_figure_variable(lb_problem_figure(problem, r->figure), at)->is_angle;
        if (!isfinite(r->give)) {
            snprintf(text, 32, "removed");
        } else if (is_angle) {
            cli_print_angle(fabs(r->give), text);
        } else {
            cli_print_distance(fabs(r->give), text);
        }
    } else if (r->kind == LB_REASON_DISTANCE || r->kind == LB_REASON_STEP) {
        cli_print_distance(r->give, text);
    } else if (r->kind != LB_REASON_BUDGET && r->kind != LB_REASON_START) {
        snprintf(text, 32, "left out");
    }
}

static void print_reasons(const lb_problem_file *file, lb_problem *problem, const lb_result *result) {
    if (!result->reason_count) {
        return;
    }
    printf("\nWhat would help, each by itself: how far it gives way, and what that gains:\n");
    for (int k = 0; k < result->reason_count && k < REASONS_MOST; k++) {
        const lb_reason *r = &result->reasons[k];
        char what[300], give[32], closer[32] = "", turned[32] = "";
        reason_text(file, problem, r, what, sizeof what);
        give_text(problem, r, give);
        if (fabs(r->gain) > 1e-5) {
            cli_print_distance(r->gain, closer);
        }
        if (fabs(r->gain_rad) > 1e-5) {
            cli_print_angle(r->gain_rad, turned);
        }
        printf("  %-44s %-10s %9s %10s  %3.0f%%%s\n", what, give, closer, turned, 100 * r->share,
               r->reached ? "  it is reached" : "");
    }
    if (result->reason_count > REASONS_MOST) {
        printf("  and %d more\n", result->reason_count - REASONS_MOST);
    }
}

/* What the goals cost the wishes below them: where a small move of one would save most. */
static void print_wishes(const lb_problem *problem, const lb_result *result) {
    if (!(result->wish_value > 0)) {
        return;
    }
    printf("\nWishes: %.4g is left of them.\n", result->wish_value);
    for (int k = 0; k < result->constraint_count; k++) {
        const double *f = result->constraints[k].force;
        double size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), share = 0.01 * size / result->wish_value;
        char name[200];
        if (share < 0.01 || !lb_problem_constraint(problem, k)) {
            continue;
        }
        cli_clean(lb_problem_constraint(problem, k)->name ? lb_problem_constraint(problem, k)->name : "(no name)", name,
                  sizeof name);
        printf("  moving the goal of %s by 1 cm along %.2f,%.2f,%.2f would save %.2g%% of that\n", name, -f[0] / size,
               -f[1] / size, -f[2] / size, 100 * share);
    }
}

static void print_freedom(const lb_freedom *f) {
    if (f->determinacy == LB_DETERMINACY_UNKNOWN) {
        return;
    }
    printf("%s: %d degrees of freedom", lb_determinacy_name(f->determinacy), f->freedoms);
    if (f->freedoms < f->variables) {
        printf(" (%d variables, limits hold %d)", f->variables, f->variables - f->freedoms);
    }
    printf(", %d equations", f->equations);
    if (f->rank < f->equations) {
        printf(" of which %d are independent here", f->rank);
    }
    printf("; degree of redundancy %d\n", f->redundancy);
}

static int is_angle(const lb_problem *problem, int variable) {
    int figure = lb_problem_figure_count(problem) - 1;
    while (lb_problem_first_variable(problem, figure) > variable) {
        figure--;
    }
    const int own = variable - lb_problem_first_variable(problem, figure);
    return lb_figure_variable(lb_problem_figure(problem, figure), own)->is_angle;
}

/* How well each end-effector can move. */
static void print_measures(const lb_problem *problem, const lb_result *result) {
    for (int k = 0; k < result->measure_count; k++) {
        const lb_measure *m = &result->measures[k];
        const lb_constraint *c = lb_problem_constraint(problem, k);
        char name[200], variable[256], room[32];
        if (m->rows == 0 || !c) {
            continue;
        }
        cli_clean(c->name ? c->name : "(no name)", name, sizeof name);
        printf("%s: manipulability %.3g, condition number %.3g, %.3g from a singularity", name, m->manipulability,
               m->condition, m->singularity);
        if (m->limit_variable >= 0) {
            lb_problem_variable_name(problem, m->limit_variable, variable, sizeof variable);
            cli_clean(variable, name, sizeof name);
            cli_print_value(m->limit, is_angle(problem, m->limit_variable), room);
            printf("; nearest limit: %s, %s away", name, room);
        }
        printf("\n");
    }
}

static void print_head(const lb_problem_file *file, const cli_outcome *o) {
    const lb_result *result = o->result;
    char time[32], before[32], after[32], text[600];
    cli_print_time(o->time_us, time);
    cli_clean(result->explanation, text, sizeof text);
    if (*lb_problem_file_title(file)) {
        char title[200];
        cli_clean(lb_problem_file_title(file), title, sizeof title);
        printf("%s\n", title);
    }
    const char *name = lb_outcome_name(result->outcome);
    const size_t length = strlen(text);
    const int is_sentence = length > 0 && text[length - 1] == '.'; /* of a body: it says the outcome itself */
    if (!is_sentence && strncmp(text, name, strlen(name)) != 0) {
        printf("%s: ", name);
    }
    printf(is_sentence ? "%s\n" : "%s.\n", text);
    printf("%s: %d iterations, %d evaluations, %s", lb_method_name(o->method), result->iterations, result->evaluations,
           time);
    if (result->restarts) {
        printf(", %d restarts", result->restarts);
    }
    snprintf(before, sizeof before, "%.4g", result->value_before);
    snprintf(after, sizeof after, "%.4g", result->value);
    printf("; G %s -> %s\n", before, after);
    print_freedom(&result->freedom);
    if (o->plain_option && strcmp(o->plain_option, "plain") != 0) {
        printf("the bare problem, for --%s: a body is solved by method lm alone, to one answer\n", o->plain_option);
    }
    printf("\n");
}

void cli_solve_report(const lb_problem_file *file, lb_problem *problem, const cli_outcome *o) {
    const lb_result *result = o->result;
    int width = 8;
    print_head(file, o);
    for (int k = 0; k < result->constraint_count; k++) {
        const char *label = lb_problem_constraint(problem, k)->name;
        int length = label ? cli_width_of(label) : 9;
        width = length > width ? length : width;
    }
    width = width > 40 ? 40 : width;
    int met = 0, quiet = result->constraint_count > 40;
    for (int k = 0; k < result->constraint_count; k++) {
        met += result->constraints[k].met;
        if (!quiet || !result->constraints[k].met) {
            print_constraint(lb_problem_constraint(problem, k), &result->constraints[k], width);
        }
    }
    if (quiet) {
        printf("  and %d that are met\n", met);
    }
    print_reasons(file, problem, result);
    print_wishes(problem, result);
    if (o->shows_all) {
        print_measures(problem, result);
    }
    if (o->pose) {
        cli_solve_values(file, problem, o->pose, o->shows_all);
    }
    if (o->shows_why) {
        cli_solve_why(file, problem, o->solver);
    }
    print_limits(file, problem, result);
}

static int is_moved(const double *start, int count, const double *poses, int variables, int variable) {
    for (int k = 0; k < count; k++) {
        if (fabs(poses[(size_t)k * (size_t)variables + (size_t)variable] - start[variable]) > 1e-9) {
            return 1;
        }
    }
    return 0;
}

/* Values of the answers from `first` to before `end`, a column each: what moved in any of the answers. */
static void print_columns(const lb_problem *problem, const double *start, int count, const double *poses,
                          const int range[2]) {
    int variables = lb_problem_variable_count(problem), rows = 0;
    for (int i = 0; i < variables; i++) {
        char raw[300], name[300], text[32];
        if (!is_moved(start, count, poses, variables, i) || rows++ >= ROWS_MOST) {
            continue;
        }
        lb_problem_variable_name(problem, i, raw, sizeof raw);
        cli_clean(raw, name, sizeof name);
        printf("  ");
        cli_print_padded(name, 24);
        for (int k = range[0]; k < range[1]; k++) {
            cli_print_value(poses[(size_t)k * (size_t)variables + (size_t)i], is_angle(problem, i), text);
            printf(" %12s", text);
        }
        printf("\n");
    }
    if (rows > ROWS_MOST) {
        printf("  and %d more variables\n", rows - ROWS_MOST);
    }
}

void cli_solve_list(const lb_problem *problem, const double *start, int count, const double *poses) {
    const int shown = count < LISTED_MOST ? count : LISTED_MOST;
    printf("\n%d %s, nearest to the start first%s\n", count, count == 1 ? "answer" : "answers",
           count > shown ? " (-o writes them all):"
           : count       ? ":"
                         : "");
    for (int k = 0; k < shown; k += COLUMNS) {
        printf("%s", k > 0 ? "\n" : "");
        print_columns(problem, start, count, poses, (const int[2]){k, k + COLUMNS < shown ? k + COLUMNS : shown});
    }
}
