// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/intrinsics.h"

#include <string.h>

#include "hls/pipeline/calls.h"
#include "hls/pipeline/wide.h"

static struct node *constant(struct builder *b, unsigned width, uint64_t number) {
  return build_constant(b->graph, width, number);
}

static struct node *top_bit(struct builder *b, struct node *x) {
  return build_slice(b, x, x->width - 1, 1);
}

static struct node *below_top(struct builder *b, struct node *x) {
  return build_slice(b, x, 0, x->width - 1);
}

static bool named(const char *name, const char *intrinsic) {
  const size_t length = strlen(intrinsic);
  return strncmp(name, intrinsic, length) == 0 && (name[length] == '.' || name[length] == 0);
}

// ---- floats

static struct node *is_nan(struct builder *b, struct node *x) {
  return build_node(b, OP_NAN, 1, 0, 1, &x);
}

// fmin.s and fmax.s: of a number and a NaN the number, -0 less than +0, of two NaNs the canonical one.
static struct node *float_minimum(struct builder *b, bool max, struct node *x, struct node *y) {
  struct node *less = build_compare(b, OP_SLT, call_float_order(b, x), call_float_order(b, y));
  struct node *value = build_select(b, less, max ? y : x, max ? x : y);
  value = build_select(b, is_nan(b, y), build_select(b, is_nan(b, x), constant(b, 32, 0x7FC00000), x), value);
  return build_select(b, build_and(b, is_nan(b, x), build_not(b, is_nan(b, y))), y, value);
}

// LLVM's classes of floats, a bit each: two of NaN, then from -infinity up to +infinity.
static struct node *is_of_class(struct builder *b, struct node *x, uint64_t classes) {
  enum {
    SIGNALING = 1,
    QUIET = 2,
    NEGATIVE = 4,
    POSITIVE = 64
  };  // the first of four: the negative ones come largest first
  const unsigned fraction_bits = x->width == 16   ? 10
                                 : x->width == 32 ? 23
                                                  : 52,
                 exponent_bits = x->width - 1 - fraction_bits;
  struct node *exponent = build_slice(b, x, fraction_bits, exponent_bits),
              *fraction = build_slice(b, x, 0, fraction_bits);
  struct node *least = build_compare(b, OP_EQ, exponent, constant(b, exponent_bits, 0));
  struct node *most = build_compare(b, OP_EQ, exponent, constant(b, exponent_bits, ~0ull));
  struct node *whole = build_compare(b, OP_EQ, fraction, constant(b, fraction_bits, 0));
  struct node *broken = build_not(b, whole), *sign = top_bit(b, x), *quiet = top_bit(b, fraction);
  struct node *sizes[] = {build_and(b, most, whole), build_and(b, build_not(b, least), build_not(b, most)),
                          build_and(b, least, broken), build_and(b, least, whole)};
  struct node *is = constant(b, 1, 0);
  if (classes & SIGNALING)
    is = build_or(b, is, build_and(b, most, build_and(b, broken, build_not(b, quiet))));
  if (classes & QUIET)
    is = build_or(b, is, build_and(b, most, quiet));
  for (unsigned i = 0; i < 4; i++) {
    const bool negative = classes & (NEGATIVE << i), positive = classes & (POSITIVE << (3 - i));
    struct node *its_sign = negative == positive ? constant(b, 1, 1) : negative ? sign : build_not(b, sign);
    if (negative || positive)
      is = build_or(b, is, build_and(b, sizes[i], its_sign));
  }
  return is;
}

static struct node *of_floats(struct builder *b, const char *name, unsigned width, struct node **a) {
  if (named(name, "fabs"))
    return build_concat(b, constant(b, 1, 0), below_top(b, a[0]));
  if (named(name, "copysign"))
    return build_concat(b, top_bit(b, a[1]), below_top(b, a[0]));
  if (named(name, "is.fpclass") && a[1]->op == OP_CONSTANT)
    return is_of_class(b, a[0], a[1]->number);
  if (width != 32)
    return NULL;
  if (named(name, "fmuladd") || named(name, "fma"))
    return build_node(b, OP_FMA, 32, 0, 3, a);
  if (named(name, "sqrt"))
    return build_node(b, OP_FSQRT, 32, 0, 1, a);
  if (named(name, "minnum") || named(name, "maxnum") || named(name, "minimumnum") || named(name, "maximumnum"))
    return float_minimum(b, name[1] == 'a', a[0], a[1]);
  return NULL;
}

// ---- integers

static struct node *minimum(struct builder *b, enum op less, bool max, struct node *x, struct node *y) {
  struct node *is_less = build_compare(b, less, x, y);
  return build_select(b, is_less, max ? y : x, max ? x : y);
}

// -1, 0 or 1.
static struct node *order(struct builder *b, enum op less, unsigned width, struct node *x, struct node *y) {
  struct node *above = build_resize(b, build_compare(b, less, y, x), width, false);
  return build_select(b, build_compare(b, less, x, y), constant(b, width, ~0ull), above);
}

static struct node *popcount(struct builder *b, struct node *x) {
  return build_node(b, OP_POPCOUNT, x->width, 0, 1, &x);
}

static struct node *trailing_zeros(struct builder *b, struct node *x) {
  return popcount(b, build_two(b, OP_AND, build_not(b, x), build_add(b, x, ~0ull)));
}

static struct node *reversed(struct builder *b, struct node *x, unsigned piece) {
  struct node *value = build_slice(b, x, 0, piece);
  for (unsigned at = piece; at < x->width; at += piece)
    value = build_concat(b, value, build_slice(b, x, at, piece));
  return value;
}

static struct node *leading_zeros(struct builder *b, struct node *x) {
  return trailing_zeros(b, reversed(b, x, 1));
}

// Both words side by side, moved, of which the upper or the lower is the result.
static struct node *funnel(struct builder *b, bool left, unsigned width, struct node **a) {
  struct node *pair = build_concat(b, a[0], a[1]);
  struct node *amount = build_two(b, OP_AND, a[2], constant(b, width, width - 1));
  if (amount->op == OP_CONSTANT)
    return build_slice(b, pair, left ? width - (unsigned)amount->number : (unsigned)amount->number, width);
  // To the left by n is to the right by width - n, and that of width bits is all of the upper.
  struct node *wide = build_resize(b, amount, 2 * width, false);
  if (left)
    wide = build_two(b, OP_SUB, constant(b, 2 * width, width), wide);
  return build_slice(b, build_two(b, OP_LSHR, pair, wide), 0, width);
}

// The same of 64 bits, where the pair would have more than a constant can.
static struct node *funnel_of_long(struct builder *b, bool left, struct node **a) {
  struct node *amount = build_two(b, OP_AND, a[2], constant(b, 64, 63));
  struct node *rest = build_two(b, OP_XOR, amount, constant(b, 64, 63)), *one = constant(b, 64, 1);
  struct node *upper =
      left ? build_two(b, OP_SHL, a[0], amount) : build_two(b, OP_SHL, build_two(b, OP_SHL, a[0], one), rest);
  struct node *lower =
      left ? build_two(b, OP_LSHR, build_two(b, OP_LSHR, a[1], one), rest) : build_two(b, OP_LSHR, a[1], amount);
  return build_two(b, OP_OR, upper, lower);
}

// ---- sums, differences and products that may overflow

struct result {
  struct node *value, *overflows;
};

static struct result sum(struct builder *b, bool is_signed, bool subtracts, struct node *x, struct node *y) {
  struct node *value = build_two(b, subtracts ? OP_SUB : OP_ADD, x, y);
  if (!is_signed)
    return (struct result){value, subtracts ? build_compare(b, OP_ULT, x, y) : build_compare(b, OP_ULT, value, x)};
  // The result has another sign than x has, where y has that of x in a sum, and has not in a difference.
  struct node *turned = build_two(b, OP_XOR, top_bit(b, x), top_bit(b, value));
  struct node *alike = build_two(b, OP_XOR, top_bit(b, x), top_bit(b, y));
  return (struct result){value, build_and(b, turned, subtracts ? alike : build_not(b, alike))};
}

static struct result product(struct builder *b, bool is_signed, unsigned width, struct node *x, struct node *y) {
  if (2 * width <= 64) {
    struct node *wide =
        build_two(b, OP_MUL, build_resize(b, x, 2 * width, is_signed), build_resize(b, y, 2 * width, is_signed));
    struct node *value = build_slice(b, wide, 0, width);
    struct node *same = build_compare(b, OP_EQ, wide, build_resize(b, value, 2 * width, is_signed));
    return (struct result){value, build_not(b, same)};
  }
  struct node *wide = wide_product(b, build_resize(b, x, 128, is_signed), build_resize(b, y, 128, is_signed));
  struct node *value = build_slice(b, wide, 0, width), *upper = build_slice(b, wide, width, width);
  struct node *rest = is_signed ? build_resize(b, top_bit(b, value), width, true) : constant(b, width, 0);
  return (struct result){value, build_not(b, build_compare(b, OP_EQ, upper, rest))};
}

// The largest, or of a signed one that overflows downwards the smallest, instead of what overflows.
static struct node *saturated(struct builder *b, bool is_signed, bool subtracts, unsigned width, struct node *x,
                              struct node *y) {
  struct result result = sum(b, is_signed, subtracts, x, y);
  struct node *limit = constant(b, width, subtracts ? 0 : ~0ull);
  if (is_signed)
    limit =
        build_two(b, OP_XOR, build_resize(b, top_bit(b, x), width, true), constant(b, width, ~0ull >> (65 - width)));
  return build_select(b, result.overflows, limit, result.value);
}

static struct node *of_integers(struct builder *b, const char *name, unsigned width, struct node **a) {
  if (named(name, "umin") || named(name, "umax"))
    return minimum(b, OP_ULT, name[2] == 'a', a[0], a[1]);
  if (named(name, "smin") || named(name, "smax"))
    return minimum(b, OP_SLT, name[2] == 'a', a[0], a[1]);
  if (named(name, "ucmp") || named(name, "scmp"))
    return order(b, name[0] == 'u' ? OP_ULT : OP_SLT, width, a[0], a[1]);
  if (named(name, "abs"))
    return build_select(b, top_bit(b, a[0]), build_two(b, OP_SUB, constant(b, width, 0), a[0]), a[0]);
  if (named(name, "ctpop"))
    return popcount(b, a[0]);
  if (named(name, "cttz"))
    return trailing_zeros(b, a[0]);
  if (named(name, "ctlz"))
    return leading_zeros(b, a[0]);
  if (named(name, "bitreverse"))
    return reversed(b, a[0], 1);
  if (named(name, "bswap"))
    return reversed(b, a[0], 8);
  const bool is_signed = name[0] == 's', subtracts = strncmp(name + 1, "sub", 3) == 0;
  if (named(name, "fshl") || named(name, "fshr"))
    return width == 64                                 ? funnel_of_long(b, name[3] == 'l', a)
           : width <= 32 && (width & (width - 1)) == 0 ? funnel(b, name[3] == 'l', width, a)
                                                       : NULL;
  if (named(name, "uadd.sat") || named(name, "usub.sat") || named(name, "sadd.sat") || named(name, "ssub.sat"))
    return saturated(b, is_signed, subtracts, width, a[0], a[1]);
  struct result result = {NULL, NULL};
  if (named(name, "uadd.with.overflow") || named(name, "usub.with.overflow") || named(name, "sadd.with.overflow") ||
      named(name, "ssub.with.overflow"))
    result = sum(b, is_signed, subtracts, a[0], a[1]);
  else if ((named(name, "umul.with.overflow") || named(name, "smul.with.overflow")) && (width <= 32 || width == 64))
    result = product(b, is_signed, width, a[0], a[1]);
  return result.value ? build_concat(b, result.overflows, result.value) : NULL;
}

struct node *intrinsic_value(struct builder *b, const char *name, unsigned width, struct node **arguments) {
  if (strncmp(name, "llvm.", 5) != 0)
    return NULL;
  struct node *value = of_floats(b, name + 5, width, arguments);
  return value ? value : of_integers(b, name + 5, width, arguments);
}
