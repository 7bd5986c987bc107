#!/bin/sh
# The core compiles unchanged to WebAssembly, without a warning (-O0: ./dev web compiles it for speed). Needs clang and Debian's wasi-libc (headers alone).
set -eu
command -v clang >/dev/null 2>&1 || { echo "skipped: there is no clang"; exit 77; }
printf '#include <string.h>\nint main(void) { return 0; }\n' >probe.c
if ! clang --target=wasm32-wasi -c probe.c -o probe.o 2>/dev/null; then
    echo "skipped: clang cannot compile for wasm32-wasi (Debian: apt-get install wasi-libc)"
    exit 77
fi
count=0
for source in $(cd "$LIMBER_SOURCE_DIR/src" && find math figure closed reach problem solve motion -name '*.c'); do
    clang --target=wasm32-wasi -std=c11 -O0 -ffp-contract=off -fno-math-errno -Wall -Wextra -Werror \
        -I "$LIMBER_SOURCE_DIR/include" -I "$LIMBER_SOURCE_DIR/src" -c "$LIMBER_SOURCE_DIR/src/$source" -o "$(basename "$source").o"
    count=$((count + 1))
done
[ "$count" -gt 0 ]
echo "$count files compiled to WebAssembly"
