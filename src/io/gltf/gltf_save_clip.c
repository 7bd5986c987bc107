/* An animation written into the file that the figure was read from; and the still that shows a pose to whoever plays
 * the first one. */
#include "io/gltf/gltf_save.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the animation does to one node. */
typedef struct track {
    double *translations, *rotations, *scales; /* [frames * 3], [frames * 4], [frames * 3] */
    int shifts, turns, grows;
} track;

static lb_status make_tracks(lbio_gltf_saver *s, const lb_clip *clip, track *tracks) {
    lbio_gltf *gltf = &s->gltf;
    size_t frames = (size_t)lb_clip_frame_count(clip);
    for (int i = 0; i < gltf->node_count; i++) {
        if (gltf->nodes[i].segment >= 0) {
            tracks[i].translations = lbio_gltf_new(gltf, frames * 3, sizeof(double));
            tracks[i].rotations = lbio_gltf_new(gltf, frames * 4, sizeof(double));
            if (!tracks[i].translations || !tracks[i].rotations) {
                return lbio_gltf_no_memory(gltf);
            }
        }
    }
    for (size_t f = 0; f < frames; f++) {
        lb_status status = lb_kinematics_update(s->kinematics, lb_clip_const_pose(clip, (int)f));
        if (status != LB_OK) {
            return lbio_fail(&s->source, status, 0, "frame %zu of the clip is not a pose: %s", f,
                             lb_status_text(status));
        }
        for (int k = 0; k < gltf->node_count; k++) {
            int node = gltf->order[k];
            const lbio_gltf_node *n = &gltf->nodes[node];
            track *t = &tracks[node];
            double translation[3], rotation[4];
            lbio_gltf_local_of(s, node, translation, rotation);
            lbio_gltf_step(gltf, node, s->states, translation, rotation, &s->states[node]);
            if (!t->rotations) {
                continue;
            }
            t->shifts |= memcmp(translation, n->translation, sizeof translation) != 0;
            t->turns |= memcmp(rotation, n->rotation, sizeof rotation) != 0;
            const double *before = f ? t->rotations + 4 * (f - 1) : n->rotation;
            double dot = 0;
            for (int i = 0; i < 4; i++) {
                dot += before[i] * rotation[i];
            }
            for (int i = 0; i < 4; i++) { /* the shorter way, also for those who interpolate by components */
                t->rotations[4 * f + (size_t)i] = dot < 0 ? -rotation[i] : rotation[i];
            }
            memcpy(t->translations + 3 * f, translation, sizeof translation);
        }
    }
    return LB_OK;
}

/* The pieces of JSON that an animation adds. */
typedef struct pieces {
    lbio_text accessors, samplers, channels;
    int accessor, sampler; /* the next one's number */
    int view;
    size_t start; /* of what is added, in the saver's bytes */
    int frames, time_accessor;
} pieces;

static void add_accessor(pieces *p, size_t offset, int count, const char *type, const char *extra) {
    lbio_text_format(&p->accessors,
                     "%s{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":5126,\"count\":%d,\"type\":\"%s\"%s}",
                     p->accessors.size ? "," : "", p->view, offset, count, type, extra);
    p->accessor++;
}

static void add_channel(lbio_gltf_saver *s, pieces *p, int node, const char *path, const double *values, int width) {
    int output = p->accessor;
    add_accessor(p, s->bin.size - p->start, p->frames, width == 4 ? "VEC4" : "VEC3", "");
    for (int i = 0; i < p->frames * width; i++) {
        lbio_gltf_put_float(&s->bin, values[i]);
    }
    lbio_text_format(&p->samplers, "%s{\"input\":%d,\"interpolation\":\"LINEAR\",\"output\":%d}", p->sampler ? "," : "",
                     p->time_accessor, output);
    lbio_text_format(&p->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", p->sampler ? "," : "",
                     p->sampler, node, path);
    p->sampler++;
}

/* A matrix cannot be animated: the same as translation, rotation and scale. */
static void spell_out_matrix(lbio_gltf_saver *s, int node) {
    const lbio_gltf_node *n = &s->gltf.nodes[node];
    lbio_span object = s->spans[node], value, whole;
    lbio_text text = {0}, numbers = {0};
    if (!lbio_json_member_span(s->edits.text, s->edits.size, object, "matrix", &value, &whole)) {
        return;
    }
    lbio_gltf_print_numbers(n->translation, 3, &numbers);
    lbio_text_format(&text, "\"translation\":%s", numbers.data ? numbers.data : "");
    double rotation[4];
    memcpy(rotation, n->rotation, sizeof rotation);
    lbio_gltf_clamp(rotation);
    lbio_gltf_print_numbers(rotation, 4, &numbers);
    lbio_text_format(&text, ",\"rotation\":%s", numbers.data ? numbers.data : "");
    lbio_gltf_print_numbers(n->scale, 3, &numbers);
    lbio_text_format(&text, ",\"scale\":%s", numbers.data ? numbers.data : "");
    s->edits.failed |= text.failed | numbers.failed;
    if (!text.failed) {
        lbio_edits_replace(&s->edits, whole, text.data);
    }
    lbio_text_free(&text);
    lbio_text_free(&numbers);
}

static int list_size(const lbio_gltf_saver *s, const char *key) {
    return (int)json_array_size(json_object_get(s->gltf.json, key));
}

/* Where the new bytes go: behind those of a GLB's own buffer, or into a buffer of their own. */
static void add_buffer(lbio_gltf_saver *s, lbio_span root, size_t start, int owns, int buffer) {
    lbio_text text = {0};
    size_t added = s->bin.size - start;
    if (owns && buffer < list_size(s, "buffers")) {
        lbio_span buffers, first;
        lbio_json_member_span(s->edits.text, s->edits.size, root, "buffers", &buffers, NULL);
        lbio_json_item_span(s->edits.text, s->edits.size, buffers, 0, &first);
        lbio_text_format(&text, "%zu", s->gltf.bin_size + s->bin.size);
        lbio_edits_set(&s->edits, first, "byteLength", text.data ? text.data : "0");
    } else if (owns) {
        lbio_text_format(&text, "{\"byteLength\":%zu}", s->bin.size);
        lbio_edits_append(&s->edits, root, "buffers", text.data ? text.data : "");
    } else {
        lbio_text_format(&text, "{\"byteLength\":%zu,\"uri\":\"data:application/octet-stream;base64,", added);
        lbio_gltf_put_base64(&text, &s->bin);
        lbio_text_add(&text, "\"}");
        lbio_edits_append(&s->edits, root, "buffers", text.data ? text.data : "");
        s->bin.size = 0;
    }
    s->edits.failed |= text.failed;
    text.size = 0;
    lbio_text_format(&text, "{\"buffer\":%d,\"byteOffset\":%zu,\"byteLength\":%zu}", buffer,
                     owns ? s->gltf.bin_size + start : 0, added);
    lbio_edits_append(&s->edits, root, "bufferViews", text.data ? text.data : "");
    s->edits.failed |= text.failed;
    lbio_text_free(&text);
}

/* The name as JSON, one that no animation has. */
static char *spell_name(const lbio_gltf_saver *s, const char *name) {
    const json_t *list = json_object_get(s->gltf.json, "animations");
    lbio_text tried = {0};
    char *spelled = NULL;
    for (int number = 1; !spelled; number++) {
        size_t i;
        json_t *item;
        int is_taken = 0;
        tried.size = 0;
        lbio_text_add(&tried, name);
        if (number > 1) {
            lbio_text_format(&tried, "_%d", number);
        }
        if (tried.failed) {
            break;
        }
        json_array_foreach(list, i, item) {
            const char *has = json_string_value(json_object_get(item, "name"));
            is_taken |= has && strcmp(has, tried.data) == 0;
        }
        json_t *string = is_taken ? NULL : json_string(tried.data);
        if (string) {
            spelled = json_dumps(string, JSON_ENCODE_ANY);
            json_decref(string);
        }
        if (!is_taken) {
            break;
        }
    }
    lbio_text_free(&tried);
    return spelled;
}

static void add_times(lbio_gltf_saver *s, pieces *p, double frame_time) {
    char extra[96], last[32];
    const int frames = p->frames;
    for (int i = 0; i < frames; i++) {
        lbio_gltf_put_float(&s->bin, i * frame_time);
    }
    lbio_print_number((double)(float)((frames - 1) * frame_time), last);
    snprintf(extra, sizeof extra, ",\"min\":[0],\"max\":[%s]", last);
    add_accessor(p, 0, frames, "SCALAR", extra);
}

/* A channel for each node that turns, and for each that shifts. */
static void add_channels(lbio_gltf_saver *s, pieces *p, const track *tracks) {
    const lbio_gltf *gltf = &s->gltf;
    for (int i = 0; i < gltf->node_count; i++) {
        if (tracks[i].turns) {
            add_channel(s, p, i, "rotation", tracks[i].rotations, 4);
        }
        if (tracks[i].shifts) {
            add_channel(s, p, i, "translation", tracks[i].translations, 3);
        }
        if (tracks[i].grows) {
            add_channel(s, p, i, "scale", tracks[i].scales, 3);
        }
        if ((tracks[i].turns || tracks[i].shifts) && gltf->nodes[i].has_matrix) {
            spell_out_matrix(s, i);
        }
    }
    if (p->sampler == 0) { /* a clip that does nothing: an animation needs a channel all the same */
        int still = 0;
        while (!tracks[still].rotations) {
            still++;
        }
        add_channel(s, p, still, "rotation", tracks[still].rotations, 4);
        if (gltf->nodes[still].has_matrix) {
            spell_out_matrix(s, still);
        }
    }
}

/* Where new bytes go: 1: into a GLB's own buffer; 0: into one of their own. */
static int owns_buffer(const lbio_gltf *gltf) {
    const json_t *first = json_array_get(json_object_get(gltf->json, "buffers"), 0);
    return gltf->is_binary && (first ? gltf->bin && !json_object_get(first, "uri") : !gltf->bin);
}

/* The values of an animation, as bytes, and what names them. */
static pieces begin_pieces(lbio_gltf_saver *s, int frames, double frame_time, const track *tracks) {
    pieces p = {.accessor = list_size(s, "accessors"), .view = list_size(s, "bufferViews"), .frames = frames};
    p.time_accessor = p.accessor;
    while (owns_buffer(&s->gltf) && (s->gltf.bin_size + s->bin.size) % 4) {
        lbio_text_bytes(&s->bin, "", 1);
    }
    p.start = s->bin.size;
    add_times(s, &p, frame_time);
    add_channels(s, &p, tracks);
    return p;
}

static void print_animation(lbio_gltf_saver *s, const pieces *p, const char *spelled, lbio_text *animation) {
    lbio_text_format(animation, "{\"name\":%s,\"samplers\":[%s],\"channels\":[%s]}", spelled,
                     p->samplers.data ? p->samplers.data : "", p->channels.data ? p->channels.data : "");
    s->edits.failed |=
        animation->failed | p->accessors.failed | p->samplers.failed | p->channels.failed | s->bin.failed;
}

static void free_pieces(pieces *p) {
    lbio_text_free(&p->accessors);
    lbio_text_free(&p->samplers);
    lbio_text_free(&p->channels);
}

static void add_values(lbio_gltf_saver *s, const pieces *p) {
    const lbio_span root = lbio_json_root_span(s->edits.text, s->edits.size);
    const int owns = owns_buffer(&s->gltf);
    lbio_edits_append(&s->edits, root, "accessors", p->accessors.data);
    add_buffer(s, root, p->start, owns, owns ? 0 : list_size(s, "buffers"));
}

lb_status lbio_gltf_edit_animation(lbio_gltf_saver *s, const lb_clip *clip, const char *name) {
    lbio_gltf *gltf = &s->gltf;
    track *tracks = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *tracks);
    lb_status status = tracks ? make_tracks(s, clip, tracks) : lbio_gltf_no_memory(gltf);
    if (status != LB_OK) {
        return status;
    }
    char *spelled = spell_name(s, name);
    if (!spelled) {
        return lbio_fail(&s->source, LB_ERROR_ARGUMENT, 0, "the animation's name cannot be written; is it UTF-8?");
    }
    lbio_text animation = {0};
    pieces p = begin_pieces(s, lb_clip_frame_count(clip), lb_clip_frame_time(clip), tracks);
    print_animation(s, &p, spelled, &animation);
    if (!s->edits.failed) {
        lbio_edits_append(&s->edits, lbio_json_root_span(s->edits.text, s->edits.size), "animations", animation.data);
        add_values(s, &p);
    }
    lbio_text_free(&animation);
    free_pieces(&p);
    free(spelled);
    return s->edits.failed ? lbio_gltf_no_memory(gltf) : LB_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * A pose, as a clip that stands still
 * ------------------------------------------------------------------------------------------------- */

int lbio_gltf_is_still(const json_t *animations, size_t number) {
    const char *name = json_string_value(json_object_get(json_array_get(animations, number), "name"));
    return number == 0 && name && strcmp(name, LBIO_GLTF_STILL) == 0;
}

/* Marks what the channels of an animation move; the reader has seen that they are in order. */
static void mark_targets(const lbio_gltf *gltf, const json_t *animation, track *tracks) {
    const json_t *channels = json_object_get(animation, "channels");
    for (size_t i = 0; i < json_array_size(channels); i++) {
        const json_t *target = json_object_get(json_array_get(channels, i), "target");
        const char *path = json_string_value(json_object_get(target, "path"));
        const json_t *node = json_object_get(target, "node");
        const json_int_t number = json_is_integer(node) ? json_integer_value(node) : -1;
        if (path && number >= 0 && number < gltf->node_count) {
            tracks[number].shifts |= strcmp(path, "translation") == 0;
            tracks[number].turns |= strcmp(path, "rotation") == 0;
            tracks[number].grows |= strcmp(path, "scale") == 0;
        }
    }
}

/* The same place at both times. */
static double *twice(lbio_gltf *gltf, const double *values, size_t width) {
    double *both = lbio_gltf_new(gltf, 2 * width, sizeof *both);
    for (size_t i = 0; both && i < 2 * width; i++) {
        both[i] = values[i % width];
    }
    return both;
}

/* What other clips move, where the pose has it. Returns how many nodes that is; -1 where memory ran out. */
static int make_still(lbio_gltf_saver *s, const double (*places)[7], track *tracks) {
    lbio_gltf *gltf = &s->gltf;
    const json_t *list = json_object_get(gltf->json, "animations");
    int moved = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!lbio_gltf_is_still(list, i)) {
            mark_targets(gltf, json_array_get(list, i), tracks);
        }
    }
    for (int i = 0; i < gltf->node_count; i++) {
        track *t = &tracks[i];
        if (t->shifts || t->turns || t->grows) {
            t->translations = twice(gltf, places[i], 3);
            t->rotations = twice(gltf, places[i] + 3, 4);
            t->scales = twice(gltf, gltf->nodes[i].scale, 3);
            if (!t->translations || !t->rotations || !t->scales) {
                return -1;
            }
            moved++;
        }
    }
    return moved;
}

/* An earlier still: its channels one after the other, and where their values lie in its view. */
typedef struct old_still {
    const json_t *animation, *accessors;
    json_int_t view, offset;
    size_t channel;
} old_still;

/* Whether values are in the view, `count` numbers behind what came before. */
static int lies_next(old_still *old, const json_t *number, int count) {
    const json_t *accessor =
        json_is_integer(number) ? json_array_get(old->accessors, (size_t)json_integer_value(number)) : NULL;
    const json_t *view = json_object_get(accessor, "bufferView");
    const int lies = json_is_integer(view) && (old->view < 0 || json_integer_value(view) == old->view) &&
                     json_integer_value(json_object_get(accessor, "byteOffset")) == old->offset &&
                     json_integer_value(json_object_get(accessor, "componentType")) == 5126;
    old->view = lies ? json_integer_value(view) : old->view;
    old->offset += 4 * (json_int_t)count;
    return lies;
}

static int has_channel(old_still *old, int node, const char *path) {
    const json_t *channel = json_array_get(json_object_get(old->animation, "channels"), old->channel++);
    const json_t *target = json_object_get(channel, "target"), *number = json_object_get(target, "node");
    const json_t *sampler = json_array_get(json_object_get(old->animation, "samplers"),
                                           (size_t)json_integer_value(json_object_get(channel, "sampler")));
    const char *own = json_string_value(json_object_get(target, "path"));
    return json_is_integer(number) && json_integer_value(number) == node && own && strcmp(own, path) == 0 &&
           lies_next(old, json_object_get(sampler, "output"), path[0] == 'r' ? 8 : 6);
}

/* The view of an earlier still that is laid out as one of these tracks would be; NULL: it is not. */
static const json_t *view_of_still(const lbio_gltf *gltf, const json_t *still, const track *tracks) {
    old_still old = {still, json_object_get(gltf->json, "accessors"), -1, 0, 0};
    const json_t *first = json_array_get(json_object_get(still, "samplers"), 0);
    int are_same = lies_next(&old, json_object_get(first, "input"), 2);
    for (int i = 0; i < gltf->node_count && are_same; i++) {
        are_same = (!tracks[i].turns || has_channel(&old, i, "rotation")) &&
                   (!tracks[i].shifts || has_channel(&old, i, "translation")) &&
                   (!tracks[i].grows || has_channel(&old, i, "scale"));
    }
    const json_t *view = json_array_get(json_object_get(gltf->json, "bufferViews"), (size_t)old.view);
    are_same = are_same && old.channel == json_array_size(json_object_get(still, "channels")) &&
               json_integer_value(json_object_get(view, "byteLength")) == old.offset;
    return are_same ? view : NULL;
}

/* Puts the bytes that were just made in the place of those that the still of an earlier pose has. 0: it lies
 * elsewhere. */
static int overwrite_still(lbio_gltf_saver *s, const pieces *p, const track *tracks, const json_t *still) {
    const lbio_gltf *gltf = &s->gltf;
    const size_t size = s->bin.size - p->start;
    const json_t *view = view_of_still(gltf, still, tracks);
    const json_int_t buffer = json_integer_value(json_object_get(view, "buffer"));
    const json_int_t at = json_integer_value(json_object_get(view, "byteOffset"));
    const char *uri = json_string_value(
        json_object_get(json_array_get(json_object_get(gltf->json, "buffers"), (size_t)buffer), "uri"));
    if (!view || json_integer_value(json_object_get(view, "byteLength")) != (json_int_t)size) {
        return 0;
    }
    if (!uri && buffer == 0 && gltf->bin && at >= 0 && (size_t)at + size <= gltf->bin_size) {
        lbio_text_bytes(&s->patch, s->bin.data + p->start, size);
        s->patch_at = (size_t)at;
        return 1;
    }
    lbio_span list, own;
    if (uri && strncmp(uri, "data:", 5) == 0 && at == 0 &&
        lbio_json_member_span(s->edits.text, s->edits.size, lbio_json_root_span(s->edits.text, s->edits.size),
                              "buffers", &list, NULL) &&
        lbio_json_item_span(s->edits.text, s->edits.size, list, (int)buffer, &own)) {
        const lbio_text block = {.data = s->bin.data + p->start, .size = size};
        lbio_text text = {0};
        lbio_text_add(&text, "\"data:application/octet-stream;base64,");
        lbio_gltf_put_base64(&text, &block);
        lbio_text_add(&text, "\"");
        s->edits.failed |= text.failed;
        lbio_edits_set(&s->edits, own, "uri", text.data ? text.data : "\"\"");
        lbio_text_free(&text);
        return 1;
    }
    return 0;
}

/* Puts the still at the head of the animations, or in the place of an earlier one. */
static void put_still(lbio_gltf_saver *s, const pieces *p, const json_t *still) {
    const char *text = s->edits.text;
    const size_t size = s->edits.size;
    lbio_text animation = {0};
    lbio_span list, first;
    print_animation(s, p, "\"" LBIO_GLTF_STILL "\"", &animation);
    if (!s->edits.failed &&
        lbio_json_member_span(text, size, lbio_json_root_span(text, size), "animations", &list, NULL) &&
        lbio_json_item_span(text, size, list, 0, &first)) {
        first.end = still ? first.end : first.begin;
        lbio_text_add(&animation, still ? "" : ",");
        s->edits.failed |= animation.failed;
        lbio_edits_replace(&s->edits, first, animation.data);
        add_values(s, p);
    }
    lbio_text_free(&animation);
}

lb_status lbio_gltf_edit_still(lbio_gltf_saver *s, const double (*places)[7]) {
    lbio_gltf *gltf = &s->gltf;
    const json_t *list = json_object_get(gltf->json, "animations");
    const json_t *still = lbio_gltf_is_still(list, 0) ? json_array_get(list, 0) : NULL;
    track *tracks = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *tracks);
    const int moved = tracks ? make_still(s, places, tracks) : -1;
    if (moved <= 0) {
        return moved < 0 ? lbio_gltf_no_memory(gltf) : LB_OK;
    }
    pieces p = begin_pieces(s, 2, 1, tracks);
    if (still && !s->bin.failed && overwrite_still(s, &p, tracks, still)) {
        s->bin.size = 0;
    } else {
        put_still(s, &p, still);
    }
    s->edits.failed |= s->patch.failed;
    free_pieces(&p);
    return s->edits.failed ? lbio_gltf_no_memory(gltf) : LB_OK;
}
