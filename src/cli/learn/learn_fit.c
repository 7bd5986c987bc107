/* The Gaussian of frames, and the poses to start from.
 *
 * Arms are independent of each other given the trunk: what people were recorded doing they mostly did with both hands,
 * and a habit of that would raise the idle arm, too. The precision of all features is then
 *
 *     sum over arms of precision(trunk and this arm)  -  (arms - 1) precision(trunk),
 *
 * each the inverse of the covariance of just these features. */
#include "cli/learn/learn.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST LB_HABIT_FEATURES
#define ROUNDS 30          /* of K-means */
#define MOST_SAMPLES 20000 /* of K-means, evenly from all frames */
#define SEED 1u            /* of the frames that K-means begins with */
#define PLACES 1e4         /* numbers of a habit have four places */

typedef double matrix[MOST][MOST];

static double rounded(double value) { return floor(value * PLACES + 0.5) / PLACES; }

/* A frame, or its mirror image. */
static void take_frame(const learn_view *v, const learn_frames *frames, int frame, int is_mirrored, double *out) {
    const double *values = frames->values + (size_t)frame * (size_t)v->count;
    for (int i = 0; i < v->count; i++) {
        out[i] = is_mirrored ? v->signs[i] * values[v->mirrors[i]] : values[i];
    }
}

/* --- Covariance and its inverse
 * -------------------------------------------------------------------------------------- */

static void find_mean(const learn_view *v, const learn_frames *frames, double *mean) {
    double f[MOST], g[MOST];
    memset(mean, 0, MOST * sizeof *mean);
    for (int k = 0; k < frames->count; k++) {
        take_frame(v, frames, k, 0, f);
        take_frame(v, frames, k, 1, g);
        for (int i = 0; i < v->count; i++) {
            mean[i] += (f[i] + g[i]) / (2.0 * frames->count);
        }
    }
}

static void find_covariance(const learn_view *v, const learn_frames *frames, const double *mean, matrix c) {
    double f[MOST];
    memset(c, 0, sizeof(matrix));
    for (int k = 0; k < 2 * frames->count; k++) {
        take_frame(v, frames, k / 2, k % 2, f);
        for (int i = 0; i < v->count; i++) {
            f[i] -= mean[i];
        }
        for (int i = 0; i < v->count; i++) {
            for (int j = 0; j <= i; j++) {
                c[i][j] += f[i] * f[j];
            }
        }
    }
    for (int i = 0; i < v->count; i++) {
        for (int j = 0; j <= i; j++) {
            c[i][j] /= 2.0 * frames->count;
            c[j][i] = c[i][j];
        }
    }
    for (int i = 0; i < v->count; i++) {
        c[i][i] += v->noise[i] * v->noise[i];
    }
}

/* a = L L', in place in the lower triangle. Returns -1 where a is not positive definite. */
static int factorise(int n, matrix a) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++) {
                sum -= a[i][k] * a[j][k];
            }
            if (i == j && !(sum > 0)) {
                return -1;
            }
            a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
        }
    }
    return 0;
}

/* Adds factor times the inverse of the covariance of some features to the precision of all. */
static int add_precision(const matrix c, int n, const int *features, double factor, matrix work, matrix precision) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            work[i][j] = c[features[i]][features[j]];
        }
    }
    if (factorise(n, work)) {
        return -1;
    }
    for (int column = 0; column < n; column++) {
        double x[MOST] = {0};
        for (int i = column; i < n; i++) {
            double sum = i == column;
            for (int k = column; k < i; k++) {
                sum -= work[i][k] * x[k];
            }
            x[i] = sum / work[i][i];
        }
        for (int i = n - 1; i >= 0; i--) {
            double sum = x[i];
            for (int k = i + 1; k < n; k++) {
                sum -= work[k][i] * x[k];
            }
            x[i] = sum / work[i][i];
        }
        for (int i = 0; i < n; i++) {
            precision[features[i]][features[column]] += factor * x[i];
        }
    }
    return 0;
}

/* The features of the trunk and of one arm (LEARN_TRUNK: the trunk alone). */
static int list_features(const learn_view *v, int arm, int *features) {
    int n = 0;
    for (int i = 0; i < v->count; i++) {
        if (v->parts[i] == LEARN_TRUNK || v->parts[i] == arm) {
            features[n++] = i;
        }
    }
    return n;
}

static int find_precision(const learn_view *v, const matrix c, matrix work, matrix precision) {
    int features[MOST], failed = 0;
    memset(precision, 0, sizeof(matrix));
    for (int arm = 0; arm < v->part_count && !failed; arm++) {
        const int n = list_features(v, arm, features);
        failed = add_precision(c, n, features, 1, work, precision);
    }
    const int n = list_features(v, LEARN_TRUNK, features);
    return failed ? -1 : add_precision(c, n, features, 1.0 - v->part_count, work, precision);
}

int learn_gaussian(const learn_view *v, const learn_frames *frames, learn_fit *fit) {
    matrix *space = calloc(3, sizeof *space);
    if (!space || frames->count < 2) {
        free(space);
        return -1;
    }
    find_mean(v, frames, fit->mean);
    find_covariance(v, frames, fit->mean, space[0]);
    int failed =
        find_precision(v, (const double(*)[MOST])space[0], space[1], space[2]) || factorise(v->count, space[2]);
    for (int i = 0, at = 0; i < v->count && !failed; i++) {
        fit->deviation[i] = sqrt(space[0][i][i]);
        fit->mean[i] = rounded(fit->mean[i]);
        for (int j = i; j < v->count; j++) {
            fit->factor[at++] = rounded(space[2][j][i]);
        }
    }
    free(space);
    return failed ? -1 : 0;
}

/* --- Starts --------------------------------------------------------------------------------------------------------------- */

/* A random number from 0 to 1, the same on every machine (an LCG of Knuth's). */
static double next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

typedef struct means {
    int count, features;
    int sample_count;
    double *samples;   /* [sample][feature], over their deviations */
    double *distances; /* [sample]: square of the distance to the nearest centre */
    int *nearest;      /* [sample] */
    double *centres;   /* [count][feature] */
    int *sizes;        /* [count] */
} means;

static double distance(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum;
}

/* Centres that are likely to be far from each other (k-means++). */
static void begin_means(means *m) {
    uint64_t state = SEED;
    const size_t n = (size_t)m->features;
    for (int s = 0; s < m->sample_count; s++) {
        m->distances[s] = INFINITY;
    }
    for (int c = 0; c < m->count; c++) {
        double total = 0;
        for (int s = 0; s < m->sample_count && c > 0; s++) {
            const double d = distance(m->features, m->samples + (size_t)s * n, m->centres + (size_t)(c - 1) * n);
            m->distances[s] = d < m->distances[s] ? d : m->distances[s];
            total += m->distances[s];
        }
        double left = next_random(&state) * (c > 0 ? total : m->sample_count);
        int chosen = 0;
        for (; chosen < m->sample_count - 1 && left > 0; chosen++) {
            left -= c > 0 ? m->distances[chosen] : 1;
        }
        memcpy(m->centres + (size_t)c * n, m->samples + (size_t)chosen * n, n * sizeof(double));
    }
}

static void move_means(means *m) {
    const size_t n = (size_t)m->features;
    for (int s = 0; s < m->sample_count; s++) {
        double least = INFINITY;
        for (int c = 0; c < m->count; c++) {
            const double d = distance(m->features, m->samples + (size_t)s * n, m->centres + (size_t)c * n);
            if (d < least) {
                least = d;
                m->nearest[s] = c;
            }
        }
    }
    memset(m->sizes, 0, (size_t)m->count * sizeof *m->sizes);
    for (int s = 0; s < m->sample_count; s++) {
        m->sizes[m->nearest[s]]++;
    }
    for (int c = 0; c < m->count; c++) {
        for (size_t i = 0; i < n && m->sizes[c] > 0; i++) {
            m->centres[(size_t)c * n + i] = 0;
        }
    }
    for (int s = 0; s < m->sample_count; s++) {
        const size_t c = (size_t)m->nearest[s];
        for (size_t i = 0; i < n; i++) {
            m->centres[c * n + i] += m->samples[(size_t)s * n + i] / m->sizes[c];
        }
    }
}

int learn_starts(const learn_view *v, const learn_frames *frames, int count, learn_fit *fit) {
    const int step = (2 * frames->count / MOST_SAMPLES) | 1, samples = (2 * frames->count + step - 1) / step;
    const size_t n = (size_t)v->count;
    means m = {.count = count < samples ? count : samples,
               .features = v->count,
               .sample_count = samples,
               .samples = calloc((size_t)samples * n + 1, sizeof(double)),
               .distances = calloc((size_t)samples + 1, sizeof(double)),
               .nearest = calloc((size_t)samples + 1, sizeof(int)),
               .centres = calloc((size_t)count * n + 1, sizeof(double)),
               .sizes = calloc((size_t)count + 1, sizeof(int))};
    const int has_memory = m.samples && m.distances && m.nearest && m.centres && m.sizes;
    for (int s = 0; s < samples && has_memory; s++) {
        double *sample = m.samples + (size_t)s * n;
        take_frame(v, frames, s * step / 2, s * step % 2, sample);
        for (size_t i = 0; i < n; i++) {
            sample[i] /= fit->deviation[i];
        }
    }
    if (has_memory && m.count > 0) {
        begin_means(&m);
        for (int k = 0; k < ROUNDS; k++) {
            move_means(&m);
        }
    }
    for (size_t i = 0; i < (size_t)m.count * n && has_memory; i++) {
        m.centres[i] = rounded(m.centres[i] * fit->deviation[i % n]);
    }
    free(m.samples);
    free(m.distances);
    free(m.nearest);
    free(m.sizes);
    fit->starts = m.centres;
    fit->start_count = m.count;
    return has_memory ? 0 : -1;
}
