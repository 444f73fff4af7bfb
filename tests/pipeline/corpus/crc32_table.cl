// SPDX-License-Identifier: Apache-2.0
// A cyclic redundancy check by a table of 256 words, a byte a step: Sarwate, Computation of Cyclic Redundancy Checks
// via Table Look-Up, 1988; the polynomial is that of IEEE 802.3.
kernel void crc32_table(global const uchar *in, constant uint *table, global uint *out, uint length) {
  size_t item = get_global_id(0);
  uint crc = ~0u;
  for (uint i = 0; i < length; i++)
    crc = table[(crc ^ in[item * length + i]) & 255] ^ crc >> 8;
  out[item] = ~crc;
}
