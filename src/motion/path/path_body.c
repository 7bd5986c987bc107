/* Paths of bodies. A body has no branches: it is asked for its natural pose at the first frame, and then goes along on
 * the feet that it stands on there. Where that does not come through, it is asked how it would stand at places farther
 * on, and goes back from there to the first frame: a stance for the whole way. */
#include <limber/body.h>
#include <math.h>
#include <string.h>

#include "motion/path/path_follow.h"
#include "problem/problem.h"

#define LOOKS 4        /* places farther on */
#define MOST_POINTS 64 /* of a hull */
#define CLOSE 2e-5     /* radians or metres of a variable: between places that are off by more there is another one */
#define LEAST_GAP 5e-5 /* metres between two places */
#define ROUNDS 7       /* times that places come between others */
#define DOWN 5e-4      /* metres above the floor: what is lower stands */
#define LARGEST_HOLD 0.01 /* radians or metres of a variable by which a pose is brought to its place */
#define HOLD_ITERATIONS 12

lb_status lbt_plant_feet(const lb_figure *figure, lb_problem *problem) {
    const lb_body *body = lb_figure_body(figure);
    lb_body_options options = *lb_problem_body(problem, 0);
    for (int c = 0; c < body->contact_count; c++) {
        const lb_body_contact *contact = &body->contacts[c];
        const int is_foot = contact->kind == LB_CONTACT_HEEL || contact->kind == LB_CONTACT_BALL;
        if (is_foot && contact->limb >= 0 && options.feet_modes[contact->limb] == LB_FOOT_MODE_AUTO) {
            options.feet_modes[contact->limb] = LB_FOOT_MODE_PLANTED;
        }
    }
    return lb_problem_set_body(problem, 0, &options);
}

/* --- Feet that stand ------------------------------------------------------------------------------------------------------ */

/* What a solve for a body leaves a foot off by is little, but it would add up from place to place, and between places
 * poses come from a spline. So poses are brought to where palm and feet belong by a plain solve, which moves them by
 * less than one would see. */

/* Whether a contact of a foot rests on something in the pose that the kinematics is in. */
static int is_down(const lb_path *path, const lb_kinematics *kinematics, const lb_body_contact *contact) {
    const lb_body_options *o = lb_problem_body(path->base, 0);
    lb_effector effector;
    double e[9];
    lb_effector_from_segment(path->figure, contact->segment, &effector);
    memcpy(effector.point, contact->point, sizeof contact->point);
    if (o->surface_count > 0 || lb_kinematics_effector(kinematics, &effector, e)) {
        return o->surface_count > 0; /* on which it is, the body's own solve knows */
    }
    return e[2] - contact->radius - o->floor < DOWN;
}

/* Keeps a heel above the floor. */
static int add_heel(lb_path *path, const lb_body_contact *contact) {
    const lb_body_options *o = lb_problem_body(path->base, 0);
    lb_constraint c;
    lb_constraint_defaults(&c);
    lb_effector_from_segment(path->figure, contact->segment, &c.effector);
    memcpy(c.effector.point, contact->point, sizeof contact->point);
    lbt_path_keep_above(&c, o->floor + contact->radius);
    return o->above_floor && o->surface_count == 0 ? lb_problem_add(path->stance.problem, &c) : 0;
}

/* Keeps the segments on which feet stand in their frames, and heels above the floor. */
static lb_status hold_feet(lb_path *path, lb_kinematics *kinematics, lb_error *error) {
    const lb_body *body = lb_figure_body(path->figure);
    const lb_body_options *o = lb_problem_body(path->base, 0);
    lb_status status = LB_OK;
    for (int i = 0; i < body->contact_count && !status; i++) {
        const lb_body_contact *contact = &body->contacts[i];
        int is_first = contact->kind == LB_CONTACT_BALL && contact->limb >= 0 && is_down(path, kinematics, contact) &&
                       o->feet_modes[contact->limb] != LB_FOOT_MODE_LIFTED;
        for (int k = 0; k < i; k++) {
            is_first &= body->contacts[k].kind != LB_CONTACT_BALL || body->contacts[k].segment != contact->segment;
        }
        if (contact->kind == LB_CONTACT_HEEL && add_heel(path, contact) < 0) {
            status = lb_problem_error(path->stance.problem)->status;
        }
        if (is_first && !status) {
            lb_constraint c;
            lb_constraint_defaults(&c);
            lb_effector_from_segment(path->figure, contact->segment, &c.effector);
            lbt_path_keep(&c);
            const int id = lb_problem_add(path->stance.problem, &c);
            lb_frame frame;
            status = id < 0 ? (lb_status)id : lb_kinematics_segment(kinematics, contact->segment, &frame);
            status = status ? status : lb_problem_move_goal(path->stance.problem, id, &frame);
        }
    }
    if (status) {
        *error = *lb_problem_error(path->stance.problem);
    }
    return status;
}

lb_status lbt_path_stand(lb_path *path, const double *pose, lb_error *error) {
    lb_solver_destroy(path->stance.solver);
    lb_problem_destroy(path->stance.problem);
    path->stance.solver = NULL;
    path->stance.problem = lb_problem_create(path->figure, error);
    path->stance.kinematics =
        path->stance.kinematics ? path->stance.kinematics : lb_kinematics_create(path->figure, error);
    if (!path->stance.problem || !path->stance.kinematics) {
        return LB_ERROR_MEMORY;
    }
    lb_constraint c;
    lbt_path_goal(path, &c);
    path->stance.id = lb_problem_add(path->stance.problem, &c);
    lb_status status =
        path->stance.id < 0 ? (lb_status)path->stance.id : lb_kinematics_update(path->stance.kinematics, pose);
    for (int v = 0; v < path->n && !status; v++) {
        status = lb_problem_set_active(path->stance.problem, v, path->base->active[v]);
    }
    status = status ? status : hold_feet(path, path->stance.kinematics, error);
    path->stance.solver = status ? NULL : lb_solver_create(path->stance.problem, error);
    return status ? status : path->stance.solver ? LB_OK : error->status;
}

lb_status lbt_path_hold(lb_path *path, const lb_frame *frame, double *pose) {
    double step = 0;
    lb_solve_options options;
    lb_result result;
    lb_solve_options_defaults(&options);
    lb_result_defaults(&result);
    options.tracking = options.keep_going = 1;
    options.max_iterations = HOLD_ITERATIONS;
    memcpy(path->between, pose, (size_t)path->n * sizeof *pose);
    lb_status status = lb_problem_move_goal(path->stance.problem, path->stance.id, frame);
    status = status ? status : lb_solver_solve(path->stance.solver, &options, path->between, &result);
    for (int k = 0; k < path->n && !status; k++) {
        const double way = path->between[k] - pose[k];
        step = way > step ? way : -way > step ? -way : step;
    }
    if (!status && result.outcome == LB_OUTCOME_SOLVED && step < LARGEST_HOLD) {
        memcpy(pose, path->between, (size_t)path->n * sizeof *pose);
    }
    return status;
}

/* --- Places between ------------------------------------------------------------------------------------------------------- */

/* The stretch from corner to corner that a gap between two places is in: its first and last place. */
static void stretch_of(const lb_path *path, int gap, int *first, int *last) {
    *first = 0, *last = path->sample_count - 1;
    for (int i = 0; i < path->piece_count; i++) {
        if (path->pieces[i].is_corner && path->pieces[i].first <= gap) {
            *first = path->pieces[i].first;
        } else if (path->pieces[i].is_corner && path->pieces[i].first < *last) {
            *last = path->pieces[i].first;
        }
    }
}

/* A pose half way between two places, by the cubic through the four places around. */
static void pose_between(const lb_path *path, int gap, double at, double *pose) {
    int first, last;
    stretch_of(path, gap, &first, &last);
    int from = gap - 1 < first ? first : gap - 1;
    from = from + 3 > last ? last - 3 : from;
    memset(pose, 0, (size_t)path->n * sizeof *pose);
    for (int i = from; i < from + 4; i++) {
        double weight = 1;
        for (int j = from; j < from + 4; j++) {
            weight *= j == i ? 1 : (at - path->places[j]) / (path->places[i] - path->places[j]);
        }
        for (int k = 0; k < path->n; k++) {
            pose[k] += weight * path->branch[(size_t)i * (size_t)path->n + (size_t)k];
        }
    }
}

/* Fills poses[gap][n] with held poses half way of each gap; wanted[gap]: they are off what a spline would give
 * there. */
static lb_status look_between(lb_path *path, double *poses, char *wanted, int *count) {
    const size_t n = (size_t)path->n;
    lb_status status = LB_OK;
    for (int gap = 0; gap + 1 < path->sample_count && !status; gap++) {
        const double at = 0.5 * (path->places[gap] + path->places[gap + 1]);
        double *pose = poses + (size_t)gap * n, off = 0;
        lb_frame frame;
        pose_between(path, gap, at, pose);
        lb_kinematics_project(path->stance.kinematics, pose);
        memcpy(path->stance.guess, pose, n * sizeof *pose);
        lbt_path_frame(path, at, &frame);
        status = lbt_path_hold(path, &frame, pose);
        for (int k = 0; k < path->n; k++) {
            const double way = pose[k] - path->stance.guess[k];
            off = way > off ? way : -way > off ? -way : off;
        }
        wanted[gap] = off > CLOSE && path->places[gap + 1] - path->places[gap] > LEAST_GAP;
        *count += wanted[gap];
    }
    return status;
}

/* Puts the poses that are wanted between those that there are. */
static void insert(lb_path *path, const double *poses, const char *wanted, double *places, double *branch) {
    const size_t n = (size_t)path->n;
    int to = 0, piece = 0;
    for (int i = 0; i < path->sample_count; i++) {
        while (piece < path->piece_count && path->pieces[piece].first == i) {
            path->pieces[piece++].first = to;
        }
        places[to] = path->places[i];
        memcpy(branch + (size_t)to++ * n, path->branch + (size_t)i * n, n * sizeof *branch);
        if (i + 1 < path->sample_count && wanted[i]) {
            places[to] = 0.5 * (path->places[i] + path->places[i + 1]);
            memcpy(branch + (size_t)to++ * n, poses + (size_t)i * n, n * sizeof *branch);
        }
    }
    for (int i = 0; i < path->piece_count; i++) {
        path->pieces[i].samples =
            (i + 1 < path->piece_count ? path->pieces[i + 1].first : to - 1) - path->pieces[i].first;
    }
}

/* One round; *count is how many places came to the others. */
static lb_status densify_once(lb_path *path, int *count, lb_error *error) {
    const size_t n = (size_t)(path->n ? path->n : 1), before = (size_t)path->sample_count;
    double *poses = lbf_new(&path->allocator, before * n, sizeof *poses);
    char *wanted = lbf_new(&path->allocator, before, 1);
    *count = 0;
    lb_status status = poses && wanted ? look_between(path, poses, wanted, count) : LB_ERROR_MEMORY;
    if (!status && *count > 0) {
        const size_t after = before + (size_t)*count;
        double *places = lbf_new(&path->allocator, after, sizeof *places);
        double *branch = lbf_new(&path->allocator, after * n, sizeof *branch);
        if (places && branch) {
            insert(path, poses, wanted, places, branch);
            lbf_delete(&path->allocator, path->places, before, sizeof *places);
            lbf_delete(&path->allocator, path->branch, before * n, sizeof *branch);
            path->places = places, path->branch = branch;
            path->sample_count = (int)after;
        } else {
            lbf_delete(&path->allocator, places, after, sizeof *places);
            lbf_delete(&path->allocator, branch, after * n, sizeof *branch);
            status = LB_ERROR_MEMORY;
        }
    }
    lbf_delete(&path->allocator, poses, before * n, sizeof *poses);
    lbf_delete(&path->allocator, wanted, before, 1);
    return status ? lbf_refuse(error, status, lb_status_text(status)) : LB_OK;
}

lb_status lbt_path_densify(lb_path *path, lb_error *error) {
    const size_t n = (size_t)(path->n ? path->n : 1);
    lb_status status = lbt_path_stand(path, path->branch, error);
    path->stance.guess = lbf_new(&path->allocator, n, sizeof(double));
    if (!status && !path->stance.guess) {
        status = lbf_refuse(error, LB_ERROR_MEMORY, lb_status_text(LB_ERROR_MEMORY));
    }
    int count = 1;
    for (int round = 0; round < ROUNDS && count > 0 && !status; round++) {
        status = densify_once(path, &count, error);
    }
    lbf_delete(&path->allocator, path->stance.guess, n, sizeof(double));
    path->stance.guess = NULL;
    return status;
}

/* --- Balance --------------------------------------------------------------------------------------------------------------- */

/* The centre of mass with what the body carries, in the pose that the kinematics is in. */
static void find_com(const lb_path *path, double com[3]) {
    const lb_body_options *o = lb_problem_body(path->base, 0);
    lb_effector effector;
    double e[9], mass = path->figure->mass;
    memset(&effector, 0, sizeof effector);
    effector.kind = LB_EFFECTOR_COM;
    lb_kinematics_effector(path->stance.kinematics, &effector, e);
    for (int k = 0; k < 3; k++) {
        com[k] = mass * e[k];
    }
    for (int i = 0; i < o->load_count; i++) {
        lb_effector_from_segment(path->figure, o->loads[i].segment, &effector);
        memcpy(effector.point, o->loads[i].point, sizeof effector.point);
        lb_kinematics_effector(path->stance.kinematics, &effector, e);
        mass += o->loads[i].mass;
        for (int k = 0; k < 3; k++) {
            com[k] += o->loads[i].mass * e[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        com[k] /= mass;
    }
}

/* Metres by which the centre of mass is inside of what stands of the feet, seen from above. */
static double margin_of(const lb_path *path, const double *pose) {
    const lb_body *body = lb_figure_body(path->figure);
    const lb_body_options *o = lb_problem_body(path->base, 0);
    double points[MOST_POINTS][3], faces[MOST_POINTS][4], com[3], margin = INFINITY;
    lb_constraint balance;
    int count = 0;
    lb_kinematics_update(path->stance.kinematics, pose);
    for (int i = 0; i < body->contact_count && count < MOST_POINTS; i++) {
        const lb_body_contact *contact = &body->contacts[i];
        if (contact->kind <= LB_CONTACT_TOE && contact->limb >= 0 &&
            o->feet_modes[contact->limb] != LB_FOOT_MODE_LIFTED && is_down(path, path->stance.kinematics, contact)) {
            lb_effector effector;
            double e[9];
            lb_effector_from_segment(path->figure, contact->segment, &effector);
            memcpy(effector.point, contact->point, sizeof contact->point);
            lb_kinematics_effector(path->stance.kinematics, &effector, e);
            memcpy(points[count++], e, sizeof points[0]);
        }
    }
    find_com(path, com);
    if (lb_constraint_balance(count, (const double(*)[3])points, 0, faces, &balance)) {
        return -INFINITY;
    }
    for (int i = 0; i < balance.goal.face_count; i++) {
        const double inside = faces[i][3] - faces[i][0] * com[0] - faces[i][1] * com[1];
        margin = inside < margin ? inside : margin;
    }
    return margin;
}

void lbt_path_check_balance(lb_path *path) {
    lb_path_result *r = &path->result;
    const lb_body_options *o = lb_problem_body(path->base, 0);
    if (!o->balance || o->surface_count > 0 || o->support_count > 0 || !lb_figure_root(path->figure)->is_free ||
        !path->base->active[0]) {
        return; /* what else holds it up, the solves of the places know */
    }
    for (int i = 0; i < r->pose_count; i++) {
        if (margin_of(path, path->poses + (size_t)i * (size_t)path->n) < 0) {
            r->end = LB_PATH_END_BALANCE;
            r->variable = -1;
            r->fraction = path->fractions[i];
            r->frame = path->pieces[lbt_path_piece(path, r->fraction * path->places[path->sample_count - 1])].frame;
            r->pose_count = 0;
            r->duration = 0;
            return;
        }
    }
}

/* --- The first pose ------------------------------------------------------------------------------------------------------ */

/* Goes back to the first frame from a place, on the feet that stand there. Returns whether it comes there. */
static lb_status go_back(lbt_follower *f, double place, int *is_there) {
    const lb_path *path = f->path;
    *is_there = 1;
    for (int i = path->sample_count - 1; i >= 0 && *is_there; i--) {
        lb_frame frame;
        int unused;
        if (path->places[i] >= place) {
            continue;
        }
        lbt_path_frame(path, path->places[i], &frame);
        memcpy(f->other, f->q, (size_t)path->n * sizeof(double));
        const lb_status status = lbt_solve_at(f, &frame, f->other);
        if (status) {
            return status;
        }
        *is_there = lbt_is_reached(f) && lbt_step_of(f, f->q, f->other, &unused) <= LARGEST_STEP;
        memcpy(f->q, f->other, (size_t)path->n * sizeof(double));
    }
    return LB_OK;
}

lb_status lbt_body_ways(lbt_follower *f) {
    const lb_path *path = f->path;
    const double whole = path->places[path->sample_count - 1];
    lb_solve_options freely = f->options;
    lb_status status = LB_OK;
    freely.tracking = 0;
    for (int i = 0; i <= LOOKS && !status && !lbt_path_is_over(path); i++) {
        const double place = whole * i / LOOKS;
        lb_frame frame;
        int is_there;
        lbt_path_frame(path, place, &frame);
        memcpy(f->q, path->start, (size_t)path->n * sizeof(double));
        status = lb_problem_move_goal(f->clear, f->clear_id, &frame);
        status = status ? status : lb_solver_solve(f->keeper, &freely, f->q, &f->result);
        if (!status && lbt_is_reached_by(f, f->keeper)) {
            status = go_back(f, place, &is_there);
            if (!status && is_there) {
                lbt_add_way(f, f->q);
            }
        }
    }
    return status;
}
