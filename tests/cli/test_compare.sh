#!/bin/sh
# limber compare: all methods on all problems, tables, words, a report with plots, and all numbers as CSV. What is asked of
# times is only that they are there.
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

# fontconfig keeps what it knows of fonts until the end: not a leak of ours.
echo leak:libfontconfig >"$LIMBER_SCRATCH/lsan.txt"
LSAN_OPTIONS="suppressions=$LIMBER_SCRATCH/lsan.txt:print_suppressions=0"
export LSAN_OPTIONS

run 0 compare --output report --goals 1
has out.txt '### A goal out of reach' 'Time per iteration' 'Iterations until solved' 'Time until solved' 'The best there is: 2 cm' \
    '## EN07'"'"'s tree, chains of 2 to 6 joints' 'In reach: iterations until done' 'Out of reach: iterations until it ends' \
    "## Which of EN07's conclusions hold"
for method in lm bfgs 'bfgs, dfp alone' 'ccd by dof' 'ccd by axis' 'jacobian transpose' 'jacobian inverse' 'jacobian damped' \
    'jacobian svd-damped' fabrik; do
    checked=$((checked + 1))
    [ "$(grep -c "^| $method  *|" report/report.md)" -ge 18 ] || wrong "$method is missing from a table" report/report.md
done
# lm and bfgs reach the exact optimum of EN07's chain, 2 cm, to 1e-6.
for method in lm bfgs 'bfgs, dfp alone'; do
    checked=$((checked + 1))
    awk -F'|' -v method="$method" '/### A goal out of reach/ { inside = 1 } inside && $2 ~ "^ " method " *$" && !found {
        found = 1; off = $4 - 2; if (off < 0) off = -off; ok = off < 1e-6; status = $3 }
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
[ "$(grep -c '^!\[' report/report.md)" = 10 ] || wrong "the report has not its ten plots"

# The numbers: five problems, ten methods; curves as they are, with rises where a method makes them, and with none for lm
# and bfgs; rises in the table are those of the curve.
checked=$((checked + 1))
[ "$(wc -l <report/summary.csv)" = 51 ] || wrong "summary.csv has not 5 x 10 rows" report/summary.csv
checked=$((checked + 1))
[ "$(wc -l <report/growth.csv)" = 161 ] || wrong "growth.csv has not (5 + 5 + 6) x 10 rows" report/growth.csv
has report/growth.csv '"tree, in reach",2,' '"tree, out of reach",6,' '"chains",160,'
rises() { # PROBLEM METHOD
    awk -v problem="$1" -v method="$2" -F, 'index($0, problem ",\"" method "\",") == 1 {
        if (seen++ && $NF > last * (1 + 1e-12)) rises++; last = $NF } END { print seen ? rises + 0 : "none" }' report/curves.csv
}
for problem in out-of-reach in-reach on-axis tree human; do
    for method in bfgs 'bfgs, dfp alone' 'ccd by dof'; do
        checked=$((checked + 1))
        [ "$(rises $problem "$method")" = 0 ] || wrong "G rises for $method, $problem: $(rises $problem "$method")"
    done
done
checked=$((checked + 1))
[ "$(rises out-of-reach 'jacobian inverse')" -gt 10 ] || wrong "the Jacobian inverse's rises out of reach are hidden"
checked=$((checked + 1))
[ "$(rises out-of-reach 'jacobian inverse')" = \
    "$(awk -F, '/^out-of-reach,"jacobian inverse",/ { print $8 }' report/summary.csv)" ] || wrong "rises are miscounted" report/summary.csv
# The words give the figures: ten conclusions, those that no clock has a part in as they are.
checked=$((checked + 1))
[ "$(grep -cE '^[0-9]+\. \*.*\.\* \*\*|^[0-9]+\. \*' report/report.md)" = 10 ] || wrong "there are not ten conclusions" report/report.md
has report/report.md '2. *BFGS and the Jacobian inverse decrease monotonically.* **Does not hold**: bfgs rises in 0 of' \
    '3. *BFGS comes nearest to a goal out of reach, then CCD, then the Jacobian inverse.* **Holds**' \
    'at 2.000000 units' '4. *CCD would need more than 1000 iterations to get there.* **Does not hold**' \
    '7. *CCD takes the most iterations.* **Holds**' '10. *BFGS is better than DFP (Zhao and Badler 1994).* **Holds**'
checked=$((checked + 1))
! sed -n '/## Which of EN07/,$p' report/report.md | grep -qE '.{121}' || wrong "the words have long lines" report/report.md

# What is found depends on no clock: again, the same numbers but for times.
run 0 compare --output again --goals 1
checked=$((checked + 1))
cmp -s report/curves.csv again/curves.csv || wrong "the curves differ from run to run"

: >file
run 3 compare -o file/report
run 2 compare something
run 2 compare --goals 0
run 0 compare --help
checked=$((checked + 1))
! grep -qE '.{91}' out.txt || wrong "the help has long lines" out.txt
finish
