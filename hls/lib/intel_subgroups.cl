// SPDX-License-Identifier: Apache-2.0
// cl_intel_subgroups and cl_intel_subgroups_short: shuffles with two sources, and block reads and writes of global
// memory. heddle.h declares them. What the extensions leave undefined is whatever costs nothing: a shuffle takes lanes
// modulo 32 and gives 0 for one that is not active, and block accesses work in a smaller last sub-group and at any
// address that suits the element too.
#include "hls/lib/device.h"

// The value of another active lane, by words: char4 is one shuffle. A vector of 3 has the size of one of 4, but no
// shuffle for what fills it up.
#define VALUE_OF(type, bytes)                                                       \
  static type BUILTIN value_of(type value, uint lane) {                             \
    union {                                                                         \
      type all;                                                                     \
      uint words[(sizeof(type) + 3) / 4];                                           \
    } parts = {.words = {0}};                                                       \
    parts.all = value;                                                              \
    _Pragma("unroll") for (uint i = 0; i < ((bytes) + 3) / 4; i++) {                \
      parts.words[i] = SHUFFLE(parts.words[i], lane);                               \
    }                                                                               \
    return parts.all;                                                               \
  }

// The index of shuffle_down counts through the lanes of the one source and on through those of the other; that of
// shuffle_up may be negative and then counts from the end of the source before. Sizes are powers of two.
#define SHUFFLES(type, bytes)                                                                                \
  VALUE_OF(type, bytes)                                                                                      \
  type BUILTIN intel_sub_group_shuffle(type data, uint lane) {                                               \
    return value_of(data, lane);                                                                             \
  }                                                                                                          \
  type BUILTIN intel_sub_group_shuffle_xor(type data, uint value) {                                          \
    return value_of(data, get_sub_group_local_id() ^ value);                                                 \
  }                                                                                                          \
  type BUILTIN intel_sub_group_shuffle_down(type current, type next, uint delta) {                           \
    uint size = get_max_sub_group_size(), index = get_sub_group_local_id() + delta, lane = index & (size - 1); \
    type here = value_of(current, lane), beyond = value_of(next, lane);                                      \
    return index < size ? here : beyond;                                                                     \
  }                                                                                                          \
  type BUILTIN intel_sub_group_shuffle_up(type previous, type current, uint delta) {                         \
    int index = (int)(get_sub_group_local_id() - delta);                                                     \
    uint lane = (uint)index & (get_max_sub_group_size() - 1);                                                \
    type here = value_of(current, lane), before = value_of(previous, lane);                                  \
    return index >= 0 ? here : before;                                                                       \
  }

#define VECTOR_SHUFFLES(type)             \
  SHUFFLES(type, sizeof(type))            \
  SHUFFLES(type##2, sizeof(type##2))      \
  SHUFFLES(type##3, 3 * sizeof(type))     \
  SHUFFLES(type##4, sizeof(type##4))      \
  SHUFFLES(type##8, sizeof(type##8))      \
  SHUFFLES(type##16, sizeof(type##16))
VECTOR_SHUFFLES(int)
VECTOR_SHUFFLES(uint)
VECTOR_SHUFFLES(float)
VECTOR_SHUFFLES(short)
VECTOR_SHUFFLES(ushort)
SHUFFLES(long, sizeof(long))
SHUFFLES(ulong, sizeof(ulong))
SHUFFLES(double, sizeof(double))

// Element i of a work-item's vector is one sub-group's worth of elements behind element i - 1.
#define BLOCK_1(name, type)                                                                \
  type BUILTIN intel_sub_group_block_read##name(const global type *p) {                    \
    return p[get_sub_group_local_id()];                                                    \
  }                                                                                        \
  void BUILTIN intel_sub_group_block_write##name(global type *p, type data) {              \
    p[get_sub_group_local_id()] = data;                                                    \
  }
#define BLOCK_N(name, type, n)                                                             \
  type##n BUILTIN intel_sub_group_block_read##name##n(const global type *p) {              \
    uint lane = get_sub_group_local_id(), size = get_max_sub_group_size();                 \
    type##n data;                                                                          \
    _Pragma("unroll") for (uint i = 0; i < n; i++) {                                       \
      data[i] = p[lane + i * size];                                                        \
    }                                                                                      \
    return data;                                                                           \
  }                                                                                        \
  void BUILTIN intel_sub_group_block_write##name##n(global type *p, type##n data) {        \
    uint lane = get_sub_group_local_id(), size = get_max_sub_group_size();                 \
    _Pragma("unroll") for (uint i = 0; i < n; i++) {                                       \
      p[lane + i * size] = data[i];                                                        \
    }                                                                                      \
  }
#define BLOCKS(name, type) BLOCK_1(name, type) BLOCK_N(name, type, 2) BLOCK_N(name, type, 4) BLOCK_N(name, type, 8)
BLOCKS(, uint)
BLOCKS(_ui, uint)
BLOCKS(_us, ushort)
BLOCK_N(_us, ushort, 16)

// What cl_intel_subgroups_short calls by names of its own is there as cl_khr_subgroup_extended_types.
#define FOLDS(type, operation)                                           \
  type BUILTIN intel_sub_group_reduce_##operation(type x) {              \
    return sub_group_reduce_##operation(x);                              \
  }                                                                      \
  type BUILTIN intel_sub_group_scan_inclusive_##operation(type x) {      \
    return sub_group_scan_inclusive_##operation(x);                      \
  }                                                                      \
  type BUILTIN intel_sub_group_scan_exclusive_##operation(type x) {      \
    return sub_group_scan_exclusive_##operation(x);                      \
  }
#define BROADCAST(type)                                       \
  type BUILTIN intel_sub_group_broadcast(type x, uint lane) { \
    return sub_group_broadcast(x, lane);                      \
  }
#define COLLECTIVES(type) \
  FOLDS(type, add)        \
  FOLDS(type, min)        \
  FOLDS(type, max)        \
  BROADCAST(type)         \
  BROADCAST(type##2) BROADCAST(type##3) BROADCAST(type##4) BROADCAST(type##8) BROADCAST(type##16)
COLLECTIVES(short)
COLLECTIVES(ushort)
