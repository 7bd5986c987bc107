/* Arms and legs of people: chains that begin elsewhere than at the root, with limits over several variables. */
#include <limber/io.h>

#include "closed_case.h"

#define POSES 150

static int find_segment(const lb_figure *figure, const char *name) {
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        if (strcmp(lb_figure_segment(figure, i)->name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Whether a pose keeps the limits over several variables. */
static int keeps_rows(const lb_figure *figure, const double *pose, double slack) {
    for (int r = 0; r < lb_figure_row_count(figure); r++) {
        const lb_limit_row *row = lb_figure_row(figure, r);
        double sum = -row->bound;
        for (int k = 0; k < row->count; k++) {
            sum += row->coefficients[k] * pose[row->variables[k]];
        }
        if (sum > slack) {
            return 0;
        }
    }
    return 1;
}

/* The largest difference of a joint between values and those at a swivel angle of solution i. */
static double off_at(const closed_case *c, int i, double swivel, const double *values) {
    double at[LB_CLOSED_MAX_JOINTS], most = 0;
    if (lb_closed_swivel(c->closed, i, swivel, at) != LB_OK) {
        return INFINITY;
    }
    for (int j = 0; j < 7; j++) {
        most = fmax(most, fabs(at[j] - values[j]));
    }
    return most;
}

/* Whether the values are on the interval that solution i stands for: the nearest of many samples, then of ever finer ones. */
static int is_on_interval(const closed_case *c, int i, const double *values) {
    enum { SAMPLES = 200, FINER = 10 };
    lb_closed_solution s;
    lb_closed_solution_defaults(&s);
    lb_closed_get(c->closed, i, &s);
    double low = s.swivel_low_rad, high = s.swivel_high_rad, least = INFINITY;
    for (int round = 0; round < 6; round++) {
        const int count = round ? FINER : SAMPLES;
        const double step = (high - low) / count;
        double best = low;
        for (int k = 0; k <= count; k++) {
            const double off = off_at(c, i, low + step * k, values);
            best = off < least ? low + step * k : best;
            least = fmin(off, least);
        }
        low = fmax(best - step, s.swivel_low_rad);
        high = fmin(best + step, s.swivel_high_rad);
    }
    return least < 0.01;
}

typedef struct limb {
    const char *model, *base, *effector;
    lb_closed_kind kind;
} limb;

/* Random poses of one limb, the rest of the person as in a pose of its own: the pose that made the goal is a solution, or is on
 * the interval of one; every solution that is called inside keeps all limits, and those over several variables. */
static void test_limb_of(const limb *l) {
    closed_case c;
    lb_closed_options options;
    double held[CLOSED_VARIABLES];
    uint64_t seed = 7;
    lb_figure *figure = closed_load(l->model);
    int outside = 0, solutions = 0, missed = 0, tried = 0;
    check_note("%s of %s", l->effector, l->model);
    lb_closed_options_defaults(&options);
    options.base_segment = find_segment(figure, l->base);
    REQUIRE(options.base_segment >= 0);
    lb_figure_random_pose(figure, &seed, held);
    options.pose = held;
    closed_begin(&c, figure, l->effector, &options);
    CHECK_INT(lb_closed_kind_of(c.closed), l->kind);
    const int n = lb_closed_variable_count(c.closed);
    for (int p = 0; p < POSES; p++) {
        double drawn[CLOSED_VARIABLES], pose[CLOSED_VARIABLES], values[LB_CLOSED_MAX_JOINTS];
        lb_frame goal;
        lb_figure_random_pose(figure, &seed, drawn);
        memcpy(pose, held, sizeof pose);
        for (int k = 0; k < n; k++) {
            const int v = lb_closed_variable(c.closed, k);
            values[k] = pose[v] = drawn[v];
        }
        if (!keeps_rows(figure, pose, -1e-6)) {
            continue;
        }
        tried++;
        closed_goal(&c, pose, &goal);
        REQUIRE(lb_closed_solve(c.closed, &goal, held, &c.result) == LB_OK);
        int is_there = 0;
        solutions += c.result.all_count;
        outside += c.result.all_count - c.result.count;
        for (int i = 0; i < c.result.all_count; i++) {
            double found[CLOSED_VARIABLES];
            lb_closed_solution s;
            lb_closed_solution_defaults(&s);
            REQUIRE(lb_closed_get(c.closed, i, &s) == LB_OK);
            memcpy(found, held, sizeof found);
            REQUIRE(lb_closed_pose(c.closed, i, found) == LB_OK);
            CHECK_NEAR(closed_miss(&c, i, held, &goal), 0, 1e-11);
            int keeps = keeps_rows(figure, found, 1e-8);
            for (int k = 0; k < n; k++) {
                const lb_variable *v = lb_figure_variable(figure, lb_closed_variable(c.closed, k));
                keeps &= s.values[k] >= v->lower - 1e-8 && s.values[k] <= v->upper + 1e-8;
            }
            CHECK_INT(s.is_inside, keeps);
            CHECK(s.is_inside || (s.worst_variable >= 0 && s.outside > 0));
            is_there |= n == 7 && s.is_inside && is_on_interval(&c, i, values);
        }
        if (n == 6) {
            const int at = closed_find(&c, values, 1e-5);
            is_there = at >= 0 && at < c.result.count;
        }
        missed += !is_there;
    }
    printf("%s of %s (%s): %d poses, %d solutions, %d outside the limits, %d missed\n", l->effector, l->model,
           lb_closed_kind_name(lb_closed_kind_of(c.closed)), tried, solutions, outside, missed);
    CHECK(tried > POSES / 4);
    CHECK_INT(missed, 0);
    CHECK(n == 7 || outside > 0);
    closed_end(&c);
    check_note("%s", "");
}

/* The shoulder of models/human.fig is a group that moves the clavicle as well: a chain that begins behind the clavicle has a base
 * that moves with it. */
static void test_grouped_shoulder(void) {
    lb_figure *figure = closed_load("models/human.fig");
    lb_effector palm;
    lb_error error;
    REQUIRE(lb_figure_find_effector(figure, "right_palm", &palm, &error) == LB_OK);
    lb_closed_options options;
    lb_closed_options_defaults(&options);
    options.base_segment = find_segment(figure, "right_clavicle");
    REQUIRE(lb_closed_create(figure, &palm, &options, &error) == NULL);
    CHECK_INT(error.status, LB_ERROR_UNSUPPORTED);
    CHECK(strstr(error.message, "right_glenohumeral") != NULL);
    lb_figure_destroy(figure);
}

/* Goals of an arm behind a group that have no solution: out of reach, or outside the limits, where the nearest is named. */
static void test_grouped_none(void) {
    closed_case c;
    lb_closed_options options;
    double rest[CLOSED_VARIABLES];
    lb_frame goal;
    lb_figure *figure = closed_load("models/human.fig");
    lb_closed_options_defaults(&options);
    options.base_segment = find_segment(figure, "vertebra_T1");
    closed_begin(&c, figure, "right_hand", &options);
    CHECK_TEXT(lb_closed_kind_name(lb_closed_kind_of(c.closed)), "grouped");
    lb_figure_rest_pose(figure, rest);
    closed_goal(&c, rest, &goal);
    REQUIRE(lb_closed_solve(c.closed, &goal, rest, &c.result) == LB_OK);
    CHECK(c.result.count > 0);
    CHECK_NEAR(closed_miss(&c, 0, rest, &goal), 0, 1e-11);
    lb_frame away = goal;
    away.position[0] += 3;
    REQUIRE(lb_closed_solve(c.closed, &away, rest, &c.result) == LB_OK);
    CHECK(c.result.count == 0 && c.result.all_count == 0 && !c.result.is_proved);
    CHECK_HAS(c.result.explanation, "out of the limb's reach");
    away = goal; /* the hand turned half round, which the forearm cannot do with the elbow like that */
    away.position[0] += 0.2;
    away.position[2] += 0.2;
    away.rotation[0] = 1;
    away.rotation[1] = away.rotation[2] = away.rotation[3] = 0;
    REQUIRE(lb_closed_solve(c.closed, &away, rest, &c.result) == LB_OK);
    CHECK(c.result.count == 0 && c.result.all_count == 1 && c.result.worst_variable >= 0 && c.result.outside > 0);
    CHECK_HAS(c.result.explanation, "no solution was found inside the limits; the nearest breaks right_");
    CHECK_NEAR(closed_miss(&c, 0, rest, &away), 0, 1e-11);
    closed_end(&c);
}

int main(void) {
    static const limb limbs[] = {
        {"models/human.fig", "pelvis", "right_foot", LB_CLOSED_MEETING},
        {"models/human.fig", "pelvis", "left_foot", LB_CLOSED_MEETING},
        {"models/en07-human.fig", "right_clavicle", "right_hand", LB_CLOSED_LIMB},
        {"models/en07-human.fig", "left_clavicle", "left_hand", LB_CLOSED_LIMB},
        {"models/human.fig", "vertebra_T1", "right_hand", LB_CLOSED_GROUPED},
        {"models/human.fig", "vertebra_T1", "left_palm", LB_CLOSED_GROUPED},
    };
    for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) {
        test_limb_of(&limbs[i]);
    }
    test_grouped_shoulder();
    test_grouped_none();
    return check_done();
}
