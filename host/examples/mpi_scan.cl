// SPDX-License-Identifier: Apache-2.0
// A scan of more work-items than a work-group has, in two kernels around a scan of the work-groups' sums.
kernel void scan_groups(global const int *values, global int *sums, global int *totals) {
  size_t i = get_global_id(0);
  int sum = work_group_scan_inclusive_add(values[i]);
  sums[i] = sum;
  if (get_local_id(0) == get_local_size(0) - 1)
    totals[get_group_id(0)] = sum;
}

// before[g]: the sum of all values before work-group g.
kernel void add_before(global int *sums, global const int *before) {
  sums[get_global_id(0)] += before[get_group_id(0)];
}
