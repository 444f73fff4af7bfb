// SPDX-License-Identifier: Apache-2.0
// What functions of float and double have in common is written once (number_maths.h, remainder.h): for double.
#ifndef HEDDLE_HLS_LIB_DOUBLE_TYPE_H
#define HEDDLE_HLS_LIB_DOUBLE_TYPE_H

#define NUMBER double
#define AS_NUMBER(bits) as_double(bits)
#define WORD ulong  // its bits
#define AS_WORD(x) as_ulong(x)
#define AS_SIGNED(x) as_long(x)
#define FRACTION_BITS 52
#define EXPONENT_BIAS 1023
#define LEADING_ZEROS(word) __builtin_clzl(word)
#define BUILTIN(name) __builtin_##name

#include "hls/lib/number_type.h"

#endif
