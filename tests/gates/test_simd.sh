#!/bin/sh
# Vector code goes through math/simd.h: target pragmas, intrinsics and vector types stand in no other file.
set -eu

# wrong FOLDER: all lines below FOLDER that have any of these, but for the header's.
wrong() {
    grep -rnE '#[[:space:]]*pragma[[:space:]]+(GCC|clang)|_Pragma|immintrin\.h|arm_neon\.h|wasm_simd128\.h|vector_size|_mm[0-9]*_[a-z]|__attribute__\(\((__)?target' \
        --include='*.[ch]' "$1" | grep -v '/math/simd\.h:' || true
}

# The gate itself must be able to say no.
mkdir -p sample/math sample/solve
echo '#pragma GCC target("avx2")' >sample/solve/pragma.c
echo 'typedef double pair __attribute__((vector_size(16)));' >sample/solve/type.h
echo 'x = _mm256_add_pd(y, z);' >sample/solve/intrinsic.c
echo '#include <immintrin.h>' >sample/math/simd.h
echo 'LBM_TARGET_BEGIN' >sample/solve/well.c
if [ "$(wrong sample | wc -l)" != 3 ]; then
    echo "the gate does not tell vector code from other code:"
    wrong sample
    exit 1
fi

found=$(cd "$LIMBER_SOURCE_DIR" && wrong src)
if [ -n "$found" ]; then
    echo "These belong in src/math/simd.h:"
    echo "$found"
    exit 1
fi
echo "All vector code goes through math/simd.h."
