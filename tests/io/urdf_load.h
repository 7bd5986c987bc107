/* Loading URDF in a test, with all that is said on the way. */
#ifndef LIMBER_TESTS_URDF_LOAD_H
#define LIMBER_TESTS_URDF_LOAD_H

#include <limber/io.h>

typedef struct heard {
    lb_error error;
    int count;
    char text[4000]; /* all warnings, a line each, cut at the end */
} heard;

/* For lb_load_options.warn and lb_save_options.warn with a heard. */
void urdf_hear(void *context, const lb_error *warning);
/* NULL: refused, see said->error. */
lb_figure *urdf_load_text(const char *text, heard *said);
lb_figure *urdf_load_file(const char *path, heard *said);
/* What a figure is as URDF; NULL on failure. To be freed with lb_text_free. */
char *urdf_save_text(const lb_figure *figure, heard *said);

#endif
