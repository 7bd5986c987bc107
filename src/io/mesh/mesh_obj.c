/* Wavefront OBJ: the vertices (v), and how many triangles its faces (f) make. All else is passed over. */
#include "io/mesh/mesh.h"

#include <string.h>

static int is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && is_blank(*at)) {
        at++;
    }
    return at;
}

static lb_status read_vertex(const lbio_source *source, const char *at, const char *end, int line, lbio_cloud *cloud) {
    double point[3];
    for (int c = 0; c < 3; c++) {
        at = skip_blanks(at, end);
        at = lbio_number(at, end, &point[c]);
        if (!at || (at < end && !is_blank(*at))) {
            return lbio_fail(source, LB_ERROR_SYNTAX, line, "`v` needs three finite numbers");
        }
    }
    return lbio_cloud_add(cloud, point) ? LB_OK : lbio_cloud_full(source, cloud, line);
}

/* One corner of a face: an index of a vertex (from 1, or from the last, -1), then perhaps `/` and more. Returns what is
 * behind it; NULL where it is none. *vertex counts from 0. */
static const char *read_corner(const char *at, const char *end, int count, int *vertex) {
    const int is_back = at < end && *at == '-';
    long long index = 0;
    at += is_back;
    const char *digits = at;
    for (; at < end && *at >= '0' && *at <= '9' && index <= LBIO_MESH_MAX_POINTS; at++) {
        index = 10 * index + (*at - '0');
    }
    if (at == digits || index < 1 || index > count) {
        return NULL;
    }
    *vertex = is_back ? count - (int)index : (int)index - 1;
    while (at < end && !is_blank(*at)) {
        at++;
    }
    return at;
}

/* A face of many corners is taken as a fan about the first. */
static lb_status read_face(const lbio_source *source, const char *at, const char *end, int line, lbio_cloud *cloud) {
    int corners = 0, first = 0, last = 0, vertex = 0;
    for (at = skip_blanks(at, end); at < end; at = skip_blanks(at, end)) {
        at = read_corner(at, end, cloud->count, &vertex);
        if (!at) {
            return lbio_fail(source, LB_ERROR_SYNTAX, line,
                             "corner %d of a face is no index of a vertex before it; there are %d", corners + 1,
                             cloud->count);
        }
        if (corners >= 2 && !lbio_cloud_add_triangle(cloud, first, last, vertex)) {
            return lbio_cloud_full(source, cloud, line);
        }
        first = corners == 0 ? vertex : first;
        last = vertex;
        corners++;
    }
    return corners >= 3 ? LB_OK : lbio_fail(source, LB_ERROR_SYNTAX, line, "a face needs three corners or more");
}

lb_status lbio_read_obj(const lbio_source *source, lbio_cloud *cloud) {
    const char *end = source->text + source->size;
    int line = 1;
    lb_status status = LB_OK;
    for (const char *at = source->text; at < end && !status; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *next = stop ? stop + 1 : end;
        stop = stop ? stop : end;
        at = skip_blanks(at, stop);
        if (stop - at > 1 && is_blank(at[1])) {
            if (at[0] == 'v') {
                status = read_vertex(source, at + 1, stop, line, cloud);
            } else if (at[0] == 'f') {
                status = read_face(source, at + 1, stop, line, cloud);
            }
        }
        at = next;
    }
    if (!status && cloud->triangle_count == 0) {
        return lbio_fail(source, LB_ERROR_SYNTAX, 0, "has no faces; is this an OBJ file?");
    }
    return status;
}
