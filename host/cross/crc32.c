// SPDX-License-Identifier: Apache-2.0
// CRC-32 of ISO 3309 (zlib.h here), a bit at a time: a link's bytes take far longer than this.
#include "host/cross/zlib.h"

uLong crc32(uLong crc, const unsigned char *data, uInt bytes) {
  const uLong polynomial = 0xEDB88320UL;
  uLong value = ~crc & 0xFFFFFFFFUL;
  for (uInt i = 0; i < bytes; i++) {
    value ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      value = (value >> 1) ^ (value & 1 ? polynomial : 0);
  }
  return ~value & 0xFFFFFFFFUL;
}
