// SPDX-License-Identifier: Apache-2.0
// Vector data load and store functions; those of half are in half_memory.cl.
#include "hls/lib/vector_memory.h"

FOR_INTEGERS(VECTOR_MEMORY)
VECTOR_MEMORY(float)
VECTOR_MEMORY(double)
