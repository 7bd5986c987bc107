/* What a module that links processes offers; there is one, of MPI (mpi/link_mpi.c). */
#ifndef LIMBER_JOBS_LINK_H
#define LIMBER_JOBS_LINK_H

#include <stddef.h>

#define LBJ_LINK_VERSION 1
#define LBJ_LINK_SYMBOL "lbj_link_mpi"

typedef struct lbj_link {
    int version;                                                 /* LBJ_LINK_VERSION */
    int (*begin)(int *rank, int *size);                          /* 0, or -1 */
    int (*send)(int to, int tag, const void *data, size_t size); /* returns when data may be used again; 0, or -1 */
    int (*probe)(int *from, int *tag, size_t *size);             /* 1: a message waits; 0: none does */
    int (*receive)(int from, int tag, void *data, size_t size);  /* the message that was probed; 0, or -1 */
    void (*end)(void);                                           /* waits for all ranks */
    void (*give_up)(int code);                                   /* ends all ranks at once */
} lbj_link;

#endif
