#include "solve/threads.h"

#ifdef LIMBER_THREADS

#include <pthread.h>

typedef struct hand {
    void (*work)(void *context, int number);
    void *context;
    int number;
} hand;

static void *begin(void *argument) {
    const hand *h = argument;
    h->work(h->context, h->number);
    return 0;
}

int lbs_most_threads(void) { return LBS_MOST_THREADS; }

void lbs_work(int count, void (*work)(void *context, int number), void *context) {
    pthread_t threads[LBS_MOST_THREADS];
    hand hands[LBS_MOST_THREADS];
    int started[LBS_MOST_THREADS];
    if (count > LBS_MOST_THREADS) {
        count = LBS_MOST_THREADS;
    }
    for (int i = 1; i < count; i++) {
        hands[i] = (hand){work, context, i};
        started[i] = pthread_create(&threads[i], 0, begin, &hands[i]) == 0;
    }
    work(context, 0);
    for (int i = 1; i < count; i++) {
        if (started[i]) {
            pthread_join(threads[i], 0);
        }
    }
}

#else

int lbs_most_threads(void) { return 1; }

void lbs_work(int count, void (*work)(void *context, int number), void *context) {
    (void)count;
    work(context, 0);
}

#endif
