// SPDX-License-Identifier: Apache-2.0
// The rounding modes of explicit conversions (OpenCL C 3.0, section 6.4.3.2), for code that rounds by hand.
#ifndef HEDDLE_HLS_LIB_ROUNDING_H
#define HEDDLE_HLS_LIB_ROUNDING_H

enum { ROUND_TO_EVEN, ROUND_TO_ZERO, ROUND_UP, ROUND_DOWN };

// Whether a magnitude cut off behind its last bit is to be made one larger: `odd` is that bit, `half_bit` the next,
// `below` whether anything is set behind that.
static inline uint round_up(uint odd, uint half_bit, bool below, bool is_negative, int mode) {
  switch (mode) {
    case ROUND_TO_EVEN:
      return half_bit & (odd | (below ? 1 : 0));
    case ROUND_UP:
      return !is_negative && (half_bit != 0 || below) ? 1 : 0;
    case ROUND_DOWN:
      return is_negative && (half_bit != 0 || below) ? 1 : 0;
    default:
      return 0;
  }
}

#endif
