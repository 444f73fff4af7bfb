// SPDX-License-Identifier: Apache-2.0
// c = a + b: one work-item an element.
kernel void vecadd(global const float *a, global const float *b, global float *c) {
  int i = get_global_id(0);
  c[i] = a[i] + b[i];
}
