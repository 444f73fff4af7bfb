// SPDX-License-Identifier: Apache-2.0
// Who owns which piece of a device's global memory. Host-side bookkeeping only: it never touches the device.
// Best fit over blocks kept in address order; freeing joins neighbours. Cost: linear in the number of blocks.
// Thread-safe: one mutex an allocator.
//
// Pieces of different rights (entries of the device's table of rights, contract/DEVICE.md) never share a page.
#ifndef HEDDLE_ALLOCATOR_H
#define HEDDLE_ALLOCATOR_H

#include <stddef.h>
#include <stdint.h>

struct heddle_allocator;

// Manages [first, end), in pages of so many bytes (a power of two; 1: rights need no pages). NULL when the range is
// empty or host memory is out.
struct heddle_allocator *heddle_allocator_create(uint32_t first, uint32_t end, uint32_t page_bytes);

// Forgets everything, allocated or not. NULL is allowed.
void heddle_allocator_destroy(struct heddle_allocator *allocator);

// Takes `bytes` (0 counts as 1) at a multiple of `alignment` (a power of two). 0 and *address, -ENOMEM when no gap is
// large enough or host memory is out, -EINVAL when the alignment is none.
int heddle_allocator_take(struct heddle_allocator *allocator, uint8_t rights, uint32_t bytes, uint32_t alignment,
                          uint32_t *address);

// The same at the lowest address that is free and not below `lowest`.
int heddle_allocator_take_from(struct heddle_allocator *allocator, uint8_t rights, uint32_t bytes, uint32_t alignment,
                               uint32_t lowest, uint32_t *address);

// Makes two pieces of the one at `address`, which is given back in two then: the second begins `bytes` behind it, at
// the begin of a page, ends at that of one, and has other rights. 0, -ENOMEM or -EINVAL.
int heddle_allocator_split(struct heddle_allocator *allocator, uint32_t address, uint32_t bytes, uint8_t rights);

// Gives back what a take returned. Any other address is ignored.
void heddle_allocator_give(struct heddle_allocator *allocator, uint32_t address);

// The allocated pieces in address order, `*count` of them: the caller's to free. NULL: host memory is out.
struct heddle_piece {
  uint32_t address, bytes;
};
struct heddle_piece *heddle_allocator_pieces(struct heddle_allocator *allocator, size_t *count);

// What the table of rights has to be: an entry for each page of memory up to `pages`; HEDDLE_DOMAIN_NOBODY where
// nothing is. After the range has changed with pieces in it, pages of several rights are everybody's. Returns a number
// that changes with what is allocated; if it is `known`, entries are left as they are.
uint64_t heddle_allocator_rights(struct heddle_allocator *allocator, uint64_t known, uint8_t *entries, uint32_t pages);

// From now on manages [first, end), in pages of so many bytes. -ENOSPC, and nothing has changed, when an allocated
// piece is outside; -ENOMEM.
int heddle_allocator_set_range(struct heddle_allocator *allocator, uint32_t first, uint32_t end, uint32_t page_bytes);

// Bytes not allocated now, in one piece or many.
uint32_t heddle_allocator_free_bytes(struct heddle_allocator *allocator);

#endif
