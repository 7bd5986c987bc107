/* Tracks: values with keys over time. */
#include "motion/track.h"

#include <string.h>

#include "figure/error.h"
#include "figure/memory.h"
#include "math/rotation.h"
#include "motion/spline.h"

/* A stretch from one key to the next: length, turn [rates] and the slopes [rates] at its two ends; then the sign that
 * makes its key's quaternion go on from the one before. */
struct lb_track {
    lb_allocator allocator;
    lb_track_kind kind;
    lb_track_ends ends;
    int width, rates; /* numbers of a value, and of a rate */
    int key_count, time_capacity, value_capacity, interpolation_capacity;
    double *times;                    /* [key] */
    double *values;                   /* [key][width] */
    lb_interpolation *interpolations; /* [key]: of the stretch that begins there */
    double *stretches;                /* [key_count - 1][3 rates + 2]; NULL: to be prepared */
};

#define MAX_WIDTH 100000

/* Where a track's rotation is: in the value and in the rate; -1: it has none. */
static int rotation_at(const lb_track *t) {
    return t->kind == LB_TRACK_VALUES ? -1 : t->kind == LB_TRACK_FRAME ? 3 : 0;
}
static int numbers(const lb_track *t) { return t->kind == LB_TRACK_VALUES ? t->width : rotation_at(t); }

static size_t stretch_size(const lb_track *t) { return 3 * (size_t)t->rates + 2; }
static int stretch_count(const lb_track *t) { return t->key_count - 1; }
static const double *key_value(const lb_track *t, int key) { return t->values + (size_t)key * (size_t)t->width; }
/* The key that a stretch leads to: a periodic track's last one is the first. */
static int key_after(const lb_track *t, int stretch) {
    return t->ends == LB_TRACK_ENDS_PERIODIC && stretch + 1 == t->key_count - 1 ? 0 : stretch + 1;
}

typedef struct stretch {
    double *length, *turn, *before, *after, *sign;
} stretch;

static stretch stretch_of(const lb_track *t, int index) {
    double *at = t->stretches + (size_t)index * stretch_size(t);
    return (stretch){at, at + 1, at + 1 + t->rates, at + 1 + 2 * t->rates, at + 1 + 3 * t->rates};
}

lb_track *lb_track_create(lb_track_kind kind, int width, const lb_allocator *allocator, lb_error *error) {
    lb_allocator a = lbf_allocator(allocator);
    if (kind == LB_TRACK_ROTATION) {
        width = 4;
    } else if (kind == LB_TRACK_FRAME) {
        width = 7;
    } else if (kind != LB_TRACK_VALUES || width < 1 || width > MAX_WIDTH) {
        lbf_fail(error, LB_ERROR_ARGUMENT,
                 kind == LB_TRACK_VALUES ? "a track has at least 1 value, and not as many as this"
                                         : "there is no such kind of track",
                 (char *)0);
        return NULL;
    }
    lb_track *t = lbf_new(&a, 1, sizeof *t);
    if (!t) {
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
    }
    lbf_clear(error);
    t->allocator = a;
    t->kind = kind;
    t->width = width;
    t->rates = kind == LB_TRACK_VALUES ? width : width - 1;
    return t;
}

static void forget(lb_track *t) {
    if (t->stretches) {
        lbf_delete(&t->allocator, t->stretches, (size_t)stretch_count(t) * stretch_size(t), sizeof(double));
    }
    t->stretches = NULL;
}

void lb_track_destroy(lb_track *t) {
    if (!t) {
        return;
    }
    lb_allocator a = t->allocator;
    forget(t);
    if (t->times) {
        lbf_delete(&a, t->times, (size_t)t->time_capacity, sizeof *t->times);
    }
    if (t->values) {
        lbf_delete(&a, t->values, (size_t)t->value_capacity, (size_t)t->width * sizeof *t->values);
    }
    if (t->interpolations) {
        lbf_delete(&a, t->interpolations, (size_t)t->interpolation_capacity, sizeof *t->interpolations);
    }
    lbf_delete(&a, t, 1, sizeof *t);
}

lb_status lb_track_set_ends(lb_track *t, lb_track_ends ends) {
    if (!t || (int)ends < 0 || ends > LB_TRACK_ENDS_PERIODIC) {
        return LB_ERROR_ARGUMENT;
    }
    forget(t);
    t->ends = ends;
    return LB_OK;
}

/* The first key at or after a time. */
static int find_key(const lb_track *t, double time) {
    int low = 0, high = t->key_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (t->times[middle] < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static int make_room(lb_track *t, int count) {
    return lbf_grow(&t->allocator, (void **)&t->times, &t->time_capacity, count, sizeof *t->times) &&
           lbf_grow(&t->allocator, (void **)&t->values, &t->value_capacity, count,
                    (size_t)t->width * sizeof *t->values) &&
           lbf_grow(&t->allocator, (void **)&t->interpolations, &t->interpolation_capacity, count,
                    sizeof *t->interpolations);
}

lb_status lb_track_set(lb_track *t, double time, const double *value, lb_interpolation interpolation) {
    if (!t || !value || !lbm_is_finite(time) || (int)interpolation < 0 || interpolation > LB_INTERPOLATION_CUBIC ||
        !lbm_all_finite(value, t->width)) {
        return LB_ERROR_ARGUMENT;
    }
    double rotation[4] = {0, 0, 0, 1};
    int turn = rotation_at(t);
    if (turn >= 0) {
        memcpy(rotation, value + turn, sizeof rotation);
    }
    if (!lbm_quaternion_normalise(rotation)) {
        return LB_ERROR_ARGUMENT;
    }
    int at = find_key(t, time), fresh = at == t->key_count || t->times[at] != time;
    if (fresh && t->key_count >= 1 << 24) {
        return LB_ERROR_TOO_LARGE;
    }
    if (fresh && !make_room(t, t->key_count + 1)) {
        return LB_ERROR_MEMORY;
    }
    forget(t);
    if (fresh) {
        size_t behind = (size_t)(t->key_count - at), width = (size_t)t->width;
        memmove(t->times + at + 1, t->times + at, behind * sizeof *t->times);
        memmove(t->values + (size_t)(at + 1) * width, t->values + (size_t)at * width,
                behind * width * sizeof *t->values);
        memmove(t->interpolations + at + 1, t->interpolations + at, behind * sizeof *t->interpolations);
        t->key_count++;
    }
    t->times[at] = time;
    t->interpolations[at] = interpolation;
    double *to = t->values + (size_t)at * (size_t)t->width;
    memcpy(to, value, (size_t)t->width * sizeof *to);
    if (turn >= 0) {
        memcpy(to + turn, rotation, sizeof rotation);
    }
    return LB_OK;
}

lb_status lb_track_remove(lb_track *t, int key) {
    if (!t || key < 0 || key >= t->key_count) {
        return LB_ERROR_ARGUMENT;
    }
    forget(t);
    t->key_count--;
    size_t behind = (size_t)(t->key_count - key), width = (size_t)t->width;
    memmove(t->times + key, t->times + key + 1, behind * sizeof *t->times);
    memmove(t->values + (size_t)key * width, t->values + (size_t)(key + 1) * width, behind * width * sizeof *t->values);
    memmove(t->interpolations + key, t->interpolations + key + 1, behind * sizeof *t->interpolations);
    return LB_OK;
}

lb_track_kind lb_track_get_kind(const lb_track *t) { return t ? t->kind : LB_TRACK_VALUES; }
lb_track_ends lb_track_get_ends(const lb_track *t) { return t ? t->ends : LB_TRACK_ENDS_NATURAL; }
int lb_track_width(const lb_track *t) { return t ? t->width : 0; }
int lb_track_rate_width(const lb_track *t) { return t ? t->rates : 0; }
int lb_track_key_count(const lb_track *t) { return t ? t->key_count : 0; }
double lbt_track_end(const lb_track *t) { return t->key_count ? t->times[t->key_count - 1] : 0; }

lb_status lb_track_key(const lb_track *t, int key, double *time, double *value, lb_interpolation *interpolation) {
    if (!t || key < 0 || key >= t->key_count) {
        return LB_ERROR_ARGUMENT;
    }
    if (time) {
        *time = t->times[key];
    }
    if (value) {
        memcpy(value, key_value(t, key), (size_t)t->width * sizeof *value);
    }
    if (interpolation) {
        *interpolation = t->interpolations[key];
    }
    return LB_OK;
}

/* --- Getting ready ------------------------------------------------------------------------------------------- */

static void measure(const lb_track *t) {
    double sign = 1;
    for (int i = 0; i < stretch_count(t); i++) {
        stretch s = stretch_of(t, i);
        const double *from = key_value(t, i), *to = key_value(t, key_after(t, i));
        int at = rotation_at(t);
        *s.length = t->times[i + 1] - t->times[i];
        for (int k = 0; k < numbers(t); k++) {
            s.turn[k] = to[k] - from[k];
        }
        *s.sign = sign;
        if (at < 0) {
            continue;
        }
        lbt_turn(from + at, to + at, s.turn + at);
        double dot = 0;
        for (int k = 0; k < 4; k++) {
            dot += from[at + k] * to[at + k];
        }
        if (dot < 0) {
            sign = -sign;
        }
    }
}

static void set_linear(const lb_track *t, int index) {
    stretch s = stretch_of(t, index);
    for (int k = 0; k < t->rates; k++) {
        s.before[k] = s.after[k] = s.turn[k] / *s.length;
    }
}

/* Slopes of Catmull-Rom at the key before stretch `index` (or, after the last, at the last key). */
static void catmull_rom_slope(const lb_track *t, int index, double *slope) {
    int count = stretch_count(t), periodic = t->ends == LB_TRACK_ENDS_PERIODIC;
    int before = index > 0 ? index - 1 : periodic ? count - 1 : -1;
    int after = index < count ? index : periodic ? 0 : -1;
    if (before >= 0 && after >= 0) {
        stretch a = stretch_of(t, before), b = stretch_of(t, after);
        lbt_parabola_slope(t->rates, *a.length, a.turn, *b.length, b.turn, slope);
        return;
    }
    stretch s = stretch_of(t, before >= 0 ? before : after);
    for (int k = 0; k < t->rates; k++) {
        slope[k] = t->ends == LB_TRACK_ENDS_CLAMPED ? 0 : s.turn[k] / *s.length;
    }
}

/* A run of `count` cubic stretches from `first` on (around the end of a periodic track), one lane of it after the
 * other. work: lengths, turns, slopes, and the spline's scratch. */
static void set_cubic(const lb_track *t, int first, int count, int ends, double *work) {
    int total = stretch_count(t), at = rotation_at(t);
    double *lengths = work, *turns = lengths + count, *slopes = turns + 3 * (size_t)count;
    double *scratch = slopes + 3 * ((size_t)count + 1);
    for (int lane = 0; lane < t->rates; lane++) {
        int dim = lane == at ? 3 : 1;
        for (int i = 0; i < count; i++) {
            stretch s = stretch_of(t, (first + i) % total);
            lengths[i] = *s.length;
            memcpy(turns + (size_t)i * (size_t)dim, s.turn + lane, (size_t)dim * sizeof *turns);
        }
        lbt_spline_slopes(dim, count, lengths, turns, ends, slopes, scratch);
        for (int i = 0; i < count; i++) {
            stretch s = stretch_of(t, (first + i) % total);
            memcpy(s.before + lane, slopes + (size_t)i * (size_t)dim, (size_t)dim * sizeof *turns);
            memcpy(s.after + lane, slopes + (size_t)(i + 1) * (size_t)dim, (size_t)dim * sizeof *turns);
        }
        if (dim == 3) {
            break;
        }
    }
}

static void set_slopes(const lb_track *t, double *work) {
    int total = stretch_count(t), periodic = t->ends == LB_TRACK_ENDS_PERIODIC, first = 0;
    if (periodic) { /* begin where a run does */
        while (first < total && t->interpolations[first] == LB_INTERPOLATION_CUBIC) {
            first++;
        }
    }
    if (first == total) {
        set_cubic(t, 0, total, LBT_PERIODIC, work);
        return;
    }
    for (int i = 0; i < total; i++) {
        int index = (first + i) % total, run = 0;
        stretch s = stretch_of(t, index);
        lb_interpolation kind = t->interpolations[index];
        if (kind == LB_INTERPOLATION_LINEAR) {
            set_linear(t, index);
        }
        if (kind == LB_INTERPOLATION_CATMULL_ROM) {
            catmull_rom_slope(t, index, s.before);
            catmull_rom_slope(t, index + 1, s.after);
        }
        while (i + run < total && t->interpolations[(first + i + run) % total] == LB_INTERPOLATION_CUBIC) {
            run++;
        }
        if (!run) {
            continue;
        }
        int clamped = t->ends == LB_TRACK_ENDS_CLAMPED, ends = clamped && index == 0 ? LBT_CLAMP_FIRST : 0;
        if (clamped && index + run == total) {
            ends |= LBT_CLAMP_LAST;
        }
        set_cubic(t, index, run, ends, work);
        i += run - 1;
    }
}

lb_status lb_track_prepare(lb_track *t) {
    if (!t || t->key_count < 1) {
        return LB_ERROR_ARGUMENT;
    }
    if (t->key_count < 2 || t->stretches) {
        return LB_OK;
    }
    int count = stretch_count(t);
    size_t room = 7 * (size_t)count + 3 + lbt_spline_room(rotation_at(t) >= 0 ? 3 : 1, count);
    double *work = lbf_new(&t->allocator, room, sizeof *work);
    t->stretches = work ? lbf_new(&t->allocator, (size_t)count * stretch_size(t), sizeof(double)) : NULL;
    if (t->stretches) {
        measure(t);
        set_slopes(t, work);
    }
    lbf_delete(&t->allocator, work, room, sizeof *work);
    return t->stretches ? LB_OK : LB_ERROR_MEMORY;
}

lb_track *lbt_track_copy(const lb_track *from, const lb_allocator *allocator) {
    lb_track *t = lb_track_create(from->kind, from->width, allocator, NULL);
    if (!t) {
        return NULL;
    }
    t->ends = from->ends;
    if (!make_room(t, from->key_count)) {
        lb_track_destroy(t);
        return NULL;
    }
    size_t keys = (size_t)from->key_count;
    memcpy(t->times, from->times, keys * sizeof *t->times);
    memcpy(t->values, from->values, keys * (size_t)t->width * sizeof *t->values);
    memcpy(t->interpolations, from->interpolations, keys * sizeof *t->interpolations);
    t->key_count = from->key_count;
    if (lb_track_prepare(t) == LB_OK) {
        return t;
    }
    lb_track_destroy(t);
    return NULL;
}

/* --- Sampling ------------------------------------------------------------------------------------------------ */

static void sample_key(const lb_track *t, int key, double sign, double *value, double *rate, double *acceleration) {
    memcpy(value, key_value(t, key), (size_t)t->width * sizeof *value);
    int at = rotation_at(t);
    for (int k = 0; at >= 0 && k < 4; k++) {
        value[at + k] *= sign;
    }
    if (rate) {
        memset(rate, 0, (size_t)t->rates * sizeof *rate);
    }
    if (acceleration) {
        memset(acceleration, 0, (size_t)t->rates * sizeof *acceleration);
    }
}

/* s in 0..1 of a stretch that is no step. */
static void sample_stretch(const lb_track *t, int index, double s, double *value, double *rate, double *acceleration) {
    stretch x = stretch_of(t, index);
    const double *key = key_value(t, index);
    for (int k = 0; k < numbers(t); k++) {
        double out[3];
        lbt_number_at(key[k], x.turn[k], *x.length, s, x.before[k], x.after[k], out);
        value[k] = out[0];
        if (rate) {
            rate[k] = out[1];
        }
        if (acceleration) {
            acceleration[k] = out[2];
        }
    }
    int at = rotation_at(t);
    if (at < 0) {
        return;
    }
    const lbt_rotation_stretch turning = {key + at, x.turn + at, *x.length, x.before + at, x.after + at};
    lbt_rotation_at(&turning, s, value + at, rate ? rate + at : NULL, acceleration ? acceleration + at : NULL);
    for (int k = 0; k < 4; k++) {
        value[at + k] *= *x.sign;
    }
}

/* A time as one within the keys', where the track repeats itself. */
static double time_in_period(const lb_track *t, double time) {
    int last = t->key_count - 1;
    if (last == 0 || t->ends != LB_TRACK_ENDS_PERIODIC) {
        return time;
    }
    double period = t->times[last] - t->times[0];
    double since = time - t->times[0], turns = floor(since / period);
    if (turns != 0) {
        time = t->times[0] + (since - period * turns);
    }
    return time < t->times[0] || time >= t->times[last] ? t->times[0] /* rounded */ : time;
}

/* The sign of the last key's quaternion, continued from that at the beginning of the last stretch. */
static double sign_at_last(const lb_track *t, double sign) {
    int last = t->key_count - 1, at = rotation_at(t);
    double dot = 0;
    if (at < 0) {
        return sign;
    }
    for (int k = 0; k < 4; k++) {
        dot += key_value(t, last - 1)[at + k] * key_value(t, last)[at + k];
    }
    return dot < 0 ? -sign : sign;
}

lb_status lb_track_sample(lb_track *t, double time, double *value, double *rate, double *acceleration) {
    if (!t || !value || !lbm_is_finite(time)) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = lb_track_prepare(t);
    if (status) {
        return status;
    }
    int last = t->key_count - 1;
    time = time_in_period(t, time);
    int key = find_key(t, time);
    if (key == t->key_count || t->times[key] != time) {
        key--; /* the last one at or before */
    }
    if (key < 0 || last == 0) {
        sample_key(t, 0, 1, value, rate, acceleration);
        return LB_OK;
    }
    int index = key < last ? key : last - 1;
    stretch x = stretch_of(t, index);
    double s = key < last ? (time - t->times[index]) / *x.length : 1;
    int step = t->interpolations[index] == LB_INTERPOLATION_STEP;
    double sign = *x.sign, key_sign = key == last ? sign_at_last(t, sign) : sign;
    if (step || time > t->times[last]) {
        sample_key(t, key, key_sign, value, rate, acceleration);
        return LB_OK;
    }
    sample_stretch(t, index, s, value, rate, acceleration);
    if (!lbm_all_finite(value, t->width)) {
        sample_key(t, index, sign, value, rate, acceleration);
        return LB_ERROR_TOO_LARGE;
    }
    if (s == 0 || s == 1) {
        sample_key(t, key, key_sign, value, NULL, NULL); /* to the bit */
    }
    return LB_OK;
}

lb_status lbt_track_at(lb_track *t, double time, double near, int before, double *value) {
    int key = find_key(t, time - near);
    int on = key < t->key_count && t->times[key] <= time + near && t->ends != LB_TRACK_ENDS_PERIODIC;
    if (on && before && key > 0 && t->interpolations[key - 1] == LB_INTERPOLATION_STEP) {
        key--;
    }
    return lb_track_sample(t, on ? t->times[key] : time, value, NULL, NULL);
}
