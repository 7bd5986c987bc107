/* Pictures as files, and the vocabulary that pictures of maps share. */
#include "map/canvas.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <string.h>

const double lbmap_outside_color[3] = {0.91, 0.92, 0.94}, lbmap_unfound_color[3] = {0.96, 0.74, 0.50},
             lbmap_paper[3] = {1, 1, 1};
static const double ink[3] = {0.13, 0.15, 0.18}, line[3] = {0.62, 0.65, 0.69};

static lbio_ink ink_of(const double rgb[3], double alpha) { return (lbio_ink){{rgb[0], rgb[1], rgb[2]}, alpha}; }

void lbmap_fill(lbio_painter *painter, double x, double y, double w, double h, const double rgb[3]) {
    const lbio_style style = {.fill = ink_of(rgb, 1)};
    lbio_paint_rect(painter, (lbio_rect){x, y, w, h}, &style);
}

void lbmap_write_text(lbio_painter *painter, double x, double y, double size, int anchor, const char *text) {
    const lbio_ink color = ink_of(ink, 1);
    const lbio_lettering how = {.size = size < 0 ? -size : size, .anchor = anchor, .is_bold = size < 0, .ink = &color};
    lbio_paint_text(painter, x, y, &how, text);
}

void lbmap_frame_box(lbio_painter *painter, lbio_rect rect) {
    const lbio_style style = {.stroke = ink_of(line, 1), .width = 1};
    lbio_paint_rect(painter, rect, &style);
}

void lbmap_legend_bar(lbio_painter *painter, double x, double y, double width, const char *low, const char *high) {
    enum { STEPS = 64 };
    for (int i = 0; i < STEPS; i++) {
        double rgb[3];
        lbmap_color((i + 0.5) / STEPS, rgb);
        lbmap_fill(painter, x + width * i / STEPS, y, width / STEPS + 0.6, 14, rgb);
    }
    lbmap_frame_box(painter, (lbio_rect){x, y, width, 14});
    lbmap_write_text(painter, x - 8, y + 11.5, 13, 1, low);
    lbmap_write_text(painter, x + width + 8, y + 11.5, 13, -1, high);
}

void lbmap_legend_swatch(lbio_painter *painter, double x, double y, const double rgb[3], const char *text) {
    lbmap_fill(painter, x, y, 14, 14, rgb);
    lbmap_frame_box(painter, (lbio_rect){x, y, 14, 14});
    lbmap_write_text(painter, x + 21, y + 11.5, 13, -1, text);
}

/* --- Files ------------------------------------------------------------------------------------------------------ */

static cairo_status_t gather(void *closure, const unsigned char *data, unsigned int size) {
    lbio_text *bytes = closure;
    lbio_text_bytes(bytes, (const char *)data, size);
    return bytes->failed ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

static lb_status draw_png(const lbmap_canvas *c, lbio_text *bytes) {
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, c->width, c->height);
    lb_status status = cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS ? LB_OK : LB_ERROR_MEMORY;
    if (!status) {
        unsigned char *pixels = cairo_image_surface_get_data(surface);
        const int stride = cairo_image_surface_get_stride(surface);
        memset(pixels, 0xff, (size_t)stride * (size_t)c->height);
        status = c->raster ? c->raster(c->context, pixels, stride) : LB_OK;
        cairo_surface_mark_dirty(surface);
    }
    if (!status) {
        lbio_painter painter = {.cairo = cairo_create(surface), .can_write = lbio_can_write()};
        status = c->paint(c->context, &painter, 0);
        cairo_destroy(painter.cairo);
    }
    if (!status && cairo_surface_write_to_png_stream(surface, gather, bytes) != CAIRO_STATUS_SUCCESS) {
        status = LB_ERROR_MEMORY;
    }
    cairo_surface_destroy(surface);
    return status;
}

static lb_status draw_pdf(const lbmap_canvas *c, lbio_text *bytes) {
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(gather, bytes, c->width, c->height);
    /* A fixed date: the same map gives the same bytes. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    lbio_painter painter = {.cairo = cairo_create(surface), .can_write = lbio_can_write()};
    lb_status status = c->paint(c->context, &painter, 1);
    cairo_show_page(painter.cairo);
    cairo_destroy(painter.cairo);
    cairo_surface_finish(surface);
    status = status || cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS ? status : LB_ERROR_MEMORY;
    cairo_surface_destroy(surface);
    return status;
}

static lb_status draw_svg(const lbmap_canvas *c, lbio_text *bytes) {
    lbio_text body = {0}, defs = {0};
    lbio_painter painter = {.svg = &body, .defs = &defs, .next_id = 1};
    lb_status status = c->paint(c->context, &painter, 1);
    lbio_text_format(
        bytes,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
        "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans, Verdana, Helvetica, sans-serif\">\n<defs>\n",
        c->width, c->height, c->width, c->height);
    lbio_text_add(bytes, defs.data ? defs.data : "");
    lbio_text_add(bytes, "</defs>\n");
    lbio_text_add(bytes, body.data ? body.data : "");
    lbio_text_add(bytes, "</svg>\n");
    status = status ? status : body.failed || defs.failed ? LB_ERROR_MEMORY : LB_OK;
    lbio_text_free(&body);
    lbio_text_free(&defs);
    return status;
}

lb_status lbmap_canvas_write(const lbmap_canvas *c, lb_error *error) {
    const lb_picture_format format = c->format ? c->format : lb_picture_format_from_path(c->path);
    lbio_text bytes = {0};
    lb_status status = format == LB_PICTURE_FORMAT_PNG   ? draw_png(c, &bytes)
                       : format == LB_PICTURE_FORMAT_SVG ? draw_svg(c, &bytes)
                       : format == LB_PICTURE_FORMAT_PDF ? draw_pdf(c, &bytes)
                                                         : LB_ERROR_ARGUMENT;
    if (status == LB_ERROR_ARGUMENT) {
        status = lbio_error(error, status, c->path, 0,
                            "the kind of picture is not known from this name; end it in .png, .svg or .pdf");
    } else if (status || bytes.failed) {
        status = lbio_error(error, LB_ERROR_MEMORY, c->path, 0, "no memory to draw the map");
    } else {
        status = lbio_write_file(c->path, bytes.data, bytes.size, error);
    }
    lbio_text_free(&bytes);
    return status;
}
