/* URDF in: whatever the bytes, an answer; what is read has finite frames, and once written as URDF it is read again. */
#include <limber/io.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static void must(int holds) {
    if (!holds) {
        abort();
    }
}

static lb_figure *load(const void *data, size_t size) {
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_error error;
    lb_load_options_defaults(&options);
    options.format = LB_FORMAT_URDF;
    options.max_bytes = (size_t)1 << 20;
    lb_status status = lb_figure_load_memory(data, size, "fuzz", &options, &figure, &error);
    must((status == LB_OK) == (figure != NULL));
    must(status == LB_OK || error.message[0] != '\0');
    return figure;
}

/* Finite, and turned only. */
static void check_frames(const lb_figure *figure) {
    double *pose = calloc((size_t)lb_figure_variable_count(figure) + 1, sizeof *pose);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    must(pose && kinematics);
    uint64_t seed = 1;
    lb_figure_random_pose(figure, &seed, pose);
    lb_kinematics_update(kinematics, pose);
    for (int i = 0; i < lb_figure_segment_count(figure); ++i) {
        double m[12], largest = 0.0;
        lb_kinematics_matrix(kinematics, i, m);
        for (int k = 0; k < 12; ++k) {
            largest = fmax(largest, k % 4 == 3 ? 0.0 : fabs(m[k]));
            must(isfinite(m[k]));
        }
        must(largest <= 1.0 + 1e-6);
    }
    lb_kinematics_destroy(kinematics);
    free(pose);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lb_figure *figure = load(data, size);
    if (!figure) {
        return 0;
    }
    check_frames(figure);
    lb_save_options options;
    char *text = NULL;
    size_t text_size;
    lb_save_options_defaults(&options);
    options.format = LB_FORMAT_URDF;
    must(lb_figure_save_memory(figure, &options, &text, &text_size, NULL) == LB_OK);
    lb_figure *back = load(text, text_size);
    must(back || text_size > (size_t)1 << 20);
    if (back) {
        must(lb_figure_segment_count(back) >= lb_figure_segment_count(figure));
    }
    lb_figure_destroy(back);
    lb_text_free(text);
    lb_figure_destroy(figure);
    return 0;
}
