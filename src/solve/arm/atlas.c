#include "solve/arm/atlas.h"

#include <string.h>

#include "math/arena.h"
#include "math/rounding.h"
#include "math/trig.h"
#include "solve/arm/arm_schedule.h"
#include "solve/solver.h"

#define SIDE LBS_ATLAS_SIDE
#define KEY LBS_ATLAS_KEY
#define LEAF LBS_ATLAS_LEAF
#define FEWEST 256      /* entries */
#define MOST (1 << 20)  /* entries */
#define USUAL 8192      /* entries */
#define NONE 0x7f800000 /* as a rank: the bits of infinity, or more */
#define NEARLY 1e-3     /* in the plan's unit, and as a share: how well an axis has to go through a point */

/* Which numbers of a frame make its key: of the point, of the column n, of the column x. */
enum { POINT = 0, NORMAL = 3, ACROSS = 6 };

typedef struct atlas_node {
    float border; /* what has this much or more is above it */
    int part;     /* of a frame */
} atlas_node;

/* Entries are in the leaves of a balanced tree, in blocks of SIDE. A key's numbers are in the plan's unit, the point's
 * first two replaced by the distance from the axis and 0 where there is an axis; and all is turned back about that to
 * where the point's azimuth is 0. */
struct lb_atlas {
    lb_allocator allocator;
    size_t size; /* of all of it, bytes */
    uint64_t signature;
    int n, count, levels;
    int axis_joint; /* that turns all the rest about an axis that stands; -1: none */
    double axis_x, axis_y, axis_sign;
    double axis_middle, axis_half; /* its range */
    int last_joint;                /* that turns the end-effector about an axis through its point; -1: none */
    double last_sign, last_middle, last_half;
    int key_count, key_parts[KEY]; /* which of KEY make the key */
    atlas_node *nodes;             /* [2^levels - 1]: the root, then what is below node i at 2 i + 1 and 2 i + 2 */
    float *leaves;                 /* [count / SIDE][key_count + LBS_ATLAS_MORE][SIDE] */
    float *values;                 /* [count][stride]: of the joints */
    int stride;
};

/* --- A frame's key ------------------------------------------------------------------------------------------- */

static void turn_back(double sine, double cosine, const double v[3], double to[3]) {
    double x = cosine * v[0] + sine * v[1], y = cosine * v[1] - sine * v[0];
    to[0] = x;
    to[1] = y;
    to[2] = v[2];
}

/* In azimuth, the direction that it is turned back by: cosine and sine. */
static void make_key(const lb_atlas *a, const double x[3], const double n[3], const double p[3], double key[KEY],
                     double azimuth[2]) {
    azimuth[0] = 1;
    azimuth[1] = 0;
    if (a->axis_joint < 0) {
        memcpy(key + POINT, p, 3 * sizeof *key);
        memcpy(key + NORMAL, n, 3 * sizeof *key);
        memcpy(key + ACROSS, x, 3 * sizeof *key);
        return;
    }
    double u = p[0] - a->axis_x, v = p[1] - a->axis_y, out = sqrt(u * u + v * v);
    if (out > 1e-9) {
        azimuth[0] = u / out;
        azimuth[1] = v / out;
    }
    key[POINT] = out;
    key[POINT + 1] = 0;
    key[POINT + 2] = p[2];
    turn_back(azimuth[1], azimuth[0], n, key + NORMAL);
    turn_back(azimuth[1], azimuth[0], x, key + ACROSS);
}

/* --- Making one ------------------------------------------------------------------------------------------------ */

typedef struct maker {
    lb_atlas *atlas;
    const lbs_arm *arm;
    lbs_arm_lanes *lanes;
    float (*keys)[KEY]; /* [count] */
    float *turns;       /* [count] */
    float *values;      /* [count][n] */
    int *order;         /* [count] */
} maker;

static double direction_of(const lbs_arm *c, int joint, const lbs_arm_lanes *l, int part) {
    return c->joints[joint].flipped ? -l->column[joint][3 + part][0] : l->column[joint][3 + part][0];
}

/* The first joint turns about z by the plan's own choice of axes. */
static void find_axis(lb_atlas *a, const lbs_arm *c, lbs_arm_lanes *l) {
    double frame[12];
    int joint = 0;
    a->axis_joint = -1;
    a->axis_sign = 1;
    a->axis_half = 4; /* more than any turn */
    if (c->joints[0].slides) {
        joint = 1;
        if (c->n < 2 || c->joints[1].slides) {
            return;
        }
        memset(l, 0, sizeof *l);
        lbs_arm_go(c, l, frame);
        double z = direction_of(c, 1, l, 2);
        if (fabs(z) < 1 - NEARLY * NEARLY) {
            return;
        }
        a->axis_sign = z < 0 ? -1 : 1;
        a->axis_x = l->column[1][0][0];
        a->axis_y = l->column[1][1][0];
    }
    const lbs_arm_joint *j = &c->joints[joint];
    a->axis_joint = joint;
    a->axis_middle = 0.5 * (j->random_lower + j->random_upper);
    a->axis_half = 0.5 * (j->random_upper - j->random_lower);
}

static void find_last(lb_atlas *a, const lbs_arm *c) {
    const lbs_arm_joint *j = &c->joints[c->n - 1];
    a->last_joint = -1;
    if (c->n - 1 <= a->axis_joint || j->slides || fabs(c->end_x) > NEARLY) {
        return;
    }
    a->last_joint = c->n - 1;
    a->last_sign = c->end_flipped ? -1 : 1;
    a->last_middle = 0.5 * (j->random_lower + j->random_upper);
    a->last_half = 0.5 * (j->random_upper - j->random_lower);
}

static void choose_parts(lb_atlas *a) {
    a->key_count = 0;
    for (int part = 0; part < KEY; part++) {
        if ((part == POINT + 1 && a->axis_joint >= 0) || (part >= ACROSS && a->last_joint >= 0)) {
            continue;
        }
        a->key_parts[a->key_count++] = part;
    }
}

static void sample(maker *m, int entry) {
    lb_atlas *a = m->atlas;
    const lbs_arm *c = m->arm;
    double frame[12];
    double key[KEY], azimuth[2];
    lbs_arm_random(c, LBS_ATLAS_SEED, entry, &m->lanes->q[0][0], LBS_ARM_LANES);
    if (a->axis_joint >= 0) {
        m->lanes->q[a->axis_joint][0] = 0;
    }
    lbs_arm_go(c, m->lanes, frame);
    make_key(a, frame, frame + 6, frame + 9, key, azimuth);
    for (int part = 0; part < KEY; part++) {
        m->keys[entry][part] = (float)key[part];
    }
    m->turns[entry] = (float)lbm_atan2(azimuth[1], azimuth[0]);
    for (int i = 0; i < c->n; i++) {
        m->values[(size_t)entry * (size_t)c->n + (size_t)i] = (float)m->lanes->q[i][0];
    }
    m->order[entry] = entry;
}

/* An order without ties. */
static int comes_before(const maker *m, int part, int a, int b) {
    float x = m->keys[a][part], y = m->keys[b][part];
    return x < y || (x == y && a < b);
}

/* Moves the entries that come first to the first half of an order (Hoare's selection). */
static void halve(const maker *m, int part, int *order, int count) {
    int low = 0, high = count - 1, half = count / 2;
    while (low < high) {
        int pivot = order[low + (high - low) / 2], i = low, k = high;
        while (i <= k) {
            while (comes_before(m, part, order[i], pivot)) {
                i++;
            }
            while (comes_before(m, part, pivot, order[k])) {
                k--;
            }
            if (i > k) {
                break;
            }
            int swapped = order[i];
            order[i++] = order[k];
            order[k--] = swapped;
        }
        if (half <= k) {
            high = k;
        } else if (half >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static int widest_part(const maker *m, const int *order, int count) {
    const lb_atlas *a = m->atlas;
    int widest = a->key_parts[0];
    float most = -1;
    for (int k = 0; k < a->key_count; k++) {
        int part = a->key_parts[k];
        float low = m->keys[order[0]][part], high = low;
        for (int i = 1; i < count; i++) {
            float value = m->keys[order[i]][part];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        if (high - low <= most) {
            continue;
        }
        most = high - low;
        widest = part;
    }
    return widest;
}

static void plant(const maker *m) {
    lb_atlas *a = m->atlas;
    for (int level = 0, node = 0; level < a->levels; level++) {
        int count = a->count >> level;
        for (int first = 0; first < a->count; first += count, node++) {
            int *order = m->order + first, part = widest_part(m, order, count);
            halve(m, part, order, count);
            a->nodes[node] = (atlas_node){m->keys[order[count / 2]][part], part};
        }
    }
}

static void lay_out(const maker *m) {
    lb_atlas *a = m->atlas;
    int count = a->key_count;
    size_t n = (size_t)a->n, rows = (size_t)count + LBS_ATLAS_MORE;
    for (int i = 0; i < a->count; i++) {
        int from = m->order[i];
        const float *values = m->values + (size_t)from * n;
        float *column = a->leaves + (size_t)(i / SIDE) * rows * SIDE + (size_t)(i % SIDE);
        for (int k = 0; k < count; k++) {
            column[k * SIDE] = m->keys[from][a->key_parts[k]];
        }
        column[count * SIDE] = m->turns[from];
        for (int k = 0; k < 3; k++) {
            column[(count + 1 + k) * SIDE] = m->keys[from][ACROSS + k];
        }
        column[(count + 4) * SIDE] = values[n - 1];
        memcpy(a->values + (size_t)i * (size_t)a->stride, values, n * sizeof(float));
    }
}

static void cut_atlas(lb_atlas *a, lbm_arena *arena) {
    size_t count = (size_t)a->count, nodes = ((size_t)1 << a->levels) - 1;
    lbm_cut(arena, 1, sizeof *a);
    a->nodes = lbm_cut(arena, nodes, sizeof *a->nodes);
    a->leaves = lbm_cut(arena, count * (size_t)(a->key_count + LBS_ATLAS_MORE), sizeof *a->leaves);
    a->values = lbm_cut(arena, count * (size_t)a->stride, sizeof *a->values);
}

static lb_status make(lb_atlas *plan, const lbs_arm *c, lbs_arm_lanes *lanes, lb_atlas **made) {
    const lb_allocator *allocator = &plan->allocator;
    size_t count = (size_t)plan->count, n = (size_t)plan->n;
    maker m = {NULL, c, lanes, NULL, NULL, NULL, NULL};
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    cut_atlas(plan, &arena);
    plan->size = arena.used;
    char *block = lbf_new(allocator, plan->size, 1);
    m.keys = lbf_new(allocator, count, sizeof *m.keys);
    m.turns = lbf_new(allocator, count, sizeof *m.turns);
    m.values = lbf_new(allocator, count * n, sizeof *m.values);
    m.order = lbf_new(allocator, count, sizeof *m.order);
    int is_there = block && m.keys && m.turns && m.values && m.order;
    if (is_there) {
        arena = lbm_arena_on(block, LBM_ARENA_LINE);
        cut_atlas(plan, &arena);
        memcpy(block, plan, sizeof *plan);
        m.atlas = *made = (lb_atlas *)(void *)block;
        memset(lanes, 0, sizeof *lanes);
        for (int i = 0; i < plan->count; i++) {
            sample(&m, i);
        }
        plant(&m);
        lay_out(&m);
    } else if (block) {
        lbf_delete(allocator, block, plan->size, 1);
    }
    if (m.keys) {
        lbf_delete(allocator, m.keys, count, sizeof *m.keys);
    }
    if (m.turns) {
        lbf_delete(allocator, m.turns, count, sizeof *m.turns);
    }
    if (m.values) {
        lbf_delete(allocator, m.values, count * n, sizeof *m.values);
    }
    if (m.order) {
        lbf_delete(allocator, m.order, count, sizeof *m.order);
    }
    return is_there ? LB_OK : LB_ERROR_MEMORY;
}

lb_atlas *lb_atlas_create(const lb_problem *problem, const double *pose, int count, lb_error *error) {
    lb_atlas *atlas = NULL;
    if (!problem || count < 0 || count > MOST) {
        lbf_fail(error, LB_ERROR_ARGUMENT, "an atlas needs a problem, and a count of poses from 0 to 1048576",
                 (char *)0);
        return NULL;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return lbf_none(error, LB_ERROR_UNSUPPORTED, LBM_NOT_NEAREST);
    }
    lb_solver *solver = lb_solver_create(problem, error);
    if (!solver) {
        return NULL;
    }
    lb_atlas plan = {.allocator = problem->allocator, .count = FEWEST};
    const lbs_arm *c = solver->arm.plan;
    lb_status status = lbs_arm_prepare(solver, pose);
    if (!status && (!c->has_point || !c->has_rotation || c->n > LBS_ARM_MAX)) {
        status = LB_ERROR_UNSUPPORTED;
    }
    if (!status) {
        while (plan.count < (count ? count : USUAL)) {
            plan.count *= 2;
        }
        while (LEAF << plan.levels < plan.count) {
            plan.levels++;
        }
        plan.n = c->n;
        plan.stride = (c->n + 7) / 8 * 8;
        plan.signature = c->signature;
        find_axis(&plan, c, solver->arm.run_memory);
        find_last(&plan, c);
        choose_parts(&plan);
        status = make(&plan, c, solver->arm.run_memory, &atlas);
    }
    lb_solver_destroy(solver);
    if (status) {
        lbf_fail(error, status,
                 status == LB_ERROR_UNSUPPORTED
                     ? "an atlas is for a problem with one frame goal on a chain of joints as "
                       "its only constraint (docs/methods.md)"
                     : lb_status_text(status),
                 (char *)0);
    }
    return atlas;
}

void lb_atlas_destroy(lb_atlas *atlas) {
    if (!atlas) {
        return;
    }
    lb_allocator allocator = atlas->allocator;
    lbf_delete(&allocator, atlas, atlas->size, 1);
}

size_t lb_atlas_memory(const lb_atlas *atlas) { return atlas ? atlas->size : 0; }
int lb_atlas_count(const lb_atlas *atlas) { return atlas ? atlas->count : 0; }

/* --- Looking up ------------------------------------------------------------------------------------------------ */

int lbs_atlas_fits(const lb_atlas *atlas, const lbs_arm *arm) {
    return atlas && atlas->signature == arm->signature && atlas->n == arm->n && arm->has_point && arm->has_rotation;
}

static lbs_atlas_leaf *leaf_search_for(const lbs_arm *arm) {
#if LBM_X86
    if (arm->lanes >= 4) {
        return lbs_atlas_leaf4;
    }
#endif
    (void)arm;
    return lbs_atlas_leaf2;
}

static int32_t best_of(const lbs_atlas_found *found) {
    int32_t rank = found->rank[0];
    for (int i = 1; i < SIDE; i++) {
        rank = found->rank[i] < rank ? found->rank[i] : rank;
    }
    return rank;
}

void lbs_atlas_search(const lb_atlas *a, const lbs_arm *arm, const double goal[12], lbs_atlas_found *found) {
    double whole[KEY], azimuth[2], y[3];
    float parts[KEY];
    lbs_atlas_key key = {.sign = (float)a->axis_sign,
                         .middle = (float)a->axis_middle,
                         .half = (float)a->axis_half,
                         .has_last = a->last_joint >= 0,
                         .last_sign = (float)a->last_sign,
                         .last_middle = (float)a->last_middle,
                         .last_half = (float)a->last_half};
    make_key(a, goal, goal + 6, goal + 9, whole, azimuth);
    key.azimuth_x = (float)azimuth[0];
    key.azimuth_y = (float)azimuth[1];
    lbm_cross3(whole + ACROSS, whole + NORMAL, y);
    for (int part = 0; part < KEY; part++) {
        parts[part] = (float)whole[part];
    }
    for (int k = 0; k < 3; k++) {
        key.x[k] = parts[ACROSS + k];
        key.y[k] = (float)y[k];
    }
    for (int k = 0; k < a->key_count; k++) {
        key.part[k] = parts[a->key_parts[k]];
    }
    int node = 0, inner = (1 << a->levels) - 1, count = a->key_count;
    while (node < inner) {
        node = 2 * node + 1 + (parts[a->nodes[node].part] >= a->nodes[node].border);
    }
    int first = (node - inner) * LEAF;
    leaf_search_for(arm)(a->leaves + (size_t)first * (size_t)(count + LBS_ATLAS_MORE), first, count, &key, found);
    lbm_prefetch(a->values + (size_t)found->entry[best_of(found) & (SIDE - 1)] * (size_t)a->stride);
}

static double inside(const lbs_arm *c, int joint, double value) {
    const double least = c->one.lower[joint], most = c->one.upper[joint];
    value = value < least ? least : value; /* in two steps: without a branch */
    return value > most ? most : value;
}

int lbs_atlas_next(const lb_atlas *a, const lbs_arm *c, lbs_atlas_found *found, double *q, int stride) {
    const int32_t rank = best_of(found);
    if (rank >= NONE) {
        return 0;
    }
    const int side = rank & (SIDE - 1);
    const float *values = a->values + (size_t)found->entry[side] * (size_t)a->stride;
    found->rank[side] = NONE;
    for (int i = 0; i < a->n; i++) {
        q[i * stride] = inside(c, i, values[i]);
    }
    if (a->axis_joint >= 0) {
        q[a->axis_joint * stride] = inside(c, a->axis_joint, found->first[side]);
    }
    if (a->last_joint >= 0) {
        q[a->last_joint * stride] = inside(c, a->last_joint, found->last[side]);
    }
    return 1;
}
