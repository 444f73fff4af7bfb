// SPDX-License-Identifier: Apache-2.0
// The checker's state, and what its files share.
//
// Beside registers and memory the checker keeps, for each word, which of its bits somebody has written, what object a
// pointer in it was made for (its provenance), and by which instruction an unwritten value was read (its origin).
// Beside memory it keeps who accessed it last. It looks at an instruction before this is executed.
#ifndef HEDDLE_SIM_MODEL_CHECK_STATE_H
#define HEDDLE_SIM_MODEL_CHECK_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "contract/check.h"
#include "sim/model/check.h"

// Provenance: the number of an object, or one of these.
enum {
  CHECK_NO_PROVENANCE = 0,     // an integer, or a pointer of which nothing is known
  CHECK_MIXED_PROVENANCE = 1,  // made of several pointers: may point to any object
  CHECK_FIRST_OBJECT = 2,
};

// An origin: number of the load whose value nobody had written, and two bits: something was computed from it; it lay
// beside what somebody had written, as what is between the members of a structure, or is itself a member.
#define CHECK_COMPUTED 0x80000000u
#define CHECK_BESIDE 0x40000000u
#define CHECK_ORIGIN 0x3FFFFFFFu

// What is known about the registers of a slot's sub-group. Rows as those of struct model_sub_group.
struct check_registers {
  uint64_t marked;  // bit r: the row of register r is not all zeros in the next three
  uint32_t unwritten[MODEL_REGISTERS * MODEL_MAX_LANES];
  uint32_t provenance[MODEL_REGISTERS * MODEL_MAX_LANES];
  uint32_t origin[MODEL_REGISTERS * MODEL_MAX_LANES];

  uint32_t first_item;                 // number of the work-item in lane 0
  uint32_t together[2];                // until when accesses of the same sub-group are ordered before: local, global
  uint32_t acquired[MODEL_MAX_LANES];  // the same for accesses of everybody: by acquire operations
  uint32_t pending[MODEL_MAX_LANES];   // will be once the lane comes to a fence
  uint32_t fenced;                     // lanes that have come to one
  uint32_t flags;                      // memory that the next barrier orders, as HEDDLE_CHECK_FLAGS has it; 0: all
  uint32_t calls, caller;              // calls that have not returned, and the PC of the first of them
  uint32_t passed[MODEL_MAX_LANES];    // PC of the last that a lane did behind a collective where others waited; or 0
  uint32_t returning;                  // lanes that may have returned early
  uint32_t passed_pc, round_pc;        // what a lane that has returned did last behind the collective at round_pc; or 0
  uint32_t round_lane;                 // which
  uint32_t lowest;                     // of the private words written, as offset; what lies above is to be forgotten
};

// What is known about a work-group, by group slot.
struct check_group {
  uint32_t number;       // in the order of the start
  uint32_t first_item;   // number of its first work-item
  uint32_t start;        // time
  uint32_t together[2];  // until when accesses of the same work-group are ordered before: local, global
};

// Who accessed a word or byte last. Time 0: nobody has. Bit 0 of a PC: by an atomic; bit 1: which is a volatile access.
struct check_use {
  uint32_t item, time, pc, caller;
};
// The last accesses of each kind: one does not hide another, as what orders one may not order the other.
struct check_cell {
  struct check_use writer, readers[2];                    // plain
  struct check_use atomic_writers[2], atomic_readers[2];  // and volatile
};

enum { CHECK_PAGE_WORDS = MODEL_PAGE_WORDS, CHECK_PAGE_BYTES = 4 * CHECK_PAGE_WORDS };

// What is known about a page of memory; zeros at first.
struct check_page {
  uint32_t written[CHECK_PAGE_WORDS];  // bits
  uint32_t provenance[CHECK_PAGE_WORDS];
  uint32_t origin[CHECK_PAGE_WORDS];
  uint32_t *released;        // by word: time of the last release by an atomic; NULL: none
  struct check_cell *words;  // by word; NULL: no accesses, or
  struct check_cell *bytes;  // by byte, once a byte was accessed alone
};

struct check_object {
  struct heddle_check_object is;
  bool is_there;  // what was allocated for it still is
  uint32_t next;  // in the chain of its hash; 0: the last
};

// A load whose value nobody had written.
struct check_origin {
  uint32_t pc;
  struct heddle_check_access access;
  uint32_t address, object;  // a number of an object, 0: none
};

// Packets of a pipe that somebody has taken.
struct check_reservation {
  uint32_t object, packets;       // the pipe; 0 packets: there is none
  struct heddle_finding finding;  // what is told if it is not committed; `address` is that of its mark
};

struct check_fresh {
  uint32_t address, bytes;
};

enum { CHECK_HASH = 1024, CHECK_MOST_FINDINGS = 256, CHECK_MOST_ORIGINS = 4096 };

struct model_check {
  struct check_page **pages;  // of `memory` of the device
  size_t num_pages;
  struct check_registers *registers;  // by slot
  struct check_group *groups;         // by group slot

  struct check_object *objects;
  uint32_t num_objects, room_for_objects;
  uint32_t chains[CHECK_HASH];
  uint32_t *pieces;  // numbers of the objects in global memory, by address
  size_t num_pieces;
  struct heddle_check_pointer *pointers;
  size_t num_pointers;
  bool has_orders;

  uint32_t time;       // goes on with each barrier and release
  uint32_t start;      // of the dispatch
  uint32_t items;      // work-items of a full work-group's sub-groups, those that are not there included
  uint32_t started;    // work-groups
  uint32_t stack_end;  // bytes of private memory

  struct check_origin origins[CHECK_MOST_ORIGINS];  // by a hash of the PC; pc 0: none
  struct heddle_finding findings[CHECK_MOST_FINDINGS];
  struct heddle_finding given[CHECK_MOST_FINDINGS];
  uint32_t num_findings;
  uint32_t dispatches;  // since the scene was told: the first is the kernel, others are of what it has enqueued
  bool is_enqueued;
  bool incomplete;
  bool has_passed;  // a sub-group has a passed_pc

  struct check_reservation *reservations;  // by a hash of the address; room is a power of two
  uint32_t num_reservations, room_for_reservations;

  pthread_mutex_t lock;  // of the next two
  struct check_fresh *fresh;
  size_t num_fresh, room_for_fresh;
  atomic_bool has_fresh;
};

static inline struct check_registers *check_registers_of(const struct model_device *d,
                                                         const struct model_sub_group *g) {
  return &d->check->registers[model_slot(d, g)];
}
static inline struct check_group *check_group_of(const struct model_device *d, const struct model_sub_group *g) {
  return &d->check->groups[g->group - d->work_groups];
}

// check_memory.c: the page of a physical address; NULL: nothing is known of it, or host memory is out.
static inline struct check_page *check_known_page(const struct model_check *c, uint32_t physical) {
  return c->pages[physical >> MODEL_PAGE_LOG2];
}
struct check_page *check_page(struct model_check *c, uint32_t physical);
// Bytes of physical memory nobody has written, or somebody has.
void check_forget(struct model_check *c, uint32_t physical, uint64_t bytes);
void check_all_written(struct model_check *c, uint32_t physical, uint64_t bytes);
void check_destroy_pages(struct model_check *c);
// The cells of an access: one for each byte, or one for the word. *count of them; NULL: host memory is out.
struct check_cell *check_cells(struct model_check *c, uint32_t physical, uint32_t bytes, uint32_t *count);

// check_objects.c
// The number of an object, which becomes one if it is none yet. 0: host memory is out.
uint32_t check_object_number(struct model_check *c, const struct heddle_check_object *object);
// The object in global memory that holds the address; 0: none.
uint32_t check_object_at(const struct model_check *c, uint32_t address);
// The pieces are others now: finds which objects are still there.
void check_objects_refresh(struct model_check *c);

// One lane's access to memory.
struct check_touch {
  uint32_t lane, pc, address, physical, bytes;
  uint32_t object;              // number; 0: none
  const uint32_t *stored;       // by lane: what the instruction stores; NULL: it does not
  bool is_atomic, is_volatile;  // a volatile access is an atomic, too
};

// check_race.c: looks for an access that nothing orders with this one, and notes this one.
void check_race(struct model_device *d, const struct model_sub_group *g, const struct check_touch *touch);
void check_fence(struct model_device *d, const struct model_sub_group *g, uint32_t mask);
// An atomic of a lane, before it reads and after it has written. After a fence an atomic releases; what it reads is
// acquired at the next fence.
void check_acquire(struct model_device *d, const struct model_sub_group *g, const struct check_touch *touch);
void check_release(struct model_device *d, const struct model_sub_group *g, const struct check_touch *touch);
// A barrier of `count` sub-groups: all of the work-group, or one alone.
void check_barrier(struct model_device *d, const struct model_sub_group *g, uint32_t count, bool of_work_group);

// check_step.c: notes whether anything is known of a register.
void check_mark(struct check_registers *r, uint32_t reg, uint32_t sub_group_size);

// check_access.c: a load, store or atomic.
void check_access(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask,
                  const struct model_op *op);
// Nobody has written a lane's variable in private memory.
void check_forget_variable(struct model_device *d, const struct model_sub_group *g, uint32_t lane,
                           const struct heddle_check_object *variable);

// check_collective.c: a lane does what one that a collective went without has done before.
void check_find_passed(struct model_device *d, const struct model_sub_group *g, uint32_t lane);

// check_findings.c
struct heddle_check_access check_access_of(const struct model_device *d, const struct model_sub_group *g, uint32_t lane,
                                           uint32_t pc);
// The access of a work-item by its number.
struct heddle_check_access check_access_of_item(const struct model_device *d, const struct check_use *use);
// Keeps a finding, or counts it.
void check_keep(struct model_check *c, const struct heddle_finding *finding);
// The range that a finding of now is of.
void check_complete(const struct model_device *d, struct heddle_finding *finding);
// Both, with its object.
void check_find(struct model_device *d, const struct heddle_finding *finding, uint32_t object);
// A value that nobody has written is used.
void check_find_unwritten(struct model_device *d, const struct model_sub_group *g, uint32_t lane, uint32_t pc,
                          uint32_t origin);
// Number of the load with this PC, whose origin a lane of g is about to become.
uint32_t check_origin(struct model_device *d, const struct model_sub_group *g, uint32_t lane, uint32_t pc,
                      uint32_t address, uint32_t bytes, uint32_t object);
// A mistake takes the place of the note about the collective at a PC.
void check_forget_note(struct model_check *c, uint32_t pc);
void check_forget_findings(struct model_check *c, uint32_t address, uint64_t bytes);

// check_reservations.c
// A lane writes to a mark of a pipe by an atomic or: packets are taken, unless it only sets bits beside them.
void check_takes_packets(struct model_device *d, const struct model_sub_group *g, const struct check_touch *touch);
// The kernel has ended: what was taken and not committed is found, and forgotten.
void check_uncommitted(struct model_device *d);
void check_forget_reservations(struct model_check *c);

#endif
