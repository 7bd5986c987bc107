#!/bin/sh
# Where outputs go: what is written is what the name's ending says, a figure's own file gets the pose, no file that is read is
# written over without --force, no two outputs meet in one file, and nothing is left half-written.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

same() {
    checked=$((checked + 1))
    cmp -s "$1" "$2" || wrong "$1 and $2 should be the same"
}
differ() {
    checked=$((checked + 1))
    ! cmp -s "$1" "$2" || wrong "$1 and $2 should differ"
}
# reached FILE GOAL: FILE shows, in its rest pose, what was asked: a solve that may move nothing says that the goal is met.
reached() {
    run 0 solve "$1" --plain --inactive '*' -g "$2"
    has out.txt 'solved'
}

sample sample.fig
sed 's/^figure/# mine\nfigure/' sample.fig >mine.fig
cp mine.fig kept.fig
run 0 convert mine.fig mine.glb
run 0 convert mine.fig mine.urdf
run 0 convert mine.fig mine.bvh
for ending in fig glb urdf bvh; do
    cp "mine.$ending" "kept.$ending"
done
goal='segment arm z-along 0.5,0,0.8660254037844386 within 0.001'

# --- What a name's ending says ---------------------------------------------------------------------------------------------
for ending in fig glb gltf urdf; do
    run 0 solve mine.fig --plain -g "$goal" -o "posed.$ending"
    reached "posed.$ending" "$goal"
done
for ending in fig glb urdf; do
    run 0 solve "mine.$ending" --plain -g "$goal" -o "copy.$ending"
    reached "copy.$ending" "$goal"
    same "mine.$ending" "kept.$ending"
    differ "mine.$ending" "copy.$ending"
done
# A BVH file's pose is a frame: its rest pose is the skeleton's.
run 0 solve mine.fig --plain -g "$goal" -o posed.bvh
has posed.bvh 'Frames: 1'
run 0 solve mine.bvh --plain -g "$goal" -o copy.bvh
run 0 solve mine.bvh --plain -g "$goal" -o copy.csv
run 0 play copy.bvh -o frame.csv
checked=$((checked + 1))
awk -F, 'NR == FNR { if (FNR > 1) value[$1] = $2; next }
    FNR == 1 { for (k = 2; k <= NF; k++) name[k] = $k; next }
    { for (k = 2; k <= NF; k++) { d = $k - value[name[k]]; far += d * d; largest = $k > largest ? $k : $k < -largest ? -$k : largest } }
    END { exit !(far < 1e-10 && largest > 0.1) }' copy.csv frame.csv || wrong "the frame is not the pose" frame.csv
head -c 4 copy.glb >magic
has magic 'glTF'
# All but the pose stays as it was, comments, too; a second pose takes the place of the first.
has copy.fig '# mine' 'rest {' 'limit both: elbow'
has copy.urdf '<ros2_control name="limber_pose" type="system">' 'initial_value'
grep -vxF -f mine.fig copy.fig >out.txt || true
checked=$((checked + 1))
[ "$(wc -l <out.txt)" = 5 ] || wrong "copy.fig should differ from mine.fig by the statement alone" out.txt
for ending in fig urdf; do
    run 0 solve "copy.$ending" --plain -g "$goal" -o "again.$ending"
    same "copy.$ending" "again.$ending"
done
# So do JSON, CSV and pictures; - is standard output, and so is a pipe that has a name.
run 0 solve mine.fig --plain -g "$goal" -o result.json
has result.json '"status"' '"pose"'
run 0 solve mine.fig --plain -g "$goal" -o values.csv
has values.csv 'name,value,unit' 'elbow'
run 0 solve mine.fig --plain -g "$goal" -o picture.svg
has picture.svg '<svg'
run 0 solve mine.fig --plain -g "$goal" -o picture.PNG
head -c 8 picture.PNG >magic
has magic 'PNG'
run 0 solve mine.fig --plain -g "$goal" -o -
has out.txt '"status"'
run 0 solve mine.fig --plain -g "$goal" -o /dev/stdout
has out.txt '"status"'
run 0 convert mine.fig /dev/stdout
has out.txt 'figure sample'
# A pose may be told as well, and goes into the file itself.
run 0 convert mine.fig told.fig --pose elbow=90deg
has told.fig '# mine' 'elbow = 90deg;'
run 0 convert mine.urdf told.urdf --pose elbow=90deg
has told.urdf 'initial_value">1.57'

# --- Unknown endings -------------------------------------------------------------------------------------------------------
run 2 solve mine.fig --plain -g "$goal" -o result
has err.txt '`-o result` does not tell what to write' '.json, .csv, .png, .svg, .pdf, .fig, .urdf, .bvh, .glb, .gltf or .vrm'
run 2 solve mine.fig --plain -g "$goal" -o result.txt
run 2 solve mine.fig --plain -g "$goal" -o result.xml
has err.txt 'MJCF is read but not written'
run 2 solve mine.fig --plain -g "$goal" --answers 2 -o posed.glb
has err.txt 'this is not written here; end it in .json, .csv, .png, .svg or .pdf'
run 2 solve mine.fig --plain -g "$goal" --save problem.txt
run 2 solve mine.fig --plain -g "$goal" --trace trace.json
run 2 solve mine.fig --plain -g "$goal" --png picture.json
run 2 solve mine.fig --plain -g "$goal" --stature 2m -o posed.glb
has err.txt '--stature'
run 2 convert mine.fig other.json
has err.txt '.fig, .urdf, .bvh, .glb, .gltf or .vrm'
run 2 render mine.fig -o picture.glb
run 2 play mine.bvh -o arm.fig
has err.txt '.csv, .png, .svg, .pdf, .bvh, .glb, .gltf or .vrm'
run 2 path ur5 --line 0.4,-0.3,0.3 0.4,0.3,0.3 -o path.json
has err.txt '.csv'
run 2 learn mine.bvh -o habit.txt
has err.txt '.habit'
run 2 batch mine.fig -g "$goal" --table values.csv -o out.json
run 2 batch merge -o out.h5.txt values.csv
run 2 retarget mine.bvh --to human -o out.fig
run 1 solve mine.fig --plain -g "$goal" -o new.vrm
has err.txt 'a VRM is written as a copy of one alone'
checked=$((checked + 1))
[ ! -e new.vrm ] || wrong "nothing should have been written"

# --- Files that are read ---------------------------------------------------------------------------------------------------
ln -s mine.glb link.glb
ln mine.glb hard.glb
mkdir sub
untouched() {
    has err.txt 'is one of the files that are read here' '--force'
    for kept in fig glb urdf bvh; do
        same "mine.$kept" "kept.$kept"
    done
}
for name in mine.glb ./mine.glb sub/../mine.glb "$PWD/mine.glb" link.glb hard.glb; do
    run 3 solve mine.glb --plain -g "$goal" -o "$name"
    untouched
done
run 3 solve link.glb --plain -g "$goal" -o mine.glb
untouched
for ending in fig urdf bvh; do
    run 3 solve "mine.$ending" --plain -g "$goal" -o "mine.$ending"
    untouched
done
run 3 convert mine.fig mine.fig --stature 50cm
untouched
run 3 convert mine.fig ./mine.fig --pose elbow=20deg
untouched
run 3 play mine.bvh -o mine.bvh
untouched
run 0 solve mine.fig --plain -g "$goal" --save problem.json
cp problem.json kept.json
run 3 solve problem.json -o problem.json
same problem.json kept.json
run 3 solve problem.json -o mine.fig # which the problem names
untouched
run 0 render mine.fig -o world.svg
printf 'x,y,z\n0.1,0,0.4\n' >targets.csv
cp targets.csv kept.csv
run 3 solve mine.fig --plain -g 'hand.tip at 0,0,0.6' --batch targets.csv -o targets.csv
same targets.csv kept.csv
printf 'x,y,z\n0.4,-0.3,0.3\n0.4,0.3,0.3\n' >points.csv
cp points.csv kept.csv
run 3 path ur5 --points points.csv -o points.csv
same points.csv kept.csv
# What a file names: the buffer of a .gltf, and its pictures, which are not even read.
cat >scene.gltf <<'JSON'
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"name":"base","children":[1]},{"name":"arm","translation":[0,1,0],"children":[2]},
{"name":"hand","translation":[0,1,0],"children":[3]},{"name":"tip","translation":[0,1,0],"mesh":0}],
"buffers":[{"uri":"scene.csv","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"images":[{"uri":"skin.png"}]}
JSON
head -c 36 /dev/zero >scene.csv
cp picture.PNG skin.png
cp skin.png kept.png
run 3 render scene.gltf -o skin.png
same skin.png kept.png
run 3 solve scene.gltf --plain -g 'segment tip at 0.5,0,2' -o scene.csv
run 3 solve scene.gltf --plain -g 'segment tip at 0.5,0,2' --png skin.png
same skin.png kept.png
checked=$((checked + 1))
[ "$(wc -c <scene.csv)" = 36 ] || wrong "the buffer should be as it was"
# With --force it is done, in every form of the name; a link stays one.
run 0 solve link.glb --plain -g "$goal" -o link.glb --force
differ mine.glb kept.glb
reached mine.glb "$goal"
checked=$((checked + 1))
[ -L link.glb ] || wrong "the link should be one still"
run 0 convert mine.fig mine.fig --pose elbow=20deg --force
has mine.fig 'elbow = 20deg;'

# --- Two outputs -----------------------------------------------------------------------------------------------------------
run 2 solve sample.fig --plain -g "$goal" -o both.json --save ./both.json
has err.txt 'two outputs go to `./both.json`'
run 2 solve sample.fig --plain -g "$goal" -o both.csv --trace both.csv
run 2 solve sample.fig --plain -g "$goal" -o both.png --png sub/../both.png

# Nothing half-written, and no temporary file, is left of any of this.
checked=$((checked + 1))
[ -z "$(find . -name '*.tmp' -o -name 'both*' -o -name 'result' -o -name '*.txt' ! -name out.txt ! -name err.txt)" ] ||
    wrong "something was left: $(ls)"
finish
