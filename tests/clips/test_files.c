/* What BVH files do not say: how long their unit is and which axis is up, told from the person in them. */
#include "check.h"
#include "person.h"
#include <math.h>
#include <string.h>

/* The reader, left to itself, has every joint where it truly is. */
static void check_places(const person_style *style, double tolerance, const char *what) {
    lb_figure *figure;
    lb_clip *clip;
    person_load(style, 0, &figure, &clip);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    REQUIRE(clip && kinematics);
    check_note("%s", what);
    for (int f = 0; f < style->frames; f++) {
        REQUIRE(lb_kinematics_update(kinematics, lb_clip_const_pose(clip, f)) == LB_OK);
        for (int bone = 0; bone < PERSON_BONES; bone++) {
            double place[3];
            lb_frame frame;
            int segment = lb_figure_find_segment(figure, (style->names ? style->names : person_mixamo)[bone]);
            REQUIRE(segment >= 0);
            lb_kinematics_segment(kinematics, segment, &frame);
            person_place(bone, f, style->frames, place);
            for (int i = 0; i < 3; i++) {
                CHECK_NEAR(frame.position[i], place[i], tolerance);
            }
        }
    }
    check_note("%s", "");
    lb_kinematics_destroy(kinematics);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

static const char *const cmu_names[PERSON_BONES] = {
    "Hips",       "LowerBack", "Spine1",      "Neck",         "Head",      "LeftShoulder", "RightShoulder",
    "LeftArm",    "RightArm",  "LeftForeArm", "RightForeArm", "LeftHand",  "RightHand",    "LeftUpLeg",
    "RightUpLeg", "LeftLeg",   "RightLeg",    "LeftFoot",     "RightFoot", "LeftToeBase",  "RightToeBase"};

static void check_units(void) {
    static const double units[] = {0.01, 1, 0.001, 0.1, 0.0254, 0.0254 / 0.45};
    static const char *const names[] = {"centimetres", "metres", "millimetres", "decimetres", "inches", "CMU's unit"};
    for (int i = 0; i < 6; i++) {
        const person_style style = {.rest = PERSON_T, .unit = units[i], .frames = 3, .names = i ? NULL : cmu_names};
        check_places(&style, 1e-9, names[i]);
    }
}

/* As the skeleton rests, and as it moves. */
static void check_ups(void) {
    for (int rest = 0; rest < PERSON_REST_COUNT; rest++) {
        for (int z = 0; z < 2; z++) {
            char what[64];
            const person_style style = {.rest = (person_rest)rest, .unit = 0.01, .frames = 3, .is_z_up = z};
            snprintf(what, sizeof what, "rest pose %d, %s up", rest, z ? "z" : "y");
            check_places(&style, 1e-9, what);
        }
    }
}

static void check_cmu(void) {
    static const struct {
        const char *path;
        double leg_least, leg_most;
    } files[] = {{"data/bvh/cmu/02_01_walk.bvh", 0.7, 1.0}, {"data/bvh/cmu/09_01_run.bvh", 0.7, 1.0}};
    for (int i = 0; i < 2; i++) {
        char path[1024];
        lb_figure *figure = NULL;
        lb_error error;
        lb_frame hip, knee;
        if (!check_shared(files[i].path, path, sizeof path)) {
            printf("%s is not here\n", files[i].path);
            continue;
        }
        REQUIRE(lb_figure_load(path, NULL, &figure, &error) == LB_OK);
        lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
        lb_kinematics_segment(kinematics, lb_figure_find_segment(figure, "LeftUpLeg"), &hip);
        lb_kinematics_segment(kinematics, lb_figure_find_segment(figure, "LeftLeg"), &knee);
        double thigh = hypot(hypot(hip.position[0] - knee.position[0], hip.position[1] - knee.position[1]),
                             hip.position[2] - knee.position[2]);
        CHECK(2 * thigh > files[i].leg_least && 2 * thigh < files[i].leg_most);
        lb_kinematics_destroy(kinematics);
        lb_figure_destroy(figure);
    }
}

/* What is said is done, whatever the file looks like; what cannot be said is refused. */
static void check_said(void) {
    const person_style style = {.rest = PERSON_T, .unit = 0.01, .frames = 2, .is_z_up = 1};
    char *text = person_bvh(&style);
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_error error;
    lb_load_options_defaults(&options);
    CHECK(options.bvh_up == LB_BVH_UP_AUTO && options.unit == 0);
    options.format = LB_FORMAT_BVH;
    options.bvh_up = LB_BVH_UP_Y;
    options.unit = 0.02;
    REQUIRE(lb_figure_load_memory(text, strlen(text), "p.bvh", &options, &figure, &error) == LB_OK);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    lb_frame hips, chest;
    lb_kinematics_segment(kinematics, lb_figure_find_segment(figure, person_mixamo[PERSON_SPINE]), &hips);
    lb_kinematics_segment(kinematics, lb_figure_find_segment(figure, person_mixamo[PERSON_CHEST]), &chest);
    CHECK_NEAR(chest.position[2] - hips.position[2], 0, 1e-9); /* it lies */
    CHECK_NEAR(chest.position[0] - hips.position[0], 0.4, 1e-9);
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
    options.bvh_up = (lb_bvh_up)7;
    CHECK_INT(lb_figure_load_memory(text, strlen(text), "p.bvh", &options, &figure, &error), LB_ERROR_ARGUMENT);
    options.bvh_up = LB_BVH_UP_Z;
    options.unit = -1;
    CHECK_INT(lb_figure_load_memory(text, strlen(text), "p.bvh", &options, &figure, &error), LB_ERROR_ARGUMENT);
    free(text);
}

int main(void) {
    check_units();
    check_ups();
    check_cmu();
    check_said();
    return check_done();
}
