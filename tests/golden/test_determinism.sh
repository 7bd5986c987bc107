#!/bin/sh
# One result for every compiler and option: builds the core with the programs of golden.sh in several
# ways and asks for the same hashes from each, equal to those that were recorded. What a build of
# ./dev test has compiled already is not compiled again: -O3 and -O0 of its own compiler are test_library.sh's, in the release
# build and that of the core alone. Without LIMBER_TEST_LONG the first compiler is asked for fused multiply-add, and the
# last one for scalar arithmetic (clang's vectors are web.golden's); with it, each for every level. Where a change of
# the arithmetic is meant, record them anew:
#     sh tests/golden/test_determinism.sh --record
set -eu

here=$(cd "$(dirname "$0")" && pwd)
source_dir=${LIMBER_SOURCE_DIR:-$(cd "$here/../.." && pwd)}
# shellcheck source=tests/golden/golden.sh
. "$here/golden.sh"
CORE_SOURCE=$source_dir
# shellcheck source=tests/core.sh
. "$source_dir/tests/core.sh"
if [ -n "${LIMBER_SANITIZE:-}" ]; then
    echo "skipped: builds the core itself, so a sanitizer's build has nothing to add"
    exit 77
fi

cd "$source_dir"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# The options that decide about results, as CMakeLists.txt has them.
options="-std=c11 -ffp-contract=off -fno-math-errno -w"
for option in -ffp-contract=off -fno-math-errno; do
    grep -q -e "$option" CMakeLists.txt || {
        echo "CMakeLists.txt no longer has $option: make this script agree with it"
        exit 1
    }
done

# build_and_hash NAME COMPILER OPTIONS...: leaves the lines in $work/NAME/kinematics.hash, solve.hash and motion.hash.
build_and_hash() {
    name=$1
    shift
    mkdir "$work/$name"
    # shellcheck disable=SC2086
    compile_core "$work/$name/objects" "$@" $options || return 1
    (
        cd "$work/$name"
        for program in $programs; do
            # shellcheck disable=SC2086
            "$@" $options "-I$source_dir/include" "-I$source_dir/src" "$here/hash_$program.c" objects/*.o -lm -o "$program" && "./$program" >"$program.hash" || exit 1
        done
    )
}

if [ "${1:-}" = --record ]; then
    build_and_hash record "${CC:-cc}" -O2
    for program in $programs; do
        cp "$work/record/$program.hash" "$here/"
        cat "$here/$program.hash"
    done
    exit 0
fi

compilers=
for compiler in gcc clang "${CC:-}"; do
    if [ -n "$compiler" ] && command -v "$compiler" >/dev/null 2>&1; then
        case " $compilers " in
        *" $(command -v "$compiler") "*) ;;
        *) compilers="$compilers $(command -v "$compiler")" ;;
        esac
    fi
done
if [ -z "$compilers" ]; then
    echo "skipped: neither gcc nor clang is installed"
    exit 77
fi

# The CPU decides whether a build with fused multiply-add can run here.
has_fma=no
if grep -q -w avx2 /proc/cpuinfo 2>/dev/null && grep -q -w fma /proc/cpuinfo; then
    has_fma=yes
fi

check() { # NAME COMPILER OPTIONS...
    if ! build_and_hash "$@"; then
        echo "does not build or run: $*"
        failed=1
        return
    fi
    compare "$work/$1" "$*"
}

check_compiler() { # NUMBER COMPILER
    own=no # whether a build of ./dev test has it at -O0 and -O3 already
    if [ "$2" = "${LIMBER_BUILD_DIR:+$(command -v "${CC:-cc}")}" ]; then
        own=yes
    fi
    is_long=${LIMBER_TEST_LONG:+yes}
    if [ "$is_long" = yes ]; then
        check "$1-O2" "$2" -O2
        if [ $own = no ]; then
            check "$1-O0" "$2" -O0
            check "$1-O3" "$2" -O3
            check_unfused "$work/$1-O3/solve" # wide kernels may fuse whatever the rest is compiled for
        fi
    fi
    if [ "$is_long" = yes ]; then
        check "$1-scalar" "$2" -O2 -DLBM_SCALAR
    elif [ "$1" = "$compiler_count" ]; then
        check "$1-scalar" "$2" -O0 -DLBM_SCALAR
    fi
    if [ $has_fma = yes ] && [ "$is_long" = yes ]; then
        check "$1-fma" "$2" -O3 -mavx2 -mfma
        check_unfused "$work/$1-fma/solve"
    elif [ $has_fma = yes ] && [ "$1" = 1 ]; then
        check "$1-fma" "$2" -O1 -mavx2 -mfma
        check_unfused "$work/$1-fma/solve"
    fi
    exit $failed
}

compiler_count=$(echo "$compilers" | wc -w)

# The compilers side by side, each one's options in turn.
number=0
processes=
for compiler in $compilers; do
    number=$((number + 1))
    (check_compiler $number "$compiler") >"$work/$number.log" 2>&1 &
    processes="$processes $!"
done
for process in $processes; do
    wait "$process" || failed=1
done
cat "$work"/*.log
exit $failed
