#include "geometry.h"

#include <math.h>
#include <string.h>

#define MOST_POINTS 64

double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double distance3(const double a[3], const double b[3]) {
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot3(d, d));
}

double angle_between(const double a[3], const double b[3]) {
    const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return atan2(sqrt(dot3(cross, cross)), dot3(a, b));
}

void turn(const double m[12], const double v[3], double out[3]) {
    const double copy[3] = {v[0], v[1], v[2]};
    for (int i = 0; i < 3; i++) {
        out[i] = m[4 * i] * copy[0] + m[4 * i + 1] * copy[1] + m[4 * i + 2] * copy[2];
    }
}

void carry(const double m[12], const double v[3], double out[3]) {
    turn(m, v, out);
    for (int i = 0; i < 3; i++) {
        out[i] += m[4 * i + 3];
    }
}

/* Twice the area of the triangle o, a, b: positive where it turns left. */
static double area(const double o[2], const double a[2], const double b[2]) {
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

static double point_to_edge(const double p[2], const double a[2], const double b[2]) {
    const double d[2] = {b[0] - a[0], b[1] - a[1]}, length2 = d[0] * d[0] + d[1] * d[1];
    double t = length2 > 0 ? ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(p[0] - a[0] - t * d[0], p[1] - a[1] - t * d[1]);
}

/* The hull by wrapping: from the lowest point on, the next corner is the one that has all others on its left. Returns the
 * number of corners. */
static int wrap(const double (*points)[2], int count, double corners[MOST_POINTS][2]) {
    int first = 0, at, found = 0;
    for (int i = 1; i < count; i++) {
        if (points[i][1] < points[first][1] || (points[i][1] == points[first][1] && points[i][0] < points[first][0])) {
            first = i;
        }
    }
    at = first;
    do {
        int next = at == 0 ? 1 : 0;
        memcpy(corners[found++], points[at], sizeof corners[0]);
        for (int i = 0; i < count; i++) {
            const double turns = area(points[at], points[next], points[i]);
            const double further = hypot(points[i][0] - points[at][0], points[i][1] - points[at][1]) -
                                   hypot(points[next][0] - points[at][0], points[next][1] - points[at][1]);
            if (i != at && (turns < 0 || (turns == 0 && further > 0))) {
                next = i;
            }
        }
        at = next;
    } while (at != first && found < count && found < MOST_POINTS);
    return found;
}

double outside_hull(const double (*points)[2], int count, const double at[2]) {
    double corners[MOST_POINTS][2], nearest = INFINITY, around = 0;
    int is_inside = 1;
    if (count < 1 || count > MOST_POINTS) {
        return INFINITY;
    }
    if (count == 1) {
        return point_to_edge(at, points[0], points[0]);
    }
    const int found = wrap(points, count, corners);
    for (int i = 0; i < found; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % found];
        around += area(corners[0], a, b);
        is_inside = is_inside && area(a, b, at) > 0;
        nearest = fmin(nearest, point_to_edge(at, a, b));
    }
    return is_inside && around > 0 ? -nearest : nearest;
}

static double point_to_segment(const double p[3], const double a[3], const double b[3]) {
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, e[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
    const double length2 = dot3(d, d);
    double t = length2 > 0 ? dot3(e, d) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const double foot[3] = {a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]};
    return distance3(p, foot);
}

/* Either an end of one is nearest to the other, or both are nearest in between, at the feet of the common normal. */
double segment_distance(const double a[3], const double b[3], const double c[3], const double d[3]) {
    double least = fmin(fmin(point_to_segment(a, c, d), point_to_segment(b, c, d)),
                        fmin(point_to_segment(c, a, b), point_to_segment(d, a, b)));
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {d[0] - c[0], d[1] - c[1], d[2] - c[2]};
    const double w[3] = {a[0] - c[0], a[1] - c[1], a[2] - c[2]};
    const double uu = dot3(u, u), uv = dot3(u, v), vv = dot3(v, v), uw = dot3(u, w), vw = dot3(v, w);
    const double determinant = uu * vv - uv * uv;
    if (determinant > 1e-14 * uu * vv) {
        const double s = (uv * vw - vv * uw) / determinant, t = (uu * vw - uv * uw) / determinant;
        if (s > 0 && s < 1 && t > 0 && t < 1) {
            const double p[3] = {a[0] + s * u[0], a[1] + s * u[1], a[2] + s * u[2]};
            const double q[3] = {c[0] + t * v[0], c[1] + t * v[1], c[2] + t * v[2]};
            least = fmin(least, distance3(p, q));
        }
    }
    return least;
}
