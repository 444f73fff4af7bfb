// SPDX-License-Identifier: Apache-2.0
// Points in a quarter of a circle, which are about pi / 4 of all: Metropolis and Ulam, The Monte Carlo Method, 1949;
// numbers by Marsaglia, Xorshift RNGs, 2003.
uint next(uint *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

kernel void pi_xorshift(global const uint *seeds, global uint *inside, uint points) {
  size_t item = get_global_id(0);
  uint state = seeds[item], count = 0;
  for (uint i = 0; i < points; i++) {
    uint x = next(&state) >> 17, y = next(&state) >> 17;
    count += x * x + y * y < 1u << 30;
  }
  inside[item] = count;
}
