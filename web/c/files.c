/* Files in a page: a table of names and bytes that the page keeps (web/files.js). */
#include "io/text.h"
#include "web.h"

#include <stdlib.h>
#include <string.h>

void lbio_watch_files(const lbio_watch *watch) { (void)watch; } /* the page writes nothing over what it was given */

void lbio_name_file(const char *path) { (void)path; }

int lbio_is_file(const char *path) { return lbw_file_size(path) >= 0; }

char *lbio_real_path(const char *path) {
    size_t size = strlen(path) + 2;
    char *real = malloc(size);
    if (real) {
        lbw_file_real_path(path, real, size);
    }
    return real;
}

lb_status lbio_read_file(const char *path, size_t max_bytes, char **data, size_t *size, lb_error *error) {
    int bytes = lbw_file_size(path);
    if (bytes < 0) {
        return lbio_error(error, LB_ERROR_FILE, path, 0, "cannot be opened: no file of this name was given");
    }
    if ((size_t)bytes > max_bytes) {
        return lbio_error(error, LB_ERROR_TOO_LARGE, path, 0,
                          "larger than the allowed %zu bytes; is this a figure file?", max_bytes);
    }
    char *text = malloc((size_t)bytes + 1);
    if (!text) {
        return lbio_error(error, LB_ERROR_MEMORY, path, 0, "out of memory");
    }
    lbw_file_read(path, text);
    text[bytes] = 0;
    *data = text;
    *size = (size_t)bytes;
    return LB_OK;
}

lb_status lbio_read_reference(const char *path, size_t max_bytes, char **data, size_t *size, lb_error *error) {
    return lbio_read_file(path, max_bytes, data, size, error);
}

lb_status lbio_write_file(const char *path, const void *data, size_t size, lb_error *error) {
    return lbw_file_write(path, data, size)
               ? lbio_error(error, LB_ERROR_MEMORY, path, 0, "cannot be kept: out of memory")
               : LB_OK;
}
