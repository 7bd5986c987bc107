#!/bin/sh
# limber convert: there and back, standard input and output, and nothing half-written.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

sample sample.fig
run 0 convert sample.fig again.fig
run 0 convert again.fig twice.fig
checked=$((checked + 1))
cmp -s again.fig twice.fig || wrong "writing what was written changes it"

run 0 convert sample.fig sample.urdf
has sample.urdf '<robot' '<mimic'
has err.txt 'limber: ' 'left out'
run 0 convert sample.urdf back.fig
run 0 info back.fig
has out.txt 'elbow' '0 .. 142 deg'
run 0 convert sample.fig sample.bvh --unit 1mm
has sample.bvh 'HIERARCHY'
run 0 convert sample.bvh bvh.fig --unit 1mm
run 0 convert sample.fig sample.glb
run 0 convert sample.glb copy.glb
checked=$((checked + 1))
cmp -s sample.glb copy.glb || wrong "a glTF file that nothing happens to should be the same"
run 0 convert sample.glb posed.glb --pose arm.vy=30deg
checked=$((checked + 1))
! cmp -s sample.glb posed.glb || wrong "the pose should be in the file"
run 0 info posed.glb
has out.txt 'arm' 'hand'
# From a GLB to a .gltf and back: the same bytes; a pose may be put in on the way.
run 0 convert sample.glb text.gltf
has text.gltf 'data:application/octet-stream;base64,'
run 0 convert text.gltf again.glb
checked=$((checked + 1))
cmp -s sample.glb again.glb || wrong "a GLB should be the same after a .gltf"
run 0 convert sample.glb text.gltf --pose hand.vx=-1
run 0 convert text.gltf again.glb
run 0 convert sample.glb posed2.glb --pose hand.vx=-1
checked=$((checked + 1))
cmp -s posed2.glb again.glb || wrong "a pose should be the same in either form"
rm text.gltf again.glb posed2.glb
run 0 convert sample.fig sample.gltf
run 0 convert sample.gltf posed.gltf --pose hand.vx=-1
has posed.gltf '"rotation":'
run 0 convert sample.glb out.fig --pose arm.vy=30deg
has out.fig 'rest {' 'arm.vy = 29.99'
rm out.fig sample.glb copy.glb posed.glb sample.gltf posed.gltf
piped 0 sample.fig convert - - --to urdf
has out.txt '<robot'
piped 0 sample.fig convert - -
has out.txt 'figure'
piped 0 sample.urdf convert - - --from urdf
has out.txt 'figure'
run 0 convert sample.fig small.fig --stature 0.5m
run 0 info small.fig
has out.txt 'stature 0.5 m'
rm -f back.fig bvh.fig small.fig sample.bvh twice.fig

# Motion goes with the skeleton where the new format has it.
cat >nod.bvh <<'TEXT'
HIERARCHY ROOT head { OFFSET 0 0 0 CHANNELS 1 Xrotation End Site { OFFSET 0 10 0 } }
MOTION Frames: 3 Frame Time: 0.25 10 20 15
TEXT
run 0 info nod.bvh
has out.txt 'Motion' '3 frames, 0.5 s, 4 a second'
run 0 convert nod.bvh again.bvh
has again.bvh 'Frames: 3' 'Frame Time: 0.25' '20'
run 0 convert nod.bvh nod.fig
has err.txt 'the motion is left out'
rm -f nod.bvh again.bvh nod.fig

# Wrong: nothing appears, and what was there stays.
run 2 convert sample.fig
has err.txt 'needs IN OUT'
run 2 convert sample.fig out.xyz
has err.txt 'does not tell what to write'
run 2 convert sample.fig out.mjcf
has err.txt 'MJCF is read but not written'
run 2 convert sample.fig out.fig --to fgi
run 2 convert sample.fig out.bvh --unit wide
run 2 convert sample.fig out.fig third.fig
has err.txt 'one word too many'
run 1 convert missing.fig out.fig
printf 'figure f {\n' >bad.fig
run 1 convert bad.fig again.fig
run 3 convert sample.fig nowhere/out.fig
has err.txt 'limber: nowhere/out.fig: '
mkdir folder.fig
run 3 convert sample.fig folder.fig
rmdir folder.fig
only again.fig bad.fig err.txt out.txt sample.fig sample.urdf
run 0 info again.fig
finish
