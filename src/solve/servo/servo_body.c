/* The memory of bodies on a servo, and how they begin: where their feet stand. */
#include "solve/servo/servo_body.h"

#include <math.h>
#include <string.h>

#include "figure/memory.h"
#include "math/arena.h"

#define HEEL_UP 0.005     /* metres: a heel that is higher at the start stays up */
#define IN_THE_AIR 0.02   /* metres: a foot that is higher does not stand */
#define LEAST_EDGE 1e-6   /* metres */
#define MOST_PAIR_ROWS 64 /* of pairs of the problem, the nearest first */

/* --- Memory ------------------------------------------------------------------------------------------------------------ */

static void cut(struct lbs_servo_body *b, const lb_servo *servo, lbm_arena *arena) {
    const lbs_bodies_task *t = &b->bodies->task;
    const lbs_sizes *max = &servo->space->max;
    size_t size = max->n;
    for (int i = 0; i < b->bodies->count; i++) {
        const int figure = b->bodies->bodies[i].number;
        size += (size_t)b->bodies->bodies[i].body->contact_count +
                (size_t)lbs_grip_room(b->bodies->bodies[i].body, lb_problem_body(servo->problem, figure));
    }
    const size_t stride = (size_t)lbm_stride((int)size), rows = (size_t)t->conditions.near.most + MOST_PAIR_ROWS;
    double **const vectors[] = {&b->x,    &b->terms.gradient, &b->terms.x, &b->gradient, &b->low,
                                &b->high, &b->wanted,         &b->above,   &b->d,        &b->solved};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_aligned(arena, stride);
    }
    double **const matrices[] = {&b->terms.matrix, &b->base, &b->matrix, &b->damped};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        *matrices[i] = lbm_cut_aligned(arena, size * stride);
    }
    size_t contacts = 0;
    for (int i = 0; i < b->bodies->count; i++) {
        contacts += (size_t)b->bodies->bodies[i].body->contact_count;
    }
    b->places = lbm_cut(arena, contacts, sizeof *b->places);
    b->stood = lbm_cut_doubles(arena, (size_t)servo->variable_count);
    b->goals = lbm_cut_aligned(arena, max->rows * stride);
    b->before = lbm_cut_doubles(arena, (size_t)t->conditions.most);
    b->rows.most = (int)rows;
    b->rows.rows = lbm_cut_aligned(arena, rows * stride);
    b->rows.values = lbm_cut_doubles(arena, rows);
    b->rows.keys = lbm_cut(arena, rows, sizeof *b->rows.keys);
    b->most = (int)size + 32;
    b->levels = (int)max->levels + 1;
    lbm_qp_cut(&b->qp, (int)size, (int)rows, b->most, arena);
    b->guesses = lbm_cut(arena, (size_t)b->levels * (size_t)b->most, sizeof *b->guesses);
    b->guess_counts = lbm_cut(arena, (size_t)b->levels, sizeof *b->guess_counts);
}

lb_status lbs_servo_body_create(const lb_servo *servo, struct lbs_servo_body **made) {
    struct lbs_servo_body counted = {0}, *b;
    *made = NULL;
    lb_status status = lbs_bodies_create(servo->space, NULL, &counted.bodies);
    if (status || !counted.bodies) {
        return status;
    }
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    struct lbs_servo_body sizes = counted;
    lbm_cut(&arena, 1, sizeof *b);
    cut(&sizes, servo, &arena);
    counted.size = arena.used + LBM_ARENA_LINE;
    counted.block = arena.used < SIZE_MAX - LBM_ARENA_LINE ? lbf_new(&servo->allocator, counted.size, 1) : NULL;
    if (!counted.block) {
        lbs_bodies_destroy(counted.bodies);
        return LB_ERROR_MEMORY;
    }
    arena = lbm_arena_on(lbm_align(counted.block), LBM_ARENA_LINE);
    b = lbm_cut(&arena, 1, sizeof *b);
    *b = counted;
    cut(b, servo, &arena);
    *made = b;
    return LB_OK;
}

void lbs_servo_body_destroy(const lb_allocator *allocator, struct lbs_servo_body *b) {
    if (!b) {
        return;
    }
    lbs_bodies_destroy(b->bodies);
    lbf_delete(allocator, b->block, b->size, 1);
}

void lbs_servo_body_carry(const lb_servo *servo, struct lbs_servo_body *to, const struct lbs_servo_body *from) {
    if (!to) {
        return;
    }
    /* whoever becomes a body while the servo is at work stands where it is */
    const double *stood = from && from->has_stood ? from->stood : servo->drive.q;
    memcpy(to->stood, stood, (size_t)servo->variable_count * sizeof *stood);
    to->has_stood = servo->is_started;
}

/* --- The start ----------------------------------------------------------------------------------------------------------- */

static double foot_height(const lbs_body *b, const lbs_foot *foot) {
    double least = INFINITY;
    for (int i = 0; i < foot->ball_count; i++) {
        const double height = lbs_contact_height(&b->stand.contacts[foot->balls[i]]);
        least = height < least ? height : least;
    }
    return least;
}

/* Feet stand where they are, or are in the air: a servo takes no steps. */
static void plant(const lbs_body *b) {
    for (int i = 0; i < b->stand.foot_count; i++) {
        const lbs_foot *foot = &b->stand.feet[i];
        lbs_foothold *stood = &b->state->feet[i];
        const int is_up = stood->state == LBS_FOOT_LIFTED || foot_height(b, foot) > IN_THE_AIR;
        stood->state = stood->first = is_up ? LBS_FOOT_LIFTED : LBS_FOOT_PLANTED;
        stood->may_step = 0;
    }
}

void lbs_servo_body_plan(lb_servo *servo, const double *pose) {
    struct lbs_servo_body *b = servo->body;
    lbs_bodies *all = b->bodies;
    lbs_space *s = servo->space;
    if (all->revision == s->revision && all->task.space == s) {
        return;
    }
    all->search.max_change = INFINITY;
    lbs_bodies_begin(all, s, b->stood);
    int first = 0;
    for (int i = 0; i < all->count; i++) {
        const lbs_body *body = &all->bodies[i];
        lbs_body_place(body, b->stood, b->x + body->stand.first_force);
        plant(body);
        for (int k = 0; k < body->stand.contact_count; k++) {
            lbm_copy3(b->places[first++], body->stand.contacts[k].point.world);
        }
    }
    lbs_choose_heels(all, HEEL_UP);
    memset(b->x, 0, (size_t)all->task.stride * sizeof *b->x);
    memset(all->first, 0, (size_t)all->task.stride * sizeof *all->first);
    lbs_bound_forces(all);
    for (int i = 0; i < all->count; i++) {
        const lbs_body *body = &all->bodies[i];
        lbs_body_place(body, pose, b->x + body->stand.first_force);
    }
    lbs_share_evenly(all, b->x);
    lbs_share_to_balance(all, b->x);
    memset(b->guess_counts, 0, (size_t)b->levels * sizeof *b->guess_counts);
    for (int i = 0; i < all->task.conditions.most; i++) {
        b->before[i] = -INFINITY; /* all are near */
    }
    b->terms.age = LBS_SERVO_TERMS_AGE;
}

/* Whether a contact stands, and no rule of the body keeps it from sliding: heels, and what rests on a surface. */
static int may_slide(const lbs_body *b, int contact) {
    const lbs_contact *c = &b->stand.contacts[contact];
    if (c->foot < 0) {
        return c->is_support;
    }
    const lbs_foothold *stood = &b->state->feet[c->foot];
    return b->stand.feet[c->foot].heel == contact && stood->state != LBS_FOOT_LIFTED &&
           stood->heel_state == LBS_HEEL_DOWN;
}

void lbs_servo_body_hold(lb_servo *servo) {
    struct lbs_servo_body *b = servo->body;
    lbs_bodies_task *t = &b->bodies->task;
    int first = 0;
    for (int i = 0; i < b->bodies->count; i++) {
        const lbs_body *body = &b->bodies->bodies[i];
        for (int k = 0; k < body->stand.contact_count; k++, first++) {
            const lbs_contact *contact = &body->stand.contacts[k];
            for (int c = 0; c < 2 && may_slide(body, k); c++) {
                const double *axis = c ? contact->plane->axes.across : contact->plane->axes.along;
                double off[3];
                lbm_sub3(contact->point.world, b->places[first], off);
                double *row = lbs_add_row(t, &t->rules, lbm_dot3(axis, off));
                if (row) {
                    lbs_add_point(body, t, row, &contact->point, axis, 1);
                }
            }
        }
    }
}

/* --- What a servo of bodies does not do
 * ------------------------------------------------------------------------------------ */

lb_status lbs_servo_body_check(const lb_problem *p, const lb_servo_options *options, lb_error *error) {
    for (int f = 0; f < p->figure_count; f++) {
        const lb_body_options *o = lb_problem_body(p, f);
        for (int i = 0; o && i < LB_BODY_LIMBS; i++) {
            if (o->feet_modes[i] == LB_FOOT_MODE_STEP) {
                return lbf_refuse(
                    error, LB_ERROR_UNSUPPORTED,
                    "a foot is to step, which a servo does not do: between two ticks there is no time for "
                    "a step; plant it, or lift it and move it by a goal");
            }
        }
        if (o && options->manipulability > 0) {
            return lbf_refuse(
                error, LB_ERROR_UNSUPPORTED,
                "manipulability is a wish of arms: what the goals leave free of a body its own terms use");
        }
    }
    return LB_OK;
}

/* --- Whether it stands
 * ----------------------------------------------------------------------------------------------------- */

double lbs_servo_body_inside(const lbs_bodies *all, const lbs_body *b, const double at[3]) {
    const lbs_body_stand *stand = &b->stand;
    double least = INFINITY;
    for (int i = 0; i < stand->force_count; i++) {
        for (int k = 0; k < stand->force_count; k++) {
            const double *p = stand->contacts[stand->force_contacts[i]].point.world,
                         *q = stand->contacts[stand->force_contacts[k]].point.world, x = q[0] - p[0], y = q[1] - p[1];
            const int may_carry = all->upper[stand->first_force + i] > 0 && all->upper[stand->first_force + k] > 0;
            int is_edge = may_carry && x * x + y * y > LEAST_EDGE * LEAST_EDGE, is_line = 1;
            for (int n = 0; n < stand->force_count && is_edge; n++) {
                const double *r = stand->contacts[stand->force_contacts[n]].point.world,
                             side = x * (r[1] - p[1]) - y * (r[0] - p[0]);
                const int carries = all->upper[stand->first_force + n] > 0;
                is_edge = !carries || side >= -LEAST_EDGE * LEAST_EDGE;
                is_line &= !carries || side <= LEAST_EDGE * LEAST_EDGE;
            }
            if (is_edge && is_line) {
                return -INFINITY;
            }
            const double side = x * (at[1] - p[1]) - y * (at[0] - p[0]), length = sqrt(x * x + y * y);
            least = is_edge && side / length < least ? side / length : least;
        }
    }
    return least < INFINITY ? least : -INFINITY;
}

static lb_status check_balance(const lbs_bodies *all, lb_error *error) {
    for (int i = 0; i < all->count; i++) {
        const lbs_body *b = &all->bodies[i];
        char text[32];
        if (!b->stand.force_count || b->state->is_tilted) {
            continue;
        }
        const double inside = lbs_servo_body_inside(all, b, b->state->com);
        if (inside == -INFINITY) {
            return lbf_refuse(error, LB_ERROR_LIMIT,
                              "the body starts without enough to stand on: its feet are more than 2 cm above what they "
                              "could stand on, or carry it along a line alone");
        }
        if (inside < 0) {
            return lbf_fail(error, LB_ERROR_LIMIT, "the body starts out of balance: its centre of mass is ",
                            lbf_decimal_text(-inside, text), " m outside of what it stands on", (char *)0);
        }
    }
    return LB_OK;
}

lb_status lbs_servo_body_start(lb_servo *servo, const double *pose, lb_error *error) {
    struct lbs_servo_body *b = servo->body;
    lbs_bodies *all = b->bodies;
    lbs_space *s = servo->space;
    memcpy(all->start_pose, b->stood, (size_t)servo->variable_count * sizeof *pose);
    memcpy(b->stood, pose, (size_t)servo->variable_count * sizeof *pose);
    all->revision = s->revision + 1; /* plan anew */
    lb_status status = lbs_begin(s, &servo->solve_options, pose, error);
    if (!status) {
        all->revision = s->revision + 1;
        lbs_servo_body_plan(servo, pose);
        lbs_from_pose(s, pose, b->x);
        lbs_bodies_evaluate(all, b->x, 0);
        status = check_balance(all, error);
    }
    if (status) {
        memcpy(b->stood, all->start_pose, (size_t)servo->variable_count * sizeof *pose);
        all->revision = s->revision + 1;
        return status;
    }
    b->has_stood = 1;
    return LB_OK;
}

const lb_body_result *lb_servo_body(lb_servo *servo, int figure) {
    if (!servo || !servo->is_started || !servo->body || servo->tick == 0) {
        return NULL;
    }
    lbs_bodies *all = servo->body->bodies;
    for (int i = 0; i < all->count; i++) {
        if (all->bodies[i].number == figure && all->task.space == servo->space) {
            lbs_from_pose(servo->space, servo->drive.q, servo->body->x);
            lbs_bodies_evaluate(all, servo->body->x, 0);
            lbs_bodies_report(all, servo->body->x, LBS_STANDS);
            return &all->bodies[i].report->result;
        }
    }
    return NULL;
}
