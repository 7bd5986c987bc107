#include "property.h"

#include <stdarg.h>
#include <stdlib.h>

#include "check.h"

#define MOST_TOLD 4

static long present_case;
static int is_replay;

int property_is_replay(void) { return is_replay; }

int property_expect(property *p, int kept, const char *format, ...) {
    va_list arguments;
    p->tried++;
    if (kept) {
        return 1;
    }
    if (p->failed == 0) {
        p->first = present_case;
    }
    int is_first = p->failed == 0 || p->last != present_case; /* of this case */
    p->failed += is_first;
    p->last = present_case;
    if ((p->failed > MOST_TOLD || !is_first) && !is_replay) {
        return 0;
    }
    printf("case %ld: not kept: %s: ", present_case, p->name);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    return 0;
}

static void run_one(long number, void (*run)(long, uint64_t)) {
    present_case = number;
    run(number, 0x9e3779b97f4a7c15ull * (uint64_t)(number + 1));
}

int property_main(int argc, char **argv, int usual, int longer, void (*run)(long, uint64_t), property *properties,
                  int count) {
    long first = 0, end = check_count(usual, longer) / (check_is_sanitized() ? 10 : 1);
    if (argc > 1) {
        first = atol(argv[1]);
        end = argc > 2 ? atol(argv[2]) : first + 1;
        is_replay = argc == 2;
    }
    for (long i = first; i < end; i++) {
        run_one(i, run);
    }
    for (int i = 0; i < count; i++) {
        const property *p = &properties[i];
        check_note("%s: broken in %ld of %ld cases, the first is %ld", p->name, p->failed, end - first, p->first);
        double allowed = p->share * (double)p->tried;
        CHECK(p->failed <= (p->share > 0 && allowed < 1 ? 1 : allowed));
        check_note("%s: never looked at", p->name);
        CHECK(p->tried > 0 || argc > 1);
        printf("%-60s %8ld times looked at, broken in %ld of %ld cases\n", p->name, p->tried, p->failed, end - first);
    }
    return check_done();
}
