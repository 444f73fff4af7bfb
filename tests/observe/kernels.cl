// SPDX-License-Identifier: Apache-2.0
// Kernels of which tests/observe knows what each line does. A line that a test asks for is named by a comment at its end.
kernel void plain(global int *o) {
  size_t i = get_global_id(0);
  o[i] = (int)i * 7 + 1;
}

// Sub-groups part in two.
kernel void divergent(global int *o) {
  size_t i = get_global_id(0);
  int x = (int)i;
  if (i % 2)
    for (int k = 0; k < 40; k++) x = x * (x ^ k) + (x >> 3);  // half
  o[i] = x;
}

// All lanes need the same bank of local memory.
kernel void banks(global int *o) {
  local int words[64 * 32];
  int i = (int)get_local_id(0), sum = 0;
  for (int k = 0; k < 64; k++) {
    words[i * 32 + (k & sum & 31)] += k;  // one bank
    sum = words[i * 32] ^ k;
  }
  o[get_global_id(0)] = sum;
}

// Each lane in a line of its own.
kernel void scattered(global int *o, global int *in) {
  size_t i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < 16; k++) {
    in[(i * 16 + k) * 16] = k;  // far apart
    sum += k;
  }
  o[i] = sum;
}

// One sub-group works while the others wait.
kernel void waits(global int *o) {
  size_t i = get_global_id(0);
  int x = (int)i;
  if (get_sub_group_id() == 0)
    for (int k = 0; k < 100; k++) x = x * (x ^ k) + (x >> 3);
  barrier(CLK_GLOBAL_MEM_FENCE);  // here
  o[i] = x;
}

// Each load needs the one before it.
kernel void chased(global int *o, global const int *in) {
  size_t i = get_global_id(0);
  int at = (int)i;
  for (int k = 0; k < 16; k++) {
    at = in[at & 1023] + k;  // needs the load
  }
  o[i] = at;
}

kernel void divided(global int *o) {
  size_t i = get_global_id(0);
  int x = 1000000 + (int)i;
  for (int k = 1; k < 9; k++)
    x += x / (k + (int)(i & 3)) % 97;  // divides
  o[i] = x;
}

float twice(float x) { return x * 2.0f; }
kernel void calls(global float *o) {
  size_t i = get_global_id(0);
  o[i] = pow(twice(o[i]), 1.5f);  // calls pow
}

// Work-items are 64 bytes apart, as far as lines of the cache.
kernel void missing(global int *o, global int *in, global int *counts) {
  size_t i = get_global_id(0);
  int first = in[i * 16];  // misses
  int again = in[i * 16 + 1 + first];  // hits
  atomic_inc(&counts[i * 16]);  // an atomic misses
  o[i] = again;
}

kernel void added(global float *o) {
  o[get_global_id(0)] = sub_group_reduce_add(o[get_global_id(0)]);
}

// Ends by a fault behind some work.
kernel void far(global int *o) {
  int x = 0;
  for (int k = 0; k < 40; k++) x += o[k] * k;
  o[get_global_id(0)] = x;
  o[get_global_id(0) + (1 << 28)] = x;
}

// The same, as not all come to the same collective.
kernel void apart(global int *o) {
  int x = (int)get_local_id(0);
  if (x % 2)
    x += sub_group_reduce_add(x);
  else
    x += sub_group_reduce_max(x);
  o[get_global_id(0)] = x;
}
