// SPDX-License-Identifier: Apache-2.0
// A filter of second order for each channel, transposed direct form II: Julius Smith, Introduction to Digital Filters;
// how coefficients are made of a corner frequency is in Bristow-Johnson's cookbook.
kernel void biquad(global const float *in, constant float *c, global float *out, int length) {
  size_t channel = get_global_id(0);
  float s1 = 0, s2 = 0;
  for (int n = 0; n < length; n++) {
    float x = in[channel * length + n], y = c[0] * x + s1;
    s1 = c[1] * x - c[3] * y + s2;
    s2 = c[2] * x - c[4] * y;
    out[channel * length + n] = y;
  }
}
