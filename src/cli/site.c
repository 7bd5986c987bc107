/* The files that a server sends, read into memory: see serve.h. */
#define _GNU_SOURCE /* realpath */

#include "cli/cli.h"
#include "cli/serve.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const cli_coding_form cli_codings[CLI_CODING_COUNT] = {{"", "", ""}, {"gzip", ".gz", "-gz"}, {"br", ".br", "-br"}};

cli_page *cli_site_find(const cli_site *site, const char *path) {
    for (int k = 0; k < site->count; k++) {
        if (strcmp(site->pages[k].path, path) == 0) {
            return &site->pages[k];
        }
    }
    return NULL;
}

/* FNV-1a of 64 bits: it tells one build from the next, no more is asked of it. */
static void set_tag(cli_page *page) {
    uint64_t hash = 14695981039346656037u;
    const cli_content *plain = &page->forms[CLI_CODING_PLAIN];
    for (size_t k = 0; k < plain->size; k++) {
        hash = (hash ^ (unsigned char)plain->data[k]) * 1099511628211u;
    }
    snprintf(page->tag, sizeof page->tag, "%016llx", (unsigned long long)hash);
}

static int grow(cli_site *site) {
    if (site->count < site->capacity) {
        return CLI_OK;
    }
    int capacity = site->capacity ? 2 * site->capacity : 64;
    cli_page *pages = realloc(site->pages, (size_t)capacity * sizeof *pages);
    if (!pages) {
        return cli_fail(CLI_BAD_INPUT, "no memory for the files of the page");
    }
    site->pages = pages, site->capacity = capacity;
    return CLI_OK;
}

/* The page of a path, made if there is none. */
static int take_page(cli_site *site, const char *path, cli_page **page) {
    *page = cli_site_find(site, path);
    if (*page) {
        return CLI_OK;
    }
    if (site->count >= CLI_SITE_MOST_FILES) {
        return cli_fail(CLI_BAD_INPUT, "more than %d files to serve", CLI_SITE_MOST_FILES);
    }
    int code = grow(site);
    char *copy = code ? NULL : strdup(path);
    if (!copy) {
        return code ? code : cli_fail(CLI_BAD_INPUT, "no memory for the files of the page");
    }
    *page = &site->pages[site->count++];
    memset(*page, 0, sizeof **page);
    (*page)->path = copy;
    return CLI_OK;
}

static int put(cli_site *site, const char *path, cli_coding coding, char *data, size_t size) {
    cli_page *page;
    int code = size > CLI_SITE_MOST_BYTES - site->bytes
                   ? cli_fail(CLI_BAD_INPUT, "%s: more than %zu MiB to serve", path, CLI_SITE_MOST_BYTES >> 20)
                   : take_page(site, path, &page);
    if (code) {
        free(data);
        return code;
    }
    cli_content *form = &page->forms[coding];
    free(form->data);
    site->bytes += size - form->size;
    form->data = data, form->size = size;
    if (coding == CLI_CODING_PLAIN) {
        set_tag(page);
    }
    return CLI_OK;
}

int cli_site_add(cli_site *site, const char *path, char *data, size_t size) {
    cli_page *page = cli_site_find(site, path);
    for (int k = CLI_CODING_PLAIN + 1; page && k < CLI_CODING_COUNT;
         k++) { /* what was packed is no longer what is there */
        free(page->forms[k].data);
        site->bytes -= page->forms[k].size;
        memset(&page->forms[k], 0, sizeof page->forms[k]);
    }
    return put(site, path, CLI_CODING_PLAIN, data, size);
}

static int add_file(cli_site *site, const char *file, const char *path) {
    char *data, name[1024];
    size_t size;
    lb_error error;
    if (lbio_read_reference(file, CLI_SITE_MOST_BYTES, &data, &size, &error)) {
        return cli_report(CLI_BAD_INPUT, &error);
    }
    int coding = CLI_CODING_COUNT - 1;
    while (!lbio_ends_in(path,
                         cli_codings[coding].ending)) { /* every path ends with that of plain files, which is empty */
        coding--;
    }
    snprintf(name, sizeof name, "%.*s", (int)(strlen(path) - strlen(cli_codings[coding].ending)), path);
    return put(site, name, (cli_coding)coding, data, size);
}

/* One entry of a folder; top is what all of them are in. */
static int add_entry(cli_site *site, const char *top, const char *folder, const char *name, int depth);

static int add_folder(cli_site *site, const char *top, const char *folder, int depth) {
    DIR *dir = opendir(folder);
    int code = CLI_OK;
    if (!dir) {
        return cli_fail(CLI_BAD_INPUT, "%s: cannot be read: %s", folder, strerror(errno));
    }
    for (struct dirent *entry; !code && (entry = readdir(dir));) {
        if (entry->d_name[0] != '.') {
            code = add_entry(site, top, folder, entry->d_name, depth);
        }
    }
    closedir(dir);
    return code;
}

static int add_entry(cli_site *site, const char *top, const char *folder, const char *name, int depth) {
    char file[4096], real[PATH_MAX];
    struct stat info;
    size_t length = strlen(top);
    int written = snprintf(file, sizeof file, "%s/%s", folder, name);
    if (written < 0 || (size_t)written >= sizeof file || !realpath(file, real) || strncmp(real, top, length) != 0 ||
        real[length] != '/' || stat(real, &info) != 0) {
        return CLI_OK; /* leads elsewhere, or nowhere */
    }
    if (S_ISDIR(info.st_mode)) {
        return depth < CLI_SITE_MOST_DEPTH ? add_folder(site, top, file, depth + 1) : CLI_OK;
    }
    return S_ISREG(info.st_mode) ? add_file(site, file, file + length) : CLI_OK;
}

int cli_site_add_folder(cli_site *site, const char *folder) {
    char top[PATH_MAX];
    if (!realpath(folder, top)) {
        return cli_fail(CLI_BAD_INPUT, "%s: %s", folder, strerror(errno));
    }
    int code = add_folder(site, top, top, 0);
    /* What is only there packed cannot be sent to everyone. */
    for (int k = 0; k < site->count; k++) {
        const cli_page *page = &site->pages[k];
        if (!code && !page->forms[CLI_CODING_PLAIN].data) {
            const char *ending =
                cli_codings[page->forms[CLI_CODING_GZIP].data ? CLI_CODING_GZIP : CLI_CODING_BROTLI].ending;
            code =
                cli_fail(CLI_BAD_INPUT, "%s%s%s: there is no %s beside it", folder, page->path, ending, page->path + 1);
        }
    }
    return code;
}

void cli_site_free(cli_site *site) {
    for (int k = 0; k < site->count; k++) {
        free(site->pages[k].path);
        for (int form = 0; form < CLI_CODING_COUNT; form++) {
            free(site->pages[k].forms[form].data);
        }
    }
    free(site->pages);
    memset(site, 0, sizeof *site);
}
