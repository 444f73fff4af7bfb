// SPDX-License-Identifier: Apache-2.0
// Memory of which every load and store is a call, as of a device's registers: its pages may not be touched, and what
// touches them is carried out step by step. So a library that maps a card's memory runs as it is. For x86-64.
//
// One such memory, and one thread at a time that touches it. A load is of at most the word that it begins in, and so is
// a store.
#ifndef HEDDLE_TESTS_TRAP_H
#define HEDDLE_TESTS_TRAP_H

#include <stddef.h>
#include <stdint.h>

struct trap_memory {
  uint32_t (*read)(size_t offset);                               // of an aligned word
  void (*write)(size_t offset, uint32_t word, unsigned strobe);  // the bytes that have a bit
};

// Turns pages that are mapped already into such memory. Fails the test if it cannot.
void trap_begin(void *pages, size_t bytes, const struct trap_memory *memory);

// They are as any memory again, before they are unmapped.
void trap_end(void);

#endif
