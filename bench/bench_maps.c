/* Maps of a Panda on two threads: a list of frames that can all be reached, and a grid of frames of which about half cannot,
 * each as a whole run of limber reach, the file included. Wall time is what counts; CPU time is beside it, because other
 * programs may take the cores. */
#include "bench.h"

#include "map/api.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define THREADS 2

static double process_cpu_s(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Frames that random poses inside the limits have. */
static lb_frame *reachable(const char *path, int count) {
    lb_frame *frames = bench_alloc((size_t)count, sizeof *frames);
    lb_figure *figure = NULL;
    lb_error error;
    uint64_t seed = 7;
    double pose[64];
    if (lb_figure_load(path, NULL, &figure, &error)) {
        bench_stop("%s", error.message);
    }
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    const int site = lb_figure_find_site(figure, "tool");
    for (int i = 0; i < count; i++) {
        lb_figure_random_pose(figure, &seed, pose);
        lb_kinematics_update(kinematics, pose);
        lb_kinematics_site(kinematics, site, &frames[i]);
    }
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
    return frames;
}

/* One run; returns wall time, seconds. */
static double run(bench_table *table, const char *name, const char *figure, lb_map_options *o, lb_map_info *info) {
    char path[1024];
    lb_error error;
    bench_out_path("maps-bench.h5", path);
    o->threads = THREADS;
    o->is_forced = 1;
    const double cpu = process_cpu_s(), began = bench_now_us();
    if (lb_map_make(figure, NULL, o, path, &error) != LB_MAP_ENDING_DONE) {
        bench_stop("%s: %s", error.file, error.message);
    }
    const double wall = (bench_now_us() - began) / 1e6, spent = process_cpu_s() - cpu;
    lb_map *map = lb_map_load(path, &error);
    if (!map) {
        bench_stop("%s: %s", error.file, error.message);
    }
    lb_map_info_defaults(info);
    lb_map_describe(map, info);
    const int64_t *f = info->frame_states, all = f[1] + f[2] + f[3];
    bench_table_row(table, "%s|%lld|%.1f|%lld|%lld|%.2f|%.2f|%.2f", name, (long long)all,
                    100.0 * (double)f[1] / (double)all, (long long)f[2], (long long)f[3], wall, spent,
                    1e6 * spent / (double)all);
    lb_map_destroy(map);
    remove(path);
    return wall;
}

int main(int argc, char **argv) {
    char figure[1024];
    bench_table table;
    lb_map_options o;
    lb_map_info info;
    bench_begin("maps", argc, argv);
    bench_unpin();
    bench_source_path("models/panda.fig", figure);
    const int count = bench_count(1000000, 50000);
    const double scale = 1e6 / count;
    lb_frame *frames = reachable(figure, count);
    bench_table_begin(&table, "maps", "map|frames|reached %|proved out|not found|wall s|CPU s|CPU us a frame");
    lb_map_options_defaults(&o);
    o.region = LB_MAP_REGION_POINTS, o.points = frames, o.point_count = count, o.has_rotations = 1;
    const double list_s = run(&table, "list, all within reach", figure, &o, &info);
    const double missed =
        100.0 * (double)(info.cell_count - info.states[LB_MAP_STATE_REACHED]) / (double)info.cell_count;
    lb_map_options_defaults(&o);
    o.region = LB_MAP_REGION_BOX;
    memcpy(o.lower, (double[]){-0.8, -0.8, -0.3}, sizeof o.lower);
    memcpy(o.upper, (double[]){0.8, 0.8, 1.1}, sizeof o.upper);
    o.spacing = 0.05;
    o.orientations = (int)fmax(1, count / 28672.0 + 0.5); /* 32 x 32 x 28 cells */
    const double grid_s = run(&table, "grid", figure, &o, &info);
    bench_table_print(&table, 0);
    bench_table_end(&table);
    bench_bar("10^6 frames within reach, Panda, two threads", list_s * scale, 0, 3, "s");
    bench_bar("of these not found", missed, 0, 0.1, "%");
    bench_bar("a map of 10^6 frames, half out of reach", grid_s * scale, 0, 20, "s");
    free(frames);
    return bench_end();
}
