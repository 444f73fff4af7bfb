// SPDX-License-Identifier: Apache-2.0
// Reductions and scans that the device has no instruction for: of work-groups those of long and ulong, and sums of double;
// sums of double of a sub-group; and sums of float where there are no float instructions. rtl/group/README.md writes down
// the order in which floats and doubles are added.
#include "hls/lib/device.h"

#define INLINE static inline __attribute__((overloadable, always_inline))

// Once in a kernel file, however often it is called.
#define SHARED __attribute__((overloadable))

INLINE uint live_lanes(void) {
  return TOGETHER(HEDDLE_MODE_BALLOT, 1, 0);
}

// Of no lanes: a number with more bits than a lane's, of which a shuffle takes the low ones.
INLINE uint highest_of(uint lanes) {
  return clz(lanes) ^ 31;
}

INLINE uint lanes_below(uint lane) {
  return ~(~0u << lane);
}

// What collectives.cl has: a name that is declared here hides what the compiler knows by that name.
#define DECLARED(type)                                            \
  type BUILTIN work_group_reduce_add(type x);                     \
  type BUILTIN work_group_scan_inclusive_add(type x);             \
  type BUILTIN work_group_scan_exclusive_add(type x);             \
  type BUILTIN work_group_reduce_min(type x);                     \
  type BUILTIN work_group_reduce_max(type x);
DECLARED(int)
DECLARED(uint)

// ---- sums of float of a sub-group

#define FLOAT_SUM(scope, mode, x) as_float(COLLECTIVE(uint, scope, mode, HEDDLE_OP_ADD, HEDDLE_TYPE_FLOAT, as_uint(x), 0))

// A NaN that nothing is added to is quieted as by an addition.
INLINE float quieted(float x) {
  return (as_uint(x) & 0x7FFFFFFF) > 0x7F800000 ? as_float(0x7FC00000) : x;
}

INLINE double quieted(double x) {
  return (as_ulong(x) & LONG_MAX) > 0x7FF0000000000000 ? as_double(0x7FF8000000000000) : x;
}

INLINE float value_of(float x, uint lane) {
  return as_float(TOGETHER(HEDDLE_MODE_SHUFFLE, as_uint(x), lane));
}

INLINE double value_of(double x, uint lane) {
  ulong bits = as_ulong(x);
  uint low = TOGETHER(HEDDLE_MODE_SHUFFLE, (uint)bits, lane), high = TOGETHER(HEDDLE_MODE_SHUFFLE, (uint)(bits >> 32), lane);
  return as_double(upsample(high, low));
}

// The sum of the live lanes up to this one, by shuffles. At the level of blocks of 2^k lanes, a lane whose number has bit k
// set puts the sum of the block before its own in front; the highest live lane of that block has it. `block` keeps the
// bits of a lane number that say which block it is in.
#define TREE_SUM(type)                                                       \
  INLINE type tree_sum(type x, uint live) {                                  \
    uint lane = MY_LANE, last = SUB_GROUP_SIZE - 1;                          \
    x = quieted(x);                                                          \
    for (uint block = ~0u; (last & block) != 0; block <<= 1) {               \
      uint source = highest_of(live & lanes_below(lane & block));            \
      type theirs = value_of(x, source);                                     \
      bool is_next = ((source ^ lane) & (block << 1)) == 0;                  \
      x = is_next ? theirs + x : x;                                          \
    }                                                                        \
    return x;                                                                \
  }                                                                          \
  INLINE type sum_before(type prefix, uint live, type if_none) {             \
    uint below = live & lanes_below(MY_LANE);                                \
    type theirs = value_of(prefix, highest_of(below));                       \
    return below != 0 ? theirs : if_none;                                    \
  }
TREE_SUM(float)
TREE_SUM(double)

float BUILTIN sub_group_scan_inclusive_add(float x) {
  return __heddle_has_float_unit ? FLOAT_SUM(HEDDLE_SCOPE_SUB_GROUP, HEDDLE_MODE_INCLUSIVE, x) : tree_sum(x, live_lanes());
}

float BUILTIN sub_group_reduce_add(float x) {
  if (__heddle_has_float_unit) {
    return FLOAT_SUM(HEDDLE_SCOPE_SUB_GROUP, HEDDLE_MODE_REDUCE, x);
  }
  uint live = live_lanes();
  return as_float(COLLECTIVE(uint, HEDDLE_SCOPE_SUB_GROUP, HEDDLE_MODE_BROADCAST, 0, 0, as_uint(tree_sum(x, live)), highest_of(live)));
}

float BUILTIN sub_group_scan_exclusive_add(float x) {
  if (__heddle_has_float_unit) {
    return FLOAT_SUM(HEDDLE_SCOPE_SUB_GROUP, HEDDLE_MODE_EXCLUSIVE, x);
  }
  uint live = live_lanes();
  return sum_before(tree_sum(x, live), live, 0.0f);
}

// ---- sums of double of a sub-group

double SHARED sub_group_scan_inclusive_add(double x) {
  return tree_sum(x, live_lanes());
}

double SHARED sub_group_reduce_add(double x) {
  uint live = live_lanes();
  return value_of(tree_sum(x, live), highest_of(live));
}

double SHARED sub_group_scan_exclusive_add(double x) {
  uint live = live_lanes();
  return sum_before(tree_sum(x, live), live, 0.0);
}

// ---- work-groups: sums of long and ulong

// By words. Where the scan of the lower words is less than a work-item's own lower word, that one's addition wrapped: its
// upper word has one more to add. The carries are known work-item by work-item, so a reduction needs that scan, too.
#define CARRY_OF(x) (work_group_scan_inclusive_add((uint)(x)) < (uint)(x))
#define UPPER_WORD(x) (uint)((ulong)(x) >> 32)
#define SUM_BY_WORDS(type)                                                                               \
  type BUILTIN work_group_reduce_add(type x) {                                                           \
    const uint high = work_group_reduce_add(UPPER_WORD(x) + CARRY_OF(x)), low = work_group_reduce_add((uint)x); \
    return (type)upsample(high, low);                                                                    \
  }                                                                                                      \
  type BUILTIN work_group_scan_inclusive_add(type x) {                                                   \
    const uint low = work_group_scan_inclusive_add((uint)x);                                             \
    return (type)upsample(work_group_scan_inclusive_add(UPPER_WORD(x) + (low < (uint)x)), low);          \
  }                                                                                                      \
  type BUILTIN work_group_scan_exclusive_add(type x) {                                                   \
    return (type)((ulong)work_group_scan_inclusive_add(x) - (ulong)x);                                   \
  }
SUM_BY_WORDS(long)
SUM_BY_WORDS(ulong)

// ---- work-groups: minimum and maximum of long and ulong

// The upper word decides; of those that have it, the lower.
#define REDUCE_BY_WORDS(type, word, operation, lower_identity)                                     \
  type SHARED work_group_reduce_##operation(type x) {                                              \
    word high = (word)((ulong)x >> 32), best = work_group_reduce_##operation(high);                \
    uint low = work_group_reduce_##operation(high == best ? (uint)x : (uint)(lower_identity));     \
    return (type)upsample((uint)best, low);                                                        \
  }
REDUCE_BY_WORDS(long, int, min, UINT_MAX)
REDUCE_BY_WORDS(long, int, max, 0)
REDUCE_BY_WORDS(ulong, uint, min, UINT_MAX)
REDUCE_BY_WORDS(ulong, uint, max, 0)

// ---- work-groups: the totals of the sub-groups, joined in the order of their ids

#define SUM(a, b) ((a) + (b))

#ifdef HEDDLE_PIPELINE

// The sum of a word over the work-group, of which all but one are 0.
INLINE uint of_work_group(uint x) {
  return COLLECTIVE(uint, HEDDLE_SCOPE_WORK_GROUP, HEDDLE_MODE_REDUCE, HEDDLE_OP_ADD, HEDDLE_TYPE_UINT, x, 0);
}

INLINE ulong of_work_group(ulong x) {
  uint low = of_work_group((uint)x), high = of_work_group((uint)(x >> 32));
  return upsample(high, low);
}

// The totals of the sub-groups up to `end`, in order of their ids. `nothing` joined with x is x, so that work-items that are
// not there need not be counted. The highest live lane, whose prefix is the total, speaks for each sub-group.
#define OTHERS(type, bits, operation, join, nothing)                              \
  INLINE type others_##operation(type prefix, uint live, uint end) {              \
    uint id = MY_SUB_GROUP, count = NUM_SUB_GROUPS;                               \
    bits silence = as_##bits((type)(nothing));                                    \
    bits said = MY_LANE == highest_of(live) ? as_##bits(prefix) ^ silence : 0;    \
    type joined = nothing;                                                        \
    for (uint g = 0; g < count; g++) {                                            \
      type theirs = as_##type(of_work_group(g == id ? said : 0) ^ silence);       \
      joined = g < end ? join(joined, theirs) : joined;                           \
    }                                                                             \
    return joined;                                                                \
  }

#define SCANS_BY_TOTALS(type, operation, identity)                                                \
  OTHERS(type, ulong, operation, operation, identity)                                             \
  type SHARED work_group_scan_inclusive_##operation(type x) {                                     \
    type prefix = sub_group_scan_inclusive_##operation(x);                                        \
    return operation(others_##operation(prefix, live_lanes(), MY_SUB_GROUP), prefix);             \
  }                                                                                               \
  type SHARED work_group_scan_exclusive_##operation(type x) {                                     \
    type before = sub_group_scan_exclusive_##operation(x), prefix = operation(before, x);         \
    return operation(others_##operation(prefix, live_lanes(), MY_SUB_GROUP), before);             \
  }
// The first live work-item of an exclusive scan gets +0, which is not the sum of nothing, -0.
#define SUMS_BY_TOTALS(type, bits, group)                                                                                         \
  OTHERS(type, bits, add, SUM, -(type)0)                                                                                          \
  type SHARED group##_reduce_add(type x) {                                                                                        \
    return others_add(sub_group_scan_inclusive_add(x), live_lanes(), ~0u);                                                        \
  }                                                                                                                               \
  type SHARED group##_scan_inclusive_add(type x) {                                                                                \
    type prefix = sub_group_scan_inclusive_add(x);                                                                                \
    return others_add(prefix, live_lanes(), MY_SUB_GROUP) + prefix;                                                               \
  }                                                                                                                               \
  type SHARED group##_scan_exclusive_add(type x) {                                                                                \
    uint live = live_lanes();                                                                                                     \
    type prefix = sub_group_scan_inclusive_add(x);                                                                                \
    type sum = others_add(prefix, live, MY_SUB_GROUP) + sum_before(prefix, live, -(type)0);                                       \
    bool is_first = COLLECTIVE(uint, HEDDLE_SCOPE_WORK_GROUP, HEDDLE_MODE_EXCLUSIVE, HEDDLE_OP_ADD, HEDDLE_TYPE_UINT, 1, 0) == 0; \
    return is_first ? (type)0 : sum;                                                                                              \
  }
#else

// Through local memory, where each live sub-group writes its total behind that of the one before. When a sub-group learns
// its place, all have read what the call before this one wrote; when it learns how many there are, all have written.
// Instructions of a sub-group follow each other at the length of the pipeline, so that their number is what counts here.
local void *__heddle_totals(void);  // totals.ll

struct place {
  bool speaks;  // one lane of each sub-group: stores of many lanes to one word take a pass each
  uint rank;    // of the sub-group among the live ones, from 1 on
};

#define PLACE_OF(mode, speaks) COLLECTIVE(uint, HEDDLE_SCOPE_WORK_GROUP, mode, HEDDLE_OP_ADD, HEDDLE_TYPE_UINT, speaks, 0)

// The lowest live lane speaks. Before it stands the least int, before others the zeros of those before them.
INLINE struct place place_of_lowest(void) {
  struct place mine;
  mine.speaks =
      COLLECTIVE(int, HEDDLE_SCOPE_SUB_GROUP, HEDDLE_MODE_EXCLUSIVE, HEDDLE_OP_MAX, HEDDLE_TYPE_INT, 0, 0) < 0;
  mine.rank = PLACE_OF(HEDDLE_MODE_INCLUSIVE, mine.speaks);
  return mine;
}

// The highest live lane speaks, which has of an inclusive scan the total.
INLINE struct place place_of_highest(void) {
  const uint lane = MY_LANE;
  struct place mine;
  mine.speaks =
      lane == COLLECTIVE(uint, HEDDLE_SCOPE_SUB_GROUP, HEDDLE_MODE_REDUCE, HEDDLE_OP_MAX, HEDDLE_TYPE_UINT, lane, 0);
  mine.rank = PLACE_OF(HEDDLE_MODE_EXCLUSIVE, mine.speaks) + 1;
  return mine;
}

INLINE uint said_by_any(uint bits) {
  return COLLECTIVE(uint, HEDDLE_SCOPE_WORK_GROUP, HEDDLE_MODE_REDUCE, HEDDLE_OP_OR, HEDDLE_TYPE_BITS, bits, 0);
}

INLINE ulong said_by_any(ulong bits) {
  const uint low = said_by_any((uint)bits), high = said_by_any((uint)(bits >> 32));
  return upsample(high, low);
}

// The totals from that of rank 1 on, so many, joined.
#define CHAIN(type, operation, join)                                    \
  INLINE type chain_##operation(local const type *totals, uint count) { \
    type joined = totals[1];                                            \
    for (uint i = 2; i <= count; i++) {                                 \
      joined = join(joined, totals[i]);                                 \
    }                                                                   \
    return joined;                                                      \
  }
CHAIN(long, min, min)
CHAIN(long, max, max)
CHAIN(ulong, min, min)
CHAIN(ulong, max, max)
CHAIN(float, add, SUM)
CHAIN(double, add, SUM)

// Returns how many sub-groups have told theirs.
#define TOTALS(type, operation, nothing)                                                                                 \
  INLINE uint tell_##operation(local type *totals, struct place mine, type total) {                                      \
    if (mine.speaks) {                                                                                                   \
      totals[mine.rank] = total;                                                                                         \
    }                                                                                                                    \
    return COLLECTIVE(uint, HEDDLE_SCOPE_WORK_GROUP, HEDDLE_MODE_REDUCE, HEDDLE_OP_MAX, HEDDLE_TYPE_UINT, mine.rank, 0); \
  }                                                                                                                      \
  INLINE type before_##operation(struct place mine, type total) {                                                        \
    local type *totals = __heddle_totals();                                                                              \
    tell_##operation(totals, mine, total);                                                                               \
    return mine.rank == 1 ? (type)(nothing) : chain_##operation(totals, mine.rank - 1);                                  \
  }

#define SCANS_BY_TOTALS(type, operation, identity)                                                 \
  TOTALS(type, operation, identity)                                                                \
  type SHARED work_group_scan_inclusive_##operation(type x) {                                      \
    const type own = sub_group_scan_inclusive_##operation(x);                                      \
    return operation(before_##operation(place_of_highest(), own), own);                            \
  }                                                                                                \
  type SHARED work_group_scan_exclusive_##operation(type x) {                                      \
    const type own = sub_group_scan_exclusive_##operation(x);                                      \
    return operation(before_##operation(place_of_highest(), operation(own, x)), own);              \
  }

// Of many sub-groups, the first alone goes through the totals: their instructions would take more cycles than its wait.
// Where nobody is before, nothing is added: the sum of nothing is -0, and the first live work-item gets +0 from an
// exclusive scan.
#define SUMS_BY_TOTALS(type, bits, group)                                              \
  TOTALS(type, add, -(type)0)                                                          \
  type SHARED group##_reduce_add(type x) {                                             \
    local type *totals = __heddle_totals();                                            \
    const type total = sub_group_reduce_add(x);                                        \
    const struct place mine = place_of_lowest();                                       \
    const uint count = tell_add(totals, mine, total);                                  \
    bits all = 0;                                                                      \
    if (count <= 16 || mine.rank == 1) {                                               \
      all = as_##bits(chain_add(totals, count));                                       \
    }                                                                                  \
    return as_##type(count <= 16 ? all : said_by_any(all));                            \
  }                                                                                    \
  type SHARED group##_scan_inclusive_add(type x) {                                     \
    const type own = sub_group_scan_inclusive_add(x);                                  \
    return before_add(place_of_highest(), own) + own;                                  \
  }                                                                                    \
  type SHARED group##_scan_exclusive_add(type x) {                                     \
    const type own = sub_group_scan_exclusive_add(x), total = sub_group_reduce_add(x); \
    const struct place mine = place_of_lowest();                                       \
    const type before = before_add(mine, total);                                       \
    return !mine.speaks ? before + own : mine.rank > 1 ? before : (type)0;             \
  }

#endif

SCANS_BY_TOTALS(long, min, LONG_MAX)
SCANS_BY_TOTALS(long, max, LONG_MIN)
SCANS_BY_TOTALS(ulong, min, ULONG_MAX)
SCANS_BY_TOTALS(ulong, max, 0)

SUMS_BY_TOTALS(double, ulong, work_group)

// Pipelines have no instruction for sums of float.
#ifdef HEDDLE_PIPELINE
SUMS_BY_TOTALS(float, uint, work_group)
#else
SUMS_BY_TOTALS(float, uint, __heddle_totals)

#define FLOAT_SUM_OF_WORK_GROUP(name, mode)                                                                         \
  float BUILTIN work_group_##name##_add(float x) {                                                                  \
    return __heddle_has_float_unit ? FLOAT_SUM(HEDDLE_SCOPE_WORK_GROUP, mode, x) : __heddle_totals_##name##_add(x); \
  }
FLOAT_SUM_OF_WORK_GROUP(reduce, HEDDLE_MODE_REDUCE)
FLOAT_SUM_OF_WORK_GROUP(scan_inclusive, HEDDLE_MODE_INCLUSIVE)
FLOAT_SUM_OF_WORK_GROUP(scan_exclusive, HEDDLE_MODE_EXCLUSIVE)
#endif
