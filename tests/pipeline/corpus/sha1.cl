// SPDX-License-Identifier: Apache-2.0
// The digest of one block of 64 bytes, padded already, as words: FIPS 180-4, section 6.1.
kernel void sha1(global const uint *blocks, global uint *digests) {
  size_t item = get_global_id(0);
  uint w[16];
  for (int t = 0; t < 16; t++)
    w[t] = blocks[16 * item + t];
  uint a = 0x67452301, b = 0xEFCDAB89, c = 0x98BADCFE, d = 0x10325476, e = 0xC3D2E1F0;
  for (int t = 0; t < 80; t++) {
    if (t >= 16)
      w[t & 15] = rotate(w[(t - 3) & 15] ^ w[(t - 8) & 15] ^ w[(t - 14) & 15] ^ w[t & 15], 1u);
    uint f = t < 20 ? (b & c) ^ (~b & d) : t < 40 || t >= 60 ? b ^ c ^ d : (b & c) ^ (b & d) ^ (c & d);
    uint k = t < 20 ? 0x5A827999 : t < 40 ? 0x6ED9EBA1 : t < 60 ? 0x8F1BBCDC : 0xCA62C1D6;
    uint next = rotate(a, 5u) + f + e + k + w[t & 15];
    e = d;
    d = c;
    c = rotate(b, 30u);
    b = a;
    a = next;
  }
  digests[5 * item] = 0x67452301 + a;
  digests[5 * item + 1] = 0xEFCDAB89 + b;
  digests[5 * item + 2] = 0x98BADCFE + c;
  digests[5 * item + 3] = 0x10325476 + d;
  digests[5 * item + 4] = 0xC3D2E1F0 + e;
}
