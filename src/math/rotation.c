#include "math/rotation.h"

#include "math/trig.h"

void lb_frame_identity(lb_frame *frame) {
    if (!frame) {
        return;
    }
    lbm_set3(frame->position, 0, 0, 0);
    lbm_set3(frame->rotation, 0, 0, 0);
    frame->rotation[3] = 1;
}

void lbm_quaternion_multiply(const double a[4], const double b[4], double out[4]) {
    double x = a[3] * b[0] + a[0] * b[3] + (a[1] * b[2] - a[2] * b[1]);
    double y = a[3] * b[1] + a[1] * b[3] + (a[2] * b[0] - a[0] * b[2]);
    double z = a[3] * b[2] + a[2] * b[3] + (a[0] * b[1] - a[1] * b[0]);
    double w = a[3] * b[3] - (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    lbm_set3(out, x, y, z);
    out[3] = w;
}

void lb_rotation_multiply(const double a[4], const double b[4], double out[4]) {
    if (!a || !b || !out) {
        return;
    }
    lbm_quaternion_multiply(a, b, out);
    lbm_quaternion_normalise(out);
}

int lbm_quaternion_normalise(double q[4]) {
    double largest = 0;
    for (int i = 0; i < 4; i++) {
        if (!lbm_is_finite(q[i])) {
            return 0;
        }
        if (fabs(q[i]) > largest) {
            largest = fabs(q[i]);
        }
    }
    if (largest == 0) {
        return 0;
    }
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (fabs(square - 1) < 4e-15) {
        return 1;
    }
    for (int i = 0; i < 4; i++) {
        q[i] /= largest;
    }
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) {
        q[i] /= norm;
    }
    return 1;
}

void lbm_quaternion_rotate(const double q[4], const double v[3], double out[3]) {
    double t[3], c[3];
    lbm_cross3(q, v, t);
    for (int i = 0; i < 3; i++) {
        t[i] = 2 * t[i];
    }
    lbm_cross3(q, t, c);
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] + q[3] * t[i] + c[i];
    }
}

void lb_frame_multiply(const lb_frame *a, const lb_frame *b, lb_frame *out) {
    if (!a || !b || !out) {
        return;
    }
    lb_frame result;
    lbm_quaternion_rotate(a->rotation, b->position, result.position);
    for (int i = 0; i < 3; i++) {
        result.position[i] += a->position[i];
    }
    lb_rotation_multiply(a->rotation, b->rotation, result.rotation);
    *out = result;
}

void lb_frame_invert(const lb_frame *frame, lb_frame *out) {
    if (!frame || !out) {
        return;
    }
    lb_frame result;
    for (int i = 0; i < 3; i++) {
        result.rotation[i] = -frame->rotation[i];
    }
    result.rotation[3] = frame->rotation[3];
    lbm_quaternion_rotate(result.rotation, frame->position, result.position);
    for (int i = 0; i < 3; i++) {
        result.position[i] = -result.position[i];
    }
    *out = result;
}

lb_status lb_rotation_about(const double axis[3], double angle_rad, double rotation[4]) {
    if (!axis || !rotation) {
        return LB_ERROR_ARGUMENT;
    }
    if (!lbm_all_finite(axis, 3) || !lbm_is_finite(angle_rad)) {
        return LB_ERROR_ARGUMENT;
    }
    double norm = lbm_safe_norm3(axis);
    if (norm == 0 || !lbm_is_finite(norm)) {
        return LB_ERROR_ARGUMENT;
    }
    double s, c;
    lbm_sincos(0.5 * angle_rad, &s, &c);
    for (int i = 0; i < 3; i++) {
        rotation[i] = axis[i] / norm * s;
    }
    rotation[3] = c;
    lbm_quaternion_normalise(rotation);
    return LB_OK;
}

void lb_rotation_from_rpy(const double rpy_rad[3], double rotation[4]) {
    if (!rpy_rad || !rotation) {
        return;
    }
    double s[3], c[3];
    for (int i = 0; i < 3; i++) {
        lbm_sincos(0.5 * rpy_rad[i], &s[i], &c[i]);
    }
    double roll[4] = {s[0], 0, 0, c[0]}, pitch[4] = {0, s[1], 0, c[1]}, yaw[4] = {0, 0, s[2], c[2]}, half[4];
    lbm_quaternion_multiply(yaw, pitch, half);
    lb_rotation_multiply(half, roll, rotation);
}

/* Near straight up or down roll and yaw are nearly one turn, and each alone is ill determined. So the yaw is taken as
 * it comes, and the roll from what is left when it is undone: together they are the rotation to full precision,
 * everywhere. */
void lb_rotation_to_rpy(const double rotation[4], double rpy_rad[3]) {
    if (!rotation || !rpy_rad) {
        return;
    }
    double m[9], s, c;
    lb_rotation_to_matrix(rotation, m);
    double yaw = lbm_atan2(m[3], m[0]);
    lbm_sincos(yaw, &s, &c);
    rpy_rad[0] = lbm_atan2(s * m[2] - c * m[5], c * m[4] - s * m[1]);
    rpy_rad[1] = lbm_atan2(-m[6], c * m[0] + s * m[3]);
    rpy_rad[2] = yaw;
}

void lb_rotation_to_matrix(const double q[4], double m[9]) {
    if (!q || !m) {
        return;
    }
    double x = q[0], y = q[1], z = q[2], w = q[3];
    m[0] = 1 - 2 * (y * y + z * z);
    m[1] = 2 * (x * y - z * w);
    m[2] = 2 * (x * z + y * w);
    m[3] = 2 * (x * y + z * w);
    m[4] = 1 - 2 * (x * x + z * z);
    m[5] = 2 * (y * z - x * w);
    m[6] = 2 * (x * z - y * w);
    m[7] = 2 * (y * z + x * w);
    m[8] = 1 - 2 * (x * x + y * y);
}

/* Shepperd's method: the largest of the four components is taken from the diagonal, so nothing cancels. The sign is
 * chosen so that w >= 0. */
void lb_rotation_from_matrix(const double m[9], double q[4]) {
    if (!m || !q) {
        return;
    }
    double trace = m[0] + m[4] + m[8];
    if (trace >= m[0] && trace >= m[4] && trace >= m[8]) {
        q[3] = 1 + trace;
        lbm_set3(q, m[7] - m[5], m[2] - m[6], m[3] - m[1]);
    } else if (m[0] >= m[4] && m[0] >= m[8]) {
        lbm_set3(q, 1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]);
        q[3] = m[7] - m[5];
    } else if (m[4] >= m[8]) {
        lbm_set3(q, m[1] + m[3], 1 + m[4] - m[0] - m[8], m[5] + m[7]);
        q[3] = m[2] - m[6];
    } else {
        lbm_set3(q, m[2] + m[6], m[5] + m[7], 1 + m[8] - m[0] - m[4]);
        q[3] = m[3] - m[1];
    }
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (q[3] < 0) {
        norm = -norm;
    }
    for (int i = 0; i < 4; i++) {
        q[i] /= norm;
    }
}

void lbm_transform_from_frame(const lb_frame *frame, lbm_transform *t) {
    double m[9];
    lb_rotation_to_matrix(frame->rotation, m);
    memset(t, 0, sizeof *t);
    for (int i = 0; i < 3; i++) {
        t->x[i] = m[3 * i];
        t->y[i] = m[3 * i + 1];
        t->z[i] = m[3 * i + 2];
        t->p[i] = frame->position[i];
    }
}

void lbm_transform_to_frame(const lbm_transform *t, lb_frame *frame) {
    double m[9];
    for (int i = 0; i < 3; i++) {
        m[3 * i] = t->x[i];
        m[3 * i + 1] = t->y[i];
        m[3 * i + 2] = t->z[i];
        frame->position[i] = t->p[i];
    }
    lb_rotation_from_matrix(m, frame->rotation);
}

/* Series in u = theta^2 up to theta = 0.5, where the direct forms still lose at most three digits of b's cancellation
 * and the next term of the series is below 1e-17. */
void lbm_exponential_at(const double v[3], lbm_exponential *e) {
    double u = lbm_dot3(v, v);
    if (u < 0.25) {
        e->s = 1 + u * (-1.0 / 6 +
                        u * (1.0 / 120 + u * (-1.0 / 5040 +
                                              u * (1.0 / 362880 + u * (-1.0 / 39916800 + u * (1.0 / 6227020800.0))))));
        e->a = 0.5 + u * (-1.0 / 24 +
                          u * (1.0 / 720 + u * (-1.0 / 40320 + u * (1.0 / 3628800 + u * (-1.0 / 479001600.0 +
                                                                                         u * (1.0 / 87178291200.0))))));
        e->b = 1.0 / 6 +
               u * (-1.0 / 120 +
                    u * (1.0 / 5040 + u * (-1.0 / 362880 + u * (1.0 / 39916800 + u * (-1.0 / 6227020800.0 +
                                                                                      u * (1.0 / 1307674368000.0))))));
        e->da = -1.0 / 12 +
                u * (4.0 / 720 +
                     u * (-6.0 / 40320 + u * (8.0 / 3628800 + u * (-10.0 / 479001600.0 + u * (12.0 / 87178291200.0)))));
        e->db =
            -2.0 / 120 +
            u * (4.0 / 5040 + u * (-6.0 / 362880 +
                                   u * (8.0 / 39916800 + u * (-10.0 / 6227020800.0 + u * (12.0 / 1307674368000.0)))));
        return;
    }
    double theta = sqrt(u), s, c;
    lbm_sincos(theta, &s, &c);
    e->s = s / theta;
    e->a = (1 - c) / u;
    e->b = (theta - s) / (u * theta);
    e->da = (e->s - 2 * e->a) / u;
    e->db = (e->a - 3 * e->b) / u;
}

void lbm_exponential_columns(const double v[3], const lbm_exponential *e, double rotation[3][3],
                             double jacobian[3][3]) {
    double u = lbm_dot3(v, v);
    for (int j = 0; j < 3; j++) {
        double unit[3] = {0, 0, 0}, turn[3];
        unit[j] = 1;
        lbm_cross3(v, unit, turn); /* [v] e_j; [v]^2 e_j = v v_j - u e_j */
        for (int i = 0; i < 3; i++) {
            double twice = v[i] * v[j] - u * unit[i];
            rotation[j][i] = unit[i] + e->s * turn[i] + e->a * twice;
            jacobian[j][i] = unit[i] + e->a * turn[i] + e->b * twice;
        }
    }
}

void lbm_exponential_second(const double v[3], const lbm_exponential *e, int i, int j, double out[3]) {
    double unit_i[3] = {0, 0, 0}, unit_j[3] = {0, 0, 0}, turn[3], both[3];
    unit_i[i] = 1;
    unit_j[j] = 1;
    lbm_cross3(v, unit_j, turn);
    lbm_cross3(unit_i, unit_j, both);
    double u = lbm_dot3(v, v);
    for (int k = 0; k < 3; k++) {
        double twice = v[k] * v[j] - u * unit_j[k];
        double twice_i = unit_i[k] * v[j] + v[k] * unit_i[j] - 2 * v[i] * unit_j[k];
        out[k] = e->da * v[i] * turn[k] + e->a * both[k] + e->db * v[i] * twice + e->b * twice_i;
    }
}

void lbm_exponential_quaternion(const double v[3], double q[4]) {
    double angle = lbm_norm3(v), s, c;
    lbm_sincos(0.5 * angle, &s, &c);
    double scale = angle < 1e-8 ? 0.5 : s / angle;
    for (int i = 0; i < 3; i++) {
        q[i] = scale * v[i];
    }
    q[3] = c;
}

void lbm_logarithm(const double rotation[4], double v[3]) {
    double sign = rotation[3] < 0 ? -1 : 1;
    double norm = lbm_norm3(rotation);
    double scale = norm < 1e-8 ? 2 : 2 * lbm_atan2(norm, sign * rotation[3]) / norm;
    for (int i = 0; i < 3; i++) {
        v[i] = sign * scale * rotation[i];
    }
}
