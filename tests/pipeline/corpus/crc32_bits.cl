// SPDX-License-Identifier: Apache-2.0
// The same check a bit a step: Peterson and Brown, Cyclic Codes for Error Detection, 1961.
kernel void crc32_bits(global const uchar *in, global uint *out, uint length) {
  size_t item = get_global_id(0);
  uint crc = ~0u;
  for (uint i = 0; i < length; i++) {
    crc ^= in[item * length + i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
  }
  out[item] = ~crc;
}
