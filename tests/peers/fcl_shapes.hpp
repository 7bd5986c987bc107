/* Shapes of figures and worlds as FCL has them, and their distances: to check answers with. */
#ifndef LIMBER_TESTS_FCL_SHAPES_HPP
#define LIMBER_TESTS_FCL_SHAPES_HPP

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision_object.h>
#include <fcl/narrowphase/distance.h>

#include <limber/collisions.h>
#include <memory>
#include <vector>

/* A solid as a triangle mesh, whose distances FCL finds triangle by triangle; what it is rounded by is taken off afterwards. */
struct fcl_shape {
    std::shared_ptr<fcl::BVHModel<fcl::OBBRSSd>> mesh;
    fcl::Transform3d frame; /* in its segment, or the world */
    double radius;
    int segment; /* -1: the world */
};

inline fcl::Transform3d fcl_frame(const lb_frame &frame) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = Eigen::Quaterniond(frame.rotation[3], frame.rotation[0], frame.rotation[1], frame.rotation[2])
                     .normalized()
                     .toRotationMatrix();
    t.translation() = Eigen::Vector3d(frame.position[0], frame.position[1], frame.position[2]);
    return t;
}

/* Hulls, boxes, spheres and capsules of even radius; others have no mesh. */
inline fcl_shape fcl_make(const lb_shape &s, int segment) {
    fcl_shape made{nullptr, fcl_frame(s.frame), 0, segment};
    std::vector<fcl::Vector3d> v;
    std::vector<fcl::Triangle> t;
    if (s.kind == LB_SHAPE_HULL) {
        for (int i = 0; i < s.vertex_count; i++) {
            v.emplace_back(s.vertices[i][0], s.vertices[i][1], s.vertices[i][2]);
        }
        for (int i = 0; i < s.triangle_count; i++) {
            t.emplace_back(static_cast<size_t>(s.triangles[i][0]), static_cast<size_t>(s.triangles[i][1]),
                           static_cast<size_t>(s.triangles[i][2]));
        }
        made.radius = s.size[0];
    } else if (s.kind == LB_SHAPE_BOX) {
        static const size_t corners[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                                              {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
        for (int i = 0; i < 8; i++) {
            v.emplace_back(i & 1 ? s.size[0] : -s.size[0], i & 2 ? s.size[1] : -s.size[1],
                           i & 4 ? s.size[2] : -s.size[2]);
        }
        for (auto &c : corners) {
            t.emplace_back(c[0], c[1], c[2]);
        }
    } else if (s.kind == LB_SHAPE_SPHERE || (s.kind == LB_SHAPE_CAPSULE && s.size[0] == s.size[2])) {
        const double half = s.kind == LB_SHAPE_CAPSULE ? s.size[1] : 0;
        v = {{0, 0, -half}, {0, 0, half}, {1e-9, 0, 0}};
        t.emplace_back(0, 1, 2);
        made.radius = s.size[0];
    } else {
        return made;
    }
    made.mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    made.mesh->beginModel();
    made.mesh->addSubModel(v, t);
    made.mesh->endModel();
    return made;
}

#define FCL_FAR 0.05 /* metres: solids whose boxes are farther apart are not measured exactly */

inline double fcl_distance(const fcl_shape &a, const fcl::Transform3d &at_a, const fcl_shape &b,
                           const fcl::Transform3d &at_b) {
    fcl::CollisionObjectd in_a(a.mesh, at_a * a.frame), in_b(b.mesh, at_b * b.frame);
    in_a.computeAABB();
    in_b.computeAABB();
    const double boxes = in_a.getAABB().distance(in_b.getAABB());
    if (boxes > FCL_FAR) { /* FCL's own boxes around them tell */
        return boxes - a.radius - b.radius;
    }
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    fcl::distance(a.mesh.get(), at_a * a.frame, b.mesh.get(), at_b * b.frame, request, result);
    return result.min_distance - a.radius - b.radius;
}

/* A figure and a world: the least distance of a pair of masses at a pose. */
class fcl_scene {
  public:
    fcl_scene(const lb_figure *f, int solid_count, const lb_solid *solids)
        : figure(f), kinematics(lb_kinematics_create(f, nullptr)) {
        for (int i = 0; i < lb_figure_shape_count(f); i++) {
            const lb_shape *s = lb_figure_shape(f, i);
            if (s->use != LB_SHAPE_USE_DRAWN) {
                shapes.push_back(fcl_make(*s, s->segment));
            }
        }
        for (int i = 0; i < solid_count; i++) {
            world.push_back(fcl_make(solids[i].shape, -1));
        }
    }
    fcl_scene(const fcl_scene &) = delete;
    fcl_scene &operator=(const fcl_scene &) = delete;
    ~fcl_scene() { lb_kinematics_destroy(kinematics); }

    void place(const double *pose) {
        lb_kinematics_update(kinematics, pose);
        frames.resize(static_cast<size_t>(lb_figure_segment_count(figure)));
        for (size_t i = 0; i < frames.size(); i++) {
            lb_frame frame;
            lb_kinematics_segment(kinematics, static_cast<int>(i), &frame);
            frames[i] = fcl_frame(frame);
        }
    }
    /* segment_b, or the solid of that number where is_world. */
    double distance(int segment_a, int is_world, int segment_b) const {
        double least = INFINITY;
        for (auto &a : shapes) {
            if (a.segment != segment_a) {
                continue;
            }
            if (is_world) {
                const auto &b = world[static_cast<size_t>(segment_b)];
                least = std::min(
                    least, fcl_distance(a, frames[static_cast<size_t>(a.segment)], b, fcl::Transform3d::Identity()));
            }
            for (auto &b : shapes) {
                if (!is_world && b.segment == segment_b) {
                    least = std::min(least, fcl_distance(a, frames[static_cast<size_t>(a.segment)], b,
                                                         frames[static_cast<size_t>(b.segment)]));
                }
            }
        }
        return least;
    }

  private:
    const lb_figure *figure;
    lb_kinematics *kinematics;
    std::vector<fcl_shape> shapes, world;
    std::vector<fcl::Transform3d> frames;
};

#endif
