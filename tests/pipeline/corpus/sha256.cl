// SPDX-License-Identifier: Apache-2.0
// The digest of one block of 64 bytes, padded already, as words: FIPS 180-4, section 6.2.
constant uint k[64] = {0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
                       0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
                       0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
                       0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
                       0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
                       0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
                       0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
                       0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

kernel void sha256(global const uint *blocks, global uint *digests) {
  size_t item = get_global_id(0);
  const uint8 first =
      (uint8)(0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19);
  uint8 s = first;
  uint w[16];
  for (int t = 0; t < 16; t++)
    w[t] = blocks[16 * item + t];
  for (int t = 0; t < 64; t++) {
    if (t >= 16) {
      uint x = w[(t + 1) & 15], y = w[(t + 14) & 15];
      w[t & 15] +=
          (rotate(x, 25u) ^ rotate(x, 14u) ^ x >> 3) + w[(t + 9) & 15] + (rotate(y, 15u) ^ rotate(y, 13u) ^ y >> 10);
    }
    uint t1 = s.s7 + (rotate(s.s4, 26u) ^ rotate(s.s4, 21u) ^ rotate(s.s4, 7u)) + bitselect(s.s6, s.s5, s.s4) + k[t] +
              w[t & 15];
    uint t2 = (rotate(s.s0, 30u) ^ rotate(s.s0, 19u) ^ rotate(s.s0, 10u)) + ((s.s0 & s.s1) | (s.s2 & (s.s0 | s.s1)));
    s = (uint8)(t1 + t2, s.s0, s.s1, s.s2, s.s3 + t1, s.s4, s.s5, s.s6);
  }
  vstore8(first + s, item, digests);
}
