// SPDX-License-Identifier: Apache-2.0
// The NDRange walker: reads and checks a dispatch, lets another wait until it has ended, carves it into work-groups (x,
// then y, then z, remainders included) and gives each a group slot: consecutive slots of a unit and a part of its local
// memory. Every group slot is as large as a full work-group needs. Of the first work-groups each unit gets one in turn;
// later ones go where one has completed.
#include <string.h>

#include "sim/model/check.h"
#include "sim/model/device.h"

// Rounded up to lines, so that two work-groups never share one.
static uint32_t local_bytes_of_group(const struct model_dispatch *w) {
  return (w->local_bytes + MODEL_LINE_BYTES - 1) / MODEL_LINE_BYTES * MODEL_LINE_BYTES;
}

static bool dispatch_is_good(const struct model_device *d, const struct model_dispatch *w) {
  if (w->kind != 0 || w->unit_mask == 0)
    return false;
  if (w->sub_group_log2 > 5 || 1u << w->sub_group_log2 > d->lanes)
    return false;
  uint64_t work_items = 1;
  for (int i = 0; i < 3; i++) {
    if (w->global_size[i] == 0 || w->local_size[i] == 0 || w->local_size[i] > HEDDLE_LOCAL_SIZE_MAX)
      return false;
    work_items *= w->local_size[i];
  }
  if (w->private_log2 < HEDDLE_PRIVATE_LOG2_MIN || w->private_log2 > HEDDLE_PRIVATE_LOG2_MAX ||
      w->private_base % MODEL_LINE_BYTES != 0 || w->private_base < d->first_global ||
      w->private_base + ((uint64_t)d->units * d->slots * d->lanes << w->private_log2) > d->global_bytes) {
    return false;
  }
  return work_items <= (uint64_t)d->slots << w->sub_group_log2 && w->local_bytes <= MODEL_LOCAL_MEMORY_BYTES &&
         w->local_bytes % 4 == 0;
}

// Where the private window of a slot lies.
static void set_private_memory(const struct model_device *d, struct model_sub_group *g) {
  uint64_t slot = model_slot(d, g);
  g->private_memory = (uint32_t)(d->dispatch.private_base + ((slot * d->lanes) << d->dispatch.private_log2));
}

static uint32_t work_items_of(const struct model_work_group *w) {
  return w->size[0] * w->size[1] * w->size[2];
}

void model_take_group(struct model_device *d, struct model_work_group *w) {
  for (int i = 0; i < 3; i++) {
    uint32_t start = d->next_group[i] * d->dispatch.local_size[i];
    uint32_t left = d->dispatch.global_size[i] - start;
    w->id[i] = d->next_group[i];
    w->size[i] = left < d->dispatch.local_size[i] ? left : d->dispatch.local_size[i];
    w->start[i] = d->dispatch.global_offset[i] + start;
  }
  w->sub_groups = (work_items_of(w) + d->sub_group_size - 1) / d->sub_group_size;
  w->unfinished = w->sub_groups;
  w->waiting = 0;
  d->unfinished_groups++;

  for (int i = 0; i < 3; i++) {
    if (++d->next_group[i] < d->groups[i])
      return;
    d->next_group[i] = 0;
  }
  d->all_started = true;
}

void model_fill_group(struct model_device *d, struct model_work_group *w) {
  const uint32_t size = d->sub_group_size, work_items = work_items_of(w);
  uint32_t id[3] = {0, 0, 0};
  for (uint32_t s = 0; s < w->sub_groups; s++) {
    struct model_sub_group *g = &d->sub_groups[w->first_slot + s];
    model_set_state(d, g, MODEL_RUNNING);
    g->group = w;
    g->id = s;
    g->size = work_items - s * size < size ? work_items - s * size : size;
    g->live = UINT32_MAX >> (32 - g->size);
    g->parked = g->yielded = g->waited = 0;
    g->released = false;
    g->reserved = g->linked = 0;
    model_set_remove(&d->reserving, model_slot(d, g));
    set_private_memory(d, g);
    memset(g->x, 0, size * sizeof g->x[0]);
    for (uint32_t i = size; i < MODEL_REGISTERS * size; i++)
      g->x[i] = MODEL_UNDEFINED;
    for (uint32_t l = 0; l < g->size; l++) {
      g->pc[l] = d->dispatch.entry;
      for (int i = 0; i < 3; i++)
        g->local_id[i][l] = id[i];
      for (int i = 0; i < 3 && ++id[i] == w->size[i]; i++)
        id[i] = 0;
    }
  }
}

// Gives the group slot the next work-group of the dispatch, if there is one.
static void start_next_group(struct model_device *d, uint32_t group_slot) {
  struct model_work_group *w = &d->work_groups[group_slot];
  if (d->all_started)
    return;
  model_take_group(d, w);
  model_fill_group(d, w);
  if (d->check)
    model_check_group_starts(d, w);
}

// Divides the slots and the local memory of every unit that may run some into group slots for work-groups of
// `work_items`.
static void make_group_slots(struct model_device *d, uint32_t work_items) {
  const uint32_t slots = (work_items + d->sub_group_size - 1) / d->sub_group_size;
  const uint32_t local_bytes = local_bytes_of_group(&d->dispatch);
  uint32_t of_a_unit = d->slots / slots;
  if (local_bytes != 0 && MODEL_LOCAL_MEMORY_BYTES / local_bytes < of_a_unit)
    of_a_unit = MODEL_LOCAL_MEMORY_BYTES / local_bytes;
  uint32_t units[MODEL_MAX_UNITS] = {0}, num_units = 0;
  for (uint32_t unit = 0; unit < d->units; unit++)
    if (d->dispatch.unit_mask >> unit & 1)
      units[num_units++] = unit;
  d->group_slots = num_units * of_a_unit;
  d->slots_a_group = slots;
  for (uint32_t group_slot = 0; group_slot < d->group_slots; group_slot++) {
    const uint32_t unit = units[group_slot % num_units], in_unit = group_slot / num_units;
    struct model_work_group *w = &d->work_groups[group_slot];
    w->unfinished = 0;
    w->first_slot = unit * d->slots + in_unit * slots;
    w->local_memory = d->global_bytes + unit * MODEL_LOCAL_MEMORY_BYTES + in_unit * local_bytes;
  }
}

// False: it is not in global memory.
static bool read_dispatch(const struct model_device *d, uint32_t address, struct model_dispatch *dispatch) {
  uint32_t word[HEDDLE_DISPATCH_WORDS];
  if (address < d->first_global || address >= d->global_bytes || d->global_bytes - address < sizeof word)
    return false;
  memcpy(word, d->memory + address, sizeof word);
  const uint32_t *packet = word + HEDDLE_DISPATCH_PACKET;
  const uint32_t named = word[HEDDLE_DISPATCH_SUB_GROUP_LOG2] >> HEDDLE_DISPATCH_UNIT_MASK_SHIFT;
  const uint32_t all = (1u << d->units) - 1;
  *dispatch = (struct model_dispatch){
      .entry = word[HEDDLE_DISPATCH_ENTRY],
      .packet = address + 4 * HEDDLE_DISPATCH_PACKET,
      .sub_group_log2 = word[HEDDLE_DISPATCH_SUB_GROUP_LOG2] & HEDDLE_DISPATCH_LOG2_MASK,
      .domain = word[HEDDLE_DISPATCH_SUB_GROUP_LOG2] >> HEDDLE_DISPATCH_DOMAIN_SHIFT & HEDDLE_RIGHTS_DOMAIN_MASK,
      .local_bytes = word[HEDDLE_DISPATCH_LOCAL_BYTES],
      .private_base = word[HEDDLE_DISPATCH_PRIVATE_BASE],
      .private_log2 = word[HEDDLE_DISPATCH_PRIVATE_LOG2],
      .budget = {word[HEDDLE_DISPATCH_BUDGET], word[HEDDLE_DISPATCH_BUDGET + 1]},
      .kind = word[HEDDLE_DISPATCH_KIND] & HEDDLE_DISPATCH_KIND_MASK,
      .unit_mask = named == 0 ? all : named & all,
  };
  for (int i = 0; i < 3; i++) {
    dispatch->global_size[i] = packet[HEDDLE_PACKET_GLOBAL_SIZE + i];
    dispatch->global_offset[i] = packet[HEDDLE_PACKET_GLOBAL_OFFSET + i];
    dispatch->local_size[i] = packet[HEDDLE_PACKET_LOCAL_SIZE + i];
  }
  return true;
}

static void start(struct model_device *d, uint32_t address) {
  d->previous = d->figures;
  d->figures = (struct model_figures){.start = d->clock};
  const struct model_dispatch *w = &d->dispatch;
  if (!read_dispatch(d, address, &d->dispatch) || !dispatch_is_good(d, w)) {
    model_bad_dispatch(d);
    return;
  }
  d->sub_group_size = 1u << w->sub_group_log2;
  d->budget = (uint64_t)w->budget[1] << 32 | w->budget[0];
  uint32_t work_items = 1;
  for (int i = 0; i < 3; i++) {
    d->groups[i] = (uint32_t)(((uint64_t)w->global_size[i] + w->local_size[i] - 1) / w->local_size[i]);
    d->next_group[i] = 0;
    work_items *= w->local_size[i];
  }
  make_group_slots(d, work_items);
  for (uint32_t s = 0; s < d->units * d->slots; s++)
    d->sub_groups[s].state = MODEL_FREE;
  d->running = d->reserving = (struct model_slot_set){0};
  d->all_started = false;
  d->unfinished_groups = 0;
  d->turn = 0;
  d->slice_left = MODEL_SLICE;
  if (d->check)
    model_check_dispatch_starts(d);
  for (uint32_t group_slot = 0; group_slot < d->group_slots; group_slot++)
    start_next_group(d, group_slot);
  d->busy = true;
  model_profile_begin(d);
}

static void start_waiting(struct model_device *d) {
  if (d->waits) {
    d->waits = false;
    start(d, d->waiting);
  }
}

void model_group_completed(struct model_device *d, struct model_work_group *w) {
  uint32_t group_slot = (uint32_t)(w - d->work_groups);
  for (uint32_t s = 0; s < w->sub_groups; s++)
    model_set_state(d, &d->sub_groups[w->first_slot + s], MODEL_FREE);
  d->figures.groups_done++;
  d->unfinished_groups--;
  // The next one begins with a turn of its first sub-group, when those of the other group slots have had theirs.
  d->turn = w->first_slot + d->slots_a_group - 1;
  d->slice_left = 0;
  start_next_group(d, group_slot);
  if (d->unfinished_groups == 0)
    model_end(d);
}

void model_end(struct model_device *d) {
  d->busy = false;
  d->processor.period = 0;
  model_profile_end(d);
  d->ended++;
  if (d->fault.reason == 0)
    start_waiting(d);
}

void model_command(struct model_device *d, uint32_t command) {
  if (command == HEDDLE_COMMAND_START) {
    if (!d->busy && d->fault.reason == 0) {
      start(d, d->dispatch_register);
    } else if (!d->waits) {
      d->waits = true;
      d->waiting = d->dispatch_register;
    }
  } else if (command == HEDDLE_COMMAND_STOP && d->busy) {
    model_stop_by_host(d);
  } else if (command == HEDDLE_COMMAND_GO_ON && d->fault.reason != 0) {
    d->fault = (struct model_fault){0};
    start_waiting(d);
  } else if (command == HEDDLE_COMMAND_FORGET) {
    d->waits = false;
  }
}
