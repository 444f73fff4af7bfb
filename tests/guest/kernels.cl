// SPDX-License-Identifier: Apache-2.0
// What the suites of the guest run: compiled outside, since there is no compiler inside.

// See tests/transport/board_checks.h.
kernel void scan(global const uint *p, global uint *sums) {
  size_t i = get_global_id(0);
  sums[i] = work_group_scan_inclusive_add(p[i]);
}

// For each work-item the largest of its sub-group, and how many of it are odd.
kernel void sub_groups(global const uint *p, global uint *largest, global uint *odd) {
  size_t i = get_global_id(0);
  largest[i] = sub_group_reduce_max(p[i]);
  odd[i] = sub_group_reduce_add(p[i] & 1);
}

kernel void spin(global volatile int *p) {
  while (p[0] == 0) {
  }
}
