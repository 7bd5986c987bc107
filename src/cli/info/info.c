/* limber info: what a figure is, for people. */
#include "cli/cli.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDENT_MOST 40 /* columns; deeper segments say how deep they are */
#define NAME_MOST 40   /* columns that a long name may push the others away */

static const cli_option options[] = {
    {"json", 'j', NULL, "for programs: see the manual page for the layout"},
    {"variables", 'v', NULL, "list the variables too: what a pose has one value of"},
    {"sites", 0, NULL, "list the sites where joints sit, too"},
    {"pose", 'p', "VALUES",
     "what holds a person or a standing robot in this pose: contacts, balance, efforts; as in hip.rx=20deg"},
    {"stature", 's', "LENGTH", "scale a figure that has a stature to this one, as in 1.55m"},
    {"root", 0, "FOLDER", "an MJCF file may include others from anywhere in this folder"},
    {"packages", 0, "FOLDERS", "read meshes, and look for package://... in these folders, with colons between them"},
    {"stand", 0, NULL, "a legged robot gets a free root and stands on its feet"},
    {"base", 0, "BASE", "a base that drives: planar, or planar=2m,1m,90deg for how far either way"},
    {"unit", 'u', "LENGTH",
     "what one length unit of a BVH or glTF file is (default: 1cm and 1m, or what a person's legs tell)"},
    {"limits", 0, "WHICH", "a person as it is posed, at ease, with the limits of the file, anatomical, none, or auto"},
    {"anatomical", 0, NULL, "another name of --limits anatomical"},
    {"format", 'f', "FORMAT", "read the file as fig, urdf, mjcf, bvh or gltf, whatever its name"},
    {NULL, 0, NULL, NULL},
};

/* --- Names --------------------------------------------------------------------------------------- */

static const char *cleaned(const char *name) {
    static char clean[256]; /* the program has one thread, and each line is printed before the next name */
    cli_clean(name, clean, sizeof clean);
    return clean;
}

static int widen(int width, const char *text) {
    int wanted = cli_width_of(text);
    return wanted > width && wanted <= NAME_MOST ? wanted : width;
}

static void heading(const char *text, int count) {
    const char *bold = cli_is_fancy() ? "\033[1m" : "", *plain = cli_is_fancy() ? "\033[0m" : "";
    printf("\n%s%s%s", bold, text, plain);
    if (count >= 0) {
        printf(" (%d)", count);
    }
    putchar('\n');
}

/* --- Sections ------------------------------------------------------------------------------------ */

static void counted(int count, const char *one, const char *many, const char *separator) {
    printf("%d %s%s", count, count == 1 ? one : many, separator);
}

static int dof_total(const lb_figure *figure) {
    int total = lb_figure_root(figure)->is_free ? 6 : 0;
    for (int k = 0; k < lb_figure_joint_count(figure); k++) {
        total += lb_joint_type_dof_count(&lb_figure_joint(figure, k)->type);
    }
    return total;
}

static void print_summary(const cli_report_input *in) {
    const lb_figure *figure = in->figure;
    char number[32], x[32], y[32], z[32];
    const char *bold = cli_is_fancy() ? "\033[1m" : "", *plain = cli_is_fancy() ? "\033[0m" : "";
    printf("%s%s%s", bold, cleaned(lb_figure_name(figure)), plain);
    printf("  (%s)\n", cleaned(in->source->found));
    printf("  ");
    counted(lb_figure_segment_count(figure), "segment", "segments", ", ");
    counted(lb_figure_joint_count(figure), "joint", "joints", ", ");
    counted(dof_total(figure), "dof", "dofs", ", ");
    counted(lb_figure_variable_count(figure), "variable", "variables", "");
    if (lb_figure_group_count(figure)) {
        printf(", ");
        counted(lb_figure_group_count(figure), "group", "groups", "");
    }
    if (lb_figure_loop_count(figure)) {
        printf(", ");
        counted(lb_figure_loop_count(figure), "loop", "loops", "");
    }
    printf("\n  ");
    counted(lb_figure_site_count(figure), "site", "sites", ", ");
    counted(lb_figure_shape_count(figure), "shape", "shapes", "\n");
    if (lb_figure_stature(figure) > 0) {
        cli_print_number(lb_figure_stature(figure), number);
        printf("  stature %s m\n", number);
    }
    if (lb_figure_mass(figure) > 0) {
        double com[3];
        lb_kinematics_com(in->kinematics, com);
        cli_print_number(lb_figure_mass(figure), number);
        cli_print_number(com[0], x), cli_print_number(com[1], y), cli_print_number(com[2], z);
        printf("  mass %s kg, centre of mass at (%s, %s, %s) m in the rest pose\n", number, x, y, z);
    } else {
        printf("  no mass given\n");
    }
}

static const char *root_text(const lb_figure *figure, char *text, size_t size) {
    const lb_root *root = lb_figure_root(figure);
    const lb_site *site = root->site >= 0 ? lb_figure_site(figure, root->site) : NULL;
    snprintf(text, size, "root%s%s, %s", site ? " at site " : "", site ? cleaned(site->name) : "",
             root->is_free ? "free" : "fixed");
    return text;
}

static const char *type_text(const lb_joint *joint, char *text, size_t size) {
    lb_joint_type_spell(&joint->type, text, size);
    return text;
}

/* The tree in an order in which each branch is whole: children follow their parent. */
static int *branch_order(const lb_figure *figure, int *depth) {
    int count = lb_figure_segment_count(figure);
    size_t room = (size_t)count + 1;
    int *order = malloc(room * sizeof *order), *first = malloc(room * sizeof *first);
    int *next = malloc(room * sizeof *next), *stack = malloc(room * sizeof *stack),
        *result = malloc(room * sizeof *result);
    if (!order || !first || !next || !stack || !result) {
        free(result);
        result = NULL;
    } else {
        int used = 0, height = 0;
        lb_figure_tree_order(figure, order);
        for (int k = 0; k < count; k++) {
            first[k] = next[k] = -1;
        }
        /* Pushed backwards, so that children are listed in the order they came in. */
        for (int k = count - 1; k > 0; k--) {
            int parent = lb_figure_parent_segment(figure, order[k]);
            next[order[k]] = first[parent];
            first[parent] = order[k];
        }
        stack[height++] = order[0];
        depth[order[0]] = 0;
        while (height) {
            int segment = stack[--height], from = height;
            result[used++] = segment;
            for (int child = first[segment]; child >= 0; child = next[child]) {
                depth[child] = depth[segment] + 1;
                stack[height++] = child;
            }
            for (int a = from, b = height - 1; a < b; a++, b--) {
                int swap = stack[a];
                stack[a] = stack[b], stack[b] = swap;
            }
        }
    }
    free(order);
    free(first);
    free(next);
    free(stack);
    return result;
}

static int indent_of(int depth) { return 2 * depth < INDENT_MOST ? 2 * depth : INDENT_MOST; }

static void tree_name(const lb_figure *figure, int segment, int depth, char *text, size_t size) {
    char clean[256];
    cli_clean(lb_figure_segment(figure, segment)->name, clean, sizeof clean);
    if (2 * depth > INDENT_MOST) {
        snprintf(text, size, "%*s[%d] %s", indent_of(depth), "", depth, clean);
    } else {
        snprintf(text, size, "%*s%s", indent_of(depth), "", clean);
    }
}

static void print_tree(const cli_report_input *in) {
    const lb_figure *figure = in->figure;
    int count = lb_figure_segment_count(figure), name_width = 0, joint_width = 0;
    int *depth = malloc(((size_t)count + 1) * sizeof *depth), *order = depth ? branch_order(figure, depth) : NULL;
    char name[512], text[512];
    heading("Tree", -1);
    for (int k = 0; order && k < count; k++) {
        int joint = lb_figure_parent_joint(figure, order[k]);
        tree_name(figure, order[k], depth[order[k]], name, sizeof name);
        name_width = cli_width_of(name) <= NAME_MOST + indent_of(depth[order[k]]) && cli_width_of(name) > name_width
                         ? cli_width_of(name)
                         : name_width;
        joint_width = joint >= 0 ? widen(joint_width, cleaned(lb_figure_joint(figure, joint)->name)) : joint_width;
    }
    for (int k = 0; order && k < count; k++) {
        int joint = lb_figure_parent_joint(figure, order[k]);
        tree_name(figure, order[k], depth[order[k]], name, sizeof name);
        printf("  ");
        cli_print_padded(name, name_width);
        if (joint < 0) {
            printf("  %s\n", root_text(figure, text, sizeof text));
            continue;
        }
        const lb_joint *j = lb_figure_joint(figure, joint);
        printf("  ");
        cli_print_padded(cleaned(j->name), joint_width);
        printf("  %s%s\n", type_text(j, text, sizeof text), j->frozen ? ", frozen" : "");
    }
    free(order);
    free(depth);
}

static void print_sources(const lb_figure *figure, int joint, int dof) {
    char name[256];
    int count = 0;
    for (int k = 0; k < lb_figure_drive_count(figure); k++) {
        const lb_drive *drive = lb_figure_drive(figure, k);
        if (drive->joint == joint && drive->dof == dof) {
            cli_dof_name(figure, &drive->source, name, sizeof name);
            printf("%s%s", count++ ? ", " : ", driven by ", name);
        }
    }
}

static void print_extras(double rest, double rigidity, int is_angle) {
    char text[32];
    if (rest != 0) {
        cli_print_value(rest, is_angle, text);
        printf(", rest %s", text);
    }
    if (rigidity > 0) {
        cli_print_number(rigidity, text);
        printf(", rigidity %s", text);
    }
}

/* What a joint's drive can do, where the file says so. */
static void print_drive(const lb_joint *joint, int dof, int is_angle) {
    char text[96];
    if (isfinite(joint->velocity[dof])) {
        cli_print_value(joint->velocity[dof], is_angle, text);
        printf(", velocity %s/s", text);
    }
    if (isfinite(joint->acceleration[dof])) {
        cli_print_value(joint->acceleration[dof], is_angle, text);
        printf(", acceleration %s/s2", text);
    }
    if (isfinite(joint->effort[dof])) {
        cli_print_number(joint->effort[dof], text);
        printf(", effort %s %s", text, is_angle ? "N m" : "N");
    }
    if (isfinite(joint->soft_lower[dof]) || isfinite(joint->soft_upper[dof])) {
        cli_range_text(joint->soft_lower[dof], joint->soft_upper[dof], is_angle, text, sizeof text);
        printf(", soft %s", text);
    }
}

static void print_joint_dofs(const lb_figure *figure, int index, int name_width, int dof_width) {
    const lb_joint *joint = lb_figure_joint(figure, index);
    int dofs = lb_joint_type_dof_count(&joint->type);
    char range[96];
    for (int dof = 0; dof < dofs; dof++) {
        printf("  ");
        cli_print_padded(dof ? "" : cleaned(joint->name), name_width);
        printf("  ");
        cli_print_padded(cleaned(joint->dof_names[dof]), dof_width);
        int is_angle = lb_joint_type_is_angle(&joint->type, dof);
        cli_range_text(joint->lower[dof], joint->upper[dof], is_angle, range, sizeof range);
        printf("  %s", range);
        print_extras(joint->rest[dof], joint->rigidity[dof], is_angle);
        print_drive(joint, dof, is_angle);
        print_sources(figure, index, dof);
        printf("%s\n", joint->frozen ? ", frozen" : "");
    }
    if (joint->swing_count) {
        printf("  ");
        cli_print_padded("", name_width);
        printf("  swing inside a polygon of %d corners\n", joint->swing_count);
    }
}

static void print_joints(const cli_report_input *in) {
    const lb_figure *figure = in->figure;
    int name_width = 0, dof_width = 0, moving = 0, fixed = 0;
    for (int k = 0; k < lb_figure_joint_count(figure); k++) {
        const lb_joint *joint = lb_figure_joint(figure, k);
        int dofs = lb_joint_type_dof_count(&joint->type);
        moving += dofs > 0, fixed += dofs == 0;
        name_width = dofs ? widen(name_width, cleaned(joint->name)) : name_width;
        for (int dof = 0; dof < dofs; dof++) {
            dof_width = widen(dof_width, cleaned(joint->dof_names[dof]));
        }
    }
    if (!moving) {
        return;
    }
    heading("Joints that move", moving);
    for (int k = 0; k < lb_figure_joint_count(figure); k++) {
        print_joint_dofs(figure, k, name_width, dof_width);
    }
    if (fixed) {
        printf("  and %d fixed\n", fixed);
    }
}

static void print_group(const lb_figure *figure, int group) {
    char range[96], name[256];
    int width = 0, count = 0;
    printf("  %s\n", cleaned(lb_figure_group(figure, group)->name));
    for (int k = 0; k < lb_figure_parameter_count(figure); k++) {
        width = lb_figure_parameter(figure, k)->group == group
                    ? widen(width, cleaned(lb_figure_parameter(figure, k)->name))
                    : width;
    }
    for (int k = 0; k < lb_figure_parameter_count(figure); k++) {
        const lb_parameter *parameter = lb_figure_parameter(figure, k);
        if (parameter->group != group) {
            continue;
        }
        printf("    ");
        cli_print_padded(cleaned(parameter->name), width);
        cli_range_text(parameter->lower, parameter->upper, parameter->is_angle, range, sizeof range);
        printf("  %s", range);
        print_extras(parameter->rest, parameter->rigidity, parameter->is_angle);
        putchar('\n');
    }
    printf("    drives");
    for (int k = 0, last_joint = -1, last_dof = -1; k < lb_figure_drive_count(figure); k++) {
        const lb_drive *drive = lb_figure_drive(figure, k);
        if (drive->source.joint >= 0 || lb_figure_parameter(figure, drive->source.parameter)->group != group ||
            (drive->joint == last_joint && drive->dof == last_dof)) {
            continue;
        }
        last_joint = drive->joint, last_dof = drive->dof;
        lb_dof_ref ref = {drive->joint, drive->dof, -1};
        cli_dof_name(figure, &ref, name, sizeof name);
        if (count++ < 6) {
            printf("%s %s", count > 1 ? "," : "", name);
        }
    }
    printf(count > 6 ? " and %d more dofs\n" : count ? "\n" : " nothing\n", count - 6);
}

static void print_limits(const lb_figure *figure) {
    heading("Limits that couple dofs", lb_figure_limit_count(figure));
    for (int k = 0; k < lb_figure_limit_count(figure); k++) {
        const lb_limit *limit = lb_figure_limit(figure, k);
        int is_angle = 1;
        char number[32], name[256];
        printf("  %s%s", limit->name ? cleaned(limit->name) : "", limit->name ? ": " : "");
        for (int i = 0; i < limit->count; i++) {
            const lb_dof_ref *ref = &limit->terms[i];
            is_angle &= ref->joint >= 0 ? lb_joint_type_is_angle(&lb_figure_joint(figure, ref->joint)->type, ref->dof)
                                        : lb_figure_parameter(figure, ref->parameter)->is_angle;
            cli_print_number(fabs(limit->coefficients[i]), number);
            cli_dof_name(figure, ref, name, sizeof name);
            const char *sign = limit->coefficients[i] < 0 ? (i ? " - " : "-") : i ? " + " : "";
            if (fabs(limit->coefficients[i]) == 1) {
                printf("%s%s", sign, name);
            } else {
                printf("%s%s %s", sign, number, name);
            }
        }
        cli_print_number(is_angle ? limit->bound * 180 / 3.14159265358979323846 : limit->bound, number);
        printf(" %s %s%s\n", limit->kind == LB_LIMIT_EQUAL ? "=" : "<=", number, is_angle ? " deg" : "");
    }
}

static void print_loops(const cli_report_input *in) {
    const lb_figure *figure = in->figure;
    heading("Loops", lb_figure_loop_count(figure));
    for (int k = 0; k < lb_figure_loop_count(figure); k++) {
        const lb_joint *joint = lb_figure_joint(figure, lb_figure_loop_joint(figure, k));
        lb_frame carried, tree;
        char a[512], b[512], number[32];
        cli_site_name(figure, joint->site_a, a, sizeof a);
        cli_site_name(figure, joint->site_b, b, sizeof b);
        printf("  %s closes %s to %s", cleaned(joint->name), a, b);
        if (!lb_kinematics_loop(in->kinematics, k, &carried, &tree)) {
            double gap =
                sqrt(pow(carried.position[0] - tree.position[0], 2) + pow(carried.position[1] - tree.position[1], 2) +
                     pow(carried.position[2] - tree.position[2], 2));
            cli_print_number(gap < 1e-9 ? 0 : gap, number);
            printf(gap < 1e-9 ? ", closed at rest" : ", open by %s m at rest", number);
        }
        putchar('\n');
    }
}

static void print_site(const lb_figure *figure, int index, int width) {
    const lb_site *site = lb_figure_site(figure, index);
    char name[512], place[3][32];
    const char *said = cli_effector_name(figure, site->segment, index, name, sizeof name);
    for (int i = 0; i < 3; i++) {
        cli_print_number(site->frame.position[i], place[i]);
    }
    printf("  ");
    cli_print_padded(cleaned(said ? said : site->name), width);
    printf("  on %s", cleaned(lb_figure_segment(figure, site->segment)->name));
    printf(" at (%s, %s, %s) m\n", place[0], place[1], place[2]);
}

/* Those that are more than a joint's place; --sites has all. */
static void print_sites(const cli_report_input *in) {
    const lb_figure *figure = in->figure;
    int count = lb_figure_site_count(figure), left_out = 0, width = 0;
    unsigned char *seats = cli_find_seats(figure);
    for (int k = 0; seats && k < count; k++) {
        const lb_site *site = lb_figure_site(figure, k);
        char name[512];
        seats[k] = seats[k] && !in->has_sites;
        left_out += seats[k];
        const char *said = seats[k] ? NULL : cli_effector_name(figure, site->segment, k, name, sizeof name);
        width = said ? widen(width, cleaned(said)) : width;
    }
    heading("Sites", count - left_out);
    for (int k = 0; seats && k < count; k++) {
        if (!seats[k]) {
            print_site(figure, k, width);
        }
    }
    if (left_out) {
        printf("  %s%d at joints; --sites lists them\n", left_out < count ? "and " : "", left_out);
    }
    printf("  A goal may name a site, or a segment of the tree, whose own frame is meant then.\n");
    free(seats);
}

static void print_variables(const lb_figure *figure) {
    int width = 0;
    char range[96];
    for (int k = 0; k < lb_figure_variable_count(figure); k++) {
        width = widen(width, cleaned(lb_figure_variable(figure, k)->name));
    }
    heading("Variables", lb_figure_variable_count(figure));
    for (int k = 0; k < lb_figure_variable_count(figure); k++) {
        const lb_variable *v = lb_figure_variable(figure, k);
        cli_range_text(v->lower, v->upper, v->is_angle, range, sizeof range);
        printf("  %4d  ", k);
        cli_print_padded(cleaned(v->name), width);
        printf("  %s", range);
        print_extras(v->rest, v->rigidity, v->is_angle);
        putchar('\n');
    }
}

static void print_warnings(const cli_warnings *warnings) {
    heading("Warnings", warnings->count);
    for (int k = 0; k < warnings->count; k++) {
        const lb_error *w = &warnings->items[k];
        printf("  ");
        if (w->line > 0) {
            printf("line %d: ", w->line);
        }
        printf("%s\n", cleaned(w->message));
    }
}

/* Those of a glTF file, with the numbers that name them too; nothing where there is only one, and it has no name. */
static void print_animations(const cli_source *source) {
    lb_format format = source->format ? source->format : lb_format_from_path(source->found);
    char *names = NULL;
    if (format != LB_FORMAT_GLTF || strcmp(source->found, "-") == 0 ||
        lb_gltf_animations(source->found, NULL, &names, NULL) || !names || !*names || strcmp(names, "\n") == 0) {
        lb_text_free(names);
        return;
    }
    int number = 0;
    printf("\nAnimations\n");
    for (const char *at = names; *at; number++) {
        char line[256], clean[256];
        size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < 200 ? length : 200), at);
        cli_clean(line, clean, sizeof clean);
        printf("  %-3d %s\n", number, clean);
        at += length + 1;
    }
    lb_text_free(names);
}

/* What holds the pose that was given. */
static void print_statics(const cli_report_input *in) {
    lb_problem *problem = NULL;
    lb_solver *solver = NULL;
    if (cli_info_statics(in, &problem, &solver) == CLI_OK) {
        heading("This pose", -1);
        cli_print_statics(lb_figure_body(in->figure), lb_solver_body(solver, 0));
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
}

void cli_info_text(const cli_report_input *in) {
    const lb_figure *figure = in->figure;
    print_summary(in);
    cli_info_person(in);
    print_tree(in);
    print_joints(in);
    print_sites(in);
    if (lb_figure_group_count(figure)) {
        heading("Groups", lb_figure_group_count(figure));
        for (int k = 0; k < lb_figure_group_count(figure); k++) {
            print_group(figure, k);
        }
    }
    if (lb_figure_limit_count(figure)) {
        print_limits(figure);
    }
    if (lb_figure_loop_count(figure)) {
        print_loops(in);
    }
    print_animations(in->source);
    if (in->clip) {
        char seconds[32], rate[32];
        cli_print_number(lb_clip_duration(in->clip), seconds);
        cli_print_number(floor(10 / lb_clip_frame_time(in->clip) + 0.5) / 10, rate);
        heading("Motion", -1);
        printf("  %d frame%s, %s s, %s a second\n", lb_clip_frame_count(in->clip),
               lb_clip_frame_count(in->clip) == 1 ? "" : "s", seconds, rate);
    }
    if (in->has_variables) {
        print_variables(figure);
    }
    if (in->pose) {
        print_statics(in);
    }
    if (in->warnings->count) {
        print_warnings(in->warnings);
    }
}

static int report_figure(const cli_command *command, const cli_arguments *arguments, cli_report_input *input) {
    const char *said = cli_value(command, arguments, "pose");
    double *pose = NULL;
    int code = said ? cli_read_pose(input->figure, said, &pose) : CLI_OK;
    if (!code && said && !lb_figure_body(input->figure)) {
        code = cli_fail(
            CLI_BAD_INPUT,
            "--pose: `%s` has no body, so nothing is known of what holds it; a legged robot has one with --stand",
            lb_figure_name(input->figure));
    }
    input->pose = pose;
    if (!code && cli_has(command, arguments, "json")) {
        code = cli_info_json(input);
    } else if (!code) {
        cli_info_text(input);
    }
    free(pose);
    return code;
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    cli_source source;
    cli_warnings warnings = {0};
    lb_figure *figure = NULL;
    lb_clip *clip = NULL;
    int code = cli_read_source(command, arguments, "format", &source);
    code = code ? code : cli_read_limits(command, arguments, &source.limits);
    source.body = cli_has(command, arguments, "limits") || cli_has(command, arguments, "pose");
    if (cli_has(command, arguments, "pose") && !cli_has(command, arguments, "limits")) {
        source.limits = LB_LIMITS_AUTO; /* whoever is a person is posed as one */
    }
    code = code ? code : cli_load(&source, &warnings, &figure, source.body ? NULL : &clip);
    if (!code) {
        lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
        cli_report_input input = {figure,
                                  kinematics,
                                  clip,
                                  &source,
                                  &warnings,
                                  cli_has(command, arguments, "variables"),
                                  cli_has(command, arguments, "sites"),
                                  NULL};
        if (!kinematics) {
            code = cli_fail(CLI_BAD_INPUT, "no memory for the figure");
        } else {
            code = report_figure(command, arguments, &input);
        }
        lb_kinematics_destroy(kinematics);
    }
    cli_warnings_free(&warnings);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
    return code;
}

const cli_command cli_info = {
    .name = "info",
    .synopsis = "FILE",
    .summary = "what a figure is made of: tree, joints, sites, limits, groups, mass",
    .text = "Prints the tree of segments (a robot's links) with the joints that carry them, the\n"
            "limits of each dof in degrees or metres, the sites, groups, couplings, loops, mass,\n"
            "motion, and what was odd about the file. Segments and sites are what goals can name.\n\n"
            "  limber info models/human.fig --stature 1.55m\n"
            "  limber info robot.urdf --json",
    .options = options,
    .least_operands = 1,
    .most_operands = 1,
    .run = run,
};
