#!/bin/sh
# limber retarget: one figure's motion for another.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"
human="$LIMBER_SOURCE_DIR/models/human.fig"

run 0 play "$LIMBER_SOURCE_DIR/examples/reach_over_time.json" -o src.bvh --fps 10
run 0 retarget src.bvh --to "$human" -o out.bvh
has out.txt '31 frames, 3 s, 10 a second: out.bvh' 'limits hold' 'contacts) slide at most 0 mm a frame'
has out.bvh 'JOINT right_shank' 'Frames: 31' 'Frame Time: 0.1'
run 0 retarget src.bvh --to "$human" -o out.csv --quiet
is_empty out.txt
has out.csv 'time,root.x,root.y,root.z' 'right_elbow'
checked=$((checked + 1))
[ "$(wc -l <out.csv)" = 32 ] || wrong "there should be a heading and 31 rows" out.csv
checked=$((checked + 1))
[ "$(tail -n +2 out.csv | cut -d, -f2- | sort -u | wc -l)" -gt 20 ] || wrong "nothing moves" out.csv
run 0 retarget src.bvh --to "$human" -o out.glb
run 0 info out.glb
has out.txt '31 frames'

# Names that lie: arms are called legs. What comes out is measured, and doubtful.
sed 's/_thigh/_A/; s/_shank/_B/; s/_foot$/_C/; s/_upper_arm/_thigh/; s/_forearm/_shank/; s/_hand$/_foot/; s/_A$/_upper_arm/; s/_B$/_forearm/; s/_C$/_hand/' \
    src.bvh >lies.bvh
run 5 retarget lies.bvh --to "$human" -o lies.csv
has err.txt 'warning: ' '(bound: '
has out.txt 'deg off on average' 'of values at a limit'
rm lies.bvh lies.csv

# A pose to begin with is no part of the motion.
awk '/^Frames:/ { $2 = $2 + 1 } { print } /^Frame Time/ { getline; n = split($0, v); for (i = 1; i <= n; i++) printf("%s ", (i > 6 ? 45 : v[i])); print ""; print }' \
    src.bvh >begins.bvh
run 0 retarget begins.bvh --to "$human" -o begins.csv
has err.txt 'the first frame is a pose to begin with'
has out.txt '31 frames'
run 0 retarget begins.bvh --to "$human" -o begins.csv --until 1 --fps 5
lacks out.txt ' 7 frames'
rm begins.bvh begins.csv

# Other times; feet that are not held are not spoken of.
run 0 retarget src.bvh --to human -o part.csv --fps 5 --from 0.5 --until 1.5 --no-feet
has out.txt '6 frames, 1 s, 5 a second: part.csv' 'limits hold'
lacks out.txt 'feet that stand'

# Names that do not tell: said by --map.
sed 's/JOINT left_shank/JOINT alpha/' src.bvh >named.bvh
run 1 retarget named.bvh --to "$human" -o bad.bvh
has err.txt 'the source has no' '--map A=B'
run 0 retarget named.bvh --to "$human" -o mapped.csv --map alpha=left_shank
checked=$((checked + 1))
cmp -s mapped.csv out.csv || wrong "a bone named by --map should be as one that is known"
# A file says the same, and one to start from is written.
run 0 retarget named.bvh --to "$human" -o mapped.csv --map alpha=left_shank --save-map bones.map
has bones.map 'left_shank = alpha = left_shank' 'pelvis = pelvis = pelvis' '# other bones of named.bvh: vertebra_'
run 0 retarget named.bvh --to "$human" -o filed.csv --map bones.map
checked=$((checked + 1))
cmp -s mapped.csv filed.csv || wrong "a file of --map should be as what it was written from"
sed 's/left_toes = .*/left_toes = - = -/' bones.map >fewer.map
run 0 retarget named.bvh --to "$human" -o filed.csv --map fewer.map
checked=$((checked + 1))
! cmp -s mapped.csv filed.csv || wrong "toes that are not mapped should not be as those that are"
echo 'left_shin = alpha = left_shank' >bad.map
run 2 retarget named.bvh --to "$human" -o bad.csv --map bad.map
has err.txt 'there is no part' 'left_shank'
echo 'alpha' >bad.map
run 1 retarget named.bvh --to "$human" -o bad.csv --map bad.map
has err.txt 'bad.map:1' 'part = A = B'
rm out.bvh out.csv out.glb part.csv named.bvh mapped.csv filed.csv bones.map fewer.map bad.map

# A character: its animation is called as the motion's file is, once more with a number; a human's limits where they are asked
# for, as variables that swing and twist; in a problem, beside the figure.
run 0 convert src.bvh who.glb
run 0 retarget src.bvh --to who.glb -o one.glb
run 0 retarget src.bvh --to one.glb -o two.glb --until 1
run 0 info two.glb
has out.txt ' src' ' src_2'
run 0 play two.glb --animation src_2 -o two.csv
has out.txt '11 frames'
run 0 retarget src.bvh --to who.glb -o free.csv --limits file
lacks free.csv '.swy'
run 0 retarget src.bvh --to who.glb -o human.csv --limits anatomical
has human.csv 'left_shank.swy'
run 0 retarget src.bvh --to who.glb -o named.csv --anatomical
checked=$((checked + 1))
cmp -s human.csv named.csv || wrong "--anatomical should be --limits anatomical"
run 2 retarget src.bvh --to who.glb -o bad.csv --limits tight
has err.txt 'tight'
for limits in file anatomical; do
    cat >who.json <<TEXT
{"figure": "who.glb", "limits": "$limits", "constraints": [
  {"effector": "right_hand", "goal": {"kind": "position", "point": [0.3, -0.2, 0.9]}}]}
TEXT
    run 0 solve who.json -o who_$limits.json
done
lacks who_file.json '.swy'
has who_anatomical.json 'left_shank.swy'
sed -i.old 's/"anatomical"/"tight"/' who.json
run 1 solve who.json
has err.txt 'who.json:1' 'there are no limits `tight`'
rm who.glb one.glb two.glb two.csv free.csv human.csv named.csv who.json who.json.old who_file.json who_anatomical.json

# Wrong: said, and nothing appears.
run 2 retarget src.bvh --to "$human"
has err.txt 'where does the motion go'
run 2 retarget src.bvh -o bad.bvh
has err.txt 'who is to move'
run 2 retarget src.bvh --to "$human" -o bad.xyz
has err.txt 'does not tell what to write'
run 2 retarget src.bvh --to "$human" -o bad.bvh --map left_shnk=left_shank
has err.txt 'src.bvh has no bone' 'did you mean'
run 2 retarget src.bvh --to "$human" -o bad.bvh --map left_shank=left_shnk
has err.txt 'human.fig has no bone'
run 2 retarget src.bvh --to "$human" -o bad.bvh --map left_shank
has err.txt 'neither A=B nor a file'
run 2 retarget src.bvh --to "$human" -o bad.bvh --from 2 --until 1
has err.txt 'comes before'
run 2 retarget src.bvh --to "$human" -o bad.bvh --fps 0
run 1 retarget src.bvh --to "$LIMBER_SOURCE_DIR/models/panda.fig" -o bad.bvh
has err.txt 'no humanoid is seen in the figure: two legs'
run 1 retarget "$human" --to "$human" -o bad.bvh
has err.txt 'has no motion'
# Pictures of the frames, all from one place.
run 0 retarget src.bvh --to "$human" -o drawn/%02d.svg --fps 2 --until 1 --size 120x90 --camera 40,10
has drawn/00.svg '<svg' 'width="120'
has drawn/02.svg '<svg'
checked=$((checked + 1))
! cmp -s drawn/00.svg drawn/02.svg || wrong "pictures of a motion do not move"
rm -r drawn
run 2 retarget src.bvh --to "$human" -o still.png
has err.txt 'still.png` would be written over and over'
run 2 retarget src.bvh --to "$human" -o '%02d.png' --size huge
run 3 retarget src.bvh --to "$human" -o nowhere/bad.bvh
only src.bvh out.txt err.txt
finish
