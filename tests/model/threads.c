// SPDX-License-Identifier: Apache-2.0
// Work-groups on several threads: memory, figures, faults and the command processor's view are those of one thread, bit
// for bit, whenever the host looks. Random kernels run on a device with one thread and on one with several, in the same
// steps; after each step everything is compared.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/model.h"
#include "tests/model/machine.h"

enum { THREADS = 3, ITEMS = 4096, OUTPUT_BYTES = 4 * ITEMS + 4096 };

// What a kernel does besides what threads can do at once, and how many work-groups do.
enum odd { NOTHING, SHARED_ATOMIC, OWN_ATOMIC, RACE, NEIGHBOUR, CLOCK, FAULT, CODE_WRITTEN, RESERVED, ODDS };

struct plan {
  uint64_t seed;
  enum odd odd;
  uint32_t lanes, slots, units, local, private_log2;
  uint32_t odd_groups;  // of 64 work-groups so many
  uint64_t budget;
};

// x5 global id, x6 work-group, x7 local id, x8 stack pointer, x10 own word of OUTPUT, x11 INPUT, x12 local memory, x13
// FLAGS, x14 rounds left, x15 whether it is one of the odd ones; x20 to x25 are worked with.
static void emit_prologue(struct machine *m, const struct plan *p) {
  emit(m, csrr(5, 0xCD0));
  emit(m, csrr(6, 0xCC3));
  emit(m, csrr(7, 0xCC0));
  emit(m, csrr(8, 0xCCE));
  emit_constant(m, 10, OUTPUT);
  emit(m, slli(9, 5, 2));
  emit(m, add(10, 10, 9));
  emit_constant(m, 11, INPUT);
  emit_constant(m, 12, HEDDLE_LOCAL_BASE);
  emit_constant(m, 13, FLAGS);
  emit_constant(m, 20, (uint32_t)p->seed * 2654435761u);
  emit(m, mul(14, 6, 20));
  emit(m, rori(14, 14, 9));
  emit(m, andi(14, 14, 31));
  emit(m, addi(14, 14, 3));
  emit(m, andi(15, 6, 63));
  emit(m, add(20, 20, 5));
  for (uint32_t r = 21; r <= 25; r++)
    emit(m, addi(r, 20, (int32_t)r));
}

// Of one of the odd ones.
static void emit_odd(struct machine *m, enum odd odd) {
  const uint32_t at = m->at;
  switch (odd) {
    case SHARED_ATOMIC:  // what it was depends on the order
      emit(m, atomic(AMOADD, 22, 13, 7));
      break;
    case OWN_ATOMIC:
      emit(m, atomic(AMOMAX, 22, 10, 20));
      break;
    case RACE:
      emit(m, sw(20, 13, 4));
      emit(m, lw(22, 13, 8));
      emit(m, sw(5, 13, 8));
      break;
    case NEIGHBOUR:
      emit(m, lw(22, 10, 1024));
      break;
    case CLOCK:
      emit(m, csrr(22, 0xC00));
      break;
    case FAULT:
      emit(m, andi(22, 20, 7));
      emit_branch(m, BNE, 22, 0, m->at + 8);
      emit(m, lw(22, 14, 1 << 10));
      break;
    case CODE_WRITTEN: {  // the next instruction but one, with what it is
      emit(m, auipc(23, 0));
      emit(m, lw(24, 23, 12));
      emit(m, sw(24, 23, 12));
      emit(m, addi(22, 22, 1));
      break;
    }
    case RESERVED:  // a sum in a word that all share
      emit(m, lr(22, 13));
      emit(m, add(23, 22, 7));
      emit(m, sc(24, 13, 23));
      emit_branch(m, BNE, 24, 0, m->at - 12);
      break;
    default:
      break;
  }
  if (m->at == at)
    emit(m, nop());
}

static void emit_something(struct machine *m, uint64_t *random, const struct plan *p) {
  const uint32_t r = 20 + next_random(random) % 6, s = 20 + next_random(random) % 6, k = next_random(random);
  switch (next_random(random) % 13) {
    case 0:
      emit(m, mul(r, r, s));
      break;
    case 1:
      emit(m, add(r, s, 5));
      break;
    case 2:
      emit(m, rori(r, r, k % 31 + 1));
      break;
    case 3:  // from all over INPUT
      emit(m, slli(9, s, 12));
      emit(m, encode_i(0x13, 5, 9, 9, 16));
      emit(m, andi(9, 9, -4));
      emit(m, add(9, 9, 11));
      emit(m, load(k % 2 ? LW : LHU, r, 9, 0));
      break;
    case 4:
      emit(m, store(k % 3, r, 10, 0));
      break;
    case 5:
      emit(m, load(k % 3, r, 10, 0));
      break;
    case 6:
      emit(m, sw(r, 8, -4 - (int32_t)(k % 16 * 4)));
      break;
    case 7:
      emit(m, lw(r, 8, -4 - (int32_t)(k % 16 * 4)));
      break;
    case 8:  // private memory, each lane elsewhere
      emit(m, andi(9, s, 124));
      emit(m, sub(9, 8, 9));
      emit(m, k % 2 ? sw(r, 9, -128) : lw(r, 9, -128));
      break;
    case 9:
      emit(m, slli(9, 7, 2));
      emit(m, add(9, 9, 12));
      emit(m, k % 2 ? sw(r, 9, 64) : lw(r, 9, 64));
      break;
    case 10:  // local memory that the work-group shares
      emit(m, atomic(AMOADD, r, 12, 7));
      break;
    case 11:
      emit(m,
           k % 2 ? barrier(WORK_GROUP_SCOPE) : collective(SUB_GROUP_SCOPE, TYPE_UINT, MODE_INCLUSIVE, OP_ADD, r, s, 0));
      break;
    default: {  // lanes part
      emit(m, andi(9, s, 1));
      const uint32_t branch = emit(m, nop());
      emit(m, mul(r, r, r));
      emit(m, addi(r, r, 77));
      patch_branch(m, branch, BEQ, 9, 0, m->at);
      break;
    }
  }
  if (p->odd != NOTHING && k % 8 == 0) {
    emit_constant(m, 9, p->odd_groups);
    const uint32_t branch = emit(m, nop());
    emit_odd(m, p->odd);
    patch_branch(m, branch, BGEU, 15, 9, m->at);
  }
}

static void write_kernel(struct machine *m, const struct plan *p) {
  uint64_t random = p->seed;
  begin(m);
  emit_prologue(m, p);
  const uint32_t loop = m->at;
  for (uint32_t i = 0; i < 24; i++)
    emit_something(m, &random, p);
  emit(m, addi(14, 14, -1));
  emit_branch(m, BNE, 14, 0, loop);
  emit(m, sw(20, 10, 0));
  emit(m, exit_item());
  for (uint32_t i = 0; i < 2048; i++)
    poke(m, INPUT + 4 * i, next_random(&random));
}

static void expect_same_bytes(struct machine *one, struct machine *several, uint32_t address, uint32_t bytes,
                              const char *what, uint64_t seed) {
  static uint8_t a[1 << 20], b[1 << 20];
  cr_assert(bytes <= sizeof a);
  heddle_model_api()->read(one->device, address, a, bytes);
  heddle_model_api()->read(several->device, address, b, bytes);
  for (uint32_t i = 0; i < bytes && memcmp(a, b, bytes) != 0; i++)
    cr_assert_eq(a[i], b[i], "seed %llu, %s, byte 0x%x: 0x%x, on one thread 0x%x", (unsigned long long)seed, what,
                 address + i, b[i], a[i]);
}

static void expect_same(struct machine *one, struct machine *several, const struct plan *p) {
  expect_same_bytes(one, several, HEDDLE_CONTROL_BASE, 0x400, "control registers", p->seed);
  expect_same_bytes(one, several, OUTPUT, OUTPUT_BYTES, "OUTPUT", p->seed);
  expect_same_bytes(one, several, FLAGS, 4096, "FLAGS", p->seed);
  expect_same_bytes(one, several, CODE, 4096, "code", p->seed);
  const uint32_t bytes = (p->units * p->slots * p->lanes) << p->private_log2;
  for (uint32_t at = 0; at < bytes; at += 1 << 20)
    expect_same_bytes(one, several, PRIVATE + at, bytes - at < 1 << 20 ? bytes - at : 1 << 20, "private memory",
                      p->seed);
}

// Returns the issues that ran on several threads.
static uint64_t compare(const struct plan *p, bool stops) {
  struct machine m[2];
  const struct range r = {.global = {ITEMS - p->seed % 50},
                          .local = {p->local},
                          .local_bytes = 4096,
                          .private_log2 = p->private_log2,
                          .budget = p->budget};
  uint64_t random = ~p->seed;
  for (uint32_t i = 0; i < 2; i++) {
    m[i] = machine_create_units(p->lanes, p->slots, p->units);
    heddle_model_set_threads(m[i].device, i == 0 ? 1 : THREADS);
    write_kernel(&m[i], p);
    start_range(&m[i], &r);
  }
  bool idle = false;
  for (uint32_t step = 0; !idle; step++) {
    cr_assert(step < 2000, "seed %llu: the dispatch does not end", (unsigned long long)p->seed);
    const uint32_t issues = 1 + next_random(&random) % (step % 3 == 0 ? 1000 : 1u << 18);
    idle = heddle_model_api()->run(m[0].device, issues);
    cr_assert_eq(heddle_model_api()->run(m[1].device, issues), idle);
    expect_same(&m[0], &m[1], p);
    if (stops && step == 5) {
      set_control(&m[0], HEDDLE_REG_COMMAND, HEDDLE_COMMAND_STOP);
      set_control(&m[1], HEDDLE_REG_COMMAND, HEDDLE_COMMAND_STOP);
    }
  }
  const uint64_t together = heddle_model_issues_together(m[1].device);
  cr_expect_eq(heddle_model_issues_together(m[0].device), 0);
  machine_destroy(&m[0]);
  machine_destroy(&m[1]);
  return together;
}

static struct plan plan_of(uint64_t seed, enum odd odd) {
  static const struct plan shapes[] = {
      {.lanes = 8, .slots = 32, .units = 1, .local = 64, .private_log2 = 10},
      {.lanes = 8, .slots = 32, .units = 1, .local = 8, .private_log2 = 9},
      {.lanes = 4, .slots = 8, .units = 3, .local = 13, .private_log2 = 8},
      {.lanes = 32, .slots = 16, .units = 1, .local = 128, .private_log2 = 8},
      {.lanes = 1, .slots = 12, .units = 2, .local = 6, .private_log2 = 10},
  };
  struct plan p = shapes[seed % (sizeof shapes / sizeof shapes[0])];
  p.seed = seed;
  p.odd = odd;
  p.odd_groups = odd == NOTHING ? 0 : seed % 2 ? 64 : 2;
  return p;
}

static uint32_t seeds(void) {
  const char *text = getenv("HEDDLE_SEEDS");
  return text ? (uint32_t)strtoul(text, NULL, 10) : 10;
}

// Also atomics of local memory, which depend on the order of the work-group's own sub-groups.
Test(model_threads, kernels_whose_work_groups_share_nothing_run_together_with_the_same_bits) {
  for (uint32_t seed = 0; seed < seeds(); seed++) {
    const struct plan p = plan_of(seed, seed % 3 == 2 ? OWN_ATOMIC : NOTHING);
    cr_expect_gt(compare(&p, false), 10000, "seed %u did not run together", seed);
  }
}

Test(model_threads, what_work_groups_share_is_as_on_one_thread) {
  for (enum odd odd = SHARED_ATOMIC; odd < ODDS; odd++) {
    for (uint32_t seed = 0; seed < seeds(); seed++) {
      const struct plan p = plan_of(1000 * (uint32_t)odd + seed, odd);
      compare(&p, false);
    }
  }
}

Test(model_threads, a_budget_is_spent_at_the_same_instruction_and_the_host_stops_the_same) {
  for (uint32_t seed = 0; seed < seeds(); seed++) {
    struct plan p = plan_of(seed, NOTHING);
    p.budget = 100000 + 7919 * seed;
    compare(&p, seed % 3 == 0);
  }
}

// A command processor that waits for the end of a dispatch and stores the clock when it has seen it, twice.
static void write_firmware(struct machine *m) {
  uint32_t at = HEDDLE_FIRMWARE_FIRST;
  const uint32_t program[] = {
      lui(1, HEDDLE_CONTROL_BASE),
      lui(2, HEDDLE_RECORDS_FIRST),
      addi(6, 0, 0),
      lw(3, 1, HEDDLE_REG_ENDED),  // the loop
      lw(4, 1, HEDDLE_REG_TAIL),
      encode_b(BEQ, 3, 6, -8),
      csrr(5, 0xC00),
      sw(5, 2, 0),
      sw(3, 2, 4),
      addi(2, 2, 8),
      addi(6, 3, 0),
      sw(3, 1, HEDDLE_REG_SETTLED),
      encode_jal(0, -36),
  };
  for (uint32_t i = 0; i < sizeof program / sizeof program[0]; i++, at += 4)
    poke(m, at, program[i]);
  set_control(m, HEDDLE_REG_PROCESSOR, HEDDLE_PROCESSOR_START);
}

Test(model_threads, the_command_processor_learns_of_the_end_at_the_same_time) {
  for (uint32_t seed = 0; seed < seeds(); seed++) {
    const struct plan p = plan_of(5 * seed, NOTHING);
    struct machine m[2];
    for (uint32_t i = 0; i < 2; i++) {
      const struct heddle_sim_config config = {
          .lanes = p.lanes, .slots = p.slots, .units = 1, .global_bytes = GLOBAL_BYTES, .processor = 1};
      const char *error = NULL;
      m[i] =
          (struct machine){.device = heddle_model_api()->create(&config, &error), .lanes = 8, .slots = 32, .units = 1};
      cr_assert(m[i].device, "create: %s", error);
      heddle_model_set_threads(m[i].device, i == 0 ? 1 : THREADS);
      write_kernel(&m[i], &p);
      write_firmware(&m[i]);
      const struct range r = {.global = {ITEMS}, .local = {64}, .local_bytes = 4096};
      start_range(&m[i], &r);
      set_control(&m[i], HEDDLE_REG_COMMAND, HEDDLE_COMMAND_START);  // the same once more, which waits
      set_control(&m[i], HEDDLE_REG_TAIL, 2);
    }
    for (bool idle = false; !idle;) {
      idle = heddle_model_api()->run(m[0].device, 1 << 18);
      cr_assert_eq(heddle_model_api()->run(m[1].device, 1 << 18), idle);
      expect_same_bytes(&m[0], &m[1], HEDDLE_RECORDS_FIRST, 64, "what the command processor saw", seed);
      expect_same(&m[0], &m[1], &p);
    }
    cr_expect_eq(peek(&m[1], HEDDLE_RECORDS_FIRST + 12), 2, "it has not seen the second end");
    cr_expect_gt(heddle_model_issues_together(m[1].device), 10000);
    machine_destroy(&m[0]);
    machine_destroy(&m[1]);
  }
}
