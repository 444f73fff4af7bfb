// SPDX-License-Identifier: Apache-2.0
// The command processor (contract/DEVICE.md): an interpreter of rv32i_zicsr for one work-item, of which memory is
// global memory from the firmware on, its own private memory, and the control registers. It runs beside the dispatch,
// an instruction for every MODEL_PROCESSOR_TICKS of the clock.
#include <string.h>

#include "sim/model/check.h"
#include "sim/model/memory.h"

enum { PRIVATE_BYTES = 1 << HEDDLE_PROCESSOR_PRIVATE_LOG2, CONTROL_BYTES = 0x1000 };

void model_processor_start(struct model_device *d) {
  d->processor = (struct model_processor){.runs = true, .pc = HEDDLE_FIRMWARE_FIRST};
  for (uint32_t r = 1; r < MODEL_REGISTERS; r++)
    d->processor.x[r] = MODEL_UNDEFINED;
}

bool model_processor_busy(const struct model_device *d) {
  return d->processor.runs && d->processor.settled != d->processor.tail;
}

static void fault(struct model_device *d, uint32_t reason) {
  d->processor.runs = false;
  d->processor.fault_reason = reason;
  d->processor.fault_pc = d->processor.pc;
}

static bool is_control(uint32_t address) {
  return address - HEDDLE_CONTROL_BASE < CONTROL_BYTES;
}

// Where a load or store of memory goes, or the fault: 0 or the reason.
static uint32_t translate_for_processor(const struct model_device *d, uint32_t address, uint32_t bytes,
                                        uint32_t *physical) {
  if (address & (bytes - 1))
    return HEDDLE_FAULT_MISALIGNED;
  if (address >= HEDDLE_FIRMWARE_FIRST && address < d->global_bytes) {
    *physical = address;
    return 0;
  }
  if (address >= HEDDLE_BELOW_PRIVATE && address <= HEDDLE_PRIVATE_LAST) {
    *physical = HEDDLE_PROCESSOR_PRIVATE_BASE + (address - HEDDLE_PRIVATE_BASE);
    return address - HEDDLE_PRIVATE_BASE < PRIVATE_BYTES ? 0 : HEDDLE_FAULT_OUTSIDE_PRIVATE;
  }
  const bool is_local = address >= HEDDLE_LOCAL_BASE && address <= HEDDLE_LOCAL_LAST;
  return is_local ? HEDDLE_FAULT_OUTSIDE_LOCAL : HEDDLE_FAULT_UNMAPPED;
}

// False: it is a fault.
static bool load_to(struct model_device *d, uint32_t rd, uint32_t address, uint32_t bytes, bool is_signed) {
  uint32_t physical = 0;
  if (is_control(address) && bytes == 4 && address % 4 == 0) {
    d->processor.x[rd] = model_read_control(d, address - HEDDLE_CONTROL_BASE);
    return true;
  }
  const uint32_t reason = translate_for_processor(d, address, bytes, &physical);
  if (reason != 0) {
    fault(d, reason);
    return false;
  }
  d->processor.x[rd] = load(d, physical, bytes, is_signed);
  return true;
}

static bool store_from(struct model_device *d, uint32_t value, uint32_t address, uint32_t bytes) {
  uint32_t physical = 0;
  if (is_control(address) && bytes == 4 && address % 4 == 0) {
    if (address - HEDDLE_CONTROL_BASE == HEDDLE_REG_HEAD)
      d->processor.head = value;
    else if (address - HEDDLE_CONTROL_BASE == HEDDLE_REG_SETTLED)
      d->processor.settled = value;
    else
      model_write_control(d, address - HEDDLE_CONTROL_BASE, value);
    return true;
  }
  const uint32_t reason = translate_for_processor(d, address, bytes, &physical);
  if (reason != 0) {
    fault(d, reason);
    return false;
  }
  store(d, physical, bytes, value);
  if (d->check)
    model_check_written(d, physical, bytes);
  return true;
}

// As the only work-item of a work-group.
static uint32_t csr(const struct model_device *d, uint32_t number) {
  switch (number) {
    case HEDDLE_CSR_LOCAL_SIZE_X:
    case HEDDLE_CSR_LOCAL_SIZE_Y:
    case HEDDLE_CSR_LOCAL_SIZE_Z:
    case HEDDLE_CSR_SUB_GROUP_SIZE:
    case HEDDLE_CSR_NUM_SUB_GROUPS:
      return 1;
    case HEDDLE_CSR_STACK_TOP:
      return HEDDLE_PRIVATE_BASE + PRIVATE_BYTES;
    case HEDDLE_CSR_CYCLE:
      return (uint32_t)d->clock;
    case HEDDLE_CSR_CYCLE_HIGH:
      return (uint32_t)(d->clock >> 32);
    default:
      return 0;
  }
}

static void step(struct model_device *d) {
  struct model_processor *p = &d->processor;
  if (p->pc % 4 != 0 || p->pc < HEDDLE_FIRMWARE_FIRST || p->pc >= d->global_bytes) {
    fault(d, HEDDLE_FAULT_BAD_FETCH);
    return;
  }
  struct model_op *op = &model_code(d, p->pc)[(p->pc >> 2) % MODEL_PAGE_WORDS];
  if (op->kind == OP_DECODE) {
    uint32_t word;
    memcpy(&word, d->memory + p->pc, sizeof word);
    *op = model_decode(word, p->pc);
  }
  p->x[0] = 0;
  const uint32_t a = p->x[op->rs1], b = p->x[op->rs2], imm = op->imm, rd = op->rd;
  uint32_t next = p->pc + 4;
  switch (op->kind) {
    case OP_CONSTANT:
      p->x[rd] = imm;
      break;
    case OP_JAL:
      p->x[rd] = next;
      next = imm;
      break;
    case OP_JALR:
      p->x[rd] = next;
      next = (a + imm) & ~1u;
      break;
    case OP_BEQ:
      next = a == b ? imm : next;
      break;
    case OP_BNE:
      next = a != b ? imm : next;
      break;
    case OP_BLT:
      next = (int32_t)a < (int32_t)b ? imm : next;
      break;
    case OP_BGE:
      next = (int32_t)a >= (int32_t)b ? imm : next;
      break;
    case OP_BLTU:
      next = a < b ? imm : next;
      break;
    case OP_BGEU:
      next = a >= b ? imm : next;
      break;
    case OP_LB:
    case OP_LBU:
      if (!load_to(d, rd, a + imm, 1, op->kind == OP_LB))
        return;
      break;
    case OP_LH:
    case OP_LHU:
      if (!load_to(d, rd, a + imm, 2, op->kind == OP_LH))
        return;
      break;
    case OP_LW:
      if (!load_to(d, rd, a + imm, 4, false))
        return;
      break;
    case OP_SB:
    case OP_SH:
    case OP_SW: {
      const uint32_t address = a + imm;
      if (!store_from(d, b, address, op->kind == OP_SB ? 1 : op->kind == OP_SH ? 2 : 4))
        return;
      // It may have started itself anew.
      if (address == HEDDLE_CONTROL_BASE + HEDDLE_REG_PROCESSOR)
        next = p->pc;
      break;
    }
    case OP_ADDI:
      p->x[rd] = a + imm;
      break;
    case OP_SLTI:
      p->x[rd] = (int32_t)a < (int32_t)imm;
      break;
    case OP_SLTIU:
      p->x[rd] = a < imm;
      break;
    case OP_XORI:
      p->x[rd] = a ^ imm;
      break;
    case OP_ORI:
      p->x[rd] = a | imm;
      break;
    case OP_ANDI:
      p->x[rd] = a & imm;
      break;
    case OP_SLLI:
      p->x[rd] = a << imm;
      break;
    case OP_SRLI:
      p->x[rd] = a >> imm;
      break;
    case OP_SRAI:
      p->x[rd] = (uint32_t)((int32_t)a >> imm);
      break;
    case OP_ADD:
      p->x[rd] = a + b;
      break;
    case OP_SUB:
      p->x[rd] = a - b;
      break;
    case OP_SLL:
      p->x[rd] = a << (b & 31);
      break;
    case OP_SLT:
      p->x[rd] = (int32_t)a < (int32_t)b;
      break;
    case OP_SLTU:
      p->x[rd] = a < b;
      break;
    case OP_XOR:
      p->x[rd] = a ^ b;
      break;
    case OP_SRL:
      p->x[rd] = a >> (b & 31);
      break;
    case OP_SRA:
      p->x[rd] = (uint32_t)((int32_t)a >> (b & 31));
      break;
    case OP_OR:
      p->x[rd] = a | b;
      break;
    case OP_AND:
      p->x[rd] = a & b;
      break;
    case OP_FENCE:
      break;
    case OP_CSR:
      p->x[rd] = csr(d, imm);
      break;
    case OP_EXIT:
      p->runs = false;
      return;
    default:
      fault(d, HEDDLE_FAULT_ILLEGAL_INSTRUCTION);
      return;
  }
  p->pc = next;
}

// An instruction that leaves everything but registers alone, and of what changes reads only control registers of
// which none changes before the dispatch ends.
static bool is_of_wait(const struct model_device *d, const struct model_op *op) {
  if (op->kind == OP_LW) {
    const uint32_t offset = d->processor.x[op->rs1] + op->imm - HEDDLE_CONTROL_BASE;
    return offset == HEDDLE_REG_ENDED || offset == HEDDLE_REG_TAIL || offset == HEDDLE_REG_STATUS;
  }
  return op->kind == OP_CONSTANT || (op->kind >= OP_JAL && op->kind <= OP_BGEU) ||
         (op->kind >= OP_ADDI && op->kind <= OP_AND);
}

uint32_t model_processor_period(struct model_device *d) {
  enum { LONGEST = 32 };
  struct model_processor *p = &d->processor;
  if (p->period != 0 || !p->runs)
    return p->period;
  const struct model_processor before = *p;
  uint32_t period = 0;
  for (uint32_t n = 1; period == 0 && n <= LONGEST; n++) {
    if (p->pc >= d->global_bytes || p->pc % 4 != 0 || !d->code[p->pc >> MODEL_PAGE_LOG2] ||
        !is_of_wait(d, &d->code[p->pc >> MODEL_PAGE_LOG2]->op[(p->pc >> 2) % MODEL_PAGE_WORDS]))
      break;
    step(d);
    if (p->pc == before.pc && memcmp(p->x + 1, before.x + 1, 31 * sizeof p->x[0]) == 0)
      period = n;
  }
  *p = before;
  p->period = period;
  return period;
}

void model_processor_run(struct model_device *d, uint64_t ticks) {
  enum { WORTH_IT = 32 };
  d->processor.ticks += (uint32_t)ticks;
  if (d->processor.ticks >= WORTH_IT && d->busy && model_processor_period(d) != 0)
    d->processor.ticks %= d->processor.period * MODEL_PROCESSOR_TICKS;
  for (; d->processor.runs && d->processor.ticks >= MODEL_PROCESSOR_TICKS;) {
    d->processor.ticks -= MODEL_PROCESSOR_TICKS;
    step(d);
  }
}
