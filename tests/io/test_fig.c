/* The reader and writer of .fig files: every statement, every message; writing and reading back changes no bit. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "limber/io.h"
#include "same_figure.h"

/* ---------------------------------------------------------------------------------------------------
 * Help
 * ------------------------------------------------------------------------------------------------- */

static lb_figure *read_text(const char *text, lb_error *error) {
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_load_options_defaults(&options);
    options.format = LB_FORMAT_FIG;
    lb_figure_load_memory(text, strlen(text), "test.fig", &options, &figure, error);
    return figure;
}

static lb_figure *must_read(const char *text) {
    lb_error error;
    lb_figure *figure = read_text(text, &error);
    if (!figure) {
        check_note("%s:%d: %s", error.file, error.line, error.message);
    }
    REQUIRE(figure != NULL);
    return figure;
}

static char *must_write(const lb_figure *figure) {
    char *text = NULL;
    lb_error error;
    REQUIRE(lb_figure_save_memory(figure, NULL, &text, NULL, &error) == LB_OK);
    return text;
}

/* Writes, reads back, compares; writes again, compares the texts. Returns the text. */
static char *round_trip(const lb_figure *figure) {
    char *text = must_write(figure);
    lb_figure *again = must_read(text);
    CHECK(same_figure(figure, again));
    char *second = must_write(again);
    CHECK_TEXT(second, text);
    lb_text_free(second);
    lb_figure_destroy(again);
    return text;
}

static void check_round_trip(const lb_figure *figure) { lb_text_free(round_trip(figure)); }

/* A figure of two segments with something between, to which `more` is added. */
static char *arm_with(const char *more, char *text, size_t size) {
    snprintf(text, size,
             "figure arm {\n"
             "segment upper { site base; site tip->location = trans(0cm, 0cm, 30cm); }\n"
             "segment lower { site base; }\n"
             "joint elbow { connect upper.tip to lower.base; type = R(y); }\n"
             "%s\n"
             "}\n",
             more);
    return text;
}

/* ---------------------------------------------------------------------------------------------------
 * A figure with everything
 * ------------------------------------------------------------------------------------------------- */

static const char RICH[] =
    "\xEF\xBB\xBF# comments of every kind\n"
    "// like this\n"
    "/* and\n"
    "   this */\n"
    "figure \"rich figure\" {\r\n"
    "    stature = 175cm;;\n"
    "    joint elbow {                 // before what it connects\n"
    "        connect upper.tip to lower.base;\n"
    "        type = R(y);  names = (flexion);\n"
    "        llimit = (0deg);  ulimit = (142deg);  rigidity = (0.2);  rest = (10deg);\n"
    "    }\n"
    "    segment upper {\n"
    "        mass = 2100g;  com = (0cm, 1mm, 0.15);\n"
    "        site base->location = trans(0cm, 0cm, 0cm);\n"
    "        site tip->location = trans(0cm, 0in, 30cm) * rot(z, 90deg);\n"
    "        site \"odd name.\" = xyz(10deg, 20deg, 30deg);\n"
    "        site r->location = rpy(10deg, 20deg, 30deg) * trans(1cm, 0m, 0mm);\n"
    "        site q->location = quat(0, 0, 3, 4);\n"
    "        site s->location = rot(-x, 0.5rad) * rot((1, 1, 0), -30 deg);\n"
    "        shape = capsule(base, tip, 4cm);\n"
    "        shape = capsule(base, (1cm, 2cm, 3cm), 4cm, 2cm) color #C08060;\n"
    "        shape = capsule(trans(0cm, 0cm, 5cm) * rot(x, 33deg), 10cm, 2cm);\n"
    "        shape = sphere(tip, 5cm) color #000000;\n"
    "        shape = sphere((1cm, 2cm, 3cm), 5cm);\n"
    "        shape = box(trans(0cm, 0cm, 5cm) * rot(x, 10deg), (10cm, 20cm, 5cm));\n"
    "        shape = box(tip, (1in, 1inch, 1cm));\n"
    "        shape = cylinder(base, tip, 3cm);\n"
    "        shape = ellipsoid(base, (1cm, 2cm, 3cm));\n"
    "    }\n"
    "    segment lower { site base; site tip = trans(0, 0, 0.25); }\n"
    "    segment hand { site base; }\n"
    "    segment finger { site base; }\n"
    "    segment slide { site base; }\n"
    "    segment stuck { site base; }\n"
    "    site lower.late->location = trans(1cm, 2cm, 3cm);\n"
    "    shape lower = sphere(late, 1cm);\n"
    "    joint wrist {\n"
    "        connect lower.tip to hand.base;  type = swing_twist(z);\n"
    "        swing = polygon((60deg, 0deg), (0deg, 40deg), (-50deg, 0deg), (0deg, -30deg));\n"
    "        llimit = (none, none, -80deg);  ulimit = (none, none, 90deg);\n"
    "    }\n"
    "    joint knuckle { connect hand.base to finger.base; type = R(x)*R(0.6,0,0.8); names = (bend, \"odd one\");\n"
    "                    llimit = (none, none); ulimit = (none, 20rad); velocity = (none, 90deg); }\n"
    "    joint rail { connect upper.base to slide.base; type = T(x); llimit = -10cm; ulimit = 1; rest = 2mm;\n"
    "                 velocity = 20cm; acceleration = none; }\n"
    "    joint peg { connect slide.base to stuck.base; type = ball; frozen; rest = (1deg, 2deg, 3deg); }\n"
    "    group spine {\n"
    "        parameter bend { llimit = -20deg; ulimit = 60deg; rest = 5deg; rigidity = 0.1; }\n"
    "        parameter lift { llimit = 0cm; ulimit = 30cm; }\n"
    "        parameter ratio { kind = number; rest = 0.5; }\n"
    "        parameter free;\n"
    "        drive wrist.twz = 0.5 * bend + 1deg - 0.25 * elbow;\n"
    "        drive knuckle.bend = spline(bend, (-20deg, -1deg), (0deg, 0deg), (60deg, 5deg)) - 0.1 * free;\n"
    "    }\n"
    "    drive knuckle.\"odd one\" = polyline(rail, (0cm, 0deg), (5cm, 10deg)) + 2deg;\n"
    "    drive wrist.swx = 10deg + spine.bend * 2 - 57deg * rail;\n"
    "    limit reach: 1 * elbow.flexion + 0.5 * spine.bend <= 90deg;\n"
    "    limit: spine.bend - spine.free >= -2rad;\n"
    "    limit tie: rail - spine.lift = 3cm;\n"
    "    limit mix: rail + elbow <= 4;\n"
    "    root = upper.base free at trans(0cm, 0cm, 95cm) * rot(z, 90deg);\n"
    "}\n";

static const lb_joint *joint_named(const lb_figure *figure, const char *name) {
    int index = lb_figure_find_joint(figure, name);
    REQUIRE(index >= 0);
    return lb_figure_joint(figure, index);
}

static const lb_frame *site_named(const lb_figure *figure, const char *name) {
    int index = lb_figure_find_site(figure, name);
    check_note("site %s", name);
    REQUIRE(index >= 0);
    check_note("%s", "");
    return &lb_figure_site(figure, index)->frame;
}

#define PI 3.141592653589793

static void test_rich_segments(const lb_figure *figure) {
    CHECK_TEXT(lb_figure_name(figure), "rich figure");
    CHECK_NEAR(lb_figure_stature(figure), 1.75, 0);
    CHECK_INT(lb_figure_segment_count(figure), 6);
    const lb_segment *upper = lb_figure_segment(figure, 0);
    CHECK_TEXT(upper->name, "upper");
    CHECK_NEAR(upper->mass, 2.1, 0);
    CHECK_NEAR(upper->com[1], 0.001, 0);
    CHECK_NEAR(upper->com[2], 0.15, 0);
    const lb_frame *tip = site_named(figure, "upper.tip");
    CHECK_NEAR(tip->position[2], 0.3, 0);
    CHECK_NEAR(tip->rotation[2], sqrt(0.5), 1e-15);
    CHECK_NEAR(tip->rotation[3], sqrt(0.5), 1e-15);
    CHECK_NEAR(site_named(figure, "q")->rotation[2], 0.6, 1e-15);
    CHECK_NEAR(site_named(figure, "q")->rotation[3], 0.8, 1e-15);
    CHECK_NEAR(site_named(figure, "lower.late")->position[1], 0.02, 0);
    /* rpy is Rz Ry Rx, so its x axis is (cos y cos p, sin y cos p, -sin p); the shift goes along it */
    const lb_frame *r = site_named(figure, "r");
    CHECK_NEAR(r->position[0], 0.01 * cos(PI / 6) * cos(PI / 9), 1e-15);
    CHECK_NEAR(r->position[2], -0.01 * sin(PI / 9), 1e-15);
    /* xyz is Rx Ry Rz: the last column is (sin y, -sin x cos y, cos x cos y) */
    double m[9];
    lb_rotation_to_matrix(site_named(figure, "upper.odd name.")->rotation, m);
    CHECK_NEAR(m[2], sin(PI / 9), 1e-15);
    CHECK_NEAR(m[5], -sin(PI / 18) * cos(PI / 9), 1e-15);
    CHECK_NEAR(m[8], cos(PI / 18) * cos(PI / 9), 1e-15);
}

static void test_rich_shapes(const lb_figure *figure) {
    REQUIRE(lb_figure_shape_count(figure) == 10);
    const lb_shape *capsule = lb_figure_shape(figure, 0);
    CHECK_INT(capsule->kind, LB_SHAPE_CAPSULE);
    CHECK_NEAR(capsule->frame.position[2], 0.15, 1e-16);
    CHECK_NEAR(capsule->frame.rotation[3], 1, 0);
    CHECK_NEAR(capsule->size[0], 0.04, 0);
    CHECK_NEAR(capsule->size[1], 0.15, 1e-16);
    CHECK_NEAR(capsule->size[2], 0.04, 0);
    CHECK_INT(capsule->color, -1);
    const lb_shape *tapered = lb_figure_shape(figure, 1);
    double m[9];
    lb_rotation_to_matrix(tapered->frame.rotation, m);
    CHECK_NEAR(tapered->size[1], sqrt(14) / 200, 1e-16);
    CHECK_NEAR(m[2], 1 / sqrt(14), 1e-15);
    CHECK_NEAR(m[5], 2 / sqrt(14), 1e-15);
    CHECK_NEAR(m[8], 3 / sqrt(14), 1e-15);
    CHECK_NEAR(tapered->size[2], 0.02, 0);
    CHECK_INT(tapered->color, 0xC08060);
    CHECK_NEAR(lb_figure_shape(figure, 2)->size[1], 0.05, 0);
    CHECK_INT(lb_figure_shape(figure, 3)->kind, LB_SHAPE_SPHERE);
    CHECK_INT(lb_figure_shape(figure, 3)->color, 0);
    CHECK_NEAR(lb_figure_shape(figure, 3)->frame.position[2], 0.3, 0);
    CHECK_NEAR(lb_figure_shape(figure, 5)->size[1], 0.1, 0);
    CHECK_NEAR(lb_figure_shape(figure, 6)->size[0], 0.0127, 1e-17);
    CHECK_INT(lb_figure_shape(figure, 7)->kind, LB_SHAPE_CYLINDER);
    CHECK_INT(lb_figure_shape(figure, 8)->kind, LB_SHAPE_ELLIPSOID);
    CHECK_NEAR(lb_figure_shape(figure, 8)->size[2], 0.03, 0);
    CHECK_INT(lb_figure_shape(figure, 9)->segment, 1);
}

static void test_rich_joints(const lb_figure *figure) {
    const lb_joint *elbow = joint_named(figure, "elbow");
    CHECK_TEXT(elbow->dof_names[0], "flexion");
    CHECK_NEAR(elbow->upper[0], 142 * PI / 180, 1e-15);
    CHECK_NEAR(elbow->rest[0], PI / 18, 1e-16);
    CHECK_NEAR(elbow->rigidity[0], 0.2, 0);
    const lb_joint *wrist = joint_named(figure, "wrist");
    REQUIRE(wrist->swing_count == 4);
    CHECK(isinf(wrist->lower[0]) && isinf(wrist->upper[1]));
    CHECK_NEAR(wrist->upper[2], PI / 2, 0);
    CHECK_INT(joint_named(figure, "knuckle")->type.element_count, 2);
    CHECK_TEXT(joint_named(figure, "knuckle")->dof_names[1], "odd one");
    CHECK_NEAR(joint_named(figure, "rail")->lower[0], -0.1, 0);
    CHECK_NEAR(joint_named(figure, "rail")->upper[0], 1, 0);
    CHECK_NEAR(joint_named(figure, "rail")->rest[0], 0.002, 0);
    CHECK_INT(joint_named(figure, "peg")->frozen, 1);
    CHECK_INT(joint_named(figure, "rail")->frozen, 0);
}

static void test_rich_groups(const lb_figure *figure) {
    REQUIRE(lb_figure_parameter_count(figure) == 4);
    CHECK_INT(lb_figure_parameter(figure, 0)->is_angle, 1);
    CHECK_INT(lb_figure_parameter(figure, 1)->is_angle, 0);
    CHECK_INT(lb_figure_parameter(figure, 2)->is_angle, 0);
    CHECK_NEAR(lb_figure_parameter(figure, 0)->rigidity, 0.1, 0);
    REQUIRE(lb_figure_drive_count(figure) == 8);
    const lb_drive *twist = lb_figure_drive(figure, 0);
    CHECK_INT(twist->dof, 2);
    CHECK_NEAR(twist->curve.slope, 0.5, 0);
    CHECK_NEAR(twist->curve.offset, PI / 180, 1e-17);
    CHECK_NEAR(lb_figure_drive(figure, 1)->curve.slope, -0.25, 0);
    CHECK_NEAR(lb_figure_drive(figure, 1)->curve.offset, 0, 0);
    CHECK_INT(lb_figure_drive(figure, 1)->source.joint, 0);
    CHECK_INT(lb_figure_drive(figure, 2)->curve.kind, LB_CURVE_SPLINE);
    CHECK_INT(lb_figure_drive(figure, 2)->curve.count, 3);
    CHECK_NEAR(lb_figure_drive(figure, 2)->curve.y[2], PI / 36, 1e-16);
    CHECK_INT(lb_figure_drive(figure, 4)->curve.kind, LB_CURVE_POLYLINE);
    CHECK_NEAR(lb_figure_drive(figure, 4)->curve.x[1], 0.05, 0);
    /* a constant beside a curve: a drive of slope 0 */
    CHECK_NEAR(lb_figure_drive(figure, 5)->curve.slope, 0, 0);
    CHECK_NEAR(lb_figure_drive(figure, 5)->curve.offset, PI / 90, 1e-17);
    CHECK_NEAR(lb_figure_drive(figure, 6)->curve.slope, 2, 0);
    CHECK_NEAR(lb_figure_drive(figure, 6)->curve.offset, PI / 18, 1e-16);
    CHECK_NEAR(lb_figure_drive(figure, 7)->curve.slope, -57 * PI / 180, 1e-15);
}

static void test_rich_limits(const lb_figure *figure) {
    REQUIRE(lb_figure_limit_count(figure) == 4);
    const lb_limit *reach = lb_figure_limit(figure, 0), *unnamed = lb_figure_limit(figure, 1);
    CHECK_TEXT(reach->name, "reach");
    CHECK_NEAR(reach->coefficients[1], 0.5, 0);
    CHECK_NEAR(reach->bound, PI / 2, 0);
    CHECK(unnamed->name == NULL);
    CHECK_INT(unnamed->kind, LB_LIMIT_AT_MOST);
    CHECK_NEAR(unnamed->coefficients[0], -1, 0); /* >= is turned round */
    CHECK_NEAR(unnamed->coefficients[1], 1, 0);
    CHECK_NEAR(unnamed->bound, 2, 0);
    CHECK_INT(lb_figure_limit(figure, 2)->kind, LB_LIMIT_EQUAL);
    CHECK_NEAR(lb_figure_limit(figure, 2)->bound, 0.03, 0);
    const lb_root *root = lb_figure_root(figure);
    CHECK_INT(root->is_free, 1);
    CHECK_INT(root->segment, 0);
    CHECK(root->site >= 0);
    CHECK_NEAR(root->placement.position[2], 0.95, 0);
}

static void test_rich(void) {
    lb_figure *figure = must_read(RICH);
    test_rich_segments(figure);
    test_rich_shapes(figure);
    test_rich_joints(figure);
    test_rich_groups(figure);
    test_rich_limits(figure);
    char *text = round_trip(figure);
    /* people read it: units, names of sites, short numbers */
    CHECK_HAS(text, "figure \"rich figure\" {");
    CHECK_HAS(text, "stature = 175cm;");
    CHECK_HAS(text, "mass = 2.1kg;");
    CHECK_HAS(text, "com = (0cm, 0.1cm, 15cm);");
    CHECK_HAS(text, "site tip->location = trans(0cm, 0cm, 30cm) * rot(z, 90deg);");
    CHECK_HAS(text, "shape = capsule(base, tip, 4cm);");
    CHECK_HAS(text, "shape = capsule(base, (1cm, 2cm, 3cm), 4cm, 2cm) color #c08060;");
    CHECK_HAS(text, "shape = sphere(tip, 5cm) color #000000;");
    CHECK_HAS(text, "shape = box(trans(0cm, 0cm, 5cm) * rot(x, 10deg), (10cm, 20cm, 5cm));");
    CHECK_HAS(text, "shape = cylinder(base, tip, 3cm);");
    CHECK_HAS(text, "names = (bend, \"odd one\");");
    CHECK_HAS(text, "ulimit = (none, none, 90deg);");
    CHECK_HAS(text, "polygon((60deg, 0deg), (0deg, 40deg), (-50deg, 0deg), (0deg, -30deg));");
    CHECK_HAS(text, "drive wrist.twz = 0.5 * bend + 1deg");
    CHECK_HAS(text, "spline(bend, (-20deg, -1deg), (0deg, 0deg), (60deg, 5deg)) - 0.1 * free;");
    CHECK_HAS(text, "limit reach: elbow + 0.5 * spine.bend <= 90deg;");
    CHECK_HAS(text, "limit: -spine.bend + spine.free <= 2rad;");
    CHECK_HAS(text, "root = upper.base free at trans(0cm, 0cm, 95cm) * rot(z, 90deg);");
    lb_text_free(text);
    lb_figure_destroy(figure);
}

/* ---------------------------------------------------------------------------------------------------
 * Other things that can be said
 * ------------------------------------------------------------------------------------------------- */

static void test_cone(void) {
    lb_figure *figure =
        must_read("figure f { segment a { site s; } segment b { site s; }\n"
                  "joint j { connect a.s to b.s; type = swing_twist(x); swing = cone(60deg, 12 sides); } }");
    CHECK_INT(lb_figure_joint(figure, 0)->swing_count, 12);
    CHECK_NEAR(lb_figure_joint(figure, 0)->swing[0][0], PI / 3, 1e-15);
    char *text = round_trip(figure);
    CHECK_HAS(text, "swing = cone(60deg, 12 sides);");
    lb_text_free(text);
    lb_figure_destroy(figure);
    figure = must_read("figure f { segment a { site s; } segment b { site s; }\n"
                       "joint j { connect a.s to b.s; type = swing_twist(x); swing = cone(1); } }");
    CHECK_INT(lb_figure_joint(figure, 0)->swing_count, 32);
    check_round_trip(figure);
    lb_figure_destroy(figure);
}

static void test_mimic(void) {
    char text[2000];
    lb_figure *figure =
        must_read(arm_with("segment tip { site base; site end; } segment last { site base; }\n"
                           "joint finger { connect lower.base to tip.base; type = pin;"
                           " mimic = 0.5 * elbow + 10deg; }\n"
                           "joint slide { connect tip.end to last.base; type = T(x); mimic = 2cm * elbow; }",
                           text, sizeof text));
    REQUIRE(lb_figure_drive_count(figure) == 2);
    const lb_drive *drive = lb_figure_drive(figure, 0);
    CHECK_INT(drive->joint, 1);
    CHECK_INT(drive->source.joint, 0);
    CHECK_NEAR(drive->curve.slope, 0.5, 0);
    CHECK_NEAR(drive->curve.offset, PI / 18, 1e-16);
    CHECK_NEAR(lb_figure_drive(figure, 1)->curve.slope, 0.02, 0);
    CHECK_INT(lb_figure_variable_count(figure), 1);
    char *written = round_trip(figure);
    CHECK_HAS(written, "mimic = 0.5 * elbow + 10deg;");
    lb_text_free(written);
    lb_figure_destroy(figure);
}

static void test_dh_chain(void) {
    lb_figure *figure =
        must_read("figure robot { segment torso { site mount->location = trans(0cm, 0cm, 1m); }\n"
                  "dh arm { convention = standard; base = torso.mount;\n"
                  "  link j1 (a = 0cm, alpha = 90deg, d = 67cm, theta = 0deg) revolute [-160deg, 160deg];\n"
                  "  link j2 (a = 43cm) prismatic [0cm, none]; }\n"
                  "site j2_link.flange->location = trans(1cm, 2cm, 3cm);\n"
                  "shape j1_link = sphere((0cm, 0cm, 0cm), 5cm);\n"
                  "dh tool { convention = modified; base = j2_link.flange; link j3 (theta = 5deg) revolute; }\n"
                  "limit: j1 + j3 <= 1;\n"
                  "}");
    CHECK_INT(lb_figure_segment_count(figure), 4);
    CHECK_INT(lb_figure_joint_count(figure), 3);
    CHECK_NEAR(lb_figure_joint(figure, 0)->upper[0], 160 * PI / 180, 1e-15);
    CHECK_NEAR(lb_figure_joint(figure, 1)->lower[0], 0, 0);
    CHECK(isinf(lb_figure_joint(figure, 1)->upper[0]));
    CHECK(isinf(lb_figure_joint(figure, 2)->lower[0]));
    CHECK_INT(lb_joint_type_is_angle(&lb_figure_joint(figure, 1)->type, 0), 0);
    /* Rz(0) Tz(0.67) Tx(0) Rx(90 deg), then Rz Tz Tx(0.43): the second frame stands at height 1.67, 0.43 along x */
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    lb_frame frame;
    REQUIRE(kinematics != NULL);
    lb_kinematics_segment(kinematics, lb_figure_find_segment(figure, "j2_link"), &frame);
    CHECK_NEAR(frame.position[0], 0.43, 1e-15);
    CHECK_NEAR(frame.position[2], 1.67, 1e-15);
    lb_kinematics_destroy(kinematics);
    check_round_trip(figure);
    lb_figure_destroy(figure);
}

static void count_warning(void *context, const lb_error *warning) {
    (void)warning;
    ++*(int *)context;
}

/* What Jack's own files had: quoted names, psurf, displacement, a figure's location. */
static void test_old_peabody(void) {
    static const char text[] =
        "figure \"table\" {\n"
        "segment \"top\" { psurf = \"top.pss\"; attribute = \"red\";\n"
        "  site \"base\"->location = trans(0.00cm,0.00cm,0.00cm); }\n"
        "segment \"leg\" { site \"end\"->location = xyz(0.00deg,90.00deg,0.00deg)*trans(1cm,0cm,0cm); }\n"
        "joint \"hinge\" { connect \"top\".\"base\" to \"leg\".\"end\"; type = R(z)*T(x);\n"
        "  llimit = (-90deg, 0cm); ulimit = (90deg, 2cm); displacement = (10deg, 1cm); }\n"
        "attribute \"red\" { rgb = (1, 0.2, 0); inner { a = 1; } }\n"
        "attribute blue = 3;\n"
        "root = \"top\".base;\n"
        "location = trans(0cm, 1m, 0cm);\n"
        "}\n";
    lb_load_options options;
    lb_figure *figure = NULL;
    int warnings = 0;
    lb_load_options_defaults(&options);
    options.warn = count_warning;
    options.warn_context = &warnings;
    REQUIRE(lb_figure_load_memory(text, strlen(text), "table.fig", &options, &figure, NULL) == LB_OK);
    CHECK_INT(warnings, 3); /* three attributes; meshes were not asked for */
    CHECK_INT(lb_figure_shape_count(figure), 0);
    CHECK_NEAR(lb_figure_joint(figure, 0)->rest[1], 0.01, 0);
    CHECK_NEAR(lb_figure_root(figure)->placement.position[1], 1, 0);
    check_round_trip(figure);
    lb_figure_destroy(figure);
}

static void write_text(const char *name, const char *text, char path[600]) {
    check_scratch(name, path, 600);
    FILE *file = fopen(path, "w");
    REQUIRE(file && fputs(text, file) >= 0);
    fclose(file);
}

/* Loads the table below; how many shapes of its kinds there are, drawn and solid. */
static int load_table(const char *path, int meshes, int *drawn, int *solid, int *warnings) {
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_load_options_defaults(&options);
    options.meshes = meshes, options.warn = count_warning, options.warn_context = warnings;
    *drawn = *solid = *warnings = 0;
    REQUIRE(lb_figure_load(path, &options, &figure, NULL) == LB_OK);
    const int count = lb_figure_shape_count(figure);
    for (int i = 0; i < count; i++) {
        const lb_shape *shape = lb_figure_shape(figure, i);
        *drawn += shape->use != LB_SHAPE_USE_SOLID;
        *solid += shape->use != LB_SHAPE_USE_DRAWN;
        for (int k = 0; k < shape->vertex_count; k++) {
            CHECK(fabs(shape->vertices[k][2]) < 0.1 + 1e-12); /* 10 units of 1 cm */
        }
    }
    lb_figure_destroy(figure);
    return count;
}

/* A mesh that a segment names is drawn where it is found: by its own name, or beside a surface of Jack's. */
static void test_psurf(void) {
    static const char mesh[] = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n";
    static const char text[] =
        "figure table {\n"
        "segment top { psurf = \"top_mesh.pss\" * scale(0.01, 0.01, 0.01); site base; }\n"
        "segment leg { psurf = \"leg_mesh.obj\" * scale(0.01, 0.01, 0.01); site base; "
        "shape = sphere((0cm, 0cm, 0cm), 1cm); }\n"
        "segment foot { psurf = \"no_mesh.obj\"; site base; }\n"
        "segment other { psurf = \"leg_mesh.obj\" * scale(0.01, 0.01, 0.01) * trans(1cm, 0cm, 0cm); "
        "site base; }\n"
        "segment last { psurf = \"leg_mesh.obj\" * wobble(2); site base; }\n"
        "joint a { connect top.base to leg.base; type = R(x); }\n"
        "joint b { connect top.base to foot.base; type = R(x); }\n"
        "joint c { connect top.base to other.base; type = R(x); }\n"
        "joint d { connect top.base to last.base; type = R(x); }\n"
        "}\n";
    char path[600], unused[600];
    int drawn, solid, warnings;
    write_text("top_mesh.obj", mesh, unused), write_text("leg_mesh.obj", mesh, unused);
    write_text("table.fig", text, path);
    CHECK_INT(load_table(path, 0, &drawn, &solid, &warnings), 1);
    CHECK_INT(load_table(path, 2, &drawn, &solid, &warnings), 6);
    CHECK_INT(drawn, 4), CHECK_INT(solid, 3), CHECK_INT(warnings, 2);
    load_table(path, 1, &drawn, &solid, &warnings);
    CHECK_INT(drawn, 4), CHECK_INT(solid, 3);
}

/* Small figures that must be read; each says something in another way. */
static void test_other_ways(void) {
    static const char *const more[] = {
        "root = upper;",
        "root = lower.base free;",
        "root = lower at rot(x, 1);",
        "limit a-b: -elbow <= 10deg;",
        "limit x: -0.5*elbow>=-1;",
        "limit x: + elbow <= + 1;",
        "group empty { }",
        "group g { parameter p { kind = angle; llimit = none; ulimit = (1rad); } drive elbow = -p; }",
        "group g { parameter p; } group h { parameter q; } parameter g.r { rest = 1deg; }",
        "group g { parameter p { kind = length; } drive elbow = 3deg * p; }",
        "group g { parameter spline; } drive elbow = 2 * g.spline + 1;",
        "segment spline { site base; } joint spline { connect lower.base to spline.base; type = pin; }"
        " drive elbow = spline;",
        "group g { parameter a; parameter b; drive elbow = 0.1*a-0.2*b-0.5; }",
        "segment toe-2 { site s; site t; } joint t-1 { connect lower.base to toe-2.s; type = R(x); } limit: t-1 <= 1;",
        "group g { parameter p; parameter q; } drive elbow = g.p; drive elbow += 0.5 * g.q + 1deg;",
        "group g { parameter p; } drive elbow = 1deg + spline(g.p, (0, 0), (1, 1)) - 2 * polyline(g.p, (0, 1), (1, "
        "2));",
        "segment x { site \"a\\\"b\\\\c\"; } joint x { connect lower.base to x.\"a\\\"b\\\\c\"; type = fixed; }",
        "segment \"Hüfte\" { site s; } joint x { connect lower.base to \"Hüfte\".s; type = fixed; }",
        "segment \"\\xff\" { site s; } joint x { connect lower.base to \"\\xff\".s; type = fixed; }",
        "site upper.z->location = trans(-0cm, 0cm, 1e-310cm) * quat(-0, 0, 0, 1);",
        "shape lower = cylinder((0cm, 0cm, 1cm), (0cm, 0cm, -1cm), 1cm);",
        "shape lower = capsule((0cm, 0cm, 1cm), (0cm, 0cm, 1cm), 1cm);",
        "shape lower = capsule((0cm, 0cm, 1cm), (1e-9cm, 0cm, -1cm), 1cm);",
        "site upper.far->location = trans(123456.789m, 1e20m, -1e-20m);",
        "site upper.odd->location = rot((0.3, 0.2, -0.7), 0.1234567890123rad);",
        "site upper.turn->location = rpy(1.5708, -0.001, 3.14159);",
        "site upper.gimbal->location = rpy(0.3, 1.5707963267948966, 0.2);",
        "site upper.back->location = quat(0, 0, 0, -1);",
    };
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        char text[2000];
        lb_error error;
        lb_figure *figure = read_text(arm_with(more[i], text, sizeof text), &error);
        check_note("%s", more[i]);
        if (CHECK(figure != NULL)) {
            check_round_trip(figure);
        } else {
            fprintf(stderr, "%d: %s\n", error.line, error.message);
        }
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

/* ---------------------------------------------------------------------------------------------------
 * Messages
 * ------------------------------------------------------------------------------------------------- */

typedef struct bad_text {
    const char
        *text; /* of a whole file if it begins with a figure or `!` (left away), else what arm_with adds in line 5 */
    int line;
    const char *message;
} bad_text;

static const bad_text BAD[] = {
    /* words */
    {"!", 0, "is empty"},
    {"!   \n # nothing\n", 0, "is empty"},
    {"!robot r { }", 1, "expected `figure`, found `robot`"},
    {"!figure", 1, "expected the figure's name, found the end of the file"},
    {"!figure { }", 1, "expected the figure's name, found `{`"},
    {"!figure f", 1, "expected `{`, found the end of the file"},
    {"!figure f { segment a { }", 1, "the file ends inside figure `f` (begun in line 1); add `}`"},
    {"!figure f {\n segment a {\n\n", 4, "the file ends inside segment `a` (begun in line 2); add `}`"},
    {"!figure f { segment a { } } x", 1, "expected the end of the file, found `x`"},
    {"!figure f { segment a { } } figure g { }", 1, "one figure a file"},
    {"!figure f { }", 1, "has no segment"},
    {"/* never", 5, "never closed; end it with */"},
    {"segment \"a", 5, "never closed; end it with \""},
    {"segment \"\" { }", 5, "an empty name"},
    {"segment \"\\q\" { }", 5, "unknown escape"},
    {"segment \"\\x00\" { }", 5, "unknown escape"},
    {"segment \"\xff\" { }", 5, "not UTF-8"},
    {"segment \"\xed\xa0\x80\" { }", 5, "not UTF-8"},
    {"segment a@b { }", 5, "unexpected `@`"},
    {"segment H\xc3\xbc { }", 5, "outside ASCII"},
    {"segment a\x01 { }", 5, "unexpected byte 0x01"},
    {"segmnt x { }", 5, "unknown `segmnt` in a figure; did you mean `segment`?"},
    {"qwertyuiop x;", 5, "expected one of segment joint group"},
    {"{ }", 5, "found `{`"},
    /* numbers and units */
    {"stature = 1e999m;", 5, "too large"},
    {"stature = 1e308in;", 5, "too large"},
    {"stature = tall;", 5, "expected the stature, found `tall`"},
    {"stature = 175 centimeter;", 5, "`centimeter` is no unit; there are deg rad, m cm mm in, kg g"},
    {"stature = 175 ccm;", 5, "`ccm` is no unit; did you mean `cm`?"},
    {"stature = 30deg;", 5, "30deg is an angle; the stature wants a length, e.g. 30cm"},
    {"stature = -1m;", 5, "must be above 0"},
    {"stature = 1m; stature = 2m;", 5, "`stature` is given twice (first in line 5)"},
    {"stature = 1m }", 5, "expected `;` after the stature, found `}`"},
    /* segments */
    {"segment upper { }", 5, "upper"},
    {"segment x { mass = 3cm; }", 5, "3cm is a length; the mass wants a mass, e.g. 2.1kg"},
    {"segment x { mass = -3kg; }", 5, "must not be negative"},
    {"segment x { mass = 1kg; mass = 1kg; }", 5, "`mass` is given twice"},
    {"segment x { com = (0, 0); }", 5, "expected `,`, found `)`"},
    {"segment x { com = 3; }", 5, "expected `(`"},
    {"segment x { weight = 3; }", 5, "expected one of site shape mass com"},
    {"segment x { sit a; }", 5, "did you mean `site`?"},
    {"segment x { site a; site a; }", 5, "a"},
    {"segment x { site a->place = trans(0, 0, 0); }", 5, "expected `location`"},
    {"segment x { site a = trans(0, 0, 5deg); }", 5, "5deg is an angle; trans() wants a length"},
    {"segment x { site a = (0, 0, 5); }", 5, "expected one of trans rot xyz rpy quat"},
    {"segment x { site a = tran(0, 0, 5); }", 5, "did you mean `trans`?"},
    {"segment x { site a = rot(w, 5deg); }", 5, "expected an axis"},
    {"segment x { site a = rot((0, 0, 0), 5deg); }", 5, "has no direction"},
    {"segment x { site a = rot(z, 5cm); }", 5, "5cm is a length; rot() wants an angle, e.g. 30deg"},
    {"segment x { site a = quat(0, 0, 0, 0); }", 5, "has no direction"},
    {"segment x { site a = quat(0, 0, 0, 1cm); }", 5, "wants a number without a unit"},
    {"segment x { site a = trans(1e200, 0, 0); }", 5, "too far away"},
    {"site z->location = trans(0, 0, 0);", 5, "written segment.z"},
    {"site uper.z;", 5, "there is no segment `uper`; did you mean `upper`?"},
    {"site qqqqqq.z;", 5, "there is no segment `qqqqqq`; add it, or correct the name"},
    /* shapes */
    {"shape upper = cube(base, 1cm);", 5, "expected one of sphere capsule box"},
    {"shape upper = spere(base, 1cm);", 5, "did you mean `sphere`?"},
    {"shape upper = sphere(bass, 1cm);", 5, "there is no site on segment `upper` named `bass`; did you mean `base`?"},
    {"shape upper = sphere(base, -1cm);", 5, "the radius must not be negative"},
    {"shape upper = sphere(base, 1kg);", 5, "1kg is a mass; the radius wants a length"},
    {"shape upper = sphere(base, 1cm) color red;", 5, "six hexadecimal digits"},
    {"shape upper = sphere(base, 1cm) color #12345;", 5, "six hexadecimal digits"},
    {"shape upper = sphere(base, 1cm) color #1234567;", 5, "six hexadecimal digits"},
    {"shape upper = sphere(base);", 5, "expected `,`"},
    {"shape upper = capsule(base, 3cm);", 5, "expected `,`"},
    {"shape upper = capsule(base, tip, 3cm, 4cm, 5cm);", 5, "expected `)`"},
    {"shape upper = box(base, (1cm, -1cm, 1cm));", 5, "must not be negative"},
    {"shape upper = box(5, (1cm, 1cm, 1cm));", 5, "expected a place"},
    {"shape nobody = sphere((0, 0, 0), 1cm);", 5, "there is no segment `nobody`"},
    /* joints */
    {"joint j { }", 5, "joint `j` connects nothing"},
    {"joint j { connect upper.tip to lower.base; }", 5, "joint `j` has no type"},
    {"joint elbow { connect upper.tip to lower.base; type = pin; }", 5, "elbow"},
    {"joint j { connect upper.tip lower.base; type = pin; }", 5, "expected `to`"},
    {"joint j { connect upper to lower.base; type = pin; }", 5,
     "`upper` is a segment; a site is wanted here: upper.site"},
    {"joint j { connect upper.tipp to lower.base; type = pin; }", 5, "did you mean `tip`?"},
    {"joint j { connect upper.tip to uper.base; type = pin; }", 5, "did you mean `upper`?"},
    {"joint j { connect upper.tip to upper.base; type = pin; }", 5, "to itself"},
    {"joint j { connect upper.tip to lower.base; type = hinge; }", 5, "hinge"},
    {"joint j { connect upper.tip to lower.base; type = ; }", 5, "expected a joint type"},
    {"joint j { connect upper.tip to lower.base; type = R(w); }", 5, "R(w)"},
    {"joint j { connect upper.tip to lower.base; type = R(x)*R(y)*R(z)*R(x); }", 5, "rotation"},
    {"joint j { connect upper.tip to lower.base; type = pin; type = pin; }", 5, "`type` is given twice"},
    {"joint j { connect upper.tip to lower.base; type = pin; ulimt = 3; }", 5, "did you mean `ulimit`?"},
    {"joint j {\n connect upper.tip to lower.base;\n type = pin;\n ulimit = (30cm); }", 8,
     "30cm is a length; the limit of a rotation wants an angle, e.g. 30deg"},
    {"joint j { connect upper.tip to lower.base; type = T(x); ulimit = (30deg); }", 5,
     "30deg is an angle; the limit of a translation wants a length, e.g. 30cm"},
    {"joint j { connect upper.tip to lower.base; type = pin; rest = 1kg; }", 5,
     "the rest of a rotation wants an angle"},
    {"joint j { connect upper.tip to lower.base; type = pin; rest = none; }", 5, "expected a number"},
    {"joint j { connect upper.tip to lower.base; type = pin; llimit = (1, 2); }", 5,
     "`llimit` has 2 values; joint `j` has 1 dof, so give 1"},
    {"joint j { connect upper.tip to lower.base; type = pin; llimit = (1, 2, 3, 4, 5, 6, 7); }", 5,
     "more than 6 values"},
    {"joint j { connect upper.tip to lower.base; type = pin; rigidity = (1, 2); }", 5, "`rigidity` has 2 values"},
    {"joint j { connect upper.tip to lower.base; type = pin; rigidity = 2; }", 5, "rigidity"},
    {"joint j { connect upper.tip to lower.base; type = pin; rigidity = 1deg; }", 5, "wants a number without a unit"},
    {"joint j { connect upper.tip to lower.base; type = ball; names = (a, b); }", 5, "`names` has 2 names"},
    {"joint j { connect upper.tip to lower.base; type = ball; names = (a, b, b); }", 5, "two dofs named"},
    {"joint j { connect upper.tip to lower.base; type = pin; llimit = 2; ulimit = 1; }", 5, "above its upper limit"},
    {"joint j { connect upper.tip to lower.base; type = pin; velocity = 0; }", 5, "not above 0"},
    {"joint j { connect upper.tip to lower.base; type = pin; acceleration = (1deg, 2deg); }", 5, "has 1 dof"},
    {"joint j { connect upper.tip to lower.base; type = pin; velocity = 1m; }", 5, "rotation"},
    {"joint j { connect upper.tip to lower.base; type = pin; swing = cone(1); }", 5, "no swing_twist"},
    {"joint j { connect upper.tip to lower.base; type = swing_twist(z); swing = cone(0); }", 5, "must be above 0"},
    {"joint j { connect upper.tip to lower.base; type = swing_twist(z); swing = cone(1, 2 sides); }", 5,
     "3 to 1000 sides"},
    {"joint j { connect upper.tip to lower.base; type = swing_twist(z); swing = cone(1, 3.5); }", 5, "whole number"},
    {"joint j { connect upper.tip to lower.base; type = swing_twist(z); swing = conne(1); }", 5,
     "did you mean `cone`?"},
    {"joint j { connect upper.tip to lower.base; type = swing_twist(z); swing = polygon((0, 0), (1, 1)); }", 5,
     "at least 3 corners"},
    {"joint j { connect upper.tip to lower.base; type = swing_twist(z); swing = polygon((0, 0), (1cm, 1), (1, 2)); }",
     5, "1cm is a length; polygon() wants an angle"},
    {"joint j { connect upper.tip to lower.base; type = swing_twist(z);\n"
     "swing = polygon((0, 0), (2, 0), (0, 1), (1, 1)); }",
     5, "not convex"},
    {"joint j { connect upper.tip to lower.base; type = ball; mimic = elbow; }", 5, "`mimic` is for joints of one dof"},
    {"joint j { connect upper.tip to lower.base; type = pin; mimic = elbw; }", 5, "did you mean `elbow`?"},
    {"joint j { connect upper.tip to lower.base; type = pin; mimic = j; }", 5, "drives itself"},
    {"joint j { connect upper.tip to lower.base; type = pin; mimic = 3deg; }", 5, "names no dof or parameter"},
    {"joint j { connect upper.tip to lower.base; type = pin; mimic = 2 elbow; }", 5, "`elbow` is no unit"},
    {"joint j { connect upper.tip to lower.base; type = pin; mimic = elbow + 3cm; }", 5,
     "3cm is a length; the driven dof wants an angle"},
    {"joint j { connect upper.tip to lower.base; type = pin; mimic = 3cm * elbow; }", 5, "a factor wants a number"},
    {"joint j { connect upper.tip to lower.base; type = pin; mimic = elbow + 1 + 2; }", 5, "add them up"},
    {"joint j { connect upper.tip to lower.base; type = pin; frozen; frozen; }", 5, "`frozen` is given twice"},
    {"joint j { connect upper.tip to lower.base; type = pin; frozen = 1; }", 5, "expected `;` after frozen"},
    /* groups */
    {"group g { } group g { }", 5, "g"},
    {"group g { parameter p { } parameter p { } }", 5, "p"},
    {"group g { drives elbow = 1; }", 5, "did you mean `drive`?"},
    {"group g { parameter p { kind = size; } }", 5, "expected one of angle length number"},
    {"group g { parameter p { ulimit = 1m; llimit = 1deg; } }", 5, "1deg is an angle; this parameter wants a length"},
    {"group g { parameter p { kind = length; llimit = 1deg; } }", 5, "1deg is an angle; this parameter wants a length"},
    {"group g { parameter p { rigidity = 1deg; } }", 5, "wants a number without a unit"},
    {"group g { parameter p { limit = 1deg; } }", 5, "did you mean `llimit`?"},
    {"group g { parameter p { rest = none; } }", 5, "expected a number"},
    {"group g { parameter p { llimit = 2; ulimit = 1; } }", 5, "above its upper limit"},
    {"parameter p { }", 5, "written group.p"},
    {"parameter g.p { }", 5, "there is no group `g`"},
    {"group g { parameter bend; drive elbow = bent; }", 5, "did you mean `bend`?"},
    {"group g { parameter flexion; drive elbow = 0.1*flexion-20*flexion; }", 5,
     "expected `;` after the drive, found `*`"},
    {"group g { parameter flexion; drive elbow = flexion-2deg; }", 5,
     "there is no `flexion-2deg`; if a minus is meant"},
    {"group g { parameter p; drive g.p = p; }", 5, "is a parameter; only dofs of joints can be driven"},
    {"group g { parameter p; drive elbow = p; drive elbow = p; }", 5, "driven twice"},
    {"group g { parameter bend; } drive elbow = g.bent;", 5,
     "there is no parameter of group `g` named `bent`; did you mean `bend`?"},
    {"group g { parameter p; } drive elbow.rz = g.p;", 5, "joint `elbow` has no dof `rz`; it has ry"},
    {"group g { parameter p; } drive elbow = spline(g.p, (0, 0));", 5, "at least two points"},
    {"group g { parameter p; } drive elbow = spline(g.p, (1, 0), (0, 0));", 5, "increasing"},
    {"group g { parameter p; } drive elbow = spline(g.p, (0cm, 0), (1, 0));", 5, "the first number of a curve's point"},
    {"group g { parameter p; } drive elbow = spline(g.p, (0, 0cm), (1, 0));", 5,
     "the second number of a curve's point"},
    {"group g { parameter p; } drive elbow g.p;", 5, "expected `=`"},
    /* limits */
    {"limit x elbow <= 1;", 5, "expected `:`"},
    {"limit x: elbow < 1;", 5, "expected `<=`, `>=` or `=`"},
    {"limit x: elbow + 1 <= 1;", 5, "on the right side only"},
    {"limit x: spline(elbow, (0, 0), (1, 1)) <= 1;", 5, "a limit is linear"},
    {"limit x: elbow <= 1cm;", 5, "1cm is a length; a limit on angles wants an angle"},
    {"limit x: elbo <= 1;", 5, "there is no joint `elbo`; did you mean `elbow`?"},
    {"segment x { site s; } joint free { connect lower.base to x.s; type = ball; } limit x: free <= 1;", 5,
     "joint `free` has 3 dofs; say which, e.g. `free.ry`"},
    {"segment x { site s; } joint glue { connect lower.base to x.s; type = fixed; } limit x: glue <= 1;", 5,
     "is fixed"},
    /* chains */
    {"dh arm { base = upper.tip; }", 5, "dh `arm` has no link"},
    {"dh arm { link j1 (a = 1) revolute; }", 5, "dh `arm` stands nowhere"},
    {"dh arm { convention = craig; base = upper.tip; link j1 (a = 1) revolute; }", 5,
     "expected one of standard modified"},
    {"dh arm { base = upper.tip; link j1 (a = 1) hinge; }", 5, "expected one of revolute prismatic"},
    {"dh arm { base = upper.tip; link j1 (tetha = 1) revolute; }", 5,
     "unknown `tetha` in a link; did you mean `theta`?"},
    {"dh arm { base = upper.tip; link j1 (a = 1, a = 2) revolute; }", 5, "`a` is given twice"},
    {"dh arm { base = upper.tip; link j1 (a = 1deg) revolute; }", 5, "1deg is an angle; a wants a length"},
    {"dh arm { base = upper.tip; link j1 (a = 1) revolute [1cm, 2]; }", 5,
     "the range of a revolute link wants an angle"},
    {"dh arm { base = upper.tip; link j1 (a = 1) revolute [1, 2; }", 5, "expected `]`"},
    {"dh arm { base = upper.up; link j1 (a = 1) revolute; }", 5, "there is no site on segment `upper` named `up`"},
    {"dh arm { base = upper.tip; link elbow (a = 1) revolute; }", 4, "elbow"},
    {"dh arm { base = j9_link.x; link j1 (a = 1) revolute; } site j1_link.x;", 5, "there is no segment `j9_link`"},
    /* the root, and what only the whole shows */
    {"root = elbow;", 5, "there is no segment `elbow`"},
    {"root = upper.top;", 5, "there is no site on segment `upper` named `top`; did you mean `tip`?"},
    {"root = upper.tip fixed;", 5, "expected `free`, `at` or `;` after the root"},
    {"root = upper; root = lower;", 5, "`root` is given twice"},
    {"root = upper at rot(x, 1); location = rot(x, 1);", 5, "`location` is given twice"},
    {"segment lonely { }", 1, "lonely"},
};

static void test_messages(void) {
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        char text[2000];
        lb_error error;
        const char *said = BAD[i].text[0] == '!' ? BAD[i].text + 1 : arm_with(BAD[i].text, text, sizeof text);
        memset(&error, 0, sizeof error);
        lb_figure *figure = read_text(said, &error);
        check_note("%s -> %d: %s", BAD[i].text, error.line, error.message);
        CHECK(figure == NULL);
        CHECK(error.status < 0);
        CHECK_TEXT(error.file, "test.fig");
        CHECK_INT(error.line, BAD[i].line);
        CHECK_HAS(error.message, BAD[i].message);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

/* ---------------------------------------------------------------------------------------------------
 * Broken files, large files, models
 * ------------------------------------------------------------------------------------------------- */

static void try_bytes(const char *data, size_t size) {
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_error error;
    lb_load_options_defaults(&options);
    options.format = LB_FORMAT_FIG;
    char *exact = malloc(size ? size : 1); /* a sanitizer sees one byte too many */
    REQUIRE(exact != NULL);
    memcpy(exact, data, size);
    lb_status status = lb_figure_load_memory(exact, size, "x.fig", &options, &figure, &error);
    if ((status == LB_OK) != (figure != NULL) || (status != LB_OK && error.message[0] == 0)) {
        CHECK(!"a failure says why, and makes no figure");
    }
    lb_figure_destroy(figure);
    free(exact);
}

static void test_broken(void) {
    size_t size = strlen(RICH);
    char *copy = malloc(size + 1);
    REQUIRE(copy != NULL);
    for (size_t i = 0; i <= size; i++) {
        try_bytes(RICH, i);
    }
    memcpy(copy, RICH, size + 1);
    static const char patches[] = {0,   ' ', '{', '}', '(',  ')',  ';', '-',
                                   '9', '.', '*', '"', '\\', '\n', 'e', (char)0xFF};
    for (size_t i = 0; i < size; i++) {
        copy[i] = patches[i % sizeof patches];
        try_bytes(copy, size);
        copy[i] = patches[(i / sizeof patches) % sizeof patches];
        try_bytes(copy, size);
        copy[i] = RICH[i];
    }
    free(copy);
    CHECK(1);
}

/* A million words in one sum, and a chain of many segments: read in a time that grows with the size alone. */
static void test_large(void) {
    lb_figure *figure = NULL;
    lb_error error;
    REQUIRE(lb_figure_load("chain:3000", NULL, &figure, &error) == LB_OK);
    check_round_trip(figure);
    CHECK_INT(lb_figure_variable_count(figure), 3000);
    lb_figure_destroy(figure);
    size_t count = 300000, used = 0;
    char *text = malloc(count + 100);
    REQUIRE(text != NULL);
    used += (size_t)sprintf(text, "figure f { segment a { site s = trans(0, 0, 0)");
    while (used < count) {
        used += (size_t)sprintf(text + used, "*rot(x,1)");
    }
    used += (size_t)sprintf(text + used, "; } }");
    figure = read_text(text, &error);
    CHECK(figure != NULL);
    lb_figure_destroy(figure);
    memset(text, '(', count);
    text[count] = 0;
    memcpy(text, "figure f { segment a { site s = ", 32);
    figure = read_text(text, &error);
    CHECK(figure == NULL);
    free(text);
}

/* All of models/. */
static void test_models(void) {
    char folder[1000], path[2000];
    REQUIRE(check_source("models", folder, sizeof folder));
    DIR *listing = opendir(folder);
    REQUIRE(listing != NULL);
    int found = 0;
    for (struct dirent *entry; (entry = readdir(listing));) {
        lb_figure *figure = NULL;
        lb_error error;
        if (lb_format_from_path(entry->d_name) != LB_FORMAT_FIG) {
            continue;
        }
        found++;
        check_note("%s", entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (CHECK_INT(lb_figure_load(path, NULL, &figure, &error), LB_OK)) {
            check_round_trip(figure);
        } else {
            fprintf(stderr, "%s:%d: %s\n", error.file, error.line, error.message);
        }
        lb_figure_destroy(figure);
    }
    closedir(listing);
    check_note("%s", "");
    CHECK(found > 0);
}

/* The figures of docs/fig.md. */
static void test_documents(void) {
    char path[1000];
    REQUIRE(check_source("docs/fig.md", path, sizeof path));
    char *page = check_read_file(path, NULL);
    REQUIRE(page != NULL);
    int figures = 0;
    for (char *at = page; (at = strstr(at, "```fig\nfigure"));) {
        at += strlen("```fig\n");
        char *end = strstr(at, "\n```");
        REQUIRE(end != NULL);
        *end = 0;
        lb_figure *figure = must_read(at);
        check_round_trip(figure);
        lb_figure_destroy(figure);
        figures++;
        at = end + 1;
    }
    CHECK(figures >= 2);
    free(page);
}

static void test_stature(void) {
    static const char text[] = "figure f { stature = 4m; segment a { mass = 4kg; site s = trans(0, 0, 1m); } }";
    lb_load_options options;
    lb_figure *figure = NULL;
    int warnings = 0;
    lb_load_options_defaults(&options);
    options.stature = 2; /* who is 4 m tall is no person, and can be had in any size */
    options.warn = count_warning;
    options.warn_context = &warnings;
    REQUIRE(lb_figure_load_memory(text, strlen(text), "x.fig", &options, &figure, NULL) == LB_OK);
    CHECK_NEAR(lb_figure_stature(figure), 2, 0);
    CHECK_NEAR(lb_figure_segment(figure, 0)->mass, 1, 1e-15);
    CHECK_NEAR(lb_figure_site(figure, 0)->frame.position[2], 0.5, 1e-15);
    CHECK_INT(warnings, 0);
    lb_figure_destroy(figure);
    REQUIRE(lb_figure_load_memory("figure f { segment a { } }", 26, "x.fig", &options, &figure, NULL) == LB_OK);
    CHECK_INT(warnings, 1);
    lb_figure_destroy(figure);
    options.stature = -1;
    CHECK_INT(lb_figure_load_memory(text, strlen(text), "x.fig", &options, &figure, NULL), LB_ERROR_ARGUMENT);
}

int main(void) {
    test_rich();
    test_cone();
    test_mimic();
    test_dh_chain();
    test_old_peabody();
    test_psurf();
    test_other_ways();
    test_messages();
    test_broken();
    test_large();
    test_models();
    test_stature();
    test_documents();
    return check_done();
}
