// SPDX-License-Identifier: Apache-2.0
// Powers modulo a number of 64 bits, by Montgomery's products.
ulong montgomery64(ulong a, ulong b, ulong n, ulong inverse) {
  ulong lo = a * b, hi = mul_hi(a, b);
  ulong m = lo * inverse;
  ulong t = mul_hi(m, n);
  ulong r = hi - t;
  return hi < t ? r + n : r;
}
kernel void power_mod64(global const ulong *base, global const ulong *exponent, ulong n,
                        ulong inverse, ulong one, ulong square, global ulong *out) {
  size_t g = get_global_id(0);
  ulong x = montgomery64(base[g], square, n, inverse), y = one;
  for (ulong e = exponent[g]; e; e >>= 1) {
    if (e & 1) y = montgomery64(y, x, n, inverse);
    x = montgomery64(x, x, n, inverse);
  }
  out[g] = montgomery64(y, 1, n, inverse);
}
