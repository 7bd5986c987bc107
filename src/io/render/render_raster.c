/* Pixels: a ray through the middle of each, and sixteen where something changes between neighbours. */
#include "io/render/render.h"
#include <stdlib.h>
#include <string.h>

#define SUB 4  /* sub-pixels a side where edges are */
#define STEP 3 /* pixels between the places where arriving light is found */

typedef struct caster {
    const lbio_scene *scene;
    const lbio_camera *camera;
    const lbio_light *light;
    struct lattice *net;
    lbio_grid grid; /* middles of the pixels */
} caster;

/* Light that arrives is dear, and changes slowly over one solid: it is found on a lattice of every third pixel and
 * taken from those of the four corners around that show the same solid. */
typedef struct lattice {
    int columns;
    int *ids[2]; /* two rows: what each corner shows */
    lbio_arrival *arrivals[2];
} lattice;

/* Elsewhere it is found anew, but remembered per solid within one pixel. */
typedef struct memory {
    int x, y; /* the pixel */
    int count;
    int ids[8];
    lbio_arrival arrival[8];
} memory;

static int id_of(const lbio_hit *hit) { return hit->prim * 8 + hit->face + 1; }

static int from_lattice(const lattice *net, int id, const memory *seen, lbio_arrival *arrival) {
    int column = seen->x / STEP;
    double fx = (double)(seen->x % STEP) / STEP, fy = (double)(seen->y % STEP) / STEP, key = 0, sky = 0, all = 0;
    for (int corner = 0; corner < 4; corner++) {
        int row = corner / 2, at = column + corner % 2;
        if (net->ids[row][at] == id) {
            double weight = (corner % 2 ? fx : 1 - fx) * (row ? fy : 1 - fy) + 1e-3;
            key += weight * net->arrivals[row][at].key;
            sky += weight * net->arrivals[row][at].sky;
            all += weight;
        }
    }
    if (all > 0) {
        arrival->key = key / all, arrival->sky = sky / all;
    }
    return all > 0;
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

static void fill_lattice_row(const caster *c, int y, int row) {
    lattice *net = c->net;
    for (int k = 0; k < net->columns; k++) {
        lbio_ray ray;
        lbio_hit hit = {.t = INFINITY, .prim = -1};
        double p[3];
        lbio_camera_ray(c->camera, c->grid.x + k * STEP * c->grid.step, c->grid.y + y * c->grid.step, &ray);
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
        fill_lattice_row(c, 0, 1);
    }
    int *ids = net->ids[0];
    lbio_arrival *arrivals = net->arrivals[0];
    net->ids[0] = net->ids[1], net->arrivals[0] = net->arrivals[1];
    net->ids[1] = ids, net->arrivals[1] = arrivals;
    fill_lattice_row(c, y + STEP, 1);
}

static void cast_solid(const caster *c, const lbio_ray *ray, const lbio_hit *hit, double ground, memory *seen,
                       double rgb[3]) {
    double p[3], surface[3];
    lbio_along(ray->o, hit->t, ray->d, p);
    /* The ground is a sheet of glass where something lies below it: parts there show, dimmed. */
    double veil = ground < hit->t ? 0.45 * lbio_light_ground_fade(c->light, p) : 0;
    lbio_arrival arrival = arrival_at(c, hit, p, seen);
    lbio_light_surface(c->light, c->scene->prims[hit->prim].color, hit->n, ray->d, arrival, surface);
    for (int i = 0; i < 3; i++) {
        rgb[i] = surface[i] + (rgb[i] - surface[i]) * veil;
    }
}

/* What one sees through, from the farthest to the nearest. */
static void cast_clear(const caster *c, const lbio_ray *ray, double t_most, double rgb[3]) {
    lbio_hit hits[LBIO_CLEAR_LAYERS];
    for (int k = lbio_clear_hits(c->scene, ray, t_most, hits) - 1; k >= 0; k--) {
        double surface[3];
        lbio_light_clear(c->light, &hits[k], ray->d, surface);
        for (int i = 0; i < 3; i++) {
            /* As the eye sees it, and as other painters mix. */
            const double behind = lbio_from_linear(rgb[i]), front = lbio_from_linear(surface[i]);
            rgb[i] = lbio_to_linear(behind + LBIO_CLEAR_ALPHA * (front - behind));
        }
    }
}

/* One ray, x and y counted in pixels from the middle of the view's first. */
static void cast(const caster *c, double x, double y, memory *seen, double rgb[3]) {
    lbio_ray ray;
    lbio_camera_ray(c->camera, c->grid.x + x, c->grid.y + y, &ray);
    double ground = lbio_light_backdrop(c->light, c->camera, &ray, (y + 0.5) / c->grid.h, rgb);
    lbio_hit hit = {.t = INFINITY, .prim = -1};
    if (lbio_tree_hit(c->scene, &ray, 0, &hit)) {
        cast_solid(c, &ray, &hit, ground, seen, rgb);
    }
    cast_clear(c, &ray, fmin(hit.t, ground), rgb);
}

/* What the pixels of a row show, as numbers: 0 is the backdrop. */
static void identify_row(const caster *c, int y, int *ids) {
    for (int x = 0; x < c->grid.w; x++) {
        lbio_ray ray;
        lbio_hit hit = {.t = INFINITY, .prim = -1};
        lbio_camera_ray(c->camera, c->grid.x + x, c->grid.y + y, &ray);
        lbio_hit clear[LBIO_CLEAR_LAYERS];
        unsigned id = lbio_tree_hit(c->scene, &ray, 0, &hit) ? (unsigned)id_of(&hit) : 0;
        for (int k = lbio_clear_hits(c->scene, &ray, hit.t, clear) - 1; k >= 0; k--) {
            id = 1000003 * id + (unsigned)id_of(&clear[k]);
        }
        ids[x] = (int)(id & 0x7fffffff);
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
    memcpy(pixel, &value, sizeof value);
}

static void shade_pixel(const caster *c, int x, int y, int edge, double rgb[3]) {
    memory seen = {.x = x, .y = y};
    if (!edge) {
        cast(c, x, y, &seen, rgb);
        return;
    }
    double sum[3] = {0, 0, 0};
    for (int k = 0; k < SUB * SUB; k++) {
        double one[3];
        cast(c, x + (k % SUB + 0.5) / SUB - 0.5, y + (k / SUB + 0.5) / SUB - 0.5, &seen, one);
        for (int i = 0; i < 3; i++) {
            /* Mixed as the eye sees them: mixing light itself would fatten bright edges. */
            sum[i] += lbio_from_linear(one[i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        rgb[i] = lbio_to_linear(sum[i] / (SUB * SUB));
    }
}

/* ids has room for three rows: the one drawn and its neighbours. pixels is the view's first. */
static void cast_rows(const caster *c, int *ids, unsigned char *pixels, int stride) {
    int w = c->grid.w, h = c->grid.h;
    identify_row(c, 0, ids);
    for (int y = 0; y < h; y++) {
        int *row = ids + (y % 3) * w, *below = ids + ((y + 1) % 3) * w, *above = y > 0 ? ids + ((y + 2) % 3) * w : row;
        advance_lattice(c, y);
        if (y + 1 < h) {
            identify_row(c, y + 1, below);
        } else {
            below = row;
        }
        for (int x = 0; x < w; x++) {
            double rgb[3];
            shade_pixel(c, x, y, is_edge(above, row, below, x, w), rgb);
            store(pixels + (size_t)y * (size_t)stride + 4 * (size_t)x, rgb);
        }
    }
}

static int make_lattice(lattice *net, int width) {
    net->columns = width / STEP + 2;
    for (int row = 0; row < 2; row++) {
        net->ids[row] = malloc((size_t)net->columns * sizeof *net->ids[row]);
        net->arrivals[row] = malloc((size_t)net->columns * sizeof *net->arrivals[row]);
    }
    return net->ids[0] && net->ids[1] && net->arrivals[0] && net->arrivals[1];
}

static void free_lattice(lattice *net) {
    for (int row = 0; row < 2; row++) {
        free(net->ids[row]);
        free(net->arrivals[row]);
    }
}

lb_status lbio_raster_pane(const lbio_picture *picture, const lbio_pane *pane, unsigned char *pixels, int stride) {
    const lbio_rect *rect = &pane->rect;
    lbio_grid grid = {rect->x + 0.5, rect->y + 0.5, 1, (int)rect->w, (int)rect->h};
    lbio_light light;
    lattice net = {.columns = 0};
    lb_status status = lbio_light_build(&light, picture->scene, &picture->theme, &pane->camera,
                                        picture->options->show_ground, fmax(rect->w, rect->h));
    int *ids = malloc(3 * (size_t)grid.w * sizeof *ids);
    if (!make_lattice(&net, grid.w) || !ids) {
        status = LB_ERROR_MEMORY;
    }
    if (!status) {
        caster c = {picture->scene, &pane->camera, &light, &net, grid};
        cast_rows(&c, ids, pixels + (size_t)rect->y * (size_t)stride + 4 * (size_t)rect->x, stride);
    }
    free(ids);
    free_lattice(&net);
    lbio_light_free(&light);
    return status;
}

lb_status lbio_raster_surface(const lbio_scene *scene, const lbio_camera *camera, const lbio_light *light,
                              const lbio_grid *grid, int *prims, float *rgb) {
    lattice net = {.columns = 0};
    caster c = {scene, camera, light, &net, *grid};
    lb_status status = make_lattice(&net, grid->w) ? LB_OK : LB_ERROR_MEMORY;
    for (int y = 0; !status && y < grid->h; y++) {
        advance_lattice(&c, y);
        for (int x = 0; x < grid->w; x++) {
            size_t at = (size_t)y * (size_t)grid->w + (size_t)x;
            memory seen = {.x = x, .y = y};
            lbio_ray ray;
            lbio_hit hit = {.t = INFINITY, .prim = -1};
            double p[3], color[3];
            lbio_camera_ray(camera, grid->x + x * grid->step, grid->y + y * grid->step, &ray);
            prims[at] = -1;
            if (lbio_tree_hit(scene, &ray, 0, &hit)) {
                prims[at] = hit.prim;
                lbio_along(ray.o, hit.t, ray.d, p);
                lbio_light_surface(light, scene->prims[hit.prim].color, hit.n, ray.d, arrival_at(&c, &hit, p, &seen),
                                   color);
                for (size_t i = 0; i < 3; i++) {
                    rgb[3 * at + i] = (float)color[i];
                }
            }
        }
    }
    free_lattice(&net);
    return status;
}
