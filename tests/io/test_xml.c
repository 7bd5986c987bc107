/* XML into a tree: lines, text, attributes, caps, and what is said of broken documents. */
#include "check.h"
#include "io/xml/xml.h"

#include <string.h>

typedef struct reading {
    lb_load_options options;
    lb_error error;
    lbio_source source;
    int warning_count;
    lb_error last_warning;
    lbio_xml_document *document;
    lbio_xml *root;
} reading;

static void on_warning(void *context, const lb_error *warning) {
    reading *r = context;
    ++r->warning_count;
    r->last_warning = *warning;
}

static lb_status parse_bytes(reading *r, const char *text, size_t size) {
    memset(r, 0, sizeof *r);
    lb_load_options_defaults(&r->options);
    r->options.warn = on_warning;
    r->options.warn_context = r;
    r->source = (lbio_source){.name = "t.xml", .text = text, .size = size, .options = &r->options, .error = &r->error};
    return lbio_xml_parse(&r->source, &r->document, &r->root);
}

static lb_status parse(reading *r, const char *text) { return parse_bytes(r, text, strlen(text)); }

static void test_tree(void) {
    reading r;
    REQUIRE(
        parse(&r,
              "<?xml version='1.0'?>\n<a one='1' two='&lt;&#228;'>\n <b/> word\n <c:d>x<e/>y</c:d>\n <b n='2'/></a>") ==
        LB_OK);
    CHECK_TEXT(r.root->name, "a");
    CHECK_INT(r.root->line, 2);
    CHECK_INT(r.root->attribute_count, 2);
    CHECK_TEXT(lbio_xml_get(r.root, "two"), "<\xc3\xa4");
    CHECK(lbio_xml_get(r.root, "three") == NULL);
    CHECK_HAS(r.root->text, "word");
    lbio_xml *b = lbio_xml_child(r.root, "b");
    REQUIRE(b);
    CHECK_INT(b->line, 3);
    CHECK_TEXT(b->text, "");
    b = lbio_xml_next(b, "b");
    REQUIRE(b);
    CHECK_TEXT(lbio_xml_get(b, "n"), "2");
    CHECK(lbio_xml_next(b, "b") == NULL);
    CHECK(b->parent == r.root);
    lbio_xml *d = lbio_xml_child(r.root, "c:d");
    REQUIRE(d);
    CHECK_TEXT(d->text, "xy");
    CHECK_INT(r.warning_count, 0);
    lbio_xml_free(r.document);
    lbio_xml_free(NULL);
}

static void test_long_text(void) {
    char text[6000] = "<a>";
    for (int i = 0; i < 500; ++i) {
        strcat(text, "ab&lt;cd\n");
    }
    strcat(text, "</a>");
    reading r;
    REQUIRE(parse(&r, text) == LB_OK);
    CHECK_INT(strlen(r.root->text), 500 * 6);
    CHECK(strncmp(r.root->text, "ab<cd\nab<cd\n", 12) == 0);
    lbio_xml_free(r.document);
}

static void test_tolerated(void) {
    reading r;
    static const char bom[] = "\xef\xbb\xbf<a/>";
    CHECK_INT(parse(&r, bom), LB_OK);
    CHECK_INT(r.warning_count, 0);
    lbio_xml_free(r.document);

    CHECK_INT(parse(&r, "\n \r\n<?xml version='1.0'?>\n<a><b/>\n<c/></a>"), LB_OK);
    CHECK_INT(r.warning_count, 1);
    CHECK_HAS(r.last_warning.message, "XML declaration");
    CHECK_INT(r.last_warning.line, 3);
    REQUIRE(r.root);
    CHECK_INT(r.root->line, 4);
    CHECK_INT(r.root->last_child->line, 5);
    lbio_xml_free(r.document);

    static const char nul[] = "<a>\n</a>\r\n\0\n\0";
    CHECK_INT(parse_bytes(&r, nul, sizeof nul), LB_OK);
    CHECK_INT(r.warning_count, 1);
    CHECK_HAS(r.last_warning.message, "NUL");
    CHECK_INT(r.last_warning.line, 2);
    lbio_xml_free(r.document);

    static const char utf16[] = "\xff\xfe<\0a\0 \0b\0=\0'\0\xe4\0'\0/\0>\0\n";
    CHECK_INT(parse_bytes(&r, utf16, sizeof utf16), LB_OK);
    REQUIRE(r.root);
    CHECK_TEXT(lbio_xml_get(r.root, "b"), "\xc3\xa4");
    lbio_xml_free(r.document);
}

static void test_refused(void) {
    static const struct {
        const char *text;
        int line;
        const char *says;
        lb_status status;
    } cases[] = {
        {"", 1, "no XML element", LB_ERROR_SYNTAX},
        {"   \n", 2, "no XML element", LB_ERROR_SYNTAX},
        {"<a>\n<b>\n</a>", 3, "<b> of line 2 must be closed", LB_ERROR_SYNTAX},
        {"<a>\n<b>", 2, "ends before <b> of line 2", LB_ERROR_SYNTAX},
        {"<a>\n<b", 2, "ends before <a> of line 1", LB_ERROR_SYNTAX},
        {"<a b='1'\n b='2'/>", 2, "duplicate attribute", LB_ERROR_SYNTAX},
        {"<a>&nbsp;</a>", 1, "undefined entity", LB_ERROR_SYNTAX},
        {"<a/><b/>", 1, "junk after document element", LB_ERROR_SYNTAX},
        {"plain text", 1, "not well-formed", LB_ERROR_SYNTAX},
        {"<?xml version='1.0' encoding='klingon'?><a/>", 1, "UTF-8", LB_ERROR_SYNTAX},
        {"<a b='\xff'/>", 1, "not well-formed", LB_ERROR_SYNTAX},
        {"<!DOCTYPE a>\n<a/>", 1, "DOCTYPE", LB_ERROR_UNSUPPORTED},
        {"<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY x 'xxxxxxxxxx'><!ENTITY y '&x;&x;'>]>\n<a>&y;</a>", 2, "DOCTYPE",
         LB_ERROR_UNSUPPORTED},
        {"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", 1, "DOCTYPE", LB_ERROR_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        reading r;
        check_note("%s", cases[i].text);
        CHECK_INT(parse(&r, cases[i].text), cases[i].status);
        CHECK_INT(r.error.status, cases[i].status);
        CHECK_TEXT(r.error.file, "t.xml");
        CHECK_INT(r.error.line, cases[i].line);
        CHECK_HAS(r.error.message, cases[i].says);
        CHECK(r.document == NULL && r.root == NULL);
    }
    check_note("%s", "");
}

static void test_caps(void) {
    size_t deepest = LBIO_XML_MAX_DEPTH;
    for (int over = 0; over < 2; ++over) {
        lbio_text text = {0};
        for (size_t i = 0; i < deepest + (size_t)over; ++i) {
            lbio_text_add(&text, "<a>");
        }
        for (size_t i = 0; i < deepest + (size_t)over; ++i) {
            lbio_text_add(&text, "</a>");
        }
        reading r;
        CHECK_INT(parse(&r, text.data), over ? LB_ERROR_TOO_LARGE : LB_OK);
        lbio_xml_free(r.document);
        lbio_text_free(&text);
    }
    lbio_text text = {0};
    lbio_text_add(&text, "<a>");
    for (int i = 0; i < LBIO_XML_MAX_ELEMENTS; ++i) {
        lbio_text_add(&text, "<b/>");
    }
    lbio_text_add(&text, "</a>");
    reading r;
    CHECK_INT(parse(&r, text.data), LB_ERROR_TOO_LARGE);
    CHECK_HAS(r.error.message, "more than 1000000");
    lbio_text_free(&text);
}

static void test_numbers(void) {
    reading r;
    REQUIRE(
        parse(&r,
              "<robot name='r'>\n<joint name='elbow'>\n<origin xyz=' 1 -2.5e-1\n\t.5 ' rpy='1 2' x='1,2,3' y='1 2 nan' "
              "z='1 2 inf' w='1 2 1e999' e='' s='$(optenv A 1) 0 0' p='1 2 ${x}' h='0x10 0 0' f='1 2 3 4' u='1 2 3a' "
              "k='+1 2. 3E2'/></joint></robot>") == LB_OK);
    lbio_xml *origin = lbio_xml_child(lbio_xml_child(r.root, "joint"), "origin");
    REQUIRE(origin);
    double v[3] = {7.0, 7.0, 7.0};
    int present = -1;
    CHECK_INT(lbio_xml_numbers(&r.source, origin, "xyz", 3, v, &present), LB_OK);
    CHECK_INT(present, 1);
    CHECK_NEAR(v[0], 1.0, 0.0);
    CHECK_NEAR(v[1], -0.25, 0.0);
    CHECK_NEAR(v[2], 0.5, 0.0);
    CHECK_INT(lbio_xml_numbers(&r.source, origin, "missing", 3, v, &present), LB_OK);
    CHECK_INT(present, 0);
    CHECK_NEAR(v[1], -0.25, 0.0);
    CHECK_INT(lbio_xml_numbers(&r.source, origin, "k", 3, v, NULL), LB_OK);
    CHECK_NEAR(v[0], 1.0, 0.0);
    CHECK_NEAR(v[2], 300.0, 0.0);
    static const char *const bad[] = {"rpy", "x", "y", "z", "w", "e", "h", "f", "u"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        check_note("%s", bad[i]);
        CHECK_INT(lbio_xml_numbers(&r.source, origin, bad[i], 3, v, NULL), LB_ERROR_SYNTAX);
        CHECK_INT(r.error.line, 3);
        CHECK_HAS(r.error.message, "must be 3 finite numbers");
        CHECK_HAS(r.error.message, "<joint name=\"elbow\">");
        CHECK_HAS(r.error.message, bad[i]);
    }
    static const char *const xacro[] = {"s", "p"};
    for (size_t i = 0; i < 2; ++i) {
        CHECK_INT(lbio_xml_numbers(&r.source, origin, xacro[i], 3, v, NULL), LB_ERROR_SYNTAX);
        CHECK_HAS(r.error.message, "unexpanded xacro");
    }
    lbio_xml_free(r.document);
}

static void test_show(void) {
    char shown[LBIO_XML_SHOWN_SIZE], text[200] = "";
    CHECK_TEXT(lbio_xml_show("elbow", shown), "elbow");
    CHECK_TEXT(lbio_xml_show("a\nb\x7f", shown), "a b ");
    for (int i = 0; i < 40; ++i) {
        strcat(text, i ? "\xc3\xa4" : "x");
    }
    lbio_xml_show(text, shown); /* 60 bytes would end inside a letter */
    CHECK_INT(strlen(shown), 59 + 3);
    CHECK_HAS(shown, "\xc3\xa4...");
}

int main(void) {
    test_tree();
    test_long_text();
    test_tolerated();
    test_refused();
    test_caps();
    test_numbers();
    test_show();
    return check_done();
}
