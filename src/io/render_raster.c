/* Pixels: a ray through the middle of each, and sixteen where something changes between neighbours. */
#include "io/render.h"
#include <stdlib.h>

#define SUB 4 /* sub-pixels a side where edges are */

typedef struct caster {
    const lbio_scene *scene;
    const lbio_camera *camera;
    const lbio_light *light;
    lbio_rect rect;
} caster;

/* Light that arrives is nearly the same all over one solid's part of a pixel, and dear: remembered per solid. */
typedef struct memory {
    int count;
    int prim[8], face[8];
    lbio_arrival arrival[8];
} memory;

static lbio_arrival arrival_at(const caster *c, const lbio_hit *hit, const double p[3], memory *seen) {
    for (int k = 0; k < seen->count; k++) {
        if (seen->prim[k] == hit->prim && seen->face[k] == hit->face) {
            return seen->arrival[k];
        }
    }
    lbio_arrival arrival = lbio_light_arrival(c->light, p, hit->n);
    if (seen->count < 8) {
        int k = seen->count++;
        seen->prim[k] = hit->prim, seen->face[k] = hit->face, seen->arrival[k] = arrival;
    }
    return arrival;
}

static void cast(const caster *c, double x, double y, memory *seen, double rgb[3]) {
    lbio_ray ray;
    lbio_camera_ray(c->camera, x, y, &ray);
    double ground = lbio_light_backdrop(c->light, c->camera, &ray, (y - c->rect.y) / c->rect.h, rgb);
    lbio_hit hit = {.t = INFINITY, .prim = -1};
    if (!lbio_tree_hit(c->scene, &ray, 0, &hit)) {
        return;
    }
    double p[3], surface[3];
    lbio_along(ray.o, hit.t, ray.d, p);
    /* The ground is a sheet of glass where something lies below it or the camera does: parts there show, dimmed. */
    double veil = ground < hit.t ? 0.45 * lbio_light_ground_fade(c->light, p) : 0;
    lbio_arrival arrival = arrival_at(c, &hit, p, seen);
    lbio_light_surface(c->light, c->scene->prims[hit.prim].color, p, hit.n, ray.d, arrival, surface);
    for (int i = 0; i < 3; i++) {
        rgb[i] = surface[i] + (rgb[i] - surface[i]) * veil;
    }
}

/* What a pixel shows, as one number: 0 is the backdrop. */
static void identify_row(const caster *c, int y, int x0, int x1, int *ids) {
    for (int x = x0; x < x1; x++) {
        lbio_ray ray;
        lbio_hit hit = {.t = INFINITY, .prim = -1};
        lbio_camera_ray(c->camera, x + 0.5, y + 0.5, &ray);
        ids[x - x0] = lbio_tree_hit(c->scene, &ray, 0, &hit) ? hit.prim * 8 + hit.face + 1 : 0;
    }
}

static int is_edge(const int *above, const int *row, const int *below, int x, int width) {
    int id = row[x], left = x > 0 ? x - 1 : x, right = x + 1 < width ? x + 1 : x;
    for (int k = left; k <= right; k++) {
        if (above[k] != id || row[k] != id || below[k] != id) {
            return 1;
        }
    }
    return 0;
}

static void store(unsigned char *pixel, const double rgb[3]) {
    uint32_t value = 0xff000000u;
    for (int i = 0; i < 3; i++) {
        /* Rounded to the nearest level. */
        value |= (uint32_t)(lbio_from_linear(rgb[i]) * 255 + 0.5) << (16 - 8 * i);
    }
    *(uint32_t *)(void *)pixel = value;
}

static void shade_pixel(const caster *c, int x, int y, int edge, double rgb[3]) {
    memory seen = {.count = 0};
    if (!edge) {
        cast(c, x + 0.5, y + 0.5, &seen, rgb);
        return;
    }
    double sum[3] = {0, 0, 0};
    for (int k = 0; k < SUB * SUB; k++) {
        double one[3];
        cast(c, x + (k % SUB + 0.5) / SUB, y + (k / SUB + 0.5) / SUB, &seen, one);
        for (int i = 0; i < 3; i++) {
            /* Mixed as the eye sees them: mixing light itself would fatten bright edges. */
            sum[i] += lbio_from_linear(one[i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        rgb[i] = lbio_to_linear(sum[i] / (SUB * SUB));
    }
}

lb_status lbio_raster_pane(const lbio_picture *picture, const lbio_pane *pane, unsigned char *pixels, int stride,
                           int width, int height) {
    int x0 = (int)pane->rect.x, y0 = (int)pane->rect.y;
    int x1 = (int)fmin(pane->rect.x + pane->rect.w, width), y1 = (int)fmin(pane->rect.y + pane->rect.h, height);
    int w = x1 - x0;
    lbio_light light;
    lb_status status = lbio_light_build(&light, picture->scene, &picture->theme, &pane->camera,
                                        picture->options->show_ground, fmax(pane->rect.w, pane->rect.h));
    int *ids = w > 0 ? malloc(3 * (size_t)w * sizeof *ids) : NULL;
    if (status || !ids) {
        free(ids);
        lbio_light_free(&light);
        return status ? status : w > 0 ? LB_ERROR_MEMORY : LB_OK;
    }
    caster c = {picture->scene, &pane->camera, &light, pane->rect};
    identify_row(&c, y0, x0, x1, ids + (y0 % 3) * w);
    for (int y = y0; y < y1; y++) {
        int *row = ids + (y % 3) * w, *below = ids + ((y + 1) % 3) * w, *above = y > y0 ? ids + ((y + 2) % 3) * w : row;
        if (y + 1 < y1) {
            identify_row(&c, y + 1, x0, x1, below);
        } else {
            below = row;
        }
        for (int x = x0; x < x1; x++) {
            double rgb[3];
            shade_pixel(&c, x, y, is_edge(above, row, below, x - x0, w), rgb);
            store(pixels + (size_t)y * (size_t)stride + 4 * (size_t)x, rgb);
        }
    }
    free(ids);
    lbio_light_free(&light);
    return LB_OK;
}
