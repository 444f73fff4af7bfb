// SPDX-License-Identifier: Apache-2.0
// Operations on specialization constants (il_constants.h).
#include "hls/il_constants.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "contract/half.h"

enum { OPERATION_AT = 3, MOST_ELEMENTS = 16 };

// A number of a type of floating point.
static void emit_number(struct rewrite *r, uint32_t type, uint32_t result, uint32_t bits, double number) {
  const float single = (float)number;
  uint32_t words[2] = {0};
  if (bits == 16)
    words[0] = heddle_half_of(number);
  else if (bits == 32)
    memcpy(words, &single, sizeof single);
  else
    memcpy(words, &number, sizeof number);
  if (bits == 64)
    EMIT_GLOBAL(r, CONSTANT, type, result, words[0], words[1]);
  else
    EMIT_GLOBAL(r, CONSTANT, type, result, words[0]);
}

// Bits of a type of floating point; 0: it is none.
static uint32_t bits_of(const struct rewrite *r, uint32_t type) {
  const uint32_t *at = module_definition(r, type, TYPE_FLOAT, 3);
  return at && (at[2] == 16 || at[2] == 32 || at[2] == 64) ? at[2] : 0;
}

// -x is -0 - x, zeros of both signs included.
static void negate(struct rewrite *r, const uint32_t *at) {
  const uint32_t *vector = module_definition(r, at[1], TYPE_VECTOR, 4);
  const uint32_t element = vector ? vector[2] : at[1], bits = bits_of(r, element);
  uint32_t zero = new_id(r), count = vector ? vector[3] : 0;
  if (bits == 0 || count > MOST_ELEMENTS) {
    module_reject(r, "OpSpecConstantOp with OpFNegate", "of this type is not supported");
    return;
  }
  emit_number(r, element, zero, bits, -0.0);
  if (vector) {
    uint32_t words[2 + MOST_ELEMENTS] = {at[1], new_id(r)};
    for (uint32_t i = 0; i < count; i++)
      words[2 + i] = zero;
    module_emit(r, &r->globals, CONSTANT_COMPOSITE, words, 2 + count);
    zero = words[1];
  }
  EMIT_GLOBAL(r, SPEC_CONSTANT_OP, at[1], at[2], F_SUB, zero, at[OPERATION_AT + 1]);
}

// False: the id is no number that is written in the module.
static bool read_number(const struct rewrite *r, uint32_t id, uint32_t bits, double *number) {
  const uint32_t *at = module_definition(r, id, CONSTANT, 4);
  float single;
  at = at ? at : module_definition(r, id, SPEC_CONSTANT, 4);
  if (!at || length_of(*at) != (bits == 64 ? 5 : 4))
    return false;
  memcpy(&single, at + 3, sizeof single);
  *number = bits == 16 ? heddle_half_value((uint16_t)at[3]) : (double)single;
  if (bits == 64)
    memcpy(number, at + 3, sizeof *number);
  return true;
}

// x - y * floor(x / y): the remainder with the sign of y.
static void remainder_of(struct rewrite *r, const uint32_t *at) {
  const uint32_t bits = bits_of(r, at[1]);
  double x, y;
  if (bits == 0 || !read_number(r, at[OPERATION_AT + 1], bits, &x) || !read_number(r, at[OPERATION_AT + 2], bits, &y)) {
    module_reject(r, "OpSpecConstantOp with OpFMod", "of vectors, or of what is itself computed, is not supported");
    return;
  }
  const double rest = fmod(x, y);
  emit_number(r, at[1], at[2], bits, rest != 0 && signbit(rest) != signbit(y) ? rest + y : rest);
}

bool constants_write(struct rewrite *r, const uint32_t *at) {
  const size_t length = length_of(*at);
  if (opcode_of(*at) != SPEC_CONSTANT_OP || length < OPERATION_AT + 2)
    return false;
  if (at[OPERATION_AT] == F_NEGATE && length == OPERATION_AT + 2)
    negate(r, at);
  else if (at[OPERATION_AT] == F_MOD && length == OPERATION_AT + 3)
    remainder_of(r, at);
  else
    return false;
  return true;
}
