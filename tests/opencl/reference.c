// SPDX-License-Identifier: Apache-2.0
// The OpenCL text's definitions of work-items and collectives (reference.h).
#include "tests/opencl/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

struct work_item *reference_items(const struct ndrange *range, uint32_t max_sub_group_size, size_t *count) {
  size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1}, offset[3] = {0, 0, 0}, groups[3];
  for (unsigned d = 0; d < range->dim; d++) {
    global[d] = range->global[d];
    local[d] = range->local[d];
    offset[d] = range->offset[d];
  }
  for (int d = 0; d < 3; d++)
    groups[d] = (global[d] + local[d] - 1) / local[d];

  *count = global[0] * global[1] * global[2];
  struct work_item *items = allocate(*count * sizeof *items);
  size_t full = local[0] * local[1] * local[2];
  size_t next = 0;
  for (size_t wz = 0; wz < groups[2]; wz++)
    for (size_t wy = 0; wy < groups[1]; wy++)
      for (size_t wx = 0; wx < groups[0]; wx++) {
        const size_t w[3] = {wx, wy, wz};
        size_t size[3];
        for (int d = 0; d < 3; d++)
          size[d] = least(local[d], global[d] - w[d] * local[d]);
        const size_t group_first = next, group_count = size[0] * size[1] * size[2];
        for (size_t linear = 0; linear < group_count; linear++) {
          struct work_item *item = &items[next++];
          const size_t s[3] = {linear % size[0], linear / size[0] % size[1], linear / size[0] / size[1]};
          for (int d = 0; d < 3; d++) {
            item->local_id[d] = s[d];
            item->group_id[d] = w[d];
            item->local_size[d] = size[d];
            item->num_groups[d] = groups[d];
            item->global_id[d] = w[d] * local[d] + s[d] + offset[d];
          }
          item->local_linear_id = linear;
          item->global_linear_id =
              ((item->global_id[2] - offset[2]) * global[1] + item->global_id[1] - offset[1]) * global[0] +
              item->global_id[0] - offset[0];
          // "All sub-groups within a work-group will be the same size, apart from the sub-group with the maximum
          // index." Which work-item is where is ours to choose: by increasing local linear id.
          const size_t m = max_sub_group_size;
          item->max_sub_group_size = max_sub_group_size;
          item->num_sub_groups = (uint32_t)((group_count + m - 1) / m);
          item->enqueued_num_sub_groups = (uint32_t)((full + m - 1) / m);
          item->sub_group_id = (uint32_t)(linear / m);
          item->sub_group_local_id = (uint32_t)(linear % m);
          item->sub_group_size = (uint32_t)least(m, group_count - item->sub_group_id * m);
          item->group_first = group_first;
          item->group_count = group_count;
          item->sub_group_first = group_first + item->sub_group_id * m;
        }
      }
  return items;
}

#define OP_NAME(NAME, name, number, ...) [OP_##NAME] = #name,
const char *const reference_op_names[REFERENCE_OPS] = {HEDDLE_COLLECTIVE_OPERATORS(OP_NAME, )};

static uint32_t apply(enum reference_op op, int is_signed, uint32_t a, uint32_t b) {
  if (op == OP_ADD)
    return a + b;
  if (op == OP_AND)
    return a & b;
  if (op == OP_OR)
    return a | b;
  if (op == OP_XOR)
    return a ^ b;
  const int a_is_less = is_signed ? (int32_t)a < (int32_t)b : a < b;
  return (op == OP_MIN) == a_is_less ? a : b;
}

static uint32_t identity(enum reference_op op, int is_signed) {
  if (op == OP_ADD || op == OP_OR || op == OP_XOR)
    return 0;
  if (op == OP_AND)
    return UINT32_MAX;
  if (op == OP_MIN)
    return is_signed ? (uint32_t)INT32_MAX : UINT32_MAX;
  return is_signed ? (uint32_t)INT32_MIN : 0;
}

void reference_collective(enum reference_mode mode, enum reference_op op, int is_signed, const uint32_t *values,
                          uint32_t *result, size_t n) {
  uint32_t so_far = identity(op, is_signed);
  for (size_t i = 0; i < n; i++) {
    if (mode == MODE_SCAN_EXCLUSIVE)
      result[i] = so_far;
    so_far = i == 0 ? values[0] : apply(op, is_signed, so_far, values[i]);
    if (mode == MODE_SCAN_INCLUSIVE)
      result[i] = so_far;
  }
  if (mode == MODE_REDUCE)
    for (size_t i = 0; i < n; i++)
      result[i] = so_far;
}

const char *const reference_type_names[REFERENCE_TYPES] = {"char", "uchar", "short", "ushort", "int",   "uint",
                                                           "long", "ulong", "float", "half",   "double"};

size_t reference_type_bytes(enum reference_type type) {
  static const size_t bytes[REFERENCE_TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 2, 8};
  return bytes[type];
}

uint64_t reference_bits(enum reference_type type, uint64_t x) {
  const unsigned unused = 64 - 8 * (unsigned)reference_type_bytes(type);
  return x << unused >> unused;
}

bool reference_is_signed(enum reference_type type) {
  return type == TYPE_CHAR || type == TYPE_SHORT || type == TYPE_INT || type == TYPE_LONG;
}

bool reference_is_real(enum reference_type type) {
  return type == TYPE_FLOAT || type == TYPE_HALF || type == TYPE_DOUBLE;
}

bool reference_is_nan(enum reference_type type, uint64_t bits) {
  return (type == TYPE_FLOAT && isnan(reference_float(bits))) || (type == TYPE_HALF && isnan(reference_half(bits))) ||
         (type == TYPE_DOUBLE && isnan(reference_double(bits)));
}

float reference_half(uint64_t bits) {
  const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
  const float magnitude = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                          : exponent == 0 ? ldexpf((float)fraction, -24)
                                          : ldexpf((float)(fraction + 1024), exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

uint64_t reference_half_bits(float x) {
  const uint64_t sign = signbit(x) ? 0x8000 : 0;
  const double magnitude = fabs((double)x);
  if (isnan(x))
    return 0x7E00;
  uint64_t below = 0;  // the largest half that is not above, a bit at a time; infinity counts as 65536
  for (uint64_t bit = 0x4000; bit != 0; bit >>= 1)
    if (below + bit < 0x7C00 && reference_half(below + bit) <= magnitude)
      below += bit;
  const double low = reference_half(below), high = below == 0x7BFF ? 65536 : reference_half(below + 1);
  const bool is_up = magnitude - low > high - magnitude || (magnitude - low == high - magnitude && (below & 1) != 0);
  return sign | (below + is_up);
}

float reference_float(uint64_t bits) {
  const uint32_t word = (uint32_t)bits;
  float x;
  memcpy(&x, &word, sizeof x);
  return x;
}

uint64_t reference_float_bits(float x) {
  uint32_t word;
  memcpy(&word, &x, sizeof word);
  return word;
}

double reference_double(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

uint64_t reference_double_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

// Of two numbers. -0 is less than +0.
static double real_min(double a, double b) {
  return a < b || (a == b && signbit(a)) ? a : b;
}

static uint64_t join_floats(enum reference_op op, uint64_t x, uint64_t y) {
  const float a = reference_float(x), b = reference_float(y);
  if (op == OP_ADD)
    return reference_float_bits(a + b);
  return reference_float_bits((float)(op == OP_MIN ? real_min(a, b) : -real_min(-a, -b)));
}

static uint64_t join_doubles(enum reference_op op, uint64_t x, uint64_t y) {
  const double a = reference_double(x), b = reference_double(y);
  return reference_double_bits(op == OP_ADD ? a + b : op == OP_MIN ? real_min(a, b) : -real_min(-a, -b));
}

static uint64_t join(enum reference_op op, enum reference_type type, uint64_t a, uint64_t b) {
  if (type == TYPE_FLOAT)
    return join_floats(op, a, b);
  if (type == TYPE_DOUBLE)
    return join_doubles(op, a, b);
  switch (op) {
    case OP_ADD:
      return reference_bits(type, a + b);
    case OP_AND:
      return a & b;
    case OP_OR:
      return a | b;
    case OP_XOR:
      return a ^ b;
    default:
      break;
  }
  // Signed numbers in the order of unsigned ones.
  const uint64_t sign = reference_is_signed(type) ? UINT64_C(1) << (8 * reference_type_bytes(type) - 1) : 0;
  return (op == OP_MIN) == ((a ^ sign) < (b ^ sign)) ? a : b;
}

static uint64_t typed_identity(enum reference_op op, enum reference_type type) {
  const uint64_t all = reference_bits(type, UINT64_MAX);
  if (op == OP_ADD || op == OP_OR || op == OP_XOR)
    return 0;
  if (op == OP_AND)
    return all;
  if (type == TYPE_FLOAT)
    return reference_float_bits(op == OP_MIN ? INFINITY : -INFINITY);
  if (type == TYPE_DOUBLE)
    return reference_double_bits(op == OP_MIN ? INFINITY : -INFINITY);
  if (reference_is_signed(type))
    return op == OP_MIN ? all >> 1 : (all >> 1) + 1;
  return op == OP_MIN ? all : 0;
}

// Does a member contribute? A NaN is neither the least nor the greatest of anything.
static bool contributes(enum reference_op op, enum reference_type type, uint64_t value, bool is_live) {
  return is_live && !(reference_is_real(type) && op != OP_ADD && reference_is_nan(type, value));
}

// What some members have in common; there may be none of them.
struct total {
  bool is_any;
  uint64_t value;
};

static struct total join_totals(enum reference_op op, enum reference_type type, struct total a, struct total b) {
  if (!a.is_any || !b.is_any)
    return a.is_any ? a : b;
  return (struct total){true, join(op, type, a.value, b.value)};
}

// Members first to first + count - 1, count a power of two: the halves' totals joined.
static struct total block_total(enum reference_op op, enum reference_type type, const uint64_t *values,
                                const bool *live, size_t first, size_t count) {
  if (count == 1)
    return (struct total){contributes(op, type, values[first], live[first]), values[first]};
  return join_totals(op, type, block_total(op, type, values, live, first, count / 2),
                     block_total(op, type, values, live, first + count / 2, count / 2));
}

// Members 0 to `last` of a sub-group: from the last one on, each larger block in front of it.
static struct total sub_group_prefix(enum reference_op op, enum reference_type type, const uint64_t *values,
                                     const bool *live, size_t last) {
  struct total so_far = {contributes(op, type, values[last], live[last]), values[last]};
  for (size_t first = last, block = 1; first > 0; block *= 2)
    if (first & block) {
      first -= block;
      so_far = join_totals(op, type, block_total(op, type, values, live, first, block), so_far);
    }
  return so_far;
}

static void half_collective(enum reference_mode mode, enum reference_op op, const uint64_t *values, const bool *live,
                            size_t n, size_t sub_group_size, uint64_t *result) {
  uint64_t *floats = allocate(n * sizeof *floats);
  for (size_t i = 0; i < n; i++)
    floats[i] = reference_float_bits(reference_half(values[i]));
  reference_typed_collective(mode, op, TYPE_FLOAT, floats, live, n, sub_group_size, result);
  for (size_t i = 0; i < n; i++)
    if (live[i])
      result[i] = reference_half_bits(reference_float(result[i]));
  free(floats);
}

void reference_typed_collective(enum reference_mode mode, enum reference_op op, enum reference_type type,
                                const uint64_t *values, const bool *live, size_t n, size_t sub_group_size,
                                uint64_t *result) {
  if (type == TYPE_HALF) {
    half_collective(mode, op, values, live, n, sub_group_size, result);
    return;
  }
  struct total before = {false, 0};
  for (size_t first = 0; first < n; first += sub_group_size) {
    const size_t size = least(sub_group_size, n - first);
    struct total exclusive = {false, 0}, inclusive = {false, 0};
    for (size_t i = 0; i < size; i++) {
      if (!live[first + i])
        continue;
      inclusive = sub_group_prefix(op, type, values + first, live + first, i);
      const struct total own = join_totals(op, type, before, mode == MODE_SCAN_EXCLUSIVE ? exclusive : inclusive);
      result[first + i] = own.is_any ? own.value : typed_identity(op, type);
      exclusive = inclusive;
    }
    before = join_totals(op, type, before, inclusive);
  }
  if (mode == MODE_REDUCE)
    for (size_t i = 0; i < n; i++)
      result[i] = before.is_any ? before.value : typed_identity(op, type);
}
