// SPDX-License-Identifier: Apache-2.0
// Sums of all before, with each step twice as far: Hillis and Steele, Data Parallel Algorithms, 1986.
kernel void hillis_steele(global const uint *in, global uint *out) {
  local uint sums[2][64];
  uint i = get_local_id(0), which = 0;
  sums[0][i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < get_local_size(0); step *= 2) {
    sums[!which][i] = sums[which][i] + (i >= step ? sums[which][i - step] : 0);
    which = !which;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sums[which][i];
}
