// SPDX-License-Identifier: Apache-2.0
// Minimum and maximum of doubles by collectives: longs of the same order. -0 is below +0, a NaN becomes the identity,
// so that of NaNs alone comes the identity, which the first lane of an exclusive scan has to get too (float_order.h).
#ifndef HEDDLE_HLS_LIB_DOUBLE_ORDER_H
#define HEDDLE_HLS_LIB_DOUBLE_ORDER_H

#include "hls/lib/device.h"

// Its own inverse.
static inline __attribute__((always_inline)) long order_of_double(long bits) {
  return bits ^ ((bits >> 63) & LONG_MAX);
}

static inline __attribute__((always_inline)) long double_ordered_unless_nan(double x, long identity) {
  return (as_ulong(x) & LONG_MAX) > 0x7FF0000000000000 ? identity : order_of_double(as_long(x));
}

// The identities, in that order: of min +INF, of max -INF.
#define DOUBLE_INFINITY_ORDERED 0x7FF0000000000000
#define DOUBLE_MINUS_INFINITY_ORDERED ((long)0x800FFFFFFFFFFFFF)

// `fold` is the collective of long, `operation` the one it makes.
#define DOUBLE_COLLECTIVE(fold, operation, identity, x) \
  as_double(order_of_double(operation(fold(double_ordered_unless_nan(x, identity)), (long)(identity))))

#endif
