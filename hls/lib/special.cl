// SPDX-License-Identifier: Apache-2.0
// tgamma and erfc, in (soft) double: libclc's are off by up to 191 and 62 units in the last place where 16 are allowed
// (OpenCL C 3.0, section 7.4). The polynomials are Chebyshev fits; tests/hls checks the results.
#include "hls/lib/vectors.h"

// The gamma function over [1, 2].
constant double gamma_fit[] = {
    1.8835711955909884e+00, 4.4153813248410303e-03, 5.6850436815993638e-02,
    -4.2198353964183598e-03, 1.3268081812122723e-03, -1.8930245297974825e-04,
    3.6069253274000347e-05, -6.0567619043527808e-06, 1.0558295463458655e-06,
    -1.8119673646621593e-07, 3.1177249538716368e-08, -5.3542193245714745e-09,
    9.1932733092825460e-10,
};

// log(erfc(z) / t) + z * z with t = 2 / (2 + z), over t in [2 / 12.25, 1], that is z in [0, 10.25].
constant double erfc_fit[] = {
    -1.1065693674082493e+00, 5.5223777763899240e-01, 7.4717579289672511e-03,
    -6.4319968834407690e-03, -1.6922908851453312e-04, 1.8443702168012389e-04,
    -2.1834948872712091e-06, -6.6239268199352889e-06, 5.6758160963843453e-07,
    2.2536025957808904e-07, -4.5803012893586017e-08, -5.0696883158174444e-09,
    2.6140212283642937e-09, -8.7622167299628025e-11,
};

// Clenshaw's sum of a Chebyshev series at u in [-1, 1].
static double chebyshev(constant const double *fit, int count, double u) {
  double b1 = 0.0, b2 = 0.0;
  for (int i = count - 1; i > 0; i--) {
    double next = 2.0 * u * b1 - b2 + fit[i];
    b2 = b1;
    b1 = next;
  }
  return u * b1 - b2 + fit[0] * 0.5;
}

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

// exp for -700 < x < 700: 2^n times the Taylor series of the rest, |rest| <= log(2) / 2.
static double exp_double(double x) {
  int n = (int)(x * M_LOG2E + (x < 0.0 ? -0.5 : 0.5));
  double rest = x - n * M_LN2;
  double sum = 1.0;
  for (int i = 11; i > 0; i--) {
    sum = 1.0 + sum * rest / i;
  }
  return sum * as_double((long)(n + 1023) << 52);
}

// Gamma(x) from [1, 2] by Gamma(x + 1) = x * Gamma(x).
float OVERLOAD tgamma(float x) {
  if (isnan(x) || x == -INFINITY) {
    return as_float(0x7FC00000);
  }
  if (x > 36.0f) {
    return INFINITY;
  }
  if (x == 0.0f) {
    return copysign(INFINITY, x);
  }
  if (x < 0.0f && x == floor(x)) {
    return as_float(0x7FC00000);  // the poles
  }
  if (x < -44.0f) {
    return fmod(floor(x), 2.0f) == 0.0f ? 0.0f : -0.0f;  // too small; the sign alternates from pole to pole
  }
  double y = x, above = 1.0, below = 1.0;
  while (y > 2.0) {
    y -= 1.0;
    above *= y;
  }
  while (y < 1.0) {
    below *= y;
    y += 1.0;
  }
  return (float)(chebyshev(gamma_fit, COUNT(gamma_fit), 2.0 * y - 3.0) * above / below);
}

// erfc(-z) = 2 - erfc(z); beyond 10.25 it is less than half the smallest float.
float OVERLOAD erfc(float x) {
  if (isnan(x)) {
    return x;
  }
  double z = fabs(x);
  double result = 0.0;
  if (z < 10.25) {
    double lowest = 2.0 / 12.25, t = 2.0 / (2.0 + z);
    double u = (2.0 * t - (1.0 + lowest)) / (1.0 - lowest);
    result = t * exp_double(chebyshev(erfc_fit, COUNT(erfc_fit), u) - z * z);
  }
  return (float)(x < 0.0f ? 2.0 - result : result);
}

ELEMENTS_1(float, tgamma, float)
ELEMENTS_1(float, erfc, float)
