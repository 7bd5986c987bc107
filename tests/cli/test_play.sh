#!/bin/sh
# limber play: motion into BVH, CSV and pictures.
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

cat >nod.bvh <<'TEXT'
HIERARCHY ROOT head { OFFSET 0 0 0 CHANNELS 4 Xposition Zrotation Xrotation Yrotation End Site { OFFSET 0 10 0 } }
MOTION Frames: 3 Frame Time: 0.5
0 0 0 0
10 0 20 0
20 0 40 0
TEXT

run 0 play nod.bvh -o same.bvh
has out.txt '3 frames, 1 s, 2 a second: same.bvh'
has same.bvh 'Frames: 3' 'Frame Time: 0.5' '10 0 20 0' '20 0 40 0'
run 0 play nod.bvh -o fine.bvh --fps 4
has fine.bvh 'Frames: 5' 'Frame Time: 0.25'
run 0 play nod.bvh -o - --fps 4 --from 0.25 --to 0.5
has out.txt 'time,head.tx,head.rz,head.rx,head.ry' '0.25,0.05'
checked=$((checked + 1))
[ "$(wc -l <out.txt)" = 3 ] || wrong "there should be a heading and two rows" out.txt
cp out.txt by_to.txt
run 0 play nod.bvh -o - --fps 4 --from 0.25 --until 0.5
checked=$((checked + 1))
cmp -s out.txt by_to.txt || wrong "--to is another name of --until" out.txt
rm by_to.txt
run 0 play nod.bvh -o table.csv --quiet --up y
is_empty out.txt
run 2 play nod.bvh -o bad.csv --up x
has err.txt 'write y, z or auto'
run 0 play nod.bvh -o 'frames/%02d.png' --size 120x90
has out.txt 'frames/%02d.png'
for frame in 00 01 02; do
    checked=$((checked + 1))
    [ -s "frames/$frame.png" ] || wrong "frames/$frame.png is missing"
done
checked=$((checked + 1))
[ "$(find frames -type f | wc -l)" = 3 ] || wrong "there should be three pictures"
checked=$((checked + 1))
! cmp -s frames/00.png frames/02.png || wrong "the pictures should differ"
rm -r frames fine.bvh same.bvh table.csv

# A figure with its motion as GLB; and once more into a copy of that file, under another name.
run 0 play nod.bvh -o nod.glb
run 0 play nod.glb -o both.glb --fps 4
run 0 play both.glb --animation limber_2 -o - --fps 4
has out.txt 'head.tx,head.ty,head.tz,head.vx' '0.25,'
run 1 play both.glb --animation limbo -o m.bvh
has err.txt 'did you mean'
rm nod.glb both.glb

# A script.
cp "$LIMBER_SOURCE_DIR/examples/arm.scefo" .
run 0 play arm.scefo -o arm.bvh --fps 10
has out.txt '31 frames, 3 s, 10 a second: arm.bvh'
has arm.bvh 'JOINT upper' 'Frames: 31'
run 0 play arm.scefo -o ball.csv --fps 10 --figure ball
has ball.csv 'arm:shoulder.rx' 'ball:root.x'
run 0 play arm.scefo -o 'a%d.png' --fps 1 --to 1 --size 64x64
run 0 play arm.scefo -o arm.glb --fps 10
run 0 info arm.glb
has out.txt '31 frames'
# A turn followed by a reach: no linkage changes, so it is one table and one clip. Out of reach is said, with the reason.
sed '/^change (shoulder)$/,$d' arm.scefo >turn.scefo
cat >>turn.scefo <<'TEXT'
change (elbow) set_field <0, {"joint_rotate", {{1, 0, 0}, 0}}> <1, {"joint_rotate", {{1, 0, 0}, 70}}>;
change (shoulder) set_field <1.2, {"joint_reach", {{0, 1.4, 0.9}, "hand"}}> <2, {"joint_reach", {{0.3, 1.2, 0.9}, "hand"}}>;
TEXT
for ending in csv bvh glb; do
    run 0 play turn.scefo -o turn.$ending --fps 10 --until 2.5
    has out.txt '26 frames, 2.5 s'
    lacks err.txt 'linkages change'
done
checked=$((checked + 1))
[ "$(wc -l <turn.csv)" = 27 ] || wrong "there should be a heading and 26 rows" turn.csv
run 0 info turn.glb
has out.txt '26 frames'
sed 's/{0.3, 1.2, 0.9}/{3, 1.2, 0.9}/' turn.scefo >far.scefo
run 4 play far.scefo -o far.csv --fps 10
has err.txt 'the reach with "hand" falls short by'
run 0 play far.scefo -o far.csv --fps 10 --allow-short
has err.txt 'falls short by'
# Where linkages change, each has a file.
sed 's/^change (shoulder) set_field <1.2.*/change (arm) set_field <1.5, {"delete_joint", "wrist"}>;/' turn.scefo >change.scefo
run 0 play change.scefo -o change.csv --fps 10 --until 2.5
has err.txt 'linkages change at 1.5 s: what follows is in change-2.csv'
has change.csv 'wrist.rx'
lacks change-2.csv 'wrist.rx'
checked=$((checked + 1))
[ "$(cat change.csv change-2.csv | wc -l)" = 28 ] || wrong "there should be two headings and 26 rows"
# A joint that comes late holds what it connects as it lies; what is let go of, and reaches that break, are said.
sed 's/^change (shoulder) set_field <1.2.*/template (post) cube; change (post) translate <0, {3, 0, 0}>; template (tie) joint; change (tie) set_field <0, {"joint_type", BALL}>, set_field <0, {"link1", "hand"}>, set_field <0, {"link2", "post"}>; template (two) linkage; change (two) set_field <0, {"root", "post"}>, set_field <1.5, {"add_joint", "tie"}>, set_field <2, {"delete_joint", "wrist"}>; change (shoulder) set_field <1, {"joint_reach", {{0.3, 1.2, 0.9}, "hand"}}>;/' turn.scefo >tie.scefo
run 0 play tie.scefo -o tie.bvh --fps 10 --until 2.5
has err.txt 'from 1.5 s on "two" hangs on' 'the reach with "hand" ends at 2 s' 'what follows is in tie-3.bvh'
run 0 info tie-2.bvh
has out.txt 'tie:held'
rm tie.scefo tie.bvh tie-2.bvh tie-3.bvh
rm turn.scefo far.scefo change.scefo turn.csv turn.bvh turn.glb far.csv change.csv change-2.csv
sed 's/"link2", "upper"/"link2", "uper"/' arm.scefo >bad.scefo
run 1 play bad.scefo -o bad.bvh
has err.txt 'limber: bad.scefo:' 'there is no object "uper"'
rm -f arm.scefo bad.scefo arm.bvh arm.glb ball.csv a0.png a1.png

# Goals over recorded frames: met where their weight is full; what cannot be met is said.
cat >over.json <<'TEXT'
{"figure": "panda", "constraints": [{"name": "hand", "effector": "link7", "goal": {"kind": "position", "point": [0.5, 0.1, 0.5]}}],
 "motion": {"clips": [{"file": "recorded.csv", "interpolation": "linear"}],
  "tracks": [{"weight": "hand", "keys": [{"time": 0.5, "value": 0}, {"time": 0.8, "value": 1}, {"time": 1, "value": 1}, {"time": 1.3, "value": 0}]}]}}
TEXT
printf 'time,joint1,joint4\n0,0,-2\n2,0.8,-1.2\n' >recorded.csv
run 0 play over.json -o over.csv --fps 10
lacks err.txt 'missed'
row=$(grep '^0.5,' over.csv)
checked=$((checked + 1))
[ "$(echo "$row" | cut -d, -f2)" = 0.2 ] || wrong "before the goal the pose is the recorded one: $row"
row=$(grep '^0.9,' over.csv)
checked=$((checked + 1))
[ "$(echo "$row" | cut -d, -f2)" != 0.36 ] || wrong "for the goal it is another: $row"
sed 's/0.5, 0.1, 0.5/5, 0.1, 0.5/' over.json >far.json
run 0 play far.json -o far.csv --fps 10
has err.txt "0.800 s: the goal 'hand' is missed by" 'what it may move of the clip gets no nearer'
rm over.json over.csv recorded.csv far.json far.csv

# A problem whose goals move.
cp "$LIMBER_SOURCE_DIR/examples/reach_over_time.json" reach.json
run 0 play reach.json -o reach.bvh --fps 4
has out.txt '13 frames, 3 s, 4 a second: reach.bvh'
sed 's/"goal": "hand"/"goal": "hnad"/' reach.json >bad.json
run 1 play bad.json -o bad.bvh
has err.txt 'limber: bad.json:' 'did you mean "hand"'
sed 's/"time": 1, "point"/"time": 1, "value"/' reach.json >bad.json
run 1 play bad.json -o bad.bvh
has err.txt 'motion.tracks[0].keys[1]'
printf '{"figure": "human"}' >bad.json
run 1 play bad.json -o bad.bvh
has err.txt 'nothing moves'
rm -f reach.json bad.json reach.bvh

# Wrong: said, and nothing appears.
run 2 play nod.bvh
has err.txt 'where does the motion go'
run 2 play nod.bvh -o frame.png
has err.txt 'over and over'
run 2 play nod.bvh -o '%s%n%d.png'
run 2 play nod.bvh -o '%d%d.png'
run 2 play nod.bvh -o motion.xyz
has err.txt 'does not tell what to write'
run 2 play nod.bvh -o m.bvh --fps never
run 2 play nod.bvh -o m.bvh --fps 0
run 2 play nod.bvh -o m.bvh --from 1 --to 0.5
has err.txt 'comes before'
run 2 play nod.bvh -o m.bvh --figure haed
has err.txt 'there is no figure'
run 1 play "$LIMBER_SOURCE_DIR/models/panda.fig" -o m.bvh
has err.txt 'has no motion to play'
run 1 play missing.bvh -o m.bvh
run 3 play nod.bvh -o nowhere/m.bvh
only nod.bvh out.txt err.txt
# A joint with one link connects it with the world, whichever of the two it is.
for link in link1 link2; do
    cat >lever.scefo <<END
template (bar) cube;
change (bar) scale <0, {0.05, 0.5, 0.05}>;
change (bar) translate <0, {0, 0.5, 0}>;
template (pivot) joint;
change (pivot) set_field <0, {"joint_type", "PIN"}> set_field <0, {"limit_rot_z", {-170, 170}}> set_field <0, {"$link", "bar"}>;
change (pivot) translate <0, {0, 0, 0}>;
template (lever) linkage;
change (lever) set_field <0, {"add_joint", "pivot"}>;
change (pivot) set_field <0, {"joint_rotate", {{0, 0, 1}, 0}}> <1, {"joint_rotate", {{0, 0, 1}, 90}}>;
END
    run 0 play lever.scefo -o lever.csv --fps 2
    has lever.csv 'time,pivot' '1,1.570796326794'
    run 0 play lever.scefo -o lever.bvh --fps 2
    run 0 play lever.scefo -o lever.glb --fps 2
done

finish
