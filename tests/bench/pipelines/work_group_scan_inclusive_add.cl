// SPDX-License-Identifier: Apache-2.0
// A scan of each work-group, which is of 64 work-items.
kernel void work_group_scan(global const int *in, global int *out) {
  out[get_global_id(0)] = work_group_scan_inclusive_add(in[get_global_id(0)]);
}
