// SPDX-License-Identifier: Apache-2.0
// Best-fit allocator over a device's global memory (allocator.h). Called by the driver.
#include "host/device/allocator.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"

// Every byte of the range belongs to exactly one block; no two free blocks are neighbours.
struct block {
  struct block *previous, *next;
  uint32_t first, bytes;
  bool taken;
  uint8_t rights;  // of one that is taken
};

struct heddle_allocator {
  pthread_mutex_t lock;
  struct block *blocks;  // in address order
  uint32_t page_bytes;
  uint64_t changes;  // of what is taken
};

static struct block *block_create(uint32_t first, uint32_t bytes) {
  struct block *block = calloc(1, sizeof *block);
  if (block) {
    block->first = first;
    block->bytes = bytes;
  }
  return block;
}

static void insert_after(struct block *block, struct block *added) {
  added->previous = block;
  added->next = block->next;
  if (block->next)
    block->next->previous = added;
  block->next = added;
}

// Appends the block behind `block` to it.
static void swallow_next(struct block *block) {
  struct block *gone = block->next;
  block->bytes += gone->bytes;
  block->next = gone->next;
  if (gone->next)
    gone->next->previous = block;
  free(gone);
}

struct heddle_allocator *heddle_allocator_create(uint32_t first, uint32_t end, uint32_t page_bytes) {
  if (end <= first)
    return NULL;
  struct heddle_allocator *allocator = calloc(1, sizeof *allocator);
  if (!allocator)
    return NULL;
  allocator->blocks = block_create(first, end - first);
  if (!allocator->blocks) {
    free(allocator);
    return NULL;
  }
  allocator->page_bytes = page_bytes;
  allocator->changes = 1;
  pthread_mutex_init(&allocator->lock, NULL);
  return allocator;
}

void heddle_allocator_destroy(struct heddle_allocator *allocator) {
  if (!allocator)
    return;
  while (allocator->blocks) {
    struct block *next = allocator->blocks->next;
    free(allocator->blocks);
    allocator->blocks = next;
  }
  pthread_mutex_destroy(&allocator->lock);
  free(allocator);
}

// 64 bits: the sum may pass the end of the address space.
static uint64_t round_up(uint64_t value, uint32_t alignment) {
  return (value + alignment - 1) & ~((uint64_t)alignment - 1);
}

// Where a piece can be in a free block, at or behind `lowest`; 0: nowhere. What is before and behind the block is
// taken, and keeps others out of the pages that it shares with the block.
static uint64_t place_in(const struct heddle_allocator *allocator, const struct block *block, uint8_t rights,
                         uint32_t bytes, uint32_t alignment, uint32_t lowest) {
  const uint32_t page = allocator->page_bytes;
  uint64_t first = block->first, end = first + block->bytes;
  if (block->taken)
    return 0;
  if (block->previous && block->previous->rights != rights)
    first = round_up(first, page);
  if (block->next && block->next->rights != rights)
    end &= ~((uint64_t)page - 1);
  first = round_up(first > lowest ? first : lowest, alignment);
  return first + bytes <= end ? first : 0;
}

static struct block *best_fit(const struct heddle_allocator *allocator, uint8_t rights, uint32_t bytes,
                              uint32_t alignment) {
  struct block *best = NULL;
  for (struct block *block = allocator->blocks; block; block = block->next)
    if ((!best || block->bytes < best->bytes) && place_in(allocator, block, rights, bytes, alignment, 0) != 0)
      best = block;
  return best;
}

// Cuts a free block so that exactly the wanted piece is one block, and marks it.
static int carve(struct heddle_allocator *allocator, struct block *block, uint64_t first, uint32_t bytes,
                 uint8_t rights, uint32_t *address) {
  const uint32_t skip = (uint32_t)(first - block->first);
  struct block *piece = skip ? block_create(block->first + skip, bytes) : block;
  const uint32_t rest_bytes = block->bytes - skip - bytes;
  struct block *rest = rest_bytes ? block_create(block->first + skip + bytes, rest_bytes) : NULL;
  if (!piece || (rest_bytes && !rest)) {
    if (piece != block)
      free(piece);
    free(rest);
    return -ENOMEM;
  }
  if (piece != block) {
    block->bytes = skip;
    insert_after(block, piece);
  }
  piece->bytes = bytes;
  piece->taken = true;
  piece->rights = rights;
  if (rest)
    insert_after(piece, rest);
  allocator->changes++;
  *address = piece->first;
  return 0;
}

int heddle_allocator_take(struct heddle_allocator *allocator, uint8_t rights, uint32_t bytes, uint32_t alignment,
                          uint32_t *address) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    return -EINVAL;
  if (bytes == 0)
    bytes = 1;
  pthread_mutex_lock(&allocator->lock);
  struct block *block = best_fit(allocator, rights, bytes, alignment);
  const uint64_t first = block ? place_in(allocator, block, rights, bytes, alignment, 0) : 0;
  const int result = block ? carve(allocator, block, first, bytes, rights, address) : -ENOMEM;
  pthread_mutex_unlock(&allocator->lock);
  return result;
}

int heddle_allocator_take_from(struct heddle_allocator *allocator, uint8_t rights, uint32_t bytes, uint32_t alignment,
                               uint32_t lowest, uint32_t *address) {
  int result = -ENOMEM;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    return -EINVAL;
  if (bytes == 0)
    bytes = 1;
  pthread_mutex_lock(&allocator->lock);
  for (struct block *block = allocator->blocks; block && result == -ENOMEM; block = block->next) {
    const uint64_t first = place_in(allocator, block, rights, bytes, alignment, lowest);
    if (first != 0) {
      result = carve(allocator, block, first, bytes, rights, address);
      break;
    }
  }
  pthread_mutex_unlock(&allocator->lock);
  return result;
}

static struct block *taken_at(const struct heddle_allocator *allocator, uint32_t address) {
  struct block *block = allocator->blocks;
  while (block && !(block->taken && block->first == address))
    block = block->next;
  return block;
}

int heddle_allocator_split(struct heddle_allocator *allocator, uint32_t address, uint32_t bytes, uint8_t rights) {
  int result = -EINVAL;
  pthread_mutex_lock(&allocator->lock);
  struct block *block = taken_at(allocator, address);
  if (block && bytes > 0 && bytes < block->bytes && (address + bytes) % allocator->page_bytes == 0 &&
      (address + block->bytes) % allocator->page_bytes == 0) {
    struct block *second = block_create(address + bytes, block->bytes - bytes);
    result = second ? 0 : -ENOMEM;
    if (second) {
      second->taken = true;
      second->rights = rights;
      block->bytes = bytes;
      insert_after(block, second);
      allocator->changes++;
    }
  }
  pthread_mutex_unlock(&allocator->lock);
  return result;
}

void heddle_allocator_give(struct heddle_allocator *allocator, uint32_t address) {
  pthread_mutex_lock(&allocator->lock);
  struct block *block = taken_at(allocator, address);
  if (block) {
    allocator->changes++;
    block->taken = false;
    if (block->next && !block->next->taken)
      swallow_next(block);
    if (block->previous && !block->previous->taken)
      swallow_next(block->previous);
  }
  pthread_mutex_unlock(&allocator->lock);
}

struct heddle_piece *heddle_allocator_pieces(struct heddle_allocator *allocator, size_t *count) {
  size_t all = 0;
  *count = 0;
  pthread_mutex_lock(&allocator->lock);
  for (const struct block *block = allocator->blocks; block; block = block->next)
    all += block->taken;
  struct heddle_piece *pieces = calloc(all + 1, sizeof *pieces);
  for (const struct block *block = allocator->blocks; block && pieces; block = block->next)
    if (block->taken)
      pieces[(*count)++] = (struct heddle_piece){.address = block->first, .bytes = block->bytes};
  pthread_mutex_unlock(&allocator->lock);
  return pieces;
}

uint64_t heddle_allocator_rights(struct heddle_allocator *allocator, uint64_t known, uint8_t *entries, uint32_t pages) {
  pthread_mutex_lock(&allocator->lock);
  const uint64_t changes = allocator->changes;
  if (changes != known) {
    memset(entries, HEDDLE_DOMAIN_NOBODY, pages);
    uint32_t behind = 0;  // the page behind those of the last piece
    for (const struct block *block = allocator->blocks; block; block = block->next) {
      const uint32_t first = block->first / allocator->page_bytes;
      const uint32_t last = (block->first + (block->bytes - 1)) / allocator->page_bytes;
      if (!block->taken)
        continue;
      for (uint32_t page = first; page <= last && page < pages; page++)
        entries[page] = page < behind && entries[page] != block->rights ? HEDDLE_DOMAIN_EVERYBODY | HEDDLE_RIGHTS_WRITE
                                                                        : block->rights;
      behind = last + 1;
    }
  }
  pthread_mutex_unlock(&allocator->lock);
  return changes;
}

// The free end of a range becomes longer, shorter, or goes away. False: host memory is out.
static bool set_first(struct heddle_allocator *allocator, uint32_t first) {
  struct block *block = allocator->blocks;
  if (block->taken && block->first > first) {
    struct block *added = block_create(first, block->first - first);
    if (!added)
      return false;
    added->next = block;
    block->previous = added;
    allocator->blocks = added;
  } else if (!block->taken) {
    block->bytes += block->first - first;
    block->first = first;
    if (block->bytes == 0 && block->next) {
      allocator->blocks = block->next;
      // Not the one that set_end has freed: that is no longer the next of any.
      // NOLINTNEXTLINE(clang-analyzer-unix.Malloc)
      allocator->blocks->previous = NULL;
      free(block);
    }
  }
  return true;
}

static bool set_end(struct block *last, uint32_t end) {
  if (last->taken && last->first + last->bytes < end) {
    struct block *added = block_create(last->first + last->bytes, end - last->first - last->bytes);
    if (!added)
      return false;
    insert_after(last, added);
  } else if (!last->taken) {
    last->bytes = end - last->first;
    if (last->bytes == 0 && last->previous) {
      last->previous->next = NULL;
      free(last);
    }
  }
  return true;
}

int heddle_allocator_set_range(struct heddle_allocator *allocator, uint32_t first, uint32_t end, uint32_t page_bytes) {
  int result = end > first ? 0 : -ENOSPC;
  pthread_mutex_lock(&allocator->lock);
  struct block *last = allocator->blocks;
  for (struct block *block = allocator->blocks; block; block = block->next) {
    if (block->taken && (block->first < first || block->first + block->bytes > end))
      result = -ENOSPC;
    last = block;
  }
  // There is always a block. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
  if (result == 0 && last == allocator->blocks && !last->taken) {
    last->first = first;
    last->bytes = end - first;
  } else if (result == 0) {
    result = set_end(last, end) && set_first(allocator, first) ? 0 : -ENOMEM;
  }
  if (result == 0) {
    allocator->page_bytes = page_bytes;
    allocator->changes++;
  }
  pthread_mutex_unlock(&allocator->lock);
  return result;
}

uint32_t heddle_allocator_free_bytes(struct heddle_allocator *allocator) {
  uint32_t bytes = 0;
  pthread_mutex_lock(&allocator->lock);
  for (const struct block *block = allocator->blocks; block; block = block->next)
    bytes += block->taken ? 0 : block->bytes;
  pthread_mutex_unlock(&allocator->lock);
  return bytes;
}
