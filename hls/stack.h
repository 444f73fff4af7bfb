// SPDX-License-Identifier: Apache-2.0
// Bytes of stack, read off machine code.
#ifndef HEDDLE_HLS_STACK_H
#define HEDDLE_HLS_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "contract/status.h"

// The .text section of a linked kernel file, and what has been found out about its functions.
struct code {
  const unsigned char *bytes;
  uint32_t address;
  size_t size;
  uint32_t *measured;  // by instruction: 1 + bytes of stack of the function that starts there, 0 if not yet known
};

enum status code_open(struct code *code, const unsigned char *bytes, uint32_t address, size_t size);
void code_close(struct code *code);

// Bytes of stack that the function at `entry` and everything it calls need at most; 0 if that cannot be told.
uint32_t stack_bytes(const struct code *code, uint32_t entry);

#endif
