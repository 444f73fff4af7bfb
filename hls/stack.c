// SPDX-License-Identifier: Apache-2.0
// Walks the code of a function along its branches and adds up what it takes off the stack pointer, and the most that
// anything it calls takes. Machine code rather than the compiler's own figures, because those are missing for the
// run-time library. Relies on what compilers do: sp changes by constants, and a function ends as deep as it began.
// What is not of that kind is an error: nobody guesses a size.
#include "hls/stack.h"

#include <stdbool.h>
#include <stdlib.h>

#include "contract/little_endian.h"

enum { REGISTER_RA = 1, REGISTER_SP = 2, REGISTER_T0 = 5, STACK_ALIGNMENT = 16 };
// What a trap is compiled to: csrrw zero, cycle, zero, which is no instruction of the device.
#define UNIMP 0xC0001073u
// A function that is being measured, and the largest stack.
#define BEING_MEASURED UINT32_MAX
#define STACK_MAX INT32_MAX

enum opcode {
  OP_IMM = 0x13,
  AUIPC = 0x17,
  STORE = 0x23,
  OP = 0x33,
  LUI = 0x37,
  BRANCH = 0x63,
  JALR = 0x67,
  JAL = 0x6F,
  SYSTEM = 0x73,
  CUSTOM_0 = 0x0B,
};
// funct7 of OP.
enum { BASE = 0, OTHER = 0x20, ZBA = 0x10, MULDIV = 1 };

static uint32_t instruction_at(const struct code *code, uint32_t pc) {
  return heddle_get32(code->bytes + (pc - code->address));
}

static bool is_code(const struct code *code, uint32_t pc) {
  return pc % 4 == 0 && code->size >= 4 && pc >= code->address && pc - code->address <= code->size - 4;
}

static size_t index_of(const struct code *code, uint32_t pc) {
  return (pc - code->address) / 4;
}

static uint32_t field(uint32_t instruction, int low, int bits) {
  return instruction >> low & ((1u << bits) - 1);
}

static int32_t sign_extended(uint32_t value, int bits) {
  return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

static int32_t i_immediate(uint32_t x) {
  return (int32_t)x >> 20;
}

static int32_t b_immediate(uint32_t x) {
  return sign_extended(field(x, 31, 1) << 12 | field(x, 7, 1) << 11 | field(x, 25, 6) << 5 | field(x, 8, 4) << 1, 13);
}

static int32_t j_immediate(uint32_t x) {
  return sign_extended(field(x, 31, 1) << 20 | field(x, 12, 8) << 12 | field(x, 20, 1) << 11 | field(x, 21, 10) << 1,
                       21);
}

// A function that is being measured. A frame is taken at most once on any path, so frame sizes add up over it.
struct function {
  uint32_t entry;
  uint64_t frame, deepest_callee;
  uint32_t *callees;
  size_t count, next;  // how many there are, and which is to be measured next
};

// One function's walk.
struct walk {
  struct code *code;
  struct function *function;
  struct stack_unknown *unknown;
  size_t pending_count;
  bool is_out_of_memory;
  bool is_whole;  // it has a jump by a table, which may lead anywhere in it
  uint32_t pc;
  uint32_t registers[32];  // constants made since the last branch
  uint32_t known;          // bit r: registers[r] is known
};

static void give_up(struct walk *walk, const char *reason) {
  *walk->unknown = (struct stack_unknown){reason, walk->pc};
}

static bool has_given_up(const struct walk *walk) {
  return walk->unknown->reason || walk->is_out_of_memory;
}

// Whether the function's walk comes there for the first time.
static bool is_new(struct walk *walk, uint32_t pc) {
  uint32_t *seen = &walk->code->seen[index_of(walk->code, pc)];
  const bool result = *seen != walk->code->functions;
  *seen = walk->code->functions;
  return result;
}

static void go_on_at(struct walk *walk, uint32_t pc) {
  if (!is_code(walk->code, pc))
    give_up(walk, "a jump out of the code");
  else if (is_new(walk, pc))
    walk->code->pending[walk->pending_count++] = pc;
}

static void call(struct walk *walk, uint32_t pc) {
  struct function *function = walk->function;
  if (!is_code(walk->code, pc)) {
    give_up(walk, "a call out of the code");
    return;
  }
  if ((function->count & (function->count - 1)) == 0) {  // a power of two: full
    uint32_t *more = realloc(function->callees, (function->count * 2 + 1) * sizeof *more);
    if (!more) {
      walk->is_out_of_memory = true;
      return;
    }
    function->callees = more;
  }
  function->callees[function->count++] = pc;
}

static bool is_known(const struct walk *walk, uint32_t number) {
  return number == 0 || (walk->known >> number & 1) != 0;
}

static uint32_t value_of(const struct walk *walk, uint32_t number) {
  return number == 0 ? 0 : walk->registers[number];
}

static void set_register(struct walk *walk, uint32_t number, bool is_known, uint32_t value) {
  walk->registers[number] = value;
  walk->known = is_known && number != 0 ? walk->known | 1u << number : walk->known & ~(1u << number);
}

// How far sh1add, sh2add and sh3add shift; 0: it is none of them.
static uint32_t zba_shift(uint32_t x) {
  const uint32_t function = field(x, 12, 3);
  return field(x, 0, 7) == OP && field(x, 25, 7) == ZBA && function != 0 && function % 2 == 0 ? function / 2 : 0;
}

// a op b for the instructions that make constants; false: of another kind.
static bool combine(uint32_t x, uint32_t a, uint32_t b, uint32_t *value) {
  const bool is_register = field(x, 0, 7) == OP;
  const uint32_t function = field(x, 12, 3), kind = is_register || function % 4 == 1 ? field(x, 25, 7) : BASE;
  const uint32_t results[8] = {a + b, a << (b & 31), (int32_t)a<(int32_t)b, a<b, a ^ b, a>>(b & 31), a | b, a & b};
  if (kind == BASE)
    *value = results[function];
  else if (is_register && kind == OTHER && function == 0)
    *value = a - b;
  else if (kind == OTHER && function == 5)
    *value = (uint32_t)((int32_t)a >> (b & 31));
  else if (is_register && kind == MULDIV && function == 0)
    *value = a * b;
  else if (zba_shift(x) != 0)
    *value = (a << zba_shift(x)) + b;
  else if (kind == 0x14 && function == 1)
    *value = a | 1u << (b & 31);  // bset, bseti
  else
    return false;
  return true;
}

// Keeps account of constants.
static void evaluate(struct walk *walk, uint32_t x) {
  const uint32_t opcode = field(x, 0, 7), target = field(x, 7, 5), source = field(x, 15, 5), other = field(x, 20, 5);
  uint32_t value = 0;
  bool is_known_now = false;
  if (opcode == LUI || opcode == AUIPC) {
    value = (x & 0xFFFFF000u) + (opcode == AUIPC ? walk->pc : 0);
    is_known_now = true;
  } else if (opcode == OP_IMM) {
    is_known_now = is_known(walk, source) && combine(x, value_of(walk, source), (uint32_t)i_immediate(x), &value);
  } else if (opcode == OP) {
    is_known_now = is_known(walk, source) && is_known(walk, other) &&
                   combine(x, value_of(walk, source), value_of(walk, other), &value);
  }
  set_register(walk, target, is_known_now, value);
}

// sp := sp + change
static void move_stack(struct walk *walk, int64_t change) {
  if (change < 0)
    walk->function->frame += (uint64_t)-change;
}

// sp := sp rounded down
static void align_stack(struct walk *walk, int64_t alignment) {
  move_stack(walk, STACK_ALIGNMENT - alignment);
}

// sp from sp, or from the frame pointer, which takes it back to a depth that it had.
static bool moves_by_register(struct walk *walk, uint32_t x) {
  const uint32_t function = field(x, 12, 3), kind = field(x, 25, 7), source = field(x, 15, 5), other = field(x, 20, 5);
  const uint32_t shift = zba_shift(x);
  if (shift != 0) {  // shNadd sp, register, sp
    move_stack(walk, (int32_t)(value_of(walk, source) << shift));
    return is_known(walk, source);
  }
  if (!is_known(walk, other) || (kind != BASE && kind != OTHER))
    return false;
  const int32_t amount = (int32_t)value_of(walk, other);
  if (kind == BASE && function == 7)  // and sp, sp, -alignment
    align_stack(walk, -(int64_t)amount);
  else if (function != 0)
    return false;
  else if (source == REGISTER_SP)  // add, sub sp, sp, register
    move_stack(walk, kind == OTHER ? -(int64_t)amount : amount);
  return true;
}

static void write_stack_pointer(struct walk *walk, uint32_t x) {
  const uint32_t opcode = field(x, 0, 7), function = field(x, 12, 3), source = field(x, 15, 5);
  if (opcode == OP_IMM && function == 0) {  // addi; from the frame pointer: back to a depth it had
    move_stack(walk, source == REGISTER_SP ? i_immediate(x) : 0);
  } else if (opcode == OP_IMM && function == 7) {  // andi sp, sp, -alignment
    align_stack(walk, -(int64_t)i_immediate(x));
  } else if (opcode == OP_IMM && function == 1 && field(x, 25, 7) == 0) {  // slli sp, (sp >> n), n
    align_stack(walk, (int64_t)1 << field(x, 20, 5));
  } else if (opcode == OP && moves_by_register(walk, x)) {
  } else if (opcode != SYSTEM) {  // csrr sp starts from the top
    give_up(walk, "the stack pointer changes by what is no constant");
  }
}

// Bytes of the function from its entry on; 0: not known.
static uint32_t extent_of(const struct walk *walk) {
  return walk->code->extents[index_of(walk->code, walk->function->entry)];
}

// Follows one instruction; says whether the next one in memory can run behind it.
static bool follow(struct walk *walk) {
  const uint32_t pc = walk->pc, x = instruction_at(walk->code, pc);
  const uint32_t opcode = field(x, 0, 7), target = field(x, 7, 5), source = field(x, 15, 5);
  switch (opcode) {
    case BRANCH:
      go_on_at(walk, pc + (uint32_t)b_immediate(x));
      walk->known = 0;
      return true;
    case JAL:
      if (target == 0) {
        go_on_at(walk, pc + (uint32_t)j_immediate(x));
        return false;
      }
      call(walk, pc + (uint32_t)j_immediate(x));
      walk->known = 0;
      return true;
    case JALR:
      if (target == 0 && (source == REGISTER_RA || source == REGISTER_T0))
        return false;  // return; t0 is the link register of register-saving helpers
      if (!is_known(walk, source) && target == 0 && extent_of(walk) != 0)
        walk->is_whole = true;
      else if (!is_known(walk, source))
        give_up(walk, "a call of a function that is not known");
      else
        call(walk, value_of(walk, source) + (uint32_t)i_immediate(x));
      walk->known = 0;
      return target != 0;
    case CUSTOM_0:  // funct3 3 is exit
      set_register(walk, target, false, 0);
      return field(x, 12, 3) != 3;
    case STORE:
      return true;
    case SYSTEM:
      if (x == UNIMP)
        return false;
      break;
    default:
      break;
  }
  if (target == REGISTER_SP)
    write_stack_pointer(walk, x);
  else
    evaluate(walk, x);
  return true;
}

// Whether an instruction is a call, and behind it another function begins: then it does not return.
static bool is_last_call(const struct walk *walk, uint32_t pc) {
  const uint32_t x = instruction_at(walk->code, pc), opcode = field(x, 0, 7);
  return (opcode == JAL || opcode == JALR) && field(x, 7, 5) != 0 &&
         walk->code->extents[index_of(walk->code, pc + 4)] != 0;
}

// Walks from a PC that the walk has not come to, and from wherever that leads.
static void walk_from(struct walk *walk, uint32_t pc) {
  go_on_at(walk, pc);
  while (walk->pending_count > 0 && !has_given_up(walk)) {
    walk->pc = walk->code->pending[--walk->pending_count];
    walk->known = 0;
    while (follow(walk) && !has_given_up(walk)) {
      walk->pc += 4;
      if (!is_code(walk->code, walk->pc) || is_last_call(walk, walk->pc - 4) || !is_new(walk, walk->pc))
        break;
    }
  }
}

// Finds a function's frame and what it calls.
static void walk_function(struct walk *walk) {
  const uint32_t entry = walk->function->entry;
  walk->code->functions++;
  walk->pc = entry;
  walk_from(walk, entry);
  for (uint32_t at = 4; walk->is_whole && at < extent_of(walk) && !has_given_up(walk); at += 4)
    walk_from(walk, entry + at);
}

// The functions between the first and the one that is being measured.
struct chain {
  struct function *functions;
  size_t count, capacity;
};

static enum status begin(struct chain *chain, struct code *code, uint32_t entry, struct stack_unknown *unknown) {
  if (chain->count == chain->capacity) {
    const size_t capacity = chain->capacity * 2 + 16;
    struct function *more = realloc(chain->functions, capacity * sizeof *more);
    if (!more)
      return STATUS_FAILED;
    chain->functions = more;
    chain->capacity = capacity;
  }
  struct function *function = &chain->functions[chain->count++];
  *function = (struct function){.entry = entry};
  code->measured[index_of(code, entry)] = BEING_MEASURED;
  struct walk walk = {.code = code, .function = function, .unknown = unknown};
  walk_function(&walk);
  return walk.is_out_of_memory ? STATUS_FAILED : unknown->reason ? STATUS_REJECTED : STATUS_OK;
}

// Goes on with the last function of the chain: begins its next callee, or ends it.
static enum status step(struct chain *chain, struct code *code, struct stack_unknown *unknown) {
  struct function *function = &chain->functions[chain->count - 1];
  uint32_t *measured = &code->measured[index_of(code, function->entry)];
  if (function->next == function->count) {
    const uint64_t bytes = function->frame + function->deepest_callee;
    if (bytes > STACK_MAX) {
      *unknown = (struct stack_unknown){"more than 2 GiB of stack", function->entry};
      return STATUS_REJECTED;
    }
    *measured = (uint32_t)bytes + 1;
    free(function->callees);
    chain->count--;
    return STATUS_OK;
  }
  const uint32_t callee = function->callees[function->next], bytes = code->measured[index_of(code, callee)];
  if (bytes == 0)
    return begin(chain, code, callee, unknown);
  if (bytes == BEING_MEASURED) {
    *unknown = (struct stack_unknown){"a function that calls itself", callee};
    return STATUS_REJECTED;
  }
  if (bytes - 1 > function->deepest_callee)
    function->deepest_callee = bytes - 1;
  function->next++;
  return STATUS_OK;
}

enum status stack_bytes(struct code *code, uint32_t entry, uint32_t *bytes, struct stack_unknown *unknown) {
  struct chain chain = {0};
  *unknown = (struct stack_unknown){0};
  if (!is_code(code, entry)) {
    *unknown = (struct stack_unknown){"an entry outside of the code", entry};
    return STATUS_REJECTED;
  }
  const uint32_t *measured = &code->measured[index_of(code, entry)];
  enum status status = *measured != 0 ? STATUS_OK : begin(&chain, code, entry, unknown);
  while (status == STATUS_OK && chain.count > 0)
    status = step(&chain, code, unknown);
  while (chain.count > 0) {
    chain.count--;
    code->measured[index_of(code, chain.functions[chain.count].entry)] = 0;
    free(chain.functions[chain.count].callees);
  }
  free(chain.functions);
  *bytes = status == STATUS_OK ? *measured - 1 : 0;
  return status;
}

enum status code_open(struct code *code, const unsigned char *bytes, uint32_t address, size_t size) {
  const size_t count = size / 4 + 1;
  *code = (struct code){.bytes = bytes, .address = address, .size = size};
  code->measured = calloc(count, sizeof *code->measured);
  code->seen = calloc(count, sizeof *code->seen);
  code->pending = calloc(count, sizeof *code->pending);
  code->extents = calloc(count, sizeof *code->extents);
  return code->measured && code->seen && code->pending && code->extents ? STATUS_OK : STATUS_FAILED;
}

void code_add_function(struct code *code, uint32_t entry, uint32_t bytes) {
  if (is_code(code, entry)) {
    const size_t rest = code->size - (entry - code->address);
    code->extents[index_of(code, entry)] = bytes < rest ? bytes : (uint32_t)rest;
  }
}

void code_close(struct code *code) {
  free(code->measured);
  free(code->seen);
  free(code->pending);
  free(code->extents);
}
