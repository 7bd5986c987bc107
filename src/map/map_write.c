/* A map as an HDF5 file: docs/map-files.md. The same map gives the same bytes: no time stamps, fixed chunks and
 * filters, and everything in one order. Planes of chunks are written as they are read. */
#include "map/hdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TILE 64          /* cells of an HDF5 chunk along x and y */
#define FRAME_TILE 16    /* the same of `frames` */
#define LIST_CHUNK 16384 /* cells of an HDF5 chunk of a list */
#define DEFLATE 4
#define ATTRIBUTE_MOST 60000 /* bytes that an attribute may have */

typedef enum column_kind { COLUMN_STATE, COLUMN_REACHED, COLUMN_OUTSIDE, COLUMN_UNFOUND, COLUMN_COUNT } column_kind;

typedef struct writer {
    const lbmap_plan *plan;
    hid_t file;
    hid_t columns[COLUMN_COUNT], fields[LBMAP_FIELDS], frames, poses; /* datasets; frames and poses -1: none */
    int64_t slab_cells;                                               /* room of the arrays below */
    unsigned char *state, *frame;
    uint16_t *counts; /* [3][slab_cells] */
    float *field;     /* [LBMAP_FIELDS][slab_cells] */
    double *pose;
} writer;

static int put_attribute(hid_t at, const char *name, hid_t type, int count, const void *values) {
    const hsize_t size = (hsize_t)count;
    hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    hid_t attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const int is_bad = attribute < 0 || H5Awrite(attribute, type, values) < 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return is_bad;
}

static int put_text(hid_t at, const char *name, const char *text) {
    const size_t size = strlen(text);
    hid_t type = H5Tcopy(H5T_C_S1);
    int is_bad = size > ATTRIBUTE_MOST || H5Tset_size(type, size ? size : 1) < 0 ||
                 H5Tset_cset(type, H5T_CSET_UTF8) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0;
    is_bad = is_bad || put_attribute(at, name, type, 1, text);
    H5Tclose(type);
    return is_bad;
}

/* How a dataset is stored: in chunks, compressed, without time stamps. What the caller listed (doubles with all their
 * digits) hardly gets smaller, and would take longer to compress than to solve. */
static hid_t storage(int rank, const hsize_t *chunk, size_t number_size, int is_list) {
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plist, 0);
    H5Pset_fill_time(plist, H5D_FILL_TIME_NEVER);
    H5Pset_chunk(plist, rank, chunk);
    if (number_size > 1 && !is_list) {
        H5Pset_shuffle(plist);
    }
    if (!is_list) {
        H5Pset_deflate(plist, DEFLATE);
    }
    return plist;
}

static hid_t make_dataset(hid_t file, const char *name, hid_t type, int rank, const hsize_t *size,
                          const hsize_t *chunk) {
    const int is_list = strcmp(name, "points") == 0 || strcmp(name, "rotations") == 0;
    hid_t space = H5Screate_simple(rank, size, NULL), plist = storage(rank, chunk, H5Tget_size(type), is_list);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Pclose(plist);
    H5Sclose(space);
    return set;
}

/* A whole dataset at once. */
static int put_array(hid_t file, const char *name, hid_t type, int rank, const hsize_t *size, const void *values) {
    hid_t memory = H5Tequal(type, H5T_STD_U8LE) > 0 ? H5T_NATIVE_UINT8 : H5T_NATIVE_DOUBLE;
    hsize_t chunk[2] = {size[0] < LIST_CHUNK ? size[0] : LIST_CHUNK, rank > 1 ? size[1] : 1};
    hid_t set = make_dataset(file, name, type, rank, size, chunk);
    const int is_bad = set < 0 || H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
    H5Dclose(set);
    return is_bad;
}

/* The size of a dataset with `extra` numbers a cell (0: one), its chunk, and its rank. */
static int extent(const lbmap_layout *l, int extra, hsize_t size[4], hsize_t chunk[4]) {
    int rank = 0;
    const int tile = extra ? FRAME_TILE : TILE;
    if (l->is_grid) {
        for (int i = 2; i >= 0; i--) {
            const hsize_t most = i == 2 ? (hsize_t)l->block : (hsize_t)tile;
            size[rank] = (hsize_t)l->shape[i];
            chunk[rank] = size[rank] < most ? size[rank] : most;
            rank++;
        }
    } else {
        const hsize_t most = extra ? LIST_CHUNK / 16 : LIST_CHUNK;
        size[rank] = (hsize_t)l->shape[0];
        chunk[rank] = size[rank] < most ? size[rank] : most;
        rank++;
    }
    if (extra) {
        size[rank] = chunk[rank] = (hsize_t)extra;
        rank++;
    }
    return rank;
}

/* --- The head of the file ------------------------------------------------------------------------------------ */

static int put_variables(const writer *w) {
    const lbmap_plan *plan = w->plan;
    return plan->names_size &&
           put_array(w->file, "variables", H5T_STD_U8LE, 1, (hsize_t[]){plan->names_size}, plan->variable_names);
}

static int put_places(const writer *w) {
    const lbmap_plan *plan = w->plan;
    const lb_map_options *o = &plan->options;
    const hsize_t size[2] = {(hsize_t)o->point_count, 3}, turns[2] = {(hsize_t)o->point_count, 4};
    const hsize_t spread[2] = {(hsize_t)plan->layout.orientation_count, 4};
    int is_bad = 0;
    if (plan->rotations) {
        is_bad = put_array(w->file, "orientations", H5T_IEEE_F64LE, 2, spread, plan->rotations);
    }
    if (is_bad || plan->layout.is_grid) {
        return is_bad;
    }
    double *values = malloc((size_t)o->point_count * 4 * sizeof *values);
    for (int64_t i = 0; values && i < o->point_count; i++) {
        memcpy(values + 3 * i, o->points[i].position, 3 * sizeof *values);
    }
    is_bad = !values || put_array(w->file, "points", H5T_IEEE_F64LE, 2, size, values);
    for (int64_t i = 0; values && o->has_rotations && i < o->point_count; i++) {
        memcpy(values + 4 * i, o->points[i].rotation, 4 * sizeof *values);
    }
    is_bad = is_bad || (o->has_rotations && put_array(w->file, "rotations", H5T_IEEE_F64LE, 2, turns, values));
    free(values);
    return is_bad;
}

static int put_head(const writer *w) {
    const lbmap_plan *plan = w->plan;
    const lbmap_layout *l = &plan->layout;
    const int32_t version = LB_MAP_VERSION, starts = plan->options.starts, has_turns = plan->has_orientations;
    const int64_t shape[3] = {l->shape[0], l->shape[1], l->shape[2]};
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)plan->figure_hash);
    int is_bad = put_text(w->file, "format", LBMAP_FORMAT) ||
                 put_attribute(w->file, "version", H5T_STD_I32LE, 1, &version) ||
                 put_text(w->file, "limber", lb_version()) || put_text(w->file, "figure_name", plan->figure_name) ||
                 put_text(w->file, "figure_hash", hash) || put_text(w->file, "sites", plan->site_text) ||
                 put_text(w->file, "options", plan->description.data) ||
                 put_attribute(w->file, "starts", H5T_STD_I32LE, 1, &starts) ||
                 put_attribute(w->file, "has_orientations", H5T_STD_I32LE, 1, &has_turns) ||
                 put_text(w->file, "kind", l->is_grid ? "grid" : "list");
    if (l->is_grid) {
        is_bad = is_bad || put_attribute(w->file, "shape", H5T_STD_I64LE, 3, shape) ||
                 put_attribute(w->file, "origin", H5T_IEEE_F64LE, 3, l->origin) ||
                 put_attribute(w->file, "spacing", H5T_IEEE_F64LE, 1, &l->spacing);
    }
    is_bad = is_bad || put_array(w->file, "figure", H5T_STD_U8LE, 1, (hsize_t[]){plan->figure_size}, plan->figure_text);
    is_bad = is_bad || put_variables(w) || put_places(w);
    return is_bad || (plan->variable_count && put_array(w->file, "base_pose", H5T_IEEE_F64LE, 1,
                                                        (hsize_t[]){(hsize_t)plan->variable_count}, plan->base_pose));
}

static int make_datasets(writer *w) {
    static const char *const names[] = {"state", "reached", "outside", "unfound"};
    const lbmap_layout *l = &w->plan->layout;
    hsize_t size[4], chunk[4];
    int rank = extent(l, 0, size, chunk), is_bad = 0;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        w->columns[i] = make_dataset(w->file, names[i], i ? H5T_STD_U16LE : H5T_STD_U8LE, rank, size, chunk);
        is_bad |= w->columns[i] < 0;
    }
    for (int i = 0; i < LBMAP_FIELDS; i++) {
        w->fields[i] = make_dataset(w->file, lbmap_field_names[i], H5T_IEEE_F32LE, rank, size, chunk);
        is_bad |= w->fields[i] < 0;
    }
    if (l->orientation_count > 1) {
        rank = extent(l, l->orientation_count, size, chunk);
        w->frames = make_dataset(w->file, "frames", H5T_STD_U8LE, rank, size, chunk);
        is_bad |= w->frames < 0;
    }
    if (w->plan->options.has_poses && w->plan->variable_count) {
        rank = extent(l, w->plan->variable_count, size, chunk);
        w->poses = make_dataset(w->file, "pose", H5T_IEEE_F64LE, rank, size, chunk);
        is_bad |= w->poses < 0;
    }
    return is_bad;
}

/* --- The cells, a slab at a time --------------------------------------------------------------------------------- */

/* Cells of a plane of chunks, or of some chunks of a list: from cell `first` on. */
typedef struct slab {
    int64_t first_chunk, end_chunk, first_cell, cells;
    hsize_t at[4], size[4]; /* as a hyperslab without the numbers of a cell */
} slab;

/* Puts the record of a chunk to its places in the slab. */
static void spread_record(writer *w, const slab *s, int64_t chunk, const lbmap_record *record) {
    const lbmap_layout *l = &w->plan->layout;
    const size_t k = (size_t)l->orientation_count, n = (size_t)w->plan->variable_count;
    lbmap_block block;
    lbmap_chunk_block(l, chunk, &block);
    for (int c = 0; c < block.count; c++) {
        const size_t to = (size_t)(lbmap_block_cell(l, &block, c) - s->first_cell), cells = (size_t)w->slab_cells;
        int counts[4];
        w->state[to] = (unsigned char)lbmap_cell_state(record->frames + (size_t)c * k, (int)k, counts);
        for (size_t i = 0; i < 3; i++) {
            w->counts[i * cells + to] = (uint16_t)counts[i + 1];
        }
        for (size_t i = 0; i < LBMAP_FIELDS; i++) {
            w->field[i * cells + to] = record->fields[i * (size_t)block.count + (size_t)c];
        }
        memcpy(w->frame + to * k, record->frames + (size_t)c * k, k);
        if (record->poses && n) {
            memcpy(w->pose + to * n, record->poses + (size_t)c * n, n * sizeof *w->pose);
        }
    }
}

/* Writes a part of a dataset; extra: numbers of a cell, 0: one. */
static int put_part(hid_t set, const slab *s, hid_t type, int extra, int is_grid, const void *values) {
    hsize_t at[4], size[4], count = 1;
    int rank = is_grid ? 3 : 1;
    memcpy(at, s->at, sizeof at);
    memcpy(size, s->size, sizeof size);
    if (extra) {
        at[rank] = 0, size[rank] = (hsize_t)extra;
        rank++;
    }
    for (int i = 0; i < rank; i++) {
        count *= size[i];
    }
    hid_t file_space = H5Dget_space(set), memory_space = H5Screate_simple(1, &count, NULL);
    const int is_bad = H5Sselect_hyperslab(file_space, H5S_SELECT_SET, at, NULL, size, NULL) < 0 ||
                       H5Dwrite(set, type, memory_space, file_space, H5P_DEFAULT, values) < 0;
    H5Sclose(file_space);
    H5Sclose(memory_space);
    return is_bad;
}

static int put_slab(writer *w, const slab *s) {
    const lbmap_layout *l = &w->plan->layout;
    const size_t cells = (size_t)w->slab_cells;
    int is_bad = put_part(w->columns[0], s, H5T_NATIVE_UINT8, 0, l->is_grid, w->state);
    for (size_t i = 0; !is_bad && i < 3; i++) {
        is_bad = put_part(w->columns[i + 1], s, H5T_NATIVE_UINT16, 0, l->is_grid, w->counts + i * cells);
    }
    for (size_t i = 0; !is_bad && i < LBMAP_FIELDS; i++) {
        is_bad = put_part(w->fields[i], s, H5T_NATIVE_FLOAT, 0, l->is_grid, w->field + i * cells);
    }
    if (!is_bad && w->frames >= 0) {
        is_bad = put_part(w->frames, s, H5T_NATIVE_UINT8, l->orientation_count, l->is_grid, w->frame);
    }
    if (!is_bad && w->poses >= 0) {
        is_bad = put_part(w->poses, s, H5T_NATIVE_DOUBLE, w->plan->variable_count, l->is_grid, w->pose);
    }
    return is_bad;
}

/* Slab number `index`; 0 where there is none. */
static int find_slab(const lbmap_layout *l, int64_t index, slab *s) {
    const int64_t chunks = l->is_grid ? l->blocks[0] * l->blocks[1] : (LIST_CHUNK + l->block - 1) / l->block;
    s->first_chunk = index * chunks;
    s->end_chunk = s->first_chunk + chunks < l->chunk_count ? s->first_chunk + chunks : l->chunk_count;
    if (s->first_chunk >= l->chunk_count) {
        return 0;
    }
    if (l->is_grid) {
        const int64_t first = index * l->block, left = l->shape[2] - first, depth = left < l->block ? left : l->block;
        s->first_cell = first * l->shape[0] * l->shape[1];
        s->cells = depth * l->shape[0] * l->shape[1];
        s->at[0] = (hsize_t)first, s->at[1] = s->at[2] = 0;
        s->size[0] = (hsize_t)depth, s->size[1] = (hsize_t)l->shape[1], s->size[2] = (hsize_t)l->shape[0];
    } else {
        const int64_t end = s->end_chunk * l->block < l->shape[0] ? s->end_chunk * l->block : l->shape[0];
        s->first_cell = s->first_chunk * l->block;
        s->cells = end - s->first_cell;
        s->at[0] = (hsize_t)s->first_cell, s->size[0] = (hsize_t)s->cells;
    }
    return 1;
}

static lb_status fail_write(const char *name, lb_error *error) {
    return lbio_error(error, LB_ERROR_FILE, name, 0, "cannot be written; is the disk full?");
}

static lb_status put_cells(writer *w, const char *name, lbmap_read_chunk read, void *context, lb_error *error) {
    lbio_text text = {0};
    slab s;
    lb_status status = LB_OK;
    for (int64_t index = 0; !status && find_slab(&w->plan->layout, index, &s); index++) {
        for (int64_t chunk = s.first_chunk; !status && chunk < s.end_chunk; chunk++) {
            lbmap_block block;
            lbmap_record record;
            lbmap_chunk_block(&w->plan->layout, chunk, &block);
            status = read(context, chunk, &text, error);
            if (!status && text.size != lbmap_record_size(w->plan, block.count)) {
                status = lbio_error(error, LB_ERROR_SYNTAX, name, 0, "the record of chunk %lld has the wrong size",
                                    (long long)chunk);
            }
            if (!status) {
                lbmap_record_at(w->plan, block.count, text.data, &record);
                spread_record(w, &s, chunk, &record);
            }
        }
        if (!status && put_slab(w, &s)) {
            status = fail_write(name, error);
        }
    }
    lbio_text_free(&text);
    return status;
}

/* --- The file --------------------------------------------------------------------------------------------------------- */

static hid_t create_file(const char *path) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    H5Pset_obj_track_times(creation, 0);
    hid_t file = H5Fcreate(path, H5F_ACC_EXCL, creation, access);
    H5Pclose(access);
    H5Pclose(creation);
    return file;
}

static int make_room(writer *w) {
    const lbmap_layout *l = &w->plan->layout;
    slab s;
    find_slab(l, 0, &s); /* the first is the largest */
    const size_t cells = (size_t)s.cells;
    w->slab_cells = s.cells;
    w->state = malloc(cells), w->frame = malloc(cells * (size_t)l->orientation_count);
    w->counts = malloc(3 * cells * sizeof *w->counts);
    w->field = malloc(LBMAP_FIELDS * cells * sizeof *w->field);
    w->pose =
        w->plan->options.has_poses ? malloc((cells * (size_t)w->plan->variable_count + 1) * sizeof *w->pose) : NULL;
    return w->state && w->frame && w->counts && w->field && (w->pose || !w->plan->options.has_poses);
}

lb_status lbmap_write(const lbmap_plan *plan, const char *path, const char *name, lbmap_read_chunk read, void *context,
                      lb_error *error) {
    writer w = {.plan = plan, .file = -1, .frames = -1, .poses = -1};
    lbmap_silence silence;
    lb_status status = make_room(&w) ? LB_OK : lbio_error(error, LB_ERROR_MEMORY, name, 0, "no memory for the map");
    lbmap_hush(&silence);
    if (!status) {
        w.file = create_file(path);
        status = w.file < 0 || put_head(&w) || make_datasets(&w) ? fail_write(name, error) : LB_OK;
    }
    status = status ? status : put_cells(&w, name, read, context, error);
    if (w.file >= 0 && H5Fclose(w.file) < 0 && !status) {
        status = fail_write(name, error);
    }
    lbmap_unhush(&silence);
    free(w.state), free(w.frame), free(w.counts), free(w.field), free(w.pose);
    if (status && w.file >= 0) {
        unlink(path);
    }
    return status;
}
