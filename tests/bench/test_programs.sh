#!/bin/sh
# The benchmarks run, verify what they find, and write their tables: on a few instances each, nothing timed.
set -eu
programs="$LIMBER_BUILD_DIR/bench"
[ -x "$programs/bench_arms" ] || {
    echo "skipped: the benchmarks are not built here (LIMBER_BENCH)"
    exit 77
}
out="$LIMBER_SCRATCH/out"
rm -rf "$out"

fail() {
    echo "$*" >&2
    exit 1
}

# The runner: its head, a program, the closing table.
sh "$LIMBER_SOURCE_DIR/bench/run" "$programs" arms --quick --count 3 --only panda --out "$out" >"$LIMBER_SCRATCH/log" ||
    fail "bench arms failed: $(cat "$LIMBER_SCRATCH/log")"
for words in '^machine: ' '^compiler: ' '^load before: ' '^panda .* limber ' '^What it must show:' '^load after: '; do
    grep -q "$words" "$LIMBER_SCRATCH/log" || fail "no line with '$words' in: $(cat "$LIMBER_SCRATCH/log")"
done
[ -s "$out/arms-panda.svg" ] || fail "there is no plot"

# Every start of the Panda is solved, by the benchmark's own forward kinematics.
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["solver"] == "limber" { rows++; if ($column["solved %"] != "100.00") bad++ }
    END { exit !(rows == 4 && bad == 0) }' "$out/arms.csv" || fail "arms.csv: $(cat "$out/arms.csv")"

# Natural bodies: the judge of the tests is in it. Without hanging arms fewer answers are clean.
"$programs/bench_body" --ablate --only 'out ha' --count 28 --out "$out" >"$LIMBER_SCRATCH/log" || fail "bench body --ablate failed"
awk -F , '$1 == "without hang" { bare = $2 } $1 == "without habit" { all = $2; unmet = $3 } END { exit !(all > bare && unmet == 0) }' \
    "$out/body-ablation.csv" || fail "body-ablation.csv: $(cat "$out/body-ablation.csv")"
"$programs/bench_body" --quick --count 1 --out "$out" >"$LIMBER_SCRATCH/log" || fail "bench body failed"
awk -F , 'NR > 1 && $3 == "100.00" { right++ } END { exit right != 3 }' "$out/body-cold.csv" ||
    fail "body-cold.csv: $(cat "$out/body-cold.csv")"

if sh "$LIMBER_SOURCE_DIR/bench/run" "$programs" nothing >"$LIMBER_SCRATCH/log" 2>&1; then
    fail "a benchmark that does not exist must be an error"
fi
grep -q 'There is no benchmark "nothing"; there are: ' "$LIMBER_SCRATCH/log" || fail "it does not say which there are"
