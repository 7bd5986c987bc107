/* The XML of an MJCF file and of what it includes, from its own folder or a stated one; messages with the right file
 * and line. */
#include "io/mjcf/mjcf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Messages
 * ------------------------------------------------------------------------------------------------- */

static int is_include(const lbio_xml *element) { return strcmp(element->name, "include") == 0; }

const lbio_source *lbio_mjcf_source(const lbio_mjcf *m, const lbio_xml *element) {
    if (element) {
        while (element->parent && !is_include(element->parent)) {
            element = element->parent;
        }
        for (int i = 0; i < m->file_count; i++) {
            if (m->files[i].root == element) {
                return &m->files[i].source;
            }
        }
    }
    return m->source;
}

lb_status lbio_mjcf_fail(const lbio_mjcf *m, const lbio_xml *element, lb_status status, const char *format, ...) {
    char message[LB_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return lbio_fail(lbio_mjcf_source(m, element), status, element ? element->line : 0, "%s", message);
}

void lbio_mjcf_warn(const lbio_mjcf *m, const lbio_xml *element, const char *format, ...) {
    if (!m->source->options->warn) {
        return;
    }
    char message[LB_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    lbio_warn(lbio_mjcf_source(m, element), element ? element->line : 0, "%s", message);
}

lb_status lbio_mjcf_no_memory(const lbio_mjcf *m, const lbio_xml *element) {
    return lbio_mjcf_fail(m, element, LB_ERROR_MEMORY, "out of memory");
}

/* ---------------------------------------------------------------------------------------------------
 * Children, through includes
 *
 * An <include> that was followed has one child, the root of the included file, whose children stand for it.
 * ------------------------------------------------------------------------------------------------- */

/* From `node`, a place in the list of `list`'s children, to the first element that is no include. */
static lbio_xml *settle(const lbio_xml *owner, const lbio_xml *list, lbio_xml *node) {
    for (;;) {
        if (!node) {
            if (list == owner) {
                return NULL;
            }
            const lbio_xml *include = list->parent; /* an included file ends: on behind its <include> */
            node = include->next;
            list = include->parent;
        } else if (!is_include(node)) {
            return node;
        } else if (node->first_child) {
            list = node->first_child;
            node = list->first_child;
        } else {
            node = node->next;
        }
    }
}

lbio_xml *lbio_mjcf_first(const lbio_xml *owner) { return settle(owner, owner, owner->first_child); }

lbio_xml *lbio_mjcf_next(const lbio_xml *owner, const lbio_xml *child) {
    return settle(owner, child->parent, child->next);
}

/* ---------------------------------------------------------------------------------------------------
 * Includes
 * ------------------------------------------------------------------------------------------------- */

/* A path that stays in a folder by its own words: relative, no "..". Links are looked at later. */
static int is_tame(const char *path) {
    if (path[0] == 0 || path[0] == '/' || path[0] == '\\' || (path[0] != '.' && path[1] == ':')) {
        return 0;
    }
    for (const char *part = path; part; part = strpbrk(part, "/\\")) {
        part += *part == '/' || *part == '\\';
        if (strncmp(part, "..", 2) == 0 && (part[2] == 0 || part[2] == '/' || part[2] == '\\')) {
            return 0;
        }
    }
    return 1;
}

static char *join(const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s/%s", folder, name);
    }
    return path;
}

/* Whether a resolved path lies in a resolved folder. */
static int lies_in(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strcmp(folder, "/") == 0 || (strncmp(path, folder, length) == 0 && path[length] == '/');
}

/* Finds the file: named from the folder of its model's file, as MuJoCo has it, else from the including file's. On
 * success file->path is resolved and inside the main file's folder. */
static const char *word_of(const lbio_xml *element) { return is_include(element) ? "included" : "model's"; }

static lb_status find_included(const lbio_mjcf *m, const lbio_xml *element, const char *name, lbio_mjcf_file *file) {
    const char *includer = lbio_mjcf_source(m, element)->name;
    const char *slash = strrchr(includer, '/');
    const char *root = m->source->options->root ? m->source->options->root : m->folder;
    char *folder = lbio_real_path(root);
    file->name = join(m->model->folder, name);
    if (file->name && !lbio_is_file(file->name) && slash) {
        free(file->name);
        file->name = malloc((size_t)(slash - includer) + strlen(name) + 2);
        if (file->name) {
            sprintf(file->name, "%.*s/%s", (int)(slash - includer), includer, name);
        }
    }
    lb_status status = LB_OK;
    if (!folder && m->source->options->root) {
        status = lbio_mjcf_fail(m, element, LB_ERROR_FILE,
                                "the folder %s, which included files must lie in, is not there", root);
    } else if (!folder || !file->name) {
        status = lbio_mjcf_no_memory(m, element);
    } else if (!lbio_is_file(file->name) || !(file->path = lbio_real_path(file->name))) {
        status = lbio_mjcf_fail(m, element, LB_ERROR_FILE,
                                "the %s file \"%s\" is not there, or is no file (but a folder, a pipe or a device); it "
                                "is looked for in %s",
                                word_of(element), name, m->model->folder);
    } else if (!lies_in(file->path, folder)) {
        status =
            lbio_mjcf_fail(m, element, LB_ERROR_UNSUPPORTED,
                           "the %s file \"%s\" lies outside %s; copy it in, or state a folder around both (--root)",
                           word_of(element), name, root);
    }
    free(folder);
    return status;
}

static lb_status check_include(const lbio_mjcf *m, const lbio_xml *element, const char *name, int depth) {
    if (!name) {
        return lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX, "<%s> needs file=\"...\"", element->name);
    }
    if (!m->folder || !m->source->options->follow_includes) {
        return lbio_mjcf_fail(
            m, element, LB_ERROR_UNSUPPORTED, "includes \"%s\", but includes are not followed %s", name,
            m->folder ? "as the options say" : "for a model that does not come from a file of its own");
    }
    if (!m->source->options->root && !is_tame(name)) {
        return lbio_mjcf_fail(
            m, element, LB_ERROR_UNSUPPORTED,
            "includes \"%s\"; only files in the model's own folder are read: copy it there, or state a "
            "folder around both (--root)",
            name);
    }
    if (depth > LBIO_MJCF_MAX_INCLUDE_DEPTH || m->file_count == LBIO_MJCF_MAX_FILES) {
        return lbio_mjcf_fail(m, element, LB_ERROR_TOO_LARGE, "too many includes (at most %d files, %d deep)",
                              LBIO_MJCF_MAX_FILES, LBIO_MJCF_MAX_INCLUDE_DEPTH);
    }
    return LB_OK;
}

static lb_status read_included(lbio_mjcf *m, const lbio_xml *element, lbio_mjcf_file *file) {
    for (int i = 0; i < m->file_count; i++) {
        if (m->files[i].path && m->files[i].model == file->model && strcmp(m->files[i].path, file->path) == 0) {
            return lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX,
                                  "includes %s, which is read already; MJCF files may be "
                                  "included once",
                                  file->name);
        }
    }
    size_t size = 0, left = m->source->options->max_bytes - m->byte_count;
    lb_status status = lbio_read_reference(file->path, left, &file->text, &size, m->source->error);
    if (status != LB_OK) {
        return status;
    }
    m->byte_count += size;
    file->source = *m->source;
    file->source.name = file->name;
    file->source.text = file->text;
    file->source.size = size;
    return lbio_xml_parse(&file->source, &file->document, &file->root);
}

static void close_file(lbio_mjcf_file *file) {
    lbio_xml_free(file->document);
    free(file->text);
    free(file->path);
    free(file->name);
}

static lb_status follow_includes(lbio_mjcf *m, lbio_xml *element, int depth);

static lb_status follow_include(lbio_mjcf *m, lbio_xml *element, int depth) {
    const char *name = lbio_xml_get(element, "file");
    lb_status status = check_include(m, element, name, depth);
    if (status != LB_OK) {
        return status;
    }
    lbio_mjcf_file file;
    memset(&file, 0, sizeof file);
    file.model = (int)(m->model - m->models);
    status = find_included(m, element, name, &file);
    if (status == LB_OK) {
        status = read_included(m, element, &file);
    }
    if (status != LB_OK) {
        close_file(&file);
        return status;
    }
    m->files[m->file_count++] = file;
    element->first_child = element->last_child = file.root;
    file.root->parent = element;
    return follow_includes(m, file.root, depth + 1);
}

static lb_status follow_includes(lbio_mjcf *m, lbio_xml *element, int depth) {
    for (lbio_xml *child = element->first_child; child; child = child->next) {
        lb_status status = is_include(child) ? follow_include(m, child, depth) : follow_includes(m, child, depth);
        if (status != LB_OK) {
            return status;
        }
    }
    return LB_OK;
}

lb_status lbio_mjcf_open(lbio_mjcf *m) {
    lbio_mjcf_file *file = &m->files[0];
    file->source = *m->source;
    m->byte_count = m->source->size;
    lb_status status = lbio_xml_parse(m->source, &file->document, &file->root);
    if (status != LB_OK) {
        return status;
    }
    m->file_count = 1;
    if (strcmp(file->root->name, "mujoco") != 0) {
        return lbio_mjcf_fail(m, file->root, LB_ERROR_SYNTAX, "an MJCF file is a <mujoco> element, not <%.60s>",
                              file->root->name);
    }
    file->path = m->folder ? lbio_real_path(m->source->name) : NULL;
    m->model = &m->models[m->model_count++];
    *m->model = (lbio_mjcf_model){.owner = -1, .root = file->root, .folder = m->folder};
    m->model->class_names.allocator = m->model->material_names.allocator = m->allocator;
    m->model->mesh_names.allocator = m->allocator;
    m->prefix = m->suffix = "";
    return follow_includes(m, file->root, 1);
}

/* The folder of a file, by its name. NULL: no memory. */
static const char *folder_of(const lbio_mjcf *m, const lbio_mjcf_file *file) {
    char *folder = lbio_xml_copy(m->files[0].document, file->name), *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash) {
        *slash = 0;
    }
    return folder;
}

lb_status lbio_mjcf_open_model(lbio_mjcf *m, const lbio_xml *element) {
    const char *file_name = lbio_xml_get(element, "file"), *name = lbio_xml_get(element, "name");
    lbio_mjcf_model *owner = m->model, *model = &m->models[m->model_count];
    lbio_mjcf_file file;
    lb_status status = check_include(m, element, file_name, 1);
    memset(&file, 0, sizeof file);
    file.model = m->model_count;
    if (status == LB_OK && owner->depth == LBIO_MJCF_MAX_MODEL_DEPTH) {
        status = lbio_mjcf_fail(m, element, LB_ERROR_TOO_LARGE,
                                "models are more than %d deep in one another; does one "
                                "attach itself?",
                                LBIO_MJCF_MAX_MODEL_DEPTH);
    }
    status = status ? status : find_included(m, element, file_name, &file);
    status = status ? status : read_included(m, element, &file);
    if (status == LB_OK && strcmp(file.root->name, "mujoco") != 0) {
        status = lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX, "%s is no MJCF file: it is a <%.60s>", file.name,
                                file.root->name);
    }
    const char *folder = status ? NULL : folder_of(m, &file);
    if (status != LB_OK || !folder) {
        close_file(&file);
        return status ? status : lbio_mjcf_no_memory(m, element);
    }
    m->files[m->file_count++] = file;
    *model = (lbio_mjcf_model){.owner = (int)(owner - m->models), .root = file.root, .folder = folder};
    model->depth = owner->depth + 1;
    model->name = name && *name ? name : lbio_xml_get(file.root, "model");
    model->name = model->name ? model->name : "MuJoCo Model";
    model->class_names.allocator = model->material_names.allocator = model->mesh_names.allocator = m->allocator;
    m->model_count++;
    m->model = model;
    status = follow_includes(m, file.root, 1);
    m->model = owner;
    return status;
}

void lbio_mjcf_close(lbio_mjcf *m) {
    for (int i = 0; i < m->file_count; i++) {
        close_file(&m->files[i]);
    }
    m->file_count = 0;
}
