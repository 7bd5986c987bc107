#!/bin/sh
# Builds by other rules than CMakeLists.txt's that would change results are refused: when compiling where the compiler
# tells (fast-math, excess precision), else when a figure is made (contraction).
set -eu
source="$LIMBER_SOURCE_DIR/src"
includes="-I$LIMBER_SOURCE_DIR/include -I$source"
failed=0
tried=0

wrong() {
    echo "WRONG: $1"
    failed=1
}

# refused TEXT COMPILER OPTIONS...: kernels do not compile, and the compiler says why.
refused() {
    text=$1
    shift
    # shellcheck disable=SC2086
    "$@" -std=c11 $includes -c "$source/math/trig.c" -o refused.o 2>flags.txt && wrong "$* is not refused"
    grep -q -e "$text" flags.txt || { wrong "$*: the message lacks: $text"; head -n 5 flags.txt; }
    tried=$((tried + 1))
}

# accepts COMPILER OPTION: whether the compiler knows the option here.
accepts() {
    echo 'int main(void) { return 0; }' >empty.c
    "$@" -Werror empty.c -o empty 2>/dev/null
}

cat >strict.c <<'TEXT'
#include <stdio.h>

#include "math/strict.h"

int main(void) {
    const char *reason = lbm_strict();
    puts(reason ? reason : "strict");
    return 0;
}
TEXT

# said TEXT COMPILER OPTIONS...: what a build with these options says of itself.
said() {
    text=$1
    shift
    # shellcheck disable=SC2086,SC2015
    "$@" -std=c11 -O2 $includes strict.c "$source/math/strict.c" "$source/math/simd.c" -o strict &&
        ./strict >strict.txt || { wrong "$* does not build or run"; return; }
    grep -q -e "$text" strict.txt || wrong "$* says: $(cat strict.txt)"
    tried=$((tried + 1))
}

has_fma=no
! grep -q -w fma /proc/cpuinfo 2>/dev/null || has_fma=yes
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    refused 'without -ffast-math' $compiler -Ofast
    refused 'without -ffast-math' $compiler -ffast-math
    refused 'without -ffast-math' $compiler -ffinite-math-only
    said '^strict$' $compiler -ffp-contract=off
    if [ $has_fma = yes ]; then
        said '^strict$' $compiler -ffp-contract=off -mavx2 -mfma
        said '-ffp-contract=off' $compiler -ffp-contract=fast -mfma
    fi
    if [ "$(uname -m)" = aarch64 ]; then
        said '-ffp-contract=off' $compiler -ffp-contract=fast
    fi
done
if command -v gcc >/dev/null; then
    refused 'without -ffast-math' gcc -fassociative-math -fno-signed-zeros -fno-trapping-math
    ! accepts gcc -mfpmath=387 || refused 'without excess precision' gcc -mfpmath=387
fi
[ $tried -gt 0 ] || { echo "skipped: neither gcc nor clang is installed"; exit 77; }

# A figure is not made by such a build: here the library is told that it is one.
cat >figure.c <<'TEXT'
#include <limber/limber.h>
#include <stdio.h>
#include <string.h>

const char *lbm_strict(void);
const char *lbm_strict(void) { return "not strict: compile it otherwise"; }

int main(void) {
    lb_segment segment;
    lb_figure *figure = NULL;
    lb_builder *builder = lb_builder_create(NULL, NULL);
    lb_segment_defaults(&segment);
    segment.name = "a";
    lb_builder_add_segment(builder, &segment);
    lb_status status = lb_builder_finish(builder, &figure);
    puts(lb_builder_error(builder)->message);
    return !(status == LB_ERROR_UNSUPPORTED && !figure && strstr(lb_builder_error(builder)->message, "not strict"));
}
TEXT
# shellcheck disable=SC2086,SC2015
"${CC:-cc}" -std=c11 $includes ${LIMBER_SANITIZE:+-fsanitize=$LIMBER_SANITIZE} figure.c "$LIMBER_BUILD_DIR/liblimber.a" \
    -lm -lpthread -o figure && ./figure >figure.txt || { wrong "a figure is made all the same"; cat figure.txt; }

# Where the control register is not known, another way of rounding is noticed by an addition.
cat >rounding.c <<'TEXT'
#include "math/rounding.h"

#include <fenv.h>
#include <stdio.h>

int main(void) {
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int i = 0; i < 4; i++) {
        fesetround(modes[i]);
        int is_nearest = lbm_rounding_enter().is_nearest;
        fesetround(FE_TONEAREST);
        printf("%d", is_nearest);
    }
    return 0;
}
TEXT
# shellcheck disable=SC2086
"${CC:-cc}" -std=c11 -O2 -DLBM_ASK_ROUNDING $includes rounding.c -lm -o rounding
[ "$(./rounding)" = 1000 ] || wrong "the addition does not tell ways of rounding apart: $(./rounding)"

[ $failed = 0 ] || exit 1
echo "$tried builds: refused or strict as they should be."
