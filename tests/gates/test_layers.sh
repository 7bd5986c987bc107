#!/bin/sh
# Each layer includes only itself and those below it, and the core only what a bare C compiler has.
set -eu

layers="math figure closed reach problem solve motion io jobs map cli"
core="math figure closed reach problem solve motion"
core_system="stdarg.h stdatomic.h stddef.h stdint.h stdbool.h string.h stdlib.h math.h float.h limits.h assert.h limber/limber.h limber/closed.h limber/reach.h"
# The compilers' own, of the CPU they compile for.
core_system="$core_system immintrin.h cpuid.h"

# wrong FOLDER: all includes below FOLDER/<layer>/ that point upwards or out, as file: include.
wrong() {
    below=
    for layer in $layers; do
        below="$below $layer"
        [ -d "$1/$layer" ] || continue
        system=any
        case " $core " in *" $layer "*) system=$core_system ;; esac
        case $layer in motion) system="$system limber/motion.h limber/path.h" ;; solve) system="$system limber/servo.h limber/drag.h" ;; esac
        case $layer in
        math) ;; # what is asked, and how it is answered, is above them
        figure) system="$system limber/body.h" ;; # the same; but a figure may carry the description of a body
        *) [ "$system" = any ] || system="$system limber/solve.h limber/body.h limber/collisions.h" ;;
        esac
        find "$1/$layer" -name '*.[ch]' -exec grep -H '^ *# *include' {} + |
            sed -n 's/^\([^:]*\): *# *include *\([<"]\)\([^>"]*\).*/\2 \3 \1/p' |
            awk -v below="$below" -v system_="$system" '
                BEGIN {
                    n = split(below, words, " "); for (i = 1; i <= n; i++) layer[words[i]] = 1
                    n = split(system_, words, " "); for (i = 1; i <= n; i++) system_header[words[i]] = 1
                }
                $1 == "\"" && $2 ~ /\.\./ { print $3 ": " $2 " (name it from src/)"; next }
                $2 ~ /^limber\// { if (system_ != "any" && !($2 in system_header)) print $3 ": " $2; next }
                $1 == "\"" && $2 ~ /\// { split($2, part, "/"); if (!(part[1] in layer)) print $3 ": " $2 }
                $1 == "<" && $2 == "pthread.h" && $3 ~ /\/solve\/threads\.c$/ { next } # in this one file
                $1 == "<" && system_ != "any" && !($2 in system_header) { print $3 ": " $2 }'
    done
}

# The gate itself must be able to say no.
mkdir -p sample/math sample/figure sample/problem sample/io
echo '#include "figure/figure.h"' >sample/math/up.c
echo '#include <stdio.h>' >sample/figure/out.c
echo '#include "limber/io.h"' >sample/figure/files.c
echo '#include <limber/solve.h>' >sample/figure/above.c
echo '#include <limber/solve.h>' >sample/problem/own.c
echo '#include <pthread.h>' >sample/figure/threads.c
printf '#include "math/vec.h"\n#include <string.h>\n' >sample/figure/down.c
printf '#include "figure/figure.h"\n#include <stdio.h>\n' >sample/io/down.c
if [ "$(wrong sample | wc -l)" != 5 ]; then
    echo "the gate does not tell upwards from downwards:"
    wrong sample
    exit 1
fi

found=$(cd "$LIMBER_SOURCE_DIR" && wrong src)
if [ -n "$found" ]; then
    echo "These includes point to a layer above, or out of the core (layers, lowest first: $layers):"
    echo "$found"
    exit 1
fi
echo "All includes point downwards."
