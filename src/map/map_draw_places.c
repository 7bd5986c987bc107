/* Places for the base as a map of the floor. */
#include "map/canvas.h"

#include "math/trig.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 900
#define HEAD 44
#define FOOT 46
#define MARGIN 16

typedef struct drawing {
    const lb_map *map;
    const lb_map_places *places;
    const lb_frame *frames;
    int count, height;
    double scale; /* pixels a metre */
    lbio_rect box;
} drawing;

static double across(const drawing *d, double x) {
    return d->box.x + d->scale * (x - d->places->origin[0] + d->places->spacing / 2);
}

static double down(const drawing *d, double y) {
    return d->box.y + d->box.h - d->scale * (y - d->places->origin[1] + d->places->spacing / 2);
}

static void paint_cells(const drawing *d, lbio_painter *painter) {
    const lb_map_places *p = d->places;
    const double side = d->scale * p->spacing;
    for (int i = 0; i < p->shape[0] * p->shape[1]; i++) {
        const lb_map_placement *place = &p->placements[i];
        double rgb[3];
        if (place->reached == 0) {
            memcpy(rgb, lbmap_outside_color, sizeof rgb);
        } else {
            lbmap_color(place->score / (d->count + 1), rgb);
        }
        lbmap_fill(painter, across(d, place->position[0]) - side / 2, down(d, place->position[1]) - side / 2,
                   side + 0.4, side + 0.4, rgb);
    }
}

/* A place of the list: a disc with its rank, and a line that looks where the base does. */
static void paint_rank(const drawing *d, lbio_painter *painter, int rank) {
    static const lbio_ink white = {{1, 1, 1}, 1}, dark = {{0.1, 0.12, 0.15}, 1};
    const lb_map_placement *place = &d->places->ranked[rank];
    const double x = across(d, place->position[0]), y = down(d, place->position[1]);
    const double line[2][2] = {{x, y}, {x + 26 * lbm_cos(place->heading_rad), y - 26 * lbm_sin(place->heading_rad)}};
    const lbio_style stroke = {.stroke = dark, .width = 3}, disc = {.fill = white, .stroke = dark, .width = 1.5};
    const lbio_lettering how = {.size = 12, .anchor = 0, .is_bold = 1, .ink = &dark};
    char text[16];
    lbio_paint_path(painter, line, NULL, 2, 0, &stroke);
    lbio_paint_circle(painter, x, y, 10, &disc);
    snprintf(text, sizeof text, "%d", rank + 1);
    lbio_paint_text(painter, x, y + 4.3, &how, text);
}

static void paint_frame(const drawing *d, lbio_painter *painter, const lb_frame *frame) {
    static const lbio_ink red = {{0.80, 0.15, 0.15}, 1}, white = {{1, 1, 1}, 1};
    const lbio_style disc = {.fill = red, .stroke = white, .width = 1.5};
    lbio_paint_circle(painter, across(d, frame->position[0]), down(d, frame->position[1]), 5, &disc);
}

static lb_status paint(void *context, lbio_painter *painter, int is_vector) {
    const drawing *d = context;
    char text[256], clean[256];
    (void)is_vector;
    lbmap_fill(painter, 0, 0, WIDTH, d->height, lbmap_paper);
    paint_cells(d, painter);
    lbmap_frame_box(painter, d->box);
    for (int i = 0; i < d->count; i++) {
        paint_frame(d, painter, &d->frames[i]);
    }
    for (int i = d->places->ranked_count - 1; i >= 0; i--) {
        paint_rank(d, painter, i);
    }
    snprintf(text, sizeof text, "Where %.80s should stand to reach %d points", d->map->figure_name, d->count);
    lbio_text_clean(text, clean, sizeof clean);
    lbmap_write_text(painter, MARGIN, 29, -20, -1, clean);
    snprintf(text, sizeof text, "all %d points reached, well", d->count);
    lbmap_legend_bar(painter, MARGIN + 30, d->height - FOOT + 16, 180, "0", text);
    lbmap_legend_swatch(painter, MARGIN + 440, d->height - FOOT + 16, lbmap_outside_color, "none");
    lbmap_legend_swatch(painter, MARGIN + 520, d->height - FOOT + 16, (const double[]){0.80, 0.15, 0.15}, "points");
    lbmap_write_text(painter, MARGIN + 610, d->height - FOOT + 27.5, 13, -1, "numbers: the ranked list");
    return LB_OK;
}

lb_status lb_map_draw_places(const lb_map *map, const lb_map_places *places, const lb_frame *frames, int count,
                             const char *path, lb_error *error) {
    if (!map || !places || !places->placements || !frames || !path) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0, "a picture of places needs places and a path");
    }
    drawing d = {.map = map, .places = places, .frames = frames, .count = count};
    const double wide = places->shape[0] * places->spacing, high = places->shape[1] * places->spacing;
    d.scale = fmin((WIDTH - 2.0 * MARGIN) / wide, 1400 / high);
    d.box = (lbio_rect){MARGIN, HEAD, d.scale * wide, d.scale * high};
    d.height = (int)(HEAD + d.box.h + FOOT + 0.5);
    const lbmap_canvas canvas = {.path = path, .width = WIDTH, .height = d.height, .paint = paint, .context = &d};
    return lbmap_canvas_write(&canvas, error);
}
