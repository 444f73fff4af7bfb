// SPDX-License-Identifier: Apache-2.0
// Minimum and maximum of floats by collectives: -0 is below +0, NaNs contribute nothing, so that of NaNs alone comes
// the identity. Without float instructions, floats become ints of the same order; NaNs become the identity, which the
// first lane of an exclusive scan has to get too.
#ifndef HEDDLE_HLS_LIB_FLOAT_ORDER_H
#define HEDDLE_HLS_LIB_FLOAT_ORDER_H

#include "hls/lib/device.h"

static inline __attribute__((always_inline)) int order_of_float(int bits) {
  return bits ^ ((bits >> 31) & 0x7FFFFFFF);
}

static inline __attribute__((always_inline)) int ordered_unless_nan(float x, int identity) {
  return (as_uint(x) & 0x7FFFFFFF) > 0x7F800000 ? identity : order_of_float(as_int(x));
}

// The identities, in that order: of min +INF, of max -INF.
#define INFINITY_ORDERED 0x7F800000
#define MINUS_INFINITY_ORDERED ((int)0x807FFFFF)

#define FLOAT_COLLECTIVE(scope, mode, operation, op, identity, x)                      \
  (__heddle_has_float_unit                                                             \
       ? as_float(COLLECTIVE(uint, scope, mode, op, HEDDLE_TYPE_FLOAT, as_uint(x), 0)) \
       : as_float(order_of_float(operation(                                            \
             COLLECTIVE(int, scope, mode, op, HEDDLE_TYPE_INT, ordered_unless_nan(x, identity), 0), identity))))

#endif
