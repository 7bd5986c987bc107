/* A body has no favourite side and no favourite place: the mirrored problem has the mirrored answer, and a problem that is moved
 * over the floor and turned about the vertical has the moved answer. Where two choices are as good as each other but for
 * rounding (steps, starts), either may come out: then neither is worse than the other. */
#include <math.h>
#include <string.h>

#include "body/points.h"
#include "people/people.h"
#include "property.h"

/* Tasks of problems/body, and random points, of which many need steps or a walk. Steps are taken in coordinates of the root that
 * turning the world changes, so the moved problem may end in another of several minima. */
static property properties[] = {{.name = "a mirrored task has the mirrored answer"},
                                {.name = "a mirrored task has the same terms"},
                                {.name = "a moved task has the moved answer", .share = 0.08},
                                {.name = "a moved task has the same terms", .share = 0.08},
                                {.name = "a mirrored reach has the mirrored answer", .share = 0.1},
                                {.name = "a mirrored reach has the same terms", .share = 0.1},
                                {.name = "a moved reach has the moved answer", .share = 0.1},
                                {.name = "a moved reach has the same terms", .share = 0.1}};
enum { MIRRORED = 0, MOVED = 2, REACHES = 4 };

#define ALIKE 1e-6   /* radians or metres */
#define AS_GOOD 1e-6 /* of the terms' value */

static double terms_of(const people_answer *a) {
    double sum = 0;
    for (int i = 0; i < LB_BODY_TERM_COUNT; i++) {
        sum += a->body.terms[i];
    }
    return sum;
}

static double largest_difference(int count, const double *a, const double *b) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

/* Every other case, as far as there are tasks. */
static int is_task(long number) { return number % 2 == 0 && number / 2 < task_count; }

/* kind: MIRRORED or MOVED. */
static void compare(int kind, long number, const people_answer *a, const people_answer *b, const double *expected,
                    const char *text) {
    property *alike = &properties[kind + (is_task(number) ? 0 : REACHES)], *as_good = alike + 1;
    const double off = largest_difference(a->variables, expected, b->pose), terms[2] = {terms_of(a), terms_of(b)};
    property_expect(alike, a->result.outcome == b->result.outcome && off <= ALIKE, "%s: %s and %s, off by %g", text,
                    lb_outcome_name(a->result.outcome), lb_outcome_name(b->result.outcome), off);
    property_expect(as_good,
                    a->result.outcome == b->result.outcome && fabs(terms[0] - terms[1]) <= AS_GOOD * (1 + terms[0]),
                    "%s: terms %.9g and %.9g", text, terms[0], terms[1]);
}

/* A task of problems/body, or a random point for the right hand. */
static void draw_task(people *p, long number, task *t) {
    if (is_task(number)) {
        lb_problem_file_destroy(task_load((int)(number / 2), t));
    } else {
        double point[3];
        draw_anywhere((unsigned long long)number, point);
        reach_task("a point anywhere", point, t);
    }
    p->variables = lb_figure_variable_count(p->figure);
    lb_figure_rest_pose(p->figure, p->rest);
    p->problem = NULL;
}

static void solve_task(people *p, const task *t, const double *start, people_answer *a) {
    p->problem = task_problem(t, p->figure);
    people_solve_afresh(p, NULL, start, a);
    lb_problem_destroy(p->problem);
    p->problem = NULL;
}

static void check_mirrored(people *p, long number, const task *t, const people_answer *a) {
    static people_answer b;
    double expected[PEOPLE_VARIABLES];
    task other;
    task_mirror(t, p->figure, &other);
    solve_task(p, &other, p->rest, &b);
    pose_mirror(p->figure, a->pose, expected);
    compare(MIRRORED, number, a, &b, expected, t->name);
}

/* A turn about the vertical and a way over the floor. */
typedef struct motion {
    double cosine, sine, x, y, angle;
} motion;

static void turn_xy(const motion *m, double v[3]) {
    const double x = m->cosine * v[0] - m->sine * v[1], y = m->sine * v[0] + m->cosine * v[1];
    v[0] = x;
    v[1] = y;
}

static void move_xy(const motion *m, double v[3]) {
    turn_xy(m, v);
    v[0] += m->x;
    v[1] += m->y;
}

static void move_task(const motion *m, const task *t, task *moved) {
    *moved = *t;
    for (int k = 0; k < t->goal_count; k++) {
        task_goal *g = &moved->goals[k];
        if (!g->carrier[0]) {
            move_xy(m, g->point);
            turn_xy(m, g->x);
            turn_xy(m, g->y);
            turn_xy(m, g->normal);
        }
    }
    for (int k = 0; k < t->support_count; k++) {
        task_support *s = &moved->supports[k];
        if (isfinite(s->half_size[0])) { /* the floor has no middle */
            move_xy(m, s->point);
            const double x = s->half_size[0];
            s->half_size[0] = m->sine * m->sine > 0.5 ? s->half_size[1] : x;
            s->half_size[1] = m->sine * m->sine > 0.5 ? x : s->half_size[1];
        }
    }
}

/* The six variables of the root: placement and rotation vector of the moved root. */
static void move_pose(const lb_figure *figure, const motion *m, const double *pose, double *moved) {
    const lb_frame *placement = &lb_figure_root(figure)->placement;
    const double half[4] = {0, 0, sin(m->angle / 2), cos(m->angle / 2)};
    double at[3], own[4], turned[4];
    memmove(moved, pose, (size_t)lb_figure_variable_count(figure) * sizeof *pose);
    for (int c = 0; c < 3; c++) {
        at[c] = placement->position[c] + pose[c];
    }
    move_xy(m, at);
    for (int c = 0; c < 3; c++) {
        moved[c] = at[c] - placement->position[c];
    }
    const double angle = sqrt(pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5]),
                 scale = angle > 0 ? sin(angle / 2) / angle : 0.5;
    for (int c = 0; c < 3; c++) {
        own[c] = scale * pose[3 + c];
    }
    own[3] = cos(angle / 2);
    /* turned = half * own */
    turned[0] = half[3] * own[0] - half[2] * own[1];
    turned[1] = half[3] * own[1] + half[2] * own[0];
    turned[2] = half[3] * own[2] + half[2] * own[3];
    turned[3] = half[3] * own[3] - half[2] * own[2];
    const double sign = turned[3] < 0 ? -1 : 1,
                 norm = sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]);
    const double whole = norm > 0 ? 2 * atan2(norm, sign * turned[3]) / norm : 2;
    for (int c = 0; c < 3; c++) {
        moved[3 + c] = sign * whole * turned[c];
    }
}

static void check_moved(people *p, long number, const task *t, const people_answer *a) {
    static people_answer b;
    double start[PEOPLE_VARIABLES], expected[PEOPLE_VARIABLES];
    task moved;
    const motion none = {1, 0, 0, 0, 0};
    /* Surfaces lie along the axes of the world: theirs turn by quarters. */
    const double angle = t->support_count ? 1.57079632679489661923 * (1 + check_random_index(&p->random, 3))
                                          : check_random_range(&p->random, -2.5, 2.5);
    const motion m = {cos(angle), sin(angle), check_random_range(&p->random, -2, 2),
                      check_random_range(&p->random, -2, 2), angle};
    move_task(&m, t, &moved);
    move_pose(p->figure, &m, p->rest, start);
    solve_task(p, &moved, start, &b);
    move_pose(p->figure, &m, a->pose, expected);
    move_pose(p->figure, &none, b.pose, b.pose); /* a turn by 2 pi less is the same */
    compare(MOVED, number, a, &b, expected, t->name);
}

static void run(long number, uint64_t seed) {
    static people_answer a;
    people p;
    task t;
    memset(&p, 0, sizeof p);
    check_random_seed(&p.random, seed);
    p.figure = load_human(0);
    draw_task(&p, number, &t);
    solve_task(&p, &t, p.rest, &a);
    check_mirrored(&p, number, &t, &a);
    check_moved(&p, number, &t, &a);
    lb_figure_destroy(p.figure);
}

int main(int argc, char **argv) { return property_main(argc, argv, 120, 600, run, properties, 8); }
