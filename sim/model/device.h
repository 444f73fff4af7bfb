// SPDX-License-Identifier: Apache-2.0
// The state of the golden model and what its files call in each other. Start reading here, then execute_body.h.
#ifndef HEDDLE_SIM_MODEL_DEVICE_H
#define HEDDLE_SIM_MODEL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/csrs.h"
#include "contract/device_map.h"
#include "contract/sim.h"
#include "contract/sim_rows.h"
#include "sim/model/model.h"
#include "sim/model/slot_set.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the model copies words between host and device memory and needs a little-endian host"
#endif

enum {
  MODEL_MAX_LANES = 32,
  MODEL_MIN_SLOTS = 4,
  MODEL_MAX_SLOTS = 128,  // of a unit
  MODEL_MAX_UNITS = 8,
  MODEL_LINE_BYTES = 1 << HEDDLE_LINE_LOG2_LEAST,
  MODEL_LOCAL_MEMORY_BYTES = 64 * 1024,  // of a unit
  MODEL_CLOCK_KHZ = 100000,              // nominal
  MODEL_PAGE_LOG2 = 12,                  // of decoded code
  MODEL_PAGE_WORDS = 1 << (MODEL_PAGE_LOG2 - 2),
  MODEL_MAX_CODE_PAGES = 1024,  // decoded at a time, so that a hostile program cannot fill the host's memory
  MODEL_PROCESSOR_TICKS = 4,    // of the clock, for an instruction of the command processor
  MODEL_SLICE = 64,             // issues of one sub-group before the next one's turn
  MODEL_TURN = 256,             // atomics and pauses until lanes that go on yield to those that wait
  MODEL_MAX_THREADS = 16,
  MODEL_SINK = 32,  // register row that takes what is written to x0
  MODEL_REGISTERS = 33,
};
_Static_assert(MODEL_MAX_UNITS *MODEL_MAX_SLOTS <= MODEL_SET_SLOTS, "a set of slots has room for all of them");

// Registers are undefined when a work-item starts. A value that is no valid address and not zero shows who relies on
// it.
#define MODEL_UNDEFINED 0xBADC0DE5u

enum model_kind {
  OP_DECODE = 0,  // not decoded yet, or overwritten since
  OP_PAGE_END,    // behind the last instruction of a page
  OP_ILLEGAL,
  OP_CONSTANT,  // lui, auipc: imm is the result
  OP_JAL,       // imm is the target
  OP_JALR,
  OP_BEQ,  // imm of a branch is the target
  OP_BNE,
  OP_BLT,
  OP_BGE,
  OP_BLTU,
  OP_BGEU,
  OP_LB,
  OP_LH,
  OP_LW,
  OP_LBU,
  OP_LHU,
  OP_SB,
  OP_SH,
  OP_SW,
  OP_LOAD_AT,   // custom-1: of a base, rs1, and an index; imm holds the rest (MODEL_AT_*)
  OP_STORE_AT,  // the same; rs2 is stored
  OP_ATOMIC,    // lr.w, sc.w, amo*: imm is funct5
  OP_ADDI,
  OP_SLTI,
  OP_SLTIU,
  OP_XORI,
  OP_ORI,
  OP_ANDI,
  OP_SLLI,
  OP_SRLI,
  OP_SRAI,
  OP_ADD,
  OP_SUB,
  OP_SLL,
  OP_SLT,
  OP_SLTU,
  OP_XOR,
  OP_SRL,
  OP_SRA,
  OP_OR,
  OP_AND,
  OP_MUL,
  OP_MULH,
  OP_MULHSU,
  OP_MULHU,
  OP_DIV,
  OP_DIVU,
  OP_REM,
  OP_REMU,
  OP_SH1ADD,
  OP_SH2ADD,
  OP_SH3ADD,
  OP_ANDN,
  OP_ORN,
  OP_XNOR,
  OP_CLZ,
  OP_CTZ,
  OP_CPOP,
  OP_MIN,
  OP_MINU,
  OP_MAX,
  OP_MAXU,
  OP_SEXT_B,
  OP_SEXT_H,
  OP_ZEXT_H,
  OP_ROL,
  OP_ROR,
  OP_RORI,
  OP_ORC_B,
  OP_REV8,
  OP_FADD,  // from here to OP_FCVT_S_WU: rounded to nearest even
  OP_FSUB,
  OP_FMUL,
  OP_FDIV,
  OP_FSQRT,
  OP_FMADD,  // imm of these four is rs3
  OP_FMSUB,
  OP_FNMSUB,
  OP_FNMADD,
  OP_FCVT_S_W,
  OP_FCVT_S_WU,
  OP_FCVT_W_S,  // these two: towards zero
  OP_FCVT_WU_S,
  OP_FSGNJ,
  OP_FSGNJN,
  OP_FSGNJX,
  OP_FMIN,
  OP_FMAX,
  OP_FEQ,
  OP_FLT,
  OP_FLE,
  OP_FCLASS,
  OP_FLOAT_ROUNDED,  // one of OP_FADD to OP_FCVT_WU_S in another rounding mode: imm is model_rounded
  OP_FENCE,
  OP_CSR,                    // imm is the CSR's number
  OP_SUB_GROUP_COLLECTIVE,   // imm is funct7, and bit 7 that it is a word of 64 bits
  OP_WORK_GROUP_COLLECTIVE,  // imm is funct7
  OP_ACTIVE_COLLECTIVE,      // imm is funct7, and bit 7 as above
  OP_EXIT,
};

// Rounding modes as the rm field has them.
enum model_rounding { MODEL_RNE, MODEL_RTZ, MODEL_RDN, MODEL_RUP, MODEL_RMM };

// imm of OP_FLOAT_ROUNDED.
static inline uint32_t model_rounded(enum model_kind kind, enum model_rounding rounding, uint32_t rs3) {
  return (uint32_t)kind << 16 | (uint32_t)rounding << 8 | rs3;
}

#define MODEL_CANONICAL_NAN 0x7FC00000u

// imm of an access at an index: the index's register, by how much that is shifted, and funct3 of the plain access.
enum { MODEL_AT_INDEX = 31, MODEL_AT_SHIFT = 5, MODEL_AT_FUNCT3 = 7 };

// A decoded instruction. rd is MODEL_SINK where the instruction names x0.
struct model_op {
  uint8_t kind, rd, rs1, rs2;
  uint32_t imm;
};

// The instructions of one page of global memory; the last one is OP_PAGE_END.
struct model_code_page {
  uint32_t page;  // number of the page it decodes
  bool complete;  // none is OP_DECODE
  struct model_op op[MODEL_PAGE_WORDS + 1];
};

struct model_work_group {
  uint32_t id[3];
  uint32_t size[3];
  uint32_t start[3];           // global id of its first work-item
  uint32_t sub_groups;         // number of them; they have consecutive slots
  uint32_t unfinished;         // sub-groups with a live lane
  uint32_t waiting;            // of these: at a work-group collective
  uint32_t waiting_pc;         // of the first that waits
  struct model_op collective;  // that it was released from last

  // Its group slot, the same for every work-group of a dispatch that gets it.
  uint32_t first_slot;
  uint32_t local_memory;  // where its local memory is, offset in `memory`
};

enum model_state { MODEL_FREE, MODEL_RUNNING, MODEL_WAITING, MODEL_FINISHED };

struct model_sub_group {
  enum model_state state;
  uint32_t id;    // in its work-group
  uint32_t size;  // work-items it began with
  uint32_t live, parked;
  uint32_t yielded;         // of the lanes that could run: those that let the others go first
  uint32_t waited;          // atomics and pauses, at most MODEL_TURN, for which one of these had to wait
  bool released;            // from a work-group collective whose results it has; its next issue completes it
  uint32_t private_memory;  // where private word 0 of lane 0 is, offset in `memory`
  struct model_work_group *group;
  uint32_t pc[MODEL_MAX_LANES];
  uint32_t local_id[3][MODEL_MAX_LANES];
  uint32_t reserved;                      // lanes whose lr.w's word is still reserved
  uint32_t linked;                        // lanes that have done lr.w and no sc.w since
  uint32_t reservation[MODEL_MAX_LANES];  // of these: the word, physical
  uint32_t first_word[MODEL_MAX_LANES];   // operands of the last 64-bit collective's first half
  // Register r of lane l: x[r * S + l], S the dispatch's sub-group size.
  _Alignas(64) uint32_t x[MODEL_REGISTERS * MODEL_MAX_LANES];
};

// A dispatch, as the walker reads it from memory.
struct model_dispatch {
  uint32_t entry, packet;
  uint32_t global_size[3], global_offset[3], local_size[3];
  uint32_t sub_group_log2, local_bytes, private_base, private_log2;
  uint32_t budget[2];
  uint32_t kind;       // of compute unit
  uint32_t domain;     // whose rights it has; HEDDLE_DOMAIN_UNCHECKED: all
  uint32_t unit_mask;  // units that get work-groups, those that are there; 0: it names none of them
};

struct model_figures {
  uint64_t issues, active_lanes, groups_done, memory_requests, start;
};

struct model_fault {
  uint32_t reason, pc, address, group_id[3], sub_group_id, lane;
};

// Why model_execute came back.
enum model_stop {
  MODEL_SPENT,    // the issues it was given are spent
  MODEL_WAITS,    // at a work-group collective, every live lane parked there
  MODEL_RETURNS,  // no live lane left
  MODEL_FAULTS,   // the fault is recorded
};

// The command processor: one work-item of rv32i_zicsr for which control registers are memory.
struct model_processor {
  bool runs;
  uint32_t fault_reason, fault_pc;  // reason 0: none
  uint32_t tail, head, settled;
  uint32_t pc;
  uint32_t ticks;   // of the clock that it has not used up
  uint32_t period;  // instructions of the loop in which it waits for the dispatch to end; 0: not known to be in one
  uint32_t x[MODEL_REGISTERS];
};

// Where issues and lanes are counted for an observer.
struct model_profile {
  struct heddle_sim_observer observer;
  struct heddle_rows rows;
  uint32_t caller[MODEL_MAX_UNITS * MODEL_MAX_SLOTS];  // by slot: heddle_rows_of
  uint64_t uncounted;                                  // issues for which there was no host memory
  bool executes, is_due;                               // a sub-group executes; the dispatch has ended while it did
};

struct model_device;
struct model_check;   // check.h
struct model_team;    // parallel.c
struct model_course;  // parallel.h
typedef enum model_stop model_execute_function(struct model_device *d, struct model_sub_group *g, uint32_t issues);

struct model_device {
  uint32_t lanes, slots, units, global_bytes;
  uint32_t first_global;  // what lies below is not a kernel's
  uint32_t page_log2;     // of the table of rights, log2 of a page's bytes
  uint8_t *rights;        // its entries, HEDDLE_RIGHTS_PAGES_MOST

  // Global memory, then the local memory of each unit. "Physical" below is an offset in here.
  uint8_t *memory;
  size_t memory_bytes;

  // Decoded code: by page of `memory` (NULL: not decoded), and every one allocated, oldest at next_code_page once full.
  struct model_code_page **code;
  struct model_code_page *code_pages[MODEL_MAX_CODE_PAGES];
  uint32_t code_page_count, next_code_page;

  uint32_t dispatch_register;  // address of the dispatch that is started next
  bool waits;                  // another dispatch, for the current one to end
  uint32_t waiting;            // its address

  bool busy;
  struct model_fault fault;  // that has not been answered; reason 0: none
  uint32_t ended;            // dispatches
  uint64_t clock;
  struct model_figures figures, previous;  // of the current or last dispatch, and of the one before
  struct model_dispatch dispatch;          // the current or last one

  // Current dispatch.
  uint32_t sub_group_size;
  uint64_t budget;  // issues, 0: none
  uint32_t groups[3], next_group[3];
  bool all_started;
  uint32_t group_slots;        // resident work-groups, of all units
  uint32_t slots_a_group;      // of a group slot
  uint32_t unfinished_groups;  // resident and not completed
  uint32_t turn, slice_left;   // slot whose turn it is, and what is left of it

  // One for each slot of the device: slot s of unit u is number u * slots + s.
  struct model_work_group *work_groups;  // by group slot; there are no more of these than slots
  struct model_sub_group *sub_groups;
  struct model_slot_set running;    // whose sub-group is MODEL_RUNNING
  struct model_slot_set reserving;  // whose sub-group holds a reservation

  bool has_processor;
  struct model_processor processor;

  struct model_check *check;  // NULL: kernels are not checked
  model_execute_function *execute;
  heddle_model_trace trace;
  void *trace_user;
  heddle_model_sc_choice choose_sc;
  void *choose_sc_user;
  struct model_profile *profile;  // NULL: nobody observes

  // Work-groups on several threads (parallel.h).
  uint32_t threads;             // at most so many; 0: as many as there are processors
  struct model_team *team;      // NULL: nothing has run on several yet
  struct model_course *course;  // not NULL: this is a thread's copy of the device, which runs that course
  bool gave_up;                 // of such a copy: what it has to do next is for one thread
};

// Whether the dispatch may access the word, or less, at `physical`.
static inline bool model_may(const struct model_device *d, uint32_t physical, bool is_store) {
  if (d->dispatch.domain == HEDDLE_DOMAIN_UNCHECKED || physical >= d->global_bytes)
    return true;
  const uint32_t entry = d->rights[physical >> d->page_log2], domain = entry & HEDDLE_RIGHTS_DOMAIN_MASK;
  return (domain == d->dispatch.domain || domain == HEDDLE_DOMAIN_EVERYBODY) &&
         (!is_store || (entry & HEDDLE_RIGHTS_WRITE) != 0);
}

static inline uint32_t model_slot(const struct model_device *d, const struct model_sub_group *g) {
  return (uint32_t)(g - d->sub_groups);
}

static inline void model_set_state(struct model_device *d, struct model_sub_group *g, enum model_state state) {
  g->state = state;
  if (state == MODEL_RUNNING)
    model_set_add(&d->running, model_slot(d, g));
  else
    model_set_remove(&d->running, model_slot(d, g));
}

// Runs a sub-group for at most `issues` issues (at least 1) and adds them to the device's figures.
// Two builds of the same code: the second uses AVX2 and is there on x86-64 only.
model_execute_function model_execute, model_execute_avx2;

// Of the lanes that are live and not parked, of which there is one, those of which the smallest PC runs.
static inline uint32_t model_eligible(const struct model_sub_group *g) {
  const uint32_t runnable = g->live & ~g->parked;
  return (runnable & ~g->yielded) != 0 ? runnable & ~g->yielded : runnable;
}

// decode.c
struct model_op model_decode(uint32_t word, uint32_t pc);

// code.c: the decoded page that holds pc, which must be a fetchable address.
struct model_op *model_code(struct model_device *d, uint32_t pc);
// Tells that physical bytes were written, so that decoded instructions among them are forgotten.
void model_code_written(struct model_device *d, uint32_t physical, size_t bytes);
static inline bool model_fetchable(const struct model_device *d, uint32_t pc) {
  return pc % 4 == 0 && pc >= d->first_global && pc < d->global_bytes;
}

// atomic.c: lr.w, sc.w or amo* by the lanes of mask at `address`. False: a lane's fault is recorded, nothing was
// accessed.
bool model_atomic(struct model_device *d, struct model_sub_group *g, const struct model_op *op, uint32_t pc,
                  uint32_t mask, const uint32_t *address);
// Physical bytes were written: whoever holds a reservation of one of the words loses it.
void model_break_reservations(struct model_device *d, uint32_t physical, size_t bytes);

// float.c: OP_FLOAT_ROUNDED for every lane.
void model_float_rounded(uint32_t imm, uint32_t size, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                         uint32_t *result);

static inline bool model_csr_is_clock(uint32_t csr) {
  return csr == HEDDLE_CSR_CYCLE || csr == HEDDLE_CSR_CYCLE_HIGH;
}

// csr.c: value of a CSR model_decode knows, for every lane. `clock` is the device's, in issues.
void model_read_csr(const struct model_device *d, const struct model_sub_group *g, uint32_t csr, uint64_t clock,
                    uint32_t *value);

// collective.c: executes a converged collective for all live lanes of `count` sub-groups (in order of their ids),
// writing rd only. The sub-groups are consecutive in the array; finished ones have no live lane.
void model_collective(struct model_sub_group *g, uint32_t count, uint32_t size, const struct model_op *op);
// An active-set collective of the lanes of `active`, which execute it.
void model_active_collective(struct model_sub_group *g, uint32_t active, uint32_t size, const struct model_op *op);

// walker.c
void model_command(struct model_device *d, uint32_t command);  // a write of COMMAND
void model_end(struct model_device *d);                        // the current dispatch has ended, perhaps by d->fault
void model_group_completed(struct model_device *d, struct model_work_group *w);
// The two halves of a start: the group slot gets the next work-group of the dispatch, of which there is one; its
// sub-groups get ready to run.
void model_take_group(struct model_device *d, struct model_work_group *w);
void model_fill_group(struct model_device *d, struct model_work_group *w);

// schedule.c: the `run` of the API.
int model_run(struct model_device *d, uint64_t issues);
void model_stop_by_host(struct model_device *d);  // COMMAND 2
// A turn of a sub-group that runs, of at most `issues` issues, which end with its slice or where it stops. Returns what
// is left of them. If its work-group has completed, w->unfinished is 0, and the caller has to do what follows.
uint32_t model_turn(struct model_device *d, struct model_sub_group *g, uint32_t issues);

// fault.c: records a fault of one lane and ends the dispatch.
void model_fault(struct model_device *d, const struct model_sub_group *g, uint32_t reason, uint32_t pc,
                 uint32_t address, uint32_t lane);
void model_bad_dispatch(struct model_device *d);

// profile.c: for an observer (contract/sim.h). An instruction is issued for so many lanes, or was not after all; the
// dispatch begins, and ends. Without an observer they do nothing.
void model_observe(void *device, const struct heddle_sim_observer *observer);
void model_profile_free(struct model_device *d);
void model_count(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t lanes, bool takes_back);
void model_profile_begin(struct model_device *d);
void model_profile_end(struct model_device *d);
// A sub-group begins to execute, or has executed: what it did counts even if it ends the dispatch.
void model_profile_executes(struct model_device *d, bool executes);

// trace.c: calls the trace callback.
void model_retire(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask,
                  const struct model_op *op, const uint32_t *address);

// processor.c
void model_processor_start(struct model_device *d);  // PROCESSOR 1
// The clock has gone on by `ticks`: runs as many instructions as the command processor has time for.
void model_processor_run(struct model_device *d, uint64_t ticks);
// Instructions of the loop in which it waits for the dispatch to end, if it is in such a one; else 0. As long as no
// control register changes, so many more leave it as it is.
uint32_t model_processor_period(struct model_device *d);
// Whether it has commands to carry out.
bool model_processor_busy(const struct model_device *d);

// control.c: one aligned word of the control registers.
uint32_t model_read_control(const struct model_device *d, uint32_t offset);
void model_write_control(struct model_device *d, uint32_t offset, uint32_t value);

#endif
