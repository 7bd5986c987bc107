/* Several answers: each is solved and inside its limits, no two are the same but for whole turns, the nearest is first; what
 * one solve with the same restarts solves, has at least one. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"
#include "truth.h"

static property properties[] = {{.name = "every answer is solved"},
                                {.name = "every answer is inside its limits"},
                                {.name = "no two answers are the same"},
                                {.name = "whole turns do not make another answer"},
                                {.name = "the nearest answer is first"},
                                {.name = "what one solve solves has an answer"},
                                {.name = "the value told is the first answer's"}};
enum { SOLVED, INSIDE, DISTINCT, TURNS, NEAREST, FOUND, VALUE };

enum { WANTED = 4 };
#define TWO_PI 6.28318530717958647693

static double turned(double difference) { return fabs(difference - TWO_PI * floor(difference / TWO_PI + 0.5)); }

/* The largest difference of a variable, whole turns counted. */
static double plain_difference(const double *a, const double *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

/* Whether limits or drives know of a variable's whole turns. */
static int is_unlimited(const lb_figure *f, int variable) {
    const lb_variable *v = lb_figure_variable(f, variable);
    if (v->lower > -INFINITY || v->upper < INFINITY) {
        return 0;
    }
    for (int r = 0; r < lb_figure_row_count(f); r++) {
        const lb_limit_row *row = lb_figure_row(f, r);
        for (int k = 0; k < row->count; k++) {
            if (row->variables[k] == variable) {
                return 0;
            }
        }
    }
    for (int d = 0; d < lb_figure_drive_count(f); d++) {
        if (lb_figure_variable_of(f, &lb_figure_drive(f, d)->source) == variable) {
            return 0;
        }
    }
    return 1;
}

/* The angle between the rotations that two rotation vectors make. */
static double rotation_difference(const double *a, const double *b) {
    double qa[4], qb[4], dot = 0;
    lb_joint_type type;
    REQUIRE(lb_joint_type_parse("rotation", &type, NULL) == LB_OK);
    REQUIRE(lb_joint_type_rotation(&type, a, qa) == LB_OK && lb_joint_type_rotation(&type, b, qb) == LB_OK);
    for (int i = 0; i < 4; i++) {
        dot += qa[i] * qb[i];
    }
    double square = 0;
    for (int i = 0; i < 4; i++) {
        square += (qa[i] - (dot < 0 ? -qb[i] : qb[i])) * (qa[i] - (dot < 0 ? -qb[i] : qb[i]));
    }
    return 2 * sqrt(square);
}

/* If variables i, i + 1, i + 2 are a rotation vector without limits: a joint's free rotation, or a free root's. */
static int is_rotation_vector(const lb_figure *f, int i) {
    const lb_variable *v = lb_figure_variable(f, i);
    if (i + 2 >= lb_figure_variable_count(f)) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        if (!is_unlimited(f, i + k)) {
            return 0;
        }
    }
    if (v->ref.joint < 0) {
        return v->ref.parameter < 0 && v->ref.dof == 3;
    }
    const lb_joint_type *type = &lb_figure_joint(f, v->ref.joint)->type;
    int dof = 0;
    for (int e = 0; e < type->element_count; e++) {
        if (type->elements[e].kind == LB_ELEMENT_ROTATION) {
            return dof == v->ref.dof;
        }
        dof += type->elements[e].kind == LB_ELEMENT_SWING_TWIST ? 3 : 1;
    }
    return 0;
}

/* The largest difference; whole turns of unlimited turns do not count, and rotation vectors are rotations. */
static double difference(const random_problem *p, const double *a, const double *b, double apart) {
    double most = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        int first = lb_problem_first_variable(p->problem, f);
        for (int i = 0; i < lb_figure_variable_count(figure); i++) {
            const lb_variable *v = lb_figure_variable(figure, i);
            const double *x = a + first + i, *y = b + first + i;
            if (is_rotation_vector(figure, i)) { /* clearly the same rotation, or as the vectors have it */
                double angle = rotation_difference(x, y);
                most = fmax(most, 2 * angle <= apart ? angle : plain_difference(x, y, 3));
                i += 2;
                continue;
            }
            int is_turn = v->is_angle && v->ref.joint >= 0 && is_unlimited(figure, i);
            if (is_turn) { /* of swing and twist the twist alone */
                const lb_joint_type *type = &lb_figure_joint(figure, v->ref.joint)->type;
                int dof = 0;
                for (int e = 0; e < type->element_count; e++) {
                    int wide = type->elements[e].kind == LB_ELEMENT_SWING_TWIST ? 3 : 1;
                    if (wide == 3 && v->ref.dof >= dof && v->ref.dof < dof + 2) {
                        is_turn = 0;
                    }
                    dof += wide;
                }
            }
            most = fmax(most, is_turn ? turned(*x - *y) : fabs(*x - *y));
        }
    }
    return most;
}

static void check_answers(const random_problem *p, const double *poses, int found, double apart, const double *inside,
                          const char *method) {
    int n = lb_problem_variable_count(p->problem);
    double last = 0;
    for (int i = 0; i < found; i++) {
        const double *pose = poses + i * n;
        truth t;
        double off = 0, size = 1;
        truth_at(p, pose, &t);
        for (int k = 0; k < n; k++) {
            off += (pose[k] - inside[k]) * (pose[k] - inside[k]);
            size = fmax(size, fabs(pose[k]));
        }
        property_expect(&properties[SOLVED], t.met || p->scale != 1, "%s: answer %d, G %g", method, i, truth_sum(&t));
        property_expect(&properties[INSIDE], truth_violation(p, pose) <= 1e-9 * size, "%s: answer %d, broken by %g",
                        method, i, truth_violation(p, pose));
        property_expect(&properties[NEAREST], off >= last, "%s: answer %d is %.17g away, the one before %.17g", method,
                        i, sqrt(off), sqrt(last));
        last = off;
        for (int k = 0; k < i; k++) {
            property_expect(&properties[DISTINCT], plain_difference(pose, poses + k * n, n) > apart,
                            "%s: answers %d and %d differ by %g", method, k, i,
                            plain_difference(pose, poses + k * n, n));
            property_expect(&properties[TURNS], difference(p, pose, poses + k * n, apart) > apart,
                            "%s: answers %d and %d differ by %g, turns apart by %g", method, k, i,
                            plain_difference(pose, poses + k * n, n), difference(p, pose, poses + k * n, apart));
        }
    }
}

static void check_value(const random_problem *p, lb_solver *solver, const double *pose, double told,
                        const char *method) {
    double value = 0;
    REQUIRE(lb_solver_value(solver, pose, &value, NULL) == LB_OK);
    property_expect(&properties[VALUE], fabs(value - told) <= 1e-9 * fabs(value) + 1e-16 * p->scale * p->scale,
                    "%s: %.17g told, %.17g by lb_solver_value", method, told, value);
}

static void run(long number, uint64_t seed) {
    static answer single;
    static double poses[WANTED * RANDOM_MOST_VARIABLES];
    trap memory;
    random_problem p;
    lb_solve_options options;
    lb_result result;
    double inside[RANDOM_MOST_VARIABLES];
    lb_result_defaults(&result);
    int which = number % 2 ? 0 : (int)(number / 2 % SOLVING_METHODS);
    trap_init(&memory);
    random_problem_mix(&p, seed, &memory, RANDOM_ALL | RANDOM_WITHIN_REACH | (number % 4 == 3 ? RANDOM_ARM : 0));
    const char *method = solving_method(which, &options);
    options.max_evaluations = 100000;
    options.restarts = 1 + random_below(&seed, 8);
    options.seed = 1 + (uint64_t)number;
    double apart = pow(10, random_between(&seed, -4, 0));
    start_inside(&p, p.start, inside);
    lb_solver *solver = lb_solver_create(p.problem, NULL);
    answer_solve(solver, &options, p.start, lb_problem_variable_count(p.problem), &single);
    lb_status status = lb_solver_solve_all(solver, &options, p.start, apart, WANTED, poses, &result);
    int found = result.answer_count;
    if (status == LB_OK && single.status == LB_OK) {
        check_answers(&p, poses, found, apart, inside, method);
        property_expect(&properties[FOUND], single.result.outcome != LB_OUTCOME_SOLVED || found > 0,
                        "%s, %d restarts: solved (in %d restarts), but no answer was found (%s)", method,
                        options.restarts, single.result.restarts, lb_outcome_name(result.outcome));
        property_expect(&properties[SOLVED], (found > 0) == (result.outcome == LB_OUTCOME_SOLVED), "%s: %d found, %s",
                        method, found, lb_outcome_name(result.outcome));
        if (found) {
            check_value(&p, solver, poses, result.value, method);
        }
    }
    lb_solver_destroy(solver);
    random_problem_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 2000, 20000, run, properties, 7); }
