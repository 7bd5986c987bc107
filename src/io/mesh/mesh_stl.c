/* STL: 84 bytes, then 50 a triangle; or text, `facet normal ... outer loop vertex ... endloop endfacet`. Which of the
 * two a file is, its size tells: programs write "solid" in front of binary ones too. */
#include "io/mesh/mesh.h"

#include <math.h>
#include <string.h>

#define HEAD 84
#define RECORD 50
#define NORMAL 12 /* bytes before the corners */

static unsigned word_at(const unsigned char *at) {
    return (unsigned)at[0] | (unsigned)at[1] << 8 | (unsigned)at[2] << 16 | (unsigned)at[3] << 24;
}

static double float_at(const unsigned char *at) {
    const unsigned bits = word_at(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static lb_status read_binary(const lbio_source *source, size_t count, lbio_cloud *cloud) {
    const unsigned char *at = (const unsigned char *)source->text + HEAD;
    for (size_t t = 0; t < count; t++, at += RECORD) {
        for (int corner = 0; corner < 3; corner++) {
            double point[3];
            for (int c = 0; c < 3; c++) {
                point[c] = float_at(at + NORMAL + 12 * corner + 4 * c);
            }
            if (!lbio_are_finite(point, 3)) {
                return lbio_fail(source, LB_ERROR_SYNTAX, 0, "a corner of triangle %zu is not finite", t + 1);
            }
            if (!lbio_cloud_add(cloud, point)) {
                return lbio_cloud_full(source, cloud, 0);
            }
        }
        if (!lbio_cloud_add_triangle(cloud, cloud->count - 3, cloud->count - 2, cloud->count - 1)) {
            return lbio_cloud_full(source, cloud, 0);
        }
    }
    return LB_OK;
}

/* The next word: from *at, which goes behind it; `line` counts. Length 0: the end. */
static size_t next_word(const char **at, const char *end, const char **word, int *line) {
    while (*at < end && (**at == ' ' || **at == '\t' || **at == '\r' || **at == '\n')) {
        *line += **at == '\n';
        ++*at;
    }
    *word = *at;
    while (*at < end && !(**at == ' ' || **at == '\t' || **at == '\r' || **at == '\n')) {
        ++*at;
    }
    return (size_t)(*at - *word);
}

static int is_word(const char *word, size_t length, const char *wanted) {
    if (length != strlen(wanted)) {
        return 0;
    }
    for (size_t i = 0; i < length; i++) {
        const char letter = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] - 'A' + 'a') : word[i];
        if (letter != wanted[i]) {
            return 0;
        }
    }
    return 1;
}

static lb_status read_vertex(const lbio_source *source, const char **at, int *line, lbio_cloud *cloud) {
    const char *end = source->text + source->size, *word;
    double point[3];
    for (int c = 0; c < 3; c++) {
        const size_t length = next_word(at, end, &word, line);
        if (length == 0 || lbio_number(word, word + length, &point[c]) != word + length) {
            return lbio_fail(source, LB_ERROR_SYNTAX, *line, "`vertex` needs three numbers");
        }
    }
    return lbio_cloud_add(cloud, point) ? LB_OK : lbio_cloud_full(source, cloud, *line);
}

static lb_status read_text(const lbio_source *source, lbio_cloud *cloud) {
    const char *at = source->text, *end = source->text + source->size, *word;
    int line = 1, corners = 0, is_inside = 0, begun = 0;
    for (size_t length; (length = next_word(&at, end, &word, &line)) > 0;) {
        if (is_word(word, length, "vertex")) {
            if (!is_inside || ++corners > 3) {
                return lbio_fail(source, LB_ERROR_SYNTAX, line,
                                 is_inside ? "a facet has more than three corners"
                                           : "`vertex` stands outside of a facet");
            }
            lb_status status = read_vertex(source, &at, &line, cloud);
            if (status) {
                return status;
            }
        } else if (is_word(word, length, "facet")) {
            if (is_inside) {
                return lbio_fail(source, LB_ERROR_SYNTAX, line, "a facet begins inside the one of line %d", begun);
            }
            is_inside = 1;
            corners = 0;
            begun = line;
        } else if (is_word(word, length, "endfacet")) {
            if (!is_inside || corners != 3) {
                return lbio_fail(source, LB_ERROR_SYNTAX, line, "a facet ends that has %d corners, not three", corners);
            }
            is_inside = 0;
            if (!lbio_cloud_add_triangle(cloud, cloud->count - 3, cloud->count - 2, cloud->count - 1)) {
                return lbio_cloud_full(source, cloud, line);
            }
        }
    }
    if (is_inside) {
        return lbio_fail(source, LB_ERROR_SYNTAX, line, "the file ends inside the facet of line %d", begun);
    }
    return LB_OK;
}

lb_status lbio_read_stl(const lbio_source *source, lbio_cloud *cloud) {
    const size_t count = source->size >= HEAD ? word_at((const unsigned char *)source->text + HEAD - 4) : 0;
    const size_t wanted = HEAD + RECORD * count;
    const int is_text = strncmp(source->text, "solid", 5) == 0 && source->size != wanted;
    if (!is_text && (source->size < HEAD || source->size < wanted)) {
        return lbio_fail(source, LB_ERROR_SYNTAX, 0,
                         "is cut short, or no STL: its head speaks of %zu triangles, for which %zu bytes are missing",
                         count, wanted - source->size);
    }
    if (!is_text && count > LBIO_MESH_MAX_TRIANGLES) {
        return lbio_fail(source, LB_ERROR_TOO_LARGE, 0, "has %zu triangles; at most %d are read", count,
                         LBIO_MESH_MAX_TRIANGLES);
    }
    lb_status status = is_text ? read_text(source, cloud) : read_binary(source, count, cloud);
    if (!status && cloud->triangle_count == 0) {
        return lbio_fail(source, LB_ERROR_SYNTAX, 0, "has no triangles");
    }
    return status;
}
