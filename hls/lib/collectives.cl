// SPDX-License-Identifier: Apache-2.0
// Reductions and scans that the device has instructions for (contract/collectives.h): of int, uint and, of sub-groups and
// active work-items, long and ulong; minimum and maximum of float; votes. OpenCL C 3.0, sections 6.15.16 and 6.15.19;
// cl_khr_subgroup_non_uniform_vote and _non_uniform_arithmetic; and those of cl_khr_subgroup_extended_types for the types that
// fit into these. Each is one instruction, of 64 bits two. OpenCL has bitwise ones of active work-items only; those of whole
// sub-groups and work-groups are for SYCL.
#include "hls/lib/float_order.h"

// How a type's values go through the tree.
#define ONE_WORD(scope, mode, op, type, type_code, value) COLLECTIVE(type, scope, mode, op, type_code, value, 0)
#define TWO_WORDS(scope, mode, op, type, type_code, value) (type)WIDE_COLLECTIVE(scope, mode, op, type_code, value)

#define COLLECTIVE_FUNCTION(group, scope, name, mode, operation, op, words, type, type_code) \
  type BUILTIN group##_##name##_##operation(type value) {                                     \
    return words(scope, mode, op, type, type_code, value);                                    \
  }

#define FOR_OPERATOR(NAME, operation, number, group, scope, words, type, type_code)                                  \
  COLLECTIVE_FUNCTION(group, scope, reduce, HEDDLE_MODE_REDUCE, operation, number, words, type, type_code)            \
  COLLECTIVE_FUNCTION(group, scope, scan_inclusive, HEDDLE_MODE_INCLUSIVE, operation, number, words, type, type_code) \
  COLLECTIVE_FUNCTION(group, scope, scan_exclusive, HEDDLE_MODE_EXCLUSIVE, operation, number, words, type, type_code)

HEDDLE_COLLECTIVE_OPERATORS(FOR_OPERATOR, sub_group, HEDDLE_SCOPE_SUB_GROUP, ONE_WORD, int, HEDDLE_TYPE_INT)
HEDDLE_COLLECTIVE_OPERATORS(FOR_OPERATOR, sub_group, HEDDLE_SCOPE_SUB_GROUP, ONE_WORD, uint, HEDDLE_TYPE_UINT)
HEDDLE_COLLECTIVE_OPERATORS(FOR_OPERATOR, sub_group, HEDDLE_SCOPE_SUB_GROUP, TWO_WORDS, long, HEDDLE_TYPE_INT)
HEDDLE_COLLECTIVE_OPERATORS(FOR_OPERATOR, sub_group, HEDDLE_SCOPE_SUB_GROUP, TWO_WORDS, ulong, HEDDLE_TYPE_UINT)
HEDDLE_COLLECTIVE_OPERATORS(FOR_OPERATOR, sub_group_non_uniform, HEDDLE_SCOPE_ACTIVE, ONE_WORD, int, HEDDLE_TYPE_INT)
HEDDLE_COLLECTIVE_OPERATORS(FOR_OPERATOR, sub_group_non_uniform, HEDDLE_SCOPE_ACTIVE, ONE_WORD, uint, HEDDLE_TYPE_UINT)
HEDDLE_COLLECTIVE_OPERATORS(FOR_OPERATOR, sub_group_non_uniform, HEDDLE_SCOPE_ACTIVE, TWO_WORDS, long, HEDDLE_TYPE_INT)
HEDDLE_COLLECTIVE_OPERATORS(FOR_OPERATOR, sub_group_non_uniform, HEDDLE_SCOPE_ACTIVE, TWO_WORDS, ulong, HEDDLE_TYPE_UINT)
HEDDLE_COLLECTIVE_OPERATORS(FOR_OPERATOR, work_group, HEDDLE_SCOPE_WORK_GROUP, ONE_WORD, int, HEDDLE_TYPE_INT)
HEDDLE_COLLECTIVE_OPERATORS(FOR_OPERATOR, work_group, HEDDLE_SCOPE_WORK_GROUP, ONE_WORD, uint, HEDDLE_TYPE_UINT)

// Of a work-group, 64 bits are two words only where these do not hang together. What the others are made of is in
// collective_trees.cl.
#define WORK_GROUP_BITS(NAME, operation, number, type)                                                     \
  FOR_OPERATOR(NAME, operation, number, work_group, HEDDLE_SCOPE_WORK_GROUP, TWO_WORDS, type, HEDDLE_TYPE_BITS)
HEDDLE_BITWISE_OPERATORS(WORK_GROUP_BITS, long)
HEDDLE_BITWISE_OPERATORS(WORK_GROUP_BITS, ulong)

#define FLOAT_FUNCTION(group, scope, name, mode, operation, op, identity)  \
  float BUILTIN group##_##name##_##operation(float x) {                    \
    return FLOAT_COLLECTIVE(scope, mode, operation, op, identity, x);      \
  }

#define FLOAT_FUNCTIONS(group, scope, operation, op, identity)                               \
  FLOAT_FUNCTION(group, scope, reduce, HEDDLE_MODE_REDUCE, operation, op, identity)                 \
  FLOAT_FUNCTION(group, scope, scan_inclusive, HEDDLE_MODE_INCLUSIVE, operation, op, identity) \
  FLOAT_FUNCTION(group, scope, scan_exclusive, HEDDLE_MODE_EXCLUSIVE, operation, op, identity)

FLOAT_FUNCTIONS(sub_group, HEDDLE_SCOPE_SUB_GROUP, min, HEDDLE_OP_MIN, INFINITY_ORDERED)
FLOAT_FUNCTIONS(sub_group, HEDDLE_SCOPE_SUB_GROUP, max, HEDDLE_OP_MAX, MINUS_INFINITY_ORDERED)
FLOAT_FUNCTIONS(sub_group_non_uniform, HEDDLE_SCOPE_ACTIVE, min, HEDDLE_OP_MIN, INFINITY_ORDERED)
FLOAT_FUNCTIONS(sub_group_non_uniform, HEDDLE_SCOPE_ACTIVE, max, HEDDLE_OP_MAX, MINUS_INFINITY_ORDERED)
FLOAT_FUNCTIONS(work_group, HEDDLE_SCOPE_WORK_GROUP, min, HEDDLE_OP_MIN, INFINITY_ORDERED)
FLOAT_FUNCTIONS(work_group, HEDDLE_SCOPE_WORK_GROUP, max, HEDDLE_OP_MAX, MINUS_INFINITY_ORDERED)

// Narrower types. A sum wraps when it is narrowed, bits are taken away; a minimum and a maximum fit, but for the identity
// that the first lane of an exclusive scan gets.
#define NARROW_FUNCTION(group, name, operation, number, type, wide, lowest, highest)             \
  type BUILTIN group##_##name##_##operation(type value) {                                        \
    wide x = group##_##name##_##operation((wide)value);                                          \
    return (type)(number == HEDDLE_OP_MIN   ? min(x, (wide)(highest))                            \
                  : number == HEDDLE_OP_MAX ? max(x, (wide)(lowest))                             \
                                            : x);                                                \
  }
#define NARROW_FUNCTIONS(NAME, operation, number, group, type, wide, lowest, highest)             \
  NARROW_FUNCTION(group, reduce, operation, HEDDLE_OP_ADD, type, wide, lowest, highest)           \
  NARROW_FUNCTION(group, scan_inclusive, operation, HEDDLE_OP_ADD, type, wide, lowest, highest)   \
  NARROW_FUNCTION(group, scan_exclusive, operation, number, type, wide, lowest, highest)
#define FOR_NARROW(type, wide, lowest, highest)                                                   \
  HEDDLE_COLLECTIVE_OPERATORS(NARROW_FUNCTIONS, sub_group, type, wide, lowest, highest)           \
  HEDDLE_COLLECTIVE_OPERATORS(NARROW_FUNCTIONS, sub_group_non_uniform, type, wide, lowest, highest)

FOR_NARROW(char, int, CHAR_MIN, CHAR_MAX)
FOR_NARROW(uchar, uint, 0, UCHAR_MAX)
FOR_NARROW(short, int, SHRT_MIN, SHRT_MAX)
FOR_NARROW(ushort, uint, 0, USHRT_MAX)

#define VOTES(group, scope)                                          \
  int BUILTIN group##_all(int predicate) {                           \
    return COLLECTIVE(int, scope, HEDDLE_MODE_ALL, 0, 0, predicate, 0);     \
  }                                                                  \
  int BUILTIN group##_any(int predicate) {                           \
    return COLLECTIVE(int, scope, HEDDLE_MODE_ANY, 0, 0, predicate, 0);     \
  }

VOTES(sub_group, HEDDLE_SCOPE_SUB_GROUP)
VOTES(sub_group_non_uniform, HEDDLE_SCOPE_ACTIVE)
VOTES(work_group, HEDDLE_SCOPE_WORK_GROUP)
