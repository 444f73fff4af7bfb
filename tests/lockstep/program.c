// SPDX-License-Identifier: Apache-2.0
// Makes the programs of program.h. At the top level all live work-items run through the same code, so collectives stand
// there; between them are blocks of arithmetic, memory accesses, branches, loops and calls in which lanes part and
// meet.
#include "tests/lockstep/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/model/encode.h"

// Registers 1 to GENERAL hold anything; the others hold the program together.
enum {
  GENERAL = 20,
  ITEM = 21,      // number of the work-item in the range
  FUNCTION = 22,  // address of what is called
  TEMPORARY = 23,
  OUTER = 24,  // counts rounds of a piece of the top level
  LINK = 25,
  DEEPER = 26,        // counts rounds of a loop in a loop
  PRIVATE_AREA = 27,  // PRIVATE_BYTES that the work-item has written
  LOCAL_AREA = 28,    // its LOCAL_BYTES; the first word holds BASE
  INNER = 29,         // counts rounds of a loop
  BASE = 30,          // its ITEM_BYTES
  SHARED_AREA = 31,
};
enum { PRIVATE_BYTES = 64, LOCAL_BYTES = 32, DATA_BYTES = 384, FUNCTIONS = 3 };

struct maker {
  struct program *p;
  uint64_t random;
  uint32_t functions[FUNCTIONS];
  bool fault_is_out;  // the instruction that may fault has been placed
};

static uint32_t next(struct maker *m) {
  uint64_t z = m->random += 0x9E3779B97F4A7C15u;  // splitmix64
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (uint32_t)(z >> 32 ^ z);
}

static uint32_t below(struct maker *m, uint32_t limit) {
  return next(m) % limit;
}

static void put(struct maker *m, uint32_t word) {
  if (m->p->words == CODE_WORDS) {
    fprintf(stderr, "lockstep: a program is too long\n");
    abort();
  }
  m->p->code[m->p->words++] = word;
}

static void put_constant(struct maker *m, uint32_t rd, uint32_t value) {
  put(m, lui(rd, value + 0x800));
  put(m, addi(rd, rd, (int32_t)(value << 20) >> 20));
}

static uint32_t any_register(struct maker *m) {
  return below(m, GENERAL + 1);
}

static uint32_t interesting(struct maker *m) {
  static const uint32_t corners[] = {0, 1, 2, 31, 32, UINT32_MAX, UINT32_MAX - 1, 0x80000000u, INT32_MAX, 0x80000001u};
  uint32_t r = next(m);
  switch (r % 4) {
    case 0:
      return corners[(r >> 8) % 10];
    case 1:
      return (uint32_t)((int32_t)next(m) >> (r >> 8) % 32);
    default:
      return next(m);
  }
}

static void put_arithmetic(struct maker *m) {
  static const uint32_t csrs[] = {0xCC0, 0xCC1, 0xCC2, 0xCC3, 0xCC4, 0xCC5, 0xCC6, 0xCC7, 0xCC8,
                                  0xCC9, 0xCCA, 0xCCB, 0xCCC, 0xCCD, 0xCCE, 0xCD0, 0xCD1, 0xCD2};
  uint32_t rd = any_register(m), rs1 = any_register(m), rs2 = any_register(m), r = next(m), funct3 = r & 7;
  switch (r >> 8 & 7) {
    case 0:  // multiply or divide; sometimes operands that are special to these
      if (r >> 16 & 1) {
        put(m, r >> 17 & 1 ? lui(rs1, 0x80000000u) : addi(rs1, 0, (int32_t)(r >> 18 & 3) - 1));
        if (rs1 != rs2) {
          put(m, r >> 20 & 1 ? lui(rs2, 0x80000000u) : addi(rs2, 0, (int32_t)(r >> 21 & 3) - 1));
        }
      }
      put(m, encode_r(0x33, funct3, 1, rd, rs1, rs2));
      break;
    case 1:
      put(m, encode_r(0x33, r >> 7 & 3, 1, rd, rs1, rs2));  // multiply
      break;
    case 2:
    case 3:
      put(m, encode_r(0x33, funct3, (funct3 == 0 || funct3 == 5) && (r & 0x80) ? 0x20 : 0, rd, rs1, rs2));
      break;
    case 4:
      put(m, r & 0x80 ? lui(rd, next(m)) : auipc(rd, next(m)));
      break;
    case 5:
      put(m, r & 0x80 ? 0x0FF0000F : csrr(rd, csrs[(r >> 16) % (sizeof csrs / sizeof csrs[0])]));
      break;
    default:
      if (funct3 == 1 || funct3 == 5) {
        put(m, encode_i(0x13, funct3, rd, rs1, (int32_t)((r >> 16 & 31) | (funct3 == 5 && (r & 0x80) ? 0x400 : 0))));
      } else {
        put(m, encode_i(0x13, funct3, rd, rs1, (int32_t)(r >> 20)));
      }
      break;
  }
}

// A load or store of any size in one of the work-item's own areas, or a load of what all share; at a fixed offset, or
// at one that differs from lane to lane.
static void put_memory(struct maker *m) {
  static const uint32_t load_widths[] = {LB, LH, LW, LBU, LHU}, store_widths[] = {SB, SH, SW};
  uint32_t r = next(m), area = BASE, first = 0, bytes = 256;
  bool is_load = r & 1;
  uint32_t width = is_load ? load_widths[(r >> 1) % 5] : store_widths[(r >> 1) % 3];
  switch (r >> 8 & 3) {
    case 0:
      area = LOCAL_AREA;
      first = 4;
      bytes = 16;
      break;
    case 1:
      area = PRIVATE_AREA;
      bytes = PRIVATE_BYTES;
      break;
    case 2:
      if (is_load) {
        area = SHARED_AREA;
        bytes = 2048;
      }
      break;
    default:
      break;
  }
  int32_t mask = (int32_t)((bytes - 1) & ~((1u << (width & 3)) - 1));
  int32_t offset = (int32_t)first;
  if (r >> 31) {
    put(m, andi(TEMPORARY, any_register(m), mask));
    put(m, add(TEMPORARY, TEMPORARY, area));
    area = TEMPORARY;
  } else {
    offset += (int32_t)(r >> 12) & mask;
  }
  put(m, is_load ? load(width, any_register(m), area, offset) : store(width, any_register(m), area, offset));
}

static void put_block(struct maker *m, uint32_t count, uint32_t depth, bool in_function);

static void patch_branch(struct maker *m, uint32_t at, uint32_t funct3, uint32_t rs1, uint32_t rs2) {
  m->p->code[at] = encode_b(funct3, rs1, rs2, (int32_t)(m->p->words - at) * 4);
}

// A jump or branch over a few instructions, either side of a condition, a loop, or a call.
static void put_control(struct maker *m, uint32_t count, uint32_t depth, bool in_function) {
  static const uint32_t conditions[] = {BEQ, BNE, BLT, BGE, BLTU, BGEU};
  uint32_t r = next(m), rs1 = any_register(m), rs2 = any_register(m), condition = conditions[(r >> 8) % 6];
  uint32_t at = m->p->words;
  switch (r % 8) {
    case 0:
      put(m, nop());
      put_block(m, count, depth, in_function);
      m->p->code[at] = encode_jal(any_register(m), (int32_t)(m->p->words - at) * 4);
      break;
    case 1:
      if (!in_function) {  // to one of two functions, each lane to its own
        uint32_t first = below(m, FUNCTIONS), second = below(m, FUNCTIONS);
        if (r >> 16 & 1) {
          put(m, encode_jal(LINK, (int32_t)(m->functions[first] - m->p->words) * 4));
          break;
        }
        put_constant(m, FUNCTION, CODE + 4 * m->functions[first]);
        at = m->p->words;
        put(m, nop());
        put_constant(m, FUNCTION, CODE + 4 * m->functions[second] + (r >> 17 & 1));  // jalr clears bit 0
        patch_branch(m, at, condition, rs1, rs2);
        put(m, jalr(LINK, FUNCTION, 0));
      }
      break;
    case 2:
    case 3:
      if (depth < 2) {  // a loop of 1 to 4 rounds, as many as the lane likes
        uint32_t counter = depth == 0 ? INNER : DEEPER;
        put(m, andi(counter, rs1, 3));
        uint32_t top = m->p->words;
        put_block(m, count, depth + 1, in_function);
        put(m, addi(counter, counter, -1));
        put(m, encode_b(BGE, counter, 0, (int32_t)(top - m->p->words) * 4));
      }
      break;
    case 4: {
      put(m, nop());
      put_block(m, count, depth, in_function);
      uint32_t skip = m->p->words;
      put(m, nop());
      patch_branch(m, at, condition, rs1, rs2);
      put_block(m, count, depth, in_function);
      m->p->code[skip] = encode_jal(0, (int32_t)(m->p->words - skip) * 4);
      break;
    }
    default:
      put(m, nop());
      put_block(m, count, depth, in_function);
      patch_branch(m, at, condition, rs1, rs2);
      break;
  }
}

static void put_block(struct maker *m, uint32_t count, uint32_t depth, bool in_function) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t r = below(m, 10);
    if (r < 5) {
      put_arithmetic(m);
    } else if (r < 7 || count < 3) {
      put_memory(m);
    } else {
      put_control(m, 1 + below(m, count / 3), depth, in_function);
    }
  }
}

static uint32_t any_collective(struct maker *m, uint32_t scope) {
  uint32_t r = next(m), mode = (r >> 4) % 7, rd = any_register(m), rs1 = any_register(m), source = 0;
  if (mode == MODE_BARRIER) {
    return barrier(scope);
  }
  if (mode == MODE_BROADCAST) {
    source = TEMPORARY;
  }
  bool has_op = mode <= MODE_EXCLUSIVE;
  return collective(scope, has_op ? r >> 8 & 1 : 0, mode, has_op ? (r >> 12) % 3 : 0, rd, rs1, source);
}

static void put_collective(struct maker *m) {
  uint32_t scope = below(m, 3) == 0 ? WORK_GROUP_SCOPE : SUB_GROUP_SCOPE;
  uint32_t r = next(m), items = m->p->local[0] * m->p->local[1] * m->p->local[2];
  // The source of a broadcast: mostly one that there is.
  put_constant(m, TEMPORARY,
               r % 8 == 0 ? interesting(m) : (r >> 8) % ((scope ? items : 1u << m->p->sub_group_log2) + 1));
  if (r >> 4 & 1) {  // arrive one after the other
    uint32_t at = m->p->words;
    put(m, nop());
    put_arithmetic(m);
    patch_branch(m, at, BLT, any_register(m), any_register(m));
  }
  put(m, any_collective(m, scope));
}

// Between two barriers of the work-group: a neighbour's local memory, and its global memory.
static void put_exchange(struct maker *m) {
  put(m, barrier(WORK_GROUP_SCOPE));
  put(m, lui(TEMPORARY, 0x80000000u));
  put(m, sub(TEMPORARY, LOCAL_AREA, TEMPORARY));
  put(m, addi(TEMPORARY, TEMPORARY, (int32_t)(LOCAL_BYTES * (1 + below(m, 40)))));
  put(m, csrr(FUNCTION, 0xCC6));
  for (uint32_t i = 1; i < 3; i++) {
    put(m, csrr(OUTER, 0xCC6 + i));
    put(m, mul(FUNCTION, FUNCTION, OUTER));
  }
  put(m, slli(FUNCTION, FUNCTION, 5));
  put(m, encode_r(0x33, 7, 1, TEMPORARY, TEMPORARY, FUNCTION));  // remu
  put(m, lui(FUNCTION, 0x80000000u));
  put(m, add(TEMPORARY, TEMPORARY, FUNCTION));
  put(m, lw(any_register(m), TEMPORARY, 4 + (int32_t)(4 * below(m, 6))));
  put(m, lw(FUNCTION, TEMPORARY, 0));
  put(m, lw(any_register(m), FUNCTION, (int32_t)(4 * below(m, DATA_BYTES / 4))));
  put(m, barrier(WORK_GROUP_SCOPE));
}

static void put_exit(struct maker *m) {
  uint32_t at = m->p->words;
  put(m, nop());
  put(m, exit_item());
  switch (below(m, 3)) {
    case 0:
      patch_branch(m, at, BGE, any_register(m), any_register(m));
      break;
    case 1:
      patch_branch(m, at, BNE, any_register(m), any_register(m));
      break;
    default:
      patch_branch(m, at, BEQ, any_register(m), any_register(m));
      break;
  }
}

static void put_illegal(struct maker *m) {
  const uint32_t rd = any_register(m), rs1 = any_register(m), rs2 = any_register(m);
  const uint32_t words[] = {
      0,
      UINT32_MAX,
      0x00000073,                       // ecall
      0x00100073,                       // ebreak
      0x0000100F,                       // fence.i
      encode_i(0x73, 1, rd, 0, 0xCC0),  // csrrw
      encode_i(0x73, 2, rd, 5, 0xCC0),  // csrrs that would write
      csrr(rd, 0xCCF),
      csrr(rd, 0x300),
      encode_r(0x33, 0, 2, rd, rs1, rs2),
      encode_r(0x33, 7, 0x20, rd, rs1, rs2),
      encode_i(0x13, 1, rd, rs1, 0x401),
      encode_i(0x13, 5, rd, rs1, 0x201),
      encode_i(0x03, 3, rd, BASE, 0),
      encode_i(0x03, 6, rd, BASE, 0),
      encode_s(3, rs2, BASE, 0),
      encode_b(2, rs1, rs2, 8),
      encode_i(0x67, 1, rd, rs1, 0),
      encode_r(0x0B, 2, 0, rd, rs1, 0),
      encode_r(0x0B, 4 + below(m, 4), 0, rd, rs1, 0),
      encode_r(0x0B, 3, 1, 0, 0, 0),
      encode_r(0x0B, 0, 3, rd, rs1, 0),       // op
      encode_r(0x0B, 1, 7 << 2, rd, rs1, 0),  // mode
      encode_r(0x0B, 0, 2 << 5, rd, rs1, 0),  // type
      encode_r(0x0B, 1, 3 << 5, rd, rs1, 0),
      encode_r(0x0B, 0, 1 << 5 | 4 << 2, rd, rs1, 0),  // all of a type
      encode_r(0x0B, 1, 3 << 2 | 1, rd, rs1, rs2),     // broadcast with an operation
      0x0000400B | 0x57,
      0x0000202F,  // amo
      0x00000001,  // a compressed instruction
  };
  put(m, words[below(m, sizeof words / sizeof words[0])]);
}

static void put_access(struct maker *m, uint32_t address, bool aligned) {
  uint32_t width = aligned ? below(m, 3) : 1 + below(m, 2);
  put_constant(m, TEMPORARY, address);
  put(m, next(m) & 1 ? load(width == 2 || (next(m) & 1) ? width : width + 4, any_register(m), TEMPORARY, 0)
                     : store(width, any_register(m), TEMPORARY, 0));
}

static void put_faulting(struct maker *m) {
  static const uint32_t unmapped[] = {0,           0xFFC,       0x10000000u, 0x20000000u, 0x7FFFFFFCu,
                                      0x90000000u, 0xBFFFFFFCu, 0xD0000000u, 0xF0000000u, 0xFFFFFFFCu};
  static const uint32_t unfetchable[] = {0, 0xFFC, 0x10000000u, 0x80000000u, 0xC0000000u, 0xF0000000u, 0xFFFFFFFCu};
  static const uint32_t anywhere[] = {ITEMS, SHARED, 0x80000000u, 0xC0000000u, 0xD0000000u, 0, CODE};
  const struct program *p = m->p;
  switch (p->fault) {
    case FAULT_ILLEGAL:
      put_illegal(m);
      break;
    case FAULT_MISALIGNED:
      put_access(m, anywhere[below(m, 7)] + 1 + 2 * below(m, 2), false);
      break;
    case FAULT_UNMAPPED:
      put_access(m, unmapped[below(m, 10)], true);
      break;
    case FAULT_LOCAL:
      put_access(m, below(m, 3) ? 0x80000000u + p->local_bytes + 4 * below(m, 3) : 0x8FFFFFFCu, true);
      break;
    case FAULT_PRIVATE:
      put_access(m, below(m, 3) ? 0xC0000000u + (1u << p->private_log2) + 4 * below(m, 3) : 0xCFFFFFFCu, true);
      break;
    case FAULT_JUMP:
      put_constant(m, TEMPORARY, unfetchable[below(m, 7)]);
      put(m, jalr(any_register(m), TEMPORARY, 0));
      break;
    case FAULT_BAD_JUMP:
      switch (below(m, 3)) {
        case 0:
          put(m, encode_jal(any_register(m), 10));
          break;
        case 1:
          put(m, encode_b(BEQ, 0, 0, 10));
          break;
        default:
          put_constant(m, TEMPORARY, CODE + 4 * p->words + 2 + below(m, 2));
          put(m, jalr(any_register(m), TEMPORARY, 0));
          break;
      }
      break;
    case FAULT_DIVERGENT:
      put(m, any_collective(m, below(m, 2)));
      break;
    default:
      put(m, any_collective(m, WORK_GROUP_SCOPE));
      break;
  }
}

// The instruction that may fault, behind a condition.
static void put_fault(struct maker *m) {
  const struct program *p = m->p;
  uint32_t at, other = 0, condition = BNE;
  if (p->fault == FAULT_DIVERGENT_GROUP) {
    put(m, csrr(TEMPORARY, 0xCC9));
    put(m, andi(TEMPORARY, TEMPORARY, 1));
  } else if (p->fault_of_one) {
    put_constant(m, TEMPORARY, below(m, p->items));
    other = ITEM;
  } else if (p->fault == FAULT_DIVERGENT) {
    put(m, csrr(TEMPORARY, 0xCCA));
    put(m, andi(TEMPORARY, TEMPORARY, (int32_t)(1u << below(m, 5))));
  } else {
    put(m, add(TEMPORARY, any_register(m), 0));
    other = any_register(m);
    condition = next(m) & 1 ? BNE : BLT;
  }
  at = p->words;
  put(m, nop());
  put_faulting(m);
  patch_branch(m, at, condition, TEMPORARY, other);
  m->fault_is_out = true;
}

static void put_top_level(struct maker *m, uint32_t pieces, bool in_loop) {
  for (uint32_t i = 0; i < pieces; i++) {
    uint32_t r = below(m, 16);
    put_block(m, 1 + below(m, 10), 0, false);
    if (r < 7) {
      put_collective(m);
    } else if (r < 8 && !in_loop) {
      put_exchange(m);
    } else if (r < 10) {
      put_exit(m);
    } else if (r < 11 && !in_loop) {
      put(m, addi(OUTER, 0, (int32_t)(1 + below(m, 3))));
      uint32_t top = m->p->words;
      put_top_level(m, 2, true);
      put(m, addi(OUTER, OUTER, -1));
      uint32_t at = m->p->words;
      put(m, nop());
      put(m, encode_jal(0, (int32_t)(top - m->p->words) * 4));
      patch_branch(m, at, BEQ, OUTER, 0);
    }
    if (m->p->fault != FAULT_NONE && !m->fault_is_out && below(m, 4) == 0) {
      put_fault(m);
    }
  }
}

// Every register and every byte that the program may read gets a value.
static void put_prologue(struct maker *m) {
  const struct program *p = m->p;
  for (uint32_t i = 3; i-- > 0;) {  // number of the work-item: (z * size y + y) * size x + x
    put(m, csrr(TEMPORARY, 0xCD0 + i));
    put_constant(m, FUNCTION, p->offset[i]);
    put(m, sub(TEMPORARY, TEMPORARY, FUNCTION));
    put_constant(m, FUNCTION, i == 2 ? 0 : p->global[i]);
    if (i == 2) {
      put(m, addi(ITEM, 0, 0));
    }
    put(m, mul(ITEM, ITEM, FUNCTION));
    put(m, add(ITEM, ITEM, TEMPORARY));
  }
  put(m, slli(TEMPORARY, ITEM, 9));
  put(m, lui(BASE, ITEMS));
  put(m, add(BASE, BASE, TEMPORARY));
  put(m, csrr(LOCAL_AREA, 0xCC2));
  for (uint32_t i = 2; i-- > 0;) {
    put(m, csrr(TEMPORARY, 0xCC6 + i));
    put(m, mul(LOCAL_AREA, LOCAL_AREA, TEMPORARY));
    put(m, csrr(TEMPORARY, 0xCC0 + i));
    put(m, add(LOCAL_AREA, LOCAL_AREA, TEMPORARY));
  }
  put(m, slli(LOCAL_AREA, LOCAL_AREA, 5));
  put(m, lui(TEMPORARY, 0x80000000u));
  put(m, add(LOCAL_AREA, LOCAL_AREA, TEMPORARY));
  put(m, csrr(PRIVATE_AREA, 0xCCE));
  put(m, addi(PRIVATE_AREA, PRIVATE_AREA, -PRIVATE_BYTES));
  put(m, lui(SHARED_AREA, SHARED));
  for (uint32_t r = 1; r <= GENERAL; r++) {
    put(m, lw(r, BASE, 4 * (int32_t)r));
  }
  put(m, sw(BASE, LOCAL_AREA, 0));
  for (int32_t i = 1; i < LOCAL_BYTES / 4; i++) {
    put(m, sw(1 + below(m, GENERAL), LOCAL_AREA, 4 * i));
  }
  for (int32_t i = 0; i < PRIVATE_BYTES / 4; i++) {
    put(m, sw(1 + below(m, GENERAL), PRIVATE_AREA, 4 * i));
  }
}

static void choose_range(struct maker *m, uint32_t lanes, uint32_t slots) {
  struct program *p = m->p;
  p->sub_group_log2 = (uint32_t)__builtin_ctz(lanes);
  if (below(m, 3) == 0) {
    p->sub_group_log2 = below(m, p->sub_group_log2 + 1);
  }
  uint32_t most = 1u << p->sub_group_log2;
  most <<= below(m, 5);
  if (most > slots << p->sub_group_log2) {
    most = slots << p->sub_group_log2;
  }
  uint32_t dimensions = 1 + below(m, 3);
  do {
    p->items = 1;
    uint32_t group = 1, place = 0;
    for (uint32_t i = 0; i < 3; i++) {
      uint32_t left = most / group;
      p->local[i] = i >= dimensions ? 1 : i + 1 == dimensions && next(m) & 1 ? left : 1 + below(m, left);
      group *= p->local[i];
      p->groups[i] = i >= dimensions ? 1 : 1 + below(m, 3);
      p->global[i] = p->local[i] * p->groups[i] - (next(m) & 1 ? below(m, p->local[i]) : 0);
      p->items *= p->global[i];
      place = group;
    }
    p->local_bytes = place * LOCAL_BYTES;
    p->sub_groups = (place + (1u << p->sub_group_log2) - 1) >> p->sub_group_log2;
  } while (p->items > MAX_ITEMS || (p->items >> p->sub_group_log2) > 64);
  for (uint32_t i = 0; i < 3; i++) {
    p->offset[i] = next(m) & 1 ? 0 : interesting(m);
  }
  p->private_log2 = 8 + below(m, 3);
}

void make_program(struct program *p, uint64_t seed, uint32_t lanes, uint32_t slots) {
  memset(p, 0, sizeof *p);
  struct maker m = {.p = p, .random = seed * 0x2545F4914F6CDD1Du};
  p->seed = seed;
  if (below(&m, 4) == 0) {
    p->fault = (enum fault_kind)(1 + below(&m, FAULT_KINDS - 1));
    p->fault_of_one = next(&m) & 1;
  }
  choose_range(&m, lanes, slots);
  for (uint32_t i = 0; i < SHARED_BYTES; i += 4) {
    uint32_t word = interesting(&m);
    memcpy(p->shared + i, &word, sizeof word);
  }
  bool alike = next(&m) & 1;  // neighbours begin alike in most registers
  for (uint32_t at = 0; at < p->items * ITEM_BYTES; at += 4) {
    uint32_t word = interesting(&m);
    if (alike && at >= ITEM_BYTES && at / 4 % 4 != 0) {
      memcpy(&word, p->data + at - ITEM_BYTES, sizeof word);
    }
    memcpy(p->data + at, &word, sizeof word);
  }
  put_prologue(&m);
  uint32_t over = p->words;
  put(&m, nop());
  for (uint32_t f = 0; f < FUNCTIONS; f++) {
    m.functions[f] = p->words;
    put_block(&m, 1 + below(&m, 4), 2, true);
    put(&m, jalr(0, LINK, 0));
  }
  p->code[over] = encode_jal(0, (int32_t)(p->words - over) * 4);
  put_top_level(&m, 3 + below(&m, 6), false);
  if (p->fault != FAULT_NONE && !m.fault_is_out) {
    put_fault(&m);
  }
  for (uint32_t r = 1; r <= GENERAL; r++) {
    put(&m, sw(r, BASE, DATA_BYTES + 4 * (int32_t)r));
  }
  put(&m, exit_item());
}
