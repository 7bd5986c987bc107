#!/bin/sh
# Maps among things: what can only be reached through something is not reached, by a robot, by a robot that a closed form decides, and by
# a person who is a body; what the person carries and stands on counts in a map as it does in a solve.
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

"$LIMBER" reach --help | grep -q -- --avoid || { echo "this limber has no maps"; exit 77; }
cat >world.json <<'JSON'
{"solids": [{"name": "block", "kind": "box", "point": [0.45, 0, 0.3], "half_size": [0.06, 0.06, 0.3]}]}
JSON
printf 'x,y,z\n0.45,0,0.4\n0.45,0.35,0.4\n' >robot.csv
for robot in panda ur5; do
    run 0 reach "$robot" --points robot.csv --starts 5 -o "$robot-alone.h5" --quiet
    run 0 reach query "$robot-alone.h5" --csv robot.csv
    cp out.txt alone.txt
    run 0 reach "$robot" --points robot.csv --starts 5 --avoid world.json -o "$robot.h5" --quiet
    run 0 reach query "$robot.h5" --csv robot.csv
    checked=$((checked + 1))
    [ "$(grep -c ',reached,1,' alone.txt)" = 2 ] && [ "$(grep -c ',reached,1,' out.txt)" = 1 ] || wrong "$robot reaches into the block" out.txt
done

run 0 reach panda --points robot.csv --starts 5 --avoid self,world.json -o self.h5 --quiet
run 0 reach query self.h5 --csv robot.csv
checked=$((checked + 1))
[ "$(grep -c ',reached,1,' out.txt)" = 1 ] || wrong "panda, which keeps clear of itself, too" out.txt

cat >desk.json <<'JSON'
{"solids": [{"name": "desk", "kind": "box", "point": [0.6, -0.2, 0.5], "half_size": [0.25, 0.4, 0.4]}]}
JSON
printf 'x,y,z\n0.5,-0.2,0.7\n0.45,-0.2,1.1\n' >person.csv
run 0 reach human --site right_palm --with all --points person.csv -o alone.h5 --quiet
run 0 reach query alone.h5 --csv person.csv
cp out.txt alone.txt
run 0 reach human --site right_palm --with all --points person.csv --avoid desk.json -o person.h5 --quiet
run 0 reach query person.h5 --csv person.csv
checked=$((checked + 1))
[ "$(grep -c ',reached,1,' alone.txt)" = 2 ] && [ "$(grep -c ',reached,1,' out.txt)" = 1 ] || wrong "a person reaches into the desk" out.txt

# Seated, and the desk in the way as before.
printf 'x,y,z\n0.5,-0.2,0.7\n0.3,-0.25,1.1\n' >seated.csv
run 0 reach human --site right_palm --with all --seat 45cm --points seated.csv --avoid desk.json -o seated.h5 --quiet
run 0 reach query seated.h5 --csv seated.csv
checked=$((checked + 1))
[ "$(grep -c ',reached,1,' out.txt)" = 1 ] || wrong "a seated person at the desk" out.txt

# A load that no standing person holds out so far: the map says so, as the solve does.
printf 'x,y,z\n0.8,-0.2,1.3\n' >far.csv
run 0 reach human --site right_palm --with all --points far.csv -o light.h5 --quiet
run 0 reach query light.h5 --csv far.csv
has out.txt ',reached,1,'
run 0 reach human --site right_palm --with all --points far.csv --load right_hand=60kg -o heavy.h5 --quiet
run 0 reach query heavy.h5 --csv far.csv
checked=$((checked + 1))
grep -q ',reached,1,' out.txt && wrong "a person reaches out with 60 kg" out.txt
finish
