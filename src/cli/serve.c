/* Files in memory, sent by libmicrohttpd to this machine alone: see serve.h. */
#define _GNU_SOURCE /* realpath, and the types that libmicrohttpd wants */

#include "cli/serve.h"
#include "cli/cli.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef LIMBER_HAVE_MICROHTTPD
#include <microhttpd.h>
#endif

/* --- The files ------------------------------------------------------------------------------------- */

/* Of each coding: its name in HTTP, the ending of its files, and what its entity tags end with. */
static const struct {
    const char *name, *ending, *mark;
} codings[CLI_CODING_COUNT] = {{"", "", ""}, {"gzip", ".gz", "-gz"}, {"br", ".br", "-br"}};

static int ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0;
}

static cli_page *find_page(const cli_site *site, const char *path) {
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
    *page = find_page(site, path);
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
    cli_page *page = find_page(site, path);
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
    while (!ends_with(path, codings[coding].ending)) { /* every path ends with that of plain files, which is empty */
        coding--;
    }
    snprintf(name, sizeof name, "%.*s", (int)(strlen(path) - strlen(codings[coding].ending)), path);
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
                codings[page->forms[CLI_CODING_GZIP].data ? CLI_CODING_GZIP : CLI_CODING_BROTLI].ending;
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

#ifdef LIMBER_HAVE_MICROHTTPD

/* --- Answers --------------------------------------------------------------------------------------- */

#define MOST_CONNECTIONS 64
#define MOST_CONNECTION_BYTES 16384 /* for a request's lines */
#define MOST_IDLE_SECONDS 20

struct cli_server {
    struct MHD_Daemon *daemon;
    const cli_site *site;
    int port;
    sigset_t ends, before; /* the signals that end it; the mask that was there */
};

static const char *content_type(const char *path) {
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".json", "application/json"},
                                           {".wasm", "application/wasm"},
                                           {".svg", "image/svg+xml"},
                                           {".png", "image/png"},
                                           {".ico", "image/x-icon"},
                                           {".fig", "text/plain; charset=utf-8"},
                                           {".bvh", "text/plain; charset=utf-8"},
                                           {".txt", "text/plain; charset=utf-8"},
                                           {".md", "text/plain; charset=utf-8"},
                                           {".scefo", "text/plain; charset=utf-8"}};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        if (ends_with(path, types[k][0])) {
            return types[k][1];
        }
    }
    return "application/octet-stream";
}

/* What a page may do that comes from here: run its own scripts and its own WebAssembly, and talk to nobody else. */
static void add_headers(struct MHD_Response *response) {
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
         "connect-src 'self' blob: data:; worker-src 'self'; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Embedder-Policy", "require-corp"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Permissions-Policy", "camera=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()"},
        {"Cache-Control", "no-cache"}};
    for (size_t k = 0; k < sizeof headers / sizeof headers[0]; k++) {
        MHD_add_response_header(response, headers[k][0], headers[k][1]);
    }
}

/* Sends and forgets a response. */
static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status,
                                     struct MHD_Response *response) {
    if (!response) {
        return MHD_NO;
    }
    add_headers(response);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

/* A sentence for whoever asked by hand. */
static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status, const char *text) {
    struct MHD_Response *response = MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);
    if (response) {
        MHD_add_response_header(response, "Content-Type", "text/plain; charset=utf-8");
        if (status == MHD_HTTP_METHOD_NOT_ALLOWED) {
            MHD_add_response_header(response, "Allow", "GET, HEAD");
        }
    }
    return send_response(connection, status, response);
}

static const char *header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Whether the request was for this machine by its own name: a name of another that was made to lead here would make its
 * pages ours. */
static int is_own_name(const cli_server *server, const char *host) {
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char port[16];
    snprintf(port, sizeof port, ":%d", server->port);
    for (int k = 0; host && k < 2; k++) {
        size_t length = strlen(names[k]);
        if (strncasecmp(host, names[k], length) == 0 && strcmp(host + length, port) == 0) {
            return 1;
        }
        if (server->port == 80 && strcasecmp(host, names[k]) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Whether Accept-Encoding has a coding, and does not refuse it by q=0. */
static int takes(const char *accepted, const char *coding) {
    while (accepted && *accepted) {
        size_t length = strcspn(accepted, ",");
        const char *name = accepted + strspn(accepted, " \t");
        const char *end = accepted + length, *q = memchr(accepted, ';', length);
        size_t name_length = strcspn(name, " \t;,");
        if (name_length == strlen(coding) && strncasecmp(name, coding, name_length) == 0) {
            q = q ? q + 1 + strspn(q + 1, " \t") : end;
            return !(end - q >= 3 && strncasecmp(q, "q=0", 3) == 0 && strspn(q + 3, ".0") == strcspn(q + 3, " \t,"));
        }
        accepted = *end ? end + 1 : end;
    }
    return 0;
}

/* The smallest form of a page that the client takes. */
static cli_coding choose_coding(const cli_page *page, const char *accepted) {
    int coding = CLI_CODING_COUNT - 1;
    while (coding > CLI_CODING_PLAIN && !(page->forms[coding].size > 0 && takes(accepted, codings[coding].name))) {
        coding--;
    }
    return (cli_coding)coding;
}

static enum MHD_Result send_page(struct MHD_Connection *connection, const cli_page *page) {
    cli_coding coding = choose_coding(page, header(connection, "Accept-Encoding"));
    const cli_content *form = &page->forms[coding];
    const char *known = header(connection, "If-None-Match");
    char tag[32];
    snprintf(tag, sizeof tag, "\"%s%s\"", page->tag, codings[coding].mark);
    int is_known = known && strstr(known, tag) != NULL;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(is_known ? 0 : form->size, form->data, MHD_RESPMEM_PERSISTENT);
    if (!response) {
        return MHD_NO;
    }
    MHD_add_response_header(response, "ETag", tag);
    MHD_add_response_header(response, "Vary", "Accept-Encoding");
    if (!is_known) {
        MHD_add_response_header(response, "Content-Type", content_type(page->path));
        if (coding != CLI_CODING_PLAIN) {
            MHD_add_response_header(response, "Content-Encoding", codings[coding].name);
        }
    }
    return send_response(connection, is_known ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, response);
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **request) {
    const cli_server *server = context;
    (void)version, (void)upload;
    if (!is_own_name(server, header(connection, "Host"))) {
        return send_text(connection, 421, "This is Limber Studio, on 127.0.0.1 alone.\n");
    }
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
        return send_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "Files can be read here, nothing else.\n");
    }
    /* Called first when the request's head is there, last when all of it is: an answer before that would cost the
     * connection. What is sent along is not looked at. */
    if (!*request || *upload_size > 0) {
        *request = context;
        *upload_size = 0;
        return MHD_YES;
    }
    const cli_page *page = find_page(server->site, strcmp(url, "/") == 0 ? "/index.html" : url);
    return page ? send_page(connection, page) : send_text(connection, MHD_HTTP_NOT_FOUND, "There is no such file.\n");
}

/* Paths stay as they were sent: none of ours needs an escape, so what has one is no file. */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context, (void)connection;
    return strlen(text);
}

/* libmicrohttpd's own remarks on odd requests: nothing that a person at the terminal could use. */
static void ignore(void *context, const char *format, va_list arguments) {
    (void)context, (void)format, (void)arguments;
}

/* --- Listening ------------------------------------------------------------------------------------- */

/* A socket that listens at 127.0.0.1:port, or -1 with errno. */
static int listen_at(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) {
        return -1;
    }
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one); /* soon after another has ended */
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, MOST_CONNECTIONS)) {
        int reason = errno;
        close(listener);
        errno = reason;
        return -1;
    }
    return listener;
}

static int find_port(int port, int tries, int *listener) {
    for (int k = 0; k < tries && port + k < 65536; k++) {
        *listener = listen_at(port + k);
        if (*listener >= 0) {
            return CLI_OK;
        }
        if (errno != EADDRINUSE) {
            return cli_fail(CLI_BAD_INPUT, "127.0.0.1:%d: %s", port + k, strerror(errno));
        }
    }
    return tries > 1 ? cli_fail(CLI_BAD_INPUT, "the ports from %d to %d are all taken; give another with --port N",
                                port, port + tries - 1)
                     : cli_fail(CLI_BAD_INPUT, "port %d is taken; give another with --port N, or none", port);
}

static int port_of(int listener) {
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    return getsockname(listener, (struct sockaddr *)&address, &size) == 0 ? ntohs(address.sin_port) : 0;
}

int cli_server_start(const cli_site *site, int port, int tries, cli_server **server) {
    int listener, code = find_port(port, tries, &listener);
    cli_server *s = code ? NULL : calloc(1, sizeof *s);
    if (!s) {
        return code ? code : cli_fail(CLI_BAD_INPUT, "no memory for the server");
    }
    s->site = site;
    s->port = port_of(listener);
    /* Blocked before the server's thread is made, which so leaves them to cli_server_wait. */
    sigemptyset(&s->ends);
    sigaddset(&s->ends, SIGINT);
    sigaddset(&s->ends, SIGTERM);
    sigaddset(&s->ends, SIGHUP);
    sigprocmask(SIG_BLOCK, &s->ends, &s->before);
    s->daemon = MHD_start_daemon(MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_ERROR_LOG, 0, NULL, NULL, answer, s,
                                 MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_EXTERNAL_LOGGER, ignore,
                                 NULL, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT,
                                 (unsigned)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                                 (size_t)MOST_CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT,
                                 (unsigned)MOST_IDLE_SECONDS, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
    if (!s->daemon) {
        close(listener);
        sigprocmask(SIG_SETMASK, &s->before, NULL);
        free(s);
        return cli_fail(CLI_BAD_INPUT, "the server could not be started");
    }
    *server = s;
    return CLI_OK;
}

int cli_server_port(const cli_server *server) { return server->port; }

void cli_server_wait(cli_server *server) {
    int which;
    while (sigwait(&server->ends, &which) != 0) {
    }
}

void cli_server_stop(cli_server *server) {
    if (server) {
        MHD_stop_daemon(server->daemon);
        sigprocmask(SIG_SETMASK, &server->before, NULL);
        free(server);
    }
}

#else /* --- Without libmicrohttpd ----------------------------------------------------------------- */

int cli_server_start(const cli_site *site, int port, int tries, cli_server **server) {
    (void)site, (void)port, (void)tries, (void)server;
    return cli_fail(CLI_BAD_INPUT,
                    "this limber was built without libmicrohttpd, which serves the page: install it (Debian: "
                    "libmicrohttpd-dev) and build again, or give the folder to any web server");
}

int cli_server_port(const cli_server *server) { return (void)server, 0; }
void cli_server_wait(cli_server *server) { (void)server; }
void cli_server_stop(cli_server *server) { (void)server; }

#endif
