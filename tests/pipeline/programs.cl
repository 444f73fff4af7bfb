// SPDX-License-Identifier: Apache-2.0
// The kernels that the device of tests/pipelines/programs.c holds.
kernel void add(global const int *a, global const int *b, global int *c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}

kernel void count(global const int *a, global int *c) {
  size_t i = get_global_id(0);
  c[i] = sub_group_scan_inclusive_add(a[i]);
}

kernel void wait_for_ever(global volatile int *flag) {
  while (*flag == 0)
    ;
}
