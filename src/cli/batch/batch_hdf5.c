/* The output of a batch as HDF5: see batch_hdf5.h. Rows are written in blocks of one size, whatever they come from, so
 * that the same rows are the same bytes; nothing in the file tells the time. */
#ifdef LIMBER_BATCH_HDF5
#include "cli/batch/batch_hdf5.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const batch_part_names[BATCH_PARTS] = {"line",     "status", "value", "iterations",
                                                   "restarts", "reason", "pose"};

struct batch_hdf5 {
    const char *path;
    hid_t file;
    hid_t sets[BATCH_PARTS];
    int variables;
    int64_t written; /* rows */
    batch_block block;
    int has_failed;
};

int batch_has_hdf5(void) { return 1; }

hid_t batch_part_type(batch_part part) {
    static const size_t reason_size = BATCH_REASON_SIZE;
    hid_t type = -1;
    switch (part) {
    case BATCH_PART_LINE:
        return H5Tcopy(H5T_STD_I64LE);
    case BATCH_PART_STATUS:
        return H5Tcopy(H5T_STD_U8LE);
    case BATCH_PART_ITERATIONS:
    case BATCH_PART_RESTARTS:
        return H5Tcopy(H5T_STD_I32LE);
    case BATCH_PART_REASON:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, reason_size);
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        return type;
    default:
        return H5Tcopy(H5T_IEEE_F64LE);
    }
}

void *batch_block_part(batch_block *block, batch_part part) {
    void *const parts[BATCH_PARTS] = {block->line,     block->status, block->value, block->iterations,
                                      block->restarts, block->reason, block->pose};
    return parts[part];
}

static lb_status write_failed(const batch_hdf5 *f, lb_error *error) {
    return lbio_error(error, LB_ERROR_FILE, f->path, 0,
                      "cannot be written; is the disk full? Nothing that was computed is lost: go on with --resume");
}

/* --- What the file says of itself ------------------------------------------------------------------------------- */

static int put_text(hid_t place, const char *name, const char *text) {
    size_t size = strlen(text);
    size = size > BATCH_TEXT_MOST ? BATCH_TEXT_MOST : size;
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, size + 1);
    H5Tset_strpad(type, H5T_STR_NULLTERM);
    H5Tset_cset(type, H5T_CSET_UTF8);
    char *copy = calloc(size + 1, 1);
    hid_t attribute = copy ? H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    if (copy) {
        memcpy(copy, text, size);
    }
    int failed = attribute < 0 || H5Awrite(attribute, type, copy) < 0;
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    free(copy);
    return failed;
}

static int put_count(hid_t place, const char *name, int32_t value) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(place, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
    int failed = attribute < 0 || H5Awrite(attribute, H5T_NATIVE_INT32, &value) < 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return failed;
}

static int put_about(hid_t file, const batch_about *about) {
    char identity[24];
    snprintf(identity, sizeof identity, "%016llx", (unsigned long long)about->identity);
    int failed = put_text(file, "format", BATCH_FORMAT) || put_count(file, "version", 1) ||
                 put_text(file, "limber", about->version) || put_text(file, "problem", about->problem) ||
                 put_text(file, "options", about->options) || put_text(file, "job", identity);
    return failed || (about->share_count > 0 &&
                      (put_count(file, "share", about->share) || put_count(file, "share_count", about->share_count) ||
                       put_count(file, "share_chunk", about->share_chunk)));
}

/* A data set's properties: no time stamp; in compressed chunks where there is something in it. */
static hid_t make_properties(hsize_t rows, hsize_t width) {
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk[2] = {rows < BATCH_BLOCK ? rows : BATCH_BLOCK, width};
    H5Pset_obj_track_times(properties, 0);
    if (rows > 0 && width > 0) {
        H5Pset_chunk(properties, width > 1 ? 2 : 1, chunk);
        H5Pset_shuffle(properties);
        H5Pset_deflate(properties, 1);
    }
    return properties;
}

static int make_sets(batch_hdf5 *f, hsize_t rows) {
    int failed = 0;
    for (int part = 0; part < BATCH_PARTS; part++) {
        int is_pose = part == BATCH_PART_POSE;
        hsize_t size[2] = {rows, (hsize_t)f->variables};
        hid_t space = H5Screate_simple(is_pose ? 2 : 1, size, NULL), type = batch_part_type((batch_part)part);
        /* A pose of one variable has two dimensions, too, and so have its chunks. */
        hid_t properties = make_properties(rows, is_pose ? (hsize_t)f->variables : 1);
        if (is_pose && f->variables == 1 && rows > 0) {
            hsize_t chunk[2] = {rows < BATCH_BLOCK ? rows : BATCH_BLOCK, 1};
            H5Pset_chunk(properties, 2, chunk);
        }
        f->sets[part] = H5Dcreate2(f->file, batch_part_names[part], type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
        failed |= f->sets[part] < 0;
        H5Pclose(properties);
        H5Tclose(type);
        H5Sclose(space);
    }
    return failed || put_text(f->sets[BATCH_PART_STATUS], "values", "0 solved, 1 minimum, 2 budget, 3 bad");
}

static int put_names(const batch_hdf5 *f, const char *const *names) {
    hsize_t size = (hsize_t)f->variables;
    char *all = calloc((size_t)f->variables + 1, BATCH_NAME_SIZE);
    hid_t space = H5Screate_simple(1, &size, NULL), type = H5Tcopy(H5T_C_S1), properties = make_properties(0, 1);
    H5Tset_size(type, BATCH_NAME_SIZE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    hid_t set = all ? H5Dcreate2(f->file, "variables", type, space, H5P_DEFAULT, properties, H5P_DEFAULT) : -1;
    for (int k = 0; all && k < f->variables; k++) {
        snprintf(all + (size_t)k * BATCH_NAME_SIZE, BATCH_NAME_SIZE, "%s", names[k]);
    }
    int failed = set < 0 || (f->variables > 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) < 0);
    H5Dclose(set);
    H5Pclose(properties);
    H5Tclose(type);
    H5Sclose(space);
    free(all);
    return failed;
}

/* --- Writing ------------------------------------------------------------------------------------------------------ */

batch_hdf5 *batch_hdf5_create(const char *path, const batch_about *about, int64_t rows, int variables,
                              const char *const *names, lb_error *error) {
    batch_hdf5 *f = calloc(1, sizeof *f);
    double *pose = malloc(((size_t)BATCH_BLOCK * (size_t)variables + 1) * sizeof *pose);
    if (!f || !pose) {
        free(f);
        free(pose);
        lbio_error(error, LB_ERROR_MEMORY, path, 0, "out of memory");
        return NULL;
    }
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what fails is said here */
    f->path = path, f->variables = variables, f->block.pose = pose;
    for (int part = 0; part < BATCH_PARTS; part++) {
        f->sets[part] = -1;
    }
    H5dont_atexit(); /* where a disk was full, HDF5 would try again when the program ends, and crash */
    f->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (f->file < 0 || put_about(f->file, about) || make_sets(f, (hsize_t)rows) || put_names(f, names)) {
        lb_error ignored;
        write_failed(f, error);
        f->has_failed = 1;
        batch_hdf5_close(f, &ignored);
        return NULL;
    }
    return f;
}

/* The rows of the block behind those that are written. */
static lb_status write_block(batch_hdf5 *f, lb_error *error) {
    batch_block *b = &f->block;
    for (int part = 0; part < BATCH_PARTS && b->count > 0; part++) {
        int is_pose = part == BATCH_PART_POSE;
        hsize_t from[2] = {(hsize_t)f->written, 0}, size[2] = {(hsize_t)b->count, (hsize_t)f->variables};
        if (is_pose && f->variables == 0) {
            continue;
        }
        hid_t space = H5Dget_space(f->sets[part]), memory = H5Screate_simple(is_pose ? 2 : 1, size, NULL);
        hid_t type = batch_part_type((batch_part)part);
        int failed =
            H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL) < 0 ||
            H5Dwrite(f->sets[part], type, memory, space, H5P_DEFAULT, batch_block_part(b, (batch_part)part)) < 0;
        H5Tclose(type);
        H5Sclose(memory);
        H5Sclose(space);
        if (failed) {
            f->has_failed = 1;
            return write_failed(f, error);
        }
    }
    f->written += b->count;
    b->count = 0;
    return LB_OK;
}

lb_status batch_hdf5_put(batch_hdf5 *f, const batch_answer *a, lb_error *error) {
    batch_block *b = &f->block;
    int k = b->count++, is_bad = a->outcome == LB_OUTCOME_INVALID;
    double *pose = b->pose + (size_t)k * (size_t)f->variables;
    b->line[k] = a->line;
    b->status[k] = (uint8_t)(is_bad ? BATCH_BAD : a->outcome - LB_OUTCOME_SOLVED);
    b->value[k] = a->value;
    b->iterations[k] = a->iterations, b->restarts[k] = a->restarts;
    memset(b->reason[k], 0, BATCH_REASON_SIZE);
    snprintf(b->reason[k], BATCH_REASON_SIZE, "%s", is_bad ? a->reason : "");
    for (int i = 0; i < f->variables; i++) {
        pose[i] = is_bad ? NAN : a->pose[i];
    }
    return b->count == BATCH_BLOCK ? write_block(f, error) : LB_OK;
}

lb_status batch_hdf5_close(batch_hdf5 *f, lb_error *error) {
    lb_status status = f->has_failed ? write_failed(f, error) : write_block(f, error);
    int failed = 0;
    for (int part = 0; part < BATCH_PARTS; part++) {
        failed |= f->sets[part] >= 0 && H5Dclose(f->sets[part]) < 0;
    }
    failed |= f->file >= 0 && H5Fclose(f->file) < 0;
    status = status ? status : failed ? write_failed(f, error) : LB_OK;
    free(f->block.pose);
    free(f);
    return status;
}

#else
#include "cli/batch/batch.h"

int batch_has_hdf5(void) { return 0; }

batch_hdf5 *batch_hdf5_create(const char *path, const batch_about *about, int64_t rows, int variables,
                              const char *const *names, lb_error *error) {
    (void)about, (void)rows, (void)variables, (void)names;
    lbio_error(error, LB_ERROR_UNSUPPORTED, path, 0, "this program was built without HDF5");
    return NULL;
}

lb_status batch_hdf5_put(batch_hdf5 *file, const batch_answer *answer, lb_error *error) {
    (void)file, (void)answer;
    return lbio_error(error, LB_ERROR_UNSUPPORTED, NULL, 0, "this program was built without HDF5");
}

lb_status batch_hdf5_close(batch_hdf5 *file, lb_error *error) {
    (void)file;
    return lbio_error(error, LB_ERROR_UNSUPPORTED, NULL, 0, "this program was built without HDF5");
}
#endif
