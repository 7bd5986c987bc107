#!/bin/sh
# ./dev walk follows examples/hello.c from lb_solve down, and its counts are those of the tree that it prints. With --long.
set -eu
[ -n "${LIMBER_TEST_LONG:-}" ] || { echo "skipped: it builds all libraries once more: ./dev test --long runs it"; exit 77; }
[ -n "$LIMBER" ] || { echo "skipped: without the io layer no example runs"; exit 77; }
for tool in node addr2line ninja cmake pkg-config; do
    command -v "$tool" >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 77; }
done

fail() {
    echo "FAILED: $*"
    exit 1
}

walk() {
    COLUMNS=160 "$LIMBER_SOURCE_DIR/dev" walk "$LIMBER_SOURCE_DIR/examples/hello.c" "$@"
}

walk >tree.txt || fail "it stopped: $(tail -n 3 tree.txt)"
head -n 1 tree.txt | grep -q '^lb_solve  *solve/[a-z_/]*\.c:[0-9]* ' || fail "the first line is not lb_solve: $(head -n 1 tree.txt)"
grep -q '^ \{2,\}lbs_run_lm  *solve/methods/lm/' tree.txt || fail "the method is not in it"

# The tree: one line a function, each once; files are counted as the last line says.
sed '/^$/,$d' tree.txt >lines.txt
[ -z "$(awk '{ print $1, $2 }' lines.txt | sort | uniq -d)" ] || fail "a function stands twice"
awk '{
        file = $2
        sub(/:[0-9]*$/, "", file)
        if (!(file in seen)) files++
        else if (file != last) returns++
        seen[file] = 1
        match($0, /^ */)
        depth = RLENGTH / 2
        of[depth] = file
        if (depth > 0 && of[depth - 1] != file) switches++
        last = file
    }
    END { printf "lb_solve: %d functions in %d files, %d switches of file, %d returns to a file already left\n", NR, files, switches, returns }' \
    lines.txt >counted.txt
tail -n 1 tree.txt | cmp - counted.txt || fail "counted from the tree: $(cat counted.txt), told: $(tail -n 1 tree.txt)"

# --counts tells the same without the tree, --depth cuts the tree but not the counts, --from begins elsewhere.
walk --counts >counts.txt
head -n 1 counts.txt | cmp - counted.txt || fail "--counts differs: $(head -n 1 counts.txt)"
walk --depth 1 >top.txt
tail -n 1 top.txt | cmp - counted.txt || fail "--depth changes the counts"
if grep -q '^    ' top.txt; then fail "--depth 1 shows more"; fi
walk --from lbs_run_lm --depth 0 | head -n 1 | grep -q '^lbs_run_lm (and [0-9]* below)' || fail "--from lbs_run_lm does not begin there"
if walk --from no_such_function >/dev/null 2>&1; then fail "it follows a function that there is not"; fi
# --returns lists as many as are counted, each into a file that the tree has before it.
walk --returns >returns.txt
[ "$(tail -n 1 returns.txt)" = "$(cat counted.txt)" ] || fail "--returns changes the counts"
listed=$(grep -c ' back to ' returns.txt)
told=$(sed 's/.*, \([0-9]*\) returns .*/\1/' counted.txt)
[ "$listed" = "$told" ] || fail "--returns lists $listed of $told"

# A problem file is followed, too.
"$LIMBER_SOURCE_DIR/dev" walk "$LIMBER_SOURCE_DIR/problems/sitting.json" --counts >problem.txt || fail "no walk of a problem file: $(tail -n 3 problem.txt)"
grep -q '^lb_solve: [0-9]* functions' problem.txt || fail "the walk of a problem file: $(head -n 1 problem.txt)"
echo "The walk: $(cat counted.txt)"
