// SPDX-License-Identifier: Apache-2.0
// tgamma of double, which may be off by 16 units in the last place (OpenCL C 3.0, section 7.4). libclc's is the
// exponential of lgamma: rounding that alone makes 250 of them for 170, and it is infinite far below 0.
#include "hls/lib/vectors.h"

// The gamma function over [1, 2], a Chebyshev series.
constant double gamma_fit[] = {
    1.8835711955909893e+00, 4.4153813248410069e-03, 5.6850436815993631e-02,
    -4.2198353964185602e-03, 1.3268081812124603e-03, -1.8930245297988805e-04,
    3.6069253274412453e-05, -6.0567619044608639e-06, 1.0558295463022833e-06,
    -1.8119673655423841e-07, 3.1177249647153221e-08, -5.3542196390196869e-09,
    9.1932755198595892e-10, -1.5779412802883398e-10, 2.7079806229349544e-11,
    -4.6468186538257299e-12, 7.9733501920074201e-13, -1.3680782098309160e-13,
    2.3473194865638007e-14, -4.0274326149490668e-15, 6.9100517473721006e-16,
    -1.1855845002219929e-16, 2.0341485424963738e-17,
};

// Clenshaw's sum of it at u in [-1, 1].
static double gamma_from_1_to_2(double y) {
  double u = 2.0 * y - 3.0, b1 = 0.0, b2 = 0.0;
  for (int i = (int)(sizeof gamma_fit / sizeof *gamma_fit) - 1; i > 0; i--) {
    double next = 2.0 * u * b1 - b2 + gamma_fit[i];
    b2 = b1;
    b1 = next;
  }
  return u * b1 - b2 + gamma_fit[0] * 0.5;
}

// Gamma(x) from [1, 2] by Gamma(x + 1) = x * Gamma(x). Up to 184 factors: what each product loses in rounding is kept
// beside it. Products of many factors leave the range of double on the way, so they begin small.
double OVERLOAD tgamma(double x) {
  if (isnan(x) || x == -INFINITY) {
    return as_double(0x7FF8000000000000);
  }
  if (fabs(x) < 0x1p-60) {
    return 1.0 / x;
  }
  if (x >= 172.0) {
    return INFINITY;
  }
  bool is_whole = x == floor(x);
  if (x < 0.0 && is_whole) {
    return as_double(0x7FF8000000000000);  // the poles
  }
  if (x < -184.0) {
    return floor(x) * 0.5 == floor(floor(x) * 0.5) ? 0.0 : -0.0;  // too small; the sign alternates from pole to pole
  }
  int scale = fabs(x) > 1.0 ? 200 : 0;
  double product = scale != 0 ? 0x1p-200 : 1.0, lost = 0.0, y = x;
  bool is_above = x > 2.0;
  while (y > 2.0 || y < 1.0) {
    y = is_above ? y - 1.0 : y;
    double next = product * y;
    lost = lost * y + fma(product, y, -next);
    product = next;
    y = is_above ? y : y + 1.0;
  }
  double fit = gamma_from_1_to_2(y);
  if (is_above) {
    return ldexp(fit * product + fit * lost, scale);
  }
  double result = fit / product;
  return ldexp(result - result * (lost / product), -scale);
}

ELEMENTS_1(double, tgamma, double)
