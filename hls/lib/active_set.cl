// SPDX-License-Identifier: Apache-2.0
// Functions of the active work-items of a sub-group, those that reach the call together: cl_khr_subgroup_ballot,
// _non_uniform_vote, _non_uniform_arithmetic, _shuffle, _shuffle_relative, _rotate and _clustered_reduce, but for what
// is one instruction of the reduction tree (collectives.cl). All is made of ballots and of shuffles of 32 bits. The
// number of a lane is its sub-group local id, and a sub-group has at most 32, so that one word has a bit for each.
#include "contract/device_map.h"
#include "hls/lib/device.h"

#define FOR_INTEGERS(what, ...)                                                                    \
  what(char, __VA_ARGS__) what(uchar, __VA_ARGS__) what(short, __VA_ARGS__) what(ushort, __VA_ARGS__) \
  what(int, __VA_ARGS__) what(uint, __VA_ARGS__) what(long, __VA_ARGS__) what(ulong, __VA_ARGS__)
#define FOR_SCALARS(what, ...) \
  FOR_INTEGERS(what, __VA_ARGS__) what(float, __VA_ARGS__) what(double, __VA_ARGS__)

// ---- masks: a bit for each lane

#define LANES_BELOW_ME ((1u << MY_LANE) - 1)
// 2u << 31 is 0.
#define LANES_UP_TO_ME ((2u << MY_LANE) - 1)
#define FIRST_LANES(count) ((2u << ((count) - 1)) - 1)
#define LANES_OF_MAX_SIZE FIRST_LANES(PACKET_WORD(HEDDLE_PACKET_MAX_SUB_GROUP_SIZE))
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

// ---- a tree over the active lanes
//
// rtl/group/README.md writes down the order of the operations: that of the lanes of a sub-group, with a lane's rank
// among the active ones for its number. At the level of blocks of 2^k ranks, a lane whose rank has bit k set puts in
// front what the last lane of the block before its own has. `source` is that lane: at first the active lane before this
// one. It stays while the rank's bits are 0; after a bit that is 1 it is the source's source. Of a lane without one
// before it, all bits are 0.

// A NaN that nothing is added to is quieted as by an addition.
#define AS_IT_IS(x) (x)
static float BUILTIN quieted(float x) {
  return (as_uint(x) & 0x7FFFFFFF) > 0x7F800000 ? as_float(0x7FC00000) : x;
}
static double BUILTIN quieted(double x) {
  return (as_ulong(x) & LONG_MAX) > 0x7FF0000000000000 ? as_double(0x7FF8000000000000) : x;
}

#define LEVEL(type, apply, bit)                                \
  {                                                            \
    const type theirs = value_of(value, source);               \
    const uint further = SHUFFLE(source, source);              \
    const bool is_upper = (rank & (bit)) != 0;                 \
    value = is_upper ? apply(type, theirs, value) : value;     \
    source = is_upper ? further : source;                      \
  }
#ifdef HEDDLE_PIPELINE
// One circuit for all levels.
#define LEVELS(type, apply)                                    \
  for (uint bit = 1; bit < count; bit <<= 1) {                 \
    LEVEL(type, apply, bit)                                    \
  }
#else
// A level too many changes nothing. Of clusters the count is a constant, and there are as many levels as it needs.
#define LEVELS(type, apply)                                    \
  if (!is_constant || count > 1) {                             \
    LEVEL(type, apply, 1)                                      \
  }                                                            \
  if (!is_constant || count > 2) {                             \
    LEVEL(type, apply, 2)                                      \
  }                                                            \
  if (!is_constant || count > 4) {                             \
    LEVEL(type, apply, 4)                                      \
  }                                                            \
  if (count > 8) {                                             \
    LEVEL(type, apply, 8)                                      \
    if (!is_constant || count > 16) {                          \
      LEVEL(type, apply, 16)                                   \
    }                                                          \
  }
#endif

// Where all lanes of a block of `count` are active, ranks are numbers of lanes, and each level joins a lane's value with that
// of the lane whose number differs in one bit. So all lanes have the result, in the same order: a + b is b + a. A
// pipeline would be built with both.
#ifdef HEDDLE_PIPELINE
#define ALL_ACTIVE(lanes, all) 0
#else
#define ALL_ACTIVE(lanes, all) ((lanes) == (all))
#endif
#define EXCHANGE(type, apply, bit) value = apply(type, value_of(value, me ^ (bit)), value);
#define EXCHANGES(type, apply)                                 \
  if (count >= 8) {                                            \
    EXCHANGE(type, apply, 1)                                   \
    EXCHANGE(type, apply, 2)                                   \
    EXCHANGE(type, apply, 4)                                   \
    if (count > 8) {                                           \
      EXCHANGE(type, apply, 8)                                 \
      if (count > 16) {                                        \
        EXCHANGE(type, apply, 16)                              \
      }                                                        \
    }                                                          \
  } else if (count > 1) {                                      \
    EXCHANGE(type, apply, 1)                                   \
    if (count > 2) {                                           \
      EXCHANGE(type, apply, 2)                                 \
    }                                                          \
  }

// The values of `lanes` up to this one's. `lanes` are at most `count`, which is the same in all active lanes.
#define TREE(type, operation, apply, start)                                                                    \
  static type BUILTIN up_to_me_##operation(type value, uint lanes, uint count, bool is_constant) {             \
    const uint below = lanes & LANES_BELOW_ME, rank = popcount(below);                                         \
    uint source = ~clz(below);                                                                                 \
    value = start(value);                                                                                      \
    LEVELS(type, apply)                                                                                        \
    return value;                                                                                              \
  }                                                                                                            \
  static type BUILTIN of_all_##operation(type value, uint lanes, uint all, uint count, bool is_constant) {     \
    if (ALL_ACTIVE(lanes, all)) {                                                                              \
      const uint me = MY_LANE;                                                                                 \
      value = start(value);                                                                                    \
      EXCHANGES(type, apply)                                                                                   \
      return value;                                                                                            \
    }                                                                                                          \
    return value_of(up_to_me_##operation(value, lanes, count, is_constant), ~clz(lanes));                      \
  }

// What the active lane before this one has of a scan.
#define PASSED_ON(type, ...)                                                                                   \
  static type BUILTIN passed_on(type inclusive, uint lanes, type if_none) {                                    \
    const uint below = lanes & LANES_BELOW_ME;                                                                 \
    const type theirs = value_of(inclusive, ~clz(below));                                                      \
    return below != 0 ? theirs : if_none;                                                                      \
  }
FOR_SCALARS(PASSED_ON)

#define ADD(type, a, b) (type)((a) + (b))
#define MUL(type, a, b) (type)((a) * (b))
#define MIN(type, a, b) min(a, b)
#define MAX(type, a, b) max(a, b)
#define FLOAT_MIN(type, a, b) fmin(a, b)
#define FLOAT_MAX(type, a, b) fmax(a, b)
#define AND(type, a, b) (type)((a) & (b))
#define OR(type, a, b) (type)((a) | (b))

TREE(float, add, ADD, quieted)
TREE(double, add, ADD, quieted)
#define PRODUCTS(type, ...) TREE(type, mul, MUL, AS_IT_IS)
FOR_SCALARS(PRODUCTS)
#define INTEGER_TREES(type, ...)      \
  TREE(type, min, MIN, AS_IT_IS)      \
  TREE(type, max, MAX, AS_IT_IS)      \
  TREE(type, and, AND, AS_IT_IS)      \
  TREE(type, or, OR, AS_IT_IS)
FOR_INTEGERS(INTEGER_TREES)
#define REAL_TREES(type)              \
  TREE(type, min, FLOAT_MIN, AS_IT_IS) \
  TREE(type, max, FLOAT_MAX, AS_IT_IS)
REAL_TREES(float)
REAL_TREES(double)

// ---- cl_khr_subgroup_non_uniform_arithmetic, what collectives.cl has no instruction for

// Where all lanes of a sub-group are active, an instruction for all of them is as good. A pipeline would be built with
// both.
#ifdef HEDDLE_PIPELINE
#define HAS_INSTRUCTION(lanes) 0
#else
#define HAS_INSTRUCTION(lanes) (__heddle_has_float_unit && popcount(lanes) == SUB_GROUP_SIZE)
#endif
#define SUM_OF_ALL(mode, value) \
  as_float(COLLECTIVE(uint, HEDDLE_SCOPE_SUB_GROUP, mode, HEDDLE_OP_ADD, HEDDLE_TYPE_FLOAT, as_uint(value), 0))

float BUILTIN sub_group_non_uniform_reduce_add(float value) {
  const uint lanes = BALLOT(1);
  return HAS_INSTRUCTION(lanes) ? SUM_OF_ALL(HEDDLE_MODE_REDUCE, value)
                                : of_all_add(value, lanes, 0, popcount(lanes), false);
}
float BUILTIN sub_group_non_uniform_scan_inclusive_add(float value) {
  const uint lanes = BALLOT(1);
  return HAS_INSTRUCTION(lanes) ? SUM_OF_ALL(HEDDLE_MODE_INCLUSIVE, value)
                                : up_to_me_add(value, lanes, popcount(lanes), false);
}
float BUILTIN sub_group_non_uniform_scan_exclusive_add(float value) {
  const uint lanes = BALLOT(1);
  return HAS_INSTRUCTION(lanes) ? SUM_OF_ALL(HEDDLE_MODE_EXCLUSIVE, value)
                                : passed_on(up_to_me_add(value, lanes, popcount(lanes), false), lanes, 0.0f);
}

#define BY_TREE(type, operation, identity)                                           \
  type BUILTIN sub_group_non_uniform_reduce_##operation(type value) {                \
    const uint lanes = BALLOT(1);                                                    \
    return of_all_##operation(value, lanes, LANES_OF_MAX_SIZE, popcount(lanes), false); \
  }                                                                                  \
  type BUILTIN sub_group_non_uniform_scan_inclusive_##operation(type value) {        \
    const uint lanes = BALLOT(1);                                                    \
    return up_to_me_##operation(value, lanes, popcount(lanes), false);                      \
  }                                                                                  \
  type BUILTIN sub_group_non_uniform_scan_exclusive_##operation(type value) {        \
    const uint lanes = BALLOT(1);                                                    \
    return passed_on(up_to_me_##operation(value, lanes, popcount(lanes), false), lanes, (type)(identity)); \
  }
BY_TREE(double, add, 0.0)
FOR_SCALARS(BY_TREE, mul, 1)

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
// What can be taken back is one scan, in words: what the cluster's last active lane has, without what was before its
// first. Lanes' numbers count modulo 32, so that of the last one is ~clz.

#define SCAN_OF_WORDS(operation, op)                                                                                  \
  static uint BUILTIN scan_##operation(uint value) {                                                                  \
    return COLLECTIVE(uint, HEDDLE_SCOPE_ACTIVE, HEDDLE_MODE_INCLUSIVE, op, HEDDLE_TYPE_UINT, value, 0);              \
  }
SCAN_OF_WORDS(add, HEDDLE_OP_ADD)
SCAN_OF_WORDS(xor, HEDDLE_OP_XOR)
static ulong BUILTIN scan_add(ulong value) {
  return WIDE_COLLECTIVE(HEDDLE_SCOPE_ACTIVE, HEDDLE_MODE_INCLUSIVE, HEDDLE_OP_ADD, HEDDLE_TYPE_UINT, value);
}
static ulong BUILTIN scan_xor(ulong value) {
  const uint low = scan_xor((uint)value), high = scan_xor((uint)(value >> 32));
  return upsample(high, low);
}
// Of two and of four lanes, a shuffle for each other lane is less; from one that is not active comes 0, which changes
// nothing.
#define CLUSTERED_BY_SCAN(type, words, operation, without, with)                                                      \
  type BUILTIN sub_group_clustered_reduce_##operation(type value, uint clustersize) {                                 \
    const uint me = MY_LANE;                                                                                          \
    const words own = (words)value;                                                                                   \
    if (clustersize <= 2) {                                                                                           \
      return (type)(clustersize < 2 ? own : own with value_of(own, me ^ 1));                                          \
    }                                                                                                                 \
    if (clustersize == 4) {                                                                                           \
      return (type)(own with value_of(own, me ^ 1) with value_of(own, me ^ 2) with value_of(own, me ^ 3));            \
    }                                                                                                                 \
    const uint lanes = BALLOT(1) & MY_CLUSTER(clustersize);                                                           \
    const words up_to_me = scan_##operation(own);                                                                     \
    return (type)(value_of(up_to_me, ~clz(lanes)) without value_of(up_to_me without own, ctz(lanes)));                \
  }
#define CLUSTERED_INTEGERS_BY_SCAN(...)                                                                               \
  CLUSTERED_BY_SCAN(char, uint, __VA_ARGS__) CLUSTERED_BY_SCAN(uchar, uint, __VA_ARGS__)                              \
  CLUSTERED_BY_SCAN(short, uint, __VA_ARGS__) CLUSTERED_BY_SCAN(ushort, uint, __VA_ARGS__)                            \
  CLUSTERED_BY_SCAN(int, uint, __VA_ARGS__) CLUSTERED_BY_SCAN(uint, uint, __VA_ARGS__)                                \
  CLUSTERED_BY_SCAN(long, ulong, __VA_ARGS__) CLUSTERED_BY_SCAN(ulong, ulong, __VA_ARGS__)
CLUSTERED_INTEGERS_BY_SCAN(add, -, +)
CLUSTERED_INTEGERS_BY_SCAN(xor, ^, ^)

#define CLUSTERED(type, operation)                                                             \
  type BUILTIN sub_group_clustered_reduce_##operation(type value, uint clustersize) {          \
    const uint all = MY_CLUSTER(clustersize);                                                  \
    return of_all_##operation(value, BALLOT(1) & all, all, clustersize, true);                 \
  }
#define CLUSTERED_OF_EACH(type, ...) CLUSTERED(type, mul) CLUSTERED(type, min) CLUSTERED(type, max)
#define CLUSTERED_BITS(type, ...) CLUSTERED(type, and) CLUSTERED(type, or)
FOR_SCALARS(CLUSTERED_OF_EACH)
FOR_INTEGERS(CLUSTERED_BITS)
CLUSTERED(double, add)

// Of two lanes, what the other has is negated and taken away: 0, from one that is not active, changes nothing then, even
// where this one has -0.
float BUILTIN sub_group_clustered_reduce_add(float value, uint clustersize) {
  if (clustersize == 2) {
    return value - value_of(-value, MY_LANE ^ 1);
  }
  const uint all = MY_CLUSTER(clustersize);
  return of_all_add(value, BALLOT(1) & all, all, clustersize, true);
}

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
    return sub_group_clustered_rotate(value, delta, PACKET_WORD(HEDDLE_PACKET_MAX_SUB_GROUP_SIZE));                                   \
  }
FOR_SCALARS(SHUFFLES)
