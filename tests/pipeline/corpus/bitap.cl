// SPDX-License-Identifier: Apache-2.0
// Where a text has a pattern with so many errors at most: Wu and Manber's bit-parallel search.
kernel void bitap(global const uchar *text, uint n, global const ulong *masks,
                  uint length, uint errors, global uint *hits) {
  size_t g = get_global_id(0);
  ulong r[4] = {~0ul, ~0ul << 1, ~0ul << 2, ~0ul << 3};
  uint count = 0;
  for (uint i = 0; i < n; i++) {
    ulong mask = masks[text[g * n + i]], before = r[0];
    r[0] = r[0] << 1 | mask;
    for (uint k = 1; k <= errors; k++) {
      ulong now = r[k];
      r[k] = (now << 1 | mask) & before << 1 & r[k - 1] << 1 & before;
      before = now;
    }
    count += !(r[errors] >> (length - 1) & 1);
  }
  hits[g] = count;
}
