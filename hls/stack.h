// SPDX-License-Identifier: Apache-2.0
// Bytes of stack, read off machine code.
#ifndef HEDDLE_HLS_STACK_H
#define HEDDLE_HLS_STACK_H

#include <stddef.h>
#include <stdint.h>

// The .text section of a linked kernel file.
struct code {
  const unsigned char *bytes;
  uint32_t address;
  size_t size;
};

// Bytes of stack that the function at `entry` and everything it calls need at most; 0 if that cannot be told.
uint32_t stack_bytes(const struct code *code, uint32_t entry);

#endif
