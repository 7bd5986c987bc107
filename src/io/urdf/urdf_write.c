/* A figure as URDF: the tree seen from its root. docs/urdf.md says what becomes of that which URDF does not have. */
#include "io/urdf/urdf_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Text
 * ------------------------------------------------------------------------------------------------- */

/* The length of a character of XML 1.0 in UTF-8, or 0 if there is none here. */
static size_t character_at(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80) {
        return c[0] >= 0x20 ? 1 : 0;
    }
    size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    unsigned long code = c[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; ++i) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (c[i] & 0x3fu);
    }
    static const unsigned long least[5] = {0, 0, 0x80, 0x800, 0x10000};
    int is_good = c[0] >= 0xc2 && c[0] < 0xf5 && code >= least[length] && code <= 0x10ffff &&
                  !(code >= 0xd800 && code < 0xe000) && code != 0xfffe && code != 0xffff;
    return is_good ? length : 0;
}

void lbio_urdf_write_escaped(lbio_text *text, const char *string) {
    for (const char *c = string; *c;) {
        size_t length = character_at(c);
        if (*c == '&') {
            lbio_text_add(text, "&amp;");
        } else if (*c == '<') {
            lbio_text_add(text, "&lt;");
        } else if (*c == '>') {
            lbio_text_add(text, "&gt;");
        } else if (*c == '"') {
            lbio_text_add(text, "&quot;");
        } else if (length == 0) {
            lbio_text_add(text, "_");
        } else {
            lbio_text_bytes(text, c, length);
        }
        c += length ? length : 1;
    }
}

/* Comments must not hold "--". */
static void write_comment(lbio_text *text, const char *string) {
    char last = 0;
    for (const char *c = string; *c;) {
        size_t length = character_at(c);
        if (*c == '-' && last == '-') {
            lbio_text_add(text, " ");
        }
        if (length) {
            lbio_text_bytes(text, c, length);
        } else {
            lbio_text_add(text, "_");
        }
        last = *c;
        c += length ? length : 1;
    }
    lbio_text_add(text, last == '-' ? " " : "");
}

void lbio_urdf_write_vector(lbio_text *text, const char *attribute, const double v[3]) {
    lbio_text_format(text, " %s=\"", attribute);
    for (int i = 0; i < 3; ++i) {
        lbio_text_add(text, i ? " " : "");
        lbio_text_number(text, v[i]);
    }
    lbio_text_add(text, "\"");
}

int lbio_urdf_is_identity(const lb_frame *frame) {
    const double *p = frame->position, *q = frame->rotation;
    return p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0 && q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0;
}

void lbio_urdf_write_origin(lbio_text *text, const char *indent, const lb_frame *frame) {
    double rpy_rad[3];
    if (lbio_urdf_is_identity(frame)) {
        return;
    }
    const double *q = frame->rotation;
    lbio_text_format(text, "%s<origin", indent);
    lbio_urdf_write_vector(text, "xyz", frame->position);
    if (q[0] != 0.0 || q[1] != 0.0 || q[2] != 0.0) {
        lb_rotation_to_rpy(q, rpy_rad);
        lbio_urdf_write_vector(text, "rpy", rpy_rad);
    }
    lbio_text_add(text, "/>\n");
}

void lbio_urdf_write_empty_link(lbio_urdf_out *out, const char *name) {
    lbio_text_add(out->text, "  <link name=\"");
    lbio_urdf_write_escaped(out->text, name);
    lbio_text_add(out->text, "\"/>\n");
}

/* ---------------------------------------------------------------------------------------------------
 * Names and losses
 * ------------------------------------------------------------------------------------------------- */

void lbio_urdf_lose(lbio_urdf_out *out, lbio_urdf_loss loss, const char *name) {
    if (out->losses[loss].count++ == 0) {
        size_t kept = strlen(name), most = sizeof out->losses[loss].first - 1;
        if (kept > most) {
            for (kept = most; kept > 0 && ((unsigned char)name[kept] & 0xc0) == 0x80;) {
                --kept;
            }
        }
        memcpy(out->losses[loss].first, name, kept);
        out->losses[loss].first[kept] = '\0';
    }
}

const char *lbio_urdf_name(lbio_urdf_out *out, lbio_names *names, const char *first, const char *second) {
    lbio_text wish = {0};
    lbio_text_add(&wish, first);
    if (second) {
        lbio_text_add(&wish, "_");
        lbio_text_add(&wish, second);
    }
    for (size_t i = 0; i < wish.size;) {
        size_t length = character_at(wish.data + i);
        wish.data[i] = length ? wish.data[i] : '_';
        i += length ? length : 1;
    }
    const char *name = wish.failed || !wish.data ? NULL : lbio_names_unique(names, wish.data, 0);
    lbio_text_free(&wish);
    out->failed |= !name;
    return name ? name : "";
}

/* ---------------------------------------------------------------------------------------------------
 * The plan: what is written as what, under which name
 * ------------------------------------------------------------------------------------------------- */

static void *room(lbio_urdf_out *out, int count, size_t size) {
    void *memory = calloc((size_t)count + 1, size);
    out->failed |= !memory;
    return memory;
}

static void make_room(lbio_urdf_out *out) {
    const lb_figure *figure = out->figure;
    int segment_count = lb_figure_segment_count(figure), joint_count = lb_figure_joint_count(figure);
    out->rest = lb_kinematics_create(figure, NULL);
    out->failed |= !out->rest;
    out->link_names = room(out, segment_count, sizeof *out->link_names);
    out->joint_names = room(out, joint_count, sizeof *out->joint_names);
    out->parameter_names = room(out, lb_figure_parameter_count(figure), sizeof *out->parameter_names);
    out->dofs = room(out, joint_count * LB_JOINT_MAX_DOFS, sizeof *out->dofs);
    out->is_loop = room(out, joint_count, sizeof *out->is_loop);
    out->first_shape = room(out, segment_count, sizeof *out->first_shape);
    out->next_shape = room(out, lb_figure_shape_count(figure), sizeof *out->next_shape);
}

static void free_room(lbio_urdf_out *out) {
    lb_kinematics_destroy(out->rest);
    lbio_names_free(&out->links);
    lbio_names_free(&out->joints);
    free(out->link_names);
    free(out->joint_names);
    free(out->parameter_names);
    free(out->dofs);
    free(out->is_loop);
    free(out->first_shape);
    free(out->next_shape);
}

static void note_shapes(lbio_urdf_out *out) {
    for (int i = 0; i < lb_figure_segment_count(out->figure); ++i) {
        out->first_shape[i] = -1;
    }
    for (int i = lb_figure_shape_count(out->figure) - 1; i >= 0; --i) { /* backwards, so that the lists go forwards */
        int segment = lb_figure_shape(out->figure, i)->segment;
        out->next_shape[i] = out->first_shape[segment];
        out->first_shape[segment] = i;
    }
}

static void note_drives(lbio_urdf_out *out) {
    for (int i = 0; i < lb_figure_joint_count(out->figure) * LB_JOINT_MAX_DOFS; ++i) {
        out->dofs[i].drive = -1;
    }
    for (int i = 0; i < lb_figure_drive_count(out->figure); ++i) {
        const lb_drive *drive = lb_figure_drive(out->figure, i);
        lbio_urdf_dof *dof = &out->dofs[drive->joint * LB_JOINT_MAX_DOFS + drive->dof];
        dof->drive = dof->drive == -1 ? i : -2;
    }
    for (int i = 0; i < lb_figure_loop_count(out->figure); ++i) {
        out->is_loop[lb_figure_loop_joint(out->figure, i)] = 1;
    }
}

static const char *keep_name(lbio_urdf_out *out, lbio_names *names, const char *own) {
    const char *name = lbio_urdf_name(out, names, own, NULL);
    if (strcmp(name, own) != 0) {
        lbio_urdf_lose(out, LBIO_URDF_LOSS_NAME, own);
    }
    return name;
}

/* Names that the figure has come first, so that those made here give way. */
static void choose_names(lbio_urdf_out *out) {
    const lb_figure *figure = out->figure;
    int segment_count = lb_figure_segment_count(figure);
    for (int i = 0; i < segment_count; ++i) {
        out->link_names[i] = keep_name(out, &out->links, lb_figure_segment(figure, i)->name);
    }
    for (int i = 0; i < segment_count; ++i) {
        int index = lb_figure_parent_joint(figure, i);
        const lb_joint *joint = index >= 0 ? lb_figure_joint(figure, index) : NULL;
        int dof_count = joint ? lb_joint_type_dof_count(&joint->type) : 0;
        if (!joint || (dof_count > 1 && !joint->frozen && !lbio_urdf_block_type(out, index, i))) {
            continue;
        }
        out->joint_names[index] = keep_name(out, &out->joints, joint->name);
        if (dof_count == 1) {
            out->dofs[index * LB_JOINT_MAX_DOFS].name = out->joint_names[index];
        }
    }
    for (int i = 0; i < lb_figure_joint_count(figure); ++i) {
        const lb_joint *joint = lb_figure_joint(figure, i);
        int dof_count = out->joint_names[i] || out->is_loop[i] ? 0 : lb_joint_type_dof_count(&joint->type);
        for (int k = 0; k < dof_count; ++k) {
            out->dofs[i * LB_JOINT_MAX_DOFS + k].name =
                lbio_urdf_name(out, &out->joints, joint->name, joint->dof_names[k]);
        }
    }
}

/* The dof that drives this one alone and in a straight line; -1 if none does so. */
static int single_source(const lbio_urdf_out *out, int dof) {
    int index = out->dofs[dof].drive;
    const lb_drive *drive = index >= 0 ? lb_figure_drive(out->figure, index) : NULL;
    if (!drive || drive->curve.kind != LB_CURVE_LINEAR || drive->source.joint < 0) {
        return -1;
    }
    return drive->source.joint * LB_JOINT_MAX_DOFS + drive->source.dof;
}

/* Dofs of frozen joints are held, and so are those that only follow one that is held. Goes from each to the end of its
 * chain of mimics; `state` (1: moves, 2: held) keeps any dof from being walked over twice. */
static void find_held(lbio_urdf_out *out, char *state, int *path) {
    int count = lb_figure_joint_count(out->figure) * LB_JOINT_MAX_DOFS;
    for (int i = 0; i < count; ++i) {
        int at = i, length = 0;
        while (!state[at]) {
            int source = single_source(out, at);
            if (lb_figure_joint(out->figure, at / LB_JOINT_MAX_DOFS)->frozen) {
                state[at] = 2;
            } else if (source < 0) {
                state[at] = 1;
            } else {
                path[length++] = at;
                at = source;
            }
        }
        while (length > 0) {
            state[path[--length]] = state[at];
        }
        out->dofs[i].way = state[i] == 2 ? LBIO_URDF_HELD : LBIO_URDF_FREE;
    }
}

static const char *parameter_joint(lbio_urdf_out *out, int index) {
    if (!out->parameter_names[index]) {
        const lb_parameter *parameter = lb_figure_parameter(out->figure, index);
        const char *group = lb_figure_group(out->figure, parameter->group)->name;
        out->parameter_names[index] = lbio_urdf_name(out, &out->joints, group, parameter->name);
    }
    return out->parameter_names[index];
}

static void choose_ways(lbio_urdf_out *out) {
    for (int i = 0; i < lb_figure_joint_count(out->figure); ++i) {
        const lb_joint *joint = lb_figure_joint(out->figure, i);
        for (int k = 0; k < lb_joint_type_dof_count(&joint->type); ++k) {
            lbio_urdf_dof *dof = &out->dofs[i * LB_JOINT_MAX_DOFS + k];
            const lb_drive *drive = dof->drive >= 0 ? lb_figure_drive(out->figure, dof->drive) : NULL;
            if (dof->way == LBIO_URDF_HELD) {
                dof->offset = lb_kinematics_dof(out->rest, i, k);
                continue;
            }
            if (dof->drive == -1 || out->is_loop[i]) {
                continue;
            }
            if (drive && drive->curve.kind == LB_CURVE_LINEAR) {
                int source = single_source(out, i * LB_JOINT_MAX_DOFS + k);
                dof->source = source >= 0 ? out->dofs[source].name : parameter_joint(out, drive->source.parameter);
                dof->multiplier = drive->curve.slope;
                dof->offset = drive->curve.offset;
            }
            if (dof->source) {
                dof->way = LBIO_URDF_MIMIC;
            } else {
                lbio_urdf_lose(out, LBIO_URDF_LOSS_DRIVE, dof->name ? dof->name : joint->name);
            }
        }
    }
}

static void make_plan(lbio_urdf_out *out) {
    int dof_count = lb_figure_joint_count(out->figure) * LB_JOINT_MAX_DOFS;
    char *state = room(out, dof_count, sizeof *state);
    int *path = room(out, dof_count, sizeof *path);
    if (!out->failed) {
        note_shapes(out);
        note_drives(out);
        choose_names(out);
        find_held(out, state, path);
        choose_ways(out);
    }
    free(state);
    free(path);
}

/* ---------------------------------------------------------------------------------------------------
 * The file
 * ------------------------------------------------------------------------------------------------- */

/* What carries the root segment, if anything: URDF's own root link stands at the world's origin. */
static void write_root(lbio_urdf_out *out) {
    const lb_root *root = lb_figure_root(out->figure);
    const char *link = out->link_names[root->segment];
    lb_frame site, back, behind;
    lb_frame_identity(&site);
    if (root->site >= 0) {
        site = lb_figure_site(out->figure, root->site)->frame;
    }
    lb_frame_invert(&site, &back);
    lb_frame_multiply(&root->placement, &back, &behind);
    if (!root->is_free) {
        if (!lbio_urdf_is_identity(&behind)) {
            const char *world = lbio_urdf_name(out, &out->links, "world", NULL);
            lbio_urdf_write_empty_link(out, world);
            lbio_urdf_write_fixed(out, lbio_urdf_name(out, &out->joints, "world_joint", NULL), world, link, &behind);
        }
        return;
    }
    /* The root's variables turn about the world's axes: first the place, then the free motion, then the rest. */
    lb_frame front = root->placement, turn = root->placement;
    lb_frame identity;
    lb_frame_identity(&identity);
    memcpy(front.rotation, identity.rotation, sizeof front.rotation);
    memset(turn.position, 0, sizeof turn.position);
    lb_frame_multiply(&turn, &back, &behind);
    const char *world = lbio_urdf_name(out, &out->links, "world", NULL), *carried = link;
    lbio_urdf_write_empty_link(out, world);
    if (!lbio_urdf_is_identity(&behind)) {
        carried = lbio_urdf_name(out, &out->links, "root", "link");
        lbio_urdf_write_empty_link(out, carried);
        lbio_urdf_write_fixed(out, lbio_urdf_name(out, &out->joints, "root", "end"), carried, link, &behind);
    }
    lbio_urdf_open_joint(out, lbio_urdf_name(out, &out->joints, "root", NULL), "floating", world, carried, &front);
    lbio_urdf_close_joint(out);
}

/* A group's parameter is a joint that moves nothing but an empty link; what it drives mimics it. */
static void write_parameters(lbio_urdf_out *out) {
    static const double axis[3] = {0.0, 0.0, 1.0};
    lb_frame identity;
    lb_frame_identity(&identity);
    for (int i = 0; i < lb_figure_parameter_count(out->figure); ++i) {
        const lb_parameter *p = lb_figure_parameter(out->figure, i);
        const char *name = out->parameter_names[i];
        if (!name) {
            continue;
        }
        const char *link = lbio_urdf_name(out, &out->links, name, "link");
        lbio_urdf_write_empty_link(out, link);
        lbio_urdf_open_joint(out, name, lbio_urdf_type_name(p->lower, p->upper, p->is_angle),
                             out->link_names[lb_figure_root(out->figure)->segment], link, &identity);
        lbio_text_add(out->text, "    <axis");
        lbio_urdf_write_vector(out->text, "xyz", axis);
        lbio_text_add(out->text, "/>\n");
        lbio_urdf_write_range(out, name, (const double[2]){p->lower, p->upper},
                              &(const lbio_urdf_drive){INFINITY, INFINITY, -INFINITY, INFINITY}, p->is_angle);
        lbio_urdf_close_joint(out);
    }
}

/* Sites that no joint sits at: end-effectors and marks. URDF's way to say them is an empty link, fixed there. */
static void write_sites(lbio_urdf_out *out) {
    const lb_figure *figure = out->figure;
    int site_count = lb_figure_site_count(figure);
    char *is_used = room(out, site_count, sizeof *is_used);
    if (!is_used) {
        return;
    }
    for (int i = 0; i < lb_figure_joint_count(figure); ++i) {
        const lb_joint *joint = lb_figure_joint(figure, i);
        if (!out->is_loop[i]) {
            is_used[joint->site_a] = is_used[joint->site_b] = 1;
        }
    }
    for (int i = 0; i < site_count; ++i) {
        const lb_site *site = lb_figure_site(figure, i);
        if (is_used[i] || lbio_urdf_is_identity(&site->frame)) {
            continue;
        }
        const char *link = lbio_urdf_name(out, &out->links, lb_figure_segment(figure, site->segment)->name, site->name);
        lbio_urdf_write_empty_link(out, link);
        lbio_urdf_write_fixed(out, lbio_urdf_name(out, &out->joints, link, "joint"), out->link_names[site->segment],
                              link, &site->frame);
    }
    free(is_used);
}

static void write_loops(lbio_urdf_out *out) {
    const lb_figure *figure = out->figure;
    for (int i = 0; i < lb_figure_loop_count(figure); ++i) {
        const lb_joint *joint = lb_figure_joint(figure, lb_figure_loop_joint(figure, i));
        const lb_site *a = lb_figure_site(figure, joint->site_a), *b = lb_figure_site(figure, joint->site_b);
        lbio_urdf_lose(out, LBIO_URDF_LOSS_LOOP, joint->name);
        lbio_text_add(out->text, "  <!-- left out, as it closes a loop: joint ");
        write_comment(out->text, joint->name);
        lbio_text_add(out->text, " from site ");
        write_comment(out->text, a->name);
        lbio_text_add(out->text, " of ");
        write_comment(out->text, lb_figure_segment(figure, a->segment)->name);
        lbio_text_add(out->text, " to site ");
        write_comment(out->text, b->name);
        lbio_text_add(out->text, " of ");
        write_comment(out->text, lb_figure_segment(figure, b->segment)->name);
        lbio_text_add(out->text, " -->\n");
    }
}

static void write_tree(lbio_urdf_out *out) {
    const lb_figure *figure = out->figure;
    int segment_count = lb_figure_segment_count(figure);
    int *order = room(out, segment_count, sizeof *order);
    if (!order) {
        return;
    }
    lb_figure_tree_order(figure, order);
    for (int i = 0; i < segment_count; ++i) {
        int joint = lb_figure_parent_joint(figure, order[i]);
        lbio_urdf_write_link(out, order[i]);
        if (joint >= 0) {
            lbio_urdf_write_chain(out, joint, order[i]);
        }
    }
    free(order);
}

static void tell_losses(const lbio_urdf_out *out, const lb_save_options *options) {
    static const char *const texts[LBIO_URDF_LOSS_COUNT] = {
        [LBIO_URDF_LOSS_BALL] =
            "URDF has no true balls; written as three revolute joints, whose values are other angles",
        [LBIO_URDF_LOSS_SWING] = "URDF has no swing limits; written as the range of each angle",
        [LBIO_URDF_LOSS_DRIVE] =
            ("URDF has no dofs driven by a curve, by several others or by one that it cannot name; left to "
             "move by itself"),
        [LBIO_URDF_LOSS_LOOP] = "URDF has no loops; the joint that closes one is left out, with a comment in the file",
        [LBIO_URDF_LOSS_ROWS] = "URDF has no limits over several dofs; left out",
        [LBIO_URDF_LOSS_BOUND] = "URDF wants both bounds; 1000 (m or rad) is written for what is missing",
        [LBIO_URDF_LOSS_REST] = "URDF has no rest values and no rigidity; left out",
        [LBIO_URDF_LOSS_SHAPE] =
            "URDF has no tapered capsules and no ellipsoids; written as cylinder and spheres, or box",
        [LBIO_URDF_LOSS_HULL] = "meshes and hulls around them are kept in memory alone; left out",
        [LBIO_URDF_LOSS_NAME] = "taken, or with characters that XML cannot hold; renamed",
    };
    lb_load_options told;
    lb_error unused;
    lb_load_options_defaults(&told);
    told.warn = options->warn;
    told.warn_context = options->warn_context;
    lbio_source source = {.name = "", .text = "", .options = &told, .error = &unused};
    for (int i = 0; i < LBIO_URDF_LOSS_COUNT; ++i) {
        if (out->losses[i].count == 1) {
            lbio_warn(&source, 0, "\"%s\": %s", out->losses[i].first, texts[i]);
        } else if (out->losses[i].count > 1) {
            lbio_warn(&source, 0, "\"%s\" and %d more: %s", out->losses[i].first, out->losses[i].count - 1, texts[i]);
        }
    }
}

lb_status lbio_write_urdf(const lb_figure *figure, const lb_save_options *options, lbio_text *text, lb_error *error) {
    lbio_urdf_out out = {.figure = figure, .text = text};
    make_room(&out);
    make_plan(&out);
    if (!out.failed) {
        for (int i = 0; i < lb_figure_limit_count(figure); ++i) {
            const char *name = lb_figure_limit(figure, i)->name;
            lbio_urdf_lose(&out, LBIO_URDF_LOSS_ROWS, name ? name : "limit");
        }
        lbio_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot name=\"");
        lbio_urdf_write_escaped(text, lb_figure_name(figure));
        lbio_text_add(text,
                      "\">\n  <!-- Written by Limber. Effort and inertia are not known to it: placeholders. -->\n");
        write_root(&out);
        write_tree(&out);
        write_parameters(&out);
        write_sites(&out);
        write_loops(&out);
        lbio_text_add(text, "</robot>\n");
    }
    int failed = out.failed || text->failed;
    if (!failed) {
        tell_losses(&out, options);
    }
    free_room(&out);
    return failed ? lbio_error(error, LB_ERROR_MEMORY, "", 0, "out of memory") : LB_OK;
}
