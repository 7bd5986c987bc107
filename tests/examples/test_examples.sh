#!/bin/sh
# Every program of examples/ runs, returns 0, and says what it should: not only that it ran, but what it found.
set -eu
[ -n "$LIMBER" ] || exit 77 # without the io layer there are no figures to load
programs="$LIMBER_BUILD_DIR/examples"
cd "$LIMBER_SOURCE_DIR"
code=0
output="$LIMBER_SCRATCH/output.txt"

complain() {
    echo "FAILED $name: $1"
    cat "$output"
    code=1
}

# run NAME: its output is looked at by `says` and `at_most`
run() {
    name=$1
    if "$programs/$name" >"$output" 2>&1 </dev/null; then
        echo "ok $name"
    else
        complain "it returned $?"
    fi
}

# says PATTERN: a basic regular expression that some line matches
says() {
    grep -q -- "$1" "$output" || complain "nothing like: $1"
}

# at_most LIMIT PATTERN: the number that \(...\) of the pattern picks out is there, and not above the limit
at_most() {
    number=$(sed -n "s/.*$2.*/\\1/p" "$output" | head -n 1)
    awk -v n="$number" -v most="$1" 'BEGIN { exit !(n != "" && n + 0 <= most + 0) }' || complain "$2: '$number' is not at most $1"
}

run hello
says '^solved: every constraint is within its tolerance'
at_most 20 '(\([0-9]*\) iterations)'
says 'right elbow at [1-9][0-9.]* deg$'
[ "$(wc -l <examples/hello.c)" -le 25 ] || complain 'it should be at most 25 lines'

# The README shows this very program.
awk '/^```c/ { text = ""; inside = 1; next }
     /^```/ { if (text ~ /The right hand to a cup/) printf "%s", text; text = ""; inside = 0 }
     inside { text = text $0 "\n" }' README.md >"$LIMBER_SCRATCH/readme.c"
cmp -s "$LIMBER_SCRATCH/readme.c" examples/hello.c || complain 'README.md shows another program than examples/hello.c'

run custom_goal
at_most 1e-8 'differences agree to \([-0-9e]*\)'
says '^solved:'
says 'tip at 0.4500 0.2000 0.2455 m, -*0.0000 m above the dish'

run disjunction
says '^both there: right handle, 0.0 cm away. solved'
says '^the right one gone: left handle, 0.0 cm away. solved'
says '^both out of reach: right handle, [1-9][0-9.]* cm away.*right handle [0-9.]* cm short; .*limit.* more would bring it [0-9.]* cm closer'

run priorities
says '^lamp at priority 0: rail missed by [1-9][0-9.]* cm'
says '^lamp at priority 1: rail missed by 0.00 cm, lamp by [1-9][0-9.]* cm'

run tracking
says '^240 frames, 0 not solved'
at_most 0.011 'worst distance \([0-9.]*\) mm'
at_most 5 'fastest joint \([0-9.]*\) deg'

run drag
says '^there, .*; balance [0-9.]* cm inside$'
at_most 0.2 'there, \([0-9.]*\) mm'

run catch
says '^3.5 s: ball at  0.350 -0.350  0.500 m, 0.00 m/s$'
says '^1.0 s: ball at  0.471  0.100  0.100 m, 0.31 m/s$'
at_most 0.02 'the tool was at most \([0-9.]*\) mm'

run pushed
says '^The push took the palms [1-9][0-9]* mm away; after [0-9.]* s they are back'
at_most 0.5 'within \([0-9.]*\) mm'
says '^The centre of mass is [1-9][0-9]* mm inside'

run many_threads
says '^240 of 240 goals solved by 4 threads, 240 by one; the same bits$'

run thousand_reaches
says '^[89][0-9][0-9] of 1000 places can be reached; with one thread: the same bits$'

run several_solutions
says '^5 distinct answers'
[ "$(grep -c 'rad away' "$output")" = 5 ] || complain 'it should list five answers'

# An example that is not looked at above could say anything.
for path in examples/*.c; do
    name=$(basename "$path" .c)
    grep -q "^run $name\$" "$0" || { echo "FAILED $name: tests/examples/test_examples.sh does not run it"; code=1; }
done
exit $code
