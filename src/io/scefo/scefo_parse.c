/* SCEFO's statements, into objects with their change operations. */
#include "io/scefo/scefo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Objects --------------------------------------------------------------------------------------- */

int lbio_scefo_find(const lbio_scefo *s, const char *name) {
    for (int i = s->object_count - 1; i >= 0; i--) {
        if (strcmp(s->objects[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

void lbio_scefo_suggest(const lbio_scefo *s, const char *name, int class_, char *text, size_t size) {
    const char **names = malloc(((size_t)s->object_count + 1) * sizeof *names);
    int count = 0;
    text[0] = 0;
    for (int i = 0; names && i < s->object_count; i++) {
        if (!s->objects[i].is_class && (class_ < 0 || (int)s->objects[i].class_ == class_)) {
            names[count++] = s->objects[i].name;
        }
    }
    const char *near_name = names ? lbio_nearest(name, names, count) : NULL;
    if (near_name) {
        snprintf(text, size, "; did you mean \"%s\"?", near_name);
    }
    free(names);
}

static lbio_scefo_object *add_object(lbio_scefo *s, const char *name, int line, lbio_scefo_class class_) {
    if (s->object_count >= LBIO_SCEFO_MAX_OBJECTS) {
        lbio_scefo_fail(s, s->file, line, "more than %d objects", LBIO_SCEFO_MAX_OBJECTS);
        return NULL;
    }
    if (s->object_count == s->object_capacity) {
        int wanted = s->object_capacity ? 2 * s->object_capacity : 32;
        lbio_scefo_object *grown = realloc(s->objects, (size_t)wanted * sizeof *grown);
        if (!grown) {
            s->status = lbio_fail(s->source, LB_ERROR_MEMORY, line, "out of memory");
            return NULL;
        }
        s->objects = grown;
        s->object_capacity = wanted;
    }
    lbio_scefo_object *object = &s->objects[s->object_count++];
    *object = (lbio_scefo_object){.name = name, .line = line, .file = s->file, .class_ = class_};
    return object;
}

int lbio_scefo_add_object(lbio_scefo *s, const char *name, int line, lbio_scefo_class class_) {
    return add_object(s, name, line, class_) ? s->object_count - 1 : -1;
}

static const struct {
    const char *name;
    lbio_scefo_class class_;
} classes[] = {{"cube", SCEFO_CUBE},   {"sphere", SCEFO_SPHERE}, {"cylinder", SCEFO_CYLINDER},
               {"point", SCEFO_POINT}, {"joint", SCEFO_JOINT},   {"linkage", SCEFO_LINKAGE}};

#define CLASS_COUNT (int)(sizeof classes / sizeof *classes)

static int find_class(const char *name) {
    for (int i = 0; i < CLASS_COUNT; i++) {
        if (strcmp(name, classes[i].name) == 0) {
            return i;
        }
    }
    return -1;
}

void lbio_scefo_add_op(lbio_scefo *s, lbio_scefo_object *object, const lbio_scefo_op *op, int is_of_group) {
    if (s->op_count++ > LBIO_SCEFO_MAX_COPIES) {
        lbio_scefo_fail(s, op->file, op->line,
                        "more than %d change operations, with all that templates and groups copy",
                        LBIO_SCEFO_MAX_COPIES);
        return;
    }
    lbio_scefo_op *copy = lbio_scefo_take(s, sizeof *copy);
    if (!copy) {
        return;
    }
    *copy = *op;
    copy->next = NULL;
    copy->is_of_group |= is_of_group;
    if (object->last_op) {
        object->last_op->next = copy;
    } else {
        object->ops = copy;
    }
    object->last_op = copy;
}

/* A group's operation is that of each of its members. */
static void apply(lbio_scefo *s, int index, const lbio_scefo_op *op, int depth) {
    lbio_scefo_object *object = &s->objects[index];
    if (depth > LBIO_SCEFO_MAX_DEPTH) {
        lbio_scefo_fail(s, op->file, op->line, "groups more than %d deep", LBIO_SCEFO_MAX_DEPTH);
        return;
    }
    if (object->class_ != SCEFO_GROUP) {
        lbio_scefo_add_op(s, object, op, depth > 0);
        return;
    }
    if (op->kind == SCEFO_SET_FIELD) {
        lbio_scefo_fail(s, op->file, op->line, "a group has no fields; set those of its members");
        return;
    }
    for (int i = 0; i < object->member_count && !s->status; i++) {
        apply(s, object->members[i], op, depth + 1);
    }
}

/* --- Words ----------------------------------------------------------------------------------------- */

static void describe(const lbio_scefo_word *word, char *text, size_t size) {
    switch (word->kind) {
    case SCEFO_END:
        snprintf(text, size, "the end of the file");
        break;
    case SCEFO_MARK:
        snprintf(text, size, "`%c`", word->mark);
        break;
    case SCEFO_VALUE:
        snprintf(text, size, "%g", word->number);
        break;
    default:
        snprintf(text, size, "\"%.60s\"", word->text);
        break;
    }
}

static int take_mark(lbio_scefo *s, char mark, const char *where) {
    lbio_scefo_word word = lbio_scefo_next(s);
    char found[80];
    if (word.kind == SCEFO_MARK && word.mark == mark) {
        return 1;
    }
    describe(&word, found, sizeof found);
    lbio_scefo_fail(s, s->file, word.line, "expected `%c` %s, not %s", mark, where, found);
    return 0;
}

static int next_is(lbio_scefo *s, char mark) {
    lbio_scefo_word word = lbio_scefo_peek(s);
    return word.kind == SCEFO_MARK && word.mark == mark;
}

static lbio_scefo_word take_name(lbio_scefo *s, const char *what) {
    lbio_scefo_word word = lbio_scefo_next(s);
    char found[80];
    if (word.kind != SCEFO_WORD && word.kind != SCEFO_TEXT) {
        describe(&word, found, sizeof found);
        lbio_scefo_fail(s, s->file, word.line, "expected %s, not %s", what, found);
    }
    return word;
}

/* --- Values and control points ----------------------------------------------------------------------- */

static lbio_scefo_value *read_value(lbio_scefo *s, int depth) {
    lbio_scefo_word word = lbio_scefo_next(s);
    lbio_scefo_value *value = lbio_scefo_take(s, sizeof *value);
    char found[80];
    if (!value || s->status) {
        return NULL;
    }
    value->line = word.line;
    value->file = s->file;
    value->text = word.text;
    value->number = word.number;
    if (word.kind == SCEFO_VALUE) {
        value->kind = SCEFO_NUMBER;
    } else if (word.kind == SCEFO_TEXT) {
        value->kind = SCEFO_STRING;
    } else if (word.kind == SCEFO_WORD) {
        value->kind = SCEFO_NAME;
        if (next_is(s, ':')) {
            lbio_scefo_next(s);
            value->kind = SCEFO_FIELD;
            value->field = take_name(s, "a field, as in ball:_position").text;
        }
    } else if (word.kind == SCEFO_MARK && word.mark == '{') {
        value->kind = SCEFO_LIST;
        if (depth > LBIO_SCEFO_MAX_DEPTH) {
            lbio_scefo_fail(s, s->file, word.line, "braces more than %d deep", LBIO_SCEFO_MAX_DEPTH);
            return NULL;
        }
        lbio_scefo_value **end = &value->first;
        while (!s->status && !next_is(s, '}')) {
            *end = read_value(s, depth + 1);
            value->count++;
            if (!*end) {
                return NULL;
            }
            end = &(*end)->next;
            if (!next_is(s, ',')) {
                break;
            }
            lbio_scefo_next(s);
        }
        take_mark(s, '}', "or `,` in this list");
    } else {
        describe(&word, found, sizeof found);
        lbio_scefo_fail(s, s->file, word.line, "expected a number, a name, a text or a list in braces, not %s", found);
    }
    return s->status ? NULL : value;
}

static int read_interpolation(lbio_scefo *s, lb_interpolation *interpolation) {
    static const struct {
        const char *name;
        lb_interpolation value;
    } ways[] = {{"linear", LB_INTERPOLATION_LINEAR},
                {"spline", LB_INTERPOLATION_CATMULL_ROM},
                {"cubic", LB_INTERPOLATION_CUBIC},
                {"discrete", LB_INTERPOLATION_STEP}};
    static const char *const names[] = {"linear", "spline", "cubic", "discrete"};
    lbio_scefo_word word = take_name(s, "linear, spline, cubic or discrete");
    for (int i = 0; i < 4 && !s->status; i++) {
        if (strcmp(word.text, names[i]) == 0) {
            *interpolation = ways[i].value;
            return 1;
        }
    }
    const char *near_name = lbio_nearest(word.text, names, 4);
    lbio_scefo_fail(s, s->file, word.line,
                    near_name ? "there is no interpolation \"%.60s\"; did you mean \"%s\"?"
                              : "there is no interpolation \"%.60s\"%s",
                    word.text, near_name ? near_name : ": linear, spline, cubic or discrete");
    return 0;
}

/* <time, value> or <time, value, interpolation>; times go up. */
static lbio_scefo_point *read_point(lbio_scefo *s, const lbio_scefo_point *before) {
    lbio_scefo_point *point = lbio_scefo_take(s, sizeof *point);
    if (!point || !take_mark(s, '<', "before a control point, as in <0, {1, 0, 0}>")) {
        return NULL;
    }
    lbio_scefo_word time = lbio_scefo_next(s);
    if (time.kind != SCEFO_VALUE || !(time.number >= 0 && time.number <= 1e6)) {
        lbio_scefo_fail(s, s->file, time.line, "a control point begins with its time, 0 to a million seconds");
        return NULL;
    }
    if (before && !(time.number > before->time)) {
        lbio_scefo_fail(s, s->file, time.line, "control points come in order: %g is not after %g", time.number,
                        before->time);
        return NULL;
    }
    point->time = time.number;
    point->interpolation = LB_INTERPOLATION_LINEAR;
    if (!take_mark(s, ',', "after the time") || !(point->value = read_value(s, 0))) {
        return NULL;
    }
    if (next_is(s, ',')) {
        lbio_scefo_next(s);
        if (!read_interpolation(s, &point->interpolation)) {
            return NULL;
        }
    }
    return take_mark(s, '>', "after a control point") ? point : NULL;
}

static int read_op(lbio_scefo *s, lbio_scefo_op *op) {
    static const char *const names[] = {"rotate", "translate", "scale", "set_field"};
    lbio_scefo_word word = take_name(s, "rotate, translate, scale or set_field");
    memset(op, 0, sizeof *op);
    op->line = word.line;
    op->file = s->file;
    int kind = 0;
    while (kind < 4 && strcmp(word.text, names[kind]) != 0) {
        kind++;
    }
    if (s->status) {
        return 0;
    }
    if (kind == 4) {
        const char *near_name = lbio_nearest(word.text, names, 4);
        lbio_scefo_fail(s, s->file, word.line, "there is no change operation \"%.60s\"%s%s%s", word.text,
                        near_name ? "; did you mean \"" : ": rotate, translate, scale or set_field",
                        near_name ? near_name : "", near_name ? "\"?" : "");
        return 0;
    }
    op->kind = (lbio_scefo_op_kind)kind;
    lbio_scefo_point **end = &op->points, *before = NULL;
    do {
        before = *end = read_point(s, before);
        if (!before) {
            return 0;
        }
        end = &before->next;
    } while (next_is(s, '<'));
    for (const lbio_scefo_point *p = op->points; p && op->kind == SCEFO_SET_FIELD; p = p->next) {
        const lbio_scefo_value *name = p->value->kind == SCEFO_LIST ? p->value->first : NULL;
        if (!name || name->kind != SCEFO_STRING || !name->next) {
            lbio_scefo_fail(s, s->file, p->value->line, "a field is set as {\"name\", value}");
            return 0;
        }
        if (op->field && strcmp(op->field, name->text) != 0) {
            lbio_scefo_fail(s, s->file, name->line, "one set_field sets one field: \"%.60s\" here, \"%.60s\" before",
                            name->text, op->field);
            return 0;
        }
        op->field = name->text;
    }
    return 1;
}

/* --- Statements -------------------------------------------------------------------------------------- */

/* (name) after a keyword; the word is what stands in the parentheses. */
static lbio_scefo_word read_subject(lbio_scefo *s) {
    lbio_scefo_word none = {SCEFO_END, "", 0, 0, s->line};
    if (!take_mark(s, '(', "here")) {
        return none;
    }
    lbio_scefo_word word = take_name(s, "a name");
    return take_mark(s, ')', "after the name") ? word : none;
}

static int known(lbio_scefo *s, const lbio_scefo_word *word) {
    int index = s->status ? -1 : lbio_scefo_find(s, word->text);
    if (index < 0) {
        char hint[160];
        lbio_scefo_suggest(s, word->text, -1, hint, sizeof hint);
        lbio_scefo_fail(s, s->file, word->line, "there is no object \"%.60s\"%s", word->text,
                        hint[0] ? hint : "; make it with template first");
    }
    return index;
}

static void read_read(lbio_scefo *s) {
    lbio_scefo_word file = read_subject(s), name = take_name(s, "a name for what is read");
    if (s->status || find_class(name.text) >= 0) {
        return;
    }
    lbio_scefo_warn(s, s->file, file.line, "the shape in \"%.60s\" is not read; a cube stands for \"%.60s\"", file.text,
                    name.text);
    lbio_scefo_object *object = add_object(s, name.text, name.line, SCEFO_CUBE);
    if (object) {
        object->is_class = 1;
    }
}

static void read_template(lbio_scefo *s) {
    lbio_scefo_word name = read_subject(s), of = take_name(s, "what it is made like: a class, or another object");
    if (s->status) {
        return;
    }
    int class_ = find_class(of.text), model = lbio_scefo_find(s, of.text);
    if (lbio_scefo_find(s, name.text) >= 0 || find_class(name.text) >= 0) {
        lbio_scefo_fail(s, s->file, name.line, "there is an object \"%.60s\" already; give this one another name",
                        name.text);
    } else if (class_ < 0 && model < 0) {
        char hint[160];
        const char *names[CLASS_COUNT], *near_name;
        for (int i = 0; i < CLASS_COUNT; i++) {
            names[i] = classes[i].name;
        }
        near_name = lbio_nearest(of.text, names, CLASS_COUNT);
        lbio_scefo_suggest(s, of.text, -1, hint, sizeof hint);
        if (near_name) {
            snprintf(hint, sizeof hint, "; did you mean \"%s\"?", near_name);
        }
        lbio_scefo_fail(s, s->file, of.line, "there is nothing called \"%.60s\" to make it like%s", of.text,
                        hint[0] ? hint : ": cube, sphere, cylinder, point, joint, linkage, or an object of the script");
    } else if (model >= 0 && s->objects[model].class_ == SCEFO_GROUP) {
        lbio_scefo_fail(s, s->file, of.line, "\"%.60s\" is a group; templates are of single objects", of.text);
    } else {
        lbio_scefo_class kind = model >= 0 ? s->objects[model].class_ : classes[class_].class_;
        const lbio_scefo_op *ops = model >= 0 ? s->objects[model].ops : NULL;
        if (model >= 0) {
            s->objects[model].is_pattern = 1;
        }
        lbio_scefo_object *object = add_object(s, name.text, name.line, kind);
        for (; object && ops && !s->status; ops = ops->next) {
            lbio_scefo_add_op(s, object, ops, 0);
        }
    }
}

static void read_change(lbio_scefo *s) {
    lbio_scefo_word name = read_subject(s);
    int index = known(s, &name);
    while (index >= 0 && !s->status) {
        lbio_scefo_op op;
        if (!read_op(s, &op)) {
            return;
        }
        apply(s, index, &op, 0);
        if (next_is(s, ',')) {
            lbio_scefo_next(s);
        } else if (next_is(s, ';')) {
            return;
        }
    }
}

static void read_group(lbio_scefo *s) {
    lbio_scefo_word name = read_subject(s);
    int count = 0, room = 8, *members = lbio_scefo_take(s, sizeof *members * 8);
    if (s->status) {
        return;
    }
    if (lbio_scefo_find(s, name.text) >= 0) {
        lbio_scefo_fail(s, s->file, name.line, "there is an object \"%.60s\" already; give the group another name",
                        name.text);
        return;
    }
    for (;;) {
        lbio_scefo_word member = take_name(s, "a member");
        int index = known(s, &member);
        if (index < 0) {
            return;
        }
        if (count == room) {
            int *grown = lbio_scefo_take(s, sizeof *grown * 2 * (size_t)room);
            if (!grown) {
                return;
            }
            memcpy(grown, members, sizeof *grown * (size_t)room);
            members = grown;
            room *= 2;
        }
        members[count++] = index;
        if (!next_is(s, ',')) {
            break;
        }
        lbio_scefo_next(s);
    }
    lbio_scefo_object *group = add_object(s, name.text, name.line, SCEFO_GROUP);
    if (group) {
        group->members = members;
        group->member_count = count;
    }
}

static void read_statements(lbio_scefo *s);

/* The file's name after #include, between angles or quotes; 0 where there is none, or it may not be included. */
static int read_include_name(lbio_scefo *s, int line, char *name, size_t size) {
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t')) {
        s->at++;
    }
    char close = s->at < s->end && *s->at == '<' ? '>' : '"';
    const char *start = s->at < s->end ? s->at + 1 : s->at, *end = start;
    while (end < s->end && *end != close && *end != '\n') {
        end++;
    }
    if (s->status || s->at >= s->end || (*s->at != '<' && *s->at != '"') || end >= s->end || *end != close ||
        (size_t)(end - start) >= size || end == start) {
        lbio_scefo_fail(s, s->file, line, "write it as #include <file.scefo>");
        return 0;
    }
    memcpy(name, start, (size_t)(end - start));
    name[end - start] = 0;
    s->at = end + 1;
    return 1;
}

/* Reads a text as if it stood in the script at this place. */
static void read_included(lbio_scefo *s, const char *path, const char *text, size_t size) {
    char *kept = lbio_scefo_take(s, size + 1), *kept_name = lbio_scefo_take(s, strlen(path) + 1);
    if (!kept || !kept_name) {
        return;
    }
    memcpy(kept, text, size);
    strcpy(kept_name, path);
    lbio_scefo outer = *s;
    s->file = kept_name;
    s->at = kept;
    s->end = kept + size;
    s->line = 1;
    s->depth++;
    read_statements(s);
    s->file = outer.file;
    s->at = outer.at;
    s->end = outer.end;
    s->line = outer.line;
    s->depth--;
}

/* #include <file> or "file", from the script's folder; what joints.scefo has (names of joint types) is built in. */
static void read_include(lbio_scefo *s, int line) {
    char name[256] = "";
    lbio_scefo_word keyword = take_name(s, "include");
    if (!s->status && strcmp(keyword.text, "include") != 0) {
        lbio_scefo_fail(s, s->file, line, "there is no #%.60s; did you mean #include?", keyword.text);
    }
    if (!read_include_name(s, line, name, sizeof name)) {
        return;
    }
    if (s->depth >= LBIO_SCEFO_MAX_DEPTH) {
        lbio_scefo_fail(s, s->file, line, "files include each other more than %d deep", LBIO_SCEFO_MAX_DEPTH);
        return;
    }
    if (name[0] == '/' || strstr(name, "..")) {
        lbio_scefo_fail(s, s->file, line, "only files below the script's own folder can be included, not \"%s\"", name);
        return;
    }
    char *text = NULL, path[4096];
    size_t size = 0;
    lb_error reason = {.message = "cannot be read: the script has no folder"};
    snprintf(path, sizeof path, "%s/%s", s->folder ? s->folder : ".", name);
    if (!s->folder || lbio_read_reference(path, s->source->options->max_bytes, &text, &size, &reason)) {
        if (strcmp(name, "joints.scefo") != 0) {
            lbio_scefo_fail(s, s->file, line, "\"%s\", in the script's folder, %s", name, reason.message);
        }
        return;
    }
    read_included(s, path, text, size);
    free(text);
}

static void read_statements(lbio_scefo *s) {
    static const char *const names[] = {"read", "template", "change", "group"};
    static void (*const readers[])(lbio_scefo *) = {read_read, read_template, read_change, read_group};
    for (;;) {
        lbio_scefo_word word = lbio_scefo_next(s);
        char found[80];
        if (s->status || word.kind == SCEFO_END) {
            return;
        }
        if (word.kind == SCEFO_MARK && word.mark == '#') {
            read_include(s, word.line);
            continue;
        }
        int kind = 0;
        while (kind < 4 && !(word.kind == SCEFO_WORD && strcmp(word.text, names[kind]) == 0)) {
            kind++;
        }
        if (kind == 4) {
            const char *near_name = word.kind == SCEFO_WORD ? lbio_nearest(word.text, names, 4) : NULL;
            describe(&word, found, sizeof found);
            lbio_scefo_fail(s, s->file, word.line,
                            "a statement begins with read, template, change or group, not %s%s%s%s", found,
                            near_name ? "; did you mean " : "", near_name ? near_name : "", near_name ? "?" : "");
            return;
        }
        readers[kind](s);
        if (!s->status) {
            take_mark(s, ';', "at the end of a statement");
        }
        if (s->status) {
            return;
        }
    }
}

lb_status lbio_scefo_parse(lbio_scefo *s) {
    s->file = s->source->name;
    s->at = s->source->text;
    s->end = s->at + s->source->size;
    s->line = 1;
    if (s->source->size >= 3 && memcmp(s->at, "\xEF\xBB\xBF", 3) == 0) {
        s->at += 3;
    }
    read_statements(s);
    return s->status;
}
