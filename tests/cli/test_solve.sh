#!/bin/sh
# limber solve: the goals' language, problem files, what is written, exit codes.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

# fontconfig keeps what it knows of fonts until the end: not a leak of ours.
echo leak:libfontconfig >"$LIMBER_SCRATCH/lsan.txt"
LSAN_OPTIONS="suppressions=$LIMBER_SCRATCH/lsan.txt:print_suppressions=0"
export LSAN_OPTIONS

models="$LIMBER_SOURCE_DIR/models"

# In a few words, as the README has it.
run 0 solve "$models/human.fig" --goal 'right_palm at 0.4,-0.3,1.2' --goal 'gaze aims-at 0.4,-0.3,1.2' --keep left_palm
has out.txt 'Solved. Balance ' 'met  right_palm' 'met  gaze' 'met  left_palm' 'lm: '
is_empty err.txt
run 0 solve human -g 'right_palm at 40cm,-30cm,120cm' -q
is_empty out.txt

# Every verb is understood, and solved where it can be.
for goal in 'link10.tip at 0.3,0.1,0.6' 'link10.tip at link2.tip' 'link10.tip aims-at 1,0,0' 'link10.tip like 0.3,0.1,0.5 rpy 0,90deg,0' \
    'link10.tip like link1.tip' 'link10.tip turned rpy 0,90deg,0' 'link10.tip on-line 0.2,0,0 0,0,1' \
    'link10.tip on-plane 0.2,0,0 1,0,0' 'link10.tip on-side 0.2,0,0 1,0,0' 'link10.tip above 0.2' 'link10.tip below 50cm' \
    'link10.tip in-box 0.3,0,0.5 1cm,1cm,1cm' 'link10.tip in-box 0.3,0,0.5 1cm,1cm,1cm rpy 45deg,0,0' \
    'link10.tip in-sphere 0.3,0,0.5 5cm' 'link10.tip in-capsule 0.3,0,0.5 0.4,0,0.5 5cm' \
    'link10.tip on-circle 0.1,0,0.5 20cm 0,0,1' 'link10.tip on-disc 0.1,0,0.5 20cm 0,0,1' \
    'link10.tip outside box 0,0,1 10cm,10cm,10cm' 'link10.tip outside sphere 0,0,1 10cm' \
    'link10.tip outside capsule 0,0,0.9 0,0,1.1 10cm' 'com at 0.1,0,0.4' \
    'link10.tip at 0.3,0.1,0.6 weight 2 priority 1 from joint2 tolerance 1mm named tip'; do
    run 0 solve chain:10 --start joint3=0.3,joint4=0.2 --goal "$goal" --restarts 5
    has out.txt 'solved'
done
run 0 solve human -g 'com over left_heel,left_toe,right_toe,right_heel margin 2cm' -g 'right_palm at 0.5,-0.2,1.1'
has out.txt 'met  balance'
# Alternatives: one of two is enough.
run 0 solve chain:5 -g 'link5.tip at 9,9,9 any-of x' -g 'link5.tip at 0.1,0.1,0.3 any-of x' --start joint1=0.3
has out.txt 'another of its group counts'

# Not solved is an answer, with a code of its own; the result is written all the same.
run 4 solve en07-chain -g 'end at 0.25,0,0.25' -o result.json --png answer.png --trace trace.csv
has out.txt 'minimum: ' 'OFF  end' '10.4 cm'
has result.json '"status": "minimum"' '"distance_m": 0.10355' '"pose": {'

# Why not: the limit that would have to give way and by how much, plain distance, another goal; how the goals constrain it.
run 4 solve "$LIMBER_SOURCE_DIR/models/human.fig" --plain --inactive root -g 'right_palm at 1.5,-0.1,1.3'
has out.txt 'spine flexion at its upper limit (75 deg): ' ' more would bring it ' "cm of it beyond the arm's length" \
    'What would help' 'over-constrained: ' 'degree of redundancy '
run 4 solve "$LIMBER_SOURCE_DIR/models/panda.fig" -g 'link7.flange at 3,0,0.3'
has out.txt "beyond the arm's length"
run 0 solve "$LIMBER_SOURCE_DIR/models/panda.fig" -g 'link7.flange like 0.4,0.1,0.4 rpy 180deg,0,0' -r 20
has out.txt 'under-constrained: 7 degrees of freedom, 6 equations; degree of redundancy 1'
run 4 solve "$LIMBER_SOURCE_DIR/models/panda.fig" -g 'link7.flange at 0.4,0,0.4 named one' -g 'link7.flange at 0.4,0.2,0.4 named two' --json
has out.txt '"kind": "goal", "name": "' '"reached": true' '"freedom": {"determinacy": '
# Wishes are below goals, and cost them nothing; in their sum they do.
run 0 solve "$LIMBER_SOURCE_DIR/models/human.fig" --inactive root -g 'right_palm at 0.5,-0.2,1.3' --posture 10
has out.txt 'solved' 'Wishes: ' 'would save'
run 0 solve "$LIMBER_SOURCE_DIR/models/human.fig" --inactive root -g 'right_palm at 0.5,-0.2,1.3' --posture 10 --json
has out.txt '"engine": "' '"priority": "wishes"' '"force": ['
run 4 solve "$LIMBER_SOURCE_DIR/models/human.fig" --plain --inactive root -g 'right_palm at 0.5,-0.2,1.3' --posture 10 --wish-level goals
run 2 solve "$LIMBER_SOURCE_DIR/models/human.fig" -g 'right_palm at 0.5,-0.2,1.3' --posture 1 --wish-level above
run 2 solve "$LIMBER_SOURCE_DIR/models/human.fig" -g 'right_palm at 0.5,-0.2,1.3' --wish-level goals
head -c 8 answer.png | od -An -c | grep -q 'P   N   G' || wrong "answer.png is no PNG"
has trace.csv 'iteration,restart,evaluations,value,'
# G never rises along the trace of bfgs. (That of an arm's engine, which looks for a root, may.)
run 4 solve en07-chain -g 'end at 0.25,0,0.25' --method bfgs --trace trace.csv
checked=$((checked + 1))
awk -F, 'NR > 2 && $4 > last + 1e-12 { bad = 1 } { last = $4 } END { exit bad }' trace.csv || wrong "G rises" trace.csv
run 4 solve en07-chain -g 'end at 0.25,0,0.25' --iterations 1
has out.txt 'budget'

# A limit that blocks is named.
run 4 solve human -g 'right_palm at 0.8,-0.6,1.4 from right_clavicle'
has out.txt 'Limits in force'

# --save, and back from the file: the same answer to the bit.
run 0 solve human -g 'right_palm at 0.4,-0.3,1.2 weight 2' -k left_palm --inactive 'left_*' --rigidity 'spine.*=0.5' \
    --stay 1e-9 --start right_elbow=30deg --save problem.json --json
grep -v time_us out.txt >first.txt
run 0 solve problem.json --json
grep -v time_us out.txt >second.txt
checked=$((checked + 1))
cmp -s first.txt second.txt || wrong "the saved problem has another answer" second.txt
piped 0 problem.json solve - --json
has out.txt '"status": "solved"'
if command -v python3 >/dev/null; then
    checked=$((checked + 1))
    python3 -c 'import json, sys; json.load(sys.stdin)' <out.txt || wrong "--json is no JSON" out.txt
fi

# Options of single methods, on the command line and in a file.
run 0 solve en07-chain -g 'end at 0.12,0.05,0.08' -m bfgs --bfgs-update dfp
has out.txt 'solved'
run 0 solve en07-chain -g 'end at 0.12,0.05,0.08' -m ccd --ccd axis --json
grep -E '"(value|iterations|joint.*)":' out.txt >first.txt
echo '{"figure": "en07-chain", "constraints": [{"effector": "end", "goal": {"kind": "position", "point": [0.12, 0.05, 0.08]}}],
    "options": {"method": "ccd", "ccd": "axis"}}' >axis.json
run 0 solve axis.json --json
grep -E '"(value|iterations|joint.*)":' out.txt >second.txt
checked=$((checked + 1))
cmp -s first.txt second.txt || wrong "the file's options are not the command line's" second.txt
run 0 solve axis.json --ccd dof --json
grep -E '"(value|iterations|joint.*)":' out.txt >second.txt
checked=$((checked + 1))
! cmp -s first.txt second.txt || wrong "--ccd does nothing" second.txt
# A stiff joint moves less by ccd and fabrik, too; preferred values count (property.rigidity has how much).
for method in ccd fabrik; do
    for extra in '--rigidity joint1=0' '--rigidity joint1=0.9' '--preferred 20'; do
        # shellcheck disable=SC2086 # an option and its value
        run 0 solve en07-chain -g 'end at 0.12,0.05,0.08' -m $method $extra --json
        sed -n 's/.*"\(joint[0-9]\)\.r[xyz]": *\([-0-9.e]*\).*/\1 \2/p' out.txt |
            awk '{ v = $2 < 0 ? -$2 : $2; if (v > all) all = v; if ($1 == "joint1" && v > first) first = v } END { print first, all }' >>"turns-$method.txt"
    done
    checked=$((checked + 1))
    awk -v method=$method '{ first[NR] = $1; all[NR] = $2 } END { exit !(NR == 3 && first[2] < 0.6 * first[1] &&
        (method == "ccd" ? all[3] < 0.9 * all[1] : all[3] != all[1])) }' "turns-$method.txt" || wrong "$method does not feel rigidity or what is preferred" "turns-$method.txt"
done
run 2 solve en07-chain -g 'end at 0.12,0.05,0.08' --bfgs-update newton
has err.txt 'switch, bfgs and dfp'
run 2 solve en07-chain -g 'end at 0.12,0.05,0.08' --ccd joint
run 2 solve en07-chain -g 'end at 0.12,0.05,0.08' --preferred -1

# All methods; those that cannot say so.
run 0 solve chain:10 -g 'link10.tip at 0.3,0.1,0.6' --compare --start joint1=0.2
has out.txt 'lm ' 'bfgs ' 'ccd ' 'jacobian ' 'fabrik '
for method in lm bfgs ccd jacobian; do
    run 0 solve chain:10 -g 'link10.tip at 0.3,0.1,0.6' --method "$method" --start joint1=0.2
    has out.txt "$method: "
done
# Options of the file, and of the command line over them.
echo '{"figure": "en07-chain", "constraints": [{"effector": "end", "goal": {"kind": "position", "point": [0.25, 0, 0.25]}}],
 "options": {"method": "bfgs"}}' >unreachable.json
run 4 solve unreachable.json
has out.txt 'bfgs: '
run 4 solve unreachable.json -m lm
has out.txt 'lm: '
run 4 solve unreachable.json --png both.svg
has both.svg '<svg'

# What a robot keeps clear of is drawn, one sees through it, and what is far away is not.
echo '{"solids": [{"kind": "box", "point": [0.5, 0.3, 0.2], "half_size": [0.1, 0.1, 0.1]},
 {"kind": "half-space", "point": [0, 0, -0.1], "normal": [0, 0, 1]}]}' >world.json
echo '{"solids": [{"kind": "sphere", "point": [900, 0, 0], "radius": 1}]}' >distant.json
run 0 solve panda -g 'tool at 0.4,-0.1,0.4' --png alone.svg
run 0 solve panda -g 'tool at 0.4,-0.1,0.4' --avoid world.json --png world.svg
run 0 solve panda -g 'tool at 0.4,-0.1,0.4' --avoid distant.json --png distant.svg
has world.svg 'fill-opacity="0.420"'
lacks alone.svg 'fill-opacity="0.420"'
checked=$((checked + 1))
cmp -s alone.svg distant.svg || wrong "a solid that is far away changes the picture"
echo '{"figure": "panda", "constraints": [{"effector": "tool", "goal": {"kind": "position", "point": [0.4, -0.1, 0.4]}}],
 "collisions": {"world": "world.json", "self": false}}' >apart.json
run 0 solve apart.json --png apart.png
run 0 solve panda -g 'tool at 0.4,-0.1,0.4' --png alone.png
checked=$((checked + 1))
! cmp -s apart.png alone.png || wrong "the world of a problem file is not drawn"

# A robot is drawn as it looks, meshes and all, whether anything is kept apart or not; the answer is the same.
cat >drawn.urdf <<'TEXT'
<robot name="drawn"><link name="base"/><joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<link name="arm"><visual><geometry><mesh filename="wedge.stl"/></geometry></visual></link></robot>
TEXT
run 0 solve drawn.urdf -g 'arm on-side 0,0,0 0,0,-1' --png missing.svg --csv
has err.txt 'mesh' 'wedge.stl'
mv out.txt missing.csv
cat >wedge.stl <<'TEXT'
solid wedge
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 0 1 0
vertex 0 0 1
endloop
endfacet
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 0 0 1
vertex 0.3 0.3 0
endloop
endfacet
endsolid wedge
TEXT
for avoid in '' '--avoid world.json'; do
    # shellcheck disable=SC2086 # none, or an option and its value
    run 0 solve drawn.urdf -g 'arm on-side 0,0,0 0,0,-1' --png there.svg --csv $avoid
    if [ -n "$avoid" ]; then has err.txt '1 of 2 segments of drawn have no solid shape' ': base'; else is_empty err.txt; fi
    checked=$((checked + 1))
    cmp -s out.txt missing.csv || wrong "a mesh that is drawn changes the answer"
    ! cmp -s missing.svg there.svg || wrong "the mesh of a robot is not drawn"
done

# Two figures in one picture.
echo '{"figures": ["human", {"file": "human", "name": "b", "at": [1, 0, 0], "turn": "180deg"}], "constraints": [
 {"effector": "right_palm", "goal": {"kind": "position", "relative_to": "b:right_palm"}}]}' >two.json
run 0 solve two.json --png two.png -o two-result.json
has two-result.json '"b:right_elbow"' '"human:right_elbow"'

# What is wrong is said: in a file with its line.
printf '{\n"figure": "human",\n"constraints": [\n{"effector": "right_palm",\n"gaol": {}}]}' >bad.json
run 1 solve bad.json
has err.txt 'limber: bad.json:5: ' 'did you mean `goal`?'
run 1 solve nothing.json
run 1 solve humen -g 'right_palm at 1,1,1'
run 1 solve human -g 'right_plam at 1,1,1'
has err.txt 'did you mean `right_palm`?'
run 2 solve human
has err.txt 'nothing is asked'
run 2 solve human -g 'right_palm att 1,1,1'
has err.txt 'did you mean `at`'
run 2 solve human -g 'right_palm at 1,1'
has err.txt 'no point'
run 2 solve human -g 'right_palm at 1,1,1 wieght 2'
has err.txt 'did you mean `weight`'
run 2 solve human -g 'right_palm at 1,1,1' -m newton
run 2 solve human -g 'right_palm at 1,1,1' -m jacobain
has err.txt 'did you mean `jacobian`'
run 2 solve human -g 'right_palm at 1,1,1' --restarts 1.5
run 2 solve human -g 'right_palm at 1,1,1' --png answer.gif
run 2 solve problem.json -g 'right_palm at 1,1,1'
has err.txt 'is a problem file'
run 3 solve problem.json -o no/such/folder/r.json
run 0 solve --help
checked=$((checked + 1))
! grep -qE '.{91}' out.txt || wrong "the help has long lines" out.txt

# A deadline that is past at once: the best so far, and the code of what is not solved.
run 4 solve human -g 'right_palm at 5,5,5' --inactive root --restarts 100000 --deadline 1
has out.txt 'budget'
run 2 solve human -g 'right_palm at 1,1,1' --deadline soon
has err.txt 'microseconds'

# Several answers: each solves it, no two are the same.
run 0 solve ur5 -g 'tool like 0.4,0.2,0.4 rpy 180deg,0,0' --answers 3 --apart 20deg -o several.json
has out.txt '3 answers, nearest to the start first:'
has several.json '"answers": ['
if command -v python3 >/dev/null; then
    cat >distinct.py <<'TEXT'
import json
result = json.load(open("several.json"))
poses = [list(answer.values()) for answer in result["answers"]]
assert len(poses) == 3 and result["answers"][0] == result["pose"]
for i in range(3):
    for k in range(i):
        assert max(abs(a - b) for a, b in zip(poses[i], poses[k])) > 0.349, (i, k)
TEXT
    checked=$((checked + 1))
    python3 distinct.py || wrong "the answers are not distinct"
fi
# Every solution, by a closed form; and why there are none to be had.
run 0 solve ur5 -g 'tool like 0.4,0.2,0.4 rpy 180deg,0,0' --answers all -o all.json
has out.txt '8 answers, nearest to the start first'
has all.json '"engine": "closed"'
checked=$((checked + 1))
[ "$(sed -n 's/^  elbow  *//p' out.txt | wc -w)" = 16 ] || wrong "not all of the eight answers are printed" out.txt
run 4 solve ur5 -g 'tool like 4,0,0 rpy 0,0,0' --answers all
has out.txt 'no solution, whatever the limits'
run 0 solve human -g 'right_palm like 0.3,-0.25,1.1 rpy 0,-90deg,0' --answers all
has out.txt 'each answer stands for an interval of the swivel angle; only the 7 joints behind vertebra_T1 may move'
run 1 solve human -g 'gaze like 0.4,-0.3,1.2 rpy 0,0,0' --answers all
has err.txt 'is driven by a group'
has err.txt 'no chain of six or seven joints behind it has one'
run 0 solve human -g 'right_foot like 0.2,-0.15,0.3 rpy 0,0,0' --answers all
has out.txt 'only the 6 joints behind pelvis may move, all others are held'
has out.txt '1 answer, nearest to the start first'
lacks out.txt 'root.x'
run 4 solve human -g 'right_foot like 0.2,-0.15,0.3 rpy 0,90deg,0' --answers all
has out.txt 'all 8 are outside the limits; the nearest breaks right ankle flexion'
run 0 solve en07-human -g 'right_hand like 0.3,-0.2,1.1 rpy 0,-90deg,0' --answers all
has out.txt 'each answer stands for an interval of the swivel angle; only the 7 joints behind right_clavicle may move'
run 1 solve iiwa14 -g 'tool like 0.4,0.2,0.4 rpy 180deg,0,0' --answers all --inactive a3
has err.txt 'needs all 7 joints of the chain free to move'
run 1 solve human --plain --method closed -g 'right_foot like 0.2,-0.15,0.3 rpy 0,0,0'
has err.txt 'the root may move as well'
run 1 solve ur5 -g 'tool at 0.4,0.2,0.4' --answers all
has err.txt 'places a frame'
# Arms in a plane: both elbows, for a frame and, of two links, for a point.
run 0 solve kb82-arm -g 'c4 like 0.3,0.2,0 rpy 0,0,30deg' --answers all
has out.txt '2 answers, nearest to the start first:' 'closed: 0 iterations'
run 0 solve kb82-arm -g 'c4 at 0.5,0.3,0' --answers all
has out.txt '2 answers, nearest to the start first:' 'only the 2 joints behind a1 may move, all others are held'
run 4 solve kb82-arm -g 'c4 at 3,0,0' --answers all
has out.txt '0 answers' 'no solution'
run 4 solve ur5 -g 'tool at 4,0,0' --answers 2
has out.txt '0 answers'
run 2 solve ur5 -g 'tool at 0.4,0.2,0.4' --apart 20deg
has err.txt 'is for `--answers`'
run 2 solve ur5 -g 'tool at 0.4,0.2,0.4' --answers 2 --apart far

# Batches: an answer for every target, the same for any number of threads, and that of the target alone.
printf '# places\nx, y, z\n0.4,0.2,0.4\n\n0.3,-0.3,0.5\n"4",0,0\n0.35,0.1,0.3' >targets.csv
run 4 solve ur5 -g 'tool at 0.4,0.2,0.4' --batch targets.csv -o answers.csv
has out.txt '3 of 4 solved in '
has answers.csv 'line,status,value,iterations,restarts,' '3,solved,' '5,solved,' '6,minimum,' '7,solved,'
run 4 solve ur5 -g 'tool at 0.4,0.2,0.4' -b targets.csv -t 3
cmp -s out.txt answers.csv || wrong "three threads have other answers" out.txt
piped 4 targets.csv solve ur5 -g 'tool at 0.4,0.2,0.4' -b -
cmp -s out.txt answers.csv || wrong "standard input has other answers" out.txt
run 0 solve ur5 -g 'tool at 0.3,-0.3,0.5' --json
sed -n '/"pose"/,$s/.*: \([-0-9.e]*\),*$/\1/p' out.txt | tr '\n' ' ' >alone.txt
sed -n '/^5,/p' answers.csv | cut -d, -f6- | tr ',\n' '  ' >batch.txt
checked=$((checked + 1))
cmp -s alone.txt batch.txt || wrong "a target of a batch has another answer than alone" batch.txt
printf 'tool.x,tool.qx,tool.qy,tool.qz,tool.qw\n0.4,1,0,0,0\n' >turned.csv
run 0 solve ur5 -g 'tool like 0.4,0.2,0.4 rpy 180deg,0,0' -g 'wrist1 at 0,0,0 weight 0 tolerance 9' --batch turned.csv
has out.txt '2,solved,'
# What is wrong with them is said with its line, and nothing is written.
for bad in 'x,y,w=1:`w` is no column' 'x,y,x=1:the column `x` is there twice' 'x,qx=1:a rotation needs all four' \
    'tol.x=1:did you mean `tool`?' 'x,y\n1,2\n1,a=3:`a` is no number' 'x,y\n1=2:fewer columns' 'x,y\n1,2,3=2:more columns' \
    'x\nnan=2:is no number' 'qx,qy,qz,qw\n0,0,0,0=2:turns nowhere' '=1:no line names the columns'; do
    # shellcheck disable=SC2059 # its escapes are meant
    printf "${bad%%=*}" >bad.csv
    expected=${bad#*=}
    run 1 solve ur5 -g 'tool at 0.4,0.2,0.4' --batch bad.csv -o never.csv
    has err.txt "limber: bad.csv:${expected%%:*}: " "${expected#*:}"
done
[ ! -f never.csv ] || wrong "answers were written for targets that cannot be read"
run 1 solve ur5 -g 'tool at 0.4,0.2,0.4' -g 'tool aims-at 1,1,1' -b targets.csv
has err.txt 'the problem has 2 constraints'
run 1 solve ur5 -g 'tool at 0.4,0.2,0.4' -b nothing.csv
run 3 solve ur5 -g 'tool at 0.4,0.2,0.4' -b targets.csv -o no/such/folder.csv
run 2 solve ur5 -g 'tool at 0.4,0.2,0.4' -b targets.csv --png answer.png
has err.txt 'do not go together'
run 2 solve ur5 -g 'tool at 0.4,0.2,0.4' --threads 2
run 2 solve ur5 -g 'tool at 0.4,0.2,0.4' -b targets.csv --threads 0

# The schema: every shipped problem keeps to it, and what the reader refuses so does it.
if python3 -c 'import jsonschema' 2>/dev/null; then
    cp "$LIMBER_SOURCE_DIR"/fuzz/corpus/problem/all.json .
    cat >schema.py <<'TEXT'
import glob, json, os, sys
import jsonschema
top = os.environ["LIMBER_SOURCE_DIR"]
schema = json.load(open(top + "/docs/problem.schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failed = 0
good = glob.glob(top + "/problems/**/*.json", recursive=True) + ["problem.json", "two.json", "unreachable.json", "all.json"]
for path in sorted(good):
    for error in validator.iter_errors(json.load(open(path))):
        print(path, list(error.path), error.message[:200])
        failed = 1
results = jsonschema.Draft202012Validator({"$ref": "#/$defs/result", "$defs": schema["$defs"]})
for path in ("result.json", "two-result.json", "several.json"):
    for error in results.iter_errors(json.load(open(path))):
        print(path, list(error.path), error.message[:200])
        failed = 1
for text in ('{}', '{"figure": 3}', '{"figure": "human", "constrains": []}', '{"figure": "a", "figures": ["b"]}',
             '{"figure": "a", "constraints": [{"effector": "b"}]}', '{"figure": "a", "start": {"elbow": "90grad"}}',
             '{"figure": "a", "constraints": [{"effector": "b", "goal": {"kind": "position"}}]}',
             '{"figure": "a", "constraints": [{"effector": "b", "goal": {"kind": "plane", "point": [0, 0, 1], "radius": 2}}]}',
             '{"figure": "a", "options": {"method": "newton"}}', '{"figure": "a", "rigidity": {"x": 2}}',
             '{"figure": "a", "body": true}', '{"figure": "a", "body": {"foot": {"left": "hop"}}}',
             '{"figure": "a", "body": {"effort": -1}}', '{"figure": "a", "body": {"balance": 1}}',
             '{"figure": "a", "body": {"surfaces": [{"name": "floor", "point": [0, 0, 0]}]}}',
             '{"figure": "a", "body": {"loads": {"hand": "5cm"}}}', '{"figure": {"file": "a", "body": {"size": 1}}}'):
    if validator.is_valid(json.loads(text)):
        print("the schema accepts", text)
        failed = 1
sys.exit(failed)
TEXT
    checked=$((checked + 1))
    python3 schema.py >schema.txt 2>&1 || wrong "the schema and the problems disagree" schema.txt
fi
finish
