// SPDX-License-Identifier: Apache-2.0
// What the OpenCL text says a work-item sees and a collective returns, in plain C; written from the specification
// ("Mapping work-items onto an NDRange", cl_khr_subgroups, work-group functions), not from any part of Heddle.
#ifndef HEDDLE_TESTS_REFERENCE_H
#define HEDDLE_TESTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/collectives.h"

struct ndrange {
  unsigned dim;
  size_t global[3], offset[3], local[3];  // dimensions from `dim` on are ignored
};

struct work_item {
  size_t global_id[3], local_id[3], group_id[3];
  size_t local_size[3];  // of this work-group, smaller in a remainder
  size_t num_groups[3];
  size_t global_linear_id, local_linear_id;  // the first as get_global_linear_id: without the offset
  uint32_t sub_group_size, max_sub_group_size, num_sub_groups, enqueued_num_sub_groups, sub_group_id,
      sub_group_local_id;
  // Indices into the array of reference_items() of the first work-item of its groups.
  size_t group_first, group_count;  // the work-group's members are contiguous, in order of local_linear_id
  size_t sub_group_first;           // and so are a sub-group's
};

// All work-items of the range for a sub-group size, work-group by work-group. Stores their number in *count; the caller
// frees the array.
struct work_item *reference_items(const struct ndrange *range, uint32_t max_sub_group_size, size_t *count);

// OP_ADD, OP_MIN, ..., in the order of the table; OP_MAX is the last that is not bitwise.
#define REFERENCE_OP(NAME, name, number, ...) OP_##NAME,
enum reference_op { HEDDLE_COLLECTIVE_OPERATORS(REFERENCE_OP, ) REFERENCE_OPS };
extern const char *const reference_op_names[REFERENCE_OPS];  // as in OpenCL's functions
enum reference_mode { MODE_REDUCE, MODE_SCAN_INCLUSIVE, MODE_SCAN_EXCLUSIVE };

// The collective over values[0..n-1], given in scan order; result[i] is what member i gets. Types are 32 bits wide.
void reference_collective(enum reference_mode mode, enum reference_op op, int is_signed, const uint32_t *values,
                          uint32_t *result, size_t n);

// The types that reductions, scans and broadcasts are for; reference_type_names are OpenCL C's. Suites are built for
// those that every device has, and with ONLY_DOUBLE once more for double, which has to be asked for.
#ifndef ONLY_DOUBLE
#define ONLY_DOUBLE 0
#endif
enum reference_type {
  TYPE_CHAR,
  TYPE_UCHAR,
  TYPE_SHORT,
  TYPE_USHORT,
  TYPE_INT,
  TYPE_UINT,
  TYPE_LONG,
  TYPE_ULONG,
  TYPE_FLOAT,
  TYPE_HALF,
  TYPE_DOUBLE,
  REFERENCE_TYPES,
  TESTED_FIRST = ONLY_DOUBLE ? TYPE_DOUBLE : TYPE_CHAR,
  TESTED_END = ONLY_DOUBLE ? REFERENCE_TYPES : TYPE_DOUBLE,
};
extern const char *const reference_type_names[REFERENCE_TYPES];
size_t reference_type_bytes(enum reference_type type);
bool reference_is_signed(enum reference_type type);  // an integer with a sign
bool reference_is_real(enum reference_type type);    // float, half or double
bool reference_is_nan(enum reference_type type, uint64_t bits);

// A float and its bits.
float reference_float(uint64_t bits);
uint64_t reference_float_bits(float x);

// A double and its bits.
double reference_double(uint64_t bits);
uint64_t reference_double_bits(double x);

// A half, widened, and the bits of the half nearest to a float, of two the even one. A NaN becomes 0x7E00.
float reference_half(uint64_t bits);
uint64_t reference_half_bits(float x);

// The bits of x, of which the type has the low ones, as they are when its other bits are 0.
uint64_t reference_bits(enum reference_type type, uint64_t x);

// The collective over members 0..n-1 in scan order, of which those take part that are live; the others' results are not
// written. Members `first` to `first + sub_group_size - 1` are a sub-group for each multiple `first` of sub_group_size.
// Values are bits, as of reference_bits. Floats and doubles are joined in the order of rtl/group/README.md;
// halves as floats, and what comes of it is rounded (docs/decisions/half.md).
void reference_typed_collective(enum reference_mode mode, enum reference_op op, enum reference_type type,
                                const uint64_t *values, const bool *live, size_t n, size_t sub_group_size,
                                uint64_t *result);

#endif
