#!/bin/sh
# limber reach under mpirun: the same bytes for any number of ranks, and after one was killed.
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
if [ -n "${LIMBER_SANITIZE:-}" ]; then
    echo "skipped: MPI itself leaks, as sanitizers see it"
    exit 77
elif ! command -v mpirun >/dev/null || ! "$LIMBER" --version | grep -q 'MPI: yes'; then
    echo "skipped: there is no mpirun, or limber was built without MPI"
    exit 77
fi
code=0
"$LIMBER" reach panda --spacing 10cm --orientations 16 -o whole.h5 -q >out.txt 2>err.txt || code=$?
if grep -q 'built without HDF5' err.txt; then
    echo "skipped: limber was built without HDF5"
    exit 77
fi
[ "$code" = 0 ] || wrong "a map failed" err.txt

for ranks in 1 2 3 4; do
    checked=$((checked + 1))
    mpirun -n $ranks "$LIMBER" reach panda --spacing 10cm --orientations 16 -o "ranks-$ranks.h5" >out.txt 2>err.txt || wrong "$ranks ranks failed" err.txt
    [ "$(grep -c 'Map of panda' out.txt)" = 1 ] || wrong "ranks said more than once what came of it" out.txt
    cmp -s "ranks-$ranks.h5" whole.h5 || wrong "$ranks ranks made another map"
    [ ! -e "ranks-$ranks.h5.part" ] || wrong "ranks left their folder"
done

# What is wrong is said once.
code=0
mpirun -n 3 "$LIMBER" reach panda --site nose -o none.h5 >out.txt 2>err.txt || code=$?
checked=$((checked + 1))
[ "$code" != 0 ] || wrong "a site that is not there is no error under mpirun"
[ "$(grep -c '^limber: .*nose' err.txt)" = 1 ] || wrong "an error was not said once" err.txt

# A rank that is killed in the middle.
# shellcheck disable=SC2016 # each rank's own
mpirun -n 3 sh -c 'echo $$ >"rank.$OMPI_COMM_WORLD_RANK"; exec "$@"' sh \
    "$LIMBER" reach panda --spacing 10cm --orientations 16 -o lost.h5 >out.txt 2>err.txt &
runner=$!
while kill -0 $runner 2>/dev/null && [ ! -s lost.h5.part/0001-00001.shard ]; do :; done
kill -9 "$(cat rank.1)" 2>/dev/null || true
wait $runner 2>/dev/null || true
checked=$((checked + 1))
if [ -e lost.h5 ]; then
    echo "the ranks were done before one of them was killed"
else
    mpirun -n 2 "$LIMBER" reach panda --spacing 10cm --orientations 16 -o lost.h5 --resume >out.txt 2>err.txt || wrong "ranks did not go on" err.txt
fi
cmp -s lost.h5 whole.h5 || wrong "the map is another one after a rank was killed"
[ ! -e lost.h5.part ] || wrong "ranks left their folder"
finish
