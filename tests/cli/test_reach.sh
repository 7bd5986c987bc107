#!/bin/sh
# limber reach: maps whose cells are what geometry says, the same bytes for any number of threads and after any interruption,
# questions to them, and what is said where input is wrong.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

code=0
"$LIMBER" reach chain:2 --spacing 20cm -o probe.h5 >/dev/null 2>probe.txt || code=$?
if grep -q 'built without HDF5' probe.txt; then
    echo "skipped: this limber was built without HDF5"
    exit 77
fi

# --- A planar chain of two links: the exact annulus, at every cell ------------------------------------------------------
cat >two.fig <<'TEXT'
figure two {
    segment ground { site origin->location = trans(0cm, 0cm, 0cm); }
    segment a { site base->location = trans(0cm, 0cm, 0cm); site end->location = trans(30cm, 0cm, 0cm); }
    segment b { site base->location = trans(0cm, 0cm, 0cm); site tip->location = trans(17cm, 0cm, 0cm); }
    joint one { connect ground.origin to a.base; type = R(z); rest = (20deg); }
    joint two { connect a.end to b.base; type = R(z); rest = (35deg); }
    root = ground.origin;
}
TEXT
run 0 reach two.fig --site tip --box -0.5,-0.5,-0.03,0.5,0.5,0.03 --spacing 2cm -o two.h5
has out.txt 'Map of two, tip: 50 x 50 x 3 cells of 2 cm' ' not found in 80 starts 0'
awk 'BEGIN { print "x,y,z"; for (k = -1; k < 2; k++) for (j = 0; j < 50; j++) for (i = 0; i < 50; i++)
    printf "%.3f,%.3f,%.3f\n", -0.49 + 0.02 * i, -0.49 + 0.02 * j, 0.02 * k }' >cells.csv
run 0 reach query two.h5 --csv cells.csv
checked=$((checked + 1))
awk -F, 'NR > 1 { r = sqrt($1 * $1 + $2 * $2); inside = $3 == 0 && r >= 0.13 && r <= 0.47
    if ($4 != (inside ? "reached" : "outside")) { bad++; print } reached += inside }
    END { print NR - 1, "cells,", reached, "in the annulus,", bad + 0, "wrong"; exit bad || NR != 7501 || reached < 1000 }' out.txt >annulus.txt ||
    wrong "the map is not the annulus" annulus.txt
tail -n 1 annulus.txt
# Without proofs nothing is proved, and the same is reached.
run 0 reach two.fig --site tip --box -0.5,-0.5,-0.03,0.5,0.5,0.03 --spacing 2cm --no-proof -o search.h5
has out.txt 'proved out of reach 0'
run 0 reach compare two.h5 search.h5
has out.txt 'of the same figure' 'proves to be out of reach: 0'
checked=$((checked + 1))
! grep -qE 'cells: (reached|not found), then|then reached' out.txt || wrong "a proof or a search was wrong" out.txt

# --- The same bytes: threads, interruptions ---------------------------------------------------------------------------------
run 0 reach panda --box 0.2,-0.4,0,0.9,0.4,0.6 --spacing 10cm -n 12 -t 1 -o one.h5
cp out.txt panda.txt
for threads in 2 3; do
    run 0 reach panda --box 0.2,-0.4,0,0.9,0.4,0.6 --spacing 10cm -n 12 -t $threads -o many.h5 --force -q
    is_empty out.txt
    checked=$((checked + 1))
    cmp -s one.h5 many.h5 || wrong "$threads threads write other bytes than one"
done
run 3 reach panda --box 0.2,-0.4,0,0.9,0.4,0.6 --spacing 10cm -n 12 -o one.h5
has err.txt 'one.h5' '--force'
# Killed at twenty moments at random, a run never looks finished, goes on where it was, and ends with the same bytes.
kills=0
unfinished=0
delays=$(awk 'BEGIN { srand(15); for (i = 0; i < 20; i++) printf "%.3f ", 0.005 + 0.15 * rand() }')
for delay in $delays; do
    "$LIMBER" reach panda --box 0.2,-0.4,0,0.9,0.4,0.6 --spacing 5cm -n 12 -t 1 -o cut.h5 -q --resume 2>/dev/null &
    victim=$!
    sleep "$delay"
    kill -9 $victim 2>/dev/null || true
    wait $victim 2>/dev/null || true
    kills=$((kills + 1))
    checked=$((checked + 1))
    if [ -e cut.h5 ]; then # it was done before
        [ -e whole.h5 ] || run 0 reach panda --box 0.2,-0.4,0,0.9,0.4,0.6 --spacing 5cm -n 12 -o whole.h5 -q
        cmp -s whole.h5 cut.h5 || wrong "after $kills kills a map looks finished, and is another one"
        rm -r cut.h5
        rm -rf cut.h5.part
    else
        unfinished=$((unfinished + 1))
    fi
done
run 0 reach panda --box 0.2,-0.4,0,0.9,0.4,0.6 --spacing 5cm -n 12 -t 1 -o cut.h5 -q --resume
[ -e whole.h5 ] || run 0 reach panda --box 0.2,-0.4,0,0.9,0.4,0.6 --spacing 5cm -n 12 -o whole.h5 -q
checked=$((checked + 1))
cmp -s whole.h5 cut.h5 || wrong "killed $unfinished times and resumed: other bytes"
[ ! -e cut.h5.part ] || wrong "the folder of shards is still there"
echo "killed $kills times, $unfinished of them in the middle"

# What is left of one job is not gone on with by another, nor thrown away.
"$LIMBER" reach panda --spacing 5cm -n 12 -t 1 -o other.h5 -q 2>/dev/null &
victim=$!
until [ -e other.h5.part/job ] || ! kill -0 $victim 2>/dev/null; do # which says whose it is
    sleep 0.05
done
kill -9 $victim 2>/dev/null || true
wait $victim 2>/dev/null || true
if [ -e other.h5.part/job ]; then
    run 1 reach ur5 --spacing 5cm -n 12 -t 1 -o other.h5 -q --resume
    has err.txt 'other.h5.part: belongs to another job (map of panda, site tool)'
    run 3 reach panda --spacing 5cm -n 12 -t 1 -o other.h5 -q
    has err.txt 'other.h5'
    [ ! -e other.h5 ] || wrong "a map was written over what another job had left"
fi

# --- What is asked ------------------------------------------------------------------------------------------------------------
has panda.txt 'Map of panda, tool: 7 x 8 x 6 cells of 10 cm, 12 orientations'
# Its closed form walks along curves: finding none proves nothing, so that what workspaces do not prove is "not found".
checked=$((checked + 1))
grep -q 'frames: reached [0-9]* ([0-9.]*%), proved out of reach [1-9][0-9]*, not found [1-9]' panda.txt ||
    wrong "of a Panda, what is not found was taken for proved" panda.txt
run 0 reach query one.h5
checked=$((checked + 1))
cmp -s out.txt panda.txt || wrong "query says other things than the run that made the map" out.txt
run 0 reach query one.h5 --at 0.45,0.05,0.35
has out.txt 'Reached: the cell at (0.45, 0.05, 0.35)' 'orientations: ' 'margin to the limits' 'manipulability'
run 1 reach query one.h5 --at 3,0,0
has err.txt 'is outside of the map, which goes from (0.2, -0.4, 0) to (0.9, 0.4, 0.6)'
# Nothing is proved out of reach that a search finds, by closed forms (UR5, iiwa) and by workspaces alone (Panda).
for arm in ur5 iiwa14 panda; do
    run 0 reach $arm --spacing 25cm -n 8 -o proofs.h5 -q --force
    run 0 reach $arm --spacing 25cm -n 8 --no-proof --starts 300 -o searched.h5 -q --force
    run 0 reach compare proofs.h5 searched.h5
    has out.txt 'proves to be out of reach: 0'
done
# Lists: the same answers, and poses that lead there.
printf 'x,y,z,qx,qy,qz,qw\n0.4,0.1,0.4,1,0,0,0\n# far\n2,0,0,0,0,0,1\n' >frames.csv
run 0 reach panda --points frames.csv --pose-out --effort -o list.h5
has out.txt 'Map of panda, tool: 2 points, 1 orientation' 'reached 1 (50.0%), proved out of reach 1, not found in 80 starts 0'
run 0 reach query list.h5 --at 0.4,0.1,0.4
has out.txt 'Reached' 'joint4 ' 'effort '
run 0 reach query list.h5 --csv frames.csv
has out.txt '0.4,0.1,0.4,reached,1,0,0,0,0,' '2,0,0,outside,0,1,0,'
# Spheres, axes, sites, units.
run 0 reach ur5 --sphere 0.4,0,0.4,0.2 --spacing 100mm --axis free -n 5 -o ball.h5
has out.txt 'Map of ur5, tool: 4 x 4 x 4 cells of 10 cm, 5 orientations'
run 0 reach human --site right_palm --spacing 30cm --start right_elbow=20deg -o arm.h5
run 0 reach human --site right_palm --box 0.2,-0.6,0.9,0.8,0,1.5 --with spine --spacing 30cm -o trunk.h5
run 0 reach human --site right_palm --box 0.2,-0.6,0.9,0.8,0,1.5 --spacing 30cm -o alone.h5
run 0 reach compare alone.h5 trunk.h5
checked=$((checked + 1))
! grep -q 'cells: reached, then' out.txt || wrong "with the spine less is reached than by the arm alone" out.txt
run 0 reach human --site right_palm,left_palm --box 0.2,-0.1,1,0.5,0.1,1.2 --with all --seat 45cm --spacing 20cm -o both.h5
has out.txt 'Map of human, right_palm,left_palm: 2 x 1 x 1 cells' 'not found in 1 start'

# Farther than from the toes to the palm no one reaches who keeps his feet.
printf '2.6,0,1\n0.4,-0.3,1.2\n' >far.csv
run 0 reach human --site right_palm --with all --points far.csv -o far.h5
has out.txt 'reached 1 (50.0%), proved out of reach 1, not found in 1 start 0'

# --- Where the base should stand -----------------------------------------------------------------------------------------------
printf '1.0,1.0,0.4\n1.2,1.0,0.4\n1.1,1.2,0.5\n' >parts.csv
run 0 reach place one.h5 --frames parts.csv --count 3 --headings 8 -o places.csv
has out.txt 'place' '3 of 3'
has places.csv 'rank,x,y,z,heading_deg,reached,score'

# --- To look at --------------------------------------------------------------------------------------------------------------------
run 0 reach place one.h5 --frames parts.csv --headings 8 -o places.svg -q
has places.svg '<svg' 'should stand to reach 3 points' '</svg>'
run 0 render one.h5 -o one.png --size 500x400
checked=$((checked + 1))
head -c 8 one.png | od -An -c | grep -q 'P   N   G' || wrong "the picture is no PNG"
run 0 render one.h5 -o one.svg --at 0.45,0.05,0.35
has one.svg '<svg' 'where tool reaches' 'z = 0.35 m' '</svg>'
run 0 render one.h5 -o one.ply
has one.ply 'format binary_little_endian' 'property uchar red'
if command -v python3 >/dev/null; then # corners are shared, and every edge has a face on either side
    cat >closed.py <<'TEXT'
import struct
from collections import Counter

head, body = open("one.ply", "rb").read().split(b"end_header\n", 1)
vertices, faces = (int(head.split(b"element " + what)[1].split()[0]) for what in (b"vertex", b"face"))
assert len(body) == 27 * vertices + 13 * faces and vertices < faces, (vertices, faces)
edges = Counter()
for i in range(faces):
    _, a, b, c = struct.unpack_from("<BIII", body, 27 * vertices + 13 * i)
    for edge in ((a, b), (b, c), (c, a)):
        edges[edge] += 1
assert all(edges[b, a] == count for (a, b), count in edges.items()), "the surface has holes"
TEXT
    checked=$((checked + 1))
    python3 closed.py || wrong "the surface is not closed"
fi
run 0 render one.h5 -o one.glb
run 0 info one.glb
has out.txt 'reached'
run 1 render list.h5 -o list.png
has err.txt 'a surface needs a grid'
run 1 render one.h5 -o one.png --at 5,5,5
has err.txt 'outside of the map'

# --- Wrong input ------------------------------------------------------------------------------------------------------------------
run 1 reach panda --site tol -o x.h5
has err.txt 'tol' 'tool'
run 1 reach human -o x.h5
has err.txt 'several ends: name the site'
run 1 reach panda --box 0,0,0,1,0,1 -o x.h5
has err.txt 'the box has no volume: its y goes from 0 to 0'
run 1 reach panda --box 0,0,0,1,-1,1 -o x.h5
run 2 reach panda --box 0,0,0,1 -o x.h5
run 2 reach panda --spacing 2kg -o x.h5
has err.txt 'is no length above 0; write it as 2cm, 20mm or 0.02'
run 2 reach panda --sphere 0,0,0,1 --box 0,0,0,1,1,1 -o x.h5
run 1 reach panda --spacing 0.001mm -o x.h5
has err.txt "choose a larger spacing"
run 2 reach panda
has err.txt 'say where the map goes'
run 2 reach panda -o x.txt
has err.txt 'end it in .h5'
run 1 reach nobody -o x.h5
has err.txt 'there is no figure `nobody`'
run 1 reach human --site right_palm --with spin -o x.h5
has err.txt 'no joint, group or variable `spin`' 'spine'
run 1 reach query nothing.h5
has err.txt 'nothing.h5' 'no such file'
run 1 reach query two.fig
has err.txt 'is no HDF5 file'
head -c 3000 one.h5 >short.h5
run 1 reach query short.h5
has err.txt 'short.h5' 'damaged or truncated'
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then # maps that others have changed
    cat >change.py <<'TEXT'
import shutil
import sys

import h5py
import numpy

name, what = sys.argv[1:]
shutil.copy("one.h5", name)
with h5py.File(name, "r+") as f:
    if what == "later":
        f.attrs["version"] = numpy.int32(2)
    elif what == "figure": # of another arm, with this one's hash
        text = bytes(f["figure"][:]).replace(b"0.333", b"0.433").replace(b"33.3cm", b"43.3cm")
        assert text != bytes(f["figure"][:])
        f["figure"][:] = numpy.frombuffer(text, dtype=numpy.uint8)
    elif what == "link":
        del f["state"]
        f["state"] = h5py.ExternalLink("two.h5", "/state")
    elif what == "state":
        f["state"][0, 0, 0] = 4 - f["state"][0, 0, 0]
TEXT
    for what in later figure link state; do
        checked=$((checked + 1))
        /usr/bin/python3 change.py "$what.h5" $what || wrong "change.py fails for $what"
        run 1 reach query $what.h5
    done
    run 1 reach query later.h5
    has err.txt 'later.h5: is a map of version 2' 'use a later one'
    run 1 render figure.h5 -o figure.png
    has err.txt 'figure.h5'
    run 1 reach query link.h5
    has err.txt 'is a link, which is not followed'
    run 1 reach query state.h5
    has err.txt 'contradicts'
fi
run 1 reach compare one.h5 two.h5
has err.txt 'other cells'
[ ! -e x.h5 ] || wrong "a map was written in spite of an error"
finish
