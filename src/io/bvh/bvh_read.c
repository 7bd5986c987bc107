/* BVH skeletons: the HIERARCHY of a BVH file, word by word, and what follows from its first frame. */
#include "io/bvh/bvh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const lbio_bvh_channel_names[LBIO_BVH_CHANNELS] = {"Xposition", "Yposition", "Zposition",
                                                               "Xrotation", "Yrotation", "Zrotation"};
const char *const lbio_bvh_dof_names[LBIO_BVH_CHANNELS] = {"tx", "ty", "tz", "rx", "ry", "rz"};
const double lbio_bvh_to_world[4] = {0.5, 0.5, 0.5, 0.5};
const double lbio_bvh_from_z_up[4] = {0, 0, 0.70710678118654752, 0.70710678118654752};

/* ---------------------------------------------------------------------------------------------------
 * Words
 * ------------------------------------------------------------------------------------------------- */

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

/* Past one character, counting lines: LF, CR LF, or the CR alone of old Macs. */
static void step(lbio_bvh_scanner *scanner) {
    char c = *scanner->at++;
    if (c == '\n' || (c == '\r' && (scanner->at == scanner->end || *scanner->at != '\n'))) {
        scanner->line++;
    }
}

lbio_bvh_word lbio_bvh_next(lbio_bvh_scanner *scanner) {
    while (scanner->at < scanner->end && is_blank(*scanner->at)) {
        step(scanner);
    }
    lbio_bvh_word word = {scanner->at, 0, scanner->line};
    while (scanner->at < scanner->end && !is_blank(*scanner->at)) {
        int is_brace = *scanner->at == '{' || *scanner->at == '}';
        if (is_brace && word.length > 0) {
            break;
        }
        scanner->at++;
        word.length++;
        if (is_brace) {
            break;
        }
    }
    return word;
}

/* The rest of the line, without blanks around it, up to a brace: names may hold blanks. */
static lbio_bvh_word rest_of_line(lbio_bvh_scanner *scanner) {
    while (scanner->at < scanner->end && (*scanner->at == ' ' || *scanner->at == '\t')) {
        scanner->at++;
    }
    lbio_bvh_word word = {scanner->at, 0, scanner->line};
    while (scanner->at < scanner->end && *scanner->at != '\n' && *scanner->at != '\r' && *scanner->at != '{' &&
           *scanner->at != '}') {
        scanner->at++;
        word.length++;
    }
    while (word.length > 0 && is_blank(word.text[word.length - 1])) {
        word.length--;
    }
    return word;
}

int lbio_bvh_is(const lbio_bvh_word *word, const char *text) {
    int i = 0;
    for (; i < word->length && text[i]; i++) {
        char a = word->text[i], b = text[i];
        a = a >= 'A' && a <= 'Z' ? (char)(a - 'A' + 'a') : a;
        b = b >= 'A' && b <= 'Z' ? (char)(b - 'A' + 'a') : b;
        if (a != b) {
            return 0;
        }
    }
    return i == word->length && text[i] == 0;
}

lb_status lbio_bvh_number(const lbio_bvh_scanner *scanner, const lbio_bvh_word *word, const char *what, double *value) {
    const char *end = word->text + word->length;
    if (word->length > 0 && lbio_number(word->text, end, value) == end) {
        return LB_OK;
    }
    if (word->length == 0) {
        return lbio_fail(scanner->source, LB_ERROR_SYNTAX, word->line, "the file ends too early; expected %s", what);
    }
    return lbio_fail(scanner->source, LB_ERROR_SYNTAX, word->line, "expected %s here, not \"%.*s\"", what,
                     word->length < 60 ? word->length : 60, word->text);
}

/* ---------------------------------------------------------------------------------------------------
 * The hierarchy
 * ------------------------------------------------------------------------------------------------- */

/* Where the reader is: in a joint (or none: -1), perhaps in an End Site of it. */
typedef struct place {
    lbio_bvh *bvh;
    lbio_bvh_scanner *scanner;
    int joint, depth;
    int in_end;
} place;

static lb_status unexpected(const place *p, const lbio_bvh_word *word, const char *wanted) {
    if (word->length == 0) {
        return lbio_fail(p->scanner->source, LB_ERROR_SYNTAX, word->line, "the file ends too early; expected %s",
                         wanted);
    }
    return lbio_fail(p->scanner->source, LB_ERROR_SYNTAX, word->line, "expected %s here, not \"%.*s\"", wanted,
                     word->length < 60 ? word->length : 60, word->text);
}

static lb_status no_memory(const place *p) {
    return lbio_fail(p->scanner->source, LB_ERROR_MEMORY, p->scanner->line, "out of memory");
}

static lb_status open_brace(const place *p) {
    lbio_bvh_word word = lbio_bvh_next(p->scanner);
    return lbio_bvh_is(&word, "{") ? LB_OK : unexpected(p, &word, "\"{\"");
}

/* A joint's name, made unique. */
static lb_status read_name(const place *p, lbio_bvh_joint *joint) {
    lbio_bvh *bvh = p->bvh;
    lbio_bvh_word word = rest_of_line(p->scanner);
    joint->line = word.line;
    size_t size = (size_t)word.length + 1;
    char *name = lbio_resize(bvh->allocator, NULL, 0, size);
    if (!name) {
        return no_memory(p);
    }
    memcpy(name, word.text, size - 1);
    name[size - 1] = 0;
    if (word.length == 0 || memchr(name, 0, size - 1)) {
        lbio_resize(bvh->allocator, name, size, 0);
        return lbio_fail(p->scanner->source, LB_ERROR_NAME, word.line,
                         "a name should follow ROOT or JOINT on its line");
    }
    int is_taken = lbio_names_find(&bvh->names, name) >= 0;
    joint->name = lbio_names_unique(&bvh->names, name, bvh->joint_count);
    if (joint->name && is_taken) {
        lbio_warn(p->scanner->source, word.line, "a second joint is named \"%s\"; it is called \"%s\" here", name,
                  joint->name);
    }
    lbio_resize(bvh->allocator, name, size, 0);
    return joint->name ? LB_OK : no_memory(p);
}

static lb_status begin_joint(place *p) {
    lbio_bvh *bvh = p->bvh;
    if (bvh->joint_count == LBIO_BVH_MAX_JOINTS || p->depth == LBIO_BVH_MAX_DEPTH) {
        return lbio_fail(p->scanner->source, LB_ERROR_TOO_LARGE, p->scanner->line,
                         "more than %d joints, or more than %d inside one another", LBIO_BVH_MAX_JOINTS,
                         LBIO_BVH_MAX_DEPTH);
    }
    lbio_bvh_joint *joints =
        lbio_grow(bvh->allocator, bvh->joints, &bvh->joint_capacity, bvh->joint_count, sizeof *joints);
    if (!joints) {
        return no_memory(p);
    }
    bvh->joints = joints;
    lbio_bvh_joint *joint = &joints[bvh->joint_count];
    memset(joint, 0, sizeof *joint);
    joint->parent = p->joint;
    lb_status status = read_name(p, joint);
    if (status != LB_OK) {
        return status;
    }
    p->joint = bvh->joint_count++;
    p->depth++;
    return open_brace(p);
}

static lb_status begin_end_site(place *p) {
    lbio_bvh *bvh = p->bvh;
    lbio_bvh_word word = lbio_bvh_next(p->scanner);
    if (!lbio_bvh_is(&word, "Site")) {
        return unexpected(p, &word, "\"Site\" after \"End\"");
    }
    rest_of_line(p->scanner); /* some programs write a name here */
    lbio_bvh_end *ends = lbio_grow(bvh->allocator, bvh->ends, &bvh->end_capacity, bvh->end_count, sizeof *ends);
    if (!ends) {
        return no_memory(p);
    }
    if (bvh->end_count == LBIO_BVH_MAX_JOINTS) {
        return lbio_fail(p->scanner->source, LB_ERROR_TOO_LARGE, word.line, "more than %d End Sites",
                         LBIO_BVH_MAX_JOINTS);
    }
    bvh->ends = ends;
    memset(&ends[bvh->end_count], 0, sizeof *ends);
    ends[bvh->end_count].joint = p->joint;
    ends[bvh->end_count].line = word.line;
    bvh->end_count++;
    p->in_end = 1;
    return open_brace(p);
}

static lb_status read_offset(const place *p, int line) {
    lbio_bvh_end *end = p->in_end ? &p->bvh->ends[p->bvh->end_count - 1] : NULL;
    lbio_bvh_joint *joint = &p->bvh->joints[p->joint];
    double *offset = end ? end->offset : joint->offset;
    int *has_offset = end ? &end->has_offset : &joint->has_offset;
    if (*has_offset) {
        return lbio_fail(p->scanner->source, LB_ERROR_SYNTAX, line, "a second OFFSET for the same joint; remove one");
    }
    *has_offset = 1;
    for (int i = 0; i < 3; i++) {
        lbio_bvh_word word = lbio_bvh_next(p->scanner);
        lb_status status = lbio_bvh_number(p->scanner, &word, "three numbers after OFFSET", &offset[i]);
        if (status != LB_OK) {
            return status;
        }
        if (!(fabs(offset[i] * fmax(p->scanner->source->options->unit, 0.01)) < 1e9)) {
            return lbio_fail(p->scanner->source, LB_ERROR_SYNTAX, word.line, "an OFFSET of %g is no length of a bone",
                             offset[i]);
        }
    }
    return LB_OK;
}

static int channel_of(const lbio_bvh_word *word) {
    for (int i = 0; i < LBIO_BVH_CHANNELS; i++) {
        if (lbio_bvh_is(word, lbio_bvh_channel_names[i])) {
            return i;
        }
    }
    return -1;
}

static lb_status check_channels(const place *p, const lbio_bvh_joint *joint, int line) {
    int positions[3] = {0, 0, 0}, rotations = 0;
    for (int i = 0; i < joint->channel_count; i++) {
        if (joint->channels[i] >= LBIO_BVH_X_ROTATION) {
            rotations++;
        } else if (positions[joint->channels[i]]++) {
            return lbio_fail(p->scanner->source, LB_ERROR_SYNTAX, line,
                             "joint \"%s\" has the channel %s twice; keep one", joint->name,
                             lbio_bvh_channel_names[joint->channels[i]]);
        }
    }
    if (rotations > 3) {
        return lbio_fail(p->scanner->source, LB_ERROR_SYNTAX, line,
                         "joint \"%s\" has %d rotations; three reach every "
                         "orientation",
                         joint->name, rotations);
    }
    return LB_OK;
}

static lb_status read_channels(const place *p, int line) {
    lbio_bvh_joint *joint = &p->bvh->joints[p->joint];
    lbio_bvh_word word = lbio_bvh_next(p->scanner);
    double count;
    lb_status status = lbio_bvh_number(p->scanner, &word, "a number of channels after CHANNELS", &count);
    if (status != LB_OK) {
        return status;
    }
    if (p->in_end || joint->channel_count) {
        return lbio_fail(p->scanner->source, LB_ERROR_SYNTAX, line,
                         p->in_end ? "an End Site has no CHANNELS; remove them"
                                   : "a second CHANNELS for the same joint");
    }
    if (!(count >= 0 && count <= LB_JOINT_MAX_DOFS && count == floor(count))) {
        return lbio_fail(p->scanner->source, LB_ERROR_SYNTAX, word.line, "a joint has 0 to 6 channels, not %.*s",
                         word.length < 60 ? word.length : 60, word.text);
    }
    for (int i = 0; i < (int)count; i++) {
        word = lbio_bvh_next(p->scanner);
        int channel = channel_of(&word);
        if (channel < 0) {
            return unexpected(p, &word, "a channel such as Xposition or Zrotation");
        }
        joint->channels[joint->channel_count++] = (lbio_bvh_channel)channel;
    }
    joint->first_value = p->bvh->value_count;
    p->bvh->value_count += joint->channel_count;
    return check_channels(p, joint, line);
}

static lb_status close_brace(place *p, int line) {
    const lbio_bvh_joint *joint = &p->bvh->joints[p->joint];
    int has_offset = p->in_end ? p->bvh->ends[p->bvh->end_count - 1].has_offset : joint->has_offset;
    if (!has_offset) {
        return lbio_fail(p->scanner->source, LB_ERROR_SYNTAX, line, "joint \"%s\"%s has no OFFSET; add one",
                         joint->name, p->in_end ? ", End Site," : "");
    }
    if (p->in_end) {
        p->in_end = 0;
    } else {
        p->joint = joint->parent;
        p->depth--;
    }
    return LB_OK;
}

/* One statement inside a joint or an End Site. */
static lb_status read_statement(place *p, const lbio_bvh_word *word) {
    if (lbio_bvh_is(word, "}")) {
        return close_brace(p, word->line);
    }
    if (lbio_bvh_is(word, "OFFSET")) {
        return read_offset(p, word->line);
    }
    if (lbio_bvh_is(word, "CHANNELS")) {
        return read_channels(p, word->line);
    }
    if (lbio_bvh_is(word, "JOINT") && !p->in_end) {
        return begin_joint(p);
    }
    if (lbio_bvh_is(word, "End") && !p->in_end) {
        return begin_end_site(p);
    }
    return unexpected(p, word, p->in_end ? "OFFSET or \"}\"" : "OFFSET, CHANNELS, JOINT, End Site or \"}\"");
}

/* Up to MOTION, or the end of the file. */
static lb_status read_hierarchy(lbio_bvh *bvh, lbio_bvh_scanner *scanner, int *has_motion) {
    place p = {bvh, scanner, -1, 0, 0};
    lbio_bvh_word word = lbio_bvh_next(scanner);
    if (!lbio_bvh_is(&word, "HIERARCHY")) {
        return unexpected(&p, &word, "HIERARCHY, with which a BVH file begins,");
    }
    for (;;) {
        word = lbio_bvh_next(scanner);
        lb_status status = LB_OK;
        if (p.joint >= 0) {
            status = read_statement(&p, &word);
        } else if (bvh->joint_count > 0 && (lbio_bvh_is(&word, "MOTION") || word.length == 0)) {
            *has_motion = word.length > 0;
            return LB_OK;
        } else {
            status = lbio_bvh_is(&word, "ROOT") ? begin_joint(&p)
                                                : unexpected(&p, &word, bvh->joint_count ? "ROOT or MOTION" : "ROOT");
        }
        if (status != LB_OK) {
            return status;
        }
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Position channels: with OFFSET, or beside it?
 * ------------------------------------------------------------------------------------------------- */

/* Programs differ. Some write into position channels where a joint is, so that they repeat or replace OFFSET; some
 * write what is to be added to OFFSET. For roots the first is the rule. For the other joints of a file the first
 * frame tells: bones hardly change their length, so its values are near the OFFSETs or near 0. */
int lbio_bvh_is_absolute(const lbio_bvh_evidence *evidence) { return evidence->from_offset < evidence->from_zero; }

static void judge_positions(lbio_bvh *bvh) {
    lbio_bvh_evidence evidence = {0, 0};
    for (int i = 0; i < bvh->joint_count; i++) {
        const lbio_bvh_joint *joint = &bvh->joints[i];
        for (int c = 0; c < joint->channel_count && joint->parent >= 0; c++) {
            if (joint->channels[c] < LBIO_BVH_X_ROTATION) {
                double value = bvh->first[joint->first_value + c];
                evidence.from_offset += fabs(value - joint->offset[joint->channels[c]]);
                evidence.from_zero += fabs(value);
            }
        }
    }
    bvh->is_absolute = lbio_bvh_is_absolute(&evidence);
}

lb_status lbio_read_bvh(const lbio_source *source, lb_figure **figure, lb_clip **clip) {
    lbio_bvh bvh;
    memset(&bvh, 0, sizeof bvh);
    bvh.allocator = bvh.names.allocator = source->options->allocator;
    bvh.keeps_motion = clip != NULL;
    lbio_bvh_scanner scanner = {source, source->text, source->text + source->size, 1};
    if (source->size >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0) {
        scanner.at += 3;
    }
    int has_motion = 0;
    lb_status status = read_hierarchy(&bvh, &scanner, &has_motion);
    size_t size = 0;
    if (status == LB_OK) {
        size = (size_t)(bvh.value_count + 1) * sizeof *bvh.first;
        bvh.first = lbio_resize(bvh.allocator, NULL, 0, size);
        status = bvh.first ? LB_OK : lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    if (status == LB_OK) {
        memset(bvh.first, 0, size);
        if (has_motion) {
            status = lbio_bvh_read_motion(&bvh, &scanner);
        } else {
            lbio_warn(source, scanner.line, "there is no MOTION; the skeleton is read without");
        }
    }
    if (status == LB_OK) {
        judge_positions(&bvh);
        status = lbio_bvh_build(source, &bvh, figure);
    }
    if (status == LB_OK && clip && bvh.frame_count > 0) {
        status = lbio_bvh_make_clip(source, &bvh, *figure, clip);
    }
    if (bvh.values) {
        lbio_resize(bvh.allocator, bvh.values, bvh.kept_capacity * sizeof *bvh.values, 0);
    }
    lbio_release(bvh.allocator, bvh.joints, bvh.joint_capacity, sizeof *bvh.joints);
    lbio_release(bvh.allocator, bvh.ends, bvh.end_capacity, sizeof *bvh.ends);
    if (bvh.first) {
        lbio_resize(bvh.allocator, bvh.first, size, 0);
    }
    lbio_names_free(&bvh.names);
    return status;
}
