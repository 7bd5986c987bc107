#!/bin/sh
# What the headers promise is what the libraries export: every LB_API function is there, nothing else can be seen from
# outside, and what files of one layer share bears the layer's prefix.
set -eu

# Global symbols that an archive defines, with their visibility.
symbols() {
    readelf -sW "$1" | awk '$5 == "GLOBAL" && $7 != "UND" && $8 != "" { print $6, $8 }' | sort -u
}

# Functions a header declares.
functions() {
    tr '\n' ' ' <"$1" | grep -o 'LB_API [^(;]*(' | sed -n 's/.*[ *]\(lb_[a-z0-9_]*\) *($/\1/p' | sort -u
}

# check LIBRARY HEADER PREFIXES
check() {
    library="$LIMBER_BUILD_DIR/$1"
    [ -f "$library" ] || { echo "$library is not there"; exit 1; }
    functions "$LIMBER_SOURCE_DIR/include/limber/$2" >declared
    symbols "$library" | sed -n 's/^DEFAULT //p' >exported
    symbols "$library" | sed -n 's/^HIDDEN //p' >hidden
    [ -s declared ] || { echo "no LB_API function found in $2"; exit 1; }
    missing=$(comm -23 declared exported | tr '\n' ' ')
    extra=$(comm -13 declared exported | tr '\n' ' ')
    strange=$(grep -Ev "^($3)" hidden | tr '\n' ' ')
    [ -z "$missing" ] || { echo "$2 declares but $1 does not have:" "$missing"; code=1; }
    [ -z "$extra" ] || { echo "$1 exports what $2 does not declare (make it static, or declare it LB_API):" "$extra"; code=1; }
    [ -z "$strange" ] || { echo "$1 has shared names without a prefix of $3:" "$strange"; code=1; }
    echo "$1: $(wc -l <exported) exported, $(wc -l <hidden) internal"
}

code=0
check liblimber.a limber.h 'lbm_|lbf_'
[ ! -f "$LIMBER_BUILD_DIR/liblimber_io.a" ] || check liblimber_io.a io.h 'lbio_'
exit $code
