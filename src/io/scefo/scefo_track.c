/* What changes an object of a SCEFO script, as a track: sampled in small steps, since several operations make it. */
#include "io/scefo/scefo.h"

#include <math.h>
#include <stdlib.h>

#define MOST_KEYS 20000 /* of a motion made of several operations, which is sampled */
#define INSTANT 1e-6    /* what happens at once takes this long */

void lbio_scefo_add_time(lbio_scefo_times *t, double time) {
    if (t->count == t->room) {
        int wanted = t->room ? 2 * t->room : 64;
        double *grown = realloc(t->at, (size_t)wanted * sizeof *grown);
        t->has_failed |= !grown;
        if (!grown) {
            return;
        }
        t->at = grown;
        t->room = wanted;
    }
    t->at[t->count++] = time;
}

static int by_time(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void lbio_scefo_sort_times(lbio_scefo_times *t) {
    int kept = 0;
    if (t->count > 0) {
        qsort(t->at, (size_t)t->count, sizeof *t->at, by_time);
    }
    for (int i = 0; i < t->count; i++) {
        if (kept == 0 || t->at[i] > t->at[kept - 1]) {
            t->at[kept++] = t->at[i];
        }
    }
    t->count = kept;
}

/* When an object's operations of a kind change it: control points, what is in between in small steps, and the moment
 * before an operation sets in. */
static lbio_scefo_times find_times(const lbio_scefo_object *object, lbio_scefo_filter filter) {
    lbio_scefo_times t = {0};
    double span = 0;
    for (const lbio_scefo_op *op = object->ops; op; op = op->next) {
        for (const lbio_scefo_point *p = filter(op) ? op->points : NULL; p && p->next; p = p->next) {
            span += p->next->time - p->time;
        }
    }
    double step = fmax(LBIO_SCEFO_STEP, span / MOST_KEYS);
    lbio_scefo_add_time(&t, 0);
    for (const lbio_scefo_op *op = object->ops; op; op = op->next) {
        if (!filter(op)) {
            continue;
        }
        if (op->points->time > INSTANT) {
            lbio_scefo_add_time(&t, op->points->time - INSTANT);
        }
        for (const lbio_scefo_point *p = op->points; p; p = p->next) {
            lbio_scefo_add_time(&t, p->time);
            if (!p->next) {
                break;
            }
            if (p->interpolation == LB_INTERPOLATION_STEP) {
                lbio_scefo_add_time(&t, p->next->time - fmin(INSTANT, (p->next->time - p->time) / 2));
            }
            for (double k = floor(p->time / step) + 1;
                 k * step < p->next->time && p->interpolation != LB_INTERPOLATION_STEP; k++) {
                lbio_scefo_add_time(&t, k * step);
            }
        }
    }
    lbio_scefo_sort_times(&t);
    return t;
}

double lbio_scefo_last_time(const lbio_scefo_object *object, lbio_scefo_filter filter) {
    double last = -1;
    for (const lbio_scefo_op *op = object->ops; op; op = op->next) {
        for (const lbio_scefo_point *p = filter(op) ? op->points : NULL; p; p = p->next) {
            last = fmax(last, p->time);
        }
    }
    return last;
}

lb_track *lbio_scefo_track(lbio_scefo *s, lb_track_kind kind, const lbio_scefo_object *object, lbio_scefo_filter filter,
                           lbio_scefo_value_at value, const void *what) {
    lbio_scefo_times t = find_times(object, filter);
    lb_track *track = lb_track_create(kind, 1, NULL, NULL);
    lb_status status = !track || t.has_failed ? LB_ERROR_MEMORY : LB_OK;
    for (int i = 0; i < t.count && !s->status && !status; i++) {
        double numbers[8];
        value(s, what, t.at[i], numbers);
        status = s->status ? s->status : lb_track_set(track, t.at[i], numbers, LB_INTERPOLATION_LINEAR);
    }
    free(t.at);
    if (status && !s->status) {
        s->status = lbio_fail(s->source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    return track;
}
