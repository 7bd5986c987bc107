#!/bin/sh
# What the manual says that goes wrong goes wrong so: every ```console block of docs/ is run, in a scratch folder with the models. A line that
# begins with "$ " is a command; the lines behind it must be lines of what it writes. Every guide has a section "What can go wrong".
set -eu
work="$LIMBER_SCRATCH/work"
rm -rf "$work"
mkdir -p "$work/bin"
cd "$work"
for folder in models problems; do
    ln -s "$LIMBER_SOURCE_DIR/$folder" "$folder"
done
ln -s "$LIMBER" bin/limber
PATH="$work/bin:$PATH"
export PATH
code=0
for guide in batches body bvh closed cluster collisions command-line fig gltf goals habit maps mjcf motion paths problem-files python reach render robots \
    retarget scefo servo studio tutorial urdf web; do
    grep -q '^## What can go wrong' "$LIMBER_SOURCE_DIR/docs/$guide.md" || {
        echo "FAILED: docs/$guide.md has no section \"What can go wrong\""
        code=1
    }
done
awk '/^```console$/ { inside = 1; next } /^```/ { inside = 0 } inside { print FILENAME ":" FNR "\t" $0 }' "$LIMBER_SOURCE_DIR"/docs/*.md >lines
tab=$(printf '\t')
count=0
: >output
while IFS="$tab" read -r place line; do
    case $line in
    '$ '*)
        sh -c "${line#\$ }" >output 2>&1 </dev/null || true # most of them fail
        count=$((count + 1))
        ;;
    *)
        grep -qxF -- "$line" output || {
            echo "FAILED: $place says:"
            echo "  $line"
            echo "but the command before it wrote:"
            head -n 5 output
            code=1
        }
        ;;
    esac
done <lines
[ "$count" -ge 30 ] || {
    echo "FAILED: only $count commands were found"
    code=1
}
echo "$count commands"
exit $code
