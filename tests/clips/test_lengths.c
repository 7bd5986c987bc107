/* No bone of a skeleton stretches: solving and retargeting leave the lengths of segments as they are at rest, whatever
 * position channels and translation tracks the file has; a clip plays its own. */
#include "check.h"
#include "person.h"
#include <math.h>
#include <string.h>

static double length_of(const lb_kinematics *kinematics, const lb_figure *figure, int segment) {
    lb_frame own, above;
    int parent = lb_figure_parent_segment(figure, segment);
    lb_kinematics_segment(kinematics, segment, &own);
    lb_kinematics_segment(kinematics, parent, &above);
    return sqrt(pow(own.position[0] - above.position[0], 2) + pow(own.position[1] - above.position[1], 2) +
                pow(own.position[2] - above.position[2], 2));
}

/* Whether a segment may go anywhere: on the world itself, the pelvis that carries a person, and what stands beside it on
 * the same ground, as targets that limbs follow. */
static int is_root(const lb_figure *figure, int segment) {
    int above = lb_figure_parent_segment(figure, segment);
    lb_body_map map;
    if (above < 0 || lb_figure_parent_segment(figure, above) < 0) {
        return 1;
    }
    REQUIRE(lb_body_map_human(figure, figure, &map) == LB_OK);
    int pelvis = map.source[LB_BODY_PART_PELVIS], ground = pelvis < 0 ? -1 : lb_figure_parent_segment(figure, pelvis);
    while (ground >= 0 && ground != above) {
        ground = lb_figure_parent_segment(figure, ground);
    }
    return segment == pelvis || ground >= 0;
}

/* The largest change of a segment's length between a pose and rest, the root's place aside. */
static double largest_change(const lb_figure *figure, const double *pose) {
    lb_kinematics *rest = lb_kinematics_create(figure, NULL), *now = lb_kinematics_create(figure, NULL);
    double most = 0;
    REQUIRE(rest && now && lb_kinematics_update(now, pose) == LB_OK);
    for (int s = 0; s < lb_figure_segment_count(figure); s++) {
        double change =
            lb_figure_parent_segment(figure, s) < 0 ? 0 : fabs(length_of(now, figure, s) - length_of(rest, figure, s));
        if (change > most && !is_root(figure, s)) {
            most = change;
        }
    }
    lb_kinematics_destroy(rest);
    lb_kinematics_destroy(now);
    return most;
}

/* Goals that a whole body must move for, and some that nobody reaches. */
static void check_solves(const lb_figure *figure, const char *what) {
    int segments = lb_figure_segment_count(figure), variables = lb_figure_variable_count(figure);
    double *pose = malloc(((size_t)variables + 1) * sizeof *pose);
    check_random random;
    check_random_seed(&random, 11);
    REQUIRE(pose != NULL);
    for (int k = 0; k < check_count(4, 40); k++) {
        lb_problem *problem = lb_problem_create(figure, NULL);
        lb_result result;
        lb_result_defaults(&result);
        for (int goal = 0; goal < 2; goal++) {
            int segment = (int)(check_random_bits(&random) % (unsigned)segments);
            lb_constraint c;
            const double at[3] = {check_random_range(&random, -1, 1), check_random_range(&random, -1, 1),
                                  check_random_range(&random, 0, 2)};
            REQUIRE(lb_constraint_at(figure, lb_figure_segment(figure, segment)->name, at, &c) == LB_OK);
            c.effector.segment = segment;
            CHECK(lb_problem_add(problem, &c) >= 0);
        }
        lb_figure_rest_pose(figure, pose);
        check_note("%s, goals %d", what, k);
        CHECK(lb_solve(problem, NULL, pose, &result) == LB_OK);
        CHECK_NEAR(largest_change(figure, pose), 0, 1e-9);
        lb_problem_destroy(problem);
    }
    check_note("%s", "");
    free(pose);
}

static void check_retarget(const lb_clip *source, const lb_figure *target, const char *what) {
    lb_body_map map;
    lb_error error;
    REQUIRE(lb_body_map_human(lb_clip_figure(source), target, &map) == LB_OK);
    lb_clip *out = lb_retarget(source, target, &map, NULL, NULL, &error);
    check_note("%s: %s", what, out ? "" : error.message);
    if (out || error.status != LB_ERROR_FIGURE) { /* no legs: nobody to walk */
        REQUIRE(out != NULL);
        for (int f = 0; f < lb_clip_frame_count(out); f++) {
            CHECK_NEAR(largest_change(target, lb_clip_const_pose(out, f)), 0, 1e-9);
        }
    }
    check_note("%s", "");
    lb_clip_destroy(out);
}

static double clip_stretch(const lb_clip *clip) {
    double most = 0;
    for (int f = 0; f < lb_clip_frame_count(clip); f++) {
        most = fmax(most, largest_change(lb_clip_figure(clip), lb_clip_const_pose(clip, f)));
    }
    return most;
}

/* A person whose file shifts every bone: the clip plays that, solving does not; the same after a GLB. */
static void check_made(const lb_clip *walk) {
    const person_style style = {.rest = PERSON_T, .unit = 0.01, .stretch = 0.1, .frames = 6};
    lb_figure *figure, *again = NULL;
    lb_clip *clip, *played = NULL;
    char path[1024];
    lb_error error;
    person_load(&style, 1, &figure, &clip);
    CHECK(clip_stretch(clip) > 0.03); /* its own tracks are played */
    check_solves(figure, "made, BVH");
    check_retarget(walk, figure, "made, BVH");
    check_scratch("stretch.glb", path, sizeof path);
    REQUIRE(lb_clip_save(clip, path, NULL, &error) == LB_OK);
    REQUIRE(lb_clip_load(path, NULL, &again, &played, &error) == LB_OK);
    CHECK_NEAR(clip_stretch(played), clip_stretch(clip), 1e-6);
    check_solves(again, "made, GLB");
    check_retarget(walk, again, "made, GLB");
    lb_clip_destroy(clip);
    lb_clip_destroy(played);
    lb_figure_destroy(figure);
    lb_figure_destroy(again);
}

/* A bone's length is free where that is asked for, by its variable's own name; a pattern means the turns. */
static void check_freeing(void) {
    static const char *const active[] = {"\"*\"", "\"*\", \"mixamorig:LeftLeg.ty\""};
    const person_style style = {.rest = PERSON_HANGING, .unit = 0.01, .stretch = 0.1, .frames = 1};
    char path[1024], problem_path[1024], text[2048], *bvh = person_bvh(&style);
    check_scratch("free.bvh", path, sizeof path);
    check_scratch("free.json", problem_path, sizeof problem_path);
    FILE *file = fopen(path, "w");
    REQUIRE(file && fputs(bvh, file) >= 0 && fclose(file) == 0);
    free(bvh);
    for (int k = 0; k < 2; k++) {
        lb_problem_file *loaded = NULL;
        lb_error error;
        lb_result result;
        lb_result_defaults(&result);
        snprintf(text, sizeof text,
                 "{\"figure\":\"free.bvh\",\"active\":[%s],\"keep\":[\"mixamorig:Hips\"],"
                 "\"constraints\":[{\"effector\":\"mixamorig:LeftFoot\",\"goal\":{\"kind\":\"position\",\"point\":[0,0."
                 "09,-0.3]}}]}",
                 active[k]);
        file = fopen(problem_path, "w");
        REQUIRE(file && fputs(text, file) >= 0 && fclose(file) == 0);
        if (lb_problem_load(problem_path, NULL, &loaded, &error)) {
            check_note("%s", error.message);
        }
        REQUIRE(loaded != NULL);
        const lb_figure *figure = lb_problem_figure(lb_problem_file_problem(loaded), 0);
        double *pose = malloc((size_t)lb_figure_variable_count(figure) * sizeof *pose);
        lb_figure_rest_pose(figure, pose);
        REQUIRE(lb_solve(lb_problem_file_problem(loaded), NULL, pose, &result) == LB_OK);
        double change = largest_change(figure, pose);
        CHECK(k ? change > 0.1 : change < 1e-9);
        free(pose);
        lb_problem_file_destroy(loaded);
    }
}

static void check_shared_characters(const lb_clip *walk) {
    static const char *const files[] = {"data/gltf/CesiumMan.glb",
                                        "data/gltf/Fox.glb",
                                        "data/gltf/KayKit_Knight.glb",
                                        "data/gltf/RecursiveSkeletons.glb",
                                        "data/gltf/RiggedFigure.glb",
                                        "data/gltf/RiggedSimple.glb",
                                        "data/gltf/RobotExpressive.glb",
                                        "data/gltf/SimpleSkin.gltf",
                                        "data/gltf/hand_babylon_l_rhs.glb",
                                        "data/gltf/momentum_blender_simple_armature.glb",
                                        "data/vrm/Example_vrm1.vrm",
                                        "data/vrm/Godette_vrm0.vrm",
                                        "data/vrm/basic_armature_vrm0.vrm",
                                        "data/vrm/basic_armature_vrm1.vrm",
                                        "data/bvh/cmu/02_01_walk.bvh",
                                        "data/bvh/other/mh_walk1.bvh",
                                        "data/bvh/other/rokoko_jesse_dance.bvh",
                                        "data/bvh/quirks/geno_stance_6ch_exp.bvh",
                                        "data/bvh/quirks/mh_tpose_6ch.bvh"};
    int found = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[1024];
        lb_figure *figure = NULL;
        lb_error error;
        if (!check_shared(files[i], path, sizeof path)) {
            continue;
        }
        found++;
        if (lb_figure_load(path, NULL, &figure, &error)) {
            check_note("%s", error.message);
        }
        REQUIRE(figure != NULL);
        check_solves(figure, files[i]);
        check_retarget(walk, figure, files[i]);
        lb_figure_destroy(figure);
    }
    if (!found) {
        printf("no shared characters here: only those that are made in the test\n");
    }
}

int main(void) {
    const person_style style = {.rest = PERSON_A, .unit = 0.01, .frames = 4};
    lb_figure *walker;
    lb_clip *walk;
    person_load(&style, 1, &walker, &walk);
    check_made(walk);
    check_freeing();
    check_shared_characters(walk);
    lb_clip_destroy(walk);
    lb_figure_destroy(walker);
    return check_done();
}
