// SPDX-License-Identifier: Apache-2.0
// A filter with a finite answer to an impulse, in its direct form: Oppenheim and Schafer, Discrete-Time Signal
// Processing, chapter 6.
kernel void fir(global const float *in, constant float *taps, global float *out, int count) {
  int i = get_global_id(0);
  float sum = 0;
  for (int t = 0; t < count; t++)
    if (i >= t)
      sum += taps[t] * in[i - t];
  out[i] = sum;
}
