// SPDX-License-Identifier: Apache-2.0
// Fat binaries: kernel files, and bitstreams of boards that have their kernels as pipelines (FAT_BINARY.md is the
// format). Written by `heddle pack`; read by clCreateProgramWithBinary and `heddle flash`. The reader's input is
// hostile: every length is checked, and its work is linear in the file.
#ifndef HEDDLE_FAT_BINARY_H
#define HEDDLE_FAT_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "contract/error.h"

enum { HEDDLE_FAT_VERSION = 1, HEDDLE_FAT_PARTS_MOST = 32, HEDDLE_FAT_NAME_BYTES = 64 };

enum heddle_fat_kind { HEDDLE_FAT_KERNEL_FILE = 1, HEDDLE_FAT_BITSTREAM = 2 };

struct heddle_fat_part {
  uint32_t kind;                        // enum heddle_fat_kind
  char name[HEDDLE_FAT_NAME_BYTES];     // of a bitstream, its board; of a kernel file for people
  char product[HEDDLE_FAT_NAME_BYTES];  // of a bitstream: how the board's USB product string begins; empty: not known
  const uint8_t *bytes;                 // in what was read
  size_t size;                          // more than 0
};

struct heddle_fat_binary {
  uint32_t count;  // 1 to HEDDLE_FAT_PARTS_MOST, with a kernel file at least
  struct heddle_fat_part parts[HEDDLE_FAT_PARTS_MOST];
};

// What one begins with.
#define HEDDLE_FAT_MAGIC "HEDDLEFB"

// Whether bytes claim to be one.
static inline bool heddle_fat_claimed(const void *bytes, size_t size) {
  return size >= sizeof HEDDLE_FAT_MAGIC - 1 && memcmp(bytes, HEDDLE_FAT_MAGIC, sizeof HEDDLE_FAT_MAGIC - 1) == 0;
}

// Checks everything, also that no bit has changed since it was written. 0, or -EINVAL: *error says what is wrong and
// what to do. The parts point into `bytes`.
int heddle_fat_read(const void *bytes, size_t size, struct heddle_fat_binary *fat, struct heddle_error *error);

// Bytes of what stands in front of the first part.
size_t heddle_fat_header_bytes(const struct heddle_fat_binary *fat);

// Writes that, of parts which follow it one behind the other.
void heddle_fat_header(const struct heddle_fat_binary *fat, uint8_t *header);

// The bitstream of a board; NULL: there is none.
const struct heddle_fat_part *heddle_fat_bitstream(const struct heddle_fat_binary *fat, const char *board);

// The boards that it has bitstreams of, in one line, separated by ", ", for messages; "none" where there is none.
const char *heddle_fat_boards(const struct heddle_fat_binary *fat, char *text, size_t size);

#endif
