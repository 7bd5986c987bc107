/* What a solve found, for a person: words, and a picture of the answer with its goals. */
#include "cli/cli.h"
#include <limber/solve.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MARKERS_MOST 4000
#define CIRCLE_SIDES 48
#define LISTED_MOST 4
#define ROWS_MOST 60
#define REASONS_MOST 8

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

static void print_limits(const lb_problem_file *file, lb_problem *problem, const lb_result *result) {
    if (!result->limit_count || (result->outcome == LB_OUTCOME_SOLVED && result->limits[0].multiplier < 1e-5)) {
        return; /* where all is met, limits that are touched cost nothing */
    }
    printf("\nLimits in force, those that cost most first:\n");
    for (int k = 0; k < result->limit_count && k < 12; k++) {
        const lb_active_limit *limit = &result->limits[k];
        char name[300], value[32] = "", weight[32];
        const char *prefix =
            lb_problem_figure_count(problem) > 1 ? lb_problem_file_figure_name(file, limit->figure) : "";
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
    if (result->limit_count > 12) {
        printf("  and %d more\n", result->limit_count - 12);
    }
}

/* What a reason is about: a limit with its end, a constraint, the distance. */
static void reason_text(const lb_problem_file *file, lb_problem *problem, const lb_reason *r, char *text, size_t size) {
    char name[200], value[32] = "";
    cli_clean(r->name ? r->name : "(no name)", name, sizeof name);
    const char *prefix = lb_problem_figure_count(problem) > 1 && r->figure >= 0 && r->constraint < 0
                             ? lb_problem_file_figure_name(file, r->figure)
                             : "";
    switch (r->kind) {
    case LB_REASON_LIMIT: {
        int at = r->variable - lb_problem_first_variable(problem, r->figure);
        const lb_variable *v = lb_figure_variable(lb_problem_figure(problem, r->figure), at);
        cli_print_value(r->is_upper ? v->upper : v->lower, v->is_angle, value);
        snprintf(text, size, "%s%s%s, %s limit %s", prefix, *prefix ? ":" : "", name, r->is_upper ? "upper" : "lower",
                 value);
        break;
    }
    case LB_REASON_ROW:
        snprintf(text, size, "%s%s%s, a limit over several dofs", prefix, *prefix ? ":" : "", name);
        break;
    case LB_REASON_GOAL:
        snprintf(text, size, "%s, another goal", name);
        break;
    case LB_REASON_OBSTACLE:
        snprintf(text, size, "%s, an obstacle", name);
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
    }
}

/* How far it gives way: limits in their own unit, all else in metres. */
static void give_text(lb_problem *problem, const lb_reason *r, char text[32]) {
    snprintf(text, 32, "-");
    if (r->kind == LB_REASON_LIMIT || r->kind == LB_REASON_ROW) {
        int at = r->kind == LB_REASON_LIMIT ? r->variable - lb_problem_first_variable(problem, r->figure) : -1;
        int is_angle = at < 0 || lb_figure_variable(lb_problem_figure(problem, r->figure), at)->is_angle;
        if (!isfinite(r->give)) {
            snprintf(text, 32, "removed");
        } else if (is_angle) {
            cli_print_angle(fabs(r->give), text);
        } else {
            cli_print_distance(fabs(r->give), text);
        }
    } else if (r->kind == LB_REASON_DISTANCE) {
        cli_print_distance(r->give, text);
    } else if (r->kind == LB_REASON_GOAL || r->kind == LB_REASON_OBSTACLE) {
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
    if (strncmp(text, name, strlen(name)) != 0) {
        printf("%s: ", name);
    }
    printf("%s.\n", text);
    printf("%s: %d iterations, %d evaluations, %s", lb_method_name(o->method), result->iterations, result->evaluations,
           time);
    if (result->restarts) {
        printf(", %d restarts", result->restarts);
    }
    snprintf(before, sizeof before, "%.4g", result->value_before);
    snprintf(after, sizeof after, "%.4g", result->value);
    printf("; G %s -> %s\n", before, after);
    print_freedom(&result->freedom);
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
    if (o->pose) {
        cli_solve_values(file, problem, o->pose, o->shows_all);
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

static int is_angle(const lb_problem *problem, int variable) {
    int f = lb_problem_figure_count(problem) - 1;
    while (lb_problem_first_variable(problem, f) > variable) {
        f--;
    }
    return lb_figure_variable(lb_problem_figure(problem, f), variable - lb_problem_first_variable(problem, f))
        ->is_angle;
}

void cli_solve_list(const lb_problem *problem, const double *start, int count, const double *poses) {
    int variables = lb_problem_variable_count(problem), shown = count < LISTED_MOST ? count : LISTED_MOST, rows = 0;
    printf("\n%d %s, nearest to the start first%s\n", count, count == 1 ? "answer" : "answers",
           count > shown ? " (-o writes them all):"
           : count       ? ":"
                         : "");
    for (int i = 0; i < variables && count; i++) {
        char raw[300], name[300], text[32];
        if (!is_moved(start, count, poses, variables, i) || rows++ >= ROWS_MOST) {
            continue;
        }
        lb_problem_variable_name(problem, i, raw, sizeof raw);
        cli_clean(raw, name, sizeof name);
        printf("  ");
        cli_print_padded(name, 24);
        for (int k = 0; k < shown; k++) {
            cli_print_value(poses[(size_t)k * (size_t)variables + (size_t)i], is_angle(problem, i), text);
            printf(" %12s", text);
        }
        printf("\n");
    }
    if (rows > ROWS_MOST) {
        printf("  and %d more variables\n", rows - ROWS_MOST);
    }
}

/* --- The picture ------------------------------------------------------------------------------------ */

typedef struct gallery {
    lb_problem *problem;
    lb_kinematics **kinematics; /* [figure], in the answer */
    lb_marker *markers;
    int count, capacity;
} gallery;

static lb_marker *add_marker(gallery *g, lb_marker_kind kind, const lb_frame *frame) {
    if (g->count >= MARKERS_MOST) {
        return NULL;
    }
    if (g->count == g->capacity) {
        int capacity = g->capacity ? 2 * g->capacity : 64;
        lb_marker *bigger = realloc(g->markers, (size_t)capacity * sizeof *bigger);
        if (!bigger) {
            return NULL;
        }
        g->markers = bigger, g->capacity = capacity;
    }
    lb_marker *m = &g->markers[g->count++];
    memset(m, 0, sizeof *m);
    m->kind = kind;
    m->frame = *frame;
    m->shape.color = -1;
    return m;
}

static void add_line(gallery *g, const lb_frame *frame, const double from[3], const double to[3]) {
    lb_frame a = *frame, b = *frame, offset;
    lb_frame_identity(&offset);
    memcpy(offset.position, from, sizeof offset.position);
    lb_frame_multiply(frame, &offset, &a);
    memcpy(offset.position, to, sizeof offset.position);
    lb_frame_multiply(frame, &offset, &b);
    lb_marker *m = add_marker(g, LB_MARKER_LINE, &a);
    if (m) {
        memcpy(m->to, b.position, sizeof m->to);
    }
}

static void add_circle(gallery *g, const lb_frame *frame, double radius, int axis) {
    for (int k = 0; k < CIRCLE_SIDES; k++) {
        double ends[2][3] = {{0, 0, 0}, {0, 0, 0}};
        for (int i = 0; i < 2; i++) {
            double angle = 2 * 3.14159265358979323846 * (k + i) / CIRCLE_SIDES;
            ends[i][(axis + 1) % 3] = radius * cos(angle);
            ends[i][(axis + 2) % 3] = radius * sin(angle);
        }
        add_line(g, frame, ends[0], ends[1]);
    }
}

static void add_edges(gallery *g, const lb_frame *frame, const double half[3]) {
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 4; k++) {
            double ends[2][3];
            for (int i = 0; i < 2; i++) {
                ends[i][axis] = i ? half[axis] : -half[axis];
                ends[i][(axis + 1) % 3] = k & 1 ? half[(axis + 1) % 3] : -half[(axis + 1) % 3];
                ends[i][(axis + 2) % 3] = k & 2 ? half[(axis + 2) % 3] : -half[(axis + 2) % 3];
            }
            add_line(g, frame, ends[0], ends[1]);
        }
    }
}

static void add_obstacle(gallery *g, const lb_goal *goal, const lb_frame *frame) {
    lb_shape shape;
    lb_shape_defaults(&shape);
    shape.kind = goal->kind == LB_GOAL_BOX      ? LB_SHAPE_BOX
                 : goal->kind == LB_GOAL_SPHERE ? LB_SHAPE_SPHERE
                                                : LB_SHAPE_CAPSULE;
    memcpy(shape.size, goal->size, sizeof shape.size);
    if (goal->kind == LB_GOAL_CAPSULE) {
        shape.size[2] = shape.size[0];
    }
    for (int k = 0; k < g->count; k++) { /* many parts keep out of one obstacle */
        const lb_marker *m = &g->markers[k];
        if (m->kind == LB_MARKER_SHAPE && m->shape.kind == shape.kind && memcmp(&m->frame, frame, sizeof *frame) == 0 &&
            memcmp(m->shape.size, shape.size, sizeof shape.size) == 0) {
            return;
        }
    }
    lb_marker *m = add_marker(g, LB_MARKER_SHAPE, frame);
    if (m) {
        m->shape = shape;
        m->shape.color = -1;
    }
}

/* Two directions at right angles to each other, and the third. */
static void rotation_from(const double x[3], const double y[3], double rotation[4]) {
    const double z[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    const double m[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
    lb_rotation_from_matrix(m, rotation);
}

/* Some rotation whose z is a direction. */
static void rotation_to(const double z[3], double rotation[4]) {
    double helper[3] = {fabs(z[0]) < 0.6, fabs(z[0]) >= 0.6, 0}, x[3], y[3], norm = 0;
    for (int i = 0; i < 3; i++) {
        x[i] = helper[(i + 1) % 3] * z[(i + 2) % 3] - helper[(i + 2) % 3] * z[(i + 1) % 3];
        norm += x[i] * x[i];
    }
    for (int i = 0; i < 3; i++) {
        x[i] /= sqrt(norm);
    }
    for (int i = 0; i < 3; i++) {
        y[i] = z[(i + 1) % 3] * x[(i + 2) % 3] - z[(i + 2) % 3] * x[(i + 1) % 3];
    }
    rotation_from(x, y, rotation);
}

/* Frame of a plane or line at the point on it that is nearest to the effector: z along the normal. */
static void nearest_on(const lb_goal *goal, const lb_frame *carrier, const double r[3], lb_frame *frame) {
    lb_frame local, inverse, point;
    double along = 0;
    const double *n = goal->normal;
    lb_frame_invert(carrier, &inverse);
    lb_frame_identity(&point);
    memcpy(point.position, r, sizeof point.position);
    lb_frame_multiply(&inverse, &point, &local);
    for (int i = 0; i < 3; i++) {
        along += (local.position[i] - goal->point[i]) * n[i];
    }
    for (int i = 0; i < 3; i++) {
        local.position[i] =
            goal->kind == LB_GOAL_LINE ? goal->point[i] + along * n[i] : local.position[i] - along * n[i];
    }
    rotation_to(n, local.rotation);
    lb_frame_multiply(carrier, &local, frame);
}

static void mark_flat(gallery *g, const lb_goal *goal, const lb_frame *carrier, const double e[9]) {
    static const double square[3] = {0.25, 0.25, 0}, from[3] = {0, 0, -0.4}, to[3] = {0, 0, 0.4};
    lb_frame frame;
    nearest_on(goal, carrier, e, &frame);
    if (goal->kind == LB_GOAL_LINE) {
        add_line(g, &frame, from, to);
    } else {
        add_edges(g, &frame, square);
    }
}

void cli_goal_frame(const lb_goal *goal, lb_frame *frame) {
    lb_frame_identity(frame);
    memcpy(frame->position, goal->point, sizeof frame->position);
    memcpy(frame->rotation, goal->rotation, sizeof frame->rotation);
    if (goal->kind == LB_GOAL_FRAME || goal->kind == LB_GOAL_ORIENTATION) {
        rotation_from(goal->x, goal->y, frame->rotation);
    } else if (goal->kind == LB_GOAL_LINE || goal->kind == LB_GOAL_PLANE || goal->kind == LB_GOAL_HALF_SPACE) {
        rotation_to(goal->normal, frame->rotation);
    }
}

static void mark_constraint(gallery *g, const lb_constraint *c, const lb_constraint_result *r) {
    lb_frame carrier, local, frame;
    const lb_goal *goal = &c->goal;
    double e[9] = {0};
    int is_carried = goal->carrier_segment >= 0;
    lb_marker *m = NULL;
    lb_frame_identity(&carrier);
    if (is_carried) {
        lb_kinematics_segment(g->kinematics[goal->carrier_figure], goal->carrier_segment, &carrier);
    }
    lb_kinematics_effector(g->kinematics[c->figure], &c->effector, e);
    cli_goal_frame(goal, &local);
    lb_frame_multiply(&carrier, &local, &frame);
    switch (goal->kind) {
    case LB_GOAL_POSITION:
    case LB_GOAL_AIM:
        m = add_marker(g, LB_MARKER_POINT, &frame);
        break;
    case LB_GOAL_FRAME:
        m = add_marker(g, LB_MARKER_FRAME, &frame);
        break;
    case LB_GOAL_LINE:
    case LB_GOAL_PLANE:
    case LB_GOAL_HALF_SPACE:
        mark_flat(g, goal, &carrier, e);
        break;
    case LB_GOAL_BOX:
    case LB_GOAL_SPHERE:
    case LB_GOAL_CAPSULE:
        if (goal->outside && !is_carried) {
            add_obstacle(g, goal, &frame);
        } else if (!goal->outside && goal->kind == LB_GOAL_BOX) {
            add_edges(g, &frame, goal->size);
        } else if (!goal->outside && goal->kind == LB_GOAL_SPHERE) {
            for (int axis = 0; axis < 3; axis++) {
                add_circle(g, &frame, goal->size[0], axis);
            }
        }
        break;
    case LB_GOAL_CIRCLE:
    case LB_GOAL_DISC:
        add_circle(g, &frame, goal->size[0], 2);
        break;
    default:
        break;
    }
    if (m) {
        m->is_met = r->met;
        m->name = c->name;
    }
}

static lb_status open_figures(gallery *g, const double *pose, const lb_figure **figures, const double **poses) {
    for (int k = 0; k < lb_problem_figure_count(g->problem); k++) {
        figures[k] = lb_problem_figure(g->problem, k);
        poses[k] = pose + lb_problem_first_variable(g->problem, k);
        g->kinematics[k] = lb_kinematics_create(figures[k], NULL);
        lb_status status = g->kinematics[k] ? lb_kinematics_update(g->kinematics[k], poses[k]) : LB_ERROR_MEMORY;
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

int cli_solve_draw(const lb_problem_file *file, lb_problem *problem, const double *pose, const lb_result *result,
                   const char *path) {
    size_t count = (size_t)lb_problem_figure_count(problem);
    gallery g = {.problem = problem, .kinematics = calloc(count, sizeof *g.kinematics)};
    const lb_figure **figures = calloc(count, sizeof *figures);
    const double **poses = calloc(count, sizeof *poses);
    lb_render_options options;
    lb_error error = {0};
    lb_render_options_defaults(&options);
    lb_problem_file_picture(file, &options);
    options.show_joints = lb_figure_shape_count(lb_problem_figure(problem, 0)) == 0; /* goals are what matters here */
    options.title = *lb_problem_file_title(file) ? lb_problem_file_title(file) : NULL;
    lb_status status = g.kinematics && figures && poses ? open_figures(&g, pose, figures, poses) : LB_ERROR_MEMORY;
    for (int k = 0; k < result->constraint_count && !status; k++) {
        const lb_constraint *c = lb_problem_constraint(problem, k);
        if (!c->disabled && (result->constraints[k].counted || c->goal.outside)) {
            mark_constraint(&g, c, &result->constraints[k]);
        }
        options.show_com |= c->effector.kind == LB_EFFECTOR_COM;
    }
    int code = CLI_OK;
    if (status) {
        code = cli_fail(CLI_BAD_INPUT, "the picture cannot be drawn: %s", lb_status_text(status));
    } else if ((status = lb_scene_render((int)count, figures, poses, g.count, g.markers, path, &options, &error))) {
        code = cli_report(status == LB_ERROR_FILE ? CLI_CANNOT_WRITE : CLI_BAD_INPUT, &error);
    }
    for (size_t k = 0; k < count && g.kinematics; k++) {
        lb_kinematics_destroy(g.kinematics[k]);
    }
    free(g.kinematics);
    free(g.markers);
    free(figures);
    free(poses);
    return code;
}
