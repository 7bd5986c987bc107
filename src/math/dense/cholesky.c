#include "math/dense/cholesky.h"

#include <math.h>
#include <stddef.h>

int lbm_cholesky(int n, double *a) {
    for (int i = 0; i < n; i++) {
        double *ri = a + (size_t)i * (size_t)n;
        for (int j = 0; j <= i; j++) {
            const double *rj = a + (size_t)j * (size_t)n;
            double sum = ri[j];
            for (int k = 0; k < j; k++) {
                sum -= ri[k] * rj[k];
            }
            if (j < i) {
                ri[j] = sum / rj[j];
            } else if (sum > 0) {
                ri[i] = sqrt(sum);
            } else {
                return 1;
            }
        }
    }
    return 0;
}

void lbm_cholesky_solve(int n, const double *l, double *b) {
    for (int i = 0; i < n; i++) {
        const double *ri = l + (size_t)i * (size_t)n;
        for (int k = 0; k < i; k++) {
            b[i] -= ri[k] * b[k];
        }
        b[i] /= ri[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        b[i] /= l[(size_t)i * (size_t)n + (size_t)i];
        for (int k = 0; k < i; k++) {
            b[k] -= l[(size_t)i * (size_t)n + (size_t)k] * b[i];
        }
    }
}
