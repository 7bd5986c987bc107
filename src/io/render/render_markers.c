/* Markers in a scene: what is asked of the figures. */
#include "io/render/render.h"

#include <math.h>
#include <string.h>

/* Obstacles and regions, before the scene has its scale. */
void lbio_scene_add_marker_shape(lbio_scene *scene, const lb_marker *marker) {
    lbio_prim *prim = lbio_scene_add_prim(scene);
    if (!prim) {
        return;
    }
    int color = marker->shape.color >= 0 ? marker->shape.color : 0xc9b58a;
    double srgb[3];
    for (int i = 0; i < 3; i++) {
        srgb[i] = (color >> (16 - 8 * i) & 255) / 255.0;
    }
    prim->kind = marker->shape.kind;
    prim->segment = -1;
    memcpy(prim->p, marker->frame.position, sizeof prim->p);
    memcpy(prim->size, marker->shape.size, sizeof prim->size);
    lb_rotation_to_matrix(marker->frame.rotation, prim->r);
    lbio_color_to_linear(srgb, prim->color);
}

static void add_axes(lbio_scene *scene, const lb_marker *marker) {
    double m[9];
    lb_rotation_to_matrix(marker->frame.rotation, m);
    for (int axis = 0; axis < 3; axis++) {
        double line[2][3];
        for (int i = 0; i < 3; i++) {
            line[0][i] = marker->frame.position[i];
            line[1][i] = line[0][i] + 0.12 * scene->scale * m[3 * i + axis];
        }
        lbio_scene_add_outline(scene, (lbio_outline_kind)(LBIO_OUTLINE_X + axis), 0, (const double(*)[3])line, 2);
    }
}

/* Targets: a small ball, so that the camera sees it, and a mark, so that a person does even where a hand covers it. */
void lbio_scene_add_marker(lbio_scene *scene, const lb_marker *marker) {
    if (marker->kind == LB_MARKER_SHAPE || marker->kind == LB_MARKER_SOLID) {
        return;
    }
    if (marker->kind == LB_MARKER_LINE) {
        double line[2][3];
        memcpy(line[0], marker->frame.position, sizeof line[0]);
        memcpy(line[1], marker->to, sizeof line[1]);
        lbio_scene_add_outline(scene, LBIO_OUTLINE_GOAL, 0, (const double(*)[3])line, 2);
        return;
    }
    if (marker->kind == LB_MARKER_FRAME) {
        add_axes(scene, marker);
    }
    lbio_prim *prim = lbio_scene_add_prim(scene);
    lbio_mark *mark = prim ? lbio_scene_add_mark(scene) : NULL;
    if (!mark) {
        return;
    }
    static const double met[3] = {0.13, 0.55, 0.30}, unmet[3] = {0.80, 0.20, 0.16};
    lbio_to_scene(scene, marker->frame.position, mark->p);
    mark->kind = marker->is_met ? LBIO_MARK_MET : LBIO_MARK_UNMET;
    mark->name = marker->name;
    prim->kind = LB_SHAPE_SPHERE;
    prim->segment = -1;
    prim->size[0] = 0.012;
    prim->r[0] = prim->r[4] = prim->r[8] = 1;
    memcpy(prim->p, mark->p, sizeof prim->p);
    lbio_color_to_linear(marker->is_met ? met : unmet, prim->color);
}
