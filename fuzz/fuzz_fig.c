/* Any bytes at all as a .fig file. What is read must also be written and read back as the same text. */
#include <limber/io.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lb_load_options options;
    lb_figure *figure = NULL, *again = NULL;
    lb_error error;
    lb_load_options_defaults(&options);
    options.format = LB_FORMAT_FIG;
    options.max_bytes = 1 << 20;
    if (lb_figure_load_memory(data, size, "fuzz.fig", &options, &figure, &error) != LB_OK) {
        if (figure || error.message[0] == 0) {
            abort();
        }
        return 0;
    }
    char *text = NULL, *second = NULL;
    size_t length = 0;
    options.max_bytes = (size_t)64 << 20;
    if (lb_figure_save_memory(figure, NULL, &text, &length, &error) != LB_OK ||
        lb_figure_load_memory(text, length, "again.fig", &options, &again, &error) != LB_OK ||
        lb_figure_save_memory(again, NULL, &second, NULL, &error) != LB_OK || strcmp(text, second) != 0) {
        abort();
    }
    lb_text_free(text);
    lb_text_free(second);
    lb_figure_destroy(figure);
    lb_figure_destroy(again);
    return 0;
}
