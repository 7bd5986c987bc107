/* glTF in: whatever the bytes, an answer. What is read has finite frames, also when it moves; it can be written into its
 * own file in another pose and with another animation, and what comes out is read again; and it can be written anew. */
#include "io/gltf/gltf.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static void must(int holds) {
    if (!holds) {
        abort();
    }
}

static void options_of(lb_load_options *options) {
    lb_load_options_defaults(options);
    options->format = LB_FORMAT_GLTF;
    options->max_bytes = (size_t)1 << 20;
    options->anatomical_limits = 1;
}

static lb_figure *load(const void *data, size_t size, lb_clip **clip) {
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_error error;
    options_of(&options);
    lb_status status = clip ? lb_clip_load_memory(data, size, "fuzz", &options, &figure, clip, &error)
                            : lb_figure_load_memory(data, size, "fuzz", &options, &figure, &error);
    must((status == LB_OK) == (figure != NULL));
    must(status == LB_OK || error.message[0] != '\0');
    return figure;
}

static void check_frames(const lb_figure *figure, const double *pose) {
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    must(kinematics != NULL);
    must(lb_kinematics_update(kinematics, pose) == LB_OK);
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        lb_frame frame;
        lb_kinematics_segment(kinematics, i, &frame);
        for (int k = 0; k < 4; k++) {
            must(isfinite(frame.rotation[k]) && (k == 3 || isfinite(frame.position[k])));
        }
    }
    lb_kinematics_destroy(kinematics);
}

/* Into its own text, and read again. */
static void rewrite(const char *data, size_t size, const lb_figure *figure, const double *pose, const lb_clip *clip) {
    lb_load_options options;
    lb_error error;
    lbio_text copy = {0}, out = {0};
    options_of(&options);
    options.max_bytes = (size_t)1 << 24;
    lbio_text_bytes(&copy, data, size);
    const lbio_source source = {"fuzz", copy.data, size, &options, &error};
    const lbio_gltf_change change = {figure, pose, clip, "again", NULL, NULL};
    must(lbio_gltf_rewrite(&source, NULL, &change, &out) == LB_OK);
    lb_figure *again = NULL;
    must(lb_figure_load_memory(out.data, out.size, "again", &options, &again, &error) == LB_OK);
    lb_figure_destroy(again);
    lbio_text_free(&copy);
    lbio_text_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lb_clip *clip = NULL;
    lb_figure *figure = load(data, size, NULL);
    if (!figure) {
        return 0;
    }
    double *pose = calloc((size_t)lb_figure_variable_count(figure) + 1, sizeof *pose);
    uint64_t seed = 1;
    must(pose != NULL);
    lb_figure_random_pose(figure, &seed, pose);
    check_frames(figure, pose);
    rewrite((const char *)data, size, figure, pose, NULL);
    lb_figure *moving = load(data, size, &clip);
    if (clip && lb_clip_frame_count(clip) < 1000) {
        check_frames(moving, lb_clip_const_pose(clip, lb_clip_frame_count(clip) / 2));
        rewrite((const char *)data, size, NULL, NULL, clip);
    }
    lb_save_options options;
    char *text = NULL;
    size_t text_size = 0;
    lb_save_options_defaults(&options);
    options.format = LB_FORMAT_GLTF;
    if (lb_figure_segment_count(figure) < 200) {
        must(lb_figure_save_memory(figure, &options, &text, &text_size, NULL) == LB_OK);
    }
    lb_text_free(text);
    lb_clip_destroy(clip);
    lb_figure_destroy(moving);
    lb_figure_destroy(figure);
    free(pose);
    return 0;
}
