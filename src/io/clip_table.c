/* A motion as a table. */
#include "io/clip_table.h"

#include "motion/humanoid/humanoid.h"

/* The variables of a robot's floating joint: the first of six; -1: there is none. */
static int floating_variable(const lb_figure *figure) {
    for (int v = 0; v + 5 < lb_figure_variable_count(figure); v++) {
        const lb_dof_ref *ref = &lb_figure_variable(figure, v)->ref;
        if (ref->joint >= 0 && ref->dof == 0 &&
            lb_joint_type_dof_count(&lb_figure_joint(figure, ref->joint)->type) == 6) {
            return v;
        }
    }
    return -1;
}

/* The first of the six variables that carry a robot as a whole, and the segment that they carry. */
static int robot_root(const lb_figure *figure, int *segment) {
    const lb_root *root = lb_figure_root(figure);
    *segment = root->segment;
    if (root->is_free) {
        return 0;
    }
    const int first = floating_variable(figure);
    if (first >= 0) {
        const int joint = lb_figure_variable(figure, first)->ref.joint;
        for (int s = 0; s < lb_figure_segment_count(figure); s++) {
            *segment = lb_figure_parent_joint(figure, s) == joint ? s : *segment;
        }
    }
    return first;
}

static void add_number(lbio_text *text, double value) {
    lbio_text_add(text, ",");
    lbio_text_number(text, value);
}

/* A row a frame: the time, where the robot's root is (metres, and a quaternion of one sign), and a value a joint. */
static void add_robot_rows(const lb_clip *clip, lbio_text *text) {
    const lb_figure *figure = lb_clip_figure(clip);
    const int variables = lb_figure_variable_count(figure);
    int segment;
    const int first = robot_root(figure, &segment);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    double last[4] = {0, 0, 0, 1};
    lbio_text_add(text, "time_s,root_x_m,root_y_m,root_z_m,root_qx,root_qy,root_qz,root_qw");
    for (int v = 0; v < variables; v++) {
        const lb_variable *variable = lb_figure_variable(figure, v);
        if (v < first || v > first + 5) {
            lbio_text_format(text, ",%s_%s", variable->name, variable->is_angle ? "rad" : "m");
        }
    }
    lbio_text_add(text, "\n");
    text->failed |= !kinematics;
    for (int f = 0; kinematics && f < lb_clip_frame_count(clip); f++) {
        const double *pose = lb_clip_const_pose(clip, f);
        lb_frame root;
        double dot = 0;
        lb_kinematics_update(kinematics, pose);
        lb_kinematics_segment(kinematics, segment, &root);
        lbio_text_number(text, f * lb_clip_frame_time(clip));
        for (int i = 0; i < 3; i++) {
            add_number(text, root.position[i]);
        }
        for (int i = 0; i < 4; i++) {
            dot += last[i] * root.rotation[i];
        }
        for (int i = 0; i < 4; i++) {
            last[i] = dot < 0 ? -root.rotation[i] : root.rotation[i];
            add_number(text, last[i]);
        }
        for (int v = 0; v < variables; v++) {
            if (v < first || v > first + 5) {
                add_number(text, pose[v]);
            }
        }
        lbio_text_add(text, "\n");
    }
    lb_kinematics_destroy(kinematics);
}

/* A row a frame: the time, and all variables. */
static void add_rows(const lb_clip *clip, lbio_text *text) {
    const lb_figure *figure = lb_clip_figure(clip);
    const int variables = lb_figure_variable_count(figure);
    lbio_text_add(text, "time");
    for (int v = 0; v < variables; v++) {
        lbio_text_format(text, ",%s", lb_figure_variable(figure, v)->name);
    }
    lbio_text_add(text, "\n");
    for (int f = 0; f < lb_clip_frame_count(clip); f++) {
        lbio_text_number(text, f * lb_clip_frame_time(clip));
        for (int v = 0; v < variables; v++) {
            add_number(text, lb_clip_const_pose(clip, f)[v]);
        }
        lbio_text_add(text, "\n");
    }
}

void lbio_clip_table(const lb_clip *clip, lbio_text *text) {
    int segment;
    if (lbt_is_robot(lb_clip_figure(clip)) && robot_root(lb_clip_figure(clip), &segment) >= 0) {
        add_robot_rows(clip, text);
    } else {
        add_rows(clip, text);
    }
}
