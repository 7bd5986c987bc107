/* The tree that an XML file becomes: its memory, finding one's way in it, numbers out of it. Whoever parses (xml.c, or
 * a browser: web/c/xml.c) fills it. */
#include "io/names.h"
#include "io/xml/xml.h"

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

lbio_xml_document *lbio_xml_create(const lb_allocator *allocator) {
    lbio_xml_document *document = lbio_resize(allocator, NULL, 0, sizeof *document);
    if (document) {
        memset(document, 0, sizeof *document);
        document->allocator = allocator;
    }
    return document;
}

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

char *lbio_xml_copy(lbio_xml_document *document, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = lbio_xml_allocate(document, size);
    return copy ? memcpy(copy, text, size) : NULL;
}

void lbio_xml_append(lbio_xml *parent, lbio_xml *element) {
    element->parent = parent;
    if (parent && parent->last_child) {
        parent->last_child->next = element;
        parent->last_child = element;
    } else if (parent) {
        parent->first_child = parent->last_child = element;
    }
}

/* ------------------------------------------------------------------------------------------------- */

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

int lbio_xml_trim(const lbio_source *source, const char **text, size_t *size) {
    const char *begin = *text, *end = begin + *size;
    int is_utf16 = *size >= 2 && (unsigned char)begin[0] + (unsigned char)begin[1] == 0xff + 0xfe;
    if (is_utf16) {
        return 0;
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
        lbio_warn(source, line, "NUL bytes after the end of the document are ignored");
        end = last;
    }
    const char *first = begin;
    if (end - first >= 3 && memcmp(first, "\xef\xbb\xbf", 3) == 0) {
        first += 3;
    }
    const char *mark = first;
    int lines = 0, skipped = 0;
    while (first < end && is_blank(*first)) {
        lines += *first++ == '\n';
    }
    if (first > mark && end - first >= 5 && memcmp(first, "<?xml", 5) == 0) {
        lbio_warn(source, lines + 1, "blanks before the XML declaration, which must come first, are ignored");
        begin = first;
        skipped = lines;
    }
    *text = begin;
    *size = (size_t)(end - begin);
    return skipped;
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
