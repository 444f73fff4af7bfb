// SPDX-License-Identifier: Apache-2.0
// Instructions of SPIR-V that change nothing, and the alignment that clang spoils (il_needless.h).
#include "hls/il_needless.h"

enum { ALIGNMENT = 44 };

// Whether the value has the type already.
static bool is_of(const struct rewrite *r, uint32_t value, uint32_t type) {
  return type != 0 && module_type_of(r, value) == type;
}

// any() and all() of one value: its highest bit, where it is no truth value.
static bool write_test(struct rewrite *r, const uint32_t *at) {
  const uint32_t type = module_type_of(r, at[3]);
  if (is_of(r, at[3], at[1])) {
    EMIT(r, COPY_OBJECT, at[1], at[2], at[3]);
    return true;
  }
  if (!module_definition(r, type, TYPE_INT, 4))
    return false;
  const uint32_t zero = new_id(r);
  EMIT_GLOBAL(r, CONSTANT_NULL, type, zero);
  EMIT(r, S_LESS_THAN, at[1], at[2], at[3], zero);
  return true;
}

bool needless_write(struct rewrite *r, const uint32_t *at, struct list *list) {
  if (length_of(*at) != 4)
    return false;
  switch (opcode_of(*at)) {
    case U_CONVERT:
    case S_CONVERT:
    case F_CONVERT:
      if (!is_of(r, at[3], at[1]))
        return false;
      module_emit(r, list, COPY_OBJECT, at + 1, 3);
      return true;
    case ANY:
    case ALL:
      return list == &r->functions && write_test(r, at);
    case DECORATE:  // -128 is what is left of 128 in 8 bits
      if (at[2] != ALIGNMENT || at[3] != (uint32_t)-128)
        return false;
      module_emit(r, list, DECORATE, (const uint32_t[]){at[1], ALIGNMENT, 128}, 3);
      return true;
    default:
      return false;
  }
}
