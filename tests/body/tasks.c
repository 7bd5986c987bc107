#include "tasks.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "geometry.h"

#define REACH 1
#define SYMMETRIC 2
#define LOW 4
#define SEATED 8

static const struct {
    const char *name;
    int is;
} table[] = {
    {"r01_chest", REACH},
    {"r02_waist", REACH},
    {"r03_side", REACH},
    {"r04_sideflat", REACH},
    {"r05_cross", REACH},
    {"r06_upfront", REACH},
    {"r07_overhead", REACH},
    {"r08_behindlow", REACH},
    {"r09_behindmid", 0},
    {"r10_lowfront", REACH},
    {"r11_farfront", 0},
    {"r12_farlow", 0},
    {"r13_farside", 0},
    {"r14_farcross", 0},
    {"r15_kneefront", LOW},
    {"r16_sidelow", 0},
    {"r17_floorfront", LOW},
    {"r18_floorside", LOW},
    {"r19_highshelf", 0},
    {"r20_farbehind", 0},
    {"t21_lowbox", SYMMETRIC | LOW},
    {"t22_shelf2", SYMMETRIC},
    {"t23_table2", SYMMETRIC},
    {"t24_leantable", 0},
    {"t25_hip", REACH},
    {"t26_chest", REACH},
    {"t27_head", REACH},
    {"t28_oppshould", REACH},
    {"t29_knee", 0},
    {"t30_lookL", 0},
    {"t31_lookR", 0},
    {"t32_lookfloor", SYMMETRIC},
    {"t33_lookceil", SYMMETRIC},
    {"t34_sit", SYMMETRIC | SEATED},
    {"t35_kneel", 0},
    {"t36_squat", SYMMETRIC | LOW},
    {"t37_step", 0},
    {"t38_wall", SYMMETRIC},
    {"t39_tube", 0},
    {"t40_box1", 0},
    {"t41_box2", 0},
};
const int task_count = sizeof table / sizeof *table;

const char *task_name(int index) { return table[index].name; }

static void copy_name(char to[TASK_NAME], const char *from) {
    REQUIRE(from && strlen(from) < TASK_NAME);
    strcpy(to, from);
}

/* --- From a file ------------------------------------------------------------------------------------- */

static void take_goal(task *t, const lb_figure *figure, const lb_constraint *c) {
    int segment = -1, site = -1;
    REQUIRE(t->goal_count < TASK_GOALS);
    task_goal *g = &t->goals[t->goal_count++];
    copy_name(g->effector, c->name);
    REQUIRE(lb_figure_find_place(figure, c->name, &segment, &site, NULL) == LB_OK && site >= 0);
    REQUIRE(c->effector.segment == segment &&
            distance3(c->effector.point, lb_figure_site(figure, site)->frame.position) < 1e-12);
    REQUIRE(c->goal.kind == LB_GOAL_POSITION || c->goal.kind == LB_GOAL_FRAME || c->goal.kind == LB_GOAL_PLANE ||
            c->goal.kind == LB_GOAL_LINE || c->goal.kind == LB_GOAL_AIM);
    g->kind = c->goal.kind;
    if (c->goal.carrier_segment >= 0) {
        copy_name(g->carrier, lb_figure_segment(figure, c->goal.carrier_segment)->name);
    }
    memcpy(g->point, c->goal.point, sizeof g->point);
    memcpy(g->x, c->goal.x, sizeof g->x);
    memcpy(g->y, c->goal.y, sizeof g->y);
    memcpy(g->normal, c->goal.normal, sizeof g->normal);
    g->has_x = c->goal.kind == LB_GOAL_FRAME && c->goal.degrees_x > 0;
    g->has_y = c->goal.kind == LB_GOAL_FRAME && c->goal.degrees_y > 0;
}

static void take_support(task *t, const lb_figure *figure, const lb_body_options *options, const lb_support *support) {
    REQUIRE(t->support_count < TASK_SUPPORTS);
    task_support *s = &t->supports[t->support_count++];
    copy_name(s->contact, lb_figure_body(figure)->contacts[support->contact].name);
    if (support->surface < 0) {
        copy_name(s->surface, "floor");
        s->half_size[0] = s->half_size[1] = INFINITY;
        s->point[2] = options->floor;
        return;
    }
    const lb_surface *surface = &options->surfaces[support->surface];
    copy_name(s->surface, surface->name);
    memcpy(s->point, surface->point, sizeof s->point);
    memcpy(s->half_size, surface->half_size, sizeof s->half_size);
}

lb_problem_file *task_load(int index, task *t) {
    char relative[128], path[1200], models[1024];
    lb_problem_file *file = NULL;
    lb_load_options options;
    lb_error error;
    memset(t, 0, sizeof *t);
    copy_name(t->name, table[index].name);
    t->is_reach = (table[index].is & REACH) != 0;
    t->is_symmetric = (table[index].is & SYMMETRIC) != 0;
    t->is_low = (table[index].is & LOW) != 0;
    t->is_seated = (table[index].is & SEATED) != 0;
    snprintf(relative, sizeof relative, "problems/body/%s.json", t->name);
    REQUIRE(check_source(relative, path, sizeof path));
    REQUIRE(check_source("models", models, sizeof models));
    lb_load_options_defaults(&options);
    options.models = models;
    if (!CHECK_INT(lb_problem_load(path, &options, &file, &error), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
        exit(check_done());
    }
    const lb_problem *problem = lb_problem_file_problem(file);
    const lb_figure *figure = lb_problem_figure(problem, 0);
    const lb_body_options *body = lb_problem_body(problem, 0);
    REQUIRE(body && lb_problem_figure_count(problem) == 1);
    for (int k = 0; k < lb_problem_constraint_count(problem); k++) {
        take_goal(t, figure, lb_problem_constraint(problem, k));
    }
    for (int k = 0; k < body->support_count; k++) {
        take_support(t, figure, body, &body->supports[k]);
    }
    return file;
}

/* --- To a problem ------------------------------------------------------------------------------------ */

static void add_goal(lb_problem *problem, const lb_figure *figure, const task_goal *g) {
    int segment = -1, site = -1;
    lb_constraint c;
    lb_constraint_defaults(&c);
    REQUIRE(lb_figure_find_place(figure, g->effector, &segment, &site, NULL) == LB_OK);
    REQUIRE(lb_effector_from_site(figure, site, &c.effector) == LB_OK);
    c.name = g->effector;
    c.goal.kind = g->kind;
    if (g->carrier[0]) {
        c.goal.carrier_segment = lb_figure_find_segment(figure, g->carrier);
        REQUIRE(c.goal.carrier_segment >= 0);
    }
    memcpy(c.goal.point, g->point, sizeof g->point);
    memcpy(c.goal.x, g->x, sizeof g->x);
    memcpy(c.goal.y, g->y, sizeof g->y);
    memcpy(c.goal.normal, g->normal, sizeof g->normal);
    if (g->kind == LB_GOAL_FRAME) {
        c.goal.degrees_x = g->has_x ? c.goal.degrees_x : 0;
        c.goal.degrees_y = g->has_y ? c.goal.degrees_y : 0;
    }
    if (lb_problem_add(problem, &c) < 0) {
        printf("%s\n", lb_problem_error(problem)->message);
        REQUIRE(!"a goal was refused");
    }
}

static int contact_called(const lb_body *body, const char *name) {
    for (int k = 0; k < body->contact_count; k++) {
        if (strcmp(body->contacts[k].name, name) == 0) {
            return k;
        }
    }
    printf("the body has no contact `%s`\n", name);
    REQUIRE(!"a contact is missing");
    return -1;
}

lb_problem *task_problem(const task *t, const lb_figure *figure) {
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_surface surfaces[TASK_SUPPORTS];
    lb_support supports[TASK_SUPPORTS];
    lb_body_options options;
    REQUIRE(problem && lb_figure_body(figure));
    lb_body_options_defaults(&options);
    for (int k = 0; k < t->goal_count; k++) {
        add_goal(problem, figure, &t->goals[k]);
    }
    for (int k = 0; k < t->support_count; k++) {
        const task_support *s = &t->supports[k];
        int surface = strcmp(s->surface, "floor") == 0 ? -1 : options.surface_count;
        for (int i = 0; surface >= 0 && i < options.surface_count; i++) {
            surface = strcmp(surfaces[i].name, s->surface) == 0 ? i : surface;
        }
        if (surface == options.surface_count) {
            surfaces[surface] = (lb_surface){.name = s->surface}; /* level */
            memcpy(surfaces[surface].point, s->point, sizeof s->point);
            memcpy(surfaces[surface].half_size, s->half_size, sizeof s->half_size);
            options.surface_count++;
        }
        supports[k] = (lb_support){contact_called(lb_figure_body(figure), s->contact), surface};
    }
    options.surfaces = surfaces;
    options.supports = supports;
    options.support_count = t->support_count;
    REQUIRE(lb_problem_set_body(problem, 0, &options) == LB_OK);
    return problem;
}

/* --- Mirrored, and scaled ----------------------------------------------------------------------------- */

void other_side(const char *name, char other[TASK_NAME]) {
    REQUIRE(strlen(name) + 2 < TASK_NAME);
    if (strncmp(name, "right_", 6) == 0) {
        sprintf(other, "left_%s", name + 6);
    } else if (strncmp(name, "left_", 5) == 0) {
        sprintf(other, "right_%s", name + 5);
    } else {
        strcpy(other, name);
    }
}

/* How the axes of a site's or segment's frame are mirrored into those of its counterpart: +1 or -1 each. */
static void signs_of(const lb_kinematics *kinematics, const char *name, double signs[3]) {
    const lb_figure *figure = lb_kinematics_figure(kinematics);
    char other[TASK_NAME];
    double m[2][9];
    other_side(name, other);
    for (int k = 0; k < 2; k++) {
        lb_frame frame;
        int segment = -1, site = -1;
        REQUIRE(lb_figure_find_place(figure, k ? other : name, &segment, &site, NULL) == LB_OK);
        if (site >= 0) {
            lb_kinematics_site(kinematics, site, &frame);
        } else {
            lb_kinematics_segment(kinematics, segment, &frame);
        }
        lb_rotation_to_matrix(frame.rotation, m[k]);
    }
    for (int axis = 0; axis < 3; axis++) {
        signs[axis] = m[0][axis] * m[1][axis] - m[0][3 + axis] * m[1][3 + axis] + m[0][6 + axis] * m[1][6 + axis];
        CHECK_NEAR(fabs(signs[axis]), 1, 1e-9);
        signs[axis] = signs[axis] > 0 ? 1 : -1;
    }
}

static void multiply(double v[3], const double signs[3], double factor) {
    for (int i = 0; i < 3; i++) {
        v[i] *= signs[i] * factor;
    }
}

static void mirror_goal(const lb_kinematics *kinematics, task_goal *g) {
    double space[3] = {1, -1, 1}, effector[3];
    char name[TASK_NAME];
    signs_of(kinematics, g->effector, effector);
    if (g->carrier[0]) {
        signs_of(kinematics, g->carrier, space);
    }
    multiply(g->point, space, 1);
    multiply(g->normal, space, 1);
    multiply(g->x, space, effector[0]);
    multiply(g->y, space, effector[1]);
    other_side(g->effector, name);
    strcpy(g->effector, name);
    other_side(g->carrier, name);
    strcpy(g->carrier, name);
}

void task_mirror(const task *t, const lb_figure *figure, task *mirrored) {
    double *rest = malloc((size_t)lb_figure_variable_count(figure) * sizeof *rest);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    char name[TASK_NAME];
    REQUIRE(rest && kinematics);
    lb_figure_rest_pose(figure, rest);
    REQUIRE(lb_kinematics_update(kinematics, rest) == LB_OK);
    *mirrored = *t;
    for (int k = 0; k < t->goal_count; k++) {
        mirror_goal(kinematics, &mirrored->goals[k]);
    }
    for (int k = 0; k < t->support_count; k++) {
        task_support *s = &mirrored->supports[k];
        other_side(s->contact, name);
        strcpy(s->contact, name);
        s->point[1] *= -1;
    }
    lb_kinematics_destroy(kinematics);
    free(rest);
}

void task_scale(const task *t, double factor, task *scaled) {
    static const double ones[3] = {1, 1, 1};
    *scaled = *t;
    for (int k = 0; k < t->goal_count; k++) {
        multiply(scaled->goals[k].point, ones, factor);
    }
    for (int k = 0; k < t->support_count; k++) {
        multiply(scaled->supports[k].point, ones, factor);
        scaled->supports[k].half_size[0] *= factor;
        scaled->supports[k].half_size[1] *= factor;
    }
}

/* Of the variables in the middle those that bend to a side change their sign; those of limbs change sides. */
void pose_mirror(const lb_figure *figure, const double *pose, double *mirrored) {
    static const char *const sideways[] = {"root.y",      "root.rx",      "root.rz",    "spine.lateral",
                                           "spine.axial", "neck.lateral", "neck.twist", "head.twist"};
    char other[TASK_NAME];
    for (int k = 0; k < lb_figure_variable_count(figure); k++) {
        const char *name = lb_figure_variable(figure, k)->name;
        double sign = strstr(name, "eye.turn") ? -1 : 1; /* both eyes turn to the left where it is positive */
        for (size_t i = 0; i < sizeof sideways / sizeof *sideways; i++) {
            sign = strcmp(name, sideways[i]) == 0 ? -1 : sign;
        }
        other_side(name, other);
        int to = lb_figure_find_variable(figure, other);
        REQUIRE(to >= 0);
        mirrored[to] = sign * pose[k];
    }
}
