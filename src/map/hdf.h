/* What writer and reader of HDF5 files share. */
#ifndef LIMBER_MAP_HDF_H
#define LIMBER_MAP_HDF_H

#include "map/map.h"
#include <hdf5.h>

#define LBMAP_FORMAT "limber map"

/* HDF5 prints its errors by itself unless told otherwise: silence for the time of a call. */
typedef struct lbmap_silence {
    H5E_auto2_t print;
    void *context;
} lbmap_silence;

static inline void lbmap_hush(lbmap_silence *silence) {
    H5dont_atexit(); /* where a disk was full, HDF5 would try again when the program ends, and crash */
    H5Eget_auto2(H5E_DEFAULT, &silence->print, &silence->context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static inline void lbmap_unhush(const lbmap_silence *silence) {
    H5Eset_auto2(H5E_DEFAULT, silence->print, silence->context);
}

#endif
