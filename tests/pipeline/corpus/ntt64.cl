// SPDX-License-Identifier: Apache-2.0
// A number-theoretic transform of 64 numbers modulo 998244353, in local memory.
uint mulmod_ntt(uint a, uint b) { return (ulong)a * b % 998244353u; }
kernel void ntt64(global uint *data, global const uint *roots) {
  local uint s[64];
  uint l = get_local_id(0);
  global uint *mine = data + 64 * get_group_id(0);
  uint from = 0;
  for (int b = 0; b < 6; b++) from |= (l >> b & 1) << (5 - b);
  s[l] = mine[from];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint width = 1; width < 64; width *= 2) {
    if (l < 32) {
      uint k = l & (width - 1), i = 2 * l - k, j = i + width;
      uint t = mulmod_ntt(s[j], roots[k * (32 / width)]), u = s[i];
      s[i] = u + t >= 998244353u ? u + t - 998244353u : u + t;
      s[j] = u >= t ? u - t : u - t + 998244353u;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  mine[l] = s[l];
}
