/* What the io layer uses of C's printf and strtod, in a tenth of the code that the C library has for them: numbers with
 * a point are written and read by the page, whose numbers are the same. */
#include "web.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct output {
    char *text;
    size_t size, length; /* length goes on beyond size */
} output;

typedef struct directive {
    int zeros, width, precision; /* precision -1: none */
    char length;                 /* 'l' for long long, 'z', 'L' for long, 0 */
    char conversion;
} directive;

static void put(output *out, const char *text, size_t count) {
    for (size_t i = 0; i < count; i++, out->length++) {
        if (out->length + 1 < out->size) {
            out->text[out->length] = text[i];
        }
    }
}

static void put_padded(output *out, const directive *d, const char *text, size_t count) {
    for (size_t i = count; d->width > 0 && i < (size_t)d->width; i++) {
        put(out, d->zeros ? "0" : " ", 1);
    }
    put(out, text, count);
}

static void put_integer(output *out, const directive *d, unsigned long long value, int is_negative) {
    char digits[24];
    int at = (int)sizeof digits;
    unsigned base = d->conversion == 'x' ? 16 : 10;
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    if (is_negative) {
        digits[--at] = '-';
    }
    put_padded(out, d, digits + at, sizeof digits - (size_t)at);
}

/* From behind the % to the conversion. */
static const char *read_directive(const char *at, directive *d, va_list *arguments) {
    *d = (directive){.precision = -1};
    for (; *at == '0'; at++) {
        d->zeros = 1;
    }
    if (*at == '*') {
        d->width = va_arg(*arguments, int);
        at++;
    }
    for (; *at >= '0' && *at <= '9'; at++) {
        d->width = 10 * d->width + (*at - '0');
    }
    if (*at == '.') {
        d->precision = 0;
        if (*++at == '*') {
            d->precision = va_arg(*arguments, int);
            at++;
        }
        for (; *at >= '0' && *at <= '9'; at++) {
            d->precision = 10 * d->precision + (*at - '0');
        }
    }
    if (*at == 'z' || *at == 'l') {
        d->length = *at;
        at++;
        if (*at == 'l') {
            d->length = 'L';
            at++;
        }
    }
    d->conversion = *at;
    return *at ? at + 1 : at;
}

static void put_argument(output *out, const directive *d, va_list *arguments) {
    char number[400];
    switch (d->conversion) {
    case 'd': {
        long long value = d->length == 'L'   ? va_arg(*arguments, long long)
                          : d->length == 'l' ? va_arg(*arguments, long)
                                             : va_arg(*arguments, int);
        put_integer(out, d, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, value < 0);
        return;
    }
    case 'u':
    case 'x':
        put_integer(out, d, d->length ? va_arg(*arguments, size_t) : va_arg(*arguments, unsigned), 0);
        return;
    case 'c':
        number[0] = (char)va_arg(*arguments, int);
        put_padded(out, d, number, 1);
        return;
    case 's': {
        const char *text = va_arg(*arguments, const char *);
        put_padded(out, d, text, d->precision >= 0 ? strnlen(text, (size_t)d->precision) : strlen(text));
        return;
    }
    case 'g':
    case 'f': {
        int length = lbw_number_write(va_arg(*arguments, double), d->conversion, d->precision < 0 ? 6 : d->precision,
                                      number, sizeof number);
        put_padded(out, d, number, (size_t)length);
        return;
    }
    case '%':
        put(out, "%", 1);
        return;
    default:
        __builtin_trap(); /* a format that nobody has used so far: teach this file about it */
    }
}

int vsnprintf(char *restrict text, size_t size, const char *restrict format, va_list given) {
    output out = {text, size, 0};
    va_list arguments;
    va_copy(arguments, given);
    while (*format) {
        size_t plain = strcspn(format, "%");
        put(&out, format, plain);
        format += plain;
        if (*format) {
            directive d;
            format = read_directive(format + 1, &d, &arguments);
            put_argument(&out, &d, &arguments);
        }
    }
    va_end(arguments);
    if (size > 0) {
        text[out.length < size ? out.length : size - 1] = 0;
    }
    return (int)out.length;
}

int snprintf(char *restrict text, size_t size, const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}

int sprintf(char *restrict text, const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, (size_t)1 << 30, format, arguments);
    va_end(arguments);
    return length;
}

/* Of the io layer only text.c calls it, with a whole number and perhaps an exponent, all of the text. */
double strtod(const char *restrict text, char **restrict end) {
    if (end) {
        __builtin_trap();
    }
    return lbw_number_read(text);
}
