/* Shares of a batch that are HDF5 files, put together: see batch_hdf5.h. Shares are untrusted: links, filters, types
 * and sizes are checked before anything is read. */
#include "cli/batch/batch.h"

#ifdef LIMBER_BATCH_HDF5
#include "cli/batch/batch_hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct share {
    const char *path;
    int32_t number, count, chunk; /* chunk: rows of a chunk, which decides where shares begin */
    char job[BATCH_TEXT_MOST + 1];
} share;

/* A share that is open. */
typedef struct opened {
    hid_t file;
    hid_t sets[BATCH_PARTS];
    hsize_t rows, variables;
} opened;

/* --- Attributes ---------------------------------------------------------------------------------------------------- */

static int get_text(hid_t place, const char *name, char text[BATCH_TEXT_MOST + 1]) {
    hid_t attribute = H5Aopen(place, name, H5P_DEFAULT);
    if (attribute < 0) {
        return -1;
    }
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    int is_good = H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type) && H5Tget_size(type) > 0 &&
                  H5Tget_size(type) <= BATCH_TEXT_MOST + 1 && H5Sget_simple_extent_npoints(space) == 1;
    memset(text, 0, BATCH_TEXT_MOST + 1);
    is_good = is_good && H5Aread(attribute, type, text) >= 0;
    text[BATCH_TEXT_MOST] = 0;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return is_good ? 0 : -1;
}

static int get_count(hid_t place, const char *name, int32_t *value) {
    hid_t attribute = H5Aopen(place, name, H5P_DEFAULT);
    if (attribute < 0) {
        return -1;
    }
    hid_t space = H5Aget_space(attribute);
    int is_good = H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, H5T_NATIVE_INT32, value) >= 0;
    H5Sclose(space);
    H5Aclose(attribute);
    return is_good ? 0 : -1;
}

/* --- Data sets ----------------------------------------------------------------------------------------------------- */

/* Opens a data set of this file (no link leads out of it) that needs no filter but our own. */
static hid_t open_set(hid_t file, const char *name) {
    H5L_info_t link;
    if (H5Lget_info(file, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) {
        return -1;
    }
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) {
        return -1;
    }
    hid_t properties = H5Dget_create_plist(set);
    int is_good = H5Pget_external_count(properties) == 0 && H5Pget_layout(properties) != H5D_VIRTUAL;
    for (int k = 0; k < H5Pget_nfilters(properties); k++) {
        unsigned flags, settings;
        size_t count = 0;
        H5Z_filter_t filter = H5Pget_filter2(properties, (unsigned)k, &flags, &count, NULL, 0, NULL, &settings);
        is_good = is_good && (filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE);
    }
    H5Pclose(properties);
    if (!is_good) {
        H5Dclose(set);
        return -1;
    }
    return set;
}

/* The sizes of a data set with so many dimensions; 0 where it has others. */
static int get_sizes(hid_t set, int dimensions, hsize_t *sizes) {
    hid_t space = H5Dget_space(set);
    int is_good = H5Sget_simple_extent_ndims(space) == dimensions && H5Sget_simple_extent_dims(space, sizes, NULL) >= 0;
    H5Sclose(space);
    return is_good;
}

static void close_share(opened *o) {
    for (int part = 0; part < BATCH_PARTS; part++) {
        if (o->sets[part] >= 0) {
            H5Dclose(o->sets[part]);
        }
    }
    if (o->file >= 0) {
        H5Fclose(o->file);
    }
}

static int open_share(const char *path, opened *o) {
    o->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    int is_good = o->file >= 0;
    for (int part = 0; part < BATCH_PARTS; part++) {
        hsize_t sizes[2] = {0, 0};
        o->sets[part] = is_good ? open_set(o->file, batch_part_names[part]) : -1;
        is_good = o->sets[part] >= 0 && get_sizes(o->sets[part], part == BATCH_PART_POSE ? 2 : 1, sizes);
        o->rows = part == 0 ? sizes[0] : o->rows;
        o->variables = sizes[1];
        is_good = is_good && sizes[0] == o->rows && o->rows < ((hsize_t)1 << 48);
    }
    if (is_good && o->variables <= BATCH_VARIABLES_MOST) {
        return CLI_OK;
    }
    close_share(o);
    return cli_fail(CLI_BAD_INPUT, "%s: is no share of a batch, or damaged", path);
}

/* --- Merging ------------------------------------------------------------------------------------------------------- */

/* Reads rows into the block. */
static int read_block(const opened *o, hsize_t first, batch_block *block) {
    int failed = 0;
    for (int part = 0; part < BATCH_PARTS; part++) {
        int is_pose = part == BATCH_PART_POSE;
        hsize_t from[2] = {first, 0}, size[2] = {(hsize_t)block->count, o->variables};
        if (is_pose && o->variables == 0) {
            continue;
        }
        hid_t space = H5Dget_space(o->sets[part]), memory = H5Screate_simple(is_pose ? 2 : 1, size, NULL);
        hid_t type = batch_part_type((batch_part)part);
        failed |=
            H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL) < 0 ||
            H5Dread(o->sets[part], type, memory, space, H5P_DEFAULT, batch_block_part(block, (batch_part)part)) < 0;
        H5Tclose(type);
        H5Sclose(memory);
        H5Sclose(space);
    }
    return failed;
}

static int copy_share(const opened *o, const char *path, batch_block *block, batch_hdf5 *out) {
    lb_error error = {0};
    for (hsize_t first = 0; first < o->rows; first += BATCH_BLOCK) {
        block->count = o->rows - first < BATCH_BLOCK ? (int)(o->rows - first) : BATCH_BLOCK;
        if (read_block(o, first, block)) {
            return cli_fail(CLI_BAD_INPUT, "%s: is damaged: rows cannot be read", path);
        }
        for (int k = 0; k < block->count; k++) {
            block->reason[k][BATCH_REASON_SIZE - 1] = 0;
            int status = block->status[k];
            if (status > BATCH_BAD) {
                return cli_fail(CLI_BAD_INPUT, "%s: is damaged: a row has no such status", path);
            }
            batch_answer answer = {.line = block->line[k],
                                   .outcome = status == BATCH_BAD ? LB_OUTCOME_INVALID
                                                                  : (lb_outcome)((int)LB_OUTCOME_SOLVED + status),
                                   .value = block->value[k],
                                   .iterations = block->iterations[k],
                                   .restarts = block->restarts[k],
                                   .reason = block->reason[k],
                                   .pose = block->pose + (size_t)k * (size_t)o->variables};
            if (batch_hdf5_put(out, &answer, &error)) {
                return cli_report(CLI_CANNOT_WRITE, &error);
            }
        }
    }
    return CLI_OK;
}

static int read_about(const char *path, share *s) {
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    int32_t version = 0;
    s->path = path;
    int is_good = file >= 0 && get_text(file, "format", s->job) == 0 && strcmp(s->job, BATCH_FORMAT) == 0;
    is_good = is_good && get_count(file, "version", &version) == 0;
    int code = CLI_OK;
    if (is_good && version != 1) {
        code =
            cli_fail(CLI_BAD_INPUT, "%s: is of version %d of the layout; this program knows version 1", path, version);
    } else if (!is_good || get_text(file, "job", s->job) || get_count(file, "share", &s->number) ||
               get_count(file, "share_count", &s->count) || get_count(file, "share_chunk", &s->chunk) ||
               s->number < 1 || s->number > s->count) {
        code = cli_fail(CLI_BAD_INPUT, "%s: is no share of a batch: those are written with --share", path);
    }
    if (file >= 0) {
        H5Fclose(file);
    }
    return code;
}

static int compare_shares(const void *a, const void *b) {
    return ((const share *)a)->number - ((const share *)b)->number;
}

static int check_shares(const share *shares, int count) {
    for (int k = 0; k < count; k++) {
        if (strcmp(shares[k].job, shares[0].job) != 0 || shares[k].count != shares[0].count ||
            shares[k].chunk != shares[0].chunk) {
            return cli_fail(CLI_BAD_INPUT, "%s: is a share of another job than %s", shares[k].path, shares[0].path);
        }
        if (k > 0 && shares[k].number == shares[k - 1].number) {
            return cli_fail(CLI_BAD_INPUT, "%s: is the same share as %s", shares[k].path, shares[k - 1].path);
        }
    }
    for (int k = 0; k < shares[0].count; k++) {
        if (k >= count || shares[k].number != k + 1) {
            return cli_fail(CLI_BAD_INPUT, "share %d of %d is missing", k + 1, shares[0].count);
        }
    }
    return CLI_OK;
}

/* How many rows all shares have; they must have the same variables. */
static int count_rows(const share *shares, int count, hsize_t *rows, hsize_t *variables) {
    *rows = 0;
    for (int k = 0; k < count; k++) {
        opened o;
        int code = open_share(shares[k].path, &o);
        if (code) {
            return code;
        }
        close_share(&o);
        *variables = k == 0 ? o.variables : *variables;
        *rows += o.rows;
        if (o.variables != *variables) {
            return cli_fail(CLI_BAD_INPUT, "%s: has other variables than the other shares", shares[k].path);
        }
    }
    return CLI_OK;
}

/* The names of the variables, BATCH_NAME_SIZE bytes each. */
static int read_names(hid_t file, hsize_t variables, char *names) {
    hsize_t size = 0;
    hid_t set = open_set(file, "variables"), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, BATCH_NAME_SIZE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    int is_good = set >= 0 && get_sizes(set, 1, &size) && size == variables &&
                  (variables == 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names) >= 0);
    H5Tclose(type);
    if (set >= 0) {
        H5Dclose(set);
    }
    return is_good ? 0 : -1;
}

/* Begins the merged file, which says of itself what the first share does. */
static batch_hdf5 *begin(const share *first, const char *beside, hsize_t rows, hsize_t variables) {
    static char version[BATCH_TEXT_MOST + 1], problem[BATCH_TEXT_MOST + 1], options[BATCH_TEXT_MOST + 1];
    lb_error error = {.message = "out of memory"};
    batch_hdf5 *out = NULL;
    char *names = calloc((size_t)variables + 1, BATCH_NAME_SIZE);
    const char **list = calloc((size_t)variables + 1, sizeof *list);
    hid_t file = H5Fopen(first->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0 || get_text(file, "limber", version) || get_text(file, "problem", problem) ||
        get_text(file, "options", options) || !names || !list || read_names(file, variables, names)) {
        cli_fail(CLI_BAD_INPUT, "%s: is no share of a batch, or damaged", first->path);
    } else {
        batch_about about = {version, problem, options, strtoull(first->job, NULL, 16), 0, 0, 0};
        for (hsize_t k = 0; k < variables; k++) {
            names[k * BATCH_NAME_SIZE + BATCH_NAME_SIZE - 1] = 0;
            list[k] = names + k * BATCH_NAME_SIZE;
        }
        out = batch_hdf5_create(beside, &about, (int64_t)rows, (int)variables, list, &error);
        if (!out) {
            cli_report(CLI_CANNOT_WRITE, &error);
        }
    }
    if (file >= 0) {
        H5Fclose(file);
    }
    free(names);
    free(list);
    return out;
}

static int write_merged(const share *shares, int count, const char *beside) {
    hsize_t rows = 0, variables = 0;
    lb_error error = {0};
    int code = count_rows(shares, count, &rows, &variables);
    if (code) {
        return code;
    }
    batch_block *block = calloc(1, sizeof *block);
    double *pose = malloc(((size_t)BATCH_BLOCK * (size_t)variables + 1) * sizeof *pose);
    batch_hdf5 *out = block && pose ? begin(&shares[0], beside, rows, variables) : NULL;
    code = out ? CLI_OK : CLI_BAD_INPUT;
    for (int k = 0; k < count && !code; k++) {
        opened o;
        block->pose = pose;
        code = open_share(shares[k].path, &o);
        if (!code) {
            code = copy_share(&o, shares[k].path, block, out);
            close_share(&o);
        }
    }
    if (out && batch_hdf5_close(out, &error) && !code) {
        code = cli_report(CLI_CANNOT_WRITE, &error);
    }
    free(pose);
    free(block);
    return code;
}

int batch_hdf5_merge(const cli_arguments *arguments, const char *beside, const char *output) {
    int count = arguments->operand_count - 1, code = CLI_OK;
    share *shares = calloc((size_t)count, sizeof *shares);
    (void)output;
    if (!shares) {
        return cli_fail(CLI_BAD_INPUT, "out of memory");
    }
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what fails is said here */
    H5PLset_loading_state(0);              /* no filters from elsewhere */
    for (int k = 0; k < count && !code; k++) {
        code = read_about(arguments->operands[k + 1], &shares[k]);
    }
    if (!code) {
        qsort(shares, (size_t)count, sizeof *shares, compare_shares);
        code = check_shares(shares, count);
    }
    code = code ? code : write_merged(shares, count, beside);
    free(shares);
    return code;
}

#else

int batch_hdf5_merge(const cli_arguments *arguments, const char *beside, const char *output) {
    (void)arguments, (void)beside;
    return cli_fail(CLI_BAD_USAGE, "%s: this program was built without HDF5 (Debian: libhdf5-dev); merge .csv files",
                    output);
}
#endif
