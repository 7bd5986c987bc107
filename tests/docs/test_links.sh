#!/bin/sh
# What the documents point to is there: relative links, and paths of the tree and names of tests in `backticks`.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
cd "$LIMBER_SOURCE_DIR"
code=0
folders='tests\|src\|docs\|models\|fuzz\|bench\|include\|cmake\|examples\|problems'

# exists PATH: a file, a folder, or a pattern that something matches
exists() {
    # shellcheck disable=SC2086 # patterns are meant to be expanded
    set -- $1
    [ -e "$1" ]
}

# is_part KIND NAME: a part of the one program tests/KIND/KIND.c, which lists them as {"NAME", ...}
is_part() {
    [ -f "tests/$1/$1.c" ] && grep -q "{\"$2\"," "tests/$1/$1.c"
}

for document in *.md docs/*.md bench/*.md examples/*.md; do
    [ -f "$document" ] || continue
    folder=$(dirname "$document")
    # [text](path), without #anchors and addresses of other places
    grep -o ']([^)# ]*' "$document" | sed 's/^](//; /:/d; /^$/d' >"$LIMBER_SCRATCH/targets" || true
    while read -r target; do
        [ -e "$folder/$target" ] || { echo "$document: links to $target, which is not there"; code=1; }
    done <"$LIMBER_SCRATCH/targets"
    # `tests/unit/test_trig.c` and the like, from the top
    tr '`' '\n' <"$document" | grep -x "\($folders\)/[A-Za-z0-9_./*-]*" >"$LIMBER_SCRATCH/targets" || true
    while read -r path; do
        exists "$path" || { echo "$document: speaks of $path, which is not there"; code=1; }
    done <"$LIMBER_SCRATCH/targets"
    # `unit.trig` and the like: tests
    tr '`' '\n' <"$document" | grep -x '[a-z][a-z]*\.[a-z][a-z_0-9][a-z_0-9]*' >"$LIMBER_SCRATCH/targets" || true
    while read -r name; do
        kind=${name%%.*}
        [ ! -d "tests/$kind" ] || exists "tests/$kind/test_${name#*.}.*" || is_part "$kind" "${name#*.}" ||
            { echo "$document: speaks of the test $name, which is not there"; code=1; }
    done <"$LIMBER_SCRATCH/targets"
done
# The tour of docs/overview.md: the function before a file's name is in that file.
sed -n 's:.* \([a-z_][a-z_]*\)  *\(src/[a-z_/]*\.c\).*:\1 \2:p' docs/overview.md >"$LIMBER_SCRATCH/targets"
[ -s "$LIMBER_SCRATCH/targets" ] || { echo "docs/overview.md has no tour any more"; code=1; }
while read -r name file; do
    grep -q "^[^ /].*[ *]$name(" "$file" || { echo "docs/overview.md: there is no $name in $file"; code=1; }
done <"$LIMBER_SCRATCH/targets"
# Each idea of the papers: the function is in the file beside it.
sed -n 's:.*| `\([a-z_0-9]*\)` | `\(src/[a-z_/0-9]*\.c\)` |$:\1 \2:p' docs/papers.md >"$LIMBER_SCRATCH/targets"
[ "$(wc -l <"$LIMBER_SCRATCH/targets")" -ge 30 ] || { echo "docs/papers.md names hardly any function any more"; code=1; }
while read -r name file; do
    grep -q "^[^ /].*[ *]$name(" "$file" || { echo "docs/papers.md: there is no $name in $file"; code=1; }
done <"$LIMBER_SCRATCH/targets"
exit $code
