// SPDX-License-Identifier: Apache-2.0
// The A extension as tests of the golden model and of the RTL expect it: its funct5, and what an amo leaves in memory.
#ifndef HEDDLE_TESTS_AMO_H
#define HEDDLE_TESTS_AMO_H

#include <criterion/criterion.h>
#include <stdint.h>

enum {
  AMOADD = 0x00,
  AMOSWAP = 0x01,
  LR = 0x02,
  SC = 0x03,
  AMOXOR = 0x04,
  AMOOR = 0x08,
  AMOAND = 0x0C,
  AMOMIN = 0x10,
  AMOMAX = 0x14,
  AMOMINU = 0x18,
  AMOMAXU = 0x1C,
};

static inline uint32_t amo_result(uint32_t funct5, uint32_t old, uint32_t operand) {
  switch (funct5) {
    case AMOADD:
      return old + operand;
    case AMOSWAP:
      return operand;
    case AMOXOR:
      return old ^ operand;
    case AMOOR:
      return old | operand;
    case AMOAND:
      return old & operand;
    case AMOMIN:
      return (int32_t)old < (int32_t)operand ? old : operand;
    case AMOMAX:
      return (int32_t)old > (int32_t)operand ? old : operand;
    case AMOMINU:
      return old < operand ? old : operand;
    case AMOMAXU:
      return old > operand ? old : operand;
    default:
      cr_assert(false, "no such amo: 0x%x", funct5);
  }
  return 0;
}

#endif
