/* The world moved as a whole, or seen in a mirror: G is the same in the same pose, and so is what is left of it in the
 * answer. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "random_figure.h"
#include "random_problem.h"

/* A change of the world: p -> mirror(rotation p + position). */
typedef struct change {
    lb_frame frame;
    int mirrored;
} change;

static void change_vector(const change *by, const double *v, double *out) {
    double m[9], turned[3];
    lb_rotation_to_matrix(by->frame.rotation, m);
    for (int i = 0; i < 3; i++) {
        turned[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
    }
    for (int i = 0; i < 3; i++) {
        out[i] = i == 0 && by->mirrored ? -turned[i] : turned[i];
    }
}

static void change_point(const change *by, const double *p, double *out) {
    double moved[3];
    change_vector(by, p, moved);
    for (int i = 0; i < 3; i++) {
        out[i] = moved[i] + (i == 0 && by->mirrored ? -by->frame.position[i] : by->frame.position[i]);
    }
}

/* The same constraint in the changed world. The mirror changes the figure itself, so the effector too. */
static void change_constraint(const change *by, lb_constraint *c, double (*faces)[4]) {
    lb_frame turn = by->frame,
             region = {{0, 0, 0}, {c->goal.rotation[0], c->goal.rotation[1], c->goal.rotation[2], c->goal.rotation[3]}};
    change_point(by, c->goal.point, c->goal.point);
    change_vector(by, c->goal.x, c->goal.x);
    change_vector(by, c->goal.y, c->goal.y);
    change_vector(by, c->goal.normal, c->goal.normal);
    memset(turn.position, 0, sizeof turn.position);
    lb_frame_multiply(&turn, &region, &region);
    if (by->mirrored) { /* a turn's axis is an axial vector */
        region.rotation[1] = -region.rotation[1];
        region.rotation[2] = -region.rotation[2];
        c->effector.point[0] = -c->effector.point[0];
        c->effector.x[0] = -c->effector.x[0];
        c->effector.y[0] = -c->effector.y[0];
    }
    memcpy(c->goal.rotation, region.rotation, sizeof region.rotation);
    for (int i = 0; c->goal.kind == LB_GOAL_POLYHEDRON && i < c->goal.face_count; i++) {
        double n[3], at[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            at[k] = c->goal.faces[i][3] * c->goal.faces[i][k];
        }
        change_vector(by, c->goal.faces[i], n);
        change_point(by, at, at);
        faces[i][3] = 0;
        for (int k = 0; k < 3; k++) {
            faces[i][k] = n[k];
            faces[i][3] += n[k] * at[k];
        }
    }
    if (c->goal.kind == LB_GOAL_POLYHEDRON) {
        c->goal.faces = (const double(*)[4])faces;
    }
}

static void random_unit(uint64_t *seed, double *v) {
    double q[4], m[9];
    random_rotation(seed, q);
    lb_rotation_to_matrix(q, m);
    double norm = sqrt(m[0] * m[0] + m[3] * m[3] + m[6] * m[6]);
    for (int i = 0; i < 3; i++) {
        v[i] = m[3 * i] / norm;
    }
}

static void random_constraint(uint64_t *seed, int links, lb_constraint *c, double (*faces)[4]) {
    double q[4], m[9];
    lb_constraint_defaults(c);
    c->effector.segment = 1 + random_below(seed, links);
    random_rotation(seed, q);
    lb_rotation_to_matrix(q, m);
    for (int i = 0; i < 3; i++) {
        c->effector.point[i] = random_between(seed, -0.2, 0.2);
        c->effector.x[i] = m[3 * i];
        c->effector.y[i] = m[3 * i + 1];
        c->goal.point[i] = random_between(seed, -0.8, 0.8);
        c->goal.size[i] = random_between(seed, 0.05, 0.2);
    }
    c->goal.kind = (lb_goal_kind)random_below(seed, LB_GOAL_CUSTOM);
    random_rotation(seed, c->goal.rotation);
    lb_rotation_to_matrix(c->goal.rotation, m);
    for (int i = 0; i < 3; i++) {
        c->goal.x[i] = m[3 * i];
        c->goal.y[i] = m[3 * i + 1];
    }
    random_unit(seed, c->goal.normal);
    c->goal.face_count = 5;
    c->goal.faces = (const double(*)[4])faces;
    for (int i = 0; i < 5; i++) {
        random_unit(seed, faces[i]);
        faces[i][3] = random_between(seed, 0, 0.2);
        for (int k = 0; k < 3; k++) {
            faces[i][3] += faces[i][k] * c->goal.point[k];
        }
    }
    c->weight = random_between(seed, 0.5, 2);
    c->goal.outside = c->goal.kind >= LB_GOAL_BOX && c->goal.kind != LB_GOAL_CIRCLE && random_below(seed, 4) == 0;
}

/* G at the start and at the answer in a world. */
typedef struct outcome {
    double start, answer;
    lb_outcome what;
} outcome;

static void solve_in(uint64_t seed, const change *by, lb_method method, outcome *out) {
    int links = 2 + random_below(&seed, 5), count = 1 + random_below(&seed, 3);
    random_chain chain = {links, 4, (random_chain_limits)random_below(&seed, 2), 0, by->mirrored, by->frame, seed, 0};
    if (by->mirrored) {
        lb_frame_identity(&chain.placement);
    }
    lb_figure *figure = random_chain_make(&chain, NULL);
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_solve_options options;
    lb_result result;
    double pose[8];
    lb_result_defaults(&result);
    for (int i = 0; i < count; i++) {
        lb_constraint c;
        double faces[5][4], changed[5][4];
        random_constraint(&seed, links, &c, faces);
        change_constraint(by, &c, changed);
        REQUIRE(lb_problem_add(p, &c) > 0);
    }
    lb_figure_random_pose(figure, &seed, pose);
    REQUIRE(lb_solver_value(solver, pose, &out->start, NULL) == LB_OK);
    lb_solve_options_defaults(&options);
    options.method = method;
    options.keep_going = 1;
    out->what = LB_OUTCOME_INVALID;
    lb_status status = lb_solver_solve(solver, &options, pose, &result);
    if (status != LB_ERROR_UNSUPPORTED) {
        CHECK_INT(status, LB_OK);
    }
    if (status == LB_OK) {
        out->answer = result.value;
        out->what = result.outcome;
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

static int agree(double a, double b) { return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + 1e-12; }

/* Rounding differs between the worlds, and where two ways down are equally good the one taken may too: of a hundred at
 * most two. */
static void worlds(lb_method method, int mirrored) {
    int cases = check_is_sanitized() ? 100 : check_count(1000, 10000);
    int same = 0, solved = 0;
    for (int i = 0; i < cases; i++) {
        uint64_t seed = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15ull, turn = seed ^ 77;
        change none, by;
        outcome here, there;
        lb_frame_identity(&none.frame);
        none.mirrored = 0;
        by = none;
        by.mirrored = mirrored;
        if (!mirrored) {
            random_rotation(&turn, by.frame.rotation);
            for (int k = 0; k < 3; k++) {
                by.frame.position[k] = random_between(&turn, -3, 3);
            }
        }
        solve_in(seed, &none, method, &here);
        solve_in(seed, &by, method, &there);
        check_note("case %d, %s, %s", i, lb_method_name(method), mirrored ? "mirrored" : "moved");
        CHECK(agree(here.start, there.start));
        if (here.what == LB_OUTCOME_INVALID || here.what == LB_OUTCOME_BUDGET || there.what == LB_OUTCOME_BUDGET) {
            continue;
        }
        solved++;
        same += agree(here.answer, there.answer) && here.what == there.what;
    }
    check_note("%s, %s: %d of %d alike", lb_method_name(method), mirrored ? "mirrored" : "moved", same, solved);
    CHECK(solved > cases / 2);
    CHECK(same >= solved - solved / 50);
    printf("%s, %s: %d of %d alike\n", lb_method_name(method), mirrored ? "mirrored" : "moved", same, solved);
    check_note("%s", "");
}

int main(void) {
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        worlds(LB_METHOD_LM, mirrored);
        worlds(LB_METHOD_BFGS, mirrored);
    }
    return check_done();
}
