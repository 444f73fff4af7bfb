// SPDX-License-Identifier: Apache-2.0
// Arithmetic of random programs: every instruction from registers to a register that the device has.
#include "tests/lockstep/maker.h"

enum { OPCODE_OP = 0x33, OPCODE_OP_IMM = 0x13, OPCODE_FP = 0x53, OPCODE_FMADD = 0x43 };

static void put_multiply_divide(struct maker *m, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  uint32_t r = next(m);
  if (r >> 16 & 1) {  // operands that are special to these
    put(m, r >> 17 & 1 ? lui(rs1, 0x80000000u) : addi(rs1, 0, (int32_t)(r >> 18 & 3) - 1));
    if (rs1 != rs2)
      put(m, r >> 20 & 1 ? lui(rs2, 0x80000000u) : addi(rs2, 0, (int32_t)(r >> 21 & 3) - 1));
  }
  put(m, encode_r(OPCODE_OP, r & 7, 1, rd, rs1, rs2));
}

// Zba and Zbb.
static void put_bits(struct maker *m, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  static const uint8_t two[][2] = {
      // funct7, funct3: sh1add, sh2add, sh3add, andn, orn, xnor, min, minu, max, maxu, rol, ror
      {0x10, 2}, {0x10, 4}, {0x10, 6}, {0x20, 7}, {0x20, 6}, {0x20, 4},
      {0x05, 4}, {0x05, 5}, {0x05, 6}, {0x05, 7}, {0x30, 1}, {0x30, 5},
  };
  static const uint16_t one[][2] = {
      // funct3, immediate: clz, ctz, cpop, sext.b, sext.h, orc.b, rev8
      {1, 0x600}, {1, 0x601}, {1, 0x602}, {1, 0x604}, {1, 0x605}, {5, 0x287}, {5, 0x698},
  };
  uint32_t r = below(m, 20);
  if (r < 12)
    put(m, encode_r(OPCODE_OP, two[r][1], two[r][0], rd, rs1, rs2));
  else if (r < 19)
    put(m, encode_i(OPCODE_OP_IMM, one[r - 12][0], rd, rs1, one[r - 12][1]));
  else if (next(m) & 1)
    put(m, encode_i(OPCODE_OP_IMM, 5, rd, rs1, (int32_t)(0x600 | below(m, 32))));  // rori
  else
    put(m, encode_r(OPCODE_OP, 4, 4, rd, rs1, 0));  // zext.h
}

static uint32_t rounding(struct maker *m) {
  static const uint8_t modes[] = {0, 1, 2, 3, 4, 7};
  return modes[below(m, sizeof modes)];
}

static void put_fused(struct maker *m, uint32_t rd, uint32_t rs1, uint32_t rs2, uint32_t rs3) {
  put(m, encode_r(OPCODE_FMADD + 4 * below(m, 4), rounding(m), rs3 << 2, rd, rs1, rs2));
}

// Zfinx. Chains of random operations end in NaN, so operands often come fresh from memory.
static void put_float(struct maker *m) {
  enum { ADD = 0x00, MULTIPLY = 0x08, DIVIDE = 0x0C, SQUARE_ROOT = 0x2C };
  static const uint8_t exact[][2] = {
      // funct7, funct3: fsgnj, fsgnjn, fsgnjx, fmin, fmax, fle, flt, feq
      {0x10, 0}, {0x10, 1}, {0x10, 2}, {0x14, 0}, {0x14, 1}, {0x50, 0}, {0x50, 1}, {0x50, 2},
  };
  uint32_t rd = any_register(m), rs1 = any_register(m), rs2 = any_register(m), r = next(m);
  if ((r & 3) != 0)
    put(m, lw(rs1, r & 16 ? BASE : SHARED_AREA, (int32_t)(4 * below(m, 64))));
  if ((r & 12) != 0)
    put(m, lw(rs2, BASE, (int32_t)(4 * below(m, 64))));
  r = below(m, 16);
  switch (r) {
    case 0:
    case 1:
    case 2:
    case 3:
      put(m, encode_r(OPCODE_FP, rounding(m), 4 * r, rd, rs1, rs2));  // fadd, fsub, fmul, fdiv
      break;
    case 4:
      put(m, encode_r(OPCODE_FP, rounding(m), SQUARE_ROOT, rd, rs1, 0));
      break;
    case 5:
      put(m, encode_r(OPCODE_FP, rounding(m), 0x60, rd, rs1, next(m) & 1));  // to int or uint
      break;
    case 6:
      put(m, encode_r(OPCODE_FP, rounding(m), 0x68, rd, rs1, next(m) & 1));  // from int or uint
      break;
    case 7:
      put(m, encode_r(OPCODE_FP, 1, 0x70, rd, rs1, 0));  // fclass
      break;
    case 8:
      put(m, encode_r(OPCODE_FP, rounding(m), MULTIPLY, rd, rs1, rs2));  // what is left of a rounded product
      put_fused(m, any_register(m), rs1, rs2, rd);
      break;
    case 9:
      put(m, encode_r(OPCODE_FP, rounding(m), DIVIDE, rd, rs1, rs2));  // and of a quotient
      put_fused(m, any_register(m), rd, rs2, rs1);
      break;
    case 10:
      put(m, encode_r(OPCODE_FP, rounding(m), ADD + 4 * (next(m) & 1), rd, rs1, rs2));  // cancellation
      put(m, encode_r(OPCODE_FP, rounding(m), ADD + 4 * (next(m) & 1), any_register(m), rd, next(m) & 1 ? rs1 : rs2));
      break;
    case 11:
    case 12:
      put_fused(m, rd, rs1, rs2, any_register(m));
      break;
    default:
      r = below(m, 8);
      put(m, encode_r(OPCODE_FP, exact[r][1], exact[r][0], rd, rs1, rs2));
      break;
  }
}

void put_arithmetic(struct maker *m) {
  static const uint32_t csrs[] = {0xCC0, 0xCC1, 0xCC2, 0xCC3, 0xCC4, 0xCC5, 0xCC6, 0xCC7, 0xCC8,
                                  0xCC9, 0xCCA, 0xCCB, 0xCCC, 0xCCD, 0xCCE, 0xCD0, 0xCD1, 0xCD2};
  uint32_t kind = below(m, 16);
  if (kind < 4 && has(m, ISA_ZFINX)) {
    put_float(m);
    return;
  }
  uint32_t rd = any_register(m), rs1 = any_register(m), rs2 = any_register(m), r = next(m), funct3 = r & 7;
  if (kind < 7 && has(m, ISA_ZBA_ZBB)) {
    put_bits(m, rd, rs1, rs2);
    return;
  }
  switch (r >> 8 & 7) {
    case 0:
      put_multiply_divide(m, rd, rs1, rs2);
      break;
    case 1:
      put(m, encode_r(OPCODE_OP, r >> 7 & 3, 1, rd, rs1, rs2));  // multiply
      break;
    case 2:
    case 3:
      put(m, encode_r(OPCODE_OP, funct3, (funct3 == 0 || funct3 == 5) && (r & 0x80) ? 0x20 : 0, rd, rs1, rs2));
      break;
    case 4:
      put(m, r & 0x80 ? lui(rd, next(m)) : auipc(rd, next(m)));
      break;
    case 5:
      put(m,
          r & 0x80 ? (r & 0x100000 ? PAUSE : 0x0FF0000F) : csrr(rd, csrs[(r >> 16) % (sizeof csrs / sizeof csrs[0])]));
      break;
    default:
      if (funct3 == 1 || funct3 == 5) {
        put(m, encode_i(OPCODE_OP_IMM, funct3, rd, rs1,
                        (int32_t)((r >> 16 & 31) | (funct3 == 5 && (r & 0x80) ? 0x400 : 0))));
      } else {
        put(m, encode_i(OPCODE_OP_IMM, funct3, rd, rs1, (int32_t)(r >> 20)));
      }
      break;
  }
}
