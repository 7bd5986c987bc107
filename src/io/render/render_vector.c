/* Outlines and shades: what the ray caster sees is traced into polygons, one stack of them for each colour of the
 * scene. Boundaries are searched for between the rays, so they are sharp at any size; shades lie over each other from
 * dark to bright, in steps too small to see. Hidden parts, shadows and creases come out right without sorting
 * anything. */
#include "io/render/render.h"
#include <stdlib.h>
#include <string.h>

#define NODES_MOST 1200000
#define SHADE_STEP 0.016 /* of sRGB's range, between one shade and the next */
#define SHADES_MOST 64
#define MATERIALS_MOST 64
#define SHADOW_STEPS 14
#define OUTLINE_TOLERANCE 0.06
#define SHADE_TOLERANCE 0.22
#define FACES 8 /* that are told apart on a solid */

typedef struct sheet {
    const lbio_pane *pane;
    const lbio_camera *camera;
    const lbio_scene *scene;
    lbio_light light;
    lbio_painter *painter;
    lbio_grid grid;
    int *material;         /* [node] number of the colour; -1: backdrop */
    int *material_of_prim; /* [prim] */
    int material_count;
    float *rgb;  /* [node][3] linear */
    float *tone; /* [node] brightness as the eye sees it, 0 to 1 */
    float *cross_x,
        *cross_y;          /* [node] where the boundary lies on the edge to the right, and below; < 0: not yet known */
    unsigned char *inside; /* [node] what is being traced; 0 in between */
    unsigned char *within; /* [node] whether all neighbours are of the same material */
    lbio_box boxes[MATERIALS_MOST];
    double colors[MATERIALS_MOST][3];
    lbio_loops loops;
    int traced;   /* the material being traced; -1: all that is not backdrop */
    int layer;    /* of translucent solids, whose faces are the materials then; -1: of the others */
    double level; /* and the tone above which */
} sheet;

static lbio_ink ink_from_linear(const double rgb[3], double alpha) {
    lbio_ink ink = {{lbio_from_linear(rgb[0]), lbio_from_linear(rgb[1]), lbio_from_linear(rgb[2])}, alpha};
    return ink;
}

/* --- Backdrop ------------------------------------------------------------------------------------ */

static void paint_sky(const sheet *s) {
    lbio_gradient g = {.count = LBIO_STOPS, .matrix = {0, s->pane->rect.h, -1, 0, s->pane->rect.x, s->pane->rect.y}};
    lbio_style style = {.gradient = &g};
    lbio_light sky = s->light;
    sky.has_ground = 0;
    for (int k = 0; k < g.count; k++) {
        double rgb[3], f = (double)k / (g.count - 1);
        lbio_ray ray;
        lbio_camera_ray(s->camera, s->pane->rect.x, s->pane->rect.y, &ray);
        lbio_light_backdrop(&sky, s->camera, &ray, f, rgb);
        g.offset[k] = f;
        g.stop[k] = ink_from_linear(rgb, 1);
    }
    lbio_paint_rect(s->painter, s->pane->rect, &style);
}

/* Where the ground is plain: a disc that melts into the sky. */
static void paint_disc(const sheet *s) {
    const lbio_scene *scene = s->scene;
    double middle[3] = {(scene->low[0] + scene->high[0]) / 2, (scene->low[1] + scene->high[1]) / 2, scene->ground};
    double xy[64][2], radius = s->light.fade_out, center[2];
    lbio_gradient g = {.is_radial = 1, .count = 6};
    lbio_camera_project(s->camera, middle, center);
    for (int k = 0; k < 64; k++) {
        double turn = k * LBIO_PI / 32;
        double p[3] = {middle[0] + radius * cos(turn), middle[1] + radius * sin(turn), middle[2]};
        if (lbio_camera_project(s->camera, p, xy[k]) < 0.1) {
            return; /* around the camera: the sky alone serves */
        }
    }
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < 64; k++) {
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], xy[k][i]), high[i] = fmax(high[i], xy[k][i]);
        }
    }
    g.matrix[0] = (high[0] - low[0]) / 2, g.matrix[3] = fmax((high[1] - low[1]) / 2, 0.01);
    g.matrix[4] = (low[0] + high[0]) / 2, g.matrix[5] = (low[1] + high[1]) / 2;
    g.focus[1] = lbio_clamp((center[1] - g.matrix[5]) / g.matrix[3], -0.8, 0.8);
    double flat = lbio_smooth(0.0, 0.06, s->camera->back[2]);
    for (int k = 0; k < g.count; k++) {
        double f = (double)k / (g.count - 1);
        g.offset[k] = f;
        g.stop[k] = ink_from_linear(s->light.theme->ground,
                                    flat * (1 - lbio_smooth(s->light.fade_in, s->light.fade_out, f * radius)));
    }
    lbio_style style = {.gradient = &g};
    lbio_paint_path(s->painter, (const double(*)[2])xy, NULL, 64, 1, &style);
}

#define GRID_LEVELS 6
#define GRID_LINES 40

/* The grid, cut into pieces that fade; pieces of like strength share one path. */
static lb_status paint_grid(const sheet *s) {
    double step = s->light.grid_step, reach = s->light.fade_out;
    double(*xy)[2] = malloc(sizeof *xy * 2 * (2 * GRID_LINES + 1) * (2 * GRID_LINES + 1));
    int *counts = malloc(sizeof *counts * (2 * GRID_LINES + 1) * (2 * GRID_LINES + 1));
    if (!xy || !counts) {
        free(xy);
        free(counts);
        return LB_ERROR_MEMORY;
    }
    for (int level = 1; level <= GRID_LEVELS; level++) {
        for (int axis = 0; axis < 2; axis++) {
            int pieces = 0;
            for (int a = -GRID_LINES; a <= GRID_LINES; a++) {
                for (int b = -GRID_LINES; b < GRID_LINES; b++) {
                    double ends[2][3];
                    for (int end = 0; end < 2; end++) {
                        ends[end][axis] = s->light.grid_origin[axis] + a * step;
                        ends[end][1 - axis] = s->light.grid_origin[1 - axis] + (b + end) * step;
                        ends[end][2] = s->scene->ground;
                    }
                    double middle[3] = {(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2, 0};
                    if (fabs(a * step) > reach || fabs(b * step) > reach ||
                        (int)ceil(lbio_light_ground_fade(&s->light, middle) * GRID_LEVELS - 0.3) != level) {
                        continue;
                    }
                    if (lbio_camera_project(s->camera, ends[0], xy[2 * pieces]) > 0.05 &&
                        lbio_camera_project(s->camera, ends[1], xy[2 * pieces + 1]) > 0.05) {
                        counts[pieces++] = 2;
                    }
                }
            }
            lbio_style style = {.stroke = ink_from_linear(s->light.theme->grid, 0.85 * level / GRID_LEVELS),
                                .width = 0.8};
            if (pieces) {
                lbio_paint_path(s->painter, (const double(*)[2])xy, counts, pieces, 0, &style);
            }
        }
    }
    free(xy);
    free(counts);
    return LB_OK;
}

typedef struct shadow_field {
    lbio_grid grid;
    double *darkness; /* [node] */
    double level;
} shadow_field;

static double shadow_crossing(void *context, int ix, int iy, int ox, int oy) {
    const shadow_field *f = context;
    double in = f->darkness[(size_t)iy * (size_t)f->grid.w + (size_t)ix];
    double out = f->darkness[(size_t)oy * (size_t)f->grid.w + (size_t)ox];
    return in > out ? lbio_clamp((in - f->level) / (in - out), 0, 1) : 0.5;
}

static void fill_darkness(const sheet *s, shadow_field *f) {
    for (int y = 0; y < f->grid.h; y++) {
        for (int x = 0; x < f->grid.w; x++) {
            lbio_ray ray;
            double p[3], *cell = &f->darkness[(size_t)y * (size_t)f->grid.w + (size_t)x];
            lbio_camera_ray(s->camera, f->grid.x + x * f->grid.step, f->grid.y + y * f->grid.step, &ray);
            *cell = 0;
            if (ray.d[2] < -1e-6) {
                lbio_along(ray.o, (s->scene->ground - ray.o[2]) / ray.d[2], ray.d, p);
                *cell = lbio_light_ground_darkness(&s->light, p) * lbio_light_ground_fade(&s->light, p);
            }
        }
    }
}

/* Shadows on the ground, in faint layers. */
static lb_status paint_shadows(sheet *s) {
    shadow_field f = {.grid = s->grid};
    f.grid.step = 2 * s->grid.step, f.grid.w = s->grid.w / 2 + 1, f.grid.h = s->grid.h / 2 + 1;
    size_t count = (size_t)f.grid.w * (size_t)f.grid.h;
    unsigned char *inside = malloc(count);
    f.darkness = malloc(count * sizeof *f.darkness);
    lb_status status = inside && f.darkness ? LB_OK : LB_ERROR_MEMORY;
    double most = 0, before = 0;
    static const double dark[3] = {0.012, 0.013, 0.015};
    if (!status) {
        fill_darkness(s, &f);
    }
    for (size_t k = 0; !status && k < count; k++) {
        most = fmax(most, f.darkness[k]);
    }
    for (int layer = 0; !status && most > 0.01 && layer < SHADOW_STEPS; layer++) {
        /* Each layer is laid over those before: together they make the darkness of the level's upper end. The eye's
         * scale is not light's: half as dark in light is a third as dark to look at. */
        double upper = most * (layer + 1) / SHADOW_STEPS, wanted = 1 - pow(1 - upper, 1 / 2.2);
        f.level = most * (layer + 0.5) / SHADOW_STEPS;
        for (size_t k = 0; k < count; k++) {
            inside[k] = f.darkness[k] > f.level;
        }
        lbio_box box = {0, 0, f.grid.w - 1, f.grid.h - 1};
        status = lbio_trace(&f.grid, box, inside, shadow_crossing, &f, 0.4, &s->loops);
        lbio_style style = {.fill = ink_from_linear(dark, 1 - (1 - wanted) / (1 - before)), .is_even_odd = 1};
        before = wanted;
        if (!status && s->loops.count) {
            lbio_paint_path(s->painter, (const double(*)[2])s->loops.xy, s->loops.counts, s->loops.count, 1, &style);
        }
    }
    free(inside);
    free(f.darkness);
    return status;
}

/* --- Solids -------------------------------------------------------------------------------------- */

/* Solids of one colour are one material: where they meet there is no line. When there are too many, a colour joins the
 * nearest. */
static void number_materials(sheet *s) {
    for (int k = 0; k < s->scene->prim_count; k++) {
        s->material_of_prim[k] = -1;
        if (s->scene->prims[k].is_clear) {
            continue;
        }
        const double *color = s->scene->prims[k].color;
        int nearest = -1;
        double least = INFINITY;
        for (int m = 0; m < s->material_count; m++) {
            double off[3];
            lbio_along(color, -1, s->colors[m], off);
            if (lbio_dot(off, off) < least) {
                least = lbio_dot(off, off), nearest = m;
            }
        }
        if (least > 0 && s->material_count < MATERIALS_MOST) {
            nearest = s->material_count++;
            memcpy(s->colors[nearest], color, sizeof s->colors[nearest]);
        }
        s->material_of_prim[k] = nearest;
    }
}

/* The face of a translucent solid that a ray enters in the layer; -1: none. And its colour. */
static int clear_face(const sheet *s, const lbio_ray *ray, double rgb[3]) {
    lbio_hit hit = {.t = INFINITY, .prim = -1}, hits[LBIO_CLEAR_LAYERS];
    lbio_tree_hit(s->scene, ray, 0, &hit);
    if (lbio_clear_hits(s->scene, ray, hit.t, hits) <= s->layer) {
        return -1;
    }
    if (rgb) {
        lbio_light_clear(&s->light, &hits[s->layer], ray->d, rgb);
    }
    return (hits[s->layer].prim - s->scene->first_clear) * FACES + hits[s->layer].face;
}

static int material_at(const sheet *s, double x, double y) {
    lbio_ray ray;
    lbio_hit hit = {.t = INFINITY, .prim = -1};
    lbio_camera_ray(s->camera, x, y, &ray);
    if (s->layer >= 0) {
        return clear_face(s, &ray, NULL);
    }
    return lbio_tree_hit(s->scene, &ray, 0, &hit) ? s->material_of_prim[hit.prim] : -1;
}

static size_t node(const sheet *s, int x, int y) { return (size_t)y * (size_t)s->grid.w + (size_t)x; }

/* Where the material changes between two neighbours, from the first (left or upper) one: by bisection, and
 * remembered. */
static double boundary(sheet *s, int ax, int ay, int bx, int by) {
    float *known = (ax != bx ? s->cross_x : s->cross_y) + node(s, ax, ay);
    if (*known >= 0) {
        return *known;
    }
    double low = 0, high = 1;
    int first = s->material[node(s, ax, ay)];
    for (int k = 0; k < 6; k++) {
        double f = (low + high) / 2;
        int m = material_at(s, s->grid.x + s->grid.step * (ax + f * (bx - ax)),
                            s->grid.y + s->grid.step * (ay + f * (by - ay)));
        if (m == first) {
            low = f;
        } else {
            high = f;
        }
    }
    *known = (float)((low + high) / 2);
    return *known;
}

static double solid_crossing(void *context, int ix, int iy, int ox, int oy) {
    sheet *s = context;
    size_t in = node(s, ix, iy), out = node(s, ox, oy);
    int is_other = s->traced >= 0 ? s->material[out] != s->traced : s->material[out] < 0;
    if (is_other) {
        int is_first = ix < ox || iy < oy;
        double f = is_first ? boundary(s, ix, iy, ox, oy) : 1 - boundary(s, ox, oy, ix, iy);
        return f;
    }
    double above = s->tone[in] - s->level, below = s->level - s->tone[out];
    return above + below > 1e-9 ? lbio_clamp(above / (above + below), 0, 1) : 0.5;
}

/* Paints what is marked inside, and unmarks it. */
static lb_status paint_region(sheet *s, lbio_box box, const lbio_ink *ink, double tolerance) {
    lb_status status = lbio_trace(&s->grid, box, s->inside, solid_crossing, s, tolerance, &s->loops);
    lbio_style style = {.fill = *ink, .is_even_odd = 1};
    if (!status && s->loops.count) {
        lbio_paint_path(s->painter, (const double(*)[2])s->loops.xy, s->loops.counts, s->loops.count, 1, &style);
    }
    for (int y = box.y0; y <= box.y1; y++) {
        memset(s->inside + node(s, box.x0, y), 0, (size_t)box.x1 - (size_t)box.x0 + 1);
    }
    return status;
}

/* Shades keep off the outline, which would grow ragged if many layers ended in it: they stay where all eight
 * neighbours are of the same material. */
static int is_within(const sheet *s, int x, int y) {
    int m = s->material[node(s, x, y)];
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (x + dx >= 0 && y + dy >= 0 && x + dx < s->grid.w && y + dy < s->grid.h &&
                s->material[node(s, x + dx, y + dy)] != m) {
                return 0;
            }
        }
    }
    return 1;
}

typedef struct palette {
    int shades; /* steps from the darkest tone to the brightest */
    double low, step;
    double sums[SHADES_MOST][3];
    int counts[SHADES_MOST];
    double mean[3];
} palette;

/* Marks the nodes of a material whose tone is at least `level`; all_of_it: also those at the outline. */
static void mark(sheet *s, int material, double level, int all_of_it) {
    const lbio_box *box = &s->boxes[material];
    for (int y = box->y0; y <= box->y1; y++) {
        for (int x = box->x0; x <= box->x1; x++) {
            size_t k = node(s, x, y);
            s->inside[k] = s->material[k] == material && s->tone[k] >= level && (all_of_it || s->within[k]);
        }
    }
    s->traced = material, s->level = level;
}

/* What tones a material has, and which colour each shade of it is: the mean of what was seen. */
static int collect_palette(const sheet *s, int material, palette *p) {
    const lbio_box *box = &s->boxes[material];
    double high = -1;
    int total = 0;
    memset(p, 0, sizeof *p);
    p->low = 2;
    for (int pass = 0; pass < 2; pass++) {
        for (int y = box->y0; y <= box->y1; y++) {
            for (int x = box->x0; x <= box->x1; x++) {
                size_t k = node(s, x, y);
                if (s->material[k] != material) {
                    continue;
                }
                if (pass == 0) {
                    p->low = fmin(p->low, s->tone[k]), high = fmax(high, s->tone[k]);
                    total++;
                    continue;
                }
                int shade = p->step > 0 ? (int)((s->tone[k] - p->low) / p->step) : 0;
                shade = shade < p->shades ? shade : p->shades - 1;
                p->counts[shade]++;
                for (size_t i = 0; i < 3; i++) {
                    p->sums[shade][i] += s->rgb[3 * k + i];
                    p->mean[i] += s->rgb[3 * k + i] / total;
                }
            }
        }
        p->shades = total ? (int)lbio_clamp(ceil((high - p->low) / SHADE_STEP), 1, SHADES_MOST) : 1;
        p->step = (high - p->low) / p->shades;
    }
    return total;
}

/* All of a material in a middle tone, a little darkened, which stays as an outline; then what is brighter than each
 * level. */
static lb_status paint_material(sheet *s, int material) {
    palette p;
    if (!collect_palette(s, material, &p)) {
        return LB_OK;
    }
    for (int i = 0; i < 3; i++) {
        p.mean[i] *= 0.8;
    }
    lbio_ink ink = ink_from_linear(p.mean, 1);
    mark(s, material, -1, 1);
    lb_status status = paint_region(s, s->boxes[material], &ink, OUTLINE_TOLERANCE);
    for (int shade = 0; shade < p.shades && !status; shade++) {
        int n = p.counts[shade];
        if (n) {
            double rgb[3] = {p.sums[shade][0] / n, p.sums[shade][1] / n, p.sums[shade][2] / n};
            ink = ink_from_linear(rgb, 1);
            mark(s, material, shade ? p.low + shade * p.step : -1, 0);
            status = paint_region(s, s->boxes[material], &ink, SHADE_TOLERANCE);
        }
    }
    return status;
}

/* From solids at the nodes to materials, their extents, tones and what lies off outlines. */
static lbio_box prepare(sheet *s) {
    lbio_box none = {s->grid.w, s->grid.h, -1, -1}, all = none;
    for (int m = 0; m < s->material_count; m++) {
        s->boxes[m] = none;
    }
    for (int y = 0; y < s->grid.h; y++) {
        for (int x = 0; x < s->grid.w; x++) {
            size_t k = node(s, x, y);
            s->cross_x[k] = s->cross_y[k] = -1;
            s->inside[k] = s->material[k] >= 0;
            if (s->material[k] < 0) {
                continue;
            }
            const float *rgb = s->rgb + 3 * k;
            s->material[k] = s->material_of_prim[s->material[k]];
            s->tone[k] = (float)lbio_from_linear(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
            for (int which = 0; which < 2; which++) {
                lbio_box *box = which ? &s->boxes[s->material[k]] : &all;
                box->x0 = x < box->x0 ? x : box->x0, box->x1 = x > box->x1 ? x : box->x1;
                box->y0 = y < box->y0 ? y : box->y0, box->y1 = y > box->y1 ? y : box->y1;
            }
        }
    }
    for (int y = all.y0; y <= all.y1; y++) {
        for (int x = all.x0; x <= all.x1; x++) {
            s->within[node(s, x, y)] = (unsigned char)is_within(s, x, y);
        }
    }
    return all;
}

static lb_status paint_solids(sheet *s) {
    lb_status status = lbio_raster_surface(s->scene, s->camera, &s->light, &s->grid, s->material, s->rgb);
    if (status) {
        return status;
    }
    lbio_box all = prepare(s);
    if (all.x1 < 0) {
        return LB_OK;
    }
    /* Below it all, so that no light shines through where two colours meet. */
    static const double dark[3] = {0.03, 0.03, 0.035};
    lbio_ink under = ink_from_linear(dark, 1);
    s->traced = -1, s->level = -1;
    status = paint_region(s, all, &under, OUTLINE_TOLERANCE);
    for (int material = 0; material < s->material_count && !status; material++) {
        status = paint_material(s, material);
    }
    return status;
}

/* --- What one sees through ------------------------------------------------------------------------ */

/* A face of a translucent solid, as far as it is seen. */
typedef struct pane_of_glass {
    lbio_box box;
    double sum[3]; /* of its colour at the nodes */
    int count;
} pane_of_glass;

static void see_layer(sheet *s, pane_of_glass *glass) {
    for (int y = 0; y < s->grid.h; y++) {
        for (int x = 0; x < s->grid.w; x++) {
            lbio_ray ray;
            double rgb[3];
            const size_t k = node(s, x, y);
            s->cross_x[k] = s->cross_y[k] = -1;
            lbio_camera_ray(s->camera, s->grid.x + x * s->grid.step, s->grid.y + y * s->grid.step, &ray);
            const int face = s->material[k] = clear_face(s, &ray, rgb);
            if (face < 0) {
                continue;
            }
            pane_of_glass *g = &glass[face];
            const lbio_box here = {x, y, x, y};
            g->box = g->count ? g->box : here;
            g->box.x0 = x < g->box.x0 ? x : g->box.x0, g->box.x1 = x > g->box.x1 ? x : g->box.x1;
            g->box.y0 = y < g->box.y0 ? y : g->box.y0, g->box.y1 = y > g->box.y1 ? y : g->box.y1;
            g->count++;
            for (int i = 0; i < 3; i++) {
                g->sum[i] += rgb[i];
            }
        }
    }
}

/* Each face in one colour, layer by layer from the farthest. */
static lb_status paint_clear(sheet *s) {
    const size_t faces = (size_t)s->scene->clear_count * FACES;
    pane_of_glass *glass = malloc((faces + 1) * sizeof *glass);
    lb_status status = glass ? LB_OK : LB_ERROR_MEMORY;
    for (s->layer = LBIO_CLEAR_LAYERS - 1; s->layer >= 0 && faces && !status; s->layer--) {
        memset(glass, 0, faces * sizeof *glass);
        see_layer(s, glass);
        for (size_t f = 0; f < faces && !status; f++) {
            const pane_of_glass *g = &glass[f];
            if (!g->count) {
                continue;
            }
            const double rgb[3] = {g->sum[0] / g->count, g->sum[1] / g->count, g->sum[2] / g->count};
            const lbio_ink ink = ink_from_linear(rgb, LBIO_CLEAR_ALPHA);
            for (int y = g->box.y0; y <= g->box.y1; y++) {
                for (int x = g->box.x0; x <= g->box.x1; x++) {
                    s->inside[node(s, x, y)] = s->material[node(s, x, y)] == (int)f;
                }
            }
            s->traced = (int)f;
            status = paint_region(s, g->box, &ink, OUTLINE_TOLERANCE);
        }
    }
    free(glass);
    return status;
}

/* --- All of it ----------------------------------------------------------------------------------- */

static lb_status allocate(sheet *s) {
    size_t count = (size_t)s->grid.w * (size_t)s->grid.h;
    s->material = malloc(count * sizeof *s->material);
    s->material_of_prim = malloc(((size_t)s->scene->prim_count + 1) * sizeof *s->material_of_prim);
    s->rgb = malloc(3 * count * sizeof *s->rgb);
    s->tone = malloc(count * sizeof *s->tone);
    s->cross_x = malloc(count * sizeof *s->cross_x);
    s->cross_y = malloc(count * sizeof *s->cross_y);
    s->inside = malloc(count);
    s->within = malloc(count);
    return s->material && s->material_of_prim && s->rgb && s->tone && s->cross_x && s->cross_y && s->inside && s->within
               ? LB_OK
               : LB_ERROR_MEMORY;
}

static void release(sheet *s) {
    free(s->material);
    free(s->material_of_prim);
    free(s->rgb);
    free(s->tone);
    free(s->cross_x);
    free(s->cross_y);
    free(s->inside);
    free(s->within);
    lbio_loops_free(&s->loops);
    lbio_light_free(&s->light);
}

lb_status lbio_vector_pane(const lbio_picture *picture, const lbio_pane *pane, lbio_painter *painter) {
    sheet s = {.layer = -1, .pane = pane, .camera = &pane->camera, .scene = picture->scene, .painter = painter};
    const lbio_rect *rect = &pane->rect;
    int has_ground = picture->options->show_ground && pane->camera.back[2] > 0;
    /* A little beyond the view, so that what is cut off there has its edge outside. */
    double step = fmax(1, sqrt(rect->w * rect->h / NODES_MOST));
    lbio_grid grid = {rect->x - 2 * step, rect->y - 2 * step, step, (int)(rect->w / step) + 5,
                      (int)(rect->h / step) + 5};
    s.grid = grid;
    lb_status status =
        lbio_light_build(&s.light, s.scene, &picture->theme, s.camera, has_ground, fmax(rect->w, rect->h));
    status = status ? status : allocate(&s);
    if (!status) {
        number_materials(&s);
        lbio_paint_clip(painter, *rect);
        paint_sky(&s);
        if (has_ground) {
            paint_disc(&s);
            status = paint_grid(&s);
            status = status ? status : paint_shadows(&s);
        }
        status = status ? status : paint_solids(&s);
        status = status ? status : paint_clear(&s);
        lbio_paint_unclip(painter);
    }
    release(&s);
    return status;
}
