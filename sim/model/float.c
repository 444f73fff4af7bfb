// SPDX-License-Identifier: Apache-2.0
// Float instructions in the rounding modes that the interpreter's loops do not cover (they round to nearest even, and
// conversions to integers towards zero). The host has three of the others; `rmm`, ties away from zero, is derived.
//
// Operands and results of host arithmetic are volatile here: a compiler knows nothing of the host's rounding mode and
// would move the arithmetic out of it.
#include <fenv.h>
#include <math.h>

#include "sim/model/device.h"
#include "sim/model/float_word.h"

// In the host's rounding mode of the moment. a and c have the signs that the fused kinds give them.
static float compute(enum model_kind kind, uint32_t word_a, uint32_t word_b, uint32_t word_c) {
  volatile float a = float_of(word_a), b = float_of(word_b), c = float_of(word_c), result;
  switch (kind) {
    case OP_FADD:
      result = a + b;
      break;
    case OP_FSUB:
      result = a - b;
      break;
    case OP_FMUL:
      result = a * b;
      break;
    case OP_FDIV:
      result = a / b;
      break;
    case OP_FSQRT:
      result = sqrtf(a);
      break;
    case OP_FCVT_S_W:
      result = (float)(volatile double){(int32_t)word_a};
      break;
    case OP_FCVT_S_WU:
      result = (float)(volatile double){word_a};
      break;
    default:  // fused
      result = fmaf(a, b, c);
      break;
  }
  return result;
}

// The same as a double, cut off: the host rounds towards zero. A double has more bits than a float and the middle
// between two, so what is cut off does not tell on which side of the middle, or just there, the exact result lies.
static double compute_cut(enum model_kind kind, uint32_t word_a, uint32_t word_b, uint32_t word_c) {
  volatile double a = float_of(word_a), b = float_of(word_b), c = float_of(word_c), result;
  switch (kind) {
    case OP_FADD:
      result = a + b;
      break;
    case OP_FSUB:
      result = a - b;
      break;
    case OP_FMUL:
      result = a * b;
      break;
    case OP_FDIV:
      result = a / b;
      break;
    case OP_FSQRT:
      result = sqrt(a);
      break;
    case OP_FCVT_S_W:
      result = (int32_t)word_a;
      break;
    case OP_FCVT_S_WU:
      result = word_a;
      break;
    default:  // fused: the product is exact
      result = a * b;
      result = result + c;
      break;
  }
  return result;
}

// To the nearest float, ties away from zero. The host rounds towards zero.
static float round_ties_away(double cut) {
  volatile double source = cut;
  volatile float nearer_zero = (float)source;
  float low = nearer_zero;
  if (isnan(low) || isinf(low))
    return low;
  float high = float_of(word_of(low) + 1);  // the next one in magnitude, also from 0 and to infinity
  double step = isinf(high) ? 0x1p104 : fabs((double)high - (double)low);
  return fabs(cut - (double)low) >= step / 2 ? high : low;
}

static int64_t round_to_integer(double x, enum model_rounding rounding) {
  int64_t whole = (int64_t)x;
  double rest = x - (double)whole;
  bool away;
  switch (rounding) {
    case MODEL_RNE:
      away = fabs(rest) > 0.5 || (fabs(rest) == 0.5 && whole % 2 != 0);
      break;
    case MODEL_RDN:
      away = rest < 0;
      break;
    case MODEL_RUP:
      away = rest > 0;
      break;
    case MODEL_RMM:
      away = fabs(rest) >= 0.5;
      break;
    default:  // MODEL_RTZ
      away = false;
      break;
  }
  return away ? whole + (rest < 0 ? -1 : 1) : whole;
}

// fcvt.w.s and fcvt.wu.s: what does not fit is the end of the range that it is beyond, NaN the upper.
static uint32_t to_integer(uint32_t a, enum model_rounding rounding, bool is_signed) {
  const int64_t lowest = is_signed ? INT32_MIN : 0, highest = is_signed ? INT32_MAX : UINT32_MAX;
  double x = (double)float_of(a);
  if (isnan(x) || x >= 0x1p33)
    return (uint32_t)highest;
  if (x <= -0x1p33)
    return (uint32_t)lowest;
  int64_t i = round_to_integer(x, rounding);
  return (uint32_t)(i < lowest ? lowest : i > highest ? highest : i);
}

static uint32_t to_float(enum model_kind kind, enum model_rounding rounding, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t sign = 0x80000000u;
  a ^= kind == OP_FNMSUB || kind == OP_FNMADD ? sign : 0;
  c ^= kind == OP_FMSUB || kind == OP_FNMADD ? sign : 0;
  float result = rounding == MODEL_RMM ? round_ties_away(compute_cut(kind, a, b, c)) : compute(kind, a, b, c);
  return isnan(result) ? MODEL_CANONICAL_NAN : word_of(result);
}

void model_float_rounded(uint32_t imm, uint32_t size, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                         uint32_t *result) {
  static const int host_rounding[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  enum model_kind kind = (enum model_kind)(imm >> 16);
  enum model_rounding rounding = (enum model_rounding)(imm >> 8 & 7);
  bool to_word = kind == OP_FCVT_W_S || kind == OP_FCVT_WU_S;
  if (!to_word)
    fesetround(host_rounding[rounding]);
  for (uint32_t l = 0; l < size; l++)
    result[l] = to_word ? to_integer(a[l], rounding, kind == OP_FCVT_W_S) : to_float(kind, rounding, a[l], b[l], c[l]);
  fesetround(FE_TONEAREST);
}
