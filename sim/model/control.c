// SPDX-License-Identifier: Apache-2.0
// The control registers: capability block, walker, figures, fault record (rtl/DEVICE.md "Control registers").
// Offsets that are not listed read as 0; writes to what is read-only do nothing.
#include <string.h>

#include "sim/model/device.h"

static const char isa[HEDDLE_ISA_BYTES] = "rv32ima_zicsr_zfinx_zba_zbb";

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
    default:  // latency, interval and channels are not known; no features, no cache
      return 0;
  }
}

// The register behind an offset from HEDDLE_REG_ENTRY to the end of BUDGET, or NULL.
static uint32_t *walker_register(struct model_walker *w, uint32_t offset) {
  if (offset >= HEDDLE_REG_GLOBAL_SIZE && offset < HEDDLE_REG_GLOBAL_OFFSET) {
    return &w->global_size[(offset - HEDDLE_REG_GLOBAL_SIZE) / 4];
  }
  if (offset >= HEDDLE_REG_GLOBAL_OFFSET && offset < HEDDLE_REG_LOCAL_SIZE) {
    return &w->global_offset[(offset - HEDDLE_REG_GLOBAL_OFFSET) / 4];
  }
  if (offset >= HEDDLE_REG_LOCAL_SIZE && offset < HEDDLE_REG_SUB_GROUP_LOG2) {
    return &w->local_size[(offset - HEDDLE_REG_LOCAL_SIZE) / 4];
  }
  switch (offset) {
    case HEDDLE_REG_ENTRY:
      return &w->entry;
    case HEDDLE_REG_PACKET:
      return &w->packet;
    case HEDDLE_REG_SUB_GROUP_LOG2:
      return &w->sub_group_log2;
    case HEDDLE_REG_LOCAL_BYTES:
      return &w->local_bytes;
    case HEDDLE_REG_PRIVATE_BASE:
      return &w->private_base;
    case HEDDLE_REG_PRIVATE_LOG2:
      return &w->private_log2;
    case HEDDLE_REG_BUDGET:
      return &w->budget[0];
    case HEDDLE_REG_BUDGET + 4:
      return &w->budget[1];
    default:
      return NULL;
  }
}

static uint32_t read_figure(const struct model_device *d, uint32_t offset) {
  uint64_t value = 0;
  switch (offset & ~4u) {
    case HEDDLE_REG_CYCLES:
    case HEDDLE_REG_ISSUES:
      value = d->issues;
      break;
    case HEDDLE_REG_ACTIVE_LANES:
      value = d->active_lanes;
      break;
    case HEDDLE_REG_GROUPS_DONE:
      value = d->groups_done;
      break;
    case HEDDLE_REG_CLOCK:
      value = d->clock;
      break;
    case HEDDLE_REG_MEMORY_REQUESTS:
      value = d->memory_requests;
      break;
    default:  // lost cycles: a model of issues knows of none
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
    default:  // behind the record: figures of the device cache that there is not
      return 0;
  }
}

uint32_t model_read_control(const struct model_device *d, uint32_t offset) {
  if (offset < HEDDLE_REG_COMMAND) {
    return read_capability(d, offset);
  }
  if (offset == HEDDLE_REG_STATUS) {
    return (d->busy ? HEDDLE_STATUS_BUSY : 0u) | (d->fault.reason != 0 ? HEDDLE_STATUS_FAULT : 0u);
  }
  if (offset < HEDDLE_REG_CYCLES) {
    struct model_walker copy = d->registers;
    const uint32_t *r = walker_register(&copy, offset);
    return r != NULL ? *r : 0;
  }
  if (offset < HEDDLE_REG_FAULT_REASON) {
    return read_figure(d, offset);
  }
  return read_fault(&d->fault, offset);
}

void model_write_control(struct model_device *d, uint32_t offset, uint32_t value) {
  if (offset == HEDDLE_REG_COMMAND) {
    if (value == HEDDLE_COMMAND_START && !d->busy) {
      model_start(d);
    } else if (value == HEDDLE_COMMAND_STOP && d->busy) {
      model_stop_by_host(d);
    }
    return;
  }
  uint32_t *r = walker_register(&d->registers, offset);
  if (r != NULL) {
    *r = value;
  }
}
