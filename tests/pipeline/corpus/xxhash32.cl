// SPDX-License-Identifier: Apache-2.0
// A fast hash of 32 bytes: Collet's specification of XXH32.
constant uint primes[5] = {0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1};

kernel void xxhash32(global const uint4 *in, global uint *out, uint seed) {
  size_t item = get_global_id(0);
  uint4 sums = (uint4)(seed + primes[0] + primes[1], seed + primes[1], seed, seed - primes[0]);
  for (int i = 0; i < 2; i++)
    sums = rotate(sums + in[2 * item + i] * primes[1], (uint4)(13)) * primes[0];
  sums = rotate(sums, (uint4)(1, 7, 12, 18));
  uint h = sums.x + sums.y + sums.z + sums.w + 32;
  h = (h ^ h >> 15) * primes[1];
  h = (h ^ h >> 13) * primes[2];
  out[item] = h ^ h >> 16;
}
