// SPDX-License-Identifier: Apache-2.0
// Who owns which piece of a device's global memory. Host-side bookkeeping only: it never touches the device.
// Best fit over blocks kept in address order; freeing joins neighbours. Cost: linear in the number of blocks.
// Thread-safe: one mutex an allocator.
#ifndef HEDDLE_ALLOCATOR_H
#define HEDDLE_ALLOCATOR_H

#include <stddef.h>
#include <stdint.h>

struct heddle_allocator;

// Manages [first, end). NULL when the range is empty or host memory is out.
struct heddle_allocator *heddle_allocator_create(uint32_t first, uint32_t end);

// Forgets everything, allocated or not. NULL is allowed.
void heddle_allocator_destroy(struct heddle_allocator *allocator);

// Takes `bytes` (0 counts as 1) at a multiple of `alignment` (a power of two). 0 and *address, -ENOMEM when no gap is
// large enough or host memory is out, -EINVAL when the alignment is none.
int heddle_allocator_take(struct heddle_allocator *allocator, uint32_t bytes, uint32_t alignment, uint32_t *address);

// The same at the lowest address that is free and not below `lowest`.
int heddle_allocator_take_from(struct heddle_allocator *allocator, uint32_t bytes, uint32_t alignment, uint32_t lowest,
                               uint32_t *address);

// Gives back what a take returned. Any other address is ignored.
void heddle_allocator_give(struct heddle_allocator *allocator, uint32_t address);

// The allocated pieces in address order, `*count` of them: the caller's to free. NULL: host memory is out.
struct heddle_piece {
  uint32_t address, bytes;
};
struct heddle_piece *heddle_allocator_pieces(struct heddle_allocator *allocator, size_t *count);

// From now on manages [first, end). -ENOSPC, and nothing has changed, when an allocated piece is outside; -ENOMEM.
int heddle_allocator_set_range(struct heddle_allocator *allocator, uint32_t first, uint32_t end);

// Bytes not allocated now, in one piece or many.
uint32_t heddle_allocator_free_bytes(struct heddle_allocator *allocator);

#endif
