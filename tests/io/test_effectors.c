/* Every link of the shared robots, bodies, bones and nodes is an end-effector by its own name, whatever the pose: what a
 * name leads to moves as the segment does, unless the file itself has a site of that name. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <ftw.h>
#include <limber/io.h>
#include <math.h>
#include <string.h>

static int figures, segments, hidden;

static int joint_at(const lb_figure *figure, int site) {
    for (int k = 0; k < lb_figure_joint_count(figure); k++) {
        const lb_joint *joint = lb_figure_joint(figure, k);
        if (joint->site_a == site || joint->site_b == site) {
            return 1;
        }
    }
    return 0;
}

static void check_segment(const lb_figure *figure, const lb_kinematics *kinematics, int index) {
    const char *name = lb_figure_segment(figure, index)->name;
    lb_effector effector;
    lb_error error;
    double e[9], m[12];
    int segment = -1, site = -1;
    if (!CHECK_INT(lb_figure_find_place(figure, name, &segment, &site, &error), LB_OK) ||
        !CHECK_INT(lb_figure_find_effector(figure, name, &effector, &error), LB_OK)) {
        return;
    }
    if (site >= 0) { /* the file's own: it is no joint's place, and has this very name */
        hidden++;
        CHECK(!joint_at(figure, site));
        CHECK_INT(lb_figure_find_site(figure, name), site);
        return;
    }
    CHECK_INT(segment, index);
    CHECK_INT(lb_kinematics_effector(kinematics, &effector, e), LB_OK);
    CHECK_INT(lb_kinematics_matrix(kinematics, index, m), LB_OK);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(e[i], m[4 * i + 3], 1e-12 * (1 + fabs(m[4 * i + 3])));
        CHECK_NEAR(e[3 + i], m[4 * i], 1e-12);
        CHECK_NEAR(e[6 + i], m[4 * i + 1], 1e-12);
    }
    segments++;
}

static void check_file(const char *path) {
    lb_figure *figure = NULL;
    lb_error error;
    lb_load_options options;
    uint64_t seed = 5;
    lb_load_options_defaults(&options);
    if (lb_figure_load(path, &options, &figure, &error)) {
        return; /* what is refused, and why, is told by the readers' own tests */
    }
    check_note("%s", path);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    double *pose = malloc(((size_t)lb_figure_variable_count(figure) + 1) * sizeof *pose);
    REQUIRE(kinematics && pose);
    lb_figure_random_pose(figure, &seed, pose);
    CHECK_INT(lb_kinematics_update(kinematics, pose), LB_OK);
    for (int k = 0; k < lb_figure_segment_count(figure); k++) {
        check_segment(figure, kinematics, k);
    }
    figures++;
    free(pose);
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
}

static int visit(const char *path, const struct stat *about, int kind, struct FTW *walk) {
    static const char *const endings[] = {".urdf", ".xml", ".bvh", ".glb", ".gltf", ".vrm"};
    (void)walk;
    const char *dot = strrchr(path, '.');
    for (int k = 0; dot && kind == FTW_F && about->st_size < 8000000 && k < 6; k++) {
        if (strcmp(dot, endings[k]) == 0) {
            check_file(path);
        }
    }
    return 0;
}

int main(void) {
    static const char *const folders[] = {"data/urdf", "data/mjcf", "data/bvh", "data/gltf", "data/vrm"};
    char path[4096];
    if (!check_shared(folders[0], path, sizeof path)) {
        SKIP("the shared robots are not there");
    }
    for (int k = 0; k < 5; k++) {
        if (check_shared(folders[k], path, sizeof path)) {
            CHECK_INT(nftw(path, visit, 16, FTW_PHYS), 0);
        }
    }
    printf("%d figures, %d segments; %d have a site of their name in the file\n", figures, segments, hidden);
    CHECK(figures > 50 && segments > 1500);
    return check_done();
}
