// SPDX-License-Identifier: Apache-2.0
// Every function of the active work-items of a sub-group (cl_khr_subgroup_ballot and its family), of every type, at
// every sub-group size the device offers and with a smaller last sub-group, against what the extensions' text says.
// Both arms of a branch hold the same calls, so that the active work-items are those that take the same arm: all, or a
// random part.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/reference.h"

enum { LANES_MAX = 32, SHAPES_MAX = 4, CALLS_MAX = 256, TEXT_BYTES = 200 };

// ---- types: a value is its bits, as of reference_bits

// NaNs are one another's equal here: which one comes is not specified.
static bool is_same(enum reference_type type, uint64_t a, uint64_t b) {
  return a == b || (reference_is_nan(type, a) && reference_is_nan(type, b));
}

static bool is_less(enum reference_type type, uint64_t a, uint64_t b) {
  const unsigned spare = 64 - 8 * (unsigned)reference_type_bytes(type);
  return reference_is_signed(type) ? (int64_t)(a << spare) < (int64_t)(b << spare) : a < b;
}

// ---- operations

enum op { ADD, MUL, MIN, MAX, AND, OR, XOR, LOGICAL_AND, LOGICAL_OR, LOGICAL_XOR, OPS };
static const char *const operation_names[] = {"add", "mul", "min",         "max",        "and",
                                              "or",  "xor", "logical_and", "logical_or", "logical_xor"};

static bool has_op(enum reference_type type, enum op op) {
  return op <= MAX || (op <= XOR && !reference_is_real(type)) || type == TYPE_INT;
}

static uint64_t apply_to_floats(enum op op, float a, float b) {
  switch (op) {
    case ADD:
      return reference_float_bits(a + b);
    case MUL:
      return reference_float_bits(a * b);
    case MIN:
      return reference_float_bits(fminf(a, b));
    default:
      return reference_float_bits(fmaxf(a, b));
  }
}

static double apply_to_doubles(enum op op, double a, double b) {
  return op == ADD ? a + b : op == MUL ? a * b : op == MIN ? fmin(a, b) : fmax(a, b);
}

static uint64_t apply(enum reference_type type, enum op op, uint64_t a, uint64_t b) {
  if (type == TYPE_FLOAT)
    return apply_to_floats(op, reference_float(a), reference_float(b));
  if (type == TYPE_DOUBLE)
    return reference_double_bits(apply_to_doubles(op, reference_double(a), reference_double(b)));
  switch (op) {
    case ADD:
      return reference_bits(type, a + b);
    case MUL:
      return reference_bits(type, a * b);
    case MIN:
      return is_less(type, b, a) ? b : a;
    case MAX:
      return is_less(type, a, b) ? b : a;
    case AND:
      return a & b;
    case OR:
      return a | b;
    case XOR:
      return a ^ b;
    case LOGICAL_AND:
      return a != 0 && b != 0;
    case LOGICAL_OR:
      return a != 0 || b != 0;
    default:
      return (a != 0) != (b != 0);
  }
}

static uint64_t identity(enum reference_type type, enum op op) {
  const uint64_t ones = reference_bits(type, UINT64_MAX);
  if (type == TYPE_DOUBLE)
    return reference_double_bits(op == MUL ? 1 : op == MIN ? INFINITY : op == MAX ? -INFINITY : 0);
  switch (op) {
    case MUL:
      return type == TYPE_FLOAT ? reference_float_bits(1.0f) : 1;
    case MIN:
      return type == TYPE_FLOAT ? reference_float_bits(INFINITY) : reference_is_signed(type) ? ones >> 1 : ones;
    case MAX:
      return type == TYPE_FLOAT ? reference_float_bits(-INFINITY) : reference_is_signed(type) ? ones ^ ones >> 1 : 0;
    case AND:
      return ones;
    case LOGICAL_AND:
      return 1;
    default:
      return 0;
  }
}

// ---- what a work-item brings, and who is active with it

struct input {
  uint64_t integer;    // x
  uint64_t real;       // f: bits of a float
  uint64_t half;       // f16: bits of a half
  uint64_t wide;       // f64: bits of a double
  uint64_t arm;        // which arm of the branch it takes
  uint32_t same;       // w: the same in all work-items
  uint32_t different;  // r: not so
};

struct active_set {
  const struct work_item *me;
  const struct input *inputs[LANES_MAX];  // by sub-group local id; NULL: not active
};

static uint64_t value_of(enum reference_type type, const struct input *input) {
  return type == TYPE_FLOAT    ? input->real
         : type == TYPE_HALF   ? input->half
         : type == TYPE_DOUBLE ? input->wide
                               : reference_bits(type, input->integer);
}

// ---- calls

enum form {
  REDUCE,
  SCAN_INCLUSIVE,
  SCAN_EXCLUSIVE,
  CLUSTERED_REDUCE,
  BROADCAST,
  BROADCAST_VECTOR,
  BROADCAST_FIRST,
  SHUFFLE,
  SHUFFLE_XOR,
  SHUFFLE_UP,
  SHUFFLE_DOWN,
  ROTATE,
  CLUSTERED_ROTATE,
  ALL_EQUAL,      // of the value
  ALL_EQUAL_BIT,  // of its lowest bit; of floats: of 0 and -0
  ALL_EQUAL_CONSTANT,
  ALL_EQUAL_NAN,
  ELECT,
  ALL,
  ANY,
  BALLOT,
  BALLOT_REST,  // the components that no sub-group is large enough for
  INVERSE_BALLOT,
  BIT_EXTRACT,
  BIT_COUNT,
  BALLOT_INCLUSIVE,
  BALLOT_EXCLUSIVE,
  FIND_LSB,
  FIND_MSB,
  EQ_MASK,
  GE_MASK,
  GT_MASK,
  LE_MASK,
  LT_MASK,
};

struct call {
  char text[TEXT_BYTES];  // an expression of type ulong
  enum form form;
  enum reference_type type;
  enum op op;
  unsigned count;  // elements of a vector, members of a cluster
};

struct calls {
  struct call items[CALLS_MAX];
  size_t count;
};

static struct call *add(struct calls *calls, enum form form, enum reference_type type) {
  if (calls->count == CALLS_MAX)
    fail("more than %d calls in one kernel", CALLS_MAX);
  struct call *call = &calls->items[calls->count++];
  call->form = form;
  call->type = type;
  return call;
}

// The value as OpenCL C has it; of logical operations, a predicate.
static const char *value_text(enum reference_type type) {
  static char text[32];
  snprintf(text, sizeof text,
           type == TYPE_FLOAT    ? "f"
           : type == TYPE_HALF   ? "f16"
           : type == TYPE_DOUBLE ? "f64"
                                 : "(%s)x",
           reference_type_names[type]);
  return text;
}

static void add_plain(struct calls *calls, enum form form, enum reference_type type, const char *text) {
  snprintf(add(calls, form, type)->text, TEXT_BYTES, "%s", text);
}

static void add_arithmetic(struct calls *calls, enum form form, const char *prefix, enum reference_type type,
                           enum op op, unsigned cluster) {
  struct call *call = add(calls, form, type);
  const bool is_logical = op >= LOGICAL_AND;
  char more[16] = "";
  call->op = op;
  call->count = cluster;
  if (cluster != 0)
    snprintf(more, sizeof more, ", %uu", cluster);
  snprintf(call->text, TEXT_BYTES, "BITS_%s(%s_%s(%s%s)%s)", reference_type_names[type], prefix, operation_names[op],
           is_logical ? "(int)x & 6" : value_text(type), more, is_logical ? " != 0" : "");
}

// ---- what the text says of a call; false where it says that the result is undefined

static bool value_of_lane(const struct call *call, const struct active_set *set, uint32_t lane, uint64_t *result) {
  if (lane >= set->me->sub_group_size || !set->inputs[lane])
    return false;
  *result = value_of(call->type, set->inputs[lane]);
  if (call->form == BROADCAST_VECTOR) {
    const struct input *input = set->inputs[lane];
    uint64_t fold = 0;
    for (unsigned k = 0; k < call->count; k++)
      fold = fold * 31 + (reference_is_real(call->type) ? value_of(call->type, input) ^ k
                                                        : reference_bits(call->type, input->integer * (k + 1)));
    *result = fold;
  }
  return true;
}

// Halves are folded as floats, and the result is rounded.
static uint64_t widened(enum reference_type type, uint64_t value) {
  return type == TYPE_HALF ? reference_float_bits(reference_half(value)) : value;
}

// In the order of rtl/group/README.md, where the active work-items have the numbers 0, 1, 2, …: a block's values are
// those of its lower half with those of its upper half; in front of a value, from its number's lowest bit on, each
// larger block.
static uint64_t fold_of_block(enum reference_type type, enum op op, const uint64_t *values, size_t count) {
  if (count == 1)
    return values[0];
  const size_t half = count / 2;
  return apply(type, op, fold_of_block(type, op, values, half), fold_of_block(type, op, values + half, half));
}

static uint64_t fold_up_to(enum reference_type type, enum op op, const uint64_t *values, size_t last) {
  uint64_t so_far = values[last];
  for (size_t first = last, block = 1; first > 0; block *= 2) {
    if ((first & block) == 0)
      continue;
    first -= block;
    so_far = apply(type, op, fold_of_block(type, op, values + first, block), so_far);
  }
  return so_far;
}

static uint64_t fold_of(const struct call *call, const struct active_set *set) {
  const enum reference_type type = call->type == TYPE_HALF ? TYPE_FLOAT : call->type;
  const uint32_t me = set->me->sub_group_local_id;
  uint32_t from = 0, end = LANES_MAX;
  if (call->form == CLUSTERED_REDUCE) {
    from = me - me % call->count;
    end = from + call->count;
  } else if (call->form != REDUCE) {
    end = me + (call->form == SCAN_INCLUSIVE);
  }
  uint64_t values[LANES_MAX];
  size_t count = 0;
  for (uint32_t lane = from; lane < end; lane++) {
    if (!set->inputs[lane])
      continue;
    uint64_t value = widened(call->type, value_of(call->type, set->inputs[lane]));
    if (call->op >= LOGICAL_AND)
      value = (value & 6) != 0;
    // A NaN is neither the least nor the greatest of anything. Clusters are gone through with fmin and fmax.
    if ((call->op == MIN || call->op == MAX) && call->form != CLUSTERED_REDUCE && reference_is_nan(type, value))
      continue;
    values[count++] = value;
  }
  const uint64_t so_far = count > 0 ? fold_up_to(type, call->op, values, count - 1) : identity(type, call->op);
  return call->type == TYPE_HALF ? reference_half_bits(reference_float(so_far)) : so_far;
}

// A lane of the sub-group, chosen by a number.
static uint32_t some_lane(const struct active_set *set, uint32_t number) {
  if (set->me->sub_group_size == 0)
    fail("a sub-group has members");
  return number % set->me->sub_group_size;
}

static uint32_t first_lane(const struct active_set *set) {
  uint32_t lane = 0;
  while (!set->inputs[lane])
    lane++;
  return lane;
}

static bool all_equal(const struct call *call, const struct active_set *set) {
  const struct input *first = set->inputs[first_lane(set)];
  for (uint32_t lane = 0; lane < LANES_MAX; lane++) {
    const struct input *input = set->inputs[lane];
    if (!input)
      continue;
    const uint64_t a = widened(call->type, value_of(call->type, first));
    const uint64_t b = widened(call->type, value_of(call->type, input));
    const bool is_real = reference_is_real(call->type);
    if (call->form == ALL_EQUAL_BIT && !is_real && ((a ^ b) & 1) != 0)
      return false;
    if (call->form == ALL_EQUAL && (call->type == TYPE_DOUBLE ? !(reference_double(a) == reference_double(b))
                                    : is_real                 ? !(reference_float(a) == reference_float(b))
                                                              : a != b))
      return false;
  }
  return call->form != ALL_EQUAL_NAN;
}

// Bit i: lane i is active, and its integer has one of these bits.
static uint32_t ballot_of(const struct active_set *set, uint64_t bits) {
  uint32_t ballot = 0;
  for (uint32_t lane = 0; lane < LANES_MAX; lane++)
    ballot |= (uint32_t)(set->inputs[lane] && (set->inputs[lane]->integer & bits) != 0) << lane;
  return ballot;
}

static uint32_t active_lanes(const struct active_set *set) {
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < LANES_MAX; lane++)
    lanes |= (uint32_t)(!!set->inputs[lane]) << lane;
  return lanes;
}

// The bits from `from` to `end` - 1.
static uint32_t mask_of(uint32_t from, uint32_t end) {
  uint32_t mask = 0;
  for (uint32_t bit = from; bit < end; bit++)
    mask |= UINT32_C(1) << bit;
  return mask;
}

static uint64_t count_of(uint32_t bits) {
  uint64_t count = 0;
  for (; bits != 0; bits &= bits - 1)
    count++;
  return count;
}

static bool ballot_call(const struct call *call, const struct active_set *set, uint64_t *result) {
  const uint32_t me = set->me->sub_group_local_id, most = set->me->max_sub_group_size;
  const struct input *mine = set->inputs[me];
  const uint32_t word = mine->same, within = word & mask_of(0, most);
  switch (call->form) {
    case ELECT:
      *result = first_lane(set) == me;
      return true;
    case ALL:
      *result = ballot_of(set, 0x30) == active_lanes(set);
      return true;
    case ANY:
      *result = ballot_of(set, 0x300) != 0;
      return true;
    case BALLOT:
      *result = ballot_of(set, 6);
      return true;
    case BALLOT_REST:
      *result = 0;
      return true;
    case INVERSE_BALLOT:
      *result = word >> me & 1;
      return true;
    case BIT_EXTRACT:
      *result = word >> some_lane(set, mine->different) & 1;
      return true;
    case BIT_COUNT:
      *result = count_of(within);
      return true;
    case BALLOT_INCLUSIVE:
      *result = count_of(word & mask_of(0, me + 1));
      return true;
    case BALLOT_EXCLUSIVE:
      *result = count_of(word & mask_of(0, me));
      return true;
    case FIND_LSB:
      *result = (uint64_t)__builtin_ctz(within | UINT32_C(1) << 31);
      return within != 0;
    case FIND_MSB:
      *result = 31 - (uint64_t)__builtin_clz(within | 1);
      return within != 0;
    case EQ_MASK:
      *result = mask_of(me, me + 1);
      return true;
    case GE_MASK:
      *result = mask_of(me, most);
      return true;
    case GT_MASK:
      *result = mask_of(me + 1, most);
      return true;
    case LE_MASK:
      *result = mask_of(0, me + 1);
      return true;
    default:
      *result = mask_of(0, me);
      return true;
  }
}

static bool expected_of(const struct call *call, const struct active_set *set, uint64_t *result) {
  const uint32_t me = set->me->sub_group_local_id, most = set->me->max_sub_group_size;
  const struct input *mine = set->inputs[me];
  const uint32_t delta = mine->different % 5, turn = mine->same % 64 - 20;
  switch (call->form) {
    case CLUSTERED_REDUCE:
      if (call->count > most)
        return false;
      *result = fold_of(call, set);
      return true;
    case REDUCE:
    case SCAN_INCLUSIVE:
    case SCAN_EXCLUSIVE:
      *result = fold_of(call, set);
      return true;
    case BROADCAST:
    case BROADCAST_VECTOR:
      return value_of_lane(call, set, some_lane(set, mine->same), result);
    case BROADCAST_FIRST:
      return value_of_lane(call, set, first_lane(set), result);
    case SHUFFLE:
      return value_of_lane(call, set, some_lane(set, mine->different), result);
    case SHUFFLE_XOR:
      return value_of_lane(call, set, me ^ some_lane(set, mine->different), result);
    case SHUFFLE_UP:
      return delta <= me && value_of_lane(call, set, me - delta, result);
    case SHUFFLE_DOWN:
      return value_of_lane(call, set, me + delta, result);
    case ROTATE:  // sizes are powers of two: the remainder is the same for what is negative
      return value_of_lane(call, set, (me + turn) % most, result);
    case CLUSTERED_ROTATE:
      return call->count <= most &&
             value_of_lane(call, set, me - me % call->count + (me % call->count + turn) % call->count, result);
    case ALL_EQUAL:
    case ALL_EQUAL_BIT:
    case ALL_EQUAL_CONSTANT:
    case ALL_EQUAL_NAN:
      *result = all_equal(call, set);
      return true;
    default:
      return ballot_call(call, set, result);
  }
}

// ---- kernels

// One kernel for each sub-group size, k_1, k_2, ..., around one function: its calls are in both arms, alike.
static cl_program build_calls(const struct calls *calls) {
  char *source = NULL;
  size_t bytes = 0;
  FILE *text = open_memstream(&source, &bytes);
  if (!text)
    fail("no memory for the test's source");
  fputs("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n", text);
  for (int type = 0; type < REFERENCE_TYPES; type++)
    fprintf(text, "#define BITS_%s(value) (ulong)as_u%s(value)\n", reference_type_names[type],
            type == TYPE_FLOAT    ? "int"
            : type == TYPE_HALF   ? "short"
            : type == TYPE_DOUBLE ? "long"
                                  : reference_type_names[type] + !reference_is_signed((enum reference_type)type));
  fputs(
      "#define ELEMENT_float(k) as_float(as_uint(f) ^ (uint)(k))\n"
      "#define ELEMENT_half(k) as_half((ushort)(as_ushort(f16) ^ (ushort)(k)))\n"
      "#define ELEMENT_double(k) as_double(as_ulong(f64) ^ (ulong)(k))\n"
      "#define ELEMENT(type, k) (type)(x * (ulong)((k) + 1))\n"
      "#define FOLD(type, n, element) ({ type##n v; ulong h = 0; \\\n"
      "  for (int k = 0; k < n; k++) v[k] = element; \\\n"
      "  v = sub_group_non_uniform_broadcast(v, w % get_sub_group_size()); \\\n"
      "  for (int k = 0; k < n; k++) h = h * 31 + BITS_##type(v[k]); h; })\n"
      "#define REST(value) ({ uint4 v = value; (ulong)(v.y | v.z | v.w); })\n"
      "#define CALLS",
      text);
  for (size_t i = 0; i < calls->count; i++)
    fprintf(text, " \\\n  o[%zu] = %s;", i, calls->items[i].text);
  fprintf(text,
          "\n__attribute__((noinline)) void both(global const ulong *in, global ulong *out) {\n"
          "  size_t i = get_global_id(0); global ulong *o = out + %zu * i;\n"
          "  ulong x = in[5 * i]; float f = as_float((uint)in[5 * i + 1]);\n"
          "  half f16 = as_half((ushort)(in[5 * i + 1] >> 32));\n"
          "#ifdef cl_khr_fp64\n"
          "  double f64 = as_double(in[5 * i + 4]);\n"
          "#endif\n"
          "  uint w = (uint)in[5 * i + 3], r = (uint)(in[5 * i + 3] >> 32); int turn = (int)(w %% 64) - 20;\n"
          "  if (in[5 * i + 2] != 0) { CALLS } else { CALLS }\n}\n",
          calls->count);
  for (uint32_t size = smallest_tested_size(); size <= harness()->lanes; size *= 2)
    fprintf(text,
            "__attribute__((intel_reqd_sub_group_size(%u)))\n"
            "kernel void k_%u(global const ulong *in, global ulong *out) { both(in, out); }\n",
            size, size);
  fclose(text);
  cl_program program = build(source, "-cl-std=CL3.0");
  free(source);
  return program;
}

// ---- values

static uint64_t random_u64(uint32_t *state) {
  const uint64_t high = random_u32(state);
  return high << 32 | random_u32(state);
}

static uint64_t random_integer(uint32_t *state) {
  static const uint64_t extremes[] = {
      0,      1,          UINT64_MAX, INT64_MAX,  (uint64_t)INT64_MIN, 0x7F,    0x80,        0x7FFF,
      0x8000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x8000000080008080U, 0x10000, 0x100000000U};
  const uint64_t x = random_u64(state);
  switch (random_u32(state) % 4) {
    case 0:
      return extremes[x % (sizeof extremes / sizeof extremes[0])];
    case 1:
      return x % 21 - 10;
    default:
      return x;
  }
}

// Floats whose sum depends on the order; now and then one that is not a number of the common kind. No 0 but -0, as
// which of the two is the smaller is not specified.
static uint64_t random_real(uint32_t *state) {
  static const float rare[] = {-0.0f, INFINITY, -INFINITY, 1e-40f, -3.4e38f, NAN};
  const uint32_t x = random_u32(state);
  if (random_u32(state) % 32 == 0)
    return reference_float_bits(rare[x % (sizeof rare / sizeof rare[0])]);
  return (x & 0x807FFFFF) | (120 + x % 13) << 23;
}

static uint64_t random_half(uint32_t *state) {
  static const uint16_t rare[] = {0x8000, 0x7C00, 0xFC00, 0x0001, 0xFBFF, 0x7E00};
  const uint32_t x = random_u32(state);
  if (random_u32(state) % 32 == 0)
    return rare[x % (sizeof rare / sizeof rare[0])];
  return (x & 0x83FF) | (10 + (x >> 16) % 9) << 10;
}

static uint64_t random_double(uint32_t *state) {
  static const double rare[] = {-0.0, INFINITY, -INFINITY, 1e-320, -1.7e308, NAN};
  const uint64_t x = random_u64(state);
  if (random_u32(state) % 32 == 0)
    return reference_double_bits(rare[x % (sizeof rare / sizeof rare[0])]);
  return (x & 0x800FFFFFFFFFFFFF) | (1016 + (x >> 52) % 13) << 52;
}

enum { RANDOM_ARMS, ALL_TOGETHER, ONE_ALONE, ALL_IN_THE_OTHER, ARMS };

static struct input random_input(uint32_t *state, int arms, size_t index, uint32_t same) {
  struct input input = {.integer = random_integer(state), .real = random_real(state), .same = same};
  input.different = random_u32(state);
  input.half = random_half(state);
  input.wide = random_double(state);
  const uint32_t bit = random_u32(state) >> 16 & 1;
  input.arm = arms == RANDOM_ARMS ? bit : arms == ONE_ALONE ? index % 7 == 2 : arms == ALL_IN_THE_OTHER;
  return input;
}

// ---- running and comparing

static void check(const struct calls *calls, const struct work_item *items, size_t count, const struct input *inputs,
                  const uint64_t *out) {
  for (size_t i = 0; i < count; i++) {
    const struct work_item *item = &items[i];
    const struct input *mine = &inputs[item->global_linear_id];
    struct active_set set = {.me = item};
    uint32_t active = 0;
    for (uint32_t lane = 0; lane < item->sub_group_size; lane++) {
      const struct input *other = &inputs[items[item->sub_group_first + lane].global_linear_id];
      if ((other->arm != 0) != (mine->arm != 0))
        continue;
      set.inputs[lane] = other;
      active |= UINT32_C(1) << lane;
    }
    for (size_t c = 0; c < calls->count; c++) {
      const struct call *call = &calls->items[c];
      const uint64_t got = out[item->global_linear_id * calls->count + c];
      uint64_t expected;
      if (!expected_of(call, &set, &expected) || is_same(call->type, expected, got))
        continue;
      fail("%s: expected 0x%" PRIx64 ", got 0x%" PRIx64
           "; sub-group of %u (largest %u), lane %u, active 0x%x, arm %d, x = 0x%" PRIx64 ", f = 0x%" PRIx64
           ", f16 = 0x%" PRIx64 ", f64 = 0x%" PRIx64 ", w = %u, r = %u, group %zu of %zu work-items",
           call->text, expected, got, item->sub_group_size, item->max_sub_group_size, item->sub_group_local_id, active,
           mine->arm != 0, mine->integer, mine->real, mine->half, mine->wide, mine->same, mine->different,
           item->group_id[0], item->local_size[0]);
    }
  }
}

static void run_over(cl_kernel kernel, const struct calls *calls, size_t global, size_t local, uint32_t size, int arms,
                     uint32_t *state) {
  const struct ndrange range = {1, {global}, {0}, {local}};
  size_t count;
  struct work_item *items = reference_items(&range, size, &count);
  struct input *inputs = allocate(count * sizeof *inputs);
  uint64_t *in = allocate(count * 5 * sizeof *in), *out = allocate(count * calls->count * sizeof *out);
  const uint32_t same = random_u32(state);
  for (size_t i = 0; i < count; i++) {
    inputs[i] = random_input(state, arms, i, same);
    in[5 * i] = inputs[i].integer;
    in[5 * i + 1] = inputs[i].half << 32 | inputs[i].real;
    in[5 * i + 2] = inputs[i].arm;
    in[5 * i + 3] = (uint64_t)inputs[i].different << 32 | inputs[i].same;
    in[5 * i + 4] = inputs[i].wide;
  }
  cl_mem in_buffer = buffer_with(in, count * 5 * sizeof *in);
  cl_mem out_buffer = buffer_with(NULL, count * calls->count * sizeof *out);
  set_args(kernel, ARG(in_buffer), ARG(out_buffer), END_ARGS);
  run(kernel, 1, NULL, range.global, range.local);
  read_buffer(out_buffer, out, count * calls->count * sizeof *out);
  check(calls, items, count, inputs, out);
  clReleaseMemObject(in_buffer);
  clReleaseMemObject(out_buffer);
  free(items);
  free(inputs);
  free(in);
  free(out);
}

// Every sub-group size; work-groups with a last sub-group that is smaller, and a last work-group that is. On the slow
// device one work-group of each size, and lanes that do not part only in the largest.
static void run_calls(struct calls *calls) {
  cl_program program = build_calls(calls);
  uint32_t state = 20240722;
  const bool is_short = harness()->is_rtl && !harness()->is_long;
  for (uint32_t size = smallest_tested_size(); size <= harness()->lanes; size *= 2) {
    char name[32];
    snprintf(name, sizeof name, "k_%u", size);
    cl_kernel kernel = kernel_of(program, name);
    const size_t limit = work_group_limit(kernel);
    const size_t locals[SHAPES_MAX] = {size + size / 2, size, 4 * size - 1, 1};
    const int shapes = is_short ? 1 : SHAPES_MAX;
    const int rounds = harness()->is_long ? 8 * ARMS : !is_short ? 2 * ARMS : size == harness()->lanes ? 2 : 1;
    for (int shape = 0; shape < shapes; shape++) {
      const size_t local = locals[shape] < limit ? locals[shape] : limit;
      for (int round = 0; round < rounds; round++)
        run_over(kernel, calls, is_short ? local : local + (local + 1) / 2, local, size, round % ARMS, &state);
    }
    clReleaseKernel(kernel);
  }
  free(calls);
}

static struct calls *no_calls(void) {
  return allocate(sizeof(struct calls));
}

// ---- cl_khr_subgroup_non_uniform_arithmetic, cl_khr_subgroup_clustered_reduce

static void test_arithmetic(enum op op) {
  struct calls *calls = no_calls();
  for (int type = TESTED_FIRST; type < TESTED_END; type++)
    if (has_op((enum reference_type)type, op) && (op < LOGICAL_AND || type == TYPE_INT)) {
      add_arithmetic(calls, REDUCE, "sub_group_non_uniform_reduce", (enum reference_type)type, op, 0);
      add_arithmetic(calls, SCAN_INCLUSIVE, "sub_group_non_uniform_scan_inclusive", (enum reference_type)type, op, 0);
      add_arithmetic(calls, SCAN_EXCLUSIVE, "sub_group_non_uniform_scan_exclusive", (enum reference_type)type, op, 0);
    }
  run_calls(calls);
}

static void test_clusters(enum op op) {
  struct calls *calls = no_calls();
  for (int type = TESTED_FIRST; type < TESTED_END; type++)
    if (has_op((enum reference_type)type, op) && (op < LOGICAL_AND || type == TYPE_INT))
      for (unsigned size = 1; size <= harness()->lanes; size *= 2)
        add_arithmetic(calls, CLUSTERED_REDUCE, "sub_group_clustered_reduce", (enum reference_type)type, op, size);
  run_calls(calls);
}

#define TEST_OP(name, op)                      \
  Test(active_sets, arithmetic_##name) {       \
    test_arithmetic(op);                       \
  }                                            \
  Test(active_sets, clustered_reduce_##name) { \
    test_clusters(op);                         \
  }
TEST_OP(add, ADD)
TEST_OP(mul, MUL)
TEST_OP(min, MIN)
TEST_OP(max, MAX)
#if !ONLY_DOUBLE
TEST_OP(and, AND)
TEST_OP(or, OR)
TEST_OP(xor, XOR)
TEST_OP(logical_and, LOGICAL_AND)
TEST_OP(logical_or, LOGICAL_OR)
TEST_OP(logical_xor, LOGICAL_XOR)
#endif

// ---- cl_khr_subgroup_shuffle, _shuffle_relative, _rotate

static void add_exchange(struct calls *calls, enum form form, enum reference_type type, const char *name,
                         const char *more) {
  snprintf(add(calls, form, type)->text, TEXT_BYTES, "BITS_%s(%s(%s%s))", reference_type_names[type], name,
           value_text(type), more);
}

Test(active_sets, shuffles) {
  struct calls *calls = no_calls();
  for (int i = TESTED_FIRST; i < TESTED_END; i++) {
    const enum reference_type type = (enum reference_type)i;
    add_exchange(calls, SHUFFLE, type, "sub_group_shuffle", ", r % get_sub_group_size()");
    add_exchange(calls, SHUFFLE_XOR, type, "sub_group_shuffle_xor", ", r % get_sub_group_size()");
    add_exchange(calls, SHUFFLE_UP, type, "sub_group_shuffle_up", ", r % 5");
    add_exchange(calls, SHUFFLE_DOWN, type, "sub_group_shuffle_down", ", r % 5");
  }
  run_calls(calls);
}

Test(active_sets, rotations) {
  struct calls *calls = no_calls();
  for (int i = TESTED_FIRST; i < TESTED_END; i++) {
    const enum reference_type type = (enum reference_type)i;
    add_exchange(calls, ROTATE, type, "sub_group_rotate", ", turn");
    for (unsigned size = 1; size <= harness()->lanes; size *= 2) {
      char more[32];
      snprintf(more, sizeof more, ", turn, %uu", size);
      add_exchange(calls, CLUSTERED_ROTATE, type, "sub_group_clustered_rotate", more);
      calls->items[calls->count - 1].count = size;
    }
  }
  run_calls(calls);
}

// ---- cl_khr_subgroup_ballot

Test(active_sets, broadcasts) {
  struct calls *calls = no_calls();
  for (int i = TESTED_FIRST; i < TESTED_END; i++) {
    const enum reference_type type = (enum reference_type)i;
    add_exchange(calls, BROADCAST, type, "sub_group_non_uniform_broadcast", ", w % get_sub_group_size()");
    add_exchange(calls, BROADCAST_FIRST, type, "sub_group_broadcast_first", "");
  }
  run_calls(calls);
}

static void test_vectors(unsigned elements) {
  // Three types a kernel: vectors of 16 fill the private memory of a work-item soon.
  for (int first = TESTED_FIRST; first < TESTED_END; first += 3) {
    struct calls *calls = no_calls();
    for (int i = first; i < first + 3 && i < TESTED_END; i++) {
      struct call *call = add(calls, BROADCAST_VECTOR, (enum reference_type)i);
      call->count = elements;
      if (reference_is_real(call->type))
        snprintf(call->text, TEXT_BYTES, "FOLD(%s, %u, ELEMENT_%s(k))", reference_type_names[i], elements,
                 reference_type_names[i]);
      else
        snprintf(call->text, TEXT_BYTES, "FOLD(%s, %u, ELEMENT(%s, k))", reference_type_names[i], elements,
                 reference_type_names[i]);
    }
    run_calls(calls);
  }
}

Test(active_sets, broadcasts_of_2) {
  test_vectors(2);
}
Test(active_sets, broadcasts_of_3) {
  test_vectors(3);
}
Test(active_sets, broadcasts_of_4) {
  test_vectors(4);
}
Test(active_sets, broadcasts_of_8) {
  test_vectors(8);
}
Test(active_sets, broadcasts_of_16) {
  test_vectors(16);
}

Test(active_sets, ballots) {
  struct calls *calls = no_calls();
  add_plain(calls, BALLOT, TYPE_ULONG, "sub_group_ballot((int)x & 6).x");
  add_plain(calls, BALLOT_REST, TYPE_ULONG, "REST(sub_group_ballot((int)x & 6))");
  add_plain(calls, INVERSE_BALLOT, TYPE_ULONG, "sub_group_inverse_ballot((uint4)(w, ~w, ~w, w)) != 0");
  add_plain(calls, BIT_EXTRACT, TYPE_ULONG,
            "sub_group_ballot_bit_extract((uint4)(w, ~w, ~w, w), r % get_sub_group_size()) != 0");
  add_plain(calls, BIT_COUNT, TYPE_ULONG, "sub_group_ballot_bit_count((uint4)(w))");
  add_plain(calls, BALLOT_INCLUSIVE, TYPE_ULONG, "sub_group_ballot_inclusive_scan((uint4)(w))");
  add_plain(calls, BALLOT_EXCLUSIVE, TYPE_ULONG, "sub_group_ballot_exclusive_scan((uint4)(w))");
  add_plain(calls, FIND_LSB, TYPE_ULONG, "sub_group_ballot_find_lsb((uint4)(w))");
  add_plain(calls, FIND_MSB, TYPE_ULONG, "sub_group_ballot_find_msb((uint4)(w))");
  add_plain(calls, EQ_MASK, TYPE_ULONG, "get_sub_group_eq_mask().x");
  add_plain(calls, GE_MASK, TYPE_ULONG, "get_sub_group_ge_mask().x");
  add_plain(calls, GT_MASK, TYPE_ULONG, "get_sub_group_gt_mask().x");
  add_plain(calls, LE_MASK, TYPE_ULONG, "get_sub_group_le_mask().x");
  add_plain(calls, LT_MASK, TYPE_ULONG, "get_sub_group_lt_mask().x");
  add_plain(calls, BALLOT_REST, TYPE_ULONG, "REST(get_sub_group_eq_mask() | get_sub_group_ge_mask())");
  add_plain(calls, BALLOT_REST, TYPE_ULONG,
            "REST(get_sub_group_gt_mask() | get_sub_group_le_mask() | get_sub_group_lt_mask())");
  run_calls(calls);
}

// ---- cl_khr_subgroup_non_uniform_vote

Test(active_sets, votes) {
  struct calls *calls = no_calls();
  add_plain(calls, ELECT, TYPE_ULONG, "sub_group_elect() != 0");
  add_plain(calls, ALL, TYPE_ULONG, "sub_group_non_uniform_all((int)x & 0x30) != 0");
  add_plain(calls, ANY, TYPE_ULONG, "sub_group_non_uniform_any((int)x & 0x300) != 0");
  for (int i = TESTED_FIRST; i < TYPE_FLOAT; i++) {
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "sub_group_non_uniform_all_equal((%s)x) != 0", reference_type_names[i]);
    add_plain(calls, ALL_EQUAL, (enum reference_type)i, text);
    snprintf(text, sizeof text, "sub_group_non_uniform_all_equal((%s)(x & 1)) != 0", reference_type_names[i]);
    add_plain(calls, ALL_EQUAL_BIT, (enum reference_type)i, text);
    snprintf(text, sizeof text, "sub_group_non_uniform_all_equal((%s)-7) != 0", reference_type_names[i]);
    add_plain(calls, ALL_EQUAL_CONSTANT, (enum reference_type)i, text);
  }
#if ONLY_DOUBLE
  add_plain(calls, ALL_EQUAL, TYPE_DOUBLE, "sub_group_non_uniform_all_equal(f64) != 0");
  add_plain(calls, ALL_EQUAL_BIT, TYPE_DOUBLE, "sub_group_non_uniform_all_equal(x & 1 ? 0.0 : -0.0) != 0");
  add_plain(calls, ALL_EQUAL_CONSTANT, TYPE_DOUBLE, "sub_group_non_uniform_all_equal(-1.5) != 0");
  add_plain(calls, ALL_EQUAL_NAN, TYPE_DOUBLE, "sub_group_non_uniform_all_equal((double)NAN) != 0");
#endif
  add_plain(calls, ALL_EQUAL, TYPE_FLOAT, "sub_group_non_uniform_all_equal(f) != 0");
  add_plain(calls, ALL_EQUAL_BIT, TYPE_FLOAT, "sub_group_non_uniform_all_equal(x & 1 ? 0.0f : -0.0f) != 0");
  add_plain(calls, ALL_EQUAL_CONSTANT, TYPE_FLOAT, "sub_group_non_uniform_all_equal(-1.5f) != 0");
  add_plain(calls, ALL_EQUAL_NAN, TYPE_FLOAT, "sub_group_non_uniform_all_equal(NAN) != 0");
  add_plain(calls, ALL_EQUAL, TYPE_HALF, "sub_group_non_uniform_all_equal(f16) != 0");
  add_plain(calls, ALL_EQUAL_BIT, TYPE_HALF, "sub_group_non_uniform_all_equal((half)(x & 1 ? 0.0h : -0.0h)) != 0");
  add_plain(calls, ALL_EQUAL_CONSTANT, TYPE_HALF, "sub_group_non_uniform_all_equal(-1.5h) != 0");
  add_plain(calls, ALL_EQUAL_NAN, TYPE_HALF, "sub_group_non_uniform_all_equal((half)NAN) != 0");
  run_calls(calls);
}
