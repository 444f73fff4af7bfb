// SPDX-License-Identifier: Apache-2.0
// What a simulated device that checks kernels is told about their memory, and what it finds. The golden model offers it
// (contract/sim.h); host/device/check.c tells and asks.
#ifndef HEDDLE_CHECK_H
#define HEDDLE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEDDLE_CHECK_NAME_BYTES = 64 };

enum heddle_check_kind {
  HEDDLE_CHECK_NONE = 0,
  HEDDLE_CHECK_BUFFER = 1,  // of an OpenCL program: bounds, contents and races are checked
  HEDDLE_CHECK_PIPE,        // bounds alone: built-in functions keep what is in it in order
  HEDDLE_CHECK_OTHER,       // of the driver: programs, printf buffer, arguments; may be used by any pointer
  HEDDLE_CHECK_RELEASED,    // a buffer that was released, its memory not in use again yet
  HEDDLE_CHECK_LOCAL,       // a variable or an argument in local memory; `address` counts from 0
  HEDDLE_CHECK_PRIVATE,     // a variable in private memory; `address` counts from 0
  HEDDLE_CHECK_LIBRARY,     // of built-in functions in local memory, which they keep in order: bounds alone
  HEDDLE_CHECK_VARIABLE,    // a variable of the program, in global memory: as a buffer
  HEDDLE_CHECK_IMAGE,       // as a buffer
};

// What else lui to x0 says (HEDDLE_CHECK_FLAGS). With that bit and one of these: behind a move, the bytes of a variable
// of built-in functions whose address was moved; behind li of 0, a number of a variable that nobody has written yet,
// less than HEDDLE_CHECK_MEMBER, which is added where it is a member of a structure; behind a move and the bytes of a
// variable, that its life begins, so that nobody has written it; behind a move, that the program has read the value to
// store it elsewhere; behind the move of an address, with HEDDLE_CHECK_STORE for a store, the logarithm of what it has
// to be a multiple of; alone, that a work-item may return there early, with a number by which it is not taken for
// another; behind the move of an index, with the number of the array's elements in a further lui.
enum {
  HEDDLE_CHECK_LIBRARY_VARIABLE = 1 << 18,
  HEDDLE_CHECK_UNWRITTEN_VARIABLE = 1 << 17,
  HEDDLE_CHECK_MEMBER = 1 << 16,
  HEDDLE_CHECK_BEGINS = 1 << 15,
  HEDDLE_CHECK_VALUE = 1 << 14,
  HEDDLE_CHECK_ALIGNED = 1 << 13,
  HEDDLE_CHECK_STORE = 1 << 12,
  HEDDLE_CHECK_RETURNS = 1 << 11,
  HEDDLE_CHECK_INDEX = 1 << 10
};

// A piece of memory that pointers are meant for.
struct heddle_check_object {
  enum heddle_check_kind kind;
  uint32_t address, bytes;
  uint32_t serial;                     // of the allocation that it lies in; 0: of none
  bool is_read_only, is_write_only;    // for kernels
  bool is_constant;                    // in OpenCL's constant memory
  char name[HEDDLE_CHECK_NAME_BYTES];  // "'out'"; empty: it has none
};

// A word of global memory with a pointer to an object in it: an argument.
struct heddle_check_pointer {
  uint32_t at;  // address of the word
  struct heddle_check_object object;
};

// What there is when a kernel starts.
struct heddle_check_scene {
  const struct heddle_check_object *pieces;  // of global memory, in the order of their addresses, without overlap
  size_t num_pieces;
  const struct heddle_check_pointer *pointers;
  size_t num_pointers;
  bool has_orders;  // the kernel was compiled for checks: fences and atomic accesses are instructions of their own
};

enum heddle_finding_kind {
  HEDDLE_FINDING_OUT_OF_BOUNDS = 1,  // an access beyond the object that the pointer was made for
  HEDDLE_FINDING_NOWHERE,            // an access to global memory that is no object's
  HEDDLE_FINDING_FORBIDDEN,          // a store to what is constant or a buffer made read-only, or a load from one made
                                     // write-only
  HEDDLE_FINDING_RELEASED,           // an access to a buffer that was released
  HEDDLE_FINDING_UNWRITTEN,          // what was read there nobody has written, and it was used
  HEDDLE_FINDING_RACE,               // two accesses of work-items that nothing orders
  HEDDLE_FINDING_BARRIER,            // a barrier of a work-group that a work-item misses because it has returned
  HEDDLE_FINDING_RETURNED,           // the same of another collective
  HEDDLE_FINDING_PASSED,             // another collective, where a work-item has gone on to what others do behind it
  HEDDLE_FINDING_SOURCES,            // a broadcast from different work-items
  HEDDLE_FINDING_MISUSE,             // of a pipe or a device queue: `address` says which (HEDDLE_MISUSE_...)
  HEDDLE_FINDING_MISALIGNED,         // the address of a vector that is no multiple of its size, `here.bytes`
  HEDDLE_FINDING_INDEX,              // `address` is an index of a member of `here.bytes` elements
  HEDDLE_FINDING_KINDS,
};

// Misuse that the checker sees by itself, beside what built-in functions say (enum heddle_misuse): a reservation that
// the kernel has not committed when it ends.
enum { HEDDLE_MISUSE_UNCOMMITTED_WRITING = 0x100, HEDDLE_MISUSE_UNCOMMITTED_READING = 0x101 };

// An access by one work-item.
struct heddle_check_access {
  uint32_t pc;      // 0: there is none
  uint32_t caller;  // PC of the call in the kernel's own code by which it came there; 0: none, or not known
  uint32_t bytes;   // 0: not known
  bool is_write, is_atomic;
  uint32_t group_id[3], sub_group_id, lane;
};

struct heddle_finding {
  enum heddle_finding_kind kind;
  // The range that the work-items are of: of the kernel, or of a block that it has enqueued.
  uint32_t global_size[3], global_offset[3], local_size[3], sub_group_size;
  bool is_enqueued;
  bool is_new;     // not found by an earlier dispatch
  uint64_t count;  // how often, in this dispatch
  struct heddle_check_access here, other;
  uint32_t address;                   // that was accessed
  struct heddle_check_object object;  // kind 0: none
};

struct heddle_check_api {
  // Checks from now on; before the first dispatch. 0 or -ENOMEM.
  int (*start)(void *device);
  // Nobody has written this range of global memory; what was known of it is forgotten. Any thread may call it, at any
  // time.
  void (*fresh)(void *device, uint32_t address, uint32_t bytes);
  // What there is when the dispatch starts that is started next. Copied. 0 or -ENOMEM.
  int (*scene)(void *device, const struct heddle_check_scene *scene);
  // What has been found since the last scene: the first *count findings, which stay valid until the next call of this
  // table. Each is there once, however often it was found. has_ended: the kernel came to its end, and what it has left
  // undone is found, too. *incomplete: host memory was out, or there were more.
  const struct heddle_finding *(*findings)(void *device, bool has_ended, size_t *count, bool *incomplete);
};

#endif
