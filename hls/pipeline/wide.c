// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/wide.h"

enum { BITS = 64, FRACTION = 23, BIAS = 127, LARGEST_EXPONENT = BIAS + BITS };

static struct node *constant(struct builder *b, unsigned width, uint64_t number) {
  return build_constant(b->graph, width, number);
}

static struct node *is_zero(struct builder *b, struct node *x) {
  return build_compare(b, OP_EQ, x, constant(b, x->width, 0));
}

static struct node *negated_if(struct builder *b, struct node *condition, struct node *x) {
  return build_select(b, condition, build_two(b, OP_SUB, constant(b, x->width, 0), x), x);
}

// ---- floats

// Moves the highest bit that is set to the top; `zeros`: how many there were above it, 6 bits. Of 0 nothing is moved
// far enough: its result is not looked at.
static struct node *normalized(struct builder *b, struct node *x, struct node **zeros) {
  for (unsigned step = BITS / 2; step != 0; step /= 2) {
    struct node *far = is_zero(b, build_slice(b, x, BITS - step, step));
    struct node *moved = build_concat(b, build_slice(b, x, 0, BITS - step), constant(b, step, 0));
    x = build_select(b, far, moved, x);
    *zeros = *zeros ? build_concat(b, *zeros, far) : far;
  }
  return x;
}

struct node *wide_to_float(struct builder *b, struct node *x, bool is_signed) {
  x = build_resize(b, x, BITS, is_signed);
  struct node *sign = is_signed ? build_slice(b, x, BITS - 1, 1) : constant(b, 1, 0);
  struct node *magnitude = negated_if(b, sign, x), *zeros = NULL;
  struct node *top = normalized(b, magnitude, &zeros);
  // Below the fraction's last bit, which is bit 40, is half of it, and what is less than half.
  const unsigned last = BITS - 1 - FRACTION;
  struct node *half = build_slice(b, top, last - 1, 1);
  struct node *less = build_not(b, is_zero(b, build_slice(b, top, 0, last - 1)));
  struct node *up = build_and(b, half, build_or(b, less, build_slice(b, top, last, 1)));
  struct node *exponent = build_two(b, OP_SUB, constant(b, 8, LARGEST_EXPONENT - 1), build_resize(b, zeros, 8, false));
  // A carry out of the fraction makes the exponent one larger, as it should.
  struct node *number = build_concat(b, exponent, build_slice(b, top, last, FRACTION));
  number = build_two(b, OP_ADD, number, build_resize(b, up, 8 + FRACTION, false));
  number = build_select(b, is_zero(b, x), constant(b, 8 + FRACTION, 0), number);
  return build_concat(b, sign, number);
}

struct node *wide_of_float(struct builder *b, struct node *x, bool is_signed) {
  struct node *sign = build_slice(b, x, 31, 1), *exponent = build_slice(b, x, FRACTION, 8);
  // The fraction with its leading one at the top has the weight of an exponent of 63.
  struct node *fraction = build_concat(b, constant(b, 1, 1), build_slice(b, x, 0, FRACTION));
  struct node *top = build_concat(b, fraction, constant(b, BITS - 1 - FRACTION, 0));
  struct node *down = build_two(b, OP_SUB, constant(b, 6, (LARGEST_EXPONENT - 1) & 63), build_slice(b, exponent, 0, 6));
  struct node *magnitude = build_two(b, OP_LSHR, top, build_resize(b, down, BITS, false));
  struct node *is_less_than_one = build_compare(b, OP_ULT, exponent, constant(b, 8, BIAS));
  const unsigned least_too_large = is_signed ? LARGEST_EXPONENT - 1 : LARGEST_EXPONENT;
  struct node *is_too_large = build_not(b, build_compare(b, OP_ULT, exponent, constant(b, 8, least_too_large)));
  struct node *value, *limit;
  if (is_signed) {
    value = negated_if(b, sign, magnitude);
    limit = build_concat(b, sign, build_resize(b, build_not(b, sign), BITS - 1, true));
  } else {
    value = build_select(b, sign, constant(b, BITS, 0), magnitude);
    limit = build_resize(b, build_not(b, sign), BITS, true);
  }
  return build_select(b, is_less_than_one, constant(b, BITS, 0), build_select(b, is_too_large, limit, value));
}

// ---- products

// The integer of 64 bits that a value of 128 is an extension of; NULL if it is none.
static struct node *unextended(struct builder *b, struct node *x, bool *is_negative) {
  *is_negative = false;
  if (x->op == OP_CONSTANT)
    return constant(b, BITS, x->number);
  if ((x->op != OP_ZEXT && x->op != OP_SEXT) || x->arguments[0]->width > BITS)
    return NULL;
  *is_negative = x->op == OP_SEXT;
  return build_resize(b, x->arguments[0], BITS, x->op == OP_SEXT);
}

struct node *wide_product(struct builder *b, struct node *x, struct node *y) {
  bool x_signed, y_signed;
  struct node *zero = constant(b, BITS, 0);
  x = unextended(b, x, &x_signed);
  y = unextended(b, y, &y_signed);
  if (!x || !y)
    return NULL;
  // A negative factor is 2^64 too large when taken as unsigned.
  struct node *high = build_node(b, OP_MUL_HIGH, BITS, 0, 2, (struct node *[]){x, y});
  if (x_signed)
    high = build_two(b, OP_SUB, high, build_select(b, build_slice(b, x, BITS - 1, 1), y, zero));
  if (y_signed)
    high = build_two(b, OP_SUB, high, build_select(b, build_slice(b, y, BITS - 1, 1), x, zero));
  return build_concat(b, high, build_two(b, OP_MUL, x, y));
}
