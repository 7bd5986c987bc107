/* An animation written into the file that the figure was read from. */
#include "io/gltf/gltf_save.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the animation does to one node. */
typedef struct track {
    double *translations, *rotations; /* [frames * 3], [frames * 4] */
    int shifts, turns;
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

static void add_times(lbio_gltf_saver *s, pieces *p, const lb_clip *clip) {
    int frames = lb_clip_frame_count(clip);
    char extra[96], last[32];
    for (int i = 0; i < frames; i++) {
        lbio_gltf_put_float(&s->bin, i * lb_clip_frame_time(clip));
    }
    lbio_print_number((double)(float)((frames - 1) * lb_clip_frame_time(clip)), last);
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

lb_status lbio_gltf_edit_animation(lbio_gltf_saver *s, const lb_clip *clip, const char *name) {
    lbio_gltf *gltf = &s->gltf;
    lbio_span root = lbio_json_root_span(s->edits.text, s->edits.size);
    track *tracks = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *tracks);
    pieces p = {.accessor = list_size(s, "accessors"),
                .view = list_size(s, "bufferViews"),
                .frames = lb_clip_frame_count(clip)};
    p.time_accessor = p.accessor;
    lb_status status = tracks ? make_tracks(s, clip, tracks) : lbio_gltf_no_memory(gltf);
    if (status != LB_OK) {
        return status;
    }
    char *spelled = spell_name(s, name);
    if (!spelled) {
        return lbio_fail(&s->source, LB_ERROR_ARGUMENT, 0, "the animation's name cannot be written; is it UTF-8?");
    }
    const json_t *first = json_array_get(json_object_get(gltf->json, "buffers"), 0);
    int owns = gltf->is_binary && (first ? gltf->bin && !json_object_get(first, "uri") : !gltf->bin);
    while (owns && (gltf->bin_size + s->bin.size) % 4) {
        lbio_text_bytes(&s->bin, "", 1);
    }
    p.start = s->bin.size;
    add_times(s, &p, clip);
    add_channels(s, &p, tracks);
    lbio_text animation = {0};
    lbio_text_format(&animation, "{\"name\":%s,\"samplers\":[%s],\"channels\":[%s]}", spelled,
                     p.samplers.data ? p.samplers.data : "", p.channels.data ? p.channels.data : "");
    s->edits.failed |= animation.failed | p.accessors.failed | p.samplers.failed | p.channels.failed | s->bin.failed;
    if (!s->edits.failed) {
        lbio_edits_append(&s->edits, root, "animations", animation.data);
        lbio_edits_append(&s->edits, root, "accessors", p.accessors.data);
        add_buffer(s, root, p.start, owns, owns ? 0 : list_size(s, "buffers"));
    }
    lbio_text_free(&animation);
    lbio_text_free(&p.accessors);
    lbio_text_free(&p.samplers);
    lbio_text_free(&p.channels);
    free(spelled);
    return s->edits.failed ? lbio_gltf_no_memory(gltf) : LB_OK;
}
