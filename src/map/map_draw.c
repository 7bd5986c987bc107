/* A map as a picture: the figure with the surface around what it reaches, and three slices. */
#include "map/canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 16
#define HEAD 44 /* of the title, pixels */
#define FOOT 46 /* of the legend */
#define CAPTION 24

typedef struct drawing {
    const lb_map *map;
    const lb_map_picture *options;
    lbmap_surface surface;
    lb_render_options look;
    lbio_scene scene;
    lbio_picture picture;
    int64_t at[3]; /* the cell that the slices go through */
    int has_scene;
} drawing;

/* --- Slices ---------------------------------------------------------------------------------------------------------- */

/* The colour of a cell; 0: it is not painted. */
static int color_of(const lb_map *map, int64_t cell, double rgb[3]) {
    switch (map->states[cell]) {
    case LB_MAP_STATE_REACHED:
        lbmap_color(lbmap_share(map, cell), rgb);
        return 1;
    case LB_MAP_STATE_OUTSIDE:
        memcpy(rgb, lbmap_outside_color, 3 * sizeof *rgb);
        return 1;
    case LB_MAP_STATE_UNFOUND:
        memcpy(rgb, lbmap_unfound_color, 3 * sizeof *rgb);
        return 1;
    default:
        return 0;
    }
}

/* The slice normal to an axis through the drawing's cell: u runs right, v up. */
static void paint_slice(const drawing *d, lbio_painter *painter, int axis, lbio_rect pane) {
    static const char *const names[] = {"x", "y", "z"}, *const views[] = {"from the front", "from the side",
                                                                          "from above"};
    const lbmap_layout *l = &d->map->layout;
    const int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    const double wide = (double)l->shape[u], high = (double)l->shape[v];
    const double scale = fmin(pane.w / wide, (pane.h - CAPTION) / high);
    const lbio_rect box = {pane.x + (pane.w - scale * wide) / 2,
                           pane.y + CAPTION + (pane.h - CAPTION - scale * high) / 2, scale * wide, scale * high};
    char text[128];
    for (int64_t i = 0; i < l->shape[u]; i++) {
        for (int64_t j = 0; j < l->shape[v]; j++) {
            int64_t at[3] = {d->at[0], d->at[1], d->at[2]};
            double rgb[3];
            at[u] = i, at[v] = j;
            if (color_of(d->map, at[0] + l->shape[0] * (at[1] + l->shape[1] * at[2]), rgb)) {
                const double x = box.x + scale * (double)i, y = box.y + box.h - scale * (double)(j + 1);
                const double w = fmin(scale + 0.4, box.x + box.w - x), h = fmin(scale + 0.4, box.y + box.h - y);
                lbmap_fill(painter, x, y, w, h, rgb);
            }
        }
    }
    lbmap_frame_box(painter, box);
    snprintf(text, sizeof text, "%s = %.3g m, %s", names[axis], l->origin[axis] + (double)d->at[axis] * l->spacing,
             views[axis]);
    lbmap_write_text(painter, box.x, box.y - 7, -14, -1, text);
    snprintf(text, sizeof text, "%s to %.2f m", names[u], l->origin[u] + (wide - 0.5) * l->spacing);
    lbmap_write_text(painter, box.x + box.w - 5, box.y + box.h - 6, 11, 1, text);
    snprintf(text, sizeof text, "%s to %.2f m", names[v], l->origin[v] + (high - 0.5) * l->spacing);
    lbmap_write_text(painter, box.x + 5, box.y + 14, 11, -1, text);
}

/* The cell that slices go through: the middle of what is reached, or the caller's. */
static lb_status choose_cell(drawing *d, lb_error *error) {
    const lbmap_layout *l = &d->map->layout;
    double sum[3] = {0}, count = 0;
    if (d->options->has_at) {
        const int64_t cell = lbmap_find_cell(d->map, d->options->at);
        if (cell < 0) {
            return lbio_error(error, LB_ERROR_ARGUMENT, d->map->path, 0, "the slices would be outside of the map");
        }
        d->at[0] = cell % l->shape[0], d->at[1] = cell / l->shape[0] % l->shape[1];
        d->at[2] = cell / l->shape[0] / l->shape[1];
        return LB_OK;
    }
    for (int64_t c = 0; c < l->cell_count; c++) {
        if (d->map->states[c] == LB_MAP_STATE_REACHED) {
            sum[0] += (double)(c % l->shape[0]), sum[1] += (double)(c / l->shape[0] % l->shape[1]);
            sum[2] += (double)(c / l->shape[0] / l->shape[1]);
            count++;
        }
    }
    for (int i = 0; i < 3; i++) {
        d->at[i] = count > 0 ? (int64_t)(sum[i] / count + 0.5) : l->shape[i] / 2;
    }
    return LB_OK;
}

/* --- The figure in the surface
 * ------------------------------------------------------------------------------------------ */

typedef struct seen {
    double xy[3][2], depth, light;
} seen;

static int by_depth(const void *a, const void *b) {
    const double p = ((const seen *)a)->depth, q = ((const seen *)b)->depth;
    return p > q ? -1 : p < q;
}

/* Projects a triangle and lights it. */
static void see(const drawing *d, const lbmap_triangle *t, seen *out) {
    const lbio_camera *camera = &d->picture.panes[0].camera;
    double p[3][3], u[3], v[3], n[3];
    out->depth = 0;
    for (int i = 0; i < 3; i++) {
        lbio_to_scene(&d->scene, t->p[i], p[i]);
        out->depth += lbio_camera_project(camera, p[i], out->xy[i]) / 3;
    }
    lbio_along(p[1], -1, p[0], u), lbio_along(p[2], -1, p[0], v);
    lbio_cross(u, v, n);
    lbio_normalize(n);
    out->light = fabs(lbio_dot(n, camera->back));
}

/* The surface as glass over the figure: faces that are seen edge-on are denser, as those of a bubble. */
static lb_status paint_surface(const drawing *d, lbio_painter *painter) {
    static const double rgb[3] = {0.13, 0.45, 0.60};
    seen *all = malloc(((size_t)d->surface.count + 1) * sizeof *all);
    if (!all) {
        return LB_ERROR_MEMORY;
    }
    for (int i = 0; i < d->surface.count; i++) {
        see(d, &d->surface.triangles[i], &all[i]);
    }
    qsort(all, (size_t)d->surface.count, sizeof *all, by_depth);
    lbio_paint_clip(painter, d->picture.panes[0].rect);
    for (int i = 0; i < d->surface.count; i++) {
        const double edge = 1 - all[i].light;
        const lbio_style style = {.fill = {{rgb[0], rgb[1], rgb[2]}, 0.05 + 0.30 * edge * edge}};
        lbio_paint_path(painter, (const double(*)[2])all[i].xy, NULL, 3, 1, &style);
    }
    lbio_paint_unclip(painter);
    free(all);
    return LB_OK;
}

/* A scene that holds the figure and all that it reaches. */
static lb_status build_scene(drawing *d, lbio_rect pane, lb_error *error) {
    const lb_figure *figure = d->map->figure;
    const double *pose = d->map->base_pose;
    const lb_scene cast = {.figure_count = 1, .figures = &figure, .poses = &pose};
    lb_status status = lbio_scene_build(&cast, &d->look, &d->scene, error);
    if (status) {
        return status;
    }
    for (int i = 0; i < 3; i++) {
        d->look.lower[i] = d->scene.origin[i] + d->scene.scale * d->scene.low[i];
        d->look.upper[i] = d->scene.origin[i] + d->scene.scale * d->scene.high[i];
        for (int t = 0; t < 3 * d->surface.count; t++) {
            const double value = d->surface.triangles[t / 3].p[t % 3][i];
            d->look.lower[i] = fmin(d->look.lower[i], value), d->look.upper[i] = fmax(d->look.upper[i], value);
        }
    }
    lbio_scene_free(&d->scene);
    d->look.has_bounds = 1;
    status = lbio_scene_build(&cast, &d->look, &d->scene, error);
    if (status) {
        return status;
    }
    d->has_scene = 1;
    d->picture = (lbio_picture){.figure = figure, .options = &d->look, .scene = &d->scene, .pane_count = 1};
    lbio_theme_get(0, &d->picture.theme);
    lbio_pane *p = &d->picture.panes[0];
    p->rect = p->frame = pane;
    p->azimuth_deg = d->options->has_camera ? d->options->azimuth_deg : 38;
    p->elevation_deg = d->options->has_camera ? d->options->elevation_deg : 16;
    lbio_camera_fit(&p->camera, &d->scene, p->azimuth_deg, p->elevation_deg, 1, p->frame);
    return LB_OK;
}

/* --- All of it ------------------------------------------------------------------------------------------------------------ */

static void panes(const drawing *d, lbio_rect rects[4]) {
    const double w = (d->look.width - 3.0 * MARGIN) / 2, h = (d->look.height - HEAD - FOOT - 2.0 * MARGIN) / 2;
    for (int i = 0; i < 4; i++) {
        rects[i] = (lbio_rect){MARGIN + (i % 2) * (w + MARGIN), HEAD + (i / 2) * (h + MARGIN), floor(w), floor(h)};
    }
}

static lb_status raster(void *context, unsigned char *pixels, int stride) {
    drawing *d = context;
    return lbio_raster_pane(&d->picture, &d->picture.panes[0], pixels, stride);
}

static void paint_legend(const drawing *d, lbio_painter *painter) {
    const int has_share = d->map->layout.orientation_count > 1;
    const double y = d->look.height - FOOT + 14, x = MARGIN;
    lbmap_legend_bar(painter, x + 30, y, 180, "0",
                     has_share ? "100% of orientations reached" : "1: margin to the limits");
    lbmap_legend_swatch(painter, x + 490, y, lbmap_outside_color, "proved out of reach");
    lbmap_legend_swatch(painter, x + 680, y, lbmap_unfound_color, "not found");
}

static lb_status paint(void *context, lbio_painter *painter, int is_vector) {
    drawing *d = context;
    lbio_rect rects[4];
    char title[256], clean[256];
    lb_status status = LB_OK;
    if (is_vector) {
        lbmap_fill(painter, 0, 0, d->look.width, d->look.height, lbmap_paper);
        status = lbio_vector_pane(&d->picture, &d->picture.panes[0], painter);
    }
    status = status ? status : paint_surface(d, painter);
    panes(d, rects);
    lbmap_frame_box(painter, rects[0]);
    for (int i = 0; i < 3; i++) {
        paint_slice(d, painter, i == 0 ? 2 : i == 1 ? 1 : 0, rects[i + 1]);
    }
    snprintf(title, sizeof title, "%.80s: where %.80s reaches", d->map->figure_name, d->map->site_text);
    lbio_text_clean(d->options->title ? d->options->title : title, clean, sizeof clean);
    lbmap_write_text(painter, MARGIN, 29, -20, -1, clean);
    paint_legend(d, painter);
    return status;
}

void lb_map_picture_defaults(lb_map_picture *options) { *options = (lb_map_picture){.width = 1200, .height = 960}; }

lb_status lb_map_render(const lb_map *map, const lb_map_picture *options, const char *path, lb_error *error) {
    lb_map_picture defaults;
    lb_map_picture_defaults(&defaults);
    if (!map || !path) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0, "a picture needs a map and a path");
    }
    drawing d = {.map = map, .options = options ? options : &defaults};
    if (d.options->width < 400 || d.options->height < 300 || d.options->width > 8000 || d.options->height > 8000) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "a picture of a map has 400 x 300 to 8000 x 8000 pixels");
    }
    lbio_rect rects[4];
    lb_render_options_defaults(&d.look);
    d.look.width = d.options->width, d.look.height = d.options->height;
    d.look.show_joints = 0;
    panes(&d, rects);
    lb_status status = lbmap_surface_make(map, &d.surface, error);
    status = status ? status : choose_cell(&d, error);
    status = status ? status : build_scene(&d, rects[0], error);
    const lbmap_canvas canvas = {.path = path,
                                 .width = d.look.width,
                                 .height = d.look.height,
                                 .format = d.options->format,
                                 .raster = raster,
                                 .paint = paint,
                                 .context = &d};
    status = status ? status : lbmap_canvas_write(&canvas, error);
    if (d.has_scene) {
        lbio_scene_free(&d.scene);
    }
    lbmap_surface_free(&d.surface);
    return status;
}
