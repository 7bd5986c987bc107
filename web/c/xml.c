/* XML in a page: the browser's DOMParser does the syntax, web/xml.js the lines, the caps and the messages. */
#include "io/xml/xml.h"
#include "web.h"

/* web/xml.js writes this layout. */
_Static_assert(sizeof(lbio_xml) == 36 && offsetof(lbio_xml, line) == 4 && offsetof(lbio_xml, attribute_count) == 8 &&
                   offsetof(lbio_xml, attributes) == 12 && offsetof(lbio_xml, text) == 16 &&
                   offsetof(lbio_xml, parent) == 20 && offsetof(lbio_xml, first_child) == 24 &&
                   offsetof(lbio_xml, last_child) == 28 && offsetof(lbio_xml, next) == 32 &&
                   sizeof(lbio_xml_attribute) == 8,
               "the layout that web/xml.js writes");

lb_status lbio_xml_parse(const lbio_source *source, lbio_xml_document **document, lbio_xml **root) {
    const char *text = source->text;
    size_t size = source->size;
    lb_error error;
    int skipped = lbio_xml_trim(source, &text, &size);
    *root = NULL;
    *document = lbio_xml_create(source->options->allocator);
    if (!*document) {
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    *root = lbw_xml_parse(source->name, text, size, skipped, *document, &error);
    if (*root) {
        return LB_OK;
    }
    lbio_xml_free(*document);
    *document = NULL;
    return lbio_fail(source, error.status, error.line, "%s", error.message);
}
