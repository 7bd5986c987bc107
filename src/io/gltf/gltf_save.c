/* A pose or an animation, written into the file that the figure was read from. */
#include "io/gltf/gltf_save.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Bytes
 * ------------------------------------------------------------------------------------------------- */

void lbio_gltf_put_u32(lbio_text *out, size_t value) {
    char bytes[4] = {(char)(value & 0xFF), (char)(value >> 8 & 0xFF), (char)(value >> 16 & 0xFF),
                     (char)(value >> 24 & 0xFF)};
    lbio_text_bytes(out, bytes, 4);
}

void lbio_gltf_put_float(lbio_text *out, double value) {
    float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    lbio_gltf_put_u32(out, bits);
}

void lbio_gltf_clamp(double rotation[4]) {
    for (int i = 0; i < 4; i++) {
        rotation[i] = fmax(-1, fmin(1, rotation[i]));
    }
}

static void put_chunk(lbio_text *out, const lbio_text *data, const char type[4], char filler) {
    size_t more = (4 - data->size % 4) % 4;
    lbio_gltf_put_u32(out, data->size + more);
    lbio_text_bytes(out, type, 4);
    lbio_text_bytes(out, data->data ? data->data : "", data->size);
    for (size_t i = 0; i < more; i++) {
        lbio_text_bytes(out, &filler, 1);
    }
}

void lbio_gltf_put_file(lbio_text *out, const lbio_text *json, const lbio_text *bin, const char *rest,
                        size_t rest_size) {
    size_t json_size = (json->size + 3) / 4 * 4, bin_size = (bin->size + 3) / 4 * 4;
    lbio_text_bytes(out, "glTF", 4);
    lbio_gltf_put_u32(out, 2);
    lbio_gltf_put_u32(out, 12 + 8 + json_size + (bin_size ? 8 + bin_size : 0) + rest_size);
    put_chunk(out, json, "JSON", ' ');
    if (bin_size) {
        put_chunk(out, bin, "BIN\0", 0);
    }
    lbio_text_bytes(out, rest, rest_size);
}

void lbio_gltf_put_base64(lbio_text *out, const lbio_text *data) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < data->size; i += 3) {
        unsigned bits = 0;
        size_t left = data->size - i < 3 ? data->size - i : 3;
        for (size_t k = 0; k < 3; k++) {
            bits = bits << 8 | (k < left ? (unsigned char)data->data[i + k] : 0);
        }
        char group[5] = {digits[bits >> 18 & 63], digits[bits >> 12 & 63], left > 1 ? digits[bits >> 6 & 63] : '=',
                         left > 2 ? digits[bits & 63] : '=', 0};
        lbio_text_add(out, group);
    }
}

/* ---------------------------------------------------------------------------------------------------
 * From the figure to the nodes
 * ------------------------------------------------------------------------------------------------- */

static void pass_warning(void *context, const lb_error *warning) {
    const lbio_gltf_saver *s = context;
    if (s->options && s->options->warn) {
        s->options->warn(s->options->warn_context, warning);
    }
}

static int ignores(const lb_joint *joint) {
    return joint->type.element_count == 0 || joint->type.elements[0].kind != LB_ELEMENT_TRANSLATE;
}

/* A node's own translation and rotation in the pose of the kinematics; 1 where they are not those of the file. */
int lbio_gltf_local_of(lbio_gltf_saver *s, int node, double translation[3], double rotation[4]) {
    lbio_gltf *gltf = &s->gltf;
    const lbio_gltf_node *n = &gltf->nodes[node];
    int segment = n->segment, joint = segment < 0 ? -1 : lb_figure_parent_joint(s->figure, segment);
    lb_frame frame;
    int changed = 0;
    memcpy(translation, n->translation, sizeof n->translation);
    memcpy(rotation, n->rotation, sizeof n->rotation);
    if (joint >= 0 && lb_kinematics_segment(s->kinematics, segment, &frame) == LB_OK) {
        double moved[3], turned[4], back[4], difference[4], far = 0;
        lb_frame_multiply(&s->from_world, &frame, &frame);
        lbio_gltf_step_back(gltf, node, s->states, &frame, moved, turned);
        lbio_rotation_conjugate(n->rotation, back);
        lb_rotation_multiply(back, turned, difference);
        for (int i = 0; i < 3; i++) {
            far = fmax(far, fabs(moved[i] - n->translation[i]) / (1e-10 + 1e-9 * fabs(n->translation[i])));
        }
        if (fabs(difference[0]) + fabs(difference[1]) + fabs(difference[2]) > 1e-9) {
            memcpy(rotation, turned, sizeof turned);
            lbio_gltf_clamp(rotation);
            changed = 1;
        }
        if (far > 1 && !ignores(lb_figure_joint(s->figure, joint))) {
            memcpy(translation, moved, sizeof moved);
            changed = 1;
        }
    }
    return changed;
}

void lbio_gltf_print_numbers(const double *values, int count, lbio_text *out) {
    out->size = 0;
    for (int i = 0; i < count; i++) {
        lbio_text_add(out, i ? "," : "[");
        lbio_text_number(out, values[i]);
    }
    lbio_text_add(out, "]");
}

/* ---------------------------------------------------------------------------------------------------
 * Opening and writing
 * ------------------------------------------------------------------------------------------------- */

/* Reads the source; its text must stay until all is written. */
static lb_status open_source(lbio_gltf_saver *s, const lbio_source *source, const char *folder) {
    s->load = *source->options;
    s->load.warn = pass_warning;
    s->load.warn_context = s;
    s->source = *source;
    s->source.options = &s->load;
    lb_status status = lbio_gltf_open(&s->gltf, &s->source, folder);
    status = status ? status : lbio_gltf_read_nodes(&s->gltf);
    s->gltf.folder = NULL; /* all is read that is needed */
    return status;
}

/* Walks over the nodes' text once. */
static void find_spans(lbio_gltf_saver *s) {
    const char *text = s->edits.text;
    size_t size = s->edits.size;
    lbio_span nodes = {0, 0}, item;
    if (!lbio_json_member_span(text, size, lbio_json_root_span(text, size), "nodes", &nodes, NULL)) {
        return;
    }
    for (int i = 0; i < s->gltf.node_count && lbio_json_item_span(text, size, nodes, 0, &item); i++) {
        s->spans[i] = item;
        nodes.begin = item.end; /* on the comma: the next item is the first of what is left */
        while (nodes.begin < nodes.end && text[nodes.begin] != ',') {
            nodes.begin++;
        }
    }
}

static lb_status match(lbio_gltf_saver *s) {
    lbio_gltf *gltf = &s->gltf;
    int found = 0;
    for (int i = 0; i < gltf->node_count; i++) {
        lbio_gltf_node *n = &gltf->nodes[i];
        n->segment = n->is_segment ? lb_figure_find_segment(s->figure, n->name) : -1;
        found += n->segment >= 0;
    }
    lb_status status = lbio_gltf_unit_of(gltf, s->figure);
    if (status != LB_OK) {
        return status;
    }
    s->states = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *s->states);
    s->spans = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *s->spans);
    s->kinematics = lb_kinematics_create(s->figure, NULL);
    if (!s->states || !s->spans || !s->kinematics) {
        return lbio_gltf_no_memory(gltf);
    }
    lb_frame to_world = {{0, 0, 0}, {0, 0, 0, 1}};
    lbio_gltf_to_world(gltf, to_world.rotation);
    lb_frame_invert(&to_world, &s->from_world);
    s->edits.text = gltf->json_source.text;
    s->edits.size = gltf->json_source.size;
    find_spans(s);
    return found ? LB_OK
                 : lbio_fail(&s->source, LB_ERROR_NAME, 0,
                             "none of its nodes is a segment of the figure; was the figure read from another file?");
}

/* Whether a copy is to have the other form: JSON for a .gltf, the binary one for a .glb; any other name keeps it. */
static int has_other_form(int is_binary, const char *path) { return lbio_ends_in(path, is_binary ? ".gltf" : ".glb"); }

/* Whether any of a list, from an item on, is in a file of its own. */
static int has_files_beside(const json_t *list, size_t first) {
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item) {
        const char *uri = json_string_value(json_object_get(item, "uri"));
        if (i >= first && uri && strncmp(uri, "data:", 5) != 0) {
            return 1;
        }
    }
    return 0;
}

/* A copy in another folder does not find what is beside the first. */
static void warn_of_files(const lbio_gltf_saver *s, const char *path) {
    const char *from = strrchr(s->source.name, '/'), *to = strrchr(path, '/');
    size_t from_length = from ? (size_t)(from - s->source.name) : 0, to_length = to ? (size_t)(to - path) : 0;
    int is_elsewhere = from_length != to_length || strncmp(s->source.name, path, from_length) != 0;
    size_t taken = has_other_form(s->gltf.is_binary, path) && !s->gltf.is_binary; /* the first buffer comes along */
    if (is_elsewhere && (has_files_beside(json_object_get(s->gltf.json, "buffers"), taken) ||
                         has_files_beside(json_object_get(s->gltf.json, "images"), 0))) {
        lbio_warn(&s->source, 0, "names files beside it; copy them into the folder of %s too", path);
    }
}

static void put_together(lbio_gltf_saver *s, lbio_text *out) {
    lbio_gltf *gltf = &s->gltf;
    lbio_text json = {0}, bin = {0};
    if (s->edits.count == 0 && !s->edits.failed) {
        lbio_text_bytes(out, s->source.text, s->source.size);
        return;
    }
    lbio_edits_apply(&s->edits, &json);
    if (gltf->is_binary) {
        lbio_text_bytes(&bin, gltf->bin ? (const char *)gltf->bin : "", gltf->bin_size);
        if (s->patch.size > 0 && !bin.failed) {
            memcpy(bin.data + s->patch_at, s->patch.data, s->patch.size);
        }
        lbio_text_bytes(&bin, s->bin.data ? s->bin.data : "", s->bin.size);
        size_t json_end = gltf->json_at + (gltf->json_source.size + 3) / 4 * 4;
        size_t rest = gltf->bin ? gltf->bin_at + (gltf->bin_size + 3) / 4 * 4 : json_end;
        rest = rest < gltf->end ? rest : gltf->end;
        json.failed |= bin.failed | s->bin.failed;
        lbio_gltf_put_file(out, &json, &bin, s->source.text + rest, gltf->end - rest);
    } else {
        lbio_text_bytes(out, s->source.text, gltf->json_at);
        lbio_text_bytes(out, json.data ? json.data : "", json.size);
    }
    out->failed |= json.failed;
    lbio_text_free(&json);
    lbio_text_free(&bin);
}

/* ---------------------------------------------------------------------------------------------------
 * A pose
 * ------------------------------------------------------------------------------------------------- */

/* Column by column: rotation times what the file's matrix stretches, and the translation. */
static void print_matrix(const lbio_gltf_node *n, const double translation[3], const double rotation[4],
                         lbio_text *out) {
    double r[9], m[16] = {0};
    lb_rotation_to_matrix(rotation, r);
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                m[4 * c + i] += r[3 * i + k] * n->stretch[3 * k + c];
            }
        }
        m[12 + c] = translation[c];
    }
    m[15] = 1;
    lbio_gltf_print_numbers(m, 16, out);
}

static lb_status edit_pose(lbio_gltf_saver *s, const double *pose) {
    lbio_gltf *gltf = &s->gltf;
    lbio_text numbers = {0};
    double(*places)[7] = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *places);
    lb_status status = places ? lb_kinematics_update(s->kinematics, pose) : lbio_gltf_no_memory(gltf);
    if (!places) {
        return status;
    }
    if (status != LB_OK) {
        return lbio_fail(&s->source, status, 0, "the pose is not one of the figure's: %s", lb_status_text(status));
    }
    for (int k = 0; k < gltf->node_count; k++) {
        int node = gltf->order[k];
        const lbio_gltf_node *n = &gltf->nodes[node];
        double translation[3], rotation[4];
        if (lbio_gltf_local_of(s, node, translation, rotation)) {
            lbio_span object = s->spans[node];
            if (n->has_matrix) {
                print_matrix(n, translation, rotation, &numbers);
                lbio_edits_set(&s->edits, object, "matrix", numbers.data ? numbers.data : "");
            } else {
                lbio_gltf_print_numbers(rotation, 4, &numbers);
                lbio_edits_set(&s->edits, object, "rotation", numbers.data ? numbers.data : "");
            }
            if (!n->has_matrix && memcmp(translation, n->translation, sizeof translation) != 0) {
                lbio_gltf_print_numbers(translation, 3, &numbers);
                lbio_edits_set(&s->edits, object, "translation", numbers.data ? numbers.data : "");
            }
        }
        lbio_gltf_step(gltf, node, s->states, translation, rotation, &s->states[node]);
        memcpy(places[node], translation, sizeof translation);
        memcpy(places[node] + 3, rotation, sizeof rotation);
    }
    s->edits.failed |= numbers.failed;
    lbio_text_free(&numbers);
    return s->edits.count > 0 ? lbio_gltf_edit_still(s, (const double(*)[7])places) : LB_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * The whole
 * ------------------------------------------------------------------------------------------------- */

lb_status lbio_gltf_rewrite(const lbio_source *source, const char *folder, const lbio_gltf_change *change,
                            lbio_text *out) {
    lbio_gltf_saver s;
    memset(&s, 0, sizeof s);
    s.figure = change->clip ? lb_clip_figure(change->clip) : change->figure;
    s.options = change->options;
    lb_status status = open_source(&s, source, folder);
    status = status ? status : match(&s);
    if (status == LB_OK) {
        status = change->clip ? lbio_gltf_edit_animation(&s, change->clip, change->name) : edit_pose(&s, change->pose);
    }
    if (status == LB_OK) {
        if (change->path) {
            warn_of_files(&s, change->path);
        }
        put_together(&s, out);
        status = out->failed ? lbio_gltf_no_memory(&s.gltf) : LB_OK;
    }
    lb_kinematics_destroy(s.kinematics);
    lbio_edits_free(&s.edits);
    lbio_text_free(&s.bin);
    lbio_text_free(&s.patch);
    lbio_gltf_close(&s.gltf);
    return status;
}

static lb_status save(const char *path, const lbio_gltf_change *change, lb_error *error) {
    lb_load_options options;
    char *data = NULL, folder[4096];
    size_t size = 0;
    lbio_text out = {0};
    lb_load_options_defaults(&options);
    options.max_bytes = (size_t)1 << 30; /* characters come with their textures */
    lb_status status = lbio_read_file(path, options.max_bytes, &data, &size, error);
    if (status != LB_OK) {
        return status;
    }
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : slash ? (int)(slash - path) : 1, slash ? path : ".");
    const lbio_source source = {path, data, size, &options, error};
    status = lbio_gltf_rewrite(&source, folder, change, &out);
    if (status == LB_OK && has_other_form(size >= 4 && memcmp(data, "glTF", 4) == 0, change->path)) {
        const lbio_source rewritten = {path, out.data ? out.data : "", out.size, &options, error};
        lbio_text other = {0};
        status = lbio_gltf_change_form(&rewritten, folder, &other);
        lbio_text_free(&out);
        out = other;
    }
    if (status == LB_OK) {
        status = lbio_write_file(change->path, out.data ? out.data : "", out.size, error);
    }
    lbio_text_free(&out);
    free(data);
    return status;
}

lb_status lb_gltf_save_pose(const char *source, const lb_figure *figure, const double *pose, const char *path,
                            const lb_save_options *options, lb_error *error) {
    lb_error unseen;
    error = error ? error : &unseen;
    if (!source || !figure || !pose || !path) {
        return lbio_error(error, LB_ERROR_ARGUMENT, source, 0, "a source, a figure, a pose and a path are needed");
    }
    if (!lbio_are_finite(pose, lb_figure_variable_count(figure))) {
        return lbio_error(error, LB_ERROR_ARGUMENT, source, 0, "the pose has a number that is not finite");
    }
    lb_save_options taken;
    lb_status status = lbio_take_save_options(options, &taken, source, error);
    return status ? status : save(source, &(lbio_gltf_change){figure, pose, NULL, NULL, path, &taken}, error);
}

lb_status lb_gltf_save_animation(const char *source, const lb_clip *clip, const char *name, const char *path,
                                 const lb_save_options *options, lb_error *error) {
    lb_error unseen;
    error = error ? error : &unseen;
    if (!source || !clip || !path) {
        return lbio_error(error, LB_ERROR_ARGUMENT, source, 0, "a source, a clip and a path are needed");
    }
    name = name && *name ? name : "limber";
    lb_save_options taken;
    lb_status status = lbio_take_save_options(options, &taken, source, error);
    return status ? status : save(source, &(lbio_gltf_change){NULL, NULL, clip, name, path, &taken}, error);
}

static lb_status change_memory(const void *data, size_t size, const lbio_gltf_change *change, char **out,
                               size_t *out_size, lb_error *error) {
    lb_load_options options;
    lb_error unseen;
    lbio_text copy = {0}, made = {0};
    error = error ? error : &unseen;
    if (!data || !out || !out_size || (!change->clip && (!change->figure || !change->pose))) {
        return lbio_error(error, LB_ERROR_ARGUMENT, "<memory>", 0, "data, what to put into it and a place are needed");
    }
    *out = NULL;
    lb_load_options_defaults(&options);
    lbio_text_bytes(&copy, data, size);
    const lbio_source source = {"<memory>", copy.data, size, &options, error};
    lb_status status = copy.failed ? lbio_error(error, LB_ERROR_MEMORY, "<memory>", 0, "out of memory")
                                   : lbio_gltf_rewrite(&source, NULL, change, &made);
    lbio_text_free(&copy);
    if (status != LB_OK) {
        lbio_text_free(&made);
        return status;
    }
    *out = made.data;
    *out_size = made.size;
    return LB_OK;
}

lb_status lb_gltf_pose_memory(const void *data, size_t size, const lb_figure *figure, const double *pose, char **out,
                              size_t *out_size, lb_error *error) {
    return change_memory(data, size, &(lbio_gltf_change){figure, pose, NULL, NULL, NULL, NULL}, out, out_size, error);
}

lb_status lb_gltf_animation_memory(const void *data, size_t size, const lb_clip *clip, const char *name, char **out,
                                   size_t *out_size, lb_error *error) {
    name = name && *name ? name : "limber";
    return change_memory(data, size, &(lbio_gltf_change){NULL, NULL, clip, name, NULL, NULL}, out, out_size, error);
}
