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
    if (g[i].live != 0 && !here)
      here = &g[i];
    if (g[i].live != UINT32_MAX >> (32 - g[i].size) && !missing)
      missing = &g[i];
  }
  if (!here || !missing)
    return;
  struct heddle_finding finding = {.kind = is_barrier ? HEDDLE_FINDING_BARRIER : HEDDLE_FINDING_RETURNED,
                                   .here = check_access_of(d, here, (uint32_t)__builtin_ctz(here->live), pc),
                                   .other = check_access_of(d, missing, (uint32_t)__builtin_ctz(~missing->live), 0)};
  check_find(d, &finding, 0);
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

// The result is written by the device, and no pointer.
static void forget_results(const struct model_device *d, const struct model_sub_group *g, uint32_t count,
                           uint32_t reg) {
  const uint32_t S = d->sub_group_size;
  for (uint32_t i = 0; i < count; i++) {
    struct check_registers *r = check_registers_of(d, &g[i]);
    for (uint32_t l = 0; (r->marked >> reg & 1) && l < S; l++)
      if (g[i].live >> l & 1)
        r->unwritten[reg * S + l] = r->provenance[reg * S + l] = r->origin[reg * S + l] = 0;
    check_mark(r, reg, S);
  }
}

void model_check_collective(struct model_device *d, struct model_sub_group *g, uint32_t count,
                            const struct model_op *op, uint32_t pc) {
  const uint32_t mode = op->imm & WIDE ? HEDDLE_MODE_REDUCE : op->imm >> 2 & 7;
  find_missing(d, g, count, pc, mode == HEDDLE_MODE_BARRIER && op->kind == OP_WORK_GROUP_COLLECTIVE);
  if (mode == HEDDLE_MODE_BARRIER) {
    check_barrier(d, g, count, op->kind == OP_WORK_GROUP_COLLECTIVE);
    return;
  }
  if (mode == HEDDLE_MODE_BROADCAST)
    find_different_sources(d, g, count, op->rs2, pc);
  else
    find_unwritten(d, g, count, op->rs1, pc);
  forget_results(d, g, count, op->rd);
}
