// SPDX-License-Identifier: Apache-2.0
// Gives every resident sub-group its turn, so that all make progress, and does what concerns more than one of them:
// work-group collectives, completion, the budget.
#include <assert.h>
#include <fenv.h>
#include <string.h>

#include "contract/collectives.h"
#include "sim/model/check.h"
#include "sim/model/device.h"
#include "sim/model/parallel.h"

static struct model_sub_group *first_sub_group(struct model_device *d, const struct model_work_group *w) {
  return &d->sub_groups[w->first_slot];
}

// The work-item a fault names that is no one's own: the lowest lane of those that would run next.
static void fault_of_any(struct model_device *d, uint32_t reason) {
  const struct model_sub_group *found = NULL;
  const uint32_t slots = d->units * d->slots;
  for (uint32_t i = 0; i < slots; i++) {
    const struct model_sub_group *g = &d->sub_groups[(d->turn + i) % slots];
    if (g->state == MODEL_RUNNING || (g->state == MODEL_WAITING && !found)) {
      found = g;
      if (g->state == MODEL_RUNNING)
        break;
    }
  }
  assert(found);
  const bool runs = (found->live & ~found->parked) != 0;
  uint32_t lanes = runs ? model_eligible(found) : found->live, lowest = 0;
  uint64_t pc = UINT64_MAX;
  for (uint32_t l = 0; l < MODEL_MAX_LANES; l++) {
    if ((lanes >> l & 1) && found->pc[l] < pc) {
      pc = found->pc[l];
      lowest = l;
    }
  }
  model_fault(d, found, reason, (uint32_t)pc, 0, lowest);
}

void model_stop_by_host(struct model_device *d) {
  fault_of_any(d, HEDDLE_FAULT_STOPPED);
}

// A barrier gives no results, so a sub-group that waited there needs no issue to take them.
static void pass_barrier(struct model_device *d, struct model_sub_group *g, uint32_t pc) {
  if (d->trace)
    model_retire(d, g, pc, g->live, &g->group->collective, NULL);
  for (uint32_t m = g->live; m != 0; m &= m - 1)
    g->pc[__builtin_ctz(m)] = pc + 4;
  g->parked = 0;
}

// Every sub-group that is not finished waits at the same PC: execute the collective and let them go on, each with an
// issue of its own to take its results.
static void release(struct model_device *d, struct model_work_group *w) {
  struct model_sub_group *g = first_sub_group(d, w);
  uint32_t pc = w->waiting_pc;
  // Fetched again: it may have been overwritten while they waited. Then they execute what is there now.
  struct model_op *op = &model_code(d, pc)[(pc >> 2) % MODEL_PAGE_WORDS];
  if (op->kind == OP_DECODE) {
    uint32_t word;
    memcpy(&word, d->memory + pc, sizeof word);
    *op = model_decode(word, pc);
  }
  w->collective = *op;
  bool execute = op->kind == OP_WORK_GROUP_COLLECTIVE;
  const bool barrier = execute && (op->imm >> 2 & 7) == HEDDLE_MODE_BARRIER;
  if (execute && d->check)
    model_check_collective(d, g, w->sub_groups, op, pc);
  if (execute)
    model_collective(g, w->sub_groups, d->sub_group_size, op);
  for (uint32_t s = 0; s < w->sub_groups; s++) {
    if (g[s].state == MODEL_WAITING) {
      model_set_state(d, &g[s], MODEL_RUNNING);
      g[s].released = execute && !barrier;
      g[s].parked = execute ? g[s].live : 0;
      if (barrier)
        pass_barrier(d, &g[s], pc);
    }
  }
  w->waiting = 0;
}

static void release_if_all_wait(struct model_device *d, struct model_work_group *w) {
  if (w->waiting == w->unfinished)
    release(d, w);
}

static void sub_group_waits(struct model_device *d, struct model_sub_group *g) {
  struct model_work_group *w = g->group;
  uint32_t pc = g->pc[__builtin_ctz(g->live)];
  model_set_state(d, g, MODEL_WAITING);
  if (w->waiting == 0) {
    w->waiting_pc = pc;
  } else if (pc != w->waiting_pc) {
    // The record names the sub-group (the first, if several) at the smaller PC.
    if (w->waiting_pc < pc) {
      for (g = first_sub_group(d, w); g->state != MODEL_WAITING || g->pc[__builtin_ctz(g->live)] != w->waiting_pc;)
        g++;
      pc = w->waiting_pc;
    }
    model_fault(d, g, HEDDLE_FAULT_DIVERGENT_COLLECTIVE, pc, 0, (uint32_t)__builtin_ctz(g->live));
    return;
  }
  w->waiting++;
  release_if_all_wait(d, w);
}

static void sub_group_returns(struct model_device *d, struct model_sub_group *g) {
  struct model_work_group *w = g->group;
  model_set_state(d, g, MODEL_FINISHED);
  w->unfinished--;
  if (w->unfinished != 0)
    release_if_all_wait(d, w);
}

// Moves the turn to the next sub-group that can run. While a dispatch is busy there is one: a work-group of which all
// sub-groups wait is released or faults, and one of which all have returned makes room for the next.
static void next_turn(struct model_device *d) {
  assert(!model_set_is_empty(&d->running));
  uint32_t next = model_set_next(&d->running, d->turn + 1);
  d->turn = next < MODEL_SET_SLOTS ? next : model_set_next(&d->running, 0);
  d->slice_left = MODEL_SLICE;
}

uint32_t model_turn(struct model_device *d, struct model_sub_group *g, uint32_t issues) {
  const uint64_t before = d->figures.issues;
  const enum model_stop stop = d->execute(d, g, issues);
  if (stop == MODEL_WAITS)
    sub_group_waits(d, g);
  else if (stop == MODEL_RETURNS)
    sub_group_returns(d, g);
  return issues - (uint32_t)(d->figures.issues - before);
}

// Issues of the sub-group whose turn it is, at most until the clock says `end`. While a dispatch is busy.
static void run_slice(struct model_device *d, uint64_t end) {
  if (d->slice_left == 0 || d->sub_groups[d->turn].state != MODEL_RUNNING)
    next_turn(d);
  uint64_t allowed = d->slice_left;
  if (end - d->clock < allowed)
    allowed = end - d->clock;
  if (d->budget != 0 && d->budget - d->figures.issues < allowed)
    allowed = d->budget - d->figures.issues;
  struct model_sub_group *g = &d->sub_groups[d->turn];
  const uint32_t left = model_turn(d, g, (uint32_t)allowed);
  d->slice_left -= (uint32_t)allowed - left;
  if (d->fault.reason == 0 && g->group->unfinished == 0)
    model_group_completed(d, g->group);
  if (d->busy && d->budget != 0 && d->figures.issues >= d->budget)
    fault_of_any(d, HEDDLE_FAULT_BUDGET_SPENT);
}

static void run_until(struct model_device *d, uint64_t end) {
  while (d->clock < end && (d->busy || model_processor_busy(d))) {
    const uint64_t before = d->clock;
    if (d->busy && model_run_together(d, end))
      continue;
    if (d->busy)
      run_slice(d, end);
    else
      d->clock += end - d->clock < MODEL_PROCESSOR_TICKS ? end - d->clock : MODEL_PROCESSOR_TICKS;
    if (d->processor.runs)
      model_processor_run(d, d->clock - before);
  }
}

int model_run(struct model_device *d, uint64_t issues) {
  // The host program's rounding mode, flags and flushing of subnormals are its own.
  fenv_t environment;
  fegetenv(&environment);
  fesetenv(FE_DFL_ENV);
  run_until(d, d->clock + issues < issues ? UINT64_MAX : d->clock + issues);
  fesetenv(&environment);
  return !d->busy && !model_processor_busy(d);
}
