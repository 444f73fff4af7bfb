// SPDX-License-Identifier: Apache-2.0
// Work-group and sub-group collective functions for int and uint, minimum and maximum of float; those of sub-groups for long
// and ulong: OpenCL C 3.0, sections
// 6.15.16 and 6.15.19; and those of the active work-items of a sub-group, cl_khr_subgroup_non_uniform_vote and
// _non_uniform_arithmetic. Each is one instruction, of 64 bits two. And those of cl_khr_subgroup_extended_types for the types that fit
// into these.
#include "hls/lib/float_order.h"

// How a type's values go through the tree.
#define ONE_WORD(scope, mode, op, type, type_code, value) COLLECTIVE(type, scope, mode, op, type_code, value, 0)
#define TWO_WORDS(scope, mode, op, type, type_code, value) (type)WIDE_COLLECTIVE(scope, mode, op, type_code, value)

#define COLLECTIVE_FUNCTION(group, scope, name, mode, operation, op, words, type, type_code) \
  type BUILTIN group##_##name##_##operation(type value) {                                     \
    return words(scope, mode, op, type, type_code, value);                                    \
  }

#define FOR_MODES(group, scope, operation, op, words, type, type_code)                                         \
  COLLECTIVE_FUNCTION(group, scope, reduce, MODE_REDUCE, operation, op, words, type, type_code)                 \
  COLLECTIVE_FUNCTION(group, scope, scan_inclusive, MODE_SCAN_INCLUSIVE, operation, op, words, type, type_code) \
  COLLECTIVE_FUNCTION(group, scope, scan_exclusive, MODE_SCAN_EXCLUSIVE, operation, op, words, type, type_code)

#define FOR_OPERATIONS(group, scope, words, type, type_code)       \
  FOR_MODES(group, scope, add, OP_ADD, words, type, type_code)     \
  FOR_MODES(group, scope, min, OP_MIN, words, type, type_code)     \
  FOR_MODES(group, scope, max, OP_MAX, words, type, type_code)

FOR_OPERATIONS(sub_group, SCOPE_SUB_GROUP, ONE_WORD, int, TYPE_INT)
FOR_OPERATIONS(sub_group, SCOPE_SUB_GROUP, ONE_WORD, uint, TYPE_UINT)
FOR_OPERATIONS(sub_group, SCOPE_SUB_GROUP, TWO_WORDS, long, TYPE_INT)
FOR_OPERATIONS(sub_group, SCOPE_SUB_GROUP, TWO_WORDS, ulong, TYPE_UINT)
FOR_OPERATIONS(sub_group_non_uniform, SCOPE_ACTIVE, ONE_WORD, int, TYPE_INT)
FOR_OPERATIONS(sub_group_non_uniform, SCOPE_ACTIVE, ONE_WORD, uint, TYPE_UINT)
FOR_OPERATIONS(sub_group_non_uniform, SCOPE_ACTIVE, TWO_WORDS, long, TYPE_INT)
FOR_OPERATIONS(sub_group_non_uniform, SCOPE_ACTIVE, TWO_WORDS, ulong, TYPE_UINT)
FOR_OPERATIONS(work_group, SCOPE_WORK_GROUP, ONE_WORD, int, TYPE_INT)
FOR_OPERATIONS(work_group, SCOPE_WORK_GROUP, ONE_WORD, uint, TYPE_UINT)

#define FLOAT_FUNCTION(group, scope, name, mode, operation, op, identity)  \
  float BUILTIN group##_##name##_##operation(float x) {                    \
    return FLOAT_COLLECTIVE(scope, mode, operation, op, identity, x);      \
  }

#define FLOAT_FUNCTIONS(group, scope, operation, op, identity)                               \
  FLOAT_FUNCTION(group, scope, reduce, MODE_REDUCE, operation, op, identity)                 \
  FLOAT_FUNCTION(group, scope, scan_inclusive, MODE_SCAN_INCLUSIVE, operation, op, identity) \
  FLOAT_FUNCTION(group, scope, scan_exclusive, MODE_SCAN_EXCLUSIVE, operation, op, identity)

FLOAT_FUNCTIONS(sub_group, SCOPE_SUB_GROUP, min, OP_MIN, INFINITY_ORDERED)
FLOAT_FUNCTIONS(sub_group, SCOPE_SUB_GROUP, max, OP_MAX, MINUS_INFINITY_ORDERED)
FLOAT_FUNCTIONS(sub_group_non_uniform, SCOPE_ACTIVE, min, OP_MIN, INFINITY_ORDERED)
FLOAT_FUNCTIONS(sub_group_non_uniform, SCOPE_ACTIVE, max, OP_MAX, MINUS_INFINITY_ORDERED)
FLOAT_FUNCTIONS(work_group, SCOPE_WORK_GROUP, min, OP_MIN, INFINITY_ORDERED)
FLOAT_FUNCTIONS(work_group, SCOPE_WORK_GROUP, max, OP_MAX, MINUS_INFINITY_ORDERED)

// Narrower types. A sum wraps when it is narrowed; a minimum and a maximum fit, but for the identity that the first
// lane of an exclusive scan gets.
#define NARROW_FUNCTION(group, name, operation, type, wide, narrowed) \
  type BUILTIN group##_##name##_##operation(type value) {             \
    wide x = group##_##name##_##operation((wide)value);               \
    return (type)(narrowed);                                          \
  }

#define FOR_NARROW_OF(group, type, wide, lowest, highest)                          \
  NARROW_FUNCTION(group, reduce, add, type, wide, x)                               \
  NARROW_FUNCTION(group, reduce, min, type, wide, x)                               \
  NARROW_FUNCTION(group, reduce, max, type, wide, x)                               \
  NARROW_FUNCTION(group, scan_inclusive, add, type, wide, x)                       \
  NARROW_FUNCTION(group, scan_inclusive, min, type, wide, x)                       \
  NARROW_FUNCTION(group, scan_inclusive, max, type, wide, x)                       \
  NARROW_FUNCTION(group, scan_exclusive, add, type, wide, x)                       \
  NARROW_FUNCTION(group, scan_exclusive, min, type, wide, min(x, (wide)(highest))) \
  NARROW_FUNCTION(group, scan_exclusive, max, type, wide, max(x, (wide)(lowest)))

#define FOR_NARROW(type, wide, lowest, highest)           \
  FOR_NARROW_OF(sub_group, type, wide, lowest, highest)   \
  FOR_NARROW_OF(sub_group_non_uniform, type, wide, lowest, highest)

FOR_NARROW(char, int, CHAR_MIN, CHAR_MAX)
FOR_NARROW(uchar, uint, 0, UCHAR_MAX)
FOR_NARROW(short, int, SHRT_MIN, SHRT_MAX)
FOR_NARROW(ushort, uint, 0, USHRT_MAX)

#define VOTES(group, scope)                                          \
  int BUILTIN group##_all(int predicate) {                           \
    return COLLECTIVE(int, scope, MODE_ALL, 0, 0, predicate, 0);     \
  }                                                                  \
  int BUILTIN group##_any(int predicate) {                           \
    return COLLECTIVE(int, scope, MODE_ANY, 0, 0, predicate, 0);     \
  }

VOTES(sub_group, SCOPE_SUB_GROUP)
VOTES(sub_group_non_uniform, SCOPE_ACTIVE)
VOTES(work_group, SCOPE_WORK_GROUP)
