// SPDX-License-Identifier: Apache-2.0
// Functions of double of which libclc gives zeros the wrong sign (OpenCL C 3.0, section 7.5). libclc.sed gives libclc's
// own other names.
#define OVERLOAD __attribute__((overloadable))

static bool is_zero(double x) {
  return as_ulong(x) << 1 == 0;
}

#define ZERO_FOR_ITSELF(libclc, name)          \
  double libclc(double x);                     \
  double OVERLOAD name(double x) {             \
    return is_zero(x) ? x : libclc(x);         \
  }
ZERO_FOR_ITSELF(__libclc_3sin, sin)
ZERO_FOR_ITSELF(__libclc_3tan, tan)
ZERO_FOR_ITSELF(__libclc_4atan, atan)
ZERO_FOR_ITSELF(__libclc_6atanpi, atanpi)
ZERO_FOR_ITSELF(__libclc_3erf, erf)
ZERO_FOR_ITSELF(__libclc_5expm1, expm1)

// At whole half turns: of the sine the sign is x's, of the cosine none, of the tangent it alternates.
double __libclc_5sinpi(double x);
double OVERLOAD sinpi(double x) {
  double result = __libclc_5sinpi(x);
  return is_zero(result) ? copysign(result, x) : result;
}

double __libclc_5cospi(double x);
double OVERLOAD cospi(double x) {
  double result = __libclc_5cospi(x);
  return is_zero(result) ? 0.0 : result;
}

double __libclc_5tanpi(double x);
double OVERLOAD tanpi(double x) {
  double result = __libclc_5tanpi(x), turns = x * 0.5;
  return is_zero(result) ? copysign(result, turns == trunc(turns) ? x : -x) : result;
}
