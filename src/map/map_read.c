/* A map from an HDF5 file, which is not trusted: nothing outside of the file is followed, no filter is run but those
 * that the writer uses, and sizes are checked before memory is taken. */
#include "map/hdf.h"

#include "jobs/jobs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES ((uint64_t)8 << 30) /* of all that is read */
#define MOST_TEXT 60000                /* of an attribute */
#define MOST_FIGURE ((uint64_t)64 << 20)
#define MOST_CHUNK ((uint64_t)64 << 20) /* bytes of an HDF5 chunk */
/* Deflate makes at most 1032 bytes of one: a dataset that claims to be larger than its storage allows is a lie. */
#define MOST_INFLATION 1040

typedef struct reader {
    const char *path;
    hid_t file;
    lb_map *map;
    uint64_t bytes; /* taken so far */
    lb_error *error;
} reader;

static lb_status refuse(const reader *r, lb_status status, const char *what, const char *name) {
    return lbio_error(r->error, status, r->path, 0, "%s%s%s%s", name ? "`" : "", name ? name : "", name ? "` " : "",
                      what);
}

/* --- Attributes ------------------------------------------------------------------------------------------------- */

/* A text attribute of fixed length; *text is to be freed. */
static lb_status get_text(const reader *r, const char *name, char **text) {
    hid_t attribute = H5Aopen(r->file, name, H5P_DEFAULT), type = attribute < 0 ? -1 : H5Aget_type(attribute);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    const int is_text = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && space >= 0 &&
                        H5Sget_simple_extent_type(space) == H5S_SCALAR;
    const size_t size = is_text ? H5Tget_size(type) : 0;
    lb_status status = LB_OK;
    *text = NULL;
    if (!is_text || size == 0 || size > MOST_TEXT) {
        status = refuse(r, LB_ERROR_SYNTAX, "is missing, or no text: this is no map of Limber", name);
    } else if (!(*text = calloc(1, size + 1))) {
        status = refuse(r, LB_ERROR_MEMORY, "no memory for the map", NULL);
    } else if (H5Aread(attribute, type, *text) < 0) {
        status = refuse(r, LB_ERROR_SYNTAX, "cannot be read", name);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    return status;
}

/* Numbers of an attribute. */
static lb_status get_numbers(const reader *r, const char *name, hid_t type, hid_t memory, int count, void *values) {
    hid_t attribute = H5Aopen(r->file, name, H5P_DEFAULT), own = attribute < 0 ? -1 : H5Aget_type(attribute);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    const int is_right = own >= 0 && space >= 0 && H5Tequal(own, type) > 0 &&
                         H5Sget_simple_extent_npoints(space) == count && H5Aread(attribute, memory, values) >= 0;
    if (space >= 0) {
        H5Sclose(space);
    }
    if (own >= 0) {
        H5Tclose(own);
    }
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    return is_right ? LB_OK : refuse(r, LB_ERROR_SYNTAX, "is missing, or of another type or size", name);
}

/* --- Datasets ------------------------------------------------------------------------------------------------------ */

static int is_there(const reader *r, const char *name) { return H5Lexists(r->file, name, H5P_DEFAULT) > 0; }

/* Whether the storage of a dataset is as the writer makes it: in this file, in chunks, by its two filters. */
static const char *check_storage(hid_t set, int rank, size_t number_size) {
    const char *wrong = NULL;
    hid_t plist = H5Dget_create_plist(set);
    hsize_t chunk[H5S_MAX_RANK];
    uint64_t bytes = number_size;
    int deflates = 0;
    if (plist < 0 || H5Pget_layout(plist) != H5D_CHUNKED || H5Pget_chunk(plist, H5S_MAX_RANK, chunk) != rank) {
        wrong = "is not stored in chunks";
    } else if (H5Pget_external_count(plist) != 0) {
        wrong = "has its data in another file, which is not followed";
    }
    for (int i = 0; !wrong && i < rank; i++) {
        wrong = chunk[i] < 1 || chunk[i] > MOST_CHUNK / bytes ? "has chunks that are too large" : NULL;
        bytes *= wrong ? 1 : chunk[i];
    }
    for (int i = 0; !wrong && i < H5Pget_nfilters(plist); i++) {
        unsigned flags;
        size_t values = 0;
        const H5Z_filter_t filter = H5Pget_filter2(plist, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
        deflates += filter == H5Z_FILTER_DEFLATE;
        if ((filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE) || deflates > 1) {
            wrong = "needs a filter that maps do not have";
        }
    }
    if (plist >= 0) {
        H5Pclose(plist);
    }
    return wrong;
}

/* What a dataset must be. */
typedef struct expected {
    const char *name;
    hid_t type, memory; /* in the file and here */
    size_t size;        /* of a number */
    int rank;
    const hsize_t *dims; /* [rank]; NULL: any length of a list */
    uint64_t most;       /* bytes, of any length */
} expected;

static const char *check_dims(hid_t set, const expected *e, uint64_t *bytes) {
    hid_t space = H5Dget_space(set);
    hsize_t dims[H5S_MAX_RANK];
    const char *wrong = NULL;
    *bytes = e->size;
    if (space < 0 || H5Sget_simple_extent_ndims(space) != e->rank || H5Sget_simple_extent_dims(space, dims, NULL) < 0) {
        wrong = "has another number of dimensions than a map has";
    }
    for (int i = 0; !wrong && i < e->rank; i++) {
        if (e->dims ? dims[i] != e->dims[i] : dims[i] > e->most / *bytes) {
            wrong = e->dims ? "has other dimensions than the map" : "is too large";
        } else {
            *bytes *= dims[i];
        }
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    return wrong;
}

static const char *check_dataset(reader *r, hid_t set, const expected *e, uint64_t *bytes) {
    hid_t type = H5Dget_type(set);
    const char *wrong = type < 0 || H5Tequal(type, e->type) <= 0 ? "has numbers of another type" : NULL;
    wrong = wrong ? wrong : check_storage(set, e->rank, e->size);
    wrong = wrong ? wrong : check_dims(set, e, bytes);
    if (!wrong && *bytes / MOST_INFLATION > H5Dget_storage_size(set)) {
        wrong = "claims to be larger than what is stored can be";
    }
    if (!wrong && *bytes > MOST_BYTES - r->bytes) {
        wrong = "is too large to be read";
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    return wrong;
}

/* Reads a whole dataset; *data is to be freed, *bytes its size. */
static lb_status get_dataset(reader *r, const expected *e, void **data, uint64_t *bytes) {
    H5L_info_t link;
    *data = NULL;
    if (!is_there(r, e->name) || H5Lget_info(r->file, e->name, &link, H5P_DEFAULT) < 0) {
        return refuse(r, LB_ERROR_SYNTAX, "is missing", e->name);
    }
    if (link.type != H5L_TYPE_HARD) {
        return refuse(r, LB_ERROR_UNSUPPORTED, "is a link, which is not followed", e->name);
    }
    hid_t set = H5Dopen2(r->file, e->name, H5P_DEFAULT);
    const char *wrong = set < 0 ? "is no dataset" : check_dataset(r, set, e, bytes);
    lb_status status = wrong ? refuse(r, LB_ERROR_SYNTAX, wrong, e->name) : LB_OK;
    if (!status && !(*data = malloc((size_t)*bytes + 1))) {
        status = refuse(r, LB_ERROR_MEMORY, "no memory for the map", NULL);
    }
    if (!status && H5Dread(set, e->memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) < 0) {
        status = refuse(r, LB_ERROR_SYNTAX, "cannot be read: the file is damaged", e->name);
    }
    r->bytes += status ? 0 : *bytes;
    if (set >= 0) {
        H5Dclose(set);
    }
    return status;
}

/* --- The map --------------------------------------------------------------------------------------------------------- */

static lb_status read_version(reader *r) {
    char *format = NULL;
    int version = 0;
    lb_status status = get_text(r, "format", &format);
    if (status || strcmp(format, LBMAP_FORMAT) != 0) {
        free(format);
        return refuse(r, LB_ERROR_SYNTAX, "is an HDF5 file, but no map of Limber", NULL);
    }
    free(format);
    status = get_numbers(r, "version", H5T_STD_I32LE, H5T_NATIVE_INT, 1, &version);
    if (!status && (version < 1 || version > LB_MAP_VERSION)) {
        status = lbio_error(r->error, LB_ERROR_UNSUPPORTED, r->path, 0,
                            "is a map of version %d; this Limber (%s) reads version %d: use a later one", version,
                            lb_version(), LB_MAP_VERSION);
    }
    return status;
}

static lb_status read_figure(reader *r) {
    lb_map *map = r->map;
    const expected text = {"figure", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, 1, NULL, MOST_FIGURE};
    char *hash = NULL, *data = NULL;
    uint64_t size = 0;
    lb_load_options how;
    lb_error own;
    lb_status status = get_text(r, "figure_hash", &hash);
    status = status ? status : get_dataset(r, &text, (void **)&data, &size);
    if (!status) {
        map->figure_hash = lbj_hash(0, data, (size_t)size);
        if (strtoull(hash, NULL, 16) != map->figure_hash) {
            status = refuse(r, LB_ERROR_SYNTAX, "the figure in the map is not the one that it was made of", NULL);
        }
    }
    if (!status) {
        data[size] = 0;
        lb_load_options_defaults(&how);
        how.format = LB_FORMAT_FIG;
        status = lb_figure_load_memory(data, (size_t)size, "figure", &how, &map->figure, &own);
        status = status ? lbio_error(r->error, status, r->path, 0, "its figure: %s", own.message) : LB_OK;
    }
    if (!status) {
        const hsize_t dims = (hsize_t)(map->variable_count = lb_figure_variable_count(map->figure));
        const expected pose = {"base_pose", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, sizeof(double), 1, &dims, 0};
        status = dims ? get_dataset(r, &pose, (void **)&map->base_pose, &size) : LB_OK;
    }
    if (!status && map->base_pose && !lbio_are_finite(map->base_pose, map->variable_count)) {
        status = refuse(r, LB_ERROR_SYNTAX, "has numbers that are not finite", "base_pose");
    }
    free(hash);
    free(data);
    return status;
}

static lb_status read_rotations(reader *r) {
    lb_map *map = r->map;
    const int is_own = is_there(r, "rotations");
    const expected any = {
        is_own ? "rotations" : "orientations", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, sizeof(double), 2, NULL, MOST_BYTES};
    uint64_t bytes = 0;
    map->layout.orientation_count = 1;
    if (!map->has_orientations) {
        return LB_OK;
    }
    lb_status status = get_dataset(r, &any, (void **)&map->rotations, &bytes);
    const uint64_t count = bytes / sizeof *map->rotations, cells = (uint64_t)map->layout.cell_count;
    if (!status &&
        (bytes % sizeof *map->rotations || (is_own ? count != cells : count < 1 || count > LB_MAP_MOST_ORIENTATIONS))) {
        status = refuse(r, LB_ERROR_SYNTAX, "has a wrong number of rotations", any.name);
    }
    map->layout.orientation_count = is_own || status ? 1 : (int)count;
    return status;
}

static lb_status read_layout(reader *r) {
    lb_map *map = r->map;
    lbmap_layout *l = &map->layout;
    char *kind = NULL;
    uint64_t bytes = 0;
    int64_t shape[3] = {0, 1, 1};
    lb_status status = get_text(r, "kind", &kind);
    l->is_grid = !status && strcmp(kind, "grid") == 0;
    free(kind);
    if (!status && l->is_grid) {
        status = get_numbers(r, "shape", H5T_STD_I64LE, H5T_NATIVE_INT64, 3, shape);
        status = status ? status : get_numbers(r, "origin", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3, l->origin);
        status = status ? status : get_numbers(r, "spacing", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &l->spacing);
        if (!status && (!lbio_are_finite(l->origin, 3) || !isfinite(l->spacing) || !(l->spacing > 0))) {
            status = refuse(r, LB_ERROR_SYNTAX, "has a grid that is not finite", NULL);
        }
    } else if (!status) {
        const expected any = {"points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, sizeof(double), 2, NULL, MOST_BYTES};
        status = get_dataset(r, &any, (void **)&map->points, &bytes);
        shape[0] = (int64_t)(bytes / sizeof *map->points);
        if (!status && bytes % sizeof *map->points) {
            status = refuse(r, LB_ERROR_SYNTAX, "has no three numbers each", "points");
        }
    }
    l->cell_count = 1;
    for (int i = 0; !status && i < 3; i++) {
        if (shape[i] < 1 || shape[i] > (l->is_grid ? LBMAP_MOST_SIDE : (int64_t)MOST_BYTES) ||
            shape[i] > (int64_t)MOST_BYTES / l->cell_count) {
            status = refuse(r, LB_ERROR_TOO_LARGE, "has more cells than can be read, or none", NULL);
        } else {
            l->shape[i] = shape[i];
            l->cell_count *= shape[i];
        }
    }
    return status;
}

/* Frames and fields of all cells. */
static lb_status read_cells(reader *r) {
    lb_map *map = r->map;
    const lbmap_layout *l = &map->layout;
    hsize_t dims[4] = {(hsize_t)l->shape[2], (hsize_t)l->shape[1], (hsize_t)l->shape[0], 0};
    const int rank = l->is_grid ? 3 : 1;
    uint64_t bytes = 0;
    float *field = NULL;
    dims[0] = l->is_grid ? dims[0] : (hsize_t)l->shape[0];
    const expected state = {"state", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, rank, dims, 0};
    lb_status status = get_dataset(r, &state, (void **)&map->states, &bytes);
    if (!status && !(map->fields = malloc(LBMAP_FIELDS * (size_t)l->cell_count * sizeof *map->fields))) {
        status = refuse(r, LB_ERROR_MEMORY, "no memory for the map", NULL);
    }
    for (int i = 0; !status && i < LBMAP_FIELDS; i++) {
        const expected e = {lbmap_field_names[i], H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, sizeof(float), rank, dims, 0};
        status = get_dataset(r, &e, (void **)&field, &bytes);
        if (!status) {
            memcpy(map->fields + (size_t)i * (size_t)l->cell_count, field, (size_t)bytes);
        }
        free(field);
        field = NULL;
    }
    if (!status && l->orientation_count > 1) {
        dims[rank] = (hsize_t)l->orientation_count;
        const expected e = {"frames", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, rank + 1, dims, 0};
        status = get_dataset(r, &e, (void **)&map->frames, &bytes);
    }
    if (!status && is_there(r, "pose")) {
        dims[rank] = (hsize_t)map->variable_count;
        const expected e = {"pose", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, sizeof(double), rank + 1, dims, 0};
        status = get_dataset(r, &e, (void **)&map->poses, &bytes);
    }
    return status;
}

/* States are what the frames say; what the file says of them is compared. */
static lb_status count_states(reader *r) {
    lb_map *map = r->map;
    const int k = map->layout.orientation_count;
    for (int64_t c = 0; c < map->layout.cell_count; c++) {
        const unsigned char *frames = map->frames ? map->frames + c * k : map->states + c;
        int counts[4];
        for (int i = 0; i < k; i++) {
            if (frames[i] > LB_MAP_STATE_UNFOUND) {
                return refuse(r, LB_ERROR_SYNTAX, "has states that there are not", map->frames ? "frames" : "state");
            }
        }
        const lb_map_state state = lbmap_cell_state(frames, k, counts);
        if (state != map->states[c]) {
            return refuse(r, LB_ERROR_SYNTAX, "contradicts the states of the frames", "state");
        }
        map->state_counts[state]++;
        for (int i = 0; i < 4; i++) {
            map->frame_counts[i] += counts[i];
        }
    }
    return LB_OK;
}

static lb_status read_map(reader *r) {
    lb_map *map = r->map;
    lb_status status = read_version(r);
    status = status ? status : get_text(r, "figure_name", &map->figure_name);
    status = status ? status : get_text(r, "sites", &map->site_text);
    status = status ? status : get_text(r, "options", &map->options);
    status = status ? status : get_numbers(r, "starts", H5T_STD_I32LE, H5T_NATIVE_INT, 1, &map->starts);
    status =
        status ? status : get_numbers(r, "has_orientations", H5T_STD_I32LE, H5T_NATIVE_INT, 1, &map->has_orientations);
    status = status ? status : read_figure(r);
    status = status ? status : read_layout(r);
    status = status ? status : read_rotations(r);
    status = status ? status : read_cells(r);
    return status ? status : count_states(r);
}

static hid_t open_file(const char *path) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

static lb_status load(reader *r) {
    unsigned plugins = 0;
    if (!lbio_is_file(r->path)) {
        return refuse(r, LB_ERROR_FILE, access(r->path, F_OK) == 0 ? "is no file" : "there is no such file", NULL);
    }
    if (H5Fis_hdf5(r->path) <= 0) {
        return refuse(r, LB_ERROR_SYNTAX, "is no HDF5 file, so no map", NULL);
    }
    H5PLget_loading_state(&plugins);
    H5PLset_loading_state(0); /* no code from elsewhere */
    r->file = open_file(r->path);
    lb_status status = r->file < 0 ? refuse(r, LB_ERROR_SYNTAX, "is damaged or truncated", NULL) : read_map(r);
    if (r->file >= 0) {
        H5Fclose(r->file);
    }
    H5PLset_loading_state(plugins);
    return status;
}

lb_map *lb_map_load(const char *path, lb_error *error) {
    lb_error own;
    lbmap_silence silence;
    lb_map *map = calloc(1, sizeof *map);
    error = error ? error : &own;
    memset(error, 0, sizeof *error);
    reader r = {.path = path, .file = -1, .map = map, .error = error};
    if (!path || !map) {
        free(map);
        lbio_error(error, path ? LB_ERROR_MEMORY : LB_ERROR_ARGUMENT, NULL, 0,
                   path ? "no memory for the map" : "no path");
        return NULL;
    }
    map->path = strdup(path);
    lbmap_hush(&silence);
    lb_status status = map->path ? load(&r) : refuse(&r, LB_ERROR_MEMORY, "no memory for the map", NULL);
    lbmap_unhush(&silence);
    if (status) {
        lb_map_destroy(map);
        return NULL;
    }
    return map;
}

void lb_map_destroy(lb_map *map) {
    if (!map) {
        return;
    }
    lb_figure_destroy(map->figure);
    free(map->path), free(map->figure_name), free(map->site_text), free(map->options);
    free(map->base_pose), free(map->points), free(map->rotations);
    free(map->frames), free(map->states), free(map->fields), free(map->poses);
    free(map);
}
