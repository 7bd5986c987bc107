/* Jacobians and Hessians of every kind of end-effector against central differences, on random figures of every joint
 * type. */
#include <limber/limber.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "random_figure.h"

#define FIGURES 10560 /* 480 of each joint type as the first joint */
#define STEP 1e-5
#define TOLERANCE 1e-7
#define MOST 128 /* variables */

static double worst_first, worst_second;

static void compare(double actual, double expected, double *worst, const char *what) {
    double error = fabs(actual - expected);
    if (!(error <= TOLERANCE)) {
        CHECK_NEAR(actual, expected, TOLERANCE), check_note("%s", what);
    }
    if (error > *worst) {
        *worst = error;
    }
}

static void shifted(lb_kinematics *k, const double *pose, int n, int variable, double by) {
    double moved[MOST];
    memcpy(moved, pose, (size_t)n * sizeof *moved);
    moved[variable] += by;
    REQUIRE(lb_kinematics_update(k, moved) == LB_OK);
}

static void check_first(lb_kinematics *k, const lb_effector *effector, const double *pose, int n) {
    static double jacobian[9 * MOST], twist[6 * MOST];
    REQUIRE(lb_kinematics_update(k, pose) == LB_OK);
    REQUIRE(lb_kinematics_jacobian(k, effector, jacobian) == LB_OK);
    int frame = effector->kind == LB_EFFECTOR_FRAME;
    if (frame) {
        REQUIRE(lb_kinematics_twist(k, effector, twist) == LB_OK);
    }
    double here[9];
    lb_kinematics_effector(k, effector, here);
    for (int v = 0; v < n; v++) {
        double plus[9], minus[9];
        shifted(k, pose, n, v, STEP);
        lb_kinematics_effector(k, effector, plus);
        shifted(k, pose, n, v, -STEP);
        lb_kinematics_effector(k, effector, minus);
        for (int r = 0; r < 9; r++) {
            compare(jacobian[r * n + v], (plus[r] - minus[r]) / (2 * STEP), &worst_first, "jacobian");
        }
        if (!frame) {
            continue;
        }
        /* The twist says the same: velocity of the point, and omega x direction. */
        const double w[3] = {twist[3 * n + v], twist[4 * n + v], twist[5 * n + v]};
        for (int r = 0; r < 3; r++) {
            compare(twist[r * n + v], jacobian[r * n + v], &worst_first, "twist, point");
            double turned = w[(r + 1) % 3] * here[3 + (r + 2) % 3] - w[(r + 2) % 3] * here[3 + (r + 1) % 3];
            compare(turned, jacobian[(3 + r) * n + v], &worst_first, "twist, direction");
        }
    }
}

static void check_second(lb_kinematics *k, const lb_effector *effector, const double *pose, int n, uint64_t *seed) {
    static double hessian[MOST * MOST], plus[9 * MOST], minus[9 * MOST];
    double weights[9];
    for (int r = 0; r < 9; r++) {
        weights[r] = random_between(seed, -1, 1);
    }
    REQUIRE(lb_kinematics_update(k, pose) == LB_OK);
    REQUIRE(lb_kinematics_hessian(k, effector, weights, hessian) == LB_OK);
    for (int v = 0; v < n; v++) {
        shifted(k, pose, n, v, STEP);
        lb_kinematics_jacobian(k, effector, plus);
        shifted(k, pose, n, v, -STEP);
        lb_kinematics_jacobian(k, effector, minus);
        for (int u = 0; u < n; u++) {
            double expected = 0;
            for (int r = 0; r < 9; r++) {
                expected += weights[r] * (plus[r * n + u] - minus[r * n + u]) / (2 * STEP);
            }
            compare(hessian[v * n + u], expected, &worst_second, "hessian");
            compare(hessian[v * n + u], hessian[u * n + v], &worst_second, "symmetry");
        }
    }
}

static void check_figure(const lb_figure *figure, uint64_t *seed) {
    int n = lb_figure_variable_count(figure);
    REQUIRE(n <= MOST);
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    REQUIRE(k != NULL);
    double pose[MOST];
    random_smooth_pose(figure, seed, pose);
    lb_effector effector;
    int bodies = lb_figure_segment_count(figure) + lb_figure_loop_count(figure);
    lb_effector_from_segment(figure, bodies - 1 - random_below(seed, 2), &effector);
    for (int i = 0; i < 3; i++) {
        effector.point[i] = random_between(seed, -0.3, 0.3);
    }
    check_first(k, &effector, pose, n);
    check_second(k, &effector, pose, n, seed);
    lb_effector_from_com(&effector);
    check_first(k, &effector, pose, n);
    check_second(k, &effector, pose, n, seed);
    lb_effector_from_site(figure, random_below(seed, lb_figure_site_count(figure)), &effector);
    check_first(k, &effector, pose, n);
    lb_kinematics_destroy(k);
}

int main(void) {
    uint64_t seed = 20240901;
    int figures = check_count(FIGURES, 10 * FIGURES) / (check_is_sanitized() ? 10 : 1), variables = 0;
    for (int i = 0; i < figures; i++) {
        random_options options = {2 + i % 5,        i / 3 % 2, i / 5 % 2, i / 7 % 2, i / 2 % 2,
                                  i % RANDOM_KINDS, NULL,      0,         0,         0};
        lb_figure *figure = random_figure(&seed, &options);
        variables += lb_figure_variable_count(figure);
        check_figure(figure, &seed);
        lb_figure_destroy(figure);
    }
    CHECK(worst_first <= TOLERANCE);
    CHECK(worst_second <= TOLERANCE);
    CHECK(variables > 5 * figures);
    printf("%d figures, %d variables: largest difference %.1e (first), %.1e (second derivatives)\n", figures, variables,
           worst_first, worst_second);
    return check_done();
}
