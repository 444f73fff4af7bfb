// SPDX-License-Identifier: Apache-2.0
// Sums of all before without a work-item's own, up a tree and down: Blelloch, Prefix Sums and Their Applications, 1990.
kernel void blelloch(global const uint *in, global uint *out) {
  local uint sums[64];
  uint i = get_local_id(0), n = get_local_size(0);
  sums[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < n; step *= 2) {
    uint at = (i + 1) * step * 2 - 1;
    if (at < n)
      sums[at] += sums[at - step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0)
    sums[n - 1] = 0;
  for (uint step = n / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = (i + 1) * step * 2 - 1;
    if (at < n) {
      uint left = sums[at - step];
      sums[at - step] = sums[at];
      sums[at] += left;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sums[i];
}
