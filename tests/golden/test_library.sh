#!/bin/sh
# This build's own library gives the recorded hashes: -O3 in the release build, -O0 in that of the core alone, -O1 under the
# sanitizers. (test_determinism.sh has the other options and compilers.)
set -eu

here=$LIMBER_SOURCE_DIR/tests/golden
# shellcheck source=tests/golden/golden.sh
. "$here/golden.sh"

for program in $programs; do
    # shellcheck disable=SC2086 # a list of words
    "${CC:-cc}" -std=c11 -ffp-contract=off -fno-math-errno -w -I "$LIMBER_SOURCE_DIR/include" -I "$LIMBER_SOURCE_DIR/src" \
        ${LIMBER_CFLAGS:-} "$here/hash_$program.c" "$LIMBER_BUILD_DIR/liblimber.a" -lm -pthread -o "$program"
    "./$program" >"$program.hash"
done
compare . "$LIMBER_BUILD_DIR, ${CC:-cc}${LIMBER_CFLAGS:-}"
check_unfused ./solve # wide kernels may fuse whatever the rest is compiled for
exit $failed
