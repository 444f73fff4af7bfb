// SPDX-License-Identifier: Apache-2.0
// The Walsh-Hadamard transform of 64 values: Pratt, Kane and Andrews, Hadamard Transform Image Coding, 1969.
kernel void walsh(global const int *in, global int *out) {
  local int x[64];
  uint i = get_local_id(0);
  x[i] = in[get_global_id(0)];
  for (uint step = 1; step < 64; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int mine = x[i], other = x[i ^ step];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[i] = i & step ? other - mine : mine + other;
  }
  out[get_global_id(0)] = x[i];
}
