#!/bin/sh
# Instructions of a solve, counted by callgrind on the fixed problems of bench/instructions.c, against the table in
# bench/instructions.txt: fails where one takes over 10% more. Where that is meant (or to keep a gain), record it anew from a
# release build (./dev build):
#     sh tests/bench/test_instructions.sh --record
# Valgrind shows programs an AVX2 machine at best, so the path for AVX-512 is not counted.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
source_dir=${LIMBER_SOURCE_DIR:-$(cd "$here/../.." && pwd)}
build_dir=${LIMBER_BUILD_DIR:-$source_dir/build/release}
program=$build_dir/bench/instructions
table=$source_dir/bench/instructions.txt

skip() {
    echo "skipped: $*"
    exit 77
}

[ -z "${LIMBER_SANITIZE:-}" ] || skip "a sanitizer's build takes other instructions"
command -v valgrind >/dev/null 2>&1 || skip "valgrind is not installed"
[ -x "$program" ] || skip "built without benchmarks (LIMBER_BENCH)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

valgrind --tool=callgrind --callgrind-out-file="$work/out" --toggle-collect=measured --dump-after=measured \
    "$program" >"$work/runs" 2>"$work/log" || {
    cat "$work/log"
    echo "the problems did not run under callgrind"
    exit 1
}
build=$(sed -n 's/^build //p' "$work/runs")
case $build in
*release*) ;;
*) skip "not a release build" ;;
esac

# One dump after each solve, in order: out.1, out.2, ...; a problem's number is the mean over its instances.
grep -v '^build ' "$work/runs" | {
    number=0
    while read -r name outcome; do
        number=$((number + 1))
        count=$(sed -n 's/^\(summary\|totals\): //p' "$work/out.$number" | head -n 1)
        echo "$name $outcome ${count:-none}"
    done
} >"$work/counts"
awk '{ sum[$1] += $3; n[$1]++; if (!($1 in order)) { order[$1] = ++last; names[last] = $1 } }
    END { for (i = 1; i <= last; i++) printf "%-24s %d\n", names[i], sum[names[i]] / n[names[i]] }' \
    "$work/counts" >"$work/means"

if [ "${1:-}" = --record ]; then
    {
        echo "# Instructions of a solve by callgrind, the mean over a problem's instances; recorded by"
        echo "# tests/bench/test_instructions.sh --record"
        echo "build $build"
        cat "$work/means"
    } >"$table"
    cat "$table"
    exit 0
fi

recorded=$(sed -n 's/^build //p' "$table")
[ "$build" = "$recorded" ] || skip "the table is of $recorded, this is $build"
awk 'NR == FNR { if ($1 != "build" && $1 != "#") was[$1] = $2; next }
    !($1 in was) { printf "%s is not in the table\n", $1; bad = 1; next }
    {
        ratio = $2 / was[$1]
        printf "%-24s %10d instructions, %+.1f%%\n", $1, $2, 100 * (ratio - 1)
        if (ratio > 1.1) { printf "%s takes over 10%% more than the %d in the table\n", $1, was[$1]; bad = 1 }
        seen[$1] = 1
    }
    END {
        for (name in was) if (!(name in seen)) { printf "%s is in the table, but was not run\n", name; bad = 1 }
        exit bad
    }' "$table" "$work/means" || {
    echo "Where this is meant, record it: sh tests/bench/test_instructions.sh --record"
    exit 1
}
