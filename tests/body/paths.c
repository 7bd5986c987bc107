/* Continuity: a palm goes along random closed paths through the workspace in steps of a centimetre, each solve from the answer
 * before it. No segment may turn far in a step, unless the same centimetre in steps of a millimetre turns it as far; and at the
 * end of a path the person is as at its beginning. Turns are measured by the figure's forward kinematics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body.h"
#include "check.h"
#include "points.h"

#define PI 3.14159265358979323846
#define STEP 0.01   /* metres */
#define FINER 10    /* steps of a millimetre in a step */
#define MOST_DEG 12 /* a segment's turn in a step */
#define BACK_DEG 2  /* a segment's turn between the beginning and the end of a closed path */
#define OPEN_SHARE \
    0.05             /* of paths that may end in another minimum of the terms, as good as the one that they began in */
#define CORNERS 3    /* of a path */
#define SEGMENTS 128 /* of the figure, at most */

typedef double turns[SEGMENTS];

/* A person who is drawn along. */
typedef struct walker {
    person *p;
    lb_problem *problem;
    lb_solver *solver;
    int goal; /* the constraint's id */
    double pose[PERSON_VARIABLES];
    int missed; /* the goal of the last step was not met */
} walker;

static int segment_count(const person *p) { return lb_figure_segment_count(p->figure); }

/* The rotations of all segments in a pose. */
static void rotations(person *p, const double *pose, double (*made)[12]) {
    person_pose(p, pose);
    memcpy(made, p->matrices, (size_t)segment_count(p) * sizeof *made);
}

/* The angle between two rotations, in degrees. A matrix is three rows of a rotation and a place. */
static double angle_between(const double a[12], const double b[12]) {
    double trace = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            trace += a[4 * i + k] * b[4 * i + k];
        }
    }
    return acos(fmax(-1, fmin(1, (trace - 1) / 2))) * 180 / PI;
}

/* How far each segment turns from one pose to another. Returns the segment that turns most. */
static int turns_between(person *p, const double *from, const double *to, turns turned) {
    double(*first)[12] = malloc((size_t)segment_count(p) * sizeof *first);
    double(*second)[12] = malloc((size_t)segment_count(p) * sizeof *second);
    int most = 0;
    REQUIRE(first && second && segment_count(p) <= SEGMENTS);
    rotations(p, from, first);
    rotations(p, to, second);
    for (int i = 0; i < segment_count(p); i++) {
        turned[i] = angle_between(first[i], second[i]);
        most = turned[i] > turned[most] ? i : most;
    }
    free(first);
    free(second);
    return most;
}

static void go_to(walker *w, const double point[3], int is_tracking) {
    lb_solve_options o;
    lb_result result;
    lb_frame frame = {{point[0], point[1], point[2]}, {0, 0, 0, 1}};
    lb_solve_options_defaults(&o);
    lb_result_defaults(&result);
    o.tracking = is_tracking;
    REQUIRE(lb_problem_move_goal(w->problem, w->goal, &frame) == LB_OK);
    REQUIRE(lb_solver_solve(w->solver, &o, w->pose, &result) == LB_OK);
    w->missed = result.outcome != LB_OUTCOME_SOLVED;
}

/* The same centimetre in finer steps, from the pose before it: the most that a segment turns within it, all steps together. */
static double turn_in_finer_steps(walker *w, const double *pose, const double from[3], const double to[3],
                                  int segment) {
    double kept[PERSON_VARIABLES], before[PERSON_VARIABLES], sum = 0;
    memcpy(kept, w->pose, sizeof kept);
    memcpy(w->pose, pose, sizeof kept);
    for (int k = 1; k <= FINER; k++) {
        const double share = (double)k / FINER;
        const double point[3] = {from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]),
                                 from[2] + share * (to[2] - from[2])};
        turns turned;
        memcpy(before, w->pose, sizeof before);
        go_to(w, point, 1);
        turns_between(w->p, before, w->pose, turned);
        sum += turned[segment];
    }
    memcpy(w->pose, kept, sizeof kept);
    return sum;
}

typedef struct tally {
    int steps, missed, jumps, open;
    double largest, largest_back;
} tally;

static void walk_edge(walker *w, long number, const double from[3], const double to[3], tally *all) {
    const double way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const int count = (int)ceil(sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) / STEP);
    double last[3] = {from[0], from[1], from[2]};
    for (int k = 1; k <= count; k++) {
        const double share = (double)k / count;
        const double point[3] = {from[0] + share * way[0], from[1] + share * way[1], from[2] + share * way[2]};
        double before[PERSON_VARIABLES];
        turns turned;
        memcpy(before, w->pose, sizeof before);
        go_to(w, point, 1);
        const int most = turns_between(w->p, before, w->pose, turned);
        all->steps++;
        all->missed += w->missed;
        all->largest = fmax(all->largest, turned[most]);
        for (int i = 0; i < segment_count(w->p); i++) {
            if (turned[i] > MOST_DEG && turned[i] > 1.05 * turn_in_finer_steps(w, before, last, point, i)) {
                printf("path %ld: %s turns %.1f deg in a step at %.3f %.3f %.3f%s\n", number,
                       lb_figure_segment(w->p->figure, i)->name, turned[i], point[0], point[1], point[2],
                       w->missed ? ", missed" : "");
                all->jumps++;
                break;
            }
        }
        memcpy(last, point, sizeof last);
    }
}

/* A point before the person, from the height of the knees to above the head. */
static void draw_corner(check_random *random, double point[3]) {
    const double angle = check_random_range(random, -1.2, 0.6), radius = check_random_range(random, 0.25, 0.6);
    point[0] = radius * cos(angle);
    point[1] = radius * sin(angle);
    point[2] = check_random_range(random, 0.5, 1.7);
}

static void walk_path(person *p, long number, tally *all) {
    check_random random;
    double corners[CORNERS][3], begin[PERSON_VARIABLES];
    task t;
    turns turned;
    check_random_seed(&random, (unsigned long long)number);
    for (int k = 0; k < CORNERS; k++) {
        draw_corner(&random, corners[k]);
    }
    reach_task("a path", corners[0], &t);
    walker w = {.p = p, .problem = task_problem(&t, p->figure)};
    w.solver = lb_solver_create(w.problem, NULL);
    REQUIRE(w.solver);
    w.goal = lb_problem_constraint_id(w.problem, 0);
    memcpy(w.pose, p->rest, sizeof w.pose);
    go_to(&w, corners[0], 0);
    go_to(&w, corners[0], 1);
    memcpy(begin, w.pose, sizeof begin);
    for (int k = 0; k < CORNERS; k++) {
        walk_edge(&w, number, corners[k], corners[(k + 1) % CORNERS], all);
    }
    const int most = turns_between(p, begin, w.pose, turned);
    all->largest_back = fmax(all->largest_back, turned[most]);
    if (turned[most] > BACK_DEG) {
        printf("path %ld: %s comes back turned by %.1f deg\n", number, lb_figure_segment(p->figure, most)->name,
               turned[most]);
        all->open++;
    }
    lb_solver_destroy(w.solver);
    lb_problem_destroy(w.problem);
}

void check_paths(void) {
    lb_figure *figure = load_human(0);
    person p;
    tally all = {0};
    const int count = check_is_sanitized() ? 2 : check_count(20, 200);
    person_make(figure, &p);
    for (int k = 0; k < count; k++) {
        walk_path(&p, k, &all);
    }
    printf(
        "paths: %d of %d steps, %d missed, %d jumps, the largest turn %.1f deg; %d of %d paths are open, by %.2f deg\n",
        all.steps, count, all.missed, all.jumps, all.largest, all.open, count, all.largest_back);
    CHECK_INT(all.jumps, 0);
    CHECK(all.open <= count * OPEN_SHARE);
    person_free(&p);
    lb_figure_destroy(figure);
}
