/* One motion, written by skeletons that rest in different ways, goes onto the human in the same way. Measured here from
 * positions alone, against where the made person truly is: no code is shared with retargeting. */
#include "check.h"
#include "person.h"
#include <math.h>
#include <string.h>

#define FRAMES 21
#define DEGREE (3.14159265358979323846 / 180)

static const struct {
    int from, to;
    const char *target_from, *target_to;
} limbs[] = {{PERSON_UPPER_ARM, PERSON_FOREARM, "left_upper_arm", "left_forearm"},
             {PERSON_UPPER_ARM + 1, PERSON_FOREARM + 1, "right_upper_arm", "right_forearm"},
             {PERSON_FOREARM, PERSON_HAND, "left_forearm", "left_hand"},
             {PERSON_FOREARM + 1, PERSON_HAND + 1, "right_forearm", "right_hand"},
             {PERSON_THIGH, PERSON_SHANK, "left_thigh", "left_shank"},
             {PERSON_THIGH + 1, PERSON_SHANK + 1, "right_thigh", "right_shank"},
             {PERSON_SHANK, PERSON_FOOT, "left_shank", "left_foot"},
             {PERSON_SHANK + 1, PERSON_FOOT + 1, "right_shank", "right_foot"}};
#define LIMBS (sizeof limbs / sizeof limbs[0])

static void joint_place(const lb_kinematics *kinematics, const lb_figure *figure, const char *name, double at[3]) {
    int segment = lb_figure_find_segment(figure, name);
    lb_frame frame;
    REQUIRE(segment >= 0);
    const lb_joint *joint = lb_figure_joint(figure, lb_figure_parent_joint(figure, segment));
    int site = lb_figure_site(figure, joint->site_b)->segment == segment ? joint->site_b : joint->site_a;
    lb_kinematics_site(kinematics, site, &frame);
    memcpy(at, frame.position, sizeof frame.position);
}

static double angle_between(const double a[3], const double b[3]) {
    double dot = 0, na = 0, nb = 0;
    for (int i = 0; i < 3; i++) {
        dot += a[i] * b[i];
        na += a[i] * a[i];
        nb += b[i] * b[i];
    }
    return acos(fmax(-1, fmin(1, dot / sqrt(na * nb))));
}

/* Mean and worst angle of limbs to the truth. */
static void judge(const lb_clip *out, double *mean, double *worst) {
    const lb_figure *figure = lb_clip_figure(out);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    *mean = *worst = 0;
    for (int f = 0; f < FRAMES; f++) {
        REQUIRE(lb_kinematics_update(kinematics, lb_clip_const_pose(out, f)) == LB_OK);
        for (size_t k = 0; k < LIMBS; k++) {
            double at[4][3], ways[2][3];
            person_place(limbs[k].from, f, FRAMES, at[0]);
            person_place(limbs[k].to, f, FRAMES, at[1]);
            joint_place(kinematics, figure, limbs[k].target_from, at[2]);
            joint_place(kinematics, figure, limbs[k].target_to, at[3]);
            for (int i = 0; i < 3; i++) {
                ways[0][i] = at[1][i] - at[0][i];
                ways[1][i] = at[3][i] - at[2][i];
            }
            double angle = angle_between(ways[0], ways[1]);
            *mean += angle / (FRAMES * (double)LIMBS);
            *worst = fmax(*worst, angle);
        }
    }
    lb_kinematics_destroy(kinematics);
}

int main(void) {
    static const char *const names[] = {"hanging", "T", "A", "bones along an axis", "all in one place"};
    char path[1024];
    lb_figure *human = NULL;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &human, NULL) == LB_OK);
    for (int rest = 0; rest < PERSON_REST_COUNT; rest++) {
        const person_style style = {.rest = (person_rest)rest, .unit = 0.01, .frames = FRAMES};
        lb_figure *figure;
        lb_clip *clip;
        lb_body_map map;
        lb_retarget_report report;
        lb_error error;
        double mean, worst;
        person_load(&style, 0, &figure, &clip);
        lb_retarget_report_defaults(&report);
        REQUIRE(lb_body_map_human(figure, human, &map) == LB_OK);
        check_note("%s", names[rest]);
        lb_clip *out = lb_retarget(clip, human, &map, NULL, &report, &error);
        REQUIRE(out != NULL);
        judge(out, &mean, &worst);
        printf("%-20s limbs %.2f deg on average, %.1f at worst; %.1f%% at limits; reference frame %d\n", names[rest],
               mean / DEGREE, worst / DEGREE, 100 * report.at_limits, report.reference_frame);
        CHECK(mean < 5 * DEGREE);
        CHECK(worst < 20 * DEGREE);
        CHECK(report.at_limits < 0.1);
        CHECK(report.jump < 1.5);
        CHECK(report.slide < 1e-3);
        CHECK(report.is_target_upright);
        CHECK((report.reference_frame >= 0) == (rest >= PERSON_ALONG));
        /* the report says what is measured here */
        CHECK_NEAR(report.limb_mean, mean, 0.1 * DEGREE);
        CHECK_NEAR(report.limb_worst, worst, 0.1 * DEGREE);
        lb_clip_destroy(out);
        lb_clip_destroy(clip);
        lb_figure_destroy(figure);
    }
    lb_figure_destroy(human);
    return check_done();
}
