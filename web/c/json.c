/* The values of jansson.h: looking into trees that the page has read, making the few that writers need, writing. */
#include "io/text.h"
#include "jansson.h"
#include "web.h"

#include <stdlib.h>
#include <string.h>

/* web/json.js writes this layout. */
_Static_assert(sizeof(json_t) == 32 && offsetof(json_t, number) == 8 && offsetof(json_t, integer) == 16 &&
                   offsetof(json_t, count) == 24 && offsetof(json_t, text) == 28 && sizeof(json_member) == 8 &&
                   offsetof(json_error_t, text) == 8,
               "the layout that web/json.js writes");

json_t *json_loadb(const char *text, size_t size, size_t flags, json_error_t *error) {
    json_error_t ignored;
    return lbw_json_parse(text, size, flags, error ? error : &ignored);
}

json_t *json_object_get(const json_t *object, const char *key) {
    for (size_t i = 0; json_is_object(object) && i < object->count; i++) {
        if (strcmp(object->members[i].key, key) == 0) {
            return object->members[i].value;
        }
    }
    return NULL;
}

json_t *json_array_get(const json_t *array, size_t index) {
    return index < json_array_size(array) ? array->items[index] : NULL;
}

/* --- Values of our own ------------------------------------------------------------------------------------------- */

static char *copy_text(const char *text, size_t size) {
    char *copy = malloc(size + 1);
    if (copy) {
        memcpy(copy, text, size);
        copy[size] = 0;
    }
    return copy;
}

static json_t *new_value(json_type type) {
    json_t *value = calloc(1, sizeof *value);
    if (value) {
        value->type = type;
        value->references = 1;
    }
    return value;
}

json_t *json_object(void) { return new_value(JSON_OBJECT); }

json_t *json_string(const char *text) { return text ? json_stringn(text, strlen(text)) : NULL; }

json_t *json_stringn(const char *text, size_t size) {
    json_t *value = text ? new_value(JSON_STRING) : NULL;
    if (value) {
        value->count = size;
        value->text = copy_text(text, size);
        if (!value->text) {
            free(value);
            value = NULL;
        }
    }
    return value;
}

/* Only objects of our own are written to: their members are keys and values of our own, or values of a tree that was
 * read, which stays longer. */
int json_object_set_new(json_t *object, const char *key, json_t *value) {
    char *copy = object && value ? copy_text(key, strlen(key)) : NULL;
    json_member *members = copy ? realloc(object->members, (object->count + 1) * sizeof *members) : NULL;
    if (!members) {
        free(copy);
        json_decref(value);
        return -1;
    }
    object->members = members;
    for (size_t i = 0; i < object->count; i++) {
        if (strcmp(members[i].key, key) == 0) {
            json_decref(members[i].value);
            members[i].value = value;
            free(copy);
            return 0;
        }
    }
    members[object->count++] = (json_member){copy, value};
    return 0;
}

int json_object_del(json_t *object, const char *key) {
    for (size_t i = 0; object && i < object->count; i++) {
        if (strcmp(object->members[i].key, key) == 0) {
            free((char *)object->members[i].key);
            json_decref(object->members[i].value);
            object->count--;
            memmove(&object->members[i], &object->members[i + 1], (object->count - i) * sizeof *object->members);
            return 0;
        }
    }
    return -1;
}

static json_t *share(json_t *value) {
    value->references += value->references > 0;
    return value;
}

json_t *json_pack(const char *format, const char *key, const json_t *value) {
    (void)format;
    json_t *object = new_value(JSON_OBJECT);
    if (object && json_object_set_new(object, key, share((json_t *)value))) {
        json_decref(object);
        object = NULL;
    }
    return object;
}

json_t *json_copy(json_t *value) {
    json_t *copy = json_is_object(value) ? new_value(JSON_OBJECT) : NULL;
    for (size_t i = 0; copy && i < value->count; i++) {
        if (json_object_set_new(copy, value->members[i].key, share(value->members[i].value))) {
            json_decref(copy);
            copy = NULL;
        }
    }
    return copy;
}

/* The page marks the root of what it has read: its block goes at once. */
#define ROOT_OF_BLOCK 0x40000000

void json_decref(json_t *value) {
    if (!value || value->references < 0) {
        return;
    }
    if (value->references == ROOT_OF_BLOCK) {
        free(value);
    } else if (--value->references == 0) {
        if (value->type == JSON_STRING) {
            free((char *)value->text);
        }
        for (size_t i = 0; value->type == JSON_OBJECT && i < value->count; i++) {
            free((char *)value->members[i].key);
            json_decref(value->members[i].value);
        }
        if (value->type == JSON_OBJECT) {
            free(value->members);
        }
        free(value);
    }
}

/* --- Writing ----------------------------------------------------------------------------------------------------- */

static void write_string(lbio_text *out, const char *text, size_t size) {
    lbio_text_add(out, "\"");
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        const char *escapes = "\"\\\b\f\n\r\t", *letters = "\"\\bfnrt", *found = c ? strchr(escapes, c) : NULL;
        if (found) {
            lbio_text_bytes(out, "\\", 1);
            lbio_text_bytes(out, letters + (found - escapes), 1);
        } else if (c < 0x20) {
            lbio_text_format(out, "\\u%04x", c);
        } else {
            lbio_text_bytes(out, text + i, 1);
        }
    }
    lbio_text_add(out, "\"");
}

static void write_real(lbio_text *out, double value) {
    char number[32];
    lbio_print_number(value, number);
    lbio_text_add(out, number);
    lbio_text_add(out, strpbrk(number, ".e") ? "" : ".0");
}

static void write_value(lbio_text *out, const json_t *value, int is_compact) {
    const char *comma = is_compact ? "," : ", ";
    switch ((json_type)value->type) {
    case JSON_OBJECT:
        lbio_text_add(out, "{");
        for (size_t i = 0; i < value->count; i++) {
            const json_member *member = &value->members[i];
            lbio_text_add(out, i ? comma : "");
            write_string(out, member->key, strlen(member->key));
            lbio_text_add(out, is_compact ? ":" : ": ");
            write_value(out, member->value, is_compact);
        }
        lbio_text_add(out, "}");
        return;
    case JSON_ARRAY:
        lbio_text_add(out, "[");
        for (size_t i = 0; i < value->count; i++) {
            lbio_text_add(out, i ? comma : "");
            write_value(out, value->items[i], is_compact);
        }
        lbio_text_add(out, "]");
        return;
    case JSON_STRING:
        write_string(out, value->text, value->count);
        return;
    case JSON_INTEGER:
        lbio_text_format(out, "%lld", value->integer);
        return;
    case JSON_REAL:
        write_real(out, value->number);
        return;
    default:
        lbio_text_add(out, value->type == JSON_TRUE ? "true" : value->type == JSON_FALSE ? "false" : "null");
    }
}

char *json_dumps(const json_t *value, size_t flags) {
    lbio_text out = {0};
    write_value(&out, value, (flags & JSON_COMPACT) != 0);
    if (out.failed) {
        lbio_text_free(&out);
    }
    return out.data;
}
