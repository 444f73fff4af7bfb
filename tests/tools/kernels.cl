// SPDX-License-Identifier: Apache-2.0
// Kernels that tests/tools/heddle_tool.py runs from the command line.
kernel void copy(global const int *in, global int *out) {
  out[get_global_id(0)] = in[get_global_id(0)];
}

kernel void saxpy(global const int *x, global int *y, int a) {
  y[get_global_id(0)] += a * x[get_global_id(0)];
}

kernel void twice3(global const int3 *in, global int3 *out) {
  out[get_global_id(0)] = in[get_global_id(0)] * 2;
}

kernel void halve(global float *x) {
  x[get_global_id(0)] *= 0.5f;
}

kernel void mirror(global const int *in, global int *out, local int *row) {
  size_t i = get_local_id(0);
  row[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = row[get_local_size(0) - 1 - i];
}

struct pair {
  int a, b;
};
kernel void field(global int *out, struct pair p) {
  out[0] = p.a + p.b;
}

kernel void where(global int *out) {
  out[get_global_linear_id()] = (int)(get_global_id(0) + 100 * get_global_id(1));
}

#ifndef VALUE
#define VALUE 0
#endif
kernel void defined(global int *out) {
  out[0] = VALUE;
}

kernel void slow(global int *out) {
  int x = (int)get_global_id(0);
  for (int i = 0; i < 3000; i++) x = x * 1664525 + 1013904223;
  out[get_global_id(0)] = x;
}

kernel void wild(global int *out) {
  if (get_global_id(0) == 5) *(volatile global int *)0x70000000 = 1;
  out[get_global_id(0)] = 1;
}

kernel void endless(global int *out) {
  volatile global int *flag = out;
  while (*flag == 0) {
  }
}

kernel void speak(global int *out, int wrong) {
  printf("work-item %d of %s\n", (int)get_global_id(0), "speak");
  if (wrong)
    *(volatile global int *)4 = 1;
  out[get_global_id(0)] = 3;
}
