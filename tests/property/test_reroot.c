/* Re-rooting and splitting random figures: nothing in the world moves, and going back restores every bit. */
#include <limber/limber.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "random_figure.h"

#define MOST 128

static double worst;

/* The largest difference of the two world matrices of a segment, found by name. */
static double difference(const lb_kinematics *a, int segment, const lb_kinematics *b) {
    double ma[12], mb[12], most = 0;
    const char *name = lb_figure_segment(lb_kinematics_figure(a), segment)->name;
    int other = lb_figure_find_segment(lb_kinematics_figure(b), name);
    REQUIRE(other >= 0);
    lb_kinematics_matrix(a, segment, ma);
    lb_kinematics_matrix(b, other, mb);
    for (int i = 0; i < 12; i++) {
        if (!(fabs(ma[i] - mb[i]) <= most)) {
            most = fabs(ma[i] - mb[i]);
        }
    }
    return most;
}

static void compare_worlds(const lb_figure *a, const double *pose_a, const lb_figure *b, const double *pose_b) {
    lb_kinematics *ka = lb_kinematics_create(a, NULL), *kb = lb_kinematics_create(b, NULL);
    REQUIRE(ka && kb);
    lb_kinematics_update(ka, pose_a);
    lb_kinematics_update(kb, pose_b);
    for (int i = 0; i < lb_figure_segment_count(a); i++) {
        double most = difference(ka, i, kb);
        if (!(most <= 1e-12)) {
            CHECK_NEAR(most, 0, 1e-12);
        }
        if (most > worst) {
            worst = most;
        }
    }
    lb_kinematics_destroy(ka);
    lb_kinematics_destroy(kb);
}

static int same_root(const lb_root *a, const lb_root *b) {
    return a->segment == b->segment && a->site == b->site && a->is_free == b->is_free &&
           memcmp(&a->placement, &b->placement, sizeof a->placement) == 0;
}

static void check_reroot(const lb_figure *figure, uint64_t *seed) {
    double pose[MOST], there_pose[MOST], back_pose[MOST];
    lb_error error;
    lb_figure *there, *back;
    lb_figure_random_pose(figure, seed, pose);
    int site = random_below(seed, 2) ? random_below(seed, lb_figure_site_count(figure)) : -1;
    int segment =
        site >= 0 ? lb_figure_site(figure, site)->segment : random_below(seed, lb_figure_segment_count(figure));
    const lb_root other = {.segment = segment, .site = site, .is_free = random_below(seed, 2)};
    REQUIRE(lb_figure_reroot(figure, pose, &other, &there, there_pose, &error) == LB_OK);
    compare_worlds(figure, pose, there, there_pose);
    CHECK_INT(lb_figure_loop_count(there),
              lb_figure_loop_count(figure)); /* the root does not choose what closes a loop */
    for (int i = 0; i < lb_figure_loop_count(figure); i++) {
        CHECK_INT(lb_figure_loop_joint(there, i), lb_figure_loop_joint(figure, i));
    }
    const lb_root *root = lb_figure_root(figure);
    REQUIRE(lb_figure_reroot(there, there_pose, root, &back, back_pose, &error) == LB_OK);
    CHECK(same_root(root, lb_figure_root(back)));
    CHECK(memcmp(pose, back_pose, (size_t)lb_figure_variable_count(figure) * sizeof *pose) == 0);
    lb_figure_destroy(back);
    /* Moved in between, it is no undoing any more, but still true to 1e-12. */
    lb_figure_random_pose(there, seed, there_pose);
    REQUIRE(lb_figure_reroot(there, there_pose, root, &back, back_pose, &error) == LB_OK);
    compare_worlds(there, there_pose, back, back_pose);
    lb_figure_destroy(back);
    lb_figure_destroy(there);
}

static void check_split(const lb_figure *figure, uint64_t *seed, int *split, int *refused) {
    double pose[MOST], near_pose[MOST], far_pose[MOST];
    lb_error error;
    lb_figure *near_part, *far_part;
    lb_figure_random_pose(figure, seed, pose);
    int joint = random_below(seed, lb_figure_joint_count(figure));
    lb_status status = lb_figure_split(figure, pose, joint, &near_part, &far_part, &error);
    if (status == LB_ERROR_FIGURE) {
        CHECK(lb_figure_loop_count(figure) > 0); /* only a loop may forbid it */
        ++*refused;
        return;
    }
    REQUIRE(status == LB_OK);
    ++*split;
    CHECK_INT(lb_figure_segment_count(near_part) + lb_figure_segment_count(far_part), lb_figure_segment_count(figure));
    CHECK_INT(lb_figure_find_joint(near_part, lb_figure_joint(figure, joint)->name), -1);
    CHECK_INT(lb_figure_find_joint(far_part, lb_figure_joint(figure, joint)->name), -1);
    lb_figure_rest_pose(near_part, near_pose);
    lb_figure_rest_pose(far_part, far_pose);
    lb_pose_carry(figure, pose, near_part, near_pose);
    lb_pose_carry(figure, pose, far_part, far_pose);
    if (lb_figure_root(far_part)->is_free) {
        memset(far_pose, 0, 6 * sizeof *far_pose);
    }
    if (lb_figure_drive_count(figure) == 0) { /* a mimic whose source went is free, and stands elsewhere */
        compare_worlds(near_part, near_pose, figure, pose);
        compare_worlds(far_part, far_pose, figure, pose);
    }
    lb_figure_destroy(near_part);
    lb_figure_destroy(far_part);
}

int main(void) {
    int figures = check_count(3000, 30000);
    uint64_t seed = 99;
    int split = 0, refused = 0;
    for (int i = 0; i < figures; i++) {
        random_options options = {2 + i % 6,        i / 3 % 2, i / 5 % 2, i / 7 % 2, i / 2 % 2,
                                  i % RANDOM_KINDS, NULL,      0,         0,         0};
        lb_figure *figure = random_figure(&seed, &options);
        check_reroot(figure, &seed);
        check_split(figure, &seed, &split, &refused);
        lb_figure_destroy(figure);
    }
    CHECK(worst <= 1e-12);
    CHECK(split > figures / 3);
    CHECK(refused > figures / 20);
    printf("%d figures: largest move %.1e; %d split, %d refused for a loop\n", figures, worst, split, refused);
    return check_done();
}
