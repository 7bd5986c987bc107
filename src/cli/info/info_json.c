/* limber info --json. The layout is documented in the manual page; `version` grows when something in it changes
 * meaning. */
#include "cli/cli.h"
#include "io/json/json_write.h"
#include "io/problem/problem.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYOUT_VERSION 1

static void put_frame(lbio_json *json, const lb_frame *frame) {
    lbio_json_numbers(json, "position", frame->position, 3);
    lbio_json_numbers(json, "rotation", frame->rotation, 4);
}

static void put_range(lbio_json *json, double lower, double upper, double rest, double rigidity) {
    lbio_json_number(json, "lower", lower);
    lbio_json_number(json, "upper", upper);
    lbio_json_number(json, "rest", rest);
    lbio_json_number(json, "rigidity", rigidity);
}

static void put_head(lbio_json *json, const cli_report_input *in) {
    const lb_figure *figure = in->figure;
    double com[3] = {0, 0, 0};
    int dofs = lb_figure_root(figure)->is_free ? 6 : 0;
    for (int k = 0; k < lb_figure_joint_count(figure); k++) {
        dofs += lb_joint_type_dof_count(&lb_figure_joint(figure, k)->type);
    }
    lbio_json_string(json, "limber", lb_version());
    lbio_json_count(json, "version", LAYOUT_VERSION);
    lbio_json_string(json, "name", lb_figure_name(figure));
    lbio_json_string(json, "file", in->source->found);
    lbio_json_number(json, "stature", lb_figure_stature(figure) > 0 ? lb_figure_stature(figure) : NAN);
    lbio_json_number(json, "mass", lb_figure_mass(figure));
    if (lb_figure_mass(figure) > 0) {
        lb_kinematics_com(in->kinematics, com);
        lbio_json_numbers(json, "com", com, 3);
    } else {
        lbio_json_string(json, "com", NULL);
    }
    lbio_json_open(json, "counts", '{');
    lbio_json_count(json, "segments", lb_figure_segment_count(figure));
    lbio_json_count(json, "sites", lb_figure_site_count(figure));
    lbio_json_count(json, "shapes", lb_figure_shape_count(figure));
    lbio_json_count(json, "joints", lb_figure_joint_count(figure));
    lbio_json_count(json, "dofs", dofs);
    lbio_json_count(json, "variables", lb_figure_variable_count(figure));
    lbio_json_count(json, "groups", lb_figure_group_count(figure));
    lbio_json_count(json, "parameters", lb_figure_parameter_count(figure));
    lbio_json_count(json, "drives", lb_figure_drive_count(figure));
    lbio_json_count(json, "limits", lb_figure_limit_count(figure));
    lbio_json_count(json, "loops", lb_figure_loop_count(figure));
    lbio_json_count(json, "frames", in->clip ? lb_clip_frame_count(in->clip) : 0);
    lbio_json_close(json, '}');
    lbio_json_number(json, "frame_time", in->clip ? lb_clip_frame_time(in->clip) : NAN);
}

static void put_root(lbio_json *json, const lb_figure *figure) {
    const lb_root *root = lb_figure_root(figure);
    lbio_json_open(json, "root", '{');
    lbio_json_string(json, "segment", lb_figure_segment(figure, root->segment)->name);
    lbio_json_string(json, "site", root->site >= 0 ? lb_figure_site(figure, root->site)->name : NULL);
    lbio_json_truth(json, "free", root->is_free);
    put_frame(json, &root->placement);
    lbio_json_close(json, '}');
}

static void put_segments(lbio_json *json, const cli_report_input *in) {
    const lb_figure *figure = in->figure;
    lbio_json_open(json, "segments", '[');
    for (int k = 0; k < lb_figure_segment_count(figure); k++) {
        const lb_segment *segment = lb_figure_segment(figure, k);
        int parent = lb_figure_parent_segment(figure, k), joint = lb_figure_parent_joint(figure, k);
        lb_frame world;
        lbio_json_open(json, NULL, '{');
        char name[512];
        lbio_json_string(json, "name", segment->name);
        lbio_json_string(json, "effector", cli_effector_name(figure, k, -1, name, sizeof name));
        lbio_json_string(json, "parent", parent >= 0 ? lb_figure_segment(figure, parent)->name : NULL);
        lbio_json_string(json, "joint", joint >= 0 ? lb_figure_joint(figure, joint)->name : NULL);
        lbio_json_number(json, "mass", segment->mass);
        lbio_json_numbers(json, "com", segment->com, 3);
        if (!lb_kinematics_segment(in->kinematics, k, &world)) {
            lbio_json_open(json, "rest_frame", '{');
            put_frame(json, &world);
            lbio_json_close(json, '}');
        }
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, ']');
    unsigned char *seats = cli_find_seats(figure);
    json->text.failed |= !seats;
    lbio_json_open(json, "sites", '[');
    for (int k = 0; k < lb_figure_site_count(figure); k++) {
        const lb_site *site = lb_figure_site(figure, k);
        lbio_json_open(json, NULL, '{');
        char name[512];
        lbio_json_string(json, "name", site->name);
        lbio_json_string(json, "effector", cli_effector_name(figure, site->segment, k, name, sizeof name));
        lbio_json_string(json, "segment", lb_figure_segment(figure, site->segment)->name);
        lbio_json_truth(json, "at_joint", seats && seats[k]);
        put_frame(json, &site->frame);
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, ']');
    free(seats);
}

static void put_site(lbio_json *json, const char *key, const lb_figure *figure, int site) {
    const lb_site *s = lb_figure_site(figure, site);
    lbio_json_open(json, key, '{');
    json->is_inline++;
    lbio_json_string(json, "segment", lb_figure_segment(figure, s->segment)->name);
    lbio_json_string(json, "site", s->name);
    lbio_json_close(json, '}');
    json->is_inline--;
}

static void put_dofs(lbio_json *json, const lb_figure *figure, int index) {
    const lb_joint *joint = lb_figure_joint(figure, index);
    lbio_json_open(json, "dofs", '[');
    for (int dof = 0; dof < lb_joint_type_dof_count(&joint->type); dof++) {
        lb_dof_ref ref = {index, dof, -1};
        int variable = lb_figure_variable_of(figure, &ref);
        lbio_json_open(json, NULL, '{');
        lbio_json_string(json, "name", joint->dof_names[dof]);
        lbio_json_string(json, "unit", lb_joint_type_is_angle(&joint->type, dof) ? "rad" : "m");
        put_range(json, joint->lower[dof], joint->upper[dof], joint->rest[dof], joint->rigidity[dof]);
        lbio_json_number(json, "velocity", joint->velocity[dof]);
        lbio_json_number(json, "acceleration", joint->acceleration[dof]);
        lbio_json_number(json, "effort", joint->effort[dof]);
        lbio_json_number(json, "soft_lower", joint->soft_lower[dof]);
        lbio_json_number(json, "soft_upper", joint->soft_upper[dof]);
        lbio_json_string(json, "variable", variable >= 0 ? lb_figure_variable(figure, variable)->name : NULL);
        lbio_json_truth(json, "driven", cli_is_driven(figure, index, dof));
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, ']');
}

static int is_loop(const lb_figure *figure, int joint) {
    for (int k = 0; k < lb_figure_loop_count(figure); k++) {
        if (lb_figure_loop_joint(figure, k) == joint) {
            return 1;
        }
    }
    return 0;
}

static void put_joints(lbio_json *json, const lb_figure *figure) {
    lbio_json_open(json, "joints", '[');
    for (int k = 0; k < lb_figure_joint_count(figure); k++) {
        const lb_joint *joint = lb_figure_joint(figure, k);
        char type[512];
        lb_joint_type_spell(&joint->type, type, sizeof type);
        lbio_json_open(json, NULL, '{');
        lbio_json_string(json, "name", joint->name);
        lbio_json_string(json, "type", type);
        put_site(json, "from", figure, joint->site_a);
        put_site(json, "to", figure, joint->site_b);
        lbio_json_truth(json, "frozen", joint->frozen);
        lbio_json_truth(json, "loop", is_loop(figure, k));
        put_dofs(json, figure, k);
        if (joint->swing_count) {
            lbio_json_open(json, "swing", '[');
            for (int i = 0; i < joint->swing_count; i++) {
                lbio_json_numbers(json, NULL, joint->swing[i], 2);
            }
            lbio_json_close(json, ']');
        }
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, ']');
}

static void put_groups(lbio_json *json, const lb_figure *figure) {
    static const char *const curves[] = {"linear", "polyline", "spline"};
    char name[512];
    lbio_json_open(json, "groups", '[');
    for (int group = 0; group < lb_figure_group_count(figure); group++) {
        lbio_json_open(json, NULL, '{');
        lbio_json_string(json, "name", lb_figure_group(figure, group)->name);
        lbio_json_open(json, "parameters", '[');
        for (int k = 0; k < lb_figure_parameter_count(figure); k++) {
            const lb_parameter *parameter = lb_figure_parameter(figure, k);
            if (parameter->group == group) {
                lbio_json_open(json, NULL, '{');
                lbio_json_string(json, "name", parameter->name);
                lbio_json_string(json, "unit", parameter->is_angle ? "rad" : "m");
                put_range(json, parameter->lower, parameter->upper, parameter->rest, parameter->rigidity);
                lbio_json_close(json, '}');
            }
        }
        lbio_json_close(json, ']');
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, ']');
    lbio_json_open(json, "drives", '[');
    for (int k = 0; k < lb_figure_drive_count(figure); k++) {
        const lb_drive *drive = lb_figure_drive(figure, k);
        lb_dof_ref driven = {drive->joint, drive->dof, -1};
        lbio_json_open(json, NULL, '{');
        cli_dof_name(figure, &driven, name, sizeof name);
        lbio_json_string(json, "dof", name);
        cli_dof_name(figure, &drive->source, name, sizeof name);
        lbio_json_string(json, "source", name);
        lbio_json_string(json, "curve", curves[drive->curve.kind]);
        if (drive->curve.kind == LB_CURVE_LINEAR) {
            lbio_json_number(json, "slope", drive->curve.slope);
            lbio_json_number(json, "offset", drive->curve.offset);
        } else {
            lbio_json_numbers(json, "x", drive->curve.x, drive->curve.count);
            lbio_json_numbers(json, "y", drive->curve.y, drive->curve.count);
        }
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, ']');
}

static void put_limits(lbio_json *json, const lb_figure *figure) {
    char name[512];
    lbio_json_open(json, "limits", '[');
    for (int k = 0; k < lb_figure_limit_count(figure); k++) {
        const lb_limit *limit = lb_figure_limit(figure, k);
        lbio_json_open(json, NULL, '{');
        lbio_json_string(json, "name", limit->name);
        lbio_json_string(json, "kind", limit->kind == LB_LIMIT_EQUAL ? "equal" : "at most");
        lbio_json_open(json, "terms", '[');
        for (int i = 0; i < limit->count; i++) {
            lbio_json_open(json, NULL, '{');
            json->is_inline++;
            cli_dof_name(figure, &limit->terms[i], name, sizeof name);
            lbio_json_string(json, "of", name);
            lbio_json_number(json, "coefficient", limit->coefficients[i]);
            lbio_json_close(json, '}');
            json->is_inline--;
        }
        lbio_json_close(json, ']');
        lbio_json_number(json, "bound", limit->bound);
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, ']');
}

static void put_loops(lbio_json *json, const cli_report_input *in) {
    lbio_json_open(json, "loops", '[');
    for (int k = 0; k < lb_figure_loop_count(in->figure); k++) {
        lb_frame carried, tree;
        double gap = NAN;
        if (!lb_kinematics_loop(in->kinematics, k, &carried, &tree)) {
            gap = sqrt(pow(carried.position[0] - tree.position[0], 2) + pow(carried.position[1] - tree.position[1], 2) +
                       pow(carried.position[2] - tree.position[2], 2));
        }
        lbio_json_open(json, NULL, '{');
        lbio_json_string(json, "joint", lb_figure_joint(in->figure, lb_figure_loop_joint(in->figure, k))->name);
        lbio_json_number(json, "rest_gap", gap);
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, ']');
}

static void put_variables(lbio_json *json, const lb_figure *figure) {
    lbio_json_open(json, "variables", '[');
    for (int k = 0; k < lb_figure_variable_count(figure); k++) {
        const lb_variable *v = lb_figure_variable(figure, k);
        lbio_json_open(json, NULL, '{');
        lbio_json_string(json, "name", v->name);
        lbio_json_string(json, "unit", v->is_angle ? "rad" : "m");
        put_range(json, v->lower, v->upper, v->rest, v->rigidity);
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, ']');
}

static void put_warnings(lbio_json *json, const cli_warnings *warnings) {
    lbio_json_open(json, "warnings", '[');
    for (int k = 0; k < warnings->count; k++) {
        const lb_error *w = &warnings->items[k];
        lbio_json_open(json, NULL, '{');
        lbio_json_string(json, "file", w->file);
        lbio_json_count(json, "line", w->line);
        lbio_json_string(json, "message", w->message);
        lbio_json_close(json, '}');
    }
    lbio_json_close(json, ']');
}

/* What holds the pose that was given. */
static int put_statics(lbio_json *json, const cli_report_input *in) {
    lb_problem *problem = NULL;
    lb_solver *solver = NULL;
    const int code = in->pose ? cli_info_statics(in, &problem, &solver) : CLI_OK;
    if (in->pose && !code) {
        lbio_put_body_result(json, "statics", lb_figure_body(in->figure), lb_solver_body(solver, 0));
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    return code;
}

int cli_info_json(const cli_report_input *in) {
    lbio_json json = {.is_first = 1};
    lbio_json_open(&json, NULL, '{');
    put_head(&json, in);
    put_root(&json, in->figure);
    put_segments(&json, in);
    put_joints(&json, in->figure);
    put_groups(&json, in->figure);
    put_limits(&json, in->figure);
    put_loops(&json, in);
    put_variables(&json, in->figure);
    put_warnings(&json, in->warnings);
    int code = put_statics(&json, in);
    lbio_json_close(&json, '}');
    lbio_text_add(&json.text, "\n");
    code = code ? code : json.text.failed ? cli_fail(CLI_BAD_INPUT, "no memory for the report") : CLI_OK;
    if (!code) {
        fwrite(json.text.data, 1, json.text.size, stdout);
    }
    lbio_text_free(&json.text);
    return code;
}
