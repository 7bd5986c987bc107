#!/bin/sh
# The Python lines of docs/map-files.md read a map by h5py alone; what they print is what limber says of the same map.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
rm -rf "$LIMBER_SCRATCH/map_files"
mkdir -p "$LIMBER_SCRATCH/map_files"
cd "$LIMBER_SCRATCH/map_files"
if ! /usr/bin/python3 -c 'import h5py, numpy' 2>/dev/null; then
    echo "skipped: there is no h5py for /usr/bin/python3"
    exit 77
fi
document=$LIMBER_SOURCE_DIR/docs/map-files.md
command=$(sed -n 's/.*`limber \(reach panda [^`]*\)`.*/\1/p' "$document")
[ -n "$command" ] || { echo "FAILED: the document names no command"; exit 1; }
code=0
# shellcheck disable=SC2086 # a list of words
"$LIMBER" $command >made.txt 2>&1 || code=$?
if grep -q 'built without HDF5' made.txt; then
    echo "skipped: this limber was built without HDF5"
    exit 77
fi
[ "$code" = 0 ] || { cat made.txt; exit 1; }
awk '/^```python/ { inside = 1; next } /^```/ { inside = 0 } inside' "$document" >example.py
/usr/bin/python3 example.py >example.txt
cat example.txt
"$LIMBER" reach query panda.h5 >query.txt

# want NUMBER TEXT: limber's summary has this number behind the text.
want() {
    grep -q "$2 $1\\b" query.txt || {
        echo "FAILED: h5py reads $1, but limber says otherwise of '$2'"
        cat query.txt
        exit 1
    }
}
numbers=$(sed -n 's/^reached: \([0-9]*\) proved out of reach: \([0-9]*\) not found: \([0-9]*\)$/\1 \2 \3/p' example.txt)
# shellcheck disable=SC2086 # three numbers
set -- $numbers
want "$1" '  reached'
want "$2" 'proved out of reach'
want "$3" 'starts*'

# The best cell, asked for by its middle, has as many orientations as h5py reads there.
at=$(sed -n 's/^best at \[\([^]]*\)\] with .*/\1/p' example.txt | tr -d ' ')
share=$(sed -n 's/^best at .* with \([0-9.]*\) of.*/\1/p' example.txt)
"$LIMBER" reach query panda.h5 --at "$at" >at.txt
cat at.txt
count=$(sed -n 's/.*orientations: \([0-9]*\) reached.*/\1/p' at.txt)
[ "$(awk "BEGIN { print $share * 8 }")" = "$count" ] || { echo "FAILED: $share of 8 is not $count"; exit 1; }
