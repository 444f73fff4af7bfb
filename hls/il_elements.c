// SPDX-License-Identifier: Apache-2.0
// Addresses of elements of built-in variables (il_elements.h). These variables are the only ones that OpenCL has in the
// storage class Input; they are scalars and vectors, so an address has one index at most.
#include "hls/il_elements.h"

#include <stddef.h>

#include "hls/il_built_ins.h"
#include "hls/il_copies.h"

enum { INPUT = 1, INDEX_AT = 4 };

const uint32_t *elements_chain(const struct rewrite *r, uint32_t pointer) {
  const uint32_t *chain = module_definition(r, pointer, ACCESS_CHAIN, INDEX_AT);
  chain = chain ? chain : module_definition(r, pointer, IN_BOUNDS_ACCESS_CHAIN, INDEX_AT);
  const uint32_t *variable = chain ? module_definition(r, chain[3], VARIABLE, 4) : NULL;
  return variable && variable[3] == INPUT && length_of(*chain) <= INDEX_AT + 1 ? chain : NULL;
}

bool elements_load(struct rewrite *r, uint32_t type, uint32_t result, uint32_t pointer) {
  const uint32_t *chain = elements_chain(r, pointer);
  if (!chain)
    return false;
  if (length_of(*chain) == INDEX_AT) {
    EMIT(r, LOAD, type, result, built_ins_variable(r, chain[3]));
    return true;
  }
  const uint32_t *whole = module_definition(r, module_type_of(r, chain[3]), TYPE_POINTER, 4);
  const uint32_t *number = module_definition(r, chain[INDEX_AT], CONSTANT, 4);
  const uint32_t vector = whole ? whole[3] : 0, value = new_id(r);
  EMIT(r, LOAD, vector, value, built_ins_variable(r, chain[3]));
  if (number && number[3] < module_parts_of(r, vector))
    EMIT(r, COMPOSITE_EXTRACT, type, result, value, number[3]);
  else
    EMIT(r, VECTOR_EXTRACT_DYNAMIC, type, result, value, chain[INDEX_AT]);
  return true;
}

bool elements_write(struct rewrite *r, const uint32_t *at) {
  const uint32_t opcode = opcode_of(*at);
  if (opcode == ACCESS_CHAIN || opcode == IN_BOUNDS_ACCESS_CHAIN) {
    if (length_of(*at) < INDEX_AT || !elements_chain(r, at[2]))
      return false;
    const uint32_t own = copies_of_element(r, at[2], at[3]);
    uint32_t *edited = own != 0 ? module_edit(r, at) : NULL;
    if (edited) {
      edited[3] = own;
      module_append(r, &r->functions, edited, length_of(*edited));
    }
    return true;
  }
  return opcode == LOAD && length_of(*at) >= 4 && elements_load(r, at[1], at[2], at[3]);
}
