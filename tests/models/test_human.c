/* models/human.fig stands like a person of its size, is symmetric, and its groups mean what they say. */
#include "check.h"
#include "model.h"

#include <math.h>
#include <string.h>

static void test_standing(double stature, double mass) {
    static const char *const soles[] = {"right_heel", "right_ball", "right_toe", "left_heel", "left_ball", "left_toe"};
    lb_load_options options;
    double com[3];
    lb_load_options_defaults(&options);
    options.stature = stature;
    model m = open_model("human", &options);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(site_height(&m, soles[i]), 0, 1e-5);
    }
    CHECK_NEAR(site_height(&m, "vertex"), stature, 1e-3);
    CHECK_NEAR(lb_figure_stature(m.figure), stature, 1e-12);
    CHECK_NEAR(lb_figure_mass(m.figure), mass, 1e-9);
    CHECK_NEAR(site_height(&m, "viewpoint"), 0.936 * stature, 1e-3); /* Drillis and Contini */
    CHECK_NEAR(site_height(&m, "right_hip"), 0.530 * stature, 3e-3);
    CHECK_NEAR(site_height(&m, "right_fingertip"), 0.377 * stature, 0.02 * stature);
    lb_kinematics_com(m.kinematics, com); /* above the feet, a little ahead of the ankles, at 55-58% of the stature */
    CHECK_NEAR(com[1], 0, 1e-9);
    CHECK(com[0] > site_frame(&m, "right_heel").position[0] + 0.04 &&
          com[0] < site_frame(&m, "right_ball").position[0]);
    CHECK(com[2] > 0.54 * stature && com[2] < 0.58 * stature);
    close_model(&m);
}

/* The gaze looks ahead, the palms at the thighs. */
static void test_directions(void) {
    model m = open_model("human", NULL);
    double matrix[9];
    lb_frame gaze = site_frame(&m, "gaze"), palm = site_frame(&m, "right_palm");
    lb_rotation_to_matrix(gaze.rotation, matrix);
    CHECK_NEAR(matrix[0], 1, 1e-9);
    lb_rotation_to_matrix(palm.rotation, matrix); /* x out of the palm, towards +y on the right */
    CHECK(matrix[3] > 0.9);
    CHECK(site_frame(&m, "right_palm").position[1] < -0.15 && site_frame(&m, "left_palm").position[1] > 0.15);
    close_model(&m);
}

/* "right_x" <-> "left_x"; anything else is its own partner. */
static void partner_name(const char *name, char *partner, size_t size) {
    const char *dot = strrchr(name, '.'); /* a site has its segment before the point */
    char head[128] = "";
    if (dot) {
        char first[128];
        snprintf(first, sizeof first, "%.*s", (int)(dot - name), name);
        partner_name(first, head, sizeof head);
        name = dot + 1;
    }
    int right = strncmp(name, "right_", 6) == 0, left = strncmp(name, "left_", 5) == 0;
    snprintf(partner, size, "%s%s%s%s", head, dot ? "." : "",
             right  ? "left_"
             : left ? "right_"
                    : "",
             name + (right  ? 6
                     : left ? 5
                            : 0));
}

/* Which variables change sign in the mirror: what leans or turns to a side. */
static int changes_sign(const char *name) {
    static const char *const names[] = {"root.y",       "root.rx",    "root.rz",    "spine.lateral",  "spine.axial",
                                        "neck.lateral", "neck.twist", "head.twist", "right_eye.turn", "left_eye.turn"};
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++) {
        if (strcmp(name, names[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

static void mirror_pose(const lb_figure *figure, const double *pose, double *mirrored) {
    for (int i = 0; i < lb_figure_variable_count(figure); i++) {
        char partner[160];
        const char *name = lb_figure_variable(figure, i)->name;
        partner_name(name, partner, sizeof partner); /* joint.dof: the dof has no side */
        int other = lb_figure_find_variable(figure, partner);
        check_note("%s has no partner %s", name, partner);
        REQUIRE(other >= 0);
        mirrored[other] = changes_sign(name) ? -pose[i] : pose[i];
    }
    check_note("%s", "");
}

/* In a random pose and its mirror image all sites mirror each other, and so do the limits. */
static void test_mirror(void) {
    model m = open_model("human", NULL);
    lb_kinematics *other = lb_kinematics_create(m.figure, NULL);
    double mirrored[MAX_VARIABLES];
    uint64_t seed = 3;
    REQUIRE(other);
    for (int round = 0; round < 20; round++) {
        lb_figure_random_pose(m.figure, &seed, m.pose);
        mirror_pose(m.figure, m.pose, mirrored);
        CHECK(lb_figure_violation(m.figure, mirrored) <= 1e-9);
        lb_kinematics_update(m.kinematics, m.pose);
        lb_kinematics_update(other, mirrored);
        for (int i = 0; i < lb_figure_site_count(m.figure); i++) {
            char name[160], partner[160];
            lb_frame here, there;
            const lb_site *site = lb_figure_site(m.figure, i);
            snprintf(name, sizeof name, "%s.%s", lb_figure_segment(m.figure, site->segment)->name, site->name);
            partner_name(name, partner, sizeof partner);
            check_note("site %s", name);
            REQUIRE(lb_figure_find_site(m.figure, partner) >= 0);
            lb_kinematics_site(m.kinematics, i, &here);
            lb_kinematics_site(other, lb_figure_find_site(m.figure, partner), &there);
            there.position[1] = -there.position[1];
            CHECK(distance(here.position, there.position) < 1e-9);
        }
    }
    check_note("%s", "");
    lb_kinematics_destroy(other);
    close_model(&m);
}

/* Each parameter of the spine is the angle of the whole trunk: the shares of its 17 levels add up to one. */
static void test_spine(void) {
    static const char *const names[3] = {"flexion", "lateral", "axial"};
    static const double axes[3][3] = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
    model m = open_model("human", NULL);
    int group = lb_figure_find_group(m.figure, "spine");
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < lb_figure_drive_count(m.figure); i++) {
            const lb_drive *drive = lb_figure_drive(m.figure, i);
            const lb_parameter *source = lb_figure_parameter(m.figure, drive->source.parameter);
            if (drive->source.joint < 0 && source->group == group && strcmp(source->name, names[k]) == 0) {
                CHECK_INT(drive->curve.kind, LB_CURVE_LINEAR);
                CHECK(drive->curve.slope > 0);
                sum += drive->curve.slope;
                count++;
            }
        }
        CHECK_INT(count, 17);
        CHECK_NEAR(sum, 1, 1e-12);
    }
    lb_frame rest = site_frame(&m, "vertebra_T1.top"), bent, turn;
    set(&m, "spine.flexion", 40 * DEG);
    lb_kinematics_update(m.kinematics, m.pose);
    bent = site_frame(&m, "vertebra_T1.top");
    lb_frame_identity(&turn);
    lb_rotation_about(axes[0], 40 * DEG, turn.rotation);
    lb_frame_multiply(&turn, &rest, &turn);
    CHECK(turn_between(turn.rotation, bent.rotation) < 1e-9);
    CHECK(bent.position[0] > rest.position[0] + 0.1); /* forward */
    close_model(&m);
}

/* Where the upper arm points, in the world. */
static void arm_direction(model *m, double elevation_deg, double abduction_deg, double direction[3]) {
    set(m, "right_shoulder.elevation", elevation_deg * DEG);
    set(m, "right_shoulder.abduction", abduction_deg * DEG);
    lb_kinematics_update(m->kinematics, m->pose);
    lb_frame from = site_frame(m, "right_upper_arm.base"), to = site_frame(m, "right_upper_arm.end");
    double length = distance(from.position, to.position);
    for (int i = 0; i < 3; i++) {
        direction[i] = (to.position[i] - from.position[i]) / length;
    }
}

/* The shoulder's parameters mean what the file says, and its corners are cut off. */
static void test_shoulder(void) {
    static const double cases[][5] = {/* elevation, abduction, where the arm points */
                                      {0, 0, 0, 0, -1},
                                      {90, -30, 1, 0, 0},
                                      {90, 60, 0, -1, 0},
                                      {180, 0, 0, 0, 1}};
    static const double outside[][2] = {{-50, 80}, {180, 80}, {180, -75}, {-50, -75}};
    model m = open_model("human", NULL);
    for (int i = 0; i < 4; i++) {
        double direction[3];
        arm_direction(&m, cases[i][0], cases[i][1], direction);
        check_note("elevation %g, abduction %g", cases[i][0], cases[i][1]);
        CHECK(distance(direction, &cases[i][2]) < 2 * sin(4 * DEG)); /* within 8 degrees */
        CHECK_NEAR(lb_figure_violation(m.figure, m.pose), 0, 1e-9);
        arm_direction(&m, outside[i][0], outside[i][1], direction);
        CHECK(lb_figure_violation(m.figure, m.pose) > 0.1);
        lb_kinematics_project(m.kinematics, m.pose);
        CHECK(lb_figure_violation(m.figure, m.pose) < 1e-9);
    }
    check_note("%s", "");
    close_model(&m);
}

/* The next line that is not blank, from *at on; NULL at the end. Skips the title of the body, and the blocks
 * `group spine { ... }` and `body { ... }` (their `}` have four blanks). */
static const char *next_line(const char **at, int *length) {
    int skipping = 0;
    while (**at) {
        const char *line = *at, *end = strchr(line, '\n');
        *length = (int)(end ? end - line : (long)strlen(line));
        *at = end ? end + 1 : line + *length;
        if (strncmp(line, "    // ---- the body", 20) == 0) {
            continue;
        }
        if (strncmp(line, "    group spine {", 17) == 0 || strncmp(line, "    body {", 10) == 0) {
            skipping = 1;
        } else if (skipping) {
            skipping = strncmp(line, "    }", 5) != 0;
        } else if (*length > 0) {
            return line;
        }
    }
    return NULL;
}

/* human-spine-free.fig is human.fig, line for line, without the spine's group and the body. */
static void test_spine_free(void) {
    char path[1024];
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    char *grouped = check_read_file(path, NULL);
    REQUIRE(check_source("models/human-spine-free.fig", path, sizeof path));
    char *loose = check_read_file(path, NULL);
    REQUIRE(grouped && loose);
    const char *a = strstr(grouped, "figure human {"), *b = strstr(loose, "figure human {");
    REQUIRE(a && b);
    CHECK(strstr(loose, "group spine") == NULL || strstr(loose, "group spine") < b);
    CHECK(strstr(b, "body {") == NULL && strstr(a, "\n    body {") != NULL);
    const char *line_a, *line_b;
    int length_a = 0, length_b = 0, same = 1;
    do {
        line_a = next_line(&a, &length_a);
        line_b = next_line(&b, &length_b);
        same = !line_a == !line_b && (!line_a || (length_a == length_b && !memcmp(line_a, line_b, (size_t)length_a)));
        check_note("human.fig has `%.*s`", line_a ? length_a : 0, line_a ? line_a : "");
        CHECK(same);
    } while (line_a && line_b && same);
    check_note("%s", "");
    free(grouped);
    free(loose);
}

/* human-torso5.fig: five joints of the torso have three dofs, with the summed ranges of the levels from there to the
 * next; the others have none. All else is human-spine-free.fig's. */
static void test_torso_of_five(void) {
    static const char *const levels[17] = {"L5", "L4", "L3", "L2", "L1", "T12", "T11", "T10", "T9",
                                           "T8", "T7", "T6", "T5", "T4", "T3",  "T2",  "T1"};
    model loose = open_model("human-spine-free", NULL), five = open_model("human-torso5", NULL);
    double lower[3] = {0}, upper[3] = {0};
    int with_dofs = 0;
    for (int i = 16; i >= 0; i--) {
        check_note("%s", levels[i]);
        int a = lb_figure_find_joint(loose.figure, levels[i]), b = lb_figure_find_joint(five.figure, levels[i]);
        REQUIRE(a >= 0 && b >= 0);
        const lb_joint *level = lb_figure_joint(loose.figure, a), *joint = lb_figure_joint(five.figure, b);
        for (int d = 0; d < 3; d++) {
            lower[d] += level->lower[d];
            upper[d] += level->upper[d];
        }
        int dofs = lb_joint_type_dof_count(&joint->type);
        CHECK(dofs == 0 || dofs == 3);
        with_dofs += dofs == 3;
        for (int d = 0; d < dofs; d++) {
            CHECK_NEAR(joint->lower[d], lower[d], 1e-12);
            CHECK_NEAR(joint->upper[d], upper[d], 1e-12);
            lower[d] = upper[d] = 0;
        }
    }
    CHECK_INT(with_dofs, 5);
    CHECK(lower[0] == 0); /* the lowest level is one of the five */
    for (int i = 0; i < lb_figure_site_count(loose.figure); i++) {
        const lb_site *a = lb_figure_site(loose.figure, i), *b = lb_figure_site(five.figure, i);
        check_note("site %s", a->name);
        CHECK_TEXT(b->name, a->name);
        CHECK(memcmp(&a->frame, &b->frame, sizeof a->frame) == 0);
    }
    check_note("%s", "");
    close_model(&loose);
    close_model(&five);
}

int main(void) {
    test_standing(1.75, 75);
    test_standing(1.55, 75 * (1.55 / 1.75) * (1.55 / 1.75));
    test_directions();
    test_mirror();
    test_spine();
    test_shoulder();
    test_spine_free();
    test_torso_of_five();
    return check_done();
}
