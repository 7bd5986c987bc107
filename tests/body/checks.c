/* The checks of bodies, checked: that each flaw is seen where it is, and not where it is not. */
#include "body.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "geometry.h"
#include "points.h"
#include "stand_in.h"
#include "thresholds.h"

#define DEGREES (180 / 3.14159265358979323846)

/* --- Geometry ---------------------------------------------------------------------------------------- */

static void check_hull(void) {
    static const double square[6][2] = {{0, 0}, {2, 2}, {0, 2}, {2, 0}, {1, 1}, {1, 0}},
                        line[3][2] = {{0, 0}, {2, 0}, {1, 0}};
    CHECK_NEAR(outside_hull(square, 6, (double[]){1, 0.75}), -0.75, 1e-15);
    CHECK_NEAR(outside_hull(square, 6, (double[]){1.9, 1}), -0.1, 1e-15);
    CHECK_NEAR(outside_hull(square, 6, (double[]){3, 1}), 1, 1e-15);
    CHECK_NEAR(outside_hull(square, 6, (double[]){3, 3}), sqrt(2), 1e-15);
    CHECK_NEAR(outside_hull(square, 6, (double[]){1, 0}), 0, 1e-15);
    CHECK_NEAR(outside_hull(line, 3, (double[]){1, 0.1}), 0.1, 1e-15); /* a line holds nothing up */
    CHECK_NEAR(outside_hull(line, 3, (double[]){1, 0}), 0, 1e-15);
    CHECK_NEAR(outside_hull(line, 2, (double[]){3, 0}), 1, 1e-15);
    CHECK_NEAR(outside_hull(line, 1, (double[]){0, 3}), 3, 1e-15);
    CHECK(isinf(outside_hull(line, 0, (double[]){0, 0})));
}

/* Random hulls against what a hull is: a point is inside where it is a mean of the points, and outside where some
 * direction has it beyond them all. */
static void check_random_hulls(void) {
    check_random random;
    check_random_seed(&random, 3);
    for (int i = 0; i < 1000; i++) {
        double points[12][2], at[2] = {0, 0}, sum = 0;
        const int count = 3 + check_random_index(&random, 10);
        for (int k = 0; k < count; k++) {
            const double weight = check_random_range(&random, 0.01, 1);
            points[k][0] = check_random_range(&random, -1, 1);
            points[k][1] = check_random_range(&random, -1, 1);
            at[0] += weight * points[k][0];
            at[1] += weight * points[k][1];
            sum += weight;
        }
        at[0] /= sum;
        at[1] /= sum;
        check_note("hull %d", i);
        CHECK(outside_hull((const double(*)[2])points, count, at) < 0);
        const double angle = check_random_range(&random, 0, 6.3), way[2] = {cos(angle), sin(angle)};
        double furthest = -INFINITY;
        for (int k = 0; k < count; k++) {
            furthest = fmax(furthest, points[k][0] * way[0] + points[k][1] * way[1]);
        }
        const double beyond = furthest + 0.1 - at[0] * way[0] - at[1] * way[1];
        const double out[2] = {at[0] + beyond * way[0], at[1] + beyond * way[1]};
        CHECK(outside_hull((const double(*)[2])points, count, out) >= 0.1 - 1e-12);
    }
    check_note("%s", "");
}

/* Distances of segments against the least of many pairs of their points. */
static void check_segments(void) {
    static const double o[3] = {0, 0, 0}, x[3] = {1, 0, 0}, above[3] = {0.5, -1, 2}, beyond[3] = {0.5, 1, 2};
    check_random random;
    CHECK_NEAR(segment_distance(o, x, above, beyond), 2, 1e-15);
    CHECK_NEAR(segment_distance(o, x, (double[]){3, 0, 0}, (double[]){4, 0, 0}), 2, 1e-15);
    CHECK_NEAR(segment_distance(o, x, (double[]){0.5, 1, 0}, (double[]){4, 1, 0}), 1, 1e-15);
    CHECK_NEAR(segment_distance(o, o, x, x), 1, 1e-15);
    check_random_seed(&random, 4);
    for (int i = 0; i < 300; i++) {
        double ends[4][3], least = INFINITY;
        for (int k = 0; k < 12; k++) {
            ends[k / 3][k % 3] = check_random_range(&random, -1, 1);
        }
        for (int k = 0; k < 101 * 101; k++) {
            double p[3], q[3];
            for (int c = 0; c < 3; c++) {
                p[c] = ends[0][c] + 0.01 * (k / 101) * (ends[1][c] - ends[0][c]);
                q[c] = ends[2][c] + 0.01 * (k % 101) * (ends[3][c] - ends[2][c]);
            }
            least = fmin(least, distance3(p, q));
        }
        const double found = segment_distance(ends[0], ends[1], ends[2], ends[3]);
        check_note("segments %d", i);
        CHECK(found <= least + 1e-12 && found >= least - 0.025);
    }
    check_note("%s", "");
}

/* --- The judge --------------------------------------------------------------------------------------- */

/* A pose that differs from rest in one variable, and the flaws that this brings. */
typedef struct posed_case {
    const char *variable;
    double value; /* degrees, or metres of the root */
    int is_reach, is_symmetric, is_low, is_seated;
    unsigned flaws;
} posed_case;

#define BIT(f) (1u << FLAW_##f)

static void check_posed(person *p, const posed_case *c) {
    double pose[PERSON_VARIABLES];
    char text[200];
    measures m;
    task t;
    int variable = lb_figure_find_variable(p->figure, c->variable);
    REQUIRE(variable >= 0);
    memset(&t, 0, sizeof t);
    t.is_reach = c->is_reach;
    t.is_symmetric = c->is_symmetric;
    t.is_low = c->is_low;
    t.is_seated = c->is_seated;
    memcpy(pose, p->rest, sizeof pose);
    pose[variable] += strncmp(c->variable, "root.", 5) == 0 && c->variable[5] != 'r' ? c->value : c->value / DEGREES;
    judge(p, &t, pose, &m);
    check_note("%s %g: %s, the spine %g, the centre of mass %g, floor %g (%s), self %g (%s in %s)", c->variable,
               c->value, flaw_text(m.flaws, text), m.spine, m.outside, m.floor, m.in_floor, m.self, m.self_a, m.self_b);
    CHECK_INT(m.flaws, c->flaws);
    check_note("%s", "");
}

static void check_flaws(person *p) {
    static const posed_case cases[] = {
        {"root.x", 0.5, 1, 1, 0, 0, 0}, /* standing elsewhere is standing */
        {"root.z", 0.0008, 1, 1, 0, 0, 0},
        {"root.z", 0.003, 0, 0, 0, 0, BIT(FALL)}, /* in the air */
        {"root.z", -0.0008, 0, 0, 0, 0, 0},
        {"root.z", -0.003, 0, 0, 0, 0, BIT(FLOOR)},
        {"root.ry", 3, 0, 0, 0, 0, BIT(FLOOR) | BIT(FALL)},
        {"root.z", 0, 0, 0, 1, 0, BIT(KNEE)},
        {"spine.flexion", 19, 1, 0, 0, 0, 0},
        {"spine.flexion", 21, 1, 0, 0, 0, BIT(SPINE)},
        {"spine.flexion", 21, 0, 1, 0, 0, 0},
        {"spine.lateral", -26, 0, 0, 0, 0, BIT(LATERAL) | BIT(SELF)}, /* the arm comes to be in the pelvis */
        {"spine.axial", 21, 1, 0, 0, 0, BIT(SPINE)},
        {"left_shoulder.elevation", 20, 0, 0, 0, 0, 0},
        {"left_shoulder.elevation", 45, 0, 0, 0, 0, BIT(IDLE)},
        {"left_shoulder.elevation", 45, 0, 0, 0, 1, 0}, /* seated */
        {"right_shoulder.elevation", 170, 0, 0, 0, 0, BIT(IDLE)},
        {"head.flexion", 14, 0, 0, 0, 0, 0},
        {"root.rx", 45, 0, 0, 0, 0, BIT(HEAD) | BIT(FALL) | BIT(IDLE)},
        {"right_knee", 40, 0, 0, 1, 0, BIT(FALL)}, /* one foot stands, and the centre of mass is not over it */
        {"right_shoulder.abduction", 120, 0, 1, 0, 0, BIT(IDLE) | BIT(SYMMETRY)},
        {"right_hip.abduction", -12, 0, 0, 0, 0, BIT(SELF) | BIT(FALL)},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        check_posed(p, &cases[k]);
    }
}

/* A share of the variables at their limits. */
static void check_limits(person *p) {
    double pose[PERSON_VARIABLES];
    measures m;
    task t;
    int moved = 0, all = 0;
    memset(&t, 0, sizeof t);
    memcpy(pose, p->rest, sizeof pose);
    for (int k = 0; k < p->variable_count; k++) {
        const lb_variable *v = lb_figure_variable(p->figure, k);
        const int counts = strncmp(v->name, "root.", 5) != 0 && !strstr(v->name, "_hand.") && !strstr(v->name, "toes");
        all += counts;
        if (counts && moved < 6 && v->upper - v->rest > 10 / DEGREES) {
            pose[k] = v->upper - 0.04 * (v->upper - v->lower);
            moved++;
        }
    }
    judge(p, &t, pose, &m);
    CHECK_NEAR(m.near_limits, (double)moved / all, 1e-12);
    CHECK_INT(!(m.flaws & BIT(LIMITS)), m.near_limits <= BODY_NEAR_LIMITS);
    CHECK_INT(all, 38); /* 52 less the root, the fingers and the toes */
}

static void check_goal(person *p, const task *t, unsigned flaws) {
    measures m;
    char text[200];
    judge(p, t, p->rest, &m);
    check_note("%s of kind %d: %s, %g m, %g rad", t->goals[0].effector, t->goals[0].kind, flaw_text(m.flaws, text),
               m.goal_m, m.goal_rad);
    CHECK_INT(m.flaws, flaws);
    check_note("%s", "");
}

static task goal_task(const char *effector, lb_goal_kind kind, const double point[3]) {
    task t;
    memset(&t, 0, sizeof t);
    t.goal_count = 1;
    strcpy(t.goals[0].effector, effector);
    t.goals[0].kind = kind;
    t.goals[0].normal[2] = 1;
    memcpy(t.goals[0].point, point, sizeof t.goals[0].point);
    return t;
}

/* Goals that are met at rest, and that are missed by a little more than is allowed. */
static void check_goals(person *p) {
    double at[3], inverse[12];
    person_pose(p, p->rest);
    person_site(p, "right_palm", at);
    task t = goal_task("right_palm", LB_GOAL_POSITION, at);
    check_goal(p, &t, 0);
    t.goals[0].point[1] += 0.9e-5;
    check_goal(p, &t, 0);
    t.goals[0].point[1] += 0.2e-5;
    check_goal(p, &t, BIT(GOAL));

    t = goal_task("right_palm", LB_GOAL_PLANE, (double[]){5, 5, at[2]});
    check_goal(p, &t, 0);
    t.goals[0].point[2] += 1.1e-5;
    check_goal(p, &t, BIT(GOAL));

    t = goal_task("right_palm", LB_GOAL_LINE, (double[]){at[0], at[1], 3});
    check_goal(p, &t, 0);
    t.goals[0].point[0] += 1.1e-5;
    check_goal(p, &t, BIT(GOAL));

    /* The palm at rest looks at the thigh, more or less: take its own axes. */
    t = goal_task("right_palm", LB_GOAL_FRAME, at);
    lb_frame frame;
    double m[9];
    REQUIRE(lb_kinematics_site(p->kinematics, lb_figure_find_site(p->figure, "right_palm"), &frame) == LB_OK);
    lb_rotation_to_matrix(frame.rotation, m);
    for (int c = 0; c < 3; c++) {
        t.goals[0].x[c] = m[3 * c];
        t.goals[0].y[c] = m[3 * c + 1];
    }
    t.goals[0].has_x = t.goals[0].has_y = 1;
    check_goal(p, &t, 0);
    for (int c = 0; c < 3; c++) {
        t.goals[0].y[c] += 3e-5 * m[3 * c + 2];
    }
    check_goal(p, &t, BIT(GOAL));
    t.goals[0].has_y = 0;
    check_goal(p, &t, 0);

    /* The same point in the frame of the thigh. */
    const double *thigh = p->matrices[lb_figure_find_segment(p->figure, "right_thigh")];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            inverse[4 * i + k] = thigh[4 * k + i];
        }
        inverse[4 * i + 3] = -(thigh[i] * thigh[3] + thigh[4 + i] * thigh[7] + thigh[8 + i] * thigh[11]);
    }
    t = goal_task("right_palm", LB_GOAL_POSITION, at);
    carry(inverse, at, t.goals[0].point);
    check_goal(p, &t, BIT(GOAL));
    strcpy(t.goals[0].carrier, "right_thigh");
    check_goal(p, &t, 0);
}

/* Parallel eyes look at what is far away; near by, both of them have to turn. */
static void check_aim(person *p) {
    double at[3];
    person_pose(p, p->rest);
    person_site(p, "gaze", at);
    task t = goal_task("gaze", LB_GOAL_AIM, (double[]){1e5, at[1], at[2]});
    measures m;
    judge(p, &t, p->rest, &m);
    CHECK_NEAR(m.goal_rad, 0, 1e-6);
    t.goals[0].point[0] = 1;
    judge(p, &t, p->rest, &m);
    CHECK_NEAR(m.goal_rad, atan(0.0315 / (1 - 0.1)), 5e-3);
    CHECK(m.flaws & BIT(GOAL));
    /* What is no gaze aims by its own x. */
    strcpy(t.goals[0].effector, "viewpoint");
    judge(p, &t, p->rest, &m);
    CHECK_NEAR(m.goal_rad, 0, 1e-9);
}

/* A palm on a table carries, if it is there. */
static void check_supports(person *p) {
    double at[3];
    measures m, without;
    task t;
    memset(&t, 0, sizeof t);
    judge(p, &t, p->rest, &without);
    person_site(p, "left_palm", at);
    t.support_count = 1;
    strcpy(t.supports[0].contact, "left_palm");
    strcpy(t.supports[0].surface, "table");
    memcpy(t.supports[0].point, at, sizeof at);
    t.supports[0].point[0] += 0.1;
    t.supports[0].half_size[0] = 0.11;
    t.supports[0].half_size[1] = INFINITY;
    judge(p, &t, p->rest, &m);
    CHECK_INT(m.flaws, 0);
    CHECK(m.outside <= without.outside);
    t.supports[0].half_size[0] = 0.09; /* beside the table */
    judge(p, &t, p->rest, &m);
    CHECK_NEAR(m.support, 0.01, 1e-12);
    CHECK_INT(m.flaws, BIT(SUPPORT));
    t.supports[0].half_size[0] = 0.11;
    t.supports[0].point[2] -= 0.002; /* above it */
    judge(p, &t, p->rest, &m);
    CHECK_INT(m.flaws, BIT(SUPPORT));
    CHECK_NEAR(m.outside, without.outside, 1e-12);
}

/* What overlaps at rest may do so, and no more than that. */
static void check_overlap_at_rest(void) {
    lb_figure *figure = load_human(0);
    double pose[PERSON_VARIABLES];
    person p;
    measures m;
    task t;
    memset(&t, 0, sizeof t);
    stand_in_body(figure, 0.06);
    person_make(figure, &p);
    judge(&p, &t, p.rest, &m);
    CHECK_NEAR(m.self, 0, 1e-12);
    CHECK_INT(m.flaws, 0);
    memcpy(pose, p.rest, sizeof pose);
    int variable = lb_figure_find_variable(figure, "right_shoulder.abduction");
    pose[variable] = fmax(lb_figure_variable(figure, variable)->lower, p.rest[variable] - 5 / DEGREES);
    judge(&p, &t, pose, &m);
    CHECK_INT(m.flaws, BIT(SELF));
    person_free(&p);
    lb_figure_destroy(figure);
}

void check_the_judge(void) {
    lb_figure *figure = load_human(0);
    person p;
    double com[3];
    measures m;
    task t;
    check_hull();
    check_random_hulls();
    check_segments();
    check_overlap_at_rest();
    stand_in_body(figure, 0);
    person_make(figure, &p);
    CHECK_INT(p.pair_count, 131);
    memset(&t, 0, sizeof t);
    judge(&p, &t, p.rest, &m);
    lb_kinematics_com(p.kinematics, com);
    CHECK(distance3(com, m.com) < 1e-12);
    CHECK(m.self < 0);
    check_flaws(&p);
    check_limits(&p);
    check_goals(&p);
    check_aim(&p);
    check_supports(&p);
    person_free(&p);
    lb_figure_destroy(figure);
}

/* --- The tasks --------------------------------------------------------------------------------------- */

/* Made from the task, the problem is the one of the file. */
static void check_same_problem(const lb_problem *a, const lb_problem *b) {
    CHECK_INT(lb_problem_constraint_count(a), lb_problem_constraint_count(b));
    for (int k = 0; k < lb_problem_constraint_count(a); k++) {
        const lb_constraint *c = lb_problem_constraint(a, k), *d = lb_problem_constraint(b, k);
        CHECK(c->goal.kind == d->goal.kind && c->goal.carrier_segment == d->goal.carrier_segment);
        CHECK(distance3(c->goal.point, d->goal.point) == 0 && distance3(c->goal.normal, d->goal.normal) == 0);
        CHECK(distance3(c->goal.x, d->goal.x) < 1e-15 && distance3(c->goal.y, d->goal.y) < 1e-15); /* unit again */
        CHECK(c->goal.degrees_x == d->goal.degrees_x && c->goal.degrees_y == d->goal.degrees_y);
        CHECK(c->effector.segment == d->effector.segment && distance3(c->effector.point, d->effector.point) == 0);
        CHECK(c->weight == d->weight && c->tolerance[0] == d->tolerance[0] && c->tolerance_rad == d->tolerance_rad);
    }
    const lb_body_options *o = lb_problem_body(a, 0), *q = lb_problem_body(b, 0);
    CHECK_INT(o->surface_count, q->surface_count);
    CHECK_INT(o->support_count, q->support_count);
    for (int k = 0; k < o->support_count; k++) {
        CHECK(o->supports[k].contact == q->supports[k].contact && o->supports[k].surface == q->supports[k].surface);
    }
}

/* Saved and read again, it is so, too. */
static void check_saved(lb_problem_file *file) {
    char path[1200], models[1024];
    lb_load_options options;
    lb_problem_file *again = NULL;
    lb_error error;
    check_scratch("task.json", path, sizeof path);
    REQUIRE(check_source("models", models, sizeof models));
    lb_load_options_defaults(&options);
    options.models = models;
    REQUIRE(lb_problem_save(file, NULL, NULL, path, &error) == LB_OK);
    REQUIRE(lb_problem_load(path, &options, &again, &error) == LB_OK);
    check_same_problem(lb_problem_file_problem(file), lb_problem_file_problem(again));
    lb_problem_file_destroy(again);
}

/* A pose somewhere inside the limits, near rest. */
static void random_pose(const person *p, check_random *random, double *pose) {
    for (int k = 0; k < p->variable_count; k++) {
        const lb_variable *v = lb_figure_variable(p->figure, k);
        const double range = isfinite(v->upper - v->lower) ? v->upper - v->lower : 0.5;
        pose[k] = fmax(v->lower, fmin(v->upper, p->rest[k] + range * check_random_range(random, -0.3, 0.3)));
    }
}

static void check_same_measures(const measures *a, const measures *b, double factor, double tolerance) {
    CHECK_NEAR(a->goal_m * factor, b->goal_m, tolerance);
    CHECK_NEAR(a->goal_rad, b->goal_rad, tolerance);
    CHECK_NEAR(a->support * factor, b->support, tolerance);
    CHECK_NEAR(a->outside * factor, b->outside, tolerance);
    CHECK_NEAR(a->floor * factor, b->floor, tolerance);
    CHECK_NEAR(a->self * factor, b->self, tolerance);
    CHECK_NEAR(a->idle, b->idle, tolerance);
    CHECK_NEAR(a->head, b->head, tolerance);
    CHECK_NEAR(a->spine, b->spine, tolerance);
    CHECK_NEAR(a->knee, b->knee, tolerance);
    CHECK_NEAR(a->symmetry, b->symmetry, tolerance);
    CHECK_NEAR(a->near_limits, b->near_limits, tolerance);
}

/* The mirrored pose does the mirrored task as well as the pose does the task; a giant does the scaled one so. */
static void check_transformed(person *p, person *tall, const task *t, check_random *random) {
    double pose[PERSON_VARIABLES], other[PERSON_VARIABLES];
    const double factor = lb_figure_stature(tall->figure) / lb_figure_stature(p->figure);
    measures m, n;
    task changed;
    random_pose(p, random, pose);
    judge(p, t, pose, &m);
    task_mirror(t, p->figure, &changed);
    pose_mirror(p->figure, pose, other);
    judge(p, &changed, other, &n);
    check_note("%s mirrored", t->name);
    check_same_measures(&m, &n, 1, 1e-9);
    task_scale(t, factor, &changed);
    memcpy(other, pose, sizeof other);
    for (int k = 0; k < 3; k++) {
        other[k] *= factor;
    }
    judge(tall, &changed, other, &n);
    check_note("%s scaled", t->name);
    check_same_measures(&m, &n, factor, 1e-9);
    check_note("%s", "");
}

void check_the_tasks(void) {
    lb_figure *figure = load_human(2.0);
    check_random random;
    person p, tall;
    check_random_seed(&random, 5);
    person_make(figure, &tall);
    for (int k = 0; k < task_count; k++) {
        task t, twice;
        lb_problem_file *file = task_load(k, &t);
        const lb_problem *problem = lb_problem_file_problem(file);
        check_note("%s", t.name);
        person_make(lb_problem_figure(problem, 0), &p);
        lb_problem *made = task_problem(&t, p.figure);
        check_same_problem(problem, made);
        check_saved(file);
        task_mirror(&t, p.figure, &twice);
        lb_problem *mirrored = task_problem(&twice, p.figure);
        lb_problem_destroy(mirrored);
        task_mirror(&twice, p.figure, &twice);
        lb_problem *again = task_problem(&twice, p.figure);
        check_same_problem(problem, again);
        for (int i = 0; i < 5; i++) {
            check_transformed(&p, &tall, &t, &random);
        }
        lb_problem_destroy(made);
        lb_problem_destroy(again);
        person_free(&p);
        lb_problem_file_destroy(file);
    }
    person_free(&tall);
    lb_figure_destroy(figure);
}
