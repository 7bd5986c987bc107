/* Scripts from files. */
#include "io/scefo/scefo.h"

#include <stdlib.h>
#include <string.h>

void lb_script_destroy(lb_script *script) {
    if (!script) {
        return;
    }
    lb_motion_destroy(script->motion);
    for (int i = 0; i < script->stage_count; i++) {
        lbio_scefo_stage *stage = &script->stages[i];
        lb_problem_destroy(stage->problem);
        for (int k = 0; k < stage->figure_count; k++) {
            lb_figure_destroy(stage->figures[k]);
        }
        free(stage->figures);
        free(stage->segment_figure);
        free(stage->segment_index);
        free(stage->joint_figure);
        free(stage->joint_index);
        free(stage->reach_ids);
    }
    free(script->stages);
    free(script);
}

const lb_motion *lb_script_motion(const lb_script *script) { return script ? script->motion : NULL; }

static lb_status read_script(const lbio_source *source, const char *folder, lb_script **script) {
    lbio_scefo scefo = {.source = source, .folder = folder};
    lb_script *made = calloc(1, sizeof *made);
    if (!made) {
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    lb_status status = lbio_scefo_parse(&scefo);
    status = status ? status : lbio_scefo_ground(&scefo);
    status = status ? status : lbio_scefo_animate(&scefo, made);
    lbio_scefo_free(&scefo);
    if (status) {
        lb_script_destroy(made);
        return status;
    }
    *script = made;
    return LB_OK;
}

lb_status lb_script_load_memory(const void *data, size_t size, const char *name, const lb_load_options *given,
                                lb_script **script, lb_error *error) {
    lb_load_options options;
    lb_error unseen;
    error = error ? error : &unseen;
    name = name ? name : "<memory>";
    if (!script || (!data && size > 0)) {
        return lbio_error(error, LB_ERROR_ARGUMENT, name, 0, "no data or no place for the script was given");
    }
    *script = NULL;
    lb_status status = lbio_take_load_options(given, &options, name, error);
    if (status) {
        return status;
    }
    if (size > options.max_bytes) {
        return lbio_error(error, LB_ERROR_TOO_LARGE, name, 0, "larger than the allowed %zu bytes", options.max_bytes);
    }
    lbio_text text = {0};
    lbio_text_bytes(&text, size ? data : "", size);
    if (text.failed) {
        return lbio_error(error, LB_ERROR_MEMORY, name, 0, "out of memory");
    }
    lbio_source source = {name, text.data, text.size, &options, error};
    status = read_script(&source, NULL, script);
    lbio_text_free(&text);
    return status;
}

lb_status lb_script_load(const char *path, const lb_load_options *given, lb_script **script, lb_error *error) {
    lb_load_options options;
    lb_error unseen;
    char *data = NULL, *folder = NULL;
    size_t size = 0;
    error = error ? error : &unseen;
    if (!path || !script) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "no path or no place for the script was given");
    }
    *script = NULL;
    lb_status status = lbio_take_load_options(given, &options, path, error);
    status = status ? status : lbio_read_file(path, options.max_bytes, &data, &size, error);
    if (status) {
        return status;
    }
    int is_stdin = strcmp(path, "-") == 0;
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 1;
    folder = malloc(length + 2);
    if (!folder) {
        free(data);
        return lbio_error(error, LB_ERROR_MEMORY, path, 0, "out of memory");
    }
    memcpy(folder, slash ? path : ".", length);
    folder[slash == path ? 1 : length] = 0;
    if (slash == path) {
        folder[0] = '/';
    }
    lbio_source source = {is_stdin ? "<stdin>" : path, data, size, &options, error};
    status = read_script(&source, is_stdin ? NULL : folder, script);
    free(folder);
    free(data);
    return status;
}
