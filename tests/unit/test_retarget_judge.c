/* What of a retargeting is over its bounds: random reports against random bounds, whatever version either is of. */
#include <limber/motion.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "check.h"

#define DEGREE (3.14159265358979323846 / 180)

/* Where each measure is in a report, and its bound; bounds of lengths go with the size of the target. */
static const struct {
    lb_retarget_measure measure;
    size_t value, bound;
    int is_length, frame; /* frame: where the report has it; 0: it has none */
    const char *said;
} measures[] = {
#define FIELD(name, field, bound, is_length, frame, said) \
    { name, offsetof(lb_retarget_report, field), offsetof(lb_retarget_bounds, bound), is_length, frame, said }
#define AT(field) (int)offsetof(lb_retarget_report, field)
    FIELD(LB_RETARGET_MEASURE_LIMB_MEAN, limb_mean, limb_mean, 0, 0, "limbs point elsewhere"),
    FIELD(LB_RETARGET_MEASURE_LIMB_WORST, limb_worst, limb_worst, 0, AT(worst_frame), "a limb points elsewhere"),
    FIELD(LB_RETARGET_MEASURE_WRIST_MEAN, wrist_mean, wrist_mean, 0, 0, "% of the arm"),
    FIELD(LB_RETARGET_MEASURE_ANKLE_MEAN, ankle_mean, ankle_mean, 0, 0, "% of the leg"),
    FIELD(LB_RETARGET_MEASURE_SLIDE_SPEED, slide_speed, slide_speed, 1, AT(slide_frame), "slides by "),
    FIELD(LB_RETARGET_MEASURE_JUMP, jump, jump, 0, AT(jump_frame), "the largest turn"),
    FIELD(LB_RETARGET_MEASURE_HIPS_STEP, hips_step, hips_step, 0, AT(hips_frame), "the largest step of the hips"),
    FIELD(LB_RETARGET_MEASURE_AT_LIMITS, at_limits, at_limits, 0, 0, "% of all"),
    FIELD(LB_RETARGET_MEASURE_OVERLAP, penetration, overlap, 1, AT(overlap_frame), "segments overlap by "),
};
#define MEASURES (sizeof measures / sizeof measures[0])

static double *field_of(void *at, size_t offset) { return (double *)(void *)((char *)at + offset); }

static const lb_retarget_finding *finding_of(const lb_retarget_verdict *verdict, lb_retarget_measure measure) {
    for (int i = 0; i < verdict->count; i++) {
        if (verdict->findings[i].measure == measure) {
            return &verdict->findings[i];
        }
    }
    return NULL;
}

static void check_random_report(check_random *random) {
    lb_retarget_report report;
    lb_retarget_bounds bounds;
    lb_retarget_verdict verdict;
    int over = 0;
    lb_retarget_report_defaults(&report);
    lb_retarget_bounds_defaults(&bounds);
    lb_retarget_verdict_defaults(&verdict);
    report.size = check_random_range(random, 0.2, 3);
    report.is_target_upright = check_random_index(random, 2);
    bounds.upright = check_random_index(random, 2);
    for (size_t i = 0; i < MEASURES; i++) {
        const int draw = check_random_index(random, 12);
        *field_of(&report, measures[i].value) = draw == 0   ? NAN
                                                : draw == 1 ? INFINITY
                                                            : check_random_range(random, 0, 2);
        *field_of(&bounds, measures[i].bound) = draw == 2 ? INFINITY : check_random_range(random, 0, 2);
        if (measures[i].frame) {
            *(int *)(void *)((char *)&report + measures[i].frame) = check_random_index(random, 5000) - 1;
        }
    }
    REQUIRE(lb_retarget_judge(&report, &bounds, &verdict) == LB_OK);
    for (size_t i = 0; i < MEASURES; i++) {
        const double value = *field_of(&report, measures[i].value),
                     bound = *field_of(&bounds, measures[i].bound) * (measures[i].is_length ? report.size : 1);
        const lb_retarget_finding *found = finding_of(&verdict, measures[i].measure);
        const int is_over = isnan(value) || value > bound;
        check_note("measure %d: %g, bound %g", (int)i, value, bound);
        CHECK_INT(found != NULL, is_over);
        CHECK_INT(strstr(verdict.explanation, measures[i].said) != NULL, is_over);
        if (found) {
            CHECK_NEAR(found->bound, bound, 1e-12 * bound);
            CHECK(found->value == value || isnan(value));
            CHECK_INT(found->frame, measures[i].frame ? *(int *)(void *)((char *)&report + measures[i].frame) : -1);
        }
        over += is_over;
    }
    check_note("%s", "");
    const int is_lying = bounds.upright && !report.is_target_upright;
    CHECK_INT(finding_of(&verdict, LB_RETARGET_MEASURE_UPRIGHT) != NULL, is_lying);
    CHECK_INT(verdict.count, over + is_lying);
    CHECK_INT(verdict.explanation[0] == 0, verdict.count == 0);
    for (int i = 1; i < verdict.count; i++) { /* always in the same order */
        CHECK(verdict.findings[i].measure > verdict.findings[i - 1].measure);
    }
}

/* The sentence that every front shows, to the letter. */
static void check_sentence(void) {
    lb_retarget_report report;
    lb_retarget_verdict verdict;
    lb_retarget_report_defaults(&report);
    lb_retarget_verdict_defaults(&verdict);
    report.size = 1, report.is_target_upright = 1;
    report.limb_mean = 12.345 * DEGREE, report.slide_speed = 0.3712, report.slide_frame = 40, report.hips_step = 14.5,
    report.hips_frame = 310, report.penetration = 0.0361, report.overlap_frame = 7;
    REQUIRE(lb_retarget_judge(&report, NULL, &verdict) == LB_OK);
    CHECK_TEXT(verdict.explanation,
               "limbs point elsewhere than in the motion, on average by 12.3 deg (bound: 10); a foot that stands "
               "slides by 0.371 "
               "m/s at frame 40 (bound: 0.1); the largest step of the hips from frame to frame, over the motion's own, "
               "is 14.5 "
               "times at frame 310 (bound: 1.5); segments overlap by 36.1 mm at frame 7 (bound: 5)");
    report = (lb_retarget_report){.struct_size = sizeof report, .size = 1, .is_target_upright = 1};
    REQUIRE(lb_retarget_judge(&report, NULL, &verdict) == LB_OK);
    CHECK_INT(verdict.count, 0);
    CHECK_TEXT(verdict.explanation, "");
}

/* All findings at once fit into the sentence. */
static void check_all(void) {
    lb_retarget_report report;
    lb_retarget_verdict verdict;
    lb_retarget_report_defaults(&report);
    lb_retarget_verdict_defaults(&verdict);
    for (size_t i = 0; i < MEASURES; i++) {
        *field_of(&report, measures[i].value) = 123456.789;
        if (measures[i].frame) {
            *(int *)(void *)((char *)&report + measures[i].frame) = 2147483647;
        }
    }
    REQUIRE(lb_retarget_judge(&report, NULL, &verdict) == LB_OK);
    CHECK_INT(verdict.count, LB_RETARGET_MEASURE_COUNT);
    CHECK_HAS(verdict.explanation, "so how its parts are turned is not known");
    CHECK(strlen(verdict.explanation) < sizeof verdict.explanation - 100);
}

/* A report and a verdict of a program that was built against an older header. */
static void check_versions(void) {
    lb_retarget_report report;
    lb_retarget_verdict verdict;
    lb_retarget_bounds none = {0};
    lb_retarget_report_defaults_sized(&report, offsetof(lb_retarget_report, worst_part));
    lb_retarget_verdict_defaults(&verdict);
    report.struct_size = 1;
    CHECK(lb_retarget_judge(&report, NULL, &verdict) == LB_ERROR_STRUCT);
    lb_retarget_report_defaults(&report);
    CHECK(lb_retarget_judge(&report, &none, &verdict) == LB_ERROR_STRUCT);
    CHECK(lb_retarget_judge(NULL, NULL, &verdict) == LB_ERROR_ARGUMENT);
    lb_retarget_bounds_defaults(&none);
    none.overlap = NAN;
    CHECK(lb_retarget_judge(&report, &none, &verdict) == LB_ERROR_ARGUMENT);
    CHECK(lb_retarget_judge(&report, NULL, NULL) == LB_ERROR_ARGUMENT);
}

int main(void) {
    check_random random;
    check_random_seed(&random, 26);
    for (int i = 0; i < check_count(500, 20000); i++) {
        check_random_report(&random);
    }
    check_sentence();
    check_all();
    check_versions();
    return check_done();
}
