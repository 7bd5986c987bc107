#!/bin/sh
# What the headers promise is what the libraries export: every LB_API and LB_IO_API function is there, nothing else can be seen from
# outside, and what files of one layer share bears the layer's prefix.
set -eu

# Global symbols that an archive defines, with their visibility.
symbols() {
    readelf -sW "$1" | awk '$5 == "GLOBAL" && $7 != "UND" && $8 != "" { print $6, $8 }' | sort -u
}

# Functions that headers declare.
functions() {
    cat "$@" | tr '\n' ' ' | grep -oE 'LB_(IO_)?API [^(;]*[(]' | sed -n 's/.*[ *]\(lb_[a-z0-9_]*\) *($/\1/p' | sort -u
}

# check LIBRARY PREFIXES HEADER...
check() {
    name=$1
    prefixes=$2
    shift 2
    library="$LIMBER_BUILD_DIR/$name"
    [ -f "$library" ] || { echo "$library is not there"; exit 1; }
    (cd "$LIMBER_SOURCE_DIR/include/limber" && functions "$@") >declared
    symbols "$library" | sed -n 's/^DEFAULT //p' >exported
    symbols "$library" | sed -n 's/^HIDDEN //p' >hidden
    [ -s declared ] || { echo "no LB_API function found in $*"; exit 1; }
    missing=$(comm -23 declared exported | tr '\n' ' ')
    extra=$(comm -13 declared exported | tr '\n' ' ')
    strange=$(grep -Ev "^($prefixes)" hidden | tr '\n' ' ')
    [ -z "$missing" ] || { echo "$* declares but $name does not have:" "$missing"; code=1; }
    [ -z "$extra" ] || { echo "$name exports what $* does not declare (make it static, or declare it LB_API or LB_IO_API):" "$extra"; code=1; }
    [ -z "$strange" ] || { echo "$name has shared names without a prefix of $prefixes:" "$strange"; code=1; }
    echo "$name: $(wc -l <exported) exported, $(wc -l <hidden) internal"
}

code=0
# All headers but io.h are the core's.
core=$(cd "$LIMBER_SOURCE_DIR/include/limber" && find . -name '*.h' ! -name io.h | sort)
# shellcheck disable=SC2086 # a list of words
check liblimber.a 'lbm_|lbf_|lbc_|lbr_|lbp_|lbs_|lbt_' $core
[ ! -f "$LIMBER_BUILD_DIR/liblimber_io.a" ] || check liblimber_io.a 'lbio_' io.h
exit $code
