// SPDX-License-Identifier: Apache-2.0
// Converged collectives as the checker sees them: barriers order accesses; work-items that have returned miss what they
// ought to reach; values that nobody has written are used (check_state.h).
#include "contract/collectives.h"
#include "sim/model/check_state.h"

enum { WIDE = 0x80 };

// OpenCL asks every work-item of the group to come. The device goes on without those that have returned.
static void find_missing(struct model_device *d, const struct model_sub_group *g, uint32_t count, uint32_t pc,
                         bool is_barrier) {
  const struct model_sub_group *here = NULL, *missing = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t gone = ~g[i].live & UINT32_MAX >> (32 - g[i].size);
    struct check_registers *r = check_registers_of(d, &g[i]);
    if (g[i].live != 0 && !here)
      here = &g[i];
    if (gone != 0 && !missing)
      missing = &g[i];
    for (uint32_t m = g[i].live != 0 && !is_barrier ? gone & ~r->returning : 0; m != 0 && r->passed_pc == 0;
         m &= m - 1) {
      r->round_lane = (uint32_t)__builtin_ctz(m);
      r->passed_pc = r->passed[r->round_lane];
      r->round_pc = pc;
      d->check->has_passed = d->check->has_passed || r->passed_pc != 0;
    }
  }
  if (!here || !missing)
    return;
  struct heddle_finding finding = {.kind = is_barrier ? HEDDLE_FINDING_BARRIER : HEDDLE_FINDING_RETURNED,
                                   .here = check_access_of(d, here, (uint32_t)__builtin_ctz(here->live), pc),
                                   .other = check_access_of(d, missing, (uint32_t)__builtin_ctz(~missing->live), 0)};
  check_find(d, &finding, 0);
}

void check_find_passed(struct model_device *d, const struct model_sub_group *g, uint32_t lane) {
  struct check_registers *r = check_registers_of(d, g);
  const struct heddle_finding finding = {.kind = HEDDLE_FINDING_PASSED,
                                         .here = check_access_of(d, g, lane, r->round_pc),
                                         .other = check_access_of(d, g, r->round_lane, 0)};
  r->passed_pc = 0;
  check_find(d, &finding, 0);
  check_forget_note(d->check, r->round_pc);
}

static void find_unwritten(struct model_device *d, const struct model_sub_group *g, uint32_t count, uint32_t reg,
                           uint32_t pc) {
  const uint32_t S = d->sub_group_size;
  for (uint32_t i = 0; i < count; i++) {
    const struct check_registers *r = check_registers_of(d, &g[i]);
    for (uint32_t l = 0; (r->marked >> reg & 1) && l < S; l++)
      if ((g[i].live >> l & 1) && r->unwritten[reg * S + l] != 0)
        check_find_unwritten(d, &g[i], l, pc, r->origin[reg * S + l]);
  }
}

static void find_different_sources(struct model_device *d, const struct model_sub_group *g, uint32_t count,
                                   uint32_t reg, uint32_t pc) {
  const uint32_t S = d->sub_group_size;
  const struct model_sub_group *first = NULL;
  uint32_t first_lane = 0;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t l = 0; l < S; l++) {
      if (!(g[i].live >> l & 1))
        continue;
      if (first && g[i].x[reg * S + l] != first->x[reg * S + first_lane]) {
        struct heddle_finding finding = {.kind = HEDDLE_FINDING_SOURCES,
                                         .here = check_access_of(d, first, first_lane, pc),
                                         .other = check_access_of(d, &g[i], l, pc)};
        check_find(d, &finding, 0);
        return;
      }
      if (!first) {
        first = &g[i];
        first_lane = l;
      }
    }
  }
}

// What is known of a value.
struct known {
  uint32_t unwritten, provenance, origin;
};

// What is known of the value that a broadcast hands over. Of one that is not there: nothing.
static struct known known_of_source(const struct model_device *d, const struct model_sub_group *g, uint32_t count,
                                    const struct model_op *op) {
  const uint32_t S = d->sub_group_size;
  uint32_t first = 0;
  while (first < count && g[first].live == 0)
    first++;
  if (first == count)
    return (struct known){0};
  const uint32_t source = g[first].x[op->rs2 * S + (uint32_t)__builtin_ctz(g[first].live)];
  const uint32_t i = source / S, l = source % S;
  if (i >= count || !(g[i].live >> l & 1))
    return (struct known){0};
  const struct check_registers *r = check_registers_of(d, &g[i]);
  const uint32_t at = op->rs1 * S + l;
  return r->marked >> op->rs1 & 1 ? (struct known){r->unwritten[at], r->provenance[at], r->origin[at]}
                                  : (struct known){0};
}

static void know_results(const struct model_device *d, const struct model_sub_group *g, uint32_t count, uint32_t reg,
                         struct known known) {
  const uint32_t S = d->sub_group_size;
  const bool is_marked = (known.unwritten | known.provenance) != 0;
  for (uint32_t i = 0; i < count && reg != MODEL_SINK; i++) {
    struct check_registers *r = check_registers_of(d, &g[i]);
    for (uint32_t l = 0; (is_marked || (r->marked >> reg & 1)) && l < S; l++) {
      if (!(g[i].live >> l & 1))
        continue;
      r->unwritten[reg * S + l] = known.unwritten;
      r->provenance[reg * S + l] = known.provenance;
      r->origin[reg * S + l] = known.origin;
    }
    check_mark(r, reg, S);
  }
}

void model_check_collective(struct model_device *d, struct model_sub_group *g, uint32_t count,
                            const struct model_op *op, uint32_t pc) {
  const uint32_t mode = op->imm & WIDE ? HEDDLE_MODE_REDUCE : op->imm >> 2 & 7;
  struct known known = {0};  // the device has made it, and it is no pointer
  find_missing(d, g, count, pc, mode == HEDDLE_MODE_BARRIER && op->kind == OP_WORK_GROUP_COLLECTIVE);
  if (mode == HEDDLE_MODE_BARRIER) {
    check_barrier(d, g, count, op->kind == OP_WORK_GROUP_COLLECTIVE);
    return;
  }
  find_unwritten(d, g, count, mode == HEDDLE_MODE_BROADCAST ? op->rs2 : op->rs1, pc);
  if (mode == HEDDLE_MODE_BROADCAST) {
    find_different_sources(d, g, count, op->rs2, pc);
    known = known_of_source(d, g, count, op);
  }
  know_results(d, g, count, op->rd, known);
}
