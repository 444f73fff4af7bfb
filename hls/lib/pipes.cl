// SPDX-License-Identifier: Apache-2.0
// Pipe functions: OpenCL C 3.0, section 6.15.16, and cl_khr_subgroups. How a pipe lies in global memory, and when a packet
// is there, is said in contract/DEVICE.md, "Pipes". clang makes calls of the functions below from those of the text, with
// the packet's size and alignment; heddlec turns pipes into addresses and reservation ids into words (opaque_types.c),
// which is how they are declared here.
//
// Nobody waits for anybody. Packets are taken by one exchange, repeated only when somebody else's came first. Packets are
// given to the other side by whoever has the turn, and who has not leaves them to that one.
#include "contract/device_map.h"
#include "hls/lib/device.h"
#include "hls/lib/misuse.h"

typedef global uint *pipe_pointer;  // its words (enum heddle_pipe_word), then a mark for each slot
#define ATOMIC(word) ((volatile global atomic_uint *)(word))
#define MARK(p, slot) ATOMIC((p) + HEDDLE_PIPE_HEADER_WORDS + (slot))

// Directions are constants wherever code is made for them.
#define WRITING 0u
#define READING 1u

// A mark, of a slot.
#define MARK_TURN(direction) ((direction) == READING ? HEDDLE_PIPE_MARK_READING_TURN : HEDDLE_PIPE_MARK_WRITING_TURN)
#define MARK_COMMITTED(direction) \
  ((direction) == READING ? HEDDLE_PIPE_MARK_READING_COMMITTED : HEDDLE_PIPE_MARK_WRITING_COMMITTED)

#define HOW memory_order_relaxed, memory_scope_device
#define LOAD(count) __opencl_atomic_load(count, HOW)
#define STORE(count, value) __opencl_atomic_store(count, value, HOW)

// An exchange in two instructions. The memories know one reservation at a time, so each load is to be followed by the
// store; LLVM's compare-and-exchange leaves that out where it finds another value than it expects.
#define LOAD_RESERVED(address)                                                      \
  ({                                                                                \
    uint loaded;                                                                    \
    __asm__ volatile("lr.w %0, (%1)" : "=r"(loaded) : "r"(address) : "memory");     \
    loaded;                                                                         \
  })
#define STORE_CONDITIONAL(address, value)                                                             \
  ({                                                                                                  \
    uint store_failed;                                                                                \
    __asm__ volatile("sc.w %0, %1, (%2)" : "=&r"(store_failed) : "r"(value), "r"(address) : "memory"); \
    store_failed == 0;                                                                                \
  })

// The device keeps memory in order; packets are to stay on their side of what makes them somebody else's.
#define FENCE() __asm__ volatile("" ::: "memory")

// One piece of code each, so that a call costs its caller little. The calls are not copied either, as there is inline
// assembly in the functions: lanes that took packets together come to give them away together.
#define FUNCTION __attribute__((noinline))
#define INLINE __attribute__((always_inline))

// ---- counting

// Takes as many packets as there are, up to `most`, but none if that are fewer than `least`, which is at least 1. Counts
// only ever grow. So what is there is at least what this finds, and if it is too little and the other side has not
// moved since, there was no more when this side's count was loaded. The lane `leader` does it for those that name it;
// they try again together, as lanes may part where a loop ends. What is taken is the leader's to tell.
static INLINE uint take(pipe_pointer p, uint direction, uint leader, uint least, uint most, uint *first) {
  volatile global atomic_uint *taken =
      ATOMIC(p + (direction == READING ? HEDDLE_PIPE_TAKEN_FOR_READING : HEDDLE_PIPE_TAKEN_FOR_WRITING));
  volatile global atomic_uint *given = ATOMIC(p + (direction == READING ? HEDDLE_PIPE_WRITTEN : HEDDLE_PIPE_READ));
  const uint room = direction == READING ? 0 : p[HEDDLE_PIPE_MAX_PACKETS];
  const bool leads = leader == MY_LANE;
  uint start = 0, count = 0, again;
#pragma unroll 1
  do {
    again = 0;
    if (leads) {
      const uint limit = LOAD(given);
      start = LOAD_RESERVED(taken);
      const int there = (int)(limit + room - start);
      count = there < (int)least ? 0 : min((uint)there, most);
      const bool stored = STORE_CONDITIONAL(taken, start + count);
      again = count == 0 ? LOAD(given) != limit : !stored;
    }
    again = SHUFFLE(again, leader);
  } while (again != 0);
  if (leads && count != 0)
    __opencl_atomic_fetch_or(MARK(p, start & p[HEDDLE_PIPE_SLOT_MASK]), count, HOW);
  *first = start;
  return count;
}

// Commits the reservation that begins in a slot. If it has the turn its packets are given to the other side, and those of
// the reservations behind it that are committed; the first that is not gets the turn. Otherwise whoever has the turn
// gives them.
static INLINE void give(pipe_pointer p, uint direction, uint slot) {
  volatile global atomic_uint *given = ATOMIC(p + (direction == READING ? HEDDLE_PIPE_READ : HEDDLE_PIPE_WRITTEN));
  const uint turn = MARK_TURN(direction), committed = MARK_COMMITTED(direction);
  FENCE();
  uint mark = __opencl_atomic_fetch_or(MARK(p, slot), committed, HOW), missing = turn;
#pragma unroll 1
  while ((mark & missing) != 0) {
    __opencl_atomic_fetch_and(MARK(p, slot), ~(turn | committed | HEDDLE_PIPE_MARK_PACKETS), HOW);
    const uint end = LOAD(given) + (mark & HEDDLE_PIPE_MARK_PACKETS);
    STORE(given, end);
    slot = end & p[HEDDLE_PIPE_SLOT_MASK];
    mark = __opencl_atomic_fetch_or(MARK(p, slot), turn, HOW);
    missing = committed;
  }
}

// ---- reservations: an id is the slot of the first packet. Of writing it counts up from 1, of reading down from all ones,
// so that one is none for the other direction. 0 is none.
#define ID_OF(direction, slot) ((direction) == READING ? ~(slot) : (slot) + 1)
#define SLOT_OF(direction, id) ((direction) == READING ? ~(id) : (id) - 1)

static INLINE uint reserve(pipe_pointer p, uint direction, uint count, uint bytes) {
  uint first;
  MISUSED_IF(bytes != p[HEDDLE_PIPE_PACKET_BYTES], HEDDLE_MISUSE_PACKET_BYTES);
  // More than there can be is not to look negative.
  if (count == 0 || count > p[HEDDLE_PIPE_MAX_PACKETS] || bytes != p[HEDDLE_PIPE_PACKET_BYTES] ||
      take(p, direction, MY_LANE, count, count, &first) == 0)
    return 0;
  return ID_OF(direction, first & p[HEDDLE_PIPE_SLOT_MASK]);
}

// Packets of a reservation that is not committed; 0 if there is none of this id, as far as the mark says.
static INLINE uint packets_of(pipe_pointer p, uint direction, uint id) {
  const uint slot = SLOT_OF(direction, id);
  if (slot > p[HEDDLE_PIPE_SLOT_MASK])
    return 0;
  const uint mark = LOAD(MARK(p, slot));
  return (mark & MARK_COMMITTED(direction)) == 0 ? mark & HEDDLE_PIPE_MARK_PACKETS : 0;
}

static INLINE void commit(pipe_pointer p, uint direction, uint id) {
  const bool is_one = packets_of(p, direction, id) != 0;
  MISUSED_IF(!is_one, HEDDLE_MISUSE_COMMIT);
  if (is_one)
    give(p, direction, SLOT_OF(direction, id));
}

static INLINE global uchar *packet_at(pipe_pointer p, uint count, uint bytes) {
  return (global uchar *)p + p[HEDDLE_PIPE_PACKETS_OFFSET] + (count & p[HEDDLE_PIPE_SLOT_MASK]) * bytes;
}

// Where a packet of a reservation lies; 0 if it has none of that index.
static INLINE global uchar *reserved_packet(pipe_pointer p, uint direction, uint id, uint index, uint bytes) {
  return bytes == p[HEDDLE_PIPE_PACKET_BYTES] && index < packets_of(p, direction, id) ? packet_at(p, SLOT_OF(direction, id) + index, bytes) : 0;
}

// ---- plain reads and writes

// A lane's part of what lanes took together.
union share {
  struct {
    uint packet;  // its address; 0: none was left for this lane
    uint id;      // of the reservation, for the lane that has to commit it; else 0
  };
  ulong both;
};

// Lanes that run this together and mean the same pipe take a packet each with one exchange, in the order of their
// numbers. Of several pipes each lane takes its own.
static INLINE ulong take_together(pipe_pointer p, uint direction, uint bytes) {
  const uint lane = MY_LANE;
  const uint lowest = COLLECTIVE(uint, HEDDLE_SCOPE_ACTIVE, HEDDLE_MODE_REDUCE, HEDDLE_OP_MIN, HEDDLE_TYPE_UINT, lane, 0);
  const uint before = COLLECTIVE(uint, HEDDLE_SCOPE_ACTIVE, HEDDLE_MODE_EXCLUSIVE, HEDDLE_OP_ADD, HEDDLE_TYPE_UINT, 1, 0);
  const uint lanes = COLLECTIVE(uint, HEDDLE_SCOPE_ACTIVE, HEDDLE_MODE_REDUCE, HEDDLE_OP_ADD, HEDDLE_TYPE_UINT, 1, 0);
  const bool same =
      COLLECTIVE(uint, HEDDLE_SCOPE_ACTIVE, HEDDLE_MODE_ALL, 0, 0, SHUFFLE((uint)p, lowest) == (uint)p, 0) != 0;
  const uint leader = same ? lowest : lane, rank = same ? before : 0;
  uint first = 0, count = 0;
  if (SHUFFLE(bytes == p[HEDDLE_PIPE_PACKET_BYTES], leader) != 0)
    count = take(p, direction, leader, 1, same ? lanes : 1, &first);
  first = SHUFFLE(first, leader);
  count = SHUFFLE(count, leader);
  union share share = {.both = 0};
  if (rank < count) {
    share.packet = (uint)packet_at(p, first + rank, bytes);
    share.id = rank == 0 ? (first & p[HEDDLE_PIPE_SLOT_MASK]) + 1 : 0;
  }
  return share.both;
}

// ---- functions for each direction

#define DIRECTION(name, direction)                                                                                     \
  FUNCTION ulong __heddle_pipe_take_##name(pipe_pointer p, uint bytes) {                                            \
    return take_together(p, direction, bytes);                                                                      \
  }                                                                                                                    \
  FUNCTION void __heddle_pipe_give_##name(pipe_pointer p, uint id) {                                                \
    if (id != 0)                                                                                                       \
      give(p, direction, id - 1);                                                                                   \
  }                                                                                                                    \
  FUNCTION uint __heddle_pipe_packet_##name(pipe_pointer p, uint id, uint index, uint bytes) {                      \
    return (uint)reserved_packet(p, direction, id, index, bytes);                                                   \
  }                                                                                                                    \
  FUNCTION uint __reserve_##name##_pipe(pipe_pointer p, uint count, uint bytes, uint alignment) {                   \
    return reserve(p, direction, count, bytes);                                                                     \
  }                                                                                                                    \
  FUNCTION void __commit_##name##_pipe(pipe_pointer p, uint id, uint bytes, uint alignment) {                       \
    commit(p, direction, id);                                                                                       \
  }                                                                                                                    \
  /* Of a group: one work-item does it once, for all, when all are there. */                                          \
  FUNCTION uint __sub_group_reserve_##name##_pipe(pipe_pointer p, uint count, uint bytes, uint alignment) {         \
    uint id = 0;                                                                                                       \
    if (MY_LANE == 0)                                                                                                  \
      id = reserve(p, direction, count, bytes);                                                                     \
    return COLLECTIVE(uint, HEDDLE_SCOPE_SUB_GROUP, HEDDLE_MODE_BROADCAST, 0, 0, id, 0);                                             \
  }                                                                                                                    \
  FUNCTION void __sub_group_commit_##name##_pipe(pipe_pointer p, uint id, uint bytes, uint alignment) {             \
    BARRIER(HEDDLE_SCOPE_SUB_GROUP);                                                                                          \
    if (MY_LANE == 0)                                                                                                  \
      commit(p, direction, id);                                                                                     \
  }                                                                                                                    \
  FUNCTION uint __work_group_reserve_##name##_pipe(pipe_pointer p, uint count, uint bytes, uint alignment) {        \
    uint id = 0;                                                                                                       \
    if ((MY_SUB_GROUP | MY_LANE) == 0)                                                                                 \
      id = reserve(p, direction, count, bytes);                                                                     \
    return COLLECTIVE(uint, HEDDLE_SCOPE_WORK_GROUP, HEDDLE_MODE_BROADCAST, 0, 0, id, 0);                                            \
  }                                                                                                                    \
  FUNCTION void __work_group_commit_##name##_pipe(pipe_pointer p, uint id, uint bytes, uint alignment) {            \
    BARRIER(HEDDLE_SCOPE_WORK_GROUP);                                                                                         \
    if ((MY_SUB_GROUP | MY_LANE) == 0)                                                                                 \
      commit(p, direction, id);                                                                                     \
  }
DIRECTION(read, READING)
DIRECTION(write, WRITING)

// ---- packets

// By the largest pieces that packet and pointer are aligned to. Part of the caller, where size and alignment are
// constants.
#define COPY(type)                                                   \
  for (uint i = 0; i < bytes / sizeof(type); i++)                    \
    ((generic type *)to)[i] = ((const generic type *)from)[i]

typedef uint __attribute__((may_alias)) aliasing_uint;
typedef ushort __attribute__((may_alias)) aliasing_ushort;

static INLINE void copy(generic void *to, const generic void *from, uint bytes, uint alignment) {
  if (alignment >= 4)
    COPY(aliasing_uint);
  else if (alignment == 2)
    COPY(aliasing_ushort);
  else
    COPY(uchar);
}

INLINE int __read_pipe_2(pipe_pointer p, generic void *to, uint bytes, uint alignment) {
  const union share share = {.both = __heddle_pipe_take_read(p, bytes)};
  MISUSED_IF(bytes != p[HEDDLE_PIPE_PACKET_BYTES], HEDDLE_MISUSE_PACKET_BYTES);
  if (share.packet == 0)
    return -1;
  copy(to, (const global void *)share.packet, bytes, alignment);
  __heddle_pipe_give_read(p, share.id);
  return 0;
}

INLINE int __write_pipe_2(pipe_pointer p, const generic void *from, uint bytes, uint alignment) {
  const union share share = {.both = __heddle_pipe_take_write(p, bytes)};
  MISUSED_IF(bytes != p[HEDDLE_PIPE_PACKET_BYTES], HEDDLE_MISUSE_PACKET_BYTES);
  if (share.packet == 0)
    return -1;
  copy((global void *)share.packet, from, bytes, alignment);
  __heddle_pipe_give_write(p, share.id);
  return 0;
}

// A pipe in memory never waits.
INLINE int __heddle_try_read_pipe(pipe_pointer p, generic void *to, uint bytes, uint alignment) {
  return __read_pipe_2(p, to, bytes, alignment);
}

INLINE int __heddle_try_write_pipe(pipe_pointer p, const generic void *from, uint bytes, uint alignment) {
  return __write_pipe_2(p, from, bytes, alignment);
}

INLINE int __read_pipe_4(pipe_pointer p, uint id, uint index, generic void *to, uint bytes, uint alignment) {
  const uint packet = __heddle_pipe_packet_read(p, id, index, bytes);
  MISUSED_IF(packet == 0, HEDDLE_MISUSE_PACKET);
  if (packet == 0)
    return -1;
  copy(to, (const global void *)packet, bytes, alignment);
  return 0;
}

INLINE int __write_pipe_4(pipe_pointer p, uint id, uint index, const generic void *from, uint bytes,
                          uint alignment) {
  const uint packet = __heddle_pipe_packet_write(p, id, index, bytes);
  MISUSED_IF(packet == 0, HEDDLE_MISUSE_PACKET);
  if (packet == 0)
    return -1;
  copy((global void *)packet, from, bytes, alignment);
  return 0;
}

// ---- queries

// Packets that a read could take, at some moment. Reading comes first: what is taken by then was written before.
static INLINE uint packets_in(pipe_pointer p) {
  const uint taken = LOAD(ATOMIC(p + HEDDLE_PIPE_TAKEN_FOR_READING));
  return min(LOAD(ATOMIC(p + HEDDLE_PIPE_WRITTEN)) - taken, p[HEDDLE_PIPE_MAX_PACKETS]);
}

#define QUERIES(access)                                                                           \
  INLINE uint __get_pipe_num_packets_##access(pipe_pointer p, uint bytes, uint alignment) {    \
    return packets_in(p);                                                                      \
  }                                                                                               \
  INLINE uint __get_pipe_max_packets_##access(pipe_pointer p, uint bytes, uint alignment) {    \
    return p[HEDDLE_PIPE_MAX_PACKETS];                                                                     \
  }
QUERIES(ro)
QUERIES(wo)

// By the name that clang gives it: here an id is a word.
bool INLINE is_valid(uint id) __asm__("_Z19is_valid_reserve_id13ocl_reserveid");
bool INLINE is_valid(uint id) {
  return id != 0;
}

// CLK_NULL_RESERVE_ID (heddle.h).
uint INLINE __heddle_null_reserve_id(void) {
  return 0;
}
