#!/bin/sh
# Motion and characters that lack something or are broken: a clear message, or a best effort that is stated.
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"
human="$LIMBER_SOURCE_DIR/models/human.fig"

# skeleton FRAMES [WHAT]: a person in BVH that bends its knees. WHAT: feet or arms are left out, zero: bones without length,
# head: no neck and head, roots: two of them, nan: a frame with a value that is no number, legs: the legs alone.
skeleton() {
    awk -v frames="$1" -v what="${2:-}" '
    function bone(kind, name, x, y, z) {
        printf "%s %s\n{\nOFFSET %s %s %s\n", kind, name, x, y, z
        if (kind != "End") {
            n = kind == "ROOT" ? 6 : 3
            printf "CHANNELS %d %sZrotation Xrotation Yrotation\n", n, n == 6 ? "Xposition Yposition Zposition " : ""
            channels += n
        }
    }
    function end(x, y, z, up) { bone("End", "Site", x, y, z); while (up-- >= 0) print "}" }
    function arm(side, s) {
        bone("JOINT", side "Arm", 18 * s, 18, 0)
        bone("JOINT", side "ForeArm", what == "zero" ? 0 : 28 * s, 0, 0)
        bone("JOINT", side "Hand", 26 * s, 0, 0)
        end(8 * s, 0, 0, 3)
    }
    function leg(side, s) {
        bone("JOINT", side "UpLeg", 9 * s, 0, 0)
        knees[channels + 4] = 1
        bone("JOINT", side "Leg", 0, what == "zero" && s > 0 ? 0 : -43, 0)
        if (what == "feet") { end(0, -44, 0, 2); return }
        bone("JOINT", side "Foot", 0, -44, 0)
        end(0, -6, 13, 3)
    }
    BEGIN {
        print "HIERARCHY"
        bone("ROOT", "Hips", 0, 95, 0)
        if (what != "legs") {
            bone("JOINT", "Spine", 0, 10, 0)
            if (what != "head") {
                bone("JOINT", "Neck", 0, what == "zero" ? 0 : 40, 0)
                bone("JOINT", "Head", 0, 10, 1)
                end(0, 18, 0, 2)
            }
            if (what != "arms") { arm("Left", 1); arm("Right", -1) }
            print "}"
        }
        leg("Left", 1)
        leg("Right", -1)
        print "}"
        if (what == "roots") { bone("ROOT", "Other", 100, 95, 0); end(0, 10, 0, 0); print "}" }
        printf "MOTION\nFrames: %d\nFrame Time: 0.0333333\n", frames
        for (f = 0; f < frames; f++) {
            line = what == "nan" && f == 1 ? "nan 95" : "0 95"
            for (c = 3; c <= channels; c++)
                line = line " " (c in knees ? f % 20 : 0)
            print line
        }
    }'
}

skeleton 10 >whole.bvh
run 0 retarget whole.bvh --to "$human" -o out.csv
has out.txt '10 frames' 'limits hold'

# Without feet nothing can be carried over, either way.
skeleton 10 feet >feet.bvh
run 1 retarget feet.bvh --to "$human" -o out.csv
has err.txt 'the source has no left foot' '--map'
run 1 retarget whole.bvh --to feet.bvh -o out.csv
has err.txt 'the target has no left foot'
run 0 solve feet.bvh -g 'Head at 0,0,1.5' # nobody who stands: the bare problem
lacks out.txt 'Balance'
run 0 info feet.bvh
has out.txt 'bones have the names of a person' 'there are no feet'

# Without arms the rest is carried over, and the body stands and balances.
skeleton 10 arms >arms.bvh
run 0 retarget arms.bvh --to "$human" -o out.csv
has out.txt '10 frames' 'wrists 0.0%'
run 0 retarget whole.bvh --to arms.bvh -o out.csv
run 0 solve arms.bvh -g 'Head at 0,0,1.5'
has out.txt 'Solved. Balance'

# Without a head, as of MuJoCo's walkers whose head is a part of the chest, too.
skeleton 10 head >head.bvh
run 0 retarget head.bvh --to "$human" -o out.csv
run 0 retarget whole.bvh --to head.bvh -o out.csv
run 0 solve head.bvh -g 'right_palm at 0.3,-0.2,1'
has out.txt 'Solved. Balance'

# Two roots: the person is the one whose names say so.
skeleton 3 roots >roots.bvh
run 0 retarget roots.bvh --to "$human" -o out.csv
run 0 solve roots.bvh -g 'Head at 0,0,1.5'
has out.txt 'Solved. Balance'

# Bones without length: a best effort, and what does not fit is said.
skeleton 10 zero >zero.bvh
run 5 retarget zero.bvh --to "$human" -o out.csv
has err.txt 'warning: '
run 5 retarget whole.bvh --to zero.bvh -o out.csv
has err.txt 'ankles are off'

# A value that is no number is said, and the motion goes on.
skeleton 3 nan >nan.bvh
run 0 retarget nan.bvh --to "$human" -o out.csv
has err.txt 'not finite'
lacks out.csv 'nan'

skeleton 1 >one.bvh
run 0 retarget one.bvh --to "$human" -o out.csv
checked=$((checked + 1))
[ "$(wc -l <out.csv)" = 2 ] || wrong "there should be a heading and one row" out.csv

finish
