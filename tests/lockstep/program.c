// SPDX-License-Identifier: Apache-2.0
// Makes the programs of program.h. At the top level all live work-items run through the same code, so collectives stand
// there; between them are blocks of arithmetic, memory accesses, branches, loops and calls in which lanes part and
// meet.
#include "tests/lockstep/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lockstep/maker.h"

uint32_t next(struct maker *m) {
  uint64_t z = m->random += 0x9E3779B97F4A7C15u;  // splitmix64
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (uint32_t)(z >> 32 ^ z);
}

uint32_t below(struct maker *m, uint32_t limit) {
  return next(m) % limit;
}

void put(struct maker *m, uint32_t word) {
  if (m->p->words == CODE_WORDS) {
    fprintf(stderr, "lockstep: a program is too long\n");
    abort();
  }
  m->p->code[m->p->words++] = word;
}

void put_constant(struct maker *m, uint32_t rd, uint32_t value) {
  put(m, lui(rd, value + 0x800));
  put(m, addi(rd, rd, (int32_t)(value << 20) >> 20));
}

uint32_t any_register(struct maker *m) {
  return below(m, GENERAL + 1);
}

// Floats that sit where rounding, range and special values change what comes out.
static uint32_t interesting_float(struct maker *m) {
  static const uint32_t corners[] = {
      0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFABCDEF,  // zeros, infinities, NaNs
      0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF, 0x00800000, 0x80800000, 0x00800001,  // about the smallest normal
      0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000, 0xBF800000, 0x3F7FFFFF, 0x3F800001, 0x40000000,
      0x3F000000, 0xBF000000, 0x3FC00000, 0x40200000, 0xC0600000, 0x3EFFFFFF, 0x3F000001,  // about half an integer
      0x4EFFFFFF, 0x4F000000, 0xCF000000, 0xCF000001, 0x4F7FFFFF, 0x4F800000, 0xBF7FFFFF,  // about the ints' ends
      0x4B000000, 0x4B000001, 0x4B800000, 0x33800000, 0x34000000, 0x33FFFFFF,              // about an ulp of 1
      0x1F800000, 0x20000000, 0x5F800000, 0x60000000, 0x0C800000,  // products about the ends of the range
  };
  uint32_t r = next(m), sign = r & 0x80000000u, few = UINT32_MAX << (r >> 8) % 24 & 0x007FFFFFu;
  switch (r % 5) {
    case 0:
      return corners[(r >> 8) % (sizeof corners / sizeof corners[0])];
    case 1:  // near 1, few bits set: ties and cancellation
      return sign | (123 + (r >> 16) % 9) << 23 | (next(m) & few);
    case 2:
      return sign | (100 + (r >> 16) % 54) << 23 | (next(m) & 0x007FFFFFu);
    case 3:  // subnormal, or near either end
      return sign | ((r >> 16 & 1) ? 251 + (r >> 17) % 4 : (r >> 17) % 4) << 23 |
             (next(m) & (r >> 20 & 1 ? few : 0x7FFFFF));
    default:
      return next(m);
  }
}

uint32_t interesting(struct maker *m) {
  static const uint32_t corners[] = {0, 1, 2, 31, 32, UINT32_MAX, UINT32_MAX - 1, 0x80000000u, INT32_MAX, 0x80000001u};
  uint32_t r = next(m);
  if (has(m, ISA_ZFINX) && r >> 31)
    return interesting_float(m);
  switch (r % 4) {
    case 0:
      return corners[(r >> 8) % 10];
    case 1:
      return (uint32_t)((int32_t)next(m) >> (r >> 8) % 32);
    default:
      return next(m);
  }
}

static void put_block(struct maker *m, uint32_t count, uint32_t depth, bool in_function);

void patch_branch(struct maker *m, uint32_t at, uint32_t funct3, uint32_t rs1, uint32_t rs2) {
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

// The operation and type of a reduction or scan.
static uint32_t any_operation(struct maker *m, uint32_t *type) {
  uint32_t operation = operators[below(m, OPERATORS)];
  *type = below(m, operation != OP_ADD && has(m, ISA_ZFINX) ? 3 : 2);  // what is bitwise does not heed it
  return operation;
}

// Both instructions of a 64-bit collective: without the other each gives anything.
static void put_wide_collective(struct maker *m, uint32_t scope) {
  uint32_t mode = below(m, MODE_EXCLUSIVE + 1), operation;
  do {
    operation = operators[below(m, OPERATORS)];
  } while (HEDDLE_OP_IS_BITWISE(operation));
  bool is_unsigned = below(m, 2);
  put(m, wide_collective(scope, is_unsigned, false, mode, operation, any_register(m), any_register(m)));
  put(m, wide_collective(scope, is_unsigned, true, mode, operation, any_register(m), any_register(m)));
}

// A collective of whoever comes here together.
static void put_active_collective(struct maker *m) {
  if (below(m, 4) == 0) {
    put_wide_collective(m, ACTIVE_SET);
    return;
  }
  uint32_t r = next(m), mode = (r >> 4) % 8, rs2 = any_register(m);
  if (mode == MODE_BROADCAST)
    mode = MODE_SHUFFLE;
  if (mode == MODE_SHUFFLE && r >> 8 & 1) {  // mostly from a lane that there is
    put(m, andi(TEMPORARY, rs2, (1 << m->p->sub_group_log2) - 1));
    rs2 = TEMPORARY;
  }
  uint32_t type = 0, operation = mode <= MODE_EXCLUSIVE ? any_operation(m, &type) : 0;
  put(m, collective(ACTIVE_SET, type, mode, operation, any_register(m), any_register(m), rs2));
}

static void put_block(struct maker *m, uint32_t count, uint32_t depth, bool in_function) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t r = below(m, 11);
    if (r == 10)
      put_active_collective(m);
    else if (r < 5)
      put_arithmetic(m);
    else if (r < 7 || count < 3)
      put_memory(m);
    else
      put_control(m, 1 + below(m, count / 3), depth, in_function);
  }
}

uint32_t any_collective(struct maker *m, uint32_t scope) {
  uint32_t r = next(m), mode = (r >> 4) % 7, rd = any_register(m), rs1 = any_register(m), source = 0;
  if (mode == MODE_BARRIER)
    return barrier(scope);
  if (mode == MODE_BROADCAST)
    source = TEMPORARY;
  uint32_t type = 0, operation = mode <= MODE_EXCLUSIVE ? any_operation(m, &type) : 0;
  if (mode <= MODE_EXCLUSIVE && has(m, ISA_ZFINX) && below(m, 6) == 0) {
    type = TYPE_FLOAT;
    operation = OP_ADD;
  }
  return collective(scope, type, mode, operation, rd, rs1, source);
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
  if (scope == SUB_GROUP_SCOPE && below(m, 4) == 0)
    put_wide_collective(m, scope);
  else
    put(m, any_collective(m, scope));
}

// Whole sub-groups return, perhaps when the others have come to a collective of the work-group.
static void put_sub_group_exit(struct maker *m) {
  put(m, csrr(TEMPORARY, 0xCC9));
  put(m, andi(TEMPORARY, TEMPORARY, 1 + (int32_t)below(m, 3)));
  uint32_t at = m->p->words;
  put(m, nop());
  for (uint32_t i = below(m, 8); i > 0; i--)
    put(m, encode_r(0x33, 4, 1, any_register(m), any_register(m), any_register(m)));  // div: nothing takes longer
  put(m, exit_item());
  patch_branch(m, at, BNE, TEMPORARY, 0);
  if (next(m) & 1) {
    put(m, addi(TEMPORARY, 0, (int32_t)below(m, 16)));
    put(m, any_collective(m, WORK_GROUP_SCOPE));
  }
}

static void put_exit(struct maker *m) {
  if (below(m, 4) == 0) {
    put_sub_group_exit(m);
    return;
  }
  uint32_t at = m->p->words;
  put(m, nop());
  if (next(m) & 1)
    put_load_burst(m);
  put(m, exit_item());
  patch_branch(m, at, (uint32_t[]){BGE, BNE, BEQ}[below(m, 3)], any_register(m), any_register(m));
}

static void put_top_level(struct maker *m, uint32_t pieces, bool in_loop) {
  for (uint32_t i = 0; i < pieces; i++) {
    uint32_t r = below(m, 16);
    put_block(m, 1 + below(m, 10), 0, false);
    if (next(m) & 1)
      put_load_burst(m);
    if (r < 7) {
      put_collective(m);
    } else if (r < 8 && !in_loop) {
      if (next(m) & 1)
        put_exchange(m);
      else
        put_work_group_words(m);
    } else if (r < 9 && below(m, 4) == 0) {
      put_turns(m);
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
    if (m->p->fault != FAULT_NONE && !m->fault_is_out && below(m, 4) == 0)
      put_fault(m);
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
    if (i == 2)
      put(m, addi(ITEM, 0, 0));
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
  for (uint32_t r = 1; r <= GENERAL; r++)
    put(m, lw(r, BASE, 4 * (int32_t)r));
  put(m, sw(BASE, LOCAL_AREA, 0));
  put(m, collective(SUB_GROUP_SCOPE, 0, MODE_BROADCAST, 0, TEMPORARY, BASE, 0));
  put(m, sw(TEMPORARY, BASE, SUB_GROUP_GLOBAL));
  put(m, addi(TEMPORARY, LOCAL_AREA, 4));
  put(m, collective(SUB_GROUP_SCOPE, 0, MODE_BROADCAST, 0, TEMPORARY, TEMPORARY, 0));
  put(m, sw(TEMPORARY, BASE, SUB_GROUP_LOCAL));
  for (int32_t i = 1; i < LOCAL_BYTES / 4; i++)
    put(m, sw(1 + below(m, GENERAL), LOCAL_AREA, 4 * i));
  for (int32_t i = 0; i < PRIVATE_BYTES / 4; i++)
    put(m, sw(1 + below(m, GENERAL), PRIVATE_AREA, 4 * i));
}

static void choose_range(struct maker *m, uint32_t lanes, uint32_t slots) {
  struct program *p = m->p;
  p->sub_group_log2 = (uint32_t)__builtin_ctz(lanes);
  if (below(m, 3) == 0)
    p->sub_group_log2 = below(m, p->sub_group_log2 + 1);
  // Of a sub-group alone everything is certain after a fault: who faulted, in which lane, and what memory holds.
  bool alone = p->fault != FAULT_NONE && p->fault != FAULT_DIVERGENT_GROUP && next(m) & 1;
  uint32_t most = 1u << p->sub_group_log2;
  most <<= alone ? 0 : below(m, 5);
  if (most > slots << p->sub_group_log2)
    most = slots << p->sub_group_log2;
  uint32_t dimensions = 1 + below(m, 3);
  do {
    p->items = 1;
    uint32_t group = 1, place = 0;
    for (uint32_t i = 0; i < 3; i++) {
      uint32_t left = most / group;
      p->local[i] = i >= dimensions ? 1 : i + 1 == dimensions && next(m) & 1 ? left : 1 + below(m, left);
      group *= p->local[i];
      p->groups[i] = alone || i >= dimensions ? 1 : 1 + below(m, 3);
      p->global[i] = p->local[i] * p->groups[i] - (next(m) & 1 ? below(m, p->local[i]) : 0);
      p->items *= p->global[i];
      place = group;
    }
    p->local_bytes = place * LOCAL_BYTES + WORK_GROUP_BYTES;
    p->sub_groups = (place + (1u << p->sub_group_log2) - 1) >> p->sub_group_log2;
  } while (p->items > MAX_ITEMS || (p->items >> p->sub_group_log2) > 64);
  for (uint32_t i = 0; i < 3; i++)
    p->offset[i] = next(m) & 1 ? 0 : interesting(m);
  p->private_log2 = 8 + below(m, 3);
}

void make_program(struct program *p, uint64_t seed, uint32_t lanes, uint32_t slots, uint32_t isa) {
  memset(p, 0, sizeof *p);
  struct maker m = {.p = p, .random = seed * 0x2545F4914F6CDD1Du};
  p->seed = seed;
  p->isa = isa;
  if (below(&m, 4) == 0) {
    p->fault = (enum fault_kind)(1 + below(&m, FAULT_KINDS - 1));
    p->fault_of_one = next(&m) & 1;
  }
  choose_range(&m, lanes, slots);
  for (uint32_t i = 0; i < SHARED_BYTES; i += 4) {
    uint32_t word = interesting(&m);
    memcpy(p->shared + i, &word, sizeof word);
  }
  for (uint32_t i = 0; i < COUNTERS_BYTES; i += 4) {
    uint32_t word = interesting(&m);
    memcpy(p->counters + i, &word, sizeof word);
  }
  bool alike = next(&m) & 1;  // neighbours begin alike in most registers
  for (uint32_t at = 0; at < p->items * ITEM_BYTES; at += 4) {
    uint32_t word = interesting(&m);
    if (alike && at >= ITEM_BYTES && at / 4 % 4 != 0)
      memcpy(&word, p->data + at - ITEM_BYTES, sizeof word);
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
  if (below(&m, 4) == 0)  // the functions and what calls them share rows of the instruction cache
    p->words += FETCH_CACHE_BYTES / 4 - below(&m, p->words);
  p->code[over] = encode_jal(0, (int32_t)(p->words - over) * 4);
  put_top_level(&m, 3 + below(&m, 6), false);
  if (p->fault != FAULT_NONE && !m.fault_is_out)
    put_fault(&m);
  for (uint32_t r = 1; r <= GENERAL; r++)
    put(&m, sw(r, BASE, DATA_BYTES + 4 * (int32_t)r));
  if (next(&m) & 1)
    put_load_burst(&m);
  put(&m, exit_item());
}
