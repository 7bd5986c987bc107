/* The search of one leaf of an atlas: included by atlas_leaf2.c and atlas_leaf4.c, which define LEAF_SEARCH, the
 * function's name. A register has LBM_FLOATS sides. Each side's arithmetic is its own, so the bits are the same for
 * every width. */
#include "solve/arm/atlas.h"

#include <math.h>
#include <string.h>

#include "math/trig.h"

#define SIDE LBS_ATLAS_SIDE

#define FAR_OUT 0.1f /* radians by which the last joint may be out of its range; beyond that the entry is not used */
#define TAKEN 0x7fffffff /* as a rank: the entry is not used */

/* The angle without its whole turns, in [-pi, pi]. */
static inline lbm_floats wound(lbm_floats angle) {
    const float per_turn = (float)(1 / LBM_TWO_PI), a_turn = (float)LBM_TWO_PI, to_integer = 0x1.8p23f;
    return angle - a_turn * ((angle * per_turn + to_integer) - to_integer);
}

/* The angle of a point to 1e-5 (M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 4.4.49). */
static inline lbm_floats angle_of(lbm_floats x, lbm_floats y) {
    const lbm_floats u = lbm_abs_floats(x), v = lbm_abs_floats(y), least = lbm_all_floats(1e-30f);
    const lbm_ints steep = lbm_less_floats(u, v);
    lbm_floats most = lbm_choose_floats(steep, v, u);
    most = lbm_choose_floats(lbm_less_floats(most, least), least, most);
    const lbm_floats t = lbm_choose_floats(steep, u, v) / most, z = t * t;
    lbm_floats arc = t * (0.9998660f + z * (-0.3302995f + z * (0.1801410f + z * (-0.0851330f + z * 0.0208351f))));
    arc = lbm_choose_floats(steep, (float)LBM_HALF_PI - arc, arc);
    arc = lbm_choose_floats(lbm_less_floats(x, lbm_all_floats(0)), (float)LBM_PI - arc, arc);
    return lbm_floats_of(lbm_ints_of(arc) ^ (lbm_ints_of(y) & lbm_all_ints(INT32_MIN)));
}

/* The best entry of each side so far. */
typedef struct best_entries {
    lbm_floats turn;           /* the goal's azimuth about the first axis, from the middle of the first joint's range */
    lbm_floats distance2, way; /* way: of the first joint from the middle of its range, radians */
    lbm_floats x[3], last;     /* column x, and the last joint's value */
    lbm_ints entry;
} best_entries;

/* Compares the entries of a block by the square of the distance between keys, plus that of how far the first joint
 * would be out of its range. */
static inline void look(const float *block, const lbs_atlas_key *key, int count, int entry, best_entries *best) {
    const lbm_floats zero = lbm_all_floats(0);
    lbm_floats number, off, sum;
    number = lbm_load_floats(block + count * SIDE);
    const lbm_floats way = wound(best->turn - number);
    off = lbm_abs_floats(way) - key->half;
    off = lbm_floats_of(lbm_ints_of(off) & lbm_less_floats(zero, off));
    sum = off * off;
    for (int k = 0; k < count; k++) {
        number = lbm_load_floats(block + k * SIDE);
        off = number - key->part[k];
        sum = sum + off * off;
    }
    const lbm_ints nearer = lbm_less_floats(sum, best->distance2);
    best->entry = lbm_choose_ints(nearer, lbm_all_ints(entry), best->entry);
    best->distance2 = lbm_choose_floats(nearer, sum, best->distance2);
    best->way = lbm_choose_floats(nearer, way, best->way);
    for (int k = 0; k < 3; k++) {
        number = lbm_load_floats(block + (count + 1 + k) * SIDE);
        best->x[k] = lbm_choose_floats(nearer, number, best->x[k]);
    }
    number = lbm_load_floats(block + (count + 4) * SIDE);
    best->last = lbm_choose_floats(nearer, number, best->last);
}

/* The value of the last joint that makes the x axes agree best. Entries that need it far out of its range are not
 * used. */
static inline void turn_last(const lbs_atlas_key *key, best_entries *best) {
    const lbm_floats *x = best->x, most = lbm_all_floats(FAR_OUT);
    const lbm_floats along = x[0] * key->x[0] + x[1] * key->x[1] + x[2] * key->x[2];
    const lbm_floats across = x[0] * key->y[0] + x[1] * key->y[1] + x[2] * key->y[2];
    const lbm_floats way = wound((best->last - key->last_middle) + key->last_sign * angle_of(along, across));
    const lbm_floats out = lbm_abs_floats(way) - key->last_half;
    best->last = way + key->last_middle;
    best->distance2 =
        lbm_floats_of(lbm_choose_ints(lbm_less_floats(most, out), lbm_all_ints(TAKEN), lbm_ints_of(best->distance2)));
}

static inline void search(const float *leaf, int first, int count, const lbs_atlas_key *key, lbs_atlas_found *found) {
    for (int s = 0; s < SIDE; s += LBM_FLOATS) {
        const float *block = leaf + s;
        best_entries best;
        memset(&best, 0, sizeof best);
        best.distance2 = lbm_all_floats(INFINITY);
        best.turn = angle_of(lbm_all_floats(key->azimuth_x), lbm_all_floats(key->azimuth_y)) - key->sign * key->middle;
        for (int i = first; i < first + LBS_ATLAS_LEAF; i += SIDE, block += (count + LBS_ATLAS_MORE) * SIDE) {
            look(block, key, count, i, &best);
        }
        if (key->has_last) {
            turn_last(key, &best);
        }
        lbm_store_floats(found->first + s, best.way * key->sign + key->middle);
        lbm_store_floats(found->last + s, best.last);
        memcpy(found->rank + s, &best.distance2, sizeof best.distance2);
        memcpy(found->entry + s, &best.entry, sizeof best.entry);
    }
    for (int i = 0; i < SIDE; i++) {
        found->rank[i] =
            (found->rank[i] & ~(SIDE - 1)) | i; /* distances are not negative: their bits have their order */
        found->entry[i] += i;
    }
}

void LEAF_SEARCH(const float *leaf, int first, int count, const lbs_atlas_key *key, lbs_atlas_found *found) {
    if (count == 5) {
        search(leaf, first, 5, key, found); /* by far the most frequent */
    } else {
        search(leaf, first, count, key, found);
    }
}
