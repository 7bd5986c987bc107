/* The link between processes by MPI: a module of its own that the program loads where mpirun started it, so that the
 * program itself neither needs MPI nor starts slower for it. Only the main thread calls it. */
#include "jobs/link.h"

#include <limits.h>
#include <mpi.h>

static int begin(int *rank, int *size) {
    int provided;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        return -1;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    return 0;
}

static int send(int to, int tag, const void *data, size_t size) {
    return size > INT_MAX || MPI_Send(data, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD) != MPI_SUCCESS ? -1 : 0;
}

static int probe(int *from, int *tag, size_t *size) {
    MPI_Status status;
    int is_there = 0, bytes = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status) != MPI_SUCCESS || !is_there) {
        return 0;
    }
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    *from = status.MPI_SOURCE;
    *tag = status.MPI_TAG;
    *size = (size_t)bytes;
    return 1;
}

static int receive(int from, int tag, void *data, size_t size) {
    return size > INT_MAX ||
                   MPI_Recv(data, (int)size, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS
               ? -1
               : 0;
}

static void end(void) { MPI_Finalize(); }

static void give_up(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

static const lbj_link link_of_mpi = {LBJ_LINK_VERSION, begin, send, probe, receive, end, give_up};

__attribute__((visibility("default"))) const lbj_link *lbj_link_mpi(void);

const lbj_link *lbj_link_mpi(void) { return &link_of_mpi; }
