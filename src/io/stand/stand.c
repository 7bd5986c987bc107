/* A legged figure anew: with a free root, in a stance on the floor, with a body. */
#include "io/stand/stand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/build/builder.h"
#include "io/rotation.h"

#define BENT 0.93     /* of a leg's reach in the stance, as in stand_bend.c */
#define CROUCHED 0.25 /* of a leg's reach that the crouch is lower than the stance */

/* --- The figure on its feet -------------------------------------------------------------------------- */

/* Where the base is, in the world with z up, so that its lowest foot is on the floor. */
static lb_frame base_on_floor(const lbio_stander *s) {
    lb_frame at = s->frames[s->base];
    double low = INFINITY;
    for (int i = 0; i < s->leg_count; i++) {
        low = fmin(low, s->legs[i].sole[2]);
    }
    at.position[2] -= low;
    return at;
}

/* The rest values of all joints as a pose has them. */
static lb_status change_rest(lb_builder *builder, const lb_figure *figure, const double *pose) {
    lb_status status = LB_OK;
    for (int i = 0; i < lb_figure_joint_count(figure) && !status; i++) {
        lb_joint joint = *lb_figure_joint(figure, i);
        int changed = 0;
        for (int d = 0; d < lb_joint_type_dof_count(&joint.type) && !joint.frozen; d++) {
            const lb_dof_ref ref = {i, d, -1};
            const int variable = lb_figure_variable_of(figure, &ref);
            if (variable >= 0 && joint.rest[d] != pose[variable]) {
                joint.rest[d] = pose[variable];
                changed = 1;
            }
        }
        status = changed ? lb_builder_change_joint(builder, i, &joint) : LB_OK;
    }
    return status;
}

/* A root that is free, at a place of its segment; its axes are those of the world there. */
static lb_status free_root(lb_builder *builder, const lbio_stander *s, const lb_frame *base) {
    lb_root root = *lb_figure_root(s->figure);
    lb_site site;
    lb_site_defaults(&site);
    site.name = "standing";
    site.segment = s->base;
    lbio_rotation_conjugate(base->rotation, site.frame.rotation);
    const int is_upright = fabs(base->rotation[3]) > 1 - 1e-12;
    root.segment = s->base;
    root.site = is_upright ? -1 : lb_builder_find_site(builder, s->base, site.name);
    if (!is_upright && root.site < 0) {
        root.site = lb_builder_add_site(builder, &site);
    }
    root.is_free = 1;
    root.placement = *base;
    if (!is_upright) {
        if (root.site < 0) {
            return (lb_status)root.site;
        }
        const lb_frame *axes = &lb_builder_site(builder, root.site)->frame;
        lb_frame_multiply(base, axes, &root.placement);
    }
    return lb_builder_set_root(builder, &root);
}

/* All of the mass is the base's, where a file has none. */
static void give_mass(lb_builder *builder, const lbio_stander *s) {
    if (!(lb_figure_mass(s->figure) > 0)) {
        builder->draft.segments[s->base].mass = 1;
    }
}

/* The figure with the joints as s->pose has them, the base there. */
static lb_status build(const lbio_stander *s, const lb_frame *base, lb_figure **made, lb_error *error) {
    lb_builder *builder = lb_builder_from(s->figure, error);
    lb_status status = builder ? LB_OK : LB_ERROR_MEMORY;
    if (builder) {
        give_mass(builder, s);
        if (s->floating >= 0) {
            memcpy(s->pose, base->position, sizeof base->position);
            lbio_rotation_log(base->rotation, s->pose + 3);
        }
        status = change_rest(builder, s->figure, s->pose);
        status = status || s->floating >= 0 ? status : free_root(builder, s, base);
        status = status ? status : lb_builder_finish(builder, made);
        if (status) {
            lbio_error(error, status, "", 0, "%s", lb_builder_error(builder)->message);
        }
    }
    lb_builder_destroy(builder);
    return status;
}

/* --- The stance -------------------------------------------------------------------------------------- */

/* Asks a standing figure for a pose whose base is at this height (NAN: anywhere). pose: the start in, the answer out.
 * Efforts above 1 are marked in is_weak [joint], which may be NULL. Returns 1 where there is such a pose, 0 where not,
 * or a negative lb_status. */
static int find_stance(const lb_figure *figure, int base, double height, lb_foot_mode mode, double *pose,
                       unsigned char *is_weak) {
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_body_options options;
    lb_result result;
    lb_constraint low;
    lb_body_options_defaults(&options);
    lb_result_defaults(&result);
    lb_constraint_defaults(&low);
    options.drives = 0;
    options.effort = 0; /* placeholders would rule the pose */
    for (int i = 0; i < LB_BODY_LIMBS; i++) {
        options.feet_modes[i] = mode;
    }
    low.goal.kind = LB_GOAL_PLANE;
    low.goal.point[2] = height;
    int found = problem ? (int)lb_problem_set_body(problem, 0, &options) : LB_ERROR_MEMORY;
    found = found ? found : (int)lb_effector_from_segment(figure, base, &low.effector);
    if (!found && !isnan(height) && lb_problem_add(problem, &low) < 0) {
        found = LB_ERROR_MEMORY;
    }
    lb_solver *solver = found ? NULL : lb_solver_create(problem, NULL);
    if (!found) {
        found = solver ? (int)lb_solver_solve(solver, NULL, pose, &result) : LB_ERROR_MEMORY;
    }
    if (!found) {
        const lb_body_result *body = lb_solver_body(solver, 0);
        found = result.outcome == LB_OUTCOME_SOLVED && body && body->margin > 0;
        for (int i = 0; is_weak && body && i < body->effort_count; i++) {
            const lb_body_strength *strength = &lb_figure_body(figure)->strengths[body->efforts[i].strength];
            is_weak[lb_figure_parent_joint(figure, strength->segment)] |= body->efforts[i].share > 1;
        }
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    return found;
}

static double mean_drop(const lbio_stander *s) {
    double sum = 0;
    for (int i = 0; i < s->leg_count; i++) {
        const lbio_leg *leg = &s->legs[i];
        double square = 0;
        for (int c = 0; c < 3; c++) {
            square += (leg->sole[c] - leg->hip[c]) * (leg->sole[c] - leg->hip[c]);
        }
        sum += leg->knee >= 0 ? fmax(0, sqrt(square) - BENT * leg->reach) / s->leg_count : 0;
    }
    return sum;
}

static double mean_reach(const lbio_stander *s) {
    double sum = 0;
    for (int i = 0; i < s->leg_count; i++) {
        sum += s->legs[i].reach / s->leg_count;
    }
    return sum;
}

/* Bends the knees of a pose whose first variables are those of the root. */
static void bend_knees(const lbio_stander *s, double *pose) {
    const int first = s->floating >= 0 ? 0 : 6;
    for (int i = 0; i < s->leg_count; i++) {
        if (s->legs[i].knee >= 0) {
            pose[first + s->legs[i].knee] = s->legs[i].bent;
        }
    }
}

/* Bends the legs of a pose without moving the base, so that the feet are moved by this from where they are at rest.
 * Where that cannot be, the pose is left as it is. */
static lb_status draw_up(const lbio_stander *s, const lb_figure *figure, const double by[3], double *pose) {
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    const size_t size = (size_t)lb_figure_variable_count(figure) * sizeof *pose;
    double *trial = malloc(size + sizeof *trial);
    lb_result result;
    lb_result_defaults(&result);
    lb_status status = problem && kinematics && trial ? LB_OK : LB_ERROR_MEMORY;
    for (int i = 0; i < 6 && !status; i++) {
        status = lb_problem_set_active(problem, i, 0);
    }
    for (int i = 0; i < s->leg_count && !status; i++) {
        for (int k = 0; k < s->legs[i].point_count && !status; k++) {
            const lbio_foot_point *point = &s->legs[i].points[k];
            lb_frame at;
            lb_constraint there;
            lb_constraint_defaults(&there);
            status = lb_effector_from_segment(figure, point->segment, &there.effector);
            memcpy(there.effector.point, point->at, sizeof point->at);
            lb_kinematics_segment(kinematics, point->segment, &at);
            lbio_rotation_apply(at.rotation, point->at, there.goal.point);
            for (int c = 0; c < 3; c++) {
                there.goal.point[c] += at.position[c] + by[c];
            }
            status = status ? status : lb_problem_add(problem, &there) < 0 ? LB_ERROR_MEMORY : LB_OK;
        }
    }
    if (!status) {
        memcpy(trial, pose, size);
        status = lb_solve(problem, NULL, trial, &result);
    }
    if (!status && result.outcome == LB_OUTCOME_SOLVED) {
        memcpy(pose, trial, size);
    }
    free(trial);
    lb_kinematics_destroy(kinematics);
    lb_problem_destroy(problem);
    return status;
}

/* The base of a figure in a pose. */
static lb_status base_of(const lb_figure *figure, int base, const double *pose, lb_frame *at) {
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    if (!kinematics) {
        return LB_ERROR_MEMORY;
    }
    lb_kinematics_update(kinematics, pose);
    lb_kinematics_segment(kinematics, base, at);
    lb_kinematics_destroy(kinematics);
    return LB_OK;
}

/* What is at hand while a figure is stood up. */
typedef struct work {
    lbio_stander s;
    lb_figure *upright; /* as the file has it, on the floor */
    double *pose;       /* [variable] of it, and of the figure that is made */
    unsigned char *is_weak;
    lb_frame base;
    double reach;
} work;

/* The figure with s.pose and w->base, and with a body. */
static lb_status stand_upright(work *w, lb_error *error) {
    const lbio_stance plain = {NULL, NULL};
    lb_figure_destroy(w->upright);
    w->upright = NULL;
    lb_status status = build(&w->s, &w->base, &w->upright, error);
    return status ? status : lbio_stand_set_body(&w->s, &plain, w->upright, error);
}

/* Takes over a pose of w->upright as s.pose and w->base. */
static lb_status take_pose(work *w) {
    const int first = w->s.floating >= 0 ? 0 : 6;
    memcpy(w->s.pose, w->pose + first, (size_t)lb_figure_variable_count(w->s.figure) * sizeof *w->pose);
    return base_of(w->upright, w->s.base, w->pose, &w->base);
}

/* From legs as the file has them to bent ones: the feet of more than two legs with their middle under that of the
 * hips. */
static lb_status bend_legs(work *w) {
    const lbio_stander *s = &w->s;
    double by[3] = {0, 0, mean_drop(s)};
    for (int i = 0; i < s->leg_count && s->leg_count > 2; i++) {
        by[0] += (s->legs[i].hip[0] - s->legs[i].sole[0]) / s->leg_count;
        by[1] += (s->legs[i].hip[1] - s->legs[i].sole[1]) / s->leg_count;
    }
    lb_figure_rest_pose(w->upright, w->pose);
    bend_knees(s, w->pose);
    lb_status status = draw_up(s, w->upright, by, w->pose);
    w->pose[2] -= by[2];
    return status ? status : take_pose(w);
}

/* Finds the stance: w->pose, of w->upright. Returns as find_stance does. */
static int choose_stance(work *w) {
    static const lb_foot_mode modes[2] = {LB_FOOT_MODE_PLANTED, LB_FOOT_MODE_STEP};
    int found = 0;
    for (int i = 0; i < 2 && !found; i++) {
        lb_figure_rest_pose(w->upright, w->pose);
        found = find_stance(w->upright, w->s.base, NAN, modes[i], w->pose, w->is_weak);
    }
    return found;
}

/* The crouch, as a pose of the figure that is made; 0: there is none. */
static int find_crouch(work *w, const lb_figure *made) {
    const double by[3] = {0, 0, CROUCHED * w->reach};
    lb_figure_rest_pose(made, w->pose);
    const lb_status status = draw_up(&w->s, made, by, w->pose);
    w->pose[2] -= by[2];
    return status ? (int)status
                  : find_stance(made, w->s.base, w->base.position[2] - by[2], LB_FOOT_MODE_PLANTED, w->pose, NULL);
}

static lb_status finish(work *w, lb_figure **made, lb_error *error) {
    lbio_stance stance = {NULL, w->is_weak};
    lb_status status = take_pose(w);
    status = status ? status : build(&w->s, &w->base, made, error);
    status = status ? status : lbio_stand_set_body(&w->s, &stance, *made, error);
    const int found = status ? 0 : find_crouch(w, *made);
    if (found > 0) {
        stance.crouch = w->pose;
        status = lbio_stand_set_body(&w->s, &stance, *made, error);
    }
    return found < 0 ? lbio_error(error, (lb_status)found, "", 0, "out of memory") : status;
}

/* --- From outside ------------------------------------------------------------------------------------ */

static int is_world(const char *name) {
    static const char word[] = "world";
    for (int i = 0; i < 6; i++) {
        if ((name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]) != word[i]) {
            return 0;
        }
    }
    return 1;
}

/* Why a figure cannot stand whatever its legs are; NULL: nothing. */
static const char *refusal(const lbio_stander *s) {
    const lb_segment *root = lb_figure_segment(s->figure, lb_figure_root(s->figure)->segment);
    if (lb_figure_body(s->figure)) {
        return "it has a body already";
    }
    if (s->floating < 0 && is_world(root->name)) {
        return "its root is `world`, which holds it; remove that link and its joint, or give it a floating joint";
    }
    return NULL;
}

static lb_status fail(lb_error *error, lb_status status, const char *reason) {
    return lbio_error(error, status, "", 0, "%s%s", status == LB_ERROR_MEMORY ? "" : "the figure cannot stand: ",
                      status == LB_ERROR_MEMORY ? "out of memory" : reason);
}

/* is_guessed: whether a sole had to be guessed. */
static lb_status make(const lb_figure *figure, lb_figure **standing, int *is_guessed, lb_error *error) {
    work w = {.is_weak = calloc((size_t)lb_figure_joint_count(figure) + 1, 1)};
    const char *reason = NULL;
    int found = w.is_weak ? (int)lbio_stander_begin(&w.s, figure) : LB_ERROR_MEMORY;
    w.pose = calloc((size_t)lb_figure_variable_count(figure) + 7, sizeof *w.pose);
    found = found || w.pose ? found : LB_ERROR_MEMORY;
    if (!found) {
        reason = refusal(&w.s);
        found = reason ? 0 : lbio_stand_find_legs(&w.s);
        reason = reason ? reason : w.s.problem;
    }
    for (int i = 0; i < w.s.leg_count; i++) {
        *is_guessed |= w.s.legs[i].is_guessed;
    }
    lb_status status = found < 0 ? fail(error, (lb_status)found, "") : LB_OK;
    if (found == 0) {
        status = fail(error, LB_ERROR_UNSUPPORTED, reason);
    }
    if (!status) {
        w.reach = mean_reach(&w.s);
        w.base = base_on_floor(&w.s);
        status = stand_upright(&w, error);
        status = status ? status : bend_legs(&w);
        status = status ? status : stand_upright(&w, error);
        found = status ? 0 : choose_stance(&w);
        if (!status && found <= 0) {
            status = fail(error, found < 0 ? (lb_status)found : LB_ERROR_UNSUPPORTED,
                          "no stance was found in which its feet are on the floor and hold it up");
        }
    }
    status = status ? status : finish(&w, standing, error);
    if (status) {
        lb_figure_destroy(*standing);
        *standing = NULL;
    }
    lb_figure_destroy(w.upright);
    lbio_stander_end(&w.s);
    free(w.pose);
    free(w.is_weak);
    return status;
}

lb_status lb_figure_stand(const lb_figure *figure, lb_figure **standing, lb_error *error) {
    lb_error unseen;
    int is_guessed = 0;
    error = error ? error : &unseen;
    if (!figure || !standing) {
        return lbio_error(error, LB_ERROR_ARGUMENT, "", 0, "there is no figure, or no place for the one that stands");
    }
    *standing = NULL;
    return make(figure, standing, &is_guessed, error);
}

int lb_figure_legs(const lb_figure *figure) {
    lbio_stander s;
    if (!figure) {
        return LB_ERROR_ARGUMENT;
    }
    int found = (int)lbio_stander_begin(&s, figure);
    found = found || refusal(&s) ? found : lbio_stand_find_legs(&s);
    lbio_stander_end(&s);
    return found;
}

lb_status lbio_make_stand(const lbio_source *source, lb_figure **figure) {
    lb_figure *standing = NULL;
    int is_guessed = 0;
    if (!source->options->stand || lb_figure_body(*figure)) {
        return LB_OK;
    }
    lb_status status = make(*figure, &standing, &is_guessed, source->error);
    if (status) {
        lb_error reason = *source->error;
        return lbio_fail(source, status, 0, "%s", reason.message);
    }
    if (is_guessed) {
        lbio_warn(source, 0,
                  "feet have no shapes, so that their soles were guessed; meshes are read where they are asked for "
                  "(--packages)");
    }
    if (!(lb_figure_mass(*figure) > 0)) {
        lbio_warn(source, 0, "no link has a mass, so that all of it is taken to be in the root");
    }
    lb_figure_destroy(*figure);
    *figure = standing;
    return LB_OK;
}
