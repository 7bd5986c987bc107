/* Where the mesh is that a robot file names. The file is not trusted: whatever it names, and whatever links there are,
 * what is read lies in the robot file's own folder, in a folder that the user gave, or in the package that the robot
 * file is part of. */
#include "io/mesh/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a resolved path lies in a resolved folder. */
static int lies_in(const char *path, const char *folder) {
    const size_t length = strlen(folder);
    return strcmp(folder, "/") == 0 || (strncmp(path, folder, length) == 0 && path[length] == '/');
}

/* The file at folder/rest with its links followed, if it is a file and lies in a folder `within`, which is resolved. */
static char *try_path(const char *folder, size_t length, const char *rest, const char *within, int *is_outside) {
    lbio_text text = {0};
    lbio_text_bytes(&text, folder, length);
    lbio_text_add(&text, "/");
    lbio_text_add(&text, rest);
    char *path = !text.failed && lbio_is_file(text.data) ? lbio_real_path(text.data) : NULL;
    lbio_text_free(&text);
    if (path && !lies_in(path, within)) {
        *is_outside = 1;
        free(path);
        return NULL;
    }
    return path;
}

/* --- Packages ------------------------------------------------------------------------------------------------------------- */

/* The end of the folder that begins at `list`, a list with colons. */
static const char *end_of(const char *list) {
    const char *colon = strchr(list, ':');
    return colon ? colon : list + strlen(list);
}

static char *real_folder(const char *begin, size_t length) {
    lbio_text text = {0};
    lbio_text_bytes(&text, begin, length);
    char *folder = length && !text.failed ? lbio_real_path(text.data) : NULL;
    lbio_text_free(&text);
    return folder;
}

/* Whether the last part of a path is a name of this length. */
static int is_called(const char *path, size_t path_length, const char *name, size_t length) {
    return path_length > length && path[path_length - length - 1] == '/' &&
           strncmp(path + path_length - length, name, length) == 0;
}

/* In one of the user's folders: FOLDER/NAME/rest, or FOLDER/rest where the folder itself is called NAME. */
static char *find_in_list(const char *list, const char *name, const char *rest, int *is_outside) {
    char *path = NULL;
    const size_t length = (size_t)(rest - name - 1);
    while (list && *list && !path) {
        const char *end = end_of(list);
        char *folder = real_folder(list, (size_t)(end - list));
        if (folder) {
            path = try_path(folder, strlen(folder), name, folder, is_outside);
        }
        if (folder && !path && is_called(folder, strlen(folder), name, length)) {
            path = try_path(folder, strlen(folder), rest, folder, is_outside);
        }
        free(folder);
        list = *end ? end + 1 : end;
    }
    return path;
}

/* In the package that the robot file is part of: the nearest of the folders around it that is called NAME. */
static char *find_around(const char *own, const char *name, const char *rest, int *is_outside) {
    const size_t length = (size_t)(rest - name - 1);
    char *path = NULL, *within = own ? real_folder(own, strlen(own)) : NULL;
    for (size_t end = within ? strlen(within) : 0; end > 1 && !path;) {
        within[end] = 0;
        if (is_called(within, end, name, length)) {
            path = try_path(within, end, rest, within, is_outside);
        }
        const char *slash = strrchr(within, '/');
        end = slash ? (size_t)(slash - within) : 0;
    }
    free(within);
    return path;
}

static char *find_package(const lbio_mesh_name *mesh, const char *name, char *reason) {
    const char *slash = strchr(name, '/');
    int is_outside = 0;
    if (!slash || slash == name || slash[1] == 0) {
        snprintf(reason, LB_ERROR_MESSAGE_SIZE, "\"%.60s\" names no file: it should be package://NAME/path", mesh->uri);
        return NULL;
    }
    char *path = find_in_list(mesh->packages, name, slash + 1, &is_outside);
    if (!path) {
        path = find_around(mesh->folder, name, slash + 1, &is_outside);
    }
    if (!path && is_outside) {
        snprintf(reason, LB_ERROR_MESSAGE_SIZE,
                 "\"%.100s\" is, with its links followed, outside of the package's folder", mesh->uri);
    } else if (!path) {
        snprintf(reason, LB_ERROR_MESSAGE_SIZE,
                 "\"%.100s\" is not there, or is no file; give the folder that the package %.*s is in with --packages",
                 mesh->uri, slash - name > 60 ? 60 : (int)(slash - name), name);
    }
    return path;
}

/* --- Paths ---------------------------------------------------------------------------------------------------------------- */

static int is_allowed(const lbio_mesh_name *mesh, const char *path) {
    const char *const own[2] = {mesh->folder, mesh->root};
    int is_inside = 0;
    for (int i = 0; i < 2 && !is_inside; i++) {
        char *folder = own[i] ? lbio_real_path(own[i]) : NULL;
        is_inside = folder && lies_in(path, folder);
        free(folder);
    }
    for (const char *list = mesh->packages; list && *list && !is_inside;) {
        const char *end = end_of(list);
        char *folder = real_folder(list, (size_t)(end - list));
        is_inside = folder && lies_in(path, folder);
        free(folder);
        list = *end ? end + 1 : end;
    }
    return is_inside;
}

static char *find_plain(const lbio_mesh_name *mesh, const char *name, char *reason) {
    lbio_text text = {0};
    if (name[0] != '/') {
        lbio_text_add(&text, mesh->base);
        lbio_text_add(&text, "/");
    }
    lbio_text_add(&text, name);
    char *path = !text.failed && lbio_is_file(text.data) ? lbio_real_path(text.data) : NULL;
    lbio_text_free(&text);
    if (!path) {
        snprintf(reason, LB_ERROR_MESSAGE_SIZE, "\"%.100s\" is not there, or is no file", mesh->uri);
    } else if (!is_allowed(mesh, path)) {
        snprintf(reason, LB_ERROR_MESSAGE_SIZE,
                 "\"%.100s\" lies outside of the file's own folder; name a folder around it with --packages",
                 mesh->uri);
        free(path);
        path = NULL;
    }
    return path;
}

/* What follows a scheme, as "file:", which may be written in capitals; NULL: it is another. */
static const char *after_scheme(const char *uri, const char *scheme) {
    for (; *scheme; scheme++, uri++) {
        if ((*uri >= 'A' && *uri <= 'Z' ? *uri + 'a' - 'A' : *uri) != *scheme) {
            return NULL;
        }
    }
    return uri;
}

static char *find_name(const lbio_mesh_name *mesh, char *reason) {
    const char *rest;
    if ((rest = after_scheme(mesh->uri, "package://")) ||
        (rest = after_scheme(mesh->uri, "model://"))) { /* Gazebo's word for a package */
        return find_package(mesh, rest, reason);
    }
    if ((rest = after_scheme(mesh->uri, "file:"))) {
        rest += strncmp(rest, "//", 2) == 0 ? 2 : 0;
        rest += strncmp(rest, "localhost/", 10) == 0 ? 9 : 0;
        return find_plain(mesh, rest, reason);
    }
    if (strstr(mesh->uri, "://")) {
        snprintf(reason, LB_ERROR_MESSAGE_SIZE, "\"%.100s\" is not read: only package://, file:// and paths are",
                 mesh->uri);
        return NULL;
    }
    return find_plain(mesh, mesh->uri, reason);
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* A name as it is meant where no file is called so: "%20" in a URI is a blank, and exporters on Windows write \ for /.
 * NULL: it would be the same, or there is no memory. */
static char *meant_name(const char *uri) {
    const int is_uri = strchr(uri, ':') != NULL;
    char *meant = malloc(strlen(uri) + 1), *to = meant;
    for (const char *c = uri; meant && *c; c++) {
        const int high = is_uri && *c == '%' ? hex_digit(c[1]) : -1, low = high >= 0 ? hex_digit(c[2]) : -1;
        if (low >= 0 && high + low > 0) {
            *to++ = (char)(16 * high + low);
            c += 2;
        } else {
            *to++ = (char)(*c == '\\' ? '/' : *c);
        }
    }
    if (meant) {
        *to = 0;
    }
    if (meant && strcmp(meant, uri) == 0) {
        free(meant);
        return NULL;
    }
    return meant;
}

char *lbio_mesh_find(const lbio_mesh_name *mesh, char *reason) {
    if (!mesh->folder) {
        snprintf(reason, LB_ERROR_MESSAGE_SIZE, "a figure that comes from no file has no meshes beside it");
        return NULL;
    }
    char *path = find_name(mesh, reason), *meant = path ? NULL : meant_name(mesh->uri);
    if (meant) {
        lbio_mesh_name other = *mesh;
        other.uri = meant;
        path = find_name(&other, reason);
    }
    free(meant);
    return path;
}
