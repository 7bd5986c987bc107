/* Values that most callers want. */
#include <limber/limber.h>
#include <math.h>
#include <string.h>

void lb_segment_defaults(lb_segment *segment) {
    if (!segment) {
        return;
    }
    memset(segment, 0, sizeof *segment);
}

void lb_site_defaults(lb_site *site) {
    if (!site) {
        return;
    }
    memset(site, 0, sizeof *site);
    lb_frame_identity(&site->frame);
}

void lb_shape_defaults(lb_shape *shape) {
    if (!shape) {
        return;
    }
    memset(shape, 0, sizeof *shape);
    lb_frame_identity(&shape->frame);
    shape->color = -1;
}

void lb_joint_defaults(lb_joint *joint) {
    if (!joint) {
        return;
    }
    memset(joint, 0, sizeof *joint);
    joint->site_a = joint->site_b = -1;
    for (int i = 0; i < LB_JOINT_MAX_DOFS; i++) {
        joint->lower[i] = -INFINITY;
        joint->upper[i] = INFINITY;
        joint->velocity[i] = joint->acceleration[i] = joint->effort[i] = INFINITY;
        joint->soft_lower[i] = -INFINITY, joint->soft_upper[i] = INFINITY;
    }
}

void lb_parameter_defaults(lb_parameter *parameter) {
    if (!parameter) {
        return;
    }
    memset(parameter, 0, sizeof *parameter);
    parameter->is_angle = 1;
    parameter->lower = -INFINITY;
    parameter->upper = INFINITY;
}

void lb_drive_defaults(lb_drive *drive) {
    if (!drive) {
        return;
    }
    memset(drive, 0, sizeof *drive);
    drive->source.joint = -1;
    drive->curve.slope = 1;
}

void lb_limit_defaults(lb_limit *limit) {
    if (!limit) {
        return;
    }
    memset(limit, 0, sizeof *limit);
}

void lb_root_defaults(lb_root *root) {
    if (!root) {
        return;
    }
    memset(root, 0, sizeof *root);
    root->site = -1;
    lb_frame_identity(&root->placement);
}
