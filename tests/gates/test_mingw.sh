#!/bin/sh
# The core compiles for Windows with mingw-w64, warnings as errors: as a static library (with LIMBER_TEST_LONG by the project's
# own CMake files), and by them as a DLL that exports what the headers promise and nothing else. A program is linked with
# each; it is run where there is wine.
set -eu

command -v x86_64-w64-mingw32-gcc >/dev/null || { echo "skipped: there is no x86_64-w64-mingw32-gcc (Debian: gcc-mingw-w64-x86-64)"; exit 77; }
command -v cmake >/dev/null || { echo "skipped: there is no cmake"; exit 77; }

cat >program.c <<TEXT
#include <limber/motion.h>
#include <string.h>

int main(void) {
    lb_error error;
    lb_result result;
    lb_result_defaults(&result);
    if (result.struct_size != sizeof result || strcmp(lb_version(), LB_VERSION_TEXT) != 0) {
        return 1;
    }
    return lb_problem_create(NULL, &error) != NULL || error.status != LB_ERROR_ARGUMENT;
}
TEXT

# shellcheck source=tests/core.sh
. "$LIMBER_SOURCE_DIR/tests/core.sh"

# build FOLDER SHARED: the core by the project's own CMake files. Debug: it compiles fastest.
build() {
    rm -rf "$1"
    cmake -S "$LIMBER_SOURCE_DIR" -B "$1" -G Ninja -DCMAKE_SYSTEM_NAME=Windows \
        -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DLIMBER_IO=OFF -DLIMBER_TESTS=OFF \
        -DLIMBER_WERROR=ON -DBUILD_SHARED_LIBS="$2" >"$1.log" 2>&1 || { cat "$1.log"; exit 1; }
    cmake --build "$1" >"$1.log" 2>&1 || { cat "$1.log"; exit 1; }
}

# link OUT OPTION... : the program, with warnings as errors.
link() {
    out=$1
    shift
    x86_64-w64-mingw32-gcc -std=c99 -Wall -Wextra -Werror -pedantic -I"$LIMBER_SOURCE_DIR/include" program.c -o "$out" "$@"
}

if [ -n "${LIMBER_TEST_LONG:-}" ]; then
    build static OFF
else
    compile_core static x86_64-w64-mingw32-gcc -std=c11 -O0 -ffp-contract=off -fno-math-errno -Wall -Wextra -Wshadow \
        -Wstrict-prototypes -Wmissing-prototypes -Werror -DLIMBER_THREADS -pthread
    x86_64-w64-mingw32-ar qc static/liblimber.a static/*.o
fi
link static.exe static/liblimber.a -pthread -static
build shared ON
link shared.exe -DLIMBER_SHARED shared/liblimber.dll.a

for header in "$LIMBER_SOURCE_DIR"/include/limber/*.h; do
    [ "${header##*/}" = io.h ] || cat "$header" # all headers but io.h are the core's
done | tr '\n' ' ' | grep -o 'LB_API [^(;]*(' |
    sed -n 's/.*[ *]\(lb_[a-z0-9_]*\) *($/\1/p' | sort -u >declared
x86_64-w64-mingw32-objdump -p shared/liblimber*.dll |
    awk '/\[Ordinal\/Name Pointer\] Table/ { in_table = 1; next } in_table && !/\[/ { in_table = 0 } in_table { print $NF }' |
    sort -u >exported
[ -s declared ] || { echo "no LB_API function was found in the headers"; exit 1; }
if ! diff declared exported >difference; then
    echo "The DLL does not export what the headers declare (<), or exports more (>):"
    cat difference
    exit 1
fi
echo "$(wc -l <exported) functions are exported"

if command -v wine >/dev/null; then
    wine static.exe
    cp shared/liblimber*.dll .
    wine shared.exe
fi
