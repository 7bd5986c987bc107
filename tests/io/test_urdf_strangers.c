/* Robot files as strangers bring them: what does not change a model does not change the figure either, and what is missing or beyond
 * all measure is said with its line. */
#include "check.h"
#include "io/same_figure.h"
#include "io/urdf_load.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT_SIZE 20000

static const char robot[] =
    "<robot name=\"r\">\n<material name=\"red\"><color rgba=\"1 0 0 1\"/></material>\n<link name=\"a\"/>\n"
    "<link name=\"b\">\n<inertial>\n<origin xyz=\"0 0 0.1\"/>\n<mass value=\"2\"/>\n"
    "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/>\n</inertial>\n"
    "<visual>\n<geometry>\n<box size=\"1 2 3\"/>\n</geometry>\n<material name=\"red\"/>\n</visual>\n</link>\n<link "
    "name=\"c\"/>\n"
    "<joint name=\"j\" type=\"revolute\">\n<parent link=\"a\"/>\n<child link=\"b\"/>\n<origin xyz=\"0 0 1\" rpy=\"0 "
    "0.1 0\"/>\n"
    "<axis xyz=\"0 0 1\"/>\n<limit lower=\"-1\" upper=\"1\" velocity=\"2\" effort=\"30\"/>\n"
    "<safety_controller soft_lower_limit=\"-0.9\" soft_upper_limit=\"0.9\" k_velocity=\"1\"/>\n</joint>\n"
    "<joint name=\"k\" type=\"prismatic\">\n<parent link=\"b\"/>\n<child link=\"c\"/>\n<limit lower=\"0\" "
    "upper=\"0.1\" velocity=\"1\" "
    "effort=\"1\"/>\n</joint>\n</robot>\n";

static const char model[] =
    "<mujoco model=\"m\">\n<compiler angle=\"radian\"/>\n<worldbody>\n<body name=\"b\" pos=\"0 0 1\">\n"
    "<joint name=\"j\" axis=\"0 1 0\" range=\"-1 1\" limited=\"true\"/>\n<geom type=\"box\" size=\"1 2 3\" rgba=\"1 0 "
    "0 1\"/>\n"
    "<body name=\"c\">\n<joint name=\"k\" type=\"slide\" range=\"0 0.1\" limited=\"true\"/>\n<geom "
    "size=\"0.1\"/>\n</body>\n</body>\n"
    "</worldbody>\n</mujoco>\n";

static lb_figure *load(const char *text, size_t size, int is_mjcf, heard *said) {
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_load_options_defaults(&options);
    options.format = is_mjcf ? LB_FORMAT_MJCF : LB_FORMAT_URDF;
    options.warn = urdf_hear;
    options.warn_context = said;
    memset(said, 0, sizeof *said);
    lb_figure_load_memory(text, size, "robot", &options, &figure, &said->error);
    return figure;
}

/* --- What does not matter ----------------------------------------------------------------------------- */

/* Writes a file anew: between its tags there may be comments, other programs' elements and blanks, and lines may end as on
 * Windows. */
static size_t disguise(check_random *random, const char *text, char *out) {
    static const char *const noise[] = {
        "<!-- a comment -->", "<!-- <joint name='j' type='fixed'/> <link name='a'/> -->",
        "<?tool keep?>",      "<other:thing name='j'><other:link name='a'/></other:thing>",
        "\t  \n\n",           "<![CDATA[ words ]]>",
        "words &lt;link/&gt;"};
    const int is_windows = check_random_index(random, 2), has_bom = check_random_index(random, 2);
    const int kinds = check_random_index(random, 7) + 1, is_declared = check_random_index(random, 2);
    size_t size = 0;
    if (has_bom) {
        size += (size_t)sprintf(out + size, "\xef\xbb\xbf");
    }
    if (is_declared) {
        size += (size_t)sprintf(out + size, "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\n");
    }
    if (check_random_index(random, 2)) {
        size += (size_t)sprintf(out + size, "<!-- before all --><!---->\n");
    }
    const char *name_end = text + strcspn(text, " ");
    size += (size_t)sprintf(out + size, "%.*s xmlns=\"http://example.org\" xmlns:other=\"other\"",
                            (int)(name_end - text), text);
    for (const char *c = name_end; *c; c++) {
        if (*c == '\n' && is_windows) {
            out[size++] = '\r';
        }
        out[size++] = *c;
        if (*c == '\n' && c[1] && check_random_index(random, 3) == 0) {
            size += (size_t)sprintf(out + size, "%s", noise[check_random_index(random, kinds)]);
        }
    }
    if (check_random_index(random, 2)) {
        size += (size_t)sprintf(out + size, "<!-- after all -->\r\n\r\n");
    }
    out[size] = 0;
    return size;
}

static void test_disguises(void) {
    static char text[TEXT_SIZE];
    check_random random;
    heard said;
    check_random_seed(&random, 18);
    for (int is_mjcf = 0; is_mjcf < 2; is_mjcf++) {
        const char *plain = is_mjcf ? model : robot;
        lb_figure *expected = load(plain, strlen(plain), is_mjcf, &said);
        REQUIRE(expected != NULL);
        CHECK_TEXT(said.text, "");
        CHECK_INT(lb_figure_joint_count(expected), 2);
        for (int k = 0; k < check_count(150, 3000); k++) {
            const size_t size = disguise(&random, plain, text);
            lb_figure *figure = load(text, size, is_mjcf, &said);
            check_note("%s %d: line %d: %s", is_mjcf ? "MJCF" : "URDF", k, said.error.line, said.error.message);
            REQUIRE(figure != NULL);
            CHECK(same_figure(figure, expected));
            lb_figure_destroy(figure);
        }
        lb_figure_destroy(expected);
    }
}

/* --- What is missing, blank or beyond all measure ----------------------------------------------------------- */

/* The robot with one part of its text written otherwise. */
static lb_figure *with(const char *part, const char *other, heard *said) {
    static char text[TEXT_SIZE];
    const char *at = strstr(robot, part);
    REQUIRE(at != NULL);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - robot), robot, other, at + strlen(part));
    check_note("%s", other);
    return load(text, strlen(text), 0, said);
}

static void test_numbers(void) {
    static const struct {
        const char *part, *other, *warns; /* NULL: nothing is said */
        double lower, upper, velocity, effort, soft_lower;
    } cases[] = {
        {"lower=\"-1\"", "lower=\"-1\"", NULL, -1, 1, 2, 30, -0.9},
        {"<limit lower=\"-1\" upper=\"1\" velocity=\"2\" effort=\"30\"/>", "", "joint \"j\" has no <limit>", -INFINITY,
         INFINITY, INFINITY, INFINITY, -0.9},
        {"lower=\"-1\" upper=\"1\" ", "", "without lower and upper", 0, 0, 2, 30, -0.9},
        {"lower=\"-1\" upper=\"1\"", "lower=\"-1e300\" upper=\"1e300\"", NULL, -INFINITY, INFINITY, 2, 30, -0.9},
        {"velocity=\"2\" effort=\"30\"", "velocity=\"1e308\" effort=\"1e30\"", NULL, -1, 1, INFINITY, INFINITY, -0.9},
        {"velocity=\"2\" effort=\"30\"", "velocity=\"inf\" effort=\"\"", NULL, -1, 1, INFINITY, INFINITY, -0.9},
        {"velocity=\"2\" effort=\"30\"", "", NULL, -1, 1, INFINITY, INFINITY, -0.9},
        {"soft_lower_limit=\"-0.9\" soft_upper_limit=\"0.9\"", "", NULL, -1, 1, 2, 30, -INFINITY},
        {"soft_lower_limit=\"-0.9\"", "soft_lower_limit=\"2\"", NULL, -1, 1, 2, 30, -INFINITY},
        {"xyz=\"0 0 1\"/>\n<limit", "xyz=\" 0\t0\n 1e200 \"/>\n<limit", "not of length 1", -1, 1, 2, 30, -0.9},
        {"rgba=\"1 0 0 1\"", "rgba=\"\"", NULL, -1, 1, 2, 30, -0.9},
        {"</robot>", "<xacro:sensor name=\"left\"/></robot>", "left over by xacro and is ignored", -1, 1, 2, 30, -0.9},
    };
    heard said;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lb_figure *figure = with(cases[i].part, cases[i].other, &said);
        REQUIRE(figure != NULL);
        const lb_joint *joint = lb_figure_joint(figure, lb_figure_find_joint(figure, "j"));
        CHECK(joint->lower[0] == cases[i].lower && joint->upper[0] == cases[i].upper);
        CHECK(joint->velocity[0] == cases[i].velocity && joint->effort[0] == cases[i].effort);
        CHECK(joint->soft_lower[0] == cases[i].soft_lower);
        CHECK_INT(said.count, cases[i].warns != NULL);
        CHECK_HAS(said.text, cases[i].warns ? cases[i].warns : "");
        lb_figure_destroy(figure);
    }
}

static void test_too_large(void) {
    static const struct {
        const char *part, *other;
        int line;
    } cases[] = {{"size=\"1 2 3\"", "size=\"1e250 1 1\"", 12},
                 {"<mass value=\"2\"/>", "<mass value=\"1e308\"/>", 7},
                 {"xyz=\"0 0 1\" rpy", "xyz=\"-1e10 0 1\" rpy", 21},
                 {"xyz=\"0 0 1\" rpy", "xyz=\"0,0,1\" rpy", 21},
                 {"xyz=\"0 0 1\" rpy", "xyz=\"0 0 1e999\" rpy", 21}};
    heard said;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(with(cases[i].part, cases[i].other, &said) == NULL);
        CHECK_INT(said.error.line, cases[i].line);
    }
}

int main(void) {
    test_disguises();
    test_numbers();
    test_too_large();
    return check_done();
}
