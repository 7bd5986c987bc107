/* Distances of convex solids against FCL, the Flexible Collision Library: an implementation that shares nothing with ours.
 * Hulls are given to FCL as triangle meshes, whose distance it finds triangle by triangle. Where solids overlap,
 * both must say so; unit.convex compares how deep they are in each other. */
#include "check.h"
#include "solids.h"

#ifdef LIMBER_HAVE_FCL

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision_object.h>
#include <fcl/narrowphase/detail/gjk_solver_indep.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

struct solid {
    int kind;
    solid_shape own;
    std::vector<double> vertices;
    std::shared_ptr<fcl::CollisionGeometryd> theirs;
};

std::shared_ptr<fcl::CollisionGeometryd> make_mesh(const std::vector<double> &v, const std::vector<int> &triangles) {
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    auto at = [&v](int i) {
        const size_t first = 3 * static_cast<size_t>(i);
        return fcl::Vector3d(v[first], v[first + 1], v[first + 2]);
    };
    model->beginModel();
    for (size_t i = 0; i < triangles.size(); i += 3) {
        model->addTriangle(at(triangles[i]), at(triangles[i + 1]), at(triangles[i + 2]));
    }
    model->endModel();
    return model;
}

/* A box as a mesh: for 5 of 3,322 pairs of boxes FCL's search ends early, with points that are not the nearest. */
void make_box_mesh(solid &s) {
    std::vector<double> v;
    for (int i = 0; i < 8; i++) {
        for (int c = 0; c < 3; c++) {
            v.push_back(i >> c & 1 ? s.own.size[c] : -s.own.size[c]);
        }
    }
    s.theirs = make_mesh(v, {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                             2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3});
}

/* A double pyramid: a hull that is known without an algorithm for hulls. */
void make_hull(check_random *random, solid &s) {
    const int sides = 3 + check_random_index(random, 6);
    const double radius = check_random_range(random, 0.1, 0.3), up = check_random_range(random, 0.05, 0.3);
    auto put = [&s](double x, double y, double z) { s.vertices.insert(s.vertices.end(), {x, y, z}); };
    for (int i = 0; i < sides; i++) {
        const double angle = 2 * M_PI * i / sides;
        put(radius * std::cos(angle), radius * std::sin(angle), 0);
    }
    put(0.3 * radius, 0.1 * radius, up);
    put(0.1 * radius, -0.2 * radius, -0.6 * up);
    std::vector<int> triangles;
    for (int i = 0; i < sides; i++) {
        triangles.insert(triangles.end(), {i, (i + 1) % sides, sides, (i + 1) % sides, i, sides + 1});
    }
    s.theirs = make_mesh(s.vertices, triangles);
    s.own.vertex_count = sides + 2;
    s.own.vertices = s.vertices.data();
}

void make(check_random *random, int kind, solid &s) {
    double x = check_random_range(random, 0.05, 0.3), y = check_random_range(random, 0.05, 0.3),
           z = check_random_range(random, 0.05, 0.3);
    s = solid();
    s.kind = kind;
    s.own = solid_shape();
    s.own.kind = kind;
    s.own.size[0] = x, s.own.size[1] = y, s.own.size[2] = z;
    switch (kind) {
    case SOLID_SPHERE:
        s.theirs = std::make_shared<fcl::Sphered>(x);
        break;
    case SOLID_CAPSULE:
        s.theirs = std::make_shared<fcl::Capsuled>(x, 2 * y);
        break;
    case SOLID_BOX:
        s.theirs = std::make_shared<fcl::Boxd>(2 * x, 2 * y, 2 * z);
        break;
    case SOLID_CYLINDER:
        s.theirs = std::make_shared<fcl::Cylinderd>(x, 2 * y);
        break;
    case SOLID_ELLIPSOID:
        s.theirs = std::make_shared<fcl::Ellipsoidd>(x, y, z);
        break;
    default:
        make_hull(random, s);
    }
}

void place(check_random *random, double reach, solid_shape *own, fcl::Transform3d &theirs) {
    Eigen::Quaterniond q;
    do {
        q = Eigen::Quaterniond(check_random_range(random, -1, 1), check_random_range(random, -1, 1),
                               check_random_range(random, -1, 1), check_random_range(random, -1, 1));
    } while (q.norm() < 0.1);
    q.normalize();
    theirs = fcl::Transform3d::Identity();
    theirs.linear() = q.toRotationMatrix();
    for (int c = 0; c < 3; c++) {
        theirs.translation()[c] = check_random_range(random, -reach, reach);
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            own->matrix[3 * r + c] = theirs.linear()(r, c);
        }
        own->position[r] = theirs.translation()[r];
    }
}

double their_distance(const solid &a, const fcl::Transform3d &fa, const solid &b, const fcl::Transform3d &fb) {
    fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    request.gjk_solver_type = fcl::GST_INDEP;
    request.distance_tolerance = 1e-9;
    fcl::distance(a.theirs.get(), fa, b.theirs.get(), fb, request, result);
    return result.min_distance;
}

struct tally {
    int compared = 0, apart = 0, off = 0;
    double worst = 0;
};

void compare_pairs(int count, tally kinds[SOLID_KINDS][SOLID_KINDS]) {
    check_random random;
    check_random_seed(&random, 7);
    for (int i = 0; i < count; i++) {
        solid a, b;
        fcl::Transform3d their_a, their_b;
        make(&random, check_random_index(&random, SOLID_KINDS), a);
        /* FCL has meshes against meshes, and shapes against shapes */
        make(&random, a.kind == SOLID_HULL ? a.kind : check_random_index(&random, SOLID_HULL), b);
        if (a.kind == SOLID_BOX && b.kind == SOLID_BOX) {
            make_box_mesh(a);
            make_box_mesh(b);
        }
        place(&random, 0.7, &a.own, their_a);
        place(&random, 0.7, &b.own, their_b);
        const double ours = solid_distance(&a.own, &b.own);
        const double theirs = their_distance(a, their_a, b, their_b);
        tally &t = kinds[a.kind][b.kind];
        t.compared++;
        check_note("pair %d: kinds %d and %d, ours %.9g, FCL's %.9g", i, a.kind, b.kind, ours, theirs);
        if (ours <= 1e-6) {
            CHECK(theirs <= 2e-6); /* both say that they overlap */
            continue;
        }
        t.apart++;
        const double off = std::fabs(ours - theirs);
        t.worst = off > t.worst ? off : t.worst;
        t.off += off > 1e-6;
        CHECK_NEAR(ours, theirs, 1e-6);
    }
    check_note("%s", "");
}

} // namespace

int main() {
    static tally kinds[SOLID_KINDS][SOLID_KINDS];
    const char *names[SOLID_KINDS] = {"sphere", "capsule", "box", "cylinder", "ellipsoid", "hull"};
    compare_pairs(check_is_sanitized() ? 2000 : 100000, kinds);
    for (int i = 0; i < SOLID_KINDS; i++) {
        for (int j = 0; j < SOLID_KINDS; j++) {
            const tally &t = kinds[i][j];
            if (t.compared) {
                std::printf("%-9s %-9s %6d pairs, %6d apart, worst difference %.2e, %d above 1e-6\n", names[i],
                            names[j], t.compared, t.apart, t.worst, t.off);
            }
        }
    }
    return check_done();
}

#else

int main() { SKIP("FCL is not installed (libfcl-dev)"); }

#endif
