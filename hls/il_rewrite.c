// SPDX-License-Identifier: Apache-2.0
// Reads the module once to learn what each id is, and once to write it again. What an instruction becomes goes to the
// end of the functions; new types and constants go between the module's own and its functions.
#include "hls/il_rewrite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_WORDS = 5, BOUND_AT = 3, BOUND_MAX = 4194304, INSTRUCTIONS_MAX = 65536, DEPTH_MAX = 64 };

// Beyond so many bytes a copy is one of memory, not of a value.
enum { VALUE_BYTES_MAX = 64 };

enum opcode {
  UNDEF = 1,
  EXT_INST_IMPORT = 11,
  EXT_INST = 12,
  MEMORY_MODEL = 14,
  TYPE_BOOL = 20,
  TYPE_INT = 21,
  TYPE_FLOAT = 22,
  TYPE_VECTOR = 23,
  TYPE_ARRAY = 28,
  TYPE_STRUCT = 30,
  TYPE_POINTER = 32,
  CONSTANT = 43,
  CONSTANT_COMPOSITE = 44,
  SPEC_CONSTANT = 50,
  FUNCTION = 54,
  LOAD = 61,
  STORE = 62,
  COPY_MEMORY = 63,
  COPY_MEMORY_SIZED = 64,
  DECORATE = 71,
  COMPOSITE_CONSTRUCT = 80,
  COMPOSITE_EXTRACT = 81,
  COMPOSITE_INSERT = 82,
  COPY_OBJECT = 83,
  S_CONVERT = 114,
  CONVERT_PTR_TO_U = 117,
  I_ADD = 128,
  I_SUB = 130,
  I_MUL = 132,
  S_DIV = 135,
  I_ADD_CARRY = 149,
  I_SUB_BORROW = 150,
  U_MUL_EXTENDED = 151,
  S_MUL_EXTENDED = 152,
  I_EQUAL = 170,
  I_NOT_EQUAL = 171,
  SHIFT_RIGHT_LOGICAL = 194,
  BITWISE_OR = 197,
  BITWISE_AND = 199,
  NOT = 200,
  COPY_LOGICAL = 400,
  PTR_EQUAL = 401,
  PTR_NOT_EQUAL = 402,
  PTR_DIFF = 403,
  DECORATE_STRING = 5632,
  MEMBER_DECORATE_STRING = 5633,
};
enum { CPACKED = 10, ALIGNED = 2, EXT_S_MUL_HI = 160, EXT_U_MUL_HI = 203 };

struct list {
  uint32_t *words;
  size_t count, capacity;
};

struct id {
  size_t definition;          // its instruction; 0: none
  uint32_t type;              // the id of its type, 0: none
  uint32_t bytes, alignment;  // of a type, once they have been asked for; bytes 0: not known
  bool is_packed;
};

struct rewrite {
  const uint32_t *words;
  size_t count;
  struct id *ids;
  uint32_t bound;                // of the module's own
  uint32_t next;                 // the next new id
  uint32_t word_type;            // OpTypeInt 32 0
  uint32_t functions_of_opencl;  // OpExtInstImport "OpenCL.std"
  struct list globals, functions;
  size_t instructions;  // that copies of structures have become
  enum status status;
};

static uint32_t opcode_of(uint32_t word) {
  return word & 0xFFFF;
}

static size_t length_of(uint32_t word) {
  return word >> 16;
}

static void append(struct rewrite *r, struct list *list, const uint32_t *words, size_t count) {
  if (list->capacity - list->count < count) {
    const size_t capacity = list->capacity * 2 + count + 64;
    uint32_t *more = realloc(list->words, capacity * sizeof *more);
    if (!more) {
      r->status = STATUS_FAILED;
      return;
    }
    list->words = more;
    list->capacity = capacity;
  }
  if (count != 0) {
    memcpy(list->words + list->count, words, count * sizeof *words);
    list->count += count;
  }
}

// An instruction of a function. The words behind the first, with how many there are.
#define EMIT(r, opcode, ...)                                        \
  emit(r, &(r)->functions, opcode, (const uint32_t[]){__VA_ARGS__}, \
       sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define EMIT_GLOBAL(r, opcode, ...) \
  emit(r, &(r)->globals, opcode, (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
static void emit(struct rewrite *r, struct list *list, enum opcode opcode, const uint32_t *words, size_t count) {
  const uint32_t first = (uint32_t)(count + 1) << 16 | (uint32_t)opcode;
  append(r, list, &first, 1);
  append(r, list, words, count);
}

static uint32_t new_id(struct rewrite *r) {
  return r->next++;
}

static void reject(struct rewrite *r, const char *what, const char *why) {
  if (r->status == STATUS_OK) {
    fprintf(stderr, "error: %s %s\n", what, why);
    r->status = STATUS_REJECTED;
  }
}

// Instructions of SPIR-V 1.0 to 1.4 that there is nothing for: images, graphics, and what else devices do not offer.
static const struct {
  uint16_t first, last;
  const char *name;
} unsupported[] = {
    {24, 24, "OpTypeMatrix"},
    {25, 25, "OpTypeImage"},
    {26, 26, "OpTypeSampler"},
    {27, 27, "OpTypeSampledImage"},
    {29, 29, "OpTypeRuntimeArray"},
    {45, 45, "OpConstantSampler"},
    {60, 60, "OpImageTexelPointer"},
    {68, 68, "OpArrayLength"},
    {84, 84, "OpTranspose"},
    {86, 107, "OpSampledImage or OpImage..."},
    {69, 69, "OpGenericPtrMemSemantics"},
    {116, 116, "OpQuantizeToF16"},
    {143, 147, "an operation on matrices"},
    {207, 221, "an instruction of graphics"},
    {252, 252, "OpKill"},
    {305, 316, "OpImageSparse..."},
    {320, 320, "OpImageSparseRead"},
    {321, 321, "OpSizeOf"},
    {322, 322, "OpTypePipeStorage"},
    {323, 323, "OpConstantPipeStorage"},
    {324, 324, "OpCreatePipeFromPipeStorage"},
    {325, 325, "OpGetKernelLocalSizeForSubgroupCount"},
    {326, 326, "OpGetKernelMaxNumSubgroups"},
    {327, 327, "OpTypeNamedBarrier"},
    {328, 328, "OpNamedBarrierInitialize"},
    {329, 329, "OpMemoryNamedBarrier"},
    {365, 365, "OpGroupNonUniformQuadBroadcast"},
    {366, 366, "OpGroupNonUniformQuadSwap"},
};

static void check_support(struct rewrite *r, uint32_t opcode) {
  for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++) {
    if (opcode >= unsupported[i].first && opcode <= unsupported[i].last) {
      char text[64];
      snprintf(text, sizeof text, "(instruction %u of SPIR-V) is not supported", opcode);
      reject(r, unsupported[i].name, text);
    }
  }
}

// The instruction that defines an id, if it is of that kind and has so many words; else NULL.
static const uint32_t *definition(const struct rewrite *r, uint32_t id, enum opcode opcode, size_t length) {
  if (id >= r->bound || r->ids[id].definition == 0)
    return NULL;
  const uint32_t *at = r->words + r->ids[id].definition;
  return opcode_of(*at) == (uint32_t)opcode && length_of(*at) >= length ? at : NULL;
}

static uint32_t type_of(const struct rewrite *r, uint32_t id) {
  return id < r->bound ? r->ids[id].type : 0;
}

// How many parts something of the type has; 0: none, or it is no composite.
static uint32_t parts_of(const struct rewrite *r, uint32_t type) {
  const uint32_t *at = definition(r, type, TYPE_STRUCT, 2);
  if (at)
    return (uint32_t)length_of(*at) - 2;
  if ((at = definition(r, type, TYPE_VECTOR, 4)))
    return at[3];
  if (!(at = definition(r, type, TYPE_ARRAY, 4)))
    return 0;
  const uint32_t *number = definition(r, at[3], CONSTANT, 4);
  number = number ? number : definition(r, at[3], SPEC_CONSTANT, 4);
  return number ? number[3] : 0;
}

static uint32_t type_of_part(const struct rewrite *r, uint32_t type, uint32_t part) {
  const uint32_t *at = definition(r, type, TYPE_STRUCT, 2);
  if (at)
    return at[2 + part];
  at = definition(r, type, TYPE_VECTOR, 4);
  at = at ? at : definition(r, type, TYPE_ARRAY, 4);
  return at ? at[2] : 0;
}

// Types are defined before what is made of them, so each knows its size when it is asked for. 0: it has none.
static void lay_out(struct rewrite *r, uint32_t id) {
  struct id *type = &r->ids[id];
  const uint32_t *at;
  uint64_t bytes = 0;
  uint32_t alignment = 1;
  if ((at = definition(r, id, TYPE_INT, 4)) || (at = definition(r, id, TYPE_FLOAT, 3))) {
    bytes = alignment = at[2] / 8;
  } else if (definition(r, id, TYPE_BOOL, 2)) {
    bytes = 1;
  } else if (definition(r, id, TYPE_POINTER, 4)) {
    bytes = alignment = 4;
  } else if ((at = definition(r, id, TYPE_VECTOR, 4)) && at[2] < r->bound && at[3] <= 16) {
    bytes = alignment = r->ids[at[2]].bytes * (at[3] == 3 ? 4 : at[3]);
  } else if ((at = definition(r, id, TYPE_ARRAY, 4)) && at[2] < r->bound) {
    bytes = (uint64_t)r->ids[at[2]].bytes * parts_of(r, id);
    alignment = r->ids[at[2]].alignment;
  } else if ((at = definition(r, id, TYPE_STRUCT, 2))) {
    for (uint32_t i = 0; i < parts_of(r, id) && bytes <= INT32_MAX; i++) {
      const struct id *member = at[2 + i] < r->bound ? &r->ids[at[2 + i]] : NULL;
      const uint32_t own = !member || type->is_packed || member->alignment == 0 ? 1 : member->alignment;
      bytes = !member || member->bytes == 0 ? UINT32_MAX : (bytes + own - 1) / own * own + member->bytes;
      alignment = own > alignment ? own : alignment;
    }
    bytes = (bytes + alignment - 1) / alignment * alignment;
  }
  type->bytes = bytes <= INT32_MAX ? (uint32_t)bytes : 0;
  type->alignment = alignment;
}

// Which instructions begin with a type and a result, and which with a result.
static bool has_type_and_result(uint32_t opcode) {
  static const struct {
    uint16_t first, last;
  } ranges[] = {{1, 1},     {12, 12},   {41, 46},   {48, 52},   {54, 55},   {57, 57},   {59, 61},   {65, 70},
                {77, 84},   {86, 98},   {100, 107}, {109, 124}, {126, 191}, {194, 205}, {207, 215}, {227, 227},
                {229, 242}, {245, 245}, {259, 259}, {261, 271}, {274, 280}, {282, 286}, {291, 296}, {299, 300},
                {303, 305}, {318, 318}, {321, 321}, {324, 326}, {328, 328}, {333, 366}, {400, 403}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (opcode >= ranges[i].first && opcode <= ranges[i].last)
      return true;
  return false;
}

static bool is_type(uint32_t opcode) {
  return opcode >= 19 && opcode <= 38;
}

static void learn(struct rewrite *r) {
  for (size_t at = HEADER_WORDS; at < r->count; at += length_of(r->words[at])) {
    const uint32_t *words = r->words + at, opcode = opcode_of(*words);
    const size_t length = length_of(*words);
    check_support(r, opcode);
    const bool has_type = has_type_and_result(opcode);
    const size_t place = has_type ? 2 : is_type(opcode) ? 1 : 0;
    if (opcode == EXT_INST_IMPORT && length == 5 && memcmp(words + 2, "OpenCL.std", sizeof "OpenCL.std") == 0)
      r->functions_of_opencl = words[1];
    if (opcode == DECORATE && length == 3 && words[2] == CPACKED && words[1] < r->bound)
      r->ids[words[1]].is_packed = true;
    if (place == 0 || place >= length || words[place] >= r->bound)
      continue;
    struct id *id = &r->ids[words[place]];
    id->definition = at;
    id->type = has_type ? words[1] : 0;
    if (is_type(opcode))
      lay_out(r, words[place]);
    if (opcode == TYPE_INT && length == 4 && words[2] == 32)
      r->word_type = words[place];
  }
}

static uint32_t word_type(struct rewrite *r) {
  if (r->word_type == 0) {
    r->word_type = new_id(r);
    EMIT_GLOBAL(r, TYPE_INT, r->word_type, 32, 0);
  }
  return r->word_type;
}

static uint32_t word_constant(struct rewrite *r, uint32_t value) {
  const uint32_t id = new_id(r), type = word_type(r);
  EMIT_GLOBAL(r, CONSTANT, type, id, value);
  return id;
}

// What a composite is made of, one after the other.
struct making {
  uint32_t type, result;
  uint32_t total, done;
  uint32_t value;  // with the parts so far
};

static void begin(struct rewrite *r, struct making *m) {
  m->value = m->total == 0 ? m->result : new_id(r);
  EMIT(r, UNDEF, m->type, m->value);
}

static void add_part(struct rewrite *r, struct making *m, uint32_t part) {
  const uint32_t next = m->done + 1 == m->total ? m->result : new_id(r);
  if (m->done < m->total)
    EMIT(r, COMPOSITE_INSERT, m->type, next, part, m->value, m->done);
  m->value = next;
  m->done++;
}

static uint32_t part_of(struct rewrite *r, uint32_t type, uint32_t composite, uint32_t part) {
  const uint32_t id = new_id(r);
  EMIT(r, COMPOSITE_EXTRACT, type, id, composite, part);
  return id;
}

// Vectors among what a vector is made of count as their elements.
static void construct(struct rewrite *r, const uint32_t *at) {
  const uint32_t count = (uint32_t)length_of(*at);
  const bool is_vector = definition(r, at[1], TYPE_VECTOR, 4);
  struct making m = {.type = at[1], .result = at[2], .total = parts_of(r, at[1])};
  begin(r, &m);
  for (uint32_t i = 3; i < count; i++) {
    const uint32_t type = type_of(r, at[i]);
    const uint32_t elements = is_vector && definition(r, type, TYPE_VECTOR, 4) ? parts_of(r, type) : 0;
    for (uint32_t j = 0; j < elements && j < 16; j++)
      add_part(r, &m, part_of(r, type_of_part(r, type, j), at[i], j));
    if (elements == 0)
      add_part(r, &m, at[i]);
  }
  if (m.done != m.total)
    reject(r, "OpCompositeConstruct", "has another number of parts than its type");
}

// A value of another type that has the same parts.
static void copy_logical(struct rewrite *r, uint32_t type, uint32_t result, uint32_t value, uint32_t from, int depth) {
  if (type == from) {
    EMIT(r, COPY_OBJECT, type, result, value);
    return;
  }
  struct making m = {.type = type, .result = result, .total = parts_of(r, type)};
  r->instructions += m.total;
  if (m.total == 0 || m.total != parts_of(r, from) || depth > DEPTH_MAX || r->instructions > INSTRUCTIONS_MAX) {
    reject(r, "OpCopyLogical", "between these types is not supported");
    return;
  }
  begin(r, &m);
  for (uint32_t i = 0; i < m.total && r->status == STATUS_OK; i++) {
    const uint32_t to_part = type_of_part(r, type, i), from_part = type_of_part(r, from, i);
    uint32_t part = part_of(r, from_part, value, i);
    if (to_part != from_part) {
      const uint32_t made = new_id(r);
      copy_logical(r, to_part, made, part, from_part, depth + 1);
      part = made;
    }
    add_part(r, &m, part);
  }
}

// The translator takes one index at a time where vectors are among what is taken apart.
static void extract(struct rewrite *r, const uint32_t *at) {
  const uint32_t length = (uint32_t)length_of(*at);
  uint32_t type = type_of(r, at[3]), value = at[3];
  for (uint32_t i = 4; i < length; i++) {
    if (at[i] >= parts_of(r, type)) {
      reject(r, "OpCompositeExtract", "of a part that is not there");
      return;
    }
    const uint32_t next = i + 1 == length ? at[2] : new_id(r);
    type = type_of_part(r, type, at[i]);
    EMIT(r, COMPOSITE_EXTRACT, type, next, value, at[i]);
    value = next;
  }
}

// `indices` lead from a composite of that type to where the object goes.
static void insert(struct rewrite *r, uint32_t type, uint32_t result, uint32_t object, uint32_t composite,
                   const uint32_t *indices, size_t count) {
  if (indices[0] >= parts_of(r, type) || count > DEPTH_MAX) {
    reject(r, "OpCompositeInsert", "of a part that is not there, or that lies deeper than 64");
    return;
  }
  if (count > 1) {
    const uint32_t part_type = type_of_part(r, type, indices[0]), part = part_of(r, part_type, composite, indices[0]);
    const uint32_t with_object = new_id(r);
    insert(r, part_type, with_object, object, part, indices + 1, count - 1);
    object = with_object;
  }
  EMIT(r, COMPOSITE_INSERT, type, result, object, composite, indices[0]);
}

// The number as a constant of a type of integers or of vectors of them.
static uint32_t constant(struct rewrite *r, uint32_t type, uint32_t value) {
  const uint32_t parts = parts_of(r, type), id = new_id(r);
  if (parts != 0 && definition(r, type_of_part(r, type, 0), TYPE_INT, 4)) {
    uint32_t words[2 + 16] = {type, id}, element = constant(r, type_of_part(r, type, 0), value);
    for (uint32_t i = 0; i < parts && i < 16; i++)
      words[2 + i] = element;
    emit(r, &r->globals, CONSTANT_COMPOSITE, words, 2 + (parts < 16 ? parts : 16));
    return id;
  }
  const uint32_t *integer = definition(r, type, TYPE_INT, 4);
  if (integer && integer[2] == 64)
    EMIT_GLOBAL(r, CONSTANT, type, id, value, 0);
  else
    EMIT_GLOBAL(r, CONSTANT, type, id, value);
  return id;
}

static uint32_t operation(struct rewrite *r, enum opcode opcode, uint32_t type, uint32_t a, uint32_t b) {
  const uint32_t id = new_id(r);
  EMIT(r, opcode, type, id, a, b);
  return id;
}

// The bit that a + b or a - b carries: the majority of the highest bits of a, b and the inverse of the sum, and of the
// inverse of a, b and the difference.
static uint32_t carry(struct rewrite *r, uint32_t type, uint32_t a, uint32_t b, uint32_t result, bool is_sum) {
  const uint32_t element = parts_of(r, type) != 0 ? type_of_part(r, type, 0) : type;
  const uint32_t *integer = definition(r, element, TYPE_INT, 4);
  const uint32_t inverse = new_id(r);
  EMIT(r, NOT, type, inverse, is_sum ? result : a);
  const uint32_t first = is_sum ? a : inverse, third = is_sum ? inverse : result;
  const uint32_t both = operation(r, BITWISE_AND, type, first, b), one = operation(r, BITWISE_OR, type, first, b);
  const uint32_t bits = operation(r, BITWISE_OR, type, both, operation(r, BITWISE_AND, type, one, third));
  return operation(r, SHIFT_RIGHT_LOGICAL, type, bits, constant(r, type, integer ? integer[2] - 1 : 0));
}

// A structure of a result and of its bits beyond the width.
static void extended_arithmetic(struct rewrite *r, const uint32_t *at) {
  const uint32_t opcode = opcode_of(*at), type = type_of_part(r, at[1], 0);
  const bool is_sum = opcode == I_ADD_CARRY;
  if (parts_of(r, at[1]) != 2) {
    reject(r, "An operation with a carry or of extended precision", "whose result is no structure of two");
    return;
  }
  uint32_t low, high;
  if (is_sum || opcode == I_SUB_BORROW) {
    low = operation(r, is_sum ? I_ADD : I_SUB, type, at[3], at[4]);
    high = carry(r, type, at[3], at[4], low, is_sum);
  } else {
    low = operation(r, I_MUL, type, at[3], at[4]);
    high = new_id(r);
    EMIT(r, EXT_INST, type, high, r->functions_of_opencl, opcode == U_MUL_EXTENDED ? EXT_U_MUL_HI : EXT_S_MUL_HI, at[3],
         at[4]);
  }
  struct making m = {.type = at[1], .result = at[2], .total = 2};
  begin(r, &m);
  add_part(r, &m, low);
  add_part(r, &m, high);
}

// The functions of OpenCL C, which a module may not have asked for.
static void import_functions(struct rewrite *r) {
  if (r->functions_of_opencl == 0) {
    uint32_t words[4] = {new_id(r)};
    memcpy(words + 1, "OpenCL.std", sizeof "OpenCL.std");
    emit(r, &r->globals, EXT_INST_IMPORT, words, 4);
    r->functions_of_opencl = words[0];
  }
}

// Memory operands (SPIR-V, section 3.26) from `at` on: how many words.
static size_t operands_length(const uint32_t *at, size_t left) {
  return left == 0 ? 0 : (at[0] & ALIGNED) != 0 && left > 1 ? 2 : 1;
}

// As one value, or as so many bytes where it is large.
static void copy_memory(struct rewrite *r, const uint32_t *at) {
  const size_t length = length_of(*at);
  const uint32_t *pointer = length >= 3 ? definition(r, type_of(r, at[2]), TYPE_POINTER, 4) : NULL;
  if (!pointer || pointer[3] >= r->bound) {
    reject(r, "OpCopyMemory", "from what is no pointer");
    return;
  }
  const uint32_t type = pointer[3], bytes = r->ids[type].bytes;
  const size_t first = operands_length(at + 3, length - 3);
  const size_t second = operands_length(at + 3 + first, length - 3 - first);
  const uint32_t *from = second != 0 ? at + 3 + first : at + 3;
  const size_t from_length = second != 0 ? second : first;
  if (bytes > VALUE_BYTES_MAX) {
    const uint32_t size = word_constant(r, bytes);
    const uint32_t head = (uint32_t)(4 + first) << 16 | COPY_MEMORY_SIZED;
    append(r, &r->functions, (const uint32_t[]){head, at[1], at[2], size}, 4);
    append(r, &r->functions, at + 3, first);
    return;
  }
  const uint32_t value = new_id(r);
  const uint32_t load = (uint32_t)(4 + from_length) << 16 | LOAD, store = (uint32_t)(3 + first) << 16 | STORE;
  append(r, &r->functions, (const uint32_t[]){load, type, value, at[2]}, 4);
  append(r, &r->functions, from, from_length);
  append(r, &r->functions, (const uint32_t[]){store, at[1], value}, 3);
  append(r, &r->functions, at + 3, first);
}

static uint32_t address_of(struct rewrite *r, uint32_t pointer) {
  const uint32_t id = new_id(r), type = word_type(r);
  EMIT(r, CONVERT_PTR_TO_U, type, id, pointer);
  return id;
}

static void compare_pointers(struct rewrite *r, const uint32_t *at) {
  const uint32_t a = address_of(r, at[3]), b = address_of(r, at[4]);
  EMIT(r, opcode_of(*at) == PTR_EQUAL ? I_EQUAL : I_NOT_EQUAL, at[1], at[2], a, b);
}

static void subtract_pointers(struct rewrite *r, const uint32_t *at) {
  const uint32_t *pointer = definition(r, type_of(r, at[3]), TYPE_POINTER, 4);
  const uint32_t *type = definition(r, at[1], TYPE_INT, 4);
  const uint32_t bytes = pointer && pointer[3] < r->bound ? r->ids[pointer[3]].bytes : 0;
  if (bytes == 0 || !type) {
    reject(r, "OpPtrDiff", "of pointers to what has no size is not supported");
    return;
  }
  const uint32_t a = address_of(r, at[3]), b = address_of(r, at[4]), difference = new_id(r);
  const bool is_word = type[2] == 32;
  const uint32_t elements = is_word ? at[2] : new_id(r);
  EMIT(r, I_SUB, word_type(r), difference, a, b);
  EMIT(r, S_DIV, is_word ? at[1] : word_type(r), elements, difference, word_constant(r, bytes));
  if (!is_word)
    EMIT(r, S_CONVERT, at[1], at[2], elements);
}

static void write(struct rewrite *r, const uint32_t *at, struct list *list) {
  const size_t length = length_of(*at);
  switch (opcode_of(*at)) {
    case DECORATE_STRING:
    case MEMBER_DECORATE_STRING:
      return;
    case COPY_MEMORY:
      copy_memory(r, at);
      return;
    default:
      break;
  }
  if (opcode_of(*at) == COMPOSITE_CONSTRUCT && length >= 3)
    construct(r, at);
  else if (opcode_of(*at) == COMPOSITE_EXTRACT && length > 5)
    extract(r, at);
  else if (opcode_of(*at) == COMPOSITE_INSERT && length > 6)
    insert(r, at[1], at[2], at[3], at[4], at + 5, length - 5);
  else if (opcode_of(*at) >= I_ADD_CARRY && opcode_of(*at) <= S_MUL_EXTENDED && length == 5)
    extended_arithmetic(r, at);
  else if (opcode_of(*at) == COPY_LOGICAL && length == 4)
    copy_logical(r, at[1], at[2], at[3], type_of(r, at[3]), 0);
  else if ((opcode_of(*at) == PTR_EQUAL || opcode_of(*at) == PTR_NOT_EQUAL) && length == 5)
    compare_pointers(r, at);
  else if (opcode_of(*at) == PTR_DIFF && length == 5)
    subtract_pointers(r, at);
  else
    append(r, list, at, length);
}

static void write_all(struct rewrite *r) {
  bool in_functions = false;
  append(r, &r->globals, r->words, HEADER_WORDS);
  for (size_t at = HEADER_WORDS; at < r->count && r->status == STATUS_OK; at += length_of(r->words[at])) {
    if (opcode_of(r->words[at]) == MEMORY_MODEL)
      import_functions(r);
    in_functions = in_functions || opcode_of(r->words[at]) == FUNCTION;
    write(r, r->words + at, in_functions ? &r->functions : &r->globals);
  }
  append(r, &r->globals, r->functions.words, r->functions.count);
}

enum status il_rewrite(const uint32_t *words, size_t count, uint32_t **copy, size_t *new_count) {
  struct rewrite r = {.words = words, .count = count, .bound = words[BOUND_AT], .next = words[BOUND_AT]};
  if (r.bound > BOUND_MAX) {
    fprintf(stderr, "error: SPIR-V module with ids up to %u; %d are allowed\n", r.bound, BOUND_MAX);
    return STATUS_REJECTED;
  }
  r.ids = calloc((size_t)r.bound + 1, sizeof *r.ids);
  if (!r.ids)
    return STATUS_FAILED;
  learn(&r);
  if (r.status == STATUS_OK)
    write_all(&r);
  free(r.ids);
  free(r.functions.words);
  if (r.status != STATUS_OK) {
    free(r.globals.words);
    return r.status;
  }
  r.globals.words[BOUND_AT] = r.next;
  *copy = r.globals.words;
  *new_count = r.globals.count;
  return STATUS_OK;
}
