/* What closed forms claim is so. Goals are made of poses inside the limits, by forward kinematics: whatever the arm - tilted by a
 * little, flat, nearly singular, sliding, scaled, moved, at its limits - it is never proved that there is no solution, and
 * whatever is handed out is one: by the figure's forward kinematics, after the last conversion, at every swivel angle. */
#include <limber/io.h>

#include "closed_case.h"

#define MOST_JOINTS 7

static check_random source;
static const char *only; /* the kind of arm that is asked for by hand; NULL: all */

static double between(double low, double high) { return check_random_range(&source, low, high); }

static int one_of(int count) { return (int)(check_random_bits(&source) >> 33) % count; }

/* A small number of either sign, its exponent drawn. */
static double tiny(double low, double high) { return (one_of(2) ? 1 : -1) * pow(10, between(low, high)); }

typedef struct arm {
    int n, prismatic;            /* the joint that slides, or -1 */
    double rows[MOST_JOINTS][3]; /* a, alpha, d */
    double lower[MOST_JOINTS], upper[MOST_JOINTS];
    lb_frame base;
    int is_position;
} arm;

typedef void make_arm(arm *a);

static void random_frame(lb_frame *f, double size) {
    const double axis[3] = {between(-1, 1), between(-1, 1), between(-1, 1)};
    for (int k = 0; k < 3; k++) {
        f->position[k] = between(-size, size);
    }
    lb_rotation_about(axis, between(-3, 3), f->rotation);
}

/* Joints as they come. */
static void any_rows(arm *a, int n) {
    a->n = n;
    a->prismatic = -1;
    for (int i = 0; i < n; i++) {
        a->rows[i][0] = one_of(3) ? between(-0.5, 0.5) : 0;
        a->rows[i][1] = between(-3.1, 3.1);
        a->rows[i][2] = one_of(3) ? between(-0.5, 0.5) : 0;
    }
}

/* Of two joints for a position or of three for a frame; the axes are tilted by next to nothing. */
static void make_planar(arm *a) {
    a->is_position = one_of(2);
    any_rows(a, a->is_position ? 2 : 3);
    const int is_exact = one_of(3) == 0;
    for (int i = 0; i < a->n; i++) {
        a->rows[i][0] = between(0.05, 0.6);
        a->rows[i][1] = (is_exact ? 0 : tiny(-16, -9.5)) + (i + 1 < a->n && one_of(4) == 0 ? CLOSED_PI : 0);
        a->rows[i][2] = one_of(2) ? between(-0.3, 0.3) : 0;
    }
}

/* Something to every number of three joints from one on: from rounding up to what is well seen. */
static void disturb(arm *a, int first, int count) {
    const double size = one_of(3) ? pow(10, between(-17, -3)) : 0;
    for (int i = first; i < first + count && i < a->n; i++) {
        for (int k = 0; k < 3; k++) {
            a->rows[i][k] += one_of(2) ? between(-size, size) : 0;
        }
    }
}

/* Three axes meet, or nearly. Joint i and i + 1 meet where row i has no length; three where the middle row has no offset. */
static void make_meeting(arm *a) {
    any_rows(a, 6);
    const int first = one_of(4);
    a->rows[first][0] = a->rows[first + 1][0] = a->rows[first + 1][2] = 0;
    for (int i = first; i < first + 2; i++) {
        a->rows[i][1] = one_of(2) ? CLOSED_PI / 2 : a->rows[i][1];
    }
    disturb(a, first, 2);
}

static void make_parallel(arm *a) {
    any_rows(a, 6);
    const int first = one_of(4);
    a->rows[first][1] = a->rows[first + 1][1] = 0;
    a->rows[first][0] = between(0.1, 0.5);
    a->rows[first + 1][0] = between(0.1, 0.5);
    disturb(a, first, 2);
}

/* An industrial arm: right angles, most offsets 0, all of it off by a little. */
static void make_industrial(arm *a) {
    static const double tables[3][6][3] = {{{0, 1.5707963267948966, .1},
                                            {.43, 0, 0},
                                            {.02, -1.5707963267948966, .15},
                                            {0, 1.5707963267948966, .43},
                                            {0, -1.5707963267948966, 0},
                                            {0, 0, .06}},
                                           {{0, 1.5707963267948966, .0892},
                                            {-.425, 0, 0},
                                            {-.392, 0, 0},
                                            {0, 1.5707963267948966, .109},
                                            {0, -1.5707963267948966, .095},
                                            {0, 0, .082}},
                                           {{0, -1.5707963267948966, .29},
                                            {.27, 0, 0},
                                            {.07, -1.5707963267948966, 0},
                                            {0, 1.5707963267948966, .302},
                                            {0, -1.5707963267948966, 0},
                                            {0, 0, .072}}};
    a->n = 6;
    a->prismatic = -1;
    memcpy(a->rows, tables[one_of(3)], sizeof tables[0]);
    disturb(a, 0, 6);
}

static void make_general(arm *a) {
    any_rows(a, 6);
    for (int i = 0; i < 6; i++) { /* offsets and angles of next to nothing */
        for (int k = 0; k < 3; k++) {
            a->rows[i][k] = one_of(4) ? a->rows[i][k] : (k == 1 && one_of(2) ? CLOSED_PI / 2 : 0) + tiny(-12, -4);
        }
    }
    a->prismatic = one_of(4) ? -1 : one_of(6);
}

static void make_limb(arm *a) {
    any_rows(a, 7);
    for (int i = 0; i < 7; i++) {
        a->rows[i][1] = i == 6 || one_of(3) ? a->rows[i][1] : one_of(2) ? CLOSED_PI / 2 : -CLOSED_PI / 2;
    }
    a->rows[0][0] = a->rows[1][0] = a->rows[1][2] = 0;
    a->rows[4][0] = a->rows[5][0] = a->rows[5][2] = 0;
    disturb(a, 0, 2);
    disturb(a, 4, 2);
}

static void make_seven(arm *a) {
    make_meeting(a);
    a->n = 7;
    for (int k = 0; k < 3; k++) {
        a->rows[6][k] = between(-0.4, 0.4);
    }
}

/* Panda's kind and any other seven, of which one slides. */
static void make_sliding(arm *a) {
    make_seven(a);
    a->prismatic = one_of(7);
}

static lb_figure *build(const arm *a) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment segment;
    lb_site site;
    lb_dh_row dh[MOST_JOINTS];
    lb_figure *figure = NULL;
    REQUIRE(b != NULL);
    lb_segment_defaults(&segment);
    segment.name = "base";
    lb_builder_add_segment(b, &segment);
    lb_site_defaults(&site);
    site.name = "out";
    site.segment = 0;
    site.frame = a->base;
    lb_builder_add_site(b, &site);
    memset(dh, 0, sizeof dh);
    for (int i = 0; i < a->n; i++) {
        dh[i] = (lb_dh_row){.a = a->rows[i][0], .alpha = a->rows[i][1], .d = a->rows[i][2]};
        dh[i].is_prismatic = i == a->prismatic;
        dh[i].lower = a->lower[i];
        dh[i].upper = a->upper[i];
    }
    REQUIRE(lb_builder_add_dh_chain(b, 0, LB_DH_CONVENTION_STANDARD, a->n, dh) >= 0);
    REQUIRE(lb_builder_finish(b, &figure) == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

/* Where it stands, how large it is, and limits. */
static void dress(arm *a) {
    const double scale = one_of(3) ? 1 : pow(10, between(-4, 4));
    lb_frame_identity(&a->base);
    if (one_of(2)) {
        random_frame(&a->base, 2 * scale);
    }
    for (int i = 0; i < a->n; i++) {
        const double most = i == a->prismatic ? scale : one_of(2) ? 3.1 : 6.2;
        a->rows[i][0] *= scale;
        a->rows[i][2] *= scale;
        a->lower[i] = -most;
        a->upper[i] = most;
        if (one_of(4) == 0) { /* a narrow range; sometimes but a point */
            a->lower[i] = between(-most, most);
            a->upper[i] = a->lower[i] + (one_of(4) ? between(0, 0.3) * (i == a->prismatic ? scale : 1) : 0);
        }
    }
}

typedef struct tally {
    int arms, refused, poses, missed, proved, solutions, swivels, none, none_proved;
} tally;

static double worst_miss;

/* The arm's size: errors are told in shares of it. */
static double size_of(const arm *a) {
    double sum = 0;
    for (int i = 0; i < a->n; i++) {
        sum += fabs(a->rows[i][0]) + fabs(a->rows[i][2]);
    }
    return sum > 0 ? sum : 1;
}

/* How far a pose is from the goal: shares of the size, or of unit vectors. */
static double miss(closed_case *c, const arm *a, const double *pose, const lb_frame *goal) {
    lb_frame at;
    double most = 0, dot = 0;
    closed_goal(c, pose, &at);
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fabs(at.position[k] - goal->position[k]) / size_of(a));
    }
    for (int k = 0; k < 4; k++) {
        dot += at.rotation[k] * goal->rotation[k];
    }
    for (int k = 0; k < 4 && !a->is_position; k++) {
        most = fmax(most, fabs((dot < 0 ? -1 : 1) * at.rotation[k] - goal->rotation[k]));
    }
    return most;
}

/* Every solution, every winding, and places along every interval. */
static void check_solutions(closed_case *c, const arm *a, const double *start, const lb_frame *goal, tally *t) {
    for (int i = 0; i < c->result.all_count; i++) {
        double pose[CLOSED_VARIABLES], values[LB_CLOSED_MAX_JOINTS];
        lb_closed_solution s;
        lb_closed_solution_defaults(&s);
        REQUIRE(lb_closed_get(c->closed, i, &s) == LB_OK);
        memcpy(pose, start, (size_t)c->n * sizeof *pose);
        REQUIRE(lb_closed_pose(c->closed, i, pose) == LB_OK);
        const double by = miss(c, a, pose, goal);
        worst_miss = fmax(worst_miss, by);
        CHECK_NEAR(by, 0, 1e-8);
        CHECK(by <= 1e-11 + 10 * s.error); /* what it costs to be moved on to a limit is said */
        CHECK(!s.is_inside || lb_figure_violation(c->figure, pose) == 0);
        t->solutions++;
        for (int k = 0; k < 4 && s.swivel_high_rad > s.swivel_low_rad; k++) {
            const double angle = s.swivel_low_rad + (s.swivel_high_rad - s.swivel_low_rad) * (k + 0.5) / 4;
            if (lb_closed_swivel(c->closed, i, angle, values) == LB_OK) {
                for (int v = 0; v < a->n; v++) {
                    pose[lb_closed_variable(c->closed, v)] = values[v];
                }
                CHECK_NEAR(miss(c, a, pose, goal), 0, 1e-8);
                CHECK(lb_figure_violation(c->figure, pose) == 0);
                t->swivels++;
            }
        }
    }
}

static int has(const closed_case *c, const double *values) {
    return c->result.count > 0 && closed_find(c, values, 1e-4) >= 0;
}

static void one_pose(closed_case *c, const arm *a, int is_family, tally *t) {
    double pose[CLOSED_VARIABLES], start[CLOSED_VARIABLES] = {0}, values[LB_CLOSED_MAX_JOINTS];
    lb_frame goal;
    uint64_t seed = check_random_bits(&source);
    lb_figure_random_pose(c->figure, &seed, pose);
    lb_figure_rest_pose(c->figure, start);
    for (int i = 0; i < a->n;
         i++) { /* sometimes at a limit, sometimes at a right angle: where it is singular, or nearly */
        const int k = lb_closed_variable(c->closed, i), what = one_of(8);
        const double right =
            (i == a->prismatic ? 0 : CLOSED_PI / 2 * (one_of(3) - 1)) + (one_of(2) ? 0 : tiny(-12, -3));
        pose[k] = what == 0 ? a->lower[i] : what == 1 ? a->upper[i] : pose[k];
        pose[k] = what == 2 && right > a->lower[i] && right < a->upper[i] ? right : pose[k];
        values[i] = pose[k];
    }
    closed_goal(c, pose, &goal);
    REQUIRE(lb_closed_solve(c->closed, &goal, start, &c->result) == LB_OK);
    t->poses++;
    t->missed += is_family ? c->result.count == 0 : !has(c, values);
    t->proved += c->result.is_proved;
    CHECK(!c->result.is_proved);
    check_solutions(c, a, start, &goal, t);
}

/* Goals that cannot be met: far away, which is always proved; of a pose that is outside the limits, where nothing else meets it. */
static void one_out(closed_case *c, const arm *a, tally *t) {
    double pose[CLOSED_VARIABLES], start[CLOSED_VARIABLES] = {0};
    lb_frame goal;
    lb_figure_rest_pose(c->figure, start);
    memcpy(pose, start, sizeof pose);
    for (int i = 0; i < a->n; i++) {
        pose[lb_closed_variable(c->closed, i)] = i == a->prismatic ? start[i] : between(-3.1, 3.1);
    }
    closed_goal(c, pose, &goal);
    REQUIRE(lb_closed_solve(c->closed, &goal, start, &c->result) == LB_OK);
    t->none += c->result.count == 0;
    t->none_proved += c->result.count == 0 && c->result.is_proved;
    goal.position[one_of(3)] +=
        3 * size_of(a) + (a->prismatic < 0 ? 0 : 3 * a->upper[a->prismatic] - 3 * a->lower[a->prismatic]);
    REQUIRE(lb_closed_solve(c->closed, &goal, start, &c->result) == LB_OK);
    CHECK_INT(c->result.count, 0);
    CHECK(a->prismatic >= 0 || c->result.all_count == 0);
    CHECK(c->result.is_proved);
}

/* least_proved: of two goals without a solution. */
static void attack(const char *name, make_arm *make, int arms, int poses, int least_proved) {
    tally t = {0};
    worst_miss = 0;
    if (only && strcmp(only, name) != 0) {
        return;
    }
    for (int i = 0; i < arms; i++) {
        arm a = {0};
        closed_case c = {0};
        lb_error error;
        lb_closed_options options;
        make(&a);
        dress(&a);
        check_note("%s, arm %d", name, i);
        c.figure = build(&a);
        c.n = lb_figure_variable_count(c.figure);
        lb_closed_options_defaults(&options);
        options.is_position = a.is_position;
        char end[16];
        snprintf(end, sizeof end, "link%d", a.n);
        REQUIRE(lb_figure_find_effector(c.figure, end, &c.effector, &error) == LB_OK);
        c.closed = lb_closed_create(c.figure, &c.effector, &options, &error);
        c.kinematics = lb_kinematics_create(c.figure, NULL);
        lb_closed_result_defaults(&c.result);
        t.arms++;
        t.refused += !c.closed;
        const int is_family = a.n == 7;
        for (int k = 0; k < poses && c.closed; k++) {
            check_note("%s, arm %d, pose %d", name, i, k);
            one_pose(&c, &a, is_family, &t);
        }
        if (c.closed) {
            one_out(&c, &a, &t);
        }
        closed_end(&c);
    }
    check_note("%s", "");
    printf("%s: %d arms, %d refused; %d poses, %d missed, %d falsely proved; of %d with none %d proved; %d solutions, "
           "%d swivels, off by %.2g at "
           "most\n",
           name, t.arms, t.refused, t.poses, t.missed, t.proved, t.none, t.none_proved, t.solutions, t.swivels,
           worst_miss);
    CHECK(t.arms > t.refused);
    CHECK(2 * t.none_proved >= least_proved * t.none); /* what is plainly so is proved */
}

/* A budget is kept, gives the same answer again, and what was found until then is verified; cancelled, nothing is asked. */
static void check_budgets(void) {
    closed_case c = {0};
    lb_closed_options options;
    lb_cancel cancel = {0};
    lb_error error;
    uint64_t seed = 5;
    double pose[CLOSED_VARIABLES], start[CLOSED_VARIABLES];
    lb_frame goal;
    check_note("budgets");
    c.figure = closed_load("models/panda.fig");
    c.n = lb_figure_variable_count(c.figure);
    REQUIRE(lb_figure_find_effector(c.figure, "tool", &c.effector, &error) == LB_OK);
    c.kinematics = lb_kinematics_create(c.figure, NULL);
    lb_figure_random_pose(c.figure, &seed, pose);
    lb_figure_rest_pose(c.figure, start);
    closed_goal(&c, pose, &goal);
    int before = -1;
    for (int most = 1; most < 60000; most = 3 * most + 1) {
        lb_closed_result again;
        lb_closed_options_defaults(&options);
        options.max_evaluations = most;
        options.cancel = &cancel;
        c.closed = lb_closed_create(c.figure, &c.effector, &options, &error);
        REQUIRE(c.closed != NULL);
        lb_closed_result_defaults(&c.result);
        lb_closed_result_defaults(&again);
        REQUIRE(lb_closed_solve(c.closed, &goal, start, &c.result) == LB_OK);
        REQUIRE(lb_closed_solve(c.closed, &goal, start, &again) == LB_OK);
        CHECK(memcmp(&again, &c.result, sizeof again) == 0);
        CHECK(c.result.evaluations <= most);
        CHECK(c.result.is_stopped == (c.result.evaluations == most));
        CHECK(!c.result.is_stopped || !c.result.is_proved);
        CHECK(c.result.count >= before);
        before = c.result.count;
        for (int i = 0; i < c.result.all_count; i++) {
            CHECK_NEAR(closed_miss(&c, i, start, &goal), 0, 1e-11);
        }
        lb_cancel_request(&cancel);
        REQUIRE(lb_closed_solve(c.closed, &goal, start, &again) == LB_OK);
        CHECK_INT(again.all_count, 0);
        CHECK(again.is_stopped && !again.is_proved);
        CHECK_HAS(again.explanation, "cancelled");
        lb_cancel_clear(&cancel);
        lb_closed_destroy(c.closed);
    }
    CHECK(!c.result.is_stopped && c.result.count > 0);
    c.closed = NULL;
    closed_end(&c);
    check_note("%s", "");
}

int main(int argc, char **argv) {
    const int is_short = check_is_sanitized(), more = argc > 1 ? atoi(argv[1]) : 1;
    const int quick = is_short ? 10 : check_count(400, 20000) * more,
              slow = is_short ? 2 : check_count(100, 4000) * more, slowest = is_short ? 1 : check_count(4, 200) * more;
    check_random_seed(&source, argc > 2 ? (unsigned long long)atoi(argv[2]) : 26);
    only = argc > 3 ? argv[3] : NULL;
    check_budgets();
    attack("planar", make_planar, quick, 5, 1);
    attack("meeting", make_meeting, quick, 5, 1);
    attack("parallel", make_parallel, quick, 5, 1);
    attack("industrial", make_industrial, slow, 5, 1);
    attack("general", make_general, slow, 5, 0);
    attack("limb", make_limb, slow / 2, 3, 0);
    attack("seven", make_seven, slowest, 2, 0);
    attack("sliding", make_sliding, slowest, 2, 0);
    return check_done();
}
