#!/bin/sh
# limber batch: tables as strangers bring them, the same bytes for any number of threads, shares and ranks, and runs that were
# interrupted.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

goal='tool at 0.4,0,0.4'
same() {
    checked=$((checked + 1))
    cmp -s "$1" "$2" || wrong "$1 is not the same as $2"
}
gone() {
    checked=$((checked + 1))
    [ ! -e "$1" ] || wrong "$1 is there"
}

# --- Rows -------------------------------------------------------------------------------------------------------------------

awk 'BEGIN { srand(7); print "x,y,z"; for (i = 0; i < 3000; i++) printf "%.4f,%.4f,%.4f\n", 0.3 + 0.2 * rand(), 0.4 * rand() - 0.2, 0.3 + 0.3 * rand() }' >goals.csv
run 0 batch panda --goal "$goal" --table goals.csv -o whole.csv
has out.txt '3000 of 3000 rows solved'
gone whole.csv.part
run 0 solve panda --goal "$goal" --batch goals.csv -o single.csv
cut -d, -f1,2,4- whole.csv >cut.csv
same cut.csv single.csv

# What a spreadsheet writes: a byte order mark, line ends of Windows, quotes, rows that are wrong in every way.
printf '\357\273\277x,y,"z"\r\n0.4,0.2,0.5\r\n\r\n# a note\r\n0.4,abc,0.5\r\n"0,4",0.2,0.5\r\n0.4,0.2\r\nnan,0,0\r\n0.3,,0.5\r\n40cm,"0.2",0.5\r\n,,\r\n"0.1,0,0\r\n0,4,0,2,0,5\r\n9,9,9\r\n0.4,0.2,0.5' >odd.csv
run 4 batch panda --goal "$goal" --table odd.csv -o odd-out.csv
has out.txt '3 of 12 rows solved, 8 could not be read'
has err.txt 'odd.csv:5: skipped: `abc` in column y is no number' 'odd.csv:6: skipped: `0,4` in column x is no number: decimals have a point' \
    'odd.csv:7: skipped: 2 fields are fewer' 'odd.csv:8: skipped: `nan`' 'odd.csv:9: skipped: column y is empty' \
    'odd.csv:11: skipped: column x is empty' 'odd.csv:12: skipped: a quote is not closed' 'decimals have a point'
[ "$(cut -d, -f1,2 odd-out.csv | tr '\n' ' ')" = 'line,status 2,solved 5,bad 6,bad 7,bad 8,bad 9,bad 10,solved 11,bad 12,bad 13,bad 14,minimum 15,solved ' ] ||
    wrong "a row was lost" odd-out.csv
[ "$(sed -n 's/^2,//p' odd-out.csv)" = "$(sed -n 's/^15,//p' odd-out.csv)" ] ||
    wrong "40cm or an equal row gave another answer" odd-out.csv

# Tables that are none.
for table in 'x;y;z:decimal points' 'x,y,zz:is no column' 'x,y,x:there twice' 'x,qx,y:all four' 'stature:no stature' 'x,:no name' ':table is empty'; do
    printf '%s\n' "${table%%:*}" >wrong.csv
    run 1 batch panda --goal "$goal" --table wrong.csv -o none.csv
    has err.txt "${table#*:}"
    gone none.csv
    gone none.csv.part
done
printf '\377\376x\0' >wrong.csv
run 1 batch panda --goal "$goal" --table wrong.csv -o none.csv
has err.txt 'UTF-16'
printf 'x,y,z\r1,2,3\r' >wrong.csv
run 1 batch panda --goal "$goal" --table wrong.csv -o none.csv
has err.txt 'carriage returns alone'
printf 'x,y,z\n' >empty.csv
run 0 batch panda --goal "$goal" --table empty.csv -o empty-out.csv
has out.txt '0 of 0 rows'
run 1 batch panda --goal "$goal" --table - -o none.csv
has err.txt 'read more than once'
run 1 batch panda --goal "$goal" --table missing.csv -o none.csv
has err.txt 'missing.csv: cannot be opened'
run 2 batch panda --goal "$goal" --table goals.csv
run 2 batch panda --goal "$goal" --table goals.csv -o answers.txt
run 2 batch panda --goal "$goal" --table goals.csv -o none.csv --share 5/4
has err.txt '3/64'

# Columns: goals by name, weights, starts, a stature, what is ignored.
printf 'id,up.x,up.y,up.z,up.weight,start:joint4\na,0.4,0.1,0.5,2,-90deg\nb,0.4,0.1,0.5,-1,-1.5\n' >named.csv
run 4 batch panda --goal "$goal named up" --table named.csv -o named-out.csv --ignore id
has named-out.csv '2,solved,' '3,bad,"the weight `-1` is less than 0"'
printf 'stature,right.x,right.y,right.z\n1.6,0.3,-0.2,1.1\n185cm,0.3,-0.2,1.1\n1.6,0.3,-0.2,1.1\nsmall,0.3,-0.2,1.1\n3m,0.3,-0.2,1.1\n' >people.csv
run 4 batch human --goal 'right_palm at 0.3,-0.2,1.1 named right' --table people.csv -o people-out.csv
has out.txt '3 of 5 rows solved'
has people-out.csv '`3m` is no stature in metres (people are 1.2 to 2.2 m tall)'
tall=$(sed -n 's/^3,//p' people-out.csv)
small=$(sed -n 's/^2,//p' people-out.csv)
[ "$small" = "$(sed -n 's/^4,//p' people-out.csv)" ] || wrong "people of one stature do not have one pose" people-out.csv
[ "$small" != "$tall" ] || wrong "the stature changes nothing" people-out.csv

# --- What is in the way --------------------------------------------------------------------------------------------------------

run 3 batch panda --goal "$goal" --table goals.csv -o whole.csv
has err.txt 'whole.csv: is there already; --force replaces it'
run 0 batch panda --goal "$goal" --table goals.csv -o whole.csv --force -q
mkdir 'a folder'
run 0 batch panda --goal "$goal" --table goals.csv -o 'a folder/out put.csv' -q --threads 1
same 'a folder/out put.csv' whole.csv
run 3 batch panda --goal "$goal" --table goals.csv -o 'no folder/out.csv'
has err.txt 'cannot be made'
mkdir folder.csv
run 3 batch panda --goal "$goal" --table goals.csv -o folder.csv
has err.txt 'is a folder'

# --- Interrupted runs ------------------------------------------------------------------------------------------------------------

# A file that may not grow stands for a full disk.
code=0
(ulimit -f 400 && "$LIMBER" batch panda --goal "$goal" --table goals.csv -o full.csv --chunk 64 >out.txt 2>err.txt) || code=$?
checked=$((checked + 1))
[ "$code" = 3 ] || wrong "a full disk ended with $code" err.txt
has err.txt 'make room and go on with --resume'
gone full.csv
run 3 batch panda --goal "$goal" --table goals.csv -o full.csv --chunk 64
has err.txt '--resume goes on with it'
run 1 batch panda --goal "$goal" --table goals.csv -o full.csv --chunk 64 --resume --restarts 3
has err.txt 'belongs to another job'
run 0 batch panda --goal "$goal" --table goals.csv -o full.csv --chunk 64 --resume
same full.csv whole.csv

# kill -9 when a chunk is done; people take their time.
awk 'BEGIN { srand(3); print "x,y,z"; for (i = 0; i < 200; i++) printf "%.3f,%.3f,%.3f\n", 0.3 + 0.2 * rand(), -0.4 * rand(), 0.9 + 0.4 * rand() }' >reaches.csv
reach='right_palm at 0.4,-0.2,1.2'
code=0
"$LIMBER" batch human --goal "$reach" --table reaches.csv -o reached.csv --threads 2 >out.txt 2>err.txt || code=$?
people=$code # 0 or 4
for round in 1 2 3; do
    "$LIMBER" batch human --goal "$reach" --table reaches.csv -o killed.csv --resume --chunk 1 --threads 1 >/dev/null 2>&1 &
    child=$!
    while kill -0 $child 2>/dev/null && [ ! -s "killed.csv.part/000$round-00000.shard" ]; do :; done
    kill -9 $child 2>/dev/null || true
    wait $child 2>/dev/null || true
    [ ! -e killed.csv ] || break # it was quicker than the kill
done
[ -e killed.csv ] || run "$people" batch human --goal "$reach" --table reaches.csv -o killed.csv --resume --chunk 1
same killed.csv reached.csv
gone killed.csv.part

# --- Shares ------------------------------------------------------------------------------------------------------------------------

for share in 1 2 3 4 5; do
    run 0 batch panda --goal "$goal" --table goals.csv -o "share-$share.csv" --share "$share/5" --threads 1
done
run 0 batch merge -o merged.csv share-3.csv share-1.csv share-2.csv share-5.csv share-4.csv
same merged.csv whole.csv
run 3 batch merge -o merged.csv share-*.csv
run 1 batch merge -o other.csv share-1.csv share-2.csv share-4.csv share-5.csv
has err.txt 'share 3 of 5 is missing'
run 1 batch merge -o other.csv share-*.csv share-1.csv
has err.txt 'same share'
run 1 batch merge -o other.csv whole.csv
has err.txt 'is no share of a batch'
head -c 3000 share-2.csv >cut-2.csv
run 1 batch merge -o other.csv share-1.csv cut-2.csv share-3.csv share-4.csv share-5.csv
has err.txt 'is cut off'
run 0 batch panda --goal "$goal" --table goals.csv -o "stranger.csv" --share 2/5 --iterations 299
run 1 batch merge -o other.csv share-1.csv stranger.csv share-3.csv share-4.csv share-5.csv
has err.txt 'another job'
gone other.csv
gone other.csv.part

# --- HDF5 ----------------------------------------------------------------------------------------------------------------------------

code=0
"$LIMBER" batch panda --goal "$goal" --table odd.csv -o odd.h5 -q >out.txt 2>err.txt || code=$?
if grep -q 'built without HDF5' err.txt; then
    echo "without HDF5: its output is not tested"
else
    [ "$code" = 4 ] || wrong "HDF5 ended with $code" err.txt
    run 0 batch panda --goal "$goal" --table goals.csv -o whole.h5 -q
    run 0 batch panda --goal "$goal" --table goals.csv -o again.h5 -q --threads 3 --chunk 1024
    same again.h5 whole.h5
    for share in 1 2 3; do
        run 0 batch panda --goal "$goal" --table goals.csv -o "share-$share.h5" --share "$share/3" -q
    done
    run 0 batch merge -o merged.h5 share-3.h5 share-1.h5 share-2.h5
    same merged.h5 whole.h5
    run 1 batch merge -o other.h5 share-1.h5 share-2.h5
    has err.txt 'is missing'
    run 1 batch merge -o other.h5 whole.h5
    has err.txt 'is no share'
    head -c 2000 share-2.h5 >cut.h5
    run 1 batch merge -o other.h5 share-1.h5 cut.h5 share-3.h5
    gone other.h5
    if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
        checked=$((checked + 1))
        /usr/bin/python3 - <<'PYTHON' || wrong "h5py reads something else"
import csv, h5py, math
with h5py.File("odd.h5") as f:
    rows = list(csv.DictReader(open("odd-out.csv")))
    assert f.attrs["format"].decode() == "limber batch" and f.attrs["version"] == 1, dict(f.attrs)
    names = [n.decode() for n in f["variables"][:]]
    assert names == ["joint%d" % k for k in range(1, 8)], names
    assert len(rows) == 12 and f["pose"].shape == (12, 7)
    for k, row in enumerate(rows):
        assert f["line"][k] == int(row["line"])
        assert ["solved", "minimum", "budget", "bad"][f["status"][k]] == row["status"]
        assert f["reason"][k].decode() == row["reason"], (f["reason"][k], row["reason"])
        for i, name in enumerate(names):
            assert math.isnan(f["pose"][k, i]) if row["status"] == "bad" else f["pose"][k, i] == float(row[name])
PYTHON
    else
        echo "without python3-h5py: the HDF5 file is not read by it"
    fi
fi

# --- MPI -----------------------------------------------------------------------------------------------------------------------------

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
if [ -n "${LIMBER_SANITIZE:-}" ]; then
    echo "under sanitizers: mpirun is not tested, because MPI itself leaks"
elif ! command -v mpirun >/dev/null || ! "$LIMBER" --version | grep -q 'MPI: yes'; then
    echo "without mpirun, or built without MPI: ranks are not tested"
else
    for ranks in 1 2 3 4; do
        checked=$((checked + 1))
        mpirun -n $ranks "$LIMBER" batch panda --goal "$goal" --table goals.csv -o "ranks-$ranks.csv" --chunk 32 >out.txt 2>err.txt ||
            wrong "$ranks ranks failed" err.txt
        has out.txt '3000 of 3000 rows solved'
        [ "$(wc -l <out.txt)" = 1 ] || wrong "ranks said more than once what came of it" out.txt
        same "ranks-$ranks.csv" whole.csv
        gone "ranks-$ranks.csv.part"
    done
    # What is wrong is said once.
    code=0
    mpirun -n 3 "$LIMBER" batch panda --goal "$goal" --table missing.csv -o none.csv >out.txt 2>err.txt || code=$?
    [ "$code" != 0 ] || wrong "a missing table is no error under mpirun" err.txt
    [ "$(grep -c 'missing.csv: cannot be opened' err.txt)" = 1 ] || wrong "a missing table under mpirun" err.txt
    # A rank that is killed in the middle.
    # shellcheck disable=SC2016 # each rank's own
    mpirun -n 3 sh -c 'echo $$ >"rank.$OMPI_COMM_WORLD_RANK"; exec "$@"' sh \
        "$LIMBER" batch human --goal "$reach" --table reaches.csv -o lost.csv --chunk 1 >out.txt 2>err.txt &
    runner=$!
    while kill -0 $runner 2>/dev/null && [ ! -s lost.csv.part/0001-00002.shard ]; do :; done
    kill -9 "$(cat rank.2)" 2>/dev/null || true
    wait $runner 2>/dev/null || true
    if [ -e lost.csv ]; then
        echo "the ranks were done before one of them was killed"
    else
        checked=$((checked + 1))
        ls lost.csv.part/*.shard >/dev/null || wrong "the ranks left nothing to go on with"
        code=0
        mpirun -n 2 "$LIMBER" batch human --goal "$reach" --table reaches.csv -o lost.csv --chunk 1 --resume >out.txt 2>err.txt || code=$?
        [ "$code" = "$people" ] || wrong "ranks did not go on" err.txt
    fi
    same lost.csv reached.csv
    gone lost.csv.part
fi
finish
