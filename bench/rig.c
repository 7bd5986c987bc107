#include "rig.h"

#include "peer_fcl.h"

#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const rig_robot rig_robots[RIG_ROBOTS] = {{"panda", "../shared/data/urdf/arms/panda.urdf", "panda_link0", "panda_hand"},
                                          {"ur5", "../shared/data/urdf/arms/ur5_robot.urdf", "base_link", "tool0"},
                                          {"iiwa14", "../shared/data/urdf/arms/iiwa14.urdf", "base", "iiwa_link_ee"}};

void rig_make_world(lb_solid world[4]) {
    static const char *const names[4] = {"table", "box", "post", "shelf"};
    static const double size[4][3] = {{1, 1, 0.02}, {0.1, 0.1, 0.2}, {0.05, 0.15, 0.3}, {0.1, 0.2, 0.1}};
    static const double at[4][3] = {{0, 0, -0.05}, {0.5, 0.3, 0.2}, {0.5, -0.3, 0.3}, {-0.4, 0, 0.4}};
    for (int i = 0; i < 4; i++) {
        world[i].name = names[i];
        lb_shape_defaults(&world[i].shape);
        world[i].shape.kind = LB_SHAPE_BOX;
        memcpy(world[i].shape.size, size[i], sizeof size[i]);
        memcpy(world[i].shape.frame.position, at[i], sizeof at[i]);
    }
}

int rig_open(rig *r, int robot, int solid_count, const lb_solid *solids) {
    char path[1024], packages[1024];
    lb_load_options options;
    lb_collisions apart;
    lb_error error;
    lb_frame frame;
    bench_source_path(rig_robots[robot].file, path);
    bench_source_path("../shared/data/packages", packages);
    lb_load_options_defaults(&options);
    options.meshes = 1;
    options.packages = packages;
    memset(r, 0, sizeof *r);
    if (lb_figure_load(path, &options, &r->figure, &error)) {
        return 0;
    }
    lb_collisions_defaults(&apart);
    apart.solid_count = solid_count;
    apart.solids = solids;
    lb_frame_identity(&frame);
    r->problem = lb_problem_create(r->figure, &error);
    if (!r->problem || lb_problem_set_collisions(r->problem, &apart) ||
        lb_constraint_frame(r->figure, rig_robots[robot].tip, &frame, &r->goal) ||
        (r->id = lb_problem_add(r->problem, &r->goal)) < 0 || !(r->solver = lb_solver_create(r->problem, &error))) {
        bench_stop("%s: no problem could be made of it", path);
    }
    r->n = lb_figure_variable_count(r->figure);
    r->pairs = lb_problem_pair_count(r->problem);
    r->judge = peer_fcl_create(r->figure, solid_count, solids);
    return 1;
}

void rig_close(rig *r) {
    peer_fcl_destroy(r->judge);
    lb_solver_destroy(r->solver);
    lb_problem_destroy(r->problem);
    lb_figure_destroy(r->figure);
}

void rig_frame_of(const rig *r, const double *pose, double e[9]) {
    long double exact[9];
    bench_effector(r->figure, pose, &r->goal.effector, exact);
    for (int i = 0; i < 9; i++) {
        e[i] = (double)exact[i];
    }
}

void rig_draw_target(rig *r, uint64_t *seed, rig_target *t) {
    double pose[RIG_MOST], m[9];
    do {
        lb_figure_random_pose(r->figure, seed, pose);
    } while (lb_solver_near_pairs(r->solver, pose, 0, 0, NULL) > 0);
    rig_frame_of(r, pose, t->e);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        t->frame.position[i] = t->e[i];
        m[3 * i] = t->e[3 + i], m[3 * i + 1] = t->e[6 + i];
        m[3 * i + 2] = t->e[3 + j] * t->e[6 + k] - t->e[3 + k] * t->e[6 + j];
    }
    lb_rotation_from_matrix(m, t->frame.rotation);
}
