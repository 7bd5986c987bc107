/* From a GLB to a .gltf and back: the first buffer's bytes go from the binary chunk into a data: URI, or from wherever
 * the URI leads into the chunk. All else stays as it is. */
#include "io/gltf/gltf.h"

#include <string.h>

/* Where the first buffer is in the text; 0: there is none. */
static int find_first_buffer(const lbio_edits *edits, lbio_span *first) {
    lbio_span buffers;
    return lbio_json_member_span(edits->text, edits->size, lbio_json_root_span(edits->text, edits->size), "buffers",
                                 &buffers, NULL) &&
           lbio_json_item_span(edits->text, edits->size, buffers, 0, first);
}

/* Takes a member out, with the comma behind or before it. */
static void remove_member(lbio_edits *edits, lbio_span object, const char *key) {
    static const char blanks[] = " \t\r\n";
    lbio_span value, whole;
    const char *text = edits->text;
    if (!lbio_json_member_span(text, edits->size, object, key, &value, &whole)) {
        return;
    }
    size_t behind = whole.end, before = whole.begin;
    while (behind < object.end && strchr(blanks, text[behind])) {
        behind++;
    }
    while (before > object.begin && strchr(blanks, text[before - 1])) {
        before--;
    }
    if (behind < object.end && text[behind] == ',') {
        whole.end = behind + 1;
    } else if (before > object.begin && text[before - 1] == ',') {
        whole.begin = before - 1;
    }
    lbio_edits_replace(edits, whole, "");
}

static lb_status to_text(lbio_gltf *gltf, lbio_edits *edits, lbio_text *out) {
    lbio_span first;
    const json_t *buffer = json_array_get(json_object_get(gltf->json, "buffers"), 0);
    if (buffer && !json_object_get(buffer, "uri") && find_first_buffer(edits, &first)) {
        lbio_text uri = {0}, bytes = {0};
        double length = json_number_value(json_object_get(buffer, "byteLength"));
        size_t size = length >= 0 && length < (double)gltf->bin_size ? (size_t)length : gltf->bin_size;
        lbio_text_bytes(&bytes, gltf->bin ? (const char *)gltf->bin : "", gltf->bin ? size : 0);
        lbio_text_add(&uri, "\"data:application/octet-stream;base64,");
        lbio_gltf_put_base64(&uri, &bytes);
        lbio_text_add(&uri, "\"");
        edits->failed |= uri.failed | bytes.failed;
        if (!edits->failed) {
            lbio_edits_set(edits, first, "uri", uri.data);
        }
        lbio_text_free(&uri);
        lbio_text_free(&bytes);
    }
    lbio_edits_apply(edits, out);
    return edits->failed || out->failed ? lbio_gltf_no_memory(gltf) : LB_OK;
}

static lb_status to_binary(lbio_gltf *gltf, lbio_edits *edits, lbio_text *out) {
    lbio_text json = {0}, bin = {0};
    lbio_span first;
    lb_status status = LB_OK;
    if (gltf->buffer_count > 0 && find_first_buffer(edits, &first)) {
        const lbio_gltf_buffer *buffer = NULL;
        status = lbio_gltf_need_buffer(gltf, 0, &buffer);
        if (!status) {
            lbio_text_bytes(&bin, (const char *)buffer->data, buffer->size);
            remove_member(edits, first, "uri");
        }
    }
    if (!status) {
        lbio_edits_apply(edits, &json);
        lbio_gltf_put_file(out, &json, &bin, "", 0);
        status = edits->failed || json.failed || bin.failed || out->failed ? lbio_gltf_no_memory(gltf) : LB_OK;
    }
    lbio_text_free(&json);
    lbio_text_free(&bin);
    return status;
}

lb_status lbio_gltf_change_form(const lbio_source *source, const char *folder, lbio_text *out) {
    lbio_gltf gltf;
    lb_status status = lbio_gltf_open(&gltf, source, folder);
    if (!status) {
        lbio_edits edits = {.text = gltf.json_source.text, .size = gltf.json_source.size};
        status = gltf.is_binary ? to_text(&gltf, &edits, out) : to_binary(&gltf, &edits, out);
        lbio_edits_free(&edits);
    }
    lbio_gltf_close(&gltf);
    return status;
}
