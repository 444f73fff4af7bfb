// SPDX-License-Identifier: Apache-2.0
// The work-group size that the library chooses where the program leaves it open: on one compute unit, and so that
// several have as much to do.
#include "host/cl/ndrange.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { LANES = 8, SLOTS = 32, MOST = LANES * SLOTS / 4 };

static struct heddle_ndrange choose(uint32_t units, bool uniform, cl_uint work_dim, const size_t *global) {
  const struct heddle_capabilities capabilities = {
      .lanes = LANES,
      .slots = SLOTS,
      .units = units,
      .num_kinds = 1,
      .kinds = {{.units = units, .lanes = LANES, .slots = SLOTS, .work_group_items = LANES * SLOTS}}};
  const struct heddle_kernel kernel = {.name = "k"};
  const struct heddle_launch launch = {.kernel = &kernel, .capabilities = &capabilities, .uniform = uniform};
  struct heddle_ndrange range;
  const cl_int error = heddle_ndrange_make(&launch, work_dim, NULL, global, NULL, &range);
  cr_assert_eq(error, CL_SUCCESS, "%zu x %zu x %zu on %u units: %d", global[0], work_dim > 1 ? global[1] : 1,
               work_dim > 2 ? global[2] : 1, units, error);
  for (cl_uint i = 0; i < work_dim && uniform; i++)
    cr_assert_eq(global[i] % range.local_size[i], 0, "%zu in groups of %u", global[i], range.local_size[i]);
  return range;
}

static uint64_t work_items_of_a_group(const struct heddle_ndrange *range) {
  return (uint64_t)range->local_size[0] * range->local_size[1] * range->local_size[2];
}

// What one unit has to issue for each instruction of the kernel, when work-groups go to the units in turn.
static uint64_t sub_groups_of_one_unit(const struct heddle_ndrange *range, uint32_t units) {
  const uint64_t groups = (heddle_ndrange_groups(range) + units - 1) / units;
  return groups * ((work_items_of_a_group(range) + LANES - 1) / LANES);
}

Test(ndrange, one_unit_gets_work_groups_of_a_quarter_of_its_slots) {
  static const size_t globals[] = {1, 8, 24, 64, 128, 4096, 65536};
  for (size_t i = 0; i < sizeof globals / sizeof *globals; i++) {
    const struct heddle_ndrange range = choose(1, true, 1, &globals[i]);
    cr_assert_eq(range.local_size[0], globals[i] < MOST ? globals[i] : MOST);
  }
}

// Whole sub-groups, as many for each unit: each unit gets exactly its share, in full sub-groups.
Test(ndrange, small_ranges_are_spread_evenly_over_the_units) {
  for (uint32_t units = 1; units <= 8; units++) {
    for (size_t each = 1; each <= SLOTS; each++) {
      const size_t global = LANES * each * units;
      const struct heddle_ndrange range = choose(units, each % 2, 1, &global);
      const uint64_t most = sub_groups_of_one_unit(&range, units);
      cr_assert(work_items_of_a_group(&range) <= MOST);
      if (each <= SLOTS / 4)
        cr_assert_eq(most, each, "%zu work-items in groups of %u on %u units: one has %lu sub-groups, not %zu", global,
                     range.local_size[0], units, (unsigned long)most, each);
    }
  }
}

// Powers of two on three units: several small work-groups for each are nearer to a third than one or two large ones.
Test(ndrange, ranges_that_do_not_divide_by_the_units_are_nearly_even) {
  static const struct {
    size_t global;
    uint64_t sub_groups;
  } cases[] = {{8, 1}, {16, 1}, {32, 2}, {64, 3}, {128, 6}, {256, 12}, {512, 24}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct heddle_ndrange range = choose(3, true, 1, &cases[i].global);
    const uint64_t most = sub_groups_of_one_unit(&range, 3);
    cr_assert_eq(most, cases[i].sub_groups, "%zu work-items in groups of %u: %lu sub-groups on one unit, expected %lu",
                 cases[i].global, range.local_size[0], (unsigned long)most, (unsigned long)cases[i].sub_groups);
  }
}

// More units never make the busiest one busier than one unit's choice would, whatever the sizes divide by.
Test(ndrange, no_range_is_worse_for_being_spread) {
  for (uint32_t units = 2; units <= 8; units++) {
    for (size_t size = 1; size <= 600; size++) {
      for (cl_uint dim = 1; dim <= 3; dim++) {
        const size_t global[3] = {size, 1 + size % 7, 1 + size % 3};
        const struct heddle_ndrange spread = choose(units, size % 2, dim, global);
        const struct heddle_ndrange whole = choose(1, size % 2, dim, global);
        const uint64_t most = sub_groups_of_one_unit(&spread, units), before = sub_groups_of_one_unit(&whole, units);
        cr_assert_leq(most, before, "%zu x %zu x %zu, %u dimensions, %u units: %lu sub-groups instead of %lu",
                      global[0], global[1], global[2], dim, units, (unsigned long)most, (unsigned long)before);
      }
    }
  }
}

Test(ndrange, large_ranges_have_the_work_groups_of_one_unit) {
  static const size_t globals[][3] = {
      {65536, 1, 1}, {512, 512, 1}, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, {1 << 22, 1 << 21, 1 << 21}, {100, 99, 98}};
  for (size_t i = 0; i < sizeof globals / sizeof *globals; i++) {
    const struct heddle_ndrange one = choose(1, false, 3, globals[i]), eight = choose(8, false, 3, globals[i]);
    cr_assert_arr_eq(one.local_size, eight.local_size, sizeof one.local_size);
  }
}
