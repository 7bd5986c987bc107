/* How far a job is: a bar where stderr is a terminal, else a line every half minute, as for the logs of a cluster. */
#include "cli/progress.h"

#include "cli/cli.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BAR_WIDTH 24
#define FIRST_SECONDS 0.4 /* what is done sooner shows nothing */
#define LINE_SECONDS 30.0

/* "45 s", "3 min 20 s", "2 h 10 min", "4 d 3 h". */
static void print_span(double seconds, char text[32]) {
    double s = floor(seconds + 0.5);
    if (!(s < 1e9)) {
        snprintf(text, 32, "long");
    } else if (s < 60) {
        snprintf(text, 32, "%.0f s", s);
    } else if (s < 3600) {
        snprintf(text, 32, "%.0f min %.0f s", floor(s / 60), fmod(s, 60));
    } else if (s < 86400) {
        snprintf(text, 32, "%.0f h %.0f min", floor(s / 3600), floor(fmod(s, 3600) / 60));
    } else {
        snprintf(text, 32, "%.0f d %.0f h", floor(s / 86400), floor(fmod(s, 86400) / 3600));
    }
}

/* "930", "45.2 k", "1.25 M". */
static void print_amount(double amount, char text[32]) {
    if (amount < 1e4) {
        snprintf(text, 32, "%.*f", amount < 10 ? 1 : 0, amount);
    } else {
        snprintf(text, 32, "%.3g %s", amount < 999500 ? amount / 1e3 : amount / 1e6, amount < 999500 ? "k" : "M");
    }
}

static void print_state(const cli_progress *progress, const lbj_progress *p, char text[160]) {
    char rate[32], left[32];
    double share = p->chunk_count > 0 ? (double)p->done / (double)p->chunk_count : 1;
    double made = (double)(p->done - p->before) / fmax((double)p->chunk_count, 1) * progress->count;
    double each_second = p->seconds > 0 ? made / p->seconds : 0;
    print_amount(each_second, rate);
    print_span((1 - share) * progress->count / each_second, left);
    snprintf(text, 160, "%.0f of %.0f %s (%.1f%%), %s a second, %s left", floor(share * progress->count),
             progress->count, progress->unit, 100 * share, rate, each_second > 0 ? left : "?");
}

void cli_progress_show(void *context, const lbj_progress *p) {
    cli_progress *progress = context;
    char state[160];
    int is_bar = isatty(STDERR_FILENO);
    if (p->is_last && progress->shown > 0 && is_bar) {
        fprintf(stderr, "\r\033[K");
    }
    if (progress->is_quiet || p->is_last || p->seconds < FIRST_SECONDS ||
        p->seconds - progress->shown < (is_bar ? 0 : LINE_SECONDS)) {
        return;
    }
    print_state(progress, p, state);
    if (is_bar) {
        int filled = p->chunk_count > 0 ? (int)(BAR_WIDTH * p->done / p->chunk_count) : BAR_WIDTH;
        fprintf(stderr, "\r\033[K[%.*s%*s] %s", filled, "########################", BAR_WIDTH - filled, "", state);
    } else {
        fprintf(stderr, "limber: %s\n", state);
    }
    fflush(stderr);
    progress->shown = p->seconds;
}
