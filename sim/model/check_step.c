// SPDX-License-Identifier: Apache-2.0
// What is known of registers after each instruction: which bits nobody has written, what object a pointer was made for,
// and where an unwritten value was read (check_state.h). Most registers hold integers that somebody wrote, and of these
// nothing has to be noted.
#include <string.h>

#include "contract/collectives.h"
#include "sim/model/check_state.h"

enum { RETURN_ADDRESS = 1 };

void check_mark(struct check_registers *r, uint32_t reg, uint32_t sub_group_size) {
  uint32_t any = 0;
  for (uint32_t i = reg * sub_group_size; i < (reg + 1) * sub_group_size; i++)
    any |= r->unwritten[i] | r->provenance[i];
  r->marked = any != 0 ? r->marked | UINT64_C(1) << reg : r->marked & ~(UINT64_C(1) << reg);
}

static bool has_rs1(uint32_t kind) {
  return kind != OP_CONSTANT && kind != OP_JAL && kind != OP_FENCE && kind != OP_CSR && kind != OP_EXIT;
}

static bool has_rs2(uint32_t kind) {
  switch (kind) {
    case OP_ADD ... OP_REMU:
    case OP_SH1ADD ... OP_XNOR:
    case OP_MIN ... OP_MAXU:
    case OP_ROL:
    case OP_ROR:
    case OP_FADD ... OP_FDIV:
    case OP_FMADD ... OP_FNMADD:
    case OP_FSGNJ ... OP_FLE:
    case OP_BEQ ... OP_BGEU:
      return true;
    default:
      return false;
  }
}

// The third register of an instruction; 0: it has none.
static uint32_t rs3_of(const struct model_op *op) {
  return op->kind >= OP_FMADD && op->kind <= OP_FNMADD ? op->imm & 31 : 0;
}

// ---- bits that nobody has written

static uint32_t any(uint32_t unwritten) {
  return unwritten != 0 ? UINT32_MAX : 0;
}

// Whether two words differ in bits that somebody wrote: then it is known that they are not equal.
static bool differ_for_sure(uint32_t a, uint32_t b, uint32_t unwritten) {
  return ((a ^ b) & ~unwritten) != 0;
}

// Of a result, from those of its operands ua and ub. `b` is the immediate where there is one.
static uint32_t unwritten_of(uint32_t kind, uint32_t a, uint32_t b, uint32_t ua, uint32_t ub) {
  switch (kind) {
    case OP_ANDI:
    case OP_AND:
      return (ua & ub) | (ua & b) | (a & ub);
    case OP_ANDN:
      return (ua & ub) | (ua & ~b) | (a & ub);
    case OP_ORI:
    case OP_OR:
      return (ua & ub) | (ua & ~b) | (~a & ub);
    case OP_ORN:
      return (ua & ub) | (ua & b) | (~a & ub);
    case OP_XORI:
    case OP_XOR:
    case OP_XNOR:
    case OP_ADDI:
    case OP_ADD:
    case OP_SUB:
    case OP_MIN:
    case OP_MINU:
    case OP_MAX:
    case OP_MAXU:
    case OP_FSGNJ:
      return ua | ub;
    case OP_SH1ADD:
      return ua << 1 | ub;
    case OP_SH2ADD:
      return ua << 2 | ub;
    case OP_SH3ADD:
      return ua << 3 | ub;
    case OP_SLL:
      return any(ub) | ua << (b & 31);
    case OP_SLLI:
      return ua << (b & 31);
    case OP_SRL:
      return any(ub) | ua >> (b & 31);
    case OP_SRLI:
      return ua >> (b & 31);
    case OP_SRA:
      return any(ub) | (uint32_t)((int32_t)ua >> (b & 31));
    case OP_SRAI:
      return (uint32_t)((int32_t)ua >> (b & 31));
    case OP_RORI:
      return ua >> (b & 31) | ua << ((0 - b) & 31);
    case OP_SEXT_B:
      return (uint32_t)(int8_t)ua;
    case OP_SEXT_H:
      return (uint32_t)(int16_t)ua;
    case OP_ZEXT_H:
      return ua & 0xFFFF;
    case OP_REV8:
      return __builtin_bswap32(ua);
    case OP_SLTIU:
      return b == 1 && differ_for_sure(a, 0, ua) ? 0 : ua != 0;
    case OP_SLTU:
      return a == 0 && ua == 0 && differ_for_sure(0, b, ub) ? 0 : (ua | ub) != 0;
    case OP_SLT:
    case OP_SLTI:
    case OP_FEQ:
    case OP_FLT:
    case OP_FLE:
      return (ua | ub) != 0;
    default:
      return any(ua | ub);
  }
}

static bool is_mask_of_bytes(uint32_t mask) {
  return (mask & 0x01010101) * 0xFF == mask;
}

// Whether the instruction only moves and picks bytes, as copies of structures do. What others make of an unwritten
// value is computed from it. `mask` is the operand that somebody wrote.
static bool only_moves(uint32_t kind, uint32_t imm, uint32_t mask) {
  switch (kind) {
    case OP_ADDI:
      return imm == 0;
    case OP_ANDI:
    case OP_AND:
      return is_mask_of_bytes(mask);
    case OP_ORI:
    case OP_OR:
    case OP_XOR:
    case OP_SEXT_B:
    case OP_SEXT_H:
    case OP_ZEXT_H:
    case OP_REV8:
    case OP_FSGNJ:
      return true;
    case OP_SLLI:
    case OP_SRLI:
    case OP_SRAI:
    case OP_RORI:
      return imm % 8 == 0;
    default:
      return false;
  }
}

// ---- pointers

// A sum, or an or: of a pointer and an integer it is the pointer's.
static uint32_t provenance_of_sum(uint32_t a, uint32_t b, uint32_t pa, uint32_t pb) {
  if (pa == 0 || pb == 0)
    return pa | pb;
  return a == 0 ? pb : b == 0 ? pa : CHECK_MIXED_PROVENANCE;
}

static uint32_t provenance_of_difference(uint32_t pa, uint32_t pb) {
  if (pb == 0)
    return pa;
  return pa == pb && pa != CHECK_MIXED_PROVENANCE ? CHECK_NO_PROVENANCE : CHECK_MIXED_PROVENANCE;
}

// With a mask that leaves low bits alone it is a part of an address, and no pointer.
static uint32_t provenance_of_mask(uint32_t pa, uint32_t mask) {
  return mask < 0x10000 ? CHECK_NO_PROVENANCE : pa;
}

static uint32_t provenance_of(uint32_t kind, uint32_t a, uint32_t b, uint32_t pa, uint32_t pb) {
  switch (kind) {
    case OP_ADDI:
    case OP_ORI:
    case OP_XORI:
      return pa;
    case OP_ADD:
    case OP_OR:
    case OP_XOR:
      return provenance_of_sum(a, b, pa, pb);
    case OP_SH1ADD:
    case OP_SH2ADD:
    case OP_SH3ADD:
      return pa != 0 ? CHECK_MIXED_PROVENANCE : pb;
    case OP_SUB:
      return provenance_of_difference(pa, pb);
    case OP_ANDI:
      return provenance_of_mask(pa, b);
    case OP_AND:
      return pa != 0 && pb != 0 ? (pa == pb ? pa : CHECK_MIXED_PROVENANCE)
             : pa != 0          ? provenance_of_mask(pa, b)
                                : provenance_of_mask(pb, a);
    case OP_ANDN:
      return provenance_of_mask(pa, ~b);
    case OP_MINU:
      return a < b ? pa : pb;
    case OP_MAXU:
      return a > b ? pa : pb;
    case OP_MIN:
      return (int32_t)a < (int32_t)b ? pa : pb;
    case OP_MAX:
      return (int32_t)a > (int32_t)b ? pa : pb;
    default:
      return CHECK_NO_PROVENANCE;
  }
}

// ---- instructions

static void forget_row(struct check_registers *r, uint32_t reg, uint32_t mask, uint32_t S) {
  if (!(r->marked >> reg & 1))
    return;
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const uint32_t index = reg * S + (uint32_t)__builtin_ctz(m);
    r->unwritten[index] = r->provenance[index] = r->origin[index] = 0;
  }
  check_mark(r, reg, S);
}

static void compute(const struct model_device *d, const struct model_sub_group *g, uint32_t mask,
                    const struct model_op *op) {
  struct check_registers *r = check_registers_of(d, g);
  const uint32_t S = d->sub_group_size, rs3 = rs3_of(op);
  const bool two = has_rs2(op->kind);
  const uint64_t sources = (has_rs1(op->kind) ? UINT64_C(1) << op->rs1 : 0) | (two ? UINT64_C(1) << op->rs2 : 0) |
                           (rs3 != 0 ? UINT64_C(1) << rs3 : 0);
  if ((r->marked & sources) == 0) {
    forget_row(r, op->rd, mask, S);
    return;
  }
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(m), i = op->rs1 * S + l, j = op->rs2 * S + l, k = op->rd * S + l;
    const uint32_t a = g->x[i], b = two ? g->x[j] : op->imm;
    const uint32_t ua = r->unwritten[i], ub = two ? r->unwritten[j] : 0, uc = r->unwritten[rs3 * S + l];
    const uint32_t provenance = provenance_of(op->kind, a, b, r->provenance[i], two ? r->provenance[j] : 0);
    uint32_t origin = 0;
    if ((ua | ub | uc) != 0) {
      origin = ua != 0 ? r->origin[i] : ub != 0 ? r->origin[j] : r->origin[rs3 * S + l];
      origin |= origin != 0 && !only_moves(op->kind, op->imm, ua != 0 ? b : a) ? CHECK_COMPUTED : 0;
    }
    r->unwritten[k] = unwritten_of(op->kind, a, b, ua, ub) | any(uc);
    r->provenance[k] = provenance;
    r->origin[k] = origin;
  }
  check_mark(r, op->rd, S);
}

// What decides a branch, or where a jump goes, has to have been written.
static void decide(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask,
                   const struct model_op *op) {
  const struct check_registers *r = check_registers_of(d, g);
  const uint32_t S = d->sub_group_size;
  const bool two = has_rs2(op->kind);
  if ((r->marked & (UINT64_C(1) << op->rs1 | (two ? UINT64_C(1) << op->rs2 : 0))) == 0)
    return;
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(m), i = op->rs1 * S + l, j = op->rs2 * S + l;
    const uint32_t ua = r->unwritten[i], ub = two ? r->unwritten[j] : 0;
    const bool is_equality = op->kind == OP_BEQ || op->kind == OP_BNE;
    if ((ua | ub) != 0 && !(is_equality && differ_for_sure(g->x[i], g->x[j], ua | ub)))
      check_find_unwritten(d, g, l, pc, ua != 0 ? r->origin[i] : r->origin[j]);
  }
}

// An active-set collective: a shuffle hands over what is known of a value; others make something new of all values.
static void exchange(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask,
                     const struct model_op *op) {
  struct check_registers *r = check_registers_of(d, g);
  const uint32_t S = d->sub_group_size;
  const bool is_shuffle = (op->imm & 0x80) == 0 && (op->imm >> 2 & 7) == HEDDLE_MODE_SHUFFLE;
  uint32_t unwritten[MODEL_MAX_LANES] = {0}, provenance[MODEL_MAX_LANES] = {0}, origin[MODEL_MAX_LANES] = {0};
  if (!(r->marked >> op->rs1 & 1)) {
    forget_row(r, op->rd, mask, S);
    return;
  }
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(m), from = g->x[op->rs2 * S + l] % 32;
    const uint32_t source = op->rs1 * S + (is_shuffle ? from : l);
    if (is_shuffle && from < S && (mask >> from & 1)) {
      unwritten[l] = r->unwritten[source];
      provenance[l] = r->provenance[source];
      origin[l] = r->origin[source];
    } else if (!is_shuffle && r->unwritten[source] != 0) {
      check_find_unwritten(d, g, l, pc, r->origin[source]);
    }
  }
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(m), k = op->rd * S + l;
    r->unwritten[k] = unwritten[l];
    r->provenance[k] = provenance[l];
    r->origin[k] = origin[l];
  }
  check_mark(r, op->rd, S);
}

// A variable that nobody has written: its value is in the register that the instruction before set to 0.
static void take_unwritten(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask,
                           bool is_member) {
  enum { OPCODE_IMMEDIATE = 0x13 };
  struct check_registers *r = check_registers_of(d, g);
  const uint32_t S = d->sub_group_size;
  uint32_t word;
  memcpy(&word, d->memory + pc - 4, sizeof word);
  const uint32_t reg = word >> 7 & 31;
  if ((word & 0x7F) != OPCODE_IMMEDIATE || reg == 0)
    return;
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(m), index = reg * S + l;
    r->unwritten[index] = UINT32_MAX;
    r->origin[index] = check_origin(d, g, l, pc, HEDDLE_PRIVATE_BASE, 0, 0);
    if (r->origin[index] != 0 && is_member)
      r->origin[index] |= CHECK_BESIDE;
  }
  check_mark(r, reg, S);
}

static uint32_t number_of_variable(struct model_check *c, uint32_t address, uint32_t bytes, bool is_of_library) {
  const bool is_private = address >= HEDDLE_PRIVATE_BASE, is_global = address < HEDDLE_LOCAL_BASE;
  const uint32_t base = is_private ? HEDDLE_PRIVATE_BASE : is_global ? 0 : HEDDLE_LOCAL_BASE;
  const struct heddle_check_object variable = {.kind = is_of_library ? HEDDLE_CHECK_LIBRARY
                                                       : is_private  ? HEDDLE_CHECK_PRIVATE
                                                       : is_global   ? HEDDLE_CHECK_VARIABLE
                                                                     : HEDDLE_CHECK_LOCAL,
                                               .address = address - base,
                                               .bytes = bytes};
  return check_object_number(c, &variable);
}

static void take_misuse(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask,
                        uint32_t what) {
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const struct heddle_finding finding = {
        .kind = HEDDLE_FINDING_MISUSE, .here = check_access_of(d, g, (uint32_t)__builtin_ctz(m), pc), .address = what};
    check_find(d, &finding, 0);
  }
}

// The instruction at an address where there is one.
static struct model_op op_at(const struct model_device *d, uint32_t pc) {
  uint32_t word;
  memcpy(&word, d->memory + pc, sizeof word);
  return model_decode(word, pc);
}

// The life of a variable on the stack begins. Its address is in the register that the mark in front is about.
static void take_begin(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask) {
  const struct check_registers *r = check_registers_of(d, g);
  if (!model_fetchable(d, pc - 8))
    return;
  const struct model_op move = op_at(d, pc - 8);
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(m), number = r->provenance[move.rd * d->sub_group_size + l];
    if (number >= CHECK_FIRST_OBJECT && d->check->objects[number].is.kind == HEDDLE_CHECK_PRIVATE)
      check_forget_variable(d, g, l, &d->check->objects[number].is);
  }
}

// A value that the program has read, and stores elsewhere: no piece of a structure that is copied.
static void take_value(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask) {
  struct check_registers *r = check_registers_of(d, g);
  const struct model_op move = op_at(d, pc - 4);
  for (uint32_t m = r->marked >> move.rd & 1 ? mask : 0; m != 0; m &= m - 1) {
    const uint32_t index = move.rd * d->sub_group_size + (uint32_t)__builtin_ctz(m);
    if (r->unwritten[index] != 0 && r->origin[index] != 0)
      r->origin[index] |= CHECK_COMPUTED;
  }
}

// The address of a vector. On the device each word of it may lie anywhere; private memory is laid out for that.
static void take_aligned(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask,
                         uint32_t says) {
  const struct check_registers *r = check_registers_of(d, g);
  const uint32_t bytes = 1u << (says & 31);
  const struct model_op move = op_at(d, pc - 4);
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(m), index = move.rd * d->sub_group_size + l, address = g->x[index];
    if (address % bytes == 0 || address >= HEDDLE_PRIVATE_BASE)
      continue;
    const bool is_known = r->provenance[index] >= CHECK_FIRST_OBJECT;
    const uint32_t number = is_known ? r->provenance[index] : check_object_at(d->check, address);
    if (number == 0 && address < HEDDLE_LOCAL_BASE)
      continue;  // the access is told
    struct heddle_finding finding = {
        .kind = HEDDLE_FINDING_MISALIGNED, .here = check_access_of(d, g, l, pc), .address = address};
    finding.here.bytes = bytes;
    finding.here.is_write = says & HEDDLE_CHECK_STORE;
    check_find(d, &finding, number);
  }
}

// An index of an array in a structure. How many elements that has, the next instruction says.
static void take_index(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask) {
  if (!model_fetchable(d, pc + 4))
    return;
  const struct model_op move = op_at(d, pc - 4), elements = op_at(d, pc + 4);
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(m), index = g->x[move.rd * d->sub_group_size + l];
    if (index < elements.imm >> 12)
      continue;
    struct heddle_finding finding = {
        .kind = HEDDLE_FINDING_INDEX, .here = check_access_of(d, g, l, pc), .address = index};
    finding.here.bytes = elements.imm >> 12;
    check_find(d, &finding, 0);
  }
}

// heddlec --check says by lui to x0, which does nothing, what memory the next barrier orders; that a built-in function
// is misused; behind a move that the program has read a value, that an address is one of a vector, or how many bytes
// the variable has whose address was moved, and behind that that its life begins. From there on the address is a
// pointer to this variable.
static void take_mark(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask,
                      const struct model_op *op) {
  struct model_check *c = d->check;
  struct check_registers *r = check_registers_of(d, g);
  const uint32_t S = d->sub_group_size;
  uint32_t last_address = 0, number = 0;
  if (!c->has_orders || !model_fetchable(d, pc - 4))
    return;
  const uint32_t says = op->imm >> 12, of_library = HEDDLE_CHECK_FLAGS | HEDDLE_CHECK_LIBRARY_VARIABLE;
  const bool is_of_library = (says & of_library) == of_library;
  if ((says & HEDDLE_CHECK_FLAGS) != 0 && !is_of_library) {
    if ((says & HEDDLE_CHECK_UNWRITTEN_VARIABLE) != 0)
      take_unwritten(d, g, pc, mask, (says & HEDDLE_CHECK_MEMBER) != 0);
    else if ((says & HEDDLE_CHECK_MISUSE) != 0)
      take_misuse(d, g, pc, mask, says & ~(HEDDLE_CHECK_FLAGS | HEDDLE_CHECK_MISUSE));
    else if ((says & HEDDLE_CHECK_BEGINS) != 0)
      take_begin(d, g, pc, mask);
    else if ((says & HEDDLE_CHECK_VALUE) != 0)
      take_value(d, g, pc, mask);
    else if ((says & HEDDLE_CHECK_ALIGNED) != 0)
      take_aligned(d, g, pc, mask, says);
    else if ((says & HEDDLE_CHECK_RETURNS) != 0)
      r->returning |= r->calls == 0 ? mask : 0;
    else if ((says & HEDDLE_CHECK_INDEX) != 0)
      take_index(d, g, pc, mask);
    else
      r->flags |= says;
    return;
  }
  const struct model_op move = op_at(d, pc - 4);
  if (move.kind != OP_ADDI || move.imm != 0 || move.rd == MODEL_SINK)
    return;
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const uint32_t index = move.rd * S + (uint32_t)__builtin_ctz(m), address = g->x[index];
    if (number == 0 || address != last_address)
      number = number_of_variable(c, address, is_of_library ? says & ~of_library : says, is_of_library);
    last_address = address;
    r->provenance[index] = number;
  }
  check_mark(r, move.rd, S);
}

// Lanes that call from different places, or not together, leave no more than a wrong line where there would be none.
static void follow_call(struct check_registers *r, uint32_t pc, const struct model_op *op) {
  if (op->rd == RETURN_ADDRESS) {
    r->caller = r->calls == 0 ? pc : r->caller;
    r->calls++;
  } else if (op->kind == OP_JALR && op->rd == MODEL_SINK && op->rs1 == RETURN_ADDRESS && r->calls != 0) {
    r->calls--;
  }
}

// What lanes do behind a collective at which others wait. Those that return have nothing in common with these.
static void note_passing(const struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask) {
  struct check_registers *r = check_registers_of(d, g);
  for (uint32_t m = pc > g->pc[__builtin_ctz(g->parked)] ? mask : 0; m != 0; m &= m - 1)
    r->passed[__builtin_ctz(m)] = pc;
}

static bool only_leads(const struct model_op *op) {
  return op->kind == OP_DECODE || op->kind == OP_PAGE_END || op->kind == OP_JAL || op->kind == OP_EXIT ||
         (op->kind >= OP_BEQ && op->kind <= OP_BGEU);
}

void model_check_step(struct model_device *d, struct model_sub_group *g, uint32_t pc, uint32_t mask,
                      const struct model_op *op) {
  if (g->parked != 0 && !only_leads(op))
    note_passing(d, g, pc, mask);
  if (d->check->has_passed && check_registers_of(d, g)->passed_pc == pc && !only_leads(op))
    check_find_passed(d, g, (uint32_t)__builtin_ctz(mask));
  switch (op->kind) {
    case OP_DECODE:
    case OP_PAGE_END:
    case OP_ILLEGAL:
    case OP_EXIT:
    case OP_SUB_GROUP_COLLECTIVE:
    case OP_WORK_GROUP_COLLECTIVE:
      return;
    case OP_LB ... OP_ATOMIC:
      check_access(d, g, pc, mask, op);
      return;
    case OP_JALR:
      follow_call(check_registers_of(d, g), pc, op);
      decide(d, g, pc, mask, op);
      forget_row(check_registers_of(d, g), op->rd, mask, d->sub_group_size);
      return;
    case OP_BEQ ... OP_BGEU:
      decide(d, g, pc, mask, op);
      return;
    case OP_FENCE:
      check_fence(d, g, mask);
      return;
    case OP_ACTIVE_COLLECTIVE:
      exchange(d, g, pc, mask, op);
      return;
    case OP_CONSTANT:
      if (op->rd == MODEL_SINK)
        take_mark(d, g, pc, mask, op);
      forget_row(check_registers_of(d, g), op->rd, mask, d->sub_group_size);
      return;
    case OP_JAL:
      follow_call(check_registers_of(d, g), pc, op);
      forget_row(check_registers_of(d, g), op->rd, mask, d->sub_group_size);
      return;
    case OP_CSR:
      forget_row(check_registers_of(d, g), op->rd, mask, d->sub_group_size);
      return;
    default:
      compute(d, g, mask, op);
      return;
  }
}
