/* Files in memory, sent by libmicrohttpd to this machine alone: see serve.h. */
#define _GNU_SOURCE /* the types that libmicrohttpd wants */

#include "cli/serve.h"
#include "cli/cli.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#ifdef LIMBER_HAVE_MICROHTTPD
#include <microhttpd.h>

#define MOST_CONNECTIONS 64
#define LEAVING_CONNECTIONS 192     /* that were dropped, and are not closed yet */
#define MOST_CONNECTION_BYTES 16384 /* for a request's lines */
#define MOST_STALLED_SECONDS 20     /* without a byte either way */
#define LOOKS_A_SECOND 4            /* for connections past their deadline */

typedef struct guest guest;

struct cli_server {
    struct MHD_Daemon *daemon;
    const cli_site *site;
    int port;
    sigset_t ends, before; /* the signals that end it; the mask that was there */
    double idle_us;        /* that a connection may take to ask */
    pthread_mutex_t lock;  /* of the guests, whom the server's thread lets in and this one drops */
    guest *first;          /* the one that has waited longest is the last */
    int guest_count;
};

/* --- Guests ------------------------------------------------------------------------------------------
 *
 * Who connects and does not ask (or asks a letter a second) would hold a place for good, and sixty of them the server:
 * so each has until a deadline to ask, whatever it sends, and where all places are taken the one that has been silent
 * longest makes room. A connection is let go by ending its socket: the library sees that, and closes it. */

struct guest {
    struct guest *next;
    int socket;
    int is_asking;   /* a request has come, and its answer is on the way */
    int is_leaving;  /* its socket was ended */
    double since_us; /* it has been asking, or silent */
};

static void drop(cli_server *s, guest *g) {
    shutdown(g->socket, SHUT_RDWR);
    g->is_leaving = 1;
    s->guest_count--;
}

/* Makes room: the one that has been silent longest goes, or else the one whose answer has taken longest. */
static void drop_oldest(cli_server *s) {
    guest *oldest = NULL;
    for (guest *g = s->first; g; g = g->next) {
        if (!g->is_leaving && (!oldest || g->is_asking < oldest->is_asking ||
                               (g->is_asking == oldest->is_asking && g->since_us <= oldest->since_us))) {
            oldest = g;
        }
    }
    if (oldest) {
        drop(s, oldest);
    }
}

static void drop_late(cli_server *s) {
    const double now = cli_now_us();
    pthread_mutex_lock(&s->lock);
    for (guest *g = s->first; g; g = g->next) {
        if (!g->is_leaving && !g->is_asking && now - g->since_us > s->idle_us) {
            drop(s, g);
        }
    }
    pthread_mutex_unlock(&s->lock);
}

static void let_in(cli_server *s, struct MHD_Connection *connection, void **context) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    guest *g = info ? calloc(1, sizeof *g) : NULL;
    *context = g;
    if (!g) {
        return; /* the library's own deadline has it */
    }
    g->socket = info->connect_fd;
    g->since_us = cli_now_us();
    if (s->guest_count == MOST_CONNECTIONS) {
        drop_oldest(s);
    }
    g->next = s->first;
    s->first = g;
    s->guest_count++;
}

static void let_out(cli_server *s, guest *left) {
    guest **at = &s->first;
    while (*at && *at != left) {
        at = &(*at)->next;
    }
    if (*at) {
        *at = left->next;
        s->guest_count -= !left->is_leaving;
    }
    free(left);
}

/* The library's word that a connection was made, or will be closed: its socket is open still. */
static void on_connection(void *context, struct MHD_Connection *connection, void **guest_of,
                          enum MHD_ConnectionNotificationCode what) {
    cli_server *s = context;
    pthread_mutex_lock(&s->lock);
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        let_in(s, connection, guest_of);
    } else if (*guest_of) {
        let_out(s, *guest_of);
        *guest_of = NULL;
    }
    pthread_mutex_unlock(&s->lock);
}

static void note_asking(cli_server *s, struct MHD_Connection *connection, int is_asking) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    guest *g = info ? info->socket_context : NULL;
    pthread_mutex_lock(&s->lock);
    if (g) {
        g->is_asking = is_asking;
        g->since_us = cli_now_us();
    }
    pthread_mutex_unlock(&s->lock);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **request,
                         enum MHD_RequestTerminationCode how) {
    (void)request, (void)how;
    note_asking(context, connection, 0);
}

/* --- Answers --------------------------------------------------------------------------------------- */

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
        if (lbio_ends_in(path, types[k][0])) {
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
    while (coding > CLI_CODING_PLAIN && !(page->forms[coding].size > 0 && takes(accepted, cli_codings[coding].name))) {
        coding--;
    }
    return (cli_coding)coding;
}

static enum MHD_Result send_page(struct MHD_Connection *connection, const cli_page *page) {
    cli_coding coding = choose_coding(page, header(connection, "Accept-Encoding"));
    const cli_content *form = &page->forms[coding];
    const char *known = header(connection, "If-None-Match");
    char tag[32];
    snprintf(tag, sizeof tag, "\"%s%s\"", page->tag, cli_codings[coding].mark);
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
            MHD_add_response_header(response, "Content-Encoding", cli_codings[coding].name);
        }
    }
    return send_response(connection, is_known ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, response);
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **request) {
    cli_server *server = context;
    (void)version, (void)upload;
    if (!*request) {
        note_asking(server, connection, 1);
    }
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
    const cli_page *page = cli_site_find(server->site, strcmp(url, "/") == 0 ? "/index.html" : url);
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
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, SOMAXCONN)) {
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

int cli_server_start(const cli_site *site, const cli_serving *how, cli_server **server) {
    int listener, code = find_port(how->port, how->tries, &listener);
    cli_server *s = code ? NULL : calloc(1, sizeof *s);
    if (!s) {
        return code ? code : cli_fail(CLI_BAD_INPUT, "no memory for the server");
    }
    s->site = site;
    s->port = port_of(listener);
    s->idle_us = how->idle_seconds * 1e6;
    pthread_mutex_init(&s->lock, NULL);
    /* Blocked before the server's thread is made, which so leaves them to cli_server_wait. */
    sigemptyset(&s->ends);
    sigaddset(&s->ends, SIGINT);
    sigaddset(&s->ends, SIGTERM);
    sigaddset(&s->ends, SIGHUP);
    sigprocmask(SIG_BLOCK, &s->ends, &s->before);
    s->daemon = MHD_start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_ERROR_LOG, 0, NULL, NULL, answer, s, MHD_OPTION_UNESCAPE_CALLBACK,
        keep_escapes, NULL, MHD_OPTION_EXTERNAL_LOGGER, ignore, NULL, MHD_OPTION_LISTEN_SOCKET, listener,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)(MOST_CONNECTIONS + LEAVING_CONNECTIONS),
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MOST_CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)MOST_STALLED_SECONDS, MHD_OPTION_NOTIFY_CONNECTION, on_connection, s, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, s, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
    if (!s->daemon) {
        close(listener);
        sigprocmask(SIG_SETMASK, &s->before, NULL);
        pthread_mutex_destroy(&s->lock);
        free(s);
        return cli_fail(CLI_BAD_INPUT, "the server could not be started");
    }
    *server = s;
    return CLI_OK;
}

int cli_server_port(const cli_server *server) { return server->port; }

void cli_server_wait(cli_server *server) {
    const struct timespec look = {0, 1000000000 / LOOKS_A_SECOND};
    while (sigtimedwait(&server->ends, NULL, &look) < 0) {
        drop_late(server);
    }
}

void cli_server_stop(cli_server *server) {
    if (server) {
        MHD_stop_daemon(server->daemon); /* which lets all guests out */
        pthread_mutex_destroy(&server->lock);
        sigprocmask(SIG_SETMASK, &server->before, NULL);
        free(server);
    }
}

#else /* --- Without libmicrohttpd ----------------------------------------------------------------- */

int cli_server_start(const cli_site *site, const cli_serving *how, cli_server **server) {
    (void)site, (void)how, (void)server;
    return cli_fail(CLI_BAD_INPUT,
                    "this limber was built without libmicrohttpd, which serves the page: install it (Debian: "
                    "libmicrohttpd-dev) and build again, or give the folder to any web server");
}

int cli_server_port(const cli_server *server) { return (void)server, 0; }
void cli_server_wait(cli_server *server) { (void)server; }
void cli_server_stop(cli_server *server) { (void)server; }

#endif
