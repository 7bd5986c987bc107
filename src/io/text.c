/* Errors with a line, numbers in the C locale, growing text: see text.h. */
#include "io/text.h"

#include "io/digits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Errors
 * ------------------------------------------------------------------------------------------------- */

/* Cuts at a character of UTF-8, and turns what would break a message of one line into a question mark. */
static void tidy_line(char *text, int was_cut) {
    size_t length = strlen(text);
    if (was_cut) {
        while (length > 0 && ((unsigned char)text[length - 1] & 0xC0) == 0x80) {
            length--;
        }
        if (length > 0 && (unsigned char)text[length - 1] >= 0xC0) {
            length--;
        }
        text[length] = 0;
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F) {
            text[i] = '?';
        }
    }
}

static void set_file(lb_error *error, const char *name) {
    size_t length = strlen(name);
    if (length < sizeof error->file) {
        memcpy(error->file, name, length + 1);
    } else { /* a long path keeps its end, which tells files apart */
        const char *end = name + length - (sizeof error->file - 4);
        while (((unsigned char)*end & 0xC0) == 0x80) {
            end++;
        }
        snprintf(error->file, sizeof error->file, "...%s", end);
    }
    tidy_line(error->file, 0);
}

static void fill_error(lb_error *error, lb_status status, const char *name, int line, const char *format,
                       va_list arguments) {
    memset(error, 0, sizeof *error);
    error->status = status;
    error->line = line;
    set_file(error, name ? name : "");
    int length = vsnprintf(error->message, sizeof error->message, format, arguments);
    tidy_line(error->message, length >= (int)sizeof error->message);
}

lb_status lbio_error(lb_error *error, lb_status status, const char *name, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, status, name, line, format, arguments);
    va_end(arguments);
    return status;
}

lb_status lbio_fail(const lbio_source *source, lb_status status, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill_error(source->error, status, source->name, line, format, arguments);
    va_end(arguments);
    return status;
}

void lbio_warn(const lbio_source *source, int line, const char *format, ...) {
    if (!source->options->warn) {
        return;
    }
    lb_error warning;
    va_list arguments;
    va_start(arguments, format);
    fill_error(&warning, LB_OK, source->name, line, format, arguments);
    va_end(arguments);
    source->options->warn(source->options->warn_context, &warning);
}

lb_status lbio_builder_fail(const lbio_source *source, const lb_builder *builder, int line) {
    const lb_error *reason = builder ? lb_builder_error(builder) : NULL;
    if (!reason || reason->status == LB_OK) {
        return lbio_fail(source, LB_ERROR_MEMORY, line, "out of memory");
    }
    return lbio_fail(source, reason->status, line, "%s", reason->message);
}

/* ---------------------------------------------------------------------------------------------------
 * Numbers
 * ------------------------------------------------------------------------------------------------- */

static int is_digit(const char *at, const char *end) { return at < end && *at >= '0' && *at <= '9'; }

/* No double needs more than 767 digits to be told from its neighbours; of further digits only whether one is not zero
 * matters, which a last digit 1 stands for. */
#define MAX_DIGITS 770

/* The digits of a number without its point, and the power of ten of the last of them. */
typedef struct decimal {
    char digits[MAX_DIGITS + 32];
    int count;
    long exponent;
    int dropped; /* a digit that is not zero was left out */
} decimal;

static void add_digit(decimal *number, char digit, int after_point) {
    if (number->count == 0 && digit == '0') {
        number->exponent -= after_point;
    } else if (number->count < MAX_DIGITS) {
        number->digits[number->count++] = digit;
        number->exponent -= after_point;
    } else {
        number->dropped |= digit != '0';
        number->exponent += !after_point;
    }
}

static const char *scan_exponent(const char *at, const char *end, long *exponent) {
    const char *start = at;
    if (at >= end || (*at != 'e' && *at != 'E')) {
        return start;
    }
    at++;
    int negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) {
        at++;
    }
    if (!is_digit(at, end)) {
        return start; /* "2e" is the number 2 and a letter */
    }
    long value = 0;
    for (; is_digit(at, end); at++) {
        value = value < 100000000 ? value * 10 + (*at - '0') : value;
    }
    *exponent = negative ? -value : value;
    return at;
}

#define MOST_EXACT_POWER 22  /* of ten, in a double */
#define MOST_QUICK_DIGITS 18 /* of a number that fits 64 bits whatever they are */

static const double exact_powers[MOST_EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Where the parts of a number's text are. */
typedef struct shape {
    const char *digits, *end; /* digits with at most one point among them */
    const char *fraction;     /* behind that point; end where there is none */
    const char *rest;         /* behind the exponent */
    long exponent;
} shape;

static int find_shape(const char *at, const char *end, shape *s) {
    s->digits = at;
    while (is_digit(at, end)) {
        at++;
    }
    int any = at > s->digits;
    s->end = s->fraction = at;
    if (at < end && *at == '.' && (any || is_digit(at + 1, end))) {
        s->fraction = ++at;
        for (; is_digit(at, end); at++) {
            any = 1;
        }
        s->end = at;
    }
    s->exponent = 0;
    s->rest = scan_exponent(at, end, &s->exponent);
    return any;
}

/* Clinger's fast path: where whole number and power of ten are both exact, one operation rounds once. Returns whether
 * they are. */
static int quick_value(const shape *s, double *value) {
    const long exponent = s->exponent - (s->end - s->fraction);
    uint64_t whole = 0;
    if (s->end - s->digits > MOST_QUICK_DIGITS || exponent < -MOST_EXACT_POWER || exponent > MOST_EXACT_POWER) {
        return 0;
    }
    for (const char *at = s->digits; at < s->end; at++) {
        if (*at != '.') {
            whole = whole * 10 + (uint64_t)(*at - '0');
        }
    }
    *value = exponent < 0 ? (double)whole / exact_powers[-exponent] : (double)whole * exact_powers[exponent];
    return whole <= UINT64_C(1) << 53;
}

/* digits * 10^exponent, correctly rounded. */
static double exact_value(const shape *s) {
    decimal number;
    number.count = 0;
    number.exponent = s->exponent;
    number.dropped = 0;
    for (const char *at = s->digits; at < s->end; at++) {
        if (*at != '.') {
            add_digit(&number, *at, at >= s->fraction);
        }
    }
    if (number.count == 0) {
        return 0;
    }
    if (number.dropped) {
        number.digits[number.count++] = '1';
        number.exponent--;
    }
    long exponent = number.exponent;
    exponent = exponent > 99999 ? 99999 : exponent < -99999 ? -99999 : exponent;
    /* Whole digits and an exponent: no decimal point, hence nothing in which locales differ. */
    snprintf(number.digits + number.count, 16, "e%ld", exponent);
    return strtod(number.digits, NULL);
}

const char *lbio_number(const char *text, const char *end, double *value) {
    return lbio_number_scaled(text, end, 0, value);
}

const char *lbio_number_scaled(const char *text, const char *end, int power, double *value) {
    shape s;
    double result;
    const int negative = text < end && *text == '-';
    if (!find_shape(text + (text < end && (*text == '-' || *text == '+')), end, &s)) {
        return NULL;
    }
    s.exponent += power;
    if (!quick_value(&s, &result)) {
        result = exact_value(&s);
    }
    if (!(fabs(result) <= 1.7976931348623157e308)) {
        return NULL;
    }
    *value = negative ? -result : result;
    return s.rest;
}

void lbio_to_c_locale(const char *printed, char text[32]) {
    int count = 0;
    for (const char *at = printed; *at && count < 31; at++) {
        int plain = (*at >= '0' && *at <= '9') || *at == 'e' || *at == '-' || *at == '+';
        if (plain) {
            text[count++] = *at;
        } else if (count == 0 || text[count - 1] != '.') {
            text[count++] = '.';
        }
    }
    text[count] = 0;
}

void lbio_print_number(double value, char text[32]) {
    if (value == 0 || value != value) {
        strcpy(text, "0");
        return;
    }
    if (value - value != 0) { /* infinite: nothing a reader would take back, but it must not be a surprise */
        strcpy(text, value > 0 ? "1e999" : "-1e999");
        return;
    }
    if (lbio_print_digits(value, text)) {
        return;
    }
    /* If a decimal of at most 15 digits reads as value, then %.15g gives it: normal doubles hold 15 digits. */
    int precision = fabs(value) < 2.3e-308 ? 1 : 15;
    for (; precision <= 17; precision++) {
        char printed[64];
        double back = 0;
        snprintf(printed, sizeof printed, "%.*g", precision, value);
        lbio_to_c_locale(printed, text);
        if (lbio_number(text, text + strlen(text), &back) && back == value) {
            return;
        }
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Growing text
 * ------------------------------------------------------------------------------------------------- */

static int text_reserve(lbio_text *text, size_t more) {
    if (text->failed) {
        return 0;
    }
    if (more > SIZE_MAX / 4 || text->size > SIZE_MAX / 4) {
        text->failed = 1;
        return 0;
    }
    size_t needed = text->size + more + 1;
    if (needed <= text->capacity) {
        return 1;
    }
    size_t capacity = text->capacity ? text->capacity * 2 : 256;
    while (capacity < needed) {
        capacity *= 2;
    }
    char *data = realloc(text->data, capacity);
    if (!data) {
        text->failed = 1;
        return 0;
    }
    text->data = data;
    text->capacity = capacity;
    return 1;
}

void lbio_text_bytes(lbio_text *text, const char *bytes, size_t size) {
    if (text_reserve(text, size)) {
        if (size > 0) { /* of nothing there may be no bytes */
            memcpy(text->data + text->size, bytes, size);
        }
        text->size += size;
        text->data[text->size] = 0;
    }
}

void lbio_text_add(lbio_text *text, const char *string) { lbio_text_bytes(text, string, strlen(string)); }

void lbio_text_format(lbio_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !text_reserve(text, (size_t)length)) {
        text->failed = 1;
        return;
    }
    va_start(arguments, format);
    vsnprintf(text->data + text->size, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->size += (size_t)length;
}

void lbio_text_number(lbio_text *text, double value) {
    if (text_reserve(text, 32)) {
        lbio_print_number(value, text->data + text->size);
        text->size += strlen(text->data + text->size);
    }
}

void lbio_text_free(lbio_text *text) {
    free(text->data);
    memset(text, 0, sizeof *text);
}

int lbio_ends_in(const char *name, const char *ending) {
    const size_t length = strlen(name), tail = strlen(ending);
    int is_same = length >= tail;
    for (size_t i = 0; i < tail && is_same; i++) {
        const char letter = name[length - tail + i];
        is_same = (letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter) == ending[i];
    }
    return is_same;
}

int lbio_are_finite(const double *values, int count) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return 0;
        }
    }
    return 1;
}
