/* Reading JSON by hand, key by key: values with units, and messages that say where in the file they are about. */
#include "io/problem/problem.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Where --------------------------------------------------------------------------------------- */

void lbio_enter(lbio_reader *r, const char *key) {
    if (r->depth < LBIO_PATH_MOST) {
        r->path[r->depth] = (lbio_step){key, -1};
    }
    r->depth++;
}

void lbio_enter_index(lbio_reader *r, int index) {
    if (r->depth < LBIO_PATH_MOST) {
        r->path[r->depth] = (lbio_step){NULL, index};
    }
    r->depth++;
}

void lbio_leave(lbio_reader *r) { r->depth--; }

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

/* Past a string; at is on its opening quote. The text is known to be well-formed, but never run past its end. */
static const char *skip_string(const char *at) {
    for (at++; *at && *at != '"'; at++) {
        at += *at == '\\' && at[1] ? 1 : 0;
    }
    return *at ? at + 1 : at;
}

static const char *skip_value(const char *at) {
    int depth = 0;
    for (at = skip_blanks(at); *at; at++) {
        if (*at == '"') {
            at = skip_string(at) - 1;
        } else if (*at == '{' || *at == '[') {
            depth++;
            continue;
        } else if (*at == '}' || *at == ']') {
            if (--depth < 0) {
                return at;
            }
        } else if (*at == ',' && depth == 0) {
            return at;
        } else {
            continue;
        }
        if (depth == 0) {
            return at + 1;
        }
    }
    return at;
}

/* Whether the string literal at `at` is this key (keys with escapes are not found: then the line is that of their
 * object). */
static int is_key(const char *at, const char *key) {
    size_t length = strlen(key);
    return strncmp(at + 1, key, length) == 0 && at[1 + length] == '"';
}

/* From a value to the member or element that the step names; NULL where it is not found. */
static const char *descend(const char *at, const lbio_step *step) {
    at = skip_blanks(at);
    if (*at != (step->key ? '{' : '[')) {
        return NULL;
    }
    at = skip_blanks(at + 1);
    for (int index = 0; *at && *at != '}' && *at != ']'; index++) {
        const char *begin = at;
        if (step->key) {
            at = skip_blanks(*at == '"' ? skip_string(at) : at);
            at = *at == ':' ? skip_blanks(at + 1) : at;
        }
        if (step->key ? *begin == '"' && is_key(begin, step->key) : index == step->index) {
            return at;
        }
        const char *end = skip_blanks(skip_value(at));
        at = skip_blanks(*end == ',' ? end + 1 : end);
        if (at == begin) {
            return NULL;
        }
    }
    return NULL;
}

static int line_of(const lbio_reader *r) {
    const char *at = skip_blanks(r->source->text);
    at += strncmp(at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (int k = 0; k < r->depth && k < LBIO_PATH_MOST; k++) {
        const char *next = descend(at, &r->path[k]);
        if (!next) {
            break;
        }
        at = next;
    }
    int line = 1;
    for (const char *s = r->source->text; s < at; s++) {
        line += *s == '\n';
    }
    return line;
}

static void print_path(const lbio_reader *r, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < r->depth && k < LBIO_PATH_MOST && used + 1 < size; k++) {
        const lbio_step *step = &r->path[k];
        int length = step->key ? snprintf(text + used, size - used, "%s%.40s", k ? "." : "", step->key)
                               : snprintf(text + used, size - used, "[%d]", step->index);
        used += length > 0 ? (size_t)length : 0;
    }
}

lb_status lbio_reader_fail(lbio_reader *r, lb_status status, const char *format, ...) {
    char message[LB_ERROR_MESSAGE_SIZE], path[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    print_path(r, path, sizeof path);
    return lbio_fail(r->source, status, line_of(r), "%s%s%s", path, *path ? ": " : "", message);
}

/* --- Shapes of values ----------------------------------------------------------------------------- */

json_t *lbio_member(lbio_reader *r, const json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    if (value) {
        lbio_enter(r, key);
    }
    return value;
}

static const char *kind_of(const json_t *value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_NULL:
        return "null";
    default:
        return "true or false";
    }
}

lb_status lbio_check_keys(lbio_reader *r, const json_t *value, const char *const *keys) {
    const char *key;
    json_t *member;
    int count = 0;
    if (!json_is_object(value)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "an object {...} was expected, this is %s", kind_of(value));
    }
    while (keys[count]) {
        count++;
    }
    json_object_foreach((json_t *)value, key, member) {
        int is_known = 0;
        for (int k = 0; k < count; k++) {
            is_known |= strcmp(keys[k], key) == 0;
        }
        if (!is_known) {
            const char *near_name = lbio_nearest(key, keys, count);
            char clean[64];
            snprintf(clean, sizeof clean, "%s", key);
            lbio_enter(r, key);
            lb_status status =
                near_name
                    ? lbio_reader_fail(r, LB_ERROR_NAME, "there is no key `%s` here; did you mean `%s`?", clean,
                                       near_name)
                    : lbio_reader_fail(r, LB_ERROR_NAME,
                                       "there is no key `%s` here; docs/problem-files.md has those that are", clean);
            lbio_leave(r);
            return status;
        }
    }
    return LB_OK;
}

lb_status lbio_check_list(lbio_reader *r, const json_t *value, int least, int most) {
    if (!json_is_array(value)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a list [...] was expected, this is %s", kind_of(value));
    }
    size_t count = json_array_size(value);
    if (count < (size_t)least) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "this list needs at least %d, it has %zu", least, count);
    }
    return count > (size_t)most
               ? lbio_reader_fail(r, LB_ERROR_TOO_LARGE, "this list may have %d at most, it has %zu", most, count)
               : LB_OK;
}

int lbio_read_quantity(const char *text, lbio_unit unit, double *value) {
    static const struct {
        const char *name;
        lbio_unit kind;
        double factor;
    } units[] = {{"deg", LBIO_ANGLE, 3.14159265358979323846 / 180},
                 {"rad", LBIO_ANGLE, 1},
                 {"m", LBIO_LENGTH, 1},
                 {"cm", LBIO_LENGTH, 0.01},
                 {"mm", LBIO_LENGTH, 0.001},
                 {"in", LBIO_LENGTH, 0.0254},
                 {"ft", LBIO_LENGTH, 0.3048},
                 {"kg", LBIO_MASS, 1},
                 {"g", LBIO_MASS, 0.001},
                 {"lb", LBIO_MASS, 0.45359237}};
    double number, scaled;
    const char *end = text + strlen(text), *rest = lbio_number(text, end, &number);
    if (!rest) {
        return -1;
    }
    rest += strspn(rest, " ");
    if (!*rest) {
        *value = number;
        return 0;
    }
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        if (strcmp(rest, units[k].name) == 0 &&
            (unit == units[k].kind || (unit == LBIO_EITHER && units[k].kind != LBIO_MASS))) {
            int power = strcmp(rest, "cm") == 0 ? -2 : strcmp(rest, "mm") == 0 || strcmp(rest, "g") == 0 ? -3 : 0;
            int is_rounded_once = power && lbio_number_scaled(text, end, power, &scaled);
            *value = is_rounded_once ? scaled : number * units[k].factor;
            return isfinite(*value) ? 0 : -1;
        }
    }
    return -1;
}

lb_status lbio_json_value(lbio_reader *r, const json_t *value, lbio_unit unit, double *out) {
    static const char *const wanted[] = {"a number", "a length, as 0.05 or \"5cm\"", "an angle, as 1.57 or \"90deg\"",
                                         "a length or an angle, as \"5cm\" or \"5deg\"", "a mass, as 5 or \"5kg\""};
    if (json_is_number(value)) {
        *out = json_number_value(value);
        return isfinite(*out) ? LB_OK : lbio_reader_fail(r, LB_ERROR_SYNTAX, "the number is too large");
    }
    if (json_is_string(value) && unit != LBIO_PLAIN && lbio_read_quantity(json_string_value(value), unit, out) == 0) {
        return LB_OK;
    }
    if (json_is_string(value)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "%s was expected, this is \"%.40s\"", wanted[unit],
                                json_string_value(value));
    }
    return lbio_reader_fail(r, LB_ERROR_SYNTAX, "%s was expected, this is %s", wanted[unit], kind_of(value));
}

lb_status lbio_json_vector(lbio_reader *r, const json_t *value, lbio_unit unit, int count, double *out) {
    if (!json_is_array(value) || json_array_size(value) != (size_t)count) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a list of %d numbers was expected", count);
    }
    lb_status status = LB_OK;
    for (int i = 0; i < count && !status; i++) {
        lbio_enter_index(r, i);
        status = lbio_json_value(r, json_array_get(value, (size_t)i), unit, &out[i]);
        lbio_leave(r);
    }
    return status;
}

/* --- Members -------------------------------------------------------------------------------------- */

lb_status lbio_get_value(lbio_reader *r, const json_t *object, const char *key, lbio_unit unit, double least,
                         double most, double *out) {
    double value = 0;
    const json_t *member = lbio_member(r, object, key);
    if (!member) {
        return LB_OK;
    }
    lb_status status = lbio_json_value(r, member, unit, &value);
    if (!status && !(value >= least && value <= most)) {
        status = isfinite(most) ? lbio_reader_fail(r, LB_ERROR_ARGUMENT, "must lie between %g and %g", least, most)
                                : lbio_reader_fail(r, LB_ERROR_ARGUMENT, "must be at least %g", least);
    }
    lbio_leave(r);
    if (!status) {
        *out = value;
    }
    return status;
}

lb_status lbio_get_vector(lbio_reader *r, const json_t *object, const char *key, lbio_unit unit, int count, double *out,
                          int *has) {
    const json_t *member = lbio_member(r, object, key);
    if (!member) {
        return LB_OK;
    }
    lb_status status = lbio_json_vector(r, member, unit, count, out);
    lbio_leave(r);
    if (!status && has) {
        *has = 1;
    }
    return status;
}

lb_status lbio_get_direction(lbio_reader *r, const json_t *object, const char *key, double out[3], int *has) {
    double v[3];
    const json_t *member = lbio_member(r, object, key);
    if (!member) {
        return LB_OK;
    }
    lb_status status = lbio_json_vector(r, member, LBIO_PLAIN, 3, v);
    double most = status ? 0 : fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!status && !(most > 0)) {
        status = lbio_reader_fail(r, LB_ERROR_ARGUMENT, "a direction cannot be [0, 0, 0]");
    }
    lbio_leave(r);
    if (status) {
        return status;
    }
    double norm = 0;
    for (int i = 0; i < 3; i++) {
        v[i] /= most; /* so that squares neither vanish nor overflow */
        norm += v[i] * v[i];
    }
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] / sqrt(norm);
    }
    if (has) {
        *has = 1;
    }
    return LB_OK;
}

lb_status lbio_get_integer(lbio_reader *r, const json_t *object, const char *key, double least, double most, int *out) {
    double value = *out;
    lb_status status = lbio_get_value(r, object, key, LBIO_PLAIN, least, most, &value);
    if (!status && value != floor(value)) {
        lbio_enter(r, key);
        status = lbio_reader_fail(r, LB_ERROR_ARGUMENT, "a whole number was expected");
        lbio_leave(r);
    }
    if (!status) {
        *out = (int)value;
    }
    return status;
}

lb_status lbio_get_truth(lbio_reader *r, const json_t *object, const char *key, int *out) {
    const json_t *member = lbio_member(r, object, key);
    lb_status status = LB_OK;
    if (!member) {
        return LB_OK;
    }
    if (json_is_boolean(member)) {
        *out = json_is_true(member);
    } else {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "true or false was expected, this is %s", kind_of(member));
    }
    lbio_leave(r);
    return status;
}

lb_status lbio_get_string(lbio_reader *r, const json_t *object, const char *key, const char **out) {
    const json_t *member = lbio_member(r, object, key);
    lb_status status = LB_OK;
    if (!member) {
        return LB_OK;
    }
    if (json_is_string(member)) {
        *out = json_string_value(member);
    } else {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "a string was expected, this is %s", kind_of(member));
    }
    lbio_leave(r);
    return status;
}

lb_status lbio_get_choice(lbio_reader *r, const json_t *object, const char *key, const char *const *names, int count,
                          int *out) {
    const char *text = NULL;
    lb_status status = lbio_get_string(r, object, key, &text);
    if (status || !text) {
        return status;
    }
    for (int k = 0; k < count; k++) {
        if (strcmp(names[k], text) == 0) {
            *out = k;
            return LB_OK;
        }
    }
    char all[240] = "";
    for (int k = 0; k < count; k++) {
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? ", " : "", names[k]);
    }
    const char *near_name = lbio_nearest(text, names, count);
    lbio_enter(r, key);
    status = near_name ? lbio_reader_fail(r, LB_ERROR_NAME, "there is no `%.40s`; did you mean `%s`?", text, near_name)
                       : lbio_reader_fail(r, LB_ERROR_NAME, "`%.40s` is none of %s", text, all);
    lbio_leave(r);
    return status;
}

lb_status lbio_get_rotation(lbio_reader *r, const json_t *object, double rotation[4], int *has) {
    double rpy[3], q[4];
    int has_rpy = 0, has_q = 0;
    lb_status status = lbio_get_vector(r, object, "rpy", LBIO_ANGLE, 3, rpy, &has_rpy);
    status = status ? status : lbio_get_vector(r, object, "quaternion", LBIO_PLAIN, 4, q, &has_q);
    if (status) {
        return status;
    }
    if (has_rpy && has_q) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "give `rpy` or `quaternion`, not both");
    }
    if (has_rpy) {
        lb_rotation_from_rpy(rpy, rotation);
    }
    if (has_q) {
        double most = 0, norm = 0;
        for (int i = 0; i < 4; i++) {
            most = fmax(most, fabs(q[i]));
        }
        for (int i = 0; i < 4 && most > 0; i++) {
            q[i] /= most;
            norm += q[i] * q[i];
        }
        if (!(norm > 0)) {
            return lbio_reader_fail(r, LB_ERROR_ARGUMENT, "a quaternion cannot be all 0; no turn is [0, 0, 0, 1]");
        }
        for (int i = 0; i < 4; i++) {
            rotation[i] = q[i] / sqrt(norm);
        }
    }
    *has |= has_rpy || has_q;
    return LB_OK;
}
