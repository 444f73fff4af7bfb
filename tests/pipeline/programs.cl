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

// Its loads go through a window on the chip.
kernel void smooth(global const int *a, global int *c) {
  int i = get_global_id(0), last = get_global_size(0) - 1;
  c[i] = a[max(i - 1, 0)] + 2 * a[i] + a[min(i + 1, last)];
}

kernel void wait_for_ever(global volatile int *flag) {
  while (*flag == 0)
    ;
}
