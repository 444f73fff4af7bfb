// SPDX-License-Identifier: Apache-2.0
// The product with 2^(k + l) / d, rounded up, has the quotient of a number of k bits above its lowest k + l bits, where
// 2^l is d or the next power of two: Granlund and Montgomery, Division by Invariant Integers using Multiplication,
// 1994. That constant has k + 1 bits. Of numbers of 32 bits the product without the highest of these is made, and what
// it lacks is added behind it, so that nothing has more than 64 bits.
#include "hls/pipeline/quotients.h"

// Bits above which a value has none: those that it is made from.
static unsigned bits_of(const struct node *x) {
  const struct node *y = x->count > 1 ? x->arguments[1] : NULL;
  const bool by_constant = y && y->op == OP_CONSTANT && y->number < 1ull << 63;
  if (x->op == OP_ZEXT)
    return bits_of(x->arguments[0]);
  if (x->op == OP_AND && by_constant)
    return y->number != 0 ? 64 - (unsigned)__builtin_clzll(y->number) : 1;
  if (x->op == OP_LSHR && by_constant && y->number < x->width)
    return x->width - (unsigned)y->number;
  return x->width;
}

static unsigned log2_above(uint64_t number) {
  return number > 1 ? 64 - (unsigned)__builtin_clzll(number - 1) : 0;
}

static struct node *shifted(struct builder *b, struct node *x, unsigned by) {
  return build_two(b, OP_LSHR, x, build_constant(b->graph, x->width, by));
}

static struct node *quotient(struct builder *b, struct node *x, uint64_t d) {
  const unsigned k = bits_of(x), l = log2_above(d), width = x->width;
  if ((d & (d - 1)) == 0)
    return shifted(b, x, l);
  if (k < width && d >> k != 0)
    return build_constant(b->graph, width, 0);
  if (k < 32) {
    // 2^(k + l) / d has k + 1 bits, since d is more than 2^(l - 1).
    const uint64_t factor = ((1ull << (k + l)) - 1) / d + 1;
    struct node *product = build_two(b, OP_MUL, build_resize(b, build_slice(b, x, 0, k), 2 * k + 1, false),
                                     build_constant(b->graph, 2 * k + 1, factor));
    return build_resize(b, build_slice(b, product, k + l, k + 1 - l), width, false);
  }
  const uint64_t factor = (uint64_t)((((unsigned __int128)1 << (32 + l)) - 1) / d + 1 - ((unsigned __int128)1 << 32));
  struct node *product = build_two(b, OP_MUL, build_resize(b, x, 64, false), build_constant(b->graph, 64, factor));
  struct node *high = build_slice(b, product, 32, 32);
  // high + x may have 33 bits: half of what x is more than high.
  struct node *rest = shifted(b, build_two(b, OP_SUB, x, high), 1);
  return shifted(b, build_two(b, OP_ADD, high, rest), l - 1);
}

struct node *quotient_by_constant(struct builder *b, struct node *x, const struct node *y, bool remainder) {
  if (y->op != OP_CONSTANT || y->number == 0 || x->width > 32)
    return NULL;
  if (remainder && (y->number & (y->number - 1)) == 0)
    return build_two(b, OP_AND, x, build_constant(b->graph, x->width, y->number - 1));
  struct node *whole = quotient(b, x, y->number);
  if (!remainder)
    return whole;
  return build_two(b, OP_SUB, x, build_two(b, OP_MUL, whole, build_constant(b->graph, x->width, y->number)));
}
