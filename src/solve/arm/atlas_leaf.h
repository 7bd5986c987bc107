/* The search of one leaf of an atlas: included by atlas_leaf2.c and atlas_leaf4.c, which define LEAF_SEARCH, the function's
 * name, and WIDTH, how many sides a register has (1: plain numbers). Each side's arithmetic is its own, so the bits are the
 * same for every width. */
#include "solve/arm/atlas.h"

#include <math.h>
#include <string.h>

#include "math/trig.h"

#define SIDE LBS_ATLAS_SIDE

#if WIDTH > 1

typedef float side_float __attribute__((vector_size(4 * WIDTH)));
typedef int32_t side_int __attribute__((vector_size(4 * WIDTH)));
#define LESS(a, b) ((a) < (b))
#define WHERE(truth, yes, no) (((truth) & (yes)) | (~(truth) & (no)))
#define BITS(x) ((side_int)(x))
#define FLOATS(x) ((side_float)(x))
#define ALL(x) ((side_float){0} + (x))
#define ALL_INTS(x) ((side_int){0} + (x))

#else

typedef float side_float;
typedef int32_t side_int;
#define LESS(a, b) (-((a) < (b)))
#define WHERE(truth, yes, no) (((truth) & (yes)) | (~(truth) & (no)))
#define ALL(x) (x)
#define ALL_INTS(x) (x)

static inline side_int BITS(float x) {
    side_int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline float FLOATS(side_int bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif

#define FAR_OUT 0.1f /* radians out of the last joint's range, from where another entry is better */
#define TAKEN 0x7fffffff

static inline void load(const float *from, side_float *to) { memcpy(to, from, sizeof *to); }
static inline void store(float *to, side_float from) { memcpy(to, &from, sizeof from); }

static inline side_float size_of(side_float x) { return FLOATS(BITS(x) & 0x7fffffff); }

/* An angle to the nearest of its whole turns. */
static inline side_float wound(side_float angle) {
    const float per_turn = (float)(1 / LBM_TWO_PI), a_turn = (float)LBM_TWO_PI, to_integer = 0x1.8p23f;
    return angle - a_turn * ((angle * per_turn + to_integer) - to_integer);
}

/* The angle of a point to 1e-5 (M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 4.4.49). */
static inline side_float angle_of(side_float x, side_float y) {
    const side_float u = size_of(x), v = size_of(y), least = ALL(1e-30f);
    const side_int steep = LESS(u, v);
    side_float most = FLOATS(WHERE(steep, BITS(v), BITS(u)));
    most = FLOATS(WHERE(LESS(most, least), BITS(least), BITS(most)));
    const side_float t = FLOATS(WHERE(steep, BITS(u), BITS(v))) / most, z = t * t;
    side_float arc = t * (0.9998660f + z * (-0.3302995f + z * (0.1801410f + z * (-0.0851330f + z * 0.0208351f))));
    arc = FLOATS(WHERE(steep, BITS((float)LBM_HALF_PI - arc), BITS(arc)));
    arc = FLOATS(WHERE(LESS(x, ALL(0)), BITS((float)LBM_PI - arc), BITS(arc)));
    return FLOATS(BITS(arc) ^ (BITS(y) & ALL_INTS(INT32_MIN)));
}

/* The best entries of the sides so far. */
typedef struct best_entries {
    side_float turn;           /* of the goal about the standing axis, less that which has the joint in mid-range */
    side_float distance2, way; /* way: of the axis joint, from the middle of its range */
    side_float x[3], last;     /* column x, and the last joint's value */
    side_int entry;
} best_entries;

/* The square of the distance between keys, and of how far the axis joint would have to go out of its range. */
static inline void look(const float *block, const lbs_atlas_key *key, int count, int entry, best_entries *best) {
    const side_float zero = ALL(0);
    side_float number, off, sum;
    load(block + count * SIDE, &number);
    const side_float way = wound(best->turn - number);
    off = size_of(way) - key->half;
    off = FLOATS(BITS(off) & LESS(zero, off));
    sum = off * off;
    for (int k = 0; k < count; k++) {
        load(block + k * SIDE, &number);
        off = number - key->part[k];
        sum = sum + off * off;
    }
    const side_int nearer = LESS(sum, best->distance2);
    best->entry = WHERE(nearer, ALL_INTS(entry), best->entry);
    best->distance2 = FLOATS(WHERE(nearer, BITS(sum), BITS(best->distance2)));
    best->way = FLOATS(WHERE(nearer, BITS(way), BITS(best->way)));
    for (int k = 0; k < 3; k++) {
        load(block + (count + 1 + k) * SIDE, &number);
        best->x[k] = FLOATS(WHERE(nearer, BITS(number), BITS(best->x[k])));
    }
    load(block + (count + 4) * SIDE, &number);
    best->last = FLOATS(WHERE(nearer, BITS(number), BITS(best->last)));
}

/* The last joint's value that has the x axes agree as well as can be; entries that are bad at that are out. */
static inline void turn_last(const lbs_atlas_key *key, best_entries *best) {
    const side_float *x = best->x, most = ALL(FAR_OUT);
    const side_float along = x[0] * key->x[0] + x[1] * key->x[1] + x[2] * key->x[2];
    const side_float across = x[0] * key->y[0] + x[1] * key->y[1] + x[2] * key->y[2];
    const side_float way = wound((best->last - key->last_middle) + key->last_sign * angle_of(along, across));
    const side_float out = size_of(way) - key->last_half;
    best->last = way + key->last_middle;
    best->distance2 = FLOATS(WHERE(LESS(most, out), ALL_INTS(TAKEN), BITS(best->distance2)));
}

static inline void search(const float *leaf, int first, int count, const lbs_atlas_key *key, lbs_atlas_found *found) {
    for (int s = 0; s < SIDE; s += WIDTH) {
        const float *block = leaf + s;
        best_entries best;
        memset(&best, 0, sizeof best);
        best.distance2 = ALL(INFINITY);
        best.turn = angle_of(ALL(key->azimuth_x), ALL(key->azimuth_y)) - key->sign * key->middle;
        for (int i = first; i < first + LBS_ATLAS_LEAF; i += SIDE, block += (count + LBS_ATLAS_MORE) * SIDE) {
            look(block, key, count, i, &best);
        }
        if (key->has_last) {
            turn_last(key, &best);
        }
        store(found->first + s, best.way * key->sign + key->middle);
        store(found->last + s, best.last);
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
