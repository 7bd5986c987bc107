/* What a pose is worth: by how much it misses the goals, how far it is from its limits, how well and at what cost it
 * moves. */
#include "map/map.h"

#include "math/trig.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.80665

struct lbmap_measure {
    const lbmap_plan *plan;
    const lbmap_setup *setup;
    lb_kinematics *kinematics;
    const double *pose; /* that was given last */
    double *jacobian;   /* [9][variable_count] */
    int has_rotation, has_axis;
};

lbmap_measure *lbmap_measure_create(const lbmap_plan *plan, const lbmap_setup *setup, lb_error *error) {
    lbmap_measure *m = calloc(1, sizeof *m);
    if (m) {
        *m = (lbmap_measure){
            .plan = plan, .setup = setup, .has_rotation = plan->has_orientations, .has_axis = plan->options.axis >= 0};
        m->kinematics = lb_kinematics_create(setup->figure, error);
        m->jacobian = malloc(9 * ((size_t)setup->variable_count + 1) * sizeof *m->jacobian);
    }
    if (!m || !m->kinematics || !m->jacobian) {
        lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "no memory for the map");
        lbmap_measure_destroy(m);
        return NULL;
    }
    return m;
}

void lbmap_measure_destroy(lbmap_measure *m) {
    if (m) {
        lb_kinematics_destroy(m->kinematics);
        free(m->jacobian);
        free(m);
    }
}

/* The angle between two unit vectors, accurate for small ones. */
static double angle_between(const double a[3], const double b[3]) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
        square += (a[i] - b[i]) * (a[i] - b[i]);
    }
    const double half = sqrt(square) / 2;
    return half < 0.5 ? 2 * half * (1 + half * half / 6) : 2 * lbm_asin(half < 1 ? half : 1);
}

void lbmap_measure_miss(lbmap_measure *m, const double *pose, const lb_frame *goals, lbmap_worth *worth) {
    memset(worth, 0, sizeof *worth);
    m->pose = pose;
    lb_kinematics_update(m->kinematics, pose);
    for (int s = 0; s < m->setup->site_count; s++) {
        double e[9], matrix[9], square = 0;
        lb_kinematics_effector(m->kinematics, &m->setup->effectors[s], e);
        for (int i = 0; i < 3; i++) {
            square += (e[i] - goals[s].position[i]) * (e[i] - goals[s].position[i]);
        }
        worth->distance = fmax(worth->distance, sqrt(square));
        if (m->has_rotation) {
            lb_rotation_to_matrix(goals[s].rotation, matrix);
            const double x[3] = {matrix[0], matrix[3], matrix[6]}, y[3] = {matrix[1], matrix[4], matrix[7]};
            worth->angle = fmax(worth->angle, angle_between(e + 3, x));
            worth->angle = m->has_axis ? worth->angle : fmax(worth->angle, angle_between(e + 6, y));
        }
    }
}

double lbmap_measure_margin(const lbmap_measure *m, const double *pose) {
    double least = 1;
    for (int v = 0; v < m->setup->variable_count; v++) {
        const lb_variable *variable = lb_figure_variable(m->setup->figure, v);
        const double half = (variable->upper - variable->lower) / 2;
        if (m->setup->moves[v] && isfinite(half) && half > 0) {
            const double below = pose[v] - variable->lower, above = variable->upper - pose[v];
            least = fmin(least, fmin(below, above) / half);
        }
    }
    return fmax(least, 0);
}

/* Yoshikawa's measure: the square root of det(J J') over the variables that may move. */
static double manipulability_of(lbmap_measure *m) {
    const int n = m->setup->variable_count, rows = m->has_rotation && !m->has_axis ? 6 : 3;
    double gram[36], product = 1;
    if (lb_kinematics_twist(m->kinematics, &m->setup->effectors[0], m->jacobian)) {
        return NAN;
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int v = 0; v < n; v++) {
                sum += m->setup->moves[v] ? m->jacobian[i * n + v] * m->jacobian[j * n + v] : 0;
            }
            gram[i * rows + j] = gram[j * rows + i] = sum;
        }
    }
    for (int k = 0; k < rows; k++) { /* elimination without pivots: the matrix is positive semidefinite */
        const double pivot = gram[k * rows + k];
        if (!(pivot > 0)) {
            return 0;
        }
        product *= pivot;
        for (int i = k + 1; i < rows; i++) {
            const double factor = gram[i * rows + k] / pivot;
            for (int j = k + 1; j < rows; j++) {
                gram[i * rows + j] -= factor * gram[k * rows + j];
            }
        }
    }
    return sqrt(product);
}

/* The norm of the torques and forces that gravity asks of the variables that may move. */
static double gravity_of(lbmap_measure *m) {
    const int n = m->setup->variable_count;
    lb_effector com;
    double sum = 0;
    lb_effector_from_com(&com);
    if (lb_kinematics_jacobian(m->kinematics, &com, m->jacobian)) {
        return NAN;
    }
    for (int v = 0; v < n; v++) {
        const double torque = GRAVITY * lb_figure_mass(m->setup->figure) * m->jacobian[2 * n + v];
        sum += m->setup->moves[v] ? torque * torque : 0;
    }
    return sqrt(sum);
}

void lbmap_measure_worth(lbmap_measure *m, lbmap_worth *worth) {
    worth->margin = lbmap_measure_margin(m, m->pose);
    worth->manipulability = manipulability_of(m);
    worth->effort = m->plan->options.has_effort && !m->setup->is_body ? gravity_of(m) : NAN;
}
