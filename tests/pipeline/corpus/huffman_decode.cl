// SPDX-License-Identifier: Apache-2.0
// Canonical Huffman codes, decoded bit by bit: the first code of each length, and symbols in order.
kernel void huffman_decode(global const uint *bits, constant ushort *first, constant ushort *counts,
                           constant uchar *symbols, uint words, uint n, global uchar *out) {
  size_t g = get_global_id(0);
  uint at = 0;
  for (uint k = 0; k < n; k++) {
    uint code = 0, index = 0, length = 1;
    uchar symbol = 255;
    for (;;) {
      code = code << 1 | bits[g * words + at / 32] >> (31 - at % 32) & 1;
      at++;
      uint rank = code - first[length];
      if (rank < counts[length]) { symbol = symbols[index + rank]; break; }
      index += counts[length];
      if (++length > 8) goto bad;
    }
    out[g * n + k] = symbol;
  }
bad:;
}
