// SPDX-License-Identifier: Apache-2.0
// How often each byte occurs: every work-group counts in local memory, then adds its counts to all.
kernel void histogram(global const uchar *in, global uint *counts, uint n) {
  local uint mine[256];
  for (uint bin = get_local_id(0); bin < 256; bin += get_local_size(0)) mine[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&mine[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = get_local_id(0); bin < 256; bin += get_local_size(0)) atomic_add(&counts[bin], mine[bin]);
}
