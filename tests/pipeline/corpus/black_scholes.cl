// SPDX-License-Identifier: Apache-2.0
// The price of an option: Black and Scholes, The Pricing of Options and Corporate Liabilities, 1973; the normal
// distribution as Abramowitz and Stegun have it, 26.2.17.
float normal(float d) {
  float k = 1 / (1 + 0.2316419f * fabs(d));
  float sum = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228f * exp(-0.5f * d * d) * sum;
  return d > 0 ? 1 - tail : tail;
}

kernel void black_scholes(global const float *price, global const float *strike, global const float *years,
                          global float *call, float rate, float volatility) {
  size_t i = get_global_id(0);
  float root = sqrt(years[i]), spread = volatility * root;
  float d1 = (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread;
  call[i] = price[i] * normal(d1) - strike[i] * exp(-rate * years[i]) * normal(d1 - spread);
}
