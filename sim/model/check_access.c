// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics as the checker sees them: whether each lane's address is in the object it was made for,
// what is known of the value afterwards, and whether it is a race (check_state.h).
#include "sim/model/check_state.h"
#include "sim/model/memory.h"

enum { SWAP = 0x01, LR = 0x02, SC = 0x03, OR = 0x08, OPCODE_STORE = 0x23, OPCODE_AMO = 0x2F, OPCODE_LUI_X0 = 0x037 };

// What kind of access an instruction makes.
struct manner {
  uint32_t bytes;
  bool loads, stores, is_signed, is_atomic, is_volatile;
};

// Whether an atomic has aq and rl: then it stands for a volatile access.
static bool is_volatile(const struct model_device *d, uint32_t pc) {
  enum { AQ_AND_RL = 3 << 25 };
  uint32_t word;
  memcpy(&word, d->memory + pc, sizeof word);
  return (word & AQ_AND_RL) == AQ_AND_RL;
}

// Of an access at an index, by funct3 of the plain one.
static struct manner manner_at(const struct model_op *op) {
  const uint32_t funct3 = op->imm >> MODEL_AT_FUNCT3, bytes = 1u << (funct3 & 3);
  return (struct manner){.bytes = bytes,
                         .loads = op->kind == OP_LOAD_AT,
                         .stores = op->kind == OP_STORE_AT,
                         .is_signed = bytes < 4 && funct3 < 4};
}

static struct manner manner_of(const struct model_device *d, const struct model_op *op, uint32_t pc) {
  switch (op->kind) {
    case OP_LB:
    case OP_LBU:
      return (struct manner){.bytes = 1, .loads = true, .is_signed = op->kind == OP_LB};
    case OP_LH:
    case OP_LHU:
      return (struct manner){.bytes = 2, .loads = true, .is_signed = op->kind == OP_LH};
    case OP_LW:
      return (struct manner){.bytes = 4, .loads = true};
    case OP_SB:
      return (struct manner){.bytes = 1, .stores = true};
    case OP_SH:
      return (struct manner){.bytes = 2, .stores = true};
    case OP_SW:
      return (struct manner){.bytes = 4, .stores = true};
    case OP_LOAD_AT:
    case OP_STORE_AT:
      return manner_at(op);
    default:
      // An or of x0 is a load, an exchange to x0 a store (hls/checks.c).
      return (struct manner){.bytes = 4,
                             .loads = op->imm != SC && !(op->imm == SWAP && op->rd == MODEL_SINK),
                             .stores = op->imm != LR && !(op->imm == OR && op->rs2 == 0),
                             .is_atomic = true,
                             .is_volatile = is_volatile(d, pc)};
  }
}

static bool is_private(uint32_t address) {
  return address >= HEDDLE_PRIVATE_BASE && address <= HEDDLE_PRIVATE_LAST;
}

static bool is_local(uint32_t address) {
  return address >= HEDDLE_LOCAL_BASE && address <= HEDDLE_LOCAL_LAST;
}

static void find(struct model_device *d, const struct model_sub_group *g, const struct check_touch *touch,
                 enum heddle_finding_kind kind) {
  struct heddle_finding finding = {
      .kind = kind, .here = check_access_of(d, g, touch->lane, touch->pc), .address = touch->address};
  finding.here.bytes = touch->bytes;
  finding.here.is_write = touch->stored;
  finding.here.is_atomic = touch->is_atomic;
  check_find(d, &finding, touch->object);
}

static bool is_inside(const struct heddle_check_object *o, uint32_t address, uint32_t bytes) {
  const bool is_in_local = o->kind == HEDDLE_CHECK_LOCAL || o->kind == HEDDLE_CHECK_LIBRARY;
  const uint32_t base = is_in_local ? HEDDLE_LOCAL_BASE : o->kind == HEDDLE_CHECK_PRIVATE ? HEDDLE_PRIVATE_BASE : 0;
  const uint32_t offset = address - base - o->address;
  return offset < o->bytes && bytes <= o->bytes - offset;
}

// The object that a lane accesses goes into `touch`. False: it may not, or the instruction faults; then there is
// nothing more to check.
static bool has_right(struct model_device *d, const struct model_sub_group *g, struct check_touch *touch,
                      uint32_t provenance) {
  const struct model_check *c = d->check;
  const bool is_mapped = translate(d, g, touch->address, touch->bytes, touch->lane, &touch->physical) == 0;
  touch->object = provenance >= CHECK_FIRST_OBJECT ? provenance : 0;
  if (touch->object == 0 && is_mapped && touch->physical == touch->address) {
    touch->object = check_object_at(c, touch->address);
    if (touch->object == 0) {
      find(d, g, touch, HEDDLE_FINDING_NOWHERE);
      return false;
    }
  }
  if (touch->object == 0)
    return is_mapped;
  const struct check_object *object = &c->objects[touch->object];
  if (object->is.kind == HEDDLE_CHECK_OTHER)
    return is_mapped;
  if (!object->is_there || object->is.kind == HEDDLE_CHECK_RELEASED) {
    find(d, g, touch, HEDDLE_FINDING_RELEASED);
    return false;
  }
  if (!is_inside(&object->is, touch->address, touch->bytes)) {
    find(d, g, touch, HEDDLE_FINDING_OUT_OF_BOUNDS);
    return false;
  }
  if (touch->stored ? object->is.is_read_only || object->is.is_constant : object->is.is_write_only)
    find(d, g, touch, HEDDLE_FINDING_FORBIDDEN);
  return is_mapped;
}

// Whether contents and order of the accessed memory are the kernel's own matter.
static bool has_contents(const struct model_check *c, const struct check_touch *touch) {
  const enum heddle_check_kind kind = touch->object != 0 ? c->objects[touch->object].is.kind : HEDDLE_CHECK_NONE;
  return is_private(touch->address) || (is_local(touch->address) && kind != HEDDLE_CHECK_LIBRARY) ||
         kind == HEDDLE_CHECK_BUFFER || kind == HEDDLE_CHECK_VARIABLE || kind == HEDDLE_CHECK_IMAGE;
}

static uint32_t word_of(uint32_t physical) {
  return physical / 4 % CHECK_PAGE_WORDS;
}

// Bits of a word that an access takes, moved to the lowest bits.
static uint32_t low_bits(uint32_t bytes) {
  return UINT32_MAX >> (32 - 8 * bytes);
}

// What is known of the value that a lane has in a register.
struct known {
  uint32_t unwritten, provenance, origin;
};

// Whether somebody has written memory beside what a lane accesses.
static bool has_written_neighbours(const struct model_device *d, const struct model_sub_group *g,
                                   const struct check_touch *touch) {
  for (int32_t offset = -12; offset <= 12; offset += 4) {
    uint32_t physical;
    const uint32_t address = (touch->address & ~3u) + (uint32_t)offset;
    if (offset == 0 || (touch->object != 0 && !is_inside(&d->check->objects[touch->object].is, address, 4)) ||
        translate(d, g, address, 4, touch->lane, &physical) != 0)
      continue;
    const struct check_page *page = check_known_page(d->check, physical);
    if (page && page->written[word_of(physical)] != 0)
      return true;
  }
  return false;
}

// The origin of a value that a lane reads, and that nobody has written.
static uint32_t new_origin(struct model_device *d, const struct model_sub_group *g, const struct check_touch *touch) {
  const uint32_t origin = check_origin(d, g, touch->lane, touch->pc, touch->address, touch->bytes, touch->object);
  return origin != 0 && has_written_neighbours(d, g, touch) ? origin | CHECK_BESIDE : origin;
}

static struct known known_of_memory(struct model_device *d, const struct model_sub_group *g,
                                    const struct check_touch *touch) {
  struct model_check *c = d->check;
  const struct check_page *page = check_known_page(c, touch->physical);
  const uint32_t word = word_of(touch->physical), shift = 8 * (touch->physical & 3), bits = low_bits(touch->bytes);
  struct known known = {0};
  if (has_contents(c, touch))
    known.unwritten = bits & ~(page ? page->written[word] >> shift : 0);
  if (page && touch->bytes == 4 && known.unwritten == 0)
    known.provenance = page->provenance[word];
  if (known.unwritten != 0) {
    // If it was stored there unwritten, it is about where it came from.
    const bool was_stored = page && page->origin[word] != 0;
    known.origin = was_stored ? page->origin[word] : new_origin(d, g, touch);
  }
  return known;
}

static struct known extended(struct known known, uint32_t bytes, bool is_signed) {
  if (is_signed && bytes < 4 && (known.unwritten >> (8 * bytes - 1) & 1))
    known.unwritten |= ~low_bits(bytes);
  return known;
}

static struct model_op decoded(const struct model_device *d, uint32_t pc) {
  uint32_t word;
  memcpy(&word, d->memory + pc, sizeof word);
  return model_decode(word, pc);
}

static bool leads_away(const struct model_op *op) {
  return (op->kind >= OP_BEQ && op->kind <= OP_BGEU) || op->kind == OP_JAL || op->kind == OP_JALR ||
         op->kind == OP_EXIT || op->kind == OP_ILLEGAL;
}

// What brings a word, or bits of it, from somewhere else as they are.
static bool brings(const struct model_op *op) {
  switch (op->kind) {
    case OP_LB ... OP_LHU:
    case OP_LOAD_AT:
    case OP_ATOMIC:
    case OP_SUB_GROUP_COLLECTIVE:
    case OP_WORK_GROUP_COLLECTIVE:
    case OP_ACTIVE_COLLECTIVE:
    case OP_ANDI:
    case OP_AND:
    case OP_ORI:
    case OP_OR:
    case OP_SLLI:
    case OP_SRLI:
    case OP_SRAI:
    case OP_SEXT_B:
    case OP_SEXT_H:
    case OP_ZEXT_H:
      return true;
    default:
      return op->kind == OP_ADDI && op->imm == 0;
  }
}

// Whether a register is not computed but brought there, or is a variable that nobody has written, as the code in front
// of `pc` says.
static bool is_copied(const struct model_device *d, uint32_t pc, uint32_t reg) {
  enum { NEAR = 64 };
  for (uint32_t at = pc - 4; at >= pc - 4 * NEAR && model_fetchable(d, at); at -= 4) {
    const struct model_op op = decoded(d, at);
    if (op.rd != reg) {
      if (leads_away(&op))
        return true;  // it is not known
      continue;
    }
    uint32_t mark;
    memcpy(&mark, d->memory + at + 4, sizeof mark);
    return brings(&op) || (mark & 0xFFF) == OPCODE_LUI_X0;
  }
  return true;
}

// Whether a store has another one beside it, without a branch between them, that copies to the same address at another
// offset: the copy of a structure. The library copies what a block captures by exchanges, to addresses that are in
// registers of their own.
static bool has_sibling(const struct model_device *d, const struct model_op *op, uint32_t pc, uint32_t step) {
  enum { NEAR = 16 };
  for (uint32_t i = 1; i <= NEAR; i++) {
    const uint32_t at = pc + i * step;
    uint32_t word;
    if (!model_fetchable(d, at))
      return false;
    memcpy(&word, d->memory + at, sizeof word);
    const struct model_op other = model_decode(word, at);
    if (leads_away(&other))
      return false;
    if (op->kind == OP_ATOMIC
            ? op->imm == SWAP && (word & 0x7F) == OPCODE_AMO && word >> 27 == SWAP
            : (word & 0x7F) == OPCODE_STORE && (word >> 15 & 31) == op->rs1 && is_copied(d, at, word >> 20 & 31))
      return true;
  }
  return false;
}

static bool has_siblings(const struct model_device *d, const struct model_op *op, uint32_t pc) {
  return has_sibling(d, op, pc, 4) || has_sibling(d, op, pc, (uint32_t)-4);
}

// Whether a branch behind the store goes back to before a load of what is stored, as that of memcpy does.
static bool is_copy_loop(const struct model_device *d, const struct model_op *op, uint32_t pc) {
  enum { NEAR = 8 };
  uint32_t first = pc;
  for (uint32_t at = pc + 4; at <= pc + 4 * NEAR && model_fetchable(d, at) && first == pc; at += 4) {
    const struct model_op branch = decoded(d, at);
    if (branch.kind >= OP_BEQ && branch.kind <= OP_BGEU && branch.imm <= pc && pc - branch.imm <= 8 * NEAR)
      first = branch.imm;
  }
  for (uint32_t at = first; at < pc && model_fetchable(d, at); at += 4) {
    const struct model_op load = decoded(d, at);
    if (((load.kind >= OP_LB && load.kind <= OP_LHU) || load.kind == OP_LOAD_AT) && load.rd == op->rs2)
      return true;
  }
  return false;
}

// A value that nobody has written goes to global memory. Structures are copied with what lies between their members,
// and that is nobody's mistake: it is copied only, and lies beside what was written.
static bool is_wrong(const struct model_device *d, const struct model_op *op, uint32_t pc, const struct known *known,
                     uint32_t bits) {
  if (known->origin == 0)
    return false;
  // A variable is no structure, which is copied with what lies between its members.
  const struct check_origin *read = &d->check->origins[(known->origin & CHECK_ORIGIN) - 1];
  const bool lies_beside = (known->origin & CHECK_BESIDE) != 0;
  if ((known->origin & CHECK_COMPUTED) != 0 || (read->access.bytes == 0 && !lies_beside))
    return true;
  const bool is_copy = has_siblings(d, op, pc) || is_copy_loop(d, op, pc);
  return known->unwritten == bits && !(is_copy && lies_beside);
}

// Whether a variable that nobody has written goes to one in memory, as its first value: there the load tells more.
static bool is_first_value(const struct model_check *c, const struct check_touch *touch, uint32_t origin) {
  return (origin & CHECK_ORIGIN) != 0 && touch->object != 0 &&
         c->origins[(origin & CHECK_ORIGIN) - 1].access.bytes == 0 &&
         c->objects[touch->object].is.kind == HEDDLE_CHECK_PRIVATE;
}

static void store_known(struct model_device *d, const struct check_touch *touch, const struct known *known) {
  struct check_page *page = check_page(d->check, touch->physical);
  const uint32_t word = word_of(touch->physical), shift = 8 * (touch->physical & 3), bits = low_bits(touch->bytes);
  if (!page)
    return;
  page->written[word] = (page->written[word] | bits << shift) & ~((known->unwritten & bits) << shift);
  page->provenance[word] = touch->bytes == 4 ? known->provenance : CHECK_NO_PROVENANCE;
  if ((known->unwritten & bits) != 0)
    page->origin[word] = is_first_value(d->check, touch, known->origin) ? 0 : known->origin;
  else if (page->written[word] == UINT32_MAX)
    page->origin[word] = 0;
}

// What an atomic leaves in memory. Whether an sc.w succeeds is not known yet.
static uint32_t provenance_left(const struct model_op *op, uint32_t old, uint32_t stored) {
  if (op->kind != OP_ATOMIC || op->imm == SWAP || old == stored)
    return stored;
  if (op->imm == SC)
    return CHECK_MIXED_PROVENANCE;
  return old == 0 ? stored : stored == 0 ? old : CHECK_MIXED_PROVENANCE;
}

static struct known known_of_register(const struct check_registers *r, uint32_t index, uint32_t reg) {
  if (!(r->marked >> reg & 1))
    return (struct known){0};
  return (struct known){
      .unwritten = r->unwritten[index], .provenance = r->provenance[index], .origin = r->origin[index]};
}

static void touch_store(struct model_device *d, const struct model_sub_group *g, const struct model_op *op,
                        const struct check_touch *touch, struct known stored, const struct known *old) {
  const uint32_t bits = low_bits(touch->bytes);
  stored.unwritten &= bits;
  if (stored.unwritten != 0 && touch->physical == touch->address && is_wrong(d, op, touch->pc, &stored, bits)) {
    check_find_unwritten(d, g, touch->lane, touch->pc, stored.origin);
    stored.unwritten = 0;
  }
  stored.provenance = provenance_left(op, old->provenance, stored.provenance);
  store_known(d, touch, &stored);
}

// Private memory from here up has been written.
static void note_stack(const struct model_device *d, struct check_registers *r, const struct check_touch *touch) {
  const uint32_t offset = (touch->address - HEDDLE_PRIVATE_BASE) & ~3u;
  (void)d;
  if (offset < r->lowest)
    r->lowest = offset;
}

static struct known touch_lane(struct model_device *d, const struct model_sub_group *g, const struct model_op *op,
                               const struct manner *manner, struct check_touch *touch, uint32_t provenance) {
  struct model_check *c = d->check;
  struct check_registers *r = check_registers_of(d, g);
  const uint32_t S = d->sub_group_size;
  struct known old = {0};
  if (!has_right(d, g, touch, provenance))
    return old;
  if (op->kind == OP_ATOMIC && op->imm == OR && manner->stores && touch->object != 0 &&
      c->objects[touch->object].is.kind == HEDDLE_CHECK_PIPE)
    check_takes_packets(d, g, touch);
  if (manner->loads)
    old = known_of_memory(d, g, touch);
  // An operation on what nobody has written: its result is as undefined as that.
  if (manner->is_atomic && manner->loads && manner->stores && op->imm != SWAP && old.unwritten != 0) {
    check_find_unwritten(d, g, touch->lane, touch->pc, old.origin);
    old.unwritten = 0;
  }
  if (manner->stores)
    touch_store(d, g, op, touch, known_of_register(r, op->rs2 * S + touch->lane, op->rs2), &old);
  if (manner->stores && is_private(touch->address))
    note_stack(d, r, touch);
  if (manner->is_atomic && manner->loads)
    check_acquire(d, g, touch);
  // Of code that was not compiled for checks it is not known what orders.
  if (c->has_orders && !is_private(touch->address) && has_contents(c, touch))
    check_race(d, g, touch);
  if (manner->is_atomic && manner->stores)
    check_release(d, g, touch);
  return extended(old, manner->bytes, manner->is_signed);
}

void check_access(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask,
                  const struct model_op *op) {
  const struct manner manner = manner_of(d, op, pc);
  struct check_registers *r = check_registers_of(d, g);
  const bool is_at_index = op->kind == OP_LOAD_AT || op->kind == OP_STORE_AT;
  const uint32_t S = d->sub_group_size, imm = op->kind == OP_ATOMIC || is_at_index ? 0 : op->imm;
  const uint32_t index_register = is_at_index ? op->imm & MODEL_AT_INDEX : 0;
  const uint32_t shift = is_at_index ? op->imm >> MODEL_AT_SHIFT & 3 : 0;
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(m);
    const struct known base = known_of_register(r, op->rs1 * S + l, op->rs1);
    struct check_touch touch = {.lane = l,
                                .pc = pc,
                                .address = g->x[op->rs1 * S + l] + imm + (g->x[index_register * S + l] << shift),
                                .bytes = manner.bytes,
                                .stored = manner.stores ? g->x + op->rs2 * S : NULL,
                                .is_atomic = manner.is_atomic,
                                .is_volatile = manner.is_volatile};
    const struct known index = known_of_register(r, index_register * S + l, index_register);
    if ((base.unwritten | index.unwritten) != 0)
      check_find_unwritten(d, g, l, pc, base.unwritten != 0 ? base.origin : index.origin);
    const uint32_t provenance = index.provenance != 0 ? CHECK_MIXED_PROVENANCE : base.provenance;
    const struct known value = touch_lane(d, g, op, &manner, &touch, provenance);
    if (manner.loads || manner.is_atomic) {
      const uint32_t result = op->rd * S + l;
      r->unwritten[result] = value.unwritten;
      r->provenance[result] = value.provenance;
      r->origin[result] = value.origin;
    }
  }
  if (manner.loads || manner.is_atomic)
    check_mark(r, op->rd, S);
}

void check_forget_variable(struct model_device *d, const struct model_sub_group *g, uint32_t lane,
                           const struct heddle_check_object *variable) {
  uint32_t bytes = 1;
  for (uint32_t at = variable->address; at < variable->address + variable->bytes; at += bytes) {
    bytes = at % 4 == 0 && variable->address + variable->bytes - at >= 4 ? 4 : 1;
    uint32_t physical;
    if (translate(d, g, HEDDLE_PRIVATE_BASE + at, bytes, lane, &physical) != 0)
      return;
    struct check_page *page = d->check->pages[physical >> MODEL_PAGE_LOG2];
    if (!page)
      continue;
    page->written[word_of(physical)] &= ~(low_bits(bytes) << 8 * (physical & 3));
    page->provenance[word_of(physical)] = page->origin[word_of(physical)] = 0;
  }
}
