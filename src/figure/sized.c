#include "figure/sized.h"

#include <string.h>

#include "figure/error.h"

static size_t size_of(const void *given) {
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

static void set_size(void *given, size_t size) { memcpy(given, &size, sizeof size); }

lb_status lbf_check_sized(const lbf_sized *kind, const void *given, lb_error *error) {
    char given_text[24], known_text[24];
    size_t size = size_of(given);
    if (size >= kind->first && size <= kind->size) {
        return LB_OK;
    }
    lbf_integer_text((int64_t)(size > SIZE_MAX / 2 ? SIZE_MAX / 2 : size), given_text);
    lbf_integer_text((int64_t)kind->size, known_text);
    return lbf_fail(error, LB_ERROR_STRUCT, "the ", kind->name, " was not filled by ", kind->name,
                    "_defaults, or is of a newer header than the library: its struct_size is ", given_text, ", not ",
                    known_text, (char *)0);
}

lb_status lbf_take_sized(const lbf_sized *kind, const void *given, void *taken, lb_error *error) {
    if (!given) {
        set_size(taken, kind->size); /* what is taken may be given on, as a motion gives on the options of bodies */
        return LB_OK;
    }
    lb_status status = lbf_check_sized(kind, given, error);
    if (!status) {
        memcpy(taken, given, size_of(given));
        set_size(taken, kind->size);
    }
    return status;
}

void lbf_give_sized(const lbf_sized *kind, const void *made, void *given) {
    size_t size = size_of(given);
    memcpy(given, made, size < kind->size ? size : kind->size);
    set_size(given, size);
}

void lbf_default_sized(const lbf_sized *kind, const void *made, void *given, size_t struct_size) {
    if (!given || struct_size < sizeof struct_size) {
        return;
    }
    memcpy(given, made, struct_size < kind->size ? struct_size : kind->size);
    set_size(given, struct_size);
}
