/* What a path says that ends it is so: the closed form, which has every solution, is asked just behind the end. "Out of reach" is
 * said where there is none, whatever the limits; "a limit" where a solution breaks that one; "another branch" where there are
 * solutions, but none that the last pose could go on to. */
#include <limber/io.h>
#include <limber/path.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "closed_case.h"

#define BEHIND 1e-4 /* metres behind the end; places are looked at to within a 64th of 5 mm, */
#define LOOKS 8     /* and there may be something else a little farther on: looks at the way there */

static check_random source;

typedef struct tally {
    int lines, through, reach, range, branch, speed;
} tally;

static void at_place(const lb_frame ends[2], double t, lb_frame *frame) {
    *frame = ends[0];
    for (int k = 0; k < 3; k++) {
        frame->position[k] += t * (ends[1].position[k] - ends[0].position[k]);
    }
}

/* Whether a solution breaks the limit that is named. */
static int is_broken(closed_case *c, const lb_path_result *r, const double *start) {
    for (int i = c->result.count; i < c->result.all_count && r->variable >= 0; i++) {
        const lb_variable *v = lb_figure_variable(c->figure, r->variable);
        double pose[CLOSED_VARIABLES];
        memcpy(pose, start, (size_t)c->n * sizeof *pose);
        lb_closed_pose(c->closed, i, pose);
        if (r->is_upper ? pose[r->variable] > v->upper : pose[r->variable] < v->lower) {
            return 1;
        }
    }
    return 0;
}

/* What the closed form has behind the end. */
static void judge(closed_case *c, const lb_path_result *r, const lb_frame ends[2], const double *start, tally *t) {
    int breaks = 0, without = 0, inside = 0;
    for (int k = 1; k <= LOOKS; k++) {
        lb_frame behind;
        at_place(ends, r->fraction + BEHIND * k / LOOKS / r->length, &behind);
        REQUIRE(lb_closed_solve(c->closed, &behind, start, &c->result) == LB_OK);
        breaks |= is_broken(c, r, start);
        without |= c->result.all_count == 0;
        inside |= c->result.count > 0;
    }
    t->reach += r->end == LB_PATH_END_REACH;
    t->range += r->end == LB_PATH_END_RANGE;
    t->branch += r->end == LB_PATH_END_BRANCH;
    t->speed += r->end == LB_PATH_END_SPEED;
    CHECK(r->end != LB_PATH_END_REACH || without);
    CHECK(r->end != LB_PATH_END_RANGE || breaks);
    CHECK((r->end != LB_PATH_END_BRANCH && r->end != LB_PATH_END_SPEED) || inside);
    CHECK(r->end == LB_PATH_END_REACH || r->end == LB_PATH_END_RANGE || r->end == LB_PATH_END_BRANCH ||
          r->end == LB_PATH_END_SPEED);
}

static void lines_of(const char *model, const char *effector, int lines) {
    closed_case c;
    tally t = {0};
    closed_begin(&c, closed_load(model), effector, NULL);
    for (int i = 0; i < lines; i++) {
        double pose[CLOSED_VARIABLES];
        uint64_t seed = check_random_bits(&source);
        lb_frame ends[2];
        lb_path_options options;
        lb_path_result result;
        lb_error error;
        check_note("%s, line %d", model, i);
        lb_figure_random_pose(c.figure, &seed, pose);
        closed_goal(&c, pose, &ends[0]);
        ends[1] = ends[0];
        for (int k = 0; k < 3; k++) {
            ends[1].position[k] += check_random_range(&source, -0.6, 0.6);
        }
        lb_path_options_defaults(&options);
        lb_path_result_defaults(&result);
        options.ways = 8;
        options.start = pose;
        lb_path *path = lb_path_create(c.figure, &c.effector, 2, ends, &options, &error);
        REQUIRE(path != NULL);
        REQUIRE(lb_path_get(path, &result) == LB_OK);
        t.lines++;
        t.through += result.end == LB_PATH_END_NONE;
        check_note("%s, line %d, %.4f of the way: %s", model, i, result.fraction, result.explanation);
        if (result.end != LB_PATH_END_NONE && result.fraction + BEHIND / result.length < 1) {
            judge(&c, &result, ends, pose, &t);
        }
        lb_path_destroy(path);
    }
    check_note("%s", "");
    printf("%s: %d lines, %d come through; %d out of reach, %d at a limit, %d at the end of a branch, %d too fast\n",
           model, t.lines, t.through, t.reach, t.range, t.branch, t.speed);
    CHECK(t.reach + t.range + t.branch > 0);
    closed_end(&c);
}

int main(void) {
    const int lines = check_is_sanitized() ? 2 : check_count(12, 300);
    check_random_seed(&source, 2626);
    lines_of("models/ur5.fig", "tool", lines);
    lines_of("models/irb120.fig", "tool", lines);
    lines_of("models/puma560.fig", "tool", lines);
    return check_done();
}
