// SPDX-License-Identifier: Apache-2.0
// Broadcasts, one instruction for each 32-bit word: OpenCL C 3.0, sections 6.15.16 and 6.15.19, and
// cl_khr_subgroup_extended_types.
#include "hls/lib/device.h"

// A word from one work-item to its sub-group or work-group. Work-items of a work-group are named by their linear local
// id.
#define WORD(scope, word, source) COLLECTIVE(uint, scope, HEDDLE_MODE_BROADCAST, 0, 0, word, source)
#define WORDS_1(type, scope, x, source) as_##type(WORD(scope, as_uint(x), source))
#define WORDS_2(type, scope, x, source)                                                           \
  ({                                                                                              \
    ulong words = as_ulong(x);                                                                    \
    uint low = WORD(scope, (uint)words, source), high = WORD(scope, (uint)(words >> 32), source); \
    as_##type(upsample(high, low));                                                               \
  })

#define SUB_GROUP(type, words)                            \
  type BUILTIN sub_group_broadcast(type x, uint source) { \
    return words(type, HEDDLE_SCOPE_SUB_GROUP, x, source);       \
  }

#define WORK_GROUP(type, words)                                                          \
  type BUILTIN work_group_broadcast(type a, size_t x) {                                  \
    return words(type, HEDDLE_SCOPE_WORK_GROUP, a, x);                                          \
  }                                                                                      \
  type BUILTIN work_group_broadcast(type a, size_t x, size_t y) {                        \
    return work_group_broadcast(a, y * get_local_size(0) + x);                           \
  }                                                                                      \
  type BUILTIN work_group_broadcast(type a, size_t x, size_t y, size_t z) {              \
    return work_group_broadcast(a, (z * get_local_size(1) + y) * get_local_size(0) + x); \
  }

// Vectors whose elements are whole words: in halves.
#define HALVES(type)                                                                     \
  type BUILTIN sub_group_broadcast(type x, uint source) {                                \
    return (type)(sub_group_broadcast(x.lo, source), sub_group_broadcast(x.hi, source)); \
  }

#define VECTORS(type)                                                                      \
  HALVES(type##2)                                                                          \
  type##3 BUILTIN sub_group_broadcast(type##3 x, uint source) {                            \
    return (type##3)(sub_group_broadcast(x.xy, source), sub_group_broadcast(x.z, source)); \
  }                                                                                        \
  HALVES(type##4)                                                                          \
  HALVES(type##8)                                                                          \
  HALVES(type##16)

#define FOR_WORDS(type, words) \
  SUB_GROUP(type, words) WORK_GROUP(type, words) VECTORS(type)
FOR_WORDS(int, WORDS_1)
FOR_WORDS(uint, WORDS_1)
FOR_WORDS(float, WORDS_1)
FOR_WORDS(long, WORDS_2)
FOR_WORDS(ulong, WORDS_2)
FOR_WORDS(double, WORDS_2)

// Smaller elements travel as the bits of a type of the same size that is there already.
#define BITS(type, bits)                                         \
  type BUILTIN sub_group_broadcast(type x, uint source) {        \
    return as_##type(sub_group_broadcast(as_##bits(x), source)); \
  }
#define SCALAR(type)                                      \
  type BUILTIN sub_group_broadcast(type x, uint source) { \
    return (type)sub_group_broadcast((int)x, source);     \
  }

#define FOR_HALF_WORDS(type)                                                               \
  SCALAR(type)                                                                             \
  BITS(type##2, uint)                                                                      \
  type##3 BUILTIN sub_group_broadcast(type##3 x, uint source) {                            \
    return (type##3)(sub_group_broadcast(x.xy, source), sub_group_broadcast(x.z, source)); \
  }                                                                                        \
  BITS(type##4, uint2)                                                                     \
  BITS(type##8, uint4)                                                                     \
  BITS(type##16, uint8)
FOR_HALF_WORDS(short)
FOR_HALF_WORDS(ushort)

#define FOR_BYTES(type)                                         \
  SCALAR(type)                                                  \
  BITS(type##2, ushort)                                         \
  BITS(type##4, uint)                                           \
  type##3 BUILTIN sub_group_broadcast(type##3 x, uint source) { \
    return sub_group_broadcast(x.xyzz, source).xyz;             \
  }                                                             \
  BITS(type##8, uint2)                                          \
  BITS(type##16, uint4)
FOR_BYTES(char)
FOR_BYTES(uchar)
