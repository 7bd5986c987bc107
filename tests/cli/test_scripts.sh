#!/bin/sh
# The fragments of scripts that BAGS's thesis prints (sections 4.1.1 and 4.4, Appendix A), and a crane that picks up a crate,
# into every kind of output.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

# An arm with the joint left_shoulder of section 4.1.1, and the goal that it reaches for.
cat >fred.scefo <<'TEXT'
#include <joints.scefo>
template (torso) cube; change (torso) scale <0, {0.3, 0.6, 0.2}>, translate <0, {0, 1.6, 0}>;
template (left_upper_arm) cube; change (left_upper_arm) scale <0, {0.05, 0.3, 0.05}>, translate <0, {0.4, 1.7, 0}>;
template (left_lower_arm) cube; change (left_lower_arm) scale <0, {0.05, 0.3, 0.05}>, translate <0, {0.4, 1.1, 0}>;
template (left_hand) cube; change (left_hand) scale <0, {0.05, 0.1, 0.02}>, translate <0, {0.4, 0.7, 0}>;
template (left_elbow) joint;
change (left_elbow) set_field <0, {"joint_type", PIN}>, set_field <0, {"limit_rot_x", {-150, 0}}>,
    set_field <0, {"link1", "left_upper_arm"}>, set_field <0, {"link2", "left_lower_arm"}>, translate <0, {0.4, 1.4, 0}>;
template (left_wrist) joint;
change (left_wrist) set_field <0, {"joint_type", BALL}>,
    set_field <0, {"link1", "left_lower_arm"}>, set_field <0, {"link2", "left_hand"}>, translate <0, {0.4, 0.8, 0}>;
template (left_shoulder) joint;

change (left_shoulder)
    set_field <0, {"joint_type", BALL}>,
    set_field <0, {"link1", "torso"}>,
    set_field <0, {"link2", "left_upper_arm"}>;
change (left_shoulder) translate <0, {0.4, 2.0, 0}>;
template (fred) linkage;
change (fred) set_field <0, {"add_joint", "left_shoulder"}>, set_field <0, {"add_joint", "left_elbow"}>,
    set_field <0, {"add_joint", "left_wrist"}>, set_field <0, {"root", "torso"}>;
template (goal) sphere; change (goal) scale <0, {0.05, 0.05, 0.05}>, translate <0, {0.7, 1.6, 0.6}>;
template (ball) sphere; change (ball) scale <0, {0.05, 0.05, 0.05}>, translate <0, {0.7, 1.6, 0.6}>;
TEXT

# fragment NAME: the arm with what is on standard input.
fragment() {
    cat fred.scefo - >"$1.scefo"
}

# every NAME SECONDS: the script plays into every kind of output, two frames a second.
every() {
    frames=$(($2 * 2 + 1))
    for ending in bvh csv glb; do
        run 0 play "$1.scefo" -o "$1.$ending" --fps 2
        has out.txt "$frames frames, $2 s"
    done
    has "$1.bvh" "Frames: $frames"
    checked=$((checked + 1))
    [ "$(wc -l <"$1.csv")" = $((frames + 1)) ] || wrong "there should be a heading and $frames rows" "$1.csv"
    run 0 info "$1.glb"
    has out.txt "$frames frames"
    run 0 play "$1.scefo" -o "$1-%d.png" --fps 2 --size 64x48
    [ -s "$1-$((frames - 1)).png" ] || wrong "a picture is missing: $1-$((frames - 1)).png"
    rm -f "$1"-*.png
}

# column FILE NAME ROW: a value of a table.
column() {
    awk -F, -v name="$2" -v row="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == row + 1 { print $c }' "$1"
}

# near WHAT VALUE WANTED
near() {
    checked=$((checked + 1))
    awk -v a="$2" -v b="$3" 'BEGIN { exit !(a != "" && a - b < 1e-4 && b - a < 1e-4) }' || wrong "$1 is $2, not $3"
}

# 4.1.1: a turn, and then a reach for an object.
fragment turn <<'TEXT'
change (left_shoulder)
    set_field <1, {"joint_rotate", {{0.0, 1.0, 0.0}, 30}}>,
    set_field <2, {"joint_reach", {{goal:_position}, "left_hand"}}>;
TEXT
every turn 2
near 'the turn at 1 s' "$(column turn.csv fred:left_shoulder.ry 3)" 0.523599
# As printed it lacks a brace, which is said.
sed 's/"left_hand"}}>/"left_hand"}>/' turn.scefo >printed.scefo
run 1 play printed.scefo -o printed.csv
has err.txt 'limber: printed.scefo:' 'expected `}`'

# 4.4: a turn over time; a reach from a point to a ball; one that follows the ball.
fragment rotate <<'TEXT'
change (left_shoulder)
    set_field <0, {"joint_rotate", {{1.0, 0.0, 0.0}, 0}}>
        <8, {"joint_rotate", {{1.0, 0.0, 0.0}, 90}}>;
TEXT
every rotate 8
near 'the turn at 4 s' "$(column rotate.csv fred:left_shoulder.rx 9)" 0.785398
fragment reach <<'TEXT'
change (left_shoulder)
    set_field <0, {"joint_reach", {{1.0, 1.0, 0.5}, "left_hand"}}>
        <8, {"joint_reach", {ball:_position, "left_hand"}}>;
TEXT
every reach 8
fragment follow <<'TEXT'
change (ball) translate <0, {0, 0, 0}> <4, {-0.1, -0.2, 0.1}>;
change (left_shoulder)
    set_field <0, {"joint_reach", {ball:_position, "left_hand"}}>;
TEXT
every follow 4

# Appendix A, with the link's name that it means.
sed -n 's/^[^"]*"\(.*\)\\n";*$/\1/p' "$LIMBER_SOURCE_DIR/tests/io/appendix_a.h" |
    sed 's/\\"/"/g; s/"leftshoulder"/"leftupperarm"/' >appendix.scefo
has appendix.scefo 'template (arm_linkage) linkage;'
every appendix 5

# A crane picks up a crate, and puts it down on the other side: its middle goes from y = 1.2 to -1.2.
cp "$LIMBER_SOURCE_DIR/examples/crane.scefo" crane.scefo
every crane 6
near 'the crate at 2 s' "$(column crane.csv crate:root.y 5)" 0
near 'the crate at 5 s' "$(column crane.csv crate:root.y 11)" -2.4
near 'the crate at 6 s' "$(column crane.csv crate:root.y 13)" -2.4
run 0 play crane.scefo -o crate.bvh --fps 2 --figure crate
has crate.bvh 'ROOT crate'
rm -f ./*.scefo ./*.bvh ./*.csv ./*.glb
only out.txt err.txt
finish
