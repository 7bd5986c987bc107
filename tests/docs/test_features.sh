#!/bin/sh
# What docs/features.md and the other documents say shows a capability is there: every test that they name, every command of limber and of
# ./dev with its options. Commands of docs/features.md whose files are in the tree are run, and end well or short of a goal (4).
set -eu
work="$LIMBER_SCRATCH/work"
rm -rf "$work"
mkdir -p "$work"
cd "$work"
for folder in models problems examples; do
    ln -s "$LIMBER_SOURCE_DIR/$folder" "$folder"
done
code=0
# wrong WHAT: says so, and goes on.
wrong() {
    echo "FAILED: $1"
    code=1
}

# Tests: `kind.name`, as ctest has them; kind is a folder of tests/, or fuzz.
kinds=$(cd "$LIMBER_SOURCE_DIR/tests" && find . -mindepth 1 -maxdepth 1 -type d | sed 's|^\./||' | paste -s -d '|' -)
grep -ohE "\`($kinds|fuzz)\\.[a-z0-9_]+\`" "$LIMBER_SOURCE_DIR"/docs/*.md "$LIMBER_SOURCE_DIR"/*.md | tr -d '`' | sort -u >tests
[ "$(wc -l <tests)" -gt 200 ] || wrong "only $(wc -l <tests) names of tests were found"
ctest --test-dir "$LIMBER_BUILD_DIR" -N | sed -n 's/^ *Test *#[0-9]*: //p' >known
while read -r name; do
    case $name in
    *.md | *.h) ;; # documents and headers: docs.links looks after those
    *) grep -qxF "$name" known || wrong "there is no test $name" ;;
    esac
done <tests

# Commands of the program, with their options.
"$LIMBER" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' >commands
while read -r command; do
    "$LIMBER" "$command" --help >"help-$command"
done <commands
# shellcheck disable=SC2016 # backticks of Markdown
grep -ohE '`limber [a-z]+[^`]*`' "$LIMBER_SOURCE_DIR"/docs/features.md "$LIMBER_SOURCE_DIR"/docs/quality.md | tr -d '`' | sort -u >lines
while read -r line; do
    # shellcheck disable=SC2086 # words
    set -f -- $line
    grep -qx "$2" commands || {
        wrong "limber has no command '$2': $line"
        continue
    }
    for option in $(printf '%s\n' "$line" | grep -oE -- '(^| )--[a-z-]+' || true); do
        grep -qE -- "(^| )$option( |$)" "help-$2" || wrong "limber $2 has no option $option: $line"
    done
done <lines
set +f

# Those that can be run here are run.
"$LIMBER" models | awk '{ print $1 }' >names
ran=0
# shellcheck disable=SC2016 # backticks of Markdown
grep -ohE '`limber [a-z]+ [^`]*`' "$LIMBER_SOURCE_DIR"/docs/features.md | tr -d '`' | sort -u >lines
while read -r line; do
    case $line in
    *FOLDER* | *FILE* | *.json*.json* | *world.json* | "limber studio"* | "limber compare"*) continue ;;
    esac
    input=$(printf '%s\n' "$line" | cut -d ' ' -f 3)
    [ -e "$input" ] || grep -qxF -e "$input" names || continue
    [ "${line#*.png}" = "$line" ] || line="$line --size 160x120"
    status=0
    sh -c "\"$LIMBER\" ${line#limber }" >output 2>&1 </dev/null || status=$?
    ran=$((ran + 1))
    [ "$status" = 0 ] || [ "$status" = 4 ] || {
        wrong "exit code $status: $line"
        head -n 3 output
    }
done <lines
[ "$ran" -ge 20 ] || wrong "only $ran commands could be run"
echo "$(wc -l <tests) tests, $ran commands run"

# Commands of ./dev.
"$LIMBER_SOURCE_DIR/dev" help >dev-help
grep -ohE '`\./dev [a-z]+' "$LIMBER_SOURCE_DIR"/docs/*.md "$LIMBER_SOURCE_DIR"/*.md | sort -u | while read -r line; do
    grep -qE "^  ${line#*dev } " dev-help || echo "FAILED: ./dev has no command '${line#*dev }'"
done >dev-wrong
cat dev-wrong
[ ! -s dev-wrong ] || code=1
exit $code
