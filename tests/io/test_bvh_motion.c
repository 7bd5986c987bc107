/* BVH motion in and out: every frame of every joint comes back. */
#include "check.h"

#include <limber/io.h>
#include <math.h>
#include <string.h>

static char last_warning[LB_ERROR_MESSAGE_SIZE];

static void hear(void *context, const lb_error *warning) {
    (void)context;
    strcpy(last_warning, warning->message);
}

typedef struct scene {
    lb_figure *figure;
    lb_clip *clip;
} scene;

static void end_scene(scene *s) {
    lb_clip_destroy(s->clip);
    lb_figure_destroy(s->figure);
}

static lb_status read_file(const char *path, scene *s, lb_error *error) {
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.unit = 0.01; /* whatever the legs say: it is written in the same */
    options.warn = hear;
    last_warning[0] = 0;
    return lb_clip_load(path, &options, &s->figure, &s->clip, error);
}

static lb_status read_text(const char *text, scene *s, lb_error *error) {
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.format = LB_FORMAT_BVH;
    options.warn = hear;
    last_warning[0] = 0;
    return lb_clip_load_memory(text, strlen(text), "file.bvh", &options, &s->figure, &s->clip, error);
}

/* Where each segment of a is in each frame, and that of the same name in b: the largest distance over the largest
 * extent. */
static double farthest_apart(const scene *a, const scene *b) {
    lb_kinematics *ka = lb_kinematics_create(a->figure, NULL), *kb = lb_kinematics_create(b->figure, NULL);
    double apart = 0, size = 1e-9;
    for (int f = 0; f < lb_clip_frame_count(a->clip); f++) {
        REQUIRE(lb_kinematics_update(ka, lb_clip_pose(a->clip, f)) == LB_OK);
        REQUIRE(lb_kinematics_update(kb, lb_clip_pose(b->clip, f)) == LB_OK);
        for (int i = 0; i < lb_figure_segment_count(a->figure); i++) {
            int other = lb_figure_find_segment(b->figure, lb_figure_segment(a->figure, i)->name);
            lb_frame here, there;
            if (other < 0) {
                continue; /* a root that is only the ground */
            }
            lb_kinematics_segment(ka, i, &here);
            lb_kinematics_segment(kb, other, &there);
            for (int c = 0; c < 3; c++) {
                apart = fmax(apart, fabs(here.position[c] - there.position[c]));
                size = fmax(size, fabs(here.position[c]));
            }
        }
    }
    lb_kinematics_destroy(ka);
    lb_kinematics_destroy(kb);
    return apart / size;
}

/* Reads, writes and reads again: the same figure and frames. */
static void check_there_and_back(const char *path) {
    scene first, second;
    lb_error error;
    if (!CHECK_INT(read_file(path, &first, &error), LB_OK)) {
        printf("  %s: %s\n", path, error.message);
        return;
    }
    if (CHECK_INT(lb_clip_save(first.clip, "back.bvh", NULL, &error), LB_OK) &&
        CHECK_INT(read_file("back.bvh", &second, &error), LB_OK)) {
        CHECK_INT(lb_clip_frame_count(second.clip), lb_clip_frame_count(first.clip));
        CHECK(lb_clip_frame_time(second.clip) == lb_clip_frame_time(first.clip));
        CHECK_INT(lb_figure_variable_count(second.figure), lb_figure_variable_count(first.figure));
        for (int i = 0; i < lb_figure_variable_count(first.figure); i++) {
            CHECK_TEXT(lb_figure_variable(second.figure, i)->name, lb_figure_variable(first.figure, i)->name);
        }
        double apart = farthest_apart(&first, &second);
        if (!CHECK(apart < 1e-6)) {
            printf("  %s: %g apart\n", path, apart);
        }
        end_scene(&second);
    }
    end_scene(&first);
}

static const char *const swing =
    "HIERARCHY\nROOT hips\n{\n OFFSET 1 2 3\n CHANNELS 6 Zrotation Xposition Yposition Zposition Xrotation Yrotation\n"
    " JOINT leg\n {\n  OFFSET 0 -40 0\n  CHANNELS 2 Yrotation Xrotation\n  End Site\n  {\n   OFFSET 0 -40 0\n  }\n "
    "}\n}\n"
    "MOTION\nFrames: 3\nFrame Time: 0.04\n"
    "10 100 90 0 5 0 20 0\n20 101 91 1 6 1 30 10\n30 102 92 2 7 2 40 20\n";

static void check_values(void) {
    scene s;
    lb_error error;
    REQUIRE(read_text(swing, &s, &error) == LB_OK);
    CHECK_INT(lb_clip_frame_count(s.clip), 3);
    CHECK(lb_clip_frame_time(s.clip) == 0.04);
    int rz = lb_figure_find_variable(s.figure, "hips.rz"), ty = lb_figure_find_variable(s.figure, "hips.ty");
    int rx = lb_figure_find_variable(s.figure, "leg.rx");
    REQUIRE(rz >= 0 && ty >= 0 && rx >= 0);
    for (int f = 0; f < 3; f++) {
        const double *pose = lb_clip_const_pose(s.clip, f);
        CHECK_NEAR(pose[rz], (10 + 10 * f) * 3.14159265358979323846 / 180, 1e-15);
        CHECK_NEAR(pose[ty], 0.9 + 0.01 * f, 1e-15);
        CHECK_NEAR(pose[rx], 10 * f * 3.14159265358979323846 / 180, 1e-15);
    }
    end_scene(&s);
}

static void check_round_trip_text(void) {
    FILE *file = fopen("swing.bvh", "w");
    REQUIRE(file != NULL && fputs(swing, file) >= 0 && fclose(file) == 0);
    check_there_and_back("swing.bvh");
    scene s;
    lb_error error;
    REQUIRE(read_file("swing.bvh", &s, &error) == LB_OK);
    REQUIRE(lb_clip_save(s.clip, "out.bvh", NULL, &error) == LB_OK);
    char text[2048] = "";
    file = fopen("out.bvh", "r");
    REQUIRE(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    CHECK_HAS(text, "CHANNELS 6 Zrotation Xposition Yposition Zposition Xrotation Yrotation");
    CHECK_HAS(text,
              "Frames: 3\nFrame Time: 0.04\n10 100 90 0 5 0 20 0\n20 101 91 1 6 1 30 10\n30 102 92 2 7 2 40 20\n");
    end_scene(&s);
}

/* Rows that are too many or too few, values that are not finite, no motion at all. */
static void check_odd_motion(void) {
    scene s;
    lb_error error;
    const char *const head = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation End Site { OFFSET 0 1 0 } } ";
    char text[512];
    snprintf(text, sizeof text, "%sMOTION Frames: 2 Frame Time: 0.1 1 2 3", head);
    REQUIRE(read_text(text, &s, &error) == LB_OK);
    CHECK_HAS(last_warning, "3 rows");
    CHECK_INT(lb_clip_frame_count(s.clip), 2);
    end_scene(&s);
    snprintf(text, sizeof text, "%sMOTION Frames: 4 Frame Time: 0.1 90 nan 3", head);
    REQUIRE(read_text(text, &s, &error) == LB_OK);
    CHECK_INT(lb_clip_frame_count(s.clip), 3);
    CHECK(lb_clip_const_pose(s.clip, 1)[0] == lb_clip_const_pose(s.clip, 0)[0]);
    end_scene(&s);
    REQUIRE(read_text(head, &s, &error) == LB_OK);
    CHECK(s.figure != NULL && s.clip == NULL);
    end_scene(&s);
    snprintf(text, sizeof text, "%sMOTION Frames: 2 Frame Time: 0.1 1 two", head);
    CHECK_INT(read_text(text, &s, &error), LB_ERROR_SYNTAX);
    CHECK(s.figure == NULL && s.clip == NULL);
}

static void check_refusals(void) {
    scene s;
    lb_error error;
    char path[1024];
    REQUIRE(check_source("models/panda.fig", path, sizeof path));
    CHECK_INT(read_file(path, &s, &error), LB_OK); /* a format without motion */
    CHECK(s.figure != NULL && s.clip == NULL);
    end_scene(&s);
    REQUIRE(read_text(swing, &s, &error) == LB_OK);
    CHECK_INT(lb_clip_save(s.clip, "motion.urdf", NULL, &error), LB_ERROR_UNSUPPORTED);
    lb_clip_pose(s.clip, 2)[0] = NAN;
    CHECK_INT(lb_clip_save(s.clip, "motion.bvh", NULL, &error), LB_ERROR_ARGUMENT);
    CHECK_HAS(error.message, "frame 3");
    CHECK(fopen("motion.bvh", "r") == NULL);
    CHECK_INT(lb_clip_save(s.clip, "motion.csv", NULL, &error), LB_ERROR_ARGUMENT);
    CHECK_HAS(error.message, "frame 3");
    CHECK(fopen("motion.csv", "r") == NULL);
    end_scene(&s);
}

/* A table of the values: of a figure all variables; of a robot that is carried freely where its root is, and its joints. */
static void check_tables(void) {
    char text[4096] = "";
    scene s;
    lb_error error;
    REQUIRE(read_text(swing, &s, &error) == LB_OK);
    REQUIRE(lb_clip_save(s.clip, "swing.csv", NULL, &error) == LB_OK);
    FILE *file = fopen("swing.csv", "r");
    REQUIRE(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const int variables = lb_figure_variable_count(s.figure);
    double value;
    const char *row = text;
    CHECK(strncmp(text, "time,", 5) == 0);
    for (int f = 0; f < 3; f++) {
        row = strchr(row, '\n') + 1;
        char *end;
        CHECK_NEAR(strtod(row, &end), 0.04 * f, 1e-15);
        for (int v = 0; v < variables && CHECK(*end == ','); v++) {
            value = strtod(end + 1, &end);
            CHECK(value == lb_clip_const_pose(s.clip, f)[v]);
        }
        CHECK(*end == '\n');
    }
    end_scene(&s);
}

/* A figure that is nothing like BVH, in motion: joints are where they were, and angles do not jump by whole turns. */
static void check_any_figure(void) {
    scene human, back;
    lb_error error;
    char path[1024];
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &human.figure, &error) == LB_OK);
    int frames = 40, variables = lb_figure_variable_count(human.figure);
    human.clip = lb_clip_create(human.figure, frames, 0.02, NULL);
    REQUIRE(human.clip != NULL);
    for (int f = 0; f < frames; f++) {
        double *pose = lb_clip_pose(human.clip, f);
        for (int v = 0; v < variables; v++) {
            pose[v] += 0.4 * sin(0.1 * f + v);
        }
        pose[5] += 0.3 * f; /* the root turns round and round */
    }
    REQUIRE(lb_clip_save(human.clip, "human.bvh", NULL, &error) == LB_OK);
    REQUIRE(read_file("human.bvh", &back, &error) == LB_OK);
    /* BVH's joints sit where the figure's do, not where its segments' frames are: compare joint sites */
    lb_kinematics *k = lb_kinematics_create(human.figure, NULL), *b = lb_kinematics_create(back.figure, NULL);
    double apart = 0, jump = 0;
    for (int f = 0; f < frames; f++) {
        lb_kinematics_update(k, lb_clip_pose(human.clip, f));
        lb_kinematics_update(b, lb_clip_pose(back.clip, f));
        for (int j = 0; j < lb_figure_joint_count(human.figure); j++) {
            const lb_joint *joint = lb_figure_joint(human.figure, j);
            int segment = lb_figure_site(human.figure, joint->site_b)->segment;
            int other = lb_figure_find_segment(back.figure, lb_figure_segment(human.figure, segment)->name);
            if (other < 0 || lb_figure_parent_joint(human.figure, segment) != j) {
                continue;
            }
            lb_frame here, there;
            lb_kinematics_site(k, joint->site_b, &here);
            lb_kinematics_segment(b, other, &there);
            for (int c = 0; c < 3; c++) {
                apart = fmax(apart, fabs(here.position[c] - there.position[c]));
            }
        }
        for (int v = 0; f > 0 && v < lb_figure_variable_count(back.figure); v++) {
            jump = fmax(jump, fabs(lb_clip_pose(back.clip, f)[v] - lb_clip_pose(back.clip, f - 1)[v]));
        }
    }
    CHECK(apart < 1e-9);
    CHECK(jump < 3);
    lb_kinematics_destroy(k);
    lb_kinematics_destroy(b);
    end_scene(&human);
    end_scene(&back);
}

static const char *const clips[] = {"cmu/02_01_walk",
                                    "cmu/02_04_jump",
                                    "cmu/05_02_dance",
                                    "cmu/09_01_run",
                                    "cmu/115_01_pick_up_box",
                                    "cmu/140_01_get_up_from_lying_face_down",
                                    "cmu/143_18_sit_down_and_get_up",
                                    "cmu/69_70_walk",
                                    "cmu/79_01_chopping_wood",
                                    "cmu/88_01_backflip",
                                    "other/fair1_jumping",
                                    "other/mh_walk1",
                                    "other/pymo_8walk_meredith",
                                    "other/rokoko_jesse_dance",
                                    "quirks/boxing_toes_extra_row",
                                    "quirks/four_rotation_orders",
                                    "quirks/full_precision_frame_time",
                                    "quirks/geno_stance_6ch_exp",
                                    "quirks/mh_tpose_6ch",
                                    "quirks/pirouette_exponents",
                                    "quirks/rotation_first_root",
                                    "quirks/sinusoidal_no_endsite"};

int main(void) {
    check_values();
    check_round_trip_text();
    check_odd_motion();
    check_refusals();
    check_tables();
    check_any_figure();
    int missing = 0;
    for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
        char relative[128], path[1024];
        snprintf(relative, sizeof relative, "data/bvh/%s.bvh", clips[i]);
        if (check_shared(relative, path, sizeof path)) {
            check_there_and_back(path);
        } else {
            missing++;
        }
    }
    if (missing) {
        printf("%d shared clips are not here\n", missing);
    }
    return check_done();
}
