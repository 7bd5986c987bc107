/* Segments of .fig files, with their sites and shapes. */
#include "io/fig/fig.h"

#include <stdio.h>

/* site [segment.]name [->location = frame]; with `site` already past */
int lbio_fig_parse_site(fig_reader *reader, fig_file *file, const char *segment) {
    fig_site *site;
    FIG_ADD(reader, file->sites, site);
    if (!site) {
        return 0;
    }
    site->line = reader->word_line;
    site->order = file->order++;
    lb_frame_identity(&site->frame);
    if (segment) {
        site->segment = segment;
        if (!lbio_fig_name(reader, "the site's name", &site->name)) {
            return 0;
        }
    } else {
        fig_ref ref;
        if (!lbio_fig_parse_ref(reader, "segment.site", &ref)) {
            return 0;
        }
        if (!ref.second) {
            return lbio_fig_fail(reader, ref.line, "outside its segment a site is written segment.%s, not `%s`",
                                 ref.first, ref.first);
        }
        site->segment = ref.first;
        site->name = ref.second;
    }
    if (lbio_fig_accept(reader, ";")) {
        return 1;
    }
    if (lbio_fig_accept(reader, "->") && !lbio_fig_expect(reader, "location")) {
        return 0;
    }
    return lbio_fig_expect(reader, "=") && lbio_fig_parse_frame(reader, &site->frame) &&
           lbio_fig_expect_end(reader, "the site");
}

/* ---------------------------------------------------------------------------------------------------
 * Shapes
 * ------------------------------------------------------------------------------------------------- */

static int parse_place(fig_reader *reader, fig_place *place) {
    place->line = reader->word_line;
    place->site = NULL;
    lb_frame_identity(&place->frame);
    if (lbio_fig_is(reader, "(")) {
        return lbio_fig_parse_triple(reader, FIG_LENGTH, "a point", place->frame.position);
    }
    if (lbio_fig_is_frame(reader)) {
        return lbio_fig_parse_frame(reader, &place->frame);
    }
    return lbio_fig_name(reader, "a place: a site's name, a point such as (0cm, 0cm, 5cm), or a frame", &place->site);
}

static int parse_size(fig_reader *reader, const char *what, double *size) {
    int line = reader->word_line;
    if (!lbio_fig_read_unit(reader, FIG_LENGTH, what, size)) {
        return 0;
    }
    return *size >= 0 || lbio_fig_fail(reader, line, "%s must not be negative", what);
}

static int is_number_next(const fig_reader *reader) {
    return reader->word == FIG_NUMBER || lbio_fig_is(reader, "-") || lbio_fig_is(reader, "+");
}

/* (from, to, radius [, second radius]) or (middle, length, radius [, second radius]) */
static int parse_long_shape(fig_reader *reader, fig_shape *shape) {
    if (!parse_place(reader, &shape->places[0]) || !lbio_fig_expect(reader, ",")) {
        return 0;
    }
    shape->place_count = is_number_next(reader) ? 1 : 2;
    if (shape->place_count == 1) {
        if (!parse_size(reader, "the length", &shape->size[1])) {
            return 0;
        }
        shape->size[1] /= 2;
    } else if (!parse_place(reader, &shape->places[1])) {
        return 0;
    }
    if (!lbio_fig_expect(reader, ",") || !parse_size(reader, "the radius", &shape->size[0])) {
        return 0;
    }
    if (shape->kind == LB_SHAPE_CAPSULE) {
        shape->size[2] = shape->size[0];
        if (lbio_fig_accept(reader, ",")) {
            return parse_size(reader, "the second radius", &shape->size[2]);
        }
    }
    return reader->status == LB_OK;
}

static int parse_three_sizes(fig_reader *reader, fig_shape *shape) {
    int line = reader->word_line;
    int is_box = shape->kind == LB_SHAPE_BOX;
    if (!lbio_fig_parse_triple(reader, FIG_LENGTH, is_box ? "the size of a box" : "the semi-axis of an ellipsoid",
                               shape->size)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        if (!(shape->size[i] >= 0)) {
            return lbio_fig_fail(reader, line, "the sizes of a shape must not be negative");
        }
        shape->size[i] = is_box ? shape->size[i] / 2 : shape->size[i];
    }
    return 1;
}

static int parse_shape_arguments(fig_reader *reader, fig_shape *shape) {
    if (!lbio_fig_expect(reader, "(")) {
        return 0;
    }
    if (shape->kind == LB_SHAPE_CAPSULE || shape->kind == LB_SHAPE_CYLINDER) {
        return parse_long_shape(reader, shape) && lbio_fig_expect(reader, ")");
    }
    shape->place_count = 1;
    if (!parse_place(reader, &shape->places[0]) || !lbio_fig_expect(reader, ",")) {
        return 0;
    }
    int well = shape->kind == LB_SHAPE_SPHERE ? parse_size(reader, "the radius", &shape->size[0])
                                              : parse_three_sizes(reader, shape);
    return well && lbio_fig_expect(reader, ")");
}

/* shape [segment] = kind(...) [color #rrggbb] [drawn | solid]; with `shape` already past */
int lbio_fig_parse_shape(fig_reader *reader, fig_file *file, const char *segment) {
    static const char *const kinds[] = {"sphere", "capsule", "box", "cylinder", "ellipsoid"};
    fig_shape *shape;
    FIG_ADD(reader, file->shapes, shape);
    if (!shape) {
        return 0;
    }
    shape->segment = segment;
    shape->line = reader->word_line;
    shape->color = -1;
    if ((!segment && !lbio_fig_name(reader, "the segment of the shape", &shape->segment)) ||
        !lbio_fig_expect(reader, "=")) {
        return 0;
    }
    int kind = 0;
    while (kind < 5 && !lbio_fig_is(reader, kinds[kind])) {
        kind++;
    }
    if (kind == 5) {
        return lbio_fig_unknown(reader, "a shape", kinds, 5);
    }
    shape->kind = (lb_shape_kind)kind; /* the same order */
    if (!lbio_fig_next(reader) || !parse_shape_arguments(reader, shape)) {
        return 0;
    }
    if (lbio_fig_is(reader, "color") || lbio_fig_is(reader, "colour")) {
        if (!lbio_fig_next_color(reader)) {
            return 0;
        }
        shape->color = reader->color;
        lbio_fig_next(reader);
    }
    if (lbio_fig_is(reader, "drawn") || lbio_fig_is(reader, "solid")) {
        shape->use = lbio_fig_is(reader, "drawn") ? LB_SHAPE_USE_DRAWN : LB_SHAPE_USE_SOLID;
        lbio_fig_next(reader);
    }
    return lbio_fig_expect_end(reader, "the shape");
}

/* ---------------------------------------------------------------------------------------------------
 * Segments
 * ------------------------------------------------------------------------------------------------- */

static int parse_mass(fig_reader *reader, fig_segment *segment) {
    int line = reader->word_line;
    if (!lbio_fig_expect(reader, "=") || !lbio_fig_read_unit(reader, FIG_MASS, "the mass", &segment->mass)) {
        return 0;
    }
    if (!(segment->mass >= 0)) {
        return lbio_fig_fail(reader, line, "the mass of `%s` must not be negative", segment->name);
    }
    return lbio_fig_expect_end(reader, "the mass");
}

/* Past what is left of a statement: its `;`, or the block that stands in its place. */
static int skip_rest(fig_reader *reader) {
    int depth = 0;
    while (reader->word != FIG_END && !(depth == 0 && (lbio_fig_is(reader, ";") || lbio_fig_is(reader, "}")))) {
        depth += lbio_fig_is(reader, "{") ? 1 : lbio_fig_is(reader, "}") ? -1 : 0;
        const int ends = depth == 0 && lbio_fig_is(reader, "}");
        if (!lbio_fig_next(reader)) {
            return 0;
        }
        if (ends) {
            lbio_fig_accept(reader, ";");
            return reader->status == LB_OK;
        }
    }
    return lbio_fig_expect_end(reader, "the statement");
}

int lbio_fig_skip_old(fig_reader *reader) {
    lbio_warn(reader->source, reader->word_line, "`%.*s` is not used and was skipped", reader->length, reader->start);
    return skip_rest(reader);
}

/* psurf = "file" [* scale(x, y, z)] [* frame]; with `psurf` already past. */
static int parse_psurf(fig_reader *reader, fig_file *file, const char *segment) {
    fig_mesh *mesh;
    FIG_ADD(reader, file->meshes, mesh);
    if (!mesh) {
        return 0;
    }
    mesh->segment = segment;
    mesh->line = reader->word_line;
    mesh->scale[0] = mesh->scale[1] = mesh->scale[2] = 1;
    lb_frame_identity(&mesh->frame);
    if (!lbio_fig_expect(reader, "=") || !lbio_fig_name(reader, "the mesh's file", &mesh->file)) {
        return 0;
    }
    int is_known = 1;
    while (is_known && lbio_fig_accept(reader, "*")) {
        if (lbio_fig_accept(reader, "scale")) {
            lbio_fig_parse_triple(reader, FIG_PLAIN, "the scale", mesh->scale);
        } else if (lbio_fig_is_frame(reader)) {
            lbio_fig_parse_frame(reader, &mesh->frame);
        } else {
            is_known = 0;
        }
    }
    if (reader->status == LB_OK && (!is_known || !lbio_fig_is(reader, ";"))) {
        mesh->file = NULL;
        lbio_warn(reader->source, reader->word_line, "`%.*s` in a psurf is not understood: its mesh is left out",
                  reader->length, reader->start);
        return skip_rest(reader);
    }
    return lbio_fig_expect_end(reader, "the psurf");
}

/* name { ... } with `segment` already past */
int lbio_fig_parse_segment(fig_reader *reader, fig_file *file) {
    static const char *const known[] = {"site", "shape", "mass", "com"};
    fig_segment *segment;
    int mass_line = 0, com_line = 0;
    FIG_ADD(reader, file->segments, segment);
    if (!segment) {
        return 0;
    }
    segment->line = reader->word_line;
    if (!lbio_fig_name(reader, "the segment's name", &segment->name) || !lbio_fig_expect(reader, "{")) {
        return 0;
    }
    while (!lbio_fig_close(reader, "segment", segment->name, segment->line)) {
        int well = 0;
        if (reader->status != LB_OK) {
            return 0;
        }
        if (lbio_fig_accept(reader, "site")) {
            well = lbio_fig_parse_site(reader, file, segment->name);
        } else if (lbio_fig_accept(reader, "shape")) {
            well = lbio_fig_parse_shape(reader, file, segment->name);
        } else if (lbio_fig_is(reader, "mass")) {
            well = lbio_fig_once(reader, &mass_line, "mass") && parse_mass(reader, segment);
        } else if (lbio_fig_is(reader, "com")) {
            well = lbio_fig_once(reader, &com_line, "com") && lbio_fig_expect(reader, "=") &&
                   lbio_fig_parse_triple(reader, FIG_LENGTH, "com", segment->com) && lbio_fig_expect_end(reader, "com");
        } else if (lbio_fig_accept(reader, "psurf")) {
            well = parse_psurf(reader, file, segment->name);
        } else if (lbio_fig_is(reader, "attribute")) {
            well = lbio_fig_skip_old(reader);
        } else {
            well = lbio_fig_unknown(reader, "a segment", known, 4);
        }
        if (!well) {
            return 0;
        }
    }
    return 1;
}
