#!/bin/sh
# The core asks nothing of its surroundings but a short list of C library functions, so that it can go anywhere: no files,
# no printing, no libm trigonometry (which differs between machines); threads in one file alone, which can do without.
set -eu

allowed="memcpy memmove memset memcmp strlen strcmp strncmp strchr realloc free sqrt fabs floor"
threads="pthread_create pthread_join" # of threads.c
# What compilers add by themselves.
helpers="_GLOBAL_OFFSET_TABLE_ __stack_chk_fail _DYNAMIC __tls_get_addr"

# The functions that an archive or object needs and neither has nor may have, with the object that wants them.
forbidden() {
    nm -A -P "$1" | awk -v allowed="$allowed $helpers" -v threads="$threads" '
        BEGIN {
            count = split(allowed, words, " "); for (i = 1; i <= count; i++) known[words[i]] = 1
            count = split(threads, words, " "); for (i = 1; i <= count; i++) threading[words[i]] = 1
        }
        $2 in threading && $1 ~ /[[\/]threads\.c\.o/ { next }
        $3 == "U" { wanted[$2] = wanted[$2] " " $1 }
        $3 != "U" { known[$2] = 1 }
        END { for (name in wanted) if (!(name in known)) print name ", wanted by" wanted[name] }' | sort
}

# The gate itself must be able to say no.
cat >bad.c <<'TEXT'
#include <stdio.h>
void f(void);
void f(void) { printf("%d\n", 1); }
TEXT
"${CC:-cc}" -c bad.c -o bad.o
if [ -z "$(forbidden bad.o)" ]; then
    echo "the gate does not notice printf"
    exit 1
fi

cat >many.c <<'TEXT'
#include <pthread.h>
int f(pthread_t thread);
int f(pthread_t thread) { return pthread_join(thread, 0); }
TEXT
"${CC:-cc}" -c many.c -o many.c.o
if [ -z "$(forbidden many.c.o)" ]; then
    echo "the gate does not notice threads in another file"
    exit 1
fi

library="$LIMBER_BUILD_DIR/liblimber.a"
[ -f "$library" ] || { echo "$library is not there"; exit 1; }
found=$(forbidden "$library")
if [ -n "$found" ]; then
    echo "The core (src/math, figure, problem, solve, motion) may only use: $allowed. It also asks for:"
    echo "$found"
    exit 1
fi
echo "The core uses only: $(nm -u -P "$library" | awk 'NF > 1 && !/^lb/ { print $1 }' | sort -u | tr '\n' ' ')"
