#!/bin/sh
# Each public header stands alone in C99 and C++11 without a warning, and its version is the project's.
set -eu

printf 'int main(void) { return 0; }\n' >end.txt
for header in "$LIMBER_SOURCE_DIR"/include/limber/*.h; do
    name=$(basename "$header")
    { printf '#include <limber/%s>\n' "$name"; cat end.txt; } >alone.c
    cp alone.c alone.cpp
    for compiler in "${CC:-cc}" gcc clang; do
        command -v "$compiler" >/dev/null 2>&1 || continue
        for standard in c99 c11 c17; do
            "$compiler" -std=$standard -pedantic-errors -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror \
                -I "$LIMBER_SOURCE_DIR/include" -fsyntax-only alone.c
        done
        echo "$name: C with $compiler"
    done
    for compiler in "${CXX:-c++}" g++ clang++; do
        command -v "$compiler" >/dev/null 2>&1 || continue
        for standard in c++11 c++20; do
            "$compiler" -std=$standard -pedantic-errors -Wall -Wextra -Wshadow -Werror -I "$LIMBER_SOURCE_DIR/include" \
                -fsyntax-only alone.cpp
        done
        echo "$name: C++ with $compiler"
    done
done

project=$(sed -n 's/^project(limber VERSION \([0-9.]*\).*/\1/p' "$LIMBER_SOURCE_DIR/CMakeLists.txt")
header=$(sed -n 's/.*LB_VERSION_TEXT "\(.*\)"/\1/p' "$LIMBER_SOURCE_DIR/include/limber/limber.h")
parts=$(sed -n 's/.*LB_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' "$LIMBER_SOURCE_DIR/include/limber/limber.h" | tr '\n' . |
    sed 's/\.$//')
if [ "$project" != "$header" ] || [ "$project" != "$parts" ]; then
    echo "versions differ: CMakeLists.txt has $project, limber.h $header and $parts"
    exit 1
fi
