/* Maps of points that forward kinematics reaches: none of them is proved out of reach. Of random arms that rounding is hard
 * on, and of figures whose workspaces are flat, on bases that are turned, or that slide far. */
#include <limber/io.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "map/api.h"
#include "random_arm.h"

#define MOST_VARIABLES 512
#define MOST_POINTS 4000

static check_random source;
static long asked, reached, unfound;

/* Where forward kinematics takes a segment in random poses; what holds the root stays. */
static void draw_frames(const lb_figure *figure, int segment, lb_frame *frames, int count) {
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    double pose[MOST_VARIABLES], rest[MOST_VARIABLES];
    REQUIRE(k && lb_figure_variable_count(figure) <= MOST_VARIABLES);
    lb_figure_rest_pose(figure, rest);
    for (int i = 0; i < count; i++) {
        uint64_t seed = check_random_bits(&source);
        lb_figure_random_pose(figure, &seed, pose);
        for (int v = 0; v < lb_figure_variable_count(figure); v++) {
            const lb_variable *variable = lb_figure_variable(figure, v);
            const int is_root = variable->ref.joint < 0 && variable->ref.parameter < 0;
            pose[v] = is_root || variable->rigidity >= 1 ? rest[v] : pose[v];
        }
        REQUIRE(lb_kinematics_update(k, pose) == LB_OK);
        lb_kinematics_segment(k, segment, &frames[i]);
    }
    lb_kinematics_destroy(k);
}

/* Asks a map of these points: of positions, of frames, or both one after the other. */
static void attack(const char *path, const char *site, const char *with, const lb_frame *frames, int count) {
    char file[4096];
    lb_error error = {0};
    lb_map_options options;
    check_scratch("map.h5", file, sizeof file);
    lb_map_options_defaults(&options);
    options.sites = &site;
    options.site_count = 1;
    options.with = with;
    options.region = LB_MAP_REGION_POINTS;
    options.points = frames;
    options.point_count = count;
    options.starts = 1;
    options.is_forced = 1;
    static int number;
    const int is_both = check_count(0, 1), first = is_both ? 0 : number++ % 2;
    for (options.has_rotations = first; options.has_rotations <= (is_both ? 1 : first); options.has_rotations++) {
        lb_map_info info;
        lb_map_info_defaults(&info);
        const lb_map_ending ending = lb_map_make(path, NULL, &options, file, &error);
        if (ending != LB_MAP_ENDING_DONE) {
            check_note("%s, %s: %s", path, site, error.message);
        }
        REQUIRE(ending == LB_MAP_ENDING_DONE);
        lb_map *map = lb_map_load(file, &error);
        REQUIRE(map && lb_map_describe(map, &info) == LB_OK);
        check_note("%s, %s, with rotations %d: %lld of %d points proved out of reach", path, site,
                   options.has_rotations, (long long)info.states[LB_MAP_STATE_OUTSIDE], count);
        CHECK_INT(info.states[LB_MAP_STATE_OUTSIDE], 0);
        asked += count;
        reached += info.states[LB_MAP_STATE_REACHED];
        unfound += info.states[LB_MAP_STATE_UNFOUND];
        lb_map_destroy(map);
    }
    check_note("%s", "");
}

static void random_arms(int count, int points) {
    static lb_frame frames[MOST_POINTS];
    char path[4096];
    check_scratch("arm.fig", path, sizeof path);
    for (int i = 0; i < count; i++) {
        lb_effector effector;
        check_random_seed(&source, 5000 + (unsigned long long)i);
        lb_figure *figure = random_arm(&source, i, &effector);
        REQUIRE(lb_figure_save(figure, path, NULL, NULL) == LB_OK);
        draw_frames(figure, effector.segment, frames, points);
        attack(path, lb_figure_segment(figure, effector.segment)->name, "all", frames, points);
        lb_figure_destroy(figure);
    }
}

/* A figure, by the names of segments. */
static void shared(const char *name, const char *segment, int points) {
    static lb_frame frames[MOST_POINTS];
    char path[4096];
    lb_figure *figure;
    if (!check_shared(name, path, sizeof path)) {
        printf("skipped: %s is not there\n", name);
        return;
    }
    REQUIRE(lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    const int at = lb_figure_find_segment(figure, segment);
    check_note("%s, %s", name, segment);
    REQUIRE(at >= 0);
    check_random_seed(&source, 26);
    draw_frames(figure, at, frames, points);
    attack(path, segment, "all", frames, points);
    lb_figure_destroy(figure);
}

int main(void) {
    const int points = check_is_sanitized() ? 20 : check_count(60, MOST_POINTS);
    random_arms(check_is_sanitized() ? 12 : check_count(12, 120), points);
    shared("data/urdf/hands/allegro_right.urdf", "link_15_tip", points);
    shared("data/urdf/hands/allegro_right.urdf", "link_3_tip", points);
    shared("data/urdf/hands/shadow_right.urdf", "thtip", points);
    shared("data/urdf/humanoids/unitree_g1_29dof.urdf", "left_rubber_hand", points);
    shared("data/urdf/humanoids/unitree_g1_29dof.urdf", "right_rubber_hand", points);
    shared("data/urdf/arms/frankie_mobile_panda.urdf", "frankie_hand", points);
    printf("%ld points that are reached: %ld found, %ld not found from one start, none proved out of reach\n", asked,
           reached, unfound);
    CHECK(reached > asked / 2);
    return check_done();
}
