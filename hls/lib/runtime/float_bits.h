// SPDX-License-Identifier: Apache-2.0
// Floats as bits: what number_bits.h and the functions above it are to know of the type.
#ifndef HEDDLE_HLS_RUNTIME_FLOAT_BITS_H
#define HEDDLE_HLS_RUNTIME_FLOAT_BITS_H

#include <stdint.h>

typedef float number;
typedef uint32_t word;  // its bits
typedef int32_t signed_word;

#define FRACTION_BITS 23
#define EXPONENT_BIAS 127
#define LEADING_ZEROS(x) __builtin_clz(x)
#define MATHS(name) RUNTIME(name##f)  // the function of C's maths library for this type

#include "hls/lib/runtime/number_bits.h"

#endif
