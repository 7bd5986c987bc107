/* Answers that keep clear, against FCL: Panda, UR5 and iiwa14 with their meshes, by themselves and in a world. Every answer is
 * measured pair by pair, also the pairs that sampling left out, because they never touch. */
#include "check.h"

#ifdef LIMBER_HAVE_FCL

#include <fcl/narrowphase/distance.h>

#include "fcl_shapes.hpp"

#include <cstdio>
#include <cstring>
#include <limber/io.h>
#include <string>

namespace {

void make_world(lb_solid world[4]) {
    static const char *const names[4] = {"table", "box", "post", "shelf"};
    static const double size[4][3] = {{1, 1, 0.02}, {0.1, 0.1, 0.2}, {0.05, 0.15, 0.3}, {0.1, 0.2, 0.1}};
    static const double at[4][3] = {{0, 0, -0.05}, {0.5, 0.3, 0.2}, {0.5, -0.3, 0.3}, {-0.4, 0, 0.4}};
    for (int i = 0; i < 4; i++) {
        world[i].name = names[i];
        lb_shape_defaults(&world[i].shape);
        world[i].shape.kind = LB_SHAPE_BOX;
        std::memcpy(world[i].shape.size, size[i], sizeof size[i]);
        std::memcpy(world[i].shape.frame.position, at[i], sizeof at[i]);
    }
}

void frame_of(lb_kinematics *kinematics, const lb_effector *effector, lb_frame *frame) {
    double e[9], m[9];
    lb_kinematics_effector(kinematics, effector, e);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        frame->position[i] = e[i];
        m[3 * i] = e[3 + i], m[3 * i + 1] = e[6 + i];
        m[3 * i + 2] = e[3 + j] * e[6 + k] - e[3 + k] * e[6 + j];
    }
    lb_rotation_from_matrix(m, frame->rotation);
}

struct problem {
    lb_problem *made;
    lb_solver *solver;
    int id, pairs;
};

problem open_problem(const lb_figure *figure, const lb_constraint &goal, int solid_count, const lb_solid *solids,
                     int samples) {
    lb_collisions apart;
    lb_collisions_defaults(&apart);
    apart.solid_count = solid_count;
    apart.solids = solids;
    apart.samples = samples;
    problem p{lb_problem_create(figure, nullptr), nullptr, 0, 0};
    CHECK_INT(lb_problem_set_collisions(p.made, &apart), LB_OK);
    p.id = lb_problem_add(p.made, &goal);
    p.solver = lb_solver_create(p.made, nullptr);
    p.pairs = lb_problem_pair_count(p.made);
    return p;
}

void check_robot(const char *file, const char *tip, int solid_count) {
    char path[1024], packages[1024];
    lb_load_options options;
    lb_error error;
    lb_figure *figure = nullptr;
    lb_solid world[4];
    lb_constraint goal;
    lb_frame frame;
    REQUIRE(check_shared(file, path, sizeof path) && check_shared("data/packages/", packages, sizeof packages));
    lb_load_options_defaults(&options);
    options.meshes = 1;
    options.packages = packages;
    REQUIRE(lb_figure_load(path, &options, &figure, &error) == LB_OK);
    make_world(world);
    lb_frame_identity(&frame);
    REQUIRE(lb_constraint_frame(figure, tip, &frame, &goal) == LB_OK);
    problem p = open_problem(figure, goal, solid_count, world, 2000),
            whole = open_problem(figure, goal, solid_count, world, 0);
    auto scene = std::make_unique<fcl_scene>(figure, solid_count, world);
    lb_kinematics *kinematics = lb_kinematics_create(figure, nullptr);
    const int count = check_count(40, 2000), n = lb_figure_variable_count(figure);
    std::vector<double> pose(static_cast<size_t>(n));
    std::vector<int> touches(static_cast<size_t>(whole.pairs));
    lb_solve_options how;
    lb_result result;
    lb_solve_options_defaults(&how);
    lb_result_defaults(&result);
    how.restarts = 1000;
    uint64_t seed = 3;
    double least = INFINITY, off = 0;
    int solved = 0;
    for (int i = 0; i < count; i++) {
        do {
            lb_figure_random_pose(figure, &seed, pose.data());
        } while (lb_solver_near_pairs(p.solver, pose.data(), 0, 0, nullptr) > 0);
        lb_kinematics_update(kinematics, pose.data());
        frame_of(kinematics, &goal.effector, &frame);
        lb_problem_move_goal(p.made, p.id, &frame);
        lb_figure_rest_pose(figure, pose.data());
        CHECK_INT(lb_solver_solve(p.solver, &how, pose.data(), &result), LB_OK);
        solved += result.outcome == LB_OUTCOME_SOLVED;
        scene->place(pose.data());
        for (int k = 0; k < p.pairs; k++) {
            lb_contact_pair pair;
            lb_solver_pair(p.solver, pose.data(), k, &pair);
            const double theirs = scene->distance(pair.segment_a, pair.figure_b < 0, pair.segment_b);
            least = std::min(least, theirs);
            if (pair.distance > 0 &&
                pair.distance < 0.03) { /* FCL's meshes have no depth, and it is exact where near */
                off = std::max(off, std::abs(theirs - pair.distance));
            }
        }
        for (int k = 0; k < whole.pairs; k++) {
            lb_contact_pair pair;
            lb_solver_pair(whole.solver, pose.data(), k, &pair);
            touches[static_cast<size_t>(k)] +=
                scene->distance(pair.segment_a, pair.figure_b < 0, pair.segment_b) < -1e-4;
        }
    }
    std::printf("%s: %d of %d solved, nearest %.4f mm by FCL, distances differ by %.2g m\n", file, solved, count,
                1e3 * least, off);
    CHECK_INT(solved, count);
    CHECK(least >= -1e-4);
    CHECK(off < 1e-6);
    for (int k = 0; k < whole.pairs; k++) { /* what touches now and then is looked at: nothing does */
        CHECK(touches[static_cast<size_t>(k)] == 0 || touches[static_cast<size_t>(k)] > count / 2);
    }
    for (problem *each : {&p, &whole}) {
        lb_solver_destroy(each->solver);
        lb_problem_destroy(each->made);
    }
    lb_kinematics_destroy(kinematics);
    scene.reset(); /* before the figure that it looks at */
    lb_figure_destroy(figure);
}

} // namespace

int main() {
    char path[1024];
    if (!check_shared("data/packages/drake_models/iiwa_description/meshes/iiwa14/collision/link_0.obj", path,
                      sizeof path)) {
        SKIP("the meshes of the robots are not there");
    }
    for (int solids = 0; solids <= 4; solids += 4) {
        check_robot("data/urdf/arms/panda.urdf", "panda_hand", solids);
        check_robot("data/urdf/arms/ur5_robot.urdf", "tool0", solids);
        check_robot("data/urdf/arms/iiwa14.urdf", "iiwa_link_ee", solids);
    }
    return check_done();
}

#else

int main() { SKIP("FCL is not installed (libfcl-dev)"); }

#endif
