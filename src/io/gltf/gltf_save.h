/* What gltf_save.c and gltf_save_clip.c share. */
#ifndef LIMBER_IO_GLTF_SAVE_H
#define LIMBER_IO_GLTF_SAVE_H

#include "io/gltf/gltf.h"

/* A file to be written again. */
typedef struct lbio_gltf_saver {
    lbio_gltf gltf;
    lbio_source source;
    lb_load_options load;
    const lb_save_options *options; /* may be NULL */
    const lb_figure *figure;
    lb_kinematics *kinematics;
    lbio_gltf_state *states;
    lbio_span *spans; /* [nodes] where they are in the text */
    lbio_edits edits;
    lbio_text bin;   /* what is added to the file's own bytes */
    lbio_text patch; /* what takes the place of some of them, */
    size_t patch_at; /* from here on */
    lb_frame from_world;
} lbio_gltf_saver;

/* A node's own translation and rotation in the pose of the kinematics; 1 where they are not those of the file. */
int lbio_gltf_local_of(lbio_gltf_saver *s, int node, double translation[3], double rotation[4]);
/* Numbers as a JSON list, in place of what the text had. */
void lbio_gltf_print_numbers(const double *values, int count, lbio_text *out);
/* gltf_save_clip.c: adds a clip as an animation of this name (NULL: one that is free). */
lb_status lbio_gltf_edit_animation(lbio_gltf_saver *s, const lb_clip *clip, const char *name);
/* Where a file has animations: puts one before them that holds all that they move where the pose has it (translation
 * and rotation of each node), for viewers that play the first one. The still of an earlier pose is replaced. */
lb_status lbio_gltf_edit_still(lbio_gltf_saver *s, const double (*places)[7]);

#endif
