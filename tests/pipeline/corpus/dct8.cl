// SPDX-License-Identifier: Apache-2.0
// The cosine transform of 8x8 pixels: Ahmed, Natarajan and Rao, Discrete Cosine Transform, 1974, first rows and then
// columns. cosine[u * 8 + x] has the weights.
kernel void dct8(global const float *in, global float *out, constant float *cosine) {
  local float pixels[64], rows[64];
  uint x = get_local_id(0), y = get_local_id(1), tile = 64 * get_group_id(0);
  pixels[8 * y + x] = in[tile + 8 * y + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (uint i = 0; i < 8; i++)
    sum += cosine[8 * x + i] * pixels[8 * y + i];
  rows[8 * y + x] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0;
  for (uint i = 0; i < 8; i++)
    sum += cosine[8 * y + i] * rows[8 * i + x];
  out[tile + 8 * y + x] = sum;
}
