/* The lists of a scene: solids, marks and outlines. */
#include "io/render/render.h"
#include <stdlib.h>
#include <string.h>

void *lbio_scene_grow(void *block, int count, int *capacity, size_t size, int *has_failed) {
    if (count < *capacity) {
        return block;
    }
    int wanted = *capacity ? 2 * *capacity : 64;
    void *bigger = *has_failed ? NULL : realloc(block, (size_t)wanted * size);
    if (!bigger) {
        *has_failed = 1;
        return NULL;
    }
    *capacity = wanted;
    return bigger;
}

lbio_prim *lbio_scene_add_prim(lbio_scene *scene) {
    void *room = lbio_scene_grow(scene->prims, scene->prim_count, &scene->prim_capacity, sizeof *scene->prims,
                                 &scene->has_failed);
    if (!room) {
        return NULL;
    }
    scene->prims = room;
    return memset(&scene->prims[scene->prim_count++], 0, sizeof *scene->prims);
}

lbio_mark *lbio_scene_add_mark(lbio_scene *scene) {
    void *room = lbio_scene_grow(scene->marks, scene->mark_count, &scene->mark_capacity, sizeof *scene->marks,
                                 &scene->has_failed);
    if (!room) {
        return NULL;
    }
    scene->marks = room;
    return memset(&scene->marks[scene->mark_count++], 0, sizeof *scene->marks);
}

void lbio_to_scene(const lbio_scene *scene, const double world[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = (world[i] - scene->origin[i]) / scene->scale;
    }
}

void lbio_scene_add_outline(lbio_scene *scene, lbio_outline_kind kind, int is_closed, const double (*points)[3],
                            int count) {
    void *room = lbio_scene_grow(scene->outlines, scene->outline_count, &scene->outline_capacity,
                                 sizeof *scene->outlines, &scene->has_failed);
    if (!room) {
        return;
    }
    scene->outlines = room;
    lbio_outline outline = {kind, scene->point_count, count, is_closed};
    for (int i = 0; i < count; i++) {
        room = lbio_scene_grow(scene->points, scene->point_count, &scene->point_capacity, sizeof *scene->points,
                               &scene->has_failed);
        if (!room) {
            return;
        }
        scene->points = room;
        lbio_to_scene(scene, points[i], scene->points[scene->point_count++]);
    }
    scene->outlines[scene->outline_count++] = outline;
}

void lbio_scene_free(lbio_scene *scene) {
    for (int k = 0; k < scene->prim_count; k++) {
        free(scene->prims[k].planes);
        lbio_mesh_tree_free(scene->prims[k].mesh);
    }
    free(scene->prims);
    free(scene->marks);
    free(scene->outlines);
    free(scene->points);
    free(scene->nodes);
    free(scene->order);
    memset(scene, 0, sizeof *scene);
}
