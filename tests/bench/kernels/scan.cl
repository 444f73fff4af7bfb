// SPDX-License-Identifier: Apache-2.0
// The inclusive prefix sum of a long array: of each work-group, of the work-groups' sums, then both added.
kernel void scan_groups(global const int *in, global int *out, global int *sums) {
  int sum = work_group_scan_inclusive_add(in[get_global_id(0)]);
  out[get_global_id(0)] = sum;
  if (get_local_id(0) == get_local_size(0) - 1) sums[get_group_id(0)] = sum;
}

kernel void scan_sums(global int *sums) {
  sums[get_global_id(0)] = work_group_scan_inclusive_add(sums[get_global_id(0)]);
}

kernel void add_sums(global int *out, global const int *sums) {
  if (get_group_id(0) > 0) out[get_global_id(0)] += sums[get_group_id(0) - 1];
}
