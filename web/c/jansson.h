/* Stands in for jansson where JSON comes from a browser: what src/io uses of it, and no more. JSON text is read by the
 * page's own JSON.parse (web/json.js), which lays the whole tree into one block of this layout. */
#ifndef LIMBER_WEB_JANSSON_H
#define LIMBER_WEB_JANSSON_H

#include <stddef.h>

typedef enum json_type {
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_INTEGER,
    JSON_REAL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
} json_type;

struct json_t;
typedef long long json_int_t;

typedef struct json_member {
    const char *key;
    struct json_t *value;
} json_member;

/* A value. Those of a tree that was read lie in one block, which goes with its root: their reference counts are -1. */
typedef struct json_t {
    int type;
    int references;
    double number;      /* of integers too */
    json_int_t integer; /* of JSON_INTEGER */
    size_t count;       /* members of an object, items of an array, bytes of a string */
    union {
        const char *text;
        struct json_t **items;
        json_member *members;
    };
} json_t;

enum json_error_code {
    json_error_unknown,
    json_error_out_of_memory,
    json_error_invalid_syntax,
    json_error_duplicate_key
};

typedef struct json_error_t {
    int code, line;
    char text[160];
} json_error_t;

#define JSON_REJECT_DUPLICATES 1
#define JSON_DECODE_ANY 2
#define JSON_COMPACT 1
#define JSON_ENCODE_ANY 2
#define JSON_REAL_PRECISION(n) 0 /* reals are always written so that they read back */

json_t *json_loadb(const char *text, size_t size, size_t flags, json_error_t *error);
char *json_dumps(const json_t *value, size_t flags); /* to be freed with free(); NULL if there is no memory */
json_t *json_object(void);
json_t *json_string(const char *text);
json_t *json_stringn(const char *text, size_t size);
json_t *json_pack(const char *format, const char *key, const json_t *value); /* "{s:O}" alone */
json_t *json_copy(json_t *value);
int json_object_set_new(json_t *object, const char *key, json_t *value);
int json_object_del(json_t *object, const char *key);
json_t *json_object_get(const json_t *object, const char *key);
json_t *json_array_get(const json_t *array, size_t index);
void json_decref(json_t *value);

static inline enum json_error_code json_error_code(const json_error_t *e) { return (enum json_error_code)e->code; }
static inline int json_is(const json_t *value, json_type type) { return value && value->type == (int)type; }

#define json_typeof(value) ((value)->type)
#define json_is_object(value) json_is(value, JSON_OBJECT)
#define json_is_array(value) json_is(value, JSON_ARRAY)
#define json_is_string(value) json_is(value, JSON_STRING)
#define json_is_integer(value) json_is(value, JSON_INTEGER)
#define json_is_true(value) json_is(value, JSON_TRUE)
#define json_is_null(value) json_is(value, JSON_NULL)

static inline int json_is_number(const json_t *v) { return v && (v->type == JSON_INTEGER || v->type == JSON_REAL); }
static inline int json_is_boolean(const json_t *v) { return v && (v->type == JSON_TRUE || v->type == JSON_FALSE); }
static inline double json_number_value(const json_t *value) { return json_is_number(value) ? value->number : 0; }
static inline long long json_integer_value(const json_t *value) { return json_is_integer(value) ? value->integer : 0; }
static inline const char *json_string_value(const json_t *value) { return json_is_string(value) ? value->text : NULL; }
static inline size_t json_object_size(const json_t *value) { return json_is_object(value) ? value->count : 0; }
static inline size_t json_array_size(const json_t *value) { return json_is_array(value) ? value->count : 0; }

#define json_object_foreach(object, k, v)                                                                    \
    for (size_t lbw_at = 0; json_is_object(object) && lbw_at < (object)->count &&                            \
                            ((k) = (object)->members[lbw_at].key, (v) = (object)->members[lbw_at].value, 1); \
         lbw_at++)
#define json_array_foreach(array, index, v) \
    for ((index) = 0; (index) < json_array_size(array) && ((v) = (array)->items[index], 1); (index)++)

#endif
