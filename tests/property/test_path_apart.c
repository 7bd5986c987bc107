/* Paths that keep clear: random lines of arms among solids. No pose of a path that was followed overlaps by more than 0.1 mm, also
 * between the poses; where a path ends at something, the branch without that would touch it; and where the best branch touches, another
 * one is taken. The distances are measured by a solver of its own. */
#include <limber/collisions.h>
#include <limber/io.h>
#include <limber/path.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

#define MOST 16
#define SOLIDS 3

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static void make_world(uint64_t *seed, lb_solid solids[SOLIDS]) {
    static const char *const names[SOLIDS] = {"ball", "box", "post"};
    static const lb_shape_kind kinds[SOLIDS] = {LB_SHAPE_SPHERE, LB_SHAPE_BOX, LB_SHAPE_CAPSULE};
    for (int i = 0; i < SOLIDS; i++) {
        const double angle = 6.2831853 * uniform(seed), away = 0.25 + 0.35 * uniform(seed);
        lb_shape *s = &solids[i].shape;
        solids[i].name = names[i];
        lb_shape_defaults(s);
        s->kind = kinds[i];
        s->frame.position[0] = away * cos(angle);
        s->frame.position[1] = away * sin(angle);
        s->frame.position[2] = 0.1 + 0.6 * uniform(seed);
        s->size[0] = s->size[2] = 0.03 + 0.06 * uniform(seed);
        s->size[1] = 0.05 + 0.2 * uniform(seed);
    }
}

static double clearance(lb_solver *judge, const double *pose) {
    lb_contact_pair pair;
    return lb_solver_near_pairs(judge, pose, 0.1, 1, &pair) > 0 ? pair.distance : 0.1;
}

/* The least distance along a path, poses and a quarter of the way between them. */
static double least_of(const lb_path *path, int count, int n, lb_solver *judge) {
    double least = 1, last[MOST], pose[MOST], between[MOST];
    for (int i = 0; i < count; i++) {
        CHECK_INT(lb_path_pose(path, i, pose, NULL), LB_OK);
        for (int part = i ? 1 : 4; part <= 4; part++) {
            for (int k = 0; k < n; k++) {
                between[k] = i ? last[k] + (pose[k] - last[k]) * part / 4 : pose[k];
            }
            least = fmin(least, clearance(judge, between));
        }
        memcpy(last, pose, sizeof last);
    }
    return least;
}

int main(void) {
    static const char *const models[] = {"models/ur5.fig", "models/panda.fig"};
    uint64_t seed = 5;
    int followed = 0, ended = 0, changed = 0;
    double worst = 1;
    for (int round = 0; round < check_count(40, 400); round++) {
        char file[600];
        lb_figure *figure;
        lb_effector effector;
        lb_collisions apart;
        lb_solid solids[SOLIDS];
        lb_path_options options;
        lb_path_result free_way, clear_way;
        lb_frame frames[2];
        double pose[MOST];
        REQUIRE(check_source(models[round % 4 == 3], file, sizeof file) && !lb_figure_load(file, NULL, &figure, NULL));
        const int n = lb_figure_variable_count(figure);
        lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
        lb_figure_find_effector(figure, "tool", &effector, NULL);
        make_world(&seed, solids);
        lb_collisions_defaults(&apart);
        apart.solid_count = SOLIDS;
        apart.solids = solids;
        apart.samples = 300;
        lb_problem *problem = lb_problem_create(figure, NULL);
        CHECK_INT(lb_problem_set_collisions(problem, &apart), LB_OK);
        lb_solver *judge = lb_solver_create(problem, NULL);
        int tries = 0;
        do {                           /* a line of 30 cm whose beginning can be had */
            if (tries++ % 100 == 99) { /* this world leaves no room */
                make_world(&seed, solids);
                CHECK_INT(lb_problem_set_collisions(problem, &apart), LB_OK);
            }
            lb_figure_random_pose(figure, &seed, pose);
        } while (clearance(judge, pose) < 5e-4);
        lb_kinematics_update(kinematics, pose);
        lb_kinematics_site(kinematics, lb_figure_find_site(figure, "tool"), &frames[0]);
        frames[1] = frames[0];
        const double angle = 6.2831853 * uniform(&seed);
        frames[1].position[0] += 0.3 * cos(angle);
        frames[1].position[1] += 0.3 * sin(angle);
        lb_path_options_defaults(&options);
        lb_path_result_defaults(&free_way);
        lb_path_result_defaults(&clear_way);
        lb_path *without = lb_path_create(figure, &effector, 2, frames, &options, NULL);
        options.collisions = &apart;
        lb_path *with = lb_path_create(figure, &effector, 2, frames, &options, NULL);
        REQUIRE(without && with);
        lb_path_get(without, &free_way);
        lb_path_get(with, &clear_way);
        check_note("round %d: %s", round, clear_way.explanation);
        if (clear_way.end == LB_PATH_END_NONE) {
            const double least = least_of(with, clear_way.pose_count, n, judge);
            followed++;
            worst = fmin(worst, least);
            CHECK(least > -1e-4 && free_way.end == LB_PATH_END_NONE && clear_way.load_velocity <= 1 + 1e-9);
            changed += least_of(without, free_way.pose_count, n, judge) < -1e-4;
            CHECK(!clear_way.name_a[0]);
        } else if (clear_way.end == LB_PATH_END_COLLISION) {
            ended++;
            CHECK(clear_way.name_a[0] && clear_way.name_b[0] && clear_way.touching_count > 0 && !clear_way.pose_count);
            CHECK_HAS(clear_way.explanation, clear_way.name_b);
        } else {
            CHECK(clear_way.end == free_way.end || clear_way.touching_count > 0);
        }
        lb_path_destroy(without);
        lb_path_destroy(with);
        lb_solver_destroy(judge);
        lb_problem_destroy(problem);
        lb_kinematics_destroy(kinematics);
        lb_figure_destroy(figure);
    }
    CHECK(followed > 0 && ended > 0 && changed > 0);
    printf("%d paths followed, %d of them where the best branch alone would touch; %d end at something; least distance "
           "%.4f mm\n",
           followed, changed, ended, 1e3 * worst);
    return check_done();
}
