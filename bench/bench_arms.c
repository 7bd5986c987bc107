/* Arms: full poses that are known to be reachable, from mid-range, random and near starts; Limber against other libraries
 * (--peers), all on the same targets, each answer verified by forward kinematics of its own in long double.
 *
 * Then every chain of five or more joints of the robots in ../shared/data/urdf, where that is there: Limber alone. */
#include "arm.h"
#include "io/plot.h"
#include "peer_process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CONTESTANTS 10
#define OURS 1
#define CURVE 200

static const char *const models[] = {"panda",  "iiwa14", "ur5",     "puma560",   "irb120",
                                     "fetch7", "fetch8", "pr2_arm", "baxter_arm"};
#define MODELS (int)(sizeof models / sizeof *models)

typedef enum start_kind { START_MID, START_RANDOM, START_NEAR, START_NEARER, STARTS } start_kind;
static const char *const start_names[STARTS] = {"mid", "random", "0.1 rad", "0.01 rad"};

/* What the bars are about. */
typedef struct tally {
    const char *names[MAX_CONTESTANTS]; /* of the peers */
    double log_ratio[MAX_CONTESTANTS];  /* sums over the arms */
    int ratios[MAX_CONTESTANTS];
    double worst_percent, worst_p99; /* p99: of arms with 6 and 7 dofs */
    double worst_closed;             /* mean of arms that a closed form answers */
    double mean_log;
    int arms;
} tally;

static bench_table table;

/* --- One arm ---------------------------------------------------------------------------------------------- */

static void make_starts(const bench_arm *arm, start_kind kind, double *starts) {
    if (kind == START_MID) {
        bench_arm_starts_mid(arm, starts);
    }
    if (kind == START_RANDOM) {
        bench_arm_starts_random(arm, 1002, starts);
    }
    if (kind == START_NEAR) {
        bench_arm_starts_near(arm, 0.1, 1003, starts);
    }
    if (kind == START_NEARER) {
        bench_arm_starts_near(arm, 0.01, 1004, starts);
    }
}

/* closed-chain-ik in a process of its own; 0 where Node or the package is not there (./dev bench --with-peers installs it). */
static int add_closed_chain(bench_arm *arm, bench_contestant *c) {
    char folder[1024], program[1024], package[2048], why[256] = "";
    bench_source_path("build/peers", folder);
    bench_source_path("bench/board/peer_closed_chain.mjs", program);
    snprintf(package, sizeof package, "%s/node_modules/closed-chain-ik/package.json", folder);
    const char *const command[] = {"node", program, folder, NULL};
    if (access(package, R_OK) || !(c->context = peer_process_open(arm, command, arm->limit_us, why))) {
        return 0;
    }
    c->name = "closed-chain-ik";
    c->solve = peer_process_solve;
    c->count = arm->instances < 40 ? arm->instances : arm->instances / 20 < 40 ? 40 : arm->instances / 20;
    c->repeats = 3;
    return 1;
}

/* Limber, then the peers that can do this arm: of a kind, or (NULL) a process. Returns how many. */
static int make_contestants(bench_arm *arm, const peer_kind **kinds, bench_contestant *all) {
    int count = OURS;
    memset(all, 0, MAX_CONTESTANTS * sizeof *all);
    all[0] = (bench_contestant){.name = "limber", .context = arm, .solve = bench_arm_solve};
    for (int p = 0; bench.with_peers && arm->joint_count && peers[p]; p++) {
        void *peer = peers[p]->create(arm);
        if (!peer) {
            continue;
        }
        int instances = arm->instances / peers[p]->part;
        kinds[count] = peers[p];
        all[count].name = peers[p]->name;
        all[count].context = peer;
        all[count].solve = peers[p]->solve;
        all[count].count = instances < 20 && arm->instances >= 20 ? 20 : instances < 1 ? 1 : instances;
        all[count].repeats = 3;
        count++;
    }
    if (bench.with_peers && arm->joint_count && add_closed_chain(arm, &all[count])) {
        kinds[count++] = NULL;
    }
    return count;
}

/* How many times as long as Limber it takes in the mean, on the instances that it ran. */
static double ratio_to(const bench_contestant *limber, const bench_contestant *other) {
    return bench_statistics(other->count, other->us).mean / bench_statistics(other->count, limber->us).mean;
}

static void add_row(const bench_arm *arm, start_kind kind, const bench_race *race, const bench_contestant *all, int c,
                    tally *sums) {
    const bench_contestant *one = &all[c];
    bench_stats s = bench_statistics(one->count, one->us);
    double percent = bench_right_percent(race, one), ratio = ratio_to(&all[0], one);
    char ratio_text[32] = "";
    if (c > 0) {
        snprintf(ratio_text, sizeof ratio_text, "%.1f", ratio);
    }
    bench_table_row(&table, "%s|%d|%s|%s|%d|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f|%.1f|%.2f|%s|%d", arm->name, arm->dofs,
                    start_names[kind], one->name, one->count, percent, s.mean, s.p50, s.p95, s.p99, s.p999, s.max,
                    bench_mean_int(race, one, one->iterations), bench_mean_int(race, one, one->restarts), ratio_text,
                    one->false_claims);
    if (c == 0) {
        sums->worst_percent = sums->arms == 0 ? percent : fmin(percent, sums->worst_percent);
        if (arm->dofs <= 7) {
            sums->worst_p99 = fmax(s.p99, sums->worst_p99);
        }
        if (bench_mean_int(race, one, one->iterations) == 0) {
            sums->worst_closed = fmax(s.mean, sums->worst_closed);
        }
        sums->mean_log += log(s.mean);
        sums->arms++;
        return;
    }
    int p = 0;
    while (p < MAX_CONTESTANTS - 1 && sums->names[p] && strcmp(sums->names[p], one->name)) {
        p++;
    }
    sums->names[p] = one->name;
    sums->log_ratio[p] += log(ratio);
    sums->ratios[p]++;
}

/* Percent of the instances that are solved within a time, over the time. */
static void plot(const bench_arm *arm, int count, const bench_contestant *all) {
    static double x[MAX_CONTESTANTS][CURVE], y[MAX_CONTESTANTS][CURVE];
    lbio_series series[MAX_CONTESTANTS];
    for (int c = 0; c < count; c++) {
        for (int k = 0; k < CURVE; k++) {
            int right = 0;
            x[c][k] = 0.3 * pow(10, k * 4.4 / (CURVE - 1));
            for (int i = 0; i < all[c].count; i++) {
                right += all[c].is_right[i] && all[c].us[i] <= x[c][k];
            }
            y[c][k] = 100.0 * right / all[c].count;
        }
        series[c] = (lbio_series){.name = all[c].name, .x = x[c], .y = y[c], .count = CURVE};
    }
    char title[160], name[128], path[1024];
    lb_error error;
    snprintf(title, sizeof title, "%s, %d dofs: poses reached within a time", arm->name, arm->dofs);
    snprintf(name, sizeof name, "arms-%s.svg", arm->name);
    bench_out_path(name, path);
    lbio_plot drawn = {.title = title,
                       .x_label = "microseconds",
                       .y_label = "percent of the poses",
                       .is_log_x = 1,
                       .series = series,
                       .series_count = count};
    if (lbio_plot_write(&drawn, path, &error)) {
        bench_stop("%s", error.message);
    }
}

/* An answer after the time is none; other libraries look at the clock themselves. */
static void fail_late(const bench_arm *arm, bench_contestant *limber) {
    for (int i = 0; i < arm->instances; i++) {
        if (limber->us[i] > arm->limit_us) {
            limber->is_right[i] = 0;
        }
    }
}

static void race_arm(bench_arm *arm, start_kind kind, tally *sums) {
    bench_contestant all[MAX_CONTESTANTS];
    const peer_kind *kinds[MAX_CONTESTANTS];
    double *starts = bench_alloc((size_t)arm->instances * (size_t)arm->variables, sizeof *starts);
    bench_race race = {.instances = arm->instances,
                       .variables = arm->variables,
                       .repeats = bench.is_quick ? 3 : 5,
                       .starts = starts,
                       .context = arm,
                       .verify = bench_arm_verify};
    int count = make_contestants(arm, kinds, all);
    make_starts(arm, kind, starts);
    bench_race_run(&race, count, all);
    for (int c = 0; c < OURS; c++) {
        fail_late(arm, &all[c]);
    }
    for (int c = 0; c < count; c++) {
        add_row(arm, kind, &race, all, c, sums);
    }
    if (kind == START_MID) {
        plot(arm, count, all);
    }
    for (int c = OURS; c < count; c++) {
        (kinds[c] ? kinds[c]->destroy : peer_process_close)(all[c].context);
    }
    bench_race_free(count, all);
    free(starts);
}

static void run_models(tally sums[STARTS]) {
    int instances = bench_count(10000, 500);
    printf("%d poses an arm; success: inside the limits, distance < 1e-5 m, angle < 1e-5 rad, within 5 ms\n",
           instances);
    bench_table_begin(&table, "arms",
                      "arm|dofs|start|solver|poses|solved %|mean us|p50|p95|p99|p99.9|max|iterations|restarts|x "
                      "limber|false claims");
    for (int m = 0; m < MODELS; m++) {
        bench_arm arm;
        if (!bench_is_wanted(models[m])) {
            continue;
        }
        bench_arm_from_model(&arm, models[m]);
        bench_arm_make_targets(&arm, instances, (uint64_t)m + 1);
        int first = table.rows;
        for (int kind = 0; kind < STARTS; kind++) {
            race_arm(&arm, (start_kind)kind, &sums[kind]);
        }
        printf("\n");
        bench_table_print(&table, first);
        bench_arm_destroy(&arm);
    }
    bench_table_end(&table);
}

/* --- The robots of the shared data ------------------------------------------------------------------------ */

typedef struct chain_sums {
    int chains, races;
    long poses, right;
    double log_mean;
} chain_sums;

static void race_chain(bench_arm *arm, start_kind kind, const char *file, chain_sums *sums) {
    bench_contestant all[MAX_CONTESTANTS];
    double *starts = bench_alloc((size_t)arm->instances * (size_t)arm->variables, sizeof *starts);
    bench_race race = {.instances = arm->instances,
                       .variables = arm->variables,
                       .repeats = 3,
                       .starts = starts,
                       .context = arm,
                       .verify = bench_arm_verify};
    memset(all, 0, sizeof all);
    all[0] = (bench_contestant){.name = "limber", .context = arm, .solve = bench_arm_solve};
    make_starts(arm, kind, starts);
    bench_race_run(&race, 1, all);
    fail_late(arm, &all[0]);
    bench_stats s = bench_statistics(arm->instances, all[0].us);
    bench_table_row(&table, "%s|%s|%d|%s|%d|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f|%.1f|%.2f", file, arm->name, arm->dofs,
                    start_names[kind], arm->instances, bench_right_percent(&race, &all[0]), s.mean, s.p50, s.p99,
                    s.p999, s.max, bench_mean_int(&race, &all[0], all[0].iterations),
                    bench_mean_int(&race, &all[0], all[0].restarts));
    long right = 0;
    for (int i = 0; i < arm->instances; i++) {
        right += all[0].is_right[i];
    }
    if (right < arm->instances) {
        printf("%s to %s, %d dofs, %s start: %.2f%%, mean %.1f us, p99 %.1f us\n", file, arm->name, arm->dofs,
               start_names[kind], bench_right_percent(&race, &all[0]), s.mean, s.p99);
    }
    sums->poses += arm->instances;
    sums->right += right;
    sums->log_mean += log(s.mean);
    sums->races++;
    bench_race_free(1, all);
    free(starts);
}

/* One line of CHAINS.csv: file, base link, tip link, active dofs, mimics on the path, joints. */
static void run_chain(char *line, int instances, chain_sums *sums) {
    char *file = strtok(line, ","), *base = strtok(NULL, ","), *tip = strtok(NULL, ","), *dofs = strtok(NULL, ",");
    char relative[512], path[1024];
    bench_arm arm;
    if (!dofs || atoi(dofs) < 5 || !bench_is_wanted(tip)) {
        return;
    }
    snprintf(relative, sizeof relative, "../shared/data/%s", file);
    bench_source_path(relative, path);
    if (!bench_arm_from_urdf(&arm, path, base, tip)) {
        printf("left out: %s to %s of %s cannot be read as a chain\n", base, tip, file);
        return;
    }
    bench_arm_make_targets(&arm, instances, (uint64_t)++sums->chains);
    race_chain(&arm, START_MID, file, sums);
    race_chain(&arm, START_RANDOM, file, sums);
    bench_arm_destroy(&arm);
}

/* Percent of all poses of all chains, NaN where there are none. */
static double run_chains(void) {
    char path[1024], line[8192];
    chain_sums sums = {0};
    bench_source_path("../shared/data/urdf/CHAINS.csv", path);
    FILE *file = fopen(path, "r");
    if (!file) {
        printf("\nThe robots of ../shared/data/urdf are not there and left out.\n");
        return NAN;
    }
    printf("\nChains of 5 and more joints of the robots in ../shared/data/urdf; those that are not all solved:\n");
    bench_table_begin(&table, "arms-chains",
                      "file|tip|dofs|start|poses|solved %|mean us|p50|p99|p99.9|max|iterations|restarts");
    while (fgets(line, sizeof line, file)) {
        run_chain(line, bench_count(10000, 100), &sums);
    }
    fclose(file);
    bench_table_end(&table);
    printf("%d chains, %ld poses, %ld solved: %.4f%%; geometric mean of their mean times %.2f us (arms-chains.csv has "
           "each)\n",
           sums.chains, sums.poses, sums.right, 100.0 * (double)sums.right / (double)sums.poses,
           exp(sums.log_mean / sums.races));
    return sums.poses ? 100.0 * (double)sums.right / (double)sums.poses : NAN;
}

/* --- What it must show ------------------------------------------------------------------------------------ */

static double ratio_of(const tally *sums, const char *peer) {
    for (int p = 0; p < MAX_CONTESTANTS && sums->names[p]; p++) {
        if (!strcmp(sums->names[p], peer)) {
            return exp(sums->log_ratio[p] / sums->ratios[p]);
        }
    }
    return NAN;
}

static void print_means(const tally sums[STARTS]) {
    printf("\nGeometric means over the arms:\n");
    bench_table_begin(&table, "arms-means", "start|solver|mean us|x limber");
    for (int kind = 0; kind < STARTS; kind++) {
        double own = exp(sums[kind].mean_log / sums[kind].arms);
        bench_table_row(&table, "%s|limber|%.2f|", start_names[kind], own);
        for (int p = 0; p < MAX_CONTESTANTS && sums[kind].names[p]; p++) {
            double ratio = ratio_of(&sums[kind], sums[kind].names[p]);
            bench_table_row(&table, "%s|%s|%.1f|%.1f", start_names[kind], sums[kind].names[p], own * ratio, ratio);
        }
    }
    bench_table_print(&table, 0);
    bench_table_end(&table);
}

int main(int argc, char **argv) {
    static tally sums[STARTS];
    bench_begin("arms", argc, argv);
    if (!bench.with_peers) {
        printf("Without other libraries: ./dev bench --with-peers has them.\n");
    } else if (peers_left_out[0]) {
        printf("Not installed and left out:%s\n", peers_left_out);
    }
    run_models(sums);
    if (sums[0].arms) {
        print_means(sums);
    }
    double percent = run_chains();
    for (int kind = START_MID; kind <= START_RANDOM && sums[0].arms; kind++) {
        char what[96];
        snprintf(what, sizeof what, "arms, %s start: worst arm, solved", start_names[kind]);
        bench_bar(what, sums[kind].worst_percent, 1, 100, "%");
        snprintf(what, sizeof what, "arms, %s start: p99 of 6 and 7 dofs", start_names[kind]);
        bench_bar(what, sums[kind].worst_p99, 0, 40, "us");
        snprintf(what, sizeof what, "arms, %s start: mean of those with a closed form", start_names[kind]);
        bench_bar(what, sums[kind].worst_closed, 0, 1.5, "us");
        snprintf(what, sizeof what, "arms, %s start: KDL LMA takes", start_names[kind]);
        bench_bar(what, ratio_of(&sums[kind], "KDL LMA"), 1, 80, "x");
        snprintf(what, sizeof what, "arms, %s start: bounded L-BFGS takes", start_names[kind]);
        bench_bar(what, ratio_of(&sums[kind], "NLopt L-BFGS"), 1, 25, "x");
    }
    bench_bar("chains of all shared robots, solved", percent, 1, 99.99, "%");
    return bench_end();
}
