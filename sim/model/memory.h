// SPDX-License-Identifier: Apache-2.0
// One work-item's access to memory: where an address lies or why it is a fault, loading, storing, and what a store
// undoes. For the interpreter and for atomics.
#ifndef HEDDLE_SIM_MODEL_MEMORY_H
#define HEDDLE_SIM_MODEL_MEMORY_H

#include <string.h>

#include "sim/model/device.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

// Physical address of a load or store of one work-item, or a fault: 0 or the reason.
ALWAYS_INLINE uint32_t translate(const struct model_device *d, const struct model_sub_group *g, uint32_t address,
                                 uint32_t bytes, uint32_t lane, uint32_t *physical) {
  if (address & (bytes - 1))
    return HEDDLE_FAULT_MISALIGNED;
  if (address < d->global_bytes) {
    *physical = address;
    return address >= d->first_global ? 0 : HEDDLE_FAULT_UNMAPPED;
  }
  if (address >= HEDDLE_LOCAL_BASE && address <= HEDDLE_LOCAL_LAST) {
    uint32_t offset = address - HEDDLE_LOCAL_BASE;
    *physical = g->group->local_memory + offset;
    return offset + bytes <= d->dispatch.local_bytes ? 0 : HEDDLE_FAULT_OUTSIDE_LOCAL;
  }
  if (address >= HEDDLE_PRIVATE_BASE && address <= HEDDLE_PRIVATE_LAST) {
    uint32_t offset = address - HEDDLE_PRIVATE_BASE;
    if (offset + bytes > 1u << d->dispatch.private_log2)
      return HEDDLE_FAULT_OUTSIDE_PRIVATE;
    *physical = g->private_memory + (offset & ~3u) * d->lanes + lane * 4 + (offset & 3);
    return 0;
  }
  if (address >= HEDDLE_BELOW_PRIVATE && address < HEDDLE_PRIVATE_BASE)
    return HEDDLE_FAULT_OUTSIDE_PRIVATE;
  return HEDDLE_FAULT_UNMAPPED;
}

// Of the lanes that access `physical`, the lowest that has no right to its page is recorded as the fault; false: there
// is one.
ALWAYS_INLINE bool have_rights(struct model_device *d, const struct model_sub_group *g, const uint32_t *physical,
                               uint32_t pc, uint32_t mask, bool is_store) {
  if (__builtin_expect(d->dispatch.domain == HEDDLE_DOMAIN_UNCHECKED, 1))
    return true;
  for (; mask != 0; mask &= mask - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(mask);
    if (!model_may(d, physical[l], is_store)) {
      model_fault(d, g, HEDDLE_FAULT_NO_RIGHT, pc, physical[l], l);
      return false;
    }
  }
  return true;
}

ALWAYS_INLINE uint32_t load(const struct model_device *d, uint32_t physical, uint32_t bytes, bool is_signed) {
  const uint8_t *at = d->memory + physical;
  if (bytes == 1)
    return is_signed ? (uint32_t)(int8_t)*at : *at;
  if (bytes == 2) {
    uint16_t v;
    memcpy(&v, at, sizeof v);
    return is_signed ? (uint32_t)(int16_t)v : v;
  }
  uint32_t v;
  memcpy(&v, at, sizeof v);
  return v;
}

// After each store: forgets the decoded instructions of the page, if it holds any, and reservations of the word.
ALWAYS_INLINE void written(struct model_device *d, uint32_t physical, uint32_t bytes) {
  if (__builtin_expect(!!d->code[physical >> MODEL_PAGE_LOG2], 0))
    model_code_written(d, physical, bytes);
  if (__builtin_expect(!model_set_is_empty(&d->reserving), 0))
    model_break_reservations(d, physical, bytes);
}

ALWAYS_INLINE void store(struct model_device *d, uint32_t physical, uint32_t bytes, uint32_t value) {
  memcpy(d->memory + physical, &value, bytes);  // little-endian host
  written(d, physical, bytes);
}

#endif
