// SPDX-License-Identifier: Apache-2.0
// SHA-256's compression of one block a work-item, FIPS 180-4 section 6.2.2, from the initial hash value. Words are in the order
// in which the device reads them. The 16 words of the schedule that are still wanted are a shift register of variables.
#define FIRST(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#define LOAD(n) uint w##n = block[n];
#define SMALL(x, a, b, c) (rotate(x, 32u - a) ^ rotate(x, 32u - b) ^ ((x) >> c))
#define LARGE(x, a, b, c) (rotate(x, 32u - a) ^ rotate(x, 32u - b) ^ rotate(x, 32u - c))

constant uint round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#ifndef LANES
#define LANES 1
#endif

__attribute__((intel_reqd_sub_group_size(LANES)))
kernel void sha256(global const uint *blocks, global uint *digests) {
  global const uint *block = blocks + 16 * get_global_id(0);
  FIRST(LOAD)
  uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
  uint e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
  for (uint t = 0; t < 64; t++) {
    const uint wanted = w0 + SMALL(w1, 7, 18, 3) + w9 + SMALL(w14, 17, 19, 10);
    const uint first = h + LARGE(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + round_constants[t] + w0;
    const uint second = LARGE(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    w0 = w1, w1 = w2, w2 = w3, w3 = w4, w4 = w5, w5 = w6, w6 = w7, w7 = w8;
    w8 = w9, w9 = w10, w10 = w11, w11 = w12, w12 = w13, w13 = w14, w14 = w15, w15 = wanted;
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  global uint *digest = digests + 8 * get_global_id(0);
  digest[0] = a + 0x6a09e667, digest[1] = b + 0xbb67ae85, digest[2] = c + 0x3c6ef372, digest[3] = d + 0xa54ff53a;
  digest[4] = e + 0x510e527f, digest[5] = f + 0x9b05688c, digest[6] = g + 0x1f83d9ab, digest[7] = h + 0x5be0cd19;
}
