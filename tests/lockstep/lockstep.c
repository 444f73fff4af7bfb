// SPDX-License-Identifier: Apache-2.0
// The Verilated RTL and the golden model run the same random programs; what every sub-group retires, final memory,
// figures and the fault record must be equal. A difference prints a line that repeats it.
//
// HEDDLE_LOCKSTEP_SEED and HEDDLE_LOCKSTEP_PROGRAMS choose the programs, HEDDLE_SIM_LANES and HEDDLE_SIM_SLOTS the
// device.
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/device/device_map.h"
#include "sim/model/model.h"
#include "sim/rtl/trace.h"
#include "sim/sim.h"
#include "tests/lockstep/program.h"
#include "tests/lockstep/record.h"
#include "tests/model/encode.h"

enum { RTL_CYCLES = 4000000, MODEL_ISSUES = 4000000 };

struct outcome {
  struct record record;
  bool ended;
  uint32_t reason, pc, address, group[3], sub_group, lane;  // reason 0: no fault; group and what follows: where
  uint64_t issues, active_lanes, groups_done;
  uint8_t data[MAX_ITEMS * ITEM_BYTES], counters[COUNTERS_BYTES];
};

struct total {
  uint64_t programs, instructions, lanes, faults[HEDDLE_FAULT_BAD_DISPATCH + 1];  // by reason, 0: none
};

static uint32_t lanes, slots, isa;
static const struct heddle_sim_api *rtl_api;
static void (*rtl_set_trace)(void *device, heddle_rtl_trace trace, void *user);
static char replay[160];
static size_t replay_length;

static uint64_t number_from(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  return text != NULL && *text != 0 ? strtoull(text, NULL, 0) : otherwise;
}

// The tracer aborts when the RTL writes a register out of order.
static void tell_replay(int signal_number) {
  (void)!write(STDERR_FILENO, replay, replay_length);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static void *create(const struct heddle_sim_api *api) {
  static struct heddle_sim_config config;
  static const char *error;
  config = (struct heddle_sim_config){.lanes = lanes, .slots = slots};
  void *device = api->create(&config, &error);
  cr_assert(device != NULL, "%s: %s", api->name, error);
  return device;
}

static uint32_t isa_of(const struct heddle_sim_api *api) {
  char text[HEDDLE_ISA_BYTES + 1] = {0};
  void *device = create(api);
  cr_assert_eq(api->read(device, HEDDLE_CONTROL_BASE + HEDDLE_REG_ISA, text, HEDDLE_ISA_BYTES), 0);
  api->destroy(device);
  cr_assert(strncmp(text, "rv32im", 6) == 0, "%s has %s; programs need rv32im", api->name, text);
  return (text[6] == 'a' ? ISA_A : 0) | (strstr(text, "_zfinx") != NULL ? ISA_ZFINX : 0) |
         (strstr(text, "_zba_zbb") != NULL ? ISA_ZBA_ZBB : 0);
}

static void set_up(void) {
  lanes = (uint32_t)number_from("HEDDLE_SIM_LANES", 8);
  slots = (uint32_t)number_from("HEDDLE_SIM_SLOTS", 32);
  char path[256];
  const char *chosen = getenv("HEDDLE_LOCKSTEP_RTL");
  if (chosen != NULL) {
    snprintf(path, sizeof path, "%s", chosen);
  } else {
    snprintf(path, sizeof path, "%s/lib/heddle/rtl-trace-L%u-S%u.so", BUILD, lanes, slots);
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  cr_assert(library != NULL, "%s", dlerror());
  const struct heddle_sim_api *(*api)(void) = NULL;
  *(void **)&api = dlsym(library, HEDDLE_SIM_SYMBOL);
  *(void **)&rtl_set_trace = dlsym(library, HEDDLE_RTL_SET_TRACE_SYMBOL);
  cr_assert(api != NULL && rtl_set_trace != NULL, "%s has no trace", path);
  rtl_api = api();
  isa = isa_of(rtl_api);
  uint32_t model_isa = isa_of(heddle_model_api());
  cr_assert((isa & ~model_isa) == 0, "the RTL has extensions 0x%x, the model 0x%x", isa, model_isa);
  signal(SIGABRT, tell_replay);
}

static void model_retired(void *user, const struct heddle_model_retired *r) {
  const struct retired i = {r->pc, r->mask, r->rd, r->value, r->address};
  record_add(user, r->group_id, r->sub_group_id, &i);
}

static void rtl_retired(void *user, const struct heddle_rtl_retired *r) {
  const struct retired i = {r->pc, r->mask, r->rd, r->value, r->address};
  record_add(user, r->group_id, r->sub_group_id, &i);
}

struct both {
  const struct record *model, *rtl;
};

// Which sc.w succeed is the RTL's to say, as far as the contract lets them. Where it lets them not, the model fails
// them and the comparison tells.
static uint32_t sc_of_rtl(void *user, const struct heddle_model_sc *sc) {
  const struct both *both = user;
  return record_zeros(both->rtl, both->model, sc->group_id, sc->sub_group_id, sc->pc, sc->mask);
}

static void set(const struct heddle_sim_api *api, void *device, uint32_t reg, uint32_t value) {
  cr_assert_eq(api->write(device, HEDDLE_CONTROL_BASE + reg, &value, sizeof value), 0);
}

static uint32_t get(const struct heddle_sim_api *api, void *device, uint32_t reg) {
  uint32_t value = 0;
  cr_assert_eq(api->read(device, HEDDLE_CONTROL_BASE + reg, &value, sizeof value), 0);
  return value;
}

static uint64_t figure(const struct heddle_sim_api *api, void *device, uint32_t reg) {
  return (uint64_t)get(api, device, reg + 4) << 32 | get(api, device, reg);
}

static void start(const struct heddle_sim_api *api, void *device, const struct program *p) {
  cr_assert_eq(api->write(device, CODE, p->code, 4 * (size_t)p->words), 0);
  cr_assert_eq(api->write(device, SHARED, p->shared, sizeof p->shared), 0);
  cr_assert_eq(api->write(device, COUNTERS, p->counters, sizeof p->counters), 0);
  cr_assert_eq(api->write(device, ITEMS, p->data, (size_t)p->items * ITEM_BYTES), 0);
  set(api, device, HEDDLE_REG_ENTRY, CODE);
  set(api, device, HEDDLE_REG_PACKET, PACKET);
  for (uint32_t i = 0; i < 3; i++) {
    set(api, device, HEDDLE_REG_GLOBAL_SIZE + 4 * i, p->global[i]);
    set(api, device, HEDDLE_REG_GLOBAL_OFFSET + 4 * i, p->offset[i]);
    set(api, device, HEDDLE_REG_LOCAL_SIZE + 4 * i, p->local[i]);
  }
  set(api, device, HEDDLE_REG_SUB_GROUP_LOG2, p->sub_group_log2);
  set(api, device, HEDDLE_REG_LOCAL_BYTES, p->local_bytes);
  set(api, device, HEDDLE_REG_PRIVATE_BASE, PRIVATE);
  set(api, device, HEDDLE_REG_PRIVATE_LOG2, p->private_log2);
  set(api, device, HEDDLE_REG_BUDGET, 0);
  set(api, device, HEDDLE_REG_BUDGET + 4, 0);
  set(api, device, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_START);
}

static void read_outcome(const struct heddle_sim_api *api, void *device, const struct program *p, struct outcome *o) {
  o->issues = figure(api, device, HEDDLE_REG_ISSUES);
  o->active_lanes = figure(api, device, HEDDLE_REG_ACTIVE_LANES);
  o->groups_done = figure(api, device, HEDDLE_REG_GROUPS_DONE);
  if (get(api, device, HEDDLE_REG_STATUS) & HEDDLE_STATUS_FAULT) {
    o->reason = get(api, device, HEDDLE_REG_FAULT_REASON);
    o->pc = get(api, device, HEDDLE_REG_FAULT_PC);
    o->address = get(api, device, HEDDLE_REG_FAULT_ADDRESS);
    o->sub_group = get(api, device, HEDDLE_REG_FAULT_SUB_GROUP_ID);
    o->lane = get(api, device, HEDDLE_REG_FAULT_LANE);
    for (uint32_t i = 0; i < 3; i++) {
      o->group[i] = get(api, device, HEDDLE_REG_FAULT_GROUP_ID + 4 * i);
    }
  }
  cr_assert_eq(api->read(device, ITEMS, o->data, (size_t)p->items * ITEM_BYTES), 0);
  cr_assert_eq(api->read(device, COUNTERS, o->counters, sizeof o->counters), 0);
}

static void run_both(const struct program *p, struct outcome *model, struct outcome *rtl) {
  memset(model, 0, sizeof *model);
  memset(rtl, 0, sizeof *rtl);
  record_begin(&model->record, p->groups, p->sub_groups);
  record_begin(&rtl->record, p->groups, p->sub_groups);

  // The RTL first: it decides which sc.w succeed.
  void *device = create(rtl_api);
  rtl_set_trace(device, rtl_retired, &rtl->record);
  start(rtl_api, device, p);
  rtl->ended = rtl_api->run(device, RTL_CYCLES);
  read_outcome(rtl_api, device, p, rtl);
  rtl_api->destroy(device);

  const struct heddle_sim_api *model_api = heddle_model_api();
  device = create(model_api);
  heddle_model_set_trace(device, model_retired, &model->record);
  struct both both = {&model->record, &rtl->record};
  heddle_model_set_sc_choice(device, sc_of_rtl, &both);
  start(model_api, device, p);
  model->ended = model_api->run(device, MODEL_ISSUES);
  read_outcome(model_api, device, p, model);
  model_api->destroy(device);
}

static bool same(const char *what, uint64_t model, uint64_t rtl) {
  if (model != rtl) {
    fprintf(stderr, "%s: model 0x%" PRIx64 ", RTL 0x%" PRIx64 "\n", what, model, rtl);
  }
  return model == rtl;
}

static bool same_data(const struct program *p, const uint8_t *model, const uint8_t *rtl) {
  for (uint32_t at = 0; at < p->items * ITEM_BYTES; at++) {
    if (model[at] != rtl[at]) {
      fprintf(stderr, "memory of work-item %u, byte %u: model 0x%02x, RTL 0x%02x\n", at / ITEM_BYTES, at % ITEM_BYTES,
              model[at], rtl[at]);
      return false;
    }
  }
  return true;
}

static bool same_counters(const uint8_t *model, const uint8_t *rtl) {
  for (uint32_t at = 0; at < COUNTERS_BYTES; at++) {
    if (model[at] != rtl[at]) {
      fprintf(stderr, "what all sub-groups change, word %u, byte %u: model 0x%02x, RTL 0x%02x\n", at / 4, at % 4,
              model[at], rtl[at]);
      return false;
    }
  }
  return true;
}

static bool same_end(const struct program *p, const struct outcome *model, const struct outcome *rtl) {
  bool result = same("figure issues", model->issues, rtl->issues);
  result = same("figure active lanes", model->active_lanes, rtl->active_lanes) && result;
  result = same("figure work-groups", model->groups_done, rtl->groups_done) && result;
  return same_data(p, model->data, rtl->data) && same_counters(model->counters, rtl->counters) && result;
}

// Which sub-group reaches its fault first is a matter of time, so only what does not depend on it is compared. The
// faulting instruction stands at one place in the program, so reason and PC never do.
static bool same_fault(const struct program *p, const struct outcome *model, const struct outcome *rtl) {
  bool result = same("fault reason", model->reason, rtl->reason) && same("fault PC", model->pc, rtl->pc);
  bool same_place = memcmp(model->group, rtl->group, sizeof model->group) == 0 && model->sub_group == rtl->sub_group;
  if (p->fault_of_one && p->fault != FAULT_DIVERGENT_GROUP && !same_place) {
    fprintf(stderr, "the fault is of one work-item: model work-group (%u, %u, %u) sub-group %u, RTL (%u, %u, %u) %u\n",
            model->group[0], model->group[1], model->group[2], model->sub_group, rtl->group[0], rtl->group[1],
            rtl->group[2], rtl->sub_group);
    result = false;
  }
  if (same_place) {
    result = same("fault address", model->address, rtl->address) && result;
    result = same("fault lane", model->lane, rtl->lane) && result;
  }
  // Alone, a sub-group leaves the same memory: where one lane faults no lane has stored.
  if (p->groups[0] * p->groups[1] * p->groups[2] * p->sub_groups == 1) {
    result = same_data(p, model->data, rtl->data) && same_counters(model->counters, rtl->counters) && result;
  }
  return result;
}

static bool compare(const struct program *p, const struct outcome *model, const struct outcome *rtl) {
  if (!same("ended", model->ended, rtl->ended) || !same("faulted", model->reason != 0, rtl->reason != 0)) {
    if (model->reason != 0 || rtl->reason != 0) {
      same("fault reason", model->reason, rtl->reason);
      same("fault PC", model->pc, rtl->pc);
    }
    record_same(&model->record, &rtl->record, true);
    return false;
  }
  bool result = record_same(&model->record, &rtl->record, model->reason != 0);
  if (p->fault == FAULT_NONE && model->reason != 0) {
    fprintf(stderr, "a program that cannot fault does: reason %u at PC 0x%x\n", model->reason, model->pc);
    result = false;
  }
  return (model->reason == 0 ? same_end(p, model, rtl) : same_fault(p, model, rtl)) && result;
}

static void tell_program(const struct program *p) {
  fprintf(stderr, "program: global (%u, %u, %u), local (%u, %u, %u), sub-group size %u, fault kind %d%s\n",
          p->global[0], p->global[1], p->global[2], p->local[0], p->local[1], p->local[2], 1u << p->sub_group_log2,
          p->fault, p->fault_of_one ? " of one work-item" : "");
  const char *file = getenv("HEDDLE_LOCKSTEP_CODE");
  FILE *out = file != NULL ? fopen(file, "wb") : NULL;
  if (out != NULL) {
    fwrite(p->code, 4, p->words, out);
    fclose(out);
  }
}

static void tell_total(const struct total *total) {
  fprintf(stderr, "%" PRIu64 " programs, %u lanes: %" PRIu64 " instructions of sub-groups, %" PRIu64 " of work-items\n",
          total->programs, lanes, total->instructions, total->lanes);
  for (uint32_t reason = 1; reason <= HEDDLE_FAULT_BAD_DISPATCH; reason++) {
    if (total->faults[reason] != 0) {
      fprintf(stderr, "  fault reason %u: %" PRIu64 " programs\n", reason, total->faults[reason]);
    }
  }
}

// Runs `programs` programs, those that can fault or those that cannot.
static struct total run_programs(bool with_fault, uint64_t programs) {
  static struct program program;
  static struct outcome model, rtl;
  const uint64_t first = number_from("HEDDLE_LOCKSTEP_SEED", 1), most = number_from("HEDDLE_LOCKSTEP_FAILURES", 5);
  struct total total = {0};
  uint64_t failures = 0;
  for (uint64_t seed = first; seed < first + programs; seed++) {
    make_program(&program, seed, lanes, slots, isa);
    if ((program.fault != FAULT_NONE) != with_fault) {
      continue;
    }
    snprintf(replay, sizeof replay, "again: make lockstep SEED=%" PRIu64 " N=1 LANES=%u SLOTS=%u\n", seed, lanes,
             slots);
    replay_length = strlen(replay);
    run_both(&program, &model, &rtl);
    if (!compare(&program, &model, &rtl)) {
      tell_program(&program);
      fputs(replay, stderr);
      failures++;
    }
    total.programs++;
    total.instructions += rtl.record.instructions;
    total.lanes += rtl.record.lanes;
    total.faults[rtl.reason % (HEDDLE_FAULT_BAD_DISPATCH + 1)]++;
    record_end(&model.record);
    record_end(&rtl.record);
    cr_assert_lt(failures, most, "%" PRIu64 " programs differ; the rest were not run", failures);
  }
  tell_total(&total);
  cr_assert_eq(failures, 0, "%" PRIu64 " programs differ", failures);
  return total;
}

// What `make test` runs at each number of lanes, and the work-item instructions without a fault that it must come to:
// ten million together.
static const struct {
  uint32_t lanes, programs, with_fault;
  uint64_t least;
} usual[] = {{1, 800, 800, 1500000}, {4, 600, 600, 3000000}, {8, 400, 400, 3500000}, {32, 60, 120, 2000000}};

static uint64_t usual_programs(bool with_fault, uint64_t *least) {
  *least = 0;
  for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
    if (usual[i].lanes == lanes) {
      *least = usual[i].least;
      return with_fault ? usual[i].with_fault : usual[i].programs;
    }
  }
  return 200;
}

static void run_many(bool with_fault) {
  uint64_t least, programs = usual_programs(with_fault, &least);
  bool chosen = getenv("HEDDLE_LOCKSTEP_PROGRAMS") != NULL;
  programs = number_from("HEDDLE_LOCKSTEP_PROGRAMS", getenv("HEDDLE_TEST_LONG") != NULL ? 20 * programs : programs);
  struct total total = run_programs(with_fault, programs);
  if (!chosen && !with_fault) {
    cr_assert_geq(total.lanes, least, "%" PRIu64 " instructions of work-items are fewer than %" PRIu64, total.lanes,
                  least);
  }
}

Test(lockstep, random_programs_retire_the_same_on_rtl_and_model, .init = set_up) {
  run_many(false);
}

Test(lockstep, random_faults_are_the_same_on_rtl_and_model, .init = set_up) {
  run_many(true);
}

// What random programs have found, alone. Runs one work-group of `sub_groups` full sub-groups on both devices, and
// expects this fault of them.
static void expect_fault(const uint32_t *code, uint32_t words, uint32_t sub_groups, const struct outcome *expected) {
  static struct program program;
  static struct outcome outcomes[2];
  const uint32_t items = sub_groups * lanes;
  program = (struct program){.global = {items, 1, 1},
                             .local = {items, 1, 1},
                             .groups = {1, 1, 1},
                             .sub_group_log2 = (uint32_t)__builtin_ctz(lanes),
                             .private_log2 = 8,
                             .items = items,
                             .sub_groups = sub_groups,
                             .words = words};
  memcpy(program.code, code, words * sizeof *code);
  run_both(&program, &outcomes[0], &outcomes[1]);
  for (int i = 0; i < 2; i++) {
    const struct outcome *o = &outcomes[i];
    const char *device = i == 0 ? "model" : "RTL";
    cr_expect_eq(o->reason, expected->reason, "%s: reason %u, expected %u", device, o->reason, expected->reason);
    cr_expect_eq(o->pc, expected->pc, "%s: PC 0x%x, expected 0x%x", device, o->pc, expected->pc);
    cr_expect_eq(o->address, expected->address, "%s: address 0x%x, expected 0x%x", device, o->address,
                 expected->address);
    cr_expect_eq(o->sub_group, expected->sub_group, "%s: sub-group %u, expected %u", device, o->sub_group,
                 expected->sub_group);
    cr_expect_eq(o->lane, expected->lane, "%s: lane %u, expected %u", device, o->lane, expected->lane);
    record_end(&outcomes[i].record);
  }
}

Test(lockstep, a_jump_or_taken_branch_to_an_unaligned_address_is_a_bad_fetch_there, .init = set_up) {
  static struct outcome expected;
  expected = (struct outcome){.reason = HEDDLE_FAULT_BAD_FETCH, .pc = CODE + 10, .address = CODE + 10};
  const uint32_t jump[] = {encode_jal(1, 10), exit_item(), exit_item(), exit_item()};
  expect_fault(jump, 4, 1, &expected);
  const uint32_t branch[] = {encode_b(BEQ, 0, 0, 10), exit_item(), exit_item(), exit_item()};
  expect_fault(branch, 4, 1, &expected);
  // Only the last lane takes it.
  const uint32_t some[] = {csrr(5, 0xCCA), addi(6, 0, (int32_t)lanes - 1), encode_b(BEQ, 5, 6, 6), exit_item(),
                           exit_item()};
  expected.pc = expected.address = CODE + 14;
  expected.lane = lanes - 1;
  expect_fault(some, 5, 1, &expected);
}

Test(lockstep, sub_groups_at_different_collectives_fault_with_the_one_at_the_smaller_pc, .init = set_up) {
  static struct outcome expected;
  for (uint32_t early = 0; early < 2; early++) {
    // Lane 0 returns where there are others; of the sub-groups, `early` stops at the first barrier.
    const uint32_t code[] = {
        csrr(5, 0xCCA),
        addi(6, 0, lanes > 1 ? 0 : -1),
        encode_b(BNE, 5, 6, 8),
        exit_item(),
        csrr(7, 0xCC9),
        addi(8, 0, (int32_t)early),
        encode_b(BNE, 7, 8, 8),
        barrier(WORK_GROUP_SCOPE),
        barrier(WORK_GROUP_SCOPE),
        exit_item(),
    };
    expected = (struct outcome){
        .reason = HEDDLE_FAULT_DIVERGENT_COLLECTIVE, .pc = CODE + 28, .sub_group = early, .lane = lanes > 1 ? 1 : 0};
    expect_fault(code, sizeof code / sizeof code[0], 2, &expected);
  }
}
