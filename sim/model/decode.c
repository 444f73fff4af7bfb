// SPDX-License-Identifier: Apache-2.0
// Turns an instruction word into a model_op: RV32IM, Zicsr reads and custom-0. What is not listed in rtl/DEVICE.md is
// OP_ILLEGAL.
#include "sim/model/device.h"

enum {
  OPCODE_LOAD = 0x03,
  OPCODE_CUSTOM_0 = 0x0B,
  OPCODE_MISC_MEM = 0x0F,
  OPCODE_OP_IMM = 0x13,
  OPCODE_AUIPC = 0x17,
  OPCODE_STORE = 0x23,
  OPCODE_OP = 0x33,
  OPCODE_LUI = 0x37,
  OPCODE_BRANCH = 0x63,
  OPCODE_JALR = 0x67,
  OPCODE_JAL = 0x6F,
  OPCODE_SYSTEM = 0x73,
};

// Bits high..low of a word.
static uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & (UINT32_MAX >> (31 - (high - low)));
}

static uint32_t sign_extend(uint32_t value, unsigned width) {
  uint32_t sign = 1u << (width - 1);
  return (value ^ sign) - sign;
}

static uint32_t immediate_i(uint32_t w) {
  return sign_extend(bits(w, 31, 20), 12);
}

static uint32_t immediate_s(uint32_t w) {
  return sign_extend(bits(w, 31, 25) << 5 | bits(w, 11, 7), 12);
}

static uint32_t immediate_b(uint32_t w) {
  return sign_extend(bits(w, 31, 31) << 12 | bits(w, 7, 7) << 11 | bits(w, 30, 25) << 5 | bits(w, 11, 8) << 1, 13);
}

static uint32_t immediate_j(uint32_t w) {
  return sign_extend(bits(w, 31, 31) << 20 | bits(w, 19, 12) << 12 | bits(w, 20, 20) << 11 | bits(w, 30, 21) << 1, 21);
}

static enum model_kind kind_of_op_imm(uint32_t funct3, uint32_t funct7) {
  switch (funct3) {
    case 0:
      return OP_ADDI;
    case 1:
      return funct7 == 0 ? OP_SLLI : OP_ILLEGAL;
    case 2:
      return OP_SLTI;
    case 3:
      return OP_SLTIU;
    case 4:
      return OP_XORI;
    case 5:
      return funct7 == 0 ? OP_SRLI : funct7 == 0x20 ? OP_SRAI : OP_ILLEGAL;
    case 6:
      return OP_ORI;
    default:
      return OP_ANDI;
  }
}

static enum model_kind kind_of_op(uint32_t funct3, uint32_t funct7) {
  static const uint8_t base[8] = {OP_ADD, OP_SLL, OP_SLT, OP_SLTU, OP_XOR, OP_SRL, OP_OR, OP_AND};
  static const uint8_t m[8] = {OP_MUL, OP_MULH, OP_MULHSU, OP_MULHU, OP_DIV, OP_DIVU, OP_REM, OP_REMU};
  if (funct7 == 0) {
    return base[funct3];
  }
  if (funct7 == 1) {
    return m[funct3];
  }
  if (funct7 == 0x20 && funct3 == 0) {
    return OP_SUB;
  }
  if (funct7 == 0x20 && funct3 == 5) {
    return OP_SRA;
  }
  return OP_ILLEGAL;
}

static bool csr_exists(uint32_t csr) {
  return (csr >= 0xCC0 && csr <= 0xCCE) || (csr >= 0xCD0 && csr <= 0xCD2) || csr == 0xC00 || csr == 0xC80;
}

// Every CSR is read-only, so csrrw never works and the others only in the form that does not write (source x0 or 0).
static enum model_kind kind_of_system(uint32_t funct3, uint32_t rs1, uint32_t csr) {
  bool reads_only = (funct3 == 2 || funct3 == 3 || funct3 == 6 || funct3 == 7) && rs1 == 0;
  return reads_only && csr_exists(csr) ? OP_CSR : OP_ILLEGAL;
}

static enum model_kind kind_of_custom_0(uint32_t funct3, uint32_t funct7, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  if (funct3 == 3) {
    return funct7 == 0 ? OP_EXIT : OP_ILLEGAL;
  }
  if (funct3 > 1) {
    return OP_ILLEGAL;
  }
  uint32_t type = funct7 >> 5, mode = (funct7 >> 2) & 7, op = funct7 & 3;
  bool legal;
  if (mode <= 2) {
    legal = op <= 2 && type <= 1;
  } else if (mode == 6) {
    legal = op == 0 && type == 0 && rd == 0 && rs1 == 0 && rs2 == 0;
  } else {
    legal = mode < 6 && op == 0 && type == 0;
  }
  if (!legal) {
    return OP_ILLEGAL;
  }
  return funct3 == 0 ? OP_SUB_GROUP_COLLECTIVE : OP_WORK_GROUP_COLLECTIVE;
}

struct model_op model_decode(uint32_t word, uint32_t pc) {
  static const uint8_t loads[8] = {OP_LB, OP_LH, OP_LW, OP_ILLEGAL, OP_LBU, OP_LHU, OP_ILLEGAL, OP_ILLEGAL};
  static const uint8_t stores[8] = {OP_SB, OP_SH, OP_SW, OP_ILLEGAL, OP_ILLEGAL, OP_ILLEGAL, OP_ILLEGAL, OP_ILLEGAL};
  static const uint8_t branches[8] = {OP_BEQ, OP_BNE, OP_ILLEGAL, OP_ILLEGAL, OP_BLT, OP_BGE, OP_BLTU, OP_BGEU};
  uint32_t rd = bits(word, 11, 7), rs1 = bits(word, 19, 15), rs2 = bits(word, 24, 20);
  uint32_t funct3 = bits(word, 14, 12), funct7 = bits(word, 31, 25);
  struct model_op op = {
      .kind = OP_ILLEGAL,
      .rd = (uint8_t)(rd == 0 ? MODEL_SINK : rd),
      .rs1 = (uint8_t)rs1,
      .rs2 = (uint8_t)rs2,
  };
  switch (bits(word, 6, 0)) {
    case OPCODE_LUI:
      op.kind = OP_CONSTANT;
      op.imm = word & 0xFFFFF000u;
      break;
    case OPCODE_AUIPC:
      op.kind = OP_CONSTANT;
      op.imm = pc + (word & 0xFFFFF000u);
      break;
    case OPCODE_JAL:
      op.kind = OP_JAL;
      op.imm = pc + immediate_j(word);
      break;
    case OPCODE_JALR:
      op.kind = funct3 == 0 ? OP_JALR : OP_ILLEGAL;
      op.imm = immediate_i(word);
      break;
    case OPCODE_BRANCH:
      op.kind = branches[funct3];
      op.imm = pc + immediate_b(word);
      break;
    case OPCODE_LOAD:
      op.kind = loads[funct3];
      op.imm = immediate_i(word);
      break;
    case OPCODE_STORE:
      op.kind = stores[funct3];
      op.rd = MODEL_SINK;
      op.imm = immediate_s(word);
      break;
    case OPCODE_OP_IMM:
      op.kind = (uint8_t)kind_of_op_imm(funct3, funct7);
      op.imm = funct3 == 1 || funct3 == 5 ? rs2 : immediate_i(word);
      break;
    case OPCODE_OP:
      op.kind = (uint8_t)kind_of_op(funct3, funct7);
      break;
    case OPCODE_MISC_MEM:
      op.kind = funct3 == 0 ? OP_FENCE : OP_ILLEGAL;
      break;
    case OPCODE_SYSTEM:
      op.imm = bits(word, 31, 20);
      op.kind = (uint8_t)kind_of_system(funct3, rs1, op.imm);
      break;
    case OPCODE_CUSTOM_0:
      op.kind = (uint8_t)kind_of_custom_0(funct3, funct7, rd, rs1, rs2);
      op.imm = funct7;
      break;
    default:
      break;
  }
  return op;
}
