#!/bin/sh
# limber info: what it says, and that --json is JSON.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

sample sample.fig
run 0 info sample.fig
is_empty err.txt
has out.txt 'sample  (sample.fig)' '4 segments, 3 joints, 4 dofs, 3 variables' 'stature 1 m' 'mass 3 kg' \
    'R(x)*T(z)' '0 .. 142 deg, rest 10 deg' 'reach  0 .. 0.02 m' 'rigidity 0.5' 'driven by elbow' \
    'both: elbow + 2 wrist.bend <= 100 deg' 'root, fixed'
lacks out.txt "$(printf '\033')"
lacks out.txt 'Variables'
# The sites, by the names that a goal takes: those at joints are counted, and listed where it is asked for.
has out.txt 'Sites (1)' '  finger.tip  on finger at (0, 0, 0.05) m' 'and 6 at joints; --sites lists them'
lacks out.txt 'arm.high'
run 0 info sample.fig --sites
has out.txt 'Sites (7)' 'arm.low' 'hand.tip' '  top ' 'on base at (0, 0, 0.2) m'
run 0 info sample.fig --variables
has out.txt 'Variables (3)' 'wrist.bend'

# Another stature: lengths by the ratio, masses by its square.
run 0 info sample.fig --stature 50cm
has out.txt 'stature 0.5 m' 'mass 0.75 kg' 'reach  0 .. 0.01 m'
run 2 info sample.fig --stature tall
has err.txt 'limber: info: `--stature tall` is no height'
run 2 info sample.fig --stature -1m
# People stay people: in every command.
for height in 3m 0.5m 119cm 2.21m; do
    run 1 info human --stature $height
    has err.txt 'people are 1.2 to 2.2 m tall; a stature of'
    run 1 solve human -g "right_palm at 0.3,-0.2,1.1" --stature $height
    has err.txt 'people are 1.2 to 2.2 m tall; a stature of'
done
echo '{"figures": [{"file": "human", "stature": "3m"}], "constraints": []}' >giant.json
run 1 solve giant.json
has err.txt 'people are 1.2 to 2.2 m tall; a stature of 3 m'
run 0 info human --stature 120cm
run 0 info human --stature 2.2m

# A character whose file is in centimetres: known by the legs, said, and the other way round on demand.
python3 - <<'EOF'
import json
bones = [("Hips", -1, 0, 93, 0), ("Spine", 0, 0, 30, 0), ("Neck", 1, 0, 24, 0), ("Head", 2, 0, 10, 0),
         ("LeftUpperArm", 1, 18, 18, 0), ("LeftLowerArm", 4, 28, 0, 0), ("LeftHand", 5, 25, 0, 0),
         ("RightUpperArm", 1, -18, 18, 0), ("RightLowerArm", 7, -28, 0, 0), ("RightHand", 8, -25, 0, 0),
         ("LeftUpperLeg", 0, 9, -3, 0), ("LeftLowerLeg", 10, 0, -42, 0), ("LeftFoot", 11, 0, -40, 0),
         ("RightUpperLeg", 0, -9, -3, 0), ("RightLowerLeg", 13, 0, -42, 0), ("RightFoot", 14, 0, -40, 0)]
nodes = [{"name": b[0], "translation": b[2:], "children": [k for k, c in enumerate(bones) if c[1] == i]} for i, b in enumerate(bones)]
for node in nodes:
    if not node["children"]:
        del node["children"]
json.dump({"asset": {"version": "2.0"}, "nodes": nodes, "skins": [{"joints": list(range(len(bones)))}]}, open("cm.gltf", "w"))
EOF
said='lengths are read in centimetres, for a leg would be 82 m long; --unit says another unit'
run 0 info cm.gltf
has out.txt "$said"
run 0 info cm.gltf --unit 1cm
lacks out.txt 'lengths are read in'
run 0 solve cm.gltf -g 'RightHand at 0.3,-0.3,1.1'
has err.txt "$said"
has out.txt 'Solved'
run 0 solve cm.gltf --unit 10mm -g 'RightHand at 0.3,-0.3,1.1' --save cm.json -o posed.gltf
[ ! -s err.txt ] || wrong "a unit that is given is warned of" err.txt
has cm.json '"unit": 0.01'
run 0 solve cm.json
[ ! -s err.txt ] || wrong "a unit that is given is warned of" err.txt
run 0 info posed.gltf --unit 1cm --limits file --sites
run 2 solve cm.json --unit 1cm
has err.txt '`--unit` goes with a figure'
run 2 info cm.gltf --unit far

# What holds a pose.
run 0 info human --pose right_shoulder.elevation=90deg
has out.txt 'This pose' "What stands, with its share of the weight:" 'left_heel' 'centre of mass' 'inside' 'right_shoulder'
run 0 info human --json --pose right_elbow=90deg
python3 - <<'EOF' || wrong "what holds a pose is not in the report" out.txt
import json
told = json.load(open("out.txt"))["statics"]
assert abs(sum(c.get("share", 0) for c in told["contacts"]) - 1) < 1e-5 and told["imbalance"] < 1e-6 and told["margin_m"] > 0
assert told["efforts"]["right_elbow"] > 0.001
EOF
run 0 info human --pose root.ry=60deg
has out.txt 'it falls'
run 0 info cm.gltf --unit 1cm --pose ''
has out.txt 'This pose'
run 1 info sample.fig --pose ''
has err.txt 'has no body'
run 2 info human --pose 'right_elbow'

# Standard input, other names, chains, models.
piped 0 sample.fig info -
has out.txt 'sample  (-)'
cp sample.fig sample.txt
run 0 info sample.txt
run 0 info sample.txt --format fig
run 1 info sample.txt --format urdf
has err.txt 'limber: sample.txt'
run 2 info sample.txt --format fgi
has err.txt 'did you mean `fig`'
run 0 info chain:30
has out.txt '30 joints' '[21]'
run 0 info human
has out.txt 'human' 'Groups' 'spine'
run 1 info humna
has err.txt 'did you mean the model `human`?'

# Wrong files: file, line, and what to do.
run 1 info missing.fig
has err.txt 'limber: missing.fig: ' 'No such file'
is_empty out.txt
printf 'figure f {\n    segmnt a { }\n}\n' >bad.fig
run 1 info bad.fig
has err.txt 'limber: bad.fig:2: '
is_empty out.txt
: >empty.fig
run 1 info empty.fig
run 1 info .
has err.txt 'is a folder'

# JSON: valid, complete, and the same numbers.
run 0 info sample.fig --json
is_empty err.txt
has out.txt '"version": 1' '"name": "sample"' '"segments": 4' '"type": "R(x)*T(z)"' '"upper": 2.478367537831948' \
    '"driven": true' '"variable": "wrist.bend"' '"kind": "at most"'
printf 'figure "a\\"b" {\n segment "x\\\\y" { } }\n' >quotes.fig
if command -v python3 >/dev/null; then
    cat >check.py <<'TEXT'
import json, math, sys
data = json.load(open(sys.argv[1]))
assert data["version"] == 1 and data["name"] == "sample" and data["stature"] == 1 and data["mass"] == 3
assert data["counts"]["joints"] == 3 and data["counts"]["dofs"] == 4 and data["counts"]["variables"] == 3
joint = {joint["name"]: joint for joint in data["joints"]}
assert joint["elbow"]["from"] == {"segment": "base", "site": "top"}
elbow = joint["elbow"]["dofs"][0]
assert abs(elbow["upper"] - math.radians(142)) < 1e-12 and elbow["variable"] == "elbow" and not elbow["driven"]
assert joint["knuckle"]["dofs"][0]["driven"] and joint["knuckle"]["dofs"][0]["lower"] is None
assert [v["name"] for v in data["variables"]] == ["elbow", "wrist.bend", "wrist.reach"]
assert data["drives"][0]["source"] == "elbow" and data["drives"][0]["slope"] == 0.5
assert data["limits"][0]["terms"] == [{"of": "elbow", "coefficient": 1}, {"of": "wrist.bend", "coefficient": 2}]
assert data["segments"][1]["parent"] == "base" and data["segments"][0]["parent"] is None
assert data["warnings"] == [] and data["loops"] == []
assert [s["effector"] for s in data["segments"]] == ["base", "arm", "hand", "finger"]
sites = {(s["segment"], s["name"]): s for s in data["sites"]}
assert sites["base", "top"]["effector"] == "top" and sites["hand", "tip"]["effector"] == "hand.tip"
assert sites["hand", "tip"]["at_joint"] and not sites["finger", "tip"]["at_joint"]
TEXT
    checked=$((checked + 1))
    python3 check.py out.txt || wrong "the JSON is not what it should be" out.txt
    for model in human stewart puma560 chain:5; do
        run 0 info "$model" --json
        checked=$((checked + 1))
        python3 -m json.tool out.txt >/dev/null || wrong "the JSON of $model is not valid"
    done
    if "$LIMBER" info quotes.fig --json >out.txt 2>err.txt; then
        checked=$((checked + 1))
        python3 -m json.tool out.txt >/dev/null || wrong "names with quotes make bad JSON" out.txt
    fi
fi

# A full disk is an error.
if [ -e /dev/full ]; then
    checked=$((checked + 1))
    code=0
    "$LIMBER" info sample.fig >/dev/full 2>err.txt || code=$?
    [ "$code" = 3 ] || wrong "a full disk ended with $code" err.txt
fi

# What a drive can do is kept and shown, through .fig and back.
cat >drives.urdf <<'TEXT'
<robot name="drives">
  <link name="base"/><link name="arm"/><link name="slide"/>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" effort="87" velocity="1.5"/>
    <safety_controller soft_lower_limit="-0.9" soft_upper_limit="1.9" k_position="100" k_velocity="40"/>
  </joint>
  <joint name="push" type="prismatic">
    <parent link="arm"/><child link="slide"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.5" effort="0" velocity="0.2"/>
  </joint>
</robot>
TEXT
run 0 info drives.urdf
has out.txt 'velocity 85.9437 deg/s, effort 87 N m, soft -51.5662 .. 108.862 deg' 'velocity 0.2 m/s'
lacks out.txt 'effort 0'
run 0 convert drives.urdf drives.fig
has drives.fig 'effort = (87);' 'soft_llimit = (' 'soft_ulimit = ('
run 0 convert drives.fig again.urdf
has again.urdf 'effort="87" velocity="1.5"' 'soft_lower_limit="-0.9" soft_upper_limit="1.9"'
run 0 info again.urdf --json
has out.txt '"effort": 87' '"soft_lower": -0.9' '"velocity": 0.2'

# A model whose parts lie beside its folder: read inside of the folder that is stated, and only there. A driven joint that is taken
# past its range is told of, with its line.
mkdir -p kit/arm
echo '<mujoco><compiler angle="radian"/></mujoco>' >kit/shared.xml
cat >kit/arm/arm.xml <<'TEXT'
<mujoco><include file="../shared.xml"/><worldbody><body><joint name="x" type="slide" range="0 1"/><geom size="1"/>
<body><joint name="y" type="slide" range="0 0.999"/><geom size="1"/></body></body></worldbody><equality>
<joint joint1="y" joint2="x" polycoef="0 0 1 0 0"/></equality></mujoco>
TEXT
run 0 info kit/arm/arm.xml --root kit
has out.txt 'line 3: joint "y" is taken to 1 m by "x", 1 mm past its range'
run 1 info kit/arm/arm.xml
has err.txt 'limber: kit/arm/arm.xml:1: ' '(--root)'
run 1 info kit/arm/arm.xml --root kit/arm
has err.txt 'limber: kit/arm/arm.xml:1: ' 'lies outside'

finish
