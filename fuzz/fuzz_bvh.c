/* Any bytes as a BVH file; what loads must be written, and what is written must load again, frames and all. */
#include "io/text.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_motion(const uint8_t *data, size_t size, const lb_load_options *load, const lb_save_options *save) {
    lb_figure *figure = NULL, *again = NULL;
    lb_clip *clip = NULL, *same = NULL;
    lb_error error;
    lbio_text text = {0};
    if (lb_clip_load_memory(data, size, "input", load, &figure, &clip, &error) == LB_OK && clip) {
        for (int f = 0; f < lb_clip_frame_count(clip); f++) {
            for (int v = 0; v < lb_figure_variable_count(figure); v++) {
                if (!isfinite(lb_clip_const_pose(clip, f)[v])) {
                    abort();
                }
            }
        }
        if (lbio_write_bvh(figure, clip, save, &text, &error) != LB_OK || text.failed ||
            lb_clip_load_memory(text.data, text.size, "output", load, &again, &same, &error) != LB_OK || !same ||
            lb_clip_frame_count(same) != lb_clip_frame_count(clip)) {
            abort();
        }
    }
    lbio_text_free(&text);
    lb_clip_destroy(clip);
    lb_clip_destroy(same);
    lb_figure_destroy(figure);
    lb_figure_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lb_load_options load;
    lb_save_options save;
    lb_figure *figure = NULL, *again = NULL;
    lb_error error;
    char *text = NULL;
    size_t length = 0;
    lb_load_options_defaults(&load);
    lb_save_options_defaults(&save);
    load.format = save.format = LB_FORMAT_BVH;
    if (lb_figure_load_memory(data, size, "input", &load, &figure, &error) == LB_OK) {
        if (lb_figure_save_memory(figure, &save, &text, &length, &error) != LB_OK ||
            lb_figure_load_memory(text, length, "output", &load, &again, &error) != LB_OK ||
            lb_figure_variable_count(again) != lb_figure_variable_count(figure)) {
            abort();
        }
    }
    lb_figure_destroy(figure);
    lb_figure_destroy(again);
    lb_text_free(text);
    check_motion(data, size, &load, &save);
    return 0;
}
