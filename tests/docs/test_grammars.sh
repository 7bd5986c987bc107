#!/bin/sh
# The grammars of docs/fig.md and docs/scefo.md are those of the readers: each word that a reader takes stands in quotes in the grammar or in
# `backticks` behind it, and each word of the grammar is one that the source knows. (The schema of problem files is held by cli.solve.)
set -eu
cd "$LIMBER_SOURCE_DIR"
code=0

# grammar DOCUMENT: its words in quotes.
# shellcheck disable=SC2016 # backticks of Markdown
grammar() {
    sed -n '/^## Grammar/,/^## /p' "$1" | sed -n '/^```/,/^```/p' | grep -o '"#\{0,1\}[a-zA-Z_]\{2,\}"' | tr -d '"#' |
        grep -vx 'rrggbb\|r[xyz]' | sort -u # a colour's figures, and names that dofs have unless told
}

# compare NAME DOCUMENT SOURCES...: the words that the reader takes are on standard input.
compare() {
    name=$1
    document=$2
    shift 2
    sort -u >"$LIMBER_SCRATCH/$name-taken"
    grammar "$document" >"$LIMBER_SCRATCH/$name-told"
    for list in taken told; do
        [ "$(wc -l <"$LIMBER_SCRATCH/$name-$list")" -ge 10 ] || { echo "FAILED: hardly any word of $name is $list"; code=1; }
    done
    while read -r word; do
        grep -qx "$word" "$LIMBER_SCRATCH/$name-told" || grep -q "\`[^\`]*\<$word\>[^\`]*\`" "$document" || {
            echo "FAILED: the reader takes \"$word\", of which $document says nothing"
            code=1
        }
    done <"$LIMBER_SCRATCH/$name-taken"
    while read -r word; do
        grep -qE "\"#?$word\"" "$@" || { echo "FAILED: the grammar of $document has \"$word\", which no source knows"; code=1; }
    done <"$LIMBER_SCRATCH/$name-told"
    echo "$name: $(wc -l <"$LIMBER_SCRATCH/$name-taken") words taken, $(wc -l <"$LIMBER_SCRATCH/$name-told") told"
}

grep -ohE 'lbio_fig_(is|accept|expect|once)\([^()"]*"[a-z_]{2,}"' src/io/fig/*.c | grep -o '"[a-z_]*"' | tr -d '"' |
    compare fig docs/fig.md src/io/fig/*.c src/figure/*.c src/figure/*/*.c
{
    grep -ohE '(accept|take_name|is_word)\([^()"]*"[a-z_]{2,}"' src/io/scefo/*.c
    grep -ohE '(names\[\]|classes\[\]|ways\[\]) = \{.*' src/io/scefo/scefo_parse.c
} | grep -oE '"[a-z_]{2,}"' | tr -d '"' | compare scefo docs/scefo.md src/io/scefo/*.c
exit $code
