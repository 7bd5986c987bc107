#!/bin/sh
# One result on another CPU: the core compiled for aarch64 by Debian's cross compiler, with its vectors, and run
# by qemu, gives the recorded hashes; with LIMBER_TEST_LONG also optimised further, where a compiler may fuse, and without vectors.
set -eu

here=$LIMBER_SOURCE_DIR/tests/golden
# shellcheck source=tests/golden/golden.sh
. "$here/golden.sh"
# shellcheck source=tests/core.sh
. "$LIMBER_SOURCE_DIR/tests/core.sh"

skip() {
    echo "skipped: $*"
    exit 77
}

compiler=aarch64-linux-gnu-gcc
[ -z "${LIMBER_SANITIZE:-}" ] || skip "builds the core itself, so a sanitizer's build has nothing to add"
command -v $compiler >/dev/null 2>&1 ||
    skip "there is no $compiler (Debian: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross)"
emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) ||
    skip "there is no qemu-aarch64 (Debian: apt-get install qemu-user)"
printf '#include <stdlib.h>\nint main(void) { return 0; }\n' >probe.c
$compiler -static probe.c -o probe 2>/dev/null ||
    skip "$compiler has no C library (Debian: apt-get install libc6-dev-arm64-cross)"
"$emulator" ./probe || skip "$emulator does not run a program that does nothing"

# run NAME OPTIONS...: compiles, runs and compares.
run() {
    name=$1
    shift
    rm -rf "$name"
    mkdir "$name"
    compile_core "$name/objects" $compiler -std=c11 -ffp-contract=off -fno-math-errno -w "$@"
    for program in $programs; do
        $compiler -std=c11 -ffp-contract=off -fno-math-errno -w -I "$LIMBER_SOURCE_DIR/include" -I "$LIMBER_SOURCE_DIR/src" \
            "$@" -static "$here/hash_$program.c" "$name"/objects/*.o -lm -o "$name/$program"
        "$emulator" "./$name/$program" >"$name/$program.hash"
    done
    compare "$name" "$compiler $*"
}

run vectors -O1
if [ -n "${LIMBER_TEST_LONG:-}" ]; then
    run vectors -O3
    run scalar -O0 -DLBM_SCALAR
fi
fused=$(aarch64-linux-gnu-objdump -d --no-show-raw-insn vectors/objects/*.o |
    awk '/^[0-9a-f]+ </ { name = $2 } $2 ~ /^fn?m(add|sub|la|ls)$/ { print name " " $2 }' | sort -u)
if [ -n "$fused" ]; then
    echo "fused multiply-add in" "$fused"
    failed=1
fi
exit $failed
