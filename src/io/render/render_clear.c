/* What stands around the figures: solids that one sees through. Of what is large, and of half-spaces, that which is
 * near is drawn, so that the figures stay the picture's subject. */
#include "io/render/render.h"
#include <stdlib.h>
#include <string.h>

#define NEAR 2.5       /* times half the figures' longest side: how far from their middle solids are drawn */
#define CUT 1.8        /* the same, of solids that are longer than all of that */
#define SLAB 0.1       /* the same, of how deep they are below the side that they turn to the figures */
#define PLATE 0.02     /* the same, of half the thickness of what is drawn of a half-space */
#define QUIET 0x86a0b4 /* a colour that robots seldom have */

/* Cuts the interval from -half to half to what is near a place on its axis. Returns its middle, and *half of it; that
 * is < 0 where nothing is left. */
static double cut(double at, double reach, double *half) {
    const double unit = reach / NEAR, whole = *half;
    double low = -whole, high = whole;
    if (low > at + reach || high < at - reach) {
        *half = -1;
    } else if (whole > reach) {
        low = at > whole ? high - SLAB * unit : fmax(low, at - CUT * unit);
        high = at < -whole ? -whole + SLAB * unit : fmin(high, at + CUT * unit);
        low = fmax(low, -whole), high = fmin(high, whole);
        *half = (high - low) / 2;
    }
    return (high + low) / 2;
}

/* What of a solid is near. Returns 0 where nothing is. */
static int cut_prim(const lbio_scene *scene, lbio_prim *prim) {
    double from[3], at[3], shift[3] = {0, 0, 0};
    lbio_along(scene->near, -1, prim->p, from);
    lbio_unrotate(prim->r, from, at);
    switch (prim->kind) {
    case LB_SHAPE_BOX:
        for (int i = 0; i < 3; i++) {
            shift[i] = cut(at[i], scene->reach, &prim->size[i]);
            if (prim->size[i] < 0) {
                return 0;
            }
        }
        break;
    case LB_SHAPE_CYLINDER:
        shift[2] = cut(at[2], scene->reach, &prim->size[1]);
        if (prim->size[1] < 0) {
            return 0;
        }
        break;
    case LB_SHAPE_HALF_SPACE:
        if (fabs(at[2]) > scene->reach) {
            return 0; /* far below or, which an answer seldom is, deep inside of it */
        }
        prim->kind = LB_SHAPE_CYLINDER;
        prim->size[0] = CUT / NEAR * scene->reach;
        prim->size[1] = PLATE / NEAR * scene->reach;
        shift[0] = at[0], shift[1] = at[1], shift[2] = -prim->size[1];
        break;
    default:
        break;
    }
    lbio_rotate(prim->r, shift, shift);
    lbio_along(prim->p, 1, shift, prim->p);
    return 1;
}

void lbio_keep_near(const lbio_scene *scene, const lbio_prim *prim, double p[3]) {
    for (int i = 0; i < 3 && prim->is_clear; i++) {
        p[i] = lbio_clamp(p[i], scene->near[i] - scene->reach, scene->near[i] + scene->reach);
    }
}

/* Widens the extent by that of a solid, as far as it is near. Returns 0 where it is not. */
static int widen_by(const lbio_scene *scene, const lbio_prim *prim, double low[3], double high[3]) {
    double points[LBIO_SPAN_POINTS][3], a[3] = {INFINITY, INFINITY, INFINITY}, b[3] = {-INFINITY, -INFINITY, -INFINITY};
    const int count = lbio_prim_span(prim, points);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < 3; i++) {
            a[i] = fmin(a[i], points[k][i]), b[i] = fmax(b[i], points[k][i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        if (!(a[i] <= scene->near[i] + scene->reach && b[i] >= scene->near[i] - scene->reach)) {
            return 0;
        }
    }
    lbio_keep_near(scene, prim, a);
    lbio_keep_near(scene, prim, b);
    for (int i = 0; i < 3; i++) {
        low[i] = fmin(low[i], a[i]), high[i] = fmax(high[i], b[i]);
    }
    return 1;
}

static void add_solid(lbio_scene *scene, const lb_marker *marker, double low[3], double high[3]) {
    lbio_prim *prim = lbio_scene_add_prim(scene);
    if (!prim) {
        return;
    }
    const int color = marker->shape.color >= 0 ? marker->shape.color : QUIET;
    double srgb[3];
    for (int i = 0; i < 3; i++) {
        srgb[i] = (color >> (16 - 8 * i) & 255) / 255.0;
    }
    prim->kind = marker->shape.kind;
    prim->segment = -1;
    prim->is_clear = 1;
    memcpy(prim->p, marker->frame.position, sizeof prim->p);
    memcpy(prim->size, marker->shape.size, sizeof prim->size);
    lb_rotation_to_matrix(marker->frame.rotation, prim->r);
    lbio_color_to_linear(srgb, prim->color);
    int is_near = cut_prim(scene, prim);
    if (is_near && prim->kind == LB_SHAPE_HULL) {
        lbio_prim_set_hull(scene, prim, &marker->shape);
    }
    is_near = is_near && widen_by(scene, prim, low, high);
    if (!is_near) {
        free(prim->planes);
        scene->prim_count--;
    }
}

void lbio_scene_add_clear(lbio_scene *scene, const lb_scene *cast, double low[3], double high[3]) {
    for (int i = 0; i < 3; i++) {
        scene->near[i] = low[i] / 2 + high[i] / 2;
        scene->reach = fmax(scene->reach, NEAR * (high[i] - low[i]) / 2);
    }
    scene->reach = scene->reach > 1e-9 ? scene->reach : 0.1;
    scene->first_clear = scene->prim_count;
    for (int k = 0; k < cast->marker_count; k++) {
        if (cast->markers[k].kind == LB_MARKER_SOLID) {
            add_solid(scene, &cast->markers[k], low, high);
        }
    }
    scene->clear_count = scene->prim_count - scene->first_clear;
}

void lbio_light_clear(const lbio_light *light, const lbio_hit *hit, const double d[3], double rgb[3]) {
    const lbio_arrival all = {1, 1};
    lbio_light_surface(light, light->scene->prims[hit->prim].color, hit->n, d, all, rgb);
}
