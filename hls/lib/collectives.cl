// SPDX-License-Identifier: Apache-2.0
// Work-group and sub-group collective functions for int and uint: OpenCL C 3.0, sections 6.15.16 and 6.15.19. Each is
// one instruction.
#include "hls/lib/device.h"

#define COLLECTIVE_FUNCTION(group, scope, name, mode, operation, op, type, type_code) \
  type BUILTIN group##_##name##_##operation(type value) {                             \
    return COLLECTIVE(type, scope, mode, op, type_code, value, 0);                    \
  }

#define FOR_MODES(group, scope, operation, op, type, type_code)                                               \
  COLLECTIVE_FUNCTION(group, scope, reduce, MODE_REDUCE, operation, op, type, type_code)                      \
  COLLECTIVE_FUNCTION(group, scope, scan_inclusive, MODE_SCAN_INCLUSIVE, operation, op, type, type_code)      \
  COLLECTIVE_FUNCTION(group, scope, scan_exclusive, MODE_SCAN_EXCLUSIVE, operation, op, type, type_code)

#define FOR_OPERATIONS(group, scope, type, type_code)       \
  FOR_MODES(group, scope, add, OP_ADD, type, type_code)     \
  FOR_MODES(group, scope, min, OP_MIN, type, type_code)     \
  FOR_MODES(group, scope, max, OP_MAX, type, type_code)

FOR_OPERATIONS(sub_group, SCOPE_SUB_GROUP, int, TYPE_INT)
FOR_OPERATIONS(sub_group, SCOPE_SUB_GROUP, uint, TYPE_UINT)
FOR_OPERATIONS(work_group, SCOPE_WORK_GROUP, int, TYPE_INT)
FOR_OPERATIONS(work_group, SCOPE_WORK_GROUP, uint, TYPE_UINT)

#define VOTES(group, scope)                                          \
  int BUILTIN group##_all(int predicate) {                           \
    return COLLECTIVE(int, scope, MODE_ALL, 0, 0, predicate, 0);     \
  }                                                                  \
  int BUILTIN group##_any(int predicate) {                           \
    return COLLECTIVE(int, scope, MODE_ANY, 0, 0, predicate, 0);     \
  }

VOTES(sub_group, SCOPE_SUB_GROUP)
VOTES(work_group, SCOPE_WORK_GROUP)

// Work-items of a work-group are named by their linear local id.
#define BROADCASTS(type)                                                                                          \
  type BUILTIN sub_group_broadcast(type value, uint source) {                                                     \
    return COLLECTIVE(type, SCOPE_SUB_GROUP, MODE_BROADCAST, 0, 0, value, source);                                \
  }                                                                                                               \
  type BUILTIN work_group_broadcast(type value, size_t x) {                                                       \
    return COLLECTIVE(type, SCOPE_WORK_GROUP, MODE_BROADCAST, 0, 0, value, x);                                    \
  }                                                                                                               \
  type BUILTIN work_group_broadcast(type value, size_t x, size_t y) {                                             \
    return COLLECTIVE(type, SCOPE_WORK_GROUP, MODE_BROADCAST, 0, 0, value, y * get_local_size(0) + x);            \
  }                                                                                                               \
  type BUILTIN work_group_broadcast(type value, size_t x, size_t y, size_t z) {                                   \
    return COLLECTIVE(type, SCOPE_WORK_GROUP, MODE_BROADCAST, 0, 0, value,                                        \
                      (z * get_local_size(1) + y) * get_local_size(0) + x);                                       \
  }

BROADCASTS(int)
BROADCASTS(uint)
