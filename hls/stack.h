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
  uint32_t *seen;      // by instruction: number of the last function whose walk came there
  uint32_t *pending;   // PCs that a walk goes on from
  uint32_t *extents;   // by instruction: bytes of the function that starts there, 0 if not known
  uint32_t functions;  // so many walks have begun
};

// Why the size of a stack cannot be told, and where.
struct stack_unknown {
  const char *reason;
  uint32_t pc;
};

// STATUS_FAILED: host memory is out. code_close releases it in either case.
enum status code_open(struct code *code, const unsigned char *bytes, uint32_t address, size_t size);
void code_close(struct code *code);

// Says how long a function is. Those with a jump whose target cannot be read off are taken whole.
void code_add_function(struct code *code, uint32_t entry, uint32_t bytes);

// Bytes of stack that the function at `entry` and everything it calls need at most. STATUS_REJECTED: that cannot be
// told, *unknown says why. STATUS_FAILED: host memory is out.
enum status stack_bytes(struct code *code, uint32_t entry, uint32_t *bytes, struct stack_unknown *unknown);

#endif
