/* COLLADA meshes against Assimp, by which the programs of ROS read them: the same triangles in the same places, in the file's
 * axes (RViz and MoveIt take Assimp's turn to y up back) and in metres. The files are robots' of the shared data, and our own. */
#include "check.h"

#ifdef LIMBER_HAVE_ASSIMP

#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" {
#include "io/mesh/mesh.h"
}

namespace {

using corner_sum = std::array<double, 4>; /* the middle of a triangle, and twice its area */

corner_sum measure(const double a[3], const double b[3], const double c[3]) {
    double u[3], v[3];
    corner_sum sum = {0, 0, 0, 0};
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
        sum[i] = (a[i] + b[i] + c[i]) / 3;
    }
    sum[3] = std::hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
    return sum;
}

void collect(const aiScene *scene, const aiNode *node, const aiMatrix4x4 &outer, std::vector<corner_sum> &out) {
    const aiMatrix4x4 matrix = node == scene->mRootNode ? outer : outer * node->mTransformation;
    for (unsigned m = 0; m < node->mNumMeshes; m++) {
        const aiMesh *mesh = scene->mMeshes[node->mMeshes[m]];
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            double p[3][3];
            if (mesh->mFaces[f].mNumIndices != 3) {
                continue;
            }
            for (int k = 0; k < 3; k++) {
                const aiVector3D at = matrix * mesh->mVertices[mesh->mFaces[f].mIndices[k]];
                p[k][0] = at.x, p[k][1] = at.y, p[k][2] = at.z;
            }
            out.push_back(measure(p[0], p[1], p[2]));
        }
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        collect(scene, node->mChildren[i], matrix, out);
    }
}

/* Each triangle has a partner: sorted by a coordinate whose last digits cannot matter, the nearest of those about it. */
double farthest(std::vector<corner_sum> a, std::vector<corner_sum> b) {
    double worst = 0;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    for (const corner_sum &t : a) {
        double best = INFINITY;
        auto at = std::lower_bound(b.begin(), b.end(), corner_sum{t[0] - 1e-4, -INFINITY, 0, 0});
        for (; at != b.end() && (*at)[0] < t[0] + 1e-4; ++at) {
            double off = 0;
            for (int i = 0; i < 4; i++) {
                off = std::max(off, std::fabs((*at)[i] - t[i]));
            }
            best = std::min(best, off);
        }
        worst = std::max(worst, best);
    }
    return worst;
}

void compare(const char *path, double unit) {
    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
    const aiScene *scene = importer.ReadFile(path, aiProcess_Triangulate);
    check_note("%s", path);
    REQUIRE(scene != nullptr);
    std::vector<corner_sum> theirs, ours;
    aiMatrix4x4 metres;
    aiMatrix4x4::Scaling(aiVector3D((ai_real)unit), metres);
    collect(scene, scene->mRootNode, metres, theirs);
    lb_error error;
    lb_load_options options;
    lb_load_options_defaults(&options);
    char *data = nullptr;
    size_t size = 0;
    REQUIRE(CHECK_INT(lbio_read_reference(path, LBIO_MESH_MAX_BYTES, &data, &size, &error), LB_OK));
    const lbio_source source = {path, data, size, &options, &error};
    lbio_cloud cloud = {};
    cloud.keeps_triangles = 1;
    if (!CHECK_INT(lbio_read_dae(&source, &cloud), LB_OK)) {
        std::printf("  %s\n", error.message);
    }
    for (int t = 0; t < cloud.triangle_count; t++) {
        const int *at = cloud.triangles[t].at;
        ours.push_back(measure(cloud.points[at[0]], cloud.points[at[1]], cloud.points[at[2]]));
    }
    CHECK_INT(ours.size(), theirs.size());
    CHECK(farthest(ours, theirs) < 2e-6); /* Assimp's numbers are floats */
    CHECK(farthest(theirs, ours) < 2e-6);
    lbio_cloud_free(&cloud);
    std::free(data);
}

} // namespace

int main() {
    static const char *const own[] = {"square", "nested", "polylist", "colours"};
    static const char *const panda[] = {"link0", "link1", "link2", "link3", "link4",
                                        "link5", "link6", "link7", "hand",  "finger"};
    static const char *const ur5[] = {"base", "shoulder", "upperarm", "forearm", "wrist1", "wrist2", "wrist3"};
    static const std::string robots = "data/packages/example-robot-data/robots/";
    char path[1024];
    int shared = 0;
    for (const char *name : own) {
        REQUIRE(check_source(("fuzz/corpus/dae/" + std::string(name) + ".dae").c_str(), path, sizeof path));
        compare(path, 1);
    }
    REQUIRE(check_source("fuzz/corpus/dae/inches.dae", path, sizeof path));
    compare(path, 0.0254);
    for (const char *name : panda) {
        if (check_shared((robots + "panda_description/meshes/visual/" + name + ".dae").c_str(), path, sizeof path)) {
            compare(path, 1);
            shared++;
        }
    }
    for (const char *name : ur5) {
        if (check_shared((robots + "ur_description/meshes/ur5/visual/" + name + ".dae").c_str(), path, sizeof path)) {
            compare(path, 1);
            shared++;
        }
    }
    std::printf("%d meshes of robots\n", shared);
    return check_done();
}

#else

int main() { SKIP("Assimp is not installed (Debian: libassimp-dev)"); }

#endif
