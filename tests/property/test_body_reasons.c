/* The reason given is the true one, for people: random standing ones reach for points beyond walls, boxes, balls and tables, with
 * feet that are planted or may step. What is named as in the way - an obstacle, a foot that stays, balance, the body itself, the
 * floor - is taken away in the problem itself, and the answer comes closer by what was said. `test_property_body_reasons [CASES]` */
#include "people/people.h"

#include <math.h>
#include <string.h>

#define FACTOR 2.0   /* between what was said and what comes of it */
#define LITTLE 0.001 /* metres that are not told apart */
#define MOST_REASONS 64
#define MOST_OBSTACLES 3
#define MOST_NAMED 16

typedef struct scene {
    people p;
    lb_body_options options;
    lb_obstacle obstacles[MOST_OBSTACLES];
    lb_surface wall;
    int goal; /* its id */
} scene;

typedef struct tally {
    long explained, said[LB_REASON_REGION + 1], false_said[LB_REASON_REGION + 1];
    long kept_away, blamed; /* by an obstacle alone, and it was named */
    long outcomes[LB_OUTCOME_BUDGET + 1];
} tally;

static const char *const names[MOST_OBSTACLES] = {"crate", "pole", "ball"};

/* Something of a random size between the person and the goal, or around the goal. */
static void make_obstacle(scene *s, int kind, const double goal[3]) {
    check_random *r = &s->p.random;
    lb_obstacle *o = &s->obstacles[s->options.obstacle_count];
    const double share = check_random_range(r, 0.5, 1.1);
    memset(o, 0, sizeof *o);
    o->name = names[s->options.obstacle_count];
    o->kind = kind == 0 ? LB_SHAPE_BOX : kind == 1 ? LB_SHAPE_CAPSULE : LB_SHAPE_SPHERE;
    for (int i = 0; i < 3; i++) {
        o->point[i] = i < 2 ? share * goal[i] : goal[i] + check_random_range(r, -0.2, 0.2);
        o->to[i] = o->point[i] + check_random_range(r, -0.4, 0.4);
        o->half_size[i] = check_random_range(r, 0.03, 0.3);
    }
    o->radius = check_random_range(r, 0.03, 0.2);
    s->options.obstacle_count++;
}

static void make_wall(scene *s, const double goal[3]) {
    const double share = check_random_range(&s->p.random, 0.5, 0.95), away = hypot(goal[0], goal[1]);
    s->wall = (lb_surface){.name = "wall",
                           .point = {share * goal[0], share * goal[1], 1},
                           .half_size = {1.5, 1.5},
                           .normal = {-goal[0] / away, -goal[1] / away, 0},
                           .thickness = check_random_range(&s->p.random, 0.02, 0.2)};
    s->options.surface_count = 1;
    s->options.surfaces = &s->wall;
}

static void make_scene(scene *s, uint64_t seed) {
    double goal[3];
    people_stand(&s->p, seed);
    check_random *r = &s->p.random;
    const double size = s->p.size, turn = check_random_range(r, -1.3, 1.0), far = check_random_range(r, 0.35, 1.0);
    const double ground[3] = {far * cos(turn), far * sin(turn), check_random_range(r, 0.0, 2.2)};
    for (int i = 0; i < 3; i++) {
        goal[i] = size * ground[i];
    }
    lb_body_options_defaults(&s->options);
    s->options.obstacles = s->obstacles;
    const int is_walled = check_random_index(r, 2), count = check_random_index(r, MOST_OBSTACLES + 1);
    if (is_walled) {
        make_wall(s, goal);
    }
    for (int i = 0; i < count; i++) {
        make_obstacle(s, check_random_index(r, 3), goal);
    }
    for (int i = 0; i < LB_BODY_LIMBS && check_random_index(r, 3); i++) {
        s->options.feet_modes[i] = LB_FOOT_MODE_PLANTED;
    }
    REQUIRE(lb_problem_set_body(s->p.problem, 0, &s->options) == LB_OK);
    s->goal = people_reach(&s->p, "right_palm", ground[0], ground[1], ground[2], 0);
}

/* --- What is taken away ------------------------------------------------------------------------------------------------- */

static int limb_of(const lb_body *body, const char *contact) {
    for (int i = 0; i < body->contact_count; i++) {
        if (strcmp(body->contacts[i].name, contact) == 0) {
            return body->contacts[i].limb;
        }
    }
    return -1;
}

/* The options without what the reason names. Returns 0 where it is not a matter of options. */
static int take_away(const scene *s, const lb_reason *r, lb_body_options *options, lb_obstacle kept[MOST_OBSTACLES]) {
    *options = s->options;
    switch (r->kind) {
    case LB_REASON_OBSTACLE:
        options->surface_count = strcmp(r->name, "wall") == 0 ? 0 : options->surface_count;
        options->obstacles = kept;
        options->obstacle_count = 0;
        for (int i = 0; i < s->options.obstacle_count; i++) {
            if (strcmp(s->obstacles[i].name, r->name) != 0) {
                kept[options->obstacle_count++] = s->obstacles[i];
            }
        }
        return 1;
    case LB_REASON_STEP:
        for (int i = 0; i < LB_BODY_LIMBS; i++) {
            const int goes = !r->name || limb_of(lb_figure_body(s->p.figure), r->name) == i;
            options->feet_modes[i] = goes ? LB_FOOT_MODE_STEP : options->feet_modes[i];
        }
        return 1;
    case LB_REASON_BALANCE:
        options->balance = 0;
        return 1;
    case LB_REASON_APART:
        options->apart = 0;
        return 1;
    case LB_REASON_FLOOR:
        options->above_floor = 0;
        return 1;
    default:
        return 0;
    }
}

/* The miss from a pose, with other options: as whoever has that pose would ask. */
static double miss_of(const scene *s, const lb_body_options *options, const double *pose, int tracking, int *met) {
    people_answer a;
    lb_solve_options o;
    lb_solve_options_defaults(&o);
    o.tracking = tracking;
    REQUIRE(lb_problem_set_body(s->p.problem, 0, options) == LB_OK);
    people_solve_afresh(&s->p, &o, pose, &a);
    REQUIRE(lb_problem_set_body(s->p.problem, 0, &s->options) == LB_OK);
    *met = a.result.outcome == LB_OUTCOME_SOLVED;
    return people_missed(&a, s->goal);
}

static void check_reason(const scene *s, const lb_reason *r, const double *pose, const lb_result *result, tally *t) {
    lb_body_options options;
    lb_obstacle kept[MOST_OBSTACLES];
    int met;
    if (!take_away(s, r, &options, kept)) {
        return;
    }
    const double before = result->constraints[result->unmet].distance;
    const double gain = before - miss_of(s, &options, pose, 1, &met);
    const int is_true =
        r->reached ? met : fabs(gain - r->gain) <= LITTLE || (gain <= FACTOR * r->gain && r->gain <= FACTOR * gain);
    t->said[r->kind]++;
    t->false_said[r->kind] += !is_true;
    if (!is_true) {
        printf("%s: %s %s: %g m said%s, %g found: %s\n", s->p.text, lb_reason_name(r->kind), r->name ? r->name : "",
               r->gain, r->reached ? " (reached)" : "", gain, result->explanation);
    }
}

/* Where all obstacles together are what keeps the goal away, and one alone is enough to take away, it is named. */
static void check_blame(const scene *s, const double *pose, const lb_result *result, tally *t) {
    int met = 0, is_named = 0;
    for (int i = -1; i < s->options.obstacle_count && !met; i++) {
        lb_obstacle kept[MOST_OBSTACLES];
        lb_body_options options;
        const lb_reason r = {.kind = LB_REASON_OBSTACLE, .name = i < 0 ? "wall" : s->obstacles[i].name};
        if (i < 0 && !s->options.surface_count) {
            continue;
        }
        take_away(s, &r, &options, kept);
        miss_of(s, &options, pose, 1, &met);
    }
    for (int i = 0; i < result->reason_count; i++) {
        is_named |= result->reasons[i].kind == LB_REASON_OBSTACLE;
    }
    t->kept_away += met;
    t->blamed += met && is_named;
    if (met && !is_named) {
        printf("%s: an obstacle is not blamed: %s\n", s->p.text, result->explanation);
    }
}

static void check_case(uint64_t seed, tally *t) {
    scene s;
    double pose[PEOPLE_VARIABLES];
    lb_result result;
    memset(&s, 0, sizeof s);
    make_scene(&s, seed);
    check_note("%s", s.p.text);
    lb_result_defaults(&result);
    lb_solver *solver = lb_solver_create(s.p.problem, NULL);
    REQUIRE(solver != NULL);
    memcpy(pose, s.p.start, (size_t)s.p.variables * sizeof *pose);
    REQUIRE(lb_solver_solve(solver, NULL, pose, &result) == LB_OK);
    t->outcomes[result.outcome]++;
    const int stepped = lb_solver_body(solver, 0)->step_count; /* from such a pose those feet would be planted */
    if (result.outcome != LB_OUTCOME_SOLVED && result.unmet >= 0 && !stepped) {
        REQUIRE(lb_solver_explain(solver, NULL, pose, &result) == LB_OK);
        t->explained++;
        char copies[MOST_REASONS][64]; /* names belong to the problem's body, which is another one for each reason */
        const int count = result.reason_count < MOST_REASONS ? result.reason_count : MOST_REASONS;
        for (int i = 0; i < count; i++) {
            snprintf(copies[i], sizeof copies[i], "%s", result.reasons[i].name ? result.reasons[i].name : "");
        }
        for (int i = 0; i < count; i++) {
            lb_reason reason = result.reasons[i];
            reason.name = reason.name ? copies[i] : NULL;
            check_reason(&s, &reason, pose, &result, t);
        }
        check_blame(&s, pose, &result, t);
    }
    lb_solver_destroy(solver);
    people_free(&s.p);
}

int main(int argc, char **argv) {
    const long cases = argc > 1 ? atol(argv[1]) : check_count(24, 1500);
    tally t = {.explained = 0};
    for (long i = 0; i < cases; i++) {
        check_case(7000 + (uint64_t)i, &t);
    }
    printf(
        "%ld solved, %ld minima, %ld out of budget; %ld explained; %ld kept away by one obstacle, blamed %ld times\n",
        t.outcomes[LB_OUTCOME_SOLVED], t.outcomes[LB_OUTCOME_MINIMUM], t.outcomes[LB_OUTCOME_BUDGET], t.explained,
        t.kept_away, t.blamed);
    for (int k = 0; k <= LB_REASON_REGION; k++) {
        if (t.said[k]) {
            printf("%-8s %6ld said, %ld false\n", lb_reason_name((lb_reason_kind)k), t.said[k], t.false_said[k]);
        }
        CHECK_INT(t.false_said[k], 0);
    }
    CHECK(t.explained > cases / 20);
    CHECK_INT(t.blamed, t.kept_away);
    return check_done();
}
