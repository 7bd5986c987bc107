/* Finite in, finite out: a number that is not finite - in the start pose, in any field of a goal or constraint, in weights,
 * wishes, rigidity - is refused with LB_ERROR_ARGUMENT, and nothing is changed: the next solve gives the same
 * bits as before. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "check.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"

static property properties[] = {{.name = "a start that is not finite is refused"},
                                {.name = "a constraint that is not finite is refused"},
                                {.name = "a frame, weight or wish that is not finite is refused"},
                                {.name = "options that are not finite are refused, or do no harm"},
                                {.name = "what was refused has changed nothing"}};
enum { START, CONSTRAINT, QUICK, OPTIONS, UNCHANGED };

static double not_finite(uint64_t *seed) {
    int kind = random_below(seed, 3);
    return kind == 0 ? (double)NAN : kind == 1 ? (double)INFINITY : -(double)INFINITY;
}

/* The doubles of a constraint, by their places. */
static const struct {
    const char *name;
    size_t at;
    int count;
} fields[] = {{"effector.point", offsetof(lb_constraint, effector.point), 3},
              {"effector.x", offsetof(lb_constraint, effector.x), 3},
              {"effector.y", offsetof(lb_constraint, effector.y), 3},
              {"radius", offsetof(lb_constraint, radius), 1},
              {"half_length", offsetof(lb_constraint, half_length), 1},
              {"goal.point", offsetof(lb_constraint, goal.point), 3},
              {"goal.x", offsetof(lb_constraint, goal.x), 3},
              {"goal.y", offsetof(lb_constraint, goal.y), 3},
              {"goal.normal", offsetof(lb_constraint, goal.normal), 3},
              {"goal.rotation", offsetof(lb_constraint, goal.rotation), 4},
              {"goal.size", offsetof(lb_constraint, goal.size), 3},
              {"goal.degrees_x", offsetof(lb_constraint, goal.degrees_x), 1},
              {"goal.degrees_y", offsetof(lb_constraint, goal.degrees_y), 1},
              {"goal.weight_position", offsetof(lb_constraint, goal.weight_position), 1},
              {"goal.weight_orientation", offsetof(lb_constraint, goal.weight_orientation), 1},
              {"weight", offsetof(lb_constraint, weight), 1},
              {"tolerance", offsetof(lb_constraint, tolerance), 3},
              {"tolerance_rad", offsetof(lb_constraint, tolerance_rad), 1}};

/* Whether a goal of this kind looks at the field; a tolerance without an end is one that anything meets. */
static int looks_at(const lb_constraint *c, const char *field, double bad) {
    lb_goal_kind kind = c->goal.kind;
    int turns = kind == LB_GOAL_ORIENTATION || kind == LB_GOAL_FRAME;
    int is_region = kind >= LB_GOAL_BOX && kind <= LB_GOAL_DISC;
    if (strncmp(field, "effector", 8) == 0) {
        return c->effector.kind == LB_EFFECTOR_FRAME;
    }
    if (strncmp(field, "tolerance", 9) == 0) {
        return !(bad > 0);
    }
    if (strcmp(field, "goal.point") == 0) {
        return kind != LB_GOAL_ORIENTATION && kind != LB_GOAL_POLYHEDRON && kind != LB_GOAL_CUSTOM;
    }
    if (strcmp(field, "goal.x") == 0) {
        return turns && c->goal.degrees_x > 0;
    }
    if (strcmp(field, "goal.y") == 0) {
        return turns && c->goal.degrees_y > 0;
    }
    if (strcmp(field, "goal.normal") == 0) {
        return kind >= LB_GOAL_LINE && kind <= LB_GOAL_HALF_SPACE;
    }
    if (strcmp(field, "goal.rotation") == 0) {
        return is_region && kind != LB_GOAL_SPHERE;
    }
    if (strcmp(field, "goal.size") == 0) {
        return kind == LB_GOAL_BOX;
    }
    if (strncmp(field, "goal.degrees", 12) == 0) {
        return turns;
    }
    if (strncmp(field, "goal.weight", 11) == 0) {
        return kind == LB_GOAL_FRAME;
    }
    return 1;
}

/* Returns whether the problem is as it was. */
static int spoil_constraint(const random_problem *p, uint64_t *seed) {
    int which = random_below(seed, (int)(sizeof fields / sizeof *fields));
    int index = random_below(seed, lb_problem_constraint_count(p->problem));
    int id = lb_problem_constraint_id(p->problem, index), place = random_below(seed, fields[which].count);
    double bad = not_finite(seed), faces[8][4];
    lb_constraint kept = *lb_problem_constraint(p->problem, index), c;
    REQUIRE(kept.goal.face_count <= 8);
    if (kept.goal.face_count) {
        memcpy(faces, kept.goal.faces, (size_t)kept.goal.face_count * sizeof *faces);
    }
    kept.goal.faces = (const double(*)[4])faces;
    kept.name = "goal";
    c = kept;
    memcpy((char *)&c + fields[which].at + (size_t)place * sizeof bad, &bad, sizeof bad);
    int is_used = looks_at(&kept, fields[which].name, bad), added = lb_problem_add(p->problem, &c);
    if (added > 0) {
        CHECK(lb_problem_remove(p->problem, added) == LB_OK);
    }
    lb_status changed = lb_problem_change(p->problem, id, &c);
    if (is_used) {
        property_expect(&properties[CONSTRAINT], changed == LB_ERROR_ARGUMENT && added == LB_ERROR_ARGUMENT,
                        "%s[%d] = %g, goal kind %d: change gave %d, add gave %d", fields[which].name, place, bad,
                        c.goal.kind, changed, added);
    }
    return changed != LB_OK;
}

static lb_status spoil_quickly(const random_problem *p, int what, double bad, uint64_t *seed) {
    int n = lb_problem_variable_count(p->problem);
    int id = lb_problem_constraint_id(p->problem, random_below(seed, lb_problem_constraint_count(p->problem)));
    double pose[RANDOM_MOST_VARIABLES];
    lb_frame frame;
    lb_frame_identity(&frame);
    memcpy(pose, p->start, sizeof(double) * (size_t)n);
    if (n) {
        pose[random_below(seed, n)] = bad;
    }
    switch (what) {
    case 0:
        frame.position[random_below(seed, 3)] = bad;
        return lb_problem_move_goal(p->problem, id, &frame);
    case 1:
        frame.rotation[random_below(seed, 4)] = bad;
        return lb_problem_move_goal(p->problem, id, &frame);
    case 2:
        return lb_problem_set_weight(p->problem, id, bad);
    case 3:
        return lb_problem_set_stay(p->problem, bad);
    case 4:
        return lb_problem_set_margin(p->problem, 0.1, bad);
    case 5:
        return lb_problem_set_margin(p->problem, bad, 0.1);
    case 6:
        return lb_problem_set_posture(p->problem, NULL, bad);
    case 7:
        return n ? lb_problem_set_posture(p->problem, pose, 0.1) : LB_ERROR_ARGUMENT;
    default:
        return n ? lb_problem_set_rigidity(p->problem, random_below(seed, n), bad) : LB_ERROR_ARGUMENT;
    }
}

static void spoil_start(const random_problem *p, lb_solver *solver, const lb_solve_options *options, uint64_t *seed) {
    static answer a;
    double start[RANDOM_MOST_VARIABLES], poses[RANDOM_MOST_VARIABLES], value;
    lb_result result;
    lb_result_defaults(&result);
    int n = lb_problem_variable_count(p->problem);
    if (n == 0) {
        return;
    }
    result.answer_count = -1;
    memcpy(start, p->start, (size_t)n * sizeof *start);
    start[random_below(seed, n)] = not_finite(seed);
    answer_solve(solver, options, start, n, &a);
    int same = memcmp(start, a.pose, (size_t)n * sizeof *start) == 0;
    lb_status all = lb_solver_solve_all(solver, options, start, 0.1, 1, poses, &result);
    int found = result.answer_count;
    lb_status valued = lb_solver_value(solver, start, &value, NULL);
    property_expect(&properties[START],
                    a.status == LB_ERROR_ARGUMENT && a.result.outcome == LB_OUTCOME_INVALID && same &&
                        all == LB_ERROR_ARGUMENT && found == 0 && valued == LB_ERROR_ARGUMENT,
                    "solve %d (%s%s), solve_all %d (%d found), value %d", a.status, lb_outcome_name(a.result.outcome),
                    same ? "" : ", pose changed", all, found, valued);
}

static void spoil_options(const random_problem *p, lb_solver *solver, const lb_solve_options *options, uint64_t *seed) {
    static answer a;
    lb_solve_options bad = *options;
    int which = random_below(seed, 3), n = lb_problem_variable_count(p->problem);
    double number = not_finite(seed);
    if (which == 0) {
        bad.preferred = number;
    }
    if (which == 1) {
        bad.gradient_tolerance = number;
    }
    if (which == 2) {
        bad.deadline_us = NAN;
    }
    answer_solve(solver, &bad, p->start, n, &a);
    int is_finite = isfinite(a.result.value) && isfinite(a.result.gradient_norm);
    for (int i = 0; i < n; i++) {
        is_finite &= isfinite(a.pose[i]) != 0;
    }
    int is_same = memcmp(a.pose, p->start, (size_t)n * sizeof *a.pose) == 0;
    property_expect(&properties[OPTIONS], a.status ? is_same : is_finite, "way %d, %g: status %d, value %g", which,
                    number, a.status, a.result.value);
}

static void run(long number, uint64_t seed) {
    static answer before, after;
    trap memory;
    random_problem p;
    lb_solve_options options;
    trap_init(&memory);
    random_problem_mix(&p, seed, &memory, RANDOM_ALL | (number % 5 == 4 ? RANDOM_ARM : 0));
    int n = lb_problem_variable_count(p.problem), which = (int)(number % SOLVING_METHODS);
    const char *method = solving_method(which, &options);
    if (options.max_iterations > 20) {
        options.max_iterations = 20;
    }
    lb_solver *solver = lb_solver_create(p.problem, NULL);
    answer_solve(solver, &options, p.start, n, &before);
    int is_same = spoil_constraint(&p, &seed);
    int what = random_below(&seed, 9);
    double bad = not_finite(&seed);
    lb_status status = spoil_quickly(&p, what, bad, &seed);
    property_expect(&properties[QUICK], status == LB_ERROR_ARGUMENT, "way %d, %g: status %d", what, bad, status);
    spoil_start(&p, solver, &options, &seed);
    spoil_options(&p, solver, &options, &seed);
    answer_solve(solver, &options, p.start, n, &after);
    const char *differs = answer_differs(&before, &after);
    property_expect(&properties[UNCHANGED], !differs || !is_same, "%s, way %d: %s differs", method, what, differs);
    lb_solver_destroy(solver);
    random_problem_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 2000, 20000, run, properties, 5); }
