/* XML by expat into a small tree, with line numbers and caps. Document types are refused. */
#ifndef LIMBER_IO_XML_H
#define LIMBER_IO_XML_H

#include "io/text.h"

typedef struct lbio_xml_attribute {
    const char *name;
    const char *value;
} lbio_xml_attribute;

typedef struct lbio_xml {
    const char *name; /* as written, prefix included ("xacro:macro") */
    int line;
    int attribute_count;
    lbio_xml_attribute *attributes;
    const char *text; /* character data directly inside, may be "" */
    struct lbio_xml *parent, *first_child, *last_child, *next;
} lbio_xml;

#define LBIO_XML_MAX_DEPTH 256
#define LBIO_XML_MAX_ELEMENTS 1000000

/* Parses source->text; on success *root belongs to *document, freed with lbio_xml_free. Caps: depth 256, 1,000,000
 * elements. Tolerates a BOM, and, with a warning, blank lines before the XML declaration and NULs after the end. */
typedef struct lbio_xml_document lbio_xml_document;
lb_status lbio_xml_parse(const lbio_source *source, lbio_xml_document **document, lbio_xml **root);
void lbio_xml_free(lbio_xml_document *document);
/* For those who fill a tree: an empty document (NULL if there is no memory), a copy of a string that lives as long, an
 * element put behind the last child of another (parent NULL: a root), and the text without what strict XML forbids but
 * files in use have around it (returns how many lines were left out at the beginning). */
lbio_xml_document *lbio_xml_create(const lb_allocator *allocator);
char *lbio_xml_copy(lbio_xml_document *document, const char *text);
void lbio_xml_append(lbio_xml *parent, lbio_xml *element);
int lbio_xml_trim(const lbio_source *source, const char **text, size_t *size);
/* Zeroed memory from the source's allocator that lives as long as the document; NULL if there is none. */
void *lbio_xml_allocate(lbio_xml_document *document, size_t size);

const char *lbio_xml_get(const lbio_xml *element, const char *attribute); /* NULL where missing */
lbio_xml *lbio_xml_child(const lbio_xml *element, const char *name);      /* first of that name, or NULL */
lbio_xml *lbio_xml_next(const lbio_xml *element, const char *name);       /* next sibling of that name */
/* Reads exactly `count` numbers from an attribute. Missing: leaves values, returns LB_OK and sets *present 0 (may be
 * NULL). Anything else than count finite numbers fails with file:line and names element and attribute; text that looks
 * like unexpanded xacro ("${", "$(") is named as such. */
lb_status lbio_xml_numbers(const lbio_source *source, const lbio_xml *element, const char *attribute, int count,
                           double *values, int *present);

/* Whether a text holds an expression of xacro or roslaunch: "${...}" or "$(...)". */
int lbio_xml_is_xacro(const char *text);

/* A piece of a file as it may stand in a message: at most 60 bytes and an ellipsis, cut at a character, without control
 * characters. Returns shown. */
#define LBIO_XML_SHOWN_SIZE 64
const char *lbio_xml_show(const char *text, char shown[LBIO_XML_SHOWN_SIZE]);

#endif
