#!/bin/sh
# limber path: lines and frames, what is written, what ends a path, and what is refused.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

run 0 path ur5 --line '0.4,-0.2,0.4 rpy 180deg,0,0' '0.4,0.2,0.4 rpy 180deg,0,0' -o path.csv
has out.txt 'followed: the whole way in' 'branches that come through' 'of a velocity limit'
has path.csv 'time,shoulder_pan,'
# A row a hundredth of a second, from 0 on, and no velocity above pi rad/s.
checked=$((checked + 1))
awk -F , 'NR == 2 && $1 != 0 { exit 1 }
    NR > 2 { if ($1 - t < 0.0099 || $1 - t > 0.0101) exit 1
             for (i = 2; i <= NF; i++) { v = ($i - q[i]) / 0.01; if (v > 3.1416 || v < -3.1416) exit 1 } }
    { t = $1; for (i = 2; i <= NF; i++) q[i] = $i } END { if (NR < 20) exit 1 }' path.csv || wrong "path.csv is too fast or too short" path.csv
run 0 path ur5 --line -0.4,-0.2,0.4 -0.4,0.2,0.4 -o - # negative numbers are no options
has out.txt 'time,'
has err.txt 'followed'
run 0 path ur5 --line start 0.3,0.3,0.5 --start elbow=-90deg,shoulder_lift=-60deg --from-start --json
has out.txt '"complete": true' '"branches": 1' '"pace_by"'

# Ends that nothing moves, as the link `base` of ROS-Industrial's arms, are none; of several that move the names are told.
cat >tail.urdf <<'URDF'
<robot name="tail"><link name="foot"/><link name="base"/><link name="arm"/><link name="tip"/>
<joint name="b" type="fixed"><parent link="foot"/><child link="base"/></joint>
<joint name="j" type="revolute"><parent link="foot"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="k" type="prismatic"><parent link="arm"/><child link="tip"/><axis xyz="1 0 0"/>
<limit lower="0" upper="1" effort="1" velocity="1"/></joint>
</robot>
URDF
run 0 path tail.urdf --line 0.5,-0.2,0 0.5,0.2,0 -o tail.csv
sed 's|</robot>|<link name="eye"/><joint name="e" type="fixed"><parent link="arm"/><child link="eye"/></joint></robot>|' tail.urdf >two.urdf
run 2 path two.urdf --line 0.5,-0.2,0 0.5,0.2,0
has err.txt 'has 2 ends (tip, eye); say which'

printf 'x,y,z\n0.4,0,0.4\n0.4,0.1,0.4\n0.5,0.1,0.4\n' >points.csv
run 0 path ur5 --points points.csv --speed 10cm --share 0.5 --period 0.02 -o slow.csv
has out.txt 'every 0.02 s'

# The ending says what is written: a motion that others play has the poses of the table, pictures show them.
run 0 path ur5 --points points.csv --period 0.02 -o way.csv
run 0 path ur5 --points points.csv --period 0.02 -o way.bvh
run 0 path ur5 --points points.csv --period 0.02 -o way.glb
checked=$((checked + 2))
[ "$(sed -n 's/^Frames: *//p' way.bvh)" = "$(($(wc -l <way.csv) - 1))" ] || wrong "the motion has other frames than the table"
head -c 4 way.glb | grep -q glTF || wrong "way.glb is no glTF"
run 0 path ur5 --points points.csv -o way%02d.png --fps 1 --size 80x60
checked=$((checked + 1))
[ -s way00.png ] || wrong "no picture was drawn"
run 2 path ur5 --points points.csv -o way.png
has err.txt 'put a number in'

# What ends a path is told, and nothing is written.
run 4 path ur5 --line 0.4,0,0.4 1.4,0,0.4 -o none.csv
has out.txt 'not followed: it ends at' '% of the way' 'out of reach'
checked=$((checked + 1))
[ ! -e none.csv ] || wrong "a path that is not followed was written"
run 4 path ur5 --line 2,0,0 2,0,1 --json
has out.txt '"complete": false' '"end": "reach"' '"frame": -1'

run 2 path ur5
has err.txt 'give --line A B, or --points FILE'
run 2 path ur5 --line 0.4,0,0.4
has err.txt 'needs two values'
run 2 path ur5 --line 0.4,0,0.4 'here'
has err.txt '`here` is no place'
run 2 path ur5 --line '0.4,0,0.4 rpy 0,0,0' 0.4,0.1,0.4
has err.txt 'one end of the line has a rotation'
run 2 path human --line 0,0,1 0,0,1.1
has err.txt '--effector NAME'
run 2 path ur5 --line 0.4,0,0.4 0.4,0.1,0.4 --speed -1
has err.txt 'not above 0'
run 1 path ur5 --line 0.4,0,0.4 0.4,0,0.4
has err.txt 'the same'
printf 'x,y,z\n0.4,0,zero\n0.4,0.1,0.4\n' >bad.csv
run 1 path ur5 --points bad.csv
has err.txt 'bad.csv:2:'
run 3 path ur5 --line 0.4,0,0.4 0.4,0.1,0.4 -o no/where.csv
finish
