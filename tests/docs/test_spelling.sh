#!/bin/sh
# The documents are spelled as British English has it; names and terms that no dictionary has stand in docs/site/words.txt.
# Code, links' targets and comments are left out.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
cd "$LIMBER_SOURCE_DIR"
if ! command -v hunspell >/dev/null 2>&1 || ! echo word | hunspell -d en_GB -l >/dev/null 2>&1; then
    echo "skipped: there is no hunspell with its dictionary en_GB"
    exit 77
fi
export LC_ALL=C.UTF-8

# prose FILE: what of a document is to be read.
prose() {
    awk '/^ *(```|~~~)/ { inside = !inside; next } inside || /^    / { next } { print }' "$1" |
        sed -e 's/`[^`]*`/ /g' -e 's/<!--.*-->/ /g' -e 's/](\([^)]*\))/]/g' -e 's/https*:[^ )]*/ /g' -e 's/<[^>]*>/ /g' \
            -e 's/Catmull-Rom/ /g' -e "s/[A-Za-z0-9_.-]*[_0-9.][A-Za-z0-9_-]*[A-Za-z0-9]/ /g" -e "s/’/'/g; s/'s\\>//g"
}

code=0
sort -c -u docs/site/words.txt || { echo "FAILED: docs/site/words.txt is not sorted (LC_ALL=C.UTF-8 sort -u)"; code=1; }
for document in README.md CONTRIBUTING.md CHANGELOG.md docs/*.md docs/site/*.md examples/README.md models/README.md problems/README.md bench/README.md; do
    prose "$document" | hunspell -d en_GB -p "$LIMBER_SOURCE_DIR/docs/site/words.txt" -l | sort -u >"$LIMBER_SCRATCH/unknown"
    while read -r word; do
        echo "$document: $word"
        code=1
    done <"$LIMBER_SCRATCH/unknown"
done
[ $code = 0 ] || echo "Mend these words, or add them to docs/site/words.txt."
exit $code
