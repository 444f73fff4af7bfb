// SPDX-License-Identifier: Apache-2.0
// What a SPIR-V module says of its ids: types, their sizes and parts, values; which instructions nothing here supports.
#include "hls/il_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPACKED = 10, BUILT_IN = 11 };  // decorations

// LLVM takes a value apart into its scalars: so many at most are taken to be a program's own.
enum { SCALARS_MAX = 16384 };

void module_append(struct rewrite *r, struct list *list, const uint32_t *words, size_t count) {
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

void module_emit(struct rewrite *r, struct list *list, enum opcode opcode, const uint32_t *words, size_t count) {
  const uint32_t first = (uint32_t)(count + 1) << 16 | (uint32_t)opcode;
  module_append(r, list, &first, 1);
  module_append(r, list, words, count);
}

uint32_t *module_edit(struct rewrite *r, const uint32_t *at) {
  if (at != r->edited.words) {
    r->edited.count = 0;
    module_append(r, &r->edited, at, length_of(*at));
  }
  return r->status == STATUS_OK ? r->edited.words : NULL;
}

void module_reject(struct rewrite *r, const char *what, const char *why) {
  if (r->status == STATUS_OK) {
    fprintf(stderr, "error: %s %s\n", what, why);
    r->status = STATUS_REJECTED;
  }
}

// Instructions of SPIR-V 1.0 to 1.4 that there is nothing for: images as graphics has them, and what else devices do
// not offer.
static const struct {
  uint16_t first, last;
  const char *name;
} unsupported[] = {
    {24, 24, "OpTypeMatrix"},
    {29, 29, "OpTypeRuntimeArray"},
    {60, 60, "OpImageTexelPointer"},
    {68, 68, "OpArrayLength"},
    {84, 84, "OpTranspose"},
    {87, 87, "OpImageSampleImplicitLod"},
    {89, 97, "OpImageSample..., OpImageFetch or OpImageGather..."},
    {105, 107, "OpImageQueryLod, OpImageQueryLevels or OpImageQuerySamples"},
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
      module_reject(r, unsupported[i].name, text);
    }
  }
}

const uint32_t *module_definition(const struct rewrite *r, uint32_t id, enum opcode opcode, size_t length) {
  if (id >= r->bound || r->ids[id].definition == 0)
    return NULL;
  const uint32_t *at = r->words + r->ids[id].definition;
  return opcode_of(*at) == (uint32_t)opcode && length_of(*at) >= length ? at : NULL;
}

uint32_t module_type_of(const struct rewrite *r, uint32_t id) {
  return id < r->bound ? r->ids[id].type : 0;
}

uint32_t module_parts_of(const struct rewrite *r, uint32_t type) {
  const uint32_t *at = module_definition(r, type, TYPE_STRUCT, 2);
  if (at)
    return (uint32_t)length_of(*at) - 2;
  if ((at = module_definition(r, type, TYPE_VECTOR, 4)))
    return at[3];
  if (!(at = module_definition(r, type, TYPE_ARRAY, 4)))
    return 0;
  const uint32_t *number = module_definition(r, at[3], CONSTANT, 4);
  number = number ? number : module_definition(r, at[3], SPEC_CONSTANT, 4);
  return number ? number[3] : 0;
}

uint32_t module_type_of_part(const struct rewrite *r, uint32_t type, uint32_t part) {
  const uint32_t *at = module_definition(r, type, TYPE_STRUCT, 2);
  if (at)
    return at[2 + part];
  at = module_definition(r, type, TYPE_VECTOR, 4);
  at = at ? at : module_definition(r, type, TYPE_ARRAY, 4);
  return at ? at[2] : 0;
}

// Types are defined before what is made of them, so each knows its size when it is asked for. 0: it has none.
static void lay_out(struct rewrite *r, uint32_t id) {
  struct id *type = &r->ids[id];
  const uint32_t *at;
  uint64_t bytes = 0, scalars = 1;
  uint32_t alignment = 1;
  if ((at = module_definition(r, id, TYPE_INT, 4)) || (at = module_definition(r, id, TYPE_FLOAT, 3))) {
    bytes = alignment = at[2] / 8;
  } else if (module_definition(r, id, TYPE_BOOL, 2)) {
    bytes = 1;
  } else if (module_definition(r, id, TYPE_POINTER, 4)) {
    bytes = alignment = 4;
  } else if ((at = module_definition(r, id, TYPE_VECTOR, 4)) && at[2] < r->bound && at[3] <= 16) {
    bytes = alignment = r->ids[at[2]].bytes * (at[3] == 3 ? 4 : at[3]);
    scalars = at[3];
  } else if ((at = module_definition(r, id, TYPE_ARRAY, 4)) && at[2] < r->bound) {
    bytes = (uint64_t)r->ids[at[2]].bytes * module_parts_of(r, id);
    alignment = r->ids[at[2]].alignment;
    scalars = (uint64_t)r->ids[at[2]].scalars * module_parts_of(r, id);
  } else if ((at = module_definition(r, id, TYPE_STRUCT, 2))) {
    for (uint32_t i = 0; i < module_parts_of(r, id) && bytes <= INT32_MAX; i++) {
      const struct id *member = at[2 + i] < r->bound ? &r->ids[at[2 + i]] : NULL;
      const uint32_t own = !member || type->is_packed || member->alignment == 0 ? 1 : member->alignment;
      bytes = !member || member->bytes == 0 ? UINT32_MAX : (bytes + own - 1) / own * own + member->bytes;
      alignment = own > alignment ? own : alignment;
    }
    bytes = (bytes + alignment - 1) / alignment * alignment;
    for (size_t i = 2; i < length_of(*at) && scalars <= SCALARS_MAX; i++)
      scalars += at[i] < r->bound ? r->ids[at[i]].scalars : 0;
  }
  type->scalars = scalars <= SCALARS_MAX ? (uint32_t)scalars : SCALARS_MAX + 1;
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

// Structures within structures have as many scalars as two to the power of the module's length.
static void check_value(struct rewrite *r, uint32_t type) {
  if (type < r->bound && r->ids[type].scalars > SCALARS_MAX) {
    char text[128];
    snprintf(text, sizeof text, "of more than %d scalars: OpCopyMemorySized copies what is so large", SCALARS_MAX);
    module_reject(r, "a function has a value", text);
  }
}

void module_learn(struct rewrite *r) {
  bool in_functions = false;
  for (size_t at = HEADER_WORDS; at < r->count; at += length_of(r->words[at])) {
    const uint32_t *words = r->words + at, opcode = opcode_of(*words);
    const size_t length = length_of(*words);
    check_support(r, opcode);
    const bool has_type = has_type_and_result(opcode);
    in_functions = in_functions || opcode == FUNCTION;
    if (in_functions && has_type && length > 2)
      check_value(r, words[1]);
    else if (opcode == STORE && length > 2)  // of a constant
      check_value(r, module_type_of(r, words[2]));
    const size_t place = has_type ? 2 : is_type(opcode) ? 1 : 0;
    if (opcode == EXT_INST_IMPORT && length == 5 && memcmp(words + 2, "OpenCL.std", sizeof "OpenCL.std") == 0)
      r->functions_of_opencl = words[1];
    if (opcode == DECORATE && length == 3 && words[2] == CPACKED && words[1] < r->bound)
      r->ids[words[1]].is_packed = true;
    if (opcode == DECORATE && length == 4 && words[2] == BUILT_IN && words[1] < r->bound && words[3] != UINT32_MAX)
      r->ids[words[1]].built_in = words[3] + 1;
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

uint32_t module_word_type(struct rewrite *r) {
  if (r->word_type == 0) {
    r->word_type = new_id(r);
    EMIT_GLOBAL(r, TYPE_INT, r->word_type, 32, 0);
  }
  return r->word_type;
}

uint32_t module_word_constant(struct rewrite *r, uint32_t value) {
  const uint32_t id = new_id(r), type = module_word_type(r);
  EMIT_GLOBAL(r, CONSTANT, type, id, value);
  return id;
}
