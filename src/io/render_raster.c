/* Pixels: a ray through the middle of each, and sixteen where something changes between neighbours. */
#include "io/render.h"
#include <stdlib.h>

#define SUB 4  /* sub-pixels a side where edges are */
#define STEP 3 /* pixels between the places where arriving light is found */

typedef struct caster {
    const lbio_scene *scene;
    const lbio_camera *camera;
    const lbio_light *light;
    struct lattice *net;
    lbio_rect rect;
} caster;

/* Light that arrives is dear, and changes slowly over one solid: it is found on a lattice of every third pixel and taken from
 * there where all four corners show the same. */
typedef struct lattice {
    int columns;
    int *ids[2]; /* two rows: what each corner shows */
    lbio_arrival *arrivals[2];
} lattice;

/* Elsewhere it is found anew, but remembered per solid within one pixel. */
typedef struct memory {
    int x, y; /* the pixel, counted from the view's corner */
    int count;
    int ids[8];
    lbio_arrival arrival[8];
} memory;

static int id_of(const lbio_hit *hit) {
    return hit->prim * 8 + hit->face + 1;
}

static int from_lattice(const lattice *net, int id, const memory *seen, lbio_arrival *arrival) {
    int column = seen->x / STEP;
    double fx = (double)(seen->x % STEP) / STEP, fy = (double)(seen->y % STEP) / STEP, key = 0, sky = 0;
    if (column + 1 >= net->columns) {
        return 0;
    }
    for (int corner = 0; corner < 4; corner++) {
        int row = corner / 2, at = column + corner % 2;
        double weight = (corner % 2 ? fx : 1 - fx) * (row ? fy : 1 - fy);
        if (net->ids[row][at] != id) {
            return 0;
        }
        key += weight * net->arrivals[row][at].key;
        sky += weight * net->arrivals[row][at].sky;
    }
    arrival->key = key, arrival->sky = sky;
    return 1;
}

static lbio_arrival arrival_at(const caster *c, const lbio_hit *hit, const double p[3], memory *seen) {
    int id = id_of(hit);
    lbio_arrival arrival;
    for (int k = 0; k < seen->count; k++) {
        if (seen->ids[k] == id) {
            return seen->arrival[k];
        }
    }
    if (!from_lattice(c->net, id, seen, &arrival)) {
        arrival = lbio_light_arrival(c->light, p, hit->n);
    }
    if (seen->count < 8) {
        int k = seen->count++;
        seen->ids[k] = id, seen->arrival[k] = arrival;
    }
    return arrival;
}

static void fill_lattice_row(const caster *c, double y, int row) {
    lattice *net = c->net;
    for (int k = 0; k < net->columns; k++) {
        lbio_ray ray;
        lbio_hit hit = {.t = INFINITY, .prim = -1};
        double p[3];
        lbio_camera_ray(c->camera, c->rect.x + k * STEP + 0.5, y, &ray);
        net->ids[row][k] = 0;
        if (lbio_tree_hit(c->scene, &ray, 0, &hit)) {
            lbio_along(ray.o, hit.t, ray.d, p);
            net->ids[row][k] = id_of(&hit);
            net->arrivals[row][k] = lbio_light_arrival(c->light, p, hit.n);
        }
    }
}

/* Before the first pixel row of a new pair of lattice rows. */
static void advance_lattice(const caster *c, int y) {
    lattice *net = c->net;
    if (y % STEP) {
        return;
    }
    if (y == 0) {
        fill_lattice_row(c, c->rect.y + 0.5, 1);
    }
    int *ids = net->ids[0];
    lbio_arrival *arrivals = net->arrivals[0];
    net->ids[0] = net->ids[1], net->arrivals[0] = net->arrivals[1];
    net->ids[1] = ids, net->arrivals[1] = arrivals;
    fill_lattice_row(c, c->rect.y + y + STEP + 0.5, 1);
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
        ids[x - x0] = lbio_tree_hit(c->scene, &ray, 0, &hit) ? id_of(&hit) : 0;
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
    memory seen = {.x = x - (int)c->rect.x, .y = y - (int)c->rect.y};
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

/* ids has room for three rows: the one drawn and its neighbours. */
static void cast_rows(const caster *c, int *ids, int x0, int x1, int y0, int y1, unsigned char *pixels, int stride) {
    int w = x1 - x0;
    identify_row(c, y0, x0, x1, ids + (y0 % 3) * w);
    for (int y = y0; y < y1; y++) {
        int *row = ids + (y % 3) * w, *below = ids + ((y + 1) % 3) * w, *above = y > y0 ? ids + ((y + 2) % 3) * w : row;
        advance_lattice(c, y - y0);
        if (y + 1 < y1) {
            identify_row(c, y + 1, x0, x1, below);
        } else {
            below = row;
        }
        for (int x = x0; x < x1; x++) {
            double rgb[3];
            shade_pixel(c, x, y, is_edge(above, row, below, x - x0, w), rgb);
            store(pixels + (size_t)y * (size_t)stride + 4 * (size_t)x, rgb);
        }
    }
}

lb_status lbio_raster_pane(const lbio_picture *picture, const lbio_pane *pane, unsigned char *pixels, int stride,
                           int width, int height) {
    int x0 = (int)pane->rect.x, y0 = (int)pane->rect.y;
    int x1 = (int)fmin(pane->rect.x + pane->rect.w, width), y1 = (int)fmin(pane->rect.y + pane->rect.h, height);
    int w = x1 > x0 ? x1 - x0 : 1;
    lbio_light light;
    lb_status status = lbio_light_build(&light, picture->scene, &picture->theme, &pane->camera,
                                        picture->options->show_ground, fmax(pane->rect.w, pane->rect.h));
    lattice net = {.columns = w / STEP + 2};
    size_t columns = (size_t)net.columns;
    int *ids = malloc(3 * (size_t)w * sizeof *ids), *net_ids = malloc(2 * columns * sizeof *net_ids);
    lbio_arrival *arrivals = malloc(2 * columns * sizeof *arrivals);
    if (!status && ids && net_ids && arrivals) {
        net.ids[0] = net_ids, net.ids[1] = net_ids + columns;
        net.arrivals[0] = arrivals, net.arrivals[1] = arrivals + columns;
        caster c = {picture->scene, &pane->camera, &light, &net, pane->rect};
        cast_rows(&c, ids, x0, x1, y0, y1, pixels, stride);
    } else {
        status = status ? status : LB_ERROR_MEMORY;
    }
    free(ids);
    free(net_ids);
    free(arrivals);
    lbio_light_free(&light);
    return status;
}
