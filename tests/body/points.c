#include "points.h"

#include <math.h>
#include <string.h>

#include "check.h"

#define PI 3.14159265358979323846

lb_figure *load_human(double stature) {
    char path[1024];
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_error error;
    lb_load_options_defaults(&options);
    options.stature = stature;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    if (!CHECK_INT(lb_figure_load(path, &options, &figure, &error), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
        exit(check_done());
    }
    return figure;
}

void reach_task(const char *name, const double point[3], task *t) {
    memset(t, 0, sizeof *t);
    snprintf(t->name, sizeof t->name, "%s", name);
    t->goal_count = 1;
    strcpy(t->goals[0].effector, "right_palm");
    t->goals[0].kind = LB_GOAL_POSITION;
    memcpy(t->goals[0].point, point, sizeof t->goals[0].point);
    t->goals[0].x[0] = t->goals[0].y[1] = t->goals[0].normal[2] = 1;
}

/* The same sequence of numbers that the points of the prototype were drawn by. */
static double draw(unsigned long long *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*state >> 33) / 2147483648.0;
}

void draw_reach(person *p, unsigned long long *state, double point[3]) {
    static const struct {
        const char *variable;
        double least, range;
    } ranges[] = {{"right_shoulder.elevation", -20, 150},
                  {"right_shoulder.abduction", -40, 90},
                  {"right_shoulder.twist", -40, 80},
                  {"right_elbow", 10, 100},
                  {"right_forearm", -40, 80}};
    for (int is_free = 0; !is_free;) {
        double pose[PERSON_VARIABLES];
        memcpy(pose, p->rest, sizeof pose);
        for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
            int variable = lb_figure_find_variable(p->figure, ranges[k].variable);
            REQUIRE(variable >= 0);
            pose[variable] = (ranges[k].least + ranges[k].range * draw(state)) * PI / 180;
        }
        is_free = lb_figure_violation(p->figure, pose) <= 1e-9;
        person_pose(p, pose);
        for (int k = 0; k < p->pair_count && is_free; k++) {
            is_free =
                strcmp(p->body->solids[p->pairs[k][0]].name, "right_upper_arm") == 0 || person_apart(p, k) >= 0.02;
        }
        person_site(p, "right_palm", point);
    }
}

void draw_anywhere(unsigned long long number, double point[3]) {
    check_random random;
    check_random_seed(&random, number);
    const double angle = check_random_range(&random, -PI, PI);
    const double radius = 1.2 * sqrt(check_random_range(&random, 0, 1));
    point[0] = radius * cos(angle);
    point[1] = radius * sin(angle);
    point[2] = check_random_range(&random, 0, 2.1);
}
