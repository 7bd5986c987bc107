# shellcheck shell=sh
# For the golden tests: the programs hash_*.c, and how what they print is compared. Sourced, not run.
# The script has this folder in $here and ends with $failed, which is 1 where something was wrong.
# shellcheck disable=SC2154,SC2034 # here is set, failed used by the script

programs="kinematics solve motion body verbs"
failed=0

# compare FOLDER WHAT: the hashes in FOLDER are those that were recorded.
compare() {
    for program in $programs; do
        if diff "$here/$program.hash" "$1/$program.hash" >"$1/difference"; then
            echo "same results of hash_$program.c: $2"
        else
            echo "other results of hash_$program.c: $2"
            cat "$1/difference"
            failed=1
        fi
    done
}

# No fused multiply-add may be in the code, hashed or not: GCC makes some out of pairs of sums and differences whatever
# -ffp-contract says (write such a pair as two sums). check_unfused PROGRAM
check_unfused() {
    command -v objdump >/dev/null 2>&1 || return 0
    objdump -d --no-show-raw-insn "$1" |
        awk '/^[0-9a-f]+ </ { name = $2 } /[ \t]vfn?m(add|sub)/ { print "fused multiply-add in " name " " $2 }' |
        sort -u >"$1.fused"
    if [ -s "$1.fused" ]; then
        cat "$1.fused"
        failed=1
    fi
}
