// SPDX-License-Identifier: Apache-2.0
// The price of an American put by a tree of 16 steps: Cox, Ross and Rubinstein, Option Pricing: A Simplified Approach,
// 1979.
kernel void binomial(global const float *price, global const float *strike, global float *put, float up, float chance,
                     float discount) {
  size_t i = get_global_id(0);
  float values[17], lowest = price[i];
  for (int step = 0; step < 16; step++)
    lowest /= up;
  float at = lowest;
  for (int k = 0; k <= 16; k++) {
    values[k] = fmax(strike[i] - at, 0.0f);
    at *= up * up;
  }
  for (int step = 15; step >= 0; step--) {
    lowest *= up;
    at = lowest;
    for (int k = 0; k <= step; k++) {
      float kept = discount * (chance * values[k + 1] + (1 - chance) * values[k]);
      values[k] = fmax(kept, strike[i] - at);
      at *= up * up;
    }
  }
  put[i] = values[0];
}
