// SPDX-License-Identifier: Apache-2.0
// Functions of vectors of a type, run on the golden model, against those of their elements.
#ifndef HEDDLE_TESTS_HLS_VECTOR_FUNCTIONS_H
#define HEDDLE_TESTS_HLS_VECTOR_FUNCTIONS_H

#include "tests/hls/expressions.h"

enum { VECTOR_ELEMENTS = 48 };

// Operands are that many.
void expect_functions_of_elements(const struct operands *operands);

#endif
