/* Motions keep clear: what a problem keeps apart stays apart at every step of its motion, of a person and of a robot, and of what is
 * carried. A solver of a problem of its own looks at every pose. */
#include <limber/body.h>
#include <limber/collisions.h>
#include <limber/io.h>
#include <limber/motion.h>
#include <math.h>
#include <string.h>

#include "check.h"

#define MOST 256
#define OVERLAP 1e-4 /* metres */

static lb_figure *load(const char *file) {
    char path[600];
    lb_figure *figure = NULL;
    REQUIRE(check_source(file, path, sizeof path) && lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    return figure;
}

static void set_post(lb_solid *post, const double at[3], double radius, double half) {
    post->name = "post";
    lb_shape_defaults(&post->shape);
    post->shape.kind = LB_SHAPE_CYLINDER;
    post->shape.size[0] = radius;
    post->shape.size[1] = half;
    memcpy(post->shape.frame.position, at, sizeof post->shape.frame.position);
}

static lb_track *line(const double from[3], const double to[3], double seconds) {
    lb_track *track = lb_track_create(LB_TRACK_FRAME, 0, NULL, NULL);
    double value[7] = {from[0], from[1], from[2], 0, 0, 0, 1};
    REQUIRE(lb_track_set(track, 0, value, LB_INTERPOLATION_LINEAR) == LB_OK);
    memcpy(value, to, 3 * sizeof *value);
    REQUIRE(lb_track_set(track, seconds, value, LB_INTERPOLATION_LINEAR) == LB_OK);
    return track;
}

/* Plays 2 seconds of a goal that goes from side to side behind a post, and judges every third step. Returns how near it comes. */
static double play(const char *file, const char *effector, const lb_solid *post, const double from[3],
                   const double to[3], int keeps_apart, double *missed) {
    lb_figure *figure = load(file);
    lb_problem *p = lb_problem_create(figure, NULL), *judged = lb_problem_create(figure, NULL);
    lb_collisions apart;
    lb_constraint c;
    lb_error error;
    double pose[MOST], nearest = INFINITY;
    lb_collisions_defaults(&apart);
    apart.solid_count = 1;
    apart.solids = post;
    apart.samples = 200;
    REQUIRE(lb_constraint_at(figure, effector, from, &c) == LB_OK);
    const int id = lb_problem_add(p, &c);
    if (lb_figure_body(figure)) {
        REQUIRE(lb_problem_set_body(p, 0, NULL) == LB_OK);
    }
    REQUIRE(!keeps_apart || lb_problem_set_collisions(p, &apart) == LB_OK);
    apart.self = 0;
    REQUIRE(lb_problem_set_collisions(judged, &apart) == LB_OK);
    lb_solver *judge = lb_solver_create(judged, &error);
    lb_figure_rest_pose(figure, pose);
    lb_motion *motion = lb_motion_create(p, pose, &error);
    lb_track *track = line(from, to, 2);
    REQUIRE(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, id, track) == LB_OK);
    lb_player_options options;
    lb_player_options_defaults(&options);
    options.step = 1.0 / 30;
    lb_player *player = lb_player_create(motion, &options, &error);
    REQUIRE(player != NULL);
    *missed = 0;
    for (int i = 0; i <= 60; i += 3) {
        lb_result result;
        lb_contact_pair pair;
        lb_result_defaults(&result);
        REQUIRE(lb_player_pose(player, i / 30.0, pose, &result) == LB_OK);
        *missed = fmax(*missed, result.constraint_count ? result.constraints[0].distance : 0);
        if (lb_solver_near_pairs(judge, pose, 0.1, 1, &pair) > 0) {
            nearest = fmin(nearest, pair.distance);
        }
    }
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(track);
    lb_solver_destroy(judge);
    lb_problem_destroy(judged);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
    return nearest;
}

static void check_play(const char *file, const char *effector, const lb_solid *post, const double from[3],
                       const double to[3]) {
    double missed, through;
    through = play(file, effector, post, from, to, 0, &missed);
    check_note("%s without: %.1f mm, missed by %.1f mm", file, 1e3 * through, 1e3 * missed);
    CHECK(through < -5e-3);
    const double nearest = play(file, effector, post, from, to, 1, &missed);
    check_note("%s: %.2f mm, missed by %.2f mm", file, 1e3 * nearest, 1e3 * missed);
    printf("%s: %.2f mm, missed by %.2f mm; without it %.1f mm\n", file, 1e3 * nearest, 1e3 * missed, 1e3 * through);
    CHECK(nearest > -OVERLAP);
    CHECK(missed < 1e-3);
    check_note("%s", "");
}

int main(void) {
    static const double person[2][3] = {{0.45, -0.4, 1.15}, {0.48, 0.1, 1.05}};
    static const double robot[2][3] = {{0.55, -0.25, 0.4}, {0.55, 0.25, 0.4}};
    lb_solid post;
    set_post(&post, (const double[3]){0.32, -0.22, 0.7}, 0.05, 0.7);
    check_play("models/human.fig", "right_palm", &post, person[0], person[1]);
    set_post(&post, (const double[3]){0.3, 0, 0.9}, 0.04, 0.3);
    check_play("models/panda.fig", "tool", &post, robot[0], robot[1]);
    return check_done();
}
