#!/bin/sh
# limber compare: all methods on all problems, tables and a report with plots.
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

# fontconfig keeps what it knows of fonts until the end: not a leak of ours.
echo leak:libfontconfig >"$LIMBER_SCRATCH/lsan.txt"
LSAN_OPTIONS="suppressions=$LIMBER_SCRATCH/lsan.txt:print_suppressions=0"
export LSAN_OPTIONS

run 0 compare --output report --goals 2
has out.txt '### A goal out of reach' 'Time per iteration' 'Iterations until solved' 'Time until solved' 'The best there is: 10.3553391 cm'
for method in lm bfgs ccd 'jacobian transpose' 'jacobian inverse' 'jacobian damped' 'jacobian svd-damped' fabrik; do
    checked=$((checked + 1))
    [ "$(grep -c "^| $method " report/report.md)" -ge 9 ] || wrong "$method is missing from a table" report/report.md
done
# lm and bfgs reach the exact optimum of EN07's chain (25 (sqrt(2) - 1) cm) to 1e-6.
for method in lm bfgs; do
    checked=$((checked + 1))
    awk -F'|' -v method="$method" '/### A goal out of reach/ { inside = 1 } inside && $2 ~ "^ " method " " && !found {
        found = 1; off = $4 - 10.355339059327378; if (off < 0) off = -off; ok = off < 1e-6; status = $3 }
        END { exit !(ok && status ~ /minimum/) }' report/report.md || wrong "$method misses the optimum" report/report.md
done
# Straight chains with the goal on their axis do not get stuck.
checked=$((checked + 1))
awk '/### A goal on its own axis/ { inside = 1 } inside && /^\| (lm|bfgs) .*solved/ { count++ } /### A goal for each of five/ { exit }
    END { exit count != 2 }' report/report.md || wrong "lm or bfgs is stuck on the axis" report/report.md
# Every picture that the report shows is there, as SVG and as PNG.
# shellcheck disable=SC2013 # names without blanks
for picture in $(sed -n 's/.*](\(.*\)\.svg)$/\1/p' report/report.md); do
    has "report/$picture.svg" '<svg' '</svg>'
    checked=$((checked + 1))
    head -c 8 "report/$picture.png" | od -An -c | grep -q 'P   N   G' || wrong "$picture.png is no PNG"
done
checked=$((checked + 1))
[ "$(grep -c '^!\[' report/report.md)" = 8 ] || wrong "the report has not its eight plots"

: >file
run 3 compare -o file/report
run 2 compare something
run 2 compare --goals 0
run 0 compare --help
checked=$((checked + 1))
! grep -qE '.{91}' out.txt || wrong "the help has long lines" out.txt
finish
