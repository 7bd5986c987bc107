/* Plots: axes with round numbers, curves in colours that can be told apart, names beside them. */
#include "io/plot.h"
#include "io/render/render.h"
#include <cairo-pdf.h>
#include <cairo.h>
#include <stdio.h>
#include <string.h>

/* Okabe and Ito's colours, which also people who confuse red and green can tell apart, and six more. */
static const double colors[LBIO_PLOT_SERIES][3] = {{0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45},
                                                   {0.80, 0.47, 0.65}, {0.34, 0.71, 0.91}, {0.90, 0.62, 0.00},
                                                   {0.35, 0.35, 0.35}, {0.55, 0.27, 0.07}, {0.45, 0.16, 0.55},
                                                   {0.70, 0.80, 0.20}, {0.75, 0.10, 0.20}, {0.10, 0.25, 0.35}};
static const double ink[3] = {0.13, 0.15, 0.18}, faint[3] = {0.45, 0.48, 0.52}, grid[3] = {0.88, 0.89, 0.91},
                    white[3] = {1, 1, 1};

typedef struct axis {
    double low, high; /* of the values, or of their logarithms */
    int is_log;
    double from, to; /* pixels */
} axis;

static lbio_ink ink_of(const double rgb[3], double alpha) {
    lbio_ink one = {{rgb[0], rgb[1], rgb[2]}, alpha};
    return one;
}

static int is_shown(const axis *a, double value) { return isfinite(value) && (!a->is_log || value > 0); }

static double place(const axis *a, double value) {
    double v = a->is_log ? log10(value) : value;
    return a->from + (a->to - a->from) * (v - a->low) / (a->high - a->low);
}

/* A round step: about `count` of them fill the range. */
static double round_step(double range, int count) {
    double raw = range / count, power = pow(10, floor(log10(raw))), lead = raw / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

static void fit_axis(axis *a, const lbio_plot *plot, int is_x) {
    a->low = INFINITY, a->high = -INFINITY;
    for (int s = 0; s < plot->series_count; s++) {
        const lbio_series *one = &plot->series[s];
        axis x = {.is_log = plot->is_log_x}, y = {.is_log = plot->is_log_y};
        for (int k = 0; k < one->count; k++) {
            if (is_shown(&x, one->x[k]) && is_shown(&y, one->y[k])) {
                double v = is_x ? one->x[k] : one->y[k];
                v = a->is_log ? log10(v) : v;
                a->low = fmin(a->low, v);
                a->high = fmax(a->high, v);
            }
        }
    }
    if (!(a->low <= a->high)) {
        a->low = 0, a->high = 1;
    }
    if (!a->is_log && !is_x && a->low > 0 && a->low < 0.5 * a->high) {
        a->low = 0;
    }
    double room = a->high > a->low ? 0.03 * (a->high - a->low) : fabs(a->high) * 0.1 + 1e-3;
    a->high += room;
    a->low -= a->low == 0 && !a->is_log ? 0 : room;
    if (a->is_log && a->high - a->low < 1) { /* at least a decade, so that there is a number to read */
        a->low = floor(a->low), a->high = ceil(a->high);
    }
}

/* --- Axes ----------------------------------------------------------------------------------------------- */

static void print_tick(double value, int is_log, char text[32]) {
    if (is_log && (value < -3.5 || value > 4.5)) {
        snprintf(text, 32, "1e%d", (int)floor(value + 0.5));
        return;
    }
    double shown = is_log ? pow(10, value) : value;
    char number[32];
    snprintf(number, sizeof number, "%.6g", fabs(shown) < 1e-12 ? 0 : shown);
    lbio_to_c_locale(number, text);
}

static void paint_ticks(const axis *a, const axis *other, int is_x, lbio_painter *painter) {
    double step = a->is_log ? fmax(1, ceil((a->high - a->low) / 8)) : round_step(a->high - a->low, is_x ? 8 : 6);
    lbio_style line = {.stroke = ink_of(grid, 1), .width = 1};
    lbio_ink words = ink_of(faint, 1);
    /* Few decades: 1, 2 and 5 of each. */
    static const double parts[3] = {0, 0.30102999566398120, 0.69897000433601880};
    int per_decade = a->is_log && a->high - a->low < 3 ? 3 : 1;
    double first = floor(a->low / step) * step;
    int count = (int)((a->high - first) / step + 1.000001) * per_decade;
    for (int k = 0; k < count; k++) {
        double v = first + k / per_decade * step + parts[k % per_decade];
        if (v < a->low - 1e-9 * step || v > a->high + 1e-9 * step) {
            continue;
        }
        double at = a->from + (a->to - a->from) * (v - a->low) / (a->high - a->low);
        double x[2][2] = {{at, other->from}, {at, other->to}}, y[2][2] = {{other->from, at}, {other->to, at}};
        char text[32];
        lbio_paint_path(painter, is_x ? (const double(*)[2])x : (const double(*)[2])y, NULL, 2, 0, &line);
        print_tick(v, a->is_log, text);
        if (is_x) {
            lbio_paint_text(painter, at, other->from + 17, &(lbio_lettering){11.5, 0, 0, &words, NULL}, text);
        } else {
            lbio_paint_text(painter, other->from - 7, at + 4, &(lbio_lettering){11.5, 1, 0, &words, NULL}, text);
        }
    }
}

/* --- Curves ----------------------------------------------------------------------------------------------- */

#define PIECE 512

static void paint_curve(const lbio_series *one, const double color[3], const axis *x, const axis *y,
                        lbio_painter *painter) {
    lbio_style line = {.stroke = ink_of(color, 1), .width = 2, .dash = one->is_dashed ? 6 : 0};
    lbio_style dot = {.fill = ink_of(color, 1), .stroke = ink_of(white, 0.9), .width = 1};
    double xy[PIECE][2];
    int count = 0;
    for (int k = 0; k < one->count; k++) {
        if (!is_shown(x, one->x[k]) || !is_shown(y, one->y[k])) {
            continue;
        }
        if (count == PIECE) { /* the next piece begins where this one ends */
            lbio_paint_path(painter, (const double(*)[2])xy, NULL, count, 0, &line);
            memcpy(xy[0], xy[count - 1], sizeof xy[0]);
            count = 1;
        }
        xy[count][0] = place(x, one->x[k]), xy[count][1] = place(y, one->y[k]);
        count++;
    }
    if (count > 1) {
        lbio_paint_path(painter, (const double(*)[2])xy, NULL, count, 0, &line);
    }
    for (int k = 0; k < one->count && (one->count <= 16); k++) {
        if (is_shown(x, one->x[k]) && is_shown(y, one->y[k])) {
            lbio_paint_circle(painter, place(x, one->x[k]), place(y, one->y[k]), 3.5, &dot);
        }
    }
}

static void paint_names(const lbio_plot *plot, double left, double top, lbio_painter *painter) {
    lbio_ink words = ink_of(ink, 1);
    for (int s = 0; s < plot->series_count; s++) {
        const lbio_series *one = &plot->series[s];
        lbio_style line = {
            .stroke = ink_of(colors[s % LBIO_PLOT_SERIES], 1), .width = 2.5, .dash = one->is_dashed ? 6 : 0};
        double y = top + 12 + 20 * s, xy[2][2] = {{left, y - 4}, {left + 22, y - 4}};
        char name[64];
        lbio_text_clean(one->name, name, sizeof name);
        lbio_paint_path(painter, (const double(*)[2])xy, NULL, 2, 0, &line);
        lbio_paint_text(painter, left + 28, y, &(lbio_lettering){12, -1, 0, &words, NULL}, name);
    }
}

static void paint_plot(const lbio_plot *plot, int width, int height, lbio_painter *painter) {
    double widest = 0;
    for (int s = 0; s < plot->series_count; s++) {
        widest = fmax(widest, lbio_text_width(plot->series[s].name, 12));
    }
    axis x = {.is_log = plot->is_log_x, .from = 64, .to = width - widest - 60};
    axis y = {.is_log = plot->is_log_y, .from = height - 48, .to = 62};
    lbio_style paper = {.fill = ink_of(white, 1)}, frame = {.stroke = ink_of(faint, 0.8), .width = 1};
    lbio_ink strong = ink_of(ink, 1), weak = ink_of(faint, 1);
    lbio_rect all = {0, 0, width, height}, box = {x.from, y.to, x.to - x.from, y.from - y.to};
    fit_axis(&x, plot, 1);
    fit_axis(&y, plot, 0);
    lbio_paint_rect(painter, all, &paper);
    lbio_paint_text(painter, 16, 27, &(lbio_lettering){16, -1, 1, &strong, NULL}, plot->title);
    lbio_paint_text(painter, 16, 49, &(lbio_lettering){12, -1, 0, &weak, NULL}, plot->y_label);
    lbio_paint_text(painter, (x.from + x.to) / 2, height - 10, &(lbio_lettering){12, 0, 0, &weak, NULL}, plot->x_label);
    paint_ticks(&x, &y, 1, painter);
    paint_ticks(&y, &x, 0, painter);
    lbio_paint_clip(painter, box);
    for (int s = 0; s < plot->series_count; s++) {
        paint_curve(&plot->series[s], colors[s % LBIO_PLOT_SERIES], &x, &y, painter);
    }
    lbio_paint_unclip(painter);
    lbio_paint_rect(painter, box, &frame);
    paint_names(plot, x.to + 16, y.to, painter);
}

/* --- Files -------------------------------------------------------------------------------------------------- */

static cairo_status_t gather(void *closure, const unsigned char *data, unsigned int size) {
    lbio_text *bytes = closure;
    lbio_text_bytes(bytes, (const char *)data, size);
    return bytes->failed ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

static int draw_cairo(const lbio_plot *plot, int width, int height, int is_pdf, lbio_text *bytes) {
    cairo_surface_t *surface = is_pdf ? cairo_pdf_surface_create_for_stream(gather, bytes, width, height)
                                      : cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    if (is_pdf) { /* a fixed date: the same input gives the same bytes */
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    }
    lbio_painter painter = {.cairo = cairo_create(surface), .can_write = lbio_can_write()};
    paint_plot(plot, width, height, &painter);
    int failed = cairo_status(painter.cairo) != CAIRO_STATUS_SUCCESS;
    cairo_destroy(painter.cairo);
    if (is_pdf) {
        cairo_surface_finish(surface);
    } else {
        failed |= cairo_surface_write_to_png_stream(surface, gather, bytes) != CAIRO_STATUS_SUCCESS;
    }
    failed |= cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS;
    cairo_surface_destroy(surface);
    return failed;
}

static int draw_svg(const lbio_plot *plot, int width, int height, lbio_text *bytes) {
    lbio_text body = {0}, defs = {0};
    lbio_painter painter = {.svg = &body, .defs = &defs, .next_id = 1};
    paint_plot(plot, width, height, &painter);
    lbio_text_format(
        bytes,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
        "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans, Verdana, Helvetica, sans-serif\">\n<defs>\n",
        width, height, width, height);
    lbio_text_add(bytes, defs.data ? defs.data : "");
    lbio_text_add(bytes, "</defs>\n");
    lbio_text_add(bytes, body.data ? body.data : "");
    lbio_text_add(bytes, "</svg>\n");
    int failed = body.failed || defs.failed;
    lbio_text_free(&body);
    lbio_text_free(&defs);
    return failed;
}

lb_status lbio_plot_write(const lbio_plot *plot, const char *path, lb_error *error) {
    int width = plot->width > 0 ? plot->width : 860, height = plot->height > 0 ? plot->height : 520, failed;
    lbio_text bytes = {0};
    switch (lb_picture_format_from_path(path)) {
    case LB_PICTURE_FORMAT_PNG:
        failed = draw_cairo(plot, width, height, 0, &bytes);
        break;
    case LB_PICTURE_FORMAT_PDF:
        failed = draw_cairo(plot, width, height, 1, &bytes);
        break;
    case LB_PICTURE_FORMAT_SVG:
        failed = draw_svg(plot, width, height, &bytes);
        break;
    default:
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0,
                          "the kind of plot is not known from this name; end it in .png, .svg or .pdf");
    }
    lb_status status = failed || bytes.failed
                           ? lbio_error(error, LB_ERROR_MEMORY, path, 0, "no memory to draw the plot")
                           : lbio_write_file(path, bytes.data, bytes.size, error);
    lbio_text_free(&bytes);
    return status;
}
