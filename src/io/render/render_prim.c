/* The solids: where a ray meets them, their normals and extents. Rays are taken into the solid's own frame, where
 * each is a quadratic or a set of slabs. */
#include "io/render/render.h"

void lbio_basis(const double n[3], double a[3], double b[3]) {
    double other[3] = {0, 0, 0};
    other[fabs(n[0]) < 0.6 ? 0 : 1] = 1;
    lbio_cross(n, other, a);
    lbio_normalize(a);
    lbio_cross(n, a, b);
}

void lbio_rotate(const double r[9], const double v[3], double out[3]) {
    double x = lbio_dot(r, v), y = lbio_dot(r + 3, v), z = lbio_dot(r + 6, v);
    out[0] = x, out[1] = y, out[2] = z;
}

void lbio_unrotate(const double r[9], const double v[3], double out[3]) {
    double x = r[0] * v[0] + r[3] * v[1] + r[6] * v[2];
    double y = r[1] * v[0] + r[4] * v[1] + r[7] * v[2];
    double z = r[2] * v[0] + r[5] * v[1] + r[8] * v[2];
    out[0] = x, out[1] = y, out[2] = z;
}

static void set_extent(lbio_prim *prim) {
    if (prim->kind == LB_SHAPE_HULL || prim->kind == LB_SHAPE_MESH) {
        lbio_hull_extent(prim);
        return;
    }
    for (int i = 0; i < 3; i++) {
        const double *row = prim->r + 3 * i, *size = prim->size;
        double reach_low, reach_high;
        switch (prim->kind) {
        case LB_SHAPE_BOX:
            reach_high = reach_low = fabs(row[0]) * size[0] + fabs(row[1]) * size[1] + fabs(row[2]) * size[2];
            break;
        case LB_SHAPE_CYLINDER:
            reach_high = reach_low = size[0] * sqrt(row[0] * row[0] + row[1] * row[1]) + fabs(row[2]) * size[1];
            break;
        case LB_SHAPE_ELLIPSOID:
            reach_high = reach_low = sqrt(row[0] * row[0] * size[0] * size[0] + row[1] * row[1] * size[1] * size[1] +
                                          row[2] * row[2] * size[2] * size[2]);
            break;
        case LB_SHAPE_CAPSULE:
            reach_high = fmax(row[2] * size[1] + size[2], -row[2] * size[1] + size[0]);
            reach_low = fmax(-row[2] * size[1] + size[2], row[2] * size[1] + size[0]);
            break;
        default:
            reach_high = reach_low = size[0];
        }
        prim->low[i] = prim->p[i] - reach_low;
        prim->high[i] = prim->p[i] + reach_high;
    }
}

void lbio_prim_finish(lbio_prim *prim) {
    const double least = 1e-5; /* scene units: thinner cannot be seen, and 0 would divide */
    for (int i = 0; i < 3; i++) {
        prim->size[i] = fmax(fabs(prim->size[i]), least);
    }
    if (prim->kind == LB_SHAPE_CAPSULE) {
        double length = 2 * prim->size[1], s = (prim->size[0] - prim->size[2]) / length;
        if (fabs(s) >= 1) { /* one ball swallows the other */
            double sign = s > 0 ? -1 : 1, shift[3] = {0, 0, sign * prim->size[1]}, moved[3];
            lbio_rotate(prim->r, shift, moved);
            lbio_along(prim->p, 1, moved, prim->p);
            prim->size[0] = fmax(prim->size[0], prim->size[2]);
            prim->kind = LB_SHAPE_SPHERE;
        } else {
            prim->cone_s = s;
            prim->cone_c = sqrt(1 - s * s);
        }
    }
    set_extent(prim);
}

/* Ball of radius r about (0, 0, z). Both crossings; 0 where there are none. */
static int ball(const double o[3], const double d[3], double z, double r, double t[2]) {
    double q[3] = {o[0], o[1], o[2] - z};
    double b = lbio_dot(q, d);
    /* The distance of the line from the centre, not b^2 - c, keeps far balls round. */
    double off[3];
    lbio_along(q, -b, d, off);
    double rest = r * r - lbio_dot(off, off);
    if (rest < 0) {
        return 0;
    }
    double h = sqrt(rest);
    t[0] = -b - h, t[1] = -b + h;
    return 1;
}

static int take(lbio_hit *hit, double t, double t_min, int face, double nx, double ny, double nz) {
    if (!(t > t_min && t < hit->t)) {
        return 0;
    }
    hit->t = t, hit->face = face;
    hit->n[0] = nx, hit->n[1] = ny, hit->n[2] = nz;
    return 1;
}

/* The hull of two balls. With z measured from the first centre (radius r1, at the lower end), s = (r1 - r2)/L and c the
 * matching cosine, the tangent cone is rho c + z s = r1 between z = r1 s and z = L + r2 s; beyond those heights the
 * surface is that of the balls. Squaring gives c^2 rho^2 = (r1 - z s)^2, quadratic along a ray. */
static int hit_capsule(const lbio_prim *prim, const double o[3], const double d[3], double t_min, lbio_hit *hit) {
    double r1 = prim->size[0], r2 = prim->size[2], length = 2 * prim->size[1];
    double s = prim->cone_s, c = prim->cone_c;
    double p[3] = {o[0], o[1], o[2] + prim->size[1]}, t[2];
    int found = 0;
    double from = r1 * s, to = length + r2 * s;
    double g = r1 - p[2] * s, c2 = c * c;
    double qa = c2 * (d[0] * d[0] + d[1] * d[1]) - d[2] * d[2] * s * s;
    double qb = c2 * (p[0] * d[0] + p[1] * d[1]) + g * d[2] * s;
    double qc = c2 * (p[0] * p[0] + p[1] * p[1]) - g * g;
    double disc = qb * qb - qa * qc;
    if (disc >= 0 && fabs(qa) > 1e-14) {
        double h = sqrt(disc);
        for (int k = -1; k <= 1; k += 2) {
            double tt = (-qb + k * h) / qa, z = p[2] + tt * d[2];
            if (z >= from && z <= to && tt > t_min && tt < hit->t) {
                double x = p[0] + tt * d[0], y = p[1] + tt * d[1], rho = sqrt(x * x + y * y);
                if (rho > 0) {
                    found |= take(hit, tt, t_min, 0, c * x / rho, c * y / rho, s);
                }
            }
        }
    }
    for (int end = 0; end < 2; end++) {
        double zc = end ? length : 0, r = end ? r2 : r1;
        if (!ball(p, d, zc, r, t)) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            double z = p[2] + t[k] * d[2];
            if (end ? z > to : z < from) {
                found |= take(hit, t[k], t_min, 0, (p[0] + t[k] * d[0]) / r, (p[1] + t[k] * d[1]) / r, (z - zc) / r);
            }
        }
    }
    return found;
}

static int hit_box(const double size[3], const double o[3], const double d[3], double t_min, lbio_hit *hit) {
    double near_t = -INFINITY, far_t = INFINITY;
    int near_axis = 0, far_axis = 0;
    for (int i = 0; i < 3; i++) {
        if (fabs(d[i]) < 1e-300) {
            if (fabs(o[i]) > size[i]) {
                return 0;
            }
            continue;
        }
        double a = (-size[i] - o[i]) / d[i], b = (size[i] - o[i]) / d[i];
        double low = fmin(a, b), high = fmax(a, b);
        if (low > near_t) {
            near_t = low, near_axis = i;
        }
        if (high < far_t) {
            far_t = high, far_axis = i;
        }
    }
    if (near_t > far_t) {
        return 0;
    }
    int is_near = near_t > t_min;
    int axis = is_near ? near_axis : far_axis;
    double t = is_near ? near_t : far_t, n[3] = {0, 0, 0};
    n[axis] = o[axis] + t * d[axis] > 0 ? 1 : -1;
    return take(hit, t, t_min, 1 + 2 * axis + (n[axis] > 0), n[0], n[1], n[2]);
}

static int hit_cylinder(const double size[3], const double o[3], const double d[3], double t_min, lbio_hit *hit) {
    double r = size[0], half = size[1];
    int found = 0;
    double a = d[0] * d[0] + d[1] * d[1];
    if (a > 1e-14) {
        double b = o[0] * d[0] + o[1] * d[1], c = o[0] * o[0] + o[1] * o[1] - r * r, disc = b * b - a * c;
        if (disc < 0) {
            return 0;
        }
        for (int k = -1; k <= 1; k += 2) {
            double t = (-b + k * sqrt(disc)) / a, z = o[2] + t * d[2];
            if (fabs(z) <= half) {
                found |= take(hit, t, t_min, 0, (o[0] + t * d[0]) / r, (o[1] + t * d[1]) / r, 0);
            }
        }
    }
    for (int k = -1; k <= 1 && fabs(d[2]) > 1e-14; k += 2) {
        double t = (k * half - o[2]) / d[2], x = o[0] + t * d[0], y = o[1] + t * d[1];
        if (x * x + y * y <= r * r) {
            found |= take(hit, t, t_min, k < 0 ? 1 : 2, 0, 0, k);
        }
    }
    return found;
}

static int hit_ellipsoid(const double size[3], const double o[3], const double d[3], double t_min, lbio_hit *hit) {
    double so[3], sd[3], t[2];
    for (int i = 0; i < 3; i++) {
        so[i] = o[i] / size[i], sd[i] = d[i] / size[i];
    }
    double length = lbio_normalize(sd);
    int found = 0;
    if (!ball(so, sd, 0, 1, t)) {
        return 0;
    }
    for (int k = 0; k < 2; k++) {
        double n[3], tt = t[k] / length;
        for (int i = 0; i < 3; i++) {
            n[i] = (so[i] + t[k] * sd[i]) / size[i];
        }
        lbio_normalize(n);
        found |= take(hit, tt, t_min, 0, n[0], n[1], n[2]);
    }
    return found;
}

int lbio_prim_hit(const lbio_prim *prim, const lbio_ray *ray, double t_min, lbio_hit *hit) {
    double o[3], d[3], from[3], t[2];
    lbio_along(ray->o, -1, prim->p, from);
    int found = 0;
    if (prim->kind == LB_SHAPE_SPHERE) { /* needs no frame */
        if (ball(from, ray->d, 0, prim->size[0], t)) {
            for (int k = 0; k < 2; k++) {
                double n[3];
                lbio_along(from, t[k], ray->d, n);
                lbio_normalize(n);
                found |= take(hit, t[k], t_min, 0, n[0], n[1], n[2]);
            }
        }
        return found;
    }
    lbio_unrotate(prim->r, from, o);
    lbio_unrotate(prim->r, ray->d, d);
    switch (prim->kind) {
    case LB_SHAPE_CAPSULE:
        found = hit_capsule(prim, o, d, t_min, hit);
        break;
    case LB_SHAPE_BOX:
        found = hit_box(prim->size, o, d, t_min, hit);
        break;
    case LB_SHAPE_HULL:
        found = lbio_hull_hit(prim, o, d, t_min, hit);
        break;
    case LB_SHAPE_MESH:
        found = lbio_mesh_hit(prim, o, d, t_min, hit);
        break;
    case LB_SHAPE_CYLINDER:
        found = hit_cylinder(prim->size, o, d, t_min, hit);
        break;
    default:
        found = hit_ellipsoid(prim->size, o, d, t_min, hit);
        break;
    }
    if (found) {
        lbio_rotate(prim->r, hit->n, hit->n);
    }
    return found;
}

static int add_local(const lbio_prim *prim, double x, double y, double z, double (*points)[3], int count) {
    double local[3] = {x, y, z}, turned[3];
    lbio_rotate(prim->r, local, turned);
    lbio_along(prim->p, 1, turned, points[count]);
    return count + 1;
}

/* Six ends of the axes and eight corners between them, for round solids. */
static int span_round(const lbio_prim *prim, const double size[3], double z, double (*points)[3], int count) {
    double k = sqrt(1.0 / 3);
    for (int i = 0; i < 3; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double v[3] = {0, 0, 0};
            v[i] = sign * size[i];
            count = add_local(prim, v[0], v[1], v[2] + z, points, count);
        }
    }
    for (int i = 0; i < 8; i++) {
        count = add_local(prim, (i & 1 ? k : -k) * size[0], (i & 2 ? k : -k) * size[1], (i & 4 ? k : -k) * size[2] + z,
                          points, count);
    }
    return count;
}

int lbio_prim_span(const lbio_prim *prim, double (*points)[3]) {
    const double *size = prim->size;
    int count = 0;
    if (prim->kind == LB_SHAPE_HULL || prim->kind == LB_SHAPE_MESH) {
        return lbio_hull_span(prim, points);
    }
    if (prim->kind == LB_SHAPE_BOX) {
        for (int i = 0; i < 8; i++) {
            count = add_local(prim, i & 1 ? size[0] : -size[0], i & 2 ? size[1] : -size[1], i & 4 ? size[2] : -size[2],
                              points, count);
        }
    } else if (prim->kind == LB_SHAPE_CYLINDER) {
        for (int i = 0; i < 24; i++) {
            double a = (i / 2) * LBIO_PI / 6;
            count = add_local(prim, size[0] * cos(a), size[0] * sin(a), i & 1 ? size[1] : -size[1], points, count);
        }
    } else if (prim->kind == LB_SHAPE_CAPSULE) {
        double low[3] = {size[0], size[0], size[0]}, high[3] = {size[2], size[2], size[2]};
        count = span_round(prim, low, -size[1], points, count);
        count = span_round(prim, high, size[1], points, count);
    } else if (prim->kind == LB_SHAPE_ELLIPSOID) {
        count = span_round(prim, size, 0, points, count);
    } else {
        double same[3] = {size[0], size[0], size[0]};
        count = span_round(prim, same, 0, points, count);
    }
    return count;
}
