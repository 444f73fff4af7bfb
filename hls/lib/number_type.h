// SPDX-License-Identifier: Apache-2.0
// The encoding of NUMBER, a floating-point type that float_type.h or double_type.h describes.
#ifndef HEDDLE_HLS_LIB_NUMBER_TYPE_H
#define HEDDLE_HLS_LIB_NUMBER_TYPE_H

#define SIGN_BIT ((WORD)1 << (8 * sizeof(WORD) - 1))
#define IMPLIED_ONE ((WORD)1 << FRACTION_BITS)  // of a number that is not subnormal; also 1 in the exponent field
#define INFINITY_BITS (SIGN_BIT - IMPLIED_ONE)
#define QUIET_BIT (IMPLIED_ONE >> 1)
#define ONE_BITS ((WORD)EXPONENT_BIAS << FRACTION_BITS)

#define QUIET_NAN AS_NUMBER(INFINITY_BITS | QUIET_BIT)
#define MAGNITUDE(x) (AS_WORD(x) & ~SIGN_BIT)

#endif
