// SPDX-License-Identifier: Apache-2.0
// The Verilated RTL and the golden model run the same random programs; what every sub-group retires, final memory,
// figures and the fault record must be equal. A difference prints a line that repeats it.
//
// HEDDLE_LOCKSTEP_SEED and HEDDLE_LOCKSTEP_PROGRAMS choose the programs, HEDDLE_SIM_LANES, HEDDLE_SIM_SLOTS and
// HEDDLE_SIM_UNITS the device.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "tests/lockstep/pair.h"

struct total {
  uint64_t programs, instructions, lanes, faults[HEDDLE_FAULT_NO_RIGHT + 1];  // by reason, 0: none
};

static bool same(const char *what, uint64_t model, uint64_t rtl) {
  if (model != rtl)
    fprintf(stderr, "%s: model 0x%" PRIx64 ", RTL 0x%" PRIx64 "\n", what, model, rtl);
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
  // Alone, a sub-group leaves the same memory: where one lane faults no lane has stored. Not after a jump to an address
  // that is not aligned: the RTL faults with the jump, the model when the lane's turn comes. Nor where lanes have no
  // right: what the others do is not certain.
  if (p->fault != FAULT_BAD_JUMP && p->fault != FAULT_RIGHT &&
      p->groups[0] * p->groups[1] * p->groups[2] * p->sub_groups == 1)
    result = same_data(p, model->data, rtl->data) && same_counters(model->counters, rtl->counters) && result;
  return result;
}

static bool compare(const struct program *p, const struct outcome *model, const struct outcome *rtl) {
  if (!same("ended", model->ended, rtl->ended) || !same("faulted", model->reason != 0, rtl->reason != 0)) {
    if (model->reason != 0 || rtl->reason != 0) {
      same("fault reason", model->reason, rtl->reason);
      same("fault PC", model->pc, rtl->pc);
    }
    if (record_same(&model->record, &rtl->record, true))
      record_tell_behind(&model->record, &rtl->record);
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
  FILE *out = file ? fopen(file, "wb") : NULL;
  if (out) {
    fwrite(p->code, 4, p->words, out);
    fclose(out);
  }
}

static void tell_total(const struct total *total) {
  fprintf(stderr,
          "%" PRIu64 " programs, %u units of %u lanes: %" PRIu64 " instructions of sub-groups, %" PRIu64
          " of work-items\n",
          total->programs, units, lanes, total->instructions, total->lanes);
  for (uint32_t reason = 1; reason <= HEDDLE_FAULT_NO_RIGHT; reason++)
    if (total->faults[reason] != 0)
      fprintf(stderr, "  fault reason %u: %" PRIu64 " programs\n", reason, total->faults[reason]);
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
    if ((program.fault != FAULT_NONE) != with_fault)
      continue;
    pair_is_running(seed);
    run_both(&program, &model, &rtl);
    if (!compare(&program, &model, &rtl)) {
      tell_program(&program);
      fputs(pair_replay(), stderr);
      failures++;
    }
    total.programs++;
    total.instructions += rtl.record.instructions;
    total.lanes += rtl.record.lanes;
    total.faults[rtl.reason % (HEDDLE_FAULT_NO_RIGHT + 1)]++;
    record_end(&model.record);
    record_end(&rtl.record);
    cr_assert_lt(failures, most, "%" PRIu64 " programs differ; the rest were not run", failures);
  }
  tell_total(&total);
  cr_assert_eq(failures, 0, "%" PRIu64 " programs differ", failures);
  return total;
}

// What `make test` runs at each number of lanes with one unit, and the work-item instructions without a fault that it
// must come to: more than ten million together. With few slots there are fewer work-items.
static const struct {
  uint32_t lanes, slots, programs, with_fault;
  uint64_t least;
} usual[] = {{1, 32, 800, 500, 2000000},
             {4, 4, 250, 300, 1500000},
             {4, 32, 270, 400, 2800000},
             {8, 32, 180, 250, 5000000},
             {32, 32, 7, 20, 150000}};

static uint64_t usual_programs(bool with_fault, uint64_t *least) {
  *least = 0;
  for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
    if (usual[i].lanes == lanes && usual[i].slots == slots && units == 1) {
      *least = usual[i].least;
      return with_fault ? usual[i].with_fault : usual[i].programs;
    }
  }
  return 60;  // of other shapes
}

static void run_many(bool with_fault) {
  uint64_t least, programs = usual_programs(with_fault, &least);
  bool chosen = getenv("HEDDLE_LOCKSTEP_PROGRAMS");
  programs = number_from("HEDDLE_LOCKSTEP_PROGRAMS", getenv("HEDDLE_TEST_LONG") ? 20 * programs : programs);
  struct total total = run_programs(with_fault, programs);
  if (!chosen && !with_fault) {
    cr_assert_geq(total.lanes, least, "%" PRIu64 " instructions of work-items are fewer than %" PRIu64, total.lanes,
                  least);
  }
}

Test(lockstep, random_programs_retire_the_same_on_rtl_and_model, .init = pair_set_up) {
  run_many(false);
}

Test(lockstep, random_faults_are_the_same_on_rtl_and_model, .init = pair_set_up) {
  run_many(true);
}
