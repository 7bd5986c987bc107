#!/bin/sh
# The core has no writable global data: any number of threads may use it, and nothing is remembered between calls.
set -eu

# Sections of an archive or object that can be written to at run time and are not empty. (.data.rel.ro holds constant
# tables of pointers; the loader fills it in and locks it.)
writable() {
    objdump -h "$1" | awk '
        /file format/ { object = $1 }
        $2 ~ /^\.(t?data|t?bss|sdata|sbss|ldata|lbss)/ && $2 !~ /^\.data\.rel\.ro/ && $3 !~ /^0+$/ {
            print object " " $2 " has 0x" $3 " bytes"
        }'
    nm -P "$1" | awk '$2 == "C" { print $1 " is a common symbol" }'
}

# The gate itself must be able to say no - to what is written to, not to what is constant.
echo 'int counter = 1; int next(void); int next(void) { return counter++; }' >data.c
echo 'static int counter; int next(void); int next(void) { return counter++; }' >bss.c
echo 'static const char *const names[] = {"a", "b"}; const char *name(int i); const char *name(int i) { return names[i]; }' \
    >const.c
for name in data bss const; do
    "${CC:-cc}" -O1 -fPIC -c "$name.c" -o "$name.o"
done
[ -n "$(writable data.o)" ] || { echo "the gate does not notice initialised data"; exit 1; }
[ -n "$(writable bss.o)" ] || { echo "the gate does not notice zeroed data"; exit 1; }
[ -z "$(writable const.o)" ] || { echo "the gate objects to constant data"; exit 1; }

library="$LIMBER_BUILD_DIR/liblimber.a"
[ -f "$library" ] || { echo "$library is not there"; exit 1; }
found=$(writable "$library")
if [ -n "$found" ]; then
    echo "The core (src/math, figure, problem, solve, motion) has data that can change; make it const, or part of an object the caller owns:"
    echo "$found"
    exit 1
fi
echo "No writable data in the core."
