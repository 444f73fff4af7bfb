// SPDX-License-Identifier: Apache-2.0
// SPIR-V modules (spirv.h). Once heddle_spirv_open has seen that instructions follow each other up to the end, the rest
// relies on that, and on nothing that an instruction says.
#include "contract/spirv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_WORDS = 5, VERSION_AT = 1, SCHEMA_AT = 4 };

enum opcode {
  MEMORY_MODEL = 14,
  ENTRY_POINT = 15,
  EXECUTION_MODE = 16,
  TYPE_BOOL = 20,
  TYPE_INT = 21,
  TYPE_FLOAT = 22,
  CONSTANT_FALSE = 42,
  CONSTANT = 43,
  CONSTANT_NULL = 46,
  SPEC_CONSTANT_TRUE = 48,
  SPEC_CONSTANT_FALSE = 49,
  SPEC_CONSTANT = 50,
  DECORATE = 71,
  EXECUTION_MODE_ID = 331,
};
enum mode {
  LOCAL_SIZE = 17,
  LOCAL_SIZE_HINT = 18,
  SUBGROUPS_PER_WORKGROUP = 36,
  SUBGROUPS_PER_WORKGROUP_ID = 37,
  LOCAL_SIZE_ID = 38,
  LOCAL_SIZE_HINT_ID = 39,
};
enum { PHYSICAL32 = 1, OPENCL = 2, SPEC_ID = 1, USES_MAX = 64 };

static uint32_t swapped(uint32_t word) {
  return word << 24 | (word & 0xFF00) << 8 | (word >> 8 & 0xFF00) | word >> 24;
}

static uint32_t opcode_of(uint32_t word) {
  return word & 0xFFFF;
}

static size_t length_of(uint32_t word) {
  return word >> 16;
}

static uint32_t first_word(enum opcode opcode, uint32_t length) {
  return length << 16 | (uint32_t)opcode;
}

// 0, or the error.
static int check(const uint32_t *words, size_t count, struct heddle_error *error) {
  bool has_model = false;
  if (count <= HEADER_WORDS)
    return heddle_fail(error, -EINVAL, "SPIR-V module without instructions");
  if (words[VERSION_AT] >> 16 != 1 || (words[VERSION_AT] & 0xFF0000FF) != 0 ||
      (words[VERSION_AT] >> 8 & 0xFF) > HEDDLE_SPIRV_MINOR_MAX)
    return heddle_fail(error, -EINVAL, "SPIR-V module with the version word 0x%08X; versions 1.0 to 1.%d are supported",
                       words[VERSION_AT], HEDDLE_SPIRV_MINOR_MAX);
  if (words[SCHEMA_AT] != 0)
    return heddle_fail(error, -EINVAL, "SPIR-V module of schema %u; only 0 is supported", words[SCHEMA_AT]);
  for (size_t at = HEADER_WORDS; at < count; at += length_of(words[at])) {
    const size_t length = length_of(words[at]);
    if (length == 0 || length > count - at)
      return heddle_fail(error, -EINVAL, "SPIR-V module is cut short or damaged at word %zu", at);
    if (opcode_of(words[at]) == MEMORY_MODEL) {
      if (length != 3 || words[at + 1] != PHYSICAL32 || words[at + 2] != OPENCL)
        return heddle_fail(error, -EINVAL,
                           "SPIR-V module is not for OpenCL with 32-bit addresses: compile it for spirv32");
      has_model = true;
    }
  }
  return has_model ? 0 : heddle_fail(error, -EINVAL, "SPIR-V module without a memory model");
}

uint32_t *heddle_spirv_open(const void *bytes, size_t size, size_t *count, struct heddle_error *error) {
  *count = size / sizeof(uint32_t);
  if (!heddle_spirv_claimed(bytes, size) || size % sizeof(uint32_t) != 0) {
    heddle_fail(error, -EINVAL, "not a SPIR-V module");
    return NULL;
  }
  uint32_t *words = malloc(size);
  if (!words) {
    heddle_fail(error, -ENOMEM, "out of host memory");
    return NULL;
  }
  memcpy(words, bytes, size);
  for (size_t i = 0; words[0] != HEDDLE_SPIRV_MAGIC && i < *count; i++)
    words[*count - 1 - i] = swapped(words[*count - 1 - i]);
  if (check(words, *count, error) != 0) {
    free(words);
    return NULL;
  }
  return words;
}

// The first instruction behind `at`, which may be 0, with that opcode and that word in that place (from 1); 0: none.
static size_t find(const uint32_t *words, size_t count, size_t at, enum opcode opcode, size_t place, uint32_t word) {
  for (at = at ? at + length_of(words[at]) : HEADER_WORDS; at < count; at += length_of(words[at]))
    if (opcode_of(words[at]) == opcode && place < length_of(words[at]) && words[at + place] == word)
      return at;
  return 0;
}

// Bits of a scalar type, 1 for a boolean; 0: the id is none.
static uint32_t bits_of_type(const uint32_t *words, size_t count, uint32_t type) {
  static const enum opcode numbers[] = {TYPE_INT, TYPE_FLOAT};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    const size_t at = find(words, count, 0, numbers[i], 1, type);
    if (at && length_of(words[at]) > 2)
      return words[at + 2];
  }
  return find(words, count, 0, TYPE_BOOL, 1, type) ? 1 : 0;
}

// The instruction that defines a specialization constant by its result id; 0: none.
static size_t find_definition(const uint32_t *words, size_t count, uint32_t result) {
  static const enum opcode opcodes[] = {SPEC_CONSTANT_TRUE, SPEC_CONSTANT_FALSE, SPEC_CONSTANT};
  size_t at = 0;
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes && !at; i++)
    at = find(words, count, 0, opcodes[i], 2, result);
  return at;
}

// The bytes of its value; 0: of a type that has none.
static size_t bytes_of_definition(const uint32_t *words, size_t count, size_t at) {
  const uint32_t bits = bits_of_type(words, count, words[at + 1]);
  if (opcode_of(words[at]) != SPEC_CONSTANT)
    return bits == 1 && length_of(words[at]) == 3 ? 1 : 0;
  return (bits == 8 || bits == 16 || bits == 32 || bits == 64) && length_of(words[at]) == (bits == 64 ? 5 : 4)
             ? bits / 8
             : 0;
}

// The next decoration behind `at` that gives something this id; *definition is what has it, 0 if that is none.
static size_t next_of_id(const uint32_t *words, size_t count, size_t at, uint32_t id, size_t *definition) {
  while ((at = find(words, count, at, DECORATE, 2, SPEC_ID)) != 0) {
    if (length_of(words[at]) == 4 && words[at + 3] == id) {
      *definition = find_definition(words, count, words[at + 1]);
      return at;
    }
  }
  return 0;
}

size_t heddle_spirv_constant_bytes(const uint32_t *words, size_t count, uint32_t id) {
  size_t definition, bytes = 0;
  int uses = 0;
  for (size_t at = 0; (at = next_of_id(words, count, at, id, &definition)) != 0;) {
    const size_t here = definition ? bytes_of_definition(words, count, definition) : 0;
    // Two of one id are of one size, or the module is wrong and nobody sets them. Many are looked for in vain.
    if (here == 0 || (bytes != 0 && here != bytes) || ++uses > USES_MAX)
      return 0;
    bytes = here;
  }
  return bytes;
}

void heddle_spirv_specialize(uint32_t *words, size_t count, uint32_t id, const void *value) {
  const size_t bytes = heddle_spirv_constant_bytes(words, count, id);
  uint64_t number = 0;
  size_t definition;
  memcpy(&number, value, bytes);
  for (size_t at = 0; bytes != 0 && (at = next_of_id(words, count, at, id, &definition)) != 0;) {
    uint32_t *instruction = words + definition;
    if (opcode_of(*instruction) != SPEC_CONSTANT) {
      *instruction = first_word(number != 0 ? SPEC_CONSTANT_TRUE : SPEC_CONSTANT_FALSE, 3);
      continue;
    }
    const size_t type = find(words, count, 0, TYPE_INT, 1, instruction[1]);
    // Narrow signed numbers have their sign in all of the word.
    if (type && length_of(words[type]) > 3 && words[type + 3] != 0 && bytes < 4 && (number >> (8 * bytes - 1)) != 0)
      number |= UINT64_MAX << 8 * bytes;
    instruction[3] = (uint32_t)number;
    if (bytes == 8)
      instruction[4] = (uint32_t)(number >> 32);
  }
}

// The constant of 32 bits of an id; 0: there is none.
static size_t constant_of(const uint32_t *words, size_t count, uint32_t id) {
  for (size_t at = HEADER_WORDS; at < count; at += length_of(words[at])) {
    const uint32_t opcode = opcode_of(words[at]);
    if ((opcode == CONSTANT || opcode == SPEC_CONSTANT) && length_of(words[at]) == 4 && words[at + 2] == id)
      return at;
  }
  return 0;
}

// Makes an execution mode that names constants, in a copy of a module at `at`, the one with their values. It stays as
// it is if one of them is none of 32 bits.
static void spell_mode(const uint32_t *words, size_t count, uint32_t *at) {
  static const struct {
    enum mode id, number;
    uint32_t length;
  } modes[] = {{SUBGROUPS_PER_WORKGROUP_ID, SUBGROUPS_PER_WORKGROUP, 4},
               {LOCAL_SIZE_ID, LOCAL_SIZE, 6},
               {LOCAL_SIZE_HINT_ID, LOCAL_SIZE_HINT, 6}};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    uint32_t values[6] = {0};
    bool found = length_of(*at) == modes[i].length && at[2] == (uint32_t)modes[i].id;
    for (uint32_t word = 3; found && word < modes[i].length; word++) {
      const size_t constant = constant_of(words, count, at[word]);
      found = constant != 0;
      values[word] = found ? words[constant + 3] : 0;
    }
    if (found) {
      memcpy(at + 3, values + 3, (modes[i].length - 3) * sizeof *at);
      at[0] = first_word(EXECUTION_MODE, modes[i].length);
      at[2] = modes[i].number;
      return;
    }
  }
}

// A number that belongs to an id: the bits of a type of scalars, the sub-groups of a function.
struct of_id {
  uint32_t id, number;
  size_t at;
};

static int compare_ids_in_order(const void *one, const void *other) {
  const struct of_id *a = one, *b = other;
  return a->id != b->id ? (a->id > b->id) - (a->id < b->id) : (a->at > b->at) - (a->at < b->at);
}

static int compare_ids(const void *one, const void *other) {
  const struct of_id *a = one, *b = other;
  return (a->id > b->id) - (a->id < b->id);
}

// Collects the types of scalars, in the module's order; NULL: only counts them.
static size_t collect_types(const uint32_t *words, size_t count, struct of_id *types) {
  size_t found = 0;
  for (size_t at = HEADER_WORDS; at < count; at += length_of(words[at])) {
    const uint32_t opcode = opcode_of(words[at]);
    const bool is_number = (opcode == TYPE_INT || opcode == TYPE_FLOAT) && length_of(words[at]) > 2;
    if (!is_number && !(opcode == TYPE_BOOL && length_of(words[at]) > 1))
      continue;
    if (types)
      types[found] = (struct of_id){.id = words[at + 1], .number = is_number ? words[at + 2] : 1, .at = at};
    found++;
  }
  return found;
}

// All types of scalars, each id once and in order: a module has any number of zeros to be spelled. NULL: memory is out.
static struct of_id *scalar_types(const uint32_t *words, size_t count, size_t *num) {
  const size_t found = collect_types(words, count, NULL);
  struct of_id *types = malloc((found ? found : 1) * sizeof *types);
  *num = 0;
  if (!types)
    return NULL;
  collect_types(words, count, types);
  qsort(types, found, sizeof *types, compare_ids_in_order);
  for (size_t i = 0; i < found; i++)
    if (*num == 0 || types[i].id != types[*num - 1].id)
      types[(*num)++] = types[i];
  return types;
}

uint32_t *heddle_spirv_spell_out(const uint32_t *words, size_t count, size_t *new_count) {
  // At most three words become five.
  uint32_t *copy = malloc(2 * count * sizeof *copy);
  size_t used = HEADER_WORDS, modes = 0, num_types = 0;
  struct of_id *types = copy ? scalar_types(words, count, &num_types) : NULL;
  if (!types) {
    free(copy);
    return NULL;
  }
  memcpy(copy, words, HEADER_WORDS * sizeof *copy);
  for (size_t at = HEADER_WORDS; at < count; at += length_of(words[at])) {
    const bool is_null = opcode_of(words[at]) == CONSTANT_NULL && length_of(words[at]) == 3;
    const struct of_id wanted = {.id = is_null ? words[at + 1] : 0};
    const struct of_id *type = is_null ? bsearch(&wanted, types, num_types, sizeof *types, compare_ids) : NULL;
    const uint32_t bits = type ? type->number : 0;
    const size_t length = bits == 0 ? length_of(words[at]) : bits == 1 ? 3 : bits <= 32 ? 4 : 5;
    memset(copy + used, 0, length * sizeof *copy);
    memcpy(copy + used, words + at, (bits == 0 ? length : 3) * sizeof *copy);
    if (bits != 0)
      copy[used] = first_word(bits == 1 ? CONSTANT_FALSE : CONSTANT, (uint32_t)length);
    if (opcode_of(words[at]) == EXECUTION_MODE_ID && ++modes <= USES_MAX)
      spell_mode(words, count, copy + used);
    used += length;
  }
  *new_count = used;
  free(types);
  return copy;
}

// The number of sub-groups that an execution mode asks for; 0: it asks for something else.
static uint32_t sub_groups_of_mode(const uint32_t *words, size_t count, size_t at) {
  const uint32_t opcode = opcode_of(words[at]);
  if (length_of(words[at]) != 4)
    return 0;
  if (opcode == EXECUTION_MODE && words[at + 2] == SUBGROUPS_PER_WORKGROUP)
    return words[at + 3];
  if (opcode == EXECUTION_MODE_ID && words[at + 2] == SUBGROUPS_PER_WORKGROUP_ID) {
    const size_t constant = constant_of(words, count, words[at + 3]);
    return constant ? words[constant + 3] : 0;
  }
  return 0;
}

// What execution modes say, by function. There is room for one a mode. Of those that name a constant the first 64
// count.
static size_t collect_sub_groups(const uint32_t *words, size_t count, struct of_id *functions) {
  size_t found = 0, names = 0;
  for (size_t at = HEADER_WORDS; at < count; at += length_of(words[at])) {
    if (opcode_of(words[at]) == EXECUTION_MODE_ID && ++names > USES_MAX)
      continue;
    const uint32_t number = sub_groups_of_mode(words, count, at);
    if (number != 0)
      functions[found++] = (struct of_id){.id = words[at + 1], .number = number, .at = at};
  }
  return found;
}

static int compare_kernels(const void *one, const void *other) {
  return strcmp(((const struct heddle_spirv_kernel *)one)->name, ((const struct heddle_spirv_kernel *)other)->name);
}

struct heddle_spirv_kernel *heddle_spirv_kernels(const uint32_t *words, size_t count, size_t *num) {
  // An instruction takes four words.
  struct of_id *functions = malloc((count / 4 + 1) * sizeof *functions);
  struct heddle_spirv_kernel *kernels = malloc((count / 4 + 1) * sizeof *kernels);
  *num = 0;
  if (!functions || !kernels) {
    free(functions);
    free(kernels);
    return NULL;
  }
  const size_t num_functions = collect_sub_groups(words, count, functions);
  qsort(functions, num_functions, sizeof *functions, compare_ids_in_order);
  for (size_t at = HEADER_WORDS; at < count && num_functions != 0; at += length_of(words[at])) {
    const size_t length = length_of(words[at]);
    if (opcode_of(words[at]) != ENTRY_POINT || length <= 3 || !memchr(words + at + 3, 0, (length - 3) * sizeof *words))
      continue;
    const struct of_id wanted = {.id = words[at + 2]};
    const struct of_id *function = bsearch(&wanted, functions, num_functions, sizeof *functions, compare_ids);
    if (function)
      kernels[(*num)++] =
          (struct heddle_spirv_kernel){.name = (const char *)(words + at + 3), .sub_groups = function->number};
  }
  qsort(kernels, *num, sizeof *kernels, compare_kernels);
  free(functions);
  return kernels;
}

uint32_t heddle_spirv_sub_groups(const struct heddle_spirv_kernel *kernels, size_t num, const char *name) {
  const struct heddle_spirv_kernel wanted = {.name = name};
  const struct heddle_spirv_kernel *found = bsearch(&wanted, kernels, num, sizeof *kernels, compare_kernels);
  return found ? found->sub_groups : 0;
}
