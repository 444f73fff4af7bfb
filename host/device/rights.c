// SPDX-License-Identifier: Apache-2.0
// What kernels may do in each page of a device's memory (contract/DEVICE.md, "Rights"): the table, which follows the
// allocator and is written before a dispatch that may need it, and the domains of those who want to be apart.
#include <errno.h>
#include <string.h>

#include "host/device/device.h"

enum { POLLS = 2 * HEDDLE_RIGHTS_PAGES_MOST };

uint32_t heddle_page_log2(const struct heddle_device *device) {
  const uint32_t log2 = device->capability.features >> HEDDLE_FEATURE_PAGE_LOG2_SHIFT & HEDDLE_FEATURE_PAGE_LOG2_MASK;
  return heddle_device_checks(device) || device->link.memory ? 0 : log2;
}

uint32_t heddle_device_page_bytes(const struct heddle_device *device) {
  const uint32_t log2 = heddle_page_log2(device);
  return log2 == 0 ? 0 : 1u << log2;
}

// Pages from `first` on.
static int write_entry(struct heddle_device *device, uint32_t first, uint32_t pages, uint8_t entry) {
  uint32_t state = 0;
  int result = heddle_register_write(
      device, HEDDLE_REG_RIGHTS, first << HEDDLE_RIGHTS_FIRST_SHIFT | (pages - 1) << HEDDLE_RIGHTS_PAGES_SHIFT | entry);
  for (uint32_t i = 0; result == 0; i++) {
    result = heddle_register_read(device, HEDDLE_REG_RIGHTS, &state);
    if (result == 0 && (state & HEDDLE_RIGHTS_BUSY) == 0)
      break;
    if (i == POLLS)
      return heddle_lose(device, -EIO, "the device does not set rights of its memory");
  }
  return result;
}

int heddle_rights_write(struct heddle_device *device) {
  struct heddle_table *table = &device->table;
  uint8_t wanted[HEDDLE_RIGHTS_PAGES_MOST];
  const uint32_t log2 = heddle_page_log2(device);
  if (log2 == 0)
    return 0;
  const uint32_t pages = ((device->capability.global_bytes - 1) >> log2) + 1;
  const bool is_known = table->changes != 0;
  const uint64_t changes = heddle_allocator_rights(device->allocator, table->changes, wanted, pages);
  int result = 0;
  if (changes == table->changes)
    return 0;
  for (uint32_t first = 0, end; first < pages && result == 0; first = end) {
    // A run of pages that get one entry, of which the first has another.
    for (end = first + 1; end < pages && wanted[end] == wanted[first]; end++)
      ;
    if (is_known && memcmp(table->entries + first, wanted + first, end - first) == 0)
      continue;
    result = write_entry(device, first, end - first, wanted[first]);
    memset(table->entries + first, wanted[first], end - first);
  }
  table->changes = result == 0 ? changes : 0;
  return result;
}

uint8_t heddle_device_rights_at(struct heddle_device *device, uint32_t address) {
  const uint32_t log2 = heddle_page_log2(device);
  pthread_mutex_lock(&device->access);
  const uint8_t entry =
      log2 == 0 || address >= device->capability.global_bytes ? 0 : device->table.entries[address >> log2];
  pthread_mutex_unlock(&device->access);
  return entry;
}

uint32_t heddle_device_take_domain(struct heddle_device *device) {
  uint32_t best;
  unsigned users;
  if (heddle_page_log2(device) == 0)
    return HEDDLE_DOMAIN_UNCHECKED;
  do {
    best = 1;
    users = atomic_load(&device->domains[best]);
    for (uint32_t domain = 2; domain <= HEDDLE_DOMAIN_MOST; domain++) {
      const unsigned others = atomic_load(&device->domains[domain]);
      if (others < users) {
        best = domain;
        users = others;
      }
    }
  } while (!atomic_compare_exchange_weak(&device->domains[best], &users, users + 1));
  return best;
}

void heddle_device_give_domain(struct heddle_device *device, uint32_t domain) {
  if (domain != HEDDLE_DOMAIN_UNCHECKED)
    atomic_fetch_sub(&device->domains[domain], 1);
}
