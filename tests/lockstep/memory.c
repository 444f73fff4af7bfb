// SPDX-License-Identifier: Apache-2.0
// Memory accesses of random programs: loads and stores, loads that are under way together, atomics, lr.w and sc.w, and
// what work-items of a work-group read of each other between barriers. What sub-groups share they only change by
// atomics whose order does not show: results are not read, and operations on one word commute.
#include "tests/lockstep/maker.h"

enum { AMO_ADD = 0, AMO_SWAP = 1, AMO_LR = 2, AMO_SC = 3, AMO_XOR = 4, AMO_OR = 8, AMO_AND = 12 };
enum { AMO_MIN = 16, AMO_MAX = 20, AMO_MINU = 24, AMO_MAXU = 28 };
enum { OPCODE_AMO = 0x2F, OPCODE_CUSTOM_1 = 0x2B };

static const uint8_t commuting[8] = {AMO_ADD, AMO_XOR, AMO_OR, AMO_AND, AMO_MIN, AMO_MAX, AMO_MINU, AMO_MAXU};

static uint32_t amo(struct maker *m, uint32_t funct5, uint32_t rd, uint32_t rs2, uint32_t address) {
  return encode_r(OPCODE_AMO, 2, funct5 << 2 | below(m, 4), rd, address, rs2);  // aq and rl change nothing
}

// One of the work-item's own areas, and the first and the number of its bytes that anything may stand in.
static uint32_t own_area(struct maker *m, int32_t *first, uint32_t *bytes) {
  *first = 0;
  switch (below(m, 3)) {
    case 0:
      *first = 4;
      *bytes = 16;
      return LOCAL_AREA;
    case 1:
      *bytes = PRIVATE_BYTES;
      return PRIVATE_AREA;
    default:
      *bytes = OWN_BYTES;
      return BASE;
  }
}

// The same at an index that differs from lane to lane, in one instruction.
static void put_access_at(struct maker *m, bool is_load, uint32_t width, uint32_t area, int32_t first, int32_t mask) {
  enum { STORES = 0x40 };
  // Without Zfinx there is no third operand.
  const uint32_t shift = below(m, 4), funct7 = shift | (is_load ? 0 : STORES);
  if (!is_load && !has(m, ISA_ZFINX))
    return;
  put(m, andi(TEMPORARY, any_register(m), mask >> shift));
  if (first != 0)
    put(m, addi(FUNCTION, area, first));
  put(m, encode_r(OPCODE_CUSTOM_1, width, funct7, any_register(m), TEMPORARY, first != 0 ? FUNCTION : area));
}

// A load or store of any size in one of the work-item's own areas, or a load of what all share; at a fixed offset, or
// at one that differs from lane to lane.
static void put_access(struct maker *m, bool is_load) {
  static const uint32_t load_widths[] = {LB, LH, LW, LBU, LHU}, store_widths[] = {SB, SH, SW};
  uint32_t bytes, width = is_load ? load_widths[below(m, 5)] : store_widths[below(m, 3)];
  int32_t offset;
  uint32_t area = own_area(m, &offset, &bytes);
  if (is_load && below(m, 4) == 0) {
    area = SHARED_AREA;
    offset = 0;
    bytes = 2048;
  }
  int32_t mask = (int32_t)((bytes - 1) & ~((1u << (width & 3)) - 1));
  if (has(m, ISA_XINDEX) && below(m, 3) == 0) {
    put_access_at(m, is_load, width, area, offset, mask);
    return;
  }
  if (next(m) & 1) {
    put(m, andi(TEMPORARY, any_register(m), mask));
    put(m, add(TEMPORARY, TEMPORARY, area));
    area = TEMPORARY;
  } else {
    offset += (int32_t)next(m) & mask;
  }
  put(m, is_load ? load(width, any_register(m), area, offset) : store(width, any_register(m), area, offset));
}

// TEMPORARY points to a word of the work-item's own.
static void put_own_word(struct maker *m) {
  uint32_t bytes;
  int32_t first;
  uint32_t area = own_area(m, &first, &bytes);
  if (next(m) & 1) {
    put(m, andi(TEMPORARY, any_register(m), (int32_t)bytes - 4));
    put(m, add(TEMPORARY, TEMPORARY, area));
    put(m, addi(TEMPORARY, TEMPORARY, first));
  } else {
    put(m, addi(TEMPORARY, area, first + (int32_t)(4 * below(m, bytes / 4))));
  }
}

// TEMPORARY points to a word of the sub-group: some of its lanes to the same one. They take turns in the order of their
// numbers, so everything that happens to the word is certain.
static void put_sub_group_word(struct maker *m) {
  bool local = next(m) & 1;
  put(m, lw(TEMPORARY, BASE, local ? SUB_GROUP_LOCAL : SUB_GROUP_GLOBAL));
  put(m, andi(FUNCTION, any_register(m), local ? 0xC : 0x3C));
  if (below(m, 4) != 0)
    put(m, add(TEMPORARY, TEMPORARY, FUNCTION));
}

static void put_own_or_sub_group_word(struct maker *m) {
  if (next(m) & 1)
    put_own_word(m);
  else
    put_sub_group_word(m);
}

// lr.w and sc.w, once or until the sc.w succeeds; sometimes with something between them that makes it fail. sc.w writes
// a register, so that the trace tells whether it succeeded.
static void put_reserved(struct maker *m) {
  uint32_t r = next(m), old = any_register(m), new = any_register(m), failed = 1 + below(m, GENERAL);
  put_own_or_sub_group_word(m);
  if ((r >> 4 & 3) == 0)  // some lanes come to the sc.w without an lr.w
    put(m, encode_b(BLT, any_register(m), ITEM, 8));
  uint32_t top = m->p->words;
  put(m, amo(m, AMO_LR, old, 0, TEMPORARY));
  put(m, add(new, old, any_register(m)));
  if (r & 1) {  // lanes come back until each has had its turn
    put(m, amo(m, AMO_SC, failed, new, TEMPORARY));
    put(m, encode_b(BNE, failed, 0, (int32_t)(top - m->p->words) * 4));
    return;
  }
  switch (r >> 1 & 7) {
    case 0:
      put(m, sw(any_register(m), TEMPORARY, 0));
      break;
    case 1:
      put(m, amo(m, AMO_ADD, any_register(m), any_register(m), TEMPORARY));
      break;
    case 2:
      put(m, store(SB, any_register(m), BASE, (int32_t)below(m, OWN_BYTES)));  // perhaps to the word
      break;
    case 3:
      put(m, amo(m, AMO_SC, 1 + below(m, GENERAL), any_register(m), TEMPORARY));
      break;
    case 4:
      put_own_or_sub_group_word(m);
      break;
    default:
      break;
  }
  put(m, amo(m, AMO_SC, failed, new, TEMPORARY));
}

static void put_atomic(struct maker *m) {
  static const uint8_t all[9] = {AMO_ADD, AMO_SWAP, AMO_XOR, AMO_OR, AMO_AND, AMO_MIN, AMO_MAX, AMO_MINU, AMO_MAXU};
  uint32_t r = below(m, 8);
  if (r < 3) {
    put_own_or_sub_group_word(m);
    put(m, amo(m, all[below(m, 9)], any_register(m), any_register(m), TEMPORARY));
  } else if (r < 6) {
    put_reserved(m);
  } else {
    uint32_t kind = below(m, 8);
    put(m, lui(TEMPORARY, COUNTERS));
    if (next(m) & 1) {
      put(m, andi(FUNCTION, any_register(m), COUNTERS_BYTES - 32));
      put(m, add(TEMPORARY, TEMPORARY, FUNCTION));
    }
    put(m, addi(TEMPORARY, TEMPORARY, 4 * (int32_t)kind));
    put(m, amo(m, commuting[kind], 0, any_register(m), TEMPORARY));
  }
}

// A store of several lanes to the same bytes: the highest lane's stays. Or a load of them.
static void put_sub_group_access(struct maker *m) {
  uint32_t r = next(m);
  put_sub_group_word(m);
  put(m, r & 1 ? store(r >> 1 & 1   ? SB
                       : r >> 2 & 1 ? SH
                                    : SW,
                       any_register(m), TEMPORARY, 0)
               : lw(any_register(m), TEMPORARY, 0));
}

void put_memory(struct maker *m) {
  uint32_t r = below(m, 12);
  if (r < 2 && has(m, ISA_A))
    put_atomic(m);
  else if (r == 2)
    put_sub_group_access(m);
  else if (r == 3)
    put_load_burst(m);
  else
    put_access(m, next(m) & 1);
}

void put_load_burst(struct maker *m) {
  uint32_t count = 2 + below(m, 5), used = any_register(m), r;
  for (uint32_t i = 0; i < count; i++) {
    int32_t first;
    uint32_t bytes, area = own_area(m, &first, &bytes), rd = below(m, 3) == 0 ? used : any_register(m);
    int32_t offset = first + (int32_t)(4 * below(m, bytes / 4));
    if (below(m, 4) == 0)
      area = SHARED_AREA;
    r = below(m, 12);
    if (r < 9) {
      put(m, lw(rd, area, offset));
    } else if (r < 10 && area != SHARED_AREA) {  // store where it loads, before or behind it
      put(m, lw(rd, area, offset));
      put(m, sw(next(m) & 1 ? rd : any_register(m), area, offset));
    } else if (r < 11 && area != SHARED_AREA) {
      put(m, sw(any_register(m), area, offset));
      put(m, lw(rd, area, offset));
    } else if (has(m, ISA_A) && area != SHARED_AREA) {
      put(m, addi(TEMPORARY, area, offset));
      put(m, amo(m, AMO_ADD, rd, any_register(m), TEMPORARY));
    } else {
      put(m, load(next(m) & 1 ? LBU : LB, rd, area, offset));
    }
  }
  r = below(m, 6);
  if (r == 0) {
    put(m, add(any_register(m), used, any_register(m)));
  } else if (r == 1) {
    put(m, addi(used, 0, (int32_t)below(m, 100)));  // written again, not read
  } else if (r == 2) {
    put(m, encode_b(BLT, used, any_register(m), 8));
    put(m, addi(used, any_register(m), 1));
  } else if (r == 3) {  // what was loaded becomes an address
    put(m, andi(TEMPORARY, used, 0xFC));
    put(m, add(TEMPORARY, TEMPORARY, BASE));
    put(m, lw(used, TEMPORARY, 0));
  }
}

void put_exchange(struct maker *m) {
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

// Every work-item writes the same words, then all change them, then all read them.
void put_work_group_words(struct maker *m) {
  uint32_t kind = below(m, 8), words = 0x80000000u + m->p->local_bytes - WORK_GROUP_BYTES + 4 * kind;
  put(m, barrier(WORK_GROUP_SCOPE));
  put_constant(m, FUNCTION, interesting(m));
  put_constant(m, OUTER, words);
  put(m, sw(FUNCTION, OUTER, 0));
  put(m, sw(FUNCTION, OUTER, WORK_GROUP_BYTES / 2));
  put(m, barrier(WORK_GROUP_SCOPE));
  for (uint32_t i = 0; has(m, ISA_A) && i < 1 + below(m, 2); i++) {
    put(m, andi(TEMPORARY, any_register(m), WORK_GROUP_BYTES / 2));
    put(m, add(TEMPORARY, TEMPORARY, OUTER));
    put(m, amo(m, commuting[kind], 0, any_register(m), TEMPORARY));
  }
  put(m, barrier(WORK_GROUP_SCOPE));
  put(m, lw(any_register(m), OUTER, 0));
  put(m, lw(any_register(m), OUTER, WORK_GROUP_BYTES / 2));
}
