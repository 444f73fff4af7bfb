// SPDX-License-Identifier: Apache-2.0
// A message's tag, with limbs of 26 bits: Poly1305, RFC 8439, section 2.5.
kernel void poly1305(global const uint *message, uint blocks, global const uint *keys, global uint *tags) {
  size_t g = get_global_id(0);
  global const uint *k = keys + 8 * g, *p = message + 4 * blocks * g;
  uint r[5] = {k[0] & 0x3ffffff, (k[0] >> 26 | k[1] << 6) & 0x3ffff03, (k[1] >> 20 | k[2] << 12) & 0x3ffc0ff,
               (k[2] >> 14 | k[3] << 18) & 0x3f03fff, k[3] >> 8 & 0x00fffff};
  uint h[5] = {0};
  for (uint b = 0; b < blocks; b++, p += 4) {
    h[0] += p[0] & 0x3ffffff; h[1] += (p[0] >> 26 | p[1] << 6) & 0x3ffffff;
    h[2] += (p[1] >> 20 | p[2] << 12) & 0x3ffffff;
    h[3] += (p[2] >> 14 | p[3] << 18) & 0x3ffffff; h[4] += p[3] >> 8 | 1 << 24;
    ulong d[5];
    for (int i = 0; i < 5; i++) {
      d[i] = 0;
      for (int j = 0; j < 5; j++) d[i] += (ulong)h[j] * (i >= j ? r[i - j] : 5 * r[5 + i - j]);
    }
    ulong c = 0;
    for (int i = 0; i < 5; i++) { d[i] += c; h[i] = d[i] & 0x3ffffff; c = d[i] >> 26; }
    h[0] += c * 5; h[1] += h[0] >> 26; h[0] &= 0x3ffffff;
  }
  uint c = 0;
  for (int i = 1; i < 10; i++) { h[i % 5] += i % 5 ? c : 5 * c; c = h[i % 5] >> 26; h[i % 5] &= 0x3ffffff; }
  h[0] += 5 * c; c = h[0] >> 26; h[0] &= 0x3ffffff; h[1] += c;
  uint q[5]; c = 5;
  for (int i = 0; i < 5; i++) { q[i] = h[i] + c; c = q[i] >> 26; q[i] &= 0x3ffffff; }
  if (c) for (int i = 0; i < 5; i++) h[i] = q[i];
  uint w[4] = {h[0] | h[1] << 26, h[1] >> 6 | h[2] << 20, h[2] >> 12 | h[3] << 14, h[3] >> 18 | h[4] << 8};
  ulong f = 0;
  for (int i = 0; i < 4; i++) { f += (ulong)w[i] + k[4 + i]; tags[4 * g + i] = f; f >>= 32; }
}
