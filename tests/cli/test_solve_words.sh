#!/bin/sh
# limber solve: names of links, directions, tolerances and carriers in goals; what is said of words that are not
# understood; the table of values, and the same as CSV and JSON.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

# A robot with a prismatic joint, a fixed tool, a link that has its joint's name, and names that are a nuisance.
cat >arm.urdf <<'TEXT'
<robot name="arm">
  <link name="base_link"/> <link name="lift"/> <link name="upper arm"/> <link name="lower.arm"/> <link name="wrist"/>
  <link name="tool0"><inertial><mass value="1"/></inertial></link> <link name="origin"/> <link name="a,b"/> <link name="Épaule/1"/> <link name="at"/>
  <joint name="lift" type="prismatic"><parent link="base_link"/><child link="lift"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="0.5" effort="1" velocity="1"/></joint>
  <joint name="shoulder" type="revolute"><parent link="lift"/><child link="upper arm"/><origin xyz="0 0 0.3"/>
    <axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper arm"/><child link="lower.arm"/><origin xyz="0.4 0 0"/>
    <axis xyz="0 0 1"/><limit lower="-2.5" upper="2.5" effort="1" velocity="1"/></joint>
  <joint name="roll" type="continuous"><parent link="lower.arm"/><child link="wrist"/><origin xyz="0.3 0 0"/>
    <axis xyz="1 0 0"/></joint>
  <joint name="pitch" type="revolute"><parent link="wrist"/><child link="tool0"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="j6" type="fixed"><parent link="tool0"/><child link="origin"/><origin xyz="0 0 0.1"/></joint>
  <joint name="j7" type="fixed"><parent link="tool0"/><child link="a,b"/><origin xyz="0 0 0.1"/></joint>
  <joint name="j8" type="fixed"><parent link="tool0"/><child link="Épaule/1"/><origin xyz="0 0 0.1"/></joint>
  <joint name="j9" type="fixed"><parent link="tool0"/><child link="at"/><origin xyz="0 0 0.1"/></joint>
</robot>
TEXT

# Every link is an end-effector by its name, with quotes where it has blanks or commas.
for name in tool0 lift wrist lower.arm origin 'Épaule/1' at '"upper arm"' "'upper arm'" '"a,b"' '"tool0"' 'segment tool0' \
    tool0.origin 'site tool0.origin' 'segment "a,b"' '"upper arm.origin"'; do
    run 0 solve arm.urdf -g "$name above -1"
    has out.txt 'solved'
done
# A start that limits clip goes as far as it may, which is said.
run 0 solve arm.urdf --start elbow=200deg,lift=1 -g 'tool0 above -1'
has err.txt 'a limit clips elbow: asked for 200 deg, it stays at 143.2 deg' 'a limit clips lift: asked for 1, it stays at 0.5'
run 0 solve arm.urdf --start elbow=100deg,lift=0.5 -g 'tool0 above -1'
lacks err.txt 'a limit clips'
# A link that has its joint's name moves with that joint: the carriage, not the rail.
run 0 solve arm.urdf -g 'lift at 0,0,0.2'
has out.txt 'met  lift' '0.2000 m'
run 0 solve arm.urdf -g 'tool0 above 0' --keep '"upper arm",wrist' --keep '"a,b"'
has out.txt 'met  upper arm' 'met  wrist' 'met  a,b'
run 0 solve arm.urdf -g 'tool0 at "Épaule/1" within 20cm'
run 0 solve arm.urdf -g 'com over "base_link",tool0,lower.arm within 2m' --start '"shoulder"=10deg, elbow = 20deg'

# Directions: the answer's axes point where they were told to.
check_axis() { # GOAL AXIS X Y Z: along which the third, fourth and fifth word say
    goal=$1
    run 0 solve arm.urdf --start elbow=1,roll=0.4,pitch=0.3 -g "$goal" --json
    cp out.txt axis.json
    checked=$((checked + 1))
    python3 - "$2" "$3" "$4" "$5" <<'TEXT' || wrong "the axis points elsewhere: $goal" axis.json
import json, math, sys
pose = json.load(open("axis.json"))["pose"]
def rot(axis, angle):
    c, s = math.cos(angle), math.sin(angle)
    return {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
            "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis]
def mul(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
r = mul(mul(rot("z", pose["shoulder"] + pose["elbow"]), rot("x", pose["roll"])), rot("y", pose["pitch"]))
sign = -1 if sys.argv[1][0] == "-" else 1
column = [sign * r[i]["xyz".index(sys.argv[1][-1])] for i in range(3)]
wanted = [float(v) for v in sys.argv[2:5]]
size = math.sqrt(sum(v * v for v in wanted))
assert all(abs(c - v / size) < 1e-4 for c, v in zip(column, wanted)), (column, wanted)
TEXT
}
if command -v python3 >/dev/null; then
    check_axis 'tool0 at 0.4,0.2,0.5 z-along 0,0,1' z 0 0 1
    check_axis 'tool0 z-along 0,1,1' z 0 1 1
    check_axis 'tool0 -z-along 0,1,1' -z 0 1 1
    check_axis 'tool0 x-along 1,1,0' x 1 1 0
    check_axis 'tool0 y-along 0,2,0' y 0 1 0
    check_axis 'tool0 -y-along 0,1,0' -y 0 1 0
    check_axis 'tool0 x-along 0,1,0 z-along 0,0,1' x 0 1 0
    check_axis 'tool0 z-along 0,0,1 y-along -1,0,0' y -1 0 0
    check_axis 'tool0 like 0.4,0.2,0.5 z-along 0,0,1 within 1mm within 0.001deg' z 0 0 1
    check_axis 'tool0 at 0.4,0.3,0.5 rpy 0,0,90deg' x 0 1 0
    check_axis 'tool0 turned quaternion 0,0,1,1' x 0 1 0
fi
# What is aimed by another axis than x; a point beside the link; a goal in another link's frame, that goes with it.
run 0 solve arm.urdf -g 'tool0 z-aims-at 1,1,2'
run 0 solve arm.urdf -g 'tool0 at 0.5,0.1,0.4 offset 0,0,10cm' --start elbow=0.5 --csv
cp out.txt offset.csv
run 0 solve arm.urdf -g '"a,b" at 0.5,0.1,0.4' --start elbow=0.5 --csv
checked=$((checked + 1))
cmp -s out.txt offset.csv || wrong "a point beside a link is not where a link fixed there is" out.txt
run 0 solve arm.urdf -g 'tool0 at 0.3,0,0 relative-to lower.arm' -g 'tool0 at 0.4,0.3,0.5'
run 0 solve arm.urdf -g 'tool0 in-faces 1,0,0,0.6 -1,0,0,-0.4' -g 'tool0 outside sphere 0,0,0 10cm radius 2cm'
run 0 solve arm.urdf -g 'tool0 at 0.5,0.1,0.4 z-along 0,0,1 degrees-per-metre 90 position-weight 0.7 weight 2 priority 1 from lift'

# Tolerances: what is within them is met.
run 0 solve arm.urdf -g 'tool0 at 0.9,0,0.4 within 21cm'
run 4 solve arm.urdf -g 'tool0 at 0.9,0,0.4 within 19cm'
has out.txt 'OFF  tool0' '20 cm'
run 0 solve arm.urdf -g 'tool0 at 0.9,0,0.4 within 21cm,1cm,1cm'
run 4 solve arm.urdf -g 'tool0 at 0.9,0,0.4 within 1cm,21cm,21cm'
run 4 solve arm.urdf -g 'tool0 z-along 0,1,0 within 1deg' --inactive roll,shoulder,elbow --start pitch=10deg,roll=180deg
run 0 solve arm.urdf -g 'wrist z-along 0.1,0,1 within 6deg' --inactive shoulder,elbow

# What is said on the command line is what a file says: saved, it has the same answer.
run 0 solve arm.urdf -g '"a,b" at 0.5,0.1,0.4 z-along 0,0,1 within 1mm,2mm,3mm within 1deg' -g 'com above -1 named low' \
    --save saved.json --csv
cp out.txt first.csv
run 0 solve saved.json --csv
checked=$((checked + 1))
cmp -s out.txt first.csv || wrong "the saved problem has another answer" out.txt
has saved.json '"tolerance": [0.001, 0.002, 0.003]' '"tolerance_angle": 0.017453292519943295' '"kind": "frame"'
piped 0 saved.json solve - --csv

# Names that are not there: the nearest ones.
run 1 solve arm.urdf -g 'tol0 at 0,0,1'
has err.txt "limber: --goal 'tol0 at 0,0,1': figure \`arm\` has no site or segment \`tol0\`; did you mean \`tool0\`?"
run 1 solve arm.urdf -g 'tool0 at 0,0,1' -g 'tool0 at TOOL-0'
has err.txt "--goal 'tool0 at TOOL-0': figure" 'did you mean `tool0`'
run 1 solve arm.urdf -g 'tool0 at 0,0,1' -k 'upper'
has err.txt '--keep: ' 'did you mean `upper arm`?'
run 1 solve arm.urdf -g 'com over tool0,wrst,origin' -g 'tool0 at 0,0,1'
has err.txt "--goal 'com over tool0,wrst,origin': " 'did you mean `wrist`?'
run 1 solve arm.urdf -g 'gripper at 0,0,1'
has err.txt 'its segments are `base_link`, `lift`, `upper arm`, `lower.arm`, `wrist`, `tool0` and 4 more'
run 1 solve chain:3 -g 'tip at 0,0,1'
has err.txt 'several segments of figure `chain` have a site `tip`; name one of them: '
run 1 solve arm.urdf -g 'tool0 at 0,0,1 from elbw'
has err.txt 'did you mean `elbow`?'
run 1 solve arm.urdf -g 'tool0 at 0,0,1 from origin'
has err.txt '`origin` does not lie between the root and the end-effector'
run 1 solve arm.urdf -g 'tool0 at 0,0,1' --start elbw=1
has err.txt '--start: ' 'did you mean `elbow`?'
run 1 solve arm.urdf -g 'com z-along 0,0,1'
has err.txt 'the centre of mass has no directions'

# Words that are not understood: which one, and what may stand there.
is_refused() { # GOAL TEXT...
    goal=$1
    shift
    run 2 solve arm.urdf -g "$goal"
    has err.txt "limber: solve: --goal '$goal': " "$@"
    is_empty out.txt
}
is_refused 'tool0 hovers 0,0,1' '`hovers` was not understood; what can be asked of `tool0` is at, like'
is_refused 'tool0 z-alnog 0,0,1' '`z-alnog` was not understood; did you mean `z-along`'
is_refused 'tool0 at 0,0,1 whitin 1mm' '`whitin` was not understood; did you mean `within`'
is_refused 'tool0 at 0,0,1 please' '`please` was not understood; what may follow is within, weight'
is_refused 'tool0' 'what is asked of `tool0`?'
is_refused 'upper arm at 0,0,1' '`arm` was not understood; a name with blanks stands in quotes'
is_refused 'tool0 at 0,0' '`0,0` is no point; write it as'
is_refused 'tool0 at' 'after `at`, where?'
is_refused 'tool0 z-along' 'after `z-along` a direction is missing'
is_refused 'tool0 z-along 0,0,0' '`0,0,0` is no direction'
is_refused 'tool0 z-along up' '`up` is no direction'
is_refused 'tool0 at 0,0,1 within' 'after `within` a length or an angle is missing'
is_refused 'tool0 at 0,0,1 within 1s' '`1s` is no tolerance'
is_refused 'tool0 at 0,0,1 weight heavy' '`heavy` is no number'
is_refused 'tool0 at 0,0,1 from' 'after `from` a name is missing'
is_refused 'tool0 x-along 0,0,1 -x-along 0,1,0' '`x-along` and `-x-along` are about the same axis'
is_refused 'tool0 x-along 0,0,1 y-along 0,1,1' 'are not at right angles'
is_refused 'tool0 x-along 0,0,1 y-along 0,1,0 z-along 1,0,0' 'two axes say all of a rotation'
is_refused 'tool0 like 0,0,1 rpy 0,0,0 z-along 0,0,1' 'do not go together'
is_refused 'tool0 like 0,0,1 z-along 0,0,1 rpy 0,0,0' 'is too much'
is_refused 'tool0 like 0,0,1' 'which way?'
is_refused 'tool0 turned' 'which way?'
is_refused 'tool0 aims-at 0,0,1 z-along 0,0,1' 'give it a --goal of its own'
is_refused 'tool0 in-sphere 0,0,1 10cm rpy 0,0,0' '`in-sphere` has no rotation'
is_refused 'tool0 at tool0 relative-to wrist' 'carried twice'
is_refused 'tool0 at 0,0,1 position-weight 0.5' '`position-weight` goes with'
is_refused 'tool0 above 1 degrees-per-metre 90' '`above` has none'
is_refused 'tool0 outside cone 0,0,1' 'not `cone`'
is_refused 'tool0 over wrist' 'only `com` can be over'
is_refused 'com over tool0,wrist,origin from elbow' 'what may follow is margin, weight, priority, within'
is_refused '"tool0 at 0,0,1' 'a quote is opened and not closed'
is_refused '"" at 0,0,1' 'is empty'
is_refused ' ' 'it is empty'

# The table: name, value, range, margin; what is at a limit is marked.
run 4 solve arm.urdf -g 'tool0 at 0.9,0,1.5'
has out.txt 'variable' 'value' 'range' 'margin' 'AT ITS UPPER LIMIT' '0 .. 0.5 m' 'no limit'
checked=$((checked + 1))
grep -qE '^  lift +0\.5000 m +0 \.\. 0\.5 m +0\.0000 m +AT ITS UPPER LIMIT$' out.txt || wrong "the lift is not at its limit" out.txt
lacks out.txt 'stayed where they were'
# Of a large figure, what moved, and how many did not; all of it where it is asked for.
run 0 solve human --plain -g 'gaze aims-at 1,0.2,1.5' --inactive root,'spine*'
has out.txt 'variables stayed where they were; --all lists them too'
lacks out.txt 'left_elbow'
run 0 solve human --plain -g 'gaze aims-at 1,0.2,1.5' --inactive root,'spine*' --all
has out.txt 'left_elbow' 'root.x'
lacks out.txt 'stayed where they were'
run 0 solve human --plain -g 'right_palm above -5'
has out.txt '52 of 52 variables stayed where they were'

# For programs: CSV and JSON, in radians and metres.
run 4 solve arm.urdf -g 'tool0 at 0.9,0,1.5' --csv -o values.csv
is_empty err.txt
has out.txt 'name,value,unit,lower,upper,margin,limit' 'lift,0.5,m,0,0.5,0,upper'
grep -qE '^roll,[-0-9.e]+,rad,,,,$' out.txt || wrong "an unlimited joint has other fields" out.txt
checked=$((checked + 2))
cmp -s out.txt values.csv || wrong "-o values.csv is not what --csv prints" values.csv
run 0 solve arm.urdf -g 'tool0 at 0.4,0.2,0.5' --csv --answers 2
has out.txt 'answer,name,value,unit,lower,upper,margin,limit' '1,lift,' '2,lift,'
run 4 solve arm.urdf -g 'tool0 at 0.9,0,1.5' --json
has out.txt '"variables": [' '"limit": "upper"' '"margin": null' '"unit": "m"'
run 2 solve arm.urdf -g 'tool0 at 0.9,0,1.5' --json --csv
has err.txt 'do not go together'
run 2 solve arm.urdf -g 'tool0 at 0.9,0,1.5' --csv --batch x.csv
run 3 solve arm.urdf -g 'tool0 at 0.4,0.2,0.5' -o no/such/folder.csv

# Batches: the columns have the link's name, in quotes where it has a comma.
printf '"a,b.x","a,b.y",tool0.z\n0.5,0.1,0.4\n' >targets.csv
run 0 solve arm.urdf -g '"a,b" at 0,0,0.4' -g 'tool0 on-plane 0,0,0.4 0,0,1 weight 0 within 1m' --batch targets.csv
has out.txt '2,solved,'
printf 'tol0.x,y\n0.5,0.1\n' >targets.csv
run 1 solve arm.urdf -g 'tool0 at 0,0,0.4' --batch targets.csv
has err.txt 'there is no constraint `tol0`; did you mean `tool0`?'

# Two figures: by name, and by number.
echo '{"figures": ["arm.urdf", {"file": "arm.urdf", "name": "b", "at": [1, 0, 0]}], "inactive": ["b:*"], "constraints": [
 {"effector": "tool0", "goal": {"kind": "position", "relative_to": "1:lower.arm"}, "tolerance": "1m"},
 {"effector": "b:tool0", "goal": {"kind": "half-space", "point": [0, 0, -9], "normal": [0, 0, 1]}}]}' >two.json
run 0 solve two.json
has out.txt 'met  b:tool0' 'b:lift'

run 0 solve --help
has out.txt 'z-along' 'within 1mm' 'relative-to NAME' 'offset p' '--csv' '--all'
checked=$((checked + 1))
! grep -qE '.{91}' out.txt || wrong "the help has long lines" out.txt
finish
