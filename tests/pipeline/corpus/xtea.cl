// SPDX-License-Identifier: Apache-2.0
// A cipher of blocks of 64 bits: Needham and Wheeler, Tea extensions, 1997. 32 cycles.
kernel void xtea(global const uint2 *in, global uint2 *out, uint4 key) {
  size_t item = get_global_id(0);
  uint2 v = in[item];
  uint sum = 0, k[4] = {key.x, key.y, key.z, key.w};
  for (int i = 0; i < 32; i++) {
    v.x += ((v.y << 4 ^ v.y >> 5) + v.y) ^ (sum + k[sum & 3]);
    sum += 0x9E3779B9;
    v.y += ((v.x << 4 ^ v.x >> 5) + v.x) ^ (sum + k[sum >> 11 & 3]);
  }
  out[item] = v;
}
