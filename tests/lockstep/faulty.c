// SPDX-License-Identifier: Apache-2.0
// The one instruction of a random program that may fault, for each reason that a program can cause.
#include "tests/lockstep/maker.h"

// A word of some instruction format with fields at random. Where it is an instruction after all it does nothing but
// write a register that holds anything, or change the work-item's own data.
static uint32_t any_word(struct maker *m) {
  static const uint8_t unused[] = {0x07, 0x27, 0x1B, 0x3B, 0x5B, 0x7B, 0x57, 0x77, 0x6B, 0x3F, 0x1F, 0x5F, 0x7F};
  const uint32_t rd = any_register(m), rs1 = any_register(m), rs2 = any_register(m), r = next(m), funct3 = r & 7,
                 funct7 = r >> 8 & 0x7F;
  switch (below(m, 9)) {
    case 0:
      return has(m, ISA_ZBA_ZBB) ? encode_r(0x33, funct3, funct7, rd, rs1, rs2) : 0;
    case 1:
      return has(m, ISA_ZBA_ZBB) ? encode_r(0x13, funct3 & 4 ? 5 : 1, funct7, rd, rs1, r >> 16 & 31) : 0;
    case 2:
      return has(m, ISA_ZFINX) ? encode_r(0x53, funct3, funct7, rd, rs1, r >> 16 & 1 ? rs2 & 3 : rs2) : 0;
    case 3:
      return has(m, ISA_ZFINX)
                 ? encode_r(0x43 | (r >> 16 & 3) << 2, funct3, funct7 >> 2 << 2 | (r >> 20 & r >> 21 & 1), rd, rs1, rs2)
                 : 0;
    case 4:
      return has(m, ISA_A) ? encode_r(0x2F, r >> 16 & 1 ? funct3 : 2, funct7, rd | 1, BASE, r >> 17 & 1 ? 0 : rs2) : 0;
    case 5: {
      uint32_t csr = r >> 16 & 1 ? 0xCC0 + (r >> 17 & 31) : r >> 17 & 1 ? r >> 18 & 7 : r >> 20;
      bool clock = csr == 0xC00 || csr == 0xC80;  // differs from device to device
      return clock ? 0 : encode_i(0x73, funct3, rd, r & 0x80 ? 0 : rs1, (int32_t)csr);
    }
    case 6:
      return encode_i(0x0F, funct3, rd, rs1, (int32_t)(r >> 16));
    case 7:
      if (funct7 >> 5 == TYPE_FLOAT && !has(m, ISA_ZFINX))
        return 0;
      if ((funct3 & 4) && funct7 >> 6)  // the second half of nothing
        return 0;
      return encode_r(0x0B, funct3 == 3 && funct7 == 0 ? 2 : funct3, funct7, rd, rs1, rs2 == TEMPORARY ? 0 : rs2);
    default:
      return next(m) << 7 | unused[below(m, sizeof unused)];
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
      encode_r(0x2B, 2, 1u << (2 + below(m, 4)), rd, rs1, rs2),  // at an index, with a bit too many
      encode_r(0x2B, 3, below(m, 4), rd, rs1, rs2),              // of no width
      encode_r(0x2B, 4, 0x40 | below(m, 4), rd, rs1, rs2),       // a store without sign
      encode_r(0x33, 0, 2, rd, rs1, rs2),
      encode_r(0x33, 3, 0x20, rd, rs1, rs2),
      encode_i(0x13, 1, rd, rs1, 0x401),
      encode_i(0x13, 5, rd, rs1, 0x201),
      encode_i(0x13, 1, rd, rs1, 0x603),
      encode_r(0x53, 5, 0x00, rd, rs1, rs2),  // fadd.s with a reserved rounding mode
      encode_r(0x53, 0, 0x70, rd, rs1, 0),    // fmv.x.w, which Zfinx has not
      encode_r(0x53, 0, 0x01, rd, rs1, rs2),  // fadd.d
      encode_r(0x43, 6, 0, rd, rs1, rs2),
      csrr(rd, 1 + below(m, 3)),  // fflags, frm, fcsr
      encode_i(0x03, 3, rd, BASE, 0),
      encode_i(0x03, 6, rd, BASE, 0),
      encode_s(3, rs2, BASE, 0),
      encode_b(2, rs1, rs2, 8),
      encode_i(0x67, 1, rd, rs1, 0),
      collective(ACTIVE_SET, 0, MODE_BROADCAST, 0, rd, rs1, 0),
      encode_r(0x0B, 5 + 2 * below(m, 2), 0, rd, rs1, 0),
      wide_collective(SUB_GROUP_SCOPE, false, false, MODE_BROADCAST, 0, rd, rs1),
      wide_collective(ACTIVE_SET, false, true, MODE_REDUCE, 3, rd, rs1),
      encode_r(0x0B, 3, 1, 0, 0, 0),
      encode_r(0x0B, 0, 3, rd, rs1, 0),       // op
      encode_r(0x0B, 1, 7 << 2, rd, rs1, 0),  // mode
      encode_r(0x0B, 2, 2 << 5, rd, rs1, 0),  // sum of floats of an active set
      encode_r(0x0B, 1, 3 << 5, rd, rs1, 0),
      encode_r(0x0B, 0, 1 << 5 | 4 << 2, rd, rs1, 0),  // all of a type
      encode_r(0x0B, 1, 3 << 2 | 1, rd, rs1, rs2),     // broadcast with an operation
      0x0000400B | 0x57,
      encode_r(0x2F, 3, 0, rd, BASE, rs2),  // amoadd.d
      encode_r(0x2F, 2, 5 << 2, rd, BASE, rs2),
      encode_r(0x2F, 2, 2 << 2, rd, BASE, 1),  // lr.w with rs2
      0x00000001,                              // a compressed instruction
  };
  put(m, next(m) & 1 ? any_word(m) : words[below(m, sizeof words / sizeof words[0])]);
}

// At TEMPORARY. `stores`: one that needs the right to store.
static void put_some_access(struct maker *m, bool aligned, bool stores) {
  uint32_t width = aligned ? below(m, 3) : 1 + below(m, 2), r = next(m);
  if (has(m, ISA_A) && (r & 7) == 0) {
    static const uint8_t funct5[] = {0, 1, 2, 3, 4, 8, 12, 16, 20, 24, 28};
    uint32_t which = funct5[below(m, sizeof funct5)];
    if (stores && which == LR)
      which = SC;
    put(m, encode_r(0x2F, 2, which << 2, 1 + below(m, GENERAL), TEMPORARY, which == 2 ? 0 : any_register(m)));
  } else {
    put(m, r & 8 && !stores ? load(width == 2 || (r & 16) ? width : width + 4, any_register(m), TEMPORARY, 0)
                            : store(width, any_register(m), TEMPORARY, 0));
  }
}

// At this address in all lanes, or in some, in others at one of their own.
static void put_access(struct maker *m, uint32_t address, bool aligned, bool stores) {
  uint32_t own = 4 * below(m, OWN_BYTES / 4), r = next(m);
  if (r & 1) {  // in those behind a work-item, so that the first lane may have its own
    put_constant(m, TEMPORARY, below(m, m->p->items));
    uint32_t behind = m->p->words;
    put(m, nop());
    put(m, addi(TEMPORARY, BASE, (int32_t)own));
    uint32_t end = m->p->words;
    put(m, nop());
    patch_branch(m, behind, BLT, TEMPORARY, ITEM);
    put_constant(m, TEMPORARY, address);
    patch_branch(m, end, BEQ, 0, 0);
  } else {
    put_constant(m, TEMPORARY, address);
    if (r & 2) {
      put(m, encode_b(r & 4 ? BLT : BNE, any_register(m), any_register(m), 8));
      put(m, addi(TEMPORARY, BASE, (int32_t)own));
    }
  }
  put_some_access(m, aligned, stores);
}

static void put_faulting(struct maker *m) {
  static const uint32_t unmapped[] = {0,           0xFFC,       0x10000000u, 0x20000000u, 0x7FFFFFFCu,
                                      0x90000000u, 0xA0000000u, 0xD0000000u, 0xF0000000u, 0xFFFFFFFCu};
  static const uint32_t unfetchable[] = {0, 0xFFC, 0x10000000u, 0x80000000u, 0xC0000000u, 0xF0000000u, 0xFFFFFFFCu};
  static const uint32_t anywhere[] = {ITEMS, SHARED, 0x80000000u, 0xC0000000u, 0xD0000000u, 0, CODE};
  static const uint32_t outside_private[] = {0xCFFFFFFCu, 0xB0000000u, 0xBFFFFFFCu, 0xBFFFFF00u, 0xC0100000u};
  static const uint32_t forbidden[] = {FOREIGN, FOREIGN + 0xFFFC, UNUSED, PRIVATE - 4};
  static const uint32_t read_only[] = {CODE, SHARED, DISPATCH, COUNTERS - 4};
  const struct program *p = m->p;
  switch (p->fault) {
    case FAULT_ILLEGAL:
      put_illegal(m);
      break;
    case FAULT_MISALIGNED:
      if (below(m, 3) == 0) {  // in some lanes
        put(m, andi(TEMPORARY, any_register(m), 0x43));
        put(m, add(TEMPORARY, TEMPORARY, below(m, 2) ? BASE : PRIVATE_AREA));
        put_some_access(m, false, false);
      } else {
        put_access(m, anywhere[below(m, 7)] + 1 + 2 * below(m, 2), false, false);
      }
      break;
    case FAULT_UNMAPPED:
      put_access(m, unmapped[below(m, 10)], true, false);
      break;
    case FAULT_LOCAL:
      put_access(m, below(m, 3) ? 0x80000000u + p->local_bytes + 4 * below(m, 3) : 0x8FFFFFFCu, true, false);
      break;
    case FAULT_PRIVATE:
      if (next(m) & 1) {
        put_access(m, 0xC0000000u + (1u << p->private_log2) + 4 * below(m, 3), true, false);
      } else if (next(m) & 1) {  // as a stack that grows too far
        put_constant(m, TEMPORARY, 0u - (1u << p->private_log2));
        put(m, add(TEMPORARY, TEMPORARY, PRIVATE_AREA));
        put_some_access(m, true, false);
      } else {
        put_access(m, outside_private[below(m, 5)], true, false);
      }
      break;
    case FAULT_RIGHT:
      if (next(m) & 1)
        put_access(m, forbidden[below(m, 4)], true, false);
      else
        put_access(m, read_only[below(m, 4)], true, true);
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

void put_fault(struct maker *m) {
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
