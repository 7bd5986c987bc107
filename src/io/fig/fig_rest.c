/* `rest { elbow = 90deg; spine.flexion = 10deg; at = trans(...); }`: the pose that the figure rests in, in one place:
 * read, and written into a file that stays as it is otherwise. */
#include "io/fig/fig_print.h"
#include "io/pose.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Reading
 * ------------------------------------------------------------------------------------------------- */

int lbio_fig_parse_rests(fig_reader *reader, fig_file *file) {
    file->rests_begin = reader->start;
    if (!lbio_fig_once(reader, &file->rests_line, "rest") || !lbio_fig_expect(reader, "{")) {
        return 0;
    }
    file->rests_end = reader->start + reader->length;
    while (!lbio_fig_close(reader, "the", "rest", file->rests_line)) {
        if (lbio_fig_is(reader, "at")) {
            if (!lbio_fig_once(reader, &file->at_line, "at") || !lbio_fig_expect(reader, "=") ||
                !lbio_fig_parse_frame(reader, &file->at) || !lbio_fig_expect_end(reader, "the place")) {
                return 0;
            }
        } else {
            fig_setting *setting;
            FIG_ADD(reader, file->rests, setting);
            if (!setting || !lbio_fig_parse_ref(reader, "the name of a variable", &setting->variable) ||
                !lbio_fig_expect(reader, "=") || !lbio_fig_read_value(reader, "a number", &setting->value) ||
                !lbio_fig_expect_end(reader, "the value")) {
                return 0;
            }
        }
        file->rests_end = reader->start + reader->length; /* of the brace, at last */
    }
    return 1;
}

int lbio_fig_rest_parameters(fig_reader *reader, fig_file *file) {
    for (const fig_setting *setting = file->rests.first; setting; setting = setting->next) {
        const fig_ref *name = &setting->variable;
        for (fig_parameter *p = file->parameters.first; name->second && p; p = p->next) {
            if (strcmp(p->group, name->first) == 0 && strcmp(p->name, name->second) == 0) {
                p->rest = setting->value;
                p->has_rest = 1;
            }
        }
    }
    return reader->status == LB_OK;
}

int lbio_fig_rest_joints(fig_maker *maker) {
    for (const fig_setting *setting = maker->file->rests.first; setting; setting = setting->next) {
        lb_dof_ref dof;
        if (!lbio_fig_find_dof(maker, NULL, &setting->variable, &dof)) {
            return 0;
        }
        if (dof.joint < 0) {
            continue; /* a parameter, which has its value already */
        }
        const int is_angle = lbio_fig_dof_is_angle(maker, &dof);
        if (!lbio_fig_check_unit(maker->reader, &setting->value, is_angle ? FIG_ANGLE : FIG_LENGTH,
                                 "the rest of this variable")) {
            return 0;
        }
        lb_joint joint = *lb_builder_joint(maker->builder, dof.joint);
        joint.rest[dof.dof] = setting->value.number;
        if (lb_builder_change_joint(maker->builder, dof.joint, &joint) != LB_OK) {
            return lbio_fig_builder_fail(maker, setting->value.line);
        }
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------
 * Writing
 * ------------------------------------------------------------------------------------------------- */

/* A name as the file has it: "hip.rx" is two of them. */
static void put_name(lbio_text *text, const lb_figure *figure, const lb_variable *variable) {
    const lb_dof_ref *ref = &variable->ref;
    const char *first = ref->joint >= 0
                            ? lb_figure_joint(figure, ref->joint)->name
                            : lb_figure_group(figure, lb_figure_parameter(figure, ref->parameter)->group)->name;
    const size_t length = strlen(first);
    const char *second = strncmp(variable->name, first, length) == 0 && variable->name[length] == '.'
                             ? variable->name + length + 1
                             : NULL;
    if (strcmp(first, "at") == 0) {
        lbio_text_add(text, "\"at\""); /* the joint, not the place */
    } else {
        lbio_fig_print_name(text, first);
    }
    if (second) {
        lbio_text_add(text, ".");
        lbio_fig_print_name(text, second);
    }
}

static void put_statement(const lb_figure *own, const double *pose, const lb_frame *at, lbio_text *text) {
    lbio_text_add(text, "rest {");
    if (at) {
        lbio_text_add(text, "\n        at = ");
        lbio_fig_print_frame(text, at);
        lbio_text_add(text, ";");
    }
    for (int v = 0; v < lb_figure_variable_count(own); v++) {
        const lb_variable *variable = lb_figure_variable(own, v);
        if (variable->ref.joint < 0 && variable->ref.parameter < 0) {
            continue; /* of the root: `at` has it */
        }
        lbio_text_add(text, "\n        ");
        put_name(text, own, variable);
        lbio_text_add(text, " = ");
        lbio_fig_print_value(text,
                             variable->ref.joint < 0 ? FIG_PLAIN /* SI units, whatever the parameter's kind */
                             : variable->is_angle    ? FIG_ANGLE
                                                     : FIG_LENGTH,
                             pose[v]);
        lbio_text_add(text, ";");
    }
    lbio_text_add(text, "\n    }");
}

lb_status lbio_fig_put_pose(const lbio_source *source, const lb_figure *own, const double *pose, const lb_frame *at,
                            lbio_text *out) {
    fig_reader reader;
    fig_file file;
    memset(&reader, 0, sizeof reader);
    memset(&file, 0, sizeof file);
    reader.source = source;
    if (lbio_fig_parse(&reader, &file)) {
        const char *begin = file.rests_line ? file.rests_begin : file.close;
        const char *end = file.rests_line ? file.rests_end : file.close;
        lbio_text_bytes(out, source->text, (size_t)(begin - source->text));
        lbio_text_add(out, file.rests_line ? "" : "    ");
        put_statement(own, pose, at, out);
        lbio_text_add(out, file.rests_line ? "" : "\n");
        lbio_text_bytes(out, end, (size_t)(source->text + source->size - end));
    }
    lbio_fig_reader_free(&reader);
    return reader.status;
}
