// SPDX-License-Identifier: Apache-2.0
// Walks the code of a function along its branches and adds up what it takes off the stack pointer, and the most that
// anything it calls takes. Machine code rather than the compiler's own figures, because those are missing for the
// run-time library. Relies on what compilers do: sp changes by constants, and a function ends as deep as it began.
#include "hls/stack.h"

#include <stdbool.h>
#include <stdlib.h>

enum { REGISTER_RA = 1, REGISTER_SP = 2, CALL_DEPTH_MAX = 64, STACK_ALIGNMENT = 16 };
#define UNKNOWN (UINT32_MAX - 1)

static uint32_t instruction_at(const struct code *code, uint32_t pc) {
  const unsigned char *at = code->bytes + (pc - code->address);
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool is_code(const struct code *code, uint32_t pc) {
  return pc % 4 == 0 && pc >= code->address && pc - code->address <= code->size - 4;
}

static uint32_t field(uint32_t instruction, int low, int bits) {
  return instruction >> low & ((1u << bits) - 1);
}

static int32_t sign_extended(uint32_t value, int bits) {
  return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

static int32_t i_immediate(uint32_t x) {
  return (int32_t)x >> 20;
}

static int32_t b_immediate(uint32_t x) {
  return sign_extended(field(x, 31, 1) << 12 | field(x, 7, 1) << 11 | field(x, 25, 6) << 5 | field(x, 8, 4) << 1, 13);
}

static int32_t j_immediate(uint32_t x) {
  return sign_extended(field(x, 31, 1) << 20 | field(x, 12, 8) << 12 | field(x, 20, 1) << 11 | field(x, 21, 10) << 1,
                       21);
}

// One function's walk. A frame is taken at most once on any path, so frame sizes add up over the function.
struct walk {
  const struct code *code;
  bool *seen;         // by instruction
  uint32_t *pending;  // PCs to go on from
  size_t pending_count;
  uint32_t frame, deepest_callee;
  bool is_unknown;
  int depth;
  uint32_t registers[32];  // values made by lui, auipc and addi since the last branch
  uint32_t known;          // bit r: registers[r] is known
};

static uint32_t measure(const struct code *code, uint32_t entry, int depth);

static void go_on_at(struct walk *walk, uint32_t pc) {
  if (!is_code(walk->code, pc)) {
    walk->is_unknown = true;
  } else if (!walk->seen[(pc - walk->code->address) / 4]) {
    walk->seen[(pc - walk->code->address) / 4] = true;
    walk->pending[walk->pending_count++] = pc;
  }
}

static void call(struct walk *walk, uint32_t pc) {
  uint32_t bytes = measure(walk->code, pc, walk->depth + 1);
  if (bytes == UNKNOWN) {
    walk->is_unknown = true;
  } else if (bytes > walk->deepest_callee) {
    walk->deepest_callee = bytes;
  }
}

static void set_register(struct walk *walk, uint32_t number, bool is_known, uint32_t value) {
  walk->registers[number] = value;
  walk->known = is_known && number != 0 ? walk->known | 1u << number : walk->known & ~(1u << number);
}

// sp := sp + change
static void move_stack(struct walk *walk, int32_t change) {
  if (change < 0) {
    walk->frame += (uint32_t)-change;
  }
}

static void write_stack_pointer(struct walk *walk, uint32_t x) {
  uint32_t opcode = field(x, 0, 7), function = field(x, 12, 3), source = field(x, 15, 5), other = field(x, 20, 5);
  if (opcode == 0x13 && function == 0 && source == REGISTER_SP) {  // addi sp, sp, n
    move_stack(walk, i_immediate(x));
  } else if (opcode == 0x13 && function == 0) {  // addi sp, fp, n: back to a depth it had
  } else if (opcode == 0x13 && function == 7) {  // andi sp, sp, -alignment
    move_stack(walk, i_immediate(x) + STACK_ALIGNMENT);
  } else if (opcode == 0x33 && function == 0 && source == REGISTER_SP && (walk->known >> other & 1) != 0) {
    int32_t amount = (int32_t)walk->registers[other];  // add, sub sp, sp, register
    move_stack(walk, field(x, 30, 1) != 0 ? -amount : amount);
  } else if (opcode != 0x73) {  // other than csrr sp, which starts from the top
    walk->is_unknown = true;
  }
}

// Follows one instruction; says whether the next one in memory can run behind it.
static bool follow(struct walk *walk, uint32_t pc) {
  uint32_t x = instruction_at(walk->code, pc);
  uint32_t opcode = field(x, 0, 7), target = field(x, 7, 5), source = field(x, 15, 5);
  switch (opcode) {
    case 0x63:  // branch
      go_on_at(walk, pc + (uint32_t)b_immediate(x));
      walk->known = 0;
      return true;
    case 0x6F:  // jal
      if (target == 0) {
        go_on_at(walk, pc + (uint32_t)j_immediate(x));
        return false;
      }
      call(walk, pc + (uint32_t)j_immediate(x));
      walk->known = 0;
      return true;
    case 0x67:  // jalr
      if (target == 0 && (source == REGISTER_RA || source == 5)) {
        return false;  // return; t0 is the link register of register-saving helpers
      }
      if ((walk->known >> source & 1) == 0) {
        walk->is_unknown = true;
      } else {
        call(walk, walk->registers[source] + (uint32_t)i_immediate(x));
      }
      walk->known = 0;
      return target != 0;
    case 0x0B:  // custom-0: funct3 3 is exit
      set_register(walk, target, false, 0);
      return field(x, 12, 3) != 3;
    case 0x23:  // store
      return true;
    default:
      break;
  }
  if (target == REGISTER_SP) {
    write_stack_pointer(walk, x);
  } else if (opcode == 0x37) {
    set_register(walk, target, true, x & 0xFFFFF000u);  // lui
  } else if (opcode == 0x17) {
    set_register(walk, target, true, pc + (x & 0xFFFFF000u));  // auipc
  } else if (opcode == 0x13 && field(x, 12, 3) == 0) {
    bool is_known = source == 0 || (walk->known >> source & 1) != 0;  // addi
    set_register(walk, target, is_known, (source == 0 ? 0 : walk->registers[source]) + (uint32_t)i_immediate(x));
  } else {
    set_register(walk, target, false, 0);
  }
  return true;
}

static uint32_t measure(const struct code *code, uint32_t entry, int depth) {
  size_t count = code->size / 4;
  struct walk walk = {.code = code, .depth = depth};
  if (depth > CALL_DEPTH_MAX || !is_code(code, entry)) {
    return UNKNOWN;
  }
  uint32_t *measured = &code->measured[(entry - code->address) / 4];
  if (*measured != 0) {
    return *measured - 1;
  }
  walk.seen = calloc(count + 1, sizeof *walk.seen);
  walk.pending = calloc(count + 1, sizeof *walk.pending);
  if (walk.seen == NULL || walk.pending == NULL) {
    walk.is_unknown = true;
  } else {
    go_on_at(&walk, entry);
  }
  while (walk.pending_count > 0 && !walk.is_unknown) {
    uint32_t pc = walk.pending[--walk.pending_count];
    walk.known = 0;
    while (follow(&walk, pc) && !walk.is_unknown) {
      pc += 4;
      if (!is_code(code, pc) || walk.seen[(pc - code->address) / 4]) {
        break;
      }
      walk.seen[(pc - code->address) / 4] = true;
    }
  }
  free(walk.seen);
  free(walk.pending);
  uint32_t bytes = walk.is_unknown ? UNKNOWN : walk.frame + walk.deepest_callee;
  *measured = bytes + 1;
  return bytes;
}

enum status code_open(struct code *code, const unsigned char *bytes, uint32_t address, size_t size) {
  *code = (struct code){.bytes = bytes, .address = address, .size = size};
  code->measured = calloc(size / 4 + 1, sizeof *code->measured);
  return code->measured != NULL ? STATUS_OK : STATUS_FAILED;
}

void code_close(struct code *code) {
  free(code->measured);
}

uint32_t stack_bytes(const struct code *code, uint32_t entry) {
  uint32_t bytes = code->size >= 4 ? measure(code, entry, 0) : UNKNOWN;
  return bytes == UNKNOWN ? 0 : bytes;
}
