# What the tests of the program share: sourced, not run.
# shellcheck shell=sh
: "${LIMBER:?the program to test}" "${LIMBER_SOURCE_DIR:?}" "${LIMBER_SCRATCH:?}"
failed=0
checked=0
work="$LIMBER_SCRATCH/work"
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1

# run CODE ARGUMENTS...: the program must end with this code; its output is in out.txt and err.txt.
run() {
    wanted=$1
    shift
    checked=$((checked + 1))
    code=0
    "$LIMBER" "$@" >out.txt 2>err.txt </dev/null || code=$?
    [ "$code" = "$wanted" ] || wrong "limber $* ended with $code instead of $wanted" err.txt
}

# piped CODE INPUT ARGUMENTS...: the same with a file on standard input.
piped() {
    wanted=$1
    input=$2
    shift 2
    checked=$((checked + 1))
    code=0
    "$LIMBER" "$@" >out.txt 2>err.txt <"$input" || code=$?
    [ "$code" = "$wanted" ] || wrong "limber $* <$input ended with $code instead of $wanted" err.txt
}

wrong() {
    failed=$((failed + 1))
    echo "WRONG: $1"
    [ $# -lt 2 ] || sed 's/^/    /' "$2" | head -n 20
}

# has FILE TEXT...: the file holds each text.
has() {
    file=$1
    shift
    for text in "$@"; do
        checked=$((checked + 1))
        grep -qF -e "$text" "$file" || wrong "$file lacks: $text" "$file"
    done
}

lacks() {
    checked=$((checked + 1))
    ! grep -qF -e "$2" "$1" || wrong "$1 has: $2" "$1"
}

is_empty() {
    checked=$((checked + 1))
    [ ! -s "$1" ] || wrong "$1 should be empty" "$1"
}

# Nothing is there but what is named: no half-written file, no temporary one.
only() {
    checked=$((checked + 1))
    found=$(find . -mindepth 1 -maxdepth 1 | sed "s,^\./,," | sort | tr '\n' ' ')
    expected=$(printf '%s\n' "$@" | sort | tr '\n' ' ')
    [ "$found" = "$expected" ] || wrong "the folder holds '$found' instead of '$expected'"
}

finish() {
    echo "$checked checks, $failed wrong"
    [ "$failed" = 0 ] || exit 1
}

# A small figure with a bit of everything.
sample() {
    cat >"$1" <<'TEXT'
figure sample {
    stature = 100cm;
    segment base { mass = 2kg; site top->location = trans(0cm, 0cm, 20cm); shape = sphere(top, 10cm); }
    segment arm { mass = 1kg; com = (0cm, 0cm, 15cm); site low->location = trans(0cm, 0cm, 0cm);
        site high->location = trans(0cm, 0cm, 30cm); shape = capsule(low, high, 4cm); }
    segment hand { site low->location = trans(0cm, 0cm, 0cm); site tip->location = trans(0cm, 0cm, 10cm); }
    segment finger { site low->location = trans(0cm, 0cm, 0cm); site tip->location = trans(0cm, 0cm, 5cm); }
    joint elbow { connect base.top to arm.low; type = R(y); llimit = (0deg); ulimit = (142deg); rest = (10deg); }
    joint wrist { connect arm.high to hand.low; type = R(x)*T(z); names = (bend, reach); llimit = (-30deg, 0cm);
        ulimit = (30deg, 2cm); rigidity = (0.5, 0); }
    joint knuckle { connect hand.tip to finger.low; type = R(y); mimic = 0.5 * elbow + 1deg; }
    limit both: elbow + 2 * wrist.bend <= 100deg;
    root = base;
}
TEXT
}
