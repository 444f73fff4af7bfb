// SPDX-License-Identifier: Apache-2.0
// What the checker has found: each finding once, with how often it was found (check_state.h).
#include <string.h>

#include "sim/model/check_state.h"

static struct heddle_check_access access_of(const struct model_device *d, uint32_t number, uint32_t in_group,
                                            uint32_t pc) {
  struct heddle_check_access access = {
      .pc = pc & ~3u, .sub_group_id = in_group / d->sub_group_size, .lane = in_group % d->sub_group_size};
  for (int i = 0; i < 3; i++) {
    access.group_id[i] = number % d->groups[i];
    number /= d->groups[i];
  }
  return access;
}

struct heddle_check_access check_access_of(const struct model_device *d, const struct model_sub_group *g, uint32_t lane,
                                           uint32_t pc) {
  const struct check_registers *r = check_registers_of(d, g);
  struct heddle_check_access access = access_of(d, check_group_of(d, g)->number, g->id * d->sub_group_size + lane, pc);
  access.caller = r->calls != 0 ? r->caller : 0;
  return access;
}

struct heddle_check_access check_access_of_item(const struct model_device *d, const struct check_use *use) {
  const struct model_check *c = d->check;
  struct heddle_check_access access = access_of(d, use->item / c->items, use->item % c->items, use->pc);
  access.is_atomic = use->pc & 1;
  access.caller = use->caller;
  return access;
}

// Whether they are told once: an unwritten value by where it was read, wherever it is used; a race whichever of the two
// accesses comes first.
static bool is_same(const struct heddle_finding *a, const struct heddle_finding *b) {
  if (a->kind != b->kind)
    return false;
  if (a->kind == HEDDLE_FINDING_MISUSE && a->address != b->address)
    return false;
  if (a->kind == HEDDLE_FINDING_RACE && a->here.pc == b->other.pc && a->other.pc == b->here.pc)
    return true;
  return a->here.pc == b->here.pc && (a->kind == HEDDLE_FINDING_UNWRITTEN || a->other.pc == b->other.pc);
}

// Where a finding is kept that is not known yet; CHECK_MOST_FINDINGS: nowhere. If all is full it takes the place of one
// of an earlier dispatch, which is told again when it comes again.
static uint32_t place_for(const struct model_check *c) {
  uint32_t i = 0;
  if (c->num_findings < CHECK_MOST_FINDINGS)
    return c->num_findings;
  while (i < CHECK_MOST_FINDINGS && c->findings[i].count != 0)
    i++;
  return i;
}

static bool has_note(const struct model_check *c) {
  for (uint32_t i = 0; i < c->num_findings; i++)
    if (c->findings[i].kind == HEDDLE_FINDING_RETURNED && c->findings[i].count != 0)
      return true;
  return false;
}

void check_complete(const struct model_device *d, struct heddle_finding *finding) {
  memcpy(finding->global_size, d->dispatch.global_size, sizeof finding->global_size);
  memcpy(finding->global_offset, d->dispatch.global_offset, sizeof finding->global_offset);
  memcpy(finding->local_size, d->dispatch.local_size, sizeof finding->local_size);
  finding->sub_group_size = d->sub_group_size;
  finding->is_enqueued = d->check->is_enqueued;
}

void check_keep(struct model_check *c, const struct heddle_finding *finding) {
  uint32_t i = 0;
  while (i < c->num_findings && !is_same(&c->findings[i], finding))
    i++;
  const bool is_known = i < c->num_findings;
  // One note says what is meant by all of a dispatch, so that they take no room from mistakes.
  if (!is_known && finding->kind == HEDDLE_FINDING_RETURNED && has_note(c))
    return;
  if (is_known && c->findings[i].count != 0) {
    c->findings[i].count++;
    return;
  }
  i = is_known ? i : place_for(c);
  if (i == CHECK_MOST_FINDINGS) {
    c->incomplete = true;
    return;
  }
  // If it is known from an earlier dispatch, work-items and object are now those of this one.
  struct heddle_finding *kept = &c->findings[i];
  *kept = *finding;
  kept->is_new = !is_known;
  kept->count = 1;
  c->num_findings += i == c->num_findings;
}

void check_find(struct model_device *d, const struct heddle_finding *finding, uint32_t object) {
  struct heddle_finding complete = *finding;
  check_complete(d, &complete);
  complete.object = object != 0 ? d->check->objects[object].is : (struct heddle_check_object){0};
  check_keep(d->check, &complete);
}

void check_find_unwritten(struct model_device *d, const struct model_sub_group *g, uint32_t lane, uint32_t pc,
                          uint32_t origin) {
  const struct model_check *c = d->check;
  const uint32_t number = origin & CHECK_ORIGIN;
  if (number == 0)
    return;
  const struct check_origin *read = &c->origins[number - 1];
  const struct heddle_finding finding = {.kind = HEDDLE_FINDING_UNWRITTEN,
                                         .here = read->access,
                                         .other = check_access_of(d, g, lane, pc),
                                         .address = read->address};
  check_find(d, &finding, read->object);
}

uint32_t check_origin(struct model_device *d, const struct model_sub_group *g, uint32_t lane, uint32_t pc,
                      uint32_t address, uint32_t bytes, uint32_t object) {
  struct model_check *c = d->check;
  uint32_t index = pc / 4 % CHECK_MOST_ORIGINS, tried = 0;
  while (c->origins[index].pc != 0 && c->origins[index].pc != pc && tried++ < CHECK_MOST_ORIGINS)
    index = (index + 1) % CHECK_MOST_ORIGINS;
  if (tried == CHECK_MOST_ORIGINS)
    return 0;
  c->origins[index] =
      (struct check_origin){.pc = pc, .access = check_access_of(d, g, lane, pc), .address = address, .object = object};
  c->origins[index].access.bytes = bytes;
  return index + 1;
}

void check_forget_note(struct model_check *c, uint32_t pc) {
  for (uint32_t i = 0; i < c->num_findings; i++)
    if (c->findings[i].kind == HEDDLE_FINDING_RETURNED && c->findings[i].here.pc == pc)
      c->findings[i].count = 0;
}

void check_forget_findings(struct model_check *c, uint32_t address, uint64_t bytes) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->num_findings; i++) {
    const uint32_t pc = c->findings[i].here.pc;
    if (c->findings[i].count != 0 || pc < address || pc >= address + bytes)
      c->findings[kept++] = c->findings[i];
  }
  c->num_findings = kept;
}
