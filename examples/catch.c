/*
 * Things happen over time: a ball comes rolling, a robot's tool follows it, takes it up, brings it to a shelf, puts it
 * down.
 *
 * The ball is a figure of its own, moved by a track until it is taken up. Two constraints take turns: the tool at the
 * ball, and - once it is held - the ball on its way to the shelf, which moves the arm that carries it. The player may
 * be asked for any time in any order; here the last one is asked first.
 */
#include <limber/io.h>
#include <limber/motion.h>
#include <math.h>
#include <stdio.h>

enum { PANDA, BALL, MOST = 24 };

static lb_figure *make_ball(void) {
    lb_builder *builder = lb_builder_create(NULL, NULL);
    lb_segment segment;
    lb_site site;
    lb_root root;
    lb_figure *ball = NULL;
    lb_segment_defaults(&segment);
    segment.name = "ball";
    lb_builder_add_segment(builder, &segment);
    lb_site_defaults(&site);
    site.name = "centre";
    lb_builder_add_site(builder, &site);
    lb_root_defaults(&root);
    root.is_free = 1;
    lb_builder_set_root(builder, &root);
    lb_builder_set_name(builder, "ball");
    lb_builder_finish(builder, &ball);
    lb_builder_destroy(builder);
    return ball;
}

/* A track that is 1 between two times, else 0. */
static lb_track *on_between(double from, double to) {
    const double off = 0, on = 1;
    lb_track *track = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
    lb_track_set(track, 0, from > 0 ? &off : &on, LB_INTERPOLATION_STEP);
    if (from > 0) {
        lb_track_set(track, from, &on, LB_INTERPOLATION_STEP);
    }
    lb_track_set(track, to, &off, LB_INTERPOLATION_STEP);
    return track;
}

int main(void) {
    static const double rolls[4][7] = {{0.6, 0.5, 0.1, 0, 0, 0, 1},
                                       {0.5, 0.2, 0.1, 0, 0, 0, 1},
                                       {0.45, 0, 0.1, 0, 0, 0, 1},
                                       {0.45, -0.1, 0.1, 0, 0, 0, 1}};
    const double middle[3] = {0, 0, 0};
    double pose[MOST] = {0};
    lb_figure *panda, *ball = make_ball();
    lb_constraint follow, bring;
    if (!ball || lb_figure_load("models/panda.fig", NULL, &panda, NULL)) {
        return 1;
    }

    lb_problem *problem = lb_problem_create(panda, NULL);
    lb_problem_add_figure(problem, ball);
    lb_constraint_at(panda, "tool", middle, &follow);
    follow.goal.carrier_figure = BALL; /* the goal is where the ball is */
    follow.goal.carrier_segment = 0;
    int following = lb_problem_add(problem, &follow);
    lb_constraint_at(ball, "centre", middle, &bring);
    bring.figure = BALL;
    int bringing = lb_problem_add(problem, &bring);
    lb_figure_rest_pose(panda, pose);

    lb_motion *motion = lb_motion_create(problem, pose, NULL);
    lb_track *path = lb_track_create(LB_TRACK_FRAME, 0, NULL, NULL);
    for (int i = 0; i < 4; i++) {
        lb_track_set(path, 0.7 * i, rolls[i], LB_INTERPOLATION_CUBIC);
    }
    lb_track *first = on_between(0, 1.5), *then = on_between(1.5, 3);
    lb_track *lift = lb_track_create(LB_TRACK_FRAME, 0, NULL, NULL); /* from where the ball is taken up to the shelf */
    double taken[7] = {0, 0, 0, 0, 0, 0, 1}, down[7] = {0.35, -0.35, 0.5, 0, 0, 0, 1};
    lb_track_sample(path, 1.5, taken, NULL, NULL);
    lb_track_set_ends(lift, LB_TRACK_ENDS_CLAMPED);
    lb_track_set(lift, 1.5, taken, LB_INTERPOLATION_CUBIC);
    lb_track_set(lift, 2.8, down, LB_INTERPOLATION_CUBIC);
    lb_motion_drive(motion, LB_DRIVE_TARGET_ROOT, BALL, path);
    lb_motion_drive(motion, LB_DRIVE_TARGET_ENABLED, following, first);
    lb_motion_drive(motion, LB_DRIVE_TARGET_ENABLED, bringing, then);
    lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, bringing, lift);
    int tool = lb_figure_find_site(panda, "tool");
    if (lb_motion_carry(motion, BALL, PANDA, lb_figure_site(panda, tool)->segment, 1.5, 3)) {
        return 1;
    }

    lb_player *player = lb_player_create(motion, NULL, NULL);
    double worst = 0;
    for (int i = 7; i >= 0; i--) {
        lb_frame hand, thing;
        double velocity[6], apart = 0;
        if (lb_player_site(player, 0.5 * i, PANDA, tool, &hand, NULL, NULL) ||
            lb_player_site(player, 0.5 * i, BALL, 0, &thing, velocity, NULL)) {
            return 1;
        }
        for (int k = 0; k < 3; k++) {
            apart += (hand.position[k] - thing.position[k]) * (hand.position[k] - thing.position[k]);
        }
        if (sqrt(apart) > worst) {
            worst = sqrt(apart);
        }
        printf("%.1f s: ball at %6.3f %6.3f %6.3f m, %.2f m/s\n", 0.5 * i, thing.position[0], thing.position[1],
               thing.position[2],
               sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]));
    }
    printf("the tool was at most %.4f mm away\n", 1000 * worst);
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(path);
    lb_track_destroy(first);
    lb_track_destroy(then);
    lb_track_destroy(lift);
    lb_problem_destroy(problem);
    lb_figure_destroy(ball);
    lb_figure_destroy(panda);
    return worst > 1e-4;
}
