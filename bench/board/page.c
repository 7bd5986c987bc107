#include "board.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double percent(int part, int all) { return all ? 100.0 * part / all : NAN; }

/* A number of three digits, or nothing where there is none. */
static void number(FILE *page, double value) {
    if (isnan(value)) {
        fprintf(page, " |");
    } else {
        fprintf(page, " %.*f |", value < 10 ? 2 : value < 100 ? 1 : 0, value);
    }
}

/* A text file of the repository inside a fence. */
static void include(FILE *page, const char *relative, const char *language) {
    char path[1024], line[512];
    bench_source_path(relative, path);
    FILE *file = fopen(path, "r");
    if (!file) {
        bench_stop("%s cannot be read", path);
    }
    fprintf(page, "```%s\n", language);
    while (fgets(line, sizeof line, file)) {
        fputs(line, page);
    }
    fprintf(page, "```\n\n");
    fclose(file);
}

static void write_head(FILE *page, const board *b) {
    const board_sum *s = b->entries[0].sums;
    fprintf(page,
            "# The scoreboard\n\n"
            "<!-- Written by `./dev bench robots --with-peers`; do not edit. -->\n\n"
            "Limber beside fifteen other solvers of inverse kinematics that Debian, npm and PyPI provide: the same "
            "robots, the same goals, the "
            "same starts (the middle of\neach joint's range), one run, one core, taking turns. Every answer is "
            "verified by forward "
            "kinematics written for that alone, in long double: inside the limits,\nwithin 1e-5 m and 1e-5 rad. "
            "Who says that "
            "it is there and is not has made a **false claim**. [The benchmarks](../bench/README.md#scoreboard) "
            "say how each is "
            "used,\nand what is fair to it; [who is missing](#who-is-missing) stands below.\n\n");
    fprintf(page,
            "In this run Limber reached %.2f%% of %d reachable goals with %d false claims; of %d goals that nothing "
            "can reach, it "
            "claimed %d and proved %d to be out of reach.\n\n",
            percent(s[BOARD_REACHABLE].right, s[BOARD_REACHABLE].goals), s[BOARD_REACHABLE].goals,
            s[BOARD_REACHABLE].false_claims, s[BOARD_FAR].goals, s[BOARD_FAR].claims, b->proved[BOARD_FAR]);
}

static void write_reachable(FILE *page, const board *b) {
    fprintf(page,
            "## Goals within reach\n\nFull poses that random joint values inside the limits have, of %d robots.\n\n",
            b->arm_count);
    fprintf(page, "| solver | version | robots | goals | solved %% | false claims | mean us | median us | p99 us | x "
                  "Limber | allowed ms |\n"
                  "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
    for (int c = 0; c < b->entry_count; c++) {
        const board_entry *e = &b->entries[c];
        const board_sum *s = &e->sums[BOARD_REACHABLE];
        const bench_stats t = bench_statistics(s->us_count, s->us);
        if (!s->goals) {
            continue;
        }
        fprintf(page, "| %s | %s | %d | %d |", e->name, e->version, s->ratios, s->goals);
        fprintf(page, " %.2f | %d |", percent(s->right, s->goals), s->false_claims);
        number(page, t.mean);
        number(page, t.p50);
        number(page, t.p99);
        number(page, exp(s->log_ratio / s->ratios));
        fprintf(page, " %g |\n", e->allowed_ms);
    }
    fprintf(page, "\n\"x Limber\" is the geometric mean, over the robots that it does, of its mean time over Limber's "
                  "on the same goals. Failures "
                  "count with the time that they took. Slower solvers take the\nfirst part of the goals, so that rows "
                  "with fewer goals say less.\n\n");
    fprintf(page, "By robot: solved %%, mean us.\n\n| solver |");
    for (int a = 0; a < b->arm_count; a++) {
        fprintf(page, " %s |", b->arms[a]);
    }
    fprintf(page, "\n| --- |");
    for (int a = 0; a < b->arm_count; a++) {
        fprintf(page, " --: |");
    }
    for (int c = 0; c < b->entry_count; c++) {
        const board_entry *e = &b->entries[c];
        if (!e->sums[BOARD_REACHABLE].goals) {
            continue;
        }
        fprintf(page, "\n| %s |", e->name);
        for (int a = 0; a < b->arm_count; a++) {
            if (isnan(e->percent[a])) {
                fprintf(page, " |");
            } else {
                fprintf(page, " %.4g,", e->percent[a]);
                number(page, e->mean[a]);
            }
        }
    }
    fprintf(page, "\n\n");
}

static void quote(FILE *page, const char *what, const char *sentence) {
    if (sentence[0]) {
        fprintf(page, "%s, for example:\n\n> %s\n\n", what, sentence);
    }
}

double board_longest_us(const board_entry *e) {
    const board_sum *far = &e->sums[BOARD_FAR], *beyond = &e->sums[BOARD_BEYOND];
    return fmax(bench_statistics(far->us_count, far->us).max, bench_statistics(beyond->us_count, beyond->us).max);
}

static void write_unreachable(FILE *page, const board *b) {
    fprintf(page, "## Goals out of reach\n\n**Too far**: farther from the first joint than all links are long "
                  "together, so that nothing reaches them, "
                  "whoever solves. **Beyond the limits**: frames of joint\nvalues of which one to three are outside "
                  "their limits; other values "
                  "may reach them, and who finds such values is right.\n\n");
    fprintf(
        page,
        "| solver | too far: goals | claims | mean us | beyond the limits: goals | reached | false claims | mean us |\n"
        "| --- | --: | --: | --: | --: | --: | --: | --: |\n");
    for (int c = 0; c < b->entry_count; c++) {
        const board_entry *e = &b->entries[c];
        const board_sum *far = &e->sums[BOARD_FAR], *beyond = &e->sums[BOARD_BEYOND];
        if (!far->goals) {
            continue;
        }
        fprintf(page, "| %s | %d | %d |", e->name, far->goals, far->claims);
        number(page, bench_statistics(far->us_count, far->us).mean);
        fprintf(page, " %d | %d | %d |", beyond->goals, beyond->right, beyond->false_claims);
        number(page, bench_statistics(beyond->us_count, beyond->us).mean);
        fprintf(page, "\n");
    }
    fprintf(page,
            "\nThe time that is allowed is looked at between starts, and some take longer than it where nothing is "
            "reached: compare the means before\nthe counts. Limber has the same time as its deadline: the "
            "longest of its solves took %.2f ms.\n\n"
            "Limber also proves that a goal is out of reach ([reach](reach.md), [all solutions](closed.md)): %d "
            "of the %d goals that are too "
            "far, and %d of the %d beyond\nthe limits. Of those that it proved, the others reached %d.\n\n",
            1e-3 * board_longest_us(&b->entries[0]), b->proved[BOARD_FAR], b->entries[0].sums[BOARD_FAR].goals,
            b->proved[BOARD_BEYOND], b->entries[0].sums[BOARD_BEYOND].goals,
            b->disproved[BOARD_FAR] + b->disproved[BOARD_BEYOND]);
    quote(page, "Where a goal is too far, it says why", b->sentences[BOARD_FAR]);
}

static void write_occluded(FILE *page, const board *b) {
    if (!b->entries[0].sums[BOARD_CLEAR].goals) {
        return;
    }
    fprintf(page, "## Goals among obstacles\n\nPanda, UR5 and iiwa 14 with their meshes, on a table with three boxes "
                  "around. **Clear**: frames of "
                  "poses that touch nothing, so that a clear answer exists.\n**Blocked**: the hand itself is at least "
                  "5 mm inside an obstacle, so that none does. "
                  "FCL judges: an answer that is at its goal and overlaps anything by over 0.1 mm touches.\n\n");
    fprintf(page, "| solver | clear: goals | reached, touching nothing | reached, but touching | mean us | blocked: "
                  "goals | claims |\n"
                  "| --- | --: | --: | --: | --: | --: | --: |\n");
    for (int c = 0; c < b->entry_count; c++) {
        const board_entry *e = &b->entries[c];
        const board_sum *clear = &e->sums[BOARD_CLEAR], *blocked = &e->sums[BOARD_BLOCKED];
        if (!clear->goals) {
            continue;
        }
        fprintf(page, "| %s | %d | %d | %d |", e->name, clear->goals, clear->right - clear->touching, clear->touching);
        number(page, bench_statistics(clear->us_count, clear->us).mean);
        fprintf(page, " %d | %d |\n", blocked->goals, blocked->claims);
    }
    fprintf(page, "\nLimber was told of the obstacles; the others were given the bare chain, since none of them takes "
                  "obstacles in a solve as it is used here (mink, pink "
                  "and PlaCo can\nkeep pairs apart from step to step, which is not set up here). So this table says "
                  "what a program must do by itself that calls them, not that "
                  "they are wrong.\n\n");
    fprintf(page, "Asked about %d of the blocked goals, Limber named an obstacle for %d. ", b->asked, b->explained);
    quote(page, "It says", b->sentences[BOARD_BLOCKED]);
}

static void write_missing(FILE *page, const board *b) {
    fprintf(
        page,
        "## Who is missing\n\nOf a solver that left out several robots, the last reason is told. `ssik build` has four "
        "minutes by the clock, which on a busy machine\ncan be too few.\n\n| solver | why |\n| --- | --- |\n");
    for (int c = 0; c < b->entry_count; c++) {
        if (b->entries[c].cannot[0]) {
            fprintf(page, "| %s, on some robots | %s |\n", b->entries[c].name, b->entries[c].cannot);
        }
    }
    fprintf(page, "| tracikpy, trac-ik, trac_ik_python | not on PyPI; TRAC-IK is there as pytracik |\n"
                  "| IKFast | makes one program for each robot, by OpenRAVE, which has no package; PyPI's "
                  "ikfast-pybind has some robots alone |\n"
                  "| BioIK, pick_ik, MoveIt | packages of ROS alone |\n"
                  "| cuRobo | for graphics processors, and not on PyPI |\n"
                  "| pyroki, relaxed-ik | not on PyPI |\n"
                  "| Drake, pytorch-kinematics, PyBullet, ik-geo, kinpy, tesseract-robotics | on PyPI; nobody has "
                  "written their thirty lines yet |\n\n");
}

static void write_how(FILE *page) {
    fprintf(page, "## Run it yourself\n\n"
                  "    ./dev bench robots --with-peers              arms, servos, collisions and this page; installs "
                  "the others into build/peers\n"
                  "    ./dev bench robots --with-peers --quick      in minutes, on smaller samples\n"
                  "    ./dev bench scoreboard --solver ./mine.py    one's own solver beside Limber\n\n"
                  "Times compare inside one run alone. A run with the others, quick or not, writes "
                  "`docs/scoreboard.md`; `out/bench/scoreboard.csv` has the numbers.\n\n");
}

static void write_own(FILE *page) {
    fprintf(page, "## Your own solver, in 30 lines\n\nA contestant is a program that reads lines of JSON and answers "
                  "them, or a shared object. In Python, "
                  "`contestant.py` reads, measures the CPU time and answers; what is\nleft is a function that makes a "
                  "solver of a robot (this is "
                  "[bench/board/example.py](../bench/board/example.py), and a test runs it):\n\n");
    include(page, "bench/board/example.py", "python reads contestant.py");
    fprintf(page, "    ./dev bench scoreboard --quick --solver bench/board/example.py\n\n"
                  "`--solver FILE.py` runs it by `$PYTHON` (else by the Python of `build/peers`, else by Debian's), "
                  "`FILE.mjs` by Node, `FILE.so` inside the bench; any other file is "
                  "a program.\n\n"
                  "The protocol, for any language: standard input has a line with the robot, then a line for each "
                  "problem; standard output has a line for "
                  "each. Nothing else may be printed there.\n\n"
                  "| line | fields |\n| --- | --- |\n"
                  "| the robot | `robot` (its name), `urdf` (a file; `urdf_limited`: joints without limits have those "
                  "of a turn), `base` and `tip` (links of it), `names` of the "
                  "joints, `is_angle` (else it slides), `lower` and `upper` (null: no limit), "
                  "`frames` (of each joint in the moved frame of the one before, 16 numbers by rows), `axes`, `tool` "
                  "(in the last joint's moved frame), `limit_us`, `tolerance_m`, "
                  "`tolerance_rad` |\n"
                  "| its answer | `name`, `version`; or `name`, `cannot` (why it does not do this robot) |\n"
                  "| a problem | `number` (a seed), `target` (16 numbers by rows), `start` (joint values) |\n"
                  "| its answer | `values`, `solved` (does it claim to be there?), `us` (CPU time that it took) |\n\n"
                  "In C, a `peer_kind` is called inside the bench, whose clock counts "
                  "([bench/board/example.c](../bench/board/example.c), tested as well):\n\n");
    include(page, "bench/board/example.c", "c");
}

void board_write_page(const board *b, const char *path) {
    char beside[1100];
    snprintf(beside, sizeof beside, "%s.new", path);
    FILE *page = fopen(beside, "w");
    if (!page) {
        bench_stop("%s cannot be written", beside);
    }
    write_head(page, b);
    write_reachable(page, b);
    write_unreachable(page, b);
    write_occluded(page, b);
    write_missing(page, b);
    write_how(page);
    write_own(page);
    if (fclose(page) || rename(beside, path)) {
        bench_stop("%s cannot be written", path);
    }
}
