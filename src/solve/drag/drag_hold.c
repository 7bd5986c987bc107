/* Taking hold, and putting the problem back as it was: the memory of a drag, and what it changes. */
#include <string.h>

#include "figure/error.h"
#include "math/arena.h"
#include "math/rotation.h"
#include "math/vec.h"
#include "solve/drag/drag.h"

#define TOLERANCE 5e-5 /* metres and radians, of the constraint that is pulled */
#define MOST_ITERATIONS 100000

/* --- Memory ---------------------------------------------------------------------------------------------------------- */

static void cut_found(lbs_found *found, const lb_problem *p, lbm_arena *arena) {
    const size_t figures = (size_t)p->figure_count;
    int limits = p->variable_count;
    found->bodies = lbm_cut(arena, figures, sizeof *found->bodies);
    found->has_body = lbm_cut(arena, figures, 1);
    found->contacts = lbm_cut(arena, figures, sizeof *found->contacts);
    found->efforts = lbm_cut(arena, figures, sizeof *found->efforts);
    found->steps = lbm_cut(arena, figures, sizeof *found->steps);
    for (int f = 0; f < p->figure_count; f++) {
        const lb_body *body = lb_figure_body(p->figures[f]);
        lb_contact_result *contacts = lbm_cut(arena, body ? (size_t)body->contact_count : 0, sizeof(lb_contact_result));
        lb_effort_result *efforts = lbm_cut(arena, body ? (size_t)body->strength_count : 0, sizeof(lb_effort_result));
        lb_step_result *steps = lbm_cut(arena, LB_BODY_LIMBS, sizeof(lb_step_result));
        limits += lb_figure_limit_count(p->figures[f]);
        if (arena->block) {
            found->contacts[f] = contacts;
            found->efforts[f] = efforts;
            found->steps[f] = steps;
        }
    }
    found->constraints = lbm_cut(arena, (size_t)p->constraint_count + 1, sizeof *found->constraints);
    found->limits = lbm_cut(arena, (size_t)limits, sizeof *found->limits);
}

static void cut_soles(lbs_soles *soles, const lb_problem *p, lbm_arena *arena) {
    size_t count = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_body *body = lb_figure_body(p->figures[f]);
        count += body ? (size_t)body->contact_count : 0;
    }
    soles->list = lbm_cut(arena, count, sizeof *soles->list);
}

static void cut(lb_drag *drag, lbm_arena *arena) {
    const lb_problem *p = drag->problem;
    const size_t n = (size_t)p->variable_count, figures = (size_t)p->figure_count;
    double **const poses[] = {&drag->pose,       &drag->begin,        &drag->room.frame_begin, &drag->room.trial,
                              &drag->room.other, &drag->body.way,     &drag->body.glide_from,  &drag->body.glide_to,
                              &drag->room.step,  &drag->was.preferred};
    drag->kinematics = lbm_cut(arena, figures, sizeof *drag->kinematics);
    drag->body.is_eye = lbm_cut(arena, (size_t)drag->segment_count, 1);
    drag->was.constraints = lbm_cut(arena, (size_t)p->constraint_count, sizeof *drag->was.constraints);
    drag->was.feet = lbm_cut(arena, figures * LB_BODY_LIMBS, sizeof *drag->was.feet);
    drag->room.feet = lbm_cut(arena, figures * LB_BODY_LIMBS, sizeof *drag->room.feet);
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        *poses[i] = lbm_cut_doubles(arena, n);
    }
    drag->room.matrices = lbm_cut_doubles(arena, 12 * (size_t)drag->segment_count);
    drag->room.other_matrices = lbm_cut_doubles(arena, 12 * (size_t)drag->segment_count);
    cut_found(&drag->now, p, arena);
    if (drag->is_body) {
        cut_found(&drag->body.glide, p, arena);
        cut_found(&drag->body.stepped, p, arena);
        cut_soles(&drag->body.stood, p, arena);
        cut_soles(&drag->room.soles, p, arena);
        drag->body.known.poses = lbm_cut_doubles(arena, LBS_DRAG_POSES * n);
        drag->body.known.at = lbm_cut(arena, LBS_DRAG_POSES, sizeof *drag->body.known.at);
        drag->body.known.cost = lbm_cut_doubles(arena, LBS_DRAG_POSES);
    }
}

/* --- Taking hold ------------------------------------------------------------------------------------------------------- */

static int is_held(const lb_drag_options *o, int id) {
    int found = o->hold_count < 0;
    for (int i = 0; i < o->hold_count; i++) {
        found |= o->holds[i] == id;
    }
    return found;
}

/* Whether a constraint is a place that a point of a segment is brought to. */
static int is_place(const lb_drag *drag, const lb_constraint *c) {
    return c->effector.kind == LB_EFFECTOR_FRAME && !c->disabled && c->goal.carrier_segment < 0 &&
           (c->goal.kind == LB_GOAL_POSITION || c->goal.kind == LB_GOAL_FRAME) &&
           c->effector.segment < lb_figure_segment_count(drag->problem->figures[c->figure]);
}

static void take_effector(lb_drag *drag, const lb_effector *e) {
    lb_frame frame;
    lbm_transform t = {.p = {0, 0, 0}};
    lbm_copy3(t.x, e->x);
    lbm_copy3(t.y, e->y);
    lbm_cross3(e->x, e->y, t.z);
    lbm_transform_to_frame(&t, &frame);
    drag->segment = e->segment;
    lbm_copy3(drag->point, e->point);
    memcpy(drag->rotation, frame.rotation, sizeof drag->rotation);
}

lb_status lbs_drag_check_options(const lb_problem *p, const lb_drag_options *o, lb_error *error) {
    const double sizes[] = {o->carrot, o->carrot_rad, o->max_change, o->max_turn};
    const lb_figure *figure = lb_problem_figure(p, o->figure);
    for (int i = 0; i < 4; i++) {
        if (!(sizes[i] >= 0) || !lbm_is_finite(sizes[i])) {
            return lbf_refuse(error, LB_ERROR_ARGUMENT, "a bound of a drag is negative or not finite");
        }
    }
    if (o->turns < 0 || o->turns > 1) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "whether a drag turns is 0 or 1");
    }
    if (o->max_iterations < 0 || o->max_iterations > MOST_ITERATIONS || o->hold_count < -1 ||
        (o->hold_count > 0 && !o->holds)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "a drag's count cannot be, or what holds is not listed");
    }
    if (o->constraint >= 0 || o->constraint < -1) {
        return lbp_index_of(p, o->constraint) < 0
                   ? lbf_refuse(error, LB_ERROR_ARGUMENT, "there is no such constraint to drag the goal of")
                   : LB_OK;
    }
    if (!figure) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "there is no such figure to drag");
    }
    if (o->effector.kind != LB_EFFECTOR_FRAME || o->effector.segment < 0 ||
        o->effector.segment >= lb_figure_segment_count(figure)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT,
                          "what is dragged is a frame of a segment: there is no such segment");
    }
    return LB_OK;
}

/* Notes what the problem is, to put it back. */
void lbs_drag_note_problem(lb_drag *drag) {
    const lb_problem *p = drag->problem;
    drag->was.level = p->wishes.level;
    drag->was.posture = p->wishes.posture_weight;
    drag->was.stay = p->wishes.stay_weight;
    memcpy(drag->was.preferred, p->posture, (size_t)p->variable_count * sizeof *p->posture);
    drag->was.count = p->constraint_count;
    for (int i = 0; i < p->constraint_count; i++) {
        const lb_constraint *c = &p->constraints[i].constraint;
        lbs_before *b = &drag->was.constraints[i];
        *b = (lbs_before){.id = p->constraints[i].id,
                          .disabled = c->disabled,
                          .weight = c->weight,
                          .tolerance_rad = c->tolerance_rad};
        lbm_copy3(b->tolerance, c->tolerance);
        b->holds = is_held(&drag->options, b->id);
    }
    for (int f = 0; f < p->figure_count; f++) {
        const lb_body_options *options = lb_problem_body(p, f);
        for (int limb = 0; limb < LB_BODY_LIMBS; limb++) {
            drag->was.feet[f * LB_BODY_LIMBS + limb] = options ? options->feet_modes[limb] : LB_FOOT_MODE_AUTO;
        }
    }
}

/* Makes the constraint that draws a part; goals of its own segment do not count meanwhile. */
static lb_status add_pull(lb_drag *drag) {
    lb_problem *p = drag->problem;
    const lb_drag_options *o = &drag->options;
    lb_constraint c;
    int lowest = 0, is_any = 0;
    lb_constraint_defaults(&c);
    c.name = lb_figure_segment(p->figures[o->figure], o->effector.segment)->name;
    c.figure = o->figure;
    c.effector = o->effector;
    c.goal.kind = o->turns ? LB_GOAL_FRAME : LB_GOAL_POSITION;
    c.tolerance[0] = c.tolerance[1] = c.tolerance[2] = c.tolerance_rad = TOLERANCE;
    for (int i = 0; i < p->constraint_count; i++) {
        lb_constraint *other = &p->constraints[i].constraint;
        if (other->figure == o->figure && other->effector.kind == LB_EFFECTOR_FRAME &&
            other->effector.segment == o->effector.segment && !other->disabled && !other->goal.outside) {
            lb_problem_enable(p, p->constraints[i].id, 0);
        }
        lowest = other->priority > lowest ? other->priority : lowest;
        is_any |= !other->disabled;
    }
    c.priority = drag->is_body && is_any ? lowest + 1 : lowest;
    drag->id = lb_problem_add(p, &c);
    drag->is_own = drag->id > 0;
    return drag->id > 0 ? LB_OK : (lb_status)drag->id;
}

static void take_hold(lb_drag *drag) {
    const int index = lbp_index_of(drag->problem, drag->options.constraint);
    if (index < 0) {
        take_effector(drag, &drag->options.effector);
        return;
    }
    const lb_constraint *c = &drag->problem->constraints[index].constraint;
    drag->id = drag->options.constraint;
    drag->segment = -1;
    if (is_place(drag, c)) {
        drag->options.figure = c->figure;
        take_effector(drag, &c->effector);
    }
    drag->options.turns = drag->segment >= 0 && c->goal.kind == LB_GOAL_FRAME;
}

void lbs_drag_put_back(lb_drag *drag) {
    lb_problem *p = drag->problem;
    if (drag->is_own) {
        lb_problem_remove(p, drag->id);
    }
    for (int i = 0; i < drag->was.count; i++) {
        const lbs_before *b = &drag->was.constraints[i];
        const int index = lbp_index_of(p, b->id);
        if (index >= 0) {
            lb_constraint *c = &p->constraints[index].constraint;
            c->weight = b->weight;
            lbm_copy3(c->tolerance, b->tolerance);
            c->tolerance_rad = b->tolerance_rad;
            c->disabled = b->disabled;
        }
    }
    for (int f = 0; f < p->figure_count; f++) {
        for (int limb = 0; limb < LB_BODY_LIMBS && lb_problem_body(p, f); limb++) {
            p->bodies[f].options.feet_modes[limb] = drag->was.feet[f * LB_BODY_LIMBS + limb];
        }
    }
    memcpy(p->posture, drag->was.preferred, (size_t)p->variable_count * sizeof *p->posture);
    p->wishes.level = drag->was.level;
    p->wishes.posture_weight = drag->was.posture;
    p->wishes.stay_weight = drag->was.stay;
    p->shape++;
    p->revision++;
    p->moves++;
}

lb_status lbs_drag_take_hold(lb_drag *drag, const double *pose, lb_error *error) {
    lb_problem *p = drag->problem;
    int at = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_body *body = lb_figure_body(p->figures[f]);
        drag->kinematics[f] = lb_kinematics_create(p->figures[f], error);
        if (!drag->kinematics[f]) {
            return LB_ERROR_MEMORY;
        }
        for (int i = 0; body && i < body->eye_count; i++) {
            drag->body.is_eye[at + body->eyes[i]] = 1;
        }
        at += lb_figure_segment_count(p->figures[f]);
    }
    drag->solver = lb_solver_create(p, error);
    if (!drag->solver) {
        return LB_ERROR_MEMORY;
    }
    memcpy(drag->pose, pose, (size_t)drag->variables * sizeof *pose);
    memcpy(drag->begin, pose, (size_t)drag->variables * sizeof *pose);
    take_hold(drag);
    drag->is_free = drag->options.is_free;
    for (int i = 0; i < p->constraint_count; i++) {
        drag->is_free &= p->constraints[i].constraint.chain_start < 0;
    }
    lb_status status = drag->options.constraint >= 0 ? LB_OK : add_pull(drag);
    status = status ? status : drag->is_body ? lbs_drag_prepare_body(drag) : lbs_drag_prepare_plain(drag);
    return status ? lbf_refuse(error, status, p->error.message) : LB_OK;
}

lb_drag *lbs_drag_allocate(lb_problem *problem, const lb_drag_options *options, lb_error *error) {
    lb_drag *drag = lbf_new(&problem->allocator, 1, sizeof *drag);
    if (drag) {
        drag->allocator = problem->allocator;
        drag->problem = problem;
        drag->variables = problem->variable_count;
        drag->options = *options;
        lb_result_defaults(&drag->solved);
        for (int f = 0; f < problem->figure_count; f++) {
            drag->segment_count += lb_figure_segment_count(problem->figures[f]);
            drag->is_body |= lb_problem_body(problem, f) != NULL;
        }
        lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
        cut(drag, &arena);
        drag->size = arena.used;
        drag->block = arena.used < SIZE_MAX ? lbf_new(&drag->allocator, arena.used, 1) : NULL;
        if (drag->block) {
            arena = lbm_arena_on(drag->block, LBM_ARENA_DOUBLE);
            cut(drag, &arena);
            return drag;
        }
        lbf_delete(&problem->allocator, drag, 1, sizeof *drag);
    }
    lbf_refuse(error, LB_ERROR_MEMORY, "out of memory");
    return NULL;
}
