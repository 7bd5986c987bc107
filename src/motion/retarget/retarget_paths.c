/* Paths of feet between contacts: what a contact moves a foot by comes and goes with the least acceleration.
 *
 * The correction c, by which the path differs from the source's, is known while the foot stands. Elsewhere it minimises
 * the sum of c^2 + T^4 (c'')^2: it fades over some T, and its acceleration is continuous but for what the contacts ask.
 * The equations are pentadiagonal. */
#include "math/vec.h"
#include "motion/retarget/retarget.h"

#define PINNED 1e8 /* weight of the correction where it is known */

/* Row f of the equations: its diagonal, the two beside it, and three right sides. */
typedef struct equation {
    double own, next, second, right[3];
} equation;

/* Adds weight * (c[f-1] - 2 c[f] + c[f+1])^2. */
static void add_acceleration(equation *rows, int f, double weight) {
    rows[f - 1].own += weight;
    rows[f - 1].next -= 2 * weight;
    rows[f - 1].second += weight;
    rows[f].own += 4 * weight;
    rows[f].next -= 2 * weight;
    rows[f + 1].own += weight;
}

/* Solves by L D L', in place: the right sides become the solution. */
static void solve(equation *rows, int count) {
    for (int f = 0; f < count; f++) {
        const equation *row = &rows[f];
        const double first = row->next / row->own, second = row->second / row->own;
        if (f + 1 < count) {
            rows[f + 1].own -= first * row->next;
            rows[f + 1].next -= first * row->second;
            lbm_add_scaled3(rows[f + 1].right, row->right, -first);
        }
        if (f + 2 < count) {
            rows[f + 2].own -= second * row->second;
            lbm_add_scaled3(rows[f + 2].right, row->right, -second);
        }
    }
    for (int f = count - 1; f >= 0; f--) {
        equation *row = &rows[f];
        for (int i = 0; i < 3; i++) {
            row->right[i] -= f + 1 < count ? row->next * rows[f + 1].right[i] : 0;
            row->right[i] -= f + 2 < count ? row->second * rows[f + 2].right[i] : 0;
            row->right[i] /= row->own;
        }
    }
}

size_t lbt_retarget_ease_size(int count) { return (size_t)count * (sizeof(equation) / sizeof(double)); }

void lbt_retarget_ease_path(int count, const double *held, const double (*from)[3], double time, double (*path)[3],
                            double *scratch) {
    equation *rows = (equation *)(void *)scratch;
    for (int f = 0; f < count; f++) {
        const double weight = held[f] >= 1 ? PINNED : 1;
        rows[f] = (equation){.own = weight};
        if (held[f] >= 1) {
            lbm_sub3(path[f], from[f], rows[f].right);
            for (int i = 0; i < 3; i++) {
                rows[f].right[i] *= weight;
            }
        }
    }
    for (int f = 1; f + 1 < count; f++) {
        add_acceleration(rows, f, time * time * time * time);
    }
    solve(rows, count);
    for (int f = 0; f < count; f++) {
        for (int i = 0; i < 3 && held[f] < 1; i++) {
            path[f][i] = from[f][i] + rows[f].right[i];
        }
    }
}
