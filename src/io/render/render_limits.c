/* Limits, drawn where they act: sectors for rotations, cones or polygons for swings with a small sector for the
 * twist, tracks for translations. Only variables are drawn: what a group drives has no limit of its own to show. */
#include "io/render/render.h"
#include <string.h>

#define ARC_STEPS 48

typedef struct drawing {
    lbio_scene *scene;
    const lb_figure *figure;
    const lb_kinematics *kinematics;
    double radius; /* world length of the joint's sectors */
    double tip[3]; /* a point of the segment that the joint carries, world */
} drawing;

static void turn(const double axis[3], double angle, const double v[3], double out[3]) {
    double c = cos(angle), s = sin(angle), dot = lbio_dot(axis, v) * (1 - c), side[3], result[3];
    lbio_cross(axis, v, side);
    for (int i = 0; i < 3; i++) {
        result[i] = c * v[i] + s * side[i] + dot * axis[i];
    }
    memcpy(out, result, sizeof result);
}

static void world_vector(const lb_frame *frame, const double v[3], double out[3]) {
    double matrix[9];
    lb_rotation_to_matrix(frame->rotation, matrix);
    lbio_rotate(matrix, v, out);
}

/* The range of an angle, and the value that it has. */
typedef struct angle_range {
    double value, lower, upper;
} angle_range;

/* An arc of `radius` about an axis; `now` is a unit vector that stands for the value of the range. */
static void add_sector(drawing *d, const double center[3], const double axis[3], const double now[3],
                       const angle_range *range, double radius) {
    const double value = range->value, lower = range->lower, upper = range->upper;
    double points[ARC_STEPS + 2][3], direction[3];
    int is_free = !isfinite(lower) || !isfinite(upper) || upper - lower > 2 * LBIO_PI - 1e-9;
    double from = is_free ? 0 : lower - value, to = is_free ? 2 * LBIO_PI : upper - value;
    if (is_free && (isfinite(lower) != isfinite(upper))) { /* one side only: half a turn of it */
        from = isfinite(lower) ? lower - value : upper - value - LBIO_PI;
        to = from + LBIO_PI;
    }
    for (int k = 0; k <= ARC_STEPS; k++) {
        turn(axis, from + (to - from) * k / ARC_STEPS, now, direction);
        lbio_along(center, radius, direction, points[k]);
    }
    memcpy(points[ARC_STEPS + 1], center, sizeof points[0]);
    const double(*read)[3] = (const double(*)[3])points;
    if (is_free) {
        lbio_scene_add_outline(d->scene, LBIO_OUTLINE_FREE, 0, read, ARC_STEPS + 1);
    } else {
        lbio_scene_add_outline(d->scene, LBIO_OUTLINE_RANGE, 1, read, ARC_STEPS + 2);
        lbio_scene_add_outline(d->scene, LBIO_OUTLINE_EDGE, 1, read, ARC_STEPS + 2);
    }
    memcpy(points[0], center, sizeof points[0]);
    lbio_along(center, radius, now, points[1]);
    lbio_scene_add_outline(d->scene, LBIO_OUTLINE_NOW, 0, read, 2);
}

static const lb_variable *variable_of(const lb_figure *figure, int joint, int dof) {
    lb_dof_ref ref = {joint, dof, -1};
    int variable = lb_figure_variable_of(figure, &ref);
    return variable >= 0 ? lb_figure_variable(figure, variable) : NULL;
}

static void add_rotation(drawing *d, const lb_frame *frame, const double axis[3], const lb_variable *variable,
                         double value, double radius) {
    double axis_w[3], now[3], other[3];
    world_vector(frame, axis, axis_w);
    lbio_along(d->tip, -1, frame->position, now);
    lbio_along(now, -lbio_dot(now, axis_w), axis_w, now);
    if (lbio_normalize(now) < 0.05 * d->radius) {
        lbio_basis(axis_w, now, other);
    }
    add_sector(d, frame->position, axis_w, now, &(angle_range){value, variable->lower, variable->upper}, radius);
}

/* A track that is longer than the figure ends dashed, as one without an end does: else it would be all there is to
 * see. */
static void add_track(drawing *d, const lb_frame *frame, const double axis[3], const lb_variable *variable,
                      double value) {
    double axis_w[3], a[3], b[3], points[2][3], reach = d->scene->scale;
    int has_end[3] = {value - variable->lower <= reach, variable->upper - value <= reach, 1};
    double ends[3] = {has_end[0] ? variable->lower : value - 0.25 * reach,
                      has_end[1] ? variable->upper : value + 0.25 * reach, value};
    const double(*read)[3] = (const double(*)[3])points;
    world_vector(frame, axis, axis_w);
    lbio_basis(axis_w, a, b);
    lbio_along(frame->position, ends[0], axis_w, points[0]);
    lbio_along(frame->position, ends[1], axis_w, points[1]);
    lbio_scene_add_outline(d->scene, has_end[0] && has_end[1] ? LBIO_OUTLINE_TRACK : LBIO_OUTLINE_FREE, 0, read, 2);
    for (int k = 0; k < 3; k++) {
        for (int side = 0; side < 2 && has_end[k]; side++) { /* a cross at either end, and a smaller one where it is */
            double at[3], half = (k == 2 ? 0.012 : 0.022) * d->scene->scale;
            lbio_along(frame->position, ends[k], axis_w, at);
            lbio_along(at, half, side ? b : a, points[0]);
            lbio_along(at, -half, side ? b : a, points[1]);
            lbio_scene_add_outline(d->scene, k == 2 ? LBIO_OUTLINE_NOW : LBIO_OUTLINE_EDGE, 0, read, 2);
        }
    }
}

/* Where the twist axis points after the swing (a, b). */
static void swing_axis(const double axes[3][3], double a, double b, double out[3]) {
    double vector[3];
    for (int i = 0; i < 3; i++) {
        vector[i] = a * axes[0][i] + b * axes[1][i];
    }
    double angle = lbio_normalize(vector);
    turn(vector, angle, axes[2], out);
}

/* The element's A, B, axis in the world; see LB_ELEMENT_SWING_TWIST: for a coordinate axis the next two in the circle.
 * For another the figure says: its axis, swung by a quarter turn about B, is A. */
static void swing_axes(const lb_frame *frame, const double axis[3], double axes[3][3]) {
    double local[3][3] = {{0}};
    int which = fabs(axis[0]) == 1 ? 0 : fabs(axis[1]) == 1 ? 1 : fabs(axis[2]) == 1 ? 2 : -1;
    memcpy(local[2], axis, sizeof local[2]);
    if (which >= 0) {
        local[0][(which + 1) % 3] = 1;
    } else {
        lb_joint_type type = {1, {{LB_ELEMENT_SWING_TWIST, {axis[0], axis[1], axis[2]}}}};
        const double quarter[3] = {0, 1.57079632679489661923, 0};
        double rotation[4], matrix[9];
        lb_joint_type_rotation(&type, quarter, rotation);
        lb_rotation_to_matrix(rotation, matrix);
        lbio_rotate(matrix, axis, local[0]);
    }
    lbio_cross(axis, local[0], local[1]);
    for (int k = 0; k < 3; k++) {
        world_vector(frame, local[k], axes[k]);
    }
}

#define SWING_POINTS 192

static void add_swing(drawing *d, const lb_frame *frame, const lb_element *element, int joint, int dof) {
    const lb_joint *j = lb_figure_joint(d->figure, joint);
    const lb_variable *va = variable_of(d->figure, joint, dof), *vb = variable_of(d->figure, joint, dof + 1);
    const lb_variable *vt = variable_of(d->figure, joint, dof + 2);
    double axes[3][3], direction[3], points[SWING_POINTS][3], box[4][2], radius = 1.25 * d->radius;
    const double(*read)[3] = (const double(*)[3])points;
    const double(*polygon)[2] = j->swing;
    int corners = j->swing_count, count = 0;
    swing_axes(frame, element->axis, axes);
    if (!corners && va && vb && isfinite(va->lower + va->upper) && isfinite(vb->lower + vb->upper)) {
        double corner[4][2] = {
            {va->lower, vb->lower}, {va->upper, vb->lower}, {va->upper, vb->upper}, {va->lower, vb->upper}};
        memcpy(box, corner, sizeof box);
        polygon = (const double(*)[2])box, corners = 4;
    }
    int steps = corners > 48 ? 1 : corners > 12 ? 3 : 8, skip = 1 + corners / SWING_POINTS;
    for (int k = 0; k < corners; k += skip) {
        const double *from = polygon[k], *to = polygon[(k + skip) % corners];
        for (int s = 0; s < steps && count < SWING_POINTS; s++) {
            double f = (double)s / steps;
            swing_axis((const double(*)[3])axes, from[0] + (to[0] - from[0]) * f, from[1] + (to[1] - from[1]) * f,
                       direction);
            lbio_along(frame->position, radius, direction, points[count++]);
        }
    }
    if (count > 2) {
        lbio_scene_add_outline(d->scene, LBIO_OUTLINE_RANGE, 1, read, count);
        lbio_scene_add_outline(d->scene, LBIO_OUTLINE_EDGE, 1, read, count);
        int spoke = count > 12 ? count / 12 : 1;
        for (int k = 0; k < count; k += spoke) {
            double pair[2][3];
            memcpy(pair[0], frame->position, sizeof pair[0]);
            memcpy(pair[1], points[k], sizeof pair[1]);
            lbio_scene_add_outline(d->scene, LBIO_OUTLINE_FREE, 0, (const double(*)[3])pair, 2);
        }
    }
    double a = lb_kinematics_dof(d->kinematics, joint, dof), b = lb_kinematics_dof(d->kinematics, joint, dof + 1);
    swing_axis((const double(*)[3])axes, a, b, direction);
    memcpy(points[0], frame->position, sizeof points[0]);
    lbio_along(frame->position, 1.12 * radius, direction, points[1]);
    lbio_scene_add_outline(d->scene, LBIO_OUTLINE_NOW, 0, read, 2);
    if (vt) {
        double now[3], other[3], center[3];
        lbio_basis(direction, now, other);
        lbio_along(frame->position, radius, direction, center);
        const angle_range twist = {lb_kinematics_dof(d->kinematics, joint, dof + 2), vt->lower, vt->upper};
        add_sector(d, center, direction, now, &twist, 0.35 * radius);
    }
}

/* frame = frame * element(its dofs' values) */
static void apply(const drawing *d, const lb_element *element, int joint, int dof, lb_frame *frame) {
    lb_frame step;
    lb_frame_identity(&step);
    double value = lb_kinematics_dof(d->kinematics, joint, dof);
    if (element->kind == LB_ELEMENT_ROTATE) {
        lb_rotation_about(element->axis, value, step.rotation);
    } else if (element->kind == LB_ELEMENT_TRANSLATE) {
        for (int i = 0; i < 3; i++) {
            step.position[i] = value * element->axis[i];
        }
    } else {
        return; /* three dofs of rotation end a joint's rotations: a translation after them is drawn as if before */
    }
    lb_frame_multiply(frame, &step, frame);
}

/* What a joint carries is best shown by where the next joints are, else by sites, else by mass. */
static void find_tip(drawing *d, int segment, const double base[3]) {
    double sum[3] = {0, 0, 0}, matrix[12];
    int count = 0;
    for (int site = 0; site < lb_figure_site_count(d->figure); site++) {
        const lb_site *s = lb_figure_site(d->figure, site);
        lb_frame frame;
        if (s->segment == segment && !lb_kinematics_site(d->kinematics, site, &frame)) {
            lbio_along(sum, 1, frame.position, sum);
            count++;
        }
    }
    for (int i = 0; i < 3; i++) {
        d->tip[i] = count ? sum[i] / count : base[i];
    }
    double off[3];
    lbio_along(d->tip, -1, base, off);
    const lb_segment *s = lb_figure_segment(d->figure, segment);
    if (lbio_length(off) < 1e-9 * d->scene->scale && !lb_kinematics_matrix(d->kinematics, segment, matrix)) {
        for (int i = 0; i < 3; i++) {
            d->tip[i] = matrix[4 * i + 3] + lbio_dot(matrix + 4 * i, s->com);
        }
    }
}

void lbio_scene_add_limits(lbio_scene *scene, const lb_figure *figure, const lb_kinematics *kinematics) {
    for (int joint = 0; joint < lb_figure_joint_count(figure); joint++) {
        const lb_joint *j = lb_figure_joint(figure, joint);
        drawing d = {.scene = scene, .figure = figure, .kinematics = kinematics};
        lb_frame frame, end;
        if (lb_kinematics_site(kinematics, j->site_a, &frame) || lb_kinematics_site(kinematics, j->site_b, &end)) {
            continue;
        }
        double off[3];
        find_tip(&d, lb_figure_site(figure, j->site_b)->segment, end.position);
        lbio_along(d.tip, -1, end.position, off);
        d.radius = lbio_clamp(0.9 * lbio_length(off) / scene->scale, 0.10, 0.18) * scene->scale;
        for (int k = 0, dof = 0, turns = 0; k < j->type.element_count; k++) {
            const lb_element *element = &j->type.elements[k];
            const lb_variable *variable = variable_of(figure, joint, dof);
            if (element->kind == LB_ELEMENT_SWING_TWIST && variable) {
                add_swing(&d, &frame, element, joint, dof);
            } else if (element->kind == LB_ELEMENT_ROTATE && variable) {
                add_rotation(&d, &frame, element->axis, variable, lb_kinematics_dof(kinematics, joint, dof),
                             d.radius * (1 - 0.2 * turns++));
            } else if (element->kind == LB_ELEMENT_TRANSLATE && variable) {
                add_track(&d, &frame, element->axis, variable, lb_kinematics_dof(kinematics, joint, dof));
            }
            apply(&d, element, joint, dof, &frame);
            dof += element->kind == LB_ELEMENT_ROTATE || element->kind == LB_ELEMENT_TRANSLATE ? 1 : 3;
        }
    }
}
