// SPDX-License-Identifier: Apache-2.0
// Reads the module once to learn what each id is (il_module.c), and once to write it again. What an instruction becomes
// goes to the end of the functions; new types and constants go between the module's own and its functions.
#include "hls/il_rewrite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/il_branches.h"
#include "hls/il_built_ins.h"
#include "hls/il_constants.h"
#include "hls/il_copies.h"
#include "hls/il_elements.h"
#include "hls/il_module.h"
#include "hls/il_needless.h"

enum { BOUND_AT = 3, BOUND_MAX = 4194304, INSTRUCTIONS_MAX = 65536, DEPTH_MAX = 64 };

// Beyond so many bytes a copy is one of memory, not of a value.
enum { VALUE_BYTES_MAX = 64 };

enum { ALIGNED = 2 };

// Functions of OpenCL.std.
enum {
  EXT_FMAX = 27,
  EXT_FMIN = 28,
  EXT_FMAX_COMMON = 97,
  EXT_FMIN_COMMON = 98,
  EXT_S_MUL_HI = 160,
  EXT_U_MUL_HI = 203
};

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
  const bool is_vector = module_definition(r, at[1], TYPE_VECTOR, 4);
  struct making m = {.type = at[1], .result = at[2], .total = module_parts_of(r, at[1])};
  begin(r, &m);
  for (uint32_t i = 3; i < count; i++) {
    const uint32_t type = module_type_of(r, at[i]);
    const uint32_t elements = is_vector && module_definition(r, type, TYPE_VECTOR, 4) ? module_parts_of(r, type) : 0;
    for (uint32_t j = 0; j < elements && j < 16; j++)
      add_part(r, &m, part_of(r, module_type_of_part(r, type, j), at[i], j));
    if (elements == 0)
      add_part(r, &m, at[i]);
  }
  if (m.done != m.total)
    module_reject(r, "OpCompositeConstruct", "has another number of parts than its type");
}

// A value of another type that has the same parts.
static void copy_logical(struct rewrite *r, uint32_t type, uint32_t result, uint32_t value, uint32_t from, int depth) {
  if (type == from) {
    EMIT(r, COPY_OBJECT, type, result, value);
    return;
  }
  struct making m = {.type = type, .result = result, .total = module_parts_of(r, type)};
  r->instructions += m.total;
  if (m.total == 0 || m.total != module_parts_of(r, from) || depth > DEPTH_MAX || r->instructions > INSTRUCTIONS_MAX) {
    module_reject(r, "OpCopyLogical", "between these types is not supported");
    return;
  }
  begin(r, &m);
  for (uint32_t i = 0; i < m.total && r->status == STATUS_OK; i++) {
    const uint32_t to_part = module_type_of_part(r, type, i), from_part = module_type_of_part(r, from, i);
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
  uint32_t type = module_type_of(r, at[3]), value = at[3];
  for (uint32_t i = 4; i < length; i++) {
    if (at[i] >= module_parts_of(r, type)) {
      module_reject(r, "OpCompositeExtract", "of a part that is not there");
      return;
    }
    const uint32_t next = i + 1 == length ? at[2] : new_id(r);
    type = module_type_of_part(r, type, at[i]);
    EMIT(r, COMPOSITE_EXTRACT, type, next, value, at[i]);
    value = next;
  }
}

// `indices` lead from a composite of that type to where the object goes.
static void insert(struct rewrite *r, uint32_t type, uint32_t result, uint32_t object, uint32_t composite,
                   const uint32_t *indices, size_t count) {
  if (indices[0] >= module_parts_of(r, type) || count > DEPTH_MAX) {
    module_reject(r, "OpCompositeInsert", "of a part that is not there, or that lies deeper than 64");
    return;
  }
  if (count > 1) {
    const uint32_t part_type = module_type_of_part(r, type, indices[0]),
                   part = part_of(r, part_type, composite, indices[0]);
    const uint32_t with_object = new_id(r);
    insert(r, part_type, with_object, object, part, indices + 1, count - 1);
    object = with_object;
  }
  EMIT(r, COMPOSITE_INSERT, type, result, object, composite, indices[0]);
}

// The number as a constant of a type of integers or of vectors of them.
static uint32_t constant(struct rewrite *r, uint32_t type, uint32_t value) {
  const uint32_t parts = module_parts_of(r, type), id = new_id(r);
  if (parts != 0 && module_definition(r, module_type_of_part(r, type, 0), TYPE_INT, 4)) {
    uint32_t words[2 + 16] = {type, id}, element = constant(r, module_type_of_part(r, type, 0), value);
    for (uint32_t i = 0; i < parts && i < 16; i++)
      words[2 + i] = element;
    module_emit(r, &r->globals, CONSTANT_COMPOSITE, words, 2 + (parts < 16 ? parts : 16));
    return id;
  }
  const uint32_t *integer = module_definition(r, type, TYPE_INT, 4);
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
  const uint32_t element = module_parts_of(r, type) != 0 ? module_type_of_part(r, type, 0) : type;
  const uint32_t *integer = module_definition(r, element, TYPE_INT, 4);
  const uint32_t inverse = new_id(r);
  EMIT(r, NOT, type, inverse, is_sum ? result : a);
  const uint32_t first = is_sum ? a : inverse, third = is_sum ? inverse : result;
  const uint32_t both = operation(r, BITWISE_AND, type, first, b), one = operation(r, BITWISE_OR, type, first, b);
  const uint32_t bits = operation(r, BITWISE_OR, type, both, operation(r, BITWISE_AND, type, one, third));
  return operation(r, SHIFT_RIGHT_LOGICAL, type, bits, constant(r, type, integer ? integer[2] - 1 : 0));
}

// A structure of a result and of its bits beyond the width.
static void extended_arithmetic(struct rewrite *r, const uint32_t *at) {
  const uint32_t opcode = opcode_of(*at), type = module_type_of_part(r, at[1], 0);
  const bool is_sum = opcode == I_ADD_CARRY;
  if (module_parts_of(r, at[1]) != 2) {
    module_reject(r, "An operation with a carry or of extended precision", "whose result is no structure of two");
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
    module_emit(r, &r->globals, EXT_INST_IMPORT, words, 4);
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
  const uint32_t *pointer = length >= 3 ? module_definition(r, module_type_of(r, at[2]), TYPE_POINTER, 4) : NULL;
  if (!pointer || pointer[3] >= r->bound) {
    module_reject(r, "OpCopyMemory", "from what is no pointer");
    return;
  }
  const uint32_t type = pointer[3], bytes = r->ids[type].bytes;
  const size_t first = operands_length(at + 3, length - 3);
  const size_t second = operands_length(at + 3 + first, length - 3 - first);
  const uint32_t *from = second != 0 ? at + 3 + first : at + 3;
  const size_t from_length = second != 0 ? second : first;
  if (bytes > VALUE_BYTES_MAX) {
    const uint32_t size = module_word_constant(r, bytes);
    const uint32_t head = (uint32_t)(4 + first) << 16 | COPY_MEMORY_SIZED;
    module_append(r, &r->functions, (const uint32_t[]){head, at[1], at[2], size}, 4);
    module_append(r, &r->functions, at + 3, first);
    return;
  }
  const uint32_t value = new_id(r);
  const uint32_t load = (uint32_t)(4 + from_length) << 16 | LOAD, store = (uint32_t)(3 + first) << 16 | STORE;
  if (!elements_load(r, type, value, at[2])) {
    module_append(r, &r->functions, (const uint32_t[]){load, type, value, at[2]}, 4);
    module_append(r, &r->functions, from, from_length);
  }
  module_append(r, &r->functions, (const uint32_t[]){store, at[1], value}, 3);
  module_append(r, &r->functions, at + 3, first);
}

static uint32_t address_of(struct rewrite *r, uint32_t pointer) {
  const uint32_t id = new_id(r), type = module_word_type(r);
  EMIT(r, CONVERT_PTR_TO_U, type, id, pointer);
  return id;
}

static void compare_pointers(struct rewrite *r, const uint32_t *at) {
  const uint32_t a = address_of(r, at[3]), b = address_of(r, at[4]);
  EMIT(r, opcode_of(*at) == PTR_EQUAL ? I_EQUAL : I_NOT_EQUAL, at[1], at[2], a, b);
}

static void subtract_pointers(struct rewrite *r, const uint32_t *at) {
  const uint32_t *pointer = module_definition(r, module_type_of(r, at[3]), TYPE_POINTER, 4);
  const uint32_t *type = module_definition(r, at[1], TYPE_INT, 4);
  const uint32_t bytes = pointer && pointer[3] < r->bound ? r->ids[pointer[3]].bytes : 0;
  if (bytes == 0 || !type) {
    module_reject(r, "OpPtrDiff", "of pointers to what has no size is not supported");
    return;
  }
  const uint32_t a = address_of(r, at[3]), b = address_of(r, at[4]), difference = new_id(r);
  const bool is_word = type[2] == 32;
  const uint32_t elements = is_word ? at[2] : new_id(r);
  EMIT(r, I_SUB, module_word_type(r), difference, a, b);
  EMIT(r, S_DIV, is_word ? at[1] : module_word_type(r), elements, difference, module_word_constant(r, bytes));
  if (!is_word)
    EMIT(r, S_CONVERT, at[1], at[2], elements);
}

// The library has products of up to four elements.
static bool dot(struct rewrite *r, const uint32_t *at) {
  enum { MOST_IN_LIBRARY = 4, MOST = 16 };
  const uint32_t vector = module_type_of(r, at[3]), parts = module_parts_of(r, vector);
  if (length_of(*at) != 5 || parts <= MOST_IN_LIBRARY || parts > MOST)
    return false;
  const uint32_t products = operation(r, F_MUL, vector, at[3], at[4]);
  uint32_t sum = part_of(r, at[1], products, 0);
  for (uint32_t i = 1; i < parts; i++) {
    const uint32_t part = part_of(r, at[1], products, i), next = i + 1 == parts ? at[2] : new_id(r);
    EMIT(r, F_ADD, at[1], next, sum, part);
    sum = next;
  }
  return true;
}

// The library has no fmax_common and fmin_common, which promise less than fmax and fmin.
static bool extended_function(struct rewrite *r, const uint32_t *at) {
  if (length_of(*at) != 7 || at[3] != r->functions_of_opencl || (at[4] != EXT_FMAX_COMMON && at[4] != EXT_FMIN_COMMON))
    return false;
  EMIT(r, EXT_INST, at[1], at[2], at[3], at[4] == EXT_FMAX_COMMON ? EXT_FMAX : EXT_FMIN, at[5], at[6]);
  return true;
}

static void write(struct rewrite *r, const uint32_t *at, struct list *list) {
  const size_t length = length_of(*at);
  if (list == &r->functions && (branches_write(r, at) || elements_write(r, at)))
    return;
  if ((list == &r->globals && constants_write(r, at)) || needless_write(r, at, list))
    return;
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
    copy_logical(r, at[1], at[2], at[3], module_type_of(r, at[3]), 0);
  else if ((opcode_of(*at) == PTR_EQUAL || opcode_of(*at) == PTR_NOT_EQUAL) && length == 5)
    compare_pointers(r, at);
  else if (opcode_of(*at) == PTR_DIFF && length == 5)
    subtract_pointers(r, at);
  else if (opcode_of(*at) == DOT && length == 5 && dot(r, at))
    return;
  else if (opcode_of(*at) != EXT_INST || !extended_function(r, at))
    module_append(r, list, at, length);
}

static void write_all(struct rewrite *r) {
  bool in_functions = false;
  module_append(r, &r->globals, r->words, HEADER_WORDS);
  for (size_t at = HEADER_WORDS; at < r->count && r->status == STATUS_OK; at += length_of(r->words[at])) {
    if (opcode_of(r->words[at]) == MEMORY_MODEL)
      import_functions(r);
    in_functions = in_functions || opcode_of(r->words[at]) == FUNCTION;
    const uint32_t *instruction = built_ins_rename(r, r->words + at);
    if (instruction)
      instruction = copies_before(r, instruction, in_functions);
    if (!instruction)
      continue;
    write(r, instruction, in_functions ? &r->functions : &r->globals);
    copies_behind(r, instruction);
  }
  module_append(r, &r->globals, r->functions.words, r->functions.count);
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
  module_learn(&r);
  built_ins_learn(&r);
  if (r.status == STATUS_OK)
    copies_learn(&r);
  if (r.status == STATUS_OK)
    branches_learn(&r);
  if (r.status == STATUS_OK)
    write_all(&r);
  free(r.ids);
  free(r.detours.words);
  free(r.edited.words);
  free(r.copies.words);
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
