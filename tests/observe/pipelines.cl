// SPDX-License-Identifier: Apache-2.0
// Kernels that become pipelines, of which tests/observe knows what they wait for. A line that a test asks for is named
// by a comment at its end.

// A loop: a round of one sub-group a cycle.
kernel void looped(global uint *o) {
  size_t i = get_global_id(0);
  uint n = (uint)i;
  for (uint k = 0; k < 50; k++)  // the loop
    n = n * (n ^ k) + (n >> 3);
  o[i] = n;
}

// Each load needs the one before it.
kernel void chased(global int *o, global const int *in) {
  size_t i = get_global_id(0);
  int at = (int)i;
  for (int k = 0; k < 16; k++)
    at = in[at & 1023] + k;  // needs the load
  o[i] = at;
}

// Lanes store far apart: the memory port takes a cycle for each.
kernel void scattered(global int *o) {
  size_t i = get_global_id(0);
  for (int k = 0; k < 16; k++)
    o[(i * 16 + k) * 16 & 16383] = k;  // far apart
}

// Sub-groups wait for the last one of their work-group, whose lane goes around a loop.
kernel void waits(global int *o) {
  local int words[64];
  size_t i = get_global_id(0), l = get_local_id(0);
  int x = (int)i;
  for (int k = 0; k < (l == 63 ? 200 : 1); k++)
    x = x * (x ^ k) + (x >> 3);
  words[l] = x;
  barrier(CLK_LOCAL_MEM_FENCE);  // here
  o[i] = words[63 - l];
}

// Work-items are 64 bytes apart, as far as lines of the cache.
kernel void missing(global int *o, global int *in) {
  size_t i = get_global_id(0);
  int first = in[i * 16];  // misses
  o[i] = in[i * 16 + 1 + first];  // hits
}

// Neighbours load the same words, which are read again on the chip.
kernel void window(global int *o, global const int *in, int width) {
  const int x = get_global_id(0);
  int sum = 0;
  for (int j = -2; j <= 2; j++)
    sum += in[clamp(x + j, 0, width - 1)];  // neighbours
  o[x] = sum;
}

// Lanes store 16 words apart: the same bank of the local array.
kernel void banks(global int *o) {
  local int words[1024];
  const int l = (int)get_local_id(0);
  int sum = 0;
  for (int k = 0; k < 16; k++)
    words[(l * 16 + k) & 1023] = k;  // one bank
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 16; k++)
    sum += words[((l ^ 1) * 16 + k) & 1023];
  o[get_global_id(0)] = sum;
}

// Four accesses: time for lanes to share float operators, one lane after the other. But sub-groups come from the load
// in a cycle each.
kernel void shares(global float *o, global const float *in) {
  const size_t i = get_global_id(0);
  const float x = in[i];
  const float y = x * x + 3.0f;  // behind the load
  o[i] = y;
  o[i + 512] = y * x;
  o[i + 1024] = y - x;
}
