/* The figures in models/: that they load and are what models/README.md says; the platform, the chains, the table. */
#include "check.h"
#include "model.h"

#include <math.h>
#include <string.h>

typedef struct expectation {
    const char *name;
    int segments, joints, variables, loops;
    double mass; /* kg; 0: none is published */
} expectation;

static const expectation EXPECTED[] = {
    {"human", 60, 59, 52, 0, 75},        {"human-spine-free", 60, 59, 100, 0, 75},
    {"human-torso5", 60, 59, 64, 0, 75}, {"panda", 8, 7, 7, 0, 17.451901},
    {"iiwa14", 8, 7, 7, 0, 0},           {"ur5", 7, 6, 6, 0, 21.0489},
    {"puma560", 7, 6, 6, 0, 0},          {"irb120", 7, 6, 6, 0, 0},
    {"fetch7", 8, 7, 7, 0, 107.6567},    {"fetch8", 9, 8, 8, 0, 107.6567},
    {"pr2_arm", 8, 7, 7, 0, 40.976552},  {"baxter_arm", 8, 7, 7, 0, 19.71082},
    {"stewart", 14, 18, 36, 5, 56},      {"en07-chain", 6, 5, 15, 0, 0},
    {"en07-tree", 17, 16, 48, 0, 0},     {"en07-human", 33, 32, 78, 0, 0},
    {"chain10", 11, 10, 10, 0, 0},       {"kb82-arm", 4, 3, 3, 0, 0},
    {"peabody-table", 5, 4, 0, 0, 20},
};

#define EXPECTED_COUNT ((int)(sizeof EXPECTED / sizeof EXPECTED[0]))

/* The counts are those of models/README.md, the rest pose is inside the limits, and there is something to look at. */
static void check_one(const expectation *e, const char *readme) {
    char row[160];
    model m = open_model(e->name, NULL);
    check_note("%s", e->name);
    CHECK_INT(lb_figure_segment_count(m.figure), e->segments);
    CHECK_INT(lb_figure_joint_count(m.figure), e->joints);
    CHECK_INT(lb_figure_variable_count(m.figure), e->variables);
    CHECK_INT(lb_figure_loop_count(m.figure), e->loops);
    CHECK_NEAR(lb_figure_mass(m.figure), e->mass, 1e-9);
    CHECK(lb_figure_shape_count(m.figure) >= lb_figure_segment_count(m.figure) / 2);
    CHECK_NEAR(lb_figure_violation(m.figure, m.pose), 0, 1e-12);
    snprintf(row, sizeof row, "| `%s.fig` | %d | %d | %d |", e->name, e->segments, e->joints, e->variables);
    CHECK_HAS(readme, row);
    check_note("%s", "");
    close_model(&m);
}

/* Random poses are inside the limits, and so is what each joint says of its rest. */
static void check_limits(const expectation *e) {
    model m = open_model(e->name, NULL);
    uint64_t seed = 7;
    check_note("%s", e->name);
    for (int i = 0; i < 20; i++) {
        lb_figure_random_pose(m.figure, &seed, m.pose);
        CHECK(lb_figure_violation(m.figure, m.pose) <= 1e-9);
    }
    for (int i = 0; i < lb_figure_joint_count(m.figure); i++) {
        const lb_joint *joint = lb_figure_joint(m.figure, i);
        for (int dof = 0; dof < lb_joint_type_dof_count(&joint->type); dof++) {
            CHECK(joint->lower[dof] <= joint->rest[dof] && joint->rest[dof] <= joint->upper[dof]);
        }
    }
    check_note("%s", "");
    close_model(&m);
}

static void test_all(void) {
    char path[1024];
    REQUIRE(check_source("models/README.md", path, sizeof path));
    char *readme = check_read_file(path, NULL);
    REQUIRE(readme);
    for (int i = 0; i < EXPECTED_COUNT; i++) {
        check_one(&EXPECTED[i], readme);
        check_limits(&EXPECTED[i]);
    }
    free(readme);
}

/* ---------------------------------------------------------------------------------------------------
 * Mechanisms, chains, the table
 * ------------------------------------------------------------------------------------------------- */

static void test_stewart(void) {
    model m = open_model("stewart", NULL);
    for (int i = 0; i < lb_figure_loop_count(m.figure); i++) {
        lb_frame carried, tree;
        REQUIRE(lb_kinematics_loop(m.kinematics, i, &carried, &tree) == LB_OK);
        CHECK(distance(carried.position, tree.position) < 1e-12);
        CHECK(turn_between(carried.rotation, tree.rotation) < 1e-12);
    }
    CHECK_NEAR(site_height(&m, "tool"), 0.74, 1e-12);
    set(&m, "slide1", 0.8); /* one leg alone cannot lengthen */
    lb_kinematics_update(m.kinematics, m.pose);
    double open = 0;
    for (int i = 0; i < lb_figure_loop_count(m.figure); i++) {
        lb_frame carried, tree;
        lb_kinematics_loop(m.kinematics, i, &carried, &tree);
        open = fmax(open, distance(carried.position, tree.position));
    }
    CHECK(open > 0.01);
    close_model(&m);
}

/* Joints between the root and the segment of a site. */
static int joints_to(const lb_figure *figure, const char *site) {
    int count = 0, segment = lb_figure_site(figure, lb_figure_find_site(figure, site))->segment;
    while (lb_figure_parent_segment(figure, segment) >= 0) {
        segment = lb_figure_parent_segment(figure, segment);
        count++;
    }
    return count;
}

static void test_chains(void) {
    model chain = open_model("en07-chain", NULL);
    const double goal[3] = {0.22724955445500877, 0, 0.1458}, root[3] = {0, 0, 0};
    CHECK_NEAR(distance(site_frame(&chain, "end").position, goal), 0.25, 1e-12); /* 25 units from the end */
    CHECK_NEAR(distance(root, goal), 0.27, 1e-12);                               /* 2 more than it can reach */
    CHECK_INT(joints_to(chain.figure, "end"), 5);
    close_model(&chain);
    model tree = open_model("en07-tree", NULL);
    for (int n = 2; n <= 6; n++) {
        char name[16];
        snprintf(name, sizeof name, "end%d", n);
        CHECK_INT(joints_to(tree.figure, name), n);
    }
    close_model(&tree);
    model human = open_model("en07-human", NULL);
    CHECK_NEAR(site_height(&human, "right_heel"), 0, 1e-9);
    CHECK_NEAR(site_height(&human, "left_toe"), 0, 1e-9);
    close_model(&human);
    model arm = open_model("kb82-arm", NULL); /* the sums of projections in KB82 */
    double a = 0.3, b = -0.7, c = 1.1;
    set(&arm, "c1", a);
    set(&arm, "c2", b);
    set(&arm, "c3", c);
    lb_kinematics_update(arm.kinematics, arm.pose);
    lb_frame end = site_frame(&arm, "c4");
    CHECK_NEAR(end.position[0], 0.30 * cos(a) + 0.24 * cos(a + b) + 0.16 * cos(a + b + c), 1e-12);
    CHECK_NEAR(end.position[1], 0.30 * sin(a) + 0.24 * sin(a + b) + 0.16 * sin(a + b + c), 1e-12);
    close_model(&arm);
    model table = open_model("peabody-table", NULL);
    CHECK_NEAR(site_height(&table, "middle"), 0.8, 1e-12);
    CHECK_NEAR(site_height(&table, "leg3.foot"), 0, 1e-12);
    close_model(&table);
}

int main(void) {
    test_all();
    test_stewart();
    test_chains();
    return check_done();
}
