// SPDX-License-Identifier: Apache-2.0
// A hash of whole words: MurmurHash3, 32 bits, as Appleby describes it.
kernel void murmur3(global const uint *in, global uint *out, uint words, uint seed) {
  size_t item = get_global_id(0);
  uint h = seed;
  for (uint i = 0; i < words; i++) {
    uint k = rotate(in[item * words + i] * 0xCC9E2D51, 15u) * 0x1B873593;
    h = rotate(h ^ k, 13u) * 5 + 0xE6546B64;
  }
  h ^= 4 * words;
  h = (h ^ h >> 16) * 0x85EBCA6B;
  h = (h ^ h >> 13) * 0xC2B2AE35;
  out[item] = h ^ h >> 16;
}
