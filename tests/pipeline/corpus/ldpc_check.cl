// SPDX-License-Identifier: Apache-2.0
// A pass over the check nodes of an LDPC code: normalised min-sum, with degrees of their own.
kernel void ldpc_check(global const short *in, global short *out, global const uchar *degrees, uint most) {
  size_t g = get_global_id(0);
  uint n = degrees[g];
  ushort min1 = 0x7fff, min2 = 0x7fff; uint at = 0; bool sign = false;
  for (uint i = 0; i < n; i++) {
    short v = in[g * most + i];
    ushort m = abs_diff(v, (short)0);
    sign ^= v < 0;
    if (m < min1) { min2 = min1; min1 = m; at = i; } else if (m < min2) min2 = m;
  }
  for (uint i = 0; i < n; i++) {
    short v = in[g * most + i];
    short m = (i == at ? min2 : min1) * 3 / 4;
    out[g * most + i] = sign ^ (v < 0) ? -m : m;
  }
}
