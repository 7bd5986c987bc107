/* The clips that are learned from: motion of any skeleton (BVH, glTF), carried over to the figure, or tables of poses
 * of the figure itself as `limber retarget` writes them. */
#include "cli/learn/learn_clips.h"
#include "cli/learn/learn.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_TABLE ((size_t)1 << 30) /* bytes */

/* --- Which files ------------------------------------------------------------------------------------------------------- */

static int ends_in(const char *name, const char *ending) {
    const size_t length = strlen(name), size = strlen(ending);
    return length > size && strcmp(name + length - size, ending) == 0;
}

static int is_clip(const char *name) {
    return name[0] != '.' && (ends_in(name, ".bvh") || ends_in(name, ".glb") || ends_in(name, ".gltf") ||
                              ends_in(name, ".vrma") || ends_in(name, ".csv"));
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int add_path(learn_paths *paths, const char *folder, const char *name) {
    if (paths->count == paths->capacity) {
        const int capacity = 2 * paths->capacity + 64;
        char **grown = realloc(paths->items, (size_t)capacity * sizeof *grown);
        if (!grown) {
            return -1;
        }
        paths->items = grown;
        paths->capacity = capacity;
    }
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path) {
        strcpy(path, folder);
        strcat(path, *folder && folder[strlen(folder) - 1] != '/' ? "/" : "");
        strcat(path, name);
        paths->items[paths->count++] = path;
    }
    return path ? 0 : -1;
}

/* The clips of a folder, in the order of their names. */
static int add_folder(learn_paths *paths, const char *folder) {
    DIR *open = opendir(folder);
    const int first = paths->count;
    int failed = !open;
    for (struct dirent *entry; !failed && (entry = readdir(open));) {
        failed = is_clip(entry->d_name) && add_path(paths, folder, entry->d_name);
    }
    if (open) {
        closedir(open);
    }
    if (paths->count > first) {
        qsort(paths->items + first, (size_t)(paths->count - first), sizeof *paths->items, compare_names);
    }
    return failed;
}

int learn_find(const cli_arguments *arguments, learn_paths *paths) {
    for (int i = 0; i < arguments->operand_count; i++) {
        struct stat info;
        const char *path = arguments->operands[i];
        const int is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
        if (is_folder ? add_folder(paths, path) : add_path(paths, "", path)) {
            return cli_fail(CLI_BAD_INPUT, "%s: cannot be opened", path);
        }
    }
    return paths->count > 0 ? CLI_OK : cli_fail(CLI_BAD_INPUT, "there are no clips in these folders");
}

void learn_forget(learn_paths *paths) {
    for (int i = 0; i < paths->count; i++) {
        free(paths->items[i]);
    }
    free(paths->items);
}

/* --- Tables ---------------------------------------------------------------------------------------------------------------- */

/* Whether the heading of a table is that of the figure: time, and its variables in their order. */
static const char *skip_heading(const char *at, const lb_figure *figure) {
    const char *end = at + strcspn(at, "\n");
    if (strncmp(at, "time", 4) != 0) {
        return NULL;
    }
    at += 4;
    for (int i = 0; i < lb_figure_variable_count(figure); i++) {
        const char *name = lb_figure_variable(figure, i)->name;
        const size_t length = strlen(name);
        if (*at != ',' || strncmp(at + 1, name, length) != 0 || !strchr(",\r\n", at[1 + length])) {
            return NULL;
        }
        at += 1 + length;
    }
    return *end ? end + 1 : NULL;
}

static int count_lines(const char *text) {
    int count = 0;
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        count++;
    }
    return count;
}

static int read_table(const char *path, const lb_figure *figure, lb_clip **clip) {
    char *data = NULL;
    size_t size = 0;
    lb_error error;
    if (lbio_read_file(path, MOST_TABLE, &data, &size, &error)) {
        return cli_report(CLI_BAD_INPUT, &error);
    }
    const char *at = skip_heading(data, figure), *end = data + size;
    const int rows = at ? count_lines(at) : 0, variables = lb_figure_variable_count(figure);
    int code =
        !at ? cli_fail(CLI_BAD_INPUT, "%s:1: the columns are not time and the variables of the figure", path) : CLI_OK;
    *clip = code ? NULL : lb_clip_create(figure, rows > 0 ? rows : 1, 1, &error);
    for (int row = 0; !code && row < rows; row++) {
        double *pose = *clip ? lb_clip_pose(*clip, row) : NULL, time;
        at = pose ? lbio_number(at, end, &time) : NULL;
        for (int i = 0; at && i < variables; i++) {
            at = *at == ',' ? lbio_number(at + 1, end, &pose[i]) : NULL;
        }
        at = at && strchr("\r\n", *at) ? at + strspn(at, "\r\n") : NULL;
        code = at ? CLI_OK : cli_fail(CLI_BAD_INPUT, "%s:%d: %d numbers were expected", path, row + 2, variables + 1);
    }
    free(data);
    return code;
}

/* --- Motion ---------------------------------------------------------------------------------------------------------------- */

/* Feet that stand are not held: a pose is learned, not a motion. */
static int carry_over(const cli_source *source, const lb_clip *loaded, const lb_figure *figure, lb_clip **clip) {
    lb_body_map map;
    lb_retarget_options how;
    lb_error error;
    lb_retarget_options_defaults(&how);
    how.hold_feet = 0;
    if (lb_body_map_human(lb_clip_figure(loaded), figure, &map)) {
        return cli_fail(CLI_BAD_INPUT, "no memory for the names");
    }
    *clip = lb_retarget(loaded, figure, &map, &how, NULL, &error);
    return *clip ? CLI_OK : cli_fail(CLI_BAD_INPUT, "%s: %s", source->found, error.message);
}

int learn_read(const char *path, const cli_source *how, const lb_figure *figure, lb_clip **clip) {
    cli_warnings warnings = {.is_loud = 0};
    cli_source source = *how;
    lb_figure *own = NULL;
    lb_clip *loaded = NULL;
    *clip = NULL;
    if (ends_in(path, ".csv")) {
        return read_table(path, figure, clip);
    }
    source.path = path;
    int code = cli_load(&source, &warnings, &own, &loaded);
    if (!code && !loaded) {
        code = cli_fail(CLI_BAD_INPUT, "%s: has no motion; give BVH or glTF with frames", path);
    }
    code = code ? code : carry_over(&source, loaded, figure, clip);
    cli_warnings_free(&warnings);
    lb_clip_destroy(loaded);
    lb_figure_destroy(own);
    return code;
}
