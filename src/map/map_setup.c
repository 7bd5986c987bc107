/* The problem of one thread: the figure in its base pose, what of it may move, and a constraint for each site. */
#include "map/map.h"

#include "figure/suggest.h"
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Which site --------------------------------------------------------------------------------------------- */

/* The only segment without children; -1 where there are several. */
static int only_leaf(const lb_figure *figure) {
    const int count = lb_figure_segment_count(figure);
    int leaf = -1;
    for (int s = 0; s < count; s++) {
        int has_child = 0;
        for (int c = 0; c < count; c++) {
            has_child |= lb_figure_parent_segment(figure, c) == s;
        }
        if (!has_child) {
            if (leaf >= 0) {
                return -1;
            }
            leaf = s;
        }
    }
    return leaf;
}

/* The last site of a segment that no joint sits at; -1 where there is none. */
static int last_site(const lb_figure *figure, int segment) {
    int found = -1;
    for (int s = 0; s < lb_figure_site_count(figure); s++) {
        int is_seat = 0;
        for (int j = 0; j < lb_figure_joint_count(figure); j++) {
            is_seat |= lb_figure_joint(figure, j)->site_a == s || lb_figure_joint(figure, j)->site_b == s;
        }
        if (lb_figure_site(figure, s)->segment == segment && !is_seat) {
            found = s;
        }
    }
    return found;
}

/* Chooses the site where none was named: `tool`, or that of the only leaf. */
static lb_status choose_site(lbmap_setup *setup, lb_error *error) {
    const lb_figure *figure = setup->figure;
    int site = lb_figure_find_site(figure, "tool"), leaf = only_leaf(figure);
    if (site < 0 && leaf < 0) {
        return lbio_error(error, LB_ERROR_NAME, NULL, 0,
                          "the figure has no site `tool` and several ends: name the site that is to reach "
                          "(limber info lists them)");
    }
    if (site >= 0) {
        strcpy(setup->site_name, "tool");
    } else if ((site = last_site(figure, leaf)) >= 0) {
        snprintf(setup->site_name, sizeof setup->site_name, "%s.%s", lb_figure_segment(figure, leaf)->name,
                 lb_figure_site(figure, site)->name);
    } else {
        snprintf(setup->site_name, sizeof setup->site_name, "%s", lb_figure_segment(figure, leaf)->name);
    }
    setup->sites[0] = setup->site_name;
    setup->site_count = 1;
    return LB_OK;
}

/* --- What moves ---------------------------------------------------------------------------------------------- */

/* Marks the variables that a dof depends on. */
static void mark_dof(const lb_figure *figure, const lb_dof_ref *ref, unsigned char *moves, int depth) {
    const int variable = lb_figure_variable_of(figure, ref);
    if (variable >= 0) {
        moves[variable] = 1;
        return;
    }
    for (int d = 0; ref->joint >= 0 && depth < 64 && d < lb_figure_drive_count(figure); d++) {
        const lb_drive *drive = lb_figure_drive(figure, d);
        if (drive->joint == ref->joint && drive->dof == ref->dof) {
            mark_dof(figure, &drive->source, moves, depth + 1);
        }
    }
}

static void mark_joint(const lb_figure *figure, int joint, unsigned char *moves) {
    const int dofs = lb_joint_type_dof_count(&lb_figure_joint(figure, joint)->type);
    for (int d = 0; d < dofs; d++) {
        const lb_dof_ref ref = {joint, d, -1};
        mark_dof(figure, &ref, moves, 0);
    }
}

static int child_count(const lb_figure *figure, int segment) {
    int count = 0;
    for (int s = 0; s < lb_figure_segment_count(figure); s++) {
        count += lb_figure_parent_segment(figure, s) == segment;
    }
    return count;
}

/* Whether a segment is the shoulder of one of the body's arms. */
static int is_shoulder(const lb_figure *figure, int segment) {
    const lb_body *body = lb_figure_body(figure);
    for (int a = 0; body && a < body->arm_count; a++) {
        if (body->arms[a].shoulder == segment) {
            return 1;
        }
    }
    return 0;
}

/* Whether a segment is on the way from another one to the root, and that segment is part of an arm of the body. */
static int has_shoulder_above(const lb_figure *figure, int segment) {
    while (segment >= 0 && !is_shoulder(figure, segment)) {
        segment = lb_figure_parent_segment(figure, segment);
    }
    return segment >= 0;
}

/* Marks what moves the limb that ends with a segment. Of a body's arm: up to its shoulder. Else: up to where the figure
 * branches, the segment's own branches aside. */
static void mark_limb(const lb_figure *figure, int segment, unsigned char *moves) {
    const int is_arm = has_shoulder_above(figure, segment);
    for (int s = segment; lb_figure_parent_joint(figure, s) >= 0; s = lb_figure_parent_segment(figure, s)) {
        if (!is_arm && s != segment && child_count(figure, s) > 1) {
            return;
        }
        mark_joint(figure, lb_figure_parent_joint(figure, s), moves);
        if (is_arm && is_shoulder(figure, s)) {
            return;
        }
    }
}

/* Marks what a name of --with stands for. Returns how many things it found. */
static int mark_name(const lb_figure *figure, const char *name, unsigned char *moves) {
    const int joint = lb_figure_find_joint(figure, name), group = lb_figure_find_group(figure, name);
    int found = 0;
    if (joint >= 0) {
        mark_joint(figure, joint, moves);
        found++;
    }
    for (int p = 0; group >= 0 && p < lb_figure_parameter_count(figure); p++) {
        const lb_dof_ref ref = {-1, 0, p};
        if (lb_figure_parameter(figure, p)->group == group) {
            mark_dof(figure, &ref, moves, 0);
            found++;
        }
    }
    for (int v = 0; v < lb_figure_variable_count(figure); v++) {
        const char *variable = lb_figure_variable(figure, v)->name;
        const int is_root = strcmp(name, "root") == 0 && strncmp(variable, "root.", 5) == 0;
        if (is_root || fnmatch(name, variable, 0) == 0) {
            moves[v] = 1;
            found++;
        }
    }
    return found;
}

static lb_status unknown_name(const lb_figure *figure, const char *name, lb_error *error) {
    char text[LBF_SUGGESTION_TEXT];
    lbf_suggestions near_names;
    lbf_suggest_begin(&near_names, name);
    for (int j = 0; j < lb_figure_joint_count(figure); j++) {
        lbf_suggest_offer(&near_names, lb_figure_joint(figure, j)->name, lb_figure_joint(figure, j)->name);
    }
    for (int g = 0; g < lb_figure_group_count(figure); g++) {
        lbf_suggest_offer(&near_names, lb_figure_group(figure, g)->name, lb_figure_group(figure, g)->name);
    }
    const char *said = lbf_suggest_text(&near_names, text);
    return lbio_error(error, LB_ERROR_NAME, NULL, 0, "the figure has no joint, group or variable `%s`%s%s", name,
                      *said ? "; " : "", said);
}

/* "a,b,c" of --with. */
static lb_status mark_with(const lb_figure *figure, const char *with, unsigned char *moves, lb_error *error) {
    for (const char *at = with; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[256];
        const size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < 255 ? length : 255), at);
        if (!mark_name(figure, name, moves)) {
            return unknown_name(figure, name, error);
        }
    }
    return LB_OK;
}

static int is_all(const char *with) { return with && strcmp(with, "all") == 0; }

static lb_status choose_moves(lbmap_setup *setup, const char *with, lb_error *error) {
    const lb_figure *figure = setup->figure;
    const int is_free = lb_figure_root(figure)->is_free;
    if (is_all(with) || !is_free) {
        memset(setup->moves, 1, (size_t)setup->variable_count);
        for (int v = 0; is_free && !setup->is_body && v < 6; v++) {
            setup->moves[v] = 0; /* a figure that could fly reaches everything */
        }
        return LB_OK;
    }
    for (int i = 0; i < setup->site_count; i++) {
        mark_limb(figure, setup->effectors[i].segment, setup->moves);
    }
    return with ? mark_with(figure, with, setup->moves, error) : LB_OK;
}

/* --- The base pose ----------------------------------------------------------------------------------------------- */

/* Has feet stay where they are, where nothing else is said of them. */
static lb_status plant_feet(lbmap_setup *setup) {
    const lb_body *body = lb_figure_body(setup->figure);
    const lb_body_options *said = lb_problem_body(setup->problem, 0);
    lb_body_options options;
    lb_body_options_defaults(&options);
    options = said ? *said : options;
    for (int c = 0; c < body->contact_count; c++) {
        const lb_body_contact *contact = &body->contacts[c];
        const int is_foot = contact->kind == LB_CONTACT_HEEL || contact->kind == LB_CONTACT_BALL;
        if (is_foot && contact->limb >= 0 && options.feet_modes[contact->limb] == LB_FOOT_MODE_AUTO) {
            options.feet_modes[contact->limb] = LB_FOOT_MODE_PLANTED;
        }
    }
    return lb_problem_set_body(setup->problem, 0, &options);
}

/* Poses a body as it is before it reaches: seated, or however the problem has it. */
static lb_status pose_body(lbmap_setup *setup, int is_whole, lb_error *error) {
    lb_status status = LB_OK;
    if (lb_problem_body(setup->problem, 0)) {
        lb_result result;
        lb_result_defaults(&result);
        status = lb_solve(setup->problem, NULL, setup->start, &result);
        if (!status && result.outcome == LB_OUTCOME_INVALID) {
            status = LB_ERROR_ARGUMENT;
        }
        if (status) {
            return lbio_error(error, status, NULL, 0, "the base pose: %s", result.explanation);
        }
    }
    setup->is_body = is_whole;
    return is_whole ? plant_feet(setup) : lb_problem_clear_body(setup->problem, 0);
}

/* --- All of it ------------------------------------------------------------------------------------------------------ */

static lb_status load(const char *figure, const char *problem, const lb_map_options *o, lbmap_setup *setup,
                      lb_error *error) {
    lbio_text json = {0};
    lb_load_options how;
    lb_error own = {0};
    lb_load_options_defaults(&how);
    how.models = o->models;
    lbio_text_add(&json, "{\"figures\": [{\"file\": \"");
    for (const char *s = figure; *s; s++) {
        if (*s == '"' || *s == '\\') {
            lbio_text_add(&json, "\\");
        }
        lbio_text_bytes(&json, s, 1);
    }
    lbio_text_add(&json, "\"");
    if (o->stature > 0) {
        lbio_text_add(&json, ", \"stature\": ");
        lbio_text_number(&json, o->stature);
    }
    lbio_text_format(&json, "}]%s%s}\n", problem && *problem ? ", " : "", problem ? problem : "");
    if (json.failed) {
        lbio_text_free(&json);
        return lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "no memory for the problem");
    }
    const lbio_source source = {"", json.data, json.size, &how, &own};
    lb_status status = lbio_read_problem(&source, ".", &setup->file);
    lbio_text_free(&json);
    if (status) {
        const char *colon = strncmp(own.message, "figures", 7) == 0 ? strstr(own.message, ": ") : NULL;
        return lbio_error(error, status, own.file, own.line, "%s", colon ? colon + 2 : own.message);
    }
    setup->problem = lb_problem_file_problem(setup->file);
    setup->figure = lb_problem_figure(setup->problem, 0);
    setup->variable_count = lb_figure_variable_count(setup->figure);
    if (lb_problem_figure_count(setup->problem) != 1) {
        return lbio_error(error, LB_ERROR_UNSUPPORTED, NULL, 0, "a map is of one figure");
    }
    return LB_OK;
}

/* Turns the effector so that its x is the axis whose direction counts. */
static void turn_effector(lb_effector *effector, int axis) {
    double axes[3][3];
    memcpy(axes[0], effector->x, sizeof axes[0]);
    memcpy(axes[1], effector->y, sizeof axes[1]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        axes[2][i] = axes[0][j] * axes[1][k] - axes[0][k] * axes[1][j];
    }
    memcpy(effector->x, axes[axis], sizeof axes[0]);
    memcpy(effector->y, axes[(axis + 1) % 3], sizeof axes[0]);
}

static lb_status find_sites(const lb_map_options *o, lbmap_setup *setup, lb_error *error) {
    lb_status status = LB_OK;
    if (o->site_count) {
        setup->site_count = o->site_count;
        memcpy(setup->sites, o->sites, (size_t)o->site_count * sizeof *o->sites);
    } else {
        status = choose_site(setup, error);
    }
    for (int i = 0; !status && i < setup->site_count; i++) {
        status = lb_figure_find_effector(setup->figure, setup->sites[i], &setup->effectors[i], error);
        if (!status && setup->effectors[i].kind != LB_EFFECTOR_FRAME) {
            status = lbio_error(error, LB_ERROR_UNSUPPORTED, NULL, 0, "a map is of a site, not of the centre of mass");
        }
        if (!status && o->axis >= 0) {
            turn_effector(&setup->effectors[i], o->axis);
        }
    }
    return status;
}

static lb_status add_constraints(const lb_map_options *o, lbmap_setup *setup, lb_error *error) {
    const int has_rotation = o->orientations > 0 || (o->region == LB_MAP_REGION_POINTS && o->has_rotations);
    for (int v = 0; v < setup->variable_count; v++) {
        if (!setup->moves[v]) {
            lb_problem_set_active(setup->problem, v, 0);
        }
    }
    for (int i = 0; i < setup->site_count; i++) {
        lb_constraint c;
        lb_constraint_defaults(&c);
        c.name = setup->sites[i];
        c.effector = setup->effectors[i];
        c.goal.kind = has_rotation ? LB_GOAL_FRAME : LB_GOAL_POSITION;
        c.goal.degrees_y = o->axis >= 0 ? 0 : c.goal.degrees_y;
        c.tolerance[0] = c.tolerance[1] = c.tolerance[2] = o->tolerance;
        c.tolerance_rad = o->tolerance_rad;
        setup->ids[i] = lb_problem_add(setup->problem, &c);
        if (setup->ids[i] < 0) {
            *error = *lb_problem_error(setup->problem);
            return (lb_status)setup->ids[i];
        }
    }
    return LB_OK;
}

/* --- Which engine ---------------------------------------------------------------------------------------------------- */

/* Whether the arm engine serves this problem: asked by solving it once, for where a random pose has the sites. */
static int is_served_by_arm(const lbmap_setup *setup) {
    const int n = setup->variable_count;
    double *pose = malloc(2 * ((size_t)n + 1) * sizeof *pose);
    lb_kinematics *kinematics = lb_kinematics_create(setup->figure, NULL);
    lb_solver *solver = lb_solver_create(setup->problem, NULL);
    lb_result result;
    uint64_t seed = 1;
    int is_arm = 0;
    lb_result_defaults(&result);
    if (pose && kinematics && solver) {
        double *start = pose + n, e[9];
        lb_frame goal;
        lb_figure_random_pose(setup->figure, &seed, pose);
        for (int v = 0; v < n; v++) {
            pose[v] = setup->moves[v] ? pose[v] : setup->start[v];
        }
        memcpy(start, setup->start, (size_t)n * sizeof *start);
        lb_kinematics_update(kinematics, pose);
        lb_kinematics_effector(kinematics, &setup->effectors[0], e);
        const double m[9] = {e[3], e[6], e[4] * e[8] - e[5] * e[7], e[4], e[7], e[5] * e[6] - e[3] * e[8],
                             e[5], e[8], e[3] * e[7] - e[4] * e[6]};
        memcpy(goal.position, e, sizeof goal.position);
        lb_rotation_from_matrix(m, goal.rotation);
        is_arm = !lb_problem_move_goal(setup->problem, setup->ids[0], &goal) &&
                 !lb_solver_solve(solver, NULL, start, &result) &&
                 (result.engine == LB_ENGINE_ARM || result.engine == LB_ENGINE_CLOSED);
    }
    lb_solver_destroy(solver);
    lb_kinematics_destroy(kinematics);
    free(pose);
    return is_arm;
}

lb_status lbmap_setup_create(const char *figure, const char *problem, const lb_map_options *o, lbmap_setup *setup,
                             lb_error *error) {
    memset(setup, 0, sizeof *setup);
    lb_status status = load(figure, problem, o, setup, error);
    if (!status) {
        const size_t n = (size_t)setup->variable_count + 1;
        setup->moves = calloc(n, 1);
        setup->start = malloc(n * sizeof *setup->start);
        if (!setup->moves || !setup->start) {
            status = lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "no memory for the map");
        } else {
            memcpy(setup->start, lb_problem_file_start(setup->file), (n - 1) * sizeof *setup->start);
        }
    }
    status = status ? status : find_sites(o, setup, error);
    if (!status && lb_figure_body(setup->figure)) {
        status = pose_body(setup, is_all(o->with), error);
    }
    status = status ? status : choose_moves(setup, o->with, error);
    status = status ? status : add_constraints(o, setup, error);
    setup->is_arm = !status && setup->site_count == 1 && !setup->is_body && is_served_by_arm(setup);
    if (status) {
        lbmap_setup_destroy(setup);
    }
    return status;
}

void lbmap_setup_destroy(lbmap_setup *setup) {
    lb_problem_file_destroy(setup->file);
    free(setup->moves);
    free(setup->start);
    memset(setup, 0, sizeof *setup);
}
