/* NLopt's L-BFGS (bounded) and SLSQP on Limber's kinematics: the squares of distance and angle, with their exact gradient
 * from the Jacobian. A start that ends without reaching the target is followed by another at random, until the time is
 * up. */
#include "peers.h"

#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

typedef struct nlopt_peer {
    const bench_arm *arm;
    nlopt_opt opt;
    lb_kinematics *kinematics;
    const double *target;
    double jacobian[6 * BENCH_ARM_JOINTS];
    int evaluations;
} nlopt_peer;

/* Rotation vector that turns the target's frame into e's: its length is the angle. */
static void turn_between(const double e[9], const double t[9], double w[3]) {
    double c[2][3], sine = 0, trace = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        c[0][i] = e[3 + j] * e[6 + k] - e[3 + k] * e[6 + j];
        c[1][i] = t[3 + j] * t[6 + k] - t[3 + k] * t[6 + j];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        w[i] = 0.5 * (t[3 + j] * e[3 + k] - t[3 + k] * e[3 + j] + t[6 + j] * e[6 + k] - t[6 + k] * e[6 + j] +
                      c[1][j] * c[0][k] - c[1][k] * c[0][j]);
        trace += e[3 + i] * t[3 + i] + e[6 + i] * t[6 + i] + c[0][i] * c[1][i];
        sine += w[i] * w[i];
    }
    sine = sqrt(sine);
    double scale = sine > 1e-12 ? atan2(sine, 0.5 * (trace - 1)) / sine : 1;
    for (int i = 0; i < 3; i++) {
        w[i] *= scale;
    }
}

static double value(unsigned n, const double *pose, double *gradient, void *context) {
    nlopt_peer *p = context;
    double e[9], d[6], sum = 0;
    p->evaluations++;
    lb_kinematics_update(p->kinematics, pose);
    lb_kinematics_effector(p->kinematics, &p->arm->effector, e);
    for (int i = 0; i < 3; i++) {
        d[i] = e[i] - p->target[i];
    }
    turn_between(e, p->target, d + 3);
    for (int i = 0; i < 6; i++) {
        sum += d[i] * d[i];
    }
    if (gradient) {
        lb_kinematics_twist(p->kinematics, &p->arm->effector, p->jacobian);
        for (unsigned v = 0; v < n; v++) {
            gradient[v] = 0;
            for (unsigned i = 0; i < 6; i++) {
                gradient[v] += 2 * d[i] * p->jacobian[i * n + v];
            }
        }
    }
    return sum;
}

static void *create(const bench_arm *arm, nlopt_algorithm algorithm, int max_evaluations, double ftol) {
    nlopt_peer *p = bench_alloc(1, sizeof *p);
    p->arm = arm;
    p->kinematics = lb_kinematics_create(arm->figure, NULL);
    p->opt = nlopt_create(algorithm, (unsigned)arm->variables);
    if (!p->kinematics || !p->opt) {
        bench_stop("no memory");
    }
    for (int v = 0; v < arm->variables; v++) {
        nlopt_set_lower_bound(p->opt, v, lb_figure_variable(arm->figure, v)->lower);
        nlopt_set_upper_bound(p->opt, v, lb_figure_variable(arm->figure, v)->upper);
    }
    nlopt_set_min_objective(p->opt, value, p);
    nlopt_set_stopval(p->opt, 0.9e-10); /* distance^2 + angle^2 < (1e-5)^2 */
    nlopt_set_maxeval(p->opt, max_evaluations);
    nlopt_set_ftol_rel(p->opt, ftol); /* a start that creeps is given up */
    return p;
}

/* Of 60 to 200 evaluations and 1e-5 to 0.1 these gave the least mean times (1e-2 as little, but
 * it gives up on near starts). */
static void *create_lbfgs(const bench_arm *arm) { return create(arm, NLOPT_LD_LBFGS, 100, 1e-3); }
static void *create_slsqp(const bench_arm *arm) { return create(arm, NLOPT_LD_SLSQP, 60, 1e-3); }

static void solve(void *peer, int instance, double *pose, bench_outcome *outcome) {
    nlopt_peer *p = peer;
    double begin = bench_cpu_us(), found = 1;
    uint64_t state = (uint64_t)instance;
    p->target = p->arm->targets + (size_t)instance * 9;
    p->evaluations = 0;
    for (;;) {
        nlopt_optimize(p->opt, pose, &found);
        outcome->is_solved = found < 1e-10;
        outcome->iterations = p->evaluations;
        if (outcome->is_solved || bench_cpu_us() - begin > p->arm->limit_us) {
            return;
        }
        bench_arm_random_pose(p->arm, &state, pose);
        outcome->restarts++;
    }
}

static void destroy(void *peer) {
    nlopt_peer *p = peer;
    nlopt_destroy(p->opt);
    lb_kinematics_destroy(p->kinematics);
    free(p);
}

const peer_kind peer_lbfgs = {"NLopt L-BFGS", 5, create_lbfgs, solve, destroy};
const peer_kind peer_slsqp = {"NLopt SLSQP", 10, create_slsqp, solve, destroy};
