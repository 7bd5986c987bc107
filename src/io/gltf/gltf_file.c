/* The container of a glTF file: chunks of a GLB, JSON, buffers wherever they are, and accessors as numbers. */

#include "io/gltf/gltf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Memory
 * ------------------------------------------------------------------------------------------------- */

typedef struct lbio_gltf_block {
    struct lbio_gltf_block *next;
    size_t size; /* with this */
} block;

#define BLOCK_HEAD ((sizeof(block) + 15) / 16 * 16)

void *lbio_gltf_new(lbio_gltf *gltf, size_t count, size_t size) {
    if (count > (SIZE_MAX / 4 - BLOCK_HEAD) / size) {
        return NULL;
    }
    size_t bytes = BLOCK_HEAD + count * size;
    block *made = lbio_resize(gltf->source->options->allocator, NULL, 0, bytes);
    if (!made) {
        return NULL;
    }
    memset(made, 0, bytes);
    made->next = gltf->blocks;
    made->size = bytes;
    gltf->blocks = made;
    return (char *)made + BLOCK_HEAD;
}

lb_status lbio_gltf_no_memory(lbio_gltf *gltf) { return lbio_fail(gltf->source, LB_ERROR_MEMORY, 0, "out of memory"); }

void lbio_gltf_close(lbio_gltf *gltf) {
    json_decref(gltf->json);
    lbio_names_free(&gltf->names);
    while (gltf->blocks) {
        block *next = gltf->blocks->next;
        lbio_resize(gltf->source->options->allocator, gltf->blocks, gltf->blocks->size, 0);
        gltf->blocks = next;
    }
    memset(gltf, 0, sizeof *gltf);
}

/* ---------------------------------------------------------------------------------------------------
 * Chunks
 * ------------------------------------------------------------------------------------------------- */

static size_t u32(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    return (size_t)b[0] | (size_t)b[1] << 8 | (size_t)b[2] << 16 | (size_t)b[3] << 24;
}

#define CHUNK_JSON 0x4E4F534Au
#define CHUNK_BIN 0x004E4942u

static lb_status open_chunks(lbio_gltf *gltf, size_t *json_size) {
    const lbio_source *source = gltf->source;
    if (source->size < 20) {
        return lbio_fail(source, LB_ERROR_SYNTAX, 0, "the GLB ends after %zu bytes, before its JSON; was it cut off?",
                         source->size);
    }
    size_t version = u32(source->text + 4), length = u32(source->text + 8);
    if (version != 2) {
        return lbio_fail(source, LB_ERROR_UNSUPPORTED, 0, "is glTF version %zu; only 2 is read: convert it first",
                         version);
    }
    if (length > source->size) {
        return lbio_fail(source, LB_ERROR_SYNTAX, 0,
                         "the GLB says it has %zu bytes but there are %zu; was it cut off in a download?", length,
                         source->size);
    }
    if (length < source->size) {
        lbio_warn(source, 0, "%zu bytes behind the GLB's end are left out", source->size - length);
    }
    gltf->end = length;
    for (size_t at = 12, number = 0; at < length; number++) {
        size_t size = length - at >= 8 ? u32(source->text + at) : 0, type = size ? u32(source->text + at + 4) : 0;
        if (length - at < 8 || size > length - at - 8) {
            return lbio_fail(source, LB_ERROR_SYNTAX, 0, "chunk %zu of the GLB is longer than the file", number);
        }
        if ((number == 0) != (type == CHUNK_JSON)) {
            return lbio_fail(source, LB_ERROR_SYNTAX, 0,
                             number ? "the GLB has a second JSON chunk" : "the GLB's first chunk is not its JSON");
        }
        if (number == 0) {
            gltf->json_at = at + 8;
            *json_size = size;
        } else if (type == CHUNK_BIN && !gltf->bin) {
            gltf->bin = (const unsigned char *)source->text + at + 8;
            gltf->bin_at = at + 8;
            gltf->bin_size = size;
        }
        at += 8 + size;
        at += (4 - at % 4) % 4; /* chunks begin at multiples of four, even where a writer forgot to fill up */
    }
    return LB_OK;
}

static lb_status check_asset(lbio_gltf *gltf) {
    lbio_reader *r = &gltf->reader;
    if (!json_is_object(gltf->json)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a glTF document is an object {...}");
    }
    const char *version = NULL;
    const json_t *asset = lbio_member(r, gltf->json, "asset");
    if (!asset) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "there is no `asset`; this is not a glTF document");
    }
    if (!json_is_object(asset)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "must be an object with a `version`");
    }
    lb_status status = lbio_get_string(r, asset, "version", &version);
    if (status == LB_OK && (!version || strncmp(version, "2.", 2) != 0)) {
        status = lbio_reader_fail(r, LB_ERROR_UNSUPPORTED, "version %.20s is not read; only 2.0 is: convert it first",
                                  version ? version : "(none)");
    }
    lbio_leave(r);
    return status;
}

lb_status lbio_gltf_open(lbio_gltf *gltf, const lbio_source *source, const char *folder) {
    memset(gltf, 0, sizeof *gltf);
    gltf->source = source;
    gltf->folder = folder;
    gltf->names.allocator = source->options->allocator;
    gltf->is_binary = source->size >= 4 && memcmp(source->text, "glTF", 4) == 0;
    gltf->json_source = *source;
    size_t size = source->size;
    if (gltf->is_binary) {
        lb_status status = open_chunks(gltf, &size);
        if (status != LB_OK) {
            return status;
        }
    } else if (size >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0) {
        gltf->json_at = 3;
        size -= 3;
    }
    char *text = lbio_gltf_new(gltf, size + 1, 1);
    if (!text) {
        return lbio_gltf_no_memory(gltf);
    }
    memcpy(text, source->text + gltf->json_at, size);
    gltf->json_source.text = text;
    gltf->json_source.size = size;
    gltf->reader.source = &gltf->json_source;
    json_error_t where;
    gltf->json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (!gltf->json) {
        enum json_error_code code = json_error_code(&where);
        if (code == json_error_out_of_memory) {
            return lbio_gltf_no_memory(gltf);
        }
        return lbio_fail(source, LB_ERROR_SYNTAX, where.line > 0 ? where.line : 0, "not glTF, its JSON is wrong: %s",
                         where.text);
    }
    lb_status status = check_asset(gltf);
    json_t *buffers = NULL;
    if (status == LB_OK) {
        status = lbio_gltf_list(gltf, "buffers", &buffers);
    }
    if (status == LB_OK) {
        gltf->buffer_count = (int)json_array_size(buffers);
        gltf->buffers = lbio_gltf_new(gltf, (size_t)gltf->buffer_count + 1, sizeof *gltf->buffers);
        status = gltf->buffers ? LB_OK : lbio_gltf_no_memory(gltf);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------
 * Members
 * ------------------------------------------------------------------------------------------------- */

lb_status lbio_gltf_list(lbio_gltf *gltf, const char *key, json_t **list) {
    lbio_reader *r = &gltf->reader;
    json_t *value = lbio_member(r, gltf->json, key);
    *list = NULL;
    if (!value) {
        return LB_OK;
    }
    lb_status status = lbio_check_list(r, value, 0, 1000000);
    for (size_t i = 0; status == LB_OK && i < json_array_size(value); i++) {
        if (!json_is_object(json_array_get(value, i))) {
            lbio_enter_index(r, (int)i);
            status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "an object {...} was expected");
        }
    }
    if (status == LB_OK) {
        lbio_leave(r);
        *list = value;
    }
    return status;
}

lb_status lbio_gltf_index(lbio_gltf *gltf, const json_t *object, const char *key, int count, int *out) {
    int index = -1;
    lb_status status = lbio_get_integer(&gltf->reader, object, key, 0, 2147483647.0, &index);
    if (status == LB_OK && index >= count) {
        lbio_enter(&gltf->reader, key);
        status = lbio_reader_fail(&gltf->reader, LB_ERROR_SYNTAX, "there is no number %d; there are %d", index, count);
    }
    *out = status == LB_OK ? index : -1;
    return status;
}

/* ---------------------------------------------------------------------------------------------------
 * Buffers
 * ------------------------------------------------------------------------------------------------- */

static int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static lb_status read_data_uri(lbio_gltf *gltf, const char *uri, lbio_gltf_buffer *buffer) {
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 7 || memcmp(comma - 7, ";base64", 7) != 0) {
        return lbio_reader_fail(&gltf->reader, LB_ERROR_UNSUPPORTED, "data that is not base64 is not read");
    }
    const char *at = comma + 1;
    unsigned char *data = lbio_gltf_new(gltf, strlen(at) / 4 * 3 + 4, 1);
    if (!data) {
        return lbio_gltf_no_memory(gltf);
    }
    unsigned bits = 0;
    int held = 0;
    for (; *at && *at != '='; at++) {
        int digit = base64_digit(*at);
        if (digit < 0) {
            return lbio_reader_fail(&gltf->reader, LB_ERROR_SYNTAX, "a character that is not base64, at %zu",
                                    (size_t)(at - comma - 1));
        }
        bits = (bits << 6 | (unsigned)digit) & 0xFFFFFF;
        held += 6;
        if (held >= 8) {
            held -= 8;
            data[buffer->size++] = (unsigned char)(bits >> held & 0xFF);
        }
    }
    buffer->data = data;
    return LB_OK;
}

/* A relative path without "..", its %20 and the like undone. */
static int tame_path(const char *uri, char *path, size_t size) {
    size_t used = 0;
    for (const char *at = uri; *at; at++) {
        unsigned code = (unsigned char)*at;
        if (*at == '%') {
            char digits[3] = {at[1], at[1] ? at[2] : 0, 0};
            char *end;
            code = (unsigned)strtoul(digits, &end, 16);
            if (end != digits + 2) {
                return 0;
            }
            at += 2;
        }
        if (code < 0x20 || code == '\\' || used + 2 > size) {
            return 0;
        }
        path[used++] = (char)code;
    }
    path[used] = 0;
    if (used == 0 || path[0] == '/' || strstr(path, "://")) {
        return 0;
    }
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == 0 || part[2] == '/')) {
            return 0;
        }
    }
    return 1;
}

/* Whether a file lies in a folder, links followed. */
static int lies_in(const char *path, const char *folder) {
    char *real = lbio_real_path(path), *real_folder = lbio_real_path(folder);
    size_t length = real_folder ? strlen(real_folder) : 0;
    int inside = real && real_folder &&
                 (strcmp(real_folder, "/") == 0 || (strncmp(real, real_folder, length) == 0 && real[length] == '/'));
    free(real);
    free(real_folder);
    return inside;
}

static lb_status read_beside(lbio_gltf *gltf, const char *uri, lbio_gltf_buffer *buffer) {
    lbio_reader *r = &gltf->reader;
    char name[1024], path[4096];
    if (!gltf->folder) {
        return lbio_reader_fail(r, LB_ERROR_FILE,
                                "the file \"%.60s\" cannot be read: there is no folder it could be in", uri);
    }
    if (!tame_path(uri, name, sizeof name)) {
        return lbio_reader_fail(r, LB_ERROR_UNSUPPORTED,
                                "\"%.60s\" leads out of the file's own folder; put the buffer beside the file", uri);
    }
    snprintf(path, sizeof path, "%s/%s", gltf->folder, name);
    char *data = NULL;
    size_t size = 0;
    lb_error error;
    lb_status status = lbio_read_reference(path, gltf->source->options->max_bytes, &data, &size, &error);
    if (status != LB_OK) {
        return lbio_reader_fail(r, status, "\"%.60s\" %s", name, error.message);
    }
    if (!lies_in(path, gltf->folder)) {
        free(data);
        return lbio_reader_fail(r, LB_ERROR_UNSUPPORTED, "\"%.60s\" is a link that leads out of the file's own folder",
                                name);
    }
    unsigned char *copy = lbio_gltf_new(gltf, size + 1, 1);
    if (copy) {
        memcpy(copy, data, size);
        buffer->data = copy;
        buffer->size = size;
    }
    free(data);
    return copy ? LB_OK : lbio_gltf_no_memory(gltf);
}

/* A buffer's bytes, read when they are first needed. Leaves the reader where it was. */
static lb_status need_buffer(lbio_gltf *gltf, int index, const lbio_gltf_buffer **out) {
    lbio_reader *r = &gltf->reader;
    lbio_gltf_buffer *buffer = &gltf->buffers[index];
    const json_t *json = json_array_get(json_object_get(gltf->json, "buffers"), (size_t)index);
    int depth = r->depth;
    const char *uri = NULL;
    double length = 0;
    lb_status status = LB_OK;
    *out = buffer;
    if (buffer->data) {
        return LB_OK;
    }
    lbio_step path[LBIO_PATH_MOST];
    memcpy(path, r->path, sizeof path);
    r->depth = 0;
    lbio_enter(r, "buffers");
    lbio_enter_index(r, index);
    status = lbio_get_value(r, json, "byteLength", LBIO_PLAIN, 0, 1e15, &length, NULL);
    status = status ? status : lbio_get_string(r, json, "uri", &uri);
    if (status == LB_OK && uri) {
        lbio_enter(r, "uri");
        status = strncmp(uri, "data:", 5) == 0 ? read_data_uri(gltf, uri, buffer) : read_beside(gltf, uri, buffer);
        lbio_leave(r);
    } else if (status == LB_OK && index == 0 && gltf->bin) {
        buffer->data = gltf->bin;
        buffer->size = gltf->bin_size;
    } else if (status == LB_OK) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "the buffer has no `uri`, and the file has no bytes for it");
    }
    if (status == LB_OK && (double)buffer->size < length) {
        status =
            lbio_reader_fail(r, LB_ERROR_SYNTAX, "the buffer should have %.0f bytes but there are %zu; is it cut off?",
                             length, buffer->size);
    }
    if (status == LB_OK) {
        buffer->size = (size_t)length; /* what fills it up does not belong to it */
        memcpy(r->path, path, sizeof path);
        r->depth = depth;
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------
 * Accessors
 * ------------------------------------------------------------------------------------------------- */

typedef struct component {
    int type, size;
} component;

static int component_size(int type) {
    switch (type) {
    case 5120:
    case 5121:
        return 1;
    case 5122:
    case 5123:
        return 2;
    case 5125:
    case 5126:
        return 4;
    default:
        return 0;
    }
}

static double component_value(const unsigned char *at, int type, int is_normalised) {
    uint32_t bits = (uint32_t)at[0] | (type == 5120 || type == 5121 ? 0 : (uint32_t)at[1] << 8);
    float number;
    switch (type) {
    case 5120:
        return is_normalised ? fmax((int8_t)bits / 127.0, -1) : (int8_t)bits;
    case 5121:
        return is_normalised ? bits / 255.0 : bits;
    case 5122:
        return is_normalised ? fmax((int16_t)bits / 32767.0, -1) : (int16_t)bits;
    case 5123:
        return is_normalised ? bits / 65535.0 : bits;
    default:
        bits |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        if (type == 5125) {
            return bits;
        }
        memcpy(&number, &bits, sizeof number);
        return (double)number;
    }
}

/* Bytes of a buffer view from an offset on: `count` items of item_size, `stride` apart. */
static lb_status view_bytes(lbio_gltf *gltf, int view_index, double offset, size_t count, size_t item_size,
                            const unsigned char **bytes, size_t *stride) {
    lbio_reader *r = &gltf->reader;
    const json_t *view = json_array_get(json_object_get(gltf->json, "bufferViews"), (size_t)view_index);
    const json_t *extensions = json_object_get(view, "extensions");
    double view_offset = 0, length = 0, view_stride = 0;
    int buffer_index = -1;
    const lbio_gltf_buffer *buffer = NULL;
    if (json_object_get(extensions, "EXT_meshopt_compression") ||
        json_object_get(extensions, "KHR_meshopt_compression")) {
        return lbio_reader_fail(r, LB_ERROR_UNSUPPORTED,
                                "the values are compressed (meshopt), which is not read; write the file without");
    }
    lbio_step path[LBIO_PATH_MOST];
    int depth = r->depth;
    memcpy(path, r->path, sizeof path);
    r->depth = 0;
    lbio_enter(r, "bufferViews");
    lbio_enter_index(r, view_index);
    lb_status status = json_is_object(view) ? LB_OK : lbio_reader_fail(r, LB_ERROR_SYNTAX, "there is no such view");
    status = status ? status : lbio_gltf_index(gltf, view, "buffer", gltf->buffer_count, &buffer_index);
    status = status ? status : lbio_get_value(r, view, "byteOffset", LBIO_PLAIN, 0, 1e15, &view_offset, NULL);
    status = status ? status : lbio_get_value(r, view, "byteLength", LBIO_PLAIN, 0, 1e15, &length, NULL);
    status = status ? status : lbio_get_value(r, view, "byteStride", LBIO_PLAIN, 0, 1e6, &view_stride, NULL);
    if (status == LB_OK && buffer_index < 0) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "a view needs a `buffer`");
    }
    status = status ? status : need_buffer(gltf, buffer_index, &buffer);
    if (status == LB_OK && view_offset + length > (double)buffer->size) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "the view ends at %.0f, behind the buffer's %zu bytes",
                                  view_offset + length, buffer->size);
    }
    if (status != LB_OK) {
        return status;
    }
    memcpy(r->path, path, sizeof path);
    r->depth = depth;
    *stride = view_stride > 0 ? (size_t)view_stride : item_size;
    if (count > 0 && offset + (double)(count - 1) * (double)*stride + (double)item_size > length) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "%zu values do not fit into view %d of %.0f bytes", count,
                                view_index, length);
    }
    *bytes = buffer->data + (size_t)view_offset + (size_t)offset;
    return LB_OK;
}

static int width_of(const char *type) {
    static const struct {
        const char *name;
        int width;
    } widths[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; type && i < sizeof widths / sizeof widths[0]; i++) {
        if (strcmp(type, widths[i].name) == 0) {
            return widths[i].width;
        }
    }
    return 0;
}

/* Values that a sparse accessor replaces. */
static lb_status read_sparse(lbio_gltf *gltf, const json_t *sparse, component part, int is_normalised, int width,
                             double *values, int count) {
    lbio_reader *r = &gltf->reader;
    const json_t *lists[2] = {json_object_get(sparse, "indices"), json_object_get(sparse, "values")};
    int views[2] = {-1, -1}, replaced = 0;
    component parts[2] = {{0, 0}, part};
    double offsets[2] = {0, 0};
    const unsigned char *bytes[2];
    size_t strides[2];
    int view_count = (int)json_array_size(json_object_get(gltf->json, "bufferViews"));
    lb_status status = lbio_get_integer(r, sparse, "count", 0, count, &replaced);
    for (int k = 0; k < 2 && status == LB_OK; k++) {
        status = json_is_object(lists[k]) ? LB_OK : lbio_reader_fail(r, LB_ERROR_SYNTAX, "`sparse` lacks a part");
        status = status ? status : lbio_gltf_index(gltf, lists[k], "bufferView", view_count, &views[k]);
        status = status ? status : lbio_get_value(r, lists[k], "byteOffset", LBIO_PLAIN, 0, 1e15, &offsets[k], NULL);
        if (k == 0 && status == LB_OK) {
            status = lbio_get_integer(r, lists[k], "componentType", 0, 1e5, &parts[0].type);
            parts[0].size = component_size(parts[0].type);
        }
        if (status == LB_OK && (views[k] < 0 || parts[k].size == 0)) {
            status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "`sparse` lacks a view or a type");
        }
        status = status ? status
                        : view_bytes(gltf, views[k], offsets[k], (size_t)replaced,
                                     (size_t)parts[k].size * (k ? (size_t)width : 1), &bytes[k], &strides[k]);
    }
    for (int i = 0; i < replaced && status == LB_OK; i++) {
        double at = component_value(bytes[0] + (size_t)i * strides[0], parts[0].type, 0);
        if (!(at >= 0 && at < count)) {
            return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a sparse index of %.0f, but there are %d values", at, count);
        }
        for (int c = 0; c < width; c++) {
            values[(size_t)at * (size_t)width + (size_t)c] =
                component_value(bytes[1] + (size_t)i * strides[1] + (size_t)(c * part.size), part.type, is_normalised);
        }
    }
    return status;
}

static lb_status read_accessor(lbio_gltf *gltf, const json_t *accessor, int width, double **values, int *count) {
    lbio_reader *r = &gltf->reader;
    const char *type = NULL;
    component part = {0, 0};
    int is_normalised = 0, view = -1;
    int view_count = (int)json_array_size(json_object_get(gltf->json, "bufferViews"));
    double offset = 0;
    *count = -1;
    lb_status status = lbio_get_integer(r, accessor, "componentType", 0, 1e5, &part.type);
    status = status ? status : lbio_get_integer(r, accessor, "count", 0, 2e9, count);
    status = status ? status : lbio_get_truth(r, accessor, "normalized", &is_normalised);
    status = status ? status : lbio_get_string(r, accessor, "type", &type);
    status = status ? status : lbio_get_value(r, accessor, "byteOffset", LBIO_PLAIN, 0, 1e15, &offset, NULL);
    status = status ? status : lbio_gltf_index(gltf, accessor, "bufferView", view_count, &view);
    part.size = component_size(part.type);
    if (status != LB_OK) {
        return status;
    }
    if (part.size == 0 || *count < 0 || width_of(type) != width) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                "the accessor should have a `count`, a `componentType` and %d numbers each", width);
    }
    if ((size_t)*count > LBIO_GLTF_MAX_VALUES / (size_t)width ||
        gltf->looked_at + (double)*count * width > LBIO_GLTF_MAX_NUMBERS) {
        return lbio_reader_fail(r, LB_ERROR_TOO_LARGE, "more than %zu numbers", LBIO_GLTF_MAX_VALUES);
    }
    size_t item = (size_t)part.size * (size_t)width, stride = 0;
    const unsigned char *bytes = NULL;
    if (view >= 0) { /* checked before there is memory for what may be a lie */
        status = view_bytes(gltf, view, offset, (size_t)*count, item, &bytes, &stride);
    }
    if (status != LB_OK) {
        return status;
    }
    *values = lbio_gltf_new(gltf, (size_t)*count * (size_t)width + 1, sizeof **values);
    if (!*values) {
        return lbio_gltf_no_memory(gltf);
    }
    for (int i = 0; i < *count && bytes; i++) {
        for (int c = 0; c < width; c++) {
            double value =
                component_value(bytes + (size_t)i * stride + (size_t)(c * part.size), part.type, is_normalised);
            (*values)[(size_t)i * (size_t)width + (size_t)c] = value;
        }
    }
    const json_t *sparse = json_object_get(accessor, "sparse");
    if (sparse) {
        status = read_sparse(gltf, sparse, part, is_normalised, width, *values, *count);
    }
    for (size_t i = 0; i < (size_t)*count * (size_t)width && status == LB_OK; i++) {
        if (!isfinite((*values)[i])) {
            status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "value %zu is not a number", i);
        }
    }
    return status;
}

static lb_status spend(lbio_gltf *gltf, int width, int count) {
    gltf->looked_at += (double)width * count;
    return gltf->looked_at <= LBIO_GLTF_MAX_NUMBERS
               ? LB_OK
               : lbio_fail(gltf->source, LB_ERROR_TOO_LARGE, 0, "the animations have more than 32 million numbers");
}

struct lbio_gltf_values {
    double *values;
    int width, count;
};

lb_status lbio_gltf_accessor(lbio_gltf *gltf, int accessor, int width, double **values, int *count) {
    lbio_reader *r = &gltf->reader;
    const json_t *list = json_object_get(gltf->json, "accessors"), *json = json_array_get(list, (size_t)accessor);
    if (!gltf->cached) {
        gltf->cached = lbio_gltf_new(gltf, json_array_size(list) + 1, sizeof *gltf->cached);
    }
    if (!gltf->cached) {
        return lbio_gltf_no_memory(gltf);
    }
    struct lbio_gltf_values *cached = accessor < (int)json_array_size(list) ? &gltf->cached[accessor] : NULL;
    if (cached && cached->values && cached->width == width) {
        *values = cached->values;
        *count = cached->count;
        return spend(gltf, width, *count);
    }
    lbio_step path[LBIO_PATH_MOST];
    int depth = r->depth;
    memcpy(path, r->path, sizeof path);
    r->depth = 0;
    lbio_enter(r, "accessors");
    lbio_enter_index(r, accessor);
    lb_status status = json_is_object(json) ? read_accessor(gltf, json, width, values, count)
                                            : lbio_reader_fail(r, LB_ERROR_SYNTAX, "there is no such accessor");
    if (status != LB_OK) {
        return status;
    }
    memcpy(r->path, path, sizeof path);
    r->depth = depth;
    *cached = (struct lbio_gltf_values){*values, width, *count};
    return spend(gltf, width, *count);
}
