#!/bin/sh
# The core compiles unchanged to WebAssembly, without a warning (-O0: ./dev web compiles it for speed). Needs clang and Debian's wasi-libc (headers alone).
set -eu
command -v clang >/dev/null 2>&1 || { echo "skipped: there is no clang"; exit 77; }
printf '#include <string.h>\nint main(void) { return 0; }\n' >probe.c
if ! clang --target=wasm32-wasi -c probe.c -o probe.o 2>/dev/null; then
    echo "skipped: clang cannot compile for wasm32-wasi (Debian: apt-get install wasi-libc)"
    exit 77
fi
# shellcheck source=tests/core.sh
. "$LIMBER_SOURCE_DIR/tests/core.sh"
compile_core objects clang --target=wasm32-wasi -std=c11 -O0 -ffp-contract=off -fno-math-errno -Wall -Wextra -Werror
echo "$(cat objects/*.c | wc -l) files compiled to WebAssembly"
