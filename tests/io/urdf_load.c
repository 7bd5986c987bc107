#include "urdf_load.h"

#include <stdio.h>
#include <string.h>

void urdf_hear(void *context, const lb_error *warning) {
    heard *said = context;
    size_t used = strlen(said->text);
    ++said->count;
    snprintf(said->text + used, sizeof said->text - used, "%d: %s\n", warning->line, warning->message);
}

static void prepare(heard *said, lb_load_options *options) {
    memset(said, 0, sizeof *said);
    lb_load_options_defaults(options);
    options->format = LB_FORMAT_URDF;
    options->warn = urdf_hear;
    options->warn_context = said;
}

lb_figure *urdf_load_text(const char *text, heard *said) {
    lb_load_options options;
    lb_figure *figure = NULL;
    prepare(said, &options);
    lb_figure_load_memory(text, strlen(text), "t.urdf", &options, &figure, &said->error);
    return figure;
}

lb_figure *urdf_load_file(const char *path, heard *said) {
    lb_load_options options;
    lb_figure *figure = NULL;
    prepare(said, &options);
    lb_figure_load(path, &options, &figure, &said->error);
    return figure;
}

char *urdf_save_text(const lb_figure *figure, heard *said) {
    lb_save_options options;
    char *text = NULL;
    size_t size;
    memset(said, 0, sizeof *said);
    lb_save_options_defaults(&options);
    options.format = LB_FORMAT_URDF;
    options.warn = urdf_hear;
    options.warn_context = said;
    lb_figure_save_memory(figure, &options, &text, &size, &said->error);
    return text;
}
