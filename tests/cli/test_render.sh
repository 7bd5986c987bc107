#!/bin/sh
# limber render: pictures of every kind, poses kept inside their limits, and nothing half-written.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

# magic FILE TEXT: how the file begins.
magic() {
    checked=$((checked + 1))
    case $(head -c 8 "$1" | tr -d '\r\n\032\211') in
    "$2"*) ;;
    *) wrong "$1 does not begin with $2" ;;
    esac
}

sample sample.fig
run 0 render sample.fig -o out.png --size 120x90
is_empty err.txt
is_empty out.txt
magic out.png PNG
run 0 render sample.fig --output=out.svg --size=200x150 --labels --sites --limits --com --scale --title 'A & B' --dark
magic out.svg '<?xml'
has out.svg 'width="200" height="150"' '>A &amp; B</text>' '>wrist<'
run 0 render sample.fig -oout.pdf --size 120x90 --views front,side,top,back --ortho --no-joints --no-ground --no-shapes
magic out.pdf '%PDF-'
cp out.png first.png
run 0 render sample.fig -o out.png --size 120x90
checked=$((checked + 1))
cmp -s out.png first.png || wrong "the same picture has other bytes"
piped 0 sample.fig render - -o - --size 120x90
magic out.txt PNG
run 0 render sample.fig -o - --size 120x90 --picture svg
has out.txt '<svg'
run 0 render sample.fig -o picture --picture pdf --size 120x90
magic picture '%PDF-'
run 0 render sample.fig -o out.png --size 120x90 --camera -40,30 --zoom 2 --stature 2m

# Poses.
run 0 render sample.fig -o posed.png --size 120x90 --pose 'elbow=90deg, wrist.reach=1cm'
is_empty err.txt
checked=$((checked + 1))
! cmp -s posed.png first.png || wrong "the pose changes nothing"
run 0 render sample.fig -o posed.png --size 120x90 --pose elbow=200deg
has err.txt 'note: elbow was moved from 200 deg to 142 deg to keep its limits'
run 0 render sample.fig -o posed.png --size 120x90 --pose elbow=90deg,wrist.bend=30deg
has err.txt 'elbow was moved' 'wrist.bend was moved'
run 0 render sample.fig -o posed.png --size 120x90 --pose elbow=90
has err.txt 'write 90deg for degrees'
run 1 render sample.fig -o no.png --pose elbwo=90deg
has err.txt 'did you mean `elbow`?'
run 1 render sample.fig -o no.png --pose wrist=90deg
has err.txt 'name one, as in `wrist.bend`'
run 1 render sample.fig -o no.png --pose knuckle=90deg
has err.txt 'driven'
run 2 render sample.fig -o no.png --pose elbow
run 2 render sample.fig -o no.png --pose elbow=fast
has err.txt 'is no angle'
run 2 render sample.fig -o no.png --pose wrist.reach=3deg
has err.txt 'is no length'

# Wrong usage and what cannot be written.
run 2 render sample.fig
has err.txt 'needs `-o OUT`'
run 2 render sample.fig -o no.gif
has err.txt 'end it in .png, .svg or .pdf'
run 2 render sample.fig -o no.png --size 800
run 2 render sample.fig -o no.png --size 8x8
has err.txt '8 x 8'
run 2 render sample.fig -o no.png --views frnt
has err.txt 'did you mean `front`'
run 2 render sample.fig -o no.png --views front,side,top,back,front
run 2 render sample.fig -o no.png --camera north
run 2 render sample.fig -o no.png --camera 0,100
run 2 render sample.fig -o no.png --zoom 0
run 2 render sample.fig -o no.png --picture gif
run 1 render missing.fig -o no.png
run 3 render sample.fig -o nowhere/no.png
has err.txt 'limber: nowhere/no.png: '
printf 'figure f {\n' >bad.fig
run 1 render bad.fig -o first.png
only bad.fig err.txt first.png out.pdf out.png out.svg out.txt picture posed.png sample.fig
magic first.png PNG
finish
