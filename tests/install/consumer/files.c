/* Uses the io layer: a chain without a file, written as text. */
#include <limber/io.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    lb_figure *figure = NULL;
    lb_error error;
    lb_save_options options;
    char *text = NULL;
    size_t size = 0;
    int well;

    if (lb_figure_load("chain:3", NULL, &figure, &error) != LB_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    lb_save_options_defaults(&options);
    options.format = LB_FORMAT_URDF;
    if (lb_figure_save_memory(figure, &options, &text, &size, &error) != LB_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    well = lb_figure_variable_count(figure) == 3 && strstr(text, "<robot") != NULL;
    printf("a chain of %d joints, %lu bytes of URDF\n", lb_figure_joint_count(figure), (unsigned long)size);
    lb_text_free(text);
    lb_figure_destroy(figure);
    return well ? 0 : 1;
}
