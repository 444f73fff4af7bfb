// SPDX-License-Identifier: Apache-2.0
// What functions of float and double have in common is written once (number_maths.h, remainder.h): for float.
#ifndef HEDDLE_HLS_LIB_FLOAT_TYPE_H
#define HEDDLE_HLS_LIB_FLOAT_TYPE_H

#define NUMBER float
#define AS_NUMBER(bits) as_float(bits)
#define WORD uint  // its bits
#define AS_WORD(x) as_uint(x)
#define AS_SIGNED(x) as_int(x)
#define FRACTION_BITS 23
#define EXPONENT_BIAS 127
#define LEADING_ZEROS(word) __builtin_clz(word)
#define BUILTIN(name) __builtin_##name##f

#include "hls/lib/number_type.h"

#endif
