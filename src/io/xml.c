/* XML into a small tree. Expat does the syntax; this file keeps lines, memory, caps and messages. */
#include "io/xml.h"
#include "io/names.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

/* All of a tree lies in a few blocks that are freed together: a file of 64 MiB has millions of small strings. */
typedef struct block {
    struct block *next;
    size_t size; /* of the whole block, for the allocator */
} block;

#define BLOCK_SIZE ((size_t)64 * 1024)
#define ALIGNMENT ((size_t)16)
#define BLOCK_HEAD ((sizeof(block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

struct lbio_xml_document {
    const lb_allocator *allocator; /* NULL: the C library's */
    block *blocks;
    char *at; /* free space in the newest block */
    size_t left;
};

/* Character data of an element that is still open. */
typedef struct gathered {
    char *data;
    size_t size, capacity;
    int has_ink; /* anything but white space */
} gathered;

typedef struct parse {
    const lbio_source *source;
    XML_Parser parser;
    lbio_xml_document *document;
    lbio_xml *root, *open;
    gathered text[LBIO_XML_MAX_DEPTH];
    int depth, element_count;
    int skipped_lines; /* lines dropped before the XML declaration */
    lb_status status;  /* set by whoever stops the parser; the message is then already written */
} parse;

void *lbio_xml_allocate(lbio_xml_document *document, size_t size) {
    if (size > (size_t)-1 / 4) {
        return NULL;
    }
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size > document->left) {
        size_t whole = BLOCK_HEAD + (size > BLOCK_SIZE / 4 ? size : BLOCK_SIZE);
        block *fresh = lbio_resize(document->allocator, NULL, 0, whole);
        if (!fresh) {
            return NULL;
        }
        fresh->next = document->blocks;
        fresh->size = whole;
        document->blocks = fresh;
        if (size > BLOCK_SIZE / 4) { /* a block of its own; the open one goes on serving small pieces */
            return memset((char *)fresh + BLOCK_HEAD, 0, size);
        }
        document->at = (char *)fresh + BLOCK_HEAD;
        document->left = BLOCK_SIZE;
    }
    void *memory = memset(document->at, 0, size);
    document->at += size;
    document->left -= size;
    return memory;
}

void lbio_xml_free(lbio_xml_document *document) {
    if (!document) {
        return;
    }
    while (document->blocks) {
        block *next = document->blocks->next;
        lbio_resize(document->allocator, document->blocks, document->blocks->size, 0);
        document->blocks = next;
    }
    lbio_resize(document->allocator, document, sizeof *document, 0);
}

static char *copy_text(lbio_xml_document *document, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = lbio_xml_allocate(document, size);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* ------------------------------------------------------------------------------------------------- */

static int current_line(const parse *p) { return (int)XML_GetCurrentLineNumber(p->parser) + p->skipped_lines; }

static void stop(parse *p, lb_status status) {
    p->status = status;
    XML_StopParser(p->parser, XML_FALSE);
}

static void stop_out_of_memory(parse *p) { stop(p, lbio_fail(p->source, LB_ERROR_MEMORY, 0, "out of memory")); }

static lb_status fill_attributes(parse *p, lbio_xml *element, const XML_Char **pairs) {
    int count = 0;
    while (pairs[2 * count]) {
        ++count;
    }
    if (count == 0) {
        return LB_OK;
    }
    element->attributes = lbio_xml_allocate(p->document, (size_t)count * sizeof *element->attributes);
    if (!element->attributes) {
        return LB_ERROR_MEMORY;
    }
    for (int i = 0; i < count; ++i) {
        element->attributes[i].name = copy_text(p->document, pairs[2 * i]);
        element->attributes[i].value = copy_text(p->document, pairs[2 * i + 1]);
        if (!element->attributes[i].name || !element->attributes[i].value) {
            return LB_ERROR_MEMORY;
        }
    }
    element->attribute_count = count;
    return LB_OK;
}

static void XMLCALL on_start(void *context, const XML_Char *name, const XML_Char **pairs) {
    parse *p = context;
    if (p->status) {
        return;
    }
    if (p->depth == LBIO_XML_MAX_DEPTH) {
        stop(p, lbio_fail(p->source, LB_ERROR_TOO_LARGE, current_line(p),
                          "elements are nested more than %d deep, which no model needs", LBIO_XML_MAX_DEPTH));
        return;
    }
    if (p->element_count == LBIO_XML_MAX_ELEMENTS) {
        stop(p, lbio_fail(p->source, LB_ERROR_TOO_LARGE, current_line(p), "there are more than %d XML elements",
                          LBIO_XML_MAX_ELEMENTS));
        return;
    }
    lbio_xml *element = lbio_xml_allocate(p->document, sizeof *element);
    char *own_name = copy_text(p->document, name);
    if (!element || !own_name || fill_attributes(p, element, pairs) != LB_OK) {
        stop_out_of_memory(p);
        return;
    }
    element->name = own_name;
    element->text = "";
    element->line = current_line(p);
    element->parent = p->open;
    if (!p->open) {
        p->root = element;
    } else if (p->open->last_child) {
        p->open->last_child->next = element;
        p->open->last_child = element;
    } else {
        p->open->first_child = p->open->last_child = element;
    }
    p->open = element;
    memset(&p->text[p->depth++], 0, sizeof p->text[0]);
    ++p->element_count;
}

static void XMLCALL on_end(void *context, const XML_Char *name) {
    parse *p = context;
    (void)name;
    if (p->status) {
        return;
    }
    gathered *text = &p->text[--p->depth];
    if (text->has_ink) {
        text->data[text->size] = '\0';
        p->open->text = text->data;
    }
    p->open = p->open->parent;
}

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void XMLCALL on_text(void *context, const XML_Char *data, int length) {
    parse *p = context;
    if (p->status || p->depth == 0) {
        return;
    }
    gathered *text = &p->text[p->depth - 1];
    int first = 0;
    while (!text->has_ink && first < length && is_blank(data[first])) { /* the white space before the first word */
        ++first;
    }
    if (first == length) {
        return;
    }
    size_t more = (size_t)(length - first);
    if (text->size + more + 1 > text->capacity) {
        size_t capacity = 2 * (text->size + more) + 64;
        char *data_new = lbio_xml_allocate(p->document, capacity);
        if (!data_new) {
            stop_out_of_memory(p);
            return;
        }
        if (text->size) {
            memcpy(data_new, text->data, text->size);
        }
        text->data = data_new;
        text->capacity = capacity;
    }
    memcpy(text->data + text->size, data + first, more);
    text->size += more;
    text->has_ink = 1;
}

/* A document type can declare entities, and entities can name files and multiply without end. No model needs one. */
static void XMLCALL on_doctype(void *context, const XML_Char *name, const XML_Char *system_id,
                               const XML_Char *public_id, int has_internal_subset) {
    parse *p = context;
    (void)name, (void)system_id, (void)public_id, (void)has_internal_subset;
    if (!p->status) {
        stop(p, lbio_fail(p->source, LB_ERROR_UNSUPPORTED, current_line(p),
                          "a document type (<!DOCTYPE ...>) is not accepted; remove it"));
    }
}

/* ------------------------------------------------------------------------------------------------- */

/* Says what expat found, in the words of someone who has to mend the file. */
static lb_status fail_syntax(parse *p) {
    enum XML_Error code = XML_GetErrorCode(p->parser);
    int line = current_line(p);
    char shown[LBIO_XML_SHOWN_SIZE];
    if (code == XML_ERROR_NO_MEMORY) {
        return lbio_fail(p->source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    if (code == XML_ERROR_NO_ELEMENTS && !p->open) {
        return lbio_fail(p->source, LB_ERROR_SYNTAX, line, "there is no XML element in the file");
    }
    if ((code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN) && p->open) {
        return lbio_fail(p->source, LB_ERROR_SYNTAX, line,
                         "the file ends before <%s> of line %d is closed; is it cut short?",
                         lbio_xml_show(p->open->name, shown), p->open->line);
    }
    if (code == XML_ERROR_TAG_MISMATCH && p->open) {
        return lbio_fail(p->source, LB_ERROR_SYNTAX, line,
                         "mismatched tag: <%s> of line %d must be closed before another element is",
                         lbio_xml_show(p->open->name, shown), p->open->line);
    }
    if (code == XML_ERROR_UNKNOWN_ENCODING || code == XML_ERROR_INCORRECT_ENCODING) {
        return lbio_fail(p->source, LB_ERROR_SYNTAX, line,
                         "the encoding is not known or not as declared; save as UTF-8");
    }
    if (code == XML_ERROR_UNBOUND_PREFIX) {
        return lbio_fail(p->source, LB_ERROR_SYNTAX, line, "an element's prefix is not declared");
    }
    return lbio_fail(p->source, LB_ERROR_SYNTAX, line, "not well-formed XML at column %d: %s",
                     (int)XML_GetCurrentColumnNumber(p->parser) + 1, XML_ErrorString(code));
}

/* What is handed to expat: the text without what strict XML forbids but files in use have around it. */
static void trim(parse *p, const char **text, size_t *size) {
    const char *begin = *text, *end = begin + *size;
    int is_utf16 = *size >= 2 && (unsigned char)begin[0] + (unsigned char)begin[1] == 0xff + 0xfe;
    if (is_utf16) {
        return;
    }
    const char *last = end;
    int has_nul = 0;
    while (last > begin && (is_blank(last[-1]) || last[-1] == '\0')) {
        has_nul |= *--last == '\0';
    }
    if (has_nul) {
        int line = 1;
        for (const char *c = begin; c < last; ++c) {
            line += *c == '\n';
        }
        lbio_warn(p->source, line, "NUL bytes after the end of the document are ignored");
        end = last;
    }
    const char *first = begin;
    if (end - first >= 3 && memcmp(first, "\xef\xbb\xbf", 3) == 0) {
        first += 3;
    }
    const char *mark = first;
    int lines = 0;
    while (first < end && is_blank(*first)) {
        lines += *first++ == '\n';
    }
    if (first > mark && end - first >= 5 && memcmp(first, "<?xml", 5) == 0) {
        p->skipped_lines = lines;
        lbio_warn(p->source, lines + 1, "blanks before the XML declaration, which must come first, are ignored");
        begin = first;
    }
    *text = begin;
    *size = (size_t)(end - begin);
}

/* Expat takes an int for the length, so large files go in by pieces. */
static lb_status feed(parse *p, const char *text, size_t size) {
    const size_t piece = (size_t)1 << 24;
    for (;;) {
        size_t now = size < piece ? size : piece;
        int is_final = now == size;
        if (XML_Parse(p->parser, text, (int)now, is_final) != XML_STATUS_OK) {
            return p->status ? p->status : fail_syntax(p);
        }
        if (is_final) {
            return p->status;
        }
        text += now;
        size -= now;
    }
}

lb_status lbio_xml_parse(const lbio_source *source, lbio_xml_document **document, lbio_xml **root) {
    *document = NULL;
    *root = NULL;
    const lb_allocator *allocator = source->options->allocator;
    lbio_xml_document *doc = lbio_resize(allocator, NULL, 0, sizeof *doc);
    if (!doc) {
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    memset(doc, 0, sizeof *doc);
    doc->allocator = allocator;

    parse p = {.source = source, .document = doc, .parser = XML_ParserCreate(NULL)};
    lb_status status = LB_ERROR_MEMORY;
    if (p.parser) {
        XML_SetUserData(p.parser, &p);
        XML_SetElementHandler(p.parser, on_start, on_end);
        XML_SetCharacterDataHandler(p.parser, on_text);
        XML_SetStartDoctypeDeclHandler(p.parser, on_doctype);
        const char *text = source->text;
        size_t size = source->size;
        trim(&p, &text, &size);
        status = feed(&p, text, size);
        XML_ParserFree(p.parser);
    } else {
        lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    if (status != LB_OK) {
        lbio_xml_free(doc);
        return status;
    }
    *document = doc;
    *root = p.root;
    return LB_OK;
}

/* ------------------------------------------------------------------------------------------------- */

const char *lbio_xml_get(const lbio_xml *element, const char *attribute) {
    for (int i = 0; i < element->attribute_count; ++i) {
        if (strcmp(element->attributes[i].name, attribute) == 0) {
            return element->attributes[i].value;
        }
    }
    return NULL;
}

static lbio_xml *find_from(lbio_xml *element, const char *name) {
    while (element && strcmp(element->name, name) != 0) {
        element = element->next;
    }
    return element;
}

lbio_xml *lbio_xml_child(const lbio_xml *element, const char *name) { return find_from(element->first_child, name); }

lbio_xml *lbio_xml_next(const lbio_xml *element, const char *name) { return find_from(element->next, name); }

int lbio_xml_is_xacro(const char *text) { return strstr(text, "${") != NULL || strstr(text, "$(") != NULL; }

const char *lbio_xml_show(const char *text, char shown[LBIO_XML_SHOWN_SIZE]) {
    size_t length = strlen(text), most = LBIO_XML_SHOWN_SIZE - 4, kept = length;
    if (length > most) {
        kept = most;
        while (kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80) {
            --kept;
        }
    }
    for (size_t i = 0; i < kept; ++i) {
        shown[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? ' ' : text[i];
    }
    memcpy(shown + kept, "...", 4);
    if (kept == length) {
        shown[kept] = '\0';
    }
    return shown;
}

/* Names the element for a message: <origin> of <joint name="elbow">. */
static void describe(const lbio_xml *element, const char *attribute, char *out, size_t size) {
    char shown[LBIO_XML_SHOWN_SIZE], shown_name[LBIO_XML_SHOWN_SIZE], shown_owner[LBIO_XML_SHOWN_SIZE];
    const lbio_xml *owner = element;
    while (owner && !lbio_xml_get(owner, "name")) {
        owner = owner->parent;
    }
    lbio_xml_show(element->name, shown);
    if (!owner) {
        snprintf(out, size, "<%s %s>", shown, attribute);
        return;
    }
    lbio_xml_show(lbio_xml_get(owner, "name"), shown_name);
    if (owner == element) {
        snprintf(out, size, "%s of <%s name=\"%s\">", attribute, shown, shown_name);
    } else {
        snprintf(out, size, "<%s %s> of <%s name=\"%s\">", shown, attribute, lbio_xml_show(owner->name, shown_owner),
                 shown_name);
    }
}

static lb_status fail_numbers(const lbio_source *source, const lbio_xml *element, const char *attribute, int count,
                              const char *value) {
    char where[320], shown[LBIO_XML_SHOWN_SIZE];
    describe(element, attribute, where, sizeof where);
    lbio_xml_show(value, shown);
    if (lbio_xml_is_xacro(value)) {
        return lbio_fail(source, LB_ERROR_SYNTAX, element->line,
                         "%s is an unexpanded xacro expression, \"%s\"; run xacro on the file first", where, shown);
    }
    if (count == 1) {
        return lbio_fail(source, LB_ERROR_SYNTAX, element->line, "%s must be one finite number, not \"%s\"", where,
                         shown);
    }
    return lbio_fail(source, LB_ERROR_SYNTAX, element->line, "%s must be %d finite numbers, not \"%s\"", where, count,
                     shown);
}

lb_status lbio_xml_numbers(const lbio_source *source, const lbio_xml *element, const char *attribute, int count,
                           double *values, int *present) {
    const char *value = lbio_xml_get(element, attribute);
    if (present) {
        *present = value != NULL;
    }
    if (!value) {
        return LB_OK;
    }
    const char *at = value, *end = value + strlen(value);
    for (int i = 0; i <= count; ++i) {
        while (at < end && is_blank(*at)) {
            ++at;
        }
        if (i == count) {
            break;
        }
        double number;
        const char *after = lbio_number(at, end, &number);
        if (!after || (after < end && !is_blank(*after))) {
            return fail_numbers(source, element, attribute, count, value);
        }
        values[i] = number;
        at = after;
    }
    return at == end ? LB_OK : fail_numbers(source, element, attribute, count, value);
}
