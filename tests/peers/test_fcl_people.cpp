/* People among things, against FCL: reaches of a person beside a post and a wedge. Where a reach is called solved, FCL, which shares
 * nothing with the solver, finds no drawn shape of the person in either of them. */
#include "check.h"

#ifdef LIMBER_HAVE_FCL

#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>

#include "fcl_shapes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <limber/body.h>
#include <limber/io.h>

namespace {

const double OVERLAP = 1e-4; /* metres */
const int BALLS =
    200; /* that a capsule with two radii is made of: it is less than a hundredth of a millimetre smaller */

struct part {
    std::shared_ptr<fcl::CollisionGeometryd> shape;
    fcl::Transform3d frame;
    int segment; /* -1: the world */
};

fcl::Transform3d along(const fcl::Transform3d &frame, double z) {
    fcl::Transform3d moved = frame;
    moved.translation() += frame.linear() * Eigen::Vector3d(0, 0, z);
    return moved;
}

void add_capsule(const lb_shape &s, int segment, std::vector<part> &parts) {
    const fcl::Transform3d frame = fcl_frame(s.frame);
    const double half = s.size[1], bottom = s.size[0], top = s.size[2];
    if (bottom == top) {
        parts.push_back({std::make_shared<fcl::Capsuled>(bottom, 2 * half), frame, segment});
        return;
    }
    /* The hull of two balls, as the balls that it is made of: their middles are on the axis. */
    const double sine = (bottom - top) / (2 * half);
    for (int i = 0; i <= BALLS; i++) {
        const double t = static_cast<double>(i) / BALLS;
        if (std::abs(sine) < 1 || (sine > 0 ? i == 0 : i == BALLS)) {
            parts.push_back({std::make_shared<fcl::Sphered>(bottom + t * (top - bottom)),
                             along(frame, half * (2 * t - 1)), segment});
        }
    }
}

/* The wedge, smaller by `less` on all sides: a triangle from y = -0.1 to 0.4, drawn in towards the middle of the circle inside it. */
std::shared_ptr<fcl::CollisionGeometryd> make_wedge(const double (*corners)[3], double less) {
    const double radius = (0.45 + 0.25 - std::hypot(0.45, 0.25)) / 2, share = 1 - less / radius;
    const double middle[3] = {0.45 + radius, 0.15, 0.7 + radius};
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (int i = 0; i < 6; i++) {
        vertices->emplace_back(middle[0] + share * (corners[i][0] - middle[0]),
                               corners[i][1] + (corners[i][1] < middle[1] ? less : -less),
                               middle[2] + share * (corners[i][2] - middle[2]));
    }
    const std::vector<int> faces{3, 0, 2, 4, 3, 1, 5, 3, 4, 0, 1, 3, 2, 4, 0, 4, 5, 1, 4, 2, 3, 5, 4};
    return std::make_shared<fcl::Convexd>(vertices, 5, std::make_shared<std::vector<int>>(faces));
}

/* The post and the wedge, smaller by `less` metres on all sides. */
std::vector<part> make_world(const double (*corners)[3], const lb_frame &post, double less) {
    return {{std::make_shared<fcl::Cylinderd>(0.06 - less, 1.4 - 2 * less), fcl_frame(post), -1},
            {make_wedge(corners, less), fcl::Transform3d::Identity(), -1}};
}

std::vector<part> parts_of(const lb_figure *figure) {
    std::vector<part> parts;
    for (int i = 0; i < lb_figure_shape_count(figure); i++) {
        const lb_shape &s = *lb_figure_shape(figure, i);
        if (s.use == LB_SHAPE_USE_DRAWN) {
            continue;
        }
        if (s.kind == LB_SHAPE_CAPSULE) {
            add_capsule(s, s.segment, parts);
            continue;
        }
        REQUIRE(s.kind == LB_SHAPE_SPHERE || s.kind == LB_SHAPE_ELLIPSOID || s.kind == LB_SHAPE_BOX);
        std::shared_ptr<fcl::CollisionGeometryd> shape;
        if (s.kind == LB_SHAPE_SPHERE) {
            shape = std::make_shared<fcl::Sphered>(s.size[0]);
        } else if (s.kind == LB_SHAPE_ELLIPSOID) {
            shape = std::make_shared<fcl::Ellipsoidd>(s.size[0], s.size[1], s.size[2]);
        } else {
            shape = std::make_shared<fcl::Boxd>(2 * s.size[0], 2 * s.size[1], 2 * s.size[2]);
        }
        parts.push_back({shape, fcl_frame(s.frame), s.segment});
    }
    return parts;
}

/* Whether anything of the person is in anything around, by FCL. */
int touches(const std::vector<part> &person, const std::vector<part> &world, lb_kinematics *kinematics) {
    for (const part &p : person) {
        lb_frame frame;
        lb_kinematics_segment(kinematics, p.segment, &frame);
        fcl::CollisionObjectd mine(p.shape, fcl_frame(frame) * p.frame);
        mine.computeAABB();
        for (const part &w : world) {
            fcl::CollisionObjectd theirs(w.shape, w.frame);
            theirs.computeAABB();
            fcl::CollisionRequestd request(1, false);
            fcl::CollisionResultd result;
            request.gjk_solver_type = fcl::GST_INDEP;
            if (mine.getAABB().overlap(theirs.getAABB()) && fcl::collide(&mine, &theirs, request, result) > 0) {
                return 1;
            }
        }
    }
    return 0;
}

double uniform(uint64_t &seed) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(seed >> 11) / 9007199254740992.0;
}

/* How far a point is from the post and the wedge; less than 0 inside. */
double room_at(const double *at) {
    const double slope = std::hypot(0.25, 0.45), post = std::hypot(at[0] - 0.38, at[1] + 0.22) - 0.06;
    return std::min(post, std::max({0.45 - at[0], 0.7 - at[2], -0.1 - at[1], at[1] - 0.4, at[0] - 0.9,
                                    ((at[0] - 0.45) * 0.25 + (at[2] - 0.95) * 0.45) / slope}));
}

double cpu_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void reach_beside() {
    static const double corners[6][3] = {{0.45, -0.1, 0.7}, {0.45, 0.4, 0.7},   {0.9, -0.1, 0.7},
                                         {0.9, 0.4, 0.7},   {0.45, -0.1, 0.95}, {0.45, 0.4, 0.95}};
    char path[1024];
    lb_figure *human = nullptr;
    lb_solid solids[2];
    lb_collisions apart;
    lb_constraint reach;
    lb_result result;
    const double first[3] = {0.5, -0.25, 1.1};
    REQUIRE(check_source("models/human.fig", path, sizeof path) &&
            lb_figure_load(path, nullptr, &human, nullptr) == LB_OK);
    for (lb_solid &s : solids) {
        lb_shape_defaults(&s.shape);
    }
    solids[0].name = "post";
    solids[0].shape.kind = LB_SHAPE_CYLINDER;
    solids[0].shape.size[0] = 0.06;
    solids[0].shape.size[1] = 0.7;
    const double post_at[3] = {0.38, -0.22, 0.7};
    std::memcpy(solids[0].shape.frame.position, post_at, sizeof post_at);
    solids[1].name = "wedge";
    solids[1].shape.kind = LB_SHAPE_HULL;
    solids[1].shape.vertex_count = 6;
    solids[1].shape.vertices = corners;
    lb_collisions_defaults(&apart);
    apart.solid_count = 2;
    apart.solids = solids;
    lb_problem *problem = lb_problem_create(human, nullptr);
    REQUIRE(lb_problem_set_body(problem, 0, nullptr) == LB_OK);
    REQUIRE(lb_problem_set_collisions(problem, &apart) == LB_OK);
    REQUIRE(lb_constraint_at(human, "right_palm", first, &reach) == LB_OK);
    const int id = lb_problem_add(problem, &reach);
    lb_solver *solver = lb_solver_create(problem, nullptr);
    lb_kinematics *kinematics = lb_kinematics_create(human, nullptr);
    const std::vector<part> person = parts_of(human);
    const std::vector<part> smaller = make_world(corners, solids[0].shape.frame, OVERLAP),
                            larger = make_world(corners, solids[0].shape.frame, -5e-3);
    std::vector<double> pose(static_cast<size_t>(lb_figure_variable_count(human))), times;
    const int count = check_count(20, 200);
    uint64_t seed = 7;
    int solved = 0, near = 0;
    lb_result_defaults(&result);
    for (int i = 0; i < count; i++) {
        lb_frame goal;
        lb_frame_identity(&goal);
        do { /* the hand is 3 cm thick */
            goal.position[0] = 0.42 + 0.25 * uniform(seed);
            goal.position[1] = -0.45 + 0.6 * uniform(seed);
            goal.position[2] = 0.55 + 0.9 * uniform(seed);
        } while (room_at(goal.position) < 0.03);
        lb_problem_move_goal(problem, id, &goal);
        lb_figure_rest_pose(human, pose.data());
        const double began = cpu_ms();
        REQUIRE(lb_solver_solve(solver, nullptr, pose.data(), &result) == LB_OK);
        times.push_back(cpu_ms() - began);
        lb_kinematics_update(kinematics, pose.data());
        check_note("reach %d at %.3f, %.3f, %.3f: %s", i, goal.position[0], goal.position[1], goal.position[2],
                   result.explanation);
        if (result.outcome == LB_OUTCOME_SOLVED) {
            CHECK(!touches(person, smaller, kinematics));
            near += touches(person, larger, kinematics);
            solved++;
        }
    }
    check_note("%s", "");
    std::sort(times.begin(), times.end());
    std::printf("%d of %d solved, %d of them within 5 mm of something; median %.1f ms, 90%% within %.1f ms of CPU\n",
                solved, count, near, times[times.size() / 2], times[times.size() * 9 / 10]);
    CHECK(solved >= 0.95 * count);
    CHECK(near > 0); /* there was something in the way */
    lb_kinematics_destroy(kinematics);
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    lb_figure_destroy(human);
}

} // namespace

int main() {
    reach_beside();
    return check_done();
}

#else

int main() { SKIP("FCL is not installed (libfcl-dev)"); }

#endif
