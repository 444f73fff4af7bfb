// SPDX-License-Identifier: Apache-2.0
// Minimum and maximum of double over work-groups, sub-groups and their active work-items (OpenCL C 3.0, sections 6.15.16
// and 6.15.19; cl_khr_subgroup_non_uniform_arithmetic): those of longs of the same order. Sums are in
// collective_trees.cl and active_set.cl.
#include "hls/lib/double_order.h"

// clang declares a built-in function by itself only where no other of its name is declared.
#define FUNCTION(name, operation, identity)                            \
  long __attribute__((overloadable, convergent)) name(long value);     \
  double BUILTIN name(double value) {                                  \
    return DOUBLE_COLLECTIVE(name, operation, identity, value);        \
  }
#define FUNCTIONS(group, operation, identity)                          \
  FUNCTION(group##_reduce_##operation, operation, identity)            \
  FUNCTION(group##_scan_inclusive_##operation, operation, identity)    \
  FUNCTION(group##_scan_exclusive_##operation, operation, identity)
#define MINIMUM_AND_MAXIMUM(group)                                     \
  FUNCTIONS(group, min, DOUBLE_INFINITY_ORDERED)                       \
  FUNCTIONS(group, max, DOUBLE_MINUS_INFINITY_ORDERED)
MINIMUM_AND_MAXIMUM(sub_group)
MINIMUM_AND_MAXIMUM(sub_group_non_uniform)
MINIMUM_AND_MAXIMUM(work_group)
