/* A glTF file as the tests see it: read again from its JSON, without Limber's reader, as matrices. */
#ifndef LIMBER_TESTS_GLTF_SCENE_H
#define LIMBER_TESTS_GLTF_SCENE_H

#include <jansson.h>
#include <stddef.h>

typedef struct scene {
    char *file; /* all bytes */
    size_t size;
    const char *text; /* the JSON */
    size_t text_size;
    const unsigned char *bin;
    size_t bin_size;
    json_t *json;
    int node_count;
    int *parents;
    double (*local)[16]; /* [node] column by column */
    double (*world)[16];
} scene;

/* 1 if it could be read. */
int scene_open(scene *s, const char *path);
void scene_close(scene *s);
/* Places all nodes as the file has them, or at a time of an animation (-1: none). */
void scene_place(scene *s, int animation, double time);
double scene_size(const scene *s);
/* Where a node is, in Limber's axes. faces_back: VRM 0.x. */
void scene_position(const scene *s, int node, int faces_back, double position[3]);

/* All characters among the shared files, relative to the folder of shared data; ended by NULL. */
extern const char *const scene_files[];

#endif
