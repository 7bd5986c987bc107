#!/bin/sh
# Every public function with every bad argument. The calls are made from the headers (make_arguments.mjs), linked with the
# libraries of this build, and so run under its sanitizers where it has some.
set -eu
here="$LIMBER_SOURCE_DIR/tests/arguments"
clang=${LIMBER_CLANG:-clang}
for tool in node "$clang" pkg-config; do
    command -v "$tool" >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
for library in liblimber.a liblimber_io.a; do
    [ -f "$LIMBER_BUILD_DIR/$library" ] || { echo "skipped: this build has no $library"; exit 77; }
done
echo '#include <stdint.h>' >probe.c
"$clang" --target=wasm32-wasi -fsyntax-only probe.c 2>/dev/null ||
    { echo "skipped: clang cannot compile for wasm32-wasi (Debian: apt-get install wasi-libc)"; exit 77; }

node "$LIMBER_SOURCE_DIR/web/make_api.mjs" "$LIMBER_SOURCE_DIR/include" . "$clang"
node "$here/make_arguments.mjs" api.json arguments.c

# A function that nobody wrote a recipe for has to be noticed.
sed 's/"name": "lb_frame_identity"/"name": "lb_frame_new"/; s/"c": "lb_frame \*"/"c": "lb_strange *"/' api.json >strange.json
if node "$here/make_arguments.mjs" strange.json strange.c 2>strange.txt || ! grep -q "lb_frame_new: the type 'lb_strange" strange.txt; then
    echo "WRONG: a function with an unknown argument is not noticed"
    exit 1
fi

options="-std=c11 -D_XOPEN_SOURCE=700 -g -O0 -I$LIMBER_SOURCE_DIR/include -I$here"
[ -z "${LIMBER_SANITIZE:-}" ] || options="$options -fsanitize=$LIMBER_SANITIZE -fno-sanitize-recover=all"
# Libraries that count their branches (./dev coverage) need gcc's counters; the driver itself is not counted.
counters=
case " ${LIMBER_CFLAGS:-} " in *" --coverage "*) counters=-lgcov ;; esac
# shellcheck disable=SC2086,SC2046
"${CC:-cc}" $options arguments.c "$here/driver.c" "$here/world.c" "$LIMBER_BUILD_DIR/liblimber_io.a" \
    "$LIMBER_BUILD_DIR/liblimber.a" $(pkg-config --libs cairo jansson expat) -lm -lpthread $counters -o arguments
# Large counts are refused by the allocator rather than by a machine that has run out of memory.
export ASAN_OPTIONS="allocator_may_return_null=1:max_allocation_size_mb=512:${ASAN_OPTIONS:-}"
rm -rf files
mkdir files
cd files
../arguments
