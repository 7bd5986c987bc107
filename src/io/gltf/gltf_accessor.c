/* Accessors of a glTF file: numbers out of its buffers, as doubles. */
#include "io/gltf/gltf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    status = status ? status : lbio_get_value(r, view, "byteOffset", LBIO_PLAIN, 0, 1e15, &view_offset);
    status = status ? status : lbio_get_value(r, view, "byteLength", LBIO_PLAIN, 0, 1e15, &length);
    status = status ? status : lbio_get_value(r, view, "byteStride", LBIO_PLAIN, 0, 1e6, &view_stride);
    if (status == LB_OK && buffer_index < 0) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "a view needs a `buffer`");
    }
    status = status ? status : lbio_gltf_need_buffer(gltf, buffer_index, &buffer);
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
        status = status ? status : lbio_get_value(r, lists[k], "byteOffset", LBIO_PLAIN, 0, 1e15, &offsets[k]);
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

/* What an accessor says of itself. */
typedef struct accessor_head {
    component part;
    int is_normalised, count;
    int view; /* -1: none, all is zero */
    double offset;
} accessor_head;

static lb_status read_head(lbio_gltf *gltf, const json_t *accessor, int width, accessor_head *head) {
    lbio_reader *r = &gltf->reader;
    const char *type = NULL;
    int view_count = (int)json_array_size(json_object_get(gltf->json, "bufferViews"));
    *head = (accessor_head){.count = -1, .view = -1};
    lb_status status = lbio_get_integer(r, accessor, "componentType", 0, 1e5, &head->part.type);
    status = status ? status : lbio_get_integer(r, accessor, "count", 0, 2e9, &head->count);
    status = status ? status : lbio_get_truth(r, accessor, "normalized", &head->is_normalised);
    status = status ? status : lbio_get_string(r, accessor, "type", &type);
    status = status ? status : lbio_get_value(r, accessor, "byteOffset", LBIO_PLAIN, 0, 1e15, &head->offset);
    status = status ? status : lbio_gltf_index(gltf, accessor, "bufferView", view_count, &head->view);
    head->part.size = component_size(head->part.type);
    if (status != LB_OK) {
        return status;
    }
    if (head->part.size == 0 || head->count < 0 || width_of(type) != width) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                "the accessor should have a `count`, a `componentType` and %d numbers each", width);
    }
    if ((size_t)head->count > LBIO_GLTF_MAX_VALUES / (size_t)width ||
        gltf->looked_at + (double)head->count * width > LBIO_GLTF_MAX_NUMBERS) {
        return lbio_reader_fail(r, LB_ERROR_TOO_LARGE, "more than %zu numbers", LBIO_GLTF_MAX_VALUES);
    }
    return LB_OK;
}

static lb_status read_accessor(lbio_gltf *gltf, const json_t *accessor, int width, double **values, int *count) {
    accessor_head head;
    const unsigned char *bytes = NULL;
    size_t stride = 0;
    lb_status status = read_head(gltf, accessor, width, &head);
    component part = head.part;
    *count = head.count;
    if (!status && head.view >= 0) { /* checked before there is memory for what may be a lie */
        size_t item = (size_t)part.size * (size_t)width;
        status = view_bytes(gltf, head.view, head.offset, (size_t)*count, item, &bytes, &stride);
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
                component_value(bytes + (size_t)i * stride + (size_t)(c * part.size), part.type, head.is_normalised);
            (*values)[(size_t)i * (size_t)width + (size_t)c] = value;
        }
    }
    const json_t *sparse = json_object_get(accessor, "sparse");
    if (sparse) {
        status = read_sparse(gltf, sparse, part, head.is_normalised, width, *values, *count);
    }
    for (size_t i = 0; i < (size_t)*count * (size_t)width && status == LB_OK; i++) {
        if (!isfinite((*values)[i])) {
            status = lbio_reader_fail(&gltf->reader, LB_ERROR_SYNTAX, "value %zu is not a number", i);
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
