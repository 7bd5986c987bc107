/* From a clip to a GLB and back every joint is where it was, in every frame: also where a track is constant, and not as at
 * rest. */
#include "check.h"
#include "person.h"
#include <math.h>
#include <string.h>

/* Where each segment of a clip is in each frame, and that of the same name in another: the largest distance. */
static double farthest_apart(const lb_clip *a, const lb_clip *b) {
    const lb_figure *fa = lb_clip_figure(a), *fb = lb_clip_figure(b);
    lb_kinematics *ka = lb_kinematics_create(fa, NULL), *kb = lb_kinematics_create(fb, NULL);
    double apart = 0;
    REQUIRE(ka && kb && lb_clip_frame_count(a) == lb_clip_frame_count(b));
    for (int f = 0; f < lb_clip_frame_count(a); f++) {
        REQUIRE(lb_kinematics_update(ka, lb_clip_const_pose(a, f)) == LB_OK);
        REQUIRE(lb_kinematics_update(kb, lb_clip_const_pose(b, f)) == LB_OK);
        for (int i = 0; i < lb_figure_segment_count(fa); i++) {
            lb_frame at, other;
            int k = lb_figure_find_segment(fb, lb_figure_segment(fa, i)->name);
            if (k < 0) {
                continue; /* what does not move is no segment again */
            }
            lb_kinematics_segment(ka, i, &at);
            lb_kinematics_segment(kb, k, &other);
            for (int c = 0; c < 3; c++) {
                apart = fmax(apart, fabs(at.position[c] - other.position[c]));
            }
        }
    }
    lb_kinematics_destroy(ka);
    lb_kinematics_destroy(kb);
    return apart;
}

static void check_back(const lb_clip *clip, const char *ending, const char *what) {
    char path[1024], name[64];
    lb_figure *figure = NULL;
    lb_clip *again = NULL;
    lb_error error;
    snprintf(name, sizeof name, "again.%s", ending);
    check_scratch(name, path, sizeof path);
    check_note("%s, %s", what, ending);
    REQUIRE(lb_clip_save(clip, path, NULL, &error) == LB_OK);
    REQUIRE(lb_clip_load(path, NULL, &figure, &again, &error) == LB_OK);
    REQUIRE(again != NULL);
    CHECK(lb_figure_segment_count(figure) > 1);
    CHECK_NEAR(farthest_apart(clip, again), 0, 2e-5); /* glTF has single precision */
    check_note("%s", "");
    lb_clip_destroy(again);
    lb_figure_destroy(figure);
}

/* Someone who only nods, above a floor: the hips are where the file says in every frame, which is not where they are at
 * rest; an arm is held up all the time. */
static void check_constant(void) {
    const person_style style = {.rest = PERSON_T, .unit = 0.01, .frames = 7};
    lb_figure *figure;
    lb_clip *clip;
    person_load(&style, 1, &figure, &clip);
    int nod = lb_figure_find_variable(figure, "mixamorig:Head.rx"),
        height = lb_figure_find_variable(figure, "mixamorig:Hips.ty"),
        arm = lb_figure_find_variable(figure, "mixamorig:LeftArm.rz");
    REQUIRE(nod >= 0 && height >= 0 && arm >= 0);
    for (int f = 0; f < style.frames; f++) {
        lb_figure_rest_pose(figure, lb_clip_pose(clip, f));
        lb_clip_pose(clip, f)[height] = 0.9;
        lb_clip_pose(clip, f)[arm] = 0.7;
        lb_clip_pose(clip, f)[nod] = 0.1 * f;
    }
    check_back(clip, "glb", "constant tracks");
    check_back(clip, "gltf", "constant tracks");
    for (int f = 0; f < style.frames; f++) {
        lb_clip_pose(clip, f)[nod] = 0;
    }
    check_back(clip, "glb", "nothing but constant tracks");
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

static void check_shared_clips(void) {
    static const char *const files[] = {"data/bvh/cmu/02_01_walk.bvh",
                                        "data/bvh/cmu/09_01_run.bvh",
                                        "data/bvh/cmu/88_01_backflip.bvh",
                                        "data/bvh/cmu/140_01_get_up_from_lying_face_down.bvh",
                                        "data/bvh/other/fair1_jumping.bvh",
                                        "data/bvh/other/mh_walk1.bvh",
                                        "data/bvh/other/pymo_8walk_meredith.bvh",
                                        "data/bvh/other/rokoko_jesse_dance.bvh",
                                        "data/bvh/quirks/geno_stance_6ch_exp.bvh",
                                        "data/bvh/quirks/rotation_first_root.bvh",
                                        "data/gltf/CesiumMan.glb",
                                        "data/gltf/Fox.glb",
                                        "data/gltf/RobotExpressive.glb",
                                        "data/vrm/test.vrma"};
    int found = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[1024];
        lb_figure *figure = NULL;
        lb_clip *clip = NULL;
        lb_error error;
        if (!check_shared(files[i], path, sizeof path)) {
            continue;
        }
        found++;
        REQUIRE(lb_clip_load(path, NULL, &figure, &clip, &error) == LB_OK && clip);
        int frames = lb_clip_frame_count(clip), most = check_count(40, 100000);
        lb_clip *part = lb_clip_create(figure, frames < most ? frames : most, lb_clip_frame_time(clip), NULL);
        REQUIRE(part != NULL);
        for (int f = 0; f < lb_clip_frame_count(part); f++) {
            memcpy(lb_clip_pose(part, f), lb_clip_const_pose(clip, f),
                   (size_t)lb_figure_variable_count(figure) * sizeof(double));
        }
        check_back(part, "glb", files[i]);
        lb_clip_destroy(part);
        lb_clip_destroy(clip);
        lb_figure_destroy(figure);
    }
    if (!found) {
        printf("no shared clips here: only those that are made in the test\n");
    }
}

int main(void) {
    check_constant();
    check_shared_clips();
    return check_done();
}
