/* What the caller states himself comes before the body's own terms: balance, what is kept, a root that does not move.
 * And what is not possible is refused with a sentence, nothing changed. */
#include <math.h>
#include <string.h>

#include "body/points.h"
#include "people/people.h"
#include "property.h"

static property properties[] = {{.name = "a root that is switched off stays, to the bit"},
                                {.name = "what is kept stays where it was"},
                                {.name = "a balance of the caller's own replaces that of the feet"},
                                {.name = "batches answer as single solves, to the bit"},
                                {.name = "lb_solve answers as a solver, to the bit"},
                                {.name = "a stranger in the problem is posed, too"}};
enum { ROOT, KEPT, BALANCE, MANY, ONCE, STRANGER };

#define TOLERANCE 2e-5 /* metres: three coordinates, each within its tolerance */

static void place_site(const people *p, const double *pose, const char *name, double at[3]) {
    lb_kinematics *k = lb_kinematics_create(p->figure, NULL);
    lb_frame frame;
    REQUIRE(k && lb_kinematics_update(k, pose) == LB_OK);
    REQUIRE(lb_kinematics_site(k, lb_figure_find_site(p->figure, name), &frame) == LB_OK);
    memcpy(at, frame.position, 3 * sizeof *at);
    lb_kinematics_destroy(k);
}

static double apart(const double a[3], const double b[3]) {
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* --- What is stated -------------------------------------------------------------------------------------------------- */

/* Standing, or hung up in the air. */
static void check_root(uint64_t seed) {
    people_answer a;
    people p;
    people_stand(&p, seed);
    p.start[2] += check_random_index(&p.random, 2) ? 0.4 : 0;
    const double up = p.start[2] - p.rest[2];
    int id =
        people_reach(&p, "right_palm", check_random_range(&p.random, 0.25, 0.4),
                     check_random_range(&p.random, -0.3, -0.1), check_random_range(&p.random, 1, 1.3) + up / p.size, 0);
    REQUIRE(lb_problem_set_root_active(p.problem, 0, 0) == LB_OK);
    people_solve_afresh(&p, NULL, p.start, &a);
    property_expect(&properties[ROOT],
                    a.status == LB_OK && memcmp(a.pose, p.start, 6 * sizeof(double)) == 0 &&
                        people_missed(&a, id) < TOLERANCE,
                    "%.2f m, %g m up: %s, missed by %g, \"%s\"", 1.75 * p.size, up, lb_outcome_name(a.result.outcome),
                    people_missed(&a, id), a.result.explanation);
    people_free(&p);
}

/* A raised left hand, or a foot in the air, that is kept. */
static void check_kept(uint64_t seed) {
    people_answer a;
    people p;
    lb_constraint c;
    double before[3], after[3];
    people_stand(&p, seed);
    const int is_hand = check_random_index(&p.random, 2);
    const char *site = is_hand ? "left_palm" : "left_toe";
    if (is_hand) {
        p.start[lb_figure_find_variable(p.figure, "left_shoulder.elevation")] = 1.2;
    } else {
        p.start[lb_figure_find_variable(p.figure, "left_hip.flexion")] = 0.5;
        p.start[lb_figure_find_variable(p.figure, "left_knee")] = 0.6;
    }
    REQUIRE(lb_constraint_keep(p.figure, site, p.start, &c) == LB_OK);
    people_add(&p, &c);
    people_reach(&p, "right_palm", 0.35, check_random_range(&p.random, -0.3, -0.1),
                 check_random_range(&p.random, 0.9, 1.3), 0);
    people_solve_afresh(&p, NULL, p.start, &a);
    place_site(&p, p.start, site, before);
    place_site(&p, a.pose, site, after);
    property_expect(&properties[KEPT], a.result.outcome == LB_OUTCOME_SOLVED && apart(before, after) < TOLERANCE,
                    "%.2f m, %s: %s, moved by %g, \"%s\"", 1.75 * p.size, site, lb_outcome_name(a.result.outcome),
                    apart(before, after), a.result.explanation);
    people_free(&p);
}

/* The centre of mass is to be over a square beside the feet, where the contacts of feet could not hold it. */
static void check_balance(uint64_t seed) {
    people_answer a;
    people p;
    lb_constraint c;
    double faces[4][4], ankle[3];
    people_stand(&p, seed);
    place_site(&p, p.rest, "right_toe", ankle);
    const double x = ankle[0] + 0.1 * p.size, y = 0;
    const double corners[4][3] = {{x, y - 0.1, 0}, {x + 0.1, y - 0.1, 0}, {x + 0.1, y + 0.1, 0}, {x, y + 0.1, 0}};
    REQUIRE(lb_constraint_balance(4, corners, 0, faces, &c) == LB_OK);
    people_add(&p, &c);
    people_reach(&p, "right_palm", 0.5, -0.2, check_random_range(&p.random, 0.9, 1.3), 0);
    people_solve_afresh(&p, NULL, p.start, &a);
    const int is_over = a.body.com[0] >= x - TOLERANCE && a.body.com[0] <= x + 0.1 + TOLERANCE &&
                        fabs(a.body.com[1] - y) <= 0.1 + TOLERANCE;
    property_expect(&properties[BALANCE], a.result.outcome == LB_OUTCOME_SOLVED && is_over,
                    "%.2f m: %s, the centre of mass at %g %g, wanted from x %g, \"%s\"", 1.75 * p.size,
                    lb_outcome_name(a.result.outcome), a.body.com[0], a.body.com[1], x, a.result.explanation);
    people_free(&p);
}

/* --- Other ways to call ---------------------------------------------------------------------------------------------- */

static void check_batches(uint64_t seed) {
    enum { COUNT = 3 };
    double poses[COUNT][PEOPLE_VARIABLES], start[PEOPLE_VARIABLES], packed[COUNT * PEOPLE_VARIABLES];
    lb_frame goals[COUNT];
    lb_answer answers[COUNT];
    lb_error error = {0};
    lb_many many;
    people p;
    people_stand(&p, seed);
    int id = people_reach(&p, "right_palm", 0.3, -0.2, 1.2, 0), same = 1;
    memcpy(start, p.start, sizeof start);
    for (int i = 0; i < COUNT; i++) {
        people_answer a;
        goals[i] = (lb_frame){{0, 0, 0}, {0, 0, 0, 1}};
        people_point(&p, goals[i].position);
        REQUIRE(lb_problem_move_goal(p.problem, id, &goals[i]) == LB_OK);
        people_solve_afresh(&p, NULL, start, &a);
        memcpy(poses[i], a.pose, sizeof poses[i]);
    }
    lb_many_defaults(&many);
    many.count = COUNT;
    many.goal_count = 1;
    many.ids = &id;
    many.goals = goals;
    many.starts = start;
    many.one_start = 1;
    many.threads = 1 + check_random_index(&p.random, 2);
    lb_status status = lb_solve_many(p.problem, NULL, &many, packed, answers, &error);
    for (int i = 0; i < COUNT && status == LB_OK; i++) {
        same &= memcmp(packed + i * p.variables, poses[i], (size_t)p.variables * sizeof(double)) == 0;
    }
    property_expect(&properties[MANY], status == LB_OK ? same : status == LB_ERROR_UNSUPPORTED && error.message[0] != 0,
                    "%d threads: status %d, same %d, \"%s\"", many.threads, status, same, error.message);
    people_free(&p);
}

static void check_once(uint64_t seed) {
    people_answer a;
    people p;
    lb_result result;
    double pose[PEOPLE_VARIABLES];
    people_make(&p, seed, 0);
    people_solve_afresh(&p, NULL, p.start, &a);
    lb_result_defaults(&result);
    memcpy(pose, p.start, sizeof pose);
    lb_status status = lb_solve(p.problem, NULL, pose, &result);
    property_expect(&properties[ONCE],
                    status == a.status && memcmp(pose, a.pose, (size_t)p.variables * sizeof *pose) == 0 &&
                        result.outcome == a.result.outcome,
                    "%s: status %d, %s and %s", p.text, status, lb_outcome_name(result.outcome),
                    lb_outcome_name(a.result.outcome));
    people_free(&p);
}

/* A second person: plain, or a body, too. */
static void check_stranger(uint64_t seed) {
    double pose[2 * PEOPLE_VARIABLES];
    lb_result result;
    people p;
    lb_constraint c;
    people_stand(&p, seed);
    const int is_body = check_random_index(&p.random, 2), n = p.variables;
    const double point[3] = {2.3, 0.25, 1.2 * p.size};
    REQUIRE(lb_problem_add_figure(p.problem, p.figure) == 1);
    REQUIRE(!is_body || lb_problem_set_body(p.problem, 1, NULL) == LB_OK);
    people_reach(&p, "right_palm", 0.35, -0.2, check_random_range(&p.random, 0.5, 1.3), 0);
    REQUIRE(lb_constraint_at(p.figure, "left_palm", point, &c) == LB_OK);
    c.figure = 1;
    people_add(&p, &c);
    memcpy(pose, p.rest, (size_t)n * sizeof *pose);
    memcpy(pose + n, p.rest, (size_t)n * sizeof *pose);
    pose[n] += 2;
    lb_solver *solver = lb_solver_create(p.problem, NULL);
    lb_result_defaults(&result);
    REQUIRE(solver);
    lb_status status = lb_solver_solve(solver, NULL, pose, &result);
    const lb_body_result *first = lb_solver_body(solver, 0), *second = lb_solver_body(solver, 1);
    property_expect(&properties[STRANGER],
                    status == LB_OK && result.outcome == LB_OUTCOME_SOLVED && people_outside(&p, pose) <= 1e-9 &&
                        people_outside(&p, pose + n) <= 1e-9 && first && first->margin > 0 &&
                        (is_body ? second && second->margin > 0 : !second),
                    "body %d: status %d, %s, margins %g and %g, \"%s\"", is_body, status,
                    lb_outcome_name(result.outcome), first ? first->margin : NAN, second ? second->margin : NAN,
                    result.explanation);
    lb_solver_destroy(solver);
    people_free(&p);
}

/* --- What is refused ------------------------------------------------------------------------------------------------- */

#define REFUSED(change)                                                          \
    do {                                                                         \
        lb_body_options o;                                                       \
        lb_body_options_defaults(&o);                                            \
        o.surfaces = &surface, o.loads = &load, o.supports = &support;           \
        change;                                                                  \
        CHECK_INT(lb_problem_set_body(p.problem, 0, &o), LB_ERROR_ARGUMENT);     \
        CHECK(lb_problem_error(p.problem)->message[0] != 0);                     \
        CHECK(lb_problem_body(p.problem, 0)->posture == 0.5);                    \
        surface = good_surface, load = good_load, support = (lb_support){0, -1}; \
    } while (0)

static void check_refused_options(void) {
    const lb_surface good_surface = {.name = "table", .point = {0, 0, 1}, .half_size = {1, 1}};
    const lb_load good_load = {0, {0, 0, 0}, 1};
    lb_surface surface = good_surface;
    lb_load load = good_load;
    lb_support support = {0, -1};
    lb_body_options kept;
    people p;
    people_stand(&p, 1);
    lb_body_options_defaults(&kept);
    kept.posture = 0.5;
    REQUIRE(lb_problem_set_body(p.problem, 0, &kept) == LB_OK);
    REFUSED(o.posture = NAN);
    REFUSED(o.comfort = -1);
    REFUSED(o.effort = INFINITY);
    REFUSED(o.hang = NAN);
    REFUSED(o.head = -INFINITY);
    REFUSED(o.look = NAN);
    REFUSED(o.feet = -0.1);
    REFUSED(o.habit = NAN);
    REFUSED(o.floor = INFINITY);
    REFUSED(o.feet_modes[1] = (lb_foot_mode)7);
    REFUSED((o.load_count = 1, load.mass = NAN));
    REFUSED((o.load_count = 1, load.mass = -1));
    REFUSED((o.load_count = 1, load.segment = 1000));
    REFUSED((o.load_count = 1, load.point[1] = NAN));
    REFUSED((o.surface_count = 1, surface.point[2] = NAN));
    REFUSED((o.surface_count = 1, surface.half_size[0] = 0));
    REFUSED((o.surface_count = 1, surface.half_size[1] = NAN));
    REFUSED((o.support_count = 1, support.contact = -1));
    REFUSED((o.support_count = 1, support.contact = 1000));
    REFUSED((o.support_count = 1, support.surface = 0));
    CHECK_INT(lb_problem_set_body(p.problem, 1, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_set_body(NULL, 0, NULL), LB_ERROR_ARGUMENT);

    /* Options of the problem itself may be changed and given back. */
    const lb_surface two[2] = {good_surface, {.name = "seat", .point = {0, 0, 0.5}, .half_size = {0.2, 0.2}}};
    lb_body_options_defaults(&kept);
    kept.surfaces = two;
    kept.surface_count = 2;
    REQUIRE(lb_problem_set_body(p.problem, 0, &kept) == LB_OK);
    lb_body_options again = *lb_problem_body(p.problem, 0);
    again.look = 0;
    REQUIRE(lb_problem_set_body(p.problem, 0, &again) == LB_OK);
    CHECK_TEXT(lb_problem_body(p.problem, 0)->surfaces[1].name, "seat");
    CHECK_NEAR(lb_problem_body(p.problem, 0)->surfaces[1].point[2], 0.5, 0);
    people_free(&p);
}

static void check_refused_solves(void) {
    people_answer a;
    people p;
    lb_solve_options o;
    lb_result result;
    double poses[2 * PEOPLE_VARIABLES];
    people_stand(&p, 2);
    people_reach(&p, "right_palm", 0.3, -0.2, 1.2, 0);
    lb_solver *solver = lb_solver_create(p.problem, NULL);
    for (int i = 0; i < p.variables; i += 7) {
        double start[PEOPLE_VARIABLES];
        memcpy(start, p.start, sizeof start);
        start[i] = i % 2 ? NAN : INFINITY;
        people_solve(&p, solver, NULL, start, &a);
        CHECK(a.status < 0);
        CHECK_INT(a.result.outcome, LB_OUTCOME_INVALID);
        CHECK(memcmp(a.pose, start, (size_t)p.variables * sizeof *start) == 0);
        CHECK(a.result.explanation[0] != 0);
    }
    for (int method = LB_METHOD_BFGS; method <= LB_METHOD_FABRIK; method++) {
        lb_solve_options_defaults(&o);
        o.method = (lb_method)method;
        people_solve(&p, solver, &o, p.start, &a);
        CHECK_INT(a.status, LB_ERROR_UNSUPPORTED);
        CHECK_HAS(a.result.explanation, "body");
        CHECK(memcmp(a.pose, p.start, (size_t)p.variables * sizeof *p.start) == 0);
    }
    lb_result_defaults(&result);
    CHECK_INT(lb_solver_solve_all(solver, NULL, p.start, 0.1, 2, poses, &result), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(result.explanation, "body");
    lb_constraint c = *lb_problem_constraint(p.problem, 0);
    c.goal.point[1] = NAN;
    CHECK(lb_problem_add(p.problem, &c) < 0);
    people_solve(&p, solver, NULL, p.start, &a); /* and all is as before */
    CHECK_INT(a.result.outcome, LB_OUTCOME_SOLVED);
    lb_solver_destroy(solver);

    /* Without its body the figure is posed by any method again. */
    CHECK_INT(lb_problem_clear_body(p.problem, 0), LB_OK);
    lb_solve_options_defaults(&o);
    o.method = LB_METHOD_BFGS;
    solver = lb_solver_create(p.problem, NULL);
    people_solve(&p, solver, &o, p.start, &a);
    CHECK_INT(a.status, LB_OK);
    CHECK(lb_solver_body(solver, 0) == NULL);
    lb_solver_destroy(solver);
    people_free(&p);
}

static void run(long number, uint64_t seed) {
    if (number == 0) {
        check_refused_options();
        check_refused_solves();
    }
    check_root(seed);
    check_kept(seed);
    check_balance(seed);
    check_batches(seed);
    check_once(seed);
    check_stranger(seed);
}

int main(int argc, char **argv) { return property_main(argc, argv, 30, 300, run, properties, 6); }
