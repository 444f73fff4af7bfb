// SPDX-License-Identifier: Apache-2.0
// The control registers: capability block, walker, figures, fault record, command processor (contract/DEVICE.md
// "Control registers"). Offsets that are not listed read as 0; writes to what is read-only do nothing.
#include <string.h>

#include "contract/version.h"
#include "sim/model/device.h"

static const char isa[HEDDLE_ISA_BYTES] = "rv32ima_zicsr_zfinx_zba_zbb_xindex";

static uint32_t read_capability(const struct model_device *d, uint32_t offset) {
  if (offset >= HEDDLE_REG_ISA && offset < HEDDLE_REG_ISA + HEDDLE_ISA_BYTES) {
    uint32_t word;
    memcpy(&word, isa + (offset - HEDDLE_REG_ISA), sizeof word);
    return word;
  }
  switch (offset) {
    case HEDDLE_REG_MAGIC:
      return HEDDLE_MAGIC;
    case HEDDLE_REG_VERSION:
      return HEDDLE_CONTRACT_VERSION;
    case HEDDLE_REG_LANES:
      return d->lanes;
    case HEDDLE_REG_SLOTS:
      return d->slots;
    case HEDDLE_REG_UNITS:
      return d->units;
    case HEDDLE_REG_LOCAL_MEMORY_BYTES:
      return MODEL_LOCAL_MEMORY_BYTES;
    case HEDDLE_REG_GLOBAL_BYTES:
      return d->global_bytes;
    case HEDDLE_REG_LINE_BYTES:
      return MODEL_LINE_BYTES;
    case HEDDLE_REG_CLOCK_KHZ:
      return MODEL_CLOCK_KHZ;
    case HEDDLE_REG_FIRST_GLOBAL:
      return d->first_global;
    case HEDDLE_REG_KINDS:
      return 1;
    case HEDDLE_REG_FEATURES:
      return (uint32_t)HEDDLE_VERSION_NUMBER << HEDDLE_FEATURE_VERSION_SHIFT |
             d->page_log2 << HEDDLE_FEATURE_PAGE_LOG2_SHIFT | (d->has_processor ? HEDDLE_FEATURE_PROCESSOR : 0u);
    default:  // latency, interval and channels are not known; no cache
      return 0;
  }
}

// The entry of kind 0, the only one.
static uint32_t read_kind(const struct model_device *d, uint32_t word) {
  switch (word) {
    case HEDDLE_KIND_TYPE:
      return HEDDLE_KIND_IS_PROGRAMMABLE;
    case HEDDLE_KIND_UNITS:
      return d->units;
    case HEDDLE_KIND_LANES:
      return d->lanes;
    case HEDDLE_KIND_SLOTS:
      return d->slots;
    case HEDDLE_KIND_WORK_GROUP_ITEMS:
      return d->lanes * d->slots;
    case HEDDLE_KIND_LOCAL_BYTES:
      return MODEL_LOCAL_MEMORY_BYTES;
    default:
      return 0;
  }
}

static uint32_t read_figure(const struct model_device *d, uint32_t offset) {
  const bool is_previous = offset >= HEDDLE_REG_CYCLES + HEDDLE_REG_PREVIOUS;
  const struct model_figures *f = is_previous ? &d->previous : &d->figures;
  uint64_t value = 0;
  switch ((is_previous ? offset - HEDDLE_REG_PREVIOUS : offset) & ~4u) {
    case HEDDLE_REG_CYCLES:
    case HEDDLE_REG_ISSUES:
      value = f->issues;
      break;
    case HEDDLE_REG_ACTIVE_LANES:
      value = f->active_lanes;
      break;
    case HEDDLE_REG_GROUPS_DONE:
      value = f->groups_done;
      break;
    case HEDDLE_REG_CLOCK:
      value = is_previous ? 0 : d->clock;
      break;
    case HEDDLE_REG_MEMORY_REQUESTS:
      value = f->memory_requests;
      break;
    case HEDDLE_REG_START:
      value = f->start;
      break;
    default:  // lost cycles and a cache: a model of issues knows of none
      break;
  }
  return (uint32_t)(offset & 4 ? value >> 32 : value);
}

static uint32_t read_fault(const struct model_fault *f, uint32_t offset) {
  switch (offset) {
    case HEDDLE_REG_FAULT_REASON:
      return f->reason;
    case HEDDLE_REG_FAULT_PC:
      return f->pc;
    case HEDDLE_REG_FAULT_ADDRESS:
      return f->address;
    case HEDDLE_REG_FAULT_GROUP_ID:
    case HEDDLE_REG_FAULT_GROUP_ID + 4:
    case HEDDLE_REG_FAULT_GROUP_ID + 8:
      return f->group_id[(offset - HEDDLE_REG_FAULT_GROUP_ID) / 4];
    case HEDDLE_REG_FAULT_SUB_GROUP_ID:
      return f->sub_group_id;
    case HEDDLE_REG_FAULT_LANE:
      return f->lane;
    default:
      return 0;
  }
}

uint32_t model_read_control(const struct model_device *d, uint32_t offset) {
  if (offset < HEDDLE_REG_COMMAND)
    return read_capability(d, offset);
  if (offset >= HEDDLE_REG_KIND_TABLE && offset < HEDDLE_REG_KIND_TABLE + 4 * HEDDLE_KIND_WORDS)
    return read_kind(d, (offset - HEDDLE_REG_KIND_TABLE) / 4);
  if (offset >= HEDDLE_REG_FAULT_REASON && offset <= HEDDLE_REG_FAULT_LANE)
    return read_fault(&d->fault, offset);
  if (offset >= HEDDLE_REG_CYCLES && offset < HEDDLE_REG_CYCLES + 2 * HEDDLE_REG_PREVIOUS)
    return read_figure(d, offset);
  switch (offset) {
    case HEDDLE_REG_STATUS:
      return (d->busy ? HEDDLE_STATUS_BUSY : 0u) | (d->fault.reason != 0 ? HEDDLE_STATUS_FAULT : 0u) |
             (d->waits ? HEDDLE_STATUS_WAITS : 0u);
    case HEDDLE_REG_DISPATCH:
      return d->dispatch_register;
    case HEDDLE_REG_ENDED:
      return d->ended;
    case HEDDLE_REG_PROCESSOR_STATUS:
      return (d->processor.runs ? HEDDLE_PROCESSOR_RUNS : 0u) |
             (d->processor.fault_reason != 0 ? HEDDLE_PROCESSOR_FAULT : 0u);
    case HEDDLE_REG_TAIL:
      return d->processor.tail;
    case HEDDLE_REG_HEAD:
      return d->processor.head;
    case HEDDLE_REG_SETTLED:
      return d->processor.settled;
    case HEDDLE_REG_PROCESSOR_FAULT_REASON:
      return d->processor.fault_reason;
    case HEDDLE_REG_PROCESSOR_FAULT_PC:
      return d->processor.fault_pc;
    default:
      return 0;
  }
}

// An entry for some pages; those that are not there do not count.
static void set_rights(struct model_device *d, uint32_t value) {
  const uint32_t first = value >> HEDDLE_RIGHTS_FIRST_SHIFT;
  const uint32_t pages = (value >> HEDDLE_RIGHTS_PAGES_SHIFT) % HEDDLE_RIGHTS_PAGES_MOST + 1;
  for (uint32_t i = 0; i < pages; i++)
    d->rights[(first + i) % HEDDLE_RIGHTS_PAGES_MOST] = (uint8_t)value;
}

void model_write_control(struct model_device *d, uint32_t offset, uint32_t value) {
  d->processor.period = 0;
  if (offset == HEDDLE_REG_COMMAND)
    model_command(d, value);
  else if (offset == HEDDLE_REG_DISPATCH)
    d->dispatch_register = value & ~(HEDDLE_DISPATCH_ALIGNMENT - 1u);
  else if (offset == HEDDLE_REG_RIGHTS)
    set_rights(d, value);
  else if (!d->has_processor)
    return;
  else if (offset == HEDDLE_REG_PROCESSOR && value == HEDDLE_PROCESSOR_START)
    model_processor_start(d);
  else if (offset == HEDDLE_REG_TAIL)
    d->processor.tail = value;
}
