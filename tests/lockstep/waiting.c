// SPDX-License-Identifier: Apache-2.0
// Lanes of a sub-group that wait in a loop until others of it have been there: what ends only because they take turns
// (contract/DEVICE.md, "Which lanes run").
#include "tests/lockstep/maker.h"

enum { AMO_OR = 8 };
enum { TURN_WORD = 488 };  // of the item of the sub-group's lane 0: the rank whose turn it is

// At the top level. Live lanes of the sub-group have a rank, from below or from above; the first few go on in its
// order, the others pass by.
void put_turns(struct maker *m) {
  const int32_t few = 2 + (int32_t)below(m, 3);
  put(m, addi(TEMPORARY, 0, 1));
  put(m, collective(SUB_GROUP_SCOPE, 0, MODE_EXCLUSIVE, OP_ADD, FUNCTION, TEMPORARY, 0));
  if (next(m) & 1) {
    put(m, collective(SUB_GROUP_SCOPE, 0, MODE_REDUCE, OP_ADD, TEMPORARY, TEMPORARY, 0));
    put(m, sub(FUNCTION, TEMPORARY, FUNCTION));
    put(m, addi(FUNCTION, FUNCTION, -1));
  }
  put(m, lw(INNER, BASE, SUB_GROUP_GLOBAL));
  put(m, addi(INNER, INNER, TURN_WORD));
  put(m, sw(0, INNER, 0));
  put(m, addi(TEMPORARY, 0, few));
  const uint32_t over = m->p->words;
  put(m, nop());
  const uint32_t top = m->p->words;
  for (uint32_t i = next(m) % 4; i > 0; i--)
    put_arithmetic(m);
  const uint32_t atomics = has(m, ISA_A) ? below(m, 5) : 0;
  for (uint32_t i = 0; i < atomics; i++)
    put(m, encode_r(0x2F, 2, AMO_OR << 2, DEEPER, INNER, 0));
  if (atomics == 0) {
    put(m, lw(DEEPER, INNER, 0));
    for (uint32_t i = 1 + below(m, 3); i > 0; i--)
      put(m, PAUSE);
  }
  switch (below(m, 3)) {
    case 0:
      put(m, encode_b(BNE, DEEPER, FUNCTION, (int32_t)(top - m->p->words) * 4));
      break;
    case 1:
      put(m, encode_b(BEQ, DEEPER, FUNCTION, 8));
      put(m, encode_jal(0, (int32_t)(top - m->p->words) * 4));
      break;
    default:
      put_constant(m, LINK, CODE + 4 * top);
      put(m, encode_b(BEQ, DEEPER, FUNCTION, 8));
      put(m, jalr(0, LINK, 0));
      break;
  }
  for (uint32_t i = next(m) % 8; i > 0; i--)
    put_arithmetic(m);
  put(m, addi(DEEPER, FUNCTION, 1));
  put(m, sw(DEEPER, INNER, 0));
  patch_branch(m, over, BGE, FUNCTION, TEMPORARY);
}
