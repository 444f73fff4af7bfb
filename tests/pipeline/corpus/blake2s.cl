// SPDX-License-Identifier: Apache-2.0
// Hashes of messages of one block: BLAKE2s, RFC 7693.
constant uchar blake_sigma[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15,
    13, 6, 1, 12, 0, 2, 11, 7, 5, 3}, {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12,
    11, 14, 2, 6, 5, 10, 4, 0, 15, 8}, {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11,
    8, 3, 4, 13, 7, 5, 15, 14, 1, 9}, {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1,
    3, 9, 5, 0, 15, 4, 8, 6, 2, 10}, {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1,
    5, 15, 11, 9, 14, 3, 12, 13, 0}};

constant uint blake_iv[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB,
    0x5BE0CD19};
#define G(a, b, c, d, x, y) \
  v[a] += v[b] + m[x]; v[d] = rotate(v[d] ^ v[a], 16u); v[c] += v[d]; v[b] = rotate(v[b] ^ v[c], 20u); \
  v[a] += v[b] + m[y]; v[d] = rotate(v[d] ^ v[a], 24u); v[c] += v[d]; v[b] = rotate(v[b] ^ v[c], 25u);
kernel void blake2s(global const uint *blocks, global const uint *lengths, global uint *digests) {
  size_t g = get_global_id(0);
  uint m[16], v[16], h[8];
  for (int i = 0; i < 16; i++) m[i] = blocks[16 * g + i];
  for (int i = 0; i < 8; i++) { h[i] = blake_iv[i]; v[i + 8] = blake_iv[i]; }
  h[0] ^= 0x01010020;
  for (int i = 0; i < 8; i++) v[i] = h[i];
  v[12] ^= lengths[g]; v[14] = ~v[14];
  for (int r = 0; r < 10; r++) {
    constant uchar *s = blake_sigma[r];
    G(0, 4, 8, 12, s[0], s[1]) G(1, 5, 9, 13, s[2], s[3]) G(2, 6, 10, 14, s[4], s[5]) G(3, 7, 11, 15, s[6], s[7])
    G(0, 5, 10, 15, s[8], s[9]) G(1, 6, 11, 12, s[10], s[11]) G(2, 7, 8, 13, s[12], s[13]) G(3, 4, 9, 14, s[14], s[15])
  }
  for (int i = 0; i < 8; i++) digests[8 * g + i] = h[i] ^ v[i] ^ v[i + 8];
}
#undef G
