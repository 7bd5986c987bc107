#include "model.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

model open_path(const char *path, const lb_load_options *options) {
    model m;
    lb_error error;
    memset(&m, 0, sizeof m);
    memset(&error, 0, sizeof error);
    if (!CHECK(lb_figure_load(path, options, &m.figure, &error) == LB_OK)) {
        printf("%s:%d: %s\n", error.file, error.line, error.message);
        exit(check_done());
    }
    REQUIRE(lb_figure_variable_count(m.figure) <= MAX_VARIABLES);
    m.kinematics = lb_kinematics_create(m.figure, NULL);
    REQUIRE(m.kinematics);
    lb_figure_rest_pose(m.figure, m.pose);
    lb_kinematics_update(m.kinematics, m.pose);
    return m;
}

model open_model(const char *name, const lb_load_options *options) {
    char relative[128], path[1024];
    snprintf(relative, sizeof relative, "models/%s.fig", name);
    REQUIRE(check_source(relative, path, sizeof path));
    return open_path(path, options);
}

void close_model(model *m) {
    lb_kinematics_destroy(m->kinematics);
    lb_figure_destroy(m->figure);
}

void set(model *m, const char *variable, double value) {
    int index = lb_figure_find_variable(m->figure, variable);
    check_note("variable %s", variable);
    REQUIRE(index >= 0);
    check_note("%s", "");
    m->pose[index] = value;
}

lb_frame site_frame(model *m, const char *name) {
    lb_frame frame;
    int site = lb_figure_find_site(m->figure, name);
    lb_frame_identity(&frame);
    check_note("site %s", name);
    CHECK(site >= 0 && lb_kinematics_site(m->kinematics, site, &frame) == LB_OK);
    check_note("%s", "");
    return frame;
}

double site_height(model *m, const char *name) { return site_frame(m, name).position[2]; }

double turn_between(const double a[4], const double b[4]) {
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double cross = 0;
    for (int i = 0; i < 4; i++) {
        double d = a[i] - (dot < 0 ? -b[i] : b[i]);
        cross += d * d;
    }
    return 2 * sqrt(cross);
}

double distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}
