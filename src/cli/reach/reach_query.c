/* limber reach query, compare and place: questions to maps. */
#include "cli/output.h"
#include "cli/reach/reach.h"

#ifdef LIMBER_HAVE_HDF5

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES (180 / 3.14159265358979323846)

static lb_map *load(const char *path, int *code) {
    lb_error error;
    lb_map *map = lb_map_load(path, &error);
    *code = map ? CLI_OK : cli_report(CLI_BAD_INPUT, &error);
    return map;
}

static double percent(int64_t part, int64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

void cli_reach_summary(const lb_map_info *info) {
    char text[512];
    const int64_t asked = info->cell_count - info->states[LB_MAP_STATE_NONE];
    cli_clean(info->figure, text, sizeof text);
    printf("Map of %s", text);
    cli_clean(info->sites, text, sizeof text);
    printf(", %s: ", text);
    if (info->is_grid) {
        printf("%lld x %lld x %lld cells of ", (long long)info->shape[0], (long long)info->shape[1],
               (long long)info->shape[2]);
        cli_print_distance(info->spacing, text);
        printf("%s", text);
    } else {
        printf("%lld points", (long long)info->shape[0]);
    }
    if (info->has_orientations) {
        printf(", %d orientation%s", info->orientation_count, info->orientation_count == 1 ? "" : "s");
    }
    printf("\n  reached %lld (%.1f%%), proved out of reach %lld, not found in %d start%s %lld\n",
           (long long)info->states[LB_MAP_STATE_REACHED], percent(info->states[LB_MAP_STATE_REACHED], asked),
           (long long)info->states[LB_MAP_STATE_OUTSIDE], info->starts, info->starts == 1 ? "" : "s",
           (long long)info->states[LB_MAP_STATE_UNFOUND]);
    if (info->orientation_count > 1) {
        const int64_t *f = info->frame_states, all = f[1] + f[2] + f[3];
        printf("  frames: reached %lld (%.1f%%), proved out of reach %lld, not found %lld\n", (long long)f[1],
               percent(f[1], all), (long long)f[2], (long long)f[3]);
    }
    if (info->is_grid) {
        printf("  volume reached %.4g m3\n", pow(info->spacing, 3) * (double)info->states[LB_MAP_STATE_REACHED]);
    }
}

/* --- Query ------------------------------------------------------------------------------------------------------------ */

static void print_pose(const lb_map *map, const lb_map_cell *cell, const lb_map_info *info) {
    double *pose = malloc(((size_t)info->variable_count + 1) * sizeof *pose);
    if (pose && lb_map_pose(map, cell->index, pose) == LB_OK) {
        for (int v = 0; v < info->variable_count; v++) {
            const lb_variable *variable = lb_figure_variable(lb_map_figure(map), v);
            if (fabs(pose[v] - lb_map_base_pose(map)[v]) > 1e-9) {
                char value[32];
                cli_print_value(pose[v], variable->is_angle, value);
                printf("  %s %s\n", variable->name, value);
            }
        }
    }
    free(pose);
}

static void print_cell(const lb_map *map, const lb_map_cell *cell) {
    static const char *const words[] = {"Not asked", "Reached", "Proved out of reach", "Not found"};
    char missing[32], angle[32];
    lb_map_info info;
    lb_map_info_defaults(&info);
    lb_map_describe(map, &info);
    printf("%s", words[cell->state]);
    if (cell->state == LB_MAP_STATE_UNFOUND) {
        printf(" in %d start%s", info.starts, info.starts == 1 ? "" : "s");
    }
    printf(": the cell at (%g, %g, %g)\n", cell->position[0], cell->position[1], cell->position[2]);
    if (info.orientation_count > 1) {
        printf("  orientations: %d reached, %d proved out of reach, %d not found\n", cell->reached, cell->outside,
               cell->unfound);
    }
    if (cell->state == LB_MAP_STATE_REACHED) {
        printf("  margin to the limits %.1f%%, manipulability %.4g", 100 * cell->margin, cell->manipulability);
        if (isfinite(cell->effort)) {
            printf(", effort %.4g", cell->effort);
        }
        printf("\n");
        print_pose(map, cell, &info);
    } else if (cell->state != LB_MAP_STATE_NONE) {
        cli_print_distance(cell->missing, missing);
        cli_print_angle(cell->missing_rad, angle);
        if (cell->state == LB_MAP_STATE_OUTSIDE && cell->missing == 0) {
            printf("  every solution is outside of the limits, or there is none\n");
        } else {
            printf("  missing: %s%s%s%s\n", cell->state == LB_MAP_STATE_OUTSIDE ? "at least " : "", missing,
                   info.has_orientations && cell->state == LB_MAP_STATE_UNFOUND ? ", " : "",
                   info.has_orientations && cell->state == LB_MAP_STATE_UNFOUND ? angle : "");
        }
    }
}

static void print_field(double value) {
    char text[32];
    if (isfinite(value)) {
        lbio_print_number(value, text);
        printf(",%s", text);
    } else {
        printf(",");
    }
}

static int query_csv(const lb_map *map, const char *path) {
    lb_frame *frames;
    int64_t count;
    int has_rotations;
    int code = cli_reach_frames(path, &frames, &count, &has_rotations);
    if (code) {
        return code;
    }
    printf("x,y,z,state,reached,outside,unfound,missing,missing_angle,margin,manipulability,effort\n");
    for (int64_t i = 0; i < count; i++) {
        lb_map_cell cell;
        lb_error error;
        char text[3][32];
        for (int k = 0; k < 3; k++) {
            lbio_print_number(frames[i].position[k], text[k]);
        }
        printf("%s,%s,%s", text[0], text[1], text[2]);
        if (lb_map_query(map, frames[i].position, &cell, &error)) {
            printf(",beyond,,,,,,,,\n"); /* the map ends before */
            continue;
        }
        printf(",%s,%d,%d,%d", lb_map_state_name(cell.state), cell.reached, cell.outside, cell.unfound);
        print_field(cell.missing), print_field(cell.missing_rad), print_field(cell.margin);
        print_field(cell.manipulability), print_field(cell.effort);
        printf("\n");
    }
    free(frames);
    return CLI_OK;
}

int cli_reach_query(const cli_command *command, const cli_arguments *arguments) {
    const char *at = cli_value(command, arguments, "at"), *csv = cli_value(command, arguments, "csv");
    double point[3];
    int code;
    if (arguments->operand_count != 2) {
        return cli_usage(command, "query needs one map, as in query map.h5 --at 0.4,0,0.4");
    }
    if (at && cli_read_numbers(at, 3, point)) {
        return cli_usage(command, "`--at %s` is no point; write it as x,y,z", at);
    }
    lb_map *map = load(arguments->operands[1], &code);
    if (!map) {
        return code;
    }
    if (csv) {
        code = query_csv(map, csv);
    } else if (at) {
        lb_map_cell cell;
        lb_error error;
        code = lb_map_query(map, point, &cell, &error) ? cli_report(CLI_BAD_INPUT, &error) : CLI_OK;
        if (!code) {
            print_cell(map, &cell);
        }
    } else {
        lb_map_info info;
        lb_map_info_defaults(&info);
        lb_map_describe(map, &info);
        cli_reach_summary(&info);
    }
    lb_map_destroy(map);
    return code ? code : cli_finish_stdout();
}

/* --- Compare ---------------------------------------------------------------------------------------------------------- */

static void print_difference(const lb_map_difference *d, const char *const paths[2]) {
    int64_t cells = 0, frames = 0;
    static const char *const words[] = {"not asked", "reached", "proved out of reach", "not found"};
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            cells += d->counts[a][b], frames += d->frames[a][b];
            if (a != b && d->counts[a][b]) {
                printf("  %10lld cells: %s, then %s\n", (long long)d->counts[a][b], words[a], words[b]);
            }
        }
    }
    printf("  %10lld cells are reached in both; there margin %+.3f, manipulability %+.3g\n", (long long)d->counts[1][1],
           d->margin, d->manipulability);
    if (frames > cells) {
        printf("  frames: %lld reached in both, %lld in the first alone, %lld in the second alone\n",
               (long long)d->frames[1][1], (long long)d->frames[1][2] + (long long)d->frames[1][3],
               (long long)d->frames[2][1] + (long long)d->frames[3][1]);
        printf("  frames that the first did not find and the second reaches: %lld\n", (long long)d->frames[3][1]);
    }
    printf("  frames that one reaches and the other proves to be out of reach: %lld\n", (long long)d->contradictions);
    if (d->volume[0] > 0 || d->volume[1] > 0) {
        printf("  volume reached: %.4g m3 in %s, %.4g m3 in %s\n", d->volume[0], paths[0], d->volume[1], paths[1]);
    }
}

int cli_reach_compare(const cli_command *command, const cli_arguments *arguments) {
    int code;
    if (arguments->operand_count != 3) {
        return cli_usage(command, "compare needs two maps");
    }
    const char *const paths[2] = {arguments->operands[1], arguments->operands[2]};
    lb_map *first = load(paths[0], &code), *second = first ? load(paths[1], &code) : NULL;
    if (first && second) {
        lb_map_difference d;
        lb_map_info a, b;
        lb_error error;
        lb_map_info_defaults(&a), lb_map_info_defaults(&b);
        lb_map_describe(first, &a), lb_map_describe(second, &b);
        code = lb_map_compare(first, second, &d, &error) ? cli_report(CLI_BAD_INPUT, &error) : CLI_OK;
        if (!code) {
            printf("%lld cells, %s\n", (long long)a.cell_count,
                   a.figure_hash == b.figure_hash ? "of the same figure" : "of two figures");
            print_difference(&d, paths);
        }
    }
    lb_map_destroy(first), lb_map_destroy(second);
    return code ? code : cli_finish_stdout();
}

/* --- Place ------------------------------------------------------------------------------------------------------------- */

static void put_placement(lbio_text *csv, int rank, const lb_map_placement *p) {
    lbio_text_format(csv, "%d,", rank);
    lbio_text_number(csv, p->position[0]);
    lbio_text_add(csv, ",");
    lbio_text_number(csv, p->position[1]);
    lbio_text_add(csv, ",");
    lbio_text_number(csv, p->position[2]);
    lbio_text_add(csv, ",");
    lbio_text_number(csv, p->heading_rad * DEGREES);
    lbio_text_format(csv, ",%d,", p->reached);
    lbio_text_number(csv, p->score);
    lbio_text_add(csv, "\n");
}

/* All places as CSV; the first column is the rank of those in the list, else 0. */
static int write_csv(const lb_map_places *places, const char *path) {
    lbio_text csv = {0};
    lbio_text_add(&csv, "rank,x,y,z,heading_deg,reached,score\n");
    for (int i = 0; i < places->ranked_count; i++) {
        put_placement(&csv, i + 1, &places->ranked[i]);
    }
    for (int i = 0; i < places->shape[0] * places->shape[1]; i++) {
        put_placement(&csv, 0, &places->placements[i]);
    }
    return cli_write_text(path, &csv, "the places");
}

static int write_places(const lb_map *map, const lb_map_places *places, const lb_frame *frames, int count,
                        const cli_output *output) {
    lb_error error;
    return output->kind == CLI_KIND_CSV
               ? write_csv(places, output->path)
               : cli_written(lb_map_draw_places(map, places, frames, count, output->path, &error), &error);
}

static int read_place_options(const cli_command *command, const cli_arguments *arguments, lb_map_place_options *o) {
    const char *height = cli_value(command, arguments, "height");
    double headings = o->headings, wanted = o->wanted;
    int code = cli_reach_count(command, arguments, "headings", 1, 3600, &headings);
    code = code ? code : cli_reach_count(command, arguments, "count", 1, 1000, &wanted);
    code = code ? code : cli_reach_length(command, arguments, "spacing", &o->spacing);
    if (!code && height && cli_read_length(height, &o->height)) {
        code = cli_usage(command, "`--height %s` is no length; write it as 80cm", height);
    }
    o->headings = (int)headings, o->wanted = (int)wanted;
    return code;
}

static void print_places(const lb_map_places *places, int count) {
    printf("   place          x         y   heading   reached    score\n");
    for (int i = 0; i < places->ranked_count; i++) {
        const lb_map_placement *p = &places->ranked[i];
        printf("%8d  %8.3f  %8.3f  %5.0f deg  %d of %d  %7.3f\n", i + 1, p->position[0], p->position[1],
               p->heading_rad * DEGREES, p->reached, count, p->score);
    }
    if (!places->ranked_count) {
        printf("No place reaches any of them.\n");
    }
}

int cli_reach_place(const cli_command *command, const cli_arguments *arguments) {
    const char *path = cli_value(command, arguments, "frames");
    cli_output output;
    lb_map_place_options o;
    lb_map_places places = {0};
    lb_frame *frames = NULL;
    lb_error error;
    int64_t count = 0;
    int code;
    if (arguments->operand_count != 2 || !path) {
        return cli_usage(command, "place needs a map and frames, as in place map.h5 --frames points.csv");
    }
    lb_map_place_options_defaults(&o);
    code = cli_read_output(command, "-o", cli_value(command, arguments, "output"), CLI_KIND_CSV | CLI_KIND_PICTURE,
                           CLI_KIND_CSV, &output);
    code = code ? code : read_place_options(command, arguments, &o);
    code = code ? code : cli_reach_frames(path, &frames, &count, &o.has_rotations);
    if (!code && count > 1000000) {
        code = cli_fail(CLI_BAD_INPUT, "%s: has more than a million frames", path);
    }
    lb_map *map = code ? NULL : load(arguments->operands[1], &code);
    code = code ? code : cli_check_output(output.path);
    if (map && !code) {
        code = lb_map_place(map, frames, (int)count, &o, &places, &error) ? cli_report(CLI_BAD_INPUT, &error) : CLI_OK;
        code = code || !output.path ? code : write_places(map, &places, frames, (int)count, &output);
        if (!code && !cli_has(command, arguments, "quiet")) {
            print_places(&places, (int)count);
        }
    }
    lb_map_places_free(&places);
    lb_map_destroy(map);
    free(frames);
    return code ? code : cli_finish_stdout();
}

#endif
