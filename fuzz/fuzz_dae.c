/* Any bytes as COLLADA: see fuzz_mesh.h. */
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return try_mesh("input.dae", data, size); }
