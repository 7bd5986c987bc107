/* A picture of what a solve found: the answer with its goals. */
#include "cli/output.h"
#include <limber/body.h>
#include <limber/collisions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARKERS_MOST 4000
#define CIRCLE_SIDES 48
#define DRAWN_MOST 1.5 /* metres: of what has no end so much is drawn to each side */

typedef struct gallery {
    lb_problem *problem;
    lb_kinematics **kinematics; /* [figure], in the answer */
    lb_marker *markers;
    int count, capacity;
} gallery;

static lb_marker *add_marker(gallery *g, lb_marker_kind kind, const lb_frame *frame) {
    if (g->count >= MARKERS_MOST) {
        return NULL;
    }
    if (g->count == g->capacity) {
        int capacity = g->capacity ? 2 * g->capacity : 64;
        lb_marker *bigger = realloc(g->markers, (size_t)capacity * sizeof *bigger);
        if (!bigger) {
            return NULL;
        }
        g->markers = bigger, g->capacity = capacity;
    }
    lb_marker *m = &g->markers[g->count++];
    memset(m, 0, sizeof *m);
    m->kind = kind;
    m->frame = *frame;
    m->shape.color = -1;
    return m;
}

static void add_line(gallery *g, const lb_frame *frame, const double from[3], const double to[3]) {
    lb_frame a = *frame, b = *frame, offset;
    lb_frame_identity(&offset);
    memcpy(offset.position, from, sizeof offset.position);
    lb_frame_multiply(frame, &offset, &a);
    memcpy(offset.position, to, sizeof offset.position);
    lb_frame_multiply(frame, &offset, &b);
    lb_marker *m = add_marker(g, LB_MARKER_LINE, &a);
    if (m) {
        memcpy(m->to, b.position, sizeof m->to);
    }
}

static void add_circle(gallery *g, const lb_frame *frame, double radius, int axis) {
    for (int k = 0; k < CIRCLE_SIDES; k++) {
        double ends[2][3] = {{0, 0, 0}, {0, 0, 0}};
        for (int i = 0; i < 2; i++) {
            double angle = 2 * 3.14159265358979323846 * (k + i) / CIRCLE_SIDES;
            ends[i][(axis + 1) % 3] = radius * cos(angle);
            ends[i][(axis + 2) % 3] = radius * sin(angle);
        }
        add_line(g, frame, ends[0], ends[1]);
    }
}

static void add_edges(gallery *g, const lb_frame *frame, const double half[3]) {
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 4; k++) {
            double ends[2][3];
            for (int i = 0; i < 2; i++) {
                ends[i][axis] = i ? half[axis] : -half[axis];
                ends[i][(axis + 1) % 3] = k & 1 ? half[(axis + 1) % 3] : -half[(axis + 1) % 3];
                ends[i][(axis + 2) % 3] = k & 2 ? half[(axis + 2) % 3] : -half[(axis + 2) % 3];
            }
            add_line(g, frame, ends[0], ends[1]);
        }
    }
}

static void add_obstacle(gallery *g, const lb_goal *goal, const lb_frame *frame) {
    lb_shape shape;
    lb_shape_defaults(&shape);
    shape.kind = goal->kind == LB_GOAL_BOX      ? LB_SHAPE_BOX
                 : goal->kind == LB_GOAL_SPHERE ? LB_SHAPE_SPHERE
                                                : LB_SHAPE_CAPSULE;
    memcpy(shape.size, goal->size, sizeof shape.size);
    if (goal->kind == LB_GOAL_CAPSULE) {
        shape.size[2] = shape.size[0];
    }
    for (int k = 0; k < g->count; k++) { /* many parts keep out of one obstacle */
        const lb_marker *m = &g->markers[k];
        if (m->kind == LB_MARKER_SHAPE && m->shape.kind == shape.kind && memcmp(&m->frame, frame, sizeof *frame) == 0 &&
            memcmp(m->shape.size, shape.size, sizeof shape.size) == 0) {
            return;
        }
    }
    lb_marker *m = add_marker(g, LB_MARKER_SHAPE, frame);
    if (m) {
        m->shape = shape;
        m->shape.color = -1;
    }
}

/* Two directions at right angles to each other, and the third. */
static void rotation_from(const double x[3], const double y[3], double rotation[4]) {
    const double z[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    const double m[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
    lb_rotation_from_matrix(m, rotation);
}

/* Some rotation whose z is a direction. */
static void rotation_to(const double z[3], double rotation[4]) {
    double helper[3] = {fabs(z[0]) < 0.6, fabs(z[0]) >= 0.6, 0}, x[3], y[3], norm = 0;
    for (int i = 0; i < 3; i++) {
        x[i] = helper[(i + 1) % 3] * z[(i + 2) % 3] - helper[(i + 2) % 3] * z[(i + 1) % 3];
        norm += x[i] * x[i];
    }
    for (int i = 0; i < 3; i++) {
        x[i] /= sqrt(norm);
    }
    for (int i = 0; i < 3; i++) {
        y[i] = z[(i + 1) % 3] * x[(i + 2) % 3] - z[(i + 2) % 3] * x[(i + 1) % 3];
    }
    rotation_from(x, y, rotation);
}

/* Frame of a plane or line at the point on it that is nearest to the effector: z along the normal. */
static void nearest_on(const lb_goal *goal, const lb_frame *carrier, const double r[3], lb_frame *frame) {
    lb_frame local, inverse, point;
    double along = 0;
    const double *n = goal->normal;
    lb_frame_invert(carrier, &inverse);
    lb_frame_identity(&point);
    memcpy(point.position, r, sizeof point.position);
    lb_frame_multiply(&inverse, &point, &local);
    for (int i = 0; i < 3; i++) {
        along += (local.position[i] - goal->point[i]) * n[i];
    }
    for (int i = 0; i < 3; i++) {
        local.position[i] =
            goal->kind == LB_GOAL_LINE ? goal->point[i] + along * n[i] : local.position[i] - along * n[i];
    }
    rotation_to(n, local.rotation);
    lb_frame_multiply(carrier, &local, frame);
}

static void mark_flat(gallery *g, const lb_goal *goal, const lb_frame *carrier, const double e[9]) {
    static const double square[3] = {0.25, 0.25, 0}, from[3] = {0, 0, -0.4}, to[3] = {0, 0, 0.4};
    lb_frame frame;
    nearest_on(goal, carrier, e, &frame);
    if (goal->kind == LB_GOAL_LINE) {
        add_line(g, &frame, from, to);
    } else {
        add_edges(g, &frame, square);
    }
}

void cli_goal_frame(const lb_goal *goal, lb_frame *frame) {
    lb_frame_identity(frame);
    memcpy(frame->position, goal->point, sizeof frame->position);
    memcpy(frame->rotation, goal->rotation, sizeof frame->rotation);
    if (goal->kind == LB_GOAL_FRAME || goal->kind == LB_GOAL_ORIENTATION) {
        rotation_from(goal->x, goal->y, frame->rotation);
    } else if (goal->kind == LB_GOAL_LINE || goal->kind == LB_GOAL_PLANE || goal->kind == LB_GOAL_HALF_SPACE) {
        rotation_to(goal->normal, frame->rotation);
    }
}

/* A region to be in by its edges; one to be out of, unless a segment carries it, as an obstacle. */
static void mark_region(gallery *g, const lb_goal *goal, const lb_frame *frame) {
    if (goal->outside) {
        if (goal->carrier_segment < 0) {
            add_obstacle(g, goal, frame);
        }
    } else if (goal->kind == LB_GOAL_BOX) {
        add_edges(g, frame, goal->size);
    } else if (goal->kind == LB_GOAL_SPHERE) {
        for (int axis = 0; axis < 3; axis++) {
            add_circle(g, frame, goal->size[0], axis);
        }
    }
}

static void mark_constraint(gallery *g, const lb_constraint *c, const lb_constraint_result *r) {
    lb_frame carrier, local, frame;
    const lb_goal *goal = &c->goal;
    double e[9] = {0};
    lb_marker *m = NULL;
    lb_frame_identity(&carrier);
    if (goal->carrier_segment >= 0) {
        lb_kinematics_segment(g->kinematics[goal->carrier_figure], goal->carrier_segment, &carrier);
    }
    lb_kinematics_effector(g->kinematics[c->figure], &c->effector, e);
    cli_goal_frame(goal, &local);
    lb_frame_multiply(&carrier, &local, &frame);
    switch (goal->kind) {
    case LB_GOAL_POSITION:
    case LB_GOAL_AIM:
        m = add_marker(g, LB_MARKER_POINT, &frame);
        break;
    case LB_GOAL_FRAME:
        m = add_marker(g, LB_MARKER_FRAME, &frame);
        break;
    case LB_GOAL_LINE:
    case LB_GOAL_PLANE:
    case LB_GOAL_HALF_SPACE:
        mark_flat(g, goal, &carrier, e);
        break;
    case LB_GOAL_BOX:
    case LB_GOAL_SPHERE:
    case LB_GOAL_CAPSULE:
        mark_region(g, goal, &frame);
        break;
    case LB_GOAL_CIRCLE:
    case LB_GOAL_DISC:
        add_circle(g, &frame, goal->size[0], 2);
        break;
    default:
        break;
    }
    if (m) {
        m->is_met = r->met;
        m->name = c->name;
    }
}

/* --- What a body meets --------------------------------------------------------------------------------------- */

/* The edges of a board or box, of which what has no end is cut. */
static void mark_box(gallery *g, const lb_frame *frame, const double half[3]) {
    double drawn[3];
    for (int i = 0; i < 3; i++) {
        drawn[i] = half[i] < DRAWN_MOST ? half[i] : DRAWN_MOST;
    }
    add_edges(g, frame, drawn);
}

static void mark_surface(gallery *g, const lb_surface *surface) {
    lb_frame frame, down;
    double normal[3] = {0, 0, 1}, along[3] = {1, 0, 0}, length = 0;
    for (int i = 0; i < 3; i++) {
        length += surface->normal[i] * surface->normal[i];
    }
    for (int i = 0; i < 3 && length > 0; i++) {
        normal[i] = surface->normal[i] / sqrt(length);
    }
    if (fabs(normal[0]) + fabs(normal[1]) > 1e-9) {
        along[0] = -normal[1];
        along[1] = normal[0];
    }
    if (surface->along[0] != 0 || surface->along[1] != 0 || surface->along[2] != 0) {
        memcpy(along, surface->along, sizeof along);
    }
    double on = 0, square = 0;
    for (int i = 0; i < 3; i++) {
        on += along[i] * normal[i];
    }
    for (int i = 0; i < 3; i++) {
        along[i] -= on * normal[i];
        square += along[i] * along[i];
    }
    for (int i = 0; i < 3; i++) {
        along[i] /= sqrt(square);
    }
    const double across[3] = {normal[1] * along[2] - normal[2] * along[1], normal[2] * along[0] - normal[0] * along[2],
                              normal[0] * along[1] - normal[1] * along[0]};
    const double half[3] = {surface->half_size[0], surface->half_size[1], 0.5 * surface->thickness};
    lb_frame_identity(&frame);
    lb_frame_identity(&down);
    memcpy(frame.position, surface->point, sizeof frame.position);
    rotation_from(along, across, frame.rotation);
    down.position[2] = -half[2];
    lb_frame_multiply(&frame, &down, &frame);
    mark_box(g, &frame, half);
}

static void mark_obstacle(gallery *g, const lb_obstacle *o) {
    lb_frame frame;
    lb_frame_identity(&frame);
    memcpy(frame.position, o->point, sizeof frame.position);
    if (o->kind == LB_SHAPE_BOX) {
        if (o->rotation[0] != 0 || o->rotation[1] != 0 || o->rotation[2] != 0 || o->rotation[3] != 0) {
            memcpy(frame.rotation, o->rotation, sizeof frame.rotation);
        }
        mark_box(g, &frame, o->half_size);
        return;
    }
    double axis[3] = {0, 0, 1}, length = 0;
    for (int i = 0; i < 3 && o->kind == LB_SHAPE_CAPSULE; i++) {
        frame.position[i] = 0.5 * (o->point[i] + o->to[i]);
        length += (o->to[i] - o->point[i]) * (o->to[i] - o->point[i]);
    }
    length = sqrt(length);
    for (int i = 0; i < 3 && length > 0; i++) {
        axis[i] = (o->to[i] - o->point[i]) / length;
    }
    rotation_to(axis, frame.rotation);
    lb_marker *m = add_marker(g, LB_MARKER_SHAPE, &frame);
    if (m) {
        lb_shape_defaults(&m->shape);
        m->shape.kind = o->kind;
        m->shape.size[0] = m->shape.size[2] = o->radius;
        m->shape.size[1] = 0.5 * length;
        m->shape.color = -1;
    }
}

/* The surfaces and obstacles of all bodies. */
static void mark_scene(gallery *g) {
    for (int f = 0; f < lb_problem_figure_count(g->problem); f++) {
        const lb_body_options *o = lb_problem_body(g->problem, f);
        for (int k = 0; o && k < o->surface_count; k++) {
            mark_surface(g, &o->surfaces[k]);
        }
        for (int k = 0; o && k < o->obstacle_count; k++) {
            mark_obstacle(g, &o->obstacles[k]);
        }
    }
}

/* The solids of the world that segments are kept apart from. */
static void mark_world(gallery *g) {
    const lb_collisions *apart = lb_problem_collisions(g->problem);
    for (int k = 0; apart && k < apart->solid_count; k++) {
        lb_marker *m = add_marker(g, LB_MARKER_SOLID, &apart->solids[k].shape.frame);
        if (m) {
            m->shape = apart->solids[k].shape;
            m->shape.color = -1;
        }
    }
}

static lb_status open_figures(gallery *g, const double *pose, const lb_figure **figures, const double **poses) {
    for (int k = 0; k < lb_problem_figure_count(g->problem); k++) {
        figures[k] = lb_problem_figure(g->problem, k);
        poses[k] = pose + lb_problem_first_variable(g->problem, k);
        g->kinematics[k] = lb_kinematics_create(figures[k], NULL);
        lb_status status = g->kinematics[k] ? lb_kinematics_update(g->kinematics[k], poses[k]) : LB_ERROR_MEMORY;
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

int cli_solve_draw(const lb_problem_file *file, lb_problem *problem, const double *pose, const lb_result *result,
                   const char *path) {
    size_t count = (size_t)lb_problem_figure_count(problem);
    gallery g = {.problem = problem, .kinematics = calloc(count, sizeof *g.kinematics)};
    const lb_figure **figures = calloc(count, sizeof *figures);
    const double **poses = calloc(count, sizeof *poses);
    lb_render_options options;
    lb_error error = {0};
    lb_render_options_defaults(&options);
    lb_problem_file_picture(file, &options);
    options.show_joints = lb_figure_shape_count(lb_problem_figure(problem, 0)) == 0; /* goals are what matters here */
    options.title = *lb_problem_file_title(file) ? lb_problem_file_title(file) : NULL;
    lb_status status = g.kinematics && figures && poses ? open_figures(&g, pose, figures, poses) : LB_ERROR_MEMORY;
    mark_scene(&g);
    mark_world(&g);
    for (int k = 0; k < result->constraint_count && !status; k++) {
        const lb_constraint *c = lb_problem_constraint(problem, k);
        if (!c->disabled && (result->constraints[k].counted || c->goal.outside)) {
            mark_constraint(&g, c, &result->constraints[k]);
        }
        options.show_com |= c->effector.kind == LB_EFFECTOR_COM;
    }
    int code = CLI_OK;
    const lb_scene scene = {(int)count, figures, poses, g.count, g.markers};
    if (status) {
        code = cli_fail(CLI_BAD_INPUT, "the picture cannot be drawn: %s", lb_status_text(status));
    } else {
        code = cli_written(lb_scene_render(&scene, path, &options, &error), &error);
    }
    for (size_t k = 0; k < count && g.kinematics; k++) {
        lb_kinematics_destroy(g.kinematics[k]);
    }
    free(g.kinematics);
    free(g.markers);
    free(figures);
    free(poses);
    return code;
}
