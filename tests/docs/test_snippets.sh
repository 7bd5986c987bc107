#!/bin/sh
# Every snippet in README.md and docs/ that can be run is run, in a scratch folder that has the models:
#   ```sh   blocks that begin with `limber` or `./dev limber`: every command must succeed
#   ```c    blocks with `int main`: must compile without a warning, link and return 0
#   ```fig  blocks that begin with `figure` and leave nothing out (no `...`): must be read
# Other blocks are left alone.
set -eu
work="$LIMBER_SCRATCH/work"
rm -rf "$work"
mkdir -p "$work/bin" "$work/blocks"
cd "$work"
for folder in models examples; do
    [ ! -d "$LIMBER_SOURCE_DIR/$folder" ] || cp -R "$LIMBER_SOURCE_DIR/$folder" .
done
ln -s "$LIMBER" bin/limber
# ./dev, as far as the snippets need it: the program is built already.
cat >dev <<'TEXT'
#!/bin/sh
[ "$1" = limber ] || { echo "snippets may only use ./dev limber" >&2; exit 1; }
shift
exec limber "$@"
TEXT
chmod +x dev
PATH="$work/bin:$PATH"
export PATH

# Each fenced block into a file of its own, named by document, line and language.
for document in "$LIMBER_SOURCE_DIR"/README.md "$LIMBER_SOURCE_DIR"/docs/*.md; do
    [ -f "$document" ] || continue
    awk -v name="$(basename "$document" .md)" '
        !inside && /^ *```[a-z]+/ { sub(/^ *```/, ""); file = "blocks/" name "-" NR "." $1; inside = 1; next }
        !inside && /^ *```/ { file = ""; inside = 1; next }
        inside && /^ *```/ { inside = 0; if (file) close(file); next }
        inside && file { print > file }' "$document"
done

ran=0
code=0
# try FILE COMMAND...: counts it, and shows the snippet where it fails.
try() {
    block=$1
    shift
    ran=$((ran + 1))
    if "$@" >output.txt 2>&1 </dev/null; then
        echo "ok $(basename "$block")"
    else
        code=1
        echo "FAILED $(basename "$block") (document, line and language):"
        cat "$block" output.txt
    fi
}

# shellcheck disable=SC2317 # called by try
compile_and_run() {
    libs=$(pkg-config --libs expat cairo)
    # shellcheck disable=SC2086 # a list of words
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I "$LIMBER_SOURCE_DIR/include" -o snippet "$1" \
        "$LIMBER_BUILD_DIR/liblimber_io.a" "$LIMBER_BUILD_DIR/liblimber.a" $libs -lm && ./snippet
}

for block in blocks/*.sh; do
    [ -f "$block" ] || continue
    case $(head -n 1 "$block") in
    "limber "* | "./dev limber "*) try "$block" sh -eu "$block" ;;
    esac
done
for block in blocks/*.c; do
    [ ! -f "$block" ] || ! grep -q 'int main' "$block" || try "$block" compile_and_run "$block"
done
for block in blocks/*.fig; do
    [ -f "$block" ] || continue
    case $(grep -v '^ *\(#.*\|//.*\)*$' "$block" | head -n 1) in
    figure*) grep -qF '...' "$block" || try "$block" limber info "$block" ;;
    esac
done

echo "$ran snippets run"
if [ "$ran" = 0 ]; then
    echo "there was nothing to run: README.md and docs/ hold no snippet that could go stale"
    exit 1
fi
exit $code
