/* Any bytes as a map: it is refused with a sentence, or read, and then every question has an answer. */
#include "map/api.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_CELLS 20000 /* that are looked at one by one */

static void ask(const lb_map *map) {
    lb_map_info info;
    lb_map_info_defaults(&info);
    if (lb_map_describe(map, &info) || info.cell_count < 1 ||
        info.states[0] + info.states[1] + info.states[2] + info.states[3] != info.cell_count) {
        abort();
    }
    for (int64_t i = 0; i < info.cell_count && i < MOST_CELLS; i++) {
        lb_map_cell cell, again;
        lb_error error;
        if (lb_map_get(map, i, &cell) || cell.reached + cell.outside + cell.unfound > info.orientation_count) {
            abort();
        }
        if (info.is_grid && isfinite(cell.position[0] + cell.position[1] + cell.position[2]) &&
            fabs(cell.position[0]) < 1e6 && info.spacing > 1e-6) {
            lb_map_query(map, cell.position, &again, &error);
        }
    }
    lb_map_difference difference;
    if (lb_map_compare(map, map, &difference, NULL) || difference.contradictions) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "/tmp/limber-map-XXXXXX";
    lb_error error;
    const int file = mkstemp(path);
    if (file < 0) {
        return 0;
    }
    const int is_written = write(file, data, size) == (ssize_t)size;
    close(file);
    lb_map *map = is_written ? lb_map_load(path, &error) : NULL;
    unlink(path);
    if (map) {
        ask(map);
    } else if (is_written && !error.message[0]) {
        abort();
    }
    lb_map_destroy(map);
    return 0;
}
