/* Constraints that people ask for by name. */
#include <limber/solve.h>
#include <string.h>

#include "math/rotation.h"

void lb_goal_defaults(lb_goal *goal) {
    if (!goal) {
        return;
    }
    memset(goal, 0, sizeof *goal);
    goal->carrier_segment = -1;
    goal->x[0] = goal->y[1] = goal->normal[2] = goal->rotation[3] = 1;
    goal->degrees_x = goal->degrees_y = 180;
    goal->weight_position = goal->weight_orientation = 0.5;
}

void lb_constraint_defaults(lb_constraint *c) {
    if (!c) {
        return;
    }
    memset(c, 0, sizeof *c);
    c->effector = (lb_effector){LB_EFFECTOR_FRAME, 0, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    lb_goal_defaults(&c->goal);
    c->weight = 1;
    c->chain_start = -1;
    c->tolerance[0] = c->tolerance[1] = c->tolerance[2] = c->tolerance_rad = 1e-5;
}

/* Where the name is not found the constraint has no end-effector: lb_problem_add refuses it and says why. */
static lb_status from_name(const lb_figure *figure, const char *name, lb_goal_kind kind, lb_constraint *c) {
    if (!figure || !name || !c) {
        return LB_ERROR_ARGUMENT;
    }
    lb_constraint_defaults(c); /* also where the name is not found, so that nothing is left undefined */
    c->name = name;
    c->goal.kind = kind;
    lb_status status = lb_figure_find_effector(figure, name, &c->effector, NULL);
    if (status) {
        c->effector.segment = -1;
    }
    return status;
}

lb_status lb_constraint_at(const lb_figure *figure, const char *effector, const double point[3], lb_constraint *c) {
    if (!point || !lbm_all_finite(point, 3)) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = from_name(figure, effector, LB_GOAL_POSITION, c);
    if (!status) {
        lbm_copy3(c->goal.point, point);
    }
    return status;
}

lb_status lb_constraint_aim(const lb_figure *figure, const char *effector, const double point[3], lb_constraint *c) {
    if (!point || !lbm_all_finite(point, 3)) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = from_name(figure, effector, LB_GOAL_AIM, c);
    if (!status) {
        lbm_copy3(c->goal.point, point);
    }
    return status;
}

lb_status lb_constraint_frame(const lb_figure *figure, const char *effector, const lb_frame *frame, lb_constraint *c) {
    if (!frame || !lbm_all_finite(frame->position, 3)) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = from_name(figure, effector, LB_GOAL_FRAME, c);
    lb_frame unit = *frame;
    if (status) {
        return status;
    }
    if (!lbm_quaternion_normalise(unit.rotation)) {
        return LB_ERROR_ARGUMENT;
    }
    lbm_transform t;
    lbm_transform_from_frame(&unit, &t);
    lbm_copy3(c->goal.point, t.p);
    lbm_copy3(c->goal.x, t.x);
    lbm_copy3(c->goal.y, t.y);
    return LB_OK;
}

lb_status lb_constraint_keep(const lb_figure *figure, const char *effector, const double *pose, lb_constraint *c) {
    if (!figure || !effector) {
        return LB_ERROR_ARGUMENT;
    }
    if (!pose || !c) {
        return LB_ERROR_ARGUMENT;
    }
    int segment = -1, site = -1;
    if (!figure || !effector || lb_figure_find_place(figure, effector, &segment, &site, NULL)) {
        return LB_ERROR_NAME; /* the centre of mass has no orientation that could be kept */
    }
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    if (!k) {
        return LB_ERROR_MEMORY;
    }
    lb_frame frame;
    lb_status status = lb_kinematics_update(k, pose);
    if (!status) {
        status = site >= 0 ? lb_kinematics_site(k, site, &frame) : lb_kinematics_segment(k, segment, &frame);
    }
    lb_kinematics_destroy(k);
    return status ? status : lb_constraint_frame(figure, effector, &frame, c);
}

static double turn(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Jarvis's march: from the lowest point around; at most 64 points, so quadratic is quick. */
static int convex_hull(int count, const double (*points)[3], int *hull) {
    int first = 0, size = 0;
    for (int i = 1; i < count; i++) {
        if (points[i][1] < points[first][1] || (points[i][1] == points[first][1] && points[i][0] < points[first][0])) {
            first = i;
        }
    }
    int at = first;
    do {
        hull[size++] = at;
        int next = at == 0 ? 1 : 0;
        for (int i = 0; i < count; i++) {
            if (i == at || i == next) {
                continue;
            }
            double side = turn(points[at], points[next], points[i]);
            double dx = points[i][0] - points[at][0], dy = points[i][1] - points[at][1];
            double nx = points[next][0] - points[at][0], ny = points[next][1] - points[at][1];
            if (side < 0 || (side == 0 && dx * dx + dy * dy > nx * nx + ny * ny)) {
                next = i;
            }
        }
        at = next;
    } while (at != first && size < count);
    return size;
}

lb_status lb_constraint_balance(int count, const double (*points)[3], double margin, double (*faces)[4],
                                lb_constraint *c) {
    if (!c) {
        return LB_ERROR_ARGUMENT;
    }
    int hull[64];
    if (count < 3 || count > 64 || !points || !faces || !(margin >= 0)) {
        return LB_ERROR_ARGUMENT;
    }
    for (int i = 0; i < count; i++) {
        if (!lbm_all_finite(points[i], 3)) {
            return LB_ERROR_ARGUMENT;
        }
    }
    int size = convex_hull(count, points, hull), used = 0;
    for (int i = 0; i < size; i++) {
        const double *a = points[hull[i]], *b = points[hull[(i + 1) % size]];
        double n[2] = {b[1] - a[1], a[0] - b[0]}, norm = sqrt(n[0] * n[0] + n[1] * n[1]);
        if (norm == 0) {
            continue;
        }
        faces[used][0] = n[0] / norm;
        faces[used][1] = n[1] / norm;
        faces[used][2] = 0;
        faces[used][3] = (n[0] * a[0] + n[1] * a[1]) / norm - margin;
        used++;
    }
    if (used < 3) {
        return LB_ERROR_ARGUMENT;
    }
    lb_constraint_defaults(c);
    c->name = "balance";
    lb_effector_from_com(&c->effector);
    c->goal.kind = LB_GOAL_POLYHEDRON;
    c->goal.face_count = used;
    c->goal.faces = (const double(*)[4])faces;
    return LB_OK;
}
