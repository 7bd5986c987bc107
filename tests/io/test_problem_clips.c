/* `clips` of a problem's motion: frames that are written out, tables, files of motion; what is wrong with others. */
#include "check.h"

#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static lb_error error;

static lb_problem_file *load(const char *text, const char *name) {
    char path[1024];
    lb_problem_file *file = NULL;
    lb_load_options options;
    char models[1024];
    REQUIRE(check_source("models", models, sizeof models));
    lb_load_options_defaults(&options);
    options.models = models;
    check_scratch(name, path, sizeof path);
    FILE *out = fopen(path, "w");
    REQUIRE(out != NULL);
    fputs(text, out);
    fclose(out);
    return lb_problem_load(path, &options, &file, &error) ? NULL : file;
}

static void write(const char *name, const char *text) {
    char path[1024];
    check_scratch(name, path, sizeof path);
    FILE *out = fopen(path, "w");
    REQUIRE(out != NULL);
    fputs(text, out);
    fclose(out);
}

#define GOALS                                                                         \
    "\"constraints\": [{\"name\": \"hand\", \"effector\": \"link7\"," \
    " \"goal\": {\"kind\": \"position\", \"point\": [0.5, 0.1, 0.5]}}],"
#define WEIGHT \
    "\"tracks\": [{\"weight\": \"hand\", \"keys\": [{\"time\": 0.5, \"value\": 0}, {\"time\": 0.8, \"value\": 1}]}]"

static void check_goal(const char *clips, const char *name) {
    char text[4096];
    double pose[16];
    lb_result result;
    snprintf(text, sizeof text, "{\"figure\": \"panda\", " GOALS "\"motion\": {\"clips\": [%s], " WEIGHT "}}", clips);
    lb_problem_file *file = load(text, name);
    if (!CHECK(file != NULL)) {
        printf("%s\n", error.message);
        return;
    }
    lb_player *player = lb_player_create(lb_problem_file_motion(file), NULL, NULL);
    lb_result_defaults(&result);
    const lb_figure *figure = lb_problem_figure(lb_problem_file_problem(file), 0);
    const int joint1 = lb_figure_find_variable(figure, "joint1");
    CHECK(lb_player_pose(player, 0.25, pose, &result) == LB_OK);
    CHECK_NEAR(pose[joint1], 0.1, 1e-9);
    CHECK(lb_player_pose(player, 0.9, pose, &result) == LB_OK);
    CHECK(result.constraints[0].met);
    lb_player_destroy(player);
    lb_problem_file_destroy(file);
}

static void check_wrong(const char *clips, const char *why) {
    char text[4096];
    snprintf(text, sizeof text, "{\"figure\": \"panda\", " GOALS "\"motion\": {\"clips\": [%s]}}", clips);
    check_note("%s", clips);
    CHECK(load(text, "wrong.json") == NULL);
    CHECK_HAS(error.message, why);
    check_note("%s", "");
}

int main(void) {
    check_goal("{\"interpolation\": \"linear\", \"frame_time\": 0.5, \"variables\": [\"joint1\", \"joint4\"],"
               " \"frames\": [[0, -2], [0.2, \"-100deg\"], [0.4, -1.5]]}",
               "frames.json");
    write("clip.csv", "time,joint1,joint4\r\n0,0,-2\r\n0.5,0.2,-1.8\r\n1,0.4,-1.5\r\n");
    check_goal("{\"file\": \"clip.csv\", \"figure\": \"panda\", \"interpolation\": \"linear\"}", "table.json");
    check_wrong("{}", "a clip is a `file` (.csv, .bvh, .glb) or has `frames`");
    check_wrong("{\"file\": \"clip.csv\", \"frames\": [[0]]}", "a clip is a `file`");
    check_wrong("{\"file\": \"no.csv\"}", "there is no file `no.csv`");
    check_wrong("{\"figure\": \"pandda\", \"frames\": [[0]]}", "there is no figure \"pandda\"");
    check_wrong("{\"frames\": [[0, 1]]}", "7");
    check_wrong("{\"variables\": [\"joint9\"], \"frames\": [[0]]}", "has no variable `joint9`");
    check_wrong("{\"variables\": [\"joint1\"], \"frames\": [[\"1m\"]]}", "frames[0][0]");
    write("bad.csv", "time,joint1\n0,0\n0.5,x\n");
    check_wrong("{\"file\": \"bad.csv\"}", "row 2 of the table is not 2 numbers");
    write("bad.csv", "time,joint9\n0,0\n");
    check_wrong("{\"file\": \"bad.csv\"}", "has no variable `joint9`");
    write("bad.csv", "time,joint1\n0,0\n0,0\n");
    check_wrong("{\"file\": \"bad.csv\"}", "times do not rise");
    write("bad.csv", "joint1\n0\n");
    check_wrong("{\"file\": \"bad.csv\"}", "begins with `time`");
    write("bad.csv", "time,joint1\n");
    check_wrong("{\"file\": \"bad.csv\"}", "has no rows");
    return check_done();
}
