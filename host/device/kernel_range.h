// SPDX-License-Identifier: Apache-2.0
// Ranges of the bytes of a kernel file, and numbers and strings in them. The files of the reader share this
// (kernel_file.c, kernel_notes.c). Thread-safe: nothing is kept.
#ifndef HEDDLE_KERNEL_RANGE_H
#define HEDDLE_KERNEL_RANGE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "contract/error.h"
#include "contract/little_endian.h"

// A part of the file. All reading goes through a range that has been checked to be inside the file.
struct kernel_range {
  const uint8_t *bytes;
  size_t size;
};

// A little-endian number of 32 or 16 bits. The caller has checked that its bytes are in the range.
static inline uint32_t kernel_range_word(struct kernel_range range, size_t offset) {
  return heddle_get32(range.bytes + offset);
}
static inline uint32_t kernel_range_half(struct kernel_range range, size_t offset) {
  return (uint32_t)range.bytes[offset] | (uint32_t)range.bytes[offset + 1] << 8;
}

// Sets *part to `size` bytes at an offset of `whole`. False, and *part is unchanged: they are not all in it.
static inline bool kernel_range_part(struct kernel_range whole, uint64_t offset, uint64_t size,
                                     struct kernel_range *part) {
  if (offset > whole.size || size > whole.size - offset)
    return false;
  *part = (struct kernel_range){whole.bytes + offset, (size_t)size};
  return true;
}

// The part of a range up to its last zero: every string that begins there ends there.
static inline struct kernel_range kernel_range_strings(struct kernel_range range) {
  const uint8_t *last = range.size != 0 ? memrchr(range.bytes, 0, range.size) : NULL;
  return (struct kernel_range){range.bytes, last ? (size_t)(last - range.bytes) + 1 : 0};
}

// Says in *error what is wrong with the file. Returns -EINVAL.
static inline int kernel_file_wrong(struct heddle_error *error, const char *what) {
  heddle_fail(error, -EINVAL, "not a Heddle kernel file: %s", what);
  return -EINVAL;
}

#endif
