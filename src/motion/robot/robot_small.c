/* Least squares with a few unknowns in a box: the normal equations by Cholesky's factors, bounds by an active set that
 * grows. Steps are short, from frame to frame, and every step begins with the set empty, so what is held too long is
 * free in the next. */
#include "motion/robot/robot.h"

#define LEAST_PIVOT 1e-14

void lbt_small_begin(lbt_small *s, int count) {
    s->count = count;
    s->cost = 0;
    for (int i = 0; i < count; i++) {
        memset(s->matrix[i], 0, (size_t)(i + 1) * sizeof s->matrix[i][0]);
        s->slope[i] = 0;
    }
}

void lbt_small_add(lbt_small *s, int count, const int *index, const double (*columns)[3], const double value[3],
                   double weight) {
    s->cost += 0.5 * weight * lbm_dot3(value, value);
    for (int a = 0; a < count; a++) {
        const double scaled[3] = {weight * columns[a][0], weight * columns[a][1], weight * columns[a][2]};
        double *row = s->matrix[index[a]];
        s->slope[index[a]] += lbm_dot3(scaled, value);
        for (int b = 0; b <= a; b++) { /* indices grow */
            row[index[b]] += lbm_dot3(scaled, columns[b]);
        }
    }
}

void lbt_small_stay(lbt_small *s, int index, double value, double weight) {
    s->cost += 0.5 * weight * value * value;
    s->matrix[index][index] += weight;
    s->slope[index] += weight * value;
}

/* The factor of the rows and columns that are free, with damping, and the solution for them; held ones have their
 * step. */
static void solve_free(const lbt_small *s, const signed char *state, double damping, double *step) {
    double factor[LBT_UNKNOWNS][LBT_UNKNOWNS], inverse[LBT_UNKNOWNS], right[LBT_UNKNOWNS];
    int free_ones[LBT_UNKNOWNS], n = 0;
    for (int i = 0; i < s->count; i++) {
        if (!state[i]) {
            free_ones[n++] = i;
        }
    }
    for (int a = 0; a < n; a++) {
        const int i = free_ones[a];
        double sum = -s->slope[i];
        for (int k = 0; k < s->count; k++) {
            if (state[k]) {
                sum -= (k < i ? s->matrix[i][k] : s->matrix[k][i]) * step[k];
            }
        }
        for (int b = 0; b < a; b++) {
            double entry = s->matrix[i][free_ones[b]];
            for (int k = 0; k < b; k++) {
                entry -= factor[a][k] * factor[b][k];
            }
            factor[a][b] = entry * inverse[b];
        }
        double pivot = s->matrix[i][i] + damping * (1 + s->matrix[i][i]);
        for (int k = 0; k < a; k++) {
            pivot -= factor[a][k] * factor[a][k];
            sum -= factor[a][k] * right[k];
        }
        inverse[a] = 1 / sqrt(pivot > LEAST_PIVOT ? pivot : LEAST_PIVOT);
        right[a] = sum * inverse[a];
    }
    for (int a = n - 1; a >= 0; a--) {
        double sum = right[a];
        for (int k = a + 1; k < n; k++) {
            sum -= factor[k][a] * step[free_ones[k]];
        }
        step[free_ones[a]] = sum * inverse[a];
    }
}

double lbt_small_solve(lbt_small *s, double damping) {
    signed char state[LBT_UNKNOWNS] = {0};
    double gain = 0;
    for (int i = 0; i < s->count; i++) {
        /* what has no room, or is at a bound and is pushed against it, stays */
        const int is_stuck =
            s->low[i] >= s->high[i] || (s->low[i] >= 0 && s->slope[i] > 0) || (s->high[i] <= 0 && s->slope[i] < 0);
        state[i] = (signed char)is_stuck;
        s->step[i] = 0;
        if (is_stuck) {
            s->step[i] = s->low[i] > 0 ? s->low[i] : s->high[i] < 0 ? s->high[i] : 0;
        }
    }
    for (int round = 0; round <= s->count; round++) {
        int is_inside = 1;
        solve_free(s, state, damping, s->step);
        for (int i = 0; i < s->count; i++) {
            if (!state[i] && (s->step[i] < s->low[i] || s->step[i] > s->high[i])) {
                s->step[i] = s->step[i] < s->low[i] ? s->low[i] : s->high[i];
                state[i] = 1;
                is_inside = 0;
            }
        }
        if (is_inside) {
            break;
        }
    }
    for (int i = 0; i < s->count; i++) {
        gain -= 0.5 * s->slope[i] * s->step[i];
    }
    return gain;
}
