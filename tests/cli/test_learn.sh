#!/bin/sh
# limber learn: a habit from a motion, the same bytes each time; --habit uses it.
set -eu
limber=${LIMBER:-limber}
here=$LIMBER_SOURCE_DIR

fail() {
    echo "WRONG: $*"
    exit 1
}

"$limber" play "$here/examples/reach_over_time.json" -o src.bvh --fps 20 -q
"$limber" retarget src.bvh --to human -o src.csv --no-feet --unit 1cm -q || [ $? -eq 5 ]
"$limber" learn src.bvh --unit 1cm --starts 3 -o a.habit --source 'a "reach"' --credit nobody >said.txt
grep -q '1 of 1 clips' said.txt || fail "$(cat said.txt)"
grep -q '^features 44$' a.habit || fail "44 features were expected"
grep -q '^source "a \\"reach\\""$' a.habit || fail "the source is not in the file"
"$limber" learn src.bvh --unit 1cm --starts 3 -o b.habit --source 'a "reach"' --credit nobody -q
cmp a.habit b.habit || fail "the same clip gives another file"
mkdir -p clips
cp src.bvh clips/
"$limber" learn clips --unit 1cm --starts 3 -o c.habit --source 'a "reach"' --credit nobody -q
cmp a.habit c.habit || fail "a folder of the clip gives another file"
"$limber" learn src.csv --starts 0 -o d.habit -q || fail "a table is not read"
grep -q '^starts 0$' d.habit || fail "no starts were asked for"

# Mirrored: what is left and what is right is the same.
for name in elbow knee shoulder.elevation hip.flexion; do
    right=$(sed -n "s/^variable right_$name //p" a.habit)
    left=$(sed -n "s/^variable left_$name //p" a.habit)
    if [ -z "$right" ] || [ "$right" != "$left" ]; then
        fail "$name: right $right, left $left"
    fi
done
for name in spine.axial neck.twist neck.lateral; do
    [ "$(sed -n "s/^variable $name //p" a.habit)" = 0 ] || fail "$name has a side"
done

"$limber" solve human --goal 'right_palm at 0.4,-0.2,1.2' --habit a.habit --json >with.json
"$limber" solve human --goal 'right_palm at 0.4,-0.2,1.2' --habit none --json >without.json
grep -q '"status": "solved"' with.json || fail "not solved with a habit"
grep -q '"habit": 0[,}]' without.json || fail "--habit none has a habit"
! grep -q '"habit": 0[,}]' with.json || fail "--habit has none"
"$limber" solve human --goal 'right_palm at 0.4,-0.2,1.2' --habit human=0.5 -q >/dev/null || fail "human.habit"

refused() {
    code=$1
    text=$2
    shift 2
    if "$limber" "$@" >out.txt 2>&1; then
        fail "$* was taken"
    else
        [ $? -eq "$code" ] || fail "$*: another exit code than $code"
    fi
    grep -q -- "$text" out.txt || fail "$*: $(cat out.txt)"
}
refused 2 'needs .-o OUT' learn src.bvh
refused 2 'a number from 0 to 64' learn src.bvh -o x.habit --starts 65
refused 1 'there is no habit' solve human --goal 'right_palm at 0.4,-0.2,1.2' --habit no-such
refused 2 'its own weight' solve human --goal 'right_palm at 0.4,-0.2,1.2' --habit human --body habit=2
refused 1 'has no body' learn src.bvh --figure panda -o x.habit
sed 's/right_elbow/right_elbo/' a.habit >bad.habit
refused 1 'bad.habit:.*right_elbo' solve human --goal 'right_palm at 0.4,-0.2,1.2' --habit bad.habit
