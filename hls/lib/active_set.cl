// SPDX-License-Identifier: Apache-2.0
// Functions of the active work-items of a sub-group, those that reach the call together: cl_khr_subgroup_ballot,
// _non_uniform_vote, _non_uniform_arithmetic, _shuffle, _shuffle_relative, _rotate and _clustered_reduce, but for what is
// one instruction of the reduction tree (collectives.cl). All is made of ballots and of shuffles of 32 bits. The number of a lane is its sub-group local id, and a sub-group has at most 32, so that one word has a bit for
// each.
#include "hls/lib/device.h"

#define FOR_INTEGERS(what, ...)                                                                    \
  what(char, __VA_ARGS__) what(uchar, __VA_ARGS__) what(short, __VA_ARGS__) what(ushort, __VA_ARGS__) \
  what(int, __VA_ARGS__) what(uint, __VA_ARGS__) what(long, __VA_ARGS__) what(ulong, __VA_ARGS__)
#define FOR_SCALARS(what, ...) \
  FOR_INTEGERS(what, __VA_ARGS__) what(float, __VA_ARGS__) what(double, __VA_ARGS__)

// ---- masks: a bit for each lane

#define MY_LANE CSR(0xCCA)
#define LANES_BELOW_ME ((1u << MY_LANE) - 1)
// 2u << 31 is 0.
#define LANES_UP_TO_ME ((2u << MY_LANE) - 1)
#define FIRST_LANES(count) ((2u << ((count) - 1)) - 1)
#define LANES_OF_MAX_SIZE FIRST_LANES(PACKET_WORD(14))
// The number of the first active lane. The lane's own is read once, wherever this stands.
#define FIRST_ACTIVE_LANE \
  COLLECTIVE(uint, HEDDLE_SCOPE_ACTIVE, HEDDLE_MODE_REDUCE, HEDDLE_OP_MIN, HEDDLE_TYPE_UINT, MY_LANE, 0)
// The lanes of this lane's cluster, active or not.
#define MY_CLUSTER(size) (FIRST_LANES(size) << (MY_LANE & (0u - (size))))

// ---- the value of another lane

#define LANE_OF_WORD(type, ...)                          \
  static type BUILTIN value_of(type value, uint lane) {  \
    return (type)SHUFFLE((uint)value, lane);             \
  }
#define LANE_OF_PAIR(type, ...)                                                                                  \
  static type BUILTIN value_of(type value, uint lane) {                                                          \
    uint low = SHUFFLE((uint)value, lane), high = SHUFFLE((uint)((ulong)value >> 32), lane);                     \
    return (type)((ulong)high << 32 | low);                                                                      \
  }
LANE_OF_WORD(char)
LANE_OF_WORD(uchar)
LANE_OF_WORD(short)
LANE_OF_WORD(ushort)
LANE_OF_WORD(int)
LANE_OF_WORD(uint)
LANE_OF_PAIR(long)
LANE_OF_PAIR(ulong)
static float BUILTIN value_of(float value, uint lane) {
  return as_float(SHUFFLE(as_uint(value), lane));
}
static double BUILTIN value_of(double value, uint lane) {
  return as_double(value_of(as_ulong(value), lane));
}

// ---- cl_khr_subgroup_non_uniform_vote

// Before the first lane of a maximum stands the least int, before the others the zeros of those before them.
int BUILTIN sub_group_elect(void) {
  const int before = COLLECTIVE(int, HEDDLE_SCOPE_ACTIVE, HEDDLE_MODE_EXCLUSIVE, HEDDLE_OP_MAX, HEDDLE_TYPE_INT, 0, 0);
  return (int)((uint)before >> 31);
}

// A NaN equals nothing, so with one the answer is no.
#define ALL_EQUAL(type, ...)                                                        \
  int BUILTIN sub_group_non_uniform_all_equal(type value) {                         \
    return sub_group_non_uniform_all(value == value_of(value, FIRST_ACTIVE_LANE));     \
  }
FOR_SCALARS(ALL_EQUAL)

// ---- cl_khr_subgroup_ballot

#define BROADCAST(type, ...)                                                    \
  type BUILTIN sub_group_non_uniform_broadcast(type value, uint index) {        \
    return value_of(value, index);                                              \
  }                                                                             \
  type BUILTIN sub_group_broadcast_first(type value) {                          \
    return value_of(value, FIRST_ACTIVE_LANE);                                     \
  }
FOR_SCALARS(BROADCAST)

// By words, so that char4 is one shuffle; a vector of 3 has the size of one of 4.
#define BROADCAST_VECTOR(vector)                                                  \
  vector BUILTIN sub_group_non_uniform_broadcast(vector value, uint index) {      \
    union {                                                                       \
      vector all;                                                                 \
      uint words[(sizeof(vector) + 3) / 4];                                       \
    } parts = {.words = {0}};                                                     \
    parts.all = value;                                                            \
    _Pragma("unroll") for (uint i = 0; i < (sizeof(vector) + 3) / 4; i++) {       \
      parts.words[i] = SHUFFLE(parts.words[i], index);                            \
    }                                                                             \
    return parts.all;                                                             \
  }
#define BROADCAST_VECTORS(type, ...) \
  BROADCAST_VECTOR(type##2) BROADCAST_VECTOR(type##3) BROADCAST_VECTOR(type##4) BROADCAST_VECTOR(type##8) \
  BROADCAST_VECTOR(type##16)
FOR_SCALARS(BROADCAST_VECTORS)

uint4 BUILTIN sub_group_ballot(int predicate) {
  return (uint4)(BALLOT(predicate), 0, 0, 0);
}

int BUILTIN sub_group_inverse_ballot(uint4 value) {
  return value.x >> MY_LANE & 1;
}

int BUILTIN sub_group_ballot_bit_extract(uint4 value, uint index) {
  return value.x >> (index & 31) & 1;
}

uint BUILTIN sub_group_ballot_bit_count(uint4 value) {
  return popcount(value.x & LANES_OF_MAX_SIZE);
}

uint BUILTIN sub_group_ballot_inclusive_scan(uint4 value) {
  return popcount(value.x & LANES_UP_TO_ME);
}

uint BUILTIN sub_group_ballot_exclusive_scan(uint4 value) {
  return popcount(value.x & LANES_BELOW_ME);
}

uint BUILTIN sub_group_ballot_find_lsb(uint4 value) {
  return ctz(value.x & LANES_OF_MAX_SIZE);
}

uint BUILTIN sub_group_ballot_find_msb(uint4 value) {
  return 31 - clz(value.x & LANES_OF_MAX_SIZE);
}

uint4 BUILTIN get_sub_group_eq_mask(void) {
  return (uint4)(1u << MY_LANE, 0, 0, 0);
}

uint4 BUILTIN get_sub_group_ge_mask(void) {
  return (uint4)(LANES_OF_MAX_SIZE & ~LANES_BELOW_ME, 0, 0, 0);
}

uint4 BUILTIN get_sub_group_gt_mask(void) {
  return (uint4)(LANES_OF_MAX_SIZE & ~LANES_UP_TO_ME, 0, 0, 0);
}

uint4 BUILTIN get_sub_group_le_mask(void) {
  return (uint4)(LANES_UP_TO_ME, 0, 0, 0);
}

uint4 BUILTIN get_sub_group_lt_mask(void) {
  return (uint4)(LANES_BELOW_ME, 0, 0, 0);
}

// ---- cl_khr_subgroup_non_uniform_arithmetic, what collectives.cl has no instruction for: lane by lane
//
// Every lane goes through all active lanes in order of their numbers. What it computes is ((x[0] op x[1]) op x[2]) op
// ..., with x[0] the value of the active lane of the smallest number; for float sums and products this is the order of
// the operations (rtl/group/README.md). The mask that counts the rounds is the same in each lane, so all stay together.

#define SERIAL(type, operation, apply, identity)                                     \
  type BUILTIN sub_group_non_uniform_reduce_##operation(type value) {                \
    uint lanes = BALLOT(1);                                                          \
    type so_far = value_of(value, ctz(lanes));                                       \
    while ((lanes &= lanes - 1) != 0) {                                              \
      so_far = apply(type, so_far, value_of(value, ctz(lanes)));                     \
    }                                                                                \
    return so_far;                                                                   \
  }                                                                                  \
  type BUILTIN sub_group_non_uniform_scan_inclusive_##operation(type value) {        \
    uint lanes = BALLOT(1), me = MY_LANE;                                            \
    type so_far = value_of(value, ctz(lanes)), result = so_far;                      \
    while ((lanes &= lanes - 1) != 0) {                                              \
      uint lane = ctz(lanes);                                                        \
      so_far = apply(type, so_far, value_of(value, lane));                           \
      result = lane <= me ? so_far : result;                                         \
    }                                                                                \
    return result;                                                                   \
  }                                                                                  \
  type BUILTIN sub_group_non_uniform_scan_exclusive_##operation(type value) {        \
    uint lanes = BALLOT(1), me = MY_LANE;                                            \
    type so_far = value_of(value, ctz(lanes)), result = (identity);                  \
    while ((lanes &= lanes - 1) != 0) {                                              \
      uint lane = ctz(lanes);                                                        \
      result = lane <= me ? so_far : result;                                         \
      so_far = apply(type, so_far, value_of(value, lane));                           \
    }                                                                                \
    return result;                                                                   \
  }

#define ADD(type, a, b) (type)((a) + (b))
#define MUL(type, a, b) (type)((a) * (b))
#define MIN(type, a, b) min(a, b)
#define MAX(type, a, b) max(a, b)
#define FLOAT_MIN(type, a, b) fmin(a, b)
#define FLOAT_MAX(type, a, b) fmax(a, b)
#define AND(type, a, b) (type)((a) & (b))
#define OR(type, a, b) (type)((a) | (b))

SERIAL(float, add, ADD, 0.0f)
SERIAL(double, add, ADD, 0.0)
FOR_SCALARS(SERIAL, mul, MUL, 1)

// A ballot tells each lane all predicates.
#define LOGICAL(name, among)                                             \
  int BUILTIN sub_group_non_uniform_##name##_logical_and(int predicate) { \
    return (BALLOT(predicate == 0) & (among)) == 0;                       \
  }                                                                       \
  int BUILTIN sub_group_non_uniform_##name##_logical_or(int predicate) {  \
    return (BALLOT(predicate) & (among)) != 0;                            \
  }                                                                       \
  int BUILTIN sub_group_non_uniform_##name##_logical_xor(int predicate) { \
    return popcount(BALLOT(predicate) & (among)) & 1;                     \
  }
LOGICAL(reduce, ~0u)
LOGICAL(scan_inclusive, LANES_UP_TO_ME)
LOGICAL(scan_exclusive, LANES_BELOW_ME)

// ---- cl_khr_subgroup_clustered_reduce
//
// Clusters go through their active lanes side by side. One that is done stays with the others.

// What can be taken back is one scan, in words: what the cluster's last active lane has, without what was before its
// first. Lanes' numbers count modulo 32, so that of the last one is ~clz.

#define SCAN_OF_WORDS(operation, op)                                                                                  \
  static uint BUILTIN up_to_me_##operation(uint value) {                                                              \
    return COLLECTIVE(uint, HEDDLE_SCOPE_ACTIVE, HEDDLE_MODE_INCLUSIVE, op, HEDDLE_TYPE_UINT, value, 0);              \
  }
SCAN_OF_WORDS(add, HEDDLE_OP_ADD)
SCAN_OF_WORDS(xor, HEDDLE_OP_XOR)
static ulong BUILTIN up_to_me_add(ulong value) {
  return WIDE_COLLECTIVE(HEDDLE_SCOPE_ACTIVE, HEDDLE_MODE_INCLUSIVE, HEDDLE_OP_ADD, HEDDLE_TYPE_UINT, value);
}
static ulong BUILTIN up_to_me_xor(ulong value) {
  const uint low = up_to_me_xor((uint)value), high = up_to_me_xor((uint)(value >> 32));
  return upsample(high, low);
}
#define CLUSTERED_BY_SCAN(type, words, operation, without)                                                            \
  type BUILTIN sub_group_clustered_reduce_##operation(type value, uint clustersize) {                                 \
    const uint lanes = BALLOT(1) & MY_CLUSTER(clustersize);                                                           \
    const words own = (words)value, up_to_me = up_to_me_##operation(own);                                             \
    return (type)(value_of(up_to_me, ~clz(lanes)) without value_of(up_to_me without own, ctz(lanes)));                \
  }
#define CLUSTERED_INTEGERS_BY_SCAN(...)                                                                               \
  CLUSTERED_BY_SCAN(char, uint, __VA_ARGS__) CLUSTERED_BY_SCAN(uchar, uint, __VA_ARGS__)                              \
  CLUSTERED_BY_SCAN(short, uint, __VA_ARGS__) CLUSTERED_BY_SCAN(ushort, uint, __VA_ARGS__)                            \
  CLUSTERED_BY_SCAN(int, uint, __VA_ARGS__) CLUSTERED_BY_SCAN(uint, uint, __VA_ARGS__)                                \
  CLUSTERED_BY_SCAN(long, ulong, __VA_ARGS__) CLUSTERED_BY_SCAN(ulong, ulong, __VA_ARGS__)
CLUSTERED_INTEGERS_BY_SCAN(add, -)
CLUSTERED_INTEGERS_BY_SCAN(xor, ^)

#define CLUSTERED(type, operation, apply)                                                      \
  type BUILTIN sub_group_clustered_reduce_##operation(type value, uint clustersize) {          \
    uint lanes = BALLOT(1) & MY_CLUSTER(clustersize);                                          \
    type so_far = value_of(value, ctz(lanes));                                                 \
    while (sub_group_non_uniform_any((int)(lanes &= lanes - 1))) {                             \
      type next = value_of(value, ctz(lanes));                                                 \
      so_far = lanes != 0 ? apply(type, so_far, next) : so_far;                                \
    }                                                                                          \
    return so_far;                                                                             \
  }
CLUSTERED(float, add, ADD)
CLUSTERED(double, add, ADD)
FOR_SCALARS(CLUSTERED, mul, MUL)
FOR_INTEGERS(CLUSTERED, min, MIN)
FOR_INTEGERS(CLUSTERED, max, MAX)
CLUSTERED(float, min, FLOAT_MIN)
CLUSTERED(float, max, FLOAT_MAX)
CLUSTERED(double, min, FLOAT_MIN)
CLUSTERED(double, max, FLOAT_MAX)
FOR_INTEGERS(CLUSTERED, and, AND)
FOR_INTEGERS(CLUSTERED, or, OR)

int BUILTIN sub_group_clustered_reduce_logical_and(int predicate, uint clustersize) {
  return (BALLOT(predicate == 0) & MY_CLUSTER(clustersize)) == 0;
}

int BUILTIN sub_group_clustered_reduce_logical_or(int predicate, uint clustersize) {
  return (BALLOT(predicate) & MY_CLUSTER(clustersize)) != 0;
}

int BUILTIN sub_group_clustered_reduce_logical_xor(int predicate, uint clustersize) {
  return popcount(BALLOT(predicate) & MY_CLUSTER(clustersize)) & 1;
}

// ---- cl_khr_subgroup_shuffle, _shuffle_relative, _rotate

#define SHUFFLES(type, ...)                                                                             \
  type BUILTIN sub_group_shuffle(type value, uint index) {                                              \
    return value_of(value, index);                                                                      \
  }                                                                                                     \
  type BUILTIN sub_group_shuffle_xor(type value, uint mask) {                                           \
    return value_of(value, MY_LANE ^ mask);                                                             \
  }                                                                                                     \
  type BUILTIN sub_group_shuffle_up(type value, uint delta) {                                           \
    return value_of(value, MY_LANE - delta);                                                            \
  }                                                                                                     \
  type BUILTIN sub_group_shuffle_down(type value, uint delta) {                                         \
    return value_of(value, MY_LANE + delta);                                                            \
  }                                                                                                     \
  type BUILTIN sub_group_clustered_rotate(type value, int delta, uint clustersize) {                    \
    uint lane = MY_LANE, within = clustersize - 1;                                                      \
    return value_of(value, (lane & ~within) | ((lane + (uint)delta) & within));                         \
  }                                                                                                     \
  type BUILTIN sub_group_rotate(type value, int delta) {                                                \
    return sub_group_clustered_rotate(value, delta, PACKET_WORD(14));                                   \
  }
FOR_SCALARS(SHUFFLES)
