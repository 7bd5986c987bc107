/* Any bytes as a BVH file; what loads must be written, and what is written must load again. */
#include <limber/io.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    return 0;
}
