// SPDX-License-Identifier: Apache-2.0
// Instruction words for hand-written test programs: RV32IMA, Zba, Zbb, Zfinx, csrr and custom-0, from the RISC-V
// unprivileged specification and contract/DEVICE.md. Registers are numbers 0 to 31.
#ifndef HEDDLE_TESTS_MODEL_ENCODE_H
#define HEDDLE_TESTS_MODEL_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/collectives.h"
#include "tests/amo.h"

static inline uint32_t encode_r(uint32_t opcode, uint32_t funct3, uint32_t funct7, uint32_t rd, uint32_t rs1,
                                uint32_t rs2) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
static inline uint32_t encode_i(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, int32_t imm) {
  return ((uint32_t)imm & 0xFFF) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
static inline uint32_t encode_s(uint32_t funct3, uint32_t rs2, uint32_t rs1, int32_t imm) {
  uint32_t u = (uint32_t)imm;
  return (u >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (u & 0x1F) << 7 | 0x23;
}
static inline uint32_t encode_b(uint32_t funct3, uint32_t rs1, uint32_t rs2, int32_t offset) {
  uint32_t u = (uint32_t)offset;
  return (u >> 12 & 1) << 31 | (u >> 5 & 0x3F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (u >> 1 & 0xF) << 8 |
         (u >> 11 & 1) << 7 | 0x63;
}
static inline uint32_t encode_jal(uint32_t rd, int32_t offset) {
  uint32_t u = (uint32_t)offset;
  return (u >> 20 & 1) << 31 | (u >> 1 & 0x3FF) << 21 | (u >> 11 & 1) << 20 | (u >> 12 & 0xFF) << 12 | rd << 7 | 0x6F;
}

enum { BEQ = 0, BNE = 1, BLT = 4, BGE = 5, BLTU = 6, BGEU = 7 };
enum { PAUSE = 0x0100000F };
enum { LB = 0, LH = 1, LW = 2, LBU = 4, LHU = 5, SB = 0, SH = 1, SW = 2 };

static inline uint32_t lui(uint32_t rd, uint32_t value) {
  return (value & 0xFFFFF000u) | rd << 7 | 0x37;
}
static inline uint32_t auipc(uint32_t rd, uint32_t value) {
  return (value & 0xFFFFF000u) | rd << 7 | 0x17;
}
static inline uint32_t addi(uint32_t rd, uint32_t rs1, int32_t imm) {
  return encode_i(0x13, 0, rd, rs1, imm);
}
static inline uint32_t andi(uint32_t rd, uint32_t rs1, int32_t imm) {
  return encode_i(0x13, 7, rd, rs1, imm);
}
static inline uint32_t slli(uint32_t rd, uint32_t rs1, int32_t by) {
  return encode_i(0x13, 1, rd, rs1, by);
}
static inline uint32_t add(uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return encode_r(0x33, 0, 0, rd, rs1, rs2);
}
static inline uint32_t sub(uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return encode_r(0x33, 0, 0x20, rd, rs1, rs2);
}
static inline uint32_t mul(uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return encode_r(0x33, 0, 1, rd, rs1, rs2);
}
static inline uint32_t load(uint32_t width, uint32_t rd, uint32_t base, int32_t offset) {
  return encode_i(0x03, width, rd, base, offset);
}
static inline uint32_t lw(uint32_t rd, uint32_t base, int32_t offset) {
  return load(LW, rd, base, offset);
}
static inline uint32_t store(uint32_t width, uint32_t rs2, uint32_t base, int32_t offset) {
  return encode_s(width, rs2, base, offset);
}
static inline uint32_t sw(uint32_t rs2, uint32_t base, int32_t offset) {
  return store(SW, rs2, base, offset);
}
static inline uint32_t jalr(uint32_t rd, uint32_t rs1, int32_t offset) {
  return encode_i(0x67, 0, rd, rs1, offset);
}
static inline uint32_t csrr(uint32_t rd, uint32_t csr) {
  return encode_i(0x73, 2, rd, 0, (int32_t)csr);
}
static inline uint32_t nop(void) {
  return addi(0, 0, 0);
}

// Zba and Zbb, by funct7 and funct3.
static inline uint32_t sh1add(uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return encode_r(0x33, 2, 0x10, rd, rs1, rs2);
}
// One operand: funct7 and the rs2 field select.
static inline uint32_t encode_unary(uint32_t funct3, uint32_t funct7, uint32_t selector, uint32_t rd, uint32_t rs1) {
  return encode_r(0x13, funct3, funct7, rd, rs1, selector);
}
static inline uint32_t clz(uint32_t rd, uint32_t rs1) {
  return encode_unary(1, 0x30, 0, rd, rs1);
}
static inline uint32_t ctz(uint32_t rd, uint32_t rs1) {
  return encode_unary(1, 0x30, 1, rd, rs1);
}
static inline uint32_t cpop(uint32_t rd, uint32_t rs1) {
  return encode_unary(1, 0x30, 2, rd, rs1);
}
static inline uint32_t sext_b(uint32_t rd, uint32_t rs1) {
  return encode_unary(1, 0x30, 4, rd, rs1);
}
static inline uint32_t sext_h(uint32_t rd, uint32_t rs1) {
  return encode_unary(1, 0x30, 5, rd, rs1);
}
static inline uint32_t orc_b(uint32_t rd, uint32_t rs1) {
  return encode_unary(5, 0x14, 7, rd, rs1);
}
static inline uint32_t rev8(uint32_t rd, uint32_t rs1) {
  return encode_unary(5, 0x34, 24, rd, rs1);
}
static inline uint32_t zext_h(uint32_t rd, uint32_t rs1) {
  return encode_r(0x33, 4, 0x04, rd, rs1, 0);
}
static inline uint32_t rori(uint32_t rd, uint32_t rs1, uint32_t by) {
  return encode_unary(5, 0x30, by, rd, rs1);
}

// A, by funct5 as in tests/amo.h; aq and rl are 0.
static inline uint32_t atomic(uint32_t funct5, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return encode_r(0x2F, 2, funct5 << 2, rd, rs1, rs2);
}
static inline uint32_t lr(uint32_t rd, uint32_t rs1) {
  return atomic(LR, rd, rs1, 0);
}
static inline uint32_t sc(uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return atomic(SC, rd, rs1, rs2);
}

// Zfinx. Rounding modes of the rm field; then funct7 of OP-FP, single precision.
enum { RNE = 0, RTZ = 1, RDN = 2, RUP = 3, RMM = 4, DYN = 7 };
enum {
  FADD = 0x00,
  FSUB = 0x04,
  FMUL = 0x08,
  FDIV = 0x0C,
  FSGNJ = 0x10,  // rm: 0 fsgnj, 1 fsgnjn, 2 fsgnjx
  FMIN = 0x14,   // rm: 0 fmin, 1 fmax
  FSQRT = 0x2C,
  FCOMPARE = 0x50,      // rm: 0 fle, 1 flt, 2 feq
  FCVT_TO_WORD = 0x60,  // rs2: 0 signed, 1 unsigned
  FCVT_TO_FLOAT = 0x68,
  FCLASS = 0x70,  // rm is 1
};
static inline uint32_t float_op(uint32_t funct7, uint32_t rm, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return encode_r(0x53, rm, funct7, rd, rs1, rs2);
}
// Opcodes of the four with three operands.
enum { FMADD = 0x43, FMSUB = 0x47, FNMSUB = 0x4B, FNMADD = 0x4F };
static inline uint32_t float_fused(uint32_t opcode, uint32_t rm, uint32_t rd, uint32_t rs1, uint32_t rs2,
                                   uint32_t rs3) {
  return encode_r(opcode, rm, rs3 << 2, rd, rs1, rs2);
}

// custom-0
enum {
  SUB_GROUP_SCOPE = HEDDLE_SCOPE_SUB_GROUP,
  WORK_GROUP_SCOPE = HEDDLE_SCOPE_WORK_GROUP,
  ACTIVE_SET = HEDDLE_SCOPE_ACTIVE
};
enum {
  MODE_REDUCE = HEDDLE_MODE_REDUCE,
  MODE_INCLUSIVE = HEDDLE_MODE_INCLUSIVE,
  MODE_EXCLUSIVE = HEDDLE_MODE_EXCLUSIVE,
  MODE_BROADCAST = HEDDLE_MODE_BROADCAST,
  MODE_ALL = HEDDLE_MODE_ALL,
  MODE_ANY = HEDDLE_MODE_ANY,
  MODE_BARRIER = HEDDLE_MODE_BARRIER,
  MODE_SHUFFLE = HEDDLE_MODE_SHUFFLE,
  MODE_BALLOT = HEDDLE_MODE_BALLOT
};
enum { TYPE_INT = HEDDLE_TYPE_INT, TYPE_UINT = HEDDLE_TYPE_UINT, TYPE_FLOAT = HEDDLE_TYPE_FLOAT };

// OP_ADD, OP_MIN, ...; all of them, and how many there are.
#define ENCODE_OPERATOR(NAME, name, number, ...) OP_##NAME = (number),
enum { HEDDLE_COLLECTIVE_OPERATORS(ENCODE_OPERATOR, ) };
#define ENCODE_NUMBER(NAME, name, number, ...) number,
static const uint8_t operators[] = {HEDDLE_COLLECTIVE_OPERATORS(ENCODE_NUMBER, )};
enum { OPERATORS = sizeof operators };

// Whether there is an operator for a type: floats have no bits, and what is bitwise has only one type, for which
// TYPE_UINT stands here. Sums of floats are another thing.
static inline bool operator_has(uint32_t op, uint32_t type) {
  return HEDDLE_OP_IS_BITWISE(op) ? type == TYPE_UINT : type != TYPE_FLOAT || op != OP_ADD;
}

static inline uint32_t collective(uint32_t scope, uint32_t type, uint32_t mode, uint32_t op, uint32_t rd, uint32_t rs1,
                                  uint32_t rs2) {
  return encode_r(0x0B, scope, HEDDLE_COLLECTIVE_FUNCT7(type, mode, op), rd, rs1, rs2);
}
// One of the two instructions of a 64-bit collective; scope: SUB_GROUP_SCOPE or ACTIVE_SET.
static inline uint32_t wide_collective(uint32_t scope, bool is_unsigned, bool second, uint32_t mode, uint32_t op,
                                       uint32_t rd, uint32_t rs1) {
  return encode_r(0x0B, HEDDLE_SCOPE_WIDE + scope,
                  HEDDLE_WIDE_FUNCT7((uint32_t)is_unsigned, (uint32_t)second, mode, op), rd, rs1, 0);
}
static inline uint32_t barrier(uint32_t scope) {
  return collective(scope, 0, MODE_BARRIER, 0, 0, 0, 0);
}
static inline uint32_t exit_item(void) {
  return encode_r(0x0B, HEDDLE_SCOPE_CONTROL, 0, 0, 0, 0);
}

#endif
