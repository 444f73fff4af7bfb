// SPDX-License-Identifier: Apache-2.0
// One variable for each built-in value of a SPIR-V module (il_built_ins.h).
#include "hls/il_built_ins.h"

#include <string.h>

// What speaks of a variable, but does not hand on its address (il_copies.c); the operand, in words. Of an entry point
// all behind the name may be variables.
static const struct {
  enum opcode opcode;
  uint16_t operand;
} speakers[] = {
    {ENTRY_POINT, 3}, {LOAD, 3}, {COPY_MEMORY, 2}, {ACCESS_CHAIN, 3}, {IN_BOUNDS_ACCESS_CHAIN, 3},
};

void built_ins_learn(struct rewrite *r) {
  enum { KINDS = 64, INPUT = 1 };
  uint32_t firsts[KINDS] = {0};  // variables, by the number of the built-in value
  for (uint32_t id = 1; id < r->bound; id++) {
    const uint32_t *variable = module_definition(r, id, VARIABLE, 4);
    const uint32_t kind = r->ids[id].built_in;  // one more than the number; those of OpenCL are small
    if (!variable || variable[3] != INPUT || kind == 0 || kind > KINDS)
      continue;
    uint32_t *first = &firsts[kind - 1];
    if (*first == 0)
      *first = id;
    else if (module_type_of(r, *first) == module_type_of(r, id))
      r->ids[id].stands_for = *first;
  }
}

uint32_t built_ins_variable(const struct rewrite *r, uint32_t id) {
  return id < r->bound && r->ids[id].stands_for != 0 ? r->ids[id].stands_for : id;
}

static bool is_replaced(const struct rewrite *r, uint32_t id) {
  return built_ins_variable(r, id) != id;
}

// The word behind an entry point's name, which ends with a zero byte.
static size_t behind_name(const uint32_t *at, size_t first, size_t length) {
  while (first < length && !memchr(&at[first], 0, sizeof at[first]))
    first++;
  return first + 1;
}

const uint32_t *built_ins_rename(struct rewrite *r, const uint32_t *at) {
  const uint32_t opcode = opcode_of(*at);
  const size_t length = length_of(*at);
  const bool names_it = (opcode == NAME || opcode == DECORATE) && length >= 2 && is_replaced(r, at[1]);
  if (names_it || (opcode == VARIABLE && length >= 3 && is_replaced(r, at[2])))
    return NULL;
  const uint32_t *renamed = at;
  for (size_t i = 0; i < sizeof speakers / sizeof *speakers; i++) {
    if (speakers[i].opcode != opcode)
      continue;
    const bool is_list = opcode == ENTRY_POINT;
    size_t word = is_list ? behind_name(at, speakers[i].operand, length) : speakers[i].operand;
    for (; word < length; word = is_list ? word + 1 : length) {
      if (!is_replaced(r, at[word]))
        continue;
      uint32_t *edited = module_edit(r, renamed);
      if (!edited)
        return NULL;
      edited[word] = built_ins_variable(r, at[word]);
      renamed = edited;
    }
  }
  return renamed;
}
