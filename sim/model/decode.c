// SPDX-License-Identifier: Apache-2.0
// Turns an instruction word into a model_op: RV32IMA, Zba, Zbb, Zfinx, Zicsr reads, custom-0 and custom-1. What is not
// listed in contract/DEVICE.md is OP_ILLEGAL.
#include "contract/collectives.h"
#include "sim/model/device.h"

enum {
  OPCODE_LOAD = 0x03,
  OPCODE_CUSTOM_0 = 0x0B,
  OPCODE_MISC_MEM = 0x0F,
  OPCODE_OP_IMM = 0x13,
  OPCODE_AUIPC = 0x17,
  OPCODE_STORE = 0x23,
  OPCODE_CUSTOM_1 = 0x2B,
  OPCODE_AMO = 0x2F,
  OPCODE_OP = 0x33,
  OPCODE_LUI = 0x37,
  OPCODE_MADD = 0x43,
  OPCODE_MSUB = 0x47,
  OPCODE_NMSUB = 0x4B,
  OPCODE_NMADD = 0x4F,
  OPCODE_OP_FP = 0x53,
  OPCODE_BRANCH = 0x63,
  OPCODE_JALR = 0x67,
  OPCODE_JAL = 0x6F,
  OPCODE_SYSTEM = 0x73,
};

enum { PAUSE = 0x0100000F };  // the fence that orders writes before nothing

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

// Shifts to the left, and what Zbb has under the same funct3. `shamt` is the shift amount, or selects.
static enum model_kind kind_of_left_shift(uint32_t funct7, uint32_t shamt) {
  static const uint8_t unary[8] = {OP_CLZ, OP_CTZ, OP_CPOP, OP_ILLEGAL, OP_SEXT_B, OP_SEXT_H, OP_ILLEGAL, OP_ILLEGAL};
  if (funct7 == 0)
    return OP_SLLI;
  return funct7 == 0x30 && shamt < 8 ? unary[shamt] : OP_ILLEGAL;
}

static enum model_kind kind_of_right_shift(uint32_t funct7, uint32_t shamt) {
  switch (funct7) {
    case 0:
      return OP_SRLI;
    case 0x20:
      return OP_SRAI;
    case 0x30:
      return OP_RORI;
    case 0x14:
      return shamt == 7 ? OP_ORC_B : OP_ILLEGAL;
    case 0x34:
      return shamt == 24 ? OP_REV8 : OP_ILLEGAL;
    default:
      return OP_ILLEGAL;
  }
}

static enum model_kind kind_of_op_imm(uint32_t funct3, uint32_t funct7, uint32_t shamt) {
  static const uint8_t kinds[8] = {OP_ADDI, 0, OP_SLTI, OP_SLTIU, OP_XORI, 0, OP_ORI, OP_ANDI};
  if (funct3 == 1)
    return kind_of_left_shift(funct7, shamt);
  return funct3 == 5 ? kind_of_right_shift(funct7, shamt) : kinds[funct3];
}

static enum model_kind kind_of_op(uint32_t funct3, uint32_t funct7, uint32_t rs2) {
  enum { X = OP_ILLEGAL };
  static const struct {
    uint8_t funct7, kinds[8];
  } table[] = {
      {0x00, {OP_ADD, OP_SLL, OP_SLT, OP_SLTU, OP_XOR, OP_SRL, OP_OR, OP_AND}},
      {0x01, {OP_MUL, OP_MULH, OP_MULHSU, OP_MULHU, OP_DIV, OP_DIVU, OP_REM, OP_REMU}},
      {0x04, {X, X, X, X, OP_ZEXT_H, X, X, X}},
      {0x05, {X, X, X, X, OP_MIN, OP_MINU, OP_MAX, OP_MAXU}},
      {0x10, {X, X, OP_SH1ADD, X, OP_SH2ADD, X, OP_SH3ADD, X}},
      {0x20, {OP_SUB, X, X, X, OP_XNOR, OP_SRA, OP_ORN, OP_ANDN}},
      {0x30, {X, OP_ROL, X, X, X, OP_ROR, X, X}},
  };
  for (uint32_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (table[i].funct7 == funct7) {
      enum model_kind kind = table[i].kinds[funct3];
      return kind == OP_ZEXT_H && rs2 != 0 ? OP_ILLEGAL : kind;
    }
  }
  return OP_ILLEGAL;
}

static bool atomic_exists(uint32_t funct5, uint32_t rs2) {
  // amoadd, amoswap, lr (rs2 is 0), sc, amoxor, amoor, amoand, amomin, amomax, amominu, amomaxu
  return funct5 < 4 ? funct5 != 2 || rs2 == 0 : funct5 % 4 == 0;
}

// The OP-FP instructions that do not round, by funct7 and funct3.
static enum model_kind kind_of_exact_float(uint32_t funct7, uint32_t funct3, uint32_t rs2) {
  switch (funct7) {
    case 0x10:
      return funct3 == 0 ? OP_FSGNJ : funct3 == 1 ? OP_FSGNJN : funct3 == 2 ? OP_FSGNJX : OP_ILLEGAL;
    case 0x14:
      return funct3 == 0 ? OP_FMIN : funct3 == 1 ? OP_FMAX : OP_ILLEGAL;
    case 0x50:
      return funct3 == 0 ? OP_FLE : funct3 == 1 ? OP_FLT : funct3 == 2 ? OP_FEQ : OP_ILLEGAL;
    case 0x70:
      return funct3 == 1 && rs2 == 0 ? OP_FCLASS : OP_ILLEGAL;
    default:
      return OP_ILLEGAL;
  }
}

// Those whose funct3 is the rounding mode.
static enum model_kind kind_of_rounding_float(uint32_t funct7, uint32_t rs2) {
  switch (funct7) {
    case 0x00:
      return OP_FADD;
    case 0x04:
      return OP_FSUB;
    case 0x08:
      return OP_FMUL;
    case 0x0C:
      return OP_FDIV;
    case 0x2C:
      return rs2 == 0 ? OP_FSQRT : OP_ILLEGAL;
    case 0x60:
      return rs2 == 0 ? OP_FCVT_W_S : rs2 == 1 ? OP_FCVT_WU_S : OP_ILLEGAL;
    case 0x68:
      return rs2 == 0 ? OP_FCVT_S_W : rs2 == 1 ? OP_FCVT_S_WU : OP_ILLEGAL;
    default:
      return OP_ILLEGAL;
  }
}

// Completes `op`, one of OP_FADD to OP_FCVT_WU_S, with the rm field: dyn is to nearest even, for there is no frm.
static void set_rounding(struct model_op *op, enum model_kind kind, uint32_t rm, uint32_t rs3) {
  enum model_rounding rounding = rm == 7 ? MODEL_RNE : (enum model_rounding)rm;
  enum model_rounding usual = kind == OP_FCVT_W_S || kind == OP_FCVT_WU_S ? MODEL_RTZ : MODEL_RNE;
  if (kind == OP_ILLEGAL || rm == 5 || rm == 6) {
    op->kind = OP_ILLEGAL;
  } else if (rounding == usual) {
    op->kind = (uint8_t)kind;
    op->imm = rs3;
  } else {
    op->kind = OP_FLOAT_ROUNDED;
    op->imm = model_rounded(kind, rounding, rs3);
  }
}

static void decode_float(struct model_op *op, uint32_t word) {
  uint32_t funct7 = bits(word, 31, 25), rm = bits(word, 14, 12), rs2 = bits(word, 24, 20);
  enum model_kind kind = kind_of_exact_float(funct7, rm, rs2);
  if (kind != OP_ILLEGAL)
    op->kind = (uint8_t)kind;
  else
    set_rounding(op, kind_of_rounding_float(funct7, rs2), rm, 0);
}

static void decode_fused(struct model_op *op, uint32_t word) {
  static const uint8_t kinds[4] = {OP_FMADD, OP_FMSUB, OP_FNMSUB, OP_FNMADD};
  bool single = bits(word, 26, 25) == 0;
  set_rounding(op, single ? kinds[bits(word, 3, 2)] : OP_ILLEGAL, bits(word, 14, 12), bits(word, 31, 27));
}

static bool csr_exists(uint32_t csr) {
  return (csr >= HEDDLE_CSR_LOCAL_ID_X && csr <= HEDDLE_CSR_STACK_TOP) ||
         (csr >= HEDDLE_CSR_GLOBAL_ID_X && csr <= HEDDLE_CSR_GLOBAL_ID_Z) || csr == HEDDLE_CSR_CYCLE ||
         csr == HEDDLE_CSR_CYCLE_HIGH;
}

// Every CSR is read-only, so csrrw never works and the others only in the form that does not write (source x0 or 0).
static enum model_kind kind_of_system(uint32_t funct3, uint32_t rs1, uint32_t csr) {
  bool reads_only = (funct3 == 2 || funct3 == 3 || funct3 == 6 || funct3 == 7) && rs1 == 0;
  return reads_only && csr_exists(csr) ? OP_CSR : OP_ILLEGAL;
}

static enum model_kind kind_of_custom_0(uint32_t funct3, uint32_t funct7, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  if (funct3 == HEDDLE_SCOPE_CONTROL)
    return funct7 == 0 ? OP_EXIT : OP_ILLEGAL;
  uint32_t type = funct7 >> 5, mode = (funct7 >> 2) & 7, op = funct7 & 3;
  bool legal;
  if (funct3 >= HEDDLE_SCOPE_WIDE) {  // a word of 64 bits
    funct3 -= HEDDLE_SCOPE_WIDE;
    legal =
        (funct3 == HEDDLE_SCOPE_SUB_GROUP || funct3 == HEDDLE_SCOPE_ACTIVE) && mode <= HEDDLE_MODE_EXCLUSIVE && op <= 2;
  } else if (mode <= HEDDLE_MODE_EXCLUSIVE) {  // each type has three operators, but active sets no sum of floats
    legal = op <= 2 && (type != HEDDLE_TYPE_FLOAT || op != HEDDLE_OP_ADD || funct3 != HEDDLE_SCOPE_ACTIVE);
  } else if (funct3 == HEDDLE_SCOPE_ACTIVE) {
    legal = mode != HEDDLE_MODE_BROADCAST && op == 0 && type == 0;
  } else if (mode == HEDDLE_MODE_BARRIER) {
    legal = op == 0 && type == 0 && rd == 0 && rs1 == 0 && rs2 == 0;
  } else {
    legal = mode < HEDDLE_MODE_BARRIER && op == 0 && type == 0;
  }
  if (!legal)
    return OP_ILLEGAL;
  return funct3 == HEDDLE_SCOPE_SUB_GROUP    ? OP_SUB_GROUP_COLLECTIVE
         : funct3 == HEDDLE_SCOPE_WORK_GROUP ? OP_WORK_GROUP_COLLECTIVE
                                             : OP_ACTIVE_COLLECTIVE;
}

// A load or store at an index.
static void decode_at(struct model_op *op, uint32_t word, const uint8_t *loads, const uint8_t *stores) {
  uint32_t rd = bits(word, 11, 7), funct3 = bits(word, 14, 12), funct7 = bits(word, 31, 25);
  bool is_store = funct7 >> 6;
  op->imm = op->rs1 | bits(funct7, 1, 0) << MODEL_AT_SHIFT | funct3 << MODEL_AT_FUNCT3;
  op->rs1 = op->rs2;
  if (is_store) {
    op->rs2 = (uint8_t)rd;
    op->rd = MODEL_SINK;
  }
  if (bits(funct7, 5, 2) == 0 && (is_store ? stores : loads)[funct3] != OP_ILLEGAL)
    op->kind = is_store ? OP_STORE_AT : OP_LOAD_AT;
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
    case OPCODE_CUSTOM_1:
      decode_at(&op, word, loads, stores);
      break;
    case OPCODE_OP_IMM:
      op.kind = (uint8_t)kind_of_op_imm(funct3, funct7, rs2);
      op.imm = funct3 == 1 || funct3 == 5 ? rs2 : immediate_i(word);
      break;
    case OPCODE_OP:
      op.kind = (uint8_t)kind_of_op(funct3, funct7, rs2);
      break;
    case OPCODE_AMO:
      op.imm = funct7 >> 2;
      op.kind = funct3 == 2 && atomic_exists(op.imm, rs2) ? OP_ATOMIC : OP_ILLEGAL;
      break;
    case OPCODE_MADD:
    case OPCODE_MSUB:
    case OPCODE_NMSUB:
    case OPCODE_NMADD:
      decode_fused(&op, word);
      break;
    case OPCODE_OP_FP:
      decode_float(&op, word);
      break;
    case OPCODE_MISC_MEM:
      op.kind = funct3 == 0 ? OP_FENCE : OP_ILLEGAL;
      op.imm = word == PAUSE;
      break;
    case OPCODE_SYSTEM:
      op.imm = bits(word, 31, 20);
      op.kind = (uint8_t)kind_of_system(funct3, rs1, op.imm);
      break;
    case OPCODE_CUSTOM_0:
      op.kind = (uint8_t)kind_of_custom_0(funct3, funct7, rd, rs1, rs2);
      op.imm = funct7 | (funct3 & 4) << 5;
      break;
    default:
      break;
  }
  return op;
}
