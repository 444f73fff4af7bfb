// SPDX-License-Identifier: Apache-2.0
// Integer and floating-point arithmetic that depends on itself, and no memory: what one unit issues with every slot busy.
kernel void arithmetic(global const float *in, global float *out, int rounds) {
  uint i = get_global_id(0), h = 2654435761u * (i + 1);
  float x = in[i], y = 0;
  for (int r = 0; r < rounds; r++) {
    h ^= h << 13;
    h ^= h >> 17;
    h ^= h << 5;
    x = x * 0.5f + (float)(h & 255);
    y = y * 0.25f - x;
  }
  out[i] = y;
}
