/* XML into a small tree (xml_tree.c). Expat does the syntax; this file keeps lines, caps and messages. */
#include "io/xml/xml.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

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
        element->attributes[i].name = lbio_xml_copy(p->document, pairs[2 * i]);
        element->attributes[i].value = lbio_xml_copy(p->document, pairs[2 * i + 1]);
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
    char *own_name = lbio_xml_copy(p->document, name);
    if (!element || !own_name || fill_attributes(p, element, pairs) != LB_OK) {
        stop_out_of_memory(p);
        return;
    }
    element->name = own_name;
    element->text = "";
    element->line = current_line(p);
    lbio_xml_append(p->open, element);
    p->root = p->open ? p->root : element;
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
    lbio_xml_document *doc = lbio_xml_create(source->options->allocator);
    if (!doc) {
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    parse p = {.source = source, .document = doc, .parser = XML_ParserCreate(NULL)};
    lb_status status = LB_ERROR_MEMORY;
    if (p.parser) {
        XML_SetUserData(p.parser, &p);
        XML_SetElementHandler(p.parser, on_start, on_end);
        XML_SetCharacterDataHandler(p.parser, on_text);
        XML_SetStartDoctypeDeclHandler(p.parser, on_doctype);
        const char *text = source->text;
        size_t size = source->size;
        p.skipped_lines = lbio_xml_trim(source, &text, &size);
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
