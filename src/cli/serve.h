/* A web server for one person: files that were read into memory before it began, on this machine's own address. It
 * opens no file for a request, so there is no path that could lead elsewhere; it writes nothing; and it answers to no
 * name but this machine's own, so no page from elsewhere can read it.
 */
#ifndef LIMBER_CLI_SERVE_H
#define LIMBER_CLI_SERVE_H

#include <stddef.h>

#define CLI_SITE_MOST_FILES 4096
#define CLI_SITE_MOST_BYTES ((size_t)512 << 20) /* of all files */
#define CLI_SITE_MOST_DEPTH 8                   /* of folders in folders */

/* The forms in which a file may be there, as HTTP's content codings have them. */
typedef enum cli_coding { CLI_CODING_PLAIN, CLI_CODING_GZIP, CLI_CODING_BROTLI, CLI_CODING_COUNT } cli_coding;

/* Of each coding: its name in HTTP, the ending of its files, and what its entity tags end with. */
typedef struct cli_coding_form {
    const char *name, *ending, *mark;
} cli_coding_form;
extern const cli_coding_form cli_codings[CLI_CODING_COUNT];

typedef struct cli_content {
    char *data; /* NULL: there is none in this form */
    size_t size;
} cli_content;

typedef struct cli_page {
    char *path; /* as asked for: "/models/human.fig" */
    cli_content forms[CLI_CODING_COUNT];
    char tag[20]; /* changes with the content */
} cli_page;

typedef struct cli_site {
    cli_page *pages;
    int count, capacity;
    size_t bytes;
} cli_site;

/* Data for a path; another that has the path is replaced. Takes the data (from malloc), also where it fails. Errors are
 * printed, and an exit code comes back: from all of these. */
int cli_site_add(cli_site *site, const char *path, char *data, size_t size);
/* All files of a folder and the folders in it; X.gz and X.br are X, packed. Hidden files and links that lead outside
 * are left out. */
int cli_site_add_folder(cli_site *site, const char *folder);
cli_page *cli_site_find(const cli_site *site, const char *path); /* NULL: there is none */
void cli_site_free(cli_site *site);

typedef struct cli_server cli_server;

typedef struct cli_serving {
    int port, tries;     /* listens at port (0: any that is free), or the first free one of `tries` from there */
    double idle_seconds; /* that a connection may take to ask for something, before it is dropped */
} cli_serving;

/* Listens on 127.0.0.1. The site must stay as it is until the server has stopped. */
int cli_server_start(const cli_site *site, const cli_serving *how, cli_server **server);
int cli_server_port(const cli_server *server);
/* Waits for Ctrl-C, or another request to end. */
void cli_server_wait(cli_server *server);
void cli_server_stop(cli_server *server); /* NULL is fine */

#endif
