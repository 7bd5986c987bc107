#!/bin/sh
# coverage.sh BUILD [FILE-PATTERN]: the branches of the core that the tests took, by gcov's counts in a build with --coverage
# (./dev coverage makes it and runs the tests). A line a file, then the sums; with a pattern also the lines, in files whose
# path has it, with a branch that was never taken.
# Branches on lines about an allocation, or what follows if it fails, are counted apart: tests/oom fails each allocation.
set -eu
build=$1
pattern=${2:-}
objects="$build/CMakeFiles/limber.dir/src"
[ -d "$objects" ] || { echo "$objects is not there: run ./dev coverage" >&2; exit 1; }

for layer in math figure closed reach problem solve motion; do
    find "$objects/$layer" -name '*.gcno' -exec gcov --branch-counts --branch-probabilities --stdout {} \; 2>/dev/null
done | awk -v pattern="$pattern" '
    BEGIN { memory = "lbf_grow|lbf_allocat|_create\\(|_copy\\(|_reserve\\(|_new\\(|_MEMORY|no_memory|realloc" }
    # "        -:    0:Source:/.../src/math/trig.c" begins a file; headers of ours count with each file that includes them
    /^ *-: *0:Source:/ { file = $0; sub(/.*Source:/, "", file); ours = sub(/.*\/src\//, "", file); next }
    /^ *[-#=0-9*]+: *[0-9]+:/ {
        number = $0; sub(/^[^:]*: */, "", number); sub(/:.*/, "", number)
        text = $0; sub(/^[^:]*:[^:]*:/, "", text)
        next
    }
    /^branch +[0-9]+ / && ours {
        # a branch of a header or of a kernel compiled for several widths is taken where any of them takes it
        key = file SUBSEP number SUBSEP $2
        if (!(key in taken)) { taken[key] = 0; texts[file, number] = text }
        if ($3 == "taken" && $4 + 0 > 0) taken[key] = 1
    }
    END {
        for (key in taken) {
            split(key, part, SUBSEP)
            apart = texts[part[1], part[2]] ~ memory
            all[part[1], apart]++; got[part[1], apart] += taken[key]; files[part[1]] = 1
            if (!taken[key] && !apart && pattern != "" && part[1] ~ pattern) missed[part[1] ":" part[2]]++
        }
        for (file in files) {
            layer = file; sub(/\/.*/, "", layer)
            if (all[file, 0]) printf "1 %6.2f%% %5d of %5d  %s\n", 100 * got[file, 0] / all[file, 0], got[file, 0], all[file, 0], file
            for (apart = 0; apart < 2; apart++) { sum[apart] += all[file, apart]; had[apart] += got[file, apart] }
            layer_all[layer] += all[file, 0]; layer_got[layer] += got[file, 0]
        }
        for (layer in layer_all)
            printf "2 %6.2f%% %5d of %5d  all of %s\n", 100 * layer_got[layer] / layer_all[layer], layer_got[layer], layer_all[layer], layer
        printf "3 %6.2f%% %5d of %5d  branches of the core\n", 100 * had[0] / sum[0], had[0], sum[0]
        printf "3 %6.2f%% %5d of %5d  branches about allocations, apart\n", 100 * had[1] / sum[1], had[1], sum[1]
        for (line in missed) { place = line; sub(/:/, SUBSEP, place); split(place, part, SUBSEP)
            printf "4 %s: %d not taken: %s\n", line, missed[line], texts[part[1], part[2]] }
    }' | sort -V | sed 's/^[0-9] //'
