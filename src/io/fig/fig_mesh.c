/* Meshes that the segments of a .fig file name by `psurf`: drawn where they are asked for (lb_load_options.meshes) and
 * found. Jack's own files of surfaces (.pss) are not read; a file of the same name in a format that is takes their
 * place. */
#include "io/fig/fig.h"
#include "io/mesh/mesh.h"

#include <stdio.h>
#include <string.h>

/* The mesh as shapes: as it is where it is to be seen, and as a hull where nothing else of the segment is solid. */
static int add_shapes(fig_maker *maker, const fig_mesh *said, int segment, int is_solid, const lbio_cloud *cloud) {
    lb_shape shapes[LBIO_MESH_MAX_COLORS + 1];
    const int is_drawn = cloud->keeps_triangles;
    lb_shape_defaults(&shapes[0]);
    shapes[0].segment = segment;
    shapes[0].frame = said->frame;
    const lb_shape plain = shapes[0];
    int count = is_drawn ? lbio_mesh_shapes(cloud, shapes) : 0, well = count >= 0;
    count = well ? count : 0;
    if (well && (is_solid || !is_drawn)) {
        shapes[count] = plain;
        shapes[count].use = is_drawn ? LB_SHAPE_USE_SOLID : is_solid ? LB_SHAPE_USE_BOTH : LB_SHAPE_USE_DRAWN;
        well = lbio_mesh_hull(cloud, &shapes[count]);
        count += well;
    }
    for (int i = 0; i < count; i++) {
        well = well && lb_builder_add_shape(maker->builder, &shapes[i]) >= 0;
        lbio_mesh_release(&shapes[i]);
    }
    return well || lbio_fig_builder_fail(maker, said->line);
}

/* Reads the file that is named or, where that is none that can be read, one beside it of the same name and another
 * ending. */
static lb_status find_mesh(const fig_maker *maker, const char *folder, const fig_mesh *said, lbio_cloud *cloud,
                           lb_error *why) {
    static const char *const endings[] = {"obj", "stl", "dae", "glb", "gltf"};
    const lb_load_options *options = maker->reader->source->options;
    const char *dot = strrchr(said->file, '.'), *slash = strrchr(said->file, '/');
    const int stem = dot && (!slash || dot > slash) ? (int)(dot - said->file) : (int)strlen(said->file);
    lbio_mesh_name name = {said->file, folder, folder, options->packages, options->root};
    lb_status status = lbio_mesh_read(&name, said->scale, options, cloud, why);
    for (int i = 0; i < 5 && (status == LB_ERROR_FILE || status == LB_ERROR_UNSUPPORTED); i++) {
        char other[4096];
        lb_error unseen;
        snprintf(other, sizeof other, "%.*s.%s", stem > 4000 ? 4000 : stem, said->file, endings[i]);
        name.uri = other;
        status = lbio_mesh_read(&name, said->scale, options, cloud, &unseen) ? status : LB_OK;
    }
    return status;
}

static int build_mesh(fig_maker *maker, const char *folder, const fig_mesh *said) {
    lbio_cloud cloud = {.keeps_triangles = maker->reader->source->options->meshes > 1};
    lb_error why = {0};
    int segment, is_solid = 1, well = 1;
    if (!said->file) {
        return 1;
    }
    if (!lbio_fig_find_segment(maker, said->segment, said->line, &segment)) {
        return 0;
    }
    for (const fig_shape *shape = maker->file->shapes.first; shape; shape = shape->next) {
        is_solid &= strcmp(shape->segment, said->segment) != 0 || shape->use == LB_SHAPE_USE_DRAWN;
    }
    const lb_status status = find_mesh(maker, folder, said, &cloud, &why);
    if (status == LB_OK) {
        well = add_shapes(maker, said, segment, is_solid, &cloud);
    } else if (status == LB_ERROR_MEMORY) {
        well = lbio_fig_fail_status(maker->reader, LB_ERROR_MEMORY, 0, "out of memory");
    } else {
        lbio_warn(maker->reader->source, said->line, "a mesh is left out: %.120s%s%.300s", why.file,
                  why.file[0] ? ": " : "", why.message);
    }
    lbio_cloud_free(&cloud);
    return well;
}

int lbio_fig_build_meshes(fig_maker *maker, const char *folder) {
    const fig_mesh *said = maker->reader->source->options->meshes ? maker->file->meshes.first : NULL;
    while (said && build_mesh(maker, folder, said)) {
        said = said->next;
    }
    return maker->reader->status == LB_OK;
}
