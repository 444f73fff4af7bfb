// SPDX-License-Identifier: Apache-2.0
// Object files: what clCompileProgram and `heddlec -c` make of a source, and clLinkProgram makes kernel files of. LLVM
// bitcode for the spir target, without the built-in functions, behind a header that says what it is. Used by heddlec
// and by the library; nobody but heddlec's child processes looks into the bitcode.
//
// | byte | | (integers are little-endian, 32 bits)
// |---|---|
// | 0   | "HEDDLEOB" |
// | 8   | version of the format, 1 |
// | 12  | kind (enum heddle_object_kind) |
// | 16  | flags (enum heddle_object_flag) |
// | 20  | bytes of bitcode, more than 0 |
// | 24  | compiler that made the bitcode, zero-terminated, 0 up to byte 64 |
// | 64  | ISA string that it was compiled for, zero-terminated, 0 up to byte 128 |
// | 128 | SHA-256 of bytes 0 to 127 and of the bitcode |
// | 160 | the bitcode, up to the end of the file |
#ifndef HEDDLE_OBJECT_FILE_H
#define HEDDLE_OBJECT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/error.h"

enum { HEDDLE_OBJECT_HEADER_BYTES = 160, HEDDLE_OBJECT_VERSION = 1 };

enum heddle_object_kind { HEDDLE_COMPILED_OBJECT = 1, HEDDLE_LIBRARY = 2 };

// What the link has to know of how it was compiled; of a library, how its parts were.
enum heddle_object_flag {
  HEDDLE_OBJECT_TAKES_LINK_OPTIONS = 1,  // a library made with -enable-link-options
  HEDDLE_OBJECT_UNIFORM = 2,             // work-groups have to be uniform, for some of it
  HEDDLE_OBJECT_UNOPTIMIZED = 4,         // -cl-opt-disable, for all of it
  HEDDLE_OBJECT_DEBUG = 8,               // -g, for some of it
  HEDDLE_OBJECT_DOUBLE = 16,             // may use double
  HEDDLE_OBJECT_FLAGS = 31
};

struct heddle_object_file {
  uint32_t kind, flags;
  char compiler[40], isa[64];
  const uint8_t *bitcode;  // in the bytes that were read
  size_t bitcode_bytes;
};

// Whether bytes claim to be one.
bool heddle_object_file_claimed(const void *bytes, size_t size);

// Checks everything that the header says, and that no bit of the file has changed since it was written. 0, or -EINVAL:
// *error says what is wrong. `object` points into `bytes`.
int heddle_object_file_read(const void *bytes, size_t size, struct heddle_object_file *object,
                            struct heddle_error *error);

// Writes the header of HEDDLE_OBJECT_HEADER_BYTES that belongs in front of object->bitcode.
void heddle_object_file_header(const struct heddle_object_file *object, uint8_t *header);

#endif
