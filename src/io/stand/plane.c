/* Mobile robots: a base that drives in the plane. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/stand/stand.h"

#define RIGIDITY 0.9 /* of the base: an arm goes first, and the base by what is left */

/* A name that nothing else has: `name`, `name_2`, ... */
static void free_name(const lb_builder *builder, int is_joint, const char *name, char *text, size_t size) {
    snprintf(text, size, "%s", name);
    for (int i = 2; (is_joint ? lb_builder_find_joint(builder, text) : lb_builder_find_segment(builder, text)) >= 0;
         i++) {
        snprintf(text, size, "%s_%d", name, i);
    }
}

static int add_site(lb_builder *builder, int segment, const char *name, const lb_frame *frame) {
    lb_site site;
    lb_site_defaults(&site);
    site.name = name;
    site.segment = segment;
    site.frame = *frame;
    const int found = lb_builder_find_site(builder, segment, name);
    return found >= 0 ? found : lb_builder_add_site(builder, &site);
}

/* From a point of the floor to the root: x and y along the world, and a turn about z. */
static int add_joint(lb_builder *builder, int site_a, int site_b, const double half[3]) {
    static const char *const dofs[3] = {"x", "y", "yaw"};
    static const lb_element elements[3] = {
        {LB_ELEMENT_TRANSLATE, {1, 0, 0}}, {LB_ELEMENT_TRANSLATE, {0, 1, 0}}, {LB_ELEMENT_ROTATE, {0, 0, 1}}};
    char name[64];
    lb_joint joint;
    lb_joint_defaults(&joint);
    free_name(builder, 1, "base", name, sizeof name);
    joint.name = name;
    joint.site_a = site_a;
    joint.site_b = site_b;
    joint.type.element_count = 3;
    memcpy(joint.type.elements, elements, sizeof elements);
    for (int i = 0; i < 3; i++) {
        joint.dof_names[i] = dofs[i];
        joint.rigidity[i] = RIGIDITY;
        if (half && half[i] > 0) {
            joint.lower[i] = -half[i];
            joint.upper[i] = half[i];
        }
    }
    return lb_builder_add_joint(builder, &joint);
}

static int put_on_plane(lb_builder *builder, const lb_figure *figure, const double half[3]) {
    const lb_root *old = lb_figure_root(figure);
    char name[64];
    lb_segment floor;
    lb_root root;
    lb_frame on_floor = {{0, 0, 0}, {0, 0, 0, 1}}, below = old->placement, inverse;
    lb_segment_defaults(&floor);
    lb_root_defaults(&root);
    free_name(builder, 0, "floor", name, sizeof name);
    floor.name = name;
    memcpy(on_floor.position, old->placement.position, sizeof on_floor.position);
    lb_frame_invert(&old->placement, &inverse); /* the floor's axes as the root site has them, */
    lb_frame_multiply(&inverse, &on_floor, &below);
    if (old->site >= 0) { /* and as the root segment has them */
        lb_frame_multiply(&lb_figure_site(figure, old->site)->frame, &below, &below);
    }
    root.segment = lb_builder_add_segment(builder, &floor);
    const int site_a = root.segment < 0 ? root.segment : add_site(builder, root.segment, "base", &on_floor);
    const int site_b = site_a < 0 ? site_a : add_site(builder, old->segment, "on_floor", &below);
    const int joint = site_b < 0 ? site_b : add_joint(builder, site_a, site_b, half);
    return joint < 0 ? joint : (int)lb_builder_set_root(builder, &root);
}

lb_status lb_figure_on_plane(const lb_figure *figure, const double half[3], lb_figure **moving, lb_error *error) {
    lb_error unseen;
    error = error ? error : &unseen;
    if (moving) {
        *moving = NULL;
    }
    if (!figure || !moving) {
        return lbio_error(error, LB_ERROR_ARGUMENT, "", 0, "there is no figure, or no place for the one that drives");
    }
    for (int i = 0; i < 3 && half; i++) {
        if (!(half[i] >= 0)) {
            return lbio_error(error, LB_ERROR_ARGUMENT, "", 0, "how far a base drives must not be negative");
        }
    }
    if (lb_figure_root(figure)->is_free) {
        return lbio_error(error, LB_ERROR_UNSUPPORTED, "", 0, "the root of the figure is free already");
    }
    lb_builder *builder = lb_builder_from(figure, error);
    if (!builder) {
        return error->status;
    }
    lb_status status = LB_OK;
    const int put = put_on_plane(builder, figure, half);
    if (put < 0 || (status = lb_builder_finish(builder, moving)) != LB_OK) {
        status = status ? status : (lb_status)put;
        lbio_error(error, status, "", 0, "%s", lb_builder_error(builder)->message);
    }
    lb_builder_destroy(builder);
    return status;
}

lb_status lbio_make_base(const lbio_source *source, lb_figure **figure) {
    const lb_load_options *o = source->options;
    lb_figure *moving = NULL;
    if (o->base == LB_BASE_FILE) {
        return LB_OK;
    }
    if (o->stand) {
        return lbio_fail(source, LB_ERROR_UNSUPPORTED, 0, "what stands on its feet has no base that drives");
    }
    lb_status status = lb_figure_on_plane(*figure, o->base_half, &moving, source->error);
    if (status) {
        lb_error reason = *source->error;
        return lbio_fail(source, status, 0, "%s", reason.message);
    }
    lb_figure_destroy(*figure);
    *figure = moving;
    return LB_OK;
}
