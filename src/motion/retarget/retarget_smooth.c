/* A clip solved as a whole: the poses of all frames of a window are the unknowns of one least-squares problem, the
 * goals of each frame beside velocities and accelerations, which couple three frames. Its normal equations are
 * block-banded (math/banded.h), so time is linear in the frames; windows overlap, so memory is bounded.
 *
 * Velocities and accelerations are those of the correction: what the pose differs by from the joint values that the
 * source wishes (retarget_wishes.c). So quick motion of the source stays quick, and what contacts, limits and
 * proportions change comes and goes smoothly. Variables that have no wish (parameters of groups, places) have
 * accelerations alone.
 *
 * Limits are kept by projected Gauss-Newton steps (retarget_limits.c). */
#include "figure/error.h"
#include "figure/figure.h"
#include "math/arena.h"
#include "math/box.h"
#include "math/trig.h"
#include "math/vec.h"
#include "motion/retarget/retarget_window.h"

#define WINDOW 96             /* frames that are solved at once */
#define OVERLAP 24            /* of them that the next window solves again, at least */
#define OVERLAP_TIME 0.4      /* seconds; what happens later hardly changes a frame */
#define HISTORY 2             /* frames before a window that it goes on from */
#define POSTURE 1e-4          /* weight of the joint values that the source wishes */
#define SMOOTH_TIME 0.05      /* seconds: what the weights below refer to */
#define VELOCITY 2e-4         /* weight of the correction's velocity times SMOOTH_TIME, for each frame */
#define ACCELERATION 2e-4     /* weight of its acceleration times SMOOTH_TIME squared */
#define MOST_VELOCITY 10      /* radians, or metres of a person, a second: see difference.most */
#define MOST_ACCELERATION 300 /* radians a second squared */
#define LEAST_DAMPING 1e-6
#define FIRST_DAMPING 1e-5
#define FIRM_DAMPING 1e-2 /* after a step that made things worse */
#define WORSE 1.001       /* of a frame's value: a step made it worse */
#define ROUNDS 12         /* steps of a window, at most */
#define FRAME_ROUNDS 6    /* steps of a new frame alone, before the window's */
#define ENOUGH 1e-3       /* relative decrease below which a window is done */
#define STAY 2e-3         /* frame after frame: weight of the correction's change since the frame before */
#define SINGLE_ROUNDS 16  /* steps of a frame then, at most */
#define FIRST_ROUNDS 60   /* and of the first, so that what the next would still change has settled */
#define SINGLE_ENOUGH 1e-5
#define BREAK 1.0 /* change of a wish from frame to frame, radians, that is one of its representation */

static void cut_window(lbt_window *s, lbm_arena *arena) {
    const size_t slots = (size_t)s->capacity, stride = (size_t)s->stride, n = (size_t)s->n;
    const size_t goals = (size_t)s->goal_count, square = slots * n * stride;
    s->goals = lbm_cut(arena, slots * goals, sizeof *s->goals);
    s->root_weights = lbm_cut_doubles(arena, slots * goals);
    s->wishes = lbm_cut_doubles(arena, slots * (size_t)s->w->variables);
    s->wish = lbm_cut_doubles(arena, slots * stride);
    s->z = lbm_cut_doubles(arena, slots * stride);
    s->kept = lbm_cut_doubles(arena, slots * stride);
    s->dampings = lbm_cut_doubles(arena, slots);
    s->values = lbm_cut_doubles(arena, slots);
    s->kept_values = lbm_cut_doubles(arena, slots);
    s->is_broken = lbm_cut(arena, slots * n, 1);
    s->is_wished = lbm_cut(arena, n, 1);
    s->unit = lbm_cut_doubles(arena, n);
    s->joint_of = lbm_cut(arena, n, sizeof *s->joint_of);
    s->system.own = lbm_cut_doubles(arena, square);
    s->system.next = lbm_cut_doubles(arena, square);
    s->system.second = lbm_cut_doubles(arena, square);
    s->system.right = lbm_cut_doubles(arena, slots * stride);
    s->stopped.blocks = lbm_cut_doubles(arena, square);
    s->stopped.rights = lbm_cut_doubles(arena, slots * stride);
    s->stopped.couplings = lbm_cut_doubles(arena, 2 * slots * stride);
    s->stopped.corrected = lbm_cut_doubles(arena, n * stride);
    s->stopped.box = lbm_cut_doubles(arena, 5 * stride + lbm_box_matrix_size(s->n));
    s->stopped.state = lbm_cut(arena, n, 1);
    s->stopped.is_stopped = lbm_cut(arena, slots, 1);
    s->system.scratch = lbm_cut_doubles(arena, (2 * n + 1) * stride);
}

/* ---------------------------------------------------------------------------------------------------
 * The problem of a window
 * ------------------------------------------------------------------------------------------------- */

/* The goals of a slot's frame in place of those that the space has. */
static void take_goals(const lbt_window *s, int slot) {
    const size_t first = (size_t)slot * (size_t)s->goal_count;
    for (int i = 0; i < s->goal_count; i++) {
        lbs_item *item = &s->space->items[lbs_item_of(s->w->problem, i)];
        item->goal.goal = s->goals[first + (size_t)i];
        lbp_goal_scale(&item->goal);
        item->root_weight = s->root_weights[first + (size_t)i];
    }
    s->space->last.is_valid = 0;
}

/* A slot's own part of the system, number `index` in it, `after` more behind it: goals, posture and damping. Returns
 * its part of the sum of squares. */
static double add_frame(const lbt_window *s, int slot, int index, int after) {
    lbs_space *space = s->space;
    const size_t size = (size_t)s->n * (size_t)s->stride;
    const double *z = lbt_window_row(s, s->z, slot), *wish = lbt_window_row(s, s->wish, slot);
    double *own = s->system.own + (size_t)index * size, *right = lbt_window_row(s, s->system.right, index), sum = 0;
    take_goals(s, slot);
    lbs_jacobian(space, z);
    memset(own, 0, size * sizeof *own);
    for (int reach = 0; reach < 2 && reach < after; reach++) {
        memset((reach ? s->system.second : s->system.next) + (size_t)index * size, 0, size * sizeof *own);
    }
    space->kernels->squares(s->n, space->row_count, space->last.jacobian, space->last.jacobian, 1, own);
    const lbm_matrix rows = lbs_matrix(space, 0, space->row_count);
    space->kernels->transpose_times(&rows, space->last.residuals, right);
    for (int r = 0; r < space->row_count; r++) {
        sum += space->last.residuals[r] * space->last.residuals[r];
    }
    for (int i = 0; i < s->n; i++) {
        const double square = s->unit[i] * s->unit[i], off = z[i] - wish[i];
        const double weight = s->is_wished[i] ? POSTURE / square : 0;
        own[(size_t)i * (size_t)s->stride + (size_t)i] += weight + s->dampings[slot] / square;
        right[i] = -right[i] - weight * off;
        sum += weight * off * off;
    }
    return sum;
}

/* A square of a difference of a variable over neighbouring slots: weight * (sum of factors[k] z[slot + k])^2. */
typedef struct difference {
    int slot, count;
    const double *factors;
    double weight;
    double most; /* what of the wish's own difference counts: angles of a joint near where it locks turn by more */
} difference;

/* Adds it to the equations of the slots from `from` on. */
static double add_difference(const lbt_window *s, const difference *d, int variable, int from) {
    const size_t size = (size_t)s->n * (size_t)s->stride, at = (size_t)variable * (size_t)s->stride + (size_t)variable;
    const double unit = s->unit[variable], weight = d->weight / (unit * unit);
    double *const blocks[3] = {s->system.own, s->system.next, s->system.second}, value = 0, wished = 0;
    for (int k = 0; k < d->count; k++) {
        const int slot = d->slot + k;
        if (k > 0 && s->is_wished[variable] && s->is_broken[(size_t)slot * (size_t)s->n + (size_t)variable]) {
            return 0;
        }
        value += d->factors[k] * lbt_window_row(s, s->z, slot)[variable];
        wished += s->is_wished[variable] ? d->factors[k] * lbt_window_row(s, s->wish, slot)[variable] : 0;
    }
    value -= lbs_clamp(wished, -d->most * unit, d->most * unit);
    for (int k = 0; k < d->count; k++) {
        const int index = d->slot + k - from;
        if (index < 0) {
            continue;
        }
        lbt_window_row(s, s->system.right, index)[variable] -= weight * d->factors[k] * value;
        for (int j = k; j < d->count; j++) {
            blocks[j - k][(size_t)index * size + at] += weight * d->factors[k] * d->factors[j];
        }
    }
    return weight * value * value;
}

/* Velocities and accelerations over the slots up to `to`, those that the slots before `from` have part in too. */
static double add_differences(const lbt_window *s, int from, int to) {
    static const double first[2] = {-1, 1}, second[3] = {1, -2, 1};
    const double frame_time = lb_clip_frame_time(s->w->clip);
    double sum = 0;
    for (int slot = from > HISTORY ? from - HISTORY : 0; slot < to; slot++) {
        const difference velocity = {slot, 2, first, s->velocity, MOST_VELOCITY * frame_time};
        const difference acceleration = {slot, 3, second, s->acceleration, MOST_ACCELERATION * frame_time * frame_time};
        for (int i = 0; i < s->n; i++) {
            if ((s->is_wished[i] || s->is_single) && slot + 1 < to && slot + 1 >= from) {
                sum += add_difference(s, &velocity, i, from);
            }
            if (!s->is_single && slot + 2 < to && slot + 2 >= from) {
                sum += add_difference(s, &acceleration, i, from);
            }
        }
    }
    return sum;
}

/* The system of the slots from `from` to `to` at their poses. Returns the sum of squares. */
static double assemble(lbt_window *s, int from, int to) {
    double sum = 0;
    for (int slot = from; slot < to; slot++) {
        sum += s->values[slot] = add_frame(s, slot, slot - from, to - 1 - slot);
    }
    return sum + add_differences(s, from, to);
}

/* One step of all slots, into their limits. */
static int step(lbt_window *s, int from, int to) {
    s->system.count = to - from;
    memcpy(lbt_window_row(s, s->kept, from), lbt_window_row(s, s->z, from),
           (size_t)(to - from) * (size_t)s->stride * sizeof *s->z);
    lbt_window_hold_limits(s, from, to);
    if (lbm_banded_solve(&s->system)) {
        return 0;
    }
    lbt_window_correct_steps(s, from, to);
    for (int slot = from; slot < to; slot++) {
        double *z = lbt_window_row(s, s->z, slot);
        const double *d = lbt_window_row(s, s->system.right, slot - from);
        for (int i = 0; i < s->n; i++) {
            z[i] += d[i];
        }
        if (!lbm_all_finite(z, s->n) || lbs_project(s->space, z)) {
            return 0;
        }
    }
    return 1;
}

/* After a step that made all worse, the slots that are worse by themselves are damped more; all of them where none
 * is. */
static void damp_more(const lbt_window *s, int from, int to) {
    int count = 0;
    for (int pass = 0; pass < 2 && count == 0; pass++) {
        for (int slot = from; slot < to; slot++) {
            if (pass || s->values[slot] > WORSE * s->kept_values[slot]) {
                s->dampings[slot] = s->dampings[slot] < 0.1 * FIRM_DAMPING ? FIRM_DAMPING : 10 * s->dampings[slot];
                count++;
            }
        }
    }
}

/* Damped Gauss-Newton steps of the slots from `from` to `to`. */
static void descend(lbt_window *s, int from, int to, int rounds) {
    const size_t count = (size_t)(to - from);
    for (int slot = from; slot < to; slot++) {
        s->dampings[slot] = FIRST_DAMPING;
    }
    double value = assemble(s, from, to);
    for (int round = 0; round < rounds; round++) {
        memcpy(s->kept_values + from, s->values + from, count * sizeof *s->values);
        const int is_made = step(s, from, to);
        const double next = is_made ? assemble(s, from, to) : 0;
        if (is_made && next <= value) {
            const int is_done = value - next <= (s->is_single ? SINGLE_ENOUGH : ENOUGH) * value;
            value = next;
            for (int slot = from; slot < to; slot++) {
                const double less = 0.1 * s->dampings[slot];
                s->dampings[slot] = less > LEAST_DAMPING ? less : LEAST_DAMPING;
            }
            if (is_done) {
                return;
            }
        } else {
            memcpy(lbt_window_row(s, s->z, from), lbt_window_row(s, s->kept, from),
                   count * (size_t)s->stride * sizeof *s->z);
            damp_more(s, from, to);
            if (round + 1 < rounds) {
                assemble(s, from, to);
            }
        }
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Frames come and go
 * ------------------------------------------------------------------------------------------------- */

/* Where the wish of a variable changes by more than motion would, its whole joint is represented otherwise. */
static void find_breaks(const lbt_window *s, int slot) {
    const double *wish = lbt_window_row(s, s->wish, slot), *before = lbt_window_row(s, s->wish, slot - 1);
    unsigned char *is_broken = s->is_broken + (size_t)slot * (size_t)s->n;
    memset(is_broken, 0, (size_t)s->n);
    for (int i = 0; i < s->n; i++) {
        if (!(fabs(wish[i] - before[i]) > BREAK * s->unit[i])) {
            continue;
        }
        for (int k = 0; k < s->n; k++) {
            is_broken[k] |= s->joint_of[k] == s->joint_of[i];
        }
    }
}

static lb_status limits_contradict(const lbt_window *s) {
    return lbf_fail(s->w->error, LB_ERROR_LIMIT, "the limits of the target contradict each other", NULL);
}

/* The goals and wishes of the next frame into the next slot, with a pose to begin with. */
static lb_status load(lbt_window *s) {
    lbt_retarget *w = s->w;
    const int slot = s->count;
    const size_t first = (size_t)slot * (size_t)s->goal_count;
    double *wishes = s->wishes + (size_t)slot * (size_t)w->variables;
    lb_status status = lbt_retarget_prepare_frame(w, s->first + slot);
    if (status) {
        return status;
    }
    for (int i = 0; i < s->goal_count; i++) {
        const lb_constraint *constraint = lb_problem_constraint(w->problem, i);
        s->goals[first + (size_t)i] = constraint->goal;
        s->root_weights[first + (size_t)i] =
            sqrt(constraint->weight) / (constraint->goal.kind == LB_GOAL_POSITION ? s->size : 1);
    }
    memcpy(wishes, w->wishes.wish, (size_t)w->variables * sizeof *wishes);
    lbs_from_pose(s->space, wishes, lbt_window_row(s, s->wish, slot));
    s->count++;
    if (slot == 0) {
        return LB_OK;
    }
    find_breaks(s, slot);
    for (int i = 0; i < s->n; i++) {
        const int is_broken = s->is_broken[(size_t)slot * (size_t)s->n + (size_t)i];
        const double wish = lbt_window_row(s, s->wish, slot)[i], *before = lbt_window_row(s, s->z, slot - 1);
        lbt_window_row(s, s->z, slot)[i] = !s->is_wished[i] ? before[i]
                                           : is_broken      ? wish
                                                       : before[i] + wish - lbt_window_row(s, s->wish, slot - 1)[i];
    }
    return lbs_project(s->space, lbt_window_row(s, s->z, slot)) ? limits_contradict(s) : LB_OK;
}

/* The poses of slots that are done. */
static lb_status give(const lbt_window *s, int from, int to, lb_clip *out) {
    for (int slot = from; slot < to; slot++) {
        const int frame = s->first + slot - s->w->first;
        if (frame < 0 || frame >= s->w->count) {
            continue;
        }
        double *pose = lb_clip_pose(out, frame);
        memcpy(s->space->start, s->wishes + (size_t)slot * (size_t)s->w->variables,
               (size_t)s->w->variables * sizeof *pose);
        lbs_to_pose(s->space, lbt_window_row(s, s->z, slot), pose);
        if (lb_kinematics_project(s->w->kinematics[1], pose)) {
            return limits_contradict(s);
        }
    }
    return LB_OK;
}

/* Slots from `from` on become the first. */
static void slide(lbt_window *s, int from) {
    const size_t kept = (size_t)(s->count - from), at = (size_t)from, stride = (size_t)s->stride;
    const size_t goals = (size_t)s->goal_count, variables = (size_t)s->w->variables;
    memmove(s->goals, s->goals + at * goals, kept * goals * sizeof *s->goals);
    memmove(s->root_weights, s->root_weights + at * goals, kept * goals * sizeof *s->root_weights);
    memmove(s->wishes, s->wishes + at * variables, kept * variables * sizeof *s->wishes);
    memmove(s->wish, s->wish + at * stride, kept * stride * sizeof *s->wish);
    memmove(s->z, s->z + at * stride, kept * stride * sizeof *s->z);
    memmove(s->is_broken, s->is_broken + at * (size_t)s->n, kept * (size_t)s->n);
    s->first += from;
    s->count -= from;
}

/* The frames from the first slot's up to `end`. */
static lb_status solve_windows(lbt_window *s, lb_clip *out, int overlap, int end) {
    for (;;) {
        while (s->count < s->capacity && s->first + s->count < end) {
            lb_status status = load(s);
            if (status) {
                return status;
            }
            descend(s, s->count - 1, s->count, FRAME_ROUNDS);
        }
        descend(s, s->fixed, s->count, ROUNDS);
        const int is_last = s->first + s->count == end, done = is_last ? s->count : s->count - overlap;
        lb_status status = give(s, s->fixed, done, out);
        if (status || is_last) {
            return status;
        }
        slide(s, done - HISTORY);
        s->fixed = HISTORY;
    }
}

/* Variables of one joint, or of the root, have one number. */
static void name_joints(const lbt_window *s) {
    for (int i = 0; i < s->n; i++) {
        const int v = s->space->variables.index[i];
        const lb_dof_ref ref = lb_figure_variable(s->w->target.figure, v)->ref;
        s->unit[i] = lb_figure_variable(s->w->target.figure, v)->is_angle ? 1 : s->size;
        s->joint_of[i] = ref.parameter >= 0 ? -2 - v : ref.joint;
        s->is_wished[i] = (unsigned char)s->w->wishes.is_wished[v];
    }
}

/* Room for frames from one on, the first of which is solved alone. What it is in the window is known by then. */
static lb_status open_window(lbt_window *s, lb_clip *out) {
    lbt_retarget *w = s->w;
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    lb_status status = lbt_retarget_solve_first(w, s->first, lb_clip_pose(out, 0));
    if (status) {
        return status;
    }
    s->space = w->solver->space;
    status = lbs_begin(s->space, &options, lb_clip_pose(out, 0), w->error);
    if (status) {
        return status;
    }
    s->n = s->space->n, s->stride = s->space->stride;
    s->size = lbt_retarget_size(w->target.leg);
    s->goal_count = lb_problem_constraint_count(w->problem);
    s->system = (lbm_banded){.kernels = s->space->kernels, .n = s->n};
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    cut_window(s, &arena);
    s->block_size = arena.used < SIZE_MAX - LBM_ARENA_LINE ? arena.used + LBM_ARENA_LINE : SIZE_MAX;
    s->block = lbf_new(&w->allocator, s->block_size, 1);
    if (!s->block) {
        return LB_ERROR_MEMORY;
    }
    arena = lbm_arena_on(lbm_align(s->block), LBM_ARENA_LINE);
    cut_window(s, &arena);
    name_joints(s);
    lbs_from_pose(s->space, lb_clip_pose(out, 0), s->z);
    return LB_OK;
}

lb_status lbt_retarget_solve_whole(lbt_retarget *w, lb_clip *out) {
    const double rate = SMOOTH_TIME / lb_clip_frame_time(w->clip), time = OVERLAP_TIME / lb_clip_frame_time(w->clip);
    const int overlap = time < OVERLAP ? OVERLAP : time > 10 * OVERLAP ? 10 * OVERLAP : (int)time;
    const int begin = w->first > overlap ? w->first - overlap : 0;
    const int end = w->frames - w->first - w->count > overlap ? w->first + w->count + overlap : w->frames;
    lbt_window s = {.w = w,
                    .first = begin,
                    .capacity = end - begin < WINDOW + overlap ? end - begin : WINDOW + overlap,
                    .velocity = VELOCITY * rate * rate,
                    .acceleration = ACCELERATION * rate * rate * rate * rate};
    lb_status status = open_window(&s, out);
    status = status ? status : solve_windows(&s, out, overlap, end);
    lbf_delete(&w->allocator, s.block, s.block_size, 1);
    return status;
}

lb_status lbt_retarget_solve_frames(lbt_retarget *w, lb_clip *out) {
    lbt_window s = {.w = w, .first = w->first, .capacity = 2, .velocity = STAY, .is_single = 1};
    lb_status status = open_window(&s, out);
    for (int f = 0; f < w->count && !status; f++) {
        status = load(&s);
        if (!status) {
            descend(&s, s.count - 1, s.count, f ? SINGLE_ROUNDS : FIRST_ROUNDS);
            status = give(&s, s.count - 1, s.count, out);
        }
        if (f) {
            slide(&s, 1);
        }
    }
    lbf_delete(&w->allocator, s.block, s.block_size, 1);
    return status;
}
