/* Any bytes as an MJCF file, and where the bodies of what loads are. */
#include <limber/io.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_error error;
    lb_load_options_defaults(&options);
    options.format = LB_FORMAT_MJCF;
    if (lb_figure_load_memory(data, size, "input", &options, &figure, &error) == LB_OK) {
        lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
        for (int i = 0; kinematics && i < lb_figure_segment_count(figure); i++) {
            lb_frame frame;
            if (lb_kinematics_segment(kinematics, i, &frame) != LB_OK ||
                !(frame.position[0] - frame.position[0] == 0)) {
                abort();
            }
        }
        lb_kinematics_destroy(kinematics);
    }
    lb_figure_destroy(figure);
    return 0;
}
