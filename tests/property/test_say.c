/* A sentence is its parts: on random problems and for random people they lie in it one behind the other, between them there are
 * only signs and what joins lists, and their numbers are those of the result. `test_property_say [CASES [FIRST]]` */
#include "people/people.h"
#include "random_problem.h"

#include <math.h>
#include <string.h>

typedef struct tally {
    long parts[LB_SAY_OVERLAP + 1];
} tally;

/* Whether what is between two parts joins them and says nothing. */
static int is_joint(const char *text, int length) {
    static const char *const joints[] = {"", "; ", ": ", ". ", " ", ".", ", ", " and ", ", with "};
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++) {
        if ((int)strlen(joints[i]) == length && strncmp(joints[i], text, (size_t)length) == 0) {
            return 1;
        }
    }
    return 0;
}

static void check_numbers(const lb_result *r, const lb_say *part, const lb_solver *solver) {
    const lb_body_result *body = part->figure >= 0 ? lb_solver_body(solver, part->figure) : NULL;
    switch (part->kind) {
    case LB_SAY_REACHED:
        CHECK_INT(r->outcome, LB_OUTCOME_SOLVED);
        break;
    case LB_SAY_MISSED:
        CHECK_INT(part->constraint, r->unmet);
        CHECK(part->value == r->constraints[r->unmet].distance &&
              part->value_rad == r->constraints[r->unmet].angle_rad);
        break;
    case LB_SAY_BLOCKED:
    case LB_SAY_GOING_ON:
        CHECK(part->reason >= 0 && part->reason < r->reason_count);
        CHECK_INT(part->kind == LB_SAY_GOING_ON, r->reasons[part->reason].kind == LB_REASON_BUDGET);
        break;
    case LB_SAY_BALANCE:
        CHECK(body && part->value == body->margin);
        break;
    case LB_SAY_STEP:
        CHECK(body && body->step_count > 0 && part->limb >= 0 && part->value > 0);
        break;
    case LB_SAY_EFFORT:
        CHECK(body && body->effort_count > 0 && part->value == body->efforts[0].share);
        break;
    default:
        break;
    }
}

static void check_said(const lb_result *r, const lb_solver *solver, tally *t) {
    int end = 0, length = (int)strlen(r->explanation);
    const int room = (int)(sizeof r->said / sizeof *r->said);
    check_note("%s", r->explanation);
    CHECK(r->said_count > 0 && r->said_count <= room);
    for (int i = 0; i < r->said_count; i++) {
        const lb_say *part = &r->said[i];
        REQUIRE((int)part->kind >= 0 && part->kind <= LB_SAY_OVERLAP);
        REQUIRE(part->begin >= end && part->length >= 0 && part->begin + part->length <= length);
        CHECK(length == (int)sizeof r->explanation - 1 || part->length > 0);
        CHECK(is_joint(r->explanation + end, part->begin - end));
        end = part->begin + part->length;
        t->parts[part->kind]++;
        check_numbers(r, part, solver);
    }
    CHECK(length == (int)sizeof r->explanation - 1 || r->said_count == room ||
          is_joint(r->explanation + end, length - end));
}

static void solve_and_check(lb_problem *problem, const lb_solve_options *options, double *pose, tally *t) {
    lb_result result;
    lb_result_defaults(&result);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(solver != NULL);
    if (lb_solver_solve(solver, options, pose, &result) == LB_OK) {
        check_said(&result, solver, t);
        if (lb_solver_explain(solver, options, pose, &result) == LB_OK) {
            check_said(&result, solver, t);
        }
    } else {
        CHECK_INT(result.said_count, 0);
    }
    lb_solver_destroy(solver);
}

static void any_problem(long number, tally *t) {
    trap memory;
    random_problem p;
    lb_solve_options options;
    trap_init(&memory);
    random_problem_make(&p, (uint64_t)number * 6151 + 5, &memory);
    lb_solve_options_defaults(&options);
    options.max_iterations = number % 3 ? 300 : 2;
    solve_and_check(p.problem, &options, p.start, t);
    random_problem_free(&p);
}

/* Somebody who reaches somewhere, who may step or not. */
static void person(long number, tally *t) {
    people p;
    lb_body_options options;
    people_stand(&p, (uint64_t)number * 31 + 3);
    lb_body_options_defaults(&options);
    for (int i = 0; i < LB_BODY_LIMBS && number % 2; i++) {
        options.feet_modes[i] = LB_FOOT_MODE_PLANTED;
    }
    REQUIRE(lb_problem_set_body(p.problem, 0, &options) == LB_OK);
    const double x = check_random_range(&p.random, -0.5, 1.4), y = check_random_range(&p.random, -1, 1);
    people_reach(&p, "right_palm", x, y, check_random_range(&p.random, 0, 2.3), 0);
    solve_and_check(p.problem, NULL, p.start, t);
    people_free(&p);
}

int main(int argc, char **argv) {
    const long cases = argc > 1 ? atol(argv[1]) : check_count(2000, 20000), first = argc > 2 ? atol(argv[2]) : 0;
    tally t = {{0}};
    for (long i = first; i < first + cases; i++) {
        any_problem(i, &t);
        if (i % 25 == 0) {
            person(i / 25, &t);
        }
    }
    for (int kind = 0; kind <= LB_SAY_OVERLAP; kind++) {
        printf("%s: %ld\n", lb_say_name((lb_say_kind)kind), t.parts[kind]);
    }
    CHECK(t.parts[LB_SAY_REACHED] && t.parts[LB_SAY_MISSED] && t.parts[LB_SAY_BLOCKED] && t.parts[LB_SAY_LIMIT]);
    CHECK(t.parts[LB_SAY_BALANCE] && t.parts[LB_SAY_STEP] && t.parts[LB_SAY_EFFORT] && t.parts[LB_SAY_GOING_ON]);
    CHECK_TEXT(lb_say_name((lb_say_kind)-1), "unknown");
    return check_done();
}
