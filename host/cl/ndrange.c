// SPDX-License-Identifier: Apache-2.0
// The shape of an NDRange: checks and the choice of a work-group size (ndrange.h).
#include "host/cl/ndrange.h"

#include <string.h>

#include "contract/device_map.h"

static cl_int check_global(cl_uint work_dim, const size_t *offset, const size_t *global, struct heddle_ndrange *range) {
  for (cl_uint i = 0; i < work_dim; i++) {
    // Since OpenCL 2.1 no size, or a size of 0, is no error: nothing runs.
    const size_t size = global ? global[i] : 0;
    if (size > UINT32_MAX)
      return CL_INVALID_GLOBAL_WORK_SIZE;
    range->empty = range->empty || size == 0;
    range->global_size[i] = (uint32_t)size;
  }
  for (cl_uint i = 0; i < work_dim && offset; i++) {
    if (offset[i] > UINT32_MAX || (uint64_t)offset[i] + range->global_size[i] > UINT32_MAX)
      return CL_INVALID_GLOBAL_OFFSET;
    range->global_offset[i] = (uint32_t)offset[i];
  }
  return CL_SUCCESS;
}

static bool requires_size(const struct heddle_kernel *kernel) {
  return kernel->reqd_work_group_size[0] != 0;
}

// A required size is given for three dimensions whatever work_dim is.
static bool matches_required(const struct heddle_kernel *kernel, cl_uint work_dim, const size_t *local) {
  for (cl_uint i = 0; i < 3; i++)
    if (kernel->reqd_work_group_size[i] != (i < work_dim ? local[i] : 1))
      return false;
  return true;
}

static cl_int check_local(const struct heddle_launch *launch, cl_uint work_dim, const size_t *local,
                          const struct heddle_ndrange *range) {
  const uint32_t most = heddle_kernel_work_group_size(launch->kernel, launch->capabilities);
  size_t work_items = 1;
  if (requires_size(launch->kernel) && !matches_required(launch->kernel, work_dim, local))
    return CL_INVALID_WORK_GROUP_SIZE;
  for (cl_uint i = 0; i < work_dim; i++) {
    if (local[i] == 0 || local[i] > most || (work_items *= local[i]) > most)
      return CL_INVALID_WORK_GROUP_SIZE;
    if (launch->uniform && range->global_size[i] % local[i] != 0)
      return CL_INVALID_WORK_GROUP_SIZE;
  }
  const uint32_t sub_group = heddle_kernel_sub_group_size(launch->kernel, launch->capabilities);
  const uint32_t sub_groups = launch->kernel->required_num_sub_groups;
  if (sub_groups != 0 && (work_items + sub_group - 1) / sub_group != sub_groups)
    return CL_INVALID_WORK_GROUP_SIZE;
  for (cl_uint i = 0; i < work_dim; i++)
    if (local[i] > HEDDLE_LOCAL_SIZE_MAX)
      return CL_INVALID_WORK_ITEM_SIZE;
  return CL_SUCCESS;
}

static uint64_t round_up(uint64_t value, uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// The largest divisor of `size` up to `most` that is a multiple of `multiple`; 0: none.
static uint32_t divisor(uint32_t size, uint32_t most, uint32_t multiple) {
  for (uint32_t candidate = most / multiple * multiple; candidate != 0; candidate -= multiple)
    if (size % candidate == 0)
      return candidate;
  return 0;
}

// Work-groups of at most `left` work-items. Fills sub-groups first; uneven work-groups at the edge are taken rather
// than small ones everywhere.
static void fill_local(const struct heddle_launch *launch, uint32_t left, struct heddle_ndrange *range) {
  const uint32_t sub_group = heddle_kernel_sub_group_size(launch->kernel, launch->capabilities);
  for (cl_uint i = 0; i < range->work_dim; i++) {
    const uint32_t size = range->global_size[i];
    uint32_t most = left < HEDDLE_LOCAL_SIZE_MAX ? left : HEDDLE_LOCAL_SIZE_MAX;
    if (size < most)
      most = size;
    uint32_t chosen = i == 0 ? divisor(size, most, sub_group) : 0;
    if (chosen == 0)
      chosen = divisor(size, most, 1);
    if (!launch->uniform && chosen < most / 2)
      chosen = most;
    range->local_size[i] = chosen;
    left /= chosen;
  }
}

// A kernel of a chain that has no units of its own runs on those of the chain.
static uint32_t units_of(const struct heddle_unit_kind *kind) {
  return kind->units != 0 ? kind->units : 1;
}

// Sub-groups that the compute unit with the most work-groups gets.
static uint64_t busiest_unit(const struct heddle_launch *launch, const struct heddle_ndrange *range) {
  const uint32_t sub_group = heddle_kernel_sub_group_size(launch->kernel, launch->capabilities);
  const uint64_t groups = heddle_ndrange_groups(range),
                 units = units_of(heddle_kernel_kind(launch->kernel, launch->capabilities));
  return (groups / units + (groups % units != 0)) * (round_up(heddle_volume(range->local_size), sub_group) / sub_group);
}

// A quarter of the slots a work-group leaves room for others to start while one drains; in a pipeline an eighth, since
// there a work-group's slots are free when its last sub-group ends, and every one of them is needed. Where that makes
// too few of them for several compute units, smaller ones are tried, so many that each unit gets one, two, …, and taken
// if the busiest unit then has less to do: it has not where the size has no good divisors, and lanes would be idle.
static void choose_local(const struct heddle_launch *launch, struct heddle_ndrange *range) {
  enum { MOST_GROUPS_A_UNIT = 4 };
  const uint32_t sub_group = heddle_kernel_sub_group_size(launch->kernel, launch->capabilities);
  const struct heddle_unit_kind *kind = heddle_kernel_kind(launch->kernel, launch->capabilities);
  const uint32_t slots = kind->slots, units = units_of(kind);
  const uint32_t fits = heddle_kernel_work_group_size(launch->kernel, launch->capabilities);
  const uint32_t parts = kind->type == HEDDLE_KIND_IS_PIPELINE ? 8 : 4;
  const uint32_t share = sub_group * (slots >= parts ? slots / parts : slots), most = share < fits ? share : fits;
  if (requires_size(launch->kernel)) {
    memcpy(range->local_size, launch->kernel->reqd_work_group_size, sizeof range->local_size);
    return;
  }
  if (launch->kernel->required_num_sub_groups != 0) {
    range->local_size[0] = sub_group * launch->kernel->required_num_sub_groups;
    return;
  }
  fill_local(launch, most, range);
  uint64_t work_items = 1;
  for (cl_uint i = 0; i < range->work_dim && work_items <= (uint64_t)most * units * MOST_GROUPS_A_UNIT; i++)
    work_items *= range->global_size[i];
  for (uint32_t groups = 1; groups <= MOST_GROUPS_A_UNIT && units > 1; groups++) {
    const uint64_t part = round_up((work_items + units * groups - 1) / (units * groups), sub_group);
    struct heddle_ndrange spread = *range;
    if (part < most)
      fill_local(launch, (uint32_t)part, &spread);
    if (busiest_unit(launch, &spread) < busiest_unit(launch, range))
      *range = spread;
  }
}

// A required size in a dimension that is not used cannot be met.
static bool required_dimensions_used(const struct heddle_kernel *kernel, cl_uint work_dim) {
  for (cl_uint i = work_dim; i < 3; i++)
    if (kernel->reqd_work_group_size[i] > 1)
      return false;
  return true;
}

cl_int heddle_ndrange_make(const struct heddle_launch *launch, cl_uint work_dim, const size_t *offset,
                           const size_t *global, const size_t *local, struct heddle_ndrange *range) {
  *range = (struct heddle_ndrange){.work_dim = work_dim, .global_size = {1, 1, 1}, .local_size = {1, 1, 1}};
  if (work_dim < 1 || work_dim > 3)
    return CL_INVALID_WORK_DIMENSION;
  cl_int error = check_global(work_dim, offset, global, range);
  if (error != CL_SUCCESS)
    return error;
  if (local) {
    error = check_local(launch, work_dim, local, range);
    for (cl_uint i = 0; i < work_dim && error == CL_SUCCESS; i++)
      range->local_size[i] = (uint32_t)local[i];
    return error;
  }
  if (!required_dimensions_used(launch->kernel, work_dim))
    return CL_INVALID_WORK_GROUP_SIZE;
  if (range->empty)
    return CL_SUCCESS;
  choose_local(launch, range);
  for (cl_uint i = 0; i < work_dim; i++)
    if (launch->uniform && range->global_size[i] % range->local_size[i] != 0)
      return CL_INVALID_WORK_GROUP_SIZE;
  // A required size larger than the device's is found here: the others fit by choice.
  return heddle_volume(range->local_size) > heddle_kernel_work_group_size(launch->kernel, launch->capabilities)
             ? CL_INVALID_WORK_GROUP_SIZE
             : CL_SUCCESS;
}

cl_ulong heddle_ndrange_groups(const struct heddle_ndrange *range) {
  uint32_t groups[3];
  for (int i = 0; i < 3; i++)
    groups[i] = (uint32_t)(((cl_ulong)range->global_size[i] + range->local_size[i] - 1) / range->local_size[i]);
  return range->empty ? 0 : heddle_volume(groups);
}
