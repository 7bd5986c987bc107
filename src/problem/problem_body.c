/* Figures of a problem that are posed as bodies. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "figure/figure.h"
#include "figure/sized.h"
#include "math/arena.h"
#include "problem/apart.h"
#include "problem/problem.h"

static const lbf_sized options_size = LBF_SIZED(lb_body_options, loads);

static lb_body_options default_options(void) {
    return (lb_body_options){.posture = 1,
                             .comfort = 1,
                             .effort = 1,
                             .hang = 1,
                             .head = 1,
                             .look = 1,
                             .feet = 1,
                             .habit = 1,
                             .balance = 1,
                             .above_floor = 1,
                             .drives = 1,
                             .apart = 1,
                             .eyes = 1,
                             .props = 1,
                             .friction = 0.5};
}

void lb_body_options_defaults_sized(lb_body_options *options, size_t struct_size) {
    const lb_body_options made = default_options();
    lbf_default_sized(&options_size, &made, options, struct_size);
}

static const char *const term_names[LB_BODY_TERM_COUNT] = {"posture", "comfort", "effort", "hang",  "head",
                                                           "look",    "feet",    "habit",  "swivel"};

const char *lb_body_term_name(lb_body_term term) {
    return (int)term >= 0 && (int)term < LB_BODY_TERM_COUNT ? term_names[term] : "";
}

/* --- Checking ----------------------------------------------------------------------------------------------------------- */

static const char *wrong_with_surfaces(const lb_body_options *o) {
    for (int i = 0; i < o->surface_count; i++) {
        const lb_surface *s = &o->surfaces[i];
        lbp_surface_frame frame;
        if (!lbm_all_finite(s->point, 3) || !(s->half_size[0] > 0) || !(s->half_size[1] > 0)) {
            return "a surface of a body has a point that is not finite, or a size that is not above 0";
        }
        if (lbp_frame_surface(s, &frame)) {
            return "a surface of a body has a normal or an axis that is no direction, or the two are one line";
        }
        if (!(s->thickness >= 0) || !lbm_is_finite(s->thickness)) {
            return "a surface of a body has a thickness that is negative or not finite";
        }
    }
    return NULL;
}

static const char *wrong_with_box(const lb_obstacle *s) {
    const double *half = s->half_size;
    if (!(half[0] > 0 && half[1] > 0 && half[2] > 0) || !lbm_all_finite(s->rotation, 4)) {
        return "an obstacle of a body has a place that is not finite, or a size that is not above 0";
    }
    return lbm_is_finite(half[0]) || lbm_is_finite(half[1]) || lbm_is_finite(half[2])
               ? NULL
               : "an obstacle of a body has no end in any direction, so that there is nowhere to be";
}

static const char *wrong_with_obstacle(const lb_obstacle *s) {
    if (s->kind != LB_SHAPE_BOX && s->kind != LB_SHAPE_SPHERE && s->kind != LB_SHAPE_CAPSULE) {
        return "an obstacle of a body is neither a sphere nor a capsule nor a box";
    }
    if (!lbm_all_finite(s->point, 3) || (s->kind == LB_SHAPE_CAPSULE && !lbm_all_finite(s->to, 3)) ||
        (s->kind != LB_SHAPE_BOX && (!(s->radius > 0) || !lbm_is_finite(s->radius)))) {
        return "an obstacle of a body has a place that is not finite, or a size that is not above 0";
    }
    return s->kind == LB_SHAPE_BOX ? wrong_with_box(s) : NULL;
}

static const char *wrong_with_obstacles(const lb_body_options *o) {
    const char *wrong = NULL;
    for (int i = 0; i < o->obstacle_count && !wrong; i++) {
        wrong = wrong_with_obstacle(&o->obstacles[i]);
    }
    return wrong;
}

static int is_segment(const lb_figure *figure, int segment) {
    return segment >= 0 && segment < figure->draft.segment_count;
}

static const char *wrong_with_swivels(const lb_figure *figure, const lb_body_options *o) {
    for (int i = 0; i < o->swivel_count; i++) {
        const lb_swivel *s = &o->swivels[i];
        if (!is_segment(figure, s->upper) || !is_segment(figure, s->middle) || !is_segment(figure, s->lower) ||
            (s->segment != -1 && !is_segment(figure, s->segment))) {
            return "a swivel of a body names a segment that there is not";
        }
        if (!lbm_all_finite(s->direction, 3) || !(lbm_dot3(s->direction, s->direction) > 0)) {
            return "a swivel of a body has no direction";
        }
    }
    return NULL;
}

static const char *wrong_with_parts(const lb_figure *figure, const lb_body_options *o) {
    for (int i = 0; i < o->support_count; i++) {
        const lb_support *s = &o->supports[i];
        if (s->contact < 0 || s->contact >= figure->draft.body->contact_count || s->surface < -1 ||
            s->surface >= o->surface_count) {
            return "a support of a body names a contact or a surface that there is not";
        }
    }
    for (int i = 0; i < o->load_count; i++) {
        const lb_load *l = &o->loads[i];
        if (l->segment < 0 || l->segment >= figure->draft.segment_count || !lbm_all_finite(l->point, 3) ||
            !(l->mass >= 0) || !lbm_is_finite(l->mass)) {
            return "a load of a body has a mass or a point that is not finite, or is on no segment of the figure";
        }
    }
    return NULL;
}

static const char *wrong_with(const lb_figure *figure, const lb_body_options *o) {
    const double weights[] = {o->posture, o->comfort, o->effort, o->hang, o->head, o->look, o->feet, o->habit};
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        if (!(weights[i] >= 0) || !lbm_is_finite(weights[i])) {
            return "the weight of a body's term is negative or not finite";
        }
    }
    const int counts[] = {o->surface_count, o->support_count, o->load_count, o->obstacle_count, o->swivel_count};
    const void *const lists[] = {o->surfaces, o->supports, o->loads, o->obstacles, o->swivels};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i] < 0 || counts[i] > LB_BODY_PARTS || (counts[i] > 0 && !lists[i])) {
            return "a list of a body's options is missing or too long";
        }
    }
    for (int i = 0; i < LB_BODY_LIMBS; i++) {
        if ((int)o->feet_modes[i] < LB_FOOT_MODE_AUTO || o->feet_modes[i] > LB_FOOT_MODE_LIFTED) {
            return "a foot has no known mode";
        }
    }
    if (!lbm_is_finite(o->floor)) {
        return "the height of the floor is not finite";
    }
    if (!(o->friction >= 0) || !lbm_is_finite(o->friction)) {
        return "the friction of a body is negative or not finite";
    }
    const char *wrong = wrong_with_surfaces(o);
    wrong = wrong ? wrong : wrong_with_obstacles(o);
    wrong = wrong ? wrong : wrong_with_swivels(figure, o);
    return wrong ? wrong : wrong_with_parts(figure, o);
}

/* --- Setting ------------------------------------------------------------------------------------------------------------ */

static const char *cut_text(lbm_arena *arena, const char *text) {
    const size_t size = strlen(text ? text : "") + 1;
    char *made = lbm_cut(arena, size, 1);
    return arena->block ? memcpy(made, text ? text : "", size) : NULL;
}

/* Copies the options and what they point to into one block, or counts how large that is. */
static void cut_options(lb_body_options *to, const lb_body_options *from, lbm_arena *arena) {
    lb_surface *surfaces = lbm_cut(arena, (size_t)from->surface_count, sizeof *surfaces);
    lb_support *supports = lbm_cut(arena, (size_t)from->support_count, sizeof *supports);
    lb_load *loads = lbm_cut(arena, (size_t)from->load_count, sizeof *loads);
    lb_obstacle *obstacles = lbm_cut(arena, (size_t)from->obstacle_count, sizeof *obstacles);
    lb_swivel *swivels = lbm_cut(arena, (size_t)from->swivel_count, sizeof *swivels);
    *to = *from;
    for (int i = 0; i < from->surface_count; i++) {
        const char *name = cut_text(arena, from->surfaces[i].name);
        if (arena->block) {
            surfaces[i] = from->surfaces[i];
            surfaces[i].name = name;
        }
    }
    for (int i = 0; i < from->obstacle_count; i++) {
        const char *name = cut_text(arena, from->obstacles[i].name);
        if (arena->block) {
            obstacles[i] = from->obstacles[i];
            obstacles[i].name = name;
        }
    }
    if (arena->block && from->swivel_count > 0) {
        memcpy(swivels, from->swivels, (size_t)from->swivel_count * sizeof *swivels);
    }
    if (arena->block && from->support_count > 0) {
        memcpy(supports, from->supports, (size_t)from->support_count * sizeof *supports);
    }
    if (arena->block && from->load_count > 0) {
        memcpy(loads, from->loads, (size_t)from->load_count * sizeof *loads);
    }
    to->surfaces = surfaces;
    to->supports = supports;
    to->loads = loads;
    to->obstacles = obstacles;
    to->swivels = swivels;
}

static void free_body(lb_problem *p, int figure) {
    lbp_body *body = &p->bodies[figure];
    if (body->block) {
        lbf_delete(&p->allocator, body->block, body->size, 1);
        p->body_count--;
    }
    *body = (lbp_body){.habit = body->habit};
}

void lbp_free_bodies(lb_problem *p) {
    for (int f = 0; f < p->body_capacity; f++) {
        free_body(p, f);
        lb_habit_destroy(p->bodies[f].habit);
    }
    if (p->bodies) {
        lbf_delete(&p->allocator, p->bodies, (size_t)p->body_capacity, sizeof *p->bodies);
    }
}

int lbp_make_room_for_body(lb_problem *p, int figure) {
    const int before = p->body_capacity;
    if (!lbf_grow(&p->allocator, (void **)&p->bodies, &p->body_capacity, figure + 1, sizeof *p->bodies)) {
        return 0;
    }
    for (int f = before; f < p->body_capacity; f++) {
        p->bodies[f] = (lbp_body){0};
    }
    return 1;
}

lb_status lb_problem_set_body(lb_problem *p, int figure, const lb_body_options *options) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_figure *f = lb_problem_figure(p, figure);
    if (!f) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "there is no such figure in the problem");
    }
    if (!f->draft.body) {
        return LBP_FAIL(p, LB_ERROR_UNSUPPORTED,
                        "the figure has no body; its file needs a statement `body`, or the program lb_figure_set_body");
    }
    lb_body_options taken = default_options();
    lb_status status = lbf_take_sized(&options_size, options, &taken, &p->error);
    if (status) {
        return status;
    }
    const char *wrong = wrong_with(f, &taken);
    if (wrong) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, wrong);
    }
    lb_body_options counted;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    cut_options(&counted, &taken, &arena);
    const size_t size = arena.used + 1;
    char *block = lbf_new(&p->allocator, size, 1);
    if (!block || !lbp_make_room_for_body(p, figure)) {
        if (block) {
            lbf_delete(&p->allocator, block, size, 1);
        }
        return LBP_FAIL(p, LB_ERROR_MEMORY, "out of memory");
    }
    lb_body_options copied; /* before what was there is freed: the options may point into it */
    arena = lbm_arena_on(block, LBM_ARENA_LINE);
    cut_options(&copied, &taken, &arena);
    const int is_new = !p->bodies[figure].block;
    free_body(p, figure);
    p->bodies[figure] = (lbp_body){.options = copied, .block = block, .size = size, .habit = p->bodies[figure].habit};
    p->body_count++;
    status = is_new ? lbp_renew_pairs(p) : LB_OK;
    if (status) {
        free_body(p, figure);
        return status;
    }
    p->shape++;
    p->revision++;
    return LB_OK;
}

lb_status lb_problem_clear_body(lb_problem *p, int figure) {
    if (!p || !lb_problem_figure(p, figure)) {
        return LB_ERROR_ARGUMENT;
    }
    if (lb_problem_body(p, figure)) {
        const lbp_body was = p->bodies[figure];
        p->bodies[figure].block = NULL;
        p->body_count--;
        const lb_status status = lbp_renew_pairs(p);
        p->bodies[figure] = was;
        p->body_count++;
        if (status) {
            return status;
        }
        free_body(p, figure);
        p->shape++;
        p->revision++;
    }
    return LB_OK;
}

const lb_body_options *lb_problem_body(const lb_problem *p, int figure) {
    return p && figure >= 0 && figure < p->body_capacity && p->bodies[figure].block ? &p->bodies[figure].options : NULL;
}
