#!/bin/sh
# What a path names that is no file - a pipe, a folder, a device - is refused at once, given or named by a file; what a
# shell hands over (standard input, <(...)) is read. Without a reader at the other end a pipe would be waited for: the
# limit of an hour is against hanging only.
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

# refused FILE TEXT...: limber info ends with an error that holds each text.
refused() {
    file=$1
    shift
    checked=$((checked + 1))
    code=0
    timeout 3600 "$LIMBER" info "$file" >out.txt 2>err.txt </dev/null || code=$?
    [ "$code" = 1 ] || wrong "limber info $file ended with $code instead of 1" err.txt
    has err.txt "$@"
}

command -v mkfifo >/dev/null || { echo "skipped: there is no mkfifo"; exit 77; }
command -v timeout >/dev/null || { echo "skipped: there is no timeout"; exit 77; }
model="$LIMBER_SOURCE_DIR/models/ur5.fig"
mkfifo pipe.fig pipe.bin pipe.xml pipe.scefo pipe.glb
mkdir folder.fig

# given
refused pipe.fig "pipe.fig: is a pipe, not a file"
refused pipe.glb "is a pipe, not a file"
refused pipe.xml "is a pipe, not a file"
refused folder.fig "is a folder"
refused /dev/zero "is a device, not a file"

# named by a file
for name in pipe.bin folder.fig; do
    sed "s/NAME/$name/" >buffer.gltf <<'TEXT'
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
 "nodes": [{"name": "a", "children": [1]}, {"name": "b"}], "skins": [{"joints": [0, 1]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
    {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"}],
 "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 32}],
 "buffers": [{"uri": "NAME", "byteLength": 40}],
 "animations": [{"samplers": [{"input": 0, "output": 1}],
    "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}]}
TEXT
    case $name in pipe.bin) refused buffer.gltf "\"$name\" is a pipe, not a file" ;; *) refused buffer.gltf "is a folder" ;; esac
done
echo '<mujoco><include file="pipe.xml"/><worldbody><body name="a"/></worldbody></mujoco>' >include.xml
refused include.xml "pipe.xml" "a pipe or a device"
for name in pipe.fig folder.fig /dev/zero; do
    echo "{\"figure\": \"$name\", \"constraints\": []}" >problem.json
    checked=$((checked + 1))
    code=0
    timeout 3600 "$LIMBER" solve problem.json >out.txt 2>err.txt </dev/null || code=$?
    [ "$code" = 1 ] || wrong "a problem's figure $name: $code instead of 1" err.txt
    has err.txt "pipes and devices"
done
echo '#include "pipe.scefo"' >include.scefo
checked=$((checked + 1))
code=0
timeout 3600 "$LIMBER" play include.scefo -o out.bvh >out.txt 2>err.txt </dev/null || code=$?
[ "$code" = 1 ] || wrong "a script's include: $code instead of 1" err.txt
has err.txt "is a pipe, not a file"

# handed over
piped 0 "$model" info -
if [ -e /dev/stdin ]; then
    checked=$((checked + 1))
    # shellcheck disable=SC2002 # a pipe is what is tried
    cat "$model" | "$LIMBER" info /dev/stdin >out.txt 2>err.txt || wrong "a pipe as /dev/stdin is not read" err.txt
    has out.txt "ur5"
    if command -v bash >/dev/null; then
        checked=$((checked + 1))
        # shellcheck disable=SC2016 # bash expands them
        MODEL=$model bash -c '"$LIMBER" info <(cat "$MODEL")' >out.txt 2>err.txt || wrong "<(...) is not read" err.txt
        has out.txt "ur5"
    fi
fi
finish
