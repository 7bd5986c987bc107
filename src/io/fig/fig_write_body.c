/* The body of a figure as .fig text. */
#include <math.h>

#include "io/fig/fig_write.h"

static void add_variable(fig_writer *writer, int variable) {
    static const char *const root[] = {"root.x", "root.y", "root.z", "root.rx", "root.ry", "root.rz"};
    const lb_dof_ref *ref = &lb_figure_variable(writer->figure, variable)->ref;
    if (ref->joint < 0 && ref->parameter < 0) {
        add(writer, root[ref->dof]);
    } else {
        lbio_fig_write_dof_ref(writer, ref);
    }
}

static fig_unit variable_unit(const fig_writer *writer, int variable) {
    return lb_figure_variable(writer->figure, variable)->is_angle ? FIG_ANGLE : FIG_LENGTH;
}

static void add_segment(fig_writer *writer, int segment) {
    add_name(writer, lb_figure_segment(writer->figure, segment)->name);
}

static void add_site(fig_writer *writer, int site) {
    const lb_site *found = lb_figure_site(writer->figure, site);
    add_segment(writer, found->segment);
    add(writer, ".");
    add_name(writer, found->name);
}

/* word name */
static void add_head(fig_writer *writer, const char *word, const char *name) {
    add(writer, word);
    add_name(writer, name);
}

static void write_postures(fig_writer *writer, const lb_body *body) {
    for (int i = 0; i < body->variable_count; i++) {
        const lb_body_variable *variable = &body->variables[i];
        if (variable->weight == 0 && variable->huber == 0 && variable->comfort == 0) {
            continue;
        }
        add(writer, "        posture ");
        add_variable(writer, i);
        add(writer, " = ");
        add_value(writer, FIG_PLAIN, variable->weight);
        if (variable->huber > 0) {
            add(writer, " huber ");
            add_value(writer, variable_unit(writer, i), variable->huber);
        }
        if (variable->comfort > 0) {
            add(writer, " comfort ");
            add_value(writer, FIG_PLAIN, variable->comfort);
        }
        add(writer, ";\n");
    }
}

static void write_solids(fig_writer *writer, const lb_body *body) {
    for (int i = 0; i < body->solid_count; i++) {
        const lb_body_solid *solid = &body->solids[i];
        add_head(writer, "        solid ", solid->name);
        add(writer, " = capsule(");
        add_segment(writer, solid->segment);
        add(writer, ", ");
        lbio_fig_print_triple(writer->text, FIG_LENGTH, solid->from);
        add(writer, ", ");
        lbio_fig_print_triple(writer->text, FIG_LENGTH, solid->to);
        add(writer, ", ");
        add_value(writer, FIG_LENGTH, solid->radius);
        add(writer, ");\n");
    }
}

static void write_contacts(fig_writer *writer, const lb_body *body) {
    for (int i = 0; i < body->contact_count; i++) {
        const lb_body_contact *contact = &body->contacts[i];
        add_head(writer, "        contact ", contact->name);
        add(writer, " = ");
        add(writer, lb_contact_kind_name(contact->kind));
        add(writer, "(");
        add_segment(writer, contact->segment);
        add(writer, ", ");
        lbio_fig_print_triple(writer->text, FIG_LENGTH, contact->point);
        if (contact->radius > 0) {
            add(writer, ", ");
            add_value(writer, FIG_LENGTH, contact->radius);
        }
        add(writer, ")");
        if (contact->limb >= 0) {
            lbio_text_format(writer->text, " limb %d", contact->limb);
        }
        add(writer, ";\n");
    }
}

static void write_strengths(fig_writer *writer, const lb_body *body) {
    for (int i = 0; i < body->strength_count; i++) {
        add_head(writer, "        strength ", body->strengths[i].name);
        add(writer, " = ");
        add_value(writer, FIG_PLAIN, body->strengths[i].moment);
        add(writer, " of ");
        add_segment(writer, body->strengths[i].segment);
        add(writer, body->strengths[i].by_axis ? " by axis;\n" : ";\n");
    }
}

static void write_ease(fig_writer *writer, const lb_body_ease *ease) {
    int angles = 0;
    add_head(writer, "        ease ", ease->name);
    add(writer, ": ");
    for (int i = 0; i < ease->count; i++) {
        double coefficient = ease->coefficients[i];
        int negative = signbit(coefficient) != 0;
        add(writer, i == 0 ? (negative ? "-" : "") : (negative ? " - " : " + "));
        add_value(writer, FIG_PLAIN, fabs(coefficient));
        add(writer, " * ");
        add_variable(writer, ease->variables[i]);
        angles += variable_unit(writer, ease->variables[i]) == FIG_ANGLE;
    }
    add(writer, " <= ");
    add_value(writer, angles == ease->count ? FIG_ANGLE : angles == 0 ? FIG_LENGTH : FIG_PLAIN, ease->bound);
    add(writer, " weight ");
    add_value(writer, FIG_PLAIN, ease->weight);
    add(writer, ";\n");
}

static void write_arm(fig_writer *writer, const lb_body_arm *arm) {
    add_head(writer, "        arm ", arm->name);
    add(writer, " {");
    if (arm->limb >= 0) {
        lbio_text_format(writer->text, " limb = %d;", arm->limb);
    }
    add(writer, " shoulder = ");
    add_segment(writer, arm->shoulder);
    add(writer, "; hand = ");
    add_segment(writer, arm->hand);
    add(writer, ";");
    if (arm->palm >= 0) {
        add(writer, " palm = ");
        add_site(writer, arm->palm);
        add(writer, ";");
    }
    if (arm->lap >= 0) {
        add(writer, " lap = ");
        add_segment(writer, arm->lap);
        add(writer, " ");
        lbio_fig_print_triple(writer->text, FIG_LENGTH, arm->lap_point);
        add(writer, ";");
    }
    add(writer, " }\n");
}

static void write_start(fig_writer *writer, const lb_body_start *start) {
    add_head(writer, "        start ", start->name);
    add(writer, " {");
    for (int i = 0; i < start->count; i++) {
        lbio_fig_write_break(writer, "            ");
        add_variable(writer, start->variables[i]);
        add(writer, " = ");
        add_value(writer, variable_unit(writer, start->variables[i]), start->values[i]);
        add(writer, ";");
    }
    add(writer, " }\n");
}

static void write_looking(fig_writer *writer, const lb_body *body) {
    if (body->head >= 0) {
        add(writer, "        head = ");
        add_segment(writer, body->head);
        add(writer, ";\n");
    }
    if (body->gaze >= 0) {
        add(writer, "        gaze = ");
        add_site(writer, body->gaze);
        add(writer, ";\n");
    }
    for (int i = 0; i < body->eye_count; i++) {
        add(writer, i ? ", " : "        eyes = (");
        add_segment(writer, body->eyes[i]);
    }
    add(writer, body->eye_count > 0 ? ");\n" : "");
}

void lbio_fig_write_body(fig_writer *writer) {
    const lb_body *body = lb_figure_body(writer->figure);
    if (!body) {
        return;
    }
    add(writer, "\n    body {\n");
    write_postures(writer, body);
    write_solids(writer, body);
    write_contacts(writer, body);
    write_strengths(writer, body);
    for (int i = 0; i < body->ease_count; i++) {
        write_ease(writer, &body->eases[i]);
    }
    for (int i = 0; i < body->arm_count; i++) {
        write_arm(writer, &body->arms[i]);
    }
    for (int i = 0; i < body->start_count; i++) {
        write_start(writer, &body->starts[i]);
    }
    write_looking(writer, body);
    add(writer, "    }\n");
}
