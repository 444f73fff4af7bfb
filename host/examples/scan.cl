// SPDX-License-Identifier: Apache-2.0
// The example of the OpenCL text: prefix sums across a work-group.
kernel void scan(global const int *p, global int *inclusive, global int *exclusive) {
  size_t i = get_global_id(0);
  inclusive[i] = work_group_scan_inclusive_add(p[i]);
  exclusive[i] = work_group_scan_exclusive_add(p[i]);
}
