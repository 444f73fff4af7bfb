// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of long and ulong, and sums of float, for which the device has no instruction: a tree of shuffles
// across the lanes of a sub-group, then a walk over the totals of the sub-groups. rtl/group/README.md writes down the
// order in which floats are added.
#include "hls/lib/device.h"

#define INLINE static inline __attribute__((overloadable, always_inline))

// Once in a kernel file, however often it is called.
#define SHARED __attribute__((overloadable))

// An active-set collective among all live lanes of the sub-group. They wait for each other in the same statement, so
// that no branch of the compiler's comes between.
#define TOGETHER(mode, value, source)                                                           \
  ({                                                                                            \
    uint together_result;                                                                       \
    __asm__ volatile(".insn r CUSTOM_0, %c3, %c4, x0, x0, x0\n"                                 \
                     ".insn r CUSTOM_0, %c5, %c6, %0, %z1, %z2"                                 \
                     : "=r"(together_result)                                                    \
                     : "rJ"(value), "rJ"(source), "i"(SCOPE_SUB_GROUP), "i"(MODE_BARRIER << 2), \
                       "i"(SCOPE_ACTIVE), "i"((mode) << 2)                                      \
                     : "memory");                                                               \
    together_result;                                                                            \
  })

INLINE uint live_lanes(void) {
  return TOGETHER(MODE_BALLOT, 1, 0);
}

// Of no lanes: a number with more bits than a lane's, of which a shuffle takes the low ones.
INLINE uint highest_of(uint lanes) {
  return clz(lanes) ^ 31;
}

INLINE uint lanes_below(uint lane) {
  return ~(~0u << lane);
}

// The value of another lane, word by word. After the first word the lanes are together.
INLINE uint from_lane(uint x, uint lane) {
  return TOGETHER(MODE_SHUFFLE, x, lane);
}

INLINE ulong from_lane(ulong x, uint lane) {
  uint low = from_lane((uint)x, lane), high = SHUFFLE((uint)(x >> 32), lane);
  return upsample(high, low);
}

// The sum of a word over the work-group, of which all but one are 0.
INLINE uint of_work_group(uint x) {
  return COLLECTIVE(uint, SCOPE_WORK_GROUP, MODE_REDUCE, OP_ADD, TYPE_UINT, x, 0);
}

INLINE ulong of_work_group(ulong x) {
  uint low = of_work_group((uint)x), high = of_work_group((uint)(x >> 32));
  return upsample(high, low);
}

// The value of one lane for all, which needs no shuffle.
INLINE uint to_sub_group(uint x, uint lane) {
  return COLLECTIVE(uint, SCOPE_SUB_GROUP, MODE_BROADCAST, 0, 0, x, lane);
}

INLINE ulong to_sub_group(ulong x, uint lane) {
  uint low = to_sub_group((uint)x, lane), high = to_sub_group((uint)(x >> 32), lane);
  return upsample(high, low);
}

// `nothing` joined with x is x, so that work-items that are not there need not be counted.
//   prefix: the values of the live lanes up to this one. At the level of blocks of 2^k lanes, a lane whose number has
//     bit k set puts the total of the block before its own in front; the highest live lane of that block has it.
//     `block` keeps the bits of a lane number that say which block it is in.
//   before: the same without this lane.
//   others: the totals of the sub-groups up to `end`, in order of their ids. The highest live lane speaks for each.
#define TREE(type, bits, operation, join, nothing)                                \
  INLINE type prefix_##operation(type x, uint live) {                             \
    uint lane = CSR(0xCCA), last = CSR(0xCCB) - 1;                                \
    for (uint block = ~0u; (last & block) != 0; block <<= 1) {                    \
      uint source = highest_of(live & lanes_below(lane & block));                 \
      type theirs = as_##type(from_lane(as_##bits(x), source));                   \
      bool is_next = ((source ^ lane) & (block << 1)) == 0;                       \
      x = is_next ? join(theirs, x) : x;                                          \
    }                                                                             \
    return x;                                                                     \
  }                                                                               \
  INLINE type before_##operation(type prefix, uint live, type if_none) {          \
    uint below = live & lanes_below(CSR(0xCCA));                                  \
    type theirs = as_##type(from_lane(as_##bits(prefix), highest_of(below)));     \
    return below != 0 ? theirs : if_none;                                         \
  }                                                                               \
  INLINE type others_##operation(type prefix, uint live, uint end) {              \
    uint id = CSR(0xCC9), count = CSR(0xCCC);                                     \
    bits silence = as_##bits((type)(nothing));                                    \
    bits said = CSR(0xCCA) == highest_of(live) ? as_##bits(prefix) ^ silence : 0; \
    type joined = nothing;                                                        \
    for (uint g = 0; g < count; g++) {                                            \
      type theirs = as_##type(of_work_group(g == id ? said : 0) ^ silence);       \
      joined = g < end ? join(joined, theirs) : joined;                           \
    }                                                                             \
    return joined;                                                                \
  }

// What the first live work-item of a work-group gets from an exclusive scan. For integers it is `nothing`, and there
// already; +0 and the infinities are not, as -0 and NaN stay what they are in a sum and a minimum of them alone.
INLINE long first_gets(long identity, long x) {
  return x;
}

INLINE ulong first_gets(ulong identity, ulong x) {
  return x;
}

INLINE float first_gets(float identity, float x) {
  return COLLECTIVE(uint, SCOPE_WORK_GROUP, MODE_SCAN_EXCLUSIVE, OP_ADD, TYPE_UINT, 1, 0) == 0 ? identity : x;
}

#define FUNCTIONS(type, bits, operation, join, nothing, identity)                             \
  TREE(type, bits, operation, join, nothing)                                                  \
  type BUILTIN sub_group_reduce_##operation(type x) {                                         \
    uint live = live_lanes();                                                                 \
    return as_##type(to_sub_group(as_##bits(prefix_##operation(x, live)), highest_of(live))); \
  }                                                                                           \
  type BUILTIN sub_group_scan_inclusive_##operation(type x) {                                 \
    return prefix_##operation(x, live_lanes());                                               \
  }                                                                                           \
  type BUILTIN sub_group_scan_exclusive_##operation(type x) {                                 \
    uint live = live_lanes();                                                                 \
    return before_##operation(prefix_##operation(x, live), live, identity);                   \
  }                                                                                           \
  type SHARED work_group_reduce_##operation(type x) {                                         \
    uint live = live_lanes();                                                                 \
    return others_##operation(prefix_##operation(x, live), live, ~0u);                        \
  }                                                                                           \
  type SHARED work_group_scan_inclusive_##operation(type x) {                                 \
    uint live = live_lanes();                                                                 \
    type prefix = prefix_##operation(x, live);                                                \
    return join(others_##operation(prefix, live, CSR(0xCC9)), prefix);                        \
  }                                                                                           \
  type SHARED work_group_scan_exclusive_##operation(type x) {                                 \
    uint live = live_lanes();                                                                 \
    type prefix = prefix_##operation(x, live);                                                \
    type others = others_##operation(prefix, live, CSR(0xCC9));                               \
    return first_gets(identity, join(others, before_##operation(prefix, live, nothing)));     \
  }

#define SUM(a, b) ((a) + (b))

FUNCTIONS(long, ulong, add, SUM, 0, 0)
FUNCTIONS(long, ulong, min, min, LONG_MAX, LONG_MAX)
FUNCTIONS(long, ulong, max, max, LONG_MIN, LONG_MIN)
FUNCTIONS(ulong, ulong, add, SUM, 0, 0)
FUNCTIONS(ulong, ulong, min, min, ULONG_MAX, ULONG_MAX)
FUNCTIONS(ulong, ulong, max, max, 0, 0)
FUNCTIONS(float, uint, add, SUM, -0.0f, 0.0f)
