/* Any bytes as a habit; what loads must be written, and what is written must load again and be written alike. */
#include <limber/io.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_numbers(const lb_habit *habit) {
    const lb_habit_data *d = lb_habit_contents(habit);
    const int factors = d->feature_count * (d->feature_count + 1) / 2;
    for (int i = 0; i < factors; i++) {
        if (!isfinite(d->factor[i])) {
            abort();
        }
    }
    for (int i = 0; i < d->start_count * d->feature_count; i++) {
        if (!isfinite(d->starts[i])) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lb_habit *habit = NULL, *again = NULL;
    lb_error error;
    char *text = NULL, *twice = NULL;
    size_t length = 0, other = 0;
    if (lb_habit_load_memory(data, size, "input", NULL, NULL, &habit, &error) == LB_OK) {
        check_numbers(habit);
        if (lb_habit_save_memory(habit, &text, &length, &error) != LB_OK ||
            lb_habit_load_memory(text, length, "output", NULL, NULL, &again, &error) != LB_OK ||
            lb_habit_save_memory(again, &twice, &other, &error) != LB_OK || other != length ||
            memcmp(text, twice, length) != 0) {
            abort();
        }
    }
    lb_habit_destroy(habit);
    lb_habit_destroy(again);
    lb_text_free(text);
    lb_text_free(twice);
    return 0;
}
