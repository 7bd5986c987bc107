/* Where outputs go: see output.h. */
#include "cli/output.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- Files that are read, and files that were written
 * -------------------------------------------------------------- */

typedef struct identity { /* of a file, by whatever name and links */
    dev_t device;
    ino_t number;
} identity;

typedef struct identities {
    identity *items;
    int count, capacity, failed;
} identities;

#define OUTPUTS_MOST 8 /* options of one command that each name a file */

typedef struct outputs {
    identities read;
    char *claimed[OUTPUTS_MOST]; /* where each goes, with its links followed */
    int claimed_count;
    int is_forced;
    lbio_watch watch;
} outputs;

static outputs all; /* of the one command that this process runs */

static void note_input(void *context, const char *path) {
    identities *list = &((outputs *)context)->read;
    struct stat information;
    if (stat(path, &information) != 0 || !S_ISREG(information.st_mode)) {
        return;
    }
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 32;
        identity *items = realloc(list->items, (size_t)capacity * sizeof *items);
        if (!items) {
            list->failed = 1; /* then nothing that is there is written over */
            return;
        }
        list->items = items, list->capacity = capacity;
    }
    list->items[list->count++] = (identity){information.st_dev, information.st_ino};
}

static int is_input(const identities *list, const struct stat *information) {
    int is_in = list->failed;
    for (int k = 0; k < list->count && !is_in; k++) {
        is_in = list->items[k].device == information->st_dev && list->items[k].number == information->st_ino;
    }
    return is_in;
}

static lb_status may_write(void *context, const char *path, lb_error *error) {
    const outputs *o = context;
    struct stat information;
    if (o->is_forced || stat(path, &information) != 0 || !S_ISREG(information.st_mode) ||
        !is_input(&o->read, &information)) {
        return LB_OK;
    }
    return lbio_error(error, LB_ERROR_FILE, path, 0,
                      "is one of the files that are read here, and stays as it is; give another name, or --force");
}

void cli_outputs_begin(const cli_command *command, const cli_arguments *arguments) {
    all.is_forced = cli_has(command, arguments, "force");
    all.watch = (lbio_watch){note_input, may_write, &all};
    lbio_watch_files(&all.watch);
}

/* --- What a name says ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *ending;
    cli_kind kind;
    int is_told; /* among those that a message lists */
} endings[] = {{".json", CLI_KIND_JSON, 1},   {".csv", CLI_KIND_CSV, 1},     {".png", CLI_KIND_PICTURE, 1},
               {".svg", CLI_KIND_PICTURE, 1}, {".pdf", CLI_KIND_PICTURE, 1}, {".fig", CLI_KIND_FIG, 1},
               {".urdf", CLI_KIND_URDF, 1},   {".xacro", CLI_KIND_URDF, 0},  {".bvh", CLI_KIND_BVH, 1},
               {".glb", CLI_KIND_GLTF, 1},    {".gltf", CLI_KIND_GLTF, 1},   {".vrm", CLI_KIND_GLTF, 1},
               {".vrma", CLI_KIND_GLTF, 0},   {".ply", CLI_KIND_MESH, 1},    {".h5", CLI_KIND_HDF5, 1},
               {".hdf5", CLI_KIND_HDF5, 0},   {".habit", CLI_KIND_HABIT, 1}};
#define ENDING_COUNT ((int)(sizeof endings / sizeof endings[0]))

static cli_kind kind_of(const char *path) {
    for (int k = 0; k < ENDING_COUNT; k++) {
        if (lbio_ends_in(path, endings[k].ending)) {
            return endings[k].kind;
        }
    }
    return CLI_KIND_NONE;
}

/* ".json, .csv or .png" */
static void list_endings(int kinds, char *text, size_t size) {
    int count = 0, told = 0;
    for (int k = 0; k < ENDING_COUNT; k++) {
        count += endings[k].is_told && (endings[k].kind & kinds) != 0;
    }
    *text = 0;
    for (int k = 0; k < ENDING_COUNT; k++) {
        if (endings[k].is_told && (endings[k].kind & kinds)) {
            const size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%s",
                     told == 0           ? ""
                     : told + 1 == count ? " or "
                                         : ", ",
                     endings[k].ending);
            told++;
        }
    }
}

/* Standard output, or a pipe or device that has a name: what it takes is not said by an ending. */
static int is_stream(const char *path) {
    struct stat information;
    return strcmp(path, "-") == 0 || lbio_is_handed_over(path) ||
           (stat(path, &information) == 0 && !S_ISREG(information.st_mode) && !S_ISDIR(information.st_mode));
}

/* The place that a path leads to, whether or not a file is there yet; NULL where there is no such folder, or no
 * memory. */
static char *find_place(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *real = lbio_real_path(path);
    if (real) {
        return real;
    }
    lbio_text place = {0};
    lbio_text_bytes(&place, slash ? path : ".", slash == path ? 1 : slash ? (size_t)(slash - path) : 1);
    char *folder = place.failed ? NULL : lbio_real_path(place.data);
    place.size = 0;
    lbio_text_format(&place, "%s/%s", folder ? folder : "", name);
    if (!folder || place.failed) {
        lbio_text_free(&place);
    }
    free(folder);
    return place.data;
}

int cli_claim_output(const cli_command *command, const char *path) {
    char *place = !path || is_stream(path) ? NULL : find_place(path);
    for (int k = 0; place && k < all.claimed_count; k++) {
        if (strcmp(all.claimed[k], place) == 0) {
            free(place);
            return cli_usage(command, "two outputs go to `%s`; give each its own file", path);
        }
    }
    if (place && all.claimed_count < OUTPUTS_MOST) {
        all.claimed[all.claimed_count++] = place;
    } else {
        free(place);
    }
    return CLI_OK;
}

int cli_read_output(const cli_command *command, const char *option, const char *path, int kinds, cli_kind otherwise,
                    cli_output *output) {
    char known[160];
    *output = (cli_output){path, CLI_KIND_NONE};
    if (!path) {
        return CLI_OK;
    }
    output->kind = kind_of(path);
    if (!(output->kind & kinds) && is_stream(path)) {
        output->kind = otherwise;
    }
    if (output->kind & kinds) {
        return cli_claim_output(command, path);
    }
    list_endings(kinds, known, sizeof known);
    if (is_stream(path)) {
        return cli_usage(command, "`%s %s`: this does not go to standard output; name a file that ends in %s", option,
                         path, known);
    }
    if (lb_format_from_path(path) == LB_FORMAT_MJCF || lbio_ends_in(path, ".xml")) {
        return cli_usage(command, "MJCF is read but not written; end `%s` in %s", path, known);
    }
    return output->kind ? cli_usage(command, "`%s %s`: this is not written here; end it in %s", option, path, known)
                        : cli_usage(command, "`%s %s` does not tell what to write; end it in %s", option, path, known);
}

int cli_check_output(const char *path) {
    lb_error error = {0};
    return path && !is_stream(path) ? cli_written(lbio_may_write(path, &error), &error) : CLI_OK;
}

/* --- Writing ------------------------------------------------------------------------------------------------------- */

int cli_written(lb_status status, const lb_error *error) {
    return status ? cli_report(status == LB_ERROR_FILE ? CLI_CANNOT_WRITE : CLI_BAD_INPUT, error) : CLI_OK;
}

int cli_write_text(const char *path, lbio_text *text, const char *what) {
    lb_error error = {0};
    int code = text->failed ? cli_fail(CLI_BAD_INPUT, "no memory for %s", what) : CLI_OK;
    if (!code) {
        code = cli_written(lbio_write_file(path, text->data ? text->data : "", text->size, &error), &error);
    }
    lbio_text_free(text);
    return code;
}
