/* Joint types: BAGS's sixteen names, and Peabody's spelling R(z)*R(x)*T(y). */
#include <string.h>

#include "figure/build/draft.h"
#include "math/vec.h"

/* Beyer's classification (BAGS 3.2, figure 2): 0-3 free translations (P) and 0-3 free rotations (R). As in BAGS the
 * plane of two translations is x, z and the axis of a single motion is y; translations come first. */
static const char *const bags_names[4][4] = {
    {"fixed", "pin", "universal", "ball"},
    {"sliding", "cylindrical", "sliding-universal", "sliding-ball"},
    {"planar", "cube-on-plane", "cylinder-on-plane", "ball-on-plane"},
    {"cartesian", "cartesian-pin", "cartesian-universal", "flying"},
};
static const char *const bags_translations[4] = {"", "y", "xz", "xyz"};
static const char *const bags_rotations[4] = {"", "y", "yx", "yxz"};

static int element_dofs(lb_element_kind kind) {
    return kind == LB_ELEMENT_SWING_TWIST || kind == LB_ELEMENT_ROTATION ? 3 : 1;
}

static void add_element(lb_joint_type *type, lb_element_kind kind, const double axis[3]) {
    lb_element *element = &type->elements[type->element_count++];
    element->kind = kind;
    lbm_copy3(element->axis, axis);
}

static void add_letters(lb_joint_type *type, lb_element_kind kind, const char *letters) {
    for (; *letters; letters++) {
        double axis[3] = {0, 0, 0};
        axis[*letters - 'x'] = 1;
        add_element(type, kind, axis);
    }
}

static void bags_type(int translations, int rotations, lb_joint_type *type) {
    type->element_count = 0;
    add_letters(type, LB_ELEMENT_TRANSLATE, bags_translations[translations]);
    add_letters(type, LB_ELEMENT_ROTATE, bags_rotations[rotations]);
}

static int parse_name(const char *text, size_t size, lb_joint_type *type) {
    for (int p = 0; p < 4; p++) {
        for (int r = 0; r < 4; r++) {
            char code[5] = {'P', (char)('0' + p), 'R', (char)('0' + r), 0};
            const char *name = bags_names[p][r];
            if ((strlen(name) == size && memcmp(name, text, size) == 0) || (size == 4 && memcmp(code, text, 4) == 0)) {
                bags_type(p, r, type);
                return 1;
            }
        }
    }
    if (size == 8 && memcmp(text, "floating", 8) == 0) {
        const double none[3] = {0, 0, 0};
        bags_type(3, 0, type);
        add_element(type, LB_ELEMENT_ROTATION, none);
        return 1;
    }
    return 0;
}

/* A number without the C library's locale: exact for what lb_joint_type_spell writes (see there), near enough for the
 * rest. */
static const char *parse_number(const char *at, double *value);

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t') {
        at++;
    }
    return at;
}

static const char *parse_axis(const char *at, double axis[3]) {
    lbm_set3(axis, 0, 0, 0);
    at = skip_blanks(at);
    double sign = 1;
    if (*at == '-' && at[1] >= 'x' && at[1] <= 'z') {
        sign = -1;
        at++;
    }
    if (*at >= 'x' && *at <= 'z') {
        axis[*at - 'x'] = sign;
        return skip_blanks(at + 1);
    }
    for (int i = 0; i < 3; i++) {
        if (i) {
            at = skip_blanks(at);
            if (*at++ != ',') {
                return NULL;
            }
        }
        at = parse_number(skip_blanks(at), &axis[i]);
        if (!at) {
            return NULL;
        }
    }
    return skip_blanks(at);
}

static int starts(const char *at, const char *word) { return strncmp(at, word, strlen(word)) == 0; }

static const char *parse_element(const char *at, lb_joint_type *type, lb_error *error) {
    const char *const start = at;
    double axis[3] = {0, 0, 0};
    if (starts(at, "rotation")) {
        add_element(type, LB_ELEMENT_ROTATION, axis);
        return at + strlen("rotation");
    }
    lb_element_kind kind;
    if (starts(at, "R(")) {
        kind = LB_ELEMENT_ROTATE, at += 2;
    } else if (starts(at, "T(")) {
        kind = LB_ELEMENT_TRANSLATE, at += 2;
    } else if (starts(at, "swing_twist(")) {
        kind = LB_ELEMENT_SWING_TWIST, at += strlen("swing_twist(");
    } else {
        lbf_fail(error, LB_ERROR_SYNTAX, "'", start,
                 "' is no joint type; write a name such as pin, universal, ball, sliding "
                 "or flying, or spell it, as in R(z)*R(x)*T(y) or swing_twist(z)",
                 (char *)0);
        return NULL;
    }
    at = parse_axis(at, axis);
    if (!at || *at != ')') {
        lbf_fail(error, LB_ERROR_SYNTAX, "the axis in '", start,
                 "' is not understood; write x, y, z, -x, -y, -z or three "
                 "numbers, as in R(0.6,0,0.8)",
                 (char *)0);
        return NULL;
    }
    double norm = lbm_safe_norm3(axis);
    if (norm == 0 || !lbm_is_finite(norm)) {
        lbf_fail(error, LB_ERROR_SYNTAX, "the axis in '", start, "' has no direction; give a vector that is not zero",
                 (char *)0);
        return NULL;
    }
    /* What is unit to rounding stays as written, so that spelling and reading a type gives the same bits. */
    if (fabs(norm - 1) > 1e-15) {
        for (int i = 0; i < 3; i++) {
            axis[i] /= norm;
        }
    }
    add_element(type, kind, axis);
    return at + 1;
}

static int has_room(const lb_joint_type *type, int more_dofs) {
    return type->element_count < LB_JOINT_MAX_DOFS && lb_joint_type_dof_count(type) + more_dofs <= LB_JOINT_MAX_DOFS;
}

lb_status lb_joint_type_parse(const char *text, lb_joint_type *type, lb_error *error) {
    if (!text || !type) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "no text or no place for the type", (char *)0);
    }
    const char *at = skip_blanks(text);
    size_t size = strlen(at);
    while (size && (at[size - 1] == ' ' || at[size - 1] == '\t')) {
        size--;
    }
    lb_joint_type parsed;
    memset(&parsed, 0, sizeof parsed);
    if (parse_name(at, size, &parsed)) {
        *type = parsed;
        return LB_OK;
    }
    for (;;) {
        int dofs = starts(at, "rotation") || starts(at, "swing_twist") ? 3 : 1;
        if (!has_room(&parsed, dofs)) {
            return lbf_fail(error, LB_ERROR_SYNTAX, "the joint type '", text,
                            "' has more than 6 dofs; split it into two "
                            "joints",
                            (char *)0);
        }
        at = parse_element(at, &parsed, error);
        if (!at) {
            return LB_ERROR_SYNTAX;
        }
        at = skip_blanks(at);
        if (!*at) {
            break;
        }
        if (*at != '*') {
            return lbf_fail(error, LB_ERROR_SYNTAX, "'", at,
                            "' after a joint type's element is not understood; join "
                            "elements with *, as in R(z)*R(x)",
                            (char *)0);
        }
        at = skip_blanks(at + 1);
    }
    *type = parsed;
    return LB_OK;
}

int lb_joint_type_dof_count(const lb_joint_type *type) {
    if (!type) {
        return 0;
    }
    int count = 0;
    for (int i = 0; i < type->element_count && i < LB_JOINT_MAX_DOFS; i++) {
        count += element_dofs(type->elements[i].kind);
    }
    return count;
}

int lbf_type_is_sound(const lb_joint_type *type) {
    if (type->element_count < 0 || type->element_count > LB_JOINT_MAX_DOFS ||
        lb_joint_type_dof_count(type) > LB_JOINT_MAX_DOFS) {
        return 0;
    }
    for (int i = 0; i < type->element_count; i++) {
        const lb_element *e = &type->elements[i];
        if ((int)e->kind < 0 || e->kind > LB_ELEMENT_ROTATION) {
            return 0;
        }
        if (e->kind != LB_ELEMENT_ROTATION &&
            !(lbm_all_finite(e->axis, 3) && fabs(lbm_dot3(e->axis, e->axis) - 1) < 1e-6)) {
            return 0;
        }
    }
    return 1;
}

int lb_joint_type_is_angle(const lb_joint_type *type, int dof) {
    if (!type) {
        return 0;
    }
    if (dof < 0) {
        return 0;
    }
    for (int i = 0; i < type->element_count && i < LB_JOINT_MAX_DOFS; i++) {
        int dofs = element_dofs(type->elements[i].kind);
        if (dof < dofs) {
            return type->elements[i].kind != LB_ELEMENT_TRANSLATE;
        }
        dof -= dofs;
    }
    return 0;
}

/* 0, 1, 2 for the axes x, y, z (and -x, -y, -z, with *negative set), -1 for any other. */
static int aligned_axis(const double axis[3], int *negative) {
    for (int i = 0; i < 3; i++) {
        if (axis[(i + 1) % 3] != 0 || axis[(i + 2) % 3] != 0) {
            continue;
        }
        if (axis[i] != 1 && axis[i] != -1) {
            continue;
        }
        *negative = axis[i] < 0;
        return i;
    }
    return -1;
}

/* --- Numbers as text ------------------------------------------------------------------------------ */

/* A double is written as digits times a power of two, -?0x1.8p-3 style, unless it is a short decimal. A decimal of up
 * to 15 digits and a power of ten up to 22 is exact in both directions (Clinger's fast path), which covers what people
 * write; hexadecimal covers the rest without a big-number library. */

static const double powers_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return -1;
}

static double times_power_of_two(double value, int exponent) {
    for (; exponent > 0; exponent--) {
        value *= 2;
    }
    for (; exponent < 0; exponent++) {
        value *= 0.5;
    }
    return value;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* An exponent with its sign, added to *exponent; NULL where there is no digit. */
static const char *parse_exponent(const char *at, int *exponent) {
    int sign = *at == '-' ? -1 : 1, written = 0;
    if (*at == '-' || *at == '+') {
        at++;
    }
    if (!is_digit(*at)) {
        return NULL;
    }
    for (; is_digit(*at); at++) {
        written = written < 10000 ? written * 10 + (*at - '0') : written;
    }
    *exponent += sign * written;
    return at;
}

static const char *parse_hex(const char *at, double *value) {
    double mantissa = 0;
    int exponent = 0, digits = 0, after_point = 0;
    for (;; at++) {
        if (*at == '.' && !after_point) {
            after_point = 1;
            continue;
        }
        int digit = hex_digit(*at);
        if (digit < 0 || ++digits > 15) {
            break;
        }
        mantissa = mantissa * 16 + digit;
        if (after_point) {
            exponent -= 4;
        }
    }
    if (!digits || *at++ != 'p') {
        return NULL;
    }
    at = parse_exponent(at, &exponent);
    if (!at || exponent > 2000 || exponent < -2000) {
        return NULL;
    }
    *value = times_power_of_two(mantissa, exponent);
    return at;
}

/* Decimal digits with a point perhaps, as mantissa * 10^exponent; NULL where there is no digit. */
static const char *parse_digits(const char *at, double *mantissa, int *exponent) {
    int digits = 0, after_point = 0;
    for (; is_digit(*at) || (*at == '.' && !after_point); at++) {
        if (*at == '.') {
            after_point = 1;
            continue;
        }
        digits++;
        if (*mantissa < 1e17) {
            *mantissa = *mantissa * 10 + (*at - '0');
            *exponent -= after_point;
        } else if (!after_point) {
            ++*exponent;
        }
    }
    return digits ? at : NULL;
}

static double times_power_of_ten(double mantissa, int exponent) {
    while (exponent > 22) {
        mantissa *= 1e22, exponent -= 22;
    }
    while (exponent < -22) {
        mantissa /= 1e22, exponent += 22;
    }
    return exponent >= 0 ? mantissa * powers_of_ten[exponent] : mantissa / powers_of_ten[-exponent];
}

static const char *parse_number(const char *at, double *value) {
    int negative = *at == '-', exponent = 0;
    double mantissa = 0;
    if (*at == '-' || *at == '+') {
        at++;
    }
    if (at[0] == '0' && at[1] == 'x') {
        at = parse_hex(at + 2, value);
        if (at && negative) {
            *value = -*value;
        }
        return at;
    }
    at = parse_digits(at, &mantissa, &exponent);
    if (at && (*at == 'e' || *at == 'E')) {
        at = parse_exponent(at + 1, &exponent);
    }
    if (!at) {
        return NULL;
    }
    *value = times_power_of_ten(mantissa, exponent);
    if (negative) {
        *value = -*value;
    }
    return lbm_is_finite(*value) ? at : NULL;
}

/* Text that is cut where it does not fit, but counted. */
typedef struct cut_text {
    char *text;
    size_t size;
    int length;
} cut_text;

static void put(cut_text *out, const char *text) {
    for (; *text; text++, out->length++) {
        if ((size_t)out->length + 1 < out->size) {
            out->text[out->length] = *text;
        }
    }
}

static void put_number(cut_text *out, double value) {
    if (value < 0) {
        put(out, "-");
    }
    value = fabs(value);
    char digits[32];
    double scaled = value * 1e12, back;
    if (value < 1000 && scaled == floor(scaled)) { /* a short decimal, if it reads back */
        int64_t whole = (int64_t)scaled;
        lbf_integer_text(whole / INT64_C(1000000000000), digits);
        size_t at = strlen(digits);
        int64_t rest = whole % INT64_C(1000000000000);
        if (rest) {
            digits[at++] = '.';
        }
        for (int64_t place = INT64_C(100000000000); rest; place /= 10) {
            digits[at++] = (char)('0' + rest / place);
            rest %= place;
        }
        digits[at] = 0;
        if (parse_number(digits, &back) && back == value) {
            put(out, digits);
            return;
        }
    }
    int exponent = 0; /* value = mantissa 2^exponent with a mantissa of 53 bits */
    while (value < 4503599627370496.0) {
        value *= 2, exponent--;
    }
    while (value >= 9007199254740992.0) {
        value *= 0.5, exponent++;
    }
    uint64_t mantissa = (uint64_t)value;
    put(out, "0x");
    for (int shift = 52; shift >= 0; shift -= 4) {
        char digit[2] = {"0123456789abcdef"[mantissa >> shift & 15], 0};
        put(out, digit);
    }
    put(out, "p");
    put(out, lbf_integer_text(exponent, digits));
}

static void put_axis(cut_text *out, const double axis[3]) {
    int negative = 0, which = aligned_axis(axis, &negative);
    if (which >= 0) {
        const char letter[2] = {(char)('x' + which), 0};
        put(out, negative ? "-" : "");
        put(out, letter);
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (i) {
            put(out, ",");
        }
        if (axis[i] == 0) {
            put(out, "0");
        } else {
            put_number(out, axis[i]);
        }
    }
}

int lb_joint_type_spell(const lb_joint_type *type, char *text, size_t size) {
    if (!type || !lbf_type_is_sound(type) || (!text && size)) {
        return LB_ERROR_ARGUMENT;
    }
    cut_text out = {text, size, 0};
    if (type->element_count == 0) {
        put(&out, "fixed");
    }
    for (int i = 0; i < type->element_count; i++) {
        const lb_element *element = &type->elements[i];
        if (i) {
            put(&out, "*");
        }
        if (element->kind == LB_ELEMENT_ROTATION) {
            put(&out, "rotation");
            continue;
        }
        put(&out, element->kind == LB_ELEMENT_ROTATE      ? "R("
                  : element->kind == LB_ELEMENT_TRANSLATE ? "T("
                                                          : "swing_twist(");
        put_axis(&out, element->axis);
        put(&out, ")");
    }
    if (size) {
        text[(size_t)out.length < size ? (size_t)out.length : size - 1] = 0;
    }
    return out.length;
}

int lbf_first_swing_dof(const lb_joint_type *type) {
    for (int i = 0, dof = 0; i < type->element_count; i++) {
        if (type->elements[i].kind == LB_ELEMENT_SWING_TWIST) {
            return dof;
        }
        dof += type->elements[i].kind == LB_ELEMENT_ROTATION ? 3 : 1;
    }
    return -1;
}

/* --- Names of dofs ------------------------------------------------------------------------------ */

static void element_dof_name(const lb_element *element, int part, int dof, char name[16]) {
    const double *axis = element->axis;
    int negative = 0, which = element->kind == LB_ELEMENT_ROTATION ? 0 : aligned_axis(axis, &negative);
    const char *prefix = "";
    int letter = which;
    switch (element->kind) {
    case LB_ELEMENT_ROTATE:
        prefix = "r";
        break;
    case LB_ELEMENT_TRANSLATE:
        prefix = "t";
        break;
    case LB_ELEMENT_SWING_TWIST:
        prefix = part < 2 ? "sw" : "tw";
        letter = which < 0 ? -1 : (which + 1 + part) % 3;
        break;
    case LB_ELEMENT_ROTATION:
        prefix = "v";
        letter = part;
        break;
    }
    size_t at = strlen(prefix);
    memcpy(name, prefix, at);
    name[at++] = letter >= 0 ? (char)('x' + letter) : (char)('1' + dof);
    name[at] = 0;
}

int lbf_name_dofs(lbf_draft *draft, lb_joint *joint) {
    int dof = 0, dofs = lb_joint_type_dof_count(&joint->type);
    for (int i = 0; i < joint->type.element_count; i++) {
        int parts = element_dofs(joint->type.elements[i].kind);
        for (int part = 0; part < parts; part++, dof++) {
            char name[16];
            if (joint->dof_names[dof]) {
                continue;
            }
            element_dof_name(&joint->type.elements[i], part, dof, name);
            for (int k = 0; k < dofs; k++) { /* also names that were given to later dofs */
                if (joint->dof_names[k] && strcmp(joint->dof_names[k], name) == 0) { /* R(z)*R(x)*R(z): rz rx rz2 */
                    size_t at = strlen(name);
                    int again = name[at - 1] >= '2' && name[at - 1] < '9' && at > 2;
                    name[again ? at - 1 : at] = again ? (char)(name[at - 1] + 1) : '2';
                    name[again ? at : at + 1] = 0;
                    k = -1;
                }
            }
            joint->dof_names[dof] = lbf_arena_text(&draft->arena, &draft->allocator, name, NULL, NULL);
            if (!joint->dof_names[dof]) {
                return 0;
            }
        }
    }
    for (; dof < LB_JOINT_MAX_DOFS; dof++) {
        joint->dof_names[dof] = NULL;
    }
    return 1;
}
