#!/bin/sh
# The scoreboard: one's own solver in Python and in C, as the manual shows them; one that lies, refuses, breaks off or babbles is seen through.
set -eu
program="$LIMBER_BUILD_DIR/bench/bench_scoreboard"
[ -x "$program" ] || {
    echo "skipped: the benchmarks are not built here (LIMBER_BENCH)"
    exit 77
}
board="$LIMBER_SOURCE_DIR/bench/board"
out="$LIMBER_SCRATCH/out"
log="$LIMBER_SCRATCH/log"
rm -rf "$out"
mkdir -p "$out"

fail() {
    echo "$*" >&2
    exit 1
}

# score SOLVER: runs it beside Limber on a few goals of the Puma, and puts a line of name=value for each into the file score.
score() {
    PYTHON=/usr/bin/python3 "$program" --count 6 --only puma560 --solver "$1" --out "$out" >"$log" 2>&1 ||
        fail "the scoreboard failed with $1: $(cat "$log")"
    awk -F , 'NR > 1 { print $1 ": robots=" $3 " goals=" $4 " solved=" $5 " false=" $6 " far=" $11 }' "$out/scoreboard.csv" >"$LIMBER_SCRATCH/score"
    grep -q '^Limber: robots=1 goals=6 solved=100.00 false=0 far=0$' "$LIMBER_SCRATCH/score" ||
        fail "Limber is not right on all goals: $(cat "$LIMBER_SCRATCH/score")"
}

expect() {
    grep -q "$1" "$LIMBER_SCRATCH/score" || fail "$2: $(cat "$LIMBER_SCRATCH/score" "$log")"
}

# A solver that needs nothing but Python: what it does with a problem is the text of its body.
solver() {
    cat >"$LIMBER_SCRATCH/$1.py" <<PYTHON
import json, sys
robot = json.loads(sys.stdin.readline())
print(json.dumps($2), flush=True)
for line in sys.stdin:
    problem = json.loads(line)
    $3
PYTHON
}

/usr/bin/python3 -c '' 2>/dev/null || {
    echo "skipped: there is no /usr/bin/python3"
    exit 77
}
solver liar '{"name": "liar"}' 'print(json.dumps({"values": problem["start"], "solved": True, "us": 1}), flush=True)'
score "$LIMBER_SCRATCH/liar.py"
expect '^liar: robots=1 goals=6 solved=0.00 false=6 far=6$' "claims that are not true must be counted"

solver modest '{"name": "modest"}' 'print(json.dumps({"values": problem["start"], "solved": False, "us": 1}), flush=True)'
score "$LIMBER_SCRATCH/modest.py"
expect '^modest: robots=1 goals=6 solved=0.00 false=0 far=0$' "who claims nothing claims nothing false"

solver refusing '{"name": "refusing", "cannot": "it has too many joints"}' 'pass'
score "$LIMBER_SCRATCH/refusing.py"
grep -q 'left out: puma560: it has too many joints' "$log" || fail "the reason is not told: $(cat "$log")"

solver babbling '{"name": "babbling"}' 'print("what?", flush=True)'
score "$LIMBER_SCRATCH/babbling.py"
expect '^babbling: robots=0 goals=0 ' "a line that is no answer ends it"

solver short '{"name": "short"}' 'print(json.dumps({"values": [0], "solved": True, "us": 1}), flush=True)'
score "$LIMBER_SCRATCH/short.py"
grep -q 'with a finite number for each joint' "$log" || fail "an answer with too few values is not named: $(cat "$log")"

solver ending '{"name": "ending"}' 'break'
score "$LIMBER_SCRATCH/ending.py"
grep -q '^ending: it ended' "$log" || fail "that it ended is not said: $(cat "$log")"

# The examples of the manual are these files, and short.
for example in example.py example.c; do
    lines=$(grep -c . "$board/$example")
    [ "$lines" -le 30 ] || fail "$example has $lines lines, not 30"
    if [ -f "$LIMBER_SOURCE_DIR/docs/scoreboard.md" ]; then
        awk -v file="$board/$example" 'BEGIN { while ((getline line < file) > 0) text = text line "\n" }
            { page = page $0 "\n" } END { exit !index(page, text) }' "$LIMBER_SOURCE_DIR/docs/scoreboard.md" ||
            fail "docs/scoreboard.md does not show $example as it is: run ./dev bench robots --with-peers, or mend the page"
    fi
done
"$CC" -O2 -shared -fPIC -I "$LIMBER_SOURCE_DIR/include" -I "$LIMBER_SOURCE_DIR/bench" "$board/example.c" -o "$LIMBER_SCRATCH/mine.so" ||
    fail "example.c does not compile"
score "$LIMBER_SCRATCH/mine.so"
expect '^my solver: robots=1 goals=6 .* false=0 far=0$' "the example in C makes false claims, or does not run"

if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    score "$board/example.py"
    expect '^my solver: robots=1 goals=6 .* false=0 far=0$' "the example in Python makes false claims, or does not run"
    if grep -q '^my solver: .* solved=0.00' "$LIMBER_SCRATCH/score"; then
        fail "the example in Python solves nothing: $(cat "$LIMBER_SCRATCH/score")"
    fi
else
    echo "without NumPy the example in Python was not run"
fi
