/* How fast a point of a figure moves, from how fast its variables do. */
#include <limber/motion.h>
#include <string.h>

#include "figure/figure.h"
#include "figure/memory.h"
#include "math/vec.h"

/* J(pose) rate. */
static lb_status twist(lb_kinematics *k, const lb_effector *effector, const double *pose, const double *rate,
                       double *jacobian, double out[6]) {
    int n = lb_figure_variable_count(lb_kinematics_figure(k));
    lb_status status = lb_kinematics_update(k, pose);
    if (!status) {
        status = lb_kinematics_twist(k, effector, jacobian);
    }
    for (int i = 0; i < 6 && !status; i++) {
        out[i] = 0;
        for (int v = 0; v < n; v++) {
            out[i] += jacobian[(size_t)i * (size_t)n + (size_t)v] * rate[v];
        }
    }
    return status;
}

/* The acceleration is J times that of the variables, and how J changes on the way times their rate: by differences. */
static lb_status twist_rate(lb_kinematics *k, const lb_effector *effector, const double *pose, const double *rate,
                            const double *acceleration, double *work, double out[6]) {
    int n = lb_figure_variable_count(lb_kinematics_figure(k));
    double fastest = 1, before[6], after[6], *moved = work + 6 * (size_t)n;
    for (int i = 0; i < n; i++) {
        if (fabs(rate[i]) > fastest) {
            fastest = fabs(rate[i]);
        }
    }
    const double h = 6e-6 / fastest; /* the cube root of the rounding error */
    for (int i = 0; i < n; i++) {
        moved[i] = pose[i] - h * rate[i];
    }
    lb_status status = twist(k, effector, moved, rate, work, before);
    for (int i = 0; i < n; i++) {
        moved[i] = pose[i] + h * rate[i];
    }
    if (!status) {
        status = twist(k, effector, moved, rate, work, after);
    }
    if (!status) {
        status = twist(k, effector, pose, acceleration, work, out);
    }
    for (int i = 0; i < 6 && !status; i++) {
        out[i] += (after[i] - before[i]) / (2 * h);
    }
    return status;
}

lb_status lb_effector_motion(lb_kinematics *k, const lb_effector *effector, const double *pose, const double *rate,
                             const double *acceleration, double velocity_w[6], double *acceleration_w) {
    if (!k || !effector || !pose || !rate || !velocity_w || (acceleration_w && !acceleration)) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_figure *f = lb_kinematics_figure(k);
    if (!lbm_all_finite(rate, f->variable_count) ||
        (acceleration && !lbm_all_finite(acceleration, f->variable_count))) {
        return LB_ERROR_ARGUMENT;
    }
    size_t room = 7 * (size_t)f->variable_count;
    double *work = lbf_new(&f->draft.allocator, room, sizeof *work);
    if (!work) {
        return LB_ERROR_MEMORY;
    }
    lb_status status = LB_OK;
    if (acceleration_w) {
        status = twist_rate(k, effector, pose, rate, acceleration, work, acceleration_w);
    }
    if (!status) {
        status = twist(k, effector, pose, rate, work, velocity_w);
    }
    lbf_delete(&f->draft.allocator, work, room, sizeof *work);
    return status;
}
