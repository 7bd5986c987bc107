#include "figure/error.h"

#include <stdarg.h>
#include <string.h>

#include "math/vec.h"

void lbf_clear(lb_error *error) {
    if (!error) {
        return;
    }
    error->status = LB_OK;
    error->line = 0;
    error->file[0] = 0;
    error->message[0] = 0;
}

lb_status lbf_fail(lb_error *error, lb_status status, ...) {
    if (!error) {
        return status;
    }
    lbf_clear(error);
    error->status = status;
    size_t used = 0;
    va_list texts;
    va_start(texts, status);
    for (const char *text = va_arg(texts, const char *); text; text = va_arg(texts, const char *)) {
        size_t size = strlen(text), room = LB_ERROR_MESSAGE_SIZE - 1 - used;
        if (size > room) {
            size = room;
            while (size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80) {
                size--; /* not inside a character */
            }
        }
        memcpy(error->message + used, text, size);
        used += size;
    }
    va_end(texts);
    error->message[used] = 0;
    return status;
}

lb_status lbf_refuse(lb_error *error, lb_status status, const char *text) {
    return lbf_fail(error, status, text, (char *)0);
}

void *lbf_none(lb_error *error, lb_status status, const char *text) {
    lbf_refuse(error, status, text);
    return NULL;
}

const char *lbf_integer_text(int64_t value, char text[24]) {
    char digits[24];
    int count = 0, at = 0;
    uint64_t rest = value < 0 ? 0u - (uint64_t)value : (uint64_t)value;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0) {
        text[at++] = '-';
    }
    while (count) {
        text[at++] = digits[--count];
    }
    text[at] = 0;
    return text;
}

const char *lbf_decimal_text(double value, char text[32]) {
    if (!lbm_is_finite(value)) {
        return value > 0 ? "infinity" : value < 0 ? "-infinity" : "not a number";
    }
    if (fabs(value) > 1e15) {
        return value > 0 ? "over 1e15" : "below -1e15";
    }
    double whole = floor(fabs(value) * 1000 + 0.5);
    int64_t thousandths = (int64_t)whole, units = thousandths / 1000, rest = thousandths % 1000;
    char *out = text;
    if (value < 0 && thousandths) {
        *out++ = '-';
    }
    lbf_integer_text(units, out);
    if (rest) {
        out += strlen(out);
        *out++ = '.';
        for (int64_t place = 100; place && rest; place /= 10) {
            *out++ = (char)('0' + rest / place);
            rest %= place;
        }
        *out = 0;
    }
    return text;
}
