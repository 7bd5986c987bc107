/* A part of dense_kernels.h: the kernels of the dual of least squares in a box (dense.h describes lbm_line and each
 * kernel). */

static inline lbm_v8 clip(lbm_v8 v, lbm_v8 low, lbm_v8 high) {
    return lbm_pick8(v, low, low, lbm_pick8(high, v, high, v));
}

#define LINE_SEARCHES \
    60 /* bisections at most: as many as a double has bits; Newton's steps most often end it in a few */

/* A place to look at between two others. Where the diagonal is small against the rows, the kinks of the slope, and with
 * them its zero, often lie at a few thousandths of the way: so places are halved by their ratio, not by their
 * difference. */
static inline double between(double least, double most) {
    return least == 0 ? 0.1 * most : most > 4 * least ? sqrt(least * most) : 0.5 * (least + most);
}

static double line_search(const lbm_line *l, double constant, double linear, double scale) {
    double t = 1, least = 0, most = 1;
    const size_t stride = (size_t)l->stride;
    const lbm_v8 zero = lbm_zero8();
    for (size_t k = 0; k < stride; k += 8) {
        lbm_store8(l->du + k, lbm_scale8(lbm_mul8(lbm_load8(l->product + k), lbm_load8(l->inverse + k)), -1));
    }
    for (int i = 0; i < LINE_SEARCHES; i++) {
        lbm_v8 stopped = zero, moving = zero;
        for (size_t k = 0; k < stride; k += 8) {
            const lbm_v8 du = lbm_load8(l->du + k), product = lbm_load8(l->product + k), low = lbm_load8(l->low + k),
                         high = lbm_load8(l->high + k), at = lbm_add8(lbm_load8(l->u + k), lbm_scale8(du, t)),
                         part = lbm_mul8(du, product);
            stopped = lbm_add8(stopped, lbm_mul8(clip(at, low, high), product));
            moving = lbm_add8(moving, lbm_pick8(at, low, zero, lbm_pick8(high, at, zero, part)));
        }
        const double slope = constant + t * linear - lbm_sum8(stopped), bend = linear - lbm_sum8(moving);
        if (fabs(slope) <= 1e-3 * scale || (slope < 0 && t >= 1)) {
            break;
        }
        if (slope < 0) {
            least = t;
        } else {
            most = t;
        }
        const double next = t - slope / bend;
        t = next > least && next < most ? next : between(least, most);
    }
    return t;
}

static int line_advance(const lbm_line *l, double t) {
    const lbm_v8 zero = lbm_zero8();
    lbm_v8 change = zero;
    for (size_t k = 0; k < (size_t)l->stride; k += 8) {
        const lbm_v8 low = lbm_load8(l->low + k), high = lbm_load8(l->high + k),
                     u = lbm_add8(lbm_load8(l->u + k), lbm_scale8(lbm_load8(l->du + k), t)), d = clip(u, low, high),
                     free = lbm_pick8(low, u, lbm_pick8(u, high, lbm_load8(l->inverse + k), zero), zero),
                     other = lbm_sub8(free, lbm_load8(l->between + k)),
                     moved = lbm_pick8(zero, free, zero, lbm_sub8(d, lbm_load8(l->d + k)));
        change =
            lbm_add8(change, lbm_add8(lbm_mul8(other, other), lbm_pick8(moved, zero, lbm_sub8(zero, moved), moved)));
        change = lbm_add8(change, lbm_sub8(d, d));
        lbm_store8(l->u + k, u);
        lbm_store8(l->d + k, d);
        lbm_store8(l->between + k, free);
    }
    const double sum = lbm_sum8(change);
    return sum == 0 ? 0 : sum == sum ? 1 : 2;
}

static int line_begin(const lbm_line *l, const double *diagonal, const double *slope, const double *active) {
    const lbm_v8 zero = lbm_zero8();
    lbm_v8 other = zero, moved = zero;
    for (size_t k = 0; k < (size_t)l->stride; k += 8) {
        const lbm_v8 low = lbm_load8(l->low + k), high = lbm_load8(l->high + k), is_active = lbm_load8(active + k),
                     whole = lbm_load8(diagonal + k), inverse = lbm_pick8(zero, whole, lbm_inverse8(whole), zero),
                     u = lbm_sub8(zero, lbm_mul8(lbm_load8(slope + k), inverse)), d = clip(u, low, high),
                     inside = lbm_pick8(low, u, lbm_pick8(u, high, inverse, zero), zero),
                     outside = lbm_pick8(u, low, inverse, lbm_pick8(high, u, inverse, zero));
        other = lbm_add8(other, lbm_pick8(zero, is_active, inside, outside));
        moved = lbm_add8(moved, lbm_mul8(d, d));
        lbm_store8(l->inverse + k, inverse);
        lbm_store8(l->u + k, u);
        lbm_store8(l->d + k, d);
        lbm_store8(l->between + k, lbm_pick8(zero, is_active, zero, inverse));
    }
    return (lbm_sum8(other) != 0) | (lbm_sum8(moved) != 0) << 1;
}

static int line_changes(const lbm_line *l, const double *between, int *changed) {
    int count = 0;
    for (int k = 0; k < l->stride; k += 8) {
        for (unsigned bits = lbm_differ8(lbm_load8(l->between + k), lbm_load8(between + k)); bits; bits &= bits - 1) {
            changed[count++] = k + lbm_lowest_bit(bits);
        }
    }
    return count;
}

static double row_errors(int stride, const double *right, const double *y, double *product) {
    lbm_v8 sum = lbm_zero8();
    for (int k = 0; k < stride; k += 8) {
        const lbm_v8 error = lbm_add8(lbm_load8(product + k), lbm_sub8(lbm_load8(right + k), lbm_load8(y + k)));
        sum = lbm_add8(sum, lbm_mul8(error, error));
        lbm_store8(product + k, error);
    }
    return lbm_sum8(sum);
}

static void row_slopes(int stride, const double *right, const double *y, const double *error, const double *step,
                       double out[4]) {
    lbm_v8 constant = lbm_zero8(), linear = constant, scale = constant;
    for (int k = 0; k < stride; k += 8) {
        const lbm_v8 by = lbm_load8(step + k);
        constant = lbm_add8(constant, lbm_mul8(lbm_sub8(lbm_load8(y + k), lbm_load8(right + k)), by));
        linear = lbm_add8(linear, lbm_mul8(by, by));
        scale = lbm_add8(scale, lbm_mul8(lbm_load8(error + k), by));
    }
    lbm_sums8(constant, linear, scale, scale, out);
}
