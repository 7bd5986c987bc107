/* limber info --json. The layout is documented in the manual page; `version` grows when something in it changes
 * meaning. */
#include "cli/cli.h"
#include "cli/json.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LAYOUT_VERSION 1

static void put_frame(cli_json *json, const lb_frame *frame) {
    cli_json_numbers(json, "position", frame->position, 3);
    cli_json_numbers(json, "rotation", frame->rotation, 4);
}

static void put_range(cli_json *json, double lower, double upper, double rest, double rigidity) {
    cli_json_number(json, "lower", lower);
    cli_json_number(json, "upper", upper);
    cli_json_number(json, "rest", rest);
    cli_json_number(json, "rigidity", rigidity);
}

static void put_head(cli_json *json, const cli_report_input *in) {
    const lb_figure *figure = in->figure;
    double com[3] = {0, 0, 0};
    int dofs = lb_figure_root(figure)->is_free ? 6 : 0;
    for (int k = 0; k < lb_figure_joint_count(figure); k++) {
        dofs += lb_joint_type_dof_count(&lb_figure_joint(figure, k)->type);
    }
    cli_json_string(json, "limber", lb_version());
    cli_json_count(json, "version", LAYOUT_VERSION);
    cli_json_string(json, "name", lb_figure_name(figure));
    cli_json_string(json, "file", in->source->found);
    cli_json_number(json, "stature", lb_figure_stature(figure) > 0 ? lb_figure_stature(figure) : NAN);
    cli_json_number(json, "mass", lb_figure_mass(figure));
    if (lb_figure_mass(figure) > 0) {
        lb_kinematics_com(in->kinematics, com);
        cli_json_numbers(json, "com", com, 3);
    } else {
        cli_json_string(json, "com", NULL);
    }
    cli_json_open(json, "counts", '{');
    cli_json_count(json, "segments", lb_figure_segment_count(figure));
    cli_json_count(json, "sites", lb_figure_site_count(figure));
    cli_json_count(json, "shapes", lb_figure_shape_count(figure));
    cli_json_count(json, "joints", lb_figure_joint_count(figure));
    cli_json_count(json, "dofs", dofs);
    cli_json_count(json, "variables", lb_figure_variable_count(figure));
    cli_json_count(json, "groups", lb_figure_group_count(figure));
    cli_json_count(json, "parameters", lb_figure_parameter_count(figure));
    cli_json_count(json, "drives", lb_figure_drive_count(figure));
    cli_json_count(json, "limits", lb_figure_limit_count(figure));
    cli_json_count(json, "loops", lb_figure_loop_count(figure));
    cli_json_close(json, '}');
}

static void put_root(cli_json *json, const lb_figure *figure) {
    const lb_root *root = lb_figure_root(figure);
    cli_json_open(json, "root", '{');
    cli_json_string(json, "segment", lb_figure_segment(figure, root->segment)->name);
    cli_json_string(json, "site", root->site >= 0 ? lb_figure_site(figure, root->site)->name : NULL);
    cli_json_truth(json, "free", root->is_free);
    put_frame(json, &root->placement);
    cli_json_close(json, '}');
}

static void put_segments(cli_json *json, const cli_report_input *in) {
    const lb_figure *figure = in->figure;
    cli_json_open(json, "segments", '[');
    for (int k = 0; k < lb_figure_segment_count(figure); k++) {
        const lb_segment *segment = lb_figure_segment(figure, k);
        int parent = lb_figure_parent_segment(figure, k), joint = lb_figure_parent_joint(figure, k);
        lb_frame world;
        cli_json_open(json, NULL, '{');
        cli_json_string(json, "name", segment->name);
        cli_json_string(json, "parent", parent >= 0 ? lb_figure_segment(figure, parent)->name : NULL);
        cli_json_string(json, "joint", joint >= 0 ? lb_figure_joint(figure, joint)->name : NULL);
        cli_json_number(json, "mass", segment->mass);
        cli_json_numbers(json, "com", segment->com, 3);
        if (!lb_kinematics_segment(in->kinematics, k, &world)) {
            cli_json_open(json, "rest_frame", '{');
            put_frame(json, &world);
            cli_json_close(json, '}');
        }
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_open(json, "sites", '[');
    for (int k = 0; k < lb_figure_site_count(figure); k++) {
        const lb_site *site = lb_figure_site(figure, k);
        cli_json_open(json, NULL, '{');
        cli_json_string(json, "name", site->name);
        cli_json_string(json, "segment", lb_figure_segment(figure, site->segment)->name);
        put_frame(json, &site->frame);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_site(cli_json *json, const char *key, const lb_figure *figure, int site) {
    const lb_site *s = lb_figure_site(figure, site);
    cli_json_open(json, key, '{');
    json->is_inline++;
    cli_json_string(json, "segment", lb_figure_segment(figure, s->segment)->name);
    cli_json_string(json, "site", s->name);
    cli_json_close(json, '}');
    json->is_inline--;
}

static void put_dofs(cli_json *json, const lb_figure *figure, int index) {
    const lb_joint *joint = lb_figure_joint(figure, index);
    cli_json_open(json, "dofs", '[');
    for (int dof = 0; dof < lb_joint_type_dof_count(&joint->type); dof++) {
        lb_dof_ref ref = {index, dof, -1};
        int variable = lb_figure_variable_of(figure, &ref);
        cli_json_open(json, NULL, '{');
        cli_json_string(json, "name", joint->dof_names[dof]);
        cli_json_string(json, "unit", lb_joint_type_is_angle(&joint->type, dof) ? "rad" : "m");
        put_range(json, joint->lower[dof], joint->upper[dof], joint->rest[dof], joint->rigidity[dof]);
        cli_json_string(json, "variable", variable >= 0 ? lb_figure_variable(figure, variable)->name : NULL);
        cli_json_truth(json, "driven", cli_is_driven(figure, index, dof));
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static int is_loop(const lb_figure *figure, int joint) {
    for (int k = 0; k < lb_figure_loop_count(figure); k++) {
        if (lb_figure_loop_joint(figure, k) == joint) {
            return 1;
        }
    }
    return 0;
}

static void put_joints(cli_json *json, const lb_figure *figure) {
    cli_json_open(json, "joints", '[');
    for (int k = 0; k < lb_figure_joint_count(figure); k++) {
        const lb_joint *joint = lb_figure_joint(figure, k);
        char type[512];
        lb_joint_type_spell(&joint->type, type, sizeof type);
        cli_json_open(json, NULL, '{');
        cli_json_string(json, "name", joint->name);
        cli_json_string(json, "type", type);
        put_site(json, "from", figure, joint->site_a);
        put_site(json, "to", figure, joint->site_b);
        cli_json_truth(json, "frozen", joint->frozen);
        cli_json_truth(json, "loop", is_loop(figure, k));
        put_dofs(json, figure, k);
        if (joint->swing_count) {
            cli_json_open(json, "swing", '[');
            for (int i = 0; i < joint->swing_count; i++) {
                cli_json_numbers(json, NULL, joint->swing[i], 2);
            }
            cli_json_close(json, ']');
        }
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_groups(cli_json *json, const lb_figure *figure) {
    static const char *const curves[] = {"linear", "polyline", "spline"};
    char name[512];
    cli_json_open(json, "groups", '[');
    for (int group = 0; group < lb_figure_group_count(figure); group++) {
        cli_json_open(json, NULL, '{');
        cli_json_string(json, "name", lb_figure_group(figure, group)->name);
        cli_json_open(json, "parameters", '[');
        for (int k = 0; k < lb_figure_parameter_count(figure); k++) {
            const lb_parameter *parameter = lb_figure_parameter(figure, k);
            if (parameter->group == group) {
                cli_json_open(json, NULL, '{');
                cli_json_string(json, "name", parameter->name);
                cli_json_string(json, "unit", parameter->is_angle ? "rad" : "m");
                put_range(json, parameter->lower, parameter->upper, parameter->rest, parameter->rigidity);
                cli_json_close(json, '}');
            }
        }
        cli_json_close(json, ']');
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_open(json, "drives", '[');
    for (int k = 0; k < lb_figure_drive_count(figure); k++) {
        const lb_drive *drive = lb_figure_drive(figure, k);
        lb_dof_ref driven = {drive->joint, drive->dof, -1};
        cli_json_open(json, NULL, '{');
        cli_dof_name(figure, &driven, name, sizeof name);
        cli_json_string(json, "dof", name);
        cli_dof_name(figure, &drive->source, name, sizeof name);
        cli_json_string(json, "source", name);
        cli_json_string(json, "curve", curves[drive->curve.kind]);
        if (drive->curve.kind == LB_CURVE_LINEAR) {
            cli_json_number(json, "slope", drive->curve.slope);
            cli_json_number(json, "offset", drive->curve.offset);
        } else {
            cli_json_numbers(json, "x", drive->curve.x, drive->curve.count);
            cli_json_numbers(json, "y", drive->curve.y, drive->curve.count);
        }
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_limits(cli_json *json, const lb_figure *figure) {
    char name[512];
    cli_json_open(json, "limits", '[');
    for (int k = 0; k < lb_figure_limit_count(figure); k++) {
        const lb_limit *limit = lb_figure_limit(figure, k);
        cli_json_open(json, NULL, '{');
        cli_json_string(json, "name", limit->name);
        cli_json_string(json, "kind", limit->kind == LB_LIMIT_EQUAL ? "equal" : "at most");
        cli_json_open(json, "terms", '[');
        for (int i = 0; i < limit->count; i++) {
            cli_json_open(json, NULL, '{');
            json->is_inline++;
            cli_dof_name(figure, &limit->terms[i], name, sizeof name);
            cli_json_string(json, "of", name);
            cli_json_number(json, "coefficient", limit->coefficients[i]);
            cli_json_close(json, '}');
            json->is_inline--;
        }
        cli_json_close(json, ']');
        cli_json_number(json, "bound", limit->bound);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_loops(cli_json *json, const cli_report_input *in) {
    cli_json_open(json, "loops", '[');
    for (int k = 0; k < lb_figure_loop_count(in->figure); k++) {
        lb_frame carried, tree;
        double gap = NAN;
        if (!lb_kinematics_loop(in->kinematics, k, &carried, &tree)) {
            gap = sqrt(pow(carried.position[0] - tree.position[0], 2) + pow(carried.position[1] - tree.position[1], 2) +
                       pow(carried.position[2] - tree.position[2], 2));
        }
        cli_json_open(json, NULL, '{');
        cli_json_string(json, "joint", lb_figure_joint(in->figure, lb_figure_loop_joint(in->figure, k))->name);
        cli_json_number(json, "rest_gap", gap);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_variables(cli_json *json, const lb_figure *figure) {
    cli_json_open(json, "variables", '[');
    for (int k = 0; k < lb_figure_variable_count(figure); k++) {
        const lb_variable *v = lb_figure_variable(figure, k);
        cli_json_open(json, NULL, '{');
        cli_json_string(json, "name", v->name);
        cli_json_string(json, "unit", v->is_angle ? "rad" : "m");
        put_range(json, v->lower, v->upper, v->rest, v->rigidity);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_warnings(cli_json *json, const cli_warnings *warnings) {
    cli_json_open(json, "warnings", '[');
    for (int k = 0; k < warnings->count; k++) {
        const lb_error *w = &warnings->items[k];
        cli_json_open(json, NULL, '{');
        cli_json_string(json, "file", w->file);
        cli_json_count(json, "line", w->line);
        cli_json_string(json, "message", w->message);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

int cli_info_json(const cli_report_input *in) {
    cli_json json = {.is_first = 1};
    cli_json_open(&json, NULL, '{');
    put_head(&json, in);
    put_root(&json, in->figure);
    put_segments(&json, in);
    put_joints(&json, in->figure);
    put_groups(&json, in->figure);
    put_limits(&json, in->figure);
    put_loops(&json, in);
    put_variables(&json, in->figure);
    put_warnings(&json, in->warnings);
    cli_json_close(&json, '}');
    lbio_text_add(&json.text, "\n");
    int code = json.text.failed ? cli_fail(CLI_BAD_INPUT, "no memory for the report") : CLI_OK;
    if (!code) {
        fwrite(json.text.data, 1, json.text.size, stdout);
    }
    lbio_text_free(&json.text);
    return code;
}
