// SPDX-License-Identifier: Apache-2.0
// Doubles as bits: what number_bits.h and the functions above it are to know of the type.
#ifndef HEDDLE_HLS_RUNTIME_DOUBLE_BITS_H
#define HEDDLE_HLS_RUNTIME_DOUBLE_BITS_H

#include <stdint.h>

typedef double number;
typedef uint64_t word;  // its bits
typedef int64_t signed_word;

#define FRACTION_BITS 52
#define EXPONENT_BIAS 1023
#define LEADING_ZEROS(x) __builtin_clzll(x)
#define MATHS(name) RUNTIME(name)  // the function of C's maths library for this type

#include "hls/lib/runtime/number_bits.h"

#endif
