// SPDX-License-Identifier: Apache-2.0
// The compression of sha256.cl written plainly, as FIPS 180-4 has it: the schedule's last 16 words are an array.
#define SCHEDULE_0(x) (rotate(x, 25u) ^ rotate(x, 14u) ^ (x) >> 3)
#define SCHEDULE_1(x) (rotate(x, 15u) ^ rotate(x, 13u) ^ (x) >> 10)
#define ROUND_0(x) (rotate(x, 30u) ^ rotate(x, 19u) ^ rotate(x, 10u))
#define ROUND_1(x) (rotate(x, 26u) ^ rotate(x, 21u) ^ rotate(x, 7u))

constant uint sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__attribute__((intel_reqd_sub_group_size(1)))
kernel void sha256_plain(global const uint *blocks, global uint *digests) {
  global const uint *block = blocks + 16 * get_global_id(0);
  uint w[16];
  uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
  uint e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
  for (uint t = 0; t < 16; t++) w[t] = block[t];
  for (uint t = 0; t < 64; t++) {
    if (t >= 16) w[t & 15] += SCHEDULE_0(w[(t + 1) & 15]) + w[(t + 9) & 15] + SCHEDULE_1(w[(t + 14) & 15]);
    const uint first = h + ROUND_1(e) + bitselect(g, f, e) + sha256_constants[t] + w[t & 15];
    const uint second = ROUND_0(a) + ((a & b) | (c & (a | b)));
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  global uint *digest = digests + 8 * get_global_id(0);
  digest[0] = a + 0x6a09e667, digest[1] = b + 0xbb67ae85, digest[2] = c + 0x3c6ef372, digest[3] = d + 0xa54ff53a;
  digest[4] = e + 0x510e527f, digest[5] = f + 0x9b05688c, digest[6] = g + 0x1f83d9ab, digest[7] = h + 0x5be0cd19;
}
