/* Pictures of figures: the layout of views, and the three kinds of file. */
#include "io/render/render.h"
#include <cairo-pdf.h>
#include <cairo.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_MOST 16384
#define PIXELS_MOST (64L * 1000 * 1000)

/* --- Layout -------------------------------------------------------------------------------------- */

static void place_pane(lbio_picture *picture, int k, int columns, int rows) {
    const lb_render_options *options = picture->options;
    lbio_pane *pane = &picture->panes[k];
    int column = k % columns, row = k / columns;
    double x0 = floor((double)options->width * column / columns), y0 = floor((double)options->height * row / rows);
    double x1 = floor((double)options->width * (column + 1) / columns);
    double y1 = floor((double)options->height * (row + 1) / rows);
    lbio_rect rect = {x0, y0, x1 - x0, y1 - y0};
    double side = fmax(0.05 * rect.w, lbio_overlay_margin(picture->scene, options, rect.w));
    double top = row == 0 && options->title && *options->title ? fmax(40, 0.07 * rect.h) : 0.06 * rect.h;
    double bottom = picture->pane_count > 1 || options->show_scale ? fmax(30, 0.07 * rect.h) : 0.07 * rect.h;
    lbio_rect frame = {rect.x + side, rect.y + top, rect.w - 2 * side, rect.h - top - bottom};
    if (frame.h < 8) { /* a picture like a strip: words give way */
        frame.y = rect.y + 0.05 * rect.h, frame.h = 0.9 * rect.h;
    }
    pane->rect = rect, pane->frame = frame;
    lbio_camera_fit(&pane->camera, picture->scene, pane->azimuth_deg, pane->elevation_deg, options->perspective, frame);
}

/* All views have one scale, so that lengths can be compared; returns it. */
static double lay_out(lbio_picture *picture, int columns, int rows) {
    double least = INFINITY;
    for (int k = 0; k < picture->pane_count; k++) {
        place_pane(picture, k, columns, rows);
        least = fmin(least, picture->panes[k].camera.pixels_per_unit);
    }
    for (int k = 0; k < picture->pane_count; k++) {
        lbio_camera *camera = &picture->panes[k].camera;
        lbio_camera_zoom(camera, least / camera->pixels_per_unit * picture->options->zoom);
    }
    return least;
}

/* Side by side, in two rows, or one above the other: whichever shows the figure largest. */
static void choose_layout(lbio_picture *picture) {
    const lb_render_options *options = picture->options;
    int count = options->view_count, best = count;
    double largest = 0;
    picture->pane_count = count;
    for (int k = 0; k < count; k++) {
        lbio_pane *pane = &picture->panes[k];
        lbio_view_angles(options->views[k], options->perspective, &pane->azimuth_deg, &pane->elevation_deg);
        pane->caption = count > 1 ? lbio_view_name(options->views[k]) : NULL;
        if (k == 0 && options->has_camera) {
            pane->azimuth_deg = options->azimuth_deg, pane->elevation_deg = options->elevation_deg;
            pane->caption = NULL;
        }
    }
    for (int columns = count; columns >= 1; columns--) {
        int rows = (count + columns - 1) / columns;
        if (columns * rows != count && columns != 2) {
            continue;
        }
        double scale = lay_out(picture, columns, rows);
        if (scale > 1.1 * largest) { /* side by side unless it costs much */
            largest = scale, best = columns;
        }
    }
    lay_out(picture, best, (count + best - 1) / best);
}

/* --- Files --------------------------------------------------------------------------------------- */

static cairo_status_t gather(void *closure, const unsigned char *data, unsigned int size) {
    lbio_text *bytes = closure;
    lbio_text_bytes(bytes, (const char *)data, size);
    return bytes->failed ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

/* Without any font installed cairo refuses to write, and with that to draw: better no words than no picture. */
int lbio_can_write(void) {
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 8, 8);
    cairo_t *cr = cairo_create(surface);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, 8);
    cairo_move_to(cr, 1, 7);
    cairo_show_text(cr, "a");
    int works = cairo_status(cr) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return works;
}

static lb_status from_cairo(cairo_status_t status) {
    return status == CAIRO_STATUS_SUCCESS ? LB_OK : LB_ERROR_MEMORY; /* all else has been ruled out */
}

static void paint_overlays(const lbio_picture *picture, lbio_painter *painter) {
    for (int k = 0; k < picture->pane_count; k++) {
        lbio_overlay_pane(picture, &picture->panes[k], painter);
    }
    lbio_overlay_title(picture, painter);
}

static lb_status draw_png(const lbio_picture *picture, lbio_text *bytes) {
    int width = picture->options->width, height = picture->options->height;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    lb_status status = from_cairo(cairo_surface_status(surface));
    if (!status) {
        cairo_surface_flush(surface);
        unsigned char *pixels = cairo_image_surface_get_data(surface);
        int stride = cairo_image_surface_get_stride(surface);
        memset(pixels, 0xff, (size_t)stride * (size_t)height);
        for (int k = 0; k < picture->pane_count && !status; k++) {
            status = lbio_raster_pane(picture, &picture->panes[k], pixels, stride);
        }
        cairo_surface_mark_dirty(surface);
    }
    if (!status) {
        lbio_painter painter = {.cairo = cairo_create(surface), .can_write = lbio_can_write()};
        paint_overlays(picture, &painter);
        status = from_cairo(cairo_status(painter.cairo));
        cairo_destroy(painter.cairo);
    }
    if (!status) {
        status = from_cairo(cairo_surface_write_to_png_stream(surface, gather, bytes));
    }
    cairo_surface_destroy(surface);
    return status;
}

static lb_status paint_vectors(const lbio_picture *picture, lbio_painter *painter) {
    lb_status status = LB_OK;
    for (int k = 0; k < picture->pane_count && !status; k++) {
        status = lbio_vector_pane(picture, &picture->panes[k], painter);
    }
    if (!status) {
        paint_overlays(picture, painter);
    }
    return status;
}

static lb_status draw_pdf(const lbio_picture *picture, lbio_text *bytes) {
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(gather, bytes, picture->options->width, picture->options->height);
    char title[200];
    lbio_text_clean(picture->options->title && *picture->options->title ? picture->options->title
                                                                        : lb_figure_name(picture->figure),
                    title, sizeof title);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Limber");
    /* A fixed date: the same input gives the same bytes. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    lbio_painter painter = {.cairo = cairo_create(surface), .can_write = lbio_can_write()};
    lb_status status = paint_vectors(picture, &painter);
    cairo_show_page(painter.cairo);
    status = status ? status : from_cairo(cairo_status(painter.cairo));
    cairo_destroy(painter.cairo);
    cairo_surface_finish(surface);
    status = status ? status : from_cairo(cairo_surface_status(surface));
    cairo_surface_destroy(surface);
    return status;
}

static void add_escaped(lbio_text *text, const char *raw) {
    char clean[200];
    lbio_text_clean(raw, clean, sizeof clean);
    for (const char *s = clean; *s; s++) {
        char one[2] = {*s, 0};
        lbio_text_add(text, *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : one);
    }
}

static lb_status draw_svg(const lbio_picture *picture, lbio_text *bytes) {
    lbio_text body = {0}, defs = {0};
    int width = picture->options->width, height = picture->options->height;
    lbio_painter painter = {.svg = &body, .defs = &defs, .next_id = 1};
    lb_status status = paint_vectors(picture, &painter);
    lbio_text_format(
        bytes,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
        "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans, Verdana, Helvetica, sans-serif\">\n<title>",
        width, height, width, height);
    add_escaped(bytes, picture->options->title && *picture->options->title ? picture->options->title
                                                                           : lb_figure_name(picture->figure));
    lbio_text_add(bytes, "</title>\n<defs>\n");
    lbio_text_add(bytes, defs.data ? defs.data : "");
    lbio_text_add(bytes, "</defs>\n");
    lbio_text_add(bytes, body.data ? body.data : "");
    lbio_text_add(bytes, "</svg>\n");
    status = status ? status : body.failed || defs.failed ? LB_ERROR_MEMORY : LB_OK;
    lbio_text_free(&body);
    lbio_text_free(&defs);
    return status;
}

/* --- Checks -------------------------------------------------------------------------------------- */

/* Zoom, camera, and the box to be shown. */
static lb_status check_camera(const lb_render_options *options, const char *path, lb_error *error) {
    if (!isfinite(options->zoom) || options->zoom < 0.01 || options->zoom > 100) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "the zoom must lie between 0.01 and 100");
    }
    if (options->has_camera && (!(fabs(options->azimuth_deg) <= 3600) || !(fabs(options->elevation_deg) <= 90))) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0,
                          "the camera's elevation must lie between -90 and 90 degrees, its azimuth within ten turns");
    }
    for (int i = 0; options->has_bounds && i < 3; i++) {
        if (!(options->lower[i] <= options->upper[i]) || !(fabs(options->lower[i]) < 1e9) ||
            !(fabs(options->upper[i]) < 1e9)) {
            return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "the box to be shown has no inside, or no end");
        }
    }
    return LB_OK;
}

static lb_status check_options(const lb_render_options *options, const char *path, lb_picture_format *format,
                               lb_error *error) {
    *format = options->format ? options->format : lb_picture_format_from_path(path);
    if (*format <= LB_PICTURE_FORMAT_BY_NAME || *format > LB_PICTURE_FORMAT_PDF) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0,
                          "the kind of picture is not known from this name; end it in .png, .svg or .pdf");
    }
    if (options->width < 32 || options->height < 32 || options->width > SIDE_MOST || options->height > SIDE_MOST ||
        (long)options->width * options->height > PIXELS_MOST) {
        return lbio_error(
            error, LB_ERROR_ARGUMENT, path, 0,
            "a picture of %d x %d cannot be made; each side may be 32 to %d, and all of it 64 million pixels",
            options->width, options->height, SIDE_MOST);
    }
    if (options->view_count < 1 || options->view_count > 4) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "%d views cannot be drawn; ask for 1 to 4",
                          options->view_count);
    }
    for (int k = 0; k < options->view_count; k++) {
        if ((int)options->views[k] < 0 || options->views[k] > LB_VIEW_BACK) {
            return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "view %d is unknown", k + 1);
        }
    }
    return check_camera(options, path, error);
}

lb_status lb_figure_render(const lb_figure *figure, const double *pose, const char *path,
                           const lb_render_options *options, lb_error *error) {
    const lb_scene scene = {.figure_count = figure ? 1 : 0, .figures = &figure, .poses = &pose};
    return lb_scene_render(&scene, path, options, error);
}

static int is_complete(const lb_scene *cast) {
    return cast && cast->figure_count >= 1 && cast->figures && cast->poses && cast->marker_count >= 0 &&
           (!cast->marker_count || cast->markers);
}

static int is_hull(const lb_shape *shape) {
    int is_whole = shape->vertex_count > 0 && shape->vertices && shape->triangle_count > 0 && shape->triangles;
    for (int k = 0; is_whole && k < shape->vertex_count; k++) {
        is_whole = lbio_are_finite(shape->vertices[k], 3);
    }
    for (int k = 0; is_whole && k < 3 * shape->triangle_count; k++) {
        const int vertex = shape->triangles[k / 3][k % 3];
        is_whole = vertex >= 0 && vertex < shape->vertex_count;
    }
    return is_whole;
}

static lb_status check_markers(int count, const lb_marker *markers, const char *path, lb_error *error) {
    for (int i = 0; i < count; i++) {
        const lb_marker *m = &markers[i];
        const lb_shape_kind last = m->kind == LB_MARKER_SOLID ? LB_SHAPE_HALF_SPACE : LB_SHAPE_ELLIPSOID;
        if ((int)m->kind < 0 || m->kind > LB_MARKER_SOLID || (int)m->shape.kind < 0 || m->shape.kind > last) {
            return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "mark %d is of no known kind", i + 1);
        }
        if (!lbio_are_finite(m->frame.position, 3) || !lbio_are_finite(m->frame.rotation, 4) ||
            !lbio_are_finite(m->to, 3) || !lbio_are_finite(m->shape.size, 3)) {
            return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "mark %d has a number that is not finite", i + 1);
        }
        if (m->shape.kind == LB_SHAPE_HULL && !is_hull(&m->shape)) {
            return lbio_error(error, LB_ERROR_ARGUMENT, path, 0,
                              "mark %d is a hull without vertices or triangles between them", i + 1);
        }
    }
    return LB_OK;
}

lb_status lb_scene_render(const lb_scene *cast, const char *path, const lb_render_options *options, lb_error *error) {
    lb_render_options taken;
    lb_error unused;
    lbio_scene scene;
    lb_picture_format format;
    error = error ? error : &unused;
    if (!is_complete(cast) || !path) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0, "a picture needs a figure and a path");
    }
    lb_status status = lbio_take_render_options(options, &taken, path, error);
    if (status) {
        return status;
    }
    options = &taken;
    status = check_options(options, path, &format, error);
    status = status ? status : check_markers(cast->marker_count, cast->markers, path, error);
    if (status) {
        return status;
    }
    status = lbio_scene_build(cast, options, &scene, error);
    if (status) {
        return status;
    }
    lbio_picture picture = {.figure = cast->figures[0], .options = options, .scene = &scene};
    lbio_text bytes = {0};
    lbio_theme_get(options->dark, &picture.theme);
    choose_layout(&picture);
    status = format == LB_PICTURE_FORMAT_PNG   ? draw_png(&picture, &bytes)
             : format == LB_PICTURE_FORMAT_SVG ? draw_svg(&picture, &bytes)
                                               : draw_pdf(&picture, &bytes);
    if (status || bytes.failed) {
        status = lbio_error(error, LB_ERROR_MEMORY, path, 0, "no memory to draw the picture; ask for a smaller one");
    } else {
        status = lbio_write_file(path, bytes.data, bytes.size, error);
    }
    lbio_text_free(&bytes);
    lbio_scene_free(&scene);
    return status;
}
