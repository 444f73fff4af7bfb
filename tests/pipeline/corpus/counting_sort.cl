// SPDX-License-Identifier: Apache-2.0
// Sorts values below 16 by counting them: Seward, 1954, as Knuth has it in The Art of Computer Programming, volume 3,
// section 5.2.
kernel void counting_sort(global const uint *in, global uint *out) {
  local uint counts[16], firsts[16];
  uint i = get_local_id(0), group = get_group_id(0) * get_local_size(0);
  if (i < 16)
    counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&counts[in[group + i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 16) {
    uint sum = 0;
    for (uint v = 0; v < i; v++)
      sum += counts[v];
    firsts[i] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[group + atomic_inc(&firsts[in[group + i]])] = in[group + i];
}
