// SPDX-License-Identifier: Apache-2.0
// Expressions of OpenCL C, evaluated on the golden model for many numbers of a type.
#ifndef HEDDLE_TESTS_HLS_EXPRESSIONS_H
#define HEDDLE_TESTS_HLS_EXPRESSIONS_H

#include <stddef.h>
#include <stdint.h>

// What expressions are of: x, y and z.
struct operands {
  const char *type;                    // half, float or double
  const char *integer;                 // the integer type of its size; the unsigned one has a u in front
  const char *option;                  // of heddlec, or NULL
  size_t bytes;                        // of one
  double (*value_of)(const void *at);  // what one is
  void *in[3];
  // Called before an expression is evaluated, to change what is in `in`; NULL: nothing.
  void (*prepare)(int index, uint32_t points);
};

// Evaluates expressions, in which T, T2, T3 and T4 are the operands' type and its vectors and as_uT is as_uint or its
// like, which lie `stride` bytes apart, each the first member of something. `type` is that of the
// results, each of `type_bytes`. check() finds the results of one expression after the other in `out`, and gets its
// index. `points` is a multiple of 64.
void evaluate(const struct operands *operands, const void *expressions, size_t stride, int count, const char *type,
              size_t type_bytes, uint32_t points, void *out, void (*check)(int index, uint32_t points));

#endif
