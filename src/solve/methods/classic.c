#include "solve/methods/classic.h"

#include <string.h>

#include "solve/methods/lm/newton.h"

size_t lbs_judge_size(const lbs_space *s) { return 3 * s->max.n + s->max.limits + lbs_newton_size(s); }

lbs_end lbs_judge(lbs_space *s, double *work, double *z, int *escaped) {
    size_t n = s->max.n;
    double *gradient = work, *direction = work + n, *bounds = work + 2 * n, *limits = work + 3 * n;
    *escaped = 0;
    double value = lbs_gradient(s, z, -1, gradient);
    if (lbs_done(s, z)) {
        return LBS_MET;
    }
    double norm = lbs_tangent(s, z, gradient, direction, bounds, limits);
    if (!(norm <= s->options->gradient_tolerance * lbs_gradient_unit(s))) {
        return LBS_OUT;
    }
    if (value == 0) {
        return LBS_MINIMUM;
    }
    *escaped = lbs_newton_escape(s, limits + s->max.limits, z, 0);
    return *escaped ? LBS_OUT : LBS_MINIMUM;
}

int lbs_has_levels(const lbs_space *s, const char *method, lb_error *error) {
    if (s->task.level_count <= 1) {
        return 0;
    }
    int loops = s->levels.priorities[0] < 0;
    lbf_fail(error, LB_ERROR_UNSUPPORTED, method,
             loops ? " cannot keep loops closed while it goes for other goals; use lm"
                   : " cannot keep one priority above another, it knows a single sum; use lm",
             (char *)0);
    return 1;
}

void lbs_room(const lbs_space *s, const double *z, int i, double *down, double *up) {
    *down = s->variables.lower[i] - z[i] < 0 ? s->variables.lower[i] - z[i] : 0;
    *up = s->variables.upper[i] - z[i] > 0 ? s->variables.upper[i] - z[i] : 0;
    for (int k = 0; k < s->limits.count; k++) {
        const lb_limit_row *row = &s->limits.rows[k];
        double slack = row->bound, slope = 0;
        for (int j = 0; j < row->count; j++) {
            slack -= row->coefficients[j] * z[row->variables[j]];
            if (row->variables[j] == i) {
                slope = row->coefficients[j];
            }
        }
        if (slope == 0) {
            continue;
        }
        if (slack < 0) {
            slack = 0;
        }
        if (row->kind == LB_LIMIT_EQUAL) {
            *down = *up = 0;
            return;
        }
        double most = slack / slope;
        if (slope > 0 && most < *up) {
            *up = most;
        }
        if (slope < 0 && most > *down) {
            *down = most;
        }
    }
}

int lbs_done(const lbs_space *s, const double *z) {
    return !s->options->keep_going && lbs_met(s, s->task.level_count - 1) && lbs_wishes(s, z, NULL, NULL) == 0;
}

#define MOST_PREFERRED 1e6 /* 1/rad: more than that leaves nothing to move */
#define HEADWAY 0.05       /* of G, an iteration: with less than this damping gives way by a fifth */

void lbs_damping_begin(lbs_damping *d, const lbs_space *s) {
    d->limber = 0;
    for (int i = 0; i < s->n; i++) {
        if (s->variables.scale[i] > d->limber) {
            d->limber = s->variables.scale[i];
        }
    }
    d->preferred = s->options->preferred > MOST_PREFERRED ? MOST_PREFERRED : s->options->preferred;
    d->left = 1;
}

int lbs_is_damped(const lbs_damping *d, const lbs_space *s, int i) {
    return d->left > 0 && (s->variables.scale[i] < d->limber || d->preferred > 0);
}

/* A wish to move by t, from the distance x (> 0: t leads away) of the preferred value. Where the rate is 1 / (1 + p x),
 * moving on to y takes y - x + p (y^2 - x^2) / 2 of it: that is t. The way back is free. */
static double move_away(double p, double x, double t) {
    double back = x < 0 ? -x : 0;
    if (!(t > back)) {
        return t;
    }
    double from = x + back, b = 1 + p * from, wish = t - back;
    return back + 2 * wish / (b + sqrt(b * b + 2 * p * wish));
}

double lbs_damp(const lbs_damping *d, const lbs_space *s, const double *z, int i, double t) {
    if (!lbs_is_damped(d, s, i)) {
        return t;
    }
    double scale = s->variables.scale[i], step = t * (1 - d->left * (1 - scale / d->limber));
    double p = d->left * d->preferred;
    if (!(p > 0)) {
        return step;
    }
    double off = z[i] * scale - s->problem->posture[s->variables.index[i]];
    return (step > 0 ? move_away(p, off, step * scale) : -move_away(p, -off, -step * scale)) / scale;
}

void lbs_damping_yield(lbs_damping *d, double part) {
    if (part < HEADWAY) {
        d->left = d->left > 1e-3 ? 0.8 * d->left : 0;
    }
}

void lbs_incumbent_begin(lbs_incumbent *best, lbs_space *s, const double *z) {
    memcpy(best->z, z, (size_t)s->n * sizeof *z);
    best->value = best->first = lbs_value(s, z);
}

double lbs_incumbent_keep(lbs_incumbent *best, const lbs_space *s, const double *z, double value) {
    if (!(value < best->value)) {
        return 0;
    }
    double gain = best->value - value, part = gain < best->value ? gain / best->value : 1;
    memcpy(best->z, z, (size_t)s->n * sizeof *z);
    best->value = value;
    return part;
}

int lbs_incumbent_settle(lbs_incumbent *best, const lbs_space *s, const double *z, double value) {
    if (!(value <= best->value * (1 + 1e-14) && value <= best->first)) {
        return 0;
    }
    memcpy(best->z, z, (size_t)s->n * sizeof *z);
    best->value = value;
    return 1;
}
