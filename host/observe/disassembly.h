// SPDX-License-Identifier: Apache-2.0
// The instructions of a kernel file as text.
#ifndef HEDDLE_OBSERVE_DISASSEMBLY_H
#define HEDDLE_OBSERVE_DISASSEMBLY_H

#include <stddef.h>
#include <stdint.h>

#include "contract/error.h"
#include "host/observe/instruction.h"

enum { HEDDLE_SYMBOL_BYTES = 256 };

struct heddle_instruction {
  uint32_t offset, word;
  char text[INSTRUCTION_TEXT_BYTES];  // "lw a0, 4(a1)"
  char symbol[HEDDLE_SYMBOL_BYTES];   // of the function that begins here; "": none
};

// By rising offsets.
struct heddle_disassembly {
  struct heddle_instruction *items;
  size_t count;
};

// Reads a kernel file, which may be of any origin, by llvm-objdump, in a child process with limits. Heddle's own
// instructions have names. 0, and the caller frees the items; or negative errno, and *error says what is missing or
// wrong.
int heddle_disassemble(const void *elf, size_t elf_bytes, struct heddle_disassembly *disassembly,
                       struct heddle_error *error);

#endif
