/* One painter, two hands: cairo (pixels and PDF), and SVG written as text, since cairo's own SVG turns words into
 * outlines and numbers its parts differently from call to call. */
#include "io/render/render.h"
#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FONT "sans-serif"

/* --- Text ---------------------------------------------------------------------------------------- */

/* Length of the UTF-8 character at s, or 0 if it is none (over-long forms, surrogates, cut ones). */
static int character_length(const unsigned char *s) {
    int length = s[0] < 0x80                   ? 1
                 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                 : (s[0] & 0xf0) == 0xe0       ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                               : 0;
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f)) {
        return 0;
    }
    return length;
}

void lbio_text_clean(const char *text, char *clean, size_t size) {
    size_t used = 0;
    const unsigned char *s = (const unsigned char *)text;
    while (*s) {
        int length = character_length(s), is_control = *s < 0x20 || *s == 0x7f;
        int take = length ? length : 1;
        if (used + (size_t)take + 1 > size) {
            break;
        }
        if (!length || is_control) {
            clean[used++] = is_control ? ' ' : '?';
        } else {
            memcpy(clean + used, s, (size_t)take);
            used += (size_t)take;
        }
        s += take;
    }
    clean[used] = 0;
}

double lbio_text_width(const char *text, double size) {
    double width = 0;
    for (const unsigned char *s = (const unsigned char *)text; *s; s++) {
        if ((*s & 0xc0) == 0x80) {
            continue; /* the rest of a character */
        }
        width += strchr("ijl.,:;'|! ", *s) ? 0.32
                 : strchr("frt()[]-_", *s) ? 0.45
                 : strchr("mwMW@%", *s)    ? 0.92
                 : *s >= 0xe0              ? 1.0
                 : *s >= 'A' && *s <= 'Z'  ? 0.70
                                           : 0.61;
    }
    return width * size;
}

/* --- SVG ----------------------------------------------------------------------------------------- */

/* Two decimals at most, in any locale. */
static void svg_number(lbio_text *svg, double value) {
    long hundredths = isnan(value) ? 0 : lround(lbio_clamp(value, -1e6, 1e6) * 100);
    long whole = labs(hundredths) / 100, rest = labs(hundredths) % 100;
    lbio_text_format(svg, "%s%ld", hundredths < 0 ? "-" : "", whole);
    if (rest) {
        lbio_text_format(svg, rest % 10 ? ".%02ld" : ".%ld", rest % 10 ? rest : rest / 10);
    }
}

static void svg_attribute(lbio_text *svg, const char *name, double value) {
    lbio_text_format(svg, " %s=\"", name);
    svg_number(svg, value);
    lbio_text_add(svg, "\"");
}

/* Shadows are layers of a few hundredths: three decimals. */
static void svg_opacity(lbio_text *svg, const char *name, double alpha) {
    long thousandths = lround(lbio_clamp(alpha, 0, 1) * 1000);
    lbio_text_format(svg, " %s=\"%ld.%03ld\"", name, thousandths / 1000, thousandths % 1000);
}

static void svg_color(lbio_text *svg, const char *name, const double rgb[3]) {
    int c[3];
    for (int i = 0; i < 3; i++) {
        c[i] = (int)(lbio_clamp(rgb[i], 0, 1) * 255 + 0.5);
    }
    lbio_text_format(svg, " %s=\"#%02x%02x%02x\"", name, c[0], c[1], c[2]);
}

static int svg_gradient(lbio_painter *painter, const lbio_gradient *g) {
    lbio_text *defs = painter->defs;
    int id = painter->next_id++;
    if (g->is_radial) {
        lbio_text_format(defs, "<radialGradient id=\"g%d\" gradientUnits=\"userSpaceOnUse\" cx=\"0\" cy=\"0\" r=\"1\"",
                         id);
        svg_attribute(defs, "fx", g->focus[0]);
        svg_attribute(defs, "fy", g->focus[1]);
    } else {
        lbio_text_format(
            defs, "<linearGradient id=\"g%d\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" y1=\"0\" x2=\"1\" y2=\"0\"",
            id);
    }
    lbio_text_add(defs, " gradientTransform=\"matrix(");
    for (int i = 0; i < 6; i++) {
        lbio_text_add(defs, i ? " " : "");
        svg_number(defs, g->matrix[i]);
    }
    lbio_text_add(defs, ")\">");
    for (int k = 0; k < g->count; k++) {
        lbio_text_add(defs, "<stop");
        svg_attribute(defs, "offset", g->offset[k]);
        svg_color(defs, "stop-color", g->stop[k].rgb);
        if (g->stop[k].alpha < 1) {
            svg_opacity(defs, "stop-opacity", g->stop[k].alpha);
        }
        lbio_text_add(defs, "/>");
    }
    lbio_text_add(defs, g->is_radial ? "</radialGradient>\n" : "</linearGradient>\n");
    return id;
}

static void svg_style(lbio_painter *painter, const lbio_style *style) {
    lbio_text *svg = painter->svg;
    if (style->gradient) {
        lbio_text_format(svg, " fill=\"url(#g%d)\"", svg_gradient(painter, style->gradient));
    } else if (style->fill.alpha > 0) {
        svg_color(svg, "fill", style->fill.rgb);
        if (style->fill.alpha < 1) {
            svg_opacity(svg, "fill-opacity", style->fill.alpha);
        }
    } else {
        lbio_text_add(svg, " fill=\"none\"");
    }
    if (style->stroke.alpha > 0) {
        svg_color(svg, "stroke", style->stroke.rgb);
        svg_attribute(svg, "stroke-width", style->width);
        if (style->stroke.alpha < 1) {
            svg_opacity(svg, "stroke-opacity", style->stroke.alpha);
        }
        if (style->dash > 0) {
            svg_attribute(svg, "stroke-dasharray", style->dash);
        }
    }
    lbio_text_add(svg, style->is_even_odd ? " fill-rule=\"evenodd\"/>\n" : "/>\n");
}

static void svg_text(lbio_text *svg, const char *text) {
    for (; *text; text++) {
        char one[2] = {*text, 0};
        lbio_text_add(svg, *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : one);
    }
}

/* --- cairo --------------------------------------------------------------------------------------- */

static void cairo_use_style(cairo_t *cr, const lbio_style *style) {
    const lbio_gradient *g = style->gradient;
    cairo_set_fill_rule(cr, style->is_even_odd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING);
    if (g) {
        cairo_pattern_t *pattern = g->is_radial ? cairo_pattern_create_radial(g->focus[0], g->focus[1], 0, 0, 0, 1)
                                                : cairo_pattern_create_linear(0, 0, 1, 0);
        for (int k = 0; k < g->count; k++) {
            const lbio_ink *stop = &g->stop[k];
            cairo_pattern_add_color_stop_rgba(pattern, g->offset[k], stop->rgb[0], stop->rgb[1], stop->rgb[2],
                                              stop->alpha);
        }
        cairo_matrix_t matrix = {g->matrix[0], g->matrix[1], g->matrix[2], g->matrix[3], g->matrix[4], g->matrix[5]};
        if (cairo_matrix_invert(&matrix) == CAIRO_STATUS_SUCCESS) {
            cairo_pattern_set_matrix(pattern, &matrix);
            cairo_set_source(cr, pattern);
            cairo_fill_preserve(cr);
        }
        cairo_pattern_destroy(pattern);
    } else if (style->fill.alpha > 0) {
        cairo_set_source_rgba(cr, style->fill.rgb[0], style->fill.rgb[1], style->fill.rgb[2], style->fill.alpha);
        cairo_fill_preserve(cr);
    }
    if (style->stroke.alpha > 0) {
        cairo_set_source_rgba(cr, style->stroke.rgb[0], style->stroke.rgb[1], style->stroke.rgb[2],
                              style->stroke.alpha);
        cairo_set_line_width(cr, style->width);
        cairo_set_dash(cr, &style->dash, style->dash > 0, 0);
        cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
        cairo_set_line_cap(cr, style->dash > 0 ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
        cairo_stroke_preserve(cr);
    }
    cairo_new_path(cr);
}

/* --- What the rest calls ------------------------------------------------------------------------- */

static void svg_move(lbio_text *svg, const char *command, const double xy[2]) {
    lbio_text_add(svg, command);
    svg_number(svg, xy[0]);
    lbio_text_add(svg, xy[1] < 0 ? "" : " ");
    svg_number(svg, xy[1]);
}

void lbio_paint_path(lbio_painter *painter, const double (*xy)[2], const int *counts, int parts, int is_closed,
                     const lbio_style *style) {
    int whole = parts, at = 0;
    const int *lengths = counts ? counts : &whole;
    int pieces = counts ? parts : 1;
    if (!painter->cairo) {
        lbio_text_add(painter->svg, "<path d=\"");
    }
    for (int piece = 0; piece < pieces; piece++) {
        for (int k = 0; k < lengths[piece]; k++, at++) {
            double x = lbio_clamp(xy[at][0], -1e5, 1e5), y = lbio_clamp(xy[at][1], -1e5, 1e5), point[2] = {x, y};
            if (!painter->cairo) {
                svg_move(painter->svg, k == 0 ? "M" : k == 1 ? "L" : x < 0 ? "" : " ", point);
            } else if (k == 0) {
                cairo_move_to(painter->cairo, x, y);
            } else {
                cairo_line_to(painter->cairo, x, y);
            }
        }
        if (is_closed && lengths[piece] > 0) {
            if (painter->cairo) {
                cairo_close_path(painter->cairo);
            } else {
                lbio_text_add(painter->svg, "Z");
            }
        }
    }
    if (painter->cairo) {
        cairo_use_style(painter->cairo, style);
        return;
    }
    lbio_text_add(painter->svg, "\"");
    svg_style(painter, style);
}

void lbio_paint_circle(lbio_painter *painter, double x, double y, double radius, const lbio_style *style) {
    if (painter->cairo) {
        cairo_new_path(painter->cairo);
        cairo_arc(painter->cairo, x, y, radius, 0, 2 * LBIO_PI);
        cairo_use_style(painter->cairo, style);
        return;
    }
    lbio_text_add(painter->svg, "<circle");
    svg_attribute(painter->svg, "cx", x);
    svg_attribute(painter->svg, "cy", y);
    svg_attribute(painter->svg, "r", radius);
    svg_style(painter, style);
}

void lbio_paint_rect(lbio_painter *painter, lbio_rect rect, const lbio_style *style) {
    double xy[4][2] = {
        {rect.x, rect.y}, {rect.x + rect.w, rect.y}, {rect.x + rect.w, rect.y + rect.h}, {rect.x, rect.y + rect.h}};
    lbio_paint_path(painter, (const double(*)[2])xy, NULL, 4, 1, style);
}

static void cairo_write(cairo_t *cr, double x, double y, const lbio_lettering *how, const char *text) {
    const lbio_ink *ink = how->ink, *halo = how->halo;
    cairo_text_extents_t extents;
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
    cairo_select_font_face(cr, FONT, CAIRO_FONT_SLANT_NORMAL,
                           how->is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, how->size);
    cairo_text_extents(cr, text, &extents);
    x -= how->anchor < 0 ? 0 : how->anchor > 0 ? extents.x_advance : extents.x_advance / 2;
    if (halo && halo->alpha > 0) {
        cairo_move_to(cr, x, y);
        cairo_text_path(cr, text);
        cairo_set_source_rgba(cr, halo->rgb[0], halo->rgb[1], halo->rgb[2], halo->alpha);
        cairo_set_line_width(cr, how->size * 0.24);
        cairo_set_dash(cr, NULL, 0, 0);
        cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
        cairo_stroke(cr);
    }
    cairo_set_source_rgba(cr, ink->rgb[0], ink->rgb[1], ink->rgb[2], ink->alpha);
    cairo_move_to(cr, x, y);
    cairo_show_text(cr, text);
    cairo_new_path(cr);
}

void lbio_paint_text(lbio_painter *painter, double x, double y, const lbio_lettering *how, const char *text) {
    const lbio_ink *halo = how->halo;
    char clean[256];
    lbio_text_clean(text, clean, sizeof clean);
    if (painter->cairo) {
        if (painter->can_write) {
            cairo_write(painter->cairo, x, y, how, clean);
        }
        return;
    }
    lbio_text *svg = painter->svg;
    lbio_text_add(svg, "<text");
    svg_attribute(svg, "x", x);
    svg_attribute(svg, "y", y);
    svg_attribute(svg, "font-size", how->size);
    if (how->anchor >= 0) {
        lbio_text_add(svg, how->anchor ? " text-anchor=\"end\"" : " text-anchor=\"middle\"");
    }
    lbio_text_add(svg, how->is_bold ? " font-weight=\"bold\"" : "");
    svg_color(svg, "fill", how->ink->rgb);
    if (halo && halo->alpha > 0) {
        svg_color(svg, "stroke", halo->rgb);
        svg_attribute(svg, "stroke-width", how->size * 0.24);
        svg_opacity(svg, "stroke-opacity", halo->alpha);
        lbio_text_add(svg, " stroke-linejoin=\"round\" paint-order=\"stroke\"");
    }
    lbio_text_add(svg, ">");
    svg_text(svg, clean);
    lbio_text_add(svg, "</text>\n");
}

void lbio_paint_clip(lbio_painter *painter, lbio_rect rect) {
    if (painter->cairo) {
        cairo_save(painter->cairo);
        cairo_rectangle(painter->cairo, rect.x, rect.y, rect.w, rect.h);
        cairo_clip(painter->cairo);
        return;
    }
    int id = painter->next_id++;
    lbio_text_format(painter->defs, "<clipPath id=\"c%d\"><rect", id);
    svg_attribute(painter->defs, "x", rect.x);
    svg_attribute(painter->defs, "y", rect.y);
    svg_attribute(painter->defs, "width", rect.w);
    svg_attribute(painter->defs, "height", rect.h);
    lbio_text_add(painter->defs, "/></clipPath>\n");
    lbio_text_format(painter->svg, "<g clip-path=\"url(#c%d)\">\n", id);
}

void lbio_paint_unclip(lbio_painter *painter) {
    if (painter->cairo) {
        cairo_restore(painter->cairo);
    } else {
        lbio_text_add(painter->svg, "</g>\n");
    }
}
