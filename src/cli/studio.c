/* limber studio: the page that poses figures, for the browser of whoever runs this. */
#define _GNU_SOURCE /* posix_spawnattr_setsigmask with all the types it wants */

#include "cli/cli.h"
#include "cli/serve.h"
#include "io/mesh/mesh.h"
#include "map/api.h"
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_PORT 4270
#define PORT_TRIES 20
#define IDLE_SECONDS 10
#define MOST_GIVEN 1024
#define MOST_BASES 8

static const cli_option options[] = {
    {"port", 'p', "N", "the port to listen at; 0: any free one (default: 4270, or the next that is free)"},
    {"open", 'o', NULL, "open the page in a browser, by xdg-open"},
    {"packages", 0, "FOLDERS", "look for package://... meshes in these folders, with colons between them"},
    {"idle", 0, "SECONDS", "drop a connection that has asked for nothing for so long (default: 10)"},
    {"folder", 0, "DIR", "the folder that the page was built into (default: the one that comes with Limber)"},
    {"quiet", 'q', NULL, "print nothing but errors and the address"},
    {NULL, 0, NULL, NULL},
};

extern char **environ;

/* --- The file to open, and those that it names ------------------------------------------------------- */

/* What the page is given: names as the first file has them. */
typedef struct given {
    char *names[MOST_GIVEN];
    int count, next; /* next: the first that was not yet searched for names */
    int is_robot;    /* the file that is searched is one: it may name meshes */
    char folder[2048];
    const char *packages;
    char *bases[MOST_BASES]; /* folders that meshes are named from: MJCF's meshdir and assetdir */
    int base_count, lost_count;
    char lost[LB_ERROR_MESSAGE_SIZE]; /* why the first mesh is not there */
    cli_site *site;
} given;

static int has_readers_ending(const char *name) {
    static const char *const endings[] = {".fig", ".urdf", ".xml",  ".mjcf", ".bvh",   ".glb",  ".gltf",
                                          ".bin", ".vrm",  ".vrma", ".json", ".scefo", ".xacro"};
    size_t length = strlen(name);
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        size_t end = strlen(endings[k]);
        if (length > end && strcmp(name + length - end, endings[k]) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Takes data (from malloc) as the next file. */
static int give(given *g, const char *name, char *data, size_t size) {
    char path[32];
    snprintf(path, sizeof path, "/given/%d", g->count);
    char *copy = g->count < MOST_GIVEN ? strdup(name) : NULL;
    if (!copy) {
        free(data);
        return g->count < MOST_GIVEN ? cli_fail(CLI_BAD_INPUT, "no memory for the file")
                                     : cli_fail(CLI_BAD_INPUT, "%s names more than %d files", g->names[0], MOST_GIVEN);
    }
    g->names[g->count++] = copy;
    return cli_site_add(g->site, path, data, size);
}

static int is_given(const given *g, const char *name) {
    for (int k = 0; k < g->count; k++) {
        if (strcmp(g->names[k], name) == 0) {
            return 1;
        }
    }
    return 0;
}

static int is_mesh(const char *name) {
    static const char *const endings[] = {".stl", ".obj", ".dae", ".glb", ".gltf"};
    const size_t length = strlen(name);
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        const size_t end = strlen(endings[k]);
        if (length > end && strcasecmp(name + length - end, endings[k]) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Where a mesh is that the robot names, by the rules of the readers: what lies elsewhere is not served. NULL: reason
 * says why. */
static char *find_mesh(const given *g, const char *name, char *reason) {
    const char *folder = g->folder[0] ? g->folder : ".";
    char *path = NULL;
    for (int i = -1; i < g->base_count && !path; i++) {
        lbio_text base = {0};
        lbio_text_add(&base, folder);
        lbio_text_add(&base, "/");
        lbio_text_add(&base, i < 0 ? "." : g->bases[i]);
        const lbio_mesh_name mesh = {name, base.data, folder, g->packages, NULL};
        path = base.failed ? NULL : lbio_mesh_find(&mesh, reason);
        lbio_text_free(&base);
    }
    return path;
}

/* A mesh that the first file names: read now, under the very name that the file has for it. */
static int give_mesh(given *g, const char *name) {
    char reason[LB_ERROR_MESSAGE_SIZE] = "", *data = NULL, *path = find_mesh(g, name, reason);
    size_t size;
    lb_error error;
    if (!path) {
        if (g->lost_count++ == 0) {
            snprintf(g->lost, sizeof g->lost, "%s", reason);
        }
        return CLI_OK;
    }
    const lb_status status = lbio_read_reference(path, LBIO_MESH_MAX_BYTES, &data, &size, &error);
    free(path);
    return status ? cli_report(CLI_BAD_INPUT, &error) : give(g, name, data, size);
}

/* A text in quotes or angle brackets that may be the name of a file beside the first. */
static int give_named(given *g, const char *text, size_t length) {
    char name[512], path[4096], *data;
    struct stat info;
    size_t size;
    lb_error error;
    if (length < 3 || length >= sizeof name || memchr(text, 0, length)) {
        return CLI_OK;
    }
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (g->is_robot && is_mesh(name)) {
        return is_given(g, name) ? CLI_OK : give_mesh(g, name);
    }
    snprintf(path, sizeof path, "%s%s", name[0] == '/' ? "" : g->folder, name);
    if (!has_readers_ending(name) || is_given(g, name) || stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return CLI_OK;
    }
    if (lbio_read_reference(path, CLI_SITE_MOST_BYTES, &data, &size, &error)) {
        return cli_report(CLI_BAD_INPUT, &error);
    }
    return give(g, name, data, size);
}

/* Problems, scripts, MJCF and glTF all write the names of files as "NAME", 'NAME' or <NAME>. */
static int give_names_in(given *g, const char *data, size_t size) {
    int code = CLI_OK;
    for (size_t at = 0; !code && at < size; at++) {
        char closing = data[at] == '<' ? '>' : data[at];
        if (data[at] != '"' && data[at] != '\'' && data[at] != '<') {
            continue;
        }
        size_t end = at + 1;
        while (end < size && end - at < 512 && data[end] != closing && data[end] != '\n') {
            end++;
        }
        if (end < size && data[end] == closing) {
            code = give_named(g, data + at + 1, end - at - 1);
        }
    }
    return code;
}

static void find_data(const given *g, int number, const char **data, size_t *size) {
    char path[32];
    snprintf(path, sizeof path, "/given/%d", number);
    for (int k = 0; k < g->site->count; k++) {
        if (strcmp(g->site->pages[k].path, path) == 0) {
            const cli_content *plain = &g->site->pages[k].forms[CLI_CODING_PLAIN];
            *data = plain->data, *size = plain->size;
        }
    }
}

/* chain:N has no file: a problem that names it. */
static int give_chain(given *g, const char *name) {
    lbio_text text = {0};
    lbio_text_add(&text, "{\"figure\": ");
    cli_quote(&text, name);
    lbio_text_add(&text, "}\n");
    return text.failed ? cli_fail(CLI_BAD_INPUT, "no memory for the file")
                       : give(g, "chain.json", text.data, text.size);
}

#ifdef LIMBER_HAVE_HDF5
/* A map: its surface as a GLB, with the figure in it. */
static int give_map(given *g, const char *path) {
    lb_error error;
    char *data = NULL, *copy, name[256];
    size_t size = 0;
    const char *slash = strrchr(path, '/');
    lb_map *map = lb_map_load(path, &error);
    if (!map || lb_map_save_glb(map, &data, &size, &error)) {
        lb_map_destroy(map);
        return cli_report(CLI_BAD_INPUT, &error);
    }
    lb_map_destroy(map);
    copy = malloc(size);
    if (copy) {
        memcpy(copy, data, size);
    }
    lb_text_free(data);
    snprintf(name, sizeof name, "%.200s.glb", slash ? slash + 1 : path);
    return copy ? give(g, name, copy, size) : cli_fail(CLI_BAD_INPUT, "no memory for the map");
}
#else
static int give_map(given *g, const char *path) {
    (void)g;
    return cli_fail(CLI_BAD_INPUT, "%s: this limber was built without HDF5, which maps are read with", path);
}
#endif

static int is_map(const char *path) {
    const size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".h5") == 0;
}

static int give_first(given *g, const char *operand) {
    cli_source source = {.path = operand};
    char *data;
    size_t size;
    lb_error error;
    if (strcmp(operand, "-") == 0) {
        return cli_fail(CLI_BAD_USAGE, "studio does not read standard input; give a file");
    }
    if (strncmp(operand, "chain:", 6) == 0) {
        return give_chain(g, operand);
    }
    if (is_map(operand)) {
        return give_map(g, operand);
    }
    int code = cli_find_file(&source);
    if (code) {
        return code;
    }
    if (lbio_read_file(source.found, CLI_SITE_MOST_BYTES, &data, &size, &error)) {
        return cli_report(CLI_BAD_INPUT, &error);
    }
    const char *slash = strrchr(source.found, '/');
    snprintf(g->folder, sizeof g->folder, "%.*s", slash ? (int)(slash + 1 - source.found) : 0, source.found);
    return give(g, slash ? slash + 1 : source.found, data, size);
}

/* given.json: what the page opens at its start. */
static int add_list(const given *g) {
    lbio_text text = {0};
    lbio_text_add(&text, "{\"files\": [");
    for (int k = 0; k < g->count; k++) {
        lbio_text_add(&text, k ? ", {\"name\": " : "{\"name\": ");
        cli_quote(&text, g->names[k]);
        lbio_text_format(&text, ", \"url\": \"given/%d\"}", k);
    }
    lbio_text_add(&text, "]}\n");
    return text.failed ? cli_fail(CLI_BAD_INPUT, "no memory for the list of files")
                       : cli_site_add(g->site, "/given.json", text.data, text.size);
}

/* Whether a file is URDF or MJCF. */
static int is_robot(const char *name, const char *data, size_t size) {
    const size_t length = strlen(name);
    const int is_xml =
        (length > 4 && strcmp(name + length - 4, ".xml") == 0) ||
        (length > 5 && (strcmp(name + length - 5, ".urdf") == 0 || strcmp(name + length - 5, ".mjcf") == 0));
    const char *robot = is_xml && size ? strstr(data, "<robot") : NULL,
               *model = is_xml && size ? strstr(data, "<mujoco") : NULL;
    return robot || model;
}

/* The folders that MJCF names for its meshes: meshdir="..." and assetdir="...". */
static void find_bases(given *g, const char *data) {
    static const char *const words[] = {"meshdir", "assetdir"};
    for (int k = 0; k < 2; k++) {
        for (const char *at = strstr(data, words[k]); at && g->base_count < MOST_BASES; at = strstr(at, words[k])) {
            at += strlen(words[k]);
            at += strspn(at, " \t\r\n=");
            const char quote = *at, *end = quote == '"' || quote == '\'' ? strchr(at + 1, quote) : NULL;
            if (end) {
                g->bases[g->base_count] = strndup(at + 1, (size_t)(end - at - 1));
                g->base_count += g->bases[g->base_count] != NULL;
            }
        }
    }
}

/* What of the meshes is not there: the page shows the robot without it. */
static void tell_lost(const given *g) {
    if (g->lost_count) {
        cli_note("%d mesh%s left out%s: %s", g->lost_count, g->lost_count == 1 ? " is" : "es are",
                 g->lost_count == 1 ? "" : ", the first", g->lost);
    }
}

static int give_all(cli_site *site, const char *operand, const char *packages) {
    given g = {.site = site, .packages = packages};
    int code = operand ? give_first(&g, operand) : CLI_OK;
    for (; !code && g.next < g.count; g.next++) {
        const char *data = NULL;
        size_t size = 0;
        find_data(&g, g.next, &data, &size);
        g.is_robot = data && is_robot(g.names[g.next], data, size);
        if (g.is_robot) {
            find_bases(&g, data);
        }
        code = data ? give_names_in(&g, data, size) : CLI_OK;
    }
    code = code ? code : add_list(&g);
    tell_lost(&g);
    for (int k = 0; k < g.base_count; k++) {
        free(g.bases[k]);
    }
    for (int k = 0; k < g.count; k++) {
        free(g.names[k]);
    }
    return code;
}

/* --- The page ---------------------------------------------------------------------------------------- */

static int add_page(cli_site *site, const char *given_folder) {
    static const char *const places[] = {"share/limber/studio", "build/web/studio", "web/studio", NULL};
    char folder[4096], sample[4200];
    if (given_folder) {
        snprintf(folder, sizeof folder, "%s", given_folder);
        snprintf(sample, sizeof sample, "%s/index.html", folder);
        if (access(sample, R_OK) != 0) {
            return cli_fail(CLI_BAD_INPUT, "%s: has no index.html, so it is not the studio's page", given_folder);
        }
    } else if (!cli_find_folder(places, "index.html", folder, sizeof folder)) {
        return cli_fail(CLI_BAD_INPUT,
                        "the studio's page is not beside this program: in Limber's source, `./dev studio` "
                        "builds and serves it; or say where it is with --folder DIR");
    }
    return cli_site_add_folder(site, folder);
}

/* Leaves it to the desktop to open an address; that works or not, the server goes on. */
static void open_browser(const char *address) {
    char *words[] = {"xdg-open", (char *)address, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child;
    sigemptyset(&none);
    signal(SIGCHLD, SIG_IGN); /* nobody waits for it */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1 /* O_WRONLY */, 0);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (posix_spawnp(&child, words[0], &actions, &attributes, words, environ) != 0) {
        cli_note("there is no xdg-open to open a browser with; open the address by hand");
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
}

static int read_port(const cli_command *command, const char *text, int *port) {
    double value;
    if (cli_read_numbers(text, 1, &value) || !(value >= 0 && value <= 65535) || value != (int)value) {
        return cli_usage(command, "`--port %s` is no port; give a number up to 65535", text);
    }
    *port = (int)value;
    return CLI_OK;
}

static int read_idle(const cli_command *command, const char *text, double *seconds) {
    return text && (cli_read_numbers(text, 1, seconds) || !(*seconds > 0 && *seconds <= 3600))
               ? cli_usage(command, "`--idle %s` is no time; give seconds up to 3600", text)
               : CLI_OK;
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    const char *port_text = cli_value(command, arguments, "port");
    cli_serving how = {DEFAULT_PORT, port_text ? 1 : PORT_TRIES, IDLE_SECONDS};
    int code = port_text ? read_port(command, port_text, &how.port) : CLI_OK;
    code = code ? code : read_idle(command, cli_value(command, arguments, "idle"), &how.idle_seconds);
    char packages[4096];
    cli_site site = {0};
    cli_server *server = NULL;
    code = code ? code : cli_read_packages(command, arguments, packages, sizeof packages);
    code = code ? code : add_page(&site, cli_value(command, arguments, "folder"));
    code = code ? code : give_all(&site, arguments->operand_count ? arguments->operands[0] : NULL, packages);
    code = code ? code : cli_server_start(&site, &how, &server);
    if (!code) {
        char address[64];
        int is_quiet = cli_has(command, arguments, "quiet");
        snprintf(address, sizeof address, "http://127.0.0.1:%d/", cli_server_port(server));
        printf(is_quiet ? "%s\n" : "Limber Studio is at %s (Ctrl-C ends it).\n", address);
        fflush(stdout);
        if (cli_has(command, arguments, "open")) {
            open_browser(address);
        }
        cli_server_wait(server);
        if (!is_quiet) {
            printf("\nEnded.\n");
        }
    }
    cli_server_stop(server);
    cli_site_free(&site);
    return code;
}

const cli_command cli_studio = {
    .name = "studio",
    .synopsis = "[FILE]",
    .summary = "pose figures in the browser",
    .text = "Serves Limber Studio, a page for the browser, to this machine alone (127.0.0.1), until\n"
            "Ctrl-C. FILE - a figure, problem, script, motion or map - is opened in it, with the files\n"
            "that it names, a robot's meshes among them; without one the page begins with the human.\n"
            "All is computed in the page: nothing is sent anywhere, and nothing is written but what you\n"
            "save.\n\n"
            "  limber studio --open\n"
            "  limber studio problems/sitting.json --port 8080\n"
            "  limber studio panda.urdf --packages ~/robots",
    .options = options,
    .least_operands = 0,
    .most_operands = 1,
    .run = run,
};
