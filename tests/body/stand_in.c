#include "stand_in.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

/* A part of both sides, or of the middle: metres in the segment's frame, y as it is on the left. */
typedef struct part {
    const char *name, *segment;
    int has_sides;
    double from[3], to[3], radius;
} part;

static const part solids[] = {
    {"pelvis", "pelvis", 0, {-.015, -.06, .015}, {-.015, .06, .015}, .1},
    {"belly", "vertebra_L3", 0, {.015, -.045, .018}, {.015, .045, .018}, .096},
    {"chest", "vertebra_T8", 0, {.036, -.055, .01}, {.036, .055, .01}, .103},
    {"upper_chest", "vertebra_T4", 0, {.025, -.06, -.01}, {.025, .06, -.01}, .09},
    {"neck", "neck", 0, {.01, 0, 0}, {.03, 0, .13}, .056},
    {"head", "head", 0, {.012, 0, .06}, {.024, 0, .005}, .086},
    {"upper_arm", "upper_arm", 1, {0, 0, -.08}, {0, 0, -.283}, .043},
    {"forearm", "forearm", 1, {0, 0, 0}, {0, 0, -.135}, .038},
    {"lower_forearm", "lower_forearm", 1, {0, 0, 0}, {0, 0, -.115}, .026},
    {"hand", "hand", 1, {0, 0, -.02}, {0, 0, -.08}, .015},
    {"fingers", "middle", 1, {0, 0, 0}, {0, 0, -.048}, .01},
    {"fingertips", "middle_tip", 1, {0, 0, 0}, {0, 0, -.032}, .008},
    {"thigh", "thigh", 1, {.004, 0, -.06}, {0, 0, -.385}, .062},
    {"shank", "shank", 1, {-.004, 0, 0}, {0, 0, -.42}, .048},
    {"foot", "foot", 1, {-.016, 0, -.036}, {.12, .012, -.04}, .028},
    {"toes", "toes", 1, {0, 0, .002}, {.046, -.01, 0}, .019},
};

static const struct {
    part at;
    lb_contact_kind kind;
    int limb; /* of the right side; that of the left is the next */
} contacts[] = {
    {{"heel", "foot", 1, {-.03, -.0035, -.068}, {0}, 0}, LB_CONTACT_HEEL, 0},
    {{"ball_inside", "toes", 1, {0, -.035, -.02}, {0}, 0}, LB_CONTACT_BALL, 0},
    {{"ball_outside", "toes", 1, {0, .035, -.02}, {0}, 0}, LB_CONTACT_BALL, 0},
    {{"toe", "toes", 1, {.05, -.009, -.02}, {0}, 0}, LB_CONTACT_TOE, 0},
    {{"knee", "shank", 1, {.046, 0, -.03}, {0}, 0}, LB_CONTACT_KNEE, 0},
    {{"palm", "hand", 1, {0, -.015, -.062}, {0}, 0}, LB_CONTACT_PALM, 2},
};

/* y is given for the left side. */
static void place(const double given[3], int is_right, double out[3]) {
    memcpy(out, given, 3 * sizeof *out);
    out[1] *= is_right ? -1 : 1;
}

/* The names of parts and segments of a side; they live as long as the program. */
static const char *named(const part *p, const lb_figure *figure, int side, int *segment) {
    static char names[200][40];
    static int used;
    static const char *const prefixes[] = {"right_", "left_", ""};
    char segment_name[40];
    REQUIRE(used < 200);
    snprintf(names[used], sizeof names[used], "%s%s", prefixes[side], p->name);
    snprintf(segment_name, sizeof segment_name, "%s%s", prefixes[side], p->segment);
    *segment = lb_figure_find_segment(figure, segment_name);
    REQUIRE(*segment >= 0);
    return names[used++];
}

void stand_in_body(lb_figure *figure, double thicker_arms) {
    lb_body_solid made[40];
    lb_body_contact touching[20];
    lb_body body;
    lb_error error;
    const int eyes[2] = {lb_figure_find_segment(figure, "right_eyeball"),
                         lb_figure_find_segment(figure, "left_eyeball")};
    lb_body_defaults(&body);
    for (size_t k = 0; k < sizeof solids / sizeof *solids; k++) {
        for (int side = solids[k].has_sides ? 0 : 2; side < (solids[k].has_sides ? 2 : 3); side++) {
            lb_body_solid *s = &made[body.solid_count++];
            s->name = named(&solids[k], figure, side, &s->segment);
            place(solids[k].from, side == 0, s->from);
            place(solids[k].to, side == 0, s->to);
            s->radius = solids[k].radius + (strcmp(solids[k].name, "upper_arm") == 0 ? thicker_arms : 0);
        }
    }
    for (size_t k = 0; k < sizeof contacts / sizeof *contacts; k++) {
        for (int side = 0; side < 2; side++) {
            lb_body_contact *c = &touching[body.contact_count++];
            c->name = named(&contacts[k].at, figure, side, &c->segment);
            c->kind = contacts[k].kind;
            c->radius = 0;
            c->limb = contacts[k].limb + side;
            place(contacts[k].at.from, side == 0, c->point);
        }
    }
    body.solids = made;
    body.contacts = touching;
    body.head = lb_figure_find_segment(figure, "head");
    body.gaze = lb_figure_find_site(figure, "gaze");
    body.eye_count = 2;
    body.eyes = eyes;
    if (!CHECK_INT(lb_figure_set_body(figure, &body, &error), LB_OK)) {
        printf("  %s\n", error.message);
        exit(check_done());
    }
}
