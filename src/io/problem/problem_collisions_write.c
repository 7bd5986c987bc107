/* `collisions` of a problem, written: all that is kept apart, with the solids of its world in it. */
#include <string.h>

#include "io/problem/problem.h"
#include <limber/collisions.h>

/* Both ends of a capsule or cylinder. */
static void put_ends(lbio_json *json, const lb_shape *shape) {
    double m[9], from[3], to[3];
    lb_rotation_to_matrix(shape->frame.rotation, m);
    for (int i = 0; i < 3; i++) {
        from[i] = shape->frame.position[i] - shape->size[1] * m[3 * i + 2];
        to[i] = shape->frame.position[i] + shape->size[1] * m[3 * i + 2];
    }
    lbio_json_numbers(json, "point", from, 3);
    lbio_json_numbers(json, "to", to, 3);
    lbio_json_number(json, "radius", shape->size[0]);
}

static void put_solid(lbio_json *json, const lb_solid *solid) {
    static const char *const kinds[] = {"sphere", "capsule", "box", "cylinder", "ellipsoid", "hull", "half-space"};
    const lb_shape *shape = &solid->shape;
    double m[9];
    lbio_json_open(json, NULL, '{');
    json->is_inline++;
    lbio_json_string(json, "name", solid->name);
    lbio_json_string(json, "kind", kinds[shape->kind]);
    if (shape->kind == LB_SHAPE_CAPSULE || shape->kind == LB_SHAPE_CYLINDER) {
        put_ends(json, shape);
    } else {
        lbio_json_numbers(json, "point", shape->frame.position, 3);
    }
    if (shape->kind == LB_SHAPE_BOX || shape->kind == LB_SHAPE_HULL) {
        lbio_json_numbers(json, "quaternion", shape->frame.rotation, 4);
    }
    if (shape->kind == LB_SHAPE_BOX) {
        lbio_json_numbers(json, "half_size", shape->size, 3);
    } else if (shape->kind == LB_SHAPE_SPHERE || shape->kind == LB_SHAPE_HULL) {
        lbio_json_number(json, "radius", shape->size[0]);
    } else if (shape->kind == LB_SHAPE_HALF_SPACE) {
        lb_rotation_to_matrix(shape->frame.rotation, m);
        lbio_json_numbers(json, "normal", (const double[3]){m[2], m[5], m[8]}, 3);
    }
    if (shape->kind == LB_SHAPE_HULL) {
        lbio_json_open(json, "vertices", '[');
        for (int i = 0; i < shape->vertex_count; i++) {
            lbio_json_numbers(json, NULL, shape->vertices[i], 3);
        }
        lbio_json_close(json, ']');
    }
    lbio_json_close(json, '}');
    json->is_inline--;
}

/* "link3", "anna:hand", or a solid's name. */
static void put_mass(lbio_json *json, const lb_problem_file *file, const lb_collisions *c, int figure, int segment) {
    lbio_text name = {0};
    if (figure < 0) {
        lbio_text_add(&name, c->solids[segment].name);
    } else {
        if (file->figure_count > 1) {
            lbio_text_add(&name, file->names[figure]);
            lbio_text_add(&name, ":");
        }
        lbio_text_add(&name, lb_figure_segment(file->figures[figure], segment)->name);
    }
    lbio_json_string(json, NULL, name.failed ? "" : name.data);
    json->text.failed |= name.failed;
    lbio_text_free(&name);
}

/* Whether a pair is of things that there are: others do nothing, and are not written. */
static int is_there(const lb_problem_file *file, const lb_collisions *c, int figure, int segment) {
    return segment >= 0 && figure < file->figure_count &&
           segment < (figure < 0 ? c->solid_count : lb_figure_segment_count(file->figures[figure]));
}

const char *lbio_collisions_trouble(const lb_problem *problem) {
    const lb_collisions *c = lb_problem_collisions(problem);
    for (int i = 0; c && i < c->solid_count; i++) {
        const lb_shape *shape = &c->solids[i].shape;
        if (shape->kind == LB_SHAPE_ELLIPSOID ||
            (shape->kind == LB_SHAPE_CAPSULE && shape->size[0] != shape->size[2])) {
            return "a solid of the world is an ellipsoid or a tapered capsule, which files do not have";
        }
    }
    return NULL;
}

void lbio_put_collisions(lbio_json *json, const lb_problem_file *file) {
    const lb_collisions *c = lb_problem_collisions(file->problem);
    if (!c) {
        return;
    }
    lbio_json_open(json, "collisions", '{');
    lbio_json_truth(json, "self", c->self);
    lbio_json_number(json, "margin", c->margin);
    lbio_json_count(json, "samples", c->samples);
    lbio_json_number(json, "seed", (double)c->seed);
    lbio_json_open(json, "solids", '[');
    for (int i = 0; i < c->solid_count; i++) {
        put_solid(json, &c->solids[i]);
    }
    lbio_json_close(json, ']');
    lbio_json_open(json, "touching", '[');
    for (int i = 0; i < c->touching_count; i++) {
        const lb_touching *t = &c->touching[i];
        if (is_there(file, c, t->figure_a, t->segment_a) && is_there(file, c, t->figure_b, t->segment_b)) {
            lbio_json_open(json, NULL, '[');
            json->is_inline++;
            put_mass(json, file, c, t->figure_a, t->segment_a);
            put_mass(json, file, c, t->figure_b, t->segment_b);
            lbio_json_close(json, ']');
            json->is_inline--;
        }
    }
    lbio_json_close(json, ']');
    lbio_json_close(json, '}');
}
