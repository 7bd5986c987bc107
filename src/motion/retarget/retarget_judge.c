/* Whether what came of a retargeting is good: its report against bounds. Every front says what is said here. */
#include <string.h>

#include "figure/error.h"
#include "figure/sized.h"
#include "math/trig.h"
#include "math/vec.h"
#include "motion/retarget/retarget.h"

#define DEGREE (LBM_PI / 180)

static const lbf_sized bounds_kind = LBF_SIZED(lb_retarget_bounds, upright);
static const lbf_sized verdict_kind = LBF_SIZED(lb_retarget_verdict, explanation);

void lb_retarget_bounds_defaults_sized(lb_retarget_bounds *bounds, size_t struct_size) {
    static const lb_retarget_bounds defaults = {.limb_mean = 10 * DEGREE,
                                                .limb_worst = 75 * DEGREE,
                                                .wrist_mean = 0.4,
                                                .ankle_mean = 0.1,
                                                .slide_speed = 0.1,
                                                .jump = 2.5,
                                                .hips_step = 1.5,
                                                .at_limits = 0.25,
                                                .overlap = 0.005,
                                                .upright = 1};
    lbf_default_sized(&bounds_kind, &defaults, bounds, struct_size);
}

void lb_retarget_verdict_defaults_sized(lb_retarget_verdict *verdict, size_t struct_size) {
    static const lb_retarget_verdict defaults = {0};
    lbf_default_sized(&verdict_kind, &defaults, verdict, struct_size);
}

/* How a measure is said: what, the value in `per` units, the unit. */
static const struct {
    const char *what, *unit;
    double per;
} words[LB_RETARGET_MEASURE_COUNT] = {
    {"limbs point elsewhere than in the motion, on average by ", " deg", DEGREE},
    {"a limb points elsewhere than in the motion by ", " deg", DEGREE},
    {"wrists are off, on average by ", "% of the arm", 0.01},
    {"ankles are off, on average by ", "% of the leg", 0.01},
    {"a foot that stands slides by ", " m/s", 1},
    {"the largest turn from frame to frame, over the motion's own, is ", " times", 1},
    {"the largest step of the hips from frame to frame, over the motion's own, is ", " times", 1},
    {"values are at a limit in ", "% of all", 0.01},
    {"segments overlap by ", " mm", 1e-3},
    {"the target does not stand upright at rest, so how its parts are turned is not known", "", 1},
};

static void say(lb_retarget_verdict *verdict, const char *text) {
    const size_t used = strlen(verdict->explanation), room = sizeof verdict->explanation - 1 - used;
    const size_t length = strlen(text);
    memcpy(verdict->explanation + used, text, length < room ? length : room);
}

/* A number with three digits. */
static void say_number(lb_retarget_verdict *verdict, double value) {
    char text[32];
    const double place = value >= 100 ? 1 : value >= 10 ? 10 : value >= 1 ? 100 : 1000;
    say(verdict, lbf_decimal_text(lbm_is_finite(value) ? floor(value * place + 0.5) / place : value, text));
}

static void say_finding(lb_retarget_verdict *verdict, const lb_retarget_finding *finding) {
    const char *unit = words[finding->measure].unit;
    say(verdict, verdict->count > 1 ? "; " : "");
    say(verdict, words[finding->measure].what);
    if (finding->measure == LB_RETARGET_MEASURE_UPRIGHT) {
        return;
    }
    say_number(verdict, finding->value / words[finding->measure].per);
    say(verdict, unit);
    if (finding->frame >= 0) {
        char number[24];
        say(verdict, " at frame ");
        say(verdict, lbf_integer_text(finding->frame, number));
    }
    say(verdict, " (bound: ");
    say_number(verdict, finding->bound / words[finding->measure].per);
    say(verdict, ")");
}

lb_status lb_retarget_judge(const lb_retarget_report *report, const lb_retarget_bounds *bounds,
                            lb_retarget_verdict *verdict) {
    lb_retarget_report made;
    lb_retarget_bounds most;
    lb_retarget_verdict found = {0};
    lb_retarget_bounds_defaults(&most);
    lb_status status = report && verdict ? LB_OK : LB_ERROR_ARGUMENT;
    status = status ? status : lbt_retarget_take_report(report, &made);
    status = status ? status : lbf_take_sized(&bounds_kind, bounds, &most, NULL);
    status = status ? status : lbf_check_sized(&verdict_kind, verdict, NULL);
    if (status) {
        return status;
    }
    const double size = made.size > 0 ? made.size : 1;
    const double given[] = {most.limb_mean, most.limb_worst, most.wrist_mean, most.ankle_mean, most.slide_speed,
                            most.jump,      most.hips_step,  most.at_limits,  most.overlap};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        if (given[i] != given[i]) {
            return LB_ERROR_ARGUMENT;
        }
    }
    const lb_retarget_finding all[LB_RETARGET_MEASURE_COUNT] = {
        {LB_RETARGET_MEASURE_LIMB_MEAN, -1, made.limb_mean, most.limb_mean},
        {LB_RETARGET_MEASURE_LIMB_WORST, made.worst_frame, made.limb_worst, most.limb_worst},
        {LB_RETARGET_MEASURE_WRIST_MEAN, -1, made.wrist_mean, most.wrist_mean},
        {LB_RETARGET_MEASURE_ANKLE_MEAN, -1, made.ankle_mean, most.ankle_mean},
        {LB_RETARGET_MEASURE_SLIDE_SPEED, made.slide_frame, made.slide_speed, most.slide_speed * size},
        {LB_RETARGET_MEASURE_JUMP, made.jump_frame, made.jump, most.jump},
        {LB_RETARGET_MEASURE_HIPS_STEP, made.hips_frame, made.hips_step, most.hips_step},
        {LB_RETARGET_MEASURE_AT_LIMITS, -1, made.at_limits, most.at_limits},
        {LB_RETARGET_MEASURE_OVERLAP, made.overlap_frame, made.penetration, most.overlap * size},
        {LB_RETARGET_MEASURE_UPRIGHT, -1, made.is_target_upright != 0, most.upright != 0},
    };
    for (int i = 0; i < LB_RETARGET_MEASURE_COUNT; i++) {
        const int is_upright = i == LB_RETARGET_MEASURE_UPRIGHT;
        /* what is no number is over any bound */
        if (is_upright ? all[i].value < all[i].bound : !(all[i].value <= all[i].bound)) {
            found.findings[found.count++] = all[i];
            say_finding(&found, &all[i]);
        }
    }
    lbf_give_sized(&verdict_kind, &found, verdict);
    return LB_OK;
}
