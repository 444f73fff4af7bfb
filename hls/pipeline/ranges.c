// SPDX-License-Identifier: Apache-2.0
// The largest value that an integer may have, as far as a few operations tell. Linear in its depth for sums and choices
// that are no tree: each value is looked at a bounded number of times.
#include "hls/ir.h"
#include "hls/pipeline/maker.h"

enum { DEPTH = 6, MOST_INCOMING = 4 };

static uint64_t all_ones(LLVMValueRef value) {
  const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  return width < 64 ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0);
}

static uint64_t bits_below(uint64_t value) {
  return value != 0 ? ~UINT64_C(0) >> __builtin_clzll(value) : 0;
}

static uint64_t most(LLVMValueRef value, unsigned depth);

// The larger one of operand `k` and the next one.
static uint64_t larger(LLVMValueRef value, unsigned k, unsigned depth) {
  const uint64_t a = most(LLVMGetOperand(value, k), depth), b = most(LLVMGetOperand(value, k + 1), depth);
  return a > b ? a : b;
}

static uint64_t most_of_phi(LLVMValueRef phi, unsigned depth) {
  uint64_t largest = 0;
  if (LLVMCountIncoming(phi) > MOST_INCOMING)
    return all_ones(phi);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    const uint64_t one = most(LLVMGetIncomingValue(phi, i), depth);
    largest = one > largest ? one : largest;
  }
  return largest;
}

static uint64_t most_of_instruction(LLVMValueRef value, unsigned depth) {
  const uint64_t full = all_ones(value);
  LLVMValueRef second = LLVMGetNumOperands(value) > 1 ? LLVMGetOperand(value, 1) : NULL;
  const bool by_constant = second && LLVMIsAConstantInt(second) && LLVMConstIntGetZExtValue(second) <= full;
  const uint64_t by = by_constant ? LLVMConstIntGetZExtValue(second) : 0;
  uint64_t a, b;
  switch (LLVMGetInstructionOpcode(value)) {
    case LLVMZExt:
      return most(LLVMGetOperand(value, 0), depth);
    case LLVMURem:
      return by != 0 ? by - 1 : full;
    case LLVMUDiv:
      return by != 0 ? most(LLVMGetOperand(value, 0), depth) / by : full;
    case LLVMLShr:
      return by_constant && by < 64 ? most(LLVMGetOperand(value, 0), depth) >> by : full;
    case LLVMAnd:
      a = most(LLVMGetOperand(value, 0), depth);
      b = most(second, depth);
      return a < b ? a : b;
    case LLVMOr:
    case LLVMXor:
      return bits_below(larger(value, 0, depth));
    case LLVMAdd:
      a = most(LLVMGetOperand(value, 0), depth);
      b = most(second, depth);
      return a <= full - b ? a + b : full;
    case LLVMMul:
      a = most(LLVMGetOperand(value, 0), depth);
      b = most(second, depth);
      return b == 0 || a <= full / b ? a * b : full;
    case LLVMShl:
      a = by_constant && by < 64 ? most(LLVMGetOperand(value, 0), depth) : full;
      return by_constant && by < 64 && a <= full >> by ? a << by : full;
    case LLVMSelect:
      return larger(value, 1, depth);
    case LLVMPHI:
      return most_of_phi(value, depth);
    default:
      return full;
  }
}

static uint64_t most(LLVMValueRef value, unsigned depth) {
  const uint64_t full = all_ones(value);
  if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
    return full;
  if (LLVMIsAConstantInt(value))
    return LLVMConstIntGetZExtValue(value);
  return depth == 0 || !LLVMIsAInstruction(value) ? full : most_of_instruction(value, depth - 1);
}

uint64_t make_most_of(LLVMValueRef value) {
  return most(value, DEPTH);
}
