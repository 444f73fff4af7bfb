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

// Its loads go through lines that lanes keep.
kernel void sum_rows(global const int *a, global int *c, int columns) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < columns; k++) sum += a[i * columns + k];
  c[i] = sum;
}

// All its work-items would do the same: it has one lane, and rounds that overlap.
kernel void total(global const int *restrict a, global int *restrict c, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i];
  *c = sum;
}

kernel void wait_for_ever(global volatile int *flag) {
  while (*flag == 0)
    ;
}

// Layouts of printf that say has not, or has by other numbers.
kernel void shout(global const int *a) {
  size_t i = get_global_id(0);
  printf("loud\n");
  if (a[i] & 1) printf("%d is odd\n", a[i]);
}

constant char *constant sizes[] = {"small", "large"};

// Layouts in the order of the calls, strings through a choice and a table, in a loop and branches.
kernel void say(global const int *a, global int *c) {
  int i = get_global_id(0), bad = 0;
  for (int k = 0; k < i % 3; k++)
    bad |= printf("item %d: %v2d, %v3hd, %s %s\n", i, (int2)(a[i], k), (short3)(i, -i, k), a[i] & 1 ? "odd" : "even", sizes[i > 9]);
  if (i % 50 == 49) bad |= printf("fifty\n");
  c[i] = bad;
}

// Of one work-item, whose memory port has as many words as a row: vectors, and rounds in one.
__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void vectors(global const int4 *restrict a, global int4 *restrict c, int rows) {
#pragma unroll 1
  for (int i = 0; i < rows; i++)
    c[i] = a[i] + i;
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void words(global const int *restrict a, global int *restrict c, int rows) {
#pragma unroll 4
  for (int i = 0; i < 4 * rows; i++)
    c[i] = a[i] + i / 4;
}

global int sum_of_all = 1000;
global int rows[4] = {1, 2, 3, 4};
global int *global cursor = rows + 1;
constant int far[17000] = {[2] = 5, [16999] = 7};  // more than a table in a circuit has

// Variables of the program, also one of its own.
kernel void remember(global const int *a, global int *c) {
  static global int turns;
  int i = get_global_id(0);
  atomic_add(&sum_of_all, a[i]);
  c[i] = far[i & 1 ? 16999 : i & 2] + turns;
  if (i == 0) {
    *cursor++ += 40;
    rows[3] = -turns++;
  }
}

kernel void recall(global int *c) {
  int i = get_global_id(0);
  c[i] = i == 0 ? sum_of_all : i < 5 ? rows[i - 1] : cursor - rows;
}
