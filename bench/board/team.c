#include "board.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Solvers in processes of their own. Those whose loop runs in Python are allowed longer: the language takes most of it. */
static const struct {
    const char *name, *script;
    int part; /* it takes one of so many goals */
    double limit_us;
} processes[] = {
    {"TRAC-IK", "peer_tracik.py", 2, 10000},
    {"OPTIK", "peer_optik.py", 2, 5000},
    {"EAIK", "peer_eaik.py", 1, 5000},
    {"ssik", "peer_ssik.py", 2, 5000},
    {"Robotics Toolbox", "peer_toolbox.py", 2, 5000},
    {"closed-chain-ik", "peer_closed_chain.mjs", 2, 5000},
    {"mink", "peer_mink.py", 10, 100000},
    {"pink", "peer_pink.py", 10, 100000},
    {"PlaCo", "peer_placo.py", 10, 100000},
    {"ikpy", "peer_ikpy.py", 10, 100000},
};

#define OWN_LIMIT_US 5000

static board_entry *entry_of(board *b, const char *name) {
    for (int i = 0; i < b->entry_count; i++) {
        if (!strcmp(b->entries[i].name, name)) {
            return &b->entries[i];
        }
    }
    if (b->entry_count == BOARD_MOST) {
        bench_stop("the scoreboard has room for %d contestants", BOARD_MOST);
    }
    board_entry *entry = &b->entries[b->entry_count++];
    snprintf(entry->name, sizeof entry->name, "%s", name);
    for (int i = 0; i < BOARD_ARMS; i++) {
        entry->percent[i] = entry->mean[i] = NAN;
    }
    return entry;
}

static bench_contestant *join(board_team *team, board_entry *entry, double limit_us, int part) {
    const int c = team->count++;
    memset(&team->all[c], 0, sizeof team->all[c]);
    team->entries[c] = entry;
    team->close[c] = NULL;
    team->is_process[c] = 0;
    team->parts[c] = part;
    team->all[c].name = entry->name;
    entry->allowed_ms = 1e-3 * limit_us;
    entry->robots++;
    return &team->all[c];
}

static void join_library(board *b, board_team *team, bench_arm *arm, const peer_kind *kind) {
    board_entry *entry = entry_of(b, kind->name);
    void *peer = kind->create(arm);
    if (!peer) {
        snprintf(entry->cannot, sizeof entry->cannot, "%s: it cannot do this robot", arm->name);
        return;
    }
    bench_contestant *c = join(team, entry, arm->limit_us, kind->part);
    c->context = peer;
    c->solve = kind->solve;
    team->close[team->count - 1] = kind->destroy;
}

/* The command that runs a script or program, ended by NULL. */
static void command_of(const char *path, const char *command[4], char python[1024], char folder[1024]) {
    const char *ending = strrchr(path, '.'), *wanted = getenv("PYTHON");
    bench_source_path("build/peers", folder);
    bench_source_path("build/peers/python/bin/python3", python);
    if (wanted || access(python, X_OK)) {
        snprintf(python, 1024, "%s", wanted ? wanted : "/usr/bin/python3");
    }
    const int is_python = ending && !strcmp(ending, ".py"), is_module = ending && !strcmp(ending, ".mjs");
    memset(command, 0, 4 * sizeof *command);
    command[0] = is_python ? python : is_module ? "node" : path;
    if (is_python || is_module) {
        command[1] = path;
        command[2] = is_module ? folder : NULL;
    }
}

static void join_process(board *b, board_team *team, bench_arm *arm, const char *path, const char *name,
                         double limit_us, int part) {
    const char *command[4];
    char python[1024], folder[1024], why[256] = "";
    command_of(path, command, python, folder);
    peer_process *process = peer_process_open(arm, command, limit_us, why);
    board_entry *entry = entry_of(b, name ? name : process ? peer_process_name(process) : "my solver");
    if (!process) {
        snprintf(entry->cannot, sizeof entry->cannot, "%.60s: %.180s", arm->name, why);
        printf("%s: left out: %s\n", entry->name, entry->cannot);
        return;
    }
    snprintf(entry->version, sizeof entry->version, "%s", peer_process_version(process));
    bench_contestant *c = join(team, entry, limit_us, part);
    c->context = process;
    c->solve = peer_process_solve;
    team->close[team->count - 1] = peer_process_close;
    team->is_process[team->count - 1] = 1;
}

/* One's own: a shared object with a peer_kind named "contestant", or a program that speaks the protocol. */
static void join_own(board *b, board_team *team, bench_arm *arm, const char *path) {
    const char *ending = strrchr(path, '.');
    if (!ending || strcmp(ending, ".so")) {
        join_process(b, team, arm, path, NULL, OWN_LIMIT_US, 1);
        return;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const peer_kind *kind = library ? dlsym(library, "contestant") : NULL;
    if (!kind) {
        bench_stop("%s: %s", path, library ? "it has no peer_kind named \"contestant\"" : dlerror());
    }
    join_library(b, team, arm, kind);
}

void board_team_open(board *b, bench_arm *arm, const bench_contestant *limber, board_team *team) {
    char folder[1024], path[2048];
    memset(team, 0, sizeof *team);
    bench_contestant *c = join(team, entry_of(b, "Limber"), arm->limit_us, 1);
    c->context = limber ? limber->context : arm;
    c->solve = limber ? limber->solve : bench_arm_solve;
    bench_source_path("bench/board", folder);
    setenv("PYTHONPATH", folder, 1); /* one's own solver finds contestant.py there */
    for (int p = 0; bench.with_peers && peers[p]; p++) {
        join_library(b, team, arm, peers[p]);
    }
    for (size_t p = 0; bench.with_peers && p < sizeof processes / sizeof *processes; p++) {
        snprintf(path, sizeof path, "%s/%s", folder, processes[p].script);
        join_process(b, team, arm, path, processes[p].name, processes[p].limit_us, processes[p].part);
    }
    if (bench.solver) {
        join_own(b, team, arm, bench.solver);
    }
}

/* --- One set of goals of one robot ------------------------------------------------------------------------ */

static void add_times(board_sum *sum, const bench_contestant *c) {
    sum->us = realloc(sum->us, (size_t)(sum->us_count + c->count) * sizeof *sum->us);
    if (!sum->us) {
        bench_stop("no memory");
    }
    memcpy(sum->us + sum->us_count, c->us, (size_t)c->count * sizeof *sum->us);
    sum->us_count += c->count;
}

static void add_up(board_sum *sum, const bench_contestant *limber, const bench_contestant *c) {
    const double own = bench_statistics(c->count, limber->us).mean, mean = bench_statistics(c->count, c->us).mean;
    for (int i = 0; i < c->count; i++) {
        sum->goals += !isnan(c->us[i]);
        sum->right += !isnan(c->us[i]) && c->is_right[i];
        sum->claims += c->is_claimed[i];
    }
    sum->false_claims += c->false_claims;
    add_times(sum, c);
    if (mean > 0 && own > 0) {
        sum->log_ratio += log(mean / own);
        sum->ratios++;
    }
}

void board_team_race(board *b, board_team *team, board_set set, bench_race *race) {
    for (int c = 0; c < team->count; c++) {
        bench_contestant *one = &team->all[c];
        const int count = race->instances / team->parts[c], least = race->instances < 10 ? race->instances : 10;
        one->count = count < least ? least : count;
        one->repeats = c == 0 ? 5 : bench.is_quick || team->is_process[c] ? 1 : 3;
    }
    bench_race_run(race, team->count, team->all);
    for (int c = 0; c < team->count; c++) {
        bench_contestant *one = &team->all[c];
        board_entry *entry = team->entries[c];
        add_up(&entry->sums[set], &team->all[0], one);
        if (set == BOARD_REACHABLE) {
            entry->percent[b->arm_count] = bench_right_percent(race, one);
            entry->mean[b->arm_count] = bench_statistics(one->count, one->us).mean;
        }
        if (team->is_process[c] && peer_process_trouble(one->context)[0]) {
            snprintf(entry->cannot, sizeof entry->cannot, "%.200s", peer_process_trouble(one->context));
            printf("%s: %s\n", entry->name, entry->cannot);
        }
    }
}

void board_team_close(board_team *team) {
    for (int c = 0; c < team->count; c++) {
        if (team->close[c]) {
            team->close[c](team->all[c].context);
        }
    }
}
