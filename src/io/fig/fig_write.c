/* Figures as .fig text: what reads back is the same figure to the bit, in the same order. Where the order of parts is
 * not that of the blocks they belong to (sites of one segment between those of another, say), a part stands in the
 * figure itself, under its owner's name. */
#include "io/fig/fig_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 110 /* where long lists are broken */

/* ---------------------------------------------------------------------------------------------------
 * Small things
 * ------------------------------------------------------------------------------------------------- */

void lbio_fig_write_break(fig_writer *writer, const char *indent) {
    const lbio_text *text = writer->text;
    size_t column = 0;
    while (!text->failed && column <= COLUMNS && column < text->size && text->data[text->size - 1 - column] != '\n') {
        column++;
    }
    add(writer, column > COLUMNS ? "\n" : " ");
    add(writer, column > COLUMNS ? indent : "");
}

static void add_site_ref(fig_writer *writer, int site) {
    const lb_site *found = lb_figure_site(writer->figure, site);
    add_name(writer, lb_figure_segment(writer->figure, found->segment)->name);
    add(writer, ".");
    add_name(writer, found->name);
}

static int dof_count(const fig_writer *writer, int joint) {
    return lb_joint_type_dof_count(&lb_figure_joint(writer->figure, joint)->type);
}

/* joint, joint.dof or group.parameter; inside its own group the parameter alone, and no joint without its dof, lest it
 * be taken for a parameter */
static void add_dof_ref(fig_writer *writer, const lb_dof_ref *ref, int own_group) {
    if (ref->joint >= 0) {
        const lb_joint *joint = lb_figure_joint(writer->figure, ref->joint);
        add_name(writer, joint->name);
        if (dof_count(writer, ref->joint) > 1 || own_group >= 0) {
            add(writer, ".");
            add_name(writer, joint->dof_names[ref->dof]);
        }
        return;
    }
    const lb_parameter *parameter = lb_figure_parameter(writer->figure, ref->parameter);
    if (parameter->group != own_group) {
        add_name(writer, lb_figure_group(writer->figure, parameter->group)->name);
        add(writer, ".");
    }
    add_name(writer, parameter->name);
}

void lbio_fig_write_dof_ref(fig_writer *writer, const lb_dof_ref *ref) { add_dof_ref(writer, ref, -1); }

static int is_angle(const fig_writer *writer, const lb_dof_ref *ref) {
    if (ref->joint >= 0) {
        return lb_joint_type_is_angle(&lb_figure_joint(writer->figure, ref->joint)->type, ref->dof);
    }
    return lb_figure_parameter(writer->figure, ref->parameter)->is_angle;
}

/* ---------------------------------------------------------------------------------------------------
 * Drives
 * ------------------------------------------------------------------------------------------------- */

/* How many drives from here on make one statement: those of one dof. */
static int drive_run(const fig_writer *writer, int start) {
    const lb_drive *first = lb_figure_drive(writer->figure, start), *next;
    int count = 1;
    while ((next = lb_figure_drive(writer->figure, start + count)) && next->joint == first->joint &&
           next->dof == first->dof) {
        count++;
    }
    return count;
}

/* The one group whose parameters the run uses, maybe beside dofs of joints; -1 if dofs alone; -2 if several groups. */
static int run_group(const fig_writer *writer, int start, int count) {
    int group = -1;
    for (int i = start; i < start + count; i++) {
        const lb_dof_ref *source = &lb_figure_drive(writer->figure, i)->source;
        if (source->joint < 0) {
            int other = lb_figure_parameter(writer->figure, source->parameter)->group;
            group = group == -1 || group == other ? other : -2;
        }
    }
    return group;
}

/* One term with its sign: 0.5 * hip.rx, or 2cm * hip.rx where angles drive a length. */
static void add_term(fig_writer *writer, double coefficient, fig_unit unit, const lb_dof_ref *ref, int own_group,
                     int is_first) {
    int negative = signbit(coefficient) != 0;
    add(writer, negative ? (is_first ? "-" : "- ") : is_first ? "" : "+ ");
    if (fabs(coefficient) != 1 || unit != FIG_PLAIN) {
        add_value(writer, unit, fabs(coefficient));
        add(writer, " * ");
    }
    add_dof_ref(writer, ref, own_group);
}

static void add_curve(fig_writer *writer, const lb_drive *drive, fig_unit unit, int own_group, int is_first) {
    const lb_curve *curve = &drive->curve;
    fig_unit source_unit = is_angle(writer, &drive->source) ? FIG_ANGLE : FIG_LENGTH;
    add(writer, is_first ? "" : "+ ");
    add(writer, curve->kind == LB_CURVE_SPLINE ? "spline(" : "polyline(");
    add_dof_ref(writer, &drive->source, own_group);
    for (int i = 0; i < curve->count; i++) {
        add(writer, ",");
        lbio_fig_write_break(writer, "                ");
        add(writer, "(");
        add_value(writer, source_unit, curve->x[i]);
        add(writer, ", ");
        add_value(writer, unit, curve->y[i]);
        add(writer, ")");
    }
    add(writer, ")");
}

static void add_sum(fig_writer *writer, int start, int count, int own_group) {
    for (int i = start; i < start + count; i++) {
        const lb_drive *drive = lb_figure_drive(writer->figure, i);
        lb_dof_ref target = {drive->joint, drive->dof, -1};
        fig_unit unit = is_angle(writer, &target) ? FIG_ANGLE : FIG_LENGTH;
        if (i > start) {
            lbio_fig_write_break(writer, "            ");
        }
        if (drive->curve.kind != LB_CURVE_LINEAR) {
            add_curve(writer, drive, unit, own_group, i == start);
            continue;
        }
        fig_unit slope_unit = is_angle(writer, &drive->source) == is_angle(writer, &target) ? FIG_PLAIN : unit;
        add_term(writer, drive->curve.slope, slope_unit, &drive->source, own_group, i == start);
        if (drive->curve.offset != 0 || signbit(drive->curve.offset)) {
            add(writer, signbit(drive->curve.offset) ? " - " : " + ");
            add_value(writer, unit, fabs(drive->curve.offset));
        }
    }
}

static int already_driven(fig_writer *writer, const lb_drive *drive) {
    int bit = 1 << drive->dof;
    int before = writer->driven[drive->joint] & bit;
    writer->driven[drive->joint] = (unsigned char)(writer->driven[drive->joint] | bit);
    return before != 0;
}

static void write_drive(fig_writer *writer, int own_group) {
    const lb_drive *drive = lb_figure_drive(writer->figure, writer->drive);
    lb_dof_ref target = {drive->joint, drive->dof, -1};
    int count = drive_run(writer, writer->drive);
    add(writer, own_group >= 0 ? "        drive " : "    drive ");
    add_dof_ref(writer, &target, -1);
    add(writer, already_driven(writer, drive) ? " += " : " = ");
    add_sum(writer, writer->drive, count, own_group);
    add(writer, ";\n");
    writer->drive += count;
}

/* The next drives as a mimic inside joint number `joint`, if that is what they are. */
static void write_mimic(fig_writer *writer, int joint) {
    const lb_drive *drive = lb_figure_drive(writer->figure, writer->drive);
    if (!drive || drive->joint != joint || dof_count(writer, joint) != 1) {
        return;
    }
    int count = drive_run(writer, writer->drive);
    if (run_group(writer, writer->drive, count) != -1) {
        return;
    }
    already_driven(writer, drive);
    add(writer, "        mimic = ");
    add_sum(writer, writer->drive, count, -1);
    add(writer, ";\n");
    writer->drive += count;
}

/* ---------------------------------------------------------------------------------------------------
 * Joints
 * ------------------------------------------------------------------------------------------------- */

/* Whether the dofs have the names that a joint of this type gets by itself. */
static int has_default_names(fig_writer *writer, const lb_joint *joint) {
    lb_joint plain;
    lb_joint_defaults(&plain);
    plain.name = joint->name;
    plain.type = joint->type;
    plain.site_a = writer->name_sites[0];
    plain.site_b = writer->name_sites[1];
    int index = lb_builder_add_joint(writer->names, &plain);
    if (index < 0) {
        writer->text->failed |= index == LB_ERROR_MEMORY;
        return 0;
    }
    const lb_joint *named = lb_builder_joint(writer->names, index);
    int dofs = lb_joint_type_dof_count(&joint->type);
    for (int i = 0; i < dofs; i++) {
        if (strcmp(named->dof_names[i], joint->dof_names[i]) != 0) {
            return 0;
        }
    }
    return 1;
}

static void write_names(fig_writer *writer, const lb_joint *joint) {
    int dofs = lb_joint_type_dof_count(&joint->type);
    if (dofs == 0 || has_default_names(writer, joint)) {
        return;
    }
    for (int i = 0; i < dofs; i++) {
        add(writer, i ? ", " : "        names = (");
        add_name(writer, joint->dof_names[i]);
    }
    add(writer, ");\n");
}

/* One value per dof, unless all are `usual`. */
static void write_values(fig_writer *writer, const lb_joint *joint, const char *word, const double *values,
                         double usual, int is_plain) {
    int dofs = lb_joint_type_dof_count(&joint->type);
    int differs = 0;
    for (int i = 0; i < dofs; i++) {
        differs |= !lbio_fig_same_bits(&values[i], &usual, sizeof usual);
    }
    if (!differs) {
        return;
    }
    add(writer, "        ");
    add(writer, word);
    for (int i = 0; i < dofs; i++) {
        fig_unit unit = is_plain ? FIG_PLAIN : lb_joint_type_is_angle(&joint->type, i) ? FIG_ANGLE : FIG_LENGTH;
        add(writer, i ? ", " : " = (");
        add_value(writer, unit, values[i]);
    }
    add(writer, ");\n");
}

/* Whether the swing polygon is the cone through its first corner, whose angle the text may have to be tried for. */
static int is_cone(const lb_joint *joint, double *half_angle) {
    double(*cone)[2] = malloc((size_t)joint->swing_count * sizeof *cone);
    double angle = sqrt(joint->swing[0][0] * joint->swing[0][0] + joint->swing[0][1] * joint->swing[0][1]);
    int same = 0;
    for (int i = 0; i < 3 && !same && cone && angle > 0; i++) {
        *half_angle = i == 0 ? angle : nextafter(angle, i == 1 ? 0 : 100);
        lb_swing_cone(*half_angle, joint->swing_count, cone);
        same = lbio_fig_same_bits(cone, joint->swing, (size_t)joint->swing_count * sizeof *cone);
    }
    free(cone);
    return same;
}

static void write_swing(fig_writer *writer, const lb_joint *joint) {
    double angle;
    if (joint->swing_count == 0) {
        return;
    }
    add(writer, "        swing = ");
    if (is_cone(joint, &angle)) {
        add(writer, "cone(");
        add_value(writer, FIG_ANGLE, angle);
        lbio_text_format(writer->text, ", %d sides);\n", joint->swing_count);
        return;
    }
    add(writer, "polygon(");
    for (int i = 0; i < joint->swing_count; i++) {
        if (i > 0) {
            add(writer, ",");
            lbio_fig_write_break(writer, "            ");
        }
        add(writer, "(");
        add_value(writer, FIG_ANGLE, joint->swing[i][0]);
        add(writer, ", ");
        add_value(writer, FIG_ANGLE, joint->swing[i][1]);
        add(writer, ")");
    }
    add(writer, ");\n");
}

static void write_joint(fig_writer *writer, int index) {
    const lb_joint *joint = lb_figure_joint(writer->figure, index);
    char type[512];
    lb_joint_type_spell(&joint->type, type, sizeof type);
    lbio_fig_write_sites(writer, joint->site_a > joint->site_b ? joint->site_a : joint->site_b);
    add(writer, "    joint ");
    add_name(writer, joint->name);
    add(writer, " {\n        connect ");
    add_site_ref(writer, joint->site_a);
    add(writer, " to ");
    add_site_ref(writer, joint->site_b);
    add(writer, ";\n        type = ");
    add(writer, type);
    add(writer, ";\n");
    write_names(writer, joint);
    write_values(writer, joint, "llimit", joint->lower, -INFINITY, 0);
    write_values(writer, joint, "ulimit", joint->upper, INFINITY, 0);
    write_values(writer, joint, "rest", joint->rest, 0, 0);
    write_values(writer, joint, "rigidity", joint->rigidity, 0, 1);
    write_values(writer, joint, "velocity", joint->velocity, INFINITY, 0);
    write_values(writer, joint, "acceleration", joint->acceleration, INFINITY, 0);
    write_values(writer, joint, "effort", joint->effort, INFINITY, 1);
    write_values(writer, joint, "soft_llimit", joint->soft_lower, -INFINITY, 0);
    write_values(writer, joint, "soft_ulimit", joint->soft_upper, INFINITY, 0);
    write_swing(writer, joint);
    write_mimic(writer, index);
    add(writer, joint->frozen ? "        frozen;\n    }\n\n" : "    }\n\n");
}

/* ---------------------------------------------------------------------------------------------------
 * Groups and limits
 * ------------------------------------------------------------------------------------------------- */

static void add_setting(fig_writer *writer, const char *word, fig_unit unit, double value, double usual) {
    if (!lbio_fig_same_bits(&value, &usual, sizeof value)) {
        add(writer, word);
        add_value(writer, unit, value);
        add(writer, ";");
    }
}

static void write_parameter(fig_writer *writer, const lb_parameter *parameter, int inside) {
    fig_unit unit = parameter->is_angle ? FIG_ANGLE : FIG_LENGTH;
    add(writer, inside ? "        parameter " : "    parameter ");
    if (!inside) {
        add_name(writer, lb_figure_group(writer->figure, parameter->group)->name);
        add(writer, ".");
    }
    add_name(writer, parameter->name);
    add(writer, " {");
    add(writer, parameter->is_angle ? "" : " kind = length;");
    add_setting(writer, " llimit = ", unit, parameter->lower, -INFINITY);
    add_setting(writer, " ulimit = ", unit, parameter->upper, INFINITY);
    add_setting(writer, " rest = ", unit, parameter->rest, 0);
    add_setting(writer, " rigidity = ", FIG_PLAIN, parameter->rigidity, 0);
    add(writer, " }\n");
}

static void write_parameters_before(fig_writer *writer, int group) {
    const lb_parameter *parameter;
    while ((parameter = lb_figure_parameter(writer->figure, writer->parameter)) && parameter->group < group) {
        write_parameter(writer, parameter, 0);
        writer->parameter++;
    }
}

static void write_group(fig_writer *writer, int index) {
    const lb_parameter *parameter;
    write_parameters_before(writer, index);
    add(writer, "    group ");
    add_name(writer, lb_figure_group(writer->figure, index)->name);
    add(writer, " {\n");
    while ((parameter = lb_figure_parameter(writer->figure, writer->parameter)) && parameter->group == index) {
        write_parameter(writer, parameter, 1);
        writer->parameter++;
    }
    while (lb_figure_drive(writer->figure, writer->drive) &&
           run_group(writer, writer->drive, drive_run(writer, writer->drive)) == index) {
        write_drive(writer, index);
    }
    add(writer, "    }\n\n");
}

static void write_limit(fig_writer *writer, const lb_limit *limit) {
    int angles = 0;
    add(writer, "    limit");
    if (limit->name && limit->name[0]) {
        add(writer, " ");
        add_name(writer, limit->name);
    }
    add(writer, ": ");
    for (int i = 0; i < limit->count; i++) {
        if (i > 0) {
            lbio_fig_write_break(writer, "            ");
        }
        add_term(writer, limit->coefficients[i], FIG_PLAIN, &limit->terms[i], -1, i == 0);
        angles += is_angle(writer, &limit->terms[i]);
    }
    add(writer, limit->kind == LB_LIMIT_EQUAL ? " = " : " <= ");
    add_value(writer, angles == limit->count ? FIG_ANGLE : angles == 0 ? FIG_LENGTH : FIG_PLAIN, limit->bound);
    add(writer, ";\n");
}

static void write_root(fig_writer *writer) {
    const lb_root *root = lb_figure_root(writer->figure);
    lb_frame identity;
    lb_frame_identity(&identity);
    add(writer, "    root = ");
    if (root->site >= 0) {
        add_site_ref(writer, root->site);
    } else {
        add_name(writer, lb_figure_segment(writer->figure, root->segment)->name);
    }
    add(writer, root->is_free ? " free" : "");
    if (!lbio_fig_same_bits(&root->placement, &identity, sizeof identity)) {
        add(writer, " at ");
        lbio_fig_print_frame(writer->text, &root->placement);
    }
    add(writer, ";\n");
}

/* ---------------------------------------------------------------------------------------------------
 * All of it
 * ------------------------------------------------------------------------------------------------- */

static int start_names(fig_writer *writer) {
    writer->names = lb_builder_create(NULL, NULL);
    for (int i = 0; writer->names && i < 2; i++) {
        lb_segment segment;
        lb_site site;
        lb_segment_defaults(&segment);
        lb_site_defaults(&site);
        segment.name = i ? "b" : "a";
        site.name = "site";
        site.segment = lb_builder_add_segment(writer->names, &segment);
        writer->name_sites[i] = lb_builder_add_site(writer->names, &site);
        if (writer->name_sites[i] < 0) {
            return 0;
        }
    }
    return writer->names != NULL;
}

static int start_writer(fig_writer *writer) {
    const lb_figure *figure = writer->figure;
    int segments = lb_figure_segment_count(figure), sites = lb_figure_site_count(figure);
    writer->first_site = malloc(((size_t)segments + (size_t)sites + 1) * sizeof *writer->first_site);
    writer->driven = calloc((size_t)lb_figure_joint_count(figure) + 1, 1);
    if (!writer->first_site || !writer->driven || !start_names(writer)) {
        return 0;
    }
    writer->next_site = writer->first_site + segments;
    for (int i = 0; i < segments; i++) {
        writer->first_site[i] = -1;
    }
    for (int i = sites - 1; i >= 0; i--) {
        int segment = lb_figure_site(figure, i)->segment;
        writer->next_site[i] = writer->first_site[segment];
        writer->first_site[segment] = i;
    }
    return 1;
}

static void write_all(fig_writer *writer) {
    const lb_figure *figure = writer->figure;
    add(writer, "figure ");
    add_name(writer, lb_figure_name(figure));
    add(writer, " {\n");
    if (lb_figure_stature(figure) > 0) {
        add(writer, "    stature = ");
        add_value(writer, FIG_LENGTH, lb_figure_stature(figure));
        add(writer, ";\n\n");
    }
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        lbio_fig_write_segment(writer, i);
    }
    lbio_fig_write_shapes(writer, lb_figure_segment_count(figure));
    for (int i = 0; i < lb_figure_joint_count(figure); i++) {
        write_joint(writer, i);
    }
    lbio_fig_write_sites(writer, lb_figure_site_count(figure));
    for (int i = 0; i < lb_figure_group_count(figure); i++) {
        write_group(writer, i);
    }
    write_parameters_before(writer, lb_figure_group_count(figure));
    while (lb_figure_drive(figure, writer->drive)) {
        write_drive(writer, -1);
    }
    for (int i = 0; i < lb_figure_limit_count(figure); i++) {
        write_limit(writer, lb_figure_limit(figure, i));
    }
    write_root(writer);
    lbio_fig_write_body(writer);
    add(writer, "}\n");
}

/* Meshes and hulls around them are kept in memory alone. */
static void tell_hulls(const lb_figure *figure, const lb_save_options *options) {
    int count = 0;
    for (int i = 0; i < lb_figure_shape_count(figure); i++) {
        count += lb_figure_shape(figure, i)->kind >= LB_SHAPE_HULL;
    }
    if (count && options->warn) {
        lb_error warning;
        lbio_error(&warning, LB_OK, "", 0, "%d mesh%s or hull%s around %s left out: they are kept in memory alone",
                   count, count == 1 ? "" : "es", count == 1 ? "" : "s", count == 1 ? "one is" : "them are");
        options->warn(options->warn_context, &warning);
    }
}

lb_status lbio_write_fig(const lb_figure *figure, const lb_save_options *options, lbio_text *text, lb_error *error) {
    fig_writer writer;
    tell_hulls(figure, options);
    memset(&writer, 0, sizeof writer);
    writer.figure = figure;
    writer.text = text;
    int started = start_writer(&writer);
    if (started) {
        write_all(&writer);
    }
    lb_builder_destroy(writer.names);
    free(writer.first_site);
    free(writer.driven);
    return started && !text->failed ? LB_OK : lbio_error(error, LB_ERROR_MEMORY, "", 0, "out of memory");
}
