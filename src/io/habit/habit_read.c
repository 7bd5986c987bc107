/* Habits (docs/habit.md): statements of words, numbers and quoted texts; a # begins a comment. */
#include "figure/suggest.h"
#include "io/text.h"
#include <limber/body.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 20) /* a habit of 128 features and 64 starts is a third of it */
#define MOST_TEXT 4000
#define MOST_FACTORS (LB_HABIT_FEATURES * (LB_HABIT_FEATURES + 1) / 2)

/* A word, or a text in quotes. */
typedef struct word {
    char text[MOST_TEXT + 1];
    int line;
    int is_quoted;
} word;

typedef struct habit_reader {
    const lbio_source *source;
    const lb_figure *figure;
    const char *at, *end;
    int line;
    word word; /* the last that was read */
    lb_habit_data data;
    char source_text[MOST_TEXT + 1], credit[MOST_TEXT + 1];
    int has_factor, has_starts;
    lb_habit_feature features[LB_HABIT_FEATURES];
    char *names[LB_HABIT_FEATURES];
    int lines[LB_HABIT_FEATURES];
    double factor[MOST_FACTORS];
    double starts[LB_HABIT_STARTS * LB_HABIT_FEATURES];
} habit_reader;

/* --- Words -------------------------------------------------------------------------------------------- */

static void skip_space(habit_reader *r) {
    for (; r->at < r->end; r->at++) {
        if (*r->at == '#') {
            const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
            r->at = newline ? newline : r->end;
        }
        if (r->at == r->end || !strchr(" \t\r\n", *r->at) || !*r->at) {
            return;
        }
        r->line += *r->at == '\n';
    }
}

static lb_status read_quoted(habit_reader *r) {
    size_t size = 0;
    r->word.is_quoted = 1;
    for (r->at++; r->at < r->end && *r->at != '"'; r->at++) {
        if (*r->at == '\\' && r->at + 1 < r->end) {
            r->at++;
        }
        if ((unsigned char)*r->at < 0x20) {
            return lbio_fail(r->source, LB_ERROR_SYNTAX, r->word.line, "a text ends on the line that it begins on");
        }
        if (size == MOST_TEXT) {
            return lbio_fail(r->source, LB_ERROR_TOO_LARGE, r->word.line, "a text has more than %d bytes", MOST_TEXT);
        }
        r->word.text[size++] = *r->at;
    }
    if (r->at == r->end) {
        return lbio_fail(r->source, LB_ERROR_SYNTAX, r->word.line, "a text has no closing quote");
    }
    r->at++;
    r->word.text[size] = 0;
    return LB_OK;
}

/* The next word; "" at the end of the file. */
static lb_status next_word(habit_reader *r) {
    size_t size = 0;
    skip_space(r);
    r->word.line = r->line;
    r->word.is_quoted = 0;
    if (r->at < r->end && *r->at == '"') {
        return read_quoted(r);
    }
    for (; r->at < r->end && (unsigned char)*r->at > 0x20 && *r->at != '#' && *r->at != '"'; r->at++) {
        if (size == MOST_TEXT) {
            return lbio_fail(r->source, LB_ERROR_TOO_LARGE, r->word.line, "a word has more than %d bytes", MOST_TEXT);
        }
        r->word.text[size++] = *r->at;
    }
    r->word.text[size] = 0;
    if (size == 0 && r->at < r->end) {
        return lbio_fail(r->source, LB_ERROR_SYNTAX, r->line, "a byte that is no text: is this a habit?");
    }
    return LB_OK;
}

static int is_word(const habit_reader *r, const char *text) {
    return !r->word.is_quoted && strcmp(r->word.text, text) == 0;
}

static lb_status read_number(habit_reader *r, const char *what, double *value) {
    lb_status status = next_word(r);
    if (status) {
        return status;
    }
    const char *end = r->word.text + strlen(r->word.text);
    if (r->word.is_quoted || !*r->word.text || lbio_number(r->word.text, end, value) != end) {
        return lbio_fail(r->source, LB_ERROR_SYNTAX, r->word.line, "%s: a finite number was expected, not `%.40s`",
                         what, *r->word.text ? r->word.text : "the end of the file");
    }
    return LB_OK;
}

static lb_status read_count(habit_reader *r, const char *what, int least, int most, int *count) {
    double value;
    lb_status status = read_number(r, what, &value);
    if (status) {
        return status;
    }
    if (!(value >= least && value <= most) || value != (int)value) {
        return lbio_fail(r->source, LB_ERROR_TOO_LARGE, r->word.line, "%s: a number from %d to %d was expected", what,
                         least, most);
    }
    *count = (int)value;
    return LB_OK;
}

static lb_status read_numbers(habit_reader *r, const char *what, int count, double *values) {
    lb_status status = LB_OK;
    for (int i = 0; i < count && !status; i++) {
        status = read_number(r, what, &values[i]);
    }
    return status;
}

/* --- Statements --------------------------------------------------------------------------------------- */

static lb_status read_text(habit_reader *r, const char *what, char *text) {
    lb_status status = next_word(r);
    if (!status && !r->word.is_quoted) {
        status = lbio_fail(r->source, LB_ERROR_SYNTAX, r->word.line, "%s: a text in quotes was expected", what);
    }
    if (!status) {
        strcpy(text, r->word.text);
    }
    return status;
}

static int kind_of(const habit_reader *r) {
    for (int k = LB_HABIT_VARIABLE; k <= LB_HABIT_CONTACT; k++) {
        if (is_word(r, lb_habit_kind_name((lb_habit_kind)k))) {
            return k;
        }
    }
    return -1;
}

/* variable NAME MEAN, up AXIS MEAN, height MEAN, contact NAME MEAN. */
static lb_status read_feature(habit_reader *r, int i) {
    lb_habit_feature *feature = &r->features[i];
    lb_status status = next_word(r);
    const int kind = status ? -1 : kind_of(r);
    if (!status && kind < 0) {
        status = lbio_fail(r->source, LB_ERROR_SYNTAX, r->word.line,
                           "feature %d of %d: variable, up, height or contact was expected, not `%.40s`", i + 1,
                           r->data.feature_count, r->word.text);
    }
    if (status) {
        return status;
    }
    feature->kind = (lb_habit_kind)kind;
    r->lines[i] = r->word.line;
    if (kind != LB_HABIT_HEIGHT) {
        status = next_word(r);
        if (!status && !*r->word.text) {
            status = lbio_fail(r->source, LB_ERROR_SYNTAX, r->word.line, "a name was expected");
        }
        r->names[i] = status ? NULL : malloc(strlen(r->word.text) + 1);
        if (!status && !r->names[i]) {
            status = lbio_fail(r->source, LB_ERROR_MEMORY, r->word.line, "out of memory");
        }
        if (status) {
            return status;
        }
        strcpy(r->names[i], r->word.text);
        feature->name = r->names[i];
    }
    return read_number(r, "mean", &feature->mean);
}

static lb_status read_features(habit_reader *r) {
    if (r->data.feature_count > 0) {
        return lbio_fail(r->source, LB_ERROR_SYNTAX, r->word.line, "there are features already");
    }
    lb_status status = read_count(r, "features", 1, LB_HABIT_FEATURES, &r->data.feature_count);
    for (int i = 0; i < r->data.feature_count && !status; i++) {
        status = read_feature(r, i);
    }
    return status;
}

static lb_status read_factor(habit_reader *r) {
    const int n = r->data.feature_count;
    if (n == 0 || r->has_factor) {
        return lbio_fail(r->source, LB_ERROR_SYNTAX, r->word.line, "one factor stands behind the features");
    }
    r->has_factor = 1;
    return read_numbers(r, "factor", n * (n + 1) / 2, r->factor);
}

static lb_status read_starts(habit_reader *r) {
    if (r->data.feature_count == 0 || r->has_starts) {
        return lbio_fail(r->source, LB_ERROR_SYNTAX, r->word.line, "starts stand once, behind the features");
    }
    r->has_starts = 1;
    lb_status status = read_count(r, "starts", 0, LB_HABIT_STARTS, &r->data.start_count);
    return status ? status : read_numbers(r, "starts", r->data.start_count * r->data.feature_count, r->starts);
}

static lb_status read_statement(habit_reader *r) {
    static const char *const words[] = {"source", "credit", "root_height", "features", "factor", "starts"};
    switch (is_word(r, words[0])   ? 0
            : is_word(r, words[1]) ? 1
            : is_word(r, words[2]) ? 2
            : is_word(r, words[3]) ? 3
            : is_word(r, words[4]) ? 4
            : is_word(r, words[5]) ? 5
                                   : -1) {
    case 0:
        return read_text(r, words[0], r->source_text);
    case 1:
        return read_text(r, words[1], r->credit);
    case 2:
        return read_number(r, words[2], &r->data.root_height);
    case 3:
        return read_features(r);
    case 4:
        return read_factor(r);
    case 5:
        return read_starts(r);
    default:
        break;
    }
    const char *near_word = lbio_nearest(r->word.text, words, 6);
    return lbio_fail(r->source, LB_ERROR_SYNTAX, r->word.line, "`%.40s` is no statement of a habit%s%s%s", r->word.text,
                     near_word ? "; did you mean `" : "", near_word ? near_word : "", near_word ? "`?" : "");
}

/* --- Names -------------------------------------------------------------------------------------------- */

static int has_contact(const lb_body *body, const char *name, lbf_suggestions *near_names) {
    for (int k = 0; body && k < body->contact_count; k++) {
        lbf_suggest_offer(near_names, body->contacts[k].name, body->contacts[k].name);
        if (strcmp(body->contacts[k].name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

static int has_variable(const lb_figure *figure, const char *name, lbf_suggestions *near_names) {
    for (int k = 0; k < lb_figure_variable_count(figure); k++) {
        const char *known = lb_figure_variable(figure, k)->name;
        lbf_suggest_offer(near_names, known, known);
        if (strcmp(known, name) == 0) {
            return 1;
        }
    }
    return 0;
}

static lb_status check_name(const habit_reader *r, int i) {
    const lb_habit_feature *f = &r->features[i];
    lbf_suggestions near_names;
    char text[LBF_SUGGESTION_TEXT];
    if (f->kind == LB_HABIT_UP && (strlen(f->name) != 1 || !strchr("xyz", f->name[0]))) {
        return lbio_fail(r->source, LB_ERROR_NAME, r->lines[i], "up has the components x, y and z, not `%.40s`",
                         f->name);
    }
    if (!r->figure || (f->kind != LB_HABIT_VARIABLE && f->kind != LB_HABIT_CONTACT)) {
        return LB_OK;
    }
    lbf_suggest_begin(&near_names, f->name);
    if (f->kind == LB_HABIT_VARIABLE ? has_variable(r->figure, f->name, &near_names)
                                     : has_contact(lb_figure_body(r->figure), f->name, &near_names)) {
        return LB_OK;
    }
    lbf_suggest_text(&near_names, text);
    return lbio_fail(r->source, LB_ERROR_NAME, r->lines[i], "the figure has no %s `%.60s`%s%s",
                     lb_habit_kind_name(f->kind), f->name, *text ? "; " : "", text);
}

/* --- The file ----------------------------------------------------------------------------------------- */

static lb_status read_all(habit_reader *r) {
    double version;
    lb_status status = next_word(r);
    if (!status && !is_word(r, "habit")) {
        status = lbio_fail(r->source, LB_ERROR_SYNTAX, r->word.line, "a habit begins with `habit 1`");
    }
    status = status ? status : read_number(r, "habit", &version);
    if (!status && version != 1) {
        status = lbio_fail(r->source, LB_ERROR_UNSUPPORTED, r->word.line, "this Limber reads version 1 of habits");
    }
    status = status ? status : next_word(r);
    while (!status && (*r->word.text || r->word.is_quoted)) {
        status = read_statement(r);
        status = status ? status : next_word(r);
    }
    if (!status && (r->data.feature_count == 0 || !r->has_factor)) {
        status = lbio_fail(r->source, LB_ERROR_SYNTAX, r->line, "the habit has no %s",
                           r->data.feature_count == 0 ? "features" : "factor");
    }
    for (int i = 0; i < r->data.feature_count && !status; i++) {
        status = check_name(r, i);
    }
    return status;
}

static lb_status read_habit(const lbio_source *source, const lb_figure *figure, lb_habit **habit) {
    habit_reader *r = calloc(1, sizeof *r);
    lb_error error;
    if (!r) {
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    r->source = source;
    r->figure = figure;
    r->at = source->text;
    r->end = source->text + source->size;
    r->line = 1;
    lb_habit_data_defaults(&r->data);
    lb_status status = read_all(r);
    if (!status) {
        r->data.features = r->features;
        r->data.factor = r->factor;
        r->data.starts = r->starts;
        r->data.source = r->source_text;
        r->data.credit = r->credit;
        *habit = lb_habit_create(&r->data, source->options->allocator, &error);
        status = *habit ? LB_OK : lbio_fail(source, error.status, 0, "%s", error.message);
    }
    for (int i = 0; i < LB_HABIT_FEATURES; i++) {
        free(r->names[i]);
    }
    free(r);
    return status;
}

lb_status lb_habit_load_memory(const void *data, size_t size, const char *name, const lb_figure *figure,
                               const lb_load_options *given, lb_habit **habit, lb_error *error) {
    lb_load_options options;
    lb_error unseen;
    error = error ? error : &unseen;
    name = name ? name : "<memory>";
    if (!habit || (!data && size > 0)) {
        return lbio_error(error, LB_ERROR_ARGUMENT, name, 0, "no data or no place for the habit was given");
    }
    *habit = NULL;
    lb_status status = lbio_take_load_options(given, &options, name, error);
    if (status) {
        return status;
    }
    if (size > MOST_BYTES || size > options.max_bytes) {
        return lbio_error(error, LB_ERROR_TOO_LARGE, name, 0, "larger than a habit is; is this one?");
    }
    const lbio_source source = {name, size ? data : "", size, &options, error};
    status = read_habit(&source, figure, habit);
    if (!status) {
        *error = (lb_error){.status = LB_OK};
    }
    return status;
}

lb_status lb_habit_load(const char *path, const lb_figure *figure, const lb_load_options *given, lb_habit **habit,
                        lb_error *error) {
    lb_load_options options;
    lb_error unseen;
    char *data = NULL;
    size_t size = 0;
    error = error ? error : &unseen;
    if (!path || !habit) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "no path or no place for the habit was given");
    }
    *habit = NULL;
    lb_status status = lbio_take_load_options(given, &options, path, error);
    const size_t most = options.max_bytes < MOST_BYTES ? options.max_bytes : MOST_BYTES;
    status = status ? status : lbio_read_file(path, most, &data, &size, error);
    status = status ? status : lb_habit_load_memory(data, size, path, figure, &options, habit, error);
    free(data);
    return status;
}
