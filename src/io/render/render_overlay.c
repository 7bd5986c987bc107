/* What is painted over the solids: limits, dots for joints and sites, the centre of mass, names with leader lines,
 * captions and the scale. */
#include "io/render/render.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_FONT_MOST 12.0
#define LABEL_FONT_LEAST 7.0
#define CAPTION_FONT 12.0

static lbio_ink ink_of(const double rgb[3], double alpha) {
    lbio_ink ink = {{rgb[0], rgb[1], rgb[2]}, alpha};
    return ink;
}

/* --- Limits -------------------------------------------------------------------------------------- */

static const double met_ink[3] = {0.10, 0.52, 0.28}, unmet_ink[3] = {0.80, 0.16, 0.14};
static const double axis_inks[3][3] = {{0.84, 0.20, 0.18}, {0.16, 0.58, 0.24}, {0.18, 0.34, 0.84}};

static lbio_style outline_style(const lbio_theme *theme, lbio_outline_kind kind) {
    lbio_style style = {.width = 1.2};
    switch (kind) {
    case LBIO_OUTLINE_RANGE:
        style.fill = ink_of(theme->range, 0.20);
        break;
    case LBIO_OUTLINE_EDGE:
        style.stroke = ink_of(theme->edge, 0.85);
        break;
    case LBIO_OUTLINE_FREE:
        style.stroke = ink_of(theme->edge, 0.45), style.dash = 3, style.width = 0.9;
        break;
    case LBIO_OUTLINE_NOW:
        style.stroke = ink_of(theme->now, 0.95), style.width = 2;
        break;
    case LBIO_OUTLINE_GOAL:
        style.stroke = ink_of(met_ink, 0.8), style.width = 1.6, style.dash = 6;
        break;
    case LBIO_OUTLINE_X:
    case LBIO_OUTLINE_Y:
    case LBIO_OUTLINE_Z:
        style.stroke = ink_of(axis_inks[kind - LBIO_OUTLINE_X], 0.9), style.width = 1.8;
        break;
    default:
        style.stroke = ink_of(theme->range, 0.8), style.width = 3;
        break;
    }
    return style;
}

static void paint_outlines(const lbio_picture *picture, const lbio_camera *camera, lbio_painter *painter) {
    const lbio_scene *scene = picture->scene;
    double xy[256][2];
    for (int k = 0; k < scene->outline_count; k++) {
        const lbio_outline *outline = &scene->outlines[k];
        lbio_style style = outline_style(&picture->theme, outline->kind);
        int count = outline->count < 256 ? outline->count : 256, is_seen = 1;
        for (int i = 0; i < count; i++) {
            is_seen &= lbio_camera_project(camera, scene->points[outline->first + i], xy[i]) > 0.05;
        }
        if (is_seen) {
            lbio_paint_path(painter, (const double(*)[2])xy, NULL, count, outline->is_closed, &style);
        }
    }
}

/* --- Dots ---------------------------------------------------------------------------------------- */

/* Dots shrink where joints are close together, so that a spine is a row of dots and not a bar. */
static double dot_radius(const double (*xy)[2], const lbio_mark *marks, int count, int which, double most) {
    double nearest = INFINITY;
    for (int k = 0; k < count; k++) {
        if (k != which && marks[k].kind == LBIO_MARK_JOINT) {
            double away = hypot(xy[k][0] - xy[which][0], xy[k][1] - xy[which][1]);
            nearest = away > 0.5 ? fmin(nearest, away) : nearest;
        }
    }
    return lbio_clamp(0.42 * nearest, 1.2, most);
}

/* The engineer's sign: a circle with two dark quarters; a plumb line shows where it stands. */
static void paint_com(const lbio_picture *picture, const lbio_camera *camera, const double p[3],
                      lbio_painter *painter) {
    double xy[2], foot[3] = {p[0], p[1], picture->scene->ground}, line[2][2], r = 7;
    lbio_style rim = {.fill = ink_of(picture->theme.halo, 1), .stroke = ink_of(picture->theme.com, 1), .width = 1.5};
    lbio_style dark = {.fill = ink_of(picture->theme.com, 1)};
    lbio_style plumb = {.stroke = ink_of(picture->theme.com, 0.8), .width = 1.2, .dash = 4};
    lbio_style print = {.fill = ink_of(picture->theme.com, 0.9)};
    lbio_camera_project(camera, p, xy);
    if (picture->options->show_ground && lbio_camera_project(camera, foot, line[1]) > 0.05) {
        memcpy(line[0], xy, sizeof xy);
        lbio_paint_path(painter, (const double(*)[2])line, NULL, 2, 0, &plumb);
        lbio_paint_circle(painter, line[1][0], line[1][1], 2.5, &print);
    }
    lbio_paint_circle(painter, xy[0], xy[1], r, &rim);
    for (int quarter = 0; quarter < 2; quarter++) {
        double wedge[10][2] = {{xy[0], xy[1]}};
        for (int k = 0; k < 9; k++) {
            double a = quarter * LBIO_PI + k * LBIO_PI / 16;
            wedge[k + 1][0] = xy[0] + r * cos(a), wedge[k + 1][1] = xy[1] - r * sin(a);
        }
        lbio_paint_path(painter, (const double(*)[2])wedge, NULL, 10, 1, &dark);
    }
}

/* A target: a ring with four ticks, green where it is met. */
static void paint_target(const lbio_picture *picture, int is_met, const double at[2], lbio_painter *painter) {
    const double *ink = is_met ? met_ink : unmet_ink;
    lbio_style ring = {.stroke = ink_of(ink, 0.95), .width = 1.6};
    lbio_style halo = {.stroke = ink_of(picture->theme.halo, 0.8), .width = 3.4};
    const lbio_style *styles[2] = {&halo, &ring};
    for (int k = 0; k < 2; k++) {
        lbio_paint_circle(painter, at[0], at[1], 6, styles[k]);
        for (int tick = 0; tick < 4; tick++) {
            double dx = tick == 0 ? 1 : tick == 1 ? -1 : 0, dy = tick == 2 ? 1 : tick == 3 ? -1 : 0;
            double line[2][2] = {{at[0] + 4 * dx, at[1] + 4 * dy}, {at[0] + 10 * dx, at[1] + 10 * dy}};
            lbio_paint_path(painter, (const double(*)[2])line, NULL, 2, 0, styles[k]);
        }
    }
}

static void paint_marks(const lbio_picture *picture, const lbio_camera *camera, const double (*xy)[2],
                        const double *depth, lbio_painter *painter) {
    const lbio_scene *scene = picture->scene;
    double most = lbio_clamp(0.014 * camera->pixels_per_unit, 2, 3.6);
    for (int k = 0; k < scene->mark_count; k++) {
        const lbio_mark *mark = &scene->marks[k];
        if (depth[k] <= 0.05) {
            continue;
        }
        if (mark->kind == LBIO_MARK_COM) {
            paint_com(picture, camera, mark->p, painter);
        } else if (mark->kind == LBIO_MARK_MET || mark->kind == LBIO_MARK_UNMET) {
            paint_target(picture, mark->kind == LBIO_MARK_MET, xy[k], painter);
        } else if (mark->kind == LBIO_MARK_SITE) {
            lbio_style style = {
                .fill = ink_of(picture->theme.site, 0.95), .stroke = ink_of(picture->theme.halo, 0.9), .width = 0.8};
            double r = 0.75 * most, diamond[4][2] = {{xy[k][0] - r, xy[k][1]},
                                                     {xy[k][0], xy[k][1] - r},
                                                     {xy[k][0] + r, xy[k][1]},
                                                     {xy[k][0], xy[k][1] + r}};
            lbio_paint_path(painter, (const double(*)[2])diamond, NULL, 4, 1, &style);
        } else if (picture->options->show_joints && !mark->is_solid) {
            double room = lbio_clamp(0.45 * mark->room * camera->pixels_per_unit, 1.7, most);
            double r = dot_radius(xy, scene->marks, scene->mark_count, k, room);
            lbio_style style = {.fill = ink_of(picture->theme.joint, 0.9),
                                .stroke = ink_of(picture->theme.halo, 0.95),
                                .width = lbio_clamp(0.3 * r, 0.5, 1.1)};
            lbio_paint_circle(painter, xy[k][0], xy[k][1], r, &style);
        }
    }
}

/* --- Names: two columns beside the figure, in the order of what they name, so that leaders do not cross --- */

typedef struct label {
    int mark;
    double x, y; /* the mark */
    double at;   /* the label's height */
} label;

static int has_label(const lbio_mark *mark) { return mark->name && *mark->name; }

static double label_font(int count, double height) {
    /* Both columns together hold 2 h / (1.3 font) names. */
    return lbio_clamp(2 * height / (1.3 * (count + 2)), LABEL_FONT_LEAST, LABEL_FONT_MOST);
}

static int label_count(const lbio_scene *scene) {
    int count = 0;
    for (int k = 0; k < scene->mark_count; k++) {
        count += has_label(&scene->marks[k]);
    }
    return count;
}

double lbio_overlay_margin(const lbio_scene *scene, const lb_render_options *options, double pane_width) {
    if (!options->show_labels) {
        return 0;
    }
    double widest = 0, font = label_font(label_count(scene), options->height - 80);
    for (int k = 0; k < scene->mark_count; k++) {
        widest = fmax(widest, has_label(&scene->marks[k]) ? lbio_text_width(scene->marks[k].name, font) : 0);
    }
    return fmin(widest + 22, 0.3 * pane_width);
}

static int by_height(const void *a, const void *b) {
    const label *p = a, *q = b;
    return p->y != q->y ? (p->y < q->y ? -1 : 1) : p->x != q->x ? (p->x < q->x ? -1 : 1) : p->mark - q->mark;
}

static int by_side(const void *a, const void *b) {
    const label *p = a, *q = b;
    return p->x != q->x ? (p->x < q->x ? -1 : 1) : p->y != q->y ? (p->y < q->y ? -1 : 1) : p->mark - q->mark;
}

/* As near to their marks as they can be without touching: pushed down, then up from the bottom. */
static void spread_labels(label *labels, int count, double top, double bottom, double step) {
    for (int k = 0; k < count; k++) {
        labels[k].at = fmax(labels[k].y, k ? labels[k - 1].at + step : top);
    }
    for (int k = count - 1; k >= 0; k--) {
        labels[k].at = fmin(labels[k].at, k + 1 < count ? labels[k + 1].at - step : bottom);
    }
}

static double turn_of(const double a[2], const double b[2], const double c[2]) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int leaders_cross(const label *p, const label *q, double edge) {
    double a[2] = {edge, p->at}, b[2] = {p->x, p->y}, c[2] = {edge, q->at}, d[2] = {q->x, q->y};
    return turn_of(a, b, c) * turn_of(a, b, d) < 0 && turn_of(c, d, a) * turn_of(c, d, b) < 0;
}

static void uncross(label *labels, int count, double edge) {
    for (int round = 0, changed = 1; round < 20 && changed; round++) {
        changed = 0;
        for (int k = 0; k + 1 < count; k++) {
            if (leaders_cross(&labels[k], &labels[k + 1], edge)) {
                label swap = labels[k];
                double first = labels[k].at, second = labels[k + 1].at;
                labels[k] = labels[k + 1];
                labels[k + 1] = swap;
                labels[k].at = first, labels[k + 1].at = second;
                changed = 1;
            }
        }
    }
}

/* Cuts a name with three dots if it is wider than the room. */
static void fit_name(const char *name, double font, double room, char *text, size_t size) {
    lbio_text_clean(name, text, size - 4);
    size_t length = strlen(text);
    if (lbio_text_width(text, font) <= room) {
        return;
    }
    while (length > 1 && lbio_text_width(text, font) > room - font) {
        do {
            length--;
        } while (length > 1 && ((unsigned char)text[length] & 0xc0) == 0x80);
        text[length] = 0;
    }
    strcat(text, "…");
}

static void paint_column(const lbio_picture *picture, label *labels, int count, int is_right, const lbio_pane *pane,
                         double font, lbio_painter *painter) {
    double margin = pane->frame.x - pane->rect.x, top = pane->frame.y, bottom = pane->frame.y + pane->frame.h;
    double edge = is_right ? pane->rect.x + pane->rect.w - margin + 6 : pane->rect.x + margin - 6;
    lbio_ink ink = ink_of(picture->theme.ink, 1), halo = ink_of(picture->theme.halo, 0.85);
    lbio_style leader = {.stroke = ink_of(picture->theme.faint, 0.65), .width = 0.7};
    qsort(labels, (size_t)count, sizeof *labels, by_height);
    spread_labels(labels, count, top, bottom, 1.25 * font);
    uncross(labels, count, edge);
    for (int k = 0; k < count; k++) {
        double line[3][2] = {
            {edge, labels[k].at}, {edge + (is_right ? -8 : 8), labels[k].at}, {labels[k].x, labels[k].y}};
        lbio_paint_path(painter, (const double(*)[2])line, NULL, 3, 0, &leader);
    }
    for (int k = 0; k < count; k++) {
        char name[200];
        fit_name(picture->scene->marks[labels[k].mark].name, font, margin - 12, name, sizeof name);
        lbio_paint_text(painter, edge + (is_right ? 3 : -3), labels[k].at + 0.35 * font,
                        &(lbio_lettering){font, is_right ? -1 : 1, 0, &ink, &halo}, name);
    }
}

static void paint_labels(const lbio_picture *picture, const lbio_pane *pane, const double (*xy)[2], const double *depth,
                         lbio_painter *painter) {
    const lbio_scene *scene = picture->scene;
    double font = label_font(label_count(scene), pane->frame.h);
    label *labels = malloc(((size_t)scene->mark_count + 1) * sizeof *labels);
    int count = 0, room = (int)(pane->frame.h / (1.25 * font));
    for (int k = 0; labels && k < scene->mark_count; k++) {
        if (has_label(&scene->marks[k]) && depth[k] > 0.05) {
            label one = {k, xy[k][0], xy[k][1], 0};
            labels[count++] = one;
        }
    }
    if (!count) {
        free(labels);
        return;
    }
    qsort(labels, (size_t)count, sizeof *labels, by_side);
    /* Each goes to its own side as far as there is room; the rest is named as missing rather than written over. */
    double middle = pane->frame.x + pane->frame.w / 2;
    int left = 0;
    while (left < count && labels[left].x < middle) {
        left++;
    }
    left = count - left > room ? count - room : left;
    left = left > room ? room : left < 0 ? 0 : left;
    int right = count - left > room ? room : count - left;
    paint_column(picture, labels, left, 0, pane, font, painter);
    paint_column(picture, labels + count - right, right, 1, pane, font, painter);
    if (left + right < count) {
        char note[64];
        lbio_ink faint = ink_of(picture->theme.faint, 1);
        snprintf(note, sizeof note, "%d more names do not fit", count - left - right);
        lbio_paint_text(painter, pane->rect.x + pane->rect.w / 2, pane->rect.y + pane->rect.h - 10,
                        &(lbio_lettering){10, 0, 0, &faint, NULL}, note);
    }
    free(labels);
}

/* --- Captions and scale -------------------------------------------------------------------------- */

static void length_text(double metres, char *text, size_t size) {
    static const struct {
        double metres;
        const char *name;
    } units[] = {{1000, "km"}, {1, "m"}, {0.01, "cm"}, {0.001, "mm"}, {1e-6, "µm"}, {0, "nm"}};
    int k = 0;
    while (metres < 0.999 * units[k].metres) {
        k++;
    }
    char number[32];
    double shown = metres / (units[k].metres > 0 ? units[k].metres : 1e-9);
    lbio_print_number(floor(shown * 1000 + 0.5) / 1000, number);
    snprintf(text, size, "%s %s", number, units[k].name);
}

static void paint_scale(const lbio_picture *picture, const lbio_pane *pane, lbio_painter *painter) {
    double per_metre = pane->camera.pixels_per_unit / picture->scene->scale, wanted = 0.14 * pane->rect.w / per_metre;
    double power = pow(10, floor(log10(wanted) + 1e-9)), lead = wanted / power;
    double metres = power * (lead < 2 ? 1 : lead < 5 ? 2 : 5), length = metres * per_metre;
    double right = pane->rect.x + pane->rect.w - 16, y = pane->rect.y + pane->rect.h - 14;
    double bar[4][2] = {{right - length, y - 4}, {right - length, y}, {right, y}, {right, y - 4}};
    lbio_style style = {.stroke = ink_of(picture->theme.faint, 1), .width = 1.4};
    lbio_ink faint = ink_of(picture->theme.faint, 1);
    char text[48];
    length_text(metres, text, sizeof text);
    lbio_paint_path(painter, (const double(*)[2])bar, NULL, 4, 0, &style);
    lbio_paint_text(painter, right - length / 2, y - 6, &(lbio_lettering){10.5, 0, 0, &faint, NULL}, text);
}

void lbio_overlay_pane(const lbio_picture *picture, const lbio_pane *pane, lbio_painter *painter) {
    const lbio_scene *scene = picture->scene;
    size_t count = (size_t)scene->mark_count + 1;
    double(*xy)[2] = malloc(count * sizeof *xy), *depth = malloc(count * sizeof *depth);
    lbio_ink faint = ink_of(picture->theme.faint, 1);
    lbio_paint_clip(painter, pane->rect);
    paint_outlines(picture, &pane->camera, painter);
    if (xy && depth) {
        for (int k = 0; k < scene->mark_count; k++) {
            depth[k] = lbio_camera_project(&pane->camera, scene->marks[k].p, xy[k]);
        }
        paint_marks(picture, &pane->camera, (const double(*)[2])xy, depth, painter);
        if (picture->options->show_labels) {
            paint_labels(picture, pane, (const double(*)[2])xy, depth, painter);
        }
    }
    if (picture->options->show_scale) {
        paint_scale(picture, pane, painter);
    }
    if (pane->caption) {
        lbio_paint_text(painter, pane->rect.x + 14, pane->rect.y + pane->rect.h - 12,
                        &(lbio_lettering){CAPTION_FONT, -1, 0, &faint, NULL}, pane->caption);
    }
    lbio_paint_unclip(painter);
    free(xy);
    free(depth);
}

void lbio_overlay_title(const lbio_picture *picture, lbio_painter *painter) {
    const char *title = picture->options->title;
    lbio_ink ink = ink_of(picture->theme.ink, 1);
    if (title && *title) {
        double font = 17, width = picture->options->width - 28.0;
        char text[200];
        fit_name(title, font, width, text, sizeof text);
        lbio_paint_text(painter, 14, 27, &(lbio_lettering){font, -1, 1, &ink, NULL}, text);
    }
    lbio_style rule = {.stroke = ink_of(picture->theme.faint, 0.25), .width = 1};
    for (int k = 1; k < picture->pane_count; k++) {
        const lbio_rect *rect = &picture->panes[k].rect;
        double upright[2][2] = {{rect->x, rect->y + 8}, {rect->x, rect->y + rect->h - 8}};
        double level[2][2] = {{rect->x + 8, rect->y}, {rect->x + rect->w - 8, rect->y}};
        if (rect->x > 0) {
            lbio_paint_path(painter, (const double(*)[2])upright, NULL, 2, 0, &rule);
        }
        if (rect->y > 0) {
            lbio_paint_path(painter, (const double(*)[2])level, NULL, 2, 0, &rule);
        }
    }
}
