#!/bin/sh
# limber solve with figures that have a body: natural by default, what may be said of it, and what is refused.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

# Natural is the default; the bare problem says its own sentence.
run 0 solve human -g 'right_palm at 0.40,-0.15,0.04'
has out.txt 'Solved. Balance ' ' inside; most effort: ' 'met  right_palm'
run 0 solve human -g 'right_palm at 0.40,-0.15,0.04' --plain
has out.txt 'solved: every constraint is within its tolerance.'

# What holds the pose, what stands, what it costs.
run 0 solve human -g 'right_palm at 0.5,-0.2,1.1' --why
has out.txt 'What holds the pose where it is, the dearest first' 'posture' 'What stands, with its share of the weight' \
    'left_heel' 'Efforts, of what each joint can hold'

# A load is felt; feet do as they are told.
run 0 solve human -g 'right_palm at 0.5,-0.2,1.1' --foot left=planted,right=planted --json
cp out.txt without.json
run 0 solve human -g 'right_palm at 0.5,-0.2,1.1' --foot left=planted,right=planted --load right_hand=5kg
has out.txt 'Solved. ' 'most effort: right '
run 0 solve human -g 'right_palm at 0.95,-0.15,1.1'
has out.txt 'foot steps '
run 4 solve human -g 'right_palm at 1.2,0,1' --foot left=planted,right=planted
has out.txt 'too far without a step' 'would fall forward' 'OFF  right_palm'
run 0 solve human -g 'left_ball at 0.35,0.1,0.3' --foot left=lifted --why
if grep -q '^  left_.*%   at' out.txt; then
    wrong "a lifted foot carries weight" out.txt
fi

# Leaning on a table, kneeling.
run 0 solve human -g 'right_palm at 0.95,-0.1,0.8' --surface table=0.8,0.2,0.77,0.4,0.6 --support left_palm=table --why
has out.txt 'left_palm '
run 0 solve human -g 'right_palm at 0.5,-0.1,0.6' --support right_knee=floor --why
has out.txt 'right_knee '

# Walls, steps, things in the way, elbows.
run 0 solve human --surface 'wall=0.6,0,1.2 half 1.5,1.2 normal -1,0,0 thick 10cm' --support right_palm=wall --why
has out.txt 'Leans on the wall with the right hand, pushing by ' 'right_palm '
run 0 solve human --surface 'step=0.42,0.12,0.2 half 0.2,0.25 thick 20cm' --foot left=step:step
has out.txt 'The left foot steps ' 'the left foot stands on the step: '
run 0 solve human -g 'right_palm at 0.62,-0.1,0.6' --obstacle 'crate=box 0.4,0,0.35 half 0.12,0.5,0.35 rpy 0,0,0' \
    --obstacle 'sphere 1,1,1 radius 5cm' --obstacle 'capsule 1,0,0 to 1,0,2 radius 5cm' --save crate.json
has crate.json '"obstacles"' '"crate"' '"capsule"'
run 0 solve human -g 'right_palm at 0.4,-0.2,1.2' --swivel right_elbow=out --swivel left_elbow=0,0,-1 --why
has out.txt 'swivel '
run 2 solve human --surface 'wall=0.6,0,1.2 normal -1,0' --support right_palm=wall
has err.txt '`normal` is not understood'
run 2 solve human --obstacle 'cone 1,1,1'
has err.txt 'is no sphere, capsule or box'
run 2 solve human --obstacle 'box 1,1'
has err.txt 'where is it?'
run 2 solve human --obstacle 'box 1,1,1 radius 2'
has err.txt '`radius` is not understood'
run 2 solve human --swivel right_elbow=1,2
has err.txt 'write a side or a direction'
run 1 solve human --swivel right_elbow=sideways
has err.txt 'there is no side `sideways`'
run 2 solve human --foot left=hop:floor
has err.txt 'a foot may be auto, planted, step or lifted'

# What is stated replaces the body's own: a root that is held needs no balance.
run 0 solve human -g 'right_palm at 0.5,-0.2,1.1' --inactive root
lacks out.txt 'alance '
run 0 solve human -g 'right_palm at 0.5,-0.2,1.1' --body effort=0,balance=off,eyes=off
has out.txt 'Solved.'

# Files: saved as natural, solved as natural, and bare where it is asked for.
run 0 solve human -g 'right_palm at 0.5,-0.2,1.1' --load left_hand=2kg --save reach.json -q
has reach.json '"body"' '"loads"'
run 0 solve reach.json
has out.txt 'Solved. Balance '
run 0 solve reach.json --plain --method bfgs
has out.txt 'bfgs: ' 'met  right_palm'
run 1 solve reach.json --method bfgs
has err.txt 'posed as a body is solved by method lm alone'

# Mistakes.
run 2 solve human -g 'right_palm at 0.5,-0.2,1.1' --plain --load right_hand=5kg
has err.txt '`--load` is about a body; `--plain` solves the bare problem'
run 1 solve human -g 'right_palm at 0.5,-0.2,1.1' --load right_hnad=5kg
has err.txt '--load: ' 'right_hand'
run 2 solve human -g 'right_palm at 0.5,-0.2,1.1' --load right_hand=-5kg
has err.txt '`--load right_hand=-5kg` is no mass'
run 1 solve human -g 'right_palm at 0.5,-0.2,1.1' --foot middle=step
has err.txt '--foot: '
run 1 solve human -g 'right_palm at 0.5,-0.2,1.1' --support left_palm=tabel --surface table=0.8,0,0.75
has err.txt '--support: '
run 1 solve panda -g 'tool at 0.4,0.2,0.5' --load panda_hand=1kg
has err.txt 'has no body'
finish
