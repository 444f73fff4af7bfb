// SPDX-License-Identifier: Apache-2.0
// Variables of functions with the values of built-in variables whose addresses are handed on (il_copies.h).
#include "hls/il_copies.h"

#include "hls/il_built_ins.h"
#include "hls/il_elements.h"

enum { INPUT = 1, FUNCTION_STORAGE = 7, PAIR = 2 };

// What hands on an address: the first operand that may be one, in words, and whether all behind it may be, too.
static const struct {
  enum opcode opcode;
  uint16_t first;
  bool and_the_rest;
} takers[] = {
    {FUNCTION_CALL, 4, true},
    {STORE, 2, false},
    {COPY_MEMORY_SIZED, 2, false},
    {PTR_ACCESS_CHAIN, 3, false},
    {IN_BOUNDS_PTR_ACCESS_CHAIN, 3, false},
    {COMPOSITE_CONSTRUCT, 3, true},
    {COMPOSITE_INSERT, 3, false},
    {COPY_OBJECT, 3, false},
    {CONVERT_PTR_TO_U, 3, false},
    {BITCAST, 3, false},
    {SELECT, 4, true},
    {PHI, 3, true},
    {PTR_EQUAL, 3, true},
    {PTR_NOT_EQUAL, 3, true},
    {PTR_DIFF, 3, true},
    {RETURN_VALUE, 1, false},
};

static bool is_input(const struct rewrite *r, uint32_t id) {
  const uint32_t *variable = module_definition(r, id, VARIABLE, 4);
  return variable && variable[3] == INPUT;
}

// The first word of an instruction that may be such an address, and the word behind the last one.
static size_t first_taken(const uint32_t *at, size_t *end) {
  for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
    const size_t length = length_of(*at), first = takers[i].first;
    if (takers[i].opcode != opcode_of(*at) || length <= first)
      continue;
    *end = takers[i].and_the_rest ? length : first + 1;
    return first;
  }
  return *end = 0;
}

// The built-in variable that an address is of, or is of an element of; 0: it is another one.
static uint32_t variable_of(struct rewrite *r, uint32_t address) {
  const uint32_t *chain = elements_chain(r, address);
  const uint32_t variable = built_ins_variable(r, chain ? chain[3] : address);
  if (!is_input(r, variable))
    return 0;
  if (chain)
    r->ids[address].is_taken = true;
  return variable;
}

// Of an instruction of a function: gives that a variable for each address that the instruction hands on.
static void find_taken(struct rewrite *r, const uint32_t *at) {
  size_t end;
  for (size_t word = first_taken(at, &end); word < end; word++) {
    const uint32_t variable = variable_of(r, at[word]);
    if (variable == 0)
      continue;
    if (opcode_of(*at) == RETURN_VALUE)
      module_reject(r, "OpReturnValue", "of the address of a built-in variable is not supported");
    r->has_copies = true;
    if (r->ids[variable].copy != 0)
      continue;
    r->ids[variable].copy = new_id(r);
    module_append(r, &r->copies, (const uint32_t[]){variable, r->ids[variable].copy}, PAIR);
  }
}

static void forget(struct rewrite *r) {
  for (size_t i = 0; i < r->copies.count; i += PAIR)
    r->ids[r->copies.words[i]].copy = 0;
  r->copies.count = 0;
}

static void find_in_function(struct rewrite *r, const uint32_t *at) {
  forget(r);
  for (; at < r->words + r->count && opcode_of(*at) != FUNCTION_END; at += length_of(*at))
    find_taken(r, at);
}

void copies_learn(struct rewrite *r) {
  for (size_t at = HEADER_WORDS; at < r->count && r->status == STATUS_OK; at += length_of(r->words[at]))
    if (opcode_of(r->words[at]) == FUNCTION)
      find_in_function(r, r->words + at);
  forget(r);
}

// The variables have their values before the first instruction that is none.
static void fill(struct rewrite *r) {
  for (size_t i = 0; i < r->copies.count; i += PAIR) {
    const uint32_t variable = r->copies.words[i], value = new_id(r);
    const uint32_t *type = module_definition(r, module_type_of(r, variable), TYPE_POINTER, 4);
    EMIT(r, LOAD, type ? type[3] : 0, value, variable);
    EMIT(r, STORE, r->copies.words[i + 1], value);
  }
}

static const uint32_t *with_copies(struct rewrite *r, const uint32_t *at) {
  size_t end;
  const uint32_t *with = at;
  for (size_t word = first_taken(at, &end); word < end; word++) {
    const uint32_t variable = built_ins_variable(r, at[word]);
    if (!is_input(r, variable))
      continue;
    uint32_t *edited = module_edit(r, with);
    if (!edited)
      return NULL;
    edited[word] = r->ids[variable].copy;
    with = edited;
  }
  return with;
}

const uint32_t *copies_before(struct rewrite *r, const uint32_t *at, bool in_functions) {
  const uint32_t opcode = opcode_of(*at);
  const size_t length = length_of(*at);
  if (!r->has_copies)
    return at;
  if (!in_functions) {
    if (opcode == TYPE_POINTER && length == 4 && at[2] == INPUT) {
      EMIT_GLOBAL(r, TYPE_POINTER, at[1], FUNCTION_STORAGE, at[3]);
      return NULL;
    }
    const uint32_t *type =
        opcode == VARIABLE && length == 4 && at[3] == INPUT ? module_definition(r, at[1], TYPE_POINTER, 4) : NULL;
    if (!type)
      return at;
    const uint32_t input = new_id(r);
    EMIT_GLOBAL(r, TYPE_POINTER, input, INPUT, type[3]);
    EMIT_GLOBAL(r, VARIABLE, input, at[2], INPUT);
    return NULL;
  }
  if (opcode == FUNCTION) {
    find_in_function(r, at);
    r->copies_are = COPIES_WANTED;
  } else if (r->copies_are == COPIES_DECLARED && opcode != VARIABLE && opcode != LINE && opcode != NO_LINE) {
    fill(r);
    r->copies_are = COPIES_FILLED;
  }
  return with_copies(r, at);
}

void copies_behind(struct rewrite *r, const uint32_t *at) {
  if (opcode_of(*at) != LABEL || r->copies_are != COPIES_WANTED)
    return;
  for (size_t i = 0; i < r->copies.count; i += PAIR)
    EMIT(r, VARIABLE, module_type_of(r, r->copies.words[i]), r->copies.words[i + 1], FUNCTION_STORAGE);
  r->copies_are = COPIES_DECLARED;
}

uint32_t copies_of_element(const struct rewrite *r, uint32_t address, uint32_t variable) {
  return r->ids[address].is_taken ? r->ids[variable].copy : 0;
}
