/* How ranks begin, talk and end: see world.h. */
#include "jobs/world.h"

#include "jobs/link.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef LIMBER_MPI_FOLDER
#define LIMBER_MPI_FOLDER "../lib/limber"
#endif
#define MODULE "limber-mpi.so"
#define PIECE ((size_t)1 << 24) /* bytes of a message of lbj_share */

/* A process is one rank of one world. */
static struct {
    const lbj_link *link; /* NULL: there is no other process */
    int rank, size;
    int has_gone; /* rank 0: the others were told to begin; others: they were */
    int has_quit; /* other ranks: rank 0 has ended */
} world = {NULL, 0, 1, 0, 0};

int lbj_rank(void) { return world.rank; }

int lbj_world_size(void) { return world.size; }

static void sleep_ms(int milliseconds) {
    struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    nanosleep(&time, NULL);
}

/* --- The module ------------------------------------------------------------------------------------------------- */

/* The module beside the program, or where it is installed; 0 where there is none. */
static int find_module(char *path, size_t size) {
    static const char *const folders[] = {"", LIMBER_MPI_FOLDER "/"};
    char program[3000];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    char *slash = strrchr(program, '/');
    for (int k = 0; slash && k < 2; k++) {
        int written = snprintf(path, size, "%.*s/%s" MODULE, (int)(slash - program), program, folders[k]);
        if (written > 0 && (size_t)written < size && access(path, R_OK) == 0) {
            return 1;
        }
    }
    return 0;
}

int lbj_world_has_mpi(void) {
    char path[4096];
    return find_module(path, sizeof path);
}

/* Whether mpirun or the like started the process, with others perhaps. */
static int was_started_together(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (getenv(names[k])) {
            return 1;
        }
    }
    return 0;
}

static lb_status load_link(lb_error *error) {
    char path[4096];
    if (!find_module(path, sizeof path)) {
        return lbio_error(
            error, LB_ERROR_UNSUPPORTED, NULL, 0,
            "mpirun started this program, but it was built without MPI; install libopenmpi-dev and build it "
            "again, or give each process its --share");
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPI's own modules look for its symbols */
    if (!module) {
        return lbio_error(error, LB_ERROR_FILE, path, 0, "cannot be loaded: %s", dlerror());
    }
    const lbj_link *(*get_link)(void);
    *(void **)&get_link = dlsym(module, LBJ_LINK_SYMBOL); /* as POSIX has it */
    const lbj_link *found = get_link ? get_link() : NULL;
    if (!found || found->version != LBJ_LINK_VERSION) {
        return lbio_error(error, LB_ERROR_UNSUPPORTED, path, 0, "is of another version of Limber; build it again");
    }
    if (found->begin(&world.rank, &world.size)) {
        return lbio_error(error, LB_ERROR_UNSUPPORTED, path, 0, "MPI could not be started");
    }
    world.link = found;
    return LB_OK;
}

/* --- Messages ------------------------------------------------------------------------------------------------------ */

void lbj_world_send(int to, lbj_tag tag, const void *data, size_t size) {
    if (world.link && world.link->send(to, (int)tag, data, size)) {
        world.link->give_up(1);
    }
}

int lbj_world_take(int *from, lbio_text *message) {
    int tag = 0;
    size_t size = 0;
    if (!world.link || !world.link->probe(from, &tag, &size)) {
        return 0;
    }
    char *data = size + 1 > message->capacity ? realloc(message->data, size + 1) : message->data;
    if (!data) {
        world.link->give_up(1);
        return 0;
    }
    message->capacity = size + 1 > message->capacity ? size + 1 : message->capacity;
    message->data = data;
    message->size = size;
    if (world.link->receive(*from, tag, data, size)) {
        world.link->give_up(1);
        return 0;
    }
    data[size] = 0;
    return tag;
}

int lbj_world_await(lbio_text *message) {
    int from = 0, tag = 0;
    while (!world.has_quit && !(tag = lbj_world_take(&from, message))) {
        sleep_ms(1);
    }
    world.has_quit |= tag == LBJ_TAG_QUIT;
    return world.has_quit ? LBJ_TAG_QUIT : tag;
}

void lbj_world_go(void) {
    for (int rank = 1; rank < world.size && !world.has_gone; rank++) {
        lbj_world_send(rank, LBJ_TAG_GO, "", 0);
    }
    world.has_gone = 1;
}

/* Messages of at most PIECE bytes, after one that tells how many bytes there are. */
static void send_bytes(int rank, const lbio_text *bytes) {
    int64_t size = (int64_t)bytes->size;
    lbj_world_send(rank, LBJ_TAG_SHARE, &size, sizeof size);
    for (size_t at = 0, piece; at < bytes->size; at += piece) {
        piece = bytes->size - at < PIECE ? bytes->size - at : PIECE;
        lbj_world_send(rank, LBJ_TAG_SHARE, bytes->data + at, piece);
    }
}

static void receive_bytes(lbio_text *bytes) {
    lbio_text message = {0};
    int64_t size = -1;
    bytes->size = 0;
    while ((size < 0 || (size_t)size > bytes->size) && !bytes->failed && lbj_world_await(&message) != LBJ_TAG_QUIT) {
        if (size < 0) {
            memcpy(&size, message.data, sizeof size);
        } else {
            lbio_text_bytes(bytes, message.data, message.size);
        }
    }
    lbio_text_free(&message);
}

lb_status lbj_share(lbio_text *bytes, lb_error *error) {
    if (world.rank > 0) {
        receive_bytes(bytes);
    } else if (world.size > 1) {
        lbj_world_go();
        for (int rank = 1; rank < world.size; rank++) {
            send_bytes(rank, bytes);
        }
    }
    return world.has_quit  ? lbio_error(error, LB_ERROR_FILE, NULL, 0, "rank 0 has ended")
           : bytes->failed ? lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "out of memory")
                           : LB_OK;
}

/* --- Beginning and end
 * ---------------------------------------------------------------------------------------------- */

lb_status lbj_world_begin(int *is_needed, lb_error *error) {
    *is_needed = 1;
    if (!was_started_together()) {
        return LB_OK;
    }
    lb_status status = load_link(error);
    if (!status && world.rank > 0) {
        lbio_text message = {0};
        *is_needed = lbj_world_await(&message) == LBJ_TAG_GO;
        world.has_gone = 1;
        lbio_text_free(&message);
    }
    return status;
}

void lbj_world_end(int code) {
    if (!world.link) {
        return;
    }
    lbio_text message = {0};
    if (world.rank > 0 && code && !world.has_quit) {
        world.link->give_up(code); /* rank 0 counts on this one */
    }
    for (int rank = 1; rank < world.size && world.rank == 0; rank++) {
        lbj_world_send(rank, LBJ_TAG_QUIT, "", 0);
    }
    while (world.rank > 0 && !world.has_quit) { /* rank 0 makes the file of all records */
        lbj_world_await(&message);
    }
    lbio_text_free(&message);
    world.link->end();
    world.link = NULL;
}
