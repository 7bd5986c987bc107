/* A part of dense_factor.h: what is done with N columns of a strip at a time. */
#define NAME2(name, n) name##n
#define NAME1(name, n) NAME2(name, n)
#define NAME(name) NAME1(name, N)

static inline void NAME(load_rows)(const strip *p, size_t at, const double *a, NAME(lbm_v) v[4]) {
    for (int i = 0; i < 4; i++) {
        v[i] = NAME(lbm_load)(a + p->rows[i] + at);
    }
}

static inline void NAME(store_rows)(const strip *p, size_t at, const NAME(lbm_v) v[4], double *a) {
    for (int i = 3; i >= 0; i--) {
        NAME(lbm_store)(a + p->rows[i] + at, v[i]);
    }
}

/* Eliminates: subtracts multiples of the rows above, which are done, from the strip's rows. */
static inline void NAME(take_off)(const strip *p, size_t at, size_t stride, const double *a, NAME(lbm_v) v[4]) {
    const double *f0 = a + p->rows[0], *f1 = a + p->rows[1], *f2 = a + p->rows[2], *f3 = a + p->rows[3], *row = a + at;
    NAME(lbm_v) v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3];
    for (size_t k = 0; k < p->first; k++, row += stride) {
        const NAME(lbm_v) u = NAME(lbm_load)(row);
        v0 = NAME(lbm_sub)(v0, NAME(lbm_scale)(u, f0[k]));
        v1 = NAME(lbm_sub)(v1, NAME(lbm_scale)(u, f1[k]));
        v2 = NAME(lbm_sub)(v2, NAME(lbm_scale)(u, f2[k]));
        v3 = NAME(lbm_sub)(v3, NAME(lbm_scale)(u, f3[k]));
    }
    v[0] = v0, v[1] = v1, v[2] = v2, v[3] = v3;
}

/* Eliminates inside the strip: subtracts multiples of its rows from those below. */
static inline void NAME(finish_rows)(const triangle *t, NAME(lbm_v) v[4]) {
    const NAME(lbm_v) v0 = v[0], v1 = NAME(lbm_sub)(v[1], NAME(lbm_scale)(v0, t->below[0]));
    NAME(lbm_v) v2 = NAME(lbm_sub)(v[2], NAME(lbm_scale)(v0, t->below[1]));
    NAME(lbm_v) v3 = NAME(lbm_sub)(v[3], NAME(lbm_scale)(v0, t->below[3]));
    v2 = NAME(lbm_sub)(v2, NAME(lbm_scale)(v1, t->below[2]));
    v3 = NAME(lbm_sub)(v3, NAME(lbm_scale)(v1, t->below[4]));
    v3 = NAME(lbm_sub)(v3, NAME(lbm_scale)(v2, t->below[5]));
    v[1] = v1, v[2] = v2, v[3] = v3;
}

/* Factors N columns right of the diagonal. */
static inline void NAME(factor_columns)(const strip *p, size_t at, size_t stride, const double *from, const triangle *t,
                                        double *a) {
    NAME(lbm_v) v[4];
    NAME(load_rows)(p, at, from, v);
    NAME(take_off)(p, at, stride, a, v);
    NAME(finish_rows)(t, v);
    NAME(store_rows)(p, at, v, a);
}

/* b less the sum of the strip's rows, each times its unknown. */
static inline NAME(lbm_v) NAME(less_rows)(NAME(lbm_v) b, const strip *p, const double *a, const four *x) {
    const NAME(lbm_v) v = NAME(lbm_scale)(NAME(lbm_load)(a + p->rows[0]), x->a),
                      w = NAME(lbm_scale)(NAME(lbm_load)(a + p->rows[1]), x->b),
                      y = NAME(lbm_scale)(NAME(lbm_load)(a + p->rows[2]), x->c),
                      z = NAME(lbm_scale)(NAME(lbm_load)(a + p->rows[3]), x->d);
    return NAME(lbm_sub)(b, NAME(lbm_add)(NAME(lbm_add)(v, w), NAME(lbm_add)(y, z)));
}

/* a += weight times the sum over pairs of rows of (the strip's columns of the left one) times (these columns of the
 * right one). */
static inline void NAME(add_squares)(const strip *p, size_t at, const row_pairs *r, double *a) {
    NAME(lbm_v) v0 = NAME(lbm_zero)(), v1 = v0, v2 = v0, v3 = v0, v[4];
    for (int k = 0; k < r->count; k++) {
        const double *f = r->left + r->rows[k] + p->first;
        const NAME(lbm_v) u = NAME(lbm_load)(r->right + r->rows[k] + at);
        v0 = NAME(lbm_add)(v0, NAME(lbm_scale)(u, f[0]));
        v1 = NAME(lbm_add)(v1, NAME(lbm_scale)(u, f[1]));
        v2 = NAME(lbm_add)(v2, NAME(lbm_scale)(u, f[2]));
        v3 = NAME(lbm_add)(v3, NAME(lbm_scale)(u, f[3]));
    }
    NAME(load_rows)(p, at, a, v);
    v[0] = NAME(lbm_add)(v[0], NAME(lbm_scale)(v0, r->weight));
    v[1] = NAME(lbm_add)(v[1], NAME(lbm_scale)(v1, r->weight));
    v[2] = NAME(lbm_add)(v[2], NAME(lbm_scale)(v2, r->weight));
    v[3] = NAME(lbm_add)(v[3], NAME(lbm_scale)(v3, r->weight));
    NAME(store_rows)(p, at, v, a);
}

#undef NAME
#undef NAME1
#undef NAME2
