#!/bin/sh
# Threads that solve, share and cancel as they may, under ThreadSanitizer: the core and cancel.c are built with it here.
set -eu

if [ -n "${LIMBER_SANITIZE:-}" ]; then
    echo "skipped: builds the core itself, so a sanitizer's build has nothing to add"
    exit 77
fi
here="$LIMBER_SOURCE_DIR/tests/races"
# shellcheck source=tests/core.sh
. "$LIMBER_SOURCE_DIR/tests/core.sh"
options="-std=c11 -O1 -g1 -fsanitize=thread -ffp-contract=off -fno-math-errno -w -D_XOPEN_SOURCE=700 -DLIMBER_THREADS -pthread
    -I$LIMBER_SOURCE_DIR/include -I$LIMBER_SOURCE_DIR/src"
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"

# What volatile is not enough for: the sanitizer has to say no to it, or it says nothing here.
cat >race.c <<'TEXT'
#include <pthread.h>
static volatile int cancel;
static void *set(void *argument) { (void)argument; cancel = 1; return 0; }
int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, 0, set, 0)) return 1;
    while (!cancel) {
    }
    return pthread_join(thread, 0);
}
TEXT

# The first compiler that has ThreadSanitizer's library.
compiler=
for candidate in "${CC:-cc}" gcc clang; do
    # shellcheck disable=SC2086
    if command -v "$candidate" >/dev/null && "$candidate" $options race.c -o race 2>/dev/null; then
        compiler=$candidate
        break
    fi
done
[ -n "$compiler" ] || { echo "skipped: no compiler here has ThreadSanitizer (Debian: apt-get install gcc)"; exit 77; }
code=0
for _ in 1 2 3 4 5 6 7 8 9 10; do # it may look away while the machine is busy, but not always
    code=0
    ./race >race.txt 2>&1 || code=$?
    [ "$code" = 0 ] || break
done
if [ "$code" != 66 ]; then
    if grep -q 'unexpected memory mapping\|FATAL: ThreadSanitizer' race.txt; then
        echo "skipped: ThreadSanitizer cannot run on this kernel: $(grep -m 1 FATAL race.txt)"
        exit 77
    fi
    echo "ThreadSanitizer does not notice a race on a volatile int (it ended with $code)"
    exit 1
fi

# shellcheck disable=SC2086
compile_core objects "$compiler" $options
# shellcheck disable=SC2086
"$compiler" $options "$here/cancel.c" objects/*.o -lm -o cancel
./cancel
