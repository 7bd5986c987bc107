/* Geometry of the checks of bodies: written for them alone, and with other formulas than the library's. */
#ifndef LIMBER_TESTS_BODY_GEOMETRY_H
#define LIMBER_TESTS_BODY_GEOMETRY_H

double dot3(const double a[3], const double b[3]);
double distance3(const double a[3], const double b[3]);
/* The angle between two vectors of any length but 0, exact also where it is small. */
double angle_between(const double a[3], const double b[3]);
/* out = rotation part of the 3 x 4 matrix, row by row, times v. */
void turn(const double matrix[12], const double v[3], double out[3]);
/* out = the matrix times the point v. */
void carry(const double matrix[12], const double v[3], double out[3]);

/* How far (x, y) lies outside the convex hull of points, seen from above; negative: inside, by the distance to the nearest
 * edge. Fewer than three points, or points on a line, enclose nothing: then it is the distance to them, or without
 * end where there are none. At most 64 points. */
double outside_hull(const double (*points)[2], int count, const double at[2]);

/* The distance between the segments from a to b and from c to d. */
double segment_distance(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
