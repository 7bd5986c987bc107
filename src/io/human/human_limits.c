/* What joints of a human body can do, for skeletons whose joints all turn about three axes: the ranges of
 * models/human.fig, as swing and twist. Ranges there that are shared by several joints (spine, neck, forearm) are given
 * to those that a skeleton has. */
#include "io/human/human.h"

#include <math.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)

/* Ranges on the right side, degrees: swing about x and about y, twist about z. */
typedef struct range {
    int part; /* the left one's number, of those with two sides */
    double x[2], y[2], twist[2];
} range;

static const range ranges[] = {
    {LBIO_NECK, {-45, 45}, {-50, 40}, {-45, 45}},
    {LBIO_HEAD, {-10, 10}, {-20, 12}, {-40, 40}},
    {LBIO_JAW, {-5, 5}, {-5, 30}, {-5, 5}},
    {LBIO_EYE, {-5, 5}, {-25, 35}, {-35, 35}},
    {LBIO_CLAVICLE, {-32, 10}, {-15, 15}, {-20, 20}},
    {LBIO_FOREARM, {-5, 5}, {-142, 0}, {-80, 80}},
    {LBIO_LOWER_FOREARM, {-5, 5}, {-5, 5}, {-80, 80}},
    {LBIO_HAND, {-85, 80}, {-29, 49}, {-32, 30}},
    {LBIO_THUMB, {-20, 60}, {-40, 40}, {-30, 30}},
    {LBIO_THUMB + 2, {-20, 60}, {-40, 60}, {-20, 20}},
    {LBIO_THUMB + 4, {-20, 60}, {-20, 80}, {-20, 20}},
    {LBIO_SHANK, {-5, 5}, {0, 150}, {-10, 10}},
    {LBIO_FOOT, {-24, 39}, {-39, 50}, {-17, 13}},
    {LBIO_TOES, {-5, 5}, {-70, 45}, {-5, 5}},
};

/* The whole trunk, right to left symmetric: flexion about y, lateral about x, axial about z. */
static const range trunk = {LBIO_SPINE_1, {-35, 35}, {-25, 75}, {-42, 42}};

/* Shoulder and hip: hulls of the swings of 200,000 poses of models/human.fig, where several of its dofs make one swing;
 * twists of all but one in a hundred. The arm's is from where it points ahead, outward and a little down, half-way
 * through what it can do, and relative to the chest: so it holds whether there is a clavicle or not. */
typedef struct polygon {
    int count;
    double swing[12][2], twist[2];
} polygon;

static const polygon arm = {12,
                            {{76, 69},
                             {58, 99},
                             {25, 119},
                             {-21, 119},
                             {-53, 100},
                             {-97, 23},
                             {-97, -52},
                             {-83, -77},
                             {-32, -106},
                             {5, -106},
                             {47, -82},
                             {76, -31}},
                            {-100, 105}};
static const double arm_zero_angle = 70 * DEGREE;
static const polygon thigh = {
    8, {{64, -96}, {64, -40}, {27, 20}, {-38, 20}, {-84, -50}, {-84, -73}, {-26, -120}, {26, -120}}, {-79, 55}};

static void set_box(lbio_part_limits *limits, const range *r, double share) {
    limits->swing_count = 4;
    for (int i = 0; i < 4; i++) {
        limits->swing[i][0] = r->x[i == 1 || i == 2] * share * DEGREE;
        limits->swing[i][1] = r->y[i >= 2] * share * DEGREE;
    }
    limits->twist[0] = r->twist[0] * share * DEGREE;
    limits->twist[1] = r->twist[1] * share * DEGREE;
}

/* From the right side to the left: a mirror at the xz plane turns turns about x and z round. */
static void mirror(lbio_part_limits *limits) {
    double low = limits->twist[0];
    for (int i = 0; i < limits->swing_count; i++) {
        limits->swing[i][0] = -limits->swing[i][0];
    }
    limits->twist[0] = -limits->twist[1];
    limits->twist[1] = -low;
    limits->zero[0] = -limits->zero[0];
    limits->zero[2] = -limits->zero[2];
}

static void set_polygon(lbio_part_limits *limits, const polygon *p) {
    limits->swing_count = p->count;
    for (int i = 0; i < p->count; i++) {
        limits->swing[i][0] = p->swing[i][0] * DEGREE;
        limits->swing[i][1] = p->swing[i][1] * DEGREE;
    }
    limits->twist[0] = p->twist[0] * DEGREE;
    limits->twist[1] = p->twist[1] * DEGREE;
}

static void set_arm(lbio_part_limits *limits) {
    const double axis[3] = {-0.5, -0.86602540378443865, 0}; /* raises the arm ahead and 30 degrees outward */
    set_polygon(limits, &arm);
    lb_rotation_about(axis, arm_zero_angle, limits->zero);
}

/* Fingers other than the thumb. */
static void set_finger(lbio_part_limits *limits, int level) {
    static const range base = {0, {-25, 95}, {-20, 20}, {-10, 10}}, other = {0, {-10, 110}, {-8, 8}, {-8, 8}};
    set_box(limits, level == 0 ? &base : &other, 1);
}

/* Half as much again as an even share: no two skeletons share it out alike. */
static void set_trunk(lbio_part_limits *limits, int bones) { set_box(limits, &trunk, bones > 1 ? 1.5 / bones : 1); }

void lbio_between_limits(int trunk_bones, lbio_part_limits *limits) {
    static const range twist = {0, {-3, 3}, {-3, 3}, {-45, 45}};
    memset(limits, 0, sizeof *limits);
    limits->zero[3] = 1;
    if (trunk_bones > 0) {
        set_trunk(limits, trunk_bones);
    } else {
        set_box(limits, &twist, 1);
    }
}

int lbio_part_limits_of(int part, const unsigned char *has, int trunk_bones, lbio_part_limits *limits) {
    int is_paired = part >= LBIO_EYE, left = is_paired ? part - (part - LBIO_EYE) % 2 : part, found = 0;
    memset(limits, 0, sizeof *limits);
    limits->zero[3] = 1;
    if (part >= LBIO_SPINE_1 && part <= LBIO_SPINE_5) {
        set_trunk(limits, trunk_bones);
        found = 1;
    } else if (left == LBIO_UPPER_ARM) {
        set_arm(limits);
        found = 1;
    } else if (left == LBIO_THIGH) {
        set_polygon(limits, &thigh);
        found = 1;
    } else if (left >= LBIO_INDEX && left < LBIO_THIGH) {
        set_finger(limits, (left - LBIO_INDEX) % 6 / 2);
        found = 1;
    }
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0] && !found; i++) {
        if (ranges[i].part == left || (part == LBIO_NECK_2 && ranges[i].part == LBIO_NECK)) {
            int is_shared = (part == LBIO_NECK || part == LBIO_NECK_2) && has[LBIO_NECK] && has[LBIO_NECK_2];
            set_box(limits, &ranges[i], is_shared ? 0.75 : 1);
            found = 1;
        }
    }
    if (found && is_paired && part == left) {
        mirror(limits);
    }
    return found;
}

int lbio_part_direction(int part, double direction[3]) {
    int hangs = part >= LBIO_UPPER_ARM && part < LBIO_FOOT && !(part >= LBIO_THUMB && part < LBIO_INDEX);
    direction[0] = direction[1] = 0;
    direction[2] = -1;
    return hangs;
}

int lbio_part_next(int part, const unsigned char *has) {
    int is_right = (part - LBIO_EYE) % 2, left = part - is_right, next = -1;
    if (left == LBIO_UPPER_ARM) {
        next = LBIO_FOREARM;
    } else if (left == LBIO_FOREARM || left == LBIO_LOWER_FOREARM) {
        next = LBIO_HAND;
    } else if (left == LBIO_HAND) {
        next = LBIO_MIDDLE;
    } else if (left >= LBIO_INDEX && left < LBIO_THIGH && (left - LBIO_INDEX) % 6 < 4) {
        next = left + 2;
    } else if (left == LBIO_THIGH) {
        next = LBIO_SHANK;
    } else if (left == LBIO_SHANK) {
        next = LBIO_FOOT;
    }
    return next >= 0 && has[next + is_right] ? next + is_right : -1;
}

static double turn_of(const double a[2], const double b[2], const double c[2]) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double squared_distance(const double a[2], const double b[2]) {
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

/* Gift wrapping: the hull of a handful of points. */
void lbio_swing_include(lbio_part_limits *limits, double a, double b) {
    double points[25][2], hull[25][2];
    int count = limits->swing_count, first = 0, used = 0;
    memcpy(points, limits->swing, (size_t)count * sizeof points[0]);
    points[count][0] = a;
    points[count++][1] = b;
    for (int i = 1; i < count; i++) {
        first = points[i][0] < points[first][0] || (points[i][0] == points[first][0] && points[i][1] < points[first][1])
                    ? i
                    : first;
    }
    int at = first;
    do {
        int next = at == 0 ? 1 : 0;
        memcpy(hull[used++], points[at], sizeof hull[0]);
        for (int i = 0; i < count; i++) {
            double side = turn_of(points[at], points[next], points[i]);
            double reach = squared_distance(points[i], points[at]), had = squared_distance(points[next], points[at]);
            if (i != at && (side < 0 || (side == 0 && reach > had))) {
                next = i;
            }
        }
        at = next;
    } while (at != first && used < 24);
    limits->swing_count = used;
    memcpy(limits->swing, hull, (size_t)used * sizeof hull[0]);
}
