/* What the tests of models/ share: a figure with its kinematics and a pose. */
#ifndef LIMBER_TESTS_MODEL_H
#define LIMBER_TESTS_MODEL_H

#include <limber/io.h>

#define PI 3.14159265358979323846
#define DEG (PI / 180)
#define MAX_VARIABLES 128

typedef struct model {
    lb_figure *figure;
    lb_kinematics *kinematics;
    double pose[MAX_VARIABLES]; /* the rest pose, until it is changed */
} model;

/* Any figure, or one of models/ by its name; the test ends if it cannot be read. options may be NULL. */
model open_path(const char *path, const lb_load_options *options);
model open_model(const char *name, const lb_load_options *options);
void close_model(model *m);
/* Sets a value of the pose by name; the kinematics are not updated. */
void set(model *m, const char *variable, double value);
/* In the world, as of the last update; a failed check if there is no such site. */
lb_frame site_frame(model *m, const char *name);
double site_height(model *m, const char *name);

double distance(const double a[3], const double b[3]);
/* Twice the distance of two quaternions, whatever their signs: the angle between two rotations, where it is small. */
double turn_between(const double a[4], const double b[4]);

#endif
