/* The container of a glTF file: chunks of a GLB, JSON, and buffers wherever they are. */

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

static void name_files(const lbio_gltf *gltf, const char *list);

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
    name_files(gltf, "buffers");
    name_files(gltf, "images");
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

/* Buffers and images that are files of their own belong to the file, though many are never read. */
static void name_files(const lbio_gltf *gltf, const char *list) {
    const json_t *items = json_object_get(gltf->json, list);
    size_t i;
    json_t *item;
    char name[1024], path[4096];
    json_array_foreach(items, i, item) {
        const char *uri = json_string_value(json_object_get(item, "uri"));
        if (gltf->folder && uri && strncmp(uri, "data:", 5) != 0 && tame_path(uri, name, sizeof name)) {
            snprintf(path, sizeof path, "%s/%s", gltf->folder, name);
            lbio_name_file(path);
        }
    }
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

lb_status lbio_gltf_need_buffer(lbio_gltf *gltf, int index, const lbio_gltf_buffer **out) {
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
    status = lbio_get_value(r, json, "byteLength", LBIO_PLAIN, 0, 1e15, &length);
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
