/* Light and colour: one large key light from over the camera's left shoulder with soft shadows, a weak fill from the
 * right, light of sky and ground with ambient occlusion, and a rim. All sampling uses fixed directions, so a picture
 * has neither noise nor chance in it. */
#include "io/render/render.h"
#include <stdlib.h>
#include <string.h>

#define GROUND_MAP_MOST 320
#define EDGE 1e-7 /* how far rays start off a surface, scene units: less than any crease is wide */

double lbio_to_linear(double s) { return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4); }

double lbio_from_linear(double x) {
    x = lbio_clamp(x, 0, 1);
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

void lbio_color_to_linear(const double srgb[3], double linear[3]) {
    for (int i = 0; i < 3; i++) {
        linear[i] = lbio_to_linear(srgb[i]);
    }
}

static void set_srgb(double rgb[3], int hex) {
    rgb[0] = (hex >> 16 & 255) / 255.0, rgb[1] = (hex >> 8 & 255) / 255.0, rgb[2] = (hex & 255) / 255.0;
}

static void set_linear(double rgb[3], int hex) {
    set_srgb(rgb, hex);
    lbio_color_to_linear(rgb, rgb);
}

void lbio_theme_get(int is_dark, lbio_theme *theme) {
    set_linear(theme->sky_top, is_dark ? 0x2b323b : 0xfbfcfd);
    set_linear(theme->sky_bottom, is_dark ? 0x171b20 : 0xdfe5eb);
    set_linear(theme->ground, is_dark ? 0x2f3741 : 0xeef1f4);
    set_linear(theme->grid, is_dark ? 0x3d4752 : 0xc9d2db);
    set_srgb(theme->ink, is_dark ? 0xe9eef3 : 0x1f2a36);
    set_srgb(theme->faint, is_dark ? 0x98a5b3 : 0x66758a);
    set_srgb(theme->halo, is_dark ? 0x20262d : 0xf6f8fa);
    set_srgb(theme->joint, is_dark ? 0xffd479 : 0x16324f);
    set_srgb(theme->site, is_dark ? 0x6fe0b0 : 0x0f8a5f);
    set_srgb(theme->com, is_dark ? 0xff7d7d : 0xc62f2f);
    set_srgb(theme->range, is_dark ? 0xffb347 : 0xf08a24);
    set_srgb(theme->edge, is_dark ? 0xffc877 : 0xc2620a);
    set_srgb(theme->now, is_dark ? 0xffffff : 0x7a1f0b);
    set_srgb(theme->low_color, 0x3d6d9e);
    set_srgb(theme->middle_color, 0x58a4b0);
    set_srgb(theme->high_color, 0xe8a254);
    theme->ambient = is_dark ? 0.42 : 0.56;
    theme->shadow_strength = is_dark ? 0.62 : 0.50;
}

/* --- Building ------------------------------------------------------------------------------------ */

static void place_lights(lbio_light *light, const lbio_camera *camera) {
    double toward[3] = {camera->right[1], -camera->right[0], 0}; /* level, from the scene to the camera */
    double zenith[3] = {0, 0, 1}, a[3], b[3];
    for (int i = 0; i < 3; i++) {
        light->key[i] = 0.55 * toward[i] - 0.62 * camera->right[i] + 1.25 * zenith[i];
        light->fill[i] = 0.55 * toward[i] + 0.85 * camera->right[i] + 0.25 * zenith[i];
    }
    lbio_normalize(light->key);
    lbio_normalize(light->fill);
    lbio_basis(light->key, a, b);
    for (int k = 0; k < LBIO_KEY_SAMPLES; k++) {
        /* Eight on the rim first: where they agree, a point is fully lit or fully dark. Then a sunflower. */
        double radius = k < 8 ? 1 : sqrt((k - 7.5) / (LBIO_KEY_SAMPLES - 8));
        double turn = k < 8 ? k * LBIO_PI / 4 : k * 2.399963229728653;
        lbio_along(light->key, 0.16 * radius * cos(turn), a, light->key_samples[k]);
        lbio_along(light->key_samples[k], 0.16 * radius * sin(turn), b, light->key_samples[k]);
        lbio_normalize(light->key_samples[k]);
    }
    for (int k = 0; k < LBIO_SKY_SAMPLES; k++) { /* evenly over the sphere: Fibonacci's lattice */
        double z = 1 - (2 * k + 1.0) / LBIO_SKY_SAMPLES, r = sqrt(1 - z * z), turn = k * 2.399963229728653;
        light->sky_samples[k][0] = r * cos(turn), light->sky_samples[k][1] = r * sin(turn);
        light->sky_samples[k][2] = z;
    }
}

/* What of the key light arrives: each sample counts by how squarely it falls on the surface, so a solid alone is lit
 * smoothly up to its terminator. */
static double key_arrival(const lbio_light *light, const double p[3], const double n[3]) {
    double lit = 0, all = 0;
    for (int k = 0; k < LBIO_KEY_SAMPLES; k++) {
        lbio_ray ray;
        double weight = lbio_dot(n, light->key_samples[k]);
        if (weight > 0) {
            memcpy(ray.d, light->key_samples[k], sizeof ray.d);
            lbio_along(p, EDGE, ray.d, ray.o);
            all += weight;
            lit += lbio_tree_blocked(light->scene, &ray) ? 0 : weight;
        }
        if (k == 7 && all > 0 && (lit == 0 || lit == all)) {
            break;
        }
    }
    return all > 0 ? lit / all : 0;
}

static double sky_arrival(const lbio_light *light, const double p[3], const double n[3]) {
    double seen = 0, all = 0;
    for (int k = 0; k < LBIO_SKY_SAMPLES; k++) {
        lbio_ray ray;
        double weight = lbio_dot(n, light->sky_samples[k]);
        if (weight <= 0.01) {
            continue;
        }
        lbio_hit hit = {.t = light->reach, .prim = -1};
        memcpy(ray.d, light->sky_samples[k], sizeof ray.d);
        memcpy(ray.o, p, sizeof ray.o);
        all += weight;
        /* What is near hides all of its part of the sky, what is at the reach's end nothing. */
        seen += weight * (lbio_tree_hit(light->scene, &ray, 0, &hit) ? hit.t / light->reach : 1);
    }
    return all > 0 ? seen / all : 1;
}

lbio_arrival lbio_light_arrival(const lbio_light *light, const double p[3], const double n[3]) {
    double start[3];
    lbio_along(p, 10 * EDGE, n, start);
    lbio_arrival arrival = {0, sky_arrival(light, start, n)};
    arrival.key = key_arrival(light, start, n);
    return arrival;
}

/* A steps-of-1-2-5 length near the wanted one. */
static double round_length(double wanted) {
    double power = pow(10, floor(log10(wanted)));
    double lead = wanted / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

static lb_status build_ground_map(lbio_light *light, double detail) {
    const lbio_scene *scene = light->scene;
    double low[2], high[2], height = scene->high[2] - scene->ground;
    for (int i = 0; i < 2; i++) {
        double shift = -light->key[i] / light->key[2] * height, margin = light->reach + 0.25 * height;
        low[i] = scene->low[i] + fmin(shift, 0) - margin;
        high[i] = scene->high[i] + fmax(shift, 0) + margin;
    }
    double cells = lbio_clamp(detail * 0.27, 32, GROUND_MAP_MOST), longer = fmax(high[0] - low[0], high[1] - low[1]);
    light->shade_cell = longer / cells;
    light->shade_w = (int)ceil((high[0] - low[0]) / light->shade_cell) + 1;
    light->shade_h = (int)ceil((high[1] - low[1]) / light->shade_cell) + 1;
    light->shade_low[0] = low[0], light->shade_low[1] = low[1];
    light->shade = malloc((size_t)light->shade_w * (size_t)light->shade_h * 2 * sizeof *light->shade);
    if (!light->shade) {
        return LB_ERROR_MEMORY;
    }
    double n[3] = {0, 0, 1};
    for (int y = 0; y < light->shade_h; y++) {
        for (int x = 0; x < light->shade_w; x++) {
            double p[3] = {low[0] + x * light->shade_cell, low[1] + y * light->shade_cell, scene->ground - 1e-4};
            double *cell = light->shade + 2 * ((size_t)y * (size_t)light->shade_w + (size_t)x);
            cell[0] = key_arrival(light, p, n);
            cell[1] = sky_arrival(light, p, n);
        }
    }
    return LB_OK;
}

lb_status lbio_light_build(lbio_light *light, const lbio_scene *scene, const lbio_theme *theme,
                           const lbio_camera *camera, int has_ground, double detail) {
    lbio_light blank = {.scene = scene, .theme = theme, .has_ground = has_ground, .reach = 0.3};
    *light = blank;
    place_lights(light, camera);
    double spread = 0;
    light->grid_step = round_length(0.28 * scene->scale) / scene->scale;
    for (int i = 0; i < 2; i++) {
        spread = fmax(spread, (scene->high[i] - scene->low[i]) / 2);
        light->grid_origin[i] = fmod(-scene->origin[i] / scene->scale, light->grid_step); /* the grid is the world's */
    }
    light->fade_in = 0.9 + spread, light->fade_out = 2.9 + 2 * spread;
    return has_ground && detail > 0 ? build_ground_map(light, detail) : LB_OK;
}

void lbio_light_free(lbio_light *light) {
    free(light->shade);
    light->shade = NULL;
}

/* --- Colours ------------------------------------------------------------------------------------- */

void lbio_light_surface(const lbio_light *light, const double color[3], const double n[3], const double d[3],
                        lbio_arrival arrival, double rgb[3]) {
    static const double key_color[3] = {1.0, 0.965, 0.91}, fill_color[3] = {0.80, 0.90, 1.0};
    static const double sky_color[3] = {0.93, 0.97, 1.0}, bounce_color[3] = {0.72, 0.69, 0.66};
    double half[3], key = fmax(lbio_dot(n, light->key), 0), fill = fmax(0.25 + 0.75 * lbio_dot(n, light->fill), 0);
    double up = 0.5 + 0.5 * n[2], facing = fmax(-lbio_dot(n, d), 0);
    for (int i = 0; i < 3; i++) {
        half[i] = light->key[i] - d[i];
    }
    lbio_normalize(half);
    double gloss = pow(fmax(lbio_dot(n, half), 0), 48) * 0.22 * arrival.key;
    double rim = pow(1 - facing, 4) * 0.16 * arrival.sky;
    double sky = arrival.sky * (0.35 + 0.65 * arrival.sky); /* a little deeper than the truth: creases read better */
    for (int i = 0; i < 3; i++) {
        double around = light->theme->ambient * (up * sky_color[i] + (1 - up) * bounce_color[i]) * sky;
        double direct = 0.78 * key * arrival.key * key_color[i] + 0.16 * fill * fill_color[i] * sky;
        rgb[i] = color[i] * (around + direct) + gloss * key_color[i] + rim * sky_color[i] * 0.6;
    }
}

/* Bilinear look-up; beyond the map all light arrives. */
static lbio_arrival ground_arrival(const lbio_light *light, const double p[3]) {
    lbio_arrival arrival = {1, 1};
    if (!light->shade) {
        return arrival;
    }
    double x = (p[0] - light->shade_low[0]) / light->shade_cell, y = (p[1] - light->shade_low[1]) / light->shade_cell;
    if (!(x >= 0 && y >= 0 && x < light->shade_w - 1 && y < light->shade_h - 1)) {
        return arrival;
    }
    int ix = (int)x, iy = (int)y;
    double fx = x - ix, fy = y - iy, value[2];
    size_t row = 2 * (size_t)light->shade_w;
    const double *cell = light->shade + (size_t)iy * row + 2 * (size_t)ix;
    for (int i = 0; i < 2; i++) {
        double near_row = cell[i] * (1 - fx) + cell[i + 2] * fx;
        double far_row = cell[i + row] * (1 - fx) + cell[i + 2 + row] * fx;
        value[i] = near_row * (1 - fy) + far_row * fy;
    }
    arrival.key = value[0], arrival.sky = value[1];
    return arrival;
}

double lbio_light_ground_fade(const lbio_light *light, const double p[3]) {
    double middle[2] = {(light->scene->low[0] + light->scene->high[0]) / 2,
                        (light->scene->low[1] + light->scene->high[1]) / 2};
    double r = hypot(p[0] - middle[0], p[1] - middle[1]);
    return 1 - lbio_smooth(light->fade_in, light->fade_out, r);
}

double lbio_light_ground_darkness(const lbio_light *light, const double p[3]) {
    lbio_arrival arrival = ground_arrival(light, p);
    double strength = light->theme->shadow_strength;
    return 1 - (1 - strength * 0.62 * (1 - arrival.key)) * (1 - strength * 1.1 * (1 - arrival.sky));
}

/* How much of a footprint of this width, `off` away from a line, the line covers. */
static double line_coverage(double off, double width, double footprint) {
    double low = fmax(off - footprint / 2, -width / 2), high = fmin(off + footprint / 2, width / 2);
    return high > low ? (high - low) / footprint : 0;
}

static double grid_coverage(const lbio_light *light, const double p[3], const double d[3], double pixel) {
    double most = 0, step = light->grid_step;
    for (int i = 0; i < 2; i++) {
        double from = p[i] - light->grid_origin[i];
        double off = from - step * floor(from / step + 0.5);
        double stretch = d[i] / d[2], footprint = pixel * sqrt(1 + stretch * stretch);
        double width = fmax(0.008 * 0.9, pixel * 1.1); /* never thinner than a pixel seen straight on */
        double fade = 1 - lbio_smooth(0.12, 0.45, footprint / step);
        most = fmax(most, line_coverage(off, width, footprint * 1.3) * fade);
    }
    return most;
}

double lbio_light_backdrop(const lbio_light *light, const lbio_camera *camera, const lbio_ray *ray, double y01,
                           double rgb[3]) {
    const lbio_theme *theme = light->theme;
    double mix = lbio_smooth(0, 1, y01);
    for (int i = 0; i < 3; i++) {
        rgb[i] = theme->sky_top[i] + (theme->sky_bottom[i] - theme->sky_top[i]) * mix;
    }
    if (!light->has_ground || !(ray->d[2] < -1e-6)) {
        return INFINITY;
    }
    double t = (light->scene->ground - ray->o[2]) / ray->d[2], p[3];
    if (t <= 0) {
        return INFINITY;
    }
    lbio_along(ray->o, t, ray->d, p);
    /* Near the horizon the ground melts into the sky as well, or its edge would be a hard line. */
    double fade = lbio_light_ground_fade(light, p) * lbio_smooth(0.0, 0.06, -ray->d[2]);
    if (fade <= 0) {
        return t;
    }
    double pixel = (camera->is_perspective ? t : 1) / camera->focal;
    double grid = 0.85 * grid_coverage(light, p, ray->d, pixel);
    double lit = 1 - lbio_light_ground_darkness(light, p);
    for (int i = 0; i < 3; i++) {
        double ground = theme->ground[i] + (theme->grid[i] - theme->ground[i]) * grid;
        rgb[i] += (ground * lit - rgb[i]) * fade;
    }
    return t;
}
