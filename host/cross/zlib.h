// SPDX-License-Identifier: Apache-2.0
// CRC-32 as zlib's <zlib.h> declares it, for hosts that are compiled for on another machine (host/cross/README.md).
#ifndef HEDDLE_CROSS_ZLIB_H
#define HEDDLE_CROSS_ZLIB_H

typedef unsigned int uInt;
typedef unsigned long uLong;

// The CRC of what `crc` is the CRC of (0: of nothing), followed by these bytes.
uLong crc32(uLong crc, const unsigned char *data, uInt bytes);

#endif
