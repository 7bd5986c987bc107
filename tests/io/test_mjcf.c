/* MJCF in: frames as MuJoCo has them, couplings, closures, masses, includes, and what is said of broken files. */
#include "check.h"

#include <limber/io.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PI 3.14159265358979323846

static int warnings;
static char last_warning[LB_ERROR_MESSAGE_SIZE];
static int last_line;

static void hear(void *context, const lb_error *warning) {
    (void)context;
    warnings++;
    strcpy(last_warning, warning->message);
    last_line = warning->line;
}

static lb_load_options listening(void) {
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.warn = hear;
    warnings = 0;
    last_warning[0] = 0;
    return options;
}

static lb_figure *load_file(const char *path) {
    lb_load_options options = listening();
    lb_figure *figure = NULL;
    lb_error error;
    if (!CHECK_INT(lb_figure_load(path, &options, &figure, &error), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
    }
    return figure;
}

static lb_figure *load_sample(const char *name) {
    char relative[128], path[1024];
    snprintf(relative, sizeof relative, "fuzz/corpus/mjcf/%s", name);
    REQUIRE(check_source(relative, path, sizeof path));
    lb_figure *figure = load_file(path);
    REQUIRE(figure);
    return figure;
}

static lb_status load_text(const char *text, lb_figure **figure, lb_error *error) {
    lb_load_options options = listening();
    options.format = LB_FORMAT_MJCF;
    return lb_figure_load_memory(text, strlen(text), "model.xml", &options, figure, error);
}

static lb_figure *made_of(const char *text) {
    lb_figure *figure = NULL;
    lb_error error;
    if (!CHECK_INT(load_text(text, &figure, &error), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
        exit(check_done());
    }
    return figure;
}

/* ---------------------------------------------------------------------------------------------------
 * Against MuJoCo
 *
 * World frames of all bodies of our own samples as MuJoCo 3.3.7 has them (by its Python package):
 * MjModel.from_xml_path, qpos set to the values below (a ball's quaternion to exp(swx, swy, 0) * exp(0, 0, twz), a
 * free joint's to exp(vx, vy, vz); in coupled.xml the other joints by the polynomials), mj_kinematics, then xpos and
 * xquat printed with repr().
 * ------------------------------------------------------------------------------------------------- */

typedef struct expected_frame {
    const char *segment;
    double position[3], rotation[4];
} expected_frame;

typedef struct expected_pose {
    const char *file;
    struct {
        const char *variable;
        double value;
    } values[16];
    expected_frame frames[8];
} expected_pose;

static const expected_pose poses[] = {
    {"arm.xml",
     {{"yaw", 0.7},
      {"lift", -0.03},
      {"pitch", 0.4},
      {"wrist.swx", 0.2},
      {"wrist.swy", -0.3},
      {"wrist.twz", 0.5},
      {"body4_joint", 1.1},
      {"box.tx", 0.4},
      {"box.ty", -0.5},
      {"box.tz", 0.6},
      {"box.vx", 0.3},
      {"box.vy", 0.9},
      {"box.vz", -0.8}},
     {
         {"base", {0.1, 0.2, 0.3}, {0.12767944069578063, 0.14487812541736914, 0.2685358227515692, 0.943714364147489}},
         {"upper",
          {0.14565203126792658, 0.18090025709736163, 0.40730762219155026},
          {0.35176777111528534, 0.31265560995394737, 0.7938402987443934, 0.38512788117496954}},
         {"lower",
          {0.3832617993487795, 0.24164704834342418, 0.5813560400640979},
          {0.5278102026360614, 0.17624231436625992, 0.6088131816054304, -0.5654215653152761}},
         {"body4",
          {0.47193644074354346, 0.4039406143860971, 0.6574980547121395},
          {-0.5055281565199565, -0.011187779587310931, 0.8521320524920227, -0.1348594886137874}},
         {"box",
          {0.4, -0.5, 0.6},
          {0.14055859188861725, 0.42167577566585174, -0.37482291170297927, 0.8135973250480806}},
     }},
    {"euler.xml",
     {{"a", -0.6}, {"b", 0.8}},
     {
         {"a", {0.0, 0.0, 0.0}, {-0.2265663068902134, 0.21098382685636613, -0.09330659377290049, 0.9462808319656861}},
         {"b",
          {0.4415801631371557, 0.38941834230865036, 0.8083070667743448},
          {0.20380882681253715, -0.04977002832192601, -0.9415527219140984, 0.2635590602697702}},
     }},
    {"classes.xml",
     {{"one", 0.04}, {"two", 1.3}, {"body3_joint", -0.9}},
     {
         {"one", {0.0, 0.0, 1.04}, {0.0, 0.0, 0.0, 1.0}},
         {"two",
          {0.10000000000000006, 0.2366250585687706, 1.0881779092708597},
          {-0.42793141137786683, 0.4279314113778669, 0.5629162523467828, 0.5629162523467829}},
         {"body3",
          {0.10000000000000012, 0.5256925141939285, 1.168427557858236},
          {-0.14048043101898108, 0.14048043101898108, 0.6930117232058353, 0.6930117232058354}},
     }},
    {"including.xml",
     {{"included", 0.35}},
     {
         {"first", {0.0, 0.0, 1.0}, {0.0, 0.17410813759359595, 0.0, 0.9847265389049334}},
     }},
    {"coupled.xml",
     {{"a", 0.45}},
     {
         {"a", {0.0, 0.0, 0.1}, {0.0, 0.17410813759359595, 0.0, 0.9847265389049334}},
         {"b", {0.46968635642368944, 0.0, -0.07144890372772567}, {0.0, 0.11226284543662858, 0.0, 0.9936785463792964}},
         {"c", {0.9570834099581611, 0.0, -0.1830020847935984}, {0.0, 0.17843308532342836, 0.0, 0.9839520486598735}},
         {"d", {1.4252450440201232, 0.0, -0.35857168464628775}, {0.0, 0.29971485034495576, 0.0, 0.9540288300060438}},
         {"e", {1.0, 0.0, 0.9325}, {0.0, 0.0, 0.0, 1.0}},
     }},
};

static void check_frame(const lb_kinematics *kinematics, const expected_frame *expected, double tolerance) {
    const lb_figure *figure = lb_kinematics_figure(kinematics);
    lb_frame frame;
    int segment = lb_figure_find_segment(figure, expected->segment);
    check_note("segment %s", expected->segment);
    if (!CHECK(segment >= 0)) {
        return;
    }
    lb_kinematics_segment(kinematics, segment, &frame);
    double sign = 0; /* a quaternion and its negative are the same rotation */
    for (int i = 0; i < 4; i++) {
        sign += frame.rotation[i] * expected->rotation[i];
    }
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(frame.position[i], expected->position[i], tolerance);
    }
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(sign < 0 ? -frame.rotation[i] : frame.rotation[i], expected->rotation[i], tolerance);
    }
    check_note("%s", "");
}

static void test_frames_of_mujoco(void) {
    for (size_t p = 0; p < sizeof poses / sizeof *poses; p++) {
        const expected_pose *expected = &poses[p];
        lb_figure *figure = load_sample(expected->file);
        double pose[64] = {0};
        REQUIRE(lb_figure_variable_count(figure) <= 64);
        lb_figure_rest_pose(figure, pose);
        for (int i = 0; i < 16 && expected->values[i].variable; i++) {
            int variable = lb_figure_find_variable(figure, expected->values[i].variable);
            if (CHECK(variable >= 0)) {
                pose[variable] = expected->values[i].value;
            }
        }
        lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
        REQUIRE(kinematics && lb_kinematics_update(kinematics, pose) == LB_OK);
        double tolerance = strcmp(expected->file, "coupled.xml") == 0 ? 1e-9 : 1e-14; /* a cubic by a spline */
        for (int i = 0; i < 8 && expected->frames[i].segment; i++) {
            check_frame(kinematics, &expected->frames[i], tolerance);
        }
        lb_kinematics_destroy(kinematics);
        lb_figure_destroy(figure);
    }
}

/* All 216 sequences of Euler angles: lower case about axes that move along, upper case about those that stay. */
static void test_euler_sequences(void) {
    static const double angles_deg[3] = {10, -20, 35};
    for (int n = 0; n < 216; n++) {
        const char *letters = "xyzXYZ";
        char sequence[4] = {letters[n % 6], letters[n / 6 % 6], letters[n / 36], 0}, text[256];
        double expected[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, got[12];
        for (int i = 0; i < 3; i++) {
            int moves = sequence[i] >= 'x', a = sequence[i] - (moves ? 'x' : 'X'), b = (a + 1) % 3, c = (a + 2) % 3;
            double turn[9] = {0}, product[9], s = sin(angles_deg[i] * PI / 180), k = cos(angles_deg[i] * PI / 180);
            turn[a * 4] = 1;
            turn[b * 4] = turn[c * 4] = k;
            turn[c * 3 + b] = s;
            turn[b * 3 + c] = -s;
            const double *left = moves ? expected : turn, *right = moves ? turn : expected;
            for (int e = 0; e < 9; e++) {
                int row = e / 3 * 3, column = e % 3;
                product[e] =
                    left[row] * right[column] + left[row + 1] * right[column + 3] + left[row + 2] * right[column + 6];
            }
            memcpy(expected, product, sizeof expected);
        }
        snprintf(text, sizeof text,
                 "<mujoco><compiler eulerseq='%s'/><worldbody><body name='b' euler='10 -20 35'/></worldbody></mujoco>",
                 sequence);
        lb_figure *figure = made_of(text);
        lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
        lb_kinematics_matrix(kinematics, lb_figure_find_segment(figure, "b"), got);
        check_note("%s", sequence);
        for (int e = 0; e < 9; e++) {
            CHECK_NEAR(got[e / 3 * 4 + e % 3], expected[e], 1e-15);
        }
        lb_kinematics_destroy(kinematics);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

/* ---------------------------------------------------------------------------------------------------
 * Ranges, rests, types
 * ------------------------------------------------------------------------------------------------- */

static const lb_variable *variable_of(const lb_figure *figure, const char *name) {
    int variable = lb_figure_find_variable(figure, name);
    check_note("variable %s", name);
    REQUIRE(variable >= 0);
    check_note("%s", "");
    return lb_figure_variable(figure, variable);
}

static void test_ranges(void) {
    lb_figure *figure = load_sample("arm.xml");
    const lb_variable *yaw = variable_of(figure, "yaw"), *lift = variable_of(figure, "lift");
    CHECK_NEAR(yaw->lower, -170 * PI / 180, 1e-15);
    CHECK_NEAR(yaw->upper, 170 * PI / 180, 1e-15);
    CHECK_NEAR(lift->lower, -0.1, 0);
    CHECK_NEAR(lift->rest, 0.05, 0);
    CHECK_NEAR(variable_of(figure, "pitch")->rest, -25 * PI / 180, 1e-15);
    CHECK_NEAR(variable_of(figure, "body4_joint")->upper, INFINITY, 0); /* limited="false" */
    CHECK_NEAR(variable_of(figure, "wrist.twz")->upper, PI / 3, 1e-15);
    CHECK_NEAR(variable_of(figure, "box.tz")->rest, 0.5, 0);
    CHECK_NEAR(variable_of(figure, "box.vy")->rest, 2 * PI / 3 / sqrt(3), 1e-15);
    CHECK_INT(lb_figure_joint(figure, lb_figure_find_joint(figure, "wrist"))->swing_count, 32);
    CHECK_INT(lb_figure_find_segment(figure, "upper/yaw") >= 0, 1);
    CHECK_INT(lb_figure_find_segment(figure, "upper/lift") >= 0, 1);
    CHECK_TEXT(lb_figure_segment(figure, 0)->name, "world");
    CHECK_INT(lb_figure_root(figure)->segment, 0);
    CHECK_TEXT(lb_figure_name(figure), "arm");
    lb_figure_destroy(figure);
}

static double upper_of(const char *compiler, const char *joint) {
    char text[512];
    snprintf(text, sizeof text,
             "<mujoco><compiler %s/><worldbody><body><joint name='j' %s/></body></worldbody></mujoco>", compiler,
             joint);
    lb_figure *figure = made_of(text);
    double upper = variable_of(figure, "j")->upper;
    lb_figure_destroy(figure);
    return upper;
}

static void test_autolimits(void) {
    CHECK_NEAR(upper_of("", "range='0 90'"), PI / 2, 1e-15);
    CHECK_NEAR(upper_of("angle='radian'", "range='0 90'"), 90, 0);
    CHECK_NEAR(upper_of("", "range='0 90' type='slide'"), 90, 0);
    CHECK_NEAR(upper_of("", "range='0 90' limited='auto'"), PI / 2, 1e-15);
    CHECK_NEAR(upper_of("", "range='0 90' limited='false'"), INFINITY, 0);
    CHECK_NEAR(upper_of("", ""), INFINITY, 0);
    CHECK_NEAR(upper_of("autolimits='false'", "range='0 90' limited='true'"), PI / 2, 1e-15);
    CHECK_INT(warnings, 0);
    CHECK_NEAR(upper_of("autolimits='false'", "range='0 90'"), INFINITY, 0);
    CHECK_INT(warnings, 1);
    CHECK_NEAR(upper_of("", "range='90 0'"), INFINITY, 0);
    CHECK_INT(warnings, 1);
}

static void test_names(void) {
    lb_figure *figure = made_of("<mujoco><worldbody><body><joint/><joint/><site/>"
                                "<body name='body1_joint'/><body name='base'><site name='base'/></body></body>"
                                "<body name='body4'/><body/></worldbody></mujoco>");
    CHECK(lb_figure_find_segment(figure, "body1") >= 0);
    CHECK(lb_figure_find_segment(figure, "body5") >= 0);
    CHECK(lb_figure_find_joint(figure, "body1_joint") >= 0);
    CHECK(lb_figure_find_joint(figure, "body1_joint_2") >= 0);
    CHECK(lb_figure_find_joint(figure, "body4_fixed") >= 0);
    CHECK(lb_figure_find_segment(figure, "body1/body1_joint") >= 0);
    CHECK(lb_figure_find_site(figure, "body1.site1") >= 0);
    CHECK(lb_figure_find_site(figure, "base.base") >= 0);
    CHECK(lb_figure_find_site(figure, "base.base_2") >= 0); /* the joint's own */
    lb_figure_destroy(figure);
}

/* ---------------------------------------------------------------------------------------------------
 * Equalities
 * ------------------------------------------------------------------------------------------------- */

static void test_couplings(void) {
    lb_figure *figure = load_sample("coupled.xml");
    double pose[16];
    lb_figure_rest_pose(figure, pose);
    int a = lb_figure_find_variable(figure, "a"), c = lb_figure_find_joint(figure, "c");
    REQUIRE(a >= 0 && c >= 0 && lb_figure_variable_count(figure) <= 16);
    CHECK_INT(warnings, 1); /* a and e are coupled through b already */
    CHECK_HAS(last_warning, "coupled already");
    CHECK_INT(lb_figure_drive_count(figure), 3);
    CHECK(lb_figure_joint(figure, lb_figure_find_joint(figure, "d"))->frozen);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    double worst = 0;
    for (int i = 0; i <= 100; i++) { /* the cubic all over a's range */
        double x = -1 + 0.02 * i - 0.1;
        pose[a] = x + 0.1;
        lb_kinematics_update(kinematics, pose);
        worst = fmax(worst, fabs(lb_kinematics_dof(kinematics, c, 0) - (0.3 * x + 0.2 * x * x + 0.1 * x * x * x)));
    }
    CHECK_NEAR(worst, 0, 1e-9);
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
}

/* Where a joint's sites are at rest: coordinates in their segments. */
static void check_site(const lb_figure *figure, int site, const char *segment, double x, double y, double z) {
    const lb_site *s = lb_figure_site(figure, site);
    CHECK_TEXT(lb_figure_segment(figure, s->segment)->name, segment);
    CHECK_NEAR(s->frame.position[0], x, 1e-15);
    CHECK_NEAR(s->frame.position[1], y, 1e-15);
    CHECK_NEAR(s->frame.position[2], z, 1e-15);
}

static void test_closures(void) {
    lb_figure *figure = load_sample("coupled.xml");
    CHECK_INT(lb_figure_loop_count(figure), 4);
    const lb_joint *pin = lb_figure_joint(figure, lb_figure_find_joint(figure, "pin"));
    const lb_joint *anchored = lb_figure_joint(figure, lb_figure_find_joint(figure, "d_connect"));
    const lb_joint *weld = lb_figure_joint(figure, lb_figure_find_joint(figure, "c_weld"));
    const lb_joint *to_world = lb_figure_joint(figure, lb_figure_find_joint(figure, "e_weld"));
    REQUIRE(pin && anchored && weld && to_world);
    check_site(figure, pin->site_a, "d", 0.2, 0, 0);
    check_site(figure, pin->site_b, "e", 0, 0, -0.1);
    CHECK_INT(lb_joint_type_dof_count(&pin->type), 3);
    check_site(figure, anchored->site_a, "d", 0.1, 0, 0);
    check_site(figure, anchored->site_b, "e", 0.6, 0, -0.9); /* MuJoCo's eq_data[3:6] */
    check_site(figure, weld->site_a, "c", 0.1, 0.2, 0.3);
    check_site(figure, weld->site_b, "e", 0, 0, 0.1);
    CHECK_NEAR(lb_figure_site(figure, weld->site_a)->frame.rotation[3], 0.5, 1e-15);
    CHECK_INT(lb_joint_type_dof_count(&weld->type), 0);
    check_site(figure, to_world->site_a, "e", -1, 0, -1);
    check_site(figure, to_world->site_b, "world", 0, 0, 0);
    lb_figure_destroy(figure);
}

/* A closing ball is at 0, and the loop closed, where all joints are at their refs, however the bodies are turned
 * there. */
static void test_closed_at_ref(void) {
    lb_figure *figure = made_of(
        "<mujoco><worldbody><body name='a' euler='10 20 30'><joint name='a' ref='15'/><body name='b' pos='1 2 3' "
        "euler='40 50 60'><joint name='b' axis='1 1 0' ref='-70'/></body></body><body name='c' pos='0 1 0' zaxis='1 2 "
        "3'><joint "
        "name='c' axis='0 1 0'/></body></worldbody><equality><connect body1='b' body2='c' anchor='.1 .2 .3'/><weld "
        "body1='b' "
        "body2='c' anchor='0 .1 .2'/></equality></mujoco>");
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    CHECK_INT(lb_figure_loop_count(figure), 2);
    for (int loop = 0; loop < 2; loop++) {
        lb_frame carried, tree;
        lb_kinematics_loop(kinematics, loop, &carried, &tree);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(carried.position[i], tree.position[i], 1e-14);
        }
        double same = 0;
        for (int i = 0; i < 4; i++) {
            same += carried.rotation[i] * tree.rotation[i];
        }
        CHECK_NEAR(fabs(same), 1, 1e-14);
    }
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
}

/* ---------------------------------------------------------------------------------------------------
 * Shapes and masses
 * ------------------------------------------------------------------------------------------------- */

static double mass_of(const char *compiler, const char *content) {
    char text[1024];
    snprintf(text, sizeof text, "<mujoco><compiler %s/><worldbody><body name='b'>%s</body></worldbody></mujoco>",
             compiler, content);
    lb_figure *figure = made_of(text);
    double mass = lb_figure_mass(figure);
    lb_figure_destroy(figure);
    return mass;
}

/* Masses as MuJoCo 3.3.7 prints them for the same text. */
static void test_masses(void) {
    CHECK_NEAR(mass_of("", "<geom type='sphere' size='.1 .2 .3'/>"), 4.1887902, 1e-7);
    CHECK_NEAR(mass_of("", "<geom type='capsule' size='.1 .2 .3'/>"), 16.75516082, 1e-7);
    CHECK_NEAR(mass_of("", "<geom type='box' size='.1 .2 .3'/>"), 48, 1e-12);
    CHECK_NEAR(mass_of("", "<geom type='cylinder' size='.1 .2 .3'/>"), 12.56637061, 1e-7);
    CHECK_NEAR(mass_of("", "<geom type='ellipsoid' size='.1 .2 .3'/>"), 25.13274123, 1e-7);
    CHECK_NEAR(mass_of("", "<geom type='sphere' size='.1' shellinertia='true'/>"), 125.66370614, 1e-7);
    CHECK_NEAR(mass_of("", "<geom type='capsule' size='.1 .2' shellinertia='true'/>"), 376.99111843, 1e-7);
    CHECK_NEAR(mass_of("", "<geom type='box' size='.1 .2 .3' shellinertia='true'/>"), 880, 1e-11);
    CHECK_NEAR(mass_of("", "<geom type='cylinder' size='.1 .2' shellinertia='true'/>"), 314.15926536, 1e-7);
    CHECK_NEAR(mass_of("", "<geom type='ellipsoid' size='.1 .2 .3' shellinertia='true'/>"), 489.71933334, 1e-7);
    CHECK_NEAR(mass_of("", "<geom type='capsule' size='1 2 3' fromto='0 0 0 1 0 0'/>"), 7330.38285838, 1e-7);
    CHECK_NEAR(mass_of("", "<geom type='box' size='1 2 3' fromto='0 0 0 1 0 0'/>"), 4000, 1e-9);
    CHECK_NEAR(mass_of("", "<geom size='1' mass='2'/><geom size='1' mass='3' density='1e6'/>"), 5, 1e-15);
    CHECK_NEAR(mass_of("", "<inertial mass='7' pos='0 0 0'/><geom size='1'/>"), 7, 0);
    CHECK_NEAR(mass_of("inertiafromgeom='true'", "<inertial mass='7' pos='0 0 0'/><geom size='1' mass='2'/>"), 2, 0);
    CHECK_NEAR(mass_of("inertiafromgeom='false'", "<inertial mass='7' pos='0 0 0'/><geom size='1' mass='2'/>"), 7, 0);
    CHECK_NEAR(mass_of("inertiagrouprange='2 3'", "<geom size='1' mass='2'/><geom group='3' size='1' mass='4'/>"), 4,
               0);
    CHECK_NEAR(mass_of("settotalmass='10'", "<geom size='1' mass='2'/><body><geom size='1' mass='2'/></body>"), 10,
               1e-14);
    CHECK_NEAR(mass_of("boundmass='3'", "<geom size='1' mass='2'/>"), 3, 0);
    CHECK_INT(warnings, 0);
    CHECK_NEAR(mass_of("", "<geom type='mesh' mesh='m'/>"), 0, 0);
    CHECK_INT(warnings, 1);
    CHECK_HAS(last_warning, "mass from meshes");
}

static void test_shapes(void) {
    lb_figure *figure = load_sample("classes.xml");
    CHECK_INT(lb_figure_shape_count(figure), 4); /* the fourth is invisible, */
    CHECK_INT(lb_figure_shape(figure, 3)->use, LB_SHAPE_USE_SOLID);
    const lb_shape *green = lb_figure_shape(figure, 0), *blue = lb_figure_shape(figure, 1),
                   *red = lb_figure_shape(figure, 2);
    CHECK_INT(green->color, 0x00ff00);
    CHECK_INT(blue->color, 0x0000ff);
    CHECK_INT(red->color, 0xff0000);
    CHECK_INT(green->kind, LB_SHAPE_CAPSULE);
    CHECK_NEAR(green->size[0], 0.01, 0);
    CHECK_NEAR(green->size[2], 0.01, 0);
    CHECK_NEAR(red->size[1], 0.1, 0);
    CHECK_NEAR(blue->frame.position[0], 0.1, 1e-15);
    CHECK_NEAR(blue->frame.position[2], 0.1, 1e-15);
    lb_figure_destroy(figure);
    figure = made_of("<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom type='cylinder' size='.1' "
                     "fromto='1 0 0 1 0 4'/></worldbody></mujoco>");
    REQUIRE(lb_figure_shape_count(figure) == 1);
    CHECK_NEAR(lb_figure_shape(figure, 0)->size[1], 2, 1e-15);
    CHECK_NEAR(lb_figure_shape(figure, 0)->frame.position[2], 2, 1e-15);
    CHECK_NEAR(lb_figure_mass(figure), 0, 0); /* the world weighs nothing */
    lb_figure_destroy(figure);
}

/* ---------------------------------------------------------------------------------------------------
 * Includes
 * ------------------------------------------------------------------------------------------------- */

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    REQUIRE(file);
    fputs(text, file);
    fclose(file);
}

/* A joint that is driven past its range gives way, with its line and by how much. */
static void test_driven_past(void) {
    static const char *const model =
        "<mujoco><worldbody><body><joint name='x' type='slide' range='0 1'/><geom size='1'/>"
        "<body><joint name='y' type='slide' range='%s'/><geom size='1'/></body></body></worldbody>\n<equality>\n"
        "<joint joint1='y' joint2='x' polycoef='%s'/></equality></mujoco>";
    static const struct {
        const char *range, *polynomial, *says;
        double reaches; /* what x = 1 takes y to */
    } cases[] = {
        {"0 0.999", "0 0 1", "is taken to 1 m by \"x\", 1 mm past its range, which is widened", 1},
        {"0 1", "0 0 1", NULL, 1},
        {"2 3", "0 0.5", "past its range, which is not used", 0.5},
        {"0 0.5", "0 0.5", NULL, 0.5},
        {"0 0.5", "0.7 0", "is taken to 0.7 m by \"x\", 200 mm past", 0.7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        check_note("range %s, polycoef %s", cases[i].range, cases[i].polynomial);
        snprintf(text, sizeof text, model, cases[i].range, cases[i].polynomial);
        lb_figure *f = made_of(text);
        CHECK_INT(warnings, cases[i].says != NULL);
        if (cases[i].says) {
            CHECK_HAS(last_warning, cases[i].says);
            CHECK_INT(last_line, 3);
        }
        lb_kinematics *k = lb_kinematics_create(f, NULL);
        const double pose[1] = {1};
        lb_frame frame;
        REQUIRE(k && lb_figure_variable_count(f) == 1);
        CHECK_NEAR(lb_figure_violation(f, pose), 0, 1e-9);
        lb_kinematics_update(k, pose);
        lb_kinematics_segment(k, lb_figure_segment_count(f) - 1, &frame);
        CHECK_NEAR(frame.position[2], 1 + cases[i].reaches, 1e-6);
        lb_kinematics_destroy(k);
        lb_figure_destroy(f);
    }
}

/* Writes <mujoco>CONTENT</mujoco> into folder/name and says what loading folder/model.xml gives. */
static lb_status load_model_of(const char *folder, const char *content, const char *root, lb_error *error) {
    char path[2048], text[1024];
    lb_load_options options = listening();
    options.root = root;
    lb_figure *figure = NULL;
    snprintf(path, sizeof path, "%s/model.xml", folder);
    snprintf(text, sizeof text, "<mujoco>\n%s\n<worldbody/></mujoco>", content);
    write_text(path, text);
    lb_status status = lb_figure_load(path, &options, &figure, error);
    CHECK_INT(figure != NULL, status == LB_OK);
    lb_figure_destroy(figure);
    return status;
}

static lb_status load_model(const char *folder, const char *content, lb_error *error) {
    return load_model_of(folder, content, NULL, error);
}

/* Includes by "..", inside a folder that is stated. */
static void test_root(const char *folder, const char *inner) {
    char nowhere[1200];
    lb_error error;
    CHECK_INT(load_model_of(inner, "<include file='../outside.xml'/>", folder, &error), LB_OK);
    CHECK_INT(load_model_of(inner, "<include file='../outside.xml'/>", inner, &error), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, "lies outside");
    CHECK_INT(load_model_of(inner, "<include file='../../../../../../../../../../../../etc/passwd'/>", folder,
                            &error) != LB_OK,
              1);
    snprintf(nowhere, sizeof nowhere, "%s/nowhere", folder);
    CHECK_INT(load_model_of(inner, "<include file='../outside.xml'/>", nowhere, &error), LB_ERROR_FILE);
    CHECK_HAS(error.message, "is not there");
}

static void test_includes(void) {
    char folder[1024], inner[1100], path[1200], outside[1200];
    lb_error error;
    check_scratch("mjcf", folder, sizeof folder);
    snprintf(inner, sizeof inner, "%s/in", folder);
    mkdir(folder, 0777);
    mkdir(inner, 0777);
    snprintf(outside, sizeof outside, "%s/outside.xml", folder);
    write_text(outside, "<mujoco/>");
    snprintf(path, sizeof path, "%s/part.xml", inner);
    write_text(path, "<mujoco><include file='second.xml'/></mujoco>");
    snprintf(path, sizeof path, "%s/second.xml", inner);
    write_text(path, "<mujoco>\n<compiler\n angle='grad'/></mujoco>");
    /* An error in an included file is told with its name and line. */
    CHECK_INT(load_model(inner, "<include file='part.xml'/>", &error), LB_ERROR_SYNTAX);
    CHECK_HAS(error.file, "second.xml");
    CHECK_INT(error.line, 2);
    write_text(path, "<mujoco/>");
    CHECK_INT(load_model(inner, "<include file='part.xml'/>", &error), LB_OK);
    CHECK_INT(load_model(inner, "<include file='part.xml'/><include file='second.xml'/>", &error), LB_ERROR_SYNTAX);
    CHECK_HAS(error.message, "once");
    CHECK_INT(load_model(inner, "<include file='model.xml'/>", &error), LB_ERROR_SYNTAX); /* itself */
    write_text(path, "<mujoco><include file='part.xml'/></mujoco>");
    CHECK_INT(load_model(inner, "<include file='part.xml'/>", &error), LB_ERROR_SYNTAX); /* a circle */
    CHECK_INT(load_model(inner, "<include file='nowhere.xml'/>", &error), LB_ERROR_FILE);
    CHECK_INT(load_model(inner, "<include file='../outside.xml'/>", &error), LB_ERROR_UNSUPPORTED);
    CHECK_INT(load_model(inner, "<include file='x/../../outside.xml'/>", &error), LB_ERROR_UNSUPPORTED);
    CHECK_INT(load_model(inner, "<include file='/etc/hostname'/>", &error), LB_ERROR_UNSUPPORTED);
    CHECK_INT(error.line, 2);
    test_root(folder, inner);
    snprintf(path, sizeof path, "%s/link.xml", inner);
    unlink(path);
    if (symlink("../outside.xml", path) == 0) {
        CHECK_INT(load_model(inner, "<include file='link.xml'/>", &error), LB_ERROR_UNSUPPORTED);
        CHECK_HAS(error.message, "outside");
    }
    lb_figure *figure = NULL;
    CHECK_INT(load_text("<mujoco><include file='part.xml'/></mujoco>", &figure, &error), LB_ERROR_UNSUPPORTED);
    lb_load_options options = listening();
    options.follow_includes = 0;
    REQUIRE(check_source("fuzz/corpus/mjcf/including.xml", path, sizeof path));
    CHECK_INT(lb_figure_load(path, &options, &figure, &error), LB_ERROR_UNSUPPORTED);
}

/* ---------------------------------------------------------------------------------------------------
 * What is wrong with a file
 * ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    lb_status status;
    int line;
    const char *part; /* of the message */
} broken[] = {
    {"<robot/>", LB_ERROR_SYNTAX, 1, "<mujoco>"},
    {"<mujoco><compiler\ncoordinate='global'/></mujoco>", LB_ERROR_UNSUPPORTED, 1, "local"},
    {"<mujoco>\n<compiler eulerseq='xyw'/></mujoco>", LB_ERROR_SYNTAX, 2, "eulerseq"},
    {"<mujoco>\n<compiler angle='turns'/></mujoco>", LB_ERROR_SYNTAX, 2, "degree or radian"},
    {"<mujoco>\n<compiler autolimits='1'/></mujoco>", LB_ERROR_SYNTAX, 2, "true or false"},
    {"<!DOCTYPE mujoco><mujoco/>", LB_ERROR_UNSUPPORTED, 1, "DOCTYPE"},
    {"<mujoco><worldbody>\n<joint/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "world"},
    {"<mujoco><worldbody><body><body>\n<freejoint/></body></body></worldbody></mujoco>", LB_ERROR_SYNTAX, 2,
     "free joint"},
    {"<mujoco><worldbody><body><joint/>\n<freejoint/></body></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "another"},
    {"<mujoco><worldbody><body><freejoint/>\n<joint/></body></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "another"},
    {"<mujoco><worldbody><body>\n<joint axis='0 0 0'/></body></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "axis"},
    {"<mujoco><worldbody><body>\n<joint type='hook'/></body></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "hinge"},
    {"<mujoco><worldbody><body>\n<joint limited='true'/></body></worldbody></mujoco>", LB_ERROR_LIMIT, 2, "range"},
    {"<mujoco><worldbody><body>\n<joint axis='0 0 x'/></body></worldbody></mujoco>", LB_ERROR_SYNTAX, 2,
     "axis=\"0 0 x\""},
    {"<mujoco><worldbody><body>\n<joint axis='0 0 nan'/></body></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "3 numbers"},
    {"<mujoco><worldbody>\n<body pos='1 2'/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "3 numbers"},
    {"<mujoco><worldbody>\n<body pos='1 2 3 4'/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "3 numbers"},
    {"<mujoco><worldbody>\n<body quat='0 0 0 0'/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "orientation"},
    {"<mujoco><worldbody>\n<body xyaxes='1 0 0 2 0 0'/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "orientation"},
    {"<mujoco><worldbody>\n<body quat='1 0 0 0' euler='0 0 0'/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "several"},
    {"<mujoco><worldbody><body name='a'/>\n<body name='a'/></worldbody></mujoco>", LB_ERROR_NAME, 2, "\"a\""},
    {"<mujoco><worldbody>\n<body name='world'/></worldbody></mujoco>", LB_ERROR_NAME, 2, "world"},
    {"<mujoco><worldbody>\n<geom/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "size"},
    {"<mujoco><worldbody>\n<geom type='capsule' size='1'/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "2 numbers"},
    {"<mujoco><worldbody>\n<geom type='cone' size='1'/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "cone"},
    {"<mujoco><worldbody>\n<geom size='1' fromto='0 0 0 1 1 1'/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "sphere"},
    {"<mujoco><worldbody>\n<geom size='1' type='capsule' fromto='1 1 1 1 1 1'/></worldbody></mujoco>", LB_ERROR_SYNTAX,
     2, "apart"},
    {"<mujoco><worldbody>\n<geom size='1' mass='-1'/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "mass"},
    {"<mujoco><worldbody>\n<geom class='c' size='1'/></worldbody></mujoco>", LB_ERROR_NAME, 2, "class=\"c\""},
    {"<mujoco><default>\n<default/></default></mujoco>", LB_ERROR_SYNTAX, 2, "class"},
    {"<mujoco>\n<default class='mine'/></mujoco>", LB_ERROR_NAME, 2, "main"},
    {"<mujoco><default><default class='a'/>\n<default class='a'/></default></mujoco>", LB_ERROR_NAME, 2, "twice"},
    {"<mujoco><worldbody>\n<replicate count='0'/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "from 1 to"},
    {"<mujoco><worldbody>\n<replicate count='100000'><replicate count='100000'><site/></replicate></replicate>"
     "</worldbody></mujoco>",
     LB_ERROR_TOO_LARGE, 2, "copies"},
    {"<mujoco><worldbody>\n<attach model='m'/></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "prefix"},
    {"<mujoco><worldbody>\n<attach model='m' prefix='p'/></worldbody></mujoco>", LB_ERROR_NAME, 2, "no <model>"},
    {"<mujoco><asset>\n<model name='m' file='m.xml'/></asset></mujoco>", LB_ERROR_UNSUPPORTED, 2, "not followed"},
    {"<mujoco><worldbody><body>\n<inertial mass='1'/></body></worldbody></mujoco>", LB_ERROR_SYNTAX, 2, "inertial"},
    {"<mujoco><equality>\n<joint joint1='x'/></equality></mujoco>", LB_ERROR_NAME, 2, "joint1=\"x\""},
    {"<mujoco><equality>\n<connect body1='x' anchor='0 0 0'/></equality></mujoco>", LB_ERROR_NAME, 2, "body1=\"x\""},
    {"<mujoco><equality>\n<connect site1='x' site2='y'/></equality></mujoco>", LB_ERROR_NAME, 2, "site1=\"x\""},
    {"<mujoco><worldbody><body name='a'/></worldbody><equality>\n<connect body1='a'/></equality></mujoco>",
     LB_ERROR_SYNTAX, 2, "anchor"},
    {"<mujoco><worldbody><body><joint name='b' type='ball'/></body></worldbody><equality>\n<joint "
     "joint1='b'/></equality>"
     "</mujoco>",
     LB_ERROR_SYNTAX, 2, "hinge or a slide"},
};

static void test_broken(void) {
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        lb_figure *figure = NULL;
        lb_error error;
        memset(&error, 0, sizeof error);
        check_note("%s", broken[i].text);
        CHECK_INT(load_text(broken[i].text, &figure, &error), broken[i].status);
        CHECK(figure == NULL);
        CHECK_INT(error.line, broken[i].line);
        CHECK_HAS(error.message, broken[i].part);
        CHECK_TEXT(error.file, "model.xml");
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

/* ---------------------------------------------------------------------------------------------------
 * Published models
 * ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *path;
    int bodies, variables, loops;
    double mass; /* MuJoCo's, where it comes from no mesh */
} models[] = {
    {"gym_humanoid.xml", 14, 23, 0, 42.116030492097},      {"humanoid.xml", 17, 27, 0, 40.844021221562},
    {"dmc/humanoid_CMU.xml", 32, 62, 0, 51.845941401702},  {"dmc/quadruped.xml", 19, 28, 0, 121.255072780593},
    {"menagerie/unitree_h1.xml", 21, 25, 0, 51.437},       {"menagerie/cassie.xml", 26, 44, 4, 33.312},
    {"menagerie/panda.xml", 12, 8, 0, 17.451901},          {"menagerie/shadow_right_hand.xml", 26, 24, 0, 3.794},
    {"menagerie/robotiq_2f85.xml", 15, 13, 2, 0.89999986},
};

static int test_models(void) {
    int found = 0;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char relative[128], path[1024];
        snprintf(relative, sizeof relative, "data/mjcf/%s", models[i].path);
        if (!check_shared(relative, path, sizeof path)) {
            continue;
        }
        found++;
        check_note("%s", models[i].path);
        lb_figure *figure = load_file(path);
        REQUIRE(figure);
        int between = 0;
        for (int s = 0; s < lb_figure_segment_count(figure); s++) {
            between += strchr(lb_figure_segment(figure, s)->name, '/') != NULL;
        }
        CHECK_INT(lb_figure_segment_count(figure) - between, models[i].bodies);
        CHECK_INT(lb_figure_variable_count(figure), models[i].variables);
        CHECK_INT(lb_figure_loop_count(figure), models[i].loops);
        CHECK_NEAR(lb_figure_mass(figure), models[i].mass, 1e-9);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
    return found;
}

/* The same robot from its URDF: the links are where the bodies are, in random poses. */
static void test_panda_twice(void) {
    char mjcf_path[1024], urdf_path[1024];
    if (!check_shared("data/mjcf/menagerie/panda.xml", mjcf_path, sizeof mjcf_path) ||
        !check_shared("data/urdf/arms/panda.urdf", urdf_path, sizeof urdf_path)) {
        return;
    }
    lb_figure *mjcf = load_file(mjcf_path), *urdf = load_file(urdf_path);
    REQUIRE(mjcf && urdf);
    lb_kinematics *a = lb_kinematics_create(mjcf, NULL), *b = lb_kinematics_create(urdf, NULL);
    double pose_a[16] = {0}, pose_b[16] = {0};
    REQUIRE(lb_figure_variable_count(mjcf) <= 16 && lb_figure_variable_count(urdf) <= 16);
    check_random random;
    check_random_seed(&random, 5);
    for (int n = 0; n < 200; n++) {
        for (int j = 1; j <= 7; j++) {
            char name[32];
            snprintf(name, sizeof name, "joint%d", j);
            int in_mjcf = lb_figure_find_variable(mjcf, name);
            snprintf(name, sizeof name, "panda_joint%d", j);
            int in_urdf = lb_figure_find_variable(urdf, name);
            REQUIRE(in_mjcf >= 0 && in_urdf >= 0);
            pose_a[in_mjcf] = pose_b[in_urdf] = check_random_range(&random, -3, 3);
        }
        lb_kinematics_update(a, pose_a);
        lb_kinematics_update(b, pose_b);
        for (int j = 0; j <= 8; j++) {
            char name[32];
            double frame_a[12], frame_b[12];
            snprintf(name, sizeof name, j < 8 ? "panda_link%d" : "panda_hand", j);
            lb_kinematics_matrix(b, lb_figure_find_segment(urdf, name), frame_b);
            lb_kinematics_matrix(a, lb_figure_find_segment(mjcf, name + 6), frame_a);
            for (int i = 0; i < 12; i++) { /* the hand's quaternion has seven digits in the MJCF */
                CHECK_NEAR(frame_a[i], frame_b[i], j < 8 ? 1e-14 : 1e-7);
            }
        }
    }
    lb_kinematics_destroy(a);
    lb_kinematics_destroy(b);
    lb_figure_destroy(mjcf);
    lb_figure_destroy(urdf);
}

int main(void) {
    test_frames_of_mujoco();
    test_euler_sequences();
    test_ranges();
    test_autolimits();
    test_names();
    test_couplings();
    test_closures();
    test_closed_at_ref();
    test_masses();
    test_shapes();
    test_includes();
    test_driven_past();
    test_broken();
    test_panda_twice();
    if (!test_models()) {
        printf("the published models are not there; checked our own samples only\n");
    }
    return check_done();
}
